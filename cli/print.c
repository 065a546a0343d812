#include "cli/print.h"

#include "base/alloc.h"
#include "base/file/descriptor.h"
#include "base/status.h"
#include "base/text/format.h"
#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

static char buffer[1 << 14];
static size_t used;
static int failure; /* errno of the first failure, 0 for none */

void ms_print_flush(void)
{
  if (!failure)
    failure = ms_write_all(STDOUT_FILENO, buffer, used, NULL);
  used = 0;
}

static void put(const char *text, size_t length)
{
  while (length > 0) {
    size_t part = sizeof buffer - used < length ? sizeof buffer - used : length;
    memcpy(buffer + used, text, part);
    used += part;
    text += part;
    length -= part;
    if (used == sizeof buffer)
      ms_print_flush();
  }
}

void ms_print_text(const char *text)
{
  put(text, strlen(text));
}

void ms_print_char(char c)
{
  put(&c, 1);
}

void ms_print_line(const char *text)
{
  ms_print_text(text);
  ms_print_char('\n');
}

void ms_print(const char *format, ...)
{
  char small[512];
  size_t length;
  va_list args;
  va_start(args, format);
  char *text = ms_format_any(small, sizeof small, &length, format, args);
  va_end(args);
  if (text)
    put(text, length);
  else
    failure = failure ? failure : ENOMEM;
  if (text != small)
    ms_free(text);
}

int ms_print_end(void)
{
  ms_error err;
  bool asked = used > 0 || failure != 0; /* nothing was printed: nothing can be lost */
  ms_print_flush();
  if (asked && !failure && close(STDOUT_FILENO) != 0)
    failure = errno; /* a disk of the network may say only now that it is full */
  if (!failure)
    return MS_EXIT_OK;
  if (ms_check_stdout(&err) == MS_OK)
    ms_fail(&err, MS_ERR_OUTPUT, "standard output: could not be written: %s; free space there",
            strerror(failure));
  return ms_cli_error(&err);
}
