/* run_json.c: the description of a recorded run. See run_json.h. */
#include "traces/run_json.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/str.h"
#include "sim/base/vec.h"

enum { FILE_BYTES_MAX = 16 << 20, KEY_BYTES_MAX = 255, VALUE_BYTES_MAX = 4096 };

/* 2^53: above it a double no longer tells whole numbers apart. */
#define WHOLE_MAX 9007199254740992.0

struct reading {
    const char *path;
    struct dls_diag *diag;
    size_t errors;
    struct dls_arena *arena;
    DLS_VEC(struct dls_trace_config) config;
    DLS_VEC(struct dls_trace_outcome) outcomes;
    struct dls_run_json *run;
};

static void bad(struct reading *reading, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void bad(struct reading *reading, const char *format, ...)
{
    struct dls_place place = {.file = reading->path};
    char text[1024];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    dls_diag_error(reading->diag, &place, "%s", text);
    reading->errors++;
}

static const char *found_type(const cJSON *item)
{
    switch (item->type & 0xff) {
    case cJSON_False:
        return "false";
    case cJSON_True:
        return "true";
    case cJSON_NULL:
        return "null";
    case cJSON_Number:
        return "a number";
    case cJSON_String:
        return "a text";
    case cJSON_Array:
        return "a list";
    default:
        return "an object";
    }
}

static int compare_keys(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Refuses keys that are empty, too long, or there twice: cJSON takes them all. */
static void check_keys(struct reading *reading, const cJSON *object, const char *where)
{
    DLS_VEC(const char *) keys = {0};

    for (const cJSON *item = object->child; item != NULL; item = item->next) {
        if (item->string[0] == '\0' || strlen(item->string) > KEY_BYTES_MAX)
            bad(reading, "key '%.40s' in %s must have 1 to %d bytes", item->string,
                where, KEY_BYTES_MAX);
        DLS_VEC_ADD(&keys, item->string);
    }
    if (keys.count > 1)
        qsort(keys.data, keys.count, sizeof *keys.data, compare_keys);
    for (size_t i = 1; i < keys.count; i++) {
        if (strcmp(keys.data[i - 1], keys.data[i]) == 0)
            bad(reading, "key '%.40s' is there twice in %s", keys.data[i], where);
    }
    DLS_VEC_RELEASE(&keys);
}

/* The shortest decimal that reads back as the same double. */
static void format_number(double value, char out[32])
{
    if (fabs(value) <= WHOLE_MAX && value == floor(value)) {
        snprintf(out, 32, "%.0f", value == 0.0 ? 0.0 : value);
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(out, 32, "%.*g", digits, value);
        if (strtod(out, NULL) == value)
            return;
    }
}

static void read_config(struct reading *reading, const cJSON *object)
{
    if (!cJSON_IsObject(object)) {
        bad(reading, "'config' must be an object, found %s", found_type(object));
        return;
    }
    check_keys(reading, object, "'config'");
    for (const cJSON *item = object->child; item != NULL; item = item->next) {
        struct dls_trace_config entry = {
            .key = dls_arena_text(reading->arena, item->string)};
        char number[32];

        if (cJSON_IsNull(item))
            continue;
        if (cJSON_IsNumber(item) && isfinite(item->valuedouble)) {
            format_number(item->valuedouble, number);
            entry.value = dls_arena_text(reading->arena, number);
        } else if (cJSON_IsString(item) &&
                   strlen(item->valuestring) <= VALUE_BYTES_MAX) {
            entry.value = dls_arena_text(reading->arena, item->valuestring);
        } else if (cJSON_IsBool(item)) {
            entry.value = cJSON_IsTrue(item) ? "true" : "false";
        } else {
            bad(reading,
                "'config.%.40s' must be a finite number, a text of at most %d bytes, "
                "true or"
                " false, found %s",
                item->string, VALUE_BYTES_MAX, found_type(item));
            continue;
        }
        DLS_VEC_ADD(&reading->config, entry);
    }
}

/* A whole number low..2^53; -1 after a message. */
static int64_t read_whole(struct reading *reading, const cJSON *item, const char *name,
                          int64_t low)
{
    double value = cJSON_IsNumber(item) ? item->valuedouble : NAN;

    if (value >= (double)low && value <= WHOLE_MAX && value == floor(value))
        return (int64_t)value;
    if (cJSON_IsNumber(item))
        bad(reading, "'%s' must be a whole number of at least %lld, found %.17g", name,
            (long long)low, value);
    else
        bad(reading, "'%s' must be a whole number of at least %lld, found %s", name,
            (long long)low, found_type(item));
    return -1;
}

static const char *read_text(struct reading *reading, const cJSON *item,
                             const char *name)
{
    if (cJSON_IsString(item) && item->valuestring[0] != '\0' &&
        strlen(item->valuestring) <= KEY_BYTES_MAX)
        return dls_arena_text(reading->arena, item->valuestring);
    bad(reading, "'%s' must be a text of 1 to %d bytes, found %s", name, KEY_BYTES_MAX,
        found_type(item));
    return NULL;
}

static void unknown_key(struct reading *reading, const char *key, const char *where,
                        const char *const *known, size_t count)
{
    const char *near = dls_str_near(key, known, count);
    struct dls_str list;

    if (near != NULL) {
        bad(reading, "unknown key '%.40s' in %s (did you mean '%s'?)", key, where,
            near);
        return;
    }
    dls_str_init(&list);
    for (size_t i = 0; i < count; i++)
        dls_str_addf(&list, "%s%s", i == 0 ? "" : ", ", known[i]);
    bad(reading, "unknown key '%.40s' in %s (known: %s)", key, where, list.data);
    dls_str_release(&list);
}

static void read_host(struct reading *reading, const cJSON *object)
{
    static const char *const known[] = {"name", "cpus", "memory_bytes", "kernel"};
    struct dls_run_json *run = reading->run;

    if (!cJSON_IsObject(object)) {
        bad(reading, "'host' must be an object, found %s", found_type(object));
        return;
    }
    check_keys(reading, object, "'host'");
    run->has_host = true;
    for (const cJSON *item = object->child; item != NULL; item = item->next) {
        if (strcmp(item->string, "name") == 0)
            run->host_name = read_text(reading, item, "host.name");
        else if (strcmp(item->string, "cpus") == 0)
            run->host_cpus = read_whole(reading, item, "host.cpus", 1);
        else if (strcmp(item->string, "memory_bytes") == 0)
            run->host_memory_bytes = read_whole(reading, item, "host.memory_bytes", 1);
        else if (strcmp(item->string, "kernel") == 0)
            run->host_kernel = read_text(reading, item, "host.kernel");
        else
            unknown_key(reading, item->string, "'host'", known,
                        sizeof known / sizeof known[0]);
    }
}

static bool ends_with(const char *text, const char *end)
{
    size_t bytes = strlen(text);
    size_t end_bytes = strlen(end);

    return bytes >= end_bytes && strcmp(text + bytes - end_bytes, end) == 0;
}

static const char *unit_of(const char *metric)
{
    if (ends_with(metric, "_per_s"))
        return "1/s";
    if (ends_with(metric, "_s"))
        return "s";
    if (ends_with(metric, "_ms"))
        return "ms";
    if (ends_with(metric, "_bytes"))
        return "B";
    return "1";
}

static void add_outcome(struct reading *reading, const char *metric, double value,
                        int32_t epoch)
{
    struct dls_trace_outcome outcome = {
        .metric = dls_arena_text(reading->arena, metric),
        .value = value,
        .unit = unit_of(metric),
        .epoch = epoch};

    DLS_VEC_ADD(&reading->outcomes, outcome);
}

static void read_references(struct reading *reading, const cJSON *list)
{
    static const char *const metrics[] = {"ref_before_ms", "ref_after_ms"};
    const cJSON *items[2];

    if (cJSON_IsArray(list) && cJSON_GetArraySize(list) == 0)
        return;
    if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) != 2) {
        bad(reading, "'ref_ms' must be a list of two numbers, found %s",
            cJSON_IsArray(list) ? "another length" : found_type(list));
        return;
    }
    items[0] = list->child;
    items[1] = list->child->next;
    for (int i = 0; i < 2; i++) {
        if (cJSON_IsNumber(items[i]) && isfinite(items[i]->valuedouble) &&
            items[i]->valuedouble > 0.0)
            add_outcome(reading, metrics[i], items[i]->valuedouble, -1);
        else if (!cJSON_IsNull(items[i]))
            bad(reading, "'ref_ms[%d]' must be a number above 0", i);
    }
}

