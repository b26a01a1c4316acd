/* trace_write.h: adds one recording to trace.db, all of it or nothing. For importers,
 * and for tests that need a database.
 *
 * Opening begins a transaction, put functions add rows to it, commit adds the
 * recording's own row and ends it. Closing without commit leaves the file exactly as it
 * was; one that did not exist is removed again. While a writer is open other writers of
 * the same file wait (5 s, then fail).
 *
 * It checks no meaning: values must keep the ranges of traces/trace.h (a bug
 * otherwise), since the importer is the one who knows file and line. Failures of the
 * file are DLS_EIO, with one message; after one, every further call returns DLS_EIO at
 * once, without a message. */
#ifndef DLS_TRACES_TRACE_WRITE_H
#define DLS_TRACES_TRACE_WRITE_H

#include <stdint.h>

#include "sim/base/diag.h"
#include "sim/base/status.h"
#include "traces/trace.h"

struct dls_trace_writer;

/* Opens `path` for appending one recording; creates the database when there is none (or
 * an empty file). Another kind of file or version is DLS_EINPUT. `diag` must live as
 * long as the writer. The caller closes the writer. */
enum dls_status dls_trace_writer_open(const char *path, struct dls_diag *diag,
                                      struct dls_trace_writer **writer);

/* The number the recording will have. */
int64_t dls_trace_writer_trace(const struct dls_trace_writer *writer);

/* Name and number of the recording that came from a file with this hash. False: none
 * did. `name` is copied into `out` and cut to `size`. */
bool dls_trace_writer_has(struct dls_trace_writer *writer, uint64_t file_hash,
                          int64_t *trace, char *out, size_t size);

enum dls_status dls_trace_put_span(struct dls_trace_writer *writer,
                                   const struct dls_span *span, const char *op);
enum dls_status dls_trace_put_micro(struct dls_trace_writer *writer,
                                    const struct dls_trace_micro *micro);
enum dls_status dls_trace_put_outcome(struct dls_trace_writer *writer,
                                      const struct dls_trace_outcome *outcome);
enum dls_status dls_trace_put_gap(struct dls_trace_writer *writer,
                                  const struct dls_trace_gap *gap);

/* These two return DLS_EINPUT, without a message and without harm, when the recording
 * has that (rank, epoch, batch) or that key already. */
enum dls_status dls_trace_put_batch(struct dls_trace_writer *writer,
                                    const struct dls_trace_batch *batch);
enum dls_status dls_trace_put_config(struct dls_trace_writer *writer, const char *key,
                                     const char *value);

/* Adds the row of the recording itself and makes everything durable. Of `info`, trace
 * and config are not looked at. A file_hash that is there already fails: ask
 * dls_trace_writer_has first. */
enum dls_status dls_trace_writer_commit(struct dls_trace_writer *writer,
                                        const struct dls_trace_info *info);

/* Ends the writer; undoes everything unless commit succeeded. NULL is allowed. */
void dls_trace_writer_close(struct dls_trace_writer *writer);

#endif
