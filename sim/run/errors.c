#include "sim/run/errors.h"

#include <math.h>

#include "sim/stats/interval.h"
#include "sim/stats/tally.h"

const char *dls_quantity_text(enum dls_quantity quantity)
{
    static const char *const text[DLS_QUANTITIES] = {"samples_per_s", "au", "epoch_s",
                                                     "cpu_s"};

    return text[quantity];
}

const char *dls_predictor_text(enum dls_predictor predictor)
{
    static const char *const text[DLS_PREDICTORS] = {"blind", "known_speed",
                                                     "min_of_rates", "constant"};

    return text[predictor];
}

const char *dls_score_text(enum dls_score score)
{
    static const char *const text[DLS_SCORES] = {"replay_epoch", "replay_arrival",
                                                 "known_speed",  "known_speed_au",
                                                 "blind",        "blind_au"};

    return text[score];
}

double dls_error_of(enum dls_quantity quantity, double predicted, double measured)
{
    if (quantity == DLS_QUANTITY_AU)
        return measured < 0 ? NAN : 100 * (predicted - measured);
    return measured > 0 ? 100 * (predicted / measured - 1) : NAN;
}

struct dls_error_summary dls_error_summarize(const double *error, size_t count)
{
    struct dls_error_summary summary = {0, NAN, NAN, NAN, NAN};
    double *kept = dls_mem_new(count + 1, sizeof *kept);

    for (size_t i = 0; i < count; i++) {
        if (isnan(error[i]))
            continue;
        kept[summary.n++] = error[i];
        if (isnan(summary.worst) || fabs(error[i]) > fabs(summary.worst))
            summary.worst = error[i];
    }
    if (summary.n > 0) {
        summary.bias = dls_interval_median(kept, summary.n);
        for (size_t i = 0; i < summary.n; i++)
            kept[i] = fabs(kept[i]);
        summary.median = dls_interval_median(kept, summary.n);
        summary.p90 = dls_interval_quantile(kept, summary.n, 0.9);
    }
    dls_mem_free(kept);
    return summary;
}

/* Moments of all values of the configuration of entry `first`. */
static struct dls_tally tally_of(const double *value, const int64_t *configuration,
                                 size_t count, size_t first)
{
    struct dls_tally tally = {0};

    for (size_t i = first; i < count; i++)
        if (configuration[i] == configuration[first] && !isnan(value[i]))
            dls_tally_add(&tally, value[i]);
    return tally;
}

static bool is_first(const int64_t *configuration, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (configuration[i] == configuration[index])
            return false;
    return true;
}

double dls_error_noise(const double *value, const int64_t *configuration, size_t count,
                       bool absolute)
{
    double squares = 0;
    int64_t freedom = 0;

    for (size_t i = 0; i < count; i++) {
        struct dls_tally tally;
        double scale;

        if (!is_first(configuration, i))
            continue;
        tally = tally_of(value, configuration, count, i);
        scale = absolute ? 1 : dls_tally_mean(&tally);
        if (dls_tally_count(&tally) < 2 || scale == 0)
            continue;
        freedom += dls_tally_count(&tally) - 1;
        squares += dls_tally_variance(&tally) * (double)(dls_tally_count(&tally) - 1) /
                   (scale * scale);
    }
    return freedom > 0 ? sqrt(squares / (double)freedom) : NAN;
}

double dls_error_case_of(const struct dls_error_case *row, enum dls_predictor predictor,
                         enum dls_quantity quantity)
{
    return dls_error_of(quantity, row->predicted[predictor][quantity],
                        row->measured[quantity]);
}

void dls_errors_free(struct dls_errors *errors)
{
    if (errors != NULL)
        dls_arena_free(errors->arena);
}
