/* engine_programs.h: the programs that measure the engine, with check values that tests
 * pin and the benchmark prints.
 *
 * Durations come from two tables of 2^20 exponential draws of mean 1, A and B
 * (splitmix64; 53 bits; -log1p(-u)). One unit is 1,000,000 ns; a duration is value x
 * factor x 1e6, rounded half up. Header only: each program that includes it is one
 * translation unit. */
#ifndef DLS_TESTS_SUPPORT_ENGINE_PROGRAMS_H
#define DLS_TESTS_SUPPORT_ENGINE_PROGRAMS_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "sim/engine/engine.h"
#include "sim/engine/rng.h"
#include "sim/engine/server.h"
#include "sim/engine/share.h"
#include "sim/engine/store.h"
#include "sim/stats/quantile.h"

#define PROGRAM_TABLE (1u << 20)
#define PROGRAM_UNIT_NS 1e6

/* A and B. */
static inline double *program_table(uint64_t seed)
{
    double *table = dls_mem_new(PROGRAM_TABLE, sizeof *table);
    struct dls_rng rng = dls_rng_of(seed);

    for (uint32_t i = 0; i < PROGRAM_TABLE; i++)
        table[i] = -log1p(-dls_rng_uniform(&rng));
    return table;
}

static inline double *program_table_a(void)
{
    return program_table(12345);
}

static inline double *program_table_b(void)
{
    return program_table(67890);
}

static inline dls_time program_duration(const double *table, uint64_t i, double factor)
{
    return (dls_time)(table[i & (PROGRAM_TABLE - 1)] * factor * PROGRAM_UNIT_NS + 0.5);
}

static inline double program_work(const double *table, uint64_t i, double factor)
{
    return (double)program_duration(table, i, factor);
}

/* ------------------------------------ (a) hold: N tasks, each re-arms when it fires */

struct program_hold {
    const double *a;
    uint64_t drawn;
};

static inline void program_hold_fire(struct dls_engine *engine, struct dls_task *task)
{
    struct program_hold *hold = task->self;

    dls_engine_after(engine, task, program_duration(hold->a, hold->drawn++, 1),
                     DLS_PRIORITY_NORMAL, DLS_CAUSE_IDLE);
}

static inline struct dls_engine *program_hold_start(struct program_hold *hold,
                                                    const double *a, uint32_t tasks)
{
    struct dls_engine *engine = dls_engine_new();

    *hold = (struct program_hold){a, tasks};
    for (uint32_t i = 0; i < tasks; i++)
        dls_engine_after(engine, dls_task_new(engine, program_hold_fire, hold),
                         program_duration(a, i, 1), DLS_PRIORITY_NORMAL,
                         DLS_CAUSE_IDLE);
    return engine;
}

/* Runs until `events` continuations have run since the start. */
static inline void program_run_to(struct dls_engine *engine, int64_t events)
{
    dls_engine_run(engine, &(struct dls_engine_limits){.events = events});
}

/* ------------------------------------------- (b) mm1: source, one FIFO server, sink */

struct program_mm1 {
    const double *a, *b;
    struct dls_server *server;
    struct dls_quantile *latency;
    int64_t customers;
    int64_t arrived;
    int64_t total_ns;
    dls_time last;
};

static inline void program_mm1_leave(struct dls_engine *engine, struct dls_task *task)
{
    struct program_mm1 *mm1 = task->self;
    dls_time now = dls_engine_now(engine);

    mm1->total_ns += now - task->a;
    mm1->last = now;
    if (mm1->latency)
        dls_quantile_add(mm1->latency, (double)(now - task->a));
    dls_task_free(engine, task);
}

static inline void program_mm1_arrive(struct dls_engine *engine,
                                      struct dls_task *source)
{
    struct program_mm1 *mm1 = source->self;
    struct dls_task *customer = dls_task_new(engine, program_mm1_leave, mm1);
    int64_t number = mm1->arrived++;

    customer->a = dls_engine_now(engine);
    dls_server_serve(mm1->server, customer,
                     program_duration(mm1->b, (uint64_t)number, 1), DLS_CAUSE_STORAGE);
    if (mm1->arrived < mm1->customers)
        dls_engine_after(engine, source,
                         program_duration(mm1->a, (uint64_t)mm1->arrived, 1 / 0.9),
                         DLS_PRIORITY_NORMAL, DLS_CAUSE_IDLE);
    else
        dls_task_free(engine, source);
}

static inline struct dls_engine *program_mm1_start(struct program_mm1 *mm1,
                                                   const double *a, const double *b,
                                                   int64_t customers)
{
    struct dls_engine *engine = dls_engine_new();

    *mm1 = (struct program_mm1){.a = a, .b = b, .customers = customers};
    mm1->server = dls_server_new(engine, 1);
    dls_engine_after(engine, dls_task_new(engine, program_mm1_arrive, mm1),
                     program_duration(a, 0, 1 / 0.9), DLS_PRIORITY_NORMAL,
                     DLS_CAUSE_IDLE);
    return engine;
}

/* ----------------------------------- (c) pipeline: 16 workers, store, batches of 32 */

enum { PROGRAM_WORKERS = 16, PROGRAM_BATCH = 32, PROGRAM_STORE = 64 };

struct program_pipeline {
    struct program_pipelines *all;
    struct dls_server *device;
    struct dls_share *cores;
    struct dls_store *store;
    int64_t issued;
    int64_t taken;
    uint32_t number;
    dls_time end;
};

struct program_pipelines {
    const double *a, *b;
    int64_t samples;
    struct dls_quantile *latency;
    struct program_pipeline *pipelines;
    uint32_t count;
};

static inline void program_worker_issue(struct dls_engine *engine,
                                        struct dls_task *task);

