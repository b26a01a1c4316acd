/* expect.h: the conditions of a scenario (`expect:`) against its result. */
#ifndef DLS_SIM_CMD_EXPECT_H
#define DLS_SIM_CMD_EXPECT_H

#include "sim/base/diag.h"
#include "sim/result/result.h"
#include "sim/scenario/scenario.h"

/* Adds an error for every condition whose metric does not exist. */
void dls_expect_check(const struct dls_scenario *scenario, struct dls_diag *diag);

/* Compares the mean of each metric over the whole run. DLS_ENO with one message per
 * condition that is not met; a metric without observation meets none. */
enum dls_status dls_expect_judge(const struct dls_scenario *scenario,
                                 const struct dls_result *result,
                                 struct dls_diag *diag);

#endif
