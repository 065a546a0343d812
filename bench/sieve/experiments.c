/* Experiments with the sieve: runs on random graphs, each beside its floor, and what this machine
 * can do at best.  --help lists the options. */
#include "bench/sieve/experiments.h"

#include "base/compiler.h"
#include "base/status.h"
#include "bench/harness.h"
#include "cli/numbers.h"
#include "cli/signals.h"
#include "gpu/gpu.h"
#include "sieve/backend.h"

#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* The values on the command line, before they become a plan. */
typedef struct typed {
  bench_plan plan;
  uint32_t vertices[BENCH_MOST], n_vertices, slots[BENCH_MOST], n_slots, degrees[BENCH_MOST],
      n_degrees;
  bool exponent_given, family_given, ceilings, help;
} typed;

typedef struct row row;

/* Stores a value; false if it is wrong. */
typedef bool set_fn(const row *r, const char *value, typed *t);

struct row {
  char letter; /* 0: none */
  const char *name, *argument, *help;
  set_fn *set;
  const char *wants;     /* what a valid value is */
  size_t offset;         /* place of the field in `typed` */
  uint32_t least, most;  /* range of a count */
  const char *words[11]; /* in the order of an enum, whose first value is `least` */
};

/* ---- values ---------------------------------------------------------------------------- */

static bool set_flag(const row *r, const char *value, typed *t)
{
  (void)value;
  *(bool *)((char *)t + r->offset) = true;
  return true;
}

static bool set_count(const row *r, const char *value, typed *t)
{
  uint64_t count;
  if (!ms_parse_count(value, r->least, r->most, &count))
    return false;
  *(uint32_t *)((char *)t + r->offset) = (uint32_t)count;
  return true;
}

static bool set_word(const row *r, const char *value, typed *t)
{
  for (uint32_t i = 0; r->words[i]; i++)
    if (strcmp(r->words[i], value) == 0) {
      *(uint32_t *)((char *)t + r->offset) = r->least + i;
      return true;
    }
  return false;
}

static bool set_family(const row *r, const char *value, typed *t)
{
  t->family_given = true;
  return set_word(r, value, t) && t->plan.base.family != MS_FAMILY_RMAT &&
         t->plan.base.family != MS_FAMILY_GRID; /* whose size is not a number of vertices */
}

static bool set_exponent(const row *r, const char *value, typed *t)
{
  double *x = (double *)((char *)t + r->offset);
  t->exponent_given = true;
  return ms_parse_real(value, x) && *x >= -10 && *x <= 0;
}

static bool set_vertices(const row *r, const char *value, typed *t)
{
  return bench_list(value, r->least, r->most, t->vertices, BENCH_MOST, &t->n_vertices);
}

static bool set_slots(const row *r, const char *value, typed *t)
{
  return bench_list(value, r->least, r->most, t->slots, BENCH_MOST, &t->n_slots);
}

static bool set_degrees(const row *r, const char *value, typed *t)
{
  return bench_list(value, r->least, r->most, t->degrees, BENCH_MOST, &t->n_degrees);
}

static bool set_devices(const row *r, const char *value, typed *t)
{
  uint32_t numbers[BENCH_MOST];
  ms_screen_options *s = &t->plan.screen;
  if (!bench_list(value, r->least, r->most, numbers, BENCH_MOST, &s->run.n_devices))
    return false;
  for (uint32_t i = 0; i < s->run.n_devices; i++)
    t->plan.devices[i] = (int)numbers[i];
  s->run.devices = t->plan.devices;
  return true;
}

static bool set_text(const row *r, const char *value, typed *t)
{
  *(const char **)((char *)t + r->offset) = value;
  return true;
}

static bool set_size(const row *r, const char *value, typed *t)
{
  return ms_parse_size(value, (uint64_t *)((char *)t + r->offset));
}

static bool set_seed(const row *r, const char *value, typed *t)
{
  return ms_parse_count(value, 0, UINT64_MAX, (uint64_t *)((char *)t + r->offset));
}

static bool set_seconds(const row *r, const char *value, typed *t)
{
  return ms_parse_duration(value, (double *)((char *)t + r->offset));
}

/* ---- options ------------------------------------------------------------------------ */

#define AT(member) .offset = offsetof(typed, member)
#define SCREEN(member) AT(plan.screen.member)

