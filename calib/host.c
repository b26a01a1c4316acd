/* host.c: what the host does to all demands: slow-down of two busy processors, and the
 * speed at which each recording was made.
 *
 * A recording's CPU times hold its host's speed of the moment (it drifts) and the
 * slow-down by busy siblings. The mean CPU of a sample is the recording's level;
 * slow-down is known from the yield and from how busy the processors were; what is left
 * of the differences between levels is drift, and the reference speed is the mean over
 * recordings. */
#include <math.h>
#include <string.h>

#include "calib/calib_int.h"
#include "sim/stats/tally.h"

/* Two busy siblings slow each other by 7 %, give or take what the class of work makes
 * of it. */
static const double USUAL_SLOW = 1.07, USUAL_ERROR = 0.05;

/* Standard deviation of log speed between runs of one shared host (7-13 % were measured
 * on one). */
static const double DRIFT = 0.10;

bool dls_is_first_batch(const struct dls_recording *recording, int64_t index)
{
    return recording->timeline.batch[index].before_ns < 0;
}

/* Mean CPU of a sample outside first batches. With 0 workers nothing contends, and the
 * time on the clock, which holds what the CPU clock misses, stands for it. */
static double level_of(const struct dls_recording *recording)
{
    const struct dls_timeline *timeline = &recording->timeline;
    double sum = 0;
    int64_t count = 0;

    for (int64_t s = 0; s < timeline->samples; s++) {
        const struct dls_recorded_sample *sample = &timeline->sample[s];

        if (dls_is_first_batch(recording, sample->batch) &&
            timeline->batches > recording->workers + 1)
            continue;
        for (int op = 0; op < timeline->ops; op++)
            sum += recording->workers == 0 ? sample->dur_ns[op] : sample->cpu_ns[op];
        count++;
    }
    return count > 0 ? sum * 1e-9 / (double)count : NAN;
}

double dls_recording_wall_s(const struct dls_recording *recording)
{
    const struct dls_timeline *timeline = &recording->timeline;

    return (double)(timeline->batch[timeline->batches - 1].done_ns -
                    recording->info->clock_offset_ns) *
           1e-9;
}

/* Share of the run in which the second processors of the cores were busy beside the
 * first: mean busy processors beyond one a core, over the cores (two siblings each, the
 * default of cpu.cores). */
static double overlap_of(const struct dls_recording *recording)
{
    const struct dls_timeline *timeline = &recording->timeline;
    double busy = timeline->wait_cpu_ns + timeline->step_cpu_ns;
    double wall = 1e9 * dls_recording_wall_s(recording);
    double physical = ceil((double)recording->cores / 2);

    for (int64_t b = 0; b < timeline->batches; b++)
        busy += (double)timeline->batch[b].collate_cpu_ns;
    for (int64_t s = 0; s < timeline->samples; s++)
        for (int op = 0; op < timeline->ops; op++)
            busy += timeline->sample[s].cpu_ns[op];
    if (!isnan(recording->cpu_s))
        busy = 1e9 * recording->cpu_s;
    if (recording->workers == 0 || wall <= 0)
        return 0;
    return fmin(fmax(busy / wall / physical - 1, 0), 1);
}

/* With w busy workers on c processors a further thread gets c / (w + 1) of one, as far
 * as the processors are busy. */
static double rate_of(const struct dls_recording *recording)
{
    double share = fmin((double)recording->cores / (double)(recording->workers + 1), 1);

    return 1 - overlap_of(recording) * (1 - share);
}

/* Adds CPU per operation with two busy processes against one, by class and repetition,
 * to `ratios`. */
