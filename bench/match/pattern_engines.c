/* Times the engines for pattern graphs, by name, on one graph in one process.
 *
 *   pattern_engines [-e ENGINE] [-t THREADS] [-r REPEATS] [-d GPUS] [-c COLORS] [-l] GRAPH
 * PATTERN...
 *
 * ENGINE: a name of an engine; `none` only plans.  PATTERN: a built-in name
 * (clique:5), or its edges
 * (0-1,1-2,2-0); induced: before it leaves out matches with further edges.  -c: every vertex has
 * one of COLORS colours, evenly at random, and vertex i of a pattern accepts the colour i modulo
 * COLORS.  -l: list every subgraph rather than count. One line a pattern:
 * PATTERN<TAB>ENGINE<TAB>MAPS<TAB>FIRST MS<TAB>BEST MS<TAB>MEDIAN MS; the first run of all includes
 * the GPU's start and the copy of the graph, later ones plan and search. */
#include <stdio.h> /* before gmp.h, which declares mpz_out_str only then */

#include "bench/harness.h"
#include "bench/match/pattern_runs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_REPEATS = 1000, MOST_COLORS = 64 };
#define INDUCED "induced:" /* as in sweep_rows.c */

static ms_status count_nothing(const ms_pattern_task *task, mpz_t sum, ms_error *err)
{
  (void)task;
  (void)sum;
  (void)err;
  return MS_OK;
}

static const ms_pattern_engine engine_none = {.name = "none", .count = count_nothing};

typedef struct settings {
  const ms_pattern_engine *engine;
  int threads, repeats;
  uint32_t devices, colors;
  bool list;
} settings;

/* ---- colours -------------------------------------------------------------------- */

static uint32_t mixed(uint32_t x)
{
  x = (x ^ x >> 16) * 0x45d9f3bu;
  x = (x ^ x >> 16) * 0x45d9f3bu;
  return x ^ x >> 16;
}

static ms_status draw_colors(const ms_graph *graph, uint32_t colors, ms_coloring **out,
                             ms_error *err)
{
  char text[MOST_COLORS][8];
  const char *names[MOST_COLORS];
  uint32_t n = ms_graph_describe(graph).vertices;
  uint32_t(*pair)[2] = malloc((n + 1) * sizeof *pair);
  ms_status status = MS_ERR_MEMORY;
  for (uint32_t i = 0; i < colors; i++) {
    snprintf(text[i], sizeof text[i], "c%u", i);
    names[i] = text[i];
  }
  for (uint32_t v = 0; pair && v < n; v++) {
    pair[v][0] = v;
    pair[v][1] = mixed(v) % colors;
  }
  if (pair)
    status = ms_coloring_from_pairs(graph, n, (const uint32_t(*)[2])pair, colors, names, out, err);
  free(pair);
  return status;
}

static ms_status accept_colors(ms_pattern *pattern, uint32_t colors, ms_error *err)
{
  ms_status status = MS_OK;
  for (uint32_t i = 0; status == MS_OK && i < ms_pattern_size(pattern); i++) {
    char name[16];
    snprintf(name, sizeof name, "c%u", i % colors);
    status = ms_pattern_accept(pattern, i, name, err);
  }
  return status;
}

/* ---- one search ------------------------------------------------------------------ */

static bool discard_rows(void *user, const uint32_t *rows, uint64_t count)
{
  (void)user;
  (void)rows;
  (void)count;
  return true;
}

static uint64_t copy_rows(void *user, const uint32_t *ids, uint64_t count, uint32_t *rows)
{
  memcpy(rows, ids, count * *(const uint32_t *)user * sizeof *rows);
  return count;
}

static ms_status list_all(const ms_count_query *query, const ms_shape *shape, void *user,
                          mpz_t rows, ms_error *err)
{
  static const ms_program_options visit_all = {0};
  const settings *s = user;
  const ms_pattern_index *index = query->index;
  const ms_domain *domain = query->domains->of;
  uint32_t length = shape->n;
  ms_stream_options options = {
      .length = length, .memory = (uint64_t)256 << 20, .rows = discard_rows};
  ms_plan_input input = {.vertices = index->n,
                         .arcs = (double)index->arcs,
                         .square_degrees = index->square_degrees,
                         .constrain = true};
  ms_stream *stream = NULL;
  ms_plan *plan = NULL;
  ms_program *program = NULL;
  for (uint32_t i = 0; i < shape->n; i++)
    input.domain[i] = domain[i].count;
  ms_status status = ms_plan_new(shape, &input, &plan, err);
  if (status == MS_OK)
    status = ms_program_new(index, plan, domain, &visit_all, &program, err);
  if (status == MS_OK)
    status = ms_stream_new(&options, &stream, err);
  if (status == MS_OK) {
    ms_pattern_task task = {.program = program, .threads = s->threads, .devices = s->devices};
    status = s->engine->list(&task, copy_rows, &length, stream, err);
    mpz_set_ui(rows, ms_stream_rows(stream));
  }
  ms_stream_free(stream);
  ms_program_free(program);
  ms_plan_free(plan);
  return status;
}

