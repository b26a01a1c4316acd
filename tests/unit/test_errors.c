/* Statistics of a validation against values computed by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "sim/run/errors.h"

static void near(double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-12 * fmax(1, fabs(expected))))
        fail_msg("expected %.17g, found %.17g", expected, found);
}

/* ------------------------------------------------------------------ one error */

static void test_signed(void **state)
{
    (void)state;
    near(dls_error_of(DLS_QUANTITY_SAMPLES_PER_S, 110, 100), 10);
    near(dls_error_of(DLS_QUANTITY_SAMPLES_PER_S, 75, 100), -25);
    near(dls_error_of(DLS_QUANTITY_EPOCH_S, 3, 2), 50);
    near(dls_error_of(DLS_QUANTITY_AU, 0.75, 0.5), 25);
    near(dls_error_of(DLS_QUANTITY_AU, 0, 0.5), -50);
}

static void test_not_comparable(void **state)
{
    (void)state;
    assert_true(isnan(dls_error_of(DLS_QUANTITY_SAMPLES_PER_S, 1, 0)));
    assert_true(isnan(dls_error_of(DLS_QUANTITY_SAMPLES_PER_S, 1, NAN)));
    assert_true(isnan(dls_error_of(DLS_QUANTITY_CPU_S, NAN, 1)));
    assert_true(isnan(dls_error_of(DLS_QUANTITY_AU, 0.5, NAN)));
}

/* ------------------------------------------------------------------ summaries */

/* Magnitudes 1 2 3 5 8: median 3; P90 lies 0.6 of the way from the 4th to the 5th: 5 +
 * 0.6 x 3 = 6.8. In order -8 -2 1 3 5: signed median 1. */
static void test_summary(void **state)
{
    const double error[] = {1, -2, NAN, 3, -8, 5};
    struct dls_error_summary summary = dls_error_summarize(error, 6);

    (void)state;
    assert_int_equal(summary.n, 5);
    near(summary.median, 3);
    near(summary.p90, 6.8);
    near(summary.worst, -8);
    near(summary.bias, 1);
}

static void test_summary_of_nothing(void **state)
{
    const double error[] = {NAN};
    struct dls_error_summary summary = dls_error_summarize(error, 1);

    (void)state;
    assert_int_equal(summary.n, 0);
    assert_true(isnan(summary.median) && isnan(summary.p90) && isnan(summary.worst) &&
                isnan(summary.bias));
    assert_int_equal(dls_error_summarize(NULL, 0).n, 0);
}

/* ------------------------------------------------------------------ noise */

/* Pairs (9, 11) and (38, 42): means 10 and 40, squared deviations 1+1 and 4+4; relative
 * 2/100 and 8/1600; one degree of freedom each: sqrt((0.02 + 0.005) / 2). The single
 * value and the NaN count for nothing. */
static void test_noise_of_pairs(void **state)
{
    const double value[] = {9, 38, 11, 42, 7, NAN};
    const int64_t configuration[] = {0, 1, 0, 1, 4, 4};

    (void)state;
    near(dls_error_noise(value, configuration, 6, false), sqrt(0.0125));
    /* Absolute: (2 + 8) / 2 = 5. */
    near(dls_error_noise(value, configuration, 6, true), sqrt(5.0));
}

/* Three repetitions 8, 10, 12: mean 10, squares 8, two degrees of freedom: sqrt(0.08 /
 * 2) = 0.2. */
static void test_noise_of_three(void **state)
{
    const double value[] = {8, 10, 12};
    const int64_t configuration[] = {3, 3, 3};

    (void)state;
    near(dls_error_noise(value, configuration, 3, false), 0.2);
    assert_true(isnan(dls_error_noise(value, configuration, 1, false)));
}

/* ------------------------------------------------------------------ groups and
 * judgement */

static struct dls_error_case made_case(const char *group, const char *axis,
                                       int64_t configuration, double measured,
                                       double blind, double known)
{
    struct dls_error_case row = {.id = "1",
                                 .family = "f",
                                 .group = group,
                                 .axis = axis,
                                 .configuration = configuration,
                                 .settings = "",
                                 .speed = NAN};

    for (int q = 0; q < DLS_QUANTITIES; q++) {
        row.measured[q] = NAN;
        for (int p = 0; p < DLS_PREDICTORS; p++)
            row.predicted[p][q] = NAN;
    }
    row.measured[DLS_QUANTITY_SAMPLES_PER_S] = measured;
    row.predicted[DLS_PREDICT_BLIND][DLS_QUANTITY_SAMPLES_PER_S] = blind;
    row.predicted[DLS_PREDICT_KNOWN][DLS_QUANTITY_SAMPLES_PER_S] = known;
    return row;
}

/* Two groups of one axis and one of another. Constant of a.workers: (90 + 110) / 2 =
 * 100. */
static struct dls_errors *made_errors(void)
{
    struct dls_arena *arena = dls_arena_new();
    struct dls_errors *errors = dls_arena_get(arena, 1, sizeof *errors);

