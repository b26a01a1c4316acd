/* engine.h: clock, tasks, requests and the run loop of one simulation.
 *
 * An engine is an object; there is no global state, and one engine belongs to one
 * thread. Actors are tasks: 64-byte records with a continuation `run` and a few words
 * of the model's own state. Blocking is returning: a task sets `run` to what comes
 * next, calls a primitive that parks it, and returns; the primitive resumes it later
 * through the ready ring (due now) or the pending set (due later). A resume carries the
 * generation of the wait it was issued for, or it is dropped, so a cancelled wait costs
 * nothing.
 *
 * A task with a parent is a request (a call with more than one wait): it runs its own
 * continuations and resumes its parent at the end. `cause` says what a parked task
 * waits for; blame, the deadlock report and timelines read it.
 *
 * The tie rule: at one instant, everything in the ready ring runs (in order of
 * resuming) before the next pending entry.
 * A wait ends once: a task may be parked in several places in one continuation (a store
 * and a timeout, say); the first resume wins and voids the other handles. Stations
 * (server, share, store, gate) hand over by state when they release; a wait that was
 * cancelled meanwhile is passed over.
 *
 * Memory: tasks live in blocks that never move; a freed slot keeps its generation.
 * Nothing is allocated per event once the pools have grown. */
#ifndef DLS_SIM_ENGINE_ENGINE_H
#define DLS_SIM_ENGINE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/mem.h"
#include "sim/base/status.h"
#include "sim/base/str.h"
#include "sim/engine/time.h"

struct dls_engine;
struct dls_task;

/* A continuation. It must end by parking the task, by freeing it, or by a tail call of
 * another continuation. */
typedef void dls_run_fn(struct dls_engine *engine, struct dls_task *task);

/* What a parked task waits for. The order is that of reports. */
#define DLS_CAUSE_LIST(X)                                                              \
    X(NONE, "none")                                                                    \
    X(STARTUP, "start-up") /* worker or pipeline start, first batch, epoch edge */     \
    X(ORDER, "order")      /* a later batch is there, the due one is not */            \
    X(STORAGE, "storage")                                                              \
    X(CPU, "cpu")                                                                      \
    X(INTERPRETER, "interpreter")                                                      \
    X(COPY, "copy")                                                                    \
    X(TRANSPORT, "transport") /* hand-over between processes */                        \
    X(GPU, "gpu")                                                                      \
    X(BARRIER, "barrier")                                                              \
    X(CHECKPOINT, "checkpoint")                                                        \
    X(IDLE, "idle") /* nothing to do: a worker without a task */                       \
    X(DATA, "data") /* the training loop waits in next() */

enum dls_cause {
#define X(name, text) DLS_CAUSE_##name,
    DLS_CAUSE_LIST(X)
#undef X
        DLS_CAUSES
};

const char *dls_cause_text(enum dls_cause cause);

/* (index, generation) of a task at one wait: the only form in which a task is stored
 * for later. */
struct dls_ref {
    uint32_t index;
    uint32_t generation;
};

enum { DLS_TASK_DAEMON = 1 }; /* flags: may stay behind when the run ends */

struct dls_task {
    dls_run_fn *run;     /* what to do when resumed */
    void *self;          /* the actor or model this task belongs to */
    uint32_t index;      /* own index; never changes */
    uint32_t generation; /* moves on at every resume, cancel and free */
    struct dls_ref parent;
    uint16_t cause; /* enum dls_cause of the present wait */
    uint8_t flags;
    uint8_t phase;  /* the model's own */
    uint32_t word;  /* the model's own */
    dls_time since; /* when it was parked (the primitives set it) */
    int64_t a, b;   /* the model's own */
};

_Static_assert(sizeof(struct dls_task) == 64, "a task is one cache line");

struct dls_engine *dls_engine_new(void);
void dls_engine_free(struct dls_engine *engine);

dls_time dls_engine_now(const struct dls_engine *engine);

