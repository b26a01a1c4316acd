#include "sim/engine/rng.h"

#include <limits.h>

#include "sim/base/status.h"
#include "sim/engine/rng_gsl.h"

static void set_seed(void *state, unsigned long seed)
{
    ((struct dls_rng *)state)->state = seed;
}

static unsigned long get_word(void *state)
{
    return dls_rng_word(state);
}

static double get_uniform(void *state)
{
    return dls_rng_uniform(state);
}

_Static_assert(sizeof(unsigned long) == 8, "GSL's words hold 64 bits");

const gsl_rng_type dls_rng_type = {
    .name = "dls_rng",
    .max = ULONG_MAX,
    .min = 0,
    .size = sizeof(struct dls_rng),
    .set = set_seed,
    .get = get_word,
    .get_double = get_uniform,
};

uint64_t dls_rng_key(uint64_t seed, uint64_t replication, const char *instance,
                     const char *purpose)
{
    uint64_t key = dls_hash_add(dls_hash_mix(seed), replication);

    return dls_hash_add(dls_hash_add(key, dls_hash_text(instance)),
                        dls_hash_text(purpose));
}

/* Rounds of the network; small domains need more of them until each permutation is
 * about equally likely. */
enum { PAIRS_OF_ROUNDS = 2, PAIRS_OF_ROUNDS_SMALL = 6, SMALL_BITS = 16 };

/* Feistel network over `bits` bits (Luby, Rackoff 1988), halves as equal as can be:
 * each half in turn is changed by a function of the other, so it is a bijection
 * whatever that function. */
static uint64_t encipher(uint64_t key, uint64_t word, unsigned bits)
{
    const unsigned low_bits = bits / 2;
    const uint64_t low_mask = ((uint64_t)1 << low_bits) - 1;
    const uint64_t high_mask = ((uint64_t)1 << (bits - low_bits)) - 1;
    const unsigned pairs = bits <= SMALL_BITS ? PAIRS_OF_ROUNDS_SMALL : PAIRS_OF_ROUNDS;
    uint64_t high = word >> low_bits;
    uint64_t low = word & low_mask;

    for (unsigned pair = 0; pair < pairs; pair++) {
        high ^= dls_hash_mix((key += 0x9e3779b97f4a7c15u) ^ low) & high_mask;
        low ^= dls_hash_mix((key += 0x9e3779b97f4a7c15u) ^ high) & low_mask;
    }
    return high << low_bits | low;
}

/* Below 4 bits a network reaches too few of the permutations. */
enum { LEAST_BITS = 4 };

uint64_t dls_rng_permute(uint64_t key, uint64_t position, uint64_t count)
{
    const uint64_t own_key = dls_hash_mix(key);
    const uint64_t turn_key = dls_hash_mix(~own_key);
    uint64_t element = position;
    unsigned bits = LEAST_BITS;
    dls_rng_wide turned;

    DLS_REQUIRE(position < count, "position %llu of %llu", (unsigned long long)position,
                (unsigned long long)count);
    while (bits < 64 && (count - 1) >> bits != 0)
        bits++;
    /* Walks the cycle until it comes back into range: fewer than two steps on average
     * for counts above 8. */
    do
        element = encipher(own_key, element, bits);
    while (element >= count);
    /* A keyed turn makes every element equally likely at a position; turn and mirror
     * give all orders of up to 3. */
    turned = (dls_rng_wide)element + (((dls_rng_wide)turn_key * count) >> 64);
    element = (uint64_t)(turned >= count ? turned - count : turned);
    return turn_key & 1 ? count - 1 - element : element;
}
