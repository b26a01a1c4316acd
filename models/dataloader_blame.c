#include "models/dataloader_int.h"

/* Whom the training loop's waits are booked on. */

static const enum dls_cause blamed[] = {DLS_CAUSE_STARTUP, DLS_CAUSE_STORAGE,
                                        DLS_CAUSE_CPU, DLS_CAUSE_INTERPRETER,
                                        DLS_CAUSE_COPY};

static double account_ns(const struct dls_worker *worker, enum dls_cause cause)
{
    return dls_work_cause_ns(&worker->work, worker->task, cause);
}

void dls_blame_begin(struct dls_dataloader *loader)
{
    struct dls_blame *blame = &loader->blame;
    struct dls_slot *slot = loader->conf->workers > 0
                                ? &loader->slots[loader->rcvd % loader->window]
                                : NULL;

    blame->began = dls_engine_now(loader->model->engine);
    blame->waiting_ns = blame->order_ns = 0;
    blame->worker = slot != NULL && slot->state == DLS_SLOT_ISSUED ? slot->worker : -1;
    for (int c = 0; blame->worker >= 0 && c < DLS_CAUSES; c++)
        blame->before_ns[c] = account_ns(&loader->workers[blame->worker],
                                         (enum dls_cause)c);
    if (slot == NULL)
        for (int c = 0; c < DLS_CAUSES; c++)
            blame->before_ns[c] = loader->main.work.cause_ns[c];
}

/* Books the wait that ends now: what the loop spent receiving is transport; time in
 * which a later batch was there and a worker idled is order (with every worker busy,
 * another order would gain nothing); the rest goes by what the due worker spent it
 * on. */
void dls_blame_end(struct dls_dataloader *loader)
{
    struct dls_blame *blame = &loader->blame;
    double *wait_ns = loader->model->ledger->wait_ns;
    double total = (double)(dls_engine_now(loader->model->engine) - blame->began);
    double rest = blame->waiting_ns - blame->order_ns;
    double delta[DLS_CAUSES] = {0}, sum = 0;

    if (loader->conf->workers == 0)
        rest = total;
    else
        wait_ns[DLS_CAUSE_TRANSPORT] += total - blame->waiting_ns;
    wait_ns[DLS_CAUSE_ORDER] += blame->order_ns;
    for (size_t i = 0; i < sizeof blamed / sizeof *blamed; i++) {
        enum dls_cause c = blamed[i];

        if (loader->conf->workers == 0)
            delta[c] = loader->main.work.cause_ns[c] - blame->before_ns[c];
        else if (blame->worker >= 0)
            delta[c] = account_ns(&loader->workers[blame->worker], c) -
                       blame->before_ns[c];
        sum += delta[c];
    }
    for (size_t i = 0; i < sizeof blamed / sizeof *blamed && sum > 0; i++)
        wait_ns[blamed[i]] += rest * delta[blamed[i]] / sum;
    if (sum <= 0)
        wait_ns[DLS_CAUSE_TRANSPORT] += rest;
}
