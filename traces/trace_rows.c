/* trace_rows.c: reads the small tables of one recording: batches, host measurements,
 * outcomes, gaps. */
#include "sim/base/vec.h"
#include "traces/db_int.h"
#include "traces/trace.h"

enum dls_status dls_trace_batches_read(struct dls_trace_db *db, int64_t trace,
                                       struct dls_diag *diag,
                                       struct dls_trace_batches *batches)
{
    struct dls_db_row row = {.db = db, .diag = diag, .table = "batch"};
    DLS_VEC(struct dls_trace_batch) rows = {0};
    enum dls_status status = DLS_OK;

    dls_db_row_start(
        &row,
        "SELECT row, rank, epoch, batch, request_ns, arrive_ns, done_ns FROM batch"
        " WHERE trace = ?1 ORDER BY rank, epoch, batch",
        trace, &status);
    while (dls_db_row_next(&row, &status)) {
        struct dls_trace_batch batch = {0};
        size_t errors = row.errors;

        batch.rank = dls_db_row_int32(&row, 1, "rank", 0, false);
        batch.epoch = dls_db_row_int32(&row, 2, "epoch", 0, false);
        batch.batch = dls_db_row_int32(&row, 3, "batch", 0, false);
        batch.request_ns = dls_db_row_int(&row, 4, "request_ns", 0, INT64_MAX, false);
        batch.arrive_ns = dls_db_row_int(&row, 5, "arrive_ns", 0, INT64_MAX, false);
        batch.done_ns = dls_db_row_int(&row, 6, "done_ns", 0, INT64_MAX, false);
        if (row.errors == errors && batch.arrive_ns < batch.request_ns)
            dls_db_row_bad(&row, "'arrive_ns' lies before 'request_ns'");
        if (row.errors == errors && batch.done_ns < batch.arrive_ns)
            dls_db_row_bad(&row, "'done_ns' lies before 'arrive_ns'");
        DLS_VEC_ADD(&rows, batch);
    }
    status = dls_db_row_end(&row, status);
    if (status == DLS_OK)
        *batches = (struct dls_trace_batches){rows.data, rows.count};
    else
        DLS_VEC_RELEASE(&rows);
    return status;
}

void dls_trace_batches_release(struct dls_trace_batches *batches)
{
    dls_mem_free(batches->data);
    *batches = (struct dls_trace_batches){0};
}

enum dls_status dls_trace_micros_read(struct dls_trace_db *db, int64_t trace,
                                      struct dls_diag *diag,
                                      struct dls_trace_micros *micros)
{
    struct dls_db_row row = {.db = db, .diag = diag, .table = "micro"};
    DLS_VEC(struct dls_trace_micro) rows = {0};
    struct dls_arena *arena = dls_arena_new();
    enum dls_status status = DLS_OK;

    dls_db_row_start(&row,
                     "SELECT micro, test, class, n, repetition, value, unit FROM micro"
                     " WHERE trace = ?1 ORDER BY micro",
                     trace, &status);
    while (dls_db_row_next(&row, &status)) {
        struct dls_trace_micro micro = {0};

        micro.test = dls_arena_text(arena, dls_db_row_name(&row, 1, "test"));
        micro.class_ = dls_arena_text(arena, dls_db_row_name(&row, 2, "class"));
        micro.n = dls_db_row_int(&row, 3, "n", 0, INT64_MAX, false);
        micro.repetition = dls_db_row_int32(&row, 4, "repetition", 0, false);
        micro.value = dls_db_row_real(&row, 5, "value");
        micro.unit = dls_arena_text(arena, dls_db_row_name(&row, 6, "unit"));
        DLS_VEC_ADD(&rows, micro);
    }
    status = dls_db_row_end(&row, status);
    if (status == DLS_OK) {
        *micros = (struct dls_trace_micros){rows.data, rows.count, arena};
        return DLS_OK;
    }
    DLS_VEC_RELEASE(&rows);
    dls_arena_free(arena);
    return status;
}

void dls_trace_micros_release(struct dls_trace_micros *micros)
{
    dls_mem_free(micros->data);
    dls_arena_free(micros->arena);
    *micros = (struct dls_trace_micros){0};
}

enum dls_status dls_trace_outcomes_read(struct dls_trace_db *db, int64_t trace,
                                        struct dls_diag *diag,
                                        struct dls_trace_outcomes *outcomes)
{
    struct dls_db_row row = {.db = db, .diag = diag, .table = "outcome"};
    DLS_VEC(struct dls_trace_outcome) rows = {0};
    struct dls_arena *arena = dls_arena_new();
    enum dls_status status = DLS_OK;

    dls_db_row_start(
        &row,
        "SELECT outcome, metric, epoch, repetition, value, unit FROM outcome"
        " WHERE trace = ?1 ORDER BY outcome",
        trace, &status);
    while (dls_db_row_next(&row, &status)) {
        struct dls_trace_outcome outcome = {0};

        outcome.metric = dls_arena_text(arena, dls_db_row_name(&row, 1, "metric"));
        outcome.epoch = dls_db_row_int32(&row, 2, "epoch", 0, true);
        outcome.repetition = dls_db_row_int32(&row, 3, "repetition", 0, false);
        outcome.value = dls_db_row_real(&row, 4, "value");
        outcome.unit = dls_arena_text(arena, dls_db_row_name(&row, 5, "unit"));
        DLS_VEC_ADD(&rows, outcome);
    }
    status = dls_db_row_end(&row, status);
    if (status == DLS_OK) {
        *outcomes = (struct dls_trace_outcomes){rows.data, rows.count, arena};
        return DLS_OK;
    }
    DLS_VEC_RELEASE(&rows);
    dls_arena_free(arena);
    return status;
}

void dls_trace_outcomes_release(struct dls_trace_outcomes *outcomes)
{
    dls_mem_free(outcomes->data);
    dls_arena_free(outcomes->arena);
    *outcomes = (struct dls_trace_outcomes){0};
}

enum dls_status dls_trace_gaps_read(struct dls_trace_db *db, int64_t trace,
                                    struct dls_diag *diag, struct dls_trace_gaps *gaps)
{
    struct dls_db_row row = {.db = db, .diag = diag, .table = "gap"};
    DLS_VEC(struct dls_trace_gap) rows = {0};
    struct dls_arena *arena = dls_arena_new();
    enum dls_status status = DLS_OK;

    dls_db_row_start(
        &row, "SELECT gap, code, text, remedy FROM gap WHERE trace = ?1 ORDER BY gap",
        trace, &status);
    while (dls_db_row_next(&row, &status)) {
        struct dls_trace_gap gap = {0};

        gap.code = dls_arena_text(arena, dls_db_row_name(&row, 1, "code"));
        gap.text = dls_arena_text(arena, dls_db_row_name(&row, 2, "text"));
        gap.remedy = dls_arena_text(arena, dls_db_row_name(&row, 3, "remedy"));
        DLS_VEC_ADD(&rows, gap);
    }
    status = dls_db_row_end(&row, status);
    if (status == DLS_OK) {
        *gaps = (struct dls_trace_gaps){rows.data, rows.count, arena};
        return DLS_OK;
    }
    DLS_VEC_RELEASE(&rows);
    dls_arena_free(arena);
    return status;
}

void dls_trace_gaps_release(struct dls_trace_gaps *gaps)
{
    dls_mem_free(gaps->data);
    dls_arena_free(gaps->arena);
    *gaps = (struct dls_trace_gaps){0};
}
