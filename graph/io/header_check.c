/* Signs of headers and of columns that belong together; see header_check.h. */
#include "graph/io/header_check.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/text/utf8.h"
#include "graph/io/edges/directions.h"
#include "graph/io/titles.h"

#include <string.h>

static bool is_number(const ms_sample *sample, ms_field field)
{
  double value;
  return ms_field_decimal(field, sample->delimiter, &value);
}

bool ms_title_recurs(const ms_sample *sample, uint32_t source, uint32_t target)
{
  ms_field a = ms_sample_cell(sample, 0, source), b = ms_sample_cell(sample, 0, target);
  ms_field stem = ms_titles_stem(a, b);
  bool prefix = stem.length > 1 && sample->lines > 1;
  for (uint32_t i = 1; i < sample->lines; i++) {
    ms_field from = ms_sample_cell(sample, i, source), to = ms_sample_cell(sample, i, target);
    if (ms_field_equal(a, from) || ms_field_equal(a, to) || ms_field_equal(b, from) ||
        ms_field_equal(b, to) || ms_has_stem(from, stem) || ms_has_stem(to, stem))
      return true;
    size_t common = ms_titles_stem(from, to).length;
    prefix = prefix && common >= stem.length && memcmp(from.text, stem.text, stem.length) == 0;
  }
  return prefix;
}

/* Are other vertices single letters of the same case, too, as in small graphs? */
static bool has_letters(const ms_sample *sample, uint32_t source, uint32_t target, char letter)
{
  for (uint32_t i = 1; i < sample->lines; i++) {
    ms_field end[2] = {ms_sample_cell(sample, i, source), ms_sample_cell(sample, i, target)};
    for (int e = 0; e < 2; e++)
      if (end[e].length == 1 && (*end[e].text | 32) >= 'a' && (*end[e].text | 32) <= 'z' &&
          (*end[e].text & 32) == (letter & 32))
        return true;
  }
  return false;
}

/* ---- headers --------------------------------------------------------------- */

/* Do the lines from this one on hold numbers in the column, and those above it none? */
static bool becomes_number(const ms_sample *sample, uint32_t column, uint32_t from)
{
  for (uint32_t i = 0; i < sample->lines; i++) {
    ms_field cell = ms_sample_cell(sample, i, column);
    if (ms_field_missing(cell) || is_number(sample, cell) != (i >= from))
      return false;
  }
  return true;
}

/* In how many first lines is one end a word, such as "nodes 4" or "4 nodes", where all lines below
 * hold numbers? */
static uint32_t count_word_lines(const ms_sample *sample, uint32_t source, uint32_t target)
{
  enum { MOST = 3, LEAST = 4 }; /* lines of words, and below them */
  for (uint32_t k = 1; k <= MOST && k + LEAST <= sample->lines; k++) {
    bool words[2] = {becomes_number(sample, source, k), becomes_number(sample, target, k)};
    bool numbers[2] = {becomes_number(sample, source, 0), becomes_number(sample, target, 0)};
    if ((words[0] && numbers[1]) || (words[1] && numbers[0]))
      return k;
  }
  return 0;
}

/* Is the first line 0, 1, .., as pandas numbers columns, above ends that are words? */
static bool has_column_numbers(const ms_sample *sample, uint32_t source, uint32_t target)
{
  uint64_t number;
  for (uint32_t c = 0; c < sample->line[0].count; c++)
    if (!ms_field_count(ms_sample_cell(sample, 0, c), c, &number) || number != c)
      return false;
  for (uint32_t i = 1; i < sample->lines; i++)
    if (is_number(sample, ms_sample_cell(sample, i, source)) ||
        is_number(sample, ms_sample_cell(sample, i, target)))
      return false;
  return sample->lines > 1;
}

