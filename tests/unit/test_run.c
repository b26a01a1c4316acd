/* Runs of whole scenarios: one replication, all of them on any number of threads,
 * limits, and what is refused before anything runs. */
#include "tests/support/scenario_rig.h"

#include <math.h>

#include "sim/base/hash.h"
#include "sim/run/run.h"
#include "tests/support/near.h"

#define HEAD "dlsim: 1\nname: n\nhost: {cores: 4}\n"

/* 50 samples in batches of five, there at once, steps of 1 ms: everything is known. */
static const char plain[] = HEAD "source: {samples: 50}\n"
                                 "loader: {kind: loader.none, batch: 5}\n"
                                 "link: {kind: link.none}\n"
                                 "consumer: {kind: consumer.gpu, step: 1 ms}\n"
                                 "run: {epochs: 3, replications: 4}\n";

/* Draws of every kind: order, sizes, demands, steps; two ranks that share the host. */
static const char busy[] = HEAD
    "storage: {latency: 200 us, bandwidth: 100 MB/s, bandwidth_limit: 50 MB/s}\n"
    "source: {samples: 120, size: {law: lognormal, mean: 100 kB, sd: 50 kB}}\n"
    "transform:\n"
    "  ops:\n"
    "    - {op: a, stage: decode, demand: {law: lognormal, mean: 3 ms, sd: 2 ms}}\n"
    "    - {op: b, random: true, interpreter: true, demand: {law: exponential, mean: 1 "
    "ms}}\n"
    "  out_bytes: 600 kB\n"
    "loader: {workers: 3, prefetch: 2, batch: 4, pin: true, put: {fixed: 100 us}}\n"
    "consumer: {count: 2, step: 4 ms, jitter: 0.2}\n"
    "run: {epochs: 2, replications: 7, start: cold}\n";

static struct dls_result *replicate(struct scratch *scratch,
                                    const struct dls_scenario *scenario, int threads)
{
    struct dls_run_options options = {.threads = threads};
    struct dls_result *result = NULL;

    assert_int_equal(dls_replicate(scenario, &options, scratch->diag, &result), DLS_OK);
    check_said(scratch, "");
    return result;
}

/* ------------------------------------------------------------------ what comes out */

/* Ten steps of 1 ms an epoch, no wait, in every replication alike. */
static void test_plain(void **state)
{
    struct scratch *scratch = *state;
    struct dls_scenario *scenario = good(scratch, plain, NULL);
    struct dls_result *result = replicate(scratch, scenario, 1);

    assert_int_equal(result->replications, 4);
    assert_int_equal(result->epochs, 3);
    assert_int_equal(result->ranks, 1);
    assert_int_equal(result->workers, -1); /* loader.none has none */
    assert_int_equal(result->batch, 5);
    assert_int_equal(result->scenario_hash, scenario->hash);
    assert_null(result->deadlock);
    for (int e = 0; e < 3; e++) {
        near_relative(result->epoch[e][DLS_METRIC_EPOCH_S].value, 10e-3, 1e-12);
        near_relative(result->epoch[e][DLS_METRIC_SAMPLES_PER_S].value, 5000.0, 1e-12);
        near_relative(result->epoch[e][DLS_METRIC_AU].value, 1.0, 1e-12);
        assert_int_equal(result->epoch[e][DLS_METRIC_AU].n, 4);
    }
    near_relative(result->total[DLS_METRIC_STEP_S].value, 1e-3, 1e-12);
    near_exact(result->total[DLS_METRIC_WAIT_S].value, 0);
    near_exact(result->total[DLS_METRIC_BYTES_READ_PER_EPOCH].value, 0);
    near_relative(result->run_s, 30e-3, 1e-12);
    assert_int_equal(result->batches, 30);
    for (size_t i = 0; i < result->batches; i++) {
        assert_int_equal(result->batch_times[i].batch, i % 10);
        assert_int_equal(result->batch_times[i].epoch, i / 10);
        assert_int_equal(result->batch_times[i].samples, 5);
        assert_int_equal(result->batch_times[i].done, 1000000 * (int64_t)(i + 1));
    }
    dls_result_free(result);
    dls_scenario_free(scenario);
}

