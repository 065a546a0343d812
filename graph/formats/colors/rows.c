/* What readers of colours add to the colouring; see read.h. */
#include "base/alloc.h"
#include "base/status.h"
#include "graph/formats/colors/read.h"
#include "graph/io/titles.h"

#include <string.h>

/* Counts a vertex that the graph lacks, and keeps the first different names as examples. */
static ms_status note_unknown(ms_color_rows *rows, ms_field name, ms_error *err)
{
  int i = 0;
  rows->info.unknown_vertices++;
  while (i < MS_UNKNOWN_EXAMPLES && rows->unknown[i].name) {
    if (ms_field_is(name, rows->unknown[i].name))
      return MS_OK;
    i++;
  }
  if (i == MS_UNKNOWN_EXAMPLES)
    return MS_OK;
  char *copy = ms_alloc(name.length + 1, 1);
  if (!copy)
    return ms_fail_memory(err, "a vertex name");
  memcpy(copy, name.text, name.length);
  copy[name.length] = '\0';
  rows->unknown[i].name = copy;
  rows->unknown[i].line = rows->text->number;
  return MS_OK;
}

/* Finds the vertex by another spelling of its name. */
static ms_status find_respelled(ms_color_rows *rows, ms_field name, uint32_t *v, ms_error *err)
{
  if (!rows->spellings)
    MS_TRY(ms_spellings_new(rows->graph->names, &rows->spellings, err));
  *v = ms_spellings_find(rows->spellings, name.text, name.length);
  rows->info.respelled += *v != MS_NO_ID;
  return MS_OK;
}

/* Refuses the titles of another table, below a blank line or with the first title of this one. */
static ms_status refuse_titles(const ms_color_rows *rows, const ms_text *text, ms_field name,
                               ms_error *err)
{
  bool table = rows->info.format == MS_COLORS_TSV || rows->info.format == MS_COLORS_WIDE;
  bool again = *rows->layout.title && ms_field_is(name, rows->layout.title);
  bool below = text->gap && ms_title_is_vertex(name);
  for (size_t i = 0; i < name.length; i++) /* "gene7" is rather a name */
    below &= name.text[i] < '0' || name.text[i] > '9';
  if (!table || rows->info.mentions == 1 || !(again || below))
    return MS_OK;
  return ms_text_fail(text, err,
                      "'%.*s' is no vertex, but a title, with which another table begins; cut the "
                      "file in front of this line, or remove the line",
                      ms_name_clip(name.text, name.length), name.text);
}

ms_status ms_color_rows_vertex(ms_color_rows *rows, const ms_text *text, ms_field name, uint32_t *v,
                               ms_error *err)
{
  MS_TRY(ms_text_check_name(text, name, "vertex name", err));
  rows->info.mentions++;
  *v = ms_graph_find_text(rows->graph, name.text, name.length);
  if (*v == MS_NO_ID)
    MS_TRY(find_respelled(rows, name, v, err));
  if (*v != MS_NO_ID)
    return MS_OK;
  MS_TRY(refuse_titles(rows, text, name, err));
  return note_unknown(rows, name, err);
}

ms_status ms_color_rows_add(ms_color_rows *rows, uint32_t v, ms_field name, uint32_t color,
                            ms_error *err)
{
  return v != MS_NO_ID ? ms_pairs_add(&rows->pairs, v, color, err) : note_unknown(rows, name, err);
}

ms_status ms_color_rows_detailed(ms_color_rows *rows, ms_field name, ms_field detail,
                                 uint32_t *color, ms_error *err)
{
  size_t length = name.length + detail.length + 3;
  char *text = ms_alloc(length, 1);
  if (!text)
    return ms_fail_memory(err, "a colour name");
  memcpy(text, name.text, name.length);
  memcpy(text + name.length, " (", 2);
  memcpy(text + name.length + 2, detail.text, detail.length);
  text[length - 1] = ')';
  ms_status status = ms_names_add(rows->names, text, length, color, err);
  ms_free(text);
  return status;
}

ms_status ms_color_rows_alias(ms_color_rows *rows, ms_field alias, uint32_t color, ms_error *err)
{
  uint32_t id;
  ms_status status = ms_names_add(rows->aliases, alias.text, alias.length, &id, err);
  return status == MS_OK && id == rows->alias_of.count
             ? ms_pairs_add(&rows->alias_of, id, color, err)
             : status;
}

ms_status ms_color_rows_term(ms_color_rows *rows, ms_field name, ms_field id, uint32_t *color,
                             ms_error *err)
{
  ms_status status;
  uint32_t alias = ms_names_find(rows->aliases, id.text, id.length);
  if (alias != MS_NO_ID) {
    *color = rows->alias_of.pair[alias][1];
    return MS_OK;
  }
  if (ms_names_find(rows->names, name.text, name.length) == MS_NO_ID)
    status = ms_names_add(rows->names, name.text, name.length, color, err);
  else
    status = ms_color_rows_detailed(rows, name, id, color, err);
  return status == MS_OK ? ms_color_rows_alias(rows, id, *color, err) : status;
}

bool ms_is_aspect(ms_field field)
{
  return field.length == 1 && memchr("PFC", field.text[0], 3);
}

bool ms_is_negated(ms_field qualifier)
{
  ms_field rest = qualifier, part;
  while (ms_cell_next(&rest, "|", &part))
    if (ms_field_alike(part, "NOT") ||
        (ms_field_begins(part, "NOT ") && !memchr(part.text + 4, ' ', part.length - 4)))
      return true;
  while (ms_cell_next(&qualifier, NULL, &part)) /* "not" may be a word of a sentence */
    if (ms_field_is(part, "NOT"))
      return true;
  return false;
}
