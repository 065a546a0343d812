/* A table of edges between tabs, below a header that names the columns:
 *
 *   #relation:<TAB>regulates<TAB>^regulates
 *   source<TAB>type<TAB>target<TAB>source_type<TAB>target_type
 *   TP53<TAB>regulates<TAB>MDM2<TAB>gene<TAB>gene
 *   alone<TAB><TAB><TAB>gene<TAB>
 *
 * The lines of relations above the header are optional; they state what a table of relations can
 * state, too.  Only the columns source, target and type are required.  A line without type and
 * target is a vertex.
 *
 * In a plain graph the types of vertices become its colours, and types of edges are dropped.  It
 * may keep scores: of the edges of all types between two vertices, the greatest one.
 * "filter" writes such a table, so that all commands can read it. */
#include "base/alloc.h"
#include "base/file/outfile.h"
#include "base/status.h"
#include "graph/edge_scores.h"
#include "graph/formats/detect.h"
#include "graph/formats/format.h"
#include "graph/formats/typed/typed_load.h"
#include "graph/formats/typed/typed_plain.h"
#include "graph/formats/typed/typed_read.h"
#include "graph/io/columns.h"
#include "graph/io/edges/directions.h"
#include "graph/io/sample.h"
#include "graph/io/scores.h"
#include "graph/io/sections.h"
#include "graph/io/titles.h"
#include "graph/io/writers.h"

#include <string.h>

/* What belongs together has the same place in both lists. */
static const char *const sources[] = {"source",        "source_id", "source_node", "source_name",
                                      "from",          "subject",   "head",        "start",
                                      "participant_a", ":START_ID", NULL};
static const char *const targets[] = {
    "target", "target_id", "target_node",   "target_name", "to", "object",
    "tail",   "end",       "participant_b", ":END_ID",     NULL};
static const char *const source_types[] = {"source_type", "source_kind", "from_type",
                                           "subject_type", NULL};
static const char *const target_types[] = {"target_type", "target_kind", "to_type", "object_type",
                                           NULL};

const char *const *const ms_table_names[MS_TABLE_COLUMNS] = {
    [MS_TABLE_SOURCE] = sources,           [MS_TABLE_TYPE] = ms_type_titles,
    [MS_TABLE_TARGET] = targets,           [MS_TABLE_SOURCE_TYPE] = source_types,
    [MS_TABLE_TARGET_TYPE] = target_types,
};

typedef struct table {
  uint32_t place[MS_TABLE_COLUMNS]; /* MS_NO_COLUMN: there is none */
  uint32_t score;                   /* the same; MS_NO_COLUMN: scores are not read */
  uint32_t direction;               /* the column of directions, or MS_NO_COLUMN */
  bool own;                         /* lines state relations, as this program writes them: signs for
                                       missing values may be types */
  bool signs;                       /* types are '+' and '-' */
  ms_scores scores;
  ms_table_columns row;
} table;

/* ---- the header ------------------------------------------------------------ */

/* Finds sources and targets whose titles belong together: a column "source" beside participants may
 * hold where a line is from. */
static void find_ends(table *t)
{
  for (uint32_t i = 0; sources[i]; i++) {
    const char *const titles[2][2] = {{sources[i]}, {targets[i]}};
    uint32_t ends[2];
    for (int e = 0; e < 2; e++)
      ends[e] = ms_column_usual(t->row.field, t->row.count, titles[e]);
    if (ends[0] == MS_NO_COLUMN || ends[1] == MS_NO_COLUMN)
      continue;
    t->place[MS_TABLE_SOURCE] = ends[0];
    t->place[MS_TABLE_TARGET] = ends[1];
    return;
  }
}

