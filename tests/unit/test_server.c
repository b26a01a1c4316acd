/* test_server.c: hand-computed schedules, and what happens at ties with a cancel. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/engine/server.h"

enum { CUSTOMERS = 8 };

struct station {
    struct dls_engine *engine;
    struct dls_server *server;
    struct dls_task *customer[CUSTOMERS];
    dls_time duration[CUSTOMERS];
    dls_time left[CUSTOMERS]; /* when it went on; -1: never */
    int order[CUSTOMERS];
    int count;
};

static void leave(struct dls_engine *engine, struct dls_task *task)
{
    struct station *station = task->self;

    assert_int_equal(station->left[task->word], -1);
    station->left[task->word] = dls_engine_now(engine);
    station->order[station->count++] = (int)task->word;
    dls_server_check(station->server);
    dls_task_free(engine, task);
}

static void arrive(struct dls_engine *engine, struct dls_task *task)
{
    struct station *station = task->self;

    (void)engine;
    task->run = leave;
    dls_server_serve(station->server, task, station->duration[task->word],
                     DLS_CAUSE_STORAGE);
    dls_server_check(station->server);
}

static void station_init(struct station *station, uint32_t servers)
{
    *station = (struct station){.engine = dls_engine_new()};
    station->server = dls_server_new(station->engine, servers);
    for (int i = 0; i < CUSTOMERS; i++)
        station->left[i] = -1;
}

static void add_customer(struct station *station, uint32_t number, dls_time at,
                         dls_time duration)
{
    struct dls_task *task = dls_task_new(station->engine, arrive, station);

    task->word = number;
    station->customer[number] = task;
    station->duration[number] = duration;
    dls_engine_after(station->engine, task, at, DLS_PRIORITY_NORMAL, DLS_CAUSE_STARTUP);
}

/* Two servers; arrivals at 0, 0, 1, 2, 9: services 5, 3, 4, 1, 2.
 * Server A: 0..5 (first), 5..6 (fourth); server B: 0..3 (second), 3..7 (third); the
 * fifth finds one free at 9. */
static void two_servers_first_come_first_served(void **state)
{
    static const dls_time expected[] = {5, 3, 7, 6, 11};
    struct station station;

    (void)state;
    station_init(&station, 2);
    add_customer(&station, 0, 0, 5);
    add_customer(&station, 1, 0, 3);
    add_customer(&station, 2, 1, 4);
    add_customer(&station, 3, 2, 1);
    add_customer(&station, 4, 9, 2);
    assert_int_equal(dls_engine_run(station.engine, NULL), DLS_END_EMPTY);
    for (int i = 0; i < 5; i++)
        assert_int_equal(station.left[i], expected[i]);
    assert_int_equal(dls_server_busy(station.server), 0);
    assert_int_equal(dls_server_queued(station.server), 0);
    /* Work of 15 over 11 ns. */
    assert_true(dls_gauge_area(dls_server_level(station.server), 11) == 15.0);
    assert_true(dls_server_level(station.server)->max == 2.0);
    dls_engine_free(station.engine);
}

/* A service of no length takes its turn and ends at the instant it begins. */
static void zero_durations_take_their_turn(void **state)
{
    struct station station;

    (void)state;
    station_init(&station, 1);
    add_customer(&station, 0, 0, 4);
    add_customer(&station, 1, 1, 0);
    add_customer(&station, 2, 1, 0);
    add_customer(&station, 3, 2, 3);
    assert_int_equal(dls_engine_run(station.engine, NULL), DLS_END_EMPTY);
    for (int i = 0; i < 4; i++)
        assert_int_equal(station.order[i], i);
    assert_int_equal(station.left[1], 4);
    assert_int_equal(station.left[2], 4);
    assert_int_equal(station.left[3], 7);
    dls_engine_free(station.engine);
}

/* ------------------------------------------------------------ cancels */

struct canceller {
    struct station *station;
    uint32_t victim;
};

static void cancel_customer(struct dls_engine *engine, struct dls_task *task)
{
    struct canceller *canceller = task->self;
    struct station *station = canceller->station;

    if (station->left[canceller->victim] < 0)
        dls_task_free(engine, station->customer[canceller->victim]);
    dls_server_check(station->server);
    dls_task_free(engine, task);
}

/* Cancels a customer at `at`, with a priority before or behind the completions of that
 * instant. */
static void cancel_at(struct canceller *canceller, dls_time at,
                      enum dls_priority priority)
{
    struct dls_engine *engine = canceller->station->engine;

