#include "sim/stats/tally.h"

#include <math.h>

void dls_tally_add(struct dls_tally *tally, double value)
{
    double delta = value - tally->mean;

    tally->count++;
    tally->mean += delta / (double)tally->count;
    tally->m2 += delta * (value - tally->mean);
    if (tally->count == 1 || value < tally->min)
        tally->min = value;
    if (tally->count == 1 || value > tally->max)
        tally->max = value;
}

void dls_tally_merge(struct dls_tally *tally, const struct dls_tally *other)
{
    double n = (double)tally->count, m = (double)other->count;
    double delta = other->mean - tally->mean;

    if (other->count == 0)
        return;
    if (tally->count == 0) {
        *tally = *other;
        return;
    }
    tally->count += other->count;
    tally->mean += delta * m / (n + m);
    tally->m2 += other->m2 + delta * delta * n * m / (n + m);
    tally->min = fmin(tally->min, other->min);
    tally->max = fmax(tally->max, other->max);
}

int64_t dls_tally_count(const struct dls_tally *tally)
{
    return tally->count;
}

double dls_tally_sum(const struct dls_tally *tally)
{
    return tally->mean * (double)tally->count;
}

double dls_tally_mean(const struct dls_tally *tally)
{
    return tally->count > 0 ? tally->mean : NAN;
}

double dls_tally_variance(const struct dls_tally *tally)
{
    return tally->count > 1 ? tally->m2 / (double)(tally->count - 1) : NAN;
}

double dls_tally_deviation(const struct dls_tally *tally)
{
    return sqrt(dls_tally_variance(tally));
}
