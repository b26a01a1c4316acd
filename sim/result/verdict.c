/* The rules, in order; the first that holds names the limit:
 * 1. a deadlock, or nothing delivered: none
 * 2. the GPU waits less than 5 % of the time: gpu
 * 3. start-up, checkpoints or barriers are more than half of the waiting: that
 * 4. reading is at least a quarter of the loader's work, and the device is in service
 *    90 % of the time, or at 90 % of the stated bandwidth, or throttled while storage
 *    is more than half of the waiting: storage
 * 5. the cores are 90 % busy: cores
 * 6. the training process is busy 90 % of the time between batches, or there are no
 *    workers: main
 * 7. workers are less than 90 % busy, and first batches are more than half of the
 *    waiting: start
 * 8. else: workers, in series with what they wait for
 *
 * Within a limit the stage is the one with the largest time on that resource: CPU
 * demand for cores, elapsed time else. */
#include "sim/result/verdict.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/units.h"
#include "sim/result/verdict_int.h"

static const double little_wait = 0.05;
static const double saturated = 0.90;
static const double read_matters = 0.25;

const char *dls_limit_text(enum dls_limit limit)
{
    static const char *const texts[] = {
#define X(name, text) text,
        DLS_LIMIT_LIST(X)
#undef X
    };

    DLS_REQUIRE(limit < DLS_LIMITS, "limit %d", (int)limit);
    return texts[limit];
}

bool dls_stage_is_worker(enum dls_stage stage)
{
    return stage >= DLS_STAGE_OPEN && stage <= DLS_STAGE_PUT;
}

/* A stage of a worker's task loop. Its `put` runs on threads of its own beside that
 * loop; time that the loop loses to them (interpreter lock, cores) is in its own
 * stages.
 */
static bool is_task_loop(enum dls_stage stage)
{
    return dls_stage_is_worker(stage) && stage != DLS_STAGE_PUT;
}

/* A stage of the training process beside wait and step. */
static bool is_main(enum dls_stage stage)
{
    return stage >= DLS_STAGE_UNPICKLE && stage != DLS_STAGE_WAIT &&
           stage != DLS_STAGE_STEP;
}

