/* params_write.c: a calibration as a parameter file, its sample table, and the scenario
 * that replays the last recording.
 *
 * Numbers are written with 6 significant digits, far finer than their intervals. The
 * files are written as one: all of them or none. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calib/calibrate.h"
#include "sim/base/str.h"

/* A text as a YAML double-quoted scalar; JSON strings are such. */
static void add_quoted(struct dls_str *out, const char *text)
{
    dls_str_add_json(out, text);
}

static void add_number(struct dls_str *out, double value, enum dls_unit unit)
{
    char text[64];

    dls_str_add(out, dls_units_write_fine(value, unit, text, sizeof text));
}

/* {value: 12 ms, low: .., high: .., n: 20, from: "..."} */
static void add_value(struct dls_str *out, const struct dls_fit_value *value)
{
    dls_str_add(out, "{value: ");
    add_number(out, value->value, value->unit);
    if (!isnan(value->low) && !isnan(value->high)) {
        dls_str_add(out, ", low: ");
        add_number(out, value->low, value->unit);
        dls_str_add(out, ", high: ");
        add_number(out, value->high, value->unit);
    }
    dls_str_addf(out, ", n: %" PRId64 ", from: ", value->n);
    add_quoted(out, value->from);
    dls_str_add(out, "}\n");
}

static void add_recordings(struct dls_str *out, const struct dls_fit *fit)
{
    dls_str_add(out, "recordings:\n");
    for (size_t i = 0; i < fit->recordings; i++) {
        const struct dls_fit_recording *recording = &fit->recording[i];

        dls_str_add(out, "  - {name: ");
        add_quoted(out, recording->name);
        dls_str_add(out, ", file: ");
        add_quoted(out, recording->file);
        dls_str_addf(out,
                     ", hash: \"%016" PRIx64 "\", workers: %" PRId64
                     ", batches: %" PRId64 ", samples: %" PRId64 "}\n",
                     recording->hash, recording->workers, recording->batches,
                     recording->samples);
    }
}

/* Values of one section; dotted keys become nested mappings, which stand together in
 * the order of the fit. */
static void add_section(struct dls_str *out, const struct dls_fit *fit,
                        const char *section)
{
    const char *group = "";
    size_t group_length = 0;

    for (size_t i = 0; i < fit->values; i++) {
        const struct dls_fit_value *value = &fit->value[i];
        const char *dot = strchr(value->key, '.');

        if (strcmp(value->section, section) != 0)
            continue;
        if (dot == NULL) {
            group_length = 0;
            dls_str_addf(out, "  %s: ", value->key);
        } else {
            size_t length = (size_t)(dot - value->key);

            if (length != group_length || strncmp(group, value->key, length) != 0)
                dls_str_addf(out, "  %.*s:\n", (int)length, value->key);
            group = value->key;
            group_length = length;
            dls_str_addf(out, "    %s: ", dot + 1);
        }
        add_value(out, value);
    }
}

static bool has_section(const struct dls_fit *fit, const char *section)
{
    for (size_t i = 0; i < fit->values; i++)
        if (strcmp(fit->value[i].section, section) == 0)
            return true;
    return false;
}

static void add_op(struct dls_str *out, const struct dls_fit_op *op)
{
    dls_str_add(out, "    - op: ");
    add_quoted(out, op->name);
    dls_str_addf(
        out,
        "\n      stage: %s\n      class: %s\n      interpreter: %s\n      random: %s\n",
        op->stage, op->class, op->interpreter ? "true" : "false",
        op->random ? "true" : "false");
    dls_str_add(out, "      demand: {value: ");
    if (op->b_s_per_byte > 0) {
        dls_str_add(out, "{law: affine, a: ");
        add_number(out, op->a_s, DLS_UNIT_TIME);
        dls_str_add(out, ", b: ");
        add_number(out, op->b_s_per_byte, DLS_UNIT_S_PER_BYTE);
        dls_str_add(out, "}");
    } else {
        add_number(out, op->a_s, DLS_UNIT_TIME);
    }
    if (!isnan(op->low_s) && !isnan(op->high_s)) {
        dls_str_add(out, ", low: ");
        add_number(out, op->low_s, DLS_UNIT_TIME);
        dls_str_add(out, ", high: ");
        add_number(out, op->high_s, DLS_UNIT_TIME);
    }
    dls_str_addf(
        out, ", n: %" PRId64 ", fit: \"%s, residual cv %.3f\", from: \"%s\"}\n", op->n,
        op->b_s_per_byte > 0 ? "affine in bytes" : "constant", op->residual_cv,
        op->column ? "spans; the table holds each sample" : "gaps between spans");
}

