#include <string.h>

#include "sim/graph/graph_int.h"

/* The loader's batch, by the key that every loader has. */
static int64_t loader_batch(const struct dls_scenario *scenario)
{
    const struct dls_scenario_role *loader = &scenario->role[DLS_ROLE_LOADER];

    for (const struct dls_param *param = loader->kind->params; param->key != NULL;
         param++)
        if (strcmp(param->key, "batch") == 0)
            return *(const int64_t *)(const void *)((const char *)loader->conf +
                                                    param->offset);
    dls_bug("a loader without 'batch'", __FILE__, __LINE__, "%s", loader->kind->name);
}

enum dls_status dls_graph_check(const struct dls_scenario *scenario,
                                struct dls_diag *diag)
{
    const struct dls_observer silent = {0};
    struct dls_ledger ledger;
    struct dls_graph *graph = dls_graph_new(scenario, 0, &ledger, &silent);
    struct dls_model *source = graph->rank_of[0].of[DLS_ROLE_SOURCE];
    int64_t samples = DLS_KIND_OF(source, source)->samples(source);
    int64_t batch = loader_batch(scenario);
    struct dls_place place = dls_scenario_place(scenario, "loader.batch");

    dls_graph_free(graph);
    if (batch <= samples)
        return DLS_OK;
    dls_diag_error(
        diag, &place,
        "'batch' must be at most %lld, the samples of a rank in an epoch, found %lld",
        (long long)samples, (long long)batch);
    return DLS_EINPUT;
}
