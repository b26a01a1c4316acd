/* diag.h: collects messages about the user's input, with their positions, and renders
 * them.
 *
 * A reader reports what is wrong and goes on to find more; after DLS_DIAG_MAX errors
 * further ones are only counted.
 * Nothing here prints: sim/cmd writes the rendered text. Form of a message: lower case,
 * no full stop, subject in single quotes, what was expected and what was found. Strings
 * passed in are copied. Not thread safe: one per thread. */
#ifndef DLS_SIM_BASE_DIAG_H
#define DLS_SIM_BASE_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/str.h"

enum { DLS_DIAG_MAX = 20 };

struct dls_diag;

enum dls_severity { DLS_ERROR, DLS_WARNING, DLS_NOTE };

/* Where in the input: a file with line and column (from 1; 0 = unknown), or a table and
 * row of a database. `span` is the number of characters to underline (0 = 1). Any
 * pointer may be NULL. */
struct dls_place {
    const char *file;
    long line;
    long column;
    long span;
    const char *table;
    int64_t row;
};

/* One finished message; borrowed from the diag, valid until it is freed. */
struct dls_message {
    enum dls_severity severity;
    struct dls_place place;
    const char *text;
};

struct dls_diag *dls_diag_new(void);
void dls_diag_free(struct dls_diag *diag);

/* Keeps a copy of the text of `file`, so that messages with that file name can show the
 * line and a caret. */
void dls_diag_source(struct dls_diag *diag, const char *file, const char *text,
                     size_t bytes);

/* Adds a message; `place` may be NULL. printf-style. */
void dls_diag_error(struct dls_diag *diag, const struct dls_place *place,
                    const char *format, ...) __attribute__((format(printf, 3, 4)));
void dls_diag_warning(struct dls_diag *diag, const struct dls_place *place,
                      const char *format, ...) __attribute__((format(printf, 3, 4)));
void dls_diag_note(struct dls_diag *diag, const struct dls_place *place,
                   const char *format, ...) __attribute__((format(printf, 3, 4)));

size_t dls_diag_errors(const struct dls_diag *diag);
size_t dls_diag_warnings(const struct dls_diag *diag);
size_t dls_diag_count(const struct dls_diag *diag);
const struct dls_message *dls_diag_get(const struct dls_diag *diag, size_t index);

/* Turns every warning added so far into an error (--strict). */
void dls_diag_strict(struct dls_diag *diag);

/* Appends all messages as text, in the form of the header of this file:
 *   scenarios/a.yaml:14:14: error: 'workers' must be at least 1, found 0
 *     14 |     workers: 0
 *        |              ^
 * A place with a table reads "file: table 'span', row 17: error: ...". With `color`,
 * ANSI colours. Messages past DLS_DIAG_MAX end as one line "and 3 more errors". */
void dls_diag_text(const struct dls_diag *diag, bool color, struct dls_str *out);

/* Appends a JSON array of objects {severity, file, line, column, table, row, text};
 * unknown fields are left out. */
void dls_diag_json(const struct dls_diag *diag, struct dls_str *out);

#endif
