#include "sim/scenario/bind.h"

#include <stdio.h>
#include <string.h>

#include "sim/scenario/bind_int.h"

/* ------------------------------------------------------------------ records */

static size_t table_rows(const struct dls_param *params)
{
    size_t rows = 0;

    while (params != NULL && params[rows].key != NULL)
        rows++;
    return rows;
}

static struct dls_slot_at slot_of(struct dls_binding *binding, const struct dls_param *param, enum dls_layer layer,
                                  const char *dir)
{
    return (struct dls_slot_at){binding, param, binding->conf, layer, dir};
}

void dls_bind_begin(struct dls_binding *binding, const char *section, const char *owner, const struct dls_param *params,
                    void *conf, struct dls_arena *arena, struct dls_diag *diag)
{
    *binding = (struct dls_binding){
        .section = section, .owner = owner, .params = params, .conf = conf, .arena = arena, .diag = diag};
    binding->count = table_rows(params);
    binding->bound = dls_arena_get(arena, binding->count + 1, sizeof *binding->bound);
    for (size_t i = 0; i < binding->count; i++) {
        struct dls_slot_at at = slot_of(binding, &params[i], DLS_LAYER_DEFAULT, NULL);

        binding->bound[i] = (struct dls_bound){.key = params[i].key, .text = params[i].preset};
        if (params[i].preset != NULL)
            dls_bind_text(&at, params[i].preset);
    }
}

const struct dls_bound *dls_bind_find(const struct dls_binding *binding, const char *key)
{
    for (size_t i = 0; i < binding->count; i++)
        if (strcmp(binding->bound[i].key, key) == 0)
            return &binding->bound[i];
    return NULL;
}

/* Adds a record for a field of a list's element, or renews it. */
static void record_element(struct dls_binding *binding, const char *key, const char *text, enum dls_layer layer,
                           const struct dls_place *place)
{
    struct dls_bound *found = (struct dls_bound *)(uintptr_t)dls_bind_find(binding, key);

    if (found == NULL) {
        struct dls_bound *grown = dls_arena_get(binding->arena, binding->count + 2, sizeof *grown);

        memcpy(grown, binding->bound, binding->count * sizeof *grown);
        binding->bound = grown;
        found = &grown[binding->count++];
        found->key = dls_arena_text(binding->arena, key);
    }
    found->text = dls_arena_text(binding->arena, text);
    found->layer = layer;
    found->place = *place;
    found->origin = NULL;
}

/* ------------------------------------------------------------------ keys */

static bool is_reserved(const char *const *reserved, const char *key)
{
    for (; reserved != NULL && *reserved != NULL; reserved++)
        if (strcmp(*reserved, key) == 0)
            return true;
    return false;
}

/* Row of a key, its synonym, or, for "group.key", of the dotted key. */
static const struct dls_param *row_find(const struct dls_param *table, const char *prefix, const char *key)
{
    char dotted[128];

    snprintf(dotted, sizeof dotted, "%s%s%s", prefix, *prefix ? "." : "", key);
    for (; table->key != NULL; table++)
        if (strcmp(table->key, dotted) == 0 || (table->synonym != NULL && strcmp(table->synonym, dotted) == 0))
            return table;
    return NULL;
}

/* Does the table have keys "group.*"? */
static bool is_group(const struct dls_param *table, const char *group)
{
    size_t length = strlen(group);

    for (; table->key != NULL; table++)
        if (strncmp(table->key, group, length) == 0 && table->key[length] == '.')
            return true;
    return false;
}

void dls_bind_unknown(struct dls_binding *binding, const struct dls_param *table, const struct dls_yaml *key,
                      const char *path)
{
    const char *names[256];
    const char *near;
    size_t count = 0;

    for (const struct dls_param *row = table; row->key != NULL && count + 2 < 256; row++) {
        names[count++] = row->key;
        if (row->synonym != NULL)
            names[count++] = row->synonym;
    }
    near = dls_str_near(path, names, count);
    if (near != NULL)
        dls_diag_error(binding->diag, &key->place, "unknown key '%s' in %s (did you mean '%s'?)", path, binding->owner,
                       near);
    else
        dls_diag_error(binding->diag, &key->place, "unknown key '%s' in %s", path, binding->owner);
}

