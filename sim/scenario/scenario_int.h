/* scenario_int.h: the state of a scenario while it is read; shared by scenario.c
 * (reading), frame.c (the file's own keys), choose.c (kinds and presets), override.c
 * (--set) and provenance.c (origins). */
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
    const struct dls_yaml *value;   /* what stands behind the first key */
};

struct dls_reader {
    struct dls_scenario *scenario;
    struct dls_diag *diag;
    size_t errors_before; /* of the diag, when the reading began */
    const struct dls_yaml *root;
    const char *dir;
    struct dls_params params; /* root NULL: none */
    struct dls_set *set;
    size_t sets;
    struct dls_binding *binding; /* in the order of the values */
    size_t bindings;
};

/* ------------------------------------------------------------------ frame.c */

/* True when `name` is a section of a scenario: host, run or a role. The nearest such
 * name, or NULL. */
bool dls_section_is(const char *name);
const char *dls_section_near(const char *name);

/* Reports keys of the file that are no sections. */
void dls_frame_check(struct dls_reader *reader);

/* A text of the file's own keys; NULL when it is missing (a message when it is
 * required) or after a message. */
const char *dls_frame_text(struct dls_reader *reader, const char *key,
                           bool is_required);

/* Reads `expect:`. */
void dls_frame_expect(struct dls_reader *reader);

/* ------------------------------------------------------------------ choose.c */

/* What file or --set (which wins) give for `key` of a section as a single value; NULL:
 * nothing, or after a message. */
const struct dls_yaml *dls_choice(struct dls_reader *reader, const char *section,
                                  const char *key);

/* The preset that a section asks for, NULL when none (or after a message). */
const struct dls_preset *dls_choose_preset(struct dls_reader *reader,
                                           const char *section);

/* The kind of a role: the given one, else that of the preset, else the role's first;
 * NULL after a message. */
const struct dls_kind *dls_choose_kind(struct dls_reader *reader, enum dls_role role,
                                       const struct dls_preset *preset);

/* Does --set give `key` of a section? */
bool dls_choice_is_set(const struct dls_reader *reader, const char *section,
                       const char *key);

/* Does any kind of a role (`self`: its enum dls_role) have this key or group? Such keys
 * of a parameter file, or of a file whose kind --set changes, belong to another kind
 * and are skipped. */
bool dls_role_has_key(void *self, const char *key);

/* ------------------------------------------------------------------ override.c,
 * provenance.c */

/* Parses the overrides into trees; messages name "--set PATH". */
void dls_sets_read(struct dls_reader *reader, const struct dls_override *sets,
                   size_t count);

/* Makes the table behind dls_scenario_value. */
void dls_provenance_make(struct dls_scenario *scenario,
                         const struct dls_binding *bindings, size_t count);

#endif
