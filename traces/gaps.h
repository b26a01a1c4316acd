/* gaps.h: finds what a recording cannot tell, from what is absent in its rows.
 *
 * Nothing is assumed from a tool's name: a gap is found because no row, or not every
 * row, holds the thing. Codes:
 *
 *   no_batches        no times of batches at the training loop
 *   no_config         no configuration of the run
 *   no_host           no facts of the host
 *   no_stages         only the training loop was seen, nothing inside the loader
 *   no_wait           no waits of the training loop
 *   no_step           no steps
 *   no_fetch          workers, but no span of a whole batch in a worker
 *   no_queue          workers, but no put into the queue
 *   no_get            workers, but no wait of a worker for its next task
 *   no_unpickle       workers, but no un-pickling in the training process
 *   no_start          workers, but no start of a worker and no iterator creation
 *   no_process_cpu    no CPU time of a whole process
 *   no_cpu            spans without CPU time
 *   no_bytes          reads without bytes
 *   unlabelled_sample spans of one sample that do not say which
 *   unlabelled_batch  spans in workers that do not say for which batch
 *   joint_read        reading and decoding in one span */
#ifndef DLS_TRACES_GAPS_H
#define DLS_TRACES_GAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/status.h"
#include "traces/trace.h"
#include "traces/trace_write.h"

/* Counts over the spans of one recording. All zero is the start. */
struct dls_gaps_seen {
    int64_t stages[DLS_SPAN_STAGES]; /* spans by stage */
    int64_t spans;
    int64_t in_workers;
    int64_t without_cpu;
    int64_t reads; /* stages read and read+decode */
    int64_t reads_without_bytes;
    int64_t per_sample; /* stages that work on one sample */
    int64_t without_sample;
    int64_t for_batches; /* in workers, stages that work for a batch */
    int64_t workers_without_batch;
    bool batches; /* set by the importer: these were given */
    bool config;
    bool host;
};

void dls_gaps_see(struct dls_gaps_seen *seen, const struct dls_span *span);

/* Writes one row a gap; `count` gets their number. */
enum dls_status dls_gaps_write(const struct dls_gaps_seen *seen,
                               struct dls_trace_writer *writer, int64_t *count);

#endif
