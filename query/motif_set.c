#include "query/motif_set.h"

#include "base/alloc.h"
#include "base/status.h"
#include "graph/io/text.h"
#include "query/motif_build.h"

#include <stdio.h>
#include <string.h>

#define MOST_CHOICES 1000u /* motifs for which the ranges of a text stand */

void ms_motif_set_free(ms_motif_set *set)
{
  if (!set)
    return;
  for (uint32_t i = 0; i < set->count; i++)
    ms_motif_free(set->motif[i]);
  ms_free(set->motif);
  ms_free(set->path);
  ms_names_free(set->names);
  ms_free(set);
}

uint32_t ms_motif_set_size(const ms_motif_set *set)
{
  return set ? set->count : 0;
}

const char *ms_motif_set_name(const ms_motif_set *set, uint32_t i)
{
  return set && i < set->count ? ms_names_get(set->names, i) : NULL;
}

const ms_motif *ms_motif_set_motif(const ms_motif_set *set, uint32_t i)
{
  return set && i < set->count ? set->motif[i] : NULL;
}

static ms_status make_set(ms_motif_set **out, ms_error *err)
{
  ms_motif_set *set = ms_calloc(1, sizeof *set);
  if (!set)
    return ms_fail_memory(err, "a set of motifs");
  ms_status status = ms_names_new(&set->names, err);
  if (status == MS_OK)
    *out = set;
  else
    ms_free(set);
  return status;
}

/* MS_ERR_USAGE: the name is wrong, or a motif has it. */
static ms_status check_name(const ms_motif_set *set, ms_field name, ms_error *err)
{
  const char *problem = ms_name_problem(name.text, name.length);
  int clip = ms_name_clip(name.text, name.length);
  if (problem)
    return ms_fail(err, MS_ERR_USAGE, "the name of a motif %s", problem);
  if (name.text[0] == '#')
    return ms_fail(err, MS_ERR_USAGE,
                   "the name '%.*s' begins with #, as comments do; give the motif another name",
                   clip, name.text);
  if (ms_names_find(set->names, name.text, name.length) != MS_NO_ID)
    return ms_fail(err, MS_ERR_USAGE, "a motif before has the name '%.*s', too; rename one", clip,
                   name.text);
  return MS_OK;
}

/* Adds a motif, of which it takes ownership, whether or not it succeeds. */
static ms_status add_motif(ms_motif_set *set, ms_field name, ms_motif *motif, ms_error *err)
{
  uint32_t id;
  ms_status status = check_name(set, name, err);
  if (status == MS_OK)
    status = MS_GROW(set->motif, set->room, set->count, 1) ? MS_OK
                                                           : ms_fail_memory(err, "a set of motifs");
  if (status == MS_OK)
    status = ms_names_add(set->names, name.text, name.length, &id, err);
  if (status == MS_OK)
    set->motif[set->count++] = motif;
  else
    ms_motif_free(motif);
  return status;
}

/* ---- ranges -------------------------------------------------------------------- */

/* Writes name[2,3], where 2 and 3 are the counts chosen from the ranges; returns the length. */
static size_t write_name(char *to, ms_field name, const uint32_t *choice, uint32_t count)
{
  char *at = to + name.length;
  memcpy(to, name.text, name.length);
  for (uint32_t i = 0; i < count; i++)
    at += sprintf(at, "%c%u", i ? ',' : '[', choice[i]);
  *at++ = ']';
  return (size_t)(at - to);
}

/* Moves to the next choice, in which the count of the last range runs fastest; false: there is
 * none. */
static bool next_choice(const ms_ranges *ranges, uint32_t *choice)
{
  for (uint32_t i = ranges->count; i-- > 0;) {
    if (choice[i] < ranges->high[i]) {
      choice[i]++;
      return true;
    }
    choice[i] = ranges->low[i];
  }
  return false;
}

static ms_status check_choices(const ms_ranges *ranges, ms_error *err)
{
  uint64_t choices = 1;
  for (uint32_t i = 0; i < ranges->count && choices <= MOST_CHOICES; i++)
    choices *= ranges->high[i] - ranges->low[i] + 1;
  if (choices <= MOST_CHOICES)
    return MS_OK;
  return ms_fail(err, MS_ERR_USAGE,
                 "the ranges of the motif stand for more than %u motifs; use fewer or shorter ones",
                 MOST_CHOICES);
}

