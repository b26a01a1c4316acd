/* graph_int.h: insides shared by graph.c (building) and check.c (rules across
 * roles). */
#ifndef DLS_SIM_GRAPH_GRAPH_INT_H
#define DLS_SIM_GRAPH_GRAPH_INT_H

#include "sim/graph/graph.h"

struct dls_graph {
    const struct dls_scenario *scenario;
    struct dls_engine *engine;
    struct dls_ledger *ledger;
    const struct dls_observer *observer;
    int64_t replication;
    int64_t hosts, ranks;
    struct dls_roles *host_of; /* by host */
    struct dls_roles *rank_of; /* by rank */
    int64_t ranks_running;
};

#endif
