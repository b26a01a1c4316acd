/* test_engine.c: order at equal times, handles, requests, ends of a run, the deadlock
 * report, the fingerprint. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sim/engine/engine.h"

/* What ran when. */
struct log {
    struct {
        uint32_t word;
        dls_time time;
    } line[64];
    int count;
};

static void note(struct dls_engine *engine, struct dls_task *task)
{
    struct log *log = task->self;

    assert_true(log->count < 64);
    log->line[log->count].word = task->word;
    log->line[log->count++].time = dls_engine_now(engine);
}

static void note_and_end(struct dls_engine *engine, struct dls_task *task)
{
    note(engine, task);
    dls_task_free(engine, task);
}

static struct dls_task *noting(struct dls_engine *engine, struct log *log,
                               uint32_t word)
{
    struct dls_task *task = dls_task_new(engine, note_and_end, log);

    task->word = word;
    return task;
}

static struct dls_ref handle(const struct dls_task *task)
{
    return (struct dls_ref){task->index, task->generation};
}

static void assert_log(const struct log *log, int count, const uint32_t *words)
{
    assert_int_equal(log->count, count);
    for (int i = 0; i < count; i++)
        assert_int_equal(log->line[i].word, words[i]);
}

/* ------------------------------------------------------------ order */

static void order_is_time_priority_insertion(void **state)
{
    struct dls_engine *engine = dls_engine_new();
    struct log log = {.count = 0};

    (void)state;
    dls_engine_after(engine, noting(engine, &log, 7), 10, DLS_PRIORITY_SAMPLER,
                     DLS_CAUSE_IDLE);
    dls_engine_after(engine, noting(engine, &log, 4), 10, DLS_PRIORITY_NORMAL,
                     DLS_CAUSE_IDLE);
    dls_engine_after(engine, noting(engine, &log, 6), 10, DLS_PRIORITY_TIMEOUT,
                     DLS_CAUSE_IDLE);
    dls_engine_after(engine, noting(engine, &log, 5), 10, DLS_PRIORITY_NORMAL,
                     DLS_CAUSE_IDLE);
    dls_engine_after(engine, noting(engine, &log, 3), 10, DLS_PRIORITY_COMPLETION,
                     DLS_CAUSE_IDLE);
    dls_engine_after(engine, noting(engine, &log, 2), 9, DLS_PRIORITY_SAMPLER,
                     DLS_CAUSE_IDLE);
    dls_engine_resume(engine, handle(noting(engine, &log, 1)));
    dls_engine_after(engine, noting(engine, &log, 8), 11, DLS_PRIORITY_COMPLETION,
                     DLS_CAUSE_IDLE);
    assert_int_equal(dls_engine_run(engine, NULL), DLS_END_EMPTY);
    assert_log(&log, 8, (const uint32_t[]){1, 2, 3, 4, 5, 6, 7, 8});
    assert_int_equal(log.line[0].time, 0);
    assert_int_equal(log.line[1].time, 9);
    assert_int_equal(log.line[6].time, 10);
    assert_int_equal(dls_engine_now(engine), 11);
    assert_int_equal(dls_engine_events(engine), 8);
    assert_int_equal(dls_task_count(engine), 0);
    dls_engine_free(engine);
    dls_engine_free(NULL);
}

struct trio {
    struct log log;
    struct dls_ref later[2];
};

static void resume_two(struct dls_engine *engine, struct dls_task *task)
{
    struct trio *trio = task->self;

    note(engine, task);
    assert_true(dls_engine_resume(engine, trio->later[0]));
    assert_true(dls_engine_resume(engine, trio->later[1]));
    assert_false(dls_engine_resume(engine, trio->later[1]));
    dls_task_free(engine, task);
}

/* Resumed tasks run, in order of resuming, before the next pending entry of the same
 * time, even one of priority 0. */
