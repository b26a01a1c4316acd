/* run_int.h: shared inside sim/run. */
#ifndef DLS_SIM_RUN_RUN_INT_H
#define DLS_SIM_RUN_RUN_INT_H

#include "sim/scenario/scenario.h"

/* A count of the loader's conf by its key ("workers"); -1 when its kind has none. */
int64_t dls_run_loader_count(const struct dls_scenario *scenario, const char *key);

#endif
