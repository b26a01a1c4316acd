/* test_dist.c: draws against the distribution functions of GSL (Kolmogorov-Smirnov),
 * means against formulas. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>

#include "sim/base/mem.h"
#include "sim/engine/dist.h"

enum { DRAWS = 200000 };

static const uint64_t SEED = 20240611;
static const double values[] = {3, 1, 4, 1, 5};

static void names_and_kinds_agree(void **state)
{
    static const char *const names[] = {"constant",  "uniform", "normal",
                                        "lognormal", "gamma",   "exponential",
                                        "empirical", "affine"};
    enum dls_law_kind kind = DLS_LAW_GAMMA;

    (void)state;
    for (unsigned i = 0; i < 8; i++) {
        assert_string_equal(dls_law_name((enum dls_law_kind)i), names[i]);
        assert_true(dls_law_find(names[i], &kind));
        assert_int_equal(kind, i);
    }
    kind = DLS_LAW_GAMMA;
    assert_false(dls_law_find("lognorm", &kind));
    assert_false(dls_law_find("", &kind));
    assert_int_equal(kind, DLS_LAW_GAMMA);
}

/* ------------------------------------------------------------ laws */

static double uniform_cdf(double x, const struct dls_law *law)
{
    return gsl_cdf_flat_P(x, law->a, law->b);
}

static double normal_cdf(double x, const struct dls_law *law)
{
    return gsl_cdf_gaussian_P(x - law->a, law->b);
}

/* Mean m and deviation s: sigma^2 = ln(1 + s^2/m^2), zeta = ln m - sigma^2/2. */
static double lognormal_cdf(double x, const struct dls_law *law)
{
    double variance = log(1 + law->b * law->b / (law->a * law->a));

    return gsl_cdf_lognormal_P(x, log(law->a) - variance / 2, sqrt(variance));
}

static double gamma_cdf(double x, const struct dls_law *law)
{
    return gsl_cdf_gamma_P(x, law->a * law->a / (law->b * law->b),
                           law->b * law->b / law->a);
}

static double exponential_cdf(double x, const struct dls_law *law)
{
    return gsl_cdf_exponential_P(x, law->a);
}

struct known {
    struct dls_law law;
    double (*cdf)(double x, const struct dls_law *law);
    double mean, deviation;
};

static const struct known knowns[] = {
    {{DLS_LAW_UNIFORM, 2, 6, NULL, 0}, uniform_cdf, 4, 1.1547005383792515},
    {{DLS_LAW_NORMAL, 100, 10, NULL, 0}, normal_cdf, 100, 10},
    {{DLS_LAW_LOGNORMAL, 5, 2, NULL, 0}, lognormal_cdf, 5, 2},
    {{DLS_LAW_LOGNORMAL, 0.001, 0.001, NULL, 0}, lognormal_cdf, 0.001, 0.001},
    {{DLS_LAW_GAMMA, 5, 2, NULL, 0}, gamma_cdf, 5, 2},
    {{DLS_LAW_GAMMA, 1, 2, NULL, 0}, gamma_cdf, 1, 2},
    {{DLS_LAW_EXPONENTIAL, 3, 0, NULL, 0}, exponential_cdf, 3, 3},
};

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

/* sqrt(n) D exceeds 2.23 with probability 1e-4 (Kolmogorov: 2 exp(-2 x^2)). Mean within
 * 5 standard errors. */
static void draws_follow_their_laws(void **state)
{
    double *draws = dls_mem_new(DRAWS, sizeof *draws);

    (void)state;
    print_message("# seed %llu\n", (unsigned long long)SEED);
    for (size_t i = 0; i < sizeof knowns / sizeof *knowns; i++) {
        const struct known *known = &knowns[i];
        struct dls_rng rng = dls_rng_of(SEED + i);
        double distance = 0, sum = 0;

        for (int k = 0; k < DRAWS; k++) {
            draws[k] = dls_law_draw(&known->law, &rng, 0);
            sum += draws[k];
        }
        qsort(draws, DRAWS, sizeof *draws, compare);
        for (int k = 0; k < DRAWS; k++) {
            double p = known->cdf(draws[k], &known->law);

            distance = fmax(distance,
                            fmax(p - (double)k / DRAWS, (k + 1.0) / DRAWS - p));
        }
        assert_true(sqrt(DRAWS) * distance < 2.23);
        assert_true(fabs(sum / DRAWS - known->mean) <
                    5 * known->deviation / sqrt(DRAWS));
        assert_true(fabs(dls_law_mean(&known->law, 0) / known->mean - 1) < 1e-12);
    }
    dls_mem_free(draws);
}

