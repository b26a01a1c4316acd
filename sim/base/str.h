/* str.h: a growable string that is always zero-terminated, and helpers on plain
 * strings. */
#ifndef DLS_SIM_BASE_STR_H
#define DLS_SIM_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>

/* Caller's storage. `data` is never NULL after init; `length` excludes the terminating
 * zero. */
struct dls_str {
    char *data;
    size_t length;
    size_t capacity;
};

void dls_str_init(struct dls_str *str);
void dls_str_release(struct dls_str *str);
void dls_str_clear(struct dls_str *str);

void dls_str_add(struct dls_str *str, const char *text);
void dls_str_add_n(struct dls_str *str, const char *text, size_t bytes);
void dls_str_addf(struct dls_str *str, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Appends `text` as a JSON string with its quotes; bytes that are not UTF-8 become
 * U+FFFD. */
void dls_str_add_json(struct dls_str *str, const char *text);

/* Hands the buffer to the caller (dls_mem_free) and leaves `str` initialised and
 * empty. */
char *dls_str_take(struct dls_str *str);

/* Reads a whole regular file into `str` (appends). Returns 0, or the errno value; EFBIG
 * when the file holds more than `limit_bytes`. Reads pipes and devices too, up to the
 * limit. */
int dls_str_read_file(struct dls_str *str, const char *path, size_t limit_bytes);

/* Writes a file so that a killed writer leaves the old file or the new one: a temporary
 * file beside it, then rename. A path that exists and is not a regular file (/dev/full,
 * a pipe) is written in place. Returns 0 or the errno value. */
int dls_str_write_file(const struct dls_str *str, const char *path);

struct dls_str_file {
    const char *path;
    const struct dls_str *text;
};

/* Writes files that belong together, as dls_str_write_file does: none of them takes its
 * name before all are on the disk. Returns 0, or the errno value and in `failed` the
 * index of the file that it concerns; older files are then as they were. */
int dls_str_write_files(const struct dls_str_file *files, size_t count, size_t *failed);

/* Returns the entry of `names` (count entries) that is a likely misspelling of `word`,
 * or NULL. Same length class: Damerau-Levenshtein distance at most 1 for words up to 4
 * characters, 2 up to 8, else 3. Earliest of equals. */
const char *dls_str_near(const char *word, const char *const *names, size_t count);

#endif
