#include "base/text/format.h"

#include <locale.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

/* The locale "C", made at the first call.  It is never freed: threads may be using it. */
static _Atomic(locale_t) plain_locale;

/* Returns 0, which changes nothing, if memory ran out.  With glibc and musl the locale "C" takes no
 * memory. */
static locale_t get_plain_locale(void)
{
  locale_t known = atomic_load(&plain_locale);
  if (known)
    return known;
  locale_t made = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (made && !atomic_compare_exchange_strong(&plain_locale, &known, made)) {
    freelocale(made); /* another thread was first */
    made = known;
  }
  return made;
}

int ms_format_list(char *text, size_t room, const char *format, va_list args)
{
  locale_t before = uselocale(get_plain_locale());
  int length = vsnprintf(text, room, format, args);
  uselocale(before);
  return length;
}

int ms_format(char *text, size_t room, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  int length = ms_format_list(text, room, format, args);
  va_end(args);
  return length;
}

double ms_read_real(const char *text, char **end)
{
  locale_t before = uselocale(get_plain_locale());
  double value = strtod(text, end);
  uselocale(before);
  return value;
}
