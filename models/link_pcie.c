/* link.pcie: copies between host and one GPU.
 *
 * Law: a pinned copy of s bytes takes call + s / bandwidth on the copy engine of its
 * direction, one after the other. A pageable copy is staged by the calling thread: it
 * costs s / pageable of its CPU, then the call.
 * Source: T = t0 + s / B; 0.78-0.85 of the raw rate is reached (presets/link.c).
 * Absent here: a switch uplink shared by several GPUs, slow-down by copies in the other
 * direction.
 * Tested by: the closed forms above (tests/unit/test_models.c). */
#include "sim/engine/server.h"
#include "sim/model.h"

struct conf {
    double call_s, bandwidth, pageable;
};

struct state {
    struct dls_server *engine_of[2]; /* by direction */
};

static const struct dls_param params[] = {
    {.key = "call",
     .type = DLS_PARAM_QUANTITY,
     .unit = DLS_UNIT_TIME,
     .offset = offsetof(struct conf, call_s),
     .preset = "9 us",
     .max = 1,
     .flags = DLS_PARAM_CALIBRATED,
     .help = "cost of a copy, whatever its size"},
    {.key = "bandwidth",
     .type = DLS_PARAM_QUANTITY,
     .unit = DLS_UNIT_BYTES_PER_S,
     .offset = offsetof(struct conf, bandwidth),
     .min = 1,
     .max = 1e13,
     .flags = DLS_PARAM_CALIBRATED,
     .help = "pinned copies"},
    {.key = "pageable",
     .type = DLS_PARAM_QUANTITY,
     .unit = DLS_UNIT_BYTES_PER_S,
     .offset = offsetof(struct conf, pageable),
     .preset = "8 GB/s",
     .min = 1,
     .max = 1e13,
     .flags = DLS_PARAM_CALIBRATED,
     .help = "copies from memory that is not pinned, staged by one core"},
    {0},
};

static void init(struct dls_model *link)
{
    for (int i = 0; i < 2; i++)
        DLS_STATE(link)->engine_of[i] = dls_server_new(link->engine, 1);
}

/* A pageable copy is a request: it uses the CPU, then the copy engine for the call
 * alone. */
static void staged(struct dls_engine *engine, struct dls_task *request)
{
    struct dls_model *link = request->self;

    if (request->phase == 0) {
        request->phase = 1;
        dls_server_serve(DLS_STATE(link)->engine_of[request->word], request,
                         dls_time_of_seconds(DLS_CONF(link)->call_s), DLS_CAUSE_COPY);
        return;
    }
    dls_request_done(engine, request);
}

static bool transfer(struct dls_model *link, struct dls_task *task, double bytes,
                     enum dls_direction direction, bool pinned)
{
    const struct conf *conf = DLS_CONF(link);
    struct dls_task *request;

    if (bytes <= 0)
        return true;
    if (pinned) {
        dls_server_serve(DLS_STATE(link)->engine_of[direction], task,
                         dls_time_of_seconds(conf->call_s + bytes / conf->bandwidth),
                         DLS_CAUSE_COPY);
        return false;
    }
    dls_task_park(link->engine, task, DLS_CAUSE_COPY);
    request = dls_request_new(link->engine, task, staged, link);
    request->word = (uint32_t)direction;
    link->ledger->demand_ns[DLS_STAGE_COPY] += 1e9 * bytes / conf->pageable;
    if (dls_cpu_use(link->to->of[DLS_ROLE_CPU], request, 1e9 * bytes / conf->pageable,
                    DLS_CPU_COPY, NULL))
        staged(link->engine, request);
    return false;
}

const struct dls_link_kind dls_link_pcie = {
    .kind =
        {
            .abi = DLS_MODEL_ABI,
            .role = DLS_ROLE_LINK,
            .name = "link.pcie",
            .summary = "copies between host and one GPU over PCIe",
            .params = params,
            .conf_size = sizeof(struct conf),
            .state_size = sizeof(struct state),
            .init = init,
        },
    .transfer = transfer,
};
