/* Many motifs on one graph.
 *
 * Most motifs of a long list take milliseconds, and a few take long.  So the motifs go in batches.
 * First each thread takes one motif of the batch after the other.  Once a thread finds none left,
 * the others have a moment to finish; what they do not finish runs again, one motif after another,
 * each by all threads.  When a motif runs on which thread decides only where it runs, and never
 * what its result is. */
#include "run/session.h"
#include "base/hooks.h"
#include "parts/log.h"
#include "run/run.h"
#include "run/session_gpu.h"
#include "run/units/screen_units.h"

#include "base/alloc.h"
#include "base/budget.h"
#include "base/options.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/stop.h"
#include "base/threads/threads.h"
#include "motif/sort_rows.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define MOST_IN_BATCH 256u                /* motifs */
#define BATCH_BYTES ((uint64_t)128 << 20) /* of the results that wait for the receiver */
#define BYTES_A_VERTEX 5u                 /* of the result of a screen */
#define MOST_WITH_ROWS 4u                 /* motifs for each thread, if their rows are stored */

ms_status ms_session_new(const ms_graph *graph, const ms_coloring *coloring, ms_session **out,
                         ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(graph, err);
  MS_REQUIRE(coloring, err);
  ms_session *session = ms_calloc(1, sizeof *session);
  if (!session)
    return ms_fail_memory(err, "a session");
  session->graph = graph;
  session->coloring = coloring;
  ms_status status = ms_holders_new(graph, coloring, &session->holders, err);
  if (status != MS_OK) {
    ms_session_free(session);
    return status;
  }
  *out = session;
  return MS_OK;
}

void ms_session_free(ms_session *session)
{
  if (session)
    ms_holders_free(session->holders);
  ms_free(session);
}

ms_status ms_session_query(const ms_session *session, const ms_motif *motif, uint32_t n_required,
                           const char *const *required, ms_query **out, ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(session, err);
  MS_TRY(ms_query_new(session->graph, session->coloring, motif, n_required, required, out, err));
  if (ms_holders_serve(*out))
    (*out)->holders = session->holders;
  return MS_OK;
}

/* ---- one motif ------------------------------------------------------------------- */

/* A motif of a batch. */
typedef struct piece {
  ms_query *query;
  void *result; /* NULL: it is not known yet */
  double seconds;
} piece;

typedef struct many many;

/* What is asked of each motif.  `options` are those of the caller. */
typedef struct question {
  ms_status (*run)(const void *options, const ms_run_limits *by, const ms_query *query,
                   void **result, ms_error *err);
  ms_status (*stopped)(const void *result);
  /* true if time or an interruption ended it, and not, say, a limit of matches */
  bool (*is_cut)(const many *m, const void *result);
  void (*drop)(void *result);
  bool (*receive)(const many *m, uint32_t i, const piece *p);
} question;

struct many {
  const question *question;
  const void *options;
  const ms_screen_options *screen; /* a part of the options */
  const ms_session *session;
  const ms_motif_set *motifs;
  ms_screened_fn screened;
  ms_listed_fn listed;
  void *user;
  uint32_t first, count; /* motifs of the batch */
  bool stores_rows;
  uint64_t memory;           /* of each motif that runs beside others */
  double seconds;            /* that each motif may take; 0: any */
  ms_stop *stop;             /* of the batch */
  atomic_uint_fast32_t next; /* the first motif of the batch that no thread has taken, from 0 */
  atomic_bool idle;          /* a thread has found none left, and the token has its deadline */
  piece *piece;              /* [count] */
};

static ms_status run_piece(const many *m, uint32_t i, const ms_run_limits *by, ms_error *err)
{
  piece *p = &m->piece[i - m->first];
  double begin = ms_seconds();
  ms_status status = p->query ? MS_OK
                              : ms_session_query(m->session, ms_motif_set_motif(m->motifs, i), 0,
                                                 NULL, &p->query, err);
  if (status == MS_OK)
    status = m->question->run(m->options, by, p->query, &p->result, err);
  p->seconds += ms_seconds() - begin;
  return status;
}

/* True if the result is final: what ended it early is not a limit that only the batch had. */
static bool is_final(const many *m, const piece *p)
{
  ms_status stopped = m->question->stopped(p->result);
  if (stopped == MS_OK || ms_stop_check(m->screen->run.stop) != MS_OK)
    return true;
  return stopped != MS_ERR_MEMORY && ms_stop_check(m->stop) == MS_OK;
}

/* Runs a motif of the batch on this thread.  If it fails, it runs again later with all that the
 * caller allows, and then fails for the caller. */
