#include "sim/run/validate.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/str.h"
#include "sim/base/units.h"
#include "sim/graph/graph.h"
#include "sim/run/outcomes.h"
#include "sim/run/run.h"
#include "sim/run/run_int.h"
#include "sim/run/validate_int.h"
#include "traces/import_micro.h"
#include "traces/import_spans.h"
#include "traces/trace.h"

enum { SPEED_STEPS = 2, EXTRAS = 3 };

/* One calibrated family. */
struct family {
    const char *scenario;
    double single_per_s; /* of one process without a step; NaN: it could not be
                            simulated */
};

/* What a run predicts for one epoch, and what the bound needs of its scenario. */
struct prediction {
    double value[DLS_QUANTITIES];
    double workers, cores, batch, step_s, speed;
};

static const char *work_path(const struct dls_validation *v, const char *name,
                             const char *ending)
{
    struct dls_str file;
    const char *path;

    dls_str_init(&file);
    dls_str_addf(&file, "%s%s", name, ending);
    path = dls_cases_join(v->options->work, file.data, v->arena);
    dls_str_release(&file);
    return path;
}

void dls_validation_advance(struct dls_validation *v)
{
    v->done++;
    if (v->options->progress != NULL)
        v->options->progress(v->options->self, v->done, v->all);
}

/* ------------------------------------------------------------------ recordings */

/* The path of NAME + ending, gzip'd or not: whichever is there; the gzip'd one when
 * none is. */
static const char *data_path(const struct dls_validation *v, const char *name,
                             const char *ending)
{
    struct dls_str file;
    const char *plain, *zipped;

    dls_str_init(&file);
    dls_str_addf(&file, "%s%s", name, ending);
    plain = dls_cases_join(v->cases.data, file.data, v->arena);
    dls_str_add(&file, ".gz");
    zipped = dls_cases_join(v->cases.data, file.data, v->arena);
    dls_str_release(&file);
    return access(plain, R_OK) == 0 ? plain : zipped;
}

static enum dls_status import_one(struct dls_validation *v, const char *name)
{
    struct dls_str json;
    enum dls_status status;

    for (size_t i = 0; i < v->imports; i++)
        if (strcmp(v->imported[i], name) == 0)
            return DLS_OK;
    v->imported[v->imports++] = name;
    dls_str_init(&json);
    dls_str_addf(&json, "%s.json", name);
    status = dls_import_spans(v->database, data_path(v, name, ".spans.csv"),
                              data_path(v, name, ".batches.csv"),
                              dls_cases_join(v->cases.data, json.data, v->arena),
                              v->diag, NULL);
    dls_str_release(&json);
    return status;
}

static enum dls_status import_all(struct dls_validation *v)
{
    enum dls_status status = DLS_OK;
    size_t count = 0;

    v->database = work_path(v, "recordings", ".db");
    unlink(v->database);
    for (size_t f = 0; f < v->cases.families; f++)
        count += v->cases.family[f].recordings;
    v->imported = dls_arena_get(v->arena, count + 1, sizeof *v->imported);
    if (v->cases.micro != NULL)
        status = dls_import_micro(v->database, v->cases.micro, v->diag, NULL);
    for (size_t f = 0; f < v->cases.families; f++)
        for (size_t r = 0; r < v->cases.family[f].recordings && status == DLS_OK; r++)
            status = import_one(v, v->cases.family[f].recording[r]);
    return status;
}

/* Calibrates `name` from some recordings; `*scenario` receives the path of its
 * scenario. */
enum dls_status dls_validation_calibrate(struct dls_validation *v, const char *name,
                                         const char *const *recording, size_t count,
                                         const char **scenario)
{
    struct dls_validate_calibration calibration = {
        .name = name,
        .database = v->database,
        .recording = recording,
        .recordings = count,
        .params_path = work_path(v, name, ".params.yaml"),
        .scenario_path = work_path(v, name, ".yaml"),
    };

    *scenario = calibration.scenario_path;
    return v->options->calibrate(&calibration, v->diag);
}

/* ------------------------------------------------------------------ one prediction */

/* The first error of `diag` as a failure; where it stands is a file of the work folder
 * and says nothing to the reader. */
const char *dls_validation_failure(struct dls_arena *arena, const struct dls_diag *diag,
                                   enum dls_status status)
{
    for (size_t i = 0; i < dls_diag_count(diag); i++)
        if (dls_diag_get(diag, i)->severity == DLS_ERROR)
            return dls_arena_text(arena, dls_diag_get(diag, i)->text);
    return dls_status_text(status);
}

/* A bound value in seconds; NaN when it is none or no constant. */
static double seconds_at(const struct dls_scenario *scenario, const char *path)
{
    struct dls_scenario_value value;
    double seconds = NAN;

    for (size_t i = 0; dls_scenario_value(scenario, i, &value); i++)
        if (strcmp(value.path, path) == 0 &&
            dls_units_read(value.text, DLS_UNIT_TIME, &seconds) != NULL)
            seconds = NAN;
    return seconds;
}

