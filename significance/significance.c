/* The significance of a census: the census itself, the overlaps of its sets, the motifs that are
 * missing, and a row of numbers for each motif. */
#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/stop.h"
#include "base/threads/threads.h"
#include "base/threads/watch.h"
#include "census/census.h"
#include "graph/colors.h"
#include "motif/sort_rows.h"
#include "parts/log.h"
#include "significance/absent.h"
#include "significance/moments.h"
#include "significance/tails.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define USUAL_EXPECTED 5.0
#define LEAST_EXPECTED 0.1              /* of a motif without a set that has a row */
#define MOST_UNSEEN (UINT64_C(1) << 22) /* motifs that are expected often enough for q_less */

typedef struct work {
  ms_census_options census_options;
  ms_significance_options options;
  ms_census_graph *graph;
  ms_census_result *census;
  ms_significance *out;
  ms_budget budget;
  uint64_t *holders; /* [graph->colors] vertices of each colour */
  uint32_t *number;  /* [colours of the colouring] that of the census graph */
  ms_overlaps overlaps;
  ms_moment_maker maker;
  ms_watch watch;
  double *error; /* [count] relative standard errors */
  /* motifs without a set and without a row, whose p_less is below 1 by more than a little */
  uint32_t *unseen;   /* [n_unseen][k] */
  double *unseen_p;   /* [n_unseen] p_less */
  double unseen_mean; /* they are expected at least so often */
  uint64_t n_unseen;
} work;

/* ---- options -------------------------------------------------------------------------- */

static ms_status check_options(ms_significance_options *o, ms_error *err)
{
  o->min_expected = o->min_expected == 0 ? USUAL_EXPECTED : o->min_expected;
  if (!(o->min_expected >= LEAST_EXPECTED))
    return ms_fail(err, MS_ERR_USAGE,
                   "`min_expected` must be at least 0.1: too many motifs are expected less often");
  if (o->samples > 0 && o->moments == MS_MOMENTS_EXACT)
    return ms_fail(err, MS_ERR_USAGE,
                   "`samples` is for sampled moments, and `moments` asks for exact ones; leave one "
                   "out");
  return MS_OK;
}

static ms_status check_kinds(const ms_census_graph *g, ms_error *err)
{
  if (g->single)
    return MS_OK;
  return ms_fail(err, MS_ERR_USAGE,
                 "some vertices have several colours, for which means and variances have no exact "
                 "formula; keep one colour of each vertex by `primary`, choose colours of which no "
                 "vertex has two by `only`, or use `permutations` instead, which move whole lists "
                 "of colours");
}

/* ---- rows ----------------------------------------------------------------------------- */

/* Makes room for more rows in the census, without numbers of sets. */
static ms_status add_absent(work *w, const ms_motif_list *list, const uint64_t *place,
                            uint64_t count, ms_error *err)
{
  ms_census_result *r = w->census;
  uint64_t all = r->count + count, k = r->k;
  uint32_t *color = ms_resize(r->color, r->count * k, all * k, sizeof *color);
  if (!color)
    return ms_fail_memory(err, "the motifs of a census");
  r->color = color;
  uint64_t *sets = ms_resize(r->n_sets, r->count, all, sizeof *sets);
  if (!sets)
    return ms_fail_memory(err, "the motifs of a census");
  r->n_sets = sets;
  for (uint64_t i = 0; i < count; i++) {
    memcpy(color + (r->count + i) * k, list->color + place[i] * k, k * sizeof *color);
    sets[r->count + i] = 0;
  }
  r->count = all;
  w->out->absent = count;
  return MS_OK;
}

/* Sets place[] to the motifs of the list that no set of the census fits, and returns their number:
 * both are walked through in the order of their colours. */
