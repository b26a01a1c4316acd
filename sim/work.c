#include "sim/work.h"

enum action_kind { ACTION_OPEN, ACTION_READ, ACTION_USE };

/* One step of the sample part. USE covers ops first .. first + count - 1 of the chain,
 * all of one class. */
struct action {
    uint8_t kind;
    uint8_t stage;
    uint8_t class;
    bool is_locked;
    uint32_t first;
    uint32_t count;
};

struct dls_program {
    struct action *action;
    size_t count;
    const struct dls_op *ops;
};

static bool is_mergeable(const struct action *last, const struct dls_op *op)
{
    return last->kind == ACTION_USE && last->class == op->class &&
           last->is_locked == op->interpreter && last->count < DLS_WORK_PARTS;
}

struct dls_program *dls_program_new(struct dls_model *owner)
{
    struct dls_arena *arena = dls_engine_arena(owner->engine);
    struct dls_model *transform = owner->to->of[DLS_ROLE_TRANSFORM];
    struct dls_program *program = dls_arena_get(arena, 1, sizeof *program);
    size_t ops;

    program->ops = DLS_KIND_OF(transform, transform)->ops(transform, &ops);
    program->action = dls_arena_get(arena, ops + 2, sizeof *program->action);
    program->action[program->count++] = (struct action){.kind = ACTION_OPEN,
                                                        .stage = DLS_STAGE_OPEN};
    program->action[program->count++] = (struct action){.kind = ACTION_READ,
                                                        .stage = DLS_STAGE_READ};
    for (size_t i = 0; i < ops; i++) {
        struct action *last = &program->action[program->count - 1];
        const struct dls_op *op = &program->ops[i];

        if (is_mergeable(last, op))
            last->count++;
        else
            program->action[program->count++] = (struct action){
                .kind = ACTION_USE,
                .stage = (uint8_t)op->stage,
                .class = (uint8_t)op->class,
                .is_locked = op->interpreter,
                .first = (uint32_t)i,
                .count = 1,
            };
    }
    return program;
}

size_t dls_program_length(const struct dls_program *program)
{
    return program->count;
}

/* Demand of one op for the sample under way, ns at speed 1. */
static double op_demand_ns(const struct dls_work *work, const struct dls_op *op,
                           uint32_t index)
{
    struct dls_rng rng;
    double seconds;

    if (op->column != NULL && work->row >= 0 && !op->random) {
        seconds = op->column[work->row];
    } else if (op->demand.kind == DLS_LAW_CONSTANT) {
        seconds = op->demand.a;
    } else {
        rng = dls_rng_of(dls_rng_at(work->owner->key, (uint64_t)work->sample,
                                    op->random ? work->visit : 0, index + 1));
        seconds = dls_law_draw(&op->demand, &rng, (double)work->extent.bytes);
    }
    return 1e9 * seconds * op->scale;
}

/* One use of the CPU goes to and fro between lock and processor: what of the wait is
 * not the lock's. */
static enum dls_cause besides_lock(const struct dls_task *task)
{
    return task->cause == DLS_CAUSE_INTERPRETER ? DLS_CAUSE_CPU
                                                : (enum dls_cause)task->cause;
}

/* Books the time since `began` under the causes of the wait that has just ended and
 * under the parts' stages. */
static void work_book(struct dls_work *work, const struct dls_task *task, dls_time now)
{
    struct dls_ledger *ledger = work->owner->ledger;
    const struct dls_observer *observer = work->owner->observer;
    double elapsed = (double)(now - work->began);
    double total = 0;

    work->cause_ns[DLS_CAUSE_INTERPRETER] += (double)(task->b - work->locked);
    work->cause_ns[besides_lock(task)] += elapsed - (double)(task->b - work->locked);
    work->locked = task->b;
    if (elapsed > 0) {
        for (uint32_t i = 0; i < work->parts; i++)
            total += work->part_ns[i];
        for (uint32_t i = 0; i < work->parts; i++)
            ledger->stage_ns[work->part_stage[i]] +=
                elapsed * (total > 0 ? work->part_ns[i] / total : 1.0 / work->parts);
        if (observer->span != NULL && work->parts > 0)
            observer->span(observer->self, work->owner->rank, work->actor,
                           (enum dls_stage)work->part_stage[work->parts - 1],
                           work->batch, work->sample, work->began, now);
    }
    work->began = now;
}

static void part_set(struct dls_work *work, enum dls_stage stage, double demand_ns)
{
    work->parts = 1;
    work->part_stage[0] = (uint8_t)stage;
    work->part_ns[0] = demand_ns;
}

static double parts_total(const struct dls_work *work)
{
    double total = 0;

    for (uint32_t i = 0; i < work->parts; i++)
        total += work->part_ns[i];
    return total;
}

static void sample_resumed(struct dls_engine *engine, struct dls_task *task);

/* A call into the kernel that takes time lets go of the interpreter; one that returned
 * at once did not. */
static bool released(struct dls_work *work, struct dls_task *task, bool is_done)
{
    if (!is_done && work->interpreter != NULL)
        dls_cpu_drop(work->owner->to->of[DLS_ROLE_CPU], task, work->interpreter);
    return is_done;
}

