/* Memory for numbers of any size.  GMP has no way to report that an allocation failed, and its own
 * functions end the process.  A thread that computes with GMP for the library therefore is in a
 * *section*: in it, a block that the system refuses comes from a reserve, so that every operation
 * succeeds and every number is right.
 *
 * The reserve is for the numbers that exist at one time, which are few and small: a count has at
 * most MS_MAX_PATTERN words of 32 bits.  Code that keeps more numbers the longer it runs asks
 * ms_numbers_low() and ends with MS_ERR_MEMORY.  Code with larger numbers states their size before
 * it begins (ms_numbers_store).
 *
 * GMP's allocation functions belong to the whole process, so those that are found are wrapped,
 * when the first section begins.  A constructor would be too early: the program has not had its
 * turn to set its own.  Blocks are blocks of the functions that were found, except in the
 * reserve, and no number of the library outlives a call.  Outside of sections the functions that
 * were found do all the work, so that numbers of the program are not concerned. */
#ifndef MS_BASE_NUMBERS_H
#define MS_BASE_NUMBERS_H

#include "motifsieve.h"

#define MS_NUMBERS_RESERVE ((size_t)4 << 20) /* bytes */

/* Begins a section of the calling thread.  Sections are nested. */
void ms_numbers_begin(void);
void ms_numbers_end(void);

/* True if more than half of the reserve is in use. */
bool ms_numbers_low(void);

/* Begins a section whose numbers may need `bytes` together, more than the reserve has.  Fails with
 * MS_ERR_MEMORY if they do not fit; then no section begins.  All its numbers must be cleared by the
 * calling thread before ms_numbers_release, which ends it.  Such sections are not nested. */
ms_status ms_numbers_store(size_t bytes, ms_error *err);
void ms_numbers_release(void);

/* ---- the allocator, for tests --------------------------------------------------- */

enum { MS_GRANULE = 64 }; /* bytes; blocks are multiples of it */

/* Memory that is given out in granules.  Callers know the sizes of their blocks, as GMP does. */
typedef struct ms_reserve {
  unsigned char *bytes; /* [granules * MS_GRANULE] */
  unsigned char *taken; /* [granules] 1: belongs to a block */
  size_t granules;
  size_t used;  /* granules that belong to blocks */
  size_t first; /* no granule below is free */
} ms_reserve;

/* Returns a block, or NULL. */
void *ms_reserve_take(ms_reserve *reserve, size_t bytes);
void ms_reserve_give(ms_reserve *reserve, void *block, size_t bytes);
/* True if the block lies in the reserve. */
bool ms_reserve_has(const ms_reserve *reserve, const void *block);

#endif
