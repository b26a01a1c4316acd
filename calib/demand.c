/* demand.c: the joint table of samples and the laws of the ops.
 *
 * A sample's demand is the mean over the recordings that hold it of its CPU times
 * brought to the reference speed. Samples of a worker's first batch cost extra
 * (imports, first touches): they are brought to the usual level here, and the extra is
 * the start's business (start.c). Samples without a label are taken from the replayed
 * recording, in its order. */
#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calib/calib_int.h"
#include "sim/base/vec.h"
#include "sim/stats/interval.h"
#include "sim/stats/tally.h"

/* What is known of an op by its name. Others are native numeric work that leaves the
 * interpreter free. */
static const struct {
    const char *op, *class;
    bool interpreter;
} known_ops[] = {
    {"jpeg", "decode", false},  {"flac", "decode", false}, {"wav", "copy", false},
    {"load", "inflate", false}, {"json", "python", true},  {"tokenise", "python", true},
    {"memmap", "python", true}, /* a mapped file: no call lets go of the interpreter */
};

static const char *class_of(const struct dls_chain_op *op, bool *interpreter)
{
    *interpreter = false;
    for (size_t i = 0; i < sizeof known_ops / sizeof *known_ops; i++)
        if (strcmp(op->name, known_ops[i].op) == 0) {
            *interpreter = known_ops[i].interpreter;
            return known_ops[i].class;
        }
    return op->stage == DLS_SPAN_DECODE        ? "decode"
           : op->stage == DLS_SPAN_READ_DECODE ? "inflate"
                                               : "numeric";
}

/* Plain reads are the file system's, unless their time is the interpreter's; everything
 * else is an op of the chain. */
static bool is_op(const struct dls_chain_op *op)
{
    bool interpreter;

    class_of(op, &interpreter);
    return interpreter || (op->stage != DLS_SPAN_READ && op->stage != DLS_SPAN_OPEN);
}

/* Time of one op of one sample in seconds at the reference speed. */
static double demand_of(const struct dls_recording *recording,
                        const struct dls_recorded_sample *sample, int op)
{
    double ns = recording->workers == 0 ? sample->dur_ns[op] : sample->cpu_ns[op];

    return ns * 1e-9 * recording->scale;
}

/* Factor that brings a first batch to the usual level. */
static double first_factor(const struct dls_recording *recording,
                           const struct dls_recorded_batch *batch)
{
    const struct dls_timeline *timeline = &recording->timeline;
    double sum = 0;

    for (int64_t s = 0; s < batch->samples; s++)
        for (int op = 0; op < timeline->ops; op++)
            sum += demand_of(recording, &timeline->sample[batch->first + s], op);
    if (sum <= 0 || timeline->batches <= recording->workers + 1)
        return 1;
    return fmin(recording->level_s * recording->scale * (double)batch->samples / sum,
                1);
}

/* ------------------------------------------------------------------ rows */

/* One row while recordings are pooled. */
struct row {
    int64_t id; /* -1: not labelled */
    double bytes;
    double sum[DLS_CHAIN_MAX];
    int n;         /* recordings that gave it */
    bool is_first; /* so far seen in first batches only */
};

/* Where the row of a sample stands. */
struct place {
    int64_t id, row;
};

struct table {
    struct row *row;
    int64_t rows;
    struct place *place; /* sorted by id */
};

static int place_compare(const void *a_, const void *b_)
{
    const struct place *a = a_, *b = b_;

    return (a->id > b->id) - (a->id < b->id);
}

static struct row *row_find(const struct table *table, int64_t id)
{
    struct place key = {.id = id};
    const struct place *found = id < 0
                                    ? NULL
                                    : bsearch(&key, table->place, (size_t)table->rows,
                                              sizeof key, place_compare);

    return found ? &table->row[found->row] : NULL;
}

/* Adds one recording's view of a sample to its row; a view from a first batch gives way
 * to any other. */
