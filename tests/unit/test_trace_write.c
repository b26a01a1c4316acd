/* test_trace_write.c: trace.db is written and read back exactly, all of a recording or
 * nothing. */
#include <signal.h>
#include <sys/wait.h>

#include "tests/support/scratch.h"
#include "traces/trace.h"
#include "traces/trace_write.h"

static const struct dls_trace_info recording = {.tool = "spans",
                                                .name = "run-a",
                                                .importer_version = 1,
                                                .file_name = "run-a.spans.csv",
                                                .file_bytes = 77,
                                                .file_hash = 0x0123456789abcdefu,
                                                .clock = "monotonic",
                                                .host_cpus = -1,
                                                .host_memory_bytes = -1};

/* A span with everything known. */
static const struct dls_span plain_span = {.start_ns = 1000,
                                           .dur_ns = 20,
                                           .cpu_ns = 10,
                                           .bytes = 5,
                                           .epoch = 0,
                                           .batch = 1,
                                           .sample = 2,
                                           .worker = -1,
                                           .pid = 100,
                                           .tid = 101,
                                           .stage = DLS_SPAN_READ};

static struct dls_trace_writer *open_writer(struct scratch *scratch, const char *name)
{
    struct dls_trace_writer *writer = NULL;

    assert_int_equal(
        dls_trace_writer_open(scratch_path(scratch, name), scratch->diag, &writer),
        DLS_OK);
    return writer;
}

static struct dls_trace_db *open_db(struct scratch *scratch, const char *name)
{
    struct dls_trace_db *db = NULL;

    assert_int_equal(dls_trace_db_open(scratch_path(scratch, name), scratch->diag, &db),
                     DLS_OK);
    return db;
}

static void put_everything(struct dls_trace_writer *writer)
{
    struct dls_span unknown = {.start_ns = INT64_MAX - 3,
                               .dur_ns = 3,
                               .cpu_ns = -1,
                               .bytes = -1,
                               .epoch = -1,
                               .batch = -1,
                               .sample = -1,
                               .worker = INT32_MAX,
                               .pid = INT32_MAX,
                               .tid = 0,
                               .rank = 7,
                               .stage = DLS_SPAN_READ_DECODE};
    struct dls_trace_batch late = {
        .request_ns = 5, .arrive_ns = 6, .done_ns = 6, .batch = 1};
    struct dls_trace_batch early = {.request_ns = 0, .arrive_ns = 0, .done_ns = 1};
    struct dls_trace_micro micro = {.test = "rate",
                                    .class_ = "decode",
                                    .n = 2,
                                    .repetition = 1,
                                    .value = 0.1,
                                    .unit = "ops_per_s"};
    struct dls_trace_outcome outcome = {
        .metric = "epoch_s", .value = 1.5, .unit = "s", .epoch = -1, .repetition = 90};
    struct dls_trace_gap gap = {"no_queue", "no 'put' spans", "a full recording"};

    assert_int_equal(dls_trace_put_span(writer, &plain_span, "jpg"), DLS_OK);
    assert_int_equal(dls_trace_put_span(writer, &unknown, "load \xc3\xbc"), DLS_OK);
    assert_int_equal(dls_trace_put_span(writer, &plain_span, "jpg"), DLS_OK);
    assert_int_equal(dls_trace_put_batch(writer, &late), DLS_OK);
    assert_int_equal(dls_trace_put_batch(writer, &early), DLS_OK);
    assert_int_equal(dls_trace_put_batch(writer, &late), DLS_EINPUT);
    assert_int_equal(dls_trace_put_config(writer, "workers", "2"), DLS_OK);
    assert_int_equal(dls_trace_put_config(writer, "tag", ""), DLS_OK);
    assert_int_equal(dls_trace_put_config(writer, "workers", "3"), DLS_EINPUT);
    assert_int_equal(dls_trace_put_micro(writer, &micro), DLS_OK);
    assert_int_equal(dls_trace_put_outcome(writer, &outcome), DLS_OK);
    outcome.epoch = 2;
    assert_int_equal(dls_trace_put_outcome(writer, &outcome), DLS_OK);
    assert_int_equal(dls_trace_put_gap(writer, &gap), DLS_OK);
}

