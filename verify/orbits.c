/* The orbits of vertices that are checked.  All connected sets are listed, and the shape of each
 * and the places of its vertices in it are found by all orders of the vertices.  Without colours,
 * the orbits are those of ms_orbit_describe; with colours they are those of the file, whose numbers
 * must be in the order of the orbits. */
#include "verify/census.h"

#include "base/alloc.h"
#include "base/status.h"
#include "graph/graph.h"
#include "graph/names.h"
#include "query/query.h"
#include "verify/recount.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPORT_SETS 65536u /* sets between two reports of progress */

typedef struct known {
  uint32_t k, color[MS_MAX_ORBITS], code, position;
  uint64_t number; /* in the file */
  uint64_t line;   /* where the file says so first */
} known;

typedef struct stated {
  uint32_t orbit;
  uint64_t sets, counted, line;
} stated;

struct ms_verify_orbits {
  ms_certificate *c;
  bool colored;
  uint32_t size;   /* of the sets that are listed */
  ms_names *texts; /* shape, name and position of each orbit */
  known *known;    /* [orbits] in the order of the texts, then ascending, as they are numbered */
  uint64_t orbits, room;
  uint32_t found; /* vertices with a row */
  stated *row;    /* [rows] */
  uint64_t rows, row_room;
  uint64_t *offset; /* [vertices + 1] rows of each vertex */
  uint32_t vertex;  /* of the last row */
  uint64_t sets;
  uint32_t lost; /* a vertex with sets at an orbit for which there is no row; MS_NO_ID: none yet */
  known lost_orbit;
};

static int by_orbit(const void *a, const void *b)
{
  const known *x = a, *y = b;
  if (x->k != y->k)
    return x->k < y->k ? -1 : 1;
  for (uint32_t i = 0; i < MS_MAX_ORBITS; i++)
    if (x->color[i] != y->color[i])
      return x->color[i] < y->color[i] ? -1 : 1;
  if (x->code != y->code)
    return x->code < y->code ? -1 : 1;
  return (x->position > y->position) - (x->position < y->position);
}

static known orbit_of(uint32_t k, const ms_verify_class *class, uint32_t vertex)
{
  known orbit = {.k = k, .code = class->code, .position = class->place[vertex]};
  memcpy(orbit.color, class->color, k * sizeof *orbit.color);
  return orbit;
}

void ms_verify_orbits_free(ms_verify_orbits *o)
{
  if (o) {
    ms_names_free(o->texts);
    ms_free(o->known);
    ms_free(o->row);
    ms_free(o->offset);
    ms_free(o);
  }
}

/* ---- which orbits there are ---------------------------------------------------------------- */

/* Finds or adds the orbit that the columns describe; *id: its place in o->known. */
static ms_status find_text(ms_verify_orbits *o, const char *shape, const char *name,
                           const char *position, uint32_t *id, bool *is_new, ms_error *err)
{
  size_t length = strlen(shape) + strlen(name) + strlen(position) + 3;
  char *text = ms_alloc(length, 1);
  if (!text)
    return ms_fail_memory(err, "the orbits of a graph");
  snprintf(text, length, "%s\t%s\t%s", shape, name, position);
  uint32_t before = ms_names_count(o->texts);
  ms_status status = ms_names_add(o->texts, text, length - 1, id, err);
  ms_free(text);
  *is_new = status == MS_OK && *id == before;
  if (*is_new && !MS_GROW(o->known, o->room, o->orbits, 1))
    return ms_fail_memory(err, "the orbits of a graph");
  return status;
}

/* Adds an orbit without colours. */
static ms_status add_plain(ms_verify_orbits *o, const ms_orbit_info *info, ms_error *err)
{
  bool directed = ms_graph_directed(o->c->graph), is_new;
  const char position[2] = {(char)('a' + info->position), 0};
  ms_verify_small g;
  ms_verify_class class;
  uint32_t id;
  char *text;
  MS_TRY(ms_shape_pattern(info->k, directed, info->shape, NULL, &text, err));
  ms_status status =
      find_text(o, text, info->name[0] ? info->name : MS_NO_VALUE, position, &id, &is_new, err);
  ms_free(text);
  MS_TRY(status);
  ms_verify_take_code(info->k, directed, info->shape, &g);
  ms_verify_classify(&g, &class);
  o->known[o->orbits] = orbit_of(info->k, &class, info->position);
  o->known[o->orbits].number = o->orbits;
  o->orbits++;
  return MS_OK;
}

static ms_status describe_plain(ms_verify_orbits *o, ms_error *err)
{
  uint32_t k = o->c->result.header.k;
  bool directed = ms_graph_directed(o->c->graph);
  for (;;) {
    ms_orbit_info info;
    ms_error end;
    ms_status status = ms_orbit_describe(k, directed, (uint32_t)o->orbits, &info, &end);
    if (status == MS_ERR_USAGE)
      return MS_OK;
    if (status != MS_OK)
      return ms_fail(err, status, "%s", end.message);
    MS_TRY(add_plain(o, &info, err));
  }
}