static const row rows[] = {
    {0, "family", "NAME", "regular (default), power-law, er, clique or hubs", set_family,
     "regular, power-law, er, clique or hubs", AT(plan.base.family),
     .words = {"regular", "power-law", "er", "clique", "rmat", "grid", "hubs"}}, /* ms_family */
    {0, "exponent", "X",
     "power-law: degree d has frequency d^X; hubs: f vertices have degrees\n"
     "proportional to f^X; from -10 to 0",
     set_exponent, "a number from -10 to 0, such as -1", AT(plan.base.exponent)},
    {0, "classes", "W", "hubs: number of classes of degrees (default 100)", set_count,
     "a number from 2 to 10000", AT(plan.base.classes), .least = 2, .most = 10000},
    {'n', "vertices", "N", "vertices (default 1024); with --experiment n a list", set_vertices,
     "a number from 2 to 4294967294 (with --experiment n up to 32 of them, such as 1024,4096)",
     .least = 2, .most = UINT32_MAX - 1},
    {'d', "degree", "D", "mean degree (default 20); with --experiment m a list", set_degrees,
     "a number above 0 (with --experiment m up to 32 of them, such as 4,8,16)", .least = 1,
     .most = UINT32_MAX - 1},
    {'k', "slots", "K",
     "slots of the motif, 2 to 32 (default 16); with --experiment k or decision a\nlist", set_slots,
     "a number from 2 to 32 (with --experiment k or decision up to 32 of them, such as 8,10,12)",
     .least = 2, .most = MS_MAX_K},
    {0, "planted", NULL, "hide one match among vertices of another colour: pruning alone answers",
     set_flag, NULL, AT(plan.base.planted)},
    {0, "experiment", "NAME",
     "measure several cells, a row each:\n"
     "  k          4 to 20, or --slots\n"
     "  n          2^8 to 2^20, or --vertices; k is 10\n"
     "  m          mean degrees 4 to 256, or --degree; n is 2^14, k is 10\n"
     "  topology   regular, clique, hubs of exponents -0.5 and -1, and a random\n"
     "             graph with the edges of the last; n is 2^18, k is 10\n"
     "  lines      every line type of this processor, or with --backend cuda every\n"
     "             kernel of the sieve on GPUs; k is 12, on GPUs 16\n"
     "  threads    1, 2, 4, .., --threads\n"
     "  gpus       1, 2, 4, .. of --devices; k is 20\n"
     "  bandwidth  memory of the processor and of GPUs, without a sieve\n"
     "  decision   one value for the graph beside one for each vertex, on one\n"
     "             thread; k is 4 to 20, or --slots\n"
     "  transfers  copies between the host and GPUs, without a sieve",
     set_word, "k, n, m, topology, lines, threads, gpus, bandwidth, decision or transfers",
     AT(plan.experiment), .least = BENCH_SLOTS,
     .words = {"k", "n", "m", "topology", "lines", "threads", "gpus", "bandwidth", "decision",
               "transfers"}},
    {0, "write", "PREFIX",
     "with --experiment: also write the table PREFIX.tsv and the script PREFIX.gp,\n"
     "with which gnuplot draws PREFIX.svg",
     set_text, NULL, AT(plan.files)},
    {0, "backend", "NAME", "auto (default), cpu, cuda or both", set_word, "auto, cpu, cuda or both",
     SCREEN(backend), .words = {"auto", "cpu", "cuda", "both"}},
    {0, "devices", "LIST", "GPUs by number, such as 0,1 (default: all)", set_devices,
     "numbers of GPUs, such as 0 or 0,1", .most = 1023},
    {'t', "threads", "T", "threads (default: all)", set_count, "a number from 1 to 1024",
     SCREEN(run.threads), .least = 1, .most = 1024},
    {0, "recurrence", "NAME", "sibling (default) or classic", set_word, "sibling or classic",
     SCREEN(recurrence), .words = {"sibling", "classic"}},
    {0, "arithmetic", "NAME", "line type, see 'motifsieve bench gf2' (default: the fastest)",
     set_text, NULL, SCREEN(kernel)},
    {0, "block-points", "P", "points a block (default: chosen)", set_count, "32, 64 or 256",
     SCREEN(block_points), .least = 32, .most = 256},
    {0, "repetitions", "R", "repetitions (default 1)", set_count, "a number from 1 to 1000000",
     SCREEN(repetitions), .least = 1, .most = 1000000},
    {0, "runs", "N",
     "calls to measure; the median is printed (default 3); on a GPU one more comes first",
     set_count, "a number from 1 to 1000", AT(plan.runs), .least = 1, .most = 1000},
    {0, "memory", "SIZE", "memory limit", set_size, "a size such as 4G", SCREEN(run.memory)},
    {0, "seed", "S", "seed of graph, colours and weights (default " MS_TEXT(MS_DEFAULT_SEED) ")",
     set_seed, "a number from 0 to 2^64-1", SCREEN(run.seed)},
    {0, "ceilings", NULL,
     "measure what bounds a GPU instead: logic, shared memory, memory (the first of --devices)",
     set_flag, NULL, AT(ceilings)},
    {'s', "seconds", "S", "time for each rate of memory, products or logic (default 0.3)",
     set_seconds, "a time above 0", AT(plan.seconds)},
    {0, "csv", NULL, "comma-separated values", set_flag, NULL, AT(plan.csv)},
    {'h', "help", NULL, "show this help", set_flag, NULL, AT(help)},
};
enum { ROWS = sizeof rows / sizeof *rows, FIRST_LONG = 256 };

