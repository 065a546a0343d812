/* Numbers that follow from the common neighbours of the ends of edges, and from triangles. */
#include "match/small/passes.h"

#include "base/status.h"

typedef struct pass {
  ms_small *s;
  ms_small_sum *hops; /* [n] sum of d - 1 over the neighbours */
} pass;

/* Sums over the edges of a root. */
static void add_edges(const pass *p, uint32_t root)
{
  const ms_small *s = p->s;
  ms_small_sum *const *number = s->number;
  for (uint64_t arc = s->offset[root]; arc < s->offset[root + 1]; arc++) {
    ms_small_sum t = s->common[arc], d = ms_small_degree(s, s->end[arc]), pairs = t * (t - 1);
    number[MS_SMALL_TRIANGLE][root] += t;
    number[MS_SMALL_TAILED][root] += t * (d - 2);
    number[MS_SMALL_DIAMOND_POLE][root] += pairs;
    if (!s->fives || t == 0)
      continue;
    number[MS_SMALL_CRICKET][root] += t * (d - 2) * (d - 3);
    number[MS_SMALL_BOOK_SPINE][root] += pairs * (t - 2);
    number[MS_SMALL_DART_POLE][root] += pairs * (d - 3);
  }
}

static void add_hops(const pass *p, uint32_t v)
{
  uint32_t length;
  const uint32_t *near = ms_row(&p->s->index->rows[MS_ROWS_ANY], v, &length);
  for (uint32_t i = 0; i < length; i++)
    p->hops[v] += ms_small_degree(p->s, near[i]) - 1;
}

static void visit_edges(void *user, ms_range r)
{
  const pass *p = user;
  for (uint32_t v = (uint32_t)r.begin; v < r.end; v++) {
    add_edges(p, v);
    if (p->s->fives)
      add_hops(p, v);
  }
}

/* Adds the shapes of five vertices at a triangle root, a, b with t common neighbours of root and a,
 * and `far` of a and b. */
static void add_triangle(const pass *p, uint32_t root, uint32_t a, uint32_t b, ms_small_sum t,
                         ms_small_sum far)
{
  const ms_small *s = p->s;
  ms_small_sum *const *number = s->number;
  ms_small_sum of_root = ms_small_degree(s, root), of_a = ms_small_degree(s, a),
               of_b = ms_small_degree(s, b);
  number[MS_SMALL_LOLLIPOP][root] += p->hops[a] - (of_root - 1) - (of_b - 1) - (t - 1) - (far - 1);
  number[MS_SMALL_BULL][root] += (of_a - 2) * (of_b - 2) - (far - 1);
  number[MS_SMALL_BOWTIE][root] += s->number[MS_SMALL_TRIANGLE][a] - 2 * t - 2 * far + 2;
  number[MS_SMALL_DART_END][root] += (far - 1) * (of_a - 3);
  number[MS_SMALL_BOOK_PAGE][root] += (far - 1) * (far - 2);
}

static void visit_triangles(void *user, ms_range r)
{
  const pass *p = user;
  const ms_small *s = p->s;
  for (uint32_t v = (uint32_t)r.begin; v < r.end; v++)
    for (uint64_t arc = s->offset[v]; arc < s->offset[v + 1]; arc++)
      for (uint64_t i = s->first[arc]; i < s->first[arc + 1]; i++) {
        uint32_t next = s->third[i];
        s->number[MS_SMALL_DIAMOND_END][v] += s->common[next] - 1u;
        if (s->fives)
          add_triangle(p, v, s->end[arc], s->corner[i], s->common[arc], s->common[next]);
      }
}

ms_status ms_small_triangles(ms_small *s, ms_error *err)
{
  static const ms_small_shape shape[] = {
      MS_SMALL_TRIANGLE,   MS_SMALL_TAILED,   MS_SMALL_DIAMOND_END, MS_SMALL_DIAMOND_POLE,
      MS_SMALL_CRICKET,    MS_SMALL_BULL,     MS_SMALL_LOLLIPOP,    MS_SMALL_BOWTIE,
      MS_SMALL_BOOK_SPINE, MS_SMALL_DART_END, MS_SMALL_BOOK_PAGE,   MS_SMALL_DART_POLE};
  pass p = {.s = s};
  MS_TRY(ms_small_open(s, shape, s->fives ? sizeof shape / sizeof *shape : 4, err));
  p.hops = ms_small_room(s, s->n, sizeof *p.hops);
  if (!p.hops)
    return ms_fail_memory(err, "sums over neighbours");
  ms_status status = ms_small_loop(s, visit_edges, &p, err);
  if (status == MS_OK)
    status = ms_small_loop(s, visit_triangles, &p, err);
  ms_small_give_back(s, p.hops, s->n, sizeof *p.hops);
  return status;
}
