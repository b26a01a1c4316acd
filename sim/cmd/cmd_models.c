/* dlsim models: the kinds, their keys and the presets, printed from the tables that
 * also drive the parser. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "models/registry.h"
#include "sim/base/units.h"
#include "sim/cmd/commands.h"
#include "sim/cmd/output.h"
#include "sim/report/grid.h"
#include "sim/scenario/sections.h"

enum { MOST_NAMES = 256, SUMMARY_COLUMN = 24 };

/* Sections that no kind owns. */
static const struct section {
    const char *name;
    const char *about;
    const struct dls_param *keys;
} sections[] = {
    {"host", "processors and memory that all ranks of a host share", dls_section_host},
    {"run", "what is simulated, and how often", dls_section_run},
};

enum { SECTIONS = sizeof sections / sizeof *sections };

/* Keys that stand in a role's section beside those of any kind. */
static const struct dls_param *keys_around(enum dls_role role)
{
    switch (role) {
    case DLS_ROLE_STORAGE:
        return dls_section_volume;
    case DLS_ROLE_CONSUMER:
        return dls_section_consumers;
    default:
        return NULL;
    }
}

static const struct section *find_section(const char *name)
{
    for (size_t i = 0; i < SECTIONS; i++)
        if (strcmp(sections[i].name, name) == 0)
            return &sections[i];
    return NULL;
}

/* ------------------------------------------------------------------ a row of a
 * parameter table in words */

static const char *unit_text(enum dls_unit unit)
{
    switch (unit) {
    case DLS_UNIT_TIME:
        return "time";
    case DLS_UNIT_BYTES:
        return "size";
    case DLS_UNIT_BYTES_PER_S:
        return "size per s";
    case DLS_UNIT_PER_S:
        return "rate per s";
    case DLS_UNIT_FRACTION:
        return "fraction";
    case DLS_UNIT_S_PER_BYTE:
        return "time per size";
    case DLS_UNIT_COUNT:
        return "count";
    default:
        return "number";
    }
}

static void add_type(const struct dls_param *row, struct dls_str *out)
{
    switch (row->type) {
    case DLS_PARAM_COUNT:
        dls_str_add(out, "count");
        break;
    case DLS_PARAM_QUANTITY:
        dls_str_add(out, unit_text(row->unit));
        break;
    case DLS_PARAM_BOOL:
        dls_str_add(out, "true or false");
        break;
    case DLS_PARAM_CHOICE:
        for (size_t i = 0; row->choices[i] != NULL; i++)
            dls_str_addf(out, "%s%s", i > 0 ? " | " : "", row->choices[i]);
        break;
    case DLS_PARAM_TEXT:
        dls_str_add(out, "text");
        break;
    case DLS_PARAM_LAW:
        dls_str_addf(out, "%s or a law of it", unit_text(row->unit));
        break;
    case DLS_PARAM_SAMPLES:
        dls_str_add(out, "path of a .samples.csv");
        break;
    case DLS_PARAM_LIST:
        dls_str_add(out, "list");
        break;
    }
}

static enum dls_unit bound_unit(const struct dls_param *row)
{
    return row->type == DLS_PARAM_COUNT ? DLS_UNIT_COUNT : row->unit;
}

/* "1 .. 1024", "at least 1 ns", or nothing. */
static void add_bounds(const struct dls_param *row, struct dls_str *out)
{
    bool has_number = row->type == DLS_PARAM_COUNT || row->type == DLS_PARAM_QUANTITY ||
                      row->type == DLS_PARAM_LAW;
    bool has_top = isfinite(row->max) && row->max < 1e15;
    char low[48], high[48];

    if (!has_number || (row->min == 0 && row->max == 0))
        return;
    dls_units_write(row->min, bound_unit(row), low, sizeof low);
    dls_units_write(row->max, bound_unit(row), high, sizeof high);
    if (has_top)
        dls_str_addf(out, ", %s .. %s", low, high);
    else if (isfinite(row->min))
        dls_str_addf(out, ", at least %s", low);
}

static const char *need_of(const struct dls_param *row)
{
    if (row->preset != NULL)
        return "default ";
    return row->flags & DLS_PARAM_OPTIONAL ? "optional" : "required";
}

/* A paragraph after `indent` spaces. */
static void add_wrapped(struct dls_str *out, size_t indent, const char *text)
{
    dls_str_addf(out, "%*s", (int)indent, "");
    dls_text_wrap(out, text, indent, indent + 8);
}

static void write_key(const struct dls_param *row, size_t indent, struct dls_str *out)
{
    struct dls_str line;

    dls_str_init(&line);
    dls_str_add(&line, row->key);
    if (row->synonym != NULL)
        dls_str_addf(&line, " (or %s)", row->synonym);
    dls_str_add(&line, ": ");
    add_type(row, &line);
    add_bounds(row, &line);
    dls_str_addf(&line, "; %s%s", need_of(row), row->preset != NULL ? row->preset : "");
    if (row->flags & DLS_PARAM_CALIBRATED)
        dls_str_add(&line, "; from calibration");
    add_wrapped(out, indent, line.data);
    dls_str_release(&line);
    if (row->help != NULL)
        add_wrapped(out, indent + 4, row->help);
    for (const struct dls_param *item = row->item; item != NULL && item->key != NULL;
         item++)
        write_key(item, indent + 4, out);
}

