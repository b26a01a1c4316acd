/* trace.h: reads trace.db, the recordings of one host (tables: traces/schema.sql).
 *
 * A database is opened, its recordings are listed, and the rows of one recording are
 * loaded into plain arrays. Nothing in the file is trusted: application_id and
 * user_version are checked first, then every row as it is read; a bad row is an error
 * with file, table and row, and all bad rows (at most DLS_DIAG_MAX) are reported before
 * a reader gives up with DLS_EINPUT. A file that cannot be opened or read is DLS_EIO.
 *
 * It writes nothing (trace_write.h does) and interprets nothing: no unit of time but
 * nanoseconds, no outlier removed, order as recorded. Every reader fills a caller's
 * struct only on success; the caller releases it. Strings belong to that struct. One
 * handle serves one thread. */
#ifndef DLS_TRACES_TRACE_H
#define DLS_TRACES_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/diag.h"
#include "sim/base/mem.h"
#include "sim/base/status.h"

enum {
    DLS_TRACE_APPLICATION_ID = 0x646c7374, /* the bytes 'dlst' */
    DLS_TRACE_VERSION = 1 /* user_version of the schema this program reads and writes */
};

/* Stages of a span, with their spelling in recordings and in trace.db. The first
 * fourteen are those a simulation has too; the others occur in recordings only. */
#define DLS_SPAN_LIST(X)                                                               \
    X(DLS_SPAN_OPEN, "open")               /* path to open file */                     \
    X(DLS_SPAN_READ, "read")               /* bytes of one sample */                   \
    X(DLS_SPAN_DECODE, "decode")           /* one sample */                            \
    X(DLS_SPAN_TRANSFORM, "transform")     /* one op on one sample */                  \
    X(DLS_SPAN_COLLATE, "collate")         /* samples to one batch */                  \
    X(DLS_SPAN_PUT, "put")                 /* batch into the queue */                  \
    X(DLS_SPAN_UNPICKLE, "unpickle")       /* batch out of the queue */                \
    X(DLS_SPAN_PIN, "pin")                 /* copy to pinned memory */                 \
    X(DLS_SPAN_COPY, "copy")               /* host to device */                        \
    X(DLS_SPAN_WAIT, "wait")               /* loop blocked in next() */                \
    X(DLS_SPAN_STEP, "step")               /* one training step */                     \
    X(DLS_SPAN_REDUCE, "reduce")           /* collective */                            \
    X(DLS_SPAN_CHECKPOINT, "checkpoint")   /* writing a checkpoint */                  \
    X(DLS_SPAN_START, "start")             /* of an iterator or a worker */            \
    X(DLS_SPAN_READ_DECODE, "read+decode") /* both in one call */                      \
    X(DLS_SPAN_FETCH, "fetch")             /* whole batch in a worker */               \
    X(DLS_SPAN_GET, "get")                 /* worker waits for a task */               \
    X(DLS_SPAN_EXIT, "exit")               /* of an iterator or a worker */            \
    X(DLS_SPAN_PROCESS, "process")         /* whole life: its CPU time */

enum dls_span_stage {
#define X(name, text) name,
    DLS_SPAN_LIST(X)
#undef X
        DLS_SPAN_STAGES
};

/* The spelling above; static storage. */
const char *dls_span_stage_name(enum dls_span_stage stage);

/* The stage spelled `name` (`bytes` long, not terminated), or DLS_SPAN_STAGES. */
enum dls_span_stage dls_span_stage_find(const char *name, size_t bytes);

/* ---- database and its recordings ---- */

struct dls_trace_db;

/* Opens an existing database for reading. The caller closes it; `path` is copied. */
enum dls_status dls_trace_db_open(const char *path, struct dls_diag *diag,
                                  struct dls_trace_db **db);
void dls_trace_db_close(struct dls_trace_db *db);
const char *dls_trace_db_path(const struct dls_trace_db *db);

struct dls_trace_config {
    const char *key;
    const char *value;
};

/* One recording. Texts are never NULL unless said so. */
struct dls_trace_info {
    int64_t trace; /* its number: the key of all readers below */
    const char *name;
    const char *tool;
    const char *tool_version; /* NULL: not known */
    int64_t importer_version;
    const char *file_name;
    int64_t file_bytes;
    uint64_t file_hash;
    const char *clock; /* monotonic, realtime, relative or none */
    bool joined; /* batches came on another clock and were shifted by clock_offset_ns */
    int64_t clock_offset_ns;
    const char *host_name;     /* NULL: not known */
    int64_t host_cpus;         /* -1: not known */
    int64_t host_memory_bytes; /* -1: not known */
    const char *host_kernel;   /* NULL: not known */
    struct dls_trace_config *config;
    size_t config_count; /* sorted by key */
};

/* All recordings of a database, by ascending number. */
struct dls_trace_list {
    struct dls_trace_info *data;
    size_t count;
    struct dls_arena *arena;
};

enum dls_status dls_trace_list_read(struct dls_trace_db *db, struct dls_diag *diag,
                                    struct dls_trace_list *list);
void dls_trace_list_release(struct dls_trace_list *list);

/* The recording of that name, the first when several share it; NULL when there is none.
 * Borrowed. */
