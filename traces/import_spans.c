/* import_spans.c: imports a recording in dlsim's own form. See import_spans.h.
 *
 * All three files are read to their end before the verdict, so that one attempt shows
 * all their faults; once one is found nothing more is written. Spans are streamed;
 * batches are kept, since their shift is known only after the last span. */
#include "traces/import_spans.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/str.h"
#include "sim/base/vec.h"
#include "traces/csv.h"
#include "traces/gaps.h"
#include "traces/import_int.h"
#include "traces/run_json.h"
#include "traces/trace_write.h"

enum { IMPORTER_VERSION = 1 };

/* Further apart than this, a request and the wait span of its batch are not the same
 * event. */
enum { RESIDUAL_MAX_NS = 1000000 };

enum {
    EPOCH,
    BATCH,
    SAMPLE,
    WORKER,
    PID,
    TID,
    STAGE,
    OP,
    START,
    DUR,
    CPU,
    BYTES,
    SPAN_COLUMNS
};
enum { B_EPOCH, B_BATCH, B_REQUEST, B_ARRIVE, B_DONE, BATCH_COLUMNS };

static const char *const span_columns[SPAN_COLUMNS] = {
    "epoch", "batch", "sample",   "worker", "pid",    "tid",
    "stage", "op",    "start_ns", "dur_ns", "cpu_ns", "bytes"};
static const char *const batch_columns[BATCH_COLUMNS] = {"epoch", "batch", "request_ns",
                                                         "arrive_ns", "done_ns"};

/* A wait of the training process, to compare with its batch. */
struct wait {
    int32_t epoch;
    int32_t batch;
    int64_t start_ns;
};

struct importing {
    const char *spans_path;
    const char *batches_path;
    struct dls_diag *diag;
    struct dls_trace_writer *writer; /* NULL: only look for further faults */
    struct dls_run_json run;
    struct dls_gaps_seen seen;
    DLS_VEC(struct dls_trace_batch) batches;
    DLS_VEC(struct wait) waits;
    struct dls_import_report report;
};

/* The worse of two outcomes: the machine's failure stands over a wrong input. */
static enum dls_status worse(enum dls_status a, enum dls_status b)
{
    if (a == DLS_EIO || b == DLS_EIO)
        return DLS_EIO;
    return a != DLS_OK ? a : b;
}

static enum dls_status read_batches(struct importing *importing)
{
    struct dls_csv *csv = NULL;
    enum dls_status status = dls_csv_open(importing->batches_path, batch_columns,
                                          BATCH_COLUMNS, importing->diag, &csv);

    if (status != DLS_OK)
        return status;
    while (dls_csv_next(csv)) {
        struct dls_trace_batch batch = {0};

        batch.epoch = (int32_t)dls_csv_int(csv, B_EPOCH, 0, INT32_MAX);
        batch.batch = (int32_t)dls_csv_int(csv, B_BATCH, 0, INT32_MAX);
        batch.request_ns = dls_csv_int(csv, B_REQUEST, 0, INT64_MAX);
        batch.arrive_ns = dls_csv_int(csv, B_ARRIVE, batch.request_ns, INT64_MAX);
        batch.done_ns = dls_csv_int(csv, B_DONE, batch.arrive_ns, INT64_MAX);
        DLS_VEC_ADD(&importing->batches, batch);
    }
    status = dls_csv_end(csv);
    dls_csv_close(csv);
    return status;
}

/* Reads the present row; false when it is bad. `op` is borrowed from the row. */
static bool read_span(struct dls_csv *csv, struct dls_span *span, const char **op)
{
    static const char *const stages[] = {
#define X(name, text) text,
        DLS_SPAN_LIST(X)
#undef X
    };
    size_t errors = dls_csv_errors(csv);
    const char *stage = dls_csv_name(csv, STAGE);
    enum dls_span_stage found = dls_span_stage_find(stage, strlen(stage));

    *op = dls_csv_name(csv, OP);
    span->epoch = (int32_t)dls_csv_int(csv, EPOCH, -1, INT32_MAX);
    span->batch = (int32_t)dls_csv_int(csv, BATCH, -1, INT32_MAX);
    span->sample = (int32_t)dls_csv_int(csv, SAMPLE, -1, INT32_MAX);
    span->worker = (int32_t)dls_csv_int(csv, WORKER, -1, INT32_MAX);
    span->pid = (int32_t)dls_csv_int(csv, PID, 0, INT32_MAX);
    span->tid = (int32_t)dls_csv_int(csv, TID, 0, INT32_MAX);
    span->start_ns = dls_csv_int(csv, START, 0, INT64_MAX);
    span->dur_ns = dls_csv_int(csv, DUR, 0, INT64_MAX);
    span->cpu_ns = dls_csv_int(csv, CPU, -1, INT64_MAX);
    span->bytes = dls_csv_int(csv, BYTES, -1, INT64_MAX);
    span->stage = (uint8_t)found;
    if (span->start_ns > INT64_MAX - span->dur_ns)
        dls_csv_bad(csv, DUR, "'start_ns' + 'dur_ns' is beyond 64 bits");
    if (found == DLS_SPAN_STAGES && stage[0] != '\0') {
        const char *near = dls_str_near(stage, stages, DLS_SPAN_STAGES);
        char shown[48];

        dls_csv_bad(csv, STAGE, "unknown stage '%s'%s%s%s",
                    dls_csv_shown(stage, strlen(stage), shown),
                    near == NULL ? "" : " (did you mean '", near == NULL ? "" : near,
                    near == NULL ? "" : "'?)");
    }
    return dls_csv_errors(csv) == errors;
}

