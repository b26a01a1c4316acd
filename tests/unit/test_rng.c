/* test_rng.c: known vectors, independence of order, the GSL interface, and permutations
 * as bijections. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>

#include "sim/base/mem.h"
#include "sim/engine/rng.h"
#include "sim/engine/rng_gsl.h"

/* splitmix64 as published (Vigna, prng.di.unimi.it), seeds 0 and 1234567. */
static void words_are_splitmix64(void **state)
{
    static const uint64_t of_0[] = {0xe220a8397b1dcdafu, 0x6e789e6aa1b965f4u,
                                    0x06c45d188009454fu, 0xf88bb8a8724c81ecu};
    static const uint64_t of_1234567[] = {6457827717110365317u, 3203168211198807973u,
                                          9817491932198370423u, 4593380528125082431u,
                                          16408922859458223821u};
    struct dls_rng rng = dls_rng_of(0);

    (void)state;
    for (size_t i = 0; i < 4; i++)
        assert_true(dls_rng_word(&rng) == of_0[i]);
    rng = dls_rng_of(1234567);
    for (size_t i = 0; i < 5; i++)
        assert_true(dls_rng_word(&rng) == of_1234567[i]);
}

static void uniform_takes_the_top_53_bits(void **state)
{
    struct dls_rng rng = dls_rng_of(0);

    (void)state;
    assert_true(dls_rng_uniform(&rng) ==
                (double)(0xe220a8397b1dcdafu >> 11) / 9007199254740992.0);
    for (int i = 0; i < 100000; i++) {
        double u = dls_rng_uniform(&rng);

        assert_true(u >= 0 && u < 1);
    }
}

/* Chi-square of 10 cells, 1e5 draws, against its 99.99 % quantile. */
static void below_is_uniform(void **state)
{
    struct dls_rng rng = dls_rng_of(7);
    double cells[10] = {0}, chi2 = 0;

    (void)state;
    for (int i = 0; i < 100000; i++) {
        uint64_t word = dls_rng_below(&rng, 10);

        assert_true(word < 10);
        cells[word]++;
    }
    for (int i = 0; i < 10; i++)
        chi2 += (cells[i] - 1e4) * (cells[i] - 1e4) / 1e4;
    assert_true(chi2 < gsl_cdf_chisq_Pinv(0.9999, 9));
    assert_int_equal(dls_rng_below(&rng, 1), 0);
}

static void keys_depend_on_every_part_and_nothing_else(void **state)
{
    uint64_t keys[8];

    (void)state;
    keys[0] = dls_rng_key(1, 0, "host0.storage", "latency");
    keys[1] = dls_rng_key(2, 0, "host0.storage", "latency");
    keys[2] = dls_rng_key(1, 1, "host0.storage", "latency");
    keys[3] = dls_rng_key(1, 0, "host1.storage", "latency");
    keys[4] = dls_rng_key(1, 0, "host0.storage", "jitter");
    keys[5] = dls_rng_key(0, 1, "host0.storage", "latency");
    keys[6] = dls_rng_key(1, 0, "latency", "host0.storage");
    keys[7] = dls_rng_key(0, 0, "host0.storage", "latency");
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < i; j++)
            assert_true(keys[i] != keys[j]);
    }
    assert_true(keys[0] == dls_rng_key(1, 0, "host0.storage", "latency"));
}

/* First words of neighbouring (sample, visit, op) do not collide and share no more bits
 * than chance allows. */
static void neighbouring_draws_are_unrelated(void **state)
{
    uint64_t key = dls_rng_key(1, 0, "rank0.transform", "draws");
    double agreement = 0;
    const int pairs = 20000;

    (void)state;
    for (int i = 0; i < pairs; i++) {
        struct dls_rng one = dls_rng_of(dls_rng_at(key, (uint64_t)i, 0, 3));
        struct dls_rng two = dls_rng_of(dls_rng_at(key, (uint64_t)i + 1, 0, 3));
        struct dls_rng three = dls_rng_of(dls_rng_at(key, (uint64_t)i, 1, 3));
        uint64_t word = dls_rng_word(&one);

        assert_true(word != dls_rng_word(&three));
        for (uint64_t same = ~(word ^ dls_rng_word(&two)); same; same &= same - 1)
            agreement++;
    }
    /* 64 fair coins a pair: mean 32, deviation 4. */
    assert_true(fabs(agreement / pairs - 32) < 4 * 4 / sqrt(pairs));
}

