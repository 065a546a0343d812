/* ms_list, the matches of a motif:
 *
 *   query -> instance -> sieve: flags -> regions -> engine: matches
 *         -> judge: each match re-checked -> sorted result */
#include "run/run.h"

#include "base/alloc.h"
#include "base/compiler.h"
#include "base/options.h"
#include "base/status.h"
#include "base/threads.h"
#include "base/watch.h"
#include "base/work.h"
#include "graph/inside.h"
#include "graph/vertex_scores.h"
#include "motif/best.h"
#include "motif/collect.h"
#include "motif/engine.h"
#include "motif/holders.h"
#include "motif/regions.h"
#include "motif/sort_rows.h"
#include "run/diverse.h"
#include "run/families.h"
#include "run/motif_engine.h"
#include "run/sample.h"

#include <inttypes.h>
#include <string.h>

/* Number of rows for a receiver that are held back, to be sorted at the end.  With more rows that
 * would take too long after a search was stopped. */
#define SORTED_ROWS ((uint64_t)1 << 20)
#define COMPARED_ROWS 65536u /* between two checks of the watch */

/* least number of matches that the first thread finds between two reports of
 * progress */
#define PROGRESS_MATCHES 1024u

typedef struct listing {
  ms_run run;
  const ms_query *query;
  const ms_list_options *options;
  int threads;
  ms_instance *instance;
  uint8_t *keep;             /* [instance n] the sieve's flags; NULL: all vertices are searched */
  ms_regions *regions;       /* NULL: the sieve was stopped */
  const ms_instance *region; /* the region that is being searched */
  ms_collector *collector;   /* NULL: rows go to a receiver, or are sorted */
  ms_best *best;             /* NULL: rows are not sorted by a measure */
  ms_set_judge *set_judge;
  ms_sums sums; /* with rows that are sorted by the scores of their vertices */
  atomic_uint_fast64_t found, visits;
  atomic_uint_fast64_t first_twice; /* a stored match that occurs twice */
  ms_list_result *result;
  ms_motif_engine engine;   /* of counts */
  ms_motif_counted counted; /* the engine that has counted; engine NULL: nothing was counted */

  /* with a receiver */
  ms_stream *stream;
  ms_segment **segment; /* [threads] where the matches of each thread go */
  atomic_bool halt;     /* set when the stream takes no more rows */
  uint32_t *held;       /* [room][width] rows that are held back */
  uint64_t n_held, room;
} listing;

/* ---- rows -------------------------------------------------------------------- */

/* Judges a match when it is found.  row[width] receives its vertices, ascending. */
static bool judge_now(listing *l, const uint32_t *set, uint32_t *row)
{
  for (uint32_t i = 0; i < l->run.width; i++) {
    uint32_t v = l->region->vertex[set[i]], at = i;
    for (; at > 0 && row[at - 1] > v; at--)
      row[at] = row[at - 1];
    row[at] = v;
  }
  return ms_run_judge(&l->run, row);
}

/* True if the options ask for measures of the edges of the matches. */
static bool is_measured(const listing *l)
{
  const ms_list_options *o = l->options;
  bool sorts = o->sort && o->sort != MS_MEASURE_VERTEX_SCORE;
  return sorts || o->min_density != 0 || o->min_mean_score != 0;
}

/* Measures the edges of a match if the options ask for it.  Returns false if they leave the match
 * out, because it lacks the least density or the least mean score. */
static bool measure(const listing *l, const uint32_t *row, ms_inside *inside)
{
  const ms_list_options *o = l->options;
  if (!is_measured(l))
    return true;
  ms_graph_inside(l->query->graph, row, l->run.width, inside);
  return (o->min_density == 0 || inside->density >= (float)o->min_density) &&
         (o->min_mean_score == 0 || inside->mean_score >= (float)o->min_mean_score);
}

/* Is the sum of vertex scores too low for the rows that are kept? */
static bool is_too_low(const listing *l, const uint32_t *set)
{
  uint64_t sum = 0, least = atomic_load_explicit(&l->sums.least, memory_order_relaxed);
  for (uint32_t i = 0; least > 0 && i < l->run.width; i++)
    sum += l->sums.score[set[i]];
  return sum < least;
}

