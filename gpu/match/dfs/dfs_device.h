/* A launch of the engine `dfs`: what the host (C) lays out and the kernels use.
 *
 * One persistent kernel: each warp searches depth first, with its own stack, and takes stretches
 * of units from a queue until none is left.  In programs with a table, a block searches a root,
 * and its warps share the candidates of level 1. */
#ifndef MS_GPU_MATCH_DFS_DEVICE_H
#define MS_GPU_MATCH_DFS_DEVICE_H

#include "gpu/match/classes.h"

#include <stdalign.h>
#include <stddef.h>

typedef struct ms_device_span {
  const uint32_t *ids; /* NULL: lo, lo + 1, .. */
  uint32_t lo, length;
} ms_device_span;

/* A level of the search, with its candidates. */
typedef struct ms_walk_level {
  ms_device_span span;
  uint32_t next;          /* the first candidate that was not taken */
  uint32_t base, pending; /* candidates base + i, for each bit i of `pending`, fit and wait */
} ms_walk_level;

/* Most vertices of a universe, of which the matrix has 75 megabytes; most words of a matrix of
 * fewer rows than vertices (ms_device_program.local_upper); and most vertices in programs for which
 * larger matrices do not pay (program.c). */
#define MS_LOCAL_MOST 24576u
#define MS_LOCAL_WORDS (MS_LOCAL_MOST * (MS_LOCAL_MOST / 32 + 1))
#define MS_LOCAL_FEW 2048u
#define MS_LOCAL_ROWS 4096u /* whole rows of which most vertices are in no domain */
/* Most vertices of a universe that a warp takes by itself; the same in a chain, and in a program
 * of ends. */
#define MS_LOCAL_SMALL 64u
#define MS_CHAIN_SMALL 128u
#define MS_ENDS_SMALL 256u

/* Returns the number of words from one row of a matrix to the next: an odd number, so that lanes
 * that read the same word of different rows do not wait for each other. */
static inline MS_BOTH_SIDES uint32_t ms_local_stride(uint32_t size)
{
  return (size + 31) / 32 | 1;
}

/* The same of a chain's matrix: an odd number of groups of four words, of which a tensor core takes
 * eight consecutive rows without conflicts between banks (dfs_product.cuh). */
static inline MS_BOTH_SIDES uint32_t ms_chain_stride(uint32_t size)
{
  return ((size + 127) / 128 | 1) * 4;
}

static inline MS_BOTH_SIDES uint32_t ms_matrix_stride(const ms_device_program *p, uint32_t size)
{
  return p->chain ? ms_chain_stride(size) : ms_local_stride(size);
}

/* A chain of more levels than this has shorter slices in larger universes, but none shorter than is
 * enough for all warps of a block. */
#define MS_SHORT_CHAIN 4u
/* Vertices of a universe that is never too dense for a warp. */
#define MS_CHAIN_LIGHT 32u
/* Most slices of its universes, about: each slice makes the matrix again. */
#define MS_CHAIN_SLICES 32u

static inline MS_BOTH_SIDES uint32_t ms_least_slice(uint32_t slice)
{
  return slice < 24 ? slice : 24;
}
/* The same for each warp of a block that has a multiprocessor alone. */
#define MS_LEAST_OF_WARP 4u

/* Returns the number rounded up to a multiple of four: words that may be read by fours come after
 * parts of such lengths. */
static inline MS_BOTH_SIDES uint32_t ms_by_fours(uint32_t words)
{
  return (words + 3) / 4 * 4;
}

/* Words of the filter of 32 roots (dfs_local_block.cuh), a power of two; most of their neighbours
 * that it takes at a time; and the bytes of the warp's shared memory. */
#define MS_SCREEN_WORDS 512u
#define MS_SCREEN_MOST 1024u
#define MS_SCREEN_BYTES ((MS_SCREEN_WORDS + 32) * 4)

