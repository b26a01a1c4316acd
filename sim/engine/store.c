#include "sim/engine/store.h"

#include "sim/engine/engine_int.h"

/* Invariants: puts wait only while the store is full, gets only while it is empty. */
struct dls_store {
    struct dls_engine *engine;
    struct dls_waits items; /* `ref` is unused */
    struct dls_waits puts;  /* tasks with the item they bring */
    struct dls_ring gets;
    uint32_t capacity;
};

static void release_store(void *object)
{
    struct dls_store *store = object;

    dls_ring_release(&store->gets);
}

struct dls_store *dls_store_new(struct dls_engine *engine, uint32_t capacity)
{
    struct dls_store *store;

    DLS_REQUIRE(capacity >= 1, "%s", "a store without places");
    store = dls_arena_get(engine->arena, 1, sizeof *store);
    store->engine = engine;
    store->capacity = capacity;
    dls_engine_own(engine, release_store, store);
    return store;
}

static void add_item(struct dls_store *store, int64_t item)
{
    waits_put(&store->items, store->engine, (struct dls_wait){{0, 0}, item});
}

/* Hands an item to the first task that waits in get. */
static bool hand_over(struct dls_store *store, int64_t item)
{
    struct dls_task *getter = dls_ring_next(&store->gets, store->engine);

    if (!getter)
        return false;
    getter->a = item;
    task_resume(store->engine, getter);
    return true;
}

/* Lets waiting puts in while there is room. */
static void admit_puts(struct dls_store *store)
{
    struct dls_wait put;

    while (store->items.count < store->capacity && waits_pop(&store->puts, &put)) {
        struct dls_task *task = task_get(store->engine, put.ref);

        if (!task)
            continue;
        add_item(store, put.value);
        task_resume(store->engine, task);
    }
}

bool dls_store_put(struct dls_store *store, struct dls_task *task, int64_t item)
{
    if (hand_over(store, item))
        return true;
    if (store->items.count < store->capacity) {
        add_item(store, item);
        return true;
    }
    waits_put(&store->puts, store->engine,
              (struct dls_wait){task_park(store->engine, task, DLS_CAUSE_ORDER), item});
    return false;
}

bool dls_store_get(struct dls_store *store, struct dls_task *task, int64_t *item)
{
    struct dls_wait first;

    if (waits_pop(&store->items, &first)) {
        *item = first.value;
        admit_puts(store);
        return true;
    }
    ring_put(&store->gets, task_park(store->engine, task, DLS_CAUSE_ORDER));
    return false;
}

/* Is the present wait of `task` still in the get queue? */
static bool waits_in_get(const struct dls_store *store, const struct dls_task *task)
{
    const struct dls_ring *gets = &store->gets;

    for (uint32_t i = 0; i < gets->count; i++) {
        struct dls_ref ref = gets->slots[(gets->head + i) & (gets->capacity - 1)];

        if (ref.index == task->index && ref.generation == task->generation)
            return true;
    }
    return false;
}

void dls_store_cancel_get(struct dls_store *store, struct dls_task *task)
{
    const bool is_waiting = waits_in_get(store, task);
    struct dls_waits *items = &store->items;
    const int64_t item = task->a;

    dls_task_cancel(store->engine, task);
    if (is_waiting || hand_over(store, item))
        return;
    add_item(store, item); /* makes room; then the ring turns so that it comes first */
    items->head = (items->head - 1) & (items->capacity - 1);
    items->slots[items->head] =
        items->slots[(items->head + items->count) & (items->capacity - 1)];
}

uint32_t dls_store_count(const struct dls_store *store)
{
    return store->items.count;
}

void dls_store_check(struct dls_store *store)
{
    DLS_REQUIRE(store->items.count >= store->capacity || store->puts.count == 0,
                "%u puts wait at %u of %u items", (unsigned)store->puts.count,
                (unsigned)store->items.count, (unsigned)store->capacity);
    for (uint32_t i = 0; store->items.count > 0 && i < store->gets.count; i++) {
        uint32_t at = (store->gets.head + i) & (store->gets.capacity - 1);

        DLS_REQUIRE(!task_get(store->engine, store->gets.slots[at]),
                    "a get waits at %u items", (unsigned)store->items.count);
    }
}