    errors->arena = arena;
    errors->rows = 4;
    errors->row = dls_arena_get(arena, 4, sizeof *errors->row);
    errors->row[0] = made_case("a.workers", "workers", 0, 90, 99, 91.8);
    errors->row[1] = made_case("a.workers", "workers", 0, 110, 99, 107.8);
    errors->row[2] = made_case("b.workers", "workers", 2, 10, 15, 9.9);
    errors->row[3] = made_case("a.batch", "batch", 3, 50, NAN, NAN);
    errors->row[3].failure = "no";
    for (int score = 0; score < DLS_SCORES; score++)
        errors->limit[score] = (struct dls_error_limit){NAN, NAN, NAN};
    return errors;
}

static void test_groups(void **state)
{
    struct dls_errors *errors = made_errors();
    const struct dls_error_group *workers;

    (void)state;
    dls_errors_aggregate(errors);
    assert_int_equal(errors->groups, 3);
    assert_int_equal(errors->axes, 2);
    assert_string_equal(errors->group[1].name, "b.workers");
    workers = &errors->axis[0];
    assert_string_equal(workers->name, "workers");
    assert_int_equal(workers->cases, 3);
    /* blind +10, -10, +50; known +2, -2, -1 */
    near(workers->of[DLS_PREDICT_BLIND][DLS_QUANTITY_SAMPLES_PER_S].median, 10);
    near(workers->of[DLS_PREDICT_BLIND][DLS_QUANTITY_SAMPLES_PER_S].worst, 50);
    near(workers->of[DLS_PREDICT_KNOWN][DLS_QUANTITY_SAMPLES_PER_S].bias, -1);
    near(errors->row[1].predicted[DLS_PREDICT_CONSTANT][DLS_QUANTITY_SAMPLES_PER_S],
         100);
    /* (90, 110): squares 200 over 100 squared, one degree of freedom */
    near(errors->group[0].noise[DLS_QUANTITY_SAMPLES_PER_S], sqrt(0.02));
    assert_true(isnan(errors->group[1].noise[DLS_QUANTITY_SAMPLES_PER_S]));
    assert_int_equal(errors->all.cases, 4);
    assert_int_equal(errors->all.failed, 1);
    assert_int_equal(errors->all.of[DLS_PREDICT_BLIND][DLS_QUANTITY_SAMPLES_PER_S].n,
                     3);
    dls_errors_free(errors);
}

static void test_judgement(void **state)
{
    struct dls_errors *errors = made_errors();

    (void)state;
    errors->limit[DLS_SCORE_KNOWN_SAMPLES] = (struct dls_error_limit){2.5, 1.5, 1.5};
    dls_errors_aggregate(errors);
    dls_errors_judge(errors);
    /* median 2 within 2.5; p90 2 above 1.5; two rows above 1.5 */
    assert_int_equal(errors->findings, 4);
    assert_int_equal(errors->unmet, 3);
    assert_int_equal(errors->failures, 1);
    assert_true(errors->finding[0].is_met);
    assert_string_equal(errors->finding[0].what, "median");
    near(errors->finding[0].found, 2);
    assert_false(errors->finding[1].is_met);
    near(errors->finding[2].found, 2);
    near(errors->finding[3].found, -2);
    dls_errors_free(errors);
}

/* The noise, 14.14 %, stands in for a blind limit of 12 %; a limit above it stays. */
static void test_noise_excuses_blind(void **state)
{
    struct dls_errors *errors = made_errors();

    (void)state;
    errors->limit[DLS_SCORE_BLIND_SAMPLES] = (struct dls_error_limit){5, 20, NAN};
    dls_errors_aggregate(errors);
    dls_errors_judge(errors);
    assert_int_equal(errors->findings, 2);
    near(errors->finding[0].limit, 100 * sqrt(0.02));
    assert_true(errors->finding[0].is_met);
    near(errors->finding[1].limit, 20);
    near(errors->finding[1].found, 42); /* 10, 10, 50: 10 + 0.8 x 40 */
    assert_false(errors->finding[1].is_met);
    dls_errors_free(errors);
}

/* Nothing breaks `each`: the worst row, blind +50 %, stands for all. */
static void test_each_met(void **state)
{
    struct dls_errors *errors = made_errors();

    (void)state;
    errors->limit[DLS_SCORE_BLIND_SAMPLES].each = 60;
    dls_errors_aggregate(errors);
    dls_errors_judge(errors);
    assert_int_equal(errors->findings, 1);
    assert_string_equal(errors->finding[0].what, "each");
    near(errors->finding[0].found, 50);
    assert_true(errors->finding[0].is_met);
    dls_errors_free(errors);
}

/* A limit on something that nobody measured is not met. */
static void test_nothing_is_no_success(void **state)
{
    struct dls_errors *errors = made_errors();

    (void)state;
    errors->limit[DLS_SCORE_REPLAY_ARRIVAL].median = 3;
    dls_errors_aggregate(errors);
    dls_errors_judge(errors);
    assert_int_equal(errors->findings, 1);
    assert_int_equal(errors->unmet, 1);
    dls_errors_free(errors);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_signed),
        cmocka_unit_test(test_not_comparable),
        cmocka_unit_test(test_summary),
        cmocka_unit_test(test_summary_of_nothing),
        cmocka_unit_test(test_noise_of_pairs),
        cmocka_unit_test(test_noise_of_three),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_judgement),
        cmocka_unit_test(test_noise_excuses_blind),
        cmocka_unit_test(test_each_met),
        cmocka_unit_test(test_nothing_is_no_success),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
