/* test_yaml_tree.c: trees with positions, what strict files do not have, damaged
 * text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/hash.h"
#include "sim/scenario/yaml_tree.h"
#include "tests/support/scratch.h"

enum { LIMIT = 1 << 20, EDITS = 2000 };

static const char valid[] = "# a scenario\n"
                            "dlsim: 1\n"
                            "name: \"pr\\u00fcf\"\n"
                            "about: >\n"
                            "  two\n"
                            "  lines\n"
                            "storage: {kind: storage.nvme, count: 2}\n"
                            "transform:\n"
                            "  ops:\n"
                            "    - {name: decode, demand: 3 ms}\n"
                            "    - name: 'crop'\n"
                            "      demand: [1 ms, 2 ms]\n"
                            "empty:\n"
                            "list: []\n";

static const struct dls_yaml *parsed(struct scratch *scratch, const char *text)
{
    const struct dls_yaml *root = NULL;
    enum dls_status status = dls_yaml_parse("a.yaml", text, strlen(text),
                                            scratch->paths, scratch->diag, &root);

    scratch_said(scratch, "");
    assert_int_equal(status, DLS_OK);
    assert_non_null(root);
    return root;
}

static void rejected(struct scratch *scratch, const char *text, size_t bytes,
                     const char *expected)
{
    const struct dls_yaml *root = NULL;

    assert_int_equal(
        dls_yaml_parse("a.yaml", text, bytes, scratch->paths, scratch->diag, &root),
        DLS_EINPUT);
    assert_null(root);
    scratch_said(scratch, expected);
}

static void assert_place(const struct dls_yaml *node, long line, long column, long span)
{
    assert_string_equal(node->place.file, "a.yaml");
    assert_int_equal(node->place.line, line);
    assert_int_equal(node->place.column, column);
    assert_int_equal(node->place.span, span);
    assert_null(node->place.table);
}

static void scalar_is(const struct dls_yaml *node, const char *text, bool quoted)
{
    assert_int_equal(node->type, DLS_YAML_SCALAR);
    assert_string_equal(node->text, text);
    assert_int_equal(node->quoted, quoted);
}

/* ------------------------------------------------------------------ trees */

static void tree_holds_text_and_order(void **state)
{
    struct scratch scratch;
    const struct dls_yaml *root, *ops;

    (void)state;
    scratch_init(&scratch);
    root = parsed(&scratch, valid);
    assert_int_equal(root->type, DLS_YAML_MAPPING);
    assert_int_equal(root->count, 7);
    scalar_is(root->key[0], "dlsim", false);
    scalar_is(root->item[0], "1", false);
    scalar_is(root->item[1],
              "pr\xc3\xbc"
              "f",
              true);
    scalar_is(root->item[2], "two lines\n", true);
    assert_string_equal(root->key[6]->text, "list");
    ops = dls_yaml_get(dls_yaml_get(root, "transform"), "ops");
    assert_int_equal(ops->type, DLS_YAML_SEQUENCE);
    assert_int_equal(ops->count, 2);
    scalar_is(dls_yaml_get(ops->item[0], "demand"), "3 ms", false);
    scalar_is(dls_yaml_get(ops->item[1], "name"), "crop", true);
    assert_int_equal(dls_yaml_get(ops->item[1], "demand")->count, 2);
    scalar_is(dls_yaml_get(root, "empty"), "", false);
    assert_int_equal(dls_yaml_get(root, "list")->count, 0);
    scratch_release(&scratch);
}

/* Lines and columns are those an editor shows; a column is a character, not a byte. */
static void nodes_know_their_place(void **state)
{
    struct scratch scratch;
    const struct dls_yaml *root, *ops;

    (void)state;
    scratch_init(&scratch);
    root = parsed(&scratch, valid);
    assert_place(root, 2, 1, 1);
    assert_place(root->key[0], 2, 1, 5);
    assert_place(root->item[0], 2, 8, 1);
    assert_place(root->item[1], 3, 7, 11);
    assert_place(dls_yaml_get(root, "storage"), 7, 10, 1);
    assert_place(dls_yaml_get(root, "storage")->item[0], 7, 17, 12);
    ops = dls_yaml_get(dls_yaml_get(root, "transform"), "ops");
    assert_place(ops->item[1]->key[1], 12, 7, 6);
    assert_place(ops->item[1]->item[1]->item[1], 12, 22, 4);
    root = parsed(&scratch, "{\xc3\xa4\xc3\xb6: 1, b: 2}\r\n");
    assert_place(root->key[0], 1, 2, 2);
    assert_place(root->key[1], 1, 9, 1);
    scratch_release(&scratch);
}

