/* bind_rig.h: a table with every type of parameter, and a binding of it, for the tests
 * of bind.h. Header only. */
#ifndef DLS_TESTS_SUPPORT_BIND_RIG_H
#define DLS_TESTS_SUPPORT_BIND_RIG_H

#include "tests/support/said.h"

#include "sim/scenario/bind.h"

/* ------------------------------------------------------------------ a kind of the
 * test */

struct op {
    const char *name;
    double scale;
    int64_t rank;
    struct dls_law demand;
    int on;
};

struct conf {
    int64_t workers, batch;
    double rate, share, delay_s, size_bytes;
    bool pin;
    int order;
    const char *label;
    struct dls_law step;
    double per_item_s, host_s;
    struct dls_law size;
    const struct dls_samples *table;
    struct dls_list ops;
};

static const char *const orders[] = {"shuffle", "sequential", "recorded", NULL};
static const char *const places[] = {"worker", "gpu", NULL};

static const struct dls_param op_params[] = {
    {.key = "op", .type = DLS_PARAM_TEXT, .offset = offsetof(struct op, name)},
    {.key = "scale",
     .synonym = "factor",
     .type = DLS_PARAM_QUANTITY,
     .unit = DLS_UNIT_NUMBER,
     .offset = offsetof(struct op, scale),
     .preset = "1",
     .max = 100},
    {.key = "rank",
     .type = DLS_PARAM_COUNT,
     .offset = offsetof(struct op, rank),
     .preset = "3"},
    {.key = "demand",
     .type = DLS_PARAM_LAW,
     .unit = DLS_UNIT_TIME,
     .offset = offsetof(struct op, demand),
     .preset = "0 s",
     .max = 10},
    {.key = "on",
     .type = DLS_PARAM_CHOICE,
     .offset = offsetof(struct op, on),
     .preset = "worker",
     .choices = places},
    {0},
};

#define FIELD(field) offsetof(struct conf, field)

static const struct dls_param params[] = {
    {.key = "workers",
     .synonym = "num_workers",
     .type = DLS_PARAM_COUNT,
     .offset = FIELD(workers),
     .preset = "2",
     .min = 1,
     .max = 64},
    {.key = "batch",
     .type = DLS_PARAM_COUNT,
     .offset = FIELD(batch),
     .min = 1,
     .max = 1e6},
    {.key = "rate",
     .type = DLS_PARAM_QUANTITY,
     .unit = DLS_UNIT_BYTES_PER_S,
     .offset = FIELD(rate),
     .preset = "1 GB/s",
     .min = 1e3},
    {.key = "share",
     .type = DLS_PARAM_QUANTITY,
     .unit = DLS_UNIT_FRACTION,
     .offset = FIELD(share),
     .preset = "50 %",
     .max = 1},
    {.key = "delay",
     .type = DLS_PARAM_QUANTITY,
     .unit = DLS_UNIT_TIME,
     .offset = FIELD(delay_s),
     .flags = DLS_PARAM_OPTIONAL},
    {.key = "readahead",
     .type = DLS_PARAM_QUANTITY,
     .unit = DLS_UNIT_BYTES,
     .offset = FIELD(size_bytes),
     .preset = "128 KiB"},
    {.key = "pin", .type = DLS_PARAM_BOOL, .offset = FIELD(pin), .preset = "false"},
    {.key = "order",
     .type = DLS_PARAM_CHOICE,
     .offset = FIELD(order),
     .preset = "shuffle",
     .choices = orders},
    {.key = "label", .type = DLS_PARAM_TEXT, .offset = FIELD(label), .preset = "none"},
    {.key = "step.base",
     .type = DLS_PARAM_LAW,
     .unit = DLS_UNIT_TIME,
     .offset = FIELD(step),
     .preset = "10 ms",
     .max = 100},
    {.key = "step.per_item",
     .type = DLS_PARAM_QUANTITY,
     .unit = DLS_UNIT_TIME,
     .offset = FIELD(per_item_s),
     .preset = "0 s"},
    {.key = "cost.host",
     .type = DLS_PARAM_QUANTITY,
     .unit = DLS_UNIT_TIME,
     .offset = FIELD(host_s),
     .preset = "1 us"},
    {.key = "size",
     .type = DLS_PARAM_LAW,
     .unit = DLS_UNIT_BYTES,
     .offset = FIELD(size),
     .preset = "100 kB",
     .max = 1e9},
    {.key = "table",
     .type = DLS_PARAM_SAMPLES,
     .offset = FIELD(table),
     .flags = DLS_PARAM_OPTIONAL},
    {.key = "ops",
     .type = DLS_PARAM_LIST,
     .offset = FIELD(ops),
     .item = op_params,
     .item_size = sizeof(struct op),
     .flags = DLS_PARAM_OPTIONAL},
    {0},
};

static const struct dls_param beside[] = {
    {.key = "count", .type = DLS_PARAM_COUNT, .preset = "1"},
    {0},
};

static const struct dls_preset_value fast_values[] = {
    {"rate", "7 GB/s"}, {"step.per_item", "2 ms"}, {NULL, NULL}};
static const struct dls_preset fast = {"test", "test.kind", "fast", "a data sheet",
                                       fast_values};

/* ------------------------------------------------------------------ fixture */

struct bench {
    struct scratch scratch;
    struct dls_binding binding;
    struct conf conf;
};

static inline void begin(struct bench *bench)
{
    memset(&bench->conf, 0, sizeof bench->conf);
    dls_bind_begin(&bench->binding, "test", "test.kind", params, &bench->conf,
                   bench->scratch.paths, bench->scratch.diag);
    bench->binding.beside = beside;
}

static inline int set_up(void **state)
{
    static struct bench bench;

    scratch_init(&bench.scratch);
    begin(&bench);
    *state = &bench;
    return 0;
}

static inline int tear_down(void **state)
{
    struct bench *bench = *state;

    scratch_release(&bench->scratch);
    return 0;
}

static inline bool is_other_kinds(void *self, const char *key)
{
    (void)self;
    return strcmp(key, "other") == 0 || strcmp(key, "step.other") == 0;
}

/* Binds a text on a layer; "file.yaml", "params.yaml" or "--set" in messages. */
static inline void bind(struct bench *bench, enum dls_layer layer, const char *text)
{
    static const char *const reserved[] = {"kind", "preset", NULL};
    const char *file = layer == DLS_LAYER_SET      ? "--set"
                       : layer == DLS_LAYER_PARAMS ? "params.yaml"
                                                   : "file.yaml";
    const struct dls_yaml *root = NULL;

    assert_int_equal(dls_yaml_parse(file, text, strlen(text), bench->scratch.paths,
                                    bench->scratch.diag, &root),
                     DLS_OK);
    dls_bind_mapping(&bench->binding, root, layer, reserved,
                     layer == DLS_LAYER_PARAMS ? is_other_kinds : NULL, NULL,
                     bench->scratch.folder);
}

/* The messages since the last call, and a new binding. */
static inline void said(struct bench *bench, const char *expected)
{
    check_said(&bench->scratch, expected);
    begin(bench);
}

static inline void check_bound(const struct bench *bench, const char *key,
                               enum dls_layer layer, const char *text, long line)
{
    const struct dls_bound *bound = dls_bind_find(&bench->binding, key);

    assert_non_null(bound);
    assert_string_equal(bound->text, text);
    assert_int_equal(bound->layer, layer);
    assert_int_equal(bound->place.line, line);
}

#endif
