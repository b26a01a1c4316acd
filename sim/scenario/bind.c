#include "sim/scenario/bind.h"

#include <stdio.h>
#include <string.h>

#include "sim/scenario/bind_int.h"

enum { KEY_MAX = 128 };

/* ------------------------------------------------------------------ records */

static size_t table_rows(const struct dls_param *params)
{
    size_t rows = 0;

    while (params != NULL && params[rows].key != NULL)
        rows++;
    return rows;
}

static struct dls_slot_at slot_of(struct dls_binding *binding,
                                  const struct dls_param *param, enum dls_layer layer,
                                  const char *dir)
{
    return (struct dls_slot_at){binding, param, binding->conf, layer, dir};
}

void dls_bind_begin(struct dls_binding *binding, const char *section, const char *owner,
                    const struct dls_param *params, void *conf, struct dls_arena *arena,
                    struct dls_diag *diag)
{
    *binding = (struct dls_binding){.section = section,
                                    .owner = owner,
                                    .params = params,
                                    .conf = conf,
                                    .arena = arena,
                                    .diag = diag};
    binding->errors_before = dls_diag_errors(diag);
    binding->count = table_rows(params);
    binding->capacity = binding->count + 1;
    binding->bound = dls_arena_get(arena, binding->capacity, sizeof *binding->bound);
    for (size_t i = 0; i < binding->count; i++) {
        struct dls_slot_at at = slot_of(binding, &params[i], DLS_LAYER_DEFAULT, NULL);

        binding->bound[i] = (struct dls_bound){
            .key = params[i].key, .text = params[i].preset, .param = &params[i]};
        if (params[i].preset != NULL)
            dls_bind_text(&at, params[i].preset);
    }
}

const struct dls_bound *dls_bind_find(const struct dls_binding *binding,
                                      const char *key)
{
    for (size_t i = 0; i < binding->count; i++)
        if (strcmp(binding->bound[i].key, key) == 0)
            return &binding->bound[i];
    return NULL;
}

/* ------------------------------------------------------------------ annotations of a
 * parameter file */

static const char *const notes[] = {"value", "low", "high", "n", "fit", "from", NULL};

static bool is_among(const char *const *names, const char *key)
{
    for (; names != NULL && *names != NULL; names++)
        if (strcmp(*names, key) == 0)
            return true;
    return false;
}

/* A law may have a key 'value' too; the key 'law' tells them apart. */
static bool is_annotated(const struct dls_yaml *node, enum dls_layer layer)
{
    return layer == DLS_LAYER_PARAMS && dls_yaml_get(node, "value") != NULL &&
           dls_yaml_get(node, "law") == NULL;
}

const struct dls_yaml *dls_bind_annotated(struct dls_binding *binding,
                                          const struct dls_yaml *node,
                                          enum dls_layer layer)
{
    char shown[DLS_YAML_SHOWN];

    if (!is_annotated(node, layer))
        return node;
    for (size_t i = 0; i < node->count; i++)
        if (!is_among(notes, node->key[i]->text)) {
            dls_diag_error(binding->diag, &node->key[i]->place,
                           "unknown note '%s' on a value, expected value, low, high, "
                           "n, fit or from",
                           dls_yaml_shown(node->key[i]->text, shown));
            return NULL;
        }
    return dls_yaml_get(node, "value");
}

/* "low 11 ms, high 13 ms, n 20": what stands beside the value; NULL: nothing. */
static const char *notes_text(struct dls_binding *binding, const struct dls_yaml *node)
{
    struct dls_str text;
    const char *kept;

    dls_str_init(&text);
    for (const char *const *note = notes + 1; *note != NULL; note++) {
        const struct dls_yaml *value = dls_yaml_get(node, *note);

        if (value != NULL)
            dls_str_addf(&text, "%s%s %s", text.length > 0 ? ", " : "", *note,
                         dls_yaml_flow(value, binding->arena));
    }
    kept = text.length > 0 ? dls_arena_text(binding->arena, text.data) : NULL;
    dls_str_release(&text);
    return kept;
}

void dls_bind_record(struct dls_binding *binding, struct dls_bound *bound,
                     enum dls_layer layer, const struct dls_yaml *node,
                     const char *text)
{
    bool annotated = is_annotated(node, layer);

    bound->text = dls_arena_text(binding->arena, text);
    bound->layer = layer;
    bound->place = annotated ? dls_yaml_get(node, "value")->place : node->place;
    bound->origin = NULL;
    bound->notes = annotated ? notes_text(binding, node) : NULL;
}

/* ------------------------------------------------------------------ keys */

const struct dls_param *dls_bind_row(const struct dls_param *table, const char *key)
{
    for (; table->key != NULL; table++)
        if (strcmp(table->key, key) == 0 ||
            (table->synonym != NULL && strcmp(table->synonym, key) == 0))
            return table;
    return NULL;
}

/* "group.key", or the key alone outside a group; NULL when no table has such long
 * keys. */
