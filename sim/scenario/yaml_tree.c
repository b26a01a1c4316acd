#include "sim/scenario/yaml_tree.h"

#include <errno.h>
#include <string.h>
#include <yaml.h>

#include "sim/base/hash.h"
#include "sim/base/vec.h"

/* One parse. */
struct parse {
    yaml_parser_t parser;
    yaml_event_t event;
    bool has_event;
    const char *file;
    struct dls_arena *arena;
    struct dls_diag *diag;
    bool failed;
};

typedef DLS_VEC(const struct dls_yaml *) node_list;

const char *dls_yaml_type_text(enum dls_yaml_type type)
{
    return type == DLS_YAML_SCALAR ? "a single value" : type == DLS_YAML_SEQUENCE ? "a list" : "a mapping";
}

const struct dls_yaml *dls_yaml_get(const struct dls_yaml *mapping, const char *key)
{
    for (size_t i = 0; mapping->type == DLS_YAML_MAPPING && i < mapping->count; i++)
        if (strcmp(mapping->key[i]->text, key) == 0)
            return mapping->item[i];
    return NULL;
}

static struct dls_place place_at(const struct parse *parse, yaml_mark_t start, yaml_mark_t end)
{
    return (struct dls_place){
        .file = parse->file,
        .line = (long)start.line + 1,
        .column = (long)start.column + 1,
        .span = start.line == end.line ? (long)(end.column - start.column) : 1,
    };
}

static void fail(struct parse *parse, yaml_mark_t start, yaml_mark_t end, const char *text)
{
    struct dls_place place = place_at(parse, start, end);

    dls_diag_error(parse->diag, &place, "%s", text);
    parse->failed = true;
}

/* The next event; false after a message. The event before it is freed. */
static bool next(struct parse *parse)
{
    const yaml_parser_t *parser = &parse->parser;
    struct dls_place place = {.file = parse->file};

    if (parse->has_event)
        yaml_event_delete(&parse->event);
    parse->has_event = yaml_parser_parse(&parse->parser, &parse->event) != 0;
    if (parse->has_event)
        return true;
    place.line = (long)parser->problem_mark.line + 1;
    place.column = (long)parser->problem_mark.column + 1;
    if (parser->error == YAML_READER_ERROR)
        dls_diag_error(parse->diag, &(struct dls_place){.file = parse->file}, "not a text file: %s at byte %zu",
                       parser->problem, parser->problem_offset);
    else if (parser->context != NULL)
        dls_diag_error(parse->diag, &place, "not valid YAML: %s %s", parser->problem, parser->context);
    else
        dls_diag_error(parse->diag, &place, "not valid YAML: %s", parser->problem ? parser->problem : "no memory");
    parse->failed = true;
    return false;
}

/* What strict files do not have, seen at the start of a node. */
static bool is_strict(struct parse *parse, const yaml_char_t *anchor, const yaml_char_t *tag, int depth)
{
    yaml_mark_t start = parse->event.start_mark, end = parse->event.end_mark;

    if (anchor != NULL)
        fail(parse, start, end, "anchors are not supported: write the value out");
    else if (tag != NULL)
        fail(parse, start, end, "tags are not supported: the parameter table gives a value its type");
    else if (depth > DLS_YAML_DEPTH)
        fail(parse, start, end, "nested too deeply: at most 32 levels");
    return !parse->failed;
}

static struct dls_yaml *node_new(struct parse *parse, enum dls_yaml_type type)
{
    struct dls_yaml *node = dls_arena_get(parse->arena, 1, sizeof *node);

    node->type = type;
    node->place = place_at(parse, parse->event.start_mark, parse->event.end_mark);
    return node;
}

static const struct dls_yaml **list_keep(struct parse *parse, const node_list *list)
{
    const struct dls_yaml **kept = dls_arena_get(parse->arena, list->count + 1, sizeof(const struct dls_yaml *));

    if (list->count > 0)
        memcpy(kept, list->data, list->count * sizeof *kept);
    return kept;
}

static struct dls_yaml *node_read(struct parse *parse, int depth);

static struct dls_yaml *scalar_read(struct parse *parse, int depth)
{
    struct dls_yaml *node;

    if (!is_strict(parse, parse->event.data.scalar.anchor, parse->event.data.scalar.tag, depth))
        return NULL;
    if (strlen((const char *)parse->event.data.scalar.value) != parse->event.data.scalar.length) {
        fail(parse, parse->event.start_mark, parse->event.end_mark, "a value must not hold a zero byte");
        return NULL;
    }
    node = node_new(parse, DLS_YAML_SCALAR);
    node->text = dls_arena_text(parse->arena, (const char *)parse->event.data.scalar.value);
    node->quoted = parse->event.data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    return node;
}

static struct dls_yaml *sequence_read(struct parse *parse, int depth)
{
    struct dls_yaml *node;
    node_list items = {0};

    if (!is_strict(parse, parse->event.data.sequence_start.anchor, parse->event.data.sequence_start.tag, depth))
        return NULL;
    node = node_new(parse, DLS_YAML_SEQUENCE);
    node->place.span = 1;
    while (next(parse) && parse->event.type != YAML_SEQUENCE_END_EVENT) {
        const struct dls_yaml *item = node_read(parse, depth + 1);

        if (item == NULL)
            break;
        DLS_VEC_ADD(&items, item);
    }
    node->item = list_keep(parse, &items);
    node->count = items.count;
    DLS_VEC_RELEASE(&items);
    return parse->failed ? NULL : node;
}

