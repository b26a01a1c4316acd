/* dist.h: distributions by name.
 *
 * A law is a value: kind and parameters; empirical laws borrow an array. Draws come
 * from dls_rng; GSL draws the gamma, normal and lognormal. Results are in the unit of
 * the parameters. Negative draws are cut to 0 (durations). */
#ifndef DLS_SIM_ENGINE_DIST_H
#define DLS_SIM_ENGINE_DIST_H

#include <stddef.h>

#include "sim/engine/rng.h"

enum dls_law_kind {
    DLS_LAW_CONSTANT,    /* a */
    DLS_LAW_UNIFORM,     /* a .. b */
    DLS_LAW_NORMAL,      /* mean a, standard deviation b */
    DLS_LAW_LOGNORMAL,   /* mean a, standard deviation b (of the value, not of its
                            logarithm) */
    DLS_LAW_GAMMA,       /* mean a, standard deviation b */
    DLS_LAW_EXPONENTIAL, /* mean a */
    DLS_LAW_EMPIRICAL,   /* `values`, each equally likely */
    DLS_LAW_AFFINE /* a + b x size, times a residual drawn from `values` (1 when there
                      is none) */
};

struct dls_law {
    enum dls_law_kind kind;
    double a;
    double b;
    const double *values; /* borrowed; sorted or not */
    size_t count;
};

/* Name ("lognormal") to kind; false when unknown. And back. */
int dls_law_find(const char *name, enum dls_law_kind *kind);
const char *dls_law_name(enum dls_law_kind kind);

/* One draw. `size` matters to affine laws only. */
double dls_law_draw(const struct dls_law *law, struct dls_rng *rng, double size);

/* Expected value at `size`. */
double dls_law_mean(const struct dls_law *law, double size);

#endif
