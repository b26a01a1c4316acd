/* test_import_spans.c: recordings in dlsim's own form come into trace.db exactly. */
#include "tests/support/scratch.h"
#include "traces/import_spans.h"
#include "traces/trace.h"

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

/* The same loop from the start of the run: 970 earlier than the spans' clock. */
static const char good_batches[] = BATCHES_HEADER "0,0,30,430,530\n"
                                                  "0,1,530,830,930\n";

static const char good_config[] =
    "{\"config\": {\"workers\": 1, \"step_ms\": 0.1, \"cold\": false, \"loader\": "
    "\"pytorch\","
    " \"prefetch\": null, \"rep\": 3, \"tag\": \"\", \"big\": 9007199254740992},\n"
    " \"host\": {\"name\": \"node7\", \"cpus\": 2, \"memory_bytes\": 25769803776,"
    " \"kernel\": \"6.18\"},\n"
    " \"samples\": 2, \"ref_ms\": [1.5, 2.5],\n"
    " \"epochs\": [{\"epoch\": 0, \"epoch_s\": 0.5, \"samples_per_s\": 4.0, \"au\": "
    "0.25,"
    " \"disk_read_bytes\": 10, \"group_anon_bytes\": -1}, {\"epoch\": 2, \"lag_ms\": "
    "1}]}\n";

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

static struct dls_trace_db *open_db(struct scratch *scratch)
{
    struct dls_trace_db *db = NULL;

    assert_int_equal(
        dls_trace_db_open(scratch_path(scratch, "t.db"), scratch->diag, &db), DLS_OK);
    return db;
}

static void check_outcomes(struct dls_trace_db *db, struct dls_diag *diag)
{
    static const struct dls_trace_outcome expected[] = {
        {"samples", 2, "1", -1, 3},          {"ref_before_ms", 1.5, "ms", -1, 3},
        {"ref_after_ms", 2.5, "ms", -1, 3},  {"epoch_s", 0.5, "s", 0, 3},
        {"samples_per_s", 4.0, "1/s", 0, 3}, {"au", 0.25, "1", 0, 3},
        {"disk_read_bytes", 10, "B", 0, 3},  {"lag_ms", 1, "ms", 2, 3}};
    struct dls_trace_outcomes outcomes = {0};

    assert_int_equal(dls_trace_outcomes_read(db, 1, diag, &outcomes), DLS_OK);
    assert_int_equal(outcomes.count, sizeof expected / sizeof expected[0]);
    for (size_t i = 0; i < outcomes.count; i++) {
        assert_string_equal(outcomes.data[i].metric, expected[i].metric);
        assert_true(outcomes.data[i].value == expected[i].value);
        assert_string_equal(outcomes.data[i].unit, expected[i].unit);
        assert_int_equal(outcomes.data[i].epoch, expected[i].epoch);
        assert_int_equal(outcomes.data[i].repetition, expected[i].repetition);
    }
    dls_trace_outcomes_release(&outcomes);
}

static void check_gaps(struct dls_trace_db *db, int64_t trace, struct dls_diag *diag,
                       const char *expected)
{
    struct dls_trace_gaps gaps = {0};
    struct dls_str found;

    dls_str_init(&found);
    assert_int_equal(dls_trace_gaps_read(db, trace, diag, &gaps), DLS_OK);
    for (size_t i = 0; i < gaps.count; i++) {
        assert_true(gaps.data[i].remedy[0] != '\0');
        dls_str_addf(&found, "%s ", gaps.data[i].code);
        if (gaps.data[i].text[0] >= '0' && gaps.data[i].text[0] <= '9')
            dls_str_addf(&found, "(%.7s) ", gaps.data[i].text);
    }
    assert_string_equal(found.data, expected);
    dls_str_release(&found);
    dls_trace_gaps_release(&gaps);
}

static void check_recording(struct dls_trace_db *db, struct dls_diag *diag)
{
    struct dls_trace_list list = {0};

    assert_int_equal(dls_trace_list_read(db, diag, &list), DLS_OK);
    assert_int_equal(list.count, 1);
    assert_string_equal(list.data[0].name, "a");
    assert_string_equal(list.data[0].tool, "spans");
    assert_string_equal(list.data[0].file_name, "a.spans.csv");
    assert_int_equal(list.data[0].file_bytes, strlen(good_spans));
    assert_int_equal(list.data[0].importer_version, 1);
    assert_string_equal(list.data[0].clock, "monotonic");
    assert_true(list.data[0].joined);
    assert_int_equal(list.data[0].clock_offset_ns, 970);
    assert_string_equal(list.data[0].host_name, "node7");
    assert_int_equal(list.data[0].host_cpus, 2);
    assert_int_equal(list.data[0].host_memory_bytes, 25769803776);
    assert_string_equal(list.data[0].host_kernel, "6.18");
    assert_int_equal(list.data[0].config_count, 7);
    assert_string_equal(dls_trace_config_get(&list.data[0], "workers"), "1");
    assert_string_equal(dls_trace_config_get(&list.data[0], "step_ms"), "0.1");
    assert_string_equal(dls_trace_config_get(&list.data[0], "cold"), "false");
    assert_string_equal(dls_trace_config_get(&list.data[0], "loader"), "pytorch");
    assert_string_equal(dls_trace_config_get(&list.data[0], "tag"), "");
    assert_string_equal(dls_trace_config_get(&list.data[0], "big"), "9007199254740992");
    assert_null(dls_trace_config_get(&list.data[0], "prefetch"));
    dls_trace_list_release(&list);
}

