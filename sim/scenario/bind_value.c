#include <math.h>
#include <string.h>

#include "sim/scenario/bind_int.h"
#include "sim/scenario/samples.h"

static void *field(const struct dls_slot_at *at)
{
    return (char *)at->conf + at->param->offset;
}

static enum dls_unit unit_of(const struct dls_param *param)
{
    return param->type == DLS_PARAM_COUNT ? DLS_UNIT_COUNT : param->unit;
}

void dls_bind_expected(const struct dls_slot_at *at, const char *name,
                       const struct dls_yaml *node, const char *expected)
{
    char found[DLS_YAML_SHOWN];

    dls_diag_error(at->binding->diag, &node->place, "'%s' must be %s, found %s", name,
                   expected, dls_yaml_found(node, found));
}

/* ------------------------------------------------------------------ numbers */

bool dls_bind_bounds(const struct dls_slot_at *at, const char *name,
                     const struct dls_yaml *node, double value)
{
    const struct dls_param *param = at->param;
    double most = param->max > param->min          ? param->max
                  : param->type == DLS_PARAM_COUNT ? 1e15
                                                   : INFINITY;
    bool is_low = value < param->min;
    char limit[48], shown[DLS_YAML_SHOWN];

    if (!is_low && value <= most)
        return true;
    dls_diag_error(at->binding->diag, &node->place, "'%s' must be at %s %s, found %s",
                   name, is_low ? "least" : "most",
                   dls_units_write(is_low ? param->min : most, unit_of(param), limit,
                                   sizeof limit),
                   dls_yaml_shown(node->text, shown));
    return false;
}

bool dls_bind_number(const struct dls_slot_at *at, const char *name,
                     const struct dls_yaml *node, enum dls_unit unit, double *value)
{
    const char *expected = "a single value";

    if (node->type == DLS_YAML_SCALAR)
        expected = dls_units_read(node->text, unit, value);
    if (expected != NULL)
        dls_bind_expected(at, name, node, expected);
    return expected == NULL;
}

static bool number_read(const struct dls_slot_at *at, const struct dls_yaml *node)
{
    double value;

    if (!dls_bind_number(at, at->param->key, node, unit_of(at->param), &value) ||
        !dls_bind_bounds(at, at->param->key, node, value))
        return false;
    if (at->param->type == DLS_PARAM_COUNT)
        *(int64_t *)field(at) = (int64_t)value;
    else
        *(double *)field(at) = value;
    return true;
}

/* ------------------------------------------------------------------ words */

static bool bool_read(const struct dls_slot_at *at, const struct dls_yaml *node)
{
    bool is_true = node->type == DLS_YAML_SCALAR && strcmp(node->text, "true") == 0;

    if (!is_true &&
        (node->type != DLS_YAML_SCALAR || strcmp(node->text, "false") != 0)) {
        dls_bind_expected(at, at->param->key, node, "true or false");
        return false;
    }
    *(bool *)field(at) = is_true;
    return true;
}

static void choice_reject(const struct dls_slot_at *at, const struct dls_yaml *node,
                          size_t count)
{
    const char *const *choices = at->param->choices;
    const char *near = node->type == DLS_YAML_SCALAR
                           ? dls_str_near(node->text, choices, count)
                           : NULL;
    char found[DLS_YAML_SHOWN];
    struct dls_str valid;

    dls_str_init(&valid);
    for (size_t i = 0; i < count; i++)
        dls_str_addf(&valid, "%s%s", i == 0 ? "" : ", ", choices[i]);
    if (near != NULL)
        dls_str_addf(&valid, ", found %s (did you mean '%s'?)",
                     dls_yaml_found(node, found), near);
    else
        dls_str_addf(&valid, ", found %s", dls_yaml_found(node, found));
    dls_diag_error(at->binding->diag, &node->place, "'%s' must be one of %s",
                   at->param->key, valid.data);
    dls_str_release(&valid);
}

static bool choice_read(const struct dls_slot_at *at, const struct dls_yaml *node)
{
    const char *const *choices = at->param->choices;
    size_t count = 0;

    for (; choices[count] != NULL; count++)
        if (node->type == DLS_YAML_SCALAR && strcmp(choices[count], node->text) == 0) {
            *(int *)field(at) = (int)count;
            return true;
        }
    choice_reject(at, node, count);
    return false;
}

