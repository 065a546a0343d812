/* The syntax that all formats share: refusals, checksums, lines, and the values of fields. */
#include "verify/reader/result.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/text/format.h"
#include "base/text/utf8.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

ms_status ms_result_refuse(ms_result *r, uint64_t line, const char *format, ...)
{
  char text[sizeof r->problem];
  size_t used = 0;
  va_list args;
  if (line)
    used = (size_t)snprintf(text, sizeof text, "line %llu: ", (unsigned long long)line);
  va_start(args, format);
  ms_format_list(text + used, sizeof text - used, format, args);
  va_end(args);
  ms_escape(text, r->problem, sizeof r->problem);
  r->refused = true;
  return MS_ERR_INPUT;
}

ms_status ms_result_refuse_cut(ms_result *r)
{
  r->settled = true;
  return ms_result_refuse(r, 0, "the file was cut off: it does not end as it should");
}

ms_status ms_result_check_crc32c(ms_result *r, uint32_t actual, uint32_t stated)
{
  r->settled = true;
  if (actual == stated)
    return MS_OK;
  return ms_result_refuse(
      r, 0, "the file was changed or damaged: its CRC-32C is %08x, but its end says %08x", actual,
      stated);
}

/* ---- lines -------------------------------------------------------------------------- */

ms_status ms_result_take_line(ms_result *r, char **line, ms_error *err)
{
  size_t length;
  MS_TRY(ms_tape_next_line(r->tape, line, &length, err));
  if (!*line || r->tape->cut)
    return ms_result_refuse_cut(r);
  r->row.line = r->tape->line;
  if (strlen(*line) != length)
    return ms_result_refuse(r, r->tape->line,
                            "the line holds a NUL byte, which no result file does");
  return MS_OK;
}

ms_status ms_result_drain_lines(ms_result *r, bool (*is_end)(const char *line, uint32_t *crc),
                                ms_error *err)
{
  uint32_t stated = r->end_crc32c;
  bool ended = r->at_end;
  char *line;
  size_t length;
  MS_TRY(ms_tape_next_line(r->tape, &line, &length, err));
  while (line) {
    ended = is_end(line, &stated) && !r->tape->cut;
    MS_TRY(ms_tape_next_line(r->tape, &line, &length, err));
  }
  return ended ? ms_result_check_crc32c(r, r->tape->before_line, stated) : ms_result_refuse_cut(r);
}

ms_status ms_result_check_end(ms_result *r, uint32_t stated, ms_error *err)
{
  const ms_result_header *h = &r->header;
  bool has_next = h->has & MS_HAS_SECTIONS && h->section < h->sections;
  char *bytes;
  size_t left;
  MS_TRY(ms_tape_peek(r->tape, 1, &bytes, &left, err));
  bool cut_short = h->status == MS_RESULT_TIME || h->status == MS_RESULT_INTERRUPTED;
  r->ended_early = has_next && left == 0;
  if (r->ended_early && !cut_short)
    return ms_result_refuse_cut(r);
  if (has_next)
    return ms_result_check_crc32c(r, r->tape->before_line, stated);
  return left > 0 ? ms_result_refuse(r, r->tape->line + 1, "lines follow the last one")
                  : ms_result_check_crc32c(r, r->tape->before_line, stated);
}

ms_status ms_result_check_sums(ms_result *r)
{
  for (uint32_t i = 0; i < MS_PERMUTED_SUMS; i++) {
    const char *sum = r->header.chance.sum[i], *digits = sum + (i == 0 && sum[0] == '-');
    size_t length = strspn(digits, "0123456789");
    if (length == 0 || length > 39 || digits[length])
      return ms_result_refuse(r, r->header.line[MS_PART_NULL],
                              "the sums of permutations must be whole numbers");
  }
  return MS_OK;
}

