/* Families whose edges are drawn one by one: er and rmat; and clique.  For a given number m of
 * edges, draws number 0, 1, 2, ..  continue until m of them are distinct.  A round draws as many as
 * are missing, so no round can exceed m, and the last draw of all is a new one: the result is the
 * set of the first m distinct draws, whatever the threads did.  With uniform draws this is a
 * uniform set of m edges; more than half of all edges are made as the complement of the others. */
#include "graph/generate/family.h"

#include "base/alloc.h"
#include "base/status.h"
#include "graph/generate/random.h"

#include <math.h>
#include <string.h>

/* Rounds of draws.  Uniform draws of up to half of all pairs need about log2(m) rounds; rounds
 * of rmat may find nothing where all likely pairs are already drawn. */
#define MAX_ROUNDS 256

#define DRAWS_PER_PIECE 16384u /* between two checks of the watch */

/* Not an edge, as u == v. */
#define NO_KEY 0u

typedef uint64_t (*draw_fn)(const ms_generate_plan *plan, uint64_t index);

typedef struct drawing {
  const ms_generate_plan *plan;
  draw_fn draw;
  uint64_t first, *batch;
} drawing;

static void draw_range(void *user, ms_range r)
{
  const drawing *d = user;
  for (uint64_t i = r.begin; i < r.end; i++)
    d->batch[i] = d->draw(d->plan, d->first + i);
}

/* Removes repeats, NO_KEY and the keys of `keys` from batch[count]; both ascend.  Returns how
 * many remain. */
static uint64_t keep_new(const ms_generate_plan *plan, const ms_edge_keys *keys, uint64_t *batch,
                         uint64_t count)
{
  uint64_t kept = 0, at = 0;
  for (uint64_t i = 0; i < count && !ms_generate_ended(plan, i); i++) {
    if (batch[i] == NO_KEY || (i > 0 && batch[i] == batch[i - 1]))
      continue;
    while (at < keys->count && keys->key[at] < batch[i])
      at++;
    if (at == keys->count || keys->key[at] != batch[i])
      batch[kept++] = batch[i];
  }
  return kept;
}

/* Merges from the end, in place. */
static void merge(const ms_generate_plan *plan, ms_edge_keys *keys, const uint64_t *batch,
                  uint64_t count)
{
  uint64_t a = keys->count, to = keys->count + count;
  keys->count = to;
  while (count > 0 && !ms_generate_ended(plan, to))
    keys->key[--to] =
        a > 0 && keys->key[a - 1] > batch[count - 1] ? keys->key[--a] : batch[--count];
}

/* Makes the first m distinct draws, ascending. */
static ms_status draw_distinct(const ms_generate_plan *plan, draw_fn draw, uint64_t m,
                               ms_edge_keys *keys, ms_error *err)
{
  ms_status status = MS_OK;
  uint64_t drawn = 0;
  uint64_t *batch = ms_alloc(m, sizeof *batch), *scratch = NULL;
  keys->key = ms_alloc(m, sizeof *keys->key);
  if (!keys->key || !batch) {
    status = ms_fail_memory(err, "random edges");
    goto done;
  }
  for (int round = 0; keys->count < m; round++) {
    uint64_t missing = m - keys->count;
    if (round == MAX_ROUNDS) {
      status = ms_fail(err, MS_ERR_USAGE,
                       "%llu distinct edges are too many: %llu draws found %llu of them; give "
                       "fewer, or quadrants that are more alike",
                       (unsigned long long)m, (unsigned long long)drawn,
                       (unsigned long long)keys->count);
      goto done;
    }
    /* the room behind the keys is as large as the number of missing ones */
    scratch = keys->key + keys->count;
    drawing d = {plan, draw, drawn, batch};
    ms_watch_loop(plan->watch, plan->o.run.threads, missing, DRAWS_PER_PIECE, draw_range, &d);
    ms_sort_keys(batch, scratch, missing, plan->o.run.threads, plan->watch);
    merge(plan, keys, batch, keep_new(plan, keys, batch, missing));
    status = ms_generate_report(plan, err);
    if (status != MS_OK)
      goto done;
    drawn += missing;
  }
done:
  ms_free(batch);
  return status;
}

/* ---- clique -------------------------------------------------------------- */

ms_status ms_plan_clique(ms_generate_plan *plan, ms_error *err)
{
  ms_status status = ms_plan_vertices(plan, plan->o.vertices, err);
  plan->m = ms_pairs_of(plan->n);
  return status;
}

