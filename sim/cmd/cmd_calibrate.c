/* dlsim calibrate: recordings to a parameter file, its sample table and a scenario that
 * replays the last recording. */
#include <string.h>

#include "calib/calibrate.h"
#include "sim/cmd/commands.h"
#include "sim/cmd/output.h"
#include "sim/report/fit.h"

struct values {
    const char *scenario;
    const char *name;
    struct dls_opt_texts recordings;
};

static const struct dls_opt options[] = {
    {"scenario", 0, DLS_OPT_TEXT, offsetof(struct values, scenario), "FILE", NULL, 0, 0,
     "write a scenario that replays the last recording"},
    {"recording", 0, DLS_OPT_TEXTS, offsetof(struct values, recordings), "NAME", NULL,
     0, 0, "use this recording; may be repeated (default: all)"},
    {"name", 0, DLS_OPT_TEXT, offsetof(struct values, name), "NAME", NULL, 0, 0,
     "name of the parameter file (default: from its path)"},
    {.name = NULL},
};

static enum dls_status run(const struct dls_call *call)
{
    const struct values *values = call->values;
    struct dls_calibrate_options calibrate = {
        .database = call->argument[0],
        .recordings = values->recordings.count > 0 ? values->recordings.data : NULL,
        .recording_count = values->recordings.count,
        .name = values->name,
        .params_path = call->common->out,
        .scenario_path = values->scenario,
    };
    struct dls_fit *fit = NULL;
    enum dls_status status;
    struct dls_str text;

    if (call->common->out == NULL || strcmp(call->common->out, "-") == 0) {
        dls_diag_error(call->diag, NULL,
                       "'calibrate' needs the parameter file to write: -o params.yaml");
        return DLS_EUSAGE;
    }
    status = dls_calibrate_files(&calibrate, call->diag, &fit);
    if (status != DLS_OK || call->common->quiet) {
        dls_fit_free(fit);
        return status;
    }
    dls_str_init(&text);
    if (call->common->json)
        dls_report_fit_json(fit, &text);
    else
        dls_report_fit_text(fit, &text);
    status = dls_output_write(NULL, &text, call->diag);
    dls_str_release(&text);
    dls_fit_free(fit);
    return status;
}

const struct dls_command dls_cmd_calibrate = {
    .name = "calibrate",
    .arguments = "TRACE.db -o PARAMS.yaml",
    .summary = "fit the model's parameters to recordings",
    .details =
        "Writes PARAMS.yaml and PARAMS.samples.csv. The recordings must be of one "
        "data\n"
        "set and loader; two that differ in workers identify most. Epoch times and\n"
        "throughputs of the recordings are never used.\n",
    .options = options,
    .values_size = sizeof(struct values),
    .least = 1,
    .most = 1,
    .run = run,
};
