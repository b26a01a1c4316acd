/* output.h: the way to stdout and to files. A write that fails is an error, also at the
 * last byte. */
#ifndef DLS_SIM_CMD_OUTPUT_H
#define DLS_SIM_CMD_OUTPUT_H

#include "sim/base/diag.h"
#include "sim/base/status.h"
#include "sim/base/str.h"

/* Writes `text` to `path`, or to stdout when `path` is NULL or "-". DLS_EIO with a
 * message when that fails. */
enum dls_status dls_output_write(const char *path, const struct dls_str *text,
                                 struct dls_diag *diag);

/* Writes to stderr; failure is ignored, there is no place left to tell. */
void dls_output_message(const char *text, size_t bytes);

#endif
