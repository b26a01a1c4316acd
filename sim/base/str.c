#include "sim/base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/mem.h"
#include "sim/base/status.h"

void dls_str_init(struct dls_str *str)
{
    str->capacity = 64;
    str->length = 0;
    str->data = dls_mem_new(str->capacity, 1);
}

void dls_str_release(struct dls_str *str)
{
    dls_mem_free(str->data);
    *str = (struct dls_str){0};
}

void dls_str_clear(struct dls_str *str)
{
    str->length = 0;
    str->data[0] = '\0';
}

/* Makes room for `bytes` more and the terminating zero. */
static void reserve(struct dls_str *str, size_t bytes)
{
    size_t needed = str->length + bytes + 1;

    if (needed <= str->capacity)
        return;
    while (str->capacity < needed)
        str->capacity *= 2;
    str->data = dls_mem_resize(str->data, str->capacity, 1);
}

void dls_str_add_n(struct dls_str *str, const char *text, size_t bytes)
{
    reserve(str, bytes);
    memcpy(str->data + str->length, text, bytes);
    str->length += bytes;
    str->data[str->length] = '\0';
}

void dls_str_add(struct dls_str *str, const char *text)
{
    dls_str_add_n(str, text, strlen(text));
}

void dls_str_addf(struct dls_str *str, const char *format, ...)
{
    va_list args;
    int length;

    va_start(args, format);
    length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    DLS_REQUIRE(length >= 0, "format '%s'", format);
    reserve(str, (size_t)length);
    va_start(args, format);
    vsnprintf(str->data + str->length, (size_t)length + 1, format, args);
    va_end(args);
    str->length += (size_t)length;
}

/* ------------------------------------------------------------------ JSON */

/* Length of the well-formed UTF-8 sequence at `text` (Unicode 15, table 3-7), 0 when it
 * is none. */
static size_t utf8_length(const unsigned char *text)
{
    static const struct {
        unsigned char first_low, first_high, second_low, second_high, length;
    } forms[] = {
        {0x01, 0x7f, 0x00, 0xff, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2},
        {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
        {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4},
        {0xf4, 0xf4, 0x80, 0x8f, 4},
    };

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (text[0] < forms[i].first_low || text[0] > forms[i].first_high)
            continue;
        if (forms[i].length == 1)
            return 1;
        if (text[1] < forms[i].second_low || text[1] > forms[i].second_high)
            return 0;
        for (size_t k = 2; k < forms[i].length; k++)
            if (text[k] < 0x80 || text[k] > 0xbf)
                return 0;
        return forms[i].length;
    }
    return 0;
}

void dls_str_add_json(struct dls_str *str, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;

    dls_str_add(str, "\"");
    while (*at != '\0') {
        size_t length = utf8_length(at);

        if (*at == '"' || *at == '\\')
            dls_str_addf(str, "\\%c", *at);
        else if (*at == '\n')
            dls_str_add(str, "\\n");
        else if (*at == '\t')
            dls_str_add(str, "\\t");
        else if (*at < 0x20)
            dls_str_addf(str, "\\u%04x", *at);
        else if (length == 0)
            dls_str_add(str, "\xef\xbf\xbd");
        else
            dls_str_add_n(str, (const char *)at, length);
        at += length ? length : 1;
    }
    dls_str_add(str, "\"");
}

char *dls_str_take(struct dls_str *str)
{
    char *data = str->data;

    dls_str_init(str);
    return data;
}

/* ------------------------------------------------------------------ files */

int dls_str_read_file(struct dls_str *str, const char *path, size_t limit_bytes)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    size_t start = str->length;
    int error = 0;
    ssize_t got;

    if (file < 0)
        return errno;
    do {
        reserve(str, 64 * 1024);
        got = read(file, str->data + str->length, 64 * 1024);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            error = errno;
        if (got > 0)
            str->length += (size_t)got;
        if (str->length - start > limit_bytes)
            error = EFBIG;
    } while (got != 0 && error == 0);
    if (error != 0)
        str->length = start;
    str->data[str->length] = '\0';
    close(file);
    return error;
}

