/* What several threads find in a section of a binary file.  Each looks only for the first thing
 * that is wrong in its part; the message is made afterwards, by one thread. */
#ifndef MS_GRAPH_FORMATS_FINDINGS_H
#define MS_GRAPH_FORMATS_FINDINGS_H

#include <stdint.h>

#define MS_NONE_BAD UINT64_MAX /* is wrong */

static inline uint64_t ms_lesser(uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

/* What several threads look for in a section. */
typedef struct ms_findings {
  const void *section;
  uint64_t bad;     /* the first place that is wrong, or MS_NONE_BAD */
  uint64_t sum;     /* of the fingerprint, of slots that are taken, or of crowds */
  uint64_t foreign; /* slots with the id of no name */
  uint64_t most;    /* arcs of a row */
} ms_findings;

static inline void ms_note_bad(ms_findings *f, uint64_t bad)
{
  uint64_t before = __atomic_load_n(&f->bad, __ATOMIC_RELAXED);
  while (bad < before && !__atomic_compare_exchange_n(&f->bad, &before, bad, true, __ATOMIC_RELAXED,
                                                      __ATOMIC_RELAXED))
    ;
}

static inline void ms_note_most(ms_findings *f, uint64_t most)
{
  uint64_t before = __atomic_load_n(&f->most, __ATOMIC_RELAXED);
  while (most > before && !__atomic_compare_exchange_n(&f->most, &before, most, true,
                                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

static inline void ms_add_sum(uint64_t *sum, uint64_t more)
{
  __atomic_fetch_add(sum, more, __ATOMIC_RELAXED);
}

#endif
