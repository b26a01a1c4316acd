/* The cases file and the table of outcomes: what they mean, and the message for each
 * mistake. */
#include "tests/support/scratch.h"

#include <math.h>

#include "sim/run/cases.h"
#include "sim/run/outcomes.h"

static int set_up(void **state)
{
    static struct scratch scratch;

    scratch_init(&scratch);
    *state = &scratch;
    return 0;
}

static int tear_down(void **state)
{
    scratch_release(*state);
    return 0;
}

#define HEAD "dlsim_cases: 1\nname: n\n"

/* Reads `text` as a cases file and checks the messages. */
static void reject(struct scratch *scratch, const char *text, const char *said)
{
    const char *path = scratch_write(scratch, "cases.yaml", text);
    struct dls_arena *arena = dls_arena_new();
    struct dls_cases cases = {.path = "untouched"};

    assert_int_equal(dls_cases_read(path, NULL, arena, scratch->diag, &cases),
                     DLS_EINPUT);
    assert_string_equal(cases.path, "untouched");
    scratch_said(scratch, said);
    dls_arena_free(arena);
}

/* ------------------------------------------------------------------ the cases file */

static const char whole[] =
    "dlsim_cases: 1\n"
    "name: all\n"
    "about: everything\n"
    "data: measured\n"
    "micro: micro.csv\n"
    "outcomes: /elsewhere/o.csv\n"
    "replications: 7\n"
    "paths:\n"
    "  workers: loader.workers\n"
    "  prefetch: {path: loader.prefetch, unless: {workers: 0}}\n"
    "  step_ms: {path: consumer.step.base, unit: ms}\n"
    "  limit: {path: source.samples, skip: 0}\n"
    "  warm: {path: run.start, values: {0: cold, 1: warm}}\n"
    "families:\n"
    "  - {name: a, recordings: [a-w0, a-w2], groups: [a.x, a.y]}\n"
    "  - {name: r, type: replay, recordings: [a-w0, a-w2, b]}\n"
    "limits:\n"
    "  known_speed: {median: 2 %, p90: 0.06}\n"
    "  replay_epoch: {each: 1.5 %}\n";

static void test_whole(void **state)
{
    struct scratch *scratch = *state;
    const char *path = scratch_write(scratch, "cases.yaml", whole);
    struct dls_arena *arena = dls_arena_new();
    struct dls_cases cases;

    assert_int_equal(dls_cases_read(path, NULL, arena, scratch->diag, &cases), DLS_OK);
    scratch_said(scratch, "");
    assert_string_equal(cases.name, "all");
    assert_string_equal(cases.micro, scratch_path(scratch, "measured/micro.csv"));
    assert_string_equal(cases.outcomes, "/elsewhere/o.csv");
    assert_int_equal(cases.replications, 7);
    assert_int_equal(cases.columns, 5);
    assert_string_equal(cases.column[1].unless_column, "workers");
    assert_string_equal(cases.column[2].unit, "ms");
    assert_string_equal(cases.column[3].skip, "0");
    assert_string_equal(cases.column[4].to[1], "warm");
    assert_int_equal(cases.families, 2);
    assert_false(cases.family[0].is_replay);
    assert_string_equal(cases.family[0].group[1], "a.y");
    assert_true(cases.family[1].is_replay);
    assert_int_equal(cases.family[1].recordings, 3);
    assert_true(fabs(cases.limit[DLS_SCORE_KNOWN_SAMPLES].median - 2) < 1e-12);
    assert_true(fabs(cases.limit[DLS_SCORE_KNOWN_SAMPLES].p90 - 6) < 1e-12);
    assert_true(isnan(cases.limit[DLS_SCORE_KNOWN_SAMPLES].each));
    assert_true(fabs(cases.limit[DLS_SCORE_REPLAY_EPOCH].each - 1.5) < 1e-12);
    assert_true(isnan(cases.limit[DLS_SCORE_BLIND_AU].median));
    dls_arena_free(arena);
}

static void test_data_folder(void **state)
{
    struct scratch *scratch = *state;
    const char *path = scratch_write(scratch, "cases.yaml", whole);
    struct dls_arena *arena = dls_arena_new();
    struct dls_cases cases;

    assert_int_equal(dls_cases_read(path, "other/", arena, scratch->diag, &cases),
                     DLS_OK);
    assert_string_equal(cases.data, "other/");
    assert_string_equal(cases.micro, "other/micro.csv");
    dls_arena_free(arena);
}

