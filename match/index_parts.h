/* Steps that the index of a whole graph and the index of a part of it share.  `threads` is the
 * greatest number of threads, as for ms_threads; nothing depends on it. */
#ifndef MS_MATCH_INDEX_PARTS_H
#define MS_MATCH_INDEX_PARTS_H

#include "base/threads/parallel.h"
#include "match/index.h"

#define MS_INDEX_PHASE "the graph is indexed"
/* Vertices that a thread takes at a time. */
#define MS_INDEX_CHUNK 256u

/* Returns the number of chunks of an index. */
uint64_t ms_index_chunks(const ms_pattern_index *index);
/* Runs fn on ranges that together are all chunks, and looks for a stop before each.  The i-th chunk
 * is the i-th from the end, because the vertices of high degree, which come last, would keep one
 * thread busy in the end. */
ms_status ms_index_loop(const ms_pattern_index *index, int threads, ms_range_fn *fn, void *user,
                        ms_error *err);
/* Returns the first vertex of the i-th chunk; *end is the one after the last. */
static inline uint32_t ms_index_chunk(const ms_pattern_index *index, uint64_t i, uint32_t *end)
{
  uint32_t begin = (index->n - 1) / MS_INDEX_CHUNK * MS_INDEX_CHUNK - (uint32_t)i * MS_INDEX_CHUNK;
  *end = index->n - begin < MS_INDEX_CHUNK ? index->n : begin + MS_INDEX_CHUNK;
  return begin;
}

/* Sorts vertex[] by (colour, degree, vertex), and sets id[] to its inverse. */
ms_status ms_index_number(ms_pattern_index *index, int threads, ms_error *err);
/* Sorts index->vertex[index->n], which ascends by vertex, by (colour, degree, vertex), or by
 * (degree, vertex) if some vertex has several colours.  The array may be replaced by another one.
 * degree[graph vertices] is at most `highest`. */
ms_status ms_index_sort(ms_pattern_index *index, const uint32_t *degree, uint32_t highest,
                        int threads, ms_error *err);
/* Fills the rows of a kind. */
ms_status ms_index_fill_rows(ms_pattern_index *index, int kind, int threads, ms_error *err);
/* Computes, from vertices and rows, everything else that the index of a graph holds. */
ms_status ms_index_measure(ms_pattern_index *index, int threads, ms_error *err);

#endif