/* ------------------------------------------------------------------ text */

static void write_presets(const char *section, const char *kind, struct dls_str *out)
{
    const struct dls_preset *preset;
    bool any = false;

    for (size_t i = 0; (preset = dls_preset_at(i)) != NULL; i++) {
        if (strcmp(preset->section, section) != 0 ||
            (kind != NULL && preset->kind != NULL && strcmp(preset->kind, kind) != 0))
            continue;
        if (!any)
            dls_str_add(out, "\npresets\n");
        any = true;
        dls_str_addf(out, "  %s\n", preset->name);
        add_wrapped(out, 6, preset->source);
        for (const struct dls_preset_value *value = preset->values; value->key != NULL;
             value++)
            dls_str_addf(out, "      %s: %s\n", value->key, value->value);
    }
}

static void write_keys(const char *title, const struct dls_param *row,
                       struct dls_str *out)
{
    if (row == NULL || row->key == NULL)
        return;
    dls_str_addf(out, "\n%s\n", title);
    for (; row->key != NULL; row++)
        write_key(row, 2, out);
}

static void write_kind(const struct dls_kind *kind, struct dls_str *out)
{
    dls_str_addf(out, "%s: ", kind->name);
    dls_text_wrap(out, kind->summary, strlen(kind->name) + 2, 4);
    write_keys("keys", kind->params, out);
    write_keys("keys of every kind of this role", keys_around(kind->role), out);
    write_presets(dls_role_text(kind->role), kind->name, out);
}

static void write_section(const struct section *section, struct dls_str *out)
{
    dls_str_addf(out, "%s: %s\n", section->name, section->about);
    write_keys("keys", section->keys, out);
    write_presets(section->name, NULL, out);
}

static void write_role(enum dls_role role, struct dls_str *out)
{
    const struct dls_kind *kind;

    dls_str_addf(out, "%s\n", dls_role_text(role));
    for (size_t i = 0; (kind = dls_registry_at(i)) != NULL; i++) {
        if (kind->role != role)
            continue;
        dls_str_addf(out, "  %-*s ", SUMMARY_COLUMN - 3, kind->name);
        dls_text_wrap(out, kind->summary, SUMMARY_COLUMN, SUMMARY_COLUMN);
    }
}

static void write_all(struct dls_str *out)
{
    for (enum dls_role role = 0; role < DLS_ROLES; role++)
        write_role(role, out);
    dls_str_add(out, "sections of no role\n");
    for (size_t i = 0; i < SECTIONS; i++)
        dls_str_addf(out, "  %-*s %s\n", SUMMARY_COLUMN - 3, sections[i].name,
                     sections[i].about);
    dls_str_add(
        out, "\nThe first kind of a role is used when a scenario omits its section.\n"
             "'dlsim models NAME' lists the keys and presets of a kind or section.\n");
}

/* ------------------------------------------------------------------ JSON */

static void json_texts(struct dls_str *out, const char *name, const char *text)
{
    dls_str_addf(out, ", \"%s\": ", name);
    if (text != NULL)
        dls_str_add_json(out, text);
    else
        dls_str_add(out, "null");
}

static void json_keys(const struct dls_param *row, struct dls_str *out)
{
    struct dls_str type;
    bool first = true;

    dls_str_add(out, "[");
    for (; row != NULL && row->key != NULL; row++) {
        dls_str_init(&type);
        add_type(row, &type);
        dls_str_addf(out, "%s{\"key\": ", first ? "" : ", ");
        dls_str_add_json(out, row->key);
        json_texts(out, "synonym", row->synonym);
        json_texts(out, "type", type.data);
        json_texts(out, "unit", dls_units_symbol(row->unit));
        json_texts(out, "default", row->preset);
        dls_str_addf(out, ", \"required\": %s",
                     row->preset == NULL && !(row->flags & DLS_PARAM_OPTIONAL)
                         ? "true"
                         : "false");
        if (isfinite(row->min) && isfinite(row->max) &&
            (row->min != 0 || row->max != 0))
            dls_str_addf(out, ", \"min\": %.17g, \"max\": %.17g", row->min, row->max);
        json_texts(out, "help", row->help);
        if (row->item != NULL) {
            dls_str_add(out, ", \"item\": ");
            json_keys(row->item, out);
        }
        dls_str_add(out, "}");
        dls_str_release(&type);
        first = false;
    }
    dls_str_add(out, "]");
}

static void json_presets(const char *section, const char *kind, struct dls_str *out)
{
    const struct dls_preset *preset;
    bool first = true;

    dls_str_add(out, "[");
    for (size_t i = 0; (preset = dls_preset_at(i)) != NULL; i++) {
        if (strcmp(preset->section, section) != 0 ||
            (kind != NULL && preset->kind != NULL && strcmp(preset->kind, kind) != 0))
            continue;
        dls_str_addf(out, "%s{\"name\": ", first ? "" : ", ");
        dls_str_add_json(out, preset->name);
        json_texts(out, "source", preset->source);
        dls_str_add(out, ", \"values\": {");
        for (const struct dls_preset_value *value = preset->values; value->key != NULL;
             value++) {
            dls_str_add(out, value == preset->values ? "" : ", ");
            dls_str_add_json(out, value->key);
            dls_str_add(out, ": ");
            dls_str_add_json(out, value->value);
        }
        dls_str_add(out, "}}");
        first = false;
    }
    dls_str_add(out, "]");
}

