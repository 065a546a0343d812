/* Why a path found is a shortest one.  Let S_i be the vertices at distance i
 * from s, T_j those from which t is at distance j.  Between two calls of
 * ms_path_grow the levels S_0..S_a and T_0..T_b are complete, and no vertex is in both
 * searches.  Then the distance d of s and t is above a + b: else the vertex number
 * i = min(a, d) of a shortest path would be in S_i and in T_(d - i), with
 * d - i <= b.  Now S_a grows (or T_b: the same, turned around).  An allowed arc
 * from v in S_a to a vertex w of T_j makes a path of length a + 1 + j; that is
 * at most a + 1 + b and above a + b, so j = b and the path is a shortest one: the
 * search may stop at the first such arc, in the middle of the level.  Where there
 * is none, what is newly seen is S_(a + 1), complete, and none of it in T.
 *
 * Which path.  The sides grow by turns that depend on numbers of arcs alone
 * (from s where they are equal); levels are sets, whichever way and by however
 * many threads they are found.  The arc between the searches is the one with the
 * smallest end in the level that was to grow, of these the one with the smallest
 * other end.  From there to s and to t the smallest vertex of each level is
 * taken that has an allowed arc to, or from, the one before; and of parallel
 * arcs the smallest type. */
#include "graph/walk/paths.h"

#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "base/stop.h"

#include <string.h>

enum { FIRST_ROOM = 64 };

static void add_type(uint64_t *bits, ms_type type)
{
  bits[type >> 6] |= UINT64_C(1) << (type & 63);
}

/* ---- types ----------------------------------------------------------------- */

/* Sets the bits [arc types] of out[] and in[], zero before.  False: one of options->types is out
 * of range. */
static bool fill_mask(const ms_typed *graph, const ms_path_options *options, uint64_t *out,
                      uint64_t *in)
{
  uint32_t types = ms_names_count(graph->arc_types);
  for (uint32_t i = 0; options->types && i < options->n_types; i++) {
    if (options->types[i] >= types)
      return false;
    add_type(out, (ms_type)options->types[i]);
  }
  for (uint32_t t = 0; !options->types && t < types; t++)
    if (!ms_typed_is_second(graph, (ms_type)t))
      add_type(out, (ms_type)t);
  for (uint32_t t = 0; t < types; t++)
    if (ms_type_in(out, (ms_type)t))
      add_type(in, graph->inverse[t]);
  for (uint32_t word = 0; options->both_ways && word < types / 64 + 1; word++)
    in[word] = out[word] |= in[word];
  return true;
}

static ms_status set_mask(ms_typed_paths *paths, const ms_path_options *options, ms_error *err)
{
  uint32_t types = ms_names_count(paths->graph->arc_types), words = types / 64 + 1;
  uint64_t *out = paths->bits, *in = paths->bits + words;
  if (!fill_mask(paths->graph, options, out, in))
    return ms_fail(err, MS_ERR_USAGE,
                   "a type of arcs that paths may follow is out of range: the graph has %u types",
                   types);
  paths->every_type = true;
  for (uint32_t t = 0; t < types; t++)
    paths->every_type = paths->every_type && ms_type_in(out, (ms_type)t);
  paths->side[0].out = paths->side[1].in = out;
  paths->side[0].in = paths->side[1].out = in;
  return MS_OK;
}

/* ---- memory ---------------------------------------------------------------- */

void ms_typed_paths_free(ms_typed_paths *paths)
{
  if (!paths)
    return;
  for (int i = 0; i < 2; i++) {
    ms_free(paths->side[i].queue);
    ms_free(paths->side[i].start);
  }
  ms_free(paths->bits);
  ms_free(paths->state);
  ms_free(paths->next);
  ms_free(paths->chunk);
  ms_free(paths->path);
  ms_free(paths);
}

/* Allocates the queues without clearing them: pages that no search touches take no memory. */
static bool allocate(ms_typed_paths *paths)
{
  size_t n = paths->graph->rows.n;
  bool ok = true;
  for (unsigned i = 0; i < 2; i++) {
    ms_path_side *side = &paths->side[i];
    side->mark = i + 1;
    side->queue = ms_alloc(n + 1, sizeof *side->queue);
    side->start = ms_alloc(FIRST_ROOM, sizeof *side->start);
    side->room = FIRST_ROOM;
    ok = ok && side->queue && side->start;
  }
  paths->bits = ms_calloc(2 * ((size_t)ms_names_count(paths->graph->arc_types) / 64 + 1),
                          sizeof *paths->bits);
  paths->state = ms_calloc(n / 32 + 1, sizeof *paths->state);
  paths->next = ms_calloc(n / 64 + 1, sizeof *paths->next);
  paths->chunk = ms_alloc(n / 64 + 1, sizeof *paths->chunk); /* at most one a word */
  paths->path = ms_alloc(FIRST_ROOM, sizeof *paths->path);
  paths->path_room = FIRST_ROOM;
  return ok && paths->bits && paths->state && paths->next && paths->chunk && paths->path;
}

ms_status ms_typed_paths_new(const ms_typed *graph, const ms_path_options *options,
                             ms_typed_paths **out, ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(graph, err);
  ms_path_options own;
  const ms_path_options *o = &own;
  MS_TRY(ms_options_take(&ms_path_options_kind, options, &own, err));
  ms_typed_paths *paths = ms_calloc(1, sizeof *paths);
  if (!paths)
    return ms_fail_memory(err, "a search for paths");
  paths->graph = graph;
  paths->max_length = o->max_length;
  paths->threads = o->threads;
  paths->stop = o->stop;
  ms_status status =
      allocate(paths) ? set_mask(paths, o, err) : ms_fail_memory(err, "a search for paths");
  if (status == MS_OK)
    *out = paths;
  else
    ms_typed_paths_free(paths);
  return status;
}

