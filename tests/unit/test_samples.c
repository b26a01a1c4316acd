/* test_samples.c: the joint table's numbers bit by bit, its rules, damaged tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/hash.h"
#include "sim/scenario/samples.h"
#include "tests/support/scratch.h"

enum { EDITS = 2000 };

static const char valid[] = "sample,bytes,out_bytes,jpeg\n"
                            "0,110000,602112,0.0081\n"
                            "7,95000,602112,7.25e-3\n"
                            "19,0,602112,0\n";

static const struct dls_samples *table_read(struct scratch *scratch, const char *text)
{
    const char *path = scratch_write(scratch, "a.samples.csv", text);
    const struct dls_samples *samples = NULL;
    enum dls_status status = dls_samples_read(path, scratch->paths, scratch->diag,
                                              &samples);

    scratch_said(scratch, "");
    assert_int_equal(status, DLS_OK);
    assert_non_null(samples);
    return samples;
}

static void rejected_n(struct scratch *scratch, const char *text, size_t bytes,
                       const char *expected)
{
    const char *path = scratch_write_n(scratch, "a.csv", text, bytes);
    const struct dls_samples *samples = NULL;

    assert_int_equal(dls_samples_read(path, scratch->paths, scratch->diag, &samples),
                     DLS_EINPUT);
    assert_null(samples);
    scratch_said(scratch, expected);
}

static uint64_t draw(uint64_t *stream)
{
    *stream += 0x9e3779b97f4a7c15u;
    return dls_hash_mix(*stream);
}

/* ------------------------------------------------------------------ tables */

static void table_holds_columns_of_the_header(void **state)
{
    struct scratch scratch;
    const struct dls_samples *samples;

    (void)state;
    scratch_init(&scratch);
    samples = table_read(&scratch, valid);
    assert_int_equal(samples->rows, 3);
    assert_int_equal(samples->columns, 3);
    assert_string_equal(samples->column[0].name, "bytes");
    assert_string_equal(samples->column[1].name, "out_bytes");
    assert_string_equal(samples->column[2].name, "jpeg");
    assert_true(samples->column[0].values[0] == 110000);
    assert_true(samples->column[0].values[1] == 95000);
    assert_true(samples->column[0].values[2] == 0);
    assert_true(samples->column[1].values[2] == 602112);
    assert_true(samples->column[2].values[0] == 0.0081);
    assert_true(samples->column[2].values[1] == 0.00725);
    assert_true(samples->hash == dls_hash_text(valid));
    assert_string_equal(samples->path, scratch_path(&scratch, "a.samples.csv"));
    scratch_release(&scratch);
}

static void line_ends_do_not_matter(void **state)
{
    struct scratch scratch;
    const struct dls_samples *samples;

    (void)state;
    scratch_init(&scratch);
    samples = table_read(&scratch, "sample,bytes\r\n0,1\r\n1,2\r\n");
    assert_int_equal(samples->rows, 2);
    assert_string_equal(samples->column[0].name, "bytes");
    assert_true(samples->column[0].values[1] == 2);
    scratch_release(&scratch);
}

static void widest_table_is_read(void **state)
{
    struct scratch scratch;
    const struct dls_samples *samples;
    struct dls_str text;

    (void)state;
    scratch_init(&scratch);
    dls_str_init(&text);
    dls_str_add(&text, "sample");
    for (int i = 0; i < DLS_SAMPLES_COLUMNS; i++)
        dls_str_addf(&text, ",c%d", i);
    dls_str_add(&text, "\n5");
    for (int i = 0; i < DLS_SAMPLES_COLUMNS; i++)
        dls_str_addf(&text, ",%d", i);
    dls_str_add(&text, "\n");
    samples = table_read(&scratch, text.data);
    assert_int_equal(samples->columns, DLS_SAMPLES_COLUMNS);
    for (int i = 0; i < DLS_SAMPLES_COLUMNS; i++)
        assert_true(samples->column[i].values[0] == i);
    dls_str_release(&text);
    scratch_release(&scratch);
}

/* ------------------------------------------------------------------ numbers */

/* The nearest double of each text, as the compiler reads it: also at the edges of any
 * short way of reading. */
