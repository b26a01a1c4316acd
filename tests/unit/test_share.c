/* test_share.c: processor sharing against schedules computed by hand, and ties with
 * removals and changes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/share_rig.h"

/* ------------------------------------------------------------ by hand */

/* One core: A (30) alone 0..10, with B (10) 10..30 at half speed: both have had 10, B
 * ends at 30, A at 40. */
static void two_jobs_on_one_core(void **state)
{
    struct bench bench;

    (void)state;
    bench_init(&bench, 1, 1, NULL, NULL);
    add_job(&bench, 0, 0, 30, 0);
    add_job(&bench, 1, 10, 10, 0);
    run_and_check(&bench, 2, (const dls_time[]){40, 30});
    assert_true(fabs(dls_share_served(bench.share) - 40) < 1e-9);
    /* One job 0..10 and 30..40, two 10..30. */
    assert_true(dls_gauge_area(dls_share_level(bench.share), 40) == 60.0);
    dls_engine_free(bench.engine);
}

/* The cap: one job cannot use the second core. */
static void cap_limits_a_job(void **state)
{
    struct bench bench;

    (void)state;
    bench_init(&bench, 2, 1, NULL, NULL);
    add_job(&bench, 0, 0, 30, 0);
    add_job(&bench, 1, 0, 20, 0);
    run_and_check(&bench, 2, (const dls_time[]){30, 20});
    dls_engine_free(bench.engine);
    bench_init(&bench, 2, INFINITY, NULL, NULL);
    add_job(&bench, 0, 0, 30, 0);
    run_and_check(&bench, 1, (const dls_time[]){15});
    dls_engine_free(bench.engine);
}

/* Three jobs of 2 on two cores: rate 2/3, exactly 3 ns, not 4, in order of arrival. Of
 * 1: 1.5, rounded up. */
static void ends_that_are_exact_stay_so(void **state)
{
    struct bench bench;

    (void)state;
    bench_init(&bench, 2, 1, NULL, NULL);
    for (uint32_t i = 0; i < 3; i++)
        add_job(&bench, i, 0, 2, 0);
    run_and_check(&bench, 3, (const dls_time[]){3, 3, 3});
    for (int i = 0; i < 3; i++)
        assert_int_equal(bench.order[i], i);
    dls_engine_free(bench.engine);
    bench_init(&bench, 2, 1, NULL, NULL);
    for (uint32_t i = 0; i < 3; i++)
        add_job(&bench, i, 0, 1, 0);
    run_and_check(&bench, 3, (const dls_time[]){2, 2, 2});
    dls_engine_free(bench.engine);
}

/* Never early, at most 1 ns late: n equal jobs of work w on c cores end at ceil(w
 * max(1, n / c)). */
static void equal_jobs_round_up(void **state)
{
    (void)state;
    for (uint32_t cores = 1; cores <= 7; cores++) {
        for (uint32_t jobs = 1; jobs <= JOBS; jobs++) {
            for (int64_t work = 1; work < 2000; work = work * 3 + 1) {
                int64_t exact = jobs <= cores ? work
                                              : (work * jobs + cores - 1) / cores;
                struct bench bench;

                bench_init(&bench, cores, 1, NULL, NULL);
                for (uint32_t i = 0; i < jobs; i++)
                    add_job(&bench, i, 5, (double)work, 0);
                assert_int_equal(dls_engine_run(bench.engine, NULL), DLS_END_EMPTY);
                for (uint32_t i = 0; i < jobs; i++)
                    assert_int_equal(bench.ended[i], 5 + exact);
                dls_engine_free(bench.engine);
            }
        }
    }
}

/* Two hardware threads of one core. */
static double smt(void *self, const uint32_t count[DLS_SHARE_CLASSES], uint32_t jobs)
{
    (void)self;
    assert_int_equal(count[0], jobs);
    return jobs == 1 ? 1.0 : 1.86;
}

/* A: 100 alone by t = 100, 900 left, 0.93 each: 967.74 more, 1068. B has then had 968 x
 * 0.93 = 900.24; alone: 99.76. */
static void smt_yield_with_an_arrival_in_service(void **state)
{
    struct bench bench;

    (void)state;
    bench_init(&bench, 0, 1, smt, NULL);
    add_job(&bench, 0, 0, 1000, 0);
    add_job(&bench, 1, 100, 1000, 0);
    run_and_check(&bench, 2, (const dls_time[]){1068, 1168});
    dls_engine_free(bench.engine);
}

/* At t = 500 A has had 100 + 400 x 0.93 = 472; without it B has 1000 - 372 = 628 to go
 * at rate 1. */
static void smt_yield_with_a_removal(void **state)
{
    struct bench bench;

    (void)state;
    bench_init(&bench, 0, 1, smt, NULL);
    add_job(&bench, 0, 0, 1000, 0);
    add_job(&bench, 1, 100, 1000, 0);
    at(&bench, 500, DLS_PRIORITY_NORMAL, remove_job, 0, 0);
    run_and_check(&bench, 2, (const dls_time[]){-1, 1128});
    assert_true(fabs(bench.removed[0] - 528) < 1e-9);
    dls_engine_free(bench.engine);
}

