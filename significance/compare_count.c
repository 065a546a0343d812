/* The motifs of all samples: colours are matched by name, each sample has a census, and the motifs
 * are put together. */
#include "base/alloc.h"
#include "base/ascending.h"
#include "base/forecast.h"
#include "base/progress.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "census/census.h"
#include "graph/colors.h"
#include "graph/graph.h"
#include "graph/names.h"
#include "significance/compare.h"

#include <stdlib.h>
#include <string.h>

/* ---- colours ------------------------------------------------------------------------ */

/* Makes the table of all colours, in the order of the samples, as a colouring without pairs. */
static ms_status join_colors(ms_comparing *c, uint32_t **map, ms_error *err)
{
  ms_names *names;
  ms_coloring *all = NULL;
  MS_TRY(ms_names_new(&names, err));
  ms_status status = MS_OK;
  for (uint32_t s = 0; s < c->n && status == MS_OK; s++) {
    const ms_coloring *own = ms_samples_get(c->samples, s).coloring;
    uint32_t count = ms_names_count(own->names);
    map[s] = ms_alloc(count, sizeof **map);
    status = map[s] ? MS_OK : ms_fail_memory(err, "the colours of samples");
    for (uint32_t i = 0; i < count && status == MS_OK; i++) {
      const char *name = ms_coloring_name(own, i);
      status = ms_names_add(names, name, strlen(name), &map[s][i], err);
    }
  }
  if (status != MS_OK) {
    ms_names_free(names);
    return status;
  }
  status = ms_coloring_build(0, 0, NULL, names, NULL, NULL, &all, err);
  c->out->colors = all;
  return status;
}

/* Fills counts[colours] with 1 for the colours that count. */
static ms_status mark_colors(const ms_comparing *c, uint8_t *counts, ms_error *err)
{
  const ms_compare_options *o = c->options;
  memset(counts, o->n_only == 0, ms_names_count(c->out->colors->names));
  for (uint32_t i = 0; i < o->n_only; i++) {
    uint32_t color = ms_names_find(c->out->colors->names, o->only[i], strlen(o->only[i]));
    if (color == MS_NO_ID)
      return ms_fail(err, MS_ERR_USAGE, "no sample has the colour '%.*s' of `only`",
                     ms_name_clip(o->only[i], strlen(o->only[i])), o->only[i]);
    counts[color] = 1;
  }
  return MS_OK;
}

/* Makes the colouring of a sample with the numbers of all samples. */
static ms_status recolor(ms_comparing *c, uint32_t s, const uint32_t *map, const uint8_t *counts,
                         uint32_t n_colors, const char *const *names, ms_error *err)
{
  const ms_sample_info sample = ms_samples_get(c->samples, s);
  const ms_coloring *own = sample.coloring;
  uint32_t list_room = ms_names_count(own->names), n = sample.graph->n;
  uint32_t(*pair)[2] = ms_alloc(own->offset[n], sizeof *pair);
  uint32_t *list = ms_alloc(list_room, sizeof *list);
  uint64_t pairs = 0;
  ms_status status = pair && list ? MS_OK : ms_fail_memory(err, "the colours of samples");
  for (uint32_t v = 0; v < n && status == MS_OK; v++) {
    uint32_t count = 0;
    for (uint64_t i = own->offset[v]; i < own->offset[v + 1]; i++)
      if (counts[map[own->color[i]]])
        list[count++] = map[own->color[i]];
    if (count > 1)
      qsort(list, count, sizeof *list, ms_compare_ids);
    count = c->options->primary && count > 1 ? 1 : count;
    c->single = c->single && count <= 1;
    c->out->vertices[s] += count > 0;
    for (uint32_t i = 0; i < count; i++) {
      pair[pairs][0] = v;
      pair[pairs++][1] = list[i];
    }
  }
  if (status == MS_OK)
    status = ms_coloring_from_pairs(sample.graph, pairs, (const uint32_t(*)[2])pair, n_colors,
                                    names, &c->each[s].coloring, err);
  c->each[s].graph = sample.graph;
  ms_free(pair);
  ms_free(list);
  return status;
}

static ms_status recolor_all(ms_comparing *c, uint32_t *const *map, ms_error *err)
{
  uint32_t n_colors = ms_names_count(c->out->colors->names);
  uint8_t *counts = ms_alloc(n_colors, sizeof *counts);
  const char **names = ms_alloc(n_colors, sizeof *names);
  ms_status status = counts && names ? MS_OK : ms_fail_memory(err, "the colours of samples");
  for (uint32_t i = 0; names && i < n_colors; i++)
    names[i] = ms_coloring_name(c->out->colors, i);
  if (status == MS_OK)
    status = mark_colors(c, counts, err);
  c->single = true;
  for (uint32_t s = 0; s < c->n && status == MS_OK; s++)
    status = recolor(c, s, map[s], counts, n_colors, names, err);
  ms_free(counts);
  ms_free(names);
  return status;
}

