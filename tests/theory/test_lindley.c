/* test_lindley.c: a server in order of arrival against recursions, customer by customer
 * and to the nanosecond.
 *
 * One server: departure d(i) = max(a(i), d(i-1)) + s(i) (Lindley 1952). c servers: the
 * earliest free one serves next (Kiefer, Wolfowitz 1955). Also the published check
 * values of the program mm1. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "tests/support/engine_programs.h"

enum { CUSTOMERS = 100000, MOST_SERVERS = 8 };

static const uint64_t SEED = 5;

struct line {
    struct dls_server *server;
    const dls_time *service;
    const dls_time *gap;
    dls_time *departure;
    uint32_t arrived;
};

static void depart(struct dls_engine *engine, struct dls_task *task)
{
    struct line *line = task->self;

    line->departure[task->word] = dls_engine_now(engine);
    dls_task_free(engine, task);
}

static void arrive(struct dls_engine *engine, struct dls_task *source)
{
    struct line *line = source->self;
    struct dls_task *task = dls_task_new(engine, depart, line);

    task->word = line->arrived++;
    dls_server_serve(line->server, task, line->service[task->word], DLS_CAUSE_STORAGE);
    if (line->arrived == CUSTOMERS)
        dls_task_free(engine, source);
    else
        dls_engine_after(engine, source, line->gap[line->arrived], DLS_PRIORITY_NORMAL,
                         DLS_CAUSE_IDLE);
}

/* Serves arrivals by the server that is free first. */
static void recur(uint32_t servers, const dls_time *gap, const dls_time *service,
                  dls_time *departure)
{
    dls_time free_at[MOST_SERVERS] = {0};
    dls_time now = 0;

    for (uint32_t i = 0; i < CUSTOMERS; i++) {
        uint32_t first = 0;

        now += gap[i];
        for (uint32_t s = 1; s < servers; s++) {
            if (free_at[s] < free_at[first])
                first = s;
        }
        free_at[first] = (now > free_at[first] ? now : free_at[first]) + service[i];
        departure[i] = free_at[first];
    }
}

/* `grid` ns: durations are multiples of it, so that arrivals and departures coincide
 * often. */
static void compare(uint32_t servers, double load, dls_time grid)
{
    struct dls_engine *engine = dls_engine_new();
    struct dls_rng rng = dls_rng_of(SEED + servers);
    dls_time *gap = dls_mem_new(CUSTOMERS, sizeof *gap);
    dls_time *service = dls_mem_new(CUSTOMERS, sizeof *service);
    dls_time *expected = dls_mem_new(CUSTOMERS, sizeof *expected);
    dls_time *found = dls_mem_new(CUSTOMERS, sizeof *found);
    struct line line = {dls_server_new(engine, servers), service, gap, found, 0};

    for (uint32_t i = 0; i < CUSTOMERS; i++) {
        gap[i] = grid * (dls_time)(-log1p(-dls_rng_uniform(&rng)) / load / servers *
                                   1000 / (double)grid);
        service[i] = grid *
                     (dls_time)(-log1p(-dls_rng_uniform(&rng)) * 1000 / (double)grid);
    }
    recur(servers, gap, service, expected);
    dls_engine_after(engine, dls_task_new(engine, arrive, &line), gap[0],
                     DLS_PRIORITY_NORMAL, DLS_CAUSE_IDLE);
    assert_int_equal(dls_engine_run(engine, NULL), DLS_END_EMPTY);
    assert_memory_equal(found, expected, CUSTOMERS * sizeof *found);
    dls_mem_free(gap);
    dls_mem_free(service);
    dls_mem_free(expected);
    dls_mem_free(found);
    dls_engine_free(engine);
}

static void one_server(void **state)
{
    (void)state;
    print_message("# seed %llu\n", (unsigned long long)SEED);
    compare(1, 0.9, 1);
    compare(1, 0.9, 500);
    compare(1, 1.1, 1);
}

static void several_servers(void **state)
{
    (void)state;
    for (uint32_t servers = 2; servers <= MOST_SERVERS; servers++) {
        compare(servers, 0.9, 1);
        compare(servers, 0.9, 500);
    }
}

/* Total time in system and last departure of 1,000,000 customers. */
static void mm1_check_values(void **state)
{
    double *a = program_table_a(), *b = program_table_b();
    struct program_mm1 mm1;
    struct dls_engine *engine = program_mm1_start(&mm1, a, b, 1000000);

    (void)state;
    assert_true(a[0] == 0.14280819645999154 && a[1] == 0.22918254106384628 &&
                b[0] == 0.26785375046793003);
    assert_int_equal(dls_engine_run(engine, NULL), DLS_END_EMPTY);
    assert_true(mm1.total_ns == 10395374650924);
    assert_true(mm1.last == 1109500925740);
    assert_int_equal(dls_task_count(engine), 0);
    dls_engine_free(engine);
    dls_mem_free(a);
    dls_mem_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_server),
        cmocka_unit_test(several_servers),
        cmocka_unit_test(mm1_check_values),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
