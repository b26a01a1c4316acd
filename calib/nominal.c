/* nominal.c: how fast the host usually is, against the moments of the recordings.
 *
 * A recording may carry the CPU time of one fixed decode before and after it; the
 * host's measurements hold the same kind of operation at other moments. Their ratio is
 * the host's usual speed against the recordings', but both are short and noisy: the
 * logarithm is shrunk by s^2 / (s^2 + e^2), where s is how much a shared host's speed
 * varies between runs and e is the error of the measured ratio, from the scatter of the
 * pairs and of the repetitions (the usual shrinkage of a noisy observation towards its
 * mean). */
#include <math.h>
#include <string.h>

#include "calib/calib_int.h"
#include "sim/stats/tally.h"

/* Standard deviation of log speed between runs of one shared host (7-13 % were measured
 * on one). */
static const double DRIFT = 0.10;

/* Adds log(CPU time per decode) of the host's measurements, all numbers of
 * processes. */
static void micro_add(struct dls_calibration *calibration, struct dls_tally *tally)
{
    for (size_t t = 0; t < calibration->list.count; t++) {
        struct dls_trace_micros micros = {0};

        if (dls_trace_micros_read(calibration->db, calibration->list.data[t].trace,
                                  calibration->diag, &micros) != DLS_OK)
            continue;
        for (size_t i = 0; i < micros.count; i++)
            if (strcmp(micros.data[i].test, "cpu_per_op") == 0 &&
                strcmp(micros.data[i].class_, "decode") == 0 &&
                strcmp(micros.data[i].unit, "ms") == 0 && micros.data[i].value > 0)
                dls_tally_add(tally, log(micros.data[i].value));
        dls_trace_micros_release(&micros);
    }
}

/* Adds log(CPU time of the reference decode) around each recording; `scatter` takes
 * half the squared difference of each pair, the variance of one measurement. */
static void reference_add(struct dls_calibration *calibration, struct dls_tally *tally,
                          struct dls_tally *scatter)
{
    for (size_t r = 0; r < calibration->recordings; r++) {
        struct dls_trace_outcomes outcomes = {0};
        double before = NAN, after = NAN;

        if (dls_trace_outcomes_read(calibration->db,
                                    calibration->recording[r].info->trace,
                                    calibration->diag, &outcomes) != DLS_OK)
            continue;
        for (size_t i = 0; i < outcomes.count; i++) {
            if (strcmp(outcomes.data[i].metric, "ref_before_ms") == 0 &&
                outcomes.data[i].value > 0)
                before = log(outcomes.data[i].value);
            if (strcmp(outcomes.data[i].metric, "ref_after_ms") == 0 &&
                outcomes.data[i].value > 0)
                after = log(outcomes.data[i].value);
        }
        dls_trace_outcomes_release(&outcomes);
        if (isnan(before) || isnan(after))
            continue;
        dls_tally_add(tally, before);
        dls_tally_add(tally, after);
        dls_tally_add(scatter, (before - after) * (before - after) / 2);
    }
}

void dls_estimate_nominal(struct dls_calibration *calibration)
{
    struct dls_tally micro = {0}, reference = {0}, scatter = {0};
    double error, shrink;

    dls_fit_set(calibration, "run", "noise", DLS_UNIT_NUMBER, DRIFT, 0,
                "default: speed of a shared host between runs");
    micro_add(calibration, &micro);
    reference_add(calibration, &reference, &scatter);
    if (micro.count < 2 || reference.count < 2) {
        dls_fit_missing(
            calibration, "host.speed",
            "nothing tells how fast the host usually is; 1 is the recordings' speed",
            "micro measurements, and recordings with their reference decode");
        return;
    }
    error = dls_tally_mean(&scatter) / (double)reference.count +
            dls_tally_variance(&micro) / (double)micro.count;
    shrink = DRIFT * DRIFT / (DRIFT * DRIFT + error);
    dls_fit_set(
        calibration, "host", "speed", DLS_UNIT_NUMBER,
        exp(shrink * (dls_tally_mean(&reference) - dls_tally_mean(&micro))),
        reference.count + micro.count,
        "reference decodes of the recordings against the host's measurements, shrunk");
}
