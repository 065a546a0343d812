/* Counts many patterns in many graphs by every engine, compares the counts, and prints the times.
 *
 *   pattern_sweep [OPTION...]
 *
 * --graphs LIST        texts of bench/match/sweep.h, or files, separated by spaces
 * --patterns LIST      K3..K8, C4..C6, diamond, house, .., a built-in name, edges (0-1,1-2), or
 *                      random:N, cuts:1..cuts:33 (the queries of cuTS), separated by spaces;
 *                      induced: before one of them leaves out matches with further edges
 * --labels LIST        numbers of labels (default 0,4,8,16,64; 0: none).  Every vertex of a graph
 *                      has one of them, evenly at random, and every vertex of a pattern accepts one
 * --engines LIST       default: auto and all engines that this machine has.  auto is what the tool
 *                      chooses; once another engine has started a GPU, no start counts.
 *                      Further ones are the processors' engine with a forced plan: cpu:ri,
 *                      cpu:degree and cpu:reuse (an order), cpu:no-table (no table of codegrees),
 *                      cpu:formula (plans are compared by a formula alone), cpu:probes (by probes,
 *                      of short searches, too), cpu:hinge and cpu:no-hinge (a count at a hinge,
 *                      match/count/hinge.h, wherever a search takes milliseconds, or never),
 *                      cpu:elimination and cpu:no-elimination (the same of
 * match/count/elimination.h), cpu:factors and cpu:search (patterns that labels divide by factors,
 * or by a search, and nothing at a hinge)
 * --runs N             the median of this many runs after the first one (default 5)
 * --row-seconds S      time for all runs of an engine in a row (default 5)
 * --total-seconds S    the rows after this time are left out, with a message for each graph
 * (default: no limit)
 * --sample N           N rows of all combinations of graphs, labels and patterns, each set of N
 * with the same chance, in a random order in which each graph is made once; a graph without such a
 * row is not made.  The seed and the names of the rows determine the draw, a larger sample contains
 * a smaller one, and the summary has confidence intervals for all combinations
 * --share I/N          the I-th of N shares of these rows.  Each share is a sample; the N shares
 * are all rows, and the first I of them are a sample of I / N of the rows with the same seed
 * --join LOG...        measures nothing: prints the summary of the rows of all logs, which are the
 * standard output of runs with the same seed, lists, engines and limits, such as shares
 * --list-rows          prints graph, labels and pattern of each row that would be measured
 * --memory SIZE        a generated graph that takes more is left out, with a message
 * --threads T, --devices G, --seed S, --probe-steps N, --tsv FILE
 *
 * The seed is drawn anew on each run and printed; --seed repeats a run.  A graph and a pattern
 * depend on the seed and on their own texts alone, so that --graphs and --patterns repeat one row
 * of a sweep.  A time is that of domains, plan and search, the graph in the memory of the device: a
 * triangle count comes before the rows of a graph.
 *
 * With --tsv FILE, each engine in each row is a line of FILE that also has figures of the graph
 * (square_degrees: sum of squared degrees; max_out, square_out: the largest out-degree and the sum
 * of squared out-degrees where an edge points to its end of higher degree), of the plan that this
 * engine gets, and of the probe (match/probe.h) of its program: `nodes`, `candidates` and
 * `set_steps` are sums over the levels.  plan_ms is the time to plan the pattern once, with the
 * choice between the ways to count it; quotients are planned during the search.  `way` is how the
 * pattern is counted, as match/count/count.c names it (at a hinge, the figures are of both sides),
 * `inner` a plan with an inner pattern, and `nothing` that some domain is empty.  counted_visits
 * and counted_sets are what processors did in the first run, and are 0 where only a GPU searched.
 * The median of a search that reached the limit is the time that it had.
 *
 * The columns from `host` to `bound` of a row are of the fastest engine; if none ended, of that
 * with the lowest floor.  `host` and `share` are the milliseconds that the host takes for domains
 * and plan, measured again after the runs, and their share of the engine's time.  `floor` is the
 * sum of them and of the milliseconds that the search takes at least at the rates which were
 * measured just before (bench/match/sweep_floor.c has the definition), `over` how many times as
 * long the engine took (>: at least), and `bound` what takes most of the floor: host, sets, the
 * table, or bytes.  The summary says in how many rows of 50 ms and more the host takes more than 5
 * %.  The index is made once for a graph and a number of labels; a line says how long it took. With
 * --tsv they are there for each engine, with the ids of set operations, the paths of the table and
 * the bytes of the graph that the floor counts.
 *
 * The next columns of --tsv are of the first run of the engines trie and reuse, and docs/RESULT.md
 * explains them: reuse_ratio; expand_ms and finish_ms, which are times of kernels; and stored, the
 * partial matches that trie stored at each level, separated by commas.  domains_ms and host_ms are
 * again of every engine.
 *
 * Exit code 1: counts differ, or an engine failed; 2: a wrong call. */
