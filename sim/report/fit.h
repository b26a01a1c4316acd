/* fit.h: a calibration for people and for programs: recordings, ops, parameters with
 * intervals, what is not identified. */
#ifndef DLS_SIM_REPORT_FIT_H
#define DLS_SIM_REPORT_FIT_H

#include "calib/fit.h"
#include "sim/base/str.h"

/* Appends the report as text of at most 80 columns, or as one JSON object. */
void dls_report_fit_text(const struct dls_fit *fit, struct dls_str *out);
void dls_report_fit_json(const struct dls_fit *fit, struct dls_str *out);

#endif
