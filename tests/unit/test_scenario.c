/* Whole scenarios: sections, choices of kinds and presets, layers, parameter files, and
 * what is rejected. */
#include "tests/support/scenario_rig.h"

#include <math.h>

/* ------------------------------------------------------------------ good ones */

#define HEAD "dlsim: 1\nname: n\n"
#define REST "source: {samples: 50}\nloader: {batch: 5}\nconsumer: {step: 1 ms}\n"
#define LEAST HEAD "host: {cores: 4}\n" REST

static void test_least(void **state)
{
    struct scratch *scratch = *state;
    struct dls_scenario *scenario = good(scratch, LEAST, NULL);

    assert_string_equal(scenario->name, "n");
    assert_string_equal(scenario->about, "");
    assert_string_equal(scenario->path, scratch_path(scratch, "s.yaml"));
    assert_null(scenario->params_path);
    assert_int_equal(scenario->params_hash, 0);
    assert_int_equal(scenario->host.count, 1);
    assert_int_equal(scenario->host.cores, 4);
    assert_true(scenario->host.speed == 1);
    assert_true(scenario->host.cpu_quota == 0 &&
                scenario->host.memory_limit_bytes == 0);
    assert_int_equal(scenario->run.epochs, 1);
    assert_int_equal(scenario->run.replications, 10);
    assert_int_equal(scenario->run.seed, 1);
    assert_int_equal(scenario->run.start, DLS_START_COLD);
    assert_int_equal(scenario->run.limit_events, 0);
    assert_true(scenario->volume.bandwidth_limit == 0 &&
                scenario->volume.iops_limit == 0);
    assert_int_equal(scenario->consumers.count, 1);
    assert_int_equal(scenario->expects, 0);
    for (int role = 0; role < DLS_ROLES; role++) {
        assert_ptr_equal(scenario->role[role].kind,
                         dls_registry_default((enum dls_role)role));
        assert_non_null(scenario->role[role].conf);
        assert_int_equal(scenario->role[role].is_given, role == DLS_ROLE_SOURCE ||
                                                            role == DLS_ROLE_LOADER ||
                                                            role == DLS_ROLE_CONSUMER);
    }
    check_value(scratch, scenario, "host.cores", "4", "s.yaml:3");
    check_value(scratch, scenario, "host.speed", "1", "default");
    dls_scenario_free(scenario);
}

static const char whole[] = HEAD
    "about: all of it\n"
    "host: {preset: h100_node, count: 2, cores: 16, speed: 1.5, cpu_quota: "
    "3.5, memory_limit: 8 GiB}\n"
    "cpu: {kind: cpu.cores, threads_per_core: 1}\n"
    "storage: {kind: storage.rate, preset: gen4_mainstream, bandwidth_limit: "
    "150 MB/s, iops_limit: 500 /s}\n"
    "source: {samples: 484, order: sequential}\n"
    "loader: {kind: loader.pytorch, num_workers: 4, prefetch_factor: 3, "
    "batch_size: 2}\n"
    "link: {preset: gen5_x16}\n"
    "consumer: {kind: consumer.gpu, count: 8, step: {base: 1.9 ms, per_item: "
    "13 ms}}\n"
    "run: {epochs: 3, replications: 7, seed: 42, start: warm, limits: "
    "{events: 1e6, time: 2 h}}\n"
    "expect:\n"
    "  - {metric: au, min: 0.90}\n"
    "  - {metric: epoch_s, min: 1, max: 20}\n";