const struct dls_yaml *dls_bind_annotated(struct dls_binding *binding, const struct dls_yaml *node,
                                          enum dls_layer layer)
{
    static const char *const notes[] = {"value", "low", "high", "n", "fit", "from", NULL};

    if (layer != DLS_LAYER_PARAMS || node->type != DLS_YAML_MAPPING || dls_yaml_get(node, "value") == NULL)
        return node;
    for (size_t i = 0; i < node->count; i++)
        if (!is_reserved(notes, node->key[i]->text)) {
            dls_diag_error(binding->diag, &node->key[i]->place,
                           "unknown note '%s' on a value, expected value, low, high, n, fit or from",
                           node->key[i]->text);
            return NULL;
        }
    return dls_yaml_get(node, "value");
}

static void value_bind(struct dls_binding *binding, const struct dls_param *row, const struct dls_yaml *node,
                       enum dls_layer layer, const char *dir)
{
    struct dls_slot_at at = slot_of(binding, row, layer, dir);
    struct dls_bound *bound = &binding->bound[row - binding->params];
    const struct dls_yaml *value = dls_bind_annotated(binding, node, layer);
    const char *text;

    if (value == NULL || !dls_bind_value(&at, value, &text))
        text = value != NULL && value->type == DLS_YAML_SCALAR ? value->text : "";
    bound->text = dls_arena_text(binding->arena, text);
    bound->layer = layer;
    bound->place = value != NULL ? value->place : node->place;
    bound->origin = NULL;
}

/* `step: 90 ms` sets step.base and puts the group's other keys back to their presets. */
static bool group_scalar_bind(struct dls_binding *binding, const char *group, const struct dls_yaml *node,
                              enum dls_layer layer, const char *dir)
{
    const struct dls_param *base = row_find(binding->params, group, "base");
    size_t length = strlen(group);

    if (base == NULL)
        return false;
    value_bind(binding, base, node, layer, dir);
    for (const struct dls_param *row = binding->params; row->key != NULL; row++) {
        struct dls_slot_at at = slot_of(binding, row, layer, dir);

        if (row == base || strncmp(row->key, group, length) != 0 || row->key[length] != '.' || row->preset == NULL)
            continue;
        dls_bind_text(&at, row->preset);
        binding->bound[row - binding->params].text = row->preset;
        binding->bound[row - binding->params].layer = layer;
        binding->bound[row - binding->params].place = node->place;
    }
    return true;
}

/* ------------------------------------------------------------------ list elements */

static bool element_key_bind(struct dls_binding *binding, const struct dls_param *row, void *element,
                             const struct dls_yaml *node, enum dls_layer layer, const char *dir)
{
    struct dls_slot_at at = {binding, row, element, layer, dir};
    const struct dls_yaml *value = dls_bind_annotated(binding, node, layer);
    const char *text;

    return value != NULL && dls_bind_value(&at, value, &text);
}

bool dls_bind_element(struct dls_binding *binding, const struct dls_param *table, void *element,
                      const struct dls_yaml *mapping, enum dls_layer layer, const char *dir)
{
    bool is_good = true;

    if (mapping->type != DLS_YAML_MAPPING) {
        dls_diag_error(binding->diag, &mapping->place, "expected a mapping, found %s",
                       dls_yaml_type_text(mapping->type));
        return false;
    }
    for (const struct dls_param *row = table; row->key != NULL; row++) {
        struct dls_slot_at at = {binding, row, element, layer, dir};
        const struct dls_yaml *node = dls_yaml_get(mapping, row->key);

        if (node != NULL)
            is_good = element_key_bind(binding, row, element, node, layer, dir) && is_good;
        else if (row->preset != NULL)
            dls_bind_text(&at, row->preset);
        else if (!(row->flags & DLS_PARAM_OPTIONAL)) {
            dls_diag_error(binding->diag, &mapping->place, "missing key '%s' in an element of %s", row->key,
                           binding->owner);
            is_good = false;
        }
    }
    for (size_t i = 0; i < mapping->count; i++)
        if (row_find(table, "", mapping->key[i]->text) == NULL) {
            dls_bind_unknown(binding, table, mapping->key[i], mapping->key[i]->text);
            is_good = false;
        }
    return is_good;
}

