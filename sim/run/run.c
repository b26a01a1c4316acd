#include "sim/run/run.h"

#include <string.h>

#include "sim/base/vec.h"
#include "sim/graph/graph.h"
#include "sim/run/run_int.h"

/* The recorder's observer, with a log of all batches in front of it. */
struct tap {
    const struct dls_observer *inner;
    struct dls_batch_log *log;
};

static void tap_batch(void *self, const struct dls_batch_times *times)
{
    struct tap *tap = self;

    if (tap->log != NULL)
        DLS_VEC_ADD(tap->log, *times);
    tap->inner->batch(tap->inner->self, times);
}

static void tap_epoch(void *self, int32_t rank, int32_t epoch, dls_time start,
                      dls_time end)
{
    struct tap *tap = self;

    tap->inner->epoch(tap->inner->self, rank, epoch, start, end);
}

static double counter_cpu_s(void *self)
{
    return dls_graph_cpu_s(*(struct dls_graph **)self);
}

static double counter_device_busy_s(void *self)
{
    return dls_graph_device_busy_s(*(struct dls_graph **)self);
}

void dls_batch_log_release(struct dls_batch_log *log)
{
    dls_mem_free(log->data);
    *log = (struct dls_batch_log){0};
}

int64_t dls_run_loader_count(const struct dls_scenario *scenario, const char *key)
{
    const struct dls_scenario_role *loader = &scenario->role[DLS_ROLE_LOADER];

    for (const struct dls_param *param = loader->kind->params; param->key != NULL;
         param++)
        if (param->type == DLS_PARAM_COUNT && strcmp(param->key, key) == 0)
            return *(const int64_t *)(const void *)((const char *)loader->conf +
                                                    param->offset);
    return -1;
}

/* Runs the engine to its end and fills `end`; the deadlock report goes into `text`. */
static struct dls_recorder_end engine_run(const struct dls_scenario *scenario,
                                          struct dls_graph *graph, struct dls_str *text)
{
    struct dls_engine *engine = dls_graph_engine(graph);
    struct dls_engine_limits limits = {
        .events = scenario->run.limit_events,
        .time = scenario->run.limit_time_s > 0
                    ? dls_time_of_seconds(scenario->run.limit_time_s)
                    : 0,
    };
    struct dls_recorder_end end;

    dls_graph_begin(graph);
    end.end = dls_engine_run(engine, &limits);
    end.now = dls_engine_now(engine);
    end.events = dls_engine_events(engine);
    end.fingerprint = dls_engine_fingerprint(engine);
    end.deadlock = NULL;
    if (end.end == DLS_END_DEADLOCK) {
        dls_engine_report(engine, text);
        end.deadlock = text->data;
    }
    return end;
}

void dls_run_once(const struct dls_scenario *scenario, int64_t index,
                  struct dls_batch_log *log, struct dls_outcome *outcome,
                  struct dls_run_batches *batches)
{
    struct dls_ledger ledger;
    struct dls_graph *graph = NULL;
    struct dls_recorder_setup setup = {
        .epochs = scenario->run.epochs,
        .ranks = (int32_t)(scenario->host.count * scenario->consumers.count),
        .workers = dls_run_loader_count(scenario, "workers"),
        .cores = (double)(scenario->host.count * scenario->host.cores),
        .keep_batches = batches != NULL,
        .ledger = &ledger,
        .cpu_s = counter_cpu_s,
        .device_busy_s = counter_device_busy_s,
        .self = &graph,
    };
    struct dls_recorder *recorder = dls_recorder_new(&setup);
    struct tap tap = {.inner = dls_recorder_observer(recorder), .log = log};
    struct dls_observer observer = {
        .self = &tap, .batch = tap_batch, .epoch = tap_epoch};
    struct dls_recorder_end end;
    struct dls_str text;

    dls_str_init(&text);
    graph = dls_graph_new(scenario, index, &ledger, &observer);
    end = engine_run(scenario, graph, &text);
    dls_recorder_finish(recorder, &end, outcome);
    if (batches != NULL) {
        const struct dls_batch_times *kept = dls_recorder_batches(recorder,
                                                                  &batches->count);

        batches->times = dls_mem_new(batches->count ? batches->count : 1, sizeof *kept);
        memcpy(batches->times, kept, batches->count * sizeof *kept);
    }
    dls_graph_free(graph);
    dls_recorder_free(recorder);
    dls_str_release(&text);
}
