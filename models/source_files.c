/* source.files: one file a sample, in an order of each epoch.
 *
 * Sizes come from the calibrated table (column "bytes", unless it is zero in every row:
 * the recording did not see file bytes), a list or a law. Orders:
 * shuffle (a new permutation each epoch, a keyed bijection, no array), sequential,
 * replacement (each position drawn anew), recorded (the rows of the table, which stand
 * in the order of the recording). With several ranks, rank r takes positions r, r +
 * ranks, ... of the epoch, as DistributedSampler does with drop_last. A sample is bound
 * to one row of the table for the run: row = sample when the table covers the data set
 * in recorded order, else a random row of the replication, each equally often. Tested
 * by: bijectivity, shares of ranks, binding (tests/unit/test_models.c). */
#include <inttypes.h>
#include <stdio.h>

#include "sim/model.h"

enum { ORDER_SHUFFLE, ORDER_SEQUENTIAL, ORDER_REPLACEMENT, ORDER_RECORDED };

static const char *const orders[] = {"shuffle", "sequential", "replacement", "recorded",
                                     NULL};
static const char *const formats[] = {"files", NULL};

struct conf {
    int64_t samples;
    int format;
    int order;
    const struct dls_samples *table;
    struct dls_law size;
};

struct state {
    int64_t samples;
    int64_t in_rank;
    const double *bytes; /* by row of the table; NULL: sizes follow the law */
    uint64_t order_key, row_key;
};

static const struct dls_param params[] = {
    {.key = "samples",
     .type = DLS_PARAM_COUNT,
     .offset = offsetof(struct conf, samples),
     .preset = "0",
     .min = 0,
     .max = 1e12,
     .flags = DLS_PARAM_CALIBRATED,
     .help = "samples of the data set; 0: as many as the calibrated table has rows"},
    {.key = "format",
     .type = DLS_PARAM_CHOICE,
     .offset = offsetof(struct conf, format),
     .preset = "files",
     .choices = formats,
     .help = "how the samples are stored"},
    {.key = "order",
     .type = DLS_PARAM_CHOICE,
     .offset = offsetof(struct conf, order),
     .preset = "shuffle",
     .choices = orders,
     .help = "order of samples in an epoch"},
    {.key = "table",
     .type = DLS_PARAM_SAMPLES,
     .offset = offsetof(struct conf, table),
     .flags = DLS_PARAM_OPTIONAL | DLS_PARAM_CALIBRATED,
     .help = "table of recorded samples: bytes and demands of each"},
    {.key = "size",
     .type = DLS_PARAM_LAW,
     .unit = DLS_UNIT_BYTES,
     .offset = offsetof(struct conf, size),
     .preset = "100 kB",
     .min = 0,
     .max = 1e15,
     .help =
         "stored size of a sample where no table tells it; an empirical law with as "
         "many values as samples is a list, in order"},
    {0},
};

/* Bytes and seconds beyond this would leave what the engine can count. */
static const double table_max = 1e15;

static void table_check(const struct dls_samples *table, struct dls_checker *checker)
{
    char text[256];

    for (size_t i = 0; i < table->columns; i++)
        for (int64_t row = 0; row < table->rows; row++)
            if (table->column[i].values[row] > table_max) {
                snprintf(text, sizeof text,
                         "line %" PRId64 " of the table: '%.64s' must be at most %g, "
                         "found %g",
                         row + 2, table->column[i].name, table_max,
                         table->column[i].values[row]);
                checker->error(checker, "table", text);
                return;
            }
}

static void check(const void *conf_, struct dls_checker *checker)
{
    const struct conf *conf = conf_;

    if (conf->table != NULL)
        table_check(conf->table, checker);
    if (conf->samples == 0 && conf->table == NULL)
        checker->error(checker, "samples",
                       "'samples' must be at least 1 without a table, found 0");
    if (conf->order == ORDER_RECORDED && conf->table == NULL)
        checker->error(checker, "order",
                       "order 'recorded' needs a table of recorded samples");
}

