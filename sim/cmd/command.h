/* command.h: one command of the program, and what it is called with.
 *
 * A command is one file cmd_<name>.c that exports one constant, and one row in the
 * table of main.c. Its option table feeds parsing, --help, usage and completion.
 * Commands write to stdout through output.h only, put every message into `diag` (main
 * prints them on stderr) and return a status, whose number is the exit status. */
#ifndef DLS_SIM_CMD_COMMAND_H
#define DLS_SIM_CMD_COMMAND_H

#include "sim/base/diag.h"
#include "sim/base/status.h"
#include "sim/cmd/opts.h"

struct dls_command;

/* One call of a command; everything is borrowed and lives until the command returns. */
struct dls_call {
    const struct dls_command *command;
    const struct dls_common *common; /* options that every command has */
    const void *values;              /* the command's own options */
    const char *const *argument;     /* what is no option */
    size_t arguments;
    struct dls_diag *diag;
    bool color;    /* of what goes to stdout */
    bool progress; /* stderr is a terminal and not --quiet */
};

struct dls_command {
    const char *name;
    const char *arguments; /* as in usage: "SCENARIO.yaml" */
    const char *summary;   /* one line */
    const char *
        details; /* paragraphs for --help, wrapped by hand at 80 columns; may be NULL */
    const struct dls_opt *options; /* ends with a row whose name is NULL; may be NULL */
    size_t values_size; /* of the struct that `options` fill; handed over zeroed before
                           parsing */
    size_t least, most; /* number of arguments */
    enum dls_status (*run)(const struct dls_call *call);
};

/* All commands in the order of help, NULL past the end (main.c). */
const struct dls_command *dls_command_at(size_t index);

/* The command called `name`; when there is none, a message with the nearest name goes
 * to `diag`. */
const struct dls_command *dls_command_find(const char *name, struct dls_diag *diag);

#endif
