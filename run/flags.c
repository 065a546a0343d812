/* ms_pattern_flags and ms_typed_flags, the vertices that take part in a match of a pattern:
 *
 *   pattern -> (sieve: vertices that may be in a match) -> domains
 *           -> for each orbit of pattern vertices: for each vertex of its domain that has no flag,
 *              a search for one match that begins there -> judge -> flags on all of the match
 *
 * A vertex without such a match leaves the domains of the whole orbit, so that later searches do
 * not meet it. */
#include "run/match/typed.h"

#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/stop.h"
#include "base/threads/threads.h"
#include "base/threads/work.h"
#include "graph/graph.h"
#include "graph/typed.h"
#include "match/cpu/runner.h"
#include "parts/log.h"
#include "query/labels.h"
#include "query/pattern.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

/* Roots that one thread searches at least, and between two reports of progress. */
#define ROOTS_A_THREAD 16u
#define ROOTS_A_REPORT 64u

typedef struct flagging {
  ms_match_run match;
  const ms_typed_query *query;           /* NULL: a plain pattern */
  const ms_typed_match_options *options; /* with `query` */
  ms_pattern_options plain;              /* with `query`: options for the steps of all patterns */
  ms_typed_candidates candidates;
  ms_typed_result known; /* with `query`: what the filter and the walk left */
  uint32_t n;            /* vertices of the graph */
  atomic_uchar *flagged; /* [n] */
  atomic_uint count;     /* flagged vertices */
  atomic_ullong searches;
  uint64_t limit; /* of flags; 0: none */
} flagging;

/* The search of one role: of the pattern vertices of one orbit. */
typedef struct role {
  flagging *f;
  const ms_program *program;
  const ms_plan *plan;
  atomic_ullong next; /* the next root */
  atomic_bool halt;
  atomic_uchar *fails;  /* [roots] 1: no match begins there */
  pthread_mutex_t lock; /* of status and error, and of the work in the result */
  ms_status status;     /* of the first thread that failed */
  ms_error error;
} role;

/* ---- one search -------------------------------------------------------------------- */

/* A thread of a role. */
typedef struct seeker {
  role *role;
  ms_runner runner;
  bool found;
} seeker;

static void set_flag(flagging *f, uint32_t v)
{
  if (!atomic_exchange_explicit(&f->flagged[v], 1, memory_order_relaxed))
    atomic_fetch_add_explicit(&f->count, 1, memory_order_relaxed);
}

/* Flags the vertices of the first match, and ends its search; an ms_level_match_fn. */
static bool take_match(void *user, const uint32_t *ids)
{
  seeker *s = user;
  flagging *f = s->role->f;
  uint32_t row[MS_MAX_PATTERN] = {0}, p = f->match.shape.n;
  for (uint32_t i = 0; i < p; i++)
    row[s->role->plan->level[i].vertex] = f->match.index->vertex[ids[i]];
  s->found = true;
  if (!ms_run_judge(&f->match.run, row)) {
    atomic_store(&s->role->halt, true);
    return false;
  }
  for (uint32_t i = 0; i < p; i++)
    set_flag(f, row[i]);
  return false;
}

static void report_roots(const flagging *f, uint64_t done, uint64_t roots)
{
  if (done % ROOTS_A_REPORT == 0)
    ms_limits_report(&f->match.run.limits, "vertices searched", done, roots);
}

/* True if no further search is wanted. */
static bool is_over(const role *r)
{
  const flagging *f = r->f;
  return atomic_load_explicit(&r->halt, memory_order_relaxed) ||
         (f->limit > 0 && atomic_load_explicit(&f->count, memory_order_relaxed) >= f->limit);
}

static void search_root(seeker *s, uint64_t root)
{
  role *r = s->role;
  flagging *f = r->f;
  uint32_t v = f->match.index->vertex[ms_program_root(r->program, root)];
  if (atomic_load_explicit(&f->flagged[v], memory_order_relaxed))
    return;
  atomic_fetch_add_explicit(&f->searches, 1, memory_order_relaxed);
  s->found = false;
  s->runner.visits++;
  if (ms_runner_root(&s->runner, root))
    ms_runner_visit(&s->runner, 0, ms_runner_children(&s->runner));
  ms_runner_leave(&s->runner);
  bool ended = s->runner.status == MS_OK && !atomic_load(&r->halt);
  if (!s->found && ended)
    atomic_store_explicit(&r->fails[root], 1, memory_order_relaxed);
}

