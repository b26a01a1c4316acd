/* dlsim run: what will happen. Reads the scenario, runs its replications, prints the
 * report, draws the plot, and judges the scenario's expectations. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "plots/plot.h"
#include "sim/cmd/commands.h"
#include "sim/cmd/expect.h"
#include "sim/cmd/load.h"
#include "sim/cmd/output.h"
#include "sim/report/report.h"
#include "sim/run/run.h"

struct values {
    const char *plot;
    struct dls_opt_count replications;
};

static const struct dls_opt options[] = {
    {"plot", 0, DLS_OPT_TEXT, offsetof(struct values, plot), "FILE.svg", NULL, 0, 0,
     "draw time per batch by stage, and the first batches (needs gnuplot)"},
    {"replications", 0, DLS_OPT_COUNT, offsetof(struct values, replications), "N", NULL,
     1, 100000, "replications instead of the scenario's"},
    {.name = NULL},
};

/* ------------------------------------------------------------------ progress, past two
 * seconds */

struct progress {
    int64_t start_s;
    int64_t shown; /* replications told so far; -1: none */
};

static int64_t now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec;
}

static void show_progress(void *self, int64_t done, int64_t all)
{
    struct progress *progress = self;
    char line[80];
    int length;

    if (done == progress->shown || now_s() - progress->start_s < 2)
        return;
    progress->shown = done;
    length = snprintf(line, sizeof line, "\r%" PRId64 " of %" PRId64 " replications",
                      done, all);
    dls_output_message(line, (size_t)length);
}

static void clear_progress(const struct progress *progress)
{
    static const char blank[] = "\r\033[K";

    if (progress->shown >= 0)
        dls_output_message(blank, strlen(blank));
}

/* ------------------------------------------------------------------ the answer */

/* The command that gives this result again, but for --set: hints add theirs. */
static void write_again(const struct dls_call *call, const struct values *values,
                        struct dls_str *out)
{
    dls_str_add(out, "dlsim run ");
    dls_report_shell_word(out, call->argument[0]);
    if (values->replications.is_given)
        dls_str_addf(out, " --replications %" PRId64, values->replications.value);
    if (call->common->seed.is_given)
        dls_str_addf(out, " --seed %" PRId64, call->common->seed.value);
}

static enum dls_status write_report(const struct dls_call *call,
                                    const struct values *values,
                                    const struct dls_result *result,
                                    const struct dls_verdict *verdict)
{
    enum dls_status status = DLS_OK;
    struct dls_str text, again;

    dls_str_init(&text);
    dls_str_init(&again);
    if (call->common->json) {
        status = dls_report_json(result, verdict, &text);
        if (status != DLS_OK)
            dls_diag_error(call->diag, NULL, "out of memory");
    } else {
        const char *out = call->common->out;
        struct dls_report_options report = {
            .color = call->color && (out == NULL || strcmp(out, "-") == 0),
            .brief = call->common->quiet,
            .inputs = call->common->verbose,
        };

        write_again(call, values, &again);
        report.again = again.data;
        report.set = call->common->set.data;
        report.sets = call->common->set.count;
        dls_report_text(result, verdict, &report, &text);
    }
    if (status == DLS_OK)
        status = dls_output_write(call->common->out, &text, call->diag);
    dls_str_release(&again);
    dls_str_release(&text);
    return status;
}

/* Report, plot, expectations: each is tried, the first failure is the status. */
static enum dls_status answer(const struct dls_call *call, const struct values *values,
                              const struct dls_scenario *scenario,
                              const struct dls_result *result)
{
    struct dls_verdict *verdict = dls_verdict_new(result);
    enum dls_status status = write_report(call, values, result, verdict);

    if (status == DLS_OK && values->plot != NULL)
        status = dls_plot_run(result, verdict, values->plot, NULL, call->diag);
    dls_verdict_free(verdict);
    if (status == DLS_OK && result->deadlock != NULL)
        status = DLS_EDEADLOCK;
    if (status == DLS_OK)
        status = dls_expect_judge(scenario, result, call->diag);
    return status;
}

static enum dls_status run(const struct dls_call *call)
{
    const struct values *values = call->values;
    struct dls_override extra = {"run.replications", NULL};
    struct progress progress = {now_s(), -1};
    struct dls_run_options how = {
        .threads = call->common->jobs.is_given ? (int)call->common->jobs.value : 0,
        .progress = call->progress ? show_progress : NULL,
        .self = &progress,
    };
    struct dls_scenario *scenario = NULL;
    struct dls_result *result = NULL;
    enum dls_status status;
    char count[24];

    if (values->plot != NULL && strcmp(values->plot, "-") == 0) {
        dls_diag_error(call->diag, NULL, "'--plot' needs a file, found '-'");
        return DLS_EUSAGE;
    }
    snprintf(count, sizeof count, "%" PRId64, values->replications.value);
    extra.value = count;
    status = dls_load_scenario(call, call->argument[0], &extra,
                               values->replications.is_given ? 1 : 0, &scenario);
    if (status == DLS_OK) {
        status = dls_replicate(scenario, &how, call->diag, &result);
        clear_progress(&progress);
    }
    if (status == DLS_OK)
        status = answer(call, values, scenario, result);
    dls_result_free(result);
    dls_scenario_free(scenario);
    return status;
}

const struct dls_command dls_cmd_run = {
    .name = "run",
    .arguments = "SCENARIO.yaml",
    .summary = "simulate a scenario: verdict, reasons, what to try, metrics",
    .details =
        "Prints the verdict first, then why, what to try next (gains are upper bounds\n"
        "from this run), and the tables. With conditions under 'expect:' in the\n"
        "scenario, those not met are listed and the exit status is 4. '-' reads the\n"
        "scenario from stdin.\n",
    .options = options,
    .values_size = sizeof(struct values),
    .least = 1,
    .most = 1,
    .run = run,
};
