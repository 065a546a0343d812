/* Text as UTF-8, and how text that may hold anything is shown.
 *
 * A control character is one that acts on a terminal or breaks a line: C0, DEL and C1 (U+0080 to
 * U+009F), the separators U+2028 and U+2029, and the overrides of the writing direction, U+202A to
 * U+202E and U+2066 to U+2069. */
#ifndef MS_BASE_UTF8_H
#define MS_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the length of the character with which text[0..length) begins (RFC 3629: shortest form,
 * no surrogates, at most U+10FFFF); 0: there is none, or it is not UTF-8. */
size_t ms_utf8_character(const char *text, size_t length);
/* Is all of it UTF-8? */
bool ms_is_utf8(const char *text);
/* Is the character text[0..size) a control character? */
bool ms_is_control(const char *text, size_t size);

/* How a byte that is not UTF-8, or a control character, is shown. */
typedef enum ms_escape_style {
  MS_ESCAPE_SHOWN, /* "\x1B", "\u202E"; a byte that is not UTF-8 "\xE4" */
  MS_ESCAPE_JSON   /* "\u001b"; such a byte "\ufffd"; quotes and backslashes as JSON needs them */
} ms_escape_style;

/* Longest escape. */
#define MS_ESCAPE_BYTES 6

/* Writes the character or byte at the front of text[0..length), length > 0, as the style shows it,
 * to out[MS_ESCAPE_BYTES].  Returns the number of bytes that it wrote, and in *taken how many it
 * read. */
size_t ms_escape_character(ms_escape_style style, const char *text, size_t length, char *out,
                           size_t *taken);

/* Writes a text as MS_ESCAPE_SHOWN shows it to out[room], room > 0, with a NUL; what does not fit
 * is left out, in whole characters.  A text that is shown twice looks as if it was shown once. */
void ms_escape(const char *text, char *out, size_t room);

/* Letters of ASCII.  The functions of <ctype.h> and strcasecmp depend on the locale: in Turkish, i
 * and I are different letters. */
static inline bool ms_is_letter(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline char ms_lower(char c)
{
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Do the first `length` bytes of two texts differ only in the case of letters?  Neither is read
 * behind its NUL. */
bool ms_alike(const char *a, const char *b, size_t length);

#endif
