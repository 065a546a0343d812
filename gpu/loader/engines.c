/* The sieve and the engines on GPUs as the library has them: structs whose functions call those of
 * the plug-in.  Without the plug-in they have zero devices.  A member is NULL here if it is NULL
 * there, but for `load`, which the plug-in does not need; tests/unit/gpu/test_plugin.c compares
 * them.
 */
#include "census/accelerator.h"
#include "gpu/gpu.h"
#include "gpu/loader/loader.h"

#include <math.h>

/* ---- the sieve ------------------------------------------------------------------------------ */

static double estimate_sieve(const ms_sieve_problem *problem, const ms_sieve_config *config,
                             int device, uint32_t repetitions)
{
  const ms_gpu_plugin *plugin = ms_gpu_plugin_load();
  return plugin ? plugin->sieve->estimate(problem, config, device, repetitions) : HUGE_VAL;
}

static ms_status open_sieve(const ms_sieve_problem *problem, const ms_sieve_config *config,
                            int device, void **context, ms_sieve_plan *plan, ms_error *err)
{
  const ms_gpu_plugin *plugin = ms_gpu_plugin_load();
  *context = NULL;
  return plugin ? plugin->sieve->open(problem, config, device, context, plan, err)
                : ms_gpu_plugin_fail(err);
}

/* Whoever has a context has the plug-in, here and below. */
static ms_status run_sieve(void *context, uint64_t first, uint64_t last, uint8_t *q, ms_error *err)
{
  return ms_gpu_plugin_loaded()->sieve->run(context, first, last, q, err);
}

static void close_sieve(void *context)
{
  if (context)
    ms_gpu_plugin_loaded()->sieve->close(context);
}

static const char *other_kernel(const char *kernel)
{
  return ms_gpu_plugin_loaded()->sieve->other_kernel(kernel);
}

const ms_sieve_backend ms_sieve_backend_cuda = {
    .name = "cuda",
    .other_kernel = other_kernel,
    .devices = ms_gpu_device_count,
    .estimate = estimate_sieve,
    .open = open_sieve,
    .run = run_sieve,
    .close = close_sieve,
};

/* ---- motifs --------------------------------------------------------------------------------- */

static int sets_devices(void)
{
  const ms_gpu_plugin *plugin = ms_gpu_plugin_load();
  return plugin ? plugin->sets->devices() : 0;
}

static bool sets_may_have_devices(void)
{
  return ms_gpu_plugin_has_driver() && ms_gpu_plugin_loaded()->sets->may_have_devices();
}

static ms_status open_sets(const ms_instance *instance, int threads, void **context, ms_error *err)
{
  const ms_gpu_plugin *plugin = ms_gpu_plugin_load();
  *context = NULL;
  return plugin ? plugin->sets->open(instance, threads, context, err) : ms_gpu_plugin_fail(err);
}

static uint64_t sets_units(const void *context)
{
  return ms_gpu_plugin_loaded()->sets->units(context);
}

static ms_status run_sets(void *context, uint64_t first, uint64_t last, const ms_match_sink *sink,
                          const ms_stop *stop, ms_error *err)
{
  return ms_gpu_plugin_loaded()->sets->run(context, first, last, sink, stop, err);
}

static ms_status count_sets(void *context, uint64_t first, uint64_t last, ms_count_sink *sink,
                            const ms_stop *stop, ms_error *err)
{
  return ms_gpu_plugin_loaded()->sets->count(context, first, last, sink, stop, err);
}

static void close_sets(void *context)
{
  if (context)
    ms_gpu_plugin_loaded()->sets->close(context);
}

const ms_engine ms_engine_gpu_sets = {.name = "gpu",
                                      .devices = sets_devices,
                                      .may_have_devices = sets_may_have_devices,
                                      .start = ms_gpu_start,
                                      .open = open_sets,
                                      .units = sets_units,
                                      .run = run_sets,
                                      .count = count_sets,
                                      .close = close_sets};

/* ---- the census ----------------------------------------------------------------------------- */

static int census_devices(void)
{
  const ms_gpu_plugin *plugin = ms_gpu_plugin_load();
  return plugin ? plugin->census->devices() : 0;
}

static bool census_may_have_devices(void)
{
  return ms_gpu_plugin_has_driver() && ms_gpu_plugin_loaded()->census->may_have_devices();
}

