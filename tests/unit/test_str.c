/* test_str.c: growth, JSON strings, whole files, near misses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/mem.h"
#include "sim/base/str.h"
#include "tests/support/scratch.h"

static void text_grows_and_stays_terminated(void **state)
{
    struct dls_str str;

    (void)state;
    dls_str_init(&str);
    assert_string_equal(str.data, "");
    for (int i = 0; i < 1000; i++) {
        dls_str_addf(&str, "%03d", i);
        assert_int_equal(str.length, 3 * (i + 1));
        assert_int_equal(str.data[str.length], 0);
    }
    assert_memory_equal(str.data + 2997, "999", 4);
    dls_str_clear(&str);
    assert_string_equal(str.data, "");
    dls_str_add_n(&str, "a\0b", 3);
    assert_int_equal(str.length, 3);
    dls_str_release(&str);
}

static void take_hands_the_buffer_over(void **state)
{
    struct dls_str str;
    char *taken;

    (void)state;
    dls_str_init(&str);
    dls_str_add(&str, "one");
    taken = dls_str_take(&str);
    dls_str_add(&str, "two");
    assert_string_equal(taken, "one");
    assert_string_equal(str.data, "two");
    dls_mem_free(taken);
    dls_str_release(&str);
}

/* Escapes of RFC 8259; ill-formed UTF-8 (lone continuation, overlong, surrogate, past
 * U+10FFFF, cut short) byte by byte to U+FFFD. */
