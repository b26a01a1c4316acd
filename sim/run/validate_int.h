/* validate_int.h: the state of a validation, shared by validate.c (what-ifs) and
 * validate_replay.c. */
#ifndef DLS_SIM_RUN_VALIDATE_INT_H
#define DLS_SIM_RUN_VALIDATE_INT_H

#include "sim/run/outcomes.h"
#include "sim/run/validate.h"

struct dls_validation {
    const struct dls_validate_options *options;
    struct dls_diag *diag;
    struct dls_errors *errors;
    struct dls_arena *arena; /* of the errors */
    struct dls_cases cases;
    struct dls_outcome_rows rows;
    const char *database;
    const char **imported;
    size_t imports;
    int64_t done, all;
};

/* One more simulated thing is done: tells the caller. */
void dls_validation_advance(struct dls_validation *v);

/* Calibrates from recordings that were imported; `scenario` receives the path of the
 * written scenario. */
enum dls_status dls_validation_calibrate(struct dls_validation *v, const char *name,
                                         const char *const *recording, size_t count,
                                         const char **scenario);

/* What a failed run says, in one line; lives in `arena`. */
const char *dls_validation_failure(struct dls_arena *arena, const struct dls_diag *diag,
                                   enum dls_status status);

/* Compares every recording of the replay families with its simulation. */
enum dls_status dls_validation_replay(struct dls_validation *v);

#endif