static ms_status find_columns(const ms_text *text, const ms_typed_options *o, table *t,
                              ms_error *err)
{
  const ms_column_choice choices[MS_TABLE_COLUMNS] = {
      [MS_TABLE_SOURCE] = {o->source_column, ms_table_names[MS_TABLE_SOURCE], "column of sources",
                           "source column"},
      [MS_TABLE_TYPE] = {o->type_column, ms_table_names[MS_TABLE_TYPE], "column of types",
                         "type column"},
      [MS_TABLE_TARGET] = {o->target_column, ms_table_names[MS_TABLE_TARGET], "column of targets",
                           "target column"},
      [MS_TABLE_SOURCE_TYPE] = {o->source_type_column, ms_table_names[MS_TABLE_SOURCE_TYPE],
                                "column of types of sources", "source type column"},
      [MS_TABLE_TARGET_TYPE] = {o->target_type_column, ms_table_names[MS_TABLE_TARGET_TYPE],
                                "column of types of targets", "target type column"}};
  bool none = o->type_column && strcmp(o->type_column, "none") == 0 &&
              ms_column_usual(t->row.field, t->row.count, (const char *const[]){"none", NULL}) ==
                  MS_NO_COLUMN;
  ms_status status = MS_OK;
  for (int c = 0; c < MS_TABLE_COLUMNS && status == MS_OK; c++) {
    t->place[c] = MS_NO_COLUMN;
    if (c == MS_TABLE_TYPE && none)
      continue;
    status = ms_column_find(text, &t->row, &choices[c], &t->place[c], err);
    if (status == MS_OK && c <= MS_TABLE_TARGET && t->place[c] == MS_NO_COLUMN)
      status = ms_text_fail(text, err,
                            "the header has no %s such as '%s'; choose the %s by name or number%s",
                            choices[c].what, ms_table_names[c][0], choices[c].option,
                            c == MS_TABLE_TYPE ? ", or 'none' for edges without types" : "");
  }
  if (status == MS_OK && !o->source_column && !o->target_column)
    find_ends(t);
  if (status == MS_OK && t->place[MS_TABLE_SOURCE] == t->place[MS_TABLE_TARGET])
    status = ms_text_fail(text, err,
                          "sources and targets would both be column %u; choose two "
                          "columns",
                          t->place[MS_TABLE_SOURCE] + 1);
  return status;
}

static ms_status find_score(const ms_text *text, const ms_graph_options *o, table *t, ms_error *err)
{
  const ms_column_choice choice = {o->score_column, ms_score_titles, "column of scores",
                                   "score column (`score_column`)"};
  t->score = MS_NO_COLUMN;
  t->scores = (ms_scores){
      .least = ms_least_score(o->min_score), .kept = o->keep_scores, .watched = !o->combine};
  bool counted = o->combine && strcmp(o->combine, "count") == 0 && !o->score_column;
  if ((!(o->min_score > 0) && !o->score_column && !o->keep_scores) || counted)
    return MS_OK;
  MS_TRY(ms_column_find(text, &t->row, &choice, &t->score, err));
  if (t->score == MS_NO_COLUMN)
    return ms_text_fail(text, err,
                        "%s, but no column is called 'score' or 'weight'; choose the score column "
                        "(`score_column`), by name or number",
                        o->min_score > 0 ? "a minimum score is given" : "scores are wanted");
  for (int c = 0; c < MS_TABLE_COLUMNS; c++)
    if (t->place[c] == t->score)
      return ms_text_fail(text, err,
                          "column %u holds no scores; choose another score column "
                          "(`score_column`)",
                          t->score + 1);
  return MS_OK;
}

static ms_status refuse_directions(const ms_text *text, uint32_t column, ms_error *err)
{
  return ms_text_fail(text, err,
                      "column %u says which way each edge points, and in a table all edges of a "
                      "type have a direction, or none; read it as an edge list (`format` "
                      "edge-list), or ignore the column (`direction_column` none)",
                      column + 1);
}

/* A relation has a direction or none; a column of directions would be ignored. */
static ms_status check_direction(const ms_text *text, const ms_graph_options *o, table *t,
                                 ms_error *err)
{
  const char *chosen = o->direction_column;
  t->direction = chosen && strcmp(chosen, "none") == 0
                     ? MS_NO_COLUMN
                     : ms_column_usual(t->row.field, t->row.count, ms_direction_titles);
  return o->directed && t->direction != MS_NO_COLUMN ? refuse_directions(text, t->direction, err)
                                                     : MS_OK;
}

