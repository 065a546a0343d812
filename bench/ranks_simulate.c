/* Simulates a run on up to 1,024 ranks from the measured times of its units.
 *   ranks_simulate census|sieve [OPTIONS]
 * measures each unit alone on one thread, three times, and then lets ranks ask for ranges, of
 * lengths that parts/crew.h chooses, as the leader of motifsieve-mpi does.  What is simulated
 * beside the units: the time from the end of a range to the beginning of the next one, during which
 * the rank waits if it has not got the next one before; the time for which the leader is busy with
 * each range, one after the other; and the time in which the leader's main thread adds a
 * contribution, and searches no units.  All times may be multiplied: then they stand for a run
 * whose units are longer. */
#include "base/alloc.h"
#include "census/census.h"
#include "gpu/census/engine.h"
#include "graph/generate/generate.h"
#include "motif/instance.h"
#include "parts/crew.h"
#include "sieve/schedule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* How often each unit is measured.  The least time counts: others hold interrupts and first
 * accesses to memory, by which one unit of a census seemed to have 0.5 % of all work. */
enum { MEASUREMENTS = 3 };
/* As many as a screen usually has. */
enum { SIEVE_REPETITIONS = 7 };

typedef struct costs {
  double wait, lead, add; /* seconds: see above */
  double range;           /* that a range should take */
} costs;

/* ---- measuring ------------------------------------------------------------------------------ */

/* Seconds of the processor: other programs of this machine do not count. */
static double processor_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void fail(const char *what, const ms_error *err)
{
  fprintf(stderr, "%s: %s\n", what, err->message);
  exit(1);
}

static ms_graph *make_graph(uint64_t n, uint64_t m, uint32_t colors, ms_coloring **coloring)
{
  ms_generate_options o = MS_GENERATE_OPTIONS_DEFAULT;
  ms_graph *graph;
  ms_error err;
  o.family = MS_FAMILY_POWER_LAW;
  o.given = MS_GEN_VERTICES | MS_GEN_EDGES | MS_GEN_EXPONENT;
  o.vertices = n;
  o.edges = m;
  o.exponent = -1;
  if (ms_generate(&o, &graph, &err) != MS_OK ||
      ms_generate_colors(graph, colors, 1, coloring, &err) != MS_OK)
    fail("graph", &err);
  return graph;
}

static void note_time(double *least, bool is_first, double seconds)
{
  *least = is_first || seconds < *least ? seconds : *least;
}

static double *measure_census(uint64_t n, uint64_t m, uint32_t k, uint64_t *units)
{
  ms_census_options o = MS_CENSUS_OPTIONS_DEFAULT;
  ms_coloring *coloring;
  ms_census_job *job;
  ms_error err;
  ms_graph *graph = make_graph(n, m, 6, &coloring);
  o.k = k;
  o.threads = 1;
  o.engine = "cpu";
  if (ms_census_complete(&o, &err) != MS_OK ||
      ms_census_job_open(&ms_census_gpus, graph, coloring, &o, &job, &err) != MS_OK)
    fail("census", &err);
  *units = ms_census_job_units(job);
  double *time = calloc(*units, sizeof *time);
  for (uint64_t i = 0; i < MEASUREMENTS * *units; i++) {
    uint64_t u = i % *units;
    ms_share share = ms_share_of_range(u, u + 1);
    ms_census_rows rows;
    uint64_t sets;
    double begin = processor_seconds();
    if (ms_census_job_run(job, &share, &rows, &sets, &err) != MS_OK)
      fail("census", &err);
    note_time(&time[u], i < *units, processor_seconds() - begin);
    ms_free(rows.row);
  }
  ms_census_job_close(job);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
  return time;
}

static double *measure_sieve(uint64_t n, uint64_t m, uint32_t k, uint64_t *units)
{
  ms_coloring *coloring;
  ms_motif *motif;
  ms_query *query;
  ms_instance *instance;
  ms_sieve_problem problem = {0};
  ms_error err;
  char text[256] = "";
  const uint32_t repetitions = SIEVE_REPETITIONS;
  ms_graph *graph = make_graph(n, m, 8, &coloring);
  for (uint32_t i = 0; i < k; i++)
    snprintf(text + strlen(text), sizeof text - strlen(text), "%sc%u", i ? "," : "", i % 8);
  if (ms_motif_parse(text, coloring, &motif, &err) != MS_OK ||
      ms_query_new(graph, coloring, motif, 0, NULL, &query, &err) != MS_OK ||
      ms_instance_new(query, 1, &instance, &err) != MS_OK ||
      ms_sieve_problem_init(&problem, instance, k, MS_SIBLING, 1, 1, &err) != MS_OK)
    fail("sieve", &err);
  *units = ms_sieve_units(&problem, repetitions);
  double *time = calloc(*units, sizeof *time);
  uint8_t *q = calloc(instance->n, 1);
  for (uint64_t i = 0; i < MEASUREMENTS * *units; i++) {
    uint64_t u = i % *units;
    ms_share share = ms_share_of_range(u, u + 1);
    ms_sieve_worker worker = {.backend = &ms_sieve_backend_cpu, .config = {.threads = 1}};
    ms_sieve_job job = {.problem = &problem, .repetitions = repetitions, .share = &share, .q = q};
    double begin = processor_seconds();
    if (ms_sieve_schedule(&job, &worker, 1, &err) != MS_OK)
      fail("sieve", &err);
    note_time(&time[u], i < *units, processor_seconds() - begin);
  }
  free(q);
  ms_sieve_problem_clear(&problem);
  ms_instance_free(instance);
  ms_query_free(query);
  ms_motif_free(motif);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
  return time;
}

