/* Typed graphs as tables that read_table.c reads back, vertex numbers included:
 * each edge stands in the row of the end with the larger number, and a vertex
 * that has no edge to itself or to a smaller one has a line of its own before
 * it is named by others. */
#include "base/outfile.h"
#include "base/status.h"
#include "graph/io/typed_read.h"

static ms_status check_names(const ms_typed *graph, ms_error *err)
{
  static const char format[] = "a table of typed edges";
  ms_status status = ms_check_name_table(graph->names, "vertex", "\t", "#!%", format, err);
  if (status == MS_OK)
    status = ms_check_name_table(graph->vertex_types, "type", "\t", "", format, err);
  return status == MS_OK ? ms_check_name_table(graph->arc_types, "type", "\t", "", format, err)
                         : status;
}

/* Both names of each relation, in the order of their numbers. */
static void put_relations(const ms_typed *graph, ms_outfile *out)
{
  for (uint32_t t = 0; t < ms_names_count(graph->arc_types); t++)
    if (!ms_typed_is_second(graph, (ms_type)t))
      ms_outfile_printf(out, MS_RELATION_MARK "%s\t%s\n", ms_typed_arc_type_name(graph, t),
                        ms_typed_arc_type_name(graph, graph->inverse[t]));
}

static const char *type_of(const ms_typed *graph, uint32_t v)
{
  return ms_typed_vertex_type_name(graph, graph->rows.vertex_type[v]);
}

static void put_edge(const ms_typed *graph, uint32_t v, uint32_t w, ms_type type, ms_outfile *out)
{
  bool turned = ms_typed_is_second(graph, type);
  uint32_t from = turned ? w : v, to = turned ? v : w;
  ms_outfile_printf(out, "%s\t%s\t%s\t%s\t%s\n", ms_typed_name(graph, from),
                    ms_typed_arc_type_name(graph, turned ? graph->inverse[type] : type),
                    ms_typed_name(graph, to), type_of(graph, from), type_of(graph, to));
}

static void put_row(const ms_typed *graph, uint32_t v, bool numbers, ms_outfile *out)
{
  const ms_typed_rows *rows = &graph->rows;
  uint64_t first = rows->offset[v], end = rows->offset[v + 1];
  if (first == end || (numbers && rows->neighbor[first] > v))
    ms_outfile_printf(out, "%s\t\t\t%s\t\n", ms_typed_name(graph, v), type_of(graph, v));
  for (uint64_t a = first; a < end && rows->neighbor[a] <= v; a++)
    put_edge(graph, v, rows->neighbor[a], rows->type[a], out);
}

ms_status ms_typed_write(const ms_typed *graph, const char *path, ms_error *err)
{
  return ms_typed_write_table(graph, path, true, err);
}

ms_status ms_typed_write_table(const ms_typed *graph, const char *path, bool numbers, ms_error *err)
{
  ms_outfile *out;
  ms_status status = check_names(graph, err);
  if (status == MS_OK)
    status = ms_outfile_open(path, &out, err);
  if (status != MS_OK)
    return status;
  put_relations(graph, out);
  ms_outfile_puts(out, "source\ttype\ttarget\tsource_type\ttarget_type\n");
  for (uint32_t v = 0; v < graph->rows.n && !ms_outfile_failed(out); v++)
    put_row(graph, v, numbers, out);
  return ms_outfile_commit(out, err);
}
