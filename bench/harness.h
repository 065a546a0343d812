/* What the benchmarks share: medians, numbers on a command line, reading memory once, errors. */
#ifndef MS_BENCH_HARNESS_H
#define MS_BENCH_HARNESS_H

#include "motifsieve.h"

#include <stddef.h>

/* Sorts the values; count > 0. */
void bench_sort(double *values, size_t count);
/* The same; then the middle one. */
double bench_median(double *values, size_t count);

/* Numbers least..most with commas between them, such as 1,2,4, at most `room`; false if the text is
 * not such a list. */
bool bench_list(const char *text, uint32_t least, uint32_t most, uint32_t *values, uint32_t room,
                uint32_t *count);

/* Milliseconds that `threads` threads take to read `blocks` arrays of that many bytes once, the
 * least of `runs` times: the floor of whatever has to look at all of them. */
double bench_read_once(const void *const *array, const size_t *bytes, int blocks, int threads,
                       int runs);

/* "PROGRAM: MESSAGE" on standard error; returns exit code 1. */
int bench_fail(const char *program, const ms_error *err);

#endif
