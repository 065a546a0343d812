/* Reads the inputs of a result as its header says, and compares them with the header. */
#include "verify/certificate.h"

#include "base/alloc.h"
#include "base/status.h"
#include "query/query.h"
#include "result/columns.h"

#include <string.h>
#include <unistd.h>

/* ---- how to read -------------------------------------------------------------------- */

/* Settings of readers, which a result's header states: what readers of plain graphs and of typed
 * ones share, and what each has beside. */
#define COLUMN_READING(F)                                                                          \
  F(source_column) F(target_column) F(score_column) F(direction_column) F(combine)
#define SHARED_READING(F)                                                                          \
  F(min_score) F(header) F(names) F(color_attribute) F(directed) F(no_header) COLUMN_READING(F)
#define GRAPH_READING(F) F(format) F(keep_taxon) F(taxon) F(system) F(keep_scores) SHARED_READING(F)
#define COLOR_READING(F)                                                                           \
  F(format) F(aspects) F(header) F(name_column) F(color_column) F(slim) F(separator)
#define TYPE_READING(F) F(type_column) F(source_type_column) F(target_type_column)
#define TYPED_READING(F)                                                                           \
  F(format) F(node_name_column) F(node_type_column) TYPE_READING(F) SHARED_READING(F)
/* Takes a setting from the header unless the caller has given it. */
#define TAKE_STATED(setting) o.setting = o.setting ? o.setting : stated->setting;
#define OR_GIVEN(setting) || own->setting

ms_graph_options ms_graph_reading(const ms_certificate *c)
{
  const ms_graph_options *stated = &c->result.header.graph;
  ms_graph_options o = c->options->graph;
  GRAPH_READING(TAKE_STATED)
  return o;
}

ms_color_options ms_color_reading(const ms_certificate *c)
{
  const ms_color_options *stated = &c->result.header.coloring;
  ms_color_options o = c->options->colors;
  COLOR_READING(TAKE_STATED)
  o.ignore_unknown = o.ignore_unknown || stated->ignore_unknown;
  return o;
}

static ms_typed_options typed_options(const ms_certificate *c)
{
  const ms_typed_options *stated = &c->result.header.typed.reading;
  ms_typed_options o = c->options->typed;
  TYPED_READING(TAKE_STATED)
  return o;
}

/* ---- what is given ------------------------------------------------------------------ */

/* A file that the result may have been made with. */
typedef struct input_file {
  bool asked; /* this kind of result can have such a file */
  const char *option;
  bool given;
  const char *path; /* path that the header states, or NULL */
} input_file;

/* Checks that the file is given if and only if the result was made with one; the header then states
 * its path.  Whether it is the same file is checked later. */
static ms_status check_file(const ms_certificate *c, const input_file *file, ms_error *err)
{
  if (file->asked && file->path && !file->given)
    return ms_fail(err, MS_ERR_USAGE, "%s: the result was made with %s %.200s; give it",
                   c->result.path, file->option, file->path);
  if (file->asked && file->given && !file->path)
    return ms_fail(err, MS_ERR_USAGE, "%s: the result was made without %s; leave it out",
                   c->result.path, file->option);
  return MS_OK;
}

static ms_status check_pattern_given(const ms_certificate *c, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  if (h->has & MS_HAS_INEXACT && !c->result.reads_all)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: the result is one of an inexact search: its rows need not be matches, so "
                   "there is nothing to verify; make one by an exact search",
                   c->result.path);
  if (c->options->pattern && !c->report->is_pattern)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: the result is one of %s, and has no pattern; leave out `pattern`",
                   c->result.path, ms_kind_of(h->kind)->subject);
  if (!c->options->pattern && c->report->is_typed)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: the result lists the matches of a typed pattern; give it with `pattern` "
                   "'%.300s'",
                   c->result.path, h->pattern.file.path);
  if (!c->options->pattern && c->report->is_pattern)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: the result lists the matches of a pattern graph; give it with `pattern` "
                   "'%.300s'",
                   c->result.path, h->pattern.name ? h->pattern.name : h->pattern.file.path);
  return MS_OK;
}