static void check_spans(struct dls_trace_db *db, struct dls_diag *diag)
{
    struct dls_trace_spans spans = {0};

    assert_int_equal(dls_trace_spans_read(db, 1, diag, &spans), DLS_OK);
    assert_int_equal(spans.count, 3);
    assert_int_equal(spans.ops_count, 2);
    assert_string_equal(spans.ops[0], "jpg");
    assert_string_equal(spans.ops[1], "load \xc3\xbc");
    assert_int_equal(dls_trace_spans_op(&spans, "load \xc3\xbc"), 1);
    assert_int_equal(dls_trace_spans_op(&spans, "load"), -1);
    assert_memory_equal(&spans.data[0], &plain_span, sizeof plain_span);
    assert_memory_equal(&spans.data[2], &plain_span, sizeof plain_span);
    assert_int_equal(spans.data[1].start_ns, INT64_MAX - 3);
    assert_int_equal(spans.data[1].dur_ns, 3);
    assert_int_equal(spans.data[1].cpu_ns, -1);
    assert_int_equal(spans.data[1].bytes, -1);
    assert_int_equal(spans.data[1].epoch, -1);
    assert_int_equal(spans.data[1].batch, -1);
    assert_int_equal(spans.data[1].sample, -1);
    assert_int_equal(spans.data[1].worker, INT32_MAX);
    assert_int_equal(spans.data[1].pid, INT32_MAX);
    assert_int_equal(spans.data[1].tid, 0);
    assert_int_equal(spans.data[1].rank, 7);
    assert_int_equal(spans.data[1].op, 1);
    assert_int_equal(spans.data[1].stage, DLS_SPAN_READ_DECODE);
    dls_trace_spans_release(&spans);
    assert_int_equal(sizeof(struct dls_span), 64);
}

static void check_rows(struct dls_trace_db *db, struct dls_diag *diag)
{
    struct dls_trace_batches batches = {0};
    struct dls_trace_micros micros = {0};
    struct dls_trace_outcomes outcomes = {0};
    struct dls_trace_gaps gaps = {0};

    assert_int_equal(dls_trace_batches_read(db, 1, diag, &batches), DLS_OK);
    assert_int_equal(batches.count, 2);
    assert_int_equal(batches.data[0].batch, 0);
    assert_int_equal(batches.data[1].request_ns, 5);
    assert_int_equal(batches.data[1].arrive_ns, 6);
    assert_int_equal(batches.data[1].done_ns, 6);
    dls_trace_batches_release(&batches);
    assert_int_equal(dls_trace_micros_read(db, 1, diag, &micros), DLS_OK);
    assert_int_equal(micros.count, 1);
    assert_string_equal(micros.data[0].test, "rate");
    assert_string_equal(micros.data[0].class_, "decode");
    assert_int_equal(micros.data[0].n, 2);
    assert_int_equal(micros.data[0].repetition, 1);
    assert_true(micros.data[0].value == 0.1);
    assert_string_equal(micros.data[0].unit, "ops_per_s");
    dls_trace_micros_release(&micros);
    assert_int_equal(dls_trace_outcomes_read(db, 1, diag, &outcomes), DLS_OK);
    assert_int_equal(outcomes.count, 2);
    assert_string_equal(outcomes.data[0].metric, "epoch_s");
    assert_true(outcomes.data[0].value == 1.5);
    assert_string_equal(outcomes.data[0].unit, "s");
    assert_int_equal(outcomes.data[0].epoch, -1);
    assert_int_equal(outcomes.data[1].epoch, 2);
    assert_int_equal(outcomes.data[1].repetition, 90);
    dls_trace_outcomes_release(&outcomes);
    assert_int_equal(dls_trace_gaps_read(db, 1, diag, &gaps), DLS_OK);
    assert_int_equal(gaps.count, 1);
    assert_string_equal(gaps.data[0].code, "no_queue");
    assert_string_equal(gaps.data[0].text, "no 'put' spans");
    assert_string_equal(gaps.data[0].remedy, "a full recording");
    dls_trace_gaps_release(&gaps);
}

