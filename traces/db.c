/* db.c: SQLite as the files of this folder use it. See db_int.h. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/mem.h"
#include "sim/base/str.h"
#include "traces/db_int.h"
#include "traces/trace.h"

/* Whether a result code blames the content of the file rather than the machine. */
static bool blames_content(int code)
{
    switch (code & 0xff) {
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
    case SQLITE_ERROR: /* a table or column is missing: the statements themselves are
                          tested */
    case SQLITE_CONSTRAINT: /* a foreign schema: ours is never violated unnoticed */
    case SQLITE_FORMAT:
    case SQLITE_MISMATCH:
    case SQLITE_TOOBIG:
        return true;
    default:
        return false;
    }
}

enum dls_status dls_db_failed(sqlite3 *sql, const char *path, const char *what,
                              struct dls_diag *diag)
{
    struct dls_place place = {.file = path};
    int code = sqlite3_extended_errcode(sql);
    bool machine = (code & 0xff) == SQLITE_IOERR || (code & 0xff) == SQLITE_CANTOPEN;
    int cause = sqlite3_system_errno(sql);

    /* A failing COMMIT leaves the cause with the file only. */
    if (machine && cause == 0)
        sqlite3_file_control(sql, "main", SQLITE_FCNTL_LAST_ERRNO, &cause);
    if ((code & 0xff) == SQLITE_BUSY)
        dls_diag_error(diag, &place, "cannot %s: another program is writing to it",
                       what);
    else if (machine && cause != 0)
        dls_diag_error(diag, &place, "cannot %s: %s", what, strerror(cause));
    else
        dls_diag_error(diag, &place, "cannot %s: %s", what, sqlite3_errmsg(sql));
    return blames_content(code) ? DLS_EINPUT : DLS_EIO;
}

enum dls_status dls_db_open(const char *path, struct dls_diag *diag, sqlite3 **sql)
{
    struct dls_str name;
    sqlite3 *opened = NULL;
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
    enum dls_status status = DLS_OK;

