/* The frame of a result file: bytes, last line, CRC, lines. */
#include "base/alloc.h"
#include "base/crc32c.h"
#include "base/status.h"
#include "verify/result.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

ms_status ms_result_refuse(ms_result *result, uint64_t line, const char *format, ...)
{
  size_t used = 0;
  va_list args;
  if (line) {
    used = (size_t)snprintf(result->problem, sizeof result->problem,
                            "line %llu: ", (unsigned long long)line);
  }
  va_start(args, format);
  vsnprintf(result->problem + used, sizeof result->problem - used, format, args);
  va_end(args);
  result->refused = true;
  return MS_ERR_INPUT;
}

/* Find the last line and check what it says of the bytes in front of it. */
static ms_status check_end(ms_result *result)
{
  uint32_t stated;
  char *newline = result->bytes + result->size - 1;
  if (*newline != '\n') {
    return ms_result_refuse(result, 0, "the file was cut off: its last line is not ended");
  }
  *newline = '\0';
  char *before = memrchr(result->bytes, '\n', result->size - 1);
  result->end = before ? before + 1 : result->bytes;
  if (!result->format->end(result->end, &result->rows, &stated)) {
    return ms_result_refuse(result, 0, "the file was cut off: its last line is no end line");
  }
  uint32_t actual = ms_crc32c(0, result->bytes, (size_t)(result->end - result->bytes));
  if (stated != actual) {
    return ms_result_refuse(result, 0,
                            "the file was changed or damaged: its CRC-32C is %08x, its last line "
                            "says %08x",
                            actual, stated);
  }
  if (memchr(result->bytes, '\0', (size_t)(result->end - result->bytes))) {
    return ms_result_refuse(result, 0, "the file holds a NUL byte, which no result file does");
  }
  return MS_OK;
}

/* The file begins as no result file does.  The tool's other outputs are told
 * apart, so that the message can say what to take instead. */
static ms_status fail_unknown(const ms_result *result, ms_error *err)
{
  static const char cx2[] = "[{\"CXVersion\"", dot[] = "// motifsieve ";
  const char *drawing = strncmp(result->bytes, cx2, sizeof cx2 - 1) == 0   ? "a CX2 network (--cx2)"
                        : strncmp(result->bytes, dot, sizeof dot - 1) == 0 ? "a DOT drawing (--dot)"
                                                                           : NULL;
  if (drawing) {
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: no result file: it is %s, which does not hold what there is to check; "
                   "give the output as TSV or of --json",
                   result->path, drawing);
  }
  return ms_fail(err, MS_ERR_INPUT,
                 "%s: no result file: it begins neither with '# motifsieve' nor with a JSON header",
                 result->path);
}

void ms_result_init(ms_result *result, const char *path)
{
  memset(result, 0, sizeof *result);
  result->path = path;
  mpq_init(result->header.bound);
  mpq_init(result->header.bound_union);
}

ms_status ms_result_read(ms_result *result, ms_tape *tape, ms_error *err)
{
  ms_status status = ms_tape_rest(tape, &result->bytes, &result->size, err);
  if (status != MS_OK) {
    result->bytes = NULL; /* still the tape's */
    return status;
  }
  if (strncmp(result->bytes, "# motifsieve ", 13) == 0) {
    result->format = &ms_result_tsv;
  } else if (strncmp(result->bytes, "{\"type\":\"header\",", 17) == 0) {
    result->format = &ms_result_json;
  } else {
    return fail_unknown(result, err);
  }
  status = check_end(result);
  result->at = result->bytes;
  return status == MS_OK ? result->format->header(result, err) : status;
}

void ms_result_close(ms_result *result)
{
  if (result->format) {
    result->format->release(result);
  }
  mpq_clear(result->header.bound);
  mpq_clear(result->header.bound_union);
  ms_free(result->row.names);
  ms_free(result->bytes);
}

char *ms_result_next_line(ms_result *result)
{
  char *line = result->at;
  if (line == result->end) {
    return NULL;
  }
  char *newline = strchr(line, '\n'); /* there is one before result->end */
  *newline = '\0';
  result->at = newline + 1;
  result->line++;
  return line;
}

ms_status ms_result_next_row(ms_result *result, bool *more, ms_error *err)
{
  char *line = ms_result_next_line(result);
  *more = line != NULL;
  result->row.count = 0;
  result->row.line = result->line;
  return line ? result->format->row(result, line, err) : MS_OK;
}

ms_status ms_result_add_name(ms_result *result, const char *name, ms_error *err)
{
  ms_result_row *row = &result->row;
  if (row->count == row->capacity) {
    size_t wanted = 2 * (size_t)row->capacity + 32;
    const char **grown = ms_resize(row->names, row->capacity, wanted, sizeof *grown);
    if (!grown || wanted > UINT32_MAX) {
      return ms_fail_memory(err, "the names of a row");
    }
    row->names = grown;
    row->capacity = (uint32_t)wanted;
  }
  row->names[row->count++] = name;
  return MS_OK;
}
