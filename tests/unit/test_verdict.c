/* Verdicts and hints of results made by hand; every number is worked out in the comment
 * of its test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/made_result.h"

static void near(double found, double expected)
{
    if (fabs(found - expected) > 1e-9 * fmax(1, fabs(expected)))
        fail_msg("expected %.17g, found %.17g", expected, found);
}

static const struct dls_hint *find_hint(const struct dls_verdict *verdict,
                                        const char *set)
{
    for (size_t i = 0; i < verdict->hints; i++)
        if (verdict->hint[i].set != NULL && strcmp(verdict->hint[i].set, set) == 0)
            return &verdict->hint[i];
    fail_msg("no hint '--set %s'", set);
    return NULL;
}

/* Workers alone: 4 x 1000 / 39 s = 102.56 /s. Gpu 1000 / 4 = 250, cores 100 / 0.5 =
 * 200. One worker does 25.64, so 200 /s take 7.8 of them: 8, and twice the speed. */
static void test_workers(void **state)
{
    struct dls_result *result = made_result();
    struct dls_verdict *verdict = dls_verdict_new(result);
    const struct dls_hint *hint;

    (void)state;
    assert_int_equal(verdict->limit, DLS_LIMIT_WORKERS);
    assert_int_equal(verdict->stage, DLS_STAGE_DECODE);
    assert_int_equal(dls_verdict_stage(result), DLS_STAGE_DECODE);
    assert_false(verdict->is_busy);
    near(verdict->wait_fraction, 0.6);
    near(verdict->bounds.workers, 4000.0 / 39);
    near(verdict->bounds.gpu, 250);
    near(verdict->bounds.cores, 200);
    assert_true(isnan(verdict->bounds.main));
    assert_string_equal(verdict->sentence,
                        "no: decode-bound; the GPU waits 60.0 % of the time");
    assert_string_equal(verdict->reason[0],
                        "4 workers: 98 % busy, 77 % of that in decode");
    assert_string_equal(verdict->reason[1],
                        "the training loop waits for: cpu 75 %, storage 25 %");
    hint = find_hint(verdict, "loader.workers=8");
    assert_string_equal(hint->text, "raise loader.workers from 4 to 8");
    near(hint->gain_fraction, 1.0);
    assert_int_equal(hint->next, DLS_LIMIT_CORES);
    dls_verdict_free(verdict);
    dls_result_free(result);
}

/* Cores 97 % busy: 100 / 0.97 = 103.09 /s. Worker demand 32 s: at best 4 x 1000 / 32 =
 * 125 /s, so 8 cores become ceil(8 x 125 / 103.09) = 10 and +25 %. Decode is 30 of 32
 * s: half of it gives 103.09 / (1 - 15/32) = 194.07: +94 %. */
static void test_cores(void **state)
{
    struct dls_result *result = made_result();
    struct dls_verdict *verdict;

    (void)state;
    result->total[DLS_METRIC_CPU_BUSY] = made_value(0.97);
    made_origin(result, "host.cores", "8");
    made_origin(result, "transform.decode.scale", "1");
    verdict = dls_verdict_new(result);
    assert_int_equal(verdict->limit, DLS_LIMIT_CORES);
    assert_int_equal(verdict->stage, DLS_STAGE_DECODE);
    assert_string_equal(verdict->reason[0],
                        "8 cores are 97 % busy; decode is 94 % of the CPU demand");
    near(find_hint(verdict, "host.cores=10")->gain_fraction, 0.25);
    near(find_hint(verdict, "transform.decode.scale=0.5")->gain_fraction,
         1 / 0.97 / (1 - 15.0 / 32) - 1);
    assert_true(verdict->hint[0].gain_fraction > verdict->hint[1].gain_fraction);
    dls_verdict_free(verdict);
    dls_result_free(result);
}

/* A worker hands batches over beside its task loop (39 s): 10 s of that change nothing,
 * 50 s limit it. */
static void test_hand_over(void **state)
{
    (void)state;
    for (int put_s = 10; put_s <= 50; put_s += 40) {
        struct dls_result *result = made_result();
        struct dls_verdict *verdict;

        result->stage_s[DLS_STAGE_PUT] = put_s;
        made_bounds(result);
        verdict = dls_verdict_new(result);
        near(verdict->bounds.workers, put_s == 10 ? 4000.0 / 39 : 4000.0 / 50);
        assert_int_equal(verdict->stage,
                         put_s == 10 ? DLS_STAGE_DECODE : DLS_STAGE_PUT);
        dls_verdict_free(verdict);
        dls_result_free(result);
    }
}

/* The device is in service 99 % of the time and reading is 25 of 39 worker seconds.
 * Without storage the workers' demand limits at 125 /s: +25 %, and so the throttle of
 * 100 MB/s becomes 125 MB/s. */