static void micro_slow(struct dls_calibration *calibration, struct dls_tally *ratios)
{
    for (size_t t = 0; t < calibration->list.count; t++) {
        struct dls_trace_micros micros = {0};

        if (dls_trace_micros_read(calibration->db, calibration->list.data[t].trace,
                                  calibration->diag, &micros) != DLS_OK)
            continue;
        for (size_t i = 0; i < micros.count; i++)
            for (size_t j = 0; j < micros.count; j++) {
                const struct dls_trace_micro *one = &micros.data[i],
                                             *two = &micros.data[j];

                if (strcmp(one->test, "cpu_per_op") == 0 &&
                    strcmp(two->test, "cpu_per_op") == 0 && one->n == 1 &&
                    two->n == 2 && one->repetition == two->repetition &&
                    strcmp(one->class_, two->class_) == 0 && one->value > 0)
                    dls_tally_add(ratios, two->value / one->value);
            }
        dls_trace_micros_release(&micros);
    }
}

/* Slow-down seen between recordings of one busy processor and of two; NaN when there
 * are not both. */
static double recorded_slow(const struct dls_calibration *calibration)
{
    double alone = 0, both = 0, overlap = 0;
    int alone_n = 0, both_n = 0;

    for (size_t r = 0; r < calibration->recordings; r++) {
        const struct dls_recording *recording = &calibration->recording[r];
        double busy = overlap_of(recording);

        if (isnan(recording->level_s))
            continue;
        if (busy < 0.2) {
            alone += recording->level_s;
            alone_n++;
        } else if (busy > 0.5) {
            both += recording->level_s;
            overlap += busy;
            both_n++;
        }
    }
    if (alone_n == 0 || both_n == 0)
        return NAN;
    return 1 + ((both / both_n) / (alone / alone_n) - 1) / (overlap / both_n);
}

/* The slow-down as a weighted mean, each source by the inverse of its variance: what is
 * known of two sibling processors, the host's measurements, and the difference between
 * recordings, which holds the drift between them too. */
static double slow_estimate(struct dls_calibration *calibration, const char **from)
{
    double recorded = recorded_slow(calibration);
    double weight = 1 / (USUAL_ERROR * USUAL_ERROR), sum = USUAL_SLOW * weight, used;
    struct dls_tally micro = {0};

    *from = "default: two busy sibling processors";
    micro_slow(calibration, &micro);
    if (micro.count > 2) {
        used = (double)micro.count / dls_tally_variance(&micro);
        sum += dls_tally_mean(&micro) * used;
        weight += used;
        *from = "default and the host's measurements, weighted";
    }
    if (!isnan(recorded)) {
        used = 1 / (2 * DRIFT * DRIFT);
        sum += recorded * used;
        weight += used;
        *from = micro.count > 2 ? "default, the host's measurements and the "
                                  "recordings' difference, weighted"
                                : "default and the recordings' difference, weighted";
    }
    return fmin(fmax(sum / weight, 1), 2);
}

void dls_estimate_host(struct dls_calibration *calibration)
{
    double reference = 0, slow;
    const char *from;
    int levels = 0;

    for (size_t r = 0; r < calibration->recordings; r++)
        calibration->recording[r].level_s = level_of(&calibration->recording[r]);
    slow = slow_estimate(calibration, &from);
    calibration->yield = 2 / slow;
    for (int class = 0; class < 7; class ++) {
        static const char *const keys[] = {
            "yield.python", "yield.decode", "yield.inflate", "yield.numeric",
            "yield.copy",   "yield.fresh",  "yield.kernel"};

        dls_fit_set(calibration, "cpu", keys[class], DLS_UNIT_NUMBER,
                    calibration->yield, (int64_t)calibration->recordings, from);
    }
    for (size_t r = 0; r < calibration->recordings; r++) {
        struct dls_recording *recording = &calibration->recording[r];

        recording->slow = 1 + (slow - 1) * overlap_of(recording);
        recording->rate = rate_of(recording);
        if (!isnan(recording->level_s)) {
            reference += recording->level_s / recording->slow;
            levels++;
        }
    }
    for (size_t r = 0; r < calibration->recordings; r++) {
        struct dls_recording *recording = &calibration->recording[r];

        recording->scale = isnan(recording->level_s)
                               ? 1 / recording->slow
                               : reference / levels / recording->level_s;
    }
}
