/* checkpoint.none: no checkpoints. */
#include "sim/model.h"

static const struct dls_param params[] = {{0}};

static bool after_step(struct dls_model *checkpoint, struct dls_task *task,
                       int64_t step, bool last)
{
    (void)checkpoint;
    (void)task;
    (void)step;
    (void)last;
    return true;
}

const struct dls_checkpoint_kind dls_checkpoint_none = {
    .kind =
        {
            .abi = DLS_MODEL_ABI,
            .role = DLS_ROLE_CHECKPOINT,
            .name = "checkpoint.none",
            .summary = "no checkpoints",
            .params = params,
        },
    .after_step = after_step,
};
