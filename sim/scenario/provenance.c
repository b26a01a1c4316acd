#include <stdio.h>
#include <string.h>

#include "sim/base/units.h"
#include "sim/scenario/scenario_int.h"

/* Where each value of a scenario came from: one table, made when the scenario has been
 * read. */

static const char *origin_text(struct dls_arena *arena, const struct dls_bound *bound)
{
    struct dls_str text;
    const char *kept;

    if (bound->layer == DLS_LAYER_DEFAULT)
        return "default";
    if (bound->layer == DLS_LAYER_SET)
        return "--set";
    dls_str_init(&text);
    if (bound->layer == DLS_LAYER_PRESET)
        dls_str_addf(&text, "preset %s", bound->origin);
    else
        dls_str_addf(&text, "%s:%ld", bound->place.file, bound->place.line);
    kept = dls_arena_text(arena, text.data);
    dls_str_release(&text);
    return kept;
}

static const char *unit_text(const struct dls_param *param)
{
    return param->type == DLS_PARAM_QUANTITY || param->type == DLS_PARAM_LAW
               ? dls_units_symbol(param->unit)
               : "";
}

static struct dls_scenario_value value_of(struct dls_arena *arena,
                                          const struct dls_binding *binding,
                                          const struct dls_bound *bound)
{
    size_t size = strlen(binding->section) + strlen(bound->key) + 2;
    char *path = dls_arena_get(arena, size, 1);

    snprintf(path, size, "%s.%s", binding->section, bound->key);
    return (struct dls_scenario_value){
        .path = path,
        .text = bound->text,
        .unit = unit_text(bound->param),
        .origin = origin_text(arena, bound),
        .notes = bound->notes != NULL ? bound->notes : "",
        .place = bound->place,
    };
}

void dls_provenance_make(struct dls_scenario *scenario,
                         const struct dls_binding *bindings, size_t count)
{
    size_t most = 0;

    for (size_t b = 0; b < count; b++)
        most += bindings[b].count;
    scenario->value = dls_arena_get(scenario->arena, most + 1, sizeof *scenario->value);
    for (size_t b = 0; b < count; b++)
        for (size_t i = 0; i < bindings[b].count; i++)
            if (bindings[b].bound[i].text != NULL)
                scenario->value[scenario->values++] = value_of(
                    scenario->arena, &bindings[b], &bindings[b].bound[i]);
}

bool dls_scenario_value(const struct dls_scenario *scenario, size_t index,
                        struct dls_scenario_value *value)
{
    if (index >= scenario->values)
        return false;
    *value = scenario->value[index];
    return true;
}

struct dls_place dls_scenario_place(const struct dls_scenario *scenario,
                                    const char *path)
{
    for (size_t i = 0; i < scenario->values; i++)
        if (strcmp(scenario->value[i].path, path) == 0 &&
            scenario->value[i].place.file != NULL)
            return scenario->value[i].place;
    return (struct dls_place){.file = scenario->path};
}
