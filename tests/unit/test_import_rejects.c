/* test_import_rejects.c: a wrong recording is refused with the place of every fault,
 * and leaves no database. */
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
                                   const char *batches, const char *config,
                                   struct dls_import_report *report)
{
    return dls_import_spans(
        scratch_path(scratch, "t.db"), scratch_write(scratch, "a.spans.csv", spans),
        batches == NULL ? NULL : scratch_write(scratch, "a.batches.csv", batches),
        config == NULL ? NULL : scratch_write(scratch, "a.json", config), scratch->diag,
        report);
}

static void expect_refused(struct scratch *scratch, const char *spans,
                           const char *batches, const char *config, const char *said)
{
    assert_int_equal(import_text(scratch, spans, batches, config, NULL), DLS_EINPUT);
    scratch_said(scratch, said);
    assert_false(scratch_exists(scratch, "t.db"));
    assert_false(scratch_exists(scratch, "t.db-journal"));
}

static void test_bad_headers(void **state)
{
    static const struct {
        const char *spans;
        const char *said;
    } cases[] = {
        {"", "a.spans.csv:1: expected a header line, found an empty file\n"},
        {SPANS_HEADER, "a.spans.csv:2: empty recording: expected rows after the "
                       "header, found none\n"},
        {"epoch,batch,sample,worker,pid,tid,stage,op,start_ns,dur_ns,bytes\n",
         "a.spans.csv:1: column 'cpu_ns' is missing\n"},
        {"epoch,batch,sample,worker,pid,tid,stage,op,start_ns,dur_ns,cpu_n,bytes\n",
         "a.spans.csv:1:60: unknown column 'cpu_n' (did you mean 'cpu_ns'?)\n"
         "a.spans.csv:1: column 'cpu_ns' is missing\n"},
        {"colour,epoch,batch,sample,worker,pid,tid,stage,op,start_ns,dur_ns,cpu_ns,"
         "bytes\n",
         "a.spans.csv:1:1: unknown column 'colour'\n"},
        {"epoch,batch,sample,worker,pid,tid,stage,op,start_ns,dur_ns,cpu_ns,bytes,op\n",
         "a.spans.csv:1:73: column 'op' is there twice\n"},
        {"a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q\n",
         "a.spans.csv:1: expected 12 columns, found 17\n"},
        {"epoch,batch",
         "a.spans.csv:1: the last line has no line end: the file is cut off\n"},
        {"\x7f"
         "ELF\x02\x01\n",
         "a.spans.csv:1:5: expected text, found byte 0x02\n"},
    };
    struct scratch scratch;
    char *wide = dls_mem_new(5001, 1);

    (void)state;
    scratch_init(&scratch);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_refused(&scratch, cases[i].spans, NULL, NULL, cases[i].said);
    memset(wide, 'x', 5000);
    expect_refused(&scratch, wide, NULL, NULL,
                   "a.spans.csv:1: line is longer than 4096 bytes\n");
    dls_mem_free(wide);
    scratch_release(&scratch);
}

static const struct {
    const char *row;
    const char *said; /* after "a.spans.csv:3" */
} row_cases[] = {
    {"0,-1,7,0,11,11,read,jpg,1010,-100,60,5000",
     ":30: 'dur_ns' must be at least 0, found -100\n"},
    {"0,-1,7,0,11,11,read,jpg,-1,100,60,5000",
     ":25: 'start_ns' must be at least 0, found -1\n"},
    {"0,-1,7,0,11,11,read,jpg,1010,1e3,60,5000",
     ":30: 'dur_ns' must be a whole number, found '1e3'\n"},
    {"0,-1,7,0,11,11,read,jpg,1010,,60,5000",
     ":30: 'dur_ns' must be a whole number, found ''\n"},
    {"0,-1,7,0,11,11,read,jpg,1010, 5,60,5000",
     ":30: 'dur_ns' must be a whole number, found ' 5'\n"},
    {"0,-1,7,0,11,11,read,jpg,1010,5,-,5000",
     ":32: 'cpu_ns' must be a whole number, found '-'\n"},
    {"0,-1,7,0,11,11,read,jpg,1010,9223372036854775808,60,5000",
     ":30: 'dur_ns' must be at most 9223372036854775807, found "
     "9223372036854775808\n"},
    {"0,-1,7,0,11,11,read,jpg,1010,-9223372036854775809,60,5000",
     ":30: 'dur_ns' must be at least 0, found -9223372036854775809\n"},
    {"0,-1,7,0,11,11,read,jpg,9223372036854775807,1,60,5000",
     ":45: 'start_ns' + 'dur_ns' is beyond 64 bits\n"},
    {"0,-1,2147483648,0,11,11,read,jpg,1010,100,60,5000",
     ":6: 'sample' must be at most 2147483647, found 2147483648\n"},
    {"0,-1,7,-2,11,11,read,jpg,1010,100,60,5000",
     ":8: 'worker' must be at least -1, found -2\n"},
    {"0,-1,7,0,11,11,reed,jpg,1010,100,60,5000",
     ":16: unknown stage 'reed' (did you mean 'read'?)\n"},
    {"0,-1,7,0,11,11,brew coffee,jpg,1010,100,60,5000",
     ":16: unknown stage 'brew coffee'\n"},
    {"0,-1,7,0,11,11,,jpg,1010,100,60,5000", ":16: 'stage' must not be empty\n"},
    {"0,-1,7,0,11,11,read,,1010,100,60,5000", ":21: 'op' must not be empty\n"},
    {"0,-1,7,0,11,11,read,\"jpg\",1010,100,60,5000",
     ":21: 'op' must be a name of at most 255 bytes without quotes, found "
     "'\"jpg\"'\n"},
    {"0,-1,7,0,11,11,read,jpg,1010,100,60", ": expected 12 fields, found 11\n"},
    {"0,-1,7,0,11,11,read,jpg,1010,100,60,5000,", ": expected 12 fields, found 13\n"},
    {"", ": expected 12 fields, found an empty line\n"},
    {"0,-1,7,0,11,11,read,j\x01pg,1010,100,60,5000",
     ":22: expected text, found byte 0x01\n"},
};

