/* A bound as decimal text, rounded up. */
#include "base/text/format.h"
#include "result/header.h"

#include <string.h>

/* Digits in front of the exponent: one, the point, and five. */
#define SHOWN 7

const char *ms_bound_text(double bound, char text[MS_BOUND_BYTES])
{
  char all[1100]; /* the text of a double has at most 767 digits that are not 0 */
  if (bound == 0)
    return strcpy(text, "0");
  ms_format(all, sizeof all, "%.1000e", bound);
  const char *exponent = strchr(all, 'e');
  size_t rest = (size_t)(exponent - all) - SHOWN;
  bool exact = strspn(all + SHOWN, "0") == rest;
  int at = SHOWN - 1;
  for (; !exact && at >= 0 && (all[at] == '9' || all[at] == '.'); at--)
    if (all[at] == '9')
      all[at] = '0';
  if (!exact && at >= 0)
    all[at]++;
  bool carried = !exact && at < 0; /* 9.99999 has become 10.0000 */
  int power = 0;
  for (const char *p = exponent + 2; *p; p++)
    power = 10 * power + (*p - '0');
  power = (exponent[1] == '-' ? -power : power) + carried;
  ms_format(text, MS_BOUND_BYTES, "%.*se%c%02d", SHOWN, carried ? "1.00000" : all,
            power < 0 ? '-' : '+', power < 0 ? -power : power);
  return text;
}
