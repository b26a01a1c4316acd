/* pending.h: pending events, earliest first.
 *
 * Order is (key, insertion), key = time << 3 | priority; two runs that schedule alike
 * pop alike. It knows no clock: engine.h does. Entries are 16 bytes by value.
 * Cancelling is no operation here: the task's generation moves on and the entry is
 * dropped by whoever pops it. Costs: add and pop O(log n) (4-ary heap).
 *
 * The time of a new key must not lie before that of the last popped one (the engine
 * sees to it); a lower priority at the same time is legal and comes next. At most 2^24
 * - 1 entries. */
#ifndef DLS_SIM_ENGINE_PENDING_H
#define DLS_SIM_ENGINE_PENDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dls_pending;

struct dls_pending_entry {
    int64_t key;
    uint32_t task;
    uint32_t generation;
};

struct dls_pending *dls_pending_new(void);
void dls_pending_free(struct dls_pending *pending);

/* Adds an entry for `task`, `key` >= 0; equal keys keep insertion order. */
void dls_pending_add(struct dls_pending *pending, int64_t key, uint32_t task,
                     uint32_t generation);

/* Takes the earliest entry; false when empty. */
bool dls_pending_pop(struct dls_pending *pending, struct dls_pending_entry *entry);

/* Key of the earliest entry, INT64_MAX when empty. */
int64_t dls_pending_next(const struct dls_pending *pending);

size_t dls_pending_count(const struct dls_pending *pending);

#endif