const struct dls_trace_info *dls_trace_list_find(const struct dls_trace_list *list,
                                                 const char *name);

/* The value of a configuration key, NULL when the recording does not have it.
 * Borrowed. */
const char *dls_trace_config_get(const struct dls_trace_info *info, const char *key);

/* ---- spans ---- */

/* One interval on a thread. 64 bytes. */
struct dls_span {
    int64_t start_ns;
    int64_t dur_ns;
    int64_t cpu_ns; /* CPU time of the thread; may exceed dur_ns by the clocks'
                       resolution. -1: not recorded */
    int64_t bytes;  /* -1: not recorded */
    int32_t epoch;  /* -1: not labelled */
    int32_t batch;  /* -1: not labelled */
    int32_t sample; /* -1: not labelled */
    int32_t worker; /* -1: the training process */
    int32_t pid;
    int32_t tid;
    int32_t rank;
    uint16_t op;   /* index into the op names given with the spans */
    uint8_t stage; /* enum dls_span_stage */
};

/* The spans of one recording in the order of the recording's file, and the names of
 * their ops by first use. */
struct dls_trace_spans {
    struct dls_span *data;
    size_t count;
    const char **ops;
    size_t ops_count;
    struct dls_arena *arena; /* holds the names */
};

/* A recording without spans (or an unknown number) gives count 0 and DLS_OK. */
enum dls_status dls_trace_spans_read(struct dls_trace_db *db, int64_t trace,
                                     struct dls_diag *diag,
                                     struct dls_trace_spans *spans);
void dls_trace_spans_release(struct dls_trace_spans *spans);

/* The index of an op name, or -1. */
int dls_trace_spans_op(const struct dls_trace_spans *spans, const char *op);

/* Called for each good span of a recording, in order; `op` is its name, valid during
 * the call (equal ops of one recording have equal span->op). Must not use the
 * database. */
typedef void (*dls_span_visit)(void *context, const struct dls_span *span,
                               const char *op);

/* The same without an array, for recordings that do not fit: memory does not grow with
 * the number of spans. When it returns DLS_EINPUT, good spans before and between the
 * bad rows were visited. */
enum dls_status dls_trace_spans_each(struct dls_trace_db *db, int64_t trace,
                                     struct dls_diag *diag, dls_span_visit visit,
                                     void *context);

/* ---- batches ---- */

/* request_ns <= arrive_ns <= done_ns, on the clock of the spans. */
struct dls_trace_batch {
    int64_t request_ns;
    int64_t arrive_ns;
    int64_t done_ns;
    int32_t rank;
    int32_t epoch;
    int32_t batch;
};

/* Ordered by rank, epoch, batch. */
struct dls_trace_batches {
    struct dls_trace_batch *data;
    size_t count;
};

enum dls_status dls_trace_batches_read(struct dls_trace_db *db, int64_t trace,
                                       struct dls_diag *diag,
                                       struct dls_trace_batches *batches);
void dls_trace_batches_release(struct dls_trace_batches *batches);

/* ---- host measurements, outcomes, gaps: in the order of the file ---- */

struct dls_trace_micro {
    const char *test;   /* "rate", "cpu_per_op", "sleep_overshoot", "fork", ... */
    const char *class_; /* what was run: "decode", "copy64MiB", ... */
    int64_t n;          /* processes at once, or repeats behind a median */
    int32_t repetition; /* from 0, among rows of the same test, class, n and unit */
    double value;
    const char *unit; /* unit of value */
};

struct dls_trace_micros {
    struct dls_trace_micro *data;
    size_t count;
    struct dls_arena *arena;
};

enum dls_status dls_trace_micros_read(struct dls_trace_db *db, int64_t trace,
                                      struct dls_diag *diag,
                                      struct dls_trace_micros *micros);
void dls_trace_micros_release(struct dls_trace_micros *micros);

/* A measured result of the recorded run: to compare with, never to calibrate from. */
struct dls_trace_outcome {
    const char *metric;
    double value;
    const char *unit; /* "s", "ms", "B", "1/s", "1" */
    int32_t epoch;    /* -1: of the whole run */
    int32_t repetition;
};

struct dls_trace_outcomes {
    struct dls_trace_outcome *data;
    size_t count;
    struct dls_arena *arena;
};

enum dls_status dls_trace_outcomes_read(struct dls_trace_db *db, int64_t trace,
                                        struct dls_diag *diag,
                                        struct dls_trace_outcomes *outcomes);
void dls_trace_outcomes_release(struct dls_trace_outcomes *outcomes);

/* Something the recording cannot tell. */
struct dls_trace_gap {
    const char *code;   /* short name, listed in traces/gaps.h */
    const char *text;   /* what is missing, with numbers */
    const char *remedy; /* the recording that would supply it */
};

struct dls_trace_gaps {
    struct dls_trace_gap *data;
    size_t count;
    struct dls_arena *arena;
};

enum dls_status dls_trace_gaps_read(struct dls_trace_db *db, int64_t trace,
                                    struct dls_diag *diag, struct dls_trace_gaps *gaps);
void dls_trace_gaps_release(struct dls_trace_gaps *gaps);

#endif
