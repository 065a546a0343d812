/* Measures how often one repetition of the sieve misses a vertex that is in a match, and prints it
 * beside the bound 1-(1-p)^(2k-1).
 *
 *   miss_rate [--trials N] [--threads T] [--seed S] [--csv] [--k K,K,..]
 *
 * Exits with 1 if a cell has a false flag, or more misses than the bound or theory allows: that is
 * a bug. */
#include "base/threads/threads.h"
#include "bench/harness.h"
#include "bench/sieve/miss_cell.h"
#include "cli/numbers.h"

#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
  uint64_t trials, seed;
  int threads;
  bool csv;
  uint32_t wanted;   /* bit k: run this k; 0: run all */
  const char *title; /* printed before the next cell, or NULL */
  /* sums over all cells */
  uint64_t cells, bad, tried, flags, false_flags, undecided, redrawn;
} settings;

/* Each k and its part of the trials: the time of a trial doubles with k. */
static const struct {
  uint32_t k, part;
} sizes[] = {{2, 1}, {3, 1}, {4, 1}, {5, 1}, {6, 1}, {8, 1}, {10, 1}, {12, 1}, {16, 100}};
enum { SIZES = sizeof sizes / sizeof *sizes, SHAPE_K = 7 };

/* A cell in words and numbers. */
typedef struct row {
  const char *host, *motif, *kind, *recurrence;
  double rate, low, high, bound, tight;
} row;

static row describe(const miss_cell *c)
{
  const planted_setting *p = &c->setting;
  row r = {.host = planted_host_name(p->host),
           .motif = planted_motif_name(p->motif),
           .kind = p->host == PLANTED_LAYERS || p->crowded ? "crowded" : "lonely",
           .recurrence = c->recurrence == MS_SIBLING ? "sibling" : "classic",
           .rate = (double)c->misses / (double)c->trials,
           .bound = miss_bound(miss_degree(p)),
           .tight = miss_bound(miss_tight_degree(p))};
  bench_interval(c->misses, c->trials, 0.025, &r.low, &r.high);
  return r;
}

static void print_csv(const miss_cell *c)
{
  row r = describe(c);
  char expected[32] = "";
  if (!isnan(c->expected))
    snprintf(expected, sizeof expected, "%.7f", c->expected);
  printf("%s,%s,%s,%u,%s,%" PRIu64 ",%" PRIu64 ",", r.host, r.motif, r.kind, c->setting.k,
         r.recurrence, c->trials, c->misses);
  printf("%.7f,%.7f,%.7f,%.9f,%.4f,%.9f,%s,", r.rate, r.low, r.high, r.bound, r.rate / r.bound,
         r.tight, expected);
  printf("%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", c->matches, c->flags,
         c->false_flags, c->undecided, c->redrawn);
}

static void print_head(settings *s)
{
  if (!s->title)
    return;
  printf("\n## %s\n", s->title);
  printf("%-11s %-8s %-7s %2s %-7s %6s %6s %8s  %-18s  %8s %6s %8s %8s %7s\n", "family", "colours",
         "kind", "k", "recur.", "trials", "misses", "rate %", "95 % interval", "bound %", "ratio",
         "tight %", "theory %", "matches");
  s->title = NULL;
}

static void print_row(settings *s, const miss_cell *c)
{
  row r = describe(c);
  char expected[32] = "-";
  if (!isnan(c->expected))
    snprintf(expected, sizeof expected, "%.4f", 100 * c->expected);
  print_head(s);
  printf("%-11s %-8s %-7s %2u %-7s %6" PRIu64 " %6" PRIu64 " %8.4f  [%7.4f, %7.4f]  ", r.host,
         r.motif, r.kind, c->setting.k, r.recurrence, c->trials, c->misses, 100 * r.rate,
         100 * r.low, 100 * r.high);
  printf("%8.4f %6.3f %8.4f %8s ", 100 * r.bound, r.rate / r.bound, 100 * r.tight, expected);
  printf(c->matches < MISS_MOST_MATCHES ? "%7" PRIu64 "\n" : ">=%" PRIu64 "\n", c->matches);
}

static bool run_cell(settings *s, planted_setting setting, ms_recurrence recurrence,
                     uint64_t trials)
{
  miss_cell cell = {.setting = setting, .recurrence = recurrence, .trials = trials};
  ms_error err;
  if (miss_cell_run(&cell, s->seed, s->threads, &err) != MS_OK) {
    bench_fail("miss_rate", &err);
    return false;
  }
  if (s->csv)
    print_csv(&cell);
  else
    print_row(s, &cell);
  fflush(stdout);
  miss_verdict verdict = miss_cell_judge(&cell);
  s->cells++;
  s->tried += cell.trials;
  s->flags += cell.flags;
  s->false_flags += cell.false_flags;
  s->undecided += cell.undecided;
  s->redrawn += cell.redrawn;
  if (verdict == MISS_FINE)
    return true;
  s->bad++;
  fprintf(stderr, "miss_rate: %s, %s colours, k = %u, recurrence %d: %s\n",
          planted_host_name(setting.host), planted_motif_name(setting.motif), setting.k,
          (int)recurrence, miss_verdict_text(verdict));
  return true;
}

