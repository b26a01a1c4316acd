#include <string.h>

#include "sim/base/vec.h"
#include "sim/scenario/scenario_int.h"

/* Which kind fills a role, and which preset it starts from. */

const struct dls_yaml *dls_choice(struct dls_reader *reader, const char *section,
                                  const char *key)
{
    const struct dls_yaml *given = dls_yaml_get(reader->root, section);
    const struct dls_yaml *node = given != NULL ? dls_yaml_get(given, key) : NULL;
    char found[DLS_YAML_SHOWN];

    for (size_t i = 0; i < reader->sets; i++)
        if (strcmp(reader->set[i].section, section) == 0 &&
            strcmp(reader->set[i].key, key) == 0)
            node = reader->set[i].value;
    if (node == NULL || (node->type == DLS_YAML_SCALAR && node->text[0] != '\0'))
        return node;
    dls_diag_error(reader->diag, &node->place, "'%s' must be a name, found %s", key,
                   dls_yaml_found(node, found));
    return NULL;
}

bool dls_choice_is_set(const struct dls_reader *reader, const char *section,
                       const char *key)
{
    for (size_t i = 0; i < reader->sets; i++)
        if (strcmp(reader->set[i].section, section) == 0 &&
            strcmp(reader->set[i].key, key) == 0)
            return true;
    return false;
}

typedef DLS_VEC(const char *) name_list;

/* "'x' of y: valid ones are a, b (did you mean 'a'?)". */
static void unknown_name(struct dls_reader *reader, const struct dls_yaml *node,
                         const char *what, const char *section, const name_list *valid)
{
    const char *near = dls_str_near(node->text, valid->data, valid->count);
    char shown[DLS_YAML_SHOWN];
    struct dls_str text;

    dls_str_init(&text);
    dls_str_addf(&text, "unknown %s '%s' of %s: valid %ss are ", what,
                 dls_yaml_shown(node->text, shown), section, what);
    for (size_t i = 0; i < valid->count; i++)
        dls_str_addf(&text, "%s%s", i > 0 ? ", " : "", valid->data[i]);
    if (valid->count == 0)
        dls_str_add(&text, "none");
    if (near != NULL)
        dls_str_addf(&text, " (did you mean '%s'?)", near);
    dls_diag_error(reader->diag, &node->place, "%s", text.data);
    dls_str_release(&text);
}

const struct dls_preset *dls_choose_preset(struct dls_reader *reader,
                                           const char *section)
{
    const struct dls_yaml *node = dls_choice(reader, section, "preset");
    const struct dls_preset *preset;
    name_list valid = {0};

    if (node == NULL)
        return NULL;
    preset = dls_preset_find(section, node->text);
    if (preset != NULL)
        return preset;
    for (size_t i = 0; (preset = dls_preset_at(i)) != NULL; i++)
        if (strcmp(preset->section, section) == 0)
            DLS_VEC_ADD(&valid, preset->name);
    unknown_name(reader, node, "preset", section, &valid);
    DLS_VEC_RELEASE(&valid);
    return NULL;
}

const struct dls_kind *dls_choose_kind(struct dls_reader *reader, enum dls_role role,
                                       const struct dls_preset *preset)
{
    const struct dls_yaml *node = dls_choice(reader, dls_role_text(role), "kind");
    const struct dls_kind *kind;
    name_list valid = {0};

    if (node == NULL)
        return preset != NULL ? dls_registry_find(preset->kind)
                              : dls_registry_default(role);
    kind = dls_registry_find(node->text);
    if (kind != NULL && kind->role == role) {
        /* a kind from --set leaves the file's preset of another kind behind */
        if (preset != NULL && strcmp(preset->kind, kind->name) != 0 &&
            (!dls_choice_is_set(reader, dls_role_text(role), "kind") ||
             dls_choice_is_set(reader, dls_role_text(role), "preset")))
            dls_diag_error(reader->diag, &node->place,
                           "preset '%s' belongs to %s, not to %s", preset->name,
                           preset->kind, kind->name);
        return kind;
    }
    for (size_t i = 0; (kind = dls_registry_at(i)) != NULL; i++)
        if (kind->role == role)
            DLS_VEC_ADD(&valid, kind->name);
    unknown_name(reader, node, "kind", dls_role_text(role), &valid);
    DLS_VEC_RELEASE(&valid);
    return NULL;
}

bool dls_role_has_key(void *self, const char *key)
{
    enum dls_role role = *(enum dls_role *)self;
    size_t length = strlen(key);
    const struct dls_kind *kind;

    for (size_t i = 0; (kind = dls_registry_at(i)) != NULL; i++)
        for (const struct dls_param *row = kind->params;
             kind->role == role && row->key != NULL; row++)
            if (strcmp(row->key, key) == 0 ||
                (row->synonym != NULL && strcmp(row->synonym, key) == 0) ||
                (strncmp(row->key, key, length) == 0 && row->key[length] == '.'))
                return true;
    return false;
}
