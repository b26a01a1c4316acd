/* Binding of sections to confs: every type, layers, groups, lists, rules across
 * parameters. */
#include "tests/support/bind_rig.h"

/* ------------------------------------------------------------------ values */

static void test_defaults(void **state)
{
    struct bench *bench = *state;

    assert_int_equal(bench->conf.workers, 2);
    assert_true(bench->conf.rate == 1e9);
    assert_true(bench->conf.share == 0.5);
    assert_true(bench->conf.size_bytes == 131072);
    assert_false(bench->conf.pin);
    assert_string_equal(bench->conf.label, "none");
    assert_int_equal(bench->conf.step.kind, DLS_LAW_CONSTANT);
    assert_true(bench->conf.step.a == 0.01);
    assert_true(bench->conf.host_s == 1e-6);
    assert_int_equal(bench->conf.ops.count, 0);
    check_bound(bench, "workers", DLS_LAYER_DEFAULT, "2", 0);
    assert_null(dls_bind_find(&bench->binding, "delay")->text);
    assert_null(dls_bind_find(&bench->binding, "num_workers"));
    dls_bind_end(&bench->binding, NULL);
    said(bench, "missing key 'batch' in test.kind\n");
}

static void test_values(void **state)
{
    struct bench *bench = *state;

    bind(bench, DLS_LAYER_FILE,
         "kind: left alone\n"
         "num_workers: 8\n"
         "batch: 1e3\n"
         "rate: 1.2 GB/s\n"
         "share: 0.25\n"
         "delay: 250 us\n"
         "readahead: 1 MiB\n"
         "pin: true\n"
         "order: recorded\n"
         "label: \"\"\n"
         "step: {base: 1.9 ms, per_item: 13 ms}\n"
         "cost.host: 3 us\n"
         "ops:\n"
         "  - {op: read}\n"
         "  - {op: jpeg, factor: 2, rank: 7, demand: 4 ms, on: gpu}\n");
    dls_bind_end(&bench->binding, NULL);
    assert_int_equal(bench->conf.workers, 8);
    assert_int_equal(bench->conf.batch, 1000);
    assert_true(bench->conf.rate == 1.2e9);
    assert_true(bench->conf.share == 0.25);
    assert_true(bench->conf.delay_s == 250e-6);
    assert_true(bench->conf.size_bytes == 1048576);
    assert_true(bench->conf.pin);
    assert_int_equal(bench->conf.order, 2);
    assert_string_equal(bench->conf.label, "");
    assert_true(bench->conf.step.a == 1.9e-3);
    assert_true(bench->conf.per_item_s == 13e-3);
    assert_true(bench->conf.host_s == 3e-6);
    assert_int_equal(bench->conf.ops.count, 2);
    {
        const struct op *op = bench->conf.ops.items;

        assert_string_equal(op[0].name, "read");
        assert_true(op[0].scale == 1);
        assert_int_equal(op[0].rank, 3);
        assert_true(op[0].demand.a == 0);
        assert_string_equal(op[1].name, "jpeg");
        assert_true(op[1].scale == 2);
        assert_int_equal(op[1].rank, 7);
        assert_true(op[1].demand.a == 4e-3);
        assert_int_equal(op[1].on, 1);
    }
    check_bound(bench, "workers", DLS_LAYER_FILE, "8", 2);
    check_bound(bench, "rate", DLS_LAYER_FILE, "1.2 GB/s", 4);
    check_bound(bench, "step.per_item", DLS_LAYER_FILE, "13 ms", 11);
    check_bound(bench, "ops", DLS_LAYER_FILE, "[read, jpeg]", 14);
    check_bound(bench, "jpeg.scale", DLS_LAYER_FILE, "2", 15);
    assert_null(dls_bind_find(&bench->binding, "read.scale"));
    said(bench, "");
}