ms_status ms_result_split_path(ms_result *r, uint32_t vertices)
{
  ms_result_path *path = &r->row.path;
  if (vertices != (uint64_t)path->length + 1 || r->n_names - vertices != path->length)
    return ms_result_refuse(
        r, r->row.line, "a path of length %u has as many types, and one vertex more", path->length);
  path->vertices = r->names;
  path->types = r->names + vertices;
  return MS_OK;
}

ms_status ms_result_keep_text(ms_result *r, const char *text, size_t *used, ms_error *err)
{
  size_t length = strlen(text) + 1;
  if (!MS_GROW(r->match, r->match_room, *used, length))
    return ms_fail_memory(err, "the rows of a match");
  memcpy(r->match + *used, text, length);
  *used += length;
  return MS_OK;
}

/* ---- fields ------------------------------------------------------------------------- */

ms_status ms_result_find_kind(ms_result *r, const char *command,
                              bool (*has)(const ms_result *result, const char *section,
                                          const char *key))
{
  static const ms_result_kind kinds[] = {MS_KIND_SCREEN, MS_KIND_LIST,       MS_KIND_PATTERN,
                                         MS_KIND_CENSUS, MS_KIND_COMPARISON, MS_KIND_COMPONENTS,
                                         MS_KIND_PATH,   MS_KIND_MINED};
  static const struct {
    const char *section, *key;
    unsigned means;
  } marks[] = {{"graph", "keep_taxon", MS_HAS_PLAIN},
               {NULL, "colors", MS_HAS_COLORS},
               {"pattern", "crc32c", MS_HAS_PATTERN_FILE},
               {"pattern", "text", MS_HAS_PATTERN_TEXT},
               {NULL, "engine", MS_HAS_NO_ORDER},
               {NULL, "order", MS_HAS_SEARCH_ORDER},
               {NULL, "section", MS_HAS_SECTIONS},
               {NULL, "sampled", MS_HAS_SAMPLE},
               {NULL, "null", MS_HAS_PERMUTATIONS},
               {NULL, "swaps_accepted", MS_HAS_SWAPS},
               {NULL, "significance", MS_HAS_SIGNIFICANCE},
               {NULL, "part", MS_HAS_PART},
               {NULL, "counted", MS_HAS_COUNTED},
               {NULL, "shown", MS_HAS_SHOWN},
               {NULL, "shapes", MS_HAS_SHAPES}};
  /* of the kinds of a command, those that a key tells from the first one */
  static const struct {
    ms_result_kind from;
    const char *key;
    ms_result_kind to;
  } kinds_by_key[] = {{MS_KIND_CENSUS, "per_vertex", MS_KIND_VERTEX_CENSUS},
                      {MS_KIND_COMPARISON, "per_sample", MS_KIND_SAMPLE_COUNTS},
                      {MS_KIND_LIST, "participation", MS_KIND_PARTICIPATION},
                      {MS_KIND_LIST, "statistic", MS_KIND_CHANCE},
                      {MS_KIND_LIST, "max_missing", MS_KIND_NEAREST_LIST},
                      {MS_KIND_SCREEN, "pattern", MS_KIND_FLAGS},
                      {MS_KIND_SCREEN, "max_missing", MS_KIND_NEAREST},
                      {MS_KIND_FLAGS, "kind", MS_KIND_TYPED_FLAGS},
                      {MS_KIND_PATTERN, "kind", MS_KIND_TYPED},
                      {MS_KIND_PATTERN, "participation", MS_KIND_PATTERN_PARTICIPATION},
                      {MS_KIND_TYPED, "participation", MS_KIND_TYPED_PARTICIPATION},
                      {MS_KIND_PATTERN, "patterns", MS_KIND_PATTERNS}};
  ms_result_header *h = &r->header;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(command, ms_result_command(kinds[i])) == 0)
      h->kind = kinds[i];
  bool is_table = has(r, NULL, "motifs");
  if (!h->kind)
    return ms_result_refuse(r, r->first_line, "the header's command cannot be read");
  if (h->kind == MS_KIND_LIST && has(r, NULL, "pattern"))
    return ms_result_refuse(r, r->first_line, "a result of %s has no pattern",
                            ms_result_command(h->kind));
  if (is_table && r->reads_all)
    h->kind = h->kind == MS_KIND_LIST ? MS_KIND_LISTS : MS_KIND_SCREENS;
  else if (is_table)
    return ms_result_refuse(r, 0,
                            "this is the table of many motifs, which holds no rows to check; "
                            "verify the file that `rows_path` names");
  for (size_t i = 0; i < sizeof kinds_by_key / sizeof *kinds_by_key; i++)
    if (h->kind == kinds_by_key[i].from && has(r, NULL, kinds_by_key[i].key))
      h->kind = kinds_by_key[i].to;
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
    if (has(r, marks[i].section, marks[i].key))
      h->has |= marks[i].means;
  const uint32_t permuted_part = MS_HAS_PART | MS_HAS_PERMUTATIONS;
  if (h->kind == MS_KIND_CHANCE && (h->has & permuted_part) != permuted_part)
    return ms_result_refuse(r, r->first_line,
                            "a result of list with a statistic is a part of permutations");
  /* TSV does not tell a text from a path, but only a file has a format */
  if ((h->kind & MS_KINDS_PLAIN_PATTERN) && (h->has & MS_HAS_PATTERN_FILE) &&
      !has(r, "pattern", "format"))
    h->has |= MS_HAS_PATTERN_TEXT;
  /* the graphs of other kinds are plain, and motifs consist of colours */
  if (!(h->kind & (MS_KINDS_TYPED | MS_KIND_PATH)))
    h->has |= MS_HAS_PLAIN | (h->kind & (MS_KINDS_WITH_PLAIN_PATTERNS | MS_KIND_COMPONENTS) ||
                                      h->has & MS_HAS_SHAPES
                                  ? 0
                                  : MS_HAS_COLORS);
  return MS_OK;
}

