/* The orbits of vertices that are checked: all connected sets are listed, and each vertex of a set
 * is looked up by the least code of the set that begins with it, among those of all orbits. */
#include "verify/census.h"

#include "base/alloc.h"
#include "base/status.h"
#include "graph/graph.h"
#include "query/query.h"
#include "verify/recount.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPORT_SETS 65536u /* sets between two reports of progress */

/* What orbit a graph has at its first vertex. */
typedef struct known {
  uint32_t k, code, orbit; /* the least code of all orders that keep the first vertex */
} known;

struct ms_verify_orbits {
  ms_certificate *c;
  uint32_t orbits, size; /* size: of the sets that are listed */
  ms_orbit_info *info;   /* [orbits] */
  known *known;          /* [orbits] ascending */
  uint64_t *stated;      /* [vertices][orbits] */
  uint64_t *counted;     /* [vertices][orbits] */
  uint64_t *line;        /* [vertices] of the first row of a vertex; 0: it has none */
  int64_t last;          /* vertex * orbits + orbit of the last row */
  uint64_t sets;
  bool unknown; /* a set has no orbit: a bug */
};

static int by_code(const void *a, const void *b)
{
  const known *x = a, *y = b;
  if (x->k != y->k)
    return x->k < y->k ? -1 : 1;
  return x->code < y->code ? -1 : x->code > y->code;
}

/* Takes the arcs of a code of k vertices. */
static ms_verify_small take_code(uint32_t k, bool directed, uint32_t code)
{
  ms_verify_small g = {.k = k, .directed = directed};
  for (uint32_t j = 1; j < k; j++)
    for (uint32_t i = 0; i < j; i++) {
      g.arc[i][j] = code & 1;
      code >>= 1;
      g.arc[j][i] = directed ? code & 1 : g.arc[i][j];
      code >>= directed;
    }
  return g;
}

void ms_verify_orbits_free(ms_verify_orbits *o)
{
  if (o) {
    ms_free(o->info);
    ms_free(o->known);
    ms_free(o->stated);
    ms_free(o->counted);
    ms_free(o->line);
    ms_free(o);
  }
}

static ms_status describe_all(ms_verify_orbits *o, ms_error *err)
{
  uint32_t k = o->c->result.header.k;
  bool directed = ms_graph_directed(o->c->graph);
  ms_error end;
  for (uint64_t room = 0;; o->orbits++) {
    if (!MS_GROW(o->info, room, o->orbits, 1))
      return ms_fail_memory(err, "the orbits of a graph");
    ms_status status = ms_orbit_describe(k, directed, o->orbits, &o->info[o->orbits], &end);
    if (status == MS_ERR_USAGE)
      break;
    if (status != MS_OK)
      return ms_fail(err, status, "%s", end.message);
  }
  o->known = ms_alloc(o->orbits, sizeof *o->known);
  if (!o->known)
    return ms_fail_memory(err, "the orbits of a graph");
  for (uint32_t i = 0; i < o->orbits; i++) {
    const ms_orbit_info *info = &o->info[i];
    ms_verify_small g = take_code(info->k, directed, info->shape);
    o->known[i] = (known){info->k, ms_verify_rooted_code(&g, info->position), i};
  }
  if (o->orbits > 0)
    qsort(o->known, o->orbits, sizeof *o->known, by_code);
  return MS_OK;
}

ms_status ms_verify_orbits_open(ms_certificate *c, ms_verify_orbits **out, ms_error *err)
{
  uint32_t n = c->result.header.vertices;
  ms_verify_orbits *o = ms_calloc(1, sizeof *o);
  *out = o;
  if (!o)
    return ms_fail_memory(err, "the orbits of a graph");
  const ms_result_header *h = &c->result.header;
  o->c = c;
  o->last = -1;
  if (h->census.subgraphs || h->census.n_only > 0 || h->census.primary || h->census.min_count > 0 ||
      h->top > 0)
    return ms_result_refuse(&c->result, h->line[MS_PART_K],
                            "orbits are of all induced subgraphs, and leave out none");
  MS_TRY(describe_all(o, err));
  if (o->orbits == 0)
    return ms_result_refuse(&c->result, c->result.header.line[MS_PART_K],
                            "there are no orbits of sets of %u vertices", c->result.header.k);
  o->stated = ms_calloc((size_t)n * o->orbits, sizeof *o->stated);
  o->counted = ms_calloc((size_t)n * o->orbits, sizeof *o->counted);
  o->line = ms_calloc(n, sizeof *o->line);
  return o->stated && o->counted && o->line ? MS_OK : ms_fail_memory(err, "the orbits of a graph");
}

/* ---- rows ------------------------------------------------------------------------------ */

static ms_status describes(const ms_verify_orbits *o, const ms_census_row *row, bool *right,
                           ms_error *err)
{
  const ms_orbit_info *info = &o->info[row->orbit];
  char *text;
  MS_TRY(ms_shape_pattern(info->k, ms_graph_directed(o->c->graph), info->shape, NULL, &text, err));
  *right = strcmp(text, row->motif) == 0 &&
           strcmp(row->name, info->name[0] ? info->name : MS_NO_VALUE) == 0 &&
           row->position[0] == (char)('a' + info->position) && row->position[1] == 0;
  ms_free(text);
  return MS_OK;
}

