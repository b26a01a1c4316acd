/* calib_int.h: the state of a calibration, shared by its estimators. */
#ifndef DLS_CALIB_CALIB_INT_H
#define DLS_CALIB_CALIB_INT_H

#include "calib/calibrate.h"
#include "calib/timeline.h"

/* One recording with what its configuration says. */
struct dls_recording {
    const struct dls_trace_info *info;
    struct dls_timeline timeline;
    int64_t workers, prefetch, batch, cores;
    double step_s;
    /* CPU seconds of main and workers during the epochs, without the end of the
     * workers; NaN: not recorded. */
    double cpu_s;
    double shutdown_s; /* time of dropping the iterator; NaN: not recorded */
    /* Mean CPU of a sample outside first batches, seconds, and how much of it is
     * slow-down by a busy sibling. */
    double level_s, slow;
    /* Part of the clock's time that a further runnable thread computes, beside workers
     * that keep the processors busy. */
    double rate;
    /* Factor that brings the recording's CPU times to the reference speed. */
    double scale;
};

struct dls_calibration {
    const struct dls_calibrate_options *options;
    struct dls_diag *diag;
    struct dls_trace_db *db;
    struct dls_trace_list list;
    struct dls_recording *recording;
    size_t recordings;
    struct dls_fit *fit;
    double yield; /* work of two busy processors against one */
};

/* fit.c: builds the answer. Texts are printf-style where `from` is formatted by the
 * caller. */
void dls_fit_add(struct dls_calibration *calibration, const char *section,
                 const char *key, enum dls_unit unit, const double *values,
                 size_t count, const char *from);
void dls_fit_set(struct dls_calibration *calibration, const char *section,
                 const char *key, enum dls_unit unit, double value, int64_t n,
                 const char *from);
void dls_fit_missing(struct dls_calibration *calibration, const char *parameter,
                     const char *reason, const char *recording);

/* Estimators, in the order in which they are run. */
void dls_estimate_host(
    struct dls_calibration *calibration); /* yield, and each recording's scale */
void dls_estimate_nominal(
    struct dls_calibration *calibration); /* the host's usual speed */
void dls_estimate_demand(struct dls_calibration *calibration); /* table, ops, reads */
void dls_estimate_start(
    struct dls_calibration *calibration); /* iterator, workers, first batch */
void dls_estimate_transport(
    struct dls_calibration *calibration); /* collate, hand-over, main's part */
void dls_estimate_step(
    struct dls_calibration *calibration); /* the training loop's step */

/* Time of the recording from the start of its first epoch to the end of its last batch,
 * seconds. */
double dls_recording_wall_s(const struct dls_recording *recording);

/* CPU per batch of a recording that no span shows: feeders, descriptor servers, and,
 * where samples have no spans, their fetch. NaN when CPU seconds are not recorded. */
double dls_recording_hidden_s(const struct dls_recording *recording);

/* Demand of a batch's hand-over beside the training loop's own CPU, seconds; NaN
 * without workers. */
double dls_recording_handover_s(const struct dls_recording *recording);

/* Median pause of a worker whose next task was waiting, seconds of demand; NaN: none
 * seen. */
double dls_recording_pause_s(const struct dls_recording *recording);

/* Python between the spans of all samples, seconds of demand. */
double dls_recording_gaps_s(const struct dls_recording *recording);

/* Is batch `index` the first one of its worker's life (or of the run, with 0
 * workers)? */
bool dls_is_first_batch(const struct dls_recording *recording, int64_t index);

#endif
