#include "motif/holders.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/watch.h"
#include "motif/instance.h"
#include "motif/prune.h"
#include "motif/submultisets.h"

#include <string.h>

/* ---- trees ----------------------------------------------------------------------------------- */

/* Which vertices are in a match, as far as sub-multisets of a small motif tell
 * (motif/submultisets.h). */

#define TREES_PHASE "vertices are pruned"
#define DROPPED UINT32_MAX

typedef struct filter {
  const ms_instance *in;
  const ms_submultisets *states;
  uint64_t *tree;  /* [n] T, as far as it is known */
  uint32_t *place; /* [n] number of the vertex in the result, or DROPPED */
} filter;

/* Returns the sub-multisets of one vertex, which has all slots of a class or none. */
static uint64_t alone(const filter *f, uint32_t mask)
{
  uint64_t set = 0;
  for (uint32_t c = 0, slot = 0; c < f->states->classes; c++) {
    set |= (uint64_t)(mask >> slot & 1) << f->states->of_class[c];
    slot += f->states->count_of[c];
  }
  return set;
}

/* Begins T.  Returns true if some vertex fits several classes. */
static bool begin_trees(filter *f)
{
  bool several = false;
  for (uint32_t v = 0; v < f->in->n; v++) {
    f->tree[v] = alone(f, f->in->mask[v]);
    several |= (f->tree[v] & (f->tree[v] - 1)) != 0;
  }
  return several;
}

/* Returns the sums of an element of x and one of y that the layer joins. */
static uint64_t join(const uint64_t *layer, uint64_t x, uint64_t y)
{
  uint64_t sums = 0;
  for (; y; y &= y - 1) {
    uint32_t s = (uint32_t)__builtin_ctzll(y);
    sums |= (x & layer[s]) << s;
  }
  return sums;
}

/* Adds to T the sub-multisets of the layer. */
static ms_status add_layer(const filter *f, const uint64_t *layer, ms_error *err)
{
  const ms_instance *in = f->in;
  ms_watch watch;
  ms_watch_begin(&watch);
  for (uint32_t v = 0; v < in->n && !ms_watch_ended(&watch, v); v++) {
    uint64_t tree = f->tree[v], more = 0;
    for (uint64_t a = in->offset[v]; a < in->offset[v + 1]; a++)
      more |= join(layer, tree, f->tree[in->neighbor[a]]);
    f->tree[v] = tree | more;
  }
  return ms_watch_report(&watch, TREES_PHASE, err);
}

/* Returns what completes the elements of a set: their bits in reverse order. */
static uint64_t completing(const ms_submultisets *states, uint64_t set)
{
  uint64_t x = __builtin_bswap64(set);
  x = (x & UINT64_C(0x0F0F0F0F0F0F0F0F)) << 4 | (x >> 4 & UINT64_C(0x0F0F0F0F0F0F0F0F));
  x = (x & UINT64_C(0x3333333333333333)) << 2 | (x >> 2 & UINT64_C(0x3333333333333333));
  x = (x & UINT64_C(0x5555555555555555)) << 1 | (x >> 1 & UINT64_C(0x5555555555555555));
  return x >> (MS_MOST_SUBMULTISETS - states->count);
}

/* Returns the number of neighbours to which an edge leads that may be in a tree of a match. */
static uint32_t degree_left(const filter *f, uint32_t v)
{
  const ms_instance *in = f->in;
  uint64_t wanted = completing(f->states, f->tree[v]);
  uint32_t degree = 0;
  for (uint64_t a = in->offset[v]; a < in->offset[v + 1]; a++)
    degree += (f->tree[in->neighbor[a]] & wanted) != 0;
  return degree;
}

/* Numbers the vertices that stay.  *arcs receives the number of their arcs. */
static uint32_t number_vertices(filter *f, uint64_t *arcs)
{
  uint32_t kept = 0;
  *arcs = 0;
  for (uint32_t v = 0; v < f->in->n; v++) {
    uint32_t degree = degree_left(f, v);
    bool stays = degree > 0 || f->states->slots == 1;
    f->place[v] = stays ? kept++ : DROPPED;
    *arcs += degree;
  }
  return kept;
}

