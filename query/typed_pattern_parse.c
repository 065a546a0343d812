/* ms_typed_pattern_parse: parses a pattern in the notation that the query
 * language Cypher has for patterns:
 *
 *   pattern = path { (',' | line end) path }
 *   path    = vertex { edge vertex }
 *   vertex  = '(' [name] [':' type {'|' type}] ')'
 *   edge    = '--' | '-->' | '<--' | '-[' [':'] [type {'|' type}] ']-' ['>'] | '<-[' .. ']-'
 *
 * A name or type extends to one of ( ) [ ] : | , ` or the line end; blanks around it are removed,
 * and it holds none of { } *.  In backquotes it may hold anything that a name may hold; there ``
 * stands for a backquote.  '#' between paths begins a comment, up to the end of the line.  A name
 * that was used before means the same vertex again; a vertex without a name is a new one, which is
 * called _1, _2, .. */
#include "base/alloc.h"
#include "base/crc32c.h"
#include "base/status.h"
#include "query/typed_query.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct parser {
  const char *text, *at;
  ms_typed_pattern *pattern;
  uint32_t unnamed;
  char *word; /* [strlen(text) + 1] the current word, without its quotes */
  size_t length;
} parser;

/* ---- words ----------------------------------------------------------------- */

enum { SHOWN = 20 }; /* greatest number of bytes that a message quotes */

/* Fails like ms_fail, with the place of `at` in front of the message.  Columns count characters. */
MS_PRINTF(4, 5)
static ms_status fail_at(const parser *p, const char *at, ms_error *err, const char *format, ...)
{
  char text[sizeof err->message];
  unsigned line = 1, column = 1;
  va_list rest;
  for (const char *c = p->text; c < at; c++) {
    line += *c == '\n';
    column = *c == '\n' ? 1 : column + ((*c & 0xC0) != 0x80);
  }
  va_start(rest, format);
  vsnprintf(text, sizeof text, format, rest);
  va_end(rest);
  return ms_fail(err, MS_ERR_USAGE, "%s: line %u, column %u: %s", p->pattern->path, line, column,
                 text);
}

static ms_status refuse(const parser *p, ms_error *err, const char *wanted)
{
  size_t found = strcspn(p->at, "\r\n");
  bool whole = found <= SHOWN;
  for (found = whole ? found : SHOWN; !whole && (p->at[found] & 0xC0) == 0x80;)
    found--;
  char text[SHOWN + 8];
  snprintf(text, sizeof text, "'%.*s'", (int)found, p->at);
  return fail_at(p, p->at, err,
                 "expected %s, found %s; a pattern looks like "
                 "'(a:Gene)-[GiG]-(b:Gene)<-[CbG]-(:Compound)'",
                 wanted,
                 found    ? text
                 : *p->at ? "the end of the line"
                          : "the end");
}

static void skip_blanks(parser *p)
{
  while (*p->at == ' ' || *p->at == '\t' || *p->at == '\r')
    p->at++;
}

static bool take(parser *p, const char *word)
{
  skip_blanks(p);
  size_t length = strlen(word);
  if (strncmp(p->at, word, length) != 0)
    return false;
  p->at += length;
  return true;
}

static ms_status quoted_word(parser *p, ms_error *err)
{
  const char *begin = p->at++;
  for (; *p->at && (*p->at != '`' || p->at[1] == '`'); p->at++) {
    p->at += *p->at == '`';
    p->word[p->length++] = *p->at;
  }
  if (*p->at != '`') {
    p->at = begin;
    return refuse(p, err, "a name that ends with the backquote it began with");
  }
  p->at++;
  return MS_OK;
}

static const char *first_of(const char *text, size_t length, const char *wanted)
{
  for (size_t i = 0; i < length; i++)
    if (strchr(wanted, text[i]))
      return text + i;
  return NULL;
}

/* Takes the next word, which is empty if there is none. */
static ms_status next_word(parser *p, ms_error *err)
{
  p->length = 0;
  skip_blanks(p);
  const char *begin = p->at;
  if (*p->at == '`') {
    ms_status status = quoted_word(p, err);
    skip_blanks(p);
    if (status != MS_OK)
      return status;
  } else {
    size_t length = strcspn(p->at, "()[]:|,`\n");
    memcpy(p->word, p->at, length);
    p->at += length;
    while (length > 0 && strchr(" \t\r", p->word[length - 1]))
      length--;
    p->length = length;
  }
  /* otherwise Cypher's properties and paths of any length would be read as names */
  const char *mark = *begin == '`' ? NULL : first_of(p->word, p->length, "{}*");
  if (mark)
    return fail_at(p, begin + (mark - p->word), err,
                   "'%c' has no meaning here: a pattern has no properties, and no edges that stand "
                   "for several; put a name that holds it in backquotes",
                   *mark);
  bool given = p->length || *begin == '`';
  const char *problem = given ? ms_name_problem(p->word, p->length) : NULL;
  if (problem)
    return fail_at(p, begin, err, "the name '%.*s' %s", ms_name_clip(p->word, p->length), p->word,
                   problem);
  return MS_OK;
}

/* ---- vertices -------------------------------------------------------------- */

