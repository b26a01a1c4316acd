/* cases.h: the file that says what a validation compares: recordings to calibrate from,
 * measured outcomes, limits.
 *
 *   dlsim_cases: 1
 *   name: real_runs
 *   about: one sentence                      optional
 *   data: data                               folder of the files named below; relative
 *   to this file. Default: its folder
 *   micro: micro.csv                         optional: measurements of the host, part
 *   of every calibration
 *   outcomes: outcomes.csv                   one row a run and epoch; columns below.
 *   Optional when all families are replays
 *   replications: 3                          of each prediction; default 3
 *   paths:                                   column of the table: what-if path
 *     workers: loader.workers prefetch: {path: loader.prefetch, unless: {workers: 0}}
 *     not set in rows where that column has that text step_ms: {path:
 *     consumer.step.base, unit: ms}
 *     limit: {path: source.samples, skip: 0}           this value means: leave it alone
 *     warm_read: {path: run.start, values: {0: cold, 1: warm}}
 *   families:
 *     - {name: image, recordings: [image-w0, image-w2], groups: [image.workers,
 *     image.batch]} - {name: replay, type: replay, recordings: [image-w0, image-w2]}
 *   limits:                                  optional; fractions, AU as a fraction of 1
 *     known_speed: {median: 2 %, p90: 6 %}   replay_epoch, replay_arrival, known_speed,
 *     known_speed_au, blind, blind_au;
 *     replay_epoch: {each: 2 %}              keys median, p90, each
 *
 * Recording NAME is NAME.spans.csv[.gz] with NAME.batches.csv[.gz] and NAME.json beside
 * it. A what-if family calibrates from at most two recordings and predicts all rows of
 * its groups; a replay family calibrates from each recording alone and simulates that
 * same run. Columns of the table: id, group, rep, epoch, samples_per_s; where there:
 * au, epoch_s, cpu_user_s, cpu_sys_s, shutdown_s; and those of `paths`. Others are not
 * read. */
#ifndef DLS_SIM_RUN_CASES_H
#define DLS_SIM_RUN_CASES_H

#include <stdint.h>

#include "sim/base/diag.h"
#include "sim/base/mem.h"
#include "sim/base/status.h"
#include "sim/run/errors.h"

/* A column of the table of outcomes and the path that it sets. */
struct dls_case_path {
    const char *column;
    const char *path;
    const char *unit;                        /* added to the number; NULL: none */
    const char *skip;                        /* text that sets nothing; NULL: none */
    const char **from;                       /* texts of the column, */
    const char **to;                         /* and what each of them means */
    size_t values;                           /* 0: the text itself */
    const char *unless_column, *unless_text; /* NULL: always */
    struct dls_place place;
};

struct dls_case_family {
    const char *name;
    bool is_replay;
    const char **recording;
    size_t recordings;
    const char **group;
    size_t groups;
    struct dls_place place;
};

struct dls_cases {
    const char *path, *name, *about;
    const char *data;     /* folder, as it can be opened from here; "" is this folder */
    const char *micro;    /* path, or NULL */
    const char *outcomes; /* path, or NULL */
    int64_t replications;
    struct dls_case_path *column;
    size_t columns;
    struct dls_case_family *family;
    size_t families;
    struct dls_error_limit limit[DLS_SCORES];
};

/* Reads and checks the file into `arena`; `data` (may be NULL) replaces its folder of
 * data. All mistakes are reported. Files that it names are not opened. */
enum dls_status dls_cases_read(const char *path, const char *data,
                               struct dls_arena *arena, struct dls_diag *diag,
                               struct dls_cases *cases);

/* "folder/name" in `arena`; the name alone when the folder is "" or the name
 * absolute. */
const char *dls_cases_join(const char *folder, const char *name,
                           struct dls_arena *arena);

#endif