static void copy_rows(const filter *f, ms_instance *to)
{
  const ms_instance *in = f->in;
  uint64_t at = 0;
  for (uint32_t v = 0; v < in->n; v++) {
    uint32_t i = f->place[v];
    if (i == DROPPED)
      continue;
    uint64_t wanted = completing(f->states, f->tree[v]);
    to->vertex[i] = in->vertex[v];
    to->mask[i] = in->mask[v];
    to->offset[i] = at;
    for (uint64_t a = in->offset[v]; a < in->offset[v + 1]; a++)
      if (f->tree[in->neighbor[a]] & wanted)
        to->neighbor[at++] = f->place[in->neighbor[a]];
  }
  to->offset[to->n] = at;
}

static ms_status make_result(filter *f, ms_instance **out, ms_error *err)
{
  uint64_t arcs;
  for (uint32_t j = 0; j + 2 < f->states->slots; j++)
    MS_TRY(add_layer(f, f->states->layer[j], err));
  uint32_t kept = number_vertices(f, &arcs);
  MS_TRY(ms_instance_alloc(kept, arcs, f->in->k, out, err));
  copy_rows(f, *out);
  if (kept == 0)
    ms_instance_make_impossible(*out);
  return MS_OK;
}

/* Makes the instance of the edges that may be in a tree of a match by motif/submultisets.h, and of
 * the vertices that have one: it has the same matches.  *certain: each of its vertices is in a
 * match. Matches fill all slots, and no vertex is required.
 *
 * One thread, k - 1 passes over the arcs, 12 bytes a vertex.  Polls the token of the thread. */
static ms_status trees_filter(const ms_instance *instance, const ms_submultisets *states,
                              ms_instance **out, bool *certain, ms_error *err)
{
  filter f = {.in = instance, .states = states};
  *out = NULL;
  f.tree = ms_alloc_lines(instance->n, sizeof *f.tree);
  f.place = ms_alloc_lines(instance->n, sizeof *f.place);
  ms_status status = f.tree && f.place ? MS_OK : ms_fail_memory(err, "pruning");
  if (status == MS_OK) {
    *certain = !begin_trees(&f) && states->distinct;
    status = make_result(&f, out, err);
  }
  ms_free(f.tree);
  ms_free(f.place);
  return status;
}

/* ---- holders --------------------------------------------------------------------------------- */

#define PHASE "vertices are pruned"
/* Trees are looked for up to this mean degree of the vertices that fit a slot.  Among more
 * neighbours nearly every vertex is in a match, which enumeration finds sooner: the screens of 230
 * complexes of yeast take 0.51 s with trees everywhere, and 0.43 s without. */
#define MOST_DEGREE 8u

/* ---- the index --------------------------------------------------------------------- */

void ms_holders_free(ms_holders *holders)
{
  if (!holders)
    return;
  ms_free(holders->start);
  ms_free(holders->vertex);
  ms_free(holders);
}

/* Sorts the pairs by colour, by counting. */
static void fill(const ms_coloring *coloring, ms_holders *h)
{
  uint64_t pairs = coloring->offset[coloring->n];
  for (uint64_t i = 0; i < pairs; i++)
    h->start[coloring->color[i] + 1]++;
  for (uint32_t c = 0; c < h->colors; c++)
    h->start[c + 1] += h->start[c];
  for (uint32_t v = 0; v < coloring->n; v++)
    for (uint64_t i = coloring->offset[v]; i < coloring->offset[v + 1]; i++)
      h->vertex[h->start[coloring->color[i]]++] = v;
  /* each start has become the next one */
  memmove(h->start + 1, h->start, h->colors * sizeof *h->start);
  h->start[0] = 0;
}

ms_status ms_holders_new(const ms_graph *graph, const ms_coloring *coloring, ms_holders **out,
                         ms_error *err)
{
  *out = NULL;
  ms_holders *h = ms_calloc(1, sizeof *h);
  if (!h)
    return ms_fail_memory(err, "the holders of the colours");
  h->graph = graph;
  h->colors = ms_names_count(coloring->names);
  h->start = ms_calloc((size_t)h->colors + 1, sizeof *h->start);
  h->vertex = ms_alloc(coloring->offset[coloring->n], sizeof *h->vertex);
  if (!h->start || !h->vertex) {
    ms_holders_free(h);
    return ms_fail_memory(err, "the holders of the colours");
  }
  fill(coloring, h);
  *out = h;
  return MS_OK;
}