static void test_round_trip(void **state)
{
    struct scratch scratch;
    struct dls_trace_writer *writer;
    struct dls_trace_db *db;
    struct dls_trace_list list = {0};

    (void)state;
    scratch_init(&scratch);
    writer = open_writer(&scratch, "t.db");
    assert_int_equal(dls_trace_writer_trace(writer), 1);
    put_everything(writer);
    assert_int_equal(dls_trace_writer_commit(writer, &recording), DLS_OK);
    dls_trace_writer_close(writer);
    db = open_db(&scratch, "t.db");
    assert_int_equal(dls_trace_list_read(db, scratch.diag, &list), DLS_OK);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.data[0].trace, 1);
    assert_string_equal(list.data[0].name, "run-a");
    assert_string_equal(list.data[0].tool, "spans");
    assert_null(list.data[0].tool_version);
    assert_string_equal(list.data[0].file_name, "run-a.spans.csv");
    assert_int_equal(list.data[0].file_bytes, 77);
    assert_true(list.data[0].file_hash == 0x0123456789abcdefu);
    assert_string_equal(list.data[0].clock, "monotonic");
    assert_false(list.data[0].joined);
    assert_int_equal(list.data[0].host_cpus, -1);
    assert_int_equal(list.data[0].host_memory_bytes, -1);
    assert_int_equal(list.data[0].config_count, 2);
    assert_string_equal(dls_trace_config_get(&list.data[0], "workers"), "2");
    assert_string_equal(dls_trace_config_get(&list.data[0], "tag"), "");
    assert_null(dls_trace_config_get(&list.data[0], "batch"));
    dls_trace_list_release(&list);
    check_spans(db, scratch.diag);
    check_rows(db, scratch.diag);
    scratch_said(&scratch, "");
    dls_trace_db_close(db);
    scratch_release(&scratch);
}

static void check_second(const struct dls_trace_list *list)
{
    assert_int_equal(list->count, 2);
    assert_ptr_equal(dls_trace_list_find(list, "run-b"), &list->data[1]);
    assert_null(dls_trace_list_find(list, "run-c"));
    assert_true(list->data[1].file_hash == UINT64_MAX);
    assert_true(list->data[1].joined);
    assert_int_equal(list->data[1].clock_offset_ns, -12);
    assert_string_equal(list->data[1].host_name, "node7");
    assert_int_equal(list->data[1].host_cpus, 96);
    assert_int_equal(list->data[1].host_memory_bytes, (int64_t)1 << 40);
    assert_string_equal(list->data[1].host_kernel, "6.18");
    assert_string_equal(list->data[1].tool_version, "0.1");
    assert_int_equal(list->data[1].config_count, 0);
}

/* A second recording: its host facts and offset, its own rows, and nothing of the
 * first. */
static void test_second_recording(void **state)
{
    struct scratch scratch;
    struct dls_trace_info info = recording;
    struct dls_trace_writer *writer;
    struct dls_trace_db *db;
    struct dls_trace_list list = {0};
    struct dls_trace_spans spans = {0};
    char name[8];
    int64_t trace = 0;

    (void)state;
    scratch_init(&scratch);
    writer = open_writer(&scratch, "t.db");
    put_everything(writer);
    assert_int_equal(dls_trace_writer_commit(writer, &info), DLS_OK);
    dls_trace_writer_close(writer);
    writer = open_writer(&scratch, "t.db");
    assert_int_equal(dls_trace_writer_trace(writer), 2);
    assert_false(dls_trace_writer_has(writer, 1, &trace, name, sizeof name));
    assert_true(
        dls_trace_writer_has(writer, 0x0123456789abcdefu, &trace, name, sizeof name));
    assert_int_equal(trace, 1);
    assert_string_equal(name, "run-a");
    assert_int_equal(dls_trace_put_span(writer, &plain_span, "wav"), DLS_OK);
    info.name = "run-b";
    info.file_hash = UINT64_MAX;
    info.joined = true;
    info.clock_offset_ns = -12;
    info.host_name = "node7";
    info.host_cpus = 96;
    info.host_memory_bytes = (int64_t)1 << 40;
    info.host_kernel = "6.18";
    info.tool_version = "0.1";
    assert_int_equal(dls_trace_writer_commit(writer, &info), DLS_OK);
    dls_trace_writer_close(writer);

    db = open_db(&scratch, "t.db");
    assert_int_equal(dls_trace_list_read(db, scratch.diag, &list), DLS_OK);
    check_second(&list);
    dls_trace_list_release(&list);
    assert_int_equal(dls_trace_spans_read(db, 2, scratch.diag, &spans), DLS_OK);
    assert_int_equal(spans.count, 1);
    assert_string_equal(spans.ops[spans.data[0].op], "wav");
    dls_trace_spans_release(&spans);
    assert_int_equal(dls_trace_spans_read(db, 3, scratch.diag, &spans), DLS_OK);
    assert_int_equal(spans.count, 0);
    dls_trace_spans_release(&spans);
    check_spans(db, scratch.diag);
    dls_trace_db_close(db);
    scratch_release(&scratch);
}

