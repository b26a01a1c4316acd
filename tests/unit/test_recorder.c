/* The recorder and the merge of its outcomes, against sums done by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/hash.h"
#include "sim/result/merge.h"
#include "sim/result/recorder.h"

#define MS(ms) ((dls_time)((ms)*1000000LL))

static void near(double found, double expected)
{
    if (fabs(found - expected) > 1e-12 * fmax(1, fabs(expected)))
        fail_msg("expected %.17g, found %.17g", expected, found);
}

/* Counters of a pretended run; the test moves them. */
struct counters {
    double cpu_s, device_busy_s;
};

static double cpu_s(void *self)
{
    return ((struct counters *)self)->cpu_s;
}

static double device_busy_s(void *self)
{
    return ((struct counters *)self)->device_busy_s;
}

static void tell(struct dls_recorder *recorder, int32_t rank, int32_t epoch,
                 double request, double arrive, double done, double step)
{
    const struct dls_observer *observer = dls_recorder_observer(recorder);
    struct dls_batch_times times = {.rank = rank,
                                    .epoch = epoch,
                                    .samples = 4,
                                    .items = 8,
                                    .request = MS(request),
                                    .arrive = MS(arrive),
                                    .done = MS(done),
                                    .step = MS(step)};

    observer->batch(observer->self, &times);
}

static void end_epoch(struct dls_recorder *recorder, int32_t rank, int32_t epoch,
                      double start, double end)
{
    const struct dls_observer *observer = dls_recorder_observer(recorder);

    observer->epoch(observer->self, rank, epoch, MS(start), MS(end));
}

static void check_epoch_0(const double *m)
{
    near(m[DLS_METRIC_EPOCH_S], 0.27);
    near(m[DLS_METRIC_SAMPLES_PER_S], 12 / 0.27);
    near(m[DLS_METRIC_ITEMS_PER_S], 24 / 0.27);
    near(m[DLS_METRIC_AU], 150.0 / 270);
    near(m[DLS_METRIC_STEP_S], 0.060); /* 150 -> 220 -> 270 */
    near(m[DLS_METRIC_WAIT_S], 0.010); /* 20 and 0 */
    near(m[DLS_METRIC_FIRST_BATCH_S], 0.1);
    near(m[DLS_METRIC_CPU_S], 0.54);
    near(m[DLS_METRIC_CPU_BUSY], 0.54 / (4 * 0.27));
    near(m[DLS_METRIC_DEVICE_BUSY], 0.5);
    near(m[DLS_METRIC_CACHE_HIT_RATIO], 1.0 / 12);
    near(m[DLS_METRIC_BYTES_READ_PER_EPOCH], 1200);
    assert_true(isnan(m[DLS_METRIC_SHM_PEAK_BYTES]));
    assert_true(isnan(m[DLS_METRIC_CHECKPOINT_PAUSE_S]));
    assert_true(fabs(m[DLS_METRIC_STEP_S_P50] / 0.05 - 1) <= 1.0 / 64);
    assert_true(fabs(m[DLS_METRIC_STEP_S_P99] / 0.07 - 1) <= 1.0 / 64);
}

static void check_epoch_1(const double *m)
{
    near(m[DLS_METRIC_EPOCH_S], 0.13);
    near(m[DLS_METRIC_AU], 100.0 / 130);
    near(m[DLS_METRIC_WAIT_S], 0);
    near(m[DLS_METRIC_FIRST_BATCH_S], 0.03);
    near(m[DLS_METRIC_CPU_S], 0.26);
    near(m[DLS_METRIC_DEVICE_BUSY], 0);
    near(m[DLS_METRIC_CACHE_HIT_RATIO], 1);
    near(m[DLS_METRIC_BYTES_READ_PER_EPOCH], 0);
}

