/* verdict_int.h: shared by verdict.c and hints.c. */
#ifndef DLS_SIM_RESULT_VERDICT_INT_H
#define DLS_SIM_RESULT_VERDICT_INT_H

#include "sim/base/units.h"
#include "sim/result/verdict.h"

/* What the rules look at, derived once from a result. */
struct dls_diagnosis {
    const struct dls_result *result;
    double samples_per_s;
    double total_s;      /* sum of the epoch times */
    double worker_s;     /* elapsed in the task loops of workers, all of them */
    double worker_cpu_s; /* their CPU demand alone */
    double cpu_demand_s; /* of all stages */
    double wait_s;       /* of the training loops, all causes */
    double cpu_busy, device_busy; /* shares; NaN: unknown */
    double read_share;            /* of worker_s: open and read */
    double first_share; /* of the time in next(): the first batches of epochs */
    bool has_workers;
};

/* printf into the arena. */
const char *dls_verdict_textf(struct dls_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Largest stage of `seconds` among the stages of workers (or all but wait and step). */
enum dls_stage dls_verdict_largest(const double seconds[DLS_STAGES], bool workers_only);

/* The value of a key of the scenario as text, or NULL. */
const char *dls_verdict_input(const struct dls_result *result, const char *path);

/* The same as a number > 0 in base units; NaN when it is absent, zero or of another
 * kind. */
double dls_verdict_quantity(const struct dls_result *result, const char *path,
                            enum dls_unit unit);

/* Fills verdict->hint. */
void dls_hints_fill(const struct dls_diagnosis *diagnosis, struct dls_verdict *verdict);

#endif
