#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/units.h"
#include "sim/report/grid.h"
#include "sim/report/report.h"
#include "sim/report/version.h"

struct writer {
    const struct dls_result *result;
    const struct dls_verdict *verdict;
    const struct dls_report_options *options;
    struct dls_str *out;
};

static const char bold[] = "\033[1m";
static const char green[] = "\033[1;32m";
static const char red[] = "\033[1;31m";

static void heading(const struct writer *w, const char *style, const char *text)
{
    if (w->options->color)
        dls_str_add(w->out, style);
    dls_str_add(w->out, text);
    if (w->options->color)
        dls_str_add(w->out, "\033[0m");
    dls_str_add(w->out, "\n");
}

static enum dls_unit unit_of(enum dls_metric_id metric)
{
    const char *unit = dls_metric_text(metric)->unit;

    if (strcmp(unit, "1/s") == 0)
        return DLS_UNIT_PER_S;
    if (strcmp(unit, "s") == 0)
        return DLS_UNIT_TIME;
    if (strcmp(unit, "B") == 0)
        return DLS_UNIT_BYTES;
    return DLS_UNIT_FRACTION;
}

char *dls_report_value(enum dls_metric_id metric, double value, char *text, size_t size)
{
    if (isnan(value)) {
        snprintf(text, size, "-");
        return text;
    }
    return dls_units_write(value, unit_of(metric), text, size);
}

/* "98.5 .. 101 /s": the unit once when both ends have the same. */
static void add_range(struct dls_grid *grid, enum dls_metric_id metric, double low,
                      double high)
{
    char text[96], from[40], to[40];
    char *unit_low, *unit_high;

    if (isnan(low) || isnan(high)) {
        dls_grid_add(grid, "-");
        return;
    }
    dls_report_value(metric, low, from, sizeof from);
    dls_report_value(metric, high, to, sizeof to);
    unit_low = strrchr(from, ' ');
    unit_high = strrchr(to, ' ');
    if (unit_low != NULL && unit_high != NULL && strcmp(unit_low, unit_high) == 0)
        *unit_low = '\0';
    snprintf(text, sizeof text, "%s .. %s", from, to);
    dls_grid_add(grid, text);
}

static void write_metrics(const struct writer *w)
{
    const struct dls_result *result = w->result;
    bool ranges = result->replications > 1;
    struct dls_grid grid;
    char text[40];

    heading(w, bold, "metrics");
    dls_grid_init(&grid, ranges ? "lrll" : "lr");
    dls_grid_add(&grid, "metric");
    dls_grid_add(&grid, "value");
    if (ranges) {
        dls_grid_add(&grid, "95 % of the mean");
        dls_grid_add(&grid, "90 % of one run");
    }
    for (enum dls_metric_id m = 0; m < DLS_METRICS; m++) {
        const struct dls_value *value = &result->total[m];

        if (value->n == 0)
            continue;
        dls_grid_add(&grid, dls_metric_text(m)->name);
        dls_grid_add(&grid, dls_report_value(m, value->value, text, sizeof text));
        if (ranges) {
            add_range(&grid, m, value->low, value->high);
            add_range(&grid, m, value->predict_low, value->predict_high);
        }
    }
    dls_grid_write(&grid, 2, w->out);
    dls_grid_release(&grid);
}

static void add_quantity(struct dls_grid *grid, double value, enum dls_unit unit)
{
    char text[40];

    if (isnan(value) || value == 0)
        dls_grid_add(grid, "-");
    else
        dls_grid_add(grid, dls_units_write(value, unit, text, sizeof text));
}

static void add_percent(struct dls_grid *grid, double part, double whole)
{
    char text[16];

    snprintf(text, sizeof text, "%.1f %%", whole > 0 ? 100 * part / whole : 0.0);
    dls_grid_add(grid, text);
}

