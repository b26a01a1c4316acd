/* test_import_micro.c: measurements of the host come into trace.db exactly, or not at
 * all. */
#include <math.h>

#include "tests/support/scratch.h"
#include "traces/import_micro.h"
#include "traces/trace.h"

#define HEADER "test,class,n,value,unit\n"

static enum dls_status import_text(struct scratch *scratch, const char *text,
                                   struct dls_import_report *report)
{
    return dls_import_micro(scratch_path(scratch, "t.db"),
                            scratch_write(scratch, "micro.csv", text), scratch->diag,
                            report);
}

static struct dls_trace_micros read_micros(struct scratch *scratch)
{
    struct dls_trace_db *db = NULL;
    struct dls_trace_micros micros = {0};

    assert_int_equal(
        dls_trace_db_open(scratch_path(scratch, "t.db"), scratch->diag, &db), DLS_OK);
    assert_int_equal(dls_trace_micros_read(db, 1, scratch->diag, &micros), DLS_OK);
    dls_trace_db_close(db);
    return micros;
}

static void test_rows_and_repetitions(void **state)
{
    struct scratch scratch;
    struct dls_import_report report;
    struct dls_trace_micros micros;
    struct dls_trace_db *db = NULL;
    struct dls_trace_list list = {0};
    static const int32_t repetitions[] = {0, 0, 0, 1, 0, 2, 0};

    (void)state;
    scratch_init(&scratch);
    assert_int_equal(import_text(&scratch,
                                 HEADER "rate,decode,1,355,ops_per_s\n"
                                        "cpu_per_op,decode,1,2.8049,ms\n"
                                        "rate,decode,2,9.73e2,ops_per_s\n"
                                        "rate,decode,1,360,ops_per_s\n"
                                        "rate,inflate,1,38,ops_per_s\n"
                                        "rate,decode,1,.5,ops_per_s\n"
                                        "sleep_overshoot,0.1ms,50,-3,us_median\n",
                                 &report),
                     DLS_OK);
    scratch_said(&scratch, "");
    assert_int_equal(report.trace, 1);
    assert_int_equal(report.micros, 7);
    assert_int_equal(report.spans, 0);
    micros = read_micros(&scratch);
    assert_int_equal(micros.count, 7);
    for (size_t i = 0; i < micros.count; i++)
        assert_int_equal(micros.data[i].repetition, repetitions[i]);
    assert_string_equal(micros.data[2].test, "rate");
    assert_string_equal(micros.data[2].class_, "decode");
    assert_int_equal(micros.data[2].n, 2);
    assert_true(micros.data[2].value == 973.0);
    assert_string_equal(micros.data[2].unit, "ops_per_s");
    assert_true(micros.data[1].value == 2.8049);
    assert_true(micros.data[6].value == -3.0);
    dls_trace_micros_release(&micros);
    assert_int_equal(
        dls_trace_db_open(scratch_path(&scratch, "t.db"), scratch.diag, &db), DLS_OK);
    assert_int_equal(dls_trace_list_read(db, scratch.diag, &list), DLS_OK);
    assert_string_equal(list.data[0].name, "micro");
    assert_string_equal(list.data[0].tool, "micro");
    assert_string_equal(list.data[0].clock, "none");
    assert_false(list.data[0].joined);
    dls_trace_list_release(&list);
    dls_trace_db_close(db);
    scratch_release(&scratch);
}

static void test_refused(void **state)
{
    static const struct {
        const char *text;
        const char *said;
    } cases[] = {
        {"", "micro.csv:1: expected a header line, found an empty file\n"},
        {HEADER,
         "micro.csv:2: empty recording: expected rows after the header, found none\n"},
        {"test,class,n,value\n", "micro.csv:1: column 'unit' is missing\n"},
        {HEADER "rate,decode,1,fast,s\n",
         "micro.csv:2:15: 'value' must be a finite number, found 'fast'\n"},
        {HEADER "rate,decode,1,nan,s\n",
         "micro.csv:2:15: 'value' must be a finite number, found 'nan'\n"},
        {HEADER "rate,decode,1,0x10,s\n",
         "micro.csv:2:15: 'value' must be a finite number, found '0x10'\n"},
        {HEADER "rate,decode,1,1e999,s\n",
         "micro.csv:2:15: 'value' must be a finite number, found '1e999'\n"},
        {HEADER "rate,decode,1,,s\n",
         "micro.csv:2:15: 'value' must be a finite number, found ''\n"},
        {HEADER "rate,decode,1,1-2,s\n",
         "micro.csv:2:15: 'value' must be a finite number, found '1-2'\n"},
        {HEADER "rate,decode,-1,1,s\n",
         "micro.csv:2:13: 'n' must be at least 0, found -1\n"},
        {HEADER "rate,,1,1,\n", "micro.csv:2:6: 'class' must not be empty\n"
                                "micro.csv:2:11: 'unit' must not be empty\n"},
    };
    struct scratch scratch;

    (void)state;
    scratch_init(&scratch);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(import_text(&scratch, cases[i].text, NULL), DLS_EINPUT);
        scratch_said(&scratch, cases[i].said);
        assert_false(scratch_exists(&scratch, "t.db"));
    }
    assert_int_equal(dls_import_micro(scratch_path(&scratch, "t.db"),
                                      scratch_path(&scratch, "none.csv"), scratch.diag,
                                      NULL),
                     DLS_EIO);
    scratch_said(&scratch, "none.csv: cannot read: No such file or directory\n");
    assert_int_equal(import_text(&scratch, HEADER "rate,decode,1,1,s\n", NULL), DLS_OK);
    assert_int_equal(import_text(&scratch, HEADER "rate,decode,1,1,s\n", NULL),
                     DLS_EINPUT);
    scratch_said(&scratch,
                 "micro.csv: the same file is in the database already: recording"
                 " 'micro', number 1\n");
    scratch_release(&scratch);
}

/* Counts and the sum of all values, taken from the file with another program. */
static void test_real_host(void **state)
{
    const char *data = getenv("DLSIM_DATA");
    struct scratch scratch;
    struct dls_import_report report;
    struct dls_trace_micros micros;
    char path[512];
    double sum = 0.0;
    int third = 0;

    (void)state;
    snprintf(path, sizeof path, "%s/real_runs/micro.csv",
             data == NULL ? "../shared/data" : data);
    if (access(path, R_OK) != 0) {
        print_message("# SKIP real host: no %s\n", path);
        return;
    }
    scratch_init(&scratch);
    assert_int_equal(
        dls_import_micro(scratch_path(&scratch, "t.db"), path, scratch.diag, &report),
        DLS_OK);
    assert_int_equal(report.micros, 134);
    micros = read_micros(&scratch);
    assert_int_equal(micros.count, 134);
    for (size_t i = 0; i < micros.count; i++) {
        sum += micros.data[i].value;
        third += micros.data[i].repetition == 2;
        assert_in_range(micros.data[i].repetition, 0, 2);
    }
    assert_true(fabs(sum - 22982.8363) < 1e-6);
    /* Three repetitions of rate and CPU per operation, 5 classes, 1 to 4 processes. */
    assert_int_equal(third, 2 * 5 * 4);
    dls_trace_micros_release(&micros);
    scratch_release(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_and_repetitions),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_real_host),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
