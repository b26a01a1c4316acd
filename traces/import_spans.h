/* import_spans.h: imports a recording in dlsim's own form: spans, batch times and
 * description of one run.
 *
 *   NAME.spans.csv[.gz]
 *   epoch,batch,sample,worker,pid,tid,stage,op,start_ns,dur_ns,cpu_ns,bytes
 *                          one row a span of any process, CLOCK_MONOTONIC. worker -1 is
 *                          the training process; -1 in epoch, batch, sample, cpu_ns,
 *                          bytes: not known. Stages: traces/trace.h
 *   NAME.batches.csv[.gz]  epoch,batch,request_ns,arrive_ns,done_ns
 *                          at the training loop, from the start of the run
 *   NAME.json              traces/run_json.h
 *
 * Columns in any order, see csv.h. Batch times are stored on the clock of the spans:
 * the start of the first wait of the training process is the first request. What was
 * measured goes to table outcome, how it was run to config, what cannot be told to
 * gap. */
#ifndef DLS_TRACES_IMPORT_SPANS_H
#define DLS_TRACES_IMPORT_SPANS_H

#include "sim/base/diag.h"
#include "sim/base/status.h"
#include "traces/import.h"

/* Adds one recording to the database `db_path` (made when missing). `batches_path` and
 * `config_path` may be NULL: then gaps say so. DLS_EINPUT: a file is wrong, or the same
 * spans file is in the database already; DLS_EIO: a file cannot be read or written.
 * After a failure the database is exactly as before, and not there when it was not
 * there. `report` is filled on success and may be NULL. */
enum dls_status dls_import_spans(const char *db_path, const char *spans_path,
                                 const char *batches_path, const char *config_path,
                                 struct dls_diag *diag,
                                 struct dls_import_report *report);

#endif
