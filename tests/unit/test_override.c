/* --set path=value: splitting, values, layers, and messages that name the path. */
#include "tests/support/scenario_rig.h"

static const char base[] =
    "dlsim: 1\n"
    "name: base\n"
    "host: {cores: 8}\n"
    "source: {samples: 200}\n"
    "transform: {ops: [{op: jpeg, demand: 2 ms}]}\n"
    "loader: {kind: loader.pytorch, workers: 2, batch: 10}\n"
    "consumer: {kind: consumer.gpu, step: {base: 20 ms, per_item: 1 ms}}\n";

static void test_parse(void **state)
{
    struct scratch *scratch = *state;
    struct dls_override override = {"untouched", "untouched"};

    assert_true(dls_override_parse("loader.workers=4", scratch->paths, &override));
    assert_string_equal(override.path, "loader.workers");
    assert_string_equal(override.value, "4");
    assert_true(dls_override_parse("a==b=c", scratch->paths, &override));
    assert_string_equal(override.path, "a");
    assert_string_equal(override.value, "=b=c");
    assert_false(dls_override_parse("loader.workers", scratch->paths, &override));
    assert_false(dls_override_parse("=4", scratch->paths, &override));
    assert_false(dls_override_parse("loader.workers=", scratch->paths, &override));
    assert_false(dls_override_parse("", scratch->paths, &override));
    assert_string_equal(override.path, "a");
}

static void test_values(void **state)
{
    struct scratch *scratch = *state;
    const char *const sets[] = {"loader.num_workers=4",
                                "consumer.step=90 ms",
                                "run.limits={events: 77}",
                                "transform.jpeg.scale=0.5",
                                "run.seed=9",
                                "run.seed=10",
                                "storage.bandwidth_limit=100 MB/s",
                                NULL};
    struct dls_scenario *scenario = good(scratch, base, sets);

    assert_int_equal(
        *(const int64_t *)rig_conf_at(scenario, DLS_ROLE_LOADER, "workers"), 4);
    assert_true(
        *(const double *)rig_conf_at(scenario, DLS_ROLE_CONSUMER, "step.base") == 0.09);
    assert_true(*(const double *)rig_conf_at(scenario, DLS_ROLE_CONSUMER,
                                             "step.per_item") == 0);
    assert_int_equal(scenario->run.limit_events, 77);
    assert_int_equal(scenario->run.seed, 10);
    assert_true(scenario->volume.bandwidth_limit == 1e8);
    check_value(scratch, scenario, "loader.workers", "4", "--set");
    check_value(scratch, scenario, "loader.batch", "10", "s.yaml:6");
    check_value(scratch, scenario, "consumer.step.base", "90 ms", "--set");
    check_value(scratch, scenario, "consumer.step.per_item", "0 s", "--set");
    check_value(scratch, scenario, "transform.jpeg.scale", "0.5", "--set");
    check_value(scratch, scenario, "transform.jpeg.demand", "2 ms", "s.yaml:5");
    check_value(scratch, scenario, "run.limits.events", "77", "--set");
    assert_string_equal(dls_scenario_place(scenario, "loader.workers").file,
                        "--set loader.num_workers");
    dls_scenario_free(scenario);
}

/* Kinds and presets are chosen by --set too, also of sections that the file omits. */
static void test_choices(void **state)
{
    struct scratch *scratch = *state;
    const char *const sets[] = {"loader.kind=loader.none", "link.kind=link.pcie",
                                "link.preset=gen5_x16", NULL};
    struct dls_scenario *scenario = good(scratch,
                                         "dlsim: 1\n"
                                         "name: base\n"
                                         "host: {cores: 8}\n"
                                         "source: {samples: 200}\n"
                                         "loader: {batch: 10}\n"
                                         "consumer: {step: 1 ms}\n",
                                         sets);

    assert_string_equal(scenario->role[DLS_ROLE_LOADER].kind->name, "loader.none");
    assert_string_equal(scenario->role[DLS_ROLE_LINK].kind->name, "link.pcie");
    assert_false(scenario->role[DLS_ROLE_LINK].is_given);
    check_value(scratch, scenario, "link.bandwidth", "55 GB/s", "preset gen5_x16");
    dls_scenario_free(scenario);
}

