/* A program with several threads: four of them call the library at the same time, each with loops
 * on two threads, and share the handles that do not change.  What each of them gets is what one
 * thread alone gets, with loops on one thread.  `make TSAN=1` shows the data races of these calls.
 */
#include "base/hooks.h"
#include "base/threads/threads.h"
#include "motifsieve.h"
#include "tests/support/files.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { HOSTS = 4, INNER = 2, VERTICES = 240, DEGREE = 6, COLORS = 4, PAIRS = 60, PATH = 4096 };

static ms_error err;

/* What the threads share. */
static struct {
  uint32_t n; /* vertices; without isolated ones at most VERTICES */
  ms_graph *graph;
  ms_coloring *coloring;
  ms_labels *labels;
  ms_motif *motif;
  ms_query *query;
  ms_pattern *pattern, *cycle;
  ms_pattern_index *index;
  ms_typed *typed;
  ms_typed_pattern *typed_pattern;
  ms_typed_query *typed_query;
  uint32_t pairs[PAIRS][2];
  char graph_path[PATH], colors_path[PATH], labels_path[PATH], list_path[PATH], screen_path[PATH];
} shared;

/* One run of a call: by which thread, and what came out.  libcheck's macros are for one thread, so
 * a thread only notes what went wrong. */
typedef struct outcome {
  int threads;     /* of the loops inside the library */
  char path[PATH]; /* a file that no other thread writes */
  uint64_t digest; /* of all results */
  uint64_t items;  /* rows, flags, bytes: a test in which there are none tests nothing */
  bool failed;
  ms_error err; /* the first failure */
} outcome;

typedef void call_fn(outcome *o);

/* ---- outcomes --------------------------------------------------------------------------- */

static void note(outcome *o, const void *bytes, size_t size)
{
  const unsigned char *byte = bytes;
  for (size_t i = 0; i < size; i++)
    o->digest = (o->digest ^ byte[i]) * UINT64_C(0x100000001b3);
}

static void note_number(outcome *o, uint64_t number)
{
  note(o, &number, sizeof number);
}

static void note_text(outcome *o, const char *text)
{
  note(o, text, strlen(text) + 1);
}

static void note_rows(outcome *o, const uint32_t *rows, uint64_t count, uint32_t width)
{
  note_number(o, count);
  note(o, rows, count * width * sizeof *rows);
  o->items += count;
}

static void note_failure(outcome *o, const char *what)
{
  if (!o->failed)
    snprintf(o->err.message, sizeof o->err.message, "%s", what);
  o->failed = true;
}

/* Notes a failed call.  True if the call succeeded. */
static bool good(outcome *o, ms_status status, const ms_error *error)
{
  if (status != MS_OK)
    note_failure(o, error->message);
  return status == MS_OK;
}

/* ---- searches --------------------------------------------------------------------------- */

static void note_screen(outcome *o, const ms_screen_result *r)
{
  note(o, r->hits, r->n * sizeof *r->hits);
  note(o, r->kept, r->n);
  note_number(o, r->repetitions);
  note_text(o, r->miss_bound_text);
  o->items += r->flagged;
}

/* By the fastest arithmetic of this processor, and by those that run everywhere. */
static void call_screen(outcome *o)
{
  static const char *const kernels[] = {NULL, "table", "bitslice64"};
  ms_error error;
  for (int i = 0; i < 3; i++) {
    ms_screen_options options = MS_SCREEN_OPTIONS_DEFAULT;
    ms_screen_result *r;
    options.run.threads = o->threads;
    options.repetitions = 3;
    options.kernel = kernels[i];
    options.no_early_stop = true;
    if (!good(o, ms_screen(shared.query, &options, &r, &error), &error))
      return;
    note_screen(o, r);
    note(o, r->q, (size_t)r->repetitions * r->n);
    ms_screen_result_free(r);
  }
}

/* With the sieve and without it. */
static void call_list(outcome *o)
{
  ms_error error;
  for (int exact = 0; exact < 2; exact++) {
    ms_list_options options = MS_LIST_OPTIONS_DEFAULT;
    ms_list_result *r;
    options.screen.run.threads = o->threads;
    options.exact = exact;
    if (!good(o, ms_list(shared.query, &options, &r, &error), &error))
      return;
    note_rows(o, r->vertices, r->matches, r->k);
    note_text(o, r->count_text);
    ms_list_result_free(r);
  }
}

