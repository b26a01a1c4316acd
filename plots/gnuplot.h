/* gnuplot.h: one run of gnuplot, script in, picture out. Used by plot.c only. */
#ifndef DLS_PLOTS_GNUPLOT_H
#define DLS_PLOTS_GNUPLOT_H

#include "sim/base/diag.h"
#include "sim/base/status.h"
#include "sim/base/str.h"

/* Runs `program` (looked up on the PATH) on `script` and appends what it writes on
 * stdout to `picture`. DLS_EIO, with one message that holds gnuplot's own, when it is
 * not installed, fails, writes nothing or takes longer than `timeout_s`. The user's
 * gnuplot start-up files are not read. */
enum dls_status dls_gnuplot_run(const char *program, const struct dls_str *script,
                                int timeout_s, struct dls_str *picture,
                                struct dls_diag *diag);

/* Appends `text` as a gnuplot string in single quotes, in which nothing has a meaning;
 * control characters become spaces. */
void dls_gnuplot_quote(struct dls_str *out, const char *text);

#endif
