#include "sim/run/cases.h"

#include <math.h>
#include <string.h>

#include "sim/base/units.h"
#include "sim/scenario/params.h"
#include "sim/scenario/yaml_tree.h"

enum { LIMIT_BYTES = 16 << 20, CALIBRATION_MOST = 2, REPLICATIONS_MOST = 1000 };

struct reader {
    struct dls_arena *arena;
    struct dls_diag *diag;
    struct dls_cases *cases;
};

/* ------------------------------------------------------------------ nodes */

static bool expect_type(const struct reader *reader, const struct dls_yaml *node,
                        enum dls_yaml_type type, const char *what)
{
    if (node->type == type)
        return true;
    dls_diag_error(reader->diag, &node->place, "'%s' must be %s, found %s", what,
                   dls_yaml_type_text(type), dls_yaml_type_text(node->type));
    return false;
}

/* Reports keys of a mapping that are not in `known` (ends with NULL). */
static void check_keys(const struct reader *reader, const struct dls_yaml *mapping,
                       const char *const *known, const char *owner)
{
    size_t count = 0;

    while (known[count] != NULL)
        count++;
    for (size_t i = 0; i < mapping->count; i++) {
        const char *key = mapping->key[i]->text;
        const char *near;
        size_t at = 0;

        while (at < count && strcmp(known[at], key) != 0)
            at++;
        if (at < count)
            continue;
        near = dls_str_near(key, known, count);
        if (near != NULL)
            dls_diag_error(reader->diag, &mapping->key[i]->place,
                           "unknown key '%s' in %s (did you mean '%s'?)", key, owner,
                           near);
        else
            dls_diag_error(reader->diag, &mapping->key[i]->place,
                           "unknown key '%s' in %s", key, owner);
    }
}

/* The text of a key; NULL when it is missing (a message when it is `required`) or no
 * single value. */
static const char *read_text(const struct reader *reader,
                             const struct dls_yaml *mapping, const char *key,
                             bool required)
{
    const struct dls_yaml *node = dls_yaml_get(mapping, key);

    if (node == NULL) {
        if (required)
            dls_diag_error(reader->diag, &mapping->place, "missing key '%s'", key);
        return NULL;
    }
    if (!expect_type(reader, node, DLS_YAML_SCALAR, key))
        return NULL;
    if (node->text[0] == '\0') {
        dls_diag_error(reader->diag, &node->place, "'%s' must not be empty", key);
        return NULL;
    }
    return node->text;
}

/* A list of single values; `*count` 0 when it is missing. */
static const char **read_list(const struct reader *reader,
                              const struct dls_yaml *mapping, const char *key,
                              size_t *count)
{
    const struct dls_yaml *node = dls_yaml_get(mapping, key);
    const char **list;

    *count = 0;
    if (node == NULL || !expect_type(reader, node, DLS_YAML_SEQUENCE, key))
        return NULL;
    if (node->count == 0)
        dls_diag_error(reader->diag, &node->place, "'%s' must not be empty", key);
    list = dls_arena_get(reader->arena, node->count + 1, sizeof *list);
    for (size_t i = 0; i < node->count; i++)
        if (expect_type(reader, node->item[i], DLS_YAML_SCALAR, key))
            list[(*count)++] = node->item[i]->text;
    return list;
}

/* ------------------------------------------------------------------ paths */

static void read_values(const struct reader *reader, const struct dls_yaml *mapping,
                        struct dls_case_path *path)
{
    const struct dls_yaml *node = dls_yaml_get(mapping, "values");

    if (node == NULL || !expect_type(reader, node, DLS_YAML_MAPPING, "values"))
        return;
    path->from = dls_arena_get(reader->arena, node->count + 1, sizeof *path->from);
    path->to = dls_arena_get(reader->arena, node->count + 1, sizeof *path->to);
    for (size_t i = 0; i < node->count; i++) {
        if (!expect_type(reader, node->item[i], DLS_YAML_SCALAR, node->key[i]->text))
            continue;
        path->from[path->values] = node->key[i]->text;
        path->to[path->values++] = node->item[i]->text;
    }
}