static void test_storage(void **state)
{
    struct dls_result *result = made_result();
    struct dls_verdict *verdict;

    (void)state;
    result->total[DLS_METRIC_DEVICE_BUSY] = made_value(0.99);
    result->stage_s[DLS_STAGE_READ] = 25;
    result->stage_s[DLS_STAGE_DECODE] = 13;
    made_bounds(result);
    made_origin(result, "run.start", "cold");
    made_origin(result, "storage.bandwidth_limit", "100 MB/s");
    made_origin(result, "storage.iops_limit", "0 /s");
    verdict = dls_verdict_new(result);
    assert_int_equal(verdict->limit, DLS_LIMIT_STORAGE);
    assert_int_equal(verdict->stage, DLS_STAGE_READ);
    near(find_hint(verdict, "run.start=warm")->gain_fraction, 0.25);
    assert_int_equal(verdict->hints, 2);
    near(find_hint(verdict, "storage.bandwidth_limit=125 MB/s")->gain_fraction, 0.25);
    dls_verdict_free(verdict);
    dls_result_free(result);
}

/* 1 GB an epoch of 10 s is the whole throttle of 100 MB/s, though the device itself is
 * in service a fifth of the time; the device's 400 MB/s do not matter. Reading is 25 of
 * 39 worker seconds. */
static void test_throttle(void **state)
{
    struct dls_result *result = made_result();
    struct dls_verdict *verdict;

    (void)state;
    result->total[DLS_METRIC_BYTES_READ_PER_EPOCH] = made_value(1e9);
    made_origin(result, "storage.bandwidth", "400 MB/s");
    verdict = dls_verdict_new(result);
    near(verdict->bounds.storage, 400);
    assert_int_equal(verdict->limit, DLS_LIMIT_WORKERS);
    dls_verdict_free(verdict);
    result->stage_s[DLS_STAGE_READ] = 25;
    result->stage_s[DLS_STAGE_DECODE] = 13;
    made_bounds(result);
    made_origin(result, "storage.bandwidth_limit", "100 MB/s");
    verdict = dls_verdict_new(result);
    near(verdict->bounds.storage, 100);
    assert_int_equal(verdict->limit, DLS_LIMIT_STORAGE);
    assert_string_equal(verdict->reason[0],
                        "storage is at 100 % of its bandwidth; reading is "
                        "64 % of the loader's work");
    find_hint(verdict, "storage.bandwidth_limit=125 MB/s");
    dls_verdict_free(verdict);
    dls_result_free(result);
}

/* Workers are half busy, and 4 of the 6 s of waiting pass before the first batch. */
static void test_first_batch(void **state)
{
    struct dls_result *result = made_result();
    struct dls_verdict *verdict;

    (void)state;
    result->stage_s[DLS_STAGE_DECODE] = 11;
    result->total[DLS_METRIC_FIRST_BATCH_S] = made_value(4);
    made_bounds(result);
    verdict = dls_verdict_new(result);
    assert_int_equal(verdict->limit, DLS_LIMIT_START);
    assert_string_equal(verdict->sentence,
                        "no: start-bound; the GPU waits 60.0 % of the time");
    assert_string_equal(verdict->reason[0],
                        "first batches of epochs are 67 % of the waiting");
    dls_verdict_free(verdict);
    dls_result_free(result);
}

/* A device that is always in service does not limit when reading is 8 of 39 worker
 * seconds (21 %). */
static void test_busy_device_that_does_not_matter(void **state)
{
    struct dls_result *result = made_result();
    struct dls_verdict *verdict;

    (void)state;
    result->total[DLS_METRIC_DEVICE_BUSY] = made_value(0.99);
    verdict = dls_verdict_new(result);
    assert_int_equal(verdict->limit, DLS_LIMIT_WORKERS);
    dls_verdict_free(verdict);
    dls_result_free(result);
}

/* au 0.97. Workers need 10 of 40 s: 400 /s against the GPU's 1000 / 9.7 = 103.09: 1.1 x
 * 4 x 103.09 / 400 = 1.13, so 2 of 4 may do. A faster GPU gains at most up to the
 * cores' 200 /s: +100 %. */
static void test_gpu(void **state)
{
    struct dls_result *result = made_result();
    struct dls_verdict *verdict;

    (void)state;
    result->total[DLS_METRIC_AU] = made_value(0.97);
    result->stage_s[DLS_STAGE_STEP] = 9.7;
    result->stage_s[DLS_STAGE_DECODE] = 1;
    made_bounds(result);
    verdict = dls_verdict_new(result);
    assert_int_equal(verdict->limit, DLS_LIMIT_GPU);
    assert_int_equal(verdict->stage, DLS_STAGE_STEP);
    assert_true(verdict->is_busy);
    assert_string_equal(verdict->sentence,
                        "yes: the GPU is kept busy; it waits 3.0 % of the time");
    assert_int_equal(verdict->hints, 2);
    near(verdict->hint[0].gain_fraction, 1.0);
    assert_null(verdict->hint[0].set);
    assert_string_equal(verdict->hint[1].text, "2 of 4 workers may be enough");
    assert_string_equal(verdict->hint[1].set, "loader.workers=2");
    near(verdict->hint[1].gain_fraction, 0);
    dls_verdict_free(verdict);
    dls_result_free(result);
}