static const char *path_of(char path[KEY_MAX], const char *prefix, const char *key)
{
    int length = snprintf(path, KEY_MAX, "%s%s%s", prefix, *prefix != '\0' ? "." : "",
                          key);

    return length < KEY_MAX ? path : NULL;
}

static bool is_in_group(const struct dls_param *row, const char *group)
{
    size_t length = strlen(group);

    return strncmp(row->key, group, length) == 0 && row->key[length] == '.';
}

/* Does the table have keys "group.*"? */
static bool is_group(const struct dls_param *table, const char *group)
{
    for (; table->key != NULL; table++)
        if (is_in_group(table, group))
            return true;
    return false;
}

/* The names that could stand where an unknown key stands. */
struct names {
    const char *name[512];
    size_t count;
};

static void names_add(struct names *names, const char *name)
{
    if (name != NULL && names->count < sizeof names->name / sizeof *names->name)
        names->name[names->count++] = name;
}

static void names_add_table(struct names *names, const struct dls_param *table)
{
    for (; table != NULL && table->key != NULL; table++) {
        names_add(names, table->key);
        names_add(names, table->synonym);
    }
}

/* Names of a list's elements: they are keys of the section. */
static void names_add_elements(struct names *names, const struct dls_binding *binding)
{
    for (const struct dls_param *row = binding->params; row->key != NULL; row++) {
        const struct dls_list *list = (const void *)((const char *)binding->conf +
                                                     row->offset);

        if (row->type != DLS_PARAM_LIST || row->item[0].type != DLS_PARAM_TEXT)
            continue;
        for (size_t i = 0; i < list->count; i++)
            names_add(names,
                      *(const char *const *)(const void *)((const char *)list->items +
                                                           i * row->item_size +
                                                           row->item[0].offset));
    }
}

void dls_bind_unknown(struct dls_binding *binding, const struct dls_param *table,
                      const struct dls_yaml *key, const char *path)
{
    struct names names = {.count = 0};
    char shown[DLS_YAML_SHOWN];
    const char *near;

    names_add_table(&names, table);
    if (table == binding->params) {
        names_add_table(&names, binding->beside);
        names_add_elements(&names, binding);
    }
    near = dls_str_near(path, names.name, names.count);
    if (near != NULL)
        dls_diag_error(binding->diag, &key->place,
                       "unknown key '%s' in %s (did you mean '%s'?)",
                       dls_yaml_shown(path, shown), binding->owner, near);
    else
        dls_diag_error(binding->diag, &key->place, "unknown key '%s' in %s",
                       dls_yaml_shown(path, shown), binding->owner);
}

/* ------------------------------------------------------------------ mappings */

/* One mapping on one layer. */
struct pass {
    struct dls_binding *binding;
    enum dls_layer layer;
    const char *const *reserved;
    bool (*is_known)(void *self, const char *key);
    void *self;
    const char *dir;
    const struct dls_yaml **seen; /* by row: the key that gave it in this mapping */
    bool elements; /* the second walk, over what the table does not have itself */
};

static bool is_twice(struct pass *pass, const struct dls_param *row,
                     const struct dls_yaml *key)
{
    const struct dls_yaml **seen = &pass->seen[row - pass->binding->params];

    if (*seen != NULL) {
        dls_diag_error(pass->binding->diag, &key->place,
                       "'%s' is given twice, as '%s' on line %ld and as '%s'", row->key,
                       (*seen)->text, (*seen)->place.line, key->text);
        return true;
    }
    *seen = key;
    return false;
}

static void value_bind(struct pass *pass, const struct dls_param *row,
                       const struct dls_yaml *key, const struct dls_yaml *node)
{
    struct dls_binding *binding = pass->binding;
    struct dls_slot_at at = slot_of(binding, row, pass->layer, pass->dir);
    const struct dls_yaml *value;
    const char *text = "";

    if (is_twice(pass, row, key))
        return;
    value = dls_bind_annotated(binding, node, pass->layer);
    if (value != NULL)
        dls_bind_value(&at, value, &text);
    dls_bind_record(binding, &binding->bound[row - binding->params], pass->layer, node,
                    text);
}

/* `step: 90 ms` sets step.base and puts the group's other keys back to their
 * presets. */
static void group_value_bind(struct pass *pass, const char *group,
                             const struct dls_param *base, const struct dls_yaml *key,
                             const struct dls_yaml *node)
{
    struct dls_binding *binding = pass->binding;

    value_bind(pass, base, key, node);
    for (const struct dls_param *row = binding->params; row->key != NULL; row++) {
        struct dls_slot_at at = slot_of(binding, row, pass->layer, pass->dir);

        if (row == base || !is_in_group(row, group) || row->preset == NULL ||
            is_twice(pass, row, key))
            continue;
        dls_bind_text(&at, row->preset);
        dls_bind_record(binding, &binding->bound[row - binding->params], pass->layer,
                        node, row->preset);
        binding->bound[row - binding->params].notes = NULL;
    }
}

static void keys_bind(struct pass *pass, const struct dls_yaml *mapping,
                      const char *prefix);

