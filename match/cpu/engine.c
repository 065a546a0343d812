/* The CPU engine: threads share the roots and steal work from each other. */
#include "match/engine.h"
#include "base/alloc.h"
#include "base/numbers.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/threads.h"
#include "match/cpu/inner.h"
#include "match/cpu/runner.h"
#include "match/cpu/universe.h"
#include "match/stream.h"
#include "match/units.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

/* ---- work stealing --------------------------------------------------------------------------- */

/* Shares the work of one run among threads that steal from each other.
 * A thread takes a few roots at a time off a common counter.  When no roots are
 * left there, it steals half of what another thread has left: half of its
 * roots, or half of the candidates of level 1 under its last root.  Each
 * stretch of work has its place in the output: a stolen stretch comes directly
 * behind the part that the victim keeps. */

typedef struct ms_stealing_worker {
  pthread_mutex_t lock;
  uint64_t root, root_end;   /* roots that are not begun */
  uint64_t begun;            /* the root whose children are shared */
  uint64_t child, child_end; /* candidates of level 1 that are not begun */
  ms_segment *segment;       /* NULL: matches are counted, or the worker is between two stretches */
  char pad[64];
} ms_stealing_worker;

typedef struct ms_stealing {
  int workers;
  ms_stealing_worker *worker; /* [workers] */
  _Atomic uint64_t next;      /* the first root that nobody has taken */
  uint64_t roots, chunk;
  ms_stream *stream; /* NULL: matches are counted */
  atomic_int idle;
  atomic_bool halt;
  atomic_bool no_memory; /* there was no memory for a segment */
} ms_stealing;

#define MAX_CHUNK 64u
#define CHUNKS_A_WORKER 64u /* enough chunks that the last ones are short */
#define PARTS_OF_CHILDREN 16u

static ms_status stealing_init(ms_stealing *work, int workers, uint64_t roots, ms_stream *stream,
                               ms_error *err)
{
  *work = (ms_stealing){.roots = roots, .stream = stream};
  /* a worker that has not joined yet has no work that others could steal */
  atomic_store(&work->idle, workers);
  work->chunk = roots / ((uint64_t)workers * CHUNKS_A_WORKER) + 1;
  if (work->chunk > MAX_CHUNK)
    work->chunk = MAX_CHUNK;
  work->worker = ms_calloc((size_t)workers, sizeof *work->worker);
  if (!work->worker)
    return ms_fail_memory(err, "threads of a search");
  for (; work->workers < workers; work->workers++)
    if (pthread_mutex_init(&work->worker[work->workers].lock, NULL) != 0)
      return ms_fail_memory(err, "a lock");
  if (stream)
    ms_stream_tell(stream, &work->halt);
  return MS_OK;
}

static void stealing_destroy(ms_stealing *work)
{
  if (work->stream)
    ms_stream_tell(work->stream, NULL);
  for (int w = 0; w < work->workers; w++)
    pthread_mutex_destroy(&work->worker[w].lock);
  ms_free(work->worker);
}

/* ---- stretches ----------------------------------------------------------------- */

/* Opens a segment for a new stretch. Without memory it halts all workers and
 * returns false. */
static bool open_segment(ms_stealing *work, ms_stealing_worker *worker, ms_segment *after)
{
  if (!work->stream)
    return true;
  worker->segment = ms_stream_open(work->stream, after);
  if (worker->segment)
    return true;
  atomic_store(&work->no_memory, true);
  atomic_store(&work->halt, true);
  return false;
}

/* Takes a chunk off the common counter. With a stream the order of the segments
 * has to be the order of the roots, so both are taken under one lock, that of
 * worker 0. */
static bool take_chunk(ms_stealing *work, ms_stealing_worker *worker)
{
  pthread_mutex_t *order = work->stream ? &work->worker[0].lock : NULL;
  if (order)
    pthread_mutex_lock(order);
  uint64_t first = atomic_load(&work->next) < work->roots
                       ? atomic_fetch_add(&work->next, work->chunk)
                       : work->roots;
  bool taken = first < work->roots && open_segment(work, worker, NULL);
  if (order)
    pthread_mutex_unlock(order);
  if (!taken)
    return false;
  pthread_mutex_lock(&worker->lock);
  worker->root = first;
  worker->root_end = first + work->chunk < work->roots ? first + work->chunk : work->roots;
  pthread_mutex_unlock(&worker->lock);
  return true;
}

/* Steals half of the victim's roots, rounded up, or half of its children. */
static bool steal_from(ms_stealing *work, ms_stealing_worker *thief, ms_stealing_worker *victim,
                       bool *stolen_root)
{
  uint64_t root = 0, root_end = 0, child = 0, child_end = 0, begun = 0;
  bool stolen = false;
  pthread_mutex_lock(&victim->lock);
  if (victim->root < victim->root_end) {
    root_end = victim->root_end;
    root = victim->root + (victim->root_end - victim->root) / 2;
    stolen = open_segment(work, thief, victim->segment);
    if (stolen)
      victim->root_end = root;
  } else if (victim->child + 1 < victim->child_end) {
    begun = victim->begun;
    child_end = victim->child_end;
    child = victim->child + (victim->child_end - victim->child + 1) / 2;
    stolen = open_segment(work, thief, victim->segment);
    if (stolen)
      victim->child_end = child;
    *stolen_root = stolen;
  }
  if (stolen)
    atomic_fetch_sub(&work->idle, 1);
  pthread_mutex_unlock(&victim->lock);
  if (!stolen)
    return false;
  pthread_mutex_lock(&thief->lock);
  thief->root = root;
  thief->root_end = root_end;
  thief->begun = begun;
  thief->child = child;
  thief->child_end = child_end;
  pthread_mutex_unlock(&thief->lock);
  return true;
}

