/* What to try next, by rule. A gain is "at most": the lowest of the bounds that stay,
 * against the present speed. Bounds come from the run itself (verdict.h), so they hold
 * for its contention and its data; a rule whose bound is not known, or that gains less
 * than 2 %, gives no hint. The last word has the simulation: each hint names the --set
 * that runs it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/result/verdict_int.h"

static const double worth_telling = 0.02;
/* Workers are told to be too many when they could do this much more than the GPU
 * takes; */
static const double idle_surplus = 1.25;
/* what is left then keeps this much for variation. */
static const double reserve = 1.10;

enum { MOST_WORKERS = 1024 };

/* The lowest of several bounds and whose it is. */
struct ceiling {
    double per_s;
    enum dls_limit limit;
};

static void lower(struct ceiling *ceiling, double per_s, enum dls_limit limit)
{
    if (!isnan(per_s) && per_s < ceiling->per_s) {
        ceiling->per_s = per_s;
        ceiling->limit = limit;
    }
}

static bool has_value(const struct dls_result *result, const char *path,
                      const char *value)
{
    const char *found = dls_verdict_input(result, path);

    return found != NULL && strcmp(found, value) == 0;
}

static void add(struct dls_verdict *verdict, struct dls_hint hint)
{
    size_t at = verdict->hints;

    if (at == DLS_VERDICT_HINTS)
        return;
    while (at > 0 && verdict->hint[at - 1].gain_fraction < hint.gain_fraction) {
        verdict->hint[at] = verdict->hint[at - 1];
        at--;
    }
    verdict->hint[at] = hint;
    verdict->hints++;
}

/* Adds a hint that leads to `ceiling`, if that is known and worth it. */
static void add_gain(const struct dls_diagnosis *d, struct dls_verdict *verdict,
                     const struct ceiling *ceiling, const char *text, const char *set)
{
    double gain = ceiling->per_s / d->samples_per_s - 1;

    if (ceiling->limit != DLS_LIMIT_NONE && gain >= worth_telling)
        add(verdict, (struct dls_hint){text, set, gain, ceiling->limit});
}

static struct ceiling no_ceiling(void)
{
    return (struct ceiling){INFINITY, DLS_LIMIT_NONE};
}

/* More workers, as many as the lowest other bound can use. `one` is what a single
 * worker a rank delivers. */
static void hint_workers(const struct dls_diagnosis *d, struct dls_verdict *verdict,
                         double one)
{
    const struct dls_result *result = d->result;
    struct ceiling ceiling = no_ceiling();
    double wanted;
    const char *text, *set;
    long long now = result->workers > 0 ? result->workers : 0;
    long long count;

    lower(&ceiling, verdict->bounds.gpu, DLS_LIMIT_GPU);
    lower(&ceiling, verdict->bounds.cores, DLS_LIMIT_CORES);
    lower(&ceiling, verdict->bounds.storage, DLS_LIMIT_STORAGE);
    if (d->has_workers)
        lower(&ceiling, verdict->bounds.main, DLS_LIMIT_MAIN);
    wanted = ceil(ceiling.per_s / one);
    if (ceiling.limit == DLS_LIMIT_NONE || !(wanted <= MOST_WORKERS) ||
        wanted <= (double)now)
        return;
    count = (long long)wanted;
    text = dls_verdict_textf(verdict->arena, "raise loader.workers from %lld to %lld",
                             now, count);
    set = dls_verdict_textf(verdict->arena, "loader.workers=%lld", count);
    add_gain(d, verdict, &ceiling, text, set);
}

/* What workers could deliver on idle cores with no waiting for storage: an upper
 * bound. */
static double workers_at_best(const struct dls_diagnosis *d)
{
    const struct dls_result *result = d->result;
    int64_t actors = result->ranks * (d->has_workers ? result->workers : 1);

    if (!(d->worker_cpu_s > 0))
        return NAN;
    return (double)actors * d->samples_per_s * d->total_s / d->worker_cpu_s;
}

