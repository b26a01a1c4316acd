/* errors_report.h: a finished validation as text for people, as JSON for programs, as a
 * Markdown page for a repository.
 *
 * All three depend on the validation alone: equal answers give equal bytes. What failed
 * comes first, then the worst rows, then the tables. Nothing is written anywhere;
 * sim/cmd does that. */
#ifndef DLS_SIM_REPORT_ERRORS_REPORT_H
#define DLS_SIM_REPORT_ERRORS_REPORT_H

#include <stdbool.h>

#include "sim/base/str.h"
#include "sim/run/errors.h"

struct dls_errors_options {
    bool color;        /* ANSI colours; text only */
    bool brief;        /* the verdict and what failed; text only */
    bool rows;         /* every row after the tables; text only */
    const char *again; /* the command that prints this page; Markdown only */
};

void dls_errors_text(const struct dls_errors *errors,
                     const struct dls_errors_options *options, struct dls_str *out);
void dls_errors_markdown(const struct dls_errors *errors,
                         const struct dls_errors_options *options, struct dls_str *out);
void dls_errors_json(const struct dls_errors *errors, struct dls_str *out);

/* One line without its end: "9 of 9 limits met; 140 measured rows, 14 replays, 3
 * replications" or what is missing. */
void dls_errors_verdict(const struct dls_errors *errors, struct dls_str *out);

/* "known_speed p90: 8.1 %, limit 6.0 %" */
void dls_errors_finding(const struct dls_errors *errors, size_t index,
                        struct dls_str *out);

/* What could not be predicted, one line a reason with where it happened first and how
 * often; each line after `prefix`. */
void dls_errors_failures(const struct dls_errors *errors, const char *prefix,
                         struct dls_str *out);

/* Numbers of at most `count` rows with the largest errors of samples/s at known speed
 * (blind where that is missing), largest first; returns how many. */
size_t dls_errors_worst(const struct dls_errors *errors, size_t *row, size_t count);

#endif