static void write_stages(const struct writer *w)
{
    const struct dls_result *result = w->result;
    struct dls_grid grid;
    double sum = 0;

    for (enum dls_stage s = 0; s < DLS_STAGES; s++)
        sum += result->stage_s[s];
    if (!(sum > 0))
        return;
    dls_str_add(w->out, "\n");
    heading(w, bold, "stages (time of all workers and training loops)");
    dls_grid_init(&grid, "lrrrr");
    dls_grid_add(&grid, "stage");
    dls_grid_add(&grid, "elapsed");
    dls_grid_add(&grid, "share");
    dls_grid_add(&grid, "CPU demand");
    dls_grid_add(&grid, "samples/s alone");
    for (enum dls_stage s = 0; s < DLS_STAGES; s++) {
        if (!(result->stage_s[s] > 0) && !(result->demand_s[s] > 0))
            continue;
        dls_grid_add(&grid, dls_stage_text(s));
        add_quantity(&grid, result->stage_s[s], DLS_UNIT_TIME);
        add_percent(&grid, result->stage_s[s], sum);
        add_quantity(&grid, result->demand_s[s], DLS_UNIT_TIME);
        add_quantity(&grid, result->bound_per_s[s], DLS_UNIT_NUMBER);
    }
    dls_grid_write(&grid, 2, w->out);
    dls_grid_release(&grid);
}

static void write_waits(const struct writer *w)
{
    const struct dls_result *result = w->result;
    struct dls_grid grid;
    double sum = 0;

    for (enum dls_cause c = 0; c < DLS_CAUSES; c++)
        sum += result->wait_s[c];
    if (!(sum > 0))
        return;
    dls_str_add(w->out, "\n");
    heading(w, bold, "waiting of the training loop, by cause");
    dls_grid_init(&grid, "lrr");
    dls_grid_add(&grid, "cause");
    dls_grid_add(&grid, "time");
    dls_grid_add(&grid, "share");
    for (enum dls_cause c = 0; c < DLS_CAUSES; c++) {
        if (!(result->wait_s[c] > 0))
            continue;
        dls_grid_add(&grid, dls_cause_text(c));
        add_quantity(&grid, result->wait_s[c], DLS_UNIT_TIME);
        add_percent(&grid, result->wait_s[c], sum);
    }
    dls_grid_write(&grid, 2, w->out);
    dls_grid_release(&grid);
}

static void write_epochs(const struct writer *w)
{
    static const enum dls_metric_id shown[] = {
        DLS_METRIC_EPOCH_S, DLS_METRIC_SAMPLES_PER_S, DLS_METRIC_AU,
        DLS_METRIC_FIRST_BATCH_S, DLS_METRIC_CACHE_HIT_RATIO};
    enum { SHOWN = sizeof shown / sizeof *shown };
    const struct dls_result *result = w->result;
    struct dls_grid grid;
    char text[40];

    if (result->epochs < 2)
        return;
    dls_str_add(w->out, "\n");
    heading(w, bold, "epochs");
    dls_grid_init(&grid, "rrrrrr");
    dls_grid_add(&grid, "epoch");
    for (size_t i = 0; i < SHOWN; i++)
        dls_grid_add(&grid, dls_metric_text(shown[i])->name);
    for (int64_t e = 0; e < result->epochs; e++) {
        snprintf(text, sizeof text, "%" PRId64, e);
        dls_grid_add(&grid, text);
        for (size_t i = 0; i < SHOWN; i++)
            dls_grid_add(&grid,
                         dls_report_value(shown[i], result->epoch[e][shown[i]].value,
                                          text, sizeof text));
    }
    dls_grid_write(&grid, 2, w->out);
    dls_grid_release(&grid);
}

void dls_report_shell_word(struct dls_str *out, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_-+=./:,@%";

    if (text[0] != '\0' && strspn(text, plain) == strlen(text)) {
        dls_str_add(out, text);
        return;
    }
    dls_str_add(out, "'");
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            dls_str_add(out, "'\\'");
        dls_str_add_n(out, text, 1);
    }
    dls_str_add(out, "'");
}

/* The run's own command line, with `set` in the place of what it replaces. */
static void write_command(const struct writer *w, const char *set)
{
    const struct dls_report_options *options = w->options;
    const char *path = w->result->scenario_path;
    size_t key = strcspn(set, "=") + 1;

    dls_str_add(w->out, "    ");
    if (options->again != NULL) {
        dls_str_add(w->out, options->again);
    } else {
        dls_str_add(w->out, "dlsim run ");
        dls_report_shell_word(w->out, path != NULL ? path : "-");
    }
    for (size_t i = 0; i < options->sets; i++) {
        if (strncmp(options->set[i], set, key) == 0)
            continue;
        dls_str_add(w->out, " --set ");
        dls_report_shell_word(w->out, options->set[i]);
    }
    dls_str_add(w->out, " --set ");
    dls_report_shell_word(w->out, set);
    dls_str_add(w->out, "\n");
}

