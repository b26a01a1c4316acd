/* test_mm1.c: the M/M/1 queue. Source: Kleinrock, Queueing Systems I (1975),
 * section 3.2. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/queueing.h"

static const uint64_t SEED = 1;

/* Load 0.8: sojourn 1 / (mu - lambda) = 5, wait rho / (mu - lambda) = 4, utilisation
 * 0.8. */
static void load_08(void **state)
{
    const struct queue queue = {.station = QUEUE_SERVER,
                                .servers = 1,
                                .rate = 0.8,
                                .service = {.kind = DLS_LAW_EXPONENTIAL, .a = 1},
                                .customers = 200000};
    struct queue_series series;

    (void)state;
    queue_replicate(&queue, SEED, &series);
    assert_true(queue_accepts("sojourn", series.sojourn, 5.0, SEED));
    assert_true(queue_accepts("wait", series.wait, 4.0, SEED));
    assert_true(queue_accepts("utilisation", series.busy, 0.8, SEED));
}

/* Load 0.5: sojourn 2, wait 1. */
static void load_05(void **state)
{
    const struct queue queue = {.station = QUEUE_SERVER,
                                .servers = 1,
                                .rate = 0.5,
                                .service = {.kind = DLS_LAW_EXPONENTIAL, .a = 1},
                                .customers = 50000};
    struct queue_series series;

    (void)state;
    queue_replicate(&queue, SEED, &series);
    assert_true(queue_accepts("sojourn", series.sojourn, 2.0, SEED));
    assert_true(queue_accepts("wait", series.wait, 1.0, SEED));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(load_08),
        cmocka_unit_test(load_05),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