static uint64_t find_absent(const ms_motif_list *list, const uint32_t *present, uint64_t motifs,
                            uint32_t k, uint64_t *place)
{
  uint64_t absent = 0, next = 0;
  for (uint64_t i = 0; i < list->count; i++) {
    const uint32_t *row = list->color + i * k;
    int order = 1;
    for (; next < motifs; next++) {
      order = 0;
      for (uint32_t j = 0; j < k && order == 0; j++)
        order = present[next * k + j] < row[j] ? -1 : present[next * k + j] > row[j];
      if (order >= 0)
        break;
    }
    if (next == motifs || order > 0)
      place[absent++] = i;
  }
  return absent;
}

static uint32_t count_classes(const work *w, const uint32_t *color,
                              ms_color_class class_[MS_MAX_CENSUS])
{
  uint32_t classes = 0;
  for (uint32_t j = 0; j < w->census->k; j++) {
    if (j > 0 && color[j] == color[j - 1])
      class_[classes - 1].slots++;
    else
      class_[classes++] = (ms_color_class){1, w->holders[w->number[color[j]]]};
  }
  return classes;
}

/* Lists the motifs whose p_less counts for q_less if they have no set: all that are expected at
 * least 0.1 times, or, if these are too many, twice as often, and so on.  This does not depend on
 * min_expected. */
static ms_status list_expected(work *w, ms_motif_list *list, ms_error *err)
{
  const ms_census_graph *g = w->graph;
  for (w->unseen_mean = LEAST_EXPECTED;; w->unseen_mean *= 2) {
    MS_TRY(ms_list_expected(&w->overlaps, w->holders, g->colors, w->unseen_mean, MOST_UNSEEN,
                            &w->budget, list, err));
    if (!list->full)
      break;
    ms_budget_release(&w->budget, list->room * w->census->k * sizeof *list->color);
    ms_free(list->color);
    list->color = NULL;
  }
  if (w->unseen_mean <= w->options.min_expected)
    return MS_OK;
  /* rows of motifs that are expected less often */
  ms_free(list->color);
  return ms_list_expected(&w->overlaps, w->holders, g->colors, w->options.min_expected, UINT64_MAX,
                          &w->budget, list, err);
}

/* Moves the motifs at place[] that are expected too rarely for a row to w->unseen, and returns the
 * number of the others. */
static ms_status keep_unseen(work *w, const ms_motif_list *list, uint64_t *place, uint64_t *count,
                             ms_error *err)
{
  uint64_t kept = 0, k = w->census->k;
  w->unseen = ms_alloc(*count * k, sizeof *w->unseen);
  if (!w->unseen)
    return ms_fail_memory(err, "the motifs without sets");
  for (uint64_t i = 0; i < *count; i++) {
    ms_color_class class_[MS_MAX_CENSUS];
    const uint32_t *color = list->color + place[i] * k;
    uint32_t classes = count_classes(w, color, class_);
    if (ms_moments_mean(&w->overlaps, class_, classes) >= w->options.min_expected)
      place[kept++] = place[i];
    else
      memcpy(w->unseen + w->n_unseen++ * k, color, k * sizeof *color);
  }
  *count = kept;
  return MS_OK;
}

/* Puts the motifs that were expected and do not occur behind the others. */
static ms_status append_absent(work *w, ms_error *err)
{
  const ms_census_graph *g = w->graph;
  ms_census_result *r = w->census;
  ms_motif_list list = {0};
  ms_status status = list_expected(w, &list, err);
  uint64_t *place = ms_alloc(list.count, sizeof *place);
  uint32_t *present = ms_alloc(r->count * r->k, sizeof *present);
  if (status == MS_OK && (!place || !present))
    status = ms_fail_memory(err, "the motifs of a census");
  if (status == MS_OK) {
    for (uint64_t i = 0; i < list.count * r->k; i++)
      list.color[i] = g->color[list.color[i]];
    memcpy(present, r->color, r->count * r->k * sizeof *present);
    ms_sort_rows(present, r->count, r->k, NULL);
    uint64_t count = find_absent(&list, present, r->count, r->k, place);
    status = keep_unseen(w, &list, place, &count, err);
    if (status == MS_OK && count > 0)
      status = add_absent(w, &list, place, count, err);
  }
  ms_free(list.color);
  ms_free(place);
  ms_free(present);
  return status;
}