/* More ops than the first sizes of the name table, and a total that closed form gives:
 * 0 + 1 + ... + 999. */
static void sum_span(void *context, const struct dls_span *span, const char *op)
{
    int64_t *sum = context;
    char expected[32];

    snprintf(expected, sizeof expected, "op%d", (int)span->sample);
    assert_string_equal(op, expected);
    assert_int_equal(span->op, span->sample);
    *sum += span->dur_ns;
}

static void test_many_ops(void **state)
{
    struct scratch scratch;
    struct dls_trace_writer *writer;
    struct dls_trace_db *db;
    int64_t sum = 0;

    (void)state;
    scratch_init(&scratch);
    writer = open_writer(&scratch, "t.db");
    for (int i = 0; i < 1000; i++) {
        struct dls_span span = plain_span;
        char op[32];

        snprintf(op, sizeof op, "op%d", i);
        span.sample = i;
        span.dur_ns = i;
        assert_int_equal(dls_trace_put_span(writer, &span, op), DLS_OK);
    }
    assert_int_equal(dls_trace_writer_commit(writer, &recording), DLS_OK);
    dls_trace_writer_close(writer);
    db = open_db(&scratch, "t.db");
    assert_int_equal(dls_trace_spans_each(db, 1, scratch.diag, sum_span, &sum), DLS_OK);
    assert_int_equal(sum, 499500);
    dls_trace_db_close(db);
    scratch_release(&scratch);
}

static void test_close_without_commit(void **state)
{
    struct scratch scratch;
    struct dls_trace_writer *writer;
    struct dls_str before;
    struct dls_str after;

    (void)state;
    scratch_init(&scratch);
    writer = open_writer(&scratch, "t.db");
    put_everything(writer);
    assert_true(scratch_exists(&scratch, "t.db"));
    dls_trace_writer_close(writer);
    assert_int_equal(scratch_count(&scratch), 0);

    writer = open_writer(&scratch, "t.db");
    assert_int_equal(dls_trace_writer_commit(writer, &recording), DLS_OK);
    dls_trace_writer_close(writer);
    assert_true(scratch_read(scratch_path(&scratch, "t.db"), &before));
    writer = open_writer(&scratch, "t.db");
    put_everything(writer);
    dls_trace_writer_close(writer);
    assert_true(scratch_read(scratch_path(&scratch, "t.db"), &after));
    assert_int_equal(after.length, before.length);
    assert_memory_equal(after.data, before.data, before.length);
    assert_int_equal(scratch_count(&scratch), 1);
    dls_str_release(&before);
    dls_str_release(&after);
    dls_trace_writer_close(NULL);
    scratch_release(&scratch);
}

/* Starts a recording in another process, far beyond what SQLite keeps in memory (2 MB),
 * and kills it. */
static void kill_writer(struct scratch *scratch, const char *name)
{
    pid_t child = fork();
    int state = 0;

    assert_true(child >= 0);
    if (child == 0) {
        struct dls_trace_writer *writer = NULL;

        if (dls_trace_writer_open(scratch_path(scratch, name), scratch->diag,
                                  &writer) != DLS_OK)
            _exit(1);
        for (int i = 0; i < 60000; i++) {
            if (dls_trace_put_span(writer, &plain_span, "jpg") != DLS_OK)
                _exit(1);
        }
        raise(SIGKILL);
    }
    assert_int_equal(waitpid(child, &state, 0), child);
    assert_true(WIFSIGNALED(state));
}