/* YAML 1.1 would make numbers and truth values of these. */
static void scalars_stay_text(void **state)
{
    static const char *const texts[] = {"no",   "0x10", "1_000", "12:30",     "~",
                                        "null", "1e3",  ".inf",  "2001-01-01"};
    struct scratch scratch;
    char line[32];

    (void)state;
    scratch_init(&scratch);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        snprintf(line, sizeof line, "a: %s\n", texts[i]);
        scalar_is(parsed(&scratch, line)->item[0], texts[i], false);
    }
    scratch_release(&scratch);
}

static void any_type_may_be_the_root(void **state)
{
    struct scratch scratch;

    (void)state;
    scratch_init(&scratch);
    scalar_is(parsed(&scratch, "one\n"), "one", false);
    assert_int_equal(parsed(&scratch, "- 1\n- 2\n")->count, 2);
    assert_int_equal(parsed(&scratch, "{}")->count, 0);
    assert_int_equal(parsed(&scratch, "---\na: 1\n...\n")->count, 1);
    assert_int_equal(parsed(&scratch, "\xef\xbb\xbf"
                                      "a: 1\n")
                         ->count,
                     1);
    scratch_release(&scratch);
}

static void get_finds_keys_of_mappings(void **state)
{
    struct scratch scratch;
    const struct dls_yaml *root;

    (void)state;
    scratch_init(&scratch);
    root = parsed(&scratch, "a: [x]\n'<<': 1\n'': 2\nA: 3\n");
    assert_ptr_equal(dls_yaml_get(root, "a"), root->item[0]);
    assert_ptr_equal(dls_yaml_get(root, "<<"), root->item[1]);
    assert_ptr_equal(dls_yaml_get(root, ""), root->item[2]);
    assert_ptr_equal(dls_yaml_get(root, "A"), root->item[3]);
    assert_null(dls_yaml_get(root, "x"));
    assert_null(dls_yaml_get(root->item[0], "x"));
    assert_null(dls_yaml_get(root->item[1], "1"));
    scratch_release(&scratch);
}

static void types_have_words(void **state)
{
    (void)state;
    assert_string_equal(dls_yaml_type_text(DLS_YAML_SCALAR), "a single value");
    assert_string_equal(dls_yaml_type_text(DLS_YAML_SEQUENCE), "a list");
    assert_string_equal(dls_yaml_type_text(DLS_YAML_MAPPING), "a mapping");
}

/* ------------------------------------------------------------------ words */

static void found_is_short_and_on_one_line(void **state)
{
    struct scratch scratch;
    const struct dls_yaml *root;
    char out[DLS_YAML_SHOWN], text[80], whole[DLS_YAML_SHOWN];

    (void)state;
    scratch_init(&scratch);
    root = parsed(&scratch, "[abc, '', \"a\\nb\\tc\", [], {}]\n");
    assert_string_equal(dls_yaml_found(root->item[0], out), "'abc'");
    assert_string_equal(dls_yaml_found(root->item[1], out), "''");
    assert_string_equal(dls_yaml_found(root->item[2], out), "'a b c'");
    assert_string_equal(dls_yaml_found(root->item[3], out), "a list");
    assert_string_equal(dls_yaml_found(root->item[4], out), "a mapping");
    root = parsed(&scratch, "a:\n");
    assert_string_equal(dls_yaml_found(root->item[0], out), "nothing");
    for (size_t length = 50; length < sizeof text; length++) {
        memset(text, 'x', length);
        text[length] = '\0';
        snprintf(whole, sizeof whole, "%.58s%s", text, length > 58 ? "..." : "");
        assert_string_equal(dls_yaml_shown(text, out), whole);
    }
    memset(text, 'x', 57);
    strcpy(text + 57, "\xc3\xa4\xc3\xa4"); /* the 58th byte begins a character */
    memset(whole, 'x', 57);
    strcpy(whole + 57, "...");
    assert_string_equal(dls_yaml_shown(text, out), whole);
    scratch_release(&scratch);
}

static void flow_is_one_line(void **state)
{
    struct scratch scratch;
    const struct dls_yaml *root;
    const char *flow;
    char text[512];

    (void)state;
    scratch_init(&scratch);
    root = parsed(&scratch, "law: lognormal\nmean: 3 ms\nat: [1, {b: 2}]\nno: []\n");
    assert_string_equal(dls_yaml_flow(root, scratch.paths),
                        "{law: lognormal, mean: 3 ms, at: [1, {b: 2}], no: []}");
    for (size_t length = 195; length < 205; length++) {
        memset(text, 'y', length);
        text[length] = '\0';
        flow = dls_yaml_flow(parsed(&scratch, text), scratch.paths);
        assert_int_equal(strlen(flow), length > 200 ? 203 : length);
        assert_int_equal(strcmp(flow + strlen(flow) - 3, "...") == 0, length > 200);
    }
    scratch_release(&scratch);
}

