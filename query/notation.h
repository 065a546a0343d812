/* Inside the parser of Cypher's notation (typed_pattern_parse.c): the text and its words, which
 * notation.c takes, and the clauses around the paths of a pattern. */
#ifndef MS_QUERY_NOTATION_H
#define MS_QUERY_NOTATION_H

#include "query/typed_query.h"

typedef struct ms_notation {
  const char *text, *at;
  ms_typed_pattern *pattern;
  uint32_t unnamed;
  char *word; /* [strlen(text) + 1] the current word, without its quotes */
  size_t length;
  bool quoted; /* the word was in backquotes */
} ms_notation;

/* Fails like ms_fail, with the place of `at` in front of the message.  Columns count characters. */
ms_status ms_notation_fail(const ms_notation *p, const char *at, ms_error *err, const char *format,
                           ...) MS_PRINTF(4, 5);

/* Fails because the text has something else than what is wanted here. */
ms_status ms_notation_refuse(const ms_notation *p, ms_error *err, const char *wanted);

void ms_notation_skip_blanks(ms_notation *p);
/* Skips commas, line ends and comments. */
void ms_notation_skip_between(ms_notation *p);
/* Takes the word, after blanks, if it comes next. */
bool ms_notation_take(ms_notation *p, const char *word);
/* Takes a word in backquotes. */
ms_status ms_notation_quoted(ms_notation *p, ms_error *err);

/* ---- clauses (notation_clauses.c) ------------------------------------------- */

extern const char ms_notation_no_where[]; /* the message about WHERE */

/* True if a letter comes next. */
bool ms_notation_at_letter(const ms_notation *p);
/* Takes the keyword, in any case, if it comes next. */
bool ms_notation_keyword(ms_notation *p, const char *keyword);
/* Refuses, by its name, what Cypher has and a pattern has not, if it comes next. */
ms_status ms_notation_refuse_clause(const ms_notation *p, ms_error *err);
/* Reads what follows RETURN.  It changes nothing, since a row has all vertices. */
ms_status ms_notation_read_return(ms_notation *p, ms_error *err);

#endif