/* Keeps a row by the sum of its vertex scores, and tells the engine what sums are too low. */
static bool add_sum(listing *l, int thread, const uint32_t *row)
{
  uint32_t sum = ms_vertex_scores_sum(l->options->vertex_scores, row, l->run.width);
  if (!ms_best_add_sum(l->best, thread, sum, row))
    return false;
  uint_least32_t least = ms_best_least_sum(l->best, thread),
                 before = atomic_load_explicit(&l->sums.least, memory_order_relaxed);
  while (before < least && !atomic_compare_exchange_weak(&l->sums.least, &before, least))
    ;
  return true;
}

/* Counts matches that were found for storing, and reports progress now and then. */
static void note_found(listing *l, int thread, uint32_t count)
{
  uint64_t before = atomic_fetch_add_explicit(&l->found, count, memory_order_relaxed);
  if (thread == 0 && (before + count - 1) / PROGRESS_MATCHES != (before - 1) / PROGRESS_MATCHES)
    ms_run_progress(&l->run, before + count);
}

/* Stores a match that was judged, or passes it on; row[k] are the ascending vertices of set[k]. */
static bool add_match(listing *l, int thread, const uint32_t *set, const uint32_t *row)
{
  ms_inside inside;
  if (!measure(l, row, &inside))
    return true;
  if (l->stream)
    return ms_stream_add(l->stream, l->segment[thread], row);
  if (l->best && l->options->sort == MS_MEASURE_VERTEX_SCORE)
    return add_sum(l, thread, row);
  return l->best ? ms_best_add(l->best, thread, ms_inside_value(&inside, l->options->sort), row)
                 : ms_collector_match(l->collector, thread, set);
}

/* Receives a match; an ms_match_fn. */
static bool on_match(void *user, int thread, const uint32_t *set)
{
  listing *l = user;
  uint32_t row[MS_MAX_K];
  if (l->sums.score && is_too_low(l, set))
    return true;
  if (!l->stream)
    note_found(l, thread, 1);
  return judge_now(l, set, row) && add_match(l, thread, set, row);
}

/* Fills rows[count][k]: the ascending vertices of set[k-1], which ascends, and one of last[count].
 */
MS_ALWAYS_INLINE void fill_rows(uint32_t *rows, uint32_t k, const uint32_t *set,
                                const uint32_t *last, size_t count)
{
  for (size_t r = 0; r < count; r++, rows += k) {
    uint32_t v = last[r], at = 0;
    for (uint32_t i = 0; i + 1 < k; i++) {
      bool below = set[i] < v;
      rows[i + !below] = set[i];
      at += below;
    }
    rows[at] = v;
  }
}

/* The same; the compiler unrolls the loops for the usual sizes. */
static void make_rows(uint32_t *rows, uint32_t k, const uint32_t *set, const uint32_t *last,
                      size_t count)
{
  switch (k) {
  case 2:
    fill_rows(rows, 2, set, last, count);
    break;
  case 3:
    fill_rows(rows, 3, set, last, count);
    break;
  case 4:
    fill_rows(rows, 4, set, last, count);
    break;
  case 5:
    fill_rows(rows, 5, set, last, count);
    break;
  case 6:
    fill_rows(rows, 6, set, last, count);
    break;
  default:
    fill_rows(rows, k, set, last, count);
  }
}

/* Stores matches that were judged, or passes them on, where each of them becomes a row.  set[k-1]
 * ascends. */
static bool add_rows(listing *l, int thread, const uint32_t *set, const uint32_t *last,
                     uint32_t count)
{
  uint32_t *rows;
  for (size_t done = 0, room; done < count; done += room) {
    room = l->stream ? ms_stream_room(l->stream, l->segment[thread], count - done, &rows)
                     : ms_collector_room(l->collector, thread, count - done, &rows);
    if (room == 0)
      return false;
    make_rows(rows, l->run.width, set, last + done, room);
    if (l->stream)
      ms_stream_filled(l->segment[thread], room);
    else
      ms_collector_filled(l->collector, thread, room);
  }
  return true;
}