static bool take_rows(void *user, const uint32_t *rows, uint64_t count)
{
  outcome *o = user;
  note(o, rows, count * 4 * sizeof *rows);
  o->items += count;
  return true;
}

/* Rows that are stored, and rows that a callback receives. */
static void call_rows(outcome *o)
{
  ms_error error;
  for (int delivered = 0; delivered < 2; delivered++) {
    ms_pattern_options options = MS_PATTERN_OPTIONS_DEFAULT;
    ms_pattern_result *r;
    options.screen.run.threads = o->threads;
    options.screen.run.engine = "cpu";
    options.embeddings = delivered;
    options.screen_mode = delivered ? MS_SCREEN_NEVER : MS_SCREEN_ALWAYS;
    options.rows = delivered ? take_rows : NULL;
    options.rows_user = o;
    if (!good(o, ms_pattern_list(shared.index, shared.pattern, &options, &r, &error), &error))
      return;
    if (r->vertices)
      note_rows(o, r->vertices, r->matches, r->p);
    note_text(o, r->subgraphs_text);
    ms_pattern_result_free(r);
  }
}

/* A count by formulas, and one by search. */
static void call_count(outcome *o)
{
  ms_error error;
  for (int induced = 0; induced < 2; induced++) {
    ms_pattern_options options = MS_PATTERN_OPTIONS_DEFAULT;
    ms_pattern_result *r;
    options.screen.run.threads = o->threads;
    options.count_only = true;
    options.induced = induced;
    if (!good(o, ms_pattern_list(shared.index, shared.cycle, &options, &r, &error), &error))
      return;
    note_text(o, r->embeddings_text);
    note_text(o, r->automorphisms_text);
    o->items += r->matches;
    ms_pattern_result_free(r);
  }
}

static void note_flags(outcome *o, const ms_flags_result *r)
{
  note(o, r->flagged, r->n);
  o->items += r->count;
}

static void call_flags(outcome *o)
{
  ms_error error;
  ms_pattern_options options = MS_PATTERN_OPTIONS_DEFAULT;
  ms_typed_match_options typed = MS_TYPED_MATCH_OPTIONS_DEFAULT;
  ms_flags_result *r;
  options.screen.run.threads = typed.run.threads = o->threads;
  if (!good(o, ms_pattern_flags(shared.index, shared.pattern, &options, &r, &error), &error))
    return;
  note_flags(o, r);
  ms_flags_result_free(r);
  if (!good(o, ms_typed_flags(shared.typed_query, &typed, &r, &error), &error))
    return;
  note_flags(o, r);
  ms_flags_result_free(r);
}

/* Exact and inexact. */
static void call_typed(outcome *o)
{
  ms_error error;
  ms_typed_match_options options = MS_TYPED_MATCH_OPTIONS_DEFAULT;
  ms_typed_result *r;
  options.run.threads = o->threads;
  if (!good(o, ms_typed_match(shared.typed_query, &options, &r, &error), &error))
    return;
  note_rows(o, r->vertices, r->matches, r->p);
  note_text(o, r->count_text);
  ms_typed_result_free(r);
  if (!good(o, ms_typed_match_inexact(shared.typed_query, &options, &r, &error), &error))
    return;
  note_rows(o, r->vertices, r->matches, r->p);
  note(o, r->score, r->matches * sizeof *r->score);
  ms_typed_result_free(r);
}

/* Plans, the type filter, and statistics. */
static void call_measures(outcome *o)
{
  ms_error error;
  ms_pattern_options options = MS_PATTERN_OPTIONS_DEFAULT;
  ms_graph_stats graph;
  ms_color_stats colors = {0};
  ms_motif_stats motif;
  ms_typed *filtered;
  char *text;
  options.screen.run.threads = 1; /* the text names the threads */
  if (!good(o, ms_pattern_explain(shared.index, shared.cycle, &options, true, &text, &error),
            &error))
    return;
  o->items += strlen(text);
  ms_text_free(text);
  if (good(o, ms_typed_filter(shared.typed_query, o->threads, &filtered, &error), &error)) {
    note_number(o, ms_typed_describe(filtered).edges);
    ms_typed_free(filtered);
  }
  if (good(o, ms_graph_measure(shared.graph, &graph, &error), &error))
    note(o, graph.degrees, sizeof graph.degrees);
  if (good(o, ms_coloring_measure(shared.coloring, &colors, &error), &error))
    note(o, colors.vertices, colors.colors * sizeof *colors.vertices);
  ms_color_stats_clear(&colors);
  if (good(o, ms_query_measure(shared.query, &motif, &error), &error))
    note_number(o, motif.edges);
}