static const char *table_path(struct dls_arena *arena, const char *path)
{
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
    size_t length = dot != NULL && (slash == NULL || dot > slash) ? (size_t)(dot - path)
                                                                  : strlen(path);
    char *table = dls_arena_get(arena, length + sizeof ".samples.csv", 1);

    memcpy(table, path, length);
    memcpy(table + length, ".samples.csv", sizeof ".samples.csv");
    return table;
}

static void add_table(struct dls_str *out, const struct dls_fit *fit)
{
    dls_str_add(out, fit->bytes != NULL ? "sample,bytes" : "sample");
    for (size_t i = 0; i < fit->ops; i++)
        if (fit->op[i].column != NULL)
            dls_str_addf(out, ",%s", fit->op[i].name);
    dls_str_add(out, "\n");
    for (int64_t r = 0; r < fit->rows; r++) {
        dls_str_addf(out, "%" PRId64, fit->row_id[r]);
        if (fit->bytes != NULL)
            dls_str_addf(out, ",%.0f", fit->bytes[r]);
        for (size_t i = 0; i < fit->ops; i++)
            if (fit->op[i].column != NULL)
                dls_str_addf(out, ",%.6g", fit->op[i].column[r]);
        dls_str_add(out, "\n");
    }
}

static void add_missing(struct dls_str *out, const struct dls_fit *fit)
{
    if (fit->missings == 0)
        return;
    dls_str_add(out, "unidentified:\n");
    for (size_t i = 0; i < fit->missings; i++) {
        dls_str_add(out, "  - parameter: ");
        add_quoted(out, fit->missing[i].parameter);
        dls_str_add(out, "\n    reason: ");
        add_quoted(out, fit->missing[i].reason);
        dls_str_add(out, "\n    recording: ");
        add_quoted(out, fit->missing[i].recording);
        dls_str_add(out, "\n");
    }
}

static void add_params(struct dls_str *out, const struct dls_fit *fit,
                       const char *table)
{
    static const char *const sections[] = {"host",    "cpu",        "memory",
                                           "storage", "filesystem", "loader",
                                           "link",    "consumer",   "run"};
    const char *slash = strrchr(table, '/');

    dls_str_addf(out, "dlsim_params: 1\n# Written by dlsim calibrate; edit freely. "
                      "Notes beside a value (low, high: 95 %% "
                      "interval; n; from) are not read back.\nname: ");
    add_quoted(out, fit->name);
    dls_str_add(out, "\n");
    add_recordings(out, fit);
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (has_section(fit, sections[i])) {
            dls_str_addf(out, "%s:\n", sections[i]);
            add_section(out, fit, sections[i]);
        }
    dls_str_addf(out, "source:\n  table: {value: ");
    add_quoted(out, slash ? slash + 1 : table);
    dls_str_addf(out, ", n: %" PRId64 ", from: \"spans of samples\"}\n", fit->rows);
    dls_str_add(out, "transform:\n  ops:\n");
    for (size_t i = 0; i < fit->ops; i++)
        add_op(out, &fit->op[i]);
    add_missing(out, fit);
}

/* ------------------------------------------------------------------ scenario */

/* `path` as seen from the folder of the file `from`, judged by their names alone;
 * absolute where these do not tell. */
static void add_relative(struct dls_str *out, const char *path, const char *from)
{
    const char *whole = path, *slash;
    size_t shared = 0;
    bool is_known;
    char *here;

    for (size_t i = 0; path[i] != '\0' && path[i] == from[i]; i++)
        if (path[i] == '/')
            shared = i + 1;
    path += shared;
    from += shared;
    is_known = path[0] != '/' && from[0] != '/';
    for (; (slash = strchr(from, '/')) != NULL; from = slash + 1) {
        if (strncmp(from, "../", 3) == 0)
            is_known = false;
        else if (slash != from && strncmp(from, "./", 2) != 0)
            dls_str_add(out, "../");
    }
    if (!is_known) {
        here = whole[0] == '/' ? NULL : getcwd(NULL, 0);
        dls_str_clear(out);
        if (here != NULL)
            dls_str_addf(out, "%s/", here);
        free(here);
        path = whole;
    }
    dls_str_add(out, path);
}