/* Words of a warp's two lists of pairs that wait until there is one for each lane. */
#define MS_LOCAL_LISTS 128u

/* Returns the bytes of a warp's part of shared memory. */
static inline MS_BOTH_SIDES uint32_t ms_local_warp_bytes(uint32_t prefix, uint32_t slots,
                                                         uint32_t stride)
{
  return (ms_by_fours(prefix) + MS_LOCAL_LISTS + slots * stride) * (uint32_t)sizeof(uint32_t);
}

/* Most words of the filter of a universe. */
#define MS_FILTER_MOST 4096u
/* Returns the words of the filter of a universe (dfs_universe.cuh): a power of two, with 32 bits or
 * more for each of up to 4,096 vertices, and 16 or more for each of up to 8,192. */
static inline MS_BOTH_SIDES uint32_t ms_filter_words(uint32_t size)
{
  uint32_t words = 4;
  while (words < size && words < MS_FILTER_MOST)
    words *= 2;
  return words;
}

/* Threads of a block that counts slices of chains, fewer than for other programs, because chains
 * need more registers; and threads of a block that has a multiprocessor alone. */
#define MS_CHAIN_THREADS 384
#define MS_ALONE_THREADS 768
/* Most threads of a block that counts codegrees. */
#define MS_CODEGREE_THREADS 1024

/* Most vertices of a small matrix (dfs_small.cuh), and the number of sets that a warp's waiting
 * list holds. */
#define MS_CHAIN_ROOM 128u
#define MS_CHAIN_WAITING 64u

/* Words of the waiting list, which chains need of which a matrix is to place four vertices.  Their
 * place is also that of the lists of pairs and of places, which are not in use at the same time. */
static inline MS_BOTH_SIDES uint32_t ms_chain_waiting_words(uint32_t prefix)
{
  return prefix > 3 ? 4 * MS_CHAIN_WAITING : MS_LOCAL_LISTS;
}

/* Bytes of a wide row, and most vertices that have one (dfs_small.cuh). */
#define MS_CHAIN_WIDE_BYTES (2 * MS_CHAIN_ROOM / 8)
#define MS_CHAIN_WIDE MS_CHAIN_ROOM

/* Sets of a search, and as many of a search in a small matrix. */
static inline MS_BOTH_SIDES uint32_t ms_chain_sets(uint32_t prefix)
{
  return prefix - 2;
}

/* Returns the bytes of a warp's part of shared memory for a chain whose matrix has this stride;
 * room: most vertices of a small matrix, 0 if there is none; wide: most vertices with wide rows. */
static inline MS_BOTH_SIDES uint32_t ms_chain_warp_bytes(uint32_t prefix, uint32_t stride,
                                                         uint32_t room, uint32_t wide)
{
  uint32_t sets = ms_chain_sets(prefix);
  uint32_t small = ms_chain_stride(MS_CHAIN_ROOM);
  return (ms_by_fours(prefix) + ms_chain_waiting_words(prefix) +
          sets * (stride + 4 + (room > 0 ? small + 4 : 0)) + room * small) *
             (uint32_t)sizeof(uint32_t) +
         wide * MS_CHAIN_WIDE_BYTES;
}

/* Most slices of a program of codegrees, of one row; and of another program that is no chain. */
#define MS_MOST_SLICES 256u
#define MS_LOCAL_SLICES 16u

/* Programs with a table, and local ones (dfs_local.cuh), have two kernels: in the first, warps
 * search the roots that are little work and list the others; the second searches the list. */