/* ---- walks ------------------------------------------------------------------------------ */

static void call_components(outcome *o)
{
  static const ms_components_algorithm algorithms[] = {MS_COMPONENTS_AFFOREST, MS_COMPONENTS_KAHAN,
                                                       MS_COMPONENTS_BULLY};
  ms_error error;
  for (int i = 0; i < 3; i++) {
    uint32_t component[VERTICES], count;
    if (!good(
            o,
            ms_graph_components(shared.graph, algorithms[i], o->threads, component, &count, &error),
            &error))
      return;
    note_rows(o, component, shared.n, 1);
    note_number(o, count);
  }
}

static bool take_path(void *user, uint64_t pair, const ms_typed_path *path)
{
  outcome *o = user;
  note_number(o, pair);
  note_number(o, path->length);
  if (path->length != MS_NO_PATH)
    note_rows(o, path->vertices, path->length, 1);
  return true;
}

/* All pairs, and one search after the other. */
static void call_paths(outcome *o)
{
  ms_error error;
  ms_path_options options = MS_PATH_OPTIONS_DEFAULT;
  ms_typed_paths *paths;
  ms_typed_path path;
  options.run.threads = o->threads;
  good(o,
       ms_typed_path_pairs(shared.typed, &options, PAIRS, (const uint32_t(*)[2])shared.pairs,
                           take_path, o, NULL, &error),
       &error);
  if (!good(o, ms_typed_paths_new(shared.typed, &options, &paths, &error), &error))
    return;
  for (uint32_t i = 0; i < PAIRS / 4; i++)
    if (good(o, ms_typed_paths_find(paths, shared.pairs[i][0], shared.pairs[i][1], &path, &error),
             &error))
      note_number(o, path.length);
  ms_typed_paths_free(paths);
}

static void discover(void *state, uint32_t v)
{
  atomic_int *discovered = state;
  atomic_fetch_add(&discovered[v], 1);
}

static void call_visit(outcome *o)
{
  static const ms_visitor visitor = {.rule = MS_VISIT_AND, .discover = discover};
  ms_error error;
  atomic_int discovered[VERTICES];
  uint32_t starts[] = {0, 7};
  for (uint32_t v = 0; v < VERTICES; v++)
    atomic_init(&discovered[v], 0);
  if (!good(o, ms_graph_visit(shared.graph, 2, starts, &visitor, discovered, o->threads, &error),
            &error))
    return;
  for (uint32_t v = 0; v < shared.n; v++) {
    note_number(o, (uint64_t)discovered[v]);
    o->items += discovered[v] > 0;
  }
}

/* ---- files ------------------------------------------------------------------------------ */

/* The result files that all threads verify. */
static void write_results(void)
{
  ms_list_options list = MS_LIST_OPTIONS_DEFAULT;
  ms_screen_result *screen;
  ms_list_result *r;
  list.exact = true;
  ck_ok(ms_list_to_file(shared.query, &list, NULL, shared.list_path, &r, &err));
  ms_list_result_free(r);
  ck_ok(ms_screen(shared.query, NULL, &screen, &err));
  ck_ok(ms_screen_write(shared.query, NULL, screen, NULL, shared.screen_path, &err));
  ms_screen_result_free(screen);
}

static void call_verify(outcome *o)
{
  ms_error error;
  const char *files[] = {shared.list_path, shared.screen_path};
  for (int i = 0; i < 2; i++) {
    ms_verify_options options = MS_VERIFY_OPTIONS_DEFAULT;
    ms_verify_report report;
    options.graph.run.threads = o->threads;
    if (!good(o,
              ms_verify_file(files[i], shared.graph_path, shared.colors_path, &options, &report,
                             &error),
              &error))
      return;
    note_number(o, report.outcome);
    note_number(o, report.completeness);
    note_number(o, report.rows);
    o->items += report.rows + report.flags;
    if (!report.accepted)
      note_failure(o, report.problem);
  }
}