ms_status ms_complement(const ms_generate_plan *plan, const ms_edge_keys *without,
                        ms_edge_keys *keys, ms_error *err)
{
  uint64_t left_out = 0;
  const uint32_t n = plan->n;
  keys->key = ms_alloc(ms_pairs_of(n) - without->count, sizeof *keys->key);
  if (!keys->key)
    return ms_fail_memory(err, "random edges");
  for (uint32_t u = 0; u < n && !ms_watch_check(plan->watch); u++)
    for (uint32_t v = u + 1; v < n; v++)
      if (left_out < without->count && without->key[left_out] == ms_edge_key(u, v))
        left_out++;
      else
        keys->key[keys->count++] = ms_edge_key(u, v);
  return ms_generate_report(plan, err);
}

ms_status ms_make_clique(const ms_generate_plan *plan, ms_edge_keys *keys, ms_error *err)
{
  const ms_edge_keys none = {0};
  return ms_complement(plan, &none, keys, err);
}

/* ---- er: a probability --------------------------------------------------- */

/* The pairs v > u are ordered by v, so that pair number i is the one with v (v-1)/2 + u = i.
 * They are cut into stretches of about this many edges; each draws the gaps between its edges,
 * which are geometric (Batagelj & Brandes 2005), twice: to count and to keep them. */
#define EDGES_PER_STRETCH 65536.0

typedef struct stretches {
  uint64_t pairs, length, count;
} stretches;

static stretches cut_stretches(const ms_generate_plan *plan)
{
  stretches s = {.pairs = ms_pairs_of(plan->n)};
  double length = EDGES_PER_STRETCH / plan->o.probability;
  s.length = length < (double)s.pairs ? (uint64_t)length : s.pairs;
  s.count = s.length ? (s.pairs + s.length - 1) / s.length : 0;
  return s;
}

/* Returns the row of pair number i: the largest v with v (v-1)/2 <= i. */
static uint64_t row_of(uint64_t i)
{
  uint64_t v = (uint64_t)(sqrt(2.0 * (double)i + 0.25) + 0.5);
  while (v > 1 && ms_pairs_of(v) > i)
    v--;
  while (ms_pairs_of(v + 1) <= i)
    v++;
  return v;
}

/* Returns the number of edges of stretch s; `to` is NULL or receives their keys. */
static uint64_t walk_stretch(const ms_generate_plan *plan, const stretches *cut, uint64_t s,
                             uint64_t *to)
{
  double per_log = 1 / log1p(-plan->o.probability); /* -0 for 1: every gap is 0 */
  uint64_t i = s * cut->length, end = i + cut->length < cut->pairs ? i + cut->length : cut->pairs;
  uint64_t v = row_of(i), u = i - ms_pairs_of(v), found = 0;
  /* draw number `found` of this stretch; more than 2^32 draws are as good as impossible */
  for (;; found++) {
    ms_random_block block = ms_random_at(plan->o.run.seed, MS_STREAM_SKIPS, 0, s << 32 | found / 2);
    double gap = floor(
        log(ms_random_unit(found % 2 ? ms_random_high(block) : ms_random_low(block))) * per_log);
    if (!(gap < (double)(end - i)))
      return found;
    i += (uint64_t)gap;
    for (u += (uint64_t)gap; u >= v; v++)
      u -= v;
    if (i >= end)
      return found;
    if (to)
      to[found] = ms_edge_key((uint32_t)u, (uint32_t)v);
    i++;
    u++;
  }
}

typedef struct walking {
  const ms_generate_plan *plan;
  stretches cut;
  uint64_t *start; /* [stretches + 1] the number of edges of the stretches before */
  uint64_t *key;
} walking;

static void count_stretches(void *user, ms_range r)
{
  const walking *w = user;
  for (uint64_t s = r.begin; s < r.end; s++)
    w->start[s + 1] = walk_stretch(w->plan, &w->cut, s, NULL);
}

static void write_stretches(void *user, ms_range r)
{
  const walking *w = user;
  for (uint64_t s = r.begin; s < r.end; s++)
    walk_stretch(w->plan, &w->cut, s, w->key + w->start[s]);
}

static ms_status make_gilbert(const ms_generate_plan *plan, ms_edge_keys *keys, ms_error *err)
{
  stretches cut = cut_stretches(plan);
  uint64_t *start = ms_calloc(cut.count + 1, sizeof *start);
  if (!start)
    return ms_fail_memory(err, "random edges");
  walking w = {.plan = plan, .cut = cut, .start = start};
  ms_watch_loop(plan->watch, plan->o.run.threads, cut.count, 1, count_stretches, &w);
  ms_status status = ms_generate_report(plan, err);
  if (status != MS_OK) {
    ms_free(start);
    return status;
  }
  for (uint64_t s = 0; s < cut.count; s++)
    start[s + 1] += start[s];
  keys->count = start[cut.count];
  w.key = keys->key = ms_alloc(keys->count, sizeof *keys->key);
  if (w.key)
    ms_watch_loop(plan->watch, plan->o.run.threads, cut.count, 1, write_stretches, &w);
  ms_free(start);
  return keys->key ? ms_generate_report(plan, err) : ms_fail_memory(err, "random edges");
}