static ms_status make_colorings(ms_comparing *c, ms_error *err)
{
  uint32_t **map = ms_calloc(c->n, sizeof *map);
  ms_status status = map ? join_colors(c, map, err) : ms_fail_memory(err, "the colours of samples");
  if (status == MS_OK)
    status = recolor_all(c, map, err);
  for (uint32_t s = 0; map && s < c->n; s++)
    ms_free(map[s]);
  ms_free(map);
  return status;
}

/* ---- motifs ------------------------------------------------------------------------- */

/* The sets of a motif in a sample, or in all. */
typedef struct entry {
  uint32_t color[MS_MAX_CENSUS]; /* [k] ascending, then zeros */
  uint32_t sample;
  uint64_t sets, place;
} entry;

static int by_colors(const void *a, const void *b)
{
  const entry *x = a, *y = b;
  for (uint32_t i = 0; i < MS_MAX_CENSUS; i++)
    if (x->color[i] != y->color[i])
      return x->color[i] < y->color[i] ? -1 : 1;
  return x->sample < y->sample ? -1 : x->sample > y->sample;
}

/* By falling numbers, then by colours. */
static int by_sets(const void *a, const void *b)
{
  const entry *x = a, *y = b;
  if (x->sets != y->sets)
    return x->sets < y->sets ? 1 : -1;
  return by_colors(a, b);
}

static bool same_motif(const entry *x, const entry *y)
{
  return memcmp(x->color, y->color, sizeof x->color) == 0;
}

/* Puts the sums of each motif in front, and returns the number of motifs. */
static uint64_t sum_motifs(const entry *all, uint64_t count, entry *motif)
{
  uint64_t motifs = 0;
  for (uint64_t i = 0; i < count; i++) {
    if (i == 0 || !same_motif(&all[i], &all[i - 1])) {
      motif[motifs] = all[i];
      motif[motifs].sample = 0;
      motif[motifs].place = motifs; /* in the order of colours */
      motif[motifs++].sets = 0;
    }
    uint64_t *sum = &motif[motifs - 1].sets;
    if (__builtin_add_overflow(*sum, all[i].sets, sum))
      *sum = UINT64_MAX;
  }
  return motifs;
}

/* Fills the tables of the result from all numbers, which are in the order of colours. */
static ms_status fill_tables(ms_comparing *c, const entry *all, uint64_t count, entry *motif,
                             ms_error *err)
{
  ms_comparison *out = c->out;
  uint64_t motifs = sum_motifs(all, count, motif);
  out->color = ms_alloc(motifs * out->k, sizeof *out->color);
  out->n_sets = ms_calloc(motifs * c->n, sizeof *out->n_sets);
  c->by_color = ms_alloc(motifs, sizeof *c->by_color);
  if (!out->color || !out->n_sets || !c->by_color)
    return ms_fail_memory(err, "the motifs of samples");
  if (motifs > 0)
    qsort(motif, motifs, sizeof *motif, by_sets);
  for (uint64_t m = 0; m < motifs; m++) {
    c->by_color[motif[m].place] = m;
    memcpy(out->color + m * out->k, motif[m].color, out->k * sizeof *out->color);
  }
  uint64_t place = 0;
  for (uint64_t i = 0; i < count; i++) {
    place += i > 0 && !same_motif(&all[i], &all[i - 1]);
    out->n_sets[c->by_color[place] * c->n + all[i].sample] = all[i].sets;
  }
  out->motifs = motifs;
  return MS_OK;
}

static ms_status join_motifs(ms_comparing *c, ms_census_result *const *census, ms_error *err)
{
  uint64_t count = 0;
  for (uint32_t s = 0; s < c->n; s++)
    count += census[s]->count;
  entry *all = ms_alloc(count, sizeof *all), *motif = ms_alloc(count, sizeof *motif);
  ms_status status = all && motif ? MS_OK : ms_fail_memory(err, "the motifs of samples");
  count = 0;
  for (uint32_t s = 0; s < c->n && status == MS_OK; s++)
    for (uint64_t i = 0; i < census[s]->count; i++) {
      entry *e = &all[count++];
      *e = (entry){.sample = s, .sets = census[s]->n_sets[i]};
      memcpy(e->color, census[s]->color + i * c->out->k, c->out->k * sizeof *e->color);
    }
  if (status == MS_OK && count > 0)
    qsort(all, count, sizeof *all, by_colors);
  if (status == MS_OK)
    status = fill_tables(c, all, count, motif, err);
  ms_free(all);
  ms_free(motif);
  return status;
}

/* ---- censuses ----------------------------------------------------------------------- */