/* A group is given as a mapping of its keys, or as the value of its key 'base'. */
static void group_bind(struct pass *pass, const struct dls_yaml *key,
                       const struct dls_yaml *node, const char *group)
{
    char path[KEY_MAX];
    const struct dls_param *base = path_of(path, group, "base")
                                       ? dls_bind_row(pass->binding->params, path)
                                       : NULL;
    bool is_law = base != NULL && base->type == DLS_PARAM_LAW &&
                  dls_yaml_get(node, "law") != NULL;

    if (node->type == DLS_YAML_MAPPING && !is_law && !is_annotated(node, pass->layer)) {
        keys_bind(pass, node, group);
    } else if (!pass->elements && base != NULL) {
        group_value_bind(pass, group, base, key, node);
    } else if (!pass->elements) {
        char found[DLS_YAML_SHOWN];

        dls_diag_error(pass->binding->diag, &node->place,
                       "'%s' must be a mapping, found %s", group,
                       dls_yaml_found(node, found));
    }
}

static void key_bind(struct pass *pass, const struct dls_yaml *key,
                     const struct dls_yaml *node, const char *prefix)
{
    struct dls_binding *binding = pass->binding;
    char buffer[KEY_MAX];
    const char *path = path_of(buffer, prefix, key->text);
    const struct dls_param *row = path != NULL ? dls_bind_row(binding->params, path)
                                               : NULL;

    if (row != NULL) {
        if (!pass->elements)
            value_bind(pass, row, key, node);
    } else if (path != NULL && is_group(binding->params, path)) {
        group_bind(pass, key, node, path);
    } else if (pass->elements) {
        if (*prefix == '\0' &&
            dls_bind_element(binding, key, node, pass->layer, pass->dir))
            return;
        if (path != NULL && pass->is_known != NULL && pass->is_known(pass->self, path))
            return;
        dls_bind_unknown(binding, binding->params, key,
                         path != NULL ? path : key->text);
    }
}

static void keys_bind(struct pass *pass, const struct dls_yaml *mapping,
                      const char *prefix)
{
    for (size_t i = 0; i < mapping->count; i++)
        if (*prefix != '\0' || !is_among(pass->reserved, mapping->key[i]->text))
            key_bind(pass, mapping->key[i], mapping->item[i], prefix);
}

void dls_bind_mapping(struct dls_binding *binding, const struct dls_yaml *mapping,
                      enum dls_layer layer, const char *const *reserved,
                      bool (*is_known)(void *self, const char *key), void *self,
                      const char *dir)
{
    struct pass pass = {binding, layer, reserved, is_known, self, dir, NULL, false};
    char found[DLS_YAML_SHOWN];

    if (mapping->type != DLS_YAML_MAPPING) {
        dls_diag_error(binding->diag, &mapping->place,
                       "section '%s' must be a mapping, found %s", binding->section,
                       dls_yaml_found(mapping, found));
        return;
    }
    if (layer == DLS_LAYER_FILE)
        binding->section_place = mapping->place;
    pass.seen = dls_mem_new(table_rows(binding->params) + 1,
                            sizeof(const struct dls_yaml *));
    /* First the table's own keys, then those that name elements of its lists, which may
     * come from this very mapping. */
    keys_bind(&pass, mapping, "");
    pass.elements = true;
    keys_bind(&pass, mapping, "");
    dls_mem_free(pass.seen);
}

void dls_bind_preset(struct dls_binding *binding, const struct dls_preset *preset)
{
    for (const struct dls_preset_value *value = preset->values; value->key != NULL;
         value++) {
        const struct dls_param *row = dls_bind_row(binding->params, value->key);
        struct dls_slot_at at = slot_of(binding, row, DLS_LAYER_PRESET, NULL);

        DLS_REQUIRE(row != NULL, "preset '%s' has key '%s'", preset->name, value->key);
        dls_bind_text(&at, value->value);
        binding->bound[row - binding->params] = (struct dls_bound){
            .key = row->key,
            .text = value->value,
            .layer = DLS_LAYER_PRESET,
            .origin = preset->name,
            .notes = preset->source,
            .param = row,
        };
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
    const struct dls_bound *bound = dls_bind_find(((struct rules *)checker)->binding,
                                                  key);

    return bound == NULL || bound->layer < DLS_LAYER_PARAMS
               ? 0
               : (int)bound->layer - DLS_LAYER_PRESET;
}

void dls_bind_end(struct dls_binding *binding,
                  void (*check)(const void *conf, struct dls_checker *checker))
{
    struct rules rules = {.checker = {rule_error, rule_given}, .binding = binding};

    for (const struct dls_param *row = binding->params; row->key != NULL; row++)
        if (binding->bound[row - binding->params].layer == DLS_LAYER_DEFAULT &&
            row->preset == NULL && !(row->flags & DLS_PARAM_OPTIONAL))
            dls_diag_error(binding->diag, &binding->section_place,
                           "missing key '%s' in %s", row->key, binding->owner);
    if (check != NULL && dls_diag_errors(binding->diag) == binding->errors_before)
        check(binding->conf, &rules.checker);
}
