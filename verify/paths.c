/* Checks shortest paths by a search from each source. */
#include "verify/paths.h"

#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "base/stop.h"
#include "graph/typed.h"
#include "verify/memory.h"

enum { LOOK = 4096 }; /* vertices between two looks at the stop token */

struct ms_path_judge {
  const ms_typed *graph;
  const ms_path_options *options;
  const ms_stop *stop;
  uint8_t *follows;   /* [types of arcs] not 0: a path may follow arcs of this type */
  uint32_t *distance; /* [n] from `source`, in arcs; MS_NO_PATH: not reached yet */
  uint32_t *queue;    /* [n] the first `reached` have been reached, `done` of them are done */
  uint32_t reached, done;
  uint32_t source; /* MS_NO_ID: no search has begun */
};

static ms_status allow_types(ms_path_judge *c, ms_error *err)
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

static void begin_search(ms_path_judge *c, uint32_t source)
{
  for (uint32_t i = 0; i < c->reached; i++)
    c->distance[c->queue[i]] = MS_NO_PATH;
  c->source = source;
  c->distance[source] = 0;
  c->queue[0] = source;
  c->reached = 1;
  c->done = 0;
}

/* Searches from the source until the target is reached, or nothing else can be. */
static ms_status measure(ms_path_judge *c, uint32_t target)
{
  const ms_typed_rows *rows = &c->graph->rows;
  while (c->distance[target] == MS_NO_PATH && c->done < c->reached) {
    uint32_t v = c->queue[c->done++];
    for (uint64_t a = rows->offset[v]; a < rows->offset[v + 1]; a++) {
      uint32_t w = rows->neighbor[a];
      if (c->follows[rows->type[a]] && c->distance[w] == MS_NO_PATH) {
        c->distance[w] = c->distance[v] + 1;
        c->queue[c->reached++] = w;
      }
    }
    if (c->done % LOOK == 0)
      MS_TRY(ms_stop_check(c->stop));
  }
  return MS_OK;
}

uint32_t ms_path_judge_type(const ms_path_judge *c, uint32_t v, uint32_t w)
{
  const ms_typed_rows *rows = &c->graph->rows;
  uint32_t least = MS_NO_ID;
  for (uint64_t a = rows->offset[v]; a < rows->offset[v + 1]; a++)
    if (rows->neighbor[a] == w && c->follows[rows->type[a]] && rows->type[a] < least)
      least = rows->type[a];
  return least;
}

/* Checks the vertices of a path whose length is right. */
static void check_vertices(const ms_path_judge *c, const ms_stated_path *p,
                           ms_verify_report *report)
{
  const char *from = ms_typed_name(c->graph, p->from), *to = ms_typed_name(c->graph, p->to);
  unsigned long long number = (unsigned long long)p->pair + 1;
  uint64_t size = p->length == MS_NO_PATH ? 0 : (uint64_t)p->length + 1;
  if (p->size != size) {
    ms_memory_refuse(report, "path %llu has %llu vertices, and its length asks for %llu", number,
                     (unsigned long long)p->size, (unsigned long long)size);
    return;
  }
  if (size == 0)
    return;
  if (p->vertices[0] != p->from || p->vertices[size - 1] != p->to)
    ms_memory_refuse(report, "path %llu does not lead from '%.100s' to '%.100s'", number, from, to);
  for (uint64_t i = 0; i + 1 < size; i++)
    if (p->vertices[i] >= c->graph->rows.n ||
        ms_path_judge_type(c, p->vertices[i], p->vertices[i + 1]) == MS_NO_ID) {
      ms_memory_refuse(report,
                       "path %llu from '%.100s' to '%.100s' takes a step, number %llu, where the "
                       "graph has no arc that it may follow",
                       number, from, to, (unsigned long long)i + 1);
      return;
    }
}