/* Without `directed`, edges that point one way would be read as edges both ways. */
static ms_status check_way(const ms_text *text, const table *t, ms_error *err)
{
  if (t->direction == MS_NO_COLUMN || t->direction >= t->row.count)
    return MS_OK;
  ms_field word = t->row.field[t->direction];
  ms_direction way = ms_arrow_direction(word);
  if (way == MS_DIRECTION_UNKNOWN)
    way = ms_word_direction(word, false);
  return way == MS_DIRECTION_ON || way == MS_DIRECTION_BACK
             ? refuse_directions(text, t->direction, err)
             : MS_OK;
}

static ms_status read_relation(const ms_text *text, ms_edges *edges, ms_error *err)
{
  const ms_place place = {text->label, text->number};
  ms_field fields[4];
  uint32_t count = ms_line_columns((ms_field){text->line, text->length}, 4, fields);
  if (count != 3)
    return ms_text_fail(
        text, err,
        "expected '#relation:', a type and its inverse, separated by tabs, found %u "
        "fields; write the type twice if it has no direction",
        count);
  return ms_relations_set_inverse(&edges->types->relations, &place, fields[1], fields[2], err);
}

/* Reads the lines of relations, and moves to the header. */
static ms_status find_header(ms_text *text, ms_edges *edges, ms_error *err)
{
  do {
    MS_TRY(ms_text_next(text, err));
    if (text->line && strncmp(text->line, MS_RELATION_MARK, sizeof MS_RELATION_MARK - 1) == 0)
      MS_TRY(read_relation(text, edges, err));
  } while (text->line && !ms_line_holds_data(text->line, text->length));
  return MS_OK;
}

/* ---- lines ----------------------------------------------------------------- */

/* Returns a cell of the line; where there is no such column it is empty, and its text NULL. */
static ms_field cell(const table *t, int column)
{
  return t->place[column] == MS_NO_COLUMN ? (ms_field){NULL, 0} : t->row.field[t->place[column]];
}

/* Adds the edge or vertex of a line.  Where only one end has a column of types, the types of the
 * other end are unknown. */
static ms_status add_line(const ms_text *text, ms_edges *edges, table *t, ms_error *err)
{
  MS_TRY(ms_columns_split_all(&t->row, text, 2, err));
  MS_TRY(check_way(text, t, err));
  ms_edge_line line = {.source = cell(t, MS_TABLE_SOURCE),
                       .target = cell(t, MS_TABLE_TARGET),
                       .type = cell(t, MS_TABLE_TYPE),
                       .source_type = cell(t, MS_TABLE_SOURCE_TYPE),
                       .target_type = cell(t, MS_TABLE_TARGET_TYPE)};
  for (int i = 0; i < 2 && !t->own; i++) {
    ms_field *type = i ? &line.target_type : &line.source_type;
    if (ms_field_missing(*type))
      type->text = NULL;
  }
  if (!t->own && line.type.length > 0 && ms_field_missing(line.type) &&
      !(t->signs && ms_field_is(line.type, "-")))
    line.type = (ms_field){"*", 1};
  if (line.target.length == 0 && line.type.length == 0 && line.type.text)
    return ms_edges_alone(edges, text, line.source, &line.source_type, err);
  bool keep = true;
  if (t->score != MS_NO_COLUMN)
    MS_TRY(ms_scores_add(&t->scores, text, edges, t->row.field[t->score], line.source, line.target,
                         &keep, err));
  if (t->score == MS_NO_COLUMN && edges->combine == MS_COMBINE_COUNT)
    MS_TRY(ms_edges_score(edges, 1, err));
  if (!line.type.text)
    line.type = (ms_field){"edge", 4};
  return keep ? ms_edges_add_typed(edges, text, &line, err) : MS_OK;
}

static ms_delimiter tab(const ms_text *text)
{
  (void)text;
  return MS_TAB;
}