static void ready_ring_comes_before_pending(void **state)
{
    struct dls_engine *engine = dls_engine_new();
    struct trio trio = {.log.count = 0};
    struct dls_task *task = dls_task_new(engine, resume_two, &trio);

    (void)state;
    task->word = 1;
    dls_engine_after(engine, task, 5, DLS_PRIORITY_COMPLETION, DLS_CAUSE_IDLE);
    dls_engine_after(engine, noting(engine, &trio.log, 4), 5, DLS_PRIORITY_COMPLETION,
                     DLS_CAUSE_IDLE);
    trio.later[0] = handle(noting(engine, &trio.log, 2));
    trio.later[1] = handle(noting(engine, &trio.log, 3));
    assert_int_equal(dls_engine_run(engine, NULL), DLS_END_EMPTY);
    assert_log(&trio.log, 4, (const uint32_t[]){1, 2, 3, 4});
    assert_int_equal(trio.log.line[2].time, 5);
    dls_engine_free(engine);
}

static void time_ends_at_its_maximum(void **state)
{
    struct dls_engine *engine = dls_engine_new();
    struct log log = {.count = 0};

    (void)state;
    dls_engine_after(engine, noting(engine, &log, 2), DLS_TIME_MAX,
                     DLS_PRIORITY_SAMPLER, DLS_CAUSE_IDLE);
    dls_engine_after(engine, noting(engine, &log, 1), 1, DLS_PRIORITY_NORMAL,
                     DLS_CAUSE_IDLE);
    dls_engine_after(engine, noting(engine, &log, 3), INT64_MAX, DLS_PRIORITY_SAMPLER,
                     DLS_CAUSE_IDLE);
    assert_int_equal(dls_engine_run(engine, NULL), DLS_END_EMPTY);
    assert_log(&log, 3, (const uint32_t[]){1, 2, 3});
    assert_true(dls_engine_now(engine) == DLS_TIME_MAX);
    dls_engine_free(engine);
}

/* ------------------------------------------------------------ handles */

static void a_handle_is_good_for_one_wait(void **state)
{
    struct dls_engine *engine = dls_engine_new();
    struct log log = {.count = 0};
    struct dls_task *task = noting(engine, &log, 1);
    struct dls_ref first, second;

    (void)state;
    task->run = note;
    assert_null(dls_task_get(engine, (struct dls_ref){0, 0}));
    assert_null(dls_task_get(engine, (struct dls_ref){12345, 1}));
    first = dls_task_park(engine, task, DLS_CAUSE_STORAGE);
    assert_ptr_equal(dls_task_get(engine, first), task);
    assert_int_equal(task->cause, DLS_CAUSE_STORAGE);
    assert_true(dls_engine_resume(engine, first));
    assert_null(dls_task_get(engine, first));
    dls_engine_run(engine, NULL);
    second = dls_task_park(engine, task, DLS_CAUSE_CPU);
    assert_false(dls_engine_resume(engine, first));
    dls_task_cancel(engine, task);
    assert_false(dls_engine_resume(engine, second));
    assert_int_equal(log.count, 1);
    dls_engine_free(engine);
}

/* Resumed, then cancelled or freed before it runs: it does not run. */
static void cancel_reaches_into_the_ready_ring(void **state)
{
    struct dls_engine *engine = dls_engine_new();
    struct log log = {.count = 0};
    struct dls_task *cancelled = noting(engine, &log, 1);
    struct dls_task *freed = noting(engine, &log, 2);

    (void)state;
    cancelled->flags = DLS_TASK_DAEMON;
    dls_engine_resume(engine, handle(cancelled));
    dls_engine_resume(engine, handle(freed));
    dls_task_cancel(engine, cancelled);
    dls_task_free(engine, freed);
    assert_int_equal(dls_engine_run(engine, NULL), DLS_END_EMPTY);
    assert_int_equal(log.count, 0);
    assert_int_equal(dls_engine_events(engine), 0);
    dls_engine_free(engine);
}