/* No workers: decode 3 s, read 2 s, collate 1 s and step 4 s in turn. One worker would
 * do 1000 / 6 s = 166.7 /s; the cores allow 200, so 2 workers, and then the cores
 * limit: +100 %. */
static void test_no_workers(void **state)
{
    struct dls_result *result = made_result();
    struct dls_verdict *verdict;

    (void)state;
    result->workers = 0;
    result->stage_s[DLS_STAGE_READ] = 2;
    result->stage_s[DLS_STAGE_DECODE] = 3;
    made_bounds(result);
    verdict = dls_verdict_new(result);
    assert_int_equal(verdict->limit, DLS_LIMIT_MAIN);
    assert_int_equal(verdict->stage, DLS_STAGE_DECODE);
    assert_true(isnan(verdict->bounds.workers));
    near(verdict->bounds.main, 1000.0 / 6);
    assert_string_equal(verdict->reason[0],
                        "no workers: the training process loads between steps");
    near(find_hint(verdict, "loader.workers=2")->gain_fraction, 1.0);
    dls_verdict_free(verdict);
    dls_result_free(result);
}

/* Start-up is 5 of 6 s of waiting; 4 epochs of 10 s. Keeping workers saves 3/4 of 5 s:
 * 40 / 36.25 = +10.3 %. */
static void test_start(void **state)
{
    struct dls_result *result = made_result();
    struct dls_verdict *verdict;

    (void)state;
    result->epochs = 4;
    result->wait_s[DLS_CAUSE_CPU] = 1;
    result->wait_s[DLS_CAUSE_STORAGE] = 0;
    result->wait_s[DLS_CAUSE_STARTUP] = 5;
    made_origin(result, "loader.persistent", "false");
    verdict = dls_verdict_new(result);
    assert_int_equal(verdict->limit, DLS_LIMIT_START);
    assert_int_equal(verdict->stage, DLS_STAGE_START);
    near(find_hint(verdict, "loader.persistent=true")->gain_fraction, 40 / 36.25 - 1);
    dls_verdict_free(verdict);
    dls_result_free(result);
}

/* Order costs 2 of 10 s: at most 10 / 8 = +25 %. */
static void test_order(void **state)
{
    struct dls_result *result = made_result();
    struct dls_verdict *verdict;

    (void)state;
    result->wait_s[DLS_CAUSE_ORDER] = 2;
    made_origin(result, "loader.in_order", "true");
    verdict = dls_verdict_new(result);
    near(find_hint(verdict, "loader.in_order=false")->gain_fraction, 0.25);
    near(find_hint(verdict, "loader.prefetch=4")->gain_fraction, 0.25);
    dls_verdict_free(verdict);
    dls_result_free(result);
}

static void test_no_step(void **state)
{
    struct dls_result *result = made_result();
    struct dls_verdict *verdict;

    (void)state;
    result->stage_s[DLS_STAGE_STEP] = 0;
    result->total[DLS_METRIC_AU] = made_value(0);
    made_bounds(result);
    verdict = dls_verdict_new(result);
    assert_false(verdict->has_step);
    assert_non_null(
        strstr(verdict->sentence, "loader alone, no training step: decode-bound"));
    assert_non_null(strstr(verdict->sentence, "100"));
    dls_verdict_free(verdict);
    dls_result_free(result);
}

static void test_nothing(void **state)
{
    struct dls_result *result = made_result();
    struct dls_verdict *verdict;

    (void)state;
    result->total[DLS_METRIC_SAMPLES_PER_S] = (struct dls_value){NAN, NAN, NAN,
                                                                 NAN, NAN, 0};
    verdict = dls_verdict_new(result);
    assert_int_equal(verdict->limit, DLS_LIMIT_NONE);
    assert_string_equal(verdict->sentence, "no sample was delivered");
    assert_int_equal(verdict->hints, 0);
    dls_verdict_free(verdict);
    result->deadlock = "task 1 waits for order";
    verdict = dls_verdict_new(result);
    assert_string_equal(verdict->sentence, "the simulated system deadlocked");
    dls_verdict_free(verdict);
    dls_result_free(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_workers),
        cmocka_unit_test(test_hand_over),
        cmocka_unit_test(test_cores),
        cmocka_unit_test(test_storage),
        cmocka_unit_test(test_throttle),
        cmocka_unit_test(test_first_batch),
        cmocka_unit_test(test_busy_device_that_does_not_matter),
        cmocka_unit_test(test_gpu),
        cmocka_unit_test(test_no_workers),
        cmocka_unit_test(test_start),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_no_step),
        cmocka_unit_test(test_nothing),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
