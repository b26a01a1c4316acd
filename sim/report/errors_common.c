/* Parts that text, Markdown and JSON of a validation share. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "sim/report/errors_report.h"

/* "1 replay", "14 replays" */
static void add_count(struct dls_str *out, const char *before, int64_t count,
                      const char *noun)
{
    dls_str_addf(out, "%s%" PRId64 " %s%s", before, count, noun, count == 1 ? "" : "s");
}

void dls_errors_verdict(const struct dls_errors *errors, struct dls_str *out)
{
    if (errors->unmet > 0)
        dls_str_addf(out, "%zu of %zu limits not met", errors->unmet, errors->findings);
    else if (errors->failures == 0)
        dls_str_addf(out, "%zu of %zu limits met", errors->findings, errors->findings);
    if (errors->failures > 0)
        dls_str_addf(out, "%s%zu without a prediction", errors->unmet > 0 ? ", " : "",
                     errors->failures);
    add_count(out, "; ", (int64_t)errors->rows, "measured row");
    add_count(out, ", ", (int64_t)errors->replays, "replay");
    add_count(out, ", ", errors->replications, "replication");
}

void dls_errors_finding(const struct dls_errors *errors, size_t index,
                        struct dls_str *out)
{
    const struct dls_error_finding *finding = &errors->finding[index];
    bool points = finding->score == DLS_SCORE_KNOWN_AU ||
                  finding->score == DLS_SCORE_BLIND_AU;
    const char *unit = points ? "points" : "%";

    dls_str_addf(out, "%s %s: ", dls_score_text(finding->score), finding->what);
    if (isnan(finding->found))
        dls_str_add(out, "nothing to compare");
    else
        dls_str_addf(out, "%.2f %s", finding->found, unit);
    dls_str_addf(out, ", limit %.2f %s", finding->limit, unit);
}

/* The error that ranks a row; negative when it has none. */
static double magnitude(const struct dls_error_case *row)
{
    double error = dls_error_case_of(row, DLS_PREDICT_KNOWN,
                                     DLS_QUANTITY_SAMPLES_PER_S);

    if (isnan(error))
        error = dls_error_case_of(row, DLS_PREDICT_BLIND, DLS_QUANTITY_SAMPLES_PER_S);
    return isnan(error) ? -1 : fabs(error);
}

size_t dls_errors_worst(const struct dls_errors *errors, size_t *row, size_t count)
{
    size_t found = 0;

    for (size_t i = 0; i < errors->rows; i++) {
        double own = magnitude(&errors->row[i]);
        size_t at = found;

        if (own < 0)
            continue;
        while (at > 0 && magnitude(&errors->row[row[at - 1]]) < own)
            at--;
        if (at >= count)
            continue;
        if (found < count)
            found++;
        for (size_t j = found - 1; j > at; j--)
            row[j] = row[j - 1];
        row[at] = i;
    }
    return found;
}

/* The failure number `index`, rows after replays; NULL: there is none. */
static const char *failure_at(const struct dls_errors *errors, size_t index)
{
    return index < errors->replays ? errors->replay[index].failure
                                   : errors->row[index - errors->replays].failure;
}

static void add_where(const struct dls_errors *errors, size_t index,
                      struct dls_str *out)
{
    const struct dls_error_case *row;

    if (index < errors->replays) {
        dls_str_addf(out, "replay of %s", errors->replay[index].recording);
        return;
    }
    row = &errors->row[index - errors->replays];
    dls_str_addf(out, "%s %s, repetition %" PRId64 " (line %ld)", row->group, row->id,
                 row->repetition, row->line);
}

void dls_errors_failures(const struct dls_errors *errors, const char *prefix,
                         struct dls_str *out)
{
    size_t all = errors->replays + errors->rows;

    for (size_t i = 0; i < all; i++) {
        const char *failure = failure_at(errors, i);
        size_t more = 0, at = 0;

        if (failure == NULL)
            continue;
        while (failure_at(errors, at) == NULL ||
               strcmp(failure_at(errors, at), failure) != 0)
            at++;
        if (at < i)
            continue;
        for (size_t j = i + 1; j < all; j++)
            more += failure_at(errors, j) != NULL &&
                    strcmp(failure_at(errors, j), failure) == 0;
        dls_str_add(out, prefix);
        add_where(errors, i, out);
        if (more > 0)
            dls_str_addf(out, " and %zu more", more);
        dls_str_addf(out, ": %s\n", failure);
    }
}
