/* What the host (C) and the kernels (CUDA C++) of the pattern engines agree on: an
 * index and a program (match/cpu/program.h) as plain structs, the work, the
 * outputs.
 *
 * An ms_device_program has room for the levels, sets and tests of nearly all programs, and blocks
 * keep it in shared memory.  *Large* programs have more; they are searched as conjunctions only
 * (gpu/match/squares/conjunction.h), by kernels of their own, so that the others do not pay for
 * them.
 *
 * The *work* is a number of units.  Any range of units can be done separately, in
 * any order, on any device (unit_kind):
 *   ROOTS  a unit is a candidate of level 0;
 *   ARCS   a unit is a place in a root's row: the candidate of level 1 with that
 *          number.  The candidates of level 1 are no more than that row is long;
 *          units beyond them are empty;
 *   PAIRS  level 1 goes through a domain: a unit is a root and a vertex of the
 *          domain.
 * Units of the highest ids, whose degrees are the highest, are done first. */
#ifndef MS_GPU_MATCH_PROGRAM_DEVICE_H
#define MS_GPU_MATCH_PROGRAM_DEVICE_H

#include "gpu/common/queue.h"

#include <stdbool.h>
#include <stdint.h>

enum {
  MS_DEVICE_LEVELS = 32,
  MS_MOST_LEVELS = 256, /* of large programs */
  MS_DEVICE_SETS = 64,
  MS_DEVICE_GROUPS = 6,  /* = MS_MAX_TAIL */
  MS_DEVICE_TERMS = 64,  /* = MS_MAX_TAIL_TERMS */
  MS_DEVICE_KINDS = 3,   /* = MS_ROW_KINDS: kinds of rows that an index holds in place */
  MS_DEVICE_TESTS = 256, /* of all steps and groups */
  MS_LOCAL_GROUPS = 2,   /* of a local program */
  MS_DEVICE_FILTERS = 8, /* domains of a local program */
  MS_NO_FILTER = 255,
  MS_ENDS_SMALLER = 1,
  MS_ENDS_LARGER = 2 /* neighbours that are larger, smaller */
};

typedef struct ms_device_rows {
  const uint64_t *offset;   /* [n + 1] */
  const uint32_t *neighbor; /* [offset[n]] ascending within a row */
  const uint32_t *smaller;  /* [n] how many of v's row are smaller than v */
} ms_device_rows;

/* An ms_pattern_index; all pointers are to device memory. */
typedef struct ms_device_index {
  uint32_t n;
  uint32_t longest; /* length of the longest row of all neighbours */
  uint32_t second;  /* length of the second longest: no intersection of two rows is longer */
  bool directed;
  ms_device_rows rows[MS_DEVICE_KINDS]; /* by kind; only those that the graph has */
  const ms_device_rows *more;           /* rows of the further kinds, of relations */
} ms_device_index;

#ifdef __CUDACC__
#define MS_BOTH_SIDES __host__ __device__
#else
#define MS_BOTH_SIDES
#endif
MS_BOTH_SIDES static inline const ms_device_rows *ms_device_rows_of(const ms_device_index *index,
                                                                    uint32_t kind)
{
  return kind < MS_DEVICE_KINDS ? &index->rows[kind] : &index->more[kind - MS_DEVICE_KINDS];
}

/* The ids in [lo, hi) whose bit is set; bits NULL: all of them. */
typedef struct ms_device_domain {
  const uint64_t *bits; /* [(n + 63) / 64] */
  uint32_t lo, hi, count;
} ms_device_domain;

/* Corresponds to ms_set; masks have one bit for each level. */
typedef struct ms_device_set {
  const uint64_t *bits; /* NULL also where the parent was already filtered */
  uint32_t above, below, lo, hi;
  int16_t parent;
  uint16_t kind;
  uint8_t level, subtract, count_only;
  uint8_t slot;  /* number among the stored sets; 255: a row, or a set that is only counted */
  uint32_t need; /* elements that the set must have */
  uint8_t local_slot, filter, at_last; /* for local programs; at_last: computed at the last level */
} ms_device_set;

/* As ms_row_test. */
typedef struct ms_device_test {
  uint8_t level, absent;
  uint16_t kind;
} ms_device_test;