/* A key with nothing behind it is no text; an empty one is written "". Texts are names
 * that stand in messages and tables: one line. */
static bool text_read(const struct dls_slot_at *at, const struct dls_yaml *node)
{
    const char *expected = NULL;

    if (node->type != DLS_YAML_SCALAR || (node->text[0] == '\0' && !node->quoted))
        expected = "a text";
    else if (strpbrk(node->text, "\n\t") != NULL)
        expected = "a text on one line";
    if (expected != NULL) {
        dls_bind_expected(at, at->param->key, node, expected);
        return false;
    }
    *(const char **)field(at) = dls_arena_text(at->binding->arena, node->text);
    return true;
}

/* ------------------------------------------------------------------ tables */

static bool samples_read(const struct dls_slot_at *at, const struct dls_yaml *node)
{
    const struct dls_samples *samples;
    struct dls_str path;
    enum dls_status status;

    if (node->type != DLS_YAML_SCALAR || node->text[0] == '\0' ||
        strpbrk(node->text, "\n\t") != NULL) {
        dls_bind_expected(at, at->param->key, node, "the path of a table");
        return false;
    }
    dls_str_init(&path);
    if (node->text[0] != '/' && at->dir != NULL && at->dir[0] != '\0')
        dls_str_addf(&path, "%s/", at->dir);
    dls_str_add(&path, node->text);
    status = dls_samples_read(path.data, at->binding->arena, at->binding->diag,
                              &samples);
    dls_str_release(&path);
    if (status == DLS_EIO) {
        dls_diag_note(at->binding->diag, &node->place, "the table is named here");
        at->binding->is_io_failed = true;
    }
    if (status == DLS_OK)
        *(const struct dls_samples **)field(at) = samples;
    return status == DLS_OK;
}

/* ------------------------------------------------------------------ all types */

/* What the record of a list shows: the names of its elements, or how many there are. */
static const char *list_text(const struct dls_slot_at *at, const struct dls_yaml *node)
{
    const struct dls_param *item = at->param->item;
    struct dls_yaml names = {.type = DLS_YAML_SEQUENCE};

    names.item = dls_arena_get(at->binding->arena, node->count + 1,
                               sizeof(const struct dls_yaml *));
    for (size_t i = 0; node->type == DLS_YAML_SEQUENCE && i < node->count; i++) {
        const struct dls_yaml *name = dls_yaml_get(node->item[i], item[0].key);

        if (name != NULL)
            names.item[names.count++] = name;
    }
    return dls_yaml_flow(&names, at->binding->arena);
}

bool dls_bind_value(const struct dls_slot_at *at, const struct dls_yaml *node,
                    const char **text)
{
    bool is_list = at->param->type == DLS_PARAM_LIST;

    *text = node->type == DLS_YAML_SCALAR ? node->text
            : is_list                     ? list_text(at, node)
                                          : dls_yaml_flow(node, at->binding->arena);
    switch (at->param->type) {
    case DLS_PARAM_COUNT:
    case DLS_PARAM_QUANTITY:
        return number_read(at, node);
    case DLS_PARAM_BOOL:
        return bool_read(at, node);
    case DLS_PARAM_CHOICE:
        return choice_read(at, node);
    case DLS_PARAM_TEXT:
        return text_read(at, node);
    case DLS_PARAM_LAW:
        return dls_bind_law(at, node, field(at));
    case DLS_PARAM_SAMPLES:
        return samples_read(at, node);
    case DLS_PARAM_LIST:
        return dls_bind_list(at, node);
    }
    dls_bug("parameter type", __FILE__, __LINE__, "%d", (int)at->param->type);
}

void dls_bind_text(const struct dls_slot_at *at, const char *text)
{
    struct dls_yaml node = {.type = DLS_YAML_SCALAR, .text = text, .quoted = true};
    const char *ignored;

    if (!dls_bind_value(at, &node, &ignored))
        dls_bug("a value of our own tables", __FILE__, __LINE__, "%s: %s = '%s'",
                at->binding->owner, at->param->key, text);
}
