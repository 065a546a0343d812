#include "motif/trees.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/watch.h"

#define PHASE "vertices are pruned"
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
  return ms_watch_report(&watch, PHASE, err);
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

ms_status ms_trees_filter(const ms_instance *instance, const ms_submultisets *states,
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