const char *dls_verdict_textf(struct dls_arena *arena, const char *format, ...)
{
    char buffer[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(buffer, sizeof buffer, format, arguments);
    va_end(arguments);
    return dls_arena_text(arena, buffer);
}

void dls_bounds_fill(double samples, int64_t ranks, int64_t workers,
                     const double stage_s[DLS_STAGES], double bound_per_s[DLS_STAGES])
{
    for (enum dls_stage s = 0; s < DLS_STAGES; s++) {
        int64_t actors = ranks;

        if (dls_stage_is_worker(s) && workers > 0)
            actors *= workers;
        bound_per_s[s] = NAN;
        if (s == DLS_STAGE_START || s == DLS_STAGE_WAIT)
            continue;
        if (stage_s[s] > 0 && samples > 0)
            bound_per_s[s] = (double)actors * samples / stage_s[s];
    }
}

/* Stages in series on the same actors: 1/X = sum of 1/X_i. */
static double in_series(const double bound_per_s[DLS_STAGES],
                        bool (*belongs)(enum dls_stage))
{
    double inverse = 0;

    for (enum dls_stage s = 0; s < DLS_STAGES; s++)
        if (belongs(s) && !isnan(bound_per_s[s]))
            inverse += 1 / bound_per_s[s];
    return inverse > 0 ? 1 / inverse : NAN;
}

static bool is_loading(enum dls_stage stage)
{
    return dls_stage_is_worker(stage) || is_main(stage);
}

const char *dls_verdict_input(const struct dls_result *result, const char *path)
{
    for (size_t i = 0; i < result->origins; i++)
        if (strcmp(result->origin[i].path, path) == 0)
            return result->origin[i].value;
    return NULL;
}

double dls_verdict_quantity(const struct dls_result *result, const char *path,
                            enum dls_unit unit)
{
    const char *text = dls_verdict_input(result, path);
    double value;

    if (text == NULL || dls_units_read(text, unit, &value) != NULL || !(value > 0))
        return NAN;
    return value;
}

/* Samples/s at which the device's bytes meet the stated bandwidth. */
static double storage_bound(const struct dls_diagnosis *diagnosis)
{
    const struct dls_result *result = diagnosis->result;
    double bandwidth = fmin(
        dls_verdict_quantity(result, "storage.bandwidth", DLS_UNIT_BYTES_PER_S),
        dls_verdict_quantity(result, "storage.bandwidth_limit", DLS_UNIT_BYTES_PER_S));
    double bytes_per_s = result->total[DLS_METRIC_BYTES_READ_PER_EPOCH].value /
                         result->total[DLS_METRIC_EPOCH_S].value;

    return bytes_per_s > 0 ? diagnosis->samples_per_s * bandwidth / bytes_per_s : NAN;
}

static struct dls_bounds bounds_of(const struct dls_diagnosis *diagnosis)
{
    const double *bound = diagnosis->result->bound_per_s;
    struct dls_bounds bounds = {bound[DLS_STAGE_STEP], NAN, NAN, NAN, NAN};

    if (diagnosis->cpu_busy > 0)
        bounds.cores = diagnosis->samples_per_s / diagnosis->cpu_busy;
    if (diagnosis->has_workers)
        bounds.workers = fmin(in_series(bound, is_task_loop), bound[DLS_STAGE_PUT]);
    bounds.main = in_series(bound, diagnosis->has_workers ? is_main : is_loading);
    bounds.storage = storage_bound(diagnosis);
    return bounds;
}

static struct dls_diagnosis diagnose(const struct dls_result *result)
{
    struct dls_diagnosis d = {
        .result = result,
        .samples_per_s = result->total[DLS_METRIC_SAMPLES_PER_S].value,
        .total_s = result->total[DLS_METRIC_EPOCH_S].value * (double)result->epochs,
        .cpu_busy = result->total[DLS_METRIC_CPU_BUSY].value,
        .device_busy = result->total[DLS_METRIC_DEVICE_BUSY].value,
        .has_workers = result->workers > 0,
    };
    double read_s = result->stage_s[DLS_STAGE_OPEN] + result->stage_s[DLS_STAGE_READ];

    for (enum dls_stage s = 0; s < DLS_STAGES; s++) {
        d.cpu_demand_s += result->demand_s[s];
        if (!is_task_loop(s))
            continue;
        d.worker_s += result->stage_s[s];
        d.worker_cpu_s += result->demand_s[s];
    }
    for (enum dls_cause c = 0; c < DLS_CAUSES; c++)
        d.wait_s += result->wait_s[c];
    d.read_share = d.worker_s > 0 ? read_s / d.worker_s : 0;
    if (result->stage_s[DLS_STAGE_WAIT] > 0)
        d.first_share = result->total[DLS_METRIC_FIRST_BATCH_S].value *
                        (double)(result->epochs * result->ranks) /
                        result->stage_s[DLS_STAGE_WAIT];
    return d;
}

enum dls_stage dls_verdict_largest(const double seconds[DLS_STAGES], bool workers_only)
{
    enum dls_stage best = DLS_STAGE_WAIT;
    double most = 0;

    for (enum dls_stage s = 0; s < DLS_STAGES; s++)
        if ((workers_only ? dls_stage_is_worker(s) : is_loading(s)) &&
            seconds[s] > most) {
            most = seconds[s];
            best = s;
        }
    return best;
}

static enum dls_stage largest_main(const struct dls_diagnosis *d)
{
    double seconds[DLS_STAGES] = {0};

    for (enum dls_stage s = 0; s < DLS_STAGES; s++)
        if (is_main(s) || !d->has_workers)
            seconds[s] = d->result->stage_s[s];
    return dls_verdict_largest(seconds, false);
}

/* Rule 3: a cause that is more than half of the waiting. */
static enum dls_limit limit_by_cause(const struct dls_diagnosis *d)
{
    const double *wait = d->result->wait_s;

    if (wait[DLS_CAUSE_STARTUP] > d->wait_s / 2)
        return DLS_LIMIT_START;
    if (wait[DLS_CAUSE_CHECKPOINT] > d->wait_s / 2)
        return DLS_LIMIT_CHECKPOINT;
    if (wait[DLS_CAUSE_BARRIER] > d->wait_s / 2)
        return DLS_LIMIT_BARRIER;
    return DLS_LIMIT_NONE;
}

/* Rule 4. */
static bool is_storage_full(const struct dls_diagnosis *d,
                            const struct dls_bounds *bounds)
{
    bool is_throttled =
        !isnan(dls_verdict_quantity(d->result, "storage.bandwidth_limit",
                                    DLS_UNIT_BYTES_PER_S)) ||
        !isnan(dls_verdict_quantity(d->result, "storage.iops_limit", DLS_UNIT_PER_S));

    if (d->read_share < read_matters)
        return false;
    return d->device_busy >= saturated ||
           d->samples_per_s >= saturated * bounds->storage ||
           (is_throttled && d->result->wait_s[DLS_CAUSE_STORAGE] > d->wait_s / 2);
}

static enum dls_limit find_limit(const struct dls_diagnosis *d,
                                 const struct dls_verdict *verdict)
{
    enum dls_limit limit;

    if (d->result->deadlock != NULL || !(d->samples_per_s > 0))
        return DLS_LIMIT_NONE;
    if (verdict->is_busy)
        return DLS_LIMIT_GPU;
    limit = limit_by_cause(d);
    if (limit != DLS_LIMIT_NONE)
        return limit;
    if (is_storage_full(d, &verdict->bounds))
        return DLS_LIMIT_STORAGE;
    if (d->cpu_busy >= saturated)
        return DLS_LIMIT_CORES;
    if (!d->has_workers || d->samples_per_s >= saturated * verdict->bounds.main)
        return DLS_LIMIT_MAIN;
    if (d->first_share > 0.5 && d->samples_per_s < saturated * verdict->bounds.workers)
        return DLS_LIMIT_START;
    return DLS_LIMIT_WORKERS;
}

static enum dls_stage stage_of(const struct dls_diagnosis *d, enum dls_limit limit)
{
    const struct dls_result *result = d->result;

    switch (limit) {
    case DLS_LIMIT_GPU:
        return DLS_STAGE_STEP;
    case DLS_LIMIT_CORES:
        return dls_verdict_largest(result->demand_s, false);
    case DLS_LIMIT_WORKERS:
        return dls_verdict_largest(result->stage_s, true);
    case DLS_LIMIT_STORAGE:
        return DLS_STAGE_READ;
    case DLS_LIMIT_MAIN:
        return largest_main(d);
    case DLS_LIMIT_START:
        return DLS_STAGE_START;
    case DLS_LIMIT_CHECKPOINT:
        return DLS_STAGE_CHECKPOINT;
    case DLS_LIMIT_BARRIER:
        return DLS_STAGE_REDUCE;
    default:
        return DLS_STAGE_WAIT;
    }
}

static void judge(const struct dls_diagnosis *d, struct dls_verdict *verdict)
{
    const struct dls_value *au = &d->result->total[DLS_METRIC_AU];

    verdict->has_step = d->result->stage_s[DLS_STAGE_STEP] > 0;
    verdict->wait_fraction = au->n > 0 ? 1 - au->value : NAN;
    verdict->is_busy = verdict->has_step && verdict->wait_fraction < little_wait;
    verdict->bounds = bounds_of(d);
    verdict->limit = find_limit(d, verdict);
    verdict->stage = stage_of(d, verdict->limit);
}

enum dls_stage dls_verdict_stage(const struct dls_result *result)
{
    struct dls_diagnosis diagnosis = diagnose(result);
    struct dls_verdict verdict = {0};

    judge(&diagnosis, &verdict);
    return verdict.stage;
}

static const char *sentence_of(const struct dls_diagnosis *d,
                               const struct dls_verdict *verdict)
{
    struct dls_arena *arena = verdict->arena;
    const char *stage = dls_stage_text(verdict->stage);
    char rate[32];

    if (d->result->deadlock != NULL)
        return dls_verdict_textf(arena, "the simulated system deadlocked");
    if (verdict->limit == DLS_LIMIT_NONE)
        return dls_verdict_textf(arena, "no sample was delivered");
    dls_units_write(d->samples_per_s, DLS_UNIT_NUMBER, rate, sizeof rate);
    if (!verdict->has_step)
        return dls_verdict_textf(
            arena, "loader alone, no training step: %s-bound at %s samples/s", stage,
            rate);
    if (verdict->is_busy)
        return dls_verdict_textf(
            arena, "yes: the GPU is kept busy; it waits %.1f %% of the time",
            100 * verdict->wait_fraction);
    return dls_verdict_textf(arena, "no: %s-bound; the GPU waits %.1f %% of the time",
                             stage, 100 * verdict->wait_fraction);
}

static void add_reason(struct dls_verdict *verdict, const char *text)
{
    if (verdict->reasons < DLS_VERDICT_REASONS)
        verdict->reason[verdict->reasons++] = text;
}

/* "of the waiting: storage 81 %, order 12 %" with the causes of at least 5 %, largest
 * first. */
static void add_causes(const struct dls_diagnosis *d, struct dls_verdict *verdict)
{
    bool told[DLS_CAUSES] = {false};
    char list[256] = "";
    size_t used = 0;

    for (int n = 0; n < 3; n++) {
        enum dls_cause best = DLS_CAUSE_NONE;
        double most = 0.05 * d->wait_s;

        for (enum dls_cause c = 0; c < DLS_CAUSES; c++)
            if (!told[c] && d->result->wait_s[c] > most) {
                most = d->result->wait_s[c];
                best = c;
            }
        if (best == DLS_CAUSE_NONE)
            break;
        told[best] = true;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s %.0f %%",
                                 used > 0 ? ", " : "", dls_cause_text(best),
                                 100 * most / d->wait_s);
    }
    if (used > 0)
        add_reason(verdict, dls_verdict_textf(verdict->arena,
                                              "the training loop waits for: %s", list));
}