static bool has_several_colors(const ms_coloring *coloring, uint32_t n)
{
  uint32_t own = 0;
  for (uint32_t v = 0; v < n && own < 2; v++)
    (void)ms_coloring_of(coloring, v, &own);
  return own > 1;
}

ms_status ms_verify_orbits_open(ms_certificate *c, ms_verify_orbits **out, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  ms_verify_orbits *o = ms_calloc(1, sizeof *o);
  *out = o;
  if (!o)
    return ms_fail_memory(err, "the orbits of a graph");
  o->c = c;
  o->colored = c->coloring != NULL;
  o->lost = MS_NO_ID;
  if (h->census.subgraphs || h->census.min_count > 0 || h->top > 0)
    return ms_result_refuse(&c->result, h->line[MS_PART_K],
                            "orbits are of all induced subgraphs, and leave out none");
  uint32_t most = ms_graph_directed(c->graph) ? MS_MAX_DIRECTED_ORBITS : MS_MAX_ORBITS;
  if (h->k < 2 || h->k > most)
    return ms_result_refuse(&c->result, h->line[MS_PART_K],
                            "there are no orbits of sets of %u vertices", h->k);
  if (has_several_colors(c->census->coloring, h->vertices))
    return ms_result_refuse(&c->result, h->line[MS_PART_K],
                            "a vertex has several colours, and orbits are of one for each");
  MS_TRY(ms_names_new(&o->texts, err));
  if (!o->colored)
    MS_TRY(describe_plain(o, err));
  o->offset = ms_calloc((size_t)h->vertices + 1, sizeof *o->offset);
  return o->offset ? MS_OK : ms_fail_memory(err, "the orbits of a graph");
}

/* ---- rows ------------------------------------------------------------------------------ */

/* Reads an orbit with colours, which has a new text; false: the columns do not describe one. */
static ms_status read_colored(ms_verify_orbits *o, const ms_census_row *row, known *out,
                              bool *right, ms_error *err)
{
  ms_certificate *c = o->c;
  bool directed = ms_graph_directed(c->graph);
  ms_verify_small g;
  ms_verify_class class;
  ms_shape_info info;
  uint32_t position = (uint32_t)(unsigned char)row->position[0] - 'a';
  MS_TRY(ms_verify_read_shape(c, row->motif, &g, &class, right, err));
  *right = *right && g.k <= c->result.header.k && position < g.k && row->position[1] == 0 &&
           class.place[position] == position;
  if (!*right)
    return MS_OK;
  MS_TRY(ms_shape_describe(g.k, directed, class.code, class.color, &info, err));
  *right = strcmp(row->name, info.name[0] ? info.name : MS_NO_VALUE) == 0;
  *out = orbit_of(g.k, &class, position);
  return MS_OK;
}

/* Sets *id to the orbit of the row, which it may refuse. */
static ms_status find_orbit(ms_verify_orbits *o, uint32_t *id, ms_error *err)
{
  ms_certificate *c = o->c;
  const ms_census_row *row = &c->result.row.census;
  bool is_new, right = true;
  MS_TRY(find_text(o, row->motif, row->name, row->position, id, &is_new, err));
  if (is_new && o->colored) {
    known orbit;
    MS_TRY(read_colored(o, row, &orbit, &right, err));
    if (right) {
      orbit.number = row->orbit;
      orbit.line = c->result.row.line;
      o->known[o->orbits++] = orbit;
    }
  }
  right = right && (!is_new || o->colored) && o->known[*id].number == row->orbit;
  return right ? MS_OK
               : ms_result_refuse(&c->result, c->result.row.line,
                                  "the columns do not describe orbit %llu",
                                  (unsigned long long)row->orbit);
}

static ms_status take_row(ms_verify_orbits *o, ms_error *err)
{
  ms_certificate *c = o->c;
  const ms_census_row *row = &c->result.row.census;
  uint64_t line = c->result.row.line;
  uint32_t vertex, id;
  MS_TRY(ms_find_named(c, line, row->vertex, &vertex));
  if (c->result.refused)
    return MS_OK;
  if (row->orbit >= UINT32_MAX || (!o->colored && row->orbit >= o->orbits))
    return ms_result_refuse(&c->result, line, "there is no orbit %llu",
                            (unsigned long long)row->orbit);
  MS_TRY(find_orbit(o, &id, err));
  if (c->result.refused)
    return MS_OK;
  bool follows = o->rows == 0 || vertex > o->vertex ||
                 (vertex == o->vertex && row->orbit > o->row[o->rows - 1].orbit);
  if (!follows)
    return ms_result_refuse(&c->result, line, "the row is out of order");
  if (row->sets == 0)
    return ms_result_refuse(&c->result, line, "a row needs a set");
  if (!MS_GROW(o->row, o->row_room, o->rows, 1))
    return ms_fail_memory(err, "the orbits of a graph");
  o->row[o->rows++] = (stated){(uint32_t)row->orbit, row->sets, 0, line};
  o->found += o->found == 0 || vertex != o->vertex;
  o->vertex = vertex;
  o->offset[vertex + 1]++;
  c->report->rows = ++c->rows;
  return MS_OK;
}

