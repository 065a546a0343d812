#include "graph/content.h"

#include "base/crc32c.h"
#include "graph/colors.h"
#include "graph/graph.h"

static uint32_t add_names(uint32_t crc, const ms_names *names)
{
  ms_name_blocks blocks = ms_names_blocks(names);
  return ms_crc32c(crc, blocks.pool, blocks.pool_bytes);
}

uint32_t ms_graph_content(const ms_graph *g)
{
  uint32_t crc = ms_crc32c(0, &g->n, sizeof g->n);
  crc = ms_crc32c(crc, g->offset, ((size_t)g->n + 1) * sizeof *g->offset);
  crc = ms_crc32c(crc, g->neighbor, g->arcs * sizeof *g->neighbor);
  if (g->direction)
    crc = ms_crc32c(crc, g->direction, g->arcs * sizeof *g->direction);
  if (g->score)
    crc = ms_crc32c(crc, g->score, g->arcs * sizeof *g->score);
  return add_names(crc, g->names);
}

uint32_t ms_coloring_content(const ms_coloring *c)
{
  uint32_t crc = ms_crc32c(0, &c->n, sizeof c->n);
  crc = ms_crc32c(crc, c->offset, ((size_t)c->n + 1) * sizeof *c->offset);
  crc = ms_crc32c(crc, c->color, c->offset[c->n] * sizeof *c->color);
  return add_names(crc, c->names);
}
