/* dataloader_int.h: the engine of torch.utils.data.DataLoader, shared by the loader
 * kinds that are built on it.
 *
 * Rules (design reference loaders.md 2, read there in PyTorch's own source): the window
 * of prefetch x workers batches moves on delivery; task k belongs to worker k mod W,
 * whatever the load (in order), or to the first worker of the cycle with fewer than
 * `prefetch` tasks (out of order); a worker starts its next task before the previous
 * result has left, its feeder thread competes with it for the interpreter lock; without
 * a pin thread the training loop receives only while it is inside next().
 *
 * dataloader.c is the training loop's side (issue, receive, deliver, epoch edge),
 * dataloader_worker.c the workers', dataloader_single.c the case of 0 workers,
 * dataloader_blame.c the account of waits. */
#ifndef DLS_MODELS_DATALOADER_INT_H
#define DLS_MODELS_DATALOADER_INT_H

#include "sim/work.h"

/* A cost of one batch: fixed + per_sample x samples + per_byte x bytes after the
 * transform; seconds of CPU. */
struct dls_batch_cost {
    double fixed_s;
    double per_sample_s;
    double per_byte_s;
};

/* Conf of every kind built on this engine; the kinds' own conf starts with it. */
struct dls_dataloader_conf {
    int64_t workers, prefetch, batch;
    bool pin, persistent, in_order, drop_last;
    int start_mode;
    struct dls_batch_cost collate;      /* in a worker: into fresh shared memory */
    struct dls_batch_cost collate_main; /* with 0 workers: into private memory */
    struct dls_batch_cost
        put; /* the worker's feeder thread: pickling, writing to the pipe */
    struct dls_batch_cost receive; /* main or pin thread: un-pickling, mapping */
    struct dls_batch_cost
        handshake;  /* worker: its descriptor server answers during receive */
    double fetch_s; /* worker's Python between two batches */
    double issue_s; /* drawing indices and sending a task */
    double start_s, start_worker_s; /* main: iterator, and fork of one worker */
    double lag_s;                   /* from fork to the worker's first action */
    double first_s;      /* extra CPU of a worker's first batch of its life */
    double first_main_s; /* the same with 0 workers, once a run */
    double reset_s;      /* persistent workers: resume round trip of an epoch */
    double teardown_s,
        teardown_worker_s; /* end of an epoch without persistent workers */
};

/* The parameter rows of that conf, for the tables of the kinds. */
#define DLS_DATALOADER_AT(field) offsetof(struct dls_dataloader_conf, field)

#define DLS_DATALOADER_COUNT(name, other, field, usual, least, text)                   \
    {                                                                                  \
        .key = name, .synonym = other, .type = DLS_PARAM_COUNT,                        \
        .offset = DLS_DATALOADER_AT(field), .preset = usual, .min = least, .max = 1e6, \
        .help = text                                                                   \
    }

#define DLS_DATALOADER_BOOL(name, other, field, usual, text)                           \
    {                                                                                  \
        .key = name, .synonym = other, .type = DLS_PARAM_BOOL,                         \
        .offset = DLS_DATALOADER_AT(field), .preset = usual, .help = text              \
    }

#define DLS_DATALOADER_TIME(name, field, text)                                         \
    {                                                                                  \
        .key = name, .type = DLS_PARAM_QUANTITY, .unit = DLS_UNIT_TIME,                \
        .offset = DLS_DATALOADER_AT(field), .preset = "0 s", .max = 3600,              \
        .flags = DLS_PARAM_CALIBRATED, .help = text                                    \
    }

#define DLS_DATALOADER_COST(name, field, role)                                         \
    DLS_DATALOADER_TIME(name ".fixed", field.fixed_s, role ", per batch"),             \
        DLS_DATALOADER_TIME(name ".per_sample", field.per_sample_s,                    \
                            role ", per sample"),                                      \
    {                                                                                  \
        .key = name ".per_byte", .type = DLS_PARAM_QUANTITY,                           \
        .unit = DLS_UNIT_S_PER_BYTE, .offset = DLS_DATALOADER_AT(field.per_byte_s),    \
        .preset = "0 s/B", .max = 1, .flags = DLS_PARAM_CALIBRATED,                    \
        .help = role ", per byte of the batch"                                         \
    }