static void read_unless(const struct reader *reader, const struct dls_yaml *mapping,
                        struct dls_case_path *path)
{
    const struct dls_yaml *node = dls_yaml_get(mapping, "unless");

    if (node == NULL || !expect_type(reader, node, DLS_YAML_MAPPING, "unless"))
        return;
    if (node->count != 1 || node->item[0]->type != DLS_YAML_SCALAR) {
        dls_diag_error(
            reader->diag, &node->place,
            "'unless' must name one column and its text, as in {workers: 0}");
        return;
    }
    path->unless_column = node->key[0]->text;
    path->unless_text = node->item[0]->text;
}

static void read_path(const struct reader *reader, const struct dls_yaml *node,
                      struct dls_case_path *path)
{
    static const char *const known[] = {"path",   "unit",   "skip",
                                        "values", "unless", NULL};

    path->place = node->place;
    if (node->type == DLS_YAML_MAPPING) {
        check_keys(reader, node, known, "a path");
        path->path = read_text(reader, node, "path", true);
        path->unit = read_text(reader, node, "unit", false);
        path->skip = read_text(reader, node, "skip", false);
        read_values(reader, node, path);
        read_unless(reader, node, path);
    } else if (expect_type(reader, node, DLS_YAML_SCALAR, path->column)) {
        path->path = node->text;
    }
    if (path->path != NULL && strchr(path->path, '.') == NULL)
        dls_diag_error(reader->diag, &path->place,
                       "expected a path such as loader.workers, found '%s'",
                       path->path);
}

static void read_paths(const struct reader *reader, const struct dls_yaml *root)
{
    const struct dls_yaml *node = dls_yaml_get(root, "paths");
    struct dls_cases *cases = reader->cases;

    if (node == NULL || !expect_type(reader, node, DLS_YAML_MAPPING, "paths"))
        return;
    cases->column = dls_arena_get(reader->arena, node->count + 1,
                                  sizeof *cases->column);
    for (size_t i = 0; i < node->count; i++) {
        cases->column[i].column = node->key[i]->text;
        read_path(reader, node->item[i], &cases->column[i]);
    }
    cases->columns = node->count;
}

/* ------------------------------------------------------------------ families */

static void check_recordings(const struct reader *reader,
                             const struct dls_case_family *family,
                             const struct dls_yaml *node)
{
    for (size_t i = 0; i < family->recordings; i++) {
        if (family->recording[i][0] == '\0' ||
            strchr(family->recording[i], '/') != NULL)
            dls_diag_error(
                reader->diag, &node->place,
                "expected the name of a recording in the folder of data, found '%s'",
                family->recording[i]);
        for (size_t j = 0; j < i; j++)
            if (strcmp(family->recording[i], family->recording[j]) == 0)
                dls_diag_error(reader->diag, &node->place,
                               "recording '%s' is named twice", family->recording[i]);
    }
    if (family->recordings == 0)
        dls_diag_error(reader->diag, &node->place, "a family needs 'recordings'");
    else if (!family->is_replay && family->recordings > CALIBRATION_MOST)
        dls_diag_error(
            reader->diag, &node->place,
            "a family calibrates from at most %d recordings, found %zu: the others are "
            "to be predicted",
            CALIBRATION_MOST, family->recordings);
}

static void read_family(const struct reader *reader, const struct dls_yaml *node,
                        struct dls_case_family *family)
{
    static const char *const known[] = {"name", "type", "recordings", "groups", NULL};
    const char *type;

