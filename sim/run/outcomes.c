#include "sim/run/outcomes.h"

#include <math.h>
#include <string.h>

#include "sim/base/str.h"
#include "sim/base/units.h"
#include "sim/run/table.h"

enum column {
    ID,
    GROUP,
    REP,
    EPOCH,
    SAMPLES_PER_S,
    AU,
    EPOCH_S,
    CPU_USER_S,
    CPU_SYS_S,
    SHUTDOWN_S,
    COLUMNS
};

static const struct {
    const char *name;
    bool required;
} names[COLUMNS] = {
    {"id", true},          {"group", true},         {"rep", true},
    {"epoch", true},       {"samples_per_s", true}, {"au", false},
    {"epoch_s", false},    {"cpu_user_s", false},   {"cpu_sys_s", false},
    {"shutdown_s", false},
};

struct reader {
    const struct dls_cases *cases;
    struct dls_arena *arena;
    struct dls_diag *diag;
    struct dls_table_file table;
    int column[COLUMNS];
    int *path_column;  /* by cases->column */
    int *unless;       /* column of `unless`, by cases->column; DLS_TABLE_NONE: none */
    size_t *table_row; /* by row of the outcomes */
    struct dls_outcome_rows rows;
};

/* A column that the cases file names at `place`. */
static int named_column(const struct reader *reader, const char *name,
                        const struct dls_place *place)
{
    int column = dls_table_file_column(&reader->table, name);

    if (column == DLS_TABLE_NONE)
        dls_diag_error(reader->diag, place, "the table of outcomes has no column '%s'",
                       name);
    return column;
}

static bool find_columns(struct reader *reader)
{
    struct dls_place top = {.file = reader->table.path, .line = 1, .column = 1};
    size_t before = dls_diag_errors(reader->diag);

    for (int c = 0; c < COLUMNS; c++) {
        reader->column[c] = dls_table_file_column(&reader->table, names[c].name);
        if (reader->column[c] == DLS_TABLE_NONE && names[c].required)
            dls_diag_error(reader->diag, &top, "missing column '%s'", names[c].name);
    }
    reader->path_column = dls_arena_get(reader->arena, reader->cases->columns + 1,
                                        sizeof *reader->path_column);
    reader->unless = dls_arena_get(reader->arena, reader->cases->columns + 1,
                                   sizeof *reader->unless);
    for (size_t i = 0; i < reader->cases->columns; i++) {
        const struct dls_case_path *path = &reader->cases->column[i];

        reader->path_column[i] = named_column(reader, path->column, &path->place);
        reader->unless[i] = DLS_TABLE_NONE;
        if (path->unless_column != NULL)
            reader->unless[i] = named_column(reader, path->unless_column, &path->place);
    }
    return dls_diag_errors(reader->diag) == before;
}

/* The family that names `group`; families when none does. */
static size_t family_of(const struct dls_cases *cases, const char *group)
{
    for (size_t f = 0; f < cases->families; f++)
        for (size_t g = 0; g < cases->family[f].groups; g++)
            if (strcmp(cases->family[f].group[g], group) == 0)
                return f;
    return cases->families;
}

static double number_at(const struct reader *reader, size_t row, enum column column)
{
    if (reader->column[column] == DLS_TABLE_NONE)
        return NAN;
    return dls_table_file_number(&reader->table, row, reader->column[column],
                                 reader->diag);
}

/* A whole number 0..1e9 that must be there. */
static int64_t count_at(const struct reader *reader, size_t row, enum column column)
{
    double value = number_at(reader, row, column);
    struct dls_place place;

    if (value >= 0 && value <= 1e9 && value == floor(value))
        return (int64_t)value;
    place = dls_table_file_place(&reader->table, row, reader->column[column]);
    dls_diag_error(
        reader->diag, &place,
        "expected a whole number of at least 0 in column '%s', found '%.40s'",
        names[column].name,
        dls_table_file_text(&reader->table, row, reader->column[column]));
    return 0;
}