typedef enum ms_dfs_kernel {
  MS_DFS_COUNT,
  MS_DFS_LIST,
  MS_DFS_PATHS,
  MS_DFS_TABLE,
  MS_DFS_LOCAL,
  MS_DFS_SLICES,
  MS_DFS_CODEGREES,
  MS_DFS_SQUARES,
  MS_DFS_RANGES,
  MS_DFS_CHAIN,
  MS_DFS_CHAIN_SLICES,
  MS_DFS_TRIANGLES, /* of weighted squares: this one, the next one and the last one of these five
                       make the weights; the others count books */
  MS_DFS_ADD_TRIANGLES,
  MS_DFS_SPINES,
  MS_DFS_PAGES,
  MS_DFS_WEIGHTS,
  MS_DFS_WEIGHTED_SQUARES,
  MS_DFS_WEIGHTED_RANGES,
  MS_DFS_SCREENED_LOCAL, /* the first kernels of local programs and chains whose roots are screened
                          */
  MS_DFS_SCREENED_CHAIN,
  MS_DFS_COUNT_WORK, /* these two sort the list */
  MS_DFS_SORT_WORK,
  MS_DFS_TRIANGLE_ENDS,
  MS_DFS_TEAM_CHAINS /* the first kernel of chains in graphs of few edges (dfs_team.cuh) */
} ms_dfs_kernel;

/* How a table finds a vertex's entry: each vertex has an entry, of 32 or 16 bits, or it shares
 * few entries with others, by its hash. */
typedef enum ms_table_kind { MS_TABLE_FULL, MS_TABLE_HALF, MS_TABLE_HASH } ms_table_kind;
/* Entries of a warp's hash table; the same of joined programs in graphs of so many vertices that a
 * block has its table in global memory, which is far slower. */
#define MS_HASH_ROOM 512u
#define MS_HASH_MORE 1024u

/* Entries of the hash table of a warp that counts codegrees, most of its paths, and the bytes of
 * the warp's shared memory (dfs_squares.cuh). */
#define MS_SQUARE_ROOM 1024u
#define MS_SQUARE_PATHS (MS_SQUARE_ROOM / 4 * 3)
#define MS_SQUARE_GROUP 32u /* roots that a warp takes at a time */
#define MS_SQUARE_WARP_BYTES (MS_SQUARE_ROOM * 6 + 32 * 4)

/* Most threads of a block that counts a range, and of one that also weighs it. */
#define MS_RANGE_THREADS 768
#define MS_WEIGH_THREADS 512

/* Most parts of a range. */
#define MS_RANGE_PARTS 32u

/* Classes of ids by the counters of squares: no degree in class c needs more than 2 << c bits. */
#define MS_SQUARE_CLASSES 5u

/* The ids of class c are [id[c], id[c + 1]), and its ranges [range[c], range[c + 1]); a range is of
 * as many ids as 1 << log_words words have counters for.  Below id[0], no vertex ends two paths. */
typedef struct ms_square_ranges {
  uint32_t id[MS_SQUARE_CLASSES + 1], range[MS_SQUARE_CLASSES + 1], log_words;
  double parts; /* of a range, for each middle of the root and each arc at the range */
} ms_square_ranges;

/* Rows of middles that the warps of a block visit together, one for each thread; the counters
 * follow. */
typedef struct ms_range_rows {
  alignas(16) uint64_t first[MS_RANGE_THREADS]; /* the place of the first element */
  uint32_t begin[MS_RANGE_THREADS];             /* the number of the first element among all */
  uint32_t of_warp[MS_RANGE_THREADS];           /* elements of each warp's rows */
} ms_range_rows;

/* Returns the bytes of the rows and the counters. */
static inline MS_BOTH_SIDES uint64_t ms_range_bytes(const ms_square_ranges *r)
{
  uint64_t words = (uint64_t)1 << r->log_words;
  return sizeof(ms_range_rows) + (words > 4 ? words : 4) * sizeof(uint32_t);
}

/* Returns the binary logarithm of the ids of a range of the class. */
static inline MS_BOTH_SIDES uint32_t ms_square_log_ids(const ms_square_ranges *r, uint32_t class_of)
{
  return r->log_words + MS_SQUARE_CLASSES - 1 - class_of;
}

/* Classes of work by which a list is sorted (dfs_list.cuh). */
#define MS_WORK_CLASSES 128u