/* Does the first line call another column "type", "weight" or alike, and no line below? */
static bool has_other_title(const ms_sample *sample, uint32_t source, uint32_t target)
{
  const ms_sample_line *first = &sample->line[0];
  for (uint32_t c = 0; c < first->count && c < MS_MAX_COLUMNS && sample->lines > 1; c++) {
    ms_field title = ms_sample_cell(sample, 0, c);
    bool known = c != source && c != target &&
                 (ms_column_usual(&title, 1, ms_score_titles) != MS_NO_COLUMN ||
                  ms_column_usual(&title, 1, ms_type_titles) != MS_NO_COLUMN ||
                  ms_column_usual(&title, 1, ms_direction_titles) != MS_NO_COLUMN);
    for (uint32_t i = 1; i < sample->lines && known; i++)
      known = !ms_field_equal(title, ms_sample_cell(sample, i, c));
    if (known)
      return true;
  }
  return false;
}

ms_status ms_ask_for_header(const ms_text *at, const ms_sample *sample, uint32_t source,
                            uint32_t target, ms_error *err)
{
  enum { LEAST = 3, LEAST_OF_NAMES = 4 }; /* lines: fewer prove nothing */
  static const char ask[] = "say whether the line is a header (`header`) or an edge (`no_header`)";
  ms_field a = ms_sample_cell(sample, 0, source), b = ms_sample_cell(sample, 0, target);
  if (ms_name_problem(a.text, a.length) || ms_name_problem(b.text, b.length) || sample->lines < 2)
    return MS_OK;
  int clip_a = ms_name_clip(a.text, a.length), clip_b = ms_name_clip(b.text, b.length);
  uint32_t words = count_word_lines(sample, source, target);
  if (words > 0)
    return ms_text_fail(at, err,
                        "'%.*s' and '%.*s' may state sizes of the graph, because all lines below "
                        "the first %u hold numbers; remove what is no edge, or say that each line "
                        "is one (`no_header`)",
                        clip_a, a.text, clip_b, b.text, words);
  if (ms_title_recurs(sample, source, target))
    return MS_OK;
  if (has_column_numbers(sample, source, target) || has_other_title(sample, source, target) ||
      (ms_titles_may_be_ends(a, b) &&
       !(a.length == 1 && has_letters(sample, source, target, *a.text))))
    return ms_text_fail(at, err, "'%.*s' and '%.*s' look like titles of columns; %s", clip_a,
                        a.text, clip_b, b.text, ask);
  if (ms_field_equal(a, b)) /* a vertex without edges; no two columns have one title */
    return MS_OK;
  if (sample->lines >= LEAST_OF_NAMES && becomes_number(sample, source, 1) &&
      becomes_number(sample, target, 1))
    return ms_text_fail(
        at, err,
        "'%.*s' and '%.*s' look like titles of columns, because all lines below have "
        "numbers there; %s",
        clip_a, a.text, clip_b, b.text, ask);
  const ms_sample_line *first = &sample->line[0];
  for (uint32_t c = 0; sample->lines >= LEAST && c < first->count && c < MS_MAX_COLUMNS; c++)
    if (c != source && c != target && becomes_number(sample, c, 1))
      return ms_text_fail(
          at, err,
          "column %u seems to begin with a title, because all lines below have a number "
          "there; %s",
          c + 1, ask);
  return MS_OK;
}

ms_status ms_ask_for_section(const ms_text *at, const ms_sample *sample, ms_error *err)
{
  for (uint32_t i = 1; i < sample->lines; i++) {
    const ms_sample_line *line = &sample->line[i];
    const ms_field *cell = sample->cell + line->first;
    uint32_t ends[2];
    if (line->count < 2 || !ms_title_is_vertex(cell[0]) ||
        ms_titles_find_ends(cell, line->count, ends) == 0 ||
        ms_titles_stem(cell[ends[0]], cell[ends[1]]).length > 0)
      continue;
    bool recurs = false; /* other than as a header, repeated where files were joined */
    for (uint32_t j = 0; j < sample->lines && !recurs; j++) {
      const ms_field other[2] = {ms_sample_cell(sample, j, 0), ms_sample_cell(sample, j, 1)};
      bool again = ms_field_equal(other[0], cell[0]) && ms_field_equal(other[1], cell[1]);
      for (uint32_t c = 0; c < 2 && !again; c++)
        recurs |=
            ms_field_equal(other[c], cell[ends[0]]) || ms_field_equal(other[c], cell[ends[1]]);
    }
    ms_text there = {.label = at->label, .number = line->number};
    if (!recurs)
      return ms_text_fail(
          &there, err,
          "the line holds titles of the ends of edges: another table may begin here; remove the line, or cut the file in front of it and give the table of edges, or, if the line is an edge, name the format (`format` edge-list)");
  }
  return MS_OK;
}

