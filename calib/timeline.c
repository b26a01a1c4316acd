#include "calib/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/vec.h"

/* Everything while a recording is put in order. */
struct builder {
    struct dls_timeline *timeline;
    const struct dls_trace_info *info;
    const char *path;
    struct dls_diag *diag;
    DLS_VEC(struct dls_recorded_sample) samples;
    DLS_VEC(struct dls_recorded_batch) batches;
};

static void error_at(const struct builder *builder, const char *format,
                     const char *text)
{
    struct dls_place place = {
        .file = builder->path, .table = "trace", .row = builder->info->trace};

    dls_diag_error(builder->diag, &place, format, text);
}

/* By worker, then start, then longer first (a parent before its children). */
static int span_compare(const void *a_, const void *b_)
{
    const struct dls_span *a = a_, *b = b_;

    if (a->worker != b->worker)
        return a->worker < b->worker ? -1 : 1;
    if (a->start_ns != b->start_ns)
        return a->start_ns < b->start_ns ? -1 : 1;
    return (a->dur_ns < b->dur_ns) - (a->dur_ns > b->dur_ns);
}

static bool is_sample_stage(int stage)
{
    return stage == DLS_SPAN_OPEN || stage == DLS_SPAN_READ ||
           stage == DLS_SPAN_DECODE || stage == DLS_SPAN_TRANSFORM ||
           stage == DLS_SPAN_READ_DECODE;
}

/* Index of an op in the chain, added on first use; -1 when the chain is too long. */
static int chain_index(struct dls_timeline *timeline, const char *name, int stage)
{
    for (int i = 0; i < timeline->ops; i++)
        if (timeline->op[i].stage == stage && strcmp(timeline->op[i].name, name) == 0)
            return i;
    if (timeline->ops == DLS_CHAIN_MAX)
        return -1;
    timeline->op[timeline->ops] = (struct dls_chain_op){
        .name = dls_arena_text(timeline->arena, name), .stage = stage};
    return timeline->ops++;
}

/* A batch in the making: where its worker stands. */
struct cursor {
    int32_t worker;
    int64_t last_end;     /* of the previous span of this batch, -1: none yet */
    int64_t previous_end; /* of the worker's previous batch */
    int64_t begin;
    int64_t first; /* its first sample */
    int64_t made;  /* batches of this worker so far */
    int first_op;  /* of the chain */
    bool in_sample;
};

static void sample_begin(struct builder *builder, struct cursor *cursor,
                         const struct dls_span *span)
{
    struct dls_recorded_sample sample = {
        .id = span->sample,
        .bytes = -1,
        .batch = (int32_t)builder->batches.count,
        .position = (int32_t)((int64_t)builder->samples.count - cursor->first),
        .start_ns = span->start_ns,
    };

    DLS_VEC_ADD(&builder->samples, sample);
    cursor->in_sample = true;
}

static enum dls_status sample_span(struct builder *builder, struct cursor *cursor,
                                   const struct dls_span *span, const char *op)
{
    int index = chain_index(builder->timeline, op, span->stage);
    struct dls_recorded_sample *sample;

    if (index < 0) {
        error_at(builder, "recording '%s' has more than 24 different ops in its chain",
                 builder->info->name);
        return DLS_EINPUT;
    }
    if (cursor->first_op < 0)
        cursor->first_op = index;
    sample = cursor->in_sample ? &builder->samples.data[builder->samples.count - 1]
                               : NULL;
    if (sample == NULL ||
        (span->sample >= 0 ? span->sample != sample->id : index == cursor->first_op))
        sample_begin(builder, cursor, span);
    sample = &builder->samples.data[builder->samples.count - 1];
    sample->cpu_ns[index] += (double)(span->cpu_ns >= 0 ? span->cpu_ns : span->dur_ns);
    sample->dur_ns[index] += (double)span->dur_ns;
    if (sample->bytes < 0 && span->bytes >= 0)
        sample->bytes = span->bytes;
    if (cursor->last_end >= 0 && span->start_ns > cursor->last_end)
        sample->gap_ns += (double)(span->start_ns - cursor->last_end);
    sample->end_ns = span->start_ns + span->dur_ns;
    sample->spans++;
    return DLS_OK;
}

