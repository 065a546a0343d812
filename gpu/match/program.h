/* A program as a GPU reads it, and the data that is copied with it. */
#ifndef MS_GPU_MATCH_PROGRAM_H
#define MS_GPU_MATCH_PROGRAM_H

#include "gpu/common/staging.h"
#include "gpu/match/program_device.h"
#include "match/cpu/program.h"

typedef struct ms_packed_program {
  /* once it is placed, its pointers are to the device; of a large program only the numbers of its
   * parts, the roots and `value` are filled in */
  ms_device_program program;
  bool large;
  ms_staging_list list; /* the program, unless it is large, is the first part */
  const ms_program *source;
  const uint64_t *filter_bits[MS_DEVICE_FILTERS]; /* on the host */
  uint64_t *root_offset; /* [roots + 1] where roots are given by a list; else NULL */
} ms_packed_program;

/* True if an ms_device_program has no room for it. */
bool ms_program_is_large(const ms_program *program);
/* True if it has more levels than kernels for few levels have room for. */
bool ms_program_has_many_levels(const ms_program *program);

/* MS_ERR_USAGE: the program has an inner pattern, or its counts do not fit a GPU's sums. */
ms_status ms_packed_program_check(const ms_program *program, ms_error *err);
/* Packs a program.  *packed points into itself: it must not be moved.  MS_ERR_USAGE: as above. */
ms_status ms_packed_program_new(const ms_program *program, ms_packed_program *packed,
                                ms_error *err);
/* Sets the pointers for a copy at `base` on the device, on which `index` is. */
void ms_packed_program_place(ms_packed_program *packed, const ms_device_index *index,
                             const uint8_t *base);
void ms_packed_program_free(ms_packed_program *packed);

/* Returns how many neighbours a search is expected to read for the candidates of the level
 * after level 1, by the mean degree at the end of an edge: a bound on how short the search is. */
double ms_program_early_reads(const ms_program *program);

#endif
