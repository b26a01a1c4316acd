/* cpu.cores: logical processors shared by all runnable threads, and the interpreter
 * lock of each process.
 *
 * Law: r runnable threads on p physical cores of m threads each (l = logical processors
 * allowed to the job):
 *   r <= p: every thread runs at rate 1;  p < r <= l: the total is p + (r - p)(y - 1);
 *   r > l: the total stays, shared equally. y is the yield of a core with both threads
 *   busy against one (1 = no gain, 2 = two full cores); it is the mean of the classes
 *   present, weighted by their threads. All rates are multiplied by the clock at that
 *   load. A quota q (CPU seconds per second) is spent in slices of its period: when q x
 *   period is used up, nothing runs until the period ends (Linux CFS bandwidth
 *   control).
 * Interpreter lock: one holder; a waiter asks for it after `switch_interval` since the
 * last switch, then the holder is put behind the waiters with its remaining work
 * (CPython's forced hand-over, ceval_gil.c).
 * Source: published yields of simultaneous multithreading are 1.10-1.30; CPython,
 * sys.setswitchinterval.
 * Assumptions: egalitarian scheduler, no migration cost; slices of the scheduler are
 * short against the demands.
 * Calibrated: yields by class (micro-benchmark or recordings with several busy
 * processes).
 * Tested by: closed forms of M/G/1-PS and hand-computed cases with yield and hand-over
 * (tests/unit/test_cpu_cores.c). */
#include <math.h>

#include "sim/engine/share.h"
#include "sim/model.h"

struct conf {
    int64_t threads_per_core;
    double yield[DLS_CPU_CLASSES];
    double clock_ratio;
    double switch_interval_s;
    double quota_period_s;
    double wakeup_s;
};

/* A thread that wants the interpreter, with the work it will do when it has it. */
struct waiter {
    struct dls_ref task;
    double work_ns;
    enum dls_cpu_class class;
};

struct dls_interpreter {
    struct dls_model *cpu;
    struct dls_task *holder;
    struct dls_ref service; /* the holder's wait in the share, while it computes */
    enum dls_cpu_class class;
    dls_time switched; /* when the lock last changed hands */
    struct dls_task *timer;
    bool timer_armed;
    struct waiter *waiting; /* ring */
    uint32_t capacity, head, count;
};

struct state {
    struct dls_share *share;
    double inverse_speed;
    double physical, logical;
    struct dls_task *quota_timer;
    double quota_used_ns; /* CPU time used when the present period began */
    dls_time period_start;
    bool is_throttled;
};

#define YIELD(field, class, usual)                                                     \
    {                                                                                  \
        .key = "yield." #field, .type = DLS_PARAM_QUANTITY, .unit = DLS_UNIT_NUMBER,   \
        .offset = offsetof(struct conf, yield) + class * sizeof(double),               \
        .preset = usual, .min = 1, .max = 2, .flags = DLS_PARAM_CALIBRATED,            \
        .help = "work done by a core with both threads busy, against one: " #field,    \
    }

static const struct dls_param params[] = {
    {.key = "threads_per_core",
     .type = DLS_PARAM_COUNT,
     .offset = offsetof(struct conf, threads_per_core),
     .preset = "2",
     .min = 1,
     .max = 8,
     .help = "hardware threads of a physical core"},
    YIELD(python, DLS_CPU_PYTHON, "1.05"),
    YIELD(decode, DLS_CPU_DECODE, "1.25"),
    YIELD(inflate, DLS_CPU_INFLATE, "1.25"),
    YIELD(numeric, DLS_CPU_NUMERIC, "1.15"),
    YIELD(copy, DLS_CPU_COPY, "1.05"),
    YIELD(fresh, DLS_CPU_FRESH, "1.05"),
    YIELD(kernel, DLS_CPU_KERNEL, "1.05"),
    {.key = "clock_ratio",
     .type = DLS_PARAM_QUANTITY,
     .unit = DLS_UNIT_FRACTION,
     .offset = offsetof(struct conf, clock_ratio),
     .preset = "1",
     .min = 0.1,
     .max = 1,
     .help = "clock with all cores busy against one busy core"},
    {.key = "switch_interval",
     .type = DLS_PARAM_QUANTITY,
     .unit = DLS_UNIT_TIME,
     .offset = offsetof(struct conf, switch_interval_s),
     .preset = "5 ms",
     .min = 1e-6,
     .max = 10,
     .help = "interpreter lock: time after which a waiter forces a hand-over"},
    {.key = "quota_period",
     .type = DLS_PARAM_QUANTITY,
     .unit = DLS_UNIT_TIME,
     .offset = offsetof(struct conf, quota_period_s),
     .preset = "100 ms",
     .min = 1e-3,
     .max = 1,
     .help = "period of host.cpu_quota"},
    {.key = "wakeup",
     .type = DLS_PARAM_QUANTITY,
     .unit = DLS_UNIT_TIME,
     .offset = offsetof(struct conf, wakeup_s),
     .preset = "0 s",
     .max = 1,
     .flags = DLS_PARAM_CALIBRATED,
     .help = "from waking a sleeping thread to its first instruction"},
    {0},
};

