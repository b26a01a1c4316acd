/* verdict.h: which stage limits a run, why, and what would change that.
 *
 * One place derives all of it from a finished result, by rules that stand in verdict.c
 * and hints.c; nothing is simulated here. Gains are upper bounds from the stage bounds
 * of the result (what the next limit would allow), never promises, and a hint is left
 * out when its bound cannot be derived. */
#ifndef DLS_SIM_RESULT_VERDICT_H
#define DLS_SIM_RESULT_VERDICT_H

#include <stdbool.h>

#include "sim/base/str.h"
#include "sim/result/result.h"

/* The resource that holds the pipeline back. */
#define DLS_LIMIT_LIST(X)                                                              \
    X(NONE, "none")             /* nothing was delivered, or a deadlock */             \
    X(GPU, "gpu")               /* the training step itself */                         \
    X(CORES, "cores")           /* CPU cores are all in use */                         \
    X(WORKERS, "workers")       /* every loader worker is busy, cores are not */       \
    X(STORAGE, "storage")       /* the device is always in service */                  \
    X(MAIN, "main")             /* the training process between batches */             \
    X(START, "start")           /* start-up of workers and first batches */            \
    X(CHECKPOINT, "checkpoint") /* training stands still for checkpoints */            \
    X(BARRIER, "barrier")       /* ranks wait for the slowest */

enum dls_limit {
#define X(name, text) DLS_LIMIT_##name,
    DLS_LIMIT_LIST(X)
#undef X
        DLS_LIMITS
};

const char *dls_limit_text(enum dls_limit limit);

/* Samples per second that each resource alone would allow, from the stage bounds; NaN:
 * unknown or no limit. */
struct dls_bounds {
    double gpu, cores, workers, main;
    double storage; /* at the bandwidth that the scenario states: device or throttle,
                       whichever is less */
};

/* One thing to try. */
struct dls_hint {
    const char *text; /* "raise loader.workers from 4 to 9" */
    const char *set;  /* "loader.workers=9", for --set; NULL: no single key does it */
    double gain_fraction; /* samples/s at most this much higher (0.75: +75 %); 0: same
                             speed, fewer resources */
    enum dls_limit next;  /* what would limit then; NONE: not known */
};

enum { DLS_VERDICT_REASONS = 8, DLS_VERDICT_HINTS = 6 };

struct dls_verdict {
    enum dls_limit limit;
    enum dls_stage stage; /* the stage that limits; STEP: the GPU does */
    bool is_busy;         /* yes: the GPU waits less than 5 % of the time */
    bool has_step; /* false: the run has no training step, so only speed can be told */
    double
        wait_fraction; /* share of the time that the GPU waits, 1 - au; NaN: unknown */
    struct dls_bounds bounds;
    const char *sentence; /* "no: decode-bound; the GPU waits 43.0 % of the time" */
    const char *reason[DLS_VERDICT_REASONS];
    size_t reasons;
    struct dls_hint hint[DLS_VERDICT_HINTS]; /* largest gain first */
    size_t hints;
    struct dls_arena *arena; /* owns the texts */
};

/* The stage bounds of one replication: samples/s that each stage would allow if it were
 * alone, at its present speed: actors x samples / elapsed time in the stage. `actors`
 * is ranks x workers for the stages of workers (of the training loop when there are
 * none) and ranks for those of the training loop. NaN where the stage took no time. */
void dls_bounds_fill(double samples, int64_t ranks, int64_t workers,
                     const double stage_s[DLS_STAGES], double bound_per_s[DLS_STAGES]);

/* The stage that limits, as dls_result_of stores it. Needs every other field of
 * `result`. */
enum dls_stage dls_verdict_stage(const struct dls_result *result);

/* The caller frees the verdict; it borrows nothing from `result`. */
struct dls_verdict *dls_verdict_new(const struct dls_result *result);
void dls_verdict_free(struct dls_verdict *verdict);

/* Is this stage executed by loader workers (when there are any)? */
bool dls_stage_is_worker(enum dls_stage stage);

#endif
