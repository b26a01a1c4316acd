#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/scenario/bind_int.h"
#include "sim/scenario/samples.h"

static struct dls_arena *arena_of(const struct dls_slot_at *at)
{
    return at->binding->arena;
}

static void *field(const struct dls_slot_at *at)
{
    return (char *)at->conf + at->param->offset;
}

/* "'workers' must be at least 1, found 0": true when the value lies within the row's bounds. */
static bool bounds_hold(const struct dls_slot_at *at, const struct dls_yaml *node, double value)
{
    const struct dls_param *param = at->param;
    enum dls_unit unit = param->type == DLS_PARAM_COUNT ? DLS_UNIT_COUNT : param->unit;
    double most = param->max > param->min ? param->max : param->type == DLS_PARAM_COUNT ? 1e15 : INFINITY;
    char limit[48];

    if (value < param->min) {
        dls_diag_error(at->binding->diag, &node->place, "'%s' must be at least %s, found %s", param->key,
                       dls_units_write(param->min, unit, limit, sizeof limit), node->text);
        return false;
    }
    if (value > most) {
        dls_diag_error(at->binding->diag, &node->place, "'%s' must be at most %s, found %s", param->key,
                       dls_units_write(most, unit, limit, sizeof limit), node->text);
        return false;
    }
    return true;
}

static bool is_scalar(const struct dls_slot_at *at, const struct dls_yaml *node)
{
    if (node->type == DLS_YAML_SCALAR)
        return true;
    dls_diag_error(at->binding->diag, &node->place, "'%s' must be a single value, found %s", at->param->key,
                   dls_yaml_type_text(node->type));
    return false;
}

static bool number_read(const struct dls_slot_at *at, const struct dls_yaml *node, enum dls_unit unit, double *value)
{
    const char *expected;

    if (!is_scalar(at, node))
        return false;
    expected = dls_units_read(node->text, unit, value);
    if (expected != NULL)
        dls_diag_error(at->binding->diag, &node->place, "'%s' must be %s, found '%s'", at->param->key, expected,
                       node->text);
    return expected == NULL;
}

static bool bool_read(const struct dls_slot_at *at, const struct dls_yaml *node, bool *value)
{
    if (!is_scalar(at, node))
        return false;
    if (strcmp(node->text, "true") != 0 && strcmp(node->text, "false") != 0) {
        dls_diag_error(at->binding->diag, &node->place, "'%s' must be true or false, found '%s'", at->param->key,
                       node->text);
        return false;
    }
    *value = node->text[0] == 't';
    return true;
}

static bool choice_read(const struct dls_slot_at *at, const struct dls_yaml *node, int *value)
{
    const char *const *choices = at->param->choices;
    struct dls_str valid;
    const char *near;
    size_t count = 0;

    if (!is_scalar(at, node))
        return false;
    for (; choices[count] != NULL; count++)
        if (strcmp(choices[count], node->text) == 0) {
            *value = (int)count;
            return true;
        }
    dls_str_init(&valid);
    for (size_t i = 0; i < count; i++)
        dls_str_addf(&valid, "%s%s", i == 0 ? "" : ", ", choices[i]);
    near = dls_str_near(node->text, choices, count);
    if (near != NULL)
        dls_diag_error(at->binding->diag, &node->place, "'%s' must be one of %s, found '%s' (did you mean '%s'?)",
                       at->param->key, valid.data, node->text, near);
    else
        dls_diag_error(at->binding->diag, &node->place, "'%s' must be one of %s, found '%s'", at->param->key,
                       valid.data, node->text);
    dls_str_release(&valid);
    return false;
}

/* ------------------------------------------------------------------ laws */

