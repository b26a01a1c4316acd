/* plot.h: SVG plots of finished results, drawn by gnuplot.
 *
 * This is the only module that starts a process: gnuplot, directly and without a shell,
 * with the data and a template (plots/<name>.gp) on its standard input. gnuplot never
 * sees a path of the user: it writes to a pipe, and the SVG goes to its file in one
 * piece (a killed run leaves the old file or the new one). gnuplot is needed at run
 * time only; when it is missing, fails or takes too long the message says so and
 * nothing is written. Equal results give equal files for one version of gnuplot. */
#ifndef DLS_PLOTS_PLOT_H
#define DLS_PLOTS_PLOT_H

#include <stddef.h>

#include "sim/base/diag.h"
#include "sim/base/status.h"
#include "sim/base/str.h"
#include "sim/result/result.h"
#include "sim/result/verdict.h"

/* All zero is the normal case. */
struct dls_plot_options {
    const char *templates; /* folder of the *.gp files; NULL: beside the program's build
                              tree, else as installed */
    const char *gnuplot;   /* program; NULL: "gnuplot" on the PATH */
    int timeout_s;         /* 0: 60 */
};

enum { DLS_PLOT_BATCHES = 100 }; /* batches of the timeline at most */

/* One SVG: time per batch by stage as stacked bars, and the first batches of rank 0
 * with wait and step. The timeline is left out when the result holds no batch times. */
enum dls_status dls_plot_run(const struct dls_result *result,
                             const struct dls_verdict *verdict, const char *path,
                             const struct dls_plot_options *options,
                             struct dls_diag *diag);

/* One prediction beside its measurement, both > 0; points with the same label share a
 * colour and a mark. */
struct dls_plot_point {
    double predicted;
    double measured;
    const char *group;
};

/* One SVG: predicted against measured on logarithmic axes, with the line of equality
 * and the band of +-10 %. Points that are not positive and finite are left out.
 * `quantity` names both axes with its unit: "samples per second (1/s)". */
enum dls_status dls_plot_errors(const struct dls_plot_point *points, size_t count,
                                const char *title, const char *quantity,
                                const char *path,
                                const struct dls_plot_options *options,
                                struct dls_diag *diag);

#endif
