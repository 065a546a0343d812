/* ms_screen: query -> instance -> pruned instance -> sieve -> flags. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/threads.h"
#include "graph/vertex_scores.h"
#include "motif/holders.h"
#include "motif/instance.h"
#include "run/best_sums.h"
#include "run/profile.h"
#include "run/screening.h"
#include "run/units/screen_units.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- pruning on a GPU ------------------------------------------------------------------------ */

/* Below, pruning takes 32 processor cores 1.2 to 1.4 ms (bench/results/gpu-h200.txt, n = 2^16 and
 * 2^17), where an H200 takes 0.85 ms for n = 2^17 (bench/prune_gpu.sh). */
#define LEAST_ARCS ((uint64_t)1 << 21)
/* More than a machine has. */
enum { MOST_DEVICES = 64 };

/* Only where the sieve on GPUs is sure to follow: auto chooses after pruning, and a run in parts or
 * one that checks itself may use processors. */
/* True if a GPU may prune for a screen with these options: the graph is large and nothing but the
 * sieve on GPUs will read the rows.  The environment variable MOTIFSIEVE_PRUNE=cpu leaves it to the
 * processors, and MOTIFSIEVE_PRUNE=gpu takes small graphs, too: for measurements and tests. */
static bool screen_prunes_on_gpu(const ms_query *query, const ms_screen_options *o)
{
  const char *wanted = getenv("MOTIFSIEVE_PRUNE");
  bool never = wanted && strcmp(wanted, "cpu") == 0, always = wanted && strcmp(wanted, "gpu") == 0;
  return !never && (always || query->graph->arcs >= LEAST_ARCS) && o->backend == MS_BACKEND_CUDA &&
         o->method == MS_METHOD_SIEVE && !o->run.division && !o->no_prune &&
         (o->match_size == 0 || o->match_size == query->motif->k);
}

/* Fills device[] with the GPUs of the options, or all.  Returns their number; 0 if one of those
 * that are named does not exist, which the sieve reports. */
static uint32_t list_devices(const ms_screen_options *o, int device[MOST_DEVICES])
{
  int present = ms_gpu_device_count();
  uint32_t count = o->run.n_devices ? o->run.n_devices : present > 0 ? (uint32_t)present : 0;
  if (count > MOST_DEVICES)
    return 0;
  for (uint32_t i = 0; i < count; i++) {
    device[i] = o->run.n_devices ? o->run.devices[i] : (int)i;
    if (device[i] < 0 || device[i] >= present)
      return 0;
  }
  return count;
}

/* Gives the instance its last form. */
static void complete(ms_instance *in)
{
  ms_free(in->neighbor);
  in->neighbor = NULL;
  in->pruned = true;
  if (in->n == 0)
    ms_instance_make_impossible(in);
}

/* ---- beside the GPU ------------------------------------------------------------------------- */

typedef struct beside {
  ms_screening *s;
  const ms_instance *whole;
  ms_masking *masking; /* NULL: the masks are there */
  atomic_bool masks;   /* .. or are being made */
} beside;

static void fill_masks(void *user, ms_range r)
{
  beside *b = user;
  atomic_store_explicit(&b->masks, true, memory_order_relaxed);
  ms_masking_range(b->masking, r);
}

/* Begins the sieve's problem with all vertices, which are usually those that are left, and clears
 * the result. */
static void prepare_sieve(void *user)
{
  const beside *b = user;
  ms_screening *s = b->s;
  const ms_screen_options *o = s->options;
  if (ms_sieve_problem_begin(&s->problem, b->whole, s->size, o->recurrence, o->run.seed,
                             o->run.threads, NULL) != MS_OK)
    s->problem.instance = NULL;
  ms_screening_clear_hits(s);
}

/* Prunes if the GPUs of the options exist; s->rows is NULL if the processors have to. */
static ms_status try_gpu(beside *b, ms_instance *whole, ms_prune_stats *stats, ms_error *err)
{
  int device[MOST_DEVICES];
  ms_screening *s = b->s;
  const ms_screen_options *options = s->options;
  ms_gpu_prune_options o = {.run = options->run,
                            .fill = b->masking ? fill_masks : NULL,
                            .fill_user = b,
                            .meanwhile = prepare_sieve,
                            .meanwhile_user = b};
  o.run.devices = device;
  o.run.n_devices = list_devices(options, device);
  if (o.run.n_devices == 0)
    return MS_OK;
  MS_TRY(ms_instance_alloc(whole->n, 0, whole->k, &s->instance, err));
  ms_status status = ms_gpu_prune(whole, &o, s->instance, &stats->components, &s->rows, err);
  if (status == MS_OK && s->rows) {
    complete(s->instance);
    return MS_OK;
  }
  ms_instance_free(s->instance);
  s->instance = NULL;
  return status == MS_ERR_MEMORY || status == MS_ERR_DEVICE_LOST ? MS_OK : status;
}

