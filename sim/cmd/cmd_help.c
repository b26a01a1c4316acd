#include "sim/cmd/commands.h"
#include "sim/cmd/output.h"
#include "sim/report/grid.h"
#include "sim/report/version.h"

enum { SUMMARY_COLUMN = 13 };

static void write_overview(struct dls_str *out)
{
    const struct dls_command *command;

    dls_str_add(out,
                "dlsim " DLS_VERSION ": predicts how a deep-learning input pipeline "
                "will perform\n\n"
                "usage: dlsim COMMAND [options] [FILE]\n"
                "       dlsim help COMMAND\n"
                "       dlsim --version\n\n"
                "commands\n");
    for (size_t i = 0; (command = dls_command_at(i)) != NULL; i++) {
        dls_str_addf(out, "  %-*s ", SUMMARY_COLUMN - 3, command->name);
        dls_text_wrap(out, command->summary, SUMMARY_COLUMN, SUMMARY_COLUMN);
    }
    dls_str_add(out, "\nexit status\n"
                     "  0  done; what was asked for holds\n"
                     "  1  the machine failed: file, database, memory\n"
                     "  2  wrong use of the command line\n"
                     "  3  scenario, parameters or trace rejected\n"
                     "  4  ran, but the answer is no: an expectation is not met\n"
                     "  5  the simulated system deadlocked\n");
}

static enum dls_status run(const struct dls_call *call)
{
    const struct dls_command *command = NULL;
    enum dls_status status;
    struct dls_str text;

    if (call->arguments > 0) {
        command = dls_command_find(call->argument[0], call->diag);
        if (command == NULL)
            return DLS_EUSAGE;
    }
    dls_str_init(&text);
    if (command != NULL)
        dls_opts_help(command, &text);
    else
        write_overview(&text);
    status = dls_output_write(call->common->out, &text, call->diag);
    dls_str_release(&text);
    return status;
}

const struct dls_command dls_cmd_help = {
    .name = "help",
    .arguments = "[COMMAND]",
    .summary = "list the commands, or explain one",
    .most = 1,
    .run = run,
};
