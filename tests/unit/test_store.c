/* test_store.c: back-pressure, hand-over in order, and cancels at the instant of a
 * hand-over. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/engine/rng.h"
#include "sim/engine/store.h"

static const uint64_t SEED = 20240611;

/* What was taken, by whom. */
struct log {
    struct dls_store *store;
    int64_t item[64];
    uint32_t taker[64];
    int count;
    int puts; /* resumed puts */
};

static void took(struct dls_engine *engine, struct dls_task *task)
{
    struct log *log = task->self;

    (void)engine;
    log->item[log->count] = task->a;
    log->taker[log->count++] = task->word;
    dls_store_check(log->store);
}

static void has_put(struct dls_engine *engine, struct dls_task *task)
{
    (void)engine;
    ((struct log *)task->self)->puts++;
}

static struct dls_task *daemon_task(struct dls_engine *engine, struct log *log,
                                    dls_run_fn *run, uint32_t word)
{
    struct dls_task *task = dls_task_new(engine, run, log);

    task->flags = DLS_TASK_DAEMON;
    task->word = word;
    return task;
}

static void items_come_in_order(void **state)
{
    struct dls_engine *engine = dls_engine_new();
    struct dls_store *store = dls_store_new(engine, 3);
    struct log log = {.store = store};
    struct dls_task *task = daemon_task(engine, &log, took, 0);
    int64_t item = 0;

    (void)state;
    for (int64_t round = 0; round < 50; round++) { /* wraps around */
        assert_true(dls_store_put(store, task, 10 * round + 1));
        assert_true(dls_store_put(store, task, 10 * round + 2));
        assert_int_equal(dls_store_count(store), 2);
        assert_true(dls_store_get(store, task, &item));
        assert_int_equal(item, 10 * round + 1);
        assert_true(dls_store_get(store, task, &item));
        assert_int_equal(item, 10 * round + 2);
        dls_store_check(store);
    }
    dls_engine_free(engine);
}

/* Capacity 2: the third and fourth put wait; each get lets one in, in the same event,
 * in order. */
static void puts_wait_while_full(void **state)
{
    struct dls_engine *engine = dls_engine_new();
    struct dls_store *store = dls_store_new(engine, 2);
    struct log log = {.store = store};
    struct dls_task *put[4], *get = daemon_task(engine, &log, took, 9);
    int64_t item;

    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        put[i] = daemon_task(engine, &log, has_put, i);
        assert_int_equal(dls_store_put(store, put[i], i), i < 2);
    }
    assert_int_equal(put[2]->cause, DLS_CAUSE_ORDER);
    for (int64_t i = 0; i < 4; i++) {
        assert_true(dls_store_get(store, get, &item));
        assert_int_equal(item, i);
        assert_int_equal(dls_store_count(store), i < 2 ? 2 : 3 - i);
        dls_store_check(store);
    }
    dls_engine_run(engine, NULL);
    assert_int_equal(log.puts, 2);
    assert_false(dls_store_get(store, get, &item));
    dls_engine_free(engine);
}

/* Getters are served in the order in which they came, each by one item, without passing
 * through the buffer. */
static void gets_wait_while_empty(void **state)
{
    struct dls_engine *engine = dls_engine_new();
    struct dls_store *store = dls_store_new(engine, 1);
    struct log log = {.store = store};
    struct dls_task *put = daemon_task(engine, &log, has_put, 9);
    int64_t item = 5;

    (void)state;
    for (uint32_t i = 0; i < 3; i++)
        assert_false(dls_store_get(store, daemon_task(engine, &log, took, i), &item));
    assert_int_equal(item, 5);
    for (int64_t i = 0; i < 4; i++)
        assert_true(dls_store_put(store, put, 100 + i));
    assert_int_equal(dls_store_count(store), 1);
    assert_false(dls_store_put(store, put, 104));
    dls_engine_run(engine, NULL);
    assert_int_equal(log.count, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(log.item[i], 100 + i);
        assert_int_equal(log.taker[i], i);
    }
    dls_engine_free(engine);
}

/* ------------------------------------------------------------ cancels */

static void cancelled_waits_are_passed_over(void **state)
{
    struct dls_engine *engine = dls_engine_new();
    struct dls_store *store = dls_store_new(engine, 1);
    struct log log = {.store = store};
    struct dls_task *task[4];
    int64_t item;

    (void)state;
    for (uint32_t i = 0; i < 4; i++)
        task[i] = daemon_task(engine, &log, took, i);
    assert_false(dls_store_get(store, task[0], &item));
    assert_false(dls_store_get(store, task[1], &item));
    dls_store_cancel_get(store, task[0]);
    assert_true(dls_store_put(store, task[2], 70));
    dls_engine_run(engine, NULL);
    assert_int_equal(log.count, 1);
    assert_int_equal(log.taker[0], 1);
    assert_true(dls_store_put(store, task[1], 71)); /* full */
    assert_false(dls_store_put(store, task[2], 72));
    assert_false(dls_store_put(store, task[3], 73));
    dls_task_cancel(engine, task[2]);
    assert_true(dls_store_get(store, task[0], &item));
    assert_int_equal(item, 71);
    assert_true(dls_store_get(store, task[0], &item)); /* 72 never entered */
    assert_int_equal(item, 73);
    assert_int_equal(dls_store_count(store), 0);
    dls_store_check(store);
    dls_engine_free(engine);
}

/* Put and cancel at one instant, both orders: the item is never lost, and comes before
 * those put after it. */
