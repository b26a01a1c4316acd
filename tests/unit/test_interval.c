/* test_interval.c: intervals against tables of Student's t and published
 * Clopper-Pearson limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/stats/interval.h"
#include "tests/support/near.h"

static void too_few_values_have_no_interval(void **state)
{
    const double one = 4;
    struct dls_interval interval = dls_interval_mean(&one, 1, 0.95);

    (void)state;
    near_nan(interval.low);
    near_nan(interval.high);
    interval = dls_interval_mean(&one, 0, 0.95);
    near_nan(interval.low);
    interval = dls_interval_predict(&one, 1, 0.9, 0.05);
    near_nan(interval.high);
}

/* 1..5: mean 3, s^2 = 2.5. Tables: t(0.975, 4) = 2.776445, t(0.95, 4) = 2.131847. */
static void mean_from_the_table_of_t(void **state)
{
    static const double values[] = {1, 2, 3, 4, 5};
    struct dls_interval interval = dls_interval_mean(values, 5, 0.95);

    (void)state;
    near_relative(interval.low, 3 - 2.776445 * sqrt(0.5), 1e-6);
    near_relative(interval.high, 3 + 2.776445 * sqrt(0.5), 1e-6);
    interval = dls_interval_mean(values, 5, 0.90);
    near_relative(interval.high, 3 + 2.131847 * sqrt(0.5), 1e-6);
}

/* One degree of freedom: t(0.975, 1) = 12.7062; s of 10 and 14 is sqrt(8). */
static void mean_of_two(void **state)
{
    static const double values[] = {10, 14};
    struct dls_interval interval = dls_interval_mean(values, 2, 0.95);

    (void)state;
    near_relative(interval.high - 12, 12.7062 * 2, 1e-5);
}

/* s sqrt(1 + 1/5) = sqrt(3); with 10 % of the mean more, sqrt(3 + 0.09). */
static void prediction_of_one_more_value(void **state)
{
    static const double values[] = {1, 2, 3, 4, 5};
    struct dls_interval interval = dls_interval_predict(values, 5, 0.90, 0);

    (void)state;
    near_relative(interval.high, 3 + 2.131847 * sqrt(3.0), 1e-6);
    near_absolute(interval.low, 3 - 2.131847 * sqrt(3.0), 1e-6);
    interval = dls_interval_predict(values, 5, 0.90, 0.1);
    /* z(0.95) = 1.644854 of the normal table, times 0.1 x 3 */
    near_relative(interval.high, 3 + hypot(2.131847 * sqrt(3.0), 1.644854 * 0.3), 1e-6);
}

/* No hit in n: 1 - 0.025^(1/n); all: 0.025^(1/n). 1 of 10 by hand from (1 - p)^10 =
 * 0.975: p = 0.0025286. The 5 of 10 limits 0.1871 and 0.8129 are in every table. */
static void share_of_hits(void **state)
{
    struct dls_interval interval = dls_interval_share(0, 10, 0.95);

    (void)state;
    near_exact(interval.low, 0);
    near_relative(interval.high, 1 - pow(0.025, 0.1), 1e-9);
    interval = dls_interval_share(10, 10, 0.95);
    near_relative(interval.low, pow(0.025, 0.1), 1e-9);
    near_exact(interval.high, 1);
    interval = dls_interval_share(1, 10, 0.95);
    near_relative(interval.low, 1 - pow(0.975, 0.1), 1e-9);
    interval = dls_interval_share(5, 10, 0.95);
    near_absolute(interval.low, 0.1871, 5e-5);
    near_absolute(interval.high, 0.8129, 5e-5);
    interval = dls_interval_share(0, 0, 0.95);
    near_nan(interval.low);
}

/* Type 7 (Hyndman and Fan 1996): position (n - 1) p. For 10 20 30 40, p = 0.25 lies at
 * 0.75: 17.5. */
static void quantiles_interpolate(void **state)
{
    double values[] = {40, 10, 30, 20};

    (void)state;
    near_exact(dls_interval_quantile(values, 4, 0.25), 17.5);
    near_exact(values[0], 10);
    near_exact(dls_interval_quantile(values, 4, 0), 10);
    near_exact(dls_interval_quantile(values, 4, 1), 40);
    near_relative(dls_interval_quantile(values, 4, 0.9), 37.0, 1e-15);
    near_exact(dls_interval_median(values, 4), 25);
    near_exact(dls_interval_median(values, 3), 20);
    near_exact(dls_interval_median(values, 1), 10);
    near_nan(dls_interval_median(values, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(too_few_values_have_no_interval),
        cmocka_unit_test(mean_from_the_table_of_t),
        cmocka_unit_test(mean_of_two),
        cmocka_unit_test(prediction_of_one_more_value),
        cmocka_unit_test(share_of_hits),
        cmocka_unit_test(quantiles_interpolate),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
