/* storage_limiter.h: the throttle around any storage kind; sim/graph puts it in front
 * when a limit is set. */
#ifndef DLS_MODELS_STORAGE_LIMITER_H
#define DLS_MODELS_STORAGE_LIMITER_H

#include "sim/model.h"

/* Its conf is struct dls_volume_conf; the limited device stands at its own
 * to->of[DLS_ROLE_STORAGE]. */
extern const struct dls_storage_kind dls_storage_limiter;

#endif
