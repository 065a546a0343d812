#include "query/condition.h"

#include "base/alloc.h"
#include "base/ascending.h"
#include "base/status.h"
#include "graph/io/fields.h"
#include "graph/suggest.h"
#include "query/motif_words.h"

#include <stdio.h>
#include <string.h>

/* ---- order ----------------------------------------------------------------------- */

/* A part of an array of literals. */
typedef struct run {
  const ms_literal *literal;
  uint32_t count;
} run;

static int compare_literals(ms_literal a, ms_literal b, const ms_coloring *coloring)
{
  if (a.lacks != b.lacks)
    return a.lacks ? 1 : -1;
  return a.color == b.color
             ? 0
             : strcmp(ms_coloring_name(coloring, a.color), ms_coloring_name(coloring, b.color));
}

static int compare_runs(run a, run b, const ms_coloring *coloring)
{
  for (uint32_t i = 0; i < a.count && i < b.count; i++) {
    int order = compare_literals(a.literal[i], b.literal[i], coloring);
    if (order != 0)
      return order;
  }
  return (a.count > b.count) - (a.count < b.count);
}

/* Returns the alternative that begins at literal[0]. */
static run first_alternative(const ms_literal *literal)
{
  uint32_t count = 1;
  while (!literal[count - 1].last)
    count++;
  return (run){literal, count};
}

int ms_condition_compare(const ms_condition *a, const ms_condition *b, const ms_coloring *coloring)
{
  for (uint32_t i = 0, j = 0;;) {
    if (i == a->count || j == b->count)
      return (i < a->count) - (j < b->count);
    run left = first_alternative(a->literal + i), right = first_alternative(b->literal + j);
    int order = compare_runs(left, right, coloring);
    if (order != 0)
      return order;
    i += left.count;
    j += right.count;
  }
}

/* ---- the normal form ------------------------------------------------------------- */

/* Sorts the literals of an alternative and drops repeated ones.  Returns how many are left.
 * *opposite receives a literal whose opposite is among them. */
static uint32_t sort_literals(ms_literal *literal, uint32_t count, const ms_coloring *coloring,
                              const ms_literal **opposite)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    ms_literal next = literal[i];
    uint32_t at = kept;
    bool repeated = false;
    for (uint32_t j = 0; j < kept; j++) {
      repeated |= literal[j].color == next.color && literal[j].lacks == next.lacks;
      if (literal[j].color == next.color && literal[j].lacks != next.lacks)
        *opposite = &literal[j];
    }
    if (repeated)
      continue;
    for (; at > 0 && compare_literals(literal[at - 1], next, coloring) > 0; at--)
      literal[at] = literal[at - 1];
    literal[at] = next;
    kept++;
  }
  for (uint32_t i = 0; i < kept; i++)
    literal[i].last = i + 1 == kept;
  return kept;
}

/* True if every vertex that meets `a` meets b, because all literals of b are in `a`. */
static bool follows(run a, run b, const ms_coloring *coloring)
{
  uint32_t found = 0;
  for (uint32_t i = 0; i < a.count && found < b.count; i++)
    found += compare_literals(a.literal[i], b.literal[found], coloring) == 0;
  return found == b.count;
}

/* Inserts an alternative into the ascending ones, unless it follows from one of them; drops those
 * that follow from it. */
static void insert(run *sorted, uint32_t *count, run alternative, const ms_coloring *coloring)
{
  uint32_t kept = 0, at;
  for (uint32_t i = 0; i < *count; i++)
    if (follows(alternative, sorted[i], coloring))
      return;
  for (uint32_t i = 0; i < *count; i++)
    if (!follows(sorted[i], alternative, coloring))
      sorted[kept++] = sorted[i];
  for (at = kept; at > 0 && compare_runs(sorted[at - 1], alternative, coloring) > 0; at--)
    sorted[at] = sorted[at - 1];
  sorted[at] = alternative;
  *count = kept + 1;
}

