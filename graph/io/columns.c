/* Tables of interactions; see columns.h. */
#include "graph/io/columns.h"

#include "base/status.h"

#include <stdio.h>
#include <string.h>

uint32_t ms_line_columns(ms_field line, uint32_t max, ms_field *fields)
{
  const char *from = line.text, *end = line.text + line.length;
  for (uint32_t count = 1;; count++) {
    const char *tab = memchr(from, '\t', (size_t)(end - from));
    fields[count - 1] = ms_field_trim((ms_field){from, (size_t)((tab ? tab : end) - from)});
    if (!tab || count == max)
      return count;
    from = tab + 1;
  }
}

ms_status ms_columns_split(ms_columns *columns, const ms_text *text, uint32_t least, ms_error *err)
{
  ms_field line = {text->line, text->length};
  columns->count = ms_line_columns(line, MS_MAX_COLUMNS, columns->field);
  if (columns->count < least)
    return ms_text_fail(text, err,
                        "expected at least %u columns between tabs, found %u; complete the line",
                        least, columns->count);
  if (columns->wanted == 0) {
    columns->wanted = columns->count;
    columns->decided = text->number;
  }
  if (columns->count < columns->wanted)
    return ms_text_fail(text, err,
                        "expected %u columns as in line %llu, found %u; complete the line",
                        columns->wanted, (unsigned long long)columns->decided, columns->count);
  return MS_OK;
}

ms_status ms_columns_split_all(ms_columns *columns, const ms_text *text, uint32_t least,
                               ms_error *err)
{
  ms_status status = ms_columns_split(columns, text, least, err);
  if (status == MS_OK && columns->count > columns->wanted)
    return ms_text_fail(text, err,
                        "expected %u columns as in line %llu, found %u; is there a tab too many?",
                        columns->wanted, (unsigned long long)columns->decided, columns->count);
  return status;
}

bool ms_field_missing(ms_field field)
{
  return field.length == 0 || (field.length == 1 && field.text[0] == '-');
}

static char lower(char c)
{
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool ms_field_alike(ms_field field, const char *text)
{
  if (field.length != strlen(text))
    return false;
  for (size_t i = 0; i < field.length; i++)
    if (lower(field.text[i]) != lower(text[i]))
      return false;
  return true;
}

ms_status ms_names_kind(const ms_text *text, const char *wanted, const char *const *kinds,
                        uint32_t *kind, ms_error *err)
{
  char list[200] = "";
  *kind = 0;
  if (!wanted)
    return MS_OK;
  for (uint32_t k = 0; kinds[k]; k++) {
    if (strcmp(wanted, kinds[k]) == 0) {
      *kind = k;
      return MS_OK;
    }
    size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "", kinds[k]);
  }
  return ms_fail(err, MS_ERR_USAGE, "%s: unknown kind of names '%.*s'; give one of %s", text->label,
                 ms_name_clip(wanted, strlen(wanted)), wanted, list);
}

ms_status ms_edges_alone(ms_edges *edges, const ms_text *text, ms_field name, ms_error *err)
{
  uint32_t v;
  ms_status status = ms_edges_flush(edges, err);
  return status == MS_OK ? ms_edges_vertex(edges, text, name, &v, err) : status;
}

void ms_write_rows(const ms_graph *graph, ms_row_writer write, ms_outfile *out)
{
  for (uint32_t v = 0; v < graph->n; v++) {
    uint64_t begin = graph->offset[v], end = graph->offset[v + 1];
    const char *name = ms_names_get(graph->names, v);
    if (begin == end)
      write(name, NULL, out);
    for (uint64_t a = begin; a < end; a++)
      if (graph->neighbor[a] > v)
        write(name, ms_names_get(graph->names, graph->neighbor[a]), out);
  }
}
