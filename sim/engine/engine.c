#include "sim/engine/engine.h"

#include <string.h>

#include "sim/base/hash.h"
#include "sim/engine/engine_int.h"

enum { CHECK_EVENTS = 65536, FIRST_BLOCKS = 16 };

_Static_assert(sizeof(struct dls_task) == 64, "a task is one cache line");

const char *dls_cause_text(enum dls_cause cause)
{
    static const char *const texts[] = {
#define X(name, text) text,
        DLS_CAUSE_LIST(X)
#undef X
    };

    DLS_REQUIRE(cause < DLS_CAUSES, "cause %d", (int)cause);
    return texts[cause];
}

struct dls_engine *dls_engine_new(void)
{
    struct dls_engine *engine = dls_mem_new(1, sizeof *engine);

    engine->arena = dls_arena_new();
    engine->free = DLS_TASK_NONE;
    dls_pending_init(&engine->pending);
    return engine;
}

void dls_engine_free(struct dls_engine *engine)
{
    if (!engine)
        return;
    for (struct dls_engine_owned *owned = engine->owned; owned; owned = owned->next)
        owned->release(owned->object);
    dls_pending_release(&engine->pending);
    dls_ring_release(&engine->ready);
    dls_mem_free(engine->blocks);
    dls_arena_free(engine->arena);
    dls_mem_free(engine);
}

void dls_engine_own(struct dls_engine *engine, void (*release)(void *object),
                    void *object)
{
    struct dls_engine_owned *owned = dls_arena_get(engine->arena, 1, sizeof *owned);

    *owned = (struct dls_engine_owned){engine->owned, release, object};
    engine->owned = owned;
}

dls_time dls_engine_now(const struct dls_engine *engine)
{
    return engine->now;
}

struct dls_arena *dls_engine_arena(struct dls_engine *engine)
{
    return engine->arena;
}

/* ------------------------------------------------------------ tasks */

/* A slot that has never been used; generations start at 1, so a handle of all zero is
 * void. */
static struct dls_task *take_fresh_slot(struct dls_engine *engine)
{
    const uint32_t index = engine->used;
    const uint32_t block = index >> DLS_TASK_BLOCK_BITS;
    struct dls_task *task;

    DLS_REQUIRE(index < DLS_TASK_NONE, "%u tasks", (unsigned)index);
    if (block == engine->block_capacity) {
        engine->block_capacity = block ? block * 2 : FIRST_BLOCKS;
        engine->blocks = dls_mem_resize(engine->blocks, engine->block_capacity,
                                        sizeof *engine->blocks);
    }
    if ((index & (DLS_TASK_BLOCK - 1)) == 0)
        engine->blocks[block] = dls_arena_get(engine->arena, DLS_TASK_BLOCK,
                                              sizeof(struct dls_task));
    engine->used++;
    task = task_at(engine, index);
    task->index = index;
    task->generation = 1;
    return task;
}

static struct dls_task *take_task(struct dls_engine *engine, dls_run_fn *run,
                                  void *self, uint8_t flags)
{
    struct dls_task *task;

    if (engine->free != DLS_TASK_NONE) {
        task = task_at(engine, engine->free);
        engine->free = task->word;
    } else {
        task = take_fresh_slot(engine);
    }
    task->run = run;
    task->self = self;
    task->parent = (struct dls_ref){0, 0};
    task->cause = DLS_CAUSE_NONE;
    task->flags = flags;
    task->phase = 0;
    task->word = 0;
    task->since = engine->now;
    task->a = 0;
    task->b = 0;
    return task;
}

struct dls_task *dls_task_new(struct dls_engine *engine, dls_run_fn *run, void *self)
{
    engine->live++;
    return take_task(engine, run, self, 0);
}

struct dls_task *dls_task_new_internal(struct dls_engine *engine, dls_run_fn *run,
                                       void *self)
{
    return take_task(engine, run, self, DLS_TASK_INTERNAL | DLS_TASK_DAEMON);
}

struct dls_task *dls_request_new(struct dls_engine *engine, struct dls_task *parent,
                                 dls_run_fn *run, void *self)
{
    struct dls_task *request = dls_task_new(engine, run, self);

    if (parent)
        request->parent = (struct dls_ref){parent->index, parent->generation};
    return request;
}

void dls_request_done(struct dls_engine *engine, struct dls_task *request)
{
    const struct dls_ref parent = request->parent;

    dls_task_free(engine, request);
    if (parent.generation != 0)
        dls_engine_resume(engine, parent);
}

void dls_task_free(struct dls_engine *engine, struct dls_task *task)
{
    DLS_REQUIRE(!(task->flags & DLS_TASK_FREE), "task %u is free",
                (unsigned)task->index);
    task->generation++;
    task->flags = DLS_TASK_FREE;
    task->word = engine->free;
    engine->free = task->index;
    engine->live--;
}

size_t dls_task_count(const struct dls_engine *engine)
{
    return engine->live;
}

struct dls_ref dls_task_park(struct dls_engine *engine, struct dls_task *task,
                             enum dls_cause cause)
{
    return task_park(engine, task, cause);
}

