#include "census/shapes/search.h"

#include "base/alloc.h"
#include "base/status.h"
#include "graph/graph.h"

#include <string.h>

#define CANDIDATE 0x8000u /* next to the set */
#define GONE 0x4000u      /* in the set, or a candidate that had its turn */
#define MASK 0x0fffu      /* the arcs to the vertices of the set */
#define LOCAL_BITS 15u    /* of a tally: it lies in the L2 cache */
#define ALONE_BITS 8u     /* of a tally that takes what is found at one vertex */
#define FEW 12u           /* candidates whose pairs are counted one by one */

/* ---- memory -------------------------------------------------------------------------- */

static uint64_t buckets_of(const ms_census_graph *g, ms_graphlet_form form)
{
  return (uint64_t)g->kinds << (form.width * (form.k - 1));
}

static uint64_t cells_of(ms_graphlet_form form)
{
  return (uint64_t)1 << ms_graphlet_bits(form, form.k);
}

/* Candidates, and as many that are next to one of them. */
static uint64_t touched_of(const ms_census_graph *g)
{
  return 2 * (uint64_t)g->n + 2;
}

uint64_t ms_graphlet_search_bytes(const ms_census_graph *g, ms_graphlet_form form, bool has_table)
{
  return (uint64_t)g->n * (sizeof(uint16_t) + sizeof(uint32_t)) +
         (has_table ? cells_of(form) * sizeof(uint64_t)
                    : (buckets_of(g, form) + touched_of(g)) * sizeof(uint32_t));
}

/* bits: of the tally; 0: there is a table instead. */
static ms_status open_search(ms_graphlet_search *s, const ms_census_graph *g, uint32_t bits,
                             ms_budget *budget, ms_error *err)
{
  memset(&s->key, 0xff, sizeof s->key);
  uint64_t bytes = ms_graphlet_search_bytes(g, s->form, bits == 0);
  if (!ms_budget_reserve(budget, bytes))
    return ms_budget_refuse(budget, bytes, "the threads of a census", ", or lower `threads`", err);
  s->graph = g;
  s->has_table = bits == 0;
  s->mark = ms_calloc(g->n, sizeof *s->mark);
  s->x = ms_alloc(g->n, sizeof *s->x);
  if (bits > 0) {
    s->bucket = ms_calloc(buckets_of(g, s->form), sizeof *s->bucket);
    s->touched = ms_alloc(touched_of(g), sizeof *s->touched);
  } else {
    s->table = ms_calloc(cells_of(s->form), sizeof *s->table);
  }
  bool ok = s->mark && s->x && (bits > 0 ? s->bucket && s->touched : s->table != NULL);
  bytes = sizeof(ms_tally_entry) << bits;
  if (ok && (bits == 0 || ms_tally_open(&s->local, bits, budget)))
    return MS_OK;
  return ok && ms_budget_left(budget) < bytes
             ? ms_budget_refuse(budget, bytes, "the threads of a census", ", or lower `threads`",
                                err)
             : ms_fail_memory(err, "the threads of a census");
}

ms_status ms_graphlet_search_open(ms_graphlet_search *s, const ms_census_graph *g,
                                  ms_graphlet_form form, ms_shared_tally *shared, ms_watch *watch,
                                  ms_budget *budget, ms_error *err)
{
  *s = (ms_graphlet_search){.form = form, .shared = shared, .watch = watch};
  return open_search(s, g, shared ? LOCAL_BITS : 0, budget, err);
}

ms_status ms_graphlet_search_open_alone(ms_graphlet_search *s, const ms_census_graph *g,
                                        ms_graphlet_form form, ms_watch *watch, ms_budget *budget,
                                        ms_error *err)
{
  *s = (ms_graphlet_search){.form = form, .watch = watch};
  return open_search(s, g, ALONE_BITS, budget, err);
}

void ms_graphlet_search_close(ms_graphlet_search *s, ms_budget *budget)
{
  if (!s->graph)
    return;
  ms_budget_release(budget, ms_graphlet_search_bytes(s->graph, s->form, s->has_table));
  ms_free(s->mark);
  ms_free(s->x);
  ms_free(s->table);
  ms_free(s->bucket);
  ms_free(s->touched);
  ms_tally_close(&s->local);
  *s = (ms_graphlet_search){0};
}

bool ms_graphlet_search_empty(ms_graphlet_search *s)
{
  ms_budget *budget = s->local.budget;
  if (s->local.bits == ALONE_BITS) {
    ms_tally_clear(&s->local);
    return true;
  }
  ms_tally_close(&s->local); /* a large one would take long to be read for each vertex */
  return ms_tally_open(&s->local, ALONE_BITS, budget);
}

/* ---- numbers ------------------------------------------------------------------------- */