static int run(const settings *s, const ms_pattern_index *index, const char *text)
{
  double took[MOST_REPEATS], first = 0;
  ms_error err = {0};
  ms_pattern *pattern = NULL;
  mpz_t maps;
  bool induced = strncmp(text, INDUCED, strlen(INDUCED)) == 0;
  ms_count_query query = {
      .index = index, .engine = s->engine, .threads = s->threads, .devices = s->devices};
  mpz_init(maps);
  ms_status status = bench_pattern_of(text + (induced ? strlen(INDUCED) : 0), &pattern, &err);
  if (status == MS_OK && s->colors > 0)
    status = accept_colors(pattern, s->colors, &err);
  for (int i = 0; i < s->repeats && status == MS_OK; i++) {
    status = bench_search(&query, pattern, induced, s->list ? list_all : NULL, (void *)s, maps,
                          &took[i], &err);
    first = i == 0 ? took[i] : first;
  }
  if (status == MS_OK) {
    bench_sort(took, (size_t)s->repeats);
    printf("%s\t%s\t", text, s->engine->name);
    mpz_out_str(stdout, 10, maps);
    printf("\t%.3f\t%.3f\t%.3f\n", first, took[0], took[s->repeats / 2]);
    fflush(stdout);
  }
  mpz_clear(maps);
  ms_pattern_free(pattern);
  return status == MS_OK ? 0 : bench_fail("pattern_engines", &err);
}

/* ---- the whole --------------------------------------------------------------------- */

static int usage(void)
{
  fprintf(
      stderr,
      "usage: pattern_engines [-e ENGINE] [-t THREADS] [-r REPEATS] [-d GPUS] [-c COLORS] [-l] GRAPH PATTERN...\n"
      "ENGINE is one of:");
  for (int i = 0; bench_engines[i]; i++)
    fprintf(stderr, " %s", bench_engines[i]->name);
  fprintf(stderr, " %s\n", engine_none.name);
  return 2;
}

static bool read_settings(int argc, char **argv, settings *s)
{
  for (int c; (c = getopt(argc, argv, "e:t:r:d:c:l")) != -1;) {
    if (c == 'e') {
      s->engine = strcmp(optarg, engine_none.name) == 0 ? &engine_none : bench_engine_named(optarg);
    } else if (c == 't')
      s->threads = atoi(optarg);
    else if (c == 'r')
      s->repeats = atoi(optarg);
    else if (c == 'd')
      s->devices = (uint32_t)atoi(optarg);
    else if (c == 'c')
      s->colors = (uint32_t)atoi(optarg);
    else if (c == 'l')
      s->list = true;
    else
      return false;
  }
  return s->engine && s->repeats > 0 && s->repeats <= MOST_REPEATS && s->colors <= MOST_COLORS &&
         argc - optind >= 2;
}

int main(int argc, char **argv)
{
  settings s = {.engine = &ms_pattern_engine_gpu, .repeats = 5};
  ms_error err = {0};
  ms_graph *graph = NULL;
  ms_coloring *coloring = NULL;
  ms_pattern_index *index = NULL;
  int failed = 0;
  if (!read_settings(argc, argv, &s))
    return usage();
  ms_status status = ms_graph_read(argv[optind], NULL, &graph, &err);
  if (status == MS_OK && s.colors > 0)
    status = draw_colors(graph, s.colors, &coloring, &err);
  if (status == MS_OK)
    status = ms_pattern_index_new(graph, coloring, s.threads, &index, &err);
  if (status != MS_OK)
    failed = bench_fail("pattern_engines", &err);
  for (int i = optind + 1; i < argc && !failed; i++)
    failed = run(&s, index, argv[i]);
  ms_pattern_index_free(index);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
  return failed;
}