static void test_whole(void **state)
{
    struct scratch *scratch = *state;
    struct dls_scenario *scenario = good(scratch, whole, NULL);

    assert_string_equal(scenario->about, "all of it");
    assert_int_equal(scenario->host.count, 2);
    assert_int_equal(scenario->host.cores, 16);
    assert_true(scenario->host.speed == 1.5 && scenario->host.cpu_quota == 3.5);
    assert_true(scenario->host.memory_bytes == 2e12);
    assert_true(scenario->host.memory_limit_bytes == 8 * 0x1p30);
    assert_true(scenario->volume.bandwidth_limit == 150e6 &&
                scenario->volume.iops_limit == 500);
    assert_int_equal(scenario->consumers.count, 8);
    assert_int_equal(scenario->run.epochs, 3);
    assert_int_equal(scenario->run.replications, 7);
    assert_int_equal(scenario->run.seed, 42);
    assert_int_equal(scenario->run.start, DLS_START_WARM);
    assert_int_equal(scenario->run.limit_events, 1000000);
    assert_true(scenario->run.limit_time_s == 7200);
    assert_int_equal(scenario->expects, 2);
    assert_string_equal(scenario->expect[0].metric, "au");
    assert_true(scenario->expect[0].min == 0.9 && isnan(scenario->expect[0].max));
    assert_int_equal(scenario->expect[0].place.line, 13);
    assert_true(scenario->expect[1].min == 1 && scenario->expect[1].max == 20);
    assert_string_equal(scenario->role[DLS_ROLE_LINK].kind->name,
                        "link.pcie"); /* the preset's */
    assert_int_equal(
        *(const int64_t *)rig_conf_at(scenario, DLS_ROLE_LOADER, "workers"), 4);
    assert_int_equal(
        *(const int64_t *)rig_conf_at(scenario, DLS_ROLE_LOADER, "prefetch"), 3);
    assert_int_equal(*(const int64_t *)rig_conf_at(scenario, DLS_ROLE_LOADER, "batch"),
                     2);
    assert_true(*(const double *)rig_conf_at(scenario, DLS_ROLE_CONSUMER,
                                             "step.per_item") == 13e-3);
    check_value(scratch, scenario, "host.cores", "16", "s.yaml:4");
    check_value(scratch, scenario, "host.memory", "2 TB", "preset h100_node");
    check_value(scratch, scenario, "storage.bandwidth", "6.8 GB/s",
                "preset gen4_mainstream");
    check_value(scratch, scenario, "storage.bandwidth_limit", "150 MB/s", "s.yaml:6");
    check_value(scratch, scenario, "loader.workers", "4", "s.yaml:8");
    check_value(scratch, scenario, "consumer.count", "8", "s.yaml:10");
    check_value(scratch, scenario, "run.limits.time", "2 h", "s.yaml:11");
    dls_scenario_free(scenario);
}

/* Host first, then the roles in their order, each with its keys, then run; every value
 * once. */
static void test_values(void **state)
{
    struct scratch *scratch = *state;
    struct dls_scenario *scenario = good(scratch, LEAST, NULL);
    struct dls_scenario_value value, again;
    size_t count = 0;

    assert_true(dls_scenario_value(scenario, 0, &value));
    assert_string_equal(value.path, "host.count");
    assert_string_equal(value.unit, "");
    assert_string_equal(value.notes, "");
    for (; dls_scenario_value(scenario, count, &value); count++) {
        assert_non_null(value.text);
        assert_non_null(value.unit);
        assert_non_null(value.origin);
        assert_int_equal(value.place.file == NULL,
                         strcmp(value.origin, "default") == 0);
        for (size_t i = 0; i < count; i++) {
            assert_true(dls_scenario_value(scenario, i, &again));
            assert_string_not_equal(again.path, value.path);
        }
        if (strcmp(value.path, "storage.bandwidth") == 0)
            assert_string_equal(value.unit, "B/s");
    }
    assert_true(count > 20);
    assert_true(dls_scenario_value(scenario, count - 1, &value));
    assert_string_equal(value.path, "run.limits.time");
    assert_int_equal(dls_scenario_place(scenario, "loader.batch").line, 5);
    assert_int_equal(dls_scenario_place(scenario, "loader.batch").column, 17);
    assert_string_equal(dls_scenario_place(scenario, "loader.pin").file,
                        scenario->path);
    assert_int_equal(dls_scenario_place(scenario, "loader.pin").line, 0);
    dls_scenario_free(scenario);
}

/* ------------------------------------------------------------------ parameter files */