/* The element of a list parameter that is called `name` by its first field; its table goes to `item`. */
static void *element_find(struct dls_binding *binding, const char *name, const struct dls_param **item)
{
    for (const struct dls_param *row = binding->params; row->key != NULL; row++) {
        const struct dls_list *list = (const void *)((const char *)binding->conf + row->offset);

        if (row->type != DLS_PARAM_LIST || row->item[0].type != DLS_PARAM_TEXT)
            continue;
        for (size_t i = 0; i < list->count; i++) {
            char *element = (char *)list->items + i * row->item_size;

            if (strcmp(*(const char **)(void *)(element + row->item[0].offset), name) == 0) {
                *item = row->item;
                return element;
            }
        }
    }
    return NULL;
}

/* `jpeg: {scale: 0.5}`: fields of the op called jpeg. False when there is no such element. */
static bool element_bind(struct dls_binding *binding, const struct dls_yaml *key, const struct dls_yaml *node,
                         enum dls_layer layer, const char *dir)
{
    const struct dls_param *item;
    void *element = element_find(binding, key->text, &item);
    char path[160];

    if (element == NULL)
        return false;
    if (node->type != DLS_YAML_MAPPING) {
        dls_diag_error(binding->diag, &node->place, "'%s' must be a mapping such as {scale: 0.5}, found %s", key->text,
                       dls_yaml_type_text(node->type));
        return true;
    }
    for (size_t i = 0; i < node->count; i++) {
        const struct dls_param *row = row_find(item, "", node->key[i]->text);

        snprintf(path, sizeof path, "%s.%s", key->text, node->key[i]->text);
        if (row == NULL)
            dls_bind_unknown(binding, item, node->key[i], node->key[i]->text);
        else if (element_key_bind(binding, row, element, node->item[i], layer, dir))
            record_element(binding, path, node->item[i]->type == DLS_YAML_SCALAR ? node->item[i]->text : "", layer,
                           &node->item[i]->place);
    }
    return true;
}

/* ------------------------------------------------------------------ mappings */

struct pass {
    struct dls_binding *binding;
    enum dls_layer layer;
    const char *const *reserved;
    bool (*is_known)(void *self, const char *key);
    void *self;
    const char *dir;
    const struct dls_yaml **seen; /* by row: the key that gave it in this mapping */
};

static bool is_twice(struct pass *pass, const struct dls_param *row, const struct dls_yaml *key)
{
    const struct dls_yaml **seen = &pass->seen[row - pass->binding->params];

    if (*seen != NULL) {
        dls_diag_error(pass->binding->diag, &key->place, "'%s' is given twice, as '%s' on line %ld and as '%s'",
                       row->key, (*seen)->text, (*seen)->place.line, key->text);
        return true;
    }
    *seen = key;
    return false;
}

static void mapping_bind(struct pass *pass, const struct dls_yaml *mapping, const char *prefix, bool lists);

static void key_bind(struct pass *pass, const struct dls_yaml *key, const struct dls_yaml *node, const char *prefix,
                     bool elements)
{
    struct dls_binding *binding = pass->binding;
    const struct dls_param *row = row_find(binding->params, prefix, key->text);
    char path[128];

    snprintf(path, sizeof path, "%s%s%s", prefix, *prefix ? "." : "", key->text);
    if (row != NULL) {
        if (!elements && !is_twice(pass, row, key))
            value_bind(binding, row, node, pass->layer, pass->dir);
        return;
    }
    if (is_group(binding->params, path)) {
        if (node->type == DLS_YAML_MAPPING && dls_bind_annotated(binding, node, pass->layer) == node)
            mapping_bind(pass, node, path, elements);
        else if (!elements && !group_scalar_bind(binding, path, node, pass->layer, pass->dir))
            dls_diag_error(binding->diag, &node->place, "'%s' must be a mapping, found %s", path,
                           dls_yaml_type_text(node->type));
        return;
    }
    if (!elements)
        return;
    if (*prefix == '\0' && element_bind(binding, key, node, pass->layer, pass->dir))
        return;
    if (pass->is_known != NULL && pass->is_known(pass->self, path))
        return;
    dls_bind_unknown(binding, binding->params, key, path);
}

