/* The graph type: compressed sparse rows with vertex names. */
#ifndef MS_GRAPH_GRAPH_H
#define MS_GRAPH_GRAPH_H

#include "graph/names.h"
#include "graph/pairs.h"
#include "graph/rows.h"
#include "motifsieve.h"

/* A whole input in memory.  A plain file is mapped; any other input is read. */
typedef struct ms_image {
  void *bytes; /* read-only; aligned for every plain type; NULL: no image */
  size_t size;
  bool mapped;
} ms_image;

/* Frees the image and sets it to {0}; accepts {0}. */
void ms_image_free(ms_image *image);

/* Lets the system take back the memory of these bytes of a mapped image, which it reads again when
 * they are used.  They begin at a multiple of the size of a page.  Does nothing for others. */
void ms_image_forget(const ms_image *image, uint64_t at, uint64_t bytes);

/* What ms_graph_arcs states about a neighbour, as bits. */
enum { MS_ARC_TO = 1, MS_ARC_FROM = 2 };

struct ms_graph {
  uint64_t serial; /* ms_serial_next */
  uint32_t n;
  uint64_t arcs;                /* 2 * edges */
  uint64_t *offset;             /* [n + 1] */
  uint32_t *neighbor;           /* [arcs], ascending within a vertex, no self, no repeat */
  uint8_t *direction;           /* [arcs] MS_ARC_..; NULL: undirected */
  float *score;                 /* [arcs] the same for both arcs of an edge; NULL: no scores */
  bool owns_scores;             /* `score` is freed with the graph, and lies in no image */
  ms_names *names;              /* vertex id <-> name */
  ms_names *color_names;        /* colours that the file gave its vertices; NULL: none */
  ms_pairs colors;              /* (vertex, colour), with repeats, see MS_DEFAULT_COLORS */
  ms_pairs default_colors;      /* (0, colour) */
  struct ms_given_motif *motif; /* what the file states beside the graph; NULL: nothing */
  ms_names *edge_labels; /* different labels that the file gives edges; NULL: it gives none */
  bool some_unlabelled;  /* it gives labels, but not to every edge */
  ms_image image;     /* the file that holds offset, neighbor, colors and the names; bytes NULL: the
                         graph owns them */
  ms_image rows;      /* the temporary file that holds neighbor; bytes NULL: there is none */
  uint64_t runs;      /* sorted runs in which its edges were; 0: they were in memory */
  uint64_t run_bytes; /* that these took on the disk */
  char *taxon_prefix; /* "4932.", which the reader removed from every name; NULL: nothing */
  ms_names *aliases;  /* other names of vertices; NULL: none were read */
  uint32_t *alias_of; /* [aliases] vertex; MS_NO_ID: several vertices have that alias */
  char *alias_path;
  ms_graph_info info; /* info.path is owned */
  char *path;         /* "(in memory)" unless read from a file */
};

/* Counts the graph as input of what is read or made for it, such as its colours (base/meter.h). */
void ms_graph_is_input(const ms_graph *graph);

/* Builds the graph from m pairs and takes ownership of `names` (n names), whether or not it
 * succeeds.  Counts self-loops and duplicates.  `threads` 0: as ms_threads.  Time O(n + m); memory
 * beyond the result: 8 bytes for each vertex and thread (fewer threads where that is more than 16
 * bytes for each pair). */
ms_status ms_graph_build(uint32_t n, uint64_t m, const uint32_t (*edges)[2], ms_names *names,
                         int threads, ms_graph **out, ms_error *err);

/* Makes a graph of n vertices on rows without types, and takes ownership of rows, of `file` (NULL,
 * or what holds rows->neighbor) and of `names`, whether or not it succeeds.  rows and *file become
 * {0}. */
ms_status ms_graph_from_rows(uint32_t n, ms_rows *rows, ms_image *file, ms_names *names,
                             ms_graph **out, ms_error *err);

/* Fills in `direction` of a graph that was built from these pairs: from the first to the second.
 * May be called again for further arcs among its edges; in the end each edge needs one.  O(m log
 * degree). */
ms_status ms_graph_direct(ms_graph *graph, uint64_t m, const uint32_t (*arcs)[2], int threads,
                          ms_error *err);

/* Forgets the directions; the graph becomes undirected. */
void ms_graph_undirect(ms_graph *graph);

/* Returns the place of v in the row of u, or the number of arcs where the row does not have v. */
uint64_t ms_graph_find_arc(const ms_graph *graph, uint32_t u, uint32_t v);

/* Adds texts[n], or "0".."n-1" where texts is NULL, to an empty table.  MS_ERR_USAGE: a text is
 * no name, or occurs twice. */
ms_status ms_graph_make_names(uint32_t n, const char *const *texts, ms_names *names, ms_error *err);

/* Does what ms_graph_find does, for text[0..length).  Readers of other files find vertices with
 * it, so that aliases are known everywhere. */
uint32_t ms_graph_find_text(const ms_graph *graph, const char *text, size_t length);

#endif
