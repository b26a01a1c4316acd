/* The published vectors of the PyTorch loader: map style, start-up and transport zero,
 * one sample a batch, times in ms (V1-V6 agree with a real DataLoader within its
 * per-batch overhead; V2o follows from the rule). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "models/registry.h"
#include "tests/support/rig.h"

enum { MAX = 16 };

struct vector {
    int64_t workers, prefetch;
    double consumer_ms;
    bool out_of_order;
    int64_t batches;
    double work_ms[MAX];
    double start_ms[MAX];  /* by number; -1: not given */
    double arrive_ms[MAX]; /* by order of delivery */
    int64_t order[MAX];    /* by order of delivery */
};

static void vector_check(const struct vector *vector)
{
    const struct dls_kind *loader = dls_registry_find("loader.pytorch");
    const struct dls_kind *consumer = dls_registry_find("consumer.gpu");
    double work_s[MAX];
    struct rig rig;
    void *conf;

    for (int64_t i = 0; i < vector->batches; i++)
        work_s[i] = vector->work_ms[i] * 1e-3;
    rig_init(&rig, 64, work_s, vector->batches);
    rig_add_lower(&rig);
    conf = rig_conf(loader);
    *(int64_t *)rig_field(loader, conf, "workers") = vector->workers;
    *(int64_t *)rig_field(loader, conf, "prefetch") = vector->prefetch;
    *(int64_t *)rig_field(loader, conf, "batch") = 1;
    *(bool *)rig_field(loader, conf, "in_order") = !vector->out_of_order;
    rig_add(&rig, loader, conf);
    conf = rig_conf(consumer);
    *(double *)rig_field(consumer, conf, "step.base") = vector->consumer_ms * 1e-3;
    assert_int_equal(rig_run(&rig, consumer, conf), DLS_END_STOPPED);
    assert_int_equal(rig.delivered, vector->batches);
    for (int64_t i = 0; i < vector->batches; i++) {
        assert_int_equal((int64_t)(rig.arrive_s[i] * 1e9 + 0.5),
                         (int64_t)(vector->arrive_ms[i] * 1e6));
        assert_int_equal(rig.order[i], vector->out_of_order ? vector->order[i] : i);
        if (vector->start_ms[0] >= 0)
            assert_int_equal((int64_t)(rig.start_s[i] * 1e9 + 0.5),
                             (int64_t)(vector->start_ms[i] * 1e6));
    }
    rig_release(&rig);
}

static void v1(void **state)
{
    (void)state;
    vector_check(&(struct vector){
        .workers = 4,
        .prefetch = 2,
        .consumer_ms = 10,
        .batches = 12,
        .work_ms = {400, 400, 400, 400, 400, 400, 400, 400, 400, 400, 400, 400},
        .start_ms = {0, 0, 0, 0, 400, 400, 400, 400, 800, 800, 800, 800},
        .arrive_ms = {400, 410, 420, 430, 800, 810, 820, 830, 1200, 1210, 1220, 1230}});
}

static const double v2_work[MAX] = {50, 50, 50, 1000, 50, 50, 50, 50,
                                    50, 50, 50, 50,   50, 50, 50, 50};

static void v2(void **state)
{
    struct vector vector = {.workers = 4,
                            .prefetch = 2,
                            .batches = 16,
                            .start_ms = {0, 0, 0, 0, 50, 50, 50, 1000, 100, 100, 100,
                                         1050, 1000, 1000, 1000, 1100},
                            .arrive_ms = {50, 50, 50, 1000, 1000, 1000, 1000, 1050,
                                          1050, 1050, 1050, 1100, 1100, 1100, 1100,
                                          1150}};

    (void)state;
    for (int i = 0; i < 16; i++)
        vector.work_ms[i] = v2_work[i];
    vector_check(&vector);
}