static void batch_end(struct builder *builder, struct cursor *cursor,
                      const struct dls_span *span)
{
    int64_t workers = builder->timeline->workers;
    struct dls_recorded_batch batch = {
        .epoch = span->epoch < 0 ? 0 : span->epoch,
        .worker = cursor->worker,
        .number = workers > 0 ? cursor->worker + cursor->made * workers : cursor->made,
        .first = cursor->first,
        .samples = (int64_t)builder->samples.count - cursor->first,
        .begin_ns = cursor->begin,
        .before_ns = cursor->previous_end,
        .collate_ns = span->start_ns,
        .collate_dur_ns = span->dur_ns,
        .collate_cpu_ns = span->cpu_ns >= 0 ? span->cpu_ns : span->dur_ns,
        .end_ns = span->start_ns + span->dur_ns,
        .request_ns = -1,
        .arrive_ns = -1,
        .done_ns = -1,
    };

    if (cursor->in_sample && span->start_ns > cursor->last_end)
        builder->samples.data[builder->samples.count - 1].gap_ns +=
            (double)(span->start_ns - cursor->last_end);
    DLS_VEC_ADD(&builder->batches, batch);
    cursor->made++;
    cursor->previous_end = batch.end_ns;
    cursor->begin = cursor->last_end = -1;
    cursor->first = (int64_t)builder->samples.count;
    cursor->in_sample = false;
}

static void main_span(struct dls_timeline *timeline, const struct dls_span *span)
{
    double cpu = (double)(span->cpu_ns >= 0 ? span->cpu_ns : span->dur_ns);

    if (span->stage == DLS_SPAN_WAIT) {
        timeline->wait_cpu_ns += cpu;
        timeline->wait_dur_ns += (double)span->dur_ns;
    } else if (span->stage == DLS_SPAN_STEP) {
        timeline->step_cpu_ns += cpu;
        timeline->step_dur_ns += (double)span->dur_ns;
        timeline->steps++;
    }
}

/* Walks the spans of all workers, one worker after the other. */
static enum dls_status spans_walk(struct builder *builder,
                                  const struct dls_trace_spans *spans)
{
    struct cursor cursor = {.worker = -2};
    int64_t epoch = -1;

    for (size_t i = 0; i < spans->count; i++) {
        const struct dls_span *span = &spans->data[i];
        enum dls_status status = DLS_OK;

        if (span->worker != cursor.worker || span->epoch != epoch) {
            cursor = (struct cursor){.worker = span->worker,
                                     .last_end = -1,
                                     .previous_end = -1,
                                     .begin = -1,
                                     .first = (int64_t)builder->samples.count,
                                     .first_op = builder->timeline->ops > 0 ? 0 : -1};
            epoch = span->epoch;
        }
        if (span->stage == DLS_SPAN_WAIT || span->stage == DLS_SPAN_STEP) {
            main_span(builder->timeline, span);
            continue;
        }
        if (cursor.begin < 0)
            cursor.begin = span->start_ns;
        if (is_sample_stage(span->stage))
            status = sample_span(builder, &cursor, span, spans->ops[span->op]);
        if (status != DLS_OK)
            return status;
        if (span->stage == DLS_SPAN_COLLATE)
            batch_end(builder, &cursor, span);
        else
            cursor.last_end = span->start_ns + span->dur_ns;
    }
    return DLS_OK;
}

