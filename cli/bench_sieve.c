/* motifsieve bench sieve: its options. */
#include "cli/bench_sieve.h"

#include "base/status.h"
#include "cli/bench.h"
#include "cli/cli.h"
#include "cli/numbers.h"
#include "cli/option_reader.h"

#include <string.h>

/* What was typed, before it becomes a plan. */
typedef struct typed {
  ms_bench_plan plan;
  uint32_t vertices[MS_BENCH_MOST], n_vertices, slots[MS_BENCH_MOST], n_slots;
  bool degree_given, exponent_given, family_given, help;
} typed;

static bool take_number(const char *value, uint64_t least, uint64_t most, uint32_t *out)
{
  uint64_t number = 0;
  if (!ms_parse_count(value, least, most, &number))
    return false;
  *out = (uint32_t)number;
  return true;
}

static bool take_devices(ms_bench_plan *plan, const char *value)
{
  uint32_t numbers[MS_BENCH_MOST];
  if (!ms_bench_list(value, 0, 1023, numbers, MS_BENCH_MOST, &plan->screen.n_devices))
    return false;
  for (uint32_t i = 0; i < plan->screen.n_devices; i++)
    plan->devices[i] = (int)numbers[i];
  return true;
}

/* Options of the instance; as take_option. */
static const char *take_instance(typed *t, ms_option_key key, const char *value)
{
  ms_bench_instance *base = &t->plan.base;
  uint32_t choice = 0;
  switch (key) {
  case KEY_BENCH_FAMILY:
    if (!ms_option_choice(key, value, &choice))
      return "regular, power-law, er or clique";
    t->family_given = true;
    base->family = (ms_family)choice;
    return NULL;
  case KEY_EXPONENT:
    t->exponent_given = true;
    return ms_parse_real(value, &base->exponent) && base->exponent >= -10 && base->exponent <= 0
               ? NULL
               : "a number from -10 to 0, such as -1";
  case KEY_BENCH_PLANTED:
    base->planted = true;
    return NULL;
  case KEY_BENCH_VERTICES:
    return ms_bench_list(value, 2, UINT32_MAX - 1, t->vertices, MS_BENCH_MOST, &t->n_vertices)
               ? NULL
               : "a number from 2 to 4294967294 (with --experiment n at most 32, such as 1024,4096)";
  case KEY_BENCH_DEGREE:
    t->degree_given = true;
    return take_number(value, 1, UINT32_MAX - 1, &base->d) ? NULL : "a number above 0";
  case KEY_BENCH_SLOTS:
    return ms_bench_list(value, 2, MS_MAX_K, t->slots, MS_BENCH_MOST, &t->n_slots)
               ? NULL
               : "a number from 2 to 32 (with --experiment k at most 32, such as 8,10,12)";
  default:
    if (!ms_option_choice(key, value, &choice))
      return "k, n or topology";
    t->plan.experiment = (ms_bench_experiment)(MS_BENCH_SLOTS + choice);
    return NULL;
  }
}

/* One option; NULL if its value is fine, else what it should be. */
static const char *take_option(typed *t, ms_option_key key, const char *value)
{
  ms_bench_plan *plan = &t->plan;
  uint64_t number = 0;
  uint32_t choice = 0;
  switch (key) {
  case KEY_THREADS:
    plan->screen.threads = ms_parse_count(value, 1, 1024, &number) ? (int)number : 0;
    return number ? NULL : "a number from 1 to 1024";
  case KEY_RECURRENCE:
    if (!ms_option_choice(key, value, &choice))
      return "sibling or classic";
    plan->screen.recurrence = (ms_recurrence)choice;
    return NULL;
  case KEY_BACKEND:
    if (!ms_option_choice(key, value, &choice))
      return "auto, cpu, cuda or both";
    plan->screen.backend = (ms_backend)choice;
    return NULL;
  case KEY_DEVICES:
    return take_devices(plan, value) ? NULL : "numbers of GPUs, such as 0 or 0,1";
  case KEY_BENCH_ARITHMETIC:
    plan->screen.kernel = value;
    return NULL;
  case KEY_BENCH_BLOCK_POINTS:
    return take_number(value, 32, 256, &plan->screen.block_points) ? NULL : "32, 64 or 256";
  case KEY_REPETITIONS:
    return take_number(value, 1, 1000000, &plan->screen.repetitions) ? NULL
                                                                     : "a number from 1 to 1000000";
  case KEY_BENCH_RUNS:
    return take_number(value, 1, 1000, &plan->runs) ? NULL : "a number from 1 to 1000";
  case KEY_MEMORY:
    return ms_parse_size(value, &plan->screen.memory) ? NULL : "a size such as 4G";
  case KEY_SEED:
    return ms_parse_count(value, 0, UINT64_MAX, &plan->screen.seed) ? NULL
                                                                    : "a number from 0 to 2^64-1";
  case KEY_BENCH_CSV:
    plan->csv = true;
    return NULL;
  case KEY_HELP:
    t->help = true;
    return NULL;
  default:
    return take_instance(t, key, value);
  }
}