/* ---- two columns for one vertex -------------------------------------------- */

/* The symbols of numbers, as two columns pair them. */
typedef struct pairing {
  ms_names *numbers;
  struct {
    ms_field symbol;
    bool left;      /* it was met in column 1 */
    uint32_t count; /* of lines */
  } * of;           /* [of each number], room for two for each line */
  uint32_t repeats; /* numbers that were met again, once at least in column 1 */
  bool broken;      /* a number has two symbols, or pairs are no names of one vertex */
} pairing;

static ms_status add_pair(pairing *p, ms_field number, ms_field symbol, bool left, ms_error *err)
{
  uint32_t id, known = ms_names_count(p->numbers);
  MS_TRY(ms_names_add(p->numbers, number.text, number.length, &id, err));
  if (id == known)
    p->of[id].symbol = symbol;
  else
    p->repeats += left || p->of[id].left;
  p->broken |= !ms_field_equal(p->of[id].symbol, symbol);
  p->of[id].count++;
  p->of[id].left |= left;
  return MS_OK;
}

static bool is_duplicate(const ms_sample *sample, uint32_t line)
{
  for (uint32_t c = 0; c < 4 && line > 0; c++)
    if (!ms_field_equal(ms_sample_cell(sample, line, c), ms_sample_cell(sample, line - 1, c)))
      return false;
  return line > 0;
}

/* Pairs column 1 with 2, and 3 with 4.  *alternate: in each line, one of the first two is a number
 * and the other is not, and the next two are alike. */
static ms_status pair_columns(const ms_sample *sample, uint32_t from, pairing *p, bool *alternate,
                              ms_error *err)
{
  bool alike = true;
  for (uint32_t i = from; i < sample->lines && !p->broken; i++) {
    ms_field cell[4];
    for (uint32_t c = 0; c < 4; c++)
      cell[c] = ms_sample_cell(sample, i, c);
    if (cell[0].length == 0 || cell[2].length == 0 || (i > from && is_duplicate(sample, i)))
      continue;
    bool numbers[4];
    for (int c = 0; c < 4; c++)
      numbers[c] = is_number(sample, cell[c]);
    alike &= numbers[0] != numbers[1] && numbers[0] == numbers[2] && numbers[1] == numbers[3];
    MS_TRY(add_pair(p, cell[0], cell[1], true, err));
    MS_TRY(add_pair(p, cell[2], cell[3], false, err));
  }
  *alternate = alike && ms_names_count(p->numbers) > 0;
  return MS_OK;
}

static bool has_columns(const ms_sample *sample, uint32_t columns)
{
  for (uint32_t i = 0; i < sample->lines; i++)
    if (sample->line[i].count < columns)
      return false;
  return true;
}

/* Does the title end in "id", "name" or alike?  Its length without that end. */
static size_t title_stem(ms_field title)
{
  static const char *const ends[] = {"id",          "name",  "symbol", "label",
                                     "description", "title", "key"};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    size_t length = strlen(ends[i]);
    if (title.length > length + 1 && strchr(" _.-", title.text[title.length - length - 1]) &&
        ms_field_alike((ms_field){title.text + title.length - length, length}, ends[i]))
      return title.length - length - 1;
  }
  return 0;
}

/* Do the titles of columns 1 and 2 name one thing twice, as "Disease ID" and "Disease Name"? */
static bool titles_name_one(const ms_sample *sample, bool header)
{
  ms_field title[2];
  if (!header && sample->comment.count < 3)
    return false;
  for (uint32_t c = 0; c < 2; c++)
    title[c] = header ? ms_sample_cell(sample, 0, c)
                      : ms_field_trim(sample->cell[sample->comment.first + c]);
  size_t stem = title_stem(title[0]);
  return stem > 0 && stem == title_stem(title[1]) && ms_alike(title[0].text, title[1].text, stem) &&
         !ms_field_equal(title[0], title[1]);
}