/* Capacity 3 / (1 + jobs of class 2), read from `self` too. */
static double by_class(void *self, const uint32_t count[DLS_SHARE_CLASSES],
                       uint32_t jobs)
{
    assert_int_equal(count[1] + count[2], jobs);
    return *(double *)self / (1 + count[2]);
}

/* A, B of class 1, C of class 2 from t = 3. Alone: C(mix) = 3 but cap 1. With C: 3 / 2
 * over three jobs, 0.5 each. A (4) has 1 left at 3, ends at 5; then B (10) and C
 * share 1.5: 0.75 each. C (4) has 3 left at 5, ends at 9. B has had 3 + 1 + 3 = 7 at 9,
 * alone at rate 1: 12. */
static void capacity_depends_on_the_mix(void **state)
{
    double total = 3;
    struct bench bench;

    (void)state;
    bench_init(&bench, 0, 1, by_class, &total);
    add_job(&bench, 0, 0, 4, 1);
    add_job(&bench, 1, 0, 10, 1);
    add_job(&bench, 2, 3, 4, 2);
    run_and_check(&bench, 3, (const dls_time[]){5, 12, 9});
    dls_engine_free(bench.engine);
}

static void halve_total(struct dls_engine *engine, struct dls_task *task)
{
    struct bench *bench = task->self;

    *(double *)(intptr_t)task->b /= 2;
    dls_share_changed(bench->share);
    dls_task_free(engine, task);
}

/* One job of class 2 of 10: 3 / 2, cap 1. From 4 on 1.5 / 2 = 0.75: 6 left take 8. */
static void changed_evaluates_the_function_anew(void **state)
{
    double total = 3;
    struct bench bench;
    struct dls_task *task;

    (void)state;
    bench_init(&bench, 0, 1, by_class, &total);
    add_job(&bench, 0, 0, 10, 2);
    task = dls_task_new(bench.engine, halve_total, &bench);
    task->b = (intptr_t)&total;
    dls_engine_after(bench.engine, task, 4, DLS_PRIORITY_NORMAL, DLS_CAUSE_IDLE);
    run_and_check(&bench, 1, (const dls_time[]){12});
    dls_engine_free(bench.engine);
}

static void count_two(struct dls_engine *engine, struct dls_task *task)
{
    struct bench *bench = task->self;

    dls_share_count_busy(bench->share, 2);
    dls_task_free(engine, task);
}

/* Counted from t = 4, of two that count: one job to 10, two to 16, none while the
 * capacity is 0 (16..20), two to 24, then one. Job 0 (20) has 14 ns alone in a core
 * until it ends at 24; job 1 (14) ends at 28. */
static void busy_servers_are_counted(void **state)
{
    struct bench bench;

    (void)state;
    bench_init(&bench, 2, 1, NULL, NULL);
    add_job(&bench, 0, 0, 20, 0);
    add_job(&bench, 1, 10, 14, 0);
    dls_engine_run(bench.engine, &(struct dls_engine_limits){.events = 1});
    assert_true(dls_share_busy(bench.share) == 0);
    at(&bench, 4, DLS_PRIORITY_NORMAL, count_two, 0, 0);
    at(&bench, 16, DLS_PRIORITY_NORMAL, change_capacity, 0, 0);
    at(&bench, 20, DLS_PRIORITY_NORMAL, change_capacity, 0, 2);
    run_and_check(&bench, 2, (const dls_time[]){24, 28});
    assert_true(dls_share_busy(bench.share) == 6 + 2 * 6 + 0 + 2 * 4 + 4);
    dls_engine_free(bench.engine);
}

static void no_work_goes_on_at_once(void **state)
{
    struct bench bench;

    (void)state;
    bench_init(&bench, 1, 1, NULL, NULL);
    add_job(&bench, 0, 0, 10, 0);
    add_job(&bench, 1, 4, 0, 0);
    run_and_check(&bench, 2, (const dls_time[]){10, 4});
    dls_engine_free(bench.engine);
}

/* ------------------------------------------------------------ ties and cancels */

/* Capacity 2, then 0 from 5 to 20, then 1: three jobs of 10 have had 10/3 each at 5; 20
 * are left in all. */
static void nothing_moves_without_capacity(void **state)
{
    struct bench bench;

    (void)state;
    bench_init(&bench, 2, 1, NULL, NULL);
    for (uint32_t i = 0; i < 3; i++)
        add_job(&bench, i, 0, 10, 0);
    at(&bench, 5, DLS_PRIORITY_NORMAL, change_capacity, 0, 0);
    at(&bench, 20, DLS_PRIORITY_NORMAL, change_capacity, 0, 1);
    run_and_check(&bench, 3, (const dls_time[]){40, 40, 40});
    dls_engine_free(bench.engine);
}

/* The capacity changes at the very instant of an end, before it and behind it, down to
 * nothing: the job still ends then. */