static ms_status search_roots(role *r, int thread, ms_error *err)
{
  uint64_t roots = ms_program_roots(r->program), root;
  seeker s = {.role = r};
  ms_status status = ms_runner_init(&s.runner, r->program, err);
  s.runner.found = take_match;
  s.runner.user = &s;
  s.runner.halt = &r->halt;
  s.runner.stop = r->f->match.run.limits.stop;
  while (status == MS_OK && !is_over(r) && (root = atomic_fetch_add(&r->next, 1)) < roots) {
    search_root(&s, root);
    status = s.runner.status == MS_OK ? ms_stop_check(s.runner.stop) : s.runner.status;
    if (thread == 0)
      report_roots(r->f, root + 1, roots);
  }
  if (status == MS_ERR_MEMORY)
    status = ms_fail_memory(err, "candidate sets");
  pthread_mutex_lock(&r->lock);
  ms_runner_add_work(&s.runner, &r->f->match.result->run.work);
  pthread_mutex_unlock(&r->lock);
  ms_runner_free(&s.runner);
  return status;
}

static void run_thread(void *user, int thread)
{
  role *r = user;
  ms_error error = {0};
  ms_status status = search_roots(r, thread, &error);
  if (status == MS_OK)
    return;
  atomic_store(&r->halt, true);
  pthread_mutex_lock(&r->lock);
  if (r->status == MS_OK || status == MS_ERR_MEMORY) {
    r->status = status;
    r->error = error;
  }
  pthread_mutex_unlock(&r->lock);
}

/* Searches from every root; `alive`[words] loses the ids that begin no match. */
static ms_status search_role(role *r, uint64_t *alive, ms_error *err)
{
  uint64_t roots = ms_program_roots(r->program);
  int threads = ms_threads(r->f->match.options->screen.run.threads);
  if ((uint64_t)threads > roots / ROOTS_A_THREAD + 1)
    threads = (int)(roots / ROOTS_A_THREAD + 1);
  r->fails = ms_calloc(roots, sizeof *r->fails);
  if (!r->fails)
    return ms_fail_memory(err, "the vertices to search");
  ms_parallel_team(threads, run_thread, r);
  for (uint64_t i = 0; i < roots; i++)
    if (r->fails[i]) {
      uint32_t id = ms_program_root(r->program, i);
      alive[id / 64] &= ~(UINT64_C(1) << id % 64);
    }
  ms_free(r->fails);
  if (r->status != MS_OK && err)
    *err = r->error;
  return r->status;
}

/* ---- roles ------------------------------------------------------------------------- */

/* Searches for matches in which u, which is set apart in the shape, is each vertex of its domain.
 */
static ms_status flag_role(flagging *f, const ms_placed *placed, uint32_t u, uint64_t *alive,
                           ms_error *err)
{
  uint8_t order[MS_MAX_PATTERN];
  ms_plan *plan = NULL;
  ms_program *program = NULL;
  ms_match_order_from(&f->match, placed, u, order);
  ms_status status = ms_match_plan_placed(&f->match, placed, true, order, &plan, &program, err);
  if (status == MS_OK) {
    role r = {.f = f, .program = program, .plan = plan, .lock = PTHREAD_MUTEX_INITIALIZER};
    status = search_role(&r, alive, err);
  }
  ms_program_free(program);
  ms_plan_free(plan);
  return status;
}

/* Returns the vertex of the smallest domain among those that stand for their orbits and are left,
 * or n. */
static uint32_t next_role(const ms_shape *shape, const ms_domains *domains, const uint8_t *orbit,
                          const ms_bitset *done)
{
  uint32_t best = shape->n;
  for (uint32_t u = 0; u < shape->n; u++)
    if (orbit[u] == u && !ms_bitset_has(done, u) &&
        (best == shape->n || domains->of[u].count < domains->of[best].count))
      best = u;
  return best;
}

static bool wants_more(const flagging *f)
{
  return f->limit == 0 || atomic_load(&f->count) < f->limit;
}

/* Searches for the roles one after the other.  store[n][words] and alive[words] are room for
 * bits. */
