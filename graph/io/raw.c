/* The bytes of a file or of standard input as they are stored; see source.h. */
#include "base/alloc.h"
#include "base/descriptor.h"
#include "base/format.h"
#include "base/meter.h"
#include "base/status.h"
#include "base/stop.h"
#include "graph/io/source.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define POLL_BYTES ((uint64_t)1 << 20)
#define LEAST_STEP ((size_t)4096) /* bytes that a call counts at least, since each takes time */
#define WAIT_MS 50

/* Opens a file.  To open a named pipe waits for a program that writes into it, unless the
 * descriptor is non-blocking; then ms_raw_fill waits. */
static int open_file(const char *path)
{
  struct stat facts;
  int flags = stat(path, &facts) == 0 && S_ISFIFO(facts.st_mode) ? O_NONBLOCK : 0;
  return ms_open(path, O_RDONLY | flags, 0);
}

ms_status ms_raw_open(const char *path, const char *label, ms_raw *raw, ms_error *err)
{
  struct stat facts;
  *raw = (ms_raw){.label = label, .file = STDIN_FILENO, .bytes = ms_alloc(MS_RAW_BYTES, 1)};
  if (!raw->bytes)
    return ms_fail_memory(err, "a read buffer");
  if (strcmp(path, "-") == 0) {
    raw->may_wait = fstat(raw->file, &facts) == 0 && !S_ISREG(facts.st_mode);
    return ms_check_stdin(err);
  }
  raw->file = open_file(path);
  if (raw->file < 0)
    return ms_fail(err, MS_ERR_INPUT, "%s: cannot open: %s; check the path and its permissions",
                   raw->label, strerror(errno));
  raw->owned = true;
  if (fstat(raw->file, &facts) != 0)
    return MS_OK;
  raw->may_wait = !S_ISREG(facts.st_mode);
  if (S_ISDIR(facts.st_mode))
    return ms_fail(err, MS_ERR_INPUT, "%s: is a folder; give a file in it", raw->label);
  return MS_OK;
}

void ms_raw_close(ms_raw *raw)
{
  if (raw->owned)
    close(raw->file);
  ms_free(raw->bytes);
}

/* Fails if the token of the thread is stopped. */
static ms_status check_stop(const ms_raw *raw, ms_error *err)
{
  char line[32] = "";
  const ms_meter *reading = ms_meter_current();
  ms_status status = ms_stop_check(ms_stop_current());
  if (status == MS_OK)
    return MS_OK;
  if (reading && reading->line && *reading->line > 0)
    ms_format(line, sizeof line, ":%llu", (unsigned long long)*reading->line);
  return ms_fail(err, status,
                 status == MS_ERR_LIMIT
                     ? "%s%s: out of time while the input is read; there is no result yet, so "
                       "allow more time"
                     : "%s%s: interrupted while the input is read; there is no result yet",
                 raw->label, line);
}

ms_status ms_raw_poll(ms_raw *raw, size_t bytes, ms_error *err)
{
  raw->polled += bytes > LEAST_STEP ? bytes : LEAST_STEP;
  if (raw->polled < POLL_BYTES)
    return MS_OK;
  raw->polled = 0;
  return check_stop(raw, err);
}

/* Waits until there is something to read.  */
static ms_status wait_for_bytes(const ms_raw *raw, ms_error *err)
{
  struct pollfd wait = {.fd = raw->file, .events = POLLIN};
  int ready = !raw->may_wait || poll(&wait, 1, 0) != 0;
  while (!ready) {
    MS_TRY(check_stop(raw, err));
    ready = poll(&wait, 1, WAIT_MS) > 0;
  }
  return MS_OK;
}

ms_status ms_raw_fill(ms_raw *raw, size_t wanted, ms_error *err)
{
  memmove(raw->bytes, raw->bytes + raw->begin, raw->end - raw->begin);
  raw->end -= raw->begin;
  raw->begin = 0;
  while (raw->end < wanted && !raw->ended) {
    MS_TRY(wait_for_bytes(raw, err));
    ssize_t got = read(raw->file, raw->bytes + raw->end, MS_RAW_BYTES - raw->end);
    if (got < 0 && (errno == EINTR || errno == EAGAIN))
      continue;
    if (got < 0)
      return ms_fail(err, MS_ERR_INPUT, "%s: cannot read: %s; check the file and its disk",
                     raw->label, strerror(errno));
    raw->ended = got == 0;
    raw->end += (size_t)got;
    if (raw->factor)
      ms_meter_input((uint64_t)got * raw->factor);
    MS_TRY(ms_raw_poll(raw, (size_t)got, err));
  }
  return MS_OK;
}
