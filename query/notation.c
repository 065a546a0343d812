/* The words and blanks of Cypher's notation, and messages about them. */
#include "query/notation.h"

#include "base/status.h"
#include "base/text/format.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN = 20 }; /* greatest number of bytes that a message quotes */

ms_status ms_notation_fail(const ms_notation *p, const char *at, ms_error *err, const char *format,
                           ...)
{
  char text[sizeof err->message];
  unsigned line = 1, column = 1;
  va_list rest;
  for (const char *c = p->text; c < at; c++) {
    line += *c == '\n';
    column = *c == '\n' ? 1 : column + ((*c & 0xC0) != 0x80);
  }
  va_start(rest, format);
  ms_format_list(text, sizeof text, format, rest);
  va_end(rest);
  return ms_fail(err, MS_ERR_USAGE, "%s: line %u, column %u: %s", p->pattern->path, line, column,
                 text);
}

ms_status ms_notation_refuse(const ms_notation *p, ms_error *err, const char *wanted)
{
  size_t found = strcspn(p->at, "\r\n");
  bool whole = found <= SHOWN;
  for (found = whole ? found : SHOWN; !whole && (p->at[found] & 0xC0) == 0x80;)
    found--;
  char text[SHOWN + 8];
  snprintf(text, sizeof text, "'%.*s'", (int)found, p->at);
  return ms_notation_fail(p, p->at, err,
                          "expected %s, found %s; a pattern looks like "
                          "'(a:Gene)-[GiG]-(b:Gene)<-[CbG]-(:Compound)'",
                          wanted,
                          found    ? text
                          : *p->at ? "the end of the line"
                                   : "the end");
}

void ms_notation_skip_blanks(ms_notation *p)
{
  while (*p->at == ' ' || *p->at == '\t' || *p->at == '\r')
    p->at++;
}

bool ms_notation_take(ms_notation *p, const char *word)
{
  ms_notation_skip_blanks(p);
  size_t length = strlen(word);
  if (strncmp(p->at, word, length) != 0)
    return false;
  p->at += length;
  return true;
}

ms_status ms_notation_quoted(ms_notation *p, ms_error *err)
{
  const char *begin = p->at++;
  for (; *p->at && (*p->at != '`' || p->at[1] == '`'); p->at++) {
    p->at += *p->at == '`';
    p->word[p->length++] = *p->at;
  }
  if (*p->at != '`') {
    p->at = begin;
    return ms_notation_refuse(p, err, "a name that ends with the backquote it began with");
  }
  p->at++;
  return MS_OK;
}

void ms_notation_skip_between(ms_notation *p)
{
  for (;;) {
    ms_notation_skip_blanks(p);
    if (*p->at == '#')
      p->at += strcspn(p->at, "\n");
    else if (*p->at == ',' || *p->at == '\n')
      p->at++;
    else
      return;
  }
}