static bool census_is_started(void)
{
  const ms_gpu_plugin *plugin = ms_gpu_plugin_loaded();
  return plugin && plugin->census->is_started();
}

static ms_status open_census(const ms_census_on *on, void **context, ms_error *err)
{
  const ms_gpu_plugin *plugin = ms_gpu_plugin_load();
  *context = NULL;
  return plugin ? plugin->census->open(on, context, err) : ms_gpu_plugin_fail(err);
}

static ms_status count_census(void *context, const ms_kind_id *kind, uint64_t *cell, ms_error *err)
{
  return ms_gpu_plugin_loaded()->census->count(context, kind, cell, err);
}

static ms_status count_census_units(void *context, const ms_census_units *units,
                                    const ms_share *share, uint64_t *cell, ms_error *err)
{
  return ms_gpu_plugin_loaded()->census->count_units(context, units, share, cell, err);
}

static const ms_census_unit *census_left_units(const void *context, uint64_t *count)
{
  return ms_gpu_plugin_loaded()->census->left_units(context, count);
}

static ms_status count_census_labels(void *context, const uint8_t *label, uint32_t labelings,
                                     uint64_t *cell, ms_error *err)
{
  return ms_gpu_plugin_loaded()->census->count_labels(context, label, labelings, cell, err);
}

static ms_status count_census_vertices(void *context, const uint32_t *rank, uint32_t count,
                                       ms_vertex_numbers *numbers, ms_error *err)
{
  return ms_gpu_plugin_loaded()->census->count_vertices(context, rank, count, numbers, err);
}

static const uint32_t *census_left(const void *context, uint64_t *count)
{
  return ms_gpu_plugin_loaded()->census->left(context, count);
}

static uint64_t census_visits(const void *context)
{
  return ms_gpu_plugin_loaded()->census->visits(context);
}

static uint32_t census_used(const void *context)
{
  return ms_gpu_plugin_loaded()->census->used(context);
}

static uint64_t census_bytes(const void *context)
{
  return ms_gpu_plugin_loaded()->census->bytes(context);
}

static void close_census(void *context)
{
  if (context)
    ms_gpu_plugin_loaded()->census->close(context);
}

static ms_status open_shapes(const ms_census_on *on, void **context, ms_error *err)
{
  const ms_gpu_plugin *plugin = ms_gpu_plugin_load();
  *context = NULL;
  return plugin ? plugin->census->open_shapes(on, context, err) : ms_gpu_plugin_fail(err);
}

static ms_status count_units_by_shape(void *context, const ms_census_units *units,
                                      const ms_share *share, ms_shape_numbers *numbers,
                                      ms_error *err)
{
  return ms_gpu_plugin_loaded()->census->count_units_by_shape(context, units, share, numbers, err);
}

static void close_shapes(void *context)
{
  if (context)
    ms_gpu_plugin_loaded()->census->close_shapes(context);
}

const ms_census_accelerator ms_census_gpus = {.devices = census_devices,
                                              .may_have_devices = census_may_have_devices,
                                              .check = ms_gpu_check_named,
                                              .is_started = census_is_started,
                                              .open = open_census,
                                              .count = count_census,
                                              .count_units = count_census_units,
                                              .left_units = census_left_units,
                                              .count_labels = count_census_labels,
                                              .count_vertices = count_census_vertices,
                                              .left = census_left,
                                              .visits = census_visits,
                                              .used = census_used,
                                              .bytes = census_bytes,
                                              .close = close_census,
                                              .open_shapes = open_shapes,
                                              .count_units_by_shape = count_units_by_shape,
                                              .close_shapes = close_shapes};

/* ---- patterns ------------------------------------------------------------------------------- */

static bool gpu_may_have_devices(void)
{
  return ms_gpu_plugin_has_driver() && ms_gpu_plugin_loaded()->gpu->may_have_devices();
}

static bool gpu_is_started(void)
{
  const ms_gpu_plugin *plugin = ms_gpu_plugin_loaded();
  return plugin && plugin->gpu->is_started();
}

/* Whoever compares plans by a GPU's time has not decided for it yet: without a driver, no plan runs
 * there, and all that matters is that the comparison ends.  Who merges parts of a count that was
 * planned for GPUs has loaded the plug-in (load_weights), which needs no driver for this. */
