/* The rows of a validation by group and axis, and the judgement of its limits. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/vec.h"
#include "sim/run/errors.h"

/* ------------------------------------------------------------------ groups */

typedef const char *(*name_of)(const struct dls_error_case *row);

static const char *group_of(const struct dls_error_case *row)
{
    return row->group;
}

static const char *axis_of(const struct dls_error_case *row)
{
    return row->axis;
}

/* Room for one figure a row, used again and again. */
struct columns {
    double *error;
    double *measured;
    int64_t *configuration;
};

static bool is_in(const struct dls_error_case *row, name_of name, const char *wanted)
{
    return name == NULL || strcmp(name(row), wanted) == 0;
}

/* Statistics of the rows whose name is `wanted`; of all when `name` is NULL. */
static struct dls_error_group group_make(const struct dls_errors *errors,
                                         const struct columns *columns, name_of name,
                                         const char *wanted)
{
    struct dls_error_group group = {.name = wanted};

    for (size_t i = 0; i < errors->rows; i++) {
        if (!is_in(&errors->row[i], name, wanted))
            continue;
        group.cases++;
        group.failed += errors->row[i].failure != NULL;
    }
    for (enum dls_quantity q = 0; q < DLS_QUANTITIES; q++) {
        for (enum dls_predictor p = 0; p < DLS_PREDICTORS; p++) {
            size_t count = 0;

            for (size_t i = 0; i < errors->rows; i++)
                if (is_in(&errors->row[i], name, wanted))
                    columns->error[count++] = dls_error_case_of(&errors->row[i], p, q);
            group.of[p][q] = dls_error_summarize(columns->error, count);
        }
        for (size_t i = 0, count = 0; i <= errors->rows; i++) {
            if (i == errors->rows) {
                group.noise[q] = dls_error_noise(columns->measured,
                                                 columns->configuration, count,
                                                 q == DLS_QUANTITY_AU);
            } else if (is_in(&errors->row[i], name, wanted)) {
                columns->measured[count] = errors->row[i].measured[q];
                columns->configuration[count++] = errors->row[i].configuration;
            }
        }
    }
    return group;
}

static struct dls_error_group *groups_make(struct dls_errors *errors,
                                           const struct columns *columns, name_of name,
                                           size_t *count)
{
    struct dls_error_group *groups = dls_arena_get(errors->arena, errors->rows + 1,
                                                   sizeof *groups);

    *count = 0;
    for (size_t i = 0; i < errors->rows; i++) {
        const char *wanted = name(&errors->row[i]);
        size_t at = 0;

        while (at < *count && strcmp(groups[at].name, wanted) != 0)
            at++;
        if (at == *count)
            groups[(*count)++] = group_make(errors, columns, name, wanted);
    }
    return groups;
}

/* The mean of each group as the prediction for each of its rows. */
static void predict_constant(struct dls_errors *errors)
{
    static const enum dls_quantity told[] = {DLS_QUANTITY_SAMPLES_PER_S,
                                             DLS_QUANTITY_AU};

    for (size_t t = 0; t < sizeof told / sizeof *told; t++) {
        for (size_t i = 0; i < errors->rows; i++) {
            double sum = 0;
            size_t n = 0;

            for (size_t j = 0; j < errors->rows; j++) {
                double measured = errors->row[j].measured[told[t]];

                if (strcmp(errors->row[j].group, errors->row[i].group) != 0 ||
                    isnan(measured))
                    continue;
                sum += measured;
                n++;
            }
            errors->row[i].predicted[DLS_PREDICT_CONSTANT][told[t]] =
                n > 0 ? sum / (double)n : NAN;
        }
    }
}

static void summarize_replays(struct dls_errors *errors)
{
    double *epoch = dls_mem_new(errors->replays + 1, sizeof *epoch);
    double *arrival = dls_mem_new(errors->replays + 1, sizeof *arrival);

    for (size_t i = 0; i < errors->replays; i++) {
        epoch[i] = errors->replay[i].epoch;
        arrival[i] = errors->replay[i].arrival;
    }
    errors->replay_epoch = dls_error_summarize(epoch, errors->replays);
    errors->replay_arrival = dls_error_summarize(arrival, errors->replays);
    dls_mem_free(epoch);
    dls_mem_free(arrival);
}

void dls_errors_aggregate(struct dls_errors *errors)
{
    struct columns columns = {
        .error = dls_mem_new(errors->rows + 1, sizeof *columns.error),
        .measured = dls_mem_new(errors->rows + 1, sizeof *columns.measured),
        .configuration = dls_mem_new(errors->rows + 1, sizeof *columns.configuration),
    };

    predict_constant(errors);
    errors->group = groups_make(errors, &columns, group_of, &errors->groups);
    errors->axis = groups_make(errors, &columns, axis_of, &errors->axes);
    errors->all = group_make(errors, &columns, NULL, "all");
    summarize_replays(errors);
    dls_mem_free(columns.error);
    dls_mem_free(columns.measured);
    dls_mem_free(columns.configuration);
}

/* ------------------------------------------------------------------ judgement */

struct findings {
    struct dls_errors *errors;
    DLS_VEC(struct dls_error_finding) list;
};