static void constants_and_degenerate_laws(void **state)
{
    struct dls_rng rng = dls_rng_of(SEED);
    const struct dls_law constant = {DLS_LAW_CONSTANT, 2.5, 0, NULL, 0};
    const struct dls_law negative = {DLS_LAW_CONSTANT, -1, 0, NULL, 0};

    (void)state;
    assert_true(dls_law_draw(&constant, &rng, 9) == 2.5);
    assert_true(dls_law_mean(&constant, 9) == 2.5);
    assert_true(dls_law_draw(&negative, &rng, 0) == 0);
    assert_true(dls_law_mean(&negative, 0) == 0);
    for (int kind = DLS_LAW_NORMAL; kind <= DLS_LAW_GAMMA; kind++) {
        const struct dls_law law = {(enum dls_law_kind)kind, 4, 0, NULL, 0};
        const struct dls_law nothing = {(enum dls_law_kind)kind, 0, 0, NULL, 0};

        assert_true(dls_law_draw(&law, &rng, 0) == 4);
        assert_true(dls_law_mean(&law, 0) == 4);
        assert_true(dls_law_draw(&nothing, &rng, 0) == 0);
    }
}

static void empirical_draws_each_value_equally_often(void **state)
{
    const struct dls_law law = {DLS_LAW_EMPIRICAL, 0, 0, values, 5};
    struct dls_rng rng = dls_rng_of(SEED);
    double seen[6] = {0}, chi2 = 0;
    static const double weight[6] = {0, 0.4, 0, 0.2, 0.2, 0.2};

    (void)state;
    for (int i = 0; i < DRAWS; i++)
        seen[(int)dls_law_draw(&law, &rng, 0)]++;
    for (int i = 0; i < 6; i++) {
        if (weight[i] > 0)
            chi2 += pow(seen[i] - DRAWS * weight[i], 2) / (DRAWS * weight[i]);
        else
            assert_true(seen[i] == 0);
    }
    assert_true(chi2 < gsl_cdf_chisq_Pinv(0.9999, 3));
    assert_true(dls_law_mean(&law, 0) == 2.8);
}

static void affine_grows_with_size(void **state)
{
    const struct dls_law plain = {DLS_LAW_AFFINE, 2, 0.5, NULL, 0};
    const struct dls_law spread = {DLS_LAW_AFFINE, 2, 0.5, values, 5};
    struct dls_rng rng = dls_rng_of(SEED);
    double least = INFINITY, most = 0;

    (void)state;
    assert_true(dls_law_draw(&plain, &rng, 8) == 6);
    assert_true(dls_law_mean(&plain, 8) == 6);
    assert_true(dls_law_draw(&plain, &rng, -8) == 0);
    assert_true(fabs(dls_law_mean(&spread, 8) - 6 * 2.8) < 1e-12);
    for (int i = 0; i < 1000; i++) {
        double draw = dls_law_draw(&spread, &rng, 8);

        least = fmin(least, draw);
        most = fmax(most, draw);
    }
    assert_true(least == 6 && most == 30);
}

/* Cut at 0. Normal: m = s: 1 x Phi(1) + phi(1) = 0.8413447460685429 +
 * 0.24197072451914337. Uniform on -1..3: 9/8. */
static void means_of_cut_laws(void **state)
{
    const struct dls_law normal = {DLS_LAW_NORMAL, 1, 1, NULL, 0};
    const struct dls_law uniform = {DLS_LAW_UNIFORM, -1, 3, NULL, 0};
    struct dls_rng rng = dls_rng_of(SEED);
    double sum_normal = 0, sum_uniform = 0;

    (void)state;
    for (int i = 0; i < DRAWS; i++) {
        double a = dls_law_draw(&normal, &rng, 0), b = dls_law_draw(&uniform, &rng, 0);

        assert_true(a >= 0 && b >= 0);
        sum_normal += a;
        sum_uniform += b;
    }
    assert_true(fabs(dls_law_mean(&normal, 0) - 1.0833154705876863) < 1e-12);
    assert_true(dls_law_mean(&uniform, 0) == 1.125);
    assert_true(fabs(sum_normal / DRAWS - 1.0833154705876863) < 5 * 1.0 / sqrt(DRAWS));
    assert_true(fabs(sum_uniform / DRAWS - 1.125) < 5 * 1.2 / sqrt(DRAWS));
}

/* The same key gives the same draws; a law takes nothing from another stream. */
static void draws_depend_on_the_stream_alone(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof knowns / sizeof *knowns; i++) {
        struct dls_rng one = dls_rng_of(5), other = dls_rng_of(6), two = dls_rng_of(5);
        double first = dls_law_draw(&knowns[i].law, &one, 0);

        dls_law_draw(&knowns[i].law, &other, 0);
        assert_true(first == dls_law_draw(&knowns[i].law, &two, 0));
        assert_true(one.state == two.state);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_kinds_agree),
        cmocka_unit_test(draws_follow_their_laws),
        cmocka_unit_test(constants_and_degenerate_laws),
        cmocka_unit_test(empirical_draws_each_value_equally_often),
        cmocka_unit_test(affine_grows_with_size),
        cmocka_unit_test(means_of_cut_laws),
        cmocka_unit_test(draws_depend_on_the_stream_alone),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
