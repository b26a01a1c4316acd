#include "models/dataloader_int.h"

/* Batches: their place in rings, their samples and what they cost. */

void dls_slots_init(struct dls_slots *slots, struct dls_arena *arena, uint32_t capacity)
{
    slots->capacity = capacity ? capacity : 1;
    slots->slots = dls_arena_get(arena, slots->capacity, sizeof(struct dls_slot *));
}

void dls_slots_put(struct dls_slots *slots, struct dls_slot *slot)
{
    DLS_REQUIRE(slots->count < slots->capacity, "%s",
                "more batches than the window allows");
    slots->slots[(slots->head + slots->count++) % slots->capacity] = slot;
}

struct dls_slot *dls_slots_pop(struct dls_slots *slots)
{
    struct dls_slot *slot = slots->slots[slots->head];

    DLS_REQUIRE(slots->count > 0, "%s", "nothing to take");
    slots->head = (slots->head + 1) % slots->capacity;
    slots->count--;
    return slot;
}

double dls_batch_cost_ns(const struct dls_batch_cost *cost, int64_t samples,
                         double bytes)
{
    return 1e9 * (cost->fixed_s + cost->per_sample_s * (double)samples +
                  cost->per_byte_s * bytes);
}

int64_t dls_dataloader_samples(const struct dls_dataloader *loader, int64_t number)
{
    struct dls_model *source = loader->model->to->of[DLS_ROLE_SOURCE];
    int64_t left = DLS_KIND_OF(source, source)->samples(source) -
                   number * loader->conf->batch;

    return left < loader->conf->batch ? left : loader->conf->batch;
}

int64_t dls_dataloader_sample(struct dls_dataloader *loader, int64_t number,
                              int64_t position)
{
    struct dls_model *source = loader->model->to->of[DLS_ROLE_SOURCE];

    return DLS_KIND_OF(source, source)
        ->at(source, loader->epoch, number * loader->conf->batch + position);
}

double dls_dataloader_out_bytes(struct dls_dataloader *loader, int64_t row)
{
    struct dls_model *transform = loader->model->to->of[DLS_ROLE_TRANSFORM];

    return DLS_KIND_OF(transform, transform)->out_bytes(transform, row);
}