/* Receives matches that differ in one vertex; an ms_matches_fn. */
static bool on_matches(void *user, int thread, const uint32_t *set, const uint32_t *last,
                       uint32_t count)
{
  listing *l = user;
  const uint32_t *vertex = l->region->vertex;
  uint32_t k = l->run.width, grown[MS_MAX_K], sorted[MS_MAX_K], whole[MS_MAX_K], row[MS_MAX_K],
           of[MS_SETS_TOGETHER];
  bool plain = l->run.limit == 0 && !l->best && !l->run.count_only && !is_measured(l);
  for (uint32_t i = 0; i + 1 < k; i++) {
    uint32_t v = vertex[set[i]], at = i;
    for (; at > 0 && sorted[at - 1] > v; at--)
      sorted[at] = sorted[at - 1];
    sorted[at] = grown[i] = v;
  }
  for (uint32_t i = 0; i < count; i++)
    of[i] = vertex[last[i]];
  if (!l->stream)
    note_found(l, thread, count);
  memcpy(whole, set, (k - 1) * sizeof *set);
  for (uint32_t done = 0, judged; done < count; done += judged) {
    judged = (uint32_t)ms_set_judge_count(l->set_judge, thread, grown, of + done, count - done);
    if (plain && judged > 0 && !add_rows(l, thread, sorted, of + done, judged))
      return false;
    for (uint32_t i = done; i < done + judged && !plain; i++) {
      whole[k - 1] = last[i];
      make_rows(row, k, sorted, of + i, 1);
      if (!add_match(l, thread, whole, row))
        return false;
    }
    if (done + judged < count) { /* the judge of rows decides about the next one */
      whole[k - 1] = last[done + judged++];
      if (!judge_now(l, whole, row) || !add_match(l, thread, whole, row))
        return false;
    }
  }
  return true;
}

static ms_status refuse_twice(uint64_t row, ms_error *err)
{
  return ms_fail(err, MS_ERR_INTERNAL,
                 "row %" PRIu64 " of the matches occurs twice; this is a bug in motifsieve, "
                 "please report it with the input files",
                 row);
}

/* Most rows differ from the one before in their last vertex. */
static bool is_same_row(const uint32_t *a, const uint32_t *b, size_t k)
{
  while (k > 0 && a[k - 1] == b[k - 1])
    k--;
  return k == 0;
}

/* Finds sorted rows that are the same as the one before; l->first_twice becomes the first. */
static void find_twice(void *user, ms_range r)
{
  listing *l = user;
  size_t k = l->run.width;
  const uint32_t *row = l->run.vertices;
  for (uint64_t i = r.begin; i < r.end; i++) {
    uint_fast64_t before = atomic_load_explicit(&l->first_twice, memory_order_relaxed);
    if (i == 0 || !is_same_row(row + (i - 1) * k, row + i * k, k))
      continue;
    while (i < before && !atomic_compare_exchange_weak(&l->first_twice, &before, i))
      ;
  }
}

/* Checks that no two stored matches are the same, unless the token ended their sorting.  A run that
 * was stopped does not sort them again for this check. */
static ms_status check_stored(listing *l, ms_status unsorted, ms_error *err)
{
  ms_watch watch;
  ms_watch_begin(&watch);
  if (unsorted != MS_OK) {
    l->run.stopped = unsorted;
    l->result->streamed = true;
    return MS_OK;
  }
  atomic_init(&l->first_twice, UINT64_MAX);
  ms_watch_loop(&watch, l->threads, l->run.matches, COMPARED_ROWS, find_twice, l);
  uint64_t first = atomic_load(&l->first_twice);
  return first == UINT64_MAX ? MS_OK : refuse_twice(first, err);
}

/* ---- rows for a receiver -------------------------------------------------------- */

/* The parts of the engine's work are the segments of the stream. */
static void *open_part(void *user, void *after)
{
  return ms_stream_open(((listing *)user)->stream, after);
}

static void use_part(void *user, int thread, void *part)
{
  ((listing *)user)->segment[thread] = part;
}

static void close_part(void *user, void *part)
{
  ms_stream_close(((listing *)user)->stream, part);
}

static const ms_parts parts = {open_part, use_part, close_part};

/* Keeps rows for later.  Returns false if there are too many, or no memory. */
static bool hold(listing *l, const uint32_t *rows, uint64_t count)
{
  size_t row_bytes = l->run.width * sizeof *rows;
  uint64_t wanted = l->n_held + count;
  if (wanted > SORTED_ROWS)
    return false;
  if (wanted > l->room) {
    uint64_t room = 2 * wanted < SORTED_ROWS ? 2 * wanted : SORTED_ROWS;
    if (!ms_budget_reserve(l->run.budget, (room - l->room) * row_bytes))
      return false;
    uint32_t *larger = ms_resize(l->held, l->room, room, row_bytes);
    if (!larger) {
      ms_budget_release(l->run.budget, (room - l->room) * row_bytes);
      return false;
    }
    l->held = larger;
    l->room = room;
  }
  memcpy(l->held + l->n_held * l->run.width, rows, count * row_bytes);
  l->n_held = wanted;
  return true;
}

