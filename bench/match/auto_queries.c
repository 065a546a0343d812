/* Measures whether `auto` chooses well, and whether its estimates are right.
 *
 *   auto_queries [-t THREADS] [-s SECONDS] [-w] <QUERIES
 *
 * Each line of QUERIES is a query, in columns: NAME, GRAPH file, PATTERN (a file, a built-in name
 * or Cypher's notation), COLORS (the file of the pattern's colours, or -), OPTIONS (words: count,
 * induced, directed, typed).  Lines that begin with # are copied.  A query that does not count
 * lists. Queries of one graph should follow each other, because the last graph is kept.
 *
 * Each query is estimated as `plan` does, and runs by `auto` and by each choice by hand: on the CPU
 * without the sieve, on the CPU with the sieve first (if the pattern has colours and is connected),
 * and on a GPU (if there is one).  A run is stopped after SECONDS (10); short runs are repeated,
 * and the least time counts.  Times are processor seconds of this process, which other work on the
 * machine disturbs less than a clock; with -w they are seconds of a clock.  All rows of a listing
 * are received, and none is written.  A GPU starts once in this
 * process; 0.3 s are added to each run on it, as if it were a process of its own.
 *
 * The rules.  An estimate is judged against the search on the CPU without the sieve if that ended
 * and took over 1 ms, without reading, domains and plan, and is near if it is within a factor of 4;
 * for a search that was stopped it is near if it is above a quarter of that run.  `auto` is judged
 * against the fastest choice by hand, where times below 10 ms count as 10 ms. */
#include "base/threads/stop.h"
#include "bench/harness.h"
#include "motifsieve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LEAST_JUDGED 0.001
#define NEAR 4.0
#define FLOOR 0.01
#define FAR 5.0
#define REPEATED_BELOW 0.3
#define GPU_START 0.3

typedef struct settings {
  int threads;
  double seconds;
  bool clock;
} settings;

typedef struct query {
  char *name, *graph, *pattern_text, *colors, *options;
  bool count, induced, directed, typed;
  ms_pattern *pattern;
  ms_typed_pattern *typed_pattern;
  ms_typed_query *typed_query;
} query;

/* The graph of the last query. */
typedef struct data {
  char path[512];
  bool directed;
  ms_graph *graph;
  ms_coloring *coloring;
  ms_pattern_index *index;
  ms_typed *typed;
} data;

typedef struct outcome {
  bool possible, stopped, screened;
  double seconds, search; /* of the whole call; of what the estimate is about */
  char count[64];
  char engine[16];
} outcome;

typedef struct totals {
  uint32_t queries, judged, near, stopped, stopped_near, far, open, wrong;
  double worst;
} totals;

/* ---- reading ------------------------------------------------------------------ */

static bool has_word(const char *words, const char *word)
{
  size_t length = strlen(word);
  for (const char *at = words; (at = strstr(at, word)); at += length)
    if ((at == words || at[-1] == ' ') && (at[length] == 0 || at[length] == ' '))
      return true;
  return false;
}

static bool parse_line(char *line, query *q)
{
  char *column[5], *rest = line;
  *q = (query){0};
  line[strcspn(line, "\n")] = 0;
  for (int i = 0; i < 5; i++)
    if (!(column[i] = strsep(&rest, "\t")))
      return false;
  q->name = column[0];
  q->graph = column[1];
  q->pattern_text = column[2];
  q->colors = strcmp(column[3], "-") == 0 ? NULL : column[3];
  q->options = column[4];
  q->count = has_word(q->options, "count");
  q->induced = has_word(q->options, "induced");
  q->directed = has_word(q->options, "directed");
  q->typed = has_word(q->options, "typed");
  return true;
}

static void forget(data *d)
{
  ms_pattern_index_free(d->index);
  ms_coloring_free(d->coloring);
  ms_graph_free(d->graph);
  ms_typed_free(d->typed);
  *d = (data){0};
}

