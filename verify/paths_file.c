/* Checks a table of shortest paths: its pairs, that the steps of each path are arcs, and by a
 * search from each source that no path is shorter. */
#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "graph/typed.h"
#include "motifsieve.h"
#include "verify/certificate.h"
#include "verify/memory.h"

#include <string.h>

/* ---- paths ----------------------------------------------------------------------------------- */

/* Inside verify/: shortest paths by a search from each source. */

/* What is said of a pair of vertices. */
typedef struct ms_stated_path {
  uint64_t pair; /* number of the pair, from 0 */
  uint32_t from, to;
  uint32_t length; /* MS_NO_PATH: there is no path */
  bool has_vertices;
  uint64_t size; /* of vertices[] */
  const uint32_t *vertices;
} ms_stated_path;

typedef struct ms_path_judge ms_path_judge;
static void path_judge_free(ms_path_judge *judge);

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

/* Returns the smallest type of the arcs from v to w that a path may follow; MS_NO_ID: there is no
 * such arc. */
static uint32_t path_judge_type(const ms_path_judge *c, uint32_t v, uint32_t w)
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
        path_judge_type(c, p->vertices[i], p->vertices[i + 1]) == MS_NO_ID) {
      ms_memory_refuse(report,
                       "path %llu from '%.100s' to '%.100s' takes a step, number %llu, where the "
                       "graph has no arc that it may follow",
                       number, from, to, (unsigned long long)i + 1);
      return;
    }
}

/* Refuses, in the report, what is not right.  The search from the source of the last call goes on
 * where it ended, so that pairs with one source should come together; O(n + m) for each other
 * source at most.  MS_ERR_LIMIT and MS_ERR_INTERRUPTED of the stop token have no message. */
static ms_status path_judge_pair(ms_path_judge *c, const ms_stated_path *p,
                                 ms_verify_report *report)
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

/* Makes a judge, which keeps pointers to the graph and to the options.  MS_ERR_USAGE: a type is out
 * of range. */
static ms_status path_judge_new(const ms_typed *graph, const ms_path_options *options,
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
    path_judge_free(c);
  return status;
}

static void path_judge_free(ms_path_judge *c)
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
    MS_TRY(path_judge_pair(judge, &path, report));
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
  ms_status status = path_judge_new(graph, &o, o.run.stop, &judge, err);
  if (status == MS_OK)
    status = check_all(judge, &stated, o.run.stop, report);
  path_judge_free(judge);
  return ms_memory_end(report, status, true);
}

/* ---- the result file ------------------------------------------------------------------------- */

typedef struct paths_check {
  ms_certificate *c;
  ms_path_options options; /* of the search, as the header states them */
  uint32_t *types;         /* [options.n_types] */
  char *names;             /* those of the header, cut at their commas */
  ms_path_pairs *pairs;    /* NULL: the header states no file */
  ms_path_judge *judge;
  uint64_t found;        /* pairs with a path, so far */
  bool known, has_steps; /* whether rows have vertices is known from the first path on */
  uint32_t *vertex;      /* [room] of a path */
  uint64_t room;
} paths_check;

/* ---- what the header states --------------------------------------------------------------- */

static ms_status read_types(paths_check *k, ms_error *err)
{
  ms_certificate *c = k->c;
  const char *stated = c->result.header.path.types;
  uint64_t line = c->result.header.line[MS_PART_TYPES];
  if (!stated)
    return MS_OK;
  k->names = ms_strdup(stated);
  k->types = ms_alloc(strlen(stated) / 2 + 1, sizeof *k->types); /* each has a byte, and a comma */
  if (!k->names || !k->types)
    return ms_fail_memory(err, "the types of a search");
  for (char *at = k->names; at;) {
    char *name = ms_result_take_listed(&at);
    uint32_t type = name ? ms_typed_find_arc_type(c->typed, name) : MS_NO_ID;
    if (!name || !*name || type == MS_NO_ID)
      return ms_result_refuse(&c->result, line, "'%.100s' is no type of edges of the graph",
                              name ? name : stated);
    k->types[k->options.n_types++] = type;
  }
  k->options.types = k->types;
  return MS_OK;
}