#define DLS_DATALOADER_PARAMS                                                          \
    DLS_DATALOADER_COUNT("workers", "num_workers", workers, "0", 0,                    \
                         "worker processes"),                                          \
        DLS_DATALOADER_COUNT("prefetch", "prefetch_factor", prefetch, "2", 1,          \
                             "batches in flight per worker"),                          \
        DLS_DATALOADER_COUNT("batch", "batch_size", batch, NULL, 1,                    \
                             "samples in a batch"),                                    \
        DLS_DATALOADER_BOOL("pin", "pin_memory", pin, "false",                         \
                            "a thread copies batches into pinned memory"),             \
        DLS_DATALOADER_BOOL("persistent", "persistent_workers", persistent, "false",   \
                            "keep the workers across epochs"),                         \
        DLS_DATALOADER_BOOL("in_order", NULL, in_order, "true",                        \
                            "deliver by number, not by arrival"),                      \
        DLS_DATALOADER_BOOL("drop_last", NULL, drop_last, "false",                     \
                            "drop the epoch's partial batch"),                         \
        {.key = "start_mode",                                                          \
         .synonym = "multiprocessing_context",                                         \
         .type = DLS_PARAM_CHOICE,                                                     \
         .offset = DLS_DATALOADER_AT(start_mode),                                      \
         .preset = "fork",                                                             \
         .choices = dls_dataloader_start_modes,                                        \
         .help = "how worker processes start"},                                        \
        DLS_DATALOADER_COST("collate", collate, "CPU of collate in a worker"),         \
        DLS_DATALOADER_COST("collate_main", collate_main,                              \
                            "CPU of collate with 0 workers"),                          \
        DLS_DATALOADER_COST("put", put, "CPU of the worker's feeder thread"),          \
        DLS_DATALOADER_COST("receive", receive,                                        \
                            "CPU of un-pickling in the training process"),             \
        DLS_DATALOADER_COST("handshake", handshake,                                    \
                            "CPU of the worker's descriptor server, during receive"),  \
        DLS_DATALOADER_TIME("fetch", fetch_s, "CPU of a worker between two batches"),  \
        DLS_DATALOADER_TIME("issue", issue_s,                                          \
                            "CPU of drawing indices and sending a task"),              \
        DLS_DATALOADER_TIME("start", start_s, "CPU of creating the iterator"),         \
        DLS_DATALOADER_TIME("start_worker", start_worker_s,                            \
                            "CPU of forking one worker"),                              \
        DLS_DATALOADER_TIME("lag", lag_s, "from the fork to a worker's first action"), \
        DLS_DATALOADER_TIME("first", first_s, "extra CPU of a worker's first batch"),  \
        DLS_DATALOADER_TIME("first_main", first_main_s,                                \
                            "extra CPU of the first batch with 0 workers"),            \
        DLS_DATALOADER_TIME("reset", reset_s, "new epoch with persistent workers"),    \
        DLS_DATALOADER_TIME("teardown", teardown_s, "end of an epoch"),                \
        DLS_DATALOADER_TIME("teardown_worker", teardown_worker_s, "end of one worker")

extern const char *const dls_dataloader_start_modes[];

/* Rules across the parameters. */
void dls_dataloader_check(const void *conf, struct dls_checker *checker);

/* ------------------------------------------------------------------ state */

enum { DLS_SLOT_FREE, DLS_SLOT_ISSUED, DLS_SLOT_ARRIVED };

/* One outstanding batch. In order it stands at index number % window; out of order
 * wherever there was room. */
struct dls_slot {
    int64_t number;
    int64_t samples;
    double bytes;
    int32_t worker;
    uint8_t state;
};

/* A ring of slots; its capacity is fixed before the run. */
struct dls_slots {
    struct dls_slot **slots;
    uint32_t capacity, head, count;
};

struct dls_dataloader;

struct dls_worker {
    struct dls_work work; /* first: the task's self */
    struct dls_dataloader *loader;
    struct dls_task *task;
    struct dls_ref idle; /* the task's wait for work, while it is idle */
    bool is_idle;
    bool is_new; /* has not finished its first batch */
    struct dls_slots tasks;
    struct dls_slot *slot; /* the batch in hand */
    int64_t outstanding;   /* tasks sent and not delivered */
    int64_t position;      /* next sample of the present batch */
    double bytes;          /* of the present batch, after the transform */
    struct dls_feeder *feeder;
    struct dls_answerer *answerer;
};

/* The worker's second thread: it hands finished batches over. */
struct dls_feeder {
    struct dls_work work; /* first */
    struct dls_worker *worker;
    struct dls_task *task;
    struct dls_slot *slot; /* the batch in hand */
    struct dls_ref idle;
    bool is_idle;
    struct dls_slots finished;
};

/* The worker's third thread: it hands out the descriptors of a batch while the training
 * process receives it. */
struct dls_answerer {
    struct dls_work work; /* first */
    struct dls_worker *worker;
    struct dls_task *task;
    struct dls_ref client; /* the receiver's wait */
};