static void note_graph(outcome *o, const ms_graph *graph)
{
  note_number(o, ms_graph_describe(graph).crc32c);
  for (uint32_t v = 0; v < ms_graph_vertex_count(graph); v++) {
    uint32_t degree;
    const uint32_t *row = ms_graph_neighbors(graph, v, &degree);
    note_text(o, ms_graph_name(graph, v));
    note_rows(o, row, degree, 1);
    if (ms_graph_find(graph, ms_graph_name(graph, v)) != v)
      note_failure(o, "a vertex is not found by its name");
  }
}

/* All threads read the same files. */
static void call_read(outcome *o)
{
  ms_error error;
  ms_graph_options options = MS_GRAPH_OPTIONS_DEFAULT;
  ms_typed_options typed_options = MS_TYPED_OPTIONS_DEFAULT;
  ms_graph *graph;
  ms_coloring *coloring;
  ms_labels *labels;
  ms_typed *typed;
  options.run.threads = typed_options.run.threads = o->threads;
  if (!good(o, ms_graph_read(shared.graph_path, &options, &graph, &error), &error))
    return;
  note_graph(o, graph);
  if (good(o, ms_coloring_read(shared.colors_path, graph, NULL, &coloring, &error), &error)) {
    note_number(o, ms_coloring_describe(coloring).assignments);
    ms_coloring_free(coloring);
  }
  if (good(o, ms_labels_read(shared.labels_path, shared.graph, &labels, &error), &error)) {
    note_number(o, ms_labels_describe(labels).labelled);
    ms_labels_free(labels);
  }
  ms_graph_free(graph);
  if (good(o, ms_typed_read(shared.graph_path, &typed_options, &typed, &error), &error)) {
    note_number(o, ms_typed_describe(typed).edges);
    ms_typed_free(typed);
  }
}

/* The limit and the token of a thread are for its own calls alone: others read without them
 * meanwhile. */
static void call_limits(outcome *o)
{
  ms_error error;
  ms_graph *graph;
  ms_stop *stop;
  if (!good(o, ms_stop_new(&stop, &error), &error))
    return;
  ms_stop_request(stop);
  ms_limit_memory(16 << 20);
  for (int round = 0; round < 30; round++) {
    ms_stop_attach(stop);
    if (ms_graph_read(shared.graph_path, NULL, &graph, &error) != MS_ERR_INTERRUPTED)
      note_failure(o, "a token that was stopped did not end the reading");
    ms_stop_attach(NULL);
    if (good(o, ms_graph_read(shared.graph_path, NULL, &graph, &error), &error)) {
      note_graph(o, graph);
      ms_graph_free(graph);
    }
  }
  ms_limit_memory(0);
  ms_stop_free(stop);
}

static void note_file(outcome *o)
{
  char bytes[4096];
  size_t got;
  FILE *in = fopen(o->path, "rb");
  if (!in) {
    note_failure(o, "the output is not there");
    return;
  }
  while ((got = fread(bytes, 1, sizeof bytes, in)) > 0) {
    note(o, bytes, got);
    o->items += got;
  }
  fclose(in);
  remove(o->path);
}

/* Each thread writes into a file of its own, in one folder. */
static void call_write(outcome *o)
{
  static const ms_graph_format formats[] = {MS_FORMAT_GRAPHML, MS_FORMAT_BINARY, MS_FORMAT_SIF};
  ms_error error;
  ms_list_options list = MS_LIST_OPTIONS_DEFAULT;
  ms_pattern_options options = MS_PATTERN_OPTIONS_DEFAULT;
  ms_write_options form = MS_WRITE_OPTIONS_DEFAULT;
  ms_list_result *r;
  ms_pattern_result *matches;
  list.screen.run.threads = options.screen.run.threads = o->threads;
  list.exact = true;
  form.form = MS_FORM_JSON;
  form.labels = shared.labels;
  options.screen_mode = MS_SCREEN_NEVER;
  for (int i = 0; i < 3; i++)
    if (good(o, ms_graph_write(shared.graph, shared.coloring, formats[i], o->path, &error), &error))
      note_file(o);
  if (good(o, ms_list_to_file(shared.query, &list, &form, o->path, &r, &error), &error)) {
    note_file(o);
    ms_list_result_free(r);
  }
  if (good(o,
           ms_pattern_list_to_file(shared.index, shared.pattern, &options, NULL, o->path, &matches,
                                   &error),
           &error)) {
    note_file(o);
    ms_pattern_result_free(matches);
  }
}