static void add_scenario(struct dls_str *out, const struct dls_fit *fit,
                         const char *path, const char *params_path)
{
    struct dls_str params;

    dls_str_init(&params);
    add_relative(&params, params_path, path);
    dls_str_addf(
        out, "dlsim: 1\n# Replays recording %s. Written by dlsim calibrate.\nname: ",
        fit->recording[fit->recordings - 1].name);
    add_quoted(out, fit->name);
    dls_str_add(out, "\nparams: ");
    add_quoted(out, params.data);
    dls_str_release(&params);
    /* one recording is replayed at its own speed; several stand for the host as it
     * usually is */
    dls_str_addf(out, "\nhost:       {cores: %" PRId64 "%s}\n", fit->cores,
                 fit->recordings == 1 ? ", speed: 1" : "");
    dls_str_addf(out,
                 "source:     {kind: source.files, samples: %" PRId64
                 ", order: recorded}\n",
                 fit->rows);
    dls_str_add(out, "transform:  {kind: transform.chain, from: params}\n");
    dls_str_addf(out, "loader:     {kind: %s, workers: %" PRId64 ", ", fit->loader,
                 fit->workers);
    if (fit->workers > 0)
        dls_str_addf(out, "prefetch: %" PRId64 ", ", fit->prefetch);
    dls_str_addf(out,
                 "batch: %" PRId64 ", in_order: %s, persistent: %s, drop_last: %s}\n",
                 fit->batch, fit->in_order ? "true" : "false",
                 fit->persistent && fit->workers > 0 ? "true" : "false",
                 fit->drop_last ? "true" : "false");
    dls_str_add(out, "consumer:   {kind: consumer.sleep, step: ");
    add_number(out, fit->step_s, DLS_UNIT_TIME);
    dls_str_addf(out,
                 "}\nrun:        {epochs: %" PRId64 ", replications: 1, start: warm}\n",
                 fit->epochs);
}

/* ------------------------------------------------------------------ files */

static bool is_one_file(const char *a, const char *b)
{
    struct stat first, second;

    return strcmp(a, b) == 0 ||
           (stat(a, &first) == 0 && stat(b, &second) == 0 && S_ISREG(first.st_mode) &&
            first.st_dev == second.st_dev && first.st_ino == second.st_ino);
}

/* No file may be written over another one of the same command. */
static enum dls_status files_differ(const struct dls_fit *fit,
                                    const struct dls_str_file *files, size_t count,
                                    struct dls_diag *diag)
{
    static const char *const names[] = {"parameter file", "sample table", "scenario"};

    for (size_t i = 0; i < count; i++) {
        const char *other = is_one_file(files[i].path, fit->database) ? "database"
                                                                      : NULL;

        for (size_t k = 0; k < i && other == NULL; k++)
            if (is_one_file(files[i].path, files[k].path))
                other = names[k];
        if (other != NULL) {
            dls_diag_error(diag, NULL, "%s and %s would be one file: '%s'", names[i],
                           other, files[i].path);
            return DLS_EUSAGE;
        }
    }
    return DLS_OK;
}

enum dls_status dls_fit_write(const struct dls_fit *fit, const char *params_path,
                              const char *scenario_path, struct dls_diag *diag)
{
    const char *table = table_path(fit->arena, params_path);
    struct dls_str text[3];
    const struct dls_str_file files[] = {
        {params_path, &text[0]}, {table, &text[1]}, {scenario_path, &text[2]}};
    size_t count = scenario_path != NULL ? 3 : 2, failed = 0;
    int error;

    if (files_differ(fit, files, count, diag) != DLS_OK)
        return DLS_EUSAGE;
    for (size_t i = 0; i < 3; i++)
        dls_str_init(&text[i]);
    add_params(&text[0], fit, table);
    add_table(&text[1], fit);
    if (scenario_path != NULL)
        add_scenario(&text[2], fit, scenario_path, params_path);
    error = dls_str_write_files(files, count, &failed);
    for (size_t i = 0; i < 3; i++)
        dls_str_release(&text[i]);
    if (error == 0)
        return DLS_OK;
    dls_diag_error(diag, NULL, "cannot write '%s': %s", files[failed].path,
                   strerror(error));
    return DLS_EIO;
}
