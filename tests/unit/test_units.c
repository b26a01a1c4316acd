/* test_units.c: spellings of quantities, what is refused, and that written numbers read
 * back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/units.h"
#include "tests/support/near.h"

static const struct {
    const char *text;
    enum dls_unit unit;
    double value;
} readable[] = {
    {"0", DLS_UNIT_NUMBER, 0},
    {"-1.5e-3", DLS_UNIT_NUMBER, -0.0015},
    {"+.5", DLS_UNIT_NUMBER, 0.5},
    {"7.", DLS_UNIT_NUMBER, 7},
    {"1e6", DLS_UNIT_COUNT, 1000000},
    {"-3", DLS_UNIT_COUNT, -3},
    {"250 us", DLS_UNIT_TIME, 0.00025},
    {"9ms", DLS_UNIT_TIME, 0.009},
    {"3 ns", DLS_UNIT_TIME, 3e-9},
    {"1.9 ms", DLS_UNIT_TIME, 0.0019},
    {"2 min", DLS_UNIT_TIME, 120},
    {"0.5 h", DLS_UNIT_TIME, 1800},
    {"1e3 s", DLS_UNIT_TIME, 1000},
    {"4 MiB", DLS_UNIT_BYTES, 4194304},
    {"4 MB", DLS_UNIT_BYTES, 4000000},
    {"128KiB", DLS_UNIT_BYTES, 131072},
    {"1 TiB", DLS_UNIT_BYTES, 1099511627776.0},
    {"0.0014 kB", DLS_UNIT_BYTES, 1},
    {"1.2 GB/s", DLS_UNIT_BYTES_PER_S, 1200000000},
    {"1 GiB/s", DLS_UNIT_BYTES_PER_S, 1073741824},
    {"500 /s", DLS_UNIT_PER_S, 500},
    {"500/s", DLS_UNIT_PER_S, 500},
    {"0.95", DLS_UNIT_FRACTION, 0.95},
    {"95 %", DLS_UNIT_FRACTION, 0.95},
    {"7%", DLS_UNIT_FRACTION, 0.07},
    {"0.125 s/GB", DLS_UNIT_S_PER_BYTE, 0.125e-9},
    {"1.2 ns/B", DLS_UNIT_S_PER_BYTE, 1.2e-9},
    {"3 s/MB", DLS_UNIT_S_PER_BYTE, 3e-6},
};

static void quantities_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof readable / sizeof *readable; i++) {
        double value = -1;
        const char *expected = dls_units_read(readable[i].text, readable[i].unit,
                                              &value);

        if (expected != NULL)
            fail_msg("'%s': expected %s", readable[i].text, expected);
        if (value != readable[i].value)
            fail_msg("'%s' is %.17g, expected %.17g", readable[i].text, value,
                     readable[i].value);
    }
}

static const struct {
    const char *text;
    enum dls_unit unit;
} refused[] = {
    {"", DLS_UNIT_NUMBER},     {"x", DLS_UNIT_NUMBER},
    {"nan", DLS_UNIT_NUMBER},  {"inf", DLS_UNIT_NUMBER},
    {"0x10", DLS_UNIT_NUMBER}, {"1e999", DLS_UNIT_NUMBER},
    {"1 2", DLS_UNIT_NUMBER},  {" 1", DLS_UNIT_NUMBER},
    {"1 ", DLS_UNIT_NUMBER},   {"1,5", DLS_UNIT_NUMBER},
    {"--1", DLS_UNIT_NUMBER},  {".", DLS_UNIT_NUMBER},
    {"1e", DLS_UNIT_NUMBER},   {"1 s", DLS_UNIT_NUMBER},
    {"1.5", DLS_UNIT_COUNT},   {"250", DLS_UNIT_TIME},
    {"250 u", DLS_UNIT_TIME},  {"250  us", DLS_UNIT_TIME},
    {"250 US", DLS_UNIT_TIME}, {"250 us ", DLS_UNIT_TIME},
    {"1 MB", DLS_UNIT_TIME},   {"4", DLS_UNIT_BYTES},
    {"4 mib", DLS_UNIT_BYTES}, {"4 MB/s", DLS_UNIT_BYTES},
    {"4 KB", DLS_UNIT_BYTES},  {"4 MB", DLS_UNIT_BYTES_PER_S},
    {"5", DLS_UNIT_PER_S},     {"5 %", DLS_UNIT_NUMBER},
    {"us", DLS_UNIT_TIME},     {"1e400 ns", DLS_UNIT_TIME},
};

static void anything_else_is_refused_and_leaves_the_value(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        double value = 42;
        const char *expected = dls_units_read(refused[i].text, refused[i].unit, &value);

        if (expected == NULL)
            fail_msg("'%s' was read as %.17g", refused[i].text, value);
        assert_true(value == 42);
        assert_true(strlen(expected) > 5);
    }
}

/* A number of thousands of digits is an error, not an overrun. */
static void endless_digits_are_refused(void **state)
{
    char text[5000];
    double value = 42;

    (void)state;
    memset(text, '1', sizeof text);
    text[sizeof text - 1] = '\0';
    assert_non_null(dls_units_read(text, DLS_UNIT_NUMBER, &value));
    assert_true(value == 42);
}

