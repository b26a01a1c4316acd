/* test_sharing.c: the programs share and pipeline against published check values, and
 * what they must conserve. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/engine_programs.h"

/* Clock after 3,000,000 completions, 1,000 jobs on 2 cores: 1,498,053.9 units,
 * tolerance 0.01 %. Always 2 cores busy, so the work served is twice the clock. */
static void clock_of_a_thousand_jobs(void **state)
{
    double *a = program_table_a();
    struct program_share share;
    struct dls_engine *engine = program_share_start(&share, a, 1000);
    double clock;

    (void)state;
    while (share.drawn < 3001000)
        program_run_to(engine,
                       dls_engine_events(engine) + 3001000 - (int64_t)share.drawn);
    clock = (double)dls_engine_now(engine) / PROGRAM_UNIT_NS;
    assert_true(fabs(clock / 1498053.9 - 1) < 1e-4);
    assert_int_equal(dls_engine_now(engine), 1498053854000); /* ours, exactly */
    assert_true(
        fabs(dls_share_served(share.cores) / (2 * clock * PROGRAM_UNIT_NS) - 1) < 1e-9);
    assert_int_equal(dls_share_jobs(share.cores), 1000);
    dls_engine_free(engine);
    dls_mem_free(a);
}

/* Mean end in units, tolerance 0.5 %: another rounding is another sample path. Ours is
 * the same with every compiler and optimisation: `exact` is the sum of the ends in ns.
 */
static void check_pipelines(uint32_t count, int64_t samples, double expected,
                            dls_time exact)
{
    double *a = program_table_a(), *b = program_table_b();
    struct program_pipelines all;
    dls_time sum = 0;
    struct dls_engine *engine = program_pipelines_start(&all, a, b, count, samples);

    assert_int_equal(dls_engine_run(engine, NULL), DLS_END_EMPTY);
    assert_true(fabs(program_pipelines_end(&all) / expected - 1) < 0.005);
    assert_int_equal(dls_quantile_count(all.latency), count * samples);
    assert_int_equal(dls_task_count(engine), 0);
    for (uint32_t r = 0; r < count; r++) {
        sum += all.pipelines[r].end;
        assert_int_equal(all.pipelines[r].taken, samples);
        assert_int_equal(dls_store_count(all.pipelines[r].store), 0);
        assert_int_equal(dls_share_jobs(all.pipelines[r].cores), 0);
        assert_int_equal(dls_server_busy(all.pipelines[r].device), 0);
    }
    assert_int_equal(sum, exact);
    dls_quantile_free(all.latency);
    dls_engine_free(engine);
    dls_mem_free(a);
    dls_mem_free(b);
}

static void one_pipeline(void **state)
{
    (void)state;
    check_pipelines(1, 65536, 16837.2, 16806404166);
}

static void a_hundred_pipelines(void **state)
{
    (void)state;
    check_pipelines(100, 640, 175.22, 17521844246);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clock_of_a_thousand_jobs),
        cmocka_unit_test(one_pipeline),
        cmocka_unit_test(a_hundred_pipelines),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
