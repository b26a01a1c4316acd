/* trace_spans.c: reads the spans of one recording.
 *
 * The recordings of a database lie one after another, so a scan over the range of row
 * numbers that the index gives is sequential; the recording's number is still compared,
 * since row numbers are data too. */
#include <string.h>

#include "sim/base/hash.h"
#include "sim/base/vec.h"
#include "traces/db_int.h"
#include "traces/trace.h"

enum { OPS_MAX = UINT16_MAX };

/* Names by first use, with an open-addressing table over them: slot holds index + 1, 0
 * is free. */
struct ops {
    DLS_VEC(char *) names;
    uint32_t *slots;
    size_t slot_count; /* power of two, at most half full */
};

static void ops_release(struct ops *ops)
{
    for (size_t i = 0; i < ops->names.count; i++)
        dls_mem_free(ops->names.data[i]);
    DLS_VEC_RELEASE(&ops->names);
    dls_mem_free(ops->slots);
}

static size_t ops_slot(const struct ops *ops, const char *name)
{
    size_t slot = (size_t)dls_hash_text(name) & (ops->slot_count - 1);

    while (ops->slots[slot] != 0 &&
           strcmp(ops->names.data[ops->slots[slot] - 1], name) != 0)
        slot = (slot + 1) & (ops->slot_count - 1);
    return slot;
}

static void ops_grow(struct ops *ops)
{
    dls_mem_free(ops->slots);
    ops->slot_count = ops->slot_count == 0 ? 64 : ops->slot_count * 2;
    ops->slots = dls_mem_new(ops->slot_count, sizeof *ops->slots);
    for (size_t i = 0; i < ops->names.count; i++)
        ops->slots[ops_slot(ops, ops->names.data[i])] = (uint32_t)i + 1;
}

/* The index of a name, added when new; -1 when there is no room for another. */
static int ops_put(struct ops *ops, const char *name)
{
    size_t slot;

    if (2 * (ops->names.count + 1) > ops->slot_count)
        ops_grow(ops);
    slot = ops_slot(ops, name);
    if (ops->slots[slot] == 0) {
        if (ops->names.count >= OPS_MAX)
            return -1;
        DLS_VEC_ADD(&ops->names, dls_mem_text(name));
        ops->slots[slot] = (uint32_t)ops->names.count;
    }
    return (int)ops->slots[slot] - 1;
}

/* Reads the present row; false when it is bad. */
static bool read_span(struct dls_db_row *row, struct ops *ops, struct dls_span *span,
                      const char **op)
{
    size_t errors = row->errors;
    const char *stage = dls_db_row_name(row, 12, "stage");
    enum dls_span_stage found = dls_span_stage_find(stage, strlen(stage));
    int index;

    span->pid = dls_db_row_int32(row, 1, "process", 0, false);
    span->tid = dls_db_row_int32(row, 2, "thread", 0, false);
    span->rank = dls_db_row_int32(row, 3, "rank", 0, false);
    span->worker = dls_db_row_int32(row, 4, "worker", -1, false);
    span->epoch = dls_db_row_int32(row, 5, "epoch", 0, true);
    span->batch = dls_db_row_int32(row, 6, "batch", 0, true);
    span->sample = dls_db_row_int32(row, 7, "sample", 0, true);
    span->start_ns = dls_db_row_int(row, 8, "start_ns", 0, INT64_MAX, false);
    span->dur_ns = dls_db_row_int(row, 9, "dur_ns", 0, INT64_MAX, false);
    span->cpu_ns = dls_db_row_int(row, 10, "cpu_ns", 0, INT64_MAX, true);
    span->bytes = dls_db_row_int(row, 11, "bytes", 0, INT64_MAX, true);
    *op = dls_db_row_name(row, 13, "op");
    if (found == DLS_SPAN_STAGES && stage[0] != '\0')
        dls_db_row_bad(row, "unknown stage '%.40s'", stage);
    if (row->errors == errors && span->start_ns > INT64_MAX - span->dur_ns)
        dls_db_row_bad(row, "'start_ns' + 'dur_ns' is beyond 64 bits");
    if (row->errors > errors)
        return false;
    index = ops_put(ops, *op);
    if (index < 0) {
        dls_db_row_bad(row, "more than %d different names in 'op'", OPS_MAX);
        return false;
    }
    *op = ops->names.data[index];
    span->op = (uint16_t)index;
    span->stage = (uint8_t)found;
    return true;
}