struct dls_task *dls_task_get(struct dls_engine *engine, struct dls_ref ref)
{
    return ref.index < engine->used ? task_get(engine, ref) : NULL;
}

void dls_task_cancel(struct dls_engine *engine, struct dls_task *task)
{
    (void)engine;
    task->generation++;
}

/* ------------------------------------------------------------ resuming */

bool dls_engine_resume(struct dls_engine *engine, struct dls_ref ref)
{
    struct dls_task *task = dls_task_get(engine, ref);

    if (!task)
        return false;
    task_resume(engine, task);
    return true;
}

dls_time dls_engine_due_rare(dls_time delay)
{
    DLS_REQUIRE(delay >= 0, "delay %lld ns", (long long)delay);
    return DLS_TIME_MAX;
}

void dls_engine_after(struct dls_engine *engine, struct dls_task *task, dls_time delay,
                      enum dls_priority priority, enum dls_cause cause)
{
    task_park(engine, task, cause);
    task_after(engine, task, engine_due(engine, delay), priority);
}

void dls_engine_stop(struct dls_engine *engine)
{
    engine->stopped = true;
    engine->check_at = 0;
}

/* ------------------------------------------------------------ the run loop */

/* Decides at `check_at` whether to go on, and when to look again. */
static bool looks_up(struct dls_engine *engine, const struct dls_engine_limits *limits,
                     enum dls_engine_end *end)
{
    int64_t next = engine->events + CHECK_EVENTS;

    if (engine->stopped) {
        engine->stopped = false;
        *end = DLS_END_STOPPED;
        return false;
    }
    if (limits) {
        if ((limits->events > 0 && engine->events >= limits->events) ||
            (limits->time > 0 && engine->now >= limits->time) ||
            (limits->stop && limits->stop(limits->self))) {
            *end = DLS_END_LIMIT;
            return false;
        }
        if (limits->events > 0 && next > limits->events)
            next = limits->events;
    }
    engine->check_at = next;
    return true;
}

/* Nothing is due any more: is anyone still waiting? */
static enum dls_engine_end end_of_events(const struct dls_engine *engine)
{
    for (uint32_t i = 0; i < engine->used; i++) {
        if (!(task_at(engine, i)->flags & (DLS_TASK_FREE | DLS_TASK_DAEMON)))
            return DLS_END_DEADLOCK;
    }
    return DLS_END_EMPTY;
}

enum dls_engine_end dls_engine_run(struct dls_engine *engine,
                                   const struct dls_engine_limits *limits)
{
    struct dls_pending_entry entry;
    enum dls_engine_end end = DLS_END_EMPTY;
    struct dls_task *task;
    struct dls_ref ref;

    DLS_REQUIRE(!engine->running, "%s", "dls_engine_run inside a continuation");
    engine->running = true;
    if (!engine->stopped)
        engine->check_at = engine->events;
    for (;;) {
        if (engine->events >= engine->check_at && !looks_up(engine, limits, &end))
            break;
        if (ring_pop(&engine->ready, &ref)) {
            task = task_get(engine, ref);
            if (task)
                task_run(engine, task);
            continue;
        }
        if (pending_is_empty(&engine->pending)) {
            end = end_of_events(engine);
            break;
        }
        entry = pending_pop(&engine->pending);
        task = task_at(engine, entry.task);
        if (task->generation != entry.generation)
            continue;
        engine->key = entry.key;
        engine->now = entry.key >> 3;
        task_resume_now(engine, task);
    }
    engine->running = false;
    return end;
}

int64_t dls_engine_events(const struct dls_engine *engine)
{
    return engine->events;
}

uint64_t dls_engine_fingerprint(const struct dls_engine *engine)
{
    return dls_hash_mix(engine->fingerprint);
}

void dls_engine_report(struct dls_engine *engine, struct dls_str *out)
{
    for (uint32_t i = 0; i < engine->used; i++) {
        const struct dls_task *task = task_at(engine, i);
        const struct dls_task *parent;

        if (task->flags & (DLS_TASK_FREE | DLS_TASK_DAEMON))
            continue;
        dls_str_addf(out, "task %u waits for %s since %.9f s", (unsigned)i,
                     dls_cause_text((enum dls_cause)task->cause),
                     dls_time_seconds(task->since));
        parent = dls_task_get(engine, task->parent);
        if (parent)
            dls_str_addf(out, ", task %u waits for it", (unsigned)parent->index);
        dls_str_add(out, "\n");
    }
}

/* --------------------------------------------------------- waits that bring a value */

enum { FIRST_WAITS = 8 };

void dls_waits_grow(struct dls_waits *waits, struct dls_engine *engine)
{
    const uint32_t old = waits->capacity;
    const uint32_t capacity = old ? old * 2 : FIRST_WAITS;
    struct dls_wait *slots;

    DLS_REQUIRE(capacity > old, "more than %u waits in a queue", (unsigned)old);
    slots = dls_arena_get(engine->arena, capacity, sizeof *slots);
    for (uint32_t i = 0; i < waits->count; i++)
        slots[i] = waits->slots[(waits->head + i) & (old - 1)];
    waits->slots = slots;
    waits->capacity = capacity;
    waits->head = 0;
}
