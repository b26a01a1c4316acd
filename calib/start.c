/* start.c: what happens once: creating the iterator, forking workers, a worker's first
 * batch.
 *
 * The iterator's creation is the time from the start of the epoch (the clock's zero of
 * the batch times) to the first request: with 0 workers its fixed part, with W workers
 * that and W forks. The lag is what passes from the first request to a worker's first
 * action. A worker's first batch costs more CPU than its samples do later; the
 * difference is `first`. */
#include <math.h>
#include <stdio.h>

#include "calib/calib_int.h"
#include "sim/base/vec.h"
#include "sim/stats/interval.h"

static double iterator_s(const struct dls_recording *recording)
{
    return (double)(recording->timeline.batch[0].request_ns -
                    recording->info->clock_offset_ns) *
           1e-9 * recording->scale;
}

/* Extra CPU of one first batch, seconds at the reference speed. */
static double extra_of(const struct dls_recording *recording,
                       const struct dls_recorded_batch *batch)
{
    const struct dls_timeline *timeline = &recording->timeline;
    double sum = 0;

    for (int64_t s = 0; s < batch->samples; s++)
        for (int op = 0; op < timeline->ops; op++)
            sum += (recording->workers == 0
                        ? timeline->sample[batch->first + s].dur_ns[op]
                        : timeline->sample[batch->first + s].cpu_ns[op]) *
                   1e-9;
    return fmax(sum - recording->level_s * (double)batch->samples, 0) *
           recording->scale;
}

/* With 0 workers: from the first request to the first span; the loop draws the epoch's
 * permutation. */
static double first_draw_s(const struct dls_recording *recording)
{
    const struct dls_recorded_batch *batch = &recording->timeline.batch[0];

    return fmax((double)(batch->begin_ns - batch->request_ns), 0) * 1e-9 *
           recording->scale;
}

static void first_estimate(struct dls_calibration *calibration, bool in_workers)
{
    DLS_VEC(double) extras = {0};

    for (size_t r = 0; r < calibration->recordings; r++) {
        const struct dls_recording *recording = &calibration->recording[r];

        if ((recording->workers > 0) != in_workers || isnan(recording->level_s) ||
            recording->timeline.batches <= recording->workers + 1)
            continue;
        for (int64_t b = 0; b < recording->timeline.batches; b++)
            if (dls_is_first_batch(recording, b) &&
                recording->timeline.batch[b].epoch == 0)
                DLS_VEC_ADD(&extras,
                            extra_of(recording, &recording->timeline.batch[b]) +
                                (in_workers ? 0 : first_draw_s(recording)));
    }
    if (extras.count > 0)
        dls_fit_add(calibration, "loader", in_workers ? "first" : "first_main",
                    DLS_UNIT_TIME, extras.data, extras.count,
                    in_workers
                        ? "CPU of first batches above the usual CPU of their samples"
                        : "first request to first span, and CPU of the first batch "
                          "above the usual");
    DLS_VEC_RELEASE(&extras);
}

static void lag_estimate(struct dls_calibration *calibration)
{
    DLS_VEC(double) lags = {0};

    for (size_t r = 0; r < calibration->recordings; r++) {
        const struct dls_recording *recording = &calibration->recording[r];

        for (int64_t b = 0; b < recording->timeline.batches && recording->workers > 0;
             b++) {
            const struct dls_recorded_batch *batch = &recording->timeline.batch[b];

            if (batch->before_ns < 0 && batch->epoch == 0 && batch->samples > 0)
                DLS_VEC_ADD(&lags,
                            fmax((double)(batch->begin_ns -
                                          recording->timeline.batch[0].request_ns),
                                 0) *
                                1e-9);
        }
    }
    if (lags.count > 0)
        dls_fit_add(calibration, "loader", "lag", DLS_UNIT_TIME, lags.data, lags.count,
                    "first request to each worker's first span");
    DLS_VEC_RELEASE(&lags);
}

/* Dropping the iterator: with 0 workers its fixed part, with W workers that and the end
 * of W processes. */
static void edge_estimate(struct dls_calibration *calibration)
{
    double fixed = NAN, per_worker = 0;
    int64_t fixed_n = 0, worker_n = 0;

    for (size_t r = 0; r < calibration->recordings; r++) {
        const struct dls_recording *recording = &calibration->recording[r];

        if (recording->workers == 0 && !isnan(recording->shutdown_s)) {
            fixed = recording->shutdown_s * recording->scale;
            fixed_n++;
        }
    }
    for (size_t r = 0; r < calibration->recordings; r++) {
        const struct dls_recording *recording = &calibration->recording[r];
        double own = recording->shutdown_s * recording->scale -
                     (isnan(fixed) ? 0 : fixed);

        if (recording->workers > 0 && !isnan(recording->shutdown_s)) {
            per_worker = fmax(own, 0) / (double)recording->workers;
            worker_n += recording->workers;
        }
    }
    if (fixed_n > 0)
        dls_fit_set(calibration, "loader", "teardown", DLS_UNIT_TIME, fixed, fixed_n,
                    "dropping the iterator, 0 workers");
    if (worker_n > 0)
        dls_fit_set(calibration, "loader", "teardown_worker", DLS_UNIT_TIME, per_worker,
                    worker_n,
                    fixed_n > 0 ? "dropping the iterator, less its part, over workers"
                                : "dropping the iterator, over workers");
    if (fixed_n + worker_n == 0)
        dls_fit_missing(calibration, "loader.teardown, loader.teardown_worker",
                        "the recordings do not say how long dropping the iterator took",
                        "a recording with its outcome (shutdown_s)");
}

void dls_estimate_start(struct dls_calibration *calibration)
{
    double fixed = NAN, per_worker = NAN;
    int64_t fixed_n = 0, worker_n = 0;

    for (size_t r = 0; r < calibration->recordings; r++)
        if (calibration->recording[r].workers == 0) {
            fixed = iterator_s(&calibration->recording[r]);
            fixed_n++;
        }
    for (size_t r = 0; r < calibration->recordings; r++) {
        const struct dls_recording *recording = &calibration->recording[r];

        if (recording->workers > 0) {
            per_worker = fmax(iterator_s(recording) - (isnan(fixed) ? 0 : fixed), 0) /
                         (double)recording->workers;
            worker_n += recording->workers;
        }
    }
    if (!isnan(fixed))
        dls_fit_set(calibration, "loader", "start", DLS_UNIT_TIME, fixed, fixed_n,
                    "start of the epoch to the first request, 0 workers");
    if (!isnan(per_worker))
        dls_fit_set(
            calibration, "loader", "start_worker", DLS_UNIT_TIME, per_worker, worker_n,
            isnan(fixed) ? "start of the epoch to the first request, over workers"
                         : "start of the epoch to the first request, less the "
                           "iterator's part, over workers");
    else
        dls_fit_missing(calibration, "loader.start_worker, loader.lag, loader.first",
                        "no recording has worker processes",
                        "a recording with 1 or more workers");
    first_estimate(calibration, true);
    first_estimate(calibration, false);
    lag_estimate(calibration);
    edge_estimate(calibration);
}
