#include "match/cpu/root_graph.h"

#include "base/alloc.h"
#include "base/status.h"
#include "match/cpu/runner_inline.h"

#include <string.h>

/* Returns the set of the root's row of which the candidates of the tail are a part, or -1. */
static int set_of_root(const ms_program *p)
{
  int set = p->group[0].set;
  if (p->prefix != 2 || set < 0)
    return -1;
  set = p->set[set].parent;
  return set >= 0 && p->set[set].parent < 0 && p->set[set].level == 0 ? set : -1;
}

bool ms_root_graph_suits(const ms_program *program)
{
  return set_of_root(program) >= 0;
}

ms_status ms_root_graph_init(ms_root_graph *g, const ms_program *program, ms_error *err)
{
  *g = (ms_root_graph){.set = set_of_root(program), .root = UINT32_MAX};
  if (g->set < 0)
    return MS_OK;
  g->mask = ms_calloc(MS_ROOT_GRAPH_MOST / 64, sizeof *g->mask);
  g->rank = ms_alloc(MS_ROOT_GRAPH_MOST, sizeof *g->rank);
  g->place = ms_calloc((size_t)program->index->n + 1, sizeof *g->place);
  return g->mask && g->rank && g->place ? MS_OK : ms_fail_memory(err, "the graph under a root");
}

void ms_root_graph_free(ms_root_graph *g)
{
  ms_free(g->bits);
  ms_free(g->mask);
  ms_free(g->rank);
  ms_free(g->place);
}

size_t ms_lower_neighbors(const ms_runner *r, const uint32_t *ids, size_t i, uint32_t *out)
{
  const ms_pattern_index *index = r->program->index;
  const uint64_t *bits = ms_hub_bits(index, ids[i]);
  uint32_t length;
  const uint32_t *row = ms_row(&index->rows[MS_ROWS_ANY], ids[i], &length);
  if (i == 0)
    return 0;
  if (bits && i < length)
    return r->sorted->filter(ids, i, bits, true, out);
  ms_span near = cut((ms_span){.ids = row, .length = length}, (bounds){ids[0], ids[i]});
  return i <= near.length ? r->sorted->intersect(ids, i, near.ids, near.length, out)
                          : r->sorted->intersect(near.ids, near.length, ids, i, out);
}

static void forget_vertices(ms_root_graph *g)
{
  for (size_t i = 0; g->root != UINT32_MAX && i < g->vertex.length; i++)
    g->place[g->vertex.ids[i]] = 0;
  g->root = UINT32_MAX;
}

/* Makes room for the rows, which are empty then. */
static bool make_room(ms_root_graph *g)
{
  size_t all = g->vertex.length * g->words;
  if (all > g->room) {
    ms_free(g->bits);
    g->room = 0;
    g->bits = ms_alloc(all + all / 2, sizeof *g->bits);
    if (!g->bits)
      return false;
    g->room = all + all / 2;
  }
  memset(g->bits, 0, all * sizeof *g->bits);
  return true;
}

bool ms_root_graph_make(ms_root_graph *g, const ms_runner *r, ms_space *space)
{
  if (g->root == r->match[0])
    return true;
  forget_vertices(g);
  g->vertex = r->set[g->set];
  if (g->vertex.length > MS_ROOT_GRAPH_MOST)
    return true;
  g->words = (g->vertex.length + 63) / 64;
  if (!ms_space_for(space, g->vertex.length) || !make_room(g))
    return false;
  g->root = r->match[0];
  for (size_t i = 0; i < g->vertex.length; i++) {
    size_t count = ms_lower_neighbors(r, g->vertex.ids, i, space->ids);
    for (size_t k = 0; k < count; k++) {
      uint32_t j = g->place[space->ids[k]] - 1;
      g->bits[i * g->words + j / 64] |= UINT64_C(1) << j % 64;
    }
    g->place[g->vertex.ids[i]] = (uint32_t)i + 1;
  }
  return true;
}

void ms_root_graph_choose(ms_root_graph *g, ms_span chosen)
{
  for (size_t k = 0; k < chosen.length; k++) {
    uint32_t i = g->place[chosen.ids[k]] - 1;
    g->mask[i / 64] |= UINT64_C(1) << i % 64;
    g->rank[i] = (uint32_t)k;
  }
}

void ms_root_graph_release(ms_root_graph *g, ms_span chosen)
{
  for (size_t k = 0; k < chosen.length; k++)
    g->mask[(g->place[chosen.ids[k]] - 1) / 64] = 0;
}

size_t ms_root_graph_lower(const ms_root_graph *g, uint32_t v, uint32_t *places)
{
  size_t i = g->place[v] - 1, count = 0;
  const uint64_t *row = g->bits + i * g->words;
  for (size_t w = 0; w <= i / 64; w++)
    for (uint64_t left = row[w] & g->mask[w]; left; left &= left - 1)
      places[count++] = g->rank[w * 64 + (size_t)__builtin_ctzll(left)];
  return count;
}
