#include "cli/reading.h"

ms_status ms_reading_begin(const ms_cli_options *o, ms_stop **stop, ms_error *err)
{
  ms_status status = ms_stop_new(stop, err);
  if (status != MS_OK)
    return status;
  if (o->timeout > 0)
    ms_stop_after(*stop, o->timeout);
  ms_stop_attach(*stop);
  ms_limit_memory(o->list.screen.memory);
  return MS_OK;
}

void ms_reading_end(void)
{
  ms_limit_memory(0);
}

void ms_reading_free(ms_stop *stop)
{
  ms_reading_end();
  ms_stop_attach(NULL);
  ms_stop_free(stop);
}
