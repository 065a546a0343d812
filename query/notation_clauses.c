/* What stands around the paths of a pattern in Cypher's notation: MATCH, RETURN, and the clauses
 * that a pattern does not have, which are refused by name. */
#include "base/status.h"
#include "base/text/utf8.h"
#include "query/notation.h"

#include <string.h>

const char ms_notation_no_where[] =
    "WHERE is not supported; restrict the vertices by types or colours, as in "
    "(a:Gene), or filter the rows of the result";

static bool is_word_byte(char c)
{
  return ms_is_letter(c) || (c >= '0' && c <= '9') || c == '_' || (c & 0x80);
}

bool ms_notation_at_letter(const ms_notation *p)
{
  return ms_is_letter(*p->at);
}

/* Returns the length of the keyword if the text begins with it, in any case, else 0. */
static size_t keyword_length(const char *text, const char *keyword)
{
  size_t length = strlen(keyword);
  return ms_alike(text, keyword, length) && !is_word_byte(text[length]) ? length : 0;
}

bool ms_notation_keyword(ms_notation *p, const char *keyword)
{
  size_t length = keyword_length(p->at, keyword);
  p->at += length;
  return length > 0;
}

/* Refuses, by its name, what Cypher has and a pattern has not. */
ms_status ms_notation_refuse_clause(const ms_notation *p, ms_error *err)
{
  static const char sorted[] = "is not supported; sort or cut the rows of the result";
  static const struct {
    const char *keyword, *message;
  } clauses[] = {{"OPTIONAL",
                  "MATCH is not supported, because every vertex of a pattern has to be present; "
                  "leave that part out, or search inexactly"},
                 {"MATCH", "may stand only once, in front; join its paths with commas"},
                 {"WITH", "is not supported; search for each pattern by itself"},
                 {"UNION", "is not supported; search for each pattern by itself"},
                 {"CALL", "is not supported; search for each pattern by itself"},
                 {"UNWIND", "is not supported; search for each pattern by itself"},
                 {"CREATE", "is not supported; graphs are only read, so begin with MATCH"},
                 {"MERGE", "is not supported; graphs are only read, so begin with MATCH"},
                 {"DELETE", "is not supported; graphs are only read"},
                 {"SET", "is not supported; graphs are only read"},
                 {"LIMIT", "is not supported; leave it out, and give `limit`"},
                 {"ORDER", sorted},
                 {"SKIP", sorted},
                 {"shortestPath", "is not supported; 'motifsieve path' finds shortest paths"},
                 {"allShortestPaths", "is not supported; 'motifsieve path' finds a shortest path"}};
  if (keyword_length(p->at, "WHERE"))
    return ms_notation_fail(p, p->at, err, "%s", ms_notation_no_where);
  for (size_t i = 0; i < sizeof clauses / sizeof *clauses; i++)
    if (keyword_length(p->at, clauses[i].keyword))
      return ms_notation_fail(p, p->at, err, "%s %s", clauses[i].keyword, clauses[i].message);
  const char *at = p->at;
  while (is_word_byte(*at))
    at++;
  at += strspn(at, " \t");
  if (ms_notation_at_letter(p) && *at == '=')
    return ms_notation_fail(p, p->at, err, "a path cannot have a name; leave '%.*s' out",
                            ms_name_clip(p->at, (size_t)(at + 1 - p->at)), p->at);
  return MS_OK;
}

/* Takes one name after RETURN and checks that it is one of the pattern's vertices. */
static ms_status read_returned(ms_notation *p, ms_error *err)
{
  const char *begin = p->at;
  p->length = 0;
  if (*p->at == '`')
    MS_TRY(ms_notation_quoted(p, err));
  else
    while (is_word_byte(*p->at))
      p->word[p->length++] = *p->at++;
  bool known = ms_names_find(p->pattern->names, p->word, p->length) != MS_NO_ID;
  if (known && strchr(" \t\r\n,;#", *p->at))
    return MS_OK;
  size_t length = strcspn(begin, " \t\r\n,;");
  return ms_notation_fail(
      p, begin, err,
      "RETURN takes names of the pattern's vertices, or *, not '%.*s'; leave RETURN "
      "out: a row has all vertices (`count_only` counts the rows)",
      ms_name_clip(begin, length), begin);
}

/* Reads what follows RETURN.  It changes nothing, since a row has all vertices. */
ms_status ms_notation_read_return(ms_notation *p, ms_error *err)
{
  ms_notation_skip_blanks(p);
  if (!ms_notation_take(p, "*"))
    do {
      ms_notation_skip_blanks(p);
      MS_TRY(read_returned(p, err));
      ms_notation_skip_blanks(p);
    } while (ms_notation_take(p, ","));
  ms_notation_skip_between(p);
  return ms_notation_refuse_clause(p, err);
}

bool ms_is_notation(const char *text)
{
  text += strspn(text, " \t\r\n");
  size_t length = keyword_length(text, "OPTIONAL") + keyword_length(text, "MATCH");
  if (*text == '(' || length == 0)
    return *text == '(';
  const char *next = text + length + strspn(text + length, " \t\r\n");
  size_t word = 0;
  while (is_word_byte(next[word]))
    word++;
  return *next == '(' ||
         (next > text + length && word > 0 &&
          (next[word] == '(' || next[word + strspn(next + word, " \t")] == '=')) ||
         keyword_length(next, "MATCH");
}
