#include "verify/statistics/redraw.h"

#include "base/alloc.h"
#include "base/ascending.h"
#include "base/philox.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "graph/graph.h"

#include <stdlib.h>
#include <string.h>

#define NO_RANK UINT32_MAX
#define LOOK 1024u /* steps between two looks at the token */
#define STRIDE UINT64_C(0x9E3779B97F4A7C15)
#define OF_NUMBERS 0x53414d50u /* the last word of the counters */
#define OF_SUBSETS 0x4f564c50u

bool ms_ranks_stopped(ms_ranks *r)
{
  if (r->stopped == MS_OK && r->steps++ % LOOK == 0)
    r->stopped = ms_stop_check(r->stop);
  return r->stopped != MS_OK;
}

/* ---- ranks ---------------------------------------------------------------------------- */

static bool counts(const ms_coloring *coloring, uint32_t v)
{
  uint32_t own;
  (void)ms_coloring_of(coloring, v, &own);
  return own > 0;
}

/* Gives the vertices that count their ranks, breadth first from the lowest one that has none.
 * vertex[] receives the vertex of each rank. */
static void rank_vertices(ms_ranks *r, const ms_graph *graph, const ms_coloring *coloring,
                          uint32_t *rank, uint32_t *vertex)
{
  memset(rank, 0xff, graph->n * sizeof *rank);
  for (uint32_t start = 0, next = 0; start < graph->n; start++) {
    if (rank[start] != NO_RANK || !counts(coloring, start))
      continue;
    rank[start] = r->n;
    vertex[r->n++] = start;
    for (; next < r->n; next++) {
      uint32_t degree;
      const uint32_t *row = ms_graph_neighbors(graph, vertex[next], &degree);
      for (uint32_t i = 0; i < degree; i++)
        if (rank[row[i]] == NO_RANK && counts(coloring, row[i])) {
          rank[row[i]] = r->n;
          vertex[r->n++] = row[i];
        }
    }
  }
}

