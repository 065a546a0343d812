/* Searches from many vertices at a time, for components. */
#include "graph/walk/components_inner.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/threads.h"

/* FIRST searches start at the same time, and GROW times as many each time that all of them have
 * ended.  The first ones are few: the largest component is reached from any of them, and searches
 * that meet in it cost time.  Later ones are many: the rest may be millions of small components. */
enum { FIRST = 16, GROW = 8 };

enum { CLASSES = 33 }; /* bit lengths of 32-bit degrees; longer ones are in the last class */

/* 0: the highest degrees */
static uint32_t class_of(const uint64_t *offset, uint32_t v)
{
  uint64_t degree = offset[v + 1] - offset[v];
  uint32_t bits = degree ? 64 - (uint32_t)__builtin_clzll(degree) : 0;
  return bits < CLASSES ? CLASSES - 1 - bits : 0;
}

/* Turns count[part][class] from numbers of vertices into the place of the first of them. */
static void sum_up(uint32_t parts, uint32_t (*count)[CLASSES])
{
  uint32_t before = 0;
  for (uint32_t c = 0; c < CLASSES; c++)
    for (uint32_t part = 0; part < parts; part++) {
      uint32_t more = count[part][c];
      count[part][c] = before;
      before += more;
    }
}

typedef struct ordering {
  uint32_t n, parts;
  const uint64_t *offset;
  uint32_t (*count)[CLASSES]; /* [parts] */
  uint32_t *order;
} ordering;

static uint32_t part_begin(const ordering *o, uint64_t part)
{
  return (uint32_t)(o->n * part / o->parts);
}

static void count_parts(void *user, ms_range r)
{
  const ordering *o = user;
  for (uint64_t part = r.begin; part < r.end; part++)
    for (uint32_t v = part_begin(o, part); v < part_begin(o, part + 1); v++)
      o->count[part][class_of(o->offset, v)]++;
}

static void order_parts(void *user, ms_range r)
{
  const ordering *o = user;
  for (uint64_t part = r.begin; part < r.end; part++)
    for (uint32_t v = part_begin(o, part); v < part_begin(o, part + 1); v++)
      o->order[o->count[part][class_of(o->offset, v)]++] = v;
}

/* Sets order[n] to all vertices by the bit length of their degrees, the highest first, and by
 * number where it is equal. */
static ms_status make_order(uint32_t n, const uint64_t *offset, int threads, uint32_t *order,
                            ms_error *err)
{
  ordering o = {.n = n, .parts = (uint32_t)threads, .offset = offset, .order = order};
  o.count = ms_calloc(o.parts, sizeof *o.count);
  if (!o.count)
    return ms_fail_memory(err, "components");
  ms_parallel(threads, o.parts, 1, count_parts, &o);
  sum_up(o.parts, o.count);
  ms_parallel(threads, o.parts, 1, order_parts, &o);
  ms_free(o.count);
  return MS_OK;
}

typedef struct starting {
  ms_traversal *t;
  uint32_t *component;
  const uint32_t *order;
} starting;

static void start_range(void *user, ms_range r)
{
  static const ms_visitor visitor = {.rule = MS_VISIT_REPLACE};
  const starting *s = user;
  ms_visits visits;
  ms_visits_begin(&visits, s->t);
  for (uint64_t i = r.begin; i < r.end; i++) {
    uint32_t v = s->order[i];
    if (s->component[v] == MS_COMPONENT_UNSEEN) {
      s->component[v] = v;
      ms_traverse_start(&visits, &visitor, NULL, v);
    }
  }
  ms_visits_end(&visits);
}

/* Starts searches from the vertices of order[begin..end) that no search has reached. */
static void start(ms_traversal *t, uint32_t *component, const uint32_t *order, uint32_t begin,
                  uint32_t end)
{
  starting s = {t, component, order + begin};
  uint32_t count = end - begin;
  ms_parallel(ms_threads_for(t->threads, count), count, 0, start_range, &s);
}

static void forget_range(void *user, ms_range r)
{
  uint32_t *component = user;
  for (uint64_t v = r.begin; v < r.end; v++)
    component[v] = MS_COMPONENT_UNSEEN;
}

ms_status ms_components_search(uint32_t n, const uint64_t *offset, const uint32_t *neighbor,
                               int threads, uint32_t *component, ms_traverse_fn *visit, void *user,
                               ms_error *err)
{
  ms_traversal t;
  ms_status status = ms_traversal_open(n, offset, neighbor, threads, &t, err);
  uint32_t *order = ms_alloc_lines(n, sizeof *order);
  if (status == MS_OK && !order)
    status = ms_fail_memory(err, "components");
  if (status == MS_OK)
    status = make_order(n, offset, threads, order, err);
  if (status != MS_OK)
    goto done;
  ms_parallel(threads, n, 0, forget_range, component);
  uint64_t searches = FIRST;
  for (uint64_t begin = 0, end; begin < n && status == MS_OK; begin = end, searches *= GROW) {
    end = searches < n - begin ? begin + searches : n;
    start(&t, component, order, (uint32_t)begin, (uint32_t)end);
    status = ms_traverse(&t, MS_VISIT_REPLACE, visit, user, err);
  }
done:
  ms_free(order);
  ms_traversal_close(&t);
  return status;
}