static ms_status check_given(const ms_certificate *c, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  const ms_verify_options *o = c->options;
  bool plain = h->has & MS_HAS_PLAIN;
  bool reads_typed = c->report->is_typed || h->kind == MS_KIND_PATH;
  bool from_graph = plain && h->colors_path && h->coloring.format == MS_COLORS_GRAPH;
  bool of_aliases = h->labels.path && strcmp(h->labels.path, MS_LABELS_OF_ALIASES) == 0;
  const input_file files[] = {
      {c->report->is_pattern, "`pattern_colors`", o->pattern_colors != NULL,
       h->pattern.colors.path},
      {reads_typed, "`typed.nodes`", o->typed.nodes != NULL, h->typed.nodes.path},
      {reads_typed, "`typed.relations`", o->typed.relations != NULL, h->typed.relations.path},
      {true, "`pairs`", o->pairs != NULL, h->path.pairs.path},
      {true, "`metadata`", o->metadata != NULL, h->samples.metadata.path},
      {!from_graph && !h->samples.sheet, "`colors_path`", c->colors_path != NULL, h->colors_path},
      {true, "`aliases`", o->aliases != NULL, h->alias.path},
      {!of_aliases, "`labels`", o->labels != NULL, h->labels.path},
      {of_aliases, "`labels`", o->labels != NULL && strcmp(o->labels, MS_LABELS_OF_ALIASES) != 0,
       NULL},
      {true, "`vertex_scores`", o->vertex_scores != NULL, h->vertex_scores.path},
      {!c->report->is_pattern, "`substitutes`", o->substitutes != NULL, h->substitutes.path},
      {plain, "`colors.obo`", o->colors.obo != NULL, h->obo.path},
      {plain && !h->coloring.slim, "`colors.slim`", o->colors.slim != NULL, h->slim.path}};
  MS_TRY(check_pattern_given(c, err));
  if (h->samples.sheet && c->colors_path)
    return ms_fail(
        err, MS_ERR_USAGE,
        "%s: the result compares the samples of a sheet, which names their colour files; "
        "leave out `colors_path`",
        c->result.path);
  if (from_graph && c->colors_path)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: the result took its colours from the graph file; leave out `colors_path`",
                   c->result.path);
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    MS_TRY(check_file(c, &files[i], err));
  return MS_OK;
}

/* ---- checks against the header ------------------------------------------------------ */

ms_status ms_check_count(ms_certificate *c, ms_part part, const char *path, const char *what,
                         uint64_t actual, uint64_t stated)
{
  if (actual == stated)
    return MS_OK;
  return ms_result_refuse(&c->result, c->result.header.line[part],
                          "%.200s has %llu %s, but the header says %llu", path,
                          (unsigned long long)actual, what, (unsigned long long)stated);
}

ms_status ms_check_crc32c(ms_certificate *c, ms_part part, const char *kind, const char *path,
                          uint32_t actual, uint32_t stated)
{
  if (actual == stated)
    return MS_OK;
  return ms_result_refuse(
      &c->result, c->result.header.line[part],
      "%.200s is not the %s file that the result was made from: its CRC-32C is %08x, "
      "but the header says %08x",
      path, kind, actual, stated);
}

ms_status ms_refuse_words(ms_certificate *c, ms_part part, ms_status status, const ms_error *reason,
                          ms_error *err)
{
  if (status == MS_ERR_USAGE || status == MS_ERR_INPUT)
    return ms_result_refuse(&c->result, c->result.header.line[part], "%s", reason->message);
  return ms_fail(err, status, "%s", reason->message);
}

/* ---- reading ------------------------------------------------------------------------ */

static ms_status open_aliases(ms_certificate *c, ms_error *err)
{
  ms_alias_info info;
  if (!c->options->aliases)
    return MS_OK;
  MS_TRY(ms_graph_read_aliases(c->graph, c->options->aliases, &info, err));
  return ms_check_crc32c(c, MS_PART_ALIAS, "alias", c->options->aliases, info.crc32c,
                         c->result.header.alias.crc32c);
}

