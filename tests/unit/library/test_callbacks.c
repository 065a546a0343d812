/* What a program may do in the callbacks of a call.  They call the library with the handles of the
 * running call, make handles of their own and free them, stop the call, start threads, and fork;
 * the child calls the library and ends.  The call then finds what it finds without these callbacks.
 */
#include "motifsieve.h"
#include "tests/support/files.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __SANITIZE_THREAD__ /* which refuses threads after the fork of a process with threads */
#define FORKS false
#else
#define FORKS true
#endif

enum { VERTICES = 400, EDGES = 1600, COLORS = 3, THREADS = 3, PAIRS = 40 };

static ms_error err;
static uint32_t edges[EDGES][2];

static struct {
  ms_graph *graph;
  ms_coloring *coloring;
  ms_motif *motif;
  ms_query *query;
  ms_pattern *pattern;
  ms_pattern_index *index;
  ms_typed *typed;
  ms_typed_pattern *typed_pattern;
  ms_typed_query *typed_query;
  uint64_t matches, triangles, components; /* what calls outside of callbacks find */
} given;

/* ---- the calls inside ------------------------------------------------------------------- */

static uint64_t count_components(const ms_graph *graph)
{
  static _Thread_local uint32_t component[VERTICES];
  uint32_t count = 0;
  return ms_graph_components(graph, MS_COMPONENTS_AFFOREST, THREADS, component, &count, NULL) ==
                 MS_OK
             ? count
             : 0;
}

static uint64_t count_matches(void)
{
  ms_list_options options = MS_LIST_OPTIONS_DEFAULT;
  ms_list_result *r;
  options.exact = options.count_only = true;
  options.screen.run.threads = THREADS;
  uint64_t n = ms_list(given.query, &options, &r, NULL) == MS_OK ? r->matches : 0;
  ms_list_result_free(r);
  return n;
}

static uint64_t count_triangles(void)
{
  ms_pattern_options options = MS_PATTERN_OPTIONS_DEFAULT;
  ms_pattern_result *r;
  options.count_only = true;
  options.screen.run.threads = THREADS;
  uint64_t n =
      ms_pattern_list(given.index, given.pattern, &options, &r, NULL) == MS_OK ? r->matches : 0;
  ms_pattern_result_free(r);
  return n;
}

/* True if calls with the handles of the running call, and with others, give what they give outside.
 * Callbacks may run on any thread, and libcheck's assertions may not. */
static bool calls_work(void)
{
  ms_graph *graph;
  if (ms_graph_from_edges(VERTICES, EDGES, (const uint32_t(*)[2])edges, NULL, &graph, NULL) !=
      MS_OK)
    return false;
  bool right = count_components(graph) == given.components;
  ms_graph_free(graph);
  return right && count_components(given.graph) == given.components &&
         count_matches() == given.matches && count_triangles() == given.triangles;
}

static void *call_on_thread(void *right)
{
  *(bool *)right = calls_work();
  return NULL;
}

