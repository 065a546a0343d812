/* Files of two tables; see sections.h. */
#include "graph/io/sections.h"

#include "base/status.h"
#include "graph/io/titles.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Reads past all other lines: the checksum is one of the whole file. */
static ms_status skip_rest(ms_text *text, ms_error *err)
{
  while (text->line)
    MS_TRY(ms_text_next(text, err));
  return MS_OK;
}

/* Is it the title of a column of nodes, and no name of one? */
static bool begins_nodes(ms_field first)
{
  static const char *const titles[] = {"participant", "node",   "nodes", "id",
                                       "node_id",     "nodeid", "name",  "vertex",
                                       "entity",      "symbol", NULL};
  return ms_column_usual(&first, 1, titles) != MS_NO_COLUMN;
}

/* Does the line hold titles of the ends of edges? */
static bool has_ends(ms_field line, ms_delimiter delimiter)
{
  enum { MOST = 16 };
  ms_field cell[MOST];
  uint32_t count = 0, ends[2];
  if (delimiter == MS_BLANKS)
    while (count < MOST && ms_field_word(&line, &cell[count]))
      count++;
  else
    for (const char *at = line.text, *end = at + line.length; count < MOST && at <= end; count++) {
      const char *to = memchr(at, ms_delimiter_mark(delimiter), (size_t)(end - at));
      cell[count] = ms_field_trim((ms_field){at, (size_t)((to ? to : end) - at)});
      at = (to ? to : end) + 1;
    }
  /* "v1" and "v2" may be vertices as well */
  return ms_titles_find_ends(cell, count, ends) > 0 &&
         ms_titles_stem(cell[ends[0]], cell[ends[1]]).length == 0;
}

ms_status ms_section_next(ms_text *text, const ms_section *section, ms_edges *edges, ms_error *err)
{
  MS_TRY(ms_text_next_data(text, err));
  if (text->line && text->section && section->format)
    return ms_text_fail(text, err,
                        "a comment above the line says that another table begins here; give the "
                        "table of edges alone, or, if all lines are edges, name the format "
                        "(`format` %s)",
                        section->format);
  if (!text->line || !text->gap || !section->format)
    return MS_OK;
  ms_field line = ms_field_trim((ms_field){text->line, text->length}), first = line;
  uint32_t count = 1 + ms_delimiter_count(line, section->delimiter);
  first.length = 0;
  while (first.length < line.length &&
         !memchr(" \t,;", line.text[first.length], section->delimiter == MS_BLANKS ? 2 : 4))
    first.length++;
  if (count < 2) /* a vertex of SIF, or a line that the reader refuses */
    return MS_OK;
  bool other =
      section->columns > 0 && count != section->columns && text->number <= section->uniform;
  bool titles = begins_nodes(first) || (other && ms_title_is_vertex(first));
  bool ends = section->columns > 0 && has_ends(line, section->delimiter);
  if (ends)
    return ms_text_fail(
        text, err,
        "the line stands below a blank one and holds titles of the ends of edges: "
        "another table begins here; cut the file in front of it, and give the table "
        "of edges");
  if (!titles && !other)
    return MS_OK;
  if (section->titled && titles) {
    edges->layout.section = text->number;
    return skip_rest(text, err);
  }
  char sign[80] = "begins as titles of a table of nodes do";
  if (other)
    snprintf(sign, sizeof sign, "has %" PRIu32 " columns, where the lines above have %" PRIu32,
             count, section->columns);
  return ms_text_fail(text, err,
                      "the line stands below a blank one and %s; if it begins another table, cut "
                      "the file in front of it; if it is an edge, name the format (`format` %s)",
                      sign, section->format);
}
