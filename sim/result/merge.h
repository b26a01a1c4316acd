/* merge.h: the outcomes of all replications to one result.
 *
 * Values are combined in index order, so the result does not depend on which
 * replication finished first. A replication without an observation of a metric (NaN)
 * does not count for it; one that deadlocked counts for none. */
#ifndef DLS_SIM_RESULT_MERGE_H
#define DLS_SIM_RESULT_MERGE_H

#include "sim/result/result.h"

/* What the result says about its inputs. Everything is copied; texts may be NULL. */
struct dls_result_facts {
    const char *scenario_name, *scenario_path, *about;
    uint64_t scenario_hash;
    uint64_t params_hash;
    const char *params_path;
    int64_t seed, ranks;
    int64_t workers, prefetch, batch; /* -1: the loader has none */
    double cores;
    /* Noise between real runs that the replications do not hold (relative standard
     * deviation), for predict_low and predict_high; 0: none. */
    double noise_cv;
    const struct dls_origin *origin;
    size_t origins;
    const struct dls_batch_times *batch_times; /* of replication 0, rank 0 */
    size_t batches;
};

/* `count` >= 1 outcomes by index. The caller frees the result with dls_result_free. */
struct dls_result *dls_result_of(const struct dls_outcome *outcomes, size_t count,
                                 const struct dls_result_facts *facts);

#endif