static const struct {
    const char *set, *said;
} rejected[] = {
    {"loader.workers=many",
     "--set loader.workers:1:1: 'workers' must be a whole number, found 'many'\n"},
    {"loader.batch=0", "--set loader.batch:1:1: 'batch' must be at least 1, found 0\n"},
    {"loader.workers=[1, 2]",
     "--set loader.workers:1:1: 'workers' must be a single value, found a list\n"},
    {"loader.wrokers=3", "--set loader.wrokers: unknown key 'wrokers' in "
                         "loader.pytorch (did you mean 'workers'?)\n"},
    {"loader.workers.x=3",
     "--set loader.workers.x: 'workers' must be a single value, found a mapping\n"},
    {"consumer.step.bse=3 ms", "--set consumer.step.bse: unknown key 'step.bse' in "
                               "consumer.gpu (did you mean 'step.base'?)\n"},
    {"transform.jpg.scale=2", "--set transform.jpg.scale: unknown key 'jpg' in "
                              "transform.chain (did you mean 'jpeg'?)\n"},
    {"transform.jpeg.scale=x",
     "--set transform.jpeg.scale:1:1: 'scale' must be a plain number, found 'x'\n"},
    {"transform.jpeg=2", "--set transform.jpeg:1:1: 'jpeg' must be a mapping such as "
                         "{stage: ...}, found '2'\n"},
    {"laoder.workers=3",
     "--set laoder.workers: unknown section 'laoder' (did you mean 'loader'?)\n"},
    {"params.x=3", "--set params.x: unknown section 'params'\n"},
    {"loader=3",
     "--set loader: expected a path such as loader.workers, found 'loader'\n"},
    {".x=3", "--set .x: expected a path such as loader.workers, found '.x'\n"},
    {"loader.=3",
     "--set loader.: expected a path such as loader.workers, found 'loader.'\n"},
    {"loader..x=3",
     "--set loader..x: expected a path such as loader.workers, found 'loader..x'\n"},
    {"loader.kind.x=loader.none",
     "--set loader.kind.x: 'kind' must be a name, found a mapping\n"},
    {"loader.workers= ", "--set loader.workers: expected a value behind '='\n"},
    {"loader.workers=# 3", "--set loader.workers: expected a value behind '='\n"},
    {"loader.workers=\"3",
     "--set loader.workers:1:3: not valid YAML: found unexpected end of stream while "
     "scanning a quoted scalar\n"},
    {"loader.workers=&a 3",
     "--set loader.workers:1:1: anchors are not supported: write the value out\n"},
    {"loader.workers=\xff",
     "--set loader.workers:1:1: not a text file: invalid leading UTF-8 octet\n"},
    {"\x1b[2J.x=1", "--set ?[2J.x: unknown section '?[2J'\n"},
};

static void test_rejected(void **state)
{
    struct scratch *scratch = *state;

    for (size_t i = 0; i < sizeof rejected / sizeof *rejected; i++) {
        const char *const sets[] = {rejected[i].set, NULL};

        bad(scratch, base, sets, DLS_EINPUT, rejected[i].said);
    }
}

/* All are looked at, and the caret points into the value. */
static void test_several(void **state)
{
    struct scratch *scratch = *state;
    const char *const sets[] = {"loader.workers=-1", "run.start=lukewarm",
                                "host.cores=x", NULL};
    struct dls_scenario *scenario;
    struct dls_str text;

    scratch_write(scratch, "s.yaml", base);
    assert_int_equal(rig_read(scratch, sets, &scenario), DLS_EINPUT);
    dls_str_init(&text);
    dls_diag_text(scratch->diag, false, &text);
    assert_string_equal(
        text.data,
        "--set host.cores:1:1: error: 'cores' must be a whole number, found 'x'\n"
        "  1 | x\n"
        "    | ^\n"
        "--set loader.workers:1:1: error: 'workers' must be at least 0, found -1\n"
        "  1 | -1\n"
        "    | ^~\n"
        "--set run.start:1:1: error: 'start' must be one of cold, warm, found "
        "'lukewarm'\n"
        "  1 | lukewarm\n"
        "    | ^~~~~~~~\n");
    dls_str_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_parse, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_values, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_choices, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_rejected, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_several, set_up, tear_down),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
