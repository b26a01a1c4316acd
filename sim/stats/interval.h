/* interval.h: confidence and prediction intervals of independent observations (one
 * value a replication). */
#ifndef DLS_SIM_STATS_INTERVAL_H
#define DLS_SIM_STATS_INTERVAL_H

#include <stddef.h>

struct dls_interval {
    double low;
    double high;
};

/* Student interval of the mean at `level` (0.95): mean -+ t(n-1) s / sqrt(n). NaN ends
 * below two values. */
struct dls_interval dls_interval_mean(const double *values, size_t count, double level);

/* Interval that one further observation falls into with probability `level`: mean -+
 * the root of the sum of squares of t(n-1) s sqrt(1 + 1/n), what the values show, and z
 * extra_cv mean, known noise that they do not hold (0 for none). */
struct dls_interval dls_interval_predict(const double *values, size_t count,
                                         double level, double extra_cv);

/* Exact binomial interval of a share (Clopper-Pearson). */
struct dls_interval dls_interval_share(size_t hits, size_t count, double level);

/* Median and quantile of unsorted values (linear interpolation between order
 * statistics, type 7); NaN when empty. `values` is sorted in place. */
double dls_interval_median(double *values, size_t count);
double dls_interval_quantile(double *values, size_t count, double fraction);

#endif
