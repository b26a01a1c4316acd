/* The JSON form: exact numbers, nulls, hex strings, and the same bytes for the same
 * result. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <cjson/cJSON.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/report/report.h"
#include "tests/support/made_result.h"

static char *render(const struct dls_result *result)
{
    struct dls_verdict *verdict = dls_verdict_new(result);
    struct dls_str out;
    char *text;

    dls_str_init(&out);
    assert_int_equal(dls_report_json(result, verdict, &out), DLS_OK);
    dls_verdict_free(verdict);
    text = dls_str_take(&out);
    dls_str_release(&out);
    return text;
}

static const cJSON *at(const cJSON *object, const char *a, const char *b)
{
    const cJSON *found = cJSON_GetObjectItemCaseSensitive(object, a);

    if (found != NULL && b != NULL)
        found = cJSON_GetObjectItemCaseSensitive(found, b);
    if (found == NULL)
        fail_msg("no '%s' '%s'", a, b != NULL ? b : "");
    return found;
}

static void test_fields(void **state)
{
    struct dls_result *result = made_result();
    cJSON *root;
    const cJSON *metric, *row;
    char *text;

    (void)state;
    result->total[DLS_METRIC_SAMPLES_PER_S] = (struct dls_value){100,   98.5,   101.5,
                                                                 90.25, 109.75, 10};
    made_origin(result, "loader.workers", "4");
    text = render(result);
    root = cJSON_Parse(text);
    assert_non_null(root);
    assert_int_equal(at(root, "dlsim_result", NULL)->valueint, 1);
    assert_string_equal(at(root, "scenario", NULL)->valuestring, "made");
    metric = at(root, "metrics", "samples_per_s");
    assert_true(at(metric, "value", NULL)->valuedouble == 100);
    assert_true(at(metric, "low", NULL)->valuedouble == 98.5);
    assert_true(at(metric, "high", NULL)->valuedouble == 101.5);
    assert_true(at(metric, "predict_low", NULL)->valuedouble == 90.25);
    assert_true(at(metric, "predict_high", NULL)->valuedouble == 109.75);
    assert_string_equal(at(metric, "unit", NULL)->valuestring, "1/s");
    assert_int_equal(at(metric, "n", NULL)->valueint, 10);
    metric = at(root, "metrics", "cache_hit_ratio");
    assert_true(cJSON_IsNull(at(metric, "value", NULL)));
    assert_int_equal(at(metric, "n", NULL)->valueint, 0);
    assert_int_equal(cJSON_GetArraySize(at(root, "metrics", NULL)), DLS_METRICS);
    assert_int_equal(cJSON_GetArraySize(at(root, "epochs", NULL)), 1);
    row = at(root, "stages", "decode");
    assert_true(at(row, "elapsed_s", NULL)->valuedouble == 30);
    assert_true(cJSON_IsNull(at(at(root, "stages", "open"), "bound_per_s", NULL)));
    assert_true(at(root, "wait_by_cause_s", "cpu")->valuedouble == 4.5);
    assert_string_equal(at(root, "bottleneck", "stage")->valuestring, "decode");
    assert_string_equal(at(root, "bottleneck", "limit")->valuestring, "workers");
    row = cJSON_GetArrayItem(at(root, "bottleneck", "hints"), 0);
    assert_string_equal(at(row, "set", NULL)->valuestring, "loader.workers=8");
    assert_string_equal(at(root, "fingerprint", NULL)->valuestring, "feedfacecafebeef");
    assert_string_equal(
        at(at(root, "provenance", "scenario"), "hash", NULL)->valuestring,
        "0000000000000123");
    assert_true(cJSON_IsNull(at(root, "provenance", "params")));
    row = cJSON_GetArrayItem(at(root, "provenance", "values"), 0);
    assert_string_equal(at(row, "origin", NULL)->valuestring, "scenarios/made.yaml:3");
    cJSON_Delete(root);
    dls_mem_free(text);
    dls_result_free(result);
}

/* Doubles that 15 digits do not hold, and whole numbers past 2^53. */
static void test_exact_numbers(void **state)
{
    static const double values[] = {
        0.1 + 0.2, 1.0 / 3, 5e-324, 1.7976931348623157e308, 123456789.123456789, 1};
    struct dls_result *result = made_result();

    (void)state;
    result->seed = INT64_C(9007199254740993);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const char *found;
        char *text;

        result->total[DLS_METRIC_WAIT_S] = made_value(values[i]);
        text = render(result);
        found = strstr(text, "\"wait_s\":");
        assert_non_null(found);
        found = strstr(found, "\"value\":") + strlen("\"value\":");
        if (strtod(found, NULL) != values[i])
            fail_msg("%.17g came back as %.17g", values[i], strtod(found, NULL));
        assert_non_null(strstr(text, "\"seed\":\t9007199254740993"));
        dls_mem_free(text);
    }
    dls_result_free(result);
}

static void test_same_bytes(void **state)
{
    static const char *const locales[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"};
    struct dls_result *result = made_result();
    struct dls_batch_times batch = {.done = 7};
    char *first, *second;

    (void)state;
    first = render(result);
    result->batch_times = &batch; /* only plots want it */
    result->batches = 1;
    for (size_t i = 0; i < 3 && setlocale(LC_ALL, locales[i]) == NULL; i++)
        continue;
    second = render(result);
    setlocale(LC_ALL, "C");
    assert_string_equal(first, second);
    dls_mem_free(first);
    dls_mem_free(second);
    dls_result_free(result);
}

/* Texts of users: quotes and bytes that are not UTF-8 still give a valid document. */
static void test_foreign_text(void **state)
{
    struct dls_result *result = made_result();
    char *text;
    cJSON *root;

    (void)state;
    result->scenario_name = "a \"b\" \\ \n";
    result->scenario_path = "dir/\xff.yaml";
    text = render(result);
    root = cJSON_Parse(text);
    assert_non_null(root);
    assert_string_equal(at(root, "scenario", NULL)->valuestring, "a \"b\" \\ \n");
    assert_string_equal(
        at(at(root, "provenance", "scenario"), "path", NULL)->valuestring,
        "dir/\xef\xbf\xbd.yaml");
    cJSON_Delete(root);
    dls_mem_free(text);
    dls_result_free(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_exact_numbers),
        cmocka_unit_test(test_same_bytes),
        cmocka_unit_test(test_foreign_text),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