/* Makes a condition of literals, whose `last` end the alternatives; the array is changed. */
static ms_status normalize(ms_literal *literal, uint32_t count, const ms_coloring *coloring,
                           ms_condition **out, ms_error *err)
{
  run sorted[MS_MAX_LITERALS];
  uint32_t alternatives = 0;
  for (uint32_t i = 0; i < count;) {
    const ms_literal *opposite = NULL;
    uint32_t length = first_alternative(literal + i).count;
    run next = {literal + i, sort_literals(literal + i, length, coloring, &opposite)};
    if (opposite) {
      const char *name = ms_coloring_name(coloring, opposite->color);
      return ms_fail(err, MS_ERR_USAGE,
                     "no vertex has the colour '%.*s' and lacks it; leave one of the two out",
                     ms_name_clip(name, strlen(name)), name);
    }
    insert(sorted, &alternatives, next, coloring);
    i += length;
  }
  ms_condition *condition = ms_calloc(1, sizeof *condition + count * sizeof condition->literal[0]);
  if (!condition)
    return ms_fail_memory(err, "a motif");
  for (uint32_t i = 0; i < alternatives; i++) {
    memcpy(condition->literal + condition->count, sorted[i].literal,
           sorted[i].count * sizeof condition->literal[0]);
    condition->count += sorted[i].count;
  }
  *out = condition;
  return MS_OK;
}

void ms_condition_free(ms_condition *condition)
{
  if (!condition)
    return;
  ms_free(condition->text);
  ms_free(condition);
}

static ms_status too_many(ms_error *err)
{
  return ms_fail(err, MS_ERR_USAGE,
                 "a slot of the motif names more than %u colours; name fewer, or use `*`",
                 MS_MAX_LITERALS);
}

ms_status ms_condition_of_colors(const uint32_t *color, uint32_t n, const ms_coloring *coloring,
                                 ms_condition **out, ms_error *err)
{
  ms_literal literal[MS_MAX_LITERALS];
  *out = NULL;
  if (n > MS_MAX_LITERALS)
    return too_many(err);
  for (uint32_t i = 0; i < n; i++)
    literal[i] = (ms_literal){.color = color[i], .last = true};
  return normalize(literal, n, coloring, out, err);
}

/* ---- reading --------------------------------------------------------------------- */

typedef struct reader {
  const ms_coloring *coloring;
  const char *at;
  char *name; /* room for a quoted name */
  ms_literal literal[MS_MAX_LITERALS];
  uint32_t count;
  ms_field slots;
  bool lacks; /* the colour that is read has a ! in front */
} reader;

bool ms_condition_is_meant(ms_field item)
{
  return (item.length > 0 && item.text[0] == '!') || memchr(item.text, '|', item.length) ||
         memchr(item.text, '&', item.length);
}

static void skip_blanks(reader *r)
{
  while (ms_is_blank(*r->at))
    r->at++;
}

static bool is_end(char c)
{
  return c == '\0' || c == ',';
}

/* Reads what follows the closing quote of a name: nothing, or a colon and a count. */
static ms_status read_tail(reader *r, ms_field name, ms_error *err)
{
  skip_blanks(r);
  if (is_end(*r->at) || *r->at == '|' || *r->at == '&')
    return MS_OK;
  ms_field tail = ms_field_trim((ms_field){r->at, strcspn(r->at, ",")});
  if (*r->at != ':')
    return ms_fail(err, MS_ERR_USAGE,
                   "'%.*s' follows the quoted colour '%.*s'; write |, &, a comma, or a colon and a "
                   "count",
                   ms_name_clip(tail.text, tail.length), tail.text,
                   ms_name_clip(name.text, name.length), name.text);
  r->slots = ms_field_trim((ms_field){tail.text + 1, tail.length - 1});
  r->at += strcspn(r->at, ",");
  return MS_OK;
}

static ms_status find(const reader *r, ms_field name, uint32_t *color, ms_error *err)
{
  *color = ms_coloring_find_text(r->coloring, name.text, name.length);
  if (*color != MS_NO_ID || !r->lacks)
    return *color == MS_NO_ID ? ms_fail_color(r->coloring, name, err) : MS_OK;
  char hint[MS_SUGGEST_BYTES];
  ms_suggest_color(r->coloring, name.text, name.length, hint);
  return ms_fail(err, MS_ERR_USAGE,
                 "unknown colour '%.*s' behind !; %s; if no vertex is to have it, leave the "
                 "condition out, which each vertex meets",
                 ms_name_clip(name.text, name.length), name.text, hint);
}

