/* Checks a list of the nearest matches of a motif: each row by the judge, and the whole list by
 * growing every connected set. */
#include "verify/certificate.h"

#include "base/status.h"
#include "verify/near.h"
#include "verify/near_grow.h"

#include <string.h>

#define REPORT_ROWS 4096u /* between two reports of progress */

ms_edit_limits ms_near_limits(const ms_certificate *c)
{
  const ms_result_header *h = &c->result.header;
  return (ms_edit_limits){.max_missing = h->max_missing,
                          .max_extra = h->max_extra,
                          .max_cost = h->max_cost,
                          .substitutes = c->substitutes};
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

/* Returns the name of the slot whose column has this title; other texts are their own names. */
static const char *name_of_title(const ms_certificate *c, const char *title)
{
  const ms_result_header *h = &c->result.header;
  for (uint32_t d = 0; h->row_form == MS_ROWS_WIDE && d < h->k; d++)
    if (title == h->pattern.names[d])
      return ms_query_slot_name(c->query, d);
  return title;
}

/* The lists of a long or wide row in the order of the graph, in which other rows are. */
typedef struct ordered_row {
  const char *vertex[MS_MAX_K], *label[MS_MAX_K], *role[MS_MAX_K], *unfilled[MS_MAX_K];
} ordered_row;

/* Sorts ids[count], and with them the lists of the row. */
static void order_row(const ms_certificate *c, uint32_t *ids, ms_match_row *row, ordered_row *to)
{
  for (uint32_t i = 0; i < row->count; i++) {
    uint32_t id = ids[i], at = i;
    for (; at > 0 && ids[at - 1] > id; at--) {
      ids[at] = ids[at - 1];
      to->vertex[at] = to->vertex[at - 1];
      to->label[at] = to->label[at - 1];
      to->role[at] = to->role[at - 1];
    }
    ids[at] = id;
    to->vertex[at] = row->vertices[i];
    to->label[at] = row->labels ? row->labels[i] : NULL;
    to->role[at] = name_of_title(c, row->roles[i]);
  }
  for (uint32_t u = 0; u < row->n_unfilled; u++)
    to->unfilled[u] = name_of_title(c, row->unfilled[u]);
  row->vertices = to->vertex;
  row->labels = row->labels ? to->label : NULL;
  row->roles = to->role;
  row->unfilled = to->unfilled;
}

/* Returns what is wrong with the order of the vertices ids[count], or with the place of the row
 * behind the row before it, or NULL. */
static const char *find_disorder(const ms_certificate *c, const uint32_t *ids, uint32_t count)
{
  const ms_result_row *row = &c->result.row;
  for (uint32_t i = 1; i < count; i++)
    if (ids[i - 1] > ids[i])
      return "is not in graph order";
  if (c->rows == 0 || row->match.cost > c->last_cost)
    return c->rows > 0 && c->result.header.nearest_only
               ? "costs more than the first one, and only the nearest ones have rows"
               : NULL;
  if (row->match.cost < c->last_cost)
    return "costs less than the row before it";
  for (uint32_t i = 0; i < count && i < c->last_count; i++)
    if (ids[i] != c->last_ids[i])
      return ids[i] > c->last_ids[i] ? NULL : "does not follow the row before it";
  return count > c->last_count ? NULL : "does not follow the row before it";
}

static ms_status check_edits(ms_certificate *c, const uint32_t *ids, uint32_t count)
{
  const ms_result_row *row = &c->result.row;
  const ms_edit_limits limits = ms_near_limits(c);
  ms_edits edits;
  unsigned long long number = c->rows + 1;
  ms_verdict verdict = ms_verify_near(c->query, &limits, ids, count, &edits);
  if (verdict != MS_MATCH_OK)
    return ms_result_refuse(&c->result, row->line, "match %llu %s", number,
                            ms_verdict_text(verdict));
  if (edits.cost != row->match.cost || edits.missing != row->match.missing ||
      edits.extra != row->match.extra)
    return ms_result_refuse(
        &c->result, row->line,
        "match %llu has cost=%u, missing=%u and extra=%u, not %llu, %llu and "
        "%llu",
        number, edits.cost, edits.missing, edits.extra, (unsigned long long)row->match.cost,
        (unsigned long long)row->match.missing, (unsigned long long)row->match.extra);
  return MS_OK;
}

static ms_status check_row(ms_certificate *c, ms_error *err)
{
  const ms_result_row *row = &c->result.row;
  unsigned long long number = c->rows + 1;
  uint32_t ids[MS_MAX_K], count = row->match.count;
  ordered_row ordered;
  bool fresh;
  if (row->match.number != number)
    return ms_result_refuse(&c->result, row->line, "match %llu is numbered %llu", number,
                            (unsigned long long)row->match.number);
  if (count == 0 || count > MS_MAX_K)
    return ms_result_refuse(&c->result, row->line, "match %llu has %u vertices", number, count);
  for (uint32_t i = 0; i < count; i++)
    MS_TRY(ms_find_named(c, row->line, row->match.vertices[i], &ids[i]));
  if (c->result.header.row_form != MS_ROWS_USUAL)
    order_row(c, ids, &c->result.row.match, &ordered);
  MS_TRY(check_edits(c, ids, count));
  const char *fault = find_disorder(c, ids, count);
  if (!fault)
    fault = ms_verify_near_slots(c->query, c->substitutes, ids, &row->match,
                                 row->match.cost - row->match.missing - row->match.extra);
  if (fault)
    return ms_result_refuse(&c->result, row->line, "match %llu %s", number, fault);
  for (uint32_t i = 0; row->match.labels && i < count; i++)
    MS_TRY(ms_check_label(c, row->line, ids[i], row->match.labels[i]));
  if (!c->sets[count])
    MS_TRY(ms_row_set_new(count, c->result.header.vertices, &c->sets[count], err));
  MS_TRY(ms_row_set_add(c->sets[count], ids, &fresh, err)); /* the order shows that it is fresh */
  c->last_cost = (uint32_t)row->match.cost;
  c->last_count = count;
  memcpy(c->last_ids, ids, count * sizeof *ids);
  c->report->rows = ++c->rows;
  return MS_OK;
}

static ms_status check_totals(ms_certificate *c)
{
  const ms_result_header *h = &c->result.header;
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
  MS_TRY(ms_check_slot_titles(c, err));
  MS_TRY(ms_result_next_row(&c->result, &more, err));
  while (more && !ms_is_stopped(c)) {
    MS_TRY(check_row(c, err));
    if (c->rows % REPORT_ROWS == 0)
      ms_limits_report(&o->run, "rows checked", c->rows, c->result.header.found);
    MS_TRY(ms_result_next_row(&c->result, &more, err));
  }
  c->rows_checked = !more;
  return more ? MS_OK : check_totals(c);
}

/* ---- what is missing ---------------------------------------------------------------- */

typedef struct missing_search {
  ms_certificate *c;
  uint32_t below; /* sets of a lower cost must have a row */
  ms_status status;
} missing_search;

/* Refuses the file for a match that has no row; an ms_near_fn. */
static bool look_up(void *user, const uint32_t *set, uint32_t size, const ms_edits *edits)
{
  missing_search *search = user;
  ms_certificate *c = search->c;
  uint32_t row[MS_MAX_K];
  if (edits->cost >= search->below)
    return true;
  for (uint32_t i = 0; i < size; i++) {
    uint32_t v = set[i], at = i;
    for (; at > 0 && row[at - 1] > v; at--)
      row[at] = row[at - 1];
    row[at] = v;
  }
  if (c->sets[size] && ms_row_set_has(c->sets[size], row))
    return true;
  c->report->missing = 1;
  search->status = ms_result_refuse(
      &c->result, 0, "a match of %u vertices with cost=%u, which holds '%.100s', has no row; %s",
      size, edits->cost, ms_name_of(c, row[0]), ms_missing_explanation(c));
  return false;
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

/* Matches that cost less than `below` keep these limits, too, and far fewer sets are near enough.
 */
static ms_edit_limits limits_below(const ms_certificate *c, uint32_t below)
{
  ms_edit_limits l = ms_near_limits(c);
  l.max_missing = l.max_missing < below ? l.max_missing : below - 1;
  l.max_extra = l.max_extra < below ? l.max_extra : below - 1;
  l.max_cost = l.max_cost < below ? l.max_cost : below - 1;
  return l;
}

ms_status ms_recount_nearest_list(ms_certificate *c, ms_error *err)
{
  const ms_verify_options *o = c->options;
  bool complete = c->result.header.status == MS_RESULT_COMPLETE;
  missing_search missing = {.c = c, .below = complete_below(c)};
  ms_near_search search = {.query = c->query, .run = o->run, .found = look_up, .user = &missing};
  if (o->no_recount || missing.below == 0)
    return MS_OK;
  MS_TRY(ms_stop_child(o->run.stop, o->recount_seconds, &c->recount_stop, err));
  search.limits = limits_below(c, missing.below);
  search.run.stop = c->recount_stop;
  MS_TRY(ms_note_stop(c, ms_near_grow(&search, err)));
  MS_TRY(missing.status);
  c->report->recounted = complete && c->report->run.stopped == MS_OK;
  return MS_OK;
}
