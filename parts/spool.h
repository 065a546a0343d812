/* The rows of a run whose state is saved: bytes in a file beside the checkpoint, FILE.rows, which
 * grows while the run goes on.  The checkpoint says how many of them belong to its state, and their
 * checksum; what lies behind them is cut off when the run goes on.  What is read is compared with
 * the checksums that the process keeps of what it has written or checked (base/file/block_sums.h).
 *
 * A file that cannot grow costs nothing but later savings: what it has can still be read. */
#ifndef MS_PARTS_SPOOL_H
#define MS_PARTS_SPOOL_H

#include "motifsieve.h"

#define MS_SPOOL_MAGIC "MSROWS01" /* the first 8 bytes of the file */

typedef struct ms_spool ms_spool;

/* Returns the path of the file beside a checkpoint, which the caller frees; NULL: no memory. */
char *ms_spool_path(const char *checkpoint);

/* Opens the file beside a checkpoint.  Of a run that goes on, it has at least `bytes` bytes, whose
 * CRC-32C is `crc`, and the others are cut off; a run that begins has neither, and replaces the
 * file of one that was killed.  The caller holds the lock of the checkpoint.  MS_ERR_INPUT: the
 * file is damaged.  MS_ERR_USAGE: there is something of this name that is no such file. */
ms_status ms_spool_open(const char *checkpoint, uint64_t bytes, uint32_t crc, ms_spool **out,
                        ms_error *err);
/* Accepts NULL; leaves the file, unless it is of this run and there is no checkpoint. */
void ms_spool_close(ms_spool *spool);

/* Appends bytes.  Returns false, and appends none of them, if the file cannot grow. */
bool ms_spool_put(ms_spool *spool, const void *data, size_t bytes);
/* Brings all bytes to the disk.  Returns false if that fails. */
bool ms_spool_flush(ms_spool *spool);
/* Returns why one of these two has failed, as text. */
const char *ms_spool_problem(const ms_spool *spool);

uint64_t ms_spool_bytes(const ms_spool *spool);
uint32_t ms_spool_crc32c(const ms_spool *spool);
/* Cuts off all but the first `bytes` bytes, whose CRC-32C is `crc`. */
void ms_spool_cut(ms_spool *spool, uint64_t bytes, uint32_t crc);

/* Reads bytes that are there, from `at` on; one after the other is fastest.  MS_ERR_INPUT: they are
 * not those that were put. */
ms_status ms_spool_read(ms_spool *spool, uint64_t at, void *data, size_t bytes, ms_error *err);

/* The rows that belong to the state of a checkpoint (ms_sum_mark_put). */
typedef struct ms_spool_mark {
  uint64_t bytes;
  uint32_t crc;
} ms_spool_mark;

static inline ms_spool_mark ms_spool_end(const ms_spool *spool)
{
  return (ms_spool_mark){ms_spool_bytes(spool), ms_spool_crc32c(spool)};
}

#endif