    family->place = node->place;
    if (!expect_type(reader, node, DLS_YAML_MAPPING, "families"))
        return;
    check_keys(reader, node, known, "a family");
    family->name = read_text(reader, node, "name", true);
    type = read_text(reader, node, "type", false);
    family->is_replay = type != NULL && strcmp(type, "replay") == 0;
    if (type != NULL && !family->is_replay && strcmp(type, "what_if") != 0)
        dls_diag_error(reader->diag, &dls_yaml_get(node, "type")->place,
                       "'type' must be one of what_if, replay, found '%s'", type);
    family->recording = read_list(reader, node, "recordings", &family->recordings);
    family->group = read_list(reader, node, "groups", &family->groups);
    check_recordings(reader, family, node);
    if (family->is_replay && family->groups > 0)
        dls_diag_error(reader->diag, &dls_yaml_get(node, "groups")->place,
                       "a replay family has no 'groups'");
    if (!family->is_replay && family->groups == 0)
        dls_diag_error(reader->diag, &node->place,
                       "a family that is no replay needs 'groups'");
}

/* A group belongs to one family, a name to one family. */
static void check_doubles(const struct reader *reader, size_t index)
{
    const struct dls_case_family *family = &reader->cases->family[index];

    for (size_t i = 0; i < index; i++) {
        const struct dls_case_family *other = &reader->cases->family[i];

        if (family->name != NULL && other->name != NULL &&
            strcmp(family->name, other->name) == 0)
            dls_diag_error(reader->diag, &family->place, "family '%s' is there twice",
                           family->name);
        for (size_t g = 0; g < family->groups; g++)
            for (size_t h = 0; h < other->groups; h++)
                if (strcmp(family->group[g], other->group[h]) == 0)
                    dls_diag_error(reader->diag, &family->place,
                                   "group '%s' is in two families", family->group[g]);
    }
}

static void read_families(const struct reader *reader, const struct dls_yaml *root)
{
    const struct dls_yaml *node = dls_yaml_get(root, "families");
    struct dls_cases *cases = reader->cases;

    if (node == NULL) {
        dls_diag_error(reader->diag, &root->place, "missing key 'families'");
        return;
    }
    if (!expect_type(reader, node, DLS_YAML_SEQUENCE, "families"))
        return;
    if (node->count == 0)
        dls_diag_error(reader->diag, &node->place, "'families' must not be empty");
    cases->family = dls_arena_get(reader->arena, node->count + 1,
                                  sizeof *cases->family);
    cases->families = node->count;
    for (size_t i = 0; i < node->count; i++) {
        read_family(reader, node->item[i], &cases->family[i]);
        check_doubles(reader, i);
    }
}

/* ------------------------------------------------------------------ limits */

/* A fraction as percent; NaN when it is not given. */
static double read_limit(const struct reader *reader, const struct dls_yaml *mapping,
                         const char *key)
{
    const char *text = read_text(reader, mapping, key, false);
    const char *expected;
    double value = NAN;

    if (text == NULL)
        return NAN;
    expected = dls_units_read(text, DLS_UNIT_FRACTION, &value);
    if (expected == NULL && value >= 0)
        return 100 * value;
    dls_diag_error(reader->diag, &dls_yaml_get(mapping, key)->place,
                   "'%s' must be %s, found '%s'", key,
                   expected != NULL ? expected : "at least 0", text);
    return NAN;
}

static void read_limits(const struct reader *reader, const struct dls_yaml *root)
{
    static const char *const keys[] = {"median", "p90", "each", NULL};
    const struct dls_yaml *node = dls_yaml_get(root, "limits");
    const char *names[DLS_SCORES + 1] = {NULL};

    for (enum dls_score score = 0; score < DLS_SCORES; score++) {
        names[score] = dls_score_text(score);
        reader->cases->limit[score] = (struct dls_error_limit){NAN, NAN, NAN};
    }
    if (node == NULL || !expect_type(reader, node, DLS_YAML_MAPPING, "limits"))
        return;
    check_keys(reader, node, names, "limits");
    for (enum dls_score score = 0; score < DLS_SCORES; score++) {
        const struct dls_yaml *mapping = dls_yaml_get(node, names[score]);

        if (mapping == NULL ||
            !expect_type(reader, mapping, DLS_YAML_MAPPING, names[score]))
            continue;
        check_keys(reader, mapping, keys, names[score]);
        reader->cases->limit[score] = (struct dls_error_limit){
            .median = read_limit(reader, mapping, "median"),
            .p90 = read_limit(reader, mapping, "p90"),
            .each = read_limit(reader, mapping, "each"),
        };
    }
}