/* One epoch; its number must be above that of the one before. */
static void read_epoch(struct reading *reading, const cJSON *object, int index,
                       int64_t *before)
{
    char where[32];
    char name[64];
    const cJSON *number;
    int64_t epoch;

    snprintf(where, sizeof where, "'epochs[%d]'", index);
    if (!cJSON_IsObject(object)) {
        bad(reading, "%s must be an object, found %s", where, found_type(object));
        return;
    }
    check_keys(reading, object, where);
    number = cJSON_GetObjectItemCaseSensitive(object, "epoch");
    if (number == NULL) {
        bad(reading, "key 'epoch' is missing in %s", where);
        return;
    }
    snprintf(name, sizeof name, "epochs[%d].epoch", index);
    epoch = read_whole(reading, number, name, 0);
    if (epoch < 0)
        return;
    if (epoch <= *before || epoch > INT32_MAX) {
        bad(reading, "'%s' must be above the one before and below 2^31, found %lld",
            name, (long long)epoch);
        return;
    }
    *before = epoch;
    for (const cJSON *item = object->child; item != NULL; item = item->next) {
        bool number_found = cJSON_IsNumber(item) && isfinite(item->valuedouble);

        if (item == number || cJSON_IsNull(item) ||
            (number_found && item->valuedouble == -1.0))
            continue;
        if (number_found && item->valuedouble >= 0.0)
            add_outcome(reading, item->string, item->valuedouble, (int32_t)epoch);
        else
            bad(reading,
                "'epochs[%d].%.40s' must be a finite number of at least 0, found %s",
                index, item->string,
                number_found ? "a negative one" : found_type(item));
    }
}

