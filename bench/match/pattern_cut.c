/* Measures what it saves to cut the index to what the sieve left of a pattern's domains.
 *
 *   pattern_cut [-s SECONDS] <QUERIES
 *
 * Each line of QUERIES is a query, in columns: NAME, GRAPH file (binary, with colours), PATTERN (a
 * file, or Cypher's notation) and OPTIONS (words: count, induced).  Lines that begin with # are
 * copied.  Queries of one graph should follow each other, because the last graph is kept.
 *
 * Each query runs on one thread without the sieve, and behind the sieve with the whole index, with
 * the cut index, and as the rule of the library chooses.  A run is stopped after SECONDS (10).
 * Those behind the sieve take turns, five times; the least time counts.  Times are processor
 * seconds, of which the parts of a run take the shares that they have of its time by a clock.  The
 * time of the sieve, with pruning, has one column, because it is the same for all three ways.  The
 * other columns are the rest of plan and search, with the cut and the domains.  The program
 * fails if a count or, of a listing, the sequence of rows differs. */
#include "base/hooks.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "bench/harness.h"
#include "motifsieve.h"
#include "run/match/match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WHOLE, CUT, RULE, WAYS, RUNS = 5 };

typedef struct query {
  char *name, *graph, *pattern_text;
  bool count, induced;
  ms_pattern *pattern;
} query;

/* The graph of the last query. */
typedef struct data {
  char path[512];
  ms_graph *graph;
  ms_coloring *coloring;
  ms_pattern_index *index;
} data;

typedef struct outcome {
  double rest, sieve;
  uint64_t rows_hash;
  bool stopped;
  char count[64], cut[64]; /* what the index was cut to; "" if it was not */
} outcome;

static void forget(data *d)
{
  ms_pattern_index_free(d->index);
  ms_coloring_free(d->coloring);
  ms_graph_free(d->graph);
  *d = (data){0};
}

static ms_status read_graph(data *d, const query *q, ms_error *err)
{
  if (strcmp(d->path, q->graph) == 0)
    return MS_OK;
  forget(d);
  snprintf(d->path, sizeof d->path, "%s", q->graph);
  ms_graph_options options = MS_GRAPH_OPTIONS_DEFAULT;
  ms_status status = ms_graph_read(q->graph, &options, &d->graph, err);
  if (status == MS_OK)
    status = ms_coloring_from_graph(d->graph, &d->coloring, err);
  return status == MS_OK ? ms_pattern_index_new(d->graph, d->coloring, 1, &d->index, err) : status;
}

static ms_status read_pattern(query *q, ms_error *err)
{
  ms_graph_options options = MS_GRAPH_OPTIONS_DEFAULT;
  return q->pattern_text[0] == '('
             ? ms_pattern_parse(q->pattern_text, false, &q->pattern, err)
             : ms_pattern_read(q->pattern_text, &options, NULL, &q->pattern, err);
}

typedef struct receiver {
  uint32_t p;
  uint64_t hash;
} receiver;

/* Hashes the rows in their order (FNV-1a by words). */
static bool receive(void *user, const uint32_t *rows, uint64_t count)
{
  receiver *r = user;
  for (uint64_t i = 0; i < count * r->p; i++)
    r->hash = (r->hash ^ rows[i]) * UINT64_C(0x100000001b3);
  return true;
}

static double processor_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static ms_status run_once(const data *d, const query *q, double seconds, ms_screen_mode mode,
                          outcome *out, ms_error *err)
{
  ms_pattern_options o = MS_PATTERN_OPTIONS_DEFAULT;
  receiver rows = {.hash = UINT64_C(0xcbf29ce484222325)};
  ms_pattern_result *r = NULL;
  ms_stop *stop = NULL;
  ms_status status = ms_stop_new(&stop, err);
  if (status != MS_OK)
    return status;
  ms_stop_after(stop, seconds);
  rows.p = ms_pattern_size(q->pattern);
  o.induced = q->induced;
  o.count_only = q->count;
  o.screen.run.engine = "cpu";
  o.screen_mode = mode;
  o.screen.run.threads = 1;
  o.screen.run.stop = stop;
  o.rows = q->count ? NULL : receive;
  o.rows_user = &rows;
  double begin = processor_seconds();
  status = ms_pattern_list(d->index, q->pattern, &o, &r, err);
  double spent = processor_seconds() - begin;
  ms_stop_free(stop);
  if (status != MS_OK)
    return status;
  const char *cut = strstr(r->screen_reason, "was cut to ");
  double all = r->time_plan + r->time_list;
  double sieve = r->screen ? r->screen->time_prune + r->screen->time_sieve : 0;
  out->sieve = spent * sieve / (all + 1e-9);
  out->rest = spent * (all - sieve) / (all + 1e-9);
  out->rows_hash = rows.hash;
  out->stopped = r->run.stopped != MS_OK;
  snprintf(out->count, sizeof out->count, "%s", r->count_text);
  snprintf(out->cut, sizeof out->cut, "%s", cut ? cut + strlen("was cut to ") : "");
  ms_pattern_result_free(r);
  return MS_OK;
}