/* Writes all bytes and closes; 0 or the errno value. */
static int write_all(int file, const struct dls_str *str, bool sync)
{
    size_t done = 0;
    int error = 0;

    while (done < str->length && error == 0) {
        ssize_t put = write(file, str->data + done, str->length - done);

        if (put < 0 && errno != EINTR)
            error = errno;
        else if (put > 0)
            done += (size_t)put;
    }
    if (error == 0 && sync && fsync(file) != 0)
        error = errno;
    if (close(file) != 0 && error == 0)
        error = errno;
    return error;
}

/* Puts the text into a new file whose name goes to `beside`; or in place, and leaves
 * `beside` empty, where the path is not a regular file. Returns 0 or the errno value.
 */
static int write_beside(const struct dls_str_file *file, mode_t mode,
                        struct dls_str *beside)
{
    struct stat facts;
    int out, error;

    if (stat(file->path, &facts) == 0 && !S_ISREG(facts.st_mode)) {
        out = open(file->path, O_WRONLY | O_CLOEXEC);
        return out < 0 ? errno : write_all(out, file->text, false);
    }
    dls_str_addf(beside, "%s.XXXXXX", file->path);
    out = mkstemp(beside->data);
    error = out < 0 ? errno : 0;
    if (out >= 0) {
        fchmod(out, mode);
        error = write_all(out, file->text, true);
        if (error != 0)
            unlink(beside->data);
    }
    if (error != 0)
        dls_str_clear(beside);
    return error;
}

int dls_str_write_files(const struct dls_str_file *files, size_t count, size_t *failed)
{
    struct dls_str *beside = dls_mem_new(count, sizeof *beside);
    mode_t mask = umask(0);
    int error = 0;

    umask(mask);
    for (size_t i = 0; i < count; i++)
        dls_str_init(&beside[i]);
    for (size_t i = 0; i < count && error == 0; i++) {
        error = write_beside(&files[i], 0666 & ~mask, &beside[i]);
        *failed = i;
    }
    for (size_t i = 0; i < count && error == 0; i++) {
        if (beside[i].length > 0 && rename(beside[i].data, files[i].path) != 0)
            error = errno;
        else
            dls_str_clear(&beside[i]);
        *failed = i;
    }
    for (size_t i = 0; i < count; i++) {
        if (beside[i].length > 0)
            unlink(beside[i].data);
        dls_str_release(&beside[i]);
    }
    dls_mem_free(beside);
    return error;
}

int dls_str_write_file(const struct dls_str *str, const char *path)
{
    size_t failed;

    return dls_str_write_files(&(struct dls_str_file){path, str}, 1, &failed);
}

/* ------------------------------------------------------------------ near misses */

enum { WORD_MAX = 64 };

/* Damerau-Levenshtein distance, neighbouring letters may be swapped once (optimal
 * string alignment). */
static size_t distance(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    size_t row[3][WORD_MAX + 1];

    if (n > WORD_MAX || m > WORD_MAX)
        return SIZE_MAX;
    for (size_t j = 0; j <= m; j++)
        row[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *now = row[i % 3], *last = row[(i - 1) % 3], *before = row[(i + 1) % 3];

        now[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t best = last[j - 1] + (a[i - 1] != b[j - 1]);

            if (last[j] + 1 < best)
                best = last[j] + 1;
            if (now[j - 1] + 1 < best)
                best = now[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            now[j] = best;
        }
    }
    return row[n % 3][m];
}

const char *dls_str_near(const char *word, const char *const *names, size_t count)
{
    size_t length = strlen(word);
    size_t best = (length <= 4 ? 1 : length <= 8 ? 2 : 3) + 1;
    const char *near = NULL;

    for (size_t i = 0; i < count; i++) {
        size_t far = distance(word, names[i]);

        if (far < best) {
            best = far;
            near = names[i];
        }
    }
    return near;
}
