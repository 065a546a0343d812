/* The shapes of a census that is checked.  They are found by all orders of the vertices of each
 * set, with nothing of census/; only the columns that describe a shape are those that its rows
 * have. */
#include "verify/census.h"

#include "base/alloc.h"
#include "base/ascending.h"
#include "base/status.h"
#include "graph/graph.h"
#include "query/pattern.h"
#include "verify/recount.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CODE (MS_MAX_CENSUS - 1) /* the place of the code in the colours of a number */

typedef ms_verify_small small;

static uint32_t code_of(const small *g, const uint32_t *order)
{
  uint32_t code = 0, bit = 0;
  for (uint32_t j = 1; j < g->k; j++)
    for (uint32_t i = 0; i < j; i++) {
      code |= (uint32_t)g->arc[order[i]][order[j]] << bit++;
      if (g->directed)
        code |= (uint32_t)g->arc[order[j]][order[i]] << bit++;
    }
  return code;
}

/* Lowers class->code to the codes of all orders whose first `placed` vertices are given, and whose
 * colours ascend, and the places to those in the orders with the least code. */
static void lower(const small *g, uint32_t *order, uint32_t placed, ms_verify_class *class)
{
  if (placed == g->k) {
    uint32_t code = code_of(g, order);
    for (uint32_t i = 0; i < g->k && code <= class->code; i++)
      if (code < class->code || i < class->place[order[i]])
        class->place[order[i]] = i;
    class->automorphisms = code < class->code ? 1 : class->automorphisms + (code == class->code);
    class->code = code < class->code ? code : class->code;
    return;
  }
  for (uint32_t i = placed; i < g->k; i++) {
    uint32_t next = order[i];
    order[i] = order[placed];
    order[placed] = next;
    if (placed == 0 || g->color[order[placed - 1]] <= g->color[next])
      lower(g, order, placed + 1, class);
    order[placed] = order[i];
    order[i] = next;
  }
}

void ms_verify_classify(const ms_verify_small *g, ms_verify_class *out)
{
  uint32_t order[MS_MAX_SHAPE] = {0, 1, 2, 3, 4, 5};
  *out = (ms_verify_class){.code = UINT32_MAX};
  lower(g, order, 0, out);
  memcpy(out->color, g->color, g->k * sizeof *out->color);
  qsort(out->color, g->k, sizeof *out->color, ms_compare_ids);
}

void ms_verify_shape_key(const small *g, uint32_t color[MS_MAX_CENSUS])
{
  ms_verify_class class;
  ms_verify_classify(g, &class);
  memset(color, 0, MS_MAX_CENSUS * sizeof *color);
  memcpy(color, class.color, g->k * sizeof *color);
  color[CODE] = class.code;
}

static bool is_connected(const small *g)
{
  uint32_t reached = 1, before = 0;
  while (reached != before) {
    before = reached;
    for (uint32_t i = 0; i < g->k; i++)
      for (uint32_t j = 0; j < g->k; j++)
        if ((g->arc[i][j] || g->arc[j][i]) && before >> i & 1)
          reached |= 1u << j;
  }
  return reached == (1u << g->k) - 1;
}

/* ---- rows ------------------------------------------------------------------------------ */

/* Makes the graph of a pattern whose vertices are called a, b, and so on, in the order of their
 * colours, and accept one colour each, or none; false: it is another pattern. */
static bool take_pattern(const ms_certificate *c, const ms_pattern *p, small *g)
{
  uint32_t place[MS_MAX_SHAPE], seen = 0;
  *g = (small){.k = p->n, .directed = p->directed};
  if (p->n > MS_MAX_SHAPE || p->directed != ms_graph_directed(c->graph))
    return false;
  for (uint32_t i = 0; i < p->n; i++) {
    const char *name = ms_names_get(p->names, i);
    place[i] = (uint32_t)(unsigned char)name[0] - 'a';
    if (place[i] >= p->n || name[1] || seen >> place[i] & 1 ||
        p->colors[i] != (c->coloring ? 1 : 0))
      return false;
    seen |= 1u << place[i];
    if (c->coloring)
      g->color[place[i]] =
          ms_coloring_find(c->coloring, ms_names_get(p->color_names, p->color[i][0]));
  }
  for (uint32_t i = 0; i < p->n; i++) {
    for (uint32_t j = 0; j < p->n; j++)
      g->arc[place[i]][place[j]] = ms_bitset_has(&p->out[i], j);
    if (g->color[i] == MS_NO_ID || (i > 0 && g->color[i] < g->color[i - 1]))
      return false;
  }
  return is_connected(g);
}

