/* Matches that are picked out by their number while they are counted.
 *
 * A search that counts does not visit each match.  But it knows how many there were before a set
 * and how many hold the set, and so it can tell whether a wanted one is among these.  Only then
 * does it look at each of them. */
#ifndef MS_MOTIF_WANTED_H
#define MS_MOTIF_WANTED_H

#include <stdint.h>

typedef struct ms_wanted {
  uint64_t next;          /* the number of the match that is wanted next; UINT64_MAX: none is */
  const uint64_t *number; /* [left] ascending, from `base` */
  uint64_t left, base;    /* the count begins at 0, which has the number `base` */
  uint32_t *set;          /* [left][k] receives the instance vertices of the matches */
  uint32_t k;
} ms_wanted;

#define MS_WANTED_NONE                                                                             \
  (ms_wanted)                                                                                      \
  {                                                                                                \
    .next = UINT64_MAX                                                                             \
  }

static inline void ms_wanted_find_next(ms_wanted *w)
{
  w->next = w->left > 0 ? *w->number - w->base : UINT64_MAX;
}

/* The match that was wanted next is in w->set. */
static inline void ms_wanted_advance(ms_wanted *w)
{
  w->number++;
  w->left--;
  w->set += w->k;
  ms_wanted_find_next(w);
}

#endif
