/* Graphs with a motif, as the published codes for the graph motif problem read and generate them
 * (Björklund, Kaski, Kowalik and Lauri 2015; Kaski, Lauri and Thejaswi 2018):
 *
 *   # a comment
 *   p motif 4 3      vertices, edges; vertices and colours are numbers from 1
 *   e 1 2
 *   e 2 3
 *   e 3 4
 *   n 1 1            VERTEX COLOUR, once for each vertex
 *   n 2 2
 *   n 3 1
 *   n 4 3
 *   k 3 1 2 3        the motif: its size and the colours of its slots
 *   t unique 2 3 4   the target: the vertices of the only match, or "t count C": C matches
 *
 * '#' begins a comment anywhere in a line.  The line p comes first, the motif after it, and the
 * target, which may be missing, after the motif.  Codes for temporal graphs use the same words with
 * more numbers; their files are refused, because times would be lost. */
#include "graph/formats/format.h"
#include "graph/given_motif.h"
#include "graph/io/counted.h"

#include "base/alloc.h"
#include "base/status.h"
#include "graph/sort_ids.h"

#include <inttypes.h>
#include <string.h>

#define MAX_FIELDS (MS_MAX_K + 4) /* more than the longest line has that is not refused */

typedef struct reader {
  ms_text *text;
  ms_edges *edges;
  uint64_t n, m;
  uint64_t header; /* the line p; 0: not read yet */
  uint64_t lines;  /* e */
  uint8_t *seen;   /* [n] 1: the vertex has a colour */
} reader;

static ms_status read_header(reader *r, const ms_field *fields, uint32_t count, ms_error *err)
{
  if (r->header > 0)
    return ms_text_fail(r->text, err, "a second line 'p'; give one graph per file");
  if (count < 4 || !ms_field_is(fields[1], "motif"))
    return ms_text_fail(r->text, err, "expected 'p motif VERTICES EDGES'; correct the line");
  if (count > 4)
    return ms_text_fail(r->text, err,
                        "%u numbers follow 'p motif', as in files of temporal graphs, whose times "
                        "are not read; give 'p motif VERTICES EDGES' and edges without times",
                        count - 2);
  MS_TRY(ms_numbered_count(r->text, fields[2], MS_MAX_NAMES, "number of vertices", &r->n, err));
  MS_TRY(ms_numbered_count(r->text, fields[3], UINT64_MAX, "number of edges", &r->m, err));
  if (r->n == 0)
    return ms_text_fail(r->text, err, "the graph has no vertices; give one that has");
  r->header = r->text->number;
  MS_TRY(ms_edges_number(r->edges, r->text, 1, r->n, err));
  r->seen = ms_calloc(r->n, 1);
  return r->seen ? MS_OK : ms_fail_memory(err, "vertices being read");
}

static ms_status read_edge(reader *r, const ms_field *fields, uint32_t count, ms_error *err)
{
  uint32_t u, v;
  if (count != 3)
    return ms_text_fail(r->text, err,
                        "expected 'e VERTEX VERTEX'; correct the line (times of edges are not "
                        "read)");
  MS_TRY(ms_numbered_vertex(r->text, fields[1], r->n, &u, err));
  MS_TRY(ms_numbered_vertex(r->text, fields[2], r->n, &v, err));
  r->lines++;
  return ms_edges_join(r->edges, u, v, err);
}

/* Colours are compared as text, so each number must have one spelling. */
static ms_status check_color(const reader *r, ms_field field, ms_error *err)
{
  uint64_t number;
  if (ms_field_count(field, UINT32_MAX, &number) && field.text[0] != '0')
    return MS_OK;
  return ms_text_fail(r->text, err,
                      "a colour is not a number from 1 to 4294967295 without leading zeros; number "
                      "the colours from 1 on");
}

static ms_status read_color(reader *r, const ms_field *fields, uint32_t count, ms_error *err)
{
  uint32_t v;
  if (count != 3)
    return ms_text_fail(r->text, err, "expected 'n VERTEX COLOUR'; correct the line");
  MS_TRY(ms_numbered_vertex(r->text, fields[1], r->n, &v, err));
  MS_TRY(check_color(r, fields[2], err));
  if (r->seen[v])
    return ms_text_fail(r->text, err, "a second colour of vertex %" PRIu32 "; keep one of them",
                        v + 1);
  r->seen[v] = 1;
  return ms_edges_color(r->edges, r->text, v, fields[2], err);
}

/* The colour of a slot need not be the colour of a vertex. */
static ms_status read_slot(reader *r, ms_field field, uint32_t *color, ms_error *err)
{
  MS_TRY(check_color(r, field, err));
  if (!r->edges->color_names)
    MS_TRY(ms_names_new(&r->edges->color_names, err));
  return ms_names_add(r->edges->color_names, field.text, field.length, color, err);
}

static ms_status read_motif(reader *r, const ms_field *fields, uint32_t count, ms_error *err)
{
  uint64_t k;
  if (r->edges->motif)
    return ms_text_fail(r->text, err, "a second motif; keep one of them");
  if (count < 2)
    return ms_text_fail(r->text, err, "expected 'k SIZE COLOUR...'; correct the line");
  MS_TRY(ms_numbered_count(r->text, fields[1], UINT32_MAX, "size of the motif", &k, err));
  if (k == 0 || k > r->n || k > MS_MAX_K)
    return ms_text_fail(r->text, err,
                        "a motif of %" PRIu64 " colours in a graph of %" PRIu64
                        " vertices; give 1 to %u colours, and no more than there are vertices",
                        k, r->n, MS_MAX_K);
  if (count != k + 2)
    return ms_text_fail(r->text, err,
                        "the motif has %" PRIu64 " colours, but %" PRIu32
                        " follow its size; correct one of them",
                        k, count - 2);
  ms_given_motif *motif = r->edges->motif = ms_calloc(1, sizeof *motif);
  if (!motif)
    return ms_fail_memory(err, "a motif");
  for (; motif->k < k; motif->k++)
    MS_TRY(read_slot(r, fields[2 + motif->k], &motif->color[motif->k], err));
  return MS_OK;
}

