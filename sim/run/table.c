#include "sim/run/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/vec.h"

enum { TABLE_BYTES = 64 << 20, COLUMNS_MAX = 256 };

/* The text under the reader's finger; it is cut into fields in place. */
struct reader {
    struct dls_arena *arena;
    struct dls_diag *diag;
    struct dls_table_file *table;
    char *at;
    long line;
};

/* Cuts the next line off, without its end; NULL at the end of the text. */
static char *next_line(struct reader *reader)
{
    char *line = reader->at;
    char *end;

    if (*line == '\0')
        return NULL;
    end = line + strcspn(line, "\n");
    reader->at = *end == '\n' ? end + 1 : end;
    if (end > line && end[-1] == '\r')
        end--;
    *end = '\0';
    reader->line++;
    return line;
}

static size_t count_fields(const char *line)
{
    size_t fields = 1;

    for (; *line != '\0'; line++)
        fields += *line == ',';
    return fields;
}

/* Cuts a line into its fields. */
static void split(char *line, const char **field, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char *end = line + strcspn(line, ",");

        field[i] = line;
        line = end + 1;
        *end = '\0';
    }
}

static void report(struct reader *reader, long column, const char *problem,
                   const char *text)
{
    struct dls_place place = {
        .file = reader->table->path, .line = reader->line, .column = column};

    dls_diag_error(reader->diag, &place, "%s'%.40s'", problem, text);
}

static bool read_header(struct reader *reader)
{
    struct dls_table_file *table = reader->table;
    size_t before = dls_diag_errors(reader->diag);
    char *line = next_line(reader);

    if (line == NULL || *line == '\0') {
        reader->line = 1;
        report(reader, 1, "expected a row of column names, found ", "");
        return false;
    }
    table->columns = count_fields(line);
    if (table->columns > COLUMNS_MAX) {
        report(reader, 1, "expected at most 256 columns, found more in ", line);
        return false;
    }
    table->name = dls_arena_get(reader->arena, table->columns, sizeof *table->name);
    split(line, table->name, table->columns);
    for (size_t i = 0; i < table->columns; i++) {
        long column = (long)(table->name[i] - line) + 1;

        if (table->name[i][0] == '\0')
            report(reader, column, "expected a column name, found ", "");
        else if (dls_table_file_column(table, table->name[i]) != (int)i)
            report(reader, column, "column named twice: ", table->name[i]);
    }
    return dls_diag_errors(reader->diag) == before;
}

static void read_rows(struct reader *reader)
{
    struct dls_table_file *table = reader->table;
    DLS_VEC(char *) lines = {0};
    DLS_VEC(long) numbers = {0};
    char *line;

    while ((line = next_line(reader)) != NULL) {
        size_t fields = count_fields(line);
        struct dls_place place = {
            .file = table->path, .line = reader->line, .column = 1};

        if (fields != table->columns) {
            dls_diag_error(reader->diag, &place,
                           "expected %zu fields as in the header, found %zu",
                           table->columns, fields);
            continue;
        }
        DLS_VEC_ADD(&lines, line);
        DLS_VEC_ADD(&numbers, reader->line);
    }
    table->rows = lines.count;
    table->field = dls_arena_get(reader->arena, lines.count * table->columns + 1,
                                 sizeof *table->field);
    table->line = dls_arena_get(reader->arena, lines.count + 1, sizeof *table->line);
    for (size_t i = 0; i < lines.count; i++) {
        split(lines.data[i], table->field + i * table->columns, table->columns);
        table->line[i] = numbers.data[i];
    }
    DLS_VEC_RELEASE(&lines);
    DLS_VEC_RELEASE(&numbers);
}

enum dls_status dls_table_file_read(const char *path, struct dls_arena *arena,
                                    struct dls_diag *diag, struct dls_table_file *table)
{
    struct dls_table_file found = {.path = dls_arena_text(arena, path)};
    struct reader reader = {.arena = arena, .diag = diag, .table = &found};
    size_t before = dls_diag_errors(diag);
    struct dls_str text;
    int error;

    dls_str_init(&text);
    error = dls_str_read_file(&text, path, TABLE_BYTES);
    if (error != 0) {
        dls_diag_error(diag, NULL, "cannot read '%s': %s", path, strerror(error));
        dls_str_release(&text);
        return DLS_EIO;
    }
    dls_diag_source(diag, found.path, text.data, text.length);
    reader.at = dls_arena_text(arena, text.data);
    if (strlen(text.data) != text.length)
        report(&reader, 0, "expected text, found a zero byte in ", path);
    else if (read_header(&reader))
        read_rows(&reader);
    dls_str_release(&text);
    if (dls_diag_errors(diag) == before && found.rows == 0)
        report(&reader, 1, "expected at least one row after the header of ", path);
    if (dls_diag_errors(diag) > before)
        return DLS_EINPUT;
    *table = found;
    return DLS_OK;
}

int dls_table_file_column(const struct dls_table_file *table, const char *name)
{
    for (size_t i = 0; i < table->columns; i++)
        if (strcmp(table->name[i], name) == 0)
            return (int)i;
    return DLS_TABLE_NONE;
}

const char *dls_table_file_text(const struct dls_table_file *table, size_t row,
                                int column)
{
    return table->field[row * table->columns + (size_t)column];
}

struct dls_place dls_table_file_place(const struct dls_table_file *table, size_t row,
                                      int column)
{
    const char *text = dls_table_file_text(table, row, column);

    return (struct dls_place){
        .file = table->path,
        .line = table->line[row],
        .column = (long)(text - dls_table_file_text(table, row, 0)) + 1,
        .span = (long)strlen(text),
    };
}

double dls_table_file_number(const struct dls_table_file *table, size_t row, int column,
                             struct dls_diag *diag)
{
    const char *text = dls_table_file_text(table, row, column);
    char *end;
    double value;

    if (*text == '\0')
        return NAN;
    value = strtod(text, &end);
    if (*end == '\0' && isfinite(value))
        return value;
    struct dls_place place = dls_table_file_place(table, row, column);
    dls_diag_error(diag, &place, "expected a number in column '%s', found '%.40s'",
                   table->name[column], text);
    return NAN;
}
