/* The only access to the heap.  Sizes are checked, and the functions can be
 * replaced, so that tests can make the n-th allocation fail. */
#ifndef MS_BASE_ALLOC_H
#define MS_BASE_ALLOC_H

#include "motifsieve.h"

/* Allocates count * size bytes without clearing them.  Returns NULL on overflow or
 * failure.  A request for no bytes returns a unique block, never NULL. */
void *ms_alloc(size_t count, size_t size);
/* Does the same, and clears the bytes. */
void *ms_calloc(size_t count, size_t size);
/* Allocates a block aligned to 64 bytes; a large block is aligned to huge pages and
 * asks the system for them, because random access over hundreds of MB is otherwise
 * bound by the TLB. */
void *ms_alloc_lines(size_t count, size_t size);
/* Resizes a block from old_count to count elements.  On failure it returns NULL, and
 * the old block is still valid. */
void *ms_resize(void *block, size_t old_count, size_t count, size_t size);
void ms_free(void *block);

/* Returns a copy of the string, or NULL. */
char *ms_strdup(const char *text);

/* For programs, not for the library, since it holds for the whole process: lets the usual allocator
 * of glibc return large blocks to the system when they are freed.  By itself it keeps blocks of up
 * to 32 MiB once such a block was freed, and then may hold twice what is in use.  Elsewhere it does
 * nothing. */
void ms_return_large_blocks(void);

/* Sets *out to a * b.  Returns false on overflow. */
static inline bool ms_mul_size(size_t a, size_t b, size_t *out)
{
  return !__builtin_mul_overflow(a, b, out);
}

#endif