static void row_add(struct row *row, const struct dls_recording *recording,
                    const struct dls_recorded_sample *sample, const int *op_of)
{
    const struct dls_timeline *timeline = &recording->timeline;
    bool is_first = dls_is_first_batch(recording, sample->batch);
    double factor = is_first ? first_factor(recording, &timeline->batch[sample->batch])
                             : 1;

    if (row->n > 0 && is_first && !row->is_first)
        return;
    if (row->n > 0 && row->is_first && !is_first) {
        memset(row->sum, 0, sizeof row->sum);
        row->n = 0;
    }
    for (int op = 0; op < timeline->ops; op++)
        if (op_of[op] >= 0)
            row->sum[op_of[op]] += factor * demand_of(recording, sample, op);
    row->n++;
    row->is_first = is_first;
    if (sample->bytes >= 0)
        row->bytes = (double)sample->bytes;
}

/* Index in the replayed recording's chain of each op of another recording, -1 where it
 * has none. */
static void chain_map(const struct dls_timeline *from, const struct dls_timeline *to,
                      int *op_of)
{
    for (int i = 0; i < from->ops; i++) {
        op_of[i] = -1;
        for (int j = 0; j < to->ops; j++)
            if (from->op[i].stage == to->op[j].stage &&
                strcmp(from->op[i].name, to->op[j].name) == 0)
                op_of[i] = j;
    }
}

static void table_fill(struct dls_calibration *calibration, struct table *table)
{
    const struct dls_recording *replayed =
        &calibration->recording[calibration->recordings - 1];
    int op_of[DLS_CHAIN_MAX];

    table->rows = 0;
    table->row = dls_mem_new((size_t)replayed->timeline.samples + 1,
                             sizeof *table->row);
    table->place = dls_mem_new((size_t)replayed->timeline.samples + 1,
                               sizeof *table->place);
    for (int64_t s = 0; s < replayed->timeline.samples; s++) {
        if (replayed->timeline.batch[replayed->timeline.sample[s].batch].epoch > 0)
            break; /* later epochs visit the same samples in another order */
        table->row[table->rows].id = replayed->timeline.sample[s].id;
        table->place[table->rows] = (struct place){replayed->timeline.sample[s].id,
                                                   table->rows};
        table->rows++;
    }
    qsort(table->place, (size_t)table->rows, sizeof *table->place, place_compare);
    for (size_t r = 0; r < calibration->recordings; r++) {
        const struct dls_recording *recording = &calibration->recording[r];

        chain_map(&recording->timeline, &replayed->timeline, op_of);
        for (int64_t s = 0; s < recording->timeline.samples; s++) {
            const struct dls_recorded_sample *sample = &recording->timeline.sample[s];
            struct row *row = row_find(table, sample->id);

            if (row == NULL && recording == replayed && s < table->rows)
                row = &table->row[s];
            if (row != NULL)
                row_add(row, recording, sample, op_of);
        }
    }
}

/* ------------------------------------------------------------------ laws */

/* Affine law of one column over the rows' bytes (least squares), with the coefficient
 * of variation of its residuals. */
static void law_fit(const struct table *table, const double *column,
                    struct dls_fit_op *op)
{
    DLS_VEC(double) x = {0};
    DLS_VEC(double) y = {0};
    double c0, c1, v00, v01, v11, rss;
    struct dls_interval interval;
    struct dls_tally all = {0}, bytes = {0};

    for (int64_t r = 0; r < table->rows; r++) {
        dls_tally_add(&all, column[r]);
        dls_tally_add(&bytes, table->row[r].bytes);
        DLS_VEC_ADD(&x, table->row[r].bytes);
        DLS_VEC_ADD(&y, column[r]);
    }
    interval = dls_interval_mean(column, (size_t)table->rows, 0.95);
    op->n = table->rows;
    op->mean_s = dls_tally_mean(&all);
    op->low_s = interval.low;
    op->high_s = interval.high;
    op->a_s = op->mean_s;
    op->residual_cv = op->mean_s > 0 && table->rows > 1
                          ? dls_tally_deviation(&all) / op->mean_s
                          : 0;
    if (table->rows > 2 && dls_tally_deviation(&bytes) > 0 &&
        gsl_fit_linear(x.data, 1, y.data, 1, x.count, &c0, &c1, &v00, &v01, &v11,
                       &rss) == 0 &&
        c1 > 2 * sqrt(v11) && c0 >= 0) {
        op->a_s = c0;
        op->b_s_per_byte = c1;
        op->residual_cv = op->mean_s > 0
                              ? sqrt(rss / (double)(x.count - 2)) / op->mean_s
                              : 0;
    }
    DLS_VEC_RELEASE(&x);
    DLS_VEC_RELEASE(&y);
}

