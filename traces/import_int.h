/* import_int.h: what the importers of this folder share. */
#ifndef DLS_TRACES_IMPORT_INT_H
#define DLS_TRACES_IMPORT_INT_H

#include "sim/base/diag.h"
#include "sim/base/mem.h"
#include "sim/base/status.h"
#include "traces/csv.h"
#include "traces/trace_write.h"

/* Commits the recording that was read from `csv` (at its end): fills in file name, name
 * (the file name without .gz, .csv and .spans), size and hash of `info`. DLS_EINPUT
 * when the database has these bytes already. */
enum dls_status dls_import_commit(struct dls_trace_writer *writer,
                                  const struct dls_csv *csv, const char *path,
                                  struct dls_trace_info *info, struct dls_diag *diag);

#endif