#include "base/status.h"
#include "base/threads/stop.h"
#include "bench/harness.h"
#include "bench/match/sweep.h"
#include "cli/numbers.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { MOST_LABELS = 16 };

typedef struct choice {
  sweep_settings settings;
  const char *graphs, *patterns, *engines, *tsv;
  uint32_t labels[MOST_LABELS], n_labels;
  uint32_t sample;
  bool only_list, joins;
  sweep_lists lists;
  double total_seconds; /* 0: no limit */
  uint64_t memory;
  double begin;
  sweep_totals totals;
  uint32_t skipped; /* rows of graphs that could not be made */
  uint32_t left;    /* rows that the time did not suffice for */
} choice;

/* ---- options ------------------------------------------------------------------------ */

enum {
  GRAPHS,
  PATTERNS,
  LABELS,
  ENGINES,
  RUNS,
  ROW_SECONDS,
  TOTAL_SECONDS,
  MEMORY,
  THREADS,
  DEVICES,
  SEED,
  PROBE_STEPS,
  TSV,
  SAMPLE,
  SHARE,
  JOIN,
  LIST_ROWS
};

static const struct option options[] = {{"graphs", required_argument, NULL, GRAPHS},
                                        {"patterns", required_argument, NULL, PATTERNS},
                                        {"labels", required_argument, NULL, LABELS},
                                        {"engines", required_argument, NULL, ENGINES},
                                        {"runs", required_argument, NULL, RUNS},
                                        {"row-seconds", required_argument, NULL, ROW_SECONDS},
                                        {"total-seconds", required_argument, NULL, TOTAL_SECONDS},
                                        {"memory", required_argument, NULL, MEMORY},
                                        {"threads", required_argument, NULL, THREADS},
                                        {"devices", required_argument, NULL, DEVICES},
                                        {"seed", required_argument, NULL, SEED},
                                        {"probe-steps", required_argument, NULL, PROBE_STEPS},
                                        {"tsv", required_argument, NULL, TSV},
                                        {"sample", required_argument, NULL, SAMPLE},
                                        {"share", required_argument, NULL, SHARE},
                                        {"join", no_argument, NULL, JOIN},
                                        {"list-rows", no_argument, NULL, LIST_ROWS},
                                        {0}};

/* Reads I/N, with 1 <= I <= N. */
static bool set_share(sweep_lists *l, const char *text)
{
  const char *slash = strchr(text, '/');
  char first[16] = "";
  uint64_t share, shares;
  if (!slash || (size_t)(slash - text) >= sizeof first)
    return false;
  memcpy(first, text, (size_t)(slash - text));
  if (!ms_parse_count(slash + 1, 1, 1000000, &shares) || !ms_parse_count(first, 1, shares, &share))
    return false;
  l->share = (uint32_t)share;
  l->shares = (uint32_t)shares;
  return true;
}

