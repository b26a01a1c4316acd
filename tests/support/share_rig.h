/* share_rig.h: jobs that arrive at a share and what is done to it at which time, for
 * the tests of share.h.
 *
 * Jobs are numbered; the rig notes when each ended, in which order, and what was left
 * of removed ones. Header only. */
#ifndef DLS_TESTS_SUPPORT_SHARE_RIG_H
#define DLS_TESTS_SUPPORT_SHARE_RIG_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sim/engine/share.h"

enum { JOBS = 16 };

struct bench {
    struct dls_engine *engine;
    struct dls_share *share;
    struct dls_task *job[JOBS];
    double work[JOBS];
    uint32_t class[JOBS];
    bool present[JOBS];
    dls_time ended[JOBS]; /* -1: not (yet) */
    double removed[JOBS]; /* work left when it was removed, -1: was not */
    int order[JOBS];
    int count;
};

static inline void bench_init(struct bench *bench, double servers, double cap,
                              dls_capacity_fn *capacity, void *self)
{
    *bench = (struct bench){.engine = dls_engine_new()};
    bench->share = dls_share_new(bench->engine, servers, cap, capacity, self);
    for (int i = 0; i < JOBS; i++) {
        bench->ended[i] = -1;
        bench->removed[i] = -1;
    }
}

static inline void end_job(struct dls_engine *engine, struct dls_task *task)
{
    struct bench *bench = task->self;

    assert_int_equal(bench->ended[task->word], -1);
    bench->ended[task->word] = dls_engine_now(engine);
    bench->present[task->word] = false;
    bench->order[bench->count++] = (int)task->word;
    dls_task_free(engine, task);
}

static inline void start_job(struct dls_engine *engine, struct dls_task *task)
{
    struct bench *bench = task->self;

    (void)engine;
    task->run = end_job;
    bench->present[task->word] = true;
    dls_share_use(bench->share, task, bench->work[task->word], bench->class[task->word],
                  DLS_CAUSE_CPU);
}

static inline void add_job(struct bench *bench, uint32_t number, dls_time at,
                           double work, uint32_t class)
{
    struct dls_task *task = dls_task_new(bench->engine, start_job, bench);

    task->word = number;
    bench->job[number] = task;
    bench->work[number] = work;
    bench->class[number] = class;
    dls_engine_after(bench->engine, task, at, DLS_PRIORITY_NORMAL, DLS_CAUSE_STARTUP);
}

/* Something done to the share at a time: `word` is the job. */
static inline void remove_job(struct dls_engine *engine, struct dls_task *task)
{
    struct bench *bench = task->self;
    struct dls_task *job = bench->job[task->word];

    if (bench->present[task->word]) {
        double left = dls_share_left(bench->share, job);

        bench->removed[task->word] = dls_share_remove(bench->share, job);
        assert_true(bench->removed[task->word] == left);
        bench->present[task->word] = false;
        dls_task_free(engine, job);
    }
    dls_task_free(engine, task);
}

static inline void cancel_job(struct dls_engine *engine, struct dls_task *task)
{
    struct bench *bench = task->self;

    if (bench->ended[task->word] < 0)
        dls_task_free(engine, bench->job[task->word]);
    dls_task_free(engine, task);
}

static inline void change_capacity(struct dls_engine *engine, struct dls_task *task)
{
    struct bench *bench = task->self;

    dls_share_set_capacity(bench->share, (double)task->a);
    dls_task_free(engine, task);
}

static inline void at(struct bench *bench, dls_time time, enum dls_priority priority,
                      dls_run_fn *run, uint32_t job, int64_t capacity)
{
    struct dls_task *task = dls_task_new(bench->engine, run, bench);

    task->word = job;
    task->a = capacity;
    dls_engine_after(bench->engine, task, time, priority, DLS_CAUSE_IDLE);
}

static inline void run_and_check(struct bench *bench, int jobs,
                                 const dls_time *expected)
{
    assert_int_equal(dls_engine_run(bench->engine, NULL), DLS_END_EMPTY);
    for (int i = 0; i < jobs; i++)
        assert_int_equal(bench->ended[i], expected[i]);
    assert_int_equal(dls_share_jobs(bench->share), 0);
    assert_int_equal(dls_task_count(bench->engine), 0);
}

#endif
