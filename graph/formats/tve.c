/* Labelled graphs in lines t, v and e, as subgraph matchers exchange them:
 *
 *   t 3 2        t VERTICES EDGES    with degrees
 *   v 0 7 1      v ID LABEL DEGREE
 *   e 0 1        e ID ID             a further word is the edge's label
 *
 *   t 0 3        t ID VERTICES       without degrees; or "t # ID" (gSpan)
 *   v 0 7        v ID LABEL
 *   e 0 1 0
 *
 * Labels are the vertices' colours.  Labels of edges are their types in a typed graph, where an
 * edge without one, among others that have one, has the type "*".  An id is a number that is used
 * once, in front of the edges that name it; ids need not begin at 0 or leave no gaps.  In a
 * directed graph an edge points from its first id to its second.  What the file states twice must
 * agree: its numbers of vertices and edges, and degrees (a line e from a vertex to itself counts
 * twice there).
 *
 * gSpan files end with "t # -1", which may follow.  A file of several graphs
 * is refused.  Files of GraMi and Peregrine (.lg) have the line t in a comment ("# t 1") or lack
 * it. */
#include "graph/formats/format.h"

#include "base/alloc.h"
#include "base/status.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MAX_FIELDS 5u  /* one more than any line has */
#define WITH_DEGREE 4u /* fields of a line v */

typedef struct tve_degree {
  uint64_t line; /* of the vertex */
  uint64_t stated, counted;
} tve_degree;

typedef struct tve {
  ms_text *text;
  ms_edges *edges;
  uint64_t header;    /* line of t */
  bool has_numbers;   /* "t # ID" has none */
  uint64_t number[2]; /* VERTICES and EDGES, or ID and VERTICES */
  uint64_t first;     /* line of the first v */
  uint32_t v_fields;  /* its fields, which all have; 0 in front of it */
  bool dense;         /* so far vertex v has the id v */
  uint32_t vertices;
  uint64_t lines_e;
  tve_degree *degree; /* [room] of vertex v < vertices; NULL without degrees */
  uint32_t room;
} tve;

/* Returns a text at an earlier line, for messages about that line. */
static ms_text at_line(const ms_text *text, uint64_t line)
{
  ms_text there = *text;
  there.number = line;
  return there;
}

/* ---- lines --------------------------------------------------------------- */

/* Ids are compared as text, so each number must have one spelling. */
static bool take_id(ms_field field, uint64_t *id)
{
  return ms_field_count(field, UINT32_MAX, id) && (field.length == 1 || field.text[0] != '0');
}

static ms_status read_header(tve *t, const ms_field *fields, uint32_t count, ms_error *err)
{
  uint64_t id;
  t->header = t->text->number;
  bool is_tve = count > 1 && ms_field_is(fields[0], "t");
  if (is_tve && ms_field_is(fields[1], "#") &&
      (count == 2 || (count == 3 && ms_field_count(fields[2], UINT64_MAX, &id))))
    return MS_OK;
  t->has_numbers = is_tve && count == 3 && ms_field_count(fields[1], UINT64_MAX, &t->number[0]) &&
                   ms_field_count(fields[2], UINT64_MAX, &t->number[1]);
  return t->has_numbers ? MS_OK
                        : ms_text_fail(t->text, err,
                                       "expected 't VERTICES EDGES', 't ID VERTICES' or 't # ID'; "
                                       "begin the file with such a line");
}

static ms_status check_v_fields(tve *t, uint32_t count, ms_error *err)
{
  if (count < 3 || count > WITH_DEGREE)
    return ms_text_fail(t->text, err,
                        "expected 'v ID LABEL' or 'v ID LABEL DEGREE'; correct the line");
  if (t->v_fields == 0) {
    t->v_fields = count;
    t->first = t->text->number;
  }
  if (count != t->v_fields)
    return ms_text_fail(t->text, err,
                        "expected a vertex %s a degree as in line %" PRIu64 "; give all or none",
                        t->v_fields == WITH_DEGREE ? "with" : "without", t->first);
  if (t->has_numbers && t->vertices == t->number[t->v_fields != WITH_DEGREE])
    return ms_text_fail(t->text, err,
                        "more vertices than the %" PRIu32 " that line %" PRIu64
                        " states; correct its number (%s)",
                        t->vertices, t->header,
                        t->v_fields == WITH_DEGREE ? "with degrees: 't VERTICES EDGES'"
                                                   : "without degrees: 't ID VERTICES'");
  return MS_OK;
}

