/* test_hold.c: the clock of the program hold after 2N + 1,000,000 holds, against
 * published check values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/engine_programs.h"

static void clock_after_a_million_holds(void **state)
{
    static const struct {
        uint32_t tasks;
        dls_time clock;
    } checks[] = {
        {16, 62410033930},  {100, 9987326304},  {1000, 1000533521},
        {10000, 101891112}, {100000, 11979206}, {1000000, 2996106},
    };
    double *a = program_table_a();

    (void)state;
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        struct program_hold hold;
        struct dls_engine *engine = program_hold_start(&hold, a, checks[i].tasks);

        program_run_to(engine, 2 * (int64_t)checks[i].tasks + 1000000);
        assert_int_equal(dls_engine_now(engine), checks[i].clock);
        dls_engine_free(engine);
    }
    dls_mem_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clock_after_a_million_holds),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return failed != 0;
}
