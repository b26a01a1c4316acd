#include "sim/base/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/mem.h"
#include "sim/base/status.h"
#include "sim/base/vec.h"

struct source {
    const char *file;
    const char *text;
    size_t bytes;
};

struct dls_diag {
    struct dls_arena *arena;
    DLS_VEC(struct source) sources;
    DLS_VEC(struct dls_message) messages;
    size_t errors;
    size_t warnings;
    size_t dropped; /* errors beyond DLS_DIAG_MAX */
};

struct dls_diag *dls_diag_new(void)
{
    struct dls_diag *diag = dls_mem_new(1, sizeof *diag);

    diag->arena = dls_arena_new();
    return diag;
}

void dls_diag_free(struct dls_diag *diag)
{
    if (diag == NULL)
        return;
    DLS_VEC_RELEASE(&diag->sources);
    DLS_VEC_RELEASE(&diag->messages);
    dls_arena_free(diag->arena);
    dls_mem_free(diag);
}

void dls_diag_source(struct dls_diag *diag, const char *file, const char *text,
                     size_t bytes)
{
    char *copy = dls_arena_get(diag->arena, bytes + 1, 1);

    memcpy(copy, text, bytes);
    DLS_VEC_ADD(&diag->sources,
                ((struct source){dls_arena_text(diag->arena, file), copy, bytes}));
}

static const char *kept(struct dls_diag *diag, const char *text)
{
    return text ? dls_arena_text(diag->arena, text) : NULL;
}

static void add(struct dls_diag *diag, enum dls_severity severity,
                const struct dls_place *place, const char *format, va_list args)
{
    struct dls_message message = {.severity = severity};
    va_list again;
    int length;
    char *text;

    if (severity == DLS_ERROR && diag->errors >= DLS_DIAG_MAX) {
        diag->errors++;
        diag->dropped++;
        return;
    }
    va_copy(again, args);
    length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    text = dls_arena_get(diag->arena, (size_t)length + 1, 1);
    vsnprintf(text, (size_t)length + 1, format, args);
    message.text = text;
    if (place != NULL) {
        message.place = *place;
        message.place.file = kept(diag, place->file);
        message.place.table = kept(diag, place->table);
    }
    DLS_VEC_ADD(&diag->messages, message);
    diag->errors += severity == DLS_ERROR;
    diag->warnings += severity == DLS_WARNING;
}

#define ADD(severity)                                                                  \
    do {                                                                               \
        va_list args;                                                                  \
                                                                                       \
        va_start(args, format);                                                        \
        add(diag, severity, place, format, args);                                      \
        va_end(args);                                                                  \
    } while (0)

void dls_diag_error(struct dls_diag *diag, const struct dls_place *place,
                    const char *format, ...)
{
    ADD(DLS_ERROR);
}

void dls_diag_warning(struct dls_diag *diag, const struct dls_place *place,
                      const char *format, ...)
{
    ADD(DLS_WARNING);
}

void dls_diag_note(struct dls_diag *diag, const struct dls_place *place,
                   const char *format, ...)
{
    ADD(DLS_NOTE);
}

size_t dls_diag_errors(const struct dls_diag *diag)
{
    return diag->errors;
}

size_t dls_diag_warnings(const struct dls_diag *diag)
{
    return diag->warnings;
}

size_t dls_diag_count(const struct dls_diag *diag)
{
    return diag->messages.count;
}

const struct dls_message *dls_diag_get(const struct dls_diag *diag, size_t index)
{
    DLS_REQUIRE(index < diag->messages.count, "message %zu of %zu", index,
                diag->messages.count);
    return &diag->messages.data[index];
}

void dls_diag_strict(struct dls_diag *diag)
{
    for (size_t i = 0; i < diag->messages.count; i++)
        if (diag->messages.data[i].severity == DLS_WARNING) {
            diag->messages.data[i].severity = DLS_ERROR;
            diag->errors++;
        }
    diag->warnings = 0;
}

/* ------------------------------------------------------------------ text */

static const char *const severity_names[] = {"error", "warning", "note"};
static const char *const severity_colors[] = {"\033[1;31m", "\033[1;35m", "\033[1;36m"};