static void run_alone(const many *m, uint32_t i)
{
  piece *p = &m->piece[i - m->first];
  ms_run_limits by = m->screen->run;
  by.threads = 1;
  by.memory = m->memory;
  by.progress = NULL;
  if (ms_stop_child(m->stop, m->seconds, &by.stop, NULL) != MS_OK)
    return;
  ms_status status = run_piece(m, i, &by, NULL);
  if (status == MS_OK && !is_final(m, p)) {
    m->question->drop(p->result);
    p->result = NULL;
  }
  ms_stop_free(by.stop);
}

/* Runs motifs of the batch, side by side with other threads, until none is left. */
static void run_side_by_side(void *user, int thread)
{
  many *m = user;
  (void)thread;
  for (;;) {
    uint32_t at = atomic_fetch_add(&m->next, 1);
    if (at >= m->count)
      break;
    if (ms_stop_check(m->stop) == MS_OK)
      run_alone(m, m->first + at);
  }
  /* once only: a later deadline would revive a token that has stopped others */
  if (!atomic_exchange(&m->idle, true))
    ms_stop_after(m->stop, ms_hooks.session_moment);
}

/* Runs a motif to its end, with all threads. */
static ms_status run_fully(const many *m, uint32_t i, ms_error *err)
{
  const ms_screen_options *o = m->screen;
  ms_run_limits by = o->run;
  ms_error reason;
  by.progress = NULL;
  MS_TRY(ms_stop_child(o->run.stop, m->seconds, &by.stop, err));
  ms_status status = run_piece(m, i, &by, &reason);
  ms_stop_free(by.stop);
  if (status == MS_OK)
    return MS_OK;
  return ms_fail(err, status, "motif %s: %s", ms_motif_set_name(m->motifs, i), reason.message);
}

/* ---- batches --------------------------------------------------------------------- */

static void close_piece(const many *m, piece *p)
{
  m->question->drop(p->result);
  ms_query_free(p->query);
  *p = (piece){0};
}

/* Runs the motifs of a batch that are not done, and passes all results on.  *more: the run goes
 * on.  After a stop it goes on until a result says so, which is then the last one. */
static ms_status finish_batch(const many *m, bool *more, ms_error *err)
{
  bool wanted = true;
  for (uint32_t i = m->first; wanted && i < m->first + m->count; i++) {
    piece *p = &m->piece[i - m->first];
    if (!p->result)
      MS_TRY(run_fully(m, i, err));
    wanted = m->question->receive(m, i, p);
    bool stopped = ms_stop_check(m->screen->run.stop) != MS_OK;
    *more = wanted && !(stopped && m->question->is_cut(m, p->result));
    if (wanted && !stopped)
      ms_limits_report(&m->screen->run, "motifs", i + 1, ms_motif_set_size(m->motifs));
    close_piece(m, p);
  }
  return MS_OK;
}

static ms_status run_batch(many *m, bool *more, ms_error *err)
{
  if (m->count > 1) {
    MS_TRY(ms_stop_child(m->screen->run.stop, 0, &m->stop, err));
    atomic_store(&m->next, 0);
    atomic_store(&m->idle, false);
    ms_parallel_team(ms_threads(m->screen->run.threads), run_side_by_side, m);
    ms_stop_free(m->stop);
  }
  return finish_batch(m, more, err);
}

/* Returns how many motifs make a batch: 1 if they should run one after another, because there is
 * one thread, or no memory for the results of several. */
static uint32_t batch_size(const many *m, uint64_t threads, uint64_t memory)
{
  bool on_gpus = m->screen->method == MS_METHOD_SIEVE && m->screen->backend != MS_BACKEND_CPU;
  uint64_t bytes = memory / 8 < BATCH_BYTES ? memory / 8 : BATCH_BYTES;
  uint64_t size = bytes / ((uint64_t)BYTES_A_VERTEX * m->session->graph->n + 1);
  uint64_t most = m->stores_rows ? MOST_WITH_ROWS * threads : MOST_IN_BATCH;
  size = size < most ? size : most;
  return threads == 1 || on_gpus || size < threads ? 1 : (uint32_t)size;
}

