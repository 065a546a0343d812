/* Numbers that follow from the graph that the neighbours of each vertex induce: its edges are the
 * triangles at the vertex, its triangles cliques of four, its 4-cycles the rims of wheels. */
#include "match/small/passes.h"

#include "base/status.h"

#include <string.h>

/* Rows of more bits are not made. */
#define MOST_BITS 16384u

typedef struct pass {
  ms_small *s;
  const ms_small_rows *kernel;
  uint64_t *bits; /* [threads][room] the rows of a root's neighbours among each other, then a row */
  uint64_t room;  /* words */
  uint64_t
      *hubs; /* [arcs] of u -> v: maps of the rims of wheels with the hub u that begin with v */
  uint64_t *ends; /* [arcs] of u -> v: maps of a clique of five without an edge whose first vertex u
                     is, and v an end of the edge */
} pass;

/* The graph of a root's neighbours. */
typedef struct local {
  const pass *p;
  ms_small_scratch *t;
  uint64_t *row, *both; /* both: a row for each use */
  uint64_t begin;       /* the first arc of the root */
  uint32_t root, count, words;
} local;

static uint64_t *row_of(const local *l, uint64_t arc)
{
  return l->row + (arc - l->begin) * l->words;
}

static void fill_rows(local *l)
{
  const ms_small *s = l->p->s;
  memset(l->row, 0, (size_t)l->count * l->words * sizeof *l->row);
  for (uint64_t arc = l->begin; arc < l->begin + l->count; arc++)
    for (uint64_t i = s->first[arc]; i < s->first[arc + 1]; i++) {
      uint64_t bit = l->t->arc[s->corner[i]] - l->begin;
      row_of(l, arc)[bit / 64] |= UINT64_C(1) << bit % 64;
    }
}

/* ---- cliques --------------------------------------------------------------------------------- */

/* Adds the `cliques` of four with the root and the ends of the arcs a and b from it; `next` is the
 * arc between these ends. */
static void add_cliques(const local *l, uint64_t a, uint64_t b, uint32_t next, uint64_t cliques)
{
  const ms_small *s = l->p->s;
  ms_small_sum maps = 2 * (ms_small_sum)cliques;
  if (cliques == 0)
    return;
  s->cliques[a] += cliques;
  s->cliques[b] += cliques;
  if (!s->fives)
    return;
  s->number[MS_SMALL_EAR_FAR][l->root] += maps * (s->common[next] - (ms_small_sum)2);
  s->number[MS_SMALL_CUT_CLIQUE_REST][l->root] += maps * (cliques - 1);
}

/* Cliques of four by rows of bits. */
static void count_by_rows(const local *l, uint64_t arc)
{
  const pass *p = l->p;
  const ms_small *s = p->s;
  for (uint64_t i = s->first[arc + 1]; i-- > s->first[arc] && s->corner[i] > s->end[arc];) {
    uint64_t other = l->t->arc[s->corner[i]];
    uint64_t cliques = p->kernel->meet(row_of(l, arc), row_of(l, other), l->words, l->both);
    add_cliques(l, arc, other, s->third[i], cliques);
    for (uint32_t w = 0; s->fives && cliques > 1 && w < l->words; w++)
      for (uint64_t left = l->both[w]; left; left &= left - 1)
        p->ends[l->begin + 64 * w + (unsigned)__builtin_ctzll(left)] += 2 * (cliques - 1);
  }
}

/* Cliques of four by lists, where few of many neighbours are adjacent. */
static void count_by_lists(const local *l, uint64_t arc)
{
  const pass *p = l->p;
  const ms_small *s = p->s;
  ms_small_scratch *t = l->t;
  for (uint64_t i = s->first[arc]; i < s->first[arc + 1]; i++)
    t->times[s->corner[i]] = 1;
  for (uint64_t i = s->first[arc + 1]; i-- > s->first[arc] && s->corner[i] > s->end[arc];) {
    uint64_t other = t->arc[s->corner[i]];
    uint32_t cliques = 0;
    for (uint64_t j = s->first[other]; j < s->first[other + 1]; j++) {
      t->found[cliques] = s->corner[j];
      cliques += t->times[s->corner[j]];
    }
    add_cliques(l, arc, other, s->third[i], cliques);
    for (uint32_t j = 0; s->fives && cliques > 1 && j < cliques; j++)
      p->ends[t->arc[t->found[j]]] += 2 * (cliques - UINT64_C(1));
  }
  for (uint64_t i = s->first[arc]; i < s->first[arc + 1]; i++)
    t->times[s->corner[i]] = 0;
}

/* ---- wheels ---------------------------------------------------------------------------------- */

/* Adds the ordered pairs of paths between the ends of the arcs a and c from the hub. */
static void add_rims(const local *l, uint64_t a, uint64_t c, uint64_t paths)
{
  uint64_t rims = paths * (paths - 1); /* 0 without paths */
  l->p->hubs[a] += rims;
  l->p->hubs[c] += rims;
}

static void count_rims_by_rows(const local *l, uint64_t arc)
{
  const ms_small *s = l->p->s;
  for (uint64_t other = arc + 1; s->common[arc] > 1 && other < l->begin + l->count; other++)
    if (s->common[other] > 1)
      add_rims(l, arc, other, l->p->kernel->count(row_of(l, arc), row_of(l, other), l->words));
}

