/* The contract between the library and its code for GPUs.
 *
 * libmotifsieve contains no code of CUDA.  All of it is in a shared object of its own, the plug-in
 * libmotifsieve-cuda.so.N, which the library loads when GPUs are considered for the first time
 * (loader.h).  The two know each other by two tables of functions: the plug-in exports one symbol,
 * ms_gpu_plugin_table, and receives a table of the functions of the library that it calls.
 *
 * The plug-in contains no function of the library a second time.  So there is one allocator, one
 * memory bound, one set of threads and one state of GMP, whether the library is a shared object, a
 * part of a program or a part of a module that an interpreter loaded with RTLD_LOCAL; and none of
 * them has to export anything.  Both sides read the same structs, so that they must come from the
 * same sources: `sources` proves it. */
#ifndef MS_GPU_LOADER_PLUGIN_H
#define MS_GPU_LOADER_PLUGIN_H

#include "base/alloc.h"
#include "base/budget.h"
#include "base/numbers.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/stop.h"
#include "base/threads/threads.h"
#include "census/accelerator.h"
#include "census/multisets.h"
#include "gf2/gf256.h"
#include "gpu/gpu.h"
#include "gpu/motif/session.h"
#include "graph/sort_ids.h"
#include "match/cpu/sorted.h"
#include "match/engine.h"
#include "motif/count/count.h"
#include "motif/engine.h"
#include "motif/kinds.h"
#include "motif/ranked.h"
#include "motif/states.h"
#include "motif/submultisets.h"
#include "motif/units.h"
#include "query/condition.h"
#include "sieve/backend.h"

#include <gmp.h>
#include <stdarg.h>

/* The N of the file's name.  It goes up with a release whose plug-in does not fit the library of
 * the release before, so that both can be installed side by side.  The Makefile reads it here. */
#define MS_CUDA_ABI 1

/* The driver's library, which the CUDA runtime in the plug-in looks for. */
#define MS_CUDA_DRIVER "libcuda.so.1"

/* The functions of the library that the plug-in calls, beside ms_fail, whose arguments are
 * variable.  gpu/plugin/library.c defines each of them for the plug-in. */
#define MS_LIBRARY_FUNCTIONS(FUNCTION)                                                             \
  FUNCTION(ms_alloc)                                                                               \
  FUNCTION(ms_calloc)                                                                              \
  FUNCTION(ms_alloc_lines)                                                                         \
  FUNCTION(ms_resize)                                                                              \
  FUNCTION(ms_free)                                                                                \
  FUNCTION(ms_budget_reserve)                                                                      \
  FUNCTION(ms_budget_release)                                                                      \
  FUNCTION(ms_numbers_begin)                                                                       \
  FUNCTION(ms_numbers_end)                                                                         \
  FUNCTION(ms_parallel)                                                                            \
  FUNCTION(ms_parallel_team)                                                                       \
  FUNCTION(ms_thread_start)                                                                        \
  FUNCTION(ms_threads)                                                                             \
  FUNCTION(ms_threads_for)                                                                         \
  FUNCTION(ms_fail_list)                                                                           \
  FUNCTION(ms_fail_memory)                                                                         \
  FUNCTION(ms_status_text)                                                                         \
  FUNCTION(ms_stop_check)                                                                          \
  FUNCTION(ms_seconds)                                                                             \
  FUNCTION(ms_multisets_count)                                                                     \
  FUNCTION(ms_gf256_get_tables)                                                                    \
  FUNCTION(ms_sort_keys_long)                                                                      \
  FUNCTION(ms_condition_is_any_of)                                                                 \
  FUNCTION(ms_lower_bound)                                                                         \
  FUNCTION(ms_stream_limit)                                                                        \
  FUNCTION(ms_stream_pass)                                                                         \
  FUNCTION(ms_stream_halt)                                                                         \
  FUNCTION(ms_stream_tell)                                                                         \
  FUNCTION(ms_count_mean_neighbors)                                                                \
  FUNCTION(ms_kinds_of)                                                                            \
  FUNCTION(ms_kinds_free)                                                                          \
  FUNCTION(ms_slot_matching_add)                                                                   \
  FUNCTION(ms_ranked_new)                                                                          \
  FUNCTION(ms_ranked_free)                                                                         \
  FUNCTION(ms_number_ranks)                                                                        \
  FUNCTION(ms_states_new)                                                                          \
  FUNCTION(ms_states_free)                                                                         \
  FUNCTION(ms_submultisets_make)

