#include "sim/engine/pending_int.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/mem.h"
#include "sim/base/status.h"

/* Nodes behind the last one that a group of children may reach into. */
enum { FIRST_CAPACITY = 29, GROUP = 4, LINE = 64 };

void dls_pending_init(struct dls_pending *pending)
{
    memset(pending, 0, sizeof *pending);
}

void dls_pending_release(struct dls_pending *pending)
{
    dls_mem_free(pending->block);
    dls_mem_free(pending->slots);
    memset(pending, 0, sizeof *pending);
}

struct dls_pending *dls_pending_new(void)
{
    return dls_mem_new(1, sizeof(struct dls_pending));
}

void dls_pending_free(struct dls_pending *pending)
{
    if (!pending)
        return;
    dls_pending_release(pending);
    dls_mem_free(pending);
}

void dls_pending_grow(struct dls_pending *pending)
{
    const uint32_t old = pending->capacity;
    uint32_t capacity = old ? old * 2 + 3 : FIRST_CAPACITY;
    size_t bytes;
    char *block;
    dls_pending_node *heap;

    if (capacity > DLS_PENDING_SLOT_MASK)
        capacity = DLS_PENDING_SLOT_MASK;
    DLS_REQUIRE(capacity > old, "more than %u pending entries", (unsigned)old);
    bytes = (capacity + GROUP) * sizeof *heap;
    block = dls_mem_new(1, bytes + LINE);
    /* heap[0] is the last 16 bytes of a line, heap[1..4] the next one, and so on. */
    heap = (void *)(block + (2 * LINE - sizeof *heap - (uintptr_t)block % LINE) % LINE);
    if (old)
        memcpy(heap, pending->heap, pending->count * sizeof *heap);
    for (uint32_t i = pending->count; i < capacity + GROUP; i++)
        heap[i] = DLS_PENDING_NO_NODE;
    dls_mem_free(pending->block);
    pending->block = block;
    pending->heap = heap;
    pending->slots = dls_mem_resize(pending->slots, capacity, sizeof *pending->slots);
    for (uint32_t slot = old; slot < capacity; slot++)
        pending->slots[slot] = (struct dls_pending_slot){slot + 1, 0};
    pending->free = old;
    pending->capacity = capacity;
}

static int compare_nodes(const void *left, const void *right)
{
    dls_pending_node a, b;

    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    return (a > b) - (a < b);
}

void dls_pending_renumber(struct dls_pending *pending)
{
    if (pending->is_open)
        pending_close(pending);
    qsort(pending->heap, pending->count, sizeof *pending->heap, compare_nodes);
    for (uint32_t i = 0; i < pending->count; i++) {
        dls_pending_node node = pending->heap[i];
        uint64_t low = (uint64_t)i << DLS_PENDING_SLOT_BITS |
                       ((uint64_t)node & DLS_PENDING_SLOT_MASK);

        pending->heap[i] = (node >> 64) << 64 | low;
    }
    pending->sequence = pending->count;
}

/* Place of an entry in the heap, or `count`. */
static uint32_t find_place(const struct dls_pending *pending, uint32_t task,
                           uint32_t generation, uint32_t mask,
                           struct dls_pending_entry *entry)
{
    for (uint32_t i = pending->is_open; i < pending->count; i++) {
        uint32_t slot = (uint32_t)pending->heap[i] & DLS_PENDING_SLOT_MASK;
        const struct dls_pending_slot *found = &pending->slots[slot];

        if (found->task != task || (found->generation ^ generation) & mask)
            continue;
        entry->key = pending_key(pending->heap[i]);
        entry->task = task;
        entry->generation = found->generation;
        return i;
    }
    return pending->count;
}

bool dls_pending_find(const struct dls_pending *pending, uint32_t task,
                      uint32_t generation, uint32_t mask,
                      struct dls_pending_entry *entry)
{
    return find_place(pending, task, generation, mask, entry) < pending->count;
}

bool dls_pending_take(struct dls_pending *pending, uint32_t task, uint32_t generation,
                      uint32_t mask, struct dls_pending_entry *entry)
{
    uint32_t place, last, slot;
    dls_pending_node node;

    if (pending->is_open)
        pending_close(pending);
    place = find_place(pending, task, generation, mask, entry);
    if (place >= pending->count)
        return false;
    slot = (uint32_t)pending->heap[place] & DLS_PENDING_SLOT_MASK;
    pending->slots[slot].task = pending->free;
    pending->free = slot;
    last = --pending->count;
    node = pending->heap[last];
    pending->heap[last] = DLS_PENDING_NO_NODE;
    if (place == last)
        return true;
    if (place > 0 && node < pending->heap[(place - 1) / 4])
        pending_sift_up(pending, place, node);
    else
        pending_sift_down(pending, place, node);
    return true;
}

void dls_pending_rebase(struct dls_pending *pending, double origin)
{
    if (pending->is_open)
        pending_close(pending);
    for (uint32_t i = 0; i < pending->count; i++) {
        uint64_t bits = (uint64_t)(pending->heap[i] >> 64);
        double value;

        memcpy(&value, &bits, sizeof value);
        value = value > origin ? value - origin : 0.0;
        memcpy(&bits, &value, sizeof bits);
        pending->heap[i] = (dls_pending_node)bits << 64 | (uint64_t)pending->heap[i];
    }
    /* Rounding may have made different keys equal, which then go by insertion. */
    for (uint32_t i = pending->count / 4 + 1; i-- > 0;) {
        if (i < pending->count)
            pending_sift_down(pending, i, pending->heap[i]);
    }
}

void dls_pending_add(struct dls_pending *pending, int64_t key, uint32_t task,
                     uint32_t generation)
{
    DLS_REQUIRE(key >= 0, "key %lld", (long long)key);
    pending_add(pending, key, task, generation);
}

bool dls_pending_pop(struct dls_pending *pending, struct dls_pending_entry *entry)
{
    if (pending_is_empty(pending))
        return false;
    *entry = pending_pop(pending);
    return true;
}

int64_t dls_pending_next(const struct dls_pending *pending)
{
    return pending_is_empty(pending) ? INT64_MAX : pending_first(pending);
}

size_t dls_pending_count(const struct dls_pending *pending)
{
    return pending->count - pending->is_open;
}