static ms_status run_batches(many *m, ms_error *err)
{
  uint64_t threads = (uint64_t)ms_threads(m->screen->run.threads);
  uint64_t memory = ms_memory_bound(m->screen->run.memory);
  uint32_t size = batch_size(m, threads, memory), all = ms_motif_set_size(m->motifs);
  ms_status status = MS_OK;
  bool more = true;
  m->memory = memory / 2 / (m->stores_rows ? size : threads);
  m->piece = ms_calloc(size, sizeof *m->piece);
  if (!m->piece)
    return ms_fail_memory(err, "the motifs of a batch");
  for (m->first = 0; status == MS_OK && more && m->first < all; m->first += m->count) {
    m->count = all - m->first < size ? all - m->first : size;
    if (ms_stop_check(m->screen->run.stop) != MS_OK)
      m->count = 1;
    status = run_batch(m, &more, err);
  }
  for (uint32_t i = 0; i < size; i++)
    close_piece(m, &m->piece[i]);
  ms_free(m->piece);
  return status;
}

static ms_status check_run(const ms_session *session, const ms_motif_set *motifs, double seconds,
                           ms_error *err)
{
  ms_query *query;
  if (!(seconds >= 0))
    return ms_fail(err, MS_ERR_USAGE, "`seconds` is %g; give a number from 0 on", seconds);
  if (motifs->count == 0)
    return MS_OK;
  /* refuses motifs of other colours */
  MS_TRY(ms_query_new(session->graph, session->coloring, motifs->motif[0], 0, NULL, &query, err));
  ms_query_free(query);
  return MS_OK;
}

/* ---- screens --------------------------------------------------------------------- */

static ms_status run_screen(const void *options, const ms_run_limits *by, const ms_query *query,
                            void **result, ms_error *err)
{
  ms_screen_options o = *(const ms_screen_options *)options;
  ms_screen_result *screen = NULL;
  o.run = *by;
  ms_status status = ms_screen(query, &o, &screen, err);
  *result = screen;
  return status;
}

static ms_status screen_stopped(const void *result)
{
  return ((const ms_screen_result *)result)->run.stopped;
}

static bool is_screen_cut(const many *m, const void *result)
{
  (void)m;
  return screen_stopped(result) == MS_ERR_LIMIT || screen_stopped(result) == MS_ERR_INTERRUPTED;
}

static void free_screen(void *result)
{
  ms_screen_result_free(result);
}

static bool receive_screen(const many *m, uint32_t i, const piece *p)
{
  return m->screened(m->user, i, p->query, p->result, p->seconds);
}

ms_status ms_session_screen(const ms_session *session, const ms_motif_set *motifs,
                            const ms_screen_options *options, double seconds,
                            ms_screened_fn receive, void *user, ms_error *err)
{
  static const question screens = {run_screen, screen_stopped, is_screen_cut, free_screen,
                                   receive_screen};
  ms_screen_options o;
  MS_REQUIRE(session, err);
  MS_REQUIRE(motifs, err);
  MS_REQUIRE(receive, err);
  MS_TRY(ms_options_take(&ms_screen_options_kind, options, &o, err));
  MS_TRY(ms_screen_refuse_units(&o, "a search for many motifs", err));
  if (ms_screen_is_nearest(&o) || o.profile || o.vertex_scores)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s is for one motif; leave it out, or call ms_screen for each",
                   o.profile         ? "`profile`"
                   : o.vertex_scores ? "`vertex_scores`"
                                     : "a search for the nearest matches");
  MS_TRY(check_run(session, motifs, seconds, err));
  if (ms_session_gpu_serves(&o))
    return ms_session_gpu_screen(session, motifs, &o, seconds, receive, user, err);
  many m = {.question = &screens,
            .options = &o,
            .screen = &o,
            .session = session,
            .motifs = motifs,
            .seconds = seconds,
            .screened = receive,
            .user = user};
  return run_batches(&m, err);
}

/* ---- lists ----------------------------------------------------------------------- */

/* Rows that a receiver keeps. */
typedef struct kept_rows {
  uint32_t width;
  uint64_t count, room, most; /* rows: kept, with room, and at most */
  uint32_t *vertices;         /* [room][width] */
  bool full;                  /* there was no memory for a row */
} kept_rows;

/* Keeps rows; an ms_list_rows_fn. */
static bool keep_rows(void *user, const uint32_t *rows, uint64_t count)
{
  kept_rows *k = user;
  uint64_t wanted = k->count + count;
  size_t row_bytes = k->width * sizeof *rows;
  if (wanted > k->room) {
    uint64_t room = 2 * wanted < k->most ? 2 * wanted : k->most;
    uint32_t *larger = wanted <= k->most ? ms_resize(k->vertices, k->room, room, row_bytes) : NULL;
    k->full = larger == NULL;
    if (!larger)
      return false;
    k->vertices = larger;
    k->room = room;
  }
  memcpy(k->vertices + k->count * k->width, rows, count * row_bytes);
  k->count = wanted;
  return true;
}

