/* test_mmc.c: the M/M/c queue, Erlang's delay formula. Source: Kleinrock, Queueing
 * Systems I (1975), section 3.5. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/queueing.h"

static const uint64_t SEED = 2;

/* Probability of waiting: B / (1 - rho (1 - B)), B from Erlang's loss recursion B(n) =
 * a B(n-1) / (n + a B(n-1)). */
static double erlang_c(uint32_t servers, double offered)
{
    double loss = 1;

    for (uint32_t n = 1; n <= servers; n++)
        loss = offered * loss / (n + offered * loss);
    return loss / (1 - offered / servers * (1 - loss));
}

/* Tabulated: c = 2, a = 1: 1/3; c = 5, a = 4: 0.5541. */
static void formula_agrees_with_tables(void **state)
{
    (void)state;
    assert_true(fabs(erlang_c(1, 0.7) - 0.7) < 1e-12);
    assert_true(fabs(erlang_c(2, 1.0) - 1.0 / 3) < 1e-12);
    assert_true(fabs(erlang_c(5, 4.0) - 0.5541) < 5e-5);
}

static void check(uint32_t servers, double offered, int64_t customers)
{
    struct queue queue = {.station = QUEUE_SERVER,
                          .servers = servers,
                          .rate = offered,
                          .service = {.kind = DLS_LAW_EXPONENTIAL, .a = 1},
                          .customers = customers};
    double wait = erlang_c(servers, offered) / (servers - offered);
    struct queue_series series;

    queue_replicate(&queue, SEED, &series);
    assert_true(queue_accepts("wait", series.wait, wait, SEED));
    assert_true(queue_accepts("sojourn", series.sojourn, wait + 1, SEED));
    assert_true(queue_accepts("busy", series.busy, offered, SEED));
    /* A share of c cores with cap 1 is the same birth-death process: number in the
     * system = lambda x sojourn. */
    queue.station = QUEUE_SHARE;
    queue_replicate(&queue, SEED, &series);
    assert_true(
        queue_accepts("number at a share", series.number, offered * (wait + 1), SEED));
    assert_true(queue_accepts("sojourn at a share", series.sojourn, wait + 1, SEED));
}

static void two_servers(void **state)
{
    (void)state;
    check(2, 1.4, 100000);
}

static void four_servers(void **state)
{
    (void)state;
    check(4, 2.8, 150000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formula_agrees_with_tables),
        cmocka_unit_test(two_servers),
        cmocka_unit_test(four_servers),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
