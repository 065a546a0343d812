/* Motifs: parsing a text, reading a file, and the canonical text.
 *
 * A text consists of items between commas.  An item is a colour or `*`, with or
 * without double quotes, and may end in `:count`.  An unquoted item is the
 * wildcard if it is `*`; otherwise a colour, if the whole item is a known one
 * (so GO:0006364 needs no quotes); otherwise a colour or `*` and, after
 * the last colon, its count.
 *
 * A line of a file holds a colour, or a colour, a tab and a count.  Colours
 * are never quoted there; `*` is the wildcard.  The reader skips blank lines,
 * and lines that begin with # unless the line names a known colour. */
#include "base/alloc.h"
#include "base/status.h"
#include "graph/io/text.h"
#include "graph/suggest.h"
#include "query/query.h"

#include <stdio.h>
#include <string.h>

void ms_motif_free(ms_motif *motif)
{
  if (!motif)
    return;
  ms_free(motif->text);
  ms_free(motif);
}

uint32_t ms_motif_size(const ms_motif *motif)
{
  if (!motif)
    return 0;
  return motif->k;
}

const char *ms_motif_text(const ms_motif *motif)
{
  if (!motif)
    return NULL;
  return motif->text;
}

/* Adds slots and keeps the classes in the order of colour ids, of which MS_WILDCARD is the
 * largest. */
static ms_status add_slots(ms_motif *motif, uint32_t color, uint32_t count, ms_error *err)
{
  uint32_t at = 0;
  if (motif->k + count > MS_MAX_K)
    return ms_fail(err, MS_ERR_USAGE, "the motif has more than %u slots; ask for fewer vertices",
                   MS_MAX_K);
  motif->k += count;
  while (at < motif->n_classes && motif->class_[at].color < color)
    at++;
  if (at < motif->n_classes && motif->class_[at].color == color) {
    motif->class_[at].count += count;
    return MS_OK;
  }
  memmove(&motif->class_[at + 1], &motif->class_[at],
          (motif->n_classes - at) * sizeof motif->class_[0]);
  motif->class_[at] = (ms_motif_class){color, count};
  motif->n_classes++;
  return MS_OK;
}

/* Parses a plain decimal from 1 to MS_MAX_K; returns 0 for anything else. */
static uint32_t parse_count(ms_field field)
{
  uint32_t count = 0;
  if (field.length == 0 || field.length > 2 || field.text[0] == '0')
    return 0;
  for (size_t i = 0; i < field.length; i++) {
    if (field.text[i] < '0' || field.text[i] > '9')
      return 0;
    count = count * 10 + (uint32_t)(field.text[i] - '0');
  }
  return count <= MS_MAX_K ? count : 0;
}

static ms_status wrong_count(ms_field field, const char *name, size_t length, ms_error *err)
{
  return ms_fail(err, MS_ERR_USAGE, "'%.*s' is not a count for '%.*s'; write a number from 1 to %u",
                 ms_name_clip(field.text, field.length), field.text, ms_name_clip(name, length),
                 name, MS_MAX_K);
}

static ms_status unknown_color(const ms_coloring *coloring, const char *name, size_t length,
                               ms_error *err)
{
  char hint[MS_SUGGEST_BYTES];
  ms_suggest_color(coloring, name, length, hint);
  return ms_fail(err, MS_ERR_USAGE, "unknown colour '%.*s'; %s", ms_name_clip(name, length), name,
                 hint);
}

static bool is_wildcard(ms_field field)
{
  return field.length == 1 && field.text[0] == '*';
}

/* Splits the item at its last colon.  Returns false if there is none. */
static bool split_count(ms_field item, ms_field *name, ms_field *count)
{
  for (size_t at = item.length; at-- > 0;)
    if (item.text[at] == ':') {
      *name = ms_field_trim((ms_field){item.text, at});
      *count = ms_field_trim((ms_field){item.text + at + 1, item.length - at - 1});
      return true;
    }
  return false;
}

static ms_status add_unquoted(ms_motif *motif, const ms_coloring *coloring, ms_field item,
                              ms_error *err)
{
  ms_field name = item, count = {"1", 1};
  if (is_wildcard(item))
    return add_slots(motif, MS_WILDCARD, 1, err);
  bool counted = split_count(item, &name, &count);
  bool wildcard = counted && is_wildcard(name);
  uint32_t color = wildcard ? MS_WILDCARD : ms_coloring_find_text(coloring, item.text, item.length);
  if (!wildcard && color != MS_NO_ID)
    return add_slots(motif, color, 1, err);
  if (counted && !wildcard)
    color = ms_coloring_find_text(coloring, name.text, name.length);
  if (!wildcard && color == MS_NO_ID) {
    /* the unknown colour is "kinaze" in "kinaze:2", but all of "GO:0099999" */
    ms_field shown = counted && name.length > 0 && parse_count(count) ? name : item;
    return unknown_color(coloring, shown.text, shown.length, err);
  }
  uint32_t slots = parse_count(count);
  if (slots == 0)
    return wrong_count(count, name.text, name.length, err);
  return add_slots(motif, color, slots, err);
}

