/* params.h: the parameter file that calibration writes: sections as in a scenario,
 * values with their notes.
 *
 * Version 1, `dlsim_params: 1` first. `recordings` and `unidentified` are lists of
 * mappings that tell people where the values come from; they and `name` and `about` are
 * checked for their shape and not interpreted. The file chooses no kinds and presets:
 * that is the scenario's. */
#ifndef DLS_SIM_SCENARIO_PARAMS_H
#define DLS_SIM_SCENARIO_PARAMS_H

#include "sim/scenario/yaml_tree.h"

struct dls_params {
    const char *path;
    const char *dir; /* relative paths in the file start here */
    uint64_t hash;
    const struct dls_yaml *root;
};

/* Reads and checks the frame of the file (version, known sections); everything lives in
 * `arena`. On failure `params` stays untouched. */
enum dls_status dls_params_read(const char *path, struct dls_arena *arena,
                                struct dls_diag *diag, struct dls_params *params);

/* The folder part of a path, "" for none. Lives in `arena`. */
const char *dls_params_dir(const char *path, struct dls_arena *arena);

/* True when the first key of `root` is `key` with value 1; else a message that names
 * what was found. */
bool dls_params_version(const struct dls_yaml *root, const char *key,
                        struct dls_diag *diag);

#endif