static bool child_works(void)
{
  int status = 1;
  pid_t child = fork();
  if (child == 0) {
    alarm(120); /* not for ever, if the child waits for a thread of its parent */
    _exit(calls_work() ? 0 : 1);
  }
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/* What a callback sees: its calls, and whether all was right in the first ones. */
typedef struct seen {
  atomic_int calls;
  atomic_bool wrong;
  uint64_t items;
} seen;

/* Does everything that is allowed, in the first two calls of a callback. */
static void do_all(seen *s)
{
  pthread_t thread;
  bool right = false;
  if (atomic_fetch_add(&s->calls, 1) >= 2)
    return;
  if (!calls_work() || (FORKS && !child_works()) ||
      pthread_create(&thread, NULL, call_on_thread, &right) != 0 ||
      pthread_join(thread, NULL) != 0 || !right)
    atomic_store(&s->wrong, true);
}

static bool take_rows(void *user, const uint32_t *rows, uint64_t count)
{
  (void)rows;
  do_all(user);
  ((seen *)user)->items += count;
  return true;
}

static bool begin_list(void *user, const struct ms_list_result *known)
{
  (void)known;
  do_all(user);
  return true;
}

static bool begin_pattern(void *user, const struct ms_pattern_result *known)
{
  (void)known;
  do_all(user);
  return true;
}

static bool begin_typed(void *user, const struct ms_typed_result *known)
{
  (void)known;
  do_all(user);
  return true;
}

static void take_progress(void *user, const char *what, uint64_t done, uint64_t total)
{
  (void)what, (void)done, (void)total;
  do_all(user);
}

static bool take_path(void *user, uint64_t pair, const ms_typed_path *path)
{
  (void)pair, (void)path;
  do_all(user);
  ((seen *)user)->items++;
  return true;
}

/* ---- the calls around -------------------------------------------------------------------- */

#define SEEN(s)                                                                                    \
  do {                                                                                             \
    ck_assert_int_gt((s).calls, 0);                                                                \
    ck_assert(!(s).wrong);                                                                         \
  } while (0)

static void make_all(void)
{
  static const char *const names[] = {"red", "green", "blue"};
  uint32_t colors[VERTICES][2];
  uint64_t state = 5;
  for (int i = 0; i < EDGES; i++) {
    edges[i][0] = random_below(&state, VERTICES);
    edges[i][1] = random_below(&state, VERTICES);
  }
  for (uint32_t v = 0; v < VERTICES; v++) {
    colors[v][0] = v;
    colors[v][1] = random_below(&state, COLORS);
  }
  ck_ok(
      ms_graph_from_edges(VERTICES, EDGES, (const uint32_t(*)[2])edges, NULL, &given.graph, &err));
  ck_ok(ms_coloring_from_pairs(given.graph, VERTICES, (const uint32_t(*)[2])colors, COLORS, names,
                               &given.coloring, &err));
  ck_ok(ms_motif_parse("red,green,blue", given.coloring, &given.motif, &err));
  ck_ok(ms_query_new(given.graph, given.coloring, given.motif, 0, NULL, &given.query, &err));
  ck_ok(ms_pattern_named("triangle", &given.pattern, &err));
  ck_ok(ms_pattern_index_new(given.graph, NULL, 1, &given.index, &err));
  ck_ok(ms_typed_from_graph(given.graph, given.coloring, 1, &given.typed, &err));
  ck_ok(ms_typed_pattern_parse("(a:red)--(b:blue)--(c)", &given.typed_pattern, &err));
  ck_ok(ms_typed_query_new(given.typed, given.typed_pattern, &given.typed_query, &err));
  given.components = count_components(given.graph);
  given.matches = count_matches();
  given.triangles = count_triangles();
  ck_assert(given.components > 0 && given.matches > 100 && given.triangles > 10);
}

static void free_all(void)
{
  ms_typed_query_free(given.typed_query);
  ms_typed_pattern_free(given.typed_pattern);
  ms_typed_free(given.typed);
  ms_pattern_index_free(given.index);
  ms_pattern_free(given.pattern);
  ms_query_free(given.query);
  ms_motif_free(given.motif);
  ms_coloring_free(given.coloring);
  ms_graph_free(given.graph);
}

/* The callbacks of screen and list, with one thread and three. */
START_TEST(callbacks_of_motifs)
{
  seen progress = {0}, begin = {0};
  ms_screen_options s = MS_SCREEN_OPTIONS_DEFAULT;
  ms_screen_result *screen;
  s.run.threads = _i;
  s.no_early_stop = true;
  s.run.progress = take_progress;
  s.run.progress_user = &progress;
  ck_ok(ms_screen(given.query, &s, &screen, &err));
  SEEN(progress);
  ms_screen_result_free(screen);
  ms_list_options l = MS_LIST_OPTIONS_DEFAULT;
  ms_list_result *list;
  l.screen.run.threads = _i;
  l.exact = true;
  l.begin = begin_list;
  l.rows = take_rows;
  l.rows_user = &begin;
  ck_ok(ms_list(given.query, &l, &list, &err));
  SEEN(begin);
  ck_assert_uint_eq(begin.items, given.matches);
  ms_list_result_free(list);
}
END_TEST

/* Those of patterns and typed patterns. */
START_TEST(callbacks_of_patterns)
{
  seen rows = {0}, typed_rows = {0}, progress = {0};
  ms_pattern_options p = MS_PATTERN_OPTIONS_DEFAULT;
  ms_pattern_result *r;
  p.screen.run.threads = _i;
  p.begin = begin_pattern;
  p.rows = take_rows;
  p.rows_user = &rows;
  ck_ok(ms_pattern_list(given.index, given.pattern, &p, &r, &err));
  SEEN(rows);
  ck_assert_uint_eq(rows.items, given.triangles);
  ms_pattern_result_free(r);
  ms_typed_match_options t = MS_TYPED_MATCH_OPTIONS_DEFAULT;
  ms_typed_result *stored, *typed;
  ck_ok(ms_typed_match(given.typed_query, &t, &stored, &err));
  t.run.threads = _i;
  t.begin = begin_typed;
  t.rows = take_rows;
  t.rows_user = &typed_rows;
  t.run.progress = take_progress;
  t.run.progress_user = &progress;
  ck_ok(ms_typed_match(given.typed_query, &t, &typed, &err));
  SEEN(typed_rows);
  ck_assert(!progress.wrong);
  ck_assert_uint_gt(stored->matches, 100);
  ck_assert_uint_eq(typed_rows.items, stored->matches);
  ms_typed_result_free(typed);
  ms_typed_result_free(stored);
}
END_TEST

/* The receiver of paths. */
START_TEST(callbacks_of_paths)
{
  uint32_t pairs[PAIRS][2];
  seen paths = {0};
  uint64_t state = 9;
  ms_path_options o = MS_PATH_OPTIONS_DEFAULT;
  o.run.threads = _i;
  for (int i = 0; i < PAIRS; i++) {
    pairs[i][0] = random_below(&state, VERTICES);
    pairs[i][1] = random_below(&state, VERTICES);
  }
  ck_ok(ms_typed_path_pairs(given.typed, &o, PAIRS, (const uint32_t(*)[2])pairs, take_path, &paths,
                            NULL, &err));
  SEEN(paths);
  ck_assert_uint_eq(paths.items, PAIRS);
}
END_TEST

static void discover(void *state, uint32_t v)
{
  (void)v;
  do_all(state);
}

/* A visitor, which several threads call at once. */
START_TEST(visitors)
{
  static const uint32_t start[] = {0};
  seen visits = {0};
  const ms_visitor visitor = {.rule = MS_VISIT_AND, .discover = discover};
  ck_ok(ms_graph_visit(given.graph, 1, start, &visitor, &visits, _i, &err));
  SEEN(visits);
  ck_assert_int_gt(visits.calls, VERTICES / 2);
}
END_TEST

typedef struct stopping {
  ms_stop *stop;
  uint64_t rows;
} stopping;

static bool stop_it(void *user, const uint32_t *rows, uint64_t count)
{
  stopping *s = user;
  (void)rows;
  s->rows += count;
  ms_stop_request(s->stop);
  return true;
}

/* A callback stops its own call, which then says so. */
START_TEST(callback_stops_the_call)
{
  stopping s = {0};
  ms_pattern_options p = MS_PATTERN_OPTIONS_DEFAULT;
  ms_pattern_result *r;
  ms_pattern *path;
  ck_ok(ms_stop_new(&s.stop, &err));
  ck_ok(ms_pattern_named("path:6", &path, &err));
  p.screen.run.threads = _i;
  p.screen.run.stop = s.stop;
  p.rows = stop_it;
  p.rows_user = &s;
  ck_ok(ms_pattern_list(given.index, path, &p, &r, &err));
  ck_assert_int_eq(r->run.stopped, MS_ERR_INTERRUPTED);
  ck_assert_uint_gt(s.rows, 0);
  ms_pattern_result_free(r);
  ms_pattern_free(path);
  ms_stop_free(s.stop);
}
END_TEST

/* ---- threads of the library ----------------------------------------------------------------- */

static pthread_t host;
static atomic_int handled, elsewhere;

static void handle(int number)
{
  (void)number;
  atomic_fetch_add(pthread_equal(pthread_self(), host) ? &handled : &elsewhere, 1);
}

static atomic_bool enough;

static void *send_signals(void *user)
{
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, NULL);
  while (!atomic_load(&enough)) {
    kill(getpid(), SIGUSR1);
    usleep(1000);
  }
  return user;
}

/* Signals of the process never arrive in threads of the library, while these work and while they
 * wait. */
START_TEST(signals_arrive_elsewhere)
{
  pthread_t sender;
  struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
  host = pthread_self();
  sigemptyset(&action.sa_mask);
  ck_assert_int_eq(sigaction(SIGUSR1, &action, NULL), 0);
  ck_assert_int_eq(pthread_create(&sender, NULL, send_signals, NULL), 0);
  for (uint64_t i = 0; i < scaled(50) || atomic_load(&handled) < 20; i++)
    ck_assert(calls_work());
  atomic_store(&enough, true);
  ck_assert_int_eq(pthread_join(sender, NULL), 0);
  ck_assert_int_eq(elsewhere, 0);
}
END_TEST

/* Runs a test with one thread, with two and with three. */
#define WITH_THREADS(name) ((test_entry){.test = (name), .first = 1, .times = THREADS})

TEST_MAIN("callbacks", AROUND_EACH(make_all, free_all), WITH_THREADS(callbacks_of_motifs),
          WITH_THREADS(callbacks_of_patterns), WITH_THREADS(callbacks_of_paths),
          WITH_THREADS(visitors), WITH_THREADS(callback_stops_the_call),
          TEST(signals_arrive_elsewhere))
