/* calibrate.h: from the recordings in a trace.db to a parameter file, its sample table
 * and a scenario that replays them.
 *
 * Recordings of one data set and loader are pooled: demands are kept by sample,
 * relative to the mean of their recording, so that a host whose speed drifts between
 * recordings does not distort them. Never used: epoch time, throughput and utilisation
 * of any run. What cannot be identified is listed, not invented. */
#ifndef DLS_CALIB_CALIBRATE_H
#define DLS_CALIB_CALIBRATE_H

#include "calib/fit.h"
#include "sim/base/diag.h"
#include "sim/base/status.h"

struct dls_calibrate_options {
    const char *database;
    const char *const *recordings; /* names; the last one is replayed by the scenario.
                                      NULL: all of the database */
    size_t recording_count;
    const char *name; /* of the parameter file; NULL: taken from the file's name */
    const char
        *params_path; /* "x.yaml"; the table goes beside it, to "x.samples.csv" */
    const char *scenario_path; /* NULL: no scenario */
};

/* Calibrates without writing. The caller frees `*fit`. */
enum dls_status dls_calibrate(const struct dls_calibrate_options *options,
                              struct dls_diag *diag, struct dls_fit **fit);

/* Calibrates and writes the files; a failed one leaves older files as they were. `fit`
 * may be NULL. */
enum dls_status dls_calibrate_files(const struct dls_calibrate_options *options,
                                    struct dls_diag *diag, struct dls_fit **fit);

/* Writes parameter file and table, and, unless `scenario_path` is NULL, the scenario
 * that replays the last recording: all of them or, after a failure, none.
 * DLS_EUSAGE when two of these files, or one and the database, are the same. */
enum dls_status dls_fit_write(const struct dls_fit *fit, const char *params_path,
                              const char *scenario_path, struct dls_diag *diag);

#endif