bool ms_graphlet_search_take(ms_graphlet_search *s)
{
  ms_tally *local = &s->local;
  for (uint64_t i = 0; i < (uint64_t)1 << local->bits; i++) {
    ms_tally_entry *entry = &local->entry[i];
    uint32_t automorphisms;
    if (entry->sets > 0)
      ms_graphlet_set_code(&entry->key,
                           ms_graphlet_classify(s->form, ms_graphlet_code_of(&entry->key),
                                                entry->key.kind, &automorphisms));
  }
  return ms_shared_tally_take(s->shared, local);
}

/* Adds sets of the graph with s->key.kind and this code. */
static void add(ms_graphlet_search *s, uint32_t code, uint64_t sets)
{
  ms_multiset key = s->key;
  if (s->full)
    return;
  ms_graphlet_set_code(&key, code);
  if (s->shared && s->local.used >= (uint64_t)1 << (s->local.bits - 1))
    s->full = !ms_graphlet_search_take(s);
  if (!s->full)
    s->full = !ms_tally_add(&s->local, &key, ms_multiset_hash(&key), sets);
  s->ended |= s->full;
}

void ms_graphlet_search_gather(ms_graphlet_search *s, uint64_t *total)
{
  uint32_t last = s->form.width * (s->form.k - 1), bits = ms_graphlet_bits(s->form, s->form.k);
  for (uint32_t i = 0; i < 1u << bits; i++)
    total[i >> last | (i & ((1u << last) - 1)) << (bits - last)] += s->table[i];
  memset(s->table, 0, ((size_t)1 << bits) * sizeof *s->table);
}

/* ---- the last two levels --------------------------------------------------------------- */

/* What a set leads to: candidates first .. end - 1, of which first .. last - 1 have their turn. */
typedef struct turn {
  uint32_t first, last, end;
  uint32_t code; /* of the set */
} turn;

/* The part of s->table for the set and a candidate with this mask: by the mask of one more vertex.
 */
static inline uint64_t *row_of(const ms_graphlet_search *s, uint32_t code, uint32_t mask)
{
  ms_graphlet_form f = s->form;
  return s->table + ((size_t)(code | mask << ms_graphlet_bits(f, f.k - 2)) << f.width * (f.k - 1));
}

/* Adds `sign` times all pairs of candidates begin .. end - 1 as if they were not adjacent. */
static void count_pairs(ms_graphlet_search *s, uint32_t code, uint32_t begin, uint32_t end,
                        uint64_t sign)
{
  uint32_t masks = 1u << s->form.width * (s->form.k - 2), number[1u << 6];
  if (end - begin <= FEW) {
    for (uint32_t i = begin; i < end; i++) {
      uint64_t *row = row_of(s, code, s->mark[s->x[i]] & MASK);
      for (uint32_t j = i + 1; j < end; j++)
        row[s->mark[s->x[j]] & MASK] += sign;
    }
    return;
  }
  memset(number, 0, masks * sizeof *number);
  for (uint32_t i = begin; i < end; i++)
    number[s->mark[s->x[i]] & MASK]++;
  for (uint32_t a = 1; a < masks; a++) {
    uint64_t *row = row_of(s, code, a), some = sign * number[a];
    if (number[a] == 0)
      continue;
    row[a] += sign * ((uint64_t)number[a] * (number[a] - 1) / 2);
    for (uint32_t b = a + 1; b < masks; b++)
      row[b] += some * number[b];
  }
}

/* Moves a candidate to those that had their turn, or back. */
static inline void toggle(ms_graphlet_search *s, uint32_t u)
{
  s->mark[u] ^= CANDIDATE | GONE;
}

static void finish_plain(ms_graphlet_search *s, uint32_t floor, turn t)
{
  const ms_census_graph *g = s->graph;
  uint32_t shift = s->form.width * (s->form.k - 2);
  count_pairs(s, t.code, t.first, t.end, 1);
  if (t.last < t.end)
    count_pairs(s, t.code, t.last, t.end, (uint64_t)-1);
  for (uint32_t i = t.first; i < t.last; i++) {
    uint32_t w = s->x[i];
    uint64_t *row = row_of(s, t.code, s->mark[w] & MASK), alone[4] = {0};
    toggle(s, w);
    for (uint64_t e = g->offset[w]; e < g->offset[w + 1] && g->neighbor[e] >= floor; e++) {
      uint32_t mark = s->mark[g->neighbor[e]], arcs = g->direction ? g->direction[e] : 1;
      if (mark & CANDIDATE) {
        row[mark & MASK]--;
        row[(mark & MASK) | arcs << shift]++;
      } else {
        alone[mark == 0 ? arcs : 0]++;
      }
    }
    for (uint32_t arcs = 1; arcs < 1u << s->form.width; arcs++) {
      row[arcs << shift] += alone[arcs];
      s->sets += (double)alone[arcs];
    }
    s->sets += t.end - 1 - i;
  }
}

