#include "models/dataloader_int.h"

/* 0 workers: next() makes the batch in the training loop's own thread: draw indices,
 * fetch the samples one after the other, collate into private memory, pin. Nothing
 * overlaps with what the same thread does. */

static void single_finish(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_receiver *main = task->self;
    struct dls_dataloader *loader = main->loader;
    struct dls_ledger *ledger = loader->model->ledger;

    if (loader->conf->pin)
        dls_gauge_set(&ledger->pinned_bytes, dls_engine_now(engine),
                      ledger->pinned_bytes.level + main->bytes);
    dls_dataloader_made(loader, main->samples, main->bytes);
}

static void single_pin(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_receiver *main = task->self;
    struct dls_dataloader *loader = main->loader;
    struct dls_model *memory = loader->model->to->of[DLS_ROLE_MEMORY];
    enum dls_cpu_class class;
    double demand =
        DLS_KIND_OF(memory, memory)->copy_ns(memory, main->bytes, false, &class);

    main->work.then = single_finish;
    if (!loader->conf->pin ||
        dls_work_use(&main->work, task, DLS_STAGE_PIN, demand, class, false))
        single_finish(engine, task);
}

static void single_fetched(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_receiver *main = task->self;
    struct dls_dataloader *loader = main->loader;

    main->work.then = single_fetched;
    while (main->index < main->samples) {
        int64_t sample = dls_dataloader_sample(loader, loader->rcvd, main->index++);
        bool is_done = dls_work_sample(&main->work, task, sample, loader->epoch);

        main->bytes += dls_dataloader_out_bytes(loader, main->work.row);
        if (!is_done)
            return;
    }
    main->work.sample = -1;
    main->work.then = single_pin;
    if (dls_work_use(
            &main->work, task, DLS_STAGE_COLLATE,
            dls_batch_cost_ns(&loader->conf->collate_main, main->samples, main->bytes),
            DLS_CPU_COPY, false))
        single_pin(engine, task);
}

void dls_dataloader_make(struct dls_engine *engine, struct dls_task *task)
{
    struct dls_receiver *main = task->self;
    struct dls_dataloader *loader = main->loader;
    const struct dls_dataloader_conf *conf = loader->conf;

    main->work.batch = loader->rcvd;
    main->work.sample = -1;
    main->index = 0;
    main->bytes = 0;
    main->samples = dls_dataloader_samples(loader, loader->rcvd);
    main->work.then = single_fetched;
    if (dls_work_use(
            &main->work, task, loader->is_first ? DLS_STAGE_START : DLS_STAGE_WAIT,
            1e9 * (conf->issue_s + (loader->is_first ? conf->first_main_s : 0)),
            DLS_CPU_PYTHON, true)) {
        loader->is_first = false;
        single_fetched(engine, task);
        return;
    }
    loader->is_first = false;
}