/* The functions of GMP that the plug-in calls: those that the library calls, because a program may
 * hold GMP twice, and a number belongs to the functions that have allocated it. */
#define MS_NUMBER_FUNCTIONS(FUNCTION)                                                              \
  FUNCTION(mpz_init)                                                                               \
  FUNCTION(mpz_clear)                                                                              \
  FUNCTION(mpz_set_ui)                                                                             \
  FUNCTION(mpz_add)                                                                                \
  FUNCTION(mpz_add_ui)                                                                             \
  FUNCTION(mpz_sub)                                                                                \
  FUNCTION(mpz_mul_2exp)                                                                           \
  FUNCTION(mpz_fdiv_r_2exp)                                                                        \
  FUNCTION(mpz_tstbit)                                                                             \
  FUNCTION(mpz_sizeinbase)                                                                         \
  FUNCTION(mpz_import)                                                                             \
  FUNCTION(mpz_export)

#define MS_FUNCTION_MEMBER(name) __typeof__(name) *name;
typedef struct ms_library {
  const ms_engine *connected_sets;
  MS_LIBRARY_FUNCTIONS(MS_FUNCTION_MEMBER)
  MS_NUMBER_FUNCTIONS(MS_FUNCTION_MEMBER)
} ms_library;

typedef struct ms_gpu_plugin {
  /* These members never change their places. */
  uint32_t abi;        /* MS_CUDA_ABI */
  uint32_t size;       /* of this struct */
  const char *version; /* MS_VERSION */
  const char *sources; /* a checksum of the headers of the library, from the Makefile */

  /* Hands over the library's functions, before any other call.  False if another copy of the
   * library in this process has done so: the plug-in serves one. */
  bool (*attach)(const ms_library *library);
  /* The name of the driver's library, without which there is no device; NULL: none is needed. */
  const char *driver;

  /* gpu/gpu.h */
  __typeof__(ms_gpu_device_count) *device_count;
  __typeof__(ms_gpu_start_first) *start;
  __typeof__(ms_gpu_describe) *describe;
  __typeof__(ms_gpu_check_named) *check_named;
  __typeof__(ms_gpu_device_at) *device_at;
  __typeof__(ms_gpu_device_facts) *device_facts;
  __typeof__(ms_gpu_prune) *prune;
  __typeof__(ms_gpu_rows_free) *rows_free;
  __typeof__(ms_gpu_line_count) *line_count;
  __typeof__(ms_gpu_line_at) *line_at;
  __typeof__(ms_gpu_products) *products;
  __typeof__(ms_gpu_measure) *measure;
  /* gpu/motif/session.h */
  __typeof__(ms_gpu_session_takes) *session_takes;
  __typeof__(ms_gpu_session_open) *session_open;
  __typeof__(ms_gpu_session_close) *session_close;
  __typeof__(ms_gpu_session_batch) *session_batch;
  __typeof__(ms_gpu_session_begin) *session_begin;
  __typeof__(ms_gpu_session_end) *session_end;

  const ms_sieve_backend *sieve;
  const ms_engine *sets;
  const ms_census_accelerator *census;
  const ms_pattern_engine *gpu, *dfs, *trie, *reuse, *flood;
} ms_gpu_plugin;

/* The one symbol that the plug-in exports. */
MS_API extern const ms_gpu_plugin ms_gpu_plugin_table;
#define MS_GPU_PLUGIN_TABLE "ms_gpu_plugin_table"

#endif
