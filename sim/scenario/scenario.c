#include "sim/scenario/scenario.h"

#include <string.h>

#include "sim/base/hash.h"
#include "sim/scenario/scenario_int.h"
#include "sim/scenario/sections.h"

enum { LIMIT_BYTES = 16 << 20, BINDINGS = DLS_ROLES + 4 };

static const char *const reserved_role[] = {"kind", "preset", "from", NULL};
static const char *const reserved_host[] = {"preset", NULL};

/* ------------------------------------------------------------------ sections */

/* What a section is bound with. Two tables may share a section: a kind's, and the one
 * of the keys around any kind. */
struct section {
    const char *name, *owner;
    const struct dls_param *params;
    const struct dls_param *beside; /* the other table, or NULL */
    void *conf;
    const char *const *reserved;
    const struct dls_preset *preset;
    enum dls_role role; /* DLS_ROLES: bound by no kind's table */
    void (*check)(const void *conf, struct dls_checker *checker);
};

/* A copy of a mapping with only the keys that `table` has, or only those that it does
 * not have. */
static const struct dls_yaml *mapping_part(struct dls_arena *arena,
                                           const struct dls_yaml *mapping,
                                           const struct dls_param *table, bool has)
{
    struct dls_yaml *part = dls_arena_get(arena, 1, sizeof *part);

    *part = *mapping;
    part->key = dls_arena_get(arena, mapping->count + 1,
                              sizeof(const struct dls_yaml *));
    part->item = dls_arena_get(arena, mapping->count + 1,
                               sizeof(const struct dls_yaml *));
    part->count = 0;
    for (size_t i = 0; i < mapping->count; i++) {
        const struct dls_param *row = table;

        while (row->key != NULL && strcmp(row->key, mapping->key[i]->text) != 0)
            row++;
        if ((row->key != NULL) != has)
            continue;
        part->key[part->count] = mapping->key[i];
        part->item[part->count++] = mapping->item[i];
    }
    return part;
}

static void layer_bind(struct dls_reader *reader, struct dls_binding *binding,
                       const struct section *section, const struct dls_yaml *mapping,
                       enum dls_layer layer, const char *dir)
{
    bool is_kind = section->role != DLS_ROLES;
    enum dls_role role = section->role;
    /* keys of the role's other kinds are left out where they had to be written for
     * those */
    bool others = layer == DLS_LAYER_PARAMS ||
                  (layer == DLS_LAYER_FILE &&
                   dls_choice_is_set(reader, section->name, "kind"));

    if (mapping != NULL && section->beside != NULL && mapping->type == DLS_YAML_MAPPING)
        mapping = mapping_part(reader->scenario->arena, mapping,
                               is_kind ? section->beside : section->params, !is_kind);
    else if (section->beside != NULL && !is_kind)
        return; /* the kind's binding says that the section is no mapping */
    if (mapping != NULL)
        dls_bind_mapping(binding, mapping, layer, section->reserved,
                         others && is_kind ? dls_role_has_key : NULL, &role, dir);
}

/* Where a section stands, for messages about keys that are missing in it. */
static struct dls_place section_place(const struct dls_reader *reader, const char *name)
{
    const struct dls_yaml *params = reader->params.root;
    const struct dls_yaml *given = dls_yaml_get(reader->root, name);

    if (given == NULL && params != NULL)
        given = dls_yaml_get(params, name);
    return given != NULL ? given->place : reader->root->place;
}

static struct dls_binding *section_bind(struct dls_reader *reader,
                                        const struct section *section)
{
    struct dls_binding *binding = &reader->binding[reader->bindings++];
    const struct dls_yaml *params = reader->params.root;

    dls_bind_begin(binding, section->name, section->owner, section->params,
                   section->conf, reader->scenario->arena, reader->diag);
    binding->beside = section->beside;
    binding->section_place = section_place(reader, section->name);
    if (section->preset != NULL)
        dls_bind_preset(binding, section->preset);
    if (params != NULL)
        layer_bind(reader, binding, section, dls_yaml_get(params, section->name),
                   DLS_LAYER_PARAMS, reader->params.dir);
    layer_bind(reader, binding, section, dls_yaml_get(reader->root, section->name),
               DLS_LAYER_FILE, reader->dir);
    for (size_t i = 0; i < reader->sets; i++)
        if (strcmp(reader->set[i].section, section->name) == 0)
            layer_bind(reader, binding, section, reader->set[i].mapping, DLS_LAYER_SET,
                       "");
    dls_bind_end(binding, section->check);
    return binding;
}