static void op_add(struct dls_calibration *calibration, const struct table *table,
                   int op)
{
    struct dls_fit *fit = calibration->fit;
    const struct dls_chain_op *chain =
        &calibration->recording[calibration->recordings - 1].timeline.op[op];
    double *column = dls_arena_get(fit->arena, (size_t)table->rows, sizeof *column);
    struct dls_fit_op *added = &fit->op[fit->ops++];

    for (int64_t r = 0; r < table->rows; r++)
        column[r] = table->row[r].n > 0 ? table->row[r].sum[op] / table->row[r].n : 0;
    *added = (struct dls_fit_op){.name = dls_arena_text(fit->arena, chain->name),
                                 .column = column};
    added->class = class_of(chain, &added->interpreter);
    added->stage = chain->stage == DLS_SPAN_TRANSFORM ? "transform"
                   : chain->stage == DLS_SPAN_READ    ? "read"
                                                      : "decode";
    law_fit(table, column, added);
}

/* Python between the spans of a sample. */
static void overhead_add(struct dls_calibration *calibration)
{
    struct dls_fit *fit = calibration->fit;
    DLS_VEC(double) means = {0};
    struct dls_fit_op *op;
    struct dls_interval interval;

    for (size_t r = 0; r < calibration->recordings; r++)
        if (calibration->recording[r].timeline.samples > 0)
            DLS_VEC_ADD(&means, dls_recording_gaps_s(&calibration->recording[r]) /
                                    (double)calibration->recording[r].timeline.samples);
    interval = dls_interval_mean(means.data, means.count, 0.95);
    op = &fit->op[fit->ops++];
    *op = (struct dls_fit_op){.name = "overhead",
                              .stage = "transform",
                              .class = "python",
                              .interpreter = true};
    for (size_t i = 0; i < means.count; i++)
        op->mean_s += means.data[i] / (double)means.count;
    op->a_s = op->mean_s;
    op->low_s = fmax(interval.low, 0);
    op->high_s = interval.high;
    op->n = (int64_t)means.count;
    DLS_VEC_RELEASE(&means);
}

/* ------------------------------------------------------------------ reads */

/* CPU inside plain reads calibrates the file system: call + bytes x hot_per_byte. */
static void reads_fit(struct dls_calibration *calibration, const struct table *table)
{
    const struct dls_timeline *timeline =
        &calibration->recording[calibration->recordings - 1].timeline;
    double *column = dls_mem_new((size_t)table->rows + 1, sizeof *column);
    struct dls_fit_op law = {0};
    bool any = false;

    for (int op = 0; op < timeline->ops; op++)
        for (int64_t r = 0; r < table->rows && !is_op(&timeline->op[op]); r++) {
            column[r] += table->row[r].n > 0 ? table->row[r].sum[op] / table->row[r].n
                                             : 0;
            any = true;
        }
    if (any) {
        law_fit(table, column, &law);
        dls_fit_set(calibration, "filesystem", "open", DLS_UNIT_TIME, 0, law.n,
                    "part of call: one span holds both");
        dls_fit_set(calibration, "filesystem", "call", DLS_UNIT_TIME, law.a_s, law.n,
                    "CPU inside read spans");
        dls_fit_set(calibration, "filesystem", "hot_per_byte", DLS_UNIT_S_PER_BYTE,
                    law.b_s_per_byte, law.n, "CPU inside read spans over bytes");
    } else {
        const char *from = "the reads' CPU is inside the ops";

        dls_fit_set(calibration, "filesystem", "open", DLS_UNIT_TIME, 0, table->rows,
                    from);
        dls_fit_set(calibration, "filesystem", "call", DLS_UNIT_TIME, 0, table->rows,
                    from);
        dls_fit_set(calibration, "filesystem", "hot_per_byte", DLS_UNIT_S_PER_BYTE, 0,
                    table->rows, from);
        dls_fit_missing(calibration, "filesystem.call, filesystem.hot_per_byte",
                        "no span of this recording shows file reads alone",
                        "a recording with one span a read call");
    }
    dls_mem_free(column);
}