static void capacity_change_at_the_end_of_a_job(void **state)
{
    static const enum dls_priority priorities[] = {DLS_PRIORITY_COMPLETION,
                                                   DLS_PRIORITY_TIMEOUT};

    (void)state;
    for (int order = 0; order < 2; order++) {
        for (int64_t capacity = 0; capacity <= 2; capacity++) {
            struct bench bench;

            bench_init(&bench, 1, 1, NULL, NULL);
            at(&bench, 20, priorities[order], change_capacity, 0, capacity);
            at(&bench, 30, DLS_PRIORITY_NORMAL, change_capacity, 0, 1);
            add_job(&bench, 0, 0, 10, 0);
            add_job(&bench, 1, 0, 30, 0);
            /* At 20 both have had 10; the second has 20 left, at rates 0, 1 and min(1,
             * 2), then 1. */
            run_and_check(&bench, 2, (const dls_time[]){20, capacity == 0 ? 50 : 40});
            dls_engine_free(bench.engine);
        }
    }
}

/* Removal at the instant of its end or another's: no time is lost or granted twice. */
static void removal_at_the_end_of_a_job(void **state)
{
    static const enum dls_priority priorities[] = {DLS_PRIORITY_COMPLETION,
                                                   DLS_PRIORITY_TIMEOUT};

    (void)state;
    for (int order = 0; order < 2; order++) {
        for (uint32_t victim = 0; victim < 2; victim++) {
            struct bench bench;

            bench_init(&bench, 1, 1, NULL, NULL);
            at(&bench, 20, priorities[order], remove_job, victim, 0);
            add_job(&bench, 0, 0, 10, 0);
            add_job(&bench, 1, 0, 30, 0);
            assert_int_equal(dls_engine_run(bench.engine, NULL), DLS_END_EMPTY);
            if (victim == 0) {
                assert_int_equal(bench.ended[0], order == 0 ? -1 : 20);
                assert_true(bench.removed[0] == (order == 0 ? 0 : -1));
                assert_int_equal(bench.ended[1], 40);
            } else {
                assert_int_equal(bench.ended[0], 20);
                assert_true(bench.removed[1] == 20);
                assert_int_equal(bench.ended[1], -1);
            }
            assert_int_equal(dls_share_jobs(bench.share), 0);
            dls_engine_free(bench.engine);
        }
    }
}

/* Ends with others at one instant and removes the one behind it, whose resume is in the
 * ready ring already. */
static void remove_next(struct dls_engine *engine, struct dls_task *task)
{
    struct bench *bench = task->self;

    assert_true(dls_share_left(bench->share, bench->job[1]) == 0);
    bench->removed[1] = dls_share_remove(bench->share, bench->job[1]);
    dls_task_free(engine, bench->job[1]);
    end_job(engine, task);
}

static void begin_removing(struct dls_engine *engine, struct dls_task *task)
{
    start_job(engine, task);
    task->run = remove_next;
}

static void removal_reaches_a_job_that_has_just_ended(void **state)
{
    struct bench bench;

    (void)state;
    bench_init(&bench, 1, 1, NULL, NULL);
    for (uint32_t i = 0; i < 3; i++)
        add_job(&bench, i, 0, 10, 0);
    bench.job[0]->run = begin_removing;
    run_and_check(&bench, 3, (const dls_time[]){30, -1, 30});
    assert_true(bench.removed[1] == 0);
    dls_engine_free(bench.engine);
}

/* Cancelled without removal: it takes its part to its end, and resumes nobody. */
static void a_cancelled_job_takes_its_part(void **state)
{
    struct bench bench;

    (void)state;
    bench_init(&bench, 1, 1, NULL, NULL);
    add_job(&bench, 0, 0, 10, 0);
    add_job(&bench, 1, 0, 30, 0);
    at(&bench, 7, DLS_PRIORITY_NORMAL, cancel_job, 0, 0);
    run_and_check(&bench, 2, (const dls_time[]){-1, 40});
    dls_engine_free(bench.engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_jobs_on_one_core),
        cmocka_unit_test(cap_limits_a_job),
        cmocka_unit_test(ends_that_are_exact_stay_so),
        cmocka_unit_test(equal_jobs_round_up),
        cmocka_unit_test(smt_yield_with_an_arrival_in_service),
        cmocka_unit_test(smt_yield_with_a_removal),
        cmocka_unit_test(capacity_depends_on_the_mix),
        cmocka_unit_test(changed_evaluates_the_function_anew),
        cmocka_unit_test(busy_servers_are_counted),
        cmocka_unit_test(no_work_goes_on_at_once),
        cmocka_unit_test(nothing_moves_without_capacity),
        cmocka_unit_test(capacity_change_at_the_end_of_a_job),
        cmocka_unit_test(removal_at_the_end_of_a_job),
        cmocka_unit_test(removal_reaches_a_job_that_has_just_ended),
        cmocka_unit_test(a_cancelled_job_takes_its_part),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