/* Adds a quoted item.  `text` begins after the opening quote; *end receives the place of the comma
 * or of the end. */
static ms_status add_quoted(ms_motif *motif, const ms_coloring *coloring, const char *text,
                            const char **end, ms_error *err)
{
  ms_status status;
  size_t length = 0;
  ms_field count = {"1", 1};
  char *name = ms_alloc(strlen(text) + 1, 1);
  if (!name)
    return ms_fail_memory(err, "a colour name");
  const char *at = text;
  for (; *at && (*at != '"' || at[1] == '"'); at++) {
    at += *at == '"';
    name[length++] = *at;
  }
  if (!*at) {
    status =
        ms_fail(err, MS_ERR_USAGE, "the double quote in front of '%.*s' is not closed; close it",
                ms_name_clip(name, length), name);
    goto done;
  }
  size_t rest = strcspn(++at, ",");
  ms_field tail = ms_field_trim((ms_field){at, rest});
  *end = at + rest;
  if (tail.length > 0 && tail.text[0] != ':') {
    status =
        ms_fail(err, MS_ERR_USAGE,
                "'%.*s' follows the quoted colour '%.*s'; write a colon and a count, or a comma",
                ms_name_clip(tail.text, tail.length), tail.text, ms_name_clip(name, length), name);
    goto done;
  }
  if (tail.length > 0)
    count = ms_field_trim((ms_field){tail.text + 1, tail.length - 1});
  uint32_t color = ms_coloring_find_text(coloring, name, length);
  if (color == MS_NO_ID)
    status = unknown_color(coloring, name, length, err);
  else if (parse_count(count) == 0)
    status = wrong_count(count, name, length, err);
  else
    status = add_slots(motif, color, parse_count(count), err);

done:
  ms_free(name);
  return status;
}

/* Adds the item at *text, and moves *text to the comma that follows it or to the end. */
static ms_status add_item(ms_motif *motif, const ms_coloring *coloring, const char **text,
                          ms_error *err)
{
  const char *at = *text + strspn(*text, " \t");
  if (*at == '"')
    return add_quoted(motif, coloring, at + 1, text, err);
  size_t length = strcspn(at, ",");
  ms_field item = ms_field_trim((ms_field){at, length});
  *text = at + length;
  if (item.length == 0)
    return ms_fail(err, MS_ERR_USAGE,
                   "the motif has an empty item; write colours separated by single commas");
  return add_unquoted(motif, coloring, item, err);
}

/* ---- canonical text ---------------------------------------------------- */

/* True if a name needs quotes: it holds characters that the parser interprets, or the name with
 * its count is itself a known colour. */
static bool needs_quotes(const ms_coloring *coloring, const char *name, const char *item)
{
  size_t length = strlen(name);
  ms_field trimmed = ms_field_trim((ms_field){name, length});
  return trimmed.length != length || length == 0 || strcmp(name, "*") == 0 ||
         strpbrk(name, ",:\"") ||
         (strcmp(name, item) != 0 && ms_coloring_find(coloring, item) != MS_NO_ID);
}

/* Writes the class at `to`, which has room for twice the name and 16 bytes.  Returns the end. */
static char *write_class(const ms_coloring *coloring, ms_motif_class class_, char *to)
{
  const char *name = class_.color == MS_WILDCARD ? "*" : ms_coloring_name(coloring, class_.color);
  char count[16] = "";
  if (class_.count > 1)
    snprintf(count, sizeof count, ":%u", class_.count);
  char *end = stpcpy(stpcpy(to, name), count);
  if (class_.color == MS_WILDCARD || !needs_quotes(coloring, name, to))
    return end;
  *to++ = '"'; /* writes it again, with quotes */
  for (const char *p = name; *p; p++) {
    if (*p == '"')
      *to++ = '"';
    *to++ = *p;
  }
  *to++ = '"';
  return stpcpy(to, count);
}

