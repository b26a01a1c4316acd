/* test_pending.c: order by key then insertion, against a sorted list and by the
 * properties of a stable order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "sim/base/mem.h"
#include "sim/engine/pending_int.h"
#include "sim/engine/rng.h"

static const uint64_t SEED = 20240611;

static void assert_pop(struct dls_pending *pending, int64_t key, uint32_t task)
{
    struct dls_pending_entry entry;

    assert_int_equal(dls_pending_next(pending), key);
    assert_true(dls_pending_pop(pending, &entry));
    assert_int_equal(entry.key, key);
    assert_int_equal(entry.task, task);
    assert_int_equal(entry.generation, task + 1000);
}

static void add(struct dls_pending *pending, int64_t key, uint32_t task)
{
    dls_pending_add(pending, key, task, task + 1000);
}

static void empty_has_nothing(void **state)
{
    struct dls_pending *pending = dls_pending_new();
    struct dls_pending_entry entry = {7, 7, 7};

    (void)state;
    assert_int_equal(dls_pending_count(pending), 0);
    assert_int_equal(dls_pending_next(pending), INT64_MAX);
    assert_false(dls_pending_pop(pending, &entry));
    assert_int_equal(entry.key, 7);
    add(pending, 5, 1);
    assert_pop(pending, 5, 1);
    assert_int_equal(dls_pending_count(pending), 0);
    assert_int_equal(dls_pending_next(pending), INT64_MAX);
    assert_false(dls_pending_pop(pending, &entry));
    dls_pending_free(pending);
    dls_pending_free(NULL);
}

static void equal_keys_keep_insertion(void **state)
{
    struct dls_pending *pending = dls_pending_new();

    (void)state;
    for (uint32_t i = 0; i < 65; i++)
        add(pending, 40, i);
    add(pending, 39, 100);
    add(pending, 41, 101);
    assert_pop(pending, 39, 100);
    for (uint32_t i = 0; i < 65; i++)
        assert_pop(pending, 40, i);
    assert_pop(pending, 41, 101);
    dls_pending_free(pending);
}

/* After a pop at (time 5, priority 3), priority 0 of the same time comes next. */
static void lower_priority_of_the_same_time_comes_next(void **state)
{
    struct dls_pending *pending = dls_pending_new();

    (void)state;
    add(pending, 5 << 3 | 3, 1);
    add(pending, 5 << 3 | 3, 2);
    add(pending, 5 << 3 | 7, 3);
    assert_pop(pending, 5 << 3 | 3, 1);
    add(pending, 5 << 3 | 0, 4);
    assert_pop(pending, 5 << 3 | 0, 4);
    assert_pop(pending, 5 << 3 | 3, 2);
    assert_pop(pending, 5 << 3 | 7, 3);
    dls_pending_free(pending);
}

static void end_of_time_with_priority_7(void **state)
{
    struct dls_pending *pending = dls_pending_new();

    (void)state;
    add(pending, INT64_MAX, 1);
    add(pending, INT64_MAX - 7, 2);
    add(pending, INT64_MAX, 3);
    assert_pop(pending, INT64_MAX - 7, 2);
    assert_pop(pending, INT64_MAX, 1);
    assert_pop(pending, INT64_MAX, 3);
    dls_pending_free(pending);
}

/* ------------------------------------------------------------ against a sorted list */

struct list {
    struct dls_pending_entry entry[512];
    size_t count;
};

static void list_add(struct list *list, struct dls_pending_entry entry)
{
    size_t at = list->count++;

    for (; at > 0 && list->entry[at - 1].key > entry.key; at--)
        list->entry[at] = list->entry[at - 1];
    list->entry[at] = entry;
}

static struct dls_pending_entry list_pop(struct list *list)
{
    struct dls_pending_entry first = list->entry[0];

    list->count--;
    memmove(list->entry, list->entry + 1, list->count * sizeof first);
    return first;
}