static ms_status flag_roles(flagging *f, ms_shape *shape, ms_domains *domains, uint64_t *store,
                            uint64_t *alive, size_t words, ms_error *err)
{
  uint8_t orbit[MS_MAX_PATTERN];
  ms_bitset done = {0};
  uint32_t u;
  MS_TRY(ms_shape_orbits(shape, orbit, err));
  while (wants_more(f) && (u = next_role(shape, domains, orbit, &done)) < shape->n) {
    uint32_t kind = shape->kind[u];
    ms_bitset_add(&done, u);
    memset(alive, 0xFF, words * sizeof *alive);
    ms_shape_set_apart(shape, u);
    ms_status status = flag_role(f, &(ms_placed){shape, domains, NULL}, u, alive, err);
    shape->kind[u] = kind;
    if (status != MS_OK)
      return status;
    for (uint32_t w = 0; w < shape->n; w++)
      if (orbit[w] == u) {
        ms_domain_meet(&domains->of[w], alive, store + w * words, words);
        domains->implied = false;
        if (domains->of[w].count == 0)
          return MS_OK; /* there is no match at all */
      }
  }
  return MS_OK;
}

/* Flags the vertices of matches with these places of the required vertices; an ms_placed_fn. */
static ms_status flag_placed(void *user, const ms_placed *placed, ms_error *err)
{
  flagging *f = user;
  size_t words = ((size_t)f->match.index->n + 63) / 64;
  ms_shape *shape = ms_alloc(1, sizeof *shape);
  ms_domains *domains = ms_alloc(1, sizeof *domains);
  uint64_t *store = ms_alloc(words * (placed->shape->n + 1), sizeof *store);
  ms_status status = shape && domains && store ? MS_OK : ms_fail_memory(err, "the domains");
  if (status == MS_OK) {
    *shape = *placed->shape;
    *domains = *placed->domains;
    status = flag_roles(f, shape, domains, store, store + words * placed->shape->n, words, err);
  }
  ms_free(store);
  ms_free(domains);
  ms_free(shape);
  return status;
}

/* ---- the run ----------------------------------------------------------------------- */

static ms_status prepare_plain(flagging *f, ms_error *err)
{
  ms_match_run *m = &f->match;
  ms_shape_of(m->pattern, m->options->induced, &m->shape);
  MS_TRY(ms_pattern_screen(m, err));
  MS_TRY(ms_match_cut(m, true, err));
  return ms_judge_pattern(m->index->graph, m->index->coloring, m->pattern, m->options->induced,
                          false, &m->run.judge, err);
}

static ms_status prepare_typed(flagging *f, ms_error *err)
{
  ms_match_run *m = &f->match;
  MS_TRY(ms_typed_shape_new(f->query, &f->candidates.shape, err));
  f->candidates.shape->shape.induced = f->options->induced;
  m->shape = f->candidates.shape->shape;
  f->known.p = f->query->n;
  MS_TRY(ms_judge_typed(f->query, f->options->induced, false, &m->run.judge, err));
  MS_TRY(ms_typed_candidates_find(f->query, f->options, &f->candidates, m, &f->known, err));
  MS_TRY(ms_typed_screen(&f->candidates, f->n, m, err));
  return ms_match_cut(m, false, err);
}

static ms_status prepare(ms_run *run, ms_error *err)
{
  flagging *f = (flagging *)run;
  MS_TRY(f->query ? prepare_typed(f, err) : prepare_plain(f, err));
  ms_judge_require(run->judge, f->match.required.n, f->match.required.vertex);
  return MS_OK;
}

static ms_status search(ms_run *run, ms_error *err)
{
  flagging *f = (flagging *)run;
  ms_match_run *m = &f->match;
  if (m->domains.empty || run->stopped != MS_OK)
    return MS_OK;
  ms_status status = m->required.n > 0
                         ? ms_required_place(&m->required, &m->shape, &m->domains, false,
                                             run->limits.stop, flag_placed, f, err)
                         : flag_placed(f, &(ms_placed){&m->shape, &m->domains, NULL}, err);
  return status == MS_OK && !wants_more(f) ? MS_ERR_LIMIT : status;
}

static ms_status finish(ms_run *run, ms_error *err)
{
  (void)run, (void)err;
  return MS_OK;
}

/* Returns why the search ran on processors. */
static const char *engine_reason(const flagging *f)
{
  if (f->match.asked)
    return "as asked for";
  return f->searches > 0 ? "screens of patterns run on processors" : "nothing to search";
}

