/* The validation for people: 80 columns where names allow it. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "sim/report/errors_report.h"
#include "sim/report/grid.h"

enum { WORST = 10 };

struct writer {
    const struct dls_errors *errors;
    const struct dls_errors_options *options;
    struct dls_str *out;
};

static const char bold[] = "\033[1m";
static const char green[] = "\033[1;32m";
static const char red[] = "\033[1;31m";

static void heading(const struct writer *w, const char *style, const char *text)
{
    dls_str_addf(w->out, "%s%s%s\n", w->options->color ? style : "", text,
                 w->options->color ? "\033[0m" : "");
}

static void add_titles(struct dls_grid *grid, const char *const *title)
{
    for (; *title != NULL; title++)
        dls_grid_add(grid, *title);
}

static void add_count(struct dls_grid *grid, size_t value)
{
    char text[24];

    snprintf(text, sizeof text, "%zu", value);
    dls_grid_add(grid, text);
}

static void add_figure(struct dls_grid *grid, double value)
{
    char text[40];

    snprintf(text, sizeof text, "%.4g", value);
    dls_grid_add(grid, isnan(value) ? "-" : text);
}

static void add_signed(struct dls_grid *grid, double value)
{
    char text[40];

    snprintf(text, sizeof text, "%+.1f", value);
    dls_grid_add(grid, isnan(value) ? "-" : text);
}

static void add_plain(struct dls_grid *grid, double value)
{
    char text[40];

    snprintf(text, sizeof text, "%.1f", value);
    dls_grid_add(grid, isnan(value) ? "-" : text);
}

/* "1.9 / 8.8" */
static void add_pair(struct dls_grid *grid, const struct dls_error_summary *summary)
{
    char text[64];

    snprintf(text, sizeof text, "%.1f / %.1f", summary->median, summary->p90);
    dls_grid_add(grid, summary->n == 0 ? "-" : text);
}

/* ------------------------------------------------------------------ what failed */

static void write_failures(const struct writer *w)
{
    const struct dls_errors *errors = w->errors;

    for (size_t i = 0; i < errors->findings; i++) {
        if (errors->finding[i].is_met)
            continue;
        dls_str_add(w->out, "  ");
        dls_errors_finding(errors, i, w->out);
        dls_str_add(w->out, "\n");
    }
    dls_errors_failures(errors, "  ", w->out);
}

/* ------------------------------------------------------------------ tables */

static void write_row(struct dls_grid *grid, const struct dls_error_case *row)
{
    char name[96];

    snprintf(name, sizeof name, "%.40s.%" PRId64, row->id, row->repetition);
    dls_grid_add(grid, row->group);
    dls_grid_add(grid, name);
    add_figure(grid, row->measured[DLS_QUANTITY_SAMPLES_PER_S]);
    add_signed(grid,
               dls_error_case_of(row, DLS_PREDICT_KNOWN, DLS_QUANTITY_SAMPLES_PER_S));
    add_signed(grid,
               dls_error_case_of(row, DLS_PREDICT_BLIND, DLS_QUANTITY_SAMPLES_PER_S));
    add_signed(grid, dls_error_case_of(row, DLS_PREDICT_KNOWN, DLS_QUANTITY_AU));
    add_figure(grid, row->speed);
    dls_grid_add(grid, row->settings);
}

static void write_rows(const struct writer *w, const char *title, const size_t *row,
                       size_t count)
{
    static const char *const titles[] = {
        "group", "run", "samples/s", "known", "blind", "AU", "speed", "settings", NULL};
    struct dls_grid grid;

    if (count == 0)
        return;
    dls_str_add(w->out, "\n");
    heading(w, bold, title);
    dls_grid_init(&grid, "llrrrrrl");
    add_titles(&grid, titles);
    for (size_t i = 0; i < count; i++)
        write_row(&grid, &w->errors->row[row != NULL ? row[i] : i]);
    dls_grid_write(&grid, 2, w->out);
    dls_grid_release(&grid);
}

static void write_worst(const struct writer *w)
{
    size_t worst[WORST];
    size_t count = dls_errors_worst(w->errors, worst, WORST);

    write_rows(w,
               "worst rows (error of samples/s in %, of AU at known speed in points)",
               worst, count);
}

static void add_rates(struct dls_grid *grid, const struct dls_error_group *group)
{
    static const enum dls_predictor shown[] = {DLS_PREDICT_KNOWN, DLS_PREDICT_BLIND,
                                               DLS_PREDICT_BOUND, DLS_PREDICT_CONSTANT};

    dls_grid_add(grid, group->name);
    add_count(grid, group->cases);
    add_plain(grid, 100 * group->noise[DLS_QUANTITY_SAMPLES_PER_S]);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        add_pair(grid, &group->of[shown[i]][DLS_QUANTITY_SAMPLES_PER_S]);
}

