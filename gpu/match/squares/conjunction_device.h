/* A program as conjunctions (gpu/match/squares/conjunction.h), as kernels read it. */
#ifndef MS_GPU_MATCH_CONJUNCTION_DEVICE_H
#define MS_GPU_MATCH_CONJUNCTION_DEVICE_H

#include "gpu/match/program_device.h"

#include <stdbool.h>
#include <stdint.h>

enum {
  MS_CONJUNCTION_MASKS = 64, /* sets of groups whose candidates are intersected */
  MS_CONJUNCTION_BLOCKS = 6
};

/* A row that must contain a candidate, or must not.  In programs of many levels a link may also
 * be a member of a list of levels. */
typedef struct ms_conjunction_link {
  uint16_t kind;
  uint8_t level, subtract;
} ms_conjunction_link;

/* A set of candidates as a conjunction: in [lo, hi), in all bit sets, above and below matches,
 * different from matches, in some rows and not in others. */
typedef struct ms_conjunction_set {
  /* levels, as bits; for kernels of many levels: first * 2^32 + count of links that name them */
  uint64_t above, below, distinct;
  const uint32_t *list; /* [list_count] where no row provides candidates; NULL: [lo, hi) */
  uint32_t list_count;
  uint32_t lo, hi;
  uint32_t first_link, n_links, n_needed; /* the first n_needed must contain the candidate */
  uint32_t first_bits, n_bits;
  uint32_t least; /* with fewer elements the match counts for nothing; 0: not known */
  uint32_t whole; /* number of elements if only the domain restricts the set .. */
  bool is_whole;  /* .. which is the case, except for `distinct` */
  bool of_parent; /* for a tail: no condition above depends on the last level .. */
  bool but_last;  /* .. but its match must be taken out, if it is in the set */
  bool is_rest;   /* what the last level adds to set number .. */
  uint32_t base;  /* .. base, which all siblings share: base + 1 is the rest; 0: there is none */
} ms_conjunction_set;

typedef struct ms_conjunction_term {
  int64_t factor;
  uint8_t count;
  uint8_t mask[MS_CONJUNCTION_BLOCKS]; /* [count] numbers of masks */
} ms_conjunction_term;

typedef struct ms_conjunction_rows {
  const uint64_t *offset; /* [n + 1] */
  const uint32_t *neighbor;
} ms_conjunction_rows;

/* All pointers are to the device's memory. */
typedef struct ms_conjunction_program {
  ms_conjunction_rows rows[3];   /* by kind; only those that the graph has */
  const ms_device_rows *more;    /* rows of the further kinds, of relations */
  const ms_conjunction_set *set; /* [prefix + n_masks] candidates of the levels, then of the tail;
                                    then bases and rests of the tail's sets */
  const ms_conjunction_link *link;
  const uint64_t *const *bits;
  const ms_conjunction_term *term; /* [n_terms] */
  uint32_t prefix, n_masks, n_terms;
  uint32_t falling; /* > 0: instead of terms, c (c - 1) .. (c - falling + 1) of the only mask */
  uint32_t first_root, n_roots; /* roots without a list: first_root, first_root + 1, .. */
  const uint32_t *root_list;    /* [n_roots] or NULL */
  bool keeps;                   /* some set has a base */
  const uint32_t *hub;          /* [n] number of the vertex if its row is also stored as bits, else
                                   UINT32_MAX; NULL: no row is */
  const uint32_t *hub_bits;     /* [hubs][hub_words] bits of the rows of all neighbours */
  uint64_t hub_words;           /* (n + 31) / 32 */
  uint64_t stride;              /* root i is the (i * stride mod n_roots)-th root; 1: in order */
  uint64_t classes;             /* of roots, in flood: root i is the ms_classes_root-th root */
} ms_conjunction_program;

#endif