static ms_status read_unique(reader *r, const ms_field *fields, uint32_t count, ms_error *err)
{
  ms_given_motif *motif = r->edges->motif;
  if (count != motif->k + 2)
    return ms_text_fail(r->text, err,
                        "expected the %" PRIu32 " vertices of the only match, found %" PRIu32
                        "; correct the line",
                        motif->k, count - 2);
  for (uint32_t i = 0; i < motif->k; i++)
    MS_TRY(ms_numbered_vertex(r->text, fields[2 + i], r->n, &motif->vertex[i], err));
  ms_sort_ids_short(motif->vertex, motif->k);
  for (uint32_t i = 1; i < motif->k; i++)
    if (motif->vertex[i - 1] == motif->vertex[i])
      return ms_text_fail(r->text, err,
                          "vertex %" PRIu32 " occurs twice among those of the match; correct it",
                          motif->vertex[i] + 1);
  motif->target = MS_TARGET_UNIQUE;
  return MS_OK;
}

static ms_status read_target(reader *r, const ms_field *fields, uint32_t count, ms_error *err)
{
  ms_given_motif *motif = r->edges->motif;
  if (!motif)
    return ms_text_fail(r->text, err, "the motif, a line 'k', must come before its target; add it");
  if (motif->target != MS_TARGET_NONE)
    return ms_text_fail(r->text, err, "a second target; keep one of them");
  if (count >= 2 && ms_field_is(fields[1], "unique"))
    return read_unique(r, fields, count, err);
  if (count != 3 || !ms_field_is(fields[1], "count"))
    return ms_text_fail(r->text, err,
                        "expected 't unique VERTEX...' or 't count NUMBER'; correct the line");
  MS_TRY(
      ms_numbered_count(r->text, fields[2], UINT64_MAX, "number of matches", &motif->count, err));
  motif->target = MS_TARGET_COUNT;
  return MS_OK;
}

static ms_status read_line(reader *r, ms_error *err)
{
  ms_field fields[MAX_FIELDS];
  uint32_t count;
  char *comment = memchr(r->text->line, '#', r->text->length);
  if (comment) {
    r->text->length = (size_t)(comment - r->text->line);
    *comment = '\0';
  }
  MS_TRY(ms_text_split(r->text, MS_BLANKS, MAX_FIELDS, fields, &count, err));
  if (count == 0 || fields[0].length == 0)
    return MS_OK;
  if (ms_field_is(fields[0], "p"))
    return read_header(r, fields, count, err);
  if (r->header == 0)
    return ms_text_fail(r->text, err,
                        "the line 'p motif VERTICES EDGES' must come first; add it in front");
  if (ms_field_is(fields[0], "e"))
    return read_edge(r, fields, count, err);
  if (ms_field_is(fields[0], "n"))
    return read_color(r, fields, count, err);
  if (ms_field_is(fields[0], "k"))
    return read_motif(r, fields, count, err);
  if (ms_field_is(fields[0], "t"))
    return read_target(r, fields, count, err);
  return ms_text_fail(r->text, err,
                      "expected a line that begins with p, e, n, k or t; correct or remove it");
}

static ms_status check_whole(const reader *r, ms_error *err)
{
  const char *label = r->text->label;
  if (r->header == 0)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: holds no line 'p motif VERTICES EDGES'; give a graph with a motif", label);
  if (r->lines != r->m)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s:%" PRIu64 ": states %" PRIu64 " edges, but there are %" PRIu64
                   " lines 'e'; complete the file, or correct the number",
                   label, r->header, r->m, r->lines);
  const uint8_t *without = memchr(r->seen, 0, r->n);
  if (without)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: vertex %" PRIu64 " has no colour; add a line 'n %" PRIu64 " COLOUR'", label,
                   (uint64_t)(without - r->seen) + 1, (uint64_t)(without - r->seen) + 1);
  if (!r->edges->motif)
    return ms_fail(err, MS_ERR_INPUT, "%s: holds no motif; add a line 'k SIZE COLOUR...'", label);
  return MS_OK;
}

static ms_status read_motif_graph(ms_text *text, const ms_graph_options *options, ms_edges *edges,
                                  ms_error *err)
{
  (void)options;
  reader r = {.text = text, .edges = edges};
  ms_status status = ms_text_next(text, err);
  while (status == MS_OK && text->line) {
    status = read_line(&r, err);
    if (status == MS_OK)
      status = ms_text_next(text, err);
  }
  if (status == MS_OK)
    status = check_whole(&r, err);
  ms_free(r.seen);
  return status;
}

const ms_format ms_format_motif = {
    .info = {.name = "motif",
             .about = "graph, colours, motif and target of the published motif search codes: "
                      "lines p motif, e, n, k and t",
             .example = "p motif 3 2\ne 1 2\ne 2 3\nn 1 1\nn 2 2\nn 3 1\nk 2 1 2\nt count 2\n",
             .suffix = ".motif",
             .numbered = true,
             .first_number = 1},
    .read = read_motif_graph};
