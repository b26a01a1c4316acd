#include "plots/plot.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plots/gnuplot.h"
#include "sim/base/mem.h"
#include "sim/stats/interval.h"

#ifndef DLS_DATADIR
#define DLS_DATADIR "/usr/local/share/dlsim"
#endif

enum { MOST_TEMPLATE = 1 << 20 };

/* ------------------------------------------------------------------ templates and
 * output */

/* The folder of this program, without a slash at its end; false when the system does
 * not tell. */
static bool program_folder(struct dls_str *folder)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    char *slash;

    if (length <= 0)
        return false;
    path[length] = '\0';
    slash = strrchr(path, '/');
    if (slash == NULL)
        return false;
    dls_str_add_n(folder, path, (size_t)(slash - path));
    return true;
}

/* Where a template may lie, in order: the build tree of the program (build/dlsim, or a
 * test deeper in it), the prefix the program was installed under, the prefix it was
 * built for. */
static const char *const near_program[] = {"/../plots", "/../../plots",
                                           "/../../../plots", "/../share/dlsim/plots"};

static enum dls_status read_template(const char *name,
                                     const struct dls_plot_options *options,
                                     struct dls_str *text, struct dls_diag *diag)
{
    size_t places = sizeof near_program / sizeof *near_program;
    struct dls_str folder, path;
    int error = ENOENT;
    bool is_known;

    dls_str_init(&folder);
    dls_str_init(&path);
    is_known = program_folder(&folder);
    for (size_t i = 0; i <= places && error == ENOENT; i++) {
        dls_str_clear(&path);
        if (options->templates != NULL)
            dls_str_addf(&path, "%s/%s", options->templates, name);
        else if (i == places)
            dls_str_addf(&path, "%s/plots/%s", DLS_DATADIR, name);
        else if (is_known)
            dls_str_addf(&path, "%s%s/%s", folder.data, near_program[i], name);
        else
            continue;
        error = dls_str_read_file(text, path.data, MOST_TEMPLATE);
    }
    if (error != 0)
        dls_diag_error(diag, NULL, "cannot read plot template '%s': %s", path.data,
                       strerror(error));
    dls_str_release(&folder);
    dls_str_release(&path);
    return error == 0 ? DLS_OK : DLS_EIO;
}

/* Definitions, then the template; the picture goes to `path`. */
static enum dls_status draw(struct dls_str *script, const char *template,
                            const char *path, const struct dls_plot_options *options,
                            struct dls_diag *diag)
{
    static const struct dls_plot_options usual;
    enum dls_status status;
    struct dls_str picture;
    int error;

    if (options == NULL)
        options = &usual;
    dls_str_init(&picture);
    status = read_template(template, options, script, diag);
    if (status == DLS_OK)
        status = dls_gnuplot_run(
            options->gnuplot != NULL ? options->gnuplot : "gnuplot", script,
            options->timeout_s > 0 ? options->timeout_s : 60, &picture, diag);
    if (status == DLS_OK) {
        error = dls_str_write_file(&picture, path);
        if (error != 0) {
            dls_diag_error(diag, NULL, "cannot write '%s': %s", path, strerror(error));
            status = DLS_EIO;
        }
    }
    dls_str_release(&picture);
    return status;
}

static void define_text(struct dls_str *script, const char *name, const char *text)
{
    dls_str_addf(script, "%s = ", name);
    dls_gnuplot_quote(script, text);
    dls_str_add(script, "\n");
}

/* ------------------------------------------------------------------ one run */

/* What the bars are made of; one colour each. */
enum kind {
    OPEN,
    READ,
    DECODE,
    TRANSFORM,
    COLLATE,
    HAND_OVER,
    OTHER,
    WAIT,
    STEP,
    KINDS
};

static const struct {
    const char *name;
    const char *color;
} kinds[KINDS] = {
    {"open", "#56b4e9"},      {"read", "#0072b2"},    {"decode", "#e69f00"},
    {"transform", "#cc79a7"}, {"collate", "#f0e442"}, {"hand-over", "#555555"},
    {"other", "#bbbbbb"},     {"wait", "#d55e00"},    {"step", "#009e73"},
};

