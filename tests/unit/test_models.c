/* test_models.c: the kinds below and above the loader against the laws that their files
 * name. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "models/registry.h"
#include "models/storage_limiter.h"
#include "tests/support/rig.h"

enum { CALLS = 32 };

/* A task that makes one call at a time given and notes when it is answered. */
struct call {
    struct dls_model *model;
    bool (*make)(struct call *call, struct dls_task *task);
    double bytes;
    int64_t offset;
    bool flag;
    double done_s;
};

static void answered(struct dls_engine *engine, struct dls_task *task)
{
    ((struct call *)task->self)->done_s = dls_time_seconds(dls_engine_now(engine));
    dls_task_free(engine, task);
}

static void made(struct dls_engine *engine, struct dls_task *task)
{
    struct call *call = task->self;

    task->run = answered;
    if (call->make(call, task))
        answered(engine, task);
}

static void call_at(struct rig *rig, struct call *call, double at_s)
{
    dls_engine_after(rig->engine, dls_task_new(rig->engine, made, call),
                     dls_time_of_seconds(at_s), DLS_PRIORITY_NORMAL, DLS_CAUSE_IDLE);
}

static void near(double found, double expected)
{
    if (!(fabs(found - expected) <= 2e-9))
        fail_msg("expected %.12g, found %.12g", expected, found);
}

static struct dls_model *add(struct rig *rig, const char *name, const char *const *keys,
                             const double *values)
{
    const struct dls_kind *kind = dls_registry_find(name);
    void *conf = rig_conf(kind);

    for (; keys != NULL && *keys != NULL; keys++, values++)
        *(double *)rig_field(kind, conf, *keys) = *values;
    return rig_add(rig, kind, conf);
}

/* ------------------------------------------------------------------ storage */

static bool submit(struct call *call, struct dls_task *task)
{
    return DLS_KIND_OF(storage, call->model)
        ->submit(call->model, task, DLS_IO_READ, call->offset, (int64_t)call->bytes);
}

static const char *const rate_keys[] = {"latency", "bandwidth", "iops", NULL};

/* 1 MB at 100 MB/s and 2 ms: one reader gets it in 12 ms; of three at once the k-th
 * ends at k x 10 + 2 ms; a small request takes 1 / iops = 1 ms of the device, not less.
 */
static void rate(void **state)
{
    static const double values[] = {2e-3, 100e6, 1000};
    struct call calls[5] = {
        {.bytes = 1e6}, {.bytes = 1e6}, {.bytes = 1e6}, {.bytes = 1e6}, {.bytes = 1}};
    struct rig rig;

    (void)state;
    rig_init(&rig, 1, NULL, 0);
    for (int i = 0; i < 5; i++) {
        calls[i].model = i == 0 ? add(&rig, "storage.rate", rate_keys, values)
                                : calls[0].model;
        calls[i].make = submit;
        call_at(&rig, &calls[i], i == 0 ? 0 : i < 4 ? 1 : 2);
    }
    dls_engine_run(rig.engine, NULL);
    near(calls[0].done_s, 0.012);
    for (int i = 1; i < 4; i++)
        near(calls[i].done_s, 1.002 + 0.010 * i);
    near(calls[4].done_s, 2.003);
    near(rig.ledger.device_bytes, 4e6 + 1);
    /* in service: 12 ms, 32 ms, 3 ms */
    near(DLS_KIND_OF(storage, calls[0].model)->busy_s(calls[0].model), 0.047);
    rig_release(&rig);
}

/* A device of no latency and endless speed behind a limit. */
static struct dls_model *limited(struct rig *rig, struct dls_roles *behind,
                                 struct dls_model *limiter,
                                 const struct dls_volume_conf *conf)
{
    static const double values[] = {0, 1e13, 1e9};

    behind->of[DLS_ROLE_STORAGE] = add(rig, "storage.rate", rate_keys, values);
    *limiter = *behind->of[DLS_ROLE_STORAGE];
    limiter->kind = &dls_storage_limiter.kind;
    limiter->conf = conf;
    limiter->state = dls_mem_new(1, limiter->kind->state_size);
    limiter->to = behind;
    return limiter;
}

