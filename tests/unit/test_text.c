/* The report for people: order, columns, width, colour. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/report/grid.h"
#include "sim/report/report.h"
#include "tests/support/made_result.h"

static char *render(const struct dls_result *result, struct dls_report_options options)
{
    struct dls_verdict *verdict = dls_verdict_new(result);
    struct dls_str out;
    char *text;

    dls_str_init(&out);
    dls_report_text(result, verdict, &options, &out);
    dls_verdict_free(verdict);
    text = dls_str_take(&out);
    dls_str_release(&out);
    return text;
}

static void check_width(const char *text)
{
    while (*text != '\0') {
        size_t width = strcspn(text, "\n");

        if (width > 80)
            fail_msg("%zu columns: %.*s", width, (int)width, text);
        if (width > 0 && text[width - 1] == ' ')
            fail_msg("spaces at the end: %.*s", (int)width, text);
        text += width + (text[width] == '\n');
    }
}

/* Each of `parts` occurs, after the one before. */
static void check_order(const char *text, const char *const *parts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *found = strstr(text, parts[i]);

        if (found == NULL)
            fail_msg("'%s' is missing or too early in:\n%s", parts[i], text);
        text = found + strlen(parts[i]);
    }
}

static void test_order(void **state)
{
    static const char *const parts[] = {
        "made: a result made by hand\n",
        "no: decode-bound; the GPU waits 60.0 % of the time\n",
        "\nwhy\n  4 workers: 98 % busy",
        "\nwhat to try",
        "  raise loader.workers from 4 to 8: at most +100 %; then cores limit\n",
        "    dlsim run scenarios/made.yaml --set loader.workers=8\n",
        "\nmetrics\n",
        "samples_per_s",
        "\nstages",
        "decode",
        "61.2 %", /* 30 of 49 s */
        "\nwaiting of the training loop",
        "cpu",
        "75.0 %",
        "1 replication, seed 7, 5000 events, fingerprint feedfacecafebeef"};
    struct dls_result *result = made_result();
    char *text = render(result, (struct dls_report_options){0});

    (void)state;
    check_order(text, parts, sizeof parts / sizeof *parts);
    check_width(text);
    assert_null(strstr(text, "\033"));
    assert_null(strstr(text, "cache_hit_ratio")); /* no observation */
    assert_null(strstr(text, "of the mean"));     /* one replication: no interval */
    dls_mem_free(text);
    dls_result_free(result);
}

static void test_intervals_and_epochs(void **state)
{
    static const char *const parts[] = {"95 % of the mean", "90 % of one run",
                                        "samples_per_s",    "..",
                                        "\nepochs\n",       "epoch_s"};
    struct dls_result *result = made_result();
    char *text;

    (void)state;
    result->replications = 10;
    for (enum dls_metric_id m = 0; m < DLS_METRICS; m++)
        result->total[m] = (struct dls_value){1234.5678, 1111.11,   1357.9,
                                              1000.001,  1512.3456, 10};
    result->epochs = 2;
    result->epoch = dls_arena_get(result->arena, 2, sizeof *result->epoch);
    for (size_t e = 0; e < 2; e++)
        for (enum dls_metric_id m = 0; m < DLS_METRICS; m++)
            result->epoch[e][m] = made_value(0.123456);
    text = render(result, (struct dls_report_options){0});
    check_order(text, parts, sizeof parts / sizeof *parts);
    check_width(text);
    dls_mem_free(text);
    dls_result_free(result);
}

static void test_options(void **state)
{
    static const char *const sets[] = {"a.b=1 MB", "loader.workers=4"};
    struct dls_result *result = made_result();
    char *text;

    (void)state;
    made_origin(result, "loader.workers", "4");
    text = render(result, (struct dls_report_options){.brief = true});
    assert_string_equal(text, "no: decode-bound; the GPU waits 60.0 % of the time\n");
    dls_mem_free(text);
    text = render(result, (struct dls_report_options){.brief = true, .color = true});
    assert_string_equal(
        text, "\033[1;31mno: decode-bound; the GPU waits 60.0 % of the time\033[0m\n");
    dls_mem_free(text);
    text = render(result,
                  (struct dls_report_options){.inputs = true,
                                              .again = "dlsim run x.yaml --seed 3",
                                              .set = sets,
                                              .sets = 2});
    assert_non_null(strstr(text, "    dlsim run x.yaml --seed 3 --set 'a.b=1 MB' "
                                 "--set loader.workers=8\n"));
    assert_non_null(strstr(text, "  loader.workers  4  scenarios/made.yaml:3\n"));
    dls_mem_free(text);
    dls_result_free(result);
}

static void test_shell_word(void **state)
{
    static const char *const cases[][2] = {{"loader.workers=8", "loader.workers=8"},
                                           {"a b", "'a b'"},
                                           {"it's", "'it'\\''s'"},
                                           {"", "''"},
                                           {"$(x)", "'$(x)'"}};
    struct dls_str out;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dls_str_init(&out);
        dls_report_shell_word(&out, cases[i][0]);
        assert_string_equal(out.data, cases[i][1]);
        dls_str_release(&out);
    }
}

static void test_grid(void **state)
{
    struct dls_grid grid;
    struct dls_str out;

    (void)state;
    dls_grid_init(&grid, "lrl");
    dls_grid_add(&grid, "name");
    dls_grid_add(&grid, "value");
    dls_grid_add(&grid, "");
    dls_grid_add(&grid, "\xc2\xb5"); /* one character, two bytes */
    dls_grid_add(&grid, "7");
    dls_grid_add(&grid, "x");
    dls_str_init(&out);
    dls_grid_write(&grid, 1, &out);
    assert_string_equal(out.data, " name  value\n \xc2\xb5         7  x\n");
    dls_str_release(&out);
    dls_grid_release(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),   cmocka_unit_test(test_intervals_and_epochs),
        cmocka_unit_test(test_options), cmocka_unit_test(test_shell_word),
        cmocka_unit_test(test_grid),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
