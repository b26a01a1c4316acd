#include "sim/result/recorder.h"

#include <math.h>
#include <string.h>

#include "sim/base/mem.h"
#include "sim/result/verdict.h"
#include "sim/stats/quantile.h"

/* Counters of the run at one moment. */
struct levels {
    dls_time at;
    double cpu_s, device_busy_s, device_bytes, pause_ns;
    int64_t hits, misses;
};

/* Sums of one epoch, or of the whole run. Integers, so that the order of ranks does not
 * matter. */
struct sums {
    int64_t samples, items, step_ns, loop_ns, wait_ns, first_ns, interval_ns;
    int64_t waits, firsts, intervals;
};

struct epoch {
    struct sums sums;
    struct dls_quantile *steps; /* NULL until its first interval */
    dls_time first_request, last_done;
    int32_t ended; /* ranks that have ended it */
    struct levels levels;
};

/* Where one rank stands. */
struct rank {
    int32_t epoch; /* -1: not begun */
    dls_time last_done;
};

struct dls_recorder {
    struct dls_recorder_setup setup;
    struct dls_observer observer;
    struct rank *rank;
    struct epoch *epoch;
    struct dls_batch_times *batch;
    size_t batches;
    int64_t wait_ns; /* all batches, first ones too */
};

static void note_first(struct epoch *epoch, const struct dls_batch_times *times)
{
    if (epoch->sums.firsts == 0 || times->request < epoch->first_request)
        epoch->first_request = times->request;
    epoch->sums.firsts++;
    epoch->sums.first_ns += times->arrive - times->request;
    epoch->sums.loop_ns += times->done - times->request;
}

static void note_later(struct epoch *epoch, const struct dls_batch_times *times,
                       dls_time last_done)
{
    dls_time interval = times->done - last_done;

    if (epoch->steps == NULL)
        epoch->steps = dls_quantile_new();
    dls_quantile_add(epoch->steps, dls_time_seconds(interval));
    epoch->sums.intervals++;
    epoch->sums.interval_ns += interval;
    epoch->sums.loop_ns += interval;
    epoch->sums.waits++;
    epoch->sums.wait_ns += times->arrive - times->request;
}

static void hear_batch(void *self, const struct dls_batch_times *times)
{
    struct dls_recorder *recorder = self;
    struct rank *rank;
    struct epoch *epoch;

    DLS_REQUIRE(times->rank >= 0 && times->rank < recorder->setup.ranks, "rank %d",
                (int)times->rank);
    DLS_REQUIRE(times->epoch >= 0 && times->epoch < recorder->setup.epochs, "epoch %d",
                (int)times->epoch);
    rank = &recorder->rank[times->rank];
    epoch = &recorder->epoch[times->epoch];
    if (rank->epoch != times->epoch)
        note_first(epoch, times);
    else
        note_later(epoch, times, rank->last_done);
    rank->epoch = times->epoch;
    rank->last_done = times->done;
    if (times->done > epoch->last_done)
        epoch->last_done = times->done;
    epoch->sums.samples += times->samples;
    epoch->sums.items += times->items;
    epoch->sums.step_ns += times->step;
    recorder->wait_ns += times->arrive - times->request;
    if (recorder->batch != NULL && times->rank == 0 &&
        recorder->batches < DLS_RESULT_BATCHES)
        recorder->batch[recorder->batches++] = *times;
}

static struct levels read_levels(const struct dls_recorder *recorder, dls_time at)
{
    const struct dls_recorder_setup *setup = &recorder->setup;
    const struct dls_ledger *ledger = setup->ledger;

    return (struct levels){
        .at = at,
        .cpu_s = setup->cpu_s != NULL ? setup->cpu_s(setup->self) : NAN,
        .device_busy_s = setup->device_busy_s != NULL
                             ? setup->device_busy_s(setup->self)
                             : NAN,
        .device_bytes = ledger->device_bytes,
        .pause_ns = ledger->wait_ns[DLS_CAUSE_CHECKPOINT],
        .hits = ledger->cache_hits,
        .misses = ledger->cache_misses,
    };
}

static void hear_epoch(void *self, int32_t rank, int32_t number, dls_time start,
                       dls_time end)
{
    struct dls_recorder *recorder = self;
    struct epoch *epoch;

    (void)rank;
    (void)start;
    DLS_REQUIRE(number >= 0 && number < recorder->setup.epochs, "epoch %d",
                (int)number);
    epoch = &recorder->epoch[number];
    if (++epoch->ended == recorder->setup.ranks)
        epoch->levels = read_levels(recorder, end);
}

