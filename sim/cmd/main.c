/* main.c: the program: picks the command, reads its options, prints its messages, turns
 * its status into the exit. */
#include <gsl/gsl_errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/cmd/command.h"
#include "sim/cmd/commands.h"
#include "sim/cmd/output.h"
#include "sim/report/version.h"

/* One row a command, in the order of help. */
static const struct dls_command *const commands[] = {
    &dls_cmd_run,       &dls_cmd_check,    &dls_cmd_models, &dls_cmd_import,
    &dls_cmd_calibrate, &dls_cmd_validate, &dls_cmd_help,
};

enum { COMMANDS = sizeof commands / sizeof *commands };

const struct dls_command *dls_command_at(size_t index)
{
    return index < COMMANDS ? commands[index] : NULL;
}

const struct dls_command *dls_command_find(const char *name, struct dls_diag *diag)
{
    const char *names[COMMANDS];
    const char *near;

    for (size_t i = 0; i < COMMANDS; i++) {
        names[i] = commands[i]->name;
        if (strcmp(names[i], name) == 0)
            return commands[i];
    }
    near = dls_str_near(name, names, COMMANDS);
    if (near != NULL)
        dls_diag_error(diag, NULL, "unknown command '%s' (did you mean '%s'?)", name,
                       near);
    else
        dls_diag_error(diag, NULL,
                       "unknown command '%s'; 'dlsim help' lists the commands", name);
    return NULL;
}

static bool wants_color(int when, int descriptor)
{
    const char *refused = getenv("NO_COLOR");

    if (when != DLS_COLOR_AUTO)
        return when == DLS_COLOR_ALWAYS;
    return (refused == NULL || refused[0] == '\0') && isatty(descriptor);
}

static void print_messages(const struct dls_diag *diag, const struct dls_common *common,
                           enum dls_status status)
{
    size_t errors = dls_diag_errors(diag);
    struct dls_str text;

    if (dls_diag_count(diag) == 0 || (common->quiet && errors == 0))
        return;
    dls_str_init(&text);
    if (common->json) {
        dls_diag_json(diag, &text);
        dls_str_add(&text, "\n");
    } else {
        dls_diag_text(diag, wants_color(common->color, STDERR_FILENO), &text);
        if (status == DLS_EINPUT)
            dls_str_addf(&text, "%zu error%s; nothing was done\n", errors,
                         errors == 1 ? "" : "s");
    }
    dls_output_message(text.data, text.length);
    dls_str_release(&text);
}

static void print_usage(const struct dls_command *command)
{
    struct dls_str text;

    dls_str_init(&text);
    if (command != NULL)
        dls_opts_usage(command, &text);
    else
        dls_str_add(&text,
                    "usage: dlsim COMMAND [options] [FILE]; 'dlsim help' lists the "
                    "commands\n");
    dls_output_message(text.data, text.length);
    dls_str_release(&text);
}

static enum dls_status run_command(const struct dls_command *command, int argc,
                                   char *const *argv, struct dls_diag *diag)
{
    struct dls_opts opts;
    enum dls_status status = dls_opts_read(command, argc, argv, &opts, diag);
    struct dls_str text;

    if (status == DLS_OK && opts.common.help) {
        dls_str_init(&text);
        dls_opts_help(command, &text);
        status = dls_output_write(NULL, &text, diag);
        dls_str_release(&text);
    } else if (status == DLS_OK) {
        const struct dls_call call = {
            .command = command,
            .common = &opts.common,
            .values = opts.values,
            .argument = opts.arguments.data,
            .arguments = opts.arguments.count,
            .diag = diag,
            .color = wants_color(opts.common.color, STDOUT_FILENO),
            .progress = !opts.common.quiet && isatty(STDERR_FILENO),
        };

        status = command->run(&call);
    }
    print_messages(diag, &opts.common, status);
    if (status == DLS_EUSAGE && !opts.common.json)
        print_usage(command);
    dls_opts_release(command, &opts);
    return status;
}

static enum dls_status print_version(struct dls_diag *diag)
{
    struct dls_str text;
    enum dls_status status;

    dls_str_init(&text);
    dls_str_add(&text, "dlsim " DLS_VERSION "\n");
    status = dls_output_write(NULL, &text, diag);
    dls_str_release(&text);
    return status;
}

static enum dls_status dispatch(int argc, char *const *argv, struct dls_diag *diag)
{
    static const struct dls_common no_options;
    const char *name = argc > 1 ? argv[1] : NULL;
    const struct dls_command *command = NULL;
    enum dls_status status = DLS_EUSAGE;

    if (name != NULL && strcmp(name, "--version") == 0) {
        status = print_version(diag);
    } else if (name != NULL &&
               (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)) {
        return run_command(&dls_cmd_help, 0, NULL, diag);
    } else if (name != NULL && name[0] == '-') {
        dls_diag_error(diag, NULL, "a command is due before '%s'", name);
    } else if (name != NULL) {
        command = dls_command_find(name, diag);
        if (command != NULL)
            return run_command(command, argc - 2, argv + 2, diag);
    }
    print_messages(diag, &no_options, status);
    if (status == DLS_EUSAGE)
        print_usage(NULL);
    return status;
}

int main(int argc, char **argv)
{
    struct dls_diag *diag;
    enum dls_status status;

    setlocale(LC_ALL, "C");
    gsl_set_error_handler_off();
    diag = dls_diag_new();
    status = dispatch(argc, argv, diag);
    dls_diag_free(diag);
    return (int)status;
}