/* Forgets the previous search, in time proportional to the vertices that it has seen. */
static void reset(ms_typed_paths *paths)
{
  uint32_t words = paths->graph->rows.n / 32 + 1;
  bool all = paths->side[0].visited + (uint64_t)paths->side[1].visited >= words;
  if (all)
    memset(paths->state, 0, words * sizeof *paths->state);
  for (int i = 0; i < 2; i++) {
    ms_path_side *side = &paths->side[i];
    for (uint32_t j = 0; j < side->visited && !all; j++)
      paths->state[side->queue[j] >> 5] = 0;
    side->visited = 0;
  }
}

/* ---- reading off a path ---------------------------------------------------- */

static bool holds(const uint32_t *ascending, uint32_t count, uint32_t v)
{
  uint32_t low = 0, high = count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (ascending[middle] < v)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && ascending[low] == v;
}

/* Does the row of v have an arc of an allowed type to w?  *type: the smallest such type. */
static bool arc_between(const ms_typed_rows *rows, const uint64_t *types, uint32_t v, uint32_t w,
                        ms_type *type)
{
  uint64_t first, count = ms_typed_arcs_between(rows, v, w, &first);
  for (uint64_t a = first; a < first + count; a++)
    if (ms_type_in(types, rows->type[a])) {
      *type = rows->type[a];
      return true;
    }
  return false;
}

/* Returns the smallest vertex of the level with an allowed arc to v, seen from the side's end;
 * there is one.  Level and row ascend: this goes through the shorter one and searches the other. */
static uint32_t nearer(const ms_typed_paths *paths, const ms_path_side *side, uint32_t level,
                       uint32_t v)
{
  const ms_typed_rows *rows = &paths->graph->rows;
  const uint32_t *vertex = side->queue + side->start[level];
  uint32_t count = side->start[level + 1] - side->start[level];
  uint64_t a = rows->offset[v];
  ms_type type;
  if (count < rows->offset[v + 1] - a) {
    while (!arc_between(rows, side->in, v, *vertex, &type))
      vertex++;
    return *vertex;
  }
  while (ms_path_state(paths->state, rows->neighbor[a]) != side->mark ||
         !ms_type_in(side->in, rows->type[a]) || !holds(vertex, count, rows->neighbor[a]))
    a++;
  return rows->neighbor[a];
}

/* Builds the path through the arc of `crossing`, which leads away from `grown`. */
static ms_status read_path(ms_typed_paths *paths, const ms_path_side *grown, uint64_t crossing,
                           ms_typed_path *out, ms_error *err)
{
  const ms_path_side *from = &paths->side[0], *to = &paths->side[1];
  uint32_t a = from->levels - 1, b = to->levels - 1, length = a + 1 + b;
  uint32_t near = (uint32_t)(crossing >> 32), far = (uint32_t)crossing;
  if (!MS_GROW(paths->path, paths->path_room, 0, 2 * (size_t)length + 1))
    return ms_fail_memory(err, "a path");
  uint32_t *vertex = paths->path, *types = vertex + length + 1;
  vertex[a] = grown == from ? near : far;
  vertex[a + 1] = grown == from ? far : near;
  for (uint32_t i = a; i > 0; i--)
    vertex[i - 1] = nearer(paths, from, i - 1, vertex[i]);
  for (uint32_t i = a + 1; i < length; i++)
    vertex[i + 1] = nearer(paths, to, length - i - 1, vertex[i]);
  for (uint32_t i = 0; i < length; i++) {
    ms_type type = 0;
    arc_between(&paths->graph->rows, from->out, vertex[i], vertex[i + 1], &type);
    types[i] = type;
  }
  *out = (ms_typed_path){.length = length, .vertices = vertex, .types = types};
  return MS_OK;
}

/* ---- searching ------------------------------------------------------------- */

static ms_status search(ms_typed_paths *paths, ms_typed_path *out, ms_error *err)
{
  ms_path_side *from = &paths->side[0], *to = &paths->side[1];
  for (;;) {
    ms_path_side *side = from->arcs <= to->arcs ? from : to;
    uint64_t crossing;
    if (side->start[side->levels] == side->start[side->levels - 1] ||
        (paths->max_length && from->levels + to->levels - 2 >= paths->max_length))
      return MS_OK;
    MS_TRY(ms_path_grow(paths, side, &crossing, err));
    if (crossing != MS_NO_CROSSING)
      return read_path(paths, side, crossing, out, err);
  }
}

ms_status ms_typed_paths_find(ms_typed_paths *paths, uint32_t s, uint32_t t, ms_typed_path *out,
                              ms_error *err)
{
  MS_REQUIRE(paths, err);
  MS_REQUIRE(out, err);
  uint32_t n = paths->graph->rows.n;
  *out = (ms_typed_path){.length = MS_NO_PATH};
  if (s >= n || t >= n)
    return ms_fail(err, MS_ERR_USAGE,
                   "a path from vertex %u to vertex %u: the graph has %u vertices, numbered from 0",
                   s, t, n);
  reset(paths);
  if (s == t) {
    paths->path[0] = s;
    *out = (ms_typed_path){.vertices = paths->path, .types = paths->path + 1};
    return MS_OK;
  }
  ms_path_begin(paths, &paths->side[0], s);
  ms_path_begin(paths, &paths->side[1], t);
  ms_status status = search(paths, out, err);
  /* Of a level that was not completed, the number of threads decides how much is found. */
  for (int i = 0; i < 2; i++)
    paths->visits += paths->side[i].start[paths->side[i].levels];
  if (status == MS_ERR_INTERRUPTED || status == MS_ERR_LIMIT) {
    out->stopped = status;
    status = MS_OK;
  }
  return status;
}
