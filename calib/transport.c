/* transport.c: what a batch costs beside its samples: collate, the worker's pause
 * between batches, and the hand-over from the end of collate to the training loop.
 *
 * For a batch that the loop already waits for, arrival - end of collate holds the
 * feeder's work, the loop's own CPU (un-pickling) and the answer of the worker's
 * descriptor server. The loop's CPU inside next() is recorded; when a batch was ready
 * before it was asked for, next() shows CPU and answer alone; so each part has its own
 * observation, or is listed as not identified and split by a stated default. Waits for
 * the interpreter lock and for busy processors are simulated, so the least disturbed
 * observations are used: the lower quartile with two or more workers, the median with
 * one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calib/calib_int.h"
#include "sim/base/vec.h"
#include "sim/stats/interval.h"

/* The descriptor server's answer where no ready batch tells: 0.5-1.1 ms of the worker's
 * side were measured for a batch of a few tensors; the least of it, since waits for the
 * interpreter and wake-ups are simulated. Where every item has tensors of its own, each
 * is both pickled and answered for: half of the hand-over. */
static const double ANSWER_S = 0.5e-3;

/* Part of putting that does not depend on the batch's size: pickling and the write to
 * the pipe. */
static const double PUT_FIXED_S = 1e-3;

/* Part of receiving that does not depend on the batch's size. */
static const double RECEIVE_FIXED_S = 0.6e-3;

/* MONAI's list collate hands every crop over as tensors of its own; other collates give
 * a fixed number of tensors. */
static bool is_per_sample(const struct dls_calibration *calibration)
{
    const char *loader = dls_trace_config_get(
        calibration->recording[calibration->recordings - 1].info, "loader");

    return loader != NULL && strncmp(loader, "monai", 5) == 0;
}

static void collate_estimate(struct dls_calibration *calibration, bool in_workers)
{
    DLS_VEC(double) costs = {0};

    for (size_t r = 0; r < calibration->recordings; r++) {
        const struct dls_recording *recording = &calibration->recording[r];

        for (int64_t b = 0;
             b < recording->timeline.batches && (recording->workers > 0) == in_workers;
             b++) {
            const struct dls_recorded_batch *batch = &recording->timeline.batch[b];
            int64_t ns = in_workers ? batch->collate_cpu_ns : batch->collate_dur_ns;

            DLS_VEC_ADD(&costs, (double)ns * 1e-9 * recording->scale /
                                    (double)recording->batch);
        }
    }
    if (costs.count > 0)
        dls_fit_add(calibration, "loader",
                    in_workers ? "collate.per_sample" : "collate_main.per_sample",
                    DLS_UNIT_TIME, costs.data, costs.count,
                    "collate spans over the batch");
    else
        dls_fit_missing(calibration,
                        in_workers ? "loader.collate" : "loader.collate_main",
                        in_workers ? "no recording has worker processes"
                                   : "no recording has 0 workers",
                        in_workers ? "a recording with 1 or more workers"
                                   : "a recording with 0 workers");
    DLS_VEC_RELEASE(&costs);
}

/* The loop's Python for a batch with 0 workers: from the end of one batch's collate to
 * the next one's first span, less the step. */
static double issue_estimate(struct dls_calibration *calibration)
{
    DLS_VEC(double) costs = {0};
    double mean = 0;

    for (size_t r = 0; r < calibration->recordings; r++) {
        const struct dls_recording *recording = &calibration->recording[r];

        for (int64_t b = 1; b < recording->timeline.batches && recording->workers == 0;
             b++) {
            const struct dls_recorded_batch *batch = &recording->timeline.batch[b],
                                            *last = batch - 1;

            if (batch->before_ns >= 0 && batch->samples > 0)
                DLS_VEC_ADD(&costs, fmax((double)(batch->begin_ns - batch->before_ns -
                                                  (last->done_ns - last->arrive_ns)),
                                         0) *
                                        1e-9 * recording->scale);
        }
    }
    for (size_t i = 0; i < costs.count; i++)
        mean += costs.data[i] / (double)costs.count;
    if (costs.count > 0)
        dls_fit_add(calibration, "loader", "issue", DLS_UNIT_TIME, costs.data,
                    costs.count, "between two batches with 0 workers, less the step");
    DLS_VEC_RELEASE(&costs);
    return mean;
}

/* The worker's pause between two batches when its next task was waiting. */
static void fetch_estimate(struct dls_calibration *calibration)
{
    DLS_VEC(double) pauses = {0};

    for (size_t r = 0; r < calibration->recordings; r++) {
        double pause = dls_recording_pause_s(&calibration->recording[r]);

        if (!isnan(pause))
            DLS_VEC_ADD(&pauses, pause);
    }
    if (pauses.count > 0)
        dls_fit_add(calibration, "loader", "fetch", DLS_UNIT_TIME, pauses.data,
                    pauses.count,
                    "median pause of a worker whose next task was waiting");
    DLS_VEC_RELEASE(&pauses);
}

