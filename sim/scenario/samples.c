#include "sim/scenario/samples.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/hash.h"
#include "sim/base/mem.h"

enum { LIMIT_BYTES = 1 << 30, COLUMNS_MAX = 64 };

/* One file while it is read. */
struct table {
    const char *path;
    struct dls_diag *diag;
    struct dls_arena *arena;
    size_t columns; /* without the first, "sample" */
    const char *name[COLUMNS_MAX];
    double *value[COLUMNS_MAX];
    long line;
};

static void fail(const struct table *table, const char *line, const char *at, const char *format, const char *text)
{
    struct dls_place place = {.file = table->path, .line = table->line, .column = at ? (long)(at - line) + 1 : 0};

    dls_diag_error(table->diag, &place, format, text);
}

/* "sample,bytes,jpeg": names of the columns. `line` ends with a zero. */
static bool header_read(struct table *table, char *line)
{
    char *field = line;
    size_t count = 0;

    for (char *end; field != NULL; field = end) {
        end = strchr(field, ',');
        if (end != NULL)
            *end++ = '\0';
        if (*field == '\0' || (count == 0 && strcmp(field, "sample") != 0) || count > COLUMNS_MAX) {
            fail(table, line, field, count == 0 ? "the first column must be 'sample', found '%s'" : "column name '%s'",
                 field);
            return false;
        }
        for (size_t i = 0; i + 1 < count; i++)
            if (strcmp(table->name[i], field) == 0) {
                fail(table, line, field, "duplicate column '%s'", field);
                return false;
            }
        if (count++ > 0)
            table->name[count - 2] = dls_arena_text(table->arena, field);
    }
    table->columns = count - 1;
    return true;
}

static bool number_read(const struct table *table, const char *line, const char *field, const char **end, double *value)
{
    char *after;

    *value = strtod(field, &after);
    if (after == field || !isfinite(*value) || (*after != ',' && *after != '\0')) {
        char shown[32];
        size_t length = strcspn(field, ",");

        if (length >= sizeof shown)
            length = sizeof shown - 1;
        memcpy(shown, field, length);
        shown[length] = '\0';
        fail(table, line, field, "expected a number, found '%s'", shown);
        return false;
    }
    *end = after;
    return true;
}

static bool row_read(struct table *table, const char *line, int64_t row)
{
    const char *field = line;

    for (size_t i = 0; i <= table->columns; i++) {
        const char *end;
        double value;

        if (!number_read(table, line, field, &end, &value))
            return false;
        if (i > 0 && value < 0) {
            fail(table, line, field, "'%s' must not be negative", table->name[i - 1]);
            return false;
        }
        if (i > 0)
            table->value[i - 1][row] = value;
        if ((*end == ',') != (i < table->columns)) {
            fail(table, line, end, "expected as many fields as the header names%s", "");
            return false;
        }
        field = end + 1;
    }
    return true;
}

/* Cuts the next line off `*at`; NULL at the end of the text. Line ends become zeros. */
static char *line_next(struct table *table, char **at, const char *end)
{
    char *line = *at, *stop;

    if (line >= end)
        return NULL;
    stop = memchr(line, '\n', (size_t)(end - line));
    if (stop == NULL)
        stop = line + (end - line);
    *at = stop + 1;
    *stop = '\0';
    if (stop > line && stop[-1] == '\r')
        stop[-1] = '\0';
    table->line++;
    return line;
}

static bool text_read(struct table *table, struct dls_str *text, struct dls_samples *samples)
{
    char *at = text->data, *end = text->data + text->length, *line;
    int64_t lines = 0;

    if (memchr(text->data, '\0', text->length) != NULL) {
        dls_diag_error(table->diag, &(struct dls_place){.file = table->path}, "not a text file: it holds zero bytes");
        return false;
    }
    for (const char *c = at; (c = memchr(c, '\n', (size_t)(end - c))) != NULL; c++)
        lines++;
    line = line_next(table, &at, end);
    if (line == NULL) {
        dls_diag_error(table->diag, &(struct dls_place){.file = table->path}, "the file is empty");
        return false;
    }
    if (!header_read(table, line))
        return false;
    for (size_t i = 0; i < table->columns; i++)
        table->value[i] = dls_arena_get(table->arena, (size_t)lines + 1, sizeof(double));
    while ((line = line_next(table, &at, end)) != NULL)
        if (!row_read(table, line, samples->rows++))
            return false;
    if (samples->rows == 0)
        fail(table, NULL, NULL, "expected at least one row after the header%s", "");
    return samples->rows > 0;
}

enum dls_status dls_samples_read(const char *path, struct dls_arena *arena, struct dls_diag *diag,
                                 const struct dls_samples **samples)
{
    struct table table = {.path = dls_arena_text(arena, path), .diag = diag, .arena = arena};
    struct dls_samples *read = dls_arena_get(arena, 1, sizeof *read);
    enum dls_status status = DLS_EIO;
    struct dls_str text;
    int error;

    dls_str_init(&text);
    error = dls_str_read_file(&text, path, LIMIT_BYTES);
    if (error != 0) {
        dls_diag_error(diag, NULL, "cannot read '%s': %s", path, error == EFBIG ? "more than 1 GiB" : strerror(error));
    } else {
        struct dls_samples_column *column = dls_arena_get(arena, COLUMNS_MAX, sizeof *column);

        read->hash = dls_hash_bytes(text.data, text.length);
        status = text_read(&table, &text, read) ? DLS_OK : DLS_EINPUT;
        for (size_t i = 0; i < table.columns; i++)
            column[i] = (struct dls_samples_column){table.name[i], table.value[i]};
        read->path = table.path;
        read->columns = table.columns;
        read->column = column;
    }
    dls_str_release(&text);
    if (status == DLS_OK)
        *samples = read;
    return status;
}
