/* The bottleneck profile by nested exact screens.
 *
 * A vertex that is in a match of the edges of at least t is in one for each lower t, too.  So the
 * profile of all vertices is found by bisection on the sorted scores: the vertices flagged at t are
 * looked at only above t, among the vertices flagged at t; the others only below.  In both parts
 * only vertices within k - 1 steps of those that are looked at matter.  Of these, the ones whose
 * profile is known to be higher are in matches, and no search begins at them. */
#include "run/profile.h"

#include "base/alloc.h"
#include "base/status.h"
#include "motif/regions.h"
#include "motif/take_part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The graph of the edges of at least some score, among some vertices. */
typedef struct level {
  ms_instance *in;
  float *score; /* [in->arcs] */
} level;

typedef struct profiling {
  ms_run *run;
  const ms_graph *graph;
  ms_screen_result *result;
  int threads;
  float *value; /* [values] the different scores, ascending */
  uint32_t values;
  uint8_t *hit, *wanted;    /* [graph n] of the vertices of a level: is flagged; is looked at */
  uint8_t *keep;            /* [n of the first level] */
  uint32_t *new_id, *queue; /* [n of the first level] */
} profiling;

static void level_free(level *l)
{
  ms_instance_free(l->in);
  ms_free(l->score);
  *l = (level){.in = NULL};
}

/* ---- levels ------------------------------------------------------------------------ */

/* Numbers the vertices with keep[v] != 0 (NULL: all); returns how many there are. */
static uint32_t number_kept(profiling *p, const ms_instance *in, const uint8_t *keep)
{
  uint32_t n = 0;
  for (uint32_t v = 0; v < in->n; v++)
    p->new_id[v] = !keep || keep[v] ? n++ : UINT32_MAX;
  return n;
}

static bool stays(const profiling *p, const level *from, uint64_t arc, float least)
{
  return from->score[arc] >= least && p->new_id[from->in->neighbor[arc]] != UINT32_MAX;
}

static void copy_rows(const profiling *p, const level *from, float least, level *to)
{
  const ms_instance *in = from->in;
  uint64_t place = 0;
  for (uint32_t v = 0; v < in->n; v++) {
    uint32_t u = p->new_id[v];
    if (u == UINT32_MAX)
      continue;
    to->in->offset[u] = place;
    to->in->vertex[u] = in->vertex[v];
    to->in->mask[u] = in->mask[v];
    for (uint64_t a = in->offset[v]; a < in->offset[v + 1]; a++)
      if (stays(p, from, a, least)) {
        to->in->neighbor[place] = p->new_id[in->neighbor[a]];
        to->score[place++] = from->score[a];
      }
  }
  to->in->offset[to->in->n] = place;
}

static void copy_loose(const profiling *p, const ms_instance *from, ms_instance *to)
{
  for (uint32_t i = 0; i < from->n_loose; i++)
    if (p->new_id[from->loose[i]] == UINT32_MAX) {
      ms_instance_make_impossible(to);
      return;
    } else {
      to->loose[to->n_loose++] = p->new_id[from->loose[i]];
    }
}

/* Makes the level of the edges of at least `least` among the vertices with keep[v] != 0. */
static ms_status cut(profiling *p, const level *from, const uint8_t *keep, float least, level *to,
                     ms_error *err)
{
  uint32_t n = number_kept(p, from->in, keep);
  uint64_t arcs = 0;
  *to = (level){.in = NULL};
  for (uint32_t v = 0; v < from->in->n; v++)
    for (uint64_t a = from->in->offset[v]; a < from->in->offset[v + 1]; a++)
      arcs += p->new_id[v] != UINT32_MAX && stays(p, from, a, least);
  MS_TRY(ms_instance_alloc(n, arcs, from->in->k, &to->in, err));
  to->score = ms_alloc(arcs, sizeof *to->score);
  if (!to->score) {
    level_free(to);
    return ms_fail_memory(err, "the edges of a score");
  }
  copy_rows(p, from, least, to);
  copy_loose(p, from->in, to->in);
  return MS_OK;
}

/* Sets keep[v] for the vertices of a level within k - 1 steps of those that are looked at; returns
 * how many there are. */
static uint32_t find_near(profiling *p, const level *l, bool (*starts)(const profiling *, uint32_t))
{
  const ms_instance *in = l->in;
  uint32_t tail = 0, head = 0;
  memset(p->keep, 0, in->n);
  for (uint32_t v = 0; v < in->n; v++)
    if (starts(p, in->vertex[v])) {
      p->keep[v] = 1;
      p->queue[tail++] = v;
    }
  for (uint32_t step = 1; step < in->k; step++)
    for (uint32_t end = tail; head < end; head++)
      for (uint64_t a = in->offset[p->queue[head]]; a < in->offset[p->queue[head] + 1]; a++)
        if (!p->keep[in->neighbor[a]]) {
          p->keep[in->neighbor[a]] = 1;
          p->queue[tail++] = in->neighbor[a];
        }
  return tail;
}

static bool is_above(const profiling *p, uint32_t v)
{
  return p->wanted[v] && p->hit[v];
}

