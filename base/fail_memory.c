/* ms_fail_memory: why there is no memory. */
#include "base/meter.h"
#include "base/status.h"
#include "base/text/format.h"

/* Returns the meter whose bound was too low; NULL: it was the machine. */
static const ms_meter *refusing_meter(void)
{
  const ms_meter *meter = ms_meter_current();
  while (meter && meter->refused == 0)
    meter = meter->outer;
  return meter;
}

static unsigned long long in_mib(uint64_t bytes)
{
  return (bytes + (1 << 20) - 1) >> 20;
}

/* Fails because reading would take more memory than is allowed. */
static ms_status fail_metered(ms_error *err, const ms_meter *meter, const char *what)
{
  const ms_meter *file = ms_meter_current();
  char where[512] = "";
  if (file->label && file->line && *file->line > 0)
    ms_format(where, sizeof where, "%.400s:%llu: ", file->label, (unsigned long long)*file->line);
  else if (file->label)
    ms_format(where, sizeof where, "%.400s: ", file->label);
  return ms_fail(err, MS_ERR_MEMORY,
                 "%s%s may take %llu MiB of memory%s; %llu MiB are in use, and %llu MiB more "
                 "are needed for %s; raise `memory`, or use a smaller input",
                 where, file->label ? "reading" : "this call", in_mib(meter->bound),
                 meter->grows ? " for an input of this size" : "",
                 in_mib(meter->held > 0 ? (uint64_t)meter->held : 0), in_mib(meter->refused), what);
}

ms_status ms_fail_memory(ms_error *err, const char *what)
{
  const ms_meter *meter = refusing_meter();
  if (meter)
    return fail_metered(err, meter, what);
  return ms_fail(err, MS_ERR_MEMORY,
                 "out of memory while allocating %s; free memory or use a smaller input", what);
}
