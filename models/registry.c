#include "models/registry.h"

#include <string.h>

#include "models/presets/presets.h"

#define DLS_KIND(role, constant) extern const struct dls_##role##_kind dls_##constant;
#include "models/registry.def"
#undef DLS_KIND

static const struct dls_kind *const kinds[] = {
#define DLS_KIND(role, constant) &dls_##constant.kind,
#include "models/registry.def"
#undef DLS_KIND
};

static const struct dls_preset *const presets[] = {
    dls_presets_host,
    dls_presets_storage,
    dls_presets_link,
    dls_presets_consumer,
};

const struct dls_kind *dls_registry_find(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i]->name, name) == 0)
            return kinds[i];
    return NULL;
}

const struct dls_kind *dls_registry_at(size_t index)
{
    return index < sizeof kinds / sizeof *kinds ? kinds[index] : NULL;
}

const struct dls_kind *dls_registry_default(enum dls_role role)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i]->role == role)
            return kinds[i];
    dls_bug("a role without a kind", __FILE__, __LINE__, "%s", dls_role_text(role));
}

const struct dls_preset *dls_preset_at(size_t index)
{
    for (size_t i = 0; i < sizeof presets / sizeof *presets; i++)
        for (const struct dls_preset *row = presets[i]; row->name != NULL; row++)
            if (index-- == 0)
                return row;
    return NULL;
}

const struct dls_preset *dls_preset_find(const char *section, const char *name)
{
    const struct dls_preset *row;

    for (size_t i = 0; (row = dls_preset_at(i)) != NULL; i++)
        if (strcmp(row->section, section) == 0 && strcmp(row->name, name) == 0)
            return row;
    return NULL;
}
