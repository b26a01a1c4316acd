/* loader.none: the ideal loader; every batch is there when it is asked for. The bound
 * of all loaders.
 *
 * Tested by: throughput = batch / step (tests/unit/test_models.c). */
#include <math.h>

#include "sim/model.h"

struct conf {
    int64_t batch;
    bool drop_last;
};

struct state {
    struct dls_interpreter *interpreter;
    struct dls_batch batch;
    int64_t batches, next;
};

static const struct dls_param params[] = {
    {.key = "batch",
     .synonym = "batch_size",
     .type = DLS_PARAM_COUNT,
     .offset = offsetof(struct conf, batch),
     .min = 1,
     .max = 1e6,
     .help = "samples in a batch"},
    {.key = "drop_last",
     .type = DLS_PARAM_BOOL,
     .offset = offsetof(struct conf, drop_last),
     .preset = "false",
     .help = "drop the epoch's partial batch"},
    {0},
};

static int64_t epoch_samples(struct dls_model *loader)
{
    struct dls_model *source = loader->to->of[DLS_ROLE_SOURCE];

    return DLS_KIND_OF(source, source)->samples(source);
}

static void init(struct dls_model *loader)
{
    struct dls_model *cpu = loader->to->of[DLS_ROLE_CPU];

    DLS_STATE(loader)->interpreter = DLS_KIND_OF(cpu, cpu)->interpreter_new(cpu);
}

static bool start(struct dls_model *loader, struct dls_task *task, int64_t epoch)
{
    const struct conf *conf = DLS_CONF(loader);
    struct state *state = DLS_STATE(loader);
    int64_t samples = epoch_samples(loader);

    (void)task;
    (void)epoch;
    state->next = 0;
    state->batches = samples / conf->batch +
                     (!conf->drop_last && samples % conf->batch != 0);
    return true;
}

static bool next(struct dls_model *loader, struct dls_task *task)
{
    const struct conf *conf = DLS_CONF(loader);
    struct state *state = DLS_STATE(loader);
    struct dls_model *transform = loader->to->of[DLS_ROLE_TRANSFORM];
    const struct dls_transform_kind *kind = DLS_KIND_OF(transform, transform);
    int64_t left = epoch_samples(loader) - state->next * conf->batch;
    int64_t samples = left < conf->batch ? left : conf->batch;

    (void)task;
    if (state->next == state->batches) {
        state->batch = (struct dls_batch){.number = -1};
        return true;
    }
    state->batch = (struct dls_batch){
        .number = state->next++,
        .samples = samples,
        .items = (int64_t)floor((double)samples * kind->items_per_sample(transform) +
                                0.5),
        .bytes = (double)samples * kind->out_bytes(transform, 0),
        .pinned = true,
    };
    return true;
}

static const struct dls_batch *batch(struct dls_model *loader)
{
    return &DLS_STATE(loader)->batch;
}

static struct dls_interpreter *interpreter(struct dls_model *loader)
{
    return DLS_STATE(loader)->interpreter;
}

const struct dls_loader_kind dls_loader_none = {
    .kind =
        {
            .abi = DLS_MODEL_ABI,
            .role = DLS_ROLE_LOADER,
            .name = "loader.none",
            .summary = "the ideal loader: every batch is there when it is asked for",
            .params = params,
            .conf_size = sizeof(struct conf),
            .state_size = sizeof(struct state),
            .init = init,
        },
    .start = start,
    .next = next,
    .batch = batch,
    .interpreter = interpreter,
};