/* The log gets every batch of every rank, `batches` those of rank 0. */
static void test_log(void **state)
{
    struct scratch *scratch = *state;
    struct dls_scenario *scenario = good(scratch, busy, NULL);
    struct dls_run_batches kept = {0};
    struct dls_batch_log log = {0};
    struct dls_outcome outcome;
    int64_t samples = 0;
    size_t rank_0 = 0;

    dls_run_once(scenario, 0, &log, &outcome, &kept);
    assert_int_equal(outcome.end, DLS_END_STOPPED);
    assert_int_equal(log.count, 2 * 2 * 15);
    for (size_t i = 0; i < log.count; i++) {
        const struct dls_batch_times *times = &log.data[i];

        samples += times->samples;
        assert_true(times->request <= times->arrive && times->arrive <= times->done);
        if (times->rank == 0)
            assert_memory_equal(times, &kept.times[rank_0++], sizeof *times);
    }
    assert_int_equal(samples, 2 * 120);
    assert_int_equal(rank_0, kept.count);
    dls_mem_free(kept.times);
    dls_batch_log_release(&log);
    assert_null(log.data);
    dls_outcome_release(&outcome);
    dls_scenario_free(scenario);
}

/* ------------------------------------------------------------------ replications */

static void check_same_outcome(const struct dls_outcome *a, const struct dls_outcome *b)
{
    assert_int_equal(a->epochs, b->epochs);
    assert_memory_equal(a->metric, b->metric,
                        (1 + (size_t)a->epochs) * sizeof *a->metric);
    assert_memory_equal(a->stage_s, b->stage_s, sizeof a->stage_s);
    assert_memory_equal(a->wait_s, b->wait_s, sizeof a->wait_s);
    assert_int_equal(a->events, b->events);
    assert_int_equal(a->fingerprint, b->fingerprint);
}

/* A replication is its index and the seed, whatever ran before it and however many
 * there are; other indices and other seeds are other draws. */
static void test_index(void **state)
{
    static const char *const more[] = {"run.replications=20", NULL};
    static const char *const seed[] = {"run.seed=2", NULL};
    struct scratch *scratch = *state;
    struct dls_scenario *scenario = good(scratch, busy, NULL),
                        *longer = good(scratch, busy, more),
                        *other = good(scratch, busy, seed);
    struct dls_outcome first, again, next, elsewhere;

    dls_run_once(scenario, 3, NULL, &first, NULL);
    dls_run_once(scenario, 4, NULL, &next, NULL);
    dls_run_once(longer, 3, NULL, &again, NULL);
    dls_run_once(other, 3, NULL, &elsewhere, NULL);
    check_same_outcome(&first, &again);
    assert_int_not_equal(first.fingerprint, next.fingerprint);
    assert_int_not_equal(first.fingerprint, elsewhere.fingerprint);
    assert_true(first.metric[0][DLS_METRIC_EPOCH_S] !=
                next.metric[0][DLS_METRIC_EPOCH_S]);
    dls_outcome_release(&first);
    dls_outcome_release(&again);
    dls_outcome_release(&next);
    dls_outcome_release(&elsewhere);
    dls_scenario_free(scenario);
    dls_scenario_free(longer);
    dls_scenario_free(other);
}

static void check_same_result(const struct dls_result *a, const struct dls_result *b)
{
    assert_int_equal(a->epochs, b->epochs);
    assert_memory_equal(a->total, b->total, sizeof a->total);
    assert_memory_equal(a->epoch, b->epoch, (size_t)a->epochs * sizeof *a->epoch);
    assert_memory_equal(a->stage_s, b->stage_s, sizeof a->stage_s);
    assert_memory_equal(a->demand_s, b->demand_s, sizeof a->demand_s);
    assert_memory_equal(a->wait_s, b->wait_s, sizeof a->wait_s);
    assert_memory_equal(a->bound_per_s, b->bound_per_s, sizeof a->bound_per_s);
    near_exact(a->run_s, b->run_s);
    assert_int_equal(a->limit, b->limit);
    assert_int_equal(a->events, b->events);
    assert_int_equal(a->fingerprint, b->fingerprint);
    assert_int_equal(a->batches, b->batches);
    assert_memory_equal(a->batch_times, b->batch_times,
                        a->batches * sizeof *a->batch_times);
}

/* The same answer to the last bit on 1, 2, 5 and more threads than replications, and on
 * as many as this machine has processors. */
static void test_threads(void **state)
{
    static const int threads[] = {2, 5, 16, 0};
    struct scratch *scratch = *state;
    struct dls_scenario *scenario = good(scratch, busy, NULL);
    struct dls_result *one = replicate(scratch, scenario, 1);

    assert_int_equal(one->replications, 7);
    assert_true(one->events > 1000);
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        struct dls_result *result = replicate(scratch, scenario, threads[i]);

        check_same_result(one, result);
        dls_result_free(result);
    }
    dls_result_free(one);
    dls_scenario_free(scenario);
}

