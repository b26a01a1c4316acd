/* yaml_tree.h: the text of a YAML file as nodes with positions; no meaning.
 *
 * One document of mappings, sequences and scalars. What strict files do not have is
 * rejected with its position: an empty file, a second document, duplicate keys, merge
 * keys, anchors and aliases, tags, keys that are not scalars, control characters or
 * broken UTF-8, more than DLS_YAML_DEPTH levels or DLS_YAML_NODES values. All of these
 * are reported, not only the first one; only text that is no YAML at all ends the
 * reading. Lines and columns count from 1, columns in characters. Scalars are text: the
 * parameter table gives them a type, never YAML. */
#ifndef DLS_SIM_SCENARIO_YAML_TREE_H
#define DLS_SIM_SCENARIO_YAML_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/diag.h"
#include "sim/base/mem.h"
#include "sim/base/status.h"

enum { DLS_YAML_DEPTH = 32, DLS_YAML_NODES = 1 << 20, DLS_YAML_SHOWN = 64 };

enum dls_yaml_type { DLS_YAML_SCALAR, DLS_YAML_SEQUENCE, DLS_YAML_MAPPING };

struct dls_yaml {
    enum dls_yaml_type type;
    struct dls_place place;       /* of its first character; file, line, column, span */
    const char *text;             /* scalars; else NULL */
    bool quoted;                  /* scalars: in quotes, or a block */
    const struct dls_yaml **item; /* sequences: elements; mappings: values */
    const struct dls_yaml **key;  /* mappings: scalar keys, same order */
    size_t count;
};

/* Parses `bytes` of `text`; `file` names it in messages. The source text is given to
 * the diag for carets. The tree lives in `arena`. DLS_EINPUT with at least one message
 * on failure. */
enum dls_status dls_yaml_parse(const char *file, const char *text, size_t bytes,
                               struct dls_arena *arena, struct dls_diag *diag,
                               const struct dls_yaml **root);

/* Reads and parses a file of at most `limit_bytes`. DLS_EIO when it cannot be read (the
 * message names the cause), DLS_EINPUT when it is larger. `hash` (may be NULL) receives
 * dls_hash_bytes of its text. */
enum dls_status dls_yaml_read(const char *path, size_t limit_bytes,
                              struct dls_arena *arena, struct dls_diag *diag,
                              const struct dls_yaml **root, uint64_t *hash);

/* The value of a key of a mapping, or NULL; also NULL when it is no mapping. */
const struct dls_yaml *dls_yaml_get(const struct dls_yaml *mapping, const char *key);

/* "a mapping", "a list", "a single value": for messages. */
const char *dls_yaml_type_text(enum dls_yaml_type type);

/* What stands there, for "expected ..., found ...": the text in quotes, "nothing", "a
 * list" or "a mapping". Long texts are cut, line ends become spaces, other control
 * characters '?'. Returns `out`. */
const char *dls_yaml_found(const struct dls_yaml *node, char out[DLS_YAML_SHOWN]);

/* A text without quotes in the same way. */
const char *dls_yaml_shown(const char *text, char out[DLS_YAML_SHOWN]);

/* The node on one line, "{law: lognormal, mean: 3 ms}"; from 200 bytes on it ends in
 * "...". Lives in `arena`. */
const char *dls_yaml_flow(const struct dls_yaml *node, struct dls_arena *arena);

#endif
