/* Screens of many motifs on a GPU: batches of small motifs, and the others in between.
 *
 * The motifs are cut into stretches, each with at most as many small ones as a batch has.  While
 * the results of one stretch are passed on, the device has the next one.  A result is an array of
 * numbers for each vertex of the graph; it is made from the device's bits, and cleared bit by bit
 * after it was received, so that a motif costs what it flags and not what the graph holds. */
#include "run/session_gpu.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/stop.h"
#include "base/threads/threads.h"
#include "gpu/motif/session.h"

#include <stdio.h>
#include <string.h>

enum {
  TEXT_ROOM = 128,
  MOST_BATCH = 64,
  STRETCHES = 2,
  WORDS = 1024, /* of bits that a thread shows at a time */
};

/* Motifs first..end-1, and the small ones among them. */
typedef struct stretch {
  uint32_t first, end, small_count;
  uint32_t small[MOST_BATCH];
  double begun; /* when the device was asked */
} stretch;

typedef struct screening {
  const ms_session *session;
  const ms_motif_set *motifs;
  ms_screen_options options; /* for a motif that runs by itself */
  double seconds;
  ms_screened_fn receive;
  void *user;
  ms_gpu_session *gpu;      /* NULL: every motif runs by itself */
  ms_screen_result *result; /* for small motifs */
  uint32_t *shown;          /* [2][words] the bits of hits and kept of the result */
  stretch stretch[STRETCHES];
  bool more; /* the run goes on */
} screening;

bool ms_session_gpu_serves(const ms_screen_options *o)
{
  bool of_sieve = o->repetitions || o->no_early_stop || o->no_prune || o->match_size;
  return o->backend == MS_BACKEND_CUDA && o->method == MS_METHOD_AUTO && o->run.n_devices <= 1 &&
         !of_sieve;
}

/* ---- results ----------------------------------------------------------------------- */

static uint32_t words_of(uint32_t n)
{
  return n / 32 + (n % 32 != 0);
}

static ms_status make_result(screening *s, int device, ms_error *err)
{
  ms_screen_result *r = s->result = ms_calloc(1, sizeof *r);
  if (!r)
    return ms_fail_memory(err, "the result");
  r->n = s->session->graph->n;
  r->hits = ms_calloc(r->n, sizeof *r->hits);
  r->kept = ms_calloc(r->n, 1);
  r->miss_bound_text = ms_calloc(TEXT_ROOM, 1);
  r->backend_reason = ms_calloc(TEXT_ROOM, 1);
  s->shown = ms_calloc((size_t)2 * words_of(r->n), sizeof *s->shown);
  if (!r->hits || !r->kept || !r->miss_bound_text || !r->backend_reason || !s->shown)
    return ms_fail_memory(err, "the result");
  snprintf(r->miss_bound_text, TEXT_ROOM, "0: enumeration misses no vertex");
  snprintf(r->backend_reason, TEXT_ROOM, "GPU %d, where small motifs are searched exactly", device);
  r->backend = MS_BACKEND_CUDA;
  r->devices = 1;
  r->exact = true;
  return MS_OK;
}

typedef struct showing {
  screening *s;
  const ms_gpu_answer *answer;
} showing;

static void show_words(void *user, ms_range range)
{
  const showing *show = user;
  ms_screen_result *r = show->s->result;
  uint32_t *flag = show->s->shown, *keep = flag + words_of(r->n);
  for (uint64_t w = range.begin; w < range.end; w++) {
    for (uint32_t rest = flag[w] ^ show->answer->flag[w]; rest; rest &= rest - 1) {
      uint32_t bit = (uint32_t)__builtin_ctz(rest);
      r->hits[32 * w + bit] = show->answer->flag[w] >> bit & 1;
    }
    for (uint32_t rest = keep[w] ^ show->answer->keep[w]; rest; rest &= rest - 1) {
      uint32_t bit = (uint32_t)__builtin_ctz(rest);
      r->kept[32 * w + bit] = show->answer->keep[w] >> bit & 1;
    }
    flag[w] = show->answer->flag[w];
    keep[w] = show->answer->keep[w];
  }
}

/* Makes the result that of the answer. */
static void show_answer(screening *s, const ms_gpu_answer *answer)
{
  ms_screen_result *r = s->result;
  /* writing a number takes a few steps, because most of them are in lines of their own */
  int threads = ms_threads_for(s->options.run.threads, 4 * (uint64_t)answer->kept);
  r->flagged = answer->flagged;
  r->vertices_kept = r->settled = answer->kept;
  ms_parallel(threads, words_of(r->n), WORDS, show_words, &(showing){s, answer});
}

/* ---- motifs ------------------------------------------------------------------------ */

static ms_status open_query(const screening *s, uint32_t i, ms_query **query, ms_error *err)
{
  return ms_query_new(s->session->graph, s->session->coloring, ms_motif_set_motif(s->motifs, i), 0,
                      NULL, query, err);
}

