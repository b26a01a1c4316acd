/* timeline.h: a recording's spans put in order: which worker made which batch of which
 * samples, and when.
 *
 * Workers fetch batches one after the other: a batch of a worker ends with its collate
 * span. In order, the k-th batch of worker w (of W) is number w + k W; with 0 workers
 * the training loop makes them in sequence. A sample begins with the chain's first op;
 * ops that occur several times in a sample (one call an image key or crop) are summed.
 * Recordings without spans of samples (their loaders hide them) give batches whose
 * `samples` is 0. It measures only; what the figures mean is the business of
 * demand.h. */
#ifndef DLS_CALIB_TIMELINE_H
#define DLS_CALIB_TIMELINE_H

#include "sim/base/diag.h"
#include "sim/base/mem.h"
#include "traces/trace.h"

enum { DLS_CHAIN_MAX = 24 };

/* One op of the recorded chain, in order of first use within a sample. */
struct dls_chain_op {
    const char *name;
    int stage; /* enum dls_span_stage */
};

struct dls_recorded_sample {
    int64_t id;    /* in the data set; -1: not labelled */
    int64_t bytes; /* stored; -1: not recorded */
    int32_t batch; /* index into batches */
    int32_t position;
    int64_t start_ns, end_ns;
    double cpu_ns[DLS_CHAIN_MAX]; /* by op; summed over its calls */
    double dur_ns[DLS_CHAIN_MAX];
    double gap_ns; /* time between its spans, before its first (after the previous
                      sample), and before collate */
    int32_t spans;
};

struct dls_recorded_batch {
    int32_t epoch;
    int32_t worker; /* -1: the training loop */
    int64_t number; /* within the epoch */
    int64_t first;  /* index of its first sample, */
    int64_t samples;
    int64_t begin_ns;  /* of its first span (collate, when there are no others) */
    int64_t before_ns; /* end of the same worker's previous batch; -1: its first */
    int64_t collate_ns, collate_dur_ns, collate_cpu_ns;
    int64_t end_ns;
    int64_t request_ns, arrive_ns, done_ns; /* at the training loop; -1: not recorded */
};

struct dls_timeline {
    struct dls_arena *arena;
    struct dls_chain_op op[DLS_CHAIN_MAX];
    int32_t ops;
    struct dls_recorded_sample *sample;
    int64_t samples;
    struct dls_recorded_batch *batch; /* by epoch, number */
    int64_t batches;
    double wait_cpu_ns, wait_dur_ns; /* of the training loop inside next(), sums */
    double step_cpu_ns, step_dur_ns;
    int64_t steps;
    int64_t epochs;
    int64_t workers; /* of the configuration */
};

/* Reads recording `info` from the database. A recording that cannot be put in order
 * (batches missing, a chain longer than DLS_CHAIN_MAX) is DLS_EINPUT with a message.
 * The caller releases. */
enum dls_status dls_timeline_read(struct dls_trace_db *db,
                                  const struct dls_trace_info *info,
                                  struct dls_diag *diag, struct dls_timeline *timeline);
void dls_timeline_release(struct dls_timeline *timeline);

#endif
