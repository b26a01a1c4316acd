#include "sim/cmd/expect.h"

#include <math.h>
#include <string.h>

#include "sim/report/report.h"

/* The metric of that name, or DLS_METRICS. */
static enum dls_metric_id find(const char *name)
{
    enum dls_metric_id metric = 0;

    while (metric < DLS_METRICS && strcmp(dls_metric_text(metric)->name, name) != 0)
        metric++;
    return metric;
}

void dls_expect_check(const struct dls_scenario *scenario, struct dls_diag *diag)
{
    const char *names[DLS_METRICS];

    for (enum dls_metric_id m = 0; m < DLS_METRICS; m++)
        names[m] = dls_metric_text(m)->name;
    for (size_t i = 0; i < scenario->expects; i++) {
        const struct dls_expect *expect = &scenario->expect[i];
        const char *near = dls_str_near(expect->metric, names, DLS_METRICS);

        if (find(expect->metric) != DLS_METRICS)
            continue;
        if (near != NULL)
            dls_diag_error(diag, &expect->place,
                           "unknown metric '%s' (did you mean '%s'?)", expect->metric,
                           near);
        else
            dls_diag_error(diag, &expect->place, "unknown metric '%s'", expect->metric);
    }
}

static bool is_met(const struct dls_expect *expect, const struct dls_value *value)
{
    return value->n > 0 && !(value->value < expect->min) &&
           !(value->value > expect->max);
}

enum dls_status dls_expect_judge(const struct dls_scenario *scenario,
                                 const struct dls_result *result, struct dls_diag *diag)
{
    enum dls_status status = DLS_OK;

    for (size_t i = 0; i < scenario->expects; i++) {
        const struct dls_expect *expect = &scenario->expect[i];
        enum dls_metric_id metric = find(expect->metric);
        const struct dls_value *value = &result->total[metric];
        bool is_low = value->n == 0 ? !isnan(expect->min) : value->value < expect->min;
        char bound[48], found[48];

        if (is_met(expect, value))
            continue;
        dls_report_value(metric, is_low ? expect->min : expect->max, bound,
                         sizeof bound);
        dls_report_value(metric, value->value, found, sizeof found);
        dls_diag_error(diag, &expect->place, "expected '%s' %s %s, found %s",
                       expect->metric, is_low ? "of at least" : "of at most", bound,
                       value->n > 0 ? found : "no observation");
        status = DLS_ENO;
    }
    return status;
}
