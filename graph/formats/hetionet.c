/* Hetionet's SIF (Himmelstein et al., "Systematic integration of biomedical
 * knowledge prioritizes drugs for repurposing", 2017):
 *
 *   source<TAB>metaedge<TAB>target
 *   Compound::DB00014<TAB>CbG<TAB>Gene::2798
 *   Gene::9021<TAB>Gr>G<TAB>Gene::51124
 *
 * The kind in front of "::" is the vertex's type, unless a table of nodes gives one.  Abbreviations
 * with '>' have a direction, and "G<rG" is the other name of "Gr>G", from target to source.  The
 * header may be missing where the format is given. */
#include "base/status.h"
#include "graph/formats/detect.h"
#include "graph/formats/format.h"
#include "graph/io/columns.h"
#include "graph/io/sections.h"

static ms_status read_hetionet(ms_text *text, const ms_graph_options *options, ms_edges *edges,
                               ms_error *err)
{
  ms_table_columns row = {.count = 0};
  (void)options;
  edges->types->rule = MS_RULE_HETIONET;
  edges->types->prefixes = true;
  ms_section section = {.delimiter = MS_TAB};
  MS_TRY(ms_text_next_data(text, err));
  if (text->line && ms_is_hetionet_header((ms_field){text->line, text->length})) {
    section.titled = true;
    section.format = "hetionet";
    MS_TRY(ms_text_next_data(text, err));
  }
  while (text->line) {
    MS_TRY(ms_columns_split(&row, text, 3, err));
    if (row.count > 3)
      return ms_text_fail(
          text, err,
          "expected a source, a metaedge and a target, found %u columns; read a file "
          "with more columns in the format 'table'",
          row.count);
    ms_edge_line line = {.source = row.field[0], .type = row.field[1], .target = row.field[2]};
    MS_TRY(ms_edges_add_typed(edges, text, &line, err));
    MS_TRY(ms_section_next(text, &section, edges, err));
  }
  return MS_OK;
}

/* As a plain graph it is a SIF file with a header. */
const ms_format ms_format_hetionet = {
    .typed = {.name = "hetionet",
              .about = "Hetionet's SIF: a source, a metaedge and a target between tabs; 'Kind::id' "
                       "gives the type of a vertex, '>' or '<' a direction",
              .example = "source\tmetaedge\ttarget\nCompound::DB00014\tCbG\tGene::2798\n"
                         "Gene::9021\tGr>G\tGene::51124\n"},
    .read = read_hetionet};
