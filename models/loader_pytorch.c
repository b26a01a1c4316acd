/* loader.pytorch: torch.utils.data.DataLoader, map style.
 *
 * Law: dataloader_int.h. In the mean, with equal batches of T seconds, W workers and a
 * consumer of c seconds a batch, the period is max(T / W, c) while W workers have a
 * core each.
 * Assumptions: fork start; the default collate into shared memory; file descriptors as
 * sharing strategy.
 * Calibrated: collate, put, receive, handshake, fetch, issue, start*, lag, first*,
 * teardown*.
 * Tested by: the published vectors V1-V6 and V2o (tests/unit/test_loader_pytorch.c). */
#include "models/dataloader_int.h"

struct state {
    struct dls_dataloader loader;
};

static const struct dls_param params[] = {DLS_DATALOADER_PARAMS, {0}};

static void init(struct dls_model *model)
{
    dls_dataloader_init(&DLS_STATE(model)->loader, model);
}

static bool start(struct dls_model *model, struct dls_task *task, int64_t epoch)
{
    return dls_dataloader_start(&DLS_STATE(model)->loader, task, epoch);
}

static bool next(struct dls_model *model, struct dls_task *task)
{
    return dls_dataloader_next(&DLS_STATE(model)->loader, task);
}

static const struct dls_batch *batch(struct dls_model *model)
{
    return &DLS_STATE(model)->loader.batch;
}

static struct dls_interpreter *interpreter(struct dls_model *model)
{
    return DLS_STATE(model)->loader.main.work.interpreter;
}

const struct dls_loader_kind dls_loader_pytorch = {
    .kind =
        {
            .abi = DLS_MODEL_ABI,
            .role = DLS_ROLE_LOADER,
            .name = "loader.pytorch",
            .summary = "torch.utils.data.DataLoader, map style",
            .params = params,
            .conf_size = sizeof(struct dls_dataloader_conf),
            .state_size = sizeof(struct state),
            .check = dls_dataloader_check,
            .init = init,
        },
    .start = start,
    .next = next,
    .batch = batch,
    .interpreter = interpreter,
};
