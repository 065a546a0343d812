#include "motif/trees.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/watch.h"

#include <string.h>

#define PHASE "vertices are pruned"

typedef struct filter {
  const ms_instance *in;
  const ms_motif_states *states;
  uint64_t *tree; /* [n] T, as far as it is known */
  uint8_t *due;   /* [n] 1: T of a neighbour has grown since T of the vertex was looked at */
} filter;

/* Returns the sub-multisets of one vertex.  A vertex has all slots of a class or none. */
static uint64_t alone(const filter *f, uint32_t mask)
{
  uint64_t set = 0;
  for (uint32_t c = 0, slot = 0; c < f->states->classes; c++) {
    set |= (uint64_t)(mask >> slot & 1) << f->states->of_class[c];
    slot += f->states->count_of[c];
  }
  return set;
}

/* Returns the sums of an element of x and one of y. */
static uint64_t join(const ms_motif_states *states, uint64_t x, uint64_t y)
{
  uint64_t sums = 0;
  for (; y; y &= y - 1) {
    uint32_t s = (uint32_t)__builtin_ctzll(y);
    sums |= (x & states->fits[s]) << s;
  }
  return sums;
}

/* Returns T of the vertex with what its neighbours add. */
static uint64_t grown(const filter *f, uint32_t v)
{
  const ms_instance *in = f->in;
  uint64_t tree = f->tree[v];
  for (uint64_t a = in->offset[v]; a < in->offset[v + 1]; a++)
    tree |= join(f->states, tree, f->tree[in->neighbor[a]]);
  return tree;
}

/* Looks at the vertices that are due.  *changed: some T has grown. */
static ms_status pass(filter *f, bool *changed, ms_error *err)
{
  const ms_instance *in = f->in;
  ms_watch watch;
  *changed = false;
  ms_watch_begin(&watch);
  for (uint32_t v = 0; v < in->n && !ms_watch_ended(&watch, v); v++) {
    if (!f->due[v])
      continue;
    uint64_t tree = grown(f, v);
    f->due[v] = 0;
    if (tree == f->tree[v])
      continue;
    f->tree[v] = tree;
    *changed = true;
    for (uint64_t a = in->offset[v]; a < in->offset[v + 1]; a++)
      f->due[in->neighbor[a]] = 1;
  }
  return ms_watch_report(&watch, PHASE, err);
}

static ms_status find_trees(filter *f, bool *several, ms_error *err)
{
  bool changed = true;
  for (uint32_t v = 0; v < f->in->n; v++) {
    f->tree[v] = alone(f, f->in->mask[v]);
    *several |= (f->tree[v] & (f->tree[v] - 1)) != 0;
  }
  memset(f->due, 1, f->in->n);
  while (changed)
    MS_TRY(pass(f, &changed, err));
  return MS_OK;
}

ms_status ms_trees_filter(const ms_instance *instance, const ms_motif_states *states, uint8_t *keep,
                          uint32_t *kept, bool *certain, ms_error *err)
{
  filter f = {.in = instance, .states = states};
  bool several = false;
  f.tree = ms_alloc_lines(instance->n, sizeof *f.tree);
  f.due = ms_alloc_lines(instance->n, 1);
  ms_status status =
      f.tree && f.due ? find_trees(&f, &several, err) : ms_fail_memory(err, "pruning");
  *kept = 0;
  for (uint32_t v = 0; status == MS_OK && v < instance->n; v++) {
    keep[v] = (f.tree[v] & states->full) != 0;
    *kept += keep[v];
  }
  *certain = states->distinct && !several;
  ms_free(f.tree);
  ms_free(f.due);
  return status;
}
