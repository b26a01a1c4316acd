/* db_int.h: SQLite as the files of this folder use it: opening, checking, statements,
 * messages. */
#ifndef DLS_TRACES_DB_INT_H
#define DLS_TRACES_DB_INT_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/base/diag.h"
#include "sim/base/status.h"

struct dls_trace_db {
    sqlite3 *sql;
    char *path;
};

/* Opens an existing file (`path` is a file name whatever it looks like) with triggers,
 * views and schema functions of a foreign file switched off. Readers too need to write
 * when they can: a killed writer's half is rolled back by whoever comes next. */
enum dls_status dls_db_open(const char *path, struct dls_diag *diag, sqlite3 **sql);

/* Checks application_id and user_version. */
enum dls_status dls_db_check(sqlite3 *sql, const char *path, struct dls_diag *diag);

/* Adds the message for the last failure on `sql` ("cannot read: ...") and returns its
 * status: a damaged or foreign file is DLS_EINPUT, everything else DLS_EIO. `what` is a
 * verb. */
enum dls_status dls_db_failed(sqlite3 *sql, const char *path, const char *what,
                              struct dls_diag *diag);

/* Prepares one statement; NULL after a message, with its status in `status`. */
sqlite3_stmt *dls_db_prepare(struct dls_trace_db *db, const char *text,
                             struct dls_diag *diag, enum dls_status *status);

/* A row being read: each getter checks type and range and adds a message "table, row:
 * ..." on trouble. */
struct dls_db_row {
    struct dls_trace_db *db;
    struct dls_diag *diag;
    const char *table;
    sqlite3_stmt *statement; /* set by dls_db_row_start */
    int64_t row;
    size_t errors; /* of all rows so far */
};

/* Prepares the statement and binds `trace` to its first parameter, if it has one. False
 * after a message. */
bool dls_db_row_start(struct dls_db_row *row, const char *text, int64_t trace,
                      enum dls_status *status);

/* Steps to the next row and sets `row` from column 0. False at the end, after
 * DLS_DIAG_MAX errors, and after a failure of the file, whose status is left in
 * `status`. */
bool dls_db_row_next(struct dls_db_row *row, enum dls_status *status);

/* DLS_EINPUT when any row was bad, else `status`. */
enum dls_status dls_db_row_end(struct dls_db_row *row, enum dls_status status);

/* Column `column`, called `name` in messages. `maybe`: NULL is allowed and gives -1. */
int64_t dls_db_row_int(struct dls_db_row *row, int column, const char *name,
                       int64_t low, int64_t high, bool maybe);
int32_t dls_db_row_int32(struct dls_db_row *row, int column, const char *name,
                         int32_t low, bool maybe);

/* A finite number. */
double dls_db_row_real(struct dls_db_row *row, int column, const char *name);

/* A text without zero bytes, borrowed until the next step; never NULL (bad ones give
 * ""). A name is not empty. */
const char *dls_db_row_text(struct dls_db_row *row, int column, const char *name);
const char *dls_db_row_name(struct dls_db_row *row, int column, const char *name);

/* Adds a message about this row. */
void dls_db_row_bad(struct dls_db_row *row, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