/* Column 1 determines column 2 and repeats: in pairs that recur with another third column, the
 * second names are texts, or several names recur. */
static ms_status find_texts(const ms_sample *sample, uint32_t from, bool *paired, ms_error *err)
{
  pairing p = {.of = ms_calloc(2 * (size_t)sample->lines, sizeof *p.of)};
  uint32_t repeats = 0;
  bool texts = true;
  ms_status status =
      p.of ? ms_names_new(&p.numbers, err) : ms_fail_memory(err, "a sample of a table");
  for (uint32_t i = from; i < sample->lines && status == MS_OK && !p.broken; i++) {
    ms_field a = ms_sample_cell(sample, i, 0), b = ms_sample_cell(sample, i, 1);
    uint32_t known = ms_names_count(p.numbers);
    if (a.length == 0 || is_duplicate(sample, i))
      continue;
    status = add_pair(&p, a, b, true, err);
    repeats += status == MS_OK && ms_names_count(p.numbers) == known;
    texts = texts && memchr(b.text, ' ', b.length) && !memchr(a.text, ' ', a.length);
  }
  *paired = status == MS_OK && !p.broken && repeats > 0 && texts;
  ms_names_free(p.numbers);
  ms_free(p.of);
  return status;
}

/* Is this a list of disjoint edges with weights that was written several times?  Lines of a pair
 * are apart, and each pair has as many. */
static bool is_repeated_list(const ms_sample *sample, uint32_t from, const pairing *p)
{
  for (uint32_t id = 0; id < ms_names_count(p->numbers); id++)
    if (p->of[id].count != p->of[0].count)
      return false;
  for (uint32_t i = from; i < sample->lines; i++)
    if (!is_number(sample, ms_sample_cell(sample, i, 2)) ||
        (i > from &&
         ms_field_equal(ms_sample_cell(sample, i, 0), ms_sample_cell(sample, i - 1, 0))))
      return false;
  return true;
}

/* Pairs columns 1 and 2 in both directions: no name is in both columns, and each name has one
 * partner. */
static ms_status pair_names(const ms_sample *sample, uint32_t from, pairing *p, ms_error *err)
{
  for (uint32_t i = from; i < sample->lines && !p->broken; i++) {
    ms_field a = ms_sample_cell(sample, i, 0), b = ms_sample_cell(sample, i, 1);
    if (i > from && is_duplicate(sample, i))
      continue;
    uint32_t repeats = p->repeats, id;
    if (!ms_field_equal(a, b)) /* else it is a vertex without edges, once */
      MS_TRY(add_pair(p, b, a, false, err));
    p->repeats = repeats; /* counted once */
    MS_TRY(add_pair(p, a, b, true, err));
    id = ms_names_find(p->numbers, b.text, b.length);
    p->broken |= p->of[id].left && !ms_field_equal(a, b);
  }
  p->broken |= is_repeated_list(sample, from, p);
  return MS_OK;
}

/* Looks for pairs of names in the first two columns and, with `four`, in the next two. */
static ms_status find_pairs(const ms_sample *sample, uint32_t from, bool four, pairing *p,
                            bool *paired, ms_error *err)
{
  enum { LEAST_REPEATS = 3 }; /* in two columns: fewer may be chance */
  bool alternate = false;
  p->of = ms_calloc(2 * (size_t)sample->lines, sizeof *p->of);
  if (!p->of)
    return ms_fail_memory(err, "a sample of a table");
  MS_TRY(ms_names_new(&p->numbers, err));
  MS_TRY(four ? pair_columns(sample, from, p, &alternate, err) : pair_names(sample, from, p, err));
  *paired = !p->broken && (alternate || p->repeats >= (four ? 1 : LEAST_REPEATS));
  return MS_OK;
}

/* "P12345", "A0A024R1R8" */
static bool is_uniprot(ms_field name)
{
  static const char *const forms[] = {"A0xxx0", "A0Axx0Axx0"};
  const char *form = forms[name.length == 10];
  if (name.length != strlen(form))
    return false;
  for (size_t i = 0; i < name.length; i++) {
    bool digit = name.text[i] >= '0' && name.text[i] <= '9';
    bool letter = name.text[i] >= 'A' && name.text[i] <= 'Z';
    if (!(digit && form[i] != 'A') && !(letter && form[i] != '0'))
      return false;
  }
  return true;
}

