/* csv.c: strict comma-separated rows. See csv.h. */
#include "traces/csv.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/mem.h"
#include "sim/base/str.h"
#include "traces/input.h"

enum { BUFFER_BYTES = 65536, NAME_BYTES = 255 };

struct dls_csv {
    struct dls_input *input;
    struct dls_diag *diag;
    char *path;
    const char *const *columns;
    size_t count;
    size_t field_of[DLS_CSV_COLUMNS_MAX]; /* column to field of the line */
    size_t starts[DLS_CSV_COLUMNS_MAX];   /* field to its offset in `text` */
    char text[DLS_CSV_LINE_BYTES +
              1]; /* the present line, commas replaced by zero bytes */
    char buffer[BUFFER_BYTES];
    size_t used; /* of `filled` bytes in `buffer` */
    size_t filled;
    long line;
    int64_t rows;
    size_t errors;
    enum dls_status failure; /* of the file; DLS_OK as long as it can be read */
};

const char *dls_csv_shown(const char *text, size_t bytes, char out[48])
{
    size_t shown = bytes < 40 ? bytes : 40;

    for (size_t i = 0; i < shown; i++)
        out[i] = text[i] < ' ' || text[i] > '~' ? '?' : text[i];
    snprintf(out + shown, 48 - shown, "%s", bytes > shown ? "..." : "");
    return out;
}

static void bad_line(struct dls_csv *csv, long column, long span, const char *format,
                     ...) __attribute__((format(printf, 4, 5)));

static void bad_line(struct dls_csv *csv, long column, long span, const char *format,
                     ...)
{
    struct dls_place place = {
        .file = csv->path, .line = csv->line, .column = column, .span = span};
    char text[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    dls_diag_error(csv->diag, &place, "%s", text);
    csv->errors++;
}

void dls_csv_bad(struct dls_csv *csv, size_t column, const char *format, ...)
{
    const char *field = dls_csv_text(csv, column);
    char text[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    bad_line(csv, (long)(field - csv->text) + 1, (long)strlen(field), "%s", text);
}

/* Refills the buffer; false at the end or after a failure. */
static bool refill(struct dls_csv *csv)
{
    csv->used = 0;
    csv->filled = 0;
    csv->failure = dls_input_read(csv->input, csv->buffer, BUFFER_BYTES, &csv->filled);
    return csv->failure == DLS_OK && csv->filled > 0;
}

/* Copies the next line without its end into `text`; false at the end of the file, after
 * a failure, and when the rest is no line. */
static bool read_line(struct dls_csv *csv, size_t *length)
{
    size_t total = 0;

    for (;;) {
        const char *from = csv->buffer + csv->used;
        const char *end;
        size_t part;

        if (csv->used == csv->filled) {
            if (refill(csv))
                continue;
            if (total > 0 && csv->failure == DLS_OK) {
                csv->line++;
                bad_line(csv, 0, 0,
                         "the last line has no line end: the file is cut off");
            }
            return false;
        }
        end = memchr(from, '\n', csv->filled - csv->used);
        part = end == NULL ? csv->filled - csv->used : (size_t)(end - from);
        if (total + part > DLS_CSV_LINE_BYTES) {
            csv->line++;
            bad_line(csv, 0, 0, "line is longer than %d bytes", DLS_CSV_LINE_BYTES);
            csv->failure = DLS_EINPUT;
            return false;
        }
        memcpy(csv->text + total, from, part);
        total += part;
        csv->used += part + (end != NULL);
        if (end != NULL)
            break;
    }
    csv->line++;
    if (total > 0 && csv->text[total - 1] == '\r')
        total--;
    csv->text[total] = '\0';
    *length = total;
    return true;
}

/* Cuts the line into fields; false when it is not text. `fields` counts all of them,
 * also beyond the maximum. */
static bool split(struct dls_csv *csv, size_t length, size_t *fields)
{
    size_t found = 1;

    csv->starts[0] = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)csv->text[i];

        if (byte < ' ' && byte != '\t') {
            bad_line(csv, (long)i + 1, 1, "expected text, found byte 0x%02x", byte);
            return false;
        }
        if (byte != ',')
            continue;
        csv->text[i] = '\0';
        if (found < DLS_CSV_COLUMNS_MAX)
            csv->starts[found] = i + 1;
        found++;
    }
    *fields = found;
    return true;
}

