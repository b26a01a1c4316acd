/* test_import_io.c: damaged files, a failing machine, repeated imports: the message,
 * and the database as it was. */
#include <signal.h>
#include <sys/resource.h>

#include "tests/support/scratch.h"
#include "traces/import_spans.h"

#define SPANS_HEADER                                                                   \
    "epoch,batch,sample,worker,pid,tid,stage,op,start_ns,dur_ns,cpu_ns,bytes\n"
#define BATCHES_HEADER "epoch,batch,request_ns,arrive_ns,done_ns\n"

/* Two batches of one sample each with one worker; the training loop asks at 1000 and at
 * 1500. */
static const char good_spans[] = SPANS_HEADER
    "0,0,-1,-1,10,10,wait,next,1000,400,40,-1\n"
    "0,-1,7,0,11,11,read,jpg,1010,100,60,5000\n"
    "0,-1,7,0,11,12,decode,jpeg,1110,200,190,5000\n"
    "0,-1,-1,0,11,11,collate,stack,1310,50,50,600\n"
    "0,0,-1,-1,10,10,step,sleep,1400,100,1,-1\n"
    "0,1,-1,-1,10,10,wait,next,1500,300,30,-1\n"
    "0,-1,3,0,11,11,read,jpg,1410,80,-1,4000\n"
    "0,1,-1,-1,10,10,step,sleep,1800,100,1,-1\n";

static enum dls_status import_text(struct scratch *scratch, const char *spans,
                                   struct dls_import_report *report)
{
    return dls_import_spans(scratch_path(scratch, "t.db"),
                            scratch_write(scratch, "a.spans.csv", spans), NULL, NULL,
                            scratch->diag, report);
}

/* ---- gzip ---- */

static void expect_gzip(struct scratch *scratch, const struct dls_str *bytes,
                        const char *said)
{
    assert_int_equal(dls_import_spans(scratch_path(scratch, "t.db"),
                                      scratch_write_n(scratch, "b.spans.csv.gz",
                                                      bytes->data, bytes->length),
                                      NULL, NULL, scratch->diag, NULL),
                     DLS_EINPUT);
    scratch_said(scratch, said);
    assert_false(scratch_exists(scratch, "t.db"));
}

static void test_bad_gzip(void **state)
{
    struct scratch scratch;
    struct dls_str bytes;
    char said[128];
    size_t whole;

    (void)state;
    scratch_init(&scratch);
    assert_true(scratch_read(scratch_write_gzip(&scratch, "a.gz", good_spans), &bytes));
    whole = bytes.length;
    /* Eight bytes of checksum and length end a member; without the last of them it is
     * cut off. */
    bytes.length = whole - 1;
    snprintf(said, sizeof said,
             "b.spans.csv.gz: gzip data is cut off at byte %zu of the file\n",
             whole - 1);
    expect_gzip(&scratch, &bytes, said);
    bytes.length = 20;
    expect_gzip(&scratch, &bytes,
                "b.spans.csv.gz: gzip data is cut off at byte 20 of the file\n");
    bytes.length = whole;
    dls_str_add(&bytes, "tail");
    snprintf(said, sizeof said,
             "b.spans.csv.gz: expected the end of the gzip data, found other bytes at "
             "byte %zu of"
             " the file\n",
             whole);
    expect_gzip(&scratch, &bytes, said);
    /* A wrong checksum is found at its end, four bytes before the end of the member. */
    bytes.length = whole;
    bytes.data[whole - 6] ^= 1;
    assert_int_equal(dls_import_spans(scratch_path(&scratch, "t.db"),
                                      scratch_write_n(&scratch, "b.spans.csv.gz",
                                                      bytes.data, bytes.length),
                                      NULL, NULL, scratch.diag, NULL),
                     DLS_EINPUT);
    assert_non_null(
        strstr(dls_diag_get(scratch.diag, 0)->text, "gzip data is damaged at byte "));
    assert_false(scratch_exists(&scratch, "t.db"));
    dls_str_release(&bytes);
    scratch_release(&scratch);
}

/* ---- the machine fails ---- */

