/* trace_write.c: adds one recording to trace.db in one transaction. See
 * trace_write.h. */
#include "traces/trace_write.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/mem.h"
#include "sim/base/str.h"
#include "traces/db_int.h"
#include "traces/schema.h"

enum insert {
    INSERT_SPAN,
    INSERT_BATCH,
    INSERT_CONFIG,
    INSERT_MICRO,
    INSERT_OUTCOME,
    INSERT_GAP
};
enum { INSERT_COUNT = INSERT_GAP + 1 };

/* Parameter 1 is always the recording's number. */
static const char *const insert_text[INSERT_COUNT] = {
    [INSERT_SPAN] =
        "INSERT INTO span (trace, process, thread, rank, worker, epoch, batch, sample,"
        " stage, op, start_ns, dur_ns, cpu_ns, bytes)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
    [INSERT_BATCH] =
        "INSERT INTO batch (trace, rank, epoch, batch, request_ns, arrive_ns,"
        " done_ns) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    [INSERT_CONFIG] = "INSERT INTO config (trace, key, value) VALUES (?1, ?2, ?3)",
    [INSERT_MICRO] =
        "INSERT INTO micro (trace, test, class, n, repetition, value, unit)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    [INSERT_OUTCOME] =
        "INSERT INTO outcome (trace, metric, epoch, repetition, value, unit)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    [INSERT_GAP] =
        "INSERT INTO gap (trace, code, text, remedy) VALUES (?1, ?2, ?3, ?4)",
};

struct dls_trace_writer {
    sqlite3 *sql;
    char *path;
    struct dls_diag *diag;
    sqlite3_stmt *inserts[INSERT_COUNT]; /* prepared on first use */
    int64_t trace;
    bool created; /* the file was not there before */
    bool failed;  /* a message was added, nothing more is tried */
    bool committed;
};

static enum dls_status fail(struct dls_trace_writer *writer)
{
    writer->failed = true;
    return dls_db_failed(writer->sql, writer->path, "write", writer->diag);
}

static enum dls_status execute(struct dls_trace_writer *writer, const char *text)
{
    return sqlite3_exec(writer->sql, text, NULL, NULL, NULL) == SQLITE_OK
               ? DLS_OK
               : fail(writer);
}

/* Makes sure the file exists, and finds out whether it had to be made. */
static enum dls_status touch(struct dls_trace_writer *writer)
{
    struct dls_place place = {.file = writer->path};
    struct stat state;
    int file = open(writer->path, O_RDWR | O_CREAT | O_EXCL | O_NONBLOCK, 0666);
    int cause = 0;

    writer->created = file >= 0;
    if (file < 0 && errno == EEXIST)
        file = open(writer->path, O_RDWR | O_NONBLOCK);
    if (file < 0)
        cause = errno;
    else if (fstat(file, &state) != 0)
        cause = errno;
    if (file >= 0)
        close(file);
    if (cause != 0) {
        dls_diag_error(writer->diag, &place, "cannot write: %s", strerror(cause));
        return DLS_EIO;
    }
    if (!S_ISREG(state.st_mode)) {
        dls_diag_error(writer->diag, &place, "cannot write: not a regular file");
        return DLS_EIO;
    }
    return DLS_OK;
}

/* Whether the database has no page yet. The size of the file does not tell: what a
 * killed writer has left in it is rolled back by this very question. */
static bool is_empty(sqlite3 *sql)
{
    sqlite3_stmt *statement = NULL;
    bool empty = sqlite3_prepare_v2(sql, "PRAGMA page_count", -1, &statement, NULL) ==
                     SQLITE_OK &&
                 sqlite3_step(statement) == SQLITE_ROW &&
                 sqlite3_column_int64(statement, 0) == 0;

    sqlite3_finalize(statement);
    return empty;
}

/* Creates the tables of a database without any; asked inside the transaction, since
 * another writer may have made it. */
static enum dls_status prepare_schema(struct dls_trace_writer *writer, bool empty)
{
    sqlite3_stmt *statement = NULL;
    bool blank = false;
    enum dls_status status = DLS_OK;

