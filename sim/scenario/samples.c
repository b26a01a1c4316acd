#include "sim/scenario/samples.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/hash.h"
#include "sim/base/mem.h"
#include "sim/scenario/yaml_tree.h"

enum { LIMIT_BYTES = 1 << 30 };

/* One file while it is read. */
struct table {
    const char *path;
    struct dls_diag *diag;
    struct dls_arena *arena;
    size_t columns; /* without the first, "sample" */
    const char *name[DLS_SAMPLES_COLUMNS];
    double *value[DLS_SAMPLES_COLUMNS];
    long line_number;
    const char *line; /* the present one */
    bool is_cut;      /* it has no line end */
};

static struct dls_place place_at(const struct table *table, const char *at)
{
    return (struct dls_place){
        .file = table->path,
        .line = table->line_number,
        .column = at != NULL ? (long)(at - table->line) + 1 : 0,
        .span = at != NULL ? (long)strcspn(at, ",") : 0,
    };
}

/* ------------------------------------------------------------------ header */

static bool has_control(const char *text)
{
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7f)
            return true;
    return false;
}

static bool name_check(const struct table *table, const char *name, size_t count)
{
    struct dls_place place = place_at(table, name);
    char shown[DLS_YAML_SHOWN];

    dls_yaml_shown(name, shown);
    if (count == 0 && strcmp(name, "sample") != 0)
        dls_diag_error(table->diag, &place,
                       "the first column must be 'sample', found '%s'", shown);
    else if (name[0] == '\0')
        dls_diag_error(table->diag, &place, "a column must have a name");
    else if (has_control(name))
        dls_diag_error(table->diag, &place,
                       "the name of a column must not hold control characters");
    else if (count > DLS_SAMPLES_COLUMNS)
        dls_diag_error(table->diag, &place,
                       "too many columns: at most %d beside 'sample'",
                       (int)DLS_SAMPLES_COLUMNS);
    else
        return true;
    return false;
}

static bool is_name_new(const struct table *table, const char *name)
{
    struct dls_place place = place_at(table, name);
    char shown[DLS_YAML_SHOWN];
    bool is_new = strcmp(name, "sample") != 0;

    for (size_t i = 0; is_new && i < table->columns; i++)
        is_new = strcmp(table->name[i], name) != 0;
    if (!is_new)
        dls_diag_error(table->diag, &place, "duplicate column '%s'",
                       dls_yaml_shown(name, shown));
    return is_new;
}

/* "sample,bytes,jpeg": names of the columns. Commas become zeros. */
static bool header_read(struct table *table, char *line)
{
    size_t count = 0;

    for (char *field = line, *end; field != NULL; field = end, count++) {
        end = strchr(field, ',');
        if (end != NULL)
            *end++ = '\0';
        if (!name_check(table, field, count) ||
            (count > 0 && !is_name_new(table, field)))
            return false;
        if (count > 0)
            table->name[table->columns++] = dls_arena_text(table->arena, field);
    }
    if (table->columns == 0) {
        struct dls_place place = place_at(table, NULL);

        dls_diag_error(table->diag, &place,
                       "expected at least one column after 'sample'");
        return false;
    }
    return true;
}

/* ------------------------------------------------------------------ numbers */

/* Up to 15 digits and a power of ten up to 22 are both exact doubles, so one operation
 * rounds correctly (Clinger 1990); NULL when the text is not of that form. Returns the
 * end of the number. */
static const char *short_decimal(const char *text, double *value)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    int64_t digits = 0;
    int count = 0, after = 0, exponent = 0;
    const char *at = text;

    for (; *at >= '0' && *at <= '9'; at++, count++)
        digits = count < 16 ? digits * 10 + (*at - '0') : digits;
    if (*at == '.')
        for (at++; *at >= '0' && *at <= '9'; at++, count++, after++)
            digits = count < 16 ? digits * 10 + (*at - '0') : digits;
    if (count == 0 || count > 15)
        return NULL;
    if (*at == 'e' || *at == 'E') {
        bool is_negative = at[1] == '-';

        at += at[1] == '-' || at[1] == '+' ? 2 : 1;
        if (*at < '0' || *at > '9')
            return NULL;
        for (; *at >= '0' && *at <= '9' && exponent < 100; at++)
            exponent = exponent * 10 + (*at - '0');
        exponent = is_negative ? -exponent : exponent;
    }
    exponent -= after;
    if (exponent < -22 || exponent > 22)
        return NULL;
    *value = exponent < 0 ? (double)digits / powers[-exponent]
                          : (double)digits * powers[exponent];
    return at;
}

static bool is_end(const char *at)
{
    return *at == ',' || *at == '\0';
}

/* The end of a decimal number, NULL when none stands here. strtod alone would take
 * "0x1", "inf" and blanks too. */
static const char *number_read(const char *field, double *value)
{
    const char *end = short_decimal(field, value);
    size_t length;
    char *after;

    if (end != NULL && is_end(end))
        return end;
    length = strspn(field, "0123456789+-.eE");
    if (length == 0 || !is_end(field + length))
        return NULL;
    *value = strtod(field, &after);
    return after == field + length && isfinite(*value) ? after : NULL;
}

/* ------------------------------------------------------------------ rows */

