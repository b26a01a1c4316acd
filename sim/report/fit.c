#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/report/fit.h"
#include "sim/report/grid.h"

static void add_interval(struct dls_grid *grid, double low, double high,
                         enum dls_unit unit)
{
    char a[40], b[40], both[96];

    if (isnan(low) || isnan(high)) {
        dls_grid_add(grid, "");
        return;
    }
    snprintf(both, sizeof both, "%s .. %s", dls_units_write(low, unit, a, sizeof a),
             dls_units_write(high, unit, b, sizeof b));
    dls_grid_add(grid, both);
}

static void add_ops(const struct dls_fit *fit, struct dls_str *out)
{
    struct dls_grid grid;
    char text[64];

    dls_str_add(out, "\nOps of a sample (CPU alone on an idle processor)\n");
    dls_grid_init(&grid, "lrllrr");
    dls_grid_add(&grid, "op");
    dls_grid_add(&grid, "mean");
    dls_grid_add(&grid, "95 % interval");
    dls_grid_add(&grid, "class");
    dls_grid_add(&grid, "n");
    dls_grid_add(&grid, "residual cv");
    for (size_t i = 0; i < fit->ops; i++) {
        const struct dls_fit_op *op = &fit->op[i];

        dls_grid_add(&grid, op->name);
        dls_grid_add(&grid,
                     dls_units_write(op->mean_s, DLS_UNIT_TIME, text, sizeof text));
        add_interval(&grid, op->low_s, op->high_s, DLS_UNIT_TIME);
        dls_grid_add(&grid, op->class);
        snprintf(text, sizeof text, "%" PRId64, op->n);
        dls_grid_add(&grid, text);
        snprintf(text, sizeof text, "%.2f", op->residual_cv);
        dls_grid_add(&grid, op->column ? text : "");
    }
    dls_grid_write(&grid, 2, out);
    dls_grid_release(&grid);
}

static void add_values(const struct dls_fit *fit, struct dls_str *out)
{
    struct dls_grid grid;
    char text[96];

    dls_str_add(out, "\nParameters\n");
    dls_grid_init(&grid, "lrlr");
    dls_grid_add(&grid, "parameter");
    dls_grid_add(&grid, "value");
    dls_grid_add(&grid, "95 % interval");
    dls_grid_add(&grid, "n");
    for (size_t i = 0; i < fit->values; i++) {
        const struct dls_fit_value *value = &fit->value[i];

        snprintf(text, sizeof text, "%s.%s", value->section, value->key);
        dls_grid_add(&grid, text);
        dls_grid_add(&grid,
                     dls_units_write(value->value, value->unit, text, sizeof text));
        add_interval(&grid, value->low, value->high, value->unit);
        snprintf(text, sizeof text, "%" PRId64, value->n);
        dls_grid_add(&grid, text);
    }
    dls_grid_write(&grid, 2, out);
    dls_grid_release(&grid);
}

void dls_report_fit_text(const struct dls_fit *fit, struct dls_str *out)
{
    dls_str_addf(out, "%s: calibrated from %zu recording%s, %" PRId64 " samples\n",
                 fit->name, fit->recordings, fit->recordings == 1 ? "" : "s",
                 fit->rows);
    for (size_t i = 0; i < fit->recordings; i++)
        dls_str_addf(out,
                     "  %s: %" PRId64 " worker%s, %" PRId64 " batches, %" PRId64
                     " samples\n",
                     fit->recording[i].name, fit->recording[i].workers,
                     fit->recording[i].workers == 1 ? "" : "s",
                     fit->recording[i].batches, fit->recording[i].samples);
    add_ops(fit, out);
    add_values(fit, out);
    if (fit->missings > 0)
        dls_str_add(out, "\nNot identified by these recordings\n");
    for (size_t i = 0; i < fit->missings; i++) {
        char line[640];

        snprintf(line, sizeof line, "%s: %s. It takes %s.", fit->missing[i].parameter,
                 fit->missing[i].reason, fit->missing[i].recording);
        dls_str_add(out, "  ");
        dls_text_wrap(out, line, 2, 4);
    }
}

static void add_json_number(struct dls_str *out, const char *name, double value)
{
    if (isnan(value))
        dls_str_addf(out, ", \"%s\": null", name);
    else
        dls_str_addf(out, ", \"%s\": %.17g", name, value);
}

void dls_report_fit_json(const struct dls_fit *fit, struct dls_str *out)
{
    dls_str_add(out, "{\"name\": ");
    dls_str_add_json(out, fit->name);
    dls_str_add(out, ", \"recordings\": [");
    for (size_t i = 0; i < fit->recordings; i++) {
        dls_str_add(out, i > 0 ? ", " : "");
        dls_str_add_json(out, fit->recording[i].name);
    }
    dls_str_add(out, "], \"parameters\": [");
    for (size_t i = 0; i < fit->values; i++) {
        const struct dls_fit_value *value = &fit->value[i];

        dls_str_addf(out, "%s{\"path\": \"%s.%s\", \"unit\": \"%s\", \"n\": %" PRId64,
                     i > 0 ? ", " : "", value->section, value->key,
                     dls_units_symbol(value->unit), value->n);
        add_json_number(out, "value", value->value);
        add_json_number(out, "low", value->low);
        add_json_number(out, "high", value->high);
        dls_str_add(out, ", \"from\": ");
        dls_str_add_json(out, value->from);
        dls_str_add(out, "}");
    }
    dls_str_add(out, "], \"ops\": [");
    for (size_t i = 0; i < fit->ops; i++) {
        const struct dls_fit_op *op = &fit->op[i];

        dls_str_add(out, i > 0 ? ", {\"op\": " : "{\"op\": ");
        dls_str_add_json(out, op->name);
        dls_str_addf(out, ", \"class\": \"%s\", \"n\": %" PRId64, op->class, op->n);
        add_json_number(out, "mean_s", op->mean_s);
        add_json_number(out, "low_s", op->low_s);
        add_json_number(out, "high_s", op->high_s);
        add_json_number(out, "residual_cv", op->residual_cv);
        dls_str_add(out, "}");
    }
    dls_str_add(out, "], \"unidentified\": [");
    for (size_t i = 0; i < fit->missings; i++) {
        dls_str_add(out, i > 0 ? ", {\"parameter\": " : "{\"parameter\": ");
        dls_str_add_json(out, fit->missing[i].parameter);
        dls_str_add(out, ", \"reason\": ");
        dls_str_add_json(out, fit->missing[i].reason);
        dls_str_add(out, ", \"recording\": ");
        dls_str_add_json(out, fit->missing[i].recording);
        dls_str_add(out, "}");
    }
    dls_str_add(out, "]}\n");
}