/* Passes on what a reader returned.  If the header made all settings, an MS_ERR_USAGE of the reader
 * refuses the header. */
static ms_status pass_reading(ms_certificate *c, ms_part part, bool all_stated, ms_status status,
                              const ms_error *reason, ms_error *err)
{
  return status == MS_ERR_USAGE && all_stated ? ms_refuse_words(c, part, status, reason, err)
                                              : ms_fail(err, status, "%s", reason->message);
}

ms_status ms_open_graph(ms_certificate *c, ms_error *err)
{
  const char *path = c->graph_path;
  const ms_result_header *h = &c->result.header;
  const ms_graph_options *own = &c->options->graph;
  ms_graph_options options = ms_graph_reading(c);
  ms_error reason;
  ms_status status = ms_graph_read(path, &options, &c->graph, &reason);
  if (status != MS_OK) {
    bool is_given = false GRAPH_READING(OR_GIVEN);
    return pass_reading(c, MS_PART_GRAPH, !is_given, status, &reason, err);
  }
  ms_graph_info info = ms_graph_describe(c->graph);
  MS_TRY(ms_check_crc32c(c, MS_PART_GRAPH, "graph", path, info.crc32c, h->graph_crc32c));
  MS_TRY(ms_check_count(c, MS_PART_GRAPH, path, "vertices", info.vertices, h->vertices));
  MS_TRY(ms_check_count(c, MS_PART_GRAPH, path, "edges", info.edges, h->edges));
  return open_aliases(c, err);
}

/* Checks the ontology and the slim that the colours were read with. */
static ms_status check_color_files(ms_certificate *c, const ms_coloring_info *info)
{
  const ms_result_header *h = &c->result.header;
  const ms_color_options *own = &c->options->colors;
  if (info->slim_is_file != (h->slim.path != NULL)) {
    return ms_result_refuse(&c->result, h->line[MS_PART_COLORS],
                            "the slim '%.200s' is %s, but the header's is %s",
                            own->slim ? own->slim : h->coloring.slim,
                            info->slim_is_file ? "a file" : "a subset of the ontology",
                            info->slim_is_file ? "none" : "a file");
  }
  if (h->obo.path)
    MS_TRY(ms_check_crc32c(c, MS_PART_OBO, "ontology", own->obo, info->obo_crc32c, h->obo.crc32c));
  if (h->slim.path)
    MS_TRY(ms_check_crc32c(c, MS_PART_SLIM, "slim", own->slim, info->slim_crc32c, h->slim.crc32c));
  return MS_OK;
}

/* Refuses a slim of the header that is a file, unless the caller names it, too: a reader takes a
 * name for a subset of the ontology or else for a file, and only the caller names files. */
static ms_status check_stated_slim(ms_certificate *c)
{
  const char *slim = c->result.header.coloring.slim;
  if (!slim || c->options->colors.slim || (strcmp(slim, "-") != 0 && access(slim, F_OK) != 0))
    return MS_OK;
  return ms_result_refuse(
      &c->result, c->result.header.line[MS_PART_COLORS],
      "the slim '%.200s' should be a subset of the ontology, and is also a file; "
      "give `colors.slim`, too",
      slim);
}

