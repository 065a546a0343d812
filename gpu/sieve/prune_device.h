/* What the host (C) and the kernels (CUDA C++) of pruning agree on.
 *
 * A vertex that is dropped loses its mask.  An arc stays if its head has a mask and both ends
 * together fit more than one slot, which each kernel decides from the two masks; so no kernel but
 * the last one writes arcs. */
#ifndef MS_GPU_SIEVE_PRUNE_DEVICE_H
#define MS_GPU_SIEVE_PRUNE_DEVICE_H

#include <stdint.h>

enum {
  MS_PRUNE_WARPS = 8, /* of a block */
  /* Numbers are given chunk by chunk.  A warp adds up the sums of all chunks before its own. */
  MS_PRUNE_MOST_CHUNKS = 2048,
  MS_PRUNE_LEAST_CHUNK = 256 /* vertices */
};

/* In left[] and new_id[]: the vertex is dropped. */
#define MS_PRUNE_DROPPED UINT32_MAX

/* What a stage tells the host.  Zeros at first. */
typedef struct ms_prune_facts {
  uint32_t missing;    /* a vertex lacks a slot, so that another hop may change anything .. */
  uint32_t changed;    /* .. and the last hop reached a further slot for a vertex */
  uint32_t far, poor;  /* vertices dropped */
  uint32_t components; /* of at least `least` vertices */
  uint32_t slotless;   /* a vertex fits no slot, or is dropped */
  uint32_t giant;      /* root of a tree that is probably the largest */
  /* of the result */
  uint32_t vertices, hubs; /* hubs: rows of more than MS_HUB arcs */
  uint32_t most;           /* arcs of a row */
  uint64_t arcs;
} ms_prune_facts;

/* Numbers of vertices and arcs of a chunk that stay. */
typedef struct ms_prune_sum {
  uint64_t arcs;
  uint32_t vertices;
} ms_prune_sum;

typedef struct ms_prune_launch {
  uint32_t n, blocks;     /* blocks: of the grid */
  uint32_t all;           /* slots */
  uint32_t least;         /* vertices of a match */
  const uint64_t *offset; /* [n + 1] */
  const uint32_t *head;   /* [arcs] ascending within a vertex */
  uint32_t *mask;         /* [n] */
  uint32_t *reach, *next; /* [n] slots within the hops made so far, and with the next hop */
  uint32_t *left;         /* [n] number of arcs that stay */
  uint32_t *parent;       /* [n] a forest: no parent is larger than its child */
  uint32_t *root;         /* [n] roots, as the last MS_PRUNE_FLATTEN found them */
  uint32_t *size;         /* [n] vertices of the tree of a root; zeros at first */
  ms_prune_facts *facts;
  uint32_t chunk, chunks; /* chunk: vertices of a chunk */
  ms_prune_sum *sum;      /* [chunks] */
  uint32_t *new_id;       /* [n] numbers in the result; NULL: all vertices stay */
  uint64_t *new_offset;   /* [vertices that stay + 1] */
  uint32_t *new_head;
} ms_prune_launch;

typedef enum ms_prune_stage {
  MS_PRUNE_NEAR,    /* reach[] within one hop, left[], missing */
  MS_PRUNE_HOP,     /* next[] from reach[], missing and changed */
  MS_PRUNE_FAR,     /* drops the vertices that lack a slot in reach[] */
  MS_PRUNE_PLANT,   /* parent[] by the first arc of each vertex */
  MS_PRUNE_LINK,    /* parent[] of roots by one further arc of each vertex */
  MS_PRUNE_FLATTEN, /* root[], and nearly all of parent[], become the root */
  MS_PRUNE_GIANT,   /* giant, from root[]; by one warp */
  MS_PRUNE_JOIN,    /* joins the trees of both ends of each arc that is not within `giant` */
  MS_PRUNE_SIZE,    /* size[] from root[] */
  MS_PRUNE_SMALL,   /* drops the components of fewer than `least` vertices, and counts the others */
  MS_PRUNE_COUNT,   /* sum[] of left[]; hubs and most, which are zeros at first */
  MS_PRUNE_NUMBER,  /* new_id[] and new_offset[] from left[] and sum[]; vertices and arcs */
  MS_PRUNE_COPY,    /* new_head[] */
  MS_PRUNE_STAGES
} ms_prune_stage;

#ifdef __cplusplus
extern "C" {
#endif
/* Returns the kernel of a stage, whose argument is an ms_prune_launch; its blocks have
 * MS_PRUNE_WARPS warps. */
const void *ms_prune_function(ms_prune_stage stage);
#ifdef __cplusplus
}
#endif

#endif
