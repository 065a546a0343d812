/* Lists with measures: sorted, cut off and filtered matches against all subsets of the vertices;
 * verify accepts the files. */
#include "base/alloc.h"
#include "base/threads/stop.h"
#include "graph/inside.h"
#include "motif/best/best.h"
#include "motif/sort_rows.h"
#include "tests/support/files.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_N = 12, MOST_SETS = 4096, COLORS = 3 };

static ms_error err;

/* ---- brute force ---------------------------------------------------------------- */

typedef struct found {
  uint32_t set[MOST_N]; /* ascending; the first k */
  double value[5];      /* by ms_measure, in single precision */
} found;

typedef struct problem {
  uint32_t n, k, color[MOST_N], wanted[COLORS + 1]; /* wanted[COLORS]: of any colour */
  float score[MOST_N][MOST_N];                      /* below 0: no edge */
  found match[MOST_SETS];
  uint32_t matches;
  char motif[64], graph_text[4096], color_text[512];
} problem;

/* Do the edges of at least `least` connect the set? */
static bool is_connected(const problem *p, uint32_t set, float least)
{
  uint32_t seen = set & -set, before = 0;
  while (seen != before) {
    before = seen;
    for (uint32_t v = 0; v < p->n; v++)
      for (uint32_t w = 0; w < p->n; w++)
        if ((seen >> v & 1) && (set >> w & 1) && p->score[v][w] >= least)
          seen |= 1u << w;
  }
  return seen == set;
}

/* One colour a vertex: the slots without a colour take what is left over. */
static bool fits(const problem *p, uint32_t set)
{
  uint32_t count[COLORS] = {0}, over = 0;
  for (uint32_t v = 0; v < p->n; v++)
    if (set >> v & 1)
      count[p->color[v]]++;
  for (uint32_t c = 0; c < COLORS; c++) {
    if (count[c] < p->wanted[c])
      return false;
    over += count[c] - p->wanted[c];
  }
  return over == p->wanted[COLORS];
}

static void measure(const problem *p, found *f)
{
  double sum = 0, least = 0, edges = 0;
  for (uint32_t i = 0; i < p->k; i++)
    for (uint32_t j = i + 1; j < p->k; j++) {
      float score = p->score[f->set[i]][f->set[j]];
      if (score < 0)
        continue;
      least = edges == 0 || (double)score < least ? (double)score : least;
      sum += (double)score;
      edges++;
    }
  f->value[MS_MEASURE_EDGES] = edges;
  f->value[MS_MEASURE_DENSITY] = p->k > 1 ? (float)(edges / (p->k * (p->k - 1) / 2.0)) : 0;
  f->value[MS_MEASURE_MEAN_SCORE] = edges > 0 ? (float)(sum / edges) : 0;
  f->value[MS_MEASURE_LEAST_SCORE] = least;
}

static void find_all(problem *p)
{
  p->matches = 0;
  for (uint32_t set = 1; set < 1u << p->n; set++) {
    if ((uint32_t)__builtin_popcount(set) != p->k || !fits(p, set) || !is_connected(p, set, 0))
      continue;
    found *f = &p->match[p->matches++];
    for (uint32_t v = 0, i = 0; v < p->n; v++)
      if (set >> v & 1)
        f->set[i++] = v;
    measure(p, f);
  }
}

/* Makes a random graph with scores of few values, so that there are ties, and a motif. */
static void make_problem(problem *p, uint64_t *seed)
{
  static const char *const names[] = {"red", "blue", "green", "*"};
  memset(p, 0, sizeof *p);
  strcpy(p->graph_text, "source\ttarget\tscore\n");
  p->n = 4 + random_below(seed, MOST_N - 3);
  p->k = 1 + random_below(seed, p->n < 5 ? p->n : 5);
  uint32_t percent = 20 + random_below(seed, 60), values = 2 + random_below(seed, 9);
  for (uint32_t v = 0; v < p->n; v++) {
    p->color[v] = random_below(seed, COLORS);
    sprintf(p->color_text + strlen(p->color_text), "v%u\t%s\n", v, names[p->color[v]]);
    /* a line for each vertex, so that ids are numbers */
    sprintf(p->graph_text + strlen(p->graph_text), "v%u\tv%u\t0\n", v, v);
  }
  for (uint32_t v = 0; v < p->n; v++)
    for (uint32_t w = 0; w <= v; w++) {
      p->score[v][w] = p->score[w][v] = -1;
      if (w == v || random_below(seed, 100) >= percent)
        continue;
      uint32_t value = random_below(seed, values);
      p->score[v][w] = p->score[w][v] = (float)(value * 0.1);
      sprintf(p->graph_text + strlen(p->graph_text), "v%u\tv%u\t0.%u\n", v, w, value);
    }
  for (uint32_t i = 0; i < p->k; i++) { /* colours that there are */
    uint32_t c = random_below(seed, 4) == 0 ? COLORS : p->color[random_below(seed, p->n)];
    p->wanted[c]++;
    sprintf(p->motif + strlen(p->motif), "%s%s", i ? "," : "", names[c]);
  }
  find_all(p);
}

