/* What the writers of text formats share; see writers.h. */
#include "graph/io/writers.h"

#include "base/status.h"
#include "graph/io/text.h"

#include <string.h>

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
    if (strncmp(name, MS_BYTE_ORDER_MARK, 3) == 0)
      return ms_fail(err, MS_ERR_USAGE,
                     "the %s name '%.*s' begins with a byte order mark, which is lost at the "
                     "beginning of a text; rename the %s",
                     what, ms_name_clip(name, strlen(name)), name, what);
    if (mark)
      return ms_fail(err, MS_ERR_USAGE,
                     "the %s name '%.*s' %s '%c', which %s cannot express; choose another format, "
                     "or rename the %s",
                     what, ms_name_clip(name, strlen(name)), name,
                     name[at]       ? "holds"
                     : mark == name ? "begins with"
                                    : "ends with",
                     *mark, format, what);
  }
  return MS_OK;
}

void ms_write_rows(const ms_graph *graph, ms_row_writer write, ms_outfile *out)
{
  for (uint32_t v = 0; v < graph->n && !ms_outfile_failed(out); v++) {
    uint64_t begin = graph->offset[v], end = graph->offset[v + 1];
    const char *name = ms_names_get(graph->names, v);
    if (begin == end)
      write(name, NULL, out);
    for (uint64_t a = begin; a < end; a++)
      if (graph->neighbor[a] > v)
        write(name, ms_names_get(graph->names, graph->neighbor[a]), out);
  }
}