static const char params[] =
    "dlsim_params: 1\n"
    "name: p\n"
    "host: {cores: {value: 6, n: 1, from: trace.db}}\n"
    "source: {table: {value: p.samples.csv, n: 3}}\n"
    "transform:\n"
    "  ops:\n"
    "    - {op: jpeg, demand: {value: {law: affine, a: 1 ms, b: 3 ns/B}, n: 3, fit: "
    "affine}}\n"
    "    - {op: crop, random: true, demand: 2 ms}\n"
    "loader: {fetch: {value: 1 ms, low: 0.5 ms, high: 2 ms, n: 40}}\n"
    "consumer:\n"
    "  step: {base: {value: 12 ms, n: 9}, per_item: 1 ms}\n"
    "  overshoot: 100 us\n"; /* a key of consumer.sleep */

static const char table[] =
    "sample,bytes,jpeg\n0,1000,0.001\n1,2000,0.002\n2,3000,0.003\n";

static void write_params(struct scratch *scratch)
{
    scratch_write(scratch, "p.yaml", params);
    scratch_write(scratch, "p.samples.csv", table);
}

static void test_params(void **state)
{
    struct scratch *scratch = *state;
    struct dls_scenario *scenario;
    const struct dls_samples *samples;
    struct dls_scenario_value value;

    write_params(scratch);
    scenario = good(
        scratch,
        HEAD "params: p.yaml\n"
             "host: {preset: h100_node}\n"
             "transform: {kind: transform.chain, from: params, jpeg: {scale: 0.5}}\n"
             "loader: {batch: 1, fetch: 3 ms}\n",
        NULL);
    assert_string_equal(scenario->params_path, scratch_path(scratch, "p.yaml"));
    assert_int_not_equal(scenario->params_hash, 0);
    assert_int_equal(scenario->host.cores, 6);
    samples = *(const struct dls_samples *const *)rig_conf_at(scenario, DLS_ROLE_SOURCE,
                                                              "table");
    assert_int_equal(samples->rows, 3);
    assert_string_equal(samples->path, scratch_path(scratch, "p.samples.csv"));
    check_value(scratch, scenario, "host.cores", "6", "p.yaml:3");
    check_value(scratch, scenario, "host.memory", "2 TB", "preset h100_node");
    check_value(scratch, scenario, "source.table", "p.samples.csv", "p.yaml:4");
    check_value(scratch, scenario, "transform.ops", "[jpeg, crop]", "p.yaml:7");
    check_value(scratch, scenario, "transform.jpeg.demand",
                "{law: affine, a: 1 ms, b: 3 ns/B}", "p.yaml:7");
    check_value(scratch, scenario, "transform.jpeg.scale", "0.5", "s.yaml:5");
    check_value(scratch, scenario, "transform.crop.demand", "2 ms", "p.yaml:8");
    check_value(scratch, scenario, "loader.fetch", "3 ms", "s.yaml:6");
    check_value(scratch, scenario, "consumer.step.base", "12 ms", "p.yaml:11");
    for (size_t i = 0; dls_scenario_value(scenario, i, &value); i++)
        if (strcmp(value.path, "host.cores") == 0)
            assert_string_equal(value.notes, "n 1, from trace.db");
    dls_scenario_free(scenario);
}

static void test_params_mistakes(void **state)
{
    struct scratch *scratch = *state;
    const char *text = HEAD "params: p.yaml\nhost: {cores: 4}\n" REST;

    bad(scratch, text, NULL, DLS_EIO,
        "cannot read 'DIR/p.yaml': No such file or directory\n"
        "s.yaml:3:9: note: the parameter file is named here\n");
    scratch_write(scratch, "p.yaml", "dlsim_params: 1\nsource: {table: q.csv}\n");
    bad(scratch, text, NULL, DLS_EIO,
        "cannot read 'DIR/q.csv': No such file or directory\n"
        "p.yaml:2:17: note: the table is named here\n");
    scratch_write(scratch, "p.yaml",
                  "dlsim_params: 1\n"
                  "consumer: {overshoot: 1 ms, undershoot: 2}\n"
                  "loader: {cache_rate: 0.5, fetch: {value: 2, n: 3}}\n"
                  "storage: {bandwith_limit: 1 MB/s}\n");
    bad(scratch, text, NULL, DLS_EINPUT,
        "p.yaml:4:11: unknown key 'bandwith_limit' in storage.rate (did you mean "
        "'bandwidth_limit'?)\n"
        "p.yaml:3:42: 'fetch' must be a time with unit (ns, us, ms, s, min, h), found "
        "'2'\n"
        "p.yaml:3:10: unknown key 'cache_rate' in loader.pytorch\n"
        "p.yaml:2:29: unknown key 'undershoot' in consumer.gpu\n");
    bad(scratch, HEAD "params: [p.yaml]\nhost: {cores: 4}\n" REST, NULL, DLS_EINPUT,
        "s.yaml:3:9: 'params' must be a text, found a list\n");
}

