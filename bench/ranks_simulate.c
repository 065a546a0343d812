/* Simulates a run on up to 1,024 ranks from the measured times of its units.
 *   ranks_simulate census|sieve VERTICES EDGES K SCALE,.. WAIT LEAD [COLORS]
 * is the crew of one run: it has each unit done alone on one thread, three times, and what it adds
 * to the result added by the code that does this in rank 0, and takes the times.  Then it lets
 * ranks ask for ranges, of lengths that parts/crew.h chooses, as the leader of motifsieve-mpi does.
 * What is simulated beside the units: the time from the end of a range to the beginning of the next
 * one (WAIT), during which the rank waits if it has not got the next one before; the time for which
 * the leader is busy with each range, one after the other (LEAD; bench/ranks_handover measures
 * both); and the time in which the leader's main thread adds a contribution, as it was measured,
 * and searches no units.  Times of units may be multiplied: then they stand for a run whose units
 * are longer. */
#include "base/status.h"
#include "motifsieve.h"
#include "parts/crew.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
  /* How often each unit is measured.  The least time counts: others hold interrupts and first
   * accesses to memory, by which one unit of a census seemed to have 0.5 % of all work. */
  MEASUREMENTS = 3,
  SIEVE_REPETITIONS = 7, /* as many as a screen usually has */
  LONG_RANGE = 64        /* units whose contributions are added together, too */
};

