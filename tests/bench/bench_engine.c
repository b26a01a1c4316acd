/* bench_engine.c: time per operation of the engine on four programs, with their check
 * values.
 *
 * Usage: bench_engine [program [size [operations]]], program one of hold, mm1,
 * pipeline, share; all of them without arguments. Times are process CPU time of one run
 * and differ between runs; ratios need interleaved runs. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "tests/support/engine_programs.h"

static double cpu_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void print_row(const char *program, int64_t size, int64_t operations,
                      int64_t events, double seconds, const char *check)
{
    printf("%-10s %8" PRId64 " %10" PRId64 " %9.1f %12.3f  %s\n", program, size,
           operations, seconds * 1e9 / (double)operations,
           (double)events / seconds * 1e-6, check);
    fflush(stdout);
}

static void describe_exact(char *out, size_t size, int64_t found, int64_t expected)
{
    if (expected == 0)
        snprintf(out, size, "%" PRId64, found);
    else
        snprintf(out, size, "%" PRId64 " %s", found,
                 found == expected ? "ok" : "WRONG");
}

static void describe_near(char *out, size_t size, double found, double expected,
                          double tolerance)
{
    if (expected == 0)
        snprintf(out, size, "%.1f", found);
    else
        snprintf(out, size, "%.1f against %.1f %s", found, expected,
                 fabs(found / expected - 1) <= tolerance ? "ok" : "WRONG");
}

/* The check value holds after 1,000,000 holds. */
static void bench_hold(const double *a, int64_t tasks, int64_t holds, int64_t expected)
{
    struct program_hold hold;
    struct dls_engine *engine = program_hold_start(&hold, a, (uint32_t)tasks);
    char check[80];
    double start;

    program_run_to(engine, 2 * tasks);
    start = cpu_seconds();
    program_run_to(engine, 2 * tasks + holds);
    start = cpu_seconds() - start;
    describe_exact(check, sizeof check, dls_engine_now(engine),
                   holds == 1000000 ? expected : 0);
    print_row("hold", tasks, holds, holds, start, check);
    dls_engine_free(engine);
}

static void bench_mm1(const double *a, const double *b, int64_t customers)
{
    struct program_mm1 mm1;
    struct dls_engine *engine = program_mm1_start(&mm1, a, b, customers);
    char check[80];
    double start;

    mm1.latency = dls_quantile_new();
    start = cpu_seconds();
    dls_engine_run(engine, NULL);
    start = cpu_seconds() - start;
    describe_exact(check, sizeof check, mm1.total_ns,
                   customers == 1000000 ? 10395374650924 : 0);
    print_row("mm1", 1, customers, dls_engine_events(engine), start, check);
    dls_quantile_free(mm1.latency);
    dls_engine_free(engine);
}

static void bench_pipeline(const double *a, const double *b, int64_t count,
                           int64_t samples, double expected)
{
    struct program_pipelines all;
    struct dls_engine *engine = program_pipelines_start(&all, a, b, (uint32_t)count,
                                                        samples);
    char check[80];
    double start = cpu_seconds();

    dls_engine_run(engine, NULL);
    start = cpu_seconds() - start;
    describe_near(check, sizeof check, program_pipelines_end(&all), expected, 0.005);
    print_row("pipeline", count, count * samples, dls_engine_events(engine), start,
              check);
    dls_quantile_free(all.latency);
    dls_engine_free(engine);
}

/* The check value holds after 3,000,000 completions. */
static void bench_share(const double *a, int64_t jobs, int64_t completions,
                        double expected)
{
    struct program_share share;
    struct dls_engine *engine = program_share_start(&share, a, (uint32_t)jobs);
    char check[80];
    double start = cpu_seconds();

    while ((int64_t)share.drawn < completions + jobs)
        program_run_to(engine, dls_engine_events(engine) + completions + jobs -
                                   (int64_t)share.drawn);
    start = cpu_seconds() - start;
    describe_near(check, sizeof check, (double)dls_engine_now(engine) / PROGRAM_UNIT_NS,
                  completions == 3000000 ? expected : 0, 1e-4);
    print_row("share", jobs, completions, dls_engine_events(engine), start, check);
    dls_engine_free(engine);
}

static void bench_all(const double *a, const double *b)
{
    bench_hold(a, 16, 1000000, 62410033930);
    bench_hold(a, 100, 1000000, 9987326304);
    bench_hold(a, 1000, 1000000, 1000533521);
    bench_hold(a, 10000, 1000000, 101891112);
    bench_hold(a, 100000, 1000000, 11979206);
    bench_hold(a, 1000000, 1000000, 2996106);
    bench_mm1(a, b, 1000000);
    bench_pipeline(a, b, 1, 65536, 16837.2);
    bench_pipeline(a, b, 100, 640, 175.22);
    bench_pipeline(a, b, 1, 1048576, 0);
    bench_pipeline(a, b, 100, 8192, 0);
    bench_pipeline(a, b, 1000, 1024, 0);
    bench_share(a, 10, 3000000, 0);
    bench_share(a, 100, 3000000, 0);
    bench_share(a, 1000, 3000000, 1498053.9);
    bench_share(a, 10000, 3000000, 0);
    bench_share(a, 100000, 3000000, 0);
}

int main(int argc, char **argv)
{
    double *a = program_table_a();
    double *b = program_table_b();
    const char *program = argc > 1 ? argv[1] : "";
    int64_t size = argc > 2 ? strtoll(argv[2], NULL, 10) : 1000;
    int64_t operations = argc > 3 ? strtoll(argv[3], NULL, 10) : 1000000;

    printf("%-10s %8s %10s %9s %12s  %s\n", "program", "size", "operations", "ns/op",
           "Mevents/s", "check");
    if (argc == 1)
        bench_all(a, b);
    else if (strcmp(program, "hold") == 0)
        bench_hold(a, size, operations, 0);
    else if (strcmp(program, "mm1") == 0)
        bench_mm1(a, b, operations);
    else if (strcmp(program, "pipeline") == 0)
        bench_pipeline(a, b, size, operations / size, 0);
    else if (strcmp(program, "share") == 0)
        bench_share(a, size, operations, 0);
    else
        fprintf(stderr, "bench_engine: unknown program '%s'\n", program);
    dls_mem_free(a);
    dls_mem_free(b);
    return 0;
}
