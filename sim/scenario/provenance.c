#include <stdio.h>
#include <string.h>

#include "sim/scenario/bind.h"
#include "sim/scenario/scenario.h"

/* Where each value of a scenario came from. */

static const char *origin_text(const struct dls_scenario *scenario, const struct dls_bound *bound)
{
    char text[512];

    switch (bound->layer) {
    case DLS_LAYER_DEFAULT:
        return "default";
    case DLS_LAYER_PRESET:
        snprintf(text, sizeof text, "preset %s", bound->origin);
        break;
    case DLS_LAYER_SET:
        return "--set";
    default:
        snprintf(text, sizeof text, "%s:%ld", bound->place.file, bound->place.line);
    }
    return dls_arena_text(scenario->arena, text);
}

bool dls_scenario_value(const struct dls_scenario *scenario, size_t index, struct dls_scenario_value *value)
{
    for (size_t b = 0; b < scenario->bindings; b++) {
        const struct dls_binding *binding = &scenario->binding[b];

        for (size_t i = 0; i < binding->count; i++) {
            const struct dls_bound *bound = &binding->bound[i];
            char path[256];

            if (bound->text == NULL || index-- != 0)
                continue;
            snprintf(path, sizeof path, "%s.%s", binding->section, bound->key);
            *value = (struct dls_scenario_value){
                .path = dls_arena_text(scenario->arena, path),
                .text = bound->text,
                .origin = origin_text(scenario, bound),
                .place = bound->place,
            };
            return true;
        }
    }
    return false;
}

struct dls_place dls_scenario_place(const struct dls_scenario *scenario, const char *path)
{
    struct dls_scenario_value value;

    for (size_t i = 0; dls_scenario_value(scenario, i, &value); i++)
        if (strcmp(value.path, path) == 0 && value.place.file != NULL)
            return value.place;
    return (struct dls_place){.file = scenario->path};
}