/* ---- the rest --------------------------------------------------------------------------- */

/* One graph of each family, its colours and its types. */
static void call_generate(outcome *o)
{
  static const ms_generate_options families[] = {
      {.family = MS_FAMILY_REGULAR,
       .given = MS_GEN_VERTICES | MS_GEN_DEGREE,
       .vertices = 200,
       .degree = 4},
      {.family = MS_FAMILY_POWER_LAW,
       .given = MS_GEN_VERTICES | MS_GEN_EXPONENT | MS_GEN_MIN_DEGREE | MS_GEN_MAX_DEGREE,
       .vertices = 200,
       .exponent = -2.5,
       .min_degree = 1,
       .max_degree = 30},
      {.family = MS_FAMILY_ER,
       .given = MS_GEN_VERTICES | MS_GEN_EDGES,
       .vertices = 200,
       .edges = 500},
      {.family = MS_FAMILY_CLIQUE, .given = MS_GEN_VERTICES, .vertices = 40},
      {.family = MS_FAMILY_RMAT, .given = MS_GEN_SCALE | MS_GEN_EDGES, .scale = 7, .edges = 300},
      {.family = MS_FAMILY_GRID, .given = MS_GEN_ROWS | MS_GEN_COLS, .rows = 14, .cols = 15},
      {.family = MS_FAMILY_HUBS,
       .given = MS_GEN_VERTICES | MS_GEN_DEGREE | MS_GEN_EXPONENT,
       .vertices = 200,
       .degree = 5,
       .exponent = -1}};
  ms_error error;
  for (int i = 0; i < MS_FAMILIES; i++) {
    ms_generate_options options = families[i];
    ms_plant_options plant = MS_PLANT_OPTIONS_DEFAULT;
    ms_graph *graph;
    ms_coloring *coloring;
    ms_typed *typed;
    options.size = sizeof options;
    options.run.threads = o->threads;
    plant.slots = 4;
    if (!good(o, ms_generate(&options, &graph, &error), &error))
      return;
    note_graph(o, graph);
    if (good(o, ms_generate_planted(graph, &plant, &coloring, NULL, &error), &error)) {
      note_number(o, ms_coloring_describe(coloring).colors);
      if (good(o, ms_generate_types(graph, coloring, 3, 1, 5, o->threads, &typed, &error),
               &error)) {
        note_number(o, ms_typed_describe(typed).edges);
        ms_typed_free(typed);
      }
      ms_coloring_free(coloring);
    }
    ms_graph_free(graph);
  }
}

/* Handles made of those that all threads share. */
static void call_make(outcome *o)
{
  ms_error error;
  ms_motif *motif;
  ms_query *query;
  ms_pattern_index *index;
  ms_typed *typed;
  ms_typed_query *typed_query;
  if (good(o, ms_motif_parse("c1:2,c2,*", shared.coloring, &motif, &error), &error)) {
    note_text(o, ms_motif_text(motif));
    if (good(o, ms_query_new(shared.graph, shared.coloring, motif, 0, NULL, &query, &error),
             &error)) {
      note_text(o, ms_query_slot_name(query, 1));
      ms_query_free(query);
    }
    ms_motif_free(motif);
  }
  if (good(o, ms_pattern_index_new(shared.graph, shared.coloring, o->threads, &index, &error),
           &error))
    ms_pattern_index_free(index);
  if (!good(o, ms_typed_from_graph(shared.graph, shared.coloring, o->threads, &typed, &error),
            &error))
    return;
  if (good(o, ms_typed_query_new(typed, shared.typed_pattern, &typed_query, &error), &error))
    ms_typed_query_free(typed_query);
  o->items += ms_typed_describe(typed).edges;
  ms_typed_free(typed);
}

/* Each thread has its own message. */
static void call_fail(outcome *o)
{
  ms_error error;
  ms_motif *motif = NULL;
  ms_graph *graph = NULL;
  ms_pattern *pattern = NULL;
  note_number(o, ms_motif_parse("c1,nothing", shared.coloring, &motif, &error));
  note_text(o, error.message);
  note_number(o, ms_graph_read("missing/file.tsv", NULL, &graph, &error));
  note_text(o, error.message);
  note_number(o, ms_pattern_named("dodecahedron", &pattern, &error));
  note_text(o, error.message);
  if (motif || graph || pattern)
    note_failure(o, "a call that must fail made an object");
}