/* A part of a root's candidates of level 1. */
typedef struct ms_slice {
  uint32_t root, slice; /* root: its number; the candidates are [slice, slice + 1) times the
                           length of a slice; in programs with a table, every p-th one from number
                           s on, where slice is s * MS_PARTS + p; of squares, (r * MS_RANGE_PARTS +
                           s) * MS_RANGE_PARTS
                           + p - 1 for part s of p of range r
                         */
} ms_slice;

/* Roots, or slices of roots, that are too much for one warp. */
typedef struct ms_work_list {
  ms_slice *slices;
  ms_slice *sorted; /* the same, the heaviest first; NULL: the list is not sorted */
} ms_work_list;

/* More than the most parts of a root in a program with a table. */
#define MS_PARTS 32u

/* A block's shared memory begins with this; the warps' parts follow, and the table if it is
 * there.  What follows begins at a multiple of 16 bytes. */
typedef struct ms_dfs_block {
  alignas(16) ms_device_program program;
  ms_gpu_sum sum;
  uint32_t child, n_touched[2], stop; /* n_touched: of the part, and of other parts */
  ms_slice slice;                     /* the current one */
} ms_dfs_block;

/* Threads of a block that searches batches of universes (dfs_team.cuh), the blocks of a
 * multiprocessor, the entries of the table that finds a batch's vertices (a power of two), the most
 * edges of a batch that are listed, and the ids that the table takes. */
#define MS_TEAM_THREADS 128
#define MS_TEAM_BLOCKS 8
#define MS_TEAM_TABLE (4 * MS_CHAIN_SMALL)
#define MS_TEAM_EDGES 2048u
#define MS_TEAM_IDS (UINT32_MAX / MS_CHAIN_SMALL)

/* The universe of a root. */
typedef struct ms_team_entry {
  const uint32_t *ids;
  uint32_t length, number; /* number: of the root */
} ms_team_entry;

/* What the warps of such a block share; it follows the parts of the warps. */
typedef struct ms_team {
  alignas(16) uint32_t matrix[MS_CHAIN_SMALL * MS_CHAIN_SMALL / 32]; /* of the current batch */
  ms_team_entry entry[MS_TEAM_THREADS]; /* `small` ones for batches first, `large` ones last */
  uint64_t begin[MS_CHAIN_SMALL];       /* of the larger neighbours of each vertex, and .. */
  uint32_t length[MS_CHAIN_SMALL];      /* .. their number */
  uint32_t base[MS_CHAIN_SMALL];        /* the first place of the vertex's universe */
  uint32_t key[MS_TEAM_TABLE];
  uint8_t place[MS_TEAM_TABLE]; /* of each key */
  uint16_t edge[MS_TEAM_EDGES]; /* two places of each: first * MS_CHAIN_SMALL + second */
  uint32_t large, small, edges; /* edges: found, of which those after the first MS_TEAM_EDGES are
                                   not listed */
} ms_team;

