/* storage.rate: a device given by latency, bandwidth and requests per second.
 *
 * Law: requests are transferred one after the other, each for max(bytes / bandwidth, 1
 * / iops); its latency then passes in parallel with the transfers of others. So one
 * reader gets bytes / (latency + bytes / bandwidth) per second, many readers get the
 * bandwidth or the request rate.
 * Assumptions: reads and writes alike, no order effects, no queue limit. Calibrated:
 * latency, bandwidth (from a cold recording). Tested by: the closed forms above
 * (tests/unit/test_models.c, tests/unit/test_storage.c). */
#include <math.h>

#include "sim/model.h"

struct conf {
    double latency_s;
    double bandwidth;
    double iops;
};

struct state {
    dls_time free_at; /* when the last accepted transfer ends */
    dls_time busy;    /* sum of transfers and latencies not overlapped */
    dls_time busy_until;
};

static const struct dls_param params[] = {
    {.key = "latency",
     .type = DLS_PARAM_QUANTITY,
     .unit = DLS_UNIT_TIME,
     .offset = offsetof(struct conf, latency_s),
     .preset = "80 us",
     .max = 60,
     .flags = DLS_PARAM_CALIBRATED,
     .help = "from a request to its first byte"},
    {.key = "bandwidth",
     .type = DLS_PARAM_QUANTITY,
     .unit = DLS_UNIT_BYTES_PER_S,
     .offset = offsetof(struct conf, bandwidth),
     .preset = "3 GB/s",
     .min = 1,
     .max = 1e13,
     .flags = DLS_PARAM_CALIBRATED,
     .help = "bytes per second of all requests together"},
    {.key = "iops",
     .type = DLS_PARAM_QUANTITY,
     .unit = DLS_UNIT_PER_S,
     .offset = offsetof(struct conf, iops),
     .preset = "500000 /s",
     .min = 1e-3,
     .max = 1e9,
     .help = "requests per second of all readers together"},
    {0},
};

static bool submit(struct dls_model *storage, struct dls_task *task, enum dls_io io,
                   int64_t offset, int64_t bytes)
{
    const struct conf *conf = DLS_CONF(storage);
    struct state *state = DLS_STATE(storage);
    dls_time now = dls_engine_now(storage->engine);
    dls_time begin = now > state->free_at ? now : state->free_at;
    dls_time end;

    (void)io;
    (void)offset;
    state->free_at = begin + dls_time_of_seconds(
                                 fmax((double)bytes / conf->bandwidth, 1 / conf->iops));
    end = state->free_at + dls_time_of_seconds(conf->latency_s);
    state->busy += end - (now > state->busy_until ? now : state->busy_until);
    state->busy_until = end;
    storage->ledger->device_bytes += (double)bytes;
    dls_engine_after(storage->engine, task, end - now, DLS_PRIORITY_COMPLETION,
                     DLS_CAUSE_STORAGE);
    return false;
}

static double busy_s(struct dls_model *storage)
{
    const struct state *state = DLS_STATE(storage);
    dls_time now = dls_engine_now(storage->engine);
    dls_time ahead = state->busy_until > now ? state->busy_until - now : 0;

    return dls_time_seconds(state->busy - ahead);
}

const struct dls_storage_kind dls_storage_rate = {
    .kind =
        {
            .abi = DLS_MODEL_ABI,
            .role = DLS_ROLE_STORAGE,
            .name = "storage.rate",
            .summary = "a device given by latency, bandwidth and requests per second",
            .params = params,
            .conf_size = sizeof(struct conf),
            .state_size = sizeof(struct state),
        },
    .submit = submit,
    .busy_s = busy_s,
};