static const struct {
    const char *text;
    double value;
} numbers[] = {
    {"0", 0.0},
    {"00012", 12.0},
    {"5.", 5.0},
    {".5", 0.5},
    {"+1", 1.0},
    {"1e0", 1.0},
    {"1E+2", 100.0},
    {"0.1", 0.1},
    {"123456789012345", 123456789012345.0},
    {"9007199254740993", 9007199254740992.0}, /* a tie: to even */
    {"0.30000000000000004", 0.30000000000000004},
    {"999999999999999e22", 999999999999999e22},
    {"1e22", 1e22},
    {"1e23", 1e23},
    {"1e-22", 1e-22},
    {"1e-23", 1e-23},
    {"8.41e21", 8.41e21},
    {"1.7976931348623157e308", 1.7976931348623157e308},
    {"2.2250738585072014e-308", 2.2250738585072014e-308},
    {"4.9406564584124654e-324", 4.9406564584124654e-324},
    {"1e-400", 0.0},
    {"0.000000000000000000000000000001", 1e-30},
};

static void numbers_are_the_nearest_doubles(void **state)
{
    struct scratch scratch;
    char text[96];

    (void)state;
    scratch_init(&scratch);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const struct dls_samples *samples;

        snprintf(text, sizeof text, "sample,a,b\n0,%s,%s\n", numbers[i].text,
                 numbers[i].text);
        samples = table_read(&scratch, text);
        assert_memory_equal(&samples->column[0].values[0], &numbers[i].value, 8);
        assert_memory_equal(&samples->column[1].values[0], &numbers[i].value, 8);
    }
    scratch_release(&scratch);
}

/* Random doubles written with few or all digits: the same bits as from strtod. */
static void random_numbers_are_the_nearest_doubles(void **state)
{
    const uint64_t seed = 20240911;
    enum { ROWS = 20000 };
    uint64_t stream = seed;
    double *expected = dls_mem_new(ROWS, sizeof *expected);
    const struct dls_samples *samples;
    struct scratch scratch;
    struct dls_str text;

    (void)state;
    print_message("# seed %llu\n", (unsigned long long)seed);
    scratch_init(&scratch);
    dls_str_init(&text);
    dls_str_add(&text, "sample,a\n");
    for (int i = 0; i < ROWS; i++) {
        double number = (double)(draw(&stream) >> 11) * 0x1p-53;
        char written[64], scale[16];

        snprintf(scale, sizeof scale, "1e%d", (int)(draw(&stream) % 25) - 12);
        number *= strtod(scale, NULL);
        switch (draw(&stream) % 5) {
        case 0:
            snprintf(written, sizeof written, "%.17g", number);
            break;
        case 1:
            snprintf(written, sizeof written, "%.15g", number);
            break;
        case 2:
            snprintf(written, sizeof written, "%.6g", number);
            break;
        case 3:
            snprintf(written, sizeof written, "%.9e", number);
            break;
        default:
            snprintf(written, sizeof written, "%.12f", number);
            break;
        }
        expected[i] = strtod(written, NULL);
        dls_str_addf(&text, "%d,%s\n", i, written);
    }
    samples = table_read(&scratch, text.data);
    assert_int_equal(samples->rows, ROWS);
    assert_memory_equal(samples->column[0].values, expected, ROWS * sizeof *expected);
    dls_str_release(&text);
    dls_mem_free(expected);
    scratch_release(&scratch);
}

/* ------------------------------------------------------------------ rejections */

