#include "calib/calibrate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calib/calib_int.h"

/* ------------------------------------------------------------------ recordings */

static bool config_flag(const struct dls_trace_info *info, const char *key,
                        bool missing)
{
    const char *text = dls_trace_config_get(info, key);

    if (text == NULL)
        return missing;
    return strcmp(text, "true") == 0 || strtod(text, NULL) != 0;
}

static void place_error(struct dls_calibration *calibration,
                        const struct dls_trace_info *info, const char *format,
                        const char *a, const char *b)
{
    struct dls_place place = {.file = dls_trace_db_path(calibration->db),
                              .table = "trace",
                              .row = info ? info->trace : 0};

    dls_diag_error(calibration->diag,
                   info ? &place : &(struct dls_place){.file = place.file}, format, a,
                   b);
}

/* The only measured results that a calibration reads: how long dropping the iterator
 * took, and the CPU seconds that the operating system counted for the run, less that
 * time, which follows the last epoch. */
static void cpu_read(struct dls_calibration *calibration,
                     struct dls_recording *recording)
{
    struct dls_trace_outcomes outcomes = {0};
    double cpu = 0, shutdown = 0;
    int64_t shutdowns = 0;
    bool is_known = false;

    recording->cpu_s = recording->shutdown_s = NAN;
    if (dls_trace_outcomes_read(calibration->db, recording->info->trace,
                                calibration->diag, &outcomes) != DLS_OK)
        return;
    for (size_t i = 0; i < outcomes.count; i++) {
        const struct dls_trace_outcome *outcome = &outcomes.data[i];

        if (strcmp(outcome->metric, "cpu_user_s") == 0 ||
            strcmp(outcome->metric, "cpu_sys_s") == 0) {
            cpu += outcome->value;
            is_known = true;
        } else if (strcmp(outcome->metric, "shutdown_s") == 0) {
            shutdown += outcome->value;
            shutdowns++;
        }
    }
    dls_trace_outcomes_release(&outcomes);
    if (is_known)
        recording->cpu_s = cpu - shutdown;
    if (shutdowns > 0)
        recording->shutdown_s = shutdown / (double)shutdowns;
}

/* A number of the configuration, from `least`, whole where that is 1. `*value` is left
 * alone when the key is absent and not required. */
static enum dls_status config_number(struct dls_calibration *calibration,
                                     const struct dls_trace_info *info, const char *key,
                                     int least, bool is_required, double *value)
{
    const char *text = dls_trace_config_get(info, key);
    struct dls_place place = {.file = dls_trace_db_path(calibration->db),
                              .table = "trace",
                              .row = info->trace};
    char *end;
    double number;

    if (text == NULL && !is_required)
        return DLS_OK;
    if (text == NULL) {
        dls_diag_error(calibration->diag, &place,
                       "recording '%s' has no '%s' in its configuration", info->name,
                       key);
        return DLS_EINPUT;
    }
    number = strtod(text, &end);
    if (end == text || *end != '\0' || !(number >= least && number <= INT32_MAX) ||
        (least == 1 && number != floor(number))) {
        dls_diag_error(calibration->diag, &place,
                       "recording '%s': '%s' in its configuration must be a %snumber "
                       "from %d to %d, found '%s'",
                       info->name, key, least == 1 ? "whole " : "", least, INT32_MAX,
                       text);
        return DLS_EINPUT;
    }
    *value = number;
    return DLS_OK;
}

static enum dls_status config_read(struct dls_calibration *calibration,
                                   const struct dls_trace_info *info,
                                   struct dls_recording *recording)
{
    double batch = 0, cores = 0, prefetch = 2, step_ms = 0;
    bool is_good = true;

    is_good &= config_number(calibration, info, "batch", 1, true, &batch) == DLS_OK;
    is_good &= config_number(calibration, info, "cores", 1, true, &cores) == DLS_OK;
    is_good &= config_number(calibration, info, "prefetch", 1, false, &prefetch) ==
               DLS_OK;
    is_good &= config_number(calibration, info, "step_ms", 0, false, &step_ms) ==
               DLS_OK;
    recording->batch = (int64_t)batch;
    recording->cores = (int64_t)cores;
    recording->prefetch = (int64_t)prefetch;
    recording->step_s = step_ms * 1e-3;
    return is_good ? DLS_OK : DLS_EINPUT;
}

static enum dls_status recording_read(struct dls_calibration *calibration,
                                      const struct dls_trace_info *info)
{
    struct dls_recording *recording = &calibration->recording[calibration->recordings];
    enum dls_status status = dls_timeline_read(calibration->db, info, calibration->diag,
                                               &recording->timeline);

    if (status != DLS_OK)
        return status;
    calibration->recordings++;
    recording->info = info;
    recording->workers = recording->timeline.workers;
    cpu_read(calibration, recording);
    status = config_read(calibration, info, recording);
    if (recording->timeline.batch[0].request_ns < 0) {
        place_error(calibration, info, "recording '%s' has no %s at the training loop",
                    info->name, "batch times");
        status = DLS_EINPUT;
    }
    return status;
}

/* Recordings of different data sets or loaders cannot be pooled. */
static enum dls_status recordings_agree(struct dls_calibration *calibration)
{
    static const char *const keys[] = {"domain", "loader", "format"};
    const struct dls_trace_info *last =
        calibration->recording[calibration->recordings - 1].info;

    for (size_t r = 0; r < calibration->recordings; r++)
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
            const char *one = dls_trace_config_get(calibration->recording[r].info,
                                                   keys[k]);
            const char *two = dls_trace_config_get(last, keys[k]);

