/* All graph formats. */
#include "graph/io/format.h"

#include "base/status.h"

#include <string.h>

#define BYTE_ORDER_MARK "\xEF\xBB\xBF"

static const ms_format *const formats[MS_GRAPH_FORMATS] = {
    [MS_FORMAT_EDGE_LIST] = &ms_format_edge_list,
    [MS_FORMAT_STRING] = &ms_format_string,
    [MS_FORMAT_SIF] = &ms_format_sif,
    [MS_FORMAT_BIOGRID] = &ms_format_biogrid,
    [MS_FORMAT_MITAB] = &ms_format_mitab,
    [MS_FORMAT_BINARY] = &ms_format_binary,
    [MS_FORMAT_MATRIX_MARKET] = &ms_format_matrix_market,
    [MS_FORMAT_DIMACS] = &ms_format_dimacs,
    [MS_FORMAT_METIS] = &ms_format_metis,
    [MS_FORMAT_GRAPHML] = &ms_format_graphml,
    [MS_FORMAT_TVE] = &ms_format_tve,
    [MS_FORMAT_LAD] = &ms_format_lad,
    [MS_FORMAT_TABLE] = &ms_format_table,
};

/* From the surest sign to the weakest. */
static const ms_graph_format order[] = {
    MS_FORMAT_BINARY,  MS_FORMAT_MATRIX_MARKET, MS_FORMAT_GRAPHML, MS_FORMAT_STRING,
    MS_FORMAT_BIOGRID, MS_FORMAT_MITAB,         MS_FORMAT_DIMACS,  MS_FORMAT_TVE,
    MS_FORMAT_METIS,   MS_FORMAT_LAD,           MS_FORMAT_SIF,     MS_FORMAT_TABLE,
};

const ms_format *ms_format_of(ms_graph_format format)
{
  return formats[format] ? formats[format] : &ms_format_edge_list;
}

ms_graph_format ms_format_detect(const ms_head *head)
{
  if (ms_head_has_relations(head))
    return MS_FORMAT_TABLE;
  for (size_t i = 0; i < sizeof order / sizeof *order; i++)
    if (ms_format_of(order[i])->detect(head))
      return order[i];
  return MS_FORMAT_EDGE_LIST;
}

ms_graph_format_info ms_graph_format_describe(ms_graph_format format)
{
  return ms_format_of(format)->info;
}

bool ms_graph_format_find(const char *name, ms_graph_format *format)
{
  *format = MS_FORMAT_AUTO;
  if (strcmp(name, "auto") == 0)
    return true;
  for (int f = MS_FORMAT_AUTO + 1; f < MS_GRAPH_FORMATS; f++)
    if (formats[f] && strcmp(name, formats[f]->info.name) == 0) {
      *format = (ms_graph_format)f;
      return true;
    }
  return false;
}

/* ---- heads --------------------------------------------------------------- */

/* The line that begins at *at, which moves behind it. */
static bool next_line(const ms_head *head, size_t *at, ms_field *line)
{
  if (*at >= head->length)
    return false;
  const char *from = head->bytes + *at;
  const char *lf = memchr(from, '\n', head->length - *at);
  if (!lf && !head->whole)
    return false;
  *line = (ms_field){from, lf ? (size_t)(lf - from) : head->length - *at};
  *at += line->length + 1;
  if (line->length > 0 && from[line->length - 1] == '\r')
    line->length--;
  return true;
}

static size_t first_byte(const ms_head *head)
{
  return head->length >= 3 && memcmp(head->bytes, BYTE_ORDER_MARK, 3) == 0 ? 3 : 0;
}

bool ms_head_line(const ms_head *head, uint32_t number, ms_field *line)
{
  size_t at = first_byte(head);
  for (uint32_t i = 0; next_line(head, &at, line); i++)
    if (i == number)
      return true;
  return false;
}

bool ms_head_data_line(const ms_head *head, uint32_t number, ms_field *line)
{
  size_t at = first_byte(head);
  for (uint32_t i = 0; next_line(head, &at, line);)
    if (ms_line_holds_data(line->text, line->length) && i++ == number)
      return true;
  return false;
}

static bool ends_so(const char *path, size_t length, const char *suffix)
{
  size_t wanted = strlen(suffix);
  return length > wanted && memcmp(path + length - wanted, suffix, wanted) == 0;
}

bool ms_head_has_suffix(const ms_head *head, const char *suffix)
{
  size_t length = strlen(head->path);
  if (ends_so(head->path, length, ".gz"))
    length -= 3;
  else if (ends_so(head->path, length, ".zst"))
    length -= 4;
  return ends_so(head->path, length, suffix);
}

/* ---- writers ------------------------------------------------------------- */

ms_status ms_check_names(const ms_graph *graph, const char *forbidden, const char *forbidden_first,
                         const char *format, ms_error *err)
{
  return ms_check_name_table(graph->names, "vertex", forbidden, forbidden_first, format, err);
}

ms_status ms_check_name_table(const ms_names *names, const char *what, const char *forbidden,
                              const char *forbidden_first, const char *format, ms_error *err)
{
  for (uint32_t v = 0; v < ms_names_count(names); v++) {
    const char *name = ms_names_get(names, v), *last = name + strlen(name) - 1;
    size_t at = strcspn(name, forbidden);
    const char *mark = name[at]                                         ? name + at
                       : strchr(forbidden_first, *name) || *name == ' ' ? name
                       : *last == ' '                                   ? last
                                                                        : NULL;
    if (strncmp(name, BYTE_ORDER_MARK, 3) == 0)
      return ms_fail(err, MS_ERR_USAGE,
                     "the %s name '%.*s' begins with a byte order mark, which is lost at the "
                     "begin of a text; rename the %s",
                     what, ms_name_clip(name, strlen(name)), name, what);
    if (mark)
      return ms_fail(err, MS_ERR_USAGE,
                     "the %s name '%.*s' %s '%c', which %s cannot say; choose another format, "
                     "or rename the %s",
                     what, ms_name_clip(name, strlen(name)), name,
                     name[at]       ? "holds"
                     : mark == name ? "begins with"
                                    : "ends with",
                     *mark, format, what);
  }
  return MS_OK;
}
