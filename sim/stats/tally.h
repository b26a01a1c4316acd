/* tally.h: count-weighted moments of a series, in one pass (Welford 1962; merge by Chan
 * et al. 1979). */
#ifndef DLS_SIM_STATS_TALLY_H
#define DLS_SIM_STATS_TALLY_H

#include <stdint.h>

/* Caller's storage; all zero is an empty tally. Read through the functions. */
struct dls_tally {
    int64_t count;
    double mean;
    double m2; /* sum of squared deviations from the mean */
    double min;
    double max;
};

void dls_tally_add(struct dls_tally *tally, double value);

/* Adds all of `other`; merging in one fixed order gives one fixed result. */
void dls_tally_merge(struct dls_tally *tally, const struct dls_tally *other);

int64_t dls_tally_count(const struct dls_tally *tally);
double dls_tally_sum(const struct dls_tally *tally);

/* NaN when there is no observation. */
double dls_tally_mean(const struct dls_tally *tally);

/* Unbiased variance and its root; NaN below two observations. */
double dls_tally_variance(const struct dls_tally *tally);
double dls_tally_deviation(const struct dls_tally *tally);

#endif