/* Computes rows; a range of ms_watch_loop. */
static void fill_rows(void *user, ms_range range)
{
  work *w = user;
  const ms_census_result *r = w->census;
  ms_significance *out = w->out;
  for (uint64_t i = range.begin; i < range.end; i++) {
    const uint32_t *color = r->color + i * r->k;
    ms_color_class class_[MS_MAX_CENSUS];
    ms_moments moments;
    ms_tails tails;
    uint32_t classes = count_classes(w, color, class_);
    ms_moments_of(&w->maker, class_, classes, &moments);
    ms_tails_of(&moments, r->n_sets[i], &tails);
    out->expected[i] = moments.mean;
    out->sd[i] = sqrt(moments.variance);
    out->z[i] = tails.z;
    out->p[i] = tails.p;
    out->p_less[i] = tails.p_less;
    out->p_by[i] = tails.by;
    w->error[i] = moments.variance > 0 ? moments.variance_error / moments.variance / 2 : 0;
  }
}

/* Computes p_less of motifs without a row; a range of ms_watch_loop. */
static void fill_unseen(void *user, ms_range range)
{
  work *w = user;
  for (uint64_t i = range.begin; i < range.end; i++) {
    ms_color_class class_[MS_MAX_CENSUS];
    ms_moments moments;
    ms_tails tails;
    uint32_t classes = count_classes(w, w->unseen + i * w->census->k, class_);
    ms_moments_of(&w->maker, class_, classes, &moments);
    ms_tails_of(&moments, 0, &tails);
    w->unseen_p[i] = tails.p_less;
  }
}

/* Fills q_less.  Motifs without a set count with their p_less, whether they have a row or not, if
 * they are expected at least unseen_mean times, else as 1. */
static ms_status adjust_less(work *w, ms_error *err)
{
  const ms_significance *out = w->out;
  uint64_t count = out->count, all = count + w->n_unseen;
  double *p = ms_alloc(all, sizeof *p), *q = ms_alloc(all, sizeof *q);
  ms_status status = p && q ? MS_OK : ms_fail_memory(err, "the significance of motifs");
  if (status == MS_OK) {
    for (uint64_t i = 0; i < all; i++)
      p[i] = i < count ? out->p_less[i] : w->unseen_p[i - count];
    for (uint64_t i = 0; i < count; i++)
      if (w->census->n_sets[i] == 0 && out->expected[i] < w->unseen_mean)
        p[i] = 1;
    status = ms_adjust_p(p, all, (double)out->tests, q, err);
  }
  if (status == MS_OK && count > 0)
    memcpy(out->q_less, q, count * sizeof *q);
  ms_free(p);
  ms_free(q);
  return status;
}

static ms_status allocate_rows(work *w, ms_error *err)
{
  ms_significance *out = w->out;
  uint64_t count = w->census->count;
  double **column[] = {&out->expected, &out->sd,     &out->z,      &out->p,
                       &out->q,        &out->p_less, &out->q_less, &w->error};
  for (size_t i = 0; i < sizeof column / sizeof *column; i++) {
    *column[i] = ms_alloc(count, sizeof **column[i]);
    if (!*column[i])
      return ms_fail_memory(err, "the significance of motifs");
  }
  out->p_by = ms_alloc(count, sizeof *out->p_by);
  w->unseen_p = ms_alloc(w->n_unseen, sizeof *w->unseen_p);
  if (!out->p_by || !w->unseen_p)
    return ms_fail_memory(err, "the significance of motifs");
  out->count = count;
  return MS_OK;
}