/* The table of the keys around any kind of a role. */
static const struct dls_param *table_beside(enum dls_role role)
{
    return role == DLS_ROLE_STORAGE    ? dls_section_volume
           : role == DLS_ROLE_CONSUMER ? dls_section_consumers
                                       : NULL;
}

/* `from: params` says that the section's lists (a chain's ops) come from the parameter
 * file: they must be there. */
static void check_from(struct dls_reader *reader, const struct dls_binding *binding,
                       const struct dls_yaml *from)
{
    const struct dls_yaml *params = reader->params.root;
    const struct dls_yaml *given = params != NULL
                                       ? dls_yaml_get(params, binding->section)
                                       : NULL;
    char found[DLS_YAML_SHOWN];

    if (strcmp(from->text, "params") != 0) {
        dls_diag_error(reader->diag, &from->place, "'from' must be params, found %s",
                       dls_yaml_found(from, found));
        return;
    }
    if (given == NULL) {
        dls_diag_error(
            reader->diag, &from->place, "'from: params' needs %s with a section '%s'",
            params == NULL ? "'params: FILE'" : "a parameter file", binding->section);
        return;
    }
    for (const struct dls_param *row = binding->params; row->key != NULL; row++)
        if (row->type == DLS_PARAM_LIST && dls_yaml_get(given, row->key) == NULL)
            dls_diag_error(reader->diag, &from->place,
                           "'from: params', but the parameter file has no '%s.%s'",
                           binding->section, row->key);
}

static void role_bind(struct dls_reader *reader, enum dls_role role)
{
    struct dls_scenario *scenario = reader->scenario;
    struct dls_scenario_role *bound = &scenario->role[role];
    const struct dls_yaml *params = reader->params.root;
    const char *name = dls_role_text(role);
    const struct dls_preset *preset = dls_choose_preset(reader, name);
    const struct dls_yaml *from = dls_choice(reader, name, "from");
    const struct dls_binding *binding;
    struct section section;

    bound->kind = dls_choose_kind(reader, role, preset);
    bound->is_given = dls_yaml_get(reader->root, name) != NULL ||
                      (params != NULL && dls_yaml_get(params, name) != NULL);
    if (bound->kind == NULL)
        return;
    bound->conf = dls_arena_get(
        scenario->arena, 1, bound->kind->conf_size > 0 ? bound->kind->conf_size : 1);
    section = (struct section){
        .name = name,
        .owner = bound->kind->name,
        .params = bound->kind->params,
        .beside = table_beside(role),
        .conf = (void *)(uintptr_t)bound->conf,
        .reserved = reserved_role,
        .preset = preset != NULL && strcmp(preset->kind, bound->kind->name) == 0
                      ? preset
                      : NULL,
        .role = role,
        .check = bound->kind->check,
    };
    binding = section_bind(reader, &section);
    if (from != NULL)
        check_from(reader, binding, from);
}

static void sections_bind(struct dls_reader *reader)
{
    struct dls_scenario *scenario = reader->scenario;
    const struct section host = {.name = "host",
                                 .owner = "host",
                                 .params = dls_section_host,
                                 .conf = &scenario->host,
                                 .reserved = reserved_host,
                                 .preset = dls_choose_preset(reader, "host"),
                                 .role = DLS_ROLES};
    const struct section run = {.name = "run",
                                .owner = "run",
                                .params = dls_section_run,
                                .conf = &scenario->run,
                                .role = DLS_ROLES};

    reader->binding = dls_arena_get(scenario->arena, BINDINGS, sizeof *reader->binding);
    section_bind(reader, &host);
    for (int role = 0; role < DLS_ROLES; role++) {
        const char *name = dls_role_text((enum dls_role)role);
        struct section around = {.name = name,
                                 .owner = name,
                                 .params = table_beside((enum dls_role)role),
                                 .beside = table_beside((enum dls_role)role),
                                 .reserved = reserved_role,
                                 .role = DLS_ROLES};

        around.conf = role == DLS_ROLE_STORAGE ? (void *)&scenario->volume
                                               : (void *)&scenario->consumers;
        role_bind(reader, (enum dls_role)role);
        if (around.params != NULL)
            section_bind(reader, &around);
    }
    section_bind(reader, &run);
}

