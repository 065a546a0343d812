/* Checks a list of the nearest matches of a motif: each row by the judge, and the whole list by
 * growing every connected set.
 *
 * Sets grow by the method of Wernicke (ESU, IEEE/ACM TCBB 3(4), 2006), from their lowest vertex.
 * With a vertex more, a set fills at most one slot more.  So its further vertices never get fewer,
 * and a set with too many of them need not grow.  Nothing else is left out. */
#include "verify/certificate.h"

#include "base/alloc.h"
#include "base/status.h"
#include "verify/judge.h"
#include "verify/near.h"
#include "verify/recount.h"

#include <string.h>

#define REPORT_ROWS 4096u /* between two reports of progress */

static ms_edit_limits limits_of(const ms_certificate *c)
{
  const ms_result_header *h = &c->result.header;
  return (ms_edit_limits){.max_missing = h->max_missing, .max_extra = h->max_extra};
}

/* ---- rows ------------------------------------------------------------------------ */

static ms_status check_header(ms_certificate *c)
{
  const ms_result_header *h = &c->result.header;
  if (h->max_missing < h->k && h->max_extra <= MS_MAX_K - h->k)
    return MS_OK;
  return ms_result_refuse(&c->result, h->line[MS_PART_K],
                          "a motif of %u slots has no matches with missing=%u or extra=%u", h->k,
                          h->max_missing, h->max_extra);
}

/* Returns what is wrong with the order of the vertices ids[count], or with the place of the row
 * behind the row before it, or NULL. */
static const char *find_disorder(const ms_certificate *c, const uint32_t *ids, uint32_t count)
{
  const ms_result_row *row = &c->result.row;
  for (uint32_t i = 1; i < count; i++)
    if (ids[i - 1] > ids[i])
      return "is not in graph order";
  if (c->rows == 0 || row->cost > c->last_cost)
    return c->rows > 0 && c->result.header.nearest_only
               ? "costs more than the first one, and only the nearest ones have rows"
               : NULL;
  if (row->cost < c->last_cost)
    return "costs less than the row before it";
  for (uint32_t i = 0; i < count && i < c->last_count; i++)
    if (ids[i] != c->last_ids[i])
      return ids[i] > c->last_ids[i] ? NULL : "does not follow the row before it";
  return count > c->last_count ? NULL : "does not follow the row before it";
}

static ms_status check_edits(ms_certificate *c, const uint32_t *ids, uint32_t count)
{
  const ms_result_row *row = &c->result.row;
  const ms_edit_limits limits = limits_of(c);
  ms_edits edits;
  unsigned long long number = c->rows + 1;
  ms_verdict verdict = ms_verify_near(c->query, &limits, ids, count, &edits);
  if (verdict != MS_MATCH_OK)
    return ms_result_refuse(&c->result, row->line, "match %llu %s", number,
                            ms_verdict_text(verdict));
  if (edits.cost != row->cost || edits.missing != row->missing || edits.extra != row->extra)
    return ms_result_refuse(&c->result, row->line,
                            "match %llu has cost=%u, missing=%u and extra=%u, not %llu, %llu and "
                            "%llu",
                            number, edits.cost, edits.missing, edits.extra,
                            (unsigned long long)row->cost, (unsigned long long)row->missing,
                            (unsigned long long)row->extra);
  return MS_OK;
}

