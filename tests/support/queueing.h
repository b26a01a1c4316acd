/* queueing.h: a queue with Poisson arrivals at a server or a share, for tests against
 * queueing theory.
 *
 * One replication runs `customers` customers, leaves out the first tenth, and gives
 * means. queue_check applies the acceptance rule: the closed form lies inside the 99.9
 * % Student interval of the replications, whose half-width is below 2 %. Times in units
 * of 1e6 ns, so that rounding to ns stays far below the statistics. Header only. */
#ifndef DLS_TESTS_SUPPORT_QUEUEING_H
#define DLS_TESTS_SUPPORT_QUEUEING_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/engine/dist.h"
#include "sim/engine/engine.h"
#include "sim/engine/server.h"
#include "sim/engine/share.h"
#include "sim/stats/interval.h"

#define QUEUE_UNIT_NS 1e6

enum { QUEUE_REPLICATIONS = 30 };

/* The station: `servers` servers in order of arrival, or a share of as many cores,
 * cap 1. */
enum queue_station { QUEUE_SERVER, QUEUE_SHARE };

struct queue {
    enum queue_station station;
    uint32_t servers;
    double rate;            /* arrivals per unit */
    struct dls_law service; /* units */
    double fast_fraction;   /* hyperexponential when > 0: so many customers at mean
                               `fast`, else at `slow` */
    double fast, slow;
    int64_t customers;
};

struct queue_means {
    double sojourn; /* arrival to departure, units */
    double wait;    /* sojourn without service: only of servers */
    double number;  /* in the system, over time; only of shares */
    double busy;    /* servers, over time; only of servers */
};

struct queue_run {
    const struct queue *queue;
    struct dls_server *server;
    struct dls_share *share;
    struct dls_rng arrivals, services;
    int64_t arrived, left, counted;
    double sojourn_ns, wait_ns;
    dls_time start; /* of the time averages */
    struct queue_means means;
};

static inline double queue_draw_service(const struct queue *queue, struct dls_rng *rng)
{
    double mean;

    if (queue->fast_fraction > 0) {
        mean = dls_rng_uniform(rng) < queue->fast_fraction ? queue->fast : queue->slow;
        return dls_law_draw(&(struct dls_law){.kind = DLS_LAW_EXPONENTIAL, .a = mean},
                            rng, 0);
    }
    return dls_law_draw(&queue->service, rng, 0);
}

static inline dls_time queue_ns(double units)
{
    return (dls_time)floor(units * QUEUE_UNIT_NS + 0.5);
}

static inline struct dls_gauge *queue_level(const struct queue_run *run)
{
    return run->server ? dls_server_level(run->server) : dls_share_level(run->share);
}

/* `a` is the arrival, `b` the service. The first tenth is left out, and the last
 * customers end the averages. */
static inline void queue_leave(struct dls_engine *engine, struct dls_task *task)
{
    struct queue_run *run = task->self;
    dls_time now = dls_engine_now(engine);
    double level;

    run->left++;
    if (run->left == run->queue->customers / 10) {
        run->start = now;
        dls_gauge_restart(queue_level(run), now);
    } else if (run->left > run->queue->customers / 10) {
        run->counted++;
        run->sojourn_ns += (double)(now - task->a);
        run->wait_ns += (double)(now - task->a - task->b);
    }
    dls_task_free(engine, task);
    if (run->left < run->queue->customers)
        return;
    level = dls_gauge_mean(queue_level(run), now);
    run->means = (struct queue_means){
        .sojourn = run->sojourn_ns / (double)run->counted / QUEUE_UNIT_NS,
        .wait = run->wait_ns / (double)run->counted / QUEUE_UNIT_NS,
        .number = run->share ? level : NAN,
        .busy = run->server ? level : NAN,
    };
    dls_engine_stop(engine);
}

/* Arrivals go on to the end, so that the last counted customers do not see an emptying
 * queue. */
static inline void queue_arrive(struct dls_engine *engine, struct dls_task *source)
{
    struct queue_run *run = source->self;
    struct dls_task *task = dls_task_new(engine, queue_leave, run);
    const struct dls_law between = {.kind = DLS_LAW_EXPONENTIAL,
                                    .a = 1 / run->queue->rate};

    task->a = dls_engine_now(engine);
    task->b = queue_ns(queue_draw_service(run->queue, &run->services));
    if (run->server)
        dls_server_serve(run->server, task, task->b, DLS_CAUSE_STORAGE);
    else
        dls_share_use(run->share, task, (double)task->b, 0, DLS_CAUSE_CPU);
    dls_engine_after(engine, source,
                     queue_ns(dls_law_draw(&between, &run->arrivals, 0)),
                     DLS_PRIORITY_NORMAL, DLS_CAUSE_IDLE);
}

static inline struct queue_means queue_simulate(const struct queue *queue,
                                                uint64_t seed, uint64_t replication)
{
    struct dls_engine *engine = dls_engine_new();
    struct queue_run run = {.queue = queue};

    run.arrivals = dls_rng_of(dls_rng_key(seed, replication, "source", "arrivals"));
    run.services = dls_rng_of(dls_rng_key(seed, replication, "source", "services"));
    if (queue->station == QUEUE_SERVER)
        run.server = dls_server_new(engine, queue->servers);
    else
        run.share = dls_share_new(engine, queue->servers, 1, NULL, NULL);
    dls_engine_after(engine, dls_task_new(engine, queue_arrive, &run), 0,
                     DLS_PRIORITY_NORMAL, DLS_CAUSE_IDLE);
    dls_engine_run(engine, NULL);
    dls_engine_free(engine);
    return run.means;
}

/* True when `truth` is accepted; says what was found on stderr through cmocka
 * otherwise. */
static inline bool queue_accepts(const char *what, const double *values, double truth,
                                 uint64_t seed)
{
    struct dls_interval interval = dls_interval_mean(values, QUEUE_REPLICATIONS, 0.999);
    bool is_narrow = (interval.high - interval.low) / 2 < 0.02 * fabs(truth);
    bool is_inside = interval.low <= truth && truth <= interval.high;

    print_message("# %s: %.9g in %.9g .. %.9g, seed %llu\n", what, truth, interval.low,
                  interval.high, (unsigned long long)seed);
    return is_narrow && is_inside;
}

/* Replications of one queue: the means of each kind side by side. */
struct queue_series {
    double sojourn[QUEUE_REPLICATIONS], wait[QUEUE_REPLICATIONS];
    double number[QUEUE_REPLICATIONS], busy[QUEUE_REPLICATIONS];
};

static inline void queue_replicate(const struct queue *queue, uint64_t seed,
                                   struct queue_series *series)
{
    for (uint64_t r = 0; r < QUEUE_REPLICATIONS; r++) {
        struct queue_means means = queue_simulate(queue, seed, r);

        series->sojourn[r] = means.sojourn;
        series->wait[r] = means.wait;
        series->number[r] = means.number;
        series->busy[r] = means.busy;
    }
}

#endif
