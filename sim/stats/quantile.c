#include "sim/stats/quantile.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "sim/base/mem.h"
#include "sim/base/status.h"

enum { SUB_BUCKETS = 32, LOWEST = -64, HIGHEST = 1023, OCTAVES = HIGHEST - LOWEST + 1 };

struct dls_quantile {
    int64_t count;
    int64_t zeros; /* values below 2^LOWEST */
    double min, max;
    int64_t *octave[OCTAVES]; /* SUB_BUCKETS counts each, NULL while empty */
};

struct dls_quantile *dls_quantile_new(void)
{
    return dls_mem_new(1, sizeof(struct dls_quantile));
}

void dls_quantile_free(struct dls_quantile *quantile)
{
    if (quantile == NULL)
        return;
    for (int i = 0; i < OCTAVES; i++)
        dls_mem_free(quantile->octave[i]);
    dls_mem_free(quantile);
}

static int64_t *octave_of(struct dls_quantile *quantile, int octave)
{
    if (quantile->octave[octave] == NULL)
        quantile->octave[octave] = dls_mem_new(SUB_BUCKETS, sizeof(int64_t));
    return quantile->octave[octave];
}

static void note_extremes(struct dls_quantile *quantile, double min, double max)
{
    if (quantile->count == 0 || min < quantile->min)
        quantile->min = min;
    if (quantile->count == 0 || max > quantile->max)
        quantile->max = max;
}

void dls_quantile_add(struct dls_quantile *quantile, double value)
{
    int exponent;
    double mantissa;

    DLS_REQUIRE(value >= 0 && isfinite(value), "value %g", value);
    note_extremes(quantile, value, value);
    quantile->count++;
    mantissa = frexp(
        value, &exponent); /* value = mantissa x 2^exponent, mantissa in [0.5, 1) */
    if (value == 0 || exponent - 1 < LOWEST)
        quantile->zeros++;
    else
        octave_of(quantile,
                  exponent - 1 - LOWEST)[(int)((mantissa * 2 - 1) * SUB_BUCKETS)]++;
}

void dls_quantile_merge(struct dls_quantile *quantile, const struct dls_quantile *other)
{
    if (other->count == 0)
        return;
    note_extremes(quantile, other->min, other->max);
    quantile->count += other->count;
    quantile->zeros += other->zeros;
    for (int i = 0; i < OCTAVES; i++)
        for (int j = 0; other->octave[i] != NULL && j < SUB_BUCKETS; j++)
            if (other->octave[i][j] > 0)
                octave_of(quantile, i)[j] += other->octave[i][j];
}

int64_t dls_quantile_count(const struct dls_quantile *quantile)
{
    return quantile->count;
}

double dls_quantile_get(const struct dls_quantile *quantile, double fraction)
{
    /* 0.07 x 100 is a little more than 7 in binary: the product is taken down by its
     * rounding error */
    int64_t rank = (int64_t)ceil(fraction * (double)quantile->count *
                                 (1 - 2 * DBL_EPSILON));
    int64_t seen = quantile->zeros;

    DLS_REQUIRE(fraction >= 0 && fraction <= 1, "fraction %g", fraction);
    if (quantile->count == 0)
        return NAN;
    if (rank <= 1)
        return quantile->min;
    if (rank >= quantile->count)
        return quantile->max;
    if (rank <= seen)
        return 0;
    for (int i = 0; i < OCTAVES; i++)
        for (int j = 0; quantile->octave[i] != NULL && j < SUB_BUCKETS; j++) {
            seen += quantile->octave[i][j];
            if (rank <= seen) /* the middle of the bucket, kept inside the extremes */
                return fmin(
                    fmax(ldexp(1 + (j + 0.5) / SUB_BUCKETS, i + LOWEST), quantile->min),
                    quantile->max);
        }
    return quantile->max;
}
