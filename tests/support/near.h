/* near.h: comparison of doubles for tests; cmocka's own compares as float.
 *
 * A failure prints both numbers with 17 digits. NaN is near nothing; use near_nan. For
 * random tests print the seed with print_message before the comparison. Header only. */
#ifndef DLS_TESTS_SUPPORT_NEAR_H
#define DLS_TESTS_SUPPORT_NEAR_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static inline void near_fail(double found, const char *what, double low, double high,
                             const char *file, int line)
{
    print_error("%s is %.17g, expected %.17g .. %.17g\n", what, found, low, high);
    _fail(file, line);
}

static inline void near_check(double found, const char *what, double low, double high,
                              const char *file, int line)
{
    if (!(found >= low && found <= high))
        near_fail(found, what, low, high, file, line);
}

/* |found - expected| <= fraction x |expected| */
#define near_relative(found, expected, fraction)                                       \
    near_check((found), #found, (expected)-fabs(expected) * (fraction),                \
               (expected) + fabs(expected) * (fraction), __FILE__, __LINE__)

/* |found - expected| <= distance */
#define near_absolute(found, expected, distance)                                       \
    near_check((found), #found, (expected) - (distance), (expected) + (distance),      \
               __FILE__, __LINE__)

#define near_within(found, low, high)                                                  \
    near_check((found), #found, (low), (high), __FILE__, __LINE__)

/* The same number, to the last bit. */
#define near_exact(found, expected)                                                    \
    near_check((found), #found, (expected), (expected), __FILE__, __LINE__)

static inline void near_check_nan(double found, const char *what, const char *file,
                                  int line)
{
    if (!isnan(found)) {
        print_error("%s is %.17g, expected nan\n", what, found);
        _fail(file, line);
    }
}

#define near_nan(found) near_check_nan((found), #found, __FILE__, __LINE__)

#endif
