/* Rows of two names; see pair_rows.h. */
#include "graph/io/pair_rows.h"

#include "base/alloc.h"
#include "base/compiler.h"
#include "base/threads/parallel.h"
#include "base/threads/threads.h"

#include <string.h>

/* A block of rows takes about a megabyte, which the cache of a core holds; each thread has several
 * blocks a round, since blocks differ. */
enum { BLOCK_ARCS = 1 << 17, BLOCKS_A_THREAD = 4, MOST_BLOCKS = 1024, STEPS_AN_ARC = 8 };

/* The rows of the vertices begin .. end - 1, of which each is joined to greater ones.  A hub may
 * make a block much longer than others. */
typedef struct block {
  uint32_t begin, end;
  char *text;
  size_t used, room;
  bool fails; /* there is no memory for its text */
} block;

typedef struct round {
  const ms_graph *graph;
  block *blocks;
} round;

static void append(block *b, const char *name, char mark)
{
  size_t length = strlen(name), needed = b->used + length + 1;
  if (needed > b->room && !b->fails) {
    char *text = ms_resize(b->text, b->used, 2 * needed + 4096, 1);
    b->fails = !text;
    if (text) {
      b->text = text;
      b->room = 2 * needed + 4096;
    }
  }
  if (b->fails)
    return;
  memcpy(b->text + b->used, name, length);
  b->text[needed - 1] = mark;
  b->used = needed;
}

typedef void put_row(void *to, const char *a, const char *b);

static inline void append_row(void *to, const char *a, const char *b)
{
  append(to, a, '\t');
  append(to, b, '\n');
}

static inline void write_row(void *to, const char *a, const char *b)
{
  ms_outfile_printf(to, "%s\t%s\n", a, b);
}

MS_ALWAYS_INLINE void for_rows(const ms_graph *graph, const block *b, put_row *put, void *to)
{
  for (uint32_t v = b->begin; v < b->end; v++) {
    uint64_t begin = graph->offset[v], end = graph->offset[v + 1];
    const char *name = ms_names_get(graph->names, v);
    if (begin == end)
      put(to, name, name);
    for (uint64_t a = begin; a < end; a++)
      if (graph->neighbor[a] > v)
        put(to, name, ms_names_get(graph->names, graph->neighbor[a]));
  }
}

static void fill_blocks(void *user, ms_range r)
{
  const round *all = user;
  for (uint64_t i = r.begin; i < r.end; i++) {
    block *b = &all->blocks[i];
    b->used = 0;
    b->fails = false;
    for_rows(all->graph, b, append_row, b);
  }
}

static void write_block(const ms_graph *graph, const block *b, ms_outfile *out)
{
  if (b->fails)
    for_rows(graph, b, write_row, out);
  else
    ms_outfile_write(out, b->text, b->used);
}

/* Returns the end of the block that begins at this vertex. */
static uint32_t block_end(const ms_graph *graph, uint32_t begin)
{
  uint32_t v = begin + 1;
  while (v < graph->n && graph->offset[v + 1] - graph->offset[begin] + v - begin < BLOCK_ARCS)
    v++;
  return v;
}

void ms_write_pair_rows(const ms_graph *graph, ms_outfile *out)
{
  int threads = ms_threads_for(0, (graph->arcs + graph->n) * STEPS_AN_ARC);
  uint32_t count =
      threads < MOST_BLOCKS / BLOCKS_A_THREAD ? (uint32_t)threads * BLOCKS_A_THREAD : MOST_BLOCKS;
  block one = {.fails = true}, *blocks = ms_calloc(count, sizeof *blocks);
  for (uint32_t v = 0; v < graph->n && !ms_outfile_failed(out);) {
    uint32_t made = 0;
    for (; blocks && made < count && v < graph->n; made++, v = blocks[made - 1].end) {
      blocks[made].begin = v;
      blocks[made].end = block_end(graph, v);
    }
    if (!blocks) {
      one.begin = v;
      one.end = v = block_end(graph, v);
      write_block(graph, &one, out);
    }
    ms_parallel(threads, made, 1, fill_blocks, &(round){graph, blocks});
    for (uint32_t i = 0; i < made; i++)
      write_block(graph, &blocks[i], out);
  }
  for (uint32_t i = 0; blocks && i < count; i++)
    ms_free(blocks[i].text);
  ms_free(blocks);
}