static const struct {
  const char *name;
  call_fn *call;
  bool has_items;
} calls[] = {{"screen", call_screen, true},
             {"list", call_list, true},
             {"rows of a pattern", call_rows, true},
             {"count", call_count, true},
             {"flags", call_flags, true},
             {"typed match", call_typed, true},
             {"measures", call_measures, true},
             {"components", call_components, true},
             {"paths", call_paths, true},
             {"visit", call_visit, true},
             {"verify", call_verify, true},
             {"read", call_read, true},
             {"limits", call_limits, true},
             {"write", call_write, true},
             {"generate", call_generate, true},
             {"make", call_make, true},
             {"fail", call_fail, false}};
enum { CALLS = sizeof calls / sizeof *calls };

/* ---- many threads and one ------------------------------------------------------------------ */

typedef struct host {
  int first, calls; /* the calls that it makes, the table taken as a circle */
  pthread_barrier_t *begin;
  outcome outcome[CALLS];
} host;

static void run_calls(host *h)
{
  for (int i = 0; i < h->calls; i++) {
    int which = (h->first + i) % CALLS;
    calls[which].call(&h->outcome[which]);
  }
}

static void *run_host(void *user)
{
  host *h = user;
  pthread_barrier_wait(h->begin);
  run_calls(h);
  return NULL;
}

static host make_host(int number, int threads, int first, int count)
{
  host h = {.first = first, .calls = count};
  for (int i = 0; i < CALLS; i++) {
    h.outcome[i].threads = threads;
    snprintf(h.outcome[i].path, PATH, "%s", files_path("output"));
    snprintf(h.outcome[i].path + strlen(h.outcome[i].path), 16, "%d.txt", number);
  }
  return h;
}

/* Runs `count` calls on all hosts at the same time, host i from call first + i * step on, and
 * compares what each got with what one thread gets.  The many go first, so that they also meet in
 * what the library sets up at its first use. */
static void compare(int first, int step, int count)
{
  static host hosts[HOSTS], alone;
  pthread_t thread[HOSTS];
  pthread_barrier_t begin;
  if (count == CALLS || calls[first].call == call_verify)
    write_results();
  pthread_barrier_init(&begin, NULL, HOSTS);
  for (int i = 0; i < HOSTS; i++) {
    hosts[i] = make_host(i, INNER, first + i * step, count);
    hosts[i].begin = &begin;
    ck_assert_int_eq(pthread_create(&thread[i], NULL, run_host, &hosts[i]), 0);
  }
  for (int i = 0; i < HOSTS; i++)
    pthread_join(thread[i], NULL);
  pthread_barrier_destroy(&begin);
  alone = make_host(HOSTS, 1, first, count);
  run_calls(&alone);
  for (int i = 0; i < count; i++) {
    int which = (first + i) % CALLS;
    const outcome *one = &alone.outcome[which];
    ck_assert_msg(!one->failed, "%s alone: %s", calls[which].name, one->err.message);
    ck_assert_msg(one->items > 0 || !calls[which].has_items, "%s finds nothing", calls[which].name);
    for (int h = 0; h < HOSTS; h++) {
      const outcome *o = &hosts[h].outcome[which];
      ck_assert_msg(!o->failed, "%s in thread %d: %s", calls[which].name, h, o->err.message);
      ck_assert_msg(o->digest == one->digest, "%s in thread %d: another result", calls[which].name,
                    h);
    }
  }
}

/* The same call in all threads: 17 kinds of calls. */
START_TEST(the_same_call)
{
  compare(_i, 0, 1);
}
END_TEST

/* All calls in all threads, which begin at different ones. */
START_TEST(different_calls)
{
  compare(0, CALLS / HOSTS, CALLS);
}
END_TEST

/* ---- progress and stopping ------------------------------------------------------------------ */

/* A search that would take minutes, with a token that all threads share. */
typedef struct search {
  int kind;
  ms_stop *stop;
  atomic_int *reporting; /* searches that have reported */
  atomic_int inside;
  atomic_bool reported, overlaps;
  ms_status stopped;
  bool failed;
  ms_error err;
} search;

static void report(void *user, const char *what, uint64_t done, uint64_t total)
{
  search *s = user;
  (void)what, (void)done, (void)total;
  if (atomic_fetch_add(&s->inside, 1) > 0)
    s->overlaps = true;
  if (!atomic_exchange(&s->reported, true))
    atomic_fetch_add(s->reporting, 1);
  atomic_fetch_sub(&s->inside, 1);
}