static bool describes(const ms_certificate *c, const uint32_t *color)
{
  const ms_census_row *row = &c->result.row.census;
  ms_shape_info info;
  ms_error unused;
  return ms_shape_describe(c->census->k, ms_graph_directed(c->graph), color[CODE], color, &info,
                           &unused) == MS_OK &&
         strcmp(info.graph6, row->graph6) == 0 &&
         strcmp(info.name[0] ? info.name : MS_NO_VALUE, row->name) == 0 &&
         info.edges == row->edges && info.automorphisms == row->automorphisms;
}

ms_status ms_verify_read_shape(const ms_certificate *c, const char *text, ms_verify_small *g,
                               ms_verify_class *class, bool *right, ms_error *err)
{
  static const uint32_t in_order[MS_MAX_SHAPE] = {0, 1, 2, 3, 4, 5};
  ms_pattern *pattern;
  ms_error reason;
  char *again = NULL;
  const char *name[MS_MAX_SHAPE];
  ms_status status = ms_pattern_parse(text, ms_graph_directed(c->graph), &pattern, &reason);
  *right = false;
  if (status == MS_ERR_MEMORY && err)
    *err = reason;
  if (status != MS_OK)
    return status == MS_ERR_MEMORY ? status : MS_OK;
  *right = take_pattern(c, pattern, g);
  ms_pattern_free(pattern);
  if (!*right)
    return MS_OK;
  ms_verify_classify(g, class);
  *right = code_of(g, in_order) == class->code;
  if (!*right)
    return MS_OK;
  for (uint32_t i = 0; c->coloring && i < g->k; i++)
    name[i] = ms_coloring_name(c->coloring, class->color[i]);
  MS_TRY(ms_shape_pattern(g->k, g->directed, class->code, c->coloring ? name : NULL, &again, err));
  *right = strcmp(again, text) == 0;
  ms_free(again);
  return MS_OK;
}

ms_status ms_verify_shape_row(ms_certificate *c, uint32_t color[MS_MAX_CENSUS], ms_error *err)
{
  const char *text = c->result.row.census.motif;
  ms_verify_small g;
  ms_verify_class class;
  bool right;
  MS_TRY(ms_verify_read_shape(c, text, &g, &class, &right, err));
  if (!right || g.k != c->census->k)
    return ms_result_refuse(&c->result, c->result.row.line,
                            "'%.100s' is not the canonical text of a shape of %u vertices", text,
                            c->census->k);
  memset(color, 0, MS_MAX_CENSUS * sizeof *color);
  memcpy(color, class.color, g.k * sizeof *color);
  color[CODE] = class.code;
  return describes(c, color)
             ? MS_OK
             : ms_result_refuse(&c->result, c->result.row.line,
                                "the columns do not describe the shape '%.100s'", text);
}

/* ---- the profile ------------------------------------------------------------------------- */

#define DIGITS 0.00001 /* of six digits, relative */

/* perm_profile is perm_z by one length for all rows, which is that of all perm_z where each shape
 * that is tested has a row, and else at least that of the rows. */
