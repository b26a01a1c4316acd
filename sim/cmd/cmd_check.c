/* dlsim check: validates a scenario; with --explain, shows every value and where it
 * came from. */
#include <inttypes.h>

#include "sim/cmd/commands.h"
#include "sim/cmd/load.h"
#include "sim/cmd/output.h"
#include "sim/report/grid.h"

struct values {
    bool explain;
};

static const struct dls_opt options[] = {
    {"explain", 0, DLS_OPT_FLAG, offsetof(struct values, explain), NULL, NULL, 0, 0,
     "print every value with its origin"},
    {.name = NULL},
};

static void write_values(const struct dls_scenario *scenario, struct dls_str *out)
{
    struct dls_scenario_value value;
    struct dls_grid grid;

    dls_grid_init(&grid, "lll");
    for (size_t i = 0; dls_scenario_value(scenario, i, &value); i++) {
        dls_grid_add(&grid, value.path);
        dls_grid_add(&grid, value.text);
        dls_grid_add(&grid, value.origin);
    }
    dls_grid_write(&grid, 0, out);
    dls_grid_release(&grid);
}

static void write_json(const struct dls_scenario *scenario, bool explain,
                       struct dls_str *out)
{
    struct dls_scenario_value value;

    dls_str_add(out, "{\"scenario\": ");
    dls_str_add_json(out, scenario->path);
    dls_str_addf(out, ", \"hash\": \"%016" PRIx64 "\", \"ok\": true", scenario->hash);
    if (explain) {
        dls_str_add(out, ", \"values\": [");
        for (size_t i = 0; dls_scenario_value(scenario, i, &value); i++) {
            dls_str_add(out, i > 0 ? ",\n{\"path\": " : "\n{\"path\": ");
            dls_str_add_json(out, value.path);
            dls_str_add(out, ", \"value\": ");
            dls_str_add_json(out, value.text);
            dls_str_add(out, ", \"origin\": ");
            dls_str_add_json(out, value.origin);
            dls_str_add(out, "}");
        }
        dls_str_add(out, "]");
    }
    dls_str_add(out, "}\n");
}

static enum dls_status run(const struct dls_call *call)
{
    const struct values *values = call->values;
    struct dls_scenario *scenario = NULL;
    enum dls_status status = dls_load_scenario(call, call->argument[0], NULL, 0,
                                               &scenario);
    struct dls_str text;

    if (status != DLS_OK)
        return status;
    dls_str_init(&text);
    if (call->common->json)
        write_json(scenario, values->explain, &text);
    else if (values->explain || call->common->verbose)
        write_values(scenario, &text);
    else if (!call->common->quiet)
        dls_str_addf(&text, "%s: ok\n", scenario->path);
    status = dls_output_write(call->common->out, &text, call->diag);
    dls_str_release(&text);
    dls_scenario_free(scenario);
    return status;
}

const struct dls_command dls_cmd_check = {
    .name = "check",
    .arguments = "SCENARIO.yaml",
    .summary = "validate a scenario without running it",
    .details =
        "Reads the scenario with its parameter file, presets and --set, and checks "
        "that\n"
        "every key exists, every value is in its bounds and the roles fit together.\n",
    .options = options,
    .values_size = sizeof(struct values),
    .least = 1,
    .most = 1,
    .run = run,
};
