/* Numbers as text, the same in every locale.
 *
 * A program that uses the library may have chosen a locale whose decimal sign is a comma.  Files,
 * JSON and messages have a point all the same.  So real numbers are read and printed here, under
 * the locale "C" of the calling thread; tests/arrows.sh refuses strtod, scanf, and printf of real
 * numbers everywhere else. */
#ifndef MS_BASE_FORMAT_H
#define MS_BASE_FORMAT_H

#include "motifsieve.h"

#include <stdarg.h>
#include <stddef.h>

/* These two are snprintf and vsnprintf. */
int ms_format(char *text, size_t room, const char *format, ...) MS_PRINTF(3, 4);
int ms_format_list(char *text, size_t room, const char *format, va_list args);
/* Formats a text of any length: into small[room] if it fits there, else into a new block, which the
 * caller frees.  Returns the text, and its length; NULL: no memory. */
char *ms_format_any(char *small, size_t room, size_t *length, const char *format, va_list args);

/* Is strtod. */
double ms_read_real(const char *text, char **end);

#endif
