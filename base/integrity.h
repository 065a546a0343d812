/* What a run with `paranoid` (parts/paranoid.h) asks of code that moves numbers: digests of what a
 * device has, which are compared with digests of what the host received; and the faults that tests
 * inject.  A pointer to an ms_integrity is NULL in every other run, and then nothing is done. */
#ifndef MS_BASE_INTEGRITY_H
#define MS_BASE_INTEGRITY_H

#include "base/digest.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where a test injects a fault. */
typedef enum ms_fault_place {
  MS_FAULT_DEVICE,   /* in the memory of a device, before a digest is made of it */
  MS_FAULT_TRANSFER, /* in what the host has received of it */
  MS_FAULT_RESULT, /* in what the first engine computed for a range of units, before its checksum */
  MS_FAULT_SECOND, /* in what the second engine computed */
  MS_FAULT_SUM,    /* in the contribution of a range, on its way to the sum */
  MS_FAULT_STATE   /* in the sum of all contributions so far */
} ms_fault_place;

/* Returns the number of the bit that is to be flipped in so many bytes, or UINT64_MAX: none. */
typedef uint64_t (*ms_fault_fn)(ms_fault_place place, uint64_t bytes);

typedef struct ms_integrity {
  bool checks;                /* false: there are faults only */
  ms_fault_fn fault;          /* NULL: none */
  _Atomic uint64_t transfers; /* that were compared */
  _Atomic uint64_t damaged;   /* of these, those that differed, and were made again */
} ms_integrity;

/* Times that a transfer is made again before the device is given up. */
#define MS_MOST_TRANSFERS 3

/* Flips the bit that a test wants to be flipped in `data`, which is memory of the host. */
static inline void ms_inject(const ms_integrity *in, ms_fault_place place, void *data, size_t bytes)
{
  uint64_t bit = in && in->fault && bytes > 0 ? in->fault(place, bytes) : UINT64_MAX;
  if (bit < 8 * (uint64_t)bytes)
    ((uint8_t *)data)[bit / 8] ^= (uint8_t)(1u << bit % 8);
}

/* ---- another implementation ---------------------------------------------------------------
 *
 * Tables of implementations for instruction sets give another one while units are computed a second
 * or third time.  All give the same bits, so it does not matter that other runs of the process get
 * it, too. */

/* 0, or how many places before the usual implementation the wanted one is. */
unsigned ms_other_kernel(void);
void ms_other_kernel_set(unsigned places);
/* Returns the place in a table of `count` implementations, the last one of which is the fastest, of
 * the one to use where the usual one is at `usual`. */
static inline unsigned ms_other_kernel_place(unsigned usual, unsigned count)
{
  return (usual + count - ms_other_kernel() % count) % count;
}

#endif