static ms_status read_quoted(reader *r, uint32_t *color, ms_error *err)
{
  size_t length;
  const char *end = ms_read_quoted(r->at + 1, r->name, &length);
  ms_field name = {r->name, length};
  if (!end)
    return ms_fail_quote(name, err);
  r->at = end;
  MS_TRY(read_tail(r, name, err));
  return find(r, name, color, err);
}

static ms_status read_unquoted(reader *r, uint32_t *color, ms_error *err)
{
  ms_field name = ms_field_trim((ms_field){r->at, strcspn(r->at, ",|&")}), bare, count;
  r->at += strcspn(r->at, ",|&");
  if (name.length == 0)
    return ms_fail(err, MS_ERR_USAGE,
                   "a colour is missing beside |, & or !; write one on each side of | and &, and "
                   "one behind !");
  *color = ms_coloring_find_text(r->coloring, name.text, name.length);
  if (*color == MS_NO_ID && is_end(*r->at) && ms_split_count(name, &bare, &count) &&
      (ms_slot_count(count) > 0 ||
       ms_coloring_find_text(r->coloring, bare.text, bare.length) != MS_NO_ID)) {
    r->slots = count;
    name = bare;
  }
  if (ms_is_wildcard(name))
    return ms_fail(err, MS_ERR_USAGE,
                   "'*' is any vertex and stands alone; leave it out, or put the name of a colour "
                   "'*' in double quotes");
  return find(r, name, color, err);
}

/* Reads a colour, with a ! in front or without, and what follows it. */
static ms_status read_literal(reader *r, ms_error *err)
{
  skip_blanks(r);
  uint32_t color = MS_NO_ID;
  r->lacks = *r->at == '!';
  r->at += r->lacks;
  skip_blanks(r);
  if (r->count == MS_MAX_LITERALS)
    return too_many(err);
  MS_TRY(*r->at == '"' ? read_quoted(r, &color, err) : read_unquoted(r, &color, err));
  r->literal[r->count++] = (ms_literal){.color = color, .lacks = r->lacks, .last = *r->at != '&'};
  return MS_OK;
}

static ms_status read_literals(reader *r, ms_error *err)
{
  for (;; r->at++) {
    MS_TRY(read_literal(r, err));
    if (is_end(*r->at))
      return MS_OK;
  }
}

ms_status ms_condition_parse(const char *text, const ms_coloring *coloring, ms_condition **out,
                             ms_field *count, const char **end, ms_error *err)
{
  *out = NULL;
  reader *r = ms_calloc(1, sizeof *r);
  char *name = ms_alloc(strlen(text) + 1, 1);
  ms_status status = MS_OK;
  if (!r || !name) {
    status = ms_fail_memory(err, "a motif");
  } else {
    *r = (reader){.coloring = coloring, .at = text, .name = name, .slots = {"1", 1}};
    status = read_literals(r, err);
  }
  if (status == MS_OK) {
    *count = r->slots;
    *end = r->at;
    status = normalize(r->literal, r->count, coloring, out, err);
  }
  ms_free(r);
  ms_free(name);
  return status;
}

/* ---- writing --------------------------------------------------------------------- */

#define COUNT_BYTES 16u /* room for a colon and a count, and for the end of a text */

/* True if a colour needs quotes in a condition. */
static bool needs_quotes(const char *name)
{
  size_t length = strlen(name);
  return length == 0 || ms_field_trim((ms_field){name, length}).length != length ||
         name[0] == '!' || strcmp(name, "*") == 0 || strpbrk(name, ",:\"|&");
}

static char *put_name(char *to, const char *name, bool quoted)
{
  if (!quoted)
    return stpcpy(to, name);
  *to++ = '"';
  for (; *name; name++) {
    if (*name == '"')
      *to++ = '"';
    *to++ = *name;
  }
  *to++ = '"';
  return to;
}

