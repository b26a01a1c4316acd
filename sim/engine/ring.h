/* ring.h: FIFO ring of task handles; wait queues and the ready ring are made of it.
 * Grows, never shrinks. */
#ifndef DLS_SIM_ENGINE_RING_H
#define DLS_SIM_ENGINE_RING_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/engine/engine.h"

/* Caller's storage; all zero is empty. Release with dls_ring_release. */
struct dls_ring {
    struct dls_ref *slots;
    uint32_t capacity; /* power of two */
    uint32_t head;
    uint32_t count;
};

void dls_ring_release(struct dls_ring *ring);
void dls_ring_put(struct dls_ring *ring, struct dls_ref ref);
bool dls_ring_pop(struct dls_ring *ring, struct dls_ref *ref);

/* Pops until a handle's wait is still on; NULL when the ring has none. */
struct dls_task *dls_ring_next(struct dls_ring *ring, struct dls_engine *engine);

/* Doubles the room; dls_ring_put does so when needed. */
void dls_ring_grow(struct dls_ring *ring);

#endif