static void check_whole_run(const double *m)
{
    near(m[DLS_METRIC_EPOCH_S], 0.2);
    near(m[DLS_METRIC_SAMPLES_PER_S], 20 / 0.4);
    near(m[DLS_METRIC_AU], 250.0 / 400);
    near(m[DLS_METRIC_STEP_S], 0.17 / 3);
    near(m[DLS_METRIC_WAIT_S], 0.02 / 3);
    near(m[DLS_METRIC_FIRST_BATCH_S], 0.065);
    near(m[DLS_METRIC_CPU_S], 0.8);
    near(m[DLS_METRIC_CPU_BUSY], 0.5);
    near(m[DLS_METRIC_CACHE_HIT_RATIO], 9.0 / 20);
    near(m[DLS_METRIC_BYTES_READ_PER_EPOCH], 600);
    near(m[DLS_METRIC_SHM_PEAK_BYTES], 4096);
    assert_true(isnan(m[DLS_METRIC_PINNED_PEAK_BYTES]));
}

static void check_sums(const struct dls_outcome *outcome)
{
    near(outcome->stage_s[DLS_STAGE_DECODE], 0.4);
    near(outcome->demand_s[DLS_STAGE_DECODE], 0.3);
    near(outcome->stage_s[DLS_STAGE_WAIT], 0.15);
    near(outcome->stage_s[DLS_STAGE_STEP], 0.25);
    near(outcome->wait_s[DLS_CAUSE_STORAGE], 0.15);
    near(outcome->bound_per_s[DLS_STAGE_DECODE], 2 * 20 / 0.4); /* two workers */
    near(outcome->bound_per_s[DLS_STAGE_STEP], 20 / 0.25);
    assert_true(isnan(outcome->bound_per_s[DLS_STAGE_READ]));
    near(outcome->run_s, 0.4);
    assert_int_equal(outcome->events, 77);
    assert_true(outcome->fingerprint == 0xabc);
    assert_null(outcome->deadlock);
}

/* One rank, two epochs of three and two batches. Epoch 0: 0..270 ms, waits 100, 20, 0;
 * steps 50 each. Epoch 1: 270..400 ms, waits 30, 0; steps 50. */
static void test_one_rank(void **state)
{
    struct counters counters = {0};
    struct dls_ledger ledger = {0};
    struct dls_recorder_setup setup = {.epochs = 2,
                                       .ranks = 1,
                                       .workers = 2,
                                       .cores = 4,
                                       .keep_batches = true,
                                       .ledger = &ledger,
                                       .cpu_s = cpu_s,
                                       .device_busy_s = device_busy_s,
                                       .self = &counters};
    struct dls_recorder *recorder = dls_recorder_new(&setup);
    struct dls_outcome outcome;
    size_t batches;

    (void)state;
    tell(recorder, 0, 0, 0, 100, 150, 50);
    tell(recorder, 0, 0, 150, 170, 220, 50);
    tell(recorder, 0, 0, 220, 220, 270, 50);
    counters = (struct counters){0.54, 0.135};
    ledger.device_bytes = 1200;
    ledger.cache_hits = 1;
    ledger.cache_misses = 11;
    end_epoch(recorder, 0, 0, 0, 270);
    tell(recorder, 0, 1, 270, 300, 350, 50);
    tell(recorder, 0, 1, 350, 350, 400, 50);
    counters = (struct counters){0.80, 0.135};
    ledger.cache_hits = 9;
    ledger.shm_bytes.max = 4096;
    ledger.stage_ns[DLS_STAGE_DECODE] = 0.4e9;
    ledger.demand_ns[DLS_STAGE_DECODE] = 0.3e9;
    ledger.wait_ns[DLS_CAUSE_STORAGE] = 0.15e9;
    end_epoch(recorder, 0, 1, 270, 400);
    dls_recorder_finish(
        recorder, &(struct dls_recorder_end){MS(400), 77, 0xabc, DLS_END_STOPPED, NULL},
        &outcome);

    check_epoch_0(outcome.metric[1]);
    check_epoch_1(outcome.metric[2]);
    check_whole_run(outcome.metric[0]);
    check_sums(&outcome);
    assert_int_equal(dls_recorder_batches(recorder, &batches)[3].arrive, MS(300));
    assert_int_equal(batches, 5);
    dls_outcome_release(&outcome);
    dls_recorder_free(recorder);
}

