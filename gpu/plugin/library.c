/* The functions of the library that the code for GPUs calls (MS_LIBRARY_FUNCTIONS), as the plug-in
 * defines them: each calls the library's. */
#include "gpu/plugin/library.h"

#include <stddef.h>

/* Set before any other call, and once. */
static const ms_library *library;

bool ms_plugin_attach(const ms_library *of)
{
  if (library && library != of)
    return false;
  library = of;
  return true;
}

/* ---- memory ---------------------------------------------------------------------------------- */

void *ms_alloc(size_t count, size_t size)
{
  return library->ms_alloc(count, size);
}

void *ms_calloc(size_t count, size_t size)
{
  return library->ms_calloc(count, size);
}

void *ms_alloc_lines(size_t count, size_t size)
{
  return library->ms_alloc_lines(count, size);
}

void *ms_resize(void *block, size_t old_count, size_t count, size_t size)
{
  return library->ms_resize(block, old_count, count, size);
}

void ms_free(void *block)
{
  library->ms_free(block);
}

bool ms_budget_reserve(ms_budget *budget, uint64_t bytes)
{
  return library->ms_budget_reserve(budget, bytes);
}

void ms_budget_release(ms_budget *budget, uint64_t bytes)
{
  library->ms_budget_release(budget, bytes);
}

void ms_numbers_begin(void)
{
  library->ms_numbers_begin();
}

void ms_numbers_end(void)
{
  library->ms_numbers_end();
}

/* ---- threads, time --------------------------------------------------------------------------- */

void ms_parallel(int threads, uint64_t n, uint64_t chunk, ms_range_fn *fn, void *user)
{
  library->ms_parallel(threads, n, chunk, fn, user);
}

void ms_parallel_team(int threads, ms_team_fn *fn, void *user)
{
  library->ms_parallel_team(threads, fn, user);
}

bool ms_thread_start(pthread_t *thread, void *(*run)(void *user), void *user)
{
  return library->ms_thread_start(thread, run, user);
}

int ms_threads(int requested)
{
  return library->ms_threads(requested);
}

int ms_threads_for(int requested, uint64_t work)
{
  return library->ms_threads_for(requested, work);
}

ms_status ms_stop_check(const ms_stop *stop)
{
  return library->ms_stop_check(stop);
}

double ms_seconds(void)
{
  return library->ms_seconds();
}

/* ---- failures -------------------------------------------------------------------------------- */

ms_status ms_fail_list(ms_error *err, ms_status status, const char *format, va_list args)
{
  return library->ms_fail_list(err, status, format, args);
}

ms_status ms_fail(ms_error *err, ms_status status, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  ms_fail_list(err, status, format, args);
  va_end(args);
  return status;
}

ms_status ms_fail_memory(ms_error *err, const char *what)
{
  return library->ms_fail_memory(err, what);
}

const char *ms_status_text(ms_status status)
{
  return library->ms_status_text(status);
}

/* ---- tables and sorted sets ------------------------------------------------------------------ */

uint64_t ms_multisets_count(uint32_t kinds, uint32_t size)
{
  return library->ms_multisets_count(kinds, size);
}

const ms_gf256_tables *ms_gf256_get_tables(void)
{
  return library->ms_gf256_get_tables();
}

void ms_sort_keys_long(uint64_t *key, uint64_t count, uint64_t *spare)
{
  library->ms_sort_keys_long(key, count, spare);
}

size_t ms_lower_bound(const uint32_t *a, size_t n, uint32_t x)
{
  return library->ms_lower_bound(a, n, x);
}

/* ---- patterns -------------------------------------------------------------------------------- */

uint64_t ms_stream_limit(const ms_stream *stream)
{
  return library->ms_stream_limit(stream);
}

bool ms_stream_pass(ms_stream *stream, const uint32_t *rows, uint64_t count)
{
  return library->ms_stream_pass(stream, rows, count);
}

void ms_stream_halt(ms_stream *stream)
{
  library->ms_stream_halt(stream);
}

void ms_stream_tell(ms_stream *stream, atomic_bool *flag)
{
  library->ms_stream_tell(stream, flag);
}

/* ---- motifs ---------------------------------------------------------------------------------- */

bool ms_condition_is_any_of(const ms_condition *condition)
{
  return library->ms_condition_is_any_of(condition);
}