typedef struct costs {
  double wait, lead;     /* seconds: see above */
  double add_unit, most; /* to add a unit that is alone, and a long range */
  double range;          /* that a range should take */
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

typedef struct graph_size {
  uint64_t n, m;
  uint32_t colors; /* 0: as many as is usual */
} graph_size;

static ms_graph *make_graph(const graph_size *g, uint32_t usual_colors, ms_coloring **coloring)
{
  ms_generate_options o = MS_GENERATE_OPTIONS_DEFAULT;
  ms_graph *graph;
  ms_error err;
  o.family = MS_FAMILY_POWER_LAW;
  o.given = MS_GEN_VERTICES | MS_GEN_EDGES | MS_GEN_EXPONENT;
  o.vertices = g->n;
  o.edges = g->m;
  o.exponent = -1;
  if (ms_generate(&o, &graph, &err) != MS_OK ||
      ms_generate_colors(graph, g->colors ? g->colors : usual_colors, 1, coloring, &err) != MS_OK)
    fail("graph", &err);
  return graph;
}

static void note_time(double *least, bool is_first, double seconds)
{
  *least = is_first || seconds < *least ? seconds : *least;
}

/* A crew of this process alone, which takes times. */
typedef struct meter {
  ms_crew crew;   /* must come first */
  uint64_t range; /* units of a range */
  int times;      /* that each of them is done */
  uint64_t units, ranges;
  double *time; /* [units] of ranges of one unit; NULL: not kept */
  double add;   /* all ranges together */
  uint64_t bytes;
} meter;

static ms_status measure(ms_crew *crew, const ms_crew_job *job, ms_error *err)
{
  meter *m = (meter *)crew;
  bool enough = false;
  m->units = job->units;
  m->time = m->range == 1 ? calloc(job->units, sizeof *m->time) : NULL;
  for (uint64_t u = 0; u < job->units && !enough; u += m->range) {
    uint64_t last = u + m->range < job->units ? u + m->range : job->units;
    ms_share share = ms_share_of_range(u, last);
    ms_bytes bytes = {0};
    double begin;
    for (int i = 0; i < m->times; i++) {
      ms_bytes_free(&bytes);
      bytes = (ms_bytes){0};
      begin = processor_seconds();
      MS_TRY(job->run(job->user, &share, &bytes, err));
      if (m->time)
        note_time(&m->time[u], i == 0, processor_seconds() - begin);
    }
    begin = processor_seconds();
    MS_TRY(job->add(job->user, u, last, &bytes, &enough, err));
    m->add += processor_seconds() - begin;
    m->bytes += bytes.length;
    m->ranges++;
    ms_bytes_free(&bytes);
  }
  return MS_OK;
}

static void run_census(const ms_division *division, const graph_size *g, uint32_t k)
{
  ms_census_options o = MS_CENSUS_OPTIONS_DEFAULT;
  ms_coloring *coloring;
  ms_census_result *result;
  ms_error err;
  ms_graph *graph = make_graph(g, 6, &coloring);
  o.k = k;
  o.run.threads = 1;
  o.run.engine = "cpu";
  o.run.division = division;
  if (ms_census(graph, coloring, &o, &result, &err) != MS_OK)
    fail("census", &err);
  ms_census_result_free(result);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}

static void run_sieve(const ms_division *division, const graph_size *g, uint32_t k)
{
  ms_screen_options o = MS_SCREEN_OPTIONS_DEFAULT;
  ms_coloring *coloring;
  ms_motif *motif;
  ms_query *query;
  ms_screen_result *result;
  ms_error err;
  char text[256] = "";
  ms_graph *graph = make_graph(g, 8, &coloring);
  for (uint32_t i = 0; i < k; i++)
    snprintf(text + strlen(text), sizeof text - strlen(text), "%sc%u", i ? "," : "",
             i % (g->colors ? g->colors : 8));
  o.method = MS_METHOD_SIEVE;
  o.backend = MS_BACKEND_CPU;
  o.recurrence = MS_SIBLING;
  o.run.seed = 1;
  o.run.threads = 1;
  o.repetitions = SIEVE_REPETITIONS;
  o.no_early_stop = true;
  o.no_prune = true;
  o.run.division = division;
  if (ms_motif_parse(text, coloring, &motif, &err) != MS_OK ||
      ms_query_new(graph, coloring, motif, 0, NULL, &query, &err) != MS_OK ||
      ms_screen(query, &o, &result, &err) != MS_OK)
    fail("sieve", &err);
  ms_screen_result_free(result);
  ms_query_free(query);
  ms_motif_free(motif);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}

/* Does the run in ranges of so many units. */
static meter measure_run(bool sieve, uint64_t range, int times, const graph_size *g, uint32_t k)
{
  ms_division division = MS_DIVISION_DEFAULT;
  meter result = {.crew = {.leads = true, .members = 1, .run = measure}};
  result.range = range;
  result.times = times;
  division.crew = &result.crew;
  (sieve ? run_sieve : run_census)(&division, g, k);
  printf("# ranges of %llu units: %.0f bytes each, added in %.3g s each\n",
         (unsigned long long)range, (double)result.bytes / (double)result.ranges,
         result.add / (double)result.ranges);
  return result;
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

/* Returns the seconds that adding takes: a range has more to add than each of its units, up to what
 * a long one has. */
static double adding(const costs *c, uint64_t units)
{
  double all = c->add_unit * (double)units;
  return all < c->most ? all : c->most;
}

/* Returns the seconds of the run. */
static double simulate(const double *time, uint64_t units, double scale, uint32_t ranks,
                       const costs *c, uint64_t *ranges)
{
  rank *r = calloc(ranks, sizeof *r);
  leader l = {.time = time, .units = units, .scale = scale, .ranks = ranks};
  double waiting = 0; /* seconds of adding that wait for the leader's main thread */
  double added = 0;   /* seconds of all, */
  uint64_t done = 0;  /* which were so many contributions */
  double lead = 0, end = 0;
  const ms_crew_job job = {.seconds = c->range};
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
      waiting += adding(c, now->range.units);
      added += adding(c, now->range.units);
      done++;
    }
    if (first == 0) { /* the leader, which adds what has come and then takes a range, too */
      begin += waiting;
      waiting = 0;
    } else {
      now->pace.seconds = ms_pace_seconds(&job, done > 0 ? added / (double)done : 0, ranks);
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
  return end + waiting;
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
  if (argc < 8) {
    fprintf(stderr,
            "usage: ranks_simulate census|sieve VERTICES EDGES K SCALE,.. WAIT LEAD [COLORS]\n"
            "SCALE multiplies times of units; the others are seconds\n");
    return 2;
  }
  const graph_size g = {strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10),
                        argc > 8 ? (uint32_t)strtoul(argv[8], NULL, 10) : 0};
  uint32_t k = (uint32_t)strtoul(argv[4], NULL, 10);
  meter alone = measure_run(sieve, 1, MEASUREMENTS, &g, k);
  meter together = measure_run(sieve, LONG_RANGE, 1, &g, k);
  double add_alone = alone.add / (double)alone.ranges;
  double add_together = together.add / (double)together.ranges;
  costs c = {strtod(argv[6], NULL), strtod(argv[7], NULL), add_alone,
             add_alone > add_together ? add_alone : add_together, sieve ? 3.0 : 0.5};
  printf("# %s of %llu vertices and %llu edges, k = %u: %llu units, measured on one thread\n",
         argv[1], (unsigned long long)g.n, (unsigned long long)g.m, k,
         (unsigned long long)alone.units);
  printf("# a rank waits %g s for a range, the leader is busy with it for %g s, and adds it in "
         "%.3g to %.3g s\n",
         c.wait, c.lead, c.add_unit, c.most);
  for (char *at = strtok(argv[5], ","); at; at = strtok(NULL, ","))
    report(alone.time, alone.units, strtod(at, NULL), &c);
  free(alone.time);
  return 0;
}
