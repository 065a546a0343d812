/* SIF as a typed graph: here the relation counts.  How lines are split, and
 * what is a header, is as in graph/io/sif.c:
 *
 *   TP53<TAB>pp<TAB>MDM2<TAB>MDM4     an edge of type pp to each target
 *   GAL1<TAB>^pd<TAB>GAL4             an edge of type pd from GAL4 to GAL1
 *   alone                             a vertex */
#include "graph/io/sif.h"
#include "graph/io/typed_read.h"

static bool detect(const ms_head *head)
{
  return !ms_typed_has_relations(head) && ms_format_sif.detect(head);
}

static ms_status add_line(ms_text *text, bool tabs, ms_typed_input *input, ms_error *err)
{
  ms_typed_line line = {.source_typed = false};
  ms_status status = ms_sif_check_delimiter(text, tabs, err);
  if (status != MS_OK)
    return status;
  ms_sif_fields f = ms_sif_fields_of((ms_field){text->line, text->length}, tabs);
  ms_sif_next(&f, &line.source); /* there is one: the line is not blank */
  if (!ms_sif_next(&f, &line.type))
    return ms_typed_input_vertex(input, text, line.source, NULL, err);
  if (!ms_sif_next(&f, &line.target))
    return ms_text_fail(text, err,
                        "expected a source, a relation and targets, found two fields; add the "
                        "target");
  do
    status = ms_typed_input_edge(input, text, &line, err);
  while (status == MS_OK && ms_sif_next(&f, &line.target));
  return status;
}

static ms_status read_sif(ms_text *text, ms_typed_input *input, ms_error *err)
{
  bool tabs;
  ms_status status = ms_sif_find_tab(text, &tabs, err);
  input->rule = input->options->directed ? MS_RULE_DIRECTED : MS_RULE_SYMMETRIC;
  if (status == MS_OK)
    status = ms_text_next_data(text, err);
  if (status == MS_OK && text->line && ms_sif_is_header((ms_field){text->line, text->length}, tabs))
    status = ms_text_next_data(text, err);
  while (status == MS_OK && text->line) {
    status = add_line(text, tabs, input, err);
    if (status == MS_OK)
      status = ms_text_next_data(text, err);
  }
  return status == MS_OK ? ms_typed_input_flush(input, err) : status;
}

const ms_typed_reader ms_typed_sif = {
    .name = "sif",
    .about = "SIF whose relations count: a source, a relation and its targets a line, by tabs or "
             "blanks; '^r' is r from target to source; a name alone is a vertex",
    .example = "TP53\tpp\tMDM2\tMDM4\nGAL1\t^pd\tGAL4\nalone\n",
    .detect = detect,
    .read = read_sif};
