/* Edge lists: two vertex names a line, then anything.
 *
 *   YAL001C<TAB>YBR123C<TAB>0.98      tab, comma (CSV) or blanks
 *
 * The first data line decides what stands between the names: a tab if it has
 * one, else a comma if it has one, else blanks.  Every other line must agree.
 * Further columns are ignored.  A vertex joined to itself is a vertex, and no
 * edge. */
#include "graph/read.h"

#include <stdio.h>

static ms_status too_few(const ms_text *text, ms_delimiter delimiter, uint64_t first, ms_field name,
                         ms_error *err)
{
  char found[100] = "", as_before[40] = "";
  /* a tab or foreign bytes would spoil the message */
  if (!ms_name_problem(name.text, name.length))
    snprintf(found, sizeof found, " ('%.*s')", ms_name_clip(name.text, name.length), name.text);
  if (text->number != first)
    snprintf(as_before, sizeof as_before, " as in line %llu", (unsigned long long)first);
  return ms_text_fail(
      text, err,
      "expected two vertex names separated by %s%s, found one%s; add the second name or "
      "remove the line",
      text->number == first ? "a tab, comma or blank" : ms_delimiter_name(delimiter), as_before,
      found);
}

ms_status ms_read_edge_list(ms_text *text, const ms_graph_options *options, ms_edges *edges,
                            ms_error *err)
{
  ms_delimiter delimiter = ms_text_delimiter(text);
  uint64_t first = text->number;
  ms_status status = options->header ? ms_text_next_data(text, err) : MS_OK;
  while (status == MS_OK && text->line) {
    ms_field names[2];
    uint32_t count;
    status = ms_text_split(text, delimiter, 2, names, &count, err);
    if (status == MS_OK && count < 2)
      status = too_few(text, delimiter, first, names[0], err);
    if (status == MS_OK)
      status = ms_edges_add(edges, text, names[0], names[1], err);
    if (status == MS_OK)
      status = ms_text_next_data(text, err);
  }
  return status == MS_OK ? ms_edges_flush(edges, err) : status;
}
