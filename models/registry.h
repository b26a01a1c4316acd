/* registry.h: every kind and every preset by name.
 *
 * The table is built from registry.def; adding a kind is one file and one row there.
 * Nothing registers itself. */
#ifndef DLS_MODELS_REGISTRY_H
#define DLS_MODELS_REGISTRY_H

#include "sim/model.h"

/* The kind called `name` ("loader.pytorch"), or NULL. */
const struct dls_kind *dls_registry_find(const char *name);

/* Kind number `index` over all roles in the order of registry.def, NULL past the
 * end. */
const struct dls_kind *dls_registry_at(size_t index);

/* The kind of a role that is used when a scenario omits the section: the role's first
 * row. */
const struct dls_kind *dls_registry_default(enum dls_role role);

struct dls_preset_value {
    const char *key;
    const char *value; /* as it would stand in a scenario */
};

/* A named set of values for one section: a role's kind, or "host". One row a preset, in
 * models/presets/<section>.c. */
struct dls_preset {
    const char *section; /* "host", "storage", "consumer", ... */
    const char *kind;    /* the kind whose keys these are, or NULL for "host" */
    const char *name;
    const char *source;                    /* where the figures come from */
    const struct dls_preset_value *values; /* ends with key NULL */
};

const struct dls_preset *dls_preset_find(const char *section, const char *name);

/* Preset number `index` over all sections, NULL past the end. */
const struct dls_preset *dls_preset_at(size_t index);

#endif
