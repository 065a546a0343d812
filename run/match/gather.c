#include "run/match/gather.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "run/match/match_rows.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* What one thread at a time adds to. */
typedef struct tray {
  struct tray *next; /* of those that no thread has */
  uint64_t matches;
  uint64_t *taken; /* [vertices][positions] of a participation */
} tray;

struct ms_gather {
  ms_match_run *m;
  const ms_participation *shape; /* of a participation: its numbers are not used */
  pthread_mutex_t lock;
  pthread_cond_t returned;
  tray *all, *idle; /* all[trays] */
  uint32_t trays, most;
  uint64_t reserved; /* bytes of the budget */
  bool lacks_memory; /* for the first tray */
};

bool ms_match_gathers(const ms_pattern_options *o)
{
  return o->participation;
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
  if (o->participation && o->division)
    return ms_division_refuse(o->division, "a count of the matches of each vertex", err);
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

void ms_participation_free(ms_participation *p)
{
  if (p)
    ms_free(p->matches);
  ms_free(p);
}

/* ---- trays ----------------------------------------------------------------------------------- */

static uint64_t bytes_of_tray(const ms_gather *g)
{
  return (uint64_t)g->shape->vertices * g->shape->positions * sizeof(uint64_t);
}

/* Makes one more tray; the caller has the lock.  NULL: there is no memory. */
static tray *make_tray(ms_gather *g)
{
  tray *t = &g->all[g->trays];
  if (!ms_budget_reserve(g->m->run.budget, bytes_of_tray(g)))
    return NULL;
  *t = (tray){.taken =
                  ms_calloc((size_t)g->shape->vertices * g->shape->positions, sizeof *t->taken)};
  if (!t->taken) {
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

uint64_t ms_gather_rows(void *user, const uint32_t *ids, uint64_t count, uint32_t *rows)
{
  ms_gather *g = user;
  uint64_t made = ms_match_make_rows(g->m, ids, count, rows);
  const uint32_t width = g->m->run.width;
  const size_t positions = g->shape->positions;
  tray *t = take_tray(g);
  if (!t)
    return 0;
  for (uint64_t r = 0; r < made; r++)
    for (uint32_t i = 0; i < width; i++)
      t->taken[rows[r * width + i] * positions + g->shape->position_of[i]]++;
  t->matches += made;
  return_tray(g, t);
  return made;
}

/* ---- a search -------------------------------------------------------------------------------- */

static ms_status open_gather(ms_gather *g, ms_match_run *m, const ms_participation *shape,
                             ms_error *err)
{
  uint32_t most = (uint32_t)ms_threads(m->options->screen.run.threads);
  *g = (ms_gather){.m = m,
                   .shape = shape,
                   .lock = PTHREAD_MUTEX_INITIALIZER,
                   .returned = PTHREAD_COND_INITIALIZER,
                   .most = most,
                   .all = ms_calloc(most, sizeof *g->all)};
  return g->all ? MS_OK : ms_fail_memory(err, "the matches of each vertex");
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

/* Searches for all matches. */
static ms_status search_all(ms_match_run *m, ms_participation *p, ms_error *err)
{
  ms_gather g;
  uint64_t found = 0;
  size_t numbers = (size_t)p->vertices * p->positions;
  memset(p->matches, 0, numbers * sizeof *p->matches);
  MS_TRY(open_gather(&g, m, p, err));
  m->gather = &g;
  ms_status status = ms_match_list(m, err);
  m->gather = NULL;
  if (status == MS_OK && g.lacks_memory)
    status = fail_room(p, err);
  for (uint32_t t = 0; t < g.trays; t++) {
    found += g.all[t].matches;
    for (size_t i = 0; i < numbers; i++)
      p->matches[i][0] += g.all[t].taken[i];
  }
  mpz_set_ui(m->run.count, found);
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

/* Sets *most to the steps of a search on the threads, with those of its rows. */
static ms_status find_most(const ms_match_run *m, double *most, ms_error *err)
{
  ms_match_work work;
  const ms_run_limits *run = &m->options->screen.run;
  MS_TRY(ms_match_listing_work(m, m->program, (ms_probe_effort){0, MS_PROBE_STEPS, run->stop},
                               &work, err));
  *most = (work.search + work.rows) / ms_hooks.participation_weight;
  return MS_OK;
}

static ms_status participate(ms_match_run *m, ms_participation *p, ms_error *err)
{
  bool counted = false;
  double most = 0;
  if (m->run.stopped != MS_OK || m->domains.empty)
    return MS_OK;
  if (m->program && m->choice.engine == &ms_pattern_engine_cpu) {
    MS_TRY(find_most(m, &most, err));
    MS_TRY(ms_participation_by_formulas(m, most, p, &counted, err));
  }
  return counted ? MS_OK : search_all(m, p, err);
}

ms_status ms_match_gather(ms_match_run *m, ms_error *err)
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
    status = ms_run_settle(&m->run, participate(m, p, err));
  ms_budget_release(m->run.budget, numbers * sizeof *p->matches);
  m->run.matches = ms_number_cut(m->run.count);
  return status;
}