ms_status ms_verify_profile(ms_certificate *c)
{
  const ms_verify_census *w = c->census;
  const ms_result_header *h = &c->result.header;
  const uint32_t z = MS_STAT_PERMUTED + MS_STAT_Z, part = MS_HAS_PART | MS_HAS_PERMUTATIONS;
  double squares = 0, length = 0, greatest = 0;
  bool is_whole = h->has & MS_HAS_PART || (h->top == 0 && h->census.min_count == 0);
  if (h->has & MS_HAS_PERMUTATIONS && !c->coloring && is_whole && w->rows != h->permutations.tests)
    return ms_result_refuse(&c->result, 0, "%llu shapes have rows, and there are %llu",
                            (unsigned long long)w->rows, (unsigned long long)h->permutations.tests);
  if ((h->has & part) != MS_HAS_PERMUTATIONS)
    return MS_OK;
  for (uint64_t i = 0; i < w->rows; i++) {
    double own = w->statistic[i][z];
    squares += isnan(own) ? 0 : own * own;
    if (fabs(own) > greatest) {
      greatest = fabs(own);
      length = own / w->statistic[i][MS_STAT_PROFILE];
    }
  }
  double of_rows = sqrt(squares);
  bool all = w->rows == h->permutations.tests;
  bool right = greatest == 0 ||
               (length >= of_rows * (1 - DIGITS) && (!all || length <= of_rows * (1 + DIGITS)));
  for (uint64_t i = 0; i < w->rows && right; i++) {
    double own = w->statistic[i][z], stated = w->statistic[i][MS_STAT_PROFILE];
    right = isnan(own) || greatest == 0
                ? isnan(stated)
                : fabs(stated * length - own) <= 2 * DIGITS * (fabs(own) + fabs(stated) * length);
    if (!right)
      return ms_result_refuse(&c->result, w->line[i], "perm_profile is not that of perm_z");
  }
  return right ? MS_OK : ms_result_refuse(&c->result, 0, "perm_profile is not that of perm_z");
}

/* ---- the means ---------------------------------------------------------------------------- */

/* The sets of shapes without colours. */
typedef struct plain_sets {
  uint32_t code;
  double sets;
} plain_sets;

static int by_code(const void *a, const void *b)
{
  const plain_sets *x = a, *y = b;
  return x->code < y->code ? -1 : x->code > y->code;
}

static ms_verify_class plain_class(const ms_verify_census *w, uint32_t code)
{
  ms_verify_class class;
  small g;
  ms_verify_take_code(w->k, ms_graph_directed(w->c->graph), code, &g);
  ms_verify_classify(&g, &class);
  return class;
}

/* Sets *out to the recounted sets of each shape without colours, ascending, each code once; returns
 * how many there are. */
static uint64_t sum_plain(const ms_verify_census *w, plain_sets *all)
{
  uint64_t found = 0, count = 0;
  for (uint64_t i = 0; i < w->places; i++)
    if (w->counted[i].sets > 0)
      all[found++] =
          (plain_sets){plain_class(w, w->counted[i].color[CODE]).code, (double)w->counted[i].sets};
  if (found > 0)
    qsort(all, found, sizeof *all, by_code);
  for (uint64_t i = 0; i < found; i++)
    if (count > 0 && all[count - 1].code == all[i].code)
      all[count - 1].sets += all[i].sets;
    else
      all[count++] = all[i];
  return count;
}

/* The mean of a row over all labellings: the chance of its colours on the vertices of a set, in all
 * orders that are alike, times the sets of its shape. */
static double mean_of(const ms_verify_census *w, const ms_census_number *row, const plain_sets *all,
                      uint64_t count, const uint64_t *vertices, uint64_t n)
{
  small g;
  ms_verify_class class, plain = plain_class(w, row->color[CODE]);
  const plain_sets key = {.code = plain.code};
  const plain_sets *sets = count > 0 ? bsearch(&key, all, count, sizeof key, by_code) : NULL;
  ms_verify_take_code(w->k, ms_graph_directed(w->c->graph), row->color[CODE], &g);
  memcpy(g.color, row->color, w->k * sizeof *g.color);
  ms_verify_classify(&g, &class);
  double mean = sets ? sets->sets * plain.automorphisms / class.automorphisms : 0;
  for (uint32_t i = 0; i < w->k; i++) {
    uint32_t before = 0;
    for (uint32_t j = 0; j < i; j++)
      before += row->color[j] == row->color[i];
    mean *= ((double)vertices[row->color[i]] - before) / ((double)n - i);
  }
  return mean;
}