/* 10 MB/s. A piece of 1.25 MiB needs 131.072 ms of allowance, more than the first slice
 * of 100 ms gives: it waits until it is earned; so does each following piece. 2.5 MiB
 * are two pieces. After a pause of more than a slice a new period begins: 0.9 MB fit
 * into its first slice at once. */
static void bandwidth_limit(void **state)
{
    static const struct dls_volume_conf conf = {.bandwidth_limit = 10e6};
    const double piece_s = 1280 * 1024 / 10e6;
    struct call calls[3] = {
        {.bytes = 1280 * 1024}, {.bytes = 2 * 1280 * 1024}, {.bytes = 0.9e6}};
    struct dls_roles behind = {0};
    struct dls_model limiter;
    struct rig rig;

    (void)state;
    rig_init(&rig, 1, NULL, 0);
    limited(&rig, &behind, &limiter, &conf);
    for (int i = 0; i < 3; i++) {
        calls[i].model = &limiter;
        calls[i].make = submit;
        call_at(&rig, &calls[i], i == 2 ? 1 : 0);
    }
    dls_engine_run(rig.engine, NULL);
    assert_true(fabs(calls[0].done_s - piece_s) < 1e-6);
    assert_true(fabs(calls[1].done_s - 3 * piece_s) < 1e-6);
    assert_true(fabs(calls[2].done_s - 1) < 1e-6);
    dls_mem_free(limiter.state);
    rig_release(&rig);
}

/* 100 requests per second: ten fit into each slice of 100 ms and go at its start. */
static void request_limit(void **state)
{
    static const struct dls_volume_conf conf = {.iops_limit = 100};
    struct call calls[20] = {{.bytes = 4096}};
    struct dls_roles behind = {0};
    struct dls_model limiter;
    struct rig rig;

    (void)state;
    rig_init(&rig, 1, NULL, 0);
    limited(&rig, &behind, &limiter, &conf);
    for (int i = 0; i < 20; i++) {
        calls[i] = (struct call){.model = &limiter, .make = submit, .bytes = 4096};
        call_at(&rig, &calls[i], 0);
    }
    dls_engine_run(rig.engine, NULL);
    for (int i = 0; i < 20; i++)
        assert_true(fabs(calls[i].done_s - (i < 10 ? 0 : 0.1)) < 1e-6);
    dls_mem_free(limiter.state);
    rig_release(&rig);
}

/* ------------------------------------------------------------------ file system */

static bool read_file(struct call *call, struct dls_task *task)
{
    const struct dls_extent extent = {.file = 1, .bytes = (int64_t)call->bytes};

    return DLS_KIND_OF(filesystem, call->model)->read(call->model, task, &extent);
}

static bool open_file(struct call *call, struct dls_task *task)
{
    return DLS_KIND_OF(filesystem, call->model)->open(call->model, task, 1);
}

/* 300,000 bytes. Hot: 1 us + 300,000 x 0.1 ns = 31 us. Cold, requests of 128 KiB:
 * 131072, 131072 and 37856 bytes, one after the other, each 1 ms + bytes / 100 MB/s
 * from the device and bytes x 0.2 ns of copy. Opening: 10 us, cold two reads of 4 KiB
 * more. */