bool ms_name_is_accession(ms_field name)
{
  enum { LEAST = 5 }; /* digits behind letters: fewer may be a symbol */
  size_t at = 0, digits = 0;
  double value;
  if (ms_field_real(name, &value) || is_uniprot(name))
    return true;
  while (at < name.length && (strchr("_:.-", name.text[at]) ||
                              ((name.text[at] | 32) >= 'a' && (name.text[at] | 32) <= 'z')))
    at++;
  while (at + digits < name.length && strchr(".0123456789", name.text[at + digits]))
    digits++;
  return digits >= LEAST && at + digits == name.length;
}

/* Does one of the first two columns hold numbers or accessions, and the other words, each once? */
static ms_status find_ids(const ms_sample *sample, uint32_t from, bool *paired, ms_error *err)
{
  enum { LEAST = 3 }; /* lines: fewer prove nothing */
  uint32_t pairs = 0, id;
  ms_names *names = NULL;
  bool ids = ms_name_is_accession(ms_sample_cell(sample, from, 0));
  *paired = false;
  ms_status status = ms_names_new(&names, err);
  for (uint32_t i = from; i < sample->lines && status == MS_OK; i++) {
    if (i > from && is_duplicate(sample, i))
      continue;
    bool unlike = sample->line[i].count >= 2;
    for (uint32_t c = 0; c < 2 && unlike && status == MS_OK; c++) {
      ms_field name = ms_sample_cell(sample, i, c);
      uint32_t known = ms_names_count(names);
      unlike = !ms_name_problem(name.text, name.length) &&
               ms_name_is_accession(name) == (ids == (c == 0));
      if (unlike)
        status = ms_names_add(names, name.text, name.length, &id, err);
      unlike = unlike && status == MS_OK && id == known;
    }
    if (!unlike)
      goto end;
    pairs++;
  }
  *paired = status == MS_OK && pairs >= LEAST;
end:
  ms_names_free(names);
  return status;
}

ms_status ms_ask_for_columns(const ms_text *at, const ms_sample *sample, bool header, ms_error *err)
{
  bool paired = false, four = false;
  ms_status status = MS_OK;
  for (uint32_t columns = 4; columns >= 3 && !paired && status == MS_OK; columns--) {
    pairing p = {.repeats = 0};
    four = columns == 4;
    if (sample->lines < 2u + header || !has_columns(sample, columns))
      continue;
    status = find_pairs(sample, header, four, &p, &paired, err);
    ms_names_free(p.numbers);
    ms_free(p.of);
  }
  if (status == MS_OK && !paired && has_columns(sample, 3) && sample->lines > 1u + header) {
    paired = titles_name_one(sample, header);
    if (!paired)
      status = find_texts(sample, header, &paired, err);
  }
  bool ids = false;
  if (status == MS_OK && !paired && sample->lines > header)
    status = find_ids(sample, header, &ids, err);
  if (status != MS_OK || !(paired || ids))
    return status;
  ms_field a = ms_sample_cell(sample, header, 0), b = ms_sample_cell(sample, header, 1);
  ms_text line = {.label = at->label, .number = sample->line[header].number};
  if (ids)
    return ms_text_fail(&line, err,
                        "'%.*s' and '%.*s' may be two names of one vertex, because one of columns "
                        "1 and 2 holds numbers or accessions, the other words, and no name occurs "
                        "twice; if the lines are edges, say so (`source_column` 1 and "
                        "`target_column` 2); if they are names, give the file as labels",
                        ms_name_clip(a.text, a.length), a.text, ms_name_clip(b.text, b.length),
                        b.text);
  return ms_text_fail(&line, err,
                      "'%.*s' and '%.*s' may be two names of one vertex, because columns 1 and 2%s "
                      "always occur in the same pairs; choose the ends of the edges by "
                      "`source_column` and `target_column`, such as 1 and 3",
                      ms_name_clip(a.text, a.length), a.text, ms_name_clip(b.text, b.length),
                      b.text, four ? ", and 3 and 4," : "");
}