static void test_unreadable(void **state)
{
    struct scratch scratch;
    const char *db;
    const char *spans;

    (void)state;
    scratch_init(&scratch);
    db = scratch_path(&scratch, "t.db");
    spans = scratch_write(&scratch, "a.spans.csv", good_spans);
    assert_int_equal(dls_import_spans(db, scratch_path(&scratch, "none.csv"), NULL,
                                      NULL, scratch.diag, NULL),
                     DLS_EIO);
    scratch_said(&scratch, "none.csv: cannot read: No such file or directory\n");
    assert_int_equal(mkdir(scratch_path(&scratch, "folder"), 0777), 0);
    assert_int_equal(dls_import_spans(db, scratch_path(&scratch, "folder"),
                                      scratch_path(&scratch, "none.batches"),
                                      scratch_path(&scratch, "none.json"), scratch.diag,
                                      NULL),
                     DLS_EIO);
    scratch_said(&scratch, "none.json: cannot read: No such file or directory\n"
                           "none.batches: cannot read: No such file or directory\n"
                           "folder: cannot read: Is a directory\n");
    assert_int_equal(dls_import_spans(scratch_path(&scratch, "none/t.db"), spans, NULL,
                                      NULL, scratch.diag, NULL),
                     DLS_EIO);
    scratch_said(&scratch, "t.db: cannot write: No such file or directory\n");
    assert_int_equal(dls_import_spans(scratch_path(&scratch, "folder"), spans, NULL,
                                      NULL, scratch.diag, NULL),
                     DLS_EIO);
    scratch_said(&scratch, "folder: cannot write: Is a directory\n");
    assert_int_equal(
        dls_import_spans("/dev/null", spans, NULL, NULL, scratch.diag, NULL), DLS_EIO);
    scratch_said(&scratch, "null: cannot write: not a regular file\n");
    assert_false(scratch_exists(&scratch, "t.db"));
    scratch_release(&scratch);
}

/* Permissions do not bind the superuser, so this one only looks at others. */
static void test_forbidden(void **state)
{
    struct scratch scratch;
    const char *spans;

    (void)state;
    if (geteuid() == 0) {
        print_message("# SKIP forbidden files: run by the superuser\n");
        return;
    }
    scratch_init(&scratch);
    spans = scratch_write(&scratch, "a.spans.csv", good_spans);
    scratch_write(&scratch, "t.db", "");
    assert_int_equal(chmod(scratch_path(&scratch, "t.db"), 0444), 0);
    assert_int_equal(dls_import_spans(scratch_path(&scratch, "t.db"), spans, NULL, NULL,
                                      scratch.diag, NULL),
                     DLS_EIO);
    scratch_said(&scratch, "t.db: cannot write: Permission denied\n");
    assert_int_equal(chmod(spans, 0), 0);
    assert_int_equal(dls_import_spans(scratch_path(&scratch, "u.db"), spans, NULL, NULL,
                                      scratch.diag, NULL),
                     DLS_EIO);
    scratch_said(&scratch, "a.spans.csv: cannot read: Permission denied\n");
    scratch_release(&scratch);
}

/* Many spans; every row of the database takes some 60 bytes. */
static const char *write_long(struct scratch *scratch, const char *name, int rows)
{
    struct dls_str spans;
    const char *path;

    dls_str_init(&spans);
    dls_str_add(&spans, SPANS_HEADER);
    for (int i = 0; i < rows; i++)
        dls_str_addf(&spans, "0,-1,%d,0,11,11,read,jpg,%d,100,60,5000\n", i, 1000 * i);
    path = scratch_write(scratch, name, spans.data);
    dls_str_release(&spans);
    return path;
}

/* A limit on the size of files stands in for a full disk: writes beyond it fail. The
 * longer file outgrows SQLite's memory of 2 MB and fails on the way, the shorter one at
 * its end. */