/* ------------------------------------------------------------------ choosing */

/* Does `name` choose this kind: by its own name, by its role, or (NULL) as one of
 * all? */
static bool is_chosen(const struct dls_kind *kind, const char *name)
{
    return name == NULL || strcmp(kind->name, name) == 0 ||
           strcmp(dls_role_text(kind->role), name) == 0;
}

static void json_kind(const struct dls_kind *kind, struct dls_str *out)
{
    dls_str_add(out, "\n{\"name\": ");
    dls_str_add_json(out, kind->name);
    json_texts(out, "role", dls_role_text(kind->role));
    json_texts(out, "summary", kind->summary);
    dls_str_add(out, ", \"keys\": ");
    json_keys(kind->params, out);
    dls_str_add(out, ", \"keys_of_role\": ");
    json_keys(keys_around(kind->role), out);
    dls_str_add(out, ", \"presets\": ");
    json_presets(dls_role_text(kind->role), kind->name, out);
    dls_str_add(out, "}");
}

static void write_json(const char *name, struct dls_str *out)
{
    const struct dls_kind *kind;
    bool first = true;

    dls_str_add(out, "{\"kinds\": [");
    for (size_t i = 0; (kind = dls_registry_at(i)) != NULL; i++) {
        if (!is_chosen(kind, name))
            continue;
        dls_str_add(out, first ? "" : ",");
        json_kind(kind, out);
        first = false;
    }
    first = true;
    dls_str_add(out, "],\n\"sections\": [");
    for (size_t i = 0; i < SECTIONS; i++) {
        if (name != NULL && strcmp(sections[i].name, name) != 0)
            continue;
        dls_str_addf(out, "%s\n{\"name\": \"%s\", \"keys\": ", first ? "" : ",",
                     sections[i].name);
        json_keys(sections[i].keys, out);
        dls_str_add(out, ", \"presets\": ");
        json_presets(sections[i].name, NULL, out);
        dls_str_add(out, "}");
        first = false;
    }
    dls_str_add(out, "]}\n");
}

/* Writes what `name` chooses; false when it is no name of anything. */
static bool write_text(const char *name, struct dls_str *out)
{
    const struct dls_kind *kind = dls_registry_find(name);
    const struct section *section = find_section(name);

    if (kind != NULL) {
        write_kind(kind, out);
        return true;
    }
    if (section != NULL) {
        write_section(section, out);
        return true;
    }
    for (enum dls_role role = 0; role < DLS_ROLES; role++)
        if (strcmp(dls_role_text(role), name) == 0) {
            write_role(role, out);
            return true;
        }
    return false;
}

static enum dls_status report_unknown(const char *name, struct dls_diag *diag)
{
    const char *names[MOST_NAMES];
    const struct dls_kind *kind;
    const char *near;
    size_t count = 0;

    for (size_t i = 0; i < SECTIONS; i++)
        names[count++] = sections[i].name;
    for (enum dls_role role = 0; role < DLS_ROLES; role++)
        names[count++] = dls_role_text(role);
    for (size_t i = 0; (kind = dls_registry_at(i)) != NULL && count < MOST_NAMES; i++)
        names[count++] = kind->name;
    near = dls_str_near(name, names, count);
    if (near != NULL)
        dls_diag_error(diag, NULL, "unknown kind '%s' (did you mean '%s'?)", name,
                       near);
    else
        dls_diag_error(diag, NULL, "unknown kind '%s'; 'dlsim models' lists the kinds",
                       name);
    return DLS_EUSAGE;
}

static enum dls_status run(const struct dls_call *call)
{
    const char *name = call->arguments > 0 ? call->argument[0] : NULL;
    enum dls_status status = DLS_OK;
    struct dls_str text;

    dls_str_init(&text);
    if (name == NULL)
        write_all(&text);
    else if (!write_text(name, &text))
        status = report_unknown(name, call->diag);
    if (status == DLS_OK && call->common->json) {
        dls_str_clear(&text);
        write_json(name, &text);
    }
    if (status == DLS_OK)
        status = dls_output_write(call->common->out, &text, call->diag);
    dls_str_release(&text);
    return status;
}

const struct dls_command dls_cmd_models = {
    .name = "models",
    .arguments = "[KIND | ROLE | host | run]",
    .summary = "list the kinds of every role, or the keys and presets of one",
    .details =
        "  dlsim models                  all roles and kinds\n"
        "  dlsim models loader           the kinds of one role\n"
        "  dlsim models loader.pytorch   keys with type, bounds, default; presets\n"
        "  dlsim models host             the section of no role: keys and presets\n",
    .most = 1,
    .run = run,
};