static ms_status read_graph(data *d, const query *q, ms_error *err)
{
  if (strcmp(d->path, q->graph) == 0 && d->directed == q->directed && !!d->typed == q->typed)
    return MS_OK;
  forget(d);
  snprintf(d->path, sizeof d->path, "%s", q->graph);
  d->directed = q->directed;
  if (q->typed)
    return ms_typed_read(q->graph, NULL, &d->typed, err);
  ms_graph_options options = MS_GRAPH_OPTIONS_DEFAULT;
  options.directed = q->directed;
  ms_status status = ms_graph_read(q->graph, &options, &d->graph, err);
  if (status == MS_OK && ms_graph_describe(d->graph).colored)
    status = ms_coloring_from_graph(d->graph, &d->coloring, err);
  if (status == MS_OK)
    status = ms_pattern_index_new(d->graph, d->coloring, 1, &d->index, err);
  return status;
}

static ms_status read_pattern(const data *d, query *q, ms_error *err)
{
  ms_graph_options options = MS_GRAPH_OPTIONS_DEFAULT;
  options.directed = q->directed;
  if (q->typed) {
    ms_status status = ms_typed_pattern_parse(q->pattern_text, &q->typed_pattern, err);
    return status == MS_OK ? ms_typed_query_new(d->typed, q->typed_pattern, &q->typed_query, err)
                           : status;
  }
  if (strchr(q->pattern_text, '/'))
    return ms_pattern_read(q->pattern_text, &options, q->colors, &q->pattern, err);
  if (q->pattern_text[0] == '(')
    return ms_pattern_parse(q->pattern_text, q->directed, &q->pattern, err);
  ms_status status = ms_pattern_named(q->pattern_text, &q->pattern, err);
  return status == MS_OK && q->colors ? ms_pattern_read_colors(q->pattern, q->colors, err) : status;
}

/* ---- runs ----------------------------------------------------------------------- */

