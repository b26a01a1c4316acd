/* engine_int.h: insides of the engine that its stations (server, share, store, gate)
 * share, inline where they are hot.
 *
 * Stations schedule internal tasks: daemons that no model sees and no count includes.
 * One stands for a busy server or a share's timer, so a customer that is cancelled in
 * service leaves the station's own event alone. */
#ifndef DLS_SIM_ENGINE_ENGINE_INT_H
#define DLS_SIM_ENGINE_ENGINE_INT_H

#include "sim/engine/engine.h"
#include "sim/engine/pending_int.h"
#include "sim/engine/ring.h"

enum {
    DLS_TASK_INTERNAL = 64, /* flags: belongs to a station */
    DLS_TASK_FREE = 128 /* flags: the slot has no task; `word` is the next free slot */
};

#define DLS_TASK_BLOCK_BITS 12
#define DLS_TASK_BLOCK (1u << DLS_TASK_BLOCK_BITS)
#define DLS_TASK_NONE UINT32_MAX

/* A release function to call when the engine is freed. */
struct dls_engine_owned {
    struct dls_engine_owned *next;
    void (*release)(void *object);
    void *object;
};

struct dls_engine {
    dls_time now;
    int64_t key; /* of the pending entry that began this instant: now << 3 | priority */
    int64_t events; /* continuations executed */
    int64_t
        check_at; /* value of `events` at which the run loop looks up; 0 after a stop */
    uint64_t fingerprint;
    struct dls_task **blocks;
    struct dls_ring ready;
    struct dls_pending pending;
    struct dls_arena *arena;
    struct dls_engine_owned *owned;
    size_t live;   /* tasks, without internal ones */
    uint32_t used; /* task slots that have ever been taken */
    uint32_t free; /* first free slot, or DLS_TASK_NONE */
    uint32_t block_capacity;
    bool stopped;
    bool running;
};

/* Calls `release(object)` when the engine is freed, before its arena goes; latest
 * first. */
void dls_engine_own(struct dls_engine *engine, void (*release)(void *object),
                    void *object);

/* A task of a station. */
struct dls_task *dls_task_new_internal(struct dls_engine *engine, dls_run_fn *run,
                                       void *self);

/* The rare cases of engine_due: a negative delay is a bug, others end at the end of
 * time. */
dls_time dls_engine_due_rare(dls_time delay);

/* now + delay; ends at the end of time. A negative delay is a bug. */
static inline dls_time engine_due(const struct dls_engine *engine, dls_time delay)
{
    if ((uint64_t)delay > (uint64_t)(DLS_TIME_MAX - engine->now))
        return dls_engine_due_rare(delay);
    return engine->now + delay;
}

static inline struct dls_task *task_at(const struct dls_engine *engine, uint32_t index)
{
    return &engine->blocks[index >> DLS_TASK_BLOCK_BITS][index & (DLS_TASK_BLOCK - 1)];
}

/* The task behind a handle made by this engine, or NULL when that wait is over. */
static inline struct dls_task *task_get(const struct dls_engine *engine,
                                        struct dls_ref ref)
{
    struct dls_task *task = task_at(engine, ref.index);

    return task->generation == ref.generation ? task : NULL;
}

static inline struct dls_ref task_park(const struct dls_engine *engine,
                                       struct dls_task *task, enum dls_cause cause)
{
    task->since = engine->now;
    task->cause = (uint16_t)cause;
    return (struct dls_ref){task->index, task->generation};
}

static inline void ring_put(struct dls_ring *ring, struct dls_ref ref)
{
    if (ring->count == ring->capacity)
        dls_ring_grow(ring);
    ring->slots[(ring->head + ring->count++) & (ring->capacity - 1)] = ref;
}

static inline bool ring_pop(struct dls_ring *ring, struct dls_ref *ref)
{
    if (ring->count == 0)
        return false;
    *ref = ring->slots[ring->head];
    ring->head = (ring->head + 1) & (ring->capacity - 1);
    ring->count--;
    return true;
}

/* Puts a parked task into the ready ring. */
static inline void task_resume(struct dls_engine *engine, struct dls_task *task)
{
    ring_put(&engine->ready, (struct dls_ref){task->index, ++task->generation});
}

/* Notes and runs one continuation. The fold is one multiplication on the critical path;
 * dls_engine_fingerprint finishes the mix. */
static inline void task_run(struct dls_engine *engine, struct dls_task *task)
{
    uint64_t fold = engine->fingerprint ^ (uint64_t)engine->key;

    engine->events++;
    engine->fingerprint = ((fold << 29 | fold >> 35) + task->index) *
                          0xbf58476d1ce4e5b9u;
    task->run(engine, task);
}

/* Resumes a parked task at once. Only as the last statement of a continuation that came
 * from the pending set: the ready ring is empty then, so this is the same order as
 * through the ring. */
static inline void task_resume_now(struct dls_engine *engine, struct dls_task *task)
{
    task->generation++;
    task_run(engine, task);
}

static inline void task_after(struct dls_engine *engine, struct dls_task *task,
                              dls_time due, enum dls_priority priority)
{
    pending_add(&engine->pending, due << 3 | (int64_t)priority, task->index,
                task->generation);
}

/* A FIFO of (handle, value): waits that bring something along. Memory comes from the
 * engine's arena. */
struct dls_wait {
    struct dls_ref ref;
    int64_t value;
};

struct dls_waits {
    struct dls_wait *slots;
    uint32_t capacity; /* power of two */
    uint32_t head;
    uint32_t count;
};

void dls_waits_grow(struct dls_waits *waits, struct dls_engine *engine);

static inline void waits_put(struct dls_waits *waits, struct dls_engine *engine,
                             struct dls_wait wait)
{
    if (waits->count == waits->capacity)
        dls_waits_grow(waits, engine);
    waits->slots[(waits->head + waits->count++) & (waits->capacity - 1)] = wait;
}

static inline bool waits_pop(struct dls_waits *waits, struct dls_wait *wait)
{
    if (waits->count == 0)
        return false;
    *wait = waits->slots[waits->head];
    waits->head = (waits->head + 1) & (waits->capacity - 1);
    waits->count--;
    return true;
}

#endif