            if (strcmp(one ? one : "", two ? two : "") != 0) {
                place_error(calibration, calibration->recording[r].info,
                            "recordings '%s' and '%s' are of different data: choose "
                            "one family with --recording",
                            calibration->recording[r].info->name, last->name);
                return DLS_EINPUT;
            }
        }
    return DLS_OK;
}

static enum dls_status recordings_read(struct dls_calibration *calibration)
{
    const struct dls_calibrate_options *options = calibration->options;
    enum dls_status status = DLS_OK;

    calibration->recording = dls_mem_new(calibration->list.count +
                                             options->recording_count + 1,
                                         sizeof *calibration->recording);
    for (size_t i = 0; options->recordings != NULL && i < options->recording_count &&
                       status == DLS_OK;
         i++) {
        const struct dls_trace_info *info = dls_trace_list_find(&calibration->list,
                                                                options->recordings[i]);

        if (info == NULL) {
            place_error(calibration, NULL, "no recording '%s' in this database%s",
                        options->recordings[i], "");
            return DLS_EINPUT;
        }
        status = recording_read(calibration, info);
    }
    for (size_t i = 0;
         options->recordings == NULL && i < calibration->list.count && status == DLS_OK;
         i++)
        if (strcmp(calibration->list.data[i].tool, "spans") == 0)
            status = recording_read(calibration, &calibration->list.data[i]);
    if (status == DLS_OK && calibration->recordings == 0) {
        place_error(calibration, NULL, "the database holds no recording with spans%s%s",
                    "", "");
        status = DLS_EINPUT;
    }
    return status == DLS_OK ? recordings_agree(calibration) : status;
}

/* ------------------------------------------------------------------ the answer's
 * frame */

/* "params/image.yaml" -> "image". */
static const char *stem_of(struct dls_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *stem = dls_arena_text(arena, slash ? slash + 1 : path);
    char *dot = strrchr(stem, '.');

    if (dot != NULL && dot != stem)
        *dot = '\0';
    return stem;
}

static void frame_fill(struct dls_calibration *calibration)
{
    struct dls_fit *fit = calibration->fit;
    const struct dls_recording *last =
        &calibration->recording[calibration->recordings - 1];
    const char *loader = dls_trace_config_get(last->info, "loader");

    fit->name = calibration->options->name
                    ? dls_arena_text(fit->arena, calibration->options->name)
                    : stem_of(fit->arena, calibration->options->params_path);
    fit->database = dls_arena_text(fit->arena, calibration->options->database);
    fit->recordings = calibration->recordings;
    fit->recording = dls_arena_get(fit->arena, fit->recordings, sizeof *fit->recording);
    for (size_t r = 0; r < fit->recordings; r++) {
        const struct dls_recording *recording = &calibration->recording[r];

        fit->recording[r] = (struct dls_fit_recording){
            .name = dls_arena_text(fit->arena, recording->info->name),
            .file = dls_arena_text(fit->arena, recording->info->file_name),
            .hash = recording->info->file_hash,
            .workers = recording->workers,
            .batches = recording->timeline.batches,
            .samples = recording->timeline.samples,
        };
    }
    fit->workers = last->workers;
    fit->prefetch = last->prefetch;
    fit->batch = last->batch;
    fit->epochs = last->timeline.epochs;
    fit->cores = last->cores;
    fit->step_s = last->step_s;
    fit->in_order = config_flag(last->info, "in_order", true);
    fit->persistent = config_flag(last->info, "persistent", false);
    fit->drop_last = true;
    fit->loader = loader != NULL && strncmp(loader, "monai", 5) == 0 ? "loader.monai"
                                                                     : "loader.pytorch";
}

enum dls_status dls_calibrate(const struct dls_calibrate_options *options,
                              struct dls_diag *diag, struct dls_fit **fit)
{
    struct dls_calibration calibration = {.options = options, .diag = diag};
    enum dls_status status = dls_trace_db_open(options->database, diag,
                                               &calibration.db);

    if (status != DLS_OK)
        return status;
    calibration.fit = dls_mem_new(1, sizeof *calibration.fit);
    calibration.fit->arena = dls_arena_new();
    status = dls_trace_list_read(calibration.db, diag, &calibration.list);
    if (status == DLS_OK)
        status = recordings_read(&calibration);
    if (status == DLS_OK) {
        frame_fill(&calibration);
        dls_estimate_host(&calibration);
        dls_estimate_nominal(&calibration);
        dls_estimate_demand(&calibration);
        dls_estimate_start(&calibration);
        dls_estimate_transport(&calibration);
        dls_estimate_step(&calibration);
        *fit = calibration.fit;
    } else {
        dls_fit_free(calibration.fit);
    }
    for (size_t r = 0; r < calibration.recordings; r++)
        dls_timeline_release(&calibration.recording[r].timeline);
    dls_mem_free(calibration.recording);
    dls_trace_list_release(&calibration.list);
    dls_trace_db_close(calibration.db);
    return status;
}

enum dls_status dls_calibrate_files(const struct dls_calibrate_options *options,
                                    struct dls_diag *diag, struct dls_fit **fit)
{
    struct dls_fit *made = NULL;
    enum dls_status status = dls_calibrate(options, diag, &made);

    if (status == DLS_OK)
        status = dls_fit_write(made, options->params_path, options->scenario_path,
                               diag);
    if (status == DLS_OK && fit != NULL)
        *fit = made;
    else
        dls_fit_free(made);
    return status;
}