static void hint_cores(const struct dls_diagnosis *d, struct dls_verdict *verdict)
{
    const char *given = dls_verdict_input(d->result, "host.cores");
    long long now = given != NULL ? strtoll(given, NULL, 10) : 0;
    struct ceiling ceiling = no_ceiling();
    long long count;

    lower(&ceiling, verdict->bounds.gpu, DLS_LIMIT_GPU);
    lower(&ceiling, workers_at_best(d), DLS_LIMIT_WORKERS);
    lower(&ceiling, verdict->bounds.storage, DLS_LIMIT_STORAGE);
    if (now < 1 || isinf(ceiling.per_s) || isnan(verdict->bounds.cores))
        return;
    count = (long long)ceil((double)now * ceiling.per_s / verdict->bounds.cores);
    if (count <= now)
        return;
    add_gain(d, verdict, &ceiling,
             dls_verdict_textf(verdict->arena, "raise host.cores from %lld to %lld",
                               now, count),
             dls_verdict_textf(verdict->arena, "host.cores=%lld", count));
}

/* Half the CPU cost of the largest stage. */
static void hint_cheaper(const struct dls_diagnosis *d, struct dls_verdict *verdict)
{
    enum dls_stage stage = dls_verdict_largest(d->result->demand_s, false);
    const char *name = dls_stage_text(stage);
    struct ceiling ceiling = no_ceiling();
    const char *path, *set = NULL;
    double part;

    if (stage == DLS_STAGE_WAIT || isnan(verdict->bounds.cores))
        return;
    part = d->result->demand_s[stage] / d->cpu_demand_s;
    lower(&ceiling, verdict->bounds.gpu, DLS_LIMIT_GPU);
    lower(&ceiling, verdict->bounds.cores / (1 - part / 2), DLS_LIMIT_CORES);
    path = dls_verdict_textf(verdict->arena, "transform.%s.scale", name);
    if (dls_verdict_input(d->result, path) != NULL)
        set = dls_verdict_textf(verdict->arena, "%s=0.5", path);
    add_gain(d, verdict, &ceiling,
             dls_verdict_textf(verdict->arena, "halve the CPU cost of %s", name), set);
}

/* What is left when storage costs nothing. */
static struct ceiling without_storage(const struct dls_diagnosis *d,
                                      const struct dls_verdict *verdict)
{
    struct ceiling ceiling = no_ceiling();

    lower(&ceiling, verdict->bounds.gpu, DLS_LIMIT_GPU);
    lower(&ceiling, verdict->bounds.cores, DLS_LIMIT_CORES);
    if (d->has_workers)
        lower(&ceiling, verdict->bounds.main, DLS_LIMIT_MAIN);
    lower(&ceiling, workers_at_best(d), DLS_LIMIT_WORKERS);
    return ceiling;
}

static void hint_throttle(const struct dls_diagnosis *d, struct dls_verdict *verdict,
                          const char *path, enum dls_unit unit)
{
    struct ceiling ceiling = without_storage(d, verdict);
    double now = dls_verdict_quantity(d->result, path, unit);
    char from[48], to[48];
    double then;

    if (isnan(now) || isinf(ceiling.per_s))
        return;
    then = now * ceiling.per_s / d->samples_per_s;
    dls_units_write(now, unit, from, sizeof from);
    dls_units_write(then, unit, to, sizeof to);
    add_gain(
        d, verdict, &ceiling,
        dls_verdict_textf(verdict->arena, "raise %s from %s to %s", path, from, to),
        dls_verdict_textf(verdict->arena, "%s=%s", path, to));
}

static void hint_storage(const struct dls_diagnosis *d, struct dls_verdict *verdict)
{
    struct ceiling ceiling = without_storage(d, verdict);

    hint_throttle(d, verdict, "storage.bandwidth_limit", DLS_UNIT_BYTES_PER_S);
    hint_throttle(d, verdict, "storage.iops_limit", DLS_UNIT_PER_S);
    if (has_value(d->result, "run.start", "cold"))
        add_gain(d, verdict, &ceiling, "keep the data set in memory (run.start: warm)",
                 "run.start=warm");
}