static void test_laws(void **state)
{
    struct bench *bench = *state;
    const struct dls_law *step = &bench->conf.step, *size = &bench->conf.size;

    bind(bench, DLS_LAYER_FILE,
         "step: {law: lognormal, mean: 3 ms, sd: 1 ms}\n"
         "size: {law: empirical, values: [1 kB, 2 kB, 3 kB]}\n");
    assert_int_equal(step->kind, DLS_LAW_LOGNORMAL);
    assert_true(step->a == 3e-3 && step->b == 1e-3);
    assert_int_equal(size->kind, DLS_LAW_EMPIRICAL);
    assert_int_equal(size->count, 3);
    assert_true(size->values[0] == 1e3 && size->values[2] == 3e3);
    check_bound(bench, "step.base", DLS_LAYER_FILE,
                "{law: lognormal, mean: 3 ms, sd: 1 ms}", 1);
    bind(bench, DLS_LAYER_SET,
         "{step: {base: {law: affine, a: 1 ms, b: 12 ns/B, residuals: [0.9, 1.1]}}}");
    assert_int_equal(step->kind, DLS_LAW_AFFINE);
    assert_true(step->a == 1e-3 && step->b == 12e-9);
    assert_int_equal(step->count, 2);
    assert_true(step->values[1] == 1.1);
    bind(bench, DLS_LAYER_SET, "{step.base: {law: affine, a: -1 ms, b: 0.114 s/GB}}");
    assert_true(step->a == -1e-3 && step->count == 0);
    bind(bench, DLS_LAYER_SET, "{size: {law: uniform, low: 1 B, high: 1 B}}");
    assert_int_equal(size->kind, DLS_LAW_UNIFORM);
    bind(bench, DLS_LAYER_SET, "{size: {law: constant, value: 5 B}}");
    assert_true(size->kind == DLS_LAW_CONSTANT && size->a == 5);
    bind(bench, DLS_LAYER_SET, "{size: {law: exponential, mean: 6 B}}");
    assert_true(size->kind == DLS_LAW_EXPONENTIAL && size->a == 6);
    said(bench, "");
}

/* ------------------------------------------------------------------ layers */

static void test_layers(void **state)
{
    struct bench *bench = *state;

    dls_bind_preset(&bench->binding, &fast);
    check_bound(bench, "rate", DLS_LAYER_PRESET, "7 GB/s", 0);
    assert_string_equal(dls_bind_find(&bench->binding, "rate")->origin, "fast");
    assert_string_equal(dls_bind_find(&bench->binding, "rate")->notes, "a data sheet");
    assert_true(bench->conf.rate == 7e9);
    bind(bench, DLS_LAYER_PARAMS,
         "other: 3\n"
         "rate: {value: 5 GB/s, low: 4 GB/s, high: 6 GB/s, n: 20, from: fio}\n"
         "workers: 5\n"
         "batch: 6\n"
         "step: {base: {value: {law: gamma, mean: 2 ms, sd: 1 ms}, fit: good}, other: "
         "1}\n");
    assert_true(bench->conf.rate == 5e9);
    check_bound(bench, "rate", DLS_LAYER_PARAMS, "5 GB/s", 2);
    assert_null(dls_bind_find(&bench->binding, "rate")->origin);
    assert_string_equal(dls_bind_find(&bench->binding, "rate")->notes,
                        "low 4 GB/s, high 6 GB/s, n 20, from fio");
    assert_null(dls_bind_find(&bench->binding, "workers")->notes);
    assert_string_equal(dls_bind_find(&bench->binding, "step.base")->notes, "fit good");
    assert_int_equal(bench->conf.step.kind, DLS_LAW_GAMMA);
    check_bound(bench, "step.per_item", DLS_LAYER_PRESET, "2 ms", 0);
    bind(bench, DLS_LAYER_FILE, "batch: 7\nworkers: 6\n");
    bind(bench, DLS_LAYER_SET, "workers: 9\n");
    bind(bench, DLS_LAYER_SET, "{num_workers: 10}");
    dls_bind_end(&bench->binding, NULL);
    assert_int_equal(bench->conf.batch, 7);
    check_bound(bench, "batch", DLS_LAYER_FILE, "7", 1);
    assert_int_equal(bench->conf.workers, 10);
    check_bound(bench, "workers", DLS_LAYER_SET, "10", 1);
    said(bench, "");
}

/* A plain value of a group is its base; the other keys go back to their presets, and
 * say so. */
static void test_group_value(void **state)
{
    struct bench *bench = *state;

    dls_bind_preset(&bench->binding, &fast);
    bind(bench, DLS_LAYER_PARAMS, "step: {base: 1 ms, per_item: 3 ms}\n");
    assert_true(bench->conf.per_item_s == 3e-3);
    bind(bench, DLS_LAYER_FILE, "\nstep: 90 ms\n");
    assert_true(bench->conf.step.a == 90e-3);
    assert_true(bench->conf.per_item_s == 0);
    check_bound(bench, "step.base", DLS_LAYER_FILE, "90 ms", 2);
    check_bound(bench, "step.per_item", DLS_LAYER_FILE, "0 s", 2);
    bind(bench, DLS_LAYER_SET, "{step: {per_item: 4 ms}}");
    assert_true(bench->conf.step.a == 90e-3);
    assert_true(bench->conf.per_item_s == 4e-3);
    bind(bench, DLS_LAYER_SET, "{step: 80 ms}");
    assert_true(bench->conf.per_item_s == 0);
    check_bound(bench, "step.per_item", DLS_LAYER_SET, "0 s", 1);
    said(bench, "");
    bind(bench, DLS_LAYER_PARAMS, "step: {value: 70 ms, n: 3}\n");
    assert_true(bench->conf.step.a == 70e-3);
    assert_string_equal(dls_bind_find(&bench->binding, "step.base")->notes, "n 3");
    assert_null(dls_bind_find(&bench->binding, "step.per_item")->notes);
    said(bench, "");
}

