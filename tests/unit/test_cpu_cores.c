/* cpu.cores against hand-computed cases: sharing with yield, interpreter lock with
 * forced hand-over, speed, quota. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "models/registry.h"
#include "tests/support/rig.h"

enum { JOBS = 4 };

static const double MS = 1e6; /* ns */

/* One thread: waits for its arrival, takes the lock if it has one, computes, and notes
 * when it is done. */
struct job {
    struct dls_model *cpu;
    struct dls_interpreter *interpreter;
    double demand_ns;
    dls_time done, locked_out; /* when; and how long it waited for the lock */
};

static void job_done(struct dls_engine *engine, struct dls_task *task)
{
    struct job *job = task->self;

    job->done = dls_engine_now(engine);
    job->locked_out = task->b;
    dls_cpu_drop(job->cpu, task, job->interpreter);
    dls_task_free(engine, task);
}

static void job_arrived(struct dls_engine *engine, struct dls_task *task)
{
    struct job *job = task->self;

    task->run = job_done;
    if (dls_cpu_use(job->cpu, task, job->demand_ns, DLS_CPU_PYTHON, job->interpreter))
        job_done(engine, task);
}

static struct dls_model *cpu_add(struct rig *rig, int64_t threads_per_core,
                                 double yield)
{
    const struct dls_kind *kind = dls_registry_find("cpu.cores");
    void *conf = rig_conf(kind);

    *(int64_t *)rig_field(kind, conf, "threads_per_core") = threads_per_core;
    *(double *)rig_field(kind, conf, "yield.python") = yield;
    return rig_add(rig, kind, conf);
}

static void job_start(struct rig *rig, struct job *job, dls_time arrival)
{
    struct dls_task *task = dls_task_new(rig->engine, job_arrived, job);

    dls_engine_after(rig->engine, task, arrival, DLS_PRIORITY_NORMAL, DLS_CAUSE_IDLE);
}

/* Two threads on the two halves of one core with yield 1.6: 100 ms and 50 ms of work,
 * the second arrives at 20 ms. Until 20 ms the first alone does 20. Then each runs at
 * 0.8: the second ends at 20 + 50 / 0.8 = 82.5 ms, when the first has done 20 + 50 =
 * 70; its last 30 run alone: 112.5 ms. */
static void sharing_with_yield(void **state)
{
    struct rig rig;
    struct job jobs[2] = {{.demand_ns = 100 * MS}, {.demand_ns = 50 * MS}};

    (void)state;
    rig_init(&rig, 2, NULL, 0);
    jobs[0].cpu = jobs[1].cpu = cpu_add(&rig, 2, 1.6);
    job_start(&rig, &jobs[0], 0);
    job_start(&rig, &jobs[1], 20000000);
    assert_int_equal(dls_engine_run(rig.engine, NULL), DLS_END_EMPTY);
    assert_int_equal(jobs[1].done, 82500000);
    assert_int_equal(jobs[0].done, 112500000);
    /* busy threads: 20 ms of one, 62.5 ms of two, 30 ms of one */
    assert_true(DLS_KIND_OF(cpu, jobs[0].cpu)->used_s(jobs[0].cpu) > 0.175 - 1e-12);
    assert_true(DLS_KIND_OF(cpu, jobs[0].cpu)->used_s(jobs[0].cpu) < 0.175 + 1e-12);
    rig_release(&rig);
}

/* Three threads on two whole cores, 30 ms each: total rate 2, each gets 2/3, all end at
 * 45 ms. At speed 2 at 22.5 ms. */
static void more_threads_than_cores(void **state)
{
    (void)state;
    for (int speed = 1; speed <= 2; speed++) {
        struct rig rig;
        struct job jobs[3];

        rig_init(&rig, 2, NULL, 0);
        rig.host.speed = speed;
        for (int i = 0; i < 3; i++)
            jobs[i] = (struct job){.demand_ns = 30 * MS};
        jobs[0].cpu = jobs[1].cpu = jobs[2].cpu = cpu_add(&rig, 1, 1);
        for (int i = 0; i < 3; i++)
            job_start(&rig, &jobs[i], 0);
        dls_engine_run(rig.engine, NULL);
        for (int i = 0; i < 3; i++)
            assert_int_equal(jobs[i].done, 45000000 / speed);
        rig_release(&rig);
    }
}

/* Two threads of one interpreter on two cores: 12 ms from 0, 3 ms from 1 ms. The second
 * asks for the lock after 5 ms of waiting, at 6 ms; it ends at 9 ms, then the first,
 * which waited these 3 ms, does its last 6 ms: 15 ms. */
static void forced_hand_over(void **state)
{
    struct rig rig;
    struct job jobs[2] = {{.demand_ns = 12 * MS}, {.demand_ns = 3 * MS}};

    (void)state;
    rig_init(&rig, 2, NULL, 0);
    jobs[0].cpu = jobs[1].cpu = cpu_add(&rig, 1, 1);
    jobs[0].interpreter = jobs[1].interpreter =
        DLS_KIND_OF(cpu, jobs[0].cpu)->interpreter_new(jobs[0].cpu);
    job_start(&rig, &jobs[0], 0);
    job_start(&rig, &jobs[1], 1000000);
    assert_int_equal(dls_engine_run(rig.engine, NULL), DLS_END_EMPTY);
    assert_int_equal(jobs[1].done, 9000000);
    assert_int_equal(jobs[0].done, 15000000);
    assert_int_equal(jobs[1].locked_out, 5000000);
    assert_int_equal(jobs[0].locked_out, 3000000);
    rig_release(&rig);
}

