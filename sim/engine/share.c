#include "sim/engine/share.h"

#include <math.h>
#include <string.h>

#include "sim/engine/engine_int.h"

/* An entry of `jobs` holds the task and, in its generation field, 29 bits of the wait's
 * generation and the class. */
enum { CLASS_BITS = 3 };
_Static_assert(DLS_SHARE_CLASSES == 1 << CLASS_BITS,
               "the class lies in the low bits of the entry");
#define WAIT_MASK (~(uint32_t)(DLS_SHARE_CLASSES - 1))

/* Rounding of virtual time must not push an end that is exact on paper into the next
 * nanosecond: an end this close behind one, and a work this close to nothing, are taken
 * for exact. */
static const double SLACK_NS = 0x1p-16;
static const double SLACK_WORK_NS = 0x1p-20;

/* Virtual time is set back to 0 beyond this, so that its last bit stays below
 * SLACK_WORK_NS. */
static const double REBASE_NS = 0x1p30;

struct dls_share {
    struct dls_engine *engine;
    struct dls_task *timer;
    struct dls_pending jobs; /* key: bits of the virtual finish */
    double virtual_ns;       /* virtual time at `at` */
    double rate;             /* of each job; 0 when nothing moves */
    double inverse;
    double served;
    double busy; /* integral of min(jobs, busy_servers), ns */
    double busy_servers;
    dls_time at;
    dls_time due;   /* end of the earliest job, DLS_TIME_MAX: none */
    dls_time armed; /* the timer's entry in the pending set, DLS_TIME_MAX: none */
    double servers;
    double cap;
    dls_capacity_fn *capacity;
    void *self;
    uint32_t count[DLS_SHARE_CLASSES];
    uint32_t rated[DLS_SHARE_CLASSES]; /* the mix that `rate` holds for */
    uint32_t rated_jobs;               /* as many jobs; 0 after a change of capacity */
    uint32_t jobs_present;
    bool is_firing; /* a finished job runs: rate, timer, level are renewed after it */
    struct dls_gauge level;
};

