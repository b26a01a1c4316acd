#include "tests/support/rig.h"

#include <string.h>

#include "models/registry.h"

static void preset_apply(const struct dls_param *param, char *conf)
{
    double value = 0;

    if (param->preset == NULL)
        return;
    switch (param->type) {
    case DLS_PARAM_COUNT:
        dls_units_read(param->preset, DLS_UNIT_COUNT, &value);
        *(int64_t *)(void *)(conf + param->offset) = (int64_t)value;
        break;
    case DLS_PARAM_QUANTITY:
        dls_units_read(param->preset, param->unit, &value);
        *(double *)(void *)(conf + param->offset) = value;
        break;
    case DLS_PARAM_BOOL:
        *(bool *)(conf + param->offset) = strcmp(param->preset, "true") == 0;
        break;
    case DLS_PARAM_LAW:
        dls_units_read(param->preset, param->unit, &value);
        *(struct dls_law *)(void *)(conf + param->offset) = (struct dls_law){
            .kind = DLS_LAW_CONSTANT, .a = value};
        break;
    default:
        break;
    }
}

void *rig_conf(const struct dls_kind *kind)
{
    char *conf = dls_mem_new(1, kind->conf_size ? kind->conf_size : 1);

    for (const struct dls_param *param = kind->params; param->key != NULL; param++)
        preset_apply(param, conf);
    return conf;
}

static void note_batch(void *self, const struct dls_batch_times *times)
{
    struct rig *rig = self;

    if (rig->delivered == RIG_BATCHES)
        return;
    rig->order[rig->delivered] = times->batch;
    rig->request_s[rig->delivered] = dls_time_seconds(times->request);
    rig->arrive_s[rig->delivered] = dls_time_seconds(times->arrive);
    rig->done_s[rig->delivered++] = dls_time_seconds(times->done);
}

static void note_span(void *self, int32_t rank, int32_t actor, enum dls_stage stage,
                      int64_t batch, int64_t sample, dls_time start, dls_time end)
{
    struct rig *rig = self;

    (void)rank;
    (void)actor;
    (void)sample;
    if (stage != DLS_STAGE_TRANSFORM || batch < 0 || batch >= RIG_BATCHES)
        return;
    if (rig->end_s[batch] == 0)
        rig->start_s[batch] = dls_time_seconds(start);
    rig->end_s[batch] = dls_time_seconds(end);
}

void rig_init(struct rig *rig, int64_t cores, const double *work_s, int64_t samples)
{
    memset(rig, 0, sizeof *rig);
    rig->engine = dls_engine_new();
    rig->host = (struct dls_host){
        .count = 1, .cores = cores, .speed = 1, .memory_bytes = 1e12};
    rig->run = (struct dls_run_conf){
        .epochs = 1, .replications = 1, .seed = 1, .start = DLS_START_WARM};
    rig->observer = (struct dls_observer){
        .self = rig, .batch = note_batch, .span = note_span};
    rig->columns[0] = (struct dls_samples_column){"work", work_s};
    rig->table = (struct dls_samples){
        .rows = samples, .columns = 1, .column = rig->columns};
    rig->op = (struct dls_op){.name = "work",
                              .stage = DLS_STAGE_TRANSFORM,
                              .class = DLS_CPU_NUMERIC,
                              .scale = 1};
    dls_gauge_init(&rig->ledger.shm_bytes, 0, 0);
    dls_gauge_init(&rig->ledger.pinned_bytes, 0, 0);
}

void rig_release(struct rig *rig)
{
    for (int role = 0; role < DLS_ROLES; role++)
        if (rig->roles.of[role] != NULL) {
            dls_mem_free((void *)(uintptr_t)rig->roles.of[role]->conf);
            dls_mem_free(rig->roles.of[role]->state);
            dls_mem_free(rig->roles.of[role]);
        }
    dls_engine_free(rig->engine);
}

struct dls_model *rig_add(struct rig *rig, const struct dls_kind *kind, void *conf)
{
    struct dls_model *model = dls_mem_new(1, sizeof *model);

    model->kind = kind;
    model->conf = conf;
    model->state = dls_mem_new(1, kind->state_size ? kind->state_size : 1);
    model->engine = rig->engine;
    model->name = dls_role_text(kind->role);
    model->key = dls_rng_key(1, 0, "samples", "draws");
    model->ranks = 1;
    model->to = &rig->roles;
    model->host_conf = &rig->host;
    model->run = &rig->run;
    model->ledger = &rig->ledger;
    model->observer = &rig->observer;
    model->seed = 1;
    rig->roles.of[kind->role] = model;
    if (kind->init != NULL)
        kind->init(model);
    return model;
}

/* Field of a conf by the key of its parameter row. */
void *rig_field(const struct dls_kind *kind, void *conf, const char *key)
{
    for (const struct dls_param *param = kind->params; param->key != NULL; param++)
        if (strcmp(param->key, key) == 0)
            return (char *)conf + param->offset;
    return NULL;
}

void rig_add_lower(struct rig *rig)
{
    static const enum dls_role order[] = {
        DLS_ROLE_CPU,        DLS_ROLE_MEMORY, DLS_ROLE_STORAGE,  DLS_ROLE_CACHE,
        DLS_ROLE_FILESYSTEM, DLS_ROLE_SOURCE, DLS_ROLE_TRANSFORM};

    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        const struct dls_kind *kind = dls_registry_default(order[i]);
        void *conf;

        if (rig->roles.of[order[i]] != NULL)
            continue;
        conf = rig_conf(kind);
        if (order[i] == DLS_ROLE_CPU)
            *(int64_t *)rig_field(kind, conf, "threads_per_core") = 1;
        if (order[i] == DLS_ROLE_FILESYSTEM)
            *(double *)rig_field(kind, conf, "open") = 0;
        if (order[i] == DLS_ROLE_SOURCE) {
            *(const struct dls_samples **)rig_field(kind, conf, "table") = &rig->table;
            *(struct dls_law *)rig_field(kind, conf, "size") = (struct dls_law){
                .kind = DLS_LAW_CONSTANT};
            *(int *)rig_field(kind, conf, "order") = 3; /* recorded */
        }
        if (order[i] == DLS_ROLE_TRANSFORM)
            *(struct dls_list *)rig_field(kind, conf,
                                          "ops") = (struct dls_list){&rig->op, 1};
        rig_add(rig, kind, conf);
    }
}

static void ended(void *self)
{
    dls_engine_stop(((struct rig *)self)->engine);
}

enum dls_engine_end rig_run(struct rig *rig, const struct dls_kind *consumer,
                            void *consumer_conf)
{
    static const enum dls_role order[] = {DLS_ROLE_LINK, DLS_ROLE_GPU,
                                          DLS_ROLE_COLLECTIVE, DLS_ROLE_CHECKPOINT};
    struct dls_model *model;

    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (rig->roles.of[order[i]] == NULL)
            rig_add(rig, dls_registry_default(order[i]),
                    rig_conf(dls_registry_default(order[i])));
    model = rig_add(rig, consumer, consumer_conf);
    DLS_KIND_OF(consumer, model)->begin(model, ended, rig);
    return dls_engine_run(rig->engine, NULL);
}
