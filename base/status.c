#include "base/status.h"

#include "base/text/format.h"
#include "base/text/utf8.h"

const char *ms_status_text(ms_status status)
{
  switch (status) {
  case MS_OK:
    return "ok";
  case MS_ERR_USAGE:
    return "wrong usage";
  case MS_ERR_INPUT:
    return "bad input";
  case MS_ERR_OUTPUT:
    return "output could not be written";
  case MS_ERR_MEMORY:
    return "out of memory";
  case MS_ERR_LIMIT:
    return "stopped by a limit";
  case MS_ERR_INTERRUPTED:
    return "interrupted";
  case MS_ERR_DEVICE_LOST:
    return "device lost";
  case MS_ERR_INTERNAL:
    return "internal error";
  }
  return "unknown status";
}

const char *ms_version(void)
{
  return MS_VERSION;
}

ms_status ms_fail_list(ms_error *err, ms_status status, const char *format, va_list args)
{
  if (err) {
    char text[sizeof err->message];
    ms_format_list(text, sizeof text, format, args);
    err->status = status;
    ms_escape(text, err->message, sizeof err->message);
  }
  return status;
}

ms_status ms_fail(ms_error *err, ms_status status, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  ms_fail_list(err, status, format, args);
  va_end(args);
  return status;
}

ms_status ms_fail_null(ms_error *err, const char *function, const char *argument)
{
  return ms_fail(err, MS_ERR_USAGE, "%s: the argument '%s' is NULL; pass a valid one", function,
                 argument);
}
