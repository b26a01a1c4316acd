/* input.c: the bytes of a file through zlib. See input.h. */
#include "traces/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "sim/base/hash.h"
#include "sim/base/mem.h"

enum { BLOCK_BYTES = 65536 };

struct dls_input {
    char *path;
    struct dls_diag *diag;
    int file;
    z_stream
        stream; /* next_in, avail_in: what is left of `block`, also for plain files */
    int64_t bytes; /* of all blocks so far */
    uint64_t hash;
    bool started; /* the first block was read, `gzip` is known */
    bool gzip;
    bool member; /* inside a gzip member */
    bool ended;  /* no block follows */
    unsigned char block[BLOCK_BYTES];
};

enum dls_status dls_input_open(const char *path, struct dls_diag *diag,
                               struct dls_input **input)
{
    struct dls_place place = {.file = path};
    struct stat state;
    int file = open(path, O_RDONLY);
    int cause = 0;

    if (file < 0 || fstat(file, &state) != 0)
        cause = errno;
    else if (S_ISDIR(state.st_mode))
        cause = EISDIR;
    if (cause != 0) {
        dls_diag_error(diag, &place, "cannot read: %s", strerror(cause));
        if (file >= 0)
            close(file);
        return DLS_EIO;
    }
    *input = dls_mem_new(1, sizeof **input);
    (*input)->path = dls_mem_text(path);
    (*input)->diag = diag;
    (*input)->file = file;
    return DLS_OK;
}

void dls_input_close(struct dls_input *input)
{
    if (input == NULL)
        return;
    if (input->gzip)
        inflateEnd(&input->stream);
    close(input->file);
    dls_mem_free(input->path);
    dls_mem_free(input);
}

/* Fills the block as far as the file goes: blocks are whole except the last, so that
 * the hash is of the file alone. */
static enum dls_status read_block(struct dls_input *input)
{
    struct dls_place place = {.file = input->path};
    size_t filled = 0;

    while (filled < BLOCK_BYTES) {
        ssize_t got = read(input->file, input->block + filled, BLOCK_BYTES - filled);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            dls_diag_error(input->diag, &place, "cannot read: %s", strerror(errno));
            return DLS_EIO;
        }
        if (got == 0)
            break;
        filled += (size_t)got;
    }
    input->ended = filled < BLOCK_BYTES;
    if (filled > 0)
        input->hash = dls_hash_add(input->hash, dls_hash_bytes(input->block, filled));
    input->bytes += (int64_t)filled;
    input->stream.next_in = input->block;
    input->stream.avail_in = (uInt)filled;
    return DLS_OK;
}

static enum dls_status start(struct dls_input *input)
{
    enum dls_status status = read_block(input);

    input->started = status == DLS_OK;
    if (status != DLS_OK || input->stream.avail_in < 2 || input->block[0] != 0x1f ||
        input->block[1] != 0x8b)
        return status;
    /* 15 window bits, 16 for the gzip wrapper with its checksum. */
    if (inflateInit2(&input->stream, 15 + 16) != Z_OK) {
        struct dls_place place = {.file = input->path};

        dls_diag_error(input->diag, &place, "cannot read: zlib does not start");
        return DLS_EIO;
    }
    input->gzip = true;
    input->member = true;
    return DLS_OK;
}

static enum dls_status gzip_damaged(struct dls_input *input, const char *what)
{
    struct dls_place place = {.file = input->path};
    long long at = (long long)(input->bytes - (int64_t)input->stream.avail_in);

    dls_diag_error(input->diag, &place, "%s at byte %lld of the file", what, at);
    return DLS_EINPUT;
}

/* After a member: another one, or the end of the file. */
static enum dls_status next_member(struct dls_input *input)
{
    if (input->stream.avail_in == 0)
        return DLS_OK;
    if (input->stream.next_in[0] != 0x1f)
        return gzip_damaged(input,
                            "expected the end of the gzip data, found other bytes");
    inflateReset(&input->stream);
    input->member = true;
    return DLS_OK;
}

static enum dls_status read_gzip(struct dls_input *input, char *out, size_t size,
                                 size_t *count)
{
    enum dls_status status = DLS_OK;

    input->stream.next_out = (unsigned char *)out;
    input->stream.avail_out = (uInt)size;
    while (status == DLS_OK && input->stream.avail_out == size) {
        int code;

        if (input->stream.avail_in == 0 && !input->ended) {
            status = read_block(input);
            continue;
        }
        if (!input->member) {
            status = next_member(input);
            if (!input->member)
                break;
            continue;
        }
        code = inflate(&input->stream, Z_NO_FLUSH);
        if (code == Z_STREAM_END)
            input->member = false;
        else if (code == Z_BUF_ERROR && input->stream.avail_in == 0 && input->ended)
            status = gzip_damaged(input, "gzip data is cut off");
        else if (code != Z_OK && code != Z_BUF_ERROR)
            status = gzip_damaged(input, "gzip data is damaged");
    }
    *count = size - input->stream.avail_out;
    return status;
}

enum dls_status dls_input_read(struct dls_input *input, char *out, size_t size,
                               size_t *count)
{
    enum dls_status status = DLS_OK;
    size_t taken;

    DLS_REQUIRE(size > 0 && size <= BLOCK_BYTES, "size %zu", size);
    *count = 0;
    if (!input->started)
        status = start(input);
    if (status == DLS_OK && input->gzip)
        return read_gzip(input, out, size, count);
    if (status == DLS_OK && input->stream.avail_in == 0 && !input->ended)
        status = read_block(input);
    if (status != DLS_OK)
        return status;
    taken = input->stream.avail_in < size ? input->stream.avail_in : size;
    memcpy(out, input->stream.next_in, taken);
    input->stream.next_in += taken;
    input->stream.avail_in -= (uInt)taken;
    *count = taken;
    return DLS_OK;
}

int64_t dls_input_bytes(const struct dls_input *input)
{
    return input->bytes;
}

uint64_t dls_input_hash(const struct dls_input *input)
{
    return input->hash;
}
