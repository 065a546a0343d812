/* Reads many patterns, from texts, from a file of lines, or from a folder of files. */
#include "query/pattern.h"

#include "base/alloc.h"
#include "base/crc32c.h"
#include "base/file/folder.h"
#include "base/status.h"
#include "base/text/format.h"
#include "graph/io/text.h"
#include "query/typed_query.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ms_pattern_set_free(ms_pattern_set *set)
{
  if (!set)
    return;
  for (uint32_t i = 0; i < set->count; i++) {
    ms_pattern_free(set->pattern[i]);
    ms_free(set->text[i]);
  }
  ms_free(set->pattern);
  ms_free(set->text);
  ms_free(set->path);
  ms_names_free(set->names);
  ms_free(set);
}

uint32_t ms_pattern_set_size(const ms_pattern_set *set)
{
  return set ? set->count : 0;
}

const char *ms_pattern_set_name(const ms_pattern_set *set, uint32_t i)
{
  return set && i < set->count ? ms_names_get(set->names, i) : NULL;
}

const char *ms_pattern_set_text(const ms_pattern_set *set, uint32_t i)
{
  return set && i < set->count ? set->text[i] : NULL;
}

const ms_pattern *ms_pattern_set_pattern(const ms_pattern_set *set, uint32_t i)
{
  return set && i < set->count ? set->pattern[i] : NULL;
}

uint32_t ms_pattern_set_crc32c(uint32_t crc, const char *name, const char *text)
{
  return ms_crc32c(ms_crc32c(crc, name, strlen(name) + 1), text, strlen(text) + 1);
}

static ms_status make_pattern_set(ms_pattern_set **out, ms_error *err)
{
  ms_pattern_set *set = ms_calloc(1, sizeof *set);
  if (!set)
    return ms_fail_memory(err, "a set of patterns");
  ms_status status = ms_names_new(&set->names, err);
  if (status == MS_OK)
    *out = set;
  else
    ms_free(set);
  return status;
}

/* MS_ERR_USAGE: the name is wrong, or a pattern has it. */
static ms_status check_pattern_name(const ms_pattern_set *set, ms_field name, ms_error *err)
{
  const char *problem = ms_name_problem(name.text, name.length);
  int clip = ms_name_clip(name.text, name.length);
  if (problem)
    return ms_fail(err, MS_ERR_USAGE, "the name of a pattern %s", problem);
  if (name.text[0] == '#')
    return ms_fail(err, MS_ERR_USAGE,
                   "the name '%.*s' begins with #, as comments do; give the pattern another name",
                   clip, name.text);
  uint32_t before = ms_names_find(set->names, name.text, name.length);
  if (before != MS_NO_ID)
    return ms_fail(err, MS_ERR_USAGE,
                   "pattern %u has the name '%.*s', too; give each pattern a name of its own",
                   before + 1, clip, name.text);
  return MS_OK;
}

/* Adds a pattern, of which it takes ownership, whether or not it succeeds.  text: its text; NULL:
 * that which ms_pattern_text writes. */
static ms_status add_pattern(ms_pattern_set *set, ms_field name, const char *text,
                             ms_pattern *pattern, ms_error *err)
{
  uint32_t id;
  char *copy = NULL;
  ms_status status = check_pattern_name(set, name, err);
  if (status == MS_OK && (!MS_GROW(set->pattern, set->room, set->count, 1) ||
                          !MS_GROW(set->text, set->text_room, set->count, 1)))
    status = ms_fail_memory(err, "a set of patterns");
  if (status == MS_OK && !text && ms_pattern_edge_count(pattern) > MS_MAX_TYPED_EDGES)
    status =
        ms_fail(err, MS_ERR_USAGE,
                "the pattern has %llu edges, and a pattern of a set at most %u, which a text can "
                "have; count it alone",
                (unsigned long long)ms_pattern_edge_count(pattern), MS_MAX_TYPED_EDGES);
  else if (status == MS_OK && !text)
    status = ms_pattern_text(pattern, &copy, err);
  else if (status == MS_OK && !(copy = ms_strdup(text)))
    status = ms_fail_memory(err, "the text of a pattern");
  if (status == MS_OK)
    status = ms_names_add(set->names, name.text, name.length, &id, err);
  if (status != MS_OK) {
    ms_free(copy);
    ms_pattern_free(pattern);
    return status;
  }
  set->pattern[set->count] = pattern;
  set->text[set->count++] = copy;
  set->crc32c = ms_pattern_set_crc32c(set->crc32c, ms_names_get(set->names, id), copy);
  return MS_OK;
}