/* Writes the condition, with quotes around every colour or only where needed, and with `blanks`
 * behind a ! in front.  Returns the end. */
static char *put_condition(const ms_condition *c, const ms_coloring *coloring, bool all_quoted,
                           uint32_t blanks, char *to)
{
  for (uint32_t i = 0; i < c->count; i++) {
    const char *name = ms_coloring_name(coloring, c->literal[i].color);
    if (i > 0)
      *to++ = c->literal[i - 1].last ? '|' : '&';
    if (c->literal[i].lacks)
      *to++ = '!';
    for (uint32_t b = 0; i == 0 && c->literal[0].lacks && b < blanks; b++)
      *to++ = ' ';
    to = put_name(to, name, all_quoted || needs_quotes(name));
  }
  *to = '\0';
  return to;
}

static bool is_color(const ms_coloring *coloring, const char *text)
{
  return ms_coloring_find_text(coloring, text, strlen(text)) != MS_NO_ID;
}

/* True if a text without its count, which ends at `end`, is read as a condition whether the count
 * follows it or not.  There is room for the count behind the end. */
static bool is_read_back(char *text, char *end, const ms_coloring *coloring, uint32_t slots)
{
  uint32_t color, count;
  ms_field item = ms_field_trim((ms_field){text, strcspn(text, ",")});
  bool quoted = text[0] == '"'; /* then it is never read as a colour without quotes */
  if (!quoted &&
      (ms_read_plain_item(item, coloring, NULL, &color, &count) || is_color(coloring, text)))
    return false;
  if (slots == 1)
    return true;
  char *last = end;
  while (last > text && !strchr("|&!", last[-1]))
    last--;
  bool last_quoted = end[-1] == '"'; /* names with a quote are in quotes */
  snprintf(end, COUNT_BYTES, ":%u", slots);
  bool taken = (!quoted && is_color(coloring, text)) || (!last_quoted && is_color(coloring, last));
  *end = '\0';
  return !taken;
}

ms_status ms_condition_write(ms_condition *c, const ms_coloring *coloring, uint32_t slots,
                             ms_error *err)
{
  size_t room = COUNT_BYTES;
  for (uint32_t i = 0; i < c->count; i++)
    room += 2 * strlen(ms_coloring_name(coloring, c->literal[i].color)) + 4;
  /* a known colour may look like the text with quotes, if this begins with !; with one more blank
   * each time, the text is none of them in the end */
  for (uint32_t blanks = 0, tries = 0;; tries++) {
    bool all_quoted = tries > 0;
    blanks = tries > 1 ? tries - 1 : 0;
    char *text = ms_alloc(room + blanks, 1);
    if (!text)
      return ms_fail_memory(err, "a motif's text");
    char *end = put_condition(c, coloring, all_quoted, blanks, text);
    if (is_read_back(text, end, coloring, slots)) {
      ms_free(c->text);
      c->text = text;
      return MS_OK;
    }
    ms_free(text);
  }
}

/* ---- meaning --------------------------------------------------------------------- */

bool ms_condition_is_color(const ms_condition *condition)
{
  return condition->count == 1 && !condition->literal[0].lacks;
}

bool ms_condition_holds(const ms_condition *condition, const uint32_t *colors, uint32_t count)
{
  bool holds = true;
  for (uint32_t i = 0; i < condition->count; i++) {
    ms_literal l = condition->literal[i];
    holds = holds && ms_ascending_has(colors, count, l.color) != l.lacks;
    if (l.last && holds)
      return true;
    holds |= l.last;
  }
  return false;
}

bool ms_condition_is_any_of(const ms_condition *condition)
{
  for (uint32_t i = 0; i < condition->count; i++)
    if (condition->literal[i].lacks || !condition->literal[i].last)
      return false;
  return true;
}

bool ms_condition_names(const ms_condition *condition, uint32_t color)
{
  for (uint32_t i = 0; i < condition->count; i++)
    if (condition->literal[i].color == color)
      return true;
  return false;
}
