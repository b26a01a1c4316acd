/* test_mg1ps.c: processor sharing: the mean sojourn is E[S] / (1 - rho) whatever the
 * law of service, and the mean number rho / (1 - rho). Source: Kleinrock, Queueing
 * Systems II (1976), section 4.4. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/queueing.h"

static const uint64_t SEED = 4;

/* Load 0.7, mean service 1: sojourn 10/3, number 7/3. */
static void check(struct queue queue, int64_t customers)
{
    struct queue_series series;

    queue.station = QUEUE_SHARE;
    queue.servers = 1;
    queue.rate = 0.7;
    queue.customers = customers;
    queue_replicate(&queue, SEED, &series);
    assert_true(queue_accepts("sojourn", series.sojourn, 10.0 / 3, SEED));
    assert_true(queue_accepts("number", series.number, 7.0 / 3, SEED));
}

static void constant_service(void **state)
{
    (void)state;
    check((struct queue){.service = {.kind = DLS_LAW_CONSTANT, .a = 1}}, 60000);
}

static void exponential_service(void **state)
{
    (void)state;
    check((struct queue){.service = {.kind = DLS_LAW_EXPONENTIAL, .a = 1}}, 100000);
}

/* Nine of ten at mean 0.5, one at 5.5: mean 0.45 + 0.55 = 1, E[S^2] = 2 (0.225 + 3.025)
 * = 6.5: squared deviation 5.5. */
static void hyperexponential_service(void **state)
{
    (void)state;
    check((struct queue){.fast_fraction = 0.9, .fast = 0.5, .slow = 5.5}, 200000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constant_service),
        cmocka_unit_test(exponential_service),
        cmocka_unit_test(hyperexponential_service),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
