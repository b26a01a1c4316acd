/* bench_pipeline.c: what a whole simulated epoch costs:
 * scenarios/imagenet_pytorch.yaml, 1,281,167 samples by 8 workers, through the library,
 * one replication on one core.
 *
 *   bench_pipeline [SCENARIO [path=value ...]]
 *
 * Prints seconds of CPU, ns and events per sample, events per second, peak memory of
 * the process. Aims: 4 s and 64 MB. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim/run/run.h"

enum { SETS = 16 };

static double cpu_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Peak resident memory of this process in bytes, 0 where the kernel does not tell. */
static double peak_bytes(void)
{
    FILE *status = fopen("/proc/self/status", "r");
    char line[256];
    double kib = 0;

    while (status != NULL && fgets(line, sizeof line, status) != NULL)
        if (strncmp(line, "VmHWM:", 6) == 0)
            kib = strtod(line + 6, NULL);
    if (status != NULL)
        fclose(status);
    return kib * 1024;
}

static int fail(struct dls_diag *diag)
{
    struct dls_str text;

    dls_str_init(&text);
    dls_diag_text(diag, false, &text);
    fputs(text.data, stderr);
    dls_str_release(&text);
    dls_diag_free(diag);
    return 1;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "scenarios/imagenet_pytorch.yaml";
    struct dls_diag *diag = dls_diag_new();
    struct dls_arena *arena = dls_arena_new();
    struct dls_override sets[SETS];
    struct dls_scenario *scenario;
    struct dls_outcome outcome;
    double begin, seconds, samples;
    size_t count = 0;

    for (int i = 2; i < argc && count < SETS; i++)
        if (dls_override_parse(argv[i], arena, &sets[count]))
            count++;
    if (dls_scenario_read(path, sets, count, diag, &scenario) != DLS_OK)
        return fail(diag);
    begin = cpu_s();
    dls_run_once(scenario, 0, NULL, &outcome, NULL);
    seconds = cpu_s() - begin;
    samples = outcome.metric[0][DLS_METRIC_SAMPLES_PER_S] *
              outcome.metric[0][DLS_METRIC_EPOCH_S] * (double)outcome.epochs;
    printf("%-28s %10s %8s %10s %12s %12s %10s\n", "pipeline", "samples", "CPU s",
           "ns/sample", "events/sample", "events/s", "peak MB");
    printf("%-28s %10.0f %8.2f %10.0f %12.2f %12.3g %10.1f\n", scenario->name, samples,
           seconds, 1e9 * seconds / samples, (double)outcome.events / samples,
           (double)outcome.events / seconds, peak_bytes() / 1e6);
    dls_outcome_release(&outcome);
    dls_scenario_free(scenario);
    dls_arena_free(arena);
    dls_diag_free(diag);
    return 0;
}