static void buffered_reads(void **state)
{
    static const char *const keys[] = {"open", "call", "hot_per_byte", "cold_per_byte",
                                       NULL};
    static const double costs[] = {10e-6, 1e-6, 0.1e-9, 0.2e-9};
    static const double device[] = {1e-3, 100e6, 1e9};

    (void)state;
    for (int cold = 0; cold < 2; cold++) {
        struct call calls[2] = {{.make = read_file, .bytes = 300000},
                                {.make = open_file}};
        struct rig rig;

        rig_init(&rig, 4, NULL, 0);
        rig.run.start = cold ? DLS_START_COLD : DLS_START_WARM;
        add(&rig, "cpu.cores", NULL, NULL);
        add(&rig, "storage.rate", rate_keys, device);
        add(&rig, "cache.none", NULL, NULL);
        calls[0].model = calls[1].model = add(&rig, "filesystem.buffered", keys, costs);
        call_at(&rig, &calls[0], 0);
        call_at(&rig, &calls[1], 1);
        dls_engine_run(rig.engine, NULL);
        near(calls[0].done_s,
             cold ? 1e-6 + 3e-3 + 300000 / 100e6 + 300000 * 0.2e-9 : 31e-6);
        near(calls[1].done_s, 1 + 10e-6 + (cold ? 2 * (1e-3 + 4096 / 100e6) : 0));
        assert_int_equal(rig.ledger.cache_hits, cold ? 0 : 1);
        assert_int_equal(rig.ledger.cache_misses, cold ? 1 : 0);
        near(rig.ledger.device_bytes, cold ? 300000 + 2 * 4096 : 0);
        rig_release(&rig);
    }
}

/* ------------------------------------------------------------------ source */

enum { SAMPLES = 1000, SHUFFLE = 0, SEQUENTIAL = 1, RECORDED = 3 };

static struct dls_model *source_add(struct rig *rig, int64_t samples, int order,
                                    bool with_table)
{
    const struct dls_kind *kind = dls_registry_find("source.files");
    void *conf = rig_conf(kind);

    *(int64_t *)rig_field(kind, conf, "samples") = samples;
    *(int *)rig_field(kind, conf, "order") = order;
    if (with_table)
        *(const struct dls_samples **)rig_field(kind, conf, "table") = &rig->table;
    return rig_add(rig, kind, conf);
}

/* Each epoch is a permutation, another one each epoch; four ranks share it without
 * gaps. */
static void shuffled_epochs(void **state)
{
    int seen[SAMPLES] = {0}, same = 0;

    (void)state;
    for (int rank = 0; rank < 4; rank++) {
        struct rig rig;
        struct dls_model *source;
        const struct dls_source_kind *kind;

        rig_init(&rig, 1, NULL, 0);
        source = source_add(&rig, SAMPLES, SHUFFLE, false);
        source->ranks = 4;
        source->rank = rank;
        source->kind->init(source);
        kind = DLS_KIND_OF(source, source);
        assert_int_equal(kind->samples(source), SAMPLES / 4);
        for (int64_t i = 0; i < SAMPLES / 4; i++) {
            seen[kind->at(source, 3, i)]++;
            same += kind->at(source, 3, i) == kind->at(source, 4, i);
        }
        rig_release(&rig);
    }
    for (int i = 0; i < SAMPLES; i++)
        assert_int_equal(seen[i], 1);
    assert_true(same < 20); /* 1 expected by chance */
}

/* A table of 10 rows. As many samples: sample s has row s. 25 samples: each row two or
 * three times. Recorded order: position p is row p. */
static void rows_of_samples(void **state)
{
    static const double work[10] = {0},
                        bytes[10] = {10, 11, 12, 13, 14, 15, 16, 17, 18, 19};
    struct dls_extent extent;
    struct dls_model *source;
    int count[10] = {0};
    struct rig rig;

    (void)state;
    for (int pass = 0; pass < 3; pass++) {
        rig_init(&rig, 1, work, 10);
        rig.columns[1] = (struct dls_samples_column){"bytes", bytes};
        rig.table.columns = 2;
        source = source_add(&rig, pass == 1 ? 25 : 10, pass == 2 ? RECORDED : SHUFFLE,
                            true);
        for (int64_t s = 0; s < (pass == 1 ? 25 : 10); s++) {
            int64_t row = DLS_KIND_OF(source, source)->row(source, s);

            count[row] += pass == 1;
            if (pass != 1)
                assert_int_equal(row, s);
            if (pass == 2)
                assert_int_equal(DLS_KIND_OF(source, source)->at(source, 1, s), s);
            DLS_KIND_OF(source, source)->extent(source, s, row, &extent);
            assert_int_equal(extent.bytes, 10 + row);
        }
        rig_release(&rig);
    }
    for (int r = 0; r < 10; r++)
        assert_true(count[r] == 2 || count[r] == 3);
}