static void print_time(const outcome *o)
{
  printf("\t%.5f%s", o->rest, o->stopped ? "+" : "");
}

static ms_status measure(const data *d, const query *q, double seconds, uint32_t *wrong,
                         ms_error *err)
{
  static const double share[WAYS] = {2, 0, 0.25};
  outcome alone, best[WAYS];
  MS_TRY(run_once(d, q, seconds, MS_SCREEN_NEVER, &alone, err));
  bool stopped = false;
  for (int i = 0; i < RUNS && !stopped; i++)
    for (int way = 0; way < WAYS; way++) {
      outcome o;
      ms_hooks.match_cut_share = share[way];
      MS_TRY(run_once(d, q, seconds, MS_SCREEN_ALWAYS, &o, err));
      if (i == 0 || o.rest < best[way].rest)
        best[way] = o;
      if (!o.stopped && !best[WHOLE].stopped &&
          (strcmp(o.count, best[WHOLE].count) != 0 || o.rows_hash != best[WHOLE].rows_hash ||
           (!alone.stopped && strcmp(o.count, alone.count) != 0)))
        *wrong += 1;
      stopped = stopped || o.stopped; /* it would be stopped again */
    }
  printf("%s\t%s\t%s", q->name, best[CUT].count, best[CUT].cut);
  print_time(&alone);
  printf("\t%.5f", best[CUT].sieve);
  print_time(&best[WHOLE]);
  print_time(&best[CUT]);
  print_time(&best[RULE]);
  printf("\t%s\t%.2f\n", best[RULE].cut[0] ? "cut" : "whole", best[WHOLE].rest / best[RULE].rest);
  fflush(stdout);
  return MS_OK;
}

static bool parse_line(char *line, query *q)
{
  char *column[4], *rest = line;
  line[strcspn(line, "\n")] = 0;
  for (int i = 0; i < 4; i++)
    if (!(column[i] = strsep(&rest, "\t")))
      return false;
  *q = (query){.name = column[0],
               .graph = column[1],
               .pattern_text = column[2],
               .count = strstr(column[3], "count") != NULL,
               .induced = strstr(column[3], "induced") != NULL};
  return true;
}

int main(int argc, char **argv)
{
  double seconds = 10;
  char line[4096];
  uint32_t wrong = 0;
  int code = 0;
  data d = {0};
  for (int option; (option = getopt(argc, argv, "s:")) != -1;) {
    if (option != 's')
      return 2;
    seconds = atof(optarg);
  }
  printf(
      "# query\tmatches\tthe index is cut to\twithout sieve\tsieve\trest, whole index\trest, cut "
      "index\trest, by the rule\tthe rule\twhole / rule\n");
  while (code == 0 && fgets(line, sizeof line, stdin)) {
    query q;
    ms_error err;
    if (line[0] == '#' || line[0] == '\n' || !parse_line(line, &q)) {
      fputs(line, stdout);
      continue;
    }
    ms_status status = read_graph(&d, &q, &err);
    if (status == MS_OK)
      status = read_pattern(&q, &err);
    if (status == MS_OK)
      status = measure(&d, &q, seconds, &wrong, &err);
    if (status != MS_OK)
      code = bench_fail(q.name, &err);
    ms_pattern_free(q.pattern);
  }
  forget(&d);
  printf("# %u runs with other counts or rows\n", wrong);
  return code ? code : wrong > 0;
}