static void read_epochs(struct reading *reading, const cJSON *list)
{
    int64_t before = -1;
    int index = 0;

    if (!cJSON_IsArray(list)) {
        bad(reading, "'epochs' must be a list, found %s", found_type(list));
        return;
    }
    for (const cJSON *item = list->child; item != NULL; item = item->next)
        read_epoch(reading, item, index++, &before);
}

static void read_document(struct reading *reading, const cJSON *document)
{
    static const char *const known[] = {"config", "host", "samples", "ref_ms",
                                        "epochs"};
    const cJSON *repetition = NULL;

    if (!cJSON_IsObject(document)) {
        bad(reading, "expected an object, found %s", found_type(document));
        return;
    }
    check_keys(reading, document, "the file");
    if (cJSON_GetObjectItemCaseSensitive(document, "config") == NULL)
        bad(reading, "key 'config' is missing in the file");
    for (const cJSON *item = document->child; item != NULL; item = item->next) {
        if (strcmp(item->string, "config") == 0) {
            read_config(reading, item);
            repetition = cJSON_GetObjectItemCaseSensitive(item, "rep");
        } else if (strcmp(item->string, "host") == 0) {
            read_host(reading, item);
        } else if (strcmp(item->string, "samples") == 0) {
            add_outcome(reading, "samples",
                        (double)read_whole(reading, item, "samples", 0), -1);
        } else if (strcmp(item->string, "ref_ms") == 0) {
            read_references(reading, item);
        } else if (strcmp(item->string, "epochs") == 0) {
            read_epochs(reading, item);
        } else {
            unknown_key(reading, item->string, "the file", known,
                        sizeof known / sizeof known[0]);
        }
    }
    if (repetition != NULL) {
        int64_t number = read_whole(reading, repetition, "config.rep", 0);

        if (number > INT32_MAX)
            bad(reading, "'config.rep' must be below 2^31, found %lld",
                (long long)number);
        for (size_t i = 0; number <= INT32_MAX && i < reading->outcomes.count; i++)
            reading->outcomes.data[i].repetition = (int32_t)number;
    }
}

/* Adds the message for text that is no JSON: line and column of the first byte that
 * does not fit. */
static void not_json(struct reading *reading, const struct dls_str *text,
                     const char *at)
{
    struct dls_place place = {.file = reading->path, .line = 1, .column = 1};
    const char *end = text->data + text->length;

    for (const char *byte = text->data; byte < at && byte < end; byte++) {
        place.column = *byte == '\n' ? 1 : place.column + 1;
        place.line += *byte == '\n';
    }
    dls_diag_source(reading->diag, reading->path, text->data, text->length);
    if (text->length == 0)
        dls_diag_error(reading->diag, &place, "expected JSON, found an empty file");
    else if (at >= end)
        dls_diag_error(reading->diag, &place,
                       "JSON ends too early: the file is cut off");
    else
        dls_diag_error(reading->diag, &place, "not JSON from here on");
    reading->errors++;
}

enum dls_status dls_run_json_read(const char *path, struct dls_diag *diag,
                                  struct dls_run_json *run)
{
    struct dls_run_json result = {.host_cpus = -1, .host_memory_bytes = -1};
    struct reading reading = {
        .path = path, .diag = diag, .arena = dls_arena_new(), .run = &result};
    struct dls_str text;
    cJSON *document = NULL;
    const char *end = NULL;
    int cause;
    enum dls_status status = DLS_OK;

    dls_str_init(&text);
    cause = dls_str_read_file(&text, path, FILE_BYTES_MAX);
    if (cause != 0) {
        bad(&reading, "cannot read: %s", strerror(cause));
        status = cause == EFBIG ? DLS_EINPUT : DLS_EIO;
        goto out;
    }
    document = cJSON_ParseWithLengthOpts(text.data, text.length + 1, &end, 1);
    if (document == NULL)
        not_json(&reading, &text, end == NULL ? text.data : end);
    else
        read_document(&reading, document);
    status = reading.errors > 0 ? DLS_EINPUT : DLS_OK;
out:
    cJSON_Delete(document);
    dls_str_release(&text);
    result.config = reading.config.data;
    result.config_count = reading.config.count;
    result.outcomes = reading.outcomes.data;
    result.outcome_count = reading.outcomes.count;
    result.arena = reading.arena;
    if (status == DLS_OK)
        *run = result;
    else
        dls_run_json_release(&result);
    return status;
}

void dls_run_json_release(struct dls_run_json *run)
{
    dls_mem_free(run->config);
    dls_mem_free(run->outcomes);
    dls_arena_free(run->arena);
    *run = (struct dls_run_json){0};
}