static void test_whole_recording(void **state)
{
    struct scratch scratch;
    struct dls_import_report report;
    struct dls_trace_db *db;
    struct dls_trace_spans spans = {0};
    struct dls_trace_batches batches = {0};

    (void)state;
    scratch_init(&scratch);
    assert_int_equal(
        import_text(&scratch, good_spans, good_batches, good_config, &report), DLS_OK);
    scratch_said(&scratch, "");
    assert_int_equal(report.trace, 1);
    assert_int_equal(report.spans, 8);
    assert_int_equal(report.batches, 2);
    assert_int_equal(report.configs, 7);
    assert_int_equal(report.micros, 0);
    assert_int_equal(report.outcomes, 8);
    assert_int_equal(report.gaps, 8);
    assert_int_equal(report.clock_offset_ns, 970);
    assert_int_equal(report.clock_residual_ns, 0);
    db = open_db(&scratch);
    check_recording(db, scratch.diag);
    assert_int_equal(dls_trace_spans_read(db, 1, scratch.diag, &spans), DLS_OK);
    assert_int_equal(spans.count, 8);
    assert_int_equal(spans.data[2].tid, 12);
    assert_int_equal(spans.data[2].stage, DLS_SPAN_DECODE);
    assert_string_equal(spans.ops[spans.data[2].op], "jpeg");
    assert_int_equal(spans.data[6].sample, 3);
    assert_int_equal(spans.data[6].worker, 0);
    assert_int_equal(spans.data[6].cpu_ns, -1);
    assert_int_equal(spans.data[6].bytes, 4000);
    dls_trace_spans_release(&spans);
    assert_int_equal(dls_trace_batches_read(db, 1, scratch.diag, &batches), DLS_OK);
    assert_int_equal(batches.count, 2);
    assert_int_equal(batches.data[0].request_ns, 1000);
    assert_int_equal(batches.data[0].arrive_ns, 1400);
    assert_int_equal(batches.data[1].done_ns, 1900);
    dls_trace_batches_release(&batches);
    check_outcomes(db, scratch.diag);
    check_gaps(
        db, 1, scratch.diag,
        "no_fetch no_queue no_get no_unpickle no_start no_process_cpu no_cpu (1 of 8 ) "
        "unlabelled_batch (4 of 4 ) ");
    dls_trace_db_close(db);
    scratch_release(&scratch);
}

/* What is said follows from what is there: a recording that has everything has no
 * gap. */
static void test_gaps(void **state)
{
    struct scratch scratch;
    struct dls_trace_db *db;

    (void)state;
    scratch_init(&scratch);
    assert_int_equal(import_text(&scratch,
                                 SPANS_HEADER "0,0,-1,-1,1,1,wait,next,10,5,5,-1\n"
                                              "0,0,-1,-1,1,1,step,sleep,15,5,5,-1\n",
                                 NULL, NULL, NULL),
                     DLS_OK);
    assert_int_equal(import_text(&scratch,
                                 SPANS_HEADER "0,-1,-1,-1,1,1,start,iter,5,5,5,-1\n"
                                              "0,0,-1,-1,1,1,wait,next,10,5,5,-1\n"
                                              "0,-1,-1,0,2,2,start,fork,6,1,1,-1\n"
                                              "0,-1,-1,0,2,2,get,index,7,1,1,-1\n"
                                              "0,0,5,0,2,2,read,jpg,8,1,1,100\n"
                                              "0,0,-1,0,2,2,fetch,batch,8,1,1,-1\n"
                                              "0,0,-1,0,2,3,put,feeder,9,1,1,-1\n"
                                              "0,0,-1,-1,1,1,unpickle,get,12,1,1,-1\n"
                                              "0,0,-1,-1,1,1,step,sleep,15,5,5,-1\n"
                                              "0,-1,-1,0,2,2,process,all,5,50,9,-1\n",
                                 BATCHES_HEADER "0,0,0,5,10\n",
                                 "{\"config\": {}, \"host\": {\"cpus\": 2}}", NULL),
                     DLS_OK);
    assert_int_equal(import_text(&scratch,
                                 SPANS_HEADER
                                 "0,-1,-1,-1,1,1,read+decode,load,5,5,5,-1\n"
                                 "0,-1,-1,-1,1,1,transform,crop,5,5,-1,-1\n"
                                 "0,-1,4,-1,1,1,transform,crop,5,5,-1,-1\n",
                                 NULL, "{\"config\": {}}", NULL),
                     DLS_OK);
    scratch_said(&scratch, "");
    db = open_db(&scratch);
    check_gaps(db, 1, scratch.diag,
               "no_batches no_config no_host no_stages no_process_cpu ");
    check_gaps(db, 2, scratch.diag, "");
    check_gaps(db, 3, scratch.diag,
               "no_batches no_host no_wait no_step no_process_cpu no_cpu (2 of 3 ) "
               "no_bytes (1 of 1 ) unlabelled_sample (2 of 3 ) joint_read ");
    dls_trace_db_close(db);
    scratch_release(&scratch);
}

