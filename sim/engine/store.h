/* store.h: a bounded buffer of 64-bit items with back-pressure; direct hand-over
 * between its two wait queues. */
#ifndef DLS_SIM_ENGINE_STORE_H
#define DLS_SIM_ENGINE_STORE_H

#include "sim/engine/engine.h"

struct dls_store;

/* `capacity` >= 1 items. Lives in the engine's arena. */
struct dls_store *dls_store_new(struct dls_engine *engine, uint32_t capacity);

/* Puts one item. True: stored, or handed to a waiting getter. False: full; the task is
 * parked (cause ORDER unless the caller sets another after the call) and resumed once
 * its item is in. */
bool dls_store_put(struct dls_store *store, struct dls_task *task, int64_t item);

/* Takes one item. True: `*item` holds it. False: empty; the task is parked and resumed
 * with the item in task->a. */
bool dls_store_get(struct dls_store *store, struct dls_task *task, int64_t *item);

/* Ends a wait in get without resuming. An item that has already been handed to the
 * task, which has not run since, goes to the next getter, else back to the front (the
 * store may then hold one more than its capacity for a while). A wait in put needs no
 * such call: after dls_task_cancel its item never enters, unless it was in already. */
void dls_store_cancel_get(struct dls_store *store, struct dls_task *task);

uint32_t dls_store_count(const struct dls_store *store);

/* Checks that puts wait only while full and gets only while empty; a violation is a
 * bug. O(waiting). */
void dls_store_check(struct dls_store *store);

#endif