static ms_status add_degree(tve *t, ms_field field, ms_error *err)
{
  uint64_t stated;
  if (!ms_field_count(field, UINT32_MAX, &stated))
    return ms_text_fail(t->text, err, "the degree is not a whole number; correct it");
  if (!MS_GROW(t->degree, t->room, t->vertices, 1))
    return ms_fail_memory(err, "degrees");
  t->degree[t->vertices] = (tve_degree){t->text->number, stated, 0};
  return MS_OK;
}

static ms_status add_vertex(tve *t, const ms_field *fields, uint32_t count, ms_error *err)
{
  uint64_t id;
  uint32_t v;
  MS_TRY(check_v_fields(t, count, err));
  if (!take_id(fields[1], &id))
    return ms_text_fail(t->text, err,
                        "the vertex is not a number from 0 to 4294967295 without leading zeros; "
                        "number the vertices from 0 on");
  ms_status status = ms_edges_vertex(t->edges, t->text, fields[1], &v, err);
  if (status == MS_OK && v < t->vertices)
    status =
        ms_text_fail(t->text, err, "a second line of vertex %" PRIu64 "; keep one of them", id);
  if (status == MS_OK)
    status = ms_edges_color(t->edges, t->text, v, fields[2], err);
  if (status == MS_OK && count == WITH_DEGREE)
    status = add_degree(t, fields[3], err);
  t->dense = t->dense && id == v;
  t->vertices = ms_names_count(t->edges->names);
  return status;
}

static ms_status find_end(const tve *t, ms_field field, uint32_t *v, ms_error *err)
{
  uint64_t id;
  if (!take_id(field, &id))
    return ms_text_fail(t->text, err,
                        "an edge's end is not a number from 0 to 4294967295 without leading zeros; "
                        "give the number of a vertex");
  if (t->dense)
    *v = id < t->vertices ? (uint32_t)id : MS_NO_ID;
  else
    *v = ms_names_find(t->edges->names, field.text, field.length);
  return *v != MS_NO_ID ? MS_OK
                        : ms_text_fail(t->text, err,
                                       "an edge names vertex %" PRIu64 ", but no line 'v' above it "
                                       "does; add one, or correct the number",
                                       id);
}

static ms_status add_edge(tve *t, const ms_field *fields, uint32_t count, ms_error *err)
{
  uint32_t u, v;
  if (count < 3 || count > 4)
    return ms_text_fail(t->text, err, "expected 'e ID ID' or 'e ID ID LABEL'; correct the line");
  ms_status status = find_end(t, fields[1], &u, err);
  if (status == MS_OK)
    status = find_end(t, fields[2], &v, err);
  if (status == MS_OK)
    status = ms_edges_join_labelled(t->edges, t->text, u, v,
                                    count == 4 ? fields[3] : (ms_field){NULL, 0}, err);
  if (status != MS_OK)
    return status;
  t->lines_e++;
  if (t->degree) {
    t->degree[u].counted++;
    t->degree[v].counted++;
  }
  return MS_OK;
}

/* Reads a second line t, which must be the end mark with nothing behind it. */
static ms_status read_end(tve *t, const ms_field *fields, uint32_t count, ms_error *err)
{
  bool is_end = count == 3 && ms_field_is(fields[1], "#") && ms_field_is(fields[2], "-1");
  ms_status status = is_end ? ms_text_next_data(t->text, err) : MS_OK;
  if (status != MS_OK || !t->text->line)
    return status;
  return ms_text_fail(t->text, err,
                      is_end ? "text follows the end mark 't # -1'; remove it"
                             : "a second graph begins here; give a file of one graph (split it at "
                               "the lines 't')");
}

/* ---- the whole file ------------------------------------------------------ */

static ms_status check_number(const tve *t, uint64_t stated, uint64_t found, const char *what,
                              char letter, ms_error *err)
{
  ms_text header = at_line(t->text, t->header);
  if (stated == found)
    return MS_OK;
  return ms_text_fail(&header, err,
                      "states %" PRIu64 " %s, but %" PRIu64
                      " lines '%c' follow; complete the file, or correct the number",
                      stated, what, found, letter);
}

static ms_status check_sums(const tve *t, ms_error *err)
{
  ms_text header = at_line(t->text, t->header);
  bool degrees = t->v_fields == WITH_DEGREE;
  ms_status status = MS_OK;
  if (t->vertices == 0)
    return ms_text_fail(&header, err, "no line 'v' follows; give a file with a vertex");
  if (t->has_numbers)
    status = check_number(t, t->number[!degrees], t->vertices, "vertices", 'v', err);
  if (status == MS_OK && t->has_numbers && degrees)
    status = check_number(t, t->number[1], t->lines_e, "edges", 'e', err);
  for (uint32_t v = 0; degrees && status == MS_OK && v < t->vertices; v++) {
    const tve_degree *d = &t->degree[v];
    ms_text line = at_line(t->text, d->line);
    if (d->stated != d->counted)
      status = ms_text_fail(&line, err,
                            "states degree %" PRIu64 ", but %" PRIu64
                            " edges end at this vertex; correct it, or complete the edges",
                            d->stated, d->counted);
  }
  return status;
}