static void write_hints(const struct writer *w)
{
    const struct dls_verdict *verdict = w->verdict;
    struct dls_str line;

    if (verdict->hints == 0)
        return;
    dls_str_init(&line);
    dls_str_add(w->out, "\n");
    heading(w, bold, "what to try (gains are upper bounds)");
    for (size_t i = 0; i < verdict->hints; i++) {
        const struct dls_hint *hint = &verdict->hint[i];

        dls_str_clear(&line);
        dls_str_add(&line, hint->text);
        if (hint->gain_fraction > 0)
            dls_str_addf(&line, ": at most +%.0f %%", 100 * hint->gain_fraction);
        if (hint->next == DLS_LIMIT_GPU)
            dls_str_add(&line, "; then the gpu limits");
        else if (hint->next != DLS_LIMIT_NONE && hint->next != verdict->limit)
            dls_str_addf(&line, "; then %s limit%s", dls_limit_text(hint->next),
                         hint->next == DLS_LIMIT_MAIN || hint->next == DLS_LIMIT_STORAGE
                             ? "s"
                             : "");
        dls_str_add(w->out, "  ");
        dls_text_wrap(w->out, line.data, 2, 4);
        if (hint->set == NULL)
            continue;
        write_command(w, hint->set);
    }
    dls_str_release(&line);
}

static void write_inputs(const struct writer *w)
{
    const struct dls_result *result = w->result;
    struct dls_grid grid;

    dls_str_add(w->out, "\n");
    heading(w, bold, "inputs");
    dls_grid_init(&grid, "lll");
    for (size_t i = 0; i < result->origins; i++) {
        dls_grid_add(&grid, result->origin[i].path);
        dls_grid_add(&grid, result->origin[i].value);
        dls_grid_add(&grid, result->origin[i].origin);
    }
    dls_grid_write(&grid, 2, w->out);
    dls_grid_release(&grid);
}

static void write_footer(const struct writer *w)
{
    const struct dls_result *result = w->result;
    struct dls_str line;

    dls_str_init(&line);
    dls_str_addf(&line,
                 "%" PRId64 " replication%s, seed %" PRId64 ", %" PRId64
                 " events, fingerprint %016" PRIx64 ", dlsim " DLS_VERSION,
                 result->replications, result->replications == 1 ? "" : "s",
                 result->seed, result->events, result->fingerprint);
    dls_str_add(w->out, "\n");
    dls_text_wrap(w->out, line.data, 0, 0);
    dls_str_release(&line);
}

static void write_title(const struct writer *w)
{
    const struct dls_result *result = w->result;
    struct dls_str line;

    dls_str_init(&line);
    dls_str_add(&line,
                result->scenario_name != NULL ? result->scenario_name : "unnamed");
    if (result->about != NULL && result->about[0] != '\0')
        dls_str_addf(&line, ": %s", result->about);
    dls_text_wrap(w->out, line.data, 0, 2);
    dls_str_release(&line);
}

void dls_report_text(const struct dls_result *result, const struct dls_verdict *verdict,
                     const struct dls_report_options *options, struct dls_str *out)
{
    const struct writer w = {result, verdict, options, out};

    if (!options->brief)
        write_title(&w);
    heading(&w, verdict->is_busy ? green : red, verdict->sentence);
    if (options->brief)
        return;
    if (result->deadlock != NULL)
        dls_str_addf(out, "\n%s\n", result->deadlock);
    if (verdict->reasons > 0) {
        dls_str_add(out, "\n");
        heading(&w, bold, "why");
    }
    for (size_t i = 0; i < verdict->reasons; i++) {
        dls_str_add(out, "  ");
        dls_text_wrap(out, verdict->reason[i], 2, 4);
    }
    write_hints(&w);
    dls_str_add(out, "\n");
    write_metrics(&w);
    write_stages(&w);
    write_waits(&w);
    write_epochs(&w);
    if (options->inputs && result->origins > 0)
        write_inputs(&w);
    write_footer(&w);
}
