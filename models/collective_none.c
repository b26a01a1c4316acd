/* collective.none: ranks do not wait for one another. */
#include "sim/model.h"

static const struct dls_param params[] = {{0}};

static bool reduce(struct dls_model *collective, struct dls_task *task)
{
    (void)collective;
    (void)task;
    return true;
}

const struct dls_collective_kind dls_collective_none = {
    .kind =
        {
            .abi = DLS_MODEL_ABI,
            .role = DLS_ROLE_COLLECTIVE,
            .name = "collective.none",
            .summary = "ranks do not wait for one another",
            .params = params,
        },
    .reduce = reduce,
};