/* Finds the expected columns among `fields` names of the header. */
static void match_header(struct dls_csv *csv, size_t fields)
{
    char shown[48];

    for (size_t column = 0; column < csv->count; column++)
        csv->field_of[column] = SIZE_MAX;
    for (size_t field = 0; field < fields; field++) {
        const char *name = csv->text + csv->starts[field];
        long at = (long)csv->starts[field] + 1;
        long span = (long)strlen(name);
        size_t column = 0;

        while (column < csv->count && strcmp(csv->columns[column], name) != 0)
            column++;
        if (column == csv->count) {
            const char *near = dls_str_near(name, csv->columns, csv->count);

            bad_line(csv, at, span, "unknown column '%s'%s%s%s",
                     dls_csv_shown(name, strlen(name), shown),
                     near == NULL ? "" : " (did you mean '", near == NULL ? "" : near,
                     near == NULL ? "" : "'?)");
        } else if (csv->field_of[column] != SIZE_MAX) {
            bad_line(csv, at, span, "column '%s' is there twice", name);
        } else {
            csv->field_of[column] = field;
        }
    }
    for (size_t column = 0; column < csv->count; column++) {
        if (csv->field_of[column] == SIZE_MAX)
            bad_line(csv, 0, 0, "column '%s' is missing", csv->columns[column]);
    }
}

static void read_header(struct dls_csv *csv)
{
    size_t length = 0;
    size_t fields = 0;

    if (!read_line(csv, &length)) {
        if (csv->failure == DLS_OK && csv->errors == 0) {
            csv->line = 1;
            bad_line(csv, 0, 0, "expected a header line, found an empty file");
        }
        return;
    }
    if (length >= 3 && memcmp(csv->text, "\xef\xbb\xbf", 3) == 0) {
        length -= 3;
        memmove(csv->text, csv->text + 3, length + 1);
    }
    if (!split(csv, length, &fields))
        return;
    if (fields > DLS_CSV_COLUMNS_MAX) {
        bad_line(csv, 0, 0, "expected %zu columns, found %zu", csv->count, fields);
        return;
    }
    match_header(csv, fields);
}

enum dls_status dls_csv_open(const char *path, const char *const *columns, size_t count,
                             struct dls_diag *diag, struct dls_csv **csv)
{
    struct dls_input *input = NULL;
    struct dls_csv *opened;
    enum dls_status status = dls_input_open(path, diag, &input);

    DLS_REQUIRE(count <= DLS_CSV_COLUMNS_MAX, "%zu columns", count);
    if (status != DLS_OK)
        return status;
    opened = dls_mem_new(1, sizeof *opened);
    opened->input = input;
    opened->diag = diag;
    opened->path = dls_mem_text(path);
    opened->columns = columns;
    opened->count = count;
    read_header(opened);
    if (opened->failure != DLS_OK || opened->errors > 0) {
        status = opened->failure != DLS_OK ? opened->failure : DLS_EINPUT;
        dls_csv_close(opened);
        return status;
    }
    *csv = opened;
    return DLS_OK;
}

void dls_csv_close(struct dls_csv *csv)
{
    if (csv == NULL)
        return;
    dls_input_close(csv->input);
    dls_mem_free(csv->path);
    dls_mem_free(csv);
}

