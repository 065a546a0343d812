/* Writes the nearest matches of a motif. */
#include "base/options.h"
#include "base/status.h"
#include "query/query.h"
#include "run/run.h"
#include "run/write/write.h"

/* Refuses arrays that cannot be the rows of such a result. */
static ms_status check_rows(const ms_query *query, const ms_nearest_result *r, ms_error *err)
{
  if (!r->begin || (r->matches > 0 && (!r->vertex || !r->missing || !r->extra || !r->cost)))
    return ms_writing_check_stored(false, 1, NULL, 1, 0, err);
  for (uint64_t i = 0; i < r->matches; i++) {
    uint64_t size = r->begin[i + 1] - r->begin[i];
    if (r->begin[i + 1] < r->begin[i] || r->missing[i] > r->k ||
        size != (uint64_t)r->k - r->missing[i] + r->extra[i] || size > MS_MAX_K)
      return ms_fail(err, MS_ERR_USAGE,
                     "row %llu of the result has another number of vertices than its costs say; "
                     "give the result of this query",
                     (unsigned long long)i);
  }
  return ms_writing_check_stored(false, r->begin[r->matches], r->vertex, 1, query->graph->n, err);
}

/* The names of a row. */
typedef struct row_names {
  const char *vertex[MS_MAX_K], *label[MS_MAX_K], *role[MS_MAX_K];
  const char *unfilled[MS_MAX_K], *extra[MS_MAX_K], *extra_label[MS_MAX_K];
  const char *slot_vertex[MS_MAX_K], *slot_label[MS_MAX_K]; /* "": the slot is unfilled */
} row_names;

/* Finds who fills which slot, and fills in the lists of the row; false: the row is no match within
 * the limits. */
static bool name_slots(const ms_query *query, const ms_nearest_options *run, const uint32_t *set,
                       row_names *names, ms_match_row *row)
{
  uint32_t slot[MS_MAX_K];
  if (!ms_nearest_slots(query, run, set, row->count, slot))
    return false;
  for (uint32_t d = 0; d < query->motif->k; d++)
    names->slot_vertex[d] = names->slot_label[d] = "";
  for (uint32_t j = 0; j < row->count; j++) {
    bool is_extra = slot[j] == MS_EXTRA_VERTEX;
    names->role[j] = is_extra ? MS_EXTRA_ROLE : ms_query_slot_name(query, slot[j]);
    *(is_extra ? &names->extra_label[row->n_extra] : &names->slot_label[slot[j]]) = names->label[j];
    *(is_extra ? &names->extra[row->n_extra++] : &names->slot_vertex[slot[j]]) = names->vertex[j];
  }
  for (uint32_t d = 0; d < query->motif->k; d++)
    if (!*names->slot_vertex[d])
      names->unfilled[row->n_unfilled++] = ms_query_slot_name(query, d);
  return row->n_unfilled == row->missing && row->n_extra == row->extra;
}

static ms_status write_rows(ms_writing *w, const ms_query *query, const ms_nearest_options *run,
                            const ms_nearest_result *r, ms_error *err)
{
  row_names names;
  MS_TRY(ms_writer_begin(&w->writer, w->names, err));
  for (uint64_t i = 0; i < r->matches && !ms_outfile_failed(w->writer.out); i++) {
    const uint32_t *vertex = r->vertex + r->begin[i];
    ms_match_row row = {.number = i + 1,
                        .vertices = names.vertex,
                        .labels = names.label,
                        .roles = names.role,
                        .unfilled = names.unfilled,
                        .extra_vertices = names.extra,
                        .extra_labels = names.extra_label,
                        .slot_vertices = names.slot_vertex,
                        .slot_labels = names.slot_label,
                        .count = (uint32_t)(r->begin[i + 1] - r->begin[i]),
                        .missing = r->missing[i],
                        .extra = r->extra[i],
                        .cost = r->cost[i]};
    for (uint32_t j = 0; j < row.count; j++) {
      const char *name = ms_names_get(w->names, vertex[j]);
      names.vertex[j] = name;
      names.label[j] =
          w->writer.labels ? ms_label_or_name(w->writer.labels, vertex[j], name) : name;
    }
    if (!name_slots(query, run, vertex, &names, &row))
      return ms_fail(err, MS_ERR_USAGE,
                     "row %llu of the result does not have the costs that it states; give the "
                     "result, and the options, of this query",
                     (unsigned long long)i);
    MS_TRY(ms_writer_row(&w->writer, &row, err));
  }
  return ms_writer_end(&w->writer, err);
}

static void describe(ms_writing *w, const ms_query *query, const ms_nearest_options *run,
                     const ms_nearest_result *r)
{
  ms_result_header *h = &w->writer.header;
  ms_writing_describe(w, query, NULL, NULL);
  ms_writing_settle(w, r->run.stopped, run->limit, r->matches);
  h->max_missing = run->max_missing;
  h->max_extra = run->max_extra;
  h->nearest_only = run->nearest_only;
  ms_describe_substitutes(h, run->substitutes, run->max_cost);
  h->found = r->matches;
  h->count = r->count_text;
}

ms_status ms_nearest_write(const ms_query *query, const ms_nearest_options *run,
                           const ms_nearest_result *result, const ms_write_options *options,
                           const char *path, ms_error *err)
{
  MS_REQUIRE(query, err);
  MS_REQUIRE(result, err);
  MS_REQUIRE(path, err);
  ms_nearest_options o;
  ms_writing w;
  MS_TRY(ms_options_take(&ms_nearest_options_kind, run, &o, err));
  MS_TRY(ms_writing_check_result("vertices", result->n, query->graph->n, err));
  MS_TRY(ms_writing_check_result("slots", result->k, query->motif->k, err));
  if (!o.count_only)
    MS_TRY(check_rows(query, result, err));
  MS_TRY(ms_writing_open(&w, MS_KIND_NEAREST_LIST, query->graph->n, options, path, err));
  describe(&w, query, &o, result);
  ms_status status = o.count_only ? ms_writing_number(&w, result->count_text, err)
                                  : write_rows(&w, query, &o, result, err);
  return ms_writing_close(&w, status, err);
}