/* Fields of a list's element by its name, from the same mapping (in any order) and from
 * later layers. */
static void test_elements(void **state)
{
    struct bench *bench = *state;
    const struct op *op;

    bind(bench, DLS_LAYER_PARAMS,
         "ops:\n"
         "  - {op: jpeg, demand: {value: 2 ms, n: 5}}\n"
         "  - {op: crop, scale: {value: 3, from: hand}}\n");
    bind(bench, DLS_LAYER_FILE, "jpeg: {factor: 0.5, on: gpu}\n");
    bind(bench, DLS_LAYER_SET, "{crop: {scale: 4}}");
    op = bench->conf.ops.items;
    assert_true(op[0].scale == 0.5);
    assert_int_equal(op[0].on, 1);
    assert_true(op[1].scale == 4);
    check_bound(bench, "jpeg.demand", DLS_LAYER_PARAMS, "2 ms", 2);
    assert_string_equal(dls_bind_find(&bench->binding, "jpeg.demand")->notes, "n 5");
    check_bound(bench, "jpeg.scale", DLS_LAYER_FILE, "0.5", 1);
    check_bound(bench, "crop.scale", DLS_LAYER_SET, "4", 1);
    assert_null(dls_bind_find(&bench->binding, "crop.scale")->notes);
    /* a new list takes its elements' records along */
    bind(bench, DLS_LAYER_SET, "{blur: {scale: 2}, ops: [{op: blur}]}");
    op = bench->conf.ops.items;
    assert_int_equal(bench->conf.ops.count, 1);
    assert_true(op[0].scale == 2);
    assert_null(dls_bind_find(&bench->binding, "jpeg.scale"));
    check_bound(bench, "blur.scale", DLS_LAYER_SET, "2", 1);
    check_bound(bench, "workers", DLS_LAYER_DEFAULT, "2", 0);
    said(bench, "");
}

/* ------------------------------------------------------------------ rules across
 * parameters */

static void rules(const void *conf_, struct dls_checker *checker)
{
    const struct conf *conf = conf_;

    if (conf->batch > conf->workers)
        checker->error(checker, "batch", "'batch' must be at most 'workers'");
    if (conf->pin)
        checker->error(checker, "pin", "'pin' needs a gpu");
    if (checker->given(checker, "workers") == 2 &&
        checker->given(checker, "batch") == 3)
        checker->error(checker, NULL, "file and --set");
    if (checker->given(checker, "workers") == 0 &&
        checker->given(checker, "batch") == 1)
        checker->error(checker, "workers", "default and params");
}

static void test_rules(void **state)
{
    struct bench *bench = *state;

    bind(bench, DLS_LAYER_FILE, "\n{workers: 2,\n batch: 3}\n");
    dls_bind_end(&bench->binding, rules);
    said(bench, "file.yaml:3:9: 'batch' must be at most 'workers'\n");
    bind(bench, DLS_LAYER_FILE, "\n workers: 2\n");
    bind(bench, DLS_LAYER_SET, "batch: 1\n");
    dls_bind_end(&bench->binding, rules);
    said(bench, "file.yaml:2:2: file and --set\n");
    bench->binding.section_place = (struct dls_place){.file = "s.yaml", .line = 9};
    dls_bind_preset(&bench->binding, &fast);
    bind(bench, DLS_LAYER_PARAMS, "batch: 1\n");
    dls_bind_end(&bench->binding, rules);
    said(bench,
         "s.yaml:9: default and params\n"); /* a default has no place: the section's */
    bind(bench, DLS_LAYER_FILE, "{batch: 9, pin: true, label: []}\n");
    dls_bind_end(&bench->binding,
                 rules); /* not asked about values that could not be read */
    said(bench, "file.yaml:1:30: 'label' must be a text, found a list\n");
}

/* Errors of other sections do not silence a section's rules. */
static void test_rules_after_others(void **state)
{
    struct bench *bench = *state;

    dls_diag_error(bench->scratch.diag, NULL, "another section's");
    begin(bench);
    bind(bench, DLS_LAYER_FILE, "batch: 9\n");
    dls_bind_end(&bench->binding, rules);
    said(bench,
         "another section's\nfile.yaml:1:8: 'batch' must be at most 'workers'\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_defaults, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_values, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_laws, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_layers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_group_value, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_elements, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_rules, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_rules_after_others, set_up, tear_down),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