static ms_status check_row(ms_certificate *c, ms_error *err)
{
  const ms_result_row *row = &c->result.row;
  unsigned long long number = c->rows + 1;
  uint32_t ids[MS_MAX_K], count = row->count;
  bool fresh;
  if (row->number != number)
    return ms_result_refuse(&c->result, row->line, "match %llu is numbered %llu", number,
                            (unsigned long long)row->number);
  if (count == 0 || count > MS_MAX_K)
    return ms_result_refuse(&c->result, row->line, "match %llu has %u vertices", number, count);
  for (uint32_t i = 0; i < count; i++)
    MS_TRY(ms_find_named(c, row->line, row->names[i], &ids[i]));
  MS_TRY(check_edits(c, ids, count));
  const char *fault = find_disorder(c, ids, count);
  if (fault)
    return ms_result_refuse(&c->result, row->line, "match %llu %s", number, fault);
  for (uint32_t i = 0; row->labels && i < count; i++)
    MS_TRY(ms_check_label(c, row->line, ids[i], row->labels[i]));
  if (!c->sets[count])
    MS_TRY(ms_row_set_new(count, c->result.header.vertices, &c->sets[count], err));
  MS_TRY(ms_row_set_add(c->sets[count], ids, &fresh, err)); /* the order shows that it is fresh */
  c->last_cost = (uint32_t)row->cost;
  c->last_count = count;
  memcpy(c->last_ids, ids, count * sizeof *ids);
  c->report->rows = ++c->rows;
  return MS_OK;
}

static ms_status check_totals(ms_certificate *c)
{
  const ms_result_header *h = &c->result.header;
  if (c->result.stated_rows != c->rows)
    return ms_result_refuse(&c->result, 0, "the end says %llu rows, but there are %llu",
                            (unsigned long long)c->result.stated_rows, (unsigned long long)c->rows);
  if (h->found != c->rows)
    return ms_result_refuse(&c->result, h->line[MS_PART_FOUND],
                            "the header says %llu matches, but there are %llu",
                            (unsigned long long)h->found, (unsigned long long)c->rows);
  return MS_OK;
}

ms_status ms_check_nearest_list(ms_certificate *c, ms_error *err)
{
  const ms_verify_options *o = c->options;
  bool more;
  MS_TRY(check_header(c));
  MS_TRY(ms_result_next_row(&c->result, &more, err));
  while (more && !ms_is_stopped(c)) {
    MS_TRY(check_row(c, err));
    if (c->rows % REPORT_ROWS == 0 && o->progress)
      o->progress(o->progress_user, "rows checked", c->rows, c->result.header.found);
    MS_TRY(ms_result_next_row(&c->result, &more, err));
  }
  c->rows_checked = !more;
  return more ? MS_OK : check_totals(c);
}

/* ---- what is missing ---------------------------------------------------------------- */

typedef struct growing {
  ms_certificate *c;
  ms_edit_limits limits;
  uint32_t below; /* sets of a lower cost must have a row */
  uint32_t most;  /* greatest number of vertices */
  uint32_t set[MS_MAX_K], size;
  uint8_t *near;   /* [n] 1: the vertex is in the set, next to it, or was next to a smaller set */
  uint32_t *place; /* [room] candidates of all levels */
  size_t room;
  uint64_t steps;
  ms_status status; /* MS_OK, or why the search ended */
  ms_error *err;
} growing;

/* Has the set a row, or need it none? */
static bool is_accounted_for(growing *g)
{
  const ms_certificate *c = g->c;
  uint32_t row[MS_MAX_K];
  ms_edits edits;
  if (!ms_verify_required(c->query, g->set, g->size) ||
      !ms_verify_edits(c->query, &g->limits, g->set, g->size, &edits) || edits.cost >= g->below)
    return true;
  for (uint32_t i = 0; i < g->size; i++) {
    uint32_t v = g->set[i], at = i;
    for (; at > 0 && row[at - 1] > v; at--)
      row[at] = row[at - 1];
    row[at] = v;
  }
  if (c->sets[g->size] && ms_row_set_has(c->sets[g->size], row))
    return true;
  g->c->report->missing = 1;
  g->status =
      ms_result_refuse(&g->c->result, 0,
                       "a match with cost=%u of %u vertices, one of which is '%.100s', has no row; "
                       "the file states that none can be missing",
                       edits.cost, g->size, ms_name_of(c, row[0]));
  return false;
}

/* Can the set grow to a match?  The limits on empty slots and costs do not matter here. */
static bool may_grow(const growing *g)
{
  ms_edit_limits any = g->limits;
  ms_edits edits;
  any.max_missing = MS_MAX_K;
  return ms_verify_edits(g->c->query, &any, g->set, g->size, &edits);
}

