/* consumer_int.h: the training loop that all consumer kinds share: epochs, next(), copy
 * to the device, step, collective, checkpoint. A kind supplies the step. */
#ifndef DLS_MODELS_CONSUMER_INT_H
#define DLS_MODELS_CONSUMER_INT_H

#include "sim/work.h"

struct dls_training {
    struct dls_work work; /* first: the task's self */
    struct dls_model *model;
    struct dls_task *task;
    dls_run_fn *step; /* runs one step for `batch`, sets step_ns, and ends with
                         dls_training_stepped */
    void (*ended)(void *self);
    void *ended_self;
    struct dls_batch batch;
    struct dls_batch_times times;
    int64_t epoch, steps;
    dls_time epoch_began;
    dls_time device_ends; /* when the device has done all steps launched so far */
};

/* Prepares the loop and starts it at the present time. */
void dls_training_begin(struct dls_training *training, struct dls_model *model,
                        dls_run_fn *step, void (*ended)(void *self), void *self);

/* The host is through with the step; the device ends it at `device_ends`. */
void dls_training_stepped(struct dls_engine *engine, struct dls_task *task);

#endif