/* Finds or adds the vertex of the current word; without a word it adds a vertex without a name. */
static ms_status find_vertex(parser *p, uint32_t *v, ms_error *err)
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

/* Reads TYPE|TYPE and adds each type to vertex v or, if v is MS_NO_ID, to the last edge. */
static ms_status read_types(parser *p, uint32_t v, ms_error *err)
{
  ms_status status;
  do {
    status = next_word(p, err);
    if (status == MS_OK && p->length == 0)
      return refuse(p, err, "a type");
    if (status == MS_OK)
      status = v == MS_NO_ID ? ms_typed_pattern_accept_edge(p->pattern, p->word, p->length, err)
                             : ms_typed_pattern_accept(p->pattern, v, p->word, p->length, err);
  } while (status == MS_OK && take(p, "|"));
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
static ms_status read_vertex_types(parser *p, uint32_t v, ms_error *err)
{
  ms_typed_pattern *pattern = p->pattern;
  const char *begin = p->at;
  uint32_t had = pattern->types[v], *before = pattern->type[v];
  pattern->types[v] = 0;
  pattern->type[v] = NULL;
  ms_status status = read_types(p, v, err);
  if (status == MS_OK && had && !same_types(before, had, pattern->type[v], pattern->types[v]))
    status = fail_at(p, begin, err,
                     "vertex '%s' is given types twice, and they differ; give them once, with '|' "
                     "between alternatives",
                     ms_names_get(pattern->names, v));
  ms_free(before);
  return status;
}

static ms_status read_vertex(parser *p, uint32_t *v, ms_error *err)
{
  if (!take(p, "("))
    return refuse(p, err, "a vertex such as (a:Gene)");
  ms_status status = next_word(p, err);
  if (status == MS_OK)
    status = find_vertex(p, v, err);
  if (status == MS_OK && take(p, ":"))
    status = read_vertex_types(p, *v, err);
  if (status == MS_OK && !take(p, ")"))
    return refuse(p, err, "')'");
  return status;
}

/* ---- edges ----------------------------------------------------------------- */

typedef struct link {
  bool to_left, to_right, typed;
} link;

/* Reads the part before the types, or the whole edge if it has none. */
static bool begin_edge(parser *p, link *l)
{
  *l = (link){0};
  if (take(p, "<-["))
    return l->to_left = l->typed = true;
  if (take(p, "-["))
    return l->typed = true;
  if (take(p, "<--"))
    l->to_left = true;
  else if (!take(p, "--"))
    return false;
  l->to_right = take(p, ">");
  return true;
}

/* Reads the types after '[', and the closing bracket. */
static ms_status read_edge_types(parser *p, ms_error *err)
{
  if (take(p, "]"))
    return MS_OK;
  take(p, ":");
  ms_status status = read_types(p, MS_NO_ID, err);
  return status != MS_OK || take(p, "]") ? status : refuse(p, err, "']'");
}

static ms_status read_edge(parser *p, uint32_t left, ms_error *err)
{
  uint32_t right;
  link l;
  const char *begin = p->at;
  begin_edge(p, &l);
  /* the vertex after the edge is not known yet: the edge is reversed once it is */
  ms_status status = ms_typed_pattern_join(p->pattern, left, left, MS_WAY_ON, err);
  if (status == MS_OK && l.typed)
    status = read_edge_types(p, err);
  if (status == MS_OK && l.typed && !take(p, "-"))
    return refuse(p, err, "'-' after the types of an edge");
  if (status == MS_OK && l.typed)
    l.to_right = take(p, ">");
  if (status == MS_OK && l.to_left && l.to_right)
    return fail_at(p, begin, err,
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

static bool at_edge(parser *p)
{
  skip_blanks(p);
  return *p->at == '-' || *p->at == '<';
}

static ms_status read_path(parser *p, ms_error *err)
{
  uint32_t v;
  ms_status status = read_vertex(p, &v, err);
  while (status == MS_OK && at_edge(p)) {
    link l;
    const char *begin = p->at;
    if (!begin_edge(p, &l))
      return refuse(p, err, "an edge such as -[GiG]- or -->");
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

/* Skips commas, line ends and comments. */
static void skip_between(parser *p)
{
  for (;;) {
    skip_blanks(p);
    if (*p->at == '#')
      p->at += strcspn(p->at, "\n");
    else if (*p->at == ',' || *p->at == '\n')
      p->at++;
    else
      return;
  }
}

static ms_status read_all(parser *p, ms_error *err)
{
  ms_status status = MS_OK;
  for (skip_between(p); *p->at && status == MS_OK; skip_between(p)) {
    status = read_path(p, err);
    skip_blanks(p);
    if (status == MS_OK && *p->at && !strchr(",\n#", *p->at))
      return refuse(p, err, "an edge, a comma or the end");
  }
  if (status == MS_OK && p->pattern->n == 0)
    return refuse(p, err, "a vertex such as (a:Gene)");
  return status;
}

ms_status ms_typed_pattern_of_text(const char *text, const char *path, ms_typed_pattern **out,
                                   ms_error *err)
{
  parser p = {.text = text, .at = text};
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
  return ms_typed_pattern_of_text(text, "the pattern", out, err);
}
