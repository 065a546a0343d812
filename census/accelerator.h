/* What a census asks of GPUs: the contract between this room, which knows none, and the room that
 * has them.  A census passes dense tables on, and counts the roots that are left itself. */
#ifndef MS_CENSUS_ACCELERATOR_H
#define MS_CENSUS_ACCELERATOR_H

#include "base/integrity.h"
#include "base/units.h"
#include "census/search.h"
#include "census/shapes/code.h"
#include "census/units.h"

#define MS_CENSUS_AT_A_TIME 64u /* labellings of one call */

#define MS_CENSUS_WINDOW (1u << 18) /* vertices of one call, at most */

/* In place of a number of entries (ms_vertex_numbers). */
#define MS_CENSUS_LEFT UINT32_MAX         /* the GPU cannot count the sets of this vertex */
#define MS_CENSUS_LATER (UINT32_MAX - 1u) /* there was no room: ask again, with fewer vertices */

/* The sets that hold each of some vertices, motif by motif. */
typedef struct ms_vertex_numbers {
  uint64_t *at;    /* [count] where the entries of a vertex begin */
  uint32_t *many;  /* [count] entries of a vertex, or MS_CENSUS_LEFT or MS_CENSUS_LATER */
  uint64_t *entry; /* [room] an entry is (2^32 - 1 - sets) 2^32 + motif.  The entries of a vertex
                      have no order; sorted, the motif with the most sets comes first.  The caller
                      frees it. */
  uint64_t entries, room;
  uint64_t most; /* entries */
} ms_vertex_numbers;

/* Sets of one class of graphs with kinds: its key is the code of the class, with the kind of vertex
 * i behind the bits of the code and of i kinds (ms_shape_kind_bits). */
typedef struct ms_shape_entry {
  uint64_t key, sets;
} ms_shape_entry;

/* Returns the bits of a kind in a key. */
static inline uint32_t ms_shape_kind_bits(uint32_t kinds)
{
  return kinds > 1 ? 32 - (uint32_t)__builtin_clz(kinds - 1) : 0;
}

/* The sets of some units by shape; what is added to begins with zeros. */
typedef struct ms_shape_numbers {
  uint64_t *total; /* [networks][2^bits] by codes, to which sets are added; their sum over a class
                      is right modulo 2^64 */
  /* In place of it, receives sets by keys, each of them any number of times. */
  ms_status (*take)(void *user, const ms_shape_entry *entry, uint64_t entries, ms_error *err);
  void *user;
  uint64_t keys;   /* that `take` will receive next */
  uint64_t tables; /* in each of which keys are different */
  double sets;     /* about */
  uint64_t visits; /* as ms_graphlet_search.visits */
  uint64_t bytes;  /* of memory of each GPU, at most */
} ms_shape_numbers;

/* One of several networks.  Its vertices have the next numbers after the last vertex of the
 * previous network, and its units after the last unit. */
typedef struct ms_shape_network {
  uint32_t vertices;
  uint64_t units;
} ms_shape_network;

typedef struct ms_census_on {
  const ms_census_graph *graph; /* of 3 or more vertices in a set; it must outlive the context */
  uint32_t k;
  const ms_dense *dense; /* its steps and its size; it must outlive the context; NULL for shapes */
  const int *device;     /* [devices] GPU numbers; NULL: the first ones */
  uint32_t devices;      /* 0: one, or all where there is much work */
  double sets;           /* estimated */
  int threads;           /* of the host */
  uint64_t memory;       /* bytes of each GPU; 0: all that is free */
  const ms_stop *stop;   /* may be NULL */
  ms_progress_fn progress;
  void *progress_user;
  /* For numbers of each vertex: */
  const uint32_t *motif; /* [rows][kinds] the number of the multiset of a row and one more kind;
                            NULL: only `count` and `count_labels` are called, else only
                            `count_vertices` */
  uint64_t motifs;       /* these numbers are below it; at most 2^32 - 2 */
  /* For shapes: */
  ms_graphlet_form form;
  bool by_keys; /* numbers are by keys, and kinds count */
  /* The networks that are the parts of one graph, each of which has numbers of its own.  A key ends
   * with the number of its network, after all kinds.  NULL: the graph is one network. */
  const ms_shape_network *network; /* [networks] */
  uint32_t networks;
  /* For shares: */
  uint64_t pieces;         /* roots of all units, each piece of a cut root counted; 0: no shares.
                              For shapes: units, of shares or not */
  ms_integrity *integrity; /* NULL: what is copied from the devices is not checked */
} ms_census_on;