static double now(const settings *s)
{
  struct timespec t;
  clock_gettime(s->clock ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool receive(void *user, const uint32_t *rows, uint64_t count)
{
  (void)rows;
  *(uint64_t *)user += count;
  return true;
}

static ms_pattern_options plain_options(const query *q, const settings *s, const char *engine,
                                        ms_screen_mode mode, uint64_t *rows)
{
  ms_pattern_options o = MS_PATTERN_OPTIONS_DEFAULT;
  o.induced = q->induced;
  o.count_only = q->count;
  o.screen.run.engine = engine;
  o.screen_mode = mode;
  o.screen.run.threads = s->threads;
  o.rows = q->count ? NULL : receive;
  o.rows_user = rows;
  return o;
}

static ms_typed_match_options typed_options(const query *q, const settings *s, const char *engine,
                                            uint64_t *rows)
{
  ms_typed_match_options o = MS_TYPED_MATCH_OPTIONS_DEFAULT;
  o.induced = q->induced;
  o.count_only = q->count;
  o.run.engine = engine;
  o.run.threads = s->threads;
  o.rows = q->count ? NULL : receive;
  o.rows_user = rows;
  return o;
}

static ms_status run_plain(const data *d, const query *q, const settings *s, const char *engine,
                           ms_screen_mode mode, ms_stop *stop, outcome *out, ms_error *err)
{
  uint64_t rows = 0;
  ms_pattern_result *r = NULL;
  ms_pattern_options o = plain_options(q, s, engine, mode, &rows);
  o.screen.run.stop = stop;
  double begin = now(s);
  ms_status status = ms_pattern_list(d->index, q->pattern, &o, &r, err);
  out->search = out->seconds = now(s) - begin;
  if (status == MS_OK) {
    /* planning includes the sieve and the domains */
    out->search = out->seconds * r->time_list / (r->time_plan + r->time_list + 1e-9);
    out->stopped = r->run.stopped != MS_OK;
    out->screened = r->screen != NULL;
    snprintf(out->count, sizeof out->count, "%s", r->count_text);
    snprintf(out->engine, sizeof out->engine, "%s", r->run.engine);
  }
  ms_pattern_result_free(r);
  return status;
}

static ms_status run_typed(const query *q, const settings *s, const char *engine, ms_stop *stop,
                           outcome *out, ms_error *err)
{
  uint64_t rows = 0;
  ms_typed_result *r = NULL;
  ms_typed_match_options o = typed_options(q, s, engine, &rows);
  o.run.stop = stop;
  double begin = now(s);
  ms_status status = ms_typed_match(q->typed_query, &o, &r, err);
  out->search = out->seconds = now(s) - begin;
  if (status == MS_OK) {
    double other = r->time_filter + r->time_walk;
    out->search = out->seconds * r->time_search / (r->time_search + other + 1e-9);
    out->stopped = r->run.stopped != MS_OK;
    snprintf(out->count, sizeof out->count, "%s", r->count_text);
    snprintf(out->engine, sizeof out->engine, "%s", r->run.engine);
  }
  ms_typed_result_free(r);
  return status;
}

/* Runs a query by one choice, up to five times; the least time counts.  A choice that the library
 * refuses is not possible. */
static outcome run(const data *d, const query *q, const settings *s, const char *engine,
                   ms_screen_mode mode)
{
  outcome best = {.seconds = 0};
  double spent = 0;
  for (int i = 0; i < 5 && (i == 0 || spent < REPEATED_BELOW); i++) {
    outcome o = {.possible = true};
    ms_error err;
    ms_stop *stop = NULL;
    ms_status status = ms_stop_new(&stop, &err);
    if (status == MS_OK) {
      /* processor seconds pass more slowly than those of a clock */
      ms_stop_after(stop, s->clock ? s->seconds : 2 * s->seconds);
      status = q->typed ? run_typed(q, s, engine, stop, &o, &err)
                        : run_plain(d, q, s, engine, mode, stop, &o, &err);
    }
    ms_stop_free(stop);
    if (status != MS_OK)
      return best;
    spent += o.seconds;
    if (strcmp(o.engine, "cpu") != 0)
      o.seconds += GPU_START;
    if (i == 0 || o.seconds < best.seconds)
      best = o;
  }
  return best;
}

/* Returns the seconds that `plan` prints; negative: there are none. */
static double estimate(const data *d, const query *q, const settings *s)
{
  static const char key[] = "\"cpu_seconds\":";
  char *text = NULL;
  double seconds = -1;
  ms_status status;
  ms_error err;
  if (q->typed) {
    ms_typed_match_options o = typed_options(q, s, NULL, NULL);
    status = ms_typed_explain(q->typed_query, &o, true, &text, &err);
  } else {
    ms_pattern_options o = plain_options(q, s, NULL, MS_SCREEN_NEVER, NULL);
    status = ms_pattern_explain(d->index, q->pattern, &o, true, &text, &err);
  }
  const char *at = status == MS_OK ? strstr(text, key) : NULL;
  if (at)
    seconds = strtod(at + strlen(key), NULL);
  ms_text_free(text);
  return seconds;
}

/* ---- judging ---------------------------------------------------------------------- */

static void print_time(const outcome *o)
{
  if (!o->possible)
    printf("\t-");
  else
    printf("\t%.4f%s", o->seconds, o->stopped ? "+" : "");
}

static const char *judge_estimate(totals *t, double seconds, const outcome *alone)
{
  if (alone->stopped) {
    bool near = seconds >= alone->search / NEAR;
    t->stopped++;
    t->stopped_near += near;
    return near ? "near" : "FAR";
  }
  if (alone->search < LEAST_JUDGED)
    return "short";
  bool near = seconds >= alone->search / NEAR && seconds <= alone->search * NEAR;
  t->judged++;
  t->near += near;
  return near ? "near" : "FAR";
}

static double judge_auto(totals *t, const outcome *chosen, const outcome *by_hand, uint32_t count)
{
  double best = HUGE_VAL;
  for (uint32_t i = 0; i < count; i++)
    if (by_hand[i].possible && !by_hand[i].stopped && by_hand[i].seconds < best)
      best = by_hand[i].seconds;
  if (best == HUGE_VAL) /* no choice ends */
    return 1;
  double mine = chosen->seconds > FLOOR ? chosen->seconds : FLOOR;
  double ratio = mine / (best > FLOOR ? best : FLOOR);
  t->far += ratio > FAR;
  t->open += chosen->stopped && ratio <= FAR;
  t->worst = ratio > t->worst ? ratio : t->worst;
  return ratio;
}

static void measure(const data *d, const query *q, const settings *s, totals *t)
{
  double seconds = estimate(d, q, s);
  outcome hand[3] = {0}, chosen = run(d, q, s, NULL, MS_SCREEN_AUTO);
  hand[0] = run(d, q, s, "cpu", MS_SCREEN_NEVER);
  if (!q->typed)
    hand[1] = run(d, q, s, "cpu", MS_SCREEN_ALWAYS);
  hand[2] = run(d, q, s, "gpu", MS_SCREEN_NEVER);
  const char *verdict = judge_estimate(t, seconds, &hand[0]);
  double ratio = judge_auto(t, &chosen, hand, 3);
  bool wrong = !chosen.stopped && !hand[0].stopped && strcmp(chosen.count, hand[0].count) != 0;
  printf("%s\t%s\t%.3g\t%s", q->name, chosen.count, seconds, verdict);
  print_time(&hand[0]);
  print_time(&hand[1]);
  print_time(&hand[2]);
  print_time(&chosen);
  printf("\t%s%s\t%.2f%s\n", chosen.engine, chosen.screened ? ", sieve" : "", ratio,
         wrong ? "\tWRONG" : "");
  fflush(stdout);
  t->queries++;
  t->wrong += wrong;
}

static int run_lines(const settings *s)
{
  char line[4096];
  totals t = {0};
  data d = {0};
  int code = 0;
  printf("# query\tmatches\testimate\testimate is\twithout sieve\tsieve first\tGPU\tauto\tauto took"
         "\tauto / best\n");
  while (code == 0 && fgets(line, sizeof line, stdin)) {
    query q;
    ms_error err;
    if (line[0] == '#' || line[0] == '\n' || !parse_line(line, &q)) {
      fputs(line, stdout);
      continue;
    }
    ms_status status = read_graph(&d, &q, &err);
    if (status == MS_OK)
      status = read_pattern(&d, &q, &err);
    if (status == MS_OK)
      measure(&d, &q, s, &t);
    else
      code = bench_fail(q.name, &err);
    ms_pattern_free(q.pattern);
    ms_typed_query_free(q.typed_query);
    ms_typed_pattern_free(q.typed_pattern);
  }
  forget(&d);
  printf("# %u queries, %u wrong counts\n", t.queries, t.wrong);
  printf(
      "# estimates: %u of %u searches of over %g s that ended are within a factor of %g; %u of %u "
      "that were stopped are above a quarter of their time\n",
      t.near, t.judged, LEAST_JUDGED, NEAR, t.stopped_near, t.stopped);
  printf(
      "# auto: at most %.2f times as long as the best choice by hand (times below %g s count as "
      "that); %u queries took over %g times as long; %u were stopped where a choice by hand ended\n",
      t.worst, FLOOR, t.far, FAR, t.open);
  return code ? code : t.wrong > 0;
}

int main(int argc, char **argv)
{
  settings s = {.threads = 1, .seconds = 10};
  for (int option; (option = getopt(argc, argv, "t:s:w")) != -1;) {
    if (option == 't')
      s.threads = atoi(optarg);
    else if (option == 's')
      s.seconds = atof(optarg);
    else if (option == 'w')
      s.clock = true;
    else
      return 2;
  }
  return run_lines(&s);
}