/* ------------------------------------------------------------------ rejections */

static const struct {
    const char *text, *said;
} wrong[] = {
    {"", "a.yaml: the file is empty\n"},
    {"# only\n", "a.yaml: the file is empty\n"},
    {"a: 1\n---\nb: 2\n", "a.yaml:2:1: a second document starts here, expected one\n"},
    {"a: 1\nb: 2\na: 3\n", "a.yaml:3:1: duplicate key 'a' (first on line 1)\n"},
    {"a: 1\n'a': 2\n", "a.yaml:2:1: duplicate key 'a' (first on line 1)\n"},
    {"\na:\n  - {b: 1, b: 2, b: 3}\n",
     "a.yaml:3:12: duplicate key 'b' (first on line 3)\n"
     "a.yaml:3:18: duplicate key 'b' (first on line 3)\n"},
    {"a: &x 1\n", "a.yaml:1:4: anchors are not supported: write the value out\n"},
    {"a: &x 1\nb: *x\n",
     "a.yaml:1:4: anchors are not supported: write the value out\n"
     "a.yaml:2:4: aliases are not supported: write the value out\n"},
    {"a: *x\n", "a.yaml:1:4: aliases are not supported: write the value out\n"},
    {"a: !!int 1\nb: !x []\nc: !x {}\n",
     "a.yaml:1:4: tags are not supported: the parameter table gives a value its type\n"
     "a.yaml:2:4: tags are not supported: the parameter table gives a value its type\n"
     "a.yaml:3:4: tags are not supported: the parameter table gives a value its "
     "type\n"},
    {"a: 1\n<<: {b: 1}\n",
     "a.yaml:2:1: merge keys are not supported: write the keys out\n"},
    {"? [a]\n: 1\n", "a.yaml:1:3: a key must be a single value, found a list\n"},
    {"{{a: 1}: 1}\n", "a.yaml:1:2: a key must be a single value, found a mapping\n"},
    {"a: \"\\e[1m\"\n", "a.yaml:1:4: a value must not hold control characters\n"},
    {"a: \"\\0\"\n", "a.yaml:1:4: a value must not hold control characters\n"},
    {"a: \"\\x85\"\n", "a.yaml:1:4: a value must not hold control characters\n"},
    {"a: b: c\n",
     "a.yaml:1:5: not valid YAML: mapping values are not allowed in this context\n"},
    {"a: [1, 2\n", "a.yaml:2:1: not valid YAML: did not find expected ',' or ']' "
                   "while parsing a flow sequence\n"},
    {"a: 1\n b: 2\n",
     "a.yaml:2:3: not valid YAML: mapping values are not allowed in this context\n"},
    {"a: 'x\n", "a.yaml:2:1: not valid YAML: found unexpected end of stream "
                "while scanning a quoted scalar\n"},
    {"a:\n\tb: 1\n",
     "a.yaml:2:1: not valid YAML: found character that cannot start any token "
     "while scanning for the next token\n"},
};

static void what_strict_files_lack_is_rejected(void **state)
{
    struct scratch scratch;

    (void)state;
    scratch_init(&scratch);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        rejected(&scratch, wrong[i].text, strlen(wrong[i].text), wrong[i].said);
    scratch_release(&scratch);
}

static void bytes_that_are_no_text_are_rejected(void **state)
{
    struct scratch scratch;

    (void)state;
    scratch_init(&scratch);
    rejected(&scratch, "a: 1\0\n", 6,
             "a.yaml:1:5: not a text file: control characters are not allowed\n");
    rejected(&scratch, "a: 1\n\xc3\xa4: \xff\n", 10,
             "a.yaml:2:4: not a text file: invalid leading UTF-8 octet\n");
    rejected(&scratch, "a: \xc3(\n", 6,
             "a.yaml:1:5: not a text file: invalid trailing UTF-8 octet\n");
    rejected(&scratch, "a: \xc3", 4,
             "a.yaml:1:4: not a text file: incomplete UTF-8 octet sequence\n");
    rejected(&scratch, "a: \xc0\x80\n", 6,
             "a.yaml:1:4: not a text file: invalid length of a UTF-8 sequence\n");
    rejected(&scratch, "a: \xed\xa0\x80\n", 7,
             "a.yaml:1:4: not a text file: invalid Unicode character\n");
    scratch_release(&scratch);
}

