/* model.h: the roles, one interface each, and all that a model may see.
 *
 * A role is an interface of a few functions; a kind fills it: one file in models/, one
 * row in models/registry.def. A kind exports one constant that starts with struct
 * dls_kind (name, parameter table, sizes). The binder fills `conf` from the table;
 * `state` is handed over zeroed; `init` runs once before the run and may take memory
 * from the engine's arena; afterwards nothing is allocated. A model calls roles
 * downwards only:
 *   consumer > checkpoint > loader > source, transform > filesystem > cache >
 *   storage > link, gpu, collective > memory > cpu
 *
 * Calls that may take time return bool: true = done now, go on; false = the task is
 * parked and will be resumed at its `run`, which the caller has set before the call.
 * Time comes from the engine, randomness from dls_model_rng and dls_rng_at; a model
 * never prints, opens files or reads the wall clock. */
#ifndef DLS_SIM_MODEL_H
#define DLS_SIM_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/diag.h"
#include "sim/base/units.h"
#include "sim/engine/dist.h"
#include "sim/engine/engine.h"
#include "sim/engine/rng.h"
#include "sim/stats/gauge.h"

enum { DLS_MODEL_ABI = 1 };

#define DLS_ROLE_LIST(X)                                                               \
    X(CPU, "cpu")                                                                      \
    X(MEMORY, "memory")                                                                \
    X(STORAGE, "storage")                                                              \
    X(CACHE, "cache")                                                                  \
    X(FILESYSTEM, "filesystem")                                                        \
    X(SOURCE, "source")                                                                \
    X(TRANSFORM, "transform")                                                          \
    X(LOADER, "loader")                                                                \
    X(LINK, "link")                                                                    \
    X(GPU, "gpu")                                                                      \
    X(COLLECTIVE, "collective")                                                        \
    X(CHECKPOINT, "checkpoint")                                                        \
    X(CONSUMER, "consumer")

enum dls_role {
#define X(name, text) DLS_ROLE_##name,
    DLS_ROLE_LIST(X)
#undef X
        DLS_ROLES
};

/* What a span of time in the pipeline is spent on. */
#define DLS_STAGE_LIST(X)                                                              \
    X(START, "start")                                                                  \
    X(OPEN, "open")                                                                    \
    X(READ, "read")                                                                    \
    X(DECODE, "decode")                                                                \
    X(TRANSFORM, "transform")                                                          \
    X(COLLATE, "collate")                                                              \
    X(PUT, "put")                                                                      \
    X(UNPICKLE, "unpickle")                                                            \
    X(PIN, "pin")                                                                      \
    X(COPY, "copy")                                                                    \
    X(WAIT, "wait")                                                                    \
    X(STEP, "step")                                                                    \
    X(REDUCE, "reduce")                                                                \
    X(CHECKPOINT, "checkpoint")

enum dls_stage {
#define X(name, text) DLS_STAGE_##name,
    DLS_STAGE_LIST(X)
#undef X
        DLS_STAGES
};

/* Classes of CPU work: they differ in how much two busy cores slow each other. */
#define DLS_CPU_CLASS_LIST(X)                                                          \
    X(PYTHON, "python")   /* interpreter, small objects */                             \
    X(DECODE, "decode")   /* JPEG, FLAC: tables and arithmetic in caches */            \
    X(INFLATE, "inflate") /* zlib and relatives */                                     \
    X(NUMERIC, "numeric") /* NumPy, interpolation, FFT */                              \
    X(COPY, "copy")       /* copies between touched memory */                          \
    X(FRESH, "fresh")     /* copies into fresh pages: page faults and zeroing */       \
    X(KERNEL, "kernel")   /* system calls, fork, tear-down */

enum dls_cpu_class {
#define X(name, text) DLS_CPU_##name,
    DLS_CPU_CLASS_LIST(X)
#undef X
        DLS_CPU_CLASSES
};

const char *dls_role_text(enum dls_role role);
const char *dls_stage_text(enum dls_stage stage);
const char *dls_cpu_class_text(enum dls_cpu_class class);

/* ------------------------------------------------------------------ parameter
 * tables */

enum dls_param_type {
    DLS_PARAM_COUNT,    /* int64_t */
    DLS_PARAM_QUANTITY, /* double in the SI base of `unit` */
    DLS_PARAM_BOOL,     /* bool; written true or false */
    DLS_PARAM_CHOICE,   /* int, index into `choices` (NULL-terminated) */
    DLS_PARAM_TEXT,     /* const char * */
    DLS_PARAM_LAW,      /* struct dls_law; a plain quantity is a constant law */
    DLS_PARAM_SAMPLES,  /* const struct dls_samples *; a path of a .samples.csv beside
                           the file that names it */
    DLS_PARAM_LIST      /* struct dls_list of structs described by `item` */
};

