#include "models/dataloader_int.h"

#include <math.h>
#include <stdio.h>

enum { WINDOW_MAX = 1000000 }; /* batches in flight: every one has a slot */

/* The training process: iterator, receiving, delivery in order or by arrival, epoch
 * edge, pin thread. */

const char *const dls_dataloader_start_modes[] = {"fork", NULL};

static void main_wait(struct dls_engine *engine, struct dls_task *task);
static void main_deliver(struct dls_dataloader *loader, struct dls_slot *slot);

void dls_dataloader_check(const void *conf_, struct dls_checker *checker)
{
    const struct dls_dataloader_conf *conf = conf_;
    int64_t window = conf->workers * conf->prefetch; /* each at most 1e6 */
    char text[96];

    if (window > WINDOW_MAX) {
        snprintf(text, sizeof text,
                 "'prefetch' times 'workers' must be at most %d, found %lld",
                 WINDOW_MAX, (long long)window);
        checker->error(checker, "prefetch", text);
    }
    /* a what-if of 0 workers on a file that sets both only makes the file's prefetch
     * idle */
    if (conf->workers == 0 && checker->given(checker, "prefetch") > 0 &&
        checker->given(checker, "prefetch") >= checker->given(checker, "workers"))
        checker->error(checker, "prefetch",
                       "'prefetch' needs at least 1 worker, found 'workers' 0");
    if (conf->workers == 0 && conf->persistent)
        checker->error(checker, "persistent",
                       "'persistent' needs at least 1 worker, found 'workers' 0");
}

/* Runs `work` on the main task with continuation `then`; goes on at once when it costs
 * nothing. */
static void main_use(struct dls_dataloader *loader, enum dls_stage stage,
                     double demand_ns, enum dls_cpu_class class, dls_run_fn *then)
{
    loader->main.work.then = then;
    if (dls_work_use(&loader->main.work, loader->main.task, stage, demand_ns, class,
                     true))
        then(loader->model->engine, loader->main.task);
}

/* Gives the training loop its turn. */
static void main_return(struct dls_dataloader *loader)
{
    struct dls_work *work = &loader->main.work;

    work->then = main_wait;
    dls_work_wait(work, loader->main.task, DLS_CAUSE_IDLE);
    dls_engine_resume(loader->model->engine, loader->caller);
}

/* Notes the batch that next() gives. */
static void batch_set(struct dls_dataloader *loader, int64_t number, int64_t samples,
                      double bytes)
{
    struct dls_model *transform = loader->model->to->of[DLS_ROLE_TRANSFORM];
    double items = DLS_KIND_OF(transform, transform)->items_per_sample(transform);

    loader->batch = (struct dls_batch){
        .number = number,
        .samples = samples,
        .items = (int64_t)floor((double)samples * items + 0.5),
        .bytes = bytes,
        .pinned = loader->conf->pin,
    };
    loader->held_bytes = loader->conf->workers > 0 ? bytes : 0;
}

/* ------------------------------------------------------------------ issue */

/* In order: the next worker of the cycle, whatever its load. Out of order: the first
 * one with fewer than `prefetch` outstanding tasks. */
static int32_t worker_choose(struct dls_dataloader *loader)
{
    const struct dls_dataloader_conf *conf = loader->conf;

    for (int64_t i = 0; i < conf->workers; i++) {
        int64_t worker = (loader->cycle + i) % conf->workers;

        if (conf->in_order || loader->workers[worker].outstanding < conf->prefetch) {
            loader->cycle = (worker + 1) % conf->workers;
            return (int32_t)worker;
        }
    }
    dls_bug("a free place in the window", __FILE__, __LINE__, "%s",
            "every worker holds its share of tasks");
}

static void issue(struct dls_dataloader *loader)
{
    int64_t number = loader->send++;
    struct dls_slot *slot = loader->conf->in_order
                                ? &loader->slots[number % loader->window]
                                : dls_slots_pop(&loader->free);

    DLS_REQUIRE(slot->state == DLS_SLOT_FREE, "batch %lld finds its place taken",
                (long long)number);
    *slot = (struct dls_slot){
        .number = number,
        .samples = dls_dataloader_samples(loader, number),
        .worker = worker_choose(loader),
        .state = DLS_SLOT_ISSUED,
    };
    loader->workers[slot->worker].outstanding++;
    dls_worker_send(&loader->workers[slot->worker], slot);
}

/* ------------------------------------------------------------------ start of an
 * epoch */