static void test_frame(void **state)
{
    reject(*state, "name: n\n",
           "cases.yaml:1:1: the file must begin with 'dlsim_cases: 1'\n");
    reject(*state, "dlsim_cases: 2\n",
           "cases.yaml:1:14: 'dlsim_cases' must be 1, the version that this program "
           "reads, found "
           "'2'\n");
    reject(*state, "dlsim_cases: 1\nfamilees: []\n",
           "cases.yaml:2:1: unknown key 'familees' in the cases file (did you mean "
           "'families'?)\n"
           "cases.yaml:1:1: missing key 'name'\n"
           "cases.yaml:1:1: missing key 'families'\n");
    reject(*state, HEAD "replications: 0\nfamilies: []\n",
           "cases.yaml:3:15: 'replications' must be a whole number 1..1000, found '0'\n"
           "cases.yaml:4:11: 'families' must not be empty\n");
}

static void test_families(void **state)
{
    reject(
        *state, HEAD "families:\n  - {name: a, recordings: [x], groups: [a.x]}\n",
        "cases.yaml:1:1: missing key 'outcomes': there are groups to compare with\n");
    reject(*state,
           HEAD "outcomes: o.csv\nfamilies:\n  - {name: a, recordings: [x, y, z], "
                "groups: [a.x]}\n",
           "cases.yaml:5:5: a family calibrates from at most 2 recordings, found 3: "
           "the others are "
           "to be predicted\n");
    reject(*state,
           HEAD "outcomes: o.csv\nfamilies:\n  - {name: a, recordings: [x, x], groups: "
                "[a.x]}\n",
           "cases.yaml:5:5: recording 'x' is named twice\n");
    reject(*state, HEAD "families:\n  - {name: a, type: repaly, recordings: [x]}\n",
           "cases.yaml:4:21: 'type' must be one of what_if, replay, found 'repaly'\n"
           "cases.yaml:4:5: a family that is no replay needs 'groups'\n");
    reject(
        *state,
        HEAD "families:\n  - {name: a, type: replay, recordings: [x], groups: [g]}\n",
        "cases.yaml:4:54: a replay family has no 'groups'\n"
        "cases.yaml:1:1: missing key 'outcomes': there are groups to compare with\n");
    reject(*state,
           HEAD "outcomes: o.csv\nfamilies:\n"
                "  - {name: a, recordings: [x], groups: [g]}\n"
                "  - {name: a, recordings: [../x], groups: [g]}\n",
           "cases.yaml:6:5: expected the name of a recording in the folder of data, "
           "found '../x'\n"
           "cases.yaml:6:5: family 'a' is there twice\n"
           "cases.yaml:6:5: group 'g' is in two families\n");
    reject(*state, HEAD "families:\n  - {type: replay, recordings: x}\n",
           "cases.yaml:4:5: missing key 'name'\n"
           "cases.yaml:4:32: 'recordings' must be a list, found a single value\n"
           "cases.yaml:4:5: a family needs 'recordings'\n");
}

#define REPLAY "families:\n  - {name: r, type: replay, recordings: [x]}\n"

static void test_paths(void **state)
{
    reject(*state, HEAD "paths:\n  a: workers\n" REPLAY,
           "cases.yaml:4:6: expected a path such as loader.workers, found 'workers'\n");
    reject(*state, HEAD "paths:\n  a: {units: ms}\n" REPLAY,
           "cases.yaml:4:7: unknown key 'units' in a path (did you mean 'unit'?)\n"
           "cases.yaml:4:6: missing key 'path'\n");
    reject(*state, HEAD "paths:\n  a: {path: b.c, unless: {d: 0, e: 1}}\n" REPLAY,
           "cases.yaml:4:26: 'unless' must name one column and its text, as in "
           "{workers: 0}\n");
}

static void test_limits(void **state)
{
    reject(*state,
           HEAD REPLAY
           "limits:\n  known_sped: {median: 1 %}\n  blind: {median: 5, p50: 1 %}\n",
           "cases.yaml:6:3: unknown key 'known_sped' in limits (did you mean "
           "'known_speed'?)\n"
           "cases.yaml:7:22: unknown key 'p50' in blind (did you mean 'p90'?)\n");
    reject(*state, HEAD REPLAY "limits:\n  blind: {median: -1 %}\n",
           "cases.yaml:6:19: 'median' must be at least 0, found '-1 %'\n");
}

/* ------------------------------------------------------------------ the table of
 * outcomes */

#define COLUMNS                                                                        \
    "id,group,rep,workers,prefetch,step_ms,limit,warm,epoch,samples_per_s,au,cpu_"     \
    "user_s,cpu_sys_"                                                                  \
    "s,shutdown_s\n"

