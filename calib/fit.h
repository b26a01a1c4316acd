/* fit.h: the result of a calibration, read by the parameter writer, reports and plots.
 *
 * Every value says where it comes from and how sure it is; what the recordings cannot
 * identify is listed, never invented. Owns everything in its arena. */
#ifndef DLS_CALIB_FIT_H
#define DLS_CALIB_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/mem.h"
#include "sim/base/units.h"

/* A recording that the calibration read. */
struct dls_fit_recording {
    const char *name;
    const char *file;
    uint64_t hash;
    int64_t workers, batches, samples;
};

/* One parameter of a scenario section, "loader.collate.fixed". */
struct dls_fit_value {
    const char *section; /* "loader" */
    const char *key;     /* "collate.fixed" */
    enum dls_unit unit;
    double value, low,
        high;         /* 95 % interval; NaN where one observation gave the value */
    int64_t n;        /* observations */
    const char *from; /* recordings and rows, in words */
};

/* One op of the chain. */
struct dls_fit_op {
    const char *name;
    const char *stage, *class;
    bool interpreter;
    bool random;
    double a_s, b_s_per_byte; /* affine law in stored bytes; b is 0 where bytes explain
                                 nothing */
    double mean_s, low_s, high_s;
    double residual_cv; /* of the affine law */
    int64_t n;
    const double *column; /* demand by row, seconds */
};

struct dls_fit_missing {
    const char *parameter;
    const char *reason;
    const char *recording; /* what would supply it */
};

struct dls_fit {
    struct dls_arena *arena;
    const char *name;
    const char *database;
    struct dls_fit_recording *recording;
    size_t recordings;
    struct dls_fit_value *value;
    size_t values;
    struct dls_fit_op *op;
    size_t ops;
    int64_t
        rows; /* of the sample table, in order of delivery of the replayed recording */
    const int64_t *row_id; /* sample of the data set, or the position where samples are
                              not labelled */
    const double *bytes;   /* stored bytes by row; NULL: not recorded */
    struct dls_fit_missing *missing;
    size_t missings;
    /* The run that the written scenario replays: configuration of the last recording
     * named. */
    int64_t workers, prefetch, batch, epochs, cores;
    bool in_order, persistent, drop_last;
    double step_s;
    const char *loader; /* "loader.pytorch" */
};

void dls_fit_free(struct dls_fit *fit);

#endif