static ms_status make_rows(work *w, ms_error *err)
{
  ms_significance *out = w->out;
  MS_TRY(allocate_rows(w, err));
  ms_moment_maker_open(&w->maker, &w->overlaps);
  ms_watch_begin(&w->watch);
  ms_watch_loop(&w->watch, ms_threads(w->census_options.run.threads), out->count, 64, fill_rows, w);
  MS_TRY(ms_watch_report(&w->watch, "the significance of motifs is computed", err));
  ms_watch_begin(&w->watch);
  ms_watch_loop(&w->watch, ms_threads(w->census_options.run.threads), w->n_unseen, 64, fill_unseen,
                w);
  MS_TRY(ms_watch_report(&w->watch, "the significance of motifs is computed", err));
  for (uint64_t i = 0; i < out->count; i++)
    out->error = w->error[i] > out->error ? w->error[i] : out->error;
  MS_TRY(ms_adjust_p(out->p, out->count, (double)out->tests, out->q, err));
  return adjust_less(w, err);
}

/* Leaves the rows that `min_count` and `top` choose, which are the first ones. */
static void choose_rows(work *w)
{
  const ms_census_options *o = &w->census_options;
  ms_census_result *r = w->census;
  uint64_t count = r->count;
  while (count > 0 && r->n_sets[count - 1] < o->min_count)
    count--;
  if (o->top > 0 && count > o->top)
    count = o->top;
  r->count = w->out->count = count;
  for (w->out->absent = 0; w->out->absent < count && r->n_sets[count - 1 - w->out->absent] == 0;)
    w->out->absent++;
}

/* ---- the run -------------------------------------------------------------------------- */

static ms_status count_holders(work *w, const ms_coloring *coloring, ms_error *err)
{
  const ms_census_graph *g = w->graph;
  w->holders = ms_calloc(g->colors, sizeof *w->holders);
  w->number = ms_calloc(ms_names_count(coloring->names), sizeof *w->number);
  if (!w->holders || !w->number)
    return ms_fail_memory(err, "the colours of a census");
  for (uint32_t v = 0; v < g->n; v++)
    w->holders[g->kind[v]]++;
  for (uint32_t c = 0; c < g->colors; c++)
    w->number[g->color[c]] = c;
  return MS_OK;
}

/* Writes a number in decimal. */
static void write_overlap(ms_signed128 value, char text[MS_OVERLAP_BYTES])
{
  char digits[MS_OVERLAP_BYTES];
  bool negative = value < 0;
  ms_count128 rest = negative ? -(ms_count128)value : (ms_count128)value;
  size_t at = sizeof digits, length;
  do
    digits[--at] = (char)('0' + (int)(rest % 10));
  while ((rest /= 10) > 0);
  if (negative)
    digits[--at] = '-';
  length = sizeof digits - at;
  memcpy(text, digits + at, length);
  text[length] = '\0';
}

static ms_status count_overlaps(work *w, ms_error *err)
{
  const ms_census_options *o = &w->census_options;
  ms_significance *out = w->out;
  ms_overlaps_options overlaps = {.k = o->k,
                                  .which = w->options.moments,
                                  .sets = w->census->sets,
                                  .samples = w->options.samples,
                                  .seed = w->options.seed,
                                  .run = o->run,
                                  .budget = &w->budget};
  ms_signed128 pairs[MS_MAX_CENSUS + 1];
  MS_TRY(ms_overlaps_count(w->graph, &overlaps, &w->overlaps, err));
  if (w->overlaps.sets != w->census->sets)
    return ms_fail(err, MS_ERR_INTERNAL, "two counts of connected sets differ: %llu and %llu",
                   (unsigned long long)w->overlaps.sets, (unsigned long long)w->census->sets);
  ms_overlaps_pairs(&w->overlaps, pairs);
  for (uint32_t i = 0; i <= o->k; i++)
    write_overlap(pairs[i], out->overlap[i]);
  out->most = w->overlaps.most;
  out->exact = w->overlaps.exact;
  out->samples = w->overlaps.samples;
  return MS_OK;
}

