/* run.h: simulates a scenario: one replication (run.c), or all of them on threads
 * (replicate.c).
 *
 * Each replication has its own engine and arena and fills its own slot; results are
 * merged by index, so the answer is byte-equal for any number of threads. Nothing
 * prints. */
#ifndef DLS_SIM_RUN_RUN_H
#define DLS_SIM_RUN_RUN_H

#include <stdbool.h>

#include "sim/result/recorder.h"
#include "sim/result/result.h"
#include "sim/scenario/scenario.h"

/* Every batch at every training loop, when a caller wants them all (replay); owned by
 * the caller's storage. */
struct dls_batch_log {
    struct dls_batch_times *data;
    size_t count, capacity;
};

void dls_batch_log_release(struct dls_batch_log *log);

/* Runs replication `index`. `log` may be NULL. The caller releases `outcome`; `batches`
 * (may be NULL) receives a copy of the kept batches of rank 0, to be freed with
 * dls_mem_free, and their count. */
struct dls_run_batches {
    struct dls_batch_times *times;
    size_t count;
};

void dls_run_once(const struct dls_scenario *scenario, int64_t index,
                  struct dls_batch_log *log, struct dls_outcome *outcome,
                  struct dls_run_batches *batches);

struct dls_run_options {
    int threads; /* 0: one per processor of this machine */
    void (*progress)(void *self, int64_t done,
                     int64_t all); /* from the calling thread only; may be NULL */
    void *self;
};

/* Runs all replications of the scenario. DLS_EINPUT: the roles do not fit together
 * (messages in `diag`). A deadlock is a result (result->deadlock), not a failure. The
 * caller frees `*result`. */
enum dls_status dls_replicate(const struct dls_scenario *scenario,
                              const struct dls_run_options *options,
                              struct dls_diag *diag, struct dls_result **result);

#endif