static bool is_wanted(const profiling *p, uint32_t v)
{
  return p->wanted[v];
}

/* ---- screens ----------------------------------------------------------------------- */

/* Flags the vertices of a region, unless none of them is looked at. */
static ms_status screen_region(profiling *p, const ms_instance *region, ms_error *err)
{
  uint32_t open = 0;
  for (uint32_t v = 0; v < region->n; v++)
    open += p->wanted[region->vertex[v]];
  if (open == 0)
    return MS_OK;
  uint8_t *flag = ms_calloc(region->n, 2), *known = flag ? flag + region->n : NULL;
  if (!flag)
    return ms_fail_memory(err, "the flags");
  for (uint32_t v = 0; v < region->n; v++)
    known[v] = !p->wanted[region->vertex[v]];
  ms_part_takers takers = {.flag = flag, .known = known};
  ms_status status =
      ms_take_part(region, p->threads, p->run->budget, p->run->limits.stop, &takers, err);
  for (uint32_t v = 0; v < region->n; v++)
    p->hit[region->vertex[v]] = flag[v];
  p->result->run.work.visits += takers.visits;
  ms_free(flag);
  return status;
}

static ms_status screen_level(profiling *p, const level *l, ms_error *err)
{
  ms_regions *regions = NULL;
  for (uint32_t v = 0; v < l->in->n; v++)
    p->hit[l->in->vertex[v]] = 0;
  if (l->in->n == 0)
    return MS_OK;
  ms_status status = ms_regions_find(l->in, NULL, p->threads, &regions, err);
  for (uint32_t r = 0; status == MS_OK && r < regions->count; r++)
    status = screen_region(p, regions->region[r], err);
  ms_regions_free(regions);
  return status;
}

/* ---- bisection --------------------------------------------------------------------- */

static void set_wanted(profiling *p, const uint32_t *vertices, uint32_t count, uint8_t wanted)
{
  for (uint32_t i = 0; i < count; i++)
    p->wanted[vertices[i]] = wanted;
}

/* Moves the flagged vertices to the front; returns how many there are. */
static uint32_t divide(const profiling *p, uint32_t *vertices, uint32_t count)
{
  uint32_t front = 0;
  for (uint32_t i = 0; i < count; i++)
    if (p->hit[vertices[i]]) {
      uint32_t v = vertices[i];
      vertices[i] = vertices[front];
      vertices[front++] = v;
    }
  return front;
}

static ms_status explore(profiling *p, const level *l, uint32_t low, uint32_t high,
                         uint32_t *vertices, uint32_t count, ms_error *err);

/* Looks at the vertices that are flagged in the level of `middle`, which is freed. */
static ms_status explore_above(profiling *p, level *at, uint32_t middle, uint32_t high,
                               uint32_t *vertices, uint32_t count, ms_error *err)
{
  level above = {.in = NULL};
  find_near(p, at, is_above);
  set_wanted(p, vertices, count, 0);
  for (uint32_t v = 0; v < at->in->n; v++)
    p->keep[v] &= p->hit[at->in->vertex[v]];
  ms_status status = cut(p, at, p->keep, -INFINITY, &above, err);
  level_free(at);
  if (status == MS_OK)
    status = explore(p, &above, middle, high, vertices, count, err);
  level_free(&above);
  return status;
}

static ms_status explore_below(profiling *p, const level *l, uint32_t low, uint32_t middle,
                               uint32_t *vertices, uint32_t count, ms_error *err)
{
  level near = {.in = NULL};
  set_wanted(p, vertices, count, 1);
  uint32_t kept = find_near(p, l, is_wanted);
  set_wanted(p, vertices, count, 0);
  if (kept > l->in->n - l->in->n / 4) /* a copy would not pay */
    return explore(p, l, low, middle, vertices, count, err);
  ms_status status = cut(p, l, p->keep, -INFINITY, &near, err);
  if (status == MS_OK)
    status = explore(p, &near, low, middle, vertices, count, err);
  level_free(&near);
  return status;
}

/* Finds the scores of these vertices, which are flagged at value[low] and not at value[high].  The
 * level has the edges of at least value[low] among vertices that are flagged there; those that are
 * not looked at are flagged at value[high], too. */
static ms_status explore(profiling *p, const level *l, uint32_t low, uint32_t high,
                         uint32_t *vertices, uint32_t count, ms_error *err)
{
  ms_screen_result *r = p->result;
  uint32_t middle = low + (high - low) / 2;
  level at;
  for (uint32_t i = 0; i < count; i++)
    r->score[vertices[i]] = p->value[low];
  if (count == 0 || middle == low) {
    r->settled += count;
    ms_run_report(p->run, "vertices settled", r->settled, r->vertices_kept);
    return MS_OK;
  }
  MS_TRY(cut(p, l, NULL, p->value[middle], &at, err));
  set_wanted(p, vertices, count, 1);
  ms_status status = screen_level(p, &at, err);
  uint32_t above = divide(p, vertices, count);
  if (status != MS_OK) { /* the flags are right all the same */
    for (uint32_t i = 0; i < above; i++)
      r->score[vertices[i]] = p->value[middle];
    level_free(&at);
    return status;
  }
  if (above > 0) {
    uint32_t *others = vertices + above;
    set_wanted(p, others, count - above, 0);
    status = explore_above(p, &at, middle, high, vertices, above, err);
  } else {
    level_free(&at);
  }
  set_wanted(p, vertices, count, 0);
  if (status != MS_OK || above == count)
    return status;
  return explore_below(p, l, low, middle, vertices + above, count - above, err);
}

