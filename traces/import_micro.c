/* import_micro.c: imports measurements of the host. See import_micro.h. */
#include "traces/import_micro.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/vec.h"
#include "traces/csv.h"
#include "traces/import_int.h"
#include "traces/trace_write.h"

enum { IMPORTER_VERSION = 1, ROWS_MAX = 1000000 };

enum { TEST, CLASS, N, VALUE, UNIT, COLUMNS };

static const char *const columns[COLUMNS] = {"test", "class", "n", "value", "unit"};

/* A row with its place in the file. */
struct measured {
    struct dls_trace_micro micro;
    size_t index;
};

/* By what makes rows repetitions of each other, then by place. */
static int compare_measured(const void *a, const void *b)
{
    const struct measured *left = a;
    const struct measured *right = b;
    int order = strcmp(left->micro.test, right->micro.test);

    if (order == 0)
        order = strcmp(left->micro.class_, right->micro.class_);
    if (order == 0)
        order = strcmp(left->micro.unit, right->micro.unit);
    if (order == 0)
        order = (left->micro.n > right->micro.n) - (left->micro.n < right->micro.n);
    if (order == 0)
        order = (left->index > right->index) - (left->index < right->index);
    return order;
}

static int compare_index(const void *a, const void *b)
{
    size_t left = ((const struct measured *)a)->index;
    size_t right = ((const struct measured *)b)->index;

    return (left > right) - (left < right);
}

static bool is_repetition(const struct dls_trace_micro *a,
                          const struct dls_trace_micro *b)
{
    return a->n == b->n && strcmp(a->test, b->test) == 0 &&
           strcmp(a->class_, b->class_) == 0 && strcmp(a->unit, b->unit) == 0;
}

/* Numbers the repetitions and leaves the rows in the order of the file. */
static void number_repetitions(struct measured *rows, size_t count)
{
    if (count == 0)
        return;
    qsort(rows, count, sizeof *rows, compare_measured);
    for (size_t i = 1; i < count; i++) {
        if (is_repetition(&rows[i - 1].micro, &rows[i].micro))
            rows[i].micro.repetition = rows[i - 1].micro.repetition + 1;
    }
    qsort(rows, count, sizeof *rows, compare_index);
}

enum dls_status dls_import_micro(const char *db_path, const char *micro_path,
                                 struct dls_diag *diag,
                                 struct dls_import_report *report)
{
    struct dls_trace_info info = {.tool = "micro",
                                  .importer_version = IMPORTER_VERSION,
                                  .clock = "none",
                                  .host_cpus = -1,
                                  .host_memory_bytes = -1};
    struct dls_trace_writer *writer = NULL;
    struct dls_arena *arena = dls_arena_new();
    struct dls_csv *csv = NULL;
    DLS_VEC(struct measured) rows = {0};
    enum dls_status status = dls_csv_open(micro_path, columns, COLUMNS, diag, &csv);

    if (status != DLS_OK)
        goto out;
    while (dls_csv_next(csv)) {
        struct measured row = {.index = rows.count};

        row.micro.test = dls_arena_text(arena, dls_csv_name(csv, TEST));
        row.micro.class_ = dls_arena_text(arena, dls_csv_name(csv, CLASS));
        row.micro.n = dls_csv_int(csv, N, 0, INT32_MAX);
        row.micro.value = dls_csv_real(csv, VALUE);
        row.micro.unit = dls_arena_text(arena, dls_csv_name(csv, UNIT));
        if (rows.count == ROWS_MAX)
            dls_csv_bad(csv, TEST, "more than %d rows", ROWS_MAX);
        DLS_VEC_ADD(&rows, row);
    }
    status = dls_csv_end(csv);
    if (status == DLS_OK)
        status = dls_trace_writer_open(db_path, diag, &writer);
    number_repetitions(rows.data, rows.count);
    for (size_t i = 0; status == DLS_OK && i < rows.count; i++)
        status = dls_trace_put_micro(writer, &rows.data[i].micro);
    if (status == DLS_OK)
        status = dls_import_commit(writer, csv, micro_path, &info, diag);
    if (status == DLS_OK && report != NULL)
        *report = (struct dls_import_report){.trace = dls_trace_writer_trace(writer),
                                             .micros = (int64_t)rows.count,
                                             .clock_residual_ns = -1};
out:
    dls_trace_writer_close(writer);
    dls_csv_close(csv);
    dls_arena_free(arena);
    DLS_VEC_RELEASE(&rows);
    return status;
}