/* Mixed adds and pops; `spread` distinct keys in front of the last popped one. */
static void compare_with_list(uint64_t spread, uint64_t steps)
{
    struct dls_pending *pending = dls_pending_new();
    struct dls_rng rng = dls_rng_of(SEED + spread);
    struct list list = {.count = 0};
    int64_t now = 0;

    for (uint64_t i = 0; i < steps; i++) {
        /* Phases of growth and of draining, down to empty. */
        bool adds = dls_rng_below(&rng, 100) < ((i / 700) % 2 ? 30 : 70);

        if (adds && list.count < 512) {
            int64_t key = now + (int64_t)dls_rng_below(&rng, spread);

            list_add(&list,
                     (struct dls_pending_entry){key, (uint32_t)i, (uint32_t)i + 1000});
            add(pending, key, (uint32_t)i);
        } else if (list.count > 0) {
            struct dls_pending_entry first = list_pop(&list);

            assert_pop(pending, first.key, first.task);
            now = first.key;
        }
        assert_int_equal(dls_pending_count(pending), list.count);
        assert_int_equal(dls_pending_next(pending),
                         list.count ? list.entry[0].key : INT64_MAX);
    }
    dls_pending_free(pending);
}

static void agrees_with_sorted_list(void **state)
{
    static const uint64_t spreads[] = {1, 2, 16, 100, 1000000};

    (void)state;
    print_message("# seed %llu\n", (unsigned long long)SEED);
    for (size_t i = 0; i < sizeof spreads / sizeof *spreads; i++)
        compare_with_list(spreads[i], 20000);
}

/* ------------------------------------------------------------ laws of delay, large */

enum law { EXPONENTIAL, UNIFORM, NARROW, BIMODAL, PARETO, GRID, CONSTANT, EQUAL, LAWS };

static int64_t delay_of(enum law law, struct dls_rng *rng)
{
    double u = dls_rng_uniform(rng);

    switch (law) {
    case EXPONENTIAL:
        return (int64_t)(-log1p(-u) * 1e6);
    case UNIFORM:
        return (int64_t)(u * 2e6);
    case NARROW:
        return 1000000 + (int64_t)(u * 1000);
    case BIMODAL:
        return (int64_t)(u * (dls_rng_below(rng, 1000) ? 1e3 : 1e6));
    case PARETO:
        return (int64_t)(1e3 * pow(1 - u, -1 / 1.2));
    case GRID:
        return 1000 * (int64_t)dls_rng_below(rng, 16);
    case CONSTANT:
        return 1000;
    default:
        return 0;
    }
}

/* Hold with `count` entries, then drained: keys never fall, equal keys come in the
 * order of insertion (the task number counts insertions), and each entry comes once. */
static void check_law(enum law law, uint32_t count, uint32_t holds)
{
    struct dls_pending *pending = dls_pending_new();
    struct dls_rng rng = dls_rng_of(SEED + (uint64_t)law);
    struct dls_pending_entry entry, last = {-1, 0, 0};
    unsigned char *seen = dls_mem_new(count + holds, 1);
    uint32_t added = 0, popped = 0;

    for (; added < count; added++)
        dls_pending_add(pending, delay_of(law, &rng), added, 0);
    while (dls_pending_pop(pending, &entry)) {
        assert_true(entry.key > last.key ||
                    (entry.key == last.key && entry.task > last.task));
        assert_true(entry.task < added && !seen[entry.task]);
        seen[entry.task] = 1;
        popped++;
        last = entry;
        if (added < count + holds) {
            dls_pending_add(pending, entry.key + delay_of(law, &rng), added, 0);
            added++;
        }
    }
    assert_int_equal(popped, count + holds);
    dls_mem_free(seen);
    dls_pending_free(pending);
}

static void every_law_is_sorted_and_stable(void **state)
{
    static const uint32_t counts[] = {1, 2, 5, 6, 29, 30, 1000, 30000};

    (void)state;
    for (int law = 0; law < LAWS; law++) {
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
            check_law((enum law)law, counts[i], 30000);
    }
}

static void a_million_entries(void **state)
{
    (void)state;
    check_law(EXPONENTIAL, 1000000, 1000);
}

/* -------------------------------------------------------- what only the engine uses */

/* The sequence runs out once in 2^40 entries; insertion order must survive. */
static void insertion_order_survives_renumbering(void **state)
{
    struct dls_pending *pending = dls_pending_new();

    (void)state;
    pending->sequence = DLS_PENDING_SEQUENCES - 40;
    for (uint32_t i = 0; i < 100; i++)
        add(pending, 8 + (i % 2) * 8, i);
    assert_true(pending->sequence < 200);
    for (uint32_t i = 0; i < 100; i += 2)
        assert_pop(pending, 8, i);
    for (uint32_t i = 1; i < 100; i += 2)
        assert_pop(pending, 16, i);
    dls_pending_free(pending);
}

