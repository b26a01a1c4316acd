/* pending_int.h: the heap behind pending.h, inline for the run loop and the share.
 *
 * A 4-ary heap of 128-bit nodes: key | insertion sequence (40 bits) | payload slot (24
 * bits). One comparison decides key and insertion, the four children of a node share
 * one cache line, and places behind the last node hold a value greater than any node,
 * so a group of children is always complete. (task, generation) lie in `slots`, which
 * the heap never moves.
 *
 * Pop leaves the root open (`is_open`): the next add fills it and sifts once instead of
 * twice; anything else that looks at the heap closes it first. */
#ifndef DLS_SIM_ENGINE_PENDING_INT_H
#define DLS_SIM_ENGINE_PENDING_INT_H

#include "sim/engine/pending.h"

#define DLS_PENDING_SLOT_BITS 24
#define DLS_PENDING_SLOT_MASK ((1u << DLS_PENDING_SLOT_BITS) - 1)
#define DLS_PENDING_SEQUENCES ((uint64_t)1 << (64 - DLS_PENDING_SLOT_BITS))

__extension__ typedef unsigned __int128 dls_pending_node;

/* Behind every node: no entry has the last slot. */
#define DLS_PENDING_NO_NODE (~(dls_pending_node)0 >> 1)

struct dls_pending_slot {
    uint32_t task; /* free slots: the next free one */
    uint32_t generation;
};

struct dls_pending {
    dls_pending_node *heap; /* into `block`, so that heap[1] starts a cache line */
    struct dls_pending_slot *slots;
    uint64_t sequence; /* of the next entry */
    uint32_t count;    /* nodes, with the open root */
    uint32_t
        capacity;  /* nodes and slots; at least one free slot while count < capacity */
    uint32_t free; /* first free slot */
    bool is_open;  /* the root has been popped */
    void *block;
};

void dls_pending_init(struct dls_pending *pending);
void dls_pending_release(struct dls_pending *pending);

/* Makes room for at least one more entry; doubles. */
void dls_pending_grow(struct dls_pending *pending);

/* Numbers the entries anew from 0 in their order: the sequence has run out. */
void dls_pending_renumber(struct dls_pending *pending);

/* Takes the entry of `task` whose generation agrees in the bits of `mask`; false when
 * there is none. O(n). */
bool dls_pending_take(struct dls_pending *pending, uint32_t task, uint32_t generation,
                      uint32_t mask, struct dls_pending_entry *entry);

/* Finds that entry without taking it. O(n). */
bool dls_pending_find(const struct dls_pending *pending, uint32_t task,
                      uint32_t generation, uint32_t mask,
                      struct dls_pending_entry *entry);

/* For keys that are the bits of non-negative doubles: subtracts `origin` from all, at
 * least 0. O(n). */
void dls_pending_rebase(struct dls_pending *pending, double origin);

/* 1 when a < b, else 0. Keys are not negative, so nodes have 127 bits and the borrow is
 * the top bit of the difference: arithmetic, because a branch on the order of siblings
 * is mispredicted every other time. */
static inline uint32_t pending_is_less(dls_pending_node a, dls_pending_node b)
{
    return (uint32_t)((uint64_t)((a - b) >> 64) >> 63);
}

/* Place of the least of four siblings. */
static inline uint32_t pending_least(const dls_pending_node *group)
{
    uint32_t left = pending_is_less(group[1], group[0]);
    uint32_t right = 2 + pending_is_less(group[3], group[2]);

    return left ^ ((left ^ right) & (0u - pending_is_less(group[right], group[left])));
}

/* Puts `node` in at place `at`, whose subtree is in order, moving lesser nodes up. */
static inline void pending_sift_down(struct dls_pending *pending, uint32_t at,
                                     dls_pending_node node)
{
    dls_pending_node *heap = pending->heap;
    uint32_t count = pending->count;
    uint32_t child;

    while ((child = 4 * at + 1) < count) {
        const dls_pending_node *group = heap + child;
        uint32_t least = pending_least(group);

        if (node < group[least])
            break;
        heap[at] = group[least];
        at = child + least;
    }
    heap[at] = node;
}

static inline void pending_sift_up(struct dls_pending *pending, uint32_t at,
                                   dls_pending_node node)
{
    dls_pending_node *heap = pending->heap;

    while (at > 0) {
        uint32_t parent = (at - 1) / 4;

        if (heap[parent] < node)
            break;
        heap[at] = heap[parent];
        at = parent;
    }
    heap[at] = node;
}

/* Fills the open root with the last node. */
static inline void pending_close(struct dls_pending *pending)
{
    uint32_t last = pending->count - 1;
    dls_pending_node node = pending->heap[last];

    pending->is_open = false;
    pending->heap[last] = DLS_PENDING_NO_NODE;
    pending->count = last;
    if (last > 0)
        pending_sift_down(pending, 0, node);
}

static inline void pending_add(struct dls_pending *pending, int64_t key, uint32_t task,
                               uint32_t generation)
{
    uint32_t slot;
    dls_pending_node node;

    if (pending->count == pending->capacity && !pending->is_open)
        dls_pending_grow(pending);
    if (pending->sequence == DLS_PENDING_SEQUENCES)
        dls_pending_renumber(pending);
    slot = pending->free;
    pending->free = pending->slots[slot].task;
    pending->slots[slot] = (struct dls_pending_slot){task, generation};
    node = (dls_pending_node)(uint64_t)key << 64 |
           (pending->sequence++ << DLS_PENDING_SLOT_BITS | slot);
    if (pending->is_open) {
        pending->is_open = false;
        pending_sift_down(pending, 0, node);
    } else {
        pending_sift_up(pending, pending->count++, node);
    }
}

static inline int64_t pending_key(dls_pending_node node)
{
    return (int64_t)(uint64_t)(node >> 64);
}

/* Takes the earliest entry; there must be one. */
static inline struct dls_pending_entry pending_pop(struct dls_pending *pending)
{
    dls_pending_node root;
    struct dls_pending_slot *slot;
    struct dls_pending_entry entry;

    if (pending->is_open)
        pending_close(pending);
    root = pending->heap[0];
    slot = &pending->slots[(uint32_t)root & DLS_PENDING_SLOT_MASK];
    entry = (struct dls_pending_entry){pending_key(root), slot->task, slot->generation};
    slot->task = pending->free;
    pending->free = (uint32_t)root & DLS_PENDING_SLOT_MASK;
    pending->is_open = true;
    return entry;
}

static inline bool pending_is_empty(const struct dls_pending *pending)
{
    return pending->count == pending->is_open;
}

/* Key of the earliest entry; there must be one. Leaves an open root open: the earliest
 * is among its children then. */
static inline int64_t pending_first(const struct dls_pending *pending)
{
    const dls_pending_node *heap = pending->heap;

    return pending_key(pending->is_open ? heap[1 + pending_least(heap + 1)] : heap[0]);
}

#endif
