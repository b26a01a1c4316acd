#include "sim/scenario/yaml_tree.h"

#include <errno.h>
#include <stdlib.h>
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
    const char *text;
    size_t bytes;
    size_t nodes;
    struct dls_arena *arena;
    struct dls_diag *diag;
    bool is_rejected; /* after a message; the reading goes on */
};

typedef DLS_VEC(const struct dls_yaml *) node_list;

static struct dls_place place_at(const struct parse *parse, yaml_mark_t start,
                                 yaml_mark_t end)
{
    return (struct dls_place){
        .file = parse->file,
        .line = (long)start.line + 1,
        .column = (long)start.column + 1,
        .span = start.line == end.line ? (long)(end.column - start.column) : 1,
    };
}

static void reject(struct parse *parse, const char *text)
{
    struct dls_place place = place_at(parse, parse->event.start_mark,
                                      parse->event.end_mark);

    dls_diag_error(parse->diag, &place, "%s", text);
    parse->is_rejected = true;
}

/* ------------------------------------------------------------------ events */

/* A byte that is no text: its line and column, which libyaml does not count. */
static void byte_rejected(struct parse *parse)
{
    size_t offset = parse->parser.problem_offset < parse->bytes
                        ? parse->parser.problem_offset
                        : parse->bytes;
    struct dls_place place = {.file = parse->file, .line = 1, .column = 1};

    for (size_t i = 0; i < offset; i++) {
        if (parse->text[i] == '\n') {
            place.line++;
            place.column = 1;
        } else if (((unsigned char)parse->text[i] & 0xc0) != 0x80) {
            place.column++;
        }
    }
    dls_diag_error(parse->diag, &place, "not a text file: %s", parse->parser.problem);
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
        byte_rejected(parse);
    else if (parser->problem == NULL)
        dls_diag_error(parse->diag, NULL, "no memory to parse '%s'", parse->file);
    else if (parser->context != NULL)
        dls_diag_error(parse->diag, &place, "not valid YAML: %s %s", parser->problem,
                       parser->context);
    else
        dls_diag_error(parse->diag, &place, "not valid YAML: %s", parser->problem);
    return false;
}

/* The start of a node, as strict files have it; false after a message that ends the
 * reading. */
static bool is_bounded(struct parse *parse, int depth)
{
    if (depth > DLS_YAML_DEPTH)
        reject(parse, "nested too deeply: at most 32 levels");
    else if (++parse->nodes > DLS_YAML_NODES)
        reject(parse, "too many values: at most 1048576");
    else
        return true;
    return false;
}

static void check_strict(struct parse *parse, const yaml_char_t *anchor,
                         const yaml_char_t *tag)
{
    if (anchor != NULL)
        reject(parse, "anchors are not supported: write the value out");
    if (tag != NULL)
        reject(parse,
               "tags are not supported: the parameter table gives a value its type");
}

static struct dls_yaml *node_new(struct parse *parse, enum dls_yaml_type type)
{
    struct dls_yaml *node = dls_arena_get(parse->arena, 1, sizeof *node);

    node->type = type;
    node->place = place_at(parse, parse->event.start_mark, parse->event.end_mark);
    if (type != DLS_YAML_SCALAR)
        node->place.span = 1;
    return node;
}

static const struct dls_yaml **list_keep(struct parse *parse, const node_list *list)
{
    const struct dls_yaml **kept = dls_arena_get(parse->arena, list->count + 1,
                                                 sizeof(const struct dls_yaml *));

    if (list->count > 0)
        memcpy(kept, list->data, list->count * sizeof *kept);
    return kept;
}

/* ------------------------------------------------------------------ nodes */

static struct dls_yaml *node_read(struct parse *parse, int depth);

/* Line ends and tabs are text; what else moves a terminal's cursor is not (escapes can
 * write it). */
