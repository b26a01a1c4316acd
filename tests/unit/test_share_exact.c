/* test_share_exact.c: processor sharing over long times, and against a simulation ns by
 * ns in integers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/engine/rng.h"
#include "tests/support/share_rig.h"

static const uint64_t SEED = 20240611;

/* ------------------------------------------------------------ long runs */

struct stream {
    struct bench *bench;
    int left;
};

static void next_short(struct dls_engine *engine, struct dls_task *task)
{
    struct stream *stream = task->self;

    if (stream->left-- == 0)
        dls_task_free(engine, task);
    else
        dls_share_use(stream->bench->share, task, 1e6, 0, DLS_CAUSE_CPU);
}

/* A job of 2^33 ns against a stream of short ones: virtual time passes 2^30 many times,
 * the end stays exact. */
static void virtual_time_starts_again_without_a_trace(void **state)
{
    struct bench bench;
    struct stream stream = {&bench, 9000};
    struct dls_task *task;

    (void)state;
    bench_init(&bench, 1, 1, NULL, NULL);
    task = dls_task_new(bench.engine, next_short, &stream);
    dls_engine_resume(bench.engine,
                      dls_task_park(bench.engine, task, DLS_CAUSE_STARTUP));
    add_job(&bench, 0, 0, 0x1p33, 0);
    /* Shares the core all the time: 9000 short ones are 9e9 > 2^33. */
    run_and_check(&bench, 1, (const dls_time[]){(dls_time)1 << 34});
    assert_int_equal(dls_engine_now(bench.engine), 9000000000 + ((dls_time)1 << 33));
    dls_engine_free(bench.engine);
}

/* ------------------------------------------------------------ against integers */

struct step {
    dls_time time;
    uint32_t job;
    int64_t capacity;
    enum { ARRIVE, REMOVE, CHANGE } what;
};

enum { STEPS = 12, END = 4000, UNITS = 60 };

/* Simulates ns by ns; work in 1/60 ns, so that rates C / n are integers for n up to 6.
 * Ends come before the steps of their instant. */
static void simulate(const struct step *steps, const double *work, int64_t capacity,
                     dls_time *ended, double *removed)
{
    int64_t left[JOBS] = {0};
    bool present[JOBS] = {false};
    int next = 0, n = 0;

    for (dls_time now = 0; now < END; now++) {
        for (int i = 0; i < JOBS; i++) {
            if (present[i] && left[i] <= 0) {
                present[i] = false;
                ended[i] = now;
                n--;
            }
        }
        for (; next < STEPS && steps[next].time == now; next++) {
            uint32_t job = steps[next].job;

            if (steps[next].what == CHANGE) {
                capacity = steps[next].capacity;
            } else if (steps[next].what == ARRIVE) {
                present[job] = true;
                left[job] = (int64_t)work[job] * UNITS;
                n++;
            } else if (present[job]) {
                present[job] = false;
                removed[job] = (double)left[job] / UNITS;
                n--;
            }
        }
        for (int i = 0; i < JOBS; i++) {
            if (present[i])
                left[i] -= capacity >= n ? UNITS : UNITS * capacity / n;
        }
    }
}

/* Six jobs at most, three removals and three changes of capacity at random; half of the
 * times are on a coarse grid, so that ties are frequent. */
static void draw_steps(struct dls_rng *rng, struct step *steps)
{
    dls_time grid = dls_rng_below(rng, 2) ? 10 : 1;

    for (int i = 0; i < STEPS; i++) {
        struct step step = {.time = grid *
                                    (dls_time)dls_rng_below(rng, 200 / (uint64_t)grid)};
        int place = i;

        step.what = i < 6 ? ARRIVE : i < 9 ? REMOVE : CHANGE;
        step.job = i < 6 ? (uint32_t)i : (uint32_t)dls_rng_below(rng, 6);
        step.capacity = (int64_t)dls_rng_below(rng, 4);
        if (i == STEPS - 1)
            step = (struct step){.time = 300, .capacity = 1, .what = CHANGE};
        for (; place > 0 && steps[place - 1].time > step.time; place--)
            steps[place] = steps[place - 1];
        steps[place] = step;
    }
}

static void agrees_with_integers(void **state)
{
    struct dls_rng rng = dls_rng_of(SEED);

    (void)state;
    print_message("# seed %llu\n", (unsigned long long)SEED);
    for (int round = 0; round < 2000; round++) {
        struct step steps[STEPS];
        double work[JOBS] = {0}, removed[JOBS];
        dls_time ended[JOBS];
        struct bench bench;

        draw_steps(&rng, steps);
        bench_init(&bench, 2, 1, NULL, NULL);
        for (int i = 0; i < JOBS; i++) {
            ended[i] = -1;
            removed[i] = -1;
            work[i] = (double)(1 + dls_rng_below(&rng, 100));
        }
        for (int i = 0; i < STEPS; i++) {
            const struct step *step = &steps[i];

            if (step->what == ARRIVE)
                add_job(&bench, step->job, step->time, work[step->job], 0);
            else
                at(&bench, step->time, DLS_PRIORITY_NORMAL,
                   step->what == REMOVE ? remove_job : change_capacity, step->job,
                   step->capacity);
        }
        simulate(steps, work, 2, ended, removed);
        assert_int_equal(dls_engine_run(bench.engine, NULL), DLS_END_EMPTY);
        for (int i = 0; i < 6; i++) {
            assert_int_equal(bench.ended[i], ended[i]);
            assert_true(fabs(bench.removed[i] - removed[i]) < 1e-6);
        }
        dls_engine_free(bench.engine);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(virtual_time_starts_again_without_a_trace),
        cmocka_unit_test(agrees_with_integers),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