static void back_off(uint32_t tries)
{
  if (tries < 16)
    sched_yield();
  else
    nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
}

/* Finds the next stretch for worker w: roots, or children of a root that
 * another worker began (*stolen_root). Waits while other workers may have work
 * to steal. Returns false if all work is done, or if the run was halted. */
static bool stealing_take(ms_stealing *work, int w, bool *stolen_root)
{
  ms_stealing_worker *worker = &work->worker[w];
  *stolen_root = false;
  if (atomic_load(&work->halt))
    return false;
  if (take_chunk(work, worker))
    return true;
  atomic_fetch_add(&work->idle, 1);
  for (uint32_t tries = 0; atomic_load(&work->idle) < work->workers && !atomic_load(&work->halt);
       tries++) {
    for (int i = 1; i < work->workers; i++)
      if (steal_from(work, worker, &work->worker[(w + i) % work->workers], stolen_root))
        return true;
    back_off(tries);
  }
  return false;
}

/* Sets *root to the next root of the stretch. Returns false if there is
 * none. */
static bool stealing_root(ms_stealing *work, int w, uint64_t *root)
{
  ms_stealing_worker *worker = &work->worker[w];
  if (atomic_load_explicit(&work->halt, memory_order_relaxed))
    return false;
  if (work->workers > 1)
    pthread_mutex_lock(&worker->lock);
  bool some = worker->root < worker->root_end;
  if (some)
    *root = worker->root++;
  worker->child = worker->child_end = 0;
  if (work->workers > 1)
    pthread_mutex_unlock(&worker->lock);
  return some;
}

/* Lets other workers steal the children of the root that worker w has begun. */
static void stealing_offer(ms_stealing *work, int w, uint64_t root, uint64_t children)
{
  ms_stealing_worker *worker = &work->worker[w];
  if (work->workers > 1)
    pthread_mutex_lock(&worker->lock);
  worker->begun = root;
  worker->child = 0;
  worker->child_end = children;
  if (work->workers > 1)
    pthread_mutex_unlock(&worker->lock);
}

/* Sets [*first, *last) to the next children for worker w itself. Returns false
 * if none are left. */
static bool stealing_children(ms_stealing *work, int w, uint64_t *first, uint64_t *last)
{
  ms_stealing_worker *worker = &work->worker[w];
  if (work->workers > 1)
    pthread_mutex_lock(&worker->lock);
  uint64_t left = worker->child_end - worker->child;
  uint64_t part = work->workers > 1 ? left / PARTS_OF_CHILDREN + 1 : left;
  *first = worker->child;
  *last = *first + (part < left ? part : left);
  worker->child = *last;
  if (work->workers > 1)
    pthread_mutex_unlock(&worker->lock);
  return left > 0;
}

/* Ends the worker's stretch and closes its segment. */
static void stealing_finish(ms_stealing *work, int w)
{
  ms_stealing_worker *worker = &work->worker[w];
  pthread_mutex_lock(&worker->lock);
  ms_segment *segment = worker->segment;
  worker->segment = NULL;
  worker->root = worker->root_end = worker->child = worker->child_end = 0;
  pthread_mutex_unlock(&worker->lock);
  if (segment)
    ms_stream_close(work->stream, segment);
}

/* ---- engine ---------------------------------------------------------------------------------- */

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
  while (stealing_children(&s->work, w, &first, &last))
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
      stealing_offer(&s->work, w, root, children);
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
  while (stealing_root(&s->work, w, &root)) {
    k->runner.status = ms_numbers_low() ? MS_ERR_MEMORY : ms_stop_check(s->task->stop);
    if (k->runner.status != MS_OK || !run_root(s, k, w, root, false))
      return false;
    report_root(s, w);
  }
  return true;
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
  atomic_fetch_sub(&s->work.idle, 1); /* before the first stealing_take */
  ms_status status = init_walk(s, k, &o, err);
  while (status == MS_OK && ok && stealing_take(&s->work, w, &stolen)) {
    o.segment = s->work.worker[w].segment;
    ok = run_stretch(s, k, w, stolen);
    ok = pass_rows(&o) && ok; /* what was found before a stop, too */
    stealing_finish(&s->work, w);
  }
  if (status == MS_OK && runner->status == MS_ERR_MEMORY)
    status = ms_fail_memory(err, "candidate sets");
  else if (status == MS_OK)
    status = runner->status;
  if (status != MS_OK || !ok) {
    atomic_store(&s->work.halt, true);
    if (s->work.stream)
      ms_stream_halt(s->work.stream);
  }
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
  ms_status status = stealing_init(&s->work, threads, roots, stream, err);
  if (status == MS_OK) {
    ms_parallel_team(threads, run_worker, s);
    status = s->status;
    if (status != MS_OK && err)
      *err = s->error;
    if (status == MS_OK && atomic_load(&s->work.no_memory))
      status = ms_fail_memory(err, "buffers of matches");
  }
  stealing_destroy(&s->work);
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