/* A cancelled timed wait neither runs nor moves the clock. */
static void cancelled_pending_entries_are_dropped(void **state)
{
    struct dls_engine *engine = dls_engine_new();
    struct log log = {.count = 0};
    struct dls_task *task = noting(engine, &log, 1);

    (void)state;
    dls_engine_after(engine, task, 100, DLS_PRIORITY_NORMAL, DLS_CAUSE_IDLE);
    dls_task_cancel(engine, task);
    dls_engine_after(engine, task, 50, DLS_PRIORITY_NORMAL, DLS_CAUSE_IDLE);
    dls_engine_run(engine, NULL);
    assert_int_equal(log.count, 1);
    assert_int_equal(dls_engine_now(engine), 50);
    dls_engine_free(engine);
}

/* Parked at a handle and with a timeout: whichever comes first ends the wait, the other
 * is void. */
static void first_of_two_resumes_wins(void **state)
{
    struct dls_engine *engine = dls_engine_new();
    struct log log = {.count = 0};
    struct dls_task *task = noting(engine, &log, 1);
    struct dls_ref ref = dls_task_park(engine, task, DLS_CAUSE_ORDER);

    (void)state;
    dls_engine_after(engine, task, 10, DLS_PRIORITY_TIMEOUT, DLS_CAUSE_ORDER);
    assert_true(dls_engine_resume(engine, ref));
    dls_engine_run(engine, NULL);
    assert_int_equal(log.count, 1);
    assert_int_equal(dls_engine_now(engine), 0);
    assert_false(dls_engine_resume(engine, ref));
    dls_engine_free(engine);
}

static void a_reused_slot_keeps_its_generation(void **state)
{
    struct dls_engine *engine = dls_engine_new();
    struct log log = {.count = 0};
    struct dls_task *first = noting(engine, &log, 1);
    struct dls_ref stale = dls_task_park(engine, first, DLS_CAUSE_IDLE);
    struct dls_task *second;

    (void)state;
    first->phase = 9;
    first->a = first->b = 77;
    dls_task_free(engine, first);
    second = noting(engine, &log, 2);
    assert_ptr_equal(first, second);
    assert_int_equal(second->phase, 0);
    assert_int_equal(second->a, 0);
    assert_int_equal(second->b, 0);
    assert_int_equal(second->parent.generation, 0);
    assert_false(dls_engine_resume(engine, stale));
    assert_int_equal(dls_task_count(engine), 1);
    dls_engine_free(engine);
}

static void tasks_do_not_move(void **state)
{
    enum { TASKS = 100000 };
    struct dls_engine *engine = dls_engine_new();
    struct dls_task *first = dls_task_new(engine, note, NULL);

    (void)state;
    for (uint32_t i = 1; i < TASKS; i++) {
        struct dls_task *task = dls_task_new(engine, note, NULL);

        assert_int_equal(task->index, i);
        assert_int_equal((uintptr_t)task % 64, 0);
        assert_ptr_equal(dls_task_get(engine, handle(task)), task);
    }
    assert_ptr_equal(dls_task_get(engine, handle(first)), first);
    assert_int_equal(dls_task_count(engine), TASKS);
    dls_engine_free(engine);
}

/* ------------------------------------------------------------ requests */

static void end_request(struct dls_engine *engine, struct dls_task *request)
{
    note(engine, request);
    dls_request_done(engine, request);
}

static void a_request_resumes_its_parent(void **state)
{
    struct dls_engine *engine = dls_engine_new();
    struct log log = {.count = 0};
    struct dls_task *parent = noting(engine, &log, 2);
    struct dls_task *request = dls_request_new(engine, parent, end_request, &log);

    (void)state;
    request->word = 1;
    dls_task_park(engine, parent, DLS_CAUSE_STORAGE);
    dls_engine_after(engine, request, 30, DLS_PRIORITY_COMPLETION, DLS_CAUSE_STORAGE);
    assert_int_equal(dls_engine_run(engine, NULL), DLS_END_EMPTY);
    assert_log(&log, 2, (const uint32_t[]){1, 2});
    assert_int_equal(log.line[1].time, 30);
    assert_int_equal(dls_task_count(engine), 0);
    dls_engine_free(engine);
}