static bool has_control(const unsigned char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((text[i] < 0x20 && text[i] != '\n' && text[i] != '\t') || text[i] == 0x7f ||
            (text[i] == 0xc2 && text[i + 1] >= 0x80 && text[i + 1] < 0xa0))
            return true;
    return false;
}

static struct dls_yaml *scalar_read(struct parse *parse)
{
    const unsigned char *text = parse->event.data.scalar.value;
    struct dls_yaml *node = node_new(parse, DLS_YAML_SCALAR);

    check_strict(parse, parse->event.data.scalar.anchor, parse->event.data.scalar.tag);
    if (has_control(text, parse->event.data.scalar.length))
        reject(parse, "a value must not hold control characters");
    node->text = dls_arena_text(parse->arena, (const char *)text);
    node->quoted = parse->event.data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    return node;
}

static struct dls_yaml *sequence_read(struct parse *parse, int depth)
{
    struct dls_yaml *node = node_new(parse, DLS_YAML_SEQUENCE);
    node_list items = {0};
    bool is_whole;

    check_strict(parse, parse->event.data.sequence_start.anchor,
                 parse->event.data.sequence_start.tag);
    while ((is_whole = next(parse)) && parse->event.type != YAML_SEQUENCE_END_EVENT) {
        const struct dls_yaml *item = node_read(parse, depth + 1);

        if (item == NULL) {
            is_whole = false;
            break;
        }
        DLS_VEC_ADD(&items, item);
    }
    node->item = list_keep(parse, &items);
    node->count = items.count;
    DLS_VEC_RELEASE(&items);
    return is_whole ? node : NULL;
}

/* A key must be a single value, and no merge. */
static bool is_key_good(struct parse *parse, const struct dls_yaml *key)
{
    if (key->type == DLS_YAML_SCALAR && (key->quoted || strcmp(key->text, "<<") != 0))
        return true;
    if (key->type == DLS_YAML_SCALAR)
        dls_diag_error(parse->diag, &key->place,
                       "merge keys are not supported: write the keys out");
    else
        dls_diag_error(parse->diag, &key->place,
                       "a key must be a single value, found %s",
                       dls_yaml_type_text(key->type));
    parse->is_rejected = true;
    return false;
}

static int compare_keys(const void *a_, const void *b_)
{
    const struct dls_yaml *a = *(const struct dls_yaml *const *)a_,
                          *b = *(const struct dls_yaml *const *)b_;
    int order = strcmp(a->text, b->text);

    if (order != 0)
        return order;
    if (a->place.line != b->place.line)
        return a->place.line < b->place.line ? -1 : 1;
    return (a->place.column > b->place.column) - (a->place.column < b->place.column);
}

static void check_duplicates(struct parse *parse, const node_list *keys)
{
    const struct dls_yaml **sorted;
    char shown[DLS_YAML_SHOWN];
    size_t first = 0;

    if (keys->count < 2)
        return;
    sorted = dls_mem_new(keys->count, sizeof(const struct dls_yaml *));
    memcpy(sorted, keys->data, keys->count * sizeof *sorted);
    qsort(sorted, keys->count, sizeof *sorted, compare_keys);
    for (size_t i = 1; i < keys->count; i++) {
        if (strcmp(sorted[first]->text, sorted[i]->text) != 0) {
            first = i;
            continue;
        }
        dls_diag_error(
            parse->diag, &sorted[i]->place, "duplicate key '%s' (first on line %ld)",
            dls_yaml_shown(sorted[i]->text, shown), sorted[first]->place.line);
        parse->is_rejected = true;
    }
    dls_mem_free(sorted);
}

static struct dls_yaml *mapping_read(struct parse *parse, int depth)
{
    struct dls_yaml *node = node_new(parse, DLS_YAML_MAPPING);
    node_list keys = {0}, items = {0};
    bool is_whole;