static void test_full_disk(void **state)
{
    struct scratch scratch;
    struct rlimit limit;
    struct rlimit low;
    struct dls_str before;
    struct dls_str after;
    const char *longer;
    const char *shorter;
    enum dls_status status;
    enum dls_status status_new;

    (void)state;
    scratch_init(&scratch);
    assert_int_equal(import_text(&scratch, good_spans, NULL), DLS_OK);
    assert_true(scratch_read(scratch_path(&scratch, "t.db"), &before));
    longer = write_long(&scratch, "longer.spans.csv", 60000);
    shorter = write_long(&scratch, "shorter.spans.csv", 20000);
    assert_true(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    low = limit;
    low.rlim_cur = 400000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &low), 0);
    status = dls_import_spans(scratch_path(&scratch, "t.db"), longer, NULL, NULL,
                              scratch.diag, NULL);
    status_new = dls_import_spans(scratch_path(&scratch, "u.db"), shorter, NULL, NULL,
                                  scratch.diag, NULL);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_int_equal(status, DLS_EIO);
    assert_int_equal(status_new, DLS_EIO);
    scratch_said(&scratch, "t.db: cannot write: File too large\n"
                           "u.db: cannot write: File too large\n");
    assert_true(scratch_read(scratch_path(&scratch, "t.db"), &after));
    assert_int_equal(after.length, before.length);
    assert_memory_equal(after.data, before.data, before.length);
    assert_false(scratch_exists(&scratch, "t.db-journal"));
    assert_false(scratch_exists(&scratch, "u.db"));
    assert_false(scratch_exists(&scratch, "u.db-journal"));
    /* And with room again it goes through. */
    assert_int_equal(dls_import_spans(scratch_path(&scratch, "t.db"), longer, NULL,
                                      NULL, scratch.diag, NULL),
                     DLS_OK);
    dls_str_release(&before);
    dls_str_release(&after);
    scratch_release(&scratch);
}

/* ---- an existing database stays as it was ---- */

static void test_unchanged_after_failure(void **state)
{
    struct scratch scratch;
    struct dls_str before;
    struct dls_str after;
    struct dls_import_report report = {.trace = 42};

    (void)state;
    scratch_init(&scratch);
    assert_int_equal(import_text(&scratch, good_spans, NULL), DLS_OK);
    assert_true(scratch_read(scratch_path(&scratch, "t.db"), &before));
    assert_int_equal(import_text(&scratch, good_spans, &report), DLS_EINPUT);
    scratch_said(&scratch,
                 "a.spans.csv: the same file is in the database already: recording 'a',"
                 " number 1\n");
    assert_int_equal(import_text(&scratch,
                                 SPANS_HEADER
                                 "0,0,-1,-1,10,10,wait,next,1000,400,40,-1\n"
                                 "0,0,-1,-1,10,10,wait,next,1000,-400,40,-1\n",
                                 &report),
                     DLS_EINPUT);
    assert_int_equal(report.trace, 42);
    assert_true(scratch_read(scratch_path(&scratch, "t.db"), &after));
    assert_int_equal(after.length, before.length);
    assert_memory_equal(after.data, before.data, before.length);
    assert_false(scratch_exists(&scratch, "t.db-journal"));
    dls_str_release(&before);
    dls_str_release(&after);
    scratch_release(&scratch);
}

/* The hash tells files apart, whatever the block it lies in, and does not depend on the
 * name. */
static void test_same_bytes_other_name(void **state)
{
    struct scratch scratch;
    struct dls_str bytes;
    const char *path;

    (void)state;
    scratch_init(&scratch);
    path = write_long(&scratch, "long.spans.csv", 20000);
    assert_int_equal(dls_import_spans(scratch_path(&scratch, "t.db"), path, NULL, NULL,
                                      scratch.diag, NULL),
                     DLS_OK);
    assert_true(scratch_read(path, &bytes));
    path = scratch_write_n(&scratch, "copy.spans.csv", bytes.data, bytes.length);
    assert_int_equal(dls_import_spans(scratch_path(&scratch, "t.db"), path, NULL, NULL,
                                      scratch.diag, NULL),
                     DLS_EINPUT);
    scratch_said(&scratch,
                 "copy.spans.csv: the same file is in the database already: recording"
                 " 'long', number 1\n");
    bytes.data[bytes.length - 2] = '1';
    path = scratch_write_n(&scratch, "copy.spans.csv", bytes.data, bytes.length);
    assert_int_equal(dls_import_spans(scratch_path(&scratch, "t.db"), path, NULL, NULL,
                                      scratch.diag, NULL),
                     DLS_OK);
    dls_str_release(&bytes);
    scratch_release(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_gzip),
        cmocka_unit_test(test_unreadable),
        cmocka_unit_test(test_forbidden),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_unchanged_after_failure),
        cmocka_unit_test(test_same_bytes_other_name),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