/* Prunes the whole instance on the first GPU of the options, if a GPU may prune and no required
 * vertex is loose; to the same vertices and arcs as ms_instance_prune.  masking is NULL, or makes
 * the masks of `whole`; on return these are made, whatever the result.  s->rows receives the rows,
 * which the caller frees after the last use of s->instance.  This has no array of neighbours, nor
 * of offsets unless the sieve needs them, and `whole` can then only be freed, since its arrays may
 * have gone to it.  s->instance and s->rows are NULL if the processors
 * have to prune.  If all vertices are left,
 * s->problem is the sieve's problem as ms_sieve_problem_begin makes it; otherwise its instance is
 * NULL. */
static ms_status screen_prune_gpu(ms_screening *s, ms_instance *whole, ms_masking *masking,
                                  ms_prune_stats *stats, ms_error *err)
{
  beside b = {.s = s, .whole = whole, .masking = masking};
  ms_status status = MS_OK;
  if (screen_prunes_on_gpu(s->query, s->options) && !whole->impossible && whole->n_loose == 0)
    status = try_gpu(&b, whole, stats, err);
  if (masking && !atomic_load(&b.masks))
    ms_parallel(ms_threads_for(s->options->run.threads, whole->n), whole->n, 0, ms_masking_range,
                masking);
  if (!s->instance || s->instance->n < whole->n) /* of other vertices than the problem's */
    s->problem.instance = NULL;
  return status;
}

/* ---- the screen ------------------------------------------------------------------------------ */

typedef ms_screening screening;

/* Makes an instance of the whole graph.  *masking is NULL, or gives it its masks, which a GPU that
 * prunes does not need at once. */
static ms_status make_whole(const screening *s, ms_instance **whole, ms_masking **masking,
                            ms_error *err)
{
  const ms_query *q = s->query;
  const ms_screen_options *o = s->options;
  *masking = NULL;
  MS_TRY(s->size < q->motif->k ? ms_instance_new_loose(q, o->run.threads, whole, err)
         : q->n_required == 0 && screen_prunes_on_gpu(q, o)
             ? ms_instance_begin(q, whole, masking, err)
             : ms_instance_new(q, o->run.threads, whole, err));
  (*whole)->size = s->size;
  return MS_OK;
}

/* Prunes the whole graph.  If it is stopped, all vertices are left, because one that is not dropped
 * yet may be in a match or not. */
static ms_status prune_graph(screening *s, ms_prune_stats *stats, ms_error *err)
{
  const ms_screen_options *o = s->options;
  ms_instance *whole;
  ms_masking *masking;
  MS_TRY(make_whole(s, &whole, &masking, err));
  if (o->no_prune && !whole->impossible) {
    s->instance = whole;
    return MS_OK;
  }
  ms_status status = screen_prune_gpu(s, whole, masking, stats, err);
  ms_masking_free(masking);
  if (status == MS_OK && !s->instance)
    status = ms_instance_prune(whole, o->run.threads, &s->instance, stats, err);
  status = ms_run_settle(&s->run, status);
  if (s->run.stopped != MS_OK) {
    s->instance = whole;
    whole = NULL;
  }
  ms_instance_free(whole);
  return status;
}

/* Does the same with the holders of a session.  Without a sieve, trees drop further vertices. */
static ms_status prune_holders(screening *s, ms_prune_stats *stats, ms_error *err)
{
  const ms_query *q = s->query;
  ms_status status = s->filtered
                         ? ms_holders_filter(q->holders, q, &s->instance, &s->certain, stats, err)
                         : ms_holders_prune(q->holders, q, &s->instance, stats, err);
  status = ms_run_settle(&s->run, status);
  if (s->run.stopped == MS_OK)
    return status;
  s->filtered = s->certain = false;
  return ms_instance_new(q, s->options->run.threads, &s->instance, err);
}