    dls_engine_after(engine, dls_task_new(engine, cancel_customer, canceller), at,
                     priority, DLS_CAUSE_IDLE);
}

/* The one in service is cancelled: the server is busy to the end of that service, then
 * goes on. */
static void cancel_in_service_keeps_the_server_busy(void **state)
{
    struct station station;
    struct canceller canceller = {&station, 0};

    (void)state;
    station_init(&station, 1);
    add_customer(&station, 0, 0, 10);
    add_customer(&station, 1, 1, 5);
    cancel_at(&canceller, 3, DLS_PRIORITY_NORMAL);
    assert_int_equal(dls_engine_run(station.engine, NULL), DLS_END_EMPTY);
    assert_int_equal(station.left[0], -1);
    assert_int_equal(station.left[1], 15);
    assert_int_equal(station.count, 1);
    dls_engine_free(station.engine);
}

static void cancel_in_the_queue_is_passed_over(void **state)
{
    struct station station;
    struct canceller canceller = {&station, 1};

    (void)state;
    station_init(&station, 1);
    add_customer(&station, 0, 0, 10);
    add_customer(&station, 1, 1, 5);
    add_customer(&station, 2, 2, 1);
    cancel_at(&canceller, 3, DLS_PRIORITY_NORMAL);
    assert_int_equal(dls_engine_run(station.engine, NULL), DLS_END_EMPTY);
    assert_int_equal(station.left[1], -1);
    assert_int_equal(station.left[2], 11);
    dls_engine_free(station.engine);
}

/* At the instant of a completion, both orders, victims served, next in line and last:
 * the others get the server as if nothing had happened, and nobody waits at a free
 * server. */
static void ties_of_cancel_and_completion(void **state)
{
    static const enum dls_priority priorities[] = {DLS_PRIORITY_COMPLETION,
                                                   DLS_PRIORITY_TIMEOUT};

    (void)state;
    for (uint32_t victim = 0; victim < 3; victim++) {
        for (int order = 0; order < 4; order++) {
            struct station station;
            struct canceller canceller = {&station, victim};
            dls_time next = 10;

            station_init(&station, 1);
            if (order & 2) /* inserted before the service begins */
                cancel_at(&canceller, 10, priorities[order & 1]);
            add_customer(&station, 0, 0, 10);
            add_customer(&station, 1, 0, 5);
            add_customer(&station, 2, 0, 3);
            if (!(order & 2))
                cancel_at(&canceller, 10, priorities[order & 1]);
            assert_int_equal(dls_engine_run(station.engine, NULL), DLS_END_EMPTY);
            /* The canceller was put in before the completion, so priority 0 comes
             * before it. */
            assert_int_equal(station.left[0], victim == 0 && !(order & 1) ? -1 : 10);
            /* Passed over in the queue when cancelled before the completion; served for
             * nobody behind it. */
            if (!(victim == 1 && !(order & 1)))
                next += 5;
            assert_int_equal(station.left[1], victim == 1 ? -1 : 15);
            assert_int_equal(station.left[2], victim == 2 ? -1 : next + 3);
            assert_int_equal(dls_server_busy(station.server), 0);
            assert_int_equal(dls_server_queued(station.server), 0);
            dls_engine_free(station.engine);
        }
    }
}

/* A task freed in service and another born into its slot: the completion resumes
 * neither. */
static void a_completion_does_not_resume_a_stranger(void **state)
{
    struct station station;
    struct dls_task *stranger;

    (void)state;
    station_init(&station, 1);
    add_customer(&station, 0, 0, 10);
    dls_engine_run(station.engine, &(struct dls_engine_limits){.events = 1});
    dls_task_free(station.engine, station.customer[0]);
    stranger = dls_task_new(station.engine, leave, &station);
    stranger->word = 5;
    assert_ptr_equal(stranger, station.customer[0]);
    assert_int_equal(dls_engine_run(station.engine, NULL), DLS_END_DEADLOCK);
    assert_int_equal(station.count, 0);
    assert_int_equal(dls_server_busy(station.server), 0);
    dls_engine_free(station.engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_servers_first_come_first_served),
        cmocka_unit_test(zero_durations_take_their_turn),
        cmocka_unit_test(cancel_in_service_keeps_the_server_busy),
        cmocka_unit_test(cancel_in_the_queue_is_passed_over),
        cmocka_unit_test(ties_of_cancel_and_completion),
        cmocka_unit_test(a_completion_does_not_resume_a_stranger),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