/* Parses "PATH crc32c=CRC".  The path ends at the last " crc32c=", since it may itself hold blanks
 * and equal signs. */
static bool parse_file(char *text, ms_result_file *file)
{
  static const char label[] = " crc32c=";
  char *last = NULL;
  for (char *p = text; (p = strstr(p, label)); p++)
    last = p;
  if (!last)
    return false;
  *last = '\0';
  file->path = text;
  const char *rest = last + strlen(label);
  return ms_take_crc32c(&rest, &file->crc32c) && !*rest;
}

char *ms_result_take_listed(char **at)
{
  char *name = *at, *from = *at, *to = *at;
  bool quoted = *from == '"';
  if (quoted) {
    for (from++; *from && (*from != '"' || from[1] == '"'); from++) {
      from += *from == '"';
      *to++ = *from;
    }
    if (*from++ != '"')
      return NULL;
  } else {
    from += strcspn(from, ",");
    to = from;
  }
  if (*from != ',' && *from != '\0')
    return NULL;
  *at = *from ? from + 1 : NULL;
  *to = '\0';
  return name;
}

static bool parse_names(char *text, const char **names, uint32_t most, uint32_t *count)
{
  for (*count = 0; text; ++*count) {
    char *name = ms_result_take_listed(&text);
    if (!name || *count == most)
      return false;
    names[*count] = name;
  }
  return true;
}

static bool parse_number(const char *text, uint64_t least, uint64_t most, uint64_t *number)
{
  return ms_take_count(&text, most, number) && !*text && *number >= least;
}

static bool parse_word(ms_result_header *h, const ms_result_field *field, const char *word)
{
  uint32_t *value = (void *)((char *)h + field->at);
  bool ok = ms_result_find_word(field->words, word, value);
  if (value == (uint32_t *)&h->mode && h->mode == MS_MODE_SCREENED)
    h->has |= MS_HAS_SCREEN; /* the fields of the sieve are also required */
  return ok && (*value || !field->optional);
}