/* ------------------------------------------------------------------ recordings without
 * spans of samples */

/* The whole fetch of a batch, between the end of the worker's previous batch (or its
 * first request) and collate, split evenly over its samples. */
static void hidden_fill(struct dls_calibration *calibration, struct table *table)
{
    const struct dls_recording *recording =
        &calibration->recording[calibration->recordings - 1];
    const struct dls_timeline *timeline = &recording->timeline;
    struct dls_fit *fit = calibration->fit;
    double *column = dls_arena_get(
        fit->arena, (size_t)(timeline->batches * recording->batch) + 1, sizeof *column);
    struct dls_fit_op *op = &fit->op[fit->ops++];
    double hidden = dls_recording_hidden_s(recording) -
                    dls_recording_handover_s(recording);
    double sum = 0;

    table->row = dls_mem_new((size_t)(timeline->batches * recording->batch) + 1,
                             sizeof *table->row);
    table->place = NULL;
    table->rows = 0;
    for (int64_t b = 0; b < timeline->batches && timeline->batch[b].epoch == 0; b++) {
        const struct dls_recorded_batch *batch = &timeline->batch[b];
        int64_t since = batch->before_ns >= 0 ? batch->before_ns
                                              : timeline->batch[0].request_ns;
        int64_t window = recording->prefetch * recording->workers;

        if (recording->workers == 0)
            since = batch->request_ns;
        else if (b >= window && timeline->batch[b - window].arrive_ns > since)
            since = timeline->batch[b - window].arrive_ns;
        for (int64_t i = 0; i < recording->batch; i++) {
            table->row[table->rows] = (struct row){.id = -1, .n = 1};
            column[table->rows++] =
                (double)(batch->collate_ns > since ? batch->collate_ns - since : 0) *
                1e-9 * recording->rate / (double)recording->batch;
        }
    }
    for (int64_t r = 0; r < table->rows; r++)
        sum += column[r];
    if (recording->workers > 0 && hidden > 0 &&
        sum > 0) /* CPU seconds say how much of that time was work */
        for (int64_t r = 0; r < table->rows; r++)
            column[r] *= hidden * (double)timeline->batches / recording->slow / sum;
    *op = (struct dls_fit_op){
        .name = "fetch", .stage = "transform", .class = "numeric", .column = column};
    law_fit(table, column, op);
    dls_fit_missing(
        calibration, "transform.ops",
        "this recording has no spans of samples: one op 'fetch' stands for all",
        "a recording with spans inside the data set");
}

void dls_estimate_demand(struct dls_calibration *calibration)
{
    const struct dls_timeline *timeline =
        &calibration->recording[calibration->recordings - 1].timeline;
    struct dls_fit *fit = calibration->fit;
    struct table table;
    int64_t *ids;
    double *bytes;

    fit->op = dls_arena_get(fit->arena, DLS_CHAIN_MAX + 2, sizeof *fit->op);
    if (timeline->samples == 0) {
        hidden_fill(calibration, &table);
    } else {
        table_fill(calibration, &table);
        for (int op = 0; op < timeline->ops; op++)
            if (is_op(&timeline->op[op]))
                op_add(calibration, &table, op);
        overhead_add(calibration);
        reads_fit(calibration, &table);
    }
    ids = dls_arena_get(fit->arena, (size_t)table.rows, sizeof *ids);
    bytes = dls_arena_get(fit->arena, (size_t)table.rows, sizeof *bytes);
    for (int64_t r = 0; r < table.rows; r++) {
        ids[r] = table.row[r].id >= 0 ? table.row[r].id : r;
        bytes[r] = table.row[r].bytes;
        if (bytes[r] > 0)
            fit->bytes = bytes;
    }
    fit->rows = table.rows;
    fit->row_id = ids;
    if (fit->bytes == NULL)
        dls_fit_missing(
            calibration, "source.size", "no span says how many bytes a sample has",
            "a recording whose spans carry bytes, or the size in the scenario");
    dls_mem_free(table.row);
    dls_mem_free(table.place);
}