/* The names of a law's two parameters; NULL: it has none. */
static const struct {
    enum dls_law_kind kind;
    const char *a, *b, *values;
} law_forms[] = {
    {DLS_LAW_CONSTANT, "value", NULL, NULL},    {DLS_LAW_UNIFORM, "low", "high", NULL},
    {DLS_LAW_NORMAL, "mean", "sd", NULL},       {DLS_LAW_LOGNORMAL, "mean", "sd", NULL},
    {DLS_LAW_GAMMA, "mean", "sd", NULL},        {DLS_LAW_EXPONENTIAL, "mean", NULL, NULL},
    {DLS_LAW_EMPIRICAL, NULL, NULL, "values"},  {DLS_LAW_AFFINE, "a", "b", "residuals"},
};

enum { LAW_FORMS = sizeof law_forms / sizeof *law_forms };

static bool law_values_read(const struct dls_slot_at *at, const struct dls_yaml *node, enum dls_unit unit,
                            struct dls_law *law)
{
    double *values;

    if (node->type != DLS_YAML_SEQUENCE || node->count == 0) {
        dls_diag_error(at->binding->diag, &node->place, "'%s' needs a list of at least one value", at->param->key);
        return false;
    }
    values = dls_arena_get(arena_of(at), node->count, sizeof *values);
    for (size_t i = 0; i < node->count; i++)
        if (!number_read(at, node->item[i], unit, &values[i]))
            return false;
    law->values = values;
    law->count = node->count;
    return true;
}

static bool law_key_read(const struct dls_slot_at *at, const struct dls_yaml *key, const struct dls_yaml *node,
                         size_t form, struct dls_law *law)
{
    bool is_affine = law->kind == DLS_LAW_AFFINE;
    enum dls_unit slope = at->param->unit == DLS_UNIT_TIME ? DLS_UNIT_S_PER_BYTE : DLS_UNIT_NUMBER;

    if (strcmp(key->text, "law") == 0)
        return true;
    if (law_forms[form].a != NULL && strcmp(key->text, law_forms[form].a) == 0)
        return number_read(at, node, at->param->unit, &law->a);
    if (law_forms[form].b != NULL && strcmp(key->text, law_forms[form].b) == 0)
        return number_read(at, node, is_affine ? slope : at->param->unit, &law->b);
    if (law_forms[form].values != NULL && strcmp(key->text, law_forms[form].values) == 0)
        return law_values_read(at, node, is_affine ? DLS_UNIT_NUMBER : at->param->unit, law);
    dls_diag_error(at->binding->diag, &key->place, "unknown key '%s' in a law '%s' of '%s'", key->text,
                   dls_law_name(law->kind), at->param->key);
    return false;
}

static bool law_mapping_read(const struct dls_slot_at *at, const struct dls_yaml *node, struct dls_law *law)
{
    const struct dls_yaml *name = dls_yaml_get(node, "law");
    size_t form = 0;

    if (name == NULL || name->type != DLS_YAML_SCALAR || !dls_law_find(name->text, &law->kind)) {
        dls_diag_error(at->binding->diag, name ? &name->place : &node->place,
                       "'%s' needs 'law': one of constant, uniform, normal, lognormal, gamma, exponential, "
                       "empirical, affine",
                       at->param->key);
        return false;
    }
    while (form < LAW_FORMS && law_forms[form].kind != law->kind)
        form++;
    for (size_t i = 0; i < node->count; i++)
        if (!law_key_read(at, node->key[i], node->item[i], form, law))
            return false;
    for (int part = 0; part < 2; part++) {
        const char *key = part == 0 ? law_forms[form].a : law_forms[form].b;

        if (key != NULL && dls_yaml_get(node, key) == NULL) {
            dls_diag_error(at->binding->diag, &node->place, "missing key '%s' in a law '%s' of '%s'", key, name->text,
                           at->param->key);
            return false;
        }
    }
    if (law->kind == DLS_LAW_EMPIRICAL && law->count == 0) {
        dls_diag_error(at->binding->diag, &node->place, "missing key 'values' in a law 'empirical' of '%s'",
                       at->param->key);
        return false;
    }
    return true;
}

