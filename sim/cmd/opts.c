#include "sim/cmd/opts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/mem.h"
#include "sim/cmd/command.h"
#include "sim/report/grid.h"

enum { HELP_COLUMN = 26, MOST_OPTIONS = 64 };

static const char *const color_choices[] = {"auto", "always", "never", NULL};

#define FIELD(field) offsetof(struct dls_common, field)

const struct dls_opt dls_common_options[] = {
    {"json", 0, DLS_OPT_FLAG, FIELD(json), NULL, NULL, 0, 0,
     "answer (and messages) as JSON"},
    {"out", 'o', DLS_OPT_TEXT, FIELD(out), "FILE", NULL, 0, 0,
     "write the answer to FILE; '-' is stdout"},
    {"seed", 0, DLS_OPT_COUNT, FIELD(seed), "N", NULL, 0, INT64_MAX,
     "seed of all draws (default: the scenario's)"},
    {"set", 's', DLS_OPT_TEXTS, FIELD(set), "PATH=VALUE", NULL, 0, 0,
     "override one value of the scenario: loader.workers=8; may be repeated"},
    {"jobs", 'j', DLS_OPT_COUNT, FIELD(jobs), "N", NULL, 1, 1024,
     "threads (default: one a processor); results do not depend on it"},
    {"strict", 0, DLS_OPT_FLAG, FIELD(strict), NULL, NULL, 0, 0,
     "treat warnings as errors"},
    {"quiet", 'q', DLS_OPT_FLAG, FIELD(quiet), NULL, NULL, 0, 0,
     "the shortest answer, no warnings, no progress"},
    {"verbose", 'v', DLS_OPT_FLAG, FIELD(verbose), NULL, NULL, 0, 0,
     "more detail: every input value with its origin"},
    {"color", 0, DLS_OPT_CHOICE, FIELD(color), "WHEN", color_choices, 0, 0,
     "auto (default), always or never; NO_COLOR is respected"},
    {"help", 'h', DLS_OPT_FLAG, FIELD(help), NULL, NULL, 0, 0, "this text"},
    {.name = NULL},
};

/* A command line under the reader's finger. */
struct reader {
    const struct dls_command *command;
    int argc;
    char *const *argv;
    int at;
    struct dls_opts *opts;
    struct dls_diag *diag;
};

/* The row of `table` with this name (or letter, when `name` is NULL); NULL when there
 * is none. */
static const struct dls_opt *find_in(const struct dls_opt *table, const char *name,
                                     size_t length, char letter)
{
    for (; table != NULL && table->name != NULL; table++) {
        if (name == NULL ? table->letter == letter
                         : strlen(table->name) == length &&
                               strncmp(table->name, name, length) == 0)
            return table;
    }
    return NULL;
}

/* The row and the struct that its offset counts in. */
static const struct dls_opt *find(const struct reader *reader, const char *name,
                                  size_t length, char letter, void **base)
{
    const struct dls_opt *row = find_in(reader->command->options, name, length, letter);

    *base = reader->opts->values;
    if (row == NULL) {
        row = find_in(dls_common_options, name, length, letter);
        *base = &reader->opts->common;
    }
    return row;
}

static void report_unknown(const struct reader *reader, const char *name, size_t length)
{
    const char *names[MOST_OPTIONS];
    const struct dls_opt *tables[] = {reader->command->options, dls_common_options};
    char *word = dls_mem_text_n(name, length);
    const char *near;
    size_t count = 0;

    for (size_t t = 0; t < 2; t++)
        for (const struct dls_opt *row = tables[t];
             row != NULL && row->name != NULL && count < MOST_OPTIONS; row++)
            names[count++] = row->name;
    near = dls_str_near(word, names, count);
    if (near != NULL)
        dls_diag_error(reader->diag, NULL,
                       "unknown option '--%s' of '%s' (did you mean '--%s'?)", word,
                       reader->command->name, near);
    else
        dls_diag_error(
            reader->diag, NULL,
            "unknown option '--%s' of '%s'; 'dlsim help %s' lists the options", word,
            reader->command->name, reader->command->name);
    dls_mem_free(word);
}

