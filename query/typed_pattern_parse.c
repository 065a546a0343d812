/* ms_typed_pattern_parse: parses a pattern in the notation that the query
 * language Cypher has for patterns:
 *
 *   pattern = ['MATCH'] path { (',' | line end) path } ['RETURN' ('*' | name {',' name})] [';']
 *   path    = vertex { edge vertex }
 *   vertex  = '(' [name] [':' types] ')'
 *   edge    = '--' | '-->' | '<--' | '-[' [[name] ':'] [types] ']-' ['>'] | '<-[' .. ']-'
 *   types   = type {'|' [':'] type}
 *
 * In place of ':', GQL and SQL/PGQ have the word IS, which is read as well.
 *
 * RETURN changes nothing: a row has all vertices of the pattern.  The name of an edge has no
 * meaning, and a single word in brackets is a type.
 *
 * A name or type extends to one of ( ) [ ] : | , ` or the line end; blanks around it are removed,
 * and it holds none of { } *.  In backquotes it may hold anything that a name may hold; there ``
 * stands for a backquote, and the mark of an inverse may stand before the backquotes or inside:
 * ^`a|b` is `^a|b`.  '#' between paths begins a comment, up to the end of the line.  A name
 * that was used before means the same vertex again; a vertex without a name is a new one, which is
 * called _1, _2, .. */
#include "base/alloc.h"
#include "base/crc32c.h"
#include "base/status.h"
#include "base/text/utf8.h"
#include "query/notation.h"

#include <string.h>

/* ---- words ----------------------------------------------------------------- */

static const char *first_of(const char *text, size_t length, const char *wanted)
{
  for (size_t i = 0; i < length; i++)
    if (strchr(wanted, text[i]))
      return text + i;
  return NULL;
}

/* Refuses an unquoted word that holds what Cypher has and a pattern has not, and that would be read
 * as a name.  The word begins at `begin`. */
static ms_status refuse_marks(const ms_notation *p, const char *begin, ms_error *err)
{
  const char *mark = first_of(p->word, p->length, "{}*");
  if (mark && *mark == '*')
    return ms_notation_fail(
        p, begin + (mark - p->word), err,
        "'*' stands for paths of any length, which a pattern does not have; write each "
        "length as a pattern of its own, such as (a)--()--(b), or put a name that holds "
        "'*' in backquotes");
  if (mark)
    return ms_notation_fail(
        p, begin + (mark - p->word), err,
        "'%c' belongs to a map of properties, which a pattern does not have; give these "
        "vertices a type or colour of their own, or put a name that holds '%c' in "
        "backquotes",
        *mark, *mark);
  for (size_t i = 1; i + 7 <= p->length; i++)
    if (ms_alike(p->word + i, " where ", 7))
      return ms_notation_fail(p, begin + i + 1, err, "%s", ms_notation_no_where);
  return MS_OK;
}

/* Returns the bytes in front of the word IS, which is no part of a name; the length, if there is
 * none.  `text` may begin with it. */
static size_t find_is(const char *text, size_t length)
{
  for (size_t i = 0; i + 3 <= length; i++)
    if ((i == 0 || strchr(" \t", text[i - 1])) && ms_alike(text + i, "is", 2) &&
        strchr(" \t", text[i + 2]))
      return i;
  return length;
}

/* Takes ':' or IS, behind which types follow. */
static bool take_colon(ms_notation *p)
{
  if (ms_notation_take(p, ":"))
    return true;
  const char *at = p->at;
  return ms_notation_keyword(p, "IS") && at < p->at;
}