struct dls_recorder *dls_recorder_new(const struct dls_recorder_setup *setup)
{
    struct dls_recorder *recorder = dls_mem_new(1, sizeof *recorder);

    DLS_REQUIRE(setup->epochs >= 1 && setup->ranks >= 1, "%s", "");
    recorder->setup = *setup;
    recorder->observer = (struct dls_observer){
        .self = recorder, .batch = hear_batch, .epoch = hear_epoch};
    recorder->rank = dls_mem_new((size_t)setup->ranks, sizeof *recorder->rank);
    for (int32_t r = 0; r < setup->ranks; r++)
        recorder->rank[r].epoch = -1;
    recorder->epoch = dls_mem_new((size_t)setup->epochs, sizeof *recorder->epoch);
    if (setup->keep_batches)
        recorder->batch = dls_mem_new(DLS_RESULT_BATCHES, sizeof *recorder->batch);
    return recorder;
}

void dls_recorder_free(struct dls_recorder *recorder)
{
    if (recorder == NULL)
        return;
    for (int64_t e = 0; e < recorder->setup.epochs; e++)
        dls_quantile_free(recorder->epoch[e].steps);
    dls_mem_free(recorder->rank);
    dls_mem_free(recorder->epoch);
    dls_mem_free(recorder->batch);
    dls_mem_free(recorder);
}

const struct dls_observer *dls_recorder_observer(struct dls_recorder *recorder)
{
    return &recorder->observer;
}

const struct dls_batch_times *dls_recorder_batches(const struct dls_recorder *recorder,
                                                   size_t *count)
{
    *count = recorder->batches;
    return recorder->batch;
}

/* a / b, or NaN when there is nothing to divide by. */
static double ratio(double a, double b)
{
    return b > 0 ? a / b : NAN;
}

static double seconds(int64_t ns)
{
    return (double)ns * 1e-9;
}

static void fill_batches(const struct sums *sums, const struct dls_quantile *steps,
                         double epoch_s, double *metric)
{
    metric[DLS_METRIC_SAMPLES_PER_S] = ratio((double)sums->samples, epoch_s);
    metric[DLS_METRIC_ITEMS_PER_S] = ratio((double)sums->items, epoch_s);
    metric[DLS_METRIC_AU] = ratio((double)sums->step_ns, (double)sums->loop_ns);
    metric[DLS_METRIC_STEP_S] = ratio(seconds(sums->interval_ns),
                                      (double)sums->intervals);
    metric[DLS_METRIC_WAIT_S] = ratio(seconds(sums->wait_ns), (double)sums->waits);
    metric[DLS_METRIC_FIRST_BATCH_S] = ratio(seconds(sums->first_ns),
                                             (double)sums->firsts);
    if (steps != NULL) {
        metric[DLS_METRIC_STEP_S_P50] = dls_quantile_get(steps, 0.50);
        metric[DLS_METRIC_STEP_S_P95] = dls_quantile_get(steps, 0.95);
        metric[DLS_METRIC_STEP_S_P99] = dls_quantile_get(steps, 0.99);
    }
}

/* What the counters moved between two moments. */
static void fill_window(const struct dls_recorder *recorder, const struct levels *from,
                        const struct levels *to, double *metric)
{
    const struct dls_recorder_setup *setup = &recorder->setup;
    double window_s = dls_time_seconds(to->at - from->at);
    double hits = (double)(to->hits - from->hits);
    double pause_ns = to->pause_ns - from->pause_ns;

    metric[DLS_METRIC_CPU_S] = to->cpu_s - from->cpu_s;
    metric[DLS_METRIC_CPU_BUSY] = ratio(to->cpu_s - from->cpu_s,
                                        setup->cores * window_s);
    metric[DLS_METRIC_DEVICE_BUSY] = ratio(to->device_busy_s - from->device_busy_s,
                                           window_s);
    metric[DLS_METRIC_CACHE_HIT_RATIO] = ratio(
        hits, hits + (double)(to->misses - from->misses));
    metric[DLS_METRIC_BYTES_READ_PER_EPOCH] = to->device_bytes - from->device_bytes;
    if (pause_ns > 0 || setup->ledger->stage_ns[DLS_STAGE_CHECKPOINT] > 0)
        metric[DLS_METRIC_CHECKPOINT_PAUSE_S] = pause_ns * 1e-9 / setup->ranks;
}