static ms_status read_pairs(paths_check *k, ms_error *err)
{
  ms_certificate *c = k->c;
  const ms_result_file *stated = &c->result.header.path.pairs;
  if (!stated->path)
    return MS_OK;
  MS_TRY(ms_path_pairs_read(c->options->pairs, c->typed, &k->pairs, err));
  return ms_check_crc32c(c, MS_PART_PAIRS, "pair", c->options->pairs, k->pairs->crc32c,
                         stated->crc32c);
}

static ms_status open_check(paths_check *k, ms_error *err)
{
  ms_certificate *c = k->c;
  const ms_result_header *h = &c->result.header;
  if (c->options->no_recount)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: that no path is shorter can only be checked by searching again; leave out "
                   "`no_recount`",
                   c->result.path);
  k->options = (ms_path_options){
      .size = sizeof k->options, .both_ways = h->path.both_ways, .max_length = h->path.max_length};
  MS_TRY(read_types(k, err));
  MS_TRY(read_pairs(k, err));
  MS_TRY(ms_stop_child(c->options->run.stop, c->options->flag_seconds, &c->recount_stop, err));
  return path_judge_new(c->typed, &k->options, c->recount_stop, &k->judge, err);
}

/* ---- rows ----------------------------------------------------------------------------------- */

/* Checks that the row is that of the next pair. */
static ms_status check_pair(paths_check *k, ms_stated_path *path)
{
  ms_certificate *c = k->c;
  const ms_result_row *row = &c->result.row;
  const ms_path_pairs *pairs = k->pairs;
  unsigned long long due = (unsigned long long)c->rows + 1;
  if (row->path.pair && row->path.pair != due)
    return ms_result_refuse(&c->result, row->line, "pair %llu should come here, not %llu", due,
                            (unsigned long long)row->path.pair);
  if (pairs && c->rows >= pairs->count)
    return ms_result_refuse(&c->result, row->line, "%.200s has only %llu pairs", c->options->pairs,
                            (unsigned long long)pairs->count);
  MS_TRY(ms_find_named(c, row->line, row->path.source, &path->from));
  MS_TRY(ms_find_named(c, row->line, row->path.target, &path->to));
  const uint32_t *wanted = pairs ? pairs->pairs[c->rows] : NULL;
  if (wanted && (wanted[0] != path->from || wanted[1] != path->to))
    return ms_result_refuse(&c->result, row->line,
                            "pair %llu leads from '%.100s' to '%.100s' in %.200s", due,
                            ms_name_of(c, wanted[0]), ms_name_of(c, wanted[1]), c->options->pairs);
  return MS_OK;
}

/* Finds the vertices of the row. */
static ms_status find_vertices(paths_check *k, ms_stated_path *path, ms_error *err)
{
  ms_certificate *c = k->c;
  const ms_result_row *row = &c->result.row;
  uint32_t count = row->path.has_steps ? row->path.length + 1 : 0;
  if (!MS_GROW(k->vertex, k->room, 0, count))
    return ms_fail_memory(err, "the vertices of a path");
  for (uint32_t i = 0; i < count; i++)
    MS_TRY(ms_find_named(c, row->line, row->path.vertices[i], &k->vertex[i]));
  path->vertices = k->vertex;
  path->size = count;
  return MS_OK;
}

/* Checks the types of the steps of a path that has been checked. */
static ms_status check_types(paths_check *k, const ms_stated_path *path)
{
  ms_certificate *c = k->c;
  const ms_result_row *row = &c->result.row;
  for (uint32_t i = 0; i < path->length; i++) {
    uint32_t type = path_judge_type(k->judge, path->vertices[i], path->vertices[i + 1]);
    const char *name = ms_typed_arc_type_name(c->typed, type);
    if (strcmp(name, row->path.types[i]) != 0)
      return ms_result_refuse(
          &c->result, row->line,
          "step %u of pair %llu, from '%.100s' to '%.100s', is of type '%.100s', "
          "not '%.100s'",
          i + 1, (unsigned long long)path->pair + 1, row->path.vertices[i],
          row->path.vertices[i + 1], name, row->path.types[i]);
  }
  return MS_OK;
}