static void prediction_take(const struct dls_scenario *scenario,
                            const struct dls_result *result, int64_t epoch,
                            struct prediction *prediction)
{
    static const enum dls_metric_id metric[DLS_QUANTITIES] = {
        [DLS_QUANTITY_SAMPLES_PER_S] = DLS_METRIC_SAMPLES_PER_S,
        [DLS_QUANTITY_AU] = DLS_METRIC_AU,
        [DLS_QUANTITY_EPOCH_S] = DLS_METRIC_EPOCH_S,
        [DLS_QUANTITY_CPU_S] = DLS_METRIC_CPU_S,
    };

    for (enum dls_quantity q = 0; q < DLS_QUANTITIES; q++)
        prediction->value[q] = epoch < result->epochs
                                   ? result->epoch[epoch][metric[q]].value
                                   : NAN;
    prediction->workers = (double)dls_run_loader_count(scenario, "workers");
    prediction->batch = (double)dls_run_loader_count(scenario, "batch");
    prediction->cores = (double)scenario->host.cores;
    prediction->speed = scenario->host.speed;
    prediction->step_s = seconds_at(scenario, "consumer.step.base");
}

/* Simulates a scenario with overrides. Returns NULL, or why there is no prediction. */
static const char *predict(const struct dls_validation *v, const char *path,
                           const struct dls_override *sets, size_t count, int64_t epoch,
                           struct prediction *prediction)
{
    struct dls_run_options options = {.threads = v->options->threads};
    struct dls_diag *diag = dls_diag_new();
    struct dls_scenario *scenario = NULL;
    struct dls_result *result = NULL;
    const char *failure = NULL;
    enum dls_status status = dls_scenario_read(path, sets, count, diag, &scenario);

    if (status == DLS_OK)
        status = dls_replicate(scenario, &options, diag, &result);
    if (status != DLS_OK)
        failure = dls_validation_failure(v->arena, diag, status);
    else if (result->deadlock != NULL)
        failure = dls_status_text(DLS_EDEADLOCK);
    else if (epoch >= result->epochs)
        failure = "the simulated run has fewer epochs";
    else
        prediction_take(scenario, result, epoch, prediction);
    dls_result_free(result);
    dls_scenario_free(scenario);
    dls_diag_free(diag);
    return failure;
}

/* ------------------------------------------------------------------ rows */

/* min(workers x single rate up to the cores, batch / step). */
static double bound_of(const struct family *family, const struct prediction *prediction)
{
    double loaders = fmax(1, fmin(prediction->workers, prediction->cores));
    double rate = loaders * family->single_per_s;

    if (prediction->step_s > 0 && prediction->batch / prediction->step_s < rate)
        return prediction->batch / prediction->step_s;
    return rate;
}

/* The overrides of one simulation, and the texts of those that validation adds. */
struct settings {
    struct dls_override *set;
    size_t count;
    char replications[24];
    char speed[40];
};

/* The row's own overrides, the replications, and host.speed when it is not NaN. */
static void settings_fill(const struct dls_validation *v,
                          const struct dls_outcome_row *row, double speed,
                          struct settings *settings)
{
    settings->set = dls_mem_new(row->sets + EXTRAS, sizeof *settings->set);
    settings->count = row->sets;
    for (size_t i = 0; i < row->sets; i++)
        settings->set[i] = row->set[i];
    snprintf(settings->replications, sizeof settings->replications, "%" PRId64,
             v->errors->replications);
    settings->set[settings->count++] = (struct dls_override){"run.replications",
                                                             settings->replications};
    if (isnan(speed))
        return;
    dls_units_write_exact(speed, DLS_UNIT_NUMBER, settings->speed,
                          sizeof settings->speed);
    settings->set[settings->count++] = (struct dls_override){"host.speed",
                                                             settings->speed};
}

static const char *predict_row(const struct dls_validation *v,
                               const struct family *family,
                               const struct dls_outcome_row *row, double speed,
                               struct prediction *prediction)
{
    struct settings settings;
    const char *failure;

    settings_fill(v, row, speed, &settings);
    failure = predict(v, family->scenario, settings.set, settings.count,
                      row->answer.epoch, prediction);
    dls_mem_free(settings.set);
    return failure;
}

static void keep(struct dls_error_case *answer, enum dls_predictor predictor,
                 const struct prediction *prediction)
{
    for (enum dls_quantity q = 0; q < DLS_QUANTITIES; q++)
        answer->predicted[predictor][q] = prediction->value[q];
}

/* From the blind prediction to the one at known speed. */
static const char *predict_known(const struct dls_validation *v,
                                 const struct family *family,
                                 const struct dls_outcome_row *row,
                                 struct prediction prediction,
                                 struct dls_error_case *answer)
{
    double measured_s = answer->measured[DLS_QUANTITY_CPU_S];

    for (int step = 0; step < SPEED_STEPS; step++) {
        double speed = prediction.speed * prediction.value[DLS_QUANTITY_CPU_S] /
                       measured_s;
        const char *failure;

        /* Without CPU seconds on both sides there is no known speed; the blind score
         * stands alone. */
        if (!(speed > 0) || !isfinite(speed))
            return NULL;
        failure = predict_row(v, family, row, speed, &prediction);
        if (failure != NULL)
            return failure;
    }
    answer->speed = prediction.speed;
    keep(answer, DLS_PREDICT_KNOWN, &prediction);
    return NULL;
}