typedef struct ms_census_accelerator {
  /* Returns the number of GPUs; to ask takes long for the first time. */
  int (*devices)(void);
  /* False if there is none, as far as is known without asking. */
  bool (*may_have_devices)(void);
  /* Returns MS_ERR_USAGE unless all of these GPUs exist, are usable and are named once. */
  ms_status (*check)(const int *named, uint32_t count, ms_error *err);
  /* True once this process has started a GPU. */
  bool (*is_started)(void);
  /* MS_ERR_USAGE: the graph is none for GPUs, and the message says why. */
  ms_status (*open)(const ms_census_on *on, void **context, ms_error *err);
  /* Adds to cell[rows][kinds] the sets of all roots but those that are left, by the multiset of the
   * kinds of k - 1 of their vertices and the kind of the last one, as the search reaches them; a
   * multiset of k kinds is in several cells.  `kind` [n], below graph->kinds, takes the place of
   * graph->kind; NULL: nothing does.  A stop of the token is an error. */
  ms_status (*count)(void *context, const ms_kind_id *kind, uint64_t *cell, ms_error *err);
  /* As `count` of the graph's kinds, for the sets of the units of a share. */
  ms_status (*count_units)(void *context, const ms_census_units *units, const ms_share *share,
                           uint64_t *cell, ms_error *err);
  /* Returns what the last count_units has left: units of one root or a part of it. */
  const ms_census_unit *(*left_units)(const void *context, uint64_t *count);
  /* Fills cell[labelings][rows][kinds] in the same way for label[n][MS_CENSUS_AT_A_TIME], kinds of
   * which the first `labelings` of each vertex are used.  A set is visited once for 32 labellings.
   * graph->kinds is 256 at most. */
  ms_status (*count_labels)(void *context, const uint8_t *label, uint32_t labelings, uint64_t *cell,
                            ms_error *err);
  /* Finds the numbers of sets that hold each of the vertices rank[count], by the kinds of the
   * graph, and replaces numbers->entries.  A stop of the token is an error. */
  ms_status (*count_vertices)(void *context, const uint32_t *rank, uint32_t count,
                              ms_vertex_numbers *numbers, ms_error *err);
  /* Returns the roots that the last count has left, ascending. */
  const uint32_t *(*left)(const void *context, uint64_t *count);
  /* Sets that the last count has visited, of those that have candidates; so they depend on ranks.
   */
  uint64_t (*visits)(const void *context);
  uint32_t (*used)(const void *context);  /* GPUs */
  uint64_t (*bytes)(const void *context); /* of memory of each GPU, at most */
  void (*close)(void *context);           /* accepts NULL */
  /* Of a census by shape, which has contexts of its own.  MS_ERR_USAGE: the graph is none for GPUs,
   * and the message says why. */
  ms_status (*open_shapes)(const ms_census_on *on, void **context, ms_error *err);
  /* Counts the sets of the units of a share.  After an error, numbers are undefined.  A stop of the
   * token is an error. */
  ms_status (*count_units_by_shape)(void *context, const ms_census_units *units,
                                    const ms_share *share, ms_shape_numbers *numbers,
                                    ms_error *err);
  void (*close_shapes)(void *context); /* accepts NULL */
  /* Not of GPUs: fills total[2^bits] (shapes/code.h), which is 0, at the codes of classes with the
   * connected sets of k vertices of an undirected graph, by formulas.  NULL: there are none.
   * MS_ERR_MEMORY: a search has to count. */
  ms_status (*count_shapes)(const ms_graph *graph, uint32_t k, const ms_run_limits *limits,
                            ms_budget *budget, uint64_t *total, ms_error *err);
} ms_census_accelerator;

/* Defined in gpu/: NVIDIA GPUs, or no device without the plug-in (gpu/loader). */
extern const ms_census_accelerator ms_census_gpus;

#endif
