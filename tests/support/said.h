/* said.h: what a dls_diag holds as short lines, for tests that pin messages; notes and
 * messages without a place too.
 *
 * Header only. Beside scratch.h, whose scratch_said wants a file in every message. */
#ifndef DLS_TESTS_SUPPORT_SAID_H
#define DLS_TESTS_SUPPORT_SAID_H

#include "tests/support/scratch.h"

/* Checks that the messages so far are exactly `expected`, one a line:
 * "file:line:column: text" with the file's name alone and without unknown parts, "note:
 * " before the text of notes, no place for messages that have none. Names of the
 * scratch folder in texts become "DIR". Then starts a new dls_diag. */
static inline void check_said(struct scratch *scratch, const char *expected)
{
    struct dls_str said;

    dls_str_init(&said);
    for (size_t i = 0; i < dls_diag_count(scratch->diag); i++) {
        const struct dls_message *message = dls_diag_get(scratch->diag, i);
        const struct dls_place *place = &message->place;
        const char *file = place->file, *text = message->text, *folder;

        if (file != NULL && strncmp(file, "--", 2) != 0 && strrchr(file, '/') != NULL)
            file = strrchr(file, '/') + 1;
        if (file != NULL)
            dls_str_add(&said, file);
        if (place->line > 0)
            dls_str_addf(&said, ":%ld", place->line);
        if (place->column > 0)
            dls_str_addf(&said, ":%ld", place->column);
        dls_str_addf(&said, "%s%s", file != NULL ? ": " : "",
                     message->severity == DLS_NOTE      ? "note: "
                     : message->severity == DLS_WARNING ? "warning: "
                                                        : "");
        while ((folder = strstr(text, scratch->folder)) != NULL) {
            dls_str_add_n(&said, text, (size_t)(folder - text));
            dls_str_add(&said, "DIR");
            text = folder + strlen(scratch->folder);
        }
        dls_str_addf(&said, "%s\n", text);
    }
    assert_string_equal(said.data, expected);
    dls_str_release(&said);
    dls_diag_free(scratch->diag);
    scratch->diag = dls_diag_new();
}

#endif