/* Adds a motif for each choice of counts, except that of no slots. */
static ms_status add_choices(ms_motif_set *set, const ms_coloring *coloring, ms_field name,
                             const char *text, const ms_ranges *found, ms_error *err)
{
  uint32_t choice[MS_MAX_K];
  ms_status status = MS_OK;
  MS_TRY(check_choices(found, err));
  char *full = ms_alloc(name.length + 4 * MS_MAX_K, 1);
  if (!full)
    return ms_fail_memory(err, "a set of motifs");
  memcpy(choice, found->low, sizeof choice);
  do {
    ms_ranges ranges = {.choice = choice};
    ms_motif *motif;
    status = ms_motif_parse_ranges(text, coloring, &ranges, &motif, err);
    if (status == MS_OK && motif->k > 0)
      status = add_motif(set, (ms_field){full, write_name(full, name, choice, found->count)}, motif,
                         err);
    else if (status == MS_OK)
      ms_motif_free(motif);
  } while (status == MS_OK && next_choice(found, choice));
  ms_free(full);
  return status;
}

/* Adds a motif, or several if its counts are ranges.  MS_ERR_USAGE: the name or the text is wrong.
 */
static ms_status add(ms_motif_set *set, const ms_coloring *coloring, ms_field name,
                     const char *text, ms_error *err)
{
  ms_ranges ranges = {0};
  ms_motif *motif;
  MS_TRY(check_name(set, name, err));
  MS_TRY(ms_motif_parse_ranges(text, coloring, &ranges, &motif, err));
  if (ranges.count == 0)
    return add_motif(set, name, motif, err);
  ms_motif_free(motif);
  return add_choices(set, coloring, name, text, &ranges, err);
}

ms_status ms_motif_set_new(const ms_coloring *coloring, uint32_t count, const char *const *name,
                           const char *const *text, ms_motif_set **out, ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(coloring, err);
  MS_REQUIRE_ARRAY(name, count, err);
  MS_REQUIRE_ARRAY(text, count, err);
  ms_motif_set *set = NULL;
  MS_TRY(make_set(&set, err));
  ms_status status = MS_OK;
  for (uint32_t i = 0; i < count && status == MS_OK; i++) {
    ms_error reason;
    if (!name[i] || !text[i])
      status = ms_fail(err, MS_ERR_USAGE, "motif %u lacks its name or its text; give both", i);
    else
      status = add(set, coloring, (ms_field){name[i], strlen(name[i])}, text[i], &reason);
    if (status != MS_OK && name[i] && text[i])
      ms_fail(err, status, "motif %u: %s", i, reason.message);
  }
  if (status == MS_OK)
    *out = set;
  else
    ms_motif_set_free(set);
  return status;
}

/* ---- files --------------------------------------------------------------------- */

static ms_status add_line(ms_motif_set *set, const ms_coloring *coloring, ms_text *text,
                          ms_error *err)
{
  ms_error reason;
  if (text->line[0] == '#' || strspn(text->line, " \t") == text->length)
    return MS_OK;
  char *tab = memchr(text->line, '\t', text->length);
  if (!tab)
    return ms_text_fail(text, err,
                        "'%.*s' holds no tab; write the name of a motif, a tab and the motif, such "
                        "as M1<TAB>kinase:2,phosphatase",
                        ms_name_clip(text->line, text->length), text->line);
  if (memchr(tab + 1, '\t', (size_t)(text->line + text->length - tab - 1)))
    return ms_text_fail(text, err,
                        "there is a tab behind the motif; a line has two columns, the name and the "
                        "motif; leave out the others, as with cut -f 1,4");
  ms_field name = ms_field_trim((ms_field){text->line, (size_t)(tab - text->line)});
  ms_status status = add(set, coloring, name, tab + 1, &reason);
  if (status == MS_ERR_USAGE)
    return ms_text_fail(text, err, "%s", reason.message);
  return status == MS_OK ? MS_OK : ms_fail(err, status, "%s", reason.message);
}

static ms_status read_lines(ms_motif_set *set, const ms_coloring *coloring, ms_text *text,
                            ms_error *err)
{
  MS_TRY(ms_text_next(text, err));
  while (text->line) {
    MS_TRY(add_line(set, coloring, text, err));
    MS_TRY(ms_text_next(text, err));
  }
  set->crc32c = text->crc32c;
  if (set->count == 0)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: no motif; write a line for each, its name, a tab and the motif",
                   text->label);
  return MS_OK;
}

ms_status ms_motif_set_read(const char *path, const ms_coloring *coloring, ms_motif_set **out,
                            ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(path, err);
  MS_REQUIRE(coloring, err);
  ms_motif_set *set = NULL;
  ms_text *text;
  MS_TRY(make_set(&set, err));
  ms_status status = ms_text_open(path, &text, err);
  if (status == MS_OK) {
    status = read_lines(set, coloring, text, err);
    ms_text_close(text);
  }
  if (status == MS_OK) {
    set->path = ms_strdup(path);
    status = set->path ? MS_OK : ms_fail_memory(err, "the path of the motifs");
  }
  if (status == MS_OK)
    *out = set;
  else
    ms_motif_set_free(set);
  return status;
}