/* ---- texts -------------------------------------------------------------------------- */

ms_status ms_pattern_of_text(const char *text, bool directed, ms_pattern **out, ms_error *err)
{
  *out = NULL;
  return ms_is_notation(text) || !*text ? ms_pattern_parse(text, directed, out, err)
                                        : ms_pattern_named(text, out, err);
}

/* MS_ERR_USAGE: the name or the text is wrong. */
static ms_status add_text(ms_pattern_set *set, ms_field name, const char *text, bool directed,
                          ms_error *err)
{
  ms_pattern *pattern;
  MS_TRY(check_pattern_name(set, name, err));
  MS_TRY(ms_pattern_of_text(text, directed, &pattern, err));
  bool is_line = !ms_name_problem(text, strlen(text)); /* which fits into a table */
  return add_pattern(set, name, is_line ? text : NULL, pattern, err);
}

ms_status ms_pattern_set_new(uint32_t count, const char *const *name, const char *const *text,
                             bool directed, ms_pattern_set **out, ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE_ARRAY(name, count, err);
  MS_REQUIRE_ARRAY(text, count, err);
  if (count == 0)
    return ms_fail(err, MS_ERR_USAGE, "there is no pattern; give at least one");
  ms_pattern_set *set = NULL;
  MS_TRY(make_pattern_set(&set, err));
  ms_status status = MS_OK;
  for (uint32_t i = 0; i < count && status == MS_OK; i++) {
    ms_error reason;
    if (!name[i] || !text[i]) {
      status = ms_fail(err, MS_ERR_USAGE, "pattern %u lacks its name or its text; give both", i);
      break;
    }
    status = add_text(set, (ms_field){name[i], strlen(name[i])}, text[i], directed, &reason);
    if (status != MS_OK)
      ms_fail(err, status, "pattern %u: %s", i, reason.message);
  }
  if (status == MS_OK)
    *out = set;
  else
    ms_pattern_set_free(set);
  return status;
}

/* ---- a file ------------------------------------------------------------------------- */

/* Makes the line of the file the path of its pattern, which messages name. */
static ms_status name_line(ms_pattern *pattern, const ms_text *text, ms_error *err)
{
  size_t bytes = strlen(text->label) + 24;
  ms_free(pattern->path);
  pattern->path = ms_alloc(bytes, 1);
  if (!pattern->path)
    return ms_fail_memory(err, "a path");
  snprintf(pattern->path, bytes, "%s:%llu", text->label, (unsigned long long)text->number);
  return MS_OK;
}

static ms_status add_pattern_line(ms_pattern_set *set, ms_text *text, bool directed, ms_error *err)
{
  ms_error reason;
  if (text->line[0] == '#' || strspn(text->line, " \t") == text->length)
    return MS_OK;
  char *tab = memchr(text->line, '\t', text->length), *end = text->line + text->length;
  if (tab && memchr(tab + 1, '\t', (size_t)(end - tab - 1)))
    return ms_text_fail(text, err,
                        "there is a tab after the pattern; a line has two columns, the name and "
                        "the pattern; leave out the others, as with cut -f 1,2");
  ms_field name = {text->line, (size_t)((tab ? tab : end) - text->line)};
  ms_field pattern = {tab ? tab + 1 : text->line, (size_t)(end - (tab ? tab + 1 : text->line))};
  name = ms_field_trim(name);
  pattern = ms_field_trim(pattern);
  char *words = ms_alloc(pattern.length + 1, 1);
  if (!words)
    return ms_fail_memory(err, "the text of a pattern");
  memcpy(words, pattern.text, pattern.length);
  words[pattern.length] = '\0';
  ms_status status = add_text(set, name, words, directed, &reason);
  ms_free(words);
  if (status == MS_OK)
    return name_line(set->pattern[set->count - 1], text, err);
  if (status == MS_ERR_USAGE || status == MS_ERR_INPUT)
    return ms_text_fail(text, err, "%s", reason.message);
  return ms_fail(err, status, "%s", reason.message);
}

