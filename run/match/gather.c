#include "run/match/gather.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "base/philox.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "graph/inside.h"
#include "graph/vertex_scores.h"
#include "motif/best/best.h"
#include "motif/sort_rows.h"
#include "run/match/match_rows.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* What one thread at a time adds to. */
typedef struct tray {
  struct tray *next; /* of those that no thread has */
  uint64_t matches;
  uint64_t *taken; /* [vertices][positions] of a participation; else NULL */
} tray;

struct ms_gather {
  ms_match_run *m;
  ms_match_lister *list;
  const ms_participation *shape; /* of a participation: its numbers are not used; else NULL */
  ms_best *best;                 /* of a sample and of sorted rows: a heap for each tray */
  pthread_mutex_t lock;
  pthread_cond_t returned;
  tray *all, *idle; /* all[trays] */
  uint32_t trays, most;
  uint64_t reserved; /* bytes of the budget */
  bool lacks_memory; /* for the first tray */
};

/* Words before a row in `best`. */
#define SAMPLE_WORDS 3u
#define SUM_WORDS 1u

bool ms_match_gathers(const ms_pattern_options *o)
{
  return o->participation || o->sample > 0 || o->sort;
}

static ms_status check_rows(const ms_pattern_options *o, ms_error *err)
{
  const char *given = o->sample > 0      ? "sample"
                      : o->sort          ? "sort"
                      : o->top > 0       ? "top"
                      : o->vertex_scores ? "vertex_scores"
                                         : NULL;
  if (!given)
    return MS_OK;
  MS_TRY(ms_check_sorting(given, o->count_only, o->sort, o->top, o->vertex_scores, err));
  if (o->sample > 0 && o->sort)
    return ms_fail(err, MS_ERR_USAGE,
                   "`sample` draws matches without looking at their measures; leave out `sort`");
  if (o->sample > INT64_MAX)
    return ms_fail(err, MS_ERR_USAGE, "`sample` is greater than 2^63-1; choose a smaller number");
  if (o->sample > 0 && o->screen_mode == MS_SCREEN_ALWAYS)
    return ms_fail(err, MS_ERR_USAGE,
                   "`sample` chooses from all matches, none of which may be missed; leave out "
                   "`MS_SCREEN_ALWAYS`");
  if (o->limit > 0 && ms_match_gathers(o))
    return ms_fail(err, MS_ERR_USAGE,
                   "`limit` ends the search early, and `%s` needs all matches; %s", given,
                   o->sort ? "give `top` in place of `limit`" : "leave one out");
  return o->screen.run.division
             ? ms_division_refuse(o->screen.run.division, "a list of chosen or sorted matches", err)
             : MS_OK;
}

ms_status ms_gather_check_graph(const ms_pattern_options *o, const ms_graph *graph, ms_error *err)
{
  if ((o->sort == MS_MEASURE_MEAN_SCORE || o->sort == MS_MEASURE_LEAST_SCORE) &&
      !ms_graph_scored(graph))
    return ms_fail(err, MS_ERR_USAGE,
                   "`sort` needs the scores of edges, and the graph has none; read it with "
                   "`keep_scores`");
  if (o->vertex_scores && o->vertex_scores->n != graph->n)
    return ms_fail(err, MS_ERR_USAGE,
                   "`vertex_scores` are for %u vertices, but the graph has %u; read the scores for "
                   "this graph",
                   o->vertex_scores->n, graph->n);
  return MS_OK;
}

ms_status ms_gather_take(ms_pattern_options *o, ms_error *err)
{
  if (o->by_position && !o->participation)
    return ms_fail(err, MS_ERR_USAGE,
                   "`by_position` tells apart the numbers of a participation; set `participation`, "
                   "or leave it out");
  if (o->participation && (!o->count_only || o->limit > 0))
    return ms_fail(
        err, MS_ERR_USAGE,
        "`participation` is for counts of all matches; set count_only, and `limit` to 0");
  if (o->participation && o->screen.run.division)
    return ms_division_refuse(o->screen.run.division, "a count of the matches of each vertex", err);
  MS_TRY(check_rows(o, err));
  if (ms_match_gathers(o) && o->screen_mode == MS_SCREEN_AUTO)
    o->screen_mode = MS_SCREEN_NEVER; /* its bound of what is missed would be the price of time */
  return MS_OK;
}

ms_status ms_gather_check_result(const ms_pattern_options *o, const ms_participation *p, uint32_t n,
                                 ms_error *err)
{
  if (!o->participation ||
      (p && p->vertices == n && p->positions >= 1 && p->positions <= MS_MAX_PATTERN && p->matches))
    return MS_OK;
  return ms_fail(err, MS_ERR_USAGE,
                 "the result does not say in how many matches each vertex of the graph is; set "
                 "participation in the options of the run that makes it");
}

