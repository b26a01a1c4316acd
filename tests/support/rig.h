/* rig.h: a small simulation built by hand: every role with its kind's table presets,
 * some confs replaced by the test.
 *
 * Samples have one op, "work", whose demand comes from a table in recorded order; files
 * have 0 bytes. Starts and ends of every batch's work and deliveries are noted. */
#ifndef DLS_TESTS_SUPPORT_RIG_H
#define DLS_TESTS_SUPPORT_RIG_H

#include "sim/model.h"

enum { RIG_BATCHES = 256 };

struct rig {
    struct dls_engine *engine;
    struct dls_host host;
    struct dls_run_conf run;
    struct dls_ledger ledger;
    struct dls_observer observer;
    struct dls_roles roles;
    struct dls_samples table;
    struct dls_samples_column columns[2];
    struct dls_op op;
    double start_s[RIG_BATCHES], end_s[RIG_BATCHES]; /* of a batch's work, by number */
    double request_s[RIG_BATCHES], arrive_s[RIG_BATCHES],
        done_s[RIG_BATCHES];    /* by order of delivery */
    int64_t order[RIG_BATCHES]; /* numbers by order of delivery */
    int64_t delivered;
};

/* `work_s`: demand of each sample in seconds, read in order; borrowed. `cores`
 * processors without sharing losses. */
void rig_init(struct rig *rig, int64_t cores, const double *work_s, int64_t samples);
void rig_release(struct rig *rig);

/* Adds the model of a kind with its table presets (required keys 0) and hands its conf
 * over for changes. Roles are to be added in the order of the call graph, lowest first;
 * the model is initialised by the next rig call. */
void *rig_conf(const struct dls_kind *kind);
struct dls_model *rig_add(struct rig *rig, const struct dls_kind *kind, void *conf);

/* The field of a conf that belongs to a key of the kind's table. */
void *rig_field(const struct dls_kind *kind, void *conf, const char *key);

/* Adds every role that is still missing below the loader, with presets. */
void rig_add_lower(struct rig *rig);

/* Adds consumer and the rest, runs to the end, and returns how the engine ended. */
enum dls_engine_end rig_run(struct rig *rig, const struct dls_kind *consumer,
                            void *consumer_conf);

#endif
