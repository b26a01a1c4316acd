/* work.h: work programs, what happens to one sample, as data, and the interpreter that
 * executes them.
 *
 * A program is compiled once per loader from source and transform: open and read the
 * extents, then the ops. Adjacent ops of one CPU class merge into one use of the CPU
 * (whether or not anyone watches); the ledger splits the elapsed time by their demands.
 * A loader kind decides who executes which sample when; this module knows no batches.
 *
 * A struct dls_work is one thread of one process that executes actions for its task:
 * `task->self` points at a struct whose first member is the struct dls_work. It keeps
 * the account of what the thread's time went into, by cause. */
#ifndef DLS_SIM_WORK_H
#define DLS_SIM_WORK_H

#include "sim/model.h"

struct dls_program;

/* Compiles the sample part for the loader (or other owner) `owner`; lives in the
 * engine's arena. The transform must have been initialised. */
struct dls_program *dls_program_new(struct dls_model *owner);

/* Actions of the sample part after merging. */
size_t dls_program_length(const struct dls_program *program);

enum { DLS_WORK_PARTS = 16 }; /* most ops that merge into one action */

struct dls_work {
    struct dls_model *owner; /* whose roles are called */
    const struct dls_program
        *program; /* NULL when the thread executes single actions only */
    struct dls_interpreter *interpreter; /* of its process, or NULL */
    dls_run_fn *then;                    /* what to run when the present work is done */
    int32_t actor; /* 0: the training loop's process; 1 + w: worker w */
    int64_t batch; /* for spans */
    int64_t sample;
    double cause_ns[DLS_CAUSES]; /* where the thread's time went */

    /* the module's own */
    struct dls_extent extent;
    int64_t row;
    uint64_t visit;
    dls_time began;
    dls_time locked; /* what of task->b is booked */
    uint32_t action;
    uint32_t parts;
    uint8_t part_stage[DLS_WORK_PARTS];
    double part_ns[DLS_WORK_PARTS];
};

/* Executes the sample part for `sample` on its visit number `visit` (the epoch). True:
 * done now. False: the task is parked; `work->then` runs when it is done. */
bool dls_work_sample(struct dls_work *work, struct dls_task *task, int64_t sample,
                     int64_t visit);

/* One use of the CPU in stage `stage`, with the process' interpreter lock if
 * `is_locked`. As above. */
bool dls_work_use(struct dls_work *work, struct dls_task *task, enum dls_stage stage,
                  double demand_ns, enum dls_cpu_class class, bool is_locked);

/* Gives up the interpreter lock and parks the task until someone resumes it; `then`
 * runs then. The wait is booked under `cause`. Returns the handle to resume it with. */
struct dls_ref dls_work_wait(struct dls_work *work, struct dls_task *task,
                             enum dls_cause cause);

/* As dls_work_wait, for a fixed time. */
void dls_work_delay(struct dls_work *work, struct dls_task *task, dls_time delay,
                    enum dls_stage stage, enum dls_cause cause);

/* Time booked under `cause` so far, with the wait that is under way; never less later.
 */
double dls_work_cause_ns(const struct dls_work *work, const struct dls_task *task,
                         enum dls_cause cause);

#endif
