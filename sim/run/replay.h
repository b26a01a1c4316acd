/* replay.h: a recorded run beside the simulation of that same run: epoch times and the
 * arrival of every batch.
 *
 * Times count from the first request of each epoch. The k-th arrival of an epoch is
 * compared with the k-th: batches that loaders deliver out of order may carry other
 * numbers. Rank 0 only. */
#ifndef DLS_SIM_RUN_REPLAY_H
#define DLS_SIM_RUN_REPLAY_H

#include "sim/base/mem.h"
#include "sim/run/errors.h"
#include "sim/run/run.h"
#include "traces/trace.h"

/* Fills all but the name of `replay`. What cannot be compared (other numbers of epochs
 * or batches, no batches at all) becomes its failure, a text in `arena`. */
void dls_replay_compare(const struct dls_trace_batches *recorded,
                        const struct dls_batch_log *simulated, struct dls_arena *arena,
                        struct dls_error_replay *replay);

#endif