    if (empty) {
        if (sqlite3_prepare_v2(writer->sql, "SELECT count(*) FROM sqlite_schema", -1,
                               &statement, NULL) != SQLITE_OK ||
            sqlite3_step(statement) != SQLITE_ROW)
            status = fail(writer);
        else
            blank = sqlite3_column_int64(statement, 0) == 0;
        sqlite3_finalize(statement);
    }
    if (status == DLS_OK && !blank)
        return dls_db_check(writer->sql, writer->path, writer->diag);
    for (size_t i = 0; status == DLS_OK && dls_trace_schema[i] != NULL; i++)
        status = execute(writer, dls_trace_schema[i]);
    return status;
}

/* One more than the highest number in use. */
static enum dls_status take_number(struct dls_trace_writer *writer)
{
    sqlite3_stmt *statement = NULL;
    enum dls_status status = DLS_OK;

    if (sqlite3_prepare_v2(writer->sql, "SELECT coalesce(max(trace), 0) FROM trace", -1,
                           &statement, NULL) != SQLITE_OK ||
        sqlite3_step(statement) != SQLITE_ROW) {
        status = fail(writer);
    } else {
        int64_t highest = sqlite3_column_int64(statement, 0);

        if (highest < 0 || highest >= INT64_MAX) {
            struct dls_place place = {
                .file = writer->path, .table = "trace", .row = highest};

            dls_diag_error(writer->diag, &place,
                           "no number is left for another recording");
            status = DLS_EINPUT;
        }
        writer->trace = highest + 1;
    }
    sqlite3_finalize(statement);
    return status;
}

enum dls_status dls_trace_writer_open(const char *path, struct dls_diag *diag,
                                      struct dls_trace_writer **writer)
{
    struct dls_trace_writer *opened = dls_mem_new(1, sizeof *opened);
    bool empty = false;
    enum dls_status status;

    opened->path = dls_mem_text(path);
    opened->diag = diag;
    status = touch(opened);
    if (status == DLS_OK)
        status = dls_db_open(path, diag, &opened->sql);
    if (status == DLS_OK)
        empty = is_empty(opened->sql);
    /* A foreign file is refused before a lock is asked of it. */
    if (status == DLS_OK && !empty)
        status = dls_db_check(opened->sql, path, diag);
    if (status == DLS_OK)
        status = execute(opened, "BEGIN IMMEDIATE");
    if (status == DLS_OK)
        status = prepare_schema(opened, empty);
    if (status == DLS_OK)
        status = take_number(opened);
    if (status != DLS_OK) {
        dls_trace_writer_close(opened);
        return status;
    }
    *writer = opened;
    return DLS_OK;
}

int64_t dls_trace_writer_trace(const struct dls_trace_writer *writer)
{
    return writer->trace;
}

static void format_hash(uint64_t hash, char out[17])
{
    snprintf(out, 17, "%016" PRIx64, hash);
}

bool dls_trace_writer_has(struct dls_trace_writer *writer, uint64_t file_hash,
                          int64_t *trace, char *out, size_t size)
{
    sqlite3_stmt *statement = NULL;
    char hash[17];
    bool found = false;

    format_hash(file_hash, hash);
    if (!writer->failed &&
        sqlite3_prepare_v2(writer->sql,
                           "SELECT trace, name FROM trace WHERE file_hash = ?1", -1,
                           &statement, NULL) == SQLITE_OK) {
        sqlite3_bind_text(statement, 1, hash, -1, SQLITE_STATIC);
        if (sqlite3_step(statement) == SQLITE_ROW) {
            const char *name = (const char *)sqlite3_column_text(statement, 1);

            *trace = sqlite3_column_int64(statement, 0);
            snprintf(out, size, "%s", name == NULL ? "" : name);
            found = true;
        }
    }
    sqlite3_finalize(statement);
    return found;
}

/* The statement for one more row of a table, with the recording's number bound; NULL
 * when the writer has failed. */
static sqlite3_stmt *start_row(struct dls_trace_writer *writer, enum insert insert)
{
    sqlite3_stmt **statement = &writer->inserts[insert];

    if (writer->failed)
        return NULL;
    if (*statement == NULL) {
        if (sqlite3_prepare_v3(writer->sql, insert_text[insert], -1,
                               SQLITE_PREPARE_PERSISTENT, statement,
                               NULL) != SQLITE_OK) {
            fail(writer);
            return NULL;
        }
    }
    sqlite3_bind_int64(*statement, 1, writer->trace);
    return *statement;
}