/* ------------------------------------------------------------------ the file */

const char *dls_cases_join(const char *folder, const char *name,
                           struct dls_arena *arena)
{
    struct dls_str path;
    const char *joined;

    if (folder[0] == '\0' || name[0] == '/')
        return dls_arena_text(arena, name);
    dls_str_init(&path);
    dls_str_addf(&path, "%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/",
                 name);
    joined = dls_arena_text(arena, path.data);
    dls_str_release(&path);
    return joined;
}

static int64_t read_replications(const struct reader *reader,
                                 const struct dls_yaml *root)
{
    const char *text = read_text(reader, root, "replications", false);
    const char *expected;
    double value = 0;

    if (text == NULL)
        return 3;
    expected = dls_units_read(text, DLS_UNIT_COUNT, &value);
    if (expected == NULL && value >= 1 && value <= REPLICATIONS_MOST)
        return (int64_t)value;
    dls_diag_error(reader->diag, &dls_yaml_get(root, "replications")->place,
                   "'replications' must be a whole number 1..%d, found '%s'",
                   REPLICATIONS_MOST, text);
    return 3;
}

static void read_files(const struct reader *reader, const struct dls_yaml *root,
                       const char *data)
{
    struct dls_cases *cases = reader->cases;
    const char *folder = read_text(reader, root, "data", false);
    const char *micro = read_text(reader, root, "micro", false);
    const char *outcomes = read_text(reader, root, "outcomes", false);

    cases->data = dls_params_dir(cases->path, reader->arena);
    if (folder != NULL)
        cases->data = dls_cases_join(cases->data, folder, reader->arena);
    if (data != NULL)
        cases->data = dls_arena_text(reader->arena, data);
    if (micro != NULL)
        cases->micro = dls_cases_join(cases->data, micro, reader->arena);
    if (outcomes != NULL)
        cases->outcomes = dls_cases_join(cases->data, outcomes, reader->arena);
}

static void check_outcomes(const struct reader *reader, const struct dls_yaml *root)
{
    const struct dls_cases *cases = reader->cases;

    for (size_t i = 0; i < cases->families; i++) {
        if (cases->family[i].groups == 0 || cases->outcomes != NULL)
            continue;
        dls_diag_error(reader->diag, &root->place,
                       "missing key 'outcomes': there are groups to compare with");
        return;
    }
}

enum dls_status dls_cases_read(const char *path, const char *data,
                               struct dls_arena *arena, struct dls_diag *diag,
                               struct dls_cases *cases)
{
    static const char *const known[] = {
        "dlsim_cases",  "name",  "about",    "data",   "micro", "outcomes",
        "replications", "paths", "families", "limits", NULL};
    struct dls_cases found = {.path = dls_arena_text(arena, path)};
    struct reader reader = {.arena = arena, .diag = diag, .cases = &found};
    size_t before = dls_diag_errors(diag);
    const struct dls_yaml *root;
    enum dls_status status = dls_yaml_read(path, LIMIT_BYTES, arena, diag, &root, NULL);

    if (status != DLS_OK)
        return status;
    if (!dls_params_version(root, "dlsim_cases", diag))
        return DLS_EINPUT;
    check_keys(&reader, root, known, "the cases file");
    found.name = read_text(&reader, root, "name", true);
    found.about = read_text(&reader, root, "about", false);
    if (found.about == NULL)
        found.about = "";
    found.replications = read_replications(&reader, root);
    read_files(&reader, root, data);
    read_paths(&reader, root);
    read_families(&reader, root);
    read_limits(&reader, root);
    check_outcomes(&reader, root);
    if (dls_diag_errors(diag) > before)
        return DLS_EINPUT;
    *cases = found;
    return DLS_OK;
}
