/* Result files for ms_verify_file, of the fixed graph and colours below, from
 * which the seeds were made.  FUZZ_WHAT: of motifs, or matches of a pattern.  Each input is tried as it is and once more with
 * a right checksum in its last line, without which little is looked at. */
#include "tests/fuzz/fuzz.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FUZZ_RESULT, FUZZ_MATCHES };

static const char graph[] = "a\tb\nb\tc\nc\td\nb\td\nd\te\ne\tf\nx,1\ta\n";
static const char colors[] = "a\tred\nb\tblue\nc\tred\nd\tgreen\nd\tblue\ne\tred\nx,1\tred:ish\n";

static const char pattern[] = "t 0 3\nv 0 red\nv 1 *\nv 2 *\ne 0 1\ne 1 2\n";

static fuzz_file input, graph_file, colors_file, pattern_file;

void fuzz_setup(void)
{
  fuzz_file_open(&input);
  fuzz_file_open(&graph_file);
  fuzz_file_open(&colors_file);
  fuzz_file_set(&graph_file, graph, sizeof graph - 1);
  fuzz_file_open(&pattern_file);
  fuzz_file_set(&colors_file, colors, sizeof colors - 1);
  fuzz_file_set(&pattern_file, pattern, sizeof pattern - 1);
}

/* Bit by bit: not the library's own. */
static uint32_t crc32c(const uint8_t *data, size_t size)
{
  uint32_t crc = UINT32_MAX;
  for (size_t i = 0; i < size; i++) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; bit++)
      crc = crc >> 1 ^ (crc & 1 ? 0x82F63B78u : 0);
  }
  return ~crc;
}

/* Put the right checksum over the last eight hexadecimal digits of the last
 * line, if it has as many. */
static void seal_text(uint8_t *data, size_t size)
{
  size_t last = size, end = size;
  while (last > 0 && (last == size || data[last - 1] != '\n'))
    last--;
  while (end > last && !isxdigit(data[end - 1]))
    end--;
  if (end - last < 8)
    return;
  char digits[9];
  snprintf(digits, sizeof digits, "%08x", crc32c(data, last));
  memcpy(data + end - 8, digits, 8);
}

static void seal(uint8_t *data, size_t size)
{
  if (size < 24 || memcmp(data, "MSMATCH1", 8) != 0) {
    seal_text(data, size);
    return;
  }
  uint32_t crc = crc32c(data, size - 4);
  for (size_t i = 0; i < 4; i++)
    data[size - 4 + i] = (uint8_t)(crc >> 8 * i);
}

static bool verify(const uint8_t *data, size_t size)
{
  ms_verify_report report = {0};
  ms_error err = {0};
  ms_verify_options options = {.pattern = FUZZ_WHAT == FUZZ_MATCHES ? pattern_file.path : NULL};
  fuzz_file_set(&input, data, size);
  ms_status status =
      ms_verify_file(input.path, graph_file.path, colors_file.path, &options, &report, &err);
  /* usage: the header's options do not fit the inputs */
  bool ok = fuzz_ok(status, FUZZ_INPUT | FUZZ_USAGE, &err);
  fuzz_require(ok || !report.accepted, "accepted, and yet an error");
  fuzz_require(!ok || report.accepted || report.problem[0], "refused without a reason");
  return report.accepted;
}

bool fuzz_input(const uint8_t *data, size_t size)
{
  uint8_t *sealed = malloc(size + 1);
  fuzz_require(sealed, "no memory");
  memcpy(sealed, data, size);
  seal(sealed, size);
  bool accepted = verify(data, size);
  verify(sealed, size);
  free(sealed);
  return accepted;
}