static void test_from(void **state)
{
    struct scratch *scratch = *state;

    bad(scratch, LEAST "transform: {from: params}\n", NULL, DLS_EINPUT,
        "s.yaml:7:19: 'from: params' needs 'params: FILE' with a section "
        "'transform'\n");
    scratch_write(scratch, "p.yaml", "dlsim_params: 1\n");
    bad(scratch, LEAST "transform: {from: params}\nparams: p.yaml\n", NULL, DLS_EINPUT,
        "s.yaml:7:19: 'from: params' needs a parameter file with a section "
        "'transform'\n");
    scratch_write(scratch, "p.yaml", "dlsim_params: 1\ntransform: {out_bytes: 3 kB}\n");
    bad(scratch, LEAST "transform: {from: params}\nparams: p.yaml\n", NULL, DLS_EINPUT,
        "s.yaml:7:19: 'from: params', but the parameter file has no 'transform.ops'\n");
    bad(scratch, LEAST "transform: {from: elsewhere}\nparams: p.yaml\n", NULL,
        DLS_EINPUT, "s.yaml:7:19: 'from' must be params, found 'elsewhere'\n");
}

/* ------------------------------------------------------------------ hash */

static uint64_t hash_of(struct scratch *scratch, const char *text,
                        const char *const *sets)
{
    struct dls_scenario *scenario = good(scratch, text, sets);
    uint64_t hash = scenario->hash;

    dls_scenario_free(scenario);
    return hash;
}

/* The hash stands for all inputs of a run: each of them changes it, nothing else does.
 */
static void test_hash(void **state)
{
    static const char text[] = HEAD "params: p.yaml\nloader: {batch: 1}\n";
    static const char *const one[] = {"run.seed=2", NULL}, *const other[] = {
                                                               "run.seed=3", NULL};
    struct scratch *scratch = *state;
    uint64_t hash;

    write_params(scratch);
    hash = hash_of(scratch, text, NULL);
    assert_int_equal(hash_of(scratch, text, NULL), hash);
    assert_int_not_equal(
        hash_of(scratch, HEAD "params: p.yaml\nloader: {batch: 1} \n", NULL), hash);
    assert_int_not_equal(hash_of(scratch, text, one), hash);
    assert_int_not_equal(hash_of(scratch, text, one), hash_of(scratch, text, other));
    scratch_write(scratch, "p.samples.csv",
                  "sample,bytes,jpeg\n0,1000,0.001\n1,2000,0.002\n2,3000,0.004\n");
    assert_int_not_equal(hash_of(scratch, text, NULL), hash);
    write_params(scratch);
    assert_int_equal(hash_of(scratch, text, NULL), hash);
    scratch_write(scratch, "p.yaml",
                  "dlsim_params: 1\nhost: {cores: 6}\nsource: {samples: 4}\nconsumer: "
                  "{step: 1 s}\n");
    assert_int_not_equal(hash_of(scratch, text, NULL), hash);
}

/* ------------------------------------------------------------------ mistakes */