static void renumbering_with_an_open_root(void **state)
{
    struct dls_pending *pending = dls_pending_new();

    (void)state;
    pending->sequence = DLS_PENDING_SEQUENCES - 29;
    for (uint32_t i = 0; i < 29; i++) /* as many as the first block holds */
        add(pending, 8, i);
    assert_pop(pending, 8, 0);
    add(pending, 8, 29);
    for (uint32_t i = 1; i < 30; i++)
        assert_pop(pending, 8, i);
    assert_int_equal(dls_pending_count(pending), 0);
    dls_pending_free(pending);
}

/* Takes every third entry out of the middle, by task and masked generation. */
static void take_leaves_the_rest_in_order(void **state)
{
    struct dls_pending *pending = dls_pending_new();
    struct dls_rng rng = dls_rng_of(SEED);
    struct dls_pending_entry entry;
    int64_t last = -1;
    uint32_t left = 0;

    (void)state;
    for (uint32_t i = 0; i < 600; i++)
        dls_pending_add(pending, (int64_t)dls_rng_below(&rng, 50), i, i * 8 + 5);
    for (uint32_t i = 0; i < 600; i += 3) {
        assert_false(dls_pending_find(pending, i, i * 8 + 8, ~7u, &entry));
        assert_true(dls_pending_find(pending, i, i * 8, ~7u, &entry));
        assert_true(dls_pending_take(pending, i, i * 8, ~7u, &entry));
        assert_int_equal(entry.generation, i * 8 + 5);
        assert_false(dls_pending_take(pending, i, i * 8, ~7u, &entry));
    }
    while (dls_pending_pop(pending, &entry)) {
        assert_true(entry.task % 3 != 0 && entry.key >= last);
        last = entry.key;
        left++;
    }
    assert_int_equal(left, 400);
    dls_pending_free(pending);
}

static void take_after_pop(void **state)
{
    struct dls_pending *pending = dls_pending_new();
    struct dls_pending_entry entry;

    (void)state;
    add(pending, 1, 1);
    add(pending, 2, 2);
    assert_pop(pending, 1, 1);
    assert_false(dls_pending_find(pending, 1, 1001, ~0u, &entry));
    assert_false(dls_pending_take(pending, 1, 1001, ~0u, &entry));
    assert_true(dls_pending_take(pending, 2, 1002, ~0u, &entry));
    assert_int_equal(dls_pending_count(pending), 0);
    dls_pending_free(pending);
}

static int64_t key_of(double value)
{
    int64_t key;

    memcpy(&key, &value, sizeof key);
    return key;
}

/* What lies before the origin becomes 0, in order of insertion. */
static void rebase_keeps_order(void **state)
{
    struct dls_pending *pending = dls_pending_new();

    (void)state;
    add(pending, key_of(3.0), 3);
    add(pending, key_of(1.0), 1);
    add(pending, key_of(2.5), 2);
    add(pending, key_of(0.5), 4);
    add(pending, key_of(1e15), 5);
    dls_pending_rebase(pending, 1.0);
    assert_pop(pending, key_of(0.0), 1);
    assert_pop(pending, key_of(0.0), 4);
    assert_pop(pending, key_of(1.5), 2);
    assert_pop(pending, key_of(2.0), 3);
    assert_pop(pending, key_of(1e15 - 1), 5);
    dls_pending_free(pending);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_has_nothing),
        cmocka_unit_test(equal_keys_keep_insertion),
        cmocka_unit_test(lower_priority_of_the_same_time_comes_next),
        cmocka_unit_test(end_of_time_with_priority_7),
        cmocka_unit_test(agrees_with_sorted_list),
        cmocka_unit_test(every_law_is_sorted_and_stable),
        cmocka_unit_test(a_million_entries),
        cmocka_unit_test(insertion_order_survives_renumbering),
        cmocka_unit_test(renumbering_with_an_open_root),
        cmocka_unit_test(take_leaves_the_rest_in_order),
        cmocka_unit_test(take_after_pop),
        cmocka_unit_test(rebase_keeps_order),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
