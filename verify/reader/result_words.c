/* Reads words and numbers of result files strictly: no leading blanks, no signs, no leading zeros,
 * no spelling other than the writer's. */
#include "verify/reader/result.h"

#include "base/text/format.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool ms_take_word(const char **text, const char *word)
{
  size_t length = strlen(word);
  if (strncmp(*text, word, length) != 0)
    return false;
  *text += length;
  return true;
}

bool ms_take_count(const char **text, uint64_t most, uint64_t *value)
{
  char *end;
  const char *p = *text;
  if (!isdigit((unsigned char)p[0]) || (p[0] == '0' && isdigit((unsigned char)p[1])))
    return false;
  errno = 0;
  unsigned long long got = strtoull(p, &end, 10);
  if (errno || got > most)
    return false;
  *value = got;
  *text = end;
  return true;
}

bool ms_take_crc32c(const char **text, uint32_t *value)
{
  const char *digits = "0123456789abcdef";
  uint32_t got = 0;
  for (int i = 0; i < 8; i++) {
    const char *digit = (*text)[i] ? strchr(digits, (*text)[i]) : NULL;
    if (!digit)
      return false;
    got = got << 4 | (uint32_t)(digit - digits);
  }
  *value = got;
  *text += 8;
  return true;
}

/* Returns the length of digits [. digits] [e sign digits] at the front, or 0.  The first digit is
 * no leading zero. */
static size_t real_length(const char *text)
{
  size_t length = strspn(text, "0123456789");
  if (length == 0 || (length > 1 && text[0] == '0'))
    return 0;
  if (text[length] == '.') {
    size_t fraction = strspn(text + length + 1, "0123456789");
    length += fraction ? 1 + fraction : 0;
  }
  if (text[length] == 'e') {
    size_t sign = text[length + 1] == '-' || text[length + 1] == '+';
    size_t exponent = strspn(text + length + 1 + sign, "0123456789");
    length += exponent ? 1 + sign + exponent : 0;
  }
  return length;
}

bool ms_take_real(const char **text, double *value)
{
  size_t length = real_length(*text);
  char *end;
  if (length == 0)
    return false;
  *value = ms_read_real(*text, &end);
  if (end != *text + length || !isfinite(*value))
    return false;
  *text = end;
  return true;
}

bool ms_take_decimal(const char **text, mpq_t value)
{
  enum { MAX_LENGTH = 60, MAX_EXPONENT = 1000 };
  char digits[MAX_LENGTH + 1];
  size_t length = real_length(*text), used = 0;
  long exponent = 0;
  if (length == 0 || length > MAX_LENGTH)
    return false;
  bool fraction = false;
  for (size_t i = 0; i < length; i++) {
    char c = (*text)[i];
    if (c == 'e') {
      long written = strtol(*text + i + 1, NULL, 10);
      /* checked before the addition, which could overflow */
      if (written < -MAX_EXPONENT - MAX_LENGTH || written > MAX_EXPONENT + MAX_LENGTH)
        return false;
      exponent += written;
      break;
    }
    if (c == '.') {
      fraction = true;
    } else {
      digits[used++] = c;
      exponent -= fraction;
    }
  }
  digits[used] = '\0';
  if (labs(exponent) > MAX_EXPONENT)
    return false;
  mpz_t power;
  mpz_init(power);
  mpz_ui_pow_ui(power, 10, (unsigned long)labs(exponent));
  mpz_set_str(mpq_numref(value), digits, 10);
  mpz_set_ui(mpq_denref(value), 1);
  if (exponent < 0)
    mpz_set(mpq_denref(value), power);
  else
    mpz_mul(mpq_numref(value), mpq_numref(value), power);
  mpq_canonicalize(value);
  mpz_clear(power);
  *text += length;
  return true;
}

bool ms_take_unit_rows(const char **text, const ms_result_header *header, uint64_t least,
                       uint64_t *unit, uint64_t *rows)
{
  return ms_take_count(text, UINT64_MAX, unit) && ms_take_word(text, ":") &&
         ms_take_count(text, UINT64_MAX, rows) &&
         (!**text || (ms_take_word(text, " ") && **text)) && *rows > 0 && *unit >= least &&
         *unit < header->division.units &&
         *unit % header->division.parts == header->division.part - 1;
}

bool ms_result_fold_fits(double fold, uint64_t sets, double expected)
{
  const double error = 0.00001; /* of six digits */
  if (!(expected > 0))
    return isnan(fold);
  double right = (double)sets / expected;
  return fabs(fold - right) <= error * right;
}
