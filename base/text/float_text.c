#include "base/text/float_text.h"

#include "base/text/format.h"

#include <stddef.h>

const char *ms_float_text(float value, char text[MS_FLOAT_BYTES])
{
  for (int digits = 6; digits <= 9; digits++) {
    ms_format(text, MS_FLOAT_BYTES, "%.*g", digits, (double)value);
    if ((float)ms_read_real(text, NULL) == value)
      break;
  }
  return text;
}

const char *ms_float_brief(float value, char text[MS_FLOAT_BYTES])
{
  ms_format(text, MS_FLOAT_BYTES, "%.6g", (double)value);
  return text;
}
