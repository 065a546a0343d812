#include "census/shapes/rows.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "census/shapes/names.h"
#include "graph/graph.h"

#include <string.h>

/* ---- options ------------------------------------------------------------------------- */

ms_status ms_graphlet_check(const ms_graph *graph, const ms_coloring *coloring,
                            const ms_census_options *o, ms_error *err)
{
  bool directed = ms_graph_directed(graph);
  uint32_t most = directed ? MS_MAX_DIRECTED_SHAPE : MS_MAX_SHAPE;
  ms_census_engine engine;
  MS_TRY(ms_census_find_engine(o->run.engine, &engine, err));
  if (o->k < 3 || o->k > most)
    return ms_fail(err, MS_ERR_USAGE,
                   "a census by shape of sets of %u vertices; for %s graphs, choose 3 to %u by `k`",
                   o->k, directed ? "directed" : "undirected", most);
  if (coloring && o->all_shapes)
    return ms_fail(err, MS_ERR_USAGE, "`all_shapes` is for shapes without colours");
  if (!coloring && (o->n_only > 0 || o->primary))
    return ms_fail(err, MS_ERR_USAGE, "`only` and `primary` choose colours, and there are none");
  return MS_OK;
}

/* ---- rows ---------------------------------------------------------------------------- */

static ms_status add_row(ms_census_rows *rows, const ms_multiset *key, uint64_t count,
                         uint64_t *sets, ms_error *err)
{
  if (count == 0)
    return MS_OK;
  if (__builtin_add_overflow(*sets, count, sets))
    return ms_census_fail_overflow(err);
  return ms_census_rows_add(rows, key, count, err);
}

/* The key of a class without kinds. */
static ms_multiset plain_key(ms_graphlet_form form, uint32_t code)
{
  ms_multiset key;
  memset(&key, 0xff, sizeof key);
  memset(key.kind, 0, form.k * sizeof key.kind[0]);
  ms_graphlet_set_code(&key, code);
  return key;
}

ms_status ms_graphlet_rows_of_codes(ms_graphlet_form form, const uint64_t *total,
                                    ms_census_rows *rows, uint64_t *sets, ms_error *err)
{
  ms_graphlet_classes classes;
  MS_TRY(ms_graphlet_classes_open(&classes, form, err));
  uint64_t *sum = ms_calloc(classes.count, sizeof *sum);
  ms_status status = sum ? MS_OK : ms_fail_memory(err, "the shapes of a census");
  for (uint32_t code = 0; sum && code < 1u << ms_graphlet_bits(form, form.k); code++)
    if (classes.class_of[code] != UINT32_MAX)
      sum[classes.class_of[code]] += total[code];
  for (uint32_t i = 0; status == MS_OK && i < classes.count; i++) {
    ms_multiset key = plain_key(form, classes.code[i]);
    status = add_row(rows, &key, sum[i], sets, err);
  }
  ms_free(sum);
  ms_graphlet_classes_close(&classes);
  return status;
}

ms_status ms_graphlet_rows_of_tally(const ms_shared_tally *shared, ms_census_rows *rows,
                                    uint64_t *sets, ms_error *err)
{
  for (int i = 0; i < MS_TALLY_SHARDS; i++) {
    const ms_tally *tally = &shared->shard[i].tally;
    for (uint64_t j = 0; j < (uint64_t)1 << tally->bits; j++) {
      if (j % 4096 == 0)
        MS_TRY(ms_stop_poll("shapes are gathered", err));
      MS_TRY(add_row(rows, &tally->entry[j].key, tally->entry[j].sets, sets, err));
    }
  }
  return MS_OK;
}

ms_status ms_graphlet_add_absent(ms_graphlet_form form, ms_census_rows *rows, ms_error *err)
{
  ms_graphlet_classes classes;
  uint64_t row = 0, rows_before = rows->count;
  MS_TRY(ms_graphlet_classes_open(&classes, form, err));
  ms_census_rows_order(rows);
  ms_status status = MS_OK;
  for (uint32_t i = 0; i < classes.count && status == MS_OK; i++) {
    ms_multiset key = plain_key(form, classes.code[i]);
    if (row < rows_before && ms_multiset_compare(&rows->row[row].key, &key) == 0)
      row++;
    else
      status = ms_census_rows_add(rows, &key, 0, err);
  }
  ms_graphlet_classes_close(&classes);
  return status;
}

