/* The one door to the heap: checked sizes, replaceable, so that tests can
 * fail the n-th allocation. */
#ifndef MS_BASE_ALLOC_H
#define MS_BASE_ALLOC_H

#include "motifsieve.h"

/* count * size bytes, not cleared; NULL on overflow or failure.  A zero
 * request returns a unique non-NULL block. */
void *ms_alloc(size_t count, size_t size);
/* The same, zeroed. */
void *ms_calloc(size_t count, size_t size);
/* Aligned to 64 bytes, and to huge pages where it is large (transparent huge
 * pages are asked for: random access over hundreds of MB is TLB-bound
 * otherwise). */
void *ms_alloc_lines(size_t count, size_t size);
/* Grow or shrink from old_count to count elements; on failure returns NULL
 * and the old block is still valid. */
void *ms_resize(void *block, size_t old_count, size_t count, size_t size);
void ms_free(void *block);

/* A copy of a string, or NULL. */
char *ms_strdup(const char *text);

/* *out = a * b, or false on overflow. */
static inline bool ms_mul_size(size_t a, size_t b, size_t *out)
{
  return !__builtin_mul_overflow(a, b, out);
}

#endif
