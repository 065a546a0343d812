/* A meter bounds the memory that a thread may hold while it reads, whatever the file is.
 *
 * While a meter is open, all that its thread allocates through base/alloc.h counts, in whatever
 * room: buffers, tables of names, edges, what a parser keeps, and what is built of them.  What is
 * freed counts no more.  An allocation beyond the bound fails as if the machine had no memory left,
 * and ms_fail_memory then says which file was read, up to which line, and what is allowed.  So no
 * reader has to count for itself.  Memory that a library allocates by itself is added by hand
 * (ms_meter_take).
 *
 * Without a bound that somebody gave, the bound follows the size of the input: a small file may not
 * take up the machine's memory.  ms_meter_input raises it by the bytes that there are to read, or
 * that were read from a pipe.
 *
 * Meters are nested: what counts for the inner one counts for the outer ones, too. */
#ifndef MS_BASE_METER_H
#define MS_BASE_METER_H

#include "motifsieve.h"

#include <stdatomic.h>

/* Reading may always hold this much: buffers and the first tables take about a tenth of it. */
#define MS_LEAST_READING ((uint64_t)16 << 20)
/* Without a bound that somebody gave, reading may hold this much, or the second number of bytes for
 * each byte of the input if that is more, and the third one for each byte that is compressed.  Real
 * and generated networks in all formats take at most 14 bytes a byte, and compressed ones 47; a
 * path of numbered vertices, which zstd compresses 27-fold, takes 366. */
#define MS_SMALL_READING ((uint64_t)1 << 30)
#define MS_READING_FACTOR 64u
#define MS_UNPACKING_FACTOR 2048u

/* For ms_meter_open: three quarters of the machine's memory, unless the meter that is open has a
 * bound that somebody gave.  For work in which files are read, and not only that. */
#define MS_BOUND_OF_WORK UINT64_MAX

typedef struct ms_meter {
  _Atomic uint64_t bound;   /* bytes; UINT64_MAX: that of the outer meter, and only it counts */
  _Atomic uint64_t allowed; /* by the input, in bytes; only of a meter that `grows` */
  bool grows;               /* the bound follows the input */
  bool of_work;             /* MS_BOUND_OF_WORK, and nobody gave another one */
  _Atomic int64_t held;     /* bytes allocated while it is open, minus bytes freed */
  _Atomic int64_t most;     /* the greatest value of `held` */
  _Atomic uint64_t refused; /* bytes of the last request that did not fit; 0: none */
  const char *label;        /* the file that is read; NULL: not known */
  const uint64_t *line;     /* the number of its current line */
  struct ms_meter *outer;
} ms_meter;

/* Opens a meter for the calling thread.  `bound` 0: that of the meter that is open, or without one
 * a bound that follows the input, at most three quarters of the machine's memory (ms_memory_bound).
 * `label` and `line` (both may be NULL) must outlive the meter. */
void ms_meter_open(ms_meter *meter, uint64_t bound, const char *label, const uint64_t *line);
/* Closes the meter that was opened last. */
void ms_meter_close(ms_meter *meter);

/* Says that so many bytes may be taken for the input that is there: of the file's size, see the
 * factors above, or for what has to be made beside it. */
void ms_meter_input(uint64_t bytes);

/* Returns the innermost meter of the calling thread, or NULL. */
ms_meter *ms_meter_current(void);
/* Makes `meter` that of the calling thread, which works for the thread that opened it; returns the
 * one before, which the thread has to bring back. */
ms_meter *ms_meter_attach(ms_meter *meter);

/* Counts bytes that are about to be allocated.  False, and nothing counts: they do not fit. */
bool ms_meter_take(ms_meter *meter, uint64_t bytes);
/* Counts bytes that were freed, or that were allocated without a question (less than 0). */
void ms_meter_give(ms_meter *meter, int64_t bytes);
/* Returns the bytes that still fit; UINT64_MAX without a meter. */
uint64_t ms_meter_left(ms_meter *meter);
/* True if no bound was given, so that the size of the input makes it. */
bool ms_meter_follows_input(const ms_meter *meter);
/* Returns the lowest bound in bytes; UINT64_MAX without a meter. */
uint64_t ms_meter_bound(ms_meter *meter);

#endif