static bool set_option(choice *c, int option, const char *text)
{
  sweep_settings *s = &c->settings;
  uint64_t number = 0;
  switch (option) {
  case GRAPHS:
    c->graphs = text;
    return true;
  case PATTERNS:
    c->patterns = text;
    return true;
  case ENGINES:
    c->engines = text;
    return true;
  case TSV:
    c->tsv = text;
    return true;
  case LIST_ROWS:
    c->only_list = true;
    return true;
  case JOIN:
    c->joins = true;
    return true;
  case SHARE:
    return set_share(&c->lists, text);
  case SAMPLE:
    if (!ms_parse_count(text, 1, UINT32_MAX, &number))
      return false;
    c->sample = (uint32_t)number;
    return true;
  case LABELS:
    return bench_list(text, 0, 64, c->labels, MOST_LABELS, &c->n_labels);
  case ROW_SECONDS:
    return ms_parse_real(text, &s->row_seconds) && s->row_seconds > 0;
  case TOTAL_SECONDS:
    return ms_parse_real(text, &c->total_seconds) && c->total_seconds > 0;
  case PROBE_STEPS:
    return ms_parse_real(text, &s->probe_steps) && s->probe_steps > 0;
  case MEMORY:
    return ms_parse_size(text, &c->memory);
  case SEED:
    return ms_parse_count(text, 0, UINT64_MAX, &s->seed);
  case RUNS:
    if (!ms_parse_count(text, 1, SWEEP_RUNS, &number))
      return false;
    s->runs = (int)number;
    return true;
  case THREADS:
    if (!ms_parse_count(text, 1, 1024, &number))
      return false;
    s->threads = (int)number;
    return true;
  case DEVICES:
    if (!ms_parse_count(text, 0, 64, &number))
      return false;
    s->devices = (uint32_t)number;
    return true;
  default:
    return false;
  }
}

/* Chooses the engines by name, or all that this machine has. */
static bool choose_engines(choice *c)
{
  sweep_settings *s = &c->settings;
  sweep_word name;
  if (!c->engines) {
    s->engines = sweep_engines_here(s->engine);
    return true;
  }
  for (const char *at = c->engines; (at = bench_next_word(at, name, sizeof name));) {
    if (s->engines == SWEEP_ENGINES || !sweep_engine_named(name, &s->engine[s->engines])) {
      fprintf(stderr, "pattern_sweep: this machine has no engine '%s'\n", name);
      return false;
    }
    s->engines++;
  }
  return s->engines > 0;
}

static bool read_options(int argc, char **argv, choice *c)
{
  for (int got; (got = getopt_long(argc, argv, "", options, NULL)) != -1;)
    if (got == '?' || !set_option(c, got, optarg)) {
      if (got != '?')
        fprintf(stderr, "pattern_sweep: option --%s does not take '%s'\n", options[got].name,
                optarg);
      return false;
    }
  if (c->joins)
    return optind < argc;
  return optind == argc && (c->only_list || choose_engines(c));
}

/* ---- loops -------------------------------------------------------------------------- */

static bool time_is_over(const choice *c)
{
  return c->total_seconds > 0 && ms_seconds() - c->begin > c->total_seconds;
}

/* Measures rows of one graph and one number of labels while there is time. */
static ms_status run_patterns(choice *c, const sweep_case *row, const sweep_place *at,
                              uint32_t count, uint32_t *left, ms_error *err)
{
  bool warm = false;
  for (uint32_t i = 0; i < count; i++) {
    if (time_is_over(c)) {
      *left += count - i;
      return MS_OK;
    }
    if (!warm)
      sweep_warm(&c->settings, row);
    warm = true;
    MS_TRY(sweep_row(&c->settings, row, c->lists.patterns.text[at[i].pattern], &c->totals, err));
  }
  return MS_OK;
}

/* Says how many of the rows of a graph were left out for lack of time. */
static void print_left(choice *c, const char *text, uint32_t left, uint32_t count)
{
  c->left += left;
  if (left > 0)
    printf("SKIPPED: %u of %u rows of %s: the time of --total-seconds is over\n", left, count,
           text);
}

