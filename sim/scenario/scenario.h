/* scenario.h: a scenario file, its parameter file, presets and overrides as one typed,
 * validated, immutable value.
 *
 * Every value knows where it came from. Layers, weakest first: table default, preset,
 * params file, the file's own value,
 * --set. The confs of the kinds are theirs alone; other modules read them through the
 * parameter tables. */
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
    uint64_t hash;           /* of the file, the parameter file, tables and overrides */
    const char *params_path; /* NULL: none */
    uint64_t params_hash;    /* 0: none */
    struct dls_host host;
    struct dls_run_conf run;
    struct dls_volume_conf volume;
    struct dls_consumer_conf consumers;
    struct dls_scenario_role role[DLS_ROLES];
    struct dls_expect *expect;
    size_t expects;
    struct dls_scenario_value
        *value; /* every bound value; read through dls_scenario_value */
    size_t values;
};

/* One value with its origin, for `check --explain` and provenance. Borrowed; no pointer
 * is NULL. */
struct dls_scenario_value {
    const char *path; /* "loader.workers"; "transform.jpeg.demand" for a given field of
                         a list's element */
    const char *
        text; /* as written: "4", "13.8 ms", "{law: lognormal, mean: 3 ms, sd: 1 ms}" */
    const char *unit;   /* symbol of the base unit of quantities and laws, else "" */
    const char *origin; /* "scenarios/a.yaml:12", "params/a.yaml:40", "preset
                           h100_node", "--set", "default" */
    const char *notes;  /* a preset's source; "low 11 ms, high 13 ms, n 20, from ..." of
                           a parameter file; or "" */
    struct dls_place place; /* all zero for defaults and presets */
};

/* One --set path=value. */
struct dls_override {
    const char *path;
    const char *value;
};

/* Splits "path=value" at the first '='; false when there is no '=', no path or no
 * value. Copies into `arena`. */
bool dls_override_parse(const char *text, struct dls_arena *arena,
                        struct dls_override *override);

/* Reads, binds and validates. DLS_EINPUT: messages in `diag`; DLS_EIO: a file could not
 * be read (message too). The caller frees `*scenario`, which stays untouched on
 * failure. */
enum dls_status dls_scenario_read(const char *path, const struct dls_override *sets,
                                  size_t set_count, struct dls_diag *diag,
                                  struct dls_scenario **scenario);
void dls_scenario_free(struct dls_scenario *scenario);

/* Value number `index` in a fixed order (host, the roles in the order of DLS_ROLE_LIST,
 * run; keys in table order, then given fields of list elements); false past the end. */
bool dls_scenario_value(const struct dls_scenario *scenario, size_t index,
                        struct dls_scenario_value *value);

/* Where the value of a path stands, for messages about it; a zeroed place with the
 * file's name when it is a default. */
struct dls_place dls_scenario_place(const struct dls_scenario *scenario,
                                    const char *path);

#endif
