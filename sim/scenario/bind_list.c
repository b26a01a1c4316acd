#include <stdio.h>
#include <string.h>

#include "sim/scenario/bind_int.h"

/* Lists of mappings, and the fields of one element by its name (transform.OP.scale). */

static const char *element_name(const struct dls_param *list, const void *element)
{
    if (list->item[0].type != DLS_PARAM_TEXT)
        return NULL;
    return *(const char *const *)(const void *)((const char *)element +
                                                list->item[0].offset);
}

/* ------------------------------------------------------------------ records */

static struct dls_bound *record_add(struct dls_binding *binding, const char *key)
{
    struct dls_bound *grown;

    if (binding->count == binding->capacity) {
        binding->capacity = 2 * binding->capacity + 8;
        grown = dls_arena_get(binding->arena, binding->capacity, sizeof *grown);
        memcpy(grown, binding->bound, binding->count * sizeof *grown);
        binding->bound = grown;
    }
    binding->bound[binding->count].key = dls_arena_text(binding->arena, key);
    return &binding->bound[binding->count++];
}

/* The records of a list that is replaced go with it. */
static void records_drop(struct dls_binding *binding, const struct dls_param *list)
{
    size_t kept = 0;

    for (size_t i = 0; i < binding->count; i++)
        if (binding->bound[i].list != list)
            binding->bound[kept++] = binding->bound[i];
    memset(binding->bound + kept, 0, (binding->count - kept) * sizeof *binding->bound);
    binding->count = kept;
}

/* Notes where a field of an element was given; `is_new`: it has no record yet. */
static void field_record(struct dls_binding *binding, const struct dls_param *list,
                         const struct dls_param *row, const char *element, bool is_new,
                         enum dls_layer layer, const struct dls_yaml *node,
                         const char *text)
{
    struct dls_bound *bound = NULL;
    struct dls_str key;

    dls_str_init(&key);
    dls_str_addf(&key, "%s.%s", element, row->key);
    for (size_t i = 0; !is_new && bound == NULL && i < binding->count; i++)
        if (binding->bound[i].list == list &&
            strcmp(binding->bound[i].key, key.data) == 0)
            bound = &binding->bound[i];
    if (bound == NULL)
        bound = record_add(binding, key.data);
    bound->param = row;
    bound->list = list;
    dls_bind_record(binding, bound, layer, node, text);
    dls_str_release(&key);
}

/* ------------------------------------------------------------------ whole lists */

/* One list while it is bound. */
struct list {
    const struct dls_slot_at *at;
    const struct dls_param *param;
};

/* The keys of an element's mapping; the table's key by which a row is given goes to
 * `seen`. */
static bool element_keys_bind(const struct list *list, char *element,
                              const struct dls_yaml *mapping,
                              const struct dls_yaml **seen)
{
    struct dls_binding *binding = list->at->binding;
    bool is_good = true;

    for (size_t i = 0; i < mapping->count; i++) {
        const struct dls_param *row = dls_bind_row(list->param->item,
                                                   mapping->key[i]->text);
        const struct dls_yaml **first = row != NULL ? &seen[row - list->param->item]
                                                    : NULL;
        struct dls_slot_at at = {binding, row, element, list->at->layer, list->at->dir};
        const struct dls_yaml *value;
        const char *text;

        if (row == NULL) {
            dls_bind_unknown(binding, list->param->item, mapping->key[i],
                             mapping->key[i]->text);
            is_good = false;
        } else if (*first != NULL) {
            dls_diag_error(binding->diag, &mapping->key[i]->place,
                           "'%s' is given twice in an element of '%s'", row->key,
                           list->param->key);
            is_good = false;
        } else {
            *first = mapping->item[i];
            value = dls_bind_annotated(binding, mapping->item[i], list->at->layer);
            is_good = value != NULL && dls_bind_value(&at, value, &text) && is_good;
        }
    }
    return is_good;
}

static void element_record(const struct list *list, const char *element,
                           const struct dls_yaml *const *seen)
{
    const char *name = element_name(list->param, element);

    for (const struct dls_param *row = list->param->item;
         name != NULL && row->key != NULL; row++) {
        const struct dls_yaml *node = seen[row - list->param->item];

        if (node != NULL && row != list->param->item)
            field_record(list->at->binding, list->param, row, name, true,
                         list->at->layer, node,
                         dls_yaml_flow(dls_bind_annotated(list->at->binding, node,
                                                          list->at->layer),
                                       list->at->binding->arena));
    }
}

