#include "cli/job.h"

#include "base/status.h"

#include <string.h>

ms_status ms_find_target(const ms_cli_options *o, ms_graph_format *to, ms_error *err)
{
  *to = o->to;
  if (o->to != MS_FORMAT_AUTO)
    return MS_OK;
  if (!o->output || strcmp(o->output, "-") == 0)
    return ms_fail(
        err, MS_ERR_USAGE,
        "no format to write: give --to NAME, or -o FILE with the ending of a format; see "
        "--list-formats");
  size_t length = strlen(o->output);
  if (length > 3 && strcmp(o->output + length - 3, ".gz") == 0)
    length -= 3;
  else if (length > 4 && strcmp(o->output + length - 4, ".zst") == 0)
    length -= 4;
  for (int f = MS_FORMAT_AUTO + 1; f < MS_GRAPH_FORMATS; f++) {
    ms_graph_format_info info = ms_graph_format_describe((ms_graph_format)f);
    size_t suffix = strlen(info.suffix);
    if (info.writable && length > suffix &&
        memcmp(o->output + length - suffix, info.suffix, suffix) == 0) {
      *to = (ms_graph_format)f;
      return MS_OK;
    }
  }
  return ms_fail(err, MS_ERR_USAGE,
                 "the ending of '%s' names no format; give --to NAME (see --list-formats)",
                 o->output);
}