/* Texts are bound without a copy: they live until the row is done. */
static void bind_text(sqlite3_stmt *statement, int index, const char *text)
{
    if (text == NULL)
        sqlite3_bind_null(statement, index);
    else
        sqlite3_bind_text(statement, index, text, -1, SQLITE_STATIC);
}

/* -1 stands for NULL. */
static void bind_maybe(sqlite3_stmt *statement, int index, int64_t value)
{
    if (value < 0)
        sqlite3_bind_null(statement, index);
    else
        sqlite3_bind_int64(statement, index, value);
}

static enum dls_status end_row(struct dls_trace_writer *writer, sqlite3_stmt *statement)
{
    int code = sqlite3_step(statement);
    enum dls_status status = code == SQLITE_DONE ? DLS_OK : fail(writer);

    sqlite3_reset(statement);
    return status;
}

/* The same for tables where a row may be there already. */
static enum dls_status end_unique_row(struct dls_trace_writer *writer,
                                      sqlite3_stmt *statement)
{
    int code = sqlite3_step(statement);
    enum dls_status status = DLS_OK;

    if (code == SQLITE_CONSTRAINT_UNIQUE || code == SQLITE_CONSTRAINT_PRIMARYKEY)
        status = DLS_EINPUT;
    else if (code != SQLITE_DONE)
        status = fail(writer);
    sqlite3_reset(statement);
    return status;
}

enum dls_status dls_trace_put_span(struct dls_trace_writer *writer,
                                   const struct dls_span *span, const char *op)
{
    sqlite3_stmt *row = start_row(writer, INSERT_SPAN);

    DLS_REQUIRE(span->dur_ns >= 0 && span->start_ns >= 0 && op[0] != '\0' &&
                    span->worker >= -1,
                "span of op '%s'", op);
    if (row == NULL)
        return DLS_EIO;
    sqlite3_bind_int64(row, 2, span->pid);
    sqlite3_bind_int64(row, 3, span->tid);
    sqlite3_bind_int64(row, 4, span->rank);
    sqlite3_bind_int64(row, 5, span->worker);
    bind_maybe(row, 6, span->epoch);
    bind_maybe(row, 7, span->batch);
    bind_maybe(row, 8, span->sample);
    bind_text(row, 9, dls_span_stage_name((enum dls_span_stage)span->stage));
    bind_text(row, 10, op);
    sqlite3_bind_int64(row, 11, span->start_ns);
    sqlite3_bind_int64(row, 12, span->dur_ns);
    bind_maybe(row, 13, span->cpu_ns);
    bind_maybe(row, 14, span->bytes);
    return end_row(writer, row);
}

enum dls_status dls_trace_put_batch(struct dls_trace_writer *writer,
                                    const struct dls_trace_batch *batch)
{
    sqlite3_stmt *row = start_row(writer, INSERT_BATCH);

    DLS_REQUIRE(batch->request_ns <= batch->arrive_ns &&
                    batch->arrive_ns <= batch->done_ns,
                "batch %d", (int)batch->batch);
    if (row == NULL)
        return DLS_EIO;
    sqlite3_bind_int64(row, 2, batch->rank);
    sqlite3_bind_int64(row, 3, batch->epoch);
    sqlite3_bind_int64(row, 4, batch->batch);
    sqlite3_bind_int64(row, 5, batch->request_ns);
    sqlite3_bind_int64(row, 6, batch->arrive_ns);
    sqlite3_bind_int64(row, 7, batch->done_ns);
    return end_unique_row(writer, row);
}

enum dls_status dls_trace_put_config(struct dls_trace_writer *writer, const char *key,
                                     const char *value)
{
    sqlite3_stmt *row = start_row(writer, INSERT_CONFIG);

    if (row == NULL)
        return DLS_EIO;
    bind_text(row, 2, key);
    bind_text(row, 3, value);
    return end_unique_row(writer, row);
}

enum dls_status dls_trace_put_micro(struct dls_trace_writer *writer,
                                    const struct dls_trace_micro *micro)
{
    sqlite3_stmt *row = start_row(writer, INSERT_MICRO);

    DLS_REQUIRE(isfinite(micro->value), "micro %s", micro->test);
    if (row == NULL)
        return DLS_EIO;
    bind_text(row, 2, micro->test);
    bind_text(row, 3, micro->class_);
    sqlite3_bind_int64(row, 4, micro->n);
    sqlite3_bind_int64(row, 5, micro->repetition);
    sqlite3_bind_double(row, 6, micro->value);
    bind_text(row, 7, micro->unit);
    return end_row(writer, row);
}

