#include "sim/base/units.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct spelling {
    const char *text;
    double factor;
};

static const struct spelling times[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3},
                                        {"s", 1},     {"min", 60},  {"h", 3600},
                                        {NULL, 0}};
static const struct spelling sizes[] = {
    {"B", 1},        {"kB", 1e3},     {"MB", 1e6},     {"GB", 1e9},     {"TB", 1e12},
    {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"TiB", 0x1p40}, {NULL, 0}};
static const struct spelling rates[] = {
    {"B/s", 1},        {"kB/s", 1e3},     {"MB/s", 1e6},     {"GB/s", 1e9},
    {"TB/s", 1e12},    {"KiB/s", 0x1p10}, {"MiB/s", 0x1p20}, {"GiB/s", 0x1p30},
    {"TiB/s", 0x1p40}, {NULL, 0}};
static const struct spelling frequencies[] = {{"/s", 1}, {NULL, 0}};
static const struct spelling fractions[] = {{"", 1}, {"%", 0.01}, {NULL, 0}};
static const struct spelling plain[] = {{"", 1}, {NULL, 0}};
static const struct spelling costs[] = {
    {"s/B", 1},     {"ms/B", 1e-3}, {"us/B", 1e-6},  {"ns/B", 1e-9},  {"s/kB", 1e-3},
    {"s/MB", 1e-6}, {"s/GB", 1e-9}, {"ms/MB", 1e-9}, {"us/kB", 1e-9}, {NULL, 0}};

static const struct {
    const struct spelling *spellings;
    const char *symbol;
    const char *expected;
} units[] = {
    [DLS_UNIT_NUMBER] = {plain, "", "a plain number"},
    [DLS_UNIT_COUNT] = {plain, "", "a whole number"},
    [DLS_UNIT_TIME] = {times, "s", "a time with unit (ns, us, ms, s, min, h)"},
    [DLS_UNIT_BYTES] = {sizes, "B",
                        "a size with unit (B, kB, MB, GB, TB, KiB, MiB, GiB, TiB)"},
    [DLS_UNIT_BYTES_PER_S] =
        {rates, "B/s", "a rate with unit (B/s, kB/s, MB/s, GB/s, KiB/s, MiB/s, GiB/s)"},
    [DLS_UNIT_PER_S] = {frequencies, "1/s", "a frequency with unit (/s)"},
    [DLS_UNIT_FRACTION] = {fractions, "", "a fraction (0.95 or 95 %)"},
    [DLS_UNIT_S_PER_BYTE] = {costs, "s/B", "a time per size with unit (s/GB, ns/B)"},
};

/* Length of the decimal number at the start of `text`; 0 when there is none. */
static size_t number_length(const char *text)
{
    const char *at = text;
    size_t digits = 0;

    at += *at == '+' || *at == '-';
    while (isdigit((unsigned char)*at))
        at++, digits++;
    if (*at == '.')
        for (at++; isdigit((unsigned char)*at); at++)
            digits++;
    if (digits == 0)
        return 0;
    if (*at == 'e' || *at == 'E') {
        const char *exponent = at + 1;

        exponent += *exponent == '+' || *exponent == '-';
        if (isdigit((unsigned char)*exponent)) {
            while (isdigit((unsigned char)*exponent))
                exponent++;
            at = exponent;
        }
    }
    return (size_t)(at - text);
}

/* NaN when the number has more characters than anybody writes. */
static double number_of(const char *text, size_t length)
{
    char copy[64];

    if (length >= sizeof copy)
        return NAN;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return strtod(copy, NULL);
}

/* Powers of ten below 1 are no doubles: dividing by their inverse makes "9 ms" the same
 * number as "0.009 s". */
static double scaled(double number, double factor)
{
    return factor < 1 ? number / round(1 / factor) : number * factor;
}

const char *dls_units_read(const char *text, enum dls_unit unit, double *value)
{
    size_t length = number_length(text);
    const char *rest = text + length;
    double number;

    if (length == 0)
        return units[unit].expected;
    if (rest[0] == ' ' && rest[1] != '\0')
        rest++;
    for (const struct spelling *spelling = units[unit].spellings;
         spelling->text != NULL; spelling++) {
        if (strcmp(rest, spelling->text) != 0)
            continue;
        number = scaled(number_of(text, length), spelling->factor);
        if (!isfinite(number))
            return units[unit].expected;
        if (unit == DLS_UNIT_BYTES)
            number = floor(number + 0.5);
        if (unit == DLS_UNIT_COUNT && number != floor(number))
            return units[unit].expected;
        *value = number;
        return NULL;
    }
    return units[unit].expected;
}

/* The largest spelling that leaves a number of at least 1 (decimal sizes only: people
 * read data sheets). */
static const struct spelling *fitting(double value, enum dls_unit unit)
{
    const struct spelling *best = units[unit].spellings;

    for (const struct spelling *spelling = best; spelling->text != NULL; spelling++)
        if (strstr(spelling->text, "iB") == NULL &&
            fabs(value) >= spelling->factor * 0.9995 && spelling->factor > best->factor)
            best = spelling;
    return best;
}

static char *write_fitting(double value, enum dls_unit unit, int digits, char *out,
                           size_t size)
{
    const struct spelling *spelling;
    double number;

    if (isnan(value)) {
        snprintf(out, size, "-");
        return out;
    }
    if (unit == DLS_UNIT_COUNT) {
        snprintf(out, size, "%.0f", value);
        return out;
    }
    if (unit == DLS_UNIT_S_PER_BYTE) {
        snprintf(out, size, "%.*g s/GB", digits, value * 1e9);
        return out;
    }
    if (value == 0) {
        snprintf(out, size, "0%s%s", *units[unit].symbol ? " " : "",
                 unit == DLS_UNIT_PER_S ? "/s" : units[unit].symbol);
        return out;
    }
    spelling = fitting(value, unit);
    number = value / spelling->factor;
    if (fabs(number) >= pow(10, digits - 1))
        snprintf(out, size, "%.0f", number);
    else
        snprintf(out, size, "%.*g", digits, number);
    snprintf(out + strlen(out), size - strlen(out), "%s%s", *spelling->text ? " " : "",
             spelling->text);
    return out;
}

char *dls_units_write(double value, enum dls_unit unit, char *out, size_t size)
{
    if (unit == DLS_UNIT_FRACTION && !isnan(value))
        snprintf(out, size, "%.3g %%", value * 100);
    else
        write_fitting(value, unit, 4, out, size);
    return out;
}

char *dls_units_write_fine(double value, enum dls_unit unit, char *out, size_t size)
{
    return write_fitting(value, unit, 6, out, size);
}

char *dls_units_write_exact(double value, enum dls_unit unit, char *out, size_t size)
{
    const char *symbol = unit == DLS_UNIT_PER_S ? "/s" : units[unit].symbol;

    snprintf(out, size, "%.17g", value);
    for (int digits = 6; digits < 17; digits++) {
        char shorter[40];

        snprintf(shorter, sizeof shorter, "%.*g", digits, value);
        if (strtod(shorter, NULL) == value) {
            snprintf(out, size, "%s", shorter);
            break;
        }
    }
    snprintf(out + strlen(out), size - strlen(out), "%s%s", *symbol ? " " : "", symbol);
    return out;
}

const char *dls_units_symbol(enum dls_unit unit)
{
    return units[unit].symbol;
}
