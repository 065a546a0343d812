/* What the host (C) and the kernels (CUDA C++) of a session agree on. */
#ifndef MS_GPU_MOTIF_SESSION_DEVICE_H
#define MS_GPU_MOTIF_SESSION_DEVICE_H

#include <stdint.h>

enum {
  MS_SESSION_THREADS = 128, /* of a block */
  MS_SESSION_CHUNK = 1024,  /* vertices that are numbered together: 32 words of 32 bits */
  MS_SESSION_STATES = 64,
  MS_SESSION_CLASSES = 8,
  MS_SESSION_SLOTS = 12,
  MS_SESSION_LAYERS = 10, /* passes that find T */
  MS_SESSION_COLORS = 32, /* colours that the classes of a motif name, with repeats */
};

#define MS_SESSION_NO_COLOR UINT32_MAX

/* A motif; slots 0: this place of the batch is empty.  See motif/states.h. */
typedef struct ms_session_motif {
  uint64_t fits[MS_SESSION_STATES];
  uint64_t layer[MS_SESSION_LAYERS][MS_SESSION_STATES];
  uint32_t states;
  uint32_t of_class[MS_SESSION_CLASSES];
  uint32_t slots, classes, single, distinct;
  uint32_t any;                         /* classes that every vertex fits */
  uint32_t colors;                      /* number of the following pairs */
  uint32_t color[MS_SESSION_COLORS];    /* a vertex with this colour */
  uint32_t of_color[MS_SESSION_COLORS]; /* fits these classes */
} ms_session_motif;

/* What the kernels find out about a motif.  It begins with zeros. */
typedef struct ms_session_summary {
  uint32_t live;                        /* vertices that fit a class */
  uint32_t several;                     /* 1: some vertex fits several classes */
  uint32_t holders[MS_SESSION_CLASSES]; /* vertices that the filter leaves, by class */
  uint32_t kept, flagged;
  uint32_t capped; /* 1: a root has more sets than one search may visit */
  uint32_t lost;   /* 1: about some vertex nothing is known */
} ms_session_summary;

/* The memory of one place of the batch.  Live vertices are numbered in the order of the graph. */
typedef struct ms_session_slot {
  uint8_t *mask;        /* [n] classes that a vertex fits */
  uint32_t *bits;       /* [words] bit v % 32 of word v / 32: v is live */
  uint32_t *word_live;  /* [words] live vertices before the word, in its chunk */
  uint32_t *word_arcs;  /* [words] their arcs in the graph */
  uint32_t *chunk_live; /* [chunks] the same before the chunk */
  uint32_t *chunk_arcs;
  uint32_t *begin;          /* [live] where a row begins in `arc` */
  uint32_t *length;         /* [live] of a row */
  unsigned long long *tree; /* [live] T of motif/states.h */
  uint8_t *fits;            /* [live] classes; the filter sets 0 where it drops a vertex */
  uint8_t *flag;            /* [live] the search that flagged the vertex, 1 or 2; 0: none did */
  uint8_t *open;            /* [live] 1: a search for a first match was given up */
  uint32_t *arc;            /* numbers of neighbours, ascending in a row */
} ms_session_slot;

/* A batch, as all kernels see it. */
typedef struct ms_session_batch {
  uint32_t n, words, chunks;
  uint32_t blocks;          /* for each place of the batch */
  uint32_t block_warps;     /* warps of a block */
  uint32_t most[2];         /* steps of a search: for all sets of a root, and for a first match */
  const uint32_t *offset;   /* [n + 1] */
  const uint32_t *neighbor; /* [arcs] */
  const uint32_t *color_offset; /* [n + 1]; NULL: color[n] has the one colour of each vertex */
  const uint32_t *color;
  const ms_session_motif *motif; /* [places] */
  ms_session_summary *summary;   /* [places] */
  uint32_t *found;               /* [places][2][words] flags, and what the filter left */
  ms_session_slot slot;          /* of the first place */
  uint64_t stride;               /* bytes to the memory of the next place */
} ms_session_batch;

/* The kernels, in the order of their launches; MS_SESSION_PASS has the number of the pass for a
 * second argument. */
typedef enum ms_session_kernel {
  MS_SESSION_MASK,
  MS_SESSION_NUMBER,
  MS_SESSION_ROWS,
  MS_SESSION_PASS,
  MS_SESSION_FILTER,
  MS_SESSION_SEARCH_ALL,
  MS_SESSION_SEARCH_FIRST,
  MS_SESSION_REPORT,
} ms_session_kernel;

#ifdef __cplusplus
extern "C"
#endif
    const void *
    ms_session_function(ms_session_kernel kernel);

#endif
