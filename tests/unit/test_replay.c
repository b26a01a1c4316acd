/* A recorded run beside a simulated one: errors computed by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "sim/run/replay.h"

/* Seconds as ns; exact for the tenths and hundredths below. */
#define S(x) ((int64_t)((x)*1e9))

static void near(double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-9 * fmax(1, fabs(expected))))
        fail_msg("expected %.17g, found %.17g", expected, found);
}

/* Two epochs of two batches. Epoch 0 lasts 4 s from 100 s on, epoch 1 lasts 2 s. */
static struct dls_trace_batch recorded[] = {
    {.request_ns = S(100),
     .arrive_ns = S(102),
     .done_ns = S(102.5),
     .epoch = 0,
     .batch = 0},
    {.request_ns = S(102.5),
     .arrive_ns = S(103.5),
     .done_ns = S(104),
     .epoch = 0,
     .batch = 1},
    {.request_ns = S(200),
     .arrive_ns = S(201),
     .done_ns = S(201),
     .epoch = 1,
     .batch = 0},
    {.request_ns = S(201),
     .arrive_ns = S(202),
     .done_ns = S(202),
     .epoch = 1,
     .batch = 1},
};

/* Other clock, arrivals 0.2 and 0.4 s late in epoch 0 (5 and 10 %), exact and 0.06 s
 * early in epoch 1 (0 and 3 %); epochs last 4.4 and 1.9 s. A batch of another rank does
 * not count. */
static struct dls_batch_times simulated[] = {
    {.request = S(0), .arrive = S(2.2), .done = S(2.6), .epoch = 0, .batch = 1},
    {.request = S(2.6), .arrive = S(3.9), .done = S(4.4), .epoch = 0, .batch = 0},
    {.rank = 1, .request = S(0), .arrive = S(9), .done = S(9), .epoch = 0, .batch = 0},
    {.request = S(10), .arrive = S(11), .done = S(11), .epoch = 1, .batch = 0},
    {.request = S(11), .arrive = S(11.94), .done = S(11.9), .epoch = 1, .batch = 1},
};

static struct dls_error_replay compare(size_t recorded_count, size_t simulated_count,
                                       struct dls_arena *arena)
{
    const struct dls_trace_batches batches = {recorded, recorded_count};
    const struct dls_batch_log log = {.data = simulated, .count = simulated_count};
    struct dls_error_replay replay = {.recording = "r"};

    dls_replay_compare(&batches, &log, arena, &replay);
    return replay;
}

static void test_errors(void **state)
{
    struct dls_arena *arena = dls_arena_new();
    struct dls_error_replay replay = compare(4, 5, arena);

    (void)state;
    assert_null(replay.failure);
    assert_int_equal(replay.batches, 4);
    near(replay.measured_s, 6);
    near(replay.simulated_s, 6.3);
    near(replay.epoch, 5);
    near(replay.arrival, 4); /* 0, 3, 5, 10 */
    dls_arena_free(arena);
}

static void test_other_numbers(void **state)
{
    struct dls_arena *arena = dls_arena_new();
    struct dls_error_replay replay = compare(4, 4, arena);

    (void)state;
    assert_string_equal(replay.failure, "recorded 4 batches, simulated 3");
    assert_true(isnan(replay.epoch) && isnan(replay.arrival));
    replay = compare(0, 5, arena);
    assert_string_equal(replay.failure, "the recording holds no batch times");
    dls_arena_free(arena);
}

static void test_other_epochs(void **state)
{
    struct dls_arena *arena = dls_arena_new();
    struct dls_error_replay replay;

    (void)state;
    simulated[3].epoch = 0;
    replay = compare(4, 5, arena);
    simulated[3].epoch = 1;
    assert_string_equal(replay.failure, "recorded 2 batches in an epoch, simulated 3");
    assert_true(isnan(replay.epoch) && isnan(replay.arrival));
    dls_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_other_numbers),
        cmocka_unit_test(test_other_epochs),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
