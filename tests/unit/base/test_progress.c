/* Progress of every call that reports it: it never says that all was done of what was stopped, one
 * thread at a time reports, and not too often. */
#include "base/progress.h"
#include "motifsieve.h"
#include "tests/support/files.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { VERTICES = 700, DEGREE = 24, COLORS = 3 };

static ms_error err;
static ms_graph *graph;
static ms_coloring *coloring;

static void open_graph(void)
{
  static uint32_t edges[VERTICES * DEGREE / 2][2], pairs[VERTICES][2];
  static const char *const names[COLORS] = {"c0", "c1", "c2"};
  uint64_t state = 3;
  for (size_t e = 0; e < sizeof edges / sizeof *edges; e++) {
    edges[e][0] = (uint32_t)(random_next(&state) % VERTICES);
    edges[e][1] = (uint32_t)(random_next(&state) % VERTICES);
  }
  for (uint32_t v = 0; v < VERTICES; v++) {
    pairs[v][0] = v;
    pairs[v][1] = (uint32_t)(random_next(&state) % COLORS);
  }
  ck_ok(ms_graph_from_edges(VERTICES, sizeof edges / sizeof *edges, (const uint32_t(*)[2])edges,
                            NULL, &graph, &err));
  ck_ok(ms_coloring_from_pairs(graph, VERTICES, (const uint32_t(*)[2])pairs, COLORS, names,
                               &coloring, &err));
}

static void close_graph(void)
{
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}

/* ---- watching ---------------------------------------------------------------------- */

typedef struct watcher {
  ms_stop *stop;
  uint32_t calls, stop_at; /* the call in which the watcher asks to stop; 0: none */
  uint64_t last, total;    /* of the last call */
  atomic_int inside;
  bool overlaps;
} watcher;

static void watch(void *user, const char *what, uint64_t done, uint64_t total)
{
  watcher *w = user;
  ck_assert_ptr_nonnull(what);
  w->overlaps = w->overlaps || atomic_fetch_add(&w->inside, 1) > 0;
  w->last = done;
  w->total = total;
  if (++w->calls == w->stop_at)
    ms_stop_request(w->stop);
  atomic_fetch_sub(&w->inside, 1);
}

/* Something that reports: it returns why it ended early, or MS_OK. */
typedef ms_status (*call_fn)(watcher *w, int threads);

/* Runs the call until its first to fourth report, and until a deadline of 0 to 70 ms, with one and
 * four threads.  Wherever it was stopped, it was not done. */
static void never_done(call_fn call)
{
  uint32_t stopped = 0, calls = 0;
  for (int threads = 1; threads <= 4; threads += 3)
    for (uint32_t i = 0; i < 12; i++) {
      watcher w = {.stop_at = i < 4 ? i + 1 : 0};
      ck_ok(ms_stop_new(&w.stop, &err));
      if (i >= 4)
        ms_stop_after(w.stop, 1e-4 + 0.01 * (i - 4));
      ms_status status = call(&w, threads);
      ck_assert_msg(status == MS_OK || w.calls == 0 || w.total == 0 || w.last < w.total,
                    "stopped at %llu of %llu", (unsigned long long)w.last,
                    (unsigned long long)w.total);
      ck_assert(!w.overlaps);
      ck_assert(w.total == 0 || w.last <= w.total);
      stopped += status != MS_OK;
      calls += w.calls;
      ms_stop_free(w.stop);
    }
  ck_assert_uint_gt(stopped, 0);
  ck_assert_uint_gt(calls, 0);
}

/* ---- the calls --------------------------------------------------------------------- */

static ms_query *query_of(const char *text, ms_motif **motif)
{
  ms_query *query;
  ck_ok(ms_motif_parse(text, coloring, motif, &err));
  ck_ok(ms_query_new(graph, coloring, *motif, 0, NULL, &query, &err));
  return query;
}