ms_status ms_verify_means(ms_certificate *c, ms_error *err)
{
  const ms_verify_census *w = c->census;
  uint64_t n = 0, wrong = UINT64_MAX;
  double mean = 0;
  plain_sets *all = ms_alloc(w->used, sizeof *all);
  uint64_t *vertices = ms_calloc(c->result.header.colors, sizeof *vertices);
  bool ok = all && vertices;
  for (uint32_t v = 0; ok && v < c->result.header.vertices; v++) {
    uint32_t own;
    const uint32_t *color = ms_coloring_of(w->coloring, v, &own);
    n += own > 0;
    if (own > 0)
      vertices[color[0]]++;
  }
  uint64_t count = ok ? sum_plain(w, all) : 0;
  for (uint64_t i = 0; ok && i < w->rows && wrong == UINT64_MAX; i++) {
    mean = mean_of(w, &w->stated[i], all, count, vertices, n);
    if (!(fabs(w->statistic[i][MS_STAT_EXPECTED] - mean) <= DIGITS * mean))
      wrong = i;
  }
  ms_free(all);
  ms_free(vertices);
  if (!ok)
    return ms_fail_memory(err, "the recount");
  return wrong == UINT64_MAX ? MS_OK
                             : ms_result_refuse(&c->result, w->line[wrong],
                                                "the mean of all labellings is %.6g, not %.6g",
                                                mean, w->statistic[wrong][MS_STAT_EXPECTED]);
}

/* ---- the recount ------------------------------------------------------------------------ */

void ms_verify_take_code(uint32_t k, bool directed, uint32_t code, ms_verify_small *out)
{
  *out = (small){.k = k, .directed = directed};
  for (uint32_t j = 1; j < k; j++)
    for (uint32_t i = 0; i < j; i++) {
      out->arc[i][j] = code & 1;
      code >>= 1;
      out->arc[j][i] = directed ? code & 1 : out->arc[i][j];
      code >>= directed;
    }
}

void ms_verify_take_set(const ms_graph *graph, const uint32_t *set, uint32_t k,
                        ms_verify_small *out)
{
  *out = (small){.k = k, .directed = ms_graph_directed(graph)};
  for (uint32_t i = 0; i < k; i++)
    for (uint32_t j = 0; j < k; j++) {
      uint64_t arc = i == j ? graph->arcs : ms_graph_find_arc(graph, set[i], set[j]);
      out->arc[i][j] =
          arc < graph->arcs && (!graph->direction || graph->direction[arc] & MS_ARC_TO);
    }
}

void ms_verify_shape_of_set(const ms_verify_census *w, const uint32_t *set, ms_census_number *key)
{
  small g;
  ms_verify_take_set(w->c->graph, set, w->k, &g);
  for (uint32_t i = 0; i < w->k; i++) {
    uint32_t own;
    g.color[i] = ms_coloring_of(w->coloring, set[i], &own)[0];
  }
  ms_verify_shape_key(&g, key->color);
}

bool ms_verify_subgraphs(const small *whole, ms_verify_subgraph_fn *receive, void *user)
{
  uint32_t pair[2 * 15][2], edges = 0;
  for (uint32_t i = 0; i < whole->k; i++)
    for (uint32_t j = whole->directed ? 0 : i + 1; j < whole->k; j++)
      if (whole->arc[i][j]) {
        pair[edges][0] = i;
        pair[edges++][1] = j;
      }
  for (uint32_t chosen = 1; chosen < 1u << edges; chosen++) {
    small part = *whole;
    memset(part.arc, 0, sizeof part.arc);
    for (uint32_t e = 0; e < edges; e++)
      if (chosen >> e & 1) {
        part.arc[pair[e][0]][pair[e][1]] = true;
        part.arc[pair[e][1]][pair[e][0]] |= !whole->directed;
      }
    if (is_connected(&part) && !receive(user, &part))
      return false;
  }
  return true;
}

