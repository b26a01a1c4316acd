/* load.h: the scenario of a command line: file, --set, --seed and what a command
 * adds. */
#ifndef DLS_SIM_CMD_LOAD_H
#define DLS_SIM_CMD_LOAD_H

#include "sim/cmd/command.h"
#include "sim/scenario/scenario.h"

/* Reads the scenario `path` ("-": stdin) with the options of `call`, then `extra`
 * overrides (may be NULL), and checks that its roles fit together and its expectations
 * name metrics. With --strict a warning is an error. The caller frees `*scenario`.
 * DLS_EUSAGE: a --set without '='. */
enum dls_status dls_load_scenario(const struct dls_call *call, const char *path,
                                  const struct dls_override *extra, size_t extras,
                                  struct dls_scenario **scenario);

#endif