static ms_status prune(screening *s, ms_error *err)
{
  bool has_holders = s->query->holders && s->size == s->query->motif->k && !s->options->no_prune;
  ms_prune_stats stats = {0};
  double start = ms_seconds();
  s->filtered = s->filtered && has_holders;
  ms_status status = has_holders ? prune_holders(s, &stats, err) : prune_graph(s, &stats, err);
  ms_screening_clear_hits(s);
  s->result->components = stats.components;
  s->result->time_prune = ms_seconds() - start;
  return status;
}

static ms_status alloc_result(screening *s, ms_error *err)
{
  ms_screen_result *r = s->result = ms_calloc(1, sizeof *r);
  if (!r)
    return ms_fail_memory(err, "the result");
  r->n = s->query->graph->n;
  r->k = s->query->motif->k;
  r->hits = ms_alloc_lines(r->n, sizeof *r->hits);
  r->kept = ms_alloc(r->n, 1);
  r->miss_bound_text = ms_calloc(MS_SCREEN_BOUND_ROOM, 1);
  r->backend_reason = ms_calloc(MS_SCREEN_REASON_ROOM, 1);
  r->backend = MS_BACKEND_CPU;
  bool sums = s->options->vertex_scores;
  r->best_sum = sums ? ms_calloc(r->n, sizeof *r->best_sum) : NULL;
  bool all_sums = s->options->all_sums;
  r->sums_from = all_sums ? ms_calloc((size_t)r->n + 1, sizeof *r->sums_from) : NULL;
  if (!r->hits || !r->kept || !r->miss_bound_text || !r->backend_reason || (sums && !r->best_sum) ||
      (all_sums && !r->sums_from))
    return ms_fail_memory(err, "the result");
  return MS_OK;
}

/* ---- entry points --------------------------------------------------------- */

/* Refuses options that an exact screen cannot honour. */
static ms_status check_exact(const ms_screen_options *o, ms_error *err)
{
  bool exact = o->method == MS_METHOD_EXACT;
  const char *of_sieve = o->repetitions              ? "repetitions"
                         : o->no_early_stop          ? "no_early_stop"
                         : o->no_prune               ? "no_prune"
                         : exact && o->kernel        ? "kernel"
                         : exact && o->error > 0     ? "error"
                         : exact && o->recurrence    ? "recurrence"
                         : exact && o->backend       ? "backend"
                         : exact && o->run.n_devices ? "devices"
                                                     : NULL;
  if (o->method != MS_METHOD_SIEVE && of_sieve)
    return ms_fail(err, MS_ERR_USAGE,
                   "`%s` is for the sieve, which `method` leaves out; leave out `%s`, or let "
                   "`method` be MS_METHOD_SIEVE",
                   of_sieve, of_sieve);
  return MS_OK;
}

ms_status ms_screen_check_options(const ms_query *query, const ms_screen_options *o, ms_error *err)
{
  uint32_t slots = query->motif->k, size = o->match_size ? o->match_size : slots;
  if (ms_screen_is_nearest(o))
    return ms_fail(err, MS_ERR_USAGE,
                   "the nearest matches are for ms_screen of one motif; set `max_missing`, "
                   "`max_extra` and `max_cost` to 0, nearest_only and costs to false, and "
                   "`substitutes` to NULL");
  if (o->error < 0 || o->error >= 1)
    return ms_fail(err, MS_ERR_USAGE,
                   "a miss probability of %g is out of range; choose one above 0 and below 1",
                   o->error);
  if (o->repetitions > MS_MAX_REPETITIONS)
    return ms_fail(err, MS_ERR_USAGE, "%u repetitions are too many; choose at most %u",
                   o->repetitions, MS_MAX_REPETITIONS);
  if (size > slots)
    return ms_fail(err, MS_ERR_USAGE, "matches of %u vertices cannot fill a motif of %u slots",
                   size, slots);
  MS_TRY(check_exact(o, err));
  return ms_sieve_check_devices(o, err);
}

static ms_status check_profile(const ms_query *query, const ms_screen_options *o, ms_error *err)
{
  if (!o->profile)
    return MS_OK;
  if (o->method != MS_METHOD_EXACT)
    return ms_fail(err, MS_ERR_USAGE,
                   "`profile` is found by enumeration; let `method` be MS_METHOD_EXACT");
  if (!ms_graph_scored(query->graph))
    return ms_fail(err, MS_ERR_USAGE,
                   "`profile` needs the scores of edges, and the graph has none; read it with "
                   "`keep_scores`");
  if (o->match_size && o->match_size != query->motif->k)
    return ms_fail(err, MS_ERR_USAGE,
                   "match_size is %u: a profile is of matches that fill all slots; set it to 0",
                   o->match_size);
  if (query->motif->k == 1)
    return ms_fail(
        err, MS_ERR_USAGE,
        "`profile` is for motifs of two or more slots: a match of one vertex has no edge");
  return MS_OK;
}