/* Takes the next word, which is empty if there is none. */
static ms_status next_word(ms_notation *p, ms_error *err)
{
  p->length = 0;
  ms_notation_skip_blanks(p);
  const char *begin = p->at;
  size_t marks = strspn(p->at, "^");
  bool quoted = p->at[marks] == '`';
  if (quoted) {
    memcpy(p->word, p->at, marks);
    p->length = marks;
    p->at += marks;
    ms_status status = ms_notation_quoted(p, err);
    ms_notation_skip_blanks(p);
    if (status != MS_OK)
      return status;
  } else {
    size_t length = find_is(p->at, strcspn(p->at, "()[]:|,`\n"));
    memcpy(p->word, p->at, length);
    p->at += length;
    while (length > 0 && strchr(" \t\r", p->word[length - 1]))
      length--;
    p->length = length;
  }
  p->quoted = quoted;
  if (!quoted)
    MS_TRY(refuse_marks(p, begin, err));
  /* behind the marks in front of a quote, there has to be a name */
  const char *name = p->word + (quoted ? marks : 0);
  size_t length = p->length - (quoted ? marks : 0);
  const char *problem = length || quoted ? ms_name_problem(name, length) : NULL;
  if (problem)
    return ms_notation_fail(p, begin, err, "the name '%.*s' %s", ms_name_clip(name, length), name,
                            problem);
  return MS_OK;
}

/* ---- vertices -------------------------------------------------------------- */

/* Finds or adds the vertex of the current word; without a word it adds a vertex without a name. */
static ms_status find_vertex(ms_notation *p, uint32_t *v, ms_error *err)
{
  char name[16];
  uint32_t before = p->pattern->n;
  if (p->length)
    return ms_typed_pattern_vertex(p->pattern, p->word, p->length, v, err);
  /* skips names that the text gives to other vertices */
  do {
    size_t length = 1;
    uint32_t digits[10], count = 0;
    for (uint32_t left = ++p->unnamed; left; left /= 10)
      digits[count++] = left % 10;
    name[0] = '_';
    while (count)
      name[length++] = (char)('0' + digits[--count]);
    MS_TRY(ms_typed_pattern_vertex(p->pattern, name, length, v, err));
  } while (p->pattern->n == before);
  return MS_OK;
}

/* Takes the '|' between two types, behind which a ':' may stand. */
static bool take_bar(ms_notation *p)
{
  if (!ms_notation_take(p, "|"))
    return false;
  ms_notation_take(p, ":");
  return true;
}

/* Refuses what GQL has for types and a pattern has not. */
static ms_status refuse_type(const ms_notation *p, ms_error *err)
{
  const char *mark = p->quoted ? NULL : first_of(p->word, p->length, "&");
  if (!p->quoted && p->length > 0 && *p->word == '!')
    mark = p->word;
  if (!p->quoted && p->length == 1 && *p->word == '%')
    mark = p->word;
  if (!mark)
    return MS_OK;
  return ms_notation_fail(
      p, p->at, err,
      "'%c' in '%.*s' is not supported in types of a pattern; %s, or put a name "
      "that holds '%c' in backquotes",
      *mark, ms_name_clip(p->word, p->length), p->word,
      *mark == '%'   ? "leave the type out, which accepts any"
      : *mark == '!' ? "write the types that are accepted, with '|' between them"
                     : "a vertex or edge has one type, so write '|' or one type",
      *mark);
}

/* Reads TYPE|TYPE and adds each type to vertex v or, if v is MS_NO_ID, to the last edge.
 * has_first: the current word is the first type. */
static ms_status read_types(ms_notation *p, uint32_t v, bool has_first, ms_error *err)
{
  ms_status status = MS_OK;
  do {
    if (!has_first)
      status = next_word(p, err);
    has_first = false;
    if (status == MS_OK && p->length == 0)
      return ms_notation_refuse(p, err, "a type");
    if (status == MS_OK)
      status = refuse_type(p, err);
    if (status == MS_OK)
      status = v == MS_NO_ID ? ms_typed_pattern_accept_edge(p->pattern, p->word, p->length, err)
                             : ms_typed_pattern_accept(p->pattern, v, p->word, p->length, err);
  } while (status == MS_OK && take_bar(p));
  return status;
}

