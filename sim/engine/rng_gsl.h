/* rng_gsl.h: dls_rng as a generator of GSL, for its distributions.
 *
 *     struct dls_rng rng = dls_rng_of(key);
 *     gsl_rng source = dls_rng_gsl(&rng);      // draws advance `rng`
 *     double x = gsl_ran_gamma(&source, 2.0, 1.0);
 *
 * The state is the 8 bytes of the stream, the seed has 64 bits, and nothing is
 * allocated. */
#ifndef DLS_SIM_ENGINE_RNG_GSL_H
#define DLS_SIM_ENGINE_RNG_GSL_H

#include <gsl/gsl_rng.h>

#include "sim/engine/rng.h"

extern const gsl_rng_type dls_rng_type;

/* Borrows `rng`. */
static inline gsl_rng dls_rng_gsl(struct dls_rng *rng)
{
    return (gsl_rng){&dls_rng_type, rng};
}

#endif