/* ---- what goes together --------------------------------------------------------- */

static ms_status check_instance(const typed *t, ms_error *err)
{
  const ms_bench_instance *base = &t->plan.base;
  ms_bench_experiment experiment = t->plan.experiment;
  if (t->family_given && experiment == MS_BENCH_TOPOLOGY)
    return ms_fail(err, MS_ERR_USAGE,
                   "--experiment topology goes through the families; leave --family out");
  if (t->exponent_given != (base->family == MS_FAMILY_POWER_LAW))
    return ms_fail(err, MS_ERR_USAGE,
                   t->exponent_given
                       ? "option --exponent is for --family power-law; leave it out"
                       : "--family power-law needs --exponent, such as --exponent -1");
  if (t->degree_given && base->family == MS_FAMILY_CLIQUE)
    return ms_fail(err, MS_ERR_USAGE, "a clique has the degree that it has; leave --degree out");
  if (t->n_vertices > 1 && experiment != MS_BENCH_VERTICES)
    return ms_fail(err, MS_ERR_USAGE, "several values of --vertices need --experiment n");
  if (t->n_slots > 1 && experiment != MS_BENCH_SLOTS)
    return ms_fail(err, MS_ERR_USAGE, "several values of --slots need --experiment k");
  return MS_OK;
}

static ms_status check_backend(const ms_bench_plan *plan, ms_error *err)
{
  const ms_screen_options *s = &plan->screen;
  if (s->backend == MS_BACKEND_CPU && s->n_devices > 0)
    return ms_fail(err, MS_ERR_USAGE,
                   "option --devices names GPUs and --backend cpu has none; leave one out");
  if (s->backend == MS_BACKEND_CUDA || s->backend == MS_BACKEND_BOTH || s->n_devices > 0)
    return ms_bench_check_devices(s->devices, s->n_devices, err);
  return MS_OK;
}

/* k = 4..20 at n = 1024; n = 2^8..2^20 at k = 10; topology at n = 2^18, k = 10. */
static void set_defaults(typed *t)
{
  ms_bench_plan *plan = &t->plan;
  bool one = plan->experiment == MS_BENCH_ONE, by_slots = plan->experiment == MS_BENCH_SLOTS;
  plan->base.n = t->n_vertices                           ? t->vertices[0]
                 : plan->experiment == MS_BENCH_TOPOLOGY ? 1u << 18
                                                         : 1024;
  plan->base.k = t->n_slots ? t->slots[0] : one || by_slots ? 16 : 10;
  memcpy(plan->slots, t->slots, sizeof plan->slots);
  memcpy(plan->vertices, t->vertices, sizeof plan->vertices);
  plan->n_slots = t->n_slots;
  plan->n_vertices = t->n_vertices;
  for (uint32_t k = 4; t->n_slots == 0 && k <= 20; k++)
    plan->slots[plan->n_slots++] = k;
  for (uint32_t bits = 8; t->n_vertices == 0 && bits <= 20; bits++)
    plan->vertices[plan->n_vertices++] = 1u << bits;
  plan->screen.devices = plan->screen.n_devices ? plan->devices : NULL;
}

static ms_status read_options(int argc, char **argv, typed *t, ms_error *err)
{
  ms_option_reader reader;
  const ms_option_row *row;
  const char *value;
  ms_option_reader_init(&reader, MS_COMMAND_BENCH_SIEVE, argc, argv);
  do {
    ms_status status = ms_option_next(&reader, &row, &value, err);
    const char *wanted = status == MS_OK && row ? take_option(t, row->key, value) : NULL;
    if (status != MS_OK)
      return status;
    if (wanted)
      return ms_fail(err, MS_ERR_USAGE, "option --%s wants %s, not '%s'", row->name, wanted, value);
  } while (row && !t->help);
  ms_status status = t->help ? MS_OK : ms_bench_no_operand(argc, argv, err);
  if (status == MS_OK && !t->help)
    status = check_instance(t, err);
  set_defaults(t);
  return status == MS_OK && !t->help ? check_backend(&t->plan, err) : status;
}

int ms_bench_sieve(int argc, char **argv)
{
  typed t = {.plan = {.base = {.d = 20},
                      .runs = 3,
                      .screen = {.seed = 1, .repetitions = 1, .no_early_stop = true}}};
  ms_error err;
  if (read_options(argc, argv, &t, &err) != MS_OK)
    return ms_cli_error(&err);
  if (t.help)
    return ms_help_show(MS_COMMAND_BENCH_SIEVE);
  return ms_bench_run(&t.plan, &err) == MS_OK ? ms_cli_close_stdout() : ms_cli_error(&err);
}