/* ------------------------------------------------------------------ hand-over */

/* Is the batch in the pipe, not yet received, when the loop asks for it? It was written
 * after the batch before it, so the loop did not receive it while it waited for that
 * one. */
static bool is_ready(const struct dls_timeline *timeline, int64_t b)
{
    const struct dls_recorded_batch *batch = &timeline->batch[b];

    return b > 0 && batch->epoch == batch[-1].epoch &&
           batch->end_ns <= batch->request_ns && batch->end_ns > batch[-1].end_ns;
}

/* Median of next() with a batch ready, less the loop's CPU: the descriptor server's
 * answer, seconds; NaN below 5. */
static double answer_of(const struct dls_recording *recording, double cpu_s)
{
    const struct dls_timeline *timeline = &recording->timeline;
    DLS_VEC(double) ready = {0};
    double median = NAN;

    for (int64_t b = 0; b < timeline->batches; b++)
        if (timeline->batch[b].request_ns >= 0 && is_ready(timeline, b))
            DLS_VEC_ADD(&ready, (double)(timeline->batch[b].arrive_ns -
                                         timeline->batch[b].request_ns) *
                                    1e-9 * recording->rate);
    if (ready.count >= 5)
        median = fmax(dls_interval_median(ready.data, ready.count) - cpu_s, 0);
    DLS_VEC_RELEASE(&ready);
    return median;
}

/* Writes a cost with its fixed and its per-sample part. */
static void cost_set(struct dls_calibration *calibration, const char *fixed_key,
                     const char *sample_key, double fixed, double rest, int64_t n,
                     const char *from)
{
    int64_t batch = calibration->recording[calibration->recordings - 1].batch;

    dls_fit_set(calibration, "loader", fixed_key, DLS_UNIT_TIME, fixed, n, from);
    dls_fit_set(calibration, "loader", sample_key, DLS_UNIT_TIME, rest / (double)batch,
                n, from);
}

static void handover_estimate(struct dls_calibration *calibration, double issue_s)
{
    bool per_sample = is_per_sample(calibration);
    double cpu = 0, rest = 0, answer = 0, put_fixed;
    int64_t batches = 0, seen = 0, answers = 0;

    for (size_t r = 0; r < calibration->recordings; r++) {
        const struct dls_recording *recording = &calibration->recording[r];
        double handover = dls_recording_handover_s(recording), own, ready;

        if (recording->workers == 0)
            continue;
        own = recording->timeline.wait_cpu_ns * 1e-9 /
              (double)recording->timeline.batches;
        cpu += recording->scale * own * (double)recording->timeline.batches;
        batches += recording->timeline.batches;
        rest += handover;
        seen++;
        ready = answer_of(recording, own);
        if (!isnan(ready)) {
            answer += fmin(ready, handover);
            answers++;
        }
    }
    if (seen == 0)
        return;
    cpu = fmax(cpu / (double)batches - issue_s, 0);
    rest /= (double)seen;
    answer = answers > 0  ? fmin(answer / (double)answers, rest)
             : per_sample ? rest / 2
                          : fmin(ANSWER_S, rest);
    if (answers == 0)
        dls_fit_missing(
            calibration, "loader.handshake",
            "fewer than 5 batches were ready before they were asked for; a default "
            "is assumed",
            "a recording with a step longer than a batch takes");
    cost_set(calibration, "receive.fixed", "receive.per_sample",
             fmin(cpu, RECEIVE_FIXED_S), fmax(cpu - RECEIVE_FIXED_S, 0), batches,
             "CPU of the training loop inside next()");
    put_fixed = per_sample ? 0 : fmin(rest - answer, PUT_FIXED_S);
    cost_set(calibration, "put.fixed", "put.per_sample", put_fixed,
             rest - answer - put_fixed, seen,
             "hand-over and hidden CPU, less receiving and the answer");
    cost_set(calibration, "handshake.fixed", "handshake.per_sample",
             per_sample ? 0 : answer, per_sample ? answer : 0, answers,
             answers > 0 ? "next() with a batch ready, less the loop's CPU"
                         : "default, at most the hand-over");
}

void dls_estimate_transport(struct dls_calibration *calibration)
{
    double issue_s;

    collate_estimate(calibration, true);
    collate_estimate(calibration, false);
    issue_s = issue_estimate(calibration);
    fetch_estimate(calibration);
    handover_estimate(calibration, issue_s);
}
