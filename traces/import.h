/* import.h: what every importer reports. */
#ifndef DLS_TRACES_IMPORT_H
#define DLS_TRACES_IMPORT_H

#include <stdint.h>

/* Rows added, by table, and the number of the new recording. */
struct dls_import_report {
    int64_t trace;
    int64_t spans;
    int64_t batches;
    int64_t configs;
    int64_t micros;
    int64_t outcomes;
    int64_t gaps;
    int64_t clock_offset_ns;   /* added to the batches' times; 0 without batches */
    int64_t clock_residual_ns; /* largest distance left between a request and its wait
                                  span; -1: none to compare */
};

#endif