static ms_status take_row(ms_verify_orbits *o, ms_error *err)
{
  ms_certificate *c = o->c;
  const ms_census_row *row = &c->result.row.census;
  uint64_t line = c->result.row.line;
  uint32_t vertex;
  bool right;
  MS_TRY(ms_find_named(c, line, row->vertex, &vertex));
  if (c->result.refused)
    return MS_OK;
  if (row->orbit >= o->orbits)
    return ms_result_refuse(&c->result, line, "there is no orbit %llu",
                            (unsigned long long)row->orbit);
  MS_TRY(describes(o, row, &right, err));
  if (!right)
    return ms_result_refuse(&c->result, line, "the columns do not describe orbit %llu",
                            (unsigned long long)row->orbit);
  int64_t place = (int64_t)vertex * o->orbits + (int64_t)row->orbit;
  if (place <= o->last)
    return ms_result_refuse(&c->result, line, "the row is out of order");
  if (row->sets == 0)
    return ms_result_refuse(&c->result, line, "a row needs a set");
  o->last = place;
  o->stated[place] = row->sets;
  if (o->line[vertex] == 0)
    o->line[vertex] = line;
  c->report->rows = ++c->rows;
  return MS_OK;
}

ms_status ms_verify_orbits_check(ms_verify_orbits *o, ms_error *err)
{
  ms_certificate *c = o->c;
  const ms_result_header *h = &c->result.header;
  bool more;
  MS_TRY(ms_result_next_row(&c->result, &more, err));
  while (more && !ms_is_stopped(c)) {
    MS_TRY(take_row(o, err));
    if (c->result.refused)
      return MS_OK;
    MS_TRY(ms_result_next_row(&c->result, &more, err));
  }
  bool stopped = h->status != MS_RESULT_COMPLETE;
  if (!more && (stopped ? c->rows > 0 || h->motifs_found > 0 : h->motifs_found != h->vertices))
    return ms_result_refuse(&c->result, 0, "the end says %llu vertices",
                            (unsigned long long)h->motifs_found);
  return MS_OK;
}

/* ---- the recount ------------------------------------------------------------------------ */

/* Notes the orbit of each vertex of a set; an ms_found_fn. */
static bool note_set(void *user, const uint32_t *set)
{
  ms_verify_orbits *o = user;
  ms_verify_small g;
  ms_verify_take_set(o->c->graph, set, o->size, &g);
  for (uint32_t i = 0; i < o->size && !o->unknown; i++) {
    const known key = {o->size, ms_verify_rooted_code(&g, i), 0};
    const known *at = bsearch(&key, o->known, o->orbits, sizeof key, by_code);
    o->unknown = at == NULL;
    if (at)
      o->counted[(size_t)set[i] * o->orbits + at->orbit]++;
  }
  if (++o->sets % REPORT_SETS == 0)
    ms_limits_report(&o->c->options->run, "sets recounted", o->sets, 0);
  return !o->unknown;
}

/* Lists all connected sets of one size. */
static ms_status list_sets(ms_verify_orbits *o, const ms_coloring *coloring, ms_error *err)
{
  ms_certificate *c = o->c;
  char text[8];
  ms_motif *motif = NULL;
  ms_query *query = NULL;
  ms_backtracker *backtracker = NULL;
  mpz_t count;
  mpz_init(count);
  snprintf(text, sizeof text, "*:%u", o->size);
  ms_status status = ms_motif_parse(text, coloring, &motif, err);
  if (status == MS_OK)
    status = ms_query_new(c->graph, coloring, motif, 0, NULL, &query, err);
  if (status == MS_OK)
    status = ms_backtracker_new(query, false, c->recount_stop, &backtracker, err);
  if (status == MS_OK)
    status = ms_note_stop(c, ms_backtracker_list(backtracker, count, note_set, o, err));
  ms_backtracker_free(backtracker);
  ms_query_free(query);
  ms_motif_free(motif);
  mpz_clear(count);
  return o->unknown ? ms_fail(err, MS_ERR_INTERNAL, "a set has no orbit") : status;
}

ms_status ms_verify_orbits_recount(ms_verify_orbits *o, const ms_coloring *coloring, ms_error *err)
{
  ms_certificate *c = o->c;
  const ms_result_header *h = &c->result.header;
  for (o->size = 2; o->size <= h->k && c->report->run.stopped == MS_OK; o->size++)
    MS_TRY(list_sets(o, coloring, err));
  if (c->report->run.stopped != MS_OK)
    return MS_OK;
  for (uint32_t v = 0; v < h->vertices; v++)
    for (uint32_t i = 0; i < o->orbits; i++) {
      uint64_t place = (uint64_t)v * o->orbits + i;
      if (o->stated[place] != o->counted[place])
        return ms_result_refuse(&c->result, o->line[v],
                                "vertex '%.100s' is in %llu sets at orbit %u, not in %llu",
                                ms_name_of(c, v), (unsigned long long)o->counted[place], i,
                                (unsigned long long)o->stated[place]);
    }
  c->report->recounted = c->rows_checked = true;
  return MS_OK;
}
