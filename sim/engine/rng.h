/* rng.h: random draws that depend on what they are for, never on execution order.
 *
 * A stream is a 64-bit key hashed from (seed, replication, instance, purpose) or, for
 * draws that belong to a sample, from (key of the instance, sample, visit, op). The
 * generator is counter-based: state = key + i x golden ratio, output = splitmix64's mix
 * (Steele, Lea, Flood 2014). rng_gsl.h presents it as a GSL generator. */
#ifndef DLS_SIM_ENGINE_RNG_H
#define DLS_SIM_ENGINE_RNG_H

#include <stdint.h>

#include "sim/base/hash.h"

__extension__ typedef unsigned __int128 dls_rng_wide;

/* Caller's storage. */
struct dls_rng {
    uint64_t state;
};

/* Key of a named stream. */
uint64_t dls_rng_key(uint64_t seed, uint64_t replication, const char *instance,
                     const char *purpose);

/* Key of the draws of one op on one visit of one sample, from the instance's key. */
static inline uint64_t dls_rng_at(uint64_t key, uint64_t sample, uint64_t visit,
                                  uint64_t op)
{
    return dls_hash_add(dls_hash_add(dls_hash_add(key, sample), visit), op);
}

static inline struct dls_rng dls_rng_of(uint64_t key)
{
    return (struct dls_rng){key};
}

static inline uint64_t dls_rng_word(struct dls_rng *rng)
{
    return dls_hash_mix(rng->state += 0x9e3779b97f4a7c15u);
}

/* Uniform in [0, 1), 53 bits. */
static inline double dls_rng_uniform(struct dls_rng *rng)
{
    return (double)(dls_rng_word(rng) >> 11) * 0x1p-53;
}

/* Uniform integer below `bound` >= 1 (multiply-shift; bias below 2^-32 for bounds below
 * 2^32). */
static inline uint64_t dls_rng_below(struct dls_rng *rng, uint64_t bound)
{
    return (uint64_t)(((dls_rng_wide)dls_rng_word(rng) * bound) >> 64);
}

/* A keyed bijection of 0..count-1 (Feistel network with cycle walking): position ->
 * element of a random permutation, O(1) time and no memory. */
uint64_t dls_rng_permute(uint64_t key, uint64_t position, uint64_t count);

#endif
