/* Cytoscape's simple interaction format:
 *
 *   TP53<TAB>pp<TAB>MDM2<TAB>MDM4     an edge to each target
 *   GAL1<TAB>^pd<TAB>GAL4             typed: an edge of type pd from GAL4 to GAL1
 *   alone                             a vertex
 *
 * A tab anywhere among the lines means that tabs stand between the fields of
 * the whole file, and that names may hold blanks; else blanks do.  "Anywhere"
 * is looked for in what a file begins with.  After a first part without tabs a
 * tab is refused: names with blanks may have been taken apart by then.
 *
 * In a directed graph edges point from source to target.
 *
 * A plain graph does not keep the relation.  The format knows no header, and tables saved
 * under its name have one: "source metaedge target" (Hetionet) and the like in
 * the first line are told by all three words. */
#include "base/status.h"
#include "graph/io/columns.h"
#include "graph/io/format.h"

#include <string.h>

#define DETECT_LINES 10u

/* The fields of a line that are not yet taken. */
typedef struct fields {
  const char *at, *end; /* at: NULL behind the last field */
  bool tabs;            /* stand between the fields; else blanks do */
} fields;

static fields fields_of(ms_field line, bool tabs)
{
  return (fields){line.text, line.text + line.length, tabs};
}

static bool next_field(fields *f, ms_field *field)
{
  while (!f->tabs && f->at && f->at < f->end && *f->at == ' ')
    f->at++;
  if (!f->at || (!f->tabs && f->at == f->end))
    return false;
  const char *to = memchr(f->at, f->tabs ? '\t' : ' ', (size_t)(f->end - f->at));
  *field = ms_field_trim((ms_field){f->at, (size_t)((to ? to : f->end) - f->at)});
  f->at = to ? to + 1 : NULL;
  return true;
}

static bool one_of(ms_field field, const char *const *words, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (ms_field_alike(field, words[i]))
      return true;
  return false;
}

/* A bit for each of the interaction types that Cytoscape's manual lists; 0: none. */
static unsigned known_relation(ms_field field)
{
  static const char *const types[] = {"pp", "pd", "pr", "rc", "cr", "gl", "pm", "mp"};
  for (unsigned i = 0; i < sizeof types / sizeof *types; i++)
    if (ms_field_is(field, types[i]))
      return 1u << i;
  return 0;
}

/* "source interaction target" and the like, which the format does not know. */
static bool is_header(ms_field line, bool tabs)
{
  static const char *const words[][6] = {
      {"source", "source_node", "participant_a"},
      {"metaedge", "interaction", "interaction_type", "relation", "relationship", "edge_type"},
      {"target", "target_node", "participant_b"}};
  fields f = fields_of(line, tabs);
  ms_field field;
  for (size_t i = 0; i < 3; i++)
    if (!next_field(&f, &field) || !one_of(field, words[i], i == 1 ? 6 : 3))
      return false;
  return !next_field(&f, &field);
}

/* ---- telling it ------------------------------------------------------------ */

/* Digits, and what numbers are written with: no identifier of a protein. */
static bool is_number(ms_field field)
{
  double value;
  return ms_field_real(field, &value);
}

/* A lone vertex, or an edge with a known relation, which goes into *relations.
 * An edge list "A pp 0.98" is none: a number is a target only of a number. */
static bool is_sif_line(ms_field line, unsigned *relations)
{
  fields f = fields_of(line, memchr(line.text, '\t', line.length));
  ms_field source, relation, target;
  if (!next_field(&f, &source) || !next_field(&f, &relation))
    return true;
  unsigned known = known_relation(relation);
  if (!known || !next_field(&f, &target))
    return false;
  *relations |= known;
  return !is_number(target) || is_number(source);
}

/* All relations but pp are names of genes, too: an edge list that is sorted by
 * its second column may well begin with one of them ten times, not with two. */
static bool detect(const ms_head *head)
{
  ms_field line;
  unsigned relations = 0;
  if (ms_head_has_suffix(head, ".sif"))
    return true;
  if (!ms_head_data_line(head, 0, &line))
    return false;
  if (is_header(line, memchr(line.text, '\t', line.length)))
    return true;
  for (uint32_t i = 0; i < DETECT_LINES && ms_head_data_line(head, i, &line); i++)
    if (!is_sif_line(line, &relations))
      return false;
  return (relations & 1) || (relations & (relations - 1));
}

/* ---- reading --------------------------------------------------------------- */