static ms_status run_labels(choice *c, const ms_graph *graph, sweep_case *row,
                            const sweep_place *at, uint32_t count, uint32_t *left, ms_error *err)
{
  ms_coloring *coloring = NULL;
  ms_pattern_index *index = NULL;
  ms_status status = MS_OK;
  row->labels = c->lists.labels[at->labels];
  if (row->labels > 0)
    status = ms_generate_colors(graph, row->labels, sweep_seed_of(c->settings.seed, row->graph),
                                &coloring, err);
  double begin = ms_seconds();
  if (status == MS_OK)
    status = ms_pattern_index_new(graph, coloring, c->settings.threads, &index, err);
  if (status == MS_OK) {
    printf("# %s, %u labels: the index was made in %.4g ms\n", row->graph, row->labels,
           1e3 * (ms_seconds() - begin));
    row->index = index;
    status = run_patterns(c, row, at, count, left, err);
  }
  ms_pattern_index_free(index);
  ms_coloring_free(coloring);
  return status;
}

static void print_rates(const sweep_case *row)
{
  const char *const name[] = {"processors", "GPUs"};
  const sweep_rates *rates[] = {&row->cpu, &row->gpu};
  for (int i = 0; i < 2; i++)
    if (rates[i]->ids > 0)
      printf("# rates of %s, a second: %.3g ids of sets, %.3g counters, %.3g bytes of the graph, "
             "%.3g bytes nearby\n",
             name[i], rates[i]->ids, rates[i]->counters, rates[i]->bytes, rates[i]->near_bytes);
}

/* Makes the graph of these rows once for all of them; if it cannot be made, they are left out. */
static ms_status run_graph(choice *c, const sweep_place *at, uint32_t count, ms_error *err)
{
  const char *text = c->lists.graphs.text[at->graph], *name = sweep_graph_name(text);
  ms_graph *graph = NULL;
  sweep_graph_figures figures;
  double begin = ms_seconds();
  uint32_t left = 0;
  ms_status status =
      sweep_graph_make(text, c->settings.seed, c->memory, c->settings.threads, &graph, err);
  if (status != MS_OK) {
    printf("SKIPPED: all rows of %s: %s\n", text, err->message);
    c->skipped += count;
    return MS_OK;
  }
  sweep_graph_measure(graph, &figures);
  printf("# %s: %u vertices, %llu edges, largest degree %u, largest out-degree by degree %u; made "
         "in %.2f s\n",
         name, figures.n, (unsigned long long)figures.m, figures.max_degree, figures.max_out,
         ms_seconds() - begin);
  sweep_case row = {.graph = name, .figures = &figures};
  status = sweep_rates_of(&c->settings, &figures, &row.cpu, &row.gpu, err);
  if (status == MS_OK)
    print_rates(&row);
  for (uint32_t i = 0, length; i < count && status == MS_OK; i += length) {
    length = sweep_rows_of_labels(at + i, count - i);
    if (time_is_over(c))
      left += length;
    else
      status = run_labels(c, graph, &row, at + i, length, &left, err);
  }
  print_left(c, text, left, count);
  ms_graph_free(graph);
  return status;
}

/* Runs the rows while there is time. */
static ms_status run_rows(choice *c, const sweep_rows *rows, ms_error *err)
{
  ms_status status = MS_OK;
  for (uint32_t i = 0, length; i < rows->count && status == MS_OK; i += length) {
    const sweep_place *at = rows->at + i;
    length = sweep_rows_of_graph(at, rows->count - i);
    if (time_is_over(c))
      print_left(c, c->lists.graphs.text[at->graph], length, length);
    else
      status = run_graph(c, at, length, err);
  }
  return status;
}

static void list_rows(const choice *c, const sweep_rows *rows)
{
  for (uint32_t i = 0; i < rows->count; i++) {
    const sweep_place *at = &rows->at[i];
    printf("%s\t%u\t%s\n", c->lists.graphs.text[at->graph], c->lists.labels[at->labels],
           c->lists.patterns.text[at->pattern]);
  }
}