bool dls_csv_next(struct dls_csv *csv)
{
    size_t length = 0;
    size_t fields = 0;

    while (csv->errors < DLS_DIAG_MAX && csv->failure == DLS_OK &&
           read_line(csv, &length)) {
        if (!split(csv, length, &fields))
            continue;
        if (length == 0) {
            bad_line(csv, 0, 0, "expected %zu fields, found an empty line", csv->count);
            continue;
        }
        if (fields != csv->count) {
            bad_line(csv, 0, 0, "expected %zu fields, found %zu", csv->count, fields);
            continue;
        }
        csv->rows++;
        return true;
    }
    return false;
}

enum dls_status dls_csv_end(struct dls_csv *csv)
{
    if (csv->failure != DLS_OK)
        return csv->failure;
    if (csv->errors == 0 && csv->rows == 0) {
        csv->line++;
        bad_line(csv, 0, 0,
                 "empty recording: expected rows after the header, found none");
    }
    return csv->errors > 0 ? DLS_EINPUT : DLS_OK;
}

const char *dls_csv_text(const struct dls_csv *csv, size_t column)
{
    return csv->text + csv->starts[csv->field_of[column]];
}

const char *dls_csv_name(struct dls_csv *csv, size_t column)
{
    const char *text = dls_csv_text(csv, column);
    size_t bytes = strlen(text);
    char shown[48];

    if (bytes == 0) {
        dls_csv_bad(csv, column, "'%s' must not be empty", csv->columns[column]);
        return "";
    }
    if (bytes > NAME_BYTES || strpbrk(text, "\"\t\x7f") != NULL) {
        dls_csv_bad(
            csv, column,
            "'%s' must be a name of at most %d bytes without quotes, found '%s'",
            csv->columns[column], NAME_BYTES, dls_csv_shown(text, bytes, shown));
        return "";
    }
    return text;
}

int64_t dls_csv_int(struct dls_csv *csv, size_t column, int64_t low, int64_t high)
{
    const char *text = dls_csv_text(csv, column);
    const char *name = csv->columns[column];
    const char *digits = text + (text[0] == '-');
    char shown[48];
    long long value;

    dls_csv_shown(text, strlen(text), shown);
    if (digits[0] == '\0' || digits[strspn(digits, "0123456789")] != '\0') {
        dls_csv_bad(csv, column, "'%s' must be a whole number, found '%s'", name,
                    shown);
        return low;
    }
    errno = 0;
    value = strtoll(text, NULL, 10);
    if (value < low || (errno == ERANGE && text[0] == '-')) {
        dls_csv_bad(csv, column, "'%s' must be at least %lld, found %s", name,
                    (long long)low, shown);
        return low;
    }
    if (value > high || errno == ERANGE) {
        dls_csv_bad(csv, column, "'%s' must be at most %lld, found %s", name,
                    (long long)high, shown);
        return low;
    }
    return value;
}

double dls_csv_real(struct dls_csv *csv, size_t column)
{
    const char *text = dls_csv_text(csv, column);
    char shown[48];
    char *end = NULL;
    double value = 0.0;

    /* strtod alone also takes blanks, hexadecimal, inf and nan. */
    if (text[strspn(text, "0123456789+-.eE")] == '\0')
        value = strtod(text, &end);
    if (end == NULL || end == text || *end != '\0' || !isfinite(value)) {
        dls_csv_bad(csv, column, "'%s' must be a finite number, found '%s'",
                    csv->columns[column], dls_csv_shown(text, strlen(text), shown));
        return 0.0;
    }
    return value;
}

size_t dls_csv_errors(const struct dls_csv *csv)
{
    return csv->errors;
}

long dls_csv_line(const struct dls_csv *csv)
{
    return csv->line;
}

int64_t dls_csv_rows(const struct dls_csv *csv)
{
    return csv->rows;
}

int64_t dls_csv_bytes(const struct dls_csv *csv)
{
    return dls_input_bytes(csv->input);
}

uint64_t dls_csv_hash(const struct dls_csv *csv)
{
    return dls_input_hash(csv->input);
}