static double capacity(void *self, const uint32_t count[DLS_SHARE_CLASSES],
                       uint32_t jobs)
{
    struct dls_model *cpu = self;
    const struct conf *conf = DLS_CONF(cpu);
    const struct state *state = DLS_STATE(cpu);
    double busy = fmin((double)jobs, state->logical);
    double total = busy;

    if (state->is_throttled)
        return 0;
    if (busy > state->physical) {
        double yield = 0;

        for (int c = 0; c < DLS_CPU_CLASSES; c++)
            yield += count[c] * conf->yield[c];
        yield /= jobs;
        total = state->physical + (busy - state->physical) * (yield - 1);
    }
    if (state->logical > 1)
        total *= 1 - (1 - conf->clock_ratio) * (busy - 1) / (state->logical - 1);
    return total;
}

/* ------------------------------------------------------------------ quota */

/* When the quota of this period will be used up if nothing changes; looked at again
 * whenever it comes up. */
static void quota_arm(struct dls_model *cpu)
{
    const struct conf *conf = DLS_CONF(cpu);
    struct state *state = DLS_STATE(cpu);
    dls_time period = dls_time_of_seconds(conf->quota_period_s);
    dls_time end = state->period_start + period;
    dls_time now = dls_engine_now(cpu->engine);
    double left = cpu->host_conf->cpu_quota * (double)period -
                  (dls_share_busy(state->share) - state->quota_used_ns);
    dls_time check = now + (dls_time)fmax(ceil(left / state->logical), 1);

    dls_engine_after(cpu->engine, state->quota_timer, (check < end ? check : end) - now,
                     DLS_PRIORITY_TIMEOUT, DLS_CAUSE_IDLE);
}

static void quota_tick(struct dls_engine *engine, struct dls_task *timer)
{
    struct dls_model *cpu = timer->self;
    const struct conf *conf = DLS_CONF(cpu);
    struct state *state = DLS_STATE(cpu);
    dls_time period = dls_time_of_seconds(conf->quota_period_s);
    dls_time now = dls_engine_now(engine);
    double used = dls_share_busy(state->share);

    if (now >= state->period_start + period) {
        state->period_start = now;
        state->quota_used_ns = used;
        if (state->is_throttled) {
            state->is_throttled = false;
            dls_share_changed(state->share);
        }
    } else if (used - state->quota_used_ns >=
               cpu->host_conf->cpu_quota * (double)period) {
        state->is_throttled = true;
        dls_share_changed(state->share);
        dls_engine_after(engine, timer, state->period_start + period - now,
                         DLS_PRIORITY_TIMEOUT, DLS_CAUSE_IDLE);
        return;
    }
    quota_arm(cpu);
}

static void init(struct dls_model *cpu)
{
    const struct conf *conf = DLS_CONF(cpu);
    struct state *state = DLS_STATE(cpu);

    state->logical = (double)cpu->host_conf->cores;
    state->physical = ceil(state->logical / (double)conf->threads_per_core);
    state->inverse_speed = 1 / cpu->host_conf->speed;
    state->share = dls_share_new(cpu->engine, state->logical, 1, capacity, cpu);
    dls_share_count_busy(state->share, state->logical);
    if (cpu->host_conf->cpu_quota > 0) {
        state->quota_timer = dls_task_new(cpu->engine, quota_tick, cpu);
        state->quota_timer->flags |= DLS_TASK_DAEMON;
        quota_arm(cpu);
    }
}

/* ------------------------------------------------------------------ interpreter
 * lock */

static void interpreter_timer_arm(struct dls_interpreter *interpreter)
{
    struct dls_model *cpu = interpreter->cpu;
    dls_time now = dls_engine_now(cpu->engine);
    dls_time interval = dls_time_of_seconds(DLS_CONF(cpu)->switch_interval_s);

    if (interpreter->timer_armed || interpreter->count == 0)
        return;
    interpreter->timer_armed = true;
    dls_engine_after(cpu->engine, interpreter->timer, interval, DLS_PRIORITY_TIMEOUT,
                     DLS_CAUSE_IDLE);
    interpreter->switched = now;
}

/* The holder computes; with work 0 it goes on at once. */
static bool holder_start(struct dls_interpreter *interpreter, struct dls_task *task,
                         double work_ns, enum dls_cpu_class class)
{
    struct state *state = DLS_STATE(interpreter->cpu);

    interpreter->holder = task;
    if (work_ns <= 0)
        return true;
    dls_share_use(state->share, task, work_ns, class, DLS_CAUSE_CPU);
    interpreter->class = class;
    interpreter->service = (struct dls_ref){task->index, task->generation};
    return false;
}

