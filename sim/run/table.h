/* table.h: a table of measured outcomes: comma-separated text with a header row, every
 * column kept as text.
 *
 * Columns stand in any order and their names are free; each row has as many fields as
 * the header. Fields hold no quotes; an empty field is legal and means: not measured.
 * Trouble is a message with file, line and column. It gives no meaning: cases.h
 * does. */
#ifndef DLS_SIM_RUN_TABLE_H
#define DLS_SIM_RUN_TABLE_H

#include "sim/base/diag.h"
#include "sim/base/mem.h"
#include "sim/base/status.h"

enum { DLS_TABLE_NONE = -1 };

struct dls_table_file {
    const char *path;
    size_t columns;
    const char **name; /* of the columns */
    size_t rows;
    const char **field; /* row by row */
    long *line;         /* of each row, from 1 */
};

/* Reads the file into `arena`. DLS_EIO: it cannot be read; DLS_EINPUT: it is no table,
 * or has no row. */
enum dls_status dls_table_file_read(const char *path, struct dls_arena *arena,
                                    struct dls_diag *diag,
                                    struct dls_table_file *table);

/* Index of a column, DLS_TABLE_NONE when there is none. */
int dls_table_file_column(const struct dls_table_file *table, const char *name);

/* A field as text, borrowed. */
const char *dls_table_file_text(const struct dls_table_file *table, size_t row,
                                int column);

/* A field as a finite number: NaN when it is empty. A field that is no number adds a
 * message and gives NaN. */
double dls_table_file_number(const struct dls_table_file *table, size_t row, int column,
                             struct dls_diag *diag);

/* Where a field stands. */
struct dls_place dls_table_file_place(const struct dls_table_file *table, size_t row,
                                      int column);

#endif
