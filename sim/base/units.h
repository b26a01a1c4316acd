/* units.h: "4 MiB", "250 us", "1.2 GB/s", "95 %" to numbers and back.
 *
 * Sizes: B, kB MB GB TB (powers of 1000), KiB MiB GiB TiB (powers of 1024). Times: ns
 * us ms s min h. Rates: a size per s. Frequencies: /s. Fractions: a plain number 0..1
 * or "%". Counts and plain numbers take no unit. Between number and unit stands at most
 * one space. A missing or foreign unit is an error, never a guess. */
#ifndef DLS_SIM_BASE_UNITS_H
#define DLS_SIM_BASE_UNITS_H

#include <stdbool.h>
#include <stddef.h>

enum dls_unit {
    DLS_UNIT_NUMBER,      /* plain number */
    DLS_UNIT_COUNT,       /* plain integer; "1e6" is allowed when whole */
    DLS_UNIT_TIME,        /* seconds */
    DLS_UNIT_BYTES,       /* bytes, whole */
    DLS_UNIT_BYTES_PER_S, /* bytes per second */
    DLS_UNIT_PER_S,       /* per second */
    DLS_UNIT_FRACTION,    /* 0..1 by convention, not checked here */
    DLS_UNIT_S_PER_BYTE   /* seconds per byte: "0.114 s/GB", "1.2 ns/B" */
};

/* Reads all of `text` as one quantity of `unit` into `value` (SI base units as listed).
 * Returns NULL on success, else a static text that completes "expected ...": for
 * example "a time with unit (ns, us, ms, s, min, h)". `value` stays untouched on
 * failure. NaN and infinity are refused. The numeric locale must be "C", as main leaves
 * it. */
const char *dls_units_read(const char *text, enum dls_unit unit, double *value);

/* Writes `value` for people with 3 or 4 significant digits and a fitting unit ("13.8
 * ms", "1.2 GB/s"). Returns `out`. */
char *dls_units_write(double value, enum dls_unit unit, char *out, size_t size);

/* The same with 6 significant digits, for files that people read and edit;
 * dls_units_read takes it. */
char *dls_units_write_fine(double value, enum dls_unit unit, char *out, size_t size);

/* Writes `value` so that dls_units_read gives back the same double (used for files).
 * Returns `out`. */
char *dls_units_write_exact(double value, enum dls_unit unit, char *out, size_t size);

/* "s", "B", "B/s", "1/s", "" ...: the base unit's symbol. */
const char *dls_units_symbol(enum dls_unit unit);

#endif