/* Lists up to a limit.  Which matches a list stores then depends on the threads, but not those that
 * a receiver gets.  The rows may take half of the memory. */
static ms_status list_first(const ms_query *query, ms_list_options *o, ms_list_result **list,
                            ms_error *err)
{
  kept_rows kept = {.width = query->motif->k};
  kept.most = ms_memory_bound(o->screen.run.memory) / 2 / (kept.width * sizeof *kept.vertices);
  o->rows = keep_rows;
  o->rows_user = &kept;
  ms_status status = ms_list(query, o, list, err);
  if (status == MS_OK && kept.full && kept.count == 0) {
    ms_list_result_free(*list);
    *list = NULL;
    status = ms_fail(err, MS_ERR_MEMORY, "there is no memory for a match; raise `memory`");
  }
  if (status != MS_OK) {
    ms_free(kept.vertices);
    return status;
  }
  if ((*list)->streamed)
    ms_sort_rows(kept.vertices, kept.count, kept.width, NULL);
  if (kept.full) {
    (*list)->run.stopped = MS_ERR_MEMORY;
    (*list)->matches = kept.count;
    sprintf((*list)->count_text, "%" PRIu64, kept.count); /* fewer than there were */
  }
  (*list)->streamed = false;
  (*list)->vertices = kept.vertices;
  return MS_OK;
}

static ms_status run_list(const void *options, const ms_run_limits *by, const ms_query *query,
                          void **result, ms_error *err)
{
  ms_list_options o = *(const ms_list_options *)options;
  ms_list_result *list = NULL;
  o.screen.run = *by;
  ms_status status = o.limit > 0 && !o.count_only ? list_first(query, &o, &list, err)
                                                  : ms_list(query, &o, &list, err);
  *result = list;
  return status;
}

static ms_status list_stopped(const void *result)
{
  return ((const ms_list_result *)result)->run.stopped;
}

static bool is_list_cut(const many *m, const void *result)
{
  const ms_list_result *list = result;
  uint64_t limit = ((const ms_list_options *)m->options)->limit;
  return list->run.stopped == MS_ERR_INTERRUPTED ||
         (list->run.stopped == MS_ERR_LIMIT && !(limit > 0 && list->matches >= limit));
}

static void free_list(void *result)
{
  ms_list_result_free(result);
}

static bool receive_list(const many *m, uint32_t i, const piece *p)
{
  return m->listed(m->user, i, p->query, p->result, p->seconds);
}

ms_status ms_session_list(const ms_session *session, const ms_motif_set *motifs,
                          const ms_list_options *options, double seconds, ms_listed_fn receive,
                          void *user, ms_error *err)
{
  static const question lists = {run_list, list_stopped, is_list_cut, free_list, receive_list};
  ms_list_options o;
  MS_REQUIRE(session, err);
  MS_REQUIRE(motifs, err);
  MS_REQUIRE(receive, err);
  MS_TRY(ms_options_take(&ms_list_options_kind, options, &o, err));
  MS_TRY(ms_division_refuse(o.screen.run.division, "a search for many motifs", err));
  if (o.participation)
    return ms_fail(err, MS_ERR_USAGE,
                   "`participation` is for one motif; leave it out, or call ms_list for each");
  if (o.sample > 0 || o.diverse || o.families != 0 || o.vertex_scores)
    return ms_fail(err, MS_ERR_USAGE,
                   "`%s` is for one motif; leave it out, or call ms_list for each",
                   o.diverse         ? "diverse"
                   : o.sample > 0    ? "sample"
                   : o.vertex_scores ? "vertex_scores"
                                     : "families");
  if (o.sort || o.top > 0 || o.min_density != 0 || o.min_mean_score != 0)
    return ms_fail(err, MS_ERR_USAGE,
                   "`%s` is for one motif; leave it out, or call ms_list for each",
                   o.sort || o.top > 0  ? "sort"
                   : o.min_density != 0 ? "min_density"
                                        : "min_mean_score");
  if (o.begin || o.rows)
    return ms_fail(
        err, MS_ERR_USAGE,
        "ms_session_list passes whole results to its receiver; set begin and rows of the "
        "options to NULL, or call ms_list for each motif");
  MS_TRY(check_run(session, motifs, seconds, err));
  many m = {.stores_rows = !o.count_only,
            .question = &lists,
            .options = &o,
            .screen = &o.screen,
            .session = session,
            .motifs = motifs,
            .seconds = seconds,
            .listed = receive,
            .user = user};
  return run_batches(&m, err);
}