static inline uint32_t bucket_of(const ms_graphlet_search *s, uint32_t u, uint32_t mask)
{
  return (uint32_t)s->graph->kind[u] << s->form.width * (s->form.k - 1) | mask;
}

/* Puts one more into a bucket, from which none was taken since it was empty. */
static inline void put_bucket(ms_graphlet_search *s, uint32_t bucket, uint32_t *touched)
{
  s->touched[*touched] = bucket;
  *touched += s->bucket[bucket]++ == 0;
}

static void clear_buckets(ms_graphlet_search *s, uint32_t begin, uint32_t end)
{
  for (uint32_t i = begin; i < end; i++)
    s->bucket[s->touched[i]] = 0;
}

/* Counts the sets of the set of k - 1 vertices with this code by the buckets, which stay. */
static void add_buckets(ms_graphlet_search *s, uint32_t code, uint32_t touched)
{
  uint32_t k = s->form.k, bits = s->form.width * (k - 1);
  for (uint32_t i = 0; i < touched; i++) {
    uint32_t bucket = s->touched[i];
    if (s->bucket[bucket] == 0)
      continue;
    s->key.kind[k - 1] = (ms_kind_id)(bucket >> bits);
    add(s, code | (bucket & ((1u << bits) - 1)) << ms_graphlet_bits(s->form, k - 1),
        s->bucket[bucket]);
  }
}

/* Buckets of candidates that are next to w are others than those of the rest, as their masks have
 * the arcs to w. */
static void finish_colored(ms_graphlet_search *s, uint32_t floor, turn t)
{
  const ms_census_graph *g = s->graph;
  uint32_t k = s->form.k, shift = s->form.width * (k - 2), rest = 0;
  for (uint32_t i = t.first; i < t.end; i++)
    put_bucket(s, bucket_of(s, s->x[i], s->mark[s->x[i]] & MASK), &rest);
  for (uint32_t i = t.first; i < t.last && !s->ended; i++) {
    uint32_t w = s->x[i], mask = s->mark[w] & MASK, touched = rest;
    uint64_t e, begin = g->offset[w], end = g->offset[w + 1];
    toggle(s, w);
    s->bucket[bucket_of(s, w, mask)]--;
    for (e = begin; e < end && g->neighbor[e] >= floor; e++) {
      uint32_t u = g->neighbor[e], mark = s->mark[u], arcs = g->direction ? g->direction[e] : 1;
      if (mark & GONE)
        continue;
      if (mark != 0)
        s->bucket[bucket_of(s, u, mark & MASK)]--;
      put_bucket(s, bucket_of(s, u, (mark & MASK) | arcs << shift), &touched);
    }
    s->key.kind[k - 2] = g->kind[w];
    add_buckets(s, t.code | mask << ms_graphlet_bits(s->form, k - 2), touched);
    clear_buckets(s, rest, touched);
    for (e = begin; e < end && g->neighbor[e] >= floor; e++)
      if (s->mark[g->neighbor[e]] & CANDIDATE)
        s->bucket[bucket_of(s, g->neighbor[e], s->mark[g->neighbor[e]] & MASK)]++;
  }
  clear_buckets(s, 0, rest);
}

/* ---- the levels above ------------------------------------------------------------------ */

static void grow(ms_graphlet_search *s, uint32_t floor, uint32_t depth, turn t);

/* Adds candidate w to the set of `depth` vertices, and goes on. */
static void extend(ms_graphlet_search *s, uint32_t floor, uint32_t depth, uint32_t w, turn t)
{
  const ms_census_graph *g = s->graph;
  ms_graphlet_form f = s->form;
  uint32_t shift = f.width * depth, end = t.end;
  uint64_t e;
  for (e = g->offset[w]; e < g->offset[w + 1] && g->neighbor[e] >= floor; e++) {
    uint32_t u = g->neighbor[e], arcs = g->direction ? g->direction[e] : 1;
    s->x[end] = u;
    end += s->mark[u] == 0;
    s->mark[u] |= (uint16_t)(arcs << shift | (s->mark[u] == 0 ? CANDIDATE : 0));
  }
  t.code |= (uint32_t)(s->mark[w] & MASK) << ms_graphlet_bits(f, depth);
  s->key.kind[depth] = g->kind[w];
  grow(s, floor, depth + 1, (turn){t.first, end, end, t.code});
  for (e = g->offset[w]; e < g->offset[w + 1] && g->neighbor[e] >= floor; e++)
    s->mark[g->neighbor[e]] &= (uint16_t) ~(((1u << f.width) - 1) << shift);
  for (uint32_t i = t.end; i < end; i++)
    s->mark[s->x[i]] = 0;
}

