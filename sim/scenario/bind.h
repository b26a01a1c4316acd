/* bind.h: YAML nodes and parameter tables to typed conf structs, each value with its
 * origin.
 *
 * A section is bound in layers, called in the order of enum dls_layer; a later layer
 * wins: table default, preset, parameter file, the scenario's own value, --set. All
 * problems found are reported (unknown keys with a near miss, wrong types and units,
 * bounds, missing keys); binding goes on after an error, and a conf with errors is not
 * to be used. Memory: conf values and records live in the arena; the binding itself is
 * the caller's. */
#ifndef DLS_SIM_SCENARIO_BIND_H
#define DLS_SIM_SCENARIO_BIND_H

#include "models/registry.h"
#include "sim/scenario/yaml_tree.h"

enum dls_layer {
    DLS_LAYER_DEFAULT,
    DLS_LAYER_PRESET,
    DLS_LAYER_PARAMS,
    DLS_LAYER_FILE,
    DLS_LAYER_SET
};

enum { DLS_BIND_LIST_MAX = 1000 }; /* elements of a list parameter */

/* One bound value: key, its text, and where it stands. */
struct dls_bound {
    const char
        *key; /* common name: "workers"; "jpeg.scale" for a field of a list's element */
    const char
        *text; /* as written, or the table's default; NULL: optional and not given */
    enum dls_layer layer;
    struct dls_place place; /* layers params, file, set */
    const char *origin;     /* preset name for DLS_LAYER_PRESET, else NULL */
    const char *notes; /* a preset's source; what stands beside a value in a parameter
                          file; or NULL */
    const struct dls_param
        *param; /* its row: of the table, or of the elements' table */
    const struct dls_param
        *list; /* fields of a list's element: the list's row, else NULL */
};

/* A section while it is bound, and afterwards its record. */
struct dls_binding {
    const char *section;            /* "loader" */
    const char *owner;              /* for messages: "loader.pytorch", "host" */
    const struct dls_param *params; /* table, ends with key NULL */
    const struct dls_param *beside; /* keys of the section that another table binds: for
                                       suggestions; may be NULL */
    void *conf;                     /* zeroed bytes of the conf, filled here */
    struct dls_arena *arena;
    struct dls_diag *diag;
    struct dls_bound
        *bound; /* one entry a row of the table, then given fields of list elements */
    size_t count, capacity;
    struct dls_place section_place; /* for messages about missing keys */
    size_t errors_before;           /* of the diag, when the binding began */
    bool is_io_failed; /* a table could not be read: the machine's failure, not the
                          user's */
};

/* Sets up a binding with the table's defaults. */
void dls_bind_begin(struct dls_binding *binding, const char *section, const char *owner,
                    const struct dls_param *params, void *conf, struct dls_arena *arena,
                    struct dls_diag *diag);

/* Binds the keys of a mapping on a layer. Keys in `reserved` (NULL-terminated; "kind",
 * "preset", ...) are left alone. With `is_known` (may be NULL), a key that the table
 * does not have but for which it returns true is skipped in silence. `dir` is the
 * folder that relative paths of tables start from ("" or NULL: the working folder). */
void dls_bind_mapping(struct dls_binding *binding, const struct dls_yaml *mapping,
                      enum dls_layer layer, const char *const *reserved,
                      bool (*is_known)(void *self, const char *key), void *self,
                      const char *dir);

/* Binds the values of a preset. A key or value that does not fit the table is a bug. */
void dls_bind_preset(struct dls_binding *binding, const struct dls_preset *preset);

/* Reports required keys that no layer gave, then, if this section has no errors, runs
 * the kind's rules across parameters (check may be NULL). */
void dls_bind_end(struct dls_binding *binding,
                  void (*check)(const void *conf, struct dls_checker *checker));

/* The record of a key (common name), or NULL. */
const struct dls_bound *dls_bind_find(const struct dls_binding *binding,
                                      const char *key);

#endif