static void v2_out_of_order(void **state)
{
    struct vector vector = {
        .workers = 4,
        .prefetch = 2,
        .batches = 16,
        .out_of_order = true,
        .start_ms = {-1},
        .order = {0, 1, 2, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15, 3, 7},
        .arrive_ms = {50, 50, 50, 100, 100, 100, 150, 150, 150, 200, 200, 200, 250, 250,
                      1000, 1050}};

    (void)state;
    for (int i = 0; i < 16; i++)
        vector.work_ms[i] = v2_work[i];
    vector_check(&vector);
}

static void v3(void **state)
{
    (void)state;
    vector_check(
        &(struct vector){.workers = 2,
                         .prefetch = 2,
                         .consumer_ms = 100,
                         .batches = 8,
                         .work_ms = {20, 20, 20, 20, 20, 20, 20, 20},
                         .start_ms = {0, 0, 20, 20, 40, 120, 220, 320},
                         .arrive_ms = {20, 120, 220, 320, 420, 520, 620, 720}});
}

static void v4(void **state)
{
    (void)state;
    vector_check(
        &(struct vector){.workers = 2,
                         .prefetch = 1,
                         .consumer_ms = 50,
                         .batches = 8,
                         .work_ms = {100, 300, 100, 100, 300, 100, 100, 100},
                         .start_ms = {0, 0, 100, 300, 350, 400, 650, 700},
                         .arrive_ms = {100, 300, 350, 400, 650, 700, 750, 800}});
}

static void v5(void **state)
{
    (void)state;
    vector_check(&(struct vector){
        .workers = 2,
        .prefetch = 2,
        .batches = 10,
        .work_ms = {100, 300, 100, 300, 100, 300, 100, 300, 100, 300},
        .start_ms = {-1},
        .arrive_ms = {100, 300, 300, 600, 600, 900, 900, 1200, 1200, 1500}});
}

static void v6(void **state)
{
    struct vector vector = {
        .workers = 3,
        .prefetch = 2,
        .consumer_ms = 20,
        .batches = 12,
        .start_ms = {0, 0, 0, 30, 60, 90, 150, 210, 120, 210, 300, 240},
        .arrive_ms = {30, 60, 90, 150, 210, 230, 250, 300, 320, 360, 380, 400}};

    (void)state;
    for (int i = 0; i < 12; i++)
        vector.work_ms[i] = 30 * (1 + i % 5);
    vector_check(&vector);
}

/* Whom the waits of V2 are booked on. The loop waits all of its 1150 ms. From 150 ms,
 * when three workers have nothing to do and hold six later batches, to 1000 and from
 * 1050 to 1100 ms it is the order; the other 250 ms the due worker computes. */
static void waits_by_cause(void **state)
{
    const struct dls_kind *loader = dls_registry_find("loader.pytorch");
    const struct dls_kind *consumer = dls_registry_find("consumer.gpu");
    double work_s[16], sum = 0;
    struct rig rig;
    void *conf;

    (void)state;
    for (int i = 0; i < 16; i++)
        work_s[i] = v2_work[i] * 1e-3;
    rig_init(&rig, 64, work_s, 16);
    rig_add_lower(&rig);
    conf = rig_conf(loader);
    *(int64_t *)rig_field(loader, conf, "workers") = 4;
    *(int64_t *)rig_field(loader, conf, "batch") = 1;
    rig_add(&rig, loader, conf);
    assert_int_equal(rig_run(&rig, consumer, rig_conf(consumer)), DLS_END_STOPPED);
    for (int c = 0; c < DLS_CAUSES; c++)
        sum += rig.ledger.wait_ns[c];
    assert_int_equal((int64_t)(sum + 0.5), 1150000000);
    assert_int_equal((int64_t)(rig.ledger.wait_ns[DLS_CAUSE_ORDER] + 0.5), 900000000);
    assert_int_equal((int64_t)(rig.ledger.wait_ns[DLS_CAUSE_CPU] + 0.5), 250000000);
    rig_release(&rig);
}