static void add_signs(struct dls_grid *grid, const struct dls_error_group *group)
{
    dls_grid_add(grid, group->name);
    add_signed(grid, group->of[DLS_PREDICT_KNOWN][DLS_QUANTITY_SAMPLES_PER_S].bias);
    add_signed(grid, group->of[DLS_PREDICT_KNOWN][DLS_QUANTITY_SAMPLES_PER_S].worst);
    add_signed(grid, group->of[DLS_PREDICT_BLIND][DLS_QUANTITY_SAMPLES_PER_S].bias);
    add_signed(grid, group->of[DLS_PREDICT_BLIND][DLS_QUANTITY_SAMPLES_PER_S].worst);
    add_signed(grid, group->of[DLS_PREDICT_BLIND][DLS_QUANTITY_CPU_S].bias);
    add_pair(grid, &group->of[DLS_PREDICT_BLIND][DLS_QUANTITY_CPU_S]);
}

static void add_utilisation(struct dls_grid *grid, const struct dls_error_group *group)
{
    const struct dls_error_summary *known =
        &group->of[DLS_PREDICT_KNOWN][DLS_QUANTITY_AU];
    const struct dls_error_summary *blind =
        &group->of[DLS_PREDICT_BLIND][DLS_QUANTITY_AU];

    dls_grid_add(grid, group->name);
    add_count(grid, blind->n);
    add_plain(grid, 100 * group->noise[DLS_QUANTITY_AU]);
    add_pair(grid, known);
    add_signed(grid, known->worst);
    add_pair(grid, blind);
    add_signed(grid, blind->worst);
}

/* One table over groups, axes and all rows. */
static void write_table(const struct writer *w, const char *title, const char *align,
                        const char *const *titles,
                        void (*add)(struct dls_grid *grid,
                                    const struct dls_error_group *group))
{
    const struct dls_errors *errors = w->errors;
    struct dls_grid grid;

    dls_str_add(w->out, "\n");
    heading(w, bold, title);
    dls_grid_init(&grid, align);
    add_titles(&grid, titles);
    for (size_t i = 0; i < errors->groups; i++)
        add(&grid, &errors->group[i]);
    for (size_t i = 0; i < errors->axes; i++)
        add(&grid, &errors->axis[i]);
    add(&grid, &errors->all);
    dls_grid_write(&grid, 2, w->out);
    dls_grid_release(&grid);
}

static void write_tables(const struct writer *w)
{
    static const char *const rates[] = {
        "rows", "n", "noise", "known speed", "blind", "min of rates", "constant", NULL};
    static const char *const signs[] = {"rows",  "known bias", "worst", "blind bias",
                                        "worst", "CPU s bias", "CPU s", NULL};
    static const char *const points[] = {"rows",  "n",     "noise", "known speed",
                                         "worst", "blind", "worst", NULL};

    if (w->errors->rows == 0)
        return;
    write_table(w, "samples/s: median / P90 of |error| in %", "lrrrrrr", rates,
                add_rates);
    write_table(w, "signed errors of samples/s, and blind CPU seconds, in %", "lrrrrrr",
                signs, add_signs);
    write_table(w, "AU of runs with a step: median / P90 of |error| in points",
                "lrrrrrr", points, add_utilisation);
}

static void write_replays(const struct writer *w)
{
    static const char *const titles[] = {"recording",   "batches", "measured s",
                                         "simulated s", "epoch %", "arrivals %",
                                         NULL};
    const struct dls_errors *errors = w->errors;
    struct dls_grid grid;

    if (errors->replays == 0)
        return;
    dls_str_add(w->out, "\n");
    heading(w, bold, "replays (calibrated from that recording alone)");
    dls_grid_init(&grid, "lrrrrr");
    add_titles(&grid, titles);
    for (size_t i = 0; i < errors->replays; i++) {
        const struct dls_error_replay *replay = &errors->replay[i];

        dls_grid_add(&grid, replay->recording);
        add_count(&grid, (size_t)replay->batches);
        add_figure(&grid, replay->measured_s);
        add_figure(&grid, replay->simulated_s);
        add_signed(&grid, replay->epoch);
        add_plain(&grid, replay->arrival);
    }
    dls_grid_write(&grid, 2, w->out);
    dls_grid_release(&grid);
    dls_str_addf(
        w->out,
        "  median / P90 of |error|: epoch %.1f / %.1f %%, arrivals %.1f / %.1f %%\n",
        errors->replay_epoch.median, errors->replay_epoch.p90,
        errors->replay_arrival.median, errors->replay_arrival.p90);
}

void dls_errors_text(const struct dls_errors *errors,
                     const struct dls_errors_options *options, struct dls_str *out)
{
    struct writer w = {errors, options, out};
    struct dls_str verdict;

    dls_str_init(&verdict);
    dls_str_addf(&verdict, "%s: ", errors->name);
    dls_errors_verdict(errors, &verdict);
    heading(&w, errors->unmet + errors->failures > 0 ? red : green, verdict.data);
    dls_str_release(&verdict);
    write_failures(&w);
    if (options->brief)
        return;
    write_worst(&w);
    write_tables(&w);
    write_replays(&w);
    if (options->rows)
        write_rows(&w, "all rows", NULL, errors->rows);
}
