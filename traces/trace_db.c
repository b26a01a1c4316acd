/* trace_db.c: opens trace.db for reading and lists its recordings.
 *
 * The file: SQLite, application_id 'dlst', user_version DLS_TRACE_VERSION, tables as in
 * traces/schema.sql. Rows of spans are read in trace_spans.c, those of the small tables
 * in trace_rows.c. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/mem.h"
#include "sim/base/vec.h"
#include "traces/db_int.h"
#include "traces/trace.h"

/* SQLite opens lazily and calls a missing file, a folder and a forbidden one alike: ask
 * the system first. */
static enum dls_status check_readable(const char *path, struct dls_diag *diag)
{
    struct dls_place place = {.file = path};
    struct stat state;
    int file = open(path, O_RDONLY | O_NONBLOCK);
    int cause = 0;

    if (file < 0)
        cause = errno;
    else if (fstat(file, &state) != 0)
        cause = errno;
    else if (S_ISDIR(state.st_mode))
        cause = EISDIR;
    if (file >= 0)
        close(file);
    if (cause == 0)
        return DLS_OK;
    dls_diag_error(diag, &place, "cannot open: %s", strerror(cause));
    return DLS_EIO;
}

enum dls_status dls_trace_db_open(const char *path, struct dls_diag *diag,
                                  struct dls_trace_db **db)
{
    sqlite3 *sql = NULL;
    enum dls_status status = check_readable(path, diag);

    if (status == DLS_OK)
        status = dls_db_open(path, diag, &sql);
    if (status == DLS_OK)
        status = dls_db_check(sql, path, diag);
    if (status != DLS_OK) {
        sqlite3_close(sql);
        return status;
    }
    sqlite3_exec(sql, "PRAGMA query_only = 1", NULL, NULL, NULL);
    *db = dls_mem_new(1, sizeof **db);
    (*db)->sql = sql;
    (*db)->path = dls_mem_text(path);
    return DLS_OK;
}

void dls_trace_db_close(struct dls_trace_db *db)
{
    if (db == NULL)
        return;
    sqlite3_close(db->sql);
    dls_mem_free(db->path);
    dls_mem_free(db);
}

const char *dls_trace_db_path(const struct dls_trace_db *db)
{
    return db->path;
}

/* A text that may be unknown. */
static const char *maybe_text(struct dls_db_row *row, int column, const char *name,
                              struct dls_arena *arena)
{
    if (sqlite3_column_type(row->statement, column) == SQLITE_NULL)
        return NULL;
    return dls_arena_text(arena, dls_db_row_name(row, column, name));
}

static uint64_t read_hash(struct dls_db_row *row, int column)
{
    const char *text = dls_db_row_name(row, column, "file_hash");
    uint64_t hash = 0;

    if (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16) {
        dls_db_row_bad(row, "'file_hash' must be 16 hex digits");
        return 0;
    }
    for (; *text != '\0'; text++)
        hash = hash << 4 | (uint64_t)(*text <= '9' ? *text - '0' : *text - 'a' + 10);
    return hash;
}

static void read_info(struct dls_db_row *row, struct dls_arena *arena,
                      struct dls_trace_info *info)
{
    info->trace = row->row;
    info->name = dls_arena_text(arena, dls_db_row_name(row, 1, "name"));
    info->tool = dls_arena_text(arena, dls_db_row_name(row, 2, "tool"));
    info->tool_version = maybe_text(row, 3, "tool_version", arena);
    info->importer_version = dls_db_row_int(row, 4, "importer_version", 1, INT64_MAX,
                                            false);
    info->file_name = dls_arena_text(arena, dls_db_row_name(row, 5, "file_name"));
    info->file_bytes = dls_db_row_int(row, 6, "file_bytes", 0, INT64_MAX, false);
    info->file_hash = read_hash(row, 7);
    info->clock = dls_arena_text(arena, dls_db_row_name(row, 8, "clock"));
    info->joined = sqlite3_column_type(row->statement, 9) != SQLITE_NULL;
    if (info->joined)
        info->clock_offset_ns = dls_db_row_int(row, 9, "clock_offset_ns", INT64_MIN,
                                               INT64_MAX, false);
    info->host_name = maybe_text(row, 10, "host_name", arena);
    info->host_cpus = dls_db_row_int(row, 11, "host_cpus", 1, INT32_MAX, true);
    info->host_memory_bytes = dls_db_row_int(row, 12, "host_memory_bytes", 1, INT64_MAX,
                                             true);
    info->host_kernel = maybe_text(row, 13, "host_kernel", arena);
}

static enum dls_status read_config(struct dls_trace_db *db, struct dls_diag *diag,
                                   struct dls_arena *arena, struct dls_trace_info *info)
{
    struct dls_db_row row = {.db = db, .diag = diag, .table = "config"};
    DLS_VEC(struct dls_trace_config) config = {0};
    enum dls_status status = DLS_OK;

    dls_db_row_start(
        &row, "SELECT trace, key, value FROM config WHERE trace = ?1 ORDER BY key",
        info->trace, &status);
    while (dls_db_row_next(&row, &status)) {
        struct dls_trace_config entry = {
            .key = dls_arena_text(arena, dls_db_row_name(&row, 1, "key")),
            .value = dls_arena_text(arena, dls_db_row_text(&row, 2, "value"))};

        DLS_VEC_ADD(&config, entry);
    }
    info->config = dls_arena_get(arena, config.count + 1, sizeof *info->config);
    info->config_count = config.count;
    if (config.count > 0)
        memcpy(info->config, config.data, config.count * sizeof *config.data);
    DLS_VEC_RELEASE(&config);
    return dls_db_row_end(&row, status);
}

enum dls_status dls_trace_list_read(struct dls_trace_db *db, struct dls_diag *diag,
                                    struct dls_trace_list *list)
{
    struct dls_db_row row = {.db = db, .diag = diag, .table = "trace"};
    DLS_VEC(struct dls_trace_info) infos = {0};
    struct dls_arena *arena = dls_arena_new();
    enum dls_status status = DLS_OK;

    dls_db_row_start(
        &row,
        "SELECT trace, name, tool, tool_version, importer_version, file_name,"
        " file_bytes, file_hash, clock, clock_offset_ns, host_name, host_cpus,"
        " host_memory_bytes, host_kernel FROM trace ORDER BY trace",
        0, &status);
    while (dls_db_row_next(&row, &status)) {
        struct dls_trace_info info = {0};

        read_info(&row, arena, &info);
        DLS_VEC_ADD(&infos, info);
    }
    status = dls_db_row_end(&row, status);
    for (size_t i = 0; status == DLS_OK && i < infos.count; i++)
        status = read_config(db, diag, arena, &infos.data[i]);
    if (status != DLS_OK) {
        DLS_VEC_RELEASE(&infos);
        dls_arena_free(arena);
        return status;
    }
    *list = (struct dls_trace_list){infos.data, infos.count, arena};
    return DLS_OK;
}

void dls_trace_list_release(struct dls_trace_list *list)
{
    dls_mem_free(list->data);
    dls_arena_free(list->arena);
    *list = (struct dls_trace_list){0};
}

const struct dls_trace_info *dls_trace_list_find(const struct dls_trace_list *list,
                                                 const char *name)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->data[i].name, name) == 0)
            return &list->data[i];
    }
    return NULL;
}

const char *dls_trace_config_get(const struct dls_trace_info *info, const char *key)
{
    for (size_t i = 0; i < info->config_count; i++) {
        if (strcmp(info->config[i].key, key) == 0)
            return info->config[i].value;
    }
    return NULL;
}