static const struct {
    const char *text, *said;
} mistakes[] = {
    {"name: n\ndlsim: 1\n", "s.yaml:1:1: the file must begin with 'dlsim: 1'\n"},
    {"dlsim: 2\nname: n\n",
     "s.yaml:1:8: 'dlsim' must be 1, the version that this program reads, found '2'\n"},
    {"[1, 2]\n", "s.yaml:1:1: the file must begin with 'dlsim: 1'\n"},
    {"dlsim: 1\nhost: {cores: 4}\n" REST, "s.yaml:1:1: missing key 'name'\n"},
    {"dlsim: 1\nname:\nhost: {cores: 4}\n" REST,
     "s.yaml:2:6: 'name' must be a text, found nothing\n"},
    {"dlsim: 1\nname: \"a\\nb\"\nhost: {cores: 4}\n" REST,
     "s.yaml:2:7: 'name' must be a text on one line, found 'a b'\n"},
    {HEAD "host: {}\n" REST, "s.yaml:3:7: missing key 'cores' in host\n"},
    {HEAD REST, "s.yaml:1:1: missing key 'cores' in host\n"},
    {HEAD "host: {cores: 4}\nsource: {samples: 50}\nconsumer: {step: 1 ms}\n",
     "s.yaml:1:1: missing key 'batch' in loader.pytorch\n"},
    {HEAD "host: 4\n" REST, "s.yaml:3:7: section 'host' must be a mapping, found '4'\n"
                            "s.yaml:3:7: missing key 'cores' in host\n"},
    {LEAST "storage: [1]\n",
     "s.yaml:7:10: section 'storage' must be a mapping, found a list\n"},
    {LEAST "lodaer: {}\n",
     "s.yaml:7:1: unknown section 'lodaer' (did you mean 'loader'?)\n"},
    {LEAST "quuxquux: {}\n", "s.yaml:7:1: unknown section 'quuxquux'\n"},
    {LEAST "vary: {loader.workers: [1, 2]}\ntarget: au>=0.9\n",
     "s.yaml:7:1: 'vary' belongs to sweep, which this version does not have\n"
     "s.yaml:8:1: 'target' belongs to plan, which this version does not have\n"},
    {LEAST "volumes: {}\n",
     "s.yaml:7:1: 'volumes' is not known to this version: 'storage' is the only one\n"},
    {HEAD "host: {preset: h100_nod, cores: 1}\n" REST,
     "s.yaml:3:16: unknown preset 'h100_nod' of host: valid presets are h100_node, "
     "hgx_h100_64 "
     "(did you mean 'h100_node'?)\n"},
    {LEAST "cache: {preset: x}\n",
     "s.yaml:7:17: unknown preset 'x' of cache: valid presets are none\n"},
    {LEAST "link: {kind: link.none, preset: gen5_x16}\n",
     "s.yaml:7:14: preset 'gen5_x16' belongs to link.pcie, not to link.none\n"},
    {LEAST "link: {kind: [link.none], preset: {}}\n",
     "s.yaml:7:35: 'preset' must be a name, found a mapping\n"
     "s.yaml:7:14: 'kind' must be a name, found a list\n"},
    {LEAST "run: {epochs: 0, start: full, limits: 5}\n",
     "s.yaml:7:15: 'epochs' must be at least 1, found 0\n"
     "s.yaml:7:25: 'start' must be one of cold, warm, found 'full'\n"
     "s.yaml:7:39: 'limits' must be a mapping, found '5'\n"},
    {LEAST "storage: {iops_limit: 5, bandwidth_limit: none}\n",
     "s.yaml:7:23: 'iops_limit' must be a frequency with unit (/s), found '5'\n"
     "s.yaml:7:43: 'bandwidth_limit' must be a rate with unit (B/s, kB/s, MB/s, GB/s, "
     "KiB/s, MiB/s, GiB/s), "
     "found 'none'\n"},
    {HEAD "host: {cores: 4}\nsource: {samples: 50}\nloader: {batch: 5, prefech: "
          "2}\nconsumer: {coutn: 2, step: 1 ms}\n",
     "s.yaml:5:20: unknown key 'prefech' in loader.pytorch (did you mean 'prefetch'?)\n"
     "s.yaml:6:12: unknown key 'coutn' in consumer.gpu (did you mean 'count'?)\n"},
    {HEAD "host: {cores: 4}\nsource: {samples: 0}\nloader: {batch: 5}\nconsumer: "
          "{step: 1 ms}\n",
     "s.yaml:4:19: 'samples' must be at least 1 without a table, found 0\n"},
    {LEAST "expect: {metric: au}\n",
     "s.yaml:7:9: 'expect' must be a list, found a mapping\n"},
    {LEAST
     "expect:\n  - {metric: au, min: 90 %}\n  - au\n  - {metric: au}\n  - {min: 1}\n"
     "  - {metric: [au], mim: 3, max: {}}\n  - {metric: au, min: 2, max: 1}\n",
     "s.yaml:8:23: 'min' must be a plain number in the metric's unit, found '90 %'\n"
     "s.yaml:9:5: an element of 'expect' must be a mapping, found 'au'\n"
     "s.yaml:10:5: a condition needs 'metric' and 'min' or 'max'\n"
     "s.yaml:11:5: a condition needs 'metric' and 'min' or 'max'\n"
     "s.yaml:12:14: 'metric' must be the name of a metric, found a list\n"
     "s.yaml:12:20: unknown key 'mim' in expect, expected metric, min or max\n"
     "s.yaml:12:33: 'max' must be a single value in the metric's unit, found a "
     "mapping\n"
     "s.yaml:13:5: 'min' of a condition must be at most its 'max'\n"},
};

