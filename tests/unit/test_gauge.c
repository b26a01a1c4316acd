/* test_gauge.c: areas and means of step functions worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/stats/gauge.h"
#include "tests/support/near.h"

/* Level 2 on 100..110, 5 on 110..140, 0 on 140..200: area 20 + 150 = 170 over 100
 * ns. */
static void area_of_steps_by_hand(void **state)
{
    struct dls_gauge gauge;

    (void)state;
    dls_gauge_init(&gauge, 100, 2);
    dls_gauge_set(&gauge, 110, 5);
    near_exact(dls_gauge_area(&gauge, 120), 70);
    dls_gauge_set(&gauge, 140, 0);
    near_exact(dls_gauge_area(&gauge, 200), 170);
    near_exact(dls_gauge_mean(&gauge, 200), 1.7);
    near_exact(gauge.max, 5);
}

static void empty_window_has_no_mean(void **state)
{
    struct dls_gauge gauge;

    (void)state;
    dls_gauge_init(&gauge, 7, 3);
    near_nan(dls_gauge_mean(&gauge, 7));
    near_exact(dls_gauge_area(&gauge, 7), 0);
    near_exact(dls_gauge_mean(&gauge, 8), 3);
}

/* Two changes at one time: the level between them lasted no time, yet it was the
 * maximum. */
static void change_at_one_time_weighs_nothing(void **state)
{
    struct dls_gauge gauge;

    (void)state;
    dls_gauge_init(&gauge, 0, 1);
    dls_gauge_set(&gauge, 10, 50);
    dls_gauge_set(&gauge, 10, 1);
    near_exact(dls_gauge_mean(&gauge, 20), 1);
    near_exact(gauge.max, 50);
}

static void restart_keeps_the_level_only(void **state)
{
    struct dls_gauge gauge;

    (void)state;
    dls_gauge_init(&gauge, 0, 9);
    dls_gauge_set(&gauge, 10, 4);
    dls_gauge_restart(&gauge, 15);
    near_exact(gauge.max, 4);
    near_exact(dls_gauge_area(&gauge, 20), 20);
    near_exact(dls_gauge_mean(&gauge, 20), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(area_of_steps_by_hand),
        cmocka_unit_test(empty_window_has_no_mean),
        cmocka_unit_test(change_at_one_time_weighs_nothing),
        cmocka_unit_test(restart_keeps_the_level_only),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