/* Sorts the orbits; with colours, their numbers must be in this order, without a gap. */
static ms_status check_numbers(ms_verify_orbits *o)
{
  if (o->orbits > 0)
    qsort(o->known, o->orbits, sizeof *o->known, by_orbit);
  for (uint64_t i = 0; o->colored && i < o->orbits; i++)
    if (o->known[i].number != i)
      return ms_result_refuse(&o->c->result, o->known[i].line,
                              "the orbit has the number %llu, and is the %lluth of the file in "
                              "the order of orbits, from 0 on",
                              (unsigned long long)o->known[i].number, (unsigned long long)i);
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
  if (more)
    return MS_OK;
  for (uint32_t v = 0; v < h->vertices; v++)
    o->offset[v + 1] += o->offset[v];
  bool stopped = h->status != MS_RESULT_COMPLETE;
  if (stopped && c->rows > 0)
    return ms_result_refuse(&c->result, 0, "orbits that were stopped have no rows");
  if (h->motifs_found != o->found)
    return ms_result_refuse(&c->result, 0, "%u vertices have rows, and the end says %llu", o->found,
                            (unsigned long long)h->motifs_found);
  return check_numbers(o);
}

/* ---- the recount ------------------------------------------------------------------------ */

static int by_row(const void *a, const void *b)
{
  const stated *x = a, *y = b;
  return (x->orbit > y->orbit) - (x->orbit < y->orbit);
}

/* Notes the orbit of each vertex of a set; an ms_found_fn. */
static bool note_set(void *user, const uint32_t *set)
{
  ms_verify_orbits *o = user;
  ms_verify_small g;
  ms_verify_class class;
  ms_verify_take_set(o->c->graph, set, o->size, &g);
  for (uint32_t i = 0; i < o->size; i++) {
    uint32_t own;
    const uint32_t *color = ms_coloring_of(o->c->census->coloring, set[i], &own);
    if (own == 0) /* it takes no part */
      return true;
    g.color[i] = color[0];
  }
  ms_verify_classify(&g, &class);
  for (uint32_t i = 0; i < o->size; i++) {
    const known key = orbit_of(o->size, &class, i);
    const known *orbit =
        o->orbits > 0 ? bsearch(&key, o->known, o->orbits, sizeof key, by_orbit) : NULL;
    const stated wanted = {.orbit = orbit ? (uint32_t)orbit->number : 0};
    uint64_t first = o->offset[set[i]], count = o->offset[set[i] + 1] - first;
    stated *row =
        orbit && count > 0 ? bsearch(&wanted, o->row + first, count, sizeof wanted, by_row) : NULL;
    if (!row) {
      o->lost = set[i];
      o->lost_orbit = key;
      return false;
    }
    row->counted++;
  }
  if (++o->sets % REPORT_SETS == 0)
    ms_limits_report(&o->c->options->run, "sets recounted", o->sets, 0);
  return true;
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
  return status;
}

static ms_status refuse_lost(ms_verify_orbits *o, ms_error *err)
{
  const known *lost = &o->lost_orbit;
  const char *name[MS_MAX_ORBITS];
  char *text;
  for (uint32_t i = 0; o->colored && i < lost->k; i++)
    name[i] = ms_coloring_name(o->c->coloring, lost->color[i]);
  MS_TRY(ms_shape_pattern(lost->k, ms_graph_directed(o->c->graph), lost->code,
                          o->colored ? name : NULL, &text, err));
  ms_status status = ms_result_refuse(
      &o->c->result, 0, "vertex '%.100s' is in a set as %c of '%.300s', for which it has no row",
      ms_name_of(o->c, o->lost), (char)('a' + lost->position), text);
  ms_free(text);
  return status;
}

ms_status ms_verify_orbits_recount(ms_verify_orbits *o, const ms_coloring *coloring, ms_error *err)
{
  ms_certificate *c = o->c;
  const ms_result_header *h = &c->result.header;
  for (o->size = 2; o->size <= h->k && c->report->run.stopped == MS_OK && o->lost == MS_NO_ID;
       o->size++)
    MS_TRY(list_sets(o, coloring, err));
  if (o->lost != MS_NO_ID)
    return refuse_lost(o, err);
  if (c->report->run.stopped != MS_OK)
    return MS_OK;
  for (uint32_t v = 0; v < h->vertices; v++)
    for (uint64_t i = o->offset[v]; i < o->offset[v + 1]; i++) {
      const stated *row = &o->row[i];
      if (row->sets != row->counted)
        return ms_result_refuse(&c->result, row->line,
                                "vertex '%.100s' is in %llu sets at orbit %u, not in %llu",
                                ms_name_of(c, v), (unsigned long long)row->counted, row->orbit,
                                (unsigned long long)row->sets);
    }
  c->report->recounted = c->rows_checked = true;
  return MS_OK;
}
