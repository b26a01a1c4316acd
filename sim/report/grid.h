/* grid.h: text in aligned columns, and text in lines of at most 80 columns. The widest
 * cell of a column decides its width; columns stand two spaces apart and no line ends
 * in spaces. Widths count characters, so cells may hold UTF-8. */
#ifndef DLS_SIM_REPORT_GRID_H
#define DLS_SIM_REPORT_GRID_H

#include <stddef.h>

#include "sim/base/str.h"
#include "sim/base/vec.h"

enum { DLS_GRID_COLUMNS = 8, DLS_TEXT_COLUMNS = 80 };

/* Appends the words of `text` and a newline. The first line starts at column `column`,
 * where `out` stands already; the others after `indent` spaces. A word longer than a
 * line stands alone. */
void dls_text_wrap(struct dls_str *out, const char *text, size_t column, size_t indent);

/* Caller's storage. */
struct dls_grid {
    const char *align; /* one 'l' or 'r' a column */
    size_t columns;
    DLS_VEC(char *) cells;
};

/* `align` is borrowed; at most DLS_GRID_COLUMNS characters. */
void dls_grid_init(struct dls_grid *grid, const char *align);
void dls_grid_release(struct dls_grid *grid);

/* The next cell, row by row from the left. */
void dls_grid_add(struct dls_grid *grid, const char *text);

/* Appends all full rows, each after `indent` spaces. */
void dls_grid_write(const struct dls_grid *grid, size_t indent, struct dls_str *out);

#endif
