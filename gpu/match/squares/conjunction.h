/* A program (match/cpu/program.h) as conjunctions, for engines that keep no candidate sets: each
 * level, and each set of tail groups that are intersected, states all its conditions on a
 * candidate. */
#ifndef MS_GPU_MATCH_CONJUNCTION_H
#define MS_GPU_MATCH_CONJUNCTION_H

#include "gpu/match/squares/conjunction_device.h"
#include "gpu/match/upload.h"

/* Levels whose matches bound a set, or are not in it. */
typedef struct ms_conjunction_levels {
  ms_bitset above, below, distinct;
} ms_conjunction_levels;

/* Tables in the host's memory, with pointers to the host's bits and lists. */
typedef struct ms_conjunction_tables {
  uint32_t prefix, n_masks, n_terms, n_sets, n_links, n_bits, falling;
  ms_conjunction_set *set;       /* [n_sets] as in ms_conjunction_program */
  ms_conjunction_levels *levels; /* [n_sets] */
  ms_conjunction_link *link;     /* [n_links] */
  const uint64_t **bits;         /* [n_bits] */
  ms_conjunction_term term[MS_MAX_TAIL_TERMS];
  uint32_t first_root, n_roots;
  const uint32_t *root_list;
  bool keeps;
  uint64_t bytes; /* of the tables on a device, once they are there */
} ms_conjunction_tables;

/* siblings: what matches with the same parent have in common gets sets of its own (`of_parent`,
 * `base`); without it each set states all of its conditions.  many: the tables are for kernels of
 * many levels (MS_MANY_LEVELS in conjunction.cuh). */
ms_status ms_conjunction_tables_new(const ms_program *program, bool siblings, bool many,
                                    ms_conjunction_tables *out, ms_error *err);
void ms_conjunction_tables_free(ms_conjunction_tables *tables);

/* Returns a stride through n roots that visits all of them, and successive roots far from each
 * other. */
uint64_t ms_conjunction_stride(uint32_t n);

/* siblings, many: as for ms_conjunction_tables_new.  *tables: freed by the caller even on failure.
 * *memory: device memory of the tables that *out points to, freed before `match` is closed.
 * Returns when the tables have been read. */
ms_status ms_conjunction_upload(ms_gpu_match *match, const ms_program *program, bool siblings,
                                bool many, ms_conjunction_tables *tables, void **memory,
                                ms_conjunction_program *out, ms_error *err);

#endif
