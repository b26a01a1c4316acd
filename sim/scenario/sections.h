/* sections.h: tables of the sections that no kind owns: host, run, and the keys around
 * any kind of storage and consumer. */
#ifndef DLS_SIM_SCENARIO_SECTIONS_H
#define DLS_SIM_SCENARIO_SECTIONS_H

#include "sim/model.h"

extern const struct dls_param dls_section_host[];      /* of struct dls_host */
extern const struct dls_param dls_section_run[];       /* of struct dls_run_conf */
extern const struct dls_param dls_section_volume[];    /* of struct dls_volume_conf */
extern const struct dls_param dls_section_consumers[]; /* of struct dls_consumer_conf */

#endif