/* True if the lists hold the same ids.  No list holds an id twice. */
static bool same_types(const uint32_t *a, uint32_t n_a, const uint32_t *b, uint32_t n_b)
{
  uint32_t common = 0;
  for (uint32_t i = 0; i < n_a; i++)
    for (uint32_t j = 0; j < n_b; j++)
      common += a[i] == b[j];
  return n_a == n_b && common == n_a;
}

/* Reads the types after ':'.  A vertex that already has types must be given the same ones. */
static ms_status read_vertex_types(ms_notation *p, uint32_t v, ms_error *err)
{
  ms_typed_pattern *pattern = p->pattern;
  const char *begin = p->at;
  uint32_t had = pattern->types[v], *before = pattern->type[v];
  pattern->types[v] = 0;
  pattern->type[v] = NULL;
  ms_status status = read_types(p, v, false, err);
  if (status == MS_OK && had && !same_types(before, had, pattern->type[v], pattern->types[v]))
    status = ms_notation_fail(
        p, begin, err,
        "vertex '%s' is given types twice, and they differ; give them once, with '|' "
        "between alternatives",
        ms_names_get(pattern->names, v));
  ms_free(before);
  return status;
}

static ms_status read_vertex(ms_notation *p, uint32_t *v, ms_error *err)
{
  if (!ms_notation_take(p, "("))
    return ms_notation_refuse(p, err, "a vertex such as (a:Gene)");
  ms_status status = next_word(p, err);
  if (status == MS_OK)
    status = find_vertex(p, v, err);
  if (status == MS_OK && take_colon(p))
    status = read_vertex_types(p, *v, err);
  if (status == MS_OK && *p->at == ':')
    return ms_notation_fail(
        p, p->at, err,
        "a vertex cannot be asked for two types at a time; write ':A|B' for a vertex "
        "that has either type, or leave one of them out");
  if (status == MS_OK && !ms_notation_take(p, ")"))
    return ms_notation_refuse(p, err, "')'");
  return status;
}

/* ---- edges ----------------------------------------------------------------- */

typedef struct link {
  bool to_left, to_right, typed;
} link;

/* Reads the part before the types, or the whole edge if it has none. */
static bool begin_edge(ms_notation *p, link *l)
{
  *l = (link){0};
  if (ms_notation_take(p, "<-["))
    return l->to_left = l->typed = true;
  if (ms_notation_take(p, "-["))
    return l->typed = true;
  if (ms_notation_take(p, "<--"))
    l->to_left = true;
  else if (!ms_notation_take(p, "--"))
    return false;
  l->to_right = ms_notation_take(p, ">");
  return true;
}

/* Reads the name, if a ':' follows it, and the types after '[', and the closing bracket. */
static ms_status read_edge_types(ms_notation *p, ms_error *err)
{
  if (ms_notation_take(p, "]"))
    return MS_OK;
  bool has_first = !take_colon(p);
  if (has_first)
    MS_TRY(next_word(p, err));
  if (has_first && p->length > 0 && take_colon(p))
    has_first = false;
  ms_status status = read_types(p, MS_NO_ID, has_first, err);
  return status != MS_OK || ms_notation_take(p, "]") ? status : ms_notation_refuse(p, err, "']'");
}

static ms_status read_edge(ms_notation *p, uint32_t left, ms_error *err)
{
  uint32_t right;
  link l;
  const char *begin = p->at;
  begin_edge(p, &l);
  /* the vertex after the edge is not known yet: the edge is reversed once it is */
  ms_status status = ms_typed_pattern_join(p->pattern, left, left, MS_WAY_ON, err);
  if (status == MS_OK && l.typed)
    status = read_edge_types(p, err);
  if (status == MS_OK && l.typed && !ms_notation_take(p, "-"))
    return ms_notation_refuse(p, err, "'-' after the types of an edge");
  if (status == MS_OK && l.typed)
    l.to_right = ms_notation_take(p, ">");
  if (status == MS_OK && l.to_left && l.to_right)
    return ms_notation_fail(
        p, begin, err,
        "an edge points both ways; leave both arrows out for an edge that may point "
        "either way, or write two edges");
  uint32_t e = p->pattern->edges - 1;
  if (status == MS_OK)
    status = read_vertex(p, &right, err);
  if (status != MS_OK)
    return status;
  ms_typed_pattern_edge *edge = &p->pattern->edge[e];
  edge->from = l.to_left ? right : left;
  edge->to = l.to_left ? left : right;
  edge->way = l.to_left || l.to_right ? MS_WAY_ON : MS_WAY_ANY;
  return MS_OK;
}