static void depth_and_count_have_limits(void **state)
{
    struct scratch scratch;
    char text[2 * DLS_YAML_DEPTH + 3];
    struct dls_str many;

    (void)state;
    scratch_init(&scratch);
    memset(text, '[', DLS_YAML_DEPTH);
    memset(text + DLS_YAML_DEPTH, ']', DLS_YAML_DEPTH);
    text[2 * DLS_YAML_DEPTH] = '\0';
    parsed(&scratch, text);
    memset(text, '[', DLS_YAML_DEPTH + 1);
    memset(text + DLS_YAML_DEPTH + 1, ']', DLS_YAML_DEPTH + 1);
    rejected(&scratch, text, 2 * DLS_YAML_DEPTH + 2,
             "a.yaml:1:33: nested too deeply: at most 32 levels\n");
    dls_str_init(&many);
    dls_str_add(&many, "[\n");
    for (int i = 1; i < DLS_YAML_NODES; i++)
        dls_str_add(&many, "0,\n");
    dls_str_add(&many, "]\n");
    assert_int_equal(parsed(&scratch, many.data)->count, DLS_YAML_NODES - 1);
    memcpy(many.data + many.length - 2, "0]", 2);
    rejected(&scratch, many.data, many.length,
             "a.yaml:1048577:1: too many values: at most 1048576\n");
    dls_str_release(&many);
    scratch_release(&scratch);
}

static void message_shows_line_and_caret(void **state)
{
    static const char text[] = "workers: 4\nworkers: 8\n";
    struct scratch scratch;
    const struct dls_yaml *root = NULL;
    struct dls_str said;

    (void)state;
    scratch_init(&scratch);
    assert_int_equal(dls_yaml_parse("a.yaml", text, strlen(text), scratch.paths,
                                    scratch.diag, &root),
                     DLS_EINPUT);
    dls_str_init(&said);
    dls_diag_text(scratch.diag, false, &said);
    assert_non_null(strstr(said.data, " 2 | workers: 8\n"));
    assert_non_null(strstr(said.data, " | ^~~~~~~\n"));
    dls_str_release(&said);
    scratch_release(&scratch);
}

/* ------------------------------------------------------------------ files */

/* A failed read: its status, its only message, results untouched. */
static void unread(struct scratch *scratch, const char *path, size_t limit,
                   enum dls_status status, const char *text)
{
    const struct dls_yaml *root = NULL;
    uint64_t hash = 7;

    assert_int_equal(
        dls_yaml_read(path, limit, scratch->paths, scratch->diag, &root, &hash),
        status);
    assert_null(root);
    assert_int_equal(hash, 7);
    assert_int_equal(dls_diag_count(scratch->diag), 1);
    assert_string_equal(dls_diag_get(scratch->diag, 0)->text, text);
    dls_diag_free(scratch->diag);
    scratch->diag = dls_diag_new();
}

static void file_is_read_with_its_hash(void **state)
{
    struct scratch scratch;
    const struct dls_yaml *root = NULL;
    const char *path;
    uint64_t hash = 0;

    (void)state;
    scratch_init(&scratch);
    path = scratch_write(&scratch, "x.yaml", valid);
    assert_int_equal(
        dls_yaml_read(path, strlen(valid), scratch.paths, scratch.diag, &root, &hash),
        DLS_OK);
    assert_int_equal(root->count, 7);
    assert_string_equal(root->place.file, path);
    assert_true(hash == dls_hash_text(valid));
    root = NULL;
    assert_int_equal(
        dls_yaml_read(path, LIMIT, scratch.paths, scratch.diag, &root, NULL), DLS_OK);
    assert_non_null(root);
    scratch_said(&scratch, "");
    scratch_release(&scratch);
}

static void file_that_cannot_be_read_is_named(void **state)
{
    struct scratch scratch;
    const char *path;
    char said[128], limit[64];

    (void)state;
    scratch_init(&scratch);
    unread(&scratch, "x.yaml", LIMIT, DLS_EIO,
           "cannot read 'x.yaml': No such file or directory");
    snprintf(said, sizeof said, "cannot read '%s': Is a directory", scratch.folder);
    unread(&scratch, scratch.folder, LIMIT, DLS_EIO, said);
    path = scratch_write(&scratch, "x.yaml", valid);
    snprintf(limit, sizeof limit, "the file is too large: more than %zu bytes",
             strlen(valid) - 1);
    unread(&scratch, path, strlen(valid) - 1, DLS_EINPUT, limit);
    path = scratch_write(&scratch, "empty.yaml", "");
    unread(&scratch, path, LIMIT, DLS_EINPUT, "the file is empty");
    scratch_release(&scratch);
}