ms_status ms_path_judge_pair(ms_path_judge *c, const ms_stated_path *p, ms_verify_report *report)
{
  uint32_t n = c->graph->rows.n, most = c->options->max_length;
  if (p->from >= n || p->to >= n) {
    ms_memory_refuse(report, "pair %llu names a vertex that the graph lacks",
                     (unsigned long long)p->pair + 1);
    return MS_OK;
  }
  if (c->source != p->from)
    begin_search(c, p->from);
  MS_TRY(measure(c, p->to));
  uint32_t length = c->distance[p->to];
  if (most && length != MS_NO_PATH && length > most)
    length = MS_NO_PATH;
  if (p->length == length && p->has_vertices)
    check_vertices(c, p, report);
  else if (p->length == length)
    ; /* nothing else is said */
  else if (length == MS_NO_PATH || p->length == MS_NO_PATH)
    ms_memory_refuse(report,
                     "there is %s from '%.100s' to '%.100s' within the limits, and row %llu says "
                     "that there is %s",
                     length == MS_NO_PATH ? "no path" : "a path", ms_typed_name(c->graph, p->from),
                     ms_typed_name(c->graph, p->to), (unsigned long long)p->pair + 1,
                     length == MS_NO_PATH ? "one" : "none");
  else
    ms_memory_refuse(report,
                     "the shortest path from '%.100s' to '%.100s' has length %u, and row %llu says "
                     "%u",
                     ms_typed_name(c->graph, p->from), ms_typed_name(c->graph, p->to), length,
                     (unsigned long long)p->pair + 1, p->length);
  report->rows++;
  return MS_OK;
}

ms_status ms_path_judge_new(const ms_typed *graph, const ms_path_options *options,
                            const ms_stop *stop, ms_path_judge **out, ms_error *err)
{
  ms_path_judge *c = ms_calloc(1, sizeof *c);
  *out = NULL;
  if (!c)
    return ms_fail_memory(err, "the check of paths");
  *c = (ms_path_judge){.graph = graph, .options = options, .stop = stop, .source = MS_NO_ID};
  c->follows = ms_calloc(ms_names_count(graph->arc_types), 1);
  c->distance = ms_alloc(graph->rows.n, sizeof *c->distance);
  c->queue = ms_alloc(graph->rows.n, sizeof *c->queue);
  ms_status status = c->follows && c->distance && c->queue
                         ? allow_types(c, err)
                         : ms_fail_memory(err, "the check of paths");
  for (uint32_t v = 0; status == MS_OK && v < graph->rows.n; v++)
    c->distance[v] = MS_NO_PATH;
  if (status == MS_OK)
    *out = c;
  else
    ms_path_judge_free(c);
  return status;
}

void ms_path_judge_free(ms_path_judge *c)
{
  if (!c)
    return;
  ms_free(c->follows);
  ms_free(c->distance);
  ms_free(c->queue);
  ms_free(c);
}

/* The paths of ms_verify_paths. */
typedef struct stated_paths {
  uint64_t count;
  const uint32_t (*pairs)[2];
  const uint32_t *length, *vertices;
  const uint64_t *offset;
} stated_paths;

static ms_status check_all(ms_path_judge *judge, const stated_paths *s, const ms_stop *stop,
                           ms_verify_report *report)
{
  for (uint64_t i = 0; i < s->count; i++) {
    MS_TRY(ms_stop_check(stop));
    if (s->offset[i + 1] < s->offset[i]) {
      ms_memory_refuse(report, "the vertices of path %llu end before they begin",
                       (unsigned long long)i + 1);
      return MS_OK;
    }
    const ms_stated_path path = {.pair = i,
                                 .from = s->pairs[i][0],
                                 .to = s->pairs[i][1],
                                 .length = s->length[i],
                                 .has_vertices = true,
                                 .size = s->offset[i + 1] - s->offset[i],
                                 .vertices = s->vertices ? s->vertices + s->offset[i] : NULL};
    MS_TRY(ms_path_judge_pair(judge, &path, report));
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
  ms_path_judge *judge;
  const stated_paths stated = {count, pairs, length, vertices, offset};
  ms_status status = ms_path_judge_new(graph, &o, o.stop, &judge, err);
  if (status == MS_OK)
    status = check_all(judge, &stated, o.stop, report);
  ms_path_judge_free(judge);
  return ms_memory_end(report, status, true);
}
