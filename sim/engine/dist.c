#include "sim/engine/dist.h"

#include <math.h>
#include <string.h>

#include <gsl/gsl_randist.h>

#include "sim/base/status.h"
#include "sim/engine/rng_gsl.h"

static const char *const names[] = {
    [DLS_LAW_CONSTANT] = "constant",   [DLS_LAW_UNIFORM] = "uniform",
    [DLS_LAW_NORMAL] = "normal",       [DLS_LAW_LOGNORMAL] = "lognormal",
    [DLS_LAW_GAMMA] = "gamma",         [DLS_LAW_EXPONENTIAL] = "exponential",
    [DLS_LAW_EMPIRICAL] = "empirical", [DLS_LAW_AFFINE] = "affine",
};

enum { LAWS = sizeof names / sizeof *names };

int dls_law_find(const char *name, enum dls_law_kind *kind)
{
    for (unsigned i = 0; i < LAWS; i++) {
        if (strcmp(name, names[i]) == 0) {
            *kind = (enum dls_law_kind)i;
            return 1;
        }
    }
    return 0;
}

const char *dls_law_name(enum dls_law_kind kind)
{
    DLS_REQUIRE((unsigned)kind < LAWS, "law %d", (int)kind);
    return names[kind];
}

/* X = exp(N(zeta, sigma)) has mean m and deviation s when sigma^2 = ln(1 + s^2 / m^2),
 * zeta = ln m - sigma^2 / 2. */
static double draw_lognormal(const gsl_rng *source, double mean, double deviation)
{
    double ratio = deviation / mean;
    double variance = log1p(ratio * ratio);

    return gsl_ran_lognormal(source, log(mean) - variance / 2, sqrt(variance));
}

/* Shape (m / s)^2 and scale s^2 / m have mean m and deviation s. */
static double draw_gamma(const gsl_rng *source, double mean, double deviation)
{
    double ratio = mean / deviation;

    return gsl_ran_gamma(source, ratio * ratio, deviation / ratio);
}

static double draw_residual(const struct dls_law *law, struct dls_rng *rng)
{
    return law->count > 0 ? law->values[dls_rng_below(rng, law->count)] : 1.0;
}

static double draw_raw(const struct dls_law *law, struct dls_rng *rng, double size)
{
    const gsl_rng source = dls_rng_gsl(rng);

    switch (law->kind) {
    case DLS_LAW_CONSTANT:
        return law->a;
    case DLS_LAW_UNIFORM:
        return law->a + (law->b - law->a) * dls_rng_uniform(rng);
    case DLS_LAW_NORMAL:
        return law->a + gsl_ran_gaussian_ziggurat(&source, law->b);
    case DLS_LAW_LOGNORMAL:
        return law->a > 0 && law->b > 0 ? draw_lognormal(&source, law->a, law->b)
                                        : law->a;
    case DLS_LAW_GAMMA:
        return law->a > 0 && law->b > 0 ? draw_gamma(&source, law->a, law->b) : law->a;
    case DLS_LAW_EXPONENTIAL:
        return -law->a * log1p(-dls_rng_uniform(rng));
    case DLS_LAW_EMPIRICAL:
        DLS_REQUIRE(law->count > 0, "%s", "an empirical law without values");
        return law->values[dls_rng_below(rng, law->count)];
    case DLS_LAW_AFFINE:
        return (law->a + law->b * size) * draw_residual(law, rng);
    }
    dls_bug("law->kind", __FILE__, __LINE__, "law %d", (int)law->kind);
}

double dls_law_draw(const struct dls_law *law, struct dls_rng *rng, double size)
{
    double value = draw_raw(law, rng, size);

    return value > 0 ? value : 0.0;
}

/* Mean of max(0, scale x V), V uniform over the values. */
static double mean_of_values(const struct dls_law *law, double scale)
{
    double sum = 0;

    for (size_t i = 0; i < law->count; i++)
        sum += fmax(0.0, scale * law->values[i]);
    return law->count > 0 ? sum / (double)law->count : fmax(0.0, scale);
}

/* E max(0, X) of a normal X: m Phi(m / s) + s^2 f(m), f the density of N(0, s). */
static double mean_of_normal(double mean, double deviation)
{
    if (!(deviation > 0))
        return fmax(0.0, mean);
    return mean * 0.5 * erfc(-mean / deviation * sqrt(0.5)) +
           deviation * deviation * gsl_ran_gaussian_pdf(mean, deviation);
}

static double mean_of_uniform(double low, double high)
{
    if (low >= 0)
        return low + (high - low) / 2;
    return high > 0 ? high * high / (2 * (high - low)) : 0.0;
}

double dls_law_mean(const struct dls_law *law, double size)
{
    switch (law->kind) {
    case DLS_LAW_CONSTANT:
    case DLS_LAW_LOGNORMAL:
    case DLS_LAW_GAMMA:
    case DLS_LAW_EXPONENTIAL:
        return fmax(0.0, law->a);
    case DLS_LAW_UNIFORM:
        return mean_of_uniform(law->a, law->b);
    case DLS_LAW_NORMAL:
        return mean_of_normal(law->a, law->b);
    case DLS_LAW_EMPIRICAL:
        DLS_REQUIRE(law->count > 0, "%s", "an empirical law without values");
        return mean_of_values(law, 1.0);
    case DLS_LAW_AFFINE:
        return mean_of_values(law, law->a + law->b * size);
    }
    dls_bug("law->kind", __FILE__, __LINE__, "law %d", (int)law->kind);
}
