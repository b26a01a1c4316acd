/* dlsim import: recordings into a trace database. One row a format; each importer is
 * one file in traces/. */
#include <inttypes.h>
#include <string.h>

#include "sim/cmd/commands.h"
#include "sim/cmd/output.h"
#include "traces/import_micro.h"
#include "traces/import_spans.h"

struct values {
    const char *batches;
    const char *config;
};

static const struct dls_opt options[] = {
    {"batches", 0, DLS_OPT_TEXT, offsetof(struct values, batches), "FILE", NULL, 0, 0,
     "spans: batch times of the same run (.batches.csv, .gz)"},
    {"config", 0, DLS_OPT_TEXT, offsetof(struct values, config), "FILE", NULL, 0, 0,
     "spans: configuration and outcome of the same run (.json)"},
    {.name = NULL},
};

struct format {
    const char *name;
    bool takes_run; /* --batches and --config belong to it */
    enum dls_status (*import)(const char *db, const char *file,
                              const struct values *values, struct dls_diag *diag,
                              struct dls_import_report *report);
};

static enum dls_status import_spans(const char *db, const char *file,
                                    const struct values *values, struct dls_diag *diag,
                                    struct dls_import_report *report)
{
    return dls_import_spans(db, file, values->batches, values->config, diag, report);
}

static enum dls_status import_micro(const char *db, const char *file,
                                    const struct values *values, struct dls_diag *diag,
                                    struct dls_import_report *report)
{
    (void)values;
    return dls_import_micro(db, file, diag, report);
}

static const struct format formats[] = {
    {"spans", true, import_spans},
    {"micro", false, import_micro},
};

enum { FORMATS = sizeof formats / sizeof *formats };

static const struct format *find_format(const char *name, struct dls_diag *diag)
{
    const char *names[FORMATS];
    const char *near;
    struct dls_str list;

    for (size_t i = 0; i < FORMATS; i++) {
        names[i] = formats[i].name;
        if (strcmp(names[i], name) == 0)
            return &formats[i];
    }
    near = dls_str_near(name, names, FORMATS);
    if (near != NULL) {
        dls_diag_error(diag, NULL, "unknown format '%s' (did you mean '%s'?)", name,
                       near);
        return NULL;
    }
    dls_str_init(&list);
    for (size_t i = 0; i < FORMATS; i++)
        dls_str_addf(&list, "%s%s", i > 0 ? ", " : "", names[i]);
    dls_diag_error(diag, NULL, "unknown format '%s', expected one of: %s", name,
                   list.data);
    dls_str_release(&list);
    return NULL;
}

static void write_report(const struct dls_import_report *report, const char *db,
                         bool json, struct dls_str *out)
{
    const struct {
        const char *name;
        int64_t rows;
    } parts[] = {{"spans", report->spans},       {"batches", report->batches},
                 {"configs", report->configs},   {"micros", report->micros},
                 {"outcomes", report->outcomes}, {"gaps", report->gaps}};

    if (json) {
        dls_str_add(out, "{\"db\": ");
        dls_str_add_json(out, db);
        dls_str_addf(out, ", \"trace\": %" PRId64, report->trace);
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
            dls_str_addf(out, ", \"%s\": %" PRId64, parts[i].name, parts[i].rows);
        dls_str_addf(out,
                     ", \"clock_offset_ns\": %" PRId64
                     ", \"clock_residual_ns\": %" PRId64 "}\n",
                     report->clock_offset_ns, report->clock_residual_ns);
        return;
    }
    dls_str_addf(out, "%s: trace %" PRId64 ":", db, report->trace);
    for (size_t i = 0, shown = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].rows > 0)
            dls_str_addf(out, "%s %" PRId64 " %s", shown++ > 0 ? "," : "",
                         parts[i].rows, parts[i].name);
    dls_str_add(out, "\n");
}

static enum dls_status run(const struct dls_call *call)
{
    const struct values *values = call->values;
    const struct format *format = find_format(call->argument[0], call->diag);
    const char *db = call->common->out;
    struct dls_import_report report = {0};
    enum dls_status status;
    struct dls_str text;

    if (format != NULL && !format->takes_run &&
        (values->batches != NULL || values->config != NULL))
        dls_diag_error(call->diag, NULL,
                       "'--batches' and '--config' belong to format "
                       "'spans' only");
    if (db == NULL || strcmp(db, "-") == 0)
        dls_diag_error(call->diag, NULL, "'import' needs the database: -o trace.db");
    if (dls_diag_errors(call->diag) > 0)
        return DLS_EUSAGE;
    status = format->import(db, call->argument[1], values, call->diag, &report);
    if (status != DLS_OK || call->common->quiet)
        return status;
    dls_str_init(&text);
    write_report(&report, db, call->common->json, &text);
    status = dls_output_write(NULL, &text, call->diag);
    dls_str_release(&text);
    return status;
}

const struct dls_command dls_cmd_import = {
    .name = "import",
    .arguments = "FORMAT FILE -o trace.db",
    .summary = "add a recording to a trace database",
    .details =
        "formats\n"
        "  spans   spans of one run as CSV (.spans.csv, .gz), with --batches and\n"
        "          --config of the same run\n"
        "  micro   measurements of the host as CSV (micro.csv)\n"
        "\n"
        "The database is made when it is missing. After a failure it is as before.\n",
    .options = options,
    .values_size = sizeof(struct values),
    .least = 2,
    .most = 2,
    .run = run,
};
