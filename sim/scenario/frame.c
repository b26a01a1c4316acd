#include <math.h>
#include <string.h>

#include "sim/scenario/scenario_int.h"

/* The keys of a scenario file beside its sections. */

static const char *const frame[] = {"dlsim",  "name", "about", "params",
                                    "expect", "host", "run"};

enum {
    FRAME = sizeof frame / sizeof *frame,
    FRAME_SECTIONS = FRAME - 2,
    NAMES = FRAME + DLS_ROLES
};

/* All keys of a file; the sections are those from FRAME_SECTIONS on. */
static void names_list(const char *names[NAMES])
{
    memcpy(names, frame, sizeof frame);
    for (int role = 0; role < DLS_ROLES; role++)
        names[FRAME + role] = dls_role_text((enum dls_role)role);
}

bool dls_section_is(const char *name)
{
    const char *names[NAMES];

    names_list(names);
    for (int i = FRAME_SECTIONS; i < NAMES; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

const char *dls_section_near(const char *name)
{
    const char *names[NAMES];

    names_list(names);
    return dls_str_near(name, names + FRAME_SECTIONS, NAMES - FRAME_SECTIONS);
}

static void key_reject(struct dls_reader *reader, const struct dls_yaml *key)
{
    const char *names[NAMES];
    char shown[DLS_YAML_SHOWN];
    const char *near;

    names_list(names);
    near = dls_str_near(key->text, names, NAMES);
    dls_yaml_shown(key->text, shown);
    if (strcmp(key->text, "vary") == 0 || strcmp(key->text, "target") == 0)
        dls_diag_error(reader->diag, &key->place,
                       "'%s' belongs to %s, which this version does not have",
                       key->text, key->text[0] == 'v' ? "sweep" : "plan");
    else if (strcmp(key->text, "volumes") == 0)
        dls_diag_error(
            reader->diag, &key->place,
            "'volumes' is not known to this version: 'storage' is the only one");
    else if (near != NULL)
        dls_diag_error(reader->diag, &key->place,
                       "unknown section '%s' (did you mean '%s'?)", shown, near);
    else
        dls_diag_error(reader->diag, &key->place, "unknown section '%s'", shown);
}

void dls_frame_check(struct dls_reader *reader)
{
    const char *names[NAMES];

    names_list(names);
    for (size_t i = 0; i < reader->root->count; i++) {
        int known = 0;

        while (known < NAMES && strcmp(names[known], reader->root->key[i]->text) != 0)
            known++;
        if (known == NAMES)
            key_reject(reader, reader->root->key[i]);
    }
}

const char *dls_frame_text(struct dls_reader *reader, const char *key, bool is_required)
{
    const struct dls_yaml *node = dls_yaml_get(reader->root, key);
    const char *expected = "a text";
    char found[DLS_YAML_SHOWN];

    if (node == NULL) {
        if (is_required)
            dls_diag_error(reader->diag, &reader->root->place, "missing key '%s'", key);
        return NULL;
    }
    if (node->type == DLS_YAML_SCALAR && node->text[0] != '\0') {
        /* names and paths stand in messages and tables */
        if (strcmp(key, "about") == 0 || strpbrk(node->text, "\n\t") == NULL)
            return node->text;
        expected = "a text on one line";
    }
    dls_diag_error(reader->diag, &node->place, "'%s' must be %s, found %s", key,
                   expected, dls_yaml_found(node, found));
    return NULL;
}

/* ------------------------------------------------------------------ expect */

static void condition_key_read(struct dls_reader *reader, const struct dls_yaml *key,
                               const struct dls_yaml *node, struct dls_expect *expect)
{
    bool is_metric = strcmp(key->text, "metric") == 0,
         is_min = strcmp(key->text, "min") == 0;
    char shown[DLS_YAML_SHOWN];
    const char *expected = "a single value";

    if (!is_metric && !is_min && strcmp(key->text, "max") != 0) {
        dls_diag_error(reader->diag, &key->place,
                       "unknown key '%s' in expect, expected metric, min or max",
                       dls_yaml_shown(key->text, shown));
        return;
    }
    if (is_metric && node->type == DLS_YAML_SCALAR && node->text[0] != '\0') {
        expect->metric = node->text;
        return;
    }
    if (is_metric)
        expected = "the name of a metric";
    else if (node->type == DLS_YAML_SCALAR)
        expected = dls_units_read(node->text, DLS_UNIT_NUMBER,
                                  is_min ? &expect->min : &expect->max);
    if (expected != NULL)
        dls_diag_error(reader->diag, &node->place, "'%s' must be %s%s, found %s",
                       key->text, expected, is_metric ? "" : " in the metric's unit",
                       dls_yaml_found(node, shown));
}

static void condition_read(struct dls_reader *reader, const struct dls_yaml *item,
                           struct dls_expect *expect)
{
    size_t errors = dls_diag_errors(reader->diag);
    char found[DLS_YAML_SHOWN];

    *expect = (struct dls_expect){.min = NAN, .max = NAN, .place = item->place};
    if (item->type != DLS_YAML_MAPPING) {
        dls_diag_error(reader->diag, &item->place,
                       "an element of 'expect' must be a mapping, found %s",
                       dls_yaml_found(item, found));
        return;
    }
    for (size_t i = 0; i < item->count; i++)
        condition_key_read(reader, item->key[i], item->item[i], expect);
    if (dls_diag_errors(reader->diag) != errors)
        return;
    if (expect->metric == NULL || (isnan(expect->min) && isnan(expect->max)))
        dls_diag_error(reader->diag, &item->place,
                       "a condition needs 'metric' and 'min' or 'max'");
    else if (expect->min > expect->max)
        dls_diag_error(reader->diag, &item->place,
                       "'min' of a condition must be at most its 'max'");
}

void dls_frame_expect(struct dls_reader *reader)
{
    const struct dls_yaml *list = dls_yaml_get(reader->root, "expect");
    struct dls_scenario *scenario = reader->scenario;
    char found[DLS_YAML_SHOWN];

    if (list == NULL)
        return;
    if (list->type != DLS_YAML_SEQUENCE) {
        dls_diag_error(reader->diag, &list->place, "'expect' must be a list, found %s",
                       dls_yaml_found(list, found));
        return;
    }
    scenario->expect = dls_arena_get(scenario->arena, list->count + 1,
                                     sizeof *scenario->expect);
    for (size_t i = 0; i < list->count; i++)
        condition_read(reader, list->item[i], &scenario->expect[scenario->expects++]);
}
