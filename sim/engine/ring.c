#include "sim/engine/ring.h"

#include <string.h>

#include "sim/engine/engine_int.h"

enum { FIRST_CAPACITY = 8 };

void dls_ring_release(struct dls_ring *ring)
{
    dls_mem_free(ring->slots);
    memset(ring, 0, sizeof *ring);
}

void dls_ring_grow(struct dls_ring *ring)
{
    const uint32_t old = ring->capacity;
    const uint32_t capacity = old ? old * 2 : FIRST_CAPACITY;

    DLS_REQUIRE(capacity > old, "more than %u handles in a ring", (unsigned)old);
    ring->slots = dls_mem_resize(ring->slots, capacity, sizeof *ring->slots);
    /* What had wrapped around to the start goes on behind the old end. */
    if (ring->head + ring->count > old)
        memcpy(ring->slots + old, ring->slots,
               (ring->head + ring->count - old) * sizeof *ring->slots);
    ring->capacity = capacity;
}

void dls_ring_put(struct dls_ring *ring, struct dls_ref ref)
{
    ring_put(ring, ref);
}

bool dls_ring_pop(struct dls_ring *ring, struct dls_ref *ref)
{
    return ring_pop(ring, ref);
}

struct dls_task *dls_ring_next(struct dls_ring *ring, struct dls_engine *engine)
{
    struct dls_ref ref;

    while (ring_pop(ring, &ref)) {
        struct dls_task *task = task_get(engine, ref);

        if (task)
            return task;
    }
    return NULL;
}
