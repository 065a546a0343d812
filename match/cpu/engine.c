/* The CPU engine: threads share the roots and steal work from each other. */
#include "match/engine.h"
#include "base/alloc.h"
#include "base/numbers.h"
#include "base/parallel.h"
#include "base/status.h"
#include "base/threads.h"
#include "match/cpu/inner.h"
#include "match/cpu/runner.h"
#include "match/cpu/stealing.h"
#include "match/cpu/universe.h"
#include "match/units.h"

#include <stdatomic.h>

#define ROOTS_A_THREAD 16u
#define GATHERED_IDS (4 * MS_MAX_PATTERN) /* of matches of which no rows are made yet */

typedef struct search {
  const ms_pattern_task *task;
  ms_stealing work;
  ms_rows_fn make; /* NULL: matches are counted */
  void *user;
  mpz_ptr sum;
  uint64_t roots;
  uint32_t cut_degree; /* of a share: roots from this degree on are cut (match/units.h) */
  atomic_uint_fast64_t roots_done; /* counted only for progress */
  pthread_mutex_t lock;            /* of sum, status, error and task->work */
  ms_status status;                /* of the first thread that failed */
  ms_error error;
} search;

/* The state through which a thread's matches reach the stream. */
typedef struct outlet {
  search *search;
  ms_stream *stream;
  ms_segment *segment;
  uint32_t length, count, most; /* ids of a row; matches that are gathered; most of them */
  uint32_t ids[GATHERED_IDS];   /* [count][length] */
} outlet;

static outlet outlet_of(search *s)
{
  outlet o = {.search = s, .stream = s->work.stream, .length = s->task->program->prefix};
  if (s->make) /* with a limit, the row that reaches it ends the search */
    o.most = ms_stream_limit(o.stream) > 0 ? 1 : GATHERED_IDS / o.length;
  return o;
}

/* Makes a row of one match, for a stream with a limit. */
static bool add_row(outlet *o, const uint32_t *ids)
{
  uint32_t row[MS_MAX_PATTERN];
  return o->search->make(o->search->user, ids, 1, row) == 1 &&
         ms_stream_add(o->stream, o->segment, row);
}

/* Makes rows of what is gathered, where they will be read.  Returns false to stop. */
static bool pass_rows(outlet *o)
{
  uint32_t count = o->count, done = 0;
  size_t some = 1, made = 1;
  o->count = 0;
  while (done < count && some > 0 && made == some) {
    uint32_t *rows;
    some = ms_stream_room(o->stream, o->segment, count - done, &rows);
    made = some > 0 ? o->search->make(o->search->user, o->ids + done * o->length, some, rows) : 0;
    ms_stream_filled(o->segment, made);
    done += (uint32_t)made;
  }
  return done == count;
}

/* Takes a match; rows are made of many at a time, which is faster. */
static bool store_match(void *user, const uint32_t *ids)
{
  outlet *o = user;
  if (o->most == 1)
    return add_row(o, ids);
  uint32_t *to = o->ids + o->count++ * o->length;
  for (uint32_t i = 0; i < o->length; i++)
    to[i] = ids[i];
  return o->count < o->most || pass_rows(o);
}

/* A thread's walk. */
typedef struct walk {
  ms_runner runner;
  ms_inner inner;       /* of a program with an inner pattern */
  ms_universe universe; /* of a count by a local program */
} walk;

/* True if the inner graphs are those of the roots: then their vertices are the root's children. */
static bool has_inner_children(const walk *k)
{
  return k->runner.program->inner && k->runner.program->prefix == 1;
}

/* Matches a root and sets *children to the number of its children. */
static bool enter_root(walk *k, uint64_t root, uint64_t *children)
{
  if (!ms_runner_root(&k->runner, root))
    return false;
  if (!has_inner_children(k)) {
    *children = ms_runner_children(&k->runner);
    return !k->universe.path || ms_universe_enter(&k->universe);
  }
  bool ok = ms_inner_enter(&k->inner);
  *children = k->inner.n;
  return ok;
}

