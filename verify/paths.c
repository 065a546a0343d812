/* Checks shortest paths by a search of the whole graph from each source. */
#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "base/stop.h"
#include "graph/typed.h"
#include "verify/memory.h"

enum { LOOK = 4096 }; /* vertices between two looks at the stop token */

typedef struct path_check {
  const ms_typed *graph;
  const ms_path_options *options;
  ms_verify_report *report;
  uint8_t *follows;   /* [types of arcs] 1: a path may follow arcs of this type */
  uint32_t *distance; /* [n] from `source`, in arcs; MS_NO_PATH: cannot be reached */
  uint32_t *queue;    /* [n] */
  uint32_t source;
  bool measured; /* distance[] is that of `source` */
} path_check;

/* What was found for one pair. */
typedef struct found_path {
  uint64_t pair;
  uint32_t from, to, length;
  uint64_t size; /* of vertices[] */
  const uint32_t *vertices;
} found_path;

static ms_status allow_types(path_check *c, ms_error *err)
{
  const ms_path_options *o = c->options;
  uint32_t types = ms_names_count(c->graph->arc_types);
  for (uint32_t t = 0; !o->types && t < types; t++)
    c->follows[t] = !ms_typed_is_second(c->graph, (ms_type)t);
  for (uint32_t i = 0; o->types && i < o->n_types; i++) {
    if (o->types[i] >= types)
      return ms_fail(
          err, MS_ERR_USAGE,
          "a type of arcs that paths may follow is number %u, and the graph has %u types",
          o->types[i], types);
    c->follows[o->types[i]] = 1;
  }
  /* 2: only the inverse of a type that is followed, so that these do not bring in more types */
  for (uint32_t t = 0; o->both_ways && t < types; t++)
    if (c->follows[t] == 1 && !c->follows[c->graph->inverse[t]])
      c->follows[c->graph->inverse[t]] = 2;
  return MS_OK;
}

static ms_status measure(path_check *c, uint32_t source)
{
  const ms_typed_rows *rows = &c->graph->rows;
  uint32_t first = 0, count = 1;
  for (uint32_t v = 0; v < rows->n; v++)
    c->distance[v] = MS_NO_PATH;
  c->distance[source] = 0;
  c->queue[0] = source;
  while (first < count) {
    uint32_t v = c->queue[first++];
    for (uint64_t a = rows->offset[v]; a < rows->offset[v + 1]; a++) {
      uint32_t w = rows->neighbor[a];
      if (c->follows[rows->type[a]] && c->distance[w] == MS_NO_PATH) {
        c->distance[w] = c->distance[v] + 1;
        c->queue[count++] = w;
      }
    }
    if (first % LOOK == 0)
      MS_TRY(ms_stop_check(c->options->stop));
  }
  c->source = source;
  c->measured = true;
  return MS_OK;
}

static bool may_step(const path_check *c, uint32_t v, uint32_t w)
{
  const ms_typed_rows *rows = &c->graph->rows;
  for (uint64_t a = rows->offset[v]; a < rows->offset[v + 1]; a++)
    if (rows->neighbor[a] == w && c->follows[rows->type[a]])
      return true;
  return false;
}

/* Checks the vertices of a path whose length is right. */
static void check_vertices(path_check *c, const found_path *p)
{
  const char *from = ms_typed_name(c->graph, p->from), *to = ms_typed_name(c->graph, p->to);
  unsigned long long number = (unsigned long long)p->pair + 1;
  uint64_t size = p->length == MS_NO_PATH ? 0 : (uint64_t)p->length + 1;
  if (p->size != size) {
    ms_memory_refuse(c->report, "path %llu has %llu vertices, and its length asks for %llu", number,
                     (unsigned long long)p->size, (unsigned long long)size);
    return;
  }
  if (size == 0)
    return;
  if (p->vertices[0] != p->from || p->vertices[size - 1] != p->to)
    ms_memory_refuse(c->report, "path %llu does not lead from '%.100s' to '%.100s'", number, from,
                     to);
  for (uint64_t i = 0; i + 1 < size; i++)
    if (p->vertices[i] >= c->graph->rows.n || !may_step(c, p->vertices[i], p->vertices[i + 1])) {
      ms_memory_refuse(c->report,
                       "path %llu from '%.100s' to '%.100s' takes a step, number %llu, where the "
                       "graph has no arc that it may follow",
                       number, from, to, (unsigned long long)i + 1);
      return;
    }
}

