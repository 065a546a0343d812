#include "result/drawing.h"

#include "base/alloc.h"
#include "base/status.h"
#include "graph/graph.h"

#include <inttypes.h>
#include <string.h>

/* ---- the graph ----------------------------------------------------------- */

const char *ms_drawing_name(const ms_drawing *d, uint32_t v)
{
  return d->graph ? ms_graph_name(d->graph, v) : ms_typed_name(d->typed, v);
}

const char *ms_drawing_label(const ms_drawing *d, uint32_t v)
{
  return ms_label_or_name(d->labels, v, ms_drawing_name(d, v));
}

const char *ms_drawing_title(const ms_drawing *d)
{
  const ms_result_header *h = d->header;
  return h->motif ? h->motif : h->pattern.name ? h->pattern.name : h->pattern.file.path;
}

/* Passes on the edges between v and its neighbours in a plain graph that come before it. */
static bool pass_plain(const ms_drawing *d, uint32_t v, ms_drawn_edge_fn each, void *user)
{
  uint32_t degree;
  const uint32_t *row = ms_graph_neighbors(d->graph, v, &degree);
  const uint8_t *arcs = d->header->graph.directed ? ms_graph_arcs(d->graph, v) : NULL;
  bool more = true;
  for (uint32_t i = 0; i < degree && row[i] < v && more; i++) {
    if (!d->drawn[row[i]])
      continue;
    if (!arcs)
      more = each(user, row[i], v, NULL, false);
    if (arcs && (arcs[i] & MS_ARC_TO))
      more = each(user, v, row[i], NULL, true);
    if (arcs && more && (arcs[i] & MS_ARC_FROM))
      more = each(user, row[i], v, NULL, true);
  }
  return more;
}

/* Passes on the edges of v in a typed graph that are written from v, and, of those without a
 * direction, the ones to vertices before it. */
static bool pass_typed(const ms_drawing *d, uint32_t v, ms_drawn_edge_fn each, void *user)
{
  const ms_typed_rows *rows = &d->typed->rows;
  bool more = true;
  for (uint64_t at = rows->offset[v]; at < rows->offset[v + 1] && more; at++) {
    uint32_t w = rows->neighbor[at], type = rows->type[at];
    uint32_t inverse = ms_typed_inverse(d->typed, type);
    bool symmetric = inverse == type;
    if (!d->drawn[w])
      continue;
    if (w == v && ms_typed_is_second(d->typed, (ms_type)type))
      type = inverse; /* a self-loop has one arc only */
    else if (symmetric ? w > v : ms_typed_is_second(d->typed, (ms_type)type))
      continue;
    more = symmetric ? each(user, w, v, ms_typed_arc_type_name(d->typed, type), false)
                     : each(user, v, w, ms_typed_arc_type_name(d->typed, type), true);
  }
  return more;
}

ms_status ms_drawing_edges(const ms_drawing *d, ms_drawn_edge_fn each, void *user, ms_error *err)
{
  bool more = true;
  for (uint32_t v = 0; v < d->n && more && !ms_watch_ended(d->watch, v); v++)
    if (d->drawn[v])
      more = d->graph ? pass_plain(d, v, each, user) : pass_typed(d, v, each, user);
  return ms_watch_report(d->watch, MS_DRAWING_PHASE, err);
}

/* ---- roles --------------------------------------------------------------- */

uint32_t ms_drawing_roles(const ms_drawing *d)
{
  return d->query ? d->query->motif->n_classes : d->header->pattern.vertices;
}

uint32_t ms_drawing_role_at(const ms_drawing *d, uint32_t i)
{
  return d->query ? d->query->motif->in_text[i] : i;
}

const char *ms_role_name(const ms_drawing *d, uint32_t role)
{
  if (!d->query)
    return d->header->pattern.names[role];
  return ms_class_name(&d->query->motif->class_[role], d->query->coloring);
}

/* Gives the vertices of a match that have no role yet the roles that they have in it. */
static void give_roles(ms_drawing *d, const uint32_t *row)
{
  uint32_t slot[MS_MAX_K], k = d->header->k;
  bool fresh = false;
  for (uint32_t i = 0; i < k; i++)
    fresh |= d->role[row[i]] == MS_NO_ID;
  if (!fresh || (d->query && !ms_query_slots(d->query, row, slot)))
    return;
  for (uint32_t i = 0; i < k; i++)
    if (d->role[row[i]] == MS_NO_ID)
      d->role[row[i]] = d->query ? ms_motif_class_of(d->query->motif, slot[i]) : i;
}

