/* scenario.h: a scenario file, its parameter file, presets and overrides as one typed, validated, immutable value.
 *
 * Every value knows where it came from. Layers, weakest first: table default, preset, params file, the file's own value,
 * --set. The confs of the kinds are theirs alone; other modules read them through the parameter tables. */
#ifndef DLS_SIM_SCENARIO_SCENARIO_H
#define DLS_SIM_SCENARIO_SCENARIO_H

#include "models/registry.h"
#include "sim/base/diag.h"
#include "sim/model.h"

/* One bound role. */
struct dls_scenario_role {
    const struct dls_kind *kind;
    const void *conf;
    bool is_given; /* the file or the parameter file has the section */
};

/* One condition of `expect:`. A bound that is not given is NaN. */
struct dls_expect {
    const char *metric;
    double min, max;
    struct dls_place place;
};

struct dls_scenario {
    struct dls_arena *arena;
    const char *path, *name, *about; /* about may be "" */
    uint64_t hash;                   /* of the file, the parameter file, tables and overrides */
    const char *params_path;         /* NULL: none */
    uint64_t params_hash;            /* 0: none */
    struct dls_host host;
    struct dls_run_conf run;
    struct dls_volume_conf volume;
    struct dls_consumer_conf consumers;
    struct dls_scenario_role role[DLS_ROLES];
    struct dls_expect *expect;
    size_t expects;
    struct dls_binding *binding; /* the records behind dls_scenario_value */
    size_t bindings;
};

/* One value with its origin, for `check --explain` and provenance. Borrowed. */
struct dls_scenario_value {
    const char *path;       /* "loader.workers" */
    const char *text;       /* "4", "13.8 ms" */
    const char *origin;     /* "scenarios/a.yaml:12", "params/a.yaml:40", "preset h100_node", "--set", "default" */
    struct dls_place place; /* all zero for defaults and presets */
};

/* One --set path=value. */
struct dls_override {
    const char *path;
    const char *value;
};

/* Splits "path=value"; false when there is no '=' or no path. Copies into `arena`. */
bool dls_override_parse(const char *text, struct dls_arena *arena, struct dls_override *override);

/* Reads, binds and validates. DLS_EINPUT: messages in `diag`; DLS_EIO: a file could not be read (message too). The caller
 * frees `*scenario`. */
enum dls_status dls_scenario_read(const char *path, const struct dls_override *sets, size_t set_count,
                                  struct dls_diag *diag, struct dls_scenario **scenario);
void dls_scenario_free(struct dls_scenario *scenario);

/* Value number `index` in a fixed order (sections in the order of the pipeline, keys in table order); false past the end. */
bool dls_scenario_value(const struct dls_scenario *scenario, size_t index, struct dls_scenario_value *value);

/* Where the value of a path stands, for messages about it; a zeroed place with the file's name when it is a default. */
struct dls_place dls_scenario_place(const struct dls_scenario *scenario, const char *path);

#endif
