/* The engines on GPUs as the library has them beside those of the plug-in that MOTIFSIEVE_CUDA
 * names: tests/run.sh names that of this build. */
#include "census/accelerator.h"
#include "gpu/loader/loader.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A member is NULL on both sides or on neither. */
#define BOTH(member)                                                                               \
  ck_assert_msg(!of_library->member == !of_plugin->member, "%s: %s", of_library->name, #member)

/* All members of the five pattern engines: a function that only one side has would never be called,
 * or would be called in vain. */
START_TEST(pattern_engines_have_the_same_members)
{
  const ms_gpu_plugin *plugin = ms_gpu_plugin_load();
  const ms_pattern_engine *const library[] = {&ms_pattern_engine_gpu, &ms_pattern_engine_dfs,
                                              &ms_pattern_engine_trie, &ms_pattern_engine_reuse,
                                              &ms_pattern_engine_flood};
  const ms_pattern_engine *const theirs[] = {plugin->gpu, plugin->dfs, plugin->trie, plugin->reuse,
                                             plugin->flood};
  for (size_t i = 0; i < sizeof library / sizeof *library; i++) {
    const ms_pattern_engine *of_library = library[i], *of_plugin = theirs[i];
    ck_assert_ptr_ne(of_library, of_plugin);
    ck_assert_str_eq(of_library->name, of_plugin->name);
    ck_assert_int_eq(of_library->tables, of_plugin->tables);
    ck_assert_int_eq(of_library->ordered, of_plugin->ordered);
    BOTH(devices);
    BOTH(is_started);
    BOTH(supports);
    BOTH(weigh);
    BOTH(count);
    BOTH(count_squares);
    BOTH(count_hub_squares);
    BOTH(count_triangles);
    BOTH(count_triangle_ends);
    BOTH(count_books);
    BOTH(filter_domains);
    BOTH(list);
  }
}
END_TEST

/* The same of the sieve, the engine for motifs and the census. */
START_TEST(other_engines_have_the_same_members)
{
  const ms_gpu_plugin *plugin = ms_gpu_plugin_load();
  {
    const ms_sieve_backend *of_library = &ms_sieve_backend_cuda, *of_plugin = plugin->sieve;
    ck_assert_str_eq(of_library->name, of_plugin->name);
    BOTH(devices);
    BOTH(estimate);
    BOTH(open);
    BOTH(run);
    BOTH(close);
  }
  {
    const ms_engine *of_library = &ms_engine_gpu_sets, *of_plugin = plugin->sets;
    ck_assert_str_eq(of_library->name, of_plugin->name);
    BOTH(devices);
    BOTH(may_have_devices);
    BOTH(open);
    BOTH(units);
    BOTH(run);
    BOTH(count);
    BOTH(pick);
    BOTH(close);
  }
  const ms_census_accelerator *both[] = {&ms_census_gpus, plugin->census};
  for (size_t i = 0; i < 2; i++) {
    const ms_census_accelerator *a = both[i];
    ck_assert(a->devices && a->may_have_devices && a->is_started && a->open && a->count &&
              a->count_labels && a->count_vertices && a->check && a->left && a->visits && a->used &&
              a->bytes && a->close && a->open_shapes && a->count_units_by_shape && a->close_shapes);
  }
}
END_TEST

/* Both sides say the same about this machine. */
START_TEST(calls_are_passed_on)
{
  const ms_gpu_plugin *plugin = ms_gpu_plugin_load();
  ms_error here, there;
  ms_gpu_device device;
  ck_assert_ptr_eq(ms_gpu_plugin_loaded(), plugin);
  ck_assert_int_eq(ms_gpu_device_count(), plugin->device_count());
  ck_assert_str_eq(ms_gpu_describe(), plugin->describe());
  ck_assert_uint_eq(ms_gpu_line_count(), plugin->line_count());
  ck_assert_uint_gt(ms_gpu_line_count(), 0);
  ck_assert_ptr_eq(ms_gpu_line_at(0), plugin->line_at(0));
  ck_assert_int_eq(ms_gpu_device_at(-1, &device, &here), MS_ERR_USAGE);
  ck_assert_int_eq(plugin->device_at(-1, &device, &there), MS_ERR_USAGE);
  ck_assert_str_eq(here.message, there.message);
  ck_assert(plugin->attach != NULL);
  ck_assert(!plugin->attach(&(ms_library){0}));
}
END_TEST

/* Without a plug-in, each call refuses with the same message, and contexts that were not opened are
 * closed. */
START_TEST(without_a_plugin)
{
  ms_error err;
  ms_gpu_device device;
  ms_gpu_ceilings ceilings;
  ms_gpu_session *session = NULL;
  void *context = &err;
  double rate = 1;
  setenv("MOTIFSIEVE_CUDA", "0", 1);
  ck_assert_ptr_null(ms_gpu_plugin_load());
  ck_assert(!ms_gpu_plugin_has_driver());
#define REFUSES(call)                                                                              \
  do {                                                                                             \
    memset(&err, 0, sizeof err);                                                                   \
    ck_assert_int_eq(call, MS_ERR_USAGE);                                                          \
    ck_assert_str_eq(err.message, "there is no GPU to use (none: MOTIFSIEVE_CUDA is 0, which "     \
                                  "forbids GPUs; unset it to use them); use the CPU");             \
  } while (0)
  REFUSES(ms_gpu_device_at(0, &device, &err));
  REFUSES(ms_gpu_device_facts(0, &device, &err));
  REFUSES(ms_gpu_products(0, 0, 1, &rate, &err));
  REFUSES(ms_gpu_measure(0, 1, 1, &ceilings, &err));
  REFUSES(ms_gpu_session_open(NULL, NULL, 0, 1, 0, &session, &err));
  REFUSES(ms_sieve_backend_cuda.open(NULL, NULL, 0, &context, NULL, &err));
  ck_assert_ptr_null(context);
  REFUSES(ms_engine_gpu_sets.open(NULL, 1, &context, &err));
  REFUSES(ms_census_gpus.open(NULL, &context, &err));
  REFUSES(ms_pattern_engine_gpu.supports(NULL, &err));
  REFUSES(ms_pattern_engine_dfs.count(NULL, NULL, &err));
  REFUSES(ms_pattern_engine_flood.list(NULL, NULL, NULL, NULL, &err));
  ms_gpu_session_close(NULL);
  ms_sieve_backend_cuda.close(NULL);
  ms_engine_gpu_sets.close(NULL);
  ms_census_gpus.close(NULL);
  ck_assert_int_eq(ms_gpu_device_count() + ms_sieve_backend_cuda.devices() +
                       ms_engine_gpu_sets.devices() + ms_census_gpus.devices() +
                       ms_pattern_engine_gpu.devices(),
                   0);
  ck_assert(!ms_engine_gpu_sets.may_have_devices() && !ms_census_gpus.may_have_devices() &&
            !ms_census_gpus.is_started() && !ms_pattern_engine_gpu.is_started());
  ck_assert_ptr_null(ms_gpu_line_at(0));
}
END_TEST

int main(void)
{
  const char *named = getenv("MOTIFSIEVE_CUDA");
  const bool has_plugin = named && strcmp(named, "0") != 0;
  if (!has_plugin)
    printf("SKIPPED: plug-in: MOTIFSIEVE_CUDA names none\n");
  /* each test loads it in a process of its own */
  return RUN_TESTS("plugin", TEST(without_a_plugin),
                   TEST_IF(pattern_engines_have_the_same_members, has_plugin),
                   TEST_IF(other_engines_have_the_same_members, has_plugin),
                   TEST_IF(calls_are_passed_on, has_plugin));
}