enum dls_param_flags {
    DLS_PARAM_OPTIONAL =
        1, /* no preset and may be missing: the field stays zero (or `nothing`) */
    DLS_PARAM_CALIBRATED =
        2 /* usually supplied by a parameter file; shown so by `dlsim models` */
};

struct dls_list {
    void *items;
    size_t count;
};

/* One row of a kind's parameter table; a row with key NULL ends it. This one row drives
 * parsing, defaults, bounds, help, `dlsim models` and the JSON form. */
struct dls_param {
    const char *key;     /* "workers", or "step.base" for a key of a nested mapping */
    const char *synonym; /* the loader's own spelling, or NULL */
    enum dls_param_type type;
    enum dls_unit unit; /* of quantities and laws */
    size_t offset;      /* of the field in conf */
    const char *preset; /* default as text; NULL: required, unless optional */
    double min, max;    /* bounds of counts and quantities (and of constants of laws) */
    const char *const *choices;
    const struct dls_param *item; /* lists: table of one element, */
    size_t item_size;             /* and its size */
    unsigned flags;
    const char *help;
};

/* The rows of a list's element that names it: `key` must be the first row of `item`.
 * `transform.OP.scale` finds OP so. */

struct dls_samples_column {
    const char *name;
    const double *values;
};

/* The joint table of a calibrated data set: row r of every column belongs to one
 * sample. Columns: "bytes" (stored size), "out_bytes" (what collate receives, may be
 * missing), and one column an op with its demand in seconds. */
struct dls_samples {
    const char *path;
    uint64_t hash; /* of the file's bytes: provenance */
    int64_t rows;
    size_t columns;
    const struct dls_samples_column *column;
};

/* Values of a column, or NULL. */
const double *dls_samples_find(const struct dls_samples *samples, const char *name);

/* ------------------------------------------------------------------ kinds and
 * models */

/* Reports a broken rule across parameters; the binder adds file, line and column of
 * `key` (NULL: of the section). */
struct dls_checker {
    void (*error)(struct dls_checker *checker, const char *key, const char *text);
    /* Who gave a key: 0 nobody (preset or default), 1 a parameter file, 2 the scenario,
     * 3 --set. */
    int (*given)(struct dls_checker *checker, const char *key);
};

struct dls_model;

struct dls_kind {
    int abi; /* DLS_MODEL_ABI, checked at start */
    enum dls_role role;
    const char *name;    /* "loader.pytorch" */
    const char *summary; /* one line */
    const struct dls_param *params;
    size_t conf_size;
    size_t state_size;
    void (*check)(const void *conf, struct dls_checker *checker); /* MAY */
    void (*init)(struct dls_model *model);                        /* MAY */
};

/* The host of a model: bound from section `host`. */
struct dls_host {
    int64_t count; /* hosts */
    int64_t cores; /* logical processors that the job may use */
    double
        speed; /* CPU speed against the calibration host; demands are divided by it */
    double cpu_quota;    /* CPU seconds per second allowed to the job; 0: no limit */
    double memory_bytes; /* RAM */
    double memory_limit_bytes; /* cgroup limit; 0: none */
};

/* Keys of section `storage` that hold around any kind. */
struct dls_volume_conf {
    double bandwidth_limit; /* bytes per second allowed to the job; 0: none */
    double iops_limit;      /* requests per second allowed to the job; 0: none */
};

/* Keys of section `consumer` that hold around any kind. */
struct dls_consumer_conf {
    int64_t count; /* ranks per host */
};

enum dls_start { DLS_START_COLD, DLS_START_WARM };

/* Bound from section `run`. */
struct dls_run_conf {
    int64_t epochs;
    int64_t replications;
    int64_t seed;
    int start; /* enum dls_start */
    double
        noise; /* relative standard deviation between real runs of one configuration */
    int64_t limit_events; /* 0: none */
    double limit_time_s;  /* simulated; 0: none */
};

/* The roles that a model may call: those of its host and its rank. */
struct dls_roles {
    struct dls_model *of[DLS_ROLES];
};

/* What a run adds up as it goes; the recorder turns it into a result. Times in ns. */
struct dls_ledger {
    double stage_ns[DLS_STAGES];  /* elapsed in the stage, summed over all tasks */
    double demand_ns[DLS_STAGES]; /* CPU demand of the stage, alone on an idle core */
    double wait_ns[DLS_CAUSES];   /* of the training loops, by cause */
    double read_bytes;            /* asked from the file system */
    double device_bytes;          /* read from storage */
    int64_t cache_hits, cache_misses; /* extents */
    struct dls_gauge shm_bytes;       /* batches in shared memory */
    struct dls_gauge pinned_bytes;
};

