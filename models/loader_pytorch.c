/* loader.pytorch: torch.utils.data.DataLoader, map style.
 *
 * Law: dataloader_int.h. In the mean, with equal batches of T seconds, W workers and a
 * consumer of c seconds a batch, the period is max(T / W, c) while W workers have a
 * core each.
 * Assumptions: fork start; the default collate into shared memory; file descriptors as
 * sharing strategy.
 * Calibrated: collate, put, receive, handshake, fetch, issue, start*, lag, first*,
 * teardown*.
 * Tested by: the published vectors V1-V6 and V2o (tests/unit/test_loader_pytorch.c),
 * exact arrivals and the laws of the window (tests/unit/test_loader_laws.c). */
#include "models/dataloader_int.h"

static const struct dls_param params[] = {DLS_DATALOADER_PARAMS, {0}};

const struct dls_loader_kind dls_loader_pytorch = {
    .kind =
        {
            .abi = DLS_MODEL_ABI,
            .role = DLS_ROLE_LOADER,
            .name = "loader.pytorch",
            .summary = "torch.utils.data.DataLoader, map style",
            .params = params,
            .conf_size = sizeof(struct dls_dataloader_conf),
            .state_size = sizeof(struct dls_dataloader),
            .check = dls_dataloader_check,
            .init = dls_dataloader_init,
        },
    .start = dls_dataloader_start,
    .next = dls_dataloader_next,
    .finish = dls_dataloader_finish,
    .batch = dls_dataloader_batch,
    .interpreter = dls_dataloader_interpreter,
};