static double share(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

static const char *storage_reason(const struct dls_diagnosis *d,
                                  struct dls_verdict *verdict)
{
    if (d->samples_per_s >= saturated * verdict->bounds.storage)
        return dls_verdict_textf(
            verdict->arena,
            "storage is at %.0f %% of its bandwidth; reading is %.0f %% "
            "of the loader's work",
            100 * d->samples_per_s / verdict->bounds.storage, 100 * d->read_share);
    if (d->device_busy >= saturated)
        return dls_verdict_textf(
            verdict->arena,
            "the device is in service %.0f %% of the time; reading is "
            "%.0f %% of the loader's work",
            100 * d->device_busy, 100 * d->read_share);
    return dls_verdict_textf(
        verdict->arena, "storage is throttled; reading is %.0f %% of the loader's work",
        100 * d->read_share);
}

/* The sentence that belongs to the limit. */
static void add_why(const struct dls_diagnosis *d, struct dls_verdict *verdict)
{
    const struct dls_result *result = d->result;
    const char *stage = dls_stage_text(verdict->stage);
    const char *text = NULL;

    switch (verdict->limit) {
    case DLS_LIMIT_CORES:
        text = dls_verdict_textf(
            verdict->arena,
            "%g cores are %.0f %% busy; %s is %.0f %% of the CPU demand", result->cores,
            100 * d->cpu_busy, stage,
            share(result->demand_s[verdict->stage], d->cpu_demand_s));
        break;
    case DLS_LIMIT_WORKERS:
        text = dls_verdict_textf(
            verdict->arena, "%lld worker%s: %.0f %% busy, %.0f %% of that in %s",
            (long long)result->workers,
            result->ranks > 1 ? "s a rank" : (result->workers == 1 ? "" : "s"),
            fmin(100, 100 * d->samples_per_s / verdict->bounds.workers),
            share(result->stage_s[verdict->stage], d->worker_s), stage);
        break;
    case DLS_LIMIT_STORAGE:
        text = storage_reason(d, verdict);
        break;
    case DLS_LIMIT_MAIN:
        if (!d->has_workers)
            text = dls_verdict_textf(
                verdict->arena, "no workers: the training process loads between steps");
        else
            text = dls_verdict_textf(verdict->arena,
                                     "the training process is busy between batches, "
                                     "most of it in %s",
                                     stage);
        break;
    case DLS_LIMIT_START:
        if (d->first_share > 0.5)
            text = dls_verdict_textf(
                verdict->arena, "first batches of epochs are %.0f %% of the waiting",
                fmin(100, 100 * d->first_share));
        else
            text = dls_verdict_textf(
                verdict->arena, "start-up is %.0f %% of the waiting",
                share(result->wait_s[DLS_CAUSE_STARTUP], d->wait_s));
        break;
    default:
        break;
    }
    if (text != NULL)
        add_reason(verdict, text);
}

/* "samples/s, each alone: gpu 1210, cores 804, workers 612" */
static void add_bounds(struct dls_verdict *verdict)
{
    const struct {
        const char *name;
        double per_s;
    } rows[] = {{"gpu", verdict->bounds.gpu},
                {"cores", verdict->bounds.cores},
                {"workers", verdict->bounds.workers},
                {"storage", verdict->bounds.storage},
                {"main process", verdict->bounds.main}};
    char list[256] = "";
    char rate[32];
    size_t used = 0;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!isnan(rows[i].per_s))
            used += (size_t)snprintf(
                list + used, sizeof list - used, "%s%s %s", used > 0 ? ", " : "",
                rows[i].name,
                dls_units_write(rows[i].per_s, DLS_UNIT_NUMBER, rate, sizeof rate));
    if (used > 0)
        add_reason(verdict, dls_verdict_textf(verdict->arena,
                                              "samples/s, each alone: %s", list));
}

struct dls_verdict *dls_verdict_new(const struct dls_result *result)
{
    struct dls_arena *arena = dls_arena_new();
    struct dls_verdict *verdict = dls_arena_get(arena, 1, sizeof *verdict);
    struct dls_diagnosis diagnosis = diagnose(result);

    verdict->arena = arena;
    judge(&diagnosis, verdict);
    verdict->sentence = sentence_of(&diagnosis, verdict);
    if (verdict->limit == DLS_LIMIT_NONE)
        return verdict;
    add_why(&diagnosis, verdict);
    if (diagnosis.wait_s > 0)
        add_causes(&diagnosis, verdict);
    add_bounds(verdict);
    dls_hints_fill(&diagnosis, verdict);
    return verdict;
}

void dls_verdict_free(struct dls_verdict *verdict)
{
    if (verdict != NULL)
        dls_arena_free(verdict->arena);
}