static const struct {
    const char *text, *said;
} wrong[] = {
    {"", "a.csv: the file is empty\n"},
    {"id,bytes\n0,1\n", "a.csv:1:1: the first column must be 'sample', found 'id'\n"},
    {"\n0,1\n", "a.csv:1:1: the first column must be 'sample', found ''\n"},
    {"sample\n0\n", "a.csv:1: expected at least one column after 'sample'\n"},
    {"sample,bytes,\n0,1,2\n", "a.csv:1:14: a column must have a name\n"},
    {"sample,bytes,jpeg,bytes\n0,1,2,3\n", "a.csv:1:19: duplicate column 'bytes'\n"},
    {"sample,sample\n0,1\n", "a.csv:1:8: duplicate column 'sample'\n"},
    {"sample,bytes\n", "a.csv: expected at least one row after the header\n"},
    {"sample,bytes\n0,1\n1,2",
     "a.csv:3: the last line has no line end: the file is cut off\n"},
    {"sample,bytes\n0,abc\n", "a.csv:2:3: 'bytes' must be a number, found 'abc'\n"},
    {"sample,bytes\n0,1\nx,1\n", "a.csv:3:1: 'sample' must be a number, found 'x'\n"},
    {"sample,a,bytes\n0,1,\n", "a.csv:2:5: 'bytes' must be a number, found ''\n"},
    {"sample,bytes\n0,1\n\n1,2\n", "a.csv:3:1: 'sample' must be a number, found ''\n"},
    {"sample,bytes\n0, 1\n", "a.csv:2:3: 'bytes' must be a number, found ' 1'\n"},
    {"sample,bytes\n0,1 \n", "a.csv:2:3: 'bytes' must be a number, found '1 '\n"},
    {"sample,bytes\n0,\"1\"\n", "a.csv:2:3: 'bytes' must be a number, found '\"1\"'\n"},
    {"sample,bytes\n0,0x10\n", "a.csv:2:3: 'bytes' must be a number, found '0x10'\n"},
    {"sample,bytes\n0,1e\n", "a.csv:2:3: 'bytes' must be a number, found '1e'\n"},
    {"sample,bytes\n0,1.2.3\n", "a.csv:2:3: 'bytes' must be a number, found '1.2.3'\n"},
    {"sample,bytes\n0,.\n", "a.csv:2:3: 'bytes' must be a number, found '.'\n"},
    {"sample,bytes\n0,--1\n", "a.csv:2:3: 'bytes' must be a number, found '--1'\n"},
    {"sample,bytes\n0,nan\n", "a.csv:2:3: 'bytes' must be a number, found 'nan'\n"},
    {"sample,bytes\n0,inf\n", "a.csv:2:3: 'bytes' must be a number, found 'inf'\n"},
    {"sample,bytes\n0,1e309\n", "a.csv:2:3: 'bytes' must be a number, found '1e309'\n"},
    {"sample,bytes\n0,-3\n", "a.csv:2:3: 'bytes' must not be negative, found -3\n"},
    {"sample,bytes,a\n0,-3,1\n", "a.csv:2:3: 'bytes' must not be negative, found -3\n"},
    {"sample,a,b,c\n0,1,2\n", "a.csv:2: expected 4 fields as in the header, found 3\n"},
    {"sample,a\n0,1\n1,2,3\n",
     "a.csv:3: expected 2 fields as in the header, found 3\n"},
    {"sample,a\n0\n", "a.csv:2: expected 2 fields as in the header, found 1\n"},
    {"sample,a\n0,1,\n", "a.csv:2: expected 2 fields as in the header, found 3\n"},
};

static void what_is_no_table_is_rejected(void **state)
{
    struct scratch scratch;

    (void)state;
    scratch_init(&scratch);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        rejected_n(&scratch, wrong[i].text, strlen(wrong[i].text), wrong[i].said);
    rejected_n(&scratch, "sample,a\n0,\0001\n", 14,
               "a.csv: not a text file: it holds zero bytes\n");
    scratch_release(&scratch);
}

static void too_many_columns_are_rejected(void **state)
{
    struct scratch scratch;
    struct dls_str text;

    (void)state;
    scratch_init(&scratch);
    dls_str_init(&text);
    dls_str_add(&text, "sample");
    for (int i = 0; i <= DLS_SAMPLES_COLUMNS; i++)
        dls_str_addf(&text, ",%c%c", 'a' + i / 26, 'a' + i % 26);
    dls_str_add(&text, "\n");
    rejected_n(&scratch, text.data, text.length,
               "a.csv:1:200: too many columns: at most 64 beside 'sample'\n");
    dls_str_release(&text);
    scratch_release(&scratch);
}

/* The room for rows follows from the size of the text: rows of the least size, then
 * lines that are shorter still, must not run past it. */
static void short_rows_stay_inside(void **state)
{
    struct scratch scratch;
    struct dls_str text;

    (void)state;
    scratch_init(&scratch);
    dls_str_init(&text);
    dls_str_add(&text, "sample,a\n");
    for (int i = 0; i < 20000; i++)
        dls_str_add(&text, "1,2\n");
    for (int i = 0; i < 20000; i++)
        dls_str_add(&text, "\n");
    rejected_n(&scratch, text.data, text.length,
               "a.csv:20002:1: 'sample' must be a number, found ''\n");
    dls_str_release(&text);
    scratch_release(&scratch);
}

static void unread(struct scratch *scratch, const char *path, const char *said)
{
    const struct dls_samples *samples = NULL;

    assert_int_equal(dls_samples_read(path, scratch->paths, scratch->diag, &samples),
                     DLS_EIO);
    assert_null(samples);
    assert_int_equal(dls_diag_count(scratch->diag), 1);
    assert_string_equal(dls_diag_get(scratch->diag, 0)->text, said);
    dls_diag_free(scratch->diag);
    scratch->diag = dls_diag_new();
}

static void file_that_cannot_be_read_is_named(void **state)
{
    struct scratch scratch;
    char said[128];

    (void)state;
    scratch_init(&scratch);
    unread(&scratch, "x.csv", "cannot read 'x.csv': No such file or directory");
    snprintf(said, sizeof said, "cannot read '%s': Is a directory", scratch.folder);
    unread(&scratch, scratch.folder, said);
    scratch_release(&scratch);
}

