/* errors.h: the finished answer of a validation: predicted beside measured, and
 * statistics of the signed errors.
 *
 * An error is signed: predicted against measured in percent, positive when the
 * prediction is too high; AU differs in points (100 x difference). What was not
 * measured or not predicted is NaN and left out of every statistic, and n says how many
 * remain. Owns everything in its arena. */
#ifndef DLS_SIM_RUN_ERRORS_H
#define DLS_SIM_RUN_ERRORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/mem.h"

/* Who predicts. */
enum dls_predictor {
    DLS_PREDICT_BLIND, /* the calibrated scenario with the row's settings */
    DLS_PREDICT_KNOWN, /* the same with host.speed so that simulated CPU seconds equal
                          the measured ones */
    DLS_PREDICT_BOUND, /* min(workers x single rate up to the cores, batch / step) */
    DLS_PREDICT_CONSTANT, /* always the mean of the row's group */
    DLS_PREDICTORS
};

/* What is compared. */
enum dls_quantity {
    DLS_QUANTITY_SAMPLES_PER_S,
    DLS_QUANTITY_AU,
    DLS_QUANTITY_EPOCH_S,
    DLS_QUANTITY_CPU_S,
    DLS_QUANTITIES
};

/* "samples_per_s" ...; static storage. */
const char *dls_quantity_text(enum dls_quantity quantity);
/* "blind", "known_speed", "min_of_rates", "constant". */
const char *dls_predictor_text(enum dls_predictor predictor);

/* Statistics of signed errors; NaN when n is 0. */
struct dls_error_summary {
    size_t n;
    double median, p90; /* of the magnitudes */
    double worst;       /* signed: the error of the largest magnitude */
    double bias;        /* signed median */
};

/* NaN entries of `error` are left out. Quantiles interpolate linearly between order
 * statistics. */
struct dls_error_summary dls_error_summarize(const double *error, size_t count);

/* Signed error in percent (points for AU); NaN when either is, or when `measured` is
 * not positive (AU: negative). */
double dls_error_of(enum dls_quantity quantity, double predicted, double measured);

/* Pooled relative standard deviation over repetitions, as a fraction. Values with the
 * same `configuration` are repetitions of each other: each set of n >= 2 gives n - 1
 * degrees of freedom and its squared deviations from its mean, divided by the squared
 * mean. With `absolute` they are not divided (AU). NaN without any repetition. NaN
 * values are left out. */
double dls_error_noise(const double *value, const int64_t *configuration, size_t count,
                       bool absolute);

/* One measured row. */
struct dls_error_case {
    const char *id, *family, *group,
        *axis; /* group "image.workers" has axis "workers" */
    int64_t
        configuration; /* equal for the repetitions of one configuration and epoch */
    int64_t repetition, epoch;
    const char *settings; /* columns that differ between rows: "workers=2 batch=32
                             step_ms=90" */
    long line;            /* in the table of outcomes */
    double measured[DLS_QUANTITIES];
    double predicted[DLS_PREDICTORS][DLS_QUANTITIES];
    double speed;        /* host.speed of DLS_PREDICT_KNOWN; NaN: none */
    const char *failure; /* why there is no prediction; NULL: there is one */
};

/* Statistics of a selection of rows: a group, an axis, or all. */
struct dls_error_group {
    const char *name;
    size_t cases, failed;
    double noise[DLS_QUANTITIES]; /* fraction */
    struct dls_error_summary of[DLS_PREDICTORS][DLS_QUANTITIES];
};

/* A recording simulated from a calibration on itself alone. */
struct dls_error_replay {
    const char *recording;
    int64_t batches;
    double measured_s,
        simulated_s; /* first request to the end of the last step, summed over epochs */
    double epoch;    /* signed error of it, % */
    double arrival;  /* median |error| of the batches' arrivals, % of the epoch */
    const char *failure;
};

/* What a limit of the cases file is about. */
enum dls_score {
    DLS_SCORE_REPLAY_EPOCH,
    DLS_SCORE_REPLAY_ARRIVAL,
    DLS_SCORE_KNOWN_SAMPLES,
    DLS_SCORE_KNOWN_AU,
    DLS_SCORE_BLIND_SAMPLES,
    DLS_SCORE_BLIND_AU,
    DLS_SCORES
};

/* "replay_epoch", "replay_arrival", "known_speed", "known_speed_au", "blind",
 * "blind_au". */
const char *dls_score_text(enum dls_score score);

/* Limits of one score in percent or points; NaN: none. */
struct dls_error_limit {
    double median, p90;
    double each; /* of every single row or recording */
};

/* One line of the judgement. */
struct dls_error_finding {
    enum dls_score score;
    const char
        *what; /* "median", "p90", "each", or the row or recording that breaks `each` */
    double limit, found;
    bool is_met;
};

struct dls_errors {
    struct dls_arena *arena;
    const char *name, *about, *cases_path;
    int64_t replications;
    struct dls_error_case *row;
    size_t rows;
    struct dls_error_group *group; /* in the order of the cases file */
    size_t groups;
    struct dls_error_group *axis; /* in the order of first use */
    size_t axes;
    struct dls_error_group all;
    struct dls_error_replay *replay;
    size_t replays;
    struct dls_error_summary replay_epoch, replay_arrival;
    struct dls_error_limit limit[DLS_SCORES];
    struct dls_error_finding *finding;
    size_t findings, unmet;
    size_t failures; /* rows and replays without a prediction */
};

void dls_errors_free(struct dls_errors *errors);

/* The signed error of a row. */
double dls_error_case_of(const struct dls_error_case *row, enum dls_predictor predictor,
                         enum dls_quantity quantity);

/* Fills the constant predictor, groups, axes, all, and the summaries of the replays
 * from rows and replays. */
void dls_errors_aggregate(struct dls_errors *errors);

/* Judges the limits over all rows and replays: fills findings, unmet and failures. For
 * the blind scores the noise counts where it is larger than the limit: one run cannot
 * be told better than another run of the same tells it. */
void dls_errors_judge(struct dls_errors *errors);

#endif
