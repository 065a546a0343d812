#include "census/graph.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/status.h"
#include "base/stop.h"
#include "graph/colors.h"
#include "graph/graph.h"

#include <string.h>

#define NONE UINT32_MAX

void ms_census_graph_free(ms_census_graph *g)
{
  if (g) {
    ms_free(g->offset);
    ms_free(g->neighbor);
    ms_free(g->vertex);
    ms_free(g->kind);
    ms_free(g->list_offset);
    ms_free(g->list);
    ms_free(g->color);
    ms_free(g);
  }
}

/* What is needed while the graph is made. */
typedef struct maker {
  const ms_graph *graph;
  const ms_coloring *coloring;
  const ms_census_options *options;
  ms_census_graph *g;
  uint32_t *number;   /* [colours] new number of each colour; NONE: no vertex has it */
  uint32_t *rank;     /* [n of the user's graph]; NONE: no colour */
  ms_kind_id *row;    /* [longest list] a vertex's colours, renumbered */
  uint32_t *table;    /* [places] kinds by the hash values of their lists; NONE: free */
  uint32_t places;    /* a power of two, more than twice the kinds */
  uint64_t list_room; /* of g->list */
} maker;

/* ---- colours ------------------------------------------------------------------------ */

/* Sets number[c] to 0 for the colours that count, else to NONE. */
static ms_status choose_colors(maker *m, ms_error *err)
{
  const ms_census_options *o = m->options;
  uint32_t colors = ms_names_count(m->coloring->names);
  m->number = ms_alloc(colors, sizeof *m->number);
  if (!m->number)
    return ms_fail_memory(err, "the colours of a census");
  memset(m->number, o->n_only > 0 ? 0xff : 0, colors * sizeof *m->number);
  for (uint32_t i = 0; i < o->n_only; i++) {
    if (o->only[i] >= colors)
      return ms_fail(err, MS_ERR_USAGE,
                     "colour %u of a census does not exist; there are %u colours", o->only[i],
                     colors);
    m->number[o->only[i]] = 0;
  }
  return MS_OK;
}

/* Returns the next colour of v that the census counts, from place *next on, which is moved behind
 * it.  Colours come in the order of their numbers.  NONE: there is no further one. */
static uint32_t next_color(const maker *m, uint32_t v, uint64_t *next)
{
  const ms_coloring *coloring = m->coloring;
  for (; *next < coloring->offset[v + 1]; ++*next) {
    uint32_t color = coloring->color[*next];
    if (m->number[color] != NONE) {
      *next = m->options->primary ? coloring->offset[v + 1] : *next + 1;
      return color;
    }
  }
  return NONE;
}

/* Numbers the colours that vertices have, and counts these vertices. */
static ms_status number_colors(maker *m, ms_error *err)
{
  ms_census_graph *g = m->g;
  uint32_t colors = ms_names_count(m->coloring->names), color;
  bool *used = ms_calloc(colors, sizeof *used);
  g->color = ms_alloc(colors, sizeof *g->color);
  if (!used || !g->color) {
    ms_free(used);
    return ms_fail_memory(err, "the colours of a census");
  }
  g->single = true;
  for (uint32_t v = 0; v < m->graph->n; v++) {
    uint32_t count = 0;
    uint64_t next = m->coloring->offset[v];
    for (; (color = next_color(m, v, &next)) != NONE; count++)
      used[color] = true;
    g->n += count > 0;
    g->single &= count < 2;
  }
  for (uint32_t c = 0; c < colors; c++) {
    m->number[c] = used[c] ? g->colors : NONE;
    if (used[c])
      g->color[g->colors++] = c;
  }
  ms_free(used);
  if (g->colors > MS_MOST_KINDS)
    return ms_fail(err, MS_ERR_USAGE,
                   "the vertices have %u colours, and a census is of at most %u; choose some by "
                   "`only`",
                   g->colors, MS_MOST_KINDS);
  return MS_OK;
}

/* ---- kinds -------------------------------------------------------------------------- */