static ms_status make_text(ms_motif *motif, const ms_coloring *coloring, ms_error *err)
{
  uint32_t *order = motif->in_text; /* sorted by name; the wildcard is last */
  size_t room = 1;
  for (uint32_t i = 0; i < motif->n_classes; i++) {
    uint32_t at = i, color = motif->class_[i].color;
    const char *name = color == MS_WILDCARD ? NULL : ms_coloring_name(coloring, color);
    room += 16 + 2 * (name ? strlen(name) : 1);
    for (; at > 0 && name; at--) {
      const char *before = ms_coloring_name(coloring, motif->class_[order[at - 1]].color);
      if (strcmp(before, name) <= 0)
        break;
      order[at] = order[at - 1];
    }
    order[at] = i;
  }
  motif->text = ms_alloc(room, 1);
  if (!motif->text)
    return ms_fail_memory(err, "a motif's text");
  char *to = motif->text;
  for (uint32_t i = 0; i < motif->n_classes; i++) {
    if (i > 0)
      *to++ = ',';
    to = write_class(coloring, motif->class_[order[i]], to);
  }
  return MS_OK;
}

/* ---- entry points ------------------------------------------------------ */

ms_status ms_motif_parse(const char *text, const ms_coloring *coloring, ms_motif **out,
                         ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(text, err);
  MS_REQUIRE(coloring, err);
  ms_status status = MS_OK;
  if (text[strspn(text, " \t")] == '\0')
    return ms_fail(err, MS_ERR_USAGE, "the motif is empty; name at least one colour");
  ms_motif *motif = ms_calloc(1, sizeof *motif);
  if (!motif)
    return ms_fail_memory(err, "a motif");
  motif->coloring_serial = coloring->serial;
  for (const char *at = text; status == MS_OK; at++) {
    status = add_item(motif, coloring, &at, err);
    if (status == MS_OK && *at == '\0')
      break;
  }
  if (status == MS_OK)
    status = make_text(motif, coloring, err);
  if (status != MS_OK) {
    ms_motif_free(motif);
    return status;
  }
  *out = motif;
  return MS_OK;
}

ms_status ms_motif_from_slots(const uint32_t *color, uint32_t k, const ms_coloring *coloring,
                              ms_motif **out, ms_error *err)
{
  ms_status status = MS_OK;
  *out = NULL;
  ms_motif *motif = ms_calloc(1, sizeof *motif);
  if (!motif)
    return ms_fail_memory(err, "a motif");
  motif->coloring_serial = coloring->serial;
  for (uint32_t i = 0; i < k && status == MS_OK; i++)
    status = add_slots(motif, color[i], 1, err);
  if (status == MS_OK)
    status = make_text(motif, coloring, err);
  if (status == MS_OK)
    *out = motif;
  else
    ms_motif_free(motif);
  return status;
}

static ms_status add_line(ms_motif *motif, const ms_coloring *coloring, const ms_text *text,
                          ms_error *err)
{
  const char *tab = memchr(text->line, '\t', text->length);
  ms_field name = {text->line, tab ? (size_t)(tab - text->line) : text->length}, count = {"1", 1};
  uint32_t color =
      is_wildcard(name) ? MS_WILDCARD : ms_coloring_find_text(coloring, name.text, name.length);
  bool known = color != MS_NO_ID || is_wildcard(name);
  if (!known && (text->line[0] == '#' || strspn(text->line, " \t") == text->length))
    return MS_OK;
  if (!known)
    return unknown_color(coloring, name.text, name.length, err);
  if (tab)
    count = ms_field_trim((ms_field){tab + 1, text->length - name.length - 1});
  if (parse_count(count) == 0)
    return wrong_count(count, name.text, name.length, err);
  return add_slots(motif, color, parse_count(count), err);
}

static ms_status read_lines(ms_motif *motif, const ms_coloring *coloring, ms_text *text,
                            ms_error *err)
{
  for (;;) {
    ms_error reason;
    MS_TRY(ms_text_next(text, err));
    if (!text->line)
      break;
    ms_status status = add_line(motif, coloring, text, &reason);
    if (status == MS_ERR_USAGE)
      return ms_text_fail(text, err,
                          "%s (a line of a motif file is a colour, or a colour, a tab and a count, "
                          "without quotes)",
                          reason.message);
    if (status != MS_OK)
      return ms_fail(err, status, "%s", reason.message);
  }
  if (motif->k == 0)
    return ms_fail(err, MS_ERR_INPUT, "%s: the motif is empty; name at least one colour",
                   text->label);
  return MS_OK;
}

ms_status ms_motif_read(const char *path, const ms_coloring *coloring, ms_motif **out,
                        ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(path, err);
  MS_REQUIRE(coloring, err);
  ms_text *text;
  ms_motif *motif = ms_calloc(1, sizeof *motif);
  if (!motif)
    return ms_fail_memory(err, "a motif");
  motif->coloring_serial = coloring->serial;
  ms_status status = ms_text_open(path, &text, err);
  if (status == MS_OK) {
    status = read_lines(motif, coloring, text, err);
    ms_text_close(text);
  }
  if (status == MS_OK)
    status = make_text(motif, coloring, err);
  if (status != MS_OK) {
    ms_motif_free(motif);
    return status;
  }
  *out = motif;
  return MS_OK;
}