static bool make_query(search *s, const char *text, ms_motif **motif, ms_query **query)
{
  *query = NULL;
  s->failed = ms_motif_parse(text, shared.coloring, motif, &s->err) != MS_OK ||
              ms_query_new(shared.graph, shared.coloring, *motif, 0, NULL, query, &s->err) != MS_OK;
  return !s->failed;
}

static void search_screen(search *s)
{
  ms_motif *motif;
  ms_query *query;
  ms_screen_options o = MS_SCREEN_OPTIONS_DEFAULT;
  ms_screen_result *r = NULL;
  o.run.threads = INNER;
  o.repetitions = MS_MAX_REPETITIONS;
  o.no_early_stop = true;
  o.run.stop = s->stop;
  o.run.progress = report;
  o.run.progress_user = s;
  if (make_query(s, "c0:4,c1:4,c2:4,c3:4", &motif, &query)) {
    s->failed = ms_screen(query, &o, &r, &s->err) != MS_OK;
    s->stopped = r ? r->run.stopped : MS_OK;
  }
  ms_screen_result_free(r);
  ms_query_free(query);
  ms_motif_free(motif);
}

static void search_pattern(search *s)
{
  ms_pattern *pattern;
  ms_pattern_options o = MS_PATTERN_OPTIONS_DEFAULT;
  ms_pattern_result *r = NULL;
  o.count_only = o.induced = true;
  o.screen.run.engine = "cpu";
  o.screen_mode = MS_SCREEN_NEVER;
  o.screen.run.threads = INNER;
  o.screen.run.stop = s->stop;
  o.screen.run.progress = report;
  o.screen.run.progress_user = s;
  s->failed = ms_pattern_named("cycle:11", &pattern, &s->err) != MS_OK;
  if (s->failed)
    return;
  s->failed = ms_pattern_list(shared.index, pattern, &o, &r, &s->err) != MS_OK;
  if (!s->failed)
    s->stopped = r->run.stopped;
  ms_pattern_result_free(r);
  ms_pattern_free(pattern);
}

static void search_list(search *s)
{
  ms_motif *motif;
  ms_query *query;
  ms_list_options o = MS_LIST_OPTIONS_DEFAULT;
  ms_list_result *r = NULL;
  o.exact = o.count_only = true;
  o.screen.run.threads = INNER;
  o.screen.run.stop = s->stop;
  o.screen.run.progress = report;
  o.screen.run.progress_user = s;
  if (make_query(s, "*:12", &motif, &query)) {
    s->failed = ms_list(query, &o, &r, &s->err) != MS_OK;
    s->stopped = r ? r->run.stopped : MS_OK;
  }
  ms_list_result_free(r);
  ms_query_free(query);
  ms_motif_free(motif);
}

static void *run_search(void *user)
{
  static void (*const kinds[])(search *) = {search_screen, search_pattern, search_list};
  search *s = user;
  kinds[s->kind](s);
  return NULL;
}

/* One token ends four searches, a screen, a count of a pattern and two lists, when another thread
 * stops it.  Their progress comes one call at a time for each. */
START_TEST(one_token_for_all)
{
  static search searches[HOSTS];
  pthread_t thread[HOSTS];
  atomic_int reporting = 0;
  ms_stop *stop;
  ck_ok(ms_stop_new(&stop, &err));
  ms_stop_after(stop, 100); /* the test fails then, and does not hang */
  for (int i = 0; i < HOSTS; i++) {
    searches[i].kind = i % 3;
    searches[i].stop = stop;
    searches[i].reporting = &reporting;
    ck_assert_int_eq(pthread_create(&thread[i], NULL, run_search, &searches[i]), 0);
  }
  for (int ms = 0; ms < 50000 && atomic_load(&reporting) < HOSTS; ms++)
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  ck_assert_int_eq(atomic_load(&reporting), HOSTS);
  ms_stop_request(stop);
  for (int i = 0; i < HOSTS; i++) {
    pthread_join(thread[i], NULL);
    ck_assert_msg(!searches[i].failed, "search %d: %s", i, searches[i].err.message);
    ck_assert_msg(searches[i].stopped == MS_ERR_INTERRUPTED, "search %d: %s", i,
                  ms_status_text(searches[i].stopped));
    ck_assert(!searches[i].overlaps);
  }
  ms_stop_free(stop);
}
END_TEST

