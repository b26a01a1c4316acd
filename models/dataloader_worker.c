#include "models/dataloader_int.h"

/* A worker process: the task loop and its feeder thread, which share one interpreter
 * lock. */

static void worker_go(struct dls_engine *engine, struct dls_task *task);
static void feeder_go(struct dls_engine *engine, struct dls_task *task);

/* ------------------------------------------------------------------ feeder */

static void feeder_written(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_feeder *feeder = task->self;

    dls_dataloader_arrived(feeder->worker->loader, feeder->slot);
    feeder_go(engine, task);
}

/* Takes the next finished batch, or sleeps until there is one. */
static void feeder_go(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_feeder *feeder = task->self;
    struct dls_dataloader *loader = feeder->worker->loader;

    if (feeder->finished.count == 0) {
        feeder->work.then = feeder_go;
        feeder->idle = dls_work_wait(&feeder->work, task, DLS_CAUSE_IDLE);
        feeder->is_idle = true;
        return;
    }
    feeder->slot = dls_slots_pop(&feeder->finished);
    feeder->work.batch = feeder->slot->number;
    feeder->work.then = feeder_written;
    if (dls_work_use(&feeder->work, task, DLS_STAGE_PUT,
                     dls_batch_cost_ns(&loader->conf->put, feeder->slot->samples,
                                       feeder->slot->bytes),
                     DLS_CPU_PYTHON, true))
        feeder_written(engine, task);
}

static void feeder_put(struct dls_feeder *feeder, struct dls_slot *slot)
{
    dls_slots_put(&feeder->finished, slot);
    if (feeder->is_idle) {
        feeder->is_idle = false;
        dls_engine_resume(feeder->worker->loader->model->engine, feeder->idle);
    }
}

/* ------------------------------------------------------------------ descriptor
 * server */

static void answered(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_answerer *answerer = task->self;

    dls_work_wait(&answerer->work, task, DLS_CAUSE_IDLE);
    dls_engine_resume(engine, answerer->client);
}

void dls_worker_answer(struct dls_worker *worker, const struct dls_slot *slot,
                       struct dls_ref client)
{
    struct dls_answerer *answerer = worker->answerer;

    answerer->client = client;
    answerer->work.then = answered;
    if (dls_work_use(&answerer->work, answerer->task, DLS_STAGE_PUT,
                     dls_batch_cost_ns(&worker->loader->conf->handshake, slot->samples,
                                       slot->bytes),
                     DLS_CPU_PYTHON, true))
        answered(worker->loader->model->engine, answerer->task);
}

/* ------------------------------------------------------------------ task loop */

static void worker_collated(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_worker *worker = task->self;

    worker->is_new = false;
    feeder_put(worker->feeder, worker->slot);
    worker_go(engine, task);
}

static void worker_collate(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_worker *worker = task->self;
    struct dls_dataloader *loader = worker->loader;
    struct dls_slot *slot = worker->slot;
    struct dls_ledger *ledger = loader->model->ledger;

    slot->bytes = worker->bytes;
    dls_gauge_set(&ledger->shm_bytes, dls_engine_now(engine),
                  ledger->shm_bytes.level + slot->bytes);
    worker->work.then = worker_collated;
    if (dls_work_use(
            &worker->work, task, DLS_STAGE_COLLATE,
            dls_batch_cost_ns(&loader->conf->collate, slot->samples, slot->bytes),
            DLS_CPU_FRESH, false))
        worker_collated(engine, task);
}

/* Samples of the present batch, one after the other. */
static void worker_fetched(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_worker *worker = task->self;
    struct dls_dataloader *loader = worker->loader;

    worker->work.then = worker_fetched;
    while (worker->position < worker->slot->samples) {
        int64_t sample = dls_dataloader_sample(loader, worker->work.batch,
                                               worker->position++);
        bool is_done = dls_work_sample(&worker->work, task, sample, loader->epoch);

        worker->bytes += dls_dataloader_out_bytes(loader, worker->work.row);
        if (!is_done)
            return;
    }
    worker->work.sample = -1;
    worker_collate(engine, task);
}

