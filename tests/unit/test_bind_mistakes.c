/* Binding: the message for each mistake, with its position. */
#include "tests/support/bind_rig.h"

/* Messages of one text in the scenario; `batch`, which is required, is given. */
static void check(struct bench *bench, const char *text, const char *expected)
{
    bind(bench, DLS_LAYER_FILE, text);
    bind(bench, DLS_LAYER_SET, "batch: 1\n");
    dls_bind_end(&bench->binding, NULL);
    said(bench, expected);
}

static const struct {
    const char *text, *said;
} mistakes[] = {
    {"workers: 0\n", "1:10: 'workers' must be at least 1, found 0\n"},
    {"num_workers: 65\n", "1:14: 'workers' must be at most 64, found 65\n"},
    {"workers: 1.5\n", "1:10: 'workers' must be a whole number, found '1.5'\n"},
    {"workers:\n", "1:9: 'workers' must be a whole number, found nothing\n"},
    {"workers: many\n", "1:10: 'workers' must be a whole number, found 'many'\n"},
    {"workers: [1]\n", "1:10: 'workers' must be a single value, found a list\n"},
    {"workers: {a: 1}\n", "1:10: 'workers' must be a single value, found a mapping\n"},
    {"rate: 100\n",
     "1:7: 'rate' must be a rate with unit (B/s, kB/s, MB/s, GB/s, KiB/s, MiB/s, "
     "GiB/s), found '100'\n"},
    {"rate: 10 B/s\n", "1:7: 'rate' must be at least 1 kB/s, found 10 B/s\n"},
    {"share: 120 %\n", "1:8: 'share' must be at most 100 %, found 120 %\n"},
    {"delay: 5 MB\n",
     "1:8: 'delay' must be a time with unit (ns, us, ms, s, min, h), found '5 MB'\n"},
    {"delay: -1 s\n", "1:8: 'delay' must be at least 0 s, found -1 s\n"},
    {"pin: yes\n", "1:6: 'pin' must be true or false, found 'yes'\n"},
    {"pin: [true]\n", "1:6: 'pin' must be true or false, found a list\n"},
    {"order: suffle\n",
     "1:8: 'order' must be one of shuffle, sequential, recorded, found 'suffle' "
     "(did you mean 'shuffle'?)\n"},
    {"order: 7\n",
     "1:8: 'order' must be one of shuffle, sequential, recorded, found '7'\n"},
    {"order: {}\n",
     "1:8: 'order' must be one of shuffle, sequential, recorded, found a mapping\n"},
    {"label:\n", "1:7: 'label' must be a text, found nothing\n"},
    {"label: [x]\n", "1:8: 'label' must be a text, found a list\n"},
    {"label: \"a\\nb\"\n", "1:8: 'label' must be a text on one line, found 'a b'\n"},
    /* keys */
    {"workres: 2\n",
     "1:1: unknown key 'workres' in test.kind (did you mean 'workers'?)\n"},
    {"num_worker: 2\n",
     "1:1: unknown key 'num_worker' in test.kind (did you mean 'num_workers'?)\n"},
    {"conut: 2\n", "1:1: unknown key 'conut' in test.kind (did you mean 'count'?)\n"},
    {"quux: 2\n", "1:1: unknown key 'quux' in test.kind\n"},
    {"other: 2\n", "1:1: unknown key 'other' in test.kind (did you mean 'order'?)\n"},
    {"step: {bse: 1 ms}\n",
     "1:8: unknown key 'step.bse' in test.kind (did you mean 'step.base'?)\n"},
    {"cost: 3 us\n", "1:7: 'cost' must be a mapping, found '3 us'\n"},
    {"cost: [1]\n", "1:7: 'cost' must be a mapping, found a list\n"},
    {"workers: 1\nnum_workers: 2\n",
     "2:1: 'workers' is given twice, as 'workers' on line 1 and as 'num_workers'\n"},
    {"step: {base: 1 ms}\nstep.base: 2 ms\n",
     "2:1: 'step.base' is given twice, as 'base' on line 1 and as 'step.base'\n"},
    {"step.per_item: 2 ms\nstep: 1 ms\n", "2:1: 'step.per_item' is given twice, as "
                                          "'step.per_item' on line 1 and as 'step'\n"},
    {"workers: {value: 3}\n",
     "1:10: 'workers' must be a single value, found a mapping\n"},
    /* laws */
    {"size: 3 ms\n",
     "1:7: 'size' must be a size with unit (B, kB, MB, GB, TB, KiB, MiB, GiB, "
     "TiB), found '3 ms'\n"},
    {"size: [1 B]\n", "1:7: 'size' must be a single value, found a list\n"},
    {"size: 2 GB\n", "1:7: 'size' must be at most 1 GB, found 2 GB\n"},
    {"size: {mean: 1 B}\n",
     "1:7: missing key 'law' in the law of 'size': one of constant, uniform, normal, "
     "lognormal, gamma, exponential, empirical, affine\n"},
    {"size: {law: pareto}\n", "1:13: the law of 'size' must be one of constant, "
                              "uniform, normal, lognormal, gamma, "
                              "exponential, empirical, affine, found 'pareto'\n"},
    {"size: {law: gamma, mean: 1 B}\n",
     "1:7: missing key 'sd' in a law 'gamma' of 'size'\n"},
    {"size: {law: normal}\n", "1:7: missing key 'mean' in a law 'normal' of 'size'\n"
                              "1:7: missing key 'sd' in a law 'normal' of 'size'\n"},
    {"size: {law: normal, mean: 1 B, sd: -1 B}\n",
     "1:36: 'size.sd' must be at least 0 B, found -1 B\n"},
    {"size: {law: normal, mean: 3 GB, sd: 1 B, values: [1 B]}\n",
     "1:27: 'size.mean' must be at most 1 GB, found 3 GB\n"
     "1:42: unknown key 'values' in a law 'normal' of 'size'\n"},
    {"size: {law: empirical}\n",
     "1:7: missing key 'values' in a law 'empirical' of 'size'\n"},
    {"size: {law: empirical, values: []}\n",
     "1:32: 'size.values' must be a list of at least one value, found a list\n"},
    {"size: {law: empirical, values: [1 B, x, -2 B]}\n",
     "1:38: 'size.values' must be a size with unit (B, kB, MB, GB, TB, KiB, MiB, GiB, "
     "TiB), found "
     "'x'\n"
     "1:41: 'size.values' must be at least 0 B, found -2 B\n"},
    {"size: {law: uniform, low: 2 B, high: 1 B}\n",
     "1:38: 'size.high' must be at least 'size.low'\n"},
    {"step: {law: affine, a: 1 ms, b: 1 ms}\n",
     "1:33: 'step.base.b' must be a time per size with unit (s/GB, ns/B), found '1 "
     "ms'\n"},
    {"step: {law: affine, a: 1 ms, b: 1 ns/B, residuals: [1, -1]}\n",
     "1:56: 'step.base.residuals' must be at least 0, found -1\n"},
    /* lists */
    {"ops: x\n", "1:6: 'ops' must be a list, found 'x'\n"},
    {"ops: [x, [y]]\n", "1:7: an element of 'ops' must be a mapping, found 'x'\n"
                        "1:10: an element of 'ops' must be a mapping, found a list\n"},
    {"ops: [{scale: 2}]\n", "1:7: missing key 'op' in an element of 'ops'\n"},
    {"ops: [{op: a, scal: 2}]\n",
     "1:15: unknown key 'scal' in test.kind (did you mean 'scale'?)\n"},
    {"ops: [{op: a, scale: 101, on: moon}]\n",
     "1:22: 'scale' must be at most 100, found 101\n"
     "1:31: 'on' must be one of worker, gpu, found 'moon'\n"},
    {"ops: [{op: a, scale: 1, factor: 1}]\n",
     "1:25: 'scale' is given twice in an element of 'ops'\n"},
    {"ops: [{op: jpeg}]\njpgg: {scale: 1}\n",
     "2:1: unknown key 'jpgg' in test.kind (did you mean 'jpeg'?)\n"},
    {"ops: [{op: jpeg}]\njpeg: 3\n",
     "2:7: 'jpeg' must be a mapping such as {scale: ...}, found '3'\n"},
    {"ops: [{op: jpeg}]\njpeg: {scale: x, sacle: 2, op: y}\n",
     "2:15: 'scale' must be a plain number, found 'x'\n"
     "2:18: unknown key 'sacle' in test.kind (did you mean 'scale'?)\n"
     "2:28: 'op' is the name of the element and cannot be changed\n"},
    /* several at once, in the order of the file */
    {"workers: 0\npin: 1\nquux: 1\nbatches: 2\n",
     "1:10: 'workers' must be at least 1, found 0\n"
     "2:6: 'pin' must be true or false, found '1'\n"
     "3:1: unknown key 'quux' in test.kind\n"
     "4:1: unknown key 'batches' in test.kind (did you mean 'batch'?)\n"},
};

