/* bind_int.h: shared by bind.c (layers and keys), bind_list.c (elements of lists),
 * bind_value.c (typed values) and bind_law.c (laws). */
#ifndef DLS_SIM_SCENARIO_BIND_INT_H
#define DLS_SIM_SCENARIO_BIND_INT_H

#include "sim/scenario/bind.h"

/* Where one value goes: a row of a table in one conf (or list element). */
struct dls_slot_at {
    struct dls_binding *binding;
    const struct dls_param *param;
    void *conf;
    enum dls_layer layer;
    const char *dir; /* folder of relative paths */
};

/* Reads a node as the value of a row; false after a message. `text` receives its text
 * for the record. */
bool dls_bind_value(const struct dls_slot_at *at, const struct dls_yaml *node,
                    const char **text);

/* Reads a text (default or preset) as the value of a row; a text that does not fit is a
 * bug. */
void dls_bind_text(const struct dls_slot_at *at, const char *text);

/* Reads a number in a unit for the key `name`; false after a message. */
bool dls_bind_number(const struct dls_slot_at *at, const char *name,
                     const struct dls_yaml *node, enum dls_unit unit, double *value);

/* "'workers' must be at least 1, found 0": true when the value lies within the row's
 * bounds. */
bool dls_bind_bounds(const struct dls_slot_at *at, const char *name,
                     const struct dls_yaml *node, double value);

/* "'workers' must be a whole number, found 'x'". */
void dls_bind_expected(const struct dls_slot_at *at, const char *name,
                       const struct dls_yaml *node, const char *expected);

/* Reads a plain quantity or a mapping with `law:`. */
bool dls_bind_law(const struct dls_slot_at *at, const struct dls_yaml *node,
                  struct dls_law *law);

/* Reads a list of mappings by the row's item table; its elements' given fields are
 * recorded. */
bool dls_bind_list(const struct dls_slot_at *at, const struct dls_yaml *node);

/* `jpeg: {scale: 0.5}`: fields of the element called jpeg. False when there is no such
 * element. */
bool dls_bind_element(struct dls_binding *binding, const struct dls_yaml *key,
                      const struct dls_yaml *node, enum dls_layer layer,
                      const char *dir);

/* The value behind an annotation {value:, low:, ...} of a parameter file, or the node
 * itself; NULL after a message. */
const struct dls_yaml *dls_bind_annotated(struct dls_binding *binding,
                                          const struct dls_yaml *node,
                                          enum dls_layer layer);

/* Fills a record from the node that gave it. */
void dls_bind_record(struct dls_binding *binding, struct dls_bound *bound,
                     enum dls_layer layer, const struct dls_yaml *node,
                     const char *text);

/* Row of a key or of a synonym, NULL when the table has neither. */
const struct dls_param *dls_bind_row(const struct dls_param *table, const char *key);

/* Reports a key that a table does not have, with the nearest name that fits there. */
void dls_bind_unknown(struct dls_binding *binding, const struct dls_param *table,
                      const struct dls_yaml *key, const char *path);

#endif
