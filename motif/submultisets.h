/* Sub-multisets of a small motif, as the bits of a word.
 *
 * A sub-multiset has m'_c of the m_c slots of class c.  Its number has the digits m'_c, with m_c +
 * 1 for a base, so that the sum of two numbers is the number of the union, as long as no digit
 * overflows.  Where there are at most 64 of them, a set of sub-multisets is a word, and adding s to
 * each of them is a shift: (word & fits[s]) << s.  For a vertex v let T(v) hold the sub-multisets
 * that the vertices of some tree through v fill, where a vertex may be used more than once:
 *
 *   T(v) holds the slot of each class that v fits, and s + t for s in T(v) and t in T(u), u next to
 * v.
 *
 * The subsets of j slots come from smaller ones alone, so that k - 2 passes over the graph find all
 * that have fewer than k slots: pass j joins s and t only if they have j + 2 slots together
 * (layer).
 *
 * A match has a spanning tree.  Cut an edge of it: the two parts are in T of its ends, and are all
 * slots together.  So an edge between u and v is in no tree of a match unless T(u) and T(v) hold
 * two such sub-multisets.  Their numbers add up to that of all slots, the highest one: reversing
 * the bits of a word turns each number into the one that completes it.  A vertex without such an
 * edge is in no match.  If all slots are of different classes and no vertex fits two of them, no
 * vertex is used twice, and every other vertex is in a match.  (Dynamic programming over colour
 * sets as in Alon, Yuster, Zwick: Color-coding, 1995, where the colours are the motif's.) */
#ifndef MS_MOTIF_SUBMULTISETS_H
#define MS_MOTIF_SUBMULTISETS_H

#include "query/query.h"

enum {
  MS_MOST_SUBMULTISETS = 64,
  MS_SUBMULTISET_CLASSES = 8,
  MS_SUBMULTISET_SLOTS = 12,
  MS_MOST_LAYERS = 10
};

typedef struct ms_submultisets {
  uint32_t count;          /* of sub-multisets, at most MS_MOST_SUBMULTISETS */
  uint32_t slots, classes; /* of the motif */
  uint32_t single;         /* bit c: class c has one slot */
  uint32_t distinct;       /* 1: each class has one slot */
  uint64_t layer[MS_MOST_LAYERS][MS_MOST_SUBMULTISETS]; /* [slots - 2][count] pass j: the
                                                     sub-multisets that s is joined with */
  uint64_t fits[MS_MOST_SUBMULTISETS];       /* [count] the sub-multisets that s can be added to */
  uint32_t of_class[MS_SUBMULTISET_CLASSES]; /* [classes] the sub-multiset of one slot of a class */
  uint32_t count_of[MS_SUBMULTISET_CLASSES]; /* [classes] the slots of the class */
} ms_submultisets;

/* Returns false if the motif has more sub-multisets, classes or slots than the enum allows. */
bool ms_submultisets_make(const ms_motif *motif, ms_submultisets *out);

#endif
