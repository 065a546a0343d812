/* The files of RI (Bonnici, Giugno et al., "A subgraph isomorphism algorithm and its application to
 * biochemical data", 2013):
 *
 *   #name
 *   3          vertices, numbered from 0
 *   C          the label of vertex 0, and so on
 *   C
 *   O
 *   2          edges
 *   0 1        in .gfd and .gfu; with a label behind it, "0 1 single", in .ged and .geu
 *   1 2
 *
 * Labels of vertices are colours.  Labels of edges are their types in a typed graph; either all
 * edges have one or none.  In a directed graph an edge points from its first vertex to its second,
 * and both ways in a file whose name says .gfu or .geu.
 *
 * A line that begins with '#' is the name of a graph, not a comment, so labels may begin with it.
 */
#include "graph/formats/format.h"
#include "graph/io/counted.h"

#include "base/status.h"

#include <inttypes.h>
#include <string.h>

typedef struct ri {
  ms_text *text;
  ms_edges *edges;
  uint64_t n, m;
  uint64_t at_m;  /* the line of the number of edges */
  uint32_t words; /* of the first edge */
  uint64_t first; /* its line */
  bool both_ways; /* the name says that edges have no direction */
} ri;

/* True if ".gfu" or ".geu" ends the path, or is followed by another ending, as in "q.gfu.gz". */
static bool names_undirected(const char *path)
{
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  for (const char *dot = strchr(name, '.'); dot; dot = strchr(dot + 1, '.'))
    if ((strncmp(dot, ".gfu", 4) == 0 || strncmp(dot, ".geu", 4) == 0) &&
        (dot[4] == '\0' || dot[4] == '.'))
      return true;
  return false;
}

/* Moves to the next line that is not blank. */
static ms_status next_line(ms_text *text, ms_error *err)
{
  do
    MS_TRY(ms_text_next(text, err));
  while (text->line && text->line[strspn(text->line, " \t")] == '\0');
  return MS_OK;
}

static ms_status read_number(ms_text *text, uint64_t most, const char *what, uint64_t *value,
                             ms_error *err)
{
  MS_TRY(next_line(text, err));
  if (!text->line)
    return ms_fail(err, MS_ERR_INPUT, "%s: ends before the %s; complete the file", text->label,
                   what);
  ms_field line = ms_field_trim((ms_field){text->line, text->length});
  return ms_numbered_count(text, line, most, what, value, err);
}

/* A vertex takes memory only when its line comes, so a short file with a large number takes none.
 */
static ms_status read_labels(ri *r, ms_error *err)
{
  MS_TRY(ms_edges_expect(r->text, r->n, err));
  for (uint64_t v = 0; v < r->n; v++) {
    ms_field label, rest;
    MS_TRY(next_line(r->text, err));
    if (!r->text->line)
      return ms_fail(err, MS_ERR_INPUT,
                     "%s: ends after the labels of %" PRIu64 " of %" PRIu64
                     " vertices; complete the file, or correct the number of vertices",
                     r->text->label, v, r->n);
    rest = (ms_field){r->text->line, r->text->length};
    ms_field_word(&rest, &label);
    if (ms_field_trim(rest).length > 0)
      return ms_text_fail(r->text, err,
                          "expected the label of vertex %" PRIu64
                          ", one word; correct the line, or the number of vertices",
                          v);
    MS_TRY(ms_edges_number(r->edges, r->text, v, 1, err));
    MS_TRY(ms_edges_color(r->edges, r->text, (uint32_t)v, label, err));
  }
  return MS_OK;
}

static ms_status find_end(const ri *r, ms_field field, uint32_t *v, ms_error *err)
{
  uint64_t number;
  if (!ms_field_count(field, r->n - 1, &number))
    return ms_text_fail(r->text, err,
                        "an edge's end is not a number from 0 to %" PRIu64 "; correct it, or the "
                        "number of vertices",
                        r->n - 1);
  *v = (uint32_t)number;
  return MS_OK;
}

static ms_status read_edge(ri *r, ms_error *err)
{
  ms_field fields[4];
  uint32_t count, u = 0, v = 0;
  MS_TRY(ms_text_split(r->text, MS_BLANKS, 4, fields, &count, err));
  if (count != 2 && count != 3)
    return ms_text_fail(r->text, err,
                        "expected an edge, 'ID ID' or 'ID ID LABEL'; correct the line");
  if (r->words == 0) {
    r->words = count;
    r->first = r->text->number;
  }
  if (count != r->words)
    return ms_text_fail(r->text, err,
                        "expected an edge %s a label as in line %" PRIu64 "; give all or none",
                        r->words == 3 ? "with" : "without", r->first);
  MS_TRY(find_end(r, fields[0], &u, err));
  MS_TRY(find_end(r, fields[1], &v, err));
  if (r->both_ways && r->edges->directed)
    MS_TRY(ms_pairs_add(&r->edges->back, v, u, err));
  return ms_edges_join_labelled(r->edges, r->text, u, v,
                                count == 3 ? fields[2] : (ms_field){NULL, 0}, err);
}

static ms_status read_edges(ri *r, ms_error *err)
{
  for (uint64_t e = 0; e < r->m; e++) {
    MS_TRY(next_line(r->text, err));
    if (!r->text->line)
      return ms_fail(err, MS_ERR_INPUT,
                     "%s:%" PRIu64 ": states %" PRIu64 " edges, but %" PRIu64
                     " follow; complete the file, or correct the number",
                     r->text->label, r->at_m, r->m, e);
    MS_TRY(read_edge(r, err));
  }
  MS_TRY(next_line(r->text, err));
  if (!r->text->line)
    return MS_OK;
  if (r->text->line[0] == '#')
    return ms_text_fail(r->text, err,
                        "a second graph begins here; give a file of one graph (split it at the "
                        "lines '#')");
  return ms_text_fail(r->text, err,
                      "more lines than the %" PRIu64 " edges that line %" PRIu64
                      " states; remove them, or correct the number",
                      r->m, r->at_m);
}

static ms_status read_ri(ms_text *text, const ms_graph_options *options, ms_edges *edges,
                         ms_error *err)
{
  (void)options;
  ri r = {.text = text, .edges = edges, .both_ways = names_undirected(text->label)};
  MS_TRY(next_line(text, err));
  if (!text->line)
    return MS_OK;
  if (text->line[0] != '#')
    return ms_text_fail(text, err, "expected '#' and the graph's name; begin the file with it");
  MS_TRY(read_number(text, MS_MAX_NAMES, "number of vertices", &r.n, err));
  if (r.n == 0)
    return ms_text_fail(text, err, "the graph has no vertices; give one that has");
  MS_TRY(read_labels(&r, err));
  MS_TRY(read_number(text, UINT64_MAX, "number of edges", &r.m, err));
  r.at_m = text->number;
  if (r.both_ways && edges->types)
    edges->types->rule = MS_RULE_SYMMETRIC;
  return read_edges(&r, err);
}

const ms_format ms_format_ri = {
    .info = {.name = "ri",
             .about = "RI's .gfd, .gfu, .ged and .geu: a name, the labels of vertices, the edges",
             .example = "#name\n3\nC\nC\nO\n2\n0 1\n1 2\n",
             .suffix = ".gfu",
             .numbered = true,
             .first_number = 0},
    .typed = {.name = "ri",
              .about = "RI's .ged and .geu: as .gfd and .gfu, with a label after each edge",
              .example = "#name\n3\nC\nC\nO\n2\n0 1 single\n1 2 double\n"},
    .options = MS_HAS_DIRECTION,
    .read = read_ri};
