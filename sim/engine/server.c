#include "sim/engine/server.h"

#include "sim/engine/engine_int.h"

/* One internal task stands for each server that has ever been busy: its `parent` is the
 * task in service, its `word` the next idle one. The event of a service belongs to it,
 * so a customer that is cancelled in service is served to the end and then resumes
 * nobody. */
struct dls_server {
    struct dls_engine *engine;
    struct dls_waits queue;
    uint32_t servers;
    uint32_t busy;
    uint32_t idle; /* first internal task without a customer, or DLS_TASK_NONE */
    struct dls_gauge level;
};

struct dls_server *dls_server_new(struct dls_engine *engine, uint32_t servers)
{
    struct dls_server *server;

    DLS_REQUIRE(servers >= 1, "%s", "a station without servers");
    server = dls_arena_get(engine->arena, 1, sizeof *server);
    server->engine = engine;
    server->servers = servers;
    server->idle = DLS_TASK_NONE;
    dls_gauge_init(&server->level, engine->now, 0);
    return server;
}

static void begin_service(struct dls_engine *engine, struct dls_task *slot,
                          struct dls_wait customer)
{
    slot->parent = customer.ref;
    task_after(engine, slot, engine_due(engine, customer.value),
               DLS_PRIORITY_COMPLETION);
}

/* The next customer that still waits. */
static bool next_customer(struct dls_server *server, struct dls_wait *customer)
{
    while (waits_pop(&server->queue, customer)) {
        if (task_get(server->engine, customer->ref))
            return true;
    }
    return false;
}

/* A service ends: the next begins before the served task goes on. */
static void complete(struct dls_engine *engine, struct dls_task *slot)
{
    struct dls_server *server = slot->self;
    struct dls_task *task = task_get(engine, slot->parent);
    struct dls_wait customer;

    if (next_customer(server, &customer)) {
        begin_service(engine, slot, customer);
    } else {
        slot->word = server->idle;
        server->idle = slot->index;
        dls_gauge_set(&server->level, engine->now, --server->busy);
    }
    if (task)
        task_resume_now(engine, task);
}

void dls_server_serve(struct dls_server *server, struct dls_task *task,
                      dls_time duration, enum dls_cause cause)
{
    struct dls_engine *engine = server->engine;
    const struct dls_wait customer = {task_park(engine, task, cause), duration};
    struct dls_task *slot;

    DLS_REQUIRE(duration >= 0, "duration %lld ns", (long long)duration);
    if (server->busy == server->servers) {
        waits_put(&server->queue, engine, customer);
        return;
    }
    if (server->idle != DLS_TASK_NONE) {
        slot = task_at(engine, server->idle);
        server->idle = slot->word;
    } else {
        slot = dls_task_new_internal(engine, complete, server);
    }
    dls_gauge_set(&server->level, engine->now, ++server->busy);
    begin_service(engine, slot, customer);
}

uint32_t dls_server_busy(const struct dls_server *server)
{
    return server->busy;
}

uint32_t dls_server_queued(const struct dls_server *server)
{
    return server->queue.count;
}

struct dls_gauge *dls_server_level(struct dls_server *server)
{
    return &server->level;
}

void dls_server_check(const struct dls_server *server)
{
    DLS_REQUIRE(server->busy <= server->servers, "%u of %u servers are busy",
                (unsigned)server->busy, (unsigned)server->servers);
    DLS_REQUIRE(server->queue.count == 0 || server->busy == server->servers,
                "%u wait at %u of %u busy servers", (unsigned)server->queue.count,
                (unsigned)server->busy, (unsigned)server->servers);
}