static int batch_compare(const void *a_, const void *b_)
{
    const struct dls_recorded_batch *a = a_, *b = b_;

    if (a->epoch != b->epoch)
        return a->epoch < b->epoch ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

/* Samples in order of delivery: batches sorted, each sample's batch index renewed. */
static void delivery_order(struct builder *builder)
{
    struct dls_timeline *timeline = builder->timeline;
    int64_t next = 0;

    qsort(builder->batches.data, builder->batches.count, sizeof *builder->batches.data,
          batch_compare);
    timeline->batches = (int64_t)builder->batches.count;
    timeline->samples = (int64_t)builder->samples.count;
    timeline->batch = dls_arena_get(timeline->arena, builder->batches.count + 1,
                                    sizeof *timeline->batch);
    timeline->sample = dls_arena_get(timeline->arena, builder->samples.count + 1,
                                     sizeof *timeline->sample);
    for (int64_t b = 0; b < timeline->batches; b++) {
        struct dls_recorded_batch *batch = &timeline->batch[b];

        *batch = builder->batches.data[b];
        for (int64_t s = 0; s < batch->samples; s++) {
            timeline->sample[next + s] = builder->samples.data[batch->first + s];
            timeline->sample[next + s].batch = (int32_t)b;
        }
        batch->first = next;
        next += batch->samples;
        if (batch->epoch + 1 > timeline->epochs)
            timeline->epochs = batch->epoch + 1;
    }
    timeline->samples = next;
}

/* Adds request, arrival and end at the training loop to the batches. */
static enum dls_status arrivals_join(struct builder *builder,
                                     const struct dls_trace_batches *batches)
{
    struct dls_timeline *timeline = builder->timeline;
    int64_t at = 0;

    for (size_t i = 0; i < batches->count; i++) {
        const struct dls_trace_batch *times = &batches->data[i];

        while (at < timeline->batches && (timeline->batch[at].epoch < times->epoch ||
                                          (timeline->batch[at].epoch == times->epoch &&
                                           timeline->batch[at].number < times->batch)))
            at++;
        if (at == timeline->batches || timeline->batch[at].epoch != times->epoch ||
            timeline->batch[at].number != times->batch) {
            error_at(builder,
                     "recording '%s' delivers batches that no worker collated in order",
                     builder->info->name);
            return DLS_EINPUT;
        }
        timeline->batch[at].request_ns = times->request_ns;
        timeline->batch[at].arrive_ns = times->arrive_ns;
        timeline->batch[at].done_ns = times->done_ns;
    }
    return DLS_OK;
}

enum dls_status dls_timeline_read(struct dls_trace_db *db,
                                  const struct dls_trace_info *info,
                                  struct dls_diag *diag, struct dls_timeline *timeline)
{
    struct builder builder = {.timeline = timeline,
                              .info = info,
                              .path = dls_trace_db_path(db),
                              .diag = diag};
    struct dls_trace_spans spans = {0};
    struct dls_trace_batches batches = {0};
    const char *workers = dls_trace_config_get(info, "workers");
    enum dls_status status;

    *timeline = (struct dls_timeline){
        .arena = dls_arena_new(), .workers = workers ? strtoll(workers, NULL, 10) : 0};
    status = dls_trace_spans_read(db, info->trace, diag, &spans);
    if (status != DLS_OK)
        goto out;
    qsort(spans.data, spans.count, sizeof *spans.data, span_compare);
    status = spans_walk(&builder, &spans);
    if (status != DLS_OK)
        goto out;
    if (builder.batches.count == 0) {
        error_at(&builder,
                 "recording '%s' has no collate span: its batches cannot be told apart",
                 info->name);
        status = DLS_EINPUT;
        goto out;
    }
    delivery_order(&builder);
    status = dls_trace_batches_read(db, info->trace, diag, &batches);
    if (status == DLS_OK)
        status = arrivals_join(&builder, &batches);
out:
    DLS_VEC_RELEASE(&builder.samples);
    DLS_VEC_RELEASE(&builder.batches);
    dls_trace_spans_release(&spans);
    dls_trace_batches_release(&batches);
    if (status != DLS_OK)
        dls_timeline_release(timeline);
    return status;
}

void dls_timeline_release(struct dls_timeline *timeline)
{
    dls_arena_free(timeline->arena);
    *timeline = (struct dls_timeline){0};
}
