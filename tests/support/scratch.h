/* scratch.h: a temporary folder for one test, files in it, and what a dls_diag holds as
 * short lines.
 *
 * Header only, for tests that write their own inputs. Failures end the test by cmocka's
 * assertions. */
#ifndef DLS_TESTS_SUPPORT_SCRATCH_H
#define DLS_TESTS_SUPPORT_SCRATCH_H

#include <dirent.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <setjmp.h>

#include <cmocka.h>

#include <zlib.h>

#include "sim/base/diag.h"
#include "sim/base/mem.h"
#include "sim/base/str.h"

struct scratch {
    char folder[64];
    struct dls_arena *paths;
    struct dls_diag *diag;
};

static inline void scratch_init(struct scratch *scratch)
{
    memset(scratch, 0, sizeof *scratch);
    strcpy(scratch->folder, "/tmp/dlsim-test-XXXXXX");
    assert_non_null(mkdtemp(scratch->folder));
    scratch->paths = dls_arena_new();
    scratch->diag = dls_diag_new();
}

/* Removes the folder with the files in it (there are no folders below it but empty
 * ones). */
static inline void scratch_release(struct scratch *scratch)
{
    DIR *folder = opendir(scratch->folder);
    struct dirent *entry;
    char path[512];

    assert_non_null(folder);
    while ((entry = readdir(folder)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", scratch->folder, entry->d_name);
        assert_int_equal(remove(path), 0);
    }
    closedir(folder);
    assert_int_equal(rmdir(scratch->folder), 0);
    dls_arena_free(scratch->paths);
    dls_diag_free(scratch->diag);
}

/* Path of a file in the folder, valid until the release. */
static inline const char *scratch_path(struct scratch *scratch, const char *name)
{
    size_t size = strlen(scratch->folder) + strlen(name) + 2;
    char *path = dls_arena_get(scratch->paths, size, 1);

    snprintf(path, size, "%s/%s", scratch->folder, name);
    return path;
}

static inline const char *scratch_write_n(struct scratch *scratch, const char *name,
                                          const void *bytes, size_t count)
{
    const char *path = scratch_path(scratch, name);
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
    return path;
}

static inline const char *scratch_write(struct scratch *scratch, const char *name,
                                        const char *text)
{
    return scratch_write_n(scratch, name, text, strlen(text));
}

/* Writes `text` as gzip. */
static inline const char *scratch_write_gzip(struct scratch *scratch, const char *name,
                                             const char *text)
{
    const char *path = scratch_path(scratch, name);
    gzFile file = gzopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(gzwrite(file, text, (unsigned)strlen(text)), (int)strlen(text));
    assert_int_equal(gzclose(file), Z_OK);
    return path;
}

/* All bytes of a file; the caller releases `bytes`. False when there is no such
 * file. */
static inline bool scratch_read(const char *path, struct dls_str *bytes)
{
    dls_str_init(bytes);
    return dls_str_read_file(bytes, path, (size_t)1 << 30) == 0;
}

static inline bool scratch_exists(struct scratch *scratch, const char *name)
{
    return access(scratch_path(scratch, name), F_OK) == 0;
}

/* Number of files in the folder. */
static inline int scratch_count(struct scratch *scratch)
{
    DIR *folder = opendir(scratch->folder);
    struct dirent *entry;
    int count = 0;

    assert_non_null(folder);
    while ((entry = readdir(folder)) != NULL)
        count += entry->d_name[0] != '.';
    closedir(folder);
    return count;
}

/* Checks that the messages so far are exactly `expected`, one a line as
 * "file:line:column: text" with the file's name alone and without unknown parts, for a
 * database "file: table 'span', row 3: text"; warnings have "warning: " before the
 * text. Then starts a new dls_diag. */
static inline void scratch_said(struct scratch *scratch, const char *expected)
{
    struct dls_str said;

    dls_str_init(&said);
    for (size_t i = 0; i < dls_diag_count(scratch->diag); i++) {
        const struct dls_message *message = dls_diag_get(scratch->diag, i);
        const struct dls_place *place = &message->place;
        const char *slash = strrchr(place->file, '/');

        dls_str_addf(&said, "%s", slash == NULL ? place->file : slash + 1);
        if (place->line > 0)
            dls_str_addf(&said, ":%ld", place->line);
        if (place->column > 0)
            dls_str_addf(&said, ":%ld", place->column);
        if (place->table != NULL)
            dls_str_addf(&said, ": table '%s', row %lld", place->table,
                         (long long)place->row);
        dls_str_addf(&said, ": %s%s\n",
                     message->severity == DLS_WARNING ? "warning: " : "",
                     message->text);
    }
    assert_string_equal(said.data, expected);
    dls_str_release(&said);
    dls_diag_free(scratch->diag);
    scratch->diag = dls_diag_new();
}

#endif