ms_status ms_gather_check_sample(uint64_t sample, uint64_t sampled_from, uint64_t matches,
                                 ms_error *err)
{
  if (sample == 0 || (sampled_from >= matches && matches <= sample))
    return MS_OK;
  return ms_fail(err, MS_ERR_USAGE,
                 "the result is no sample; set `sample` in the options of the run that makes it");
}

void ms_participation_free(ms_participation *p)
{
  if (p)
    ms_free(p->matches);
  ms_free(p);
}

/* ---- trays ----------------------------------------------------------------------------------- */

static uint64_t bytes_of_tray(const ms_gather *g)
{
  return g->shape ? (uint64_t)g->shape->vertices * g->shape->positions * sizeof(uint64_t) : 0;
}

/* Makes one more tray; the caller has the lock.  NULL: there is no memory. */
static tray *make_tray(ms_gather *g)
{
  tray *t = &g->all[g->trays];
  if (!ms_budget_reserve(g->m->run.budget, bytes_of_tray(g)))
    return NULL;
  *t = (tray){.matches = 0};
  if (g->shape)
    t->taken = ms_calloc((size_t)g->shape->vertices * g->shape->positions, sizeof *t->taken);
  if (g->shape && !t->taken) {
    ms_budget_release(g->m->run.budget, bytes_of_tray(g));
    return NULL;
  }
  g->reserved += bytes_of_tray(g);
  g->trays++;
  return t;
}

/* Returns a tray that no other thread has until it is returned; NULL: there is no memory for the
 * first. */
static tray *take_tray(ms_gather *g)
{
  tray *t = NULL;
  pthread_mutex_lock(&g->lock);
  while (!t && !g->lacks_memory) {
    if (g->idle) {
      t = g->idle;
      g->idle = t->next;
    } else if (g->trays < g->most && (t = make_tray(g))) {
      break;
    } else if (g->trays == 0) {
      g->lacks_memory = true;
    } else {
      g->most = g->trays; /* there is no memory for more */
      pthread_cond_wait(&g->returned, &g->lock);
    }
  }
  pthread_mutex_unlock(&g->lock);
  return t;
}

static void return_tray(ms_gather *g, tray *t)
{
  pthread_mutex_lock(&g->lock);
  t->next = g->idle;
  g->idle = t;
  pthread_cond_signal(&g->returned);
  pthread_mutex_unlock(&g->lock);
}

/* Adds a row behind a key that is a random function of the seed and of the row, so that the rows
 * with the least keys are a sample, whoever finds them: the words of the row go through Philox four
 * at a time. */
static bool draw_row(ms_gather *g, int place, const uint32_t *row)
{
  const uint32_t width = g->m->run.width;
  const uint64_t seed = g->m->options->screen.run.seed;
  const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
  uint32_t entry[MS_MOST_ROW], state[4] = {width};
  for (uint32_t i = 0; i < width; i += 4) {
    for (uint32_t j = 0; j < 4 && i + j < width; j++)
      state[j] ^= row[i + j];
    ms_philox4x32(state, key, state);
  }
  memcpy(entry, state + 1, SAMPLE_WORDS * sizeof *entry);
  memcpy(entry + SAMPLE_WORDS, row, width * sizeof *row);
  return ms_best_add_sum(g->best, place, state[0], entry);
}

/* Adds a row by the sum of its vertices' scores, which has up to 64 bits. */
static bool add_sum(ms_gather *g, int place, const uint32_t *row)
{
  const uint32_t width = g->m->run.width;
  uint64_t sum = ms_vertex_scores_sum(g->m->options->vertex_scores, row, width);
  uint32_t entry[MS_MOST_ROW] = {~(uint32_t)sum};
  memcpy(entry + SUM_WORDS, row, width * sizeof *row);
  return ms_best_add_sum(g->best, place, (uint32_t)(sum >> 32), entry);
}

static bool keep_row(ms_gather *g, int place, const uint32_t *row)
{
  const ms_pattern_options *o = g->m->options;
  ms_inside inside;
  if (o->sample > 0)
    return draw_row(g, place, row);
  if (o->sort == MS_MEASURE_VERTEX_SCORE)
    return add_sum(g, place, row);
  ms_graph_inside_any(g->m->index->graph, row, g->m->run.width, &inside);
  return ms_best_add(g->best, place, ms_inside_value(&inside, o->sort), row);
}

/* Adds rows to a tray.  Returns how many, from the first on; fewer: there is no memory for more. */
static uint64_t fill_tray(ms_gather *g, tray *t, const uint32_t *rows, uint64_t count)
{
  const uint32_t width = g->m->run.width;
  uint64_t kept = 0;
  for (; g->shape && kept < count; kept++)
    for (uint32_t i = 0; i < width; i++)
      t->taken[(size_t)rows[kept * width + i] * g->shape->positions + g->shape->position_of[i]]++;
  while (kept < count && keep_row(g, (int)(t - g->all), rows + kept * width))
    kept++;
  t->matches += kept;
  return kept;
}

