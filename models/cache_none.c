/* cache.none: nothing stays in memory; with run.start warm, everything is there from
 * the start.
 *
 * The bounds of every replacement policy: all misses when cold, all hits when the data
 * set fits and was read before.
 * Tested by: counts of hits and misses (tests/unit/test_models.c,
 * tests/unit/test_storage.c). */
#include "sim/model.h"

static const struct dls_param params[] = {{0}};

static enum dls_claim claim(struct dls_model *cache, int64_t file, int64_t offset,
                            int64_t bytes)
{
    (void)file;
    (void)offset;
    (void)bytes;
    return cache->run->start == DLS_START_WARM ? DLS_CLAIM_HIT : DLS_CLAIM_FETCH;
}

const struct dls_cache_kind dls_cache_none = {
    .kind =
        {
            .abi = DLS_MODEL_ABI,
            .role = DLS_ROLE_CACHE,
            .name = "cache.none",
            .summary = "nothing stays in memory (start cold), or everything is there "
                       "(start warm)",
            .params = params,
        },
    .claim = claim,
};