/* Returns the first class that v fits; the wildcard comes last.  MS_NO_ID: there is none. */
static uint32_t find_class(const ms_query *query, uint32_t v)
{
  for (uint32_t c = 0; c < query->motif->n_classes; c++)
    if (ms_class_fits(&query->motif->class_[c], query->coloring, v))
      return c;
  return MS_NO_ID;
}

static ms_status find_roles(ms_drawing *d, ms_error *err)
{
  uint32_t k = d->header->k;
  uint64_t first = d->match ? d->match - 1 : 0, end = d->match ? d->match : d->count;
  for (uint32_t v = 0; v < d->n && !ms_watch_ended(d->watch, v); v++)
    d->role[v] = !ms_drawing_is_screen(d) || !ms_drawing_is_flagged(d, v) ? MS_NO_ID
                 : d->flags                                               ? d->flag_role[v]
                                                                          : find_class(d->query, v);
  for (uint64_t m = first; !ms_drawing_is_screen(d) && m < end; m++) {
    if (ms_watch_ended(d->watch, m))
      break;
    give_roles(d, d->rows + m * k);
  }
  return ms_watch_report(d->watch, MS_DRAWING_PHASE, err);
}

/* Okabe and Ito's colours without black and grey, which colour-blind people can distinguish, and
 * darker ones of the same hues (M. Okabe and K. Ito: Color Universal Design, 2008). */
const char *const ms_palette[MS_PALETTE] = {"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9",
                                            "#d55e00", "#f0e442", "#003f63", "#8f6300", "#00573f",
                                            "#7f4b68", "#2f7098", "#7d3700", "#948c20"};

const char *ms_role_color(uint32_t role)
{
  return ms_palette[role % MS_PALETTE];
}

const char *ms_query_slot_color(const ms_query *query, uint32_t d)
{
  if (query && d >= query->motif->k)
    return NULL;
  return ms_role_color(query ? ms_motif_class_of(query->motif, d) : d);
}

const char *ms_role_label_color(uint32_t role)
{
  static const char light[] = {1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 0};
  return light[role % MS_PALETTE] ? "#ffffff" : "#000000";
}

/* ---- what is drawn --------------------------------------------------------- */

static bool count_edge(void *user, uint32_t from, uint32_t to, const char *type, bool directed)
{
  (void)from;
  (void)to;
  (void)type;
  (void)directed;
  ++*(uint64_t *)user;
  return true;
}

static ms_status choose_vertices(ms_drawing *d, ms_error *err)
{
  uint32_t k = d->header->k;
  uint64_t ids = ms_drawing_is_screen(d) ? 0 : d->count * k;
  for (uint64_t i = 0; i < ids && !ms_watch_ended(d->watch, i); i++)
    d->matches[d->rows[i]]++;
  MS_TRY(ms_watch_report(d->watch, MS_DRAWING_PHASE, err));
  if (d->match > d->count)
    return ms_fail(err, MS_ERR_USAGE,
                   "there is no match %" PRIu64 ": %" PRIu64
                   " %s found; give `match` one of their numbers",
                   d->match, d->count, d->count == 1 ? "was" : "were");
  for (uint32_t i = 0; d->match && i < k; i++)
    d->drawn[d->rows[(d->match - 1) * k + i]] = 1;
  for (uint32_t v = 0; (!d->match || d->whole_graph) && v < d->n; v++)
    d->drawn[v] = d->whole_graph ||
                  (ms_drawing_is_screen(d) ? ms_drawing_is_flagged(d, v) : d->matches[v] > 0);
  for (uint32_t v = 0; v < d->n; v++)
    d->vertices += d->drawn[v];
  return MS_OK;
}

ms_status ms_drawing_open(ms_drawing *d, ms_error *err)
{
  d->watch = &d->own_watch;
  ms_watch_begin(d->watch);
  d->n = d->graph ? ms_graph_vertex_count(d->graph) : d->typed->rows.n;
  d->drawn = ms_calloc(d->n, sizeof *d->drawn);
  d->role = ms_alloc(d->n, sizeof *d->role);
  if (!ms_drawing_is_screen(d))
    d->matches = ms_calloc(d->n, sizeof *d->matches);
  if (!d->drawn || !d->role || (!ms_drawing_is_screen(d) && !d->matches))
    return ms_fail_memory(err, "a drawing");
  MS_TRY(choose_vertices(d, err));
  MS_TRY(find_roles(d, err));
  return ms_drawing_edges(d, count_edge, &d->edges, err);
}

void ms_drawing_close(ms_drawing *d)
{
  ms_free(d->drawn);
  ms_free(d->role);
  ms_free(d->matches);
}
