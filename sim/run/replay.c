#include "sim/run/replay.h"

#include <math.h>

#include "sim/base/str.h"
#include "sim/base/vec.h"
#include "sim/stats/interval.h"

/* One batch of either side, ns. */
struct moment {
    int32_t epoch;
    double request, arrive, done;
};

struct moments {
    struct moment *data;
    size_t count, capacity;
};

static struct moments of_recorded(const struct dls_trace_batches *recorded)
{
    struct moments moments = {0};

    for (size_t i = 0; i < recorded->count; i++) {
        const struct dls_trace_batch *b = &recorded->data[i];

        if (b->rank <= 0)
            DLS_VEC_ADD(&moments,
                        ((struct moment){b->epoch, (double)b->request_ns,
                                         (double)b->arrive_ns, (double)b->done_ns}));
    }
    return moments;
}

static struct moments of_simulated(const struct dls_batch_log *simulated)
{
    struct moments moments = {0};

    for (size_t i = 0; i < simulated->count; i++) {
        const struct dls_batch_times *b = &simulated->data[i];

        if (b->rank == 0)
            DLS_VEC_ADD(&moments,
                        ((struct moment){b->epoch, (double)b->request,
                                         (double)b->arrive, (double)b->done}));
    }
    return moments;
}

/* Batches of the epoch that begins at `first`. */
static size_t epoch_size(const struct moments *moments, size_t first)
{
    size_t end = first;

    while (end < moments->count &&
           moments->data[end].epoch == moments->data[first].epoch)
        end++;
    return end - first;
}

static const char *difference(struct dls_arena *arena, const char *what,
                              size_t recorded, size_t simulated)
{
    struct dls_str text;
    const char *kept;

    dls_str_init(&text);
    dls_str_addf(&text, "recorded %zu batches%s, simulated %zu", recorded, what,
                 simulated);
    kept = dls_arena_text(arena, text.data);
    dls_str_release(&text);
    return kept;
}

/* Adds one epoch; `arrival` receives its arrivals' errors in percent of the recorded
 * epoch. */
static void add_epoch(const struct moment *recorded, const struct moment *simulated,
                      size_t count, struct dls_error_replay *replay, double *arrival)
{
    double recorded_ns = recorded[count - 1].done - recorded[0].request;

    replay->measured_s += recorded_ns / 1e9;
    replay->simulated_s += (simulated[count - 1].done - simulated[0].request) / 1e9;
    for (size_t i = 0; i < count; i++) {
        double error = (simulated[i].arrive - simulated[0].request) -
                       (recorded[i].arrive - recorded[0].request);

        arrival[i] = 100 * fabs(error) / recorded_ns;
    }
}

static void compare(const struct moments *recorded, const struct moments *simulated,
                    struct dls_arena *arena, struct dls_error_replay *replay)
{
    double *arrival = dls_mem_new(recorded->count + 1, sizeof *arrival);

    for (size_t first = 0; first < recorded->count && replay->failure == NULL;) {
        size_t size = epoch_size(recorded, first);

        if (epoch_size(simulated, first) != size)
            replay->failure = difference(arena, " in an epoch", size,
                                         epoch_size(simulated, first));
        else
            add_epoch(&recorded->data[first], &simulated->data[first], size, replay,
                      &arrival[first]);
        first += size;
    }
    if (replay->failure == NULL) {
        replay->batches = (int64_t)recorded->count;
        replay->epoch = dls_error_of(DLS_QUANTITY_EPOCH_S, replay->simulated_s,
                                     replay->measured_s);
        replay->arrival = dls_interval_median(arrival, recorded->count);
    }
    dls_mem_free(arrival);
}

void dls_replay_compare(const struct dls_trace_batches *recorded,
                        const struct dls_batch_log *simulated, struct dls_arena *arena,
                        struct dls_error_replay *replay)
{
    struct moments measured = of_recorded(recorded);
    struct moments predicted = of_simulated(simulated);

    replay->measured_s = replay->simulated_s = 0;
    replay->epoch = replay->arrival = NAN;
    if (measured.count == 0)
        replay->failure = "the recording holds no batch times";
    else if (measured.count != predicted.count)
        replay->failure = difference(arena, "", measured.count, predicted.count);
    else
        compare(&measured, &predicted, arena, replay);
    DLS_VEC_RELEASE(&measured);
    DLS_VEC_RELEASE(&predicted);
}