/* Returns the degree of the root, by which it is cut or not. */
static uint32_t degree_of_root(const search *s, uint64_t root)
{
  const ms_program *p = s->task->program;
  return ms_row_length(&p->index->rows[MS_ROWS_ANY], ms_program_root(p, root));
}

static bool visit_children(walk *k, uint64_t first, uint64_t last)
{
  if (k->universe.entered)
    return ms_universe_visit(&k->universe, first, last);
  return has_inner_children(k) ? ms_inner_visit(&k->inner, first, last)
                               : ms_runner_visit(&k->runner, first, last);
}

/* Visits the children of a cut root that are in the share. */
static bool visit_share(search *s, walk *k, uint64_t first, uint64_t last)
{
  ms_span span = {.ids = NULL}; /* of an inner pattern: numbers */
  if (!has_inner_children(k))
    span = ms_runner_candidates(&k->runner, 1);
  for (uint64_t i = first; i < last; i++) {
    uint64_t id = span.ids ? span.ids[i] : span.lo + i;
    if (ms_share_has(s->task->share, ms_even_unit(id)) && !visit_children(k, i, i + 1))
      return false;
  }
  return true;
}

/* Visits all children of the root that are left for this thread. */
static bool run_children(search *s, walk *k, int w, bool cut)
{
  uint64_t first, last;
  while (ms_stealing_children(&s->work, w, &first, &last))
    if (!(cut ? visit_share(s, k, first, last) : visit_children(k, first, last)))
      return false;
  if (has_inner_children(k))
    ms_inner_leave(&k->inner);
  return true;
}

/* Counts a root that is done; the first thread reports their number.  The last root is never
 * reported: other threads may still work on what they stole of a root, and a count may have further
 * programs. */
static void report_root(search *s, int w)
{
  const ms_pattern_task *task = s->task;
  if (s->make || !task->progress)
    return;
  uint64_t before = atomic_fetch_add_explicit(&s->roots_done, 1, memory_order_relaxed);
  if (w == 0 && before + 1 < s->roots)
    task->progress(task->progress_user, "roots searched", before + 1, s->roots);
}

static bool run_root(search *s, walk *k, int w, uint64_t root, bool stolen)
{
  bool ok = true, cut = s->task->share && degree_of_root(s, root) >= s->cut_degree;
  uint64_t children;
  if (!cut && !ms_share_has(s->task->share, ms_even_unit(root)))
    return true;
  k->runner.visits += !stolen; /* the one who began it has counted it */
  if (enter_root(k, root, &children)) {
    if (!stolen)
      ms_stealing_offer(&s->work, w, root, children);
    ok = run_children(s, k, w, cut);
  }
  ms_universe_leave(&k->universe);
  ms_runner_leave(&k->runner);
  return ok && k->runner.status == MS_OK;
}

static bool run_stretch(search *s, walk *k, int w, bool stolen)
{
  uint64_t root;
  if (stolen)
    return run_root(s, k, w, s->work.worker[w].begun, true);
  while (ms_stealing_root(&s->work, w, &root)) {
    k->runner.status = ms_numbers_low() ? MS_ERR_MEMORY : ms_stop_check(s->task->stop);
    if (k->runner.status != MS_OK || !run_root(s, k, w, root, false))
      return false;
    report_root(s, w);
  }
  return true;
}

static void halt_all(search *s)
{
  atomic_store(&s->work.halt, true);
  if (s->work.stream)
    ms_stream_halt(s->work.stream);
}

static ms_status init_walk(search *s, walk *k, outlet *o, ms_error *err)
{
  ms_runner *runner = &k->runner;
  MS_TRY(ms_runner_init(runner, s->task->program, err));
  runner->halt = &s->work.halt;
  runner->stop = s->task->stop;
  runner->user = o;
  runner->found = s->make ? store_match : NULL;
  if (!s->task->program->inner)
    return s->make ? MS_OK : ms_universe_init(&k->universe, runner, err);
  runner->found = ms_inner_count;
  runner->user = &k->inner;
  return ms_inner_init(&k->inner, runner, err);
}