/* What the subgraphs of a shape are added to. */
typedef struct adding {
  ms_verify_census *census;
  ms_verify_add_fn *add;
  ms_census_number key;
  uint64_t sets, looks;
  ms_status status;
} adding;

static bool add_part(void *user, const small *part)
{
  adding *a = user;
  if (++a->looks % 4096 == 0)
    a->status = ms_stop_check(a->census->c->recount_stop);
  if (a->status != MS_OK)
    return false;
  ms_verify_shape_key(part, a->key.color);
  if (!a->add(a->census, &a->key, a->sets))
    a->status = MS_ERR_MEMORY;
  return a->status == MS_OK;
}

/* Adds the sets of a shape to each connected subgraph on all of its vertices. */
static ms_status add_subgraphs(ms_verify_census *w, const ms_census_number *shape,
                               ms_verify_add_fn *add, ms_error *err)
{
  small whole;
  adding a = {.census = w, .add = add, .key = *shape, .sets = shape->sets, .status = MS_OK};
  ms_verify_take_code(w->k, ms_graph_directed(w->c->graph), shape->color[CODE], &whole);
  memcpy(whole.color, shape->color, w->k * sizeof *whole.color);
  if (ms_verify_subgraphs(&whole, add_part, &a))
    return MS_OK;
  return a.status == MS_ERR_MEMORY
             ? ms_fail_memory(err, "the recount")
             : ms_fail(err, a.status, "stopped while subgraphs are recounted");
}

ms_status ms_verify_all_subgraphs(ms_verify_census *w, ms_verify_add_fn *add, ms_error *err)
{
  ms_census_number *shapes = w->counted;
  uint64_t places = w->places;
  ms_status status = MS_OK;
  w->counted = NULL;
  w->places = w->used = 0;
  for (uint64_t i = 0; i < places && status == MS_OK; i++)
    if (shapes[i].sets > 0)
      status = add_subgraphs(w, &shapes[i], add, err);
  ms_free(shapes);
  return status;
}

/* Counts the maps of the pattern, and divides by those of it to itself. */
static ms_status count_maps(ms_certificate *c, const ms_pattern *pattern, const ms_stop *stop,
                            mpz_t count, ms_error *err)
{
  bool induced = !c->result.header.census.subgraphs;
  ms_judge *judge;
  mpz_t automorphisms;
  MS_TRY(ms_judge_pattern(c->graph, c->coloring ? c->census->coloring : NULL, pattern, induced,
                          false, &judge, err));
  mpz_init(automorphisms);
  ms_status status = ms_judge_automorphisms(judge, automorphisms, stop, err);
  if (status == MS_OK)
    status = ms_judge_recount(judge, count, NULL, NULL, stop, err);
  if (status == MS_OK)
    mpz_divexact(count, count, automorphisms);
  mpz_clear(automorphisms);
  ms_judge_free(judge);
  return status;
}

ms_status ms_verify_recount_shape(ms_certificate *c, uint64_t row, const ms_stop *stop, mpz_t count,
                                  ms_error *err)
{
  const uint32_t *color = c->census->stated[row].color;
  const char *name[MS_MAX_SHAPE];
  char *text;
  bool directed = ms_graph_directed(c->graph);
  ms_pattern *pattern;
  for (uint32_t i = 0; c->coloring && i < c->census->k; i++)
    name[i] = ms_coloring_name(c->coloring, color[i]);
  MS_TRY(
      ms_shape_pattern(c->census->k, directed, color[CODE], c->coloring ? name : NULL, &text, err));
  ms_status status = ms_pattern_parse(text, directed, &pattern, err);
  ms_free(text);
  MS_TRY(status);
  status = count_maps(c, pattern, stop, count, err);
  ms_pattern_free(pattern);
  return status;
}
