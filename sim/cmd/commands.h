/* commands.h: the constants that the command files export; main.c lists them. */
#ifndef DLS_SIM_CMD_COMMANDS_H
#define DLS_SIM_CMD_COMMANDS_H

#include "sim/cmd/command.h"

extern const struct dls_command dls_cmd_run;
extern const struct dls_command dls_cmd_check;
extern const struct dls_command dls_cmd_models;
extern const struct dls_command dls_cmd_import;
extern const struct dls_command dls_cmd_calibrate;
extern const struct dls_command dls_cmd_validate;
extern const struct dls_command dls_cmd_help;

#endif
