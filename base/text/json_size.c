#include "base/text/json_size.h"

#include <stdbool.h>

uint64_t ms_json_size(const char *text, size_t length)
{
  uint64_t values = 1, nests = 0;
  bool quoted = false;
  for (size_t i = 0; i < length; i++) {
    char c = text[i];
    if (quoted && c == '\\')
      i++;
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && (c == ',' || c == ':'))
      values++;
    else if (!quoted && (c == '[' || c == '{'))
      nests++;
  }
  return 4 * (uint64_t)length + 144 * (values + nests) + 320 * nests;
}
