/* Domains on a GPU: what the host (C) lays out and the kernel uses. */
#ifndef MS_GPU_MATCH_DOMAINS_DEVICE_H
#define MS_GPU_MATCH_DOMAINS_DEVICE_H

#include "gpu/match/program_device.h"

enum {
  MS_DEVICE_DOMAINS = 16, /* = MS_DOMAIN_TASK_VERTICES */
  MS_DOMAIN_PASSES = 4,   /* the first test and the rounds */
  MS_DEVICE_ENOUGH = 8    /* = MS_DOMAIN_ENOUGH */
};

/* What an index has beside its rows (match/index.h); all pointers are to device memory, and NULL
 * where the index has none. */
typedef struct ms_device_colors {
  const uint32_t *best;
  const uint64_t *near; /* [n][2] */
  const uint64_t *part_offset;
  const uint32_t *part;
} ms_device_colors;

typedef struct ms_device_condition {
  uint32_t rows, of, need;
} ms_device_condition;

/* As ms_domain_task_vertex. */
typedef struct ms_device_domain_vertex {
  const uint32_t *start; /* [words] bits of the first domain; NULL: all of [lo, hi) */
  uint32_t lo, hi, color, best;
  uint32_t count; /* vertices of the first domain */
  uint64_t near_colors[2];
  uint32_t first, end; /* conditions */
  uint32_t near[2], found;
  uint32_t word,
      words;   /* words of 32 bits that hold the first domain: the first one, and how many */
  uint32_t at; /* of `bits`: those words */
} ms_device_domain_vertex;

typedef struct ms_domain_launch {
  ms_device_index index;
  ms_device_colors colors;
  ms_device_domain_vertex vertex[MS_DEVICE_DOMAINS]; /* [n] in place: no load before the others */
  const ms_device_condition *condition;
  const uint32_t *allowed; /* [words of the index], or NULL */
  const uint32_t *before;  /* [words of all first domains] the domains before this pass */
  uint32_t *bits;          /* [words of all first domains] receives those after it */
  uint32_t *dropped; /* [MS_DOMAIN_PASSES][MS_DEVICE_DOMAINS] vertices that each pass dropped */
  uint32_t n, kinds, kind[2];
  uint32_t total; /* words of all first domains */
  uint32_t pass;  /* 0: the first test; otherwise a round */
  uint32_t blocks, warps;
} ms_domain_launch;

#ifdef __cplusplus
extern "C"
#endif
    const void *
    ms_domain_function(void);

#endif
