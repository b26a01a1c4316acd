/* scenario_int.h: the state of a scenario while it is read. */
#ifndef DLS_SIM_SCENARIO_SCENARIO_INT_H
#define DLS_SIM_SCENARIO_SCENARIO_INT_H

#include "sim/scenario/bind.h"
#include "sim/scenario/params.h"
#include "sim/scenario/scenario.h"

/* One --set as a tree: section, the key path as nested mappings, and its value. */
struct dls_set {
    const char *section;
    const char *key;                /* first key inside the section */
    const struct dls_yaml *mapping; /* {key: {...: value}} */
    const struct dls_yaml *value;
};

struct dls_reader {
    struct dls_scenario *scenario;
    struct dls_diag *diag;
    const struct dls_yaml *root;
    const char *dir;
    struct dls_params params; /* root NULL: none */
    struct dls_set *set;
    size_t sets;
};

/* Parses the overrides into trees; messages name "--set PATH". */
void dls_sets_read(struct dls_reader *reader, const struct dls_override *sets, size_t count);

/* True when `name` is a section of a scenario. */
bool dls_section_is(const char *name);

#endif
