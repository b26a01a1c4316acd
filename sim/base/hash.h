/* hash.h: 64-bit hashes for streams, inputs and fingerprints. Not cryptographic; stable
 * for ever, since golden files and parameter files hold them. */
#ifndef DLS_SIM_BASE_HASH_H
#define DLS_SIM_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* splitmix64's finaliser (Steele, Lea, Flood 2014): a bijection of 64-bit words. */
static inline uint64_t dls_hash_mix(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* Folds one word into a running hash; order matters. */
static inline uint64_t dls_hash_add(uint64_t hash, uint64_t word)
{
    return dls_hash_mix(hash ^ (word + 0x9e3779b97f4a7c15u + (hash << 6)));
}

/* Hash of bytes: FNV-1a's byte loop, finished by dls_hash_mix. Independent of byte
 * order. */
uint64_t dls_hash_bytes(const void *bytes, size_t count);
uint64_t dls_hash_text(const char *text);

#endif
