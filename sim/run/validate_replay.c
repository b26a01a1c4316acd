#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/str.h"
#include "sim/graph/graph.h"
#include "sim/run/replay.h"
#include "sim/run/run.h"
#include "sim/run/validate_int.h"
#include "traces/trace.h"

/* Recorded runs beside simulations of the same runs. */

/* Simulates a replay scenario once and logs its batches. Returns NULL, or why not. */
static const char *simulate_once(const struct dls_validation *v, const char *path,
                                 struct dls_batch_log *log)
{
    static const struct dls_override once = {"run.replications", "1"};
    struct dls_diag *diag = dls_diag_new();
    struct dls_scenario *scenario = NULL;
    struct dls_outcome outcome = {0};
    const char *failure = NULL;
    enum dls_status status = dls_scenario_read(path, &once, 1, diag, &scenario);

    if (status == DLS_OK)
        status = dls_graph_check(scenario, diag);
    if (status == DLS_OK) {
        dls_run_once(scenario, 0, log, &outcome, NULL);
        if (outcome.end == DLS_END_DEADLOCK)
            failure = dls_status_text(DLS_EDEADLOCK);
        dls_outcome_release(&outcome);
    } else {
        failure = dls_validation_failure(v->arena, diag, status);
    }
    dls_scenario_free(scenario);
    dls_diag_free(diag);
    return failure;
}

static enum dls_status recorded_batches(const struct dls_validation *v,
                                        const char *name,
                                        struct dls_trace_batches *batches)
{
    struct dls_trace_db *db = NULL;
    struct dls_trace_list list = {0};
    enum dls_status status = dls_trace_db_open(v->database, v->diag, &db);

    if (status != DLS_OK)
        return status;
    status = dls_trace_list_read(db, v->diag, &list);
    if (status == DLS_OK) {
        const struct dls_trace_info *info = dls_trace_list_find(&list, name);

        DLS_REQUIRE(info != NULL, "recording %s was imported under another name", name);
        status = dls_trace_batches_read(db, info->trace, v->diag, batches);
        if (status == DLS_OK &&
            batches->count >
                0) /* the first request waits for the iterator's creation too */
            batches->data[0].request_ns = info->clock_offset_ns;
        dls_trace_list_release(&list);
    }
    dls_trace_db_close(db);
    return status;
}

static enum dls_status replay_one(struct dls_validation *v, const char *recording,
                                  struct dls_error_replay *replay)
{
    struct dls_trace_batches batches = {0};
    struct dls_batch_log log = {0};
    struct dls_str name;
    const char *scenario;
    enum dls_status status;

    dls_str_init(&name);
    dls_str_addf(&name, "replay-%s", recording);
    *replay = (struct dls_error_replay){
        .recording = recording, .epoch = NAN, .arrival = NAN};
    status = dls_validation_calibrate(v, name.data, &recording, 1, &scenario);
    dls_str_release(&name);
    if (status == DLS_OK)
        status = recorded_batches(v, recording, &batches);
    if (status != DLS_OK)
        return status;
    replay->failure = simulate_once(v, scenario, &log);
    if (replay->failure == NULL)
        dls_replay_compare(&batches, &log, v->arena, replay);
    dls_batch_log_release(&log);
    dls_trace_batches_release(&batches);
    dls_validation_advance(v);
    return DLS_OK;
}

enum dls_status dls_validation_replay(struct dls_validation *v)
{
    enum dls_status status = DLS_OK;

    for (size_t f = 0; f < v->cases.families; f++) {
        const struct dls_case_family *family = &v->cases.family[f];

        for (size_t r = 0;
             family->is_replay && r < family->recordings && status == DLS_OK; r++)
            status = replay_one(v, family->recording[r],
                                &v->errors->replay[v->errors->replays++]);
    }
    return status;
}
