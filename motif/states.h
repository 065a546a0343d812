/* Sub-multisets of a small motif, as the bits of a word.
 *
 * A sub-multiset has m'_c of the m_c slots of class c.  Its number has the digits m'_c, with m_c +
 * 1 for a base, so that the sum of two numbers is the number of the union, as long as no digit
 * overflows.  Where there are at most 64 of them, a set of sub-multisets is a word, and adding s to
 * each of them is a shift: (word & fits[s]) << s.  For a vertex v let T(v) hold the sub-multisets
 * that the vertices of some tree through v fill, where a vertex may be used more than once.  T is
 * the least solution of
 *
 *   T(v) holds the slot of each class that v fits, and s + t for s in T(v) and t in T(u), u next to
 * v.
 *
 * A set of k vertices that is a match has a spanning tree, so v is in no match unless T(v) holds
 * all slots.  If all slots are of different classes and no vertex fits two of them, no vertex is
 * used twice, and v is in a match if and only if T(v) holds all slots.  (Dynamic programming over
 * colour sets as in Alon, Yuster, Zwick: Color-coding, 1995, where the colours are the motif's.) */
#ifndef MS_MOTIF_STATES_H
#define MS_MOTIF_STATES_H

#include "query/query.h"

enum { MS_MOST_STATES = 64, MS_MOST_STATE_CLASSES = 8, MS_MOST_STATE_SLOTS = 12 };

typedef struct ms_motif_states {
  uint32_t count;                /* of sub-multisets, at most MS_MOST_STATES */
  uint32_t slots, classes;       /* of the motif */
  uint32_t single;               /* bit c: class c has one slot */
  uint32_t distinct;             /* 1: each class has one slot */
  uint64_t full;                 /* the bit of all slots */
  uint64_t fits[MS_MOST_STATES]; /* [count] the sub-multisets that s can be added to */
  uint32_t
      of_class[MS_MOST_STATE_CLASSES]; /* [classes] the sub-multiset of one slot of the class */
  uint32_t count_of[MS_MOST_STATE_CLASSES]; /* [classes] the slots of the class */
} ms_motif_states;

/* Returns false if the motif has more sub-multisets, classes or slots than the enum allows. */
bool ms_motif_states_make(const ms_motif *motif, ms_motif_states *out);

#endif