static void count_rims_by_lists(const local *l, uint64_t arc)
{
  const ms_small *s = l->p->s;
  ms_small_scratch *t = l->t;
  uint32_t met = 0;
  for (uint64_t i = s->first[arc]; i < s->first[arc + 1]; i++) {
    uint64_t middle = t->arc[s->corner[i]], j = s->first[middle + 1];
    while (j-- > s->first[middle] && s->corner[j] > s->end[arc]) {
      t->found[met] = s->corner[j];
      met += t->times[s->corner[j]]++ == 0;
    }
  }
  for (uint32_t i = 0; i < met; i++) {
    add_rims(l, arc, t->arc[t->found[i]], t->times[t->found[i]]);
    t->times[t->found[i]] = 0;
  }
}

/* ---- a root ---------------------------------------------------------------------------------- */

static void visit_root(local *l)
{
  const ms_small *s = l->p->s;
  double pairs = 0, paths = 0, words = l->words, count = l->count;
  for (uint64_t arc = l->begin; arc < l->begin + l->count; arc++) {
    pairs += s->common[arc] / 2.0;
    paths += (double)s->common[arc] * s->common[arc];
  }
  bool small = l->count <= MOST_BITS, rows = small && pairs * words < paths,
       rims = small && count * (count - 1) * words < paths;
  if (rows || rims)
    fill_rows(l);
  for (uint64_t arc = l->begin; arc < l->begin + l->count; arc++) {
    if (s->common[arc] > 0 && ms_watch_check(&l->p->s->watch))
      return;
    (rows ? count_by_rows : count_by_lists)(l, arc);
    if (s->fives)
      (rims ? count_rims_by_rows : count_rims_by_lists)(l, arc);
  }
}

static void add_sums(const local *l)
{
  const ms_small *s = l->p->s;
  ms_small_sum *const *number = s->number;
  for (uint64_t arc = l->begin; arc < l->begin + l->count; arc++) {
    ms_small_sum all = s->cliques[arc];
    number[MS_SMALL_CLIQUE4][l->root] += all;
    if (!s->fives)
      continue;
    number[MS_SMALL_CLIQUE4_TAIL][l->root] += all * (ms_small_degree(s, s->end[arc]) - 3);
    number[MS_SMALL_EAR_NEAR][l->root] += all * (s->common[arc] - (ms_small_sum)2);
    number[MS_SMALL_WHEEL_HUB][l->root] += l->p->hubs[arc];
  }
}

static void visit_roots(void *user, ms_range r)
{
  const pass *p = user;
  const ms_small *s = p->s;
  uint64_t *bits = p->bits + (size_t)r.thread * p->room;
  local l = {.p = p, .t = &s->scratch[r.thread]};
  for (uint32_t v = (uint32_t)r.begin; v < r.end; v++) {
    l.root = v;
    l.begin = s->offset[v];
    l.count = (uint32_t)(s->offset[v + 1] - l.begin);
    l.words = (l.count + 63) / 64;
    l.both = bits;
    l.row = bits + l.words;
    if (s->first[l.begin + l.count] == s->first[l.begin])
      continue; /* it is in no triangle */
    ms_small_mark(s, l.t, v);
    visit_root(&l);
    add_sums(&l);
    ms_small_unmark(s, l.t, v);
  }
}

/* Takes what other vertices have found for this one. */
static void settle(void *user, ms_range r)
{
  const pass *p = user;
  const ms_small *s = p->s;
  for (uint64_t v = r.begin; v < r.end; v++)
    for (uint64_t arc = s->offset[v]; arc < s->offset[v + 1]; arc++) {
      s->number[MS_SMALL_CUT_CLIQUE_END][v] += p->ends[s->reverse[arc]];
      s->number[MS_SMALL_WHEEL_RIM][v] += p->hubs[s->reverse[arc]];
    }
}

static uint64_t find_room(const ms_small *s)
{
  uint64_t room = 0;
  for (uint32_t v = 0; v < s->n; v++) {
    uint64_t count = s->offset[v + 1] - s->offset[v], words = (count + 63) / 64;
    if (count <= MOST_BITS && (count + 1) * words > room)
      room = (count + 1) * words;
  }
  return room;
}

ms_status ms_small_neighborhoods(ms_small *s, ms_error *err)
{
  static const ms_small_shape shape[] = {
      MS_SMALL_CLIQUE4,        MS_SMALL_CLIQUE4_TAIL,    MS_SMALL_EAR_NEAR,  MS_SMALL_EAR_FAR,
      MS_SMALL_CUT_CLIQUE_END, MS_SMALL_CUT_CLIQUE_REST, MS_SMALL_WHEEL_HUB, MS_SMALL_WHEEL_RIM};
  uint64_t arcs = s->offset[s->n];
  pass p = {.s = s, .kernel = s->rows, .room = find_room(s)};
  uint64_t words = (uint64_t)s->threads * p.room;
  MS_TRY(ms_small_open(s, shape, s->fives ? sizeof shape / sizeof *shape : 1, err));
  s->cliques = ms_small_room(s, arcs, sizeof *s->cliques);
  p.bits = ms_small_room(s, words, sizeof *p.bits);
  p.hubs = ms_small_room(s, s->fives ? arcs : 0, sizeof *p.hubs);
  p.ends = ms_small_room(s, s->fives ? arcs : 0, sizeof *p.ends);
  ms_status status = s->cliques && p.bits && p.hubs && p.ends
                         ? MS_OK
                         : ms_fail_memory(err, "the neighbours of each vertex");
  if (status == MS_OK)
    status = ms_small_loop(s, visit_roots, &p, err);
  if (status == MS_OK && s->fives)
    status = ms_small_loop(s, settle, &p, err);
  ms_small_give_back(s, p.bits, words, sizeof *p.bits);
  ms_small_give_back(s, p.hubs, s->fives ? arcs : 0, sizeof *p.hubs);
  ms_small_give_back(s, p.ends, s->fives ? arcs : 0, sizeof *p.ends);
  return status;
}