static void note_kept(void *user, ms_range r)
{
  const screening *s = user;
  const uint32_t *vertex = s->instance->vertex;
  uint8_t *kept = s->result->kept;
  for (uint64_t v = r.begin; v < r.end; v++)
    kept[vertex[v]] = 1;
}

/* All are kept, or none yet. */
static void fill_kept(void *user, ms_range r)
{
  const screening *s = user;
  memset(s->result->kept + r.begin, s->instance->n == s->result->n, r.end - r.begin);
}

/* Notes in the result which vertices pruning left. */
static void note_instance(screening *s)
{
  const ms_instance *in = s->instance;
  uint32_t n = s->result->n;
  ms_parallel(ms_threads_for(s->options->run.threads, n), n, 0, fill_kept, s);
  if (in->n < n)
    ms_parallel(ms_threads_for(s->options->run.threads, in->n), in->n, 0, note_kept, s);
  s->result->vertices_kept = in->n;
  s->result->edges_kept = in->arcs / 2;
}

static ms_status prepare(ms_run *run, ms_error *err)
{
  screening *s = (screening *)run;
  MS_TRY(ms_screen_check_options(s->query, s->options, err));
  MS_TRY(ms_screen_check_division(s->options, err));
  MS_TRY(check_profile(s->query, s->options, err));
  MS_TRY(ms_screen_check_sums(s->query, s->options, err));
  MS_TRY(alloc_result(s, err));
  s->filtered = s->query->holders && s->options->method != MS_METHOD_SIEVE &&
                !s->options->profile && !s->options->vertex_scores;
  MS_TRY(prune(s, err));
  note_instance(s);
  s->method = s->options->method;
  if (!s->options->vertex_scores)
    return MS_OK;
  s->range = ms_sum_range_find(s->instance, s->options->vertex_scores->of);
  return run->stopped == MS_OK
             ? ms_screen_check_range(&s->range, s->options, s->instance->k, &s->method, err)
             : MS_OK;
}

/* Fills the result of a screen that ended before the sieve: no vertex is flagged, none is pruned.
 */
static ms_status report_no_sieve(screening *s, ms_error *err)
{
  const ms_screen_options *o = s->options;
  const ms_sieve_job none = {0};
  ms_sieve_problem problem;
  MS_TRY(ms_sieve_problem_init(&problem, s->instance, s->size, o->recurrence, o->run.seed,
                               o->run.threads, err));
  ms_status status = ms_screening_bound(&problem, &none, s->result, err);
  ms_sieve_problem_clear(&problem);
  snprintf(s->result->backend_reason, MS_SCREEN_REASON_ROOM,
           "the search ended while vertices were pruned");
  return status;
}

/* Prunes for the sieve, whose values depend on the vertices that are left: they are those of a
 * screen that had no trees. */
static ms_status prune_again(screening *s, ms_error *err)
{
  ms_instance_free(s->instance);
  s->instance = NULL;
  s->filtered = false;
  MS_TRY(prune(s, err));
  note_instance(s);
  return MS_OK;
}

/* Flags all vertices of the instance. */
static void flag_all(screening *s)
{
  ms_screen_result *r = s->result;
  for (uint32_t v = 0; v < s->instance->n; v++)
    r->hits[s->instance->vertex[v]] = 1;
  r->flagged = r->settled = s->instance->n;
  r->threads = ms_threads(s->options->run.threads);
  r->exact = true;
}

/* Finds the sums of the vertices that are flagged.  If that is given up, the result is as before
 * the flags. */
static ms_status enumerate_sums(screening *s, double most, bool *known, ms_error *err)
{
  ms_screen_result *r = s->result;
  ms_status status = ms_run_settle(&s->run, ms_screen_best_sums(&s->run, s->instance, s->options,
                                                                &s->range, most, r, known, err));
  if (*known || status != MS_OK)
    return status;
  if (s->run.stopped != MS_OK) { /* there is no time for the sieve, either */
    *known = true;
    return MS_OK;
  }
  memset(r->hits, 0, r->n * sizeof *r->hits);
  memset(r->best_sum, 0, r->n * sizeof *r->best_sum);
  r->flagged = r->settled = 0;
  r->exact = false;
  return MS_OK;
}

