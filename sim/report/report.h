/* report.h: a finished result as text for people or as JSON for programs.
 *
 * Both forms depend on the result (and for text on the options) alone: equal results
 * give equal bytes, whatever the number of threads, the locale or the terminal. Nothing
 * is written anywhere; sim/cmd does that. */
#ifndef DLS_SIM_REPORT_REPORT_H
#define DLS_SIM_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/base/status.h"
#include "sim/base/str.h"
#include "sim/result/result.h"
#include "sim/result/verdict.h"

struct dls_report_options {
    bool color;        /* ANSI colours */
    bool brief;        /* the verdict line only */
    bool inputs;       /* also every input value and its origin */
    const char *again; /* the command that made the result, without its --set; NULL:
                          from the path */
    const char *const
        *set; /* its --set: a hint repeats those that it does not replace */
    size_t sets;
};

/* Appends the report: verdict, why, what to try, then the tables. At most 80 columns,
 * unless a name is longer. */
void dls_report_text(const struct dls_result *result, const struct dls_verdict *verdict,
                     const struct dls_report_options *options, struct dls_str *out);

/* Appends the JSON document (design.md section 9) and a newline. Numbers have up to 17
 * significant digits and read back to the same double; a value without observation is
 * null. Fails with DLS_EIO only when memory is gone; `out` is untouched then. */
enum dls_status dls_report_json(const struct dls_result *result,
                                const struct dls_verdict *verdict, struct dls_str *out);

/* A metric's value with its unit, for people ("812 /s"); "-" without observation.
 * Returns `text`. */
char *dls_report_value(enum dls_metric_id metric, double value, char *text,
                       size_t size);

/* Appends `text` as one word of a POSIX shell, in quotes only where they are needed. */
void dls_report_shell_word(struct dls_str *out, const char *text);

#endif
