/* Storage under readers that come back for more: the long-run laws of storage.rate and
 * of the limiter in front of it, and what cache.none says. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "models/registry.h"
#include "models/storage_limiter.h"
#include "tests/support/near.h"
#include "tests/support/rig.h"

enum { READERS = 16 };

/* Reads `bytes` again and again, `left` times. */
struct reader {
    struct dls_model *storage;
    int64_t bytes, left;
    double ended_s;
};

static void reader_go(struct dls_engine *engine, struct dls_task *task)
{
    struct reader *reader = task->self;

    do {
        reader->ended_s = dls_time_seconds(dls_engine_now(engine));
        if (reader->left-- == 0) {
            dls_task_free(engine, task);
            return;
        }
    } while (DLS_KIND_OF(storage, reader->storage)
                 ->submit(reader->storage, task, DLS_IO_READ, 0, reader->bytes));
}

/* `count` readers of `times` requests each, from time 0; the time of the last answer.
 */
static double read_all(struct rig *rig, struct dls_model *storage, int count,
                       int64_t times, int64_t bytes)
{
    struct reader readers[READERS];
    double last_s = 0;

    for (int i = 0; i < count; i++) {
        readers[i] = (struct reader){.storage = storage, .bytes = bytes, .left = times};
        dls_engine_after(rig->engine, dls_task_new(rig->engine, reader_go, &readers[i]),
                         0, DLS_PRIORITY_NORMAL, DLS_CAUSE_IDLE);
    }
    dls_engine_run(rig->engine, NULL);
    for (int i = 0; i < count; i++) {
        assert_int_equal(readers[i].left, -1);
        last_s = fmax(last_s, readers[i].ended_s);
    }
    return last_s;
}

static struct dls_model *device_add(struct rig *rig, double latency_s, double bandwidth,
                                    double iops)
{
    const struct dls_kind *kind = dls_registry_find("storage.rate");
    void *conf = rig_conf(kind);

    *(double *)rig_field(kind, conf, "latency") = latency_s;
    *(double *)rig_field(kind, conf, "bandwidth") = bandwidth;
    *(double *)rig_field(kind, conf, "iops") = iops;
    return rig_add(rig, kind, conf);
}

/* n readers of m requests of s bytes, transfer x = max(s / B, 1 / I), latency l. While
 * they do not fill the device (n x <= l + x) each has a cycle of l + x and the last one
 * begins (n - 1) x late; else transfers follow one another without a gap:
 *   (n - 1) x + m (l + x)   or   n m x + l */
static void readers_of_a_device(void **state)
{
    static const struct {
        double bandwidth, iops;
        int64_t bytes;
    } loads[] = {{100e6, 1e9, 1000000}, {1e12, 2000, 4096}, {200e6, 1000, 200000}};

    (void)state;
    for (size_t l = 0; l < sizeof loads / sizeof *loads; l++)
        for (int count = 1; count <= READERS; count++) {
            double x = fmax((double)loads[l].bytes / loads[l].bandwidth,
                            1 / loads[l].iops);
            double latency_s = 5 * x, last_s; /* six readers fill it */
            struct rig rig;

            rig_init(&rig, 1, NULL, 0);
            device_add(&rig, latency_s, loads[l].bandwidth, loads[l].iops);
            last_s = read_all(&rig, rig.roles.of[DLS_ROLE_STORAGE], count, 50,
                              loads[l].bytes);
            near_relative(last_s,
                          count <= 6 ? (count - 1) * x + 50 * (latency_s + x)
                                     : count * 50 * x + latency_s,
                          1e-6);
            near_exact(rig.ledger.device_bytes,
                       (double)count * 50 * (double)loads[l].bytes);
            rig_release(&rig);
        }
}

/* The time of the last answer from an endless device behind limits. */
static double limited_s(double bandwidth_limit, double iops_limit, int count,
                        int64_t times, int64_t bytes)
{
    const struct dls_volume_conf conf = {.bandwidth_limit = bandwidth_limit,
                                         .iops_limit = iops_limit};
    struct dls_roles behind = {0};
    struct dls_model limiter;
    double last_s;
    struct rig rig;

    rig_init(&rig, 1, NULL, 0);
    behind.of[DLS_ROLE_STORAGE] = device_add(&rig, 0, 1e13, 1e9);
    limiter = *behind.of[DLS_ROLE_STORAGE];
    limiter.kind = &dls_storage_limiter.kind;
    limiter.conf = &conf;
    limiter.state = dls_mem_new(1, limiter.kind->state_size);
    limiter.to = &behind;
    last_s = read_all(&rig, &limiter, count, times, bytes);
    dls_mem_free(limiter.state);
    rig_release(&rig);
    return last_s;
}

/* In the long run a limit is what gets through, however many read and however large the
 * requests: N bytes take N / limit, less at most the slice of 100 ms that is allowed at
 * once, and a request's time more. The same for requests, which count in pieces of
 * 1.25 MiB. */
static void limits_in_the_long_run(void **state)
{
    static const int64_t sizes[] = {4096, 131072, 1310720, 1310721, 5000000};
    static const double requests_per_s[] = {3, 7, 12, 100, 333};

    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int count = 1; count <= READERS; count *= 4) {
            int64_t times = 400 / count;
            int64_t pieces = (sizes[s] + 1310720 - 1) / 1310720;
            double due_s = (double)(count * times * sizes[s]) / 10e6;

            near_within(limited_s(10e6, 0, count, times, sizes[s]), due_s - 0.1 - 1e-6,
                        due_s + 1e-3);
            for (size_t r = 0; r < sizeof requests_per_s / sizeof *requests_per_s;
                 r++) {
                double one_s = 1 / requests_per_s[r];

                due_s = (double)(count * times * pieces) * one_s;
                near_within(limited_s(0, requests_per_s[r], count, times, sizes[s]),
                            due_s - 0.1 - one_s, due_s + 0.1 + one_s);
            }
        }
}

/* Of two limits the tighter one holds: 100 requests a second of 50 kB are 5 MB/s, of
 * 200 kB would be 20. */
static void the_tighter_limit(void **state)
{
    (void)state;
    near_within(limited_s(10e6, 100, 4, 250, 50000), 9.89, 10.11);
    near_within(limited_s(10e6, 100, 4, 250, 200000), 19.89, 20.11);
}

/* Every claim is a fetch when cold, also the second one of the same extent, and a hit
 * when warm, also the first one. */
static void claims(void **state)
{
    (void)state;
    for (int start = DLS_START_COLD; start <= DLS_START_WARM; start++) {
        const struct dls_kind *kind = dls_registry_find("cache.none");
        struct dls_model *cache;
        struct rig rig;

        rig_init(&rig, 1, NULL, 0);
        rig.run.start = start;
        cache = rig_add(&rig, kind, rig_conf(kind));
        for (int i = 0; i < 6; i++)
            assert_int_equal(
                DLS_KIND_OF(cache, cache)->claim(cache, i / 2, 4096 * (i / 2), 100),
                start == DLS_START_WARM ? DLS_CLAIM_HIT : DLS_CLAIM_FETCH);
        rig_release(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readers_of_a_device),
        cmocka_unit_test(limits_in_the_long_run),
        cmocka_unit_test(the_tighter_limit),
        cmocka_unit_test(claims),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
