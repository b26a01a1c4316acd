/* scenario_rig.h: scenario files in a scratch folder, read with overrides, and what
 * came out. Header only.
 *
 * The kinds are the shipped ones; only keys that design.md fixes are used. */
#ifndef DLS_TESTS_SUPPORT_SCENARIO_RIG_H
#define DLS_TESTS_SUPPORT_SCENARIO_RIG_H

#include "tests/support/said.h"

#include "sim/scenario/scenario.h"

enum { RIG_SETS = 8 };

static inline int set_up(void **state)
{
    static struct scratch scratch;

    scratch_init(&scratch);
    *state = &scratch;
    return 0;
}

static inline int tear_down(void **state)
{
    scratch_release(*state);
    return 0;
}

/* Reads s.yaml with up to RIG_SETS overrides "path=value"; NULL ends them. */
static inline enum dls_status rig_read(struct scratch *scratch, const char *const *sets,
                                       struct dls_scenario **scenario)
{
    struct dls_override override[RIG_SETS];
    size_t count = 0;

    for (; sets != NULL && sets[count] != NULL; count++) {
        assert_true(count < RIG_SETS);
        assert_true(dls_override_parse(sets[count], scratch->paths, &override[count]));
    }
    return dls_scenario_read(scratch_path(scratch, "s.yaml"), override, count,
                             scratch->diag, scenario);
}

/* Writes s.yaml and reads it; it must be good. The caller frees it. */
static inline struct dls_scenario *good(struct scratch *scratch, const char *text,
                                        const char *const *sets)
{
    struct dls_scenario *scenario = NULL;
    enum dls_status status;

    scratch_write(scratch, "s.yaml", text);
    status = rig_read(scratch, sets, &scenario);
    check_said(scratch, "");
    assert_int_equal(status, DLS_OK);
    return scenario;
}

/* Writes s.yaml and reads it: it must be rejected with these messages. */
static inline void bad(struct scratch *scratch, const char *text,
                       const char *const *sets, enum dls_status expected,
                       const char *said)
{
    struct dls_scenario *untouched = (struct dls_scenario *)(void *)scratch,
                        *scenario = untouched;
    enum dls_status status;

    scratch_write(scratch, "s.yaml", text);
    status = rig_read(scratch, sets, &scenario);
    check_said(scratch, said);
    assert_int_equal(status, expected);
    assert_ptr_equal(scenario, untouched);
}

/* "path text | origin" of a value; fails when there is none. */
static inline void check_value(const struct scratch *scratch,
                               const struct dls_scenario *scenario, const char *path,
                               const char *text, const char *origin)
{
    struct dls_scenario_value value;
    size_t folder = strlen(scratch->folder) + 1;

    for (size_t i = 0; dls_scenario_value(scenario, i, &value); i++) {
        const char *shown = value.origin;

        if (strcmp(value.path, path) != 0)
            continue;
        if (strncmp(shown, scratch->folder, folder - 1) == 0)
            shown += folder;
        assert_string_equal(value.text, text);
        assert_string_equal(shown, origin);
        return;
    }
    fail_msg("no value '%s'", path);
}

/* The field behind a key of a role's conf. */
static inline const void *rig_conf_at(const struct dls_scenario *scenario,
                                      enum dls_role role, const char *key)
{
    const struct dls_scenario_role *bound = &scenario->role[role];

    for (const struct dls_param *row = bound->kind->params; row->key != NULL; row++)
        if (strcmp(row->key, key) == 0)
            return (const char *)bound->conf + row->offset;
    fail_msg("%s has no key '%s'", bound->kind->name, key);
    return NULL;
}

#endif
