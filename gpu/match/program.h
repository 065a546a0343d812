/* A program as a GPU reads it, and what has to be copied there with it. */
#ifndef MS_GPU_MATCH_PROGRAM_H
#define MS_GPU_MATCH_PROGRAM_H

#include "gpu/match/program_device.h"
#include "match/cpu/program.h"

/* The program itself, lists, bits and root_offset. */
enum { MS_PACK_PARTS = 2 * MS_DEVICE_LEVELS + 3 };

typedef struct ms_pack_part {
  const void *from;
  uint64_t bytes, at; /* at: from the start of the pack, a multiple of 256 */
} ms_pack_part;

typedef struct ms_pattern_pack {
  ms_device_program program;        /* pointers are to the device, once it is placed */
  ms_pack_part part[MS_PACK_PARTS]; /* the first is the program */
  uint32_t parts;
  uint64_t bytes; /* of all */
  const ms_program *of;
  const uint64_t *filter_bits[MS_DEVICE_FILTERS]; /* on the host */
  uint64_t *root_offset; /* [roots + 1] of roots that are no range; NULL else */
} ms_pattern_pack;

/* MS_ERR_USAGE: the program is too large for a GPU. */
ms_status ms_pattern_pack_check(const ms_program *program, ms_error *err);
/* The same where it is.  The pack points into
 * itself: it must not be moved. */
ms_status ms_pattern_pack_new(const ms_program *program, ms_pattern_pack *pack, ms_error *err);
/* It will be at `base` on the device, where the index is as `index` says. */
void ms_pattern_pack_place(ms_pattern_pack *pack, const ms_device_index *index,
                           const uint8_t *base);
void ms_pattern_pack_free(ms_pattern_pack *pack);

#endif