/* Moves what was found to the result. */
static ms_status make_result(flagging *f, ms_flags_result **out, ms_error *err)
{
  ms_pattern_result *known = f->match.result;
  ms_flags_result *r = ms_calloc(1, sizeof *r);
  if (!r)
    return ms_fail_memory(err, "the result");
  r->flagged = ms_alloc(f->n, 1);
  if (!r->flagged) {
    ms_free(r);
    return ms_fail_memory(err, "the result");
  }
  for (uint32_t v = 0; v < f->n; v++)
    r->flagged[v] = f->flagged[v];
  r->n = f->n;
  r->count = f->count;
  r->searches = f->searches;
  r->screen = known->screen;
  r->screen_reason = known->screen_reason;
  r->run.stopped = f->match.run.stopped;
  r->time_plan = f->match.run.time_prepare;
  r->time_search = f->match.run.time_search;
  ms_run_engine(&r->run, ms_pattern_engine_cpu.name, engine_reason(f));
  r->run.work = known->run.work;
  if (r->screen)
    ms_work_add(&r->run.work, &r->screen->run.work);
  known->screen = NULL;
  known->screen_reason = NULL;
  *out = r;
  return MS_OK;
}

static ms_status run_flagging(flagging *f, ms_flags_result **out, ms_error *err)
{
  static const ms_run_kind kind = {prepare, search, finish};
  f->match.run.kind = &kind;
  f->flagged = ms_calloc(f->n, sizeof *f->flagged);
  ms_status status = f->flagged ? MS_OK : ms_fail_memory(err, "the flags");
  if (status == MS_OK)
    status = ms_match_open(&f->match, err);
  if (status == MS_OK && f->match.asked && f->match.asked != &ms_pattern_engine_cpu)
    status = ms_fail(err, MS_ERR_USAGE,
                     "screens of patterns run on processors only; leave the engine out");
  if (status == MS_OK)
    status = ms_run_query(&f->match.run, err);
  if (status == MS_OK)
    status = make_result(f, out, err);
  ms_match_release(&f->match);
  ms_pattern_result_free(f->match.result);
  ms_typed_candidates_free(&f->candidates);
  ms_free(f->known.domain);
  ms_free(f->flagged);
  return status;
}

/* ---- entry points ------------------------------------------------------------------ */

ms_status ms_pattern_flags(const ms_pattern_index *index, const ms_pattern *pattern,
                           const ms_pattern_options *options, ms_flags_result **out, ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(index, err);
  MS_REQUIRE(pattern, err);
  ms_pattern_options o;
  ms_budget budget;
  MS_TRY(ms_options_take(&ms_pattern_options_kind, options, &o, err));
  MS_TRY(ms_division_refuse(o.screen.run.division, "a screen of a pattern", err));
  MS_TRY(ms_required_check(o.required, o.n_required, err));
  MS_TRY(ms_pattern_check_labels(pattern, index->graph, err));
  ms_budget_open(&budget, o.screen.run.memory);
  flagging *f = ms_calloc(1, sizeof *f); /* too large for the stack */
  if (!f)
    return ms_fail_memory(err, "a search");
  f->n = index->graph->n;
  f->limit = o.limit;
  f->match = (ms_match_run){.run = {.budget = &budget,
                                    .limits = o.screen.run,
                                    .names = index->graph->names,
                                    .width = pattern->n},
                            .index = index,
                            .pattern = pattern,
                            .options = &o};
  ms_status status =
      ms_required_find(index->graph, o.required, o.n_required, pattern->n, &f->match.required, err);
  if (status == MS_OK)
    status = run_flagging(f, out, err);
  ms_free(f);
  return status;
}

ms_status ms_typed_flags(const ms_typed_query *query, const ms_typed_match_options *options,
                         ms_flags_result **out, ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(query, err);
  ms_typed_match_options o;
  ms_budget budget;
  MS_TRY(ms_options_take(&ms_typed_match_options_kind, options, &o, err));
  MS_TRY(ms_division_refuse(o.run.division, "a screen of a typed pattern", err));
  MS_TRY(ms_required_check(o.required, o.n_required, err));
  ms_budget_open(&budget, o.run.memory);
  flagging *f = ms_calloc(1, sizeof *f); /* too large for the stack */
  if (!f)
    return ms_fail_memory(err, "a search");
  f->n = query->graph->rows.n;
  f->limit = o.limit;
  f->query = query;
  f->options = &o;
  ms_typed_shared_options(&o, &f->plain);
  f->match = (ms_match_run){
      .run = {.budget = &budget, .limits = o.run, .names = query->graph->names, .width = query->n},
      .options = &f->plain};
  ms_status status = ms_required_find_typed(query->graph, o.required, o.n_required, query->n,
                                            &f->match.required, err);
  if (status == MS_OK)
    status = run_flagging(f, out, err);
  ms_free(f);
  return status;
}

void ms_flags_result_free(ms_flags_result *result)
{
  if (!result)
    return;
  ms_screen_result_free(result->screen);
  ms_free(result->screen_reason);
  ms_free(result->flagged);
  ms_free(result);
}