/* Passes on the rows that were held back. */
static bool deliver_held(listing *l)
{
  const ms_list_options *o = l->options;
  bool more = !o->begin || o->begin(o->rows_user, l->result);
  if (more && l->n_held > 0)
    more = o->rows(o->rows_user, l->held, l->n_held);
  ms_budget_release(l->run.budget, l->room * l->run.width * sizeof *l->held);
  ms_free(l->held);
  l->held = NULL;
  l->n_held = l->room = 0;
  return more;
}

/* Receives rows from the stream; an ms_pattern_rows_fn. */
static bool receive(void *user, const uint32_t *rows, uint64_t count)
{
  listing *l = user;
  ms_list_result *r = l->result;
  if (!r->streamed && hold(l, rows, count))
    return true;
  if (!r->streamed) {
    r->streamed = true;
    if (!deliver_held(l))
      return false;
  }
  return l->options->rows(l->options->rows_user, rows, count);
}

/* Sorts the rows that were held back, checks that no two are the same, and passes them on. */
static ms_status deliver_sorted(listing *l, ms_error *err)
{
  size_t k = l->run.width;
  ms_sort_rows(l->held, l->n_held, (uint32_t)k, NULL); /* takes less than half a second */
  for (uint64_t i = 1; i < l->n_held; i++)
    if (is_same_row(l->held + (i - 1) * k, l->held + i * k, k))
      return refuse_twice(i, err);
  l->result->k = l->run.width;
  l->result->matches = l->run.matches;
  l->result->stopped = l->run.stopped;
  deliver_held(l); /* a receiver that wants no more has its reason */
  return MS_OK;
}

/* ---- candidates ---------------------------------------------------------------- */

/* Sets keep[i] to 1 for each instance vertex i that the sieve flagged, and to 0
 * for the others. */
static ms_status run_sieve(listing *l, ms_error *err)
{
  const ms_instance *in = l->instance;
  MS_TRY(ms_screen_within(l->query, &l->options->screen, l->run.budget, &l->result->screen, err));
  l->run.stopped = l->result->screen->stopped;
  l->keep = ms_alloc(in->n, 1);
  if (!l->keep)
    return ms_fail_memory(err, "the flags");
  for (uint32_t i = 0; i < in->n; i++)
    l->keep[i] = l->result->screen->hits[in->vertex[i]] > 0;
  return MS_OK;
}

/* Makes the instance, pruned where a session has the holders of its colours.  If that is stopped,
 * the instance is whole, and the next step finds the stop. */
static ms_status make_instance(listing *l, ms_error *err)
{
  const ms_holders *holders = l->query->holders;
  if (holders) {
    ms_status status = ms_holders_prune(holders, l->query, &l->instance, NULL, err);
    status = ms_run_settle(&l->run, status);
    if (l->run.stopped == MS_OK)
      return status;
    l->run.stopped = MS_OK;
  }
  return ms_instance_new(l->query, l->options->screen.threads, &l->instance, err);
}

static ms_status prepare(ms_run *run, ms_error *err)
{
  listing *l = (listing *)run;
  int threads = l->options->screen.threads;
  if (l->options->participation) {
    l->result->matches_of = ms_calloc(l->query->graph->n, sizeof *l->result->matches_of);
    if (!l->result->matches_of)
      return ms_fail_memory(err, "the matches of each vertex");
  }
  MS_TRY(ms_judge_motif(l->query, &run->judge, err));
  MS_TRY(ms_set_judge_new(l->query, l->threads, &l->set_judge, err));
  MS_TRY(make_instance(l, err));
  if (!l->options->exact)
    MS_TRY(run_sieve(l, err));
  if (run->stopped != MS_OK)
    return MS_OK;
  MS_TRY(ms_regions_find(l->instance, l->keep, threads, &l->regions, err));
  l->result->regions = l->regions->count;
  l->result->region_vertices = (uint32_t)l->regions->vertices;
  return MS_OK;
}

/* ---- listing --------------------------------------------------------------------- */

