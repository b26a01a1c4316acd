#include "sim/base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

const char *dls_status_name(enum dls_status status)
{
    switch (status) {
#define X(name, exit, text)                                                            \
    case name:                                                                         \
        return #name;
        DLS_STATUS_LIST(X)
#undef X
    }
    dls_bug("status", __FILE__, __LINE__, "%d", (int)status);
}

const char *dls_status_text(enum dls_status status)
{
    switch (status) {
#define X(name, exit, text)                                                            \
    case name:                                                                         \
        return text;
        DLS_STATUS_LIST(X)
#undef X
    }
    dls_bug("status", __FILE__, __LINE__, "%d", (int)status);
}

_Noreturn void dls_bug(const char *condition, const char *file, int line,
                       const char *format, ...)
{
    va_list args;

    fprintf(stderr, "dlsim: bug: '%s' does not hold at %s:%d: ", condition, file, line);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    abort();
}
