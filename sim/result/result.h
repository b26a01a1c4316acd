/* result.h: the finished answer of a run, read by reports, plots, validation and
 * comparison.
 *
 * A value without observation is NaN with n 0 (JSON null), never zero. `low`, `high`:
 * 95 % interval of the mean over replications. `predict_low`, `predict_high`: 90 %
 * interval for one real run. Owns everything in its arena. */
#ifndef DLS_SIM_RESULT_RESULT_H
#define DLS_SIM_RESULT_RESULT_H

#include <stddef.h>
#include <stdint.h>

#include "sim/base/mem.h"
#include "sim/engine/engine.h"
#include "sim/model.h"

/* Metrics of the whole run and of each epoch: name, unit, help. Names are those that
 * users know. */
#define DLS_METRIC_LIST(X)                                                             \
    X(SAMPLES_PER_S, "samples_per_s", "1/s", "samples delivered per second")           \
    X(ITEMS_PER_S, "items_per_s", "1/s", "items (crops, utterances) per second")       \
    X(AU, "au", "", "accelerator utilisation: step time / (step + wait)")              \
    X(STEP_S, "step_s", "s", "time between two batches, mean")                         \
    X(STEP_S_P50, "step_s_p50", "s", "... median")                                     \
    X(STEP_S_P95, "step_s_p95", "s", "... 95th percentile")                            \
    X(STEP_S_P99, "step_s_p99", "s", "... 99th percentile")                            \
    X(WAIT_S, "wait_s", "s", "wait in next() per batch after the first, mean")         \
    X(FIRST_BATCH_S, "first_batch_s", "s", "first request to first arrival")           \
    X(EPOCH_S, "epoch_s", "s", "first request to end of the last step")                \
    X(CACHE_HIT_RATIO, "cache_hit_ratio", "", "extents found in memory")               \
    X(BYTES_READ_PER_EPOCH, "bytes_read_per_epoch", "B", "bytes read from the device") \
    X(DEVICE_BUSY, "device_busy", "", "share of time with a request in service")       \
    X(CPU_BUSY, "cpu_busy", "", "share of the allowed cores in use")                   \
    X(CPU_S, "cpu_s", "s", "CPU seconds of main and workers")                          \
    X(SHM_PEAK_BYTES, "shm_peak_bytes", "B", "batches in shared memory, peak")         \
    X(PINNED_PEAK_BYTES, "pinned_peak_bytes", "B", "batches in pinned memory, peak")   \
    X(CHECKPOINT_PAUSE_S, "checkpoint_pause_s", "s",                                   \
      "training stopped for a checkpoint")

enum dls_metric_id {
#define X(id, name, unit, help) DLS_METRIC_##id,
    DLS_METRIC_LIST(X)
#undef X
        DLS_METRICS
};

struct dls_metric_text {
    const char *name;
    const char *unit;
    const char *help;
};

const struct dls_metric_text *dls_metric_text(enum dls_metric_id id);

struct dls_value {
    double value;
    double low, high;
    double predict_low, predict_high;
    int64_t n; /* replications with an observation */
};

/* One replication, as the recorder leaves it. `metric[0]` is the whole run, `metric[1 +
 * e]` epoch e. */
struct dls_outcome {
    int64_t epochs;
    double (*metric)[DLS_METRICS];
    double stage_s[DLS_STAGES];     /* elapsed, summed over all actors */
    double demand_s[DLS_STAGES];    /* CPU demand, alone on an idle core */
    double wait_s[DLS_CAUSES];      /* of the training loops, by cause */
    double run_s;                   /* simulated time in all */
    double bound_per_s[DLS_STAGES]; /* samples/s that the stage alone would allow; NaN:
                                       it does not limit */
    int64_t events;
    uint64_t fingerprint;
    enum dls_engine_end end;
    char *deadlock; /* report when it ended so, else NULL */
};

/* One input value and where it came from. */
struct dls_origin {
    const char *path; /* "loader.workers" */
    const char *value;
    const char *origin; /* "scenarios/a.yaml:12", "preset h100_node", "default" ... */
};

struct dls_result {
    struct dls_arena *arena;
    const char *scenario_name, *scenario_path, *about;
    uint64_t scenario_hash;
    uint64_t params_hash; /* 0: no parameter file */
    const char *params_path;
    int64_t seed, replications, epochs, ranks;
    int64_t workers, prefetch, batch; /* of the loader, -1 where it has none */
    double cores;
    struct dls_value total[DLS_METRICS];
    struct dls_value (*epoch)[DLS_METRICS];
    double stage_s[DLS_STAGES], demand_s[DLS_STAGES],
        wait_s[DLS_CAUSES]; /* means over replications */
    double bound_per_s[DLS_STAGES];
    double run_s;
    enum dls_stage limit; /* the stage that limits; DLS_STAGE_STEP: the GPU does */
    int64_t events;
    uint64_t fingerprint; /* of all replications, in index order */
    struct dls_origin *origin;
    size_t origins;
    /* Batches of replication 0 of rank 0 (for the timeline plot): at most
     * DLS_RESULT_BATCHES. */
    struct dls_batch_times *batch_times;
    size_t batches;
    const char *deadlock; /* NULL: none */
};

enum { DLS_RESULT_BATCHES = 4096 };

void dls_result_free(struct dls_result *result);

#endif
