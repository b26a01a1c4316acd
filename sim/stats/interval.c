#include "sim/stats/interval.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "sim/stats/tally.h"

/* mean -+ t(n-1) x spread, where spread is the standard deviation times `factor`. */
static struct dls_interval student(const struct dls_tally *tally, double level,
                                   double variance)
{
    double t;

    if (tally->count < 2)
        return (struct dls_interval){NAN, NAN};
    t = gsl_cdf_tdist_Pinv(0.5 + level / 2, (double)(tally->count - 1));
    return (struct dls_interval){tally->mean - t * sqrt(variance),
                                 tally->mean + t * sqrt(variance)};
}

static struct dls_tally tally_of(const double *values, size_t count)
{
    struct dls_tally tally = {0};

    for (size_t i = 0; i < count; i++)
        dls_tally_add(&tally, values[i]);
    return tally;
}

struct dls_interval dls_interval_mean(const double *values, size_t count, double level)
{
    struct dls_tally tally = tally_of(values, count);

    return student(&tally, level, dls_tally_variance(&tally) / (double)count);
}

struct dls_interval dls_interval_predict(const double *values, size_t count,
                                         double level, double extra_cv)
{
    struct dls_tally tally = tally_of(values, count);
    double n = (double)count, extra = extra_cv * tally.mean, own, known;

    if (count < 2)
        return (struct dls_interval){NAN, NAN};
    own = gsl_cdf_tdist_Pinv(0.5 + level / 2, n - 1) *
          sqrt(dls_tally_variance(&tally) * (1 + 1 / n));
    known = gsl_cdf_ugaussian_Pinv(0.5 + level / 2) * extra;
    return (struct dls_interval){tally.mean - hypot(own, known),
                                 tally.mean + hypot(own, known)};
}

struct dls_interval dls_interval_share(size_t hits, size_t count, double level)
{
    double tail = (1 - level) / 2;
    double k = (double)hits, n = (double)count;

    if (count == 0)
        return (struct dls_interval){NAN, NAN};
    return (struct dls_interval){
        hits == 0 ? 0 : gsl_cdf_beta_Pinv(tail, k, n - k + 1),
        hits == count ? 1 : gsl_cdf_beta_Pinv(1 - tail, k + 1, n - k),
    };
}

static int compare(const void *a_, const void *b_)
{
    double a = *(const double *)a_, b = *(const double *)b_;

    return (a > b) - (a < b);
}

double dls_interval_quantile(double *values, size_t count, double fraction)
{
    double at;
    size_t below;

    if (count == 0)
        return NAN;
    at = fraction * (double)(count - 1);
    below = (size_t)at;
    qsort(values, count, sizeof *values, compare);
    if (below + 1 >= count)
        return values[count - 1];
    return values[below] + (at - (double)below) * (values[below + 1] - values[below]);
}

double dls_interval_median(double *values, size_t count)
{
    return dls_interval_quantile(values, count, 0.5);
}
