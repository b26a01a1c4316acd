#include "sim/graph/graph_int.h"

#include <stdio.h>
#include <string.h>

#include "models/storage_limiter.h"

/* Roles made once a host, in an order in which a role comes after those it calls at
 * set-up; then once a rank. */
static const enum dls_role host_roles[] = {DLS_ROLE_CPU, DLS_ROLE_MEMORY,
                                           DLS_ROLE_STORAGE, DLS_ROLE_CACHE,
                                           DLS_ROLE_FILESYSTEM};
static const enum dls_role rank_roles[] = {
    DLS_ROLE_SOURCE,     DLS_ROLE_TRANSFORM, DLS_ROLE_LINK,       DLS_ROLE_GPU,
    DLS_ROLE_COLLECTIVE, DLS_ROLE_LOADER,    DLS_ROLE_CHECKPOINT, DLS_ROLE_CONSUMER};

static struct dls_model *model_new(struct dls_graph *graph, const struct dls_kind *kind,
                                   const void *conf, const struct dls_roles *to,
                                   int64_t host, int64_t rank)
{
    struct dls_arena *arena = dls_engine_arena(graph->engine);
    const struct dls_scenario *scenario = graph->scenario;
    struct dls_model *model = dls_arena_get(arena, 1, sizeof *model);
    char name[64];

    DLS_REQUIRE(kind->abi == DLS_MODEL_ABI, "kind %s", kind->name);
    if (rank < 0)
        snprintf(name, sizeof name, "host%lld.%s", (long long)host,
                 dls_role_text(kind->role));
    else
        snprintf(name, sizeof name, "rank%lld.%s", (long long)rank,
                 dls_role_text(kind->role));
    model->kind = kind;
    model->conf = conf;
    model->state = dls_arena_get(arena, 1, kind->state_size ? kind->state_size : 1);
    model->engine = graph->engine;
    model->name = dls_arena_text(arena, name);
    model->seed = (uint64_t)scenario->run.seed;
    model->replication = (uint64_t)graph->replication;
    model->key = dls_rng_key(model->seed, model->replication, "samples", "draws");
    model->host = (int32_t)host;
    model->rank = rank < 0 ? 0 : (int32_t)rank;
    model->ranks = (int32_t)graph->ranks;
    model->to = to;
    model->host_conf = &scenario->host;
    model->run = &scenario->run;
    model->ledger = graph->ledger;
    model->observer = graph->observer;
    if (kind->init != NULL)
        kind->init(model);
    return model;
}

static void role_add(struct dls_graph *graph, struct dls_roles *roles,
                     enum dls_role role, int64_t host, int64_t rank)
{
    const struct dls_scenario_role *bound = &graph->scenario->role[role];

    roles->of[role] = model_new(graph, bound->kind, bound->conf, roles, host, rank);
}

/* Puts the limiter in front of the storage: the file system sees it, it alone sees the
 * device. */
static void limiter_add(struct dls_graph *graph, struct dls_roles *roles, int64_t host)
{
    const struct dls_volume_conf *volume = &graph->scenario->volume;
    struct dls_roles *behind;

    if (volume->bandwidth_limit <= 0 && volume->iops_limit <= 0)
        return;
    behind = dls_arena_get(dls_engine_arena(graph->engine), 1, sizeof *behind);
    *behind = *roles;
    roles->of[DLS_ROLE_STORAGE] = model_new(graph, &dls_storage_limiter.kind, volume,
                                            behind, host, -1);
}

struct dls_graph *dls_graph_new(const struct dls_scenario *scenario,
                                int64_t replication, struct dls_ledger *ledger,
                                const struct dls_observer *observer)
{
    struct dls_graph *graph = dls_mem_new(1, sizeof *graph);
    struct dls_arena *arena;

    graph->scenario = scenario;
    graph->engine = dls_engine_new();
    graph->ledger = ledger;
    graph->observer = observer;
    graph->replication = replication;
    graph->hosts = scenario->host.count;
    graph->ranks = graph->hosts * scenario->consumers.count;
    memset(ledger, 0, sizeof *ledger);
    dls_gauge_init(&ledger->shm_bytes, 0, 0);
    dls_gauge_init(&ledger->pinned_bytes, 0, 0);
    arena = dls_engine_arena(graph->engine);
    graph->host_of = dls_arena_get(arena, (size_t)graph->hosts, sizeof *graph->host_of);
    graph->rank_of = dls_arena_get(arena, (size_t)graph->ranks, sizeof *graph->rank_of);
    for (int64_t host = 0; host < graph->hosts; host++)
        for (size_t i = 0; i < sizeof host_roles / sizeof *host_roles; i++) {
            role_add(graph, &graph->host_of[host], host_roles[i], host, -1);
            if (host_roles[i] == DLS_ROLE_STORAGE)
                limiter_add(graph, &graph->host_of[host], host);
        }
    for (int64_t rank = 0; rank < graph->ranks; rank++) {
        int64_t host = rank / scenario->consumers.count;

        graph->rank_of[rank] = graph->host_of[host];
        for (size_t i = 0; i < sizeof rank_roles / sizeof *rank_roles; i++)
            role_add(graph, &graph->rank_of[rank], rank_roles[i], host, rank);
    }
    return graph;
}

void dls_graph_free(struct dls_graph *graph)
{
    if (graph == NULL)
        return;
    dls_engine_free(graph->engine);
    dls_mem_free(graph);
}

struct dls_engine *dls_graph_engine(struct dls_graph *graph)
{
    return graph->engine;
}

static void rank_ended(void *self)
{
    struct dls_graph *graph = self;

    if (--graph->ranks_running == 0)
        dls_engine_stop(graph->engine);
}

void dls_graph_begin(struct dls_graph *graph)
{
    graph->ranks_running = graph->ranks;
    for (int64_t rank = 0; rank < graph->ranks; rank++) {
        struct dls_model *consumer = graph->rank_of[rank].of[DLS_ROLE_CONSUMER];

        DLS_KIND_OF(consumer, consumer)->begin(consumer, rank_ended, graph);
    }
}

double dls_graph_cpu_s(struct dls_graph *graph)
{
    double used = 0;

    for (int64_t host = 0; host < graph->hosts; host++) {
        struct dls_model *cpu = graph->host_of[host].of[DLS_ROLE_CPU];

        used += DLS_KIND_OF(cpu, cpu)->used_s(cpu);
    }
    return used;
}

double dls_graph_device_busy_s(struct dls_graph *graph)
{
    double busy = 0;

    for (int64_t host = 0; host < graph->hosts; host++) {
        struct dls_model *storage = graph->host_of[host].of[DLS_ROLE_STORAGE];

        busy += DLS_KIND_OF(storage, storage)->busy_s(storage);
    }
    return busy / (double)graph->hosts;
}