/* A sleeping thread runs 1 ms after it is woken. One worker, 10 ms a batch: the worker
 * goes on at once from batch to batch, but its feeder sleeps at 10, 20 and 30 ms and
 * runs at 11, 21 and 31, and the loop that it wakes at 12, 22 and 32. */
static void wake_up_delay(void **state)
{
    static const double work_s[3] = {0.01, 0.01, 0.01};
    const struct dls_kind *loader = dls_registry_find("loader.pytorch");
    const struct dls_kind *consumer = dls_registry_find("consumer.gpu");
    const struct dls_kind *cpu = dls_registry_find("cpu.cores");
    struct rig rig;
    void *conf;

    (void)state;
    rig_init(&rig, 8, work_s, 3);
    conf = rig_conf(cpu);
    *(double *)rig_field(cpu, conf, "wakeup") = 1e-3;
    rig_add(&rig, cpu, conf);
    rig_add_lower(&rig);
    conf = rig_conf(loader);
    *(int64_t *)rig_field(loader, conf, "workers") = 1;
    *(int64_t *)rig_field(loader, conf, "batch") = 1;
    rig_add(&rig, loader, conf);
    assert_int_equal(rig_run(&rig, consumer, rig_conf(consumer)), DLS_END_STOPPED);
    assert_int_equal(rig.delivered, 3);
    for (int i = 0; i < 3; i++)
        assert_int_equal((int64_t)(rig.arrive_s[i] * 1e9 + 0.5),
                         12000000 + i * 10000000);
    rig_release(&rig);
}

/* Between two epochs the loop drops the iterator: 100 ms and 50 ms a worker. The epochs
 * of two workers and four batches of 10 ms last 20 ms each; the second begins 200 ms
 * after the end of the first, or at once with persistent workers, whose resume of 5 ms
 * belongs to the epoch. */
static void between_epochs(void **state)
{
    static const double work_s[4] = {0.01, 0.01, 0.01, 0.01};
    const struct dls_kind *loader = dls_registry_find("loader.pytorch");
    const struct dls_kind *consumer = dls_registry_find("consumer.gpu");

    (void)state;
    for (int persistent = 0; persistent < 2; persistent++) {
        void *conf = rig_conf(loader);
        struct rig rig;

        rig_init(&rig, 8, work_s, 4);
        rig.run.epochs = 2;
        rig_add_lower(&rig);
        *(int64_t *)rig_field(loader, conf, "workers") = 2;
        *(int64_t *)rig_field(loader, conf, "batch") = 1;
        *(bool *)rig_field(loader, conf, "persistent") = persistent;
        *(double *)rig_field(loader, conf, "teardown") = 0.1;
        *(double *)rig_field(loader, conf, "teardown_worker") = 0.05;
        *(double *)rig_field(loader, conf, "reset") = 0.005;
        rig_add(&rig, loader, conf);
        assert_int_equal(rig_run(&rig, consumer, rig_conf(consumer)), DLS_END_STOPPED);
        assert_int_equal(rig.delivered, 8);
        assert_int_equal((int64_t)(rig.arrive_s[3] * 1e9 + 0.5), 20000000);
        assert_int_equal((int64_t)(rig.request_s[4] * 1e9 + 0.5),
                         persistent ? 20000000 : 220000000);
        assert_int_equal((int64_t)(rig.arrive_s[7] * 1e9 + 0.5),
                         persistent ? 45000000 : 240000000);
        rig_release(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(v1),
        cmocka_unit_test(v2),
        cmocka_unit_test(v2_out_of_order),
        cmocka_unit_test(v3),
        cmocka_unit_test(v4),
        cmocka_unit_test(v5),
        cmocka_unit_test(v6),
        cmocka_unit_test(waits_by_cause),
        cmocka_unit_test(wake_up_delay),
        cmocka_unit_test(between_epochs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