/* An empirical law with one value a sample is a list; with fewer it is drawn from, the
 * same value each time. */
static void listed_sizes(void **state)
{
    static const double sizes[4] = {100, 200, 300, 400};
    const struct dls_kind *kind = dls_registry_find("source.files");

    (void)state;
    for (int64_t samples = 4; samples <= 400; samples += 396) {
        void *conf = rig_conf(kind);
        struct dls_extent extent, again;
        struct dls_model *source;
        int as_listed = 0;
        struct rig rig;

        rig_init(&rig, 1, NULL, 0);
        *(int64_t *)rig_field(kind, conf, "samples") = samples;
        *(struct dls_law *)rig_field(kind, conf, "size") = (struct dls_law){
            .kind = DLS_LAW_EMPIRICAL, .values = sizes, .count = 4};
        source = rig_add(&rig, kind, conf);
        for (int64_t s = 0; s < samples; s++) {
            DLS_KIND_OF(source, source)->extent(source, s, -1, &extent);
            DLS_KIND_OF(source, source)->extent(source, s, -1, &again);
            assert_int_equal(extent.bytes, again.bytes);
            as_listed += extent.bytes == 100 * (1 + s % 4);
        }
        /* by chance one in four of 400: 100, standard deviation 8.7 */
        assert_true(samples == 4 ? as_listed == 4 : as_listed > 60 && as_listed < 140);
        rig_release(&rig);
    }
}

/* A table without bytes above zero tells no sizes: the law holds, 100 kB. */
static void table_without_sizes(void **state)
{
    static const double work[3] = {0}, zero[3] = {0}, some[3] = {0, 7, 0};

    (void)state;
    for (int pass = 0; pass < 3; pass++) {
        struct dls_extent extent;
        struct dls_model *source;
        struct rig rig;

        rig_init(&rig, 1, work, 3);
        rig.columns[1] = (struct dls_samples_column){"bytes", pass == 1 ? zero : some};
        rig.table.columns = pass == 0 ? 1 : 2;
        source = source_add(&rig, 3, SHUFFLE, true);
        for (int64_t row = 0; row < 3; row++) {
            DLS_KIND_OF(source, source)->extent(source, row, row, &extent);
            assert_int_equal(extent.bytes, pass < 2 ? 100000 : (int64_t)some[row]);
        }
        rig_release(&rig);
    }
}

/* ------------------------------------------------------------------ memory, link */

/* 1 MB at 0.1 ns a byte: 0.1 ms; into fresh pages 244.14 faults of 2 us more. */
static void copies_in_memory(void **state)
{
    static const char *const keys[] = {"per_byte", "page_fault", NULL};
    static const double values[] = {0.1e-9, 2e-6};
    enum dls_cpu_class class;
    struct dls_model *memory;
    struct rig rig;

    (void)state;
    rig_init(&rig, 1, NULL, 0);
    memory = add(&rig, "memory.host", keys, values);
    near(DLS_KIND_OF(memory, memory)->copy_ns(memory, 1e6, false, &class) * 1e-9, 1e-4);
    assert_int_equal(class, DLS_CPU_COPY);
    near(DLS_KIND_OF(memory, memory)->copy_ns(memory, 1e6, true, &class) * 1e-9,
         1e-4 + 1e6 / 4096 * 2e-6);
    assert_int_equal(class, DLS_CPU_FRESH);
    rig_release(&rig);
}

static bool transfer(struct call *call, struct dls_task *task)
{
    return DLS_KIND_OF(link, call->model)
        ->transfer(call->model, task, call->bytes,
                   call->offset ? DLS_FROM_DEVICE : DLS_TO_DEVICE, call->flag);
}

/* 10 MB, 10 us a call, 10 GB/s pinned, 2 GB/s pageable: 1.01 ms; a second copy in the
 * same direction follows it, one in the other goes beside it; pageable 5 ms of CPU + 10
 * us. */
