/* validate.h: predicted against measured for a set of cases (cases.h): calibrates,
 * simulates, compares.
 *
 * For each what-if family the recordings become parameters and a scenario; each
 * measured row is that scenario with the row's settings. Four predictions a row
 * (errors.h). Known speed: host.speed is multiplied by simulated over measured CPU
 * seconds of that epoch, twice; nothing else of the measured run is used. The bound
 * takes its single rate from the calibrated scenario with no workers and no step: the
 * plain sum of the demands of one process. A row that cannot be simulated is a failure
 * of that row, told in its place; the others go on. The answer does not depend on the
 * number of threads. Files are written to one folder only. */
#ifndef DLS_SIM_RUN_VALIDATE_H
#define DLS_SIM_RUN_VALIDATE_H

#include "sim/base/diag.h"
#include "sim/base/status.h"
#include "sim/run/errors.h"

/* What a calibration has to do: read the named recordings of `database`, write a
 * parameter file and a scenario. */
struct dls_validate_calibration {
    const char *name;
    const char *database;
    const char *const *recording;
    size_t recordings;
    const char *params_path;
    const char *scenario_path;
};

struct dls_validate_options {
    const char *cases; /* path of the cases file */
    const char *data;  /* folder of its data; NULL: as the file says */
    const char *work;  /* existing folder for database, parameters and scenarios; files
                          of the same name are replaced */
    int threads;       /* 0: one per processor */
    int64_t replications; /* 0: as the file says */
    /* Calibration lies above this folder; the caller brings it. */
    enum dls_status (*calibrate)(const struct dls_validate_calibration *calibration,
                                 struct dls_diag *diag);
    void (*progress)(void *self, int64_t done,
                     int64_t all); /* rows and replays; may be NULL */
    void *self;
};

/* DLS_EINPUT: cases, table, recordings or calibrations are wrong; DLS_EIO: a file could
 * not be read or written. Limits that are not met are part of the answer, not a
 * failure. The caller frees `*errors`. */
enum dls_status dls_validate(const struct dls_validate_options *options,
                             struct dls_diag *diag, struct dls_errors **errors);

#endif
