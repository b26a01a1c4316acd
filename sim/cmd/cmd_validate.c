/* dlsim validate: predicted against measured. Calibrates each family of the cases file,
 * predicts its measured rows, prints errors beside noise and naive bounds, and judges
 * the limits. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "calib/calibrate.h"
#include "plots/plot.h"
#include "sim/cmd/commands.h"
#include "sim/cmd/output.h"
#include "sim/report/errors_report.h"
#include "sim/report/report.h"
#include "sim/run/validate.h"

struct values {
    const char *data;
    const char *work;
    const char *results;
    const char *plot;
    struct dls_opt_count replications;
};

static const struct dls_opt options[] = {
    {"data", 0, DLS_OPT_TEXT, offsetof(struct values, data), "DIR", NULL, 0, 0,
     "folder of recordings and outcomes instead of the one the cases file names"},
    {"results", 0, DLS_OPT_TEXT, offsetof(struct values, results), "FILE.md", NULL, 0,
     0, "write the tables as a Markdown page too"},
    {"plot", 0, DLS_OPT_TEXT, offsetof(struct values, plot), "FILE.svg", NULL, 0, 0,
     "draw predicted against measured samples/s at known speed (needs gnuplot)"},
    {"replications", 0, DLS_OPT_COUNT, offsetof(struct values, replications), "N", NULL,
     1, 1000, "replications of each prediction instead of those of the cases file"},
    {"work", 0, DLS_OPT_TEXT, offsetof(struct values, work), "DIR", NULL, 0, 0,
     "keep database, parameters and scenarios in this folder (default: a temporary "
     "one)"},
    {.name = NULL},
};

/* ------------------------------------------------------------------ work folder */

static enum dls_status scratch_make(struct dls_str *folder, struct dls_diag *diag)
{
    const char *root = getenv("TMPDIR");

    dls_str_addf(folder, "%s/dlsim-validate-XXXXXX",
                 root != NULL && root[0] != '\0' ? root : "/tmp");
    if (mkdtemp(folder->data) != NULL)
        return DLS_OK;
    dls_diag_error(diag, NULL, "cannot make a temporary folder '%s': %s", folder->data,
                   strerror(errno));
    return DLS_EIO;
}

/* Removes the folder with its files; what cannot be removed stays. */
static void scratch_remove(const char *folder)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    struct dls_str path;

    if (dir == NULL)
        return;
    dls_str_init(&path);
    while ((entry = readdir(dir)) != NULL) {
        dls_str_clear(&path);
        dls_str_addf(&path, "%s/%s", folder, entry->d_name);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlink(path.data);
    }
    closedir(dir);
    rmdir(folder);
    dls_str_release(&path);
}

/* ------------------------------------------------------------------ what validation
 * asks for */

static enum dls_status calibrate(const struct dls_validate_calibration *calibration,
                                 struct dls_diag *diag)
{
    const struct dls_calibrate_options how = {
        .database = calibration->database,
        .recordings = calibration->recording,
        .recording_count = calibration->recordings,
        .name = calibration->name,
        .params_path = calibration->params_path,
        .scenario_path = calibration->scenario_path,
    };

    return dls_calibrate_files(&how, diag, NULL);
}

struct progress {
    time_t start_s;
    bool shown;
};

static void show_progress(void *self, int64_t done, int64_t all)
{
    struct progress *progress = self;
    struct timespec now;
    char line[80];
    int length;

    clock_gettime(CLOCK_MONOTONIC, &now);
    if (progress->start_s == 0)
        progress->start_s = now.tv_sec;
    if (now.tv_sec - progress->start_s < 2)
        return;
    progress->shown = true;
    length = snprintf(line, sizeof line, "\r%" PRId64 " of %" PRId64 " cases", done,
                      all);
    dls_output_message(line, (size_t)length);
}

static void clear_progress(const struct progress *progress)
{
    static const char blank[] = "\r\033[K";

    if (progress->shown)
        dls_output_message(blank, strlen(blank));
}

/* ------------------------------------------------------------------ the answer */

static enum dls_status write_report(const struct dls_call *call,
                                    const struct dls_errors *errors)
{
    const char *out = call->common->out;
    const struct dls_errors_options how = {
        .color = call->color && (out == NULL || strcmp(out, "-") == 0),
        .brief = call->common->quiet,
        .rows = call->common->verbose,
    };
    enum dls_status status;
    struct dls_str text;

    dls_str_init(&text);
    if (call->common->json)
        dls_errors_json(errors, &text);
    else
        dls_errors_text(errors, &how, &text);
    status = dls_output_write(out, &text, call->diag);
    dls_str_release(&text);
    return status;
}