static ms_status fail_empty(const ms_comparing *c, uint32_t s, ms_error *err)
{
  return ms_fail(err, MS_ERR_INPUT,
                 "sample '%s' has no connected set of %u vertices with colours that count, and so "
                 "no shares of sets; leave it out, or lower `k`",
                 ms_samples_get(c->samples, s).name, c->out->k);
}

/* ---- how long the censuses take ------------------------------------------------------- */

#define SETS_A_SECOND 1e7 /* that a thread counts */
#define LEAST_SECONDS 1.0 /* of censuses that are sampled */

/* The census of the sample with the most sets, for all of them. */
typedef struct sampled {
  ms_census_job *job;
  double samples; /* as many of it have all sets */
} sampled;

/* Counts a part of the sets, and forgets them; an ms_forecast_part_fn. */
static ms_status sample_part(void *user, uint32_t parts, ms_stop *stop, ms_error *err)
{
  const sampled *p = user;
  double units = parts / p->samples; /* of which one is counted */
  uint32_t step = units > 1 ? (uint32_t)(units + 0.5) : 1;
  const ms_share share = ms_share_of_part(step / 2 + 1, step);
  (void)stop; /* it is that of the thread */
  for (uint32_t times = units < 1 ? (uint32_t)(1 / units + 0.5) : 1; times > 0; times--) {
    ms_census_rows rows;
    uint64_t sets;
    MS_TRY(ms_census_job_run(p->job, &share, &rows, &sets, err));
    ms_free(rows.row);
  }
  return MS_OK;
}

/* Returns about how many sets a sample has at most. */
static double bound_sets(const ms_comparing *c, uint32_t s)
{
  const ms_graph *g = c->each[s].graph;
  const uint64_t *colors = c->each[s].coloring->offset;
  double sets = 0;
  for (uint32_t v = 0; v < g->n; v++)
    if (colors[v + 1] > colors[v])
      sets += pow((double)(g->offset[v + 1] - g->offset[v]), c->out->k - 1);
  return sets;
}

/* Says how long the censuses take, if that may be long. */
static void forecast(const ms_comparing *c, const ms_census_options *census)
{
  const ms_compare_options *o = c->options;
  ms_census_options options = *census;
  ms_forecast_kind kind;
  ms_error err;
  uint32_t largest = 0;
  double all = 0, most = 0;
  if (!ms_progress_wants_forecast(&o->run) || c->gpus->may_have_devices())
    return;
  for (uint32_t s = 0; s < c->n; s++) {
    double sets = bound_sets(c, s);
    all += sets;
    largest = sets > most ? s : largest;
    most = sets > most ? sets : most;
  }
  if (all / SETS_A_SECOND / ms_threads(o->run.threads) < LEAST_SECONDS)
    return;
  sampled p = {.samples = all / most};
  options.run.stop = NULL; /* that of the thread holds */
  if (ms_census_job_open(c->gpus, c->each[largest].graph, c->each[largest].coloring, &options,
                         &p.job, &err) != MS_OK)
    return;
  double units = (double)ms_census_job_units(p.job) * p.samples;
  double seconds = ms_forecast_by_parts((uint64_t)units, sample_part, &p, o->run.stop, &kind);
  ms_progress_forecast(&o->run, "counting the sets of all samples", seconds, kind);
  ms_census_job_close(p.job);
}

static ms_status count_samples(ms_comparing *c, ms_census_result **census, ms_error *err)
{
  const ms_compare_options *o = c->options;
  ms_census_options run = MS_CENSUS_OPTIONS_DEFAULT;
  run.k = c->out->k;
  run.run = o->run;
  run.run.progress = NULL;
  run.run.seed = 0;
  forecast(c, &run);
  for (uint32_t s = 0; s < c->n; s++) {
    MS_TRY(
        ms_census_by(c->gpus, c->each[s].graph, c->each[s].coloring, &run, NULL, &census[s], err));
    c->out->run.stopped = census[s]->run.stopped;
    if (c->out->run.stopped != MS_OK)
      return MS_OK;
    if (census[s]->sets == 0)
      return fail_empty(c, s, err);
    c->out->sets[s] = census[s]->sets;
    c->each[s].sets = (double)census[s]->sets;
    c->each[s].visits = census[s]->visits;
    c->each[s].bytes = census[s]->bytes;
    ms_limits_report(&o->run, "samples counted", s + 1, c->n);
  }
  ms_progress_forecast(&o->run, "", 0, MS_FORECAST_ABOUT);
  return join_motifs(c, census, err);
}

ms_status ms_compare_count(ms_comparing *c, ms_error *err)
{
  ms_census_result **census = ms_calloc(c->n, sizeof *census);
  if (!census)
    return ms_fail_memory(err, "the censuses of samples");
  ms_status status = make_colorings(c, err);
  if (status == MS_OK)
    status = count_samples(c, census, err);
  for (uint32_t s = 0; s < c->n; s++)
    ms_census_result_free(census[s]);
  ms_free(census);
  return status;
}
