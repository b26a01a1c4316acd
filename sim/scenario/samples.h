/* samples.h: reads the joint table of a calibrated data set (NAME.samples.csv).
 *
 * Format: a header row of column names, then one row a sample; comma-separated plain
 * numbers, no quotes, no empty lines. The first column is "sample" (the id in the data
 * set) and is not handed over. Any other file is rejected with file, line and column
 * (in bytes). */
#ifndef DLS_SIM_SCENARIO_SAMPLES_H
#define DLS_SIM_SCENARIO_SAMPLES_H

#include "sim/base/diag.h"
#include "sim/model.h"

enum { DLS_SAMPLES_COLUMNS = 64 }; /* beside the first */

/* Reads the table into `arena`. DLS_EIO: the file cannot be read; DLS_EINPUT: it is no
 * table. Values must be finite and not negative; at least one row and one column. */
enum dls_status dls_samples_read(const char *path, struct dls_arena *arena,
                                 struct dls_diag *diag,
                                 const struct dls_samples **samples);

#endif