static ms_measure order_by;

static int compare(const void *a, const void *b)
{
  const found *f = a, *g = b;
  if (f->value[order_by] != g->value[order_by])
    return f->value[order_by] > g->value[order_by] ? -1 : 1;
  for (uint32_t i = 0; i < MOST_N; i++)
    if (f->set[i] != g->set[i])
      return f->set[i] < g->set[i] ? -1 : 1;
  return 0;
}

/* Leaves what the options ask for, in their order. */
static void choose(problem *p, const ms_list_options *o)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < p->matches; i++)
    if ((o->min_density == 0 ||
         p->match[i].value[MS_MEASURE_DENSITY] >= (double)(float)o->min_density) &&
        (o->min_mean_score == 0 ||
         p->match[i].value[MS_MEASURE_MEAN_SCORE] >= (double)(float)o->min_mean_score))
      p->match[kept++] = p->match[i];
  order_by = o->sort;
  qsort(p->match, kept, sizeof *p->match, compare);
  p->matches = o->top > 0 && kept > o->top ? (uint32_t)o->top : kept;
}

/* ---- the library ------------------------------------------------------------------ */

typedef struct inputs {
  ms_graph *graph;
  ms_coloring *coloring;
  ms_motif *motif;
  ms_query *query;
  ms_graph_options reading;
} inputs;

static void open_inputs(inputs *in, const problem *p)
{
  *in = (inputs){.reading = {.size = sizeof in->reading, .keep_scores = true}};
  ck_ok(
      ms_graph_read(files_write_text("graph.tsv", p->graph_text), &in->reading, &in->graph, &err));
  ck_ok(ms_coloring_read(files_write_text("colors.tsv", p->color_text), in->graph, NULL,
                         &in->coloring, &err));
  ck_ok(ms_motif_parse(p->motif, in->coloring, &in->motif, &err));
  ck_ok(ms_query_new(in->graph, in->coloring, in->motif, 0, NULL, &in->query, &err));
}

static void close_inputs(inputs *in)
{
  ms_query_free(in->query);
  ms_motif_free(in->motif);
  ms_coloring_free(in->coloring);
  ms_graph_free(in->graph);
}

static ms_list_options random_options(uint64_t *seed)
{
  ms_list_options o = MS_LIST_OPTIONS_DEFAULT;
  o.exact = random_below(seed, 4) > 0;
  o.screen.run.threads = 1 + (int)random_below(seed, 3);
  o.sort = random_below(seed, 5);
  if (o.sort && random_below(seed, 3) > 0)
    o.top = 1 + random_below(seed, 6);
  if (random_below(seed, 3) == 0)
    o.min_density = 0.1 * random_below(seed, 11);
  if (random_below(seed, 3) == 0)
    o.min_mean_score = 0.1 * random_below(seed, 6);
  return o;
}

static void check_rows(const problem *p, const ms_list_result *list)
{
  ck_assert_uint_eq(list->matches, p->matches);
  for (uint32_t i = 0; i < p->matches; i++)
    ck_assert_int_eq(memcmp(list->vertices + i * p->k, p->match[i].set, p->k * sizeof(uint32_t)),
                     0);
}

static void verify(const char *path)
{
  ms_verify_report report;
  ck_ok(
      ms_verify_file(path, files_path("graph.tsv"), files_path("colors.tsv"), NULL, &report, &err));
  ck_assert_msg(report.accepted, "%s", report.problem);
  ck_assert(report.recounted && report.missing == 0);
}

/* Stored matches, with all orders, limits and thresholds, are those of 2,000 random cases by brute
 * force, with 1 to 3 threads; the same rows are in a file, which verify accepts, in TSV or JSON. */