/* All pointers are to device memory. */
typedef struct ms_dfs_launch {
  ms_device_index index;
  const ms_device_program *program;
  ms_gpu_queue *queue;
  ms_unit_classes share;             /* queue->next counts the places taken, from the end */
  uint64_t most;                     /* places of a stretch */
  uint32_t blocks, warps;            /* warps: of a block */
  uint32_t near_room;                /* elements of a stored set in shared memory */
  uint32_t warp_bytes, shared_bytes; /* of shared memory: a warp's, a block's */
  uint64_t far_room;                 /* elements of a stored set in global memory */
  uint32_t *far_sets;                /* [blocks * warps][n_slots][far_room] */
  uint8_t *table;                    /* [blocks][table_bytes] all zero; NULL: in shared memory */
  uint64_t table_bytes;
  bool table_half;   /* 16 bits for each entry */
  uint32_t *touched; /* [blocks][touched_room] of programs with a table */
  uint64_t touched_room;
  uint32_t hash_room;    /* entries of a warp's hash table; at most half of them are used */
  ms_work_list list[2];  /* dfs_list.cuh */
  uint32_t from;         /* the list that the launch takes */
  bool whole;            /* list 0 has whole universes of a chain, list 1 slices (dfs_slices.cuh) */
  double dense;          /* the work of a universe from which it is in slices; HUGE_VAL: none is */
  uint32_t *of_class;    /* [2][MS_WORK_CLASSES] of a list that is sorted: numbers of entries */
  bool by_parts;         /* devices share parts of roots, not roots */
  uint32_t small, slice; /* small: vertices of a warp's universe, or entries of its table; slice:
                            candidates of a slice, or paths of a part */
  ms_square_ranges ranges; /* dfs_squares.cuh */
  uint32_t screen; /* of local programs: edges without which a root with a small universe has no
                      match; 0: roots are not screened (dfs_local_block.cuh) */
  bool teams;      /* of chains: blocks search batches of small universes (dfs_team.cuh) */
  uint32_t square_common;     /* of weighted squares (dfs_weights.cuh); 0: there are no weights */
  unsigned long long *weight; /* [arcs] of each edge; where several devices make the weights,
                                 numbers of triangles before that, all zero at first; or [n] books
                                 at each vertex */
  uint32_t *triangles;  /* [arcs] numbers of triangles at the arcs to larger vertices; all zero
                           at first */
  uint32_t part, parts; /* of the arcs: their triangles are counted (dfs_weights.cuh) */
  uint32_t universe;    /* most vertices of a universe */
  uint32_t finder; /* entries of the table that finds a vertex's place in a block's universe; 0:
                      places are searched for */
  uint32_t room;   /* vertices of a small matrix */
  uint32_t wide;   /* vertices with wide rows */
  uint32_t least;  /* candidates of a slice of a long chain, at least */
  uint32_t matrix_bytes; /* of a matrix in shared memory; larger matrices are in `matrices` */
  uint8_t *matrices;     /* [blocks][matrices_bytes] */
  uint64_t matrices_bytes;
  uint64_t far_bytes; /* of the end of a block's part of `matrices`: what blocks otherwise have in
                         shared memory, masks and then the warps' sets; 0: it is there.  Of
                         codegrees: the bits of the first vertices */
  ms_device_place *place; /* [blocks * warps] of a listing: depth is MS_DEVICE_LEVELS or more where
                             nothing is left; NULL: count */
  uint32_t *rows;         /* [capacity][prefix] the output of a listing */
  uint64_t capacity;
  bool enough; /* a full output is all that is wanted: warps end soon after, and save nothing */
} ms_dfs_launch;

/* Bytes of a warp's shared memory, and the offsets in it of what ms_walk points to. */
typedef struct ms_dfs_layout {
  uint32_t level, set, match, size, near_sets, bytes;
} ms_dfs_layout;

static inline MS_BOTH_SIDES ms_dfs_layout ms_dfs_layout_of(uint32_t prefix, uint32_t n_sets,
                                                           uint32_t n_groups, uint32_t n_slots,
                                                           uint32_t near_room)
{
  ms_dfs_layout l;
  uint32_t sizes = (uint32_t)1 << n_groups;
  l.level = 0;
  l.set = l.level + prefix * (uint32_t)sizeof(ms_walk_level);
  l.match = l.set + n_sets * (uint32_t)sizeof(ms_device_span);
  l.size = l.match + prefix * (uint32_t)sizeof(uint32_t);
  l.near_sets = l.size + (sizes < 32 ? 32 : sizes) * (uint32_t)sizeof(uint32_t);
  l.bytes = (l.near_sets + n_slots * near_room * (uint32_t)sizeof(uint32_t) + 15u) & ~15u;
  return l;
}

#ifdef __cplusplus
extern "C"
#endif
    /* The address of a kernel; its only argument is an ms_dfs_launch. */
    const void *
    ms_dfs_function(ms_dfs_kernel kernel);

#endif
