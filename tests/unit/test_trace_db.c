/* test_trace_db.c: the two forms of the schema agree, and nothing in a trace.db is
 * trusted. */
#include <sqlite3.h>

#include "tests/support/scratch.h"
#include "traces/schema.h"
#include "traces/trace.h"
#include "traces/trace_write.h"

static struct dls_trace_db *open_db(struct scratch *scratch, const char *name)
{
    struct dls_trace_db *db = NULL;

    assert_int_equal(dls_trace_db_open(scratch_path(scratch, name), scratch->diag, &db),
                     DLS_OK);
    return db;
}

/* ---- the pair schema.sql, schema.c ---- */

/* Drops comments, turns each run of blanks into one and drops those beside brackets and
 * commas. */
static void normalise(const char *sql, struct dls_str *out)
{
    bool blank = false;

    for (; *sql != '\0'; sql++) {
        if (sql[0] == '-' && sql[1] == '-') {
            while (sql[1] != '\0' && sql[1] != '\n')
                sql++;
            continue;
        }
        if (strchr(" \t\r\n", *sql) != NULL) {
            blank = true;
            continue;
        }
        if (blank && out->length > 0 && strchr("(,)", *sql) == NULL &&
            strchr("(,)", out->data[out->length - 1]) == NULL)
            dls_str_add(out, " ");
        blank = false;
        dls_str_add_n(out, sql, 1);
    }
}

static void add_rows(sqlite3 *sql, const char *query, struct dls_str *out)
{
    sqlite3_stmt *statement = NULL;

    assert_int_equal(sqlite3_prepare_v2(sql, query, -1, &statement, NULL), SQLITE_OK);
    while (sqlite3_step(statement) == SQLITE_ROW) {
        for (int i = 0; i < sqlite3_column_count(statement); i++) {
            const char *text = (const char *)sqlite3_column_text(statement, i);
            struct dls_str plain;

            dls_str_init(&plain);
            normalise(text == NULL ? "-" : text, &plain);
            dls_str_addf(out, "%s|", plain.data);
            dls_str_release(&plain);
        }
        dls_str_add(out, "\n");
    }
    sqlite3_finalize(statement);
}

static void describe(sqlite3 *sql, struct dls_str *out)
{
    dls_str_init(out);
    add_rows(sql, "PRAGMA application_id", out);
    add_rows(sql, "PRAGMA user_version", out);
    add_rows(sql,
             "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name",
             out);
    add_rows(
        sql,
        "SELECT m.name, t.cid, t.name, t.type, t.\"notnull\", t.pk FROM sqlite_schema "
        "m,"
        " pragma_table_info(m.name) t WHERE m.type = 'table' ORDER BY m.name, t.cid",
        out);
}

static void test_schema_pair(void **state)
{
    sqlite3 *document = NULL;
    sqlite3 *program = NULL;
    struct dls_str text;
    struct dls_str expected;
    struct dls_str found;

    (void)state;
    assert_true(scratch_read("traces/schema.sql", &text));
    assert_int_equal(sqlite3_open(":memory:", &document), SQLITE_OK);
    assert_int_equal(sqlite3_open(":memory:", &program), SQLITE_OK);
    assert_int_equal(sqlite3_exec(document, text.data, NULL, NULL, NULL), SQLITE_OK);
    for (size_t i = 0; dls_trace_schema[i] != NULL; i++)
        assert_int_equal(sqlite3_exec(program, dls_trace_schema[i], NULL, NULL, NULL),
                         SQLITE_OK);
    describe(document, &expected);
    describe(program, &found);
    assert_string_equal(found.data, expected.data);
    /* The eleven tables of the design, and no other. */
    dls_str_clear(&found);
    add_rows(program,
             "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name",
             &found);
    assert_string_equal(found.data,
                        "batch|\nconfig|\ncopy|\ncounter|\ndevice_point|\ngap|\nio|\n"
                        "micro|\noutcome|\nspan|\ntrace|\n");
    dls_str_clear(&found);
    add_rows(program, "PRAGMA application_id", &found);
    add_rows(program, "PRAGMA user_version", &found);
    assert_string_equal(found.data, "1684829044|\n1|\n"); /* 0x646c7374, 'dlst' */
    dls_str_release(&found);
    dls_str_release(&expected);
    dls_str_release(&text);
    sqlite3_close(document);
    sqlite3_close(program);
}

