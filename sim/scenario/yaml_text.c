#include <stdio.h>
#include <string.h>

#include "sim/scenario/yaml_tree.h"

/* Nodes in words: look-up, and what messages and records say about them. */

enum { FLOW_BYTES = 200 };

const char *dls_yaml_type_text(enum dls_yaml_type type)
{
    return type == DLS_YAML_SCALAR     ? "a single value"
           : type == DLS_YAML_SEQUENCE ? "a list"
                                       : "a mapping";
}

const struct dls_yaml *dls_yaml_get(const struct dls_yaml *mapping, const char *key)
{
    for (size_t i = 0; mapping->type == DLS_YAML_MAPPING && i < mapping->count; i++)
        if (strcmp(mapping->key[i]->text, key) == 0)
            return mapping->item[i];
    return NULL;
}

/* Length of `text` cut to at most `limit` bytes, between characters. */
static size_t cut(const char *text, size_t limit)
{
    size_t length = strnlen(text, limit + 1);

    if (length <= limit)
        return length;
    for (length = limit; length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80;)
        length--;
    return length;
}

/* Messages and records are lines of text: what would move the cursor of a terminal does
 * not belong there. */
static void one_line(char *text)
{
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7f)
            *text = *text == '\n' || *text == '\t' ? ' ' : '?';
}

const char *dls_yaml_shown(const char *text, char out[DLS_YAML_SHOWN])
{
    /* room for the dots and, in dls_yaml_found, the quotes */
    size_t length = cut(text, DLS_YAML_SHOWN - 6);

    snprintf(out, DLS_YAML_SHOWN, "%.*s%s", (int)length, text,
             text[length] != '\0' ? "..." : "");
    one_line(out);
    return out;
}

const char *dls_yaml_found(const struct dls_yaml *node, char out[DLS_YAML_SHOWN])
{
    char shown[DLS_YAML_SHOWN];

    if (node->type != DLS_YAML_SCALAR)
        return dls_yaml_type_text(node->type);
    if (node->text[0] == '\0' && !node->quoted)
        return "nothing";
    snprintf(out, DLS_YAML_SHOWN, "'%s'", dls_yaml_shown(node->text, shown));
    return out;
}

static void flow_add(struct dls_str *out, const struct dls_yaml *node)
{
    bool is_mapping = node->type == DLS_YAML_MAPPING;

    if (node->type == DLS_YAML_SCALAR) {
        dls_str_add_n(out, node->text, cut(node->text, FLOW_BYTES + 1));
        return;
    }
    dls_str_add(out, is_mapping ? "{" : "[");
    for (size_t i = 0; i < node->count && out->length <= FLOW_BYTES; i++) {
        if (i > 0)
            dls_str_add(out, ", ");
        if (is_mapping)
            dls_str_addf(out, "%.*s: ", (int)cut(node->key[i]->text, FLOW_BYTES),
                         node->key[i]->text);
        flow_add(out, node->item[i]);
    }
    dls_str_add(out, is_mapping ? "}" : "]");
}

const char *dls_yaml_flow(const struct dls_yaml *node, struct dls_arena *arena)
{
    struct dls_str text;
    const char *kept;

    dls_str_init(&text);
    flow_add(&text, node);
    if (text.length > FLOW_BYTES) {
        text.length = cut(text.data, FLOW_BYTES);
        text.data[text.length] = '\0';
        dls_str_add(&text, "...");
    }
    one_line(text.data);
    kept = dls_arena_text(arena, text.data);
    dls_str_release(&text);
    return kept;
}
