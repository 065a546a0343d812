/* The table of graph formats. */
#include "graph/formats/format.h"

#include <string.h>

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
    [MS_FORMAT_MOTIF] = &ms_format_motif,
    [MS_FORMAT_RI] = &ms_format_ri,
    [MS_FORMAT_CX2] = &ms_format_cx2,
    [MS_FORMAT_TYPED_BINARY] = &ms_format_typed_binary,
};

const ms_format *ms_format_of(ms_graph_format format)
{
  return formats[format] ? formats[format] : &ms_format_edge_list;
}

ms_graph_format_info ms_graph_format_describe(ms_graph_format format)
{
  return (unsigned)format < MS_GRAPH_FORMATS ? ms_format_of(format)->info
                                             : (ms_graph_format_info){0};
}

bool ms_graph_format_find(const char *name, ms_graph_format *format)
{
  if (!name || !format)
    return false;
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
