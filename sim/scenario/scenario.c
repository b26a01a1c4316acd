#include "sim/scenario/scenario.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/hash.h"
#include "sim/scenario/scenario_int.h"
#include "sim/scenario/sections.h"

enum { LIMIT_BYTES = 16 << 20 };

/* Sections in the order of the pipeline, as they are bound, shown and counted. Host and run first. */
enum { SECTION_HOST = DLS_ROLES, SECTION_RUN, SECTION_VOLUME, SECTION_CONSUMERS, SECTIONS };

static const char *const reserved_role[] = {"kind", "preset", "from", NULL};
static const char *const reserved_host[] = {"preset", NULL};

bool dls_section_is(const char *name)
{
    if (strcmp(name, "host") == 0 || strcmp(name, "run") == 0)
        return true;
    for (int role = 0; role < DLS_ROLES; role++)
        if (strcmp(name, dls_role_text((enum dls_role)role)) == 0)
            return true;
    return false;
}

static const struct dls_yaml *section_of(const struct dls_yaml *root, const char *name)
{
    return root != NULL ? dls_yaml_get(root, name) : NULL;
}

/* ------------------------------------------------------------------ frame of the file */

static void frame_check(struct dls_reader *reader)
{
    static const char *const frame[] = {"dlsim", "name", "about", "params", "expect", "host", "run"};
    const char *names[sizeof frame / sizeof *frame + DLS_ROLES];
    size_t count = 0;

    for (; count < sizeof frame / sizeof *frame; count++)
        names[count] = frame[count];
    for (int role = 0; role < DLS_ROLES; role++)
        names[count++] = dls_role_text((enum dls_role)role);
    for (size_t i = 0; i < reader->root->count; i++) {
        const struct dls_yaml *key = reader->root->key[i];
        const char *near;
        size_t known = 0;

        while (known < count && strcmp(names[known], key->text) != 0)
            known++;
        if (known < count)
            continue;
        near = dls_str_near(key->text, names, count);
        if (strcmp(key->text, "vary") == 0 || strcmp(key->text, "target") == 0)
            dls_diag_error(reader->diag, &key->place, "'%s' makes a study, which this version does not run", key->text);
        else if (strcmp(key->text, "volumes") == 0)
            dls_diag_error(reader->diag, &key->place, "'volumes' is not known to this version: 'storage' is the only one");
        else if (near != NULL)
            dls_diag_error(reader->diag, &key->place, "unknown section '%s' (did you mean '%s'?)", key->text, near);
        else
            dls_diag_error(reader->diag, &key->place, "unknown section '%s'", key->text);
    }
}

static const char *text_of(struct dls_reader *reader, const char *key, bool required)
{
    const struct dls_yaml *node = dls_yaml_get(reader->root, key);

    if (node == NULL && required)
        dls_diag_error(reader->diag, &reader->root->place, "missing key '%s'", key);
    if (node == NULL)
        return NULL;
    if (node->type != DLS_YAML_SCALAR || node->text[0] == '\0') {
        dls_diag_error(reader->diag, &node->place, "'%s' must be a text, found %s", key,
                       node->type == DLS_YAML_SCALAR ? "nothing" : dls_yaml_type_text(node->type));
        return NULL;
    }
    return node->text;
}

static enum dls_status params_read(struct dls_reader *reader)
{
    const char *name = text_of(reader, "params", false);
    struct dls_scenario *scenario = reader->scenario;
    const struct dls_yaml *node = dls_yaml_get(reader->root, "params");
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
        dls_diag_note(reader->diag, &node->place, "the parameter file is named here");
    scenario->params_path = dls_arena_text(scenario->arena, path.data);
    scenario->params_hash = reader->params.hash;
    dls_str_release(&path);
    return status;
}