enum dls_status dls_trace_put_outcome(struct dls_trace_writer *writer,
                                      const struct dls_trace_outcome *outcome)
{
    sqlite3_stmt *row = start_row(writer, INSERT_OUTCOME);

    DLS_REQUIRE(isfinite(outcome->value), "outcome %s", outcome->metric);
    if (row == NULL)
        return DLS_EIO;
    bind_text(row, 2, outcome->metric);
    bind_maybe(row, 3, outcome->epoch);
    sqlite3_bind_int64(row, 4, outcome->repetition);
    sqlite3_bind_double(row, 5, outcome->value);
    bind_text(row, 6, outcome->unit);
    return end_row(writer, row);
}

enum dls_status dls_trace_put_gap(struct dls_trace_writer *writer,
                                  const struct dls_trace_gap *gap)
{
    sqlite3_stmt *row = start_row(writer, INSERT_GAP);

    if (row == NULL)
        return DLS_EIO;
    bind_text(row, 2, gap->code);
    bind_text(row, 3, gap->text);
    bind_text(row, 4, gap->remedy);
    return end_row(writer, row);
}

static enum dls_status put_trace(struct dls_trace_writer *writer,
                                 const struct dls_trace_info *info)
{
    sqlite3_stmt *row = NULL;
    char hash[17];
    enum dls_status status;

    if (sqlite3_prepare_v2(
            writer->sql,
            "INSERT INTO trace VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,"
            " ?11, ?12, ?13, ?14)",
            -1, &row, NULL) != SQLITE_OK)
        return fail(writer);
    format_hash(info->file_hash, hash);
    sqlite3_bind_int64(row, 1, writer->trace);
    bind_text(row, 2, info->name);
    bind_text(row, 3, info->tool);
    bind_text(row, 4, info->tool_version);
    sqlite3_bind_int64(row, 5, info->importer_version);
    bind_text(row, 6, info->file_name);
    sqlite3_bind_int64(row, 7, info->file_bytes);
    bind_text(row, 8, hash);
    bind_text(row, 9, info->clock);
    if (info->joined)
        sqlite3_bind_int64(row, 10, info->clock_offset_ns);
    bind_text(row, 11, info->host_name);
    bind_maybe(row, 12, info->host_cpus);
    bind_maybe(row, 13, info->host_memory_bytes);
    bind_text(row, 14, info->host_kernel);
    status = end_row(writer, row);
    sqlite3_finalize(row);
    return status;
}

enum dls_status dls_trace_writer_commit(struct dls_trace_writer *writer,
                                        const struct dls_trace_info *info)
{
    enum dls_status status;

    if (writer->failed)
        return DLS_EIO;
    status = put_trace(writer, info);
    if (status == DLS_OK)
        status = execute(writer, "COMMIT");
    writer->committed = status == DLS_OK;
    return status;
}

/* Removes a file this writer made, and the journal that a failed roll-back leaves
 * beside it. */
static void remove_created(const char *path)
{
    struct dls_str journal;

    dls_str_init(&journal);
    dls_str_addf(&journal, "%s-journal", path);
    unlink(path);
    unlink(journal.data);
    dls_str_release(&journal);
}

void dls_trace_writer_close(struct dls_trace_writer *writer)
{
    if (writer == NULL)
        return;
    for (int i = 0; i < INSERT_COUNT; i++)
        sqlite3_finalize(writer->inserts[i]);
    if (writer->sql != NULL && !writer->committed) {
        sqlite3_exec(writer->sql, "ROLLBACK", NULL, NULL, NULL);
        /* After a failed write the journal is played back by the next reader only: be
         * that reader. */
        sqlite3_exec(writer->sql, "SELECT count(*) FROM sqlite_schema", NULL, NULL,
                     NULL);
    }
    sqlite3_close(writer->sql);
    if (writer->created && !writer->committed)
        remove_created(writer->path);
    dls_mem_free(writer->path);
    dls_mem_free(writer);
}