static void window_issued(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_dataloader *loader = ((struct dls_receiver *)task->self)->loader;

    (void)engine;
    if (loader->main.index > 0)
        issue(loader);
    if (loader->main.index++ < (int64_t)loader->window &&
        loader->send < loader->batches)
        main_use(loader, DLS_STAGE_START, 1e9 * loader->conf->issue_s, DLS_CPU_PYTHON,
                 window_issued);
    else
        main_return(loader);
}

static void window_issue(struct dls_engine *engine, struct dls_task *task)
{
    ((struct dls_receiver *)task->self)->index = 0;
    window_issued(engine, task);
}

/* One worker has been forked; the loop forks one after the other. */
static void worker_forked(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_dataloader *loader = ((struct dls_receiver *)task->self)->loader;

    if (loader->main.index > 0)
        dls_worker_begin(&loader->workers[loader->main.index - 1]);
    if (loader->main.index++ < loader->conf->workers)
        main_use(loader, DLS_STAGE_START, 1e9 * loader->conf->start_worker_s,
                 DLS_CPU_KERNEL, worker_forked);
    else
        window_issue(engine, task);
}

static void iterator_made(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_dataloader *loader = ((struct dls_receiver *)task->self)->loader;

    if (loader->conf->workers == 0) {
        main_return(loader);
        return;
    }
    loader->main.index = 0;
    if (loader->is_running) {
        window_issue(engine, task);
    } else {
        loader->is_running = true;
        worker_forked(engine, task);
    }
}

bool dls_dataloader_start(struct dls_model *model, struct dls_task *task, int64_t epoch)
{
    struct dls_dataloader *loader = model->state;
    struct dls_model *source = loader->model->to->of[DLS_ROLE_SOURCE];
    const struct dls_dataloader_conf *conf = loader->conf;
    int64_t samples = DLS_KIND_OF(source, source)->samples(source);
    bool is_resumed = loader->is_running;

    loader->epoch = epoch;
    loader->batches = samples / conf->batch +
                      (!conf->drop_last && samples % conf->batch != 0);
    loader->send = loader->rcvd = loader->cycle = 0;
    loader->caller = dls_task_park(loader->model->engine, task, DLS_CAUSE_STARTUP);
    main_use(loader, DLS_STAGE_START,
             1e9 * (is_resumed ? conf->reset_s : conf->start_s), DLS_CPU_PYTHON,
             iterator_made);
    return false;
}

/* ------------------------------------------------------------------ receiving */

static void receiver_wake(struct dls_receiver *receiver)
{
    if (receiver->is_waiting) {
        receiver->is_waiting = false;
        dls_engine_resume(receiver->loader->model->engine, receiver->waiting);
    }
}

void dls_dataloader_arrived(struct dls_dataloader *loader, struct dls_slot *slot)
{
    dls_slots_put(&loader->arrivals, slot);
    receiver_wake(loader->conf->pin ? &loader->pin : &loader->main);
}

static void receiver_wait(struct dls_receiver *receiver, dls_run_fn *then)
{
    receiver->work.then = then;
    receiver->waiting = dls_work_wait(&receiver->work, receiver->task, DLS_CAUSE_DATA);
    receiver->is_waiting = true;
}

static void receive_done(struct dls_engine *engine, struct dls_task *task);

/* Un-pickling and mapping, then the worker's answer to the request for descriptors. */
static void receive_read(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_receiver *receiver = task->self;

    receiver->work.then = receive_done;
    if (dls_batch_cost_ns(&receiver->loader->conf->handshake, receiver->slot->samples,
                          receiver->slot->bytes) > 0)
        dls_worker_answer(&receiver->loader->workers[receiver->slot->worker],
                          receiver->slot,
                          dls_work_wait(&receiver->work, task, DLS_CAUSE_TRANSPORT));
    else
        receive_done(engine, task);
}

static void receive(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_receiver *receiver = task->self;
    struct dls_dataloader *loader = receiver->loader;
    struct dls_slot *slot = dls_slots_pop(&loader->arrivals);

    receiver->slot = slot;
    receiver->work.batch = slot->number;
    receiver->work.then = receive_read;
    if (dls_work_use(
            &receiver->work, task, DLS_STAGE_UNPICKLE,
            dls_batch_cost_ns(&loader->conf->receive, slot->samples, slot->bytes),
            DLS_CPU_PYTHON, true))
        receive_read(engine, task);
}

