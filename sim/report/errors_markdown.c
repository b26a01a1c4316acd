/* The validation as a page for a repository: what failed first. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "sim/report/errors_report.h"

enum { WORST = 20 };

/* Text inside a table cell: a bar would end it. */
static void add_cell(struct dls_str *out, const char *text)
{
    dls_str_add(out, " ");
    for (; *text != '\0'; text++) {
        if (*text == '|')
            dls_str_add(out, "\\");
        dls_str_add_n(out, text, 1);
    }
    dls_str_add(out, " |");
}

static void add_number(struct dls_str *out, double value, bool is_signed)
{
    if (isnan(value))
        dls_str_add(out, " - |");
    else
        dls_str_addf(out, is_signed ? " %+.1f |" : " %.1f |", value);
}

static void add_pair(struct dls_str *out, const struct dls_error_summary *summary)
{
    if (summary->n == 0)
        dls_str_add(out, " - |");
    else
        dls_str_addf(out, " %.1f / %.1f |", summary->median, summary->p90);
}

static void write_limits(const struct dls_errors *errors, struct dls_str *out)
{
    size_t met = 0;

    dls_str_add(out, "## Not met\n\n");
    if (errors->unmet == 0 && errors->failures == 0)
        dls_str_add(out, "Nothing.\n");
    for (size_t i = 0; i < errors->findings; i++) {
        if (errors->finding[i].is_met) {
            met++;
            continue;
        }
        dls_str_add(out, "- ");
        dls_errors_finding(errors, i, out);
        dls_str_add(out, "\n");
    }
    dls_errors_failures(errors, "- ", out);
    dls_str_add(out, "\n## Met\n\n");
    if (met == 0)
        dls_str_add(out, "Nothing.\n");
    for (size_t i = 0; i < errors->findings; i++) {
        if (!errors->finding[i].is_met)
            continue;
        dls_str_add(out, "- ");
        dls_errors_finding(errors, i, out);
        dls_str_add(out, "\n");
    }
}

static void write_worst(const struct dls_errors *errors, struct dls_str *out)
{
    size_t worst[WORST];
    size_t count = dls_errors_worst(errors, worst, WORST);

    if (count == 0)
        return;
    dls_str_add(
        out,
        "\n## Worst rows\n\nError of samples/s in %, of AU in points.\n\n"
        "| group | run | settings | samples/s | known speed | blind | AU known | AU "
        "blind | speed |\n"
        "|---|---|---|---:|---:|---:|---:|---:|---:|\n");
    for (size_t i = 0; i < count; i++) {
        const struct dls_error_case *row = &errors->row[worst[i]];

        dls_str_add(out, "|");
        add_cell(out, row->group);
        dls_str_addf(out, " %s.%" PRId64 " |", row->id, row->repetition);
        add_cell(out, row->settings);
        dls_str_addf(out, " %.4g |", row->measured[DLS_QUANTITY_SAMPLES_PER_S]);
        add_number(
            out, dls_error_case_of(row, DLS_PREDICT_KNOWN, DLS_QUANTITY_SAMPLES_PER_S),
            true);
        add_number(
            out, dls_error_case_of(row, DLS_PREDICT_BLIND, DLS_QUANTITY_SAMPLES_PER_S),
            true);
        add_number(out, dls_error_case_of(row, DLS_PREDICT_KNOWN, DLS_QUANTITY_AU),
                   true);
        add_number(out, dls_error_case_of(row, DLS_PREDICT_BLIND, DLS_QUANTITY_AU),
                   true);
        if (isnan(row->speed))
            dls_str_add(out, " - |\n");
        else
            dls_str_addf(out, " %.3f |\n", row->speed);
    }
}

static void write_rates(const struct dls_error_group *group, struct dls_str *out)
{
    const struct dls_error_summary *known =
        &group->of[DLS_PREDICT_KNOWN][DLS_QUANTITY_SAMPLES_PER_S];
    const struct dls_error_summary *blind =
        &group->of[DLS_PREDICT_BLIND][DLS_QUANTITY_SAMPLES_PER_S];

    dls_str_addf(out, "| %s | %zu |", group->name, group->cases);
    add_number(out, 100 * group->noise[DLS_QUANTITY_SAMPLES_PER_S], false);
    add_pair(out, known);
    add_number(out, known->bias, true);
    add_number(out, known->worst, true);
    add_pair(out, blind);
    add_number(out, blind->bias, true);
    add_number(out, blind->worst, true);
    add_pair(out, &group->of[DLS_PREDICT_BOUND][DLS_QUANTITY_SAMPLES_PER_S]);
    add_pair(out, &group->of[DLS_PREDICT_CONSTANT][DLS_QUANTITY_SAMPLES_PER_S]);
    dls_str_add(out, "\n");
}