static void judge(struct findings *findings, enum dls_score score, const char *what,
                  double limit, double found)
{
    /* Nothing to compare is not a success: a limit asks for a figure. */
    bool is_met = fabs(found) <= limit;

    if (isnan(limit))
        return;
    findings->errors->unmet += !is_met;
    DLS_VEC_ADD(&findings->list,
                ((struct dls_error_finding){score, what, limit, found, is_met}));
}

/* Median and P90; `floor` (NaN: none) counts where it is larger than the limit. */
static void judge_summary(struct findings *findings, enum dls_score score,
                          const struct dls_error_summary *summary, double floor)
{
    const struct dls_error_limit *limit = &findings->errors->limit[score];
    double median = limit->median < floor ? floor : limit->median;
    double p90 = limit->p90 < floor ? floor : limit->p90;

    judge(findings, score, "median", median, summary->median);
    judge(findings, score, "p90", p90, summary->p90);
}

/* `each`: what breaks it becomes a finding each. */
static void judge_each(struct findings *findings, enum dls_score score,
                       const char *what, double found)
{
    double limit = findings->errors->limit[score].each;

    if (fabs(found) > limit)
        judge(findings, score, what, limit, found);
}

/* ... and when nothing did since there were `before` findings, the worst stands for
 * all. */
static void judge_rest(struct findings *findings, enum dls_score score, size_t before,
                       const struct dls_error_summary *summary)
{
    if (findings->list.count == before)
        judge(findings, score, "each", findings->errors->limit[score].each,
              summary->worst);
}

static void judge_replays(struct findings *findings)
{
    struct dls_errors *errors = findings->errors;
    size_t before;

    judge_summary(findings, DLS_SCORE_REPLAY_EPOCH, &errors->replay_epoch, NAN);
    before = findings->list.count;
    for (size_t i = 0; i < errors->replays; i++)
        judge_each(findings, DLS_SCORE_REPLAY_EPOCH, errors->replay[i].recording,
                   errors->replay[i].epoch);
    judge_rest(findings, DLS_SCORE_REPLAY_EPOCH, before, &errors->replay_epoch);

    judge_summary(findings, DLS_SCORE_REPLAY_ARRIVAL, &errors->replay_arrival, NAN);
    before = findings->list.count;
    for (size_t i = 0; i < errors->replays; i++)
        judge_each(findings, DLS_SCORE_REPLAY_ARRIVAL, errors->replay[i].recording,
                   errors->replay[i].arrival);
    judge_rest(findings, DLS_SCORE_REPLAY_ARRIVAL, before, &errors->replay_arrival);
}

static void judge_rows(struct findings *findings)
{
    static const struct {
        enum dls_score score;
        enum dls_predictor predictor;
        enum dls_quantity quantity;
    } scores[] = {
        {DLS_SCORE_KNOWN_SAMPLES, DLS_PREDICT_KNOWN, DLS_QUANTITY_SAMPLES_PER_S},
        {DLS_SCORE_KNOWN_AU, DLS_PREDICT_KNOWN, DLS_QUANTITY_AU},
        {DLS_SCORE_BLIND_SAMPLES, DLS_PREDICT_BLIND, DLS_QUANTITY_SAMPLES_PER_S},
        {DLS_SCORE_BLIND_AU, DLS_PREDICT_BLIND, DLS_QUANTITY_AU},
    };
    struct dls_errors *errors = findings->errors;

    for (size_t s = 0; s < sizeof scores / sizeof *scores; s++) {
        const struct dls_error_summary *summary =
            &errors->all.of[scores[s].predictor][scores[s].quantity];
        bool is_blind = scores[s].predictor == DLS_PREDICT_BLIND;
        size_t before;

        judge_summary(findings, scores[s].score, summary,
                      is_blind ? 100 * errors->all.noise[scores[s].quantity] : NAN);
        before = findings->list.count;
        for (size_t i = 0; i < errors->rows; i++) {
            const struct dls_error_case *row = &errors->row[i];
            char what[96];

            snprintf(what, sizeof what,
                     "%.30s %.30s repetition %" PRId64 " epoch %" PRId64, row->group,
                     row->id, row->repetition, row->epoch);
            judge_each(findings, scores[s].score, dls_arena_text(errors->arena, what),
                       dls_error_case_of(row, scores[s].predictor, scores[s].quantity));
        }
        judge_rest(findings, scores[s].score, before, summary);
    }
}

void dls_errors_judge(struct dls_errors *errors)
{
    struct findings findings = {.errors = errors};

    errors->unmet = errors->failures = 0;
    judge_replays(&findings);
    for (size_t i = 0; i < errors->replays; i++)
        errors->failures += errors->replay[i].failure != NULL;
    judge_rows(&findings);
    for (size_t i = 0; i < errors->rows; i++)
        errors->failures += errors->row[i].failure != NULL;
    errors->findings = findings.list.count;
    errors->finding = dls_arena_get(errors->arena, findings.list.count + 1,
                                    sizeof *errors->finding);
    for (size_t i = 0; i < findings.list.count; i++)
        errors->finding[i] = findings.list.data[i];
    DLS_VEC_RELEASE(&findings.list);
}