static void waiter_put(struct dls_interpreter *interpreter, struct waiter waiter)
{
    if (interpreter->count == interpreter->capacity) {
        struct dls_arena *arena = dls_engine_arena(interpreter->cpu->engine);
        uint32_t grown = interpreter->capacity ? 2 * interpreter->capacity : 4;
        struct waiter *slots = dls_arena_get(arena, grown, sizeof *slots);

        for (uint32_t i = 0; i < interpreter->count; i++)
            slots[i] =
                interpreter->waiting[(interpreter->head + i) % interpreter->capacity];
        interpreter->waiting = slots;
        interpreter->capacity = grown;
        interpreter->head = 0;
    }
    interpreter->waiting[(interpreter->head + interpreter->count++) %
                         interpreter->capacity] = waiter;
}

/* The lock is free: the longest waiter gets it, by state, in this event. */
static void interpreter_grant(struct dls_interpreter *interpreter)
{
    struct dls_engine *engine = interpreter->cpu->engine;

    interpreter->holder = NULL;
    interpreter->switched = dls_engine_now(engine);
    while (interpreter->count > 0) {
        struct waiter next = interpreter->waiting[interpreter->head];
        struct dls_task *task = dls_task_get(engine, next.task);

        interpreter->head = (interpreter->head + 1) % interpreter->capacity;
        interpreter->count--;
        if (task == NULL)
            continue;
        task->b += interpreter->switched - task->since;
        if (holder_start(interpreter, task, next.work_ns, next.class))
            dls_engine_resume(engine, next.task);
        interpreter_timer_arm(interpreter);
        return;
    }
}

static void interpreter_timeout(struct dls_engine *engine, struct dls_task *timer)
{
    struct dls_interpreter *interpreter = timer->self;
    struct state *state = DLS_STATE(interpreter->cpu);
    dls_time due = interpreter->switched +
                   dls_time_of_seconds(DLS_CONF(interpreter->cpu)->switch_interval_s);
    dls_time now = dls_engine_now(engine);
    struct dls_task *holder;

    interpreter->timer_armed = false;
    if (interpreter->count == 0 || interpreter->holder == NULL)
        return;
    if (now <
        due) { /* the lock changed hands meanwhile: the waiters' interval starts anew */
        interpreter->timer_armed = true;
        dls_engine_after(engine, timer, due - now, DLS_PRIORITY_TIMEOUT,
                         DLS_CAUSE_IDLE);
        return;
    }
    holder = dls_task_get(engine, interpreter->service);
    if (holder == NULL) { /* between two actions: it drops or computes again at this
                             very instant */
        interpreter_timer_arm(interpreter);
        return;
    }
    double left = dls_share_remove(state->share, holder);

    waiter_put(interpreter,
               (struct waiter){dls_task_park(engine, holder, DLS_CAUSE_INTERPRETER),
                               left, interpreter->class});
    interpreter_grant(interpreter);
}

static struct dls_interpreter *interpreter_new(struct dls_model *cpu)
{
    struct dls_interpreter *interpreter = dls_arena_get(dls_engine_arena(cpu->engine),
                                                        1, sizeof *interpreter);

    interpreter->cpu = cpu;
    interpreter->timer = dls_task_new(cpu->engine, interpreter_timeout, interpreter);
    interpreter->timer->flags |= DLS_TASK_DAEMON;
    return interpreter;
}

static bool use(struct dls_model *cpu, struct dls_task *task, double demand_ns,
                enum dls_cpu_class class, struct dls_interpreter *interpreter)
{
    struct state *state = DLS_STATE(cpu);
    /* longer than the clock goes is for ever */
    double work = fmin(demand_ns * state->inverse_speed, (double)DLS_TIME_MAX);

    if (interpreter == NULL) {
        if (work <= 0)
            return true;
        dls_share_use(state->share, task, work, class, DLS_CAUSE_CPU);
        return false;
    }
    if (interpreter->holder == NULL || interpreter->holder == task) {
        if (interpreter->holder == NULL)
            interpreter->switched = dls_engine_now(cpu->engine);
        return holder_start(interpreter, task, work, class);
    }
    waiter_put(interpreter,
               (struct waiter){dls_task_park(cpu->engine, task, DLS_CAUSE_INTERPRETER),
                               work, class});
    interpreter_timer_arm(interpreter);
    return false;
}

static void drop(struct dls_model *cpu, struct dls_task *task,
                 struct dls_interpreter *interpreter)
{
    (void)cpu;
    if (interpreter != NULL && interpreter->holder == task)
        interpreter_grant(interpreter);
}

static dls_time wakeup(struct dls_model *cpu)
{
    return dls_time_of_seconds(DLS_CONF(cpu)->wakeup_s);
}

static double used_s(struct dls_model *cpu)
{
    return dls_share_busy(DLS_STATE(cpu)->share) * 1e-9;
}

const struct dls_cpu_kind dls_cpu_cores = {
    .kind =
        {
            .abi = DLS_MODEL_ABI,
            .role = DLS_ROLE_CPU,
            .name = "cpu.cores",
            .summary = "logical processors shared by all runnable threads; interpreter "
                       "lock per process",
            .params = params,
            .conf_size = sizeof(struct conf),
            .state_size = sizeof(struct state),
            .init = init,
        },
    .use = use,
    .drop = drop,
    .interpreter_new = interpreter_new,
    .wakeup = wakeup,
    .used_s = used_s,
};