/* A killed writer leaves the old database, for the next reader and the next writer. */
static void test_killed_writer(void **state)
{
    struct scratch scratch;
    struct dls_trace_writer *writer;
    struct dls_trace_db *db;
    struct dls_str before;
    struct dls_str after;

    (void)state;
    scratch_init(&scratch);
    writer = open_writer(&scratch, "t.db");
    put_everything(writer);
    assert_int_equal(dls_trace_writer_commit(writer, &recording), DLS_OK);
    dls_trace_writer_close(writer);
    assert_true(scratch_read(scratch_path(&scratch, "t.db"), &before));
    kill_writer(&scratch, "t.db");
    assert_true(scratch_exists(&scratch, "t.db-journal"));
    db = open_db(&scratch, "t.db");
    check_spans(db, scratch.diag);
    dls_trace_db_close(db);
    assert_true(scratch_read(scratch_path(&scratch, "t.db"), &after));
    assert_int_equal(after.length, before.length);
    assert_memory_equal(after.data, before.data, before.length);

    kill_writer(&scratch, "new.db");
    writer = open_writer(&scratch, "new.db");
    assert_int_equal(dls_trace_writer_trace(writer), 1);
    put_everything(writer);
    assert_int_equal(dls_trace_writer_commit(writer, &recording), DLS_OK);
    dls_trace_writer_close(writer);
    db = open_db(&scratch, "new.db");
    check_spans(db, scratch.diag);
    dls_trace_db_close(db);
    scratch_said(&scratch, "");
    dls_str_release(&before);
    dls_str_release(&after);
    scratch_release(&scratch);
}

/* A name that SQLite would take for something else is a file name here. */
static void test_odd_names(void **state)
{
    struct scratch scratch;
    char *home = getcwd(NULL, 0);
    struct dls_trace_writer *writer = NULL;
    struct dls_trace_db *db = NULL;

    (void)state;
    scratch_init(&scratch);
    assert_int_equal(chdir(scratch.folder), 0);
    assert_int_equal(dls_trace_writer_open(":memory:", scratch.diag, &writer), DLS_OK);
    assert_int_equal(dls_trace_writer_commit(writer, &recording), DLS_OK);
    dls_trace_writer_close(writer);
    assert_true(scratch_exists(&scratch, ":memory:"));
    assert_int_equal(dls_trace_db_open(":memory:", scratch.diag, &db), DLS_OK);
    assert_string_equal(dls_trace_db_path(db), ":memory:");
    dls_trace_db_close(db);
    assert_int_equal(chdir(home), 0);
    free(home);
    scratch_release(&scratch);
}

/* An empty file is no database to read, but a fine one to write to; without commit it
 * is empty again. */
static void test_empty_file(void **state)
{
    struct scratch scratch;
    struct dls_trace_db *db = NULL;
    struct dls_trace_writer *writer;
    struct dls_str bytes;

    (void)state;
    scratch_init(&scratch);
    scratch_write(&scratch, "t.db", "");
    assert_int_equal(
        dls_trace_db_open(scratch_path(&scratch, "t.db"), scratch.diag, &db),
        DLS_EINPUT);
    scratch_said(&scratch,
                 "t.db: not a trace database: expected application id 0x646c7374, found"
                 " 0x00000000\n");
    writer = open_writer(&scratch, "t.db");
    put_everything(writer);
    dls_trace_writer_close(writer);
    assert_true(scratch_read(scratch_path(&scratch, "t.db"), &bytes));
    assert_int_equal(bytes.length, 0);
    dls_str_release(&bytes);
    scratch_release(&scratch);
}

/* Cut in the middle of its pages, a database is a wrong input, not a crash. */
static void test_cut_database(void **state)
{
    struct scratch scratch;
    struct dls_trace_writer *writer;
    struct dls_trace_db *db = NULL;
    struct dls_str bytes;

    (void)state;
    scratch_init(&scratch);
    writer = open_writer(&scratch, "t.db");
    for (int i = 0; i < 5000; i++)
        assert_int_equal(dls_trace_put_span(writer, &plain_span, "jpg"), DLS_OK);
    assert_int_equal(dls_trace_writer_commit(writer, &recording), DLS_OK);
    dls_trace_writer_close(writer);
    assert_true(scratch_read(scratch_path(&scratch, "t.db"), &bytes));
    scratch_write_n(&scratch, "cut.db", bytes.data, bytes.length / 2);
    dls_str_release(&bytes);
    assert_int_equal(
        dls_trace_db_open(scratch_path(&scratch, "cut.db"), scratch.diag, &db),
        DLS_EINPUT);
    assert_null(db);
    scratch_said(&scratch, "cut.db: cannot read: database disk image is malformed\n");
    scratch_release(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_second_recording),
        cmocka_unit_test(test_many_ops),
        cmocka_unit_test(test_close_without_commit),
        cmocka_unit_test(test_killed_writer),
        cmocka_unit_test(test_odd_names),
        cmocka_unit_test(test_empty_file),
        cmocka_unit_test(test_cut_database),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
