/* made_result.h: finished results made by hand for tests of verdict, reports and plots.
 *
 * The basic one: 1000 samples in one epoch of 10 s (100 samples/s), batches of 10, 4
 * workers on 8 cores, one rank.
 * Workers: 30 s decode, 8 s read, 1 s collate (39 of 40 worker seconds). The GPU steps
 * 4 s of the 10 (au 0.4). Cores are half busy, the device a fifth. */
#ifndef DLS_TESTS_SUPPORT_MADE_RESULT_H
#define DLS_TESTS_SUPPORT_MADE_RESULT_H

#include <math.h>

#include "sim/base/mem.h"
#include "sim/result/result.h"
#include "sim/result/verdict.h"

static inline struct dls_value made_value(double value)
{
    return (struct dls_value){value, NAN, NAN, NAN, NAN, 1};
}

/* Fills the stage bounds after the stage times were set. */
static inline void made_bounds(struct dls_result *result)
{
    dls_bounds_fill(1000, result->ranks, result->workers, result->stage_s,
                    result->bound_per_s);
}

static inline struct dls_result *made_result(void)
{
    struct dls_arena *arena = dls_arena_new();
    struct dls_result *result = dls_arena_get(arena, 1, sizeof *result);

    result->arena = arena;
    result->scenario_name = "made";
    result->scenario_path = "scenarios/made.yaml";
    result->about = "a result made by hand";
    result->scenario_hash = 0x123;
    result->seed = 7;
    result->replications = 1;
    result->epochs = 1;
    result->ranks = 1;
    result->workers = 4;
    result->prefetch = 2;
    result->batch = 10;
    result->cores = 8;
    result->run_s = 10;
    result->events = 5000;
    result->fingerprint = 0xfeedfacecafebeefu;
    result->epoch = dls_arena_get(arena, 1, sizeof *result->epoch);
    for (enum dls_metric_id m = 0; m < DLS_METRICS; m++) {
        result->total[m] = (struct dls_value){NAN, NAN, NAN, NAN, NAN, 0};
        result->epoch[0][m] = result->total[m];
    }
    result->total[DLS_METRIC_SAMPLES_PER_S] = made_value(100);
    result->total[DLS_METRIC_EPOCH_S] = made_value(10);
    result->total[DLS_METRIC_AU] = made_value(0.4);
    result->total[DLS_METRIC_CPU_BUSY] = made_value(0.5);
    result->total[DLS_METRIC_DEVICE_BUSY] = made_value(0.2);
    result->stage_s[DLS_STAGE_READ] = 8;
    result->stage_s[DLS_STAGE_DECODE] = 30;
    result->stage_s[DLS_STAGE_COLLATE] = 1;
    result->stage_s[DLS_STAGE_WAIT] = 6;
    result->stage_s[DLS_STAGE_STEP] = 4;
    result->demand_s[DLS_STAGE_READ] = 1;
    result->demand_s[DLS_STAGE_DECODE] = 30;
    result->demand_s[DLS_STAGE_COLLATE] = 1;
    result->wait_s[DLS_CAUSE_CPU] = 4.5;
    result->wait_s[DLS_CAUSE_STORAGE] = 1.5;
    made_bounds(result);
    result->limit = DLS_STAGE_DECODE;
    return result;
}

/* Says where a value came from; texts are borrowed. */
static inline void made_origin(struct dls_result *result, const char *path,
                               const char *value)
{
    if (result->origin == NULL)
        result->origin = dls_arena_get(result->arena, 16, sizeof *result->origin);
    result->origin[result->origins++] = (struct dls_origin){path, value,
                                                            "scenarios/made.yaml:3"};
}

#endif
