/* gaps.c: finds what a recording cannot tell. See gaps.h. */
#include "traces/gaps.h"

#include <inttypes.h>

#include "sim/base/str.h"

void dls_gaps_see(struct dls_gaps_seen *seen, const struct dls_span *span)
{
    enum dls_span_stage stage = (enum dls_span_stage)span->stage;
    bool read = stage == DLS_SPAN_READ || stage == DLS_SPAN_READ_DECODE;
    bool sample = read || stage == DLS_SPAN_DECODE || stage == DLS_SPAN_TRANSFORM;
    /* Waiting for a task, starting and ending belong to no batch. */
    bool idle = stage == DLS_SPAN_GET || stage == DLS_SPAN_START ||
                stage == DLS_SPAN_EXIT || stage == DLS_SPAN_PROCESS;

    seen->stages[stage]++;
    seen->spans++;
    seen->in_workers += span->worker >= 0;
    seen->without_cpu += span->cpu_ns < 0;
    seen->reads += read;
    seen->reads_without_bytes += read && span->bytes < 0;
    seen->per_sample += sample;
    seen->without_sample += sample && span->sample < 0;
    seen->for_batches += span->worker >= 0 && !idle;
    seen->workers_without_batch += span->worker >= 0 && !idle && span->batch < 0;
}

enum gap {
    NO_BATCHES,
    NO_CONFIG,
    NO_HOST,
    NO_STAGES,
    NO_WAIT,
    NO_STEP,
    NO_FETCH,
    NO_QUEUE,
    NO_GET,
    NO_UNPICKLE,
    NO_START,
    NO_PROCESS_CPU,
    NO_CPU,
    NO_BYTES,
    UNLABELLED_SAMPLE,
    UNLABELLED_BATCH,
    JOINT_READ,
    GAP_COUNT
};

#define FULL_RECORDING "a recording made by 'dlsim record'"

/* Texts of gaps that are a share of something follow its numbers: "12 of 40 spans
 * ...". */
static const struct dls_trace_gap texts[GAP_COUNT] = {
    [NO_BATCHES] = {"no_batches",
                    "no batch times: request, arrival and end of step of the batches "
                    "are not known",
                    "the batches file of the same run"},
    [NO_CONFIG] = {"no_config",
                   "no configuration: workers, prefetch, batch size and cache state "
                   "are not known",
                   "the configuration file of the same run"},
    [NO_HOST] = {"no_host",
                 "no host facts: CPUs, memory and kernel of the host are not known",
                 FULL_RECORDING},
    [NO_STAGES] = {"no_stages",
                   "only the training loop was recorded: the stages inside the loader "
                   "are not known",
                   "a recording with 1 and with 2 workers or threads, fitted by their "
                   "batch times"},
    [NO_WAIT] = {"no_wait",
                 "no 'wait' spans: the time the training loop is blocked is not known",
                 "a recording that wraps next() of the loader"},
    [NO_STEP] = {"no_step",
                 "no 'step' spans: the length of a training step is not known",
                 "a recording of the training loop"},
    [NO_FETCH] =
        {"no_fetch",
         "no 'fetch' spans: a whole batch in a worker is seen only through its parts",
         FULL_RECORDING},
    [NO_QUEUE] = {"no_queue",
                  "no 'put' spans: pickling and the queue are seen only as part of the "
                  "time from the end of collate to the arrival",
                  FULL_RECORDING},
    [NO_GET] = {"no_get",
                "no 'get' spans: a worker's wait for its next task cannot be told from "
                "other gaps between its batches",
                FULL_RECORDING},
    [NO_UNPICKLE] = {"no_unpickle",
                     "no 'unpickle' spans: rebuilding a batch in the training process "
                     "is seen only as CPU time of 'wait'",
                     FULL_RECORDING},
    [NO_START] = {"no_start",
                  "no 'start' spans: iterator creation and start of workers are seen "
                  "only as the time to the first span of each worker",
                  FULL_RECORDING},
    [NO_PROCESS_CPU] =
        {"no_process_cpu",
         "no 'process' spans: CPU time outside the recorded spans is not known",
         FULL_RECORDING},
    [NO_CPU] = {"no_cpu",
                "spans without CPU time: demand and waiting are not separated there",
                "a recording with the thread's CPU clock"},
    [NO_BYTES] = {"no_bytes",
                  "reads without bytes: cost per byte cannot be fitted from them",
                  "a recording whose reader reports sizes"},
    [UNLABELLED_SAMPLE] =
        {"unlabelled_sample",
         "spans of a single sample do not name it: demands cannot be bound to samples",
         "a recording with the index of the sample"},
    [UNLABELLED_BATCH] = {"unlabelled_batch",
                          "spans in workers do not name their batch: batches are told "
                          "apart by 'collate' only",
                          FULL_RECORDING},
    [JOINT_READ] = {"joint_read",
                    "'read+decode' spans: storage and decoding are not separated",
                    "a recording of the same files cold and warm"},
};