static enum kind kind_of(enum dls_stage stage)
{
    switch (stage) {
    case DLS_STAGE_OPEN:
        return OPEN;
    case DLS_STAGE_READ:
        return READ;
    case DLS_STAGE_DECODE:
        return DECODE;
    case DLS_STAGE_TRANSFORM:
        return TRANSFORM;
    case DLS_STAGE_COLLATE:
        return COLLATE;
    case DLS_STAGE_PUT:
        return HAND_OVER;
    default:
        return OTHER;
    }
}

enum { BARS = 3 };

/* Seconds a batch (or a sample, when the batch size is not known) by bar and kind. */
struct bars {
    double seconds[BARS][KINDS];
    char name[BARS][48];
    size_t count;
    double longest;
};

static void add_bar(struct bars *bars, const char *name, const double seconds[KINDS])
{
    double sum = 0;

    for (size_t k = 0; k < KINDS; k++)
        sum += seconds[k];
    if (!(sum > 0))
        return;
    memcpy(bars->seconds[bars->count], seconds, KINDS * sizeof *seconds);
    snprintf(bars->name[bars->count], sizeof bars->name[0], "%s", name);
    bars->count++;
    bars->longest = fmax(bars->longest, sum);
}

static struct bars bars_of(const struct dls_result *result)
{
    struct bars bars = {.count = 0};
    double loop_s = result->total[DLS_METRIC_EPOCH_S].value * (double)result->epochs;
    double samples = result->total[DLS_METRIC_SAMPLES_PER_S].value * loop_s;
    double unit = samples / (result->batch > 0 ? (double)result->batch : 1);
    double elapsed[KINDS] = {0}, demand[KINDS] = {0}, loop[KINDS] = {0};
    char name[48];

    if (!(unit > 0))
        return bars;
    for (enum dls_stage s = 0; s < DLS_STAGES; s++)
        if (dls_stage_is_worker(s) || s == DLS_STAGE_START) {
            elapsed[kind_of(s)] += result->stage_s[s] / unit;
            demand[kind_of(s)] += result->demand_s[s] / unit;
        }
    loop[WAIT] = result->stage_s[DLS_STAGE_WAIT] / unit;
    loop[STEP] = result->stage_s[DLS_STAGE_STEP] / unit;
    loop[OTHER] = fmax(0,
                       loop_s * (double)result->ranks / unit - loop[WAIT] - loop[STEP]);
    snprintf(name, sizeof name, "one of %lld workers", (long long)result->workers);
    add_bar(&bars, result->workers > 1 ? name : "loading", elapsed);
    add_bar(&bars, "its CPU demand", demand);
    add_bar(&bars, "training loop", loop);
    return bars;
}

struct scale {
    double factor;
    const char *symbol;
};

static struct scale scale_of(double longest_s)
{
    if (longest_s < 1e-3)
        return (struct scale){1e6, "µs"};
    if (longest_s < 1)
        return (struct scale){1e3, "ms"};
    return (struct scale){1, "s"};
}

static bool is_shown(const struct bars *bars, size_t kind)
{
    for (size_t b = 0; b < bars->count; b++)
        if (bars->seconds[b][kind] > 0.002 * bars->longest)
            return true;
    return false;
}

/* One set of boxes for each kind that shows, as the template wants them. */
static void define_bars(struct dls_str *script, const struct bars *bars,
                        struct scale scale)
{
    struct dls_str names, colors;
    int shown = 0;