static void add_sums(struct sums *total, const struct sums *part)
{
    total->samples += part->samples;
    total->items += part->items;
    total->step_ns += part->step_ns;
    total->loop_ns += part->loop_ns;
    total->wait_ns += part->wait_ns;
    total->first_ns += part->first_ns;
    total->interval_ns += part->interval_ns;
    total->waits += part->waits;
    total->firsts += part->firsts;
    total->intervals += part->intervals;
}

/* Fills the rows of all epochs, and the whole run's from their sums. Gives the sums of
 * the run. */
static struct sums fill_metrics(struct dls_recorder *recorder, const struct levels *end,
                                double (*metric)[DLS_METRICS])
{
    struct sums total = {0};
    struct dls_quantile *steps = dls_quantile_new();
    const struct levels begin = {0};
    struct levels from = begin;
    double sum_s = 0;
    int64_t begun = 0;

    for (int64_t e = 0; e < recorder->setup.epochs; e++) {
        struct epoch *epoch = &recorder->epoch[e];
        double epoch_s = dls_time_seconds(epoch->last_done - epoch->first_request);

        if (epoch->sums.firsts == 0)
            continue;
        if (epoch->ended < recorder->setup.ranks)
            epoch->levels = *end;
        fill_batches(&epoch->sums, epoch->steps, epoch_s, metric[1 + e]);
        metric[1 + e][DLS_METRIC_EPOCH_S] = epoch_s;
        fill_window(recorder, &from, &epoch->levels, metric[1 + e]);
        from = epoch->levels;
        add_sums(&total, &epoch->sums);
        if (epoch->steps != NULL)
            dls_quantile_merge(steps, epoch->steps);
        sum_s += epoch_s;
        begun++;
    }
    if (begun > 0) {
        fill_batches(&total, dls_quantile_count(steps) > 0 ? steps : NULL, sum_s,
                     metric[0]);
        metric[0][DLS_METRIC_EPOCH_S] = sum_s / (double)begun;
        fill_window(recorder, &begin, end, metric[0]);
        metric[0][DLS_METRIC_BYTES_READ_PER_EPOCH] /= (double)begun;
    }
    dls_quantile_free(steps);
    return total;
}

/* A level that never rose was not in use: no observation. */
static double peak(const struct dls_gauge *gauge)
{
    return gauge->max > 0 ? gauge->max : NAN;
}

void dls_recorder_finish(struct dls_recorder *recorder,
                         const struct dls_recorder_end *end,
                         struct dls_outcome *outcome)
{
    const struct dls_ledger *ledger = recorder->setup.ledger;
    size_t rows = 1 + (size_t)recorder->setup.epochs;
    struct levels levels = read_levels(recorder, end->now);
    struct sums total;

    *outcome = (struct dls_outcome){.epochs = recorder->setup.epochs,
                                    .run_s = dls_time_seconds(end->now),
                                    .events = end->events,
                                    .fingerprint = end->fingerprint,
                                    .end = end->end};
    outcome->metric = dls_mem_new(rows, sizeof *outcome->metric);
    for (size_t i = 0; i < rows; i++)
        for (size_t m = 0; m < DLS_METRICS; m++)
            outcome->metric[i][m] = NAN;
    total = fill_metrics(recorder, &levels, outcome->metric);
    outcome->metric[0][DLS_METRIC_SHM_PEAK_BYTES] = peak(&ledger->shm_bytes);
    outcome->metric[0][DLS_METRIC_PINNED_PEAK_BYTES] = peak(&ledger->pinned_bytes);

    for (size_t s = 0; s < DLS_STAGES; s++) {
        outcome->stage_s[s] = ledger->stage_ns[s] * 1e-9;
        outcome->demand_s[s] = ledger->demand_ns[s] * 1e-9;
    }
    /* Batch times define these two exactly, whatever a model adds to the ledger. */
    outcome->stage_s[DLS_STAGE_WAIT] = seconds(recorder->wait_ns);
    outcome->stage_s[DLS_STAGE_STEP] = seconds(total.step_ns);
    for (size_t c = 0; c < DLS_CAUSES; c++)
        outcome->wait_s[c] = ledger->wait_ns[c] * 1e-9;
    dls_bounds_fill((double)total.samples, recorder->setup.ranks,
                    recorder->setup.workers, outcome->stage_s, outcome->bound_per_s);
    if (end->deadlock != NULL)
        outcome->deadlock = dls_mem_text(end->deadlock);
}

void dls_outcome_release(struct dls_outcome *outcome)
{
    dls_mem_free(outcome->metric);
    dls_mem_free(outcome->deadlock);
    *outcome = (struct dls_outcome){0};
}
