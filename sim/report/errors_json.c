/* The validation for programs. Units stand in the names; what is not known is null. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/report/errors_report.h"
#include "sim/report/version.h"

/* Adds "name": or only a comma where one is due; `out` ends in an opening bracket when
 * none is. */
static void key(struct dls_str *out, const char *name)
{
    char last = out->data[out->length - 1];

    if (last != '{' && last != '[')
        dls_str_add(out, ", ");
    if (name != NULL) {
        dls_str_add_json(out, name);
        dls_str_add(out, ": ");
    }
}

static void put_open(struct dls_str *out, const char *name, const char *bracket)
{
    key(out, name);
    dls_str_add(out, bracket);
}

/* The shortest of 15 to 17 digits that reads back to the same double. */
static void put_number(struct dls_str *out, const char *name, double value)
{
    char text[40];

    key(out, name);
    if (!isfinite(value)) {
        dls_str_add(out, "null");
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    dls_str_add(out, text);
}

static void put_count(struct dls_str *out, const char *name, int64_t value)
{
    key(out, name);
    dls_str_addf(out, "%" PRId64, value);
}

static void put_text(struct dls_str *out, const char *name, const char *text)
{
    key(out, name);
    if (text == NULL)
        dls_str_add(out, "null");
    else
        dls_str_add_json(out, text);
}

static void put_bool(struct dls_str *out, const char *name, bool value)
{
    key(out, name);
    dls_str_add(out, value ? "true" : "false");
}

static const char *unit_of(enum dls_quantity quantity)
{
    return quantity == DLS_QUANTITY_AU ? "points" : "percent";
}

static void put_summary(struct dls_str *out, const char *name,
                        const struct dls_error_summary *summary, const char *unit)
{
    put_open(out, name, "{");
    put_count(out, "n", (int64_t)summary->n);
    put_text(out, "unit", unit);
    put_number(out, "median", summary->median);
    put_number(out, "p90", summary->p90);
    put_number(out, "worst", summary->worst);
    put_number(out, "bias", summary->bias);
    dls_str_add(out, "}");
}

static void put_group(struct dls_str *out, const char *name,
                      const struct dls_error_group *group)
{
    put_open(out, name, "{");
    put_text(out, "name", group->name);
    put_count(out, "rows", (int64_t)group->cases);
    put_count(out, "failed", (int64_t)group->failed);
    put_open(out, "noise_fraction", "{");
    for (enum dls_quantity q = 0; q < DLS_QUANTITIES; q++)
        put_number(out, dls_quantity_text(q), group->noise[q]);
    dls_str_add(out, "}");
    put_open(out, "errors", "{");
    for (enum dls_predictor p = 0; p < DLS_PREDICTORS; p++) {
        put_open(out, dls_predictor_text(p), "{");
        for (enum dls_quantity q = 0; q < DLS_QUANTITIES; q++)
            if (group->of[p][q].n > 0)
                put_summary(out, dls_quantity_text(q), &group->of[p][q], unit_of(q));
        dls_str_add(out, "}");
    }
    dls_str_add(out, "}}");
}

static void put_row(struct dls_str *out, const struct dls_error_case *row)
{
    put_open(out, NULL, "{");
    put_text(out, "id", row->id);
    put_text(out, "family", row->family);
    put_text(out, "group", row->group);
    put_count(out, "repetition", row->repetition);
    put_count(out, "epoch", row->epoch);
    put_text(out, "settings", row->settings);
    put_count(out, "line", row->line);
    put_open(out, "measured", "{");
    for (enum dls_quantity q = 0; q < DLS_QUANTITIES; q++)
        put_number(out, dls_quantity_text(q), row->measured[q]);
    dls_str_add(out, "}");
    for (enum dls_predictor p = 0; p < DLS_PREDICTORS; p++) {
        put_open(out, dls_predictor_text(p), "{");
        for (enum dls_quantity q = 0; q < DLS_QUANTITIES; q++)
            put_number(out, dls_quantity_text(q), row->predicted[p][q]);
        dls_str_add(out, "}");
    }
    put_number(out, "host_speed", row->speed);
    put_text(out, "failure", row->failure);
    dls_str_add(out, "}");
}

static void put_replays(struct dls_str *out, const struct dls_errors *errors)
{
    put_open(out, "replays", "[");
    for (size_t i = 0; i < errors->replays; i++) {
        const struct dls_error_replay *replay = &errors->replay[i];

        put_open(out, NULL, "{");
        put_text(out, "recording", replay->recording);
        put_count(out, "batches", replay->batches);
        put_number(out, "measured_s", replay->measured_s);
        put_number(out, "simulated_s", replay->simulated_s);
        put_number(out, "epoch_error_percent", replay->epoch);
        put_number(out, "arrival_error_percent", replay->arrival);
        put_text(out, "failure", replay->failure);
        dls_str_add(out, "}");
    }
    dls_str_add(out, "]");
    put_summary(out, "replay_epoch", &errors->replay_epoch, "percent");
    put_summary(out, "replay_arrival", &errors->replay_arrival, "percent");
}

static void put_findings(struct dls_str *out, const struct dls_errors *errors)
{
    put_open(out, "limits", "[");
    for (size_t i = 0; i < errors->findings; i++) {
        const struct dls_error_finding *finding = &errors->finding[i];

        put_open(out, NULL, "{");
        put_text(out, "score", dls_score_text(finding->score));
        put_text(out, "what", finding->what);
        put_number(out, "limit", finding->limit);
        put_number(out, "found", finding->found);
        put_bool(out, "met", finding->is_met);
        dls_str_add(out, "}");
    }
    dls_str_add(out, "]");
}

void dls_errors_json(const struct dls_errors *errors, struct dls_str *out)
{
    dls_str_add(out, "{");
    put_text(out, "dlsim_version", DLS_VERSION);
    put_text(out, "name", errors->name);
    put_text(out, "about", errors->about);
    put_text(out, "cases", errors->cases_path);
    put_count(out, "replications", errors->replications);
    put_bool(out, "met", errors->unmet == 0 && errors->failures == 0);
    put_count(out, "unmet", (int64_t)errors->unmet);
    put_count(out, "failures", (int64_t)errors->failures);
    put_findings(out, errors);
    put_group(out, "all", &errors->all);
    put_open(out, "axes", "[");
    for (size_t i = 0; i < errors->axes; i++)
        put_group(out, NULL, &errors->axis[i]);
    dls_str_add(out, "]");
    put_open(out, "groups", "[");
    for (size_t i = 0; i < errors->groups; i++)
        put_group(out, NULL, &errors->group[i]);
    dls_str_add(out, "]");
    put_replays(out, errors);
    put_open(out, "rows", "[");
    for (size_t i = 0; i < errors->rows; i++)
        put_row(out, &errors->row[i]);
    dls_str_add(out, "]}\n");
}