START_TEST(lists_are_right)
{
  problem *p = malloc(sizeof *p);
  uint64_t seed = 5, rows = 0;
  ck_assert_ptr_nonnull(p);
  for (uint64_t i = 0; i < scaled(2000); i++) {
    inputs in;
    ms_list_result *list;
    make_problem(p, &seed);
    open_inputs(&in, p);
    ms_list_options o = random_options(&seed);
    choose(p, &o);
    ck_ok(ms_list(in.query, &o, &list, &err));
    check_rows(p, list);
    rows += list->matches;
    ms_list_result_free(list);
    ms_write_options w = {.size = sizeof w,
                          .form = i % 2 ? MS_FORM_JSON : MS_FORM_TSV,
                          .graph = &in.reading,
                          .roles = random_below(&seed, 2),
                          .measures = random_below(&seed, 3)};
    const char *path = files_path("list.out");
    ck_ok(ms_list_to_file(in.query, &o, &w, path, &list, &err));
    ck_assert_uint_eq(list->matches, p->matches);
    ms_list_result_free(list);
    verify(path);
    close_inputs(&in);
  }
  ck_assert_uint_gt(rows, scaled(2000));
  free(p);
}
END_TEST

/* ---- profiles --------------------------------------------------------------------- */

/* Fills profile[n] by the definition; -1: the vertex is in no match with the required vertices. */
static void profile_of(const problem *p, uint32_t required, float *profile)
{
  for (uint32_t v = 0; v < p->n; v++)
    profile[v] = -1;
  for (uint32_t i = 0; i < p->matches; i++) {
    uint32_t set = 0;
    float score = -1;
    for (uint32_t j = 0; j < p->k; j++)
      set |= 1u << p->match[i].set[j];
    if ((set & required) != required)
      continue;
    for (uint32_t v = 0; v < p->n; v++)
      for (uint32_t w = 0; w < v; w++)
        if (p->score[v][w] > score && is_connected(p, set, p->score[v][w]))
          score = p->score[v][w];
    for (uint32_t v = 0; v < p->n; v++)
      if ((set >> v & 1) && score > profile[v])
        profile[v] = score;
  }
}

static void check_profile(const problem *p, const ms_screen_result *r, uint32_t required)
{
  float profile[MOST_N];
  profile_of(p, required, profile);
  ck_assert_uint_eq(r->settled, r->vertices_kept);
  for (uint32_t v = 0; v < p->n; v++) {
    ck_assert((r->hits[v] > 0) == (profile[v] >= 0));
    if (profile[v] >= 0)
      ck_assert(r->score[v] == profile[v]);
  }
}

/* The profile is that of the definition, over all sets and all scores: 2,000 random cases, with 1
 * to 3 threads, half of them with a required vertex; verify accepts the files, in TSV or JSON. */
START_TEST(profiles_are_right)
{
  problem *p = malloc(sizeof *p);
  uint64_t seed = 23, flagged = 0;
  ck_assert_ptr_nonnull(p);
  for (uint64_t i = 0; i < scaled(2000); i++) {
    inputs in;
    ms_screen_result *screen;
    do
      make_problem(p, &seed);
    while (p->k == 1);
    open_inputs(&in, p);
    uint32_t v = random_below(&seed, p->n), asked = random_below(&seed, 2);
    ms_query_free(in.query);
    ck_ok(ms_query_new(in.graph, in.coloring, in.motif, asked,
                       (const char *const[]){ms_graph_name(in.graph, v)}, &in.query, &err));
    ms_screen_options o = MS_SCREEN_OPTIONS_DEFAULT;
    o.method = MS_METHOD_EXACT;
    o.profile = true;
    o.run.threads = 1 + (int)random_below(&seed, 3);
    ck_ok(ms_screen(in.query, &o, &screen, &err));
    check_profile(p, screen, asked ? 1u << v : 0);
    flagged += screen->flagged;
    ms_write_options w = {.size = sizeof w,
                          .form = i % 2 ? MS_FORM_JSON : MS_FORM_TSV,
                          .graph = &in.reading,
                          .all = random_below(&seed, 2)};
    const char *path = files_path("profile.out");
    ck_ok(ms_screen_write(in.query, &o, screen, &w, path, &err));
    ms_screen_result_free(screen);
    verify(path);
    close_inputs(&in);
  }
  ck_assert_uint_gt(flagged, scaled(2000));
  free(p);
}
END_TEST

/* A profile that is stopped after any number of looks at the token has lower bounds, and says so.
 */