static ms_status open_colors(ms_certificate *c, ms_error *err)
{
  const char *path = c->colors_path;
  const ms_result_header *h = &c->result.header;
  const ms_color_options *own = &c->options->colors;
  ms_color_options options = ms_color_reading(c);
  ms_error reason;
  MS_TRY(check_stated_slim(c));
  ms_status status = path ? ms_coloring_read(path, c->graph, &options, &c->coloring, &reason)
                          : ms_coloring_from_graph(c->graph, &c->coloring, &reason);
  if (status != MS_OK) {
    bool is_given = false COLOR_READING(OR_GIVEN);
    return pass_reading(c, MS_PART_COLORS, !is_given, status, &reason, err);
  }
  ms_coloring_info info = ms_coloring_describe(c->coloring);
  path = info.path; /* the path of the graph, if the colours are its own */
  MS_TRY(ms_check_crc32c(c, MS_PART_COLORS, "colour", path, info.crc32c, h->colors_crc32c));
  MS_TRY(check_color_files(c, &info));
  MS_TRY(ms_check_count(c, MS_PART_COLORS, path, "colours", info.colors, h->colors));
  return ms_check_count(c, MS_PART_COLORS, path, "colour assignments", info.assignments,
                        h->assignments);
}

/* Reads the plain graph in which paths were searched for.  The header states no settings that only
 * plain graphs have, and so the caller has to give them. */
static ms_status open_plain_paths(ms_certificate *c, ms_error *err)
{
  const ms_typed_options *stated = &c->result.header.typed.reading;
  ms_graph_options o = c->options->graph;
  SHARED_READING(TAKE_STATED)
  MS_TRY(ms_graph_read(c->graph_path, &o, &c->graph, err));
  return ms_typed_from_graph(c->graph, NULL, o.run.threads, &c->typed, err);
}

static ms_status open_typed_graph(ms_certificate *c, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  const char *path = c->graph_path;
  ms_typed_options options = typed_options(c);
  ms_error reason;
  ms_status status = h->typed.reading.format == MS_TYPED_AUTO
                         ? open_plain_paths(c, &reason)
                         : ms_typed_read(path, &options, &c->typed, &reason);
  if (status != MS_OK)
    return pass_reading(c, MS_PART_GRAPH, true, status, &reason, err);
  ms_typed_info info = ms_typed_describe(c->typed);
  MS_TRY(ms_check_crc32c(c, MS_PART_GRAPH, "graph", path, info.crc32c, h->graph_crc32c));
  if (h->typed.nodes.path)
    MS_TRY(ms_check_crc32c(c, MS_PART_NODES, "node", options.nodes, info.nodes_crc32c,
                           h->typed.nodes.crc32c));
  if (h->typed.relations.path)
    MS_TRY(ms_check_crc32c(c, MS_PART_RELATIONS, "relation", options.relations,
                           info.relations_crc32c, h->typed.relations.crc32c));
  MS_TRY(ms_check_count(c, MS_PART_GRAPH, path, "vertices", info.vertices, h->vertices));
  return ms_check_count(c, MS_PART_GRAPH, path, "edges", info.edges, h->edges);
}

static ms_status open_labels(ms_certificate *c, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  const char *path = c->options->labels;
  bool of_aliases = h->labels.path && strcmp(h->labels.path, MS_LABELS_OF_ALIASES) == 0;
  if (!h->labels.path)
    return MS_OK;
  if (of_aliases && !h->alias.path)
    return ms_result_refuse(&c->result, h->line[MS_PART_LABELS],
                            "the labels come from an alias file, and none is given");
  MS_TRY(of_aliases ? ms_labels_from_aliases(c->graph, &c->labels, err)
         : c->graph ? ms_labels_read(path, c->graph, &c->labels, err)
                    : ms_labels_read_typed(path, c->typed, &c->labels, err));
  ms_labels_info info = ms_labels_describe(c->labels);
  return ms_check_crc32c(c, MS_PART_LABELS, "label", info.path, info.crc32c, h->labels.crc32c);
}

static ms_status open_all(ms_certificate *c, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  if (!(h->has & MS_HAS_PLAIN))
    return open_typed_graph(c, err);
  if (h->samples.sheet) /* compare_inputs.c reads all graphs */
    return MS_OK;
  MS_TRY(ms_open_graph(c, err));
  if (h->has & MS_HAS_COLORS)
    MS_TRY(open_colors(c, err));
  if (c->report->is_typed)
    return ms_typed_from_graph(c->graph, c->coloring, c->options->typed.run.threads, &c->typed,
                               err);
  return MS_OK;
}

