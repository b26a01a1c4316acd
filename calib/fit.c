#include "calib/fit.h"

#include <math.h>

#include "calib/calib_int.h"
#include "sim/stats/interval.h"
#include "sim/stats/tally.h"

void dls_fit_free(struct dls_fit *fit)
{
    if (fit == NULL)
        return;
    dls_arena_free(fit->arena);
    dls_mem_free(fit->value);
    dls_mem_free(fit->missing);
    dls_mem_free(fit);
}

static struct dls_fit_value *value_new(struct dls_fit *fit, const char *section,
                                       const char *key, enum dls_unit unit,
                                       const char *from)
{
    struct dls_fit_value *value;

    fit->value = dls_mem_resize(fit->value, fit->values + 1, sizeof *fit->value);
    value = &fit->value[fit->values++];
    *value = (struct dls_fit_value){.section = section,
                                    .key = key,
                                    .unit = unit,
                                    .from = dls_arena_text(fit->arena, from)};
    return value;
}

void dls_fit_add(struct dls_calibration *calibration, const char *section,
                 const char *key, enum dls_unit unit, const double *values,
                 size_t count, const char *from)
{
    struct dls_fit_value *value = value_new(calibration->fit, section, key, unit, from);
    struct dls_interval interval = dls_interval_mean(values, count, 0.95);
    struct dls_tally tally = {0};

    for (size_t i = 0; i < count; i++)
        dls_tally_add(&tally, values[i]);
    value->value = dls_tally_mean(&tally);
    value->low = fmax(interval.low, 0);
    value->high = interval.high;
    value->n = (int64_t)count;
}

void dls_fit_set(struct dls_calibration *calibration, const char *section,
                 const char *key, enum dls_unit unit, double value, int64_t n,
                 const char *from)
{
    struct dls_fit_value *added = value_new(calibration->fit, section, key, unit, from);

    added->value = value;
    added->low = added->high = NAN;
    added->n = n;
}

void dls_fit_missing(struct dls_calibration *calibration, const char *parameter,
                     const char *reason, const char *recording)
{
    struct dls_fit *fit = calibration->fit;

    fit->missing = dls_mem_resize(fit->missing, fit->missings + 1,
                                  sizeof *fit->missing);
    fit->missing[fit->missings++] = (struct dls_fit_missing){
        .parameter = dls_arena_text(fit->arena, parameter),
        .reason = dls_arena_text(fit->arena, reason),
        .recording = dls_arena_text(fit->arena, recording),
    };
}