static bool element_bind(const struct list *list, char *element,
                         const struct dls_yaml *mapping)
{
    struct dls_binding *binding = list->at->binding;
    const struct dls_yaml *seen[64] = {NULL};
    char found[DLS_YAML_SHOWN];
    bool is_good;

    if (mapping->type != DLS_YAML_MAPPING) {
        dls_diag_error(binding->diag, &mapping->place,
                       "an element of '%s' must be a mapping, found %s",
                       list->param->key, dls_yaml_found(mapping, found));
        return false;
    }
    for (const struct dls_param *row = list->param->item; row->key != NULL; row++) {
        struct dls_slot_at at = {binding, row, element, DLS_LAYER_DEFAULT, NULL};

        DLS_REQUIRE((size_t)(row - list->param->item) < sizeof seen / sizeof *seen,
                    "%s", list->param->key);
        if (row->preset != NULL)
            dls_bind_text(&at, row->preset);
    }
    is_good = element_keys_bind(list, element, mapping, seen);
    for (const struct dls_param *row = list->param->item; row->key != NULL; row++)
        if (seen[row - list->param->item] == NULL && row->preset == NULL &&
            !(row->flags & DLS_PARAM_OPTIONAL)) {
            dls_diag_error(binding->diag, &mapping->place,
                           "missing key '%s' in an element of '%s'", row->key,
                           list->param->key);
            is_good = false;
        }
    if (is_good)
        element_record(list, element, seen);
    return is_good;
}

bool dls_bind_list(const struct dls_slot_at *at, const struct dls_yaml *node)
{
    const struct list list = {at, at->param};
    struct dls_list made = {.count = node->count};
    bool is_good = true;

    if (node->type != DLS_YAML_SEQUENCE) {
        dls_bind_expected(at, at->param->key, node, "a list");
        return false;
    }
    if (node->count > DLS_BIND_LIST_MAX) {
        dls_diag_error(at->binding->diag, &node->place,
                       "'%s' must have at most %d elements, found %zu", at->param->key,
                       (int)DLS_BIND_LIST_MAX, node->count);
        return false;
    }
    records_drop(at->binding, at->param);
    made.items = dls_arena_get(at->binding->arena, node->count + 1,
                               at->param->item_size);
    for (size_t i = 0; i < node->count; i++)
        is_good = element_bind(&list, (char *)made.items + i * at->param->item_size,
                               node->item[i]) &&
                  is_good;
    /* kept even after a message, so that `jpeg: {...}` of the same section still finds
     * its element */
    memcpy((char *)at->conf + at->param->offset, &made, sizeof made);
    return is_good;
}

/* ------------------------------------------------------------------ one element by its
 * name */

/* The element of a list parameter that is called `name` by its first field; the list's
 * row goes to `list`. */
static char *element_find(struct dls_binding *binding, const char *name,
                          const struct dls_param **list)
{
    for (const struct dls_param *row = binding->params; row->key != NULL; row++) {
        const struct dls_list *elements = (const void *)((const char *)binding->conf +
                                                         row->offset);

        if (row->type != DLS_PARAM_LIST)
            continue;
        for (size_t i = 0; i < elements->count; i++) {
            char *element = (char *)elements->items + i * row->item_size;
            const char *own = element_name(row, element);

            if (own != NULL && strcmp(own, name) == 0) {
                *list = row;
                return element;
            }
        }
    }
    return NULL;
}

bool dls_bind_element(struct dls_binding *binding, const struct dls_yaml *key,
                      const struct dls_yaml *node, enum dls_layer layer,
                      const char *dir)
{
    const struct dls_param *list;
    char *element = element_find(binding, key->text, &list);
    char found[DLS_YAML_SHOWN], shown[DLS_YAML_SHOWN];

    if (element == NULL)
        return false;
    if (node->type != DLS_YAML_MAPPING) {
        dls_diag_error(binding->diag, &node->place,
                       "'%s' must be a mapping such as {%s: ...}, found %s",
                       dls_yaml_shown(key->text, shown),
                       list->item[list->item[1].key != NULL].key,
                       dls_yaml_found(node, found));
        return true;
    }
    for (size_t i = 0; i < node->count; i++) {
        const struct dls_param *row = dls_bind_row(list->item, node->key[i]->text);
        struct dls_slot_at at = {binding, row, element, layer, dir};
        const struct dls_yaml *value;
        const char *text;

        if (row == NULL) {
            dls_bind_unknown(binding, list->item, node->key[i], node->key[i]->text);
        } else if (row == list->item) {
            dls_diag_error(binding->diag, &node->key[i]->place,
                           "'%s' is the name of the element and cannot be changed",
                           row->key);
        } else {
            value = dls_bind_annotated(binding, node->item[i], layer);
            if (value != NULL && dls_bind_value(&at, value, &text))
                field_record(binding, list, row, key->text, false, layer, node->item[i],
                             text);
        }
    }
    return true;
}