/* ---- a motif ------------------------------------------------------------------------ */

bool ms_holders_serve(const ms_query *query)
{
  const ms_motif *motif = query->motif;
  for (uint32_t c = 0; c < motif->n_classes; c++) {
    const ms_motif_class *class_ = &motif->class_[c];
    if (class_->color == MS_WILDCARD ||
        (class_->condition && !ms_condition_is_any_of(class_->condition)))
      return false;
  }
  return query->n_required == 0;
}

/* The vertices that fit a slot, as bits. */
typedef struct live {
  const ms_holders *holders;
  const ms_motif *motif;
  uint64_t *bits;   /* [words] bit v % 64 of word v / 64: v fits a slot */
  uint32_t *before; /* [words] how many vertices with smaller words do */
  uint32_t words, count;
  uint64_t arcs; /* of the graph, of those that are live */
} live;

/* Calls `use` for each colour of each class of slots, with the slots. */
static void for_colors(live *l, void (*use)(live *l, uint32_t color, uint32_t slots, void *user),
                       void *user)
{
  uint32_t first = 0;
  for (uint32_t c = 0; c < l->motif->n_classes; c++) {
    const ms_motif_class *class_ = &l->motif->class_[c];
    uint32_t slots = (uint32_t)((((uint64_t)1 << class_->count) - 1) << first);
    first += class_->count;
    if (!class_->condition)
      use(l, class_->color, slots, user);
    for (uint32_t i = 0; class_->condition && i < class_->condition->count; i++)
      use(l, class_->condition->literal[i].color, slots, user);
  }
}

static void mark_color(live *l, uint32_t color, uint32_t slots, void *user)
{
  const ms_holders *h = l->holders;
  (void)slots;
  (void)user;
  for (uint64_t i = h->start[color]; i < h->start[color + 1]; i++)
    l->bits[h->vertex[i] / 64] |= UINT64_C(1) << h->vertex[i] % 64;
}

static uint32_t number_of(const live *l, uint32_t v)
{
  uint64_t below = l->bits[v / 64] & ((UINT64_C(1) << v % 64) - 1);
  return l->before[v / 64] + (uint32_t)__builtin_popcountll(below);
}

static void mask_color(live *l, uint32_t color, uint32_t slots, void *user)
{
  const ms_holders *h = l->holders;
  uint32_t *mask = user;
  for (uint64_t i = h->start[color]; i < h->start[color + 1]; i++)
    mask[number_of(l, h->vertex[i])] |= slots;
}

static ms_status open_live(live *l, ms_error *err)
{
  const uint64_t *offset = l->holders->graph->offset;
  l->words = l->holders->graph->n / 64 + 1;
  l->bits = ms_calloc(l->words, sizeof *l->bits);
  l->before = ms_alloc(l->words, sizeof *l->before);
  if (!l->bits || !l->before)
    return ms_fail_memory(err, "the vertices that fit a slot");
  for_colors(l, mark_color, NULL);
  for (uint32_t w = 0; w < l->words; w++) {
    l->before[w] = l->count;
    l->count += (uint32_t)__builtin_popcountll(l->bits[w]);
    for (uint64_t rest = l->bits[w]; rest; rest &= rest - 1) {
      uint32_t v = 64 * w + (uint32_t)__builtin_ctzll(rest);
      l->arcs += offset[v + 1] - offset[v];
    }
  }
  return MS_OK;
}

/* Copies the arcs of live vertex i to live ends that together with it fit more than one slot, and
 * finds the slots near it.  Returns the end of its row. */
static uint64_t copy_row(const live *l, uint32_t v, uint32_t i, ms_instance *to, uint64_t at,
                         ms_thin *thin)
{
  const ms_graph *graph = l->holders->graph;
  uint32_t own = to->mask[i], alike = (own & (own - 1)) == 0 ? own : 0, near = own;
  for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++) {
    uint32_t u = graph->neighbor[a];
    if (!(l->bits[u / 64] >> u % 64 & 1))
      continue;
    uint32_t number = number_of(l, u), other = to->mask[number];
    to->neighbor[at] = number;
    at += other != alike;
    thin->edges_one_slot += other == alike;
    near |= other;
  }
  thin->near[i] = near;
  return at;
}

