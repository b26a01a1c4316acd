/* outcomes.h: the measured rows that a cases file asks for, each with the overrides
 * that make its scenario.
 *
 * A row whose group no family names is left out; a group without any row is an error.
 * Figures that a row lacks are NaN. AU of a run without a step says nothing and counts
 * as not measured. */
#ifndef DLS_SIM_RUN_OUTCOMES_H
#define DLS_SIM_RUN_OUTCOMES_H

#include "sim/run/cases.h"
#include "sim/scenario/scenario.h"

/* Share of the time in which workers are shut down that is CPU time of the measured
 * processes, though it lies after the epoch's end; measured on the recorded runs. */
#define DLS_SHUTDOWN_CPU_SHARE 0.85

struct dls_outcome_row {
    struct dls_error_case answer; /* everything but predictions */
    size_t family;
    struct dls_override *set;
    size_t sets;
};

struct dls_outcome_rows {
    struct dls_outcome_row *data;
    size_t count;
};

/* Reads the table of `cases` (none: no rows) into `arena`. */
enum dls_status dls_outcomes_read(const struct dls_cases *cases,
                                  struct dls_arena *arena, struct dls_diag *diag,
                                  struct dls_outcome_rows *rows);

#endif