static ms_status call_screen(watcher *w, int threads)
{
  ms_motif *motif;
  ms_query *query = query_of("c0:3,c1:3,c2:4", &motif);
  ms_screen_options o = MS_SCREEN_OPTIONS_DEFAULT;
  ms_screen_result *result;
  o.run.threads = threads;
  o.run.stop = w->stop;
  o.run.progress = watch;
  o.run.progress_user = w;
  o.backend = MS_BACKEND_CPU;
  o.no_early_stop = true;
  ck_ok(ms_screen(query, &o, &result, &err));
  ms_status stopped = result->run.stopped;
  ms_screen_result_free(result);
  ms_query_free(query);
  ms_motif_free(motif);
  return stopped;
}

static ms_status call_list(watcher *w, int threads)
{
  ms_motif *motif;
  ms_query *query = query_of("c0:2,c1,c2:2", &motif);
  ms_list_options o = MS_LIST_OPTIONS_DEFAULT;
  ms_list_result *result;
  o.exact = o.count_only = true;
  o.screen.run.threads = threads;
  o.screen.run.stop = w->stop;
  o.screen.run.progress = watch;
  o.screen.run.progress_user = w;
  ck_ok(ms_list(query, &o, &result, &err));
  ms_status stopped = result->run.stopped;
  ms_list_result_free(result);
  ms_query_free(query);
  ms_motif_free(motif);
  return stopped;
}

static ms_status call_count(watcher *w, int threads)
{
  ms_pattern *pattern;
  ms_pattern_index *index;
  ms_pattern_options o = MS_PATTERN_OPTIONS_DEFAULT;
  ms_pattern_result *result;
  ck_ok(ms_pattern_named("cycle:6", &pattern, &err));
  ck_ok(ms_pattern_index_new(graph, NULL, 1, &index, &err));
  o.count_only = o.induced = true;
  o.screen.run.engine = "cpu";
  o.screen_mode = MS_SCREEN_NEVER;
  o.screen.run.threads = threads;
  o.screen.run.stop = w->stop;
  o.screen.run.progress = watch;
  o.screen.run.progress_user = w;
  ck_ok(ms_pattern_list(index, pattern, &o, &result, &err));
  ms_status stopped = result->run.stopped;
  ms_pattern_result_free(result);
  ms_pattern_index_free(index);
  ms_pattern_free(pattern);
  return stopped;
}

static ms_status call_inexact(watcher *w, int threads)
{
  ms_typed *typed;
  ms_typed_pattern *pattern;
  ms_typed_query *query;
  ms_typed_match_options o = MS_TYPED_MATCH_OPTIONS_DEFAULT;
  ms_typed_result *result;
  ck_ok(ms_typed_from_graph(graph, coloring, 1, &typed, &err));
  ck_ok(ms_typed_pattern_parse("(a:c0)--(b:c1)--(c:c2)--(d:c0)--(e:c1)--(a), (a)--(c), (b)--(d), "
                               "(c)--(e), (a)--(d), (b)--(e)",
                               &pattern, &err));
  ck_ok(ms_typed_query_new(typed, pattern, &query, &err));
  o.run.threads = threads;
  o.best = 3;
  o.run.stop = w->stop;
  o.run.progress = watch;
  o.run.progress_user = w;
  ck_ok(ms_typed_match_inexact(query, &o, &result, &err));
  ms_status stopped = result->run.stopped;
  ms_typed_result_free(result);
  ms_typed_query_free(query);
  ms_typed_pattern_free(pattern);
  ms_typed_free(typed);
  return stopped;
}

static bool take_path(void *user, uint64_t pair, const ms_typed_path *path)
{
  (void)user, (void)pair, (void)path;
  return true;
}

