/* transform.chain: named operations that turn stored bytes into what collate receives,
 * one after the other.
 *
 * Law: an op's demand for a sample is the value of its column in the calibrated table
 * at the sample's row, or a draw of its own law (affine in stored bytes, say) keyed by
 * sample, visit and op; times `scale`. Random ops are drawn anew at each visit, fixed
 * ones are the same at each visit.
 * Calibrated: the list of ops. Tested by: tests/unit/test_work.c. */
#include <string.h>

#include "sim/model.h"

static const char *const stages[] = {"start",  "open",      "read",
                                     "decode", "transform", NULL};
static const char *const classes[] = {
#define X(name, text) text,
    DLS_CPU_CLASS_LIST(X)
#undef X
        NULL};
static const char *const places[] = {"worker", "gpu", NULL};

struct conf {
    struct dls_list ops; /* of struct dls_op */
    double items_per_sample;
    double out_bytes;
};

struct state {
    struct dls_op *ops;
    const double *out_bytes; /* by row */
};

static const struct dls_param op_params[] = {
    {.key = "op",
     .type = DLS_PARAM_TEXT,
     .offset = offsetof(struct dls_op, name),
     .help = "name of the op; a column of the table with that name holds its demands"},
    {.key = "stage",
     .type = DLS_PARAM_CHOICE,
     .offset = offsetof(struct dls_op, stage),
     .preset = "transform",
     .choices = stages,
     .help = "the stage it is counted in"},
    {.key = "class",
     .type = DLS_PARAM_CHOICE,
     .offset = offsetof(struct dls_op, class),
     .preset = "numeric",
     .choices = classes,
     .help = "class of CPU work"},
    {.key = "interpreter",
     .type = DLS_PARAM_BOOL,
     .offset = offsetof(struct dls_op, interpreter),
     .preset = "false",
     .help = "holds the interpreter lock of its process"},
    {.key = "random",
     .type = DLS_PARAM_BOOL,
     .offset = offsetof(struct dls_op, random),
     .preset = "false",
     .help = "its demand is drawn anew at each visit of a sample"},
    {.key = "scale",
     .type = DLS_PARAM_QUANTITY,
     .unit = DLS_UNIT_NUMBER,
     .offset = offsetof(struct dls_op, scale),
     .preset = "1",
     .max = 1e6,
     .help = "what if it took this many times its demand"},
    {.key = "on",
     .type = DLS_PARAM_CHOICE,
     .offset = offsetof(struct dls_op, on),
     .preset = "worker",
     .choices = places,
     .help = "who executes it"},
    {.key = "demand",
     .type = DLS_PARAM_LAW,
     .unit = DLS_UNIT_TIME,
     .offset = offsetof(struct dls_op, demand),
     .preset = "0 s",
     .max = 1e6,
     .help =
         "CPU time alone on an idle core, where the table has no column of that name"},
    {0},
};

static const struct dls_param params[] = {
    {.key = "ops",
     .type = DLS_PARAM_LIST,
     .offset = offsetof(struct conf, ops),
     .item = op_params,
     .item_size = sizeof(struct dls_op),
     .flags = DLS_PARAM_OPTIONAL | DLS_PARAM_CALIBRATED,
     .help = "the operations, in order"},
    {.key = "items_per_sample",
     .type = DLS_PARAM_QUANTITY,
     .unit = DLS_UNIT_NUMBER,
     .offset = offsetof(struct conf, items_per_sample),
     .preset = "1",
     .min = 1e-6,
     .max = 1e6,
     .flags = DLS_PARAM_CALIBRATED,
     .help = "items (crops) that the GPU gets from one sample"},
    {.key = "out_bytes",
     .type = DLS_PARAM_QUANTITY,
     .unit = DLS_UNIT_BYTES,
     .offset = offsetof(struct conf, out_bytes),
     .preset = "0 B",
     .max = 1e15,
     .flags = DLS_PARAM_CALIBRATED,
     .help =
         "bytes of one sample after the ops, where the table has no column out_bytes"},
    {0},
};

static void check(const void *conf_, struct dls_checker *checker)
{
    const struct conf *conf = conf_;
    const struct dls_op *ops = conf->ops.items;

    for (size_t i = 0; i < conf->ops.count; i++) {
        if (ops[i].on != 0)
            checker->error(
                checker, "ops",
                "ops on the gpu need a gpu kind that runs them; 'gpu.none' does not");
        for (size_t j = 0; j < i; j++)
            if (strcmp(ops[i].name, ops[j].name) == 0)
                checker->error(checker, "ops", "two ops have the same name");
    }
}

static void init(struct dls_model *transform)
{
    const struct conf *conf = DLS_CONF(transform);
    struct state *state = DLS_STATE(transform);
    struct dls_model *source = transform->to->of[DLS_ROLE_SOURCE];
    const struct dls_samples *table = DLS_KIND_OF(source, source)->table(source);
    const struct dls_op *ops = conf->ops.items;

    if (conf->ops.count > 0)
        state->ops = dls_arena_get(dls_engine_arena(transform->engine), conf->ops.count,
                                   sizeof *state->ops);
    for (size_t i = 0; i < conf->ops.count; i++) {
        state->ops[i] = ops[i];
        if (table != NULL)
            state->ops[i].column = dls_samples_find(table, ops[i].name);
    }
    if (table != NULL)
        state->out_bytes = dls_samples_find(table, "out_bytes");
}

static const struct dls_op *ops(struct dls_model *transform, size_t *count)
{
    *count = DLS_CONF(transform)->ops.count;
    return DLS_STATE(transform)->ops;
}

static double items_per_sample(struct dls_model *transform)
{
    return DLS_CONF(transform)->items_per_sample;
}

static double out_bytes(struct dls_model *transform, int64_t row)
{
    const struct state *state = DLS_STATE(transform);

    return state->out_bytes && row >= 0 ? state->out_bytes[row]
                                        : DLS_CONF(transform)->out_bytes;
}

const struct dls_transform_kind dls_transform_chain = {
    .kind =
        {
            .abi = DLS_MODEL_ABI,
            .role = DLS_ROLE_TRANSFORM,
            .name = "transform.chain",
            .summary = "named operations, one after the other",
            .params = params,
            .conf_size = sizeof(struct conf),
            .state_size = sizeof(struct state),
            .check = check,
            .init = init,
        },
    .ops = ops,
    .items_per_sample = items_per_sample,
    .out_bytes = out_bytes,
};
