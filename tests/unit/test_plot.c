/* Plots: what is drawn, and every way in which gnuplot can fail. Where gnuplot is
 * missing the tests that draw check that the message says so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "plots/plot.h"
#include "tests/support/made_result.h"

struct scratch {
    char folder[64];
    char svg[96];
    char program[96];
    struct dls_diag *diag;
};

static void begin(struct scratch *scratch)
{
    snprintf(scratch->folder, sizeof scratch->folder, "/tmp/dlsim-plot-XXXXXX");
    assert_non_null(mkdtemp(scratch->folder));
    snprintf(scratch->svg, sizeof scratch->svg, "%s/out.svg", scratch->folder);
    snprintf(scratch->program, sizeof scratch->program, "%s/program", scratch->folder);
    scratch->diag = dls_diag_new();
}

static void end(struct scratch *scratch)
{
    unlink(scratch->svg);
    unlink(scratch->program);
    assert_int_equal(rmdir(scratch->folder), 0); /* nothing else was left behind */
    dls_diag_free(scratch->diag);
}

static bool exists(const char *path)
{
    struct stat facts;

    return stat(path, &facts) == 0;
}

/* A program that pretends to be gnuplot. */
static void write_program(const struct scratch *scratch, const char *body)
{
    FILE *file = fopen(scratch->program, "w");

    assert_non_null(file);
    fprintf(file, "#!/bin/sh\n%s\n", body);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(scratch->program, 0700), 0);
}

static const char *message(const struct scratch *scratch)
{
    assert_true(dls_diag_count(scratch->diag) > 0);
    return dls_diag_get(scratch->diag, 0)->text;
}

/* True: drawn. False: gnuplot is not here, and the message says so. */
static bool drawn(const struct scratch *scratch, enum dls_status status)
{
    if (status == DLS_OK)
        return true;
    if (strstr(message(scratch), "is not installed") == NULL)
        fail_msg("%s", message(scratch));
    return false;
}

static void check_svg(const struct scratch *scratch, const char *const *parts,
                      size_t count)
{
    struct dls_str text;

    dls_str_init(&text);
    assert_int_equal(dls_str_read_file(&text, scratch->svg, 10 << 20), 0);
    assert_non_null(strstr(text.data, "<svg"));
    assert_non_null(strstr(text.data, "</svg>"));
    for (size_t i = 0; i < count; i++)
        if (strstr(text.data, parts[i]) == NULL)
            fail_msg("'%s' is not in the picture", parts[i]);
    dls_str_release(&text);
}

static void fill_batches(struct dls_batch_times *batch, size_t count)
{
    dls_time now = 0;

    for (size_t i = 0; i < count; i++) {
        dls_time wait = i == 0 ? 900000000 : 20000000 + (dls_time)(i % 5) * 8000000;

        batch[i] = (struct dls_batch_times){.batch = (int64_t)i,
                                            .samples = 10,
                                            .request = now,
                                            .arrive = now + wait,
                                            .done = now + wait + 40000000,
                                            .step = 40000000};
        now = batch[i].done;
    }
}

/* Names that gnuplot or XML could take for something else stay text. */
static void test_run(void **state)
{
    static const char *const parts[] = {"a_b 'c' `touch x` &lt;d>",
                                        "no: decode-bound",
                                        "one of 4 workers",
                                        "its CPU demand",
                                        "training loop",
                                        "time per batch of 10 (ms)",
                                        "decode",
                                        "collate",
                                        "wait in next()",
                                        "batch of rank 0",
                                        "the longest batch took"};
    struct dls_result *result = made_result();
    struct dls_batch_times batch[60];
    struct dls_verdict *verdict = dls_verdict_new(result);
    struct scratch scratch;

    (void)state;
    begin(&scratch);
    fill_batches(batch, 60);
    result->scenario_name = "a_b 'c' `touch x` <d>";
    result->batch_times = batch;
    result->batches = 60;
    if (drawn(&scratch, dls_plot_run(result, verdict, scratch.svg, NULL, scratch.diag)))
        check_svg(&scratch, parts, sizeof parts / sizeof *parts);
    end(&scratch);
    dls_verdict_free(verdict);
    dls_result_free(result);
}

