#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/report/report.h"
#include "sim/report/version.h"

/* A tree under construction; `failed`: memory was gone, the tree is incomplete. */
struct tree {
    bool failed;
};

/* Puts `item` under `name`, or at the end of an array when `name` is NULL. */
static cJSON *put(struct tree *tree, cJSON *parent, const char *name, cJSON *item)
{
    cJSON_bool ok = 0;

    if (item != NULL && parent != NULL)
        ok = name != NULL ? cJSON_AddItemToObject(parent, name, item)
                          : cJSON_AddItemToArray(parent, item);
    if (!ok) {
        cJSON_Delete(item);
        tree->failed = true;
        return NULL;
    }
    return item;
}

/* The shortest of 15 to 17 digits that reads back to the same double. cJSON's own
 * numbers are equal only up to rounding, and follow the locale. */
static void put_number(struct tree *tree, cJSON *parent, const char *name, double value)
{
    char text[40];
    size_t used = 0;

    if (!isfinite(value)) {
        put(tree, parent, name, cJSON_CreateNull());
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    /* Whatever the locale puts between whole and fraction becomes one point. */
    for (const char *c = text; *c != '\0'; c++) {
        bool plain = strchr("0123456789+-e", *c) != NULL;

        if (plain || used == 0 || text[used - 1] != '.')
            text[used++] = plain ? *c : '.';
    }
    text[used] = '\0';
    put(tree, parent, name, cJSON_CreateRaw(text));
}

static void put_count(struct tree *tree, cJSON *parent, const char *name, int64_t value)
{
    char text[24];

    snprintf(text, sizeof text, "%" PRId64, value);
    put(tree, parent, name, cJSON_CreateRaw(text));
}

static void put_hash(struct tree *tree, cJSON *parent, const char *name, uint64_t value)
{
    char text[24];

    snprintf(text, sizeof text, "%016" PRIx64, value);
    put(tree, parent, name, cJSON_CreateString(text));
}

/* Text of any bytes: what is not UTF-8 becomes U+FFFD. */
static void put_text(struct tree *tree, cJSON *parent, const char *name,
                     const char *text)
{
    struct dls_str quoted;

    if (text == NULL) {
        put(tree, parent, name, cJSON_CreateNull());
        return;
    }
    dls_str_init(&quoted);
    dls_str_add_json(&quoted, text);
    put(tree, parent, name, cJSON_CreateRaw(quoted.data));
    dls_str_release(&quoted);
}

static void put_metrics(struct tree *tree, cJSON *parent,
                        const struct dls_value values[DLS_METRICS])
{
    for (enum dls_metric_id m = 0; m < DLS_METRICS; m++) {
        const struct dls_metric_text *text = dls_metric_text(m);
        const struct dls_value *value = &values[m];
        cJSON *row = put(tree, parent, text->name, cJSON_CreateObject());

        put_number(tree, row, "value", value->value);
        put_number(tree, row, "low", value->low);
        put_number(tree, row, "high", value->high);
        put_number(tree, row, "predict_low", value->predict_low);
        put_number(tree, row, "predict_high", value->predict_high);
        put_text(tree, row, "unit", text->unit);
        put_count(tree, row, "n", value->n);
    }
}

static void put_bottleneck(struct tree *tree, cJSON *root,
                           const struct dls_verdict *verdict)
{
    cJSON *object = put(tree, root, "bottleneck", cJSON_CreateObject());
    cJSON *bounds, *list;

    put_text(tree, object, "limit", dls_limit_text(verdict->limit));
    put_text(tree, object, "stage",
             verdict->limit != DLS_LIMIT_NONE ? dls_stage_text(verdict->stage) : NULL);
    put_number(tree, object, "gpu_wait_fraction", verdict->wait_fraction);
    bounds = put(tree, object, "bounds_per_s", cJSON_CreateObject());
    put_number(tree, bounds, "gpu", verdict->bounds.gpu);
    put_number(tree, bounds, "cores", verdict->bounds.cores);
    put_number(tree, bounds, "workers", verdict->bounds.workers);
    put_number(tree, bounds, "main", verdict->bounds.main);
    put_number(tree, bounds, "storage", verdict->bounds.storage);
    list = put(tree, object, "reasons", cJSON_CreateArray());
    for (size_t i = 0; i < verdict->reasons; i++)
        put_text(tree, list, NULL, verdict->reason[i]);
    list = put(tree, object, "hints", cJSON_CreateArray());
    for (size_t i = 0; i < verdict->hints; i++) {
        const struct dls_hint *hint = &verdict->hint[i];
        cJSON *row = put(tree, list, NULL, cJSON_CreateObject());

        put_text(tree, row, "text", hint->text);
        put_text(tree, row, "set", hint->set);
        put_number(tree, row, "gain_fraction_at_most", hint->gain_fraction);
        put_text(tree, row, "next_limit",
                 hint->next != DLS_LIMIT_NONE ? dls_limit_text(hint->next) : NULL);
    }
}

static void put_stages(struct tree *tree, cJSON *root, const struct dls_result *result)
{
    cJSON *object = put(tree, root, "stages", cJSON_CreateObject());

    for (enum dls_stage s = 0; s < DLS_STAGES; s++) {
        cJSON *row = put(tree, object, dls_stage_text(s), cJSON_CreateObject());

        put_number(tree, row, "elapsed_s", result->stage_s[s]);
        put_number(tree, row, "cpu_demand_s", result->demand_s[s]);
        put_number(tree, row, "bound_per_s", result->bound_per_s[s]);
    }
    object = put(tree, root, "wait_by_cause_s", cJSON_CreateObject());
    for (enum dls_cause c = DLS_CAUSE_NONE + 1; c < DLS_CAUSES; c++)
        put_number(tree, object, dls_cause_text(c), result->wait_s[c]);
}

static void put_optional(struct tree *tree, cJSON *parent, const char *name,
                         int64_t value)
{
    if (value >= 0)
        put_count(tree, parent, name, value);
    else
        put(tree, parent, name, cJSON_CreateNull());
}

static void put_provenance(struct tree *tree, cJSON *root,
                           const struct dls_result *result)
{
    cJSON *object = put(tree, root, "provenance", cJSON_CreateObject());
    cJSON *part = put(tree, object, "scenario", cJSON_CreateObject());
    cJSON *list;

    put_text(tree, object, "version", DLS_VERSION);
    put_text(tree, part, "path", result->scenario_path);
    put_hash(tree, part, "hash", result->scenario_hash);
    if (result->params_path == NULL && result->params_hash == 0) {
        put(tree, object, "params", cJSON_CreateNull());
    } else {
        part = put(tree, object, "params", cJSON_CreateObject());
        put_text(tree, part, "path", result->params_path);
        put_hash(tree, part, "hash", result->params_hash);
    }
    put_count(tree, object, "seed", result->seed);
    put_count(tree, object, "replications", result->replications);
    put_count(tree, object, "ranks", result->ranks);
    put_number(tree, object, "cores", result->cores);
    put_optional(tree, object, "workers", result->workers);
    put_optional(tree, object, "prefetch", result->prefetch);
    put_optional(tree, object, "batch", result->batch);
    put_number(tree, object, "simulated_s", result->run_s);
    put_count(tree, object, "events", result->events);
    list = put(tree, object, "values", cJSON_CreateArray());
    for (size_t i = 0; i < result->origins; i++) {
        cJSON *row = put(tree, list, NULL, cJSON_CreateObject());

        put_text(tree, row, "path", result->origin[i].path);
        put_text(tree, row, "value", result->origin[i].value);
        put_text(tree, row, "origin", result->origin[i].origin);
    }
}

enum dls_status dls_report_json(const struct dls_result *result,
                                const struct dls_verdict *verdict, struct dls_str *out)
{
    struct tree tree = {false};
    cJSON *root = cJSON_CreateObject();
    cJSON *object;
    char *text = NULL;

    put_count(&tree, root, "dlsim_result", DLS_RESULT_FORMAT);
    put_text(&tree, root, "scenario", result->scenario_name);
    put_text(&tree, root, "about", result->about);
    put_text(&tree, root, "verdict", verdict->sentence);
    object = put(&tree, root, "metrics", cJSON_CreateObject());
    put_metrics(&tree, object, result->total);
    object = put(&tree, root, "epochs", cJSON_CreateArray());
    for (int64_t e = 0; e < result->epochs; e++)
        put_metrics(&tree, put(&tree, object, NULL, cJSON_CreateObject()),
                    result->epoch[e]);
    put_bottleneck(&tree, root, verdict);
    put_stages(&tree, root, result);
    put_text(&tree, root, "deadlock", result->deadlock);
    put_provenance(&tree, root, result);
    put_hash(&tree, root, "fingerprint", result->fingerprint);
    if (!tree.failed)
        text = cJSON_Print(root);
    cJSON_Delete(root);
    if (text == NULL)
        return DLS_EIO;
    dls_str_add(out, text);
    dls_str_add(out, "\n");
    cJSON_free(text);
    return DLS_OK;
}