/* The speed if `seconds` of waiting per rank fell away, and nothing else changed. */
static struct ceiling without_wait(const struct dls_diagnosis *d,
                                   const struct dls_verdict *verdict, double seconds)
{
    double kept_s = d->total_s - seconds / (double)d->result->ranks;
    struct ceiling ceiling = no_ceiling();

    lower(&ceiling, verdict->bounds.gpu, DLS_LIMIT_GPU);
    if (kept_s > 0)
        lower(&ceiling, d->samples_per_s * d->total_s / kept_s, verdict->limit);
    return ceiling;
}

static void hint_waits(const struct dls_diagnosis *d, struct dls_verdict *verdict)
{
    const struct dls_result *result = d->result;
    double epochs = (double)result->epochs;
    struct ceiling start = without_wait(
        d, verdict, result->wait_s[DLS_CAUSE_STARTUP] * (epochs - 1) / epochs);
    struct ceiling order = without_wait(d, verdict, result->wait_s[DLS_CAUSE_ORDER]);

    if (has_value(result, "loader.persistent", "false") && result->epochs > 1)
        add_gain(d, verdict, &start, "keep workers between epochs (loader.persistent)",
                 "loader.persistent=true");
    if (has_value(result, "loader.in_order", "true"))
        add_gain(d, verdict, &order,
                 "take batches as they come (loader.in_order: false)",
                 "loader.in_order=false");
    if (result->prefetch > 0)
        add_gain(d, verdict, &order,
                 dls_verdict_textf(
                     verdict->arena, "raise loader.prefetch from %lld to %lld",
                     (long long)result->prefetch, 2 * (long long)result->prefetch),
                 dls_verdict_textf(verdict->arena, "loader.prefetch=%lld",
                                   2 * (long long)result->prefetch));
}

/* The GPU limits: what a faster one could gain, and workers that are not needed. */
static void hint_gpu(const struct dls_diagnosis *d, struct dls_verdict *verdict)
{
    const struct dls_result *result = d->result;
    struct ceiling ceiling = no_ceiling();
    double spare = verdict->bounds.workers / verdict->bounds.gpu;
    long long enough;

    lower(&ceiling, verdict->bounds.cores, DLS_LIMIT_CORES);
    lower(&ceiling, verdict->bounds.workers, DLS_LIMIT_WORKERS);
    lower(&ceiling, verdict->bounds.main, DLS_LIMIT_MAIN);
    lower(&ceiling, verdict->bounds.storage, DLS_LIMIT_STORAGE);
    add_gain(d, verdict, &ceiling, "a faster GPU or a shorter step", NULL);
    if (!(spare >= idle_surplus))
        return;
    enough = (long long)ceil((double)result->workers * reserve / spare);
    if (enough < result->workers)
        add(verdict,
            (struct dls_hint){
                dls_verdict_textf(verdict->arena, "%lld of %lld workers may be enough",
                                  enough, (long long)result->workers),
                dls_verdict_textf(verdict->arena, "loader.workers=%lld", enough), 0,
                DLS_LIMIT_NONE});
}

void dls_hints_fill(const struct dls_diagnosis *diagnosis, struct dls_verdict *verdict)
{
    const struct dls_result *result = diagnosis->result;
    double samples = diagnosis->samples_per_s * diagnosis->total_s;

    if (verdict->limit == DLS_LIMIT_GPU) {
        hint_gpu(diagnosis, verdict);
        return;
    }
    if (verdict->limit == DLS_LIMIT_WORKERS)
        hint_workers(diagnosis, verdict,
                     verdict->bounds.workers / (double)result->workers);
    if (verdict->limit == DLS_LIMIT_MAIN && result->workers == 0 &&
        diagnosis->worker_s > 0)
        hint_workers(diagnosis, verdict,
                     (double)result->ranks * samples / diagnosis->worker_s);
    if (verdict->limit == DLS_LIMIT_CORES) {
        hint_cores(diagnosis, verdict);
        hint_cheaper(diagnosis, verdict);
    }
    if (verdict->limit == DLS_LIMIT_STORAGE)
        hint_storage(diagnosis, verdict);
    hint_waits(diagnosis, verdict);
}