static ms_status read_line(tve *t, ms_error *err)
{
  ms_field fields[MAX_FIELDS];
  uint32_t count;
  MS_TRY(ms_text_split(t->text, MS_BLANKS, MAX_FIELDS, fields, &count, err));
  if (t->header == 0 && !ms_field_is(fields[0], "v"))
    return read_header(t, fields, count, err);
  if (t->header == 0)
    t->header = t->text->number; /* a file without a line t, or with one that is a comment */
  if (ms_field_is(fields[0], "v"))
    return add_vertex(t, fields, count, err);
  if (ms_field_is(fields[0], "e"))
    return add_edge(t, fields, count, err);
  if (ms_field_is(fields[0], "t"))
    return read_end(t, fields, count, err);
  return ms_text_fail(t->text, err, "expected a line that begins with 'v' or 'e'; correct it");
}

static ms_status read_tve(ms_text *text, const ms_graph_options *options, ms_edges *edges,
                          ms_error *err)
{
  tve t = {.text = text, .edges = edges, .dense = true};
  (void)options;
  ms_status status = ms_text_next_data(text, err);
  while (status == MS_OK && text->line) {
    status = read_line(&t, err);
    if (status == MS_OK && text->line)
      status = ms_text_next_data(text, err);
  }
  if (status == MS_OK && t.header > 0)
    status = check_sums(&t, err);
  ms_free(t.degree);
  return status;
}

/* ---- writing ------------------------------------------------------------- */

/* Checks that each vertex has one label, without blanks: the lines can express no more. */
static ms_status check_colors(const ms_graph *graph, const ms_coloring *coloring, ms_error *err)
{
  for (uint32_t v = 0; v < graph->n; v++) {
    uint32_t count;
    const uint32_t *color = ms_coloring_of(coloring, v, &count);
    const char *name = ms_names_get(graph->names, v);
    int clip = ms_name_clip(name, strlen(name));
    if (count != 1)
      return ms_fail(err, MS_ERR_USAGE,
                     "the vertex '%.*s' has %" PRIu32
                     " colours, and tve holds exactly one for each "
                     "vertex; give it one, leave the colours out, or choose a format that holds "
                     "lists of colours",
                     clip, name, count);
    const char *label = ms_coloring_name(coloring, *color);
    if (strchr(label, ' '))
      return ms_fail(
          err, MS_ERR_USAGE,
          "the colour '%.*s' of the vertex '%.*s' holds a blank, which tve cannot express; "
          "rename it, or choose another format",
          ms_name_clip(label, strlen(label)), label, clip, name);
  }
  return MS_OK;
}

/* Every vertex needs a label: without colours it is 0. */
static ms_status write_tve(const ms_graph *graph, const ms_coloring *coloring, ms_outfile *out,
                           ms_error *err)
{
  uint32_t count;
  ms_status status = coloring ? check_colors(graph, coloring, err) : MS_OK;
  if (status != MS_OK)
    return status;
  ms_outfile_printf(out, "t %" PRIu32 " %" PRIu64 "\n", graph->n, graph->arcs / 2);
  for (uint32_t v = 0; v < graph->n && !ms_outfile_failed(out); v++)
    ms_outfile_printf(out, "v %" PRIu32 " %s %" PRIu64 "\n", v,
                      coloring ? ms_coloring_name(coloring, *ms_coloring_of(coloring, v, &count))
                               : "0",
                      graph->offset[v + 1] - graph->offset[v]);
  for (uint32_t v = 0; v < graph->n && !ms_outfile_failed(out); v++)
    for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++)
      if (graph->neighbor[a] > v)
        ms_outfile_printf(out, "e %" PRIu32 " %" PRIu32 "\n", v, graph->neighbor[a]);
  return MS_OK;
}

const ms_format ms_format_tve = {
    .info = {.name = "tve",
             .about = "lines t, v and e of subgraph matchers and gSpan; labels are colours",
             .example = "t 3 2\nv 0 7 1\nv 1 8 2\nv 2 7 1\ne 0 1\ne 1 2\n",
             .suffix = ".tve",
             .writable = true,
             .numbered = true,
             .first_number = 0,
             .holds_colors = true},
    .typed = {.name = "tve",
              .about = "lines t, v and e, with the label of an edge after its two vertices",
              .example = "t # 0\nv 0 C\nv 1 C\nv 2 O\ne 0 1 single\ne 1 2 double\n"},
    .options = MS_HAS_DIRECTION,
    .read = read_tve,
    .write = write_tve};
