/* What the benchmarks share: medians, confidence intervals, lists of words and numbers, the time to
 * read memory once, errors. */
#ifndef MS_BENCH_HARNESS_H
#define MS_BENCH_HARNESS_H

#include "motifsieve.h"

#include <stddef.h>

/* Sorts the values in ascending order; count > 0. */
void bench_sort(double *values, size_t count);
/* Sorts the values and returns the middle one. */
double bench_median(double *values, size_t count);

/* Computes a confidence interval for a rate of which `hits` of `trials` were seen (Clopper &
 * Pearson 1934): the true rate lies beyond each end with probability at most tail. */
void bench_interval(uint64_t hits, uint64_t trials, double tail, double *low, double *high);

/* Copies the next word of a list that spaces separate to word[room], and returns what follows it;
 * NULL: there is no further word, or it is too long. */
const char *bench_next_word(const char *at, char *word, size_t room);
/* Parses a list of numbers least..most, such as 1,2,4, of at most `room`; false if the text is no
 * such list. */
bool bench_list(const char *text, uint32_t least, uint32_t most, uint32_t *values, uint32_t room,
                uint32_t *count);

/* Returns the milliseconds that `threads` threads take to read `blocks` arrays once, where array[i]
 * has bytes[i] bytes: the least time of `runs` runs.  This is the floor of whatever has to read all
 * of them. */
double bench_read_once(const void *const *array, const size_t *bytes, int blocks, int threads,
                       int runs);

/* Prints "PROGRAM: MESSAGE" on standard error; returns exit code 1. */
int bench_fail(const char *program, const ms_error *err);

#endif