/* A key must be a single value that this mapping does not have yet. */
static bool is_key_good(struct parse *parse, const struct dls_yaml *key, const node_list *keys)
{
    if (key->type != DLS_YAML_SCALAR) {
        dls_diag_error(parse->diag, &key->place, "a key must be a single value, found %s", dls_yaml_type_text(key->type));
        parse->failed = true;
        return false;
    }
    if (strcmp(key->text, "<<") == 0 && !key->quoted) {
        dls_diag_error(parse->diag, &key->place, "merge keys are not supported: write the keys out");
        parse->failed = true;
        return false;
    }
    for (size_t i = 0; i < keys->count; i++)
        if (strcmp(keys->data[i]->text, key->text) == 0) {
            dls_diag_error(parse->diag, &key->place, "duplicate key '%s' (first on line %ld)", key->text,
                           keys->data[i]->place.line);
            parse->failed = true;
            return false;
        }
    return true;
}

static struct dls_yaml *mapping_read(struct parse *parse, int depth)
{
    struct dls_yaml *node;
    node_list keys = {0}, items = {0};

    if (!is_strict(parse, parse->event.data.mapping_start.anchor, parse->event.data.mapping_start.tag, depth))
        return NULL;
    node = node_new(parse, DLS_YAML_MAPPING);
    node->place.span = 1;
    while (next(parse) && parse->event.type != YAML_MAPPING_END_EVENT) {
        const struct dls_yaml *key = node_read(parse, depth + 1), *item;

        if (key == NULL || !is_key_good(parse, key, &keys) || !next(parse))
            break;
        item = node_read(parse, depth + 1);
        if (item == NULL)
            break;
        DLS_VEC_ADD(&keys, key);
        DLS_VEC_ADD(&items, item);
    }
    node->key = list_keep(parse, &keys);
    node->item = list_keep(parse, &items);
    node->count = keys.count;
    DLS_VEC_RELEASE(&keys);
    DLS_VEC_RELEASE(&items);
    return parse->failed ? NULL : node;
}

/* The node that the present event begins; NULL after a message. */
static struct dls_yaml *node_read(struct parse *parse, int depth)
{
    switch (parse->event.type) {
    case YAML_SCALAR_EVENT:
        return scalar_read(parse, depth);
    case YAML_SEQUENCE_START_EVENT:
        return sequence_read(parse, depth);
    case YAML_MAPPING_START_EVENT:
        return mapping_read(parse, depth);
    default:
        fail(parse, parse->event.start_mark, parse->event.end_mark, "aliases are not supported: write the value out");
        return NULL;
    }
}

static const struct dls_yaml *document_read(struct parse *parse)
{
    const struct dls_yaml *root;

    if (!next(parse) || !next(parse)) /* start of stream, then of the document */
        return NULL;
    if (parse->event.type == YAML_STREAM_END_EVENT) {
        dls_diag_error(parse->diag, &(struct dls_place){.file = parse->file}, "the file is empty");
        return NULL;
    }
    if (!next(parse) || (root = node_read(parse, 1)) == NULL)
        return NULL;
    if (!next(parse) || !next(parse)) /* end of the document, then of the stream */
        return NULL;
    if (parse->event.type != YAML_STREAM_END_EVENT) {
        fail(parse, parse->event.start_mark, parse->event.end_mark, "a second document starts here, expected one");
        return NULL;
    }
    return root;
}

enum dls_status dls_yaml_parse(const char *file, const char *text, size_t bytes, struct dls_arena *arena,
                               struct dls_diag *diag, const struct dls_yaml **root)
{
    struct parse parse = {.file = dls_arena_text(arena, file), .arena = arena, .diag = diag};
    const struct dls_yaml *node;

    dls_diag_source(diag, file, text, bytes);
    if (!yaml_parser_initialize(&parse.parser)) {
        dls_diag_error(diag, NULL, "%s: no memory for the YAML parser", file);
        return DLS_EIO;
    }
    yaml_parser_set_encoding(&parse.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parse.parser, (const unsigned char *)text, bytes);
    node = document_read(&parse);
    if (parse.has_event)
        yaml_event_delete(&parse.event);
    yaml_parser_delete(&parse.parser);
    if (node == NULL)
        return DLS_EINPUT;
    *root = node;
    return DLS_OK;
}

enum dls_status dls_yaml_read(const char *path, size_t limit_bytes, struct dls_arena *arena, struct dls_diag *diag,
                              const struct dls_yaml **root, uint64_t *hash)
{
    enum dls_status status = DLS_EIO;
    struct dls_str text;
    int error;

    dls_str_init(&text);
    error = dls_str_read_file(&text, path, limit_bytes);
    if (error == EFBIG)
        dls_diag_error(diag, NULL, "'%s' is too large: more than %zu bytes", path, limit_bytes);
    else if (error != 0)
        dls_diag_error(diag, NULL, "cannot read '%s': %s", path, strerror(error));
    else
        status = dls_yaml_parse(path, text.data, text.length, arena, diag, root);
    if (status == DLS_OK && hash != NULL)
        *hash = dls_hash_bytes(text.data, text.length);
    dls_str_release(&text);
    return status;
}