static int by_number(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

static ms_status fill_rows(ms_ranks *r, const ms_graph *graph, const ms_coloring *coloring,
                           ms_error *err)
{
  uint32_t *rank = ms_alloc(graph->n, sizeof *rank), *vertex = ms_alloc(graph->n, sizeof *vertex);
  ms_status status = rank && vertex ? MS_OK : ms_fail_memory(err, "the recount");
  if (status == MS_OK) {
    rank_vertices(r, graph, coloring, rank, vertex);
    r->offset = ms_calloc((size_t)r->n + 1, sizeof *r->offset);
    r->first = ms_calloc((size_t)r->n + 1, sizeof *r->first);
    r->seen = ms_calloc(r->n, sizeof *r->seen);
    r->list = ms_alloc(r->n, sizeof *r->list);
    r->neighbor = ms_alloc(graph->offset[graph->n], sizeof *r->neighbor);
    if (!r->offset || !r->first || !r->seen || !r->list || !r->neighbor)
      status = ms_fail_memory(err, "the recount");
  }
  for (uint32_t v = 0; v < r->n && status == MS_OK; v++) {
    uint32_t degree;
    const uint32_t *row = ms_graph_neighbors(graph, vertex[v], &degree);
    uint64_t end = r->offset[v];
    for (uint32_t i = 0; i < degree; i++)
      if (rank[row[i]] != NO_RANK)
        r->neighbor[end++] = rank[row[i]];
    if (end > r->offset[v])
      qsort(r->neighbor + r->offset[v], end - r->offset[v], sizeof *r->neighbor, ms_compare_ids);
    r->offset[v + 1] = end;
  }
  ms_free(rank);
  ms_free(vertex);
  return status;
}

/* ---- the order of the sets ------------------------------------------------------------ */

/* A walk through the sets of one root. */
typedef struct walk {
  ms_ranks *r;
  uint32_t root, member[MS_MAX_CENSUS];
  uint64_t at;            /* the number of the next set */
  const uint64_t *wanted; /* the numbers that are looked for, ascending, up to `end` */
  const uint64_t *end;    /* wanted == end: there are no more */
  uint32_t *to;           /* receives the next of these sets */
} walk;

static bool is_new(const walk *w, uint32_t v)
{
  return v > w->root && !w->r->seen[v];
}

static uint32_t open_neighbors(walk *w, uint32_t v, uint32_t end)
{
  ms_ranks *r = w->r;
  for (uint64_t a = r->offset[v]; a < r->offset[v + 1]; a++)
    if (is_new(w, r->neighbor[a])) {
      r->seen[r->neighbor[a]] = 1;
      r->list[end++] = r->neighbor[a];
    }
  return end;
}

static void close_neighbors(walk *w, uint32_t end, uint32_t to)
{
  while (end > to)
    w->r->seen[w->r->list[--end]] = 0;
}

static bool is_next(const walk *w, uint64_t sets)
{
  return w->wanted < w->end && *w->wanted < w->at + sets;
}

/* The next sets have the members and one of list[begin .. end - 1] each. */
static void pass_sets(walk *w, uint32_t begin, uint32_t end)
{
  for (; is_next(w, end - begin); w->wanted++, w->to += w->r->k) {
    memcpy(w->to, w->member, (w->r->k - 1) * sizeof *w->to);
    w->to[w->r->k - 1] = w->r->list[begin + (uint32_t)(*w->wanted - w->at)];
    qsort(w->to, w->r->k, sizeof *w->to, ms_compare_ids);
  }
  w->at += end - begin;
}

static void walk_sets(walk *w, uint32_t size, uint32_t begin, uint32_t end)
{
  ms_ranks *r = w->r;
  if (size + 1 == r->k) {
    pass_sets(w, begin, end);
    return;
  }
  for (uint32_t i = begin; i < end && !ms_ranks_stopped(r); i++) {
    uint32_t v = r->list[i];
    if (size + 2 == r->k) {
      uint64_t sets = end - i - 1;
      for (uint64_t a = r->offset[v]; a < r->offset[v + 1]; a++)
        sets += is_new(w, r->neighbor[a]);
      if (!is_next(w, sets)) {
        w->at += sets;
        continue;
      }
    }
    w->member[size] = v;
    uint32_t more = open_neighbors(w, v, end);
    walk_sets(w, size + 1, i + 1, more);
    close_neighbors(w, more, end);
  }
}

static void walk_root(walk *w, uint32_t root)
{
  w->root = w->member[0] = root;
  uint32_t end = open_neighbors(w, root, 0);
  walk_sets(w, 1, 0, end);
  close_neighbors(w, end, 0);
}

ms_status ms_ranks_open(const ms_graph *graph, const ms_coloring *coloring, uint32_t k,
                        const ms_stop *stop, ms_ranks *out, ms_error *err)
{
  *out = (ms_ranks){.k = k, .stop = stop};
  ms_status status = fill_rows(out, graph, coloring, err);
  walk w = {.r = out};
  for (uint32_t root = 0; root < out->n && status == MS_OK; root++) {
    walk_root(&w, root);
    out->first[root + 1] = w.at;
    status = out->stopped;
  }
  if (status != MS_OK)
    ms_ranks_close(out);
  return status;
}

void ms_ranks_close(ms_ranks *r)
{
  ms_free(r->offset);
  ms_free(r->neighbor);
  ms_free(r->first);
  ms_free(r->seen);
  ms_free(r->list);
}

/* ---- draws ---------------------------------------------------------------------------- */

static void philox(uint64_t seed, uint64_t number, uint32_t third, uint32_t last, uint32_t word[4])
{
  const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
  const uint32_t counter[4] = {(uint32_t)number, (uint32_t)(number >> 32), third, last};
  ms_philox4x32(counter, key, word);
}

/* Returns a number up to `last` for a step: the first word that is not below 2^64 mod (last + 1).
 */
static uint64_t draw_up_to(uint64_t last, uint64_t seed, uint64_t step)
{
  uint64_t bound = last + 1, refused = (0 - bound) % bound;
  for (uint32_t attempt = 0;; attempt++) {
    uint32_t word[4];
    philox(seed, step, attempt, OF_NUMBERS, word);
    uint64_t bits = word[0] | (uint64_t)word[1] << 32;
    if (bits >= refused)
      return bits % bound;
  }
}

/* Puts the number into the table of 2^bits places, where 0 is free.  Returns false if it is there
 * already. */
static bool put(uint64_t *table, uint32_t bits, uint64_t number)
{
  uint64_t at = (number + 1) * STRIDE >> (64 - bits);
  for (; table[at]; at = (at + 1) & ((UINT64_C(1) << bits) - 1))
    if (table[at] == number + 1)
      return false;
  table[at] = number + 1;
  return true;
}

/* Draws `draws` of the numbers below `all`, by Floyd's method, and sorts them. */
static ms_status draw_numbers(uint64_t all, uint64_t draws, uint64_t seed, uint64_t *number,
                              ms_error *err)
{
  uint32_t bits = 4;
  while (UINT64_C(1) << bits < 2 * draws)
    bits++;
  uint64_t *table = ms_calloc((size_t)1 << bits, sizeof *table);
  if (!table)
    return ms_fail_memory(err, "the recount");
  for (uint64_t i = 0; i < draws; i++) {
    uint64_t last = all - draws + i;
    number[i] = draws < all ? draw_up_to(last, seed, i) : i;
    if (!put(table, bits, number[i])) {
      number[i] = last;
      (void)put(table, bits, last);
    }
  }
  ms_free(table);
  if (draws > 0)
    qsort(number, draws, sizeof *number, by_number);
  return MS_OK;
}

ms_status ms_redraw_sets(ms_ranks *r, uint64_t draws, uint64_t seed, uint32_t j, uint32_t *set,
                         ms_error *err)
{
  uint64_t *number = ms_alloc(draws, sizeof *number);
  ms_status status = number ? MS_OK : ms_fail_memory(err, "the recount");
  if (status == MS_OK)
    status = draw_numbers(r->first[r->n], draws, seed + (j - 1) * STRIDE, number, err);
  walk w = {.r = r, .to = set, .wanted = number, .end = number + draws};
  for (uint32_t root = 0; root < r->n && status == MS_OK && w.wanted < w.end; root++) {
    if (*w.wanted >= r->first[root + 1])
      continue;
    w.at = r->first[root];
    walk_root(&w, root);
    status = r->stopped;
  }
  ms_free(number);
  return status;
}

void ms_redraw_subset(uint32_t *set, uint32_t k, uint64_t draw, uint64_t seed, uint32_t j)
{
  uint32_t word[8];
  philox(seed, draw, 2 * j, OF_SUBSETS, word);
  philox(seed, draw, 2 * j + 1, OF_SUBSETS, word + 4);
  for (uint32_t i = 0; i < j; i++) {
    uint32_t other = i + (uint32_t)((uint64_t)word[i] * (k - i) >> 32), moved = set[i];
    set[i] = set[other];
    set[other] = moved;
  }
}
