#include "sim/base/mem.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/status.h"

static void (*failure_handler)(size_t bytes);

static _Noreturn void memory_gone(size_t bytes)
{
    if (failure_handler != NULL)
        failure_handler(bytes);
    fprintf(stderr, "dlsim: error: out of memory, %zu bytes were asked for\n", bytes);
    exit(1);
}

void dls_mem_on_failure(void (*handler)(size_t bytes))
{
    failure_handler = handler;
}

static size_t product(size_t count, size_t size)
{
    DLS_REQUIRE(size == 0 || count <= SIZE_MAX / 2 / size, "%zu objects of %zu bytes",
                count, size);
    return count * size;
}

void *dls_mem_new(size_t count, size_t size)
{
    size_t bytes = product(count, size);
    void *block = calloc(bytes ? bytes : 1, 1);

    if (block == NULL)
        memory_gone(bytes);
    return block;
}

void *dls_mem_resize(void *block, size_t count, size_t size)
{
    size_t bytes = product(count, size);
    void *resized = realloc(block, bytes ? bytes : 1);

    if (resized == NULL)
        memory_gone(bytes);
    return resized;
}

char *dls_mem_text_n(const char *text, size_t bytes)
{
    char *copy = dls_mem_new(bytes + 1, 1);

    memcpy(copy, text, bytes);
    return copy;
}

char *dls_mem_text(const char *text)
{
    return dls_mem_text_n(text, strlen(text));
}

void dls_mem_free(void *block)
{
    free(block);
}

/* ------------------------------------------------------------------ arena */

enum { LINE = 64, SMALL = 16, CHUNK_BYTES = 64 * 1024 };

/* Memory taken from the system at once; objects follow the head, on a cache line. */
struct chunk {
    struct chunk *next;
    size_t capacity; /* bytes behind the head */
    size_t used;
};

struct dls_arena {
    struct chunk *chunks; /* the first one is being filled */
    size_t bytes;
};

_Static_assert(sizeof(struct chunk) <= LINE, "the head fits into one line");

struct dls_arena *dls_arena_new(void)
{
    return dls_mem_new(1, sizeof(struct dls_arena));
}

void dls_arena_free(struct dls_arena *arena)
{
    if (arena == NULL)
        return;
    for (struct chunk *chunk = arena->chunks, *next; chunk != NULL; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    free(arena);
}

static struct chunk *chunk_new(struct dls_arena *arena, size_t capacity)
{
    size_t bytes = (capacity + 2 * LINE - 1) / LINE * LINE;
    struct chunk *chunk = aligned_alloc(LINE, bytes);

    if (chunk == NULL)
        memory_gone(bytes);
    chunk->capacity = bytes - LINE;
    chunk->used = 0;
    arena->bytes += bytes;
    return chunk;
}

void *dls_arena_get(struct dls_arena *arena, size_t count, size_t size)
{
    size_t bytes = product(count, size);
    size_t align = bytes >= LINE ? LINE : SMALL;
    struct chunk *chunk = arena->chunks;
    size_t at = chunk ? (chunk->used + align - 1) / align * align : 0;
    char *object;

    if (chunk != NULL && at <= chunk->capacity && bytes <= chunk->capacity - at) {
        chunk->used = at + bytes;
        object = (char *)chunk + LINE + at;
    } else if (chunk != NULL && bytes > CHUNK_BYTES / 4) {
        /* a large object gets a chunk of its own, behind the one being filled */
        struct chunk *own = chunk_new(arena, bytes);

        own->used = own->capacity;
        own->next = chunk->next;
        chunk->next = own;
        object = (char *)own + LINE;
    } else {
        chunk = chunk_new(arena, bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES);
        chunk->next = arena->chunks;
        arena->chunks = chunk;
        chunk->used = bytes;
        object = (char *)chunk + LINE;
    }
    return memset(object, 0, bytes);
}

char *dls_arena_text(struct dls_arena *arena, const char *text)
{
    size_t bytes = strlen(text) + 1;

    return memcpy(dls_arena_get(arena, bytes, 1), text, bytes);
}

size_t dls_arena_bytes(const struct dls_arena *arena)
{
    return arena->bytes;
}