uint64_t ms_gather_rows(void *user, const uint32_t *ids, uint64_t count, uint32_t *rows)
{
  ms_gather *g = user;
  uint64_t made = ms_match_make_rows(g->m, ids, count, rows);
  tray *t = take_tray(g);
  if (!t)
    return 0;
  made = fill_tray(g, t, rows, made);
  return_tray(g, t);
  return made;
}

/* ---- a search -------------------------------------------------------------------------------- */

static ms_status open_gather(ms_gather *g, ms_match_run *m, ms_match_lister *list,
                             const ms_participation *shape, ms_error *err)
{
  uint32_t most = (uint32_t)ms_threads(m->options->screen.run.threads);
  *g = (ms_gather){.m = m,
                   .list = list,
                   .shape = shape,
                   .lock = PTHREAD_MUTEX_INITIALIZER,
                   .returned = PTHREAD_COND_INITIALIZER,
                   .most = most,
                   .all = ms_calloc(most, sizeof *g->all)};
  return g->all ? MS_OK : ms_fail_memory(err, "what is gathered of matches");
}

static void close_gather(ms_gather *g)
{
  for (uint32_t i = 0; i < g->trays; i++)
    ms_free(g->all[i].taken);
  ms_free(g->all);
  ms_budget_release(g->m->run.budget, g->reserved);
}

static ms_status fail_room(const ms_participation *p, ms_error *err)
{
  double bytes = (double)p->vertices * p->positions * sizeof *p->matches;
  return ms_fail(
      err, MS_ERR_MEMORY,
      "the numbers of %u vertices at %u position%s of the pattern take %.1f MB, and in a "
      "search half as much for each thread; raise `memory`%s",
      p->vertices, p->positions, p->positions == 1 ? "" : "s", bytes / 1e6,
      p->positions == 1 ? "" : ", or leave out `by_position`");
}

/* Searches for all matches, with an open gather.  Rows are not stored as they come. */
static ms_status search_into(ms_gather *g, ms_error *err)
{
  ms_match_run *m = g->m;
  bool count_only = m->run.count_only;
  uint64_t found = 0;
  m->gather = g;
  m->run.count_only = true;
  ms_status status = g->list(m, err);
  m->gather = NULL;
  m->run.count_only = count_only;
  for (uint32_t t = 0; t < g->trays; t++)
    found += g->all[t].matches;
  mpz_set_ui(m->run.count, found);
  return status;
}

static ms_status search_all(ms_match_run *m, ms_match_lister *list, ms_participation *p,
                            ms_error *err)
{
  ms_gather g;
  size_t numbers = (size_t)p->vertices * p->positions;
  memset(p->matches, 0, numbers * sizeof *p->matches);
  MS_TRY(open_gather(&g, m, list, p, err));
  ms_status status = search_into(&g, err);
  if (status == MS_OK && g.lacks_memory)
    status = fail_room(p, err);
  for (uint32_t t = 0; t < g.trays; t++)
    for (size_t i = 0; i < numbers; i++)
      p->matches[i][0] += g.all[t].taken[i];
  close_gather(&g);
  return status;
}

/* ---- a participation ------------------------------------------------------------------------- */

/* Numbers the positions of the pattern. */
static ms_status find_positions(const ms_match_run *m, ms_participation *p, ms_error *err)
{
  uint8_t orbit[MS_MAX_PATTERN], number[MS_MAX_PATTERN];
  p->positions = 1;
  if (!m->options->by_position)
    return MS_OK;
  MS_TRY(ms_shape_orbits(&m->shape, orbit, err));
  p->positions = 0;
  for (uint32_t i = 0; i < m->shape.n; i++) {
    if (orbit[i] == i)
      number[i] = (uint8_t)p->positions++;
    p->position_of[i] = number[orbit[i]];
  }
  return MS_OK;
}

/* Sets *most to the steps of a search by the engine that was chosen, with those of its rows. */
static ms_status find_most(const ms_match_run *m, double *most, ms_error *err)
{
  ms_match_work work;
  const ms_run_limits *run = &m->options->screen.run;
  MS_TRY(ms_match_listing_work(m, m->program, (ms_probe_effort){0, MS_PROBE_STEPS, run->stop},
                               &work, err));
  bool on_cpu = m->choice.engine == &ms_pattern_engine_cpu;
  *most = ((on_cpu ? work.search : work.gpu) + work.rows) / ms_hooks.participation_weight;
  return MS_OK;
}