/* A worker's task: `word` is its number, `a` when its sample was issued (which goes
 * through the store), `b` counts them. */
static inline uint64_t program_worker_draw(const struct program_pipeline *pipeline,
                                           const struct dls_task *task)
{
    return (7919u * (uint64_t)pipeline->number + 1021u * task->word +
            (uint64_t)task->b) &
           ((1u << 14) - 1);
}

static inline void program_worker_put(struct dls_engine *engine, struct dls_task *task)
{
    struct program_pipeline *pipeline = task->self;

    task->b++;
    task->run = program_worker_issue;
    if (dls_store_put(pipeline->store, task, task->a))
        program_worker_issue(engine, task);
}

static inline void program_worker_decode(struct dls_engine *engine,
                                         struct dls_task *task)
{
    struct program_pipeline *pipeline = task->self;

    (void)engine;
    task->run = program_worker_put;
    dls_share_use(
        pipeline->cores, task,
        program_work(pipeline->all->b, program_worker_draw(pipeline, task), 0.4), 0,
        DLS_CAUSE_CPU);
}

static inline void program_worker_issue(struct dls_engine *engine,
                                        struct dls_task *task)
{
    struct program_pipeline *pipeline = task->self;

    if (pipeline->issued == pipeline->all->samples) {
        dls_task_free(engine, task);
        return;
    }
    pipeline->issued++;
    task->a = dls_engine_now(engine);
    task->run = program_worker_decode;
    dls_server_serve(
        pipeline->device, task,
        program_duration(pipeline->all->a, program_worker_draw(pipeline, task), 2.0),
        DLS_CAUSE_STORAGE);
}

static inline void program_consumer_step(struct dls_engine *engine,
                                         struct dls_task *task);

static inline void program_consumer_took(struct dls_engine *engine,
                                         struct program_pipeline *pipeline,
                                         int64_t issued)
{
    pipeline->taken++;
    dls_quantile_add(pipeline->all->latency, (double)(dls_engine_now(engine) - issued));
}

static inline void program_consumer_resumed(struct dls_engine *engine,
                                            struct dls_task *task)
{
    program_consumer_took(engine, task->self, task->a);
    program_consumer_step(engine, task);
}

/* Takes up to the batch's end, then computes 7.0 units. */
static inline void program_consumer_step(struct dls_engine *engine,
                                         struct dls_task *task)
{
    struct program_pipeline *pipeline = task->self;
    int64_t issued;

    while (pipeline->taken % PROGRAM_BATCH != 0 || task->phase == 0) {
        task->phase = 1;
        task->run = program_consumer_resumed;
        if (!dls_store_get(pipeline->store, task, &issued))
            return;
        program_consumer_took(engine, pipeline, issued);
    }
    task->phase = 0;
    task->run = program_consumer_step;
    if (pipeline->taken == pipeline->all->samples) {
        pipeline->end = dls_engine_now(engine) + (dls_time)(7 * PROGRAM_UNIT_NS);
        dls_task_free(engine, task);
        return;
    }
    dls_engine_after(engine, task, (dls_time)(7 * PROGRAM_UNIT_NS), DLS_PRIORITY_NORMAL,
                     DLS_CAUSE_GPU);
}

static inline struct dls_engine *
program_pipelines_start(struct program_pipelines *all, const double *a, const double *b,
                        uint32_t count, int64_t samples)
{
    struct dls_engine *engine = dls_engine_new();

    *all = (struct program_pipelines){
        .a = a, .b = b, .samples = samples, .count = count};
    all->latency = dls_quantile_new();
    all->pipelines = dls_arena_get(dls_engine_arena(engine), count,
                                   sizeof *all->pipelines);
    for (uint32_t r = 0; r < count; r++) {
        struct program_pipeline *pipeline = &all->pipelines[r];
        struct dls_task *task;

        *pipeline = (struct program_pipeline){.all = all, .number = r};
        pipeline->device = dls_server_new(engine, 8);
        pipeline->cores = dls_share_new(engine, 2, 1, NULL, NULL);
        pipeline->store = dls_store_new(engine, PROGRAM_STORE);
        for (uint32_t w = 0; w < PROGRAM_WORKERS; w++) {
            task = dls_task_new(engine, program_worker_issue, pipeline);
            task->word = w;
            dls_engine_resume(engine, dls_task_park(engine, task, DLS_CAUSE_STARTUP));
        }
        task = dls_task_new(engine, program_consumer_step, pipeline);
        dls_engine_resume(engine, dls_task_park(engine, task, DLS_CAUSE_STARTUP));
    }
    return engine;
}

/* Mean end over the pipelines, in units. */
static inline double program_pipelines_end(const struct program_pipelines *all)
{
    double sum = 0;

    for (uint32_t r = 0; r < all->count; r++)
        sum += (double)all->pipelines[r].end;
    return sum / all->count / PROGRAM_UNIT_NS;
}

/* ---------------------------------- (d) share: n jobs, each starts again at its end */

struct program_share {
    const double *a;
    struct dls_share *cores;
    uint64_t drawn;
};

static inline void program_share_again(struct dls_engine *engine, struct dls_task *task)
{
    struct program_share *share = task->self;

    (void)engine;
    dls_share_use(share->cores, task, program_work(share->a, share->drawn++, 1), 0,
                  DLS_CAUSE_CPU);
}

static inline struct dls_engine *program_share_start(struct program_share *share,
                                                     const double *a, uint32_t jobs)
{
    struct dls_engine *engine = dls_engine_new();

    *share = (struct program_share){.a = a};
    share->cores = dls_share_new(engine, 2, 1, NULL, NULL);
    for (uint32_t i = 0; i < jobs; i++)
        program_share_again(engine, dls_task_new(engine, program_share_again, share));
    return engine;
}

#endif