/* The column of sizes; NULL when the table has none or knows none. */
static const double *known_bytes(const struct dls_samples *table)
{
    const double *bytes = table != NULL ? dls_samples_find(table, "bytes") : NULL;

    for (int64_t row = 0; bytes != NULL && row < table->rows; row++)
        if (bytes[row] > 0)
            return bytes;
    return NULL;
}

static void init(struct dls_model *source)
{
    const struct conf *conf = DLS_CONF(source);
    struct state *state = DLS_STATE(source);

    state->samples = conf->samples ? conf->samples : conf->table->rows;
    state->in_rank = state->samples / source->ranks;
    state->bytes = known_bytes(conf->table);
    state->order_key = dls_hash_add(source->key, 1);
    state->row_key = dls_hash_add(source->key, 2);
}

static int64_t samples(struct dls_model *source)
{
    return DLS_STATE(source)->in_rank;
}

static int64_t at(struct dls_model *source, int64_t epoch, int64_t position)
{
    const struct state *state = DLS_STATE(source);
    uint64_t global = (uint64_t)(position * source->ranks + source->rank);
    uint64_t key = dls_hash_add(state->order_key, (uint64_t)epoch);
    struct dls_rng rng;

    switch (DLS_CONF(source)->order) {
    case ORDER_SHUFFLE:
        return (int64_t)dls_rng_permute(key, global, (uint64_t)state->samples);
    case ORDER_REPLACEMENT:
        rng = dls_rng_of(dls_hash_add(key, global));
        return (int64_t)dls_rng_below(&rng, (uint64_t)state->samples);
    default:
        return (int64_t)global;
    }
}

static int64_t row(struct dls_model *source, int64_t sample)
{
    const struct conf *conf = DLS_CONF(source);
    const struct state *state = DLS_STATE(source);
    uint64_t rows;

    if (conf->table == NULL)
        return -1;
    rows = (uint64_t)conf->table->rows;
    if (conf->order == ORDER_RECORDED || (int64_t)rows == state->samples)
        return (int64_t)((uint64_t)sample % rows);
    return (int64_t)dls_rng_permute(state->row_key, (uint64_t)sample % rows, rows);
}

/* Stored size of a sample: from the table, from a list with one value a sample, or
 * drawn once for the run. */
static double stored_bytes(struct dls_model *source, int64_t sample, int64_t table_row)
{
    const struct state *state = DLS_STATE(source);
    const struct dls_law *size = &DLS_CONF(source)->size;
    struct dls_rng rng;

    if (state->bytes != NULL)
        return state->bytes[table_row];
    if (size->kind == DLS_LAW_EMPIRICAL && (int64_t)size->count == state->samples)
        return size->values[sample];
    rng = dls_rng_of(dls_rng_at(source->key, (uint64_t)sample, 0, 0));
    return dls_law_draw(size, &rng, 0);
}

static void extent(struct dls_model *source, int64_t sample, int64_t table_row,
                   struct dls_extent *extent)
{
    *extent = (struct dls_extent){
        .file = sample,
        .bytes = (int64_t)stored_bytes(source, sample, table_row),
        .opens = true};
}

static const struct dls_samples *table(struct dls_model *source)
{
    return DLS_CONF(source)->table;
}

const struct dls_source_kind dls_source_files = {
    .kind =
        {
            .abi = DLS_MODEL_ABI,
            .role = DLS_ROLE_SOURCE,
            .name = "source.files",
            .summary = "one file a sample: sizes from a calibrated table or a law",
            .params = params,
            .conf_size = sizeof(struct conf),
            .state_size = sizeof(struct state),
            .check = check,
            .init = init,
        },
    .samples = samples,
    .at = at,
    .row = row,
    .extent = extent,
    .table = table,
};