/* ---- all subgraphs ------------------------------------------------------------------- */

__extension__ typedef unsigned __int128 wide;

/* Adds to the number of each graph those of all graphs with more edges. */
static void sum_above(wide *number, uint32_t bits)
{
  for (uint32_t bit = 0; bit < bits; bit++)
    for (uint32_t code = 0; code < 1u << bits; code++)
      if (!(code >> bit & 1))
        number[code] += number[code | 1u << bit];
}

/* What turns the rows of the same colours. */
typedef struct turner {
  ms_graphlet_form form;
  uint32_t codes;
  wide *number;  /* [codes] maps of the vertices of a code to sets, which keep kinds */
  uint8_t *done; /* [codes] the class of the code has a row */
} turner;

/* Each order of a graph that keeps kinds is a code with as many maps to each set as the graph has
 * automorphisms. */
static void put_maps(turner *t, const ms_tally_entry *row)
{
  ms_graphlet_orders orders;
  ms_multiset key = row->key;
  uint32_t automorphisms, code;
  (void)ms_graphlet_classify(t->form, ms_graphlet_code_of(&key), key.kind, &automorphisms);
  ms_graphlet_orders_begin(&orders, t->form, ms_graphlet_code_of(&key), key.kind);
  while (ms_graphlet_orders_next(&orders, &code))
    t->number[code] = (wide)row->sets * automorphisms;
}

/* The least code of a class comes first, and gets the row. */
static ms_status take_class(turner *t, const ms_multiset *kinds, uint32_t least,
                            ms_census_rows *out, ms_error *err)
{
  ms_graphlet_orders orders;
  ms_multiset key = *kinds;
  uint32_t automorphisms = 0, code;
  ms_graphlet_orders_begin(&orders, t->form, least, key.kind);
  while (ms_graphlet_orders_next(&orders, &code)) {
    t->done[code] = 1;
    automorphisms += code == least;
  }
  wide sets = t->number[least] / automorphisms;
  ms_graphlet_set_code(&key, least);
  return sets > INT64_MAX ? ms_census_fail_overflow(err)
                          : ms_census_rows_add(out, &key, (uint64_t)sets, err);
}

static ms_status turn_group(turner *t, const ms_tally_entry *row, uint64_t rows,
                            ms_census_rows *out, ms_error *err)
{
  memset(t->number, 0, t->codes * sizeof *t->number);
  memset(t->done, 0, t->codes * sizeof *t->done);
  for (uint64_t i = 0; i < rows; i++)
    put_maps(t, &row[i]);
  sum_above(t->number, ms_graphlet_bits(t->form, t->form.k));
  MS_TRY(ms_stop_poll("subgraphs are counted", err));
  for (uint32_t code = 0; code < t->codes; code++)
    if (t->number[code] > 0 && !t->done[code] && ms_graphlet_is_connected(t->form, code))
      MS_TRY(take_class(t, &row->key, code, out, err));
  return MS_OK;
}

static ms_status turn_all(turner *t, const ms_census_rows *rows, ms_census_rows *out, ms_error *err)
{
  uint64_t end;
  for (uint64_t i = 0; i < rows->count; i = end) {
    for (end = i + 1; end < rows->count; end++)
      if (memcmp(rows->row[end].key.kind, rows->row[i].key.kind, t->form.k * sizeof(ms_kind_id)) !=
          0)
        break;
    MS_TRY(turn_group(t, rows->row + i, end - i, out, err));
  }
  return MS_OK;
}

uint64_t ms_graphlet_uninduce_bytes(ms_graphlet_form form)
{
  const turner *t;
  return (uint64_t)(sizeof *t->number + sizeof *t->done) << ms_graphlet_bits(form, form.k);
}