static void print_help(void)
{
  puts("Usage: experiments [OPTION]...\n"
       "Sieve a random graph whose vertices have one of the motif's K colours each, so that exact\n"
       "pruning removes nothing, and print the time beside its floor.\n\nOptions:");
  for (int r = 0; r < ROWS; r++) {
    char left[64];
    snprintf(left, sizeof left, "%s--%s%s%s", rows[r].letter ? "" : "    ", rows[r].name,
             rows[r].argument ? " " : "", rows[r].argument ? rows[r].argument : "");
    if (rows[r].letter)
      printf("  -%c, ", rows[r].letter);
    else
      printf("  ");
    printf("%-*s", rows[r].letter ? 20 : 24, left);
    for (const char *p = rows[r].help; *p; p++)
      if (*p == '\n')
        printf("\n%26s", "");
      else
        putchar(*p);
    putchar('\n');
  }
}

static int find_row(int got)
{
  int r = got - FIRST_LONG;
  for (int i = 0; got < FIRST_LONG && i < ROWS; i++)
    if (rows[i].letter == got)
      r = i;
  return r;
}

static ms_status read_options(int argc, char **argv, typed *t, ms_error *err)
{
  struct option longs[ROWS + 1] = {{0}};
  char shorts[2 * ROWS + 1] = "";
  int n = 0, got;
  for (int r = 0; r < ROWS; r++) {
    longs[r] = (struct option){rows[r].name, rows[r].argument ? required_argument : no_argument,
                               NULL, FIRST_LONG + r};
    if (rows[r].letter)
      shorts[n++] = rows[r].letter;
    if (rows[r].letter && rows[r].argument)
      shorts[n++] = ':';
  }
  while (!t->help && (got = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
    if (got == '?')
      return ms_fail(err, MS_ERR_USAGE, "see 'experiments --help'");
    int r = find_row(got);
    if (!rows[r].set(&rows[r], optarg, t))
      return ms_fail(err, MS_ERR_USAGE, "option --%s needs %s, not '%s'", rows[r].name,
                     rows[r].wants, optarg);
  }
  if (!t->help && optind < argc)
    return ms_fail(err, MS_ERR_USAGE, "'%s' is one word too many; see 'experiments --help'",
                   argv[optind]);
  return MS_OK;
}

/* ---- what goes together --------------------------------------------------------- */

/* Without a name at its end, the files would be hidden ones of the folder. */
static ms_status check_prefix(const char *prefix, ms_error *err)
{
  const char *slash = strrchr(prefix, '/'), *name = slash ? slash + 1 : prefix;
  if (!*name || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
    return ms_fail(err, MS_ERR_USAGE,
                   "--write needs the beginning of a file name, such as results/k, not '%s'",
                   prefix);
  return MS_OK;
}

/* Checks that an experiment without a sieve has no options of one. */
static ms_status check_rates(const typed *t, ms_error *err)
{
  bench_experiment experiment = t->plan.experiment;
  if ((experiment == BENCH_BANDWIDTH || experiment == BENCH_TRANSFERS) &&
      (t->family_given || t->exponent_given || t->n_vertices || t->n_degrees || t->n_slots ||
       t->plan.base.planted || t->plan.base.classes || t->plan.screen.kernel))
    return ms_fail(err, MS_ERR_USAGE,
                   "--experiment %s has no graph and no motif; leave out the options of a sieve, "
                   "such as --vertices, --degree and --slots",
                   bench_experiment_word(experiment));
  return MS_OK;
}

static ms_status check_decision(const typed *t, ms_error *err)
{
  const ms_screen_options *screen = &t->plan.screen;
  if ((screen->backend != MS_BACKEND_AUTO && screen->backend != MS_BACKEND_CPU) ||
      screen->recurrence != MS_SIBLING || screen->run.threads > 1 || screen->run.n_devices)
    return ms_fail(err, MS_ERR_USAGE,
                   "--experiment decision is for one thread of a processor and for the sibling "
                   "recurrence; leave --backend, --devices, --threads and --recurrence out");
  for (uint32_t i = 0; i < t->n_slots; i++)
    if (t->slots[i] < BENCH_DECIDE_LEAST)
      return ms_fail(err, MS_ERR_USAGE, "--experiment decision needs at least %u slots",
                     BENCH_DECIDE_LEAST);
  return MS_OK;
}

/* Checks what the experiment sets itself. */
static ms_status check_experiment(const typed *t, ms_error *err)
{
  bench_experiment experiment = t->plan.experiment;
  const ms_screen_options *screen = &t->plan.screen;
  if (t->plan.files && experiment == BENCH_ONE)
    return ms_fail(err, MS_ERR_USAGE,
                   "--write writes the table of an experiment; also give --experiment");
  if (t->plan.files)
    MS_TRY(check_prefix(t->plan.files, err));
  MS_TRY(check_rates(t, err));
  if (experiment == BENCH_TOPOLOGY && (t->family_given || t->plan.base.planted))
    return ms_fail(err, MS_ERR_USAGE,
                   "--experiment topology goes through the families, with nothing planted; leave "
                   "--family and --planted out");
  if (experiment == BENCH_LINES && screen->kernel)
    return ms_fail(err, MS_ERR_USAGE,
                   "--experiment lines goes through the line types; leave --arithmetic out");
  if (experiment == BENCH_LINES && screen->backend == MS_BACKEND_BOTH)
    return ms_fail(err, MS_ERR_USAGE,
                   "--experiment lines is for processors or for GPUs; give --backend cpu or cuda");
  if (experiment == BENCH_THREADS && screen->backend != MS_BACKEND_AUTO &&
      screen->backend != MS_BACKEND_CPU)
    return ms_fail(err, MS_ERR_USAGE,
                   "--experiment threads is for processors; leave --backend out");
  if (experiment == BENCH_DECISION)
    MS_TRY(check_decision(t, err));
  if (experiment == BENCH_TRANSFERS && screen->backend == MS_BACKEND_CPU)
    return ms_fail(err, MS_ERR_USAGE, "--experiment transfers is for GPUs; leave --backend out");
  if (experiment == BENCH_GPUS && screen->backend != MS_BACKEND_AUTO &&
      screen->backend != MS_BACKEND_CUDA)
    return ms_fail(err, MS_ERR_USAGE, "--experiment gpus is for GPUs; leave --backend out");
  return MS_OK;
}

static ms_status check_instance(const typed *t, ms_error *err)
{
  const bench_instance *base = &t->plan.base;
  bench_experiment experiment = t->plan.experiment;
  bool hubs = base->family == MS_FAMILY_HUBS;
  if (t->exponent_given != (hubs || base->family == MS_FAMILY_POWER_LAW))
    return ms_fail(err, MS_ERR_USAGE,
                   t->exponent_given
                       ? "option --exponent is for --family power-law and hubs; leave it out"
                       : "power-law and hubs need --exponent, such as --exponent -1");
  if (base->classes && !hubs && experiment != BENCH_TOPOLOGY)
    return ms_fail(err, MS_ERR_USAGE, "option --classes is for --family hubs; leave it out");
  if (t->n_degrees && base->family == MS_FAMILY_CLIQUE)
    return ms_fail(err, MS_ERR_USAGE, "a clique has a degree of its own; leave --degree out");
  if (t->n_vertices > 1 && experiment != BENCH_VERTICES)
    return ms_fail(err, MS_ERR_USAGE, "several values of --vertices need --experiment n");
  if (t->n_slots > 1 && experiment != BENCH_SLOTS && experiment != BENCH_DECISION)
    return ms_fail(err, MS_ERR_USAGE, "several values of --slots need --experiment k or decision");
  if (t->n_degrees > 1 && experiment != BENCH_EDGES)
    return ms_fail(err, MS_ERR_USAGE, "several values of --degree need --experiment m");
  if (t->plan.screen.backend == MS_BACKEND_CPU && t->plan.screen.run.n_devices > 0)
    return ms_fail(err, MS_ERR_USAGE,
                   "option --devices names GPUs and --backend cpu has none; leave one out");
  return check_experiment(t, err);
}

/* The instance of an experiment, where no option says otherwise. */
static void set_instance(const typed *t, bench_instance *base)
{
  static const struct {
    uint32_t n, k;
  } defaults[] = {[BENCH_ONE] = {1024, 16},         [BENCH_SLOTS] = {1024, 16},
                  [BENCH_VERTICES] = {1024, 10},    [BENCH_EDGES] = {1 << 14, 10},
                  [BENCH_TOPOLOGY] = {1 << 18, 10}, [BENCH_LINES] = {1024, 12},
                  [BENCH_THREADS] = {1024, 16},     [BENCH_GPUS] = {1024, 20},
                  [BENCH_BANDWIDTH] = {1024, 16},   [BENCH_DECISION] = {1024, 16},
                  [BENCH_TRANSFERS] = {1024, 16}};
  base->n = t->n_vertices ? t->vertices[0] : defaults[t->plan.experiment].n;
  base->d = t->n_degrees ? t->degrees[0] : 20;
  base->k = t->n_slots ? t->slots[0] : defaults[t->plan.experiment].k;
  if (t->plan.experiment == BENCH_LINES && t->plan.screen.backend == MS_BACKEND_CUDA && !t->n_slots)
    base->k = 16; /* 12 take less time than the launches */
}

/* Sets the default lists: k = 4..20, n = 2^8..2^20, mean degrees 2^2..2^8. */
static void set_defaults(typed *t)
{
  bench_plan *plan = &t->plan;
  set_instance(t, &plan->base);
  memcpy(plan->slots, t->slots, sizeof plan->slots);
  memcpy(plan->vertices, t->vertices, sizeof plan->vertices);
  memcpy(plan->degrees, t->degrees, sizeof plan->degrees);
  plan->n_slots = t->n_slots;
  plan->n_vertices = t->n_vertices;
  plan->n_degrees = t->n_degrees;
  for (uint32_t k = 4; t->n_slots == 0 && k <= 20; k++)
    plan->slots[plan->n_slots++] = k;
  for (uint32_t bits = 8; t->n_vertices == 0 && bits <= 20; bits++)
    plan->vertices[plan->n_vertices++] = 1u << bits;
  for (uint32_t bits = 2; t->n_degrees == 0 && bits <= 8; bits++)
    plan->degrees[plan->n_degrees++] = 1u << bits;
  bool on_cpu = plan->experiment == BENCH_LINES || plan->experiment == BENCH_THREADS ||
                plan->experiment == BENCH_DECISION;
  if (on_cpu && plan->screen.backend == MS_BACKEND_AUTO)
    plan->screen.backend = MS_BACKEND_CPU;
}

/* Joins the words of the command line, with the name of the program in place of its path. */
static void join_command(int argc, char **argv, char *text, size_t room)
{
  size_t used = (size_t)snprintf(text, room, "experiments");
  for (int i = 1; i < argc && used < room; i++)
    used += (size_t)snprintf(text + used, room - used, " %s", argv[i]);
}

int main(int argc, char **argv)
{
  static typed t = {.plan = {.runs = 3,
                             .seconds = 0.3,
                             .screen = {.size = sizeof(ms_screen_options),
                                        .run.seed = MS_DEFAULT_SEED,
                                        .repetitions = 1,
                                        .no_early_stop = true}}};
  static char command[1024];
  ms_error err;
  ms_catch_signals(NULL, false); /* so that no temporary file is left */
  ms_status status = read_options(argc, argv, &t, &err);
  if (status == MS_OK && t.help) {
    print_help();
    return 0;
  }
  if (status == MS_OK)
    status = check_instance(&t, &err);
  if (status == MS_OK && t.ceilings) {
    status = bench_print_ceilings(t.plan.screen.run.n_devices ? t.plan.devices[0] : 0,
                                  t.plan.seconds, t.plan.csv, &err);
  } else if (status == MS_OK) {
    set_defaults(&t);
    join_command(argc, argv, command, sizeof command);
    t.plan.command = command;
    status = bench_run(&t.plan, &err);
  }
  if (status == MS_OK)
    return 0;
  bench_fail("experiments", &err);
  return status == MS_ERR_USAGE ? 2 : 1;
}