/* Two ranks, skewed: rank 0 runs 0..100 ms, rank 1 runs 20..140 ms. */
static void test_two_ranks(void **state)
{
    struct dls_ledger ledger = {0};
    struct dls_recorder_setup setup = {
        .epochs = 1, .ranks = 2, .cores = 2, .ledger = &ledger};
    struct dls_recorder *recorder = dls_recorder_new(&setup);
    struct dls_outcome outcome;
    size_t batches;
    const double *m;

    (void)state;
    tell(recorder, 0, 0, 0, 10, 50, 40);
    tell(recorder, 1, 0, 20, 50, 80, 30);
    tell(recorder, 0, 0, 50, 60, 100, 40);
    end_epoch(recorder, 0, 0, 0, 100);
    tell(recorder, 1, 0, 80, 110, 140, 30);
    end_epoch(recorder, 1, 0, 20, 140);
    dls_recorder_finish(
        recorder, &(struct dls_recorder_end){MS(140), 1, 1, DLS_END_STOPPED, NULL},
        &outcome);
    m = outcome.metric[1];
    near(m[DLS_METRIC_EPOCH_S], 0.14);
    near(m[DLS_METRIC_SAMPLES_PER_S], 16 / 0.14);
    near(m[DLS_METRIC_AU], 140.0 / (100 + 120));
    near(m[DLS_METRIC_STEP_S], 0.055);        /* 50 and 60 */
    near(m[DLS_METRIC_WAIT_S], 0.020);        /* 10 and 30 */
    near(m[DLS_METRIC_FIRST_BATCH_S], 0.020); /* 10 and 30 */
    assert_true(isnan(m[DLS_METRIC_CPU_S]));  /* no counter given */
    assert_true(isnan(m[DLS_METRIC_CACHE_HIT_RATIO]));
    dls_recorder_batches(recorder, &batches);
    assert_int_equal(batches, 0);
    dls_outcome_release(&outcome);
    dls_recorder_free(recorder);
}

/* A run that deadlocks in its second of three epochs. */
static void test_unfinished(void **state)
{
    struct dls_ledger ledger = {0};
    struct dls_recorder_setup setup = {
        .epochs = 3, .ranks = 1, .cores = 1, .ledger = &ledger};
    struct dls_recorder *recorder = dls_recorder_new(&setup);
    struct dls_outcome outcome;

    (void)state;
    tell(recorder, 0, 0, 0, 10, 20, 10);
    end_epoch(recorder, 0, 0, 0, 20);
    tell(recorder, 0, 1, 20, 30, 40, 10);
    dls_recorder_finish(
        recorder,
        &(struct dls_recorder_end){MS(90), 1, 1, DLS_END_DEADLOCK, "task 3 waits"},
        &outcome);
    near(outcome.metric[2][DLS_METRIC_EPOCH_S], 0.02);
    assert_true(
        isnan(outcome.metric[1][DLS_METRIC_STEP_S])); /* one batch: no interval */
    assert_true(isnan(outcome.metric[3][DLS_METRIC_EPOCH_S]));
    assert_int_equal(outcome.end, DLS_END_DEADLOCK);
    assert_string_equal(outcome.deadlock, "task 3 waits");
    dls_outcome_release(&outcome);
    dls_recorder_free(recorder);
}

/* Nothing was delivered: every metric is without observation. */
static void test_empty(void **state)
{
    struct dls_ledger ledger = {0};
    struct dls_recorder_setup setup = {
        .epochs = 1, .ranks = 1, .cores = 1, .ledger = &ledger};
    struct dls_recorder *recorder = dls_recorder_new(&setup);
    struct dls_outcome outcome;

    (void)state;
    dls_recorder_finish(
        recorder, &(struct dls_recorder_end){0, 0, 0, DLS_END_EMPTY, NULL}, &outcome);
    for (size_t row = 0; row < 2; row++)
        for (size_t m = 0; m < DLS_METRICS; m++)
            assert_true(isnan(outcome.metric[row][m]));
    dls_outcome_release(&outcome);
    dls_recorder_free(recorder);
}

