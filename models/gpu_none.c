/* gpu.none: no device work besides the step itself. */
#include "sim/model.h"

static const struct dls_param params[] = {{0}};

static bool run(struct dls_model *gpu, struct dls_task *task, double kernel_ns,
                int stream)
{
    (void)gpu;
    (void)task;
    (void)kernel_ns;
    (void)stream;
    return true;
}

const struct dls_gpu_kind dls_gpu_none = {
    .kind =
        {
            .abi = DLS_MODEL_ABI,
            .role = DLS_ROLE_GPU,
            .name = "gpu.none",
            .summary = "no device work besides the step",
            .params = params,
        },
    .run = run,
};
