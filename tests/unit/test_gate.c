/* test_gate.c: gates release in order, latches join. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/engine/gate.h"

struct log {
    uint32_t word[16];
    int count;
};

static void note(struct dls_engine *engine, struct dls_task *task)
{
    struct log *log = task->self;

    (void)engine;
    log->word[log->count++] = task->word;
}

static struct dls_task *noting(struct dls_engine *engine, struct log *log,
                               uint32_t word)
{
    struct dls_task *task = dls_task_new(engine, note, log);

    task->word = word;
    return task;
}

static void open_releases_all_in_order_and_stays_open(void **state)
{
    struct dls_engine *engine = dls_engine_new();
    struct dls_gate gate = {0};
    struct log log = {.count = 0};
    struct dls_task *task[12];

    (void)state;
    for (uint32_t i = 0; i < 12; i++) {
        task[i] = noting(engine, &log, i);
        assert_false(dls_gate_wait(&gate, engine, task[i], DLS_CAUSE_STORAGE));
        assert_int_equal(task[i]->cause, DLS_CAUSE_STORAGE);
    }
    dls_task_cancel(engine, task[3]);
    dls_gate_open(&gate, engine);
    assert_true(dls_gate_wait(&gate, engine, task[3], DLS_CAUSE_STORAGE));
    assert_int_equal(dls_engine_run(engine, NULL),
                     DLS_END_DEADLOCK); /* parked ever after, none of them ended */
    assert_int_equal(log.count, 11);
    for (int i = 0; i < 11; i++)
        assert_int_equal(log.word[i], i < 3 ? i : i + 1);
    dls_gate_close(&gate);
    assert_false(dls_gate_wait(&gate, engine, task[0], DLS_CAUSE_STORAGE));
    dls_gate_release(&gate);
    dls_engine_free(engine);
}

static void pulse_leaves_the_gate_closed(void **state)
{
    struct dls_engine *engine = dls_engine_new();
    struct dls_gate gate = {0};
    struct log log = {.count = 0};
    struct dls_task *task = noting(engine, &log, 1);

    (void)state;
    dls_gate_pulse(&gate, engine);
    assert_false(dls_gate_wait(&gate, engine, task, DLS_CAUSE_BARRIER));
    dls_gate_pulse(&gate, engine);
    dls_engine_run(engine, NULL);
    assert_int_equal(log.count, 1);
    assert_false(dls_gate_wait(&gate, engine, task, DLS_CAUSE_BARRIER));
    dls_gate_release(&gate);
    dls_engine_free(engine);
}

static void the_last_part_resumes_the_owner(void **state)
{
    struct dls_engine *engine = dls_engine_new();
    struct log log = {.count = 0};
    struct dls_task *owner = noting(engine, &log, 7);
    struct dls_latch latch = {0};

    (void)state;
    for (uint32_t parts = 1; parts <= 3; parts++) {
        log.count = 0;
        dls_latch_arm(&latch, engine, owner, parts, DLS_CAUSE_STORAGE);
        for (uint32_t part = 0; part < parts; part++) {
            dls_engine_run(engine, NULL);
            assert_int_equal(log.count, 0);
            dls_latch_done(&latch, engine);
        }
        dls_engine_run(engine, NULL);
        assert_int_equal(log.count, 1);
    }
    dls_latch_arm(&latch, engine, owner, 1, DLS_CAUSE_STORAGE);
    dls_task_free(engine, owner);
    dls_latch_done(&latch, engine); /* nobody waits any more */
    assert_int_equal(dls_engine_run(engine, NULL), DLS_END_EMPTY);
    dls_engine_free(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_releases_all_in_order_and_stays_open),
        cmocka_unit_test(pulse_leaves_the_gate_closed),
        cmocka_unit_test(the_last_part_resumes_the_owner),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