/* Two passes: first the table's own keys, then (elements) those that name elements of its lists, which may come from
 * this very mapping. */
static void mapping_bind(struct pass *pass, const struct dls_yaml *mapping, const char *prefix, bool elements)
{
    for (size_t i = 0; i < mapping->count; i++)
        if (*prefix != '\0' || !is_reserved(pass->reserved, mapping->key[i]->text))
            key_bind(pass, mapping->key[i], mapping->item[i], prefix, elements);
}

void dls_bind_mapping(struct dls_binding *binding, const struct dls_yaml *mapping, enum dls_layer layer,
                      const char *const *reserved, bool (*is_known)(void *self, const char *key), void *self,
                      const char *dir)
{
    struct pass pass = {binding, layer, reserved, is_known, self, dir, NULL};
    size_t rows = table_rows(binding->params);

    if (mapping->type != DLS_YAML_MAPPING) {
        dls_diag_error(binding->diag, &mapping->place, "section '%s' must be a mapping, found %s", binding->section,
                       dls_yaml_type_text(mapping->type));
        return;
    }
    if (layer != DLS_LAYER_PARAMS || binding->section_place.line == 0)
        binding->section_place = mapping->place;
    pass.seen = dls_mem_new(rows + 1, sizeof(const struct dls_yaml *));
    mapping_bind(&pass, mapping, "", false);
    mapping_bind(&pass, mapping, "", true);
    dls_mem_free(pass.seen);
}

void dls_bind_preset(struct dls_binding *binding, const struct dls_preset *preset)
{
    for (const struct dls_preset_value *value = preset->values; value->key != NULL; value++) {
        const struct dls_param *row = row_find(binding->params, "", value->key);
        struct dls_slot_at at = slot_of(binding, row, DLS_LAYER_PRESET, NULL);

        DLS_REQUIRE(row != NULL, "preset '%s' has key '%s'", preset->name, value->key);
        dls_bind_text(&at, value->value);
        binding->bound[row - binding->params] = (struct dls_bound){
            .key = row->key, .text = value->value, .layer = DLS_LAYER_PRESET, .origin = preset->name};
    }
}

/* ------------------------------------------------------------------ rules */

/* The checker that a kind sees, with the binding behind it. */
struct rules {
    struct dls_checker checker; /* first */
    struct dls_binding *binding;
};

static void rule_error(struct dls_checker *checker, const char *key, const char *text)
{
    struct dls_binding *binding = ((struct rules *)checker)->binding;
    const struct dls_bound *bound = key != NULL ? dls_bind_find(binding, key) : NULL;
    const struct dls_place *place = &binding->section_place;

    if (bound != NULL && bound->place.file != NULL)
        place = &bound->place;
    dls_diag_error(binding->diag, place, "%s", text);
}

static int rule_given(struct dls_checker *checker, const char *key)
{
    const struct dls_bound *bound = dls_bind_find(((struct rules *)checker)->binding, key);

    return bound == NULL || bound->layer < DLS_LAYER_PARAMS ? 0 : (int)bound->layer - DLS_LAYER_PRESET;
}

void dls_bind_end(struct dls_binding *binding, void (*check)(const void *conf, struct dls_checker *checker))
{
    struct rules rules = {.checker = {rule_error, rule_given}, .binding = binding};

    for (const struct dls_param *row = binding->params; row->key != NULL; row++)
        if (binding->bound[row - binding->params].layer == DLS_LAYER_DEFAULT && row->preset == NULL &&
            !(row->flags & DLS_PARAM_OPTIONAL))
            dls_diag_error(binding->diag, &binding->section_place, "missing key '%s' in %s", row->key,
                           binding->owner);
    if (check != NULL && dls_diag_errors(binding->diag) == 0)
        check(binding->conf, &rules.checker);
}