static uint64_t bits_of(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double finish_of(int64_t key)
{
    double value;

    memcpy(&value, &key, sizeof value);
    return value;
}

static void release_share(void *object)
{
    struct dls_share *share = object;

    dls_pending_release(&share->jobs);
}

/* -------------------------------------------------------- virtual time, rate, timer */

/* min(jobs, servers that count); a comparison, since fmin is a call. */
static inline double busy_now(const struct dls_share *share)
{
    const double jobs = (double)share->jobs_present;

    return jobs < share->busy_servers ? jobs : share->busy_servers;
}

static inline void advance(struct dls_share *share)
{
    const dls_time now = share->engine->now;
    double step;

    if (now == share->at)
        return;
    step = share->rate * (double)(now - share->at);
    share->virtual_ns += step;
    share->served += step * (double)share->jobs_present;
    if (share->rate > 0)
        share->busy += busy_now(share) * (double)(now - share->at);
    share->at = now;
}

static void renew_rate(struct dls_share *share)
{
    const double jobs = (double)share->jobs_present;
    double total = share->servers;

    if (share->capacity)
        total = share->capacity(share->self, share->count, share->jobs_present);
    DLS_REQUIRE(total >= 0, "capacity %g", total);
    if (total >= jobs * share->cap) {
        share->rate = share->cap;
        share->inverse = 1 / share->cap;
    } else {
        share->rate = total / jobs;
        share->inverse = jobs / total; /* infinite without capacity */
    }
    memcpy(share->rated, share->count, sizeof share->rated);
    share->rated_jobs = share->jobs_present;
}

static inline bool is_rated(const struct dls_share *share)
{
    return share->rated_jobs == share->jobs_present &&
           (!share->capacity ||
            memcmp(share->rated, share->count, sizeof share->rated) == 0);
}

/* Soft timer: a later end leaves the entry where it is; it comes up early and is put in
 * again. */
static inline void arm(struct dls_share *share, dls_time due)
{
    share->due = due;
    if (due >= share->armed)
        return;
    share->timer->generation++;
    share->armed = due;
    task_after(share->engine, share->timer, due, DLS_PRIORITY_COMPLETION);
}

/* The first nanosecond at which the earliest job has had its work. */
static inline dls_time earliest_end(struct dls_share *share)
{
    const dls_time now = share->engine->now;
    const double left = finish_of(pending_first(&share->jobs)) - share->virtual_ns;
    double wait;
    dls_time ns;

    if (left <= SLACK_WORK_NS)
        return now;
    wait = left * share->inverse - SLACK_NS;
    if (wait >= (double)(DLS_TIME_MAX - now))
        return DLS_TIME_MAX;
    ns = (dls_time)wait;
    return now + ns + ((double)ns < wait);
}

/* Brings level, rate and timer up to date after a change of jobs or capacity. */
static void settle(struct dls_share *share)
{
    if (share->level.level != share->jobs_present)
        dls_gauge_set(&share->level, share->engine->now, share->jobs_present);
    if (share->jobs_present == 0) {
        share->virtual_ns = 0;
        share->rate = 0;
        share->rated_jobs = 0;
        share->due = DLS_TIME_MAX;
        return;
    }
    if (share->virtual_ns > REBASE_NS) {
        dls_pending_rebase(&share->jobs, share->virtual_ns);
        share->virtual_ns = 0;
    }
    if (!is_rated(share))
        renew_rate(share);
    arm(share, earliest_end(share));
}

/* ------------------------------------------------------------ jobs */

/* Takes the earliest job out at its end; NULL when its task no longer waits. */
static struct dls_task *finish_first(struct dls_share *share)
{
    const struct dls_pending_entry entry = pending_pop(&share->jobs);
    const double finish = finish_of(entry.key);
    struct dls_task *task;

    if (finish > share->virtual_ns)
        share->virtual_ns = finish;
    share->jobs_present--;
    share->count[entry.generation & ~WAIT_MASK]--;
    task = task_at(share->engine, entry.task);
    return (task->generation << CLASS_BITS ^ entry.generation) & WAIT_MASK ? NULL
                                                                           : task;
}

static bool is_first_done(struct dls_share *share)
{
    double left = finish_of(pending_first(&share->jobs)) - share->virtual_ns;

    return left <= SLACK_NS * share->rate || left <= SLACK_WORK_NS;
}

/* The timer has come up. One finished job, the usual case, goes on at once; several go
 * through the ready ring in order of their ends. */
static void fire(struct dls_engine *engine, struct dls_task *timer)
{
    struct dls_share *share = timer->self;
    struct dls_task *first;

    share->armed = DLS_TIME_MAX;
    if (share->due > engine->now) {
        arm(share, share->due);
        return;
    }
    advance(share);
    first = finish_first(share);
    if (share->jobs_present > 0 && is_first_done(share)) {
        if (first)
            task_resume(engine, first);
        do {
            first = finish_first(share);
            if (first)
                task_resume(engine, first);
        } while (share->jobs_present > 0 && is_first_done(share));
        first = NULL;
    }
    if (first) {
        share->is_firing = true;
        task_resume_now(engine, first);
        share->is_firing = false;
    }
    settle(share);
}

struct dls_share *dls_share_new(struct dls_engine *engine, double servers, double cap,
                                dls_capacity_fn *capacity, void *self)
{
    struct dls_share *share = dls_arena_get(engine->arena, 1, sizeof *share);

    DLS_REQUIRE(cap > 0, "cap %g", cap);
    DLS_REQUIRE(capacity || servers >= 0, "capacity %g", servers);
    share->engine = engine;
    share->servers = servers;
    share->cap = cap;
    share->capacity = capacity;
    share->self = self;
    share->at = engine->now;
    share->due = DLS_TIME_MAX;
    share->armed = DLS_TIME_MAX;
    share->timer = dls_task_new_internal(engine, fire, share);
    dls_pending_init(&share->jobs);
    dls_gauge_init(&share->level, engine->now, 0);
    dls_engine_own(engine, release_share, share);
    return share;
}

void dls_share_use(struct dls_share *share, struct dls_task *task, double work_ns,
                   uint32_t class, enum dls_cause cause)
{
    struct dls_engine *engine = share->engine;

    DLS_REQUIRE(work_ns >= 0 && work_ns <= (double)DLS_TIME_MAX, "work %g ns", work_ns);
    DLS_REQUIRE(class < DLS_SHARE_CLASSES, "class %u", (unsigned)class);
    task_park(engine, task, cause);
    if (work_ns == 0) {
        task_resume(engine, task);
        return;
    }
    advance(share);
    pending_add(&share->jobs, (int64_t)bits_of(share->virtual_ns + work_ns),
                task->index, task->generation << CLASS_BITS | class);
    share->jobs_present++;
    share->count[class]++;
    if (!share->is_firing)
        settle(share);
}

double dls_share_remove(struct dls_share *share, struct dls_task *task)
{
    struct dls_engine *engine = share->engine;
    struct dls_pending_entry entry;
    double left = 0;

    if (dls_pending_take(&share->jobs, task->index, task->generation << CLASS_BITS,
                         WAIT_MASK, &entry)) {
        advance(share);
        left = fmax(0.0, finish_of(entry.key) - share->virtual_ns);
        share->jobs_present--;
        share->count[entry.generation & ~WAIT_MASK]--;
        if (!share->is_firing)
            settle(share);
    }
    dls_task_cancel(engine, task);
    return left;
}

double dls_share_left(struct dls_share *share, const struct dls_task *task)
{
    struct dls_pending_entry entry;

    if (!dls_pending_find(&share->jobs, task->index, task->generation << CLASS_BITS,
                          WAIT_MASK, &entry))
        return 0;
    advance(share);
    return fmax(0.0, finish_of(entry.key) - share->virtual_ns);
}

void dls_share_changed(struct dls_share *share)
{
    advance(share);
    share->rated_jobs = 0;
    if (!share->is_firing)
        settle(share);
}

void dls_share_set_capacity(struct dls_share *share, double servers)
{
    DLS_REQUIRE(servers >= 0, "capacity %g", servers);
    DLS_REQUIRE(!share->capacity, "%s", "the capacity is a function");
    share->servers = servers;
    dls_share_changed(share);
}

uint32_t dls_share_jobs(const struct dls_share *share)
{
    return share->jobs_present;
}

double dls_share_served(struct dls_share *share)
{
    advance(share);
    return share->served;
}

void dls_share_count_busy(struct dls_share *share, double servers)
{
    advance(share);
    share->busy = 0;
    share->busy_servers = servers;
}

double dls_share_busy(struct dls_share *share)
{
    advance(share);
    return share->busy;
}

struct dls_gauge *dls_share_level(struct dls_share *share)
{
    return &share->level;
}