/* One batch at the training loop. Times in ns. */
struct dls_batch_times {
    int32_t rank;
    int32_t epoch;
    int64_t batch;
    int64_t samples;
    int64_t items;
    dls_time request, arrive, done;
    dls_time step; /* device time of the step alone */
};

/* Hears about the run; any function may be NULL. Observers never change anything. */
struct dls_observer {
    void *self;
    void (*batch)(void *self, const struct dls_batch_times *times);
    void (*epoch)(void *self, int32_t rank, int32_t epoch, dls_time start,
                  dls_time end);
    /* One action of one actor (0 = main, 1.. = workers): for timelines; costs nothing
     * when NULL. */
    void (*span)(void *self, int32_t rank, int32_t actor, enum dls_stage stage,
                 int64_t batch, int64_t sample, dls_time start, dls_time end);
};

/* One bound instance of a kind. */
struct dls_model {
    const struct dls_kind *kind;
    const void *conf;
    void *state;
    struct dls_engine *engine;
    const char *name; /* "host0.cpu", "rank3.loader" */
    uint64_t
        key; /* of the draws that belong to samples: equal for all ranks and kinds */
    int32_t host, rank, ranks;
    const struct dls_roles *to;
    const struct dls_host *host_conf;
    const struct dls_run_conf *run;
    struct dls_ledger *ledger;
    const struct dls_observer *observer;
    uint64_t seed, replication;
};

/* A stream for what belongs to no sample (device latency, jitter). */
struct dls_rng dls_model_rng(const struct dls_model *model, const char *purpose);

/* ------------------------------------------------------------------ cpu */

/* The interpreter lock of one process; opaque. */
struct dls_interpreter;

struct dls_cpu_kind {
    struct dls_kind kind;
    /* Uses the CPU for `demand_ns` (at speed 1). With an interpreter: takes its lock
     * first if this task does not hold it, and keeps it until `drop`. Demand 0 with an
     * interpreter just takes the lock. Each wait for the lock adds its ns to `task->b`,
     * when it ends. */
    bool (*use)(struct dls_model *cpu, struct dls_task *task, double demand_ns,
                enum dls_cpu_class class, struct dls_interpreter *interpreter);
    /* Gives up the lock if `task` holds it: before blocking and before native work. */
    void (*drop)(struct dls_model *cpu, struct dls_task *task,
                 struct dls_interpreter *interpreter);
    struct dls_interpreter *(*interpreter_new)(struct dls_model *cpu);
    /* From the moment a sleeping thread is woken to the moment it runs on an idle
     * processor. */
    dls_time (*wakeup)(struct dls_model *cpu);
    /* CPU seconds used so far as an operating system counts them: busy cores over
     * time. */
    double (*used_s)(struct dls_model *cpu);
};

/* ------------------------------------------------------------------ memory */

struct dls_memory_kind {
    struct dls_kind kind;
    /* CPU demand of copying `bytes`, into fresh pages or into touched memory: ns at
     * speed 1 and its class. */
    double (*copy_ns)(struct dls_model *memory, double bytes, bool fresh,
                      enum dls_cpu_class *class);
};

/* ------------------------------------------------------------------ storage, cache,
 * filesystem */

enum dls_io { DLS_IO_READ, DLS_IO_WRITE };

struct dls_storage_kind {
    struct dls_kind kind;
    /* One request; false = parked until its data is there (cause STORAGE). */
    bool (*submit)(struct dls_model *storage, struct dls_task *task, enum dls_io io,
                   int64_t offset, int64_t bytes);
    double (*busy_s)(
        struct dls_model *storage); /* seconds with a request in service so far */
};

enum dls_claim { DLS_CLAIM_HIT, DLS_CLAIM_FETCH };

struct dls_cache_kind {
    struct dls_kind kind;
    /* Is this extent in memory, or is it the caller's to fetch? */
    enum dls_claim (*claim)(struct dls_model *cache, int64_t file, int64_t offset,
                            int64_t bytes);
};

/* A part of a file. */
struct dls_extent {
    int64_t file;
    int64_t offset; /* in the file */
    int64_t bytes;
    bool opens; /* the sample opens the file for it */
};

struct dls_filesystem_kind {
    struct dls_kind kind;
    bool (*open)(struct dls_model *filesystem, struct dls_task *task, int64_t file);
    /* Reads an extent of an open file into private memory. */
    bool (*read)(struct dls_model *filesystem, struct dls_task *task,
                 const struct dls_extent *extent);
};

/* ------------------------------------------------------------------ source,
 * transform */