/* Makes room for this many more candidates behind `end`. */
static bool make_room(growing *g, size_t end, size_t more)
{
  if (end + more <= g->room)
    return true;
  size_t room = 2 * (end + more);
  uint32_t *larger = ms_resize(g->place, g->room, room, sizeof *larger);
  if (!larger) {
    g->status = ms_fail_memory(g->err, "the recount");
    return false;
  }
  g->place = larger;
  g->room = room;
  return true;
}

/* Appends the neighbours of v above the root that were not near before; *end moves behind them. */
static bool add_neighbors(growing *g, uint32_t v, size_t *end)
{
  uint32_t degree;
  const uint32_t *row = ms_graph_neighbors(g->c->graph, v, &degree);
  if (!make_room(g, *end, degree))
    return false;
  for (uint32_t i = 0; i < degree; i++)
    if (row[i] > g->set[0] && !g->near[row[i]]) {
      g->near[row[i]] = 1;
      g->place[(*end)++] = row[i];
    }
  return true;
}

/* Looks at the set and at all that grow from it by the candidates place[begin..end).  The recursion
 * is at most MS_MAX_K deep. */
static void grow(growing *g, size_t begin, size_t end)
{
  if (++g->steps % MS_POLL_STEPS == 0)
    g->status = ms_stop_check(g->c->recount_stop);
  if (g->status != MS_OK || !may_grow(g) || !is_accounted_for(g) || g->size == g->most)
    return;
  for (size_t i = begin; i < end && g->status == MS_OK; i++) {
    uint32_t v = g->place[i];
    size_t fresh = end + (end - i - 1), last = fresh;
    if (!make_room(g, end, end - i - 1))
      return;
    memcpy(g->place + end, g->place + i + 1, (end - i - 1) * sizeof *g->place);
    if (!add_neighbors(g, v, &last))
      return;
    g->set[g->size++] = v;
    grow(g, end, last);
    g->size--;
    for (size_t j = fresh; j < last; j++)
      g->near[g->place[j]] = 0;
  }
}

static void grow_all(growing *g)
{
  const ms_verify_options *o = g->c->options;
  uint32_t n = g->c->result.header.vertices;
  for (uint32_t v = 0; v < n && g->status == MS_OK; v++) {
    size_t end = 0;
    if (o->progress)
      o->progress(o->progress_user, "vertices checked", v, n);
    g->set[0] = v;
    g->size = 1;
    if (!add_neighbors(g, v, &end))
      return;
    grow(g, 0, end);
    for (size_t j = 0; j < end; j++)
      g->near[g->place[j]] = 0;
  }
}

/* The cost below which no match may lack a row: a search that ended early was in the order of
 * costs. */
static uint32_t complete_below(const ms_certificate *c)
{
  const ms_result_header *h = &c->result.header;
  bool complete = h->status == MS_RESULT_COMPLETE;
  if (c->rows == 0)
    return complete ? UINT32_MAX : 0;
  if (!complete)
    return c->last_cost;
  return h->nearest_only ? c->last_cost + 1 : UINT32_MAX;
}

ms_status ms_recount_nearest_list(ms_certificate *c, ms_error *err)
{
  const ms_verify_options *o = c->options;
  const ms_result_header *h = &c->result.header;
  growing g = {
      .c = c, .limits = limits_of(c), .below = complete_below(c), .most = h->k + h->max_extra};
  if (o->no_recount || g.below == 0)
    return MS_OK;
  g.err = err;
  g.near = ms_calloc(h->vertices, 1);
  if (!g.near)
    return ms_fail_memory(err, "the recount");
  ms_status status = ms_stop_child(o->stop, o->recount_seconds, &c->recount_stop, err);
  if (status == MS_OK) {
    grow_all(&g);
    status = ms_note_stop(c, g.status);
  }
  c->report->recounted = status == MS_OK && c->report->stopped == MS_OK && !c->result.refused &&
                         h->status == MS_RESULT_COMPLETE;
  ms_free(g.near);
  ms_free(g.place);
  return status;
}
