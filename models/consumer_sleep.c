/* consumer.sleep: an emulated accelerator; the training loop sleeps for a step's time.
 *
 * Law: a step is `work` of CPU in the training loop, then a sleep of step + overshoot
 * (0 when the step is 0).
 * Source: how MLPerf Storage and the recorded runs emulate a GPU; a sleep ends late by
 * the timer's slack.
 * Calibrated: step, overshoot, work. Tested by: throughput = batch / (work + step +
 * overshoot) (tests/unit/test_models.c). */
#include "models/consumer_int.h"

struct conf {
    double step_s, per_item_s, overshoot_s, work_s;
};

struct state {
    struct dls_training training;
};

static const struct dls_param params[] = {
    {.key = "step.base",
     .type = DLS_PARAM_QUANTITY,
     .unit = DLS_UNIT_TIME,
     .offset = offsetof(struct conf, step_s),
     .max = 1e5,
     .flags = DLS_PARAM_CALIBRATED,
     .help = "time slept for a step"},
    {.key = "step.per_item",
     .type = DLS_PARAM_QUANTITY,
     .unit = DLS_UNIT_TIME,
     .offset = offsetof(struct conf, per_item_s),
     .preset = "0 s",
     .max = 1e4,
     .help = "time slept for each item of the batch"},
    {.key = "overshoot",
     .type = DLS_PARAM_QUANTITY,
     .unit = DLS_UNIT_TIME,
     .offset = offsetof(struct conf, overshoot_s),
     .preset = "0 s",
     .max = 1,
     .flags = DLS_PARAM_CALIBRATED,
     .help = "how late a sleep ends"},
    {.key = "work",
     .type = DLS_PARAM_QUANTITY,
     .unit = DLS_UNIT_TIME,
     .offset = offsetof(struct conf, work_s),
     .preset = "0 s",
     .max = 1e4,
     .flags = DLS_PARAM_CALIBRATED,
     .help = "CPU of the training loop in each step"},
    {0},
};

static void slept(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_training *training = task->self;

    training->device_ends = dls_engine_now(engine);
    training->times.step = training->device_ends - training->times.step;
    dls_training_stepped(engine, task);
}

static void worked(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_training *training = task->self;
    const struct conf *conf = DLS_CONF(training->model);
    double sleep = conf->step_s + conf->per_item_s * (double)training->batch.items;

    if (sleep <= 0) {
        slept(engine, task);
        return;
    }
    dls_cpu_drop(training->model->to->of[DLS_ROLE_CPU], task,
                 training->work.interpreter);
    task->run = slept;
    dls_engine_after(engine, task, dls_time_of_seconds(sleep + conf->overshoot_s),
                     DLS_PRIORITY_NORMAL, DLS_CAUSE_GPU);
}

static void step(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_training *training = task->self;

    training->times.step = dls_engine_now(engine);
    training->work.then = worked;
    if (dls_work_use(&training->work, task, DLS_STAGE_STEP,
                     1e9 * DLS_CONF(training->model)->work_s, DLS_CPU_PYTHON, true))
        worked(engine, task);
}

static void begin(struct dls_model *consumer, void (*ended)(void *self), void *self)
{
    dls_training_begin(&DLS_STATE(consumer)->training, consumer, step, ended, self);
}

const struct dls_consumer_kind dls_consumer_sleep = {
    .kind =
        {
            .abi = DLS_MODEL_ABI,
            .role = DLS_ROLE_CONSUMER,
            .name = "consumer.sleep",
            .summary =
                "an emulated accelerator: the training loop sleeps for a step's time",
            .params = params,
            .conf_size = sizeof(struct conf),
            .state_size = sizeof(struct state),
        },
    .begin = begin,
};