/* ---- er ------------------------------------------------------------------ */

ms_status ms_plan_er(ms_generate_plan *plan, ms_error *err)
{
  const ms_generate_options *o = &plan->o;
  unsigned size = o->given & (MS_GEN_EDGES | MS_GEN_DEGREE | MS_GEN_PROBABILITY);
  MS_TRY(ms_plan_vertices(plan, o->vertices, err));
  if (size == 0)
    return ms_fail(err, MS_ERR_USAGE, "'er' needs `edges`, `degree` or `probability`; give one");
  if (!(size & MS_GEN_PROBABILITY))
    return ms_plan_edges(plan, err);
  if (size != MS_GEN_PROBABILITY)
    return ms_fail(err, MS_ERR_USAGE,
                   "`probability` does not go with `edges` or `degree`; leave one out");
  if (!(o->probability >= 0 && o->probability <= 1))
    return ms_fail(err, MS_ERR_USAGE, "%g is not a probability; give one from 0 to 1",
                   o->probability);
  plan->m = (uint64_t)ceil((double)ms_pairs_of(plan->n) * o->probability);
  return MS_OK;
}

static uint64_t draw_uniform(const ms_generate_plan *plan, uint64_t index)
{
  ms_random_block block = ms_random_at(plan->o.run.seed, MS_STREAM_PAIRS, 0, index);
  uint32_t u = (uint32_t)ms_random_below(ms_random_low(block), plan->n);
  uint32_t v = (uint32_t)ms_random_below(ms_random_high(block), plan->n);
  return u == v ? NO_KEY : ms_edge_key(u, v);
}

ms_status ms_make_er(const ms_generate_plan *plan, ms_edge_keys *keys, ms_error *err)
{
  uint64_t pairs = ms_pairs_of(plan->n);
  if (plan->o.given & MS_GEN_PROBABILITY)
    return make_gilbert(plan, keys, err);
  if (plan->m <= pairs / 2)
    return draw_distinct(plan, draw_uniform, plan->m, keys, err);
  ms_edge_keys others = {0};
  ms_status status = draw_distinct(plan, draw_uniform, pairs - plan->m, &others, err);
  if (status == MS_OK)
    status = ms_complement(plan, &others, keys, err);
  ms_free(others.key);
  return status;
}

/* ---- rmat ---------------------------------------------------------------- */

ms_status ms_plan_rmat(ms_generate_plan *plan, ms_error *err)
{
  const ms_generate_options *o = &plan->o;
  double sum = 0;
  bool fits = true;
  if (o->scale < 1 || o->scale > 31)
    return ms_fail(err, MS_ERR_USAGE, "a scale of %llu is out of range; give one from 1 to 31",
                   (unsigned long long)o->scale);
  for (int q = 0; q < 4; q++) {
    sum += o->quadrants[q];
    fits = fits && o->quadrants[q] >= 0 && o->quadrants[q] <= 1;
  }
  if (!fits || !(fabs(sum - 1) < 1e-6))
    return ms_fail(err, MS_ERR_USAGE,
                   "the quadrants %g,%g,%g,%g are not probabilities; give four that add up to 1",
                   o->quadrants[0], o->quadrants[1], o->quadrants[2], o->quadrants[3]);
  if (!(o->given & (MS_GEN_EDGES | MS_GEN_DEGREE)))
    return ms_fail(err, MS_ERR_USAGE, "'rmat' needs `edges` or `degree`; give one");
  plan->n = (uint32_t)1 << o->scale;
  return ms_plan_edges(plan, err);
}

static uint64_t draw_rmat(const ms_generate_plan *plan, uint64_t index)
{
  const double *q = plan->o.quadrants;
  const uint64_t b = ms_random_threshold(q[0]), c = ms_random_threshold(q[0] + q[1]),
                 d = ms_random_threshold(q[0] + q[1] + q[2]);
  uint32_t u = 0, v = 0;
  for (uint32_t level = 0; level < plan->o.scale; level += 4) {
    ms_random_block block = ms_random_at(plan->o.run.seed, MS_STREAM_PAIRS, 1 + level / 4, index);
    for (uint32_t i = 0; i < 4 && level + i < plan->o.scale; i++) {
      uint32_t word = block.word[i];
      u = u << 1 | (word >= c);
      v = v << 1 | ((word >= b) ^ (word >= c) ^ (word >= d));
    }
  }
  return u == v ? NO_KEY : ms_edge_key(u, v);
}

ms_status ms_make_rmat(const ms_generate_plan *plan, ms_edge_keys *keys, ms_error *err)
{
  return draw_distinct(plan, draw_rmat, plan->m, keys, err);
}
