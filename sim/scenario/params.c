#include "sim/scenario/params.h"

#include <string.h>

#include "sim/model.h"

enum { LIMIT_BYTES = 1 << 30 };

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

bool dls_params_version(const struct dls_yaml *root, const char *key, struct dls_diag *diag)
{
    if (root->type != DLS_YAML_MAPPING || root->count == 0 || strcmp(root->key[0]->text, key) != 0) {
        dls_diag_error(diag, root->count > 0 && root->type == DLS_YAML_MAPPING ? &root->key[0]->place : &root->place,
                       "the file must begin with '%s: 1'", key);
        return false;
    }
    if (root->item[0]->type != DLS_YAML_SCALAR || strcmp(root->item[0]->text, "1") != 0) {
        dls_diag_error(diag, &root->item[0]->place, "'%s' must be 1, the version that this program reads, found %s%s%s",
                       key, root->item[0]->type == DLS_YAML_SCALAR ? "'" : "",
                       root->item[0]->type == DLS_YAML_SCALAR ? root->item[0]->text
                                                              : dls_yaml_type_text(root->item[0]->type),
                       root->item[0]->type == DLS_YAML_SCALAR ? "'" : "");
        return false;
    }
    return true;
}

static bool is_section(const char *key)
{
    static const char *const others[] = {"dlsim_params", "name", "about", "recordings", "unidentified", "host", "run"};

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(key, others[i]) == 0)
            return true;
    for (int role = 0; role < DLS_ROLES; role++)
        if (strcmp(key, dls_role_text((enum dls_role)role)) == 0)
            return true;
    return false;
}

enum dls_status dls_params_read(const char *path, struct dls_arena *arena, struct dls_diag *diag,
                                struct dls_params *params)
{
    enum dls_status status;

    params->path = dls_arena_text(arena, path);
    params->dir = dls_params_dir(path, arena);
    status = dls_yaml_read(path, LIMIT_BYTES, arena, diag, &params->root, &params->hash);
    if (status != DLS_OK)
        return status;
    if (!dls_params_version(params->root, "dlsim_params", diag))
        return DLS_EINPUT;
    for (size_t i = 0; i < params->root->count; i++)
        if (!is_section(params->root->key[i]->text)) {
            dls_diag_error(diag, &params->root->key[i]->place, "unknown section '%s' in a parameter file",
                           params->root->key[i]->text);
            status = DLS_EINPUT;
        }
    return status;
}