static ms_status run_stretches(search *s, int w, walk *k, ms_error *err)
{
  outlet o = outlet_of(s);
  const ms_runner *runner = &k->runner;
  bool stolen, ok = true;
  ms_stealing_join(&s->work);
  ms_status status = init_walk(s, k, &o, err);
  while (status == MS_OK && ok && ms_stealing_take(&s->work, w, &stolen)) {
    o.segment = s->work.worker[w].segment;
    ok = run_stretch(s, k, w, stolen);
    ok = pass_rows(&o) && ok; /* what was found before a stop, too */
    ms_stealing_finish(&s->work, w);
  }
  if (status == MS_OK && runner->status == MS_ERR_MEMORY)
    status = ms_fail_memory(err, "candidate sets");
  else if (status == MS_OK)
    status = runner->status;
  if (status != MS_OK || !ok)
    halt_all(s);
  return status;
}

static void run_worker(void *user, int w)
{
  search *s = user;
  walk k = {.inner = {.outer = NULL}, .universe = {.runner = NULL}};
  ms_error error = {0};
  ms_status status = run_stretches(s, w, &k, &error);
  pthread_mutex_lock(&s->lock);
  if (!s->make)
    ms_runner_total(&k.runner, s->sum);
  if (!s->make)
    ms_inner_total(&k.inner, s->sum);
  ms_runner_add_work(&k.runner, s->task->work);
  ms_inner_add_work(&k.inner, s->task->work);
  /* a failure takes precedence over a stop, which all threads report */
  if (status != MS_OK && (s->status == MS_OK || status == MS_ERR_MEMORY)) {
    s->status = status;
    s->error = error;
  }
  pthread_mutex_unlock(&s->lock);
  ms_universe_free(&k.universe);
  ms_inner_free(&k.inner);
  ms_runner_free(&k.runner);
}

static ms_status run_threads(search *s, ms_stream *stream, ms_error *err)
{
  const ms_pattern_task *task = s->task;
  uint64_t roots = ms_program_roots(task->program);
  int threads = ms_threads(task->threads);
  s->roots = roots;
  s->cut_degree = task->share ? ms_count_cut_degree(task->program) : UINT32_MAX;
  atomic_init(&s->roots_done, 0);
  if ((uint64_t)threads > roots / ROOTS_A_THREAD + 1 && task->program->prefix < 2 &&
      !task->program->inner)
    threads = (int)(roots / ROOTS_A_THREAD + 1);
  ms_status status = ms_stealing_init(&s->work, threads, roots, stream, err);
  if (status == MS_OK) {
    ms_parallel_team(threads, run_worker, s);
    status = s->status;
    if (status != MS_OK && err)
      *err = s->error;
    if (status == MS_OK && atomic_load(&s->work.no_memory))
      status = ms_fail_memory(err, "buffers of matches");
  }
  ms_stealing_destroy(&s->work);
  return status;
}

static ms_status count(const ms_pattern_task *task, mpz_t sum, ms_error *err)
{
  search s = {.task = task, .sum = sum, .lock = PTHREAD_MUTEX_INITIALIZER};
  return run_threads(&s, NULL, err);
}

static ms_status list(const ms_pattern_task *task, ms_rows_fn make, void *user, ms_stream *stream,
                      ms_error *err)
{
  search s = {.task = task, .make = make, .user = user, .lock = PTHREAD_MUTEX_INITIALIZER};
  return run_threads(&s, stream, err);
}

static int devices(void)
{
  return 1;
}

const ms_pattern_engine ms_pattern_engine_cpu = {
    .name = "cpu", .ordered = true, .devices = devices, .count = count, .list = list};