ms_status ms_graphlet_uninduce(ms_graphlet_form form, ms_census_rows *rows, ms_budget *budget,
                               ms_error *err)
{
  turner t = {.form = form, .codes = 1u << ms_graphlet_bits(form, form.k)};
  ms_census_rows out = {0};
  uint64_t bytes = ms_graphlet_uninduce_bytes(form);
  if (!ms_budget_reserve(budget, bytes))
    return ms_budget_refuse(budget, bytes, "the numbers of all subgraphs", "", err);
  t.number = ms_alloc(t.codes, sizeof *t.number);
  t.done = ms_alloc(t.codes, sizeof *t.done);
  ms_census_rows_order(rows);
  ms_status status =
      t.number && t.done ? MS_OK : ms_fail_memory(err, "the numbers of all subgraphs");
  if (status == MS_OK)
    status = turn_all(&t, rows, &out, err);
  ms_free(t.number);
  ms_free(t.done);
  ms_budget_release(budget, bytes);
  if (status != MS_OK) {
    ms_free(out.row);
    return status;
  }
  ms_free(rows->row);
  *rows = out;
  return MS_OK;
}

/* ---- public -------------------------------------------------------------------------- */

static ms_status check_code(uint32_t k, bool directed, uint32_t code, ms_error *err)
{
  ms_graphlet_form form = ms_graphlet_form_of(k, directed);
  if (k < 2 || k > (directed ? MS_MAX_DIRECTED_SHAPE : MS_MAX_SHAPE))
    return ms_fail(err, MS_ERR_USAGE, "there are no shapes of %u vertices", k);
  if ((uint64_t)code >> ms_graphlet_bits(form, k) != 0)
    return ms_fail(err, MS_ERR_USAGE, "%u is not the code of a shape of %u vertices", code, k);
  return MS_OK;
}

ms_status ms_shape_describe(uint32_t k, bool directed, uint32_t code, const uint32_t *color,
                            ms_shape_info *out, ms_error *err)
{
  ms_kind_id kind[MS_MAX_CENSUS] = {0};
  ms_graphlet_form form = ms_graphlet_form_of(k, directed);
  MS_REQUIRE(out, err);
  *out = (ms_shape_info){0};
  MS_TRY(check_code(k, directed, code, err));
  for (uint32_t i = 1; color && i < k; i++) { /* the first vertex of the same colour */
    uint32_t same = 0;
    while (same < i && color[same] != color[i])
      same++;
    kind[i] = (ms_kind_id)same;
  }
  uint32_t least = ms_graphlet_classify(form, code, NULL, &out->automorphisms);
  (void)ms_graphlet_classify(form, code, kind, &out->automorphisms);
  out->edges = ms_graphlet_edges(code);
  ms_graphlet_put_graph6(form, code, out->graph6);
  return ms_graphlet_name(form, least, out->name, err);
}

ms_status ms_shape_parse(const char *graph6, uint32_t *k, bool *directed, uint32_t *code,
                         ms_error *err)
{
  MS_REQUIRE(graph6, err);
  MS_REQUIRE(k, err);
  MS_REQUIRE(directed, err);
  MS_REQUIRE(code, err);
  *directed = graph6[0] == '&';
  for (*k = 2; *k <= (*directed ? MS_MAX_DIRECTED_SHAPE : MS_MAX_SHAPE); ++*k)
    if (ms_graphlet_get_graph6(ms_graphlet_form_of(*k, *directed), graph6, code))
      return MS_OK;
  return ms_fail(err, MS_ERR_USAGE, "'%.40s' is no graph6 or digraph6 of 2 to %u vertices", graph6,
                 MS_MAX_SHAPE);
}

ms_status ms_shape_pattern(uint32_t k, bool directed, uint32_t code, const char *const *names,
                           char **text, ms_error *err)
{
  MS_REQUIRE(text, err);
  *text = NULL;
  MS_TRY(check_code(k, directed, code, err));
  return ms_graphlet_put_pattern(ms_graphlet_form_of(k, directed), code, names, text, err);
}