static enum dls_status read_spans(struct importing *importing, struct dls_csv *csv)
{
    enum dls_status status = DLS_OK;

    while (status == DLS_OK && dls_csv_next(csv)) {
        struct dls_span span = {0};
        const char *op;

        if (!read_span(csv, &span, &op))
            continue;
        dls_gaps_see(&importing->seen, &span);
        if (span.stage == DLS_SPAN_WAIT && span.worker == -1) {
            struct wait wait = {span.epoch, span.batch, span.start_ns};

            DLS_VEC_ADD(&importing->waits, wait);
        }
        if (importing->writer != NULL && dls_csv_errors(csv) == 0)
            status = dls_trace_put_span(importing->writer, &span, op);
        importing->report.spans++;
    }
    return worse(status, dls_csv_end(csv));
}

static int compare_waits(const void *a, const void *b)
{
    const struct wait *left = a;
    const struct wait *right = b;

    if (left->epoch != right->epoch)
        return left->epoch < right->epoch ? -1 : 1;
    return (left->batch > right->batch) - (left->batch < right->batch);
}

/* The largest distance between a shifted request and the wait span of the same batch;
 * -1 when none has its label. */
static int64_t find_residual(const struct importing *importing, int64_t offset)
{
    int64_t residual = -1;

    for (size_t i = 0; i < importing->batches.count; i++) {
        const struct dls_trace_batch *batch = &importing->batches.data[i];
        struct wait key = {batch->epoch, batch->batch, 0};
        const struct wait *wait = bsearch(&key, importing->waits.data,
                                          importing->waits.count, sizeof key,
                                          compare_waits);
        int64_t distance;

        if (wait == NULL)
            continue;
        distance = wait->start_ns - (batch->request_ns + offset);
        if (distance < 0)
            distance = -distance;
        if (distance > residual)
            residual = distance;
    }
    return residual;
}

/* Finds the shift between the two clocks: the first wait of the training process is the
 * first request. */
static enum dls_status join_clocks(struct importing *importing)
{
    struct dls_place place = {.file = importing->spans_path};
    int64_t first_wait = INT64_MAX;
    int64_t first_request = INT64_MAX;
    int64_t last_done = 0;
    int64_t offset;

    if (importing->waits.count == 0) {
        dls_diag_error(
            importing->diag, &place,
            "no 'wait' span of the training process (worker -1): the batch times"
            " cannot be brought to the clock of the spans");
        return DLS_EINPUT;
    }
    for (size_t i = 0; i < importing->waits.count; i++) {
        if (importing->waits.data[i].start_ns < first_wait)
            first_wait = importing->waits.data[i].start_ns;
    }
    for (size_t i = 0; i < importing->batches.count; i++) {
        const struct dls_trace_batch *batch = &importing->batches.data[i];

        if (batch->request_ns < first_request)
            first_request = batch->request_ns;
        if (batch->done_ns > last_done)
            last_done = batch->done_ns;
    }
    offset = first_wait - first_request;
    if (offset > 0 && last_done > INT64_MAX - offset) {
        place.file = importing->batches_path;
        dls_diag_error(importing->diag, &place,
                       "batch times on the clock of the spans are beyond 64 bits");
        return DLS_EINPUT;
    }
    qsort(importing->waits.data, importing->waits.count, sizeof *importing->waits.data,
          compare_waits);
    importing->report.clock_offset_ns = offset;
    importing->report.clock_residual_ns = find_residual(importing, offset);
    if (importing->report.clock_residual_ns > RESIDUAL_MAX_NS) {
        place.file = importing->batches_path;
        dls_diag_warning(
            importing->diag, &place,
            "batch times do not fit the spans: request and wait of a batch lie up to"
            " %lld ns apart",
            (long long)importing->report.clock_residual_ns);
    }
    return DLS_OK;
}