static void expect_read(struct dls_reader *reader)
{
    const struct dls_yaml *list = dls_yaml_get(reader->root, "expect");
    struct dls_scenario *scenario = reader->scenario;

    if (list == NULL)
        return;
    if (list->type != DLS_YAML_SEQUENCE) {
        dls_diag_error(reader->diag, &list->place, "'expect' must be a list, found %s", dls_yaml_type_text(list->type));
        return;
    }
    scenario->expect = dls_arena_get(scenario->arena, list->count + 1, sizeof *scenario->expect);
    for (size_t i = 0; i < list->count; i++) {
        struct dls_expect *expect = &scenario->expect[scenario->expects++];
        const struct dls_yaml *item = list->item[i];

        *expect = (struct dls_expect){.min = NAN, .max = NAN, .place = item->place};
        for (size_t k = 0; item->type == DLS_YAML_MAPPING && k < item->count; k++) {
            const char *key = item->key[k]->text, *text = item->item[k]->text;
            double *bound = strcmp(key, "min") == 0 ? &expect->min : strcmp(key, "max") == 0 ? &expect->max : NULL;

            if (strcmp(key, "metric") == 0)
                expect->metric = text;
            else if (bound == NULL)
                dls_diag_error(reader->diag, &item->key[k]->place,
                               "unknown key '%s' in expect, expected metric, min or max", key);
            else if (text == NULL || dls_units_read(text, DLS_UNIT_NUMBER, bound) != NULL)
                dls_diag_error(reader->diag, &item->item[k]->place, "'%s' must be a plain number in the metric's unit",
                               key);
        }
        if (expect->metric == NULL || (isnan(expect->min) && isnan(expect->max)))
            dls_diag_error(reader->diag, &item->place, "a condition needs 'metric' and 'min' or 'max'");
    }
}

/* ------------------------------------------------------------------ sections */

/* The last of file and --set that gives `key` of a section as a single value; NULL: none. */
static const struct dls_yaml *choice_of(const struct dls_reader *reader, const char *section, const char *key)
{
    const struct dls_yaml *given = section_of(reader->root, section);
    const struct dls_yaml *node = given != NULL && given->type == DLS_YAML_MAPPING ? dls_yaml_get(given, key) : NULL;

    for (size_t i = 0; i < reader->sets; i++)
        if (strcmp(reader->set[i].section, section) == 0 && strcmp(reader->set[i].key, key) == 0)
            node = reader->set[i].value;
    return node;
}

/* The preset that a section asks for, NULL when none (or after a message). */
static const struct dls_preset *preset_of(struct dls_reader *reader, const char *section)
{
    const struct dls_yaml *node = choice_of(reader, section, "preset");
    const struct dls_preset *preset;
    struct dls_str valid;

    if (node == NULL)
        return NULL;
    if (node->type == DLS_YAML_SCALAR && (preset = dls_preset_find(section, node->text)) != NULL)
        return preset;
    dls_str_init(&valid);
    for (size_t i = 0; (preset = dls_preset_at(i)) != NULL; i++)
        if (strcmp(preset->section, section) == 0)
            dls_str_addf(&valid, "%s%s", valid.length ? ", " : "", preset->name);
    dls_diag_error(reader->diag, &node->place, "unknown preset '%s' of %s: valid ones are %s",
                   node->text ? node->text : "", section, valid.length ? valid.data : "none");
    dls_str_release(&valid);
    return NULL;
}

static const struct dls_kind *kind_of(struct dls_reader *reader, enum dls_role role, const struct dls_preset *preset)
{
    const char *section = dls_role_text(role);
    const struct dls_yaml *node = choice_of(reader, section, "kind");
    const struct dls_kind *kind;
    const char *names[64];
    struct dls_str valid;
    const char *near;
    size_t count = 0;

    if (node == NULL)
        return preset != NULL ? dls_registry_find(preset->kind) : dls_registry_default(role);
    kind = node->type == DLS_YAML_SCALAR ? dls_registry_find(node->text) : NULL;
    if (kind != NULL && kind->role == role) {
        if (preset == NULL || strcmp(preset->kind, kind->name) == 0)
            return kind;
        dls_diag_error(reader->diag, &node->place, "preset '%s' belongs to %s, not to %s", preset->name, preset->kind,
                       kind->name);
        return dls_registry_find(preset->kind);
    }
    dls_str_init(&valid);
    for (size_t i = 0; (kind = dls_registry_at(i)) != NULL; i++)
        if (kind->role == role && count < 64) {
            dls_str_addf(&valid, "%s%s", count ? ", " : "", kind->name);
            names[count++] = kind->name;
        }
    near = node->text ? dls_str_near(node->text, names, count) : NULL;
    if (near != NULL)
        dls_diag_error(reader->diag, &node->place, "unknown kind '%s' of %s: valid kinds are %s (did you mean '%s'?)",
                       node->text, section, valid.data, near);
    else
        dls_diag_error(reader->diag, &node->place, "unknown kind '%s' of %s: valid kinds are %s",
                       node->text ? node->text : "", section, valid.data);
    dls_str_release(&valid);
    return dls_registry_default(role);
}

