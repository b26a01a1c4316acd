/* The frame of a parameter file. Its values are bound with a scenario: test_scenario.c.
 */
#include "tests/support/said.h"

#include "sim/base/hash.h"
#include "sim/scenario/params.h"

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

static void test_whole(void **state)
{
    static const char text[] = "dlsim_params: 1\n"
                               "name: p\n"
                               "about: two runs\n"
                               "recordings:\n"
                               "  - {name: a, hash: \"00ff\"}\n"
                               "host: {cores: {value: 8, n: 1}}\n"
                               "loader: {fetch: 1 ms}\n"
                               "unidentified:\n"
                               "  - {parameter: loader.lag, reason: no fork seen}\n";
    struct scratch *scratch = *state;
    const char *path = scratch_write(scratch, "p.yaml", text);
    struct dls_params params;

    assert_int_equal(dls_params_read(path, scratch->paths, scratch->diag, &params),
                     DLS_OK);
    check_said(scratch, "");
    assert_string_equal(params.path, path);
    assert_string_equal(params.dir, scratch->folder);
    assert_int_equal(params.hash, dls_hash_bytes(text, sizeof text - 1));
    assert_string_equal(
        dls_yaml_get(dls_yaml_get(params.root, "loader"), "fetch")->text, "1 ms");
}

static const struct {
    const char *text, *said;
} rejected[] = {
    {"dlsim_params: 2\n", "p.yaml:1:15: 'dlsim_params' must be 1, the version that "
                          "this program reads, found '2'\n"},
    {"dlsim_params: [1]\n", "p.yaml:1:15: 'dlsim_params' must be 1, the version that "
                            "this program reads, found a list\n"},
    {"name: x\ndlsim_params: 1\n",
     "p.yaml:1:1: the file must begin with 'dlsim_params: 1'\n"},
    {"dlsim: 1\n", "p.yaml:1:1: the file must begin with 'dlsim_params: 1'\n"},
    {"just a text\n", "p.yaml:1:1: the file must begin with 'dlsim_params: 1'\n"},
    {"{}\n", "p.yaml:1:1: the file must begin with 'dlsim_params: 1'\n"},
    {"", "p.yaml: the file is empty\n"},
    {"dlsim_params: 1\n"
     "name: [x]\n"
     "recordings: {a: 1}\n"
     "unidentified: [x]\n"
     "lodaer: {}\n"
     "quuxquux: {}\n"
     "loader: {kind: loader.pytorch}\n"
     "host: {preset: x}\n"
     "transform: {from: params}\n",
     "p.yaml:2:7: 'name' must be a text, found a list\n"
     "p.yaml:3:13: 'recordings' must be a list, found a mapping\n"
     "p.yaml:4:16: 'element' must be a mapping, found 'x'\n"
     "p.yaml:5:1: unknown section 'lodaer' in a parameter file (did you mean "
     "'loader'?)\n"
     "p.yaml:6:1: unknown section 'quuxquux' in a parameter file\n"
     "p.yaml:7:10: 'loader.kind' belongs to the scenario, not to a parameter file\n"
     "p.yaml:8:8: 'host.preset' belongs to the scenario, not to a parameter file\n"
     "p.yaml:9:13: 'transform.from' belongs to the scenario, not to a parameter "
     "file\n"},
};

static void test_rejected(void **state)
{
    struct scratch *scratch = *state;

    for (size_t i = 0; i < sizeof rejected / sizeof *rejected; i++) {
        const char *path = scratch_write(scratch, "p.yaml", rejected[i].text);
        struct dls_params params = {.path = "untouched"};

        assert_int_equal(dls_params_read(path, scratch->paths, scratch->diag, &params),
                         DLS_EINPUT);
        check_said(scratch, rejected[i].said);
        assert_string_equal(params.path, "untouched");
    }
}

static void test_unreadable(void **state)
{
    struct scratch *scratch = *state;
    struct dls_params params;

    assert_int_equal(dls_params_read(scratch_path(scratch, "p.yaml"), scratch->paths,
                                     scratch->diag, &params),
                     DLS_EIO);
    check_said(scratch, "cannot read 'DIR/p.yaml': No such file or directory\n");
    assert_int_equal(
        dls_params_read(scratch->folder, scratch->paths, scratch->diag, &params),
        DLS_EIO);
    check_said(scratch, "cannot read 'DIR': Is a directory\n");
}

static void test_dir(void **state)
{
    struct scratch *scratch = *state;

    assert_string_equal(dls_params_dir("a.yaml", scratch->paths), "");
    assert_string_equal(dls_params_dir("params/a.yaml", scratch->paths), "params");
    assert_string_equal(dls_params_dir("/a.yaml", scratch->paths), "/");
    assert_string_equal(dls_params_dir("../x/y/a.yaml", scratch->paths), "../x/y");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_whole, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_rejected, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_unreadable, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_dir, set_up, tear_down),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