/* An orphan (parent gone or none) ends quietly. */
static void requests_outlive_their_parents(void **state)
{
    struct dls_engine *engine = dls_engine_new();
    struct log log = {.count = 0};
    struct dls_task *parent = noting(engine, &log, 3);
    struct dls_task *orphan = dls_request_new(engine, parent, end_request, &log);
    struct dls_task *alone = dls_request_new(engine, NULL, end_request, &log);

    (void)state;
    orphan->word = 1;
    alone->word = 2;
    dls_engine_after(engine, orphan, 30, DLS_PRIORITY_COMPLETION, DLS_CAUSE_STORAGE);
    dls_engine_after(engine, alone, 31, DLS_PRIORITY_COMPLETION, DLS_CAUSE_STORAGE);
    dls_task_free(engine, parent);
    assert_int_equal(dls_engine_run(engine, NULL), DLS_END_EMPTY);
    assert_log(&log, 2, (const uint32_t[]){1, 2});
    dls_engine_free(engine);
}

/* ------------------------------------------------------------ ends */

static void stop(struct dls_engine *engine, struct dls_task *task)
{
    note(engine, task);
    dls_engine_stop(engine);
    dls_task_free(engine, task);
}

static void stop_ends_after_the_present_continuation(void **state)
{
    struct dls_engine *engine = dls_engine_new();
    struct log log = {.count = 0};
    struct dls_task *task = dls_task_new(engine, stop, &log);

    (void)state;
    dls_engine_resume(engine, handle(task));
    dls_engine_resume(engine, handle(noting(engine, &log, 1)));
    assert_int_equal(dls_engine_run(engine, NULL), DLS_END_STOPPED);
    assert_int_equal(log.count, 1);
    assert_int_equal(dls_engine_run(engine, NULL), DLS_END_EMPTY);
    assert_int_equal(log.count, 2);
    dls_engine_free(engine);
}

static void deadlock_is_told_from_the_end(void **state)
{
    struct dls_engine *engine = dls_engine_new();
    struct log log = {.count = 0};
    struct dls_task *idle = dls_task_new(engine, note, &log);
    struct dls_task *consumer = dls_task_new(engine, note, &log);
    struct dls_task *read = dls_request_new(engine, consumer, note, &log);
    struct dls_str text;

    (void)state;
    dls_str_init(&text);
    idle->flags = DLS_TASK_DAEMON;
    dls_task_park(engine, idle, DLS_CAUSE_IDLE);
    dls_engine_after(engine, read, 1250000000, DLS_PRIORITY_NORMAL, DLS_CAUSE_STORAGE);
    dls_task_park(engine, consumer, DLS_CAUSE_DATA);
    assert_int_equal(dls_engine_run(engine, NULL), DLS_END_DEADLOCK);
    dls_task_park(engine, read, DLS_CAUSE_STORAGE);
    dls_engine_report(engine, &text);
    assert_string_equal(
        text.data,
        "task 1 waits for data since 0.000000000 s\n"
        "task 2 waits for storage since 1.250000000 s, task 1 waits for it\n");
    dls_task_free(engine, read);
    dls_task_free(engine, consumer);
    assert_int_equal(dls_engine_run(engine, NULL), DLS_END_EMPTY);
    dls_str_clear(&text);
    dls_engine_report(engine, &text);
    assert_string_equal(text.data, "");
    dls_str_release(&text);
    dls_engine_free(engine);
}

static void again(struct dls_engine *engine, struct dls_task *task)
{
    task->a++;
    dls_engine_after(engine, task, 10, DLS_PRIORITY_NORMAL, DLS_CAUSE_IDLE);
}

static bool count_down(void *self)
{
    return --*(int *)self < 0;
}

