#include "models/consumer_int.h"

static void epoch_begin(struct dls_engine *engine, struct dls_task *task);
static void batch_request(struct dls_engine *engine, struct dls_task *task);

static struct dls_model *role(const struct dls_training *training, enum dls_role which)
{
    return training->model->to->of[which];
}

static void step_reduced(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_training *training = task->self;
    struct dls_model *checkpoint = role(training, DLS_ROLE_CHECKPOINT);

    task->run = batch_request;
    if (DLS_KIND_OF(checkpoint, checkpoint)
            ->after_step(checkpoint, task, training->steps, false))
        batch_request(engine, task);
}

void dls_training_stepped(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_training *training = task->self;
    const struct dls_observer *observer = training->model->observer;
    struct dls_model *collective = role(training, DLS_ROLE_COLLECTIVE);

    training->times.done = dls_engine_now(engine) > training->device_ends
                               ? dls_engine_now(engine)
                               : training->device_ends;
    training->model->ledger->stage_ns[DLS_STAGE_STEP] += (double)training->times.step;
    if (observer->batch != NULL)
        observer->batch(observer->self, &training->times);
    training->steps++;
    task->run = step_reduced;
    if (DLS_KIND_OF(collective, collective)->reduce(collective, task))
        step_reduced(engine, task);
}

static void batch_copied(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_training *training = task->self;

    training->model->ledger->stage_ns[DLS_STAGE_COPY] +=
        (double)(dls_engine_now(engine) - training->times.arrive);
    training->step(engine, task);
}

/* The epoch ends when the device has done its last step. */
/* The iterator is gone: the next epoch, or the end. */
static void epoch_finished(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_training *training = task->self;

    if (++training->epoch < training->model->run->epochs) {
        epoch_begin(engine, task);
        return;
    }
    dls_task_free(engine, task);
    training->ended(training->ended_self);
}

static void epoch_ended(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_training *training = task->self;
    const struct dls_observer *observer = training->model->observer;
    struct dls_model *loader = role(training, DLS_ROLE_LOADER);
    dls_time end = training->times.done;

    if (observer->epoch != NULL)
        observer->epoch(observer->self, training->model->rank, (int32_t)training->epoch,
                        training->epoch_began, end);
    task->run = epoch_finished;
    if (DLS_KIND_OF(loader, loader)->finish == NULL ||
        DLS_KIND_OF(loader, loader)->finish(loader, task))
        epoch_finished(engine, task);
}

static void batch_arrived(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_training *training = task->self;
    struct dls_model *loader = role(training, DLS_ROLE_LOADER);
    struct dls_model *link = role(training, DLS_ROLE_LINK);

    training->batch = *DLS_KIND_OF(loader, loader)->batch(loader);
    if (training->batch.number < 0) {
        task->run = epoch_ended;
        if (training->device_ends > dls_engine_now(engine))
            dls_engine_after(engine, task,
                             training->device_ends - dls_engine_now(engine),
                             DLS_PRIORITY_COMPLETION, DLS_CAUSE_GPU);
        else
            epoch_ended(engine, task);
        return;
    }
    training->times.arrive = dls_engine_now(engine);
    training->times.batch = training->batch.number;
    training->times.samples = training->batch.samples;
    training->times.items = training->batch.items;
    training->model->ledger->stage_ns[DLS_STAGE_WAIT] +=
        (double)(training->times.arrive - training->times.request);
    task->run = batch_copied;
    if (DLS_KIND_OF(link, link)
            ->transfer(link, task, training->batch.bytes, DLS_TO_DEVICE,
                       training->batch.pinned))
        batch_copied(engine, task);
}

static void next_call(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_training *training = task->self;
    struct dls_model *loader = role(training, DLS_ROLE_LOADER);

    task->run = batch_arrived;
    if (DLS_KIND_OF(loader, loader)->next(loader, task))
        batch_arrived(engine, task);
}

static void batch_request(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_training *training = task->self;

    dls_cpu_drop(role(training, DLS_ROLE_CPU), task, training->work.interpreter);
    training->times.request = dls_engine_now(engine);
    next_call(engine, task);
}

/* The iterator is there; its creation belongs to the first request. */
static void epoch_started(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_training *training = task->self;

    training->model->ledger->wait_ns[DLS_CAUSE_STARTUP] +=
        (double)(dls_engine_now(engine) - training->epoch_began);
    next_call(engine, task);
}

static void epoch_begin(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_training *training = task->self;
    struct dls_model *loader = role(training, DLS_ROLE_LOADER);

    training->epoch_began = training->times.request = dls_engine_now(engine);
    training->times.done = training->epoch_began;
    training->times.epoch = (int32_t)training->epoch;
    task->run = epoch_started;
    if (DLS_KIND_OF(loader, loader)->start(loader, task, training->epoch))
        epoch_started(engine, task);
}

void dls_training_begin(struct dls_training *training, struct dls_model *model,
                        dls_run_fn *step, void (*ended)(void *self), void *self)
{
    struct dls_model *loader = model->to->of[DLS_ROLE_LOADER];

    training->model = model;
    training->work.owner = model;
    training->work.interpreter = DLS_KIND_OF(loader, loader)->interpreter(loader);
    training->work.batch = training->work.sample = -1;
    training->step = step;
    training->ended = ended;
    training->ended_self = self;
    training->times.rank = model->rank;
    training->task = dls_task_new(model->engine, epoch_begin, training);
    dls_engine_resume(model->engine,
                      dls_task_park(model->engine, training->task, DLS_CAUSE_STARTUP));
}