static bool at_edge(ms_notation *p)
{
  ms_notation_skip_blanks(p);
  return *p->at == '-' || *p->at == '<';
}

static ms_status read_path(ms_notation *p, ms_error *err)
{
  uint32_t v;
  ms_status status = read_vertex(p, &v, err);
  while (status == MS_OK && at_edge(p)) {
    link l;
    const char *begin = p->at;
    if (!begin_edge(p, &l))
      return ms_notation_refuse(p, err, "an edge such as -[GiG]- or -->");
    p->at = begin;
    status = read_edge(p, v, err);
    if (status == MS_OK) { /* the last vertex read */
      const ms_typed_pattern_edge *edge = &p->pattern->edge[p->pattern->edges - 1];
      v = edge->from == v ? edge->to : edge->from;
    }
  }
  return status;
}

/* ---- entry points ---------------------------------------------------------- */

static ms_status read_all(ms_notation *p, ms_error *err)
{
  ms_notation_skip_between(p);
  if (ms_notation_keyword(p, "MATCH"))
    ms_notation_skip_between(p);
  while (*p->at == '(') {
    MS_TRY(read_path(p, err));
    ms_notation_skip_blanks(p);
    if (*p->at && !strchr(",\n#;", *p->at) && !ms_notation_at_letter(p))
      return ms_notation_refuse(p, err, "an edge, a comma or the end");
    ms_notation_skip_between(p);
  }
  MS_TRY(ms_notation_refuse_clause(p, err));
  if (p->pattern->n == 0)
    return ms_notation_refuse(p, err, "a vertex such as (a:Gene)");
  if (ms_notation_keyword(p, "RETURN"))
    MS_TRY(ms_notation_read_return(p, err));
  if (ms_notation_take(p, ";"))
    ms_notation_skip_between(p);
  return *p->at ? ms_notation_refuse(p, err, "an edge, a comma or the end") : MS_OK;
}

ms_status ms_typed_pattern_of_text(const char *text, const char *path, ms_typed_pattern **out,
                                   ms_error *err)
{
  ms_notation p = {.text = text, .at = text};
  size_t length = strlen(text);
  *out = NULL;
  if (!ms_is_utf8(text))
    return ms_fail(err, MS_ERR_USAGE, "%s: the pattern is not UTF-8; write it in UTF-8", path);
  MS_TRY(ms_typed_pattern_new(path, &p.pattern, err));
  p.word = ms_alloc(length + 1, 1);
  p.pattern->crc32c = ms_crc32c(0, text, length);
  ms_status status = p.word ? read_all(&p, err) : ms_fail_memory(err, "a typed pattern");
  ms_free(p.word);
  if (status != MS_OK) {
    ms_typed_pattern_free(p.pattern);
    return status;
  }
  *out = p.pattern;
  return MS_OK;
}

ms_status ms_typed_pattern_parse(const char *text, ms_typed_pattern **out, ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(text, err);
  MS_TRY(ms_typed_pattern_of_text(text, "the pattern", out, err));
  (*out)->text = ms_strdup(text);
  if ((*out)->text)
    return MS_OK;
  ms_typed_pattern_free(*out);
  *out = NULL;
  return ms_fail_memory(err, "a typed pattern");
}