static void add_place(const struct dls_place *place, struct dls_str *out)
{
    if (place->file == NULL)
        return;
    dls_str_add(out, place->file);
    if (place->table != NULL)
        dls_str_addf(out, ": table '%s', row %lld", place->table,
                     (long long)place->row);
    else if (place->line > 0 && place->column > 0)
        dls_str_addf(out, ":%ld:%ld", place->line, place->column);
    else if (place->line > 0)
        dls_str_addf(out, ":%ld", place->line);
    dls_str_add(out, ": ");
}

/* Start of a line of a source and its length without the line's end; false when there
 * is no such line. */
static bool find_line(const struct source *source, long line, const char **start,
                      size_t *length)
{
    const char *at = source->text, *end = source->text + source->bytes;

    for (long i = 1; i < line; i++) {
        const char *next = memchr(at, '\n', (size_t)(end - at));

        if (next == NULL)
            return false;
        at = next + 1;
    }
    if (at == end)
        return false;
    *start = at;
    *length = strcspn(at, "\r\n");
    return *length <= 400;
}

/* The source line and a caret under the column. Columns count characters: UTF-8
 * continuation bytes do not count, and tabs before the column are repeated, so that the
 * caret stands where the eye expects it. */
static void add_caret(const struct dls_diag *diag, const struct dls_place *place,
                      bool color, struct dls_str *out)
{
    const struct source *source = NULL;
    const char *start;
    size_t length;
    int digits;

    for (size_t i = 0; i < diag->sources.count && source == NULL; i++)
        if (place->file != NULL && strcmp(diag->sources.data[i].file, place->file) == 0)
            source = &diag->sources.data[i];
    if (source == NULL || place->line < 1 || place->column < 1 ||
        !find_line(source, place->line, &start, &length))
        return;
    digits = snprintf(NULL, 0, "%ld", place->line);
    dls_str_addf(out, "  %ld | %.*s\n  %*s | ", place->line, (int)length, start, digits,
                 "");
    for (long column = 1, at = 0; column < place->column; column++) {
        bool is_tab = at < (long)length && start[at] == '\t';

        dls_str_add(out, is_tab ? "\t" : " ");
        do
            at++;
        while (at < (long)length && ((unsigned char)start[at] & 0xc0) == 0x80);
    }
    dls_str_add(out, color ? "\033[1;32m^" : "^");
    for (long i = 1; i < place->span && i < 400; i++)
        dls_str_add(out, "~");
    dls_str_add(out, color ? "\033[0m\n" : "\n");
}

void dls_diag_text(const struct dls_diag *diag, bool color, struct dls_str *out)
{
    for (size_t i = 0; i < diag->messages.count; i++) {
        const struct dls_message *message = &diag->messages.data[i];

        add_place(&message->place, out);
        if (color)
            dls_str_addf(out, "%s%s:\033[0m %s\n", severity_colors[message->severity],
                         severity_names[message->severity], message->text);
        else
            dls_str_addf(out, "%s: %s\n", severity_names[message->severity],
                         message->text);
        add_caret(diag, &message->place, color, out);
    }
    if (diag->dropped > 0)
        dls_str_addf(out, "and %zu more error%s\n", diag->dropped,
                     diag->dropped == 1 ? "" : "s");
}

void dls_diag_json(const struct dls_diag *diag, struct dls_str *out)
{
    dls_str_add(out, "[");
    for (size_t i = 0; i < diag->messages.count; i++) {
        const struct dls_message *message = &diag->messages.data[i];
        const struct dls_place *place = &message->place;

        dls_str_addf(out, "%s{\"severity\": \"%s\"", i > 0 ? ", " : "",
                     severity_names[message->severity]);
        if (place->file != NULL) {
            dls_str_add(out, ", \"file\": ");
            dls_str_add_json(out, place->file);
        }
        if (place->table != NULL)
            dls_str_addf(out, ", \"table\": \"%s\", \"row\": %lld", place->table,
                         (long long)place->row);
        if (place->line > 0)
            dls_str_addf(out, ", \"line\": %ld", place->line);
        if (place->column > 0)
            dls_str_addf(out, ", \"column\": %ld", place->column);
        dls_str_add(out, ", \"text\": ");
        dls_str_add_json(out, message->text);
        dls_str_add(out, "}");
    }
    dls_str_add(out, "]");
}
