/* presets.h: the preset tables, one a section; registry.c joins them. Each ends with a
 * row whose name is NULL. */
#ifndef DLS_MODELS_PRESETS_PRESETS_H
#define DLS_MODELS_PRESETS_PRESETS_H

#include "models/registry.h"

extern const struct dls_preset dls_presets_host[];
extern const struct dls_preset dls_presets_storage[];
extern const struct dls_preset dls_presets_link[];
extern const struct dls_preset dls_presets_consumer[];

#endif
