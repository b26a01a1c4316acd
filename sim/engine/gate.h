/* gate.h: a condition that tasks wait for, and a latch that joins parallel parts. */
#ifndef DLS_SIM_ENGINE_GATE_H
#define DLS_SIM_ENGINE_GATE_H

#include "sim/engine/engine.h"
#include "sim/engine/ring.h"

/* Caller's storage; all zero is a closed gate without waiters. */
struct dls_gate {
    struct dls_ring waiting;
    bool is_open;
};

/* True when open; else parks the task until dls_gate_open. */
bool dls_gate_wait(struct dls_gate *gate, struct dls_engine *engine,
                   struct dls_task *task, enum dls_cause cause);

/* Opens the gate and resumes all waiters in order; it stays open until
 * dls_gate_close. */
void dls_gate_open(struct dls_gate *gate, struct dls_engine *engine);
void dls_gate_close(struct dls_gate *gate);

/* Resumes all present waiters and leaves the gate as it is. */
void dls_gate_pulse(struct dls_gate *gate, struct dls_engine *engine);
void dls_gate_release(struct dls_gate *gate);

/* Caller's storage. */
struct dls_latch {
    uint32_t left;
    struct dls_ref owner;
};

/* Arms the latch for `parts` >= 1 parts and parks its owner. */
void dls_latch_arm(struct dls_latch *latch, struct dls_engine *engine,
                   struct dls_task *owner, uint32_t parts, enum dls_cause cause);

/* One part is done; the last one resumes the owner. */
void dls_latch_done(struct dls_latch *latch, struct dls_engine *engine);

#endif