/* Fields "A of B": A of the first is at most B of the second, which a header has behind it. */
static const struct {
  size_t part, whole;
} shares[] = {
    {offsetof(ms_result_header, division.part), offsetof(ms_result_header, division.parts)},
    {offsetof(ms_result_header, section), offsetof(ms_result_header, sections)},
    {offsetof(ms_result_header, repetitions), offsetof(ms_result_header, repetitions_planned)},
    {offsetof(ms_result_header, sample.rows), offsetof(ms_result_header, sample.from)},
    {offsetof(ms_result_header, permutations.done),
     offsetof(ms_result_header, permutations.asked)}};

bool ms_result_accepts(const ms_result_header *header, const ms_result_field *field,
                       uint64_t number)
{
  for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
    if (shares[i].whole == field->at) {
      const void *part = (const char *)header + shares[i].part;
      uint64_t least =
          field->type == MS_FIELD_U32 ? *(const uint32_t *)part : *(const uint64_t *)part;
      return number >= least;
    }
  return number > 0 || !field->optional;
}

bool ms_result_is_version(const char *text)
{
  return *text && !text[strspn(text, "0123456789.")];
}

/* True for what a run with --paranoid says of itself: so many of so many blocks were checked. */
static bool is_paranoid_text(const char *text)
{
  uint64_t checked, blocks, differed, damaged;
  size_t percent = strspn(text, "0123456789.e+-");
  int length = 0;
  return percent > 0 &&
         sscanf(text + percent,
                " %% of the work: %" SCNu64 " of %" SCNu64
                " blocks of units computed twice, %" SCNu64 " differed, %" SCNu64 " damaged%n",
                &checked, &blocks, &differed, &damaged, &length) == 4 &&
         length > 0 && !text[percent + (size_t)length] && checked <= blocks;
}

bool ms_result_parse(ms_result *r, const ms_result_field *field, char *text)
{
  ms_result_header *h = &r->header;
  void *at = (char *)h + field->at;
  const char *rest = text;
  uint64_t number = 0;
  bool ok = false;
  switch (field->type) {
  case MS_FIELD_PATH:
    *(const char **)at = text;
    return true;
  case MS_FIELD_TEXT:
  case MS_FIELD_FORMULA:
    *(const char **)at = text;
    return at == (void *)&h->paranoid ? is_paranoid_text(text) : *text != '\0';
  case MS_FIELD_ASPECTS:
    *(const char **)at = text;
    return *text && strlen(text) <= 3 && !text[strspn(text, "PFC")];
  case MS_FIELD_FILE: /* the slim is a subset or a file, not both */
    return parse_file(text, at) && !(at == (void *)&h->slim && h->coloring.slim);
  case MS_FIELD_CRC32C:
    return ms_take_crc32c(&rest, at) && !*rest;
  case MS_FIELD_U32:
    ok = parse_number(text, field->least, field->most ? field->most : UINT32_MAX, &number);
    *(uint32_t *)at = (uint32_t)number;
    return ok && ms_result_accepts(h, field, number);
  case MS_FIELD_U64:
  case MS_FIELD_DECIMAL:
    ok = parse_number(text, 0, INT64_MAX, &number);
    *(uint64_t *)at = number;
    return ok && ms_result_accepts(h, field, number);
  case MS_FIELD_REAL:
    return ms_take_real(&rest, at) && !*rest && !(field->optional && *(double *)at == 0);
  case MS_FIELD_BOUND:
    return ms_take_decimal(&rest, r->bound[at == (void *)&h->miss_bound_union]) && !*rest;
  case MS_FIELD_TRUTH:
    ok = parse_number(text, field->optional, 1, &number);
    *(bool *)at = number;
    return ok;
  case MS_FIELD_MARK:
    *(bool *)at = true;
    return !*text;
  case MS_FIELD_FALSE:
    return !*text;
  case MS_FIELD_WORD:
    return parse_word(h, field, text);
  case MS_FIELD_NAMES:
    return parse_names(text, ms_header_texts(h, field), field->most,
                       (void *)((char *)h + field->count));
  }
  return false;
}