/* Receives the number of matches so far. */
static void on_count(void *user, uint64_t matches)
{
  listing *l = user;
  ms_run_progress(&l->run, matches);
}

/* Adds the matches of each vertex of a region to those of the graph's vertices. */
static void add_taking(listing *l, const ms_instance *region, const uint64_t *taking)
{
  for (uint32_t v = 0; v < region->n; v++)
    l->result->matches_of[region->vertex[v]] += taking[v];
}

static ms_status count_region(listing *l, const ms_instance *region, ms_count_sink *sink,
                              ms_error *err)
{
  if (l->options->participation) {
    sink->taking = ms_calloc(region->n, sizeof *sink->taking);
    if (!sink->taking)
      return ms_fail_memory(err, "the matches of each vertex");
  }
  ms_motif_counted counted;
  ms_status status =
      ms_motif_count(region, l->engine, l->threads, sink, l->run.stop, &counted, err);
  /* the result names a GPU if it has counted any region */
  if (!l->counted.engine || strcmp(counted.engine, "gpu") == 0)
    l->counted = counted;
  if (sink->taking)
    add_taking(l, region, sink->taking);
  ms_free(sink->taking);
  sink->taking = NULL;
  return status;
}

/* Counts the matches of all regions, without visiting each. */
static ms_status count_regions(listing *l, ms_error *err)
{
  const ms_screen_options *o = &l->options->screen;
  ms_count_sink sink = {.budget = l->run.budget,
                        .progress = on_count,
                        .user = l,
                        .device = o->devices,
                        .devices = l->options->engine ? o->n_devices : 0,
                        .gpu_memory = o->memory};
  ms_status status = MS_OK;
  for (uint32_t r = 0; status == MS_OK && l->regions && r < l->regions->count; r++)
    status = count_region(l, l->regions->region[r], &sink, err);
  const uint64_t number[2] = {sink.high, sink.low};
  mpz_import(l->run.count, 2, 1, sizeof *number, 0, 0, number);
  l->run.matches = sink.high ? UINT64_MAX : sink.low;
  atomic_fetch_add(&l->visits, sink.visits);
  return status;
}

static ms_status count_all(listing *l, ms_error *err)
{
  double begin = ms_seconds();
  ms_status status = ms_run_settle(&l->run, count_regions(l, err));
  l->result->time_list = ms_seconds() - begin;
  return status;
}

/* Lists the matches of a region; `sums`: NULL, or the matches with great sums come first, and those
 * with sums that are too low may be left out. */
static ms_status run_region(listing *l, const ms_instance *region, ms_sums *sums, ms_error *err)
{
  const ms_engine *engine = &ms_engine_connected_sets;
  const ms_match_sink sink = {.match = on_match,
                              /* sums are compared match by match */
                              .matches = l->sums.score ? NULL : on_matches,
                              .parts = l->stream ? &parts : NULL,
                              .user = l,
                              .visits = &l->visits,
                              .halt = &l->halt,
                              .sums = sums};
  void *context = NULL;
  l->region = region;
  if (l->collector)
    ms_collector_map(l->collector, region->vertex);
  MS_TRY(engine->open(region, l->threads, &context, err));
  ms_status status = engine->run(context, 0, engine->units(context), &sink, l->run.stop, err);
  engine->close(context);
  MS_TRY(ms_run_refusal(&l->run, err));
  if (status != MS_OK)
    return status;
  if (l->best)
    return ms_best_is_full(l->best) ? MS_ERR_MEMORY : MS_OK;
  return l->collector ? ms_collector_status(l->collector, err) : ms_stream_status(l->stream);
}

static ms_status list_region(listing *l, const ms_instance *region, ms_error *err)
{
  const ms_list_options *o = l->options;
  if (o->sort != MS_MEASURE_VERTEX_SCORE || o->top == 0)
    return run_region(l, region, NULL, err);
  uint32_t *score = ms_alloc(region->n, sizeof *score);
  if (!score)
    return ms_fail_memory(err, "the scores of vertices");
  for (uint32_t v = 0; v < region->n; v++)
    score[v] = o->vertex_scores->of[region->vertex[v]];
  l->sums.score = score;
  ms_status status = run_region(l, region, &l->sums, err);
  l->sums.score = NULL;
  ms_free(score);
  return status;
}

