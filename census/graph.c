#include "census/graph.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/stop.h"
#include "base/threads/threads.h"
#include "graph/colors.h"
#include "graph/graph.h"
#include "graph/sort_ids.h"

#include <stdatomic.h>
#include <string.h>

#define NONE UINT32_MAX
#define UNRANKED (UINT32_MAX - 1)
#define REGION 32768u /* least vertices of a region */
#define SHORT 32u     /* rows that are sorted by insertion */
#define RANGE 16384u  /* vertices of a range of a loop */

void ms_census_graph_free(ms_census_graph *g)
{
  if (g) {
    ms_free(g->offset);
    ms_free(g->neighbor);
    ms_free(g->direction);
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
  uint32_t *number;       /* [colours] new number of each colour; NONE: no vertex has it */
  _Atomic uint32_t *rank; /* [n of the user's graph]; NONE: no colour; UNRANKED: not yet */
  ms_kind_id *row;        /* [longest list] a vertex's colours, renumbered */
  uint32_t *table;        /* [places] kinds by the hash values of their lists; NONE: free */
  uint32_t places;        /* a power of two, more than twice the kinds */
  uint64_t list_room;     /* of g->list */
  int threads;
  uint32_t regions;          /* at most, before fill_ranks */
  atomic_uchar *used;        /* [colours] some vertex has it */
  atomic_uint_fast32_t some; /* vertices with a colour */
  atomic_bool several;       /* a vertex has several colours */
  atomic_bool full;          /* there was no memory for sorting a row */
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

/* Notes the colours of some vertices; a loop. */
static void note_colors(void *user, ms_range r)
{
  maker *m = user;
  uint32_t some = 0, color;
  for (uint64_t v = r.begin; v < r.end; v++) {
    uint32_t count = 0;
    uint64_t next = m->coloring->offset[v];
    for (; (color = next_color(m, (uint32_t)v, &next)) != NONE; count++)
      if (!atomic_load_explicit(&m->used[color], memory_order_relaxed))
        atomic_store_explicit(&m->used[color], 1, memory_order_relaxed);
    some += count > 0;
    m->rank[v] = count > 0 ? UNRANKED : NONE;
    if (count > 1)
      atomic_store_explicit(&m->several, true, memory_order_relaxed);
  }
  atomic_fetch_add(&m->some, some);
}

/* Numbers the colours that vertices have, and counts these vertices, whose rank becomes UNRANKED.
 */
static ms_status number_colors(maker *m, ms_error *err)
{
  ms_census_graph *g = m->g;
  uint32_t colors = ms_names_count(m->coloring->names);
  m->used = ms_calloc(colors, sizeof *m->used);
  m->rank = ms_alloc(m->graph->n, sizeof *m->rank);
  g->color = ms_alloc(colors, sizeof *g->color);
  if (!m->used || !m->rank || !g->color)
    return ms_fail_memory(err, "the colours of a census");
  ms_parallel(m->threads, m->graph->n, RANGE, note_colors, m);
  g->n = (uint32_t)atomic_load(&m->some);
  g->single = !atomic_load(&m->several);
  for (uint32_t c = 0; c < colors; c++) {
    bool used = atomic_load_explicit(&m->used[c], memory_order_relaxed);
    m->number[c] = used ? g->colors : NONE;
    if (used)
      g->color[g->colors++] = c;
  }
  if (g->colors > MS_MOST_KINDS)
    return ms_fail(err, MS_ERR_USAGE,
                   "the vertices have %u colours, and a census is of at most %u; choose some by "
                   "`only`",
                   g->colors, MS_MOST_KINDS);
  return MS_OK;
}

/* Without a colouring, all vertices take part. */
static ms_status take_all(maker *m, ms_error *err)
{
  m->rank = ms_alloc(m->graph->n, sizeof *m->rank);
  if (!m->rank)
    return ms_fail_memory(err, "the vertices of a census");
  for (uint32_t v = 0; v < m->graph->n; v++)
    m->rank[v] = UNRANKED;
  m->g->n = m->graph->n;
  m->g->kinds = 1;
  m->g->single = true;
  return MS_OK;
}

/* The first vertex that has several of the colours that count. */
static ms_status refuse_several(const maker *m, ms_error *err)
{
  uint32_t v = 0;
  for (; v < m->graph->n; v++) {
    uint64_t next = m->coloring->offset[v];
    if (next_color(m, v, &next) != NONE && next_color(m, v, &next) != NONE)
      break;
  }
  return ms_fail(err, MS_ERR_USAGE,
                 "vertex '%s' has several colours, and a shape has one for each vertex; choose "
                 "colours by `only`, or the first one by `primary`",
                 ms_graph_name(m->graph, v));
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
  if (!MS_GROW(g->list, m->list_room, begin, count))
    return ms_fail_memory(err, "the lists of colours");
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

/* Sets the kinds of vertices that have one colour each; a loop. */
static void fill_single_kinds(void *user, ms_range r)
{
  maker *m = user;
  for (uint64_t i = r.begin; i < r.end; i++) {
    uint32_t v = m->g->vertex[i];
    uint64_t next = m->coloring->offset[v];
    m->g->kind[i] = (ms_kind_id)m->number[next_color(m, v, &next)];
  }
}

/* Sets the kind of each rank. */
static ms_status fill_kinds(maker *m, ms_error *err)
{
  ms_census_graph *g = m->g;
  MS_TRY(open_kinds(m, err));
  if (g->single) {
    ms_parallel(m->threads, g->n, RANGE, fill_single_kinds, m);
    return MS_OK;
  }
  for (uint32_t r = 0; r < g->n; r++) {
    uint32_t count = fill_row(m, g->vertex[r]), place = find_place(m, m->row, count);
    if (m->table[place] == NONE)
      MS_TRY(add_kind(m, place, count, err));
    g->kind[r] = (ms_kind_id)m->table[place];
  }
  return MS_OK;
}

/* ---- ranks and rows ----------------------------------------------------------------- */

/* Gives a vertex this rank, unless it has one or has no colour. */
static bool take_vertex(maker *m, uint32_t v, uint32_t rank)
{
  uint32_t unranked = UNRANKED;
  if (atomic_load_explicit(&m->rank[v], memory_order_relaxed) != UNRANKED ||
      !atomic_compare_exchange_strong(&m->rank[v], &unranked, rank))
    return false;
  m->g->vertex[rank] = v;
  return true;
}

/* Fills the ranks of a region, breadth first from vertices that have none. */
static void fill_region(maker *m, uint32_t region)
{
  const ms_graph *graph = m->graph;
  const uint32_t *vertex = m->g->vertex;
  uint32_t begin = (uint32_t)((uint64_t)m->g->n * region / m->regions), ranked = begin;
  uint32_t end = (uint32_t)((uint64_t)m->g->n * (region + 1) / m->regions);
  uint32_t root = (uint32_t)((uint64_t)graph->n * region / m->regions);
  for (uint32_t head = begin; ranked < end; root = root + 1 < graph->n ? root + 1 : 0) {
    ranked += take_vertex(m, root, ranked);
    for (; head < ranked; head++) {
      uint32_t u = vertex[head];
      if (head + 8 < ranked)
        __builtin_prefetch(graph->neighbor + graph->offset[vertex[head + 8]]);
      if (head + 16 < ranked)
        __builtin_prefetch(graph->offset + vertex[head + 16]);
      for (uint64_t a = graph->offset[u]; a < graph->offset[u + 1] && ranked < end; a++)
        ranked += take_vertex(m, graph->neighbor[a], ranked);
    }
  }
}

static void fill_regions(void *user, ms_range r)
{
  for (uint64_t i = r.begin; i < r.end; i++)
    fill_region(user, (uint32_t)i);
}

/* Ranks the vertices that have a colour breadth first, so that vertices that are near each other
 * lie near each other in memory.  Each region has as many ranks as others, and takes vertices that
 * no other one has taken yet. */
static void fill_ranks(maker *m)
{
  uint32_t most = m->g->n / REGION;
  m->regions = most < m->regions ? most : m->regions;
  m->regions += m->regions == 0;
  ms_parallel(m->threads, m->regions, 1, fill_regions, m);
}

/* Gives vertices with fewer neighbours lower ranks, and keeps the order of others: a search from
 * the lowest rank of a set then has few candidates at hubs. */
static ms_status order_by_degree(maker *m, ms_error *err)
{
  ms_census_graph *g = m->g;
  uint32_t *vertex = ms_alloc(g->n, sizeof *vertex);
  uint64_t *place = ms_calloc((size_t)m->graph->n + 1, sizeof *place);
  bool ok = vertex && place;
  for (int fill = 0; ok && fill < 2; fill++) {
    for (uint32_t r = 0; r < g->n; r++) {
      uint32_t v = g->vertex[r], degree = 0;
      for (uint64_t a = m->graph->offset[v]; a < m->graph->offset[v + 1]; a++)
        degree += m->rank[m->graph->neighbor[a]] != NONE;
      if (fill)
        vertex[place[degree]++] = v;
      else
        place[degree + 1]++;
    }
    for (uint32_t d = 0; !fill && d < m->graph->n; d++)
      place[d + 1] += place[d];
  }
  ms_free(place);
  if (!ok) {
    ms_free(vertex);
    return ms_fail_memory(err, "the ranks of a census");
  }
  for (uint32_t r = 0; r < g->n; r++)
    m->rank[vertex[r]] = r;
  ms_free(g->vertex);
  g->vertex = vertex;
  return MS_OK;
}

/* Counts the neighbours of some ranks that have a rank; a loop. */
static void count_neighbors(void *user, ms_range range)
{
  maker *m = user;
  const ms_graph *graph = m->graph;
  for (uint64_t r = range.begin; r < range.end; r++) {
    uint32_t v = m->g->vertex[r], degree = 0;
    for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++)
      degree += m->rank[graph->neighbor[a]] != NONE;
    m->g->offset[r + 1] = degree;
  }
}

/* Sorts ids in descending order.  Returns false without memory. */
static bool sort_descending(uint32_t *id, uint64_t count)
{
  uint32_t *spare = count > SHORT ? ms_alloc(count, sizeof *spare) : NULL;
  if (count > SHORT) {
    if (!spare)
      return false;
    ms_sort_ids_long(id, count, spare);
    ms_free(spare);
  } else {
    ms_sort_ids_short(id, count);
  }
  for (uint64_t i = 0; i < count / 2; i++) {
    uint32_t other = id[count - 1 - i];
    id[count - 1 - i] = id[i];
    id[i] = other;
  }
  return true;
}

/* Fills the rows of some ranks; a loop. */
static void fill_some_rows(void *user, ms_range range)
{
  maker *m = user;
  const ms_graph *graph = m->graph;
  const ms_census_graph *g = m->g;
  for (uint64_t r = range.begin; r < range.end; r++) {
    uint32_t v = g->vertex[r], *to = g->neighbor + g->offset[r];
    for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++) {
      uint32_t other = m->rank[graph->neighbor[a]];
      if (other != NONE)
        *to++ = other;
    }
    if (!sort_descending(g->neighbor + g->offset[r], g->offset[r + 1] - g->offset[r]))
      atomic_store(&m->full, true);
  }
}

static ms_status fill_rows(maker *m, ms_error *err)
{
  ms_census_graph *g = m->g;
  g->offset[0] = 0;
  ms_parallel(m->threads, g->n, RANGE, count_neighbors, m);
  for (uint32_t r = 0; r < g->n; r++) {
    uint32_t degree = (uint32_t)g->offset[r + 1];
    g->max_degree = degree > g->max_degree ? degree : g->max_degree;
    g->offset[r + 1] += g->offset[r];
  }
  g->neighbor = ms_alloc(g->offset[g->n], sizeof *g->neighbor);
  if (!g->neighbor)
    return ms_fail_memory(err, "the graph of a census");
  ms_parallel(m->threads, g->n, RANGE, fill_some_rows, m);
  return atomic_load(&m->full) ? ms_fail_memory(err, "the graph of a census") : MS_OK;
}

/* Fills the directions of some rows; a loop. */
static void fill_some_directions(void *user, ms_range range)
{
  maker *m = user;
  const ms_census_graph *g = m->g;
  for (uint64_t r = range.begin; r < range.end; r++)
    for (uint64_t e = g->offset[r]; e < g->offset[r + 1]; e++)
      g->direction[e] =
          m->graph->direction[ms_graph_find_arc(m->graph, g->vertex[r], g->vertex[g->neighbor[e]])];
}

static ms_status fill_directions(maker *m, ms_error *err)
{
  ms_census_graph *g = m->g;
  g->direction = ms_alloc(g->offset[g->n], sizeof *g->direction);
  if (!g->direction)
    return ms_fail_memory(err, "the graph of a census");
  ms_parallel(m->threads, g->n, RANGE, fill_some_directions, m);
  return MS_OK;
}

static ms_status make(maker *m, ms_error *err)
{
  ms_census_graph *g = m->g;
  if (m->coloring) {
    MS_TRY(choose_colors(m, err));
    MS_TRY(number_colors(m, err));
    if (m->options->shapes && !g->single)
      return refuse_several(m, err);
  } else {
    MS_TRY(take_all(m, err));
  }
  g->offset = ms_alloc((size_t)g->n + 1, sizeof *g->offset);
  g->vertex = ms_alloc(g->n, sizeof *g->vertex);
  g->kind = ms_alloc(g->n, sizeof *g->kind);
  if (!g->offset || !g->vertex || !g->kind)
    return ms_fail_memory(err, "the graph of a census");
  fill_ranks(m);
  MS_TRY(ms_stop_poll("the graph of a census is made", err));
  if (m->options->shapes)
    MS_TRY(order_by_degree(m, err));
  MS_TRY(fill_rows(m, err));
  MS_TRY(ms_stop_poll("the graph of a census is made", err));
  if (m->options->shapes && m->graph->direction)
    MS_TRY(fill_directions(m, err));
  if (!m->coloring)
    memset(g->kind, 0, g->n * sizeof *g->kind);
  return m->coloring ? fill_kinds(m, err) : MS_OK;
}

static ms_status make_graph(const ms_graph *graph, const ms_coloring *coloring,
                            const ms_census_options *options, uint32_t regions,
                            ms_census_graph **out, ms_error *err)
{
  maker m = {.graph = graph,
             .coloring = coloring,
             .options = options,
             .regions = regions,
             .threads = ms_threads(options->run.threads)};
  *out = NULL;
  m.g = ms_calloc(1, sizeof *m.g);
  if (!m.g)
    return ms_fail_memory(err, "the graph of a census");
  ms_status status = make(&m, err);
  ms_free(m.used);
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

ms_status ms_census_graph_new(const ms_graph *graph, const ms_coloring *coloring,
                              const ms_census_options *options, ms_census_graph **out,
                              ms_error *err)
{
  return make_graph(graph, coloring, options, 1, out, err);
}

ms_status ms_census_graph_new_unordered(const ms_graph *graph, const ms_coloring *coloring,
                                        const ms_census_options *options, ms_census_graph **out,
                                        ms_error *err)
{
  return make_graph(graph, coloring, options, (uint32_t)ms_threads(options->run.threads), out, err);
}
