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

struct state {
    struct dls_dataloader loader;
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

const struct dls_loader_kind dls_loader_monai = {
    .kind =
        {
            .abi = DLS_MODEL_ABI,
            .role = DLS_ROLE_LOADER,
            .name = "loader.monai",
            .summary = "MONAI's DataLoader around its data sets",
            .params = params,
            .conf_size = sizeof(struct conf),
            .state_size = sizeof(struct state),
            .check = dls_dataloader_check,
            .init = init,
        },
    .start = start,
    .next = next,
    .batch = batch,
    .interpreter = interpreter,
};
