/* test_mem.c: zeroed memory, arenas, and what happens when memory is gone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "sim/base/mem.h"
#include "sim/base/vec.h"

static void new_memory_is_zero(void **state)
{
    unsigned char *block = dls_mem_new(1000, 3);

    (void)state;
    for (int i = 0; i < 3000; i++)
        assert_int_equal(block[i], 0);
    dls_mem_free(block);
    block = dls_mem_new(0, 8);
    assert_non_null(block);
    dls_mem_free(block);
    dls_mem_free(NULL);
}

static void resize_keeps_the_bytes(void **state)
{
    char *block = dls_mem_resize(NULL, 4, 1);

    (void)state;
    memcpy(block, "abc", 4);
    block = dls_mem_resize(block, 100000, 1);
    assert_string_equal(block, "abc");
    block = dls_mem_resize(block, 2, 1);
    assert_memory_equal(block, "ab", 2);
    dls_mem_free(block);
}

static void texts_are_copies(void **state)
{
    char source[] = "trace";
    char *whole = dls_mem_text(source), *part = dls_mem_text_n(source, 2);

    (void)state;
    source[0] = 'X';
    assert_string_equal(whole, "trace");
    assert_string_equal(part, "tr");
    dls_mem_free(whole);
    dls_mem_free(part);
}

static jmp_buf gone;
static size_t asked_for;

static void note_failure(size_t bytes)
{
    asked_for = bytes;
    longjmp(gone, 1);
}

/* More than any address space holds, yet no overflow of count x size. */
static void gone_memory_goes_to_the_handler(void **state)
{
    const size_t count = SIZE_MAX / 16;

    (void)state;
    dls_mem_on_failure(note_failure);
    if (setjmp(gone) == 0) {
        dls_mem_free(dls_mem_new(count, 4));
        fail_msg("%s", "memory without end");
    }
    dls_mem_on_failure(NULL);
    assert_true(asked_for == count * 4);
}

static void arena_objects_are_zero_aligned_and_apart(void **state)
{
    struct dls_arena *arena = dls_arena_new();
    unsigned char *object[400];
    size_t bytes[400];

    (void)state;
    for (size_t i = 0; i < 400; i++) {
        bytes[i] = i % 50 == 49 ? 30000 + i * 300 : 1 + i * 7 % 200;
        object[i] = dls_arena_get(arena, bytes[i], 1);
        assert_int_equal((uintptr_t)object[i] % (bytes[i] >= 64 ? 64 : 16), 0);
        for (size_t k = 0; k < bytes[i]; k++)
            assert_int_equal(object[i][k], 0);
        memset(object[i], (int)(i % 251) + 1, bytes[i]);
    }
    for (size_t i = 0; i < 400; i++)
        for (size_t k = 0; k < bytes[i]; k++)
            assert_int_equal(object[i][k], i % 251 + 1);
    assert_true(dls_arena_bytes(arena) >= 400);
    dls_arena_free(arena);
    dls_arena_free(NULL);
}

static void empty_objects_and_texts_in_an_arena(void **state)
{
    struct dls_arena *arena = dls_arena_new();

    (void)state;
    assert_int_equal(dls_arena_bytes(arena), 0);
    assert_non_null(dls_arena_get(arena, 0, 8));
    assert_string_equal(dls_arena_text(arena, ""), "");
    assert_string_equal(dls_arena_text(arena, "loader"), "loader");
    dls_arena_free(arena);
}

/* Small objects share chunks: a thousand of 16 bytes take little more than their
 * sum. */
static void arena_overhead_is_small(void **state)
{
    struct dls_arena *arena = dls_arena_new();

    (void)state;
    for (int i = 0; i < 100000; i++)
        dls_arena_get(arena, 1, 16);
    assert_in_range(dls_arena_bytes(arena), 1600000, 1750000);
    dls_arena_free(arena);
}

static void vectors_grow(void **state)
{
    DLS_VEC(int) numbers = {0};

    (void)state;
    for (int i = 0; i < 1000; i++)
        DLS_VEC_ADD(&numbers, i * i);
    assert_int_equal(numbers.count, 1000);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(numbers.data[i], i * i);
    DLS_VEC_RELEASE(&numbers);
    assert_null(numbers.data);
    assert_int_equal(dls_vec_capacity(0, 1), 8);
    assert_int_equal(dls_vec_capacity(8, 9), 16);
    assert_int_equal(dls_vec_capacity(8, 100), 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_memory_is_zero),
        cmocka_unit_test(resize_keeps_the_bytes),
        cmocka_unit_test(texts_are_copies),
        cmocka_unit_test(gone_memory_goes_to_the_handler),
        cmocka_unit_test(arena_objects_are_zero_aligned_and_apart),
        cmocka_unit_test(empty_objects_and_texts_in_an_arena),
        cmocka_unit_test(arena_overhead_is_small),
        cmocka_unit_test(vectors_grow),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