static void test_mistakes(void **state)
{
    struct scratch *scratch = *state;

    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
        bad(scratch, mistakes[i].text, NULL, DLS_EINPUT, mistakes[i].said);
}

/* An unknown kind names those of its role; its keys are not looked at, for there is no
 * table to read them by. */
static void test_unknown_kind(void **state)
{
    struct scratch *scratch = *state;
    struct dls_str expected;
    const struct dls_kind *kind;
    const char *before = " ";

    dls_str_init(&expected);
    dls_str_add(
        &expected,
        "s.yaml:5:16: unknown kind 'loader.pytroch' of loader: valid kinds are");
    for (size_t i = 0; (kind = dls_registry_at(i)) != NULL; i++)
        if (kind->role == DLS_ROLE_LOADER) {
            dls_str_addf(&expected, "%s%s", before, kind->name);
            before = ", ";
        }
    dls_str_add(&expected, " (did you mean 'loader.pytorch'?)\n");
    bad(scratch,
        HEAD "host: {cores: 4}\nsource: {samples: 50}\n"
             "loader: {kind: loader.pytroch, quux: 3}\nconsumer: {step: 1 ms}\n",
        NULL, DLS_EINPUT, expected.data);
    dls_str_release(&expected);
    /* the kind of another role is as unknown */
    bad(scratch, LEAST "cache: {kind: link.none}\n", NULL, DLS_EINPUT,
        "s.yaml:7:15: unknown kind 'link.none' of cache: valid kinds are cache.none\n");
}

/* After twenty errors the rest is only counted. */
static void test_many_errors(void **state)
{
    struct scratch *scratch = *state;
    struct dls_scenario *scenario;
    struct dls_str text;

    dls_str_init(&text);
    dls_str_add(&text, LEAST);
    for (int i = 0; i < 25; i++)
        dls_str_addf(&text, "quux%d: 1\n", i);
    scratch_write(scratch, "s.yaml", text.data);
    assert_int_equal(rig_read(scratch, NULL, &scenario), DLS_EINPUT);
    assert_int_equal(dls_diag_count(scratch->diag), DLS_DIAG_MAX);
    assert_int_equal(dls_diag_errors(scratch->diag), 25);
    dls_str_release(&text);
}

/* Messages from before are no reason to reject a good scenario. */
static void test_earlier_errors(void **state)
{
    struct scratch *scratch = *state;
    struct dls_scenario *scenario;

    scratch_write(scratch, "s.yaml", LEAST);
    dls_diag_error(scratch->diag, NULL, "of another file");
    assert_int_equal(rig_read(scratch, NULL, &scenario), DLS_OK);
    check_said(scratch, "of another file\n");
    dls_scenario_free(scenario);
}

static void test_unreadable(void **state)
{
    struct scratch *scratch = *state;
    struct dls_scenario *scenario = NULL;

    assert_int_equal(rig_read(scratch, NULL, &scenario), DLS_EIO);
    check_said(scratch, "cannot read 'DIR/s.yaml': No such file or directory\n");
    assert_int_equal(
        dls_scenario_read(scratch->folder, NULL, 0, scratch->diag, &scenario), DLS_EIO);
    check_said(scratch, "cannot read 'DIR': Is a directory\n");
    assert_null(scenario);
    dls_scenario_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_least, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_whole, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_values, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_params, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_params_mistakes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_from, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_hash, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_mistakes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_unknown_kind, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_many_errors, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_earlier_errors, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_unreadable, set_up, tear_down),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