double ms_count_mean_neighbors(const ms_ranked *ranked)
{
  return library->ms_count_mean_neighbors(ranked);
}

ms_status ms_kinds_of(const ms_ranked *ranked, ms_kinds *out, ms_error *err)
{
  return library->ms_kinds_of(ranked, out, err);
}

void ms_kinds_free(ms_kinds *kinds)
{
  library->ms_kinds_free(kinds);
}

bool ms_slot_matching_add(ms_slot_matching *matching, uint32_t k, uint32_t mask)
{
  return library->ms_slot_matching_add(matching, k, mask);
}

ms_status ms_ranked_new(const ms_instance *instance, ms_ranked **out, ms_error *err)
{
  return library->ms_ranked_new(instance, out, err);
}

void ms_ranked_free(ms_ranked *ranked)
{
  library->ms_ranked_free(ranked);
}

ms_status ms_number_ranks(ms_ranked *ranked, ms_error *err)
{
  return library->ms_number_ranks(ranked, err);
}

ms_status ms_states_new(const ms_kinds *kinds, ms_states **out, ms_error *err)
{
  return library->ms_states_new(kinds, out, err);
}

void ms_states_free(ms_states *states)
{
  library->ms_states_free(states);
}

bool ms_submultisets_make(const ms_motif *motif, ms_submultisets *out)
{
  return library->ms_submultisets_make(motif, out);
}

/* The library's engine for processors, which does the small parts of the work. */

static ms_status open_sets(const ms_instance *instance, int threads, void **context, ms_error *err)
{
  return library->connected_sets->open(instance, threads, context, err);
}

static ms_status run_sets(void *context, uint64_t first, uint64_t last, const ms_match_sink *sink,
                          const ms_stop *stop, ms_error *err)
{
  return library->connected_sets->run(context, first, last, sink, stop, err);
}

static ms_status count_sets(void *context, uint64_t first, uint64_t last, ms_count_sink *sink,
                            const ms_stop *stop, ms_error *err)
{
  return library->connected_sets->count(context, first, last, sink, stop, err);
}

static void close_sets(void *context)
{
  library->connected_sets->close(context);
}

const ms_engine ms_engine_connected_sets = {.name = "connected-sets",
                                            .open = open_sets,
                                            .run = run_sets,
                                            .count = count_sets,
                                            .close = close_sets};

/* ---- GMP ------------------------------------------------------------------------------------- */

void mpz_init(mpz_ptr x)
{
  library->mpz_init(x);
}

void mpz_clear(mpz_ptr x)
{
  library->mpz_clear(x);
}

void mpz_set_ui(mpz_ptr x, unsigned long value)
{
  library->mpz_set_ui(x, value);
}

void mpz_add(mpz_ptr sum, mpz_srcptr a, mpz_srcptr b)
{
  library->mpz_add(sum, a, b);
}

void mpz_add_ui(mpz_ptr sum, mpz_srcptr a, unsigned long b)
{
  library->mpz_add_ui(sum, a, b);
}

void mpz_sub(mpz_ptr difference, mpz_srcptr a, mpz_srcptr b)
{
  library->mpz_sub(difference, a, b);
}

void mpz_mul_2exp(mpz_ptr product, mpz_srcptr a, mp_bitcnt_t exponent)
{
  library->mpz_mul_2exp(product, a, exponent);
}

void mpz_fdiv_r_2exp(mpz_ptr rest, mpz_srcptr a, mp_bitcnt_t exponent)
{
  library->mpz_fdiv_r_2exp(rest, a, exponent);
}

int mpz_tstbit(mpz_srcptr x, mp_bitcnt_t bit)
{
  return library->mpz_tstbit(x, bit);
}

size_t mpz_sizeinbase(mpz_srcptr x, int base)
{
  return library->mpz_sizeinbase(x, base);
}

void mpz_import(mpz_ptr x, size_t count, int order, size_t size, int endian, size_t nails,
                const void *words)
{
  library->mpz_import(x, count, order, size, endian, nails, words);
}

void *mpz_export(void *words, size_t *count, int order, size_t size, int endian, size_t nails,
                 mpz_srcptr x)
{
  return library->mpz_export(words, count, order, size, endian, nails, x);
}