static ms_status participate(ms_match_run *m, ms_match_lister *list, ms_participation *p,
                             ms_error *err)
{
  bool counted = false;
  double most = 0;
  if (m->run.stopped != MS_OK || m->domains.empty)
    return MS_OK;
  if (m->program && (!m->asked || m->asked == &ms_pattern_engine_cpu)) {
    MS_TRY(find_most(m, &most, err));
    MS_TRY(ms_participation_by_formulas(m, most, p, &counted, err));
  }
  return counted ? MS_OK : search_all(m, list, p, err);
}

static ms_status gather_numbers(ms_match_run *m, ms_match_lister *list, ms_error *err)
{
  ms_participation *p = m->result->participation = ms_calloc(1, sizeof *p);
  if (!p)
    return ms_fail_memory(err, "the matches of each vertex");
  p->vertices = ms_names_count(m->run.names);
  MS_TRY(find_positions(m, p, err));
  size_t numbers = (size_t)p->vertices * p->positions;
  if (!ms_budget_reserve(m->run.budget, numbers * sizeof *p->matches))
    return fail_room(p, err);
  p->matches = ms_calloc(numbers, sizeof *p->matches);
  ms_status status = p->matches ? MS_OK : ms_fail_memory(err, "the matches of each vertex");
  if (status == MS_OK)
    status = ms_run_settle(&m->run, participate(m, list, p, err));
  ms_budget_release(m->run.budget, numbers * sizeof *p->matches);
  m->run.matches = ms_number_cut(m->run.count);
  return status;
}

/* ---- chosen rows ----------------------------------------------------------------------------- */

/* Returns the words before a row. */
static uint32_t words_before(const ms_pattern_options *o)
{
  return o->sample > 0 ? SAMPLE_WORDS : o->sort == MS_MEASURE_VERTEX_SCORE ? SUM_WORDS : 0;
}

/* Takes the rows that were kept, the best first, or those of a sample in their order. */
static ms_status take_rows(ms_gather *g, ms_error *err)
{
  ms_run *run = &g->m->run;
  const ms_pattern_options *o = g->m->options;
  uint32_t before = words_before(o), width = before + run->width, *rows;
  uint64_t count;
  MS_TRY(ms_best_finish(g->best, NULL, &rows, &count, err));
  for (uint64_t i = 0; before > 0 && i < count; i++)
    memmove(rows + i * run->width, rows + i * width + before, run->width * sizeof *rows);
  if (o->sample > 0 && run->stopped != MS_OK)
    count = 0; /* a part of the matches is no sample of all */
  if (o->sample > 0)
    ms_sort_rows(rows, count, run->width, NULL);
  run->vertices = rows;
  run->matches = count;
  return MS_OK;
}

static ms_status fail_rows(const ms_pattern_options *o, uint64_t kept, ms_error *err)
{
  if (o->sample > 0)
    return ms_fail(err, MS_ERR_MEMORY,
                   "a sample of %llu matches needs more memory: each thread keeps as many; raise "
                   "`memory`, use fewer `threads`, or lower `sample`",
                   (unsigned long long)o->sample);
  return ms_fail(err, MS_ERR_MEMORY,
                 "there is no memory for more than %llu sorted matches; raise `memory`, or give "
                 "`top`",
                 (unsigned long long)kept);
}

static ms_status gather_rows(ms_match_run *m, ms_match_lister *list, ms_error *err)
{
  const ms_pattern_options *o = m->options;
  ms_gather g;
  MS_TRY(open_gather(&g, m, list, NULL, err));
  ms_status status = ms_best_new(words_before(o) + m->run.width, o->sample > 0 ? o->sample : o->top,
                                 (int)g.most, m->run.budget, &g.best, err);
  if (status == MS_OK && m->run.stopped == MS_OK && !m->domains.empty)
    status = ms_run_settle(&m->run, search_into(&g, err));
  if (status == MS_OK && ms_best_is_full(g.best))
    status = fail_rows(o, (uint64_t)mpz_get_ui(m->run.count), err);
  m->result->sampled_from = o->sample > 0 ? ms_number_cut(m->run.count) : 0;
  if (status == MS_OK)
    status = take_rows(&g, err);
  ms_best_free(g.best);
  close_gather(&g);
  return status;
}

void ms_gather_deliver(ms_match_run *m)
{
  ms_run *run = &m->run;
  if (!run->rows || m->options->participation)
    return;
  if (run->matches > 0)
    run->rows(run->rows_user, run->vertices, run->matches); /* if it wants no more, it has these */
  ms_free(run->vertices);
  run->vertices = NULL;
}

ms_status ms_match_gather(ms_match_run *m, ms_match_lister *list, ms_error *err)
{
  ms_status status =
      m->options->participation ? gather_numbers(m, list, err) : gather_rows(m, list, err);
  m->result->ordered = true; /* whichever engine found the matches */
  return status;
}