static void limits_end_a_run_that_goes_on_later(void **state)
{
    struct dls_engine *engine = dls_engine_new();
    struct dls_task *task = dls_task_new(engine, again, NULL);
    struct dls_engine_limits limits = {.events = 100001};
    int checks = 3;

    (void)state;
    dls_engine_resume(engine, handle(task));
    assert_int_equal(dls_engine_run(engine, &limits), DLS_END_LIMIT);
    assert_int_equal(task->a, 100001);
    assert_int_equal(dls_engine_now(engine), 1000000);
    assert_int_equal(dls_engine_run(engine, &limits), DLS_END_LIMIT);
    assert_int_equal(task->a, 100001);
    limits = (struct dls_engine_limits){.time = 2000000};
    assert_int_equal(dls_engine_run(engine, &limits), DLS_END_LIMIT);
    assert_in_range(dls_engine_now(engine), 2000000, 2000000 + 65536 * 10);
    limits = (struct dls_engine_limits){.stop = count_down, .self = &checks};
    task->a = 0;
    assert_int_equal(dls_engine_run(engine, &limits), DLS_END_LIMIT);
    assert_int_equal(task->a, 3 * 65536);
    dls_engine_free(engine);
}

/* ------------------------------------------------------------ fingerprint */

static uint64_t fingerprint_of(dls_time first, dls_time second,
                               enum dls_priority priority, bool swapped)
{
    struct dls_engine *engine = dls_engine_new();
    struct log log = {.count = 0};
    struct dls_task *one = noting(engine, &log, 1);
    struct dls_task *two = noting(engine, &log, 2);
    uint64_t fingerprint;

    dls_engine_after(engine, swapped ? two : one, first, priority, DLS_CAUSE_IDLE);
    dls_engine_after(engine, swapped ? one : two, second, DLS_PRIORITY_NORMAL,
                     DLS_CAUSE_IDLE);
    dls_engine_run(engine, NULL);
    fingerprint = dls_engine_fingerprint(engine);
    dls_engine_free(engine);
    return fingerprint;
}

static void fingerprint_tells_time_priority_and_task(void **state)
{
    uint64_t base = fingerprint_of(10, 20, DLS_PRIORITY_NORMAL, false);

    (void)state;
    assert_true(base == fingerprint_of(10, 20, DLS_PRIORITY_NORMAL, false));
    assert_true(base != fingerprint_of(11, 20, DLS_PRIORITY_NORMAL, false));
    assert_true(base != fingerprint_of(10, 21, DLS_PRIORITY_NORMAL, false));
    assert_true(base != fingerprint_of(10, 20, DLS_PRIORITY_TIMEOUT, false));
    assert_true(base != fingerprint_of(10, 20, DLS_PRIORITY_NORMAL, true));
}

static void causes_have_texts(void **state)
{
    (void)state;
    assert_string_equal(dls_cause_text(DLS_CAUSE_NONE), "none");
    assert_string_equal(dls_cause_text(DLS_CAUSE_STARTUP), "start-up");
    assert_string_equal(dls_cause_text(DLS_CAUSE_DATA), "data");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_is_time_priority_insertion),
        cmocka_unit_test(ready_ring_comes_before_pending),
        cmocka_unit_test(time_ends_at_its_maximum),
        cmocka_unit_test(a_handle_is_good_for_one_wait),
        cmocka_unit_test(cancel_reaches_into_the_ready_ring),
        cmocka_unit_test(cancelled_pending_entries_are_dropped),
        cmocka_unit_test(first_of_two_resumes_wins),
        cmocka_unit_test(a_reused_slot_keeps_its_generation),
        cmocka_unit_test(tasks_do_not_move),
        cmocka_unit_test(a_request_resumes_its_parent),
        cmocka_unit_test(requests_outlive_their_parents),
        cmocka_unit_test(stop_ends_after_the_present_continuation),
        cmocka_unit_test(deadlock_is_told_from_the_end),
        cmocka_unit_test(limits_end_a_run_that_goes_on_later),
        cmocka_unit_test(fingerprint_tells_time_priority_and_task),
        cmocka_unit_test(causes_have_texts),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
