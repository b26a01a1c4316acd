/* test_diag.c: messages with positions, as people and programs read them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sim/base/diag.h"

static void said(const struct dls_diag *diag, bool color, const char *expected)
{
    struct dls_str text;

    dls_str_init(&text);
    dls_diag_text(diag, color, &text);
    assert_string_equal(text.data, expected);
    dls_str_release(&text);
}

/* The form that the style asks for: position, severity, text, the line, a caret under
 * the column. */
static void line_and_caret(void **state)
{
    static const char source[] = "dlsim: 1\nloader:\n    workers: 0\n    prefech: 2\n";
    struct dls_place workers = {.file = "a.yaml", .line = 3, .column = 14};
    struct dls_place prefetch = {.file = "a.yaml", .line = 4, .column = 5, .span = 7};
    struct dls_diag *diag = dls_diag_new();

    (void)state;
    dls_diag_source(diag, "a.yaml", source, sizeof source - 1);
    dls_diag_error(diag, &workers, "'%s' must be at least %d, found %d", "workers", 1,
                   0);
    dls_diag_warning(diag, &prefetch, "unknown key '%s'", "prefech");
    assert_int_equal(dls_diag_errors(diag), 1);
    assert_int_equal(dls_diag_warnings(diag), 1);
    said(diag, false,
         "a.yaml:3:14: error: 'workers' must be at least 1, found 0\n"
         "  3 |     workers: 0\n"
         "    |              ^\n"
         "a.yaml:4:5: warning: unknown key 'prefech'\n"
         "  4 |     prefech: 2\n"
         "    |     ^~~~~~~\n");
    dls_diag_strict(diag);
    assert_int_equal(dls_diag_errors(diag), 2);
    assert_int_equal(dls_diag_warnings(diag), 0);
    dls_diag_free(diag);
}

/* The caret stands under the character, not the byte; tabs before it are kept. */
static void columns_count_characters(void **state)
{
    static const char source[] = "\tn\xc3\xa4me: x\n";
    struct dls_place place = {.file = "b", .line = 1, .column = 8};
    struct dls_diag *diag = dls_diag_new();

    (void)state;
    dls_diag_source(diag, "b", source, sizeof source - 1);
    dls_diag_error(diag, &place, "here");
    said(diag, false, "b:1:8: error: here\n  1 | \tn\xc3\xa4me: x\n    | \t      ^\n");
    dls_diag_free(diag);
}

static void other_places(void **state)
{
    struct dls_place row = {.file = "t.db", .table = "span", .row = 17};
    struct dls_place line = {.file = "a.csv", .line = 9};
    struct dls_place unknown = {.file = "a.yaml", .line = 1, .column = 1};
    struct dls_diag *diag = dls_diag_new();
    struct dls_str json;

    (void)state;
    dls_diag_error(diag, &row, "negative duration");
    dls_diag_error(diag, &line, "cut off");
    dls_diag_note(diag, NULL, "a \"note\"");
    dls_diag_error(diag, &unknown, "no source kept");
    said(diag, false,
         "t.db: table 'span', row 17: error: negative duration\n"
         "a.csv:9: error: cut off\n"
         "note: a \"note\"\n"
         "a.yaml:1:1: error: no source kept\n");
    dls_str_init(&json);
    dls_diag_json(diag, &json);
    assert_string_equal(json.data, "[{\"severity\": \"error\", \"file\": \"t.db\", "
                                   "\"table\": \"span\", \"row\": 17, \"text\": "
                                   "\"negative duration\"}, {\"severity\": \"error\", "
                                   "\"file\": \"a.csv\", \"line\": 9, \"text\": "
                                   "\"cut off\"}, {\"severity\": \"note\", \"text\": "
                                   "\"a \\\"note\\\"\"}, {\"severity\": \"error\", "
                                   "\"file\": \"a.yaml\", \"line\": 1, \"column\": 1, "
                                   "\"text\": \"no source kept\"}]");
    dls_str_release(&json);
    dls_diag_free(diag);
}

/* Twenty errors are kept, further ones only counted; warnings are not limited by them.
 */
static void at_most_twenty(void **state)
{
    struct dls_diag *diag = dls_diag_new();
    struct dls_str text;

    (void)state;
    for (int i = 0; i < 23; i++)
        dls_diag_error(diag, NULL, "error %d", i);
    dls_diag_warning(diag, NULL, "w");
    assert_int_equal(dls_diag_errors(diag), 23);
    assert_int_equal(dls_diag_count(diag), 21);
    assert_string_equal(dls_diag_get(diag, 19)->text, "error 19");
    dls_str_init(&text);
    dls_diag_text(diag, false, &text);
    assert_non_null(
        strstr(text.data, "error: error 19\nwarning: w\nand 3 more errors\n"));
    dls_str_release(&text);
    dls_diag_free(diag);
}

/* Lines that cannot be shown: past the end, without column; and a file without line. */
static void places_without_a_line_to_show(void **state)
{
    static const char source[] = "one\ntwo";
    struct dls_diag *diag = dls_diag_new();

    (void)state;
    dls_diag_source(diag, "a", source, sizeof source - 1);
    dls_diag_error(diag, &(struct dls_place){.file = "a", .line = 3, .column = 1},
                   "past the end");
    dls_diag_error(diag, &(struct dls_place){.file = "a", .line = 1}, "no column");
    dls_diag_error(diag, &(struct dls_place){.file = "a"}, "no line");
    dls_diag_error(diag, &(struct dls_place){.file = "a", .line = 2, .column = 4},
                   "last line");
    said(diag, false,
         "a:3:1: error: past the end\n"
         "a:1: error: no column\n"
         "a: error: no line\n"
         "a:2:4: error: last line\n"
         "  2 | two\n"
         "    |    ^\n");
    dls_diag_free(diag);
}

static void nothing_said_is_nothing(void **state)
{
    struct dls_diag *diag = dls_diag_new();
    struct dls_str json;

    (void)state;
    said(diag, false, "");
    dls_str_init(&json);
    dls_diag_json(diag, &json);
    assert_string_equal(json.data, "[]");
    dls_str_release(&json);
    dls_diag_free(diag);
    dls_diag_free(NULL);
}

static void colors_on_demand(void **state)
{
    struct dls_diag *diag = dls_diag_new();

    (void)state;
    dls_diag_warning(diag, NULL, "w");
    said(diag, true, "\033[1;35mwarning:\033[0m w\n");
    dls_diag_free(diag);
}

/* What was passed in may change or go afterwards. */
static void strings_are_copied(void **state)
{
    struct dls_diag *diag = dls_diag_new();
    char file[] = "a.yaml", word[] = "prefech";

    (void)state;
    dls_diag_error(diag, &(struct dls_place){.file = file, .line = 1},
                   "unknown key '%s'", word);
    memset(file, 'X', sizeof file - 1);
    memset(word, 'X', sizeof word - 1);
    said(diag, false, "a.yaml:1: error: unknown key 'prefech'\n");
    dls_diag_free(diag);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(line_and_caret),
        cmocka_unit_test(columns_count_characters),
        cmocka_unit_test(other_places),
        cmocka_unit_test(at_most_twenty),
        cmocka_unit_test(places_without_a_line_to_show),
        cmocka_unit_test(nothing_said_is_nothing),
        cmocka_unit_test(colors_on_demand),
        cmocka_unit_test(strings_are_copied),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