/* Checks that all rows with a path have its vertices, or none has. */
static ms_status check_form(paths_check *k)
{
  const ms_result_row *row = &k->c->result.row;
  if (row->path.found && !k->known) {
    k->known = true;
    k->has_steps = row->path.has_steps;
  }
  if (row->path.found && row->path.has_steps != k->has_steps)
    return ms_result_refuse(&k->c->result, row->line,
                            "some rows have the vertices of their paths, and others have not");
  return MS_OK;
}

static ms_status check_row(paths_check *k, ms_error *err)
{
  ms_certificate *c = k->c;
  const ms_result_row *row = &c->result.row;
  ms_stated_path path = {.pair = c->rows, .has_vertices = row->path.has_steps};
  ms_verify_report judged = {.outcome = MS_VERIFY_ACCEPTED};
  path.length = row->path.found ? row->path.length : MS_NO_PATH;
  MS_TRY(check_form(k));
  MS_TRY(check_pair(k, &path));
  if (path.has_vertices)
    MS_TRY(find_vertices(k, &path, err));
  MS_TRY(path_judge_pair(k->judge, &path, &judged));
  if (judged.outcome == MS_VERIFY_REFUSED)
    return ms_result_refuse(&c->result, row->line, "%s", judged.problem);
  return path.has_vertices ? check_types(k, &path) : MS_OK;
}

static ms_status check_totals(paths_check *k)
{
  ms_certificate *c = k->c;
  const ms_result_header *h = &c->result.header;
  if (h->path.searched != c->rows || h->path.found != k->found)
    return ms_result_refuse(
        &c->result, 0,
        "the end says that %llu pairs were searched, and %llu have a path, but the rows are those "
        "of %llu pairs, of which %llu have one",
        (unsigned long long)h->path.searched, (unsigned long long)h->path.found,
        (unsigned long long)c->rows, (unsigned long long)k->found);
  if (!k->pairs || h->status != MS_RESULT_COMPLETE || c->rows == k->pairs->count)
    return MS_OK;
  c->report->missing = k->pairs->count - c->rows;
  return ms_result_refuse(&c->result, 0, "%llu of %llu pairs of %.200s have no row",
                          (unsigned long long)c->report->missing,
                          (unsigned long long)k->pairs->count, c->options->pairs);
}

static ms_status check_rows(paths_check *k, ms_error *err)
{
  ms_certificate *c = k->c;
  bool more;
  MS_TRY(ms_result_next_row(&c->result, &more, err));
  while (more) {
    if (c->report->run.stopped == MS_OK)
      c->report->run.stopped = ms_stop_check(c->recount_stop);
    if (c->report->run.stopped != MS_OK)
      return MS_OK;
    MS_TRY(check_row(k, err));
    c->report->rows = ++c->rows;
    k->found += c->result.row.path.found;
    ms_limits_report(&c->options->run, "rows checked", c->rows, k->pairs ? k->pairs->count : 0);
    MS_TRY(ms_result_next_row(&c->result, &more, err));
  }
  MS_TRY(check_totals(k));
  c->rows_checked = c->report->recounted = true;
  return MS_OK;
}

ms_status ms_check_path_table(ms_certificate *c, ms_error *err)
{
  paths_check k = {.c = c};
  ms_status status = open_check(&k, err);
  if (status == MS_OK)
    status = ms_note_stop(c, check_rows(&k, err));
  path_judge_free(k.judge);
  ms_path_pairs_free(k.pairs);
  ms_free(k.names);
  ms_free(k.types);
  ms_free(k.vertex);
  return status;
}