/* Takes the next task, or sleeps until one is sent. */
static void worker_go(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_worker *worker = task->self;
    const struct dls_dataloader_conf *conf = worker->loader->conf;
    double demand_ns = 1e9 * (conf->fetch_s + (worker->is_new ? conf->first_s : 0));

    if (worker->tasks.count == 0) {
        worker->work.then = worker_go;
        worker->idle = dls_work_wait(&worker->work, task, DLS_CAUSE_IDLE);
        worker->is_idle = true;
        worker->loader->idle++;
        return;
    }
    worker->slot = dls_slots_pop(&worker->tasks);
    worker->work.batch = worker->slot->number;
    worker->work.sample = -1;
    worker->position = 0;
    worker->bytes = 0;
    worker->work.then = worker_fetched;
    if (dls_work_use(&worker->work, task,
                     worker->is_new ? DLS_STAGE_START : DLS_STAGE_PUT, demand_ns,
                     DLS_CPU_PYTHON, true))
        worker_fetched(engine, task);
}

/* ------------------------------------------------------------------ from the training
 * loop's side */

static void work_init(struct dls_work *work, struct dls_worker *worker, int32_t index)
{
    work->owner = worker->loader->model;
    work->actor = 1 + index;
    work->batch = work->sample = -1;
}

void dls_worker_init(struct dls_worker *worker, struct dls_dataloader *loader,
                     int32_t index, struct dls_program *program)
{
    struct dls_engine *engine = loader->model->engine;
    struct dls_arena *arena = dls_engine_arena(engine);
    struct dls_model *cpu = loader->model->to->of[DLS_ROLE_CPU];
    struct dls_feeder *feeder = dls_arena_get(arena, 1, sizeof *feeder);
    struct dls_answerer *answerer = dls_arena_get(arena, 1, sizeof *answerer);
    uint32_t most = (uint32_t)loader->conf->prefetch; /* tasks of one worker */

    worker->loader = loader;
    work_init(&worker->work, worker, index);
    worker->work.program = program;
    worker->work.interpreter = DLS_KIND_OF(cpu, cpu)->interpreter_new(cpu);
    worker->feeder = feeder;
    dls_slots_init(&worker->tasks, arena, most);
    worker->task = dls_task_new(engine, worker_go, worker);
    worker->task->flags |= DLS_TASK_DAEMON;
    feeder->worker = worker;
    work_init(&feeder->work, worker, index);
    feeder->work.interpreter = worker->work.interpreter;
    dls_slots_init(&feeder->finished, arena, most);
    feeder->task = dls_task_new(engine, feeder_go, feeder);
    feeder->task->flags |= DLS_TASK_DAEMON;
    feeder_go(engine, feeder->task);
    worker->answerer = answerer;
    answerer->worker = worker;
    work_init(&answerer->work, worker, index);
    answerer->work.interpreter = worker->work.interpreter;
    answerer->task = dls_task_new(engine, answered, answerer);
    answerer->task->flags |= DLS_TASK_DAEMON;
}

void dls_worker_begin(struct dls_worker *worker)
{
    worker->is_new = true;
    if (worker->is_idle)
        worker->loader->idle--;
    worker->is_idle = false;
    worker->work.then = worker_go;
    dls_work_delay(&worker->work, worker->task,
                   dls_time_of_seconds(worker->loader->conf->lag_s), DLS_STAGE_START,
                   DLS_CAUSE_STARTUP);
}

void dls_worker_send(struct dls_worker *worker, struct dls_slot *slot)
{
    dls_slots_put(&worker->tasks, slot);
    if (worker->is_idle) {
        worker->is_idle = false;
        worker->loader->idle--;
        dls_engine_resume(worker->loader->model->engine, worker->idle);
    }
}
