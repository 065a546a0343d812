/* The only access to the heap.  Sizes are checked, and the functions can be
 * replaced, so that tests can make the n-th allocation fail. */
#ifndef MS_BASE_ALLOC_H
#define MS_BASE_ALLOC_H

#include "motifsieve.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* Resizes an array from `before` to `after` elements of `size` bytes; `array` is the address of the
 * pointer to it.  Returns false, with the array unchanged, if there is no memory. */
bool ms_enlarge(void *array, size_t before, size_t after, size_t size);

/* Makes room for `more` elements after the `used` ones of a growing array: ARRAY is the pointer to
 * it, and ROOM, of any unsigned type, the number of elements for which there is room.  The room is
 * at least doubled, so that adding an element takes constant time on average.  False, with nothing
 * changed: there is no memory, or ROOM cannot count that many.  The arguments are evaluated more
 * than once. */
#define MS_GROW(array, room, used, more) MS_GROW_ROWS(array, sizeof *(array), room, used, more)
/* Does the same where an element has `size` bytes. */
#define MS_GROW_ROWS(array, size, room, used, more)                                                \
  ((more) <= (room) - (used) ||                                                                    \
   ((room) = ms_grow(&(array), size, room, UINT64_MAX >> (64 - 8 * sizeof(room)), used, more),     \
    (more) <= (room) - (used)))
/* What both call: returns the new room, or `room` if it could not grow. */
uint64_t ms_grow(void *array, size_t size, uint64_t room, uint64_t most, uint64_t used,
                 uint64_t more);

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