static double weigh_program(const ms_program *program, double steps)
{
  const ms_gpu_plugin *plugin =
      ms_gpu_plugin_has_driver() ? ms_gpu_plugin_load() : ms_gpu_plugin_loaded();
  return plugin ? plugin->gpu->weigh(program, steps) : MS_USUAL_GPU_WEIGHT * steps;
}

static ms_status load_weights(ms_error *err)
{
  return ms_gpu_plugin_load() ? MS_OK : ms_gpu_plugin_fail(err);
}

/* A GPU filters domains only after it has searched. */
static ms_status filter_domains(const struct ms_domain_task *task, ms_error *err)
{
  const ms_gpu_plugin *plugin = ms_gpu_plugin_loaded();
  return plugin ? plugin->gpu->filter_domains(task, err)
                : ms_fail(err, MS_ERR_USAGE, "no GPU has started");
}

/* The function of the engine that calls that of the plug-in's engine of the same word. */
#define PASS(word, function, type)                                                                 \
  static ms_status word##_##function(const ms_pattern_task *task, type to, ms_error *err)          \
  {                                                                                                \
    const ms_gpu_plugin *plugin = ms_gpu_plugin_load();                                            \
    return plugin ? plugin->word->function(task, to, err) : ms_gpu_plugin_fail(err);               \
  }

/* What every engine has. */
#define PASS_ENGINE(word)                                                                          \
  static int word##_devices(void)                                                                  \
  {                                                                                                \
    const ms_gpu_plugin *plugin = ms_gpu_plugin_load();                                            \
    return plugin ? plugin->word->devices() : 0;                                                   \
  }                                                                                                \
  static ms_status word##_supports(const ms_program *program, ms_error *err)                       \
  {                                                                                                \
    const ms_gpu_plugin *plugin = ms_gpu_plugin_load();                                            \
    return plugin ? plugin->word->supports(program, err) : ms_gpu_plugin_fail(err);                \
  }                                                                                                \
  static ms_status word##_list(const ms_pattern_task *task, ms_rows_fn make, void *user,           \
                               ms_stream *stream, ms_error *err)                                   \
  {                                                                                                \
    const ms_gpu_plugin *plugin = ms_gpu_plugin_load();                                            \
    return plugin ? plugin->word->list(task, make, user, stream, err) : ms_gpu_plugin_fail(err);   \
  }                                                                                                \
  PASS(word, count, mpz_t)

#define ENGINE(word)                                                                               \
  .name = #word, .devices = word##_devices, .supports = word##_supports,                           \
  .filter_domains = filter_domains, .count = word##_count, .list = word##_list

/* The sums that two of them have. */
#define PASS_SUMS(word)                                                                            \
  PASS(word, count_squares, mpz_t)                                                                 \
  PASS(word, count_hub_squares, mpz_t)                                                             \
  PASS(word, count_triangles, mpz_t)                                                               \
  PASS(word, count_triangle_ends, mpz_t)                                                           \
  PASS(word, count_books, ms_book *)

#define SUMS(word)                                                                                 \
  .count_squares = word##_count_squares, .count_hub_squares = word##_count_hub_squares,            \
  .count_triangles = word##_count_triangles, .count_triangle_ends = word##_count_triangle_ends,    \
  .count_books = word##_count_books

PASS_ENGINE(gpu)
PASS_SUMS(gpu)
PASS_ENGINE(dfs)
PASS_SUMS(dfs)
PASS_ENGINE(trie)
PASS_ENGINE(reuse)
PASS_ENGINE(flood)

const ms_pattern_engine ms_pattern_engine_gpu = {ENGINE(gpu),
                                                 SUMS(gpu),
                                                 .may_have_devices = gpu_may_have_devices,
                                                 .start = ms_gpu_start,
                                                 .is_started = gpu_is_started,
                                                 .weigh = weigh_program,
                                                 .load = load_weights};
const ms_pattern_engine ms_pattern_engine_dfs = {ENGINE(dfs), SUMS(dfs)};
const ms_pattern_engine ms_pattern_engine_trie = {ENGINE(trie), .tables = MS_TABLE_ROWS};
const ms_pattern_engine ms_pattern_engine_reuse = {ENGINE(reuse), .tables = MS_TABLE_NONE};
const ms_pattern_engine ms_pattern_engine_flood = {ENGINE(flood), .tables = MS_TABLE_NONE};