enum { MS_DEVICE_FROM_DOMAIN, MS_DEVICE_FROM_SET, MS_DEVICE_FROM_TOUCHED };

/* Corresponds to ms_step. */
typedef struct ms_device_step {
  ms_device_domain domain;
  const uint32_t *list; /* [domain.count] for FROM_DOMAIN, if the domain is not a range */
  uint32_t above, below, distinct;
  uint16_t first_test, n_tests; /* as ms_row_tests */
  int16_t set;
  uint8_t source, test_bits, filter;
} ms_device_step;

/* Corresponds to ms_tail_group. */
typedef struct ms_device_group {
  ms_device_domain domain;
  uint32_t above, below, distinct, inside;
  uint16_t first_test, n_tests; /* as ms_row_tests */
  uint32_t size;
  int16_t set;
  uint8_t size_only, table, with, marked, test_bits, filter;
} ms_device_group;

typedef struct ms_device_term {
  int64_t factor;
  uint8_t count, mask[MS_DEVICE_GROUPS];
} ms_device_term;

enum { MS_UNIT_ROOTS, MS_UNIT_ARCS, MS_UNIT_PAIRS };
/* The size of a number that holds the sum of all terms under one match. */
enum { MS_VALUE_64, MS_VALUE_128, MS_VALUE_256 };

/* Corresponds to ms_program. */
typedef struct ms_device_program {
  uint32_t prefix, n_sets, n_groups, n_terms;
  uint32_t n_slots; /* number of stored sets */
  uint8_t value;    /* one of MS_VALUE_.. */
  uint8_t product, falling, quick, pairs;
  uint8_t flat; /* the tail is one count-only set, the intersection of the last level's match with
                   an earlier set: counted by pairs of elements, one lane for each pair */
  /* All levels and the tail are in the root's row (dfs_local.cuh).  local_above, local_below:
   * all are above, below the root; local_lo, local_hi: all are in these bounds. */
  uint8_t local, ends, chain, chain_filter, local_above, local_below, local_meets, n_local_slots,
      n_filters;
  uint8_t local_upper; /* the matches of levels 1 and up are above the root, and it is no chain: a
                          matrix has rows for vertices above the root alone */
  uint8_t codegrees;   /* and only the codegrees of edges count (dfs_local_block.cuh) */
  uint32_t local_lo, local_hi, local_need;
  ms_device_domain filter[MS_DEVICE_FILTERS];
  uint16_t table_first, table_second;
  uint8_t table, table_marks, table_above, table_below, middle_below;
  uint8_t joined;  /* level 2 is a neighbour of level 1, which has an entry in the table, and all
                      sizes  are looked up there (dfs_block.cuh) */
  uint8_t squares; /* the count is the sum of c (c-1) over the codegrees c in the table
                      (dfs_squares.cuh) */
  uint8_t unit_kind;
  uint16_t unit_rows; /* kind of row for ARCS */
  uint8_t by_level[MS_DEVICE_SETS], level_sets[MS_DEVICE_LEVELS + 1];
  uint64_t roots, units;
  uint64_t per_root;           /* for PAIRS */
  const uint64_t *root_offset; /* [roots + 1] for ARCS: the first unit of each root */
  uint64_t first_unit;         /* root_offset[0]: unit u has number first_unit + u there */
  ms_device_domain table_middle;
  ms_device_step step[MS_DEVICE_LEVELS];
  ms_device_set set[MS_DEVICE_SETS];
  ms_device_test test[MS_DEVICE_TESTS];
  ms_device_group group[MS_DEVICE_GROUPS];
  ms_device_term term[MS_DEVICE_TERMS];
} ms_device_program;

/* The state of a warp's search when the output was full. */
typedef struct ms_device_place {
  uint64_t unit, unit_end; /* places of the stretch that it took: [unit, unit_end) is left, and it
                              is begun if depth > 0 */
  uint32_t child_end;      /* candidates [next[1], child_end) of level 1 belong to this warp */
  uint32_t depth; /* levels [0, depth) of match are set, and next[depth] is to be tried next */
  uint32_t base;  /* the level whose candidates are units */
  uint32_t match[MS_DEVICE_LEVELS], next[MS_DEVICE_LEVELS];
} ms_device_place;

#endif
