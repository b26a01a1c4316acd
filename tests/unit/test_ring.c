/* test_ring.c: first in, first out across growth and wrap-around; void handles are
 * passed over. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/engine/ring.h"

static void empty_ring_gives_nothing(void **state)
{
    struct dls_ring ring = {0};
    struct dls_ref ref = {3, 4};

    (void)state;
    assert_false(dls_ring_pop(&ring, &ref));
    assert_int_equal(ref.index, 3);
    dls_ring_release(&ring);
}

/* Head anywhere in the ring when it has to grow: every offset of the first sizes. */
static void order_survives_growth_at_any_head(void **state)
{
    (void)state;
    for (uint32_t turn = 0; turn < 40; turn++) {
        struct dls_ring ring = {0};
        struct dls_ref ref;
        uint32_t put = 0, popped = 0;

        for (; put < turn; put++) { /* moves the head on */
            dls_ring_put(&ring, (struct dls_ref){put, put + 1});
            assert_true(dls_ring_pop(&ring, &ref));
            assert_int_equal(ref.index, popped++);
        }
        for (; put < turn + 300; put++)
            dls_ring_put(&ring, (struct dls_ref){put, put + 1});
        assert_int_equal(ring.count, 300);
        while (dls_ring_pop(&ring, &ref)) {
            assert_int_equal(ref.index, popped);
            assert_int_equal(ref.generation, popped + 1);
            popped++;
        }
        assert_int_equal(popped, put);
        dls_ring_release(&ring);
    }
}

static void nothing(struct dls_engine *engine, struct dls_task *task)
{
    (void)engine;
    (void)task;
}

static void next_passes_over_void_handles(void **state)
{
    struct dls_engine *engine = dls_engine_new();
    struct dls_ring ring = {0};
    struct dls_task *task[6];

    (void)state;
    for (int i = 0; i < 6; i++) {
        task[i] = dls_task_new(engine, nothing, NULL);
        dls_ring_put(&ring, dls_task_park(engine, task[i], DLS_CAUSE_IDLE));
    }
    dls_task_cancel(engine, task[0]);
    dls_task_free(engine, task[1]);
    assert_true(dls_engine_resume(
        engine, (struct dls_ref){task[3]->index, task[3]->generation}));
    dls_task_cancel(engine, task[5]);
    assert_ptr_equal(dls_ring_next(&ring, engine), task[2]);
    assert_ptr_equal(dls_ring_next(&ring, engine), task[4]);
    assert_null(dls_ring_next(&ring, engine));
    assert_int_equal(ring.count, 0);
    dls_ring_release(&ring);
    dls_engine_free(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_ring_gives_nothing),
        cmocka_unit_test(order_survives_growth_at_any_head),
        cmocka_unit_test(next_passes_over_void_handles),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