/* Part of a whole; `of` 0 when the gap is no share. */
struct share {
    int64_t missing;
    int64_t of;
};

static enum dls_status write_gap(struct dls_trace_writer *writer, enum gap which,
                                 struct share share)
{
    struct dls_trace_gap gap = texts[which];
    struct dls_str text;
    enum dls_status status;

    dls_str_init(&text);
    if (share.of > 0)
        dls_str_addf(&text, "%" PRId64 " of %" PRId64 " ", share.missing, share.of);
    dls_str_add(&text, gap.text);
    gap.text = text.data;
    status = dls_trace_put_gap(writer, &gap);
    dls_str_release(&text);
    return status;
}

enum dls_status dls_gaps_write(const struct dls_gaps_seen *seen,
                               struct dls_trace_writer *writer, int64_t *count)
{
    const int64_t *stages = seen->stages;
    bool workers = seen->in_workers > 0;
    const struct share shares[GAP_COUNT] = {
        [NO_CPU] = {seen->without_cpu, seen->spans},
        [NO_BYTES] = {seen->reads_without_bytes, seen->reads},
        [UNLABELLED_SAMPLE] = {seen->without_sample, seen->per_sample},
        [UNLABELLED_BATCH] = {seen->workers_without_batch, seen->for_batches},
    };
    const bool found[GAP_COUNT] = {
        [NO_BATCHES] = !seen->batches,
        [NO_CONFIG] = !seen->config,
        [NO_HOST] = !seen->host,
        [NO_STAGES] = seen->spans == stages[DLS_SPAN_WAIT] + stages[DLS_SPAN_STEP],
        [NO_WAIT] = stages[DLS_SPAN_WAIT] == 0,
        [NO_STEP] = stages[DLS_SPAN_STEP] == 0,
        [NO_FETCH] = workers && stages[DLS_SPAN_FETCH] == 0,
        [NO_QUEUE] = workers && stages[DLS_SPAN_PUT] == 0,
        [NO_GET] = workers && stages[DLS_SPAN_GET] == 0,
        [NO_UNPICKLE] = workers && stages[DLS_SPAN_UNPICKLE] == 0,
        [NO_START] = workers && stages[DLS_SPAN_START] == 0,
        [NO_PROCESS_CPU] = stages[DLS_SPAN_PROCESS] == 0,
        [JOINT_READ] = stages[DLS_SPAN_READ_DECODE] > 0,
    };
    enum dls_status status = DLS_OK;
    int64_t written = 0;

    for (int i = 0; status == DLS_OK && i < GAP_COUNT; i++) {
        if (!found[i] && shares[i].missing == 0)
            continue;
        status = write_gap(writer, (enum gap)i, shares[i]);
        written++;
    }
    if (status == DLS_OK)
        *count = written;
    return status;
}