static struct dls_outcome made_outcome(double (*metric)[DLS_METRICS], double rate,
                                       uint64_t fingerprint)
{
    struct dls_outcome outcome = {.epochs = 1,
                                  .metric = metric,
                                  .run_s = 2,
                                  .events = 10,
                                  .fingerprint = fingerprint};

    for (size_t row = 0; row < 2; row++)
        for (size_t m = 0; m < DLS_METRICS; m++)
            metric[row][m] = NAN;
    metric[0][DLS_METRIC_SAMPLES_PER_S] = rate;
    outcome.stage_s[DLS_STAGE_READ] = rate;
    for (size_t s = 0; s < DLS_STAGES; s++)
        outcome.bound_per_s[s] = NAN;
    return outcome;
}

/* Two replications, 10 and 14: mean 12, s = sqrt(8), t(1; 0.975) = 12.7062047, t(1;
 * 0.95) = 6.3137515. */
static void test_merge(void **state)
{
    double first[2][DLS_METRICS], second[2][DLS_METRICS], third[2][DLS_METRICS];
    struct dls_outcome outcomes[3];
    struct dls_result_facts facts = {
        .scenario_name = "two", .seed = 3, .ranks = 1, .workers = -1, .cores = 2};
    struct dls_result *result;
    const struct dls_value *value;

    (void)state;
    outcomes[0] = made_outcome(first, 10, 0x11);
    outcomes[1] = made_outcome(second, 14, 0x22);
    outcomes[1].bound_per_s[DLS_STAGE_READ] = 50;
    first[1][DLS_METRIC_CPU_S] = 5;
    result = dls_result_of(outcomes, 2, &facts);
    value = &result->total[DLS_METRIC_SAMPLES_PER_S];
    near(value->value, 12);
    assert_int_equal(value->n, 2);
    assert_true(fabs(value->high - (12 + 12.7062047 * sqrt(8) / sqrt(2))) < 1e-5);
    assert_true(fabs(value->low - (12 - 12.7062047 * sqrt(8) / sqrt(2))) < 1e-5);
    assert_true(fabs(value->predict_high - (12 + 6.3137515 * sqrt(8) * sqrt(1.5))) <
                1e-5);
    assert_int_equal(result->epoch[0][DLS_METRIC_CPU_S].n, 1);
    near(result->epoch[0][DLS_METRIC_CPU_S].value, 5);
    assert_true(isnan(result->epoch[0][DLS_METRIC_CPU_S].low));
    assert_int_equal(result->total[DLS_METRIC_AU].n, 0);
    assert_true(isnan(result->total[DLS_METRIC_AU].value));
    near(result->stage_s[DLS_STAGE_READ], 12);
    near(result->bound_per_s[DLS_STAGE_READ], 50);
    assert_true(isnan(result->bound_per_s[DLS_STAGE_STEP]));
    near(result->run_s, 2);
    assert_int_equal(result->events, 20);
    assert_true(result->fingerprint == dls_hash_add(dls_hash_add(0, 0x11), 0x22));
    assert_string_equal(result->scenario_name, "two");
    assert_null(result->about);
    dls_result_free(result);

    /* A deadlocked replication has no observation of anything. */
    outcomes[2] = made_outcome(third, 1000, 0x33);
    outcomes[2].end = DLS_END_DEADLOCK;
    outcomes[2].deadlock = (char *)(uintptr_t) "stuck";
    result = dls_result_of(outcomes, 3, &facts);
    near(result->total[DLS_METRIC_SAMPLES_PER_S].value, 12);
    assert_string_equal(result->deadlock, "stuck");
    dls_result_free(result);
}

static void test_names(void **state)
{
    (void)state;
    assert_string_equal(dls_metric_text(DLS_METRIC_STEP_S_P95)->name, "step_s_p95");
    assert_string_equal(dls_metric_text(DLS_METRIC_BYTES_READ_PER_EPOCH)->unit, "B");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_rank),   cmocka_unit_test(test_two_ranks),
        cmocka_unit_test(test_unfinished), cmocka_unit_test(test_empty),
        cmocka_unit_test(test_merge),      cmocka_unit_test(test_names),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