static void test_errors(void **state)
{
    static const char *const parts[] = {"image.workers", "text_format",
                                        "predicted: samples", "measured: samples",
                                        "equal"};
    const struct dls_plot_point points[] = {{100, 104, "image.workers"},
                                            {210, 190, "text_format"},
                                            {51, 50, "image.workers"},
                                            {NAN, 10, "image.workers"},
                                            {10, 0, "never"}};
    struct scratch scratch;

    (void)state;
    begin(&scratch);
    if (drawn(&scratch,
              dls_plot_errors(points, 5, "all runs", "samples per second (1/s)",
                              scratch.svg, NULL, scratch.diag)))
        check_svg(&scratch, parts, sizeof parts / sizeof *parts);
    end(&scratch);
    begin(&scratch);
    assert_int_equal(
        dls_plot_errors(points + 3, 2, "none", "s", scratch.svg, NULL, scratch.diag),
        DLS_ENO);
    assert_false(exists(scratch.svg));
    end(&scratch);
}

/* Draws with a pretended gnuplot; expects a failure whose message holds `part`, and no
 * file. */
static void check_failure(const char *program_body, const char *part)
{
    struct dls_result *result = made_result();
    struct dls_verdict *verdict = dls_verdict_new(result);
    struct dls_plot_options options = {.timeout_s = 1};
    struct scratch scratch;

    begin(&scratch);
    options.gnuplot = scratch.program;
    if (program_body != NULL)
        write_program(&scratch, program_body);
    assert_int_equal(dls_plot_run(result, verdict, scratch.svg, &options, scratch.diag),
                     DLS_EIO);
    if (strstr(message(&scratch), part) == NULL)
        fail_msg("'%s' is not in: %s", part, message(&scratch));
    assert_int_equal(dls_diag_count(scratch.diag), 1);
    assert_false(exists(scratch.svg));
    end(&scratch);
    dls_verdict_free(verdict);
    dls_result_free(result);
}

static void test_failures(void **state)
{
    time_t start = time(NULL);

    (void)state;
    check_failure(NULL, "is not installed");
    check_failure("cat >/dev/null; echo 'line 3: bad  syntax' >&2; exit 1",
                  "failed: line 3: bad syntax");
    check_failure("cat >/dev/null", "it wrote nothing");
    check_failure("kill -9 $$", "ended by signal 9");
    check_failure("exec sleep 20", "did not finish within 1 s");
    check_failure("exec >&-; exec sleep 20", "did not finish within 1 s");
    assert_true(time(NULL) - start < 15);
}

static void test_bad_target(void **state)
{
    struct dls_result *result = made_result();
    struct dls_verdict *verdict = dls_verdict_new(result);
    struct dls_plot_options options = {0};
    struct scratch scratch;

    (void)state;
    begin(&scratch);
    write_program(&scratch, "cat");
    options.gnuplot = scratch.program;
    assert_int_equal(dls_plot_run(result, verdict, "/nonexistent-folder/x.svg",
                                  &options, scratch.diag),
                     DLS_EIO);
    assert_non_null(
        strstr(message(&scratch), "cannot write '/nonexistent-folder/x.svg'"));
    end(&scratch);
    begin(&scratch);
    options.templates = "/nonexistent-folder";
    assert_int_equal(dls_plot_run(result, verdict, scratch.svg, &options, scratch.diag),
                     DLS_EIO);
    assert_non_null(strstr(message(&scratch), "cannot read plot template"));
    end(&scratch);
    dls_verdict_free(verdict);
    dls_result_free(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_run),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_bad_target),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