static ms_status call_paths(watcher *w, int threads)
{
  enum { PAIRS = 20000 };
  static uint32_t pairs[PAIRS][2];
  ms_typed *typed;
  ms_path_options o = MS_PATH_OPTIONS_DEFAULT;
  ms_path_summary summary;
  for (uint32_t i = 0; i < PAIRS; i++) {
    pairs[i][0] = i % VERTICES;
    pairs[i][1] = i / VERTICES * 17 % VERTICES;
  }
  ck_ok(ms_typed_from_graph(graph, coloring, 1, &typed, &err));
  o.run.threads = threads;
  o.run.stop = w->stop;
  o.run.progress = watch;
  o.run.progress_user = w;
  ck_ok(ms_typed_path_pairs(typed, &o, PAIRS, (const uint32_t(*)[2])pairs, take_path, NULL,
                            &summary, &err));
  ms_typed_free(typed);
  return summary.run.stopped;
}

/* The rows of a list of matches, and their recount. */
static ms_status call_verify(watcher *w, int threads)
{
  static char path[4096], result_path[4096];
  ms_motif *motif;
  ms_graph *read;
  ms_coloring *colors;
  ms_query *query;
  ms_list_options run = MS_LIST_OPTIONS_DEFAULT;
  ms_list_result *list;
  ms_verify_options o = MS_VERIFY_OPTIONS_DEFAULT;
  ms_verify_report report;
  strcpy(path, files_path("g.tve"));
  strcpy(result_path, files_path("r.tsv"));
  ck_ok(ms_graph_write(graph, coloring, MS_FORMAT_TVE, path, &err));
  ck_ok(ms_graph_read(path, NULL, &read, &err));
  ck_ok(ms_coloring_from_graph(read, &colors, &err));
  ck_ok(ms_motif_parse("c0,c1,c2", colors, &motif, &err));
  ck_ok(ms_query_new(read, colors, motif, 0, NULL, &query, &err));
  run.exact = true;
  run.screen.run.threads = threads;
  ck_ok(ms_list_to_file(query, &run, NULL, result_path, &list, &err));
  o.run.stop = w->stop;
  o.run.progress = watch;
  o.run.progress_user = w;
  ms_status status = ms_verify_file(result_path, path, NULL, &o, &report, &err);
  ck_assert_msg(status != MS_OK || report.outcome != MS_VERIFY_REFUSED, "%s", report.problem);
  ck_assert(status == MS_OK || status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED);
  ms_list_result_free(list);
  ms_query_free(query);
  ms_motif_free(motif);
  ms_coloring_free(colors);
  ms_graph_free(read);
  return status == MS_OK ? report.run.stopped : status;
}

/* The progress of a screen, a list, a count, an inexact search, paths and a verification never says
 * that all was done of what was stopped: 24 runs each, of which some are stopped and some report.
 */
START_TEST(what_was_stopped_is_never_done)
{
  static const call_fn calls[] = {call_screen,  call_list,  call_count,
                                  call_inexact, call_paths, call_verify};
  never_done(calls[_i]);
}
END_TEST

