#include "sim/report/grid.h"

#include <stdbool.h>
#include <string.h>

#include "sim/base/status.h"

void dls_text_wrap(struct dls_str *out, const char *text, size_t column, size_t indent)
{
    bool is_first = true;

    for (; *text != '\0'; text += strspn(text, " ")) {
        size_t word = strcspn(text, " ");

        if (!is_first && column + 1 + word > DLS_TEXT_COLUMNS) {
            dls_str_addf(out, "\n%*s", (int)indent, "");
            column = indent;
        } else if (!is_first) {
            dls_str_add(out, " ");
            column++;
        }
        is_first = false;
        dls_str_add_n(out, text, word);
        column += word;
        text += word;
    }
    dls_str_add(out, "\n");
}

void dls_grid_init(struct dls_grid *grid, const char *align)
{
    *grid = (struct dls_grid){.align = align, .columns = strlen(align)};
    DLS_REQUIRE(grid->columns >= 1 && grid->columns <= DLS_GRID_COLUMNS, "'%s'", align);
}

void dls_grid_release(struct dls_grid *grid)
{
    for (size_t i = 0; i < grid->cells.count; i++)
        dls_mem_free(grid->cells.data[i]);
    DLS_VEC_RELEASE(&grid->cells);
}

void dls_grid_add(struct dls_grid *grid, const char *text)
{
    DLS_VEC_ADD(&grid->cells, dls_mem_text(text));
}

/* Characters of UTF-8 text: its bytes without the continuation bytes. */
static size_t width_of(const char *text)
{
    size_t width = 0;

    for (; *text != '\0'; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

static void pad(struct dls_str *out, size_t spaces)
{
    while (spaces-- > 0)
        dls_str_add_n(out, " ", 1);
}

static void write_row(const struct dls_grid *grid, char *const *row,
                      const size_t *width, struct dls_str *out)
{
    size_t owed = 0; /* spaces that only matter if something follows */

    for (size_t c = 0; c < grid->columns; c++) {
        size_t missing = width[c] - width_of(row[c]);

        if (row[c][0] == '\0') {
            owed += width[c] + 2;
            continue;
        }
        pad(out, owed + (grid->align[c] == 'r' ? missing : 0));
        dls_str_add(out, row[c]);
        owed = 2 + (grid->align[c] == 'r' ? 0 : missing);
    }
    dls_str_add(out, "\n");
}

void dls_grid_write(const struct dls_grid *grid, size_t indent, struct dls_str *out)
{
    size_t rows = grid->cells.count / grid->columns;
    size_t width[DLS_GRID_COLUMNS] = {0};

    for (size_t i = 0; i < rows * grid->columns; i++) {
        size_t cell = width_of(grid->cells.data[i]);

        if (cell > width[i % grid->columns])
            width[i % grid->columns] = cell;
    }
    for (size_t r = 0; r < rows; r++) {
        pad(out, indent);
        write_row(grid, grid->cells.data + r * grid->columns, width, out);
    }
}
