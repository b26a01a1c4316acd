#include <string.h>

#include "sim/scenario/scenario_int.h"

bool dls_override_parse(const char *text, struct dls_arena *arena,
                        struct dls_override *override)
{
    const char *equals = strchr(text, '=');
    char *path;

    if (equals == NULL || equals == text || equals[1] == '\0')
        return false;
    path = dls_arena_get(arena, (size_t)(equals - text) + 1, 1);
    memcpy(path, text, (size_t)(equals - text));
    override->path = path;
    override->value = dls_arena_text(arena, equals + 1);
    return true;
}

/* A mapping with one key. */
static const struct dls_yaml *single(struct dls_arena *arena,
                                     const struct dls_place *place, const char *key,
                                     const struct dls_yaml *value)
{
    struct dls_yaml *mapping = dls_arena_get(arena, 1, sizeof *mapping);
    struct dls_yaml *name = dls_arena_get(arena, 1, sizeof *name);
    const struct dls_yaml **lists = dls_arena_get(arena, 2,
                                                  sizeof(const struct dls_yaml *));

    *name = (struct dls_yaml){.type = DLS_YAML_SCALAR, .place = *place, .text = key};
    *mapping = (struct dls_yaml){.type = DLS_YAML_MAPPING,
                                 .place = *place,
                                 .key = lists,
                                 .item = lists + 1,
                                 .count = 1};
    lists[0] = name;
    lists[1] = value;
    return mapping;
}

/* "loader.workers": at least two names, none of them empty. */
static bool is_path(const char *path)
{
    size_t length = strlen(path);

    return strchr(path, '.') != NULL && path[0] != '.' && path[length - 1] != '.' &&
           strstr(path, "..") == NULL;
}

static bool is_path_good(struct dls_reader *reader, const struct dls_place *place,
                         const char *path)
{
    size_t length = strcspn(path, ".");
    char section[DLS_YAML_SHOWN], shown[DLS_YAML_SHOWN];
    const char *near;

    if (!is_path(path)) {
        dls_diag_error(reader->diag, place,
                       "expected a path such as loader.workers, found '%s'",
                       dls_yaml_shown(path, shown));
        return false;
    }
    length = length < sizeof section ? length : sizeof section - 1;
    memcpy(section, path, length);
    section[length] = '\0';
    if (dls_section_is(section))
        return true;
    near = dls_section_near(section);
    if (near != NULL)
        dls_diag_error(reader->diag, place, "unknown section '%s' (did you mean '%s'?)",
                       dls_yaml_shown(section, shown), near);
    else
        dls_diag_error(reader->diag, place, "unknown section '%s'",
                       dls_yaml_shown(section, shown));
    return false;
}

/* The value of an override as a node; NULL after a message. The path is its file in
 * messages. */
static const struct dls_yaml *value_read(struct dls_reader *reader,
                                         const struct dls_override *override,
                                         struct dls_place *place)
{
    struct dls_arena *arena = reader->scenario->arena;
    char shown[DLS_YAML_SHOWN];
    const struct dls_yaml *node = NULL;
    struct dls_str file;

    dls_str_init(&file);
    dls_str_addf(&file, "--set %s", dls_yaml_shown(override->path, shown));
    place->file = dls_arena_text(arena, file.data);
    dls_str_release(&file);
    if (strchr("#", override->value[strspn(override->value, " \t")]) !=
        NULL) /* a comment is no value, nor is the end */
        dls_diag_error(reader->diag, place, "expected a value behind '='");
    else if (dls_yaml_parse(place->file, override->value, strlen(override->value),
                            arena, reader->diag, &node) != DLS_OK)
        return NULL;
    return node;
}

static void set_read(struct dls_reader *reader, const struct dls_override *override)
{
    struct dls_arena *arena = reader->scenario->arena;
    struct dls_set *set = &reader->set[reader->sets];
    char *path = dls_arena_text(arena, override->path);
    struct dls_place place = {0};
    const struct dls_yaml *node = value_read(reader, override, &place);
    char *key;

    if (!is_path_good(reader, &place, path) || node == NULL)
        return;
    key = strchr(path, '.');
    *key++ = '\0';
    for (char *last = strrchr(key, '.'); last != NULL; last = strrchr(key, '.')) {
        node = single(arena, &place, last + 1, node);
        *last = '\0';
    }
    *set = (struct dls_set){path, key, single(arena, &place, key, node), node};
    reader->sets++;
}

void dls_sets_read(struct dls_reader *reader, const struct dls_override *sets,
                   size_t count)
{
    reader->set = dls_arena_get(reader->scenario->arena, count + 1,
                                sizeof *reader->set);
    for (size_t i = 0; i < count; i++)
        set_read(reader, &sets[i]);
}