static ms_status read_table(ms_text *text, const ms_graph_options *options, ms_edges *edges,
                            ms_error *err)
{
  table t = {.row = {.count = 0}};
  ms_sample *sample;
  MS_TRY(ms_sample_read(text, tab, &sample, err));
  ms_status status = find_header(text, edges, err);
  if (status == MS_OK && !text->line)
    status =
        ms_fail(err, MS_ERR_INPUT, "%s: holds no edges; give a table with a header", text->label);
  if (status == MS_OK)
    status = ms_columns_split(&t.row, text, 2, err);
  if (status == MS_OK)
    status = find_columns(text, edges->types->options, &t, err);
  if (status == MS_OK)
    t.signs = ms_sample_has_sign(sample, t.place[MS_TABLE_TYPE]);
  ms_sample_free(sample);
  MS_TRY(status);
  t.own = ms_names_count(edges->types->relations.words) > 0;
  MS_TRY(check_direction(text, options, &t, err));
  MS_TRY(find_score(text, options, &t, err));
  MS_TRY(ms_text_next_data(text, err));
  const ms_section section = {.delimiter = MS_TAB,
                              .columns = t.row.wanted,
                              .uniform = UINT64_MAX,
                              .titled = true,
                              .format = "edge-list"};
  while (text->line) {
    MS_TRY(add_line(text, edges, &t, err));
    MS_TRY(ms_section_next(text, &section, edges, err));
  }
  ms_scores_end(&t.scores, t.score, edges);
  return MS_OK;
}

/* ---- as a plain graph ------------------------------------------------------ */

/* Gives the graph the colours as those of its file. */
static ms_status take_colors(ms_coloring *coloring, ms_graph *graph, ms_error *err)
{
  ms_status status = MS_OK;
  for (uint32_t v = 0; v < coloring->n && status == MS_OK; v++)
    for (uint64_t i = coloring->offset[v]; i < coloring->offset[v + 1] && status == MS_OK; i++)
      status = ms_pairs_add(&graph->colors, v, coloring->color[i], err);
  if (status == MS_OK && graph->colors.count > 0) {
    graph->color_names = coloring->names;
    coloring->names = NULL;
    graph->info.colored = true;
  }
  return status;
}

/* Records which types of edges the graph does not keep. */
static ms_status take_labels(const ms_typed *typed, ms_graph *graph, ms_error *err)
{
  const ms_typed_rows *rows = &typed->rows;
  bool *seen = ms_calloc(ms_names_count(typed->arc_types), sizeof *seen);
  ms_status status =
      seen ? ms_names_new(&graph->edge_labels, err) : ms_fail_memory(err, "types of edges");
  for (uint64_t a = 0; a < rows->arcs && status == MS_OK; a++) {
    if (seen[rows->type[a]])
      continue;
    seen[rows->type[a]] = true;
    ms_type t =
        ms_typed_is_second(typed, rows->type[a]) ? typed->inverse[rows->type[a]] : rows->type[a];
    const char *name = ms_typed_arc_type_name(typed, t);
    uint32_t id;
    status = ms_names_add(graph->edge_labels, name, strlen(name), &id, err);
  }
  ms_free(seen);
  if (status != MS_OK)
    return status;
  graph->info.edge_labels = ms_names_count(graph->edge_labels);
  return MS_OK;
}

ms_status ms_typed_as_plain_graph(const ms_typed *graph, bool directed, int threads, ms_graph **out,
                                  ms_error *err)
{
  ms_coloring *coloring = NULL;
  MS_TRY(ms_typed_plain_graph(graph, directed, threads, out, err));
  ms_status status = take_labels(graph, *out, err);
  if (status == MS_OK)
    status = ms_typed_plain_colors(graph, &coloring, err);
  if (status == MS_OK)
    status = take_colors(coloring, *out, err);
  ms_coloring_free(coloring);
  return status;
}

static ms_status load(const char *path, ms_text *text, const ms_graph_options *options,
                      ms_graph **out, ms_error *err)
{
  /* a sum is one of all lines of a pair */
  bool joins = options->combine && strcmp(options->combine, "max") != 0;
  ms_typed_options typed = {.size = sizeof(ms_typed_options),
                            .format = MS_TYPED_TABLE,
                            .directed = options->directed,
                            .run.threads = options->run.threads,
                            .source_column = options->source_column,
                            .target_column = options->target_column,
                            .min_score = options->min_score,
                            .score_column = options->score_column,
                            .combine = options->combine,
                            .type_column = joins ? "none" : NULL,
                            .direction_column = options->direction_column};
  ms_typed *graph = NULL;
  ms_scored_edges scored = {0};
  ms_status status = ms_typed_load_scored(path, text, MS_TYPED_TABLE, read_table, &typed,
                                          options->keep_scores ? &scored : NULL, &graph, err);
  if (status == MS_OK && graph->rows.n == 0)
    status =
        ms_fail(err, MS_ERR_INPUT,
                "%s: the table has neither edges nor vertices; give one that has", text->label);
  if (status == MS_OK)
    status = ms_typed_as_plain_graph(graph, options->directed, options->run.threads, out, err);
  if (status == MS_OK && scored.count > 0)
    status = ms_graph_score_edges(*out, scored.count, (const uint32_t(*)[2])scored.pair,
                                  scored.score, options->run.threads, err);
  ms_scored_edges_free(&scored);
  if (status == MS_OK) {
    (*out)->info.below_score = graph->info.below_score;
    (*out)->info.layout = graph->info.layout;
  }
  ms_typed_free(graph);
  return status;
}

