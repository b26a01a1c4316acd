/* csv.h: strict comma-separated rows of a recording: one header line, then rows of
 * numbers and names.
 *
 * Columns are found by name, in any order; each expected column must be there once and
 * no other. Fields hold no quotes; a line ends with a line feed (before it a carriage
 * return is dropped), the last one too, since a file without is cut off. A byte order
 * mark at the start is skipped. Trouble is a message with file, line and column; a
 * reader goes on with the next row, up to DLS_DIAG_MAX errors. */
#ifndef DLS_TRACES_CSV_H
#define DLS_TRACES_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/diag.h"
#include "sim/base/status.h"

enum { DLS_CSV_COLUMNS_MAX = 16, DLS_CSV_LINE_BYTES = 4096 };

struct dls_csv;

/* Opens the file and reads its header. `columns` (count names) must live as long as the
 * reader. A wrong header is DLS_EINPUT. */
enum dls_status dls_csv_open(const char *path, const char *const *columns, size_t count,
                             struct dls_diag *diag, struct dls_csv **csv);
void dls_csv_close(struct dls_csv *csv);

/* Goes to the next row that has the right number of fields. False at the end, after too
 * many errors or a failure. */
bool dls_csv_next(struct dls_csv *csv);

/* How reading ended: DLS_EIO, DLS_EINPUT when any row was bad, a field was refused, or
 * no row was there at all. */
enum dls_status dls_csv_end(struct dls_csv *csv);

/* A field of the present row, zero-terminated, borrowed until the next row; `column`
 * counts in the order of open. */
const char *dls_csv_text(const struct dls_csv *csv, size_t column);

/* The same, which must be a name: 1 to 255 bytes without quotes and control characters.
 * "" after a message. */
const char *dls_csv_name(struct dls_csv *csv, size_t column);

/* A whole decimal number low..high; `low` after a message. */
int64_t dls_csv_int(struct dls_csv *csv, size_t column, int64_t low, int64_t high);

/* A finite decimal number; 0 after a message. */
double dls_csv_real(struct dls_csv *csv, size_t column);

/* Adds a message about a field of the present row. */
void dls_csv_bad(struct dls_csv *csv, size_t column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

size_t dls_csv_errors(const struct dls_csv *csv);
long dls_csv_line(const struct dls_csv *csv);
int64_t dls_csv_rows(const struct dls_csv *csv);

/* Of the file, after the end: see input.h. */
int64_t dls_csv_bytes(const struct dls_csv *csv);
uint64_t dls_csv_hash(const struct dls_csv *csv);

/* Copies `text` for a message: at most 40 bytes, unprintable ones as '?'. Returns
 * `out`. */
const char *dls_csv_shown(const char *text, size_t bytes, char out[48]);

#endif