/* Reads `table` with the cases above, whose second group is dropped when
 * `one_group`. */
static enum dls_status read_outcomes(struct scratch *scratch, const char *table,
                                     bool one_group, struct dls_arena *arena,
                                     struct dls_outcome_rows *rows)
{
    const char *path = scratch_write(scratch, "cases.yaml", whole);
    struct dls_cases cases;

    assert_int_equal(dls_cases_read(path, NULL, arena, scratch->diag, &cases), DLS_OK);
    cases.outcomes = scratch_write(scratch, "o.csv", table);
    if (one_group)
        cases.family[0].groups = 1;
    return dls_outcomes_read(&cases, arena, scratch->diag, rows);
}

static void test_outcomes(void **state)
{
    struct scratch *scratch = *state;
    struct dls_arena *arena = dls_arena_new();
    struct dls_outcome_rows rows;
    const struct dls_outcome_row *row;

    assert_int_equal(read_outcomes(scratch,
                                   COLUMNS "1,a.x,0,2,4,90,640,1,0,300,0.8,5,1,0.4\n"
                                           "2,other,0,2,4,90,640,1,0,300,0.8,5,1,0.4\n"
                                           "1,a.x,1,2,4,90,640,1,0,310,0.8,5,1,\n"
                                           "3,a.x,0,0,2,0,0,1,0,200,0.01,,1,0.4\n",
                                   true, arena, &rows),
                     DLS_OK);
    assert_int_equal(rows.count, 3);
    row = &rows.data[0];
    assert_string_equal(row->answer.settings,
                        "workers=2 prefetch=4 step_ms=90 limit=640");
    assert_string_equal(row->answer.axis, "x");
    assert_int_equal(row->sets, 5);
    assert_string_equal(row->set[2].path, "consumer.step.base");
    assert_string_equal(row->set[2].value, "90 ms");
    assert_string_equal(row->set[4].value, "warm");
    /* 5 + 1 - 0.85 x 0.4 */
    assert_true(fabs(row->answer.measured[DLS_QUANTITY_CPU_S] - 5.66) < 1e-12);
    assert_true(fabs(row->answer.measured[DLS_QUANTITY_AU] - 0.8) < 1e-12);
    assert_int_equal(rows.data[1].answer.configuration, 0);
    assert_true(fabs(rows.data[1].answer.measured[DLS_QUANTITY_CPU_S] - 6) < 1e-12);
    /* 0 workers: no prefetch; limit 0: all; no step: no AU; no user time: no CPU
     * seconds. */
    row = &rows.data[2];
    assert_int_equal(row->answer.configuration, 2);
    assert_int_equal(row->sets, 3);
    assert_true(isnan(row->answer.measured[DLS_QUANTITY_AU]));
    assert_true(isnan(row->answer.measured[DLS_QUANTITY_CPU_S]));
    dls_arena_free(arena);
}

static void test_bad_outcomes(void **state)
{
    struct scratch *scratch = *state;
    struct dls_arena *arena = dls_arena_new();
    struct dls_outcome_rows rows;

    assert_int_equal(read_outcomes(scratch,
                                   COLUMNS "1,a.x,0,2,4,90,640,2,0,fast,0.8,5,1,0.4\n",
                                   false, arena, &rows),
                     DLS_EINPUT);
    scratch_said(
        scratch,
        "o.csv:2:20: column 'warm': no value is given for '2' in the cases file\n"
        "o.csv:2:24: expected a number in column 'samples_per_s', found 'fast'\n"
        "cases.yaml:15:5: the table of outcomes has no row of group 'a.y'\n");
    dls_arena_free(arena);
}

static void test_no_table(void **state)
{
    struct scratch *scratch = *state;
    struct dls_arena *arena = dls_arena_new();
    struct dls_outcome_rows rows;

    assert_int_equal(read_outcomes(scratch, "", true, arena, &rows), DLS_EINPUT);
    scratch_said(scratch, "o.csv:1:1: expected a row of column names, found ''\n");
    assert_int_equal(read_outcomes(scratch, "id,id\n1,2\n", true, arena, &rows),
                     DLS_EINPUT);
    scratch_said(scratch, "o.csv:1:4: column named twice: 'id'\n");
    assert_int_equal(read_outcomes(scratch, "id,group\n1\n", true, arena, &rows),
                     DLS_EINPUT);
    scratch_said(scratch, "o.csv:2:1: expected 2 fields as in the header, found 1\n");
    dls_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_whole, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_data_folder, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_frame, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_families, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_paths, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_limits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_outcomes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bad_outcomes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_table, set_up, tear_down),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