/* ---- simulating -------------------------------------------------------------------------------
 */

typedef struct given {
  uint64_t units; /* 0: none */
  double seconds;
} given;

typedef struct rank {
  double at; /* when it is done with its range */
  given range, next;
  ms_pace pace;
} rank;

typedef struct leader {
  const double *time;
  uint64_t units, next, ranges;
  double scale;
  uint32_t ranks;
} leader;

/* Gives a range; without units, there are no more, or it is a next one and they have become few. */
static given give(leader *l, ms_pace *pace, bool is_next)
{
  given g = {0};
  uint64_t left = l->units - l->next;
  /* as mpi/leader.c does */
  if (left == 0 || (is_next && (l->ranks == 1 || left < 4 * (uint64_t)l->ranks)))
    return g;
  g.units = ms_pace_next(pace, left, is_next ? 2 * l->ranks : l->ranks);
  for (uint64_t u = l->next; u < l->next + g.units; u++)
    g.seconds += l->scale * l->time[u];
  l->next += g.units;
  l->ranges++;
  return g;
}

/* Returns the seconds of the run. */
static double simulate(const double *time, uint64_t units, double scale, uint32_t ranks,
                       const costs *c, uint64_t *ranges)
{
  rank *r = calloc(ranks, sizeof *r);
  leader l = {.time = time, .units = units, .scale = scale, .ranks = ranks};
  uint64_t waiting = 0; /* contributions that wait for the leader's main thread */
  double lead = 0, end = 0;
  for (uint32_t i = 0; i < ranks; i++)
    r[i].pace.seconds = c->range;
  uint32_t alive = ranks;
  while (alive > 0) {
    uint32_t first = 0;
    for (uint32_t i = 1; i < ranks; i++) /* the first one that is done */
      if (r[i].at < r[first].at)
        first = i;
    rank *now = &r[first];
    double begin = now->at;
    if (now->range.units > 0) {
      ms_pace_note(&now->pace, now->range.units, now->range.seconds);
      waiting++;
    }
    if (first == 0) { /* the leader, which adds what has come and then takes a range, too */
      begin += (double)waiting * c->add;
      waiting = 0;
    } else {
      lead = (lead > begin ? lead : begin) + c->lead;
      begin = now->next.units > 0 ? begin : lead + c->wait;
    }
    end = begin > end ? begin : end;
    now->range = now->next.units > 0 ? now->next : give(&l, &now->pace, false);
    now->next = first > 0 && now->range.units > 0 ? give(&l, &now->pace, true) : (given){0};
    now->at = begin + now->range.seconds;
    if (now->range.units == 0) {
      now->at = 1e300;
      alive--;
    }
  }
  *ranges = l.ranges;
  free(r);
  return end + (double)waiting * c->add;
}

static void report(const double *time, uint64_t units, double scale, const costs *c)
{
  double total = 0, longest = 0;
  uint64_t ranges;
  for (uint64_t u = 0; u < units; u++) {
    total += scale * time[u];
    longest = scale * time[u] > longest ? scale * time[u] : longest;
  }
  printf("# times of units multiplied by %g: %.0f s on one rank, longest unit %.3f s\n", scale,
         total, longest);
  printf("ranks\tseconds\tranges\tefficiency\tbound by the longest unit\n");
  for (uint32_t ranks = 1; ranks <= 1024; ranks *= 2) {
    double seconds = simulate(time, units, scale, ranks, c, &ranges);
    double best = total / ranks, bound = best > longest ? best : longest;
    printf("%u\t%.2f\t%llu\t%.3f\t%.3f\n", ranks, seconds, (unsigned long long)ranges,
           best / seconds, best / bound);
  }
}

int main(int argc, char **argv)
{
  bool sieve = argc > 1 && strcmp(argv[1], "sieve") == 0;
  if (argc < 9) {
    fprintf(stderr, "usage: ranks_simulate census|sieve VERTICES EDGES K SCALE,.. WAIT LEAD ADD\n"
                    "SCALE multiplies times of units; the others are seconds\n");
    return 2;
  }
  uint64_t n = strtoull(argv[2], NULL, 10), m = strtoull(argv[3], NULL, 10), units;
  uint32_t k = (uint32_t)strtoul(argv[4], NULL, 10);
  costs c = {strtod(argv[6], NULL), strtod(argv[7], NULL), strtod(argv[8], NULL),
             sieve ? 3.0 : 0.5};
  double *time = sieve ? measure_sieve(n, m, k, &units) : measure_census(n, m, k, &units);
  printf("# %s of %llu vertices and %llu edges, k = %u: %llu units, measured on one thread\n",
         argv[1], (unsigned long long)n, (unsigned long long)m, k, (unsigned long long)units);
  printf(
      "# a rank waits %g s for a range, the leader is busy with it for %g s, and adds it in %g s\n",
      c.wait, c.lead, c.add);
  for (char *at = strtok(argv[5], ","); at; at = strtok(NULL, ","))
    report(time, units, strtod(at, NULL), &c);
  free(time);
  return 0;
}
