/* loader.monai: MONAI's DataLoader around a plain Dataset.
 *
 * Law: MONAI's DataLoader is PyTorch's with list_data_collate (dataloader_int.h); a
 * plain Dataset runs the whole chain for every visit of a sample. One volume may become
 * several items (transform.items_per_sample), which the step counts. Assumptions and
 * calibrated values as loader.pytorch. Absent: MONAI's caching data sets.
 * Tested by: the vectors of loader.pytorch, replay of recorded MONAI runs
 * (tests/validation). */
#include "models/dataloader_int.h"

static const char *const datasets[] = {"plain", NULL};

struct conf {
    struct dls_dataloader_conf loader; /* first */
    int dataset;
};

static const struct dls_param params[] = {
    {.key = "dataset",
     .type = DLS_PARAM_CHOICE,
     .offset = offsetof(struct conf, dataset),
     .preset = "plain",
     .choices = datasets,
     .help = "MONAI's data set class"},
    DLS_DATALOADER_PARAMS,
    {0},
};

const struct dls_loader_kind dls_loader_monai = {
    .kind =
        {
            .abi = DLS_MODEL_ABI,
            .role = DLS_ROLE_LOADER,
            .name = "loader.monai",
            .summary = "MONAI's DataLoader around its data sets",
            .params = params,
            .conf_size = sizeof(struct conf),
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