/* Columns in another order, carriage returns, a byte order mark, gzip in two members:
 * the same recording. */
static void test_same_in_other_clothes(void **state)
{
    struct scratch scratch;
    struct dls_import_report report;
    struct dls_trace_db *db;
    struct dls_trace_spans spans = {0};
    struct dls_str both;
    struct dls_str part;

    (void)state;
    scratch_init(&scratch);
    dls_str_init(&both);
    scratch_write_gzip(&scratch, "1.gz",
                       "\xef\xbb\xbf"
                       "op,bytes,stage,cpu_ns,dur_ns,start_ns,tid,pid,worker,sample,"
                       "batch,epoch\r\njpg,1,read,2,3,4,5,6,7,8,9,10\r\n");
    scratch_write_gzip(&scratch, "2.gz",
                       "wav,11,decode,12,13,14,15,16,17,18,19,20\r\n");
    assert_true(scratch_read(scratch_path(&scratch, "1.gz"), &part));
    dls_str_add_n(&both, part.data, part.length);
    dls_str_release(&part);
    assert_true(scratch_read(scratch_path(&scratch, "2.gz"), &part));
    dls_str_add_n(&both, part.data, part.length);
    dls_str_release(&part);
    scratch_write_n(&scratch, "run.1.spans.csv.gz", both.data, both.length);
    dls_str_release(&both);
    assert_int_equal(dls_import_spans(scratch_path(&scratch, "t.db"),
                                      scratch_path(&scratch, "run.1.spans.csv.gz"),
                                      NULL, NULL, scratch.diag, &report),
                     DLS_OK);
    assert_int_equal(report.spans, 2);
    assert_int_equal(report.clock_residual_ns, -1);
    db = open_db(&scratch);
    assert_int_equal(dls_trace_spans_read(db, 1, scratch.diag, &spans), DLS_OK);
    assert_int_equal(spans.count, 2);
    for (int i = 0; i < 2; i++) {
        const struct dls_span *span = &spans.data[i];
        int base = 10 * i;

        assert_string_equal(spans.ops[span->op], i == 0 ? "jpg" : "wav");
        assert_int_equal(span->stage, i == 0 ? DLS_SPAN_READ : DLS_SPAN_DECODE);
        assert_int_equal(span->bytes, base + 1);
        assert_int_equal(span->cpu_ns, base + 2);
        assert_int_equal(span->dur_ns, base + 3);
        assert_int_equal(span->start_ns, base + 4);
        assert_int_equal(span->tid, base + 5);
        assert_int_equal(span->pid, base + 6);
        assert_int_equal(span->worker, base + 7);
        assert_int_equal(span->sample, base + 8);
        assert_int_equal(span->batch, base + 9);
        assert_int_equal(span->epoch, base + 10);
        assert_int_equal(span->rank, 0);
    }
    dls_trace_spans_release(&spans);
    dls_trace_db_close(db);
    scratch_release(&scratch);
}

/* A batches file of another run fits badly: taken, but said. Here the second request is
 * 2 ms late. */
static void test_batches_that_do_not_fit(void **state)
{
    struct scratch scratch;
    struct dls_import_report report;

    (void)state;
    scratch_init(&scratch);
    assert_int_equal(import_text(&scratch, good_spans,
                                 BATCHES_HEADER
                                 "0,0,30,40,50\n0,1,2000530,2000600,2000700\n",
                                 NULL, &report),
                     DLS_OK);
    assert_int_equal(report.clock_offset_ns, 970);
    assert_int_equal(report.clock_residual_ns, 2000000);
    scratch_said(&scratch,
                 "a.batches.csv: warning: batch times do not fit the spans: request and"
                 " wait of a batch lie up to 2000000 ns apart\n");
    scratch_release(&scratch);
}

/* ---- real recordings ---- */