    dls_str_init(&names);
    dls_str_init(&colors);
    dls_str_add(script, "$bars << EOD\n");
    for (size_t k = 0; k < KINDS; k++) {
        if (!is_shown(bars, k))
            continue;
        dls_str_addf(&names, "%s'%s'", shown > 0 ? ", " : "", kinds[k].name);
        dls_str_addf(&colors, "%s'%s'", shown > 0 ? ", " : "", kinds[k].color);
        dls_str_add(script, shown > 0 ? "\n\n" : "");
        shown++;
        for (size_t b = 0; b < bars->count; b++) {
            double from = 0, middle = (double)(bars->count - b);

            for (size_t before = 0; before < k; before++)
                from += bars->seconds[b][before];
            dls_str_addf(script, "%.9g %.9g %g %g\n", from * scale.factor,
                         (from + bars->seconds[b][k]) * scale.factor, middle - 0.32,
                         middle + 0.32);
        }
    }
    dls_str_addf(
        script,
        "EOD\nKINDS = %d\narray KIND_NAMES[%d] = [%s]\narray KIND_COLORS[%d] = "
        "[%s]\nBARS = %zu\nTOP = %.9g\narray BAR_NAMES[%zu]\n",
        shown, shown, names.data, shown, colors.data, bars->count,
        bars->longest * scale.factor * 1.02, bars->count);
    for (size_t b = 0; b < bars->count; b++)
        dls_str_addf(script, "BAR_NAMES[%zu] = '%s'\n", b + 1, bars->name[b]);
    dls_str_release(&names);
    dls_str_release(&colors);
}

/* Where to cut the bars, so that one long start does not flatten all others: 2.5 times
 * the 90th percentile. */
static double limit_of(const struct dls_batch_times *batch, size_t count,
                       double *longest)
{
    double seconds[DLS_PLOT_BATCHES];
    double limit;

    *longest = 0;
    for (size_t i = 0; i < count; i++) {
        seconds[i] = dls_time_seconds(batch[i].done - batch[i].request);
        *longest = fmax(*longest, seconds[i]);
    }
    limit = 2.5 * dls_interval_quantile(seconds, count, 0.9);
    return *longest > limit && limit > 0 ? limit : *longest * 1.05;
}

static void define_batches(struct dls_str *script, const struct dls_batch_times *batch,
                           size_t count)
{
    double longest = 0, limit = count > 0 ? limit_of(batch, count, &longest) : 0;
    struct scale scale = scale_of(limit);

    dls_str_addf(script, "BATCHES = %zu\n$batches << EOD\n", count);
    for (int part = 0; part < 2; part++) {
        for (size_t i = 0; i < count; i++) {
            double wait = dls_time_seconds(batch[i].arrive - batch[i].request);
            double all = dls_time_seconds(batch[i].done - batch[i].request);
            double from = part == 0 ? 0 : wait, to = part == 0 ? wait : all;

            dls_str_addf(script, "%g %g %.9g %.9g\n", (double)i - 0.42,
                         (double)i + 0.42, fmin(from, limit) * scale.factor,
                         fmin(to, limit) * scale.factor);
        }
        dls_str_add(script, part == 0 ? "\n\n" : "EOD\n");
    }
    dls_str_addf(script, "LIMIT = %.9g\nTIME_UNIT = 'time (%s)'\n",
                 limit > 0 ? limit * scale.factor : 1, scale.symbol);
    if (longest > limit)
        dls_str_addf(
            script, "NOTE = 'cut at %.3g %s; the longest batch took %.3g %s'\n",
            limit * scale.factor, scale.symbol, longest * scale.factor, scale.symbol);
    else
        dls_str_add(script, "NOTE = ''\n");
}

enum dls_status dls_plot_run(const struct dls_result *result,
                             const struct dls_verdict *verdict, const char *path,
                             const struct dls_plot_options *options,
                             struct dls_diag *diag)
{
    size_t batches = result->batches < DLS_PLOT_BATCHES ? result->batches
                                                        : DLS_PLOT_BATCHES;
    struct bars bars = bars_of(result);
    struct scale scale = scale_of(bars.longest);
    enum dls_status status;
    struct dls_str script;
    char label[96];