static void test_mistakes(void **state)
{
    struct bench *bench = *state;

    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        struct dls_str expected;

        dls_str_init(&expected);
        for (const char *line = mistakes[i].said, *end; *line != '\0'; line = end + 1) {
            end = strchr(line, '\n');
            dls_str_addf(&expected, "file.yaml:%.*s\n", (int)(end - line), line);
        }
        check(bench, mistakes[i].text, expected.data);
        dls_str_release(&expected);
    }
}

static void test_samples(void **state)
{
    struct bench *bench = *state;

    scratch_write(&bench->scratch, "t.samples.csv", "sample,bytes\n0,5\n1,6\n");
    bind(bench, DLS_LAYER_FILE, "table: t.samples.csv\n");
    assert_non_null(bench->conf.table);
    assert_int_equal(bench->conf.table->rows, 2);
    assert_string_equal(bench->conf.table->path,
                        scratch_path(&bench->scratch, "t.samples.csv"));
    assert_false(bench->binding.is_io_failed);
    bind(bench, DLS_LAYER_FILE, "table: u.samples.csv\n");
    assert_true(bench->binding.is_io_failed);
    said(bench, "cannot read 'DIR/u.samples.csv': No such file or directory\n"
                "file.yaml:1:8: note: the table is named here\n");
    scratch_write(&bench->scratch, "v.csv", "sample,bytes\n0,x\n");
    bind(bench, DLS_LAYER_FILE, "table: v.csv\n");
    assert_false(bench->binding.is_io_failed);
    said(bench, "v.csv:2:3: 'bytes' must be a number, found 'x'\n");
    check(bench, "table: [a]\n",
          "file.yaml:1:8: 'table' must be the path of a table, found a list\n");
    check(bench, "table:\n",
          "file.yaml:1:7: 'table' must be the path of a table, found nothing\n");
}