static ms_status list_into(ms_run *run, ms_stream *stream, ms_error *err)
{
  listing *l = (listing *)run;
  ms_status status = MS_OK;
  l->stream = stream;
  ms_stream_tell(stream, &l->halt);
  for (uint32_t r = 0; status == MS_OK && l->regions && r < l->regions->count; r++)
    status = list_region(l, l->regions->region[r], err);
  ms_stream_tell(stream, NULL);
  return status;
}

/* Lists the matches for a receiver. */
static ms_status search_streamed(listing *l, ms_error *err)
{
  double begin = ms_seconds();
  l->run.rows = receive;
  l->run.rows_user = l;
  l->segment = ms_calloc((size_t)l->threads, sizeof *l->segment);
  ms_status status = l->segment ? ms_run_rows(&l->run, list_into, err)
                                : ms_fail_memory(err, "the rows of the threads");
  double listed = ms_seconds();
  if (status == MS_OK && !l->result->streamed)
    status = deliver_sorted(l, err);
  ms_budget_release(l->run.budget, l->room * l->run.width * sizeof *l->held);
  ms_free(l->held);
  ms_free(l->segment);
  l->result->time_list = listed - begin;
  l->result->time_verify = ms_seconds() - listed;
  return status;
}

/* Passes stored rows on to a receiver. */
static void deliver_stored(listing *l)
{
  ms_list_result *r = l->result;
  l->held = l->run.vertices;
  l->n_held = l->run.matches;
  l->run.vertices = NULL;
  r->k = l->run.width;
  r->matches = l->run.matches;
  r->stopped = l->run.stopped;
  deliver_held(l); /* a receiver that wants no more has its reason */
}

/* Draws matches, or finds some that share no vertex.  They are sorted. */
static ms_status search_few(listing *l, ms_error *err)
{
  ms_run *run = &l->run;
  uint64_t visits = 0;
  double begin = ms_seconds();
  ms_status status = MS_OK;
  if (l->regions && l->options->diverse)
    status = ms_diverse_regions(run, l->regions, &visits, err);
  else if (l->regions)
    status = ms_sample_regions(run, l->regions, l->options, l->result, &visits, err);
  status = ms_run_settle(run, status);
  atomic_fetch_add(&l->visits, visits);
  l->result->time_list = ms_seconds() - begin;
  if (status == MS_OK && run->matches > 0)
    status = check_stored(l, MS_OK, err);
  if (status == MS_OK && l->options->rows)
    deliver_stored(l);
  return status;
}

/* Groups stored rows into families, if that is asked for, and passes the rows on, unless they are
 * for the result. */
static ms_status finish_stored(listing *l, ms_error *err)
{
  const ms_list_options *o = l->options;
  if (o->families > 0)
    MS_TRY(ms_group_families(&l->run, l->query->graph->n, o->families, o->limit, l->result, err));
  if (o->rows && !l->run.count_only)
    deliver_stored(l);
  return MS_OK;
}

/* Lists the matches in the order of a measure. */
static ms_status search_best(listing *l, ms_error *err)
{
  double begin = ms_seconds();
  uint32_t *rows = NULL;
  uint64_t count = 0;
  ms_status status =
      ms_best_new(l->run.width, l->options->top, l->threads, l->run.budget, &l->best, err);
  for (uint32_t r = 0; status == MS_OK && l->regions && r < l->regions->count; r++)
    status = list_region(l, l->regions->region[r], err);
  bool full = status == MS_ERR_MEMORY && l->best && ms_best_is_full(l->best);
  status = ms_run_settle(&l->run, full ? MS_OK : status);
  double listed = ms_seconds();
  if (status == MS_OK)
    status = ms_best_finish(l->best, NULL, &rows, &count, err);
  if (status == MS_OK && full)
    status = ms_run_out_of_memory(&l->run, err);
  ms_best_free(l->best);
  l->best = NULL;
  l->run.matches = count;
  l->run.vertices = rows; /* freed with the run after a failure */
  mpz_set_ui(l->run.count, (unsigned long)count);
  if (status == MS_OK)
    status = finish_stored(l, err);
  l->result->time_list = listed - begin;
  l->result->time_verify = ms_seconds() - listed;
  return status;
}