static ms_status read_pattern_lines(ms_pattern_set *set, const char *path, bool directed,
                                    ms_error *err)
{
  ms_text *text;
  MS_TRY(ms_text_open(path, &text, err));
  ms_status status = ms_text_next(text, err);
  while (status == MS_OK && text->line) {
    status = add_pattern_line(set, text, directed, err);
    if (status == MS_OK)
      status = ms_text_next(text, err);
  }
  ms_text_close(text);
  if (status == MS_OK && set->count == 0)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: no pattern; write a line for each, its name, a tab and the pattern, such "
                   "as loop<TAB>(a)--(b)--(c)--(a)",
                   path);
  return status;
}

/* ---- a folder ----------------------------------------------------------------------- */

static ms_status add_pattern_file(ms_pattern_set *set, const char *folder, const char *name,
                                  bool directed, ms_error *err)
{
  const ms_graph_options options = {.size = sizeof options, .directed = directed};
  ms_pattern *pattern;
  ms_error reason;
  size_t length = strlen(folder), bytes = length + strlen(name) + 2;
  char *path = ms_alloc(bytes, 1);
  if (!path)
    return ms_fail_memory(err, "a path");
  bool ends = length > 0 && folder[length - 1] == '/';
  snprintf(path, bytes, "%s%s%s", folder, ends ? "" : "/", name);
  ms_status status = ms_pattern_read(path, &options, NULL, &pattern, err);
  if (status == MS_OK && pattern->edge_labels && ms_names_count(pattern->edge_labels) > 1) {
    ms_pattern_free(pattern);
    status = ms_fail(err, MS_ERR_INPUT,
                     "%s: its edges have different labels, and the patterns of a folder are plain; "
                     "search for it alone, or remove the labels",
                     path);
  } else if (status == MS_OK) {
    status = add_pattern(set, (ms_field){name, strlen(name)}, NULL, pattern, &reason);
    if (status != MS_OK)
      ms_fail(err, status, "%s: %s", path, reason.message);
  }
  ms_free(path);
  return status;
}

static ms_status read_pattern_folder(ms_pattern_set *set, const char *path, bool directed,
                                     ms_error *err)
{
  char **name;
  uint32_t count;
  MS_TRY(ms_folder_list(path, &name, &count, err));
  ms_status status = MS_OK;
  for (uint32_t i = 0; i < count && status == MS_OK; i++)
    if (strcmp(name[i], "matches.tsv") != 0)
      status = add_pattern_file(set, path, name[i], directed, err);
  ms_folder_list_free(name, count);
  if (status == MS_OK && set->count == 0)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: the folder has no pattern; put a file for each pattern into it", path);
  return status;
}

ms_status ms_pattern_set_read(const char *path, bool directed, ms_pattern_set **out, ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(path, err);
  ms_pattern_set *set = NULL;
  MS_TRY(make_pattern_set(&set, err));
  ms_status status = ms_is_folder(path) ? read_pattern_folder(set, path, directed, err)
                                        : read_pattern_lines(set, path, directed, err);
  if (status == MS_OK) {
    set->path = ms_strdup(path);
    status = set->path ? MS_OK : ms_fail_memory(err, "the path of the patterns");
  }
  if (status == MS_OK)
    *out = set;
  else
    ms_pattern_set_free(set);
  return status;
}
