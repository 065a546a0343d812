#include "parts/spool_state.h"

#include "base/status.h"

#define STATE_BYTES 12u

void ms_spool_save(ms_spool *s, ms_unit_log *log, uint64_t done, const ms_spool_mark *mark,
                   const void *more, size_t bytes)
{
  unsigned char state[STATE_BYTES];
  if (!ms_spool_flush(s)) {
    ms_unit_log_warn(log, ms_spool_problem(s));
    return;
  }
  for (int i = 0; i < 8; i++)
    state[i] = (unsigned char)(mark->bytes >> 8 * i);
  for (int i = 0; i < 4; i++)
    state[8 + i] = (unsigned char)(mark->crc >> 8 * i);
  ms_unit_log_begin(log, done, sizeof state + bytes);
  ms_unit_log_put(log, state, sizeof state);
  ms_unit_log_put(log, more, bytes);
  ms_unit_log_end(log);
}

ms_status ms_spool_take_mark(ms_unit_log *log, ms_spool_mark *mark, ms_error *err)
{
  unsigned char state[STATE_BYTES] = {0};
  if (ms_unit_log_left(log) > 0)
    MS_TRY(ms_unit_log_take(log, state, sizeof state, err));
  *mark = (ms_spool_mark){0};
  for (int i = 0; i < 8; i++)
    mark->bytes |= (uint64_t)state[i] << 8 * i;
  for (int i = 0; i < 4; i++)
    mark->crc |= (uint32_t)state[8 + i] << 8 * i;
  return MS_OK;
}