static bool number_reject(const struct table *table, const char *field, size_t column)
{
    struct dls_place place = place_at(table, field);
    char text[DLS_YAML_SHOWN], shown[DLS_YAML_SHOWN];
    size_t length = strcspn(field, ",");

    if (length >= sizeof text)
        length = sizeof text - 1;
    memcpy(text, field, length);
    text[length] = '\0';
    dls_diag_error(table->diag, &place, "'%s' must be a number, found '%s'",
                   column == 0 ? "sample" : table->name[column - 1],
                   dls_yaml_shown(text, shown));
    return false;
}

static bool count_reject(const struct table *table)
{
    struct dls_place place = place_at(table, NULL);
    size_t fields = 1;

    for (const char *at = table->line; (at = strchr(at, ',')) != NULL; at++)
        fields++;
    dls_diag_error(table->diag, &place,
                   "expected %zu fields as in the header, found %zu",
                   table->columns + 1, fields);
    return false;
}

static bool row_read(const struct table *table, int64_t row)
{
    const char *field = table->line;

    for (size_t i = 0; i <= table->columns; i++) {
        double value = 0;
        const char *end = number_read(field, &value);

        if (end == NULL)
            return number_reject(table, field, i);
        if (i > 0 && value < 0) {
            struct dls_place place = place_at(table, field);

            dls_diag_error(table->diag, &place, "'%s' must not be negative, found %.*s",
                           table->name[i - 1], (int)(end - field), field);
            return false;
        }
        if (i > 0)
            table->value[i - 1][row] = value;
        if ((*end == ',') != (i < table->columns))
            return count_reject(table);
        field = end + 1;
    }
    return true;
}

/* Cuts the next line off `*at`; false at the end of the text. Line ends become zeros.
 * A last line without end is a line, and `is_cut`: half a number is one too. */
static bool line_next(struct table *table, char **at, char *end)
{
    char *stop;

    if (*at >= end)
        return false;
    table->line = *at;
    stop = memchr(*at, '\n', (size_t)(end - *at));
    table->is_cut = stop == NULL;
    if (stop == NULL)
        stop = end;
    *stop = '\0';
    if (stop > *at && stop[-1] == '\r')
        stop[-1] = '\0';
    *at = stop + 1;
    table->line_number++;
    return true;
}

/* Lines of the text. A row has at least a digit and a separator a field: more rows than
 * that are never read. */
static size_t lines_of(const struct dls_str *text)
{
    size_t lines = 1;

    for (const char *at = text->data;
         (at = memchr(at, '\n', text->length - (size_t)(at - text->data))) != NULL;
         at++)
        lines++;
    return lines;
}

static bool is_cut_off(const struct table *table)
{
    struct dls_place place = place_at(table, NULL);

    if (table->is_cut)
        dls_diag_error(table->diag, &place,
                       "the last line has no line end: the file is cut off");
    return table->is_cut;
}

static bool text_read(struct table *table, struct dls_str *text, int64_t *rows)
{
    char *at = text->data, *end = text->data + text->length;
    struct dls_place file = {.file = table->path};
    size_t rows_max = lines_of(text), fitting;

    if (memchr(text->data, '\0', text->length) != NULL) {
        dls_diag_error(table->diag, &file, "not a text file: it holds zero bytes");
        return false;
    }
    if (!line_next(table, &at, end)) {
        dls_diag_error(table->diag, &file, "the file is empty");
        return false;
    }
    if (!header_read(table, text->data))
        return false;
    fitting = text->length / (2 * (table->columns + 1)) + 1;
    if (rows_max > fitting)
        rows_max = fitting;
    for (size_t i = 0; i < table->columns; i++)
        table->value[i] = dls_arena_get(table->arena, rows_max, sizeof(double));
    for (*rows = 0; line_next(table, &at, end); (*rows)++)
        if (!row_read(table, *rows) || is_cut_off(table))
            return false;
    if (*rows == 0)
        dls_diag_error(table->diag, &file,
                       "expected at least one row after the header");
    return *rows > 0;
}

enum dls_status dls_samples_read(const char *path, struct dls_arena *arena,
                                 struct dls_diag *diag,
                                 const struct dls_samples **samples)
{
    struct table table = {
        .path = dls_arena_text(arena, path), .diag = diag, .arena = arena};
    struct dls_samples *read = dls_arena_get(arena, 1, sizeof *read);
    struct dls_samples_column *column;
    enum dls_status status = DLS_EIO;
    struct dls_str text;
    int error;

    dls_str_init(&text);
    error = dls_str_read_file(&text, path, LIMIT_BYTES);
    if (error == EFBIG) {
        dls_diag_error(diag, &(struct dls_place){.file = path},
                       "the file is too large: more than 1 GiB");
        status = DLS_EINPUT;
    } else if (error != 0) {
        dls_diag_error(diag, NULL, "cannot read '%s': %s", path, strerror(error));
    } else {
        read->hash = dls_hash_bytes(text.data, text.length);
        status = text_read(&table, &text, &read->rows) ? DLS_OK : DLS_EINPUT;
    }
    dls_str_release(&text);
    if (status != DLS_OK)
        return status;
    column = dls_arena_get(arena, table.columns, sizeof *column);
    for (size_t i = 0; i < table.columns; i++)
        column[i] = (struct dls_samples_column){table.name[i], table.value[i]};
    read->path = table.path;
    read->columns = table.columns;
    read->column = column;
    *samples = read;
    return DLS_OK;
}
