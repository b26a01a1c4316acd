/* recorder.h: turns what one replication reports into its outcome.
 *
 * The recorder is the observer of a run (sim/model.h): it hears every batch and every
 * end of an epoch and keeps sums, extremes and step percentiles, never the events
 * themselves, so its memory depends on ranks and epochs, not on samples. What batches
 * cannot tell (CPU seconds, device time, cache hits) it reads from the run's ledger and
 * counters when the last rank ends an epoch, and once at the end.
 *
 * Definitions, per epoch; all times are simulated:
 *   epoch_s        first request of any rank to the end of the last step of any rank
 *   samples_per_s  samples of all ranks / epoch_s au             sum of step (device)
 *   times / sum over ranks of the rank's own epoch time step_s         end of one step
 *   to the end of the next one of the same rank; percentiles of the same series wait_s
 *   arrival - request, mean over the batches after the first one of a rank
 *   first_batch_s  arrival - request of a rank's first batch, mean over ranks
 *   device_busy, cpu_busy, cache_hit_ratio, cpu_s, bytes_read_per_epoch
 *                  over the window from the previous epoch's end (all ranks) to this
 *                  one's The whole run pools all epochs: rates are total work over the
 *                  sum of epoch_s, means are over all batches, epoch_s, first_batch_s
 *                  and bytes_read_per_epoch are means over epochs, cpu_s is the total,
 *                  the busy shares are over the run. Peaks of memory are known for the
 *                  whole run only; in an epoch they are not observed. */
#ifndef DLS_SIM_RESULT_RECORDER_H
#define DLS_SIM_RESULT_RECORDER_H

#include "sim/model.h"
#include "sim/result/result.h"

struct dls_recorder;

/* What the recorder asks the run for. Pointers are borrowed and must live as long as
 * the recorder. */
struct dls_recorder_setup {
    int64_t epochs;  /* >= 1 */
    int32_t ranks;   /* >= 1 */
    int64_t workers; /* of one rank's loader; 0 or less: the training loop does the work
                        itself */
    double cores;    /* that the job may use, all hosts together */
    bool keep_batches; /* keep the first DLS_RESULT_BATCHES batches of rank 0 */
    const struct dls_ledger *ledger;
    /* Counters up to now. cpu_s: CPU seconds used on all hosts. device_busy_s: seconds
     * with a request in service, mean over the devices. Either may be NULL: not
     * observed. */
    double (*cpu_s)(void *self);
    double (*device_busy_s)(void *self);
    void *self;
};

struct dls_recorder *dls_recorder_new(const struct dls_recorder_setup *setup);
void dls_recorder_free(struct dls_recorder *recorder);

/* The observer to hand to every model of the run. Borrowed. Its `span` is NULL. */
const struct dls_observer *dls_recorder_observer(struct dls_recorder *recorder);

/* How the run ended. `deadlock` is copied; NULL unless `end` is DLS_END_DEADLOCK. */
struct dls_recorder_end {
    dls_time now;
    int64_t events;
    uint64_t fingerprint;
    enum dls_engine_end end;
    const char *deadlock;
};

/* Fills `outcome` (released by dls_outcome_release). Epochs that did not end count as
 * far as they got; those that did not begin are NaN. Call once, after the run. */
void dls_recorder_finish(struct dls_recorder *recorder,
                         const struct dls_recorder_end *end,
                         struct dls_outcome *outcome);

/* The kept batches in order of arrival; borrowed. */
const struct dls_batch_times *dls_recorder_batches(const struct dls_recorder *recorder,
                                                   size_t *count);

void dls_outcome_release(struct dls_outcome *outcome);

#endif