/* The result is the mean of the replications, events are their sum, the fingerprint
 * takes theirs in the order of their indices; the batches are those of replication 0.
 */
static void test_merge(void **state)
{
    struct scratch *scratch = *state;
    struct dls_scenario *scenario = good(scratch, busy, NULL);
    struct dls_result *result = replicate(scratch, scenario, 2);
    double sum[DLS_METRICS] = {0}, wait_s = 0;
    uint64_t fingerprint = 0;
    int64_t events = 0;

    for (int64_t i = 0; i < 7; i++) {
        struct dls_run_batches kept = {0};
        struct dls_outcome outcome;

        dls_run_once(scenario, i, NULL, &outcome, &kept);
        assert_int_equal(kept.count, result->batches);
        assert_int_equal(memcmp(kept.times, result->batch_times,
                                kept.count * sizeof *kept.times) == 0,
                         i == 0);
        dls_mem_free(kept.times);
        for (int m = 0; m < DLS_METRICS; m++)
            sum[m] += outcome.metric[0][m];
        for (int c = 0; c < DLS_CAUSES; c++)
            wait_s += outcome.wait_s[c] / 7;
        fingerprint = dls_hash_add(fingerprint, outcome.fingerprint);
        events += outcome.events;
        dls_outcome_release(&outcome);
    }
    for (int m = 0; m < DLS_METRICS; m++) {
        if (isnan(sum[m])) {
            assert_int_equal(result->total[m].n, 0);
            near_nan(result->total[m].value);
            continue;
        }
        assert_int_equal(result->total[m].n, 7);
        near_relative(result->total[m].value, sum[m] / 7, 1e-12);
    }
    for (int c = 0; c < DLS_CAUSES; c++)
        wait_s -= result->wait_s[c];
    near_absolute(wait_s, 0, 1e-12);
    assert_int_equal(result->fingerprint, fingerprint);
    assert_int_equal(result->events, events);
    dls_result_free(result);
    dls_scenario_free(scenario);
}

struct heard {
    int64_t done, all;
    int calls;
};

static void hear(void *self, int64_t done, int64_t all)
{
    struct heard *heard = self;

    assert_true(done >= heard->done && done <= all);
    *heard = (struct heard){done, all, heard->calls + 1};
}

/* Progress never goes back and ends at all of them; to listen changes nothing. */
static void test_progress(void **state)
{
    struct scratch *scratch = *state;
    struct dls_scenario *scenario = good(scratch, busy, NULL);
    struct dls_result *silent = replicate(scratch, scenario, 1), *result = NULL;

    for (int threads = 1; threads <= 2; threads++) {
        struct heard heard = {0};
        struct dls_run_options options = {
            .threads = threads, .progress = hear, .self = &heard};

        assert_int_equal(dls_replicate(scenario, &options, scratch->diag, &result),
                         DLS_OK);
        assert_true(heard.calls >= 1);
        assert_int_equal(heard.done, 7);
        assert_int_equal(heard.all, 7);
        check_same_result(silent, result);
        dls_result_free(result);
    }
    dls_result_free(silent);
    dls_scenario_free(scenario);
}

/* ------------------------------------------------------------------ limits */

/* Steps of 1 ms. The engine looks at the time every 65,536 events: the run ends at the
 * first look after 50 s. The epoch counts as far as it got, those that did not begin
 * are not observed. A limit that is never looked at cuts nothing. */
static void test_time_limit(void **state)
{
    static const char *const sets[] = {"run.limits.time=50 s", "source.samples=1e6",
                                       NULL};
    static const char *const early[] = {"run.limits.time=4.5 ms", NULL};
    struct scratch *scratch = *state;
    struct dls_scenario *scenario = good(scratch, plain, sets),
                        *small = good(scratch, plain, early);
    struct dls_batch_log log = {0};
    struct dls_outcome outcome;

    dls_run_once(scenario, 0, &log, &outcome, NULL);
    assert_int_equal(outcome.end, DLS_END_LIMIT);
    assert_null(outcome.deadlock);
    assert_int_equal(outcome.events % 65536, 0);
    near_within(outcome.run_s, 50, 50 + 65.536);
    assert_true(log.count < 200000); /* of one epoch */
    near_within((double)log.count * 1e-3, outcome.run_s - 1e-3, outcome.run_s);
    near_relative(outcome.metric[1][DLS_METRIC_STEP_S], 1e-3, 1e-12);
    near_nan(outcome.metric[2][DLS_METRIC_STEP_S]);
    near_nan(outcome.metric[2][DLS_METRIC_EPOCH_S]);
    dls_batch_log_release(&log);
    dls_outcome_release(&outcome);
    dls_run_once(small, 0, NULL, &outcome, NULL);
    assert_int_equal(outcome.end, DLS_END_STOPPED);
    near_relative(outcome.run_s, 30e-3, 1e-12);
    dls_outcome_release(&outcome);
    dls_scenario_free(scenario);
    dls_scenario_free(small);
}

