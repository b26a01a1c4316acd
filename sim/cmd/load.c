#include "sim/cmd/load.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/vec.h"
#include "sim/cmd/expect.h"
#include "sim/graph/graph.h"

struct overrides {
    DLS_VEC(struct dls_override) list;
    struct dls_arena *arena;
};

static enum dls_status collect(const struct dls_call *call,
                               const struct dls_override *extra, size_t extras,
                               struct overrides *overrides)
{
    const struct dls_common *common = call->common;
    struct dls_override one;
    char seed[24];

    for (size_t i = 0; i < common->set.count; i++) {
        if (dls_override_parse(common->set.data[i], overrides->arena, &one))
            DLS_VEC_ADD(&overrides->list, one);
        else
            dls_diag_error(call->diag, NULL, "'--set' needs PATH=VALUE, found '%s'",
                           common->set.data[i]);
    }
    if (common->seed.is_given) {
        snprintf(seed, sizeof seed, "%" PRId64, common->seed.value);
        one = (struct dls_override){"run.seed", dls_arena_text(overrides->arena, seed)};
        DLS_VEC_ADD(&overrides->list, one);
    }
    for (size_t i = 0; i < extras; i++)
        DLS_VEC_ADD(&overrides->list, extra[i]);
    return dls_diag_errors(call->diag) == 0 ? DLS_OK : DLS_EUSAGE;
}

static enum dls_status check(const struct dls_call *call,
                             const struct dls_scenario *scenario)
{
    enum dls_status status = dls_graph_check(scenario, call->diag);

    dls_expect_check(scenario, call->diag);
    if (call->common->strict)
        dls_diag_strict(call->diag);
    if (status == DLS_OK && dls_diag_errors(call->diag) > 0)
        status = DLS_EINPUT;
    return status;
}

enum dls_status dls_load_scenario(const struct dls_call *call, const char *path,
                                  const struct dls_override *extra, size_t extras,
                                  struct dls_scenario **scenario)
{
    struct overrides overrides = {.arena = dls_arena_new()};
    struct dls_scenario *read = NULL;
    enum dls_status status = collect(call, extra, extras, &overrides);

    if (status == DLS_OK)
        status = dls_scenario_read(strcmp(path, "-") == 0 ? "/dev/stdin" : path,
                                   overrides.list.data, overrides.list.count,
                                   call->diag, &read);
    if (status == DLS_OK)
        status = check(call, read);
    if (status == DLS_OK)
        *scenario = read;
    else
        dls_scenario_free(read);
    DLS_VEC_RELEASE(&overrides.list);
    dls_arena_free(overrides.arena);
    return status;
}