static void test_bad_rows(void **state)
{
    struct scratch scratch;

    (void)state;
    scratch_init(&scratch);
    for (size_t i = 0; i < sizeof row_cases / sizeof row_cases[0]; i++) {
        char spans[1024];
        char said[256];

        snprintf(spans, sizeof spans,
                 SPANS_HEADER "0,0,-1,-1,10,10,wait,next,1000,400,40,-1\n%s\n"
                              "0,0,-1,-1,10,10,step,sleep,1400,100,1,-1\n",
                 row_cases[i].row);
        snprintf(said, sizeof said, "a.spans.csv:3%s", row_cases[i].said);
        expect_refused(&scratch, spans, NULL, NULL, said);
    }
    expect_refused(
        &scratch, SPANS_HEADER "0,0,-1,-1,10,10,wait,next,1000,400,40,-1", NULL, NULL,
        "a.spans.csv:2: the last line has no line end: the file is cut off\n");
    scratch_release(&scratch);
}

/* One attempt shows the faults of all rows and of all three files. */
static void test_all_faults_at_once(void **state)
{
    struct scratch scratch;

    (void)state;
    scratch_init(&scratch);
    expect_refused(
        &scratch,
        SPANS_HEADER "0,0,x,-1,10,10,wait,next,1000,-4,40,-1\n"
                     "0,0,-1,-1,10,10,step,sleep,1400,100,1,-1\n"
                     "0,0,-1,-1,10,10,nap,sleep,1400,100,1,-1\n",
        BATCHES_HEADER "0,0,30,20,10\n0,1,5\n", "{\"config\": {\"a\": []}}",
        "a.json: 'config.a' must be a finite number, a text of at most 4096 bytes, true"
        " or false, found a list\n"
        "a.batches.csv:2:8: 'arrive_ns' must be at least 30, found 20\n"
        "a.batches.csv:2:11: 'done_ns' must be at least 30, found 10\n"
        "a.batches.csv:3: expected 5 fields, found 3\n"
        "a.spans.csv:2:5: 'sample' must be a whole number, found 'x'\n"
        "a.spans.csv:2:31: 'dur_ns' must be at least 0, found -4\n"
        "a.spans.csv:4:17: unknown stage 'nap'\n");
    scratch_release(&scratch);
}

static void test_too_many_faults(void **state)
{
    struct scratch scratch;
    struct dls_str spans;

    (void)state;
    scratch_init(&scratch);
    dls_str_init(&spans);
    dls_str_add(&spans, SPANS_HEADER);
    for (int i = 0; i < 100; i++)
        dls_str_add(&spans, "bad\n");
    assert_int_equal(import_text(&scratch, spans.data, NULL, NULL, NULL), DLS_EINPUT);
    assert_int_equal(dls_diag_errors(scratch.diag), DLS_DIAG_MAX);
    dls_str_release(&spans);
    scratch_release(&scratch);
}

