/* trace_stage.c: names of stages, from the one list in trace.h. */
#include <string.h>

#include "traces/trace.h"

static const char *const names[] = {
#define X(name, text) text,
    DLS_SPAN_LIST(X)
#undef X
};

const char *dls_span_stage_name(enum dls_span_stage stage)
{
    DLS_REQUIRE(stage < DLS_SPAN_STAGES, "stage %d", (int)stage);
    return names[stage];
}

enum dls_span_stage dls_span_stage_find(const char *name, size_t bytes)
{
    for (int i = 0; i < DLS_SPAN_STAGES; i++) {
        if (strlen(names[i]) == bytes && memcmp(names[i], name, bytes) == 0)
            return (enum dls_span_stage)i;
    }
    return DLS_SPAN_STAGES;
}