static uint32_t fill_row(maker *m, uint32_t v)
{
  uint32_t count = 0, color;
  for (uint64_t next = m->coloring->offset[v]; (color = next_color(m, v, &next)) != NONE;)
    m->row[count++] = (ms_kind_id)m->number[color];
  return count;
}

/* Returns the place in the table of the kind of this list, or the free one where it belongs. */
static uint32_t find_place(const maker *m, const ms_kind_id *list, uint32_t count)
{
  const ms_census_graph *g = m->g;
  uint64_t hash = ms_hash_bytes(ms_hash_key_get(), list, count * sizeof *list);
  uint32_t at = (uint32_t)hash & (m->places - 1);
  for (; m->table[at] != NONE; at = (at + 1) & (m->places - 1)) {
    uint64_t begin = g->list_offset[m->table[at]], end = g->list_offset[m->table[at] + 1];
    if (end - begin == count && memcmp(g->list + begin, list, count * sizeof *list) == 0)
      break;
  }
  return at;
}

static ms_status add_kind(maker *m, uint32_t place, uint32_t count, ms_error *err)
{
  ms_census_graph *g = m->g;
  uint64_t begin = g->list_offset[g->kinds];
  if (g->kinds == MS_MOST_KINDS)
    return ms_fail(
        err, MS_ERR_USAGE,
        "the vertices have more than %u different lists of colours; choose fewer colours "
        "by `only`, or one for each vertex by `primary`",
        MS_MOST_KINDS);
  if (begin + count > m->list_room) {
    uint64_t room = 2 * m->list_room + count;
    ms_kind_id *larger = ms_resize(g->list, m->list_room, room, sizeof *larger);
    if (!larger)
      return ms_fail_memory(err, "the lists of colours");
    g->list = larger;
    m->list_room = room;
  }
  memcpy(g->list + begin, m->row, count * sizeof *m->row);
  m->table[place] = g->kinds;
  g->list_offset[++g->kinds] = begin + count;
  return MS_OK;
}

/* The kind of a vertex with one colour is the number of the colour. */
static ms_status add_single_kinds(maker *m, ms_error *err)
{
  ms_census_graph *g = m->g;
  g->list = ms_alloc(g->colors, sizeof *g->list);
  if (!g->list)
    return ms_fail_memory(err, "the lists of colours");
  for (g->kinds = 0; g->kinds < g->colors; g->kinds++) {
    g->list[g->kinds] = (ms_kind_id)g->kinds;
    g->list_offset[g->kinds + 1] = g->kinds + 1;
  }
  return MS_OK;
}

/* Makes room for all kinds that there may be. */
static ms_status open_kinds(maker *m, ms_error *err)
{
  ms_census_graph *g = m->g;
  uint32_t most = g->n < MS_MOST_KINDS ? g->n : MS_MOST_KINDS, longest = 0;
  if (g->single)
    most = g->colors;
  for (uint32_t v = 0; v < m->graph->n; v++) {
    uint32_t length = (uint32_t)(m->coloring->offset[v + 1] - m->coloring->offset[v]);
    longest = length > longest ? length : longest;
  }
  for (m->places = 4; m->places < 2 * (uint64_t)most;)
    m->places *= 2;
  m->row = ms_alloc(longest, sizeof *m->row);
  m->table = ms_alloc(m->places, sizeof *m->table);
  g->list_offset = ms_calloc((size_t)most + 1, sizeof *g->list_offset);
  if (!m->row || !m->table || !g->list_offset)
    return ms_fail_memory(err, "the lists of colours");
  memset(m->table, 0xff, m->places * sizeof *m->table);
  return g->single ? add_single_kinds(m, err) : MS_OK;
}

/* Sets the kind of each rank. */
static ms_status fill_kinds(maker *m, ms_error *err)
{
  ms_census_graph *g = m->g;
  MS_TRY(open_kinds(m, err));
  for (uint32_t r = 0; r < g->n; r++) {
    uint32_t count = fill_row(m, g->vertex[r]);
    if (g->single) {
      g->kind[r] = m->row[0];
      continue;
    }
    uint32_t place = find_place(m, m->row, count);
    if (m->table[place] == NONE)
      MS_TRY(add_kind(m, place, count, err));
    g->kind[r] = (ms_kind_id)m->table[place];
  }
  return MS_OK;
}