/* ---- the beginning ----------------------------------------------------------------- */

static int compare_floats(const void *a, const void *b)
{
  float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

/* Finds the different scores of a level. */
static ms_status find_values(profiling *p, const level *l, ms_error *err)
{
  const ms_instance *in = l->in;
  uint64_t edges = 0;
  p->value = ms_alloc(in->arcs / 2, sizeof *p->value);
  if (!p->value)
    return ms_fail_memory(err, "the scores of edges");
  for (uint32_t v = 0; v < in->n; v++)
    for (uint64_t a = in->offset[v]; a < in->offset[v + 1]; a++)
      if (in->neighbor[a] > v)
        p->value[edges++] = l->score[a];
  qsort(p->value, edges, sizeof *p->value, compare_floats);
  for (uint64_t e = 0; e < edges; e++) /* there are fewer than 2^32 floats */
    if (p->values == 0 || p->value[e] != p->value[p->values - 1])
      p->value[p->values++] = p->value[e];
  return MS_OK;
}

/* Makes the first level, of the flagged vertices of the instance. */
static ms_status open_first(profiling *p, const ms_instance *instance, level *first, ms_error *err)
{
  level all = {.in = (ms_instance *)instance, .score = ms_alloc(instance->arcs, sizeof *all.score)};
  if (!all.score)
    return ms_fail_memory(err, "the scores of edges");
  for (uint32_t v = 0; v < instance->n; v++)
    for (uint64_t a = instance->offset[v]; a < instance->offset[v + 1]; a++)
      all.score[a] = p->graph->score[ms_graph_find_arc(p->graph, instance->vertex[v],
                                                       instance->vertex[instance->neighbor[a]])];
  for (uint32_t v = 0; v < instance->n; v++)
    p->keep[v] = p->result->hits[instance->vertex[v]] > 0;
  ms_status status = cut(p, &all, p->keep, -INFINITY, first, err);
  ms_free(all.score);
  return status == MS_OK ? find_values(p, first, err) : status;
}

static ms_status allocate(profiling *p, uint32_t n, uint32_t of_instance, ms_error *err)
{
  p->hit = ms_calloc(n, 1);
  p->wanted = ms_calloc(n, 1);
  p->keep = ms_calloc(of_instance, 1);
  p->new_id = ms_alloc(of_instance, sizeof *p->new_id);
  p->queue = ms_alloc(of_instance, sizeof *p->queue);
  p->result->score = ms_calloc(n, sizeof *p->result->score);
  bool all = p->hit && p->wanted && p->keep && p->new_id && p->queue && p->result->score;
  return all ? MS_OK : ms_fail_memory(err, "the profile");
}

/* Without a complete screen: each flagged vertex is in a match of edges of at least the lowest
 * score. */
static ms_status set_lowest(const profiling *p)
{
  const ms_graph *graph = p->graph;
  float lowest = graph->arcs > 0 ? graph->score[0] : 0;
  for (uint64_t a = 0; a < graph->arcs; a++)
    lowest = graph->score[a] < lowest ? graph->score[a] : lowest;
  for (uint32_t v = 0; v < graph->n; v++)
    p->result->score[v] = p->result->hits[v] ? lowest : 0;
  return MS_OK;
}

static ms_status profile(profiling *p, const ms_instance *instance, ms_error *err)
{
  ms_screen_result *r = p->result;
  level first = {.in = NULL};
  uint32_t count = 0, *vertices;
  if (p->run->stopped != MS_OK)
    return set_lowest(p);
  vertices = ms_alloc(r->flagged, sizeof *vertices);
  if (!vertices)
    return ms_fail_memory(err, "the profile");
  for (uint32_t v = 0; v < r->n; v++)
    if (r->hits[v])
      vertices[count++] = v;
  ms_status status = open_first(p, instance, &first, err);
  r->settled -= count; /* their scores are not known yet */
  if (status == MS_OK && count > 0)
    status = explore(p, &first, 0, p->values, vertices, count, err);
  level_free(&first);
  ms_free(vertices);
  return status;
}

ms_status ms_screen_profile(ms_run *run, const ms_query *query, const ms_instance *instance,
                            int threads, ms_screen_result *result, ms_error *err)
{
  profiling p = {.run = run, .graph = query->graph, .result = result, .threads = threads};
  ms_status status = allocate(&p, query->graph->n, instance->n, err);
  if (status == MS_OK)
    status = profile(&p, instance, err);
  ms_free(p.value);
  ms_free(p.hit);
  ms_free(p.wanted);
  ms_free(p.keep);
  ms_free(p.new_id);
  ms_free(p.queue);
  return status;
}