static void print_head(const choice *c, const sweep_rows *rows)
{
  uint32_t graphs = 0;
  printf("# seed %llu: --seed %llu repeats this run\n", (unsigned long long)c->settings.seed,
         (unsigned long long)c->settings.seed);
  for (uint32_t i = 0; i < rows->count; i += sweep_rows_of_graph(rows->at + i, rows->count - i))
    graphs++;
  if (c->lists.shares > 0)
    printf("# share %u of %u: its rows are a sample\n", c->lists.share, c->lists.shares);
  if (rows->is_sample)
    printf("# sample: %u of %u rows, evenly at random, of %u of %u graphs\n", rows->count,
           rows->all, graphs, c->lists.graphs.count);
  else
    printf("# all %u rows, of %u graphs\n", rows->all, graphs);
  printf(
      "# milliseconds of plan and search, median of up to %d runs; an engine has %g s in a row, >: "
      "it did not end in this time\n",
      c->settings.runs, c->settings.row_seconds);
  sweep_print_header(&c->settings);
}

static void print_end(const choice *c, const sweep_rows *rows)
{
  uint32_t missing = c->skipped + c->left;
  sweep_print_summary(&c->settings, &c->totals);
  if (rows->is_sample)
    sweep_print_estimate(&c->settings, &c->totals, rows->all, missing);
  if (missing > 0)
    printf("SKIPPED: %u of %u rows: %u of graphs that could not be made, and %u after the time of "
           "--total-seconds\n",
           missing, rows->count, c->skipped, c->left);
}

/* Joins logs; returns the exit code. */
static int join(int files, char **path)
{
  ms_error err = {0};
  bool bad = false;
  ms_status status = sweep_join(files, path, &bad, &err);
  if (status == MS_OK)
    return bad;
  bench_fail("pattern_sweep", &err);
  return status == MS_ERR_USAGE ? 2 : 1;
}

/* Measures the rows, or lists them.  The caller frees the lists. */
static ms_status run(choice *c, ms_error *err)
{
  sweep_rows rows;
  c->lists.labels = c->labels;
  c->lists.n_labels = c->n_labels;
  c->lists.seed = c->settings.seed;
  c->lists.sample = c->sample;
  MS_TRY(sweep_words_of(c->graphs, &c->lists.graphs, err));
  MS_TRY(sweep_words_of(c->patterns, &c->lists.patterns, err));
  MS_TRY(sweep_rows_of(&c->lists, &rows, err));
  ms_status status = MS_OK;
  if (c->only_list) {
    list_rows(c, &rows);
  } else {
    c->begin = ms_seconds();
    print_head(c, &rows);
    status = run_rows(c, &rows, err);
    print_end(c, &rows);
  }
  sweep_rows_free(&rows);
  return status;
}

int main(int argc, char **argv)
{
  static choice c = {.settings = {.runs = 5, .row_seconds = 5, .probe_steps = 5e6},
                     .graphs = sweep_default_graphs,
                     .patterns = sweep_default_patterns,
                     .labels = {0, 4, 8, 16, 64},
                     .n_labels = 5};
  ms_error err = {0};
  if (getrandom(&c.settings.seed, sizeof c.settings.seed, 0) != sizeof c.settings.seed)
    c.settings.seed = MS_DEFAULT_SEED;
  c.settings.seed >>= 32; /* short enough to be typed */
  if (!read_options(argc, argv, &c))
    return 2;
  if (c.joins)
    return join(argc - optind, argv + optind);
  if (c.tsv && !(c.settings.tsv = fopen(c.tsv, "w"))) {
    perror(c.tsv);
    return 2;
  }
  ms_status status = run(&c, &err);
  sweep_words_free(&c.lists.graphs);
  sweep_words_free(&c.lists.patterns);
  if (c.settings.tsv && fclose(c.settings.tsv) != 0) {
    perror(c.tsv);
    return 1;
  }
  if (status != MS_OK)
    return bench_fail("pattern_sweep", &err);
  return c.totals.wrong > 0 || c.totals.failures > 0;
}
