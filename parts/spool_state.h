/* The state of a run with rows (spool.h) in its checkpoint (log.h): the bytes of its rows and their
 * checksum, and then what else the run has. */
#ifndef MS_PARTS_SPOOL_STATE_H
#define MS_PARTS_SPOOL_STATE_H

#include "parts/log.h"
#include "parts/spool.h"

/* The rows that belong to a state. */
typedef struct ms_spool_mark {
  uint64_t bytes;
  uint32_t crc;
} ms_spool_mark;

static inline ms_spool_mark ms_spool_end(const ms_spool *spool)
{
  return (ms_spool_mark){ms_spool_bytes(spool), ms_spool_crc32c(spool)};
}
/* Brings the rows to the disk, and saves the state after all units below `done`: the rows up to the
 * mark, and `bytes` further bytes.  A failure is a warning of the log. */
void ms_spool_save(ms_spool *spool, ms_unit_log *log, uint64_t done, const ms_spool_mark *mark,
                   const void *more, size_t bytes);
/* Takes the mark from the state of a run that goes on; a run that begins has no rows. */
ms_status ms_spool_take_mark(ms_unit_log *log, ms_spool_mark *mark, ms_error *err);

#endif