/* Does any kind of a role have this key? Such keys of a parameter file belong to another kind and are skipped. */
static bool is_known_to_role(void *self, const char *key)
{
    enum dls_role role = *(enum dls_role *)self;
    const struct dls_kind *kind;

    for (size_t i = 0; (kind = dls_registry_at(i)) != NULL; i++)
        for (const struct dls_param *row = kind->params; kind->role == role && row->key != NULL; row++)
            if (strcmp(row->key, key) == 0)
                return true;
    return false;
}

/* The keys of a role's section that do not belong to its kind but stand around it. */
static bool is_around(enum dls_role role, const char *key)
{
    const struct dls_param *row = role == DLS_ROLE_STORAGE    ? dls_section_volume
                                  : role == DLS_ROLE_CONSUMER ? dls_section_consumers
                                                              : NULL;

    for (; row != NULL && row->key != NULL; row++)
        if (strcmp(row->key, key) == 0)
            return true;
    return false;
}

/* A copy of a section's mapping with only the keys that stand around the kind, or only the others. */
static const struct dls_yaml *mapping_part(struct dls_arena *arena, const struct dls_yaml *mapping, enum dls_role role,
                                           bool around)
{
    struct dls_yaml *part;

    if (mapping->type != DLS_YAML_MAPPING)
        return mapping;
    part = dls_arena_get(arena, 1, sizeof *part);
    *part = *mapping;
    part->key = dls_arena_get(arena, mapping->count + 1, sizeof(const struct dls_yaml *));
    part->item = dls_arena_get(arena, mapping->count + 1, sizeof(const struct dls_yaml *));
    part->count = 0;
    for (size_t i = 0; i < mapping->count; i++)
        if (is_around(role, mapping->key[i]->text) == around) {
            part->key[part->count] = mapping->key[i];
            part->item[part->count++] = mapping->item[i];
        }
    return part;
}

/* What a section is bound with: its name, table and conf. `role` DLS_ROLES: none. */
struct section {
    const char *name, *owner;
    const struct dls_param *params;
    void *conf;
    enum dls_role role;
    bool around;
    const char *const *reserved;
    const struct dls_preset *preset;
    void (*check)(const void *conf, struct dls_checker *checker);
};

static void layer_bind(struct dls_reader *reader, struct dls_binding *binding, const struct section *section,
                       const struct dls_yaml *mapping, enum dls_layer layer, const char *dir)
{
    enum dls_role role = section->role;
    bool is_kind = role < DLS_ROLES && !section->around;

    if (mapping == NULL)
        return;
    if (role < DLS_ROLES)
        mapping = mapping_part(reader->scenario->arena, mapping, role, section->around);
    dls_bind_mapping(binding, mapping, layer, section->reserved,
                     layer == DLS_LAYER_PARAMS && is_kind ? is_known_to_role : NULL, &role, dir);
}

static void section_bind(struct dls_reader *reader, const struct section *section)
{
    struct dls_scenario *scenario = reader->scenario;
    struct dls_binding *binding = &scenario->binding[scenario->bindings++];

    dls_bind_begin(binding, section->name, section->owner, section->params, section->conf, scenario->arena,
                   reader->diag);
    binding->section_place = reader->root->place;
    if (section->preset != NULL)
        dls_bind_preset(binding, section->preset);
    layer_bind(reader, binding, section, section_of(reader->params.root, section->name), DLS_LAYER_PARAMS,
               reader->params.dir);
    layer_bind(reader, binding, section, section_of(reader->root, section->name), DLS_LAYER_FILE, reader->dir);
    for (size_t i = 0; i < reader->sets; i++)
        if (strcmp(reader->set[i].section, section->name) == 0)
            layer_bind(reader, binding, section, reader->set[i].mapping, DLS_LAYER_SET, "");
    dls_bind_end(binding, section->check);
}