static bool run_both(settings *s, planted_setting setting, uint64_t trials)
{
  return run_cell(s, setting, MS_SIBLING, trials) && run_cell(s, setting, MS_CLASSIC, trials);
}

static bool run_families(settings *s, planted_motif motif, bool crowded)
{
  for (int host = 0; host < PLANTED_FAMILIES; host++)
    for (uint32_t i = 0; i < SIZES; i++) {
      planted_setting setting = {(planted_host)host, motif, crowded, sizes[i].k};
      uint64_t trials = s->trials / sizes[i].part;
      if (s->wanted && !(s->wanted >> sizes[i].k & 1))
        continue;
      if (!run_both(s, setting, trials ? trials : 1))
        return false;
    }
  return true;
}

/* Runs the shapes of a match; what surrounds the match does not matter. */
static bool run_shapes(settings *s)
{
  if (s->wanted && !(s->wanted >> SHAPE_K & 1))
    return true;
  for (int host = PLANTED_CLIQUE; host < PLANTED_HOSTS; host++)
    for (int motif = 0; motif < PLANTED_MOTIFS; motif++)
      if ((host != PLANTED_LAYERS || motif == PLANTED_DISTINCT) &&
          !run_both(s, (planted_setting){(planted_host)host, (planted_motif)motif, false, SHAPE_K},
                    s->trials))
        return false;
  return true;
}

/* Runs the graphs that come nearest to the tighter bound, for every k. */
static bool run_layers(settings *s)
{
  for (uint32_t i = 0; i < SIZES; i++) {
    uint64_t trials = s->trials / sizes[i].part;
    if ((!s->wanted || s->wanted >> sizes[i].k & 1) &&
        !run_both(s, (planted_setting){PLANTED_LAYERS, PLANTED_DISTINCT, false, sizes[i].k},
                  trials ? trials : 1))
      return false;
  }
  return true;
}

static bool run_all(settings *s)
{
  if (s->csv)
    printf("family,colours,kind,k,recurrence,trials,misses,rate,low95,high95,bound,ratio,"
           "tight_bound,theory,median_matches,flags,false_flags,undecided,redrawn\n");
  s->title = "Shapes of a lonely match";
  if (!run_shapes(s))
    return false;
  s->title = "Layers";
  if (!run_layers(s))
    return false;
  s->title = "Lonely, distinct colours";
  if (!run_families(s, PLANTED_DISTINCT, false))
    return false;
  s->title = "Lonely, each colour twice";
  if (!run_families(s, PLANTED_PAIRS, false))
    return false;
  s->title = "Crowded, distinct colours";
  if (!run_families(s, PLANTED_DISTINCT, true))
    return false;
  s->title = "Crowded, each colour twice";
  return run_families(s, PLANTED_PAIRS, true);
}

/* ---- options --------------------------------------------------------------------- */

static bool read_sizes(const char *text, uint32_t *wanted)
{
  uint32_t k[SIZES], count;
  if (!bench_list(text, 2, 16, k, SIZES, &count))
    return false;
  for (uint32_t i = 0; i < count; i++)
    *wanted |= 1u << k[i];
  return true;
}

static bool read_options(int argc, char **argv, settings *s)
{
  static const struct option known[] = {
      {"trials", required_argument, NULL, 'n'}, {"threads", required_argument, NULL, 't'},
      {"seed", required_argument, NULL, 's'},   {"csv", no_argument, NULL, 'c'},
      {"k", required_argument, NULL, 'k'},      {NULL, 0, NULL, 0}};
  int option;
  uint64_t threads = 0;
  bool fine = true;
  while (fine && (option = getopt_long(argc, argv, "", known, NULL)) != -1)
    switch (option) {
    case 'n':
      fine = ms_parse_count(optarg, 1, UINT64_C(1) << 39, &s->trials);
      break;
    case 't':
      fine = ms_parse_count(optarg, 0, 4096, &threads);
      break;
    case 's':
      fine = ms_parse_count(optarg, 0, UINT64_MAX, &s->seed);
      break;
    case 'c':
      s->csv = true;
      break;
    case 'k':
      fine = read_sizes(optarg, &s->wanted);
      break;
    default:
      fine = false;
    }
  s->threads = ms_threads((int)threads);
  return fine && optind == argc;
}

int main(int argc, char **argv)
{
  settings s = {.trials = 100000, .seed = 20260101};
  if (!read_options(argc, argv, &s)) {
    fprintf(stderr,
            "usage: miss_rate [--trials N] [--threads T] [--seed S] [--csv] [--k K,K,..]\n");
    return 2;
  }
  if (!run_all(&s))
    return 2;
  fprintf(s.csv ? stderr : stdout,
          "\n%" PRIu64 " cells, %" PRIu64 " of them wrong; %" PRIu64 " trials; %" PRIu64
          " flags, %" PRIu64 " of them false, %" PRIu64 " undecided; %" PRIu64
          " graphs without room for a plant drawn again\n",
          s.cells, s.bad, s.tried, s.flags, s.false_flags, s.undecided, s.redrawn);
  return s.bad ? 1 : 0;
}