/* What the text of a column sets its path to; NULL: nothing. */
static const char *setting_of(const struct reader *reader, size_t row, size_t index)
{
    const struct dls_case_path *path = &reader->cases->column[index];
    const char *text = dls_table_file_text(&reader->table, row,
                                           reader->path_column[index]);
    struct dls_place place;
    struct dls_str value;

    if (text[0] == '\0' || (path->skip != NULL && strcmp(text, path->skip) == 0))
        return NULL;
    if (reader->unless[index] != DLS_TABLE_NONE &&
        strcmp(dls_table_file_text(&reader->table, row, reader->unless[index]),
               path->unless_text) == 0)
        return NULL;
    for (size_t i = 0; i < path->values; i++)
        if (strcmp(path->from[i], text) == 0)
            return path->to[i];
    if (path->values > 0) {
        place = dls_table_file_place(&reader->table, row, reader->path_column[index]);
        dls_diag_error(reader->diag, &place,
                       "column '%s': no value is given for '%.40s' in the cases file",
                       path->column, text);
        return NULL;
    }
    if (path->unit == NULL)
        return text;
    dls_str_init(&value);
    dls_str_addf(&value, "%s %s", text, path->unit);
    text = dls_arena_text(reader->arena, value.data);
    dls_str_release(&value);
    return text;
}

static void read_settings(const struct reader *reader, size_t row,
                          struct dls_outcome_row *outcome)
{
    outcome->set = dls_arena_get(reader->arena, reader->cases->columns + 1,
                                 sizeof *outcome->set);
    for (size_t i = 0; i < reader->cases->columns; i++) {
        const char *value = setting_of(reader, row, i);

        if (value != NULL)
            outcome->set[outcome->sets++] = (struct dls_override){
                reader->cases->column[i].path, value};
    }
}

static const char *path_text(const struct reader *reader, size_t outcome, size_t index)
{
    return dls_table_file_text(&reader->table, reader->table_row[outcome],
                               reader->path_column[index]);
}

/* Tells the rows apart by the columns of paths that differ between any two of them. */
static void name_settings(const struct reader *reader)
{
    bool *varies = dls_mem_new(reader->cases->columns + 1, sizeof *varies);
    struct dls_str text;

    dls_str_init(&text);
    for (size_t i = 0; i < reader->cases->columns; i++)
        for (size_t row = 1; row < reader->rows.count && !varies[i]; row++)
            varies[i] = strcmp(path_text(reader, 0, i), path_text(reader, row, i)) != 0;
    for (size_t row = 0; row < reader->rows.count; row++) {
        dls_str_clear(&text);
        for (size_t i = 0; i < reader->cases->columns; i++)
            if (varies[i])
                dls_str_addf(&text, "%s%s=%s", text.length > 0 ? " " : "",
                             reader->cases->column[i].column,
                             path_text(reader, row, i));
        reader->rows.data[row].answer.settings = dls_arena_text(reader->arena,
                                                                text.data);
    }
    dls_str_release(&text);
    dls_mem_free(varies);
}

/* True when the row's settings let the training step take time. */
static bool has_step(const struct dls_outcome_row *outcome)
{
    for (size_t i = 0; i < outcome->sets; i++) {
        double value;

        if (strncmp(outcome->set[i].path, "consumer.step", strlen("consumer.step")) ==
            0)
            return dls_units_read(outcome->set[i].value, DLS_UNIT_TIME, &value) !=
                       NULL ||
                   value > 0;
    }
    return true;
}

/* The number of the first row of the same group, id and epoch: repetitions share it. */
static int64_t configuration_of(const struct dls_outcome_rows *rows,
                                const struct dls_error_case *answer)
{
    size_t at = 0;

    while (at < rows->count &&
           (rows->data[at].answer.epoch != answer->epoch ||
            strcmp(rows->data[at].answer.id, answer->id) != 0 ||
            strcmp(rows->data[at].answer.group, answer->group) != 0))
        at++;
    return (int64_t)at;
}