/* ------------------------------------------------------------------ reading */

static enum dls_status params_read(struct dls_reader *reader)
{
    const char *name = dls_frame_text(reader, "params", false);
    struct dls_scenario *scenario = reader->scenario;
    enum dls_status status;
    struct dls_str path;

    if (name == NULL)
        return DLS_OK;
    dls_str_init(&path);
    if (name[0] != '/' && reader->dir[0] != '\0')
        dls_str_addf(&path, "%s/", reader->dir);
    dls_str_add(&path, name);
    status = dls_params_read(path.data, scenario->arena, reader->diag, &reader->params);
    if (status == DLS_EIO)
        dls_diag_note(reader->diag, &dls_yaml_get(reader->root, "params")->place,
                      "the parameter file is named here");
    scenario->params_path = dls_arena_text(scenario->arena, path.data);
    scenario->params_hash = reader->params.hash;
    dls_str_release(&path);
    return status;
}

/* The identity of a run's inputs: file, parameter file, tables and overrides. */
static uint64_t inputs_hash(const struct dls_reader *reader, uint64_t file,
                            const struct dls_override *sets, size_t count)
{
    const struct dls_scenario *scenario = reader->scenario;
    uint64_t hash = dls_hash_add(file, scenario->params_hash);

    for (int role = 0; role < DLS_ROLES; role++)
        for (const struct dls_param *row = scenario->role[role].kind->params;
             row->key != NULL; row++)
            if (row->type == DLS_PARAM_SAMPLES) {
                const struct dls_samples *const *samples =
                    (const void *)((const char *)scenario->role[role].conf +
                                   row->offset);

                hash = dls_hash_add(hash, *samples ? (*samples)->hash : 0);
            }
    for (size_t i = 0; i < count; i++)
        hash = dls_hash_add(dls_hash_add(hash, dls_hash_text(sets[i].path)),
                            dls_hash_text(sets[i].value));
    return hash;
}

static enum dls_status read_status(const struct dls_reader *reader)
{
    for (size_t i = 0; i < reader->bindings; i++)
        if (reader->binding[i].is_io_failed)
            return DLS_EIO;
    return dls_diag_errors(reader->diag) != reader->errors_before ? DLS_EINPUT : DLS_OK;
}

static enum dls_status read_all(struct dls_reader *reader, const char *path,
                                const struct dls_override *sets, size_t count)
{
    struct dls_scenario *scenario = reader->scenario;
    uint64_t file;
    enum dls_status status = dls_yaml_read(path, LIMIT_BYTES, scenario->arena,
                                           reader->diag, &reader->root, &file);

    if (status != DLS_OK)
        return status;
    if (!dls_params_version(reader->root, "dlsim", reader->diag))
        return DLS_EINPUT;
    dls_frame_check(reader);
    scenario->name = dls_frame_text(reader, "name", true);
    scenario->about = dls_yaml_get(reader->root, "about") != NULL
                          ? dls_frame_text(reader, "about", false)
                          : "";
    status = params_read(reader);
    if (status != DLS_OK)
        return status;
    dls_sets_read(reader, sets, count);
    sections_bind(reader);
    dls_frame_expect(reader);
    status = read_status(reader);
    if (status != DLS_OK)
        return status;
    scenario->hash = inputs_hash(reader, file, sets, count);
    dls_provenance_make(scenario, reader->binding, reader->bindings);
    return DLS_OK;
}

enum dls_status dls_scenario_read(const char *path, const struct dls_override *sets,
                                  size_t set_count, struct dls_diag *diag,
                                  struct dls_scenario **scenario)
{
    struct dls_reader reader = {.diag = diag, .errors_before = dls_diag_errors(diag)};
    enum dls_status status;

    reader.scenario = dls_mem_new(1, sizeof *reader.scenario);
    reader.scenario->arena = dls_arena_new();
    reader.scenario->path = dls_arena_text(reader.scenario->arena, path);
    reader.dir = dls_params_dir(path, reader.scenario->arena);
    status = read_all(&reader, path, sets, set_count);
    if (status == DLS_OK)
        *scenario = reader.scenario;
    else
        dls_scenario_free(reader.scenario);
    return status;
}

void dls_scenario_free(struct dls_scenario *scenario)
{
    if (scenario == NULL)
        return;
    dls_arena_free(scenario->arena);
    dls_mem_free(scenario);
}
