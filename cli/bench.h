/* What the benchmarks share: ceilings of this machine, and small helpers. */
#ifndef MS_CLI_BENCH_H
#define MS_CLI_BENCH_H

#include "gf2/gf2.h"

/* Products a second of a path on `threads` threads at once; about `seconds`
 * of work. */
double ms_bench_products(const ms_gf2_path *path, int threads, double seconds);

/* Bytes a second when `threads` threads together read 64-byte lines out of one
 * buffer of `bytes` bytes, in random or in sequential order. */
ms_status ms_bench_reads(uint64_t bytes, bool random, int threads, double seconds, double *rate,
                         ms_error *err);

/* A list like "1,2,4" of numbers least..most into values[room]; false if it is not. */
bool ms_bench_list(const char *text, uint32_t least, uint32_t most, uint32_t *values, uint32_t room,
                   uint32_t *count);

/* MS_ERR_USAGE where there is no GPU, or not one of these, or one is named
 * twice.  n_devices 0: all. */
ms_status ms_bench_check_devices(const int *devices, uint32_t n_devices, ms_error *err);

/* Benchmarks take options only; to be called when those are read. */
ms_status ms_bench_no_operand(int argc, char **argv, ms_error *err);

/* The two benchmarks; argv[0] is "gf2" or "sieve". */
int ms_bench_gf2(int argc, char **argv);
int ms_bench_sieve(int argc, char **argv);

#endif