START_TEST(stopped_profiles)
{
  problem *p = malloc(sizeof *p);
  uint64_t seed = 29;
  uint32_t stopped = 0;
  ck_assert_ptr_nonnull(p);
  for (uint64_t i = 0; i < scaled(300); i++) {
    inputs in;
    ms_screen_result *screen = NULL;
    float profile[MOST_N];
    do
      make_problem(p, &seed);
    while (p->k == 1);
    open_inputs(&in, p);
    profile_of(p, 0, profile);
    ms_screen_options o = MS_SCREEN_OPTIONS_DEFAULT;
    o.method = MS_METHOD_EXACT;
    o.profile = true;
    o.run.threads = 1;
    ck_ok(ms_stop_new(&o.run.stop, &err));
    ms_stop_after_looks(o.run.stop, random_below(&seed, 60));
    ck_ok(ms_screen(in.query, &o, &screen, &err));
    stopped += screen->run.stopped != MS_OK;
    for (uint32_t v = 0; v < p->n; v++)
      if (screen->hits[v])
        ck_assert(screen->score[v] <= profile[v] &&
                  (screen->run.stopped != MS_OK || screen->score[v] == profile[v]));
    ms_write_options w = {.size = sizeof w, .graph = &in.reading};
    const char *path = files_path("profile.out");
    remove(path); /* an incomplete result would not replace it */
    ck_ok(ms_screen_write(in.query, &o, screen, &w, path, &err));
    ms_verify_report report;
    ck_ok(ms_verify_file(path, files_path("graph.tsv"), files_path("colors.tsv"), NULL, &report,
                         &err));
    ck_assert_msg(report.accepted, "%s", report.problem);
    ms_screen_result_free(screen);
    ms_stop_free(o.run.stop);
    close_inputs(&in);
  }
  ck_assert_uint_gt(stopped, scaled(300) / 10);
  free(p);
}
END_TEST

/* ---- the collector ------------------------------------------------------------------ */

/* The collector keeps the best rows whatever their order and number: 500 random series of rows with
 * few values, against a sorted array. */
START_TEST(best_rows)
{
  uint64_t seed = 11;
  for (uint64_t i = 0; i < scaled(500); i++) {
    uint32_t width = 1 + random_below(&seed, 3), most = random_below(&seed, 40), count;
    uint64_t kept;
    uint32_t *rows;
    int threads = 1 + (int)random_below(&seed, 3);
    ms_best *best;
    ms_budget budget;
    found *all = calloc(300, sizeof *all);
    ck_assert_ptr_nonnull(all);
    ms_budget_open(&budget, (uint64_t)1 << 30);
    ck_ok(ms_best_new(width, most, threads, &budget, &best, &err));
    count = random_below(&seed, 300);
    for (uint32_t r = 0; r < count; r++) {
      all[r].value[1] = random_below(&seed, 8) - 4.0;
      for (uint32_t c = 0; c < width; c++)
        all[r].set[c] = c + 1 < width ? random_below(&seed, 5) : r;
      ck_assert(ms_best_add(best, (int)random_below(&seed, (uint32_t)threads),
                            (float)all[r].value[1], all[r].set));
    }
    order_by = MS_MEASURE_EDGES;
    qsort(all, count, sizeof *all, compare);
    ck_ok(ms_best_finish(best, NULL, &rows, &kept, &err));
    ck_assert_uint_eq(kept, most > 0 && most < count ? most : count);
    for (uint64_t r = 0; r < kept; r++)
      ck_assert_int_eq(memcmp(rows + r * width, all[r].set, width * sizeof *rows), 0);
    ms_free(rows);
    ms_best_free(best);
    free(all);
  }
}
END_TEST

/* The same of rows with the ids of the largest motif, and of the largest pattern with three more:
 * 400 of each, of which the best 200 are kept. */
START_TEST(wide_rows)
{
  static const uint32_t widths[] = {MS_MAX_K, MS_MOST_ROW - 1};
  for (int i = 0; i < 2; i++) {
    uint32_t width = widths[i], row[MS_MOST_ROW], *rows;
    uint64_t kept;
    ms_best *best;
    ck_ok(ms_best_new(width, 200, 1, NULL, &best, &err));
    for (uint32_t r = 0; r < 400; r++) {
      for (uint32_t c = 0; c < width; c++)
        row[c] = r * 7 % 400;
      ck_assert(ms_best_add(best, 0, (float)(r * 7 % 400 / 2), row));
    }
    ck_ok(ms_best_finish(best, NULL, &rows, &kept, &err));
    ck_assert_uint_eq(kept, 200);
    for (uint32_t r = 0; r < kept; r++) /* pairs of one value ascend */
      for (uint32_t c = 0; c < width; c++)
        ck_assert_uint_eq(rows[r * width + c], 398 - r / 2 * 2 + r % 2);
    ms_free(rows);
    ms_best_free(best);
  }
}
END_TEST

