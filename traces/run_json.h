/* run_json.h: the description of a recorded run, a JSON file beside its spans.
 *
 *   {"config": {"workers": 2, "batch": 32, "cold": false, ...},   how it ran; any keys,
 *   scalar values
 *    "host": {"name", "cpus", "memory_bytes", "kernel"},          optional, as is each
 *    of its keys
 *    "samples": 640,                                              measured results, all
 *    optional:
 *    "ref_ms": [1.91, 1.73],                                      reference before and
 *    after the run
 *    "epochs": [{"epoch": 0, "epoch_s": 1.91, "au": 0.2, ...}]}   any further keys,
 *    numbers
 *
 * Other keys, keys that occur twice, and values of other types are errors. null stands
 * for "not known" and gives no row; so does -1 in an epoch, which recordings write for
 * what they could not measure. The unit of a result follows from the end of its name:
 * _per_s 1/s, _s s, _ms ms, _bytes B, else 1. */
#ifndef DLS_TRACES_RUN_JSON_H
#define DLS_TRACES_RUN_JSON_H

#include <stddef.h>

#include "sim/base/diag.h"
#include "sim/base/mem.h"
#include "sim/base/status.h"
#include "traces/trace.h"

struct dls_run_json {
    struct dls_trace_config *config;
    size_t config_count;
    struct dls_trace_outcome *outcomes; /* repetition is config.rep, or 0 */
    size_t outcome_count;
    bool has_host;
    const char *host_name;     /* NULL: not known */
    int64_t host_cpus;         /* -1: not known */
    int64_t host_memory_bytes; /* -1: not known */
    const char *host_kernel;   /* NULL: not known */
    struct dls_arena *arena;   /* holds the texts */
};

/* Reads and checks the whole file (16 MiB at most). */
enum dls_status dls_run_json_read(const char *path, struct dls_diag *diag,
                                  struct dls_run_json *run);
void dls_run_json_release(struct dls_run_json *run);

#endif