static ms_status search(ms_run *run, ms_error *err)
{
  listing *l = (listing *)run;
  if (l->options->sample > 0 || l->options->diverse)
    return search_few(l, err);
  if (l->options->sort)
    return search_best(l, err);
  if (l->options->rows && !run->count_only && l->options->families == 0)
    return search_streamed(l, err);
  if (run->count_only && run->limit == 0)
    return count_all(l, err);
  double begin = ms_seconds();
  ms_status unsorted = MS_OK;
  ms_status status = ms_collector_new(run->width, l->threads, run->count_only, run->limit,
                                      run->budget, &l->collector, err);
  for (uint32_t r = 0; status == MS_OK && l->regions && r < l->regions->count; r++)
    status = list_region(l, l->regions->region[r], err);
  bool full = status == MS_ERR_MEMORY && l->collector && ms_collector_is_full(l->collector);
  status = ms_run_settle(run, full ? MS_OK : status);
  if (status == MS_OK)
    status = ms_collector_finish(l->collector, &run->matches, &run->vertices, run->count, &unsorted,
                                 err);
  if (status == MS_OK && full)
    status = ms_run_out_of_memory(run, err);
  double listed = ms_seconds();
  if (status == MS_OK && !run->count_only)
    status = check_stored(l, unsorted, err);
  ms_collector_free(l->collector);
  if (status == MS_OK)
    status = finish_stored(l, err);
  l->result->time_list = listed - begin;
  l->result->time_verify = ms_seconds() - listed;
  return status;
}

static ms_status finish(ms_run *run, ms_error *err)
{
  ms_list_result *r = ((listing *)run)->result;
  r->k = run->width;
  r->matches = run->matches;
  r->vertices = run->vertices;
  r->stopped = run->stopped;
  r->n = ((listing *)run)->query->graph->n;
  run->vertices = NULL;
  const ms_motif_counted *counted = &((listing *)run)->counted;
  r->engine = counted->engine ? counted->engine : "cpu";
  r->engine_reason =
      ms_strdup(counted->engine ? counted->reason : "motifs are listed on processors");
  if (!r->engine_reason)
    return ms_fail_memory(err, "a reason");
  r->work.visits = atomic_load(&((listing *)run)->visits);
  if (r->screen)
    ms_work_add(&r->work, &r->screen->work);
  return ms_number_text(run->count, &r->count_text, err);
}

/* ---- entry points ------------------------------------------------------------------ */

ms_status ms_list_within(const ms_query *query, const ms_list_options *o, ms_budget *budget,
                         ms_list_result **out, ms_error *err)
{
  static const ms_run_kind kind = {prepare, search, finish};
  listing l = {.run = {.kind = &kind,
                       .budget = budget,
                       .stop = o->screen.stop,
                       .progress = o->screen.progress,
                       .progress_user = o->screen.progress_user,
                       .names = query->graph->names,
                       .width = query->motif->k,
                       .count_only = o->count_only,
                       .limit = o->families > 0 ? 0 : o->limit},
               .query = query,
               .options = o,
               .threads = ms_threads(o->screen.threads)};
  *out = NULL;
  MS_TRY(ms_motif_engine_find(o->engine, &l.engine, err));
  l.result = ms_calloc(1, sizeof *l.result);
  if (!l.result)
    return ms_fail_memory(err, "the result");
  atomic_init(&l.found, 0);
  atomic_init(&l.visits, 0);
  atomic_init(&l.halt, false);
  atomic_init(&l.sums.least, 0);
  l.sums.budget = budget;
  ms_status status = ms_run_query(&l.run, err);
  ms_regions_free(l.regions);
  ms_instance_free(l.instance);
  ms_set_judge_free(l.set_judge);
  ms_free(l.keep);
  if (status == MS_OK)
    *out = l.result;
  else
    ms_list_result_free(l.result);
  return status;
}

ms_status ms_list(const ms_query *query, const ms_list_options *options, ms_list_result **out,
                  ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(query, err);
  ms_list_options own;
  const ms_list_options *o = &own;
  MS_TRY(ms_options_take(&ms_list_options_kind, options, &own, err));
  MS_TRY(ms_list_check_options(query, o, err));
  ms_budget budget;
  ms_budget_open(&budget, o->screen.memory);
  return ms_list_within(query, o, &budget, out, err);
}

void ms_list_result_free(ms_list_result *result)
{
  if (!result)
    return;
  ms_screen_result_free(result->screen);
  ms_free(result->vertices);
  ms_free(result->count_text);
  ms_free(result->engine_reason);
  ms_free(result->matches_of);
  ms_free(result->family_size);
  ms_free(result);
}
