/* test_tally.c: moments against numbers worked out by hand; merging; numerical
 * stability. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/stats/tally.h"
#include "tests/support/near.h"

static struct dls_tally tally_of(const double *values, size_t count)
{
    struct dls_tally tally = {0};

    for (size_t i = 0; i < count; i++)
        dls_tally_add(&tally, values[i]);
    return tally;
}

static void nothing_seen_is_nan(void **state)
{
    struct dls_tally tally = {0};

    (void)state;
    assert_int_equal(dls_tally_count(&tally), 0);
    near_exact(dls_tally_sum(&tally), 0);
    near_nan(dls_tally_mean(&tally));
    near_nan(dls_tally_variance(&tally));
    near_nan(dls_tally_deviation(&tally));
    dls_tally_add(&tally, 3);
    near_exact(dls_tally_mean(&tally), 3);
    near_nan(dls_tally_variance(&tally));
}

/* 2 4 4 4 5 5 7 9: sum 40, squared deviations from 5 are 9 1 1 1 0 0 4 16 = 32. */
static void moments_by_hand(void **state)
{
    static const double values[] = {2, 4, 4, 4, 5, 5, 7, 9};
    struct dls_tally tally = tally_of(values, 8);

    (void)state;
    assert_int_equal(dls_tally_count(&tally), 8);
    near_relative(dls_tally_sum(&tally), 40.0, 1e-15);
    near_relative(dls_tally_mean(&tally), 5.0, 1e-15);
    near_relative(dls_tally_variance(&tally), 32.0 / 7, 1e-15);
    near_relative(dls_tally_deviation(&tally), 2.1380899352993952, 1e-15);
    near_exact(tally.min, 2);
    near_exact(tally.max, 9);
}

static void extremes_of_negative_values(void **state)
{
    static const double values[] = {-3, -8, -5};
    struct dls_tally tally = tally_of(values, 3);

    (void)state;
    near_exact(tally.min, -8);
    near_exact(tally.max, -3);
}

/* The textbook formula loses all digits here; the variance of 4 7 13 16 is 30 (NIST's
 * classic shift by 1e9). */
static void large_offset_keeps_the_variance(void **state)
{
    static const double values[] = {1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16};
    struct dls_tally tally = tally_of(values, 4);

    (void)state;
    near_exact(dls_tally_variance(&tally), 30);
    near_exact(dls_tally_mean(&tally), 1e9 + 10);
}

static void merging_is_seeing_all(void **state)
{
    static const double values[] = {2, 4, 4, 4, 5, 5, 7, 9};

    (void)state;
    for (size_t cut = 0; cut <= 8; cut++) {
        struct dls_tally left = tally_of(values, cut),
                         right = tally_of(values + cut, 8 - cut);

        dls_tally_merge(&left, &right);
        assert_int_equal(dls_tally_count(&left), 8);
        near_relative(dls_tally_mean(&left), 5.0, 1e-15);
        near_relative(dls_tally_variance(&left), 32.0 / 7, 1e-14);
        near_exact(left.min, 2);
        near_exact(left.max, 9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_seen_is_nan),
        cmocka_unit_test(moments_by_hand),
        cmocka_unit_test(extremes_of_negative_values),
        cmocka_unit_test(large_offset_keeps_the_variance),
        cmocka_unit_test(merging_is_seeing_all),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