/* Passes a result on.  After a stop the run goes on until a result says so. */
static void pass_on(screening *s, uint32_t i, const ms_query *query, const ms_screen_result *result,
                    double seconds)
{
  const ms_screen_options *o = &s->options;
  bool stopped = ms_stop_check(o->run.stop) != MS_OK;
  s->more = s->receive(s->user, i, query, result, seconds) &&
            !(stopped &&
              (result->run.stopped == MS_ERR_LIMIT || result->run.stopped == MS_ERR_INTERRUPTED));
  if (s->more && !stopped)
    ms_limits_report(&o->run, "motifs", i + 1, ms_motif_set_size(s->motifs));
}

/* Runs one motif by itself. */
static ms_status run_alone(screening *s, uint32_t i, ms_error *err)
{
  ms_screen_options o = s->options;
  ms_screen_result *result = NULL;
  ms_query *query;
  ms_error reason;
  double begin = ms_seconds();
  MS_TRY(open_query(s, i, &query, err));
  ms_status status = ms_stop_child(s->options.run.stop, s->seconds, &o.run.stop, &reason);
  o.run.progress = NULL;
  if (status == MS_OK)
    status = ms_screen(query, &o, &result, &reason);
  if (status == MS_OK)
    pass_on(s, i, query, result, ms_seconds() - begin);
  else
    ms_fail(err, status, "motif %s: %s", ms_motif_set_name(s->motifs, i), reason.message);
  ms_stop_free(o.run.stop == s->options.run.stop ? NULL : o.run.stop);
  ms_screen_result_free(result);
  ms_query_free(query);
  return status;
}

static ms_status pass_answer(screening *s, uint32_t i, const ms_gpu_answer *answer, double seconds,
                             ms_error *err)
{
  ms_screen_result *r = s->result;
  ms_query *query;
  MS_TRY(open_query(s, i, &query, err));
  r->k = ms_motif_size(query->motif);
  show_answer(s, answer);
  pass_on(s, i, query, r, seconds);
  ms_query_free(query);
  return MS_OK;
}

/* ---- stretches --------------------------------------------------------------------- */

/* Begins the stretch whose first motif is `first`, and asks the device for its small motifs. */
static ms_status begin_stretch(screening *s, stretch *t, uint32_t first, ms_error *err)
{
  const ms_motif *motif[MOST_BATCH];
  uint32_t all = ms_motif_set_size(s->motifs), most = s->gpu ? ms_gpu_session_batch(s->gpu) : 0;
  *t = (stretch){.first = first, .end = first, .begun = ms_seconds()};
  for (; t->end < all && (t->small_count < most || most == 0); t->end++) {
    const ms_motif *m = ms_motif_set_motif(s->motifs, t->end);
    if (most == 0 || !ms_gpu_session_takes(m))
      continue;
    motif[t->small_count] = m;
    t->small[t->small_count++] = t->end;
  }
  if (t->small_count == 0)
    return MS_OK;
  return ms_gpu_session_begin(s->gpu, motif, t->small_count, err);
}

/* Passes on the results of a stretch. */
static ms_status end_stretch(screening *s, const stretch *t, ms_error *err)
{
  ms_gpu_answer answer[MOST_BATCH];
  uint32_t next = 0;
  if (t->small_count > 0)
    MS_TRY(ms_gpu_session_end(s->gpu, answer, err));
  double seconds = (ms_seconds() - t->begun) / (t->small_count ? t->small_count : 1);
  for (uint32_t i = t->first; i < t->end && s->more; i++) {
    bool small = next < t->small_count && t->small[next] == i;
    const ms_gpu_answer *a = small ? &answer[next++] : NULL;
    /* after a stop, a screen by itself says so */
    if (a && a->known && ms_stop_check(s->options.run.stop) == MS_OK)
      MS_TRY(pass_answer(s, i, a, seconds, err));
    else
      MS_TRY(run_alone(s, i, err));
  }
  return MS_OK;
}

static ms_status run_stretches(screening *s, ms_error *err)
{
  uint32_t all = ms_motif_set_size(s->motifs), now = 0;
  if (all == 0)
    return MS_OK;
  MS_TRY(begin_stretch(s, &s->stretch[0], 0, err));
  for (;; now = 1 - now) {
    const stretch *t = &s->stretch[now];
    bool last = t->end == all;
    if (!last)
      MS_TRY(begin_stretch(s, &s->stretch[1 - now], t->end, err));
    MS_TRY(end_stretch(s, t, err));
    if (last || !s->more)
      return MS_OK;
  }
}

ms_status ms_session_gpu_screen(const ms_session *session, const ms_motif_set *motifs,
                                const ms_screen_options *options, double seconds,
                                ms_screened_fn receive, void *user, ms_error *err)
{
  screening s = {.session = session,
                 .motifs = motifs,
                 .options = *options,
                 .seconds = seconds,
                 .receive = receive,
                 .user = user,
                 .more = true};
  int device = options->run.n_devices ? options->run.devices[0] : 0;
  s.options.method = MS_METHOD_SIEVE;
  ms_status status = ms_gpu_session_open(session->graph, session->coloring, device,
                                         options->run.threads, options->run.memory, &s.gpu, err);
  if (status == MS_ERR_MEMORY) /* a screen by itself may need less */
    status = MS_OK;
  if (status == MS_OK)
    status = make_result(&s, device, err);
  if (status == MS_OK)
    status = run_stretches(&s, err);
  ms_gpu_session_close(s.gpu);
  ms_screen_result_free(s.result);
  ms_free(s.shown);
  return status;
}
