#include "sim/base/hash.h"

#include <string.h>

uint64_t dls_hash_bytes(const void *bytes, size_t count)
{
    const unsigned char *byte = bytes;
    uint64_t hash = 0xcbf29ce484222325u;

    for (size_t i = 0; i < count; i++)
        hash = (hash ^ byte[i]) * 0x100000001b3u;
    return dls_hash_mix(hash);
}

uint64_t dls_hash_text(const char *text)
{
    return dls_hash_bytes(text, strlen(text));
}