/* A collector whose budget is used up keeps what it has. */
START_TEST(best_rows_in_little_memory)
{
  ms_budget budget;
  ms_best *best;
  uint32_t *rows, row[2] = {0};
  uint64_t kept, added = 0;
  ms_budget_open(&budget, 4096);
  ck_ok(ms_best_new(2, 0, 1, &budget, &best, &err));
  for (row[1] = 0; row[1] < 100000 && ms_best_add(best, 0, (float)row[1], row); row[1]++)
    added++;
  ck_assert(ms_best_is_full(best));
  ck_ok(ms_best_finish(best, NULL, &rows, &kept, &err));
  ck_assert_uint_eq(kept, added);
  ck_assert_uint_eq(rows[1], added - 1);
  ms_free(rows);
  ms_best_free(best);
}
END_TEST

/* ---- refusals -------------------------------------------------------------------- */

static void refused(ms_status status, const char *part)
{
  ck_assert_int_eq(status, MS_ERR_USAGE);
  ck_assert_msg(strstr(err.message, part) != NULL, "%s", err.message);
}

/* Options that do not go together, and scores of a graph without them, are refused. */
START_TEST(refusals)
{
  static const struct {
    ms_list_options o;
    const char *part;
  } cases[] = {
      {{.sort = MS_MEASURE_EDGES, .count_only = true}, "`sort` needs each match"},
      {{.min_density = 0.5, .count_only = true, .participation = true},
       "`min_density` needs each match"},
      {{.min_density = 0.5, .exact = true, .sample = 2}, "`sample` chooses matches"},
      {{.top = 3}, "`top` is for sorted matches"},
      {{.sort = MS_MEASURE_EDGES, .limit = 3}, "`limit` ends the search early"},
      {{.min_density = 1.5}, "`min_density` is 1.5; a density is from 0 to 1"},
      {{.min_mean_score = -1}, "`min_mean_score` is -1"},
      {{.sort = MS_MEASURE_MEAN_SCORE}, "`sort` needs the scores of edges"},
      {{.min_mean_score = 0.5}, "`min_mean_score` needs the scores of edges"},
  };
  static const uint32_t edges[][2] = {{0, 1}, {1, 2}}, pairs[][2] = {{0, 0}, {1, 0}, {2, 0}};
  static const char *const red[] = {"red"};
  inputs in;
  ms_list_result *list = NULL;
  ck_ok(ms_graph_from_edges(3, 2, edges, NULL, &in.graph, &err));
  ck_ok(ms_coloring_from_pairs(in.graph, 3, pairs, 1, red, &in.coloring, &err));
  ck_ok(ms_motif_parse("red:2", in.coloring, &in.motif, &err));
  ck_ok(ms_query_new(in.graph, in.coloring, in.motif, 0, NULL, &in.query, &err));
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ms_list_options o = cases[i].o;
    o.size = sizeof o;
    o.screen = (ms_screen_options)MS_SCREEN_OPTIONS_DEFAULT;
    refused(ms_list(in.query, &o, &list, &err), cases[i].part);
  }
  ms_write_options w = {.size = sizeof w, .measures = MS_MEASURES_SCORES};
  refused(ms_list_to_file(in.query, NULL, &w, files_path("no.tsv"), &list, &err),
          "the graph has no scores of edges");
  w.measures = MS_MEASURES_DENSITY;
  w.form = MS_FORM_CX2;
  refused(ms_list_to_file(in.query, NULL, &w, files_path("no.tsv"), &list, &err),
          "measures are for lists of matches");
  ms_screen_options screen = MS_SCREEN_OPTIONS_DEFAULT;
  ms_screen_result *result = NULL;
  screen.profile = true;
  refused(ms_screen(in.query, &screen, &result, &err), "`profile` is found by enumeration");
  screen.method = MS_METHOD_EXACT;
  refused(ms_screen(in.query, &screen, &result, &err), "`profile` needs the scores of edges");
  ms_list_options list_options = MS_LIST_OPTIONS_DEFAULT;
  list_options.screen.profile = true;
  refused(ms_list(in.query, &list_options, &list, &err), "`profile` is for screens");
  ck_assert_ptr_null(fopen(files_path("no.tsv"), "r"));
  close_inputs(&in);
}
END_TEST

TEST_MAIN("measures of matches", TEST(lists_are_right), TEST(profiles_are_right),
          TEST(stopped_profiles), TEST(best_rows), TEST(wide_rows),
          TEST(best_rows_in_little_memory), TEST(refusals))
