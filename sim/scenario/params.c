#include "sim/scenario/params.h"

#include <string.h>

#include "sim/model.h"

enum { LIMIT_BYTES = 64 << 20 };

const char *dls_params_dir(const char *path, struct dls_arena *arena)
{
    const char *slash = strrchr(path, '/');
    char *dir;

    if (slash == NULL)
        return "";
    dir = dls_arena_get(arena, (size_t)(slash - path) + 1, 1);
    memcpy(dir, path, (size_t)(slash - path));
    return slash == path ? "/" : dir;
}

bool dls_params_version(const struct dls_yaml *root, const char *key,
                        struct dls_diag *diag)
{
    bool has_keys = root->type == DLS_YAML_MAPPING && root->count > 0;
    char found[DLS_YAML_SHOWN];

    if (!has_keys || strcmp(root->key[0]->text, key) != 0) {
        dls_diag_error(diag, has_keys ? &root->key[0]->place : &root->place,
                       "the file must begin with '%s: 1'", key);
        return false;
    }
    if (root->item[0]->type != DLS_YAML_SCALAR ||
        strcmp(root->item[0]->text, "1") != 0) {
        dls_diag_error(diag, &root->item[0]->place,
                       "'%s' must be 1, the version that this program reads, found %s",
                       key, dls_yaml_found(root->item[0], found));
        return false;
    }
    return true;
}

static bool is_role(const char *key)
{
    for (int role = 0; role < DLS_ROLES; role++)
        if (strcmp(key, dls_role_text((enum dls_role)role)) == 0)
            return true;
    return false;
}

static void check_type(const char *key, const struct dls_yaml *node,
                       enum dls_yaml_type type, struct dls_diag *diag)
{
    char found[DLS_YAML_SHOWN];

    if (node->type != type)
        dls_diag_error(diag, &node->place, "'%s' must be %s, found %s", key,
                       type == DLS_YAML_SCALAR ? "a text" : dls_yaml_type_text(type),
                       dls_yaml_found(node, found));
}

/* Kind and preset are choices of the scenario. */
static void check_section(const char *section, const struct dls_yaml *node,
                          struct dls_diag *diag)
{
    static const char *const choices[] = {"kind", "preset", "from"};

    for (size_t i = 0; node->type == DLS_YAML_MAPPING && i < node->count; i++)
        for (size_t k = 0; k < sizeof choices / sizeof *choices; k++)
            if (strcmp(node->key[i]->text, choices[k]) == 0)
                dls_diag_error(
                    diag, &node->key[i]->place,
                    "'%s.%s' belongs to the scenario, not to a parameter file", section,
                    choices[k]);
}

static void check_key(const struct dls_yaml *key, const struct dls_yaml *node,
                      struct dls_diag *diag)
{
    const char *names[DLS_ROLES + 6] = {"name",         "about", "recordings",
                                        "unidentified", "host",  "run"};
    char shown[DLS_YAML_SHOWN];
    const char *near;

    if (strcmp(key->text, "name") == 0 || strcmp(key->text, "about") == 0) {
        check_type(key->text, node, DLS_YAML_SCALAR, diag);
    } else if (strcmp(key->text, "recordings") == 0 ||
               strcmp(key->text, "unidentified") == 0) {
        check_type(key->text, node, DLS_YAML_SEQUENCE, diag);
        for (size_t i = 0; node->type == DLS_YAML_SEQUENCE && i < node->count; i++)
            check_type("element", node->item[i], DLS_YAML_MAPPING, diag);
    } else if (strcmp(key->text, "host") == 0 || strcmp(key->text, "run") == 0 ||
               is_role(key->text)) {
        check_section(key->text, node, diag);
    } else {
        for (int role = 0; role < DLS_ROLES; role++)
            names[6 + role] = dls_role_text((enum dls_role)role);
        near = dls_str_near(key->text, names, DLS_ROLES + 6);
        dls_yaml_shown(key->text, shown);
        if (near != NULL)
            dls_diag_error(
                diag, &key->place,
                "unknown section '%s' in a parameter file (did you mean '%s'?)", shown,
                near);
        else
            dls_diag_error(diag, &key->place,
                           "unknown section '%s' in a parameter file", shown);
    }
}

enum dls_status dls_params_read(const char *path, struct dls_arena *arena,
                                struct dls_diag *diag, struct dls_params *params)
{
    struct dls_params read = {.path = dls_arena_text(arena, path),
                              .dir = dls_params_dir(path, arena)};
    size_t errors = dls_diag_errors(diag);
    enum dls_status status = dls_yaml_read(path, LIMIT_BYTES, arena, diag, &read.root,
                                           &read.hash);

    if (status != DLS_OK)
        return status;
    if (!dls_params_version(read.root, "dlsim_params", diag))
        return DLS_EINPUT;
    for (size_t i = 1; i < read.root->count; i++)
        check_key(read.root->key[i], read.root->item[i], diag);
    if (dls_diag_errors(diag) != errors)
        return DLS_EINPUT;
    *params = read;
    return DLS_OK;
}