/* ---- ranks and rows ----------------------------------------------------------------- */

/* Ranks the vertices that have a colour breadth first, so that vertices that are near each other
 * lie near each other in memory. */
static void fill_ranks(maker *m)
{
  const ms_graph *graph = m->graph;
  ms_census_graph *g = m->g;
  uint32_t ranked = 0;
  for (uint32_t v = 0; v < graph->n; v++) {
    uint64_t next = m->coloring->offset[v];
    m->rank[v] = next_color(m, v, &next) == NONE ? NONE : NONE - 1;
  }
  for (uint32_t v = 0, head = 0; v < graph->n; v++) {
    if (m->rank[v] != NONE - 1)
      continue;
    m->rank[v] = ranked;
    g->vertex[ranked++] = v;
    for (; head < ranked; head++) {
      uint32_t u = g->vertex[head];
      for (uint64_t a = graph->offset[u]; a < graph->offset[u + 1]; a++) {
        uint32_t w = graph->neighbor[a];
        if (m->rank[w] == NONE - 1) {
          m->rank[w] = ranked;
          g->vertex[ranked++] = w;
        }
      }
    }
  }
}

/* Fills the rows: each rank, from the last one down, goes into the rows of its neighbours, which
 * are so in descending order. */
static ms_status fill_rows(maker *m, ms_error *err)
{
  const ms_graph *graph = m->graph;
  ms_census_graph *g = m->g;
  g->offset[0] = 0;
  for (uint32_t r = 0; r < g->n; r++) {
    uint32_t v = g->vertex[r], degree = 0;
    for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++)
      degree += m->rank[graph->neighbor[a]] != NONE;
    g->offset[r + 1] = g->offset[r] + degree;
    g->max_degree = degree > g->max_degree ? degree : g->max_degree;
  }
  g->neighbor = ms_alloc(g->offset[g->n], sizeof *g->neighbor);
  uint64_t *cursor = ms_alloc(g->n, sizeof *cursor);
  if (!g->neighbor || !cursor) {
    ms_free(cursor);
    return ms_fail_memory(err, "the graph of a census");
  }
  memcpy(cursor, g->offset, g->n * sizeof *cursor);
  for (uint32_t r = g->n; r-- > 0;) {
    uint32_t v = g->vertex[r];
    for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++) {
      uint32_t other = m->rank[graph->neighbor[a]];
      if (other != NONE)
        g->neighbor[cursor[other]++] = r;
    }
  }
  ms_free(cursor);
  return MS_OK;
}

static ms_status make(maker *m, ms_error *err)
{
  ms_census_graph *g = m->g;
  MS_TRY(choose_colors(m, err));
  MS_TRY(number_colors(m, err));
  g->offset = ms_alloc((size_t)g->n + 1, sizeof *g->offset);
  g->vertex = ms_alloc(g->n, sizeof *g->vertex);
  g->kind = ms_alloc(g->n, sizeof *g->kind);
  m->rank = ms_alloc(m->graph->n, sizeof *m->rank);
  if (!g->offset || !g->vertex || !g->kind || !m->rank)
    return ms_fail_memory(err, "the graph of a census");
  fill_ranks(m);
  MS_TRY(ms_stop_poll("the graph of a census is made", err));
  MS_TRY(fill_rows(m, err));
  MS_TRY(ms_stop_poll("the graph of a census is made", err));
  return fill_kinds(m, err);
}

ms_status ms_census_graph_new(const ms_graph *graph, const ms_coloring *coloring,
                              const ms_census_options *options, ms_census_graph **out,
                              ms_error *err)
{
  maker m = {.graph = graph, .coloring = coloring, .options = options};
  *out = NULL;
  m.g = ms_calloc(1, sizeof *m.g);
  if (!m.g)
    return ms_fail_memory(err, "the graph of a census");
  ms_status status = make(&m, err);
  ms_free(m.number);
  ms_free(m.rank);
  ms_free(m.row);
  ms_free(m.table);
  if (status == MS_OK)
    *out = m.g;
  else
    ms_census_graph_free(m.g);
  return status;
}
