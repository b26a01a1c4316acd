/* bind_int.h: shared by bind.c (keys) and bind_value.c (typed values). */
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

/* Reads a node as the value of a row; false after a message. `text` receives its text for the record. */
bool dls_bind_value(const struct dls_slot_at *at, const struct dls_yaml *node, const char **text);

/* Reads a text (default or preset) as the value of a row; a text that does not fit is a bug. */
void dls_bind_text(const struct dls_slot_at *at, const char *text);

/* Binds a mapping into a list element by its item table. */
bool dls_bind_element(struct dls_binding *binding, const struct dls_param *table, void *element,
                      const struct dls_yaml *mapping, enum dls_layer layer, const char *dir);

/* The value behind an annotation {value:, low:, ...} of a parameter file, or the node itself; NULL after a message. */
const struct dls_yaml *dls_bind_annotated(struct dls_binding *binding, const struct dls_yaml *node,
                                          enum dls_layer layer);

/* Reports a key that a table does not have, with the nearest one that it has. */
void dls_bind_unknown(struct dls_binding *binding, const struct dls_param *table, const struct dls_yaml *key,
                      const char *path);

#endif