/* ------------------------------------------------------------------ pin thread */

static void pin_go(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_receiver *pin = task->self;

    if (pin->loader->arrivals.count == 0)
        receiver_wait(pin, pin_go);
    else
        receive(engine, task);
}

static void pin_copied(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_receiver *pin = task->self;
    struct dls_dataloader *loader = pin->loader;
    struct dls_ledger *ledger = loader->model->ledger;
    double bytes = pin->slot->bytes;
    dls_time now = dls_engine_now(engine);

    dls_gauge_set(&ledger->shm_bytes, now, ledger->shm_bytes.level - bytes);
    dls_gauge_set(&ledger->pinned_bytes, now, ledger->pinned_bytes.level + bytes);
    dls_slots_put(&loader->pinned, pin->slot);
    receiver_wake(&loader->main);
    pin_go(engine, task);
}

/* ------------------------------------------------------------------ delivery */

static void receive_done(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_receiver *receiver = task->self;
    struct dls_dataloader *loader = receiver->loader;
    struct dls_slot *slot = receiver->slot;
    struct dls_model *memory = loader->model->to->of[DLS_ROLE_MEMORY];
    enum dls_cpu_class class;
    double demand;

    if (receiver == &loader->main) {
        slot->state = DLS_SLOT_ARRIVED;
        loader->arrived++;
        main_wait(engine, task);
        return;
    }
    demand = DLS_KIND_OF(memory, memory)->copy_ns(memory, slot->bytes, false, &class);
    receiver->work.then = pin_copied;
    if (dls_work_use(&receiver->work, task, DLS_STAGE_PIN, demand, class, false))
        pin_copied(engine, task);
}

static void wait_ended(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_dataloader *loader = ((struct dls_receiver *)task->self)->loader;
    double waited = (double)(dls_engine_now(engine) - loader->blame.wait_began);

    loader->blame.waiting_ns += waited;
    if (loader->blame.is_order)
        loader->blame.order_ns += waited;
    main_wait(engine, task);
}

/* The batch that may be delivered now: the due one; out of order, the one that has just
 * arrived. */
static struct dls_slot *deliverable(struct dls_dataloader *loader)
{
    struct dls_slot *slot = &loader->slots[loader->rcvd % loader->window];

    if (!loader->conf->in_order)
        slot = loader->main.slot;
    return slot != NULL && slot->state == DLS_SLOT_ARRIVED ? slot : NULL;
}

/* Inside next(): deliver what is due, else receive, else sleep until something
 * arrives. */
static void main_wait(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_dataloader *loader = ((struct dls_receiver *)task->self)->loader;
    struct dls_slot *slot = deliverable(loader);

    while (slot == NULL && loader->pinned.count > 0) {
        loader->main.slot = dls_slots_pop(&loader->pinned);
        loader->main.slot->state = DLS_SLOT_ARRIVED;
        loader->arrived++;
        slot = deliverable(loader);
    }
    if (slot != NULL) {
        main_deliver(loader, slot);
    } else if (!loader->conf->pin && loader->arrivals.count > 0) {
        receive(engine, task);
    } else {
        loader->blame.wait_began = dls_engine_now(engine);
        loader->blame.is_order = loader->arrived > 0 && loader->idle > 0;
        receiver_wait(&loader->main, wait_ended);
    }
}

/* The next task has been sent: the training loop gets its batch. */
static void delivered(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_dataloader *loader = ((struct dls_receiver *)task->self)->loader;

    (void)engine;
    if (loader->send < loader->batches)
        issue(loader);
    dls_blame_end(loader);
    main_return(loader);
}

static void main_deliver(struct dls_dataloader *loader, struct dls_slot *slot)
{
    batch_set(loader, slot->number, slot->samples, slot->bytes);
    slot->state = DLS_SLOT_FREE;
    loader->arrived--;
    loader->workers[slot->worker].outstanding--;
    loader->main.slot = NULL;
    if (!loader->conf->in_order)
        dls_slots_put(&loader->free, slot);
    loader->rcvd++;
    main_use(loader, DLS_STAGE_WAIT,
             loader->send < loader->batches ? 1e9 * loader->conf->issue_s : 0,
             DLS_CPU_PYTHON, delivered);
}

void dls_dataloader_made(struct dls_dataloader *loader, int64_t samples, double bytes)
{
    batch_set(loader, loader->rcvd++, samples, bytes);
    dls_blame_end(loader);
    main_return(loader);
}