static void test_section_type(void **state)
{
    struct bench *bench = *state;

    check(bench, "12\n",
          "file.yaml:1:1: section 'test' must be a mapping, found '12'\n");
    check(bench, "[1]\n",
          "file.yaml:1:1: section 'test' must be a mapping, found a list\n");
}

/* In a parameter file: notes by name only; keys of other kinds are skipped, keys of
 * none are not. */
static void test_params_mistakes(void **state)
{
    struct bench *bench = *state;

    bind(bench, DLS_LAYER_PARAMS,
         "rate: {value: 1 GB/s, lo: 1}\n"
         "other: [1]\n"
         "others: 1\n"
         "workers: {value: 0, n: 3}\n"
         "label: {low: 1}\n"
         "size: {value: 3 B, law: constant}\n");
    said(bench, "params.yaml:1:23: unknown note 'lo' on a value, expected value, low, "
                "high, n, fit "
                "or from\n"
                "params.yaml:4:18: 'workers' must be at least 1, found 0\n"
                "params.yaml:5:8: 'label' must be a text, found a mapping\n"
                "params.yaml:3:1: unknown key 'others' in test.kind\n");
}

static void test_list_limit(void **state)
{
    struct bench *bench = *state;
    struct dls_str text;

    dls_str_init(&text);
    dls_str_add(&text, "ops:\n");
    for (int i = 0; i < DLS_BIND_LIST_MAX; i++)
        dls_str_addf(&text, "- {op: a%d}\n", i);
    bind(bench, DLS_LAYER_FILE, text.data);
    assert_int_equal(bench->conf.ops.count, DLS_BIND_LIST_MAX);
    said(bench, "");
    dls_str_add(&text, "- {op: one too many}\n");
    bind(bench, DLS_LAYER_FILE, text.data);
    said(bench, "file.yaml:2:1: 'ops' must have at most 1000 elements, found 1001\n");
    dls_str_release(&text);
}

/* A key longer than any table's is still named in the message, shortened. */
static void test_long_key(void **state)
{
    struct bench *bench = *state;
    char text[402];

    memset(text, 'k', 400);
    memcpy(text + 398, ": 1", 4);
    bind(bench, DLS_LAYER_FILE, text);
    said(bench, "file.yaml:1:1: unknown key "
                "'kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk...' "
                "in test.kind\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_mistakes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_samples, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_section_type, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_params_mistakes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_list_limit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_long_key, set_up, tear_down),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