/* A thread of the training process that receives batches: the training loop inside
 * next(), or the pin thread. */
struct dls_receiver {
    struct dls_work work; /* first */
    struct dls_dataloader *loader;
    struct dls_task *task;
    struct dls_ref waiting; /* for an arrival */
    bool is_waiting;
    struct dls_slot *slot; /* the batch in hand */
    int64_t index;         /* of a loop over workers, tasks or samples */
    int64_t samples;       /* with 0 workers: of the batch in hand */
    double bytes;
};

/* Whom a wait in next() is booked on: differences of the due worker's account over the
 * wait. */
struct dls_blame {
    dls_time began;
    dls_time wait_began;
    int32_t worker; /* of the due batch; -1: none */
    double before_ns[DLS_CAUSES];
    bool is_order;     /* of the piece under way */
    double waiting_ns; /* with nothing to receive */
    double order_ns; /* of that: a later batch was there, and a worker idled because the
                        window was full */
};

struct dls_dataloader {
    struct dls_model *model;
    const struct dls_dataloader_conf *conf;
    struct dls_worker *workers;
    struct dls_receiver main, pin;
    struct dls_ref caller; /* the training loop's wait */
    struct dls_slot *slots;
    uint32_t window;           /* prefetch x workers */
    uint32_t arrived;          /* slots in state ARRIVED */
    int64_t idle;              /* workers without a task */
    struct dls_slots free;     /* out of order: slots without a batch */
    struct dls_slots arrivals; /* written to the pipe, not yet received */
    struct dls_slots
        pinned; /* received by the pin thread, not yet taken by the training loop */
    int64_t epoch, batches;
    int64_t send, rcvd;
    int64_t cycle;   /* next worker to be given a task */
    bool is_running; /* workers live */
    bool is_first;   /* with 0 workers: no batch yet */
    struct dls_batch batch;
    double held_bytes; /* of the batch that the training loop holds */
    struct dls_blame blame;
};

/* ------------------------------------------------------------------ shared by the two
 * files */

/* The role's functions, for the tables of the kinds; their state is a struct
 * dls_dataloader. */
void dls_dataloader_init(struct dls_model *model);
bool dls_dataloader_start(struct dls_model *model, struct dls_task *task,
                          int64_t epoch);
bool dls_dataloader_next(struct dls_model *model, struct dls_task *task);
bool dls_dataloader_finish(struct dls_model *model, struct dls_task *task);
const struct dls_batch *dls_dataloader_batch(struct dls_model *model);
struct dls_interpreter *dls_dataloader_interpreter(struct dls_model *model);

/* The worker's side: one worker is made ready; its process has been forked; a task was
 * sent. */
void dls_worker_init(struct dls_worker *worker, struct dls_dataloader *loader,
                     int32_t index, struct dls_program *program);
void dls_worker_begin(struct dls_worker *worker);
/* Resumes `client` when the worker has answered for the batch in `slot`. */
void dls_worker_answer(struct dls_worker *worker, const struct dls_slot *slot,
                       struct dls_ref client);
void dls_worker_send(struct dls_worker *worker, struct dls_slot *slot);

/* A feeder has written a batch to the pipe. */
void dls_dataloader_arrived(struct dls_dataloader *loader, struct dls_slot *slot);

/* With 0 workers: the training loop itself makes batch `rcvd`; dls_dataloader_made ends
 * it. */
void dls_dataloader_make(struct dls_engine *engine, struct dls_task *task);
void dls_dataloader_made(struct dls_dataloader *loader, int64_t samples, double bytes);

double dls_batch_cost_ns(const struct dls_batch_cost *cost, int64_t samples,
                         double bytes);

/* A wait in next() begins and ends: it is booked on the causes that made it. */
void dls_blame_begin(struct dls_dataloader *loader);
void dls_blame_end(struct dls_dataloader *loader);

/* Samples of a batch of the present epoch. */
int64_t dls_dataloader_samples(const struct dls_dataloader *loader, int64_t number);

/* Sample at `position` of batch `number` of the present epoch, and bytes of a sample
 * after the transform. */
int64_t dls_dataloader_sample(struct dls_dataloader *loader, int64_t number,
                              int64_t position);
double dls_dataloader_out_bytes(struct dls_dataloader *loader, int64_t row);

void dls_slots_init(struct dls_slots *slots, struct dls_arena *arena,
                    uint32_t capacity);
void dls_slots_put(struct dls_slots *slots, struct dls_slot *slot);
struct dls_slot *dls_slots_pop(struct dls_slots *slots);

#endif
