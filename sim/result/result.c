#include "sim/result/result.h"

#include "sim/base/status.h"

const struct dls_metric_text *dls_metric_text(enum dls_metric_id id)
{
    static const struct dls_metric_text texts[] = {
#define X(id, name, unit, help) {name, unit, help},
        DLS_METRIC_LIST(X)
#undef X
    };

    DLS_REQUIRE(id < DLS_METRICS, "metric %d", (int)id);
    return &texts[id];
}

void dls_result_free(struct dls_result *result)
{
    if (result != NULL)
        dls_arena_free(result->arena); /* the result itself lies in it */
}