/* ------------------------------------------------------------------ damage */

static uint64_t draw(uint64_t *stream, uint64_t below)
{
    *stream += 0x9e3779b97f4a7c15u;
    return dls_hash_mix(*stream) % below;
}

static long lines_of(const char *text, size_t bytes)
{
    long lines = 1;

    for (size_t i = 0; i < bytes; i++)
        lines += text[i] == '\n' || text[i] == '\r';
    return lines;
}

/* Every node of a whole tree has its place in the text, and mappings have text keys. */
static void assert_sound(const struct dls_yaml *node, long lines)
{
    assert_in_range(node->place.line, 1, lines);
    assert_true(node->place.column >= 1 && node->place.span >= 0);
    if (node->type == DLS_YAML_SCALAR) {
        assert_non_null(node->text);
        assert_int_equal(node->count, 0);
    }
    for (size_t i = 0; i < node->count; i++) {
        if (node->type == DLS_YAML_MAPPING) {
            assert_int_equal(node->key[i]->type, DLS_YAML_SCALAR);
            assert_sound(node->key[i], lines);
            assert_ptr_equal(dls_yaml_get(node, node->key[i]->text), node->item[i]);
        }
        assert_sound(node->item[i], lines);
    }
}

/* Replaces, inserts or drops one byte; often one that means something to YAML. */
static size_t damage(char *text, size_t bytes, uint64_t *stream)
{
    static const char marks[] = "{}[],:&*!|>'\"%@`#?- \n\t<\\\0\xff\xc3";
    size_t at = draw(stream, bytes);
    char byte = draw(stream, 2) == 0 ? marks[draw(stream, sizeof marks - 1)]
                                     : (char)(unsigned char)draw(stream, 256);

    switch (draw(stream, 3)) {
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

static void damaged_text_is_read_or_rejected(void **state)
{
    const uint64_t seed = 20240817;
    uint64_t stream = seed;
    int whole = 0;

    (void)state;
    print_message("# seed %llu\n", (unsigned long long)seed);
    for (int i = 0; i < EDITS; i++) {
        struct dls_arena *arena = dls_arena_new();
        struct dls_diag *diag = dls_diag_new();
        const struct dls_yaml *root = NULL;
        size_t bytes = strlen(valid);
        char *text = dls_mem_new(bytes + 8, 1), *exact;
        enum dls_status status;
        struct dls_str said;

        memcpy(text, valid, bytes);
        for (uint64_t edits = 1 + draw(&stream, 4); edits > 0; edits--)
            bytes = damage(text, bytes, &stream);
        exact = dls_mem_new(bytes, 1); /* a byte read past the end is caught */
        memcpy(exact, text, bytes);
        status = dls_yaml_parse("a.yaml", exact, bytes, arena, diag, &root);
        assert_int_equal(status, dls_diag_errors(diag) == 0 ? DLS_OK : DLS_EINPUT);
        assert_int_equal(status == DLS_OK, root != NULL);
        if (root != NULL) {
            assert_sound(root, lines_of(exact, bytes));
            assert_non_null(dls_yaml_flow(root, arena));
            whole++;
        }
        dls_str_init(&said);
        dls_diag_text(diag, true, &said);
        dls_str_release(&said);
        dls_mem_free(exact);
        dls_mem_free(text);
        dls_diag_free(diag);
        dls_arena_free(arena);
    }
    assert_in_range(whole, EDITS / 10, EDITS - EDITS / 10); /* both ways were taken */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tree_holds_text_and_order),
        cmocka_unit_test(nodes_know_their_place),
        cmocka_unit_test(scalars_stay_text),
        cmocka_unit_test(any_type_may_be_the_root),
        cmocka_unit_test(get_finds_keys_of_mappings),
        cmocka_unit_test(types_have_words),
        cmocka_unit_test(found_is_short_and_on_one_line),
        cmocka_unit_test(flow_is_one_line),
        cmocka_unit_test(what_strict_files_lack_is_rejected),
        cmocka_unit_test(bytes_that_are_no_text_are_rejected),
        cmocka_unit_test(depth_and_count_have_limits),
        cmocka_unit_test(message_shows_line_and_caret),
        cmocka_unit_test(file_is_read_with_its_hash),
        cmocka_unit_test(file_that_cannot_be_read_is_named),
        cmocka_unit_test(damaged_text_is_read_or_rejected),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
