#include <stdio.h>
#include <string.h>

#include "sim/scenario/bind_int.h"

/* Laws: `12 ms`, or {law: lognormal, mean: 3 ms, sd: 1 ms}.
 *
 * Values that a law may take lie within the row's bounds; a deviation must not be
 * negative; the intercept and slope of an affine law are free, since draws below 0 are
 * cut. */

enum { NAME_MAX_BYTES = 96 };

/* What the keys of a law mean; NULL: it has no such key. */
static const struct form {
    const char *a, *b, *values;
} forms[] = {
    [DLS_LAW_CONSTANT] = {"value", NULL, NULL},
    [DLS_LAW_UNIFORM] = {"low", "high", NULL},
    [DLS_LAW_NORMAL] = {"mean", "sd", NULL},
    [DLS_LAW_LOGNORMAL] = {"mean", "sd", NULL},
    [DLS_LAW_GAMMA] = {"mean", "sd", NULL},
    [DLS_LAW_EXPONENTIAL] = {"mean", NULL, NULL},
    [DLS_LAW_EMPIRICAL] = {NULL, NULL, "values"},
    [DLS_LAW_AFFINE] = {"a", "b", "residuals"},
};

enum { LAWS = sizeof forms / sizeof *forms };

static bool is_key(const char *known, const struct dls_yaml *key)
{
    return known != NULL && strcmp(known, key->text) == 0;
}

/* "demand.sd", as messages call it. */
static const char *name_of(const struct dls_slot_at *at, const struct dls_yaml *key,
                           char name[NAME_MAX_BYTES])
{
    snprintf(name, NAME_MAX_BYTES, "%s.%s", at->param->key, key->text);
    return name;
}

static bool not_negative(const struct dls_slot_at *at, const char *name,
                         const struct dls_yaml *node, enum dls_unit unit, double value)
{
    char limit[48], shown[DLS_YAML_SHOWN];

    if (value >= 0)
        return true;
    dls_diag_error(at->binding->diag, &node->place,
                   "'%s' must be at least %s, found %s", name,
                   dls_units_write(0, unit, limit, sizeof limit),
                   dls_yaml_shown(node->text, shown));
    return false;
}

static bool values_read(const struct dls_slot_at *at, const char *name,
                        const struct dls_yaml *node, struct dls_law *law)
{
    bool is_affine = law->kind == DLS_LAW_AFFINE, is_good = true;
    enum dls_unit unit = is_affine ? DLS_UNIT_NUMBER : at->param->unit;
    double *values;

    if (node->type != DLS_YAML_SEQUENCE || node->count == 0) {
        dls_bind_expected(at, name, node, "a list of at least one value");
        return false;
    }
    values = dls_arena_get(at->binding->arena, node->count, sizeof *values);
    for (size_t i = 0; i < node->count; i++) {
        const struct dls_yaml *item = node->item[i];

        is_good = dls_bind_number(at, name, item, unit, &values[i]) &&
                  (is_affine ? not_negative(at, name, item, unit, values[i])
                             : dls_bind_bounds(at, name, item, values[i])) &&
                  is_good;
    }
    law->values = values;
    law->count = node->count;
    return is_good;
}

static bool key_read(const struct dls_slot_at *at, const struct dls_yaml *key,
                     const struct dls_yaml *node, struct dls_law *law)
{
    const struct form *form = &forms[law->kind];
    enum dls_unit unit = at->param->unit;
    enum dls_unit slope = unit == DLS_UNIT_TIME ? DLS_UNIT_S_PER_BYTE : DLS_UNIT_NUMBER;
    bool is_affine = law->kind == DLS_LAW_AFFINE, is_deviation = is_key("sd", key);
    char name[NAME_MAX_BYTES], shown[DLS_YAML_SHOWN];

    name_of(at, key, name);
    if (is_key("law", key))
        return true;
    if (is_key(form->a, key))
        return dls_bind_number(at, name, node, unit, &law->a) &&
               (is_affine || dls_bind_bounds(at, name, node, law->a));
    if (is_key(form->b, key) && is_deviation)
        return dls_bind_number(at, name, node, unit, &law->b) &&
               not_negative(at, name, node, unit, law->b);
    if (is_key(form->b, key))
        return dls_bind_number(at, name, node, is_affine ? slope : unit, &law->b) &&
               (is_affine || dls_bind_bounds(at, name, node, law->b));
    if (is_key(form->values, key))
        return values_read(at, name, node, law);
    dls_diag_error(
        at->binding->diag, &key->place, "unknown key '%s' in a law '%s' of '%s'",
        dls_yaml_shown(key->text, shown), dls_law_name(law->kind), at->param->key);
    return false;
}

static bool kind_read(const struct dls_slot_at *at, const struct dls_yaml *node,
                      enum dls_law_kind *kind)
{
    const struct dls_yaml *name = dls_yaml_get(node, "law");
    char found[DLS_YAML_SHOWN];
    struct dls_str valid;

    if (name != NULL && name->type == DLS_YAML_SCALAR && dls_law_find(name->text, kind))
        return true;
    dls_str_init(&valid);
    for (int i = 0; i < LAWS; i++)
        dls_str_addf(&valid, "%s%s", i == 0 ? "" : ", ",
                     dls_law_name((enum dls_law_kind)i));
    if (name != NULL)
        dls_diag_error(at->binding->diag, &name->place,
                       "the law of '%s' must be one of %s, found %s", at->param->key,
                       valid.data, dls_yaml_found(name, found));
    else
        dls_diag_error(at->binding->diag, &node->place,
                       "missing key 'law' in the law of '%s': one of %s",
                       at->param->key, valid.data);
    dls_str_release(&valid);
    return false;
}

static bool is_whole(const struct dls_slot_at *at, const struct dls_yaml *node,
                     const struct dls_law *law)
{
    const struct form *form = &forms[law->kind];
    const char *needed[] = {form->a, form->b,
                            law->kind == DLS_LAW_EMPIRICAL ? form->values : NULL};
    bool is_good = true;

    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (needed[i] != NULL && dls_yaml_get(node, needed[i]) == NULL) {
            dls_diag_error(at->binding->diag, &node->place,
                           "missing key '%s' in a law '%s' of '%s'", needed[i],
                           dls_law_name(law->kind), at->param->key);
            is_good = false;
        }
    if (is_good && law->kind == DLS_LAW_UNIFORM && law->b < law->a) {
        dls_diag_error(at->binding->diag, &dls_yaml_get(node, "high")->place,
                       "'%s.high' must be at least '%s.low'", at->param->key,
                       at->param->key);
        is_good = false;
    }
    return is_good;
}

bool dls_bind_law(const struct dls_slot_at *at, const struct dls_yaml *node,
                  struct dls_law *law)
{
    struct dls_law read = {.kind = DLS_LAW_CONSTANT};
    bool is_good;

    if (node->type == DLS_YAML_MAPPING) {
        is_good = kind_read(at, node, &read.kind);
        if (!is_good)
            return false;
        for (size_t i = 0; i < node->count; i++)
            is_good = key_read(at, node->key[i], node->item[i], &read) && is_good;
        is_good = is_whole(at, node, &read) && is_good;
    } else {
        is_good = dls_bind_number(at, at->param->key, node, at->param->unit, &read.a) &&
                  dls_bind_bounds(at, at->param->key, node, read.a);
    }
    if (is_good)
        *law = read;
    return is_good;
}
