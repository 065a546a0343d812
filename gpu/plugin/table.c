/* The table that the library finds in the plug-in (gpu/loader/plugin.h). */
#include "census/accelerator.h"
#include "gpu/loader/plugin.h"
#include "gpu/motif/engine.h"
#include "gpu/plugin/library.h"
#include "match/engine.h"

/* The emulated GPUs of the tests need no driver. */
#ifndef MS_GPU_DRIVER
#define MS_GPU_DRIVER MS_CUDA_DRIVER
#endif

const ms_gpu_plugin ms_gpu_plugin_table = {.abi = MS_CUDA_ABI,
                                           .size = sizeof(ms_gpu_plugin),
                                           .version = MS_VERSION,
                                           .sources = MS_SOURCES,
                                           .attach = ms_plugin_attach,
                                           .driver = MS_GPU_DRIVER,
                                           .device_count = ms_gpu_device_count,
                                           .start = ms_gpu_start_first,
                                           .describe = ms_gpu_describe,
                                           .check_named = ms_gpu_check_named,
                                           .device_at = ms_gpu_device_at,
                                           .device_facts = ms_gpu_device_facts,
                                           .prune = ms_gpu_prune,
                                           .rows_free = ms_gpu_rows_free,
                                           .line_count = ms_gpu_line_count,
                                           .line_at = ms_gpu_line_at,
                                           .products = ms_gpu_products,
                                           .measure = ms_gpu_measure,
                                           .session_takes = ms_gpu_session_takes,
                                           .session_open = ms_gpu_session_open,
                                           .session_close = ms_gpu_session_close,
                                           .session_batch = ms_gpu_session_batch,
                                           .session_begin = ms_gpu_session_begin,
                                           .session_end = ms_gpu_session_end,
                                           .sieve = &ms_sieve_backend_cuda,
                                           .sets = &ms_engine_gpu_sets,
                                           .census = &ms_census_gpus,
                                           .gpu = &ms_pattern_engine_gpu,
                                           .dfs = &ms_pattern_engine_dfs,
                                           .trie = &ms_pattern_engine_trie,
                                           .reuse = &ms_pattern_engine_reuse,
                                           .flood = &ms_pattern_engine_flood};
