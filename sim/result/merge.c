#include "sim/result/merge.h"

#include <math.h>
#include <string.h>

#include "sim/base/hash.h"
#include "sim/result/verdict.h"
#include "sim/stats/interval.h"

static const char *copy_text(struct dls_arena *arena, const char *text)
{
    return text != NULL ? dls_arena_text(arena, text) : NULL;
}

/* Times and rates move with the host's speed; bytes and counted shares do not. */
static bool is_timed(size_t metric)
{
    const char *unit = dls_metric_text((enum dls_metric_id)metric)->unit;

    return strcmp(unit, "s") == 0 || strcmp(unit, "1/s") == 0 ||
           metric == DLS_METRIC_AU;
}

/* No real run can be above 1. */
static bool is_share(size_t metric)
{
    return dls_metric_text((enum dls_metric_id)metric)->unit[0] == '\0';
}

/* One metric over replications; `seen` is room for `count` values. */
static struct dls_value value_of(const struct dls_outcome *outcomes, size_t count,
                                 size_t row, size_t metric, double noise_cv,
                                 double *seen)
{
    struct dls_value value = {NAN, NAN, NAN, NAN, NAN, 0};
    struct dls_interval interval;
    double sum = 0;
    size_t n = 0;

    for (size_t i = 0; i < count; i++) {
        if (outcomes[i].end == DLS_END_DEADLOCK ||
            row >= 1 + (size_t)outcomes[i].epochs ||
            isnan(outcomes[i].metric[row][metric]))
            continue;
        seen[n++] = outcomes[i].metric[row][metric];
        sum += seen[n - 1];
    }
    value.n = (int64_t)n;
    if (n == 0)
        return value;
    value.value = sum / (double)n;
    interval = dls_interval_mean(seen, n, 0.95);
    value.low = interval.low;
    value.high = interval.high;
    interval = dls_interval_predict(seen, n, 0.90, is_timed(metric) ? noise_cv : 0);
    value.predict_low = isnan(interval.low) ? NAN : fmax(interval.low, 0);
    value.predict_high = is_share(metric) && interval.high > 1 ? 1 : interval.high;
    return value;
}

/* Means over all outcomes of what is no metric. */
static void merge_sums(const struct dls_outcome *outcomes, size_t count,
                       struct dls_result *result)
{
    double share = 1.0 / (double)count;
    size_t bounds[DLS_STAGES] = {0};

    for (size_t i = 0; i < count; i++) {
        const struct dls_outcome *outcome = &outcomes[i];

        for (size_t s = 0; s < DLS_STAGES; s++) {
            result->stage_s[s] += outcome->stage_s[s] * share;
            result->demand_s[s] += outcome->demand_s[s] * share;
            if (isnan(outcome->bound_per_s[s]))
                continue;
            result->bound_per_s[s] += outcome->bound_per_s[s];
            bounds[s]++;
        }
        for (size_t c = 0; c < DLS_CAUSES; c++)
            result->wait_s[c] += outcome->wait_s[c] * share;
        result->run_s += outcome->run_s * share;
        result->events += outcome->events;
        result->fingerprint = dls_hash_add(result->fingerprint, outcome->fingerprint);
        if (outcome->deadlock != NULL && result->deadlock == NULL)
            result->deadlock = dls_arena_text(result->arena, outcome->deadlock);
    }
    for (size_t s = 0; s < DLS_STAGES; s++)
        result->bound_per_s[s] = bounds[s] > 0
                                     ? result->bound_per_s[s] / (double)bounds[s]
                                     : NAN;
}

static void copy_facts(const struct dls_result_facts *facts, struct dls_result *result)
{
    struct dls_arena *arena = result->arena;

    result->scenario_name = copy_text(arena, facts->scenario_name);
    result->scenario_path = copy_text(arena, facts->scenario_path);
    result->about = copy_text(arena, facts->about);
    result->scenario_hash = facts->scenario_hash;
    result->params_hash = facts->params_hash;
    result->params_path = copy_text(arena, facts->params_path);
    result->seed = facts->seed;
    result->ranks = facts->ranks;
    result->workers = facts->workers;
    result->prefetch = facts->prefetch;
    result->batch = facts->batch;
    result->cores = facts->cores;
    result->origins = facts->origins;
    result->origin = dls_arena_get(arena, facts->origins + 1, sizeof *result->origin);
    for (size_t i = 0; i < facts->origins; i++)
        result->origin[i] = (struct dls_origin){
            copy_text(arena, facts->origin[i].path),
            copy_text(arena, facts->origin[i].value),
            copy_text(arena, facts->origin[i].origin)};
    result->batches = facts->batches;
    result->batch_times = dls_arena_get(arena, facts->batches + 1,
                                        sizeof *result->batch_times);
    if (facts->batches > 0)
        memcpy(result->batch_times, facts->batch_times,
               facts->batches * sizeof *result->batch_times);
}

struct dls_result *dls_result_of(const struct dls_outcome *outcomes, size_t count,
                                 const struct dls_result_facts *facts)
{
    struct dls_arena *arena = dls_arena_new();
    struct dls_result *result = dls_arena_get(arena, 1, sizeof *result);
    double *seen = dls_mem_new(count, sizeof *seen);

    DLS_REQUIRE(count >= 1, "%s", "no outcome");
    result->arena = arena;
    copy_facts(facts, result);
    result->replications = (int64_t)count;
    for (size_t i = 0; i < count; i++)
        if (outcomes[i].epochs > result->epochs)
            result->epochs = outcomes[i].epochs;
    result->epoch = dls_arena_get(arena, (size_t)result->epochs + 1,
                                  sizeof *result->epoch);
    for (size_t m = 0; m < DLS_METRICS; m++) {
        result->total[m] = value_of(outcomes, count, 0, m, facts->noise_cv, seen);
        for (size_t e = 0; e < (size_t)result->epochs; e++)
            result->epoch[e][m] = value_of(outcomes, count, 1 + e, m, facts->noise_cv,
                                           seen);
    }
    merge_sums(outcomes, count, result);
    result->limit = dls_verdict_stage(result);
    dls_mem_free(seen);
    return result;
}