/* ---- what is shared ------------------------------------------------------------------------- */

static void make_graph(void)
{
  static uint32_t edges[VERTICES * DEGREE / 2][2];
  static const char *const names[COLORS] = {"c0", "c1", "c2", "c3"};
  uint64_t state = 11;
  FILE *labels = fopen(shared.labels_path, "w"), *table = fopen(shared.colors_path, "w");
  ms_graph *built;
  ck_assert(labels && table);
  for (size_t e = 0; e < sizeof edges / sizeof *edges; e++) {
    edges[e][0] = random_below(&state, VERTICES);
    edges[e][1] = random_below(&state, VERTICES);
  }
  for (uint32_t v = 0; v < VERTICES; v++) {
    uint32_t color = random_below(&state, COLORS);
    fprintf(labels, "%u\tlabel %u\n", v, v);
    fprintf(table, "%u\t%s\n", v, names[color]);
  }
  for (uint32_t i = 0; i < PAIRS; i++)
    for (int end = 0; end < 2; end++)
      shared.pairs[i][end] = random_below(&state, VERTICES / 2);
  ck_assert(fclose(labels) == 0 && fclose(table) == 0);
  ck_ok(ms_graph_from_edges(VERTICES, sizeof edges / sizeof *edges, (const uint32_t(*)[2])edges,
                            NULL, &built, &err));
  ck_ok(ms_graph_write(built, NULL, MS_FORMAT_EDGE_LIST, shared.graph_path, &err));
  ms_graph_free(built);
  ck_ok(ms_graph_read(shared.graph_path, NULL, &shared.graph, &err));
  ck_ok(ms_coloring_read(shared.colors_path, shared.graph, NULL, &shared.coloring, &err));
  ck_ok(ms_labels_read(shared.labels_path, shared.graph, &shared.labels, &err));
}

static void set_paths(void)
{
  snprintf(shared.graph_path, PATH, "%s", files_path("graph.tsv"));
  snprintf(shared.colors_path, PATH, "%s", files_path("colors.tsv"));
  snprintf(shared.labels_path, PATH, "%s", files_path("labels.tsv"));
  snprintf(shared.list_path, PATH, "%s", files_path("list.tsv"));
  snprintf(shared.screen_path, PATH, "%s", files_path("screen.tsv"));
}

/* Makes what the threads share.  Short loops have several threads, too. */
static void open_shared(void)
{
  ms_hooks.work_for_threads = 0;
  ms_hooks.keep_q = true;
  set_paths();
  make_graph();
  shared.n = ms_graph_vertex_count(shared.graph);
  ck_ok(ms_motif_parse("c0,c1:2,c2", shared.coloring, &shared.motif, &err));
  ck_ok(ms_query_new(shared.graph, shared.coloring, shared.motif, 0, NULL, &shared.query, &err));
  ck_ok(ms_pattern_parse("(a:c0)--(b:c1)--(c:c2)--(d)", false, &shared.pattern, &err));
  ck_ok(ms_pattern_named("cycle:6", &shared.cycle, &err));
  ck_ok(ms_pattern_index_new(shared.graph, shared.coloring, 1, &shared.index, &err));
  ck_ok(ms_typed_from_graph(shared.graph, shared.coloring, 1, &shared.typed, &err));
  ck_ok(ms_typed_pattern_parse("(a:c0)-[edge]-(b:c1)--(c:c2)--(d)", &shared.typed_pattern, &err));
  ck_ok(ms_typed_query_new(shared.typed, shared.typed_pattern, &shared.typed_query, &err));
}

static void close_shared(void)
{
  ms_typed_query_free(shared.typed_query);
  ms_typed_pattern_free(shared.typed_pattern);
  ms_typed_free(shared.typed);
  ms_pattern_index_free(shared.index);
  ms_pattern_free(shared.cycle);
  ms_pattern_free(shared.pattern);
  ms_query_free(shared.query);
  ms_motif_free(shared.motif);
  ms_labels_free(shared.labels);
  ms_coloring_free(shared.coloring);
  ms_graph_free(shared.graph);
}

TEST_MAIN("host_threads", TIME_LIMIT(200), AROUND_EACH(open_shared, close_shared),
          TEST_TIMES(the_same_call, CALLS), TEST(different_calls), TEST(one_token_for_all))
