/* share.h: one capacity shared by all present jobs (processor sharing).
 *
 * Every job runs at rate min(cap, C(mix) / n). C may depend on n and on how many jobs
 * of each class are present; it is evaluated when the mix changes. Virtual time v
 * advances by rate x dt; a job that arrives with work w ends at v + w; jobs are ordered
 * by that value, so a completion costs O(log n), not O(n). The end is rounded up to
 * nanoseconds (an end within 2^-16 ns behind a whole one is that one: rounding of v
 * must not cost a nanosecond).
 * Egalitarian sharing: all jobs have one weight and one cap. Jobs that end at one
 * instant resume in the order of their ends, then of their arrival. A job whose task is
 * cancelled without dls_share_remove takes its part to its end and resumes nobody.
 *
 * Units: work is nanoseconds of a server of rate 1. */
#ifndef DLS_SIM_ENGINE_SHARE_H
#define DLS_SIM_ENGINE_SHARE_H

#include "sim/engine/engine.h"
#include "sim/stats/gauge.h"

enum { DLS_SHARE_CLASSES = 8 };

struct dls_share;

/* Total capacity (servers of rate 1) for the jobs present: `count[c]` jobs of class c,
 * `jobs` in total >= 1. 0 stops everything until dls_share_changed. */
typedef double dls_capacity_fn(void *self, const uint32_t count[DLS_SHARE_CLASSES],
                               uint32_t jobs);

/* A share of constant capacity `servers` >= 0, or of capacity given by `capacity` (then
 * `servers` is ignored). `cap` > 0: most that one job gets, may be INFINITY. Lives in
 * the engine's arena. */
struct dls_share *dls_share_new(struct dls_engine *engine, double servers, double cap,
                                dls_capacity_fn *capacity, void *self);

/* Gives `task` `work` ns of service in class `class`, then resumes it. Zero work
 * resumes at once. */
void dls_share_use(struct dls_share *share, struct dls_task *task, double work_ns,
                   uint32_t class, enum dls_cause cause);

/* Takes a job out before its end and returns its remaining work in ns; the wait is
 * cancelled. 0 when its service ended at this very instant and the task has not run
 * since: that resume is cancelled too. The task must have come here for its present
 * wait. Cost O(n). */
double dls_share_remove(struct dls_share *share, struct dls_task *task);

/* Work left of a job in service, now; 0 when it is no longer in service. O(n). */
double dls_share_left(struct dls_share *share, const struct dls_task *task);

/* Re-evaluates the capacity (its function's own state has changed), or sets a constant
 * one >= 0. With capacity 0 nothing moves until the next change. */
void dls_share_changed(struct dls_share *share);
void dls_share_set_capacity(struct dls_share *share, double servers);

uint32_t dls_share_jobs(const struct dls_share *share);

/* Counts busy servers from now on: the integral over time of min(jobs, servers), in ns;
 * 0 while the capacity is 0. */
void dls_share_count_busy(struct dls_share *share, double servers);
double dls_share_busy(struct dls_share *share);

/* Served work so far (ns of rate 1) and the gauge of jobs present. */
double dls_share_served(struct dls_share *share);
struct dls_gauge *dls_share_level(struct dls_share *share);

#endif
