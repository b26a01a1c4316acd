/* Damaged scenarios, parameter files and tables: always a status and a message with its
 * file, never a crash. */
#include "tests/support/scenario_rig.h"

enum { ROUNDS = 1500, SEED = 20240819 };

static const char scenario_text[] =
    "dlsim: 1\n"
    "name: damaged\n"
    "about: >\n"
    "  before\n"
    "params: p.yaml\n"
    "host: {preset: h100_node, cores: 16, cpu_quota: 0.5}\n"
    "storage: {kind: storage.rate, preset: gen4_mainstream, iops_limit: 500 /s}\n"
    "source: {kind: source.files, samples: 484, order: shuffle}\n"
    "transform: {kind: transform.chain, from: params, jpeg: {scale: 0.5, on: worker}}\n"
    "loader: {kind: loader.pytorch, num_workers: 4, prefetch: 2, batch: 2, pin: true}\n"
    "link: {preset: gen5_x16}\n"
    "consumer: {kind: consumer.gpu, count: 1, step: {base: 1.9 ms, per_item: 13.8 "
    "ms}}\n"
    "run: {epochs: 2, limits: {events: 1e6}}\n"
    "expect:\n"
    "  - {metric: au, min: 0.9}\n";

static const char params_text[] =
    "dlsim_params: 1\n"
    "recordings:\n"
    "  - {name: a, hash: \"00\"}\n"
    "source: {table: {value: p.samples.csv, n: 2}}\n"
    "transform:\n"
    "  ops:\n"
    "    - op: jpeg\n"
    "      demand: {value: {law: affine, a: 1 ms, b: 3 ns/B, residuals: [0.9, 1.1]}, "
    "n: 3}\n"
    "    - {op: crop, class: numeric, demand: {law: empirical, values: [1 ms, 2 ms]}}\n"
    "loader: {fetch: {value: 1 ms, low: 0.5 ms, high: 2 ms}, collate: {fixed: 1 us}}\n";

static const char table_text[] =
    "sample,bytes,jpeg\n0,1000,0.001\n1,2000,2e-3\n2,3000,.003\n";

static const char *const originals[] = {scenario_text, params_text, table_text};
static const char *const names[] = {"s.yaml", "p.yaml", "p.samples.csv"};

/* What a slip of a hand or of a disk puts into a file. */
static const char *const pieces[] = {
    "",      "\n",   "  ",   ": ",     "{",        "}",     "[",     "]",
    "- ",    "\"",   "'",    "#",      "&a ",      "*a",    "!!int", "<<: ",
    "---\n", "\t",   ",",    "-1",     "0",        "1e999", "1 ms",  "nan",
    "\xff",  "\xc3", "\x01", "kind: ", "99999999", "../",   "jpeg",  "? ",
};