/* Makes what ms_instance_thin makes of the whole graph.  There is room for all arcs of the live
 * vertices. */
static ms_status make_thin(live *l, ms_thin *thin, ms_error *err)
{
  uint32_t i = 0;
  uint64_t at = 0;
  ms_watch watch;
  MS_TRY(ms_instance_alloc(l->count, l->arcs, l->motif->k, &thin->left, err));
  ms_instance *to = thin->left;
  thin->near = ms_alloc_lines(l->count, sizeof *thin->near);
  if (!thin->near)
    return ms_fail_memory(err, "pruning");
  thin->dropped = l->holders->graph->n - l->count;
  memset(to->mask, 0, l->count * sizeof *to->mask);
  for_colors(l, mask_color, to->mask);
  ms_watch_begin(&watch);
  for (uint32_t w = 0; w < l->words && !ms_watch_ended(&watch, w); w++)
    for (uint64_t rest = l->bits[w]; rest; rest &= rest - 1, i++) {
      uint32_t v = 64 * w + (uint32_t)__builtin_ctzll(rest);
      to->vertex[i] = v;
      to->offset[i] = at;
      at = copy_row(l, v, i, to, at, thin);
    }
  MS_TRY(ms_watch_report(&watch, PHASE, err));
  to->offset[l->count] = to->arcs = at;
  thin->edges_one_slot /= 2;
  if (l->count == 0)
    ms_instance_make_impossible(to);
  return MS_OK;
}

/* Makes the instance of the vertices that fit a slot. */
static ms_status make_live(const ms_holders *holders, const ms_query *query, ms_thin *thin,
                           ms_error *err)
{
  live l = {.holders = holders, .motif = query->motif};
  *thin = (ms_thin){0};
  ms_status status = open_live(&l, err);
  if (status == MS_OK)
    status = make_thin(&l, thin, err);
  ms_free(l.bits);
  ms_free(l.before);
  if (status == MS_OK)
    return MS_OK;
  ms_instance_free(thin->left);
  ms_free(thin->near);
  return status;
}

ms_status ms_holders_prune(const ms_holders *holders, const ms_query *query, ms_instance **out,
                           ms_prune_stats *stats, ms_error *err)
{
  ms_thin thin;
  *out = NULL;
  MS_TRY(make_live(holders, query, &thin, err));
  return ms_instance_prune_thin(&thin, out, stats, err);
}

/* Passes on an instance from which no rule would drop anything, since each vertex is in a match. */
static ms_status count_components(ms_instance *left, ms_instance **out, ms_prune_stats *stats,
                                  ms_error *err)
{
  uint32_t count = 0, *component = ms_alloc(left->n, sizeof *component);
  ms_status status = component ? ms_instance_components(left, 1, component, &count, err)
                               : ms_fail_memory(err, "pruning");
  ms_free(component);
  if (status != MS_OK) {
    ms_instance_free(left);
    return status;
  }
  left->pruned = true;
  *stats = (ms_prune_stats){.components = count};
  *out = left;
  return MS_OK;
}

ms_status ms_holders_filter(const ms_holders *holders, const ms_query *query, ms_instance **out,
                            bool *certain, ms_prune_stats *stats, ms_error *err)
{
  ms_submultisets states;
  ms_instance *left;
  ms_thin thin;
  *out = NULL;
  *certain = false;
  if (!ms_submultisets_make(query->motif, &states))
    return ms_holders_prune(holders, query, out, stats, err);
  MS_TRY(make_live(holders, query, &thin, err));
  if (thin.left->arcs > MOST_DEGREE * (uint64_t)thin.left->n)
    return ms_instance_prune_thin(&thin, out, stats, err);
  ms_free(thin.near);
  ms_status status = trees_filter(thin.left, &states, &left, certain, err);
  ms_instance_free(thin.left);
  if (status != MS_OK)
    return status;
  if (*certain)
    return count_components(left, out, stats, err);
  status = ms_instance_prune(left, 1, out, stats, err);
  ms_instance_free(left);
  return status;
}