/* A holder that ends before the 5 ms are over hands the lock over at its end: 4 ms,
 * then 3 ms: 7 ms. Three threads that never end early take turns of 5 ms: 0-5 a, 5-10
 * b, 10-15 c, 15-20 a (its second half), 20-25 b, 25-30 c. */
static void lock_in_turns(void **state)
{
    struct rig rig;
    struct job two[2] = {{.demand_ns = 4 * MS}, {.demand_ns = 3 * MS}};
    struct job three[3] = {
        {.demand_ns = 10 * MS}, {.demand_ns = 10 * MS}, {.demand_ns = 10 * MS}};

    (void)state;
    rig_init(&rig, 4, NULL, 0);
    two[0].cpu = two[1].cpu = cpu_add(&rig, 1, 1);
    two[0].interpreter = two[1].interpreter =
        DLS_KIND_OF(cpu, two[0].cpu)->interpreter_new(two[0].cpu);
    job_start(&rig, &two[0], 0);
    job_start(&rig, &two[1], 0);
    dls_engine_run(rig.engine, NULL);
    assert_int_equal(two[0].done, 4000000);
    assert_int_equal(two[1].done, 7000000);
    rig_release(&rig);

    rig_init(&rig, 4, NULL, 0);
    three[0].cpu = cpu_add(&rig, 1, 1);
    three[0].interpreter =
        DLS_KIND_OF(cpu, three[0].cpu)->interpreter_new(three[0].cpu);
    for (int i = 0; i < 3; i++) {
        three[i].cpu = three[0].cpu;
        three[i].interpreter = three[0].interpreter;
        job_start(&rig, &three[i], 0);
    }
    dls_engine_run(rig.engine, NULL);
    assert_int_equal(three[0].done, 20000000);
    assert_int_equal(three[1].done, 25000000);
    assert_int_equal(three[2].done, 30000000);
    rig_release(&rig);
}

/* Threads of different interpreters do not wait for one another: both 10 ms jobs end at
 * 10 ms on two cores. */
static void interpreters_are_independent(void **state)
{
    struct rig rig;
    struct job jobs[2] = {{.demand_ns = 10 * MS}, {.demand_ns = 10 * MS}};

    (void)state;
    rig_init(&rig, 2, NULL, 0);
    jobs[0].cpu = jobs[1].cpu = cpu_add(&rig, 1, 1);
    for (int i = 0; i < 2; i++) {
        jobs[i].interpreter =
            DLS_KIND_OF(cpu, jobs[i].cpu)->interpreter_new(jobs[i].cpu);
        job_start(&rig, &jobs[i], 0);
    }
    dls_engine_run(rig.engine, NULL);
    assert_int_equal(jobs[0].done, 10000000);
    assert_int_equal(jobs[1].done, 10000000);
    rig_release(&rig);
}

/* The quota is looked at in whole nanoseconds: at most one late in each period. */
static void assert_close(dls_time found, dls_time expected)
{
    assert_true(found >= expected - 10 && found <= expected + 10);
}

/* Quota of half a processor, periods of 100 ms: a job of 120 ms runs 0-50, 100-150 and
 * 200-220 ms. With two busy processors the 50 ms of a period are gone after 25: two
 * jobs of 40 ms each run 0-25 and 100-115 ms. */
static void quota_in_slices(void **state)
{
    struct rig rig;
    struct job one = {.demand_ns = 120 * MS};
    struct job two[2] = {{.demand_ns = 40 * MS}, {.demand_ns = 40 * MS}};
    struct dls_engine_limits limits = {.time = 1000000000};

    (void)state;
    rig_init(&rig, 4, NULL, 0);
    rig.host.cpu_quota = 0.5;
    one.cpu = cpu_add(&rig, 1, 1);
    job_start(&rig, &one, 0);
    dls_engine_run(rig.engine, &limits);
    assert_close(one.done, 220000000);
    rig_release(&rig);

    rig_init(&rig, 4, NULL, 0);
    rig.host.cpu_quota = 0.5;
    two[0].cpu = two[1].cpu = cpu_add(&rig, 1, 1);
    job_start(&rig, &two[0], 0);
    job_start(&rig, &two[1], 0);
    dls_engine_run(rig.engine, &limits);
    assert_close(two[0].done, 115000000);
    assert_close(two[1].done, 115000000);
    rig_release(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sharing_with_yield),
        cmocka_unit_test(more_threads_than_cores),
        cmocka_unit_test(forced_hand_over),
        cmocka_unit_test(lock_in_turns),
        cmocka_unit_test(interpreters_are_independent),
        cmocka_unit_test(quota_in_slices),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
