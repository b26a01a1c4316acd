/* consumer.gpu: a training loop on one GPU.
 *
 * Law: a step of n items takes base + per_item x n on the device, with a lognormal
 * jitter of the given coefficient of variation. The host spends `host` of CPU launching
 * it and may be `run_ahead` steps ahead of the device: 0 waits for every step's end (a
 * loss read each step), 1 lets next() for the following batch run under the step.
 * Source: affine step time within 7 % over batches 4-400 on H100 (MLPerf training logs;
 * presets/consumer.c).
 * Calibrated: base, per_item, host. Tested by: loader.none gives batch / step
 * (tests/unit/test_models.c). */
#include "models/consumer_int.h"

enum { RUN_AHEAD_MAX = 64 };

struct conf {
    double base_s, per_item_s, jitter, host_s;
    int64_t run_ahead;
};

struct state {
    struct dls_training training;
    dls_time ends[RUN_AHEAD_MAX +
                  1]; /* of the last steps, by step number modulo run_ahead + 1 */
    uint64_t jitter_key;
};

static const struct dls_param params[] = {
    {.key = "step.base",
     .type = DLS_PARAM_QUANTITY,
     .unit = DLS_UNIT_TIME,
     .offset = offsetof(struct conf, base_s),
     .max = 1e5,
     .flags = DLS_PARAM_CALIBRATED,
     .help = "device time of a step, whatever its size"},
    {.key = "step.per_item",
     .type = DLS_PARAM_QUANTITY,
     .unit = DLS_UNIT_TIME,
     .offset = offsetof(struct conf, per_item_s),
     .preset = "0 s",
     .max = 1e4,
     .flags = DLS_PARAM_CALIBRATED,
     .help = "device time of a step for each item"},
    {.key = "jitter",
     .type = DLS_PARAM_QUANTITY,
     .unit = DLS_UNIT_FRACTION,
     .offset = offsetof(struct conf, jitter),
     .preset = "0",
     .max = 10,
     .help = "coefficient of variation of the step time"},
    {.key = "host",
     .type = DLS_PARAM_QUANTITY,
     .unit = DLS_UNIT_TIME,
     .offset = offsetof(struct conf, host_s),
     .preset = "0 s",
     .max = 1e4,
     .flags = DLS_PARAM_CALIBRATED,
     .help = "CPU of the host for launching a step"},
    {.key = "run_ahead",
     .type = DLS_PARAM_COUNT,
     .offset = offsetof(struct conf, run_ahead),
     .preset = "0",
     .max = RUN_AHEAD_MAX,
     .help = "steps that the host may be ahead of the device; 0: it waits for each"},
    {0},
};

static void launched(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_training *training = task->self;
    struct dls_model *consumer = training->model;
    const struct conf *conf = DLS_CONF(consumer);
    struct state *state = DLS_STATE(consumer);
    uint64_t visit = (uint64_t)training->steps;
    struct dls_rng rng = dls_rng_of(dls_rng_at(state->jitter_key, visit, 0, 0));
    double mean = conf->base_s + conf->per_item_s * (double)training->batch.items;
    struct dls_law law = {
        .kind = DLS_LAW_LOGNORMAL, .a = mean, .b = mean * conf->jitter};
    dls_time now = dls_engine_now(engine);
    dls_time begin = now > training->device_ends ? now : training->device_ends;
    int64_t places = conf->run_ahead + 1;
    dls_time wait_for;

    training->times.step = dls_time_of_seconds(
        conf->jitter > 0 && mean > 0 ? dls_law_draw(&law, &rng, 0) : mean);
    training->device_ends = begin + training->times.step;
    state->ends[training->steps % places] = training->device_ends;
    wait_for = training->steps + 1 >= places
                   ? state->ends[(training->steps + 1) % places]
                   : 0;
    task->run = dls_training_stepped;
    if (wait_for > now)
        dls_engine_after(engine, task, wait_for - now, DLS_PRIORITY_COMPLETION,
                         DLS_CAUSE_GPU);
    else
        dls_training_stepped(engine, task);
}

static void step(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_training *training = task->self;

    training->work.then = launched;
    if (dls_work_use(&training->work, task, DLS_STAGE_STEP,
                     1e9 * DLS_CONF(training->model)->host_s, DLS_CPU_PYTHON, true))
        launched(engine, task);
}

static void begin(struct dls_model *consumer, void (*ended)(void *self), void *self)
{
    struct state *state = DLS_STATE(consumer);

    state->jitter_key = dls_rng_key(consumer->seed, consumer->replication,
                                    consumer->name, "step");
    dls_training_begin(&state->training, consumer, step, ended, self);
}

const struct dls_consumer_kind dls_consumer_gpu = {
    .kind =
        {
            .abi = DLS_MODEL_ABI,
            .role = DLS_ROLE_CONSUMER,
            .name = "consumer.gpu",
            .summary = "a training loop on one GPU, step time affine in items",
            .params = params,
            .conf_size = sizeof(struct conf),
            .state_size = sizeof(struct state),
        },
    .begin = begin,
};