/* Exactly so many events, and the same ones as without the limit; a limit that is not
 * reached changes nothing. */
static void test_event_limit(void **state)
{
    static const char *const few[] = {"run.limits.events=1000", NULL};
    static const char *const many[] = {"run.limits.events=1e9", NULL};
    struct scratch *scratch = *state;
    struct dls_scenario *scenario = good(scratch, busy, NULL),
                        *cut = good(scratch, busy, few),
                        *loose = good(scratch, busy, many);
    struct dls_batch_log log = {0}, cut_log = {0};
    struct dls_outcome outcome, cut_outcome, loose_outcome;

    dls_run_once(scenario, 0, &log, &outcome, NULL);
    dls_run_once(cut, 0, &cut_log, &cut_outcome, NULL);
    dls_run_once(loose, 0, NULL, &loose_outcome, NULL);
    check_same_outcome(&outcome, &loose_outcome);
    assert_int_equal(cut_outcome.end, DLS_END_LIMIT);
    assert_int_equal(cut_outcome.events, 1000);
    assert_true(cut_log.count > 0 && cut_log.count < log.count);
    assert_memory_equal(cut_log.data, log.data, cut_log.count * sizeof *log.data);
    dls_batch_log_release(&log);
    dls_batch_log_release(&cut_log);
    dls_outcome_release(&outcome);
    dls_outcome_release(&cut_outcome);
    dls_outcome_release(&loose_outcome);
    dls_scenario_free(scenario);
    dls_scenario_free(cut);
    dls_scenario_free(loose);
}

/* ------------------------------------------------------------------ what is refused */

static void check_refused(struct scratch *scratch, const char *const *sets,
                          const char *said)
{
    struct dls_scenario *scenario = good(scratch, plain, sets);
    struct dls_result *untouched = (struct dls_result *)(void *)scratch,
                      *result = untouched;
    struct dls_run_options options = {.threads = 1};

    assert_int_equal(dls_replicate(scenario, &options, scratch->diag, &result),
                     DLS_EINPUT);
    check_said(scratch, said);
    assert_ptr_equal(result, untouched);
    dls_scenario_free(scenario);
}

/* A batch must fit into what a rank gets of an epoch. */
static void test_batch_too_large(void **state)
{
    static const char *const samples[] = {"source.samples=4", NULL};
    static const char *const ranks[] = {"consumer.count=11", NULL};
    static const char *const batch[] = {"loader.batch=51", NULL};
    struct scratch *scratch = *state;

    check_refused(scratch, samples,
                  "s.yaml:5:36: 'batch' must be at most 4, the samples of a rank in an "
                  "epoch, found 5\n");
    check_refused(scratch, ranks,
                  "s.yaml:5:36: 'batch' must be at most 4, the samples of a rank in an "
                  "epoch, found 5\n");
    check_refused(
        scratch, batch,
        "--set loader.batch:1:1: 'batch' must be at most 50, the samples of a "
        "rank in an epoch, found 51\n");
}

/* workers x prefetch batches are in flight: 2^16 x 2^16 once came out as none. */
static void test_window_too_large(void **state)
{
    struct scratch *scratch = *state;
    const char *text = HEAD "source: {samples: 50}\n"
                            "loader: {batch: 5, workers: 65536, prefetch: 65536}\n"
                            "consumer: {step: 1 ms}\n";
    static const char *const least[] = {"loader.workers=16", "loader.prefetch=62501",
                                        NULL};
    static const char *const most[] = {"loader.workers=16", "loader.prefetch=62500",
                                       "run.replications=1", NULL};
    struct dls_scenario *scenario;

    bad(scratch, text, NULL, DLS_EINPUT,
        "s.yaml:5:46: 'prefetch' times 'workers' must be at most 1000000, found "
        "4294967296\n");
    bad(scratch, text, least, DLS_EINPUT,
        "--set loader.prefetch:1:1: 'prefetch' times 'workers' must be at most "
        "1000000, "
        "found 1000016\n");
    scenario = good(scratch, text, most);
    dls_result_free(replicate(scratch, scenario, 1));
    dls_scenario_free(scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_plain, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_log, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_index, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_threads, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_merge, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_progress, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_time_limit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_event_limit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_batch_too_large, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_window_too_large, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