static void role_bind(struct dls_reader *reader, enum dls_role role)
{
    struct dls_scenario *scenario = reader->scenario;
    struct dls_scenario_role *bound = &scenario->role[role];
    const char *name = dls_role_text(role);
    const struct dls_preset *preset = preset_of(reader, name);
    struct section section = {.name = name, .role = role, .reserved = reserved_role, .preset = preset};
    const struct dls_yaml *from = choice_of(reader, name, "from");

    bound->kind = kind_of(reader, role, preset);
    bound->is_given = section_of(reader->root, name) != NULL || section_of(reader->params.root, name) != NULL;
    section.owner = bound->kind->name;
    section.params = bound->kind->params;
    section.check = bound->kind->check;
    bound->conf = section.conf =
        dls_arena_get(scenario->arena, 1, bound->kind->conf_size ? bound->kind->conf_size : 1);
    if (section.preset != NULL && strcmp(section.preset->kind, bound->kind->name) != 0)
        section.preset = NULL;
    section_bind(reader, &section);
    if (from != NULL && (from->type != DLS_YAML_SCALAR || strcmp(from->text, "params") != 0))
        dls_diag_error(reader->diag, &from->place, "'from' must be params, found '%s'", from->text ? from->text : "");
    else if (from != NULL && section_of(reader->params.root, name) == NULL)
        dls_diag_error(reader->diag, &from->place, "'from: params' needs a parameter file with a section '%s'", name);
}

static void sections_bind(struct dls_reader *reader)
{
    struct dls_scenario *scenario = reader->scenario;
    struct section host = {"host", "host", dls_section_host, &scenario->host, DLS_ROLES,
                           false,  reserved_host, preset_of(reader, "host"), NULL};
    struct section run = {"run", "run", dls_section_run, &scenario->run, DLS_ROLES, false, NULL, NULL, NULL};
    struct section volume = {"storage", "storage", dls_section_volume, &scenario->volume, DLS_ROLE_STORAGE,
                             true,      reserved_role, NULL, NULL};
    struct section consumers = {"consumer", "consumer", dls_section_consumers, &scenario->consumers, DLS_ROLE_CONSUMER,
                                true,       reserved_role, NULL, NULL};

    scenario->binding = dls_arena_get(scenario->arena, SECTIONS, sizeof *scenario->binding);
    section_bind(reader, &host);
    for (int role = 0; role < DLS_ROLES; role++) {
        role_bind(reader, (enum dls_role)role);
        if (role == DLS_ROLE_STORAGE)
            section_bind(reader, &volume);
    }
    section_bind(reader, &consumers);
    section_bind(reader, &run);
}

/* ------------------------------------------------------------------ reading */

/* The identity of a run's inputs: file, parameter file, tables and overrides. */
static uint64_t inputs_hash(const struct dls_reader *reader, uint64_t file, const struct dls_override *sets,
                            size_t count)
{
    const struct dls_scenario *scenario = reader->scenario;
    uint64_t hash = dls_hash_add(file, scenario->params_hash);

    for (int role = 0; role < DLS_ROLES; role++)
        for (const struct dls_param *row = scenario->role[role].kind->params; row->key != NULL; row++)
            if (row->type == DLS_PARAM_SAMPLES) {
                const struct dls_samples *const *samples =
                    (const void *)((const char *)scenario->role[role].conf + row->offset);

                hash = dls_hash_add(hash, *samples ? (*samples)->hash : 0);
            }
    for (size_t i = 0; i < count; i++)
        hash = dls_hash_add(dls_hash_add(hash, dls_hash_text(sets[i].path)), dls_hash_text(sets[i].value));
    return hash;
}

static enum dls_status read_all(struct dls_reader *reader, const char *path, const struct dls_override *sets,
                                size_t count)
{
    struct dls_scenario *scenario = reader->scenario;
    uint64_t file;
    enum dls_status status = dls_yaml_read(path, LIMIT_BYTES, scenario->arena, reader->diag, &reader->root, &file);

    if (status != DLS_OK)
        return status;
    if (!dls_params_version(reader->root, "dlsim", reader->diag))
        return DLS_EINPUT;
    frame_check(reader);
    scenario->name = text_of(reader, "name", true);
    scenario->about = dls_yaml_get(reader->root, "about") ? text_of(reader, "about", false) : "";
    status = params_read(reader);
    if (status != DLS_OK)
        return status;
    dls_sets_read(reader, sets, count);
    sections_bind(reader);
    expect_read(reader);
    scenario->hash = inputs_hash(reader, file, sets, count);
    return dls_diag_errors(reader->diag) > 0 ? DLS_EINPUT : DLS_OK;
}

enum dls_status dls_scenario_read(const char *path, const struct dls_override *sets, size_t set_count,
                                  struct dls_diag *diag, struct dls_scenario **scenario)
{
    struct dls_reader reader = {.diag = diag};
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
