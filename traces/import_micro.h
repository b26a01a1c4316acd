/* import_micro.h: imports measurements of the host: `test,class,n,value,unit`, columns
 * in any order, see csv.h.
 *
 * Each row is one measurement; rows of the same test, class, n and unit are
 * repetitions, numbered from 0 in the order of the file. The file becomes one recording
 * with tool 'micro' and clock 'none'. */
#ifndef DLS_TRACES_IMPORT_MICRO_H
#define DLS_TRACES_IMPORT_MICRO_H

#include "sim/base/diag.h"
#include "sim/base/status.h"
#include "traces/import.h"

/* As dls_import_spans, for one file. */
enum dls_status dls_import_micro(const char *db_path, const char *micro_path,
                                 struct dls_diag *diag,
                                 struct dls_import_report *report);

#endif