static void cancel_hands_on_what_was_handed_over(void **state)
{
    (void)state;
    for (int waiting = 1; waiting <= 2; waiting++) {
        for (int put_first = 0; put_first < 2; put_first++) {
            struct dls_engine *engine = dls_engine_new();
            struct dls_store *store = dls_store_new(engine, 4);
            struct log log = {.store = store};
            struct dls_task *getter[2], *putter = daemon_task(engine, &log, has_put, 9);
            int64_t item;

            for (int i = 0; i < waiting; i++) {
                getter[i] = daemon_task(engine, &log, took, (uint32_t)i);
                assert_false(dls_store_get(store, getter[i], &item));
            }
            if (put_first)
                assert_true(dls_store_put(store, putter, 50));
            dls_store_cancel_get(store, getter[0]);
            if (!put_first)
                assert_true(dls_store_put(store, putter, 50));
            assert_true(dls_store_put(store, putter, 51));
            dls_store_check(store);
            dls_engine_run(engine, NULL);
            assert_int_equal(log.count, waiting - 1);
            if (waiting == 2) {
                assert_int_equal(log.taker[0], 1);
                assert_int_equal(log.item[0], 50);
            } else {
                assert_true(dls_store_get(store, putter, &item));
                assert_int_equal(item, 50);
            }
            assert_true(dls_store_get(store, putter, &item));
            assert_int_equal(item, 51);
            assert_int_equal(dls_store_count(store), 0);
            dls_engine_free(engine);
        }
    }
}

/* An item that comes back to a full store stays, in front; puts wait until there is
 * room again. */
static void an_item_comes_back_to_a_full_store(void **state)
{
    struct dls_engine *engine = dls_engine_new();
    struct dls_store *store = dls_store_new(
        engine, 8); /* as many as the first block of the ring holds */
    struct log log = {.store = store};
    struct dls_task *getter = daemon_task(engine, &log, took, 0);
    struct dls_task *putter = daemon_task(engine, &log, has_put, 1);
    int64_t item;

    (void)state;
    assert_false(dls_store_get(store, getter, &item));
    for (int64_t i = 0; i < 9; i++)
        assert_true(dls_store_put(store, putter, i));
    dls_store_cancel_get(store, getter);
    assert_int_equal(dls_store_count(store), 9);
    assert_false(dls_store_put(store, putter, 9));
    for (int64_t i = 0; i < 10; i++) {
        assert_true(dls_store_get(store, getter, &item));
        assert_int_equal(item, i);
        dls_store_check(store);
    }
    dls_engine_run(engine, NULL);
    assert_int_equal(log.puts, 1);
    dls_engine_free(engine);
}

/* ------------------------------------------------------------ random traffic */

struct traffic {
    struct dls_store *store;
    struct dls_rng rng;
    int64_t next; /* item to put */
    int64_t expected;
    int64_t end;
    bool ended;
};

static void produce(struct dls_engine *engine, struct dls_task *task)
{
    struct traffic *traffic = task->self;

    dls_store_check(traffic->store);
    if (traffic->next == traffic->end) {
        dls_task_free(engine, task);
    } else if (task->phase == 0) {
        task->phase = 1;
        dls_engine_after(engine, task, (dls_time)dls_rng_below(&traffic->rng, 4),
                         DLS_PRIORITY_NORMAL, DLS_CAUSE_IDLE);
    } else {
        task->phase = 0;
        if (dls_store_put(traffic->store, task, traffic->next++))
            produce(engine, task);
    }
}

static void consume_waited(struct dls_engine *engine, struct dls_task *task);

static void consume(struct dls_engine *engine, struct dls_task *task)
{
    struct traffic *traffic = task->self;
    int64_t item;

    task->run = consume_waited;
    if (dls_store_get(traffic->store, task, &item)) {
        task->a = item;
        consume_waited(engine, task);
    }
}

static void consume_waited(struct dls_engine *engine, struct dls_task *task)
{
    struct traffic *traffic = task->self;

    dls_store_check(traffic->store);
    assert_int_equal(task->a, traffic->expected);
    if (++traffic->expected == traffic->end) {
        traffic->ended = true;
        dls_task_free(engine, task);
        return;
    }
    task->run = consume;
    dls_engine_after(engine, task, (dls_time)dls_rng_below(&traffic->rng, 4),
                     DLS_PRIORITY_NORMAL, DLS_CAUSE_IDLE);
}

/* One producer and one consumer of random speeds: every item once, in order, whatever
 * the capacity. */
static void every_item_arrives_once_in_order(void **state)
{
    (void)state;
    print_message("# seed %llu\n", (unsigned long long)SEED);
    for (uint32_t capacity = 1; capacity <= 20; capacity++) {
        struct dls_engine *engine = dls_engine_new();
        struct traffic traffic = {.store = dls_store_new(engine, capacity),
                                  .rng = dls_rng_of(SEED),
                                  .end = 2000};
        struct dls_task *task = dls_task_new(engine, produce, &traffic);

        dls_engine_resume(engine, dls_task_park(engine, task, DLS_CAUSE_STARTUP));
        task = dls_task_new(engine, consume, &traffic);
        dls_engine_resume(engine, dls_task_park(engine, task, DLS_CAUSE_STARTUP));
        assert_int_equal(dls_engine_run(engine, NULL), DLS_END_EMPTY);
        assert_true(traffic.ended);
        assert_int_equal(dls_store_count(traffic.store), 0);
        assert_int_equal(dls_task_count(engine), 0);
        dls_engine_free(engine);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_come_in_order),
        cmocka_unit_test(puts_wait_while_full),
        cmocka_unit_test(gets_wait_while_empty),
        cmocka_unit_test(cancelled_waits_are_passed_over),
        cmocka_unit_test(cancel_hands_on_what_was_handed_over),
        cmocka_unit_test(an_item_comes_back_to_a_full_store),
        cmocka_unit_test(every_item_arrives_once_in_order),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