static void test_stage_names(void **state)
{
    (void)state;
    for (int i = 0; i < DLS_SPAN_STAGES; i++) {
        const char *name = dls_span_stage_name((enum dls_span_stage)i);

        assert_int_equal(dls_span_stage_find(name, strlen(name)), i);
        assert_int_equal(dls_span_stage_find(name, strlen(name) - 1), DLS_SPAN_STAGES);
    }
    assert_int_equal(dls_span_stage_find("read+decode", 4), DLS_SPAN_READ);
    assert_int_equal(dls_span_stage_find("read", 4), DLS_SPAN_READ);
    assert_int_equal(dls_span_stage_find("", 0), DLS_SPAN_STAGES);
    assert_int_equal(dls_span_stage_find("Read", 4), DLS_SPAN_STAGES);
}

/* ---- files that are none of ours ---- */

static void make_db(struct scratch *scratch, const char *name, const char *sql)
{
    sqlite3 *db = NULL;

    assert_int_equal(sqlite3_open(scratch_path(scratch, name), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static void test_refused_files(void **state)
{
    static const struct {
        const char *name;
        enum dls_status reading;
        const char *said;
        enum dls_status writing;
        const char *said_writing;
    } cases[] = {
        {"text.db", DLS_EINPUT, "text.db: not a trace database: no SQLite file\n",
         DLS_EINPUT, "text.db: not a trace database: no SQLite file\n"},
        {"other.db", DLS_EINPUT,
         "other.db: not a trace database: expected application id 0x646c7374, found "
         "0x00000000\n",
         DLS_EINPUT,
         "other.db: not a trace database: expected application id 0x646c7374, found "
         "0x00000000\n"},
        {"newer.db", DLS_EINPUT,
         "newer.db: expected version 1 of the trace database, found 2\n", DLS_EINPUT,
         "newer.db: expected version 1 of the trace database, found 2\n"},
        {"folder", DLS_EIO, "folder: cannot open: Is a directory\n", DLS_EIO,
         "folder: cannot write: Is a directory\n"},
        {"none/t.db", DLS_EIO, "t.db: cannot open: No such file or directory\n",
         DLS_EIO, "t.db: cannot write: No such file or directory\n"},
    };
    struct scratch scratch;

    (void)state;
    scratch_init(&scratch);
    scratch_write(&scratch, "text.db",
                  "this is a text, long enough to hold a database header, "
                  "which SQLite looks for in the first hundred bytes\n");
    make_db(&scratch, "other.db", "CREATE TABLE span (x)");
    make_db(&scratch, "newer.db",
            "PRAGMA application_id = 1684829044; PRAGMA user_version = 2; CREATE TABLE "
            "span (x)");
    assert_int_equal(mkdir(scratch_path(&scratch, "folder"), 0777), 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct dls_trace_db *db = NULL;
        struct dls_trace_writer *writer = NULL;

        assert_int_equal(
            dls_trace_db_open(scratch_path(&scratch, cases[i].name), scratch.diag, &db),
            cases[i].reading);
        assert_null(db);
        scratch_said(&scratch, cases[i].said);
        assert_int_equal(dls_trace_writer_open(scratch_path(&scratch, cases[i].name),
                                               scratch.diag, &writer),
                         cases[i].writing);
        assert_null(writer);
        scratch_said(&scratch, cases[i].said_writing);
    }
    assert_int_equal(scratch_count(&scratch), 4);
    scratch_release(&scratch);
}

/* ---- bad rows ---- */

/* The schema without what keeps bad rows out. */
static void make_loose(struct scratch *scratch, const char *rows)
{
    static const char *const dropped[] = {" NOT NULL", " STRICT, WITHOUT ROWID",
                                          " STRICT"};
    struct dls_str script;

    dls_str_init(&script);
    for (size_t i = 0; dls_trace_schema[i] != NULL; i++) {
        char *text = dls_mem_text(dls_trace_schema[i]);

        for (size_t word = 0; word < sizeof dropped / sizeof dropped[0]; word++) {
            char *at;

            while ((at = strstr(text, dropped[word])) != NULL)
                memmove(at, at + strlen(dropped[word]),
                        strlen(at + strlen(dropped[word])) + 1);
        }
        dls_str_addf(&script, "%s;\n", text);
        dls_mem_free(text);
    }
    dls_str_add(&script, rows);
    make_db(scratch, "loose.db", script.data);
    dls_str_release(&script);
}

static void count_span(void *context, const struct dls_span *span, const char *op)
{
    (void)span;
    (void)op;
    ++*(int *)context;
}

#define SPAN_INTO                                                                      \
    "INSERT INTO span (trace, process, thread, rank, worker, epoch, batch, sample,"    \
    " stage, op, start_ns, dur_ns, cpu_ns, bytes) VALUES "

static void test_bad_spans(void **state)
{
    static const char *const said =
        "loose.db: table 'span', row 2: 'dur_ns' must be at least 0, found -5\n"
        "loose.db: table 'span', row 3: unknown stage 'read2'\n"
        "loose.db: table 'span', row 4: 'dur_ns' must be a whole number, found NULL\n"
        "loose.db: table 'span', row 5: 'start_ns' must be a whole number, found text\n"
        "loose.db: table 'span', row 6: 'op' must not be empty\n"
        "loose.db: table 'span', row 7: 'stage' must be text, found NULL\n"
        "loose.db: table 'span', row 8: 'worker' must be at least -1, found -2\n"
        "loose.db: table 'span', row 9: 'process' must be at most 2147483647, found "
        "2147483648\n"
        "loose.db: table 'span', row 10: 'cpu_ns' must be at least 0, found -1\n"
        "loose.db: table 'span', row 11: 'start_ns' + 'dur_ns' is beyond 64 bits\n"
        "loose.db: table 'span', row 12: 'bytes' must be a whole number, found a "
        "number with"
        " fraction\n"
        "loose.db: table 'span', row 13: 'op' must be text, found a zero byte in it\n"
        "loose.db: table 'span', row 14: 'epoch' must be a whole number, found bytes\n";
    struct scratch scratch;
    struct dls_trace_db *db;
    struct dls_trace_spans spans = {.count = 99};
    int visited = 0;

    (void)state;
    scratch_init(&scratch);
    make_loose(&scratch,
               SPAN_INTO "(1,1,1,0,-1,0,0,0,'read','jpg',10,5,5,5),"
                         "(1,1,1,0,-1,0,0,0,'read','jpg',10,-5,5,5),"
                         "(1,1,1,0,-1,0,0,0,'read2','jpg',10,5,5,5),"
                         "(1,1,1,0,-1,0,0,0,'read','jpg',10,NULL,5,5),"
                         "(1,1,1,0,-1,0,0,0,'read','jpg','x',5,5,5),"
                         "(1,1,1,0,-1,0,0,0,'read','',10,5,5,5),"
                         "(1,1,1,0,-1,0,0,0,NULL,'jpg',10,5,5,5),"
                         "(1,1,1,0,-2,0,0,0,'read','jpg',10,5,5,5),"
                         "(1,2147483648,1,0,-1,0,0,0,'read','jpg',10,5,5,5),"
                         "(1,1,1,0,-1,0,0,0,'read','jpg',10,5,-1,5),"
                         "(1,1,1,0,-1,0,0,0,'read','jpg',9223372036854775807,1,5,5),"
                         "(1,1,1,0,-1,0,0,0,'read','jpg',10,5,5,5.5),"
                         "(1,1,1,0,-1,0,0,0,'read','j'||char(0)||'g',10,5,5,5),"
                         "(1,1,1,0,-1,x'00',0,0,'read','jpg',10,5,5,5),"
                         "(1,1,1,0,-1,0,0,0,'read','jpg',10,5,5,5),"
                         "(2,1,1,0,-1,0,0,0,'none','jpg',10,5,5,5);");
    db = open_db(&scratch, "loose.db");
    assert_int_equal(dls_trace_spans_read(db, 1, scratch.diag, &spans), DLS_EINPUT);
    assert_int_equal(spans.count, 99);
    scratch_said(&scratch, said);
    assert_int_equal(dls_trace_spans_each(db, 1, scratch.diag, count_span, &visited),
                     DLS_EINPUT);
    assert_int_equal(visited, 2);
    dls_trace_db_close(db);
    scratch_release(&scratch);
}

static void test_bad_small_rows(void **state)
{
    struct scratch scratch;
    struct dls_trace_db *db;
    struct dls_trace_list list = {0};
    struct dls_trace_batches batches = {0};
    struct dls_trace_micros micros = {0};
    struct dls_trace_outcomes outcomes = {0};
    struct dls_trace_gaps gaps = {0};

    (void)state;
    scratch_init(&scratch);
    make_loose(&scratch,
               "INSERT INTO trace VALUES "
               "(1,'a','spans',NULL,0,'f',1,'xyz','monotonic',NULL,NULL,"
               "0,NULL,NULL);"
               "INSERT INTO batch VALUES (1,1,0,0,0,10,9,11),(2,1,0,0,1,10,11,10),"
               "(3,1,0,0,NULL,1,2,3);"
               "INSERT INTO micro VALUES (1,1,'rate','x',1,0,'fast','s'),"
               "(2,1,'rate','x',-1,0,9e999,'s');"
               "INSERT INTO outcome VALUES (1,1,'au',-1,0,0.5,NULL);"
               "INSERT INTO gap VALUES (1,1,'c','t',NULL);");
    db = open_db(&scratch, "loose.db");
    assert_int_equal(dls_trace_list_read(db, scratch.diag, &list), DLS_EINPUT);
    scratch_said(
        &scratch,
        "loose.db: table 'trace', row 1: 'importer_version' must be at least 1, found "
        "0\n"
        "loose.db: table 'trace', row 1: 'file_hash' must be 16 hex digits\n"
        "loose.db: table 'trace', row 1: 'host_cpus' must be at least 1, found 0\n");
    assert_int_equal(dls_trace_batches_read(db, 1, scratch.diag, &batches), DLS_EINPUT);
    scratch_said(
        &scratch,
        "loose.db: table 'batch', row 3: 'batch' must be a whole number, found NULL\n"
        "loose.db: table 'batch', row 1: 'arrive_ns' lies before 'request_ns'\n"
        "loose.db: table 'batch', row 2: 'done_ns' lies before 'arrive_ns'\n");
    assert_int_equal(dls_trace_micros_read(db, 1, scratch.diag, &micros), DLS_EINPUT);
    scratch_said(
        &scratch,
        "loose.db: table 'micro', row 1: 'value' must be a number, found text\n"
        "loose.db: table 'micro', row 2: 'n' must be at least 0, found -1\n"
        "loose.db: table 'micro', row 2: 'value' must be finite\n");
    assert_int_equal(dls_trace_outcomes_read(db, 1, scratch.diag, &outcomes),
                     DLS_EINPUT);
    scratch_said(
        &scratch,
        "loose.db: table 'outcome', row 1: 'epoch' must be at least 0, found -1\n"
        "loose.db: table 'outcome', row 1: 'unit' must be text, found NULL\n");
    assert_int_equal(dls_trace_gaps_read(db, 1, scratch.diag, &gaps), DLS_EINPUT);
    scratch_said(&scratch,
                 "loose.db: table 'gap', row 1: 'remedy' must be text, found NULL\n");
    dls_trace_db_close(db);
    scratch_release(&scratch);
}

/* Reading gives up after DLS_DIAG_MAX bad rows: the rest of a million would say nothing
 * new. */
static void test_too_many_bad_rows(void **state)
{
    struct scratch scratch;
    struct dls_trace_db *db;
    int visited = 0;

    (void)state;
    scratch_init(&scratch);
    make_loose(
        &scratch,
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE"
        " i < 100) INSERT INTO span SELECT i, 1,1,1,0,-1,0,0,0,'read','jpg',1,-1,"
        "0,0 FROM n;" SPAN_INTO "(1,1,1,0,-1,0,0,0,'read','jpg',10,5,5,5);");
    db = open_db(&scratch, "loose.db");
    assert_int_equal(dls_trace_spans_each(db, 1, scratch.diag, count_span, &visited),
                     DLS_EINPUT);
    assert_int_equal(dls_diag_errors(scratch.diag), DLS_DIAG_MAX);
    assert_int_equal(visited, 0);
    dls_trace_db_close(db);
    scratch_release(&scratch);
}

static void test_foreign_tables(void **state)
{
    struct scratch scratch;
    struct dls_trace_db *db;
    struct dls_trace_list list = {0};
    struct dls_trace_spans spans = {0};

    (void)state;
    scratch_init(&scratch);
    make_db(&scratch, "bare.db",
            "PRAGMA application_id = 1684829044; PRAGMA user_version = 1;"
            "CREATE TABLE trace (trace);"
            "CREATE VIEW span AS SELECT 1 AS span, 1 AS trace");
    db = open_db(&scratch, "bare.db");
    assert_int_equal(dls_trace_list_read(db, scratch.diag, &list), DLS_EINPUT);
    scratch_said(&scratch, "bare.db: cannot read: no such column: name\n");
    assert_int_equal(dls_trace_spans_read(db, 1, scratch.diag, &spans), DLS_EINPUT);
    scratch_said(&scratch,
                 "bare.db: cannot read: access to view \"span\" prohibited\n");
    dls_trace_db_close(db);
    scratch_release(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_schema_pair),    cmocka_unit_test(test_stage_names),
        cmocka_unit_test(test_refused_files),  cmocka_unit_test(test_bad_spans),
        cmocka_unit_test(test_bad_small_rows), cmocka_unit_test(test_too_many_bad_rows),
        cmocka_unit_test(test_foreign_tables),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
