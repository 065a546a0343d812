#include "tests/support/results/compose_head.h"

#include <inttypes.h>

void compose_tsv_graph(const compose_graph *in, FILE *out)
{
  ms_graph_info info = ms_graph_describe(in->graph);
  fprintf(out,
          "# graph: %s crc32c=%08x vertices=%u edges=%" PRIu64
          " format=%s min_score=0 keep_taxon=0 header=0\n",
          in->graph_path, info.crc32c, info.vertices, info.edges,
          ms_graph_format_describe(info.format).name);
  if (in->directed)
    fputs("# directed: 1\n", out);
  if (!in->coloring)
    return;
  ms_coloring_info colors = ms_coloring_describe(in->coloring);
  fprintf(out,
          "# colors: %s crc32c=%08x colors=%u assignments=%" PRIu64
          " format=%s aspects=PFC header=0\n",
          in->colors_path, colors.crc32c, colors.colors, colors.assignments,
          ms_color_format_name(colors.format));
}

void compose_json_graph(const compose_graph *in, FILE *out)
{
  ms_graph_info info = ms_graph_describe(in->graph);
  fprintf(out,
          "{\"path\":\"%s\",\"crc32c\":\"%08x\",\"vertices\":%u,\"edges\":%" PRIu64
          ",\"format\":\"%s\",\"min_score\":0,\"keep_taxon\":false,\"header\":false%s},",
          in->graph_path, info.crc32c, info.vertices, info.edges,
          ms_graph_format_describe(info.format).name, in->directed ? ",\"directed\":true" : "");
  if (!in->coloring)
    return;
  ms_coloring_info colors = ms_coloring_describe(in->coloring);
  fprintf(out,
          "\"colors\":{\"path\":\"%s\",\"crc32c\":\"%08x\",\"colors\":%u,\"assignments\":%" PRIu64
          ",\"format\":\"%s\",\"aspects\":\"PFC\",\"header\":false},",
          in->colors_path, colors.crc32c, colors.colors, colors.assignments,
          ms_color_format_name(colors.format));
}

void compose_tail(FILE *out, bool json, unsigned status, uint64_t rows)
{
  static const char *const statuses[] = {"complete",           "incomplete: limit",
                                         "incomplete: time",   "incomplete: interrupted",
                                         "incomplete: memory", "incomplete: space"};
  fprintf(out,
          json ? "{\"type\":\"end\",\"status\":\"%s\",\"matches\":\"%" PRIu64 "\",\"rows\":%" PRIu64
                 ",\"crc32c\":\"00000000\"}\n"
               : "# status: %s\n# matches: %" PRIu64 "\n# end: rows=%" PRIu64 " crc32c=00000000\n",
          statuses[status], rows, rows);
}
