#include "sim/model.h"

#include <string.h>

const char *dls_role_text(enum dls_role role)
{
    static const char *const texts[] = {
#define X(name, text) text,
        DLS_ROLE_LIST(X)
#undef X
    };

    DLS_REQUIRE(role < DLS_ROLES, "role %d", (int)role);
    return texts[role];
}

const char *dls_stage_text(enum dls_stage stage)
{
    static const char *const texts[] = {
#define X(name, text) text,
        DLS_STAGE_LIST(X)
#undef X
    };

    DLS_REQUIRE(stage < DLS_STAGES, "stage %d", (int)stage);
    return texts[stage];
}

const char *dls_cpu_class_text(enum dls_cpu_class class)
{
    static const char *const texts[] = {
#define X(name, text) text,
        DLS_CPU_CLASS_LIST(X)
#undef X
    };

    DLS_REQUIRE(class < DLS_CPU_CLASSES, "class %d", (int)class);
    return texts[class];
}

const double *dls_samples_find(const struct dls_samples *samples, const char *name)
{
    for (size_t i = 0; i < samples->columns; i++)
        if (strcmp(samples->column[i].name, name) == 0)
            return samples->column[i].values;
    return NULL;
}

struct dls_rng dls_model_rng(const struct dls_model *model, const char *purpose)
{
    return dls_rng_of(
        dls_rng_key(model->seed, model->replication, model->name, purpose));
}
