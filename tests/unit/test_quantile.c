/* test_quantile.c: ranks and the stated error, against the sorted series itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/stats/quantile.h"
#include "tests/support/near.h"

static struct dls_quantile *whole_numbers(int first, int last)
{
    struct dls_quantile *quantile = dls_quantile_new();

    for (int i = first; i <= last; i++)
        dls_quantile_add(quantile, i);
    return quantile;
}

static void nothing_seen_is_nan(void **state)
{
    struct dls_quantile *quantile = dls_quantile_new();

    (void)state;
    assert_int_equal(dls_quantile_count(quantile), 0);
    near_nan(dls_quantile_get(quantile, 0.5));
    dls_quantile_free(quantile);
    dls_quantile_free(NULL);
}

/* Nearest rank of 1..100 is the percentage itself, also where percentage x 100 is no
 * whole number in binary (0.07). */
static void percentiles_of_whole_numbers(void **state)
{
    struct dls_quantile *quantile = whole_numbers(1, 100);

    (void)state;
    for (int percent = 1; percent <= 100; percent++)
        near_relative(dls_quantile_get(quantile, percent / 100.0), (double)percent,
                      DLS_QUANTILE_ERROR);
    near_exact(dls_quantile_get(quantile, 0), 1);
    near_exact(dls_quantile_get(quantile, 1), 100);
    dls_quantile_free(quantile);
}

/* Seven small values of a hundred: a rank that is off by one would show. */
static void rank_is_not_off_by_one(void **state)
{
    struct dls_quantile *quantile = dls_quantile_new();

    (void)state;
    for (int i = 0; i < 100; i++)
        dls_quantile_add(quantile, i < 7 ? 1.0 : 1000.0);
    near_relative(dls_quantile_get(quantile, 0.07), 1.0, DLS_QUANTILE_ERROR);
    near_relative(dls_quantile_get(quantile, 0.0701), 1000.0, DLS_QUANTILE_ERROR);
    dls_quantile_free(quantile);
}

static void one_value_is_exact(void **state)
{
    struct dls_quantile *quantile = dls_quantile_new();

    (void)state;
    dls_quantile_add(quantile, 0.0123456789);
    near_exact(dls_quantile_get(quantile, 0), 0.0123456789);
    near_exact(dls_quantile_get(quantile, 0.5), 0.0123456789);
    near_exact(dls_quantile_get(quantile, 1), 0.0123456789);
    dls_quantile_free(quantile);
}

/* Every magnitude from the smallest bucket to the largest double keeps the error; each
 * value stands thrice, so that the median is inside and not an extreme. */
static void error_holds_at_every_magnitude(void **state)
{
    (void)state;
    for (int exponent = -64; exponent <= 1022; exponent++)
        for (int part = 0; part < 7; part++) {
            double value = ldexp(1 + part / 7.0, exponent);
            struct dls_quantile *quantile = dls_quantile_new();

            dls_quantile_add(quantile, value / 2);
            dls_quantile_add(quantile, value);
            dls_quantile_add(quantile, value * (part < 6 ? 1.001 : 1));
            near_relative(dls_quantile_get(quantile, 0.5), value, DLS_QUANTILE_ERROR);
            dls_quantile_free(quantile);
        }
}

static void zeros_are_exact(void **state)
{
    struct dls_quantile *quantile = whole_numbers(1, 10);

    (void)state;
    for (int i = 0; i < 10; i++)
        dls_quantile_add(quantile, 0);
    near_exact(dls_quantile_get(quantile, 0.25), 0);
    near_exact(dls_quantile_get(quantile, 0.5), 0);
    near_relative(dls_quantile_get(quantile, 0.55), 1.0, DLS_QUANTILE_ERROR);
    dls_quantile_free(quantile);
}

static void merging_is_exact(void **state)
{
    struct dls_quantile *all = whole_numbers(0, 300);
    struct dls_quantile *left = whole_numbers(0, 120), *right = whole_numbers(121, 300);
    struct dls_quantile *none = dls_quantile_new();

    (void)state;
    dls_quantile_merge(left, none);
    dls_quantile_merge(left, right);
    dls_quantile_merge(none, left);
    assert_int_equal(dls_quantile_count(none), 301);
    for (int i = 0; i <= 100; i++)
        near_exact(dls_quantile_get(none, i / 100.0), dls_quantile_get(all, i / 100.0));
    dls_quantile_free(all);
    dls_quantile_free(left);
    dls_quantile_free(right);
    dls_quantile_free(none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_seen_is_nan),
        cmocka_unit_test(percentiles_of_whole_numbers),
        cmocka_unit_test(rank_is_not_off_by_one),
        cmocka_unit_test(one_value_is_exact),
        cmocka_unit_test(error_holds_at_every_magnitude),
        cmocka_unit_test(zeros_are_exact),
        cmocka_unit_test(merging_is_exact),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
