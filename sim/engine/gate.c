#include "sim/engine/gate.h"

#include "sim/engine/engine_int.h"

bool dls_gate_wait(struct dls_gate *gate, struct dls_engine *engine,
                   struct dls_task *task, enum dls_cause cause)
{
    if (gate->is_open)
        return true;
    ring_put(&gate->waiting, task_park(engine, task, cause));
    return false;
}

void dls_gate_pulse(struct dls_gate *gate, struct dls_engine *engine)
{
    struct dls_task *task;

    while ((task = dls_ring_next(&gate->waiting, engine)))
        task_resume(engine, task);
}

void dls_gate_open(struct dls_gate *gate, struct dls_engine *engine)
{
    gate->is_open = true;
    dls_gate_pulse(gate, engine);
}

void dls_gate_close(struct dls_gate *gate)
{
    gate->is_open = false;
}

void dls_gate_release(struct dls_gate *gate)
{
    dls_ring_release(&gate->waiting);
}

void dls_latch_arm(struct dls_latch *latch, struct dls_engine *engine,
                   struct dls_task *owner, uint32_t parts, enum dls_cause cause)
{
    DLS_REQUIRE(parts >= 1, "%s", "a latch of no parts");
    DLS_REQUIRE(latch->left == 0, "%u parts are left", (unsigned)latch->left);
    latch->left = parts;
    latch->owner = task_park(engine, owner, cause);
}

void dls_latch_done(struct dls_latch *latch, struct dls_engine *engine)
{
    DLS_REQUIRE(latch->left > 0, "%s", "the latch is not armed");
    if (--latch->left == 0)
        dls_engine_resume(engine, latch->owner);
}