/* ---- writing --------------------------------------------------------------- */

/* Vertex numbers survive: each edge is written with the end that has the larger number, and a
 * vertex without an edge to itself or to a smaller one has a line before others name it. */

/* Refuses sets of colours: read back, "a|b" would be one colour of this name. */
static ms_status check_sets(const ms_typed *graph, ms_error *err)
{
  for (uint32_t t = 0; graph->joins_colors && t < ms_names_count(graph->vertex_types); t++) {
    const char *name = ms_names_get(graph->vertex_types, t);
    if (strchr(name, '|'))
      return ms_fail(err, MS_ERR_USAGE,
                     "some vertex has several colours, '%.*s', and a table of typed edges gives "
                     "each vertex one type; write another format that holds colours, such as the "
                     "typed binary form (typed-binary)",
                     ms_name_clip(name, strlen(name)), name);
  }
  return MS_OK;
}

static ms_status check_names(const ms_typed *graph, ms_error *err)
{
  static const char format[] = "a table of typed edges";
  ms_status status = ms_check_name_table(graph->names, "vertex", "\t", "#!%", format, err);
  if (status == MS_OK)
    status = ms_check_name_table(graph->vertex_types, "type", "\t", "", format, err);
  return status == MS_OK ? ms_check_name_table(graph->arc_types, "type", "\t", "", format, err)
                         : status;
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
  MS_REQUIRE(graph, err);
  MS_REQUIRE(path, err);
  return ms_typed_write_table(graph, path, true, err);
}

ms_status ms_typed_write_table(const ms_typed *graph, const char *path, bool numbers, ms_error *err)
{
  ms_outfile *out;
  ms_status status = check_sets(graph, err);
  if (status == MS_OK)
    status = check_names(graph, err);
  if (status == MS_OK)
    status = ms_outfile_open(path, &out, err);
  if (status != MS_OK)
    return status;
  ms_outfile_watch(out);
  for (uint32_t t = 0; t < ms_names_count(graph->arc_types); t++)
    if (!ms_typed_is_second(graph, (ms_type)t))
      ms_outfile_printf(out, MS_RELATION_MARK "%s\t%s\n", ms_typed_arc_type_name(graph, t),
                        ms_typed_arc_type_name(graph, graph->inverse[t]));
  ms_outfile_puts(out, "source\ttype\ttarget\tsource_type\ttarget_type\n");
  for (uint32_t v = 0; v < graph->rows.n && !ms_outfile_failed(out); v++)
    put_row(graph, v, numbers, out);
  return ms_outfile_commit(out, err);
}

const ms_format ms_format_table = {
    .info = {.name = "table",
             .about = "columns separated by tabs, named by a header: source, type, target, "
                      "source_type, target_type; types of vertices become colours, and types of "
                      "edges are dropped",
             .example = "source\ttype\ttarget\tsource_type\ttarget_type\n"
                        "TP53\tregulates\tMDM2\tgene\tgene\n",
             .suffix = ".tsv"},
    .typed = {.name = "table",
              .about = "columns separated by tabs, named by a header; lines of relations and their "
                       "inverses may stand above it",
              .example = "#relation:\tregulates\t^regulates\n"
                         "source\ttype\ttarget\tsource_type\ttarget_type\n"
                         "TP53\tregulates\tMDM2\tgene\tgene\n"},
    .options = MS_HAS_HEADER | MS_HAS_COLUMNS | MS_HAS_SCORE | MS_HAS_KEPT_SCORES |
               MS_HAS_DIRECTION | MS_HAS_COMBINE,
    .read = read_table,
    .load = load};