struct dls_source_kind {
    struct dls_kind kind;
    /* Samples of this rank in one epoch. */
    int64_t (*samples)(struct dls_model *source);
    /* Sample at a position of an epoch, 0 <= position < samples. Pure. */
    int64_t (*at)(struct dls_model *source, int64_t epoch, int64_t position);
    /* Row of the calibrated table that a sample is bound to for the run; -1 without a
     * table. Pure. */
    int64_t (*row)(struct dls_model *source, int64_t sample);
    /* Where the bytes of a sample lie that is bound to `row`. Pure. */
    void (*extent)(struct dls_model *source, int64_t sample, int64_t row,
                   struct dls_extent *extent);
    const struct dls_samples *(*table)(struct dls_model *source);
};

/* One op of a chain, after binding. */
struct dls_op {
    const char *name;
    int stage; /* enum dls_stage: DECODE or TRANSFORM, or READ for CPU inside reading
                  libraries */
    int class; /* enum dls_cpu_class */
    bool interpreter;      /* holds the interpreter lock */
    bool random;           /* drawn anew at each visit */
    double scale;          /* what-if: demand is multiplied by it */
    int on;                /* 0 cpu (worker), 1 gpu */
    struct dls_law demand; /* seconds; affine laws in stored bytes; used where the table
                              has no column */
    const double *column;  /* demand by row of the table, seconds, or NULL */
};

struct dls_transform_kind {
    struct dls_kind kind;
    /* The ops in order; borrowed, valid for the run. */
    const struct dls_op *(*ops)(struct dls_model *transform, size_t *count);
    /* Items and bytes that one sample becomes for collate and the GPU. */
    double (*items_per_sample)(struct dls_model *transform);
    double (*out_bytes)(struct dls_model *transform, int64_t row);
};

/* ------------------------------------------------------------------ loader */

/* A batch handed to the training loop. */
struct dls_batch {
    int64_t number; /* -1: the epoch is over */
    int64_t samples;
    int64_t items;
    double bytes;
    bool pinned;
};

struct dls_loader_kind {
    struct dls_kind kind;
    /* An epoch begins on this rank; the task is the training loop's. */
    bool (*start)(struct dls_model *loader, struct dls_task *task, int64_t epoch);
    /* The training loop asks for a batch; the result is in `loader_batch` when it goes
     * on. */
    bool (*next)(struct dls_model *loader, struct dls_task *task);
    /* MAY: the training loop drops the iterator after the epoch's last step. */
    bool (*finish)(struct dls_model *loader, struct dls_task *task);
    /* The batch that the last `next` gave. */
    const struct dls_batch *(*batch)(struct dls_model *loader);
    /* The interpreter of the process that runs the training loop. */
    struct dls_interpreter *(*interpreter)(struct dls_model *loader);
};

/* ------------------------------------------------------------------ link, gpu,
 * collective, checkpoint, consumer */

enum dls_direction { DLS_TO_DEVICE, DLS_FROM_DEVICE };

struct dls_link_kind {
    struct dls_kind kind;
    /* One copy of `bytes`; resumes when it has ended. Unpinned copies use the CPU of
     * the caller. */
    bool (*transfer)(struct dls_model *link, struct dls_task *task, double bytes,
                     enum dls_direction direction, bool pinned);
};

struct dls_gpu_kind {
    struct dls_kind kind;
    bool (*run)(struct dls_model *gpu, struct dls_task *task, double kernel_ns,
                int stream);
};

struct dls_collective_kind {
    struct dls_kind kind;
    bool (*reduce)(struct dls_model *collective, struct dls_task *task);
};

struct dls_checkpoint_kind {
    struct dls_kind kind;
    /* Called after each step; `last` at an epoch's end. */
    bool (*after_step)(struct dls_model *checkpoint, struct dls_task *task,
                       int64_t step, bool last);
};

struct dls_consumer_kind {
    struct dls_kind kind;
    /* Starts the training loop's task; it stops the engine when the last rank has ended
     * (see dls_run_rank_ended). */
    void (*begin)(struct dls_model *consumer, void (*ended)(void *self), void *self);
};

/* The kind's interface behind a model of that role. */
#define DLS_KIND_OF(role, model) ((const struct dls_##role##_kind *)(model)->kind)

/* Conf and state of a model as the kind's own types. */
#define DLS_CONF(model) ((const struct conf *)(model)->conf)
#define DLS_STATE(model) ((struct state *)(model)->state)

static inline bool dls_cpu_use(struct dls_model *cpu, struct dls_task *task,
                               double demand_ns, enum dls_cpu_class class,
                               struct dls_interpreter *interpreter)
{
    return DLS_KIND_OF(cpu, cpu)->use(cpu, task, demand_ns, class, interpreter);
}

static inline void dls_cpu_drop(struct dls_model *cpu, struct dls_task *task,
                                struct dls_interpreter *interpreter)
{
    DLS_KIND_OF(cpu, cpu)->drop(cpu, task, interpreter);
}

#endif