/* splitmix64 */
static uint64_t next_word(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;

    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static size_t below(uint64_t *state, size_t count)
{
    return (size_t)(next_word(state) % count);
}

/* `text` with a few places cut out, replaced, or written over by another part of the
 * file. */
static void damage(struct dls_str *text, uint64_t *state)
{
    size_t edits = 1 + below(state, 3);

    while (edits-- > 0) {
        size_t at = below(state, text->length + 1);
        size_t cut = below(state, 4) == 0 ? below(state, text->length - at + 1)
                                          : below(state, 3);
        const char *piece = pieces[below(state, sizeof pieces / sizeof *pieces)];
        struct dls_str made;

        cut = cut < text->length - at ? cut : text->length - at;
        dls_str_init(&made);
        dls_str_add_n(&made, text->data, at);
        dls_str_add(&made, piece);
        if (below(state, 8) == 0 && text->length > 0) {
            size_t from = below(state, text->length);

            dls_str_add_n(&made, text->data + from, below(state, text->length - from));
        }
        dls_str_add_n(&made, text->data + at + cut, text->length - at - cut);
        dls_str_release(text);
        *text = made;
    }
}

/* A file of its own each time: writing over an old one waits for the disk on some file
 * systems. */
static void write_new(struct scratch *scratch, const char *name, const char *bytes,
                      size_t count)
{
    remove(scratch_path(scratch, name));
    scratch_write_n(scratch, name, bytes, count);
}

/* Every message stands in one of the three files, or says which file cannot be read; in
 * words that can be printed. */
static void check_messages(const struct scratch *scratch)
{
    for (size_t i = 0; i < dls_diag_count(scratch->diag); i++) {
        const struct dls_message *message = dls_diag_get(scratch->diag, i);

        if (message->place.file == NULL)
            assert_non_null(strstr(message->text, "cannot read '"));
        else
            assert_memory_equal(message->place.file, scratch->folder,
                                strlen(scratch->folder));
        for (const char *c = message->text; *c != '\0'; c++)
            assert_false((unsigned char)*c < 0x20);
    }
}

static void round_check(struct scratch *scratch, int round, int *counts)
{
    uint64_t state = SEED + (uint64_t)round;
    size_t which = below(&state, 3);
    struct dls_scenario *scenario = NULL;
    struct dls_str text, rendered;
    enum dls_status status;

    dls_str_init(&text);
    dls_str_add(&text, originals[which]);
    damage(&text, &state);
    write_new(scratch, names[which], text.data, text.length);
    status = rig_read(scratch, NULL, &scenario);
    counts[status == DLS_OK ? 0 : status == DLS_EINPUT ? 1 : 2]++;
    assert_true(status == DLS_OK || status == DLS_EINPUT || status == DLS_EIO);
    assert_int_equal(dls_diag_errors(scratch->diag) == 0, status == DLS_OK);
    assert_int_equal(scenario != NULL, status == DLS_OK);
    check_messages(scratch);
    dls_str_init(&rendered);
    dls_diag_text(scratch->diag, false, &rendered);
    dls_str_release(&rendered);
    dls_scenario_free(scenario);
    dls_diag_free(scratch->diag);
    scratch->diag = dls_diag_new();
    dls_str_release(&text);
    write_new(scratch, names[which], originals[which], strlen(originals[which]));
}

static void write_originals(struct scratch *scratch)
{
    for (size_t i = 0; i < 3; i++)
        write_new(scratch, names[i], originals[i], strlen(originals[i]));
}

static void test_damaged(void **state)
{
    int counts[3] = {0};

    printf("# seed %d\n", (int)SEED);
    write_originals(*state);
    for (int round = 0; round < ROUNDS; round++)
        round_check(*state, round, counts);
    /* the damage is neither always fatal nor always harmless */
    assert_true(counts[0] > ROUNDS / 50);
    assert_true(counts[1] > ROUNDS / 2);
    assert_true(counts[2] > 0);
}

/* Each file cut off after every byte. */
static void test_truncated(void **state)
{
    struct scratch *scratch = *state;

    for (size_t which = 0; which < 3; which++) {
        size_t length = strlen(originals[which]);

        write_originals(scratch);
        for (size_t bytes = 0; bytes < length; bytes++) {
            struct dls_scenario *scenario = NULL;
            enum dls_status status;

            write_new(scratch, names[which], originals[which], bytes);
            status = rig_read(scratch, NULL, &scenario);
            assert_int_equal(dls_diag_errors(scratch->diag) == 0, status == DLS_OK);
            check_messages(scratch);
            dls_scenario_free(scenario);
            dls_diag_free(scratch->diag);
            scratch->diag = dls_diag_new();
        }
    }
}

/* Overrides of any bytes. */
static void test_damaged_sets(void **state)
{
    struct scratch *scratch = *state;
    uint64_t words = SEED;

    printf("# seed %d\n", (int)SEED);
    write_originals(scratch);
    for (int round = 0; round < ROUNDS; round++) {
        struct dls_override override;
        struct dls_scenario *scenario = NULL;
        enum dls_status status;
        struct dls_str text;

        dls_str_init(&text);
        dls_str_add(&text, round % 2 ? "consumer.step.base=1.9 ms"
                                     : "transform.jpeg={scale: 0.5}");
        damage(&text, &words);
        if (dls_override_parse(text.data, scratch->paths, &override)) {
            status = dls_scenario_read(scratch_path(scratch, "s.yaml"), &override, 1,
                                       scratch->diag, &scenario);
            assert_int_equal(dls_diag_errors(scratch->diag) == 0, status == DLS_OK);
        }
        dls_scenario_free(scenario);
        dls_diag_free(scratch->diag);
        scratch->diag = dls_diag_new();
        dls_str_release(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_damaged, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_truncated, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_damaged_sets, set_up, tear_down),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