static void write_utilisation(const struct dls_error_group *group, struct dls_str *out)
{
    const struct dls_error_summary *known =
        &group->of[DLS_PREDICT_KNOWN][DLS_QUANTITY_AU];
    const struct dls_error_summary *blind =
        &group->of[DLS_PREDICT_BLIND][DLS_QUANTITY_AU];

    dls_str_addf(out, "| %s | %zu |", group->name, blind->n);
    add_number(out, 100 * group->noise[DLS_QUANTITY_AU], false);
    add_pair(out, known);
    add_number(out, known->bias, true);
    add_number(out, known->worst, true);
    add_pair(out, blind);
    add_number(out, blind->bias, true);
    add_number(out, blind->worst, true);
    dls_str_add(out, "\n");
}

static void write_groups(const struct dls_errors *errors,
                         void (*write)(const struct dls_error_group *group,
                                       struct dls_str *out),
                         struct dls_str *out)
{
    for (size_t i = 0; i < errors->groups; i++)
        write(&errors->group[i], out);
    for (size_t i = 0; i < errors->axes; i++)
        write(&errors->axis[i], out);
    write(&errors->all, out);
}

static void write_replays(const struct dls_errors *errors, struct dls_str *out)
{
    if (errors->replays == 0)
        return;
    dls_str_add(
        out,
        "\n## Replays\n\nEach calibrated from that recording alone. Arrivals: median "
        "over the batches, in % of "
        "the epoch.\n\n"
        "| recording | batches | measured s | simulated s | epoch % | arrivals % |\n"
        "|---|---:|---:|---:|---:|---:|\n");
    for (size_t i = 0; i < errors->replays; i++) {
        const struct dls_error_replay *replay = &errors->replay[i];

        dls_str_addf(out, "| %s | %" PRId64 " | %.4g | %.4g |", replay->recording,
                     replay->batches, replay->measured_s, replay->simulated_s);
        add_number(out, replay->epoch, true);
        add_number(out, replay->arrival, false);
        dls_str_add(out, "\n");
    }
}

void dls_errors_markdown(const struct dls_errors *errors,
                         const struct dls_errors_options *options, struct dls_str *out)
{
    dls_str_addf(out, "# Validation: %s\n\n", errors->name);
    if (errors->about[0] != '\0')
        dls_str_addf(out, "Measured on: %s.\n", errors->about);
    dls_str_add(out, "Result: ");
    dls_errors_verdict(errors, out);
    dls_str_addf(out, ".\nPrinted by `%s`.\n\n", options->again);
    dls_str_add(
        out,
        "Errors are signed, (predicted - measured) / measured; median and P90 are of "
        "their magnitude. **Known "
        "speed**: `host.speed` is set so\nthat the simulated CPU seconds equal the "
        "measured ones of that "
        "run; **blind**: nothing of the run is known. **Noise**: pooled standard "
        "deviation\nbetween "
        "repetitions of one configuration. **Min of rates**: min(workers x single "
        "rate up to the cores, "
        "batch / step). **Constant**: the mean of\nthe group.\n\n");
    write_limits(errors, out);
    write_worst(errors, out);
    if (errors->rows > 0) {
        dls_str_add(
            out,
            "\n## Samples per second\n\nMedian / P90 of |error| in %, signed median "
            "(bias) and worst.\n\n"
            "| rows | n | noise | known speed | bias | worst | blind | bias | worst | "
            "min of rates | "
            "constant |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
        write_groups(errors, write_rates, out);
        dls_str_add(
            out,
            "\n## AU\n\nRuns with a step; median / P90 of |error| in points.\n\n"
            "| rows | n | noise | known speed | bias | worst | blind | bias | worst |\n"
            "|---|---:|---:|---:|---:|---:|---:|---:|---:|\n");
        write_groups(errors, write_utilisation, out);
    }
    write_replays(errors, out);
}