    if (bars.count == 0) {
        dls_diag_error(diag, NULL, "nothing to plot: no sample was delivered");
        return DLS_ENO;
    }
    dls_str_init(&script);
    define_text(&script, "TITLE",
                result->scenario_name != NULL ? result->scenario_name : "unnamed");
    define_text(&script, "VERDICT", verdict->sentence);
    if (result->batch > 0)
        snprintf(label, sizeof label, "time per batch of %lld (%s)",
                 (long long)result->batch, scale.symbol);
    else
        snprintf(label, sizeof label, "time per sample (%s)", scale.symbol);
    define_text(&script, "BARS_UNIT", label);
    dls_str_addf(&script, "HEIGHT = %d\n", batches > 0 ? 616 : 324);
    define_bars(&script, &bars, scale);
    define_batches(&script, result->batch_times, batches);
    status = draw(&script, "run.gp", path, options, diag);
    dls_str_release(&script);
    return status;
}

/* ------------------------------------------------------------------ predicted against
 * measured */

static bool is_usable(const struct dls_plot_point *point)
{
    return isfinite(point->predicted) && isfinite(point->measured) &&
           point->predicted > 0 && point->measured > 0;
}

static const char *group_of(const struct dls_plot_point *point)
{
    return point->group != NULL ? point->group : "runs";
}

/* Is point `index` the first usable one of its group? */
static bool begins_group(const struct dls_plot_point *points, size_t index)
{
    if (!is_usable(&points[index]))
        return false;
    for (size_t i = 0; i < index; i++)
        if (is_usable(&points[i]) &&
            strcmp(group_of(&points[i]), group_of(&points[index])) == 0)
            return false;
    return true;
}

/* Groups in order of first appearance: points, names, and a colour and a mark that
 * differ together for 35 groups. */
static size_t define_points(struct dls_str *script, const struct dls_plot_point *points,
                            size_t count)
{
    static const char *const colors[] = {"#0072b2", "#d55e00", "#009e73", "#e69f00",
                                         "#cc79a7", "#56b4e9", "#000000"};
    static const int marks[] = {7, 5, 9, 13, 2};
    struct dls_str names;
    size_t groups = 0;

    dls_str_init(&names);
    dls_str_add(script, "$points << EOD\n");
    for (size_t first = 0; first < count; first++) {
        if (!begins_group(points, first))
            continue;
        dls_str_add(script, groups > 0 ? "\n\n" : "");
        for (size_t i = first; i < count; i++)
            if (is_usable(&points[i]) &&
                strcmp(group_of(&points[i]), group_of(&points[first])) == 0)
                dls_str_addf(script, "%.17g %.17g\n", points[i].measured,
                             points[i].predicted);
        groups++;
        dls_str_addf(&names, "NAMES[%zu] = ", groups);
        dls_gnuplot_quote(&names, group_of(&points[first]));
        dls_str_addf(&names, "\nCOLORS[%zu] = '%s'\nMARKS[%zu] = %d\n", groups,
                     colors[(groups - 1) % 7], groups, marks[(groups - 1) % 5]);
    }
    dls_str_addf(script,
                 "EOD\nGROUPS = %zu\narray NAMES[%zu]\narray COLORS[%zu]\narray "
                 "MARKS[%zu]\n",
                 groups, groups + 1, groups + 1, groups + 1);
    dls_str_add(script, names.data);
    dls_str_release(&names);
    return groups;
}

enum dls_status dls_plot_errors(const struct dls_plot_point *points, size_t count,
                                const char *title, const char *quantity,
                                const char *path,
                                const struct dls_plot_options *options,
                                struct dls_diag *diag)
{
    double low = INFINITY, high = 0;
    enum dls_status status = DLS_ENO;
    struct dls_str script;

    for (size_t i = 0; i < count; i++) {
        if (!is_usable(&points[i]))
            continue;
        low = fmin(low, fmin(points[i].measured, points[i].predicted));
        high = fmax(high, fmax(points[i].measured, points[i].predicted));
    }
    dls_str_init(&script);
    define_text(&script, "TITLE", title);
    define_text(&script, "QUANTITY", quantity);
    dls_str_addf(&script, "LOW = %.9g\nHIGH = %.9g\n", low / 1.3, high * 1.3);
    if (define_points(&script, points, count) == 0)
        dls_diag_error(diag, NULL, "nothing to plot: no point is positive and finite");
    else
        status = draw(&script, "errors.gp", path, options, diag);
    dls_str_release(&script);
    return status;
}