static const struct {
    const char *text, *json;
} jsons[] = {
    {"", "\"\""},
    {"say \"hi\"", "\"say \\\"hi\\\"\""},
    {"C:\\x", "\"C:\\\\x\""},
    {"a\nb\tc\rd", "\"a\\nb\\tc\\u000dd\""},
    {"\x01\x1f\x7f", "\"\\u0001\\u001f\x7f\""},
    {"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
     "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\""},
    {"\x80", "\"\xef\xbf\xbd\""},
    {"\xc0\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\""},
    {"\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
    {"\xf4\x90\x80\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
    {"x\xe2\x82", "\"x\xef\xbf\xbd\xef\xbf\xbd\""},
};

static void json_strings(void **state)
{
    struct dls_str str;

    (void)state;
    dls_str_init(&str);
    for (size_t i = 0; i < sizeof jsons / sizeof *jsons; i++) {
        dls_str_clear(&str);
        dls_str_add_json(&str, jsons[i].text);
        assert_string_equal(str.data, jsons[i].json);
    }
    dls_str_release(&str);
}

static void files_are_written_and_read_whole(void **state)
{
    struct scratch scratch;
    struct dls_str out, in;
    struct stat facts;
    char path[128];

    (void)state;
    scratch_init(&scratch);
    snprintf(path, sizeof path, "%s/file", scratch.folder);
    dls_str_init(&out);
    dls_str_init(&in);
    for (int i = 0; i < 200000; i++)
        dls_str_add_n(&out, i % 1000 == 0 ? "\0" : "x", 1);
    assert_int_equal(dls_str_write_file(&out, path), 0);
    assert_int_equal(dls_str_read_file(&in, path, 200000), 0);
    assert_int_equal(in.length, 200000);
    assert_memory_equal(in.data, out.data, 200000);
    dls_str_clear(&in);
    assert_int_equal(dls_str_read_file(&in, path, 199999), EFBIG);

    dls_str_clear(&out);
    dls_str_add(&out, "short");
    assert_int_equal(dls_str_write_file(&out, path), 0);
    assert_int_equal(stat(path, &facts), 0);
    assert_int_equal(facts.st_size, 5);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(dls_str_read_file(&in, path, 10), ENOENT);
    dls_str_release(&in);
    dls_str_release(&out);
    scratch_release(&scratch);
}

/* The temporary file beside the target is gone after a failure, and the failure is
 * told. */
static void failures_of_writing_are_told(void **state)
{
    struct scratch scratch;
    struct dls_str out;
    char path[128];

    (void)state;
    scratch_init(&scratch);
    dls_str_init(&out);
    dls_str_add(&out, "text");
    snprintf(path, sizeof path, "%s/none/file", scratch.folder);
    assert_int_equal(dls_str_write_file(&out, path), ENOENT);
    assert_int_equal(dls_str_write_file(&out, scratch.folder), EISDIR);
    if (access("/dev/full", W_OK) == 0)
        assert_int_equal(dls_str_write_file(&out, "/dev/full"), ENOSPC);
    dls_str_release(&out);
    scratch_release(&scratch);
}

static void assert_holds(const char *path, const char *text)
{
    struct dls_str in;

    dls_str_init(&in);
    assert_int_equal(dls_str_read_file(&in, path, 100), 0);
    assert_string_equal(in.data, text);
    dls_str_release(&in);
}

/* All of a group or none: a file that cannot be written leaves the others as they
 * were, new ones unmade, and no temporary file. */
static void groups_of_files_are_written_together(void **state)
{
    struct scratch scratch;
    struct dls_str old, new;
    char a[128], b[128], none[128];
    size_t failed = 9;

    (void)state;
    scratch_init(&scratch);
    snprintf(a, sizeof a, "%s/a", scratch.folder);
    snprintf(b, sizeof b, "%s/b", scratch.folder);
    snprintf(none, sizeof none, "%s/none/c", scratch.folder);
    dls_str_init(&old);
    dls_str_init(&new);
    dls_str_add(&old, "old");
    dls_str_add(&new, "new");
    assert_int_equal(dls_str_write_file(&old, a), 0);

    assert_int_equal(
        dls_str_write_files((struct dls_str_file[]){{a, &new}, {b, &new}, {none, &new}},
                            3, &failed),
        ENOENT);
    assert_int_equal(failed, 2);
    assert_holds(a, "old");
    assert_int_equal(access(b, F_OK), -1);

    assert_int_equal(
        dls_str_write_files((struct dls_str_file[]){{a, &new}, {b, &old}}, 2, &failed),
        0);
    assert_holds(a, "new");
    assert_holds(b, "old");
    assert_int_equal(unlink(a), 0);
    assert_int_equal(unlink(b), 0);
    assert_int_equal(rmdir(scratch.folder), 0);
    assert_int_equal(mkdir(scratch.folder, 0700), 0);
    dls_str_release(&old);
    dls_str_release(&new);
    scratch_release(&scratch);
}

static void near_misses(void **state)
{
    static const char *const names[] = {"prefetch", "batch", "workers", "pin", "cpu"};

    (void)state;
    assert_string_equal(dls_str_near("prefech", names, 5), "prefetch");
    assert_string_equal(dls_str_near("worekrs", names, 5), "workers"); /* one swap */
    assert_string_equal(dls_str_near("pim", names, 5), "pin");
    assert_null(dls_str_near("pxx", names, 5)); /* two of three letters */
    assert_string_equal(dls_str_near("btch", names, 5), "batch");
    assert_null(dls_str_near("replications", names, 5));
    assert_null(dls_str_near("", names, 5));
    assert_null(dls_str_near("prefech", names, 0));
}

static void near_of_very_long_words_is_nothing(void **state)
{
    static const char *const names[] = {"prefetch"};
    char word[3000];

    (void)state;
    memset(word, 'p', sizeof word);
    word[sizeof word - 1] = '\0';
    assert_null(dls_str_near(word, names, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_grows_and_stays_terminated),
        cmocka_unit_test(take_hands_the_buffer_over),
        cmocka_unit_test(json_strings),
        cmocka_unit_test(files_are_written_and_read_whole),
        cmocka_unit_test(failures_of_writing_are_told),
        cmocka_unit_test(groups_of_files_are_written_together),
        cmocka_unit_test(near_misses),
        cmocka_unit_test(near_of_very_long_words_is_nothing),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