/* ------------------------------------------------------------------ epoch edge */

static void torn_down(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_dataloader *loader = ((struct dls_receiver *)task->self)->loader;

    (void)engine;
    loader->is_running = false;
    main_return(loader);
}

bool dls_dataloader_finish(struct dls_model *model, struct dls_task *task)
{
    struct dls_dataloader *loader = model->state;
    const struct dls_dataloader_conf *conf = loader->conf;
    double demand_s = conf->teardown_s +
                      conf->teardown_worker_s * (double)conf->workers;

    if (conf->persistent)
        return true;
    loader->caller = dls_task_park(model->engine, task, DLS_CAUSE_STARTUP);
    main_use(loader, DLS_STAGE_START, 1e9 * demand_s, DLS_CPU_KERNEL, torn_down);
    return false;
}

/* The batch that the loop held is dropped when it asks for the next one. */
static void held_drop(struct dls_dataloader *loader)
{
    struct dls_ledger *ledger = loader->model->ledger;
    struct dls_gauge *held = loader->conf->pin ? &ledger->pinned_bytes
                                               : &ledger->shm_bytes;

    if (loader->held_bytes > 0)
        dls_gauge_set(held, dls_engine_now(loader->model->engine),
                      held->level - loader->held_bytes);
    loader->held_bytes = 0;
}

bool dls_dataloader_next(struct dls_model *model, struct dls_task *task)
{
    struct dls_dataloader *loader = model->state;
    struct dls_engine *engine = loader->model->engine;

    held_drop(loader);
    loader->caller = dls_task_park(engine, task, DLS_CAUSE_DATA);
    if (loader->rcvd == loader->batches) {
        loader->batch = (struct dls_batch){.number = -1};
        main_return(loader);
        return false;
    }
    dls_blame_begin(loader);
    if (loader->conf->workers == 0)
        dls_dataloader_make(engine, loader->main.task);
    else
        main_wait(engine, loader->main.task);
    return false;
}

/* ------------------------------------------------------------------ set-up */

static void receiver_init(struct dls_receiver *receiver, struct dls_dataloader *loader,
                          struct dls_program *program,
                          struct dls_interpreter *interpreter, dls_run_fn *run)
{
    receiver->loader = loader;
    receiver->work.owner = loader->model;
    receiver->work.program = program;
    receiver->work.interpreter = interpreter;
    receiver->work.batch = receiver->work.sample = -1;
    receiver->task = dls_task_new(loader->model->engine, run, receiver);
    receiver->task->flags |= DLS_TASK_DAEMON;
}

const struct dls_batch *dls_dataloader_batch(struct dls_model *model)
{
    return &((struct dls_dataloader *)model->state)->batch;
}

struct dls_interpreter *dls_dataloader_interpreter(struct dls_model *model)
{
    return ((struct dls_dataloader *)model->state)->main.work.interpreter;
}

void dls_dataloader_init(struct dls_model *model)
{
    struct dls_dataloader *loader = model->state;
    const struct dls_dataloader_conf *conf = model->conf;
    struct dls_arena *arena = dls_engine_arena(model->engine);
    struct dls_model *cpu = model->to->of[DLS_ROLE_CPU];
    struct dls_interpreter *interpreter = DLS_KIND_OF(cpu, cpu)->interpreter_new(cpu);
    struct dls_program *program = dls_program_new(model);

    loader->model = model;
    loader->conf = conf;
    loader->is_first = true;
    receiver_init(&loader->main, loader, program, interpreter, main_wait);
    if (conf->workers == 0)
        return;
    loader->window = (uint32_t)(conf->prefetch * conf->workers);
    loader->slots = dls_arena_get(arena, loader->window, sizeof *loader->slots);
    loader->workers = dls_arena_get(arena, (size_t)conf->workers,
                                    sizeof *loader->workers);
    dls_slots_init(&loader->arrivals, arena, loader->window);
    dls_slots_init(&loader->pinned, arena, loader->window);
    dls_slots_init(&loader->free, arena, loader->window);
    for (uint32_t i = 0; i < loader->window && !conf->in_order; i++)
        dls_slots_put(&loader->free, &loader->slots[i]);
    for (int32_t i = 0; i < conf->workers; i++)
        dls_worker_init(&loader->workers[i], loader, i, program);
    if (conf->pin) {
        receiver_init(&loader->pin, loader, NULL, interpreter, pin_go);
        pin_go(model->engine, loader->pin.task);
    }
}