    check_strict(parse, parse->event.data.mapping_start.anchor,
                 parse->event.data.mapping_start.tag);
    while ((is_whole = next(parse)) && parse->event.type != YAML_MAPPING_END_EVENT) {
        const struct dls_yaml *key = node_read(parse, depth + 1);
        const struct dls_yaml *item = key != NULL && next(parse)
                                          ? node_read(parse, depth + 1)
                                          : NULL;

        if (item == NULL) {
            is_whole = false;
            break;
        }
        if (is_key_good(parse, key)) {
            DLS_VEC_ADD(&keys, key);
            DLS_VEC_ADD(&items, item);
        }
    }
    check_duplicates(parse, &keys);
    node->key = list_keep(parse, &keys);
    node->item = list_keep(parse, &items);
    node->count = keys.count;
    DLS_VEC_RELEASE(&keys);
    DLS_VEC_RELEASE(&items);
    return is_whole ? node : NULL;
}

/* The node that the present event begins; NULL after a message that ends the
 * reading. */
static struct dls_yaml *node_read(struct parse *parse, int depth)
{
    struct dls_yaml *node;

    if (!is_bounded(parse, depth))
        return NULL;
    switch (parse->event.type) {
    case YAML_SCALAR_EVENT:
        return scalar_read(parse);
    case YAML_SEQUENCE_START_EVENT:
        return sequence_read(parse, depth);
    case YAML_MAPPING_START_EVENT:
        return mapping_read(parse, depth);
    default:
        reject(parse, "aliases are not supported: write the value out");
        node = node_new(parse, DLS_YAML_SCALAR);
        node->text = "";
        return node;
    }
}

static const struct dls_yaml *document_read(struct parse *parse)
{
    const struct dls_yaml *root;

    if (!next(parse) || !next(parse)) /* start of stream, then of the document */
        return NULL;
    if (parse->event.type == YAML_STREAM_END_EVENT) {
        dls_diag_error(parse->diag, &(struct dls_place){.file = parse->file},
                       "the file is empty");
        return NULL;
    }
    if (!next(parse) || (root = node_read(parse, 1)) == NULL)
        return NULL;
    if (!next(parse) || !next(parse)) /* end of the document, then of the stream */
        return NULL;
    if (parse->event.type != YAML_STREAM_END_EVENT)
        reject(parse, "a second document starts here, expected one");
    return parse->is_rejected ? NULL : root;
}

enum dls_status dls_yaml_parse(const char *file, const char *text, size_t bytes,
                               struct dls_arena *arena, struct dls_diag *diag,
                               const struct dls_yaml **root)
{
    struct parse parse = {.file = dls_arena_text(arena, file),
                          .text = text,
                          .bytes = bytes,
                          .arena = arena,
                          .diag = diag};
    const struct dls_yaml *node;

    dls_diag_source(diag, file, text, bytes);
    if (!yaml_parser_initialize(&parse.parser)) {
        dls_diag_error(diag, NULL, "no memory to parse '%s'", file);
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

enum dls_status dls_yaml_read(const char *path, size_t limit_bytes,
                              struct dls_arena *arena, struct dls_diag *diag,
                              const struct dls_yaml **root, uint64_t *hash)
{
    enum dls_status status = DLS_EIO;
    struct dls_str text;
    int error;

    dls_str_init(&text);
    error = dls_str_read_file(&text, path, limit_bytes);
    if (error == EFBIG) {
        dls_diag_error(diag, &(struct dls_place){.file = path},
                       "the file is too large: more than %zu bytes", limit_bytes);
        status = DLS_EINPUT;
    } else if (error != 0) {
        dls_diag_error(diag, NULL, "cannot read '%s': %s", path, strerror(error));
    } else {
        status = dls_yaml_parse(path, text.data, text.length, arena, diag, root);
    }
    if (status == DLS_OK && hash != NULL)
        *hash = dls_hash_bytes(text.data, text.length);
    dls_str_release(&text);
    return status;
}