static void read_row(struct reader *reader, size_t row)
{
    const char *group = dls_table_file_text(&reader->table, row, reader->column[GROUP]);
    size_t family = family_of(reader->cases, group);
    struct dls_outcome_row *outcome = &reader->rows.data[reader->rows.count];
    struct dls_error_case *answer = &outcome->answer;
    double cpu_s, shutdown_s;

    if (family == reader->cases->families)
        return;
    *outcome = (struct dls_outcome_row){.family = family};
    reader->table_row[reader->rows.count] = row;
    read_settings(reader, row, outcome);
    answer->id = dls_table_file_text(&reader->table, row, reader->column[ID]);
    answer->family = reader->cases->family[family].name;
    answer->group = group;
    answer->axis = strchr(group, '.') != NULL ? strchr(group, '.') + 1 : group;
    answer->repetition = count_at(reader, row, REP);
    answer->epoch = count_at(reader, row, EPOCH);
    answer->line = reader->table.line[row];
    answer->configuration = configuration_of(&reader->rows, answer);
    answer->measured[DLS_QUANTITY_SAMPLES_PER_S] = number_at(reader, row,
                                                             SAMPLES_PER_S);
    answer->measured[DLS_QUANTITY_AU] = has_step(outcome) ? number_at(reader, row, AU)
                                                          : NAN;
    answer->measured[DLS_QUANTITY_EPOCH_S] = number_at(reader, row, EPOCH_S);
    cpu_s = number_at(reader, row, CPU_USER_S) + number_at(reader, row, CPU_SYS_S);
    shutdown_s = number_at(reader, row, SHUTDOWN_S);
    answer->measured[DLS_QUANTITY_CPU_S] =
        cpu_s - (isnan(shutdown_s) ? 0 : DLS_SHUTDOWN_CPU_SHARE * shutdown_s);
    answer->speed = NAN;
    for (int p = 0; p < DLS_PREDICTORS; p++)
        for (int q = 0; q < DLS_QUANTITIES; q++)
            answer->predicted[p][q] = NAN;
    reader->rows.count++;
}

static void check_groups(const struct reader *reader)
{
    for (size_t f = 0; f < reader->cases->families; f++) {
        const struct dls_case_family *family = &reader->cases->family[f];

        for (size_t g = 0; g < family->groups; g++) {
            size_t at = 0;

            while (at < reader->rows.count &&
                   strcmp(reader->rows.data[at].answer.group, family->group[g]) != 0)
                at++;
            if (at == reader->rows.count)
                dls_diag_error(reader->diag, &family->place,
                               "the table of outcomes has no row of group '%s'",
                               family->group[g]);
        }
    }
}

enum dls_status dls_outcomes_read(const struct dls_cases *cases,
                                  struct dls_arena *arena, struct dls_diag *diag,
                                  struct dls_outcome_rows *rows)
{
    struct reader reader = {.cases = cases, .arena = arena, .diag = diag};
    size_t before = dls_diag_errors(diag);
    enum dls_status status = DLS_OK;

    if (cases->outcomes != NULL) {
        status = dls_table_file_read(cases->outcomes, arena, diag, &reader.table);
        if (status != DLS_OK)
            return status;
        if (!find_columns(&reader))
            return DLS_EINPUT;
        reader.rows.data = dls_arena_get(arena, reader.table.rows + 1,
                                         sizeof *reader.rows.data);
        reader.table_row = dls_arena_get(arena, reader.table.rows + 1,
                                         sizeof *reader.table_row);
        for (size_t row = 0; row < reader.table.rows; row++)
            read_row(&reader, row);
        name_settings(&reader);
        check_groups(&reader);
    }
    if (dls_diag_errors(diag) > before)
        return DLS_EINPUT;
    *rows = reader.rows;
    return DLS_OK;
}
