/* test_hash.c: published outputs of splitmix64, and that hashes of bytes are what files
 * already hold. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/base/hash.h"

/* splitmix64 is the finaliser over a counter that steps by the golden ratio; outputs
 * for seed 1234567 as published with its reference implementation (Vigna,
 * prng.di.unimi.it) and on Rosetta Code. */
static void mix_gives_the_published_splitmix64(void **state)
{
    static const uint64_t published[] = {6457827717110365317u, 3203168211198807973u,
                                         9817491932198370423u, 4593380528125082431u,
                                         16408922859458223821u};
    uint64_t counter = 1234567;

    (void)state;
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        counter += 0x9e3779b97f4a7c15u;
        assert_true(dls_hash_mix(counter) == published[i]);
    }
}

/* The finaliser maps 0 to 0, so a zero byte loop must not be an all-zero state. */
static void mix_of_zero_is_zero(void **state)
{
    (void)state;
    assert_true(dls_hash_mix(0) == 0);
}

/* FNV-1a 64 as published (Fowler, Noll, Vo): "" 0xcbf29ce484222325, "a"
 * 0xaf63dc4c8601ec8c, "foobar" 0x85944171f73967e8. */
static void bytes_are_fnv_1a_finished(void **state)
{
    (void)state;
    assert_true(dls_hash_text("") == dls_hash_mix(0xcbf29ce484222325u));
    assert_true(dls_hash_text("a") == dls_hash_mix(0xaf63dc4c8601ec8cu));
    assert_true(dls_hash_text("foobar") == dls_hash_mix(0x85944171f73967e8u));
    assert_true(dls_hash_bytes("foobar", 6) == dls_hash_text("foobar"));
    assert_true(dls_hash_bytes("foobar", 5) == dls_hash_text("fooba"));
}

static void bytes_past_127_are_unsigned(void **state)
{
    const unsigned char byte = 0xff;

    (void)state;
    assert_true(dls_hash_bytes(&byte, 1) ==
                dls_hash_mix((0xcbf29ce484222325u ^ 0xffu) * 0x100000001b3u));
}

static void order_of_words_matters(void **state)
{
    (void)state;
    assert_true(dls_hash_add(dls_hash_add(7, 1), 2) !=
                dls_hash_add(dls_hash_add(7, 2), 1));
    assert_true(dls_hash_add(0, 0) != 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mix_gives_the_published_splitmix64),
        cmocka_unit_test(mix_of_zero_is_zero),
        cmocka_unit_test(bytes_are_fnv_1a_finished),
        cmocka_unit_test(bytes_past_127_are_unsigned),
        cmocka_unit_test(order_of_words_matters),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