/* ------------------------------------------------------------------ size and damage */

/* A million rows of six columns: every value in its place. */
static void million_rows_are_read(void **state)
{
    enum { ROWS = 1000000 };
    const struct dls_samples *samples;
    struct scratch scratch;
    struct dls_str text;

    (void)state;
    scratch_init(&scratch);
    dls_str_init(&text);
    dls_str_add(&text, "sample,bytes,out_bytes,a,b,c\n");
    for (int i = 0; i < ROWS; i++)
        dls_str_addf(&text, "%d,%d,602112,0.%06d,%d.5,1e-3\n", i, i * 2, i, i);
    samples = table_read(&scratch, text.data);
    assert_int_equal(samples->rows, ROWS);
    assert_int_equal(samples->columns, 5);
    for (int i = 0; i < ROWS; i++)
        if (samples->column[0].values[i] != i * 2 ||
            samples->column[1].values[i] != 602112 ||
            samples->column[2].values[i] != i / 1e6 ||
            samples->column[3].values[i] != i + 0.5 ||
            samples->column[4].values[i] != 1e-3)
            fail_msg("row %d differs", i);
    assert_true(samples->hash == dls_hash_bytes(text.data, text.length));
    dls_str_release(&text);
    scratch_release(&scratch);
}

/* Replaces, inserts or drops one byte; often one that means something to the table. */
static size_t damage(char *text, size_t bytes, uint64_t *stream)
{
    static const char marks[] = ",\n\r.-+eE0123456789 x\"\0\xff";
    size_t at = (size_t)(draw(stream) % bytes);
    char byte = draw(stream) % 4 != 0 ? marks[draw(stream) % (sizeof marks - 1)]
                                      : (char)(unsigned char)draw(stream);

    switch (draw(stream) % 3) {
    case 0:
        text[at] = byte;
        return bytes;
    case 1:
        memmove(text + at + 1, text + at, bytes - at);
        text[at] = byte;
        return bytes + 1;
    default:
        memmove(text + at, text + at + 1, bytes - at - 1);
        return bytes - 1;
    }
}

static void assert_sound(const struct dls_samples *samples)
{
    assert_true(samples->rows > 0 && samples->columns > 0);
    for (size_t i = 0; i < samples->columns; i++)
        for (int64_t row = 0; row < samples->rows; row++)
            assert_true(samples->column[i].values[row] >= 0 &&
                        samples->column[i].values[row] <= 1.7976931348623157e308);
}

static void damaged_table_is_read_or_rejected(void **state)
{
    const uint64_t seed = 20240818;
    uint64_t stream = seed;
    struct scratch scratch;
    char text[sizeof valid + 8];
    int whole = 0;

    (void)state;
    print_message("# seed %llu\n", (unsigned long long)seed);
    scratch_init(&scratch);
    for (int i = 0; i < EDITS; i++) {
        struct dls_arena *arena = dls_arena_new();
        struct dls_diag *diag = dls_diag_new();
        const struct dls_samples *samples = NULL;
        size_t bytes = strlen(valid);
        enum dls_status status;
        const char *path;

        memcpy(text, valid, sizeof valid);
        for (uint64_t edits = 1 + draw(&stream) % 4; edits > 0; edits--)
            bytes = damage(text, bytes, &stream);
        path = scratch_write_n(&scratch, "a.csv", text, bytes);
        status = dls_samples_read(path, arena, diag, &samples);
        assert_int_equal(status, dls_diag_errors(diag) == 0 ? DLS_OK : DLS_EINPUT);
        assert_int_equal(status == DLS_OK, samples != NULL);
        if (samples != NULL) {
            assert_sound(samples);
            whole++;
        }
        dls_diag_free(diag);
        dls_arena_free(arena);
    }
    assert_in_range(whole, EDITS / 10, EDITS - EDITS / 10); /* both ways were taken */
    scratch_release(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_holds_columns_of_the_header),
        cmocka_unit_test(line_ends_do_not_matter),
        cmocka_unit_test(widest_table_is_read),
        cmocka_unit_test(numbers_are_the_nearest_doubles),
        cmocka_unit_test(random_numbers_are_the_nearest_doubles),
        cmocka_unit_test(what_is_no_table_is_rejected),
        cmocka_unit_test(too_many_columns_are_rejected),
        cmocka_unit_test(short_rows_stay_inside),
        cmocka_unit_test(file_that_cannot_be_read_is_named),
        cmocka_unit_test(million_rows_are_read),
        cmocka_unit_test(damaged_table_is_read_or_rejected),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