/* The engine's arena: lives as long as the engine. Models take their per-run memory
 * here, before the run. */
struct dls_arena *dls_engine_arena(struct dls_engine *engine);

/* A new parked task; it does nothing until it is resumed: dls_engine_resume(engine,
 * dls_task_park(engine, task, cause)), dls_engine_after, or a station. All of the
 * model's own fields are 0. */
struct dls_task *dls_task_new(struct dls_engine *engine, dls_run_fn *run, void *self);

/* A request: resumes `parent` (which the caller parks with dls_task_park) when it is
 * finished. `parent` may be NULL. */
struct dls_task *dls_request_new(struct dls_engine *engine, struct dls_task *parent,
                                 dls_run_fn *run, void *self);

/* Ends a request: frees it and resumes its parent, if that still waits for it. Last
 * statement of a continuation. */
void dls_request_done(struct dls_engine *engine, struct dls_task *request);

/* Ends a task. Waits that still name it are dropped when they come up. */
void dls_task_free(struct dls_engine *engine, struct dls_task *task);

/* Number of live tasks; those inside stations are not counted. */
size_t dls_task_count(const struct dls_engine *engine);

/* Notes what the task waits for from now on and gives the handle to resume it with. */
struct dls_ref dls_task_park(struct dls_engine *engine, struct dls_task *task,
                             enum dls_cause cause);

/* The task behind a handle, or NULL when that wait is over. */
struct dls_task *dls_task_get(struct dls_engine *engine, struct dls_ref ref);

/* Ends the present wait without resuming: every handle to it becomes void, also a
 * resume that is already in the ready ring. The caller parks or frees the task next. A
 * customer in service is served to the end and resumes nobody; see dls_share_remove and
 * dls_store_cancel_get for what else can be had back. */
void dls_task_cancel(struct dls_engine *engine, struct dls_task *task);

/* Resumes at the present time, behind what is already in the ready ring; false when
 * that wait is over. */
bool dls_engine_resume(struct dls_engine *engine, struct dls_ref ref);

/* Resumes after `delay` >= 0 ns (parks the task). Ends at DLS_TIME_MAX at the
 * latest. */
void dls_engine_after(struct dls_engine *engine, struct dls_task *task, dls_time delay,
                      enum dls_priority priority, enum dls_cause cause);

/* Asks the run loop to return DLS_OK after the present continuation. */
void dls_engine_stop(struct dls_engine *engine);

/* Looked at when a run begins and every 65,536 events; the limit of events is exact all
 * the same. */
struct dls_engine_limits {
    int64_t events;           /* executed since the engine was made; 0: none */
    dls_time time;            /* simulated; 0: none */
    bool (*stop)(void *self); /* true: end the run; may be NULL */
    void *self;
};

enum dls_engine_end {
    DLS_END_STOPPED,  /* dls_engine_stop */
    DLS_END_EMPTY,    /* nothing pending and no non-daemon task parked */
    DLS_END_DEADLOCK, /* nothing pending, a non-daemon task waits */
    DLS_END_LIMIT     /* limit reached or stop() said so */
};

/* Runs until one of the ends; may be called again after any of them. `limits` may be
 * NULL. A daemon that keeps re-arming keeps the run from its end: daemons with nothing
 * to do park. */
enum dls_engine_end dls_engine_run(struct dls_engine *engine,
                                   const struct dls_engine_limits *limits);

/* Executed continuations, and the running hash of (time, priority, task index) over all
 * of them. What comes through the ready ring has the time and priority of the pending
 * entry that began the instant. */
int64_t dls_engine_events(const struct dls_engine *engine);
uint64_t dls_engine_fingerprint(const struct dls_engine *engine);

/* Appends one line per parked non-daemon task, by index: "task 7 waits for storage
 * since 1.250000000 s", and of a request ", task 3 waits for it" (for the deadlock
 * report). */
void dls_engine_report(struct dls_engine *engine, struct dls_str *out);

#endif
