/* quantile.h: percentiles of non-negative values from a log-bucket histogram.
 *
 * 32 sub-buckets an octave: a reported quantile lies within DLS_QUANTILE_ERROR
 * (relative) of a value of the series at that rank. Values below 2^-64 count as zero
 * and are exact; merging is exact. Memory grows with the octaves in use. */
#ifndef DLS_SIM_STATS_QUANTILE_H
#define DLS_SIM_STATS_QUANTILE_H

#include <stdint.h>

#define DLS_QUANTILE_ERROR (1.0 / 64)

struct dls_quantile;

struct dls_quantile *dls_quantile_new(void);
void dls_quantile_free(struct dls_quantile *quantile);

/* `value` >= 0, finite. */
void dls_quantile_add(struct dls_quantile *quantile, double value);
void dls_quantile_merge(struct dls_quantile *quantile,
                        const struct dls_quantile *other);
int64_t dls_quantile_count(const struct dls_quantile *quantile);

/* The value at `fraction` (0..1) of the series, nearest rank; NaN when empty. 0 and 1
 * give the exact extremes. */
double dls_quantile_get(const struct dls_quantile *quantile, double fraction);

#endif