static void store_count(const struct reader *reader, const struct dls_opt *row,
                        const char *value, struct dls_opt_count *field)
{
    char *end;
    long long number;

    errno = 0;
    number = strtoll(value, &end, 10);
    if (end == value || *end != '\0' || errno != 0 || number < row->min ||
        number > row->max) {
        if (row->max == INT64_MAX)
            dls_diag_error(reader->diag, NULL,
                           "'--%s' must be a whole number of at least %lld, found '%s'",
                           row->name, (long long)row->min, value);
        else
            dls_diag_error(reader->diag, NULL,
                           "'--%s' must be a whole number %lld..%lld, found '%s'",
                           row->name, (long long)row->min, (long long)row->max, value);
        return;
    }
    *field = (struct dls_opt_count){true, number};
}

static void store_choice(const struct reader *reader, const struct dls_opt *row,
                         const char *value, int *field)
{
    struct dls_str list;

    for (int i = 0; row->choices[i] != NULL; i++)
        if (strcmp(row->choices[i], value) == 0) {
            *field = i;
            return;
        }
    dls_str_init(&list);
    for (int i = 0; row->choices[i] != NULL; i++)
        dls_str_addf(&list, "%s%s", i > 0 ? ", " : "", row->choices[i]);
    dls_diag_error(reader->diag, NULL, "'--%s' must be one of %s, found '%s'",
                   row->name, list.data, value);
    dls_str_release(&list);
}

static void store(const struct reader *reader, const struct dls_opt *row, void *base,
                  const char *value)
{
    void *field = (char *)base + row->offset;

    switch (row->type) {
    case DLS_OPT_FLAG:
        *(bool *)field = true;
        break;
    case DLS_OPT_TEXT:
        *(const char **)field = value;
        break;
    case DLS_OPT_COUNT:
        store_count(reader, row, value, field);
        break;
    case DLS_OPT_CHOICE:
        store_choice(reader, row, value, field);
        break;
    case DLS_OPT_TEXTS:
        DLS_VEC_ADD((struct dls_opt_texts *)field, value);
        break;
    }
}

/* Stores an option whose value, if it has one in the same word, is `attached`. */
static void take(struct reader *reader, const struct dls_opt *row, void *base,
                 const char *attached)
{
    if (row->type == DLS_OPT_FLAG) {
        if (attached != NULL)
            dls_diag_error(reader->diag, NULL, "'--%s' takes no value, found '%s'",
                           row->name, attached);
        else
            store(reader, row, base, NULL);
        return;
    }
    if (attached == NULL && reader->at + 1 >= reader->argc) {
        dls_diag_error(reader->diag, NULL, "'--%s' needs a value: %s", row->name,
                       row->value);
        return;
    }
    store(reader, row, base, attached != NULL ? attached : reader->argv[++reader->at]);
}

static void read_long(struct reader *reader, const char *word)
{
    size_t length = strcspn(word, "=");
    void *base;
    const struct dls_opt *row = find(reader, word, length, 0, &base);

    if (row == NULL)
        report_unknown(reader, word, length);
    else
        take(reader, row, base, word[length] == '=' ? word + length + 1 : NULL);
}

/* Letters after one dash: flags may stand together, the first one with a value takes
 * the rest of the word. */
static void read_letters(struct reader *reader, const char *word)
{
    for (; *word != '\0'; word++) {
        void *base;
        const struct dls_opt *row = find(reader, NULL, 0, *word, &base);

        if (row == NULL) {
            dls_diag_error(
                reader->diag, NULL,
                "unknown option '-%c' of '%s'; 'dlsim help %s' lists the options",
                *word, reader->command->name, reader->command->name);
            return;
        }
        if (row->type != DLS_OPT_FLAG) {
            take(reader, row, base, word[1] != '\0' ? word + 1 : NULL);
            return;
        }
        store(reader, row, base, NULL);
    }
}

