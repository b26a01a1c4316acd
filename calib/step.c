/* step.c: the training loop's step, as far as a recording shows one: emulated
 * accelerators sleep. */
#include <math.h>
#include <string.h>

#include "calib/calib_int.h"
#include "sim/base/vec.h"
#include "sim/stats/interval.h"

/* Seconds of a measured median ("us_median", "us"); 0 for other statistics of the
 * measurement. */
static double median_factor(const char *unit)
{
    static const struct {
        const char *unit;
        double factor;
    } units[] = {{"us_median", 1e-6}, {"ms_median", 1e-3}, {"s_median", 1},
                 {"us", 1e-6},        {"ms", 1e-3},        {"s", 1}};

    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(unit, units[i].unit) == 0)
            return units[i].factor;
    return 0;
}

/* How late a sleep ends, from the host's measurements: median over the times asked for;
 * NaN without any. */
static double micro_overshoot(struct dls_calibration *calibration)
{
    DLS_VEC(double) late = {0};
    double median = NAN;

    for (size_t t = 0; t < calibration->list.count; t++) {
        struct dls_trace_micros micros = {0};

        if (dls_trace_micros_read(calibration->db, calibration->list.data[t].trace,
                                  calibration->diag, &micros) != DLS_OK)
            continue;
        for (size_t i = 0; i < micros.count; i++)
            if (strcmp(micros.data[i].test, "sleep_overshoot") == 0 &&
                median_factor(micros.data[i].unit) > 0)
                DLS_VEC_ADD(&late,
                            micros.data[i].value * median_factor(micros.data[i].unit));
        dls_trace_micros_release(&micros);
    }
    if (late.count > 0)
        median = dls_interval_median(late.data, late.count);
    DLS_VEC_RELEASE(&late);
    return median;
}

/* Linux lets the timer of an ordinary thread be late by this much (timer slack) before
 * the thread is woken. */
static const double TIMER_SLACK_S = 50e-6;

void dls_estimate_step(struct dls_calibration *calibration)
{
    double slept = 0, asked = 0, work = 0, overshoot = micro_overshoot(calibration);
    int64_t sleeps = 0, steps = 0;

    for (size_t r = 0; r < calibration->recordings; r++) {
        const struct dls_recording *recording = &calibration->recording[r];

        steps += recording->timeline.steps;
        work += recording->timeline.step_cpu_ns * 1e-9 * recording->scale;
        if (recording->step_s > 0) {
            sleeps += recording->timeline.steps;
            slept += recording->timeline.step_dur_ns * 1e-9;
            asked += recording->step_s * (double)recording->timeline.steps;
        }
    }
    if (!isnan(overshoot))
        dls_fit_set(
            calibration, "cpu", "wakeup", DLS_UNIT_TIME,
            fmax(overshoot - TIMER_SLACK_S, 0), 1,
            "micro measurements: sleep_overshoot less the timer slack of 50 us");
    if (steps > 0)
        dls_fit_set(calibration, "consumer", "work", DLS_UNIT_TIME,
                    work / (double)steps, steps, "CPU inside step spans");
    if (sleeps > 0)
        dls_fit_set(calibration, "consumer", "overshoot", DLS_UNIT_TIME,
                    fmax(slept - asked, 0) / (double)sleeps, sleeps,
                    "step spans less the step asked for");
    else if (!isnan(overshoot))
        dls_fit_set(calibration, "consumer", "overshoot", DLS_UNIT_TIME,
                    fmax(overshoot, 0), 1, "micro measurements: sleep_overshoot");
    else
        dls_fit_missing(calibration, "consumer.overshoot",
                        "no recording has a step, and there are no micro measurements",
                        "a recording with a step, or micro measurements");
}