/* First or last row number of the recording; `span` stays as it is when there are no
 * rows. */
static enum dls_status find_end(struct dls_trace_db *db, int64_t trace,
                                struct dls_diag *diag, bool last, int64_t *span)
{
    struct dls_db_row row = {.db = db, .diag = diag, .table = "span"};
    enum dls_status status = DLS_OK;

    dls_db_row_start(
        &row,
        last ? "SELECT span FROM span WHERE trace = ?1 ORDER BY span DESC LIMIT 1"
             : "SELECT span FROM span WHERE trace = ?1 ORDER BY span LIMIT 1",
        trace, &status);
    if (dls_db_row_next(&row, &status))
        *span = row.row;
    return dls_db_row_end(&row, status);
}

enum dls_status dls_trace_spans_each(struct dls_trace_db *db, int64_t trace,
                                     struct dls_diag *diag, dls_span_visit visit,
                                     void *context)
{
    struct dls_db_row row = {.db = db, .diag = diag, .table = "span"};
    struct ops ops = {0};
    int64_t first = 0;
    int64_t last = -1;
    enum dls_status status = find_end(db, trace, diag, false, &first);

    if (status == DLS_OK)
        status = find_end(db, trace, diag, true, &last);
    if (status != DLS_OK || last < first)
        return status;
    if (dls_db_row_start(
            &row,
            "SELECT span, process, thread, rank, worker, epoch, batch, sample,"
            " start_ns, dur_ns, cpu_ns, bytes, stage, op FROM span"
            " WHERE span BETWEEN ?2 AND ?3 AND +trace = ?1 ORDER BY span",
            trace, &status)) {
        sqlite3_bind_int64(row.statement, 2, first);
        sqlite3_bind_int64(row.statement, 3, last);
    }
    while (dls_db_row_next(&row, &status)) {
        struct dls_span span = {0};
        const char *op;

        if (read_span(&row, &ops, &span, &op))
            visit(context, &span, op);
    }
    ops_release(&ops);
    return dls_db_row_end(&row, status);
}

/* The array being filled by dls_trace_spans_read. */
struct filling {
    DLS_VEC(struct dls_span) spans;
    DLS_VEC(const char *) ops;
    struct dls_arena *arena;
};

static void add_span(void *context, const struct dls_span *span, const char *op)
{
    struct filling *filling = context;

    if (span->op == filling->ops.count)
        DLS_VEC_ADD(&filling->ops, dls_arena_text(filling->arena, op));
    DLS_VEC_ADD(&filling->spans, *span);
}

enum dls_status dls_trace_spans_read(struct dls_trace_db *db, int64_t trace,
                                     struct dls_diag *diag,
                                     struct dls_trace_spans *spans)
{
    struct filling filling = {.arena = dls_arena_new()};
    enum dls_status status = dls_trace_spans_each(db, trace, diag, add_span, &filling);
    struct dls_trace_spans result = {.data = filling.spans.data,
                                     .count = filling.spans.count,
                                     .ops = filling.ops.data,
                                     .ops_count = filling.ops.count,
                                     .arena = filling.arena};

    if (status != DLS_OK) {
        dls_trace_spans_release(&result);
        return status;
    }
    *spans = result;
    return DLS_OK;
}

void dls_trace_spans_release(struct dls_trace_spans *spans)
{
    dls_mem_free(spans->data);
    dls_mem_free(spans->ops);
    dls_arena_free(spans->arena);
    *spans = (struct dls_trace_spans){0};
}

int dls_trace_spans_op(const struct dls_trace_spans *spans, const char *op)
{
    for (size_t i = 0; i < spans->ops_count; i++) {
        if (strcmp(spans->ops[i], op) == 0)
            return (int)i;
    }
    return -1;
}
