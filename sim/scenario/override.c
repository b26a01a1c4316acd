#include <stdio.h>
#include <string.h>

#include "sim/scenario/scenario_int.h"

bool dls_override_parse(const char *text, struct dls_arena *arena, struct dls_override *override)
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
static const struct dls_yaml *single(struct dls_arena *arena, const struct dls_place *place, const char *key,
                                     const struct dls_yaml *value)
{
    struct dls_yaml *mapping = dls_arena_get(arena, 1, sizeof *mapping);
    struct dls_yaml *name = dls_arena_get(arena, 1, sizeof *name);
    const struct dls_yaml **lists = dls_arena_get(arena, 2, sizeof(const struct dls_yaml *));

    *name = (struct dls_yaml){.type = DLS_YAML_SCALAR, .place = *place, .text = key};
    *mapping = (struct dls_yaml){.type = DLS_YAML_MAPPING, .place = *place, .key = lists, .item = lists + 1, .count = 1};
    lists[0] = name;
    lists[1] = value;
    return mapping;
}

static void set_read(struct dls_reader *reader, const struct dls_override *override)
{
    struct dls_arena *arena = reader->scenario->arena;
    struct dls_set *set = &reader->set[reader->sets];
    char *path = dls_arena_text(arena, override->path);
    struct dls_place place;
    const struct dls_yaml *node;
    char file[200], *dot;

    snprintf(file, sizeof file, "--set %s", override->path);
    place = (struct dls_place){.file = dls_arena_text(arena, file)};
    if (dls_yaml_parse(place.file, override->value, strlen(override->value), arena, reader->diag, &node) != DLS_OK)
        return;
    dot = strchr(path, '.');
    if (dot == NULL || dot == path || dot[1] == '\0') {
        dls_diag_error(reader->diag, &place, "expected a path such as loader.workers, found '%s'", override->path);
        return;
    }
    *dot = '\0';
    if (!dls_section_is(path)) {
        dls_diag_error(reader->diag, &place, "unknown section '%s'", path);
        return;
    }
    set->section = path;
    set->key = dot + 1;
    set->value = node;
    for (char *last = strrchr(dot + 1, '.'); last != NULL; last = strrchr(dot + 1, '.')) {
        node = single(arena, &place, last + 1, node);
        *last = '\0';
    }
    set->mapping = single(arena, &place, dot + 1, node);
    reader->sets++;
}

void dls_sets_read(struct dls_reader *reader, const struct dls_override *sets, size_t count)
{
    reader->set = dls_arena_get(reader->scenario->arena, count + 1, sizeof *reader->set);
    for (size_t i = 0; i < count; i++)
        set_read(reader, &sets[i]);
}
