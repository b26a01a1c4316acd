/* status.h: what a function that can fail returns.
 *
 * One list gives names, texts and exit statuses; sim/cmd alone turns a status into a
 * process exit. Three paths never mix: the user's input is wrong (DLS_EINPUT, messages
 * in a dls_diag), the machine failed (DLS_EIO), we are wrong (dls_bug, never a
 * status). */
#ifndef DLS_SIM_BASE_STATUS_H
#define DLS_SIM_BASE_STATUS_H

/*          name           exit  text */
#define DLS_STATUS_LIST(X)                                                             \
    X(DLS_OK, 0, "done")                                                               \
    X(DLS_EIO, 1, "the machine failed")                                                \
    X(DLS_EUSAGE, 2, "wrong use of the command line")                                  \
    X(DLS_EINPUT, 3, "input rejected")                                                 \
    X(DLS_ENO, 4, "ran, but the answer is no")                                         \
    X(DLS_EDEADLOCK, 5, "the simulated system deadlocked")

enum dls_status {
#define X(name, exit, text) name = exit,
    DLS_STATUS_LIST(X)
#undef X
};

/* Returns the enumerator's own name, "DLS_OK" for DLS_OK; static storage. */
const char *dls_status_name(enum dls_status status);

/* Returns the text of the table above; static storage. */
const char *dls_status_text(enum dls_status status);

/* Reports a broken invariant of dlsim itself on stderr and aborts: condition, place,
 * and a printf-style explanation (may be ""). This is the only function below sim/cmd
 * that prints. */
_Noreturn void dls_bug(const char *condition, const char *file, int line,
                       const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Precondition of an exported function: stays on in release builds. */
#define DLS_REQUIRE(condition, ...)                                                    \
    ((condition) ? (void)0 : dls_bug(#condition, __FILE__, __LINE__, __VA_ARGS__))

/* Inner invariant: checked only in debug builds (make DEBUG=1). */
#ifdef DLS_DEBUG
#define DLS_ASSERT(condition) DLS_REQUIRE(condition, "%s", "")
#else
#define DLS_ASSERT(condition) ((void)sizeof(condition))
#endif

#endif
