/* input.h: the bytes of a file, gzip'd or not, front to back.
 *
 * Gzip is told by its first two bytes, not by the name; several gzip members in a row
 * are one text. The file is read once, so pipes work, in memory that does not grow with
 * it. A hash of the bytes as stored is kept on the way. */
#ifndef DLS_TRACES_INPUT_H
#define DLS_TRACES_INPUT_H

#include <stddef.h>
#include <stdint.h>

#include "sim/base/diag.h"
#include "sim/base/status.h"

struct dls_input;

/* DLS_EIO with a message when the file cannot be opened or is a folder. `diag` must
 * live as long as the input. */
enum dls_status dls_input_open(const char *path, struct dls_diag *diag,
                               struct dls_input **input);
void dls_input_close(struct dls_input *input);

/* Fills `out` with up to `size` bytes; `count` 0 means the end. Damaged or cut-off gzip
 * data is DLS_EINPUT, a failing read DLS_EIO, each with a message. */
enum dls_status dls_input_read(struct dls_input *input, char *out, size_t size,
                               size_t *count);

/* Size and hash of the file as stored, after the end was reached. The hash folds
 * dls_hash_bytes of consecutive blocks of 64 KiB; it does not depend on the sizes of
 * the reads. */
int64_t dls_input_bytes(const struct dls_input *input);
uint64_t dls_input_hash(const struct dls_input *input);

#endif