static void test_bad_batches(void **state)
{
    struct scratch scratch;

    (void)state;
    scratch_init(&scratch);
    expect_refused(&scratch, good_spans, BATCHES_HEADER, NULL,
                   "a.batches.csv:2: empty recording: expected rows after the header, "
                   "found none\n");
    expect_refused(&scratch, good_spans,
                   BATCHES_HEADER "0,0,1,2,3\n0,1,3,4,5\n0,0,5,6,7\n", NULL,
                   "a.batches.csv:4: batch 0 of epoch 0 is there twice\n");
    expect_refused(&scratch, good_spans, BATCHES_HEADER "0,-1,1,2,3\n", NULL,
                   "a.batches.csv:2:3: 'batch' must be at least 0, found -1\n");
    expect_refused(
        &scratch, SPANS_HEADER "0,-1,7,0,11,11,read,jpg,1010,100,60,5000\n",
        BATCHES_HEADER "0,0,1,2,3\n", NULL,
        "a.spans.csv: no 'wait' span of the training process (worker -1): the batch"
        " times cannot be brought to the clock of the spans\n");
    expect_refused(
        &scratch, good_spans, BATCHES_HEADER "0,0,1,2,9223372036854775807\n", NULL,
        "a.batches.csv: batch times on the clock of the spans are beyond 64 bits\n");
    scratch_release(&scratch);
}

static const struct {
    const char *config;
    const char *said;
} config_cases[] = {
    {"", "a.json:1:1: expected JSON, found an empty file\n"},
    {"{\"config\": {\n  \"workers\": 2,\n  \"batch\" 3}}",
     "a.json:3:11: not JSON from here on\n"},
    {"{\"config\": {\"workers\": 2",
     "a.json:1:25: JSON ends too early: the file is cut off\n"},
    {"{\"config\": {}} tail", "a.json:1:16: not JSON from here on\n"},
    {"[]", "a.json: expected an object, found a list\n"},
    {"{}", "a.json: key 'config' is missing in the file\n"},
    {"{\"config\": 3}", "a.json: 'config' must be an object, found a number\n"},
    {"{\"config\": {\"a\": 1, \"b\": 2, \"a\": 1}}",
     "a.json: key 'a' is there twice in 'config'\n"},
    {"{\"config\": {\"a\": 1e999}}", "a.json: 'config.a' must be a finite number, "
                                     "a text of at most 4096 bytes, true or false,"
                                     " found a number\n"},
    {"{\"config\": {\"\": 1}}",
     "a.json: key '' in 'config' must have 1 to 255 bytes\n"},
    {"{\"config\": {\"rep\": -1}}",
     "a.json: 'config.rep' must be a whole number of at least 0, found -1\n"},
    {"{\"config\": {}, \"epoch\": []}",
     "a.json: unknown key 'epoch' in the file (did you mean 'epochs'?)\n"},
    {"{\"config\": {}, \"colour\": 1}",
     "a.json: unknown key 'colour' in the file (known: config, host, samples, "
     "ref_ms, epochs)\n"},
    {"{\"config\": {}, \"host\": {\"cpus\": 0, \"name\": \"\", \"disk\": 1}}",
     "a.json: 'host.cpus' must be a whole number of at least 1, found 0\n"
     "a.json: 'host.name' must be a text of 1 to 255 bytes, found a text\n"
     "a.json: unknown key 'disk' in 'host' (known: name, cpus, memory_bytes, "
     "kernel)\n"},
    {"{\"config\": {}, \"samples\": 1.5}",
     "a.json: 'samples' must be a whole number of at least 0, found 1.5\n"},
    {"{\"config\": {}, \"ref_ms\": [1]}",
     "a.json: 'ref_ms' must be a list of two numbers, found another length\n"},
    {"{\"config\": {}, \"ref_ms\": [1, \"x\"]}",
     "a.json: 'ref_ms[1]' must be a number above 0\n"},
    {"{\"config\": {}, \"epochs\": {}}",
     "a.json: 'epochs' must be a list, found an object\n"},
    {"{\"config\": {}, \"epochs\": [{\"au\": 1}, 2]}",
     "a.json: key 'epoch' is missing in 'epochs[0]'\n"
     "a.json: 'epochs[1]' must be an object, found a number\n"},
    {"{\"config\": {}, \"epochs\": [{\"epoch\": 1}, {\"epoch\": 1}]}",
     "a.json: 'epochs[1].epoch' must be above the one before and below 2^31, found "
     "1\n"},
    {"{\"config\": {}, \"epochs\": [{\"epoch\": 0, \"au\": -0.5, \"epoch_s\": "
     "\"1\"}]}",
     "a.json: 'epochs[0].au' must be a finite number of at least 0, found a "
     "negative one\n"
     "a.json: 'epochs[0].epoch_s' must be a finite number of at least 0, found a "
     "text\n"},
};

static void test_bad_config(void **state)
{
    struct scratch scratch;

    (void)state;
    scratch_init(&scratch);
    for (size_t i = 0; i < sizeof config_cases / sizeof config_cases[0]; i++)
        expect_refused(&scratch, good_spans, NULL, config_cases[i].config,
                       config_cases[i].said);
    scratch_release(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_headers),
        cmocka_unit_test(test_bad_rows),
        cmocka_unit_test(test_all_faults_at_once),
        cmocka_unit_test(test_too_many_faults),
        cmocka_unit_test(test_bad_batches),
        cmocka_unit_test(test_bad_config),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
