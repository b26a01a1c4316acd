/* import.c: what the importers share. See import_int.h. */
#include <string.h>

#include "traces/import_int.h"

/* Cuts `ending` off, unless nothing would be left. */
static void cut_ending(char *name, const char *ending)
{
    size_t bytes = strlen(name);
    size_t ending_bytes = strlen(ending);

    if (bytes > ending_bytes && strcmp(name + bytes - ending_bytes, ending) == 0)
        name[bytes - ending_bytes] = '\0';
}

enum dls_status dls_import_commit(struct dls_trace_writer *writer,
                                  const struct dls_csv *csv, const char *path,
                                  struct dls_trace_info *info, struct dls_diag *diag)
{
    const char *slash = strrchr(path, '/');
    char *name = dls_mem_text(slash == NULL ? path : slash + 1);
    struct dls_place place = {.file = path};
    char known[128];
    int64_t trace = 0;
    enum dls_status status;

    cut_ending(name, ".gz");
    cut_ending(name, ".csv");
    cut_ending(name, ".spans");
    info->name = name;
    info->file_name = slash == NULL ? path : slash + 1;
    info->file_bytes = dls_csv_bytes(csv);
    info->file_hash = dls_csv_hash(csv);
    if (dls_trace_writer_has(writer, info->file_hash, &trace, known, sizeof known)) {
        dls_diag_error(
            diag, &place,
            "the same file is in the database already: recording '%s', number %lld",
            known, (long long)trace);
        status = DLS_EINPUT;
    } else {
        status = dls_trace_writer_commit(writer, info);
    }
    dls_mem_free(name);
    info->name = NULL;
    return status;
}