/* A blind prediction, or why there is none. */
struct blind {
    struct prediction prediction;
    const char *failure;
};

/* Repetitions share settings and with them the blind prediction: it is made once, at
 * the first of them. */
static void answer_rows(struct dls_validation *v, const struct family *families)
{
    struct blind *blind = dls_mem_new(v->rows.count + 1, sizeof *blind);

    for (size_t i = 0; i < v->rows.count; i++) {
        const struct dls_outcome_row *row = &v->rows.data[i];
        const struct family *family = &families[row->family];
        struct dls_error_case *answer = &v->errors->row[i];
        size_t first = (size_t)answer->configuration;

        if (first < i && strcmp(v->errors->row[first].settings, answer->settings) == 0)
            blind[i] = blind[first];
        else
            blind[i].failure = predict_row(v, family, row, NAN, &blind[i].prediction);
        answer->failure = blind[i].failure;
        if (answer->failure == NULL) {
            keep(answer, DLS_PREDICT_BLIND, &blind[i].prediction);
            answer->predicted[DLS_PREDICT_BOUND][DLS_QUANTITY_SAMPLES_PER_S] = bound_of(
                family, &blind[i].prediction);
            answer->failure = predict_known(v, family, row, blind[i].prediction,
                                            answer);
        }
        dls_validation_advance(v);
    }
    dls_mem_free(blind);
}

/* Samples per second of one process that does everything itself, without a step. */
static double single_rate(const struct dls_validation *v, const char *scenario)
{
    static const struct dls_override sets[] = {{"loader.workers", "0"},
                                               {"consumer.step.base", "0 s"},
                                               {"run.replications", "1"},
                                               {"run.epochs", "1"}};
    struct prediction prediction;

    if (predict(v, scenario, sets, sizeof sets / sizeof *sets, 0, &prediction) != NULL)
        return NAN;
    return prediction.value[DLS_QUANTITY_SAMPLES_PER_S];
}

static enum dls_status compare_rows(struct dls_validation *v)
{
    struct family *families = dls_mem_new(v->cases.families + 1, sizeof *families);
    enum dls_status status = DLS_OK;

    for (size_t f = 0; f < v->cases.families && status == DLS_OK; f++) {
        const struct dls_case_family *family = &v->cases.family[f];

        if (family->is_replay)
            continue;
        status = dls_validation_calibrate(v, family->name, family->recording,
                                          family->recordings, &families[f].scenario);
        if (status == DLS_OK)
            families[f].single_per_s = single_rate(v, families[f].scenario);
    }
    if (status == DLS_OK)
        answer_rows(v, families);
    dls_mem_free(families);
    return status;
}

/* ------------------------------------------------------------------ replays */

/* ------------------------------------------------------------------ all */

static void prepare(struct dls_validation *v)
{
    struct dls_errors *errors = v->errors;
    size_t replays = 0;

    for (size_t f = 0; f < v->cases.families; f++)
        if (v->cases.family[f].is_replay)
            replays += v->cases.family[f].recordings;
    errors->name = v->cases.name;
    errors->about = v->cases.about;
    errors->cases_path = v->cases.path;
    errors->replications = v->options->replications > 0 ? v->options->replications
                                                        : v->cases.replications;
    memcpy(errors->limit, v->cases.limit, sizeof errors->limit);
    errors->rows = v->rows.count;
    errors->row = dls_arena_get(v->arena, v->rows.count + 1, sizeof *errors->row);
    errors->replay = dls_arena_get(v->arena, replays + 1, sizeof *errors->replay);
    for (size_t i = 0; i < v->rows.count; i++)
        errors->row[i] = v->rows.data[i].answer;
    v->all = (int64_t)(v->rows.count + replays);
}

enum dls_status dls_validate(const struct dls_validate_options *options,
                             struct dls_diag *diag, struct dls_errors **errors)
{
    struct dls_arena *arena = dls_arena_new();
    struct dls_validation v = {.options = options, .diag = diag, .arena = arena};
    enum dls_status status = dls_cases_read(options->cases, options->data, arena, diag,
                                            &v.cases);

    v.errors = dls_arena_get(arena, 1, sizeof *v.errors);
    v.errors->arena = arena;
    if (status == DLS_OK)
        status = dls_outcomes_read(&v.cases, arena, diag, &v.rows);
    if (status == DLS_OK) {
        prepare(&v);
        status = import_all(&v);
    }
    if (status == DLS_OK)
        status = dls_validation_replay(&v);
    if (status == DLS_OK)
        status = compare_rows(&v);
    if (status != DLS_OK) {
        dls_errors_free(v.errors);
        return status;
    }
    dls_errors_aggregate(v.errors);
    dls_errors_judge(v.errors);
    *errors = v.errors;
    return DLS_OK;
}