/* Counts and sums taken from the files with another program (awk over the unpacked
 * text). */
struct real {
    const char *name;
    int64_t spans;
    int64_t dur_ns;
    int64_t cpu_ns;
    int64_t bytes;   /* known ones */
    int64_t samples; /* sum of known indices */
    size_t ops;
    int64_t batches;
    int64_t waiting_ns;       /* sum of arrival - request */
    int64_t first_wait_ns;    /* start of the first wait span */
    int64_t first_request_ns; /* as in the batches file */
    int64_t gaps;
};

static const struct real reals[] = {
    {"image-w2", 1980, 5434295948, 3505586792, 963218886, 613440, 6, 20, 1825207006,
     7939753464222, 49512719, 8},
    {"medical-w2", 228, 9000950999, 5499415152, 0, 0, 9, 12, 3194895153, 7948517515332,
     51374812, 11},
    {"dali-w2", 100, 2750450749, 25662278, 0, 0, 2, 50, 2748444056, 8078992674719,
     272471, 3},
    {"text-w2", 19500, 3270112594, 1968223780, 56436591, 61430400, 6, 100, 1176184487,
     7945969458725, 49773347, 8},
};

static void check_real(struct dls_trace_db *db, const struct real *real,
                       const struct dls_import_report *report, struct dls_diag *diag)
{
    struct dls_trace_spans spans = {0};
    struct dls_trace_batches batches = {0};
    int64_t dur_ns = 0;
    int64_t cpu_ns = 0;
    int64_t bytes = 0;
    int64_t samples = 0;
    int64_t waiting_ns = 0;

    assert_int_equal(dls_trace_spans_read(db, report->trace, diag, &spans), DLS_OK);
    for (size_t i = 0; i < spans.count; i++) {
        dur_ns += spans.data[i].dur_ns;
        cpu_ns += spans.data[i].cpu_ns;
        bytes += spans.data[i].bytes > 0 ? spans.data[i].bytes : 0;
        samples += spans.data[i].sample > 0 ? spans.data[i].sample : 0;
    }
    assert_int_equal(spans.count, real->spans);
    assert_int_equal(dur_ns, real->dur_ns);
    assert_int_equal(cpu_ns, real->cpu_ns);
    assert_int_equal(bytes, real->bytes);
    assert_int_equal(samples, real->samples);
    assert_int_equal(spans.ops_count, real->ops);
    dls_trace_spans_release(&spans);
    assert_int_equal(dls_trace_batches_read(db, report->trace, diag, &batches), DLS_OK);
    for (size_t i = 0; i < batches.count; i++)
        waiting_ns += batches.data[i].arrive_ns - batches.data[i].request_ns;
    assert_int_equal(batches.count, real->batches);
    assert_int_equal(waiting_ns, real->waiting_ns);
    assert_int_equal(batches.data[0].request_ns, real->first_wait_ns);
    dls_trace_batches_release(&batches);
    assert_int_equal(report->spans, real->spans);
    assert_int_equal(report->batches, real->batches);
    assert_int_equal(report->configs, 22);
    assert_int_equal(report->outcomes, 19);
    assert_int_equal(report->gaps, real->gaps);
    assert_int_equal(report->clock_offset_ns,
                     real->first_wait_ns - real->first_request_ns);
    assert_int_equal(report->clock_residual_ns, 0);
}

static void test_real_recordings(void **state)
{
    const char *data = getenv("DLSIM_DATA");
    struct dls_import_report reports[sizeof reals / sizeof reals[0]];
    struct scratch scratch;
    struct dls_trace_db *db;

    (void)state;
    if (data == NULL)
        data = "../shared/data";
    scratch_init(&scratch);
    for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++) {
        char spans[512];
        char batches[512];
        char config[512];

        snprintf(spans, sizeof spans, "%s/real_runs/traces/%s.spans.csv.gz", data,
                 reals[i].name);
        snprintf(batches, sizeof batches, "%s/real_runs/traces/%s.batches.csv.gz", data,
                 reals[i].name);
        snprintf(config, sizeof config, "%s/real_runs/traces/%s.json", data,
                 reals[i].name);
        if (access(spans, R_OK) != 0) {
            print_message("# SKIP real recordings: no %s\n", spans);
            scratch_release(&scratch);
            return;
        }
        assert_int_equal(dls_import_spans(scratch_path(&scratch, "t.db"), spans,
                                          batches, config, scratch.diag, &reports[i]),
                         DLS_OK);
    }
    scratch_said(&scratch, "");
    db = open_db(&scratch);
    for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++)
        check_real(db, &reals[i], &reports[i], scratch.diag);
    dls_trace_db_close(db);
    scratch_release(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_recording),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_same_in_other_clothes),
        cmocka_unit_test(test_batches_that_do_not_fit),
        cmocka_unit_test(test_real_recordings),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