/* A count of many roots reports at most about ten times a second, although it passes thousands. */
START_TEST(reports_are_not_too_frequent)
{
  struct timespec begin, end;
  watcher w = {.stop_at = 0};
  clock_gettime(CLOCK_MONOTONIC, &begin);
  ck_assert_int_eq(call_count(&w, 1), MS_OK);
  clock_gettime(CLOCK_MONOTONIC, &end);
  double seconds =
      (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
  ck_assert_uint_ge(w.calls, 1);
  ck_assert_msg(w.calls <= 4 + 10 * seconds, "%u calls in %g s", w.calls, seconds);
}
END_TEST

/* ---- the time left ----------------------------------------------------------------- */

/* Returns the share of the work of a phase that is done at the share x of its time. */
static double share_done(uint32_t kind, double x)
{
  switch (kind) {
  case 0: /* evenly */
    return x;
  case 1: /* slower and slower */
    return 1 - (1 - x) * (1 - x) * (1 - x);
  case 2: /* faster and faster */
    return x * x * x;
  case 3: /* nearly all in the first tenth, and then it stands */
    return x < 0.1 ? 9.5 * x : 0.95;
  case 4: /* in large pieces */
    return floor(8 * x) / 8;
  default: /* evenly up to the last piece, which takes most of the time */
    return x < 0.3 ? 3 * x : 0.9;
  }
}

/* Returns the seconds that a line says are left, or -1. */
static double left_of(const char *line)
{
  const char *end = strstr(line, " left in this phase"), *at = end;
  unsigned a = 0, b = 0;
  if (!end)
    return -1;
  while (at > line && !(at[-1] == ' ' && at[-2] == ','))
    at--;
  if (sscanf(at, "%u h %u min", &a, &b) == 2)
    return 3600.0 * a + 60 * b;
  if (sscanf(at, "%u min %u s", &a, &b) == 2)
    return 60.0 * a + b;
  ck_assert_int_eq(sscanf(at, "%u s", &a), 1);
  return a;
}

typedef struct watched {
  double due;     /* when what was shown is contradicted */
  double percent; /* that was shown last in this phase */
  uint64_t shown; /* lines with a time left */
} watched;

/* Simulates a phase from *now on, with a look at the line each 0.1 s. */
static void simulate_phase(ms_progress *p, double *now, uint32_t kind, double seconds,
                           uint64_t total, const char *what, watched *w)
{
  char line[200];
  double begin = *now, next = *now;
  w->due = INFINITY;
  w->percent = -1;
  for (; *now < begin + seconds; *now += 0.1) {
    uint64_t done = (uint64_t)(share_done(kind, (*now - begin) / seconds) * (double)total);
    if (*now >= next && (kind != 3 || done < 95 * total / 100)) /* reports end when it stands */
      ms_progress_note(p, *now, what, done < total ? done : total - 1, total);
    ms_progress_text(p, *now, line, sizeof line);
    double left = left_of(line), percent;
    const char *opening = strstr(line, " (");
    if (opening && sscanf(opening, " (%lf %%)", &percent) == 1) {
      ck_assert_msg(percent >= w->percent && percent < 100, "%s", line);
      w->percent = percent;
    }
    ck_assert_msg(*now < w->due || left < 0, "kind %u: at %g s, after %g s were due: %s", kind,
                  *now - begin, w->due - begin, line);
    w->due = *now >= w->due ? INFINITY : w->due;
    w->shown += left >= 0;
    ck_assert(left != 0);
    if (left >= 0 && *now + 2 * left + 1 < w->due)
      w->due = *now + 2 * left + 1;
  }
  ms_progress_note(p, *now, what, total, total);
}

/* In 1,200 random phases of six kinds, of 2 s to 3 h: a time left r that is shown at t is not shown
 * any more at t + 2r + 1, percentages do not fall and are 100 only at the end, and phases that go
 * evenly do show a time. */
START_TEST(time_left_keeps_its_word)
{
  uint64_t state = 11;
  ms_progress p = {0};
  double now = 1000;
  ms_progress_reset(&p, now);
  for (uint32_t i = 0; i < 1200; i++) {
    char what[32];
    watched w = {0};
    uint32_t kind = i % 6;
    uint64_t total = UINT64_C(10) << random_next(&state) % 20;
    double seconds = 2 * pow(10, (double)(random_next(&state) % 1000) / 500);
    seconds *= i % 50 == 0 ? 50 : 1;
    snprintf(what, sizeof what, "phase %u", i);
    simulate_phase(&p, &now, kind, seconds, total, what, &w);
    ck_assert_msg(kind != 0 || seconds < 10 || total < 1000 || w.shown > 0,
                  "no time left was shown in %g s", seconds);
  }
}
END_TEST

TEST_MAIN("progress", TIME_LIMIT(200), AROUND_EACH(open_graph, close_graph),
          TEST_TIMES(what_was_stopped_is_never_done, 6), TEST(reports_are_not_too_frequent),
          TEST(time_left_keeps_its_word))
