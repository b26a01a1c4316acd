/* mem.h: checked allocation and arenas.
 *
 * Allocation never returns NULL: when memory is gone the program ends with exit status
 * 1 and one line on stderr (tests replace that by dls_mem_on_failure). Sizes that come
 * from input are bounded by the caller first. */
#ifndef DLS_SIM_BASE_MEM_H
#define DLS_SIM_BASE_MEM_H

#include <stddef.h>

/* Zeroed memory for `count` objects of `size` bytes; count * size must not overflow
 * (checked). Free with dls_mem_free. */
void *dls_mem_new(size_t count, size_t size);

/* Grows or shrinks a block to count * size bytes; new bytes are not zeroed. `block` may
 * be NULL. */
void *dls_mem_resize(void *block, size_t count, size_t size);

/* Copies of a string, and of `bytes` bytes followed by a zero byte. Caller frees. */
char *dls_mem_text(const char *text);
char *dls_mem_text_n(const char *text, size_t bytes);

void dls_mem_free(void *block);

/* Installs a function that is called instead of ending the program; it must not return
 * (tests use longjmp). NULL restores the default. Process-wide: call before threads
 * start. */
void dls_mem_on_failure(void (*handler)(size_t bytes));

/* An arena: many small objects of one lifetime, freed together. Objects never move. */
struct dls_arena;

struct dls_arena *dls_arena_new(void);
void dls_arena_free(struct dls_arena *arena);

/* Zeroed, aligned for any type (64 bytes for sizes of 64 and more). */
void *dls_arena_get(struct dls_arena *arena, size_t count, size_t size);
char *dls_arena_text(struct dls_arena *arena, const char *text);

/* Bytes taken from the system by this arena. */
size_t dls_arena_bytes(const struct dls_arena *arena);

#endif
