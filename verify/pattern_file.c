/* Results of pattern matches: which form a file has, and whether it is damaged. */
#include "verify/pattern_file.h"

#include "base/status.h"

#include <string.h>

ms_status ms_pattern_look_line(ms_tape *tape, size_t at, char **bytes, size_t *length,
                               ms_error *err)
{
  size_t at_hand = 0;
  *length = 0;
  do {
    ms_status status = ms_tape_look(tape, (at_hand > at ? at_hand : at) + 1, bytes, &at_hand, err);
    if (status != MS_OK) {
      return status;
    }
    char *newline = at_hand > at ? memchr(*bytes + at, '\n', at_hand - at) : NULL;
    if (newline) {
      *length = (size_t)(newline + 1 - *bytes) - at;
      return MS_OK;
    }
  } while (!tape->ended);
  return MS_OK;
}

/* Does a line of the header say what the pattern is?  The first one names the
 * command. */
static ms_status tell_tsv(ms_tape *tape, bool *is_pattern, bool *typed, ms_error *err)
{
  static const char label[] = "# pattern: ", command[] = " typed-match\n";
  const size_t command_length = sizeof command - 1;
  size_t at = 0, length;
  char *bytes;
  do {
    ms_status status = ms_pattern_look_line(tape, at, &bytes, &length, err);
    if (status != MS_OK) {
      return status;
    }
    *is_pattern = length > 0 && strncmp(bytes + at, label, sizeof label - 1) == 0;
    *typed = *typed || (at == 0 && length > command_length &&
                        memcmp(bytes + length - command_length, command, command_length) == 0);
    at += length;
  } while (length > 0 && !*is_pattern && bytes[at - length] == '#');
  return MS_OK;
}

/* Inside a string the quotes would have backslashes.  Not parsed, so that a
 * damaged header is still one of a pattern. */
static ms_status tell_json(ms_tape *tape, bool *is_pattern, bool *typed, ms_error *err)
{
  static const char key[] = "\"pattern\":", command[] = "\"command\":\"typed-match\"";
  size_t length;
  char *bytes;
  ms_status status = ms_pattern_look_line(tape, 0, &bytes, &length, err);
  if (status == MS_OK && length > 0) {
    *is_pattern = memmem(bytes, length, key, sizeof key - 1) != NULL;
    *typed = memmem(bytes, length, command, sizeof command - 1) != NULL;
  }
  return status;
}

ms_status ms_pattern_format_tell(ms_tape *tape, const ms_pattern_format **format, bool *typed,
                                 ms_error *err)
{
  static const char binary[] = "MSMATCH1", tsv[] = "# motifsieve ",
                    json[] = "{\"type\":\"header\",";
  char *bytes;
  size_t length;
  bool is_pattern = false;
  *format = NULL;
  *typed = false;
  ms_status status = ms_tape_look(tape, sizeof json, &bytes, &length, err);
  if (status != MS_OK) {
    return status;
  }
  if (strncmp(bytes, binary, sizeof binary - 1) == 0) {
    *format = &ms_pattern_file_binary;
  } else if (strncmp(bytes, tsv, sizeof tsv - 1) == 0) {
    status = tell_tsv(tape, &is_pattern, typed, err);
    *format = is_pattern ? &ms_pattern_file_tsv : NULL;
  } else if (strncmp(bytes, json, sizeof json - 1) == 0) {
    status = tell_json(tape, &is_pattern, typed, err);
    *format = is_pattern ? &ms_pattern_file_json : NULL;
  }
  return status;
}

ms_status ms_pattern_refuse_cut(ms_pattern_file *file)
{
  file->settled = true;
  return ms_result_refuse(file->result, 0, "the file was cut off: it does not end as it should");
}

ms_status ms_pattern_check_crc32c(ms_pattern_file *file, uint32_t actual, uint32_t stated)
{
  file->settled = true;
  if (actual == stated) {
    return MS_OK;
  }
  return ms_result_refuse(file->result, 0,
                          "the file was changed or damaged: its CRC-32C is %08x, its end says %08x",
                          actual, stated);
}

ms_status ms_pattern_file_damaged(ms_pattern_file *file, ms_status status, ms_error *err)
{
  ms_result *result = file->result;
  bool refused = result->refused;
  char problem[sizeof result->problem];
  ms_error reason;
  if (file->settled || (status != MS_ERR_INPUT && status != MS_ERR_USAGE)) {
    return status;
  }
  memcpy(problem, result->problem, sizeof problem);
  result->refused = false;
  ms_status drained = file->format->drain(file, &reason);
  if (result->refused) {
    return MS_ERR_INPUT;
  }
  memcpy(result->problem, problem, sizeof problem);
  result->refused = refused;
  if (drained != MS_OK) {
    result->refused = false;
    return ms_fail(err, drained, "%s", reason.message);
  }
  return status;
}