static enum dls_status write_results(const struct dls_call *call,
                                     const struct values *values,
                                     const struct dls_errors *errors)
{
    struct dls_errors_options how = {.again = NULL};
    struct dls_str again, text;
    enum dls_status status;

    dls_str_init(&again);
    dls_str_init(&text);
    dls_str_add(&again, "dlsim validate ");
    dls_report_shell_word(&again, call->argument[0]);
    if (values->replications.is_given)
        dls_str_addf(&again, " --replications %" PRId64, values->replications.value);
    dls_str_add(&again, " --results ");
    dls_report_shell_word(&again, values->results);
    how.again = again.data;
    dls_errors_markdown(errors, &how, &text);
    status = dls_output_write(values->results, &text, call->diag);
    dls_str_release(&text);
    dls_str_release(&again);
    return status;
}

static enum dls_status draw(const struct dls_call *call, const char *path,
                            const struct dls_errors *errors)
{
    struct dls_plot_point *points = dls_mem_new(errors->rows + 1, sizeof *points);
    enum dls_status status;

    for (size_t i = 0; i < errors->rows; i++)
        points[i] = (struct dls_plot_point){
            .predicted =
                errors->row[i].predicted[DLS_PREDICT_KNOWN][DLS_QUANTITY_SAMPLES_PER_S],
            .measured = errors->row[i].measured[DLS_QUANTITY_SAMPLES_PER_S],
            .group = errors->row[i].family,
        };
    status = dls_plot_errors(points, errors->rows, errors->name,
                             "samples per second (1/s)", path, NULL, call->diag);
    dls_mem_free(points);
    return status;
}

/* The limits that are not met, as messages; exit status 4. */
static enum dls_status judge(const struct dls_call *call,
                             const struct dls_errors *errors)
{
    struct dls_str text;

    if (errors->unmet + errors->failures == 0)
        return DLS_OK;
    dls_str_init(&text);
    for (size_t i = 0; i < errors->findings; i++) {
        if (errors->finding[i].is_met)
            continue;
        dls_str_clear(&text);
        dls_errors_finding(errors, i, &text);
        dls_diag_error(call->diag, NULL, "%s", text.data);
    }
    if (errors->failures > 0)
        dls_diag_error(call->diag, NULL, "%zu rows or replays without a prediction",
                       errors->failures);
    dls_str_release(&text);
    return DLS_ENO;
}

static enum dls_status answer(const struct dls_call *call, const struct values *values,
                              const struct dls_errors *errors)
{
    enum dls_status status = write_report(call, errors);

    if (status == DLS_OK && values->results != NULL)
        status = write_results(call, values, errors);
    if (status == DLS_OK && values->plot != NULL)
        status = draw(call, values->plot, errors);
    if (status == DLS_OK)
        status = judge(call, errors);
    return status;
}

static bool is_usage_right(const struct dls_call *call, const struct values *values)
{
    if (call->common->set.count > 0)
        dls_diag_error(call->diag, NULL,
                       "'validate' takes no '--set': its cases say what is set");
    if (call->common->seed.is_given)
        dls_diag_error(call->diag, NULL,
                       "'validate' takes no '--seed': its scenarios say it");
    if (values->plot != NULL && strcmp(values->plot, "-") == 0)
        dls_diag_error(call->diag, NULL, "'--plot' needs a file, found '-'");
    return dls_diag_errors(call->diag) == 0;
}

static enum dls_status run(const struct dls_call *call)
{
    const struct values *values = call->values;
    struct progress progress = {0};
    struct dls_errors *errors = NULL;
    struct dls_str folder;
    struct dls_validate_options how = {
        .cases = call->argument[0],
        .data = values->data,
        .work = values->work,
        .threads = call->common->jobs.is_given ? (int)call->common->jobs.value : 0,
        .replications = values->replications.value,
        .calibrate = calibrate,
        .progress = call->progress ? show_progress : NULL,
        .self = &progress,
    };
    enum dls_status status = DLS_OK;

    if (!is_usage_right(call, values))
        return DLS_EUSAGE;
    dls_str_init(&folder);
    if (values->work == NULL) {
        status = scratch_make(&folder, call->diag);
        how.work = folder.data;
    }
    if (status == DLS_OK) {
        status = dls_validate(&how, call->diag, &errors);
        clear_progress(&progress);
        if (values->work == NULL)
            scratch_remove(folder.data);
    }
    if (status == DLS_OK)
        status = answer(call, values, errors);
    dls_errors_free(errors);
    dls_str_release(&folder);
    return status;
}

const struct dls_command dls_cmd_validate = {
    .name = "validate",
    .arguments = "CASES.yaml",
    .summary = "compare predictions with measured runs: signed errors, noise, bounds",
    .details =
        "Calibrates every family of the cases file from its recordings, predicts its\n"
        "measured rows, and replays recordings. Two scores: blind, and at known speed\n"
        "('host.speed' chosen so that simulated CPU seconds equal the measured ones).\n"
        "Limits that are not met come first; the exit status is then 4.\n"
        "--verbose adds every row.\n",
    .options = options,
    .values_size = sizeof(struct values),
    .least = 1,
    .most = 1,
    .run = run,
};