/* Enumerates.  *known is false if that was given up, and the sieve has to run. */
static ms_status search_exactly(screening *s, bool *known, ms_error *err)
{
  ms_screen_result *r = s->result;
  const ms_screen_options *o = s->options;
  double start = ms_seconds(), most = 0;
  ms_status status = MS_OK;
  *known = s->certain;
  if (!s->certain && s->method != MS_METHOD_EXACT)
    status = ms_screen_most_work(s->instance, o->error, s->size,
                                 o->vertex_scores ? (uint32_t)s->range.most + 1 : 1, &most, err);
  if (status == MS_OK && s->certain)
    flag_all(s);
  else if (status == MS_OK)
    status = ms_screen_exactly(&s->run, s->instance, o, most, s->known, r, known, err);
  if (status == MS_OK && *known && o->vertex_scores)
    status = enumerate_sums(s, most, known, err);
  r->time_sieve += ms_seconds() - start; /* also if the sieve follows */
  if (status != MS_OK || !*known)
    return status;
  snprintf(r->miss_bound_text, MS_SCREEN_BOUND_ROOM,
           r->miss_bound > 0 ? "1: enumeration was stopped" : "0: enumeration misses no vertex");
  snprintf(r->backend_reason, MS_SCREEN_REASON_ROOM, "the CPU; an exact screen enumerates");
  if (o->profile)
    status = ms_run_settle(&s->run, ms_screen_profile(&s->run, s->query, s->instance,
                                                      ms_threads(o->run.threads), r, err));
  r->time_sieve = ms_seconds() - start;
  return status;
}

static ms_status search(ms_run *run, ms_error *err)
{
  screening *s = (screening *)run;
  bool known = s->method == MS_METHOD_SIEVE;
  bool tried = !known && run->stopped == MS_OK;
  if (tried)
    MS_TRY(search_exactly(s, &known, err));
  if (tried && known)
    return MS_OK;
  if (s->filtered && run->stopped == MS_OK)
    MS_TRY(prune_again(s, err));
  if (run->stopped != MS_OK)
    return report_no_sieve(s, err);
  if (s->instance->n > 0) {
    MS_TRY(ms_screening_sieve(s, err));
    char *reason = s->result->backend_reason;
    size_t used = strlen(reason);
    if (tried)
      snprintf(reason + used, MS_SCREEN_REASON_ROOM - used,
               "; enumeration came first and was given up");
    return MS_OK;
  }
  snprintf(s->result->miss_bound_text, MS_SCREEN_BOUND_ROOM, "0: pruning left no vertex");
  snprintf(s->result->backend_reason, MS_SCREEN_REASON_ROOM, "the CPU; pruning left no vertex");
  return MS_OK;
}

static ms_status finish(ms_run *run, ms_error *err)
{
  (void)err;
  ((screening *)run)->result->run.stopped = run->stopped;
  return MS_OK;
}

ms_status ms_screen_within(const ms_query *query, const ms_screen_options *o, ms_budget *budget,
                           ms_screen_result **out, ms_error *err)
{
  return ms_screen_known(query, o, NULL, budget, out, err);
}

ms_status ms_screen_known(const ms_query *query, const ms_screen_options *o, const uint8_t *known,
                          ms_budget *budget, ms_screen_result **out, ms_error *err)
{
  static const ms_run_kind kind = {prepare, search, finish};
  screening s = {.run = {.kind = &kind, .budget = budget, .limits = o->run},
                 .query = query,
                 .options = o,
                 .known = known,
                 .size = o->match_size ? o->match_size : query->motif->k};
  *out = NULL;
  ms_status status = ms_run_query(&s.run, err);
  ms_instance_free(s.instance);
  ms_gpu_rows_free(s.rows);
  if (status == MS_OK)
    *out = s.result;
  else
    ms_screen_result_free(s.result);
  return status;
}

void ms_screen_result_free(ms_screen_result *result)
{
  if (!result)
    return;
  ms_free(result->hits);
  ms_free(result->kept);
  ms_free(result->score);
  ms_free(result->best_sum);
  ms_free(result->sums);
  ms_free(result->sums_from);
  ms_free(result->q);
  ms_free(result->missing);
  ms_free(result->extra);
  ms_free(result->cost);
  ms_free(result->miss_bound_text);
  ms_free(result->backend_reason);
  ms_free(result);
}