static void check_arguments(const struct reader *reader)
{
    const struct dls_command *command = reader->command;
    size_t count = reader->opts->arguments.count;

    if (reader->opts->common.help)
        return;
    if (count < command->least)
        dls_diag_error(reader->diag, NULL, "'%s' needs %s", command->name,
                       command->arguments);
    else if (count > command->most)
        dls_diag_error(reader->diag, NULL,
                       "'%s' takes at most %zu argument%s, found '%s'", command->name,
                       command->most, command->most == 1 ? "" : "s",
                       reader->opts->arguments.data[command->most]);
}

enum dls_status dls_opts_read(const struct dls_command *command, int argc,
                              char *const *argv, struct dls_opts *opts,
                              struct dls_diag *diag)
{
    struct reader reader = {command, argc, argv, 0, opts, diag};
    size_t before = dls_diag_errors(diag);
    bool options_over = false;

    *opts = (struct dls_opts){.values = dls_mem_new(1, command->values_size + 1)};
    for (; reader.at < argc; reader.at++) {
        const char *word = argv[reader.at];

        if (options_over || word[0] != '-' || word[1] == '\0')
            DLS_VEC_ADD(&opts->arguments, word);
        else if (strcmp(word, "--") == 0)
            options_over = true;
        else if (word[1] == '-')
            read_long(&reader, word + 2);
        else
            read_letters(&reader, word + 1);
    }
    check_arguments(&reader);
    return dls_diag_errors(diag) == before ? DLS_OK : DLS_EUSAGE;
}

static void release_texts(const struct dls_opt *table, void *base)
{
    for (; table != NULL && table->name != NULL; table++)
        if (table->type == DLS_OPT_TEXTS)
            DLS_VEC_RELEASE(
                (struct dls_opt_texts *)(void *)((char *)base + table->offset));
}

void dls_opts_release(const struct dls_command *command, struct dls_opts *opts)
{
    release_texts(command->options, opts->values);
    release_texts(dls_common_options, &opts->common);
    DLS_VEC_RELEASE(&opts->arguments);
    dls_mem_free(opts->values);
}

void dls_opts_usage(const struct dls_command *command, struct dls_str *out)
{
    dls_str_addf(out, "usage: dlsim %s [options]%s%s\n", command->name,
                 command->arguments[0] != '\0' ? " " : "", command->arguments);
}

static void write_option(const struct dls_opt *row, struct dls_str *out)
{
    struct dls_str left;
    size_t column;

    dls_str_init(&left);
    if (row->letter != 0)
        dls_str_addf(&left, "  -%c, --%s", row->letter, row->name);
    else
        dls_str_addf(&left, "      --%s", row->name);
    if (row->value != NULL)
        dls_str_addf(&left, " %s", row->value);
    dls_str_add(out, left.data);
    column = left.length;
    dls_str_release(&left);
    if (column + 2 > HELP_COLUMN) {
        dls_str_add(out, "\n");
        column = 0;
    }
    dls_str_addf(out, "%*s", (int)(HELP_COLUMN - column), "");
    dls_text_wrap(out, row->help, HELP_COLUMN, HELP_COLUMN);
}

void dls_opts_help(const struct dls_command *command, struct dls_str *out)
{
    dls_opts_usage(command, out);
    dls_str_addf(out, "\n%s\n", command->summary);
    if (command->details != NULL)
        dls_str_addf(out, "\n%s", command->details);
    if (command->options != NULL) {
        dls_str_add(out, "\noptions\n");
        for (const struct dls_opt *row = command->options; row->name != NULL; row++)
            write_option(row, out);
    }
    dls_str_add(out, "\noptions of every command\n");
    for (const struct dls_opt *row = dls_common_options; row->name != NULL; row++)
        write_option(row, out);
}
