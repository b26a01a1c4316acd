/* storage.limiter: bandwidth and request limits of a control group, as the Linux block
 * throttle applies them.
 *
 * Law: time is cut into slices of 100 ms from the first request of a busy period. Up to
 * time t of a period the group may have dispatched rate x (elapsed, rounded up to whole
 * slices), so an unused slice may be spent at once; a request that would exceed that
 * waits until the missing bytes have been earned, one too many requests for the next
 * slice. Requests larger than
 * 1.25 MiB are split, and the request limit counts the pieces. A period without
 * requests for a whole slice ends.
 * Source: Linux block/blk-throttle.c (tg_within_bps_limit, tg_within_iops_limit,
 * throtl_start_new_slice).
 * Not in the registry: users write storage.bandwidth_limit and storage.iops_limit
 * around any kind.
 * Tested by: hand-computed dispatch times and the long-run rate
 * (tests/unit/test_models.c, tests/unit/test_storage.c). */
#include "models/storage_limiter.h"

#include <math.h>

enum { PIECE_BYTES = 1280 * 1024 };

static const dls_time slice = 100 * 1000 * 1000;

struct state {
    bool is_started;
    dls_time period; /* start of the busy period */
    dls_time last;   /* dispatch of the last piece: pieces keep their order */
    double bytes;    /* dispatched in the period */
    double requests;
};

/* Earliest time at which `more` may follow `spent` at `rate` per second. */
static dls_time earliest(dls_time now, dls_time period, double spent, double more,
                         double rate)
{
    dls_time elapsed = now - period;
    dls_time whole = (elapsed / slice + 1) * slice;

    if (rate <= 0 || spent + more <= rate * dls_time_seconds(whole))
        return now;
    return period + dls_time_of_seconds((spent + more) / rate);
}

/* The same for one more request: it waits for the next slice, and at least for one
 * request's time. */
static dls_time earliest_request(dls_time now, dls_time period, double spent,
                                 double rate)
{
    dls_time whole = ((now - period) / slice + 1) * slice;
    dls_time own;

    if (rate <= 0 || spent + 1 <= rate * dls_time_seconds(whole))
        return now;
    own = now + dls_time_of_seconds(1 / rate);
    return period + whole > own ? period + whole : own;
}

static dls_time dispatch(struct dls_model *limiter, int64_t bytes)
{
    const struct dls_volume_conf *conf = limiter->conf;
    struct state *state = DLS_STATE(limiter);
    dls_time now = dls_engine_now(limiter->engine);
    dls_time by_bytes, by_requests;

    if (now < state->last)
        now = state->last;
    if (!state->is_started || now >= state->last + slice) {
        state->is_started = true;
        state->period = now;
        state->bytes = state->requests = 0;
    }
    by_bytes = earliest(now, state->period, state->bytes, (double)bytes,
                        conf->bandwidth_limit);
    by_requests = earliest_request(now, state->period, state->requests,
                                   conf->iops_limit);
    state->last = by_bytes > by_requests ? by_bytes : by_requests;
    state->bytes += (double)bytes;
    state->requests += 1;
    return state->last;
}

/* A request keeps its own state in the task: a = next offset, b = bytes left, phase =
 * direction. */
static void piece_wait(struct dls_engine *engine, struct dls_task *request);

static int64_t piece_bytes(const struct dls_task *request)
{
    return request->b < PIECE_BYTES ? request->b : PIECE_BYTES;
}

static void piece_send(struct dls_engine *engine, struct dls_task *request)
{
    struct dls_model *limiter = request->self;
    struct dls_model *device = limiter->to->of[DLS_ROLE_STORAGE];
    int64_t bytes = piece_bytes(request);
    int64_t offset = request->a;

    request->a += bytes;
    request->b -= bytes;
    request->run = piece_wait;
    if (DLS_KIND_OF(storage, device)
            ->submit(device, request, (enum dls_io)request->phase, offset, bytes))
        piece_wait(engine, request);
}

static void piece_wait(struct dls_engine *engine, struct dls_task *request)
{
    dls_time due;

    if (request->b == 0) {
        dls_request_done(engine, request);
        return;
    }
    due = dispatch(request->self, piece_bytes(request));
    request->run = piece_send;
    dls_engine_after(engine, request, due - dls_engine_now(engine), DLS_PRIORITY_NORMAL,
                     DLS_CAUSE_STORAGE);
}

static bool submit(struct dls_model *limiter, struct dls_task *task, enum dls_io io,
                   int64_t offset, int64_t bytes)
{
    struct dls_task *request = dls_request_new(limiter->engine, task, piece_send,
                                               limiter);

    dls_task_park(limiter->engine, task, DLS_CAUSE_STORAGE);
    request->parent.generation = task->generation;
    request->a = offset;
    request->b = bytes;
    request->phase = (uint8_t)io;
    piece_wait(limiter->engine, request);
    return false;
}

static double busy_s(struct dls_model *limiter)
{
    struct dls_model *device = limiter->to->of[DLS_ROLE_STORAGE];

    return DLS_KIND_OF(storage, device)->busy_s(device);
}

const struct dls_storage_kind dls_storage_limiter = {
    .kind =
        {
            .abi = DLS_MODEL_ABI,
            .role = DLS_ROLE_STORAGE,
            .name = "storage.limiter",
            .summary = "bandwidth and request limits around a device",
            .conf_size = sizeof(struct dls_volume_conf),
            .state_size = sizeof(struct state),
        },
    .submit = submit,
    .busy_s = busy_s,
};