static void grow(ms_graphlet_search *s, uint32_t floor, uint32_t depth, turn t)
{
  uint32_t i = t.first;
  s->visits += t.last - t.first;
  s->ended = s->ended || ms_watch_ended(s->watch, s->steps++);
  if (s->ended || t.first == t.last)
    return;
  if (depth < s->form.k - 2) {
    for (; i < t.last && !s->ended; i++) {
      toggle(s, s->x[i]);
      extend(s, floor, depth, s->x[i], (turn){i + 1, t.end, t.end, t.code});
    }
  } else if (s->table) {
    finish_plain(s, floor, t);
    i = t.last;
  } else {
    finish_colored(s, floor, t);
    for (; i < t.last && s->mark[s->x[i]] & GONE; i++)
      ;
  }
  while (i-- > t.first)
    toggle(s, s->x[i]);
}

/* Counts the sets with the root in which all other ranks are from `floor` on. */
static void search_from(ms_graphlet_search *s, uint32_t root, uint32_t floor, uint32_t begin,
                        uint32_t end)
{
  const ms_census_graph *g = s->graph;
  uint32_t count = 0;
  uint64_t first = g->offset[root];
  for (; first + count < g->offset[root + 1] && g->neighbor[first + count] >= floor; count++) {
    uint32_t u = g->neighbor[first + count];
    s->x[count] = u;
    s->mark[u] = (uint16_t)((count < begin ? GONE : CANDIDATE) |
                            (g->direction ? g->direction[first + count] : 1));
  }
  s->mark[root] = GONE;
  s->key.kind[0] = g->kind[root];
  if (begin < count)
    grow(s, floor, 1, (turn){begin, end < count ? end : count, count, 0});
  for (uint32_t i = 0; i < count; i++)
    s->mark[s->x[i]] = 0;
  s->mark[root] = 0;
}

void ms_graphlet_search_root(ms_graphlet_search *s, uint32_t root, uint32_t begin, uint32_t end)
{
  search_from(s, root, root + 1, begin, end);
}

void ms_graphlet_search_vertex(ms_graphlet_search *s, uint32_t root)
{
  search_from(s, root, 0, 0, UINT32_MAX);
}

/* ---- three vertices -------------------------------------------------------------------- */

/* Counts the pairs of neighbours of a vertex as if they were not adjacent. */
static void count_wedges(ms_graphlet_search *s, uint32_t center)
{
  const ms_census_graph *g = s->graph;
  uint64_t number[4] = {0};
  for (uint64_t e = g->offset[center]; e < g->offset[center + 1]; e++)
    number[g->direction ? g->direction[e] : 1]++;
  double degree = (double)(g->offset[center + 1] - g->offset[center]);
  s->sets += degree * (degree - 1) / 2;
  for (uint32_t a = 1; a < 1u << s->form.width; a++) {
    uint64_t *row = row_of(s, 0, a);
    row[a] += number[a] * (number[a] - 1) / 2;
    for (uint32_t b = a + 1; b < 1u << s->form.width; b++)
      row[b] += number[a] * number[b];
  }
}

static uint32_t turn_arcs(uint32_t arcs, uint32_t width)
{
  return width == 1 ? arcs : (arcs & 1) << 1 | arcs >> 1;
}

void ms_graphlet_count_triads(ms_graphlet_search *s, uint32_t begin, uint32_t end)
{
  const ms_census_graph *g = s->graph;
  uint32_t width = s->form.width;
  for (uint32_t root = begin; root < end && !s->ended; root++) {
    uint64_t first = g->offset[root], last = first, e;
    s->ended = ms_watch_ended(s->watch, s->steps++);
    count_wedges(s, root);
    for (; last < g->offset[root + 1] && g->neighbor[last] > root; last++)
      s->mark[g->neighbor[last]] = g->direction ? g->direction[last] : 1;
    for (uint64_t i = first; i < last; i++) {
      uint32_t w = g->neighbor[i], to_w = s->mark[w];
      for (e = g->offset[w]; e < g->offset[w + 1] && g->neighbor[e] > w; e++) {
        uint32_t to_u = s->mark[g->neighbor[e]], arcs = g->direction ? g->direction[e] : 1;
        if (to_u == 0)
          continue;
        row_of(s, 0, to_w)[to_u | arcs << width]++;
        row_of(s, 0, to_w)[to_u]--;
        row_of(s, 0, turn_arcs(to_w, width))[arcs]--;
        row_of(s, 0, turn_arcs(to_u, width))[turn_arcs(arcs, width)]--;
      }
      s->visits++;
    }
    for (uint64_t i = first; i < last; i++)
      s->mark[g->neighbor[i]] = 0;
  }
}