static enum dls_status write_batches(struct importing *importing)
{
    int64_t offset = importing->report.clock_offset_ns;
    enum dls_status status = DLS_OK;

    for (size_t i = 0; status == DLS_OK && i < importing->batches.count; i++) {
        struct dls_trace_batch batch = importing->batches.data[i];

        batch.request_ns += offset;
        batch.arrive_ns += offset;
        batch.done_ns += offset;
        status = dls_trace_put_batch(importing->writer, &batch);
        if (status == DLS_EINPUT) {
            /* Every line after the header is a row: an empty one would have been an
             * error. */
            struct dls_place place = {.file = importing->batches_path,
                                      .line = (long)i + 2};

            dls_diag_error(importing->diag, &place,
                           "batch %d of epoch %d is there twice", (int)batch.batch,
                           (int)batch.epoch);
        }
    }
    importing->report.batches = (int64_t)importing->batches.count;
    return status;
}

static enum dls_status write_run(struct importing *importing)
{
    const struct dls_run_json *run = &importing->run;
    enum dls_status status = DLS_OK;

    for (size_t i = 0; status == DLS_OK && i < run->config_count; i++)
        status = dls_trace_put_config(importing->writer, run->config[i].key,
                                      run->config[i].value);
    for (size_t i = 0; status == DLS_OK && i < run->outcome_count; i++)
        status = dls_trace_put_outcome(importing->writer, &run->outcomes[i]);
    importing->report.configs = (int64_t)run->config_count;
    importing->report.outcomes = (int64_t)run->outcome_count;
    return status;
}

/* Everything after the last span, and the commit. */
static enum dls_status finish(struct importing *importing, const struct dls_csv *csv)
{
    struct dls_trace_info info = {.tool = "spans",
                                  .importer_version = IMPORTER_VERSION,
                                  .clock = "monotonic",
                                  .joined = importing->batches_path != NULL,
                                  .host_name = importing->run.host_name,
                                  .host_cpus = importing->run.host_cpus,
                                  .host_memory_bytes = importing->run.host_memory_bytes,
                                  .host_kernel = importing->run.host_kernel};
    enum dls_status status = DLS_OK;

    importing->seen.host = importing->run.has_host;
    importing->report.clock_residual_ns = -1;
    if (importing->batches_path != NULL)
        status = join_clocks(importing);
    if (status == DLS_OK)
        status = write_batches(importing);
    if (status == DLS_OK)
        status = write_run(importing);
    if (status == DLS_OK)
        status = dls_gaps_write(&importing->seen, importing->writer,
                                &importing->report.gaps);
    info.clock_offset_ns = importing->report.clock_offset_ns;
    if (status == DLS_OK)
        status = dls_import_commit(importing->writer, csv, importing->spans_path, &info,
                                   importing->diag);
    return status;
}

enum dls_status dls_import_spans(const char *db_path, const char *spans_path,
                                 const char *batches_path, const char *config_path,
                                 struct dls_diag *diag,
                                 struct dls_import_report *report)
{
    struct importing importing = {
        .spans_path = spans_path,
        .batches_path = batches_path,
        .diag = diag,
        .run = {.host_cpus = -1, .host_memory_bytes = -1},
        .seen = {.batches = batches_path != NULL, .config = config_path != NULL}};
    struct dls_csv *csv = NULL;
    enum dls_status status = DLS_OK;

    if (config_path != NULL)
        status = dls_run_json_read(config_path, diag, &importing.run);
    if (batches_path != NULL)
        status = worse(status, read_batches(&importing));
    status = worse(status,
                   dls_csv_open(spans_path, span_columns, SPAN_COLUMNS, diag, &csv));
    if (status == DLS_OK)
        status = dls_trace_writer_open(db_path, diag, &importing.writer);
    if (csv != NULL)
        status = worse(status, read_spans(&importing, csv));
    if (status == DLS_OK)
        status = finish(&importing, csv);
    if (status == DLS_OK && report != NULL) {
        *report = importing.report;
        report->trace = dls_trace_writer_trace(importing.writer);
    }
    dls_trace_writer_close(importing.writer);
    dls_csv_close(csv);
    dls_run_json_release(&importing.run);
    DLS_VEC_RELEASE(&importing.batches);
    DLS_VEC_RELEASE(&importing.waits);
    return status;
}
