/* hidden.c: what no span of a recording shows, from batch times and from the CPU
 * seconds of the whole run.
 *
 * The hand-over of a batch (end of collate to arrival) is worth at most its time on the
 * clock, brought to demand by the share of a processor that a further thread gets, less
 * the loop's own CPU; and at most the CPU that the run used and no span explains. Each
 * bound holds what the other does not see: waits for the interpreter lock are in the
 * first, page faults of started and ending processes in the second; the smaller one is
 * taken. */
#include <math.h>

#include "calib/calib_int.h"
#include "sim/base/vec.h"
#include "sim/stats/interval.h"

static double rate_of(const struct dls_recording *recording)
{
    return isnan(recording->cpu_s) ? recording->rate : 1;
}

/* Median pause of a worker whose next task was waiting, on the clock brought to demand;
 * NaN: none seen. */
static double pause_seen(const struct dls_recording *recording)
{
    const struct dls_timeline *timeline = &recording->timeline;
    int64_t window = recording->prefetch * recording->workers;
    DLS_VEC(double) pauses = {0};
    double median = NAN;

    for (int64_t b = 0; b < timeline->batches && recording->workers > 0; b++) {
        const struct dls_recorded_batch *batch = &timeline->batch[b];
        bool was_waiting = b < window ||
                           timeline->batch[b - window].arrive_ns < batch->before_ns;

        if (batch->before_ns >= 0 && batch->samples > 0 && was_waiting)
            DLS_VEC_ADD(&pauses, (double)(batch->begin_ns - batch->before_ns) * 1e-9 *
                                     rate_of(recording));
    }
    if (pauses.count > 0)
        median = dls_interval_median(pauses.data, pauses.count);
    DLS_VEC_RELEASE(&pauses);
    return median;
}

double dls_recording_gaps_s(const struct dls_recording *recording)
{
    int64_t count = recording->timeline.samples;
    /* with workers the longest hundredth is the scheduler's */
    int64_t kept = recording->workers > 0 ? count - count / 100 : count;
    double *gaps = dls_mem_new((size_t)count + 1, sizeof *gaps);
    double sum = 0;

    for (int64_t s = 0; s < count; s++)
        gaps[s] = recording->timeline.sample[s].gap_ns * 1e-9 * recording->rate;
    dls_interval_median(gaps, (size_t)count); /* sorts */
    for (int64_t s = 0; s < kept; s++)
        sum += gaps[s];
    dls_mem_free(gaps);
    return kept > 0 ? sum * (double)count / (double)kept : 0;
}

double dls_recording_hidden_s(const struct dls_recording *recording)
{
    const struct dls_timeline *timeline = &recording->timeline;
    double known = timeline->wait_cpu_ns + timeline->step_cpu_ns;

    for (int64_t b = 0; b < timeline->batches; b++)
        known += (double)timeline->batch[b].collate_cpu_ns;
    for (int64_t s = 0; s < timeline->samples; s++)
        for (int op = 0; op < timeline->ops; op++)
            known += timeline->sample[s].cpu_ns[op];
    known = known * 1e-9 + dls_recording_gaps_s(recording);
    known += (double)(timeline->batch[0].request_ns -
                      recording->info->clock_offset_ns) *
             1e-9;
    if (isnan(recording->cpu_s)) /* fmax would take NaN for nothing */
        return NAN;
    return fmax(recording->cpu_s - known, 0) / (double)timeline->batches;
}

/* Median hand-over of batches that the loop waited for, brought to demand, less the
 * loop's own CPU; NaN: none seen. */
static double handover_seen(const struct dls_recording *recording)
{
    const struct dls_timeline *timeline = &recording->timeline;
    double cpu = timeline->wait_cpu_ns * 1e-9 / (double)timeline->batches, seen = NAN;
    DLS_VEC(double) waited = {0};

    for (int64_t b = 0; b < timeline->batches && recording->workers > 0; b++) {
        const struct dls_recorded_batch *batch = &timeline->batch[b];

        if (batch->arrive_ns >= 0 && batch->end_ns > batch->request_ns)
            DLS_VEC_ADD(&waited, (double)(batch->arrive_ns - batch->end_ns) * 1e-9 *
                                     rate_of(recording));
    }
    if (waited.count > 0)
        seen = fmax(dls_interval_median(waited.data, waited.count) - cpu, 0);
    DLS_VEC_RELEASE(&waited);
    return seen;
}

/* Pause and hand-over together are at most the hidden CPU: both are cut in
 * proportion. */
static double cut_of(const struct dls_recording *recording)
{
    double pause = pause_seen(recording), handover = handover_seen(recording);
    double sum = (isnan(pause) ? 0 : pause) + (isnan(handover) ? 0 : handover);
    double hidden = dls_recording_hidden_s(recording);

    return isnan(hidden) || sum <= hidden ? 1 : hidden / sum;
}

double dls_recording_pause_s(const struct dls_recording *recording)
{
    return pause_seen(recording) * cut_of(recording);
}

double dls_recording_handover_s(const struct dls_recording *recording)
{
    double seen = handover_seen(recording);

    if (recording->workers == 0)
        return NAN;
    if (isnan(seen))
        return isnan(recording->cpu_s) ? 0 : dls_recording_hidden_s(recording);
    return seen * cut_of(recording);
}