/* Do tabs stand between the fields of the file?  In front of the first line. */
static ms_status find_tab(ms_text *text, bool *tabs, ms_error *err)
{
  const char *bytes;
  size_t length, begin = 0;
  ms_status status = ms_text_head(text, 1, &bytes, &length, err);
  for (*tabs = false; status == MS_OK && begin < length && !*tabs;) {
    const char *line = bytes + begin, *lf = memchr(line, '\n', length - begin);
    size_t size = lf ? (size_t)(lf - line) : length - begin;
    *tabs = memchr(line, '\t', size) && ms_line_holds_data(line, size);
    begin += size + 1;
  }
  return status;
}

/* In a file with tabs, "A pp B" would be a vertex of that name. */
static ms_status check_delimiter(const ms_text *text, bool tabs, ms_error *err)
{
  ms_field line = {text->line, text->length}, field;
  bool tab = memchr(line.text, '\t', line.length);
  fields f = fields_of(line, false);
  if (tab && !tabs)
    return ms_text_fail(text, err,
                        "a tab, where blanks stood between the fields of the lines before; use "
                        "tabs throughout");
  if (tabs && !tab && next_field(&f, &field) && next_field(&f, &field) && known_relation(field))
    return ms_text_fail(text, err,
                        "blanks, where tabs stand between the fields of other lines; use tabs "
                        "throughout");
  return MS_OK;
}

static ms_status add_line(ms_text *text, bool tabs, ms_edges *edges, ms_error *err)
{
  ms_edge_line line = {.source_type = {0}};
  MS_TRY(check_delimiter(text, tabs, err));
  fields f = fields_of((ms_field){text->line, text->length}, tabs);
  next_field(&f, &line.source); /* there is one: the line is not blank */
  if (!next_field(&f, &line.type))
    return ms_edges_alone(edges, text, line.source, NULL, err);
  if (line.type.length == 0)
    return ms_text_fail(text, err,
                        "the second field, the relation, is empty; write one, such as pp");
  if (!next_field(&f, &line.target))
    return ms_text_fail(text, err,
                        "expected a source, a relation and targets, found two fields; add the "
                        "target, or read the file as an edge list");
  do
    MS_TRY(ms_edges_add_typed(edges, text, &line, err));
  while (next_field(&f, &line.target));
  return MS_OK;
}

static ms_status read_sif(ms_text *text, const ms_graph_options *options, ms_edges *edges,
                          ms_error *err)
{
  bool tabs;
  MS_TRY(find_tab(text, &tabs, err));
  MS_TRY(ms_text_next_data(text, err));
  if (text->line && (options->header || is_header((ms_field){text->line, text->length}, tabs)))
    MS_TRY(ms_text_next_data(text, err));
  while (text->line) {
    MS_TRY(add_line(text, tabs, edges, err));
    MS_TRY(ms_text_next_data(text, err));
  }
  return MS_OK;
}

/* ---- writing --------------------------------------------------------------- */

/* Where no line has a tab, a lone "a b" would be two fields; joined to itself
 * it is one name in any file. */
static void write_row(const char *a, const char *b, ms_outfile *out)
{
  if (b || strchr(a, ' '))
    ms_outfile_printf(out, "%s\tpp\t%s\n", a, b ? b : a);
  else
    ms_outfile_printf(out, "%s\n", a);
}

static ms_status write_sif(const ms_graph *graph, const ms_coloring *coloring, ms_outfile *out,
                           ms_error *err)
{
  (void)coloring;
  MS_TRY(ms_check_names(graph, "\t", "#!%", "a SIF file", err));
  ms_write_rows(graph, write_row, out);
  return MS_OK;
}

const ms_format ms_format_sif = {
    .info = {.name = "sif",
             .about = "Cytoscape SIF: a source, a relation (not kept) and its targets a line, by "
                      "tabs or blanks; a name alone is a vertex",
             .example = "TP53\tpp\tMDM2\tMDM4\nGAL4\tpd\tGAL1\nalone\n",
             .suffix = ".sif",
             .writable = true},
    .typed = {.name = "sif",
              .about = "SIF whose relations count: a source, a relation and its targets a line, by "
                       "tabs or blanks; '^r' is r from target to source; a name alone is a vertex",
              .example = "TP53\tpp\tMDM2\tMDM4\nGAL1\t^pd\tGAL4\nalone\n"},
    .options = MS_HAS_HEADER | MS_HAS_DIRECTION,
    .detect = detect,
    .read = read_sif,
    .write = write_sif};