static bool law_read(const struct dls_slot_at *at, const struct dls_yaml *node, struct dls_law *law)
{
    struct dls_law read = {.kind = DLS_LAW_CONSTANT};

    if (node->type == DLS_YAML_MAPPING) {
        if (!law_mapping_read(at, node, &read))
            return false;
    } else if (!number_read(at, node, at->param->unit, &read.a) || !bounds_hold(at, node, read.a)) {
        return false;
    }
    *law = read;
    return true;
}

/* ------------------------------------------------------------------ tables and lists */

static bool samples_read(const struct dls_slot_at *at, const struct dls_yaml *node)
{
    const struct dls_samples *samples;
    struct dls_str path;
    enum dls_status status;

    if (!is_scalar(at, node))
        return false;
    dls_str_init(&path);
    if (node->text[0] != '/' && at->dir != NULL && at->dir[0] != '\0')
        dls_str_addf(&path, "%s/", at->dir);
    dls_str_add(&path, node->text);
    status = dls_samples_read(path.data, arena_of(at), at->binding->diag, &samples);
    if (status == DLS_EIO)
        dls_diag_note(at->binding->diag, &node->place, "the table is named here");
    dls_str_release(&path);
    if (status == DLS_OK)
        *(const struct dls_samples **)field(at) = samples;
    return status == DLS_OK;
}

static bool list_read(const struct dls_slot_at *at, const struct dls_yaml *node)
{
    struct dls_list list;
    bool is_good = true;

    if (node->type != DLS_YAML_SEQUENCE) {
        dls_diag_error(at->binding->diag, &node->place, "'%s' must be a list, found %s", at->param->key,
                       dls_yaml_type_text(node->type));
        return false;
    }
    list.count = node->count;
    list.items = dls_arena_get(arena_of(at), node->count + 1, at->param->item_size);
    for (size_t i = 0; i < node->count; i++)
        is_good = dls_bind_element(at->binding, at->param->item, (char *)list.items + i * at->param->item_size,
                                   node->item[i], at->layer, at->dir) &&
                  is_good;
    if (is_good)
        *(struct dls_list *)field(at) = list;
    return is_good;
}

/* ------------------------------------------------------------------ all types */

bool dls_bind_value(const struct dls_slot_at *at, const struct dls_yaml *node, const char **text)
{
    enum dls_unit unit = at->param->type == DLS_PARAM_COUNT ? DLS_UNIT_COUNT : at->param->unit;
    double value;

    *text = node->type == DLS_YAML_SCALAR ? node->text : dls_yaml_type_text(node->type);
    switch (at->param->type) {
    case DLS_PARAM_COUNT:
    case DLS_PARAM_QUANTITY:
        if (!number_read(at, node, unit, &value) || !bounds_hold(at, node, value))
            return false;
        if (at->param->type == DLS_PARAM_COUNT)
            *(int64_t *)field(at) = (int64_t)value;
        else
            *(double *)field(at) = value;
        return true;
    case DLS_PARAM_BOOL:
        return bool_read(at, node, field(at));
    case DLS_PARAM_CHOICE:
        return choice_read(at, node, field(at));
    case DLS_PARAM_TEXT:
        if (!is_scalar(at, node))
            return false;
        *(const char **)field(at) = dls_arena_text(arena_of(at), node->text);
        return true;
    case DLS_PARAM_LAW:
        return law_read(at, node, field(at));
    case DLS_PARAM_SAMPLES:
        return samples_read(at, node);
    case DLS_PARAM_LIST:
        return list_read(at, node);
    }
    dls_bug("parameter type", __FILE__, __LINE__, "%d", (int)at->param->type);
}

void dls_bind_text(const struct dls_slot_at *at, const char *text)
{
    struct dls_yaml node = {.type = DLS_YAML_SCALAR, .text = text};
    const char *ignored;
    size_t before = dls_diag_errors(at->binding->diag);

    if (!dls_bind_value(at, &node, &ignored) || dls_diag_errors(at->binding->diag) != before)
        dls_bug("a value of our own tables", __FILE__, __LINE__, "%s: %s = '%s'", at->binding->owner,
                at->param->key, text);
}
