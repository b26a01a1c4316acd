/* link.none: the training loop uses batches where they are: no copies. */
#include "sim/model.h"

static const struct dls_param params[] = {{0}};

static bool transfer(struct dls_model *link, struct dls_task *task, double bytes,
                     enum dls_direction direction, bool pinned)
{
    (void)link;
    (void)task;
    (void)bytes;
    (void)direction;
    (void)pinned;
    return true;
}

const struct dls_link_kind dls_link_none = {
    .kind =
        {
            .abi = DLS_MODEL_ABI,
            .role = DLS_ROLE_LINK,
            .name = "link.none",
            .summary = "no copies to a device",
            .params = params,
        },
    .transfer = transfer,
};
