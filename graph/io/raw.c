/* The bytes of a file or of standard input as they are stored; see source.h. */
#include "base/alloc.h"
#include "base/descriptor.h"
#include "base/status.h"
#include "graph/io/source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

ms_status ms_raw_open(const char *path, const char *label, ms_raw *raw, ms_error *err)
{
  struct stat facts;
  *raw = (ms_raw){.label = label, .file = STDIN_FILENO, .bytes = ms_alloc(MS_RAW_BYTES, 1)};
  if (!raw->bytes)
    return ms_fail_memory(err, "a read buffer");
  if (strcmp(path, "-") == 0)
    return ms_check_stdin(err);
  raw->file = ms_open(path, O_RDONLY, 0);
  if (raw->file < 0)
    return ms_fail(err, MS_ERR_INPUT, "%s: cannot open: %s; check the path and its permissions",
                   raw->label, strerror(errno));
  raw->owned = true;
  if (fstat(raw->file, &facts) == 0 && S_ISDIR(facts.st_mode))
    return ms_fail(err, MS_ERR_INPUT, "%s: is a folder; give a file in it", raw->label);
  return MS_OK;
}

void ms_raw_close(ms_raw *raw)
{
  if (raw->owned)
    close(raw->file);
  ms_free(raw->bytes);
}

ms_status ms_raw_fill(ms_raw *raw, size_t wanted, ms_error *err)
{
  memmove(raw->bytes, raw->bytes + raw->begin, raw->end - raw->begin);
  raw->end -= raw->begin;
  raw->begin = 0;
  while (raw->end < wanted && !raw->ended) {
    ssize_t got = ms_read(raw->file, raw->bytes + raw->end, MS_RAW_BYTES - raw->end);
    if (got < 0)
      return ms_fail(err, MS_ERR_INPUT, "%s: cannot read: %s; check the file and its disk",
                     raw->label, strerror(errno));
    raw->ended = got == 0;
    raw->end += (size_t)got;
  }
  return MS_OK;
}
