#include "sim/cmd/output.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* 0 or the errno value. */
static int write_all(int descriptor, const char *text, size_t bytes)
{
    while (bytes > 0) {
        ssize_t written = write(descriptor, text, bytes);

        if (written < 0 && errno != EINTR)
            return errno;
        if (written > 0) {
            text += written;
            bytes -= (size_t)written;
        }
    }
    return 0;
}

enum dls_status dls_output_write(const char *path, const struct dls_str *text,
                                 struct dls_diag *diag)
{
    int error;

    if (path == NULL || strcmp(path, "-") == 0) {
        path = "standard output";
        error = write_all(STDOUT_FILENO, text->data, text->length);
    } else {
        error = dls_str_write_file(text, path);
    }
    if (error == 0)
        return DLS_OK;
    dls_diag_error(diag, NULL, "cannot write '%s': %s", path, strerror(error));
    return DLS_EIO;
}

void dls_output_message(const char *text, size_t bytes)
{
    (void)write_all(STDERR_FILENO, text, bytes);
}
