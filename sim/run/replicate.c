#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "sim/base/vec.h"
#include "sim/graph/graph.h"
#include "sim/result/merge.h"
#include "sim/run/run.h"
#include "sim/run/run_int.h"

/* What the threads share: the next index, and one slot a replication. */
struct pool {
    const struct dls_scenario *scenario;
    int64_t count;
    atomic_llong next;
    atomic_llong done;
    struct dls_outcome *outcome;
    struct dls_run_batches batches; /* of replication 0 */
};

static void *pool_work(void *self)
{
    struct pool *pool = self;
    int64_t index;

    while ((index = atomic_fetch_add(&pool->next, 1)) < pool->count) {
        dls_run_once(pool->scenario, index, NULL, &pool->outcome[index],
                     index == 0 ? &pool->batches : NULL);
        atomic_fetch_add(&pool->done, 1);
    }
    return NULL;
}

static int thread_count(const struct dls_run_options *options, int64_t replications)
{
    long threads = options->threads > 0 ? options->threads
                                        : sysconf(_SC_NPROCESSORS_ONLN);

    if (threads > replications)
        threads = (long)replications;
    return threads < 1 ? 1 : (int)threads;
}

/* Tells the caller how far it is, twenty times a second, until all are done. */
static void pool_watch(struct pool *pool, const struct dls_run_options *options)
{
    const struct timespec pause = {.tv_nsec = 50 * 1000 * 1000};

    for (;;) {
        int64_t done = atomic_load(&pool->done);

        options->progress(options->self, done, pool->count);
        if (done == pool->count)
            return;
        nanosleep(&pause, NULL);
    }
}

static void pool_run(struct pool *pool, const struct dls_run_options *options)
{
    int threads = thread_count(options, pool->count);
    pthread_t *thread = dls_mem_new((size_t)threads, sizeof *thread);
    int started = 0;

    if (threads > 1 || options->progress != NULL)
        while (started < threads &&
               pthread_create(&thread[started], NULL, pool_work, pool) == 0)
            started++;
    if (started == 0)
        pool_work(pool);
    else if (options->progress != NULL)
        pool_watch(pool, options);
    for (int i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
    dls_mem_free(thread);
}

/* Every bound value with its origin, for the result's provenance. */
static struct dls_origin *origins_of(const struct dls_scenario *scenario, size_t *count)
{
    DLS_VEC(struct dls_origin) origins = {0};
    struct dls_scenario_value value;

    for (size_t i = 0; dls_scenario_value(scenario, i, &value); i++)
        DLS_VEC_ADD(&origins,
                    ((struct dls_origin){value.path, value.text, value.origin}));
    *count = origins.count;
    return origins.data;
}

enum dls_status dls_replicate(const struct dls_scenario *scenario,
                              const struct dls_run_options *options,
                              struct dls_diag *diag, struct dls_result **result)
{
    struct pool pool = {.scenario = scenario, .count = scenario->run.replications};
    struct dls_result_facts facts = {
        .scenario_name = scenario->name,
        .scenario_path = scenario->path,
        .about = scenario->about,
        .scenario_hash = scenario->hash,
        .params_hash = scenario->params_hash,
        .params_path = scenario->params_path,
        .seed = scenario->run.seed,
        .ranks = scenario->host.count * scenario->consumers.count,
        .workers = dls_run_loader_count(scenario, "workers"),
        .prefetch = dls_run_loader_count(scenario, "prefetch"),
        .batch = dls_run_loader_count(scenario, "batch"),
        .cores = (double)(scenario->host.count * scenario->host.cores),
        .noise_cv = scenario->run.noise,
    };
    enum dls_status status = dls_graph_check(scenario, diag);
    struct dls_origin *origin;

    if (status != DLS_OK)
        return status;
    pool.outcome = dls_mem_new((size_t)pool.count, sizeof *pool.outcome);
    pool_run(&pool, options);
    origin = origins_of(scenario, &facts.origins);
    facts.origin = origin;
    facts.batch_times = pool.batches.times;
    facts.batches = pool.batches.count;
    *result = dls_result_of(pool.outcome, (size_t)pool.count, &facts);
    for (int64_t i = 0; i < pool.count; i++)
        dls_outcome_release(&pool.outcome[i]);
    dls_mem_free(pool.outcome);
    dls_mem_free(pool.batches.times);
    dls_mem_free(origin);
    return DLS_OK;
}