static void copies_over_pcie(void **state)
{
    static const char *const keys[] = {"call", "bandwidth", "pageable", NULL};
    static const double values[] = {10e-6, 10e9, 2e9};
    struct call calls[4] = {
        {.flag = true}, {.flag = true}, {.flag = true, .offset = 1}, {.flag = false}};
    struct rig rig;

    (void)state;
    rig_init(&rig, 1, NULL, 0);
    add(&rig, "cpu.cores", NULL, NULL);
    for (int i = 0; i < 4; i++) {
        calls[i].model = i == 0 ? add(&rig, "link.pcie", keys, values) : calls[0].model;
        calls[i].make = transfer;
        calls[i].bytes = 10e6;
        call_at(&rig, &calls[i], i == 3 ? 1 : 0);
    }
    dls_engine_run(rig.engine, NULL);
    near(calls[0].done_s, 1.01e-3);
    near(calls[1].done_s, 2.02e-3);
    near(calls[2].done_s, 1.01e-3);
    near(calls[3].done_s, 1 + 5.01e-3);
    rig_release(&rig);
}

/* ------------------------------------------------------------------ consumer */

static void batch_of(struct rig *rig, int64_t batch)
{
    const struct dls_kind *kind = dls_registry_find("loader.none");
    void *conf = rig_conf(kind);

    *(int64_t *)rig_field(kind, conf, "batch") = batch;
    rig_add_lower(rig);
    rig_add(rig, kind, conf);
}

/* The ideal loader and a step of 2 ms + 1 ms an item: ten samples in batches of four
 * take 6, 6 and 4 ms. 3 ms of host work come before each step; one step ahead they hide
 * under the one before. */
static void gpu_steps(void **state)
{
    static const double done_s[2][3] = {{9e-3, 18e-3, 25e-3}, {9e-3, 15e-3, 19e-3}};
    static const double work_s[10] = {0};
    const struct dls_kind *kind = dls_registry_find("consumer.gpu");

    (void)state;
    for (int ahead = 0; ahead < 2; ahead++) {
        void *conf = rig_conf(kind);
        struct rig rig;

        rig_init(&rig, 4, work_s, 10);
        batch_of(&rig, 4);
        *(double *)rig_field(kind, conf, "step.base") = 2e-3;
        *(double *)rig_field(kind, conf, "step.per_item") = 1e-3;
        *(double *)rig_field(kind, conf, "host") = 3e-3;
        *(int64_t *)rig_field(kind, conf, "run_ahead") = ahead;
        assert_int_equal(rig_run(&rig, kind, conf), DLS_END_STOPPED);
        assert_int_equal(rig.delivered, 3);
        for (int i = 0; i < 3; i++)
            near(rig.done_s[i], done_s[ahead][i]);
        rig_release(&rig);
    }
}

/* A step of 5 ms, 0.2 ms late, 1 ms of work: 6.2 ms a batch; with no step just the
 * work. */
static void slept_steps(void **state)
{
    static const double work_s[8] = {0};
    const struct dls_kind *kind = dls_registry_find("consumer.sleep");

    (void)state;
    for (int step = 0; step < 2; step++) {
        void *conf = rig_conf(kind);
        struct rig rig;

        rig_init(&rig, 4, work_s, 8);
        batch_of(&rig, 2);
        *(double *)rig_field(kind, conf, "step.base") = step * 5e-3;
        *(double *)rig_field(kind, conf, "overshoot") = 0.2e-3;
        *(double *)rig_field(kind, conf, "work") = 1e-3;
        assert_int_equal(rig_run(&rig, kind, conf), DLS_END_STOPPED);
        for (int i = 0; i < 4; i++)
            near(rig.done_s[i], (i + 1) * (step ? 6.2e-3 : 1e-3));
        rig_release(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rate),
        cmocka_unit_test(bandwidth_limit),
        cmocka_unit_test(request_limit),
        cmocka_unit_test(buffered_reads),
        cmocka_unit_test(shuffled_epochs),
        cmocka_unit_test(rows_of_samples),
        cmocka_unit_test(listed_sizes),
        cmocka_unit_test(table_without_sizes),
        cmocka_unit_test(copies_in_memory),
        cmocka_unit_test(copies_over_pcie),
        cmocka_unit_test(gpu_steps),
        cmocka_unit_test(slept_steps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
