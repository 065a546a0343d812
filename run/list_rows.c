#include "run/listing.h"

#include "base/alloc.h"
#include "base/compiler.h"
#include "base/status.h"
#include "base/threads/watch.h"
#include "graph/inside.h"
#include "graph/vertex_scores.h"

#include <inttypes.h>
#include <string.h>

#define COMPARED_ROWS 65536u /* between two checks of the watch */

/* least number of matches that the first thread finds between two reports of
 * progress */
#define PROGRESS_MATCHES 1024u

/* ---- rows for a receiver -------------------------------------------------------- */

static void *open_part(void *user, void *after)
{
  return ms_stream_open(((ms_listing *)user)->stream, after);
}

static void use_part(void *user, int thread, void *part)
{
  ((ms_listing *)user)->segment[thread] = part;
}

static void close_part(void *user, void *part)
{
  ms_stream_close(((ms_listing *)user)->stream, part);
}

const ms_parts ms_list_segments = {open_part, use_part, close_part};

/* Keeps rows for later.  Returns false if there are too many, or no memory. */
static bool hold(ms_listing *l, const uint32_t *rows, uint64_t count)
{
  size_t row_bytes = l->run.width * sizeof *rows;
  uint64_t wanted = l->n_held + count;
  if (wanted > MS_SORTED_ROWS)
    return false;
  if (wanted > l->room) {
    uint64_t room = 2 * wanted < MS_SORTED_ROWS ? 2 * wanted : MS_SORTED_ROWS;
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

bool ms_list_deliver_held(ms_listing *l)
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

bool ms_list_receive(void *user, const uint32_t *rows, uint64_t count)
{
  ms_listing *l = user;
  ms_list_result *r = l->result;
  if (!r->streamed && hold(l, rows, count))
    return true;
  if (!r->streamed) {
    r->streamed = true;
    if (!ms_list_deliver_held(l))
      return false;
  }
  return l->options->rows(l->options->rows_user, rows, count);
}

/* ---- matches ---------------------------------------------------------------------- */

/* Judges a match when it is found.  row[width] receives its vertices, ascending. */
static bool judge_now(ms_listing *l, const uint32_t *set, uint32_t *row)
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
static bool is_measured(const ms_listing *l)
{
  const ms_list_options *o = l->options;
  bool sorts = o->sort && o->sort != MS_MEASURE_VERTEX_SCORE;
  return sorts || o->min_density != 0 || o->min_mean_score != 0;
}

/* Measures the edges of a match if the options ask for it.  Returns false if they leave the match
 * out, because it lacks the least density or the least mean score. */
static bool measure(const ms_listing *l, const uint32_t *row, ms_inside *inside)
{
  const ms_list_options *o = l->options;
  if (!is_measured(l))
    return true;
  ms_graph_inside(l->query->graph, row, l->run.width, inside);
  return (o->min_density == 0 || inside->density >= (float)o->min_density) &&
         (o->min_mean_score == 0 || inside->mean_score >= (float)o->min_mean_score);
}

/* Is the sum of vertex scores too low for the rows that are kept? */
static bool is_too_low(const ms_listing *l, const uint32_t *set)
{
  uint64_t sum = 0, least = atomic_load_explicit(&l->sums.least, memory_order_relaxed);
  for (uint32_t i = 0; least > 0 && i < l->run.width; i++)
    sum += l->sums.score[set[i]];
  return sum < least;
}

/* Keeps a row by the sum of its vertex scores, and tells the engine what sums are too low. */
static bool add_sum(ms_listing *l, int thread, const uint32_t *row)
{
  uint32_t sum = (uint32_t)ms_vertex_scores_sum(l->options->vertex_scores, row, l->run.width);
  if (!ms_best_add_sum(l->best, thread, sum, row))
    return false;
  uint_least32_t least = ms_best_least_sum(l->best, thread),
                 before = atomic_load_explicit(&l->sums.least, memory_order_relaxed);
  while (before < least && !atomic_compare_exchange_weak(&l->sums.least, &before, least))
    ;
  return true;
}

/* Counts matches that were found for storing, and reports progress now and then. */
static void note_found(ms_listing *l, int thread, uint32_t count)
{
  uint64_t before = atomic_fetch_add_explicit(&l->found, count, memory_order_relaxed);
  if (thread == 0 && (before + count - 1) / PROGRESS_MATCHES != (before - 1) / PROGRESS_MATCHES)
    ms_run_progress(&l->run, before + count);
}

/* Stores a match that was judged, or passes it on; row[k] are the ascending vertices of set[k]. */
static bool add_match(ms_listing *l, int thread, const uint32_t *set, const uint32_t *row)
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

bool ms_list_keep_best(ms_listing *l, const uint32_t *row)
{
  return add_match(l, 0, NULL, row);
}

bool ms_list_on_match(void *user, int thread, const uint32_t *set)
{
  ms_listing *l = user;
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
static bool add_rows(ms_listing *l, int thread, const uint32_t *set, const uint32_t *last,
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

bool ms_list_on_matches(void *user, int thread, const uint32_t *set, const uint32_t *last,
                        uint32_t count)
{
  ms_listing *l = user;
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
  ms_listing *l = user;
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

ms_status ms_list_check_stored(ms_listing *l, ms_status unsorted, ms_error *err)
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
ms_status ms_list_check_rows(const ms_listing *l, const uint32_t *rows, uint64_t count,
                             ms_error *err)
{
  size_t k = l->run.width;
  for (uint64_t i = 1; i < count; i++)
    if (is_same_row(rows + (i - 1) * k, rows + i * k, k))
      return refuse_twice(i, err);
  return MS_OK;
}