static ms_status run(work *w, const ms_graph *graph, const ms_coloring *coloring, ms_error *err)
{
  ms_census_options all = w->census_options;
  ms_significance *out = w->out;
  all.min_count = all.top = 0; /* all motifs are tests */
  MS_TRY(ms_census_graph_new(graph, coloring, &all, &w->graph, err));
  MS_TRY(check_kinds(w->graph, err));
  MS_TRY(ms_census(graph, coloring, &all, &w->census, err));
  if (w->census->run.stopped != MS_OK)
    return w->census->run.stopped;
  double begin = ms_seconds();
  MS_TRY(count_holders(w, coloring, err));
  MS_TRY(count_overlaps(w, err));
  out->tests = ms_count_motifs(w->holders, w->graph->colors, w->census->k);
  MS_TRY(append_absent(w, err));
  MS_TRY(make_rows(w, err));
  choose_rows(w);
  out->bytes = w->budget.peak;
  out->time = ms_seconds() - begin;
  return MS_OK;
}

void ms_significance_free(ms_significance *s)
{
  if (s) {
    ms_free(s->expected);
    ms_free(s->sd);
    ms_free(s->z);
    ms_free(s->p);
    ms_free(s->q);
    ms_free(s->p_less);
    ms_free(s->q_less);
    ms_free(s->p_by);
    ms_free(s);
  }
}

/* Makes a result that says that the run was stopped, and has no motifs. */
static ms_status stop_result(work *w, ms_status stopped, ms_error *err)
{
  if (!w->census)
    w->census = ms_calloc(1, sizeof *w->census);
  if (!w->census)
    return ms_fail_memory(err, "the result of a census");
  w->census->k = w->census_options.k;
  w->census->sets = w->census->motifs = w->census->count = 0;
  w->census->run.stopped = stopped;
  w->out->count = w->out->absent = 0;
  w->out->run.stopped = stopped;
  memset(w->out->overlap, 0, sizeof w->out->overlap);
  return MS_OK;
}

static void close_work(work *w)
{
  ms_census_graph_free(w->graph);
  ms_free(w->holders);
  ms_free(w->number);
  ms_free(w->error);
  ms_free(w->unseen);
  ms_free(w->unseen_p);
}

ms_status ms_census_significance(const ms_graph *graph, const ms_coloring *coloring,
                                 const ms_census_options *census_options,
                                 const ms_significance_options *options, ms_census_result **census,
                                 ms_significance **out, ms_error *err)
{
  work w = {0};
  MS_REQUIRE(census, err);
  MS_REQUIRE(out, err);
  *census = NULL;
  *out = NULL;
  MS_REQUIRE(graph, err);
  MS_REQUIRE(coloring, err);
  MS_TRY(ms_options_take(&ms_census_options_kind, census_options, &w.census_options, err));
  MS_TRY(ms_options_take(&ms_significance_options_kind, options, &w.options, err));
  MS_TRY(ms_census_complete(&w.census_options, err));
  MS_TRY(ms_census_refuse_shapes(&w.census_options, "significance by formulas", err));
  const ms_division *division = w.census_options.run.division;
  if (division && division->parts > 0)
    return ms_division_refuse_part("a census with significance", err);
  MS_TRY(check_options(&w.options, err));
  MS_TRY(ms_coloring_check(coloring, graph, err));
  w.out = ms_calloc(1, sizeof *w.out);
  if (!w.out)
    return ms_fail_memory(err, "the significance of a census");
  w.out->k = w.census_options.k;
  w.out->seed = w.options.seed;
  w.out->min_expected = w.options.min_expected;
  ms_budget_open(&w.budget, w.census_options.run.memory);
  ms_stop *before = ms_stop_enter(w.census_options.run.stop);
  ms_status status = run(&w, graph, coloring, err);
  ms_stop_leave(before);
  close_work(&w);
  if (status == MS_ERR_INTERRUPTED || status == MS_ERR_LIMIT)
    status = stop_result(&w, status, err);
  if (status == MS_OK) {
    *census = w.census;
    *out = w.out;
  } else {
    ms_census_result_free(w.census);
    ms_significance_free(w.out);
  }
  return status;
}
