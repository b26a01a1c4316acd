/* opts.h: the options of the command line, read by table.
 *
 * Forms: --name VALUE, --name=VALUE, -j VALUE, -jVALUE; "--" ends options; "-" is an
 * argument. All mistakes of one command line are reported. It touches neither the
 * environment nor a stream. */
#ifndef DLS_SIM_CMD_OPTS_H
#define DLS_SIM_CMD_OPTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/diag.h"
#include "sim/base/status.h"
#include "sim/base/str.h"
#include "sim/base/vec.h"

struct dls_command;

struct dls_opt_count {
    bool is_given;
    int64_t value;
};

struct dls_opt_texts {
    const char **data;
    size_t count;
    size_t capacity;
};

/* Field types behind them: bool, const char *, struct dls_opt_count, int (index of the
 * choice), struct dls_opt_texts. */
enum dls_opt_type {
    DLS_OPT_FLAG,
    DLS_OPT_TEXT,
    DLS_OPT_COUNT,
    DLS_OPT_CHOICE,
    DLS_OPT_TEXTS /* may be repeated */
};

struct dls_opt {
    const char *name; /* without dashes */
    char letter;      /* short form, or 0 */
    enum dls_opt_type type;
    size_t offset;              /* of the field */
    const char *value;          /* what stands for the value in help: "FILE" */
    const char *const *choices; /* ends with NULL */
    int64_t min, max;           /* of counts */
    const char *help;           /* lower case, no full stop */
};

enum dls_color { DLS_COLOR_AUTO, DLS_COLOR_ALWAYS, DLS_COLOR_NEVER };

/* What every command takes. */
struct dls_common {
    bool help;
    bool json;
    bool quiet;
    bool verbose;
    bool strict;
    const char *out; /* NULL or "-": stdout */
    struct dls_opt_count seed;
    struct dls_opt_count jobs;
    struct dls_opt_texts set;
    int color; /* enum dls_color */
};

extern const struct dls_opt dls_common_options[];

/* One parsed command line. */
struct dls_opts {
    struct dls_common common;
    void *values;
    struct dls_opt_texts arguments;
};

/* Parses `argv` (without program and command). On mistakes: messages in `diag`,
 * DLS_EUSAGE. Release `opts` in any case. Texts point into `argv`. */
enum dls_status dls_opts_read(const struct dls_command *command, int argc,
                              char *const *argv, struct dls_opts *opts,
                              struct dls_diag *diag);
void dls_opts_release(const struct dls_command *command, struct dls_opts *opts);

/* "usage: dlsim run [options] SCENARIO.yaml\n" */
void dls_opts_usage(const struct dls_command *command, struct dls_str *out);

/* The whole help of a command. */
void dls_opts_help(const struct dls_command *command, struct dls_str *out);

#endif
