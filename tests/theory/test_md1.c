/* test_md1.c: the M/D/1 and M/G/1 queues in order of arrival, Pollaczek-Khinchine: wait
 * = lambda E[S^2] / (2 (1 - rho)). Source: Kleinrock, Queueing Systems I (1975),
 * section 5.6. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/queueing.h"

static const uint64_t SEED = 3;

static void check(const struct queue *queue, double second_moment)
{
    double wait = queue->rate * second_moment / (2 * (1 - queue->rate));
    struct queue_series series;

    queue_replicate(queue, SEED, &series);
    assert_true(queue_accepts("wait", series.wait, wait, SEED));
    assert_true(queue_accepts("utilisation", series.busy, queue->rate, SEED));
}

/* E[S^2] = 1. */
static void constant_service(void **state)
{
    const struct queue queue = {.station = QUEUE_SERVER,
                                .servers = 1,
                                .rate = 0.8,
                                .service = {.kind = DLS_LAW_CONSTANT, .a = 1},
                                .customers = 100000};

    (void)state;
    check(&queue, 1.0);
}

/* Uniform on 0..2: E[S^2] = 4/3. */
static void uniform_service(void **state)
{
    const struct queue queue = {.station = QUEUE_SERVER,
                                .servers = 1,
                                .rate = 0.7,
                                .service = {.kind = DLS_LAW_UNIFORM, .a = 0, .b = 2},
                                .customers = 100000};

    (void)state;
    check(&queue, 4.0 / 3);
}

/* Gamma with mean 1 and deviation 0.5: E[S^2] = 1.25. */
static void gamma_service(void **state)
{
    const struct queue queue = {.station = QUEUE_SERVER,
                                .servers = 1,
                                .rate = 0.7,
                                .service = {.kind = DLS_LAW_GAMMA, .a = 1, .b = 0.5},
                                .customers = 100000};

    (void)state;
    check(&queue, 1.25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constant_service),
        cmocka_unit_test(uniform_service),
        cmocka_unit_test(gamma_service),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