static ms_status open_vertex_scores(ms_certificate *c, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  if (!h->vertex_scores.path)
    return MS_OK;
  MS_TRY(ms_vertex_scores_read(c->options->vertex_scores, c->graph, &c->vertex_scores, err));
  ms_vertex_scores_info info = ms_vertex_scores_describe(c->vertex_scores);
  return ms_check_crc32c(c, MS_PART_VERTEX_SCORES, "score", info.path, info.crc32c,
                         h->vertex_scores.crc32c);
}

ms_status ms_check_inputs(ms_certificate *c, ms_error *err)
{
  MS_TRY(check_given(c, err));
  MS_TRY(open_all(c, err));
  MS_TRY(open_vertex_scores(c, err));
  return open_labels(c, err);
}

/* ---- names ---------------------------------------------------------------------------- */

ms_status ms_find_named(ms_certificate *c, uint64_t line, const char *name, uint32_t *v)
{
  *v = c->typed ? ms_typed_find(c->typed, name) : ms_graph_find(c->graph, name);
  if (*v != MS_NO_ID && strcmp(ms_name_of(c, *v), name) == 0)
    return MS_OK;
  return ms_result_refuse(&c->result, line, "'%.100s' is not a vertex of the graph", name);
}

ms_status ms_verify_motif(ms_certificate *c, const char *text, const ms_coloring *coloring,
                          uint32_t slots, uint64_t colors, uint32_t *color, ms_error *err)
{
  uint64_t line = c->result.row.line;
  ms_motif *motif;
  ms_error reason;
  uint32_t k = 0;
  ms_status status = ms_motif_parse(text, coloring, &motif, &reason);
  if (status == MS_ERR_MEMORY)
    return ms_fail(err, status, "%s", reason.message);
  if (status != MS_OK)
    return ms_result_refuse(&c->result, line, "'%.100s' is no motif: %.200s", text, reason.message);
  bool right = strcmp(ms_motif_text(motif), text) == 0 && ms_motif_size(motif) == slots;
  for (uint32_t i = 0; right && i < motif->n_classes; i++) {
    right = motif->class_[i].color < colors; /* no wildcard, no condition */
    for (uint32_t j = 0; right && j < motif->class_[i].count; j++) {
      uint32_t at = k++;
      for (; at > 0 && color[at - 1] > motif->class_[i].color; at--)
        color[at] = color[at - 1];
      color[at] = motif->class_[i].color;
    }
  }
  ms_motif_free(motif);
  return right ? MS_OK
               : ms_result_refuse(&c->result, line,
                                  "'%.100s' is not the canonical text of a motif of %u colours",
                                  text, slots);
}

const char *ms_name_of(const ms_certificate *c, uint32_t v)
{
  return c->typed ? ms_typed_name(c->typed, v) : ms_graph_name(c->graph, v);
}

ms_status ms_check_label(ms_certificate *c, uint64_t line, uint32_t v, const char *label)
{
  const char *found = c->labels ? ms_labels_of(c->labels, v) : NULL;
  const char *wanted = found ? found : ms_name_of(c, v);
  if (strcmp(label, wanted) == 0)
    return MS_OK;
  return ms_result_refuse(&c->result, line, "the label of '%.100s' is '%.100s', not '%.100s'",
                          ms_name_of(c, v), wanted, label);
}

ms_status ms_check_slot_titles(ms_certificate *c, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  const char *title[MS_MAX_K];
  char *text = NULL;
  if (h->row_form != MS_ROWS_WIDE)
    return MS_OK;
  ms_status status = ms_slot_titles(c->query, h, title, &text, err);
  for (uint32_t d = 0; d < h->k && status == MS_OK; d++)
    if (strcmp(title[d], h->pattern.names[d]) != 0)
      status = ms_result_refuse(&c->result, h->line[MS_PART_COLUMNS],
                                "the column of slot %u is not '%.100s'", d + 1, title[d]);
  ms_free(text);
  return status;
}