static ms_status check_path(path_check *c, const found_path *p)
{
  uint32_t n = c->graph->rows.n, most = c->options->max_length;
  if (p->from >= n || p->to >= n) {
    ms_memory_refuse(c->report, "pair %llu names a vertex that the graph lacks",
                     (unsigned long long)p->pair + 1);
    return MS_OK;
  }
  if (!c->measured || c->source != p->from)
    MS_TRY(measure(c, p->from));
  uint32_t length = c->distance[p->to];
  if (most && length != MS_NO_PATH && length > most)
    length = MS_NO_PATH;
  if (p->length == length)
    check_vertices(c, p);
  else if (length == MS_NO_PATH || p->length == MS_NO_PATH)
    ms_memory_refuse(c->report,
                     "there is %s from '%.100s' to '%.100s' within the limits, and row %llu says "
                     "that there is %s",
                     length == MS_NO_PATH ? "no path" : "a path", ms_typed_name(c->graph, p->from),
                     ms_typed_name(c->graph, p->to), (unsigned long long)p->pair + 1,
                     length == MS_NO_PATH ? "one" : "none");
  else
    ms_memory_refuse(c->report,
                     "the shortest path from '%.100s' to '%.100s' has length %u, and row %llu says "
                     "%u",
                     ms_typed_name(c->graph, p->from), ms_typed_name(c->graph, p->to), length,
                     (unsigned long long)p->pair + 1, p->length);
  c->report->rows++;
  return MS_OK;
}

static ms_status check_all(path_check *c, uint64_t count, const uint32_t (*pairs)[2],
                           const uint32_t *length, const uint64_t *offset, const uint32_t *vertices,
                           ms_error *err)
{
  MS_TRY(allow_types(c, err));
  for (uint64_t i = 0; i < count; i++) {
    MS_TRY(ms_stop_check(c->options->stop));
    if (offset[i + 1] < offset[i]) {
      ms_memory_refuse(c->report, "the vertices of path %llu end before they begin",
                       (unsigned long long)i + 1);
      return MS_OK;
    }
    found_path path = {.pair = i,
                       .from = pairs[i][0],
                       .to = pairs[i][1],
                       .length = length[i],
                       .size = offset[i + 1] - offset[i],
                       .vertices = vertices ? vertices + offset[i] : NULL};
    MS_TRY(check_path(c, &path));
  }
  return MS_OK;
}

ms_status ms_verify_paths(const ms_typed *graph, const ms_path_options *options, uint64_t count,
                          const uint32_t (*pairs)[2], const uint32_t *length,
                          const uint64_t *offset, const uint32_t *vertices,
                          ms_verify_report *report, ms_error *err)
{
  ms_path_options o;
  MS_REQUIRE(graph, err);
  MS_REQUIRE_ARRAY(pairs, count, err);
  MS_REQUIRE_ARRAY(length, count, err);
  MS_REQUIRE_ARRAY(offset, count, err);
  MS_REQUIRE_ARRAY(vertices, count > 0 && offset[count] > 0, err);
  MS_REQUIRE(report, err);
  MS_TRY(ms_options_take(&ms_path_options_kind, options, &o, err));
  ms_memory_begin(report);
  path_check c = {.graph = graph, .options = &o, .report = report};
  c.follows = ms_calloc(ms_names_count(graph->arc_types), 1);
  c.distance = ms_alloc(graph->rows.n, sizeof *c.distance);
  c.queue = ms_alloc(graph->rows.n, sizeof *c.queue);
  ms_status status = c.follows && c.distance && c.queue
                         ? check_all(&c, count, pairs, length, offset, vertices, err)
                         : ms_fail_memory(err, "the check of paths");
  ms_free(c.follows);
  ms_free(c.distance);
  ms_free(c.queue);
  return ms_memory_end(report, status, true);
}
