#include "cli/numbers.h"

#include "base/text/format.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool ms_parse_count(const char *text, uint64_t least, uint64_t most, uint64_t *value)
{
  char *end;
  if (!isdigit((unsigned char)text[0]))
    return false;
  errno = 0;
  unsigned long long got = strtoull(text, &end, 10);
  if (errno || *end || got < least || got > most)
    return false;
  *value = got;
  return true;
}

/* Reads a number in decimal notation at the start of text (no hexadecimal, no "inf", no blanks in
 * front); returns what follows it, or NULL if there is none. */
static const char *leading_real(const char *text, double *value)
{
  char *end;
  const char *first = text + (text[0] == '-' || text[0] == '+');
  if (!isdigit((unsigned char)first[0]) && first[0] != '.')
    return NULL;
  if (first[0] == '0' && (first[1] == 'x' || first[1] == 'X'))
    return NULL;
  *value = ms_read_real(text, &end);
  return end == text || !isfinite(*value) ? NULL : end;
}

bool ms_parse_real(const char *text, double *value)
{
  const char *end = leading_real(text, value);
  return end && !*end;
}

bool ms_parse_size(const char *text, uint64_t *bytes)
{
  static const char letters[] = "KMGT";
  double value;
  const char *end = leading_real(text, &value);
  if (!end || value <= 0)
    return false;
  const char *letter = *end ? strchr(letters, toupper((unsigned char)*end)) : NULL;
  if (letter) {
    value = ldexp(value, 10 * (int)(letter - letters + 1));
    end++;
    if (strcasecmp(end, "iB") == 0)
      end += 2;
  }
  if (strcasecmp(end, "B") == 0)
    end++;
  if (*end || value < 1 || value >= 0x1p63)
    return false;
  *bytes = (uint64_t)value;
  return true;
}

bool ms_parse_duration(const char *text, double *seconds)
{
  static const struct {
    const char *unit;
    double factor;
  } units[] = {{"", 1}, {"s", 1}, {"m", 60}, {"min", 60}, {"h", 3600}, {"ms", 1e-3}};
  const char *end = leading_real(text, seconds);
  for (size_t i = 0; end && i < sizeof units / sizeof *units; i++)
    if (strcmp(end, units[i].unit) == 0) {
      *seconds *= units[i].factor;
      return *seconds > 0 && isfinite(*seconds);
    }
  return false;
}

void ms_format_size(char *text, size_t room, uint64_t bytes)
{
  static const char *const unit[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  double value = (double)bytes;
  unsigned u = 0;
  while (value >= 1024 && u + 1 < sizeof unit / sizeof *unit) {
    value /= 1024;
    u++;
  }
  ms_format(text, room, u ? "%.1f %s" : "%.0f %s", value, unit[u]);
}
