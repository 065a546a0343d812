#include "verify/reader/tape.h"

#include "base/alloc.h"
#include "base/crc32c.h"
#include "base/status.h"

#include <string.h>

#define FIRST_ROOM ((size_t)1 << 18)

ms_status ms_tape_open(ms_tape *tape, const char *path, ms_error *err)
{
  memset(tape, 0, sizeof *tape);
  tape->path = path;
  tape->buffer = ms_alloc(FIRST_ROOM, 1);
  if (!tape->buffer)
    return ms_fail_memory(err, "the result file");
  tape->room = FIRST_ROOM;
  const char *label = strcmp(path, "-") == 0 ? "standard input" : path;
  return ms_source_open(path, label, &tape->source, err);
}

void ms_tape_end(ms_tape *tape)
{
  ms_source_close(tape->source);
  tape->source = NULL;
}

void ms_tape_close(ms_tape *tape)
{
  ms_source_close(tape->source);
  ms_free(tape->buffer);
}

/* Makes room for at least one more byte and a NUL. */
static ms_status make_room(ms_tape *tape, ms_error *err)
{
  if (tape->begin > 0) {
    memmove(tape->buffer, tape->buffer + tape->begin, tape->end - tape->begin);
    tape->end -= tape->begin;
    tape->begin = 0;
    return MS_OK;
  }
  size_t room = tape->room;
  char *grown = room <= SIZE_MAX / 2 ? ms_resize(tape->buffer, room, 2 * room, 1) : NULL;
  if (!grown)
    return ms_fail_memory(err, "the result file");
  tape->buffer = grown;
  tape->room = 2 * room;
  return MS_OK;
}

ms_status ms_tape_peek(ms_tape *tape, size_t wanted, char **bytes, size_t *length, ms_error *err)
{
  ms_status status = MS_OK;
  size_t got;
  while (status == MS_OK && !tape->ended && tape->end - tape->begin < wanted) {
    if (tape->end + 1 >= tape->room) {
      status = make_room(tape, err);
      continue;
    }
    status = ms_source_read(tape->source, tape->buffer + tape->end, tape->room - 1 - tape->end,
                            &got, err);
    if (status == MS_OK) {
      tape->end += got;
      tape->ended = got == 0;
    }
  }
  tape->buffer[tape->end] = '\0';
  *bytes = tape->buffer + tape->begin;
  *length = tape->end - tape->begin;
  return status;
}

void ms_tape_take(ms_tape *tape, size_t bytes)
{
  tape->crc32c = ms_crc32c(tape->crc32c, tape->buffer + tape->begin, bytes);
  tape->begin += bytes;
}

ms_status ms_tape_next_line(ms_tape *tape, char **line, size_t *length, ms_error *err)
{
  char *bytes, *newline = NULL;
  size_t available = 0, seen = 0;
  ms_status status;
  do {
    status = ms_tape_peek(tape, available + 1, &bytes, &available, err);
    if (status != MS_OK)
      return status;
    newline = memchr(bytes + seen, '\n', available - seen);
    seen = available;
  } while (!newline && !tape->ended);
  *line = available ? bytes : NULL;
  *length = newline ? (size_t)(newline - bytes) : available;
  if (available) {
    tape->cut = !newline;
    tape->line++;
    tape->before_line = tape->crc32c;
    ms_tape_take(tape, *length + (newline != NULL));
    bytes[*length] = '\0';
  }
  return MS_OK;
}

ms_status ms_tape_peek_line(ms_tape *tape, size_t at, char **bytes, size_t *length, ms_error *err)
{
  size_t available = 0;
  *length = 0;
  do {
    ms_status status =
        ms_tape_peek(tape, (available > at ? available : at) + 1, bytes, &available, err);
    if (status != MS_OK)
      return status;
    char *newline = available > at ? memchr(*bytes + at, '\n', available - at) : NULL;
    if (newline) {
      *length = (size_t)(newline + 1 - *bytes) - at;
      return MS_OK;
    }
  } while (!tape->ended);
  return MS_OK;
}
