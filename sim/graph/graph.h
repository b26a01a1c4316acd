/* graph.h: a scenario as bound instances of every role, ready to run once.
 *
 * One graph is one replication: it owns its engine, and everything that lives in the
 * engine's arena. Host roles (cpu, memory, storage, cache, filesystem) are made once a
 * host, rank roles once a rank; names are "host0.cpu", "rank3.loader". A limiter stands
 * in front of the storage when a limit is set. */
#ifndef DLS_SIM_GRAPH_GRAPH_H
#define DLS_SIM_GRAPH_GRAPH_H

#include "sim/scenario/scenario.h"

struct dls_graph;

/* Checks that the roles fit together (a batch larger than the data set, ...); messages
 * go to `diag`. */
enum dls_status dls_graph_check(const struct dls_scenario *scenario,
                                struct dls_diag *diag);

/* Builds replication `replication` >= 0. `ledger` (zeroed here) and `observer` are
 * borrowed and must outlive the graph. The scenario must have passed dls_graph_check;
 * it is borrowed too. */
struct dls_graph *dls_graph_new(const struct dls_scenario *scenario,
                                int64_t replication, struct dls_ledger *ledger,
                                const struct dls_observer *observer);
void dls_graph_free(struct dls_graph *graph);

struct dls_engine *dls_graph_engine(struct dls_graph *graph);

/* Starts the training loops of all ranks; the engine stops when the last one has
 * ended. */
void dls_graph_begin(struct dls_graph *graph);

/* CPU seconds used on all hosts, and seconds with a request in service on their
 * storage, so far. */
double dls_graph_cpu_s(struct dls_graph *graph);
double dls_graph_device_busy_s(struct dls_graph *graph);

#endif