    /* ":memory:" and "file:..." mean something else to SQLite; with a folder in front
     * they are names. */
    dls_str_init(&name);
    dls_str_addf(&name, "%s%s", path[0] == '/' ? "" : "./", path);
    if (sqlite3_open_v2(name.data, &opened, flags, NULL) != SQLITE_OK) {
        status = dls_db_failed(opened, path, "open", diag);
        sqlite3_close(opened);
        goto out;
    }
    sqlite3_extended_result_codes(opened, 1);
    sqlite3_busy_timeout(opened, 5000);
    sqlite3_db_config(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(opened, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(opened, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    *sql = opened;
out:
    dls_str_release(&name);
    return status;
}

static int read_pragma(sqlite3 *sql, const char *text, int64_t *value)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(sql, text, -1, &statement, NULL);

    if (code == SQLITE_OK) {
        code = sqlite3_step(statement);
        if (code == SQLITE_ROW) {
            *value = sqlite3_column_int64(statement, 0);
            code = SQLITE_OK;
        }
    }
    sqlite3_finalize(statement);
    return code;
}

enum dls_status dls_db_check(sqlite3 *sql, const char *path, struct dls_diag *diag)
{
    struct dls_place place = {.file = path};
    int64_t id = 0;
    int64_t version = 0;

    if (read_pragma(sql, "PRAGMA application_id", &id) != SQLITE_OK ||
        read_pragma(sql, "PRAGMA user_version", &version) != SQLITE_OK) {
        if ((sqlite3_errcode(sql) & 0xff) != SQLITE_NOTADB)
            return dls_db_failed(sql, path, "read", diag);
        dls_diag_error(diag, &place, "not a trace database: no SQLite file");
        return DLS_EINPUT;
    }
    if (id != DLS_TRACE_APPLICATION_ID) {
        dls_diag_error(
            diag, &place,
            "not a trace database: expected application id 0x%08x, found 0x%08x",
            (unsigned)DLS_TRACE_APPLICATION_ID, (unsigned)id);
        return DLS_EINPUT;
    }
    if (version != DLS_TRACE_VERSION) {
        dls_diag_error(diag, &place,
                       "expected version %d of the trace database, found %lld",
                       DLS_TRACE_VERSION, (long long)version);
        return DLS_EINPUT;
    }
    return DLS_OK;
}

sqlite3_stmt *dls_db_prepare(struct dls_trace_db *db, const char *text,
                             struct dls_diag *diag, enum dls_status *status)
{
    sqlite3_stmt *statement = NULL;

    if (sqlite3_prepare_v2(db->sql, text, -1, &statement, NULL) != SQLITE_OK)
        *status = dls_db_failed(db->sql, db->path, "read", diag);
    return statement;
}

bool dls_db_row_start(struct dls_db_row *row, const char *text, int64_t trace,
                      enum dls_status *status)
{
    row->statement = dls_db_prepare(row->db, text, row->diag, status);
    if (row->statement == NULL)
        return false;
    if (sqlite3_bind_parameter_count(row->statement) > 0)
        sqlite3_bind_int64(row->statement, 1, trace);
    return true;
}

bool dls_db_row_next(struct dls_db_row *row, enum dls_status *status)
{
    int code;

    if (row->statement == NULL || row->errors >= DLS_DIAG_MAX)
        return false;
    code = sqlite3_step(row->statement);
    if (code == SQLITE_ROW) {
        row->row = sqlite3_column_int64(row->statement, 0);
        return true;
    }
    if (code != SQLITE_DONE)
        *status = dls_db_failed(row->db->sql, row->db->path, "read", row->diag);
    return false;
}

enum dls_status dls_db_row_end(struct dls_db_row *row, enum dls_status status)
{
    sqlite3_finalize(row->statement);
    row->statement = NULL;
    return status == DLS_OK && row->errors > 0 ? DLS_EINPUT : status;
}

void dls_db_row_bad(struct dls_db_row *row, const char *format, ...)
{
    struct dls_place place = {
        .file = row->db->path, .table = row->table, .row = row->row};
    char text[256];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    dls_diag_error(row->diag, &place, "%s", text);
    row->errors++;
}

/* What a column holds instead, for messages. */
static const char *found_type(int type)
{
    switch (type) {
    case SQLITE_INTEGER:
        return "a whole number";
    case SQLITE_FLOAT:
        return "a number with fraction";
    case SQLITE_TEXT:
        return "text";
    case SQLITE_BLOB:
        return "bytes";
    default:
        return "NULL";
    }
}

int64_t dls_db_row_int(struct dls_db_row *row, int column, const char *name,
                       int64_t low, int64_t high, bool maybe)
{
    /* One look-up for type and value: this is the inner loop of loading spans. The
     * handle serves one thread. */
    sqlite3_value *found = sqlite3_column_value(row->statement, column);
    int type = sqlite3_value_type(found);
    int64_t value;

    if (type == SQLITE_NULL && maybe)
        return -1;
    if (type != SQLITE_INTEGER) {
        dls_db_row_bad(row, "'%s' must be a whole number, found %s", name,
                       found_type(type));
        return -1;
    }
    value = sqlite3_value_int64(found);
    if (value < low)
        dls_db_row_bad(row, "'%s' must be at least %lld, found %lld", name,
                       (long long)low, (long long)value);
    else if (value > high)
        dls_db_row_bad(row, "'%s' must be at most %lld, found %lld", name,
                       (long long)high, (long long)value);
    return value;
}

int32_t dls_db_row_int32(struct dls_db_row *row, int column, const char *name,
                         int32_t low, bool maybe)
{
    int64_t value = dls_db_row_int(row, column, name, low, INT32_MAX, maybe);

    return value < INT32_MIN || value > INT32_MAX ? -1 : (int32_t)value;
}

double dls_db_row_real(struct dls_db_row *row, int column, const char *name)
{
    int type = sqlite3_column_type(row->statement, column);
    double value;

    if (type != SQLITE_FLOAT && type != SQLITE_INTEGER) {
        dls_db_row_bad(row, "'%s' must be a number, found %s", name, found_type(type));
        return 0.0;
    }
    value = sqlite3_column_double(row->statement, column);
    if (!isfinite(value))
        dls_db_row_bad(row, "'%s' must be finite", name);
    return value;
}

const char *dls_db_row_text(struct dls_db_row *row, int column, const char *name)
{
    sqlite3_value *found = sqlite3_column_value(row->statement, column);
    int type = sqlite3_value_type(found);
    const char *text;

    if (type != SQLITE_TEXT) {
        dls_db_row_bad(row, "'%s' must be text, found %s", name, found_type(type));
        return "";
    }
    text = (const char *)sqlite3_value_text(found);
    if (text == NULL || strlen(text) != (size_t)sqlite3_value_bytes(found)) {
        dls_db_row_bad(row, "'%s' must be text, found a zero byte in it", name);
        return "";
    }
    return text;
}

const char *dls_db_row_name(struct dls_db_row *row, int column, const char *name)
{
    size_t errors = row->errors;
    const char *text = dls_db_row_text(row, column, name);

    if (text[0] == '\0' && row->errors == errors)
        dls_db_row_bad(row, "'%s' must not be empty", name);
    return text;
}