/* Starts one action of the sample part; true when it needed no time. */
static bool action_start(struct dls_work *work, struct dls_task *task,
                         const struct action *action)
{
    const struct dls_roles *to = work->owner->to;
    struct dls_model *filesystem = to->of[DLS_ROLE_FILESYSTEM];
    struct dls_model *cpu = to->of[DLS_ROLE_CPU];

    switch (action->kind) {
    case ACTION_OPEN:
        part_set(work, DLS_STAGE_OPEN, 0);
        return !work->extent.opens ||
               released(work, task,
                        DLS_KIND_OF(filesystem, filesystem)
                            ->open(filesystem, task, work->extent.file));
    case ACTION_READ:
        part_set(work, DLS_STAGE_READ, 0);
        return work->extent.bytes == 0 ||
               released(work, task,
                        DLS_KIND_OF(filesystem, filesystem)
                            ->read(filesystem, task, &work->extent));
    default:
        if (!action->is_locked && work->interpreter != NULL)
            dls_cpu_drop(cpu, task, work->interpreter);
        work->parts = action->count;
        for (uint32_t i = 0; i < action->count; i++) {
            const struct dls_op *op = &work->program->ops[action->first + i];

            work->part_stage[i] = (uint8_t)op->stage;
            work->part_ns[i] = op_demand_ns(work, op, action->first + i);
            work->owner->ledger->demand_ns[op->stage] += work->part_ns[i];
        }
        return dls_cpu_use(cpu, task, parts_total(work),
                           (enum dls_cpu_class)action->class,
                           action->is_locked ? work->interpreter : NULL);
    }
}

/* Goes on with the sample part from the present action; true when all of it is done. */
static bool sample_go(struct dls_work *work, struct dls_task *task)
{
    const struct dls_program *program = work->program;

    task->run = sample_resumed;
    while (work->action < program->count)
        if (!action_start(work, task, &program->action[work->action++]))
            return false;
    work->parts = 0;
    return true;
}

static void sample_resumed(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_work *work = task->self;

    work_book(work, task, dls_engine_now(engine));
    if (sample_go(work, task))
        work->then(engine, task);
}

bool dls_work_sample(struct dls_work *work, struct dls_task *task, int64_t sample,
                     int64_t visit)
{
    struct dls_model *source = work->owner->to->of[DLS_ROLE_SOURCE];
    const struct dls_source_kind *kind = DLS_KIND_OF(source, source);

    work->sample = sample;
    work->visit = (uint64_t)visit;
    work->row = kind->row(source, sample);
    kind->extent(source, sample, work->row, &work->extent);
    work->action = 0;
    work->began = dls_engine_now(work->owner->engine);
    return sample_go(work, task);
}

/* A single action has ended. */
static void single_resumed(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_work *work = task->self;

    work_book(work, task, dls_engine_now(engine));
    work->parts = 0;
    work->then(engine, task);
}

bool dls_work_use(struct dls_work *work, struct dls_task *task, enum dls_stage stage,
                  double demand_ns, enum dls_cpu_class class, bool is_locked)
{
    struct dls_model *cpu = work->owner->to->of[DLS_ROLE_CPU];

    if (demand_ns <= 0)
        return true;
    if (!is_locked && work->interpreter != NULL)
        dls_cpu_drop(cpu, task, work->interpreter);
    work->began = dls_engine_now(work->owner->engine);
    part_set(work, stage, demand_ns);
    work->owner->ledger->demand_ns[stage] += demand_ns;
    task->run = single_resumed;
    return dls_cpu_use(cpu, task, demand_ns, class,
                       is_locked ? work->interpreter : NULL);
}

/* Somebody has woken a waiting thread: it runs after the processor's wake-up delay. */
static void woken(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_work *work = task->self;
    struct dls_model *cpu = work->owner->to->of[DLS_ROLE_CPU];
    dls_time delay = DLS_KIND_OF(cpu, cpu)->wakeup(cpu);

    task->run = single_resumed;
    if (delay > 0)
        dls_engine_after(engine, task, delay, DLS_PRIORITY_NORMAL,
                         (enum dls_cause)task->cause);
    else
        single_resumed(engine, task);
}

struct dls_ref dls_work_wait(struct dls_work *work, struct dls_task *task,
                             enum dls_cause cause)
{
    if (work->interpreter != NULL)
        dls_cpu_drop(work->owner->to->of[DLS_ROLE_CPU], task, work->interpreter);
    work->began = dls_engine_now(work->owner->engine);
    work->parts = 0;
    task->run = woken;
    return dls_task_park(work->owner->engine, task, cause);
}

void dls_work_delay(struct dls_work *work, struct dls_task *task, dls_time delay,
                    enum dls_stage stage, enum dls_cause cause)
{
    dls_work_wait(work, task, cause);
    task->run = single_resumed;
    part_set(work, stage, (double)delay);
    dls_engine_after(work->owner->engine, task, delay, DLS_PRIORITY_NORMAL, cause);
}

double dls_work_cause_ns(const struct dls_work *work, const struct dls_task *task,
                         enum dls_cause cause)
{
    dls_time now = dls_engine_now(work->owner->engine);
    dls_time locked = task->b - work->locked;

    if (task->cause == DLS_CAUSE_INTERPRETER)
        locked += now - task->since;
    if (cause == DLS_CAUSE_INTERPRETER)
        return work->cause_ns[cause] + (double)locked;
    if (cause == besides_lock(task))
        return work->cause_ns[cause] + (double)(now - work->began - locked);
    return work->cause_ns[cause];
}