static void message_names_the_units(void **state)
{
    double value;

    (void)state;
    assert_string_equal(dls_units_read("5", DLS_UNIT_TIME, &value),
                        "a time with unit (ns, us, ms, s, min, h)");
}

static const struct {
    double value;
    enum dls_unit unit;
    const char *text;
} written[] = {
    {0.0138, DLS_UNIT_TIME, "13.8 ms"},
    {0, DLS_UNIT_TIME, "0 s"},
    {1, DLS_UNIT_TIME, "1 s"},
    {7200, DLS_UNIT_TIME, "2 h"},
    {2.5e-7, DLS_UNIT_TIME, "250 ns"},
    {1.2e9, DLS_UNIT_BYTES_PER_S, "1.2 GB/s"},
    {4000000, DLS_UNIT_BYTES, "4 MB"},
    {999, DLS_UNIT_BYTES, "999 B"},
    {1234567, DLS_UNIT_COUNT, "1234567"},
    {0.953, DLS_UNIT_FRACTION, "95.3 %"},
    {0.114e-9, DLS_UNIT_S_PER_BYTE, "0.114 s/GB"},
    {0, DLS_UNIT_PER_S, "0 /s"},
    {12.5, DLS_UNIT_PER_S, "12.5 /s"},
    {NAN, DLS_UNIT_TIME, "-"},
};

static void numbers_for_people(void **state)
{
    char text[64];

    (void)state;
    for (size_t i = 0; i < sizeof written / sizeof *written; i++)
        assert_string_equal(
            dls_units_write(written[i].value, written[i].unit, text, sizeof text),
            written[i].text);
}

/* Random doubles of all magnitudes: what is written reads back as the same bits. */
static void exact_numbers_read_back(void **state)
{
    static const enum dls_unit units[] = {DLS_UNIT_NUMBER,      DLS_UNIT_TIME,
                                          DLS_UNIT_BYTES_PER_S, DLS_UNIT_PER_S,
                                          DLS_UNIT_FRACTION,    DLS_UNIT_S_PER_BYTE};
    uint64_t seed = 20240607;

    (void)state;
    print_message("# seed %llu\n", (unsigned long long)seed);
    for (int i = 0; i < 20000; i++) {
        double number, again = -1;
        char text[64];

        seed = seed * 6364136223846793005u + 1442695040888963407u;
        number = ldexp((double)(seed >> 11), (int)(seed >> 3 & 127) - 116);
        dls_units_write_exact(number, units[i % 6], text, sizeof text);
        assert_null(dls_units_read(text, units[i % 6], &again));
        near_exact(again, number);
    }
}

static void exact_numbers_are_short(void **state)
{
    char text[64];

    (void)state;
    assert_string_equal(dls_units_write_exact(0.1, DLS_UNIT_TIME, text, sizeof text),
                        "0.1 s");
    assert_string_equal(dls_units_write_exact(5, DLS_UNIT_PER_S, text, sizeof text),
                        "5 /s");
    assert_string_equal(dls_units_write_exact(1e9, DLS_UNIT_BYTES, text, sizeof text),
                        "1e+09 B");
    assert_string_equal(dls_units_symbol(DLS_UNIT_BYTES_PER_S), "B/s");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantities_read),
        cmocka_unit_test(anything_else_is_refused_and_leaves_the_value),
        cmocka_unit_test(endless_digits_are_refused),
        cmocka_unit_test(message_names_the_units),
        cmocka_unit_test(numbers_for_people),
        cmocka_unit_test(exact_numbers_read_back),
        cmocka_unit_test(exact_numbers_are_short),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