static void gsl_draws_from_the_same_stream(void **state)
{
    struct dls_rng rng = dls_rng_of(1234567);
    gsl_rng source = dls_rng_gsl(&rng);
    gsl_rng *own = gsl_rng_alloc(&dls_rng_type);

    (void)state;
    assert_true(gsl_rng_get(&source) == 6457827717110365317u);
    assert_true(dls_rng_word(&rng) == 3203168211198807973u);
    assert_true(gsl_rng_uniform(&source) ==
                (double)(9817491932198370423u >> 11) * 0x1p-53);
    gsl_rng_set(own, 0);
    assert_true(gsl_rng_get(own) == 0xe220a8397b1dcdafu);
    assert_int_equal(gsl_rng_size(own), 8);
    assert_true(gsl_rng_max(own) == UINT64_MAX && gsl_rng_min(own) == 0);
    for (int i = 0; i < 1000; i++)
        assert_true(gsl_rng_uniform_int(own, 6) < 6);
    gsl_rng_free(own);
}

/* ------------------------------------------------------------ permutations */

static void assert_bijection(uint64_t key, uint64_t count, unsigned char *seen)
{
    memset(seen, 0, count);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t element = dls_rng_permute(key, i, count);

        assert_true(element < count && !seen[element]);
        seen[element] = 1;
    }
}

static void permute_is_a_bijection_for_every_count(void **state)
{
    unsigned char *seen = dls_mem_new(1000003, 1);

    (void)state;
    for (uint64_t count = 1; count <= 1100; count++) {
        assert_bijection(count, count, seen);
        assert_bijection(UINT64_MAX - count, count, seen);
    }
    for (uint64_t bits = 11; bits <= 17; bits++) {
        for (uint64_t count = ((uint64_t)1 << bits) - 1;
             count <= ((uint64_t)1 << bits) + 1; count++)
            assert_bijection(count * 3, count, seen);
    }
    assert_bijection(1, 1000003, seen);
    dls_mem_free(seen);
}

/* Over many keys every element is equally likely at a position: chi-square per
 * position, and for pairs of positions. */
static void check_uniformity(uint32_t count)
{
    enum { KEYS = 40000 };
    double *cells = dls_mem_new((size_t)count * count, sizeof *cells);
    double *pairs = dls_mem_new((size_t)count * count, sizeof *pairs);
    double chi2 = 0, chi2_pairs = 0, expected = (double)KEYS / count;
    double expected_pair = (double)KEYS / (count * (count - 1.0));

    for (uint64_t key = 0; key < KEYS; key++) {
        uint64_t of_0 = dls_rng_permute(dls_hash_mix(key + 1), 0, count);
        uint64_t of_1 = dls_rng_permute(dls_hash_mix(key + 1), 1, count);

        for (uint64_t i = 0; i < count; i++)
            cells[i * count + dls_rng_permute(dls_hash_mix(key + 1), i, count)]++;
        pairs[of_0 * count + of_1]++;
    }
    for (uint32_t i = 0; i < count * count; i++) {
        chi2 += (cells[i] - expected) * (cells[i] - expected) / expected;
        if (i / count != i % count)
            chi2_pairs += (pairs[i] - expected_pair) * (pairs[i] - expected_pair) /
                          expected_pair;
    }
    assert_true(chi2 < gsl_cdf_chisq_Pinv(0.99999, (count - 1.0) * (count - 1.0)));
    assert_true(chi2_pairs < gsl_cdf_chisq_Pinv(0.99999, count * (count - 1.0) - 1));
    dls_mem_free(cells);
    dls_mem_free(pairs);
}

static void permutations_are_uniform_over_keys(void **state)
{
    static const uint32_t counts[] = {2, 3, 5, 8, 13, 16, 17, 30};

    (void)state;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        check_uniformity(counts[i]);
}

/* Neighbouring elements do not stay neighbours: the mean distance of a random
 * permutation of n is (n + 1) / 3. */
static void permutation_moves_neighbours_apart(void **state)
{
    const uint64_t count = 100000;
    double sum = 0;

    (void)state;
    for (uint64_t i = 0; i + 1 < count; i++) {
        double here = (double)dls_rng_permute(99, i, count);
        double there = (double)dls_rng_permute(99, i + 1, count);

        sum += fabs(here - there);
    }
    /* Deviation of one distance: n / sqrt(18). */
    assert_true(fabs(sum / (double)(count - 1) - (double)(count + 1) / 3) <
                5 * (double)count / sqrt(18.0 * (double)count));
}

static void permute_takes_the_largest_counts(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 1000; i++) {
        assert_true(dls_rng_permute(5, i, UINT64_MAX) < UINT64_MAX);
        assert_true(dls_rng_permute(5, i, (uint64_t)1 << 62) < (uint64_t)1 << 62);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_splitmix64),
        cmocka_unit_test(uniform_takes_the_top_53_bits),
        cmocka_unit_test(below_is_uniform),
        cmocka_unit_test(keys_depend_on_every_part_and_nothing_else),
        cmocka_unit_test(neighbouring_draws_are_unrelated),
        cmocka_unit_test(gsl_draws_from_the_same_stream),
        cmocka_unit_test(permute_is_a_bijection_for_every_count),
        cmocka_unit_test(permutations_are_uniform_over_keys),
        cmocka_unit_test(permutation_moves_neighbours_apart),
        cmocka_unit_test(permute_takes_the_largest_counts),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
