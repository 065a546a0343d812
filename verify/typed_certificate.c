/* A result of typed matches against its inputs: the header, each row as it
 * comes, then the number of rows by the recount. */
#include "verify/pattern_rows.h"
#include "verify/verify.h"

#include "base/status.h"
#include "query/typed_query.h"

#include <string.h>
#include <unistd.h>

typedef struct matches {
  ms_certificate *certificate;
  ms_pattern_file *file;
  ms_typed *graph;
  ms_typed_pattern *pattern;
  ms_typed_query *query;
  ms_judge *judge;
  ms_pattern_rows rows;
  mpz_t automorphisms;
} matches;

/* ---- what is given ------------------------------------------------------------------ */

static ms_status check_given(const ms_certificate *c, const char *colors_path, ms_error *err)
{
  const ms_result_typed *stated = &c->result.header.typed;
  if (stated->inexact) {
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: the result was made with --inexact: its rows need not be matches, so "
                   "there is nothing to verify; make one without --inexact",
                   c->result.path);
  }
  if (!c->options->pattern) {
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: the result lists the matches of a typed pattern; give it with --pattern "
                   "'%.300s'",
                   c->result.path, c->result.header.pattern.file.path);
  }
  ms_status status =
      ms_check_given(c, "--pattern-colors", c->options->pattern_colors != NULL, NULL, err);
  if (status == MS_OK) {
    status = ms_check_given(c, "--nodes", c->options->typed.nodes != NULL, stated->nodes.path, err);
  }
  if (status == MS_OK) {
    status = ms_check_given(c, "--relations", c->options->typed.relations != NULL,
                            stated->relations.path, err);
  }
  if (status == MS_OK && !stated->plain) { /* else ms_check_inputs knows */
    status = ms_check_given(c, "--colors", colors_path != NULL, NULL, err);
  }
  if (status == MS_OK && !stated->plain) {
    status = ms_check_given(c, "--alias", c->options->aliases != NULL, NULL, err);
  }
  return status;
}

/* ---- the graph ------------------------------------------------------------------------ */

/* Each setting is the caller's where he gave it, else the header's. */
static ms_typed_options reading_options(const ms_certificate *c)
{
  const ms_typed_options *stated = &c->result.header.typed.reading;
  ms_typed_options o = c->options->typed;
  o.format = o.format ? o.format : stated->format;
  o.directed = o.directed || stated->directed;
  o.node_name_column = o.node_name_column ? o.node_name_column : stated->node_name_column;
  o.node_type_column = o.node_type_column ? o.node_type_column : stated->node_type_column;
  o.source_column = o.source_column ? o.source_column : stated->source_column;
  o.target_column = o.target_column ? o.target_column : stated->target_column;
  o.type_column = o.type_column ? o.type_column : stated->type_column;
  o.source_type_column = o.source_type_column ? o.source_type_column : stated->source_type_column;
  o.target_type_column = o.target_type_column ? o.target_type_column : stated->target_type_column;
  return o;
}

static ms_status read_typed_graph(matches *m, const char *path, ms_error *err)
{
  ms_certificate *c = m->certificate;
  const ms_result_header *h = &c->result.header;
  ms_typed_options options = reading_options(c);
  ms_error reason;
  ms_status status = ms_typed_read(path, &options, &m->graph, &reason);
  if (status != MS_OK) { /* a bad option is the header's */
    return status == MS_ERR_USAGE ? ms_refuse_words(c, MS_PART_GRAPH, status, &reason, err)
                                  : ms_fail(err, status, "%s", reason.message);
  }
  ms_typed_info info = ms_typed_describe(m->graph);
  status = ms_check_crc32c(c, MS_PART_GRAPH, "graph", path, info.crc32c, h->graph_crc32c);
  if (status == MS_OK && h->typed.nodes.path) {
    status = ms_check_crc32c(c, MS_PART_NODES, "node", options.nodes, info.nodes_crc32c,
                             h->typed.nodes.crc32c);
  }
  if (status == MS_OK && h->typed.relations.path) {
    status = ms_check_crc32c(c, MS_PART_RELATIONS, "relation", options.relations,
                             info.relations_crc32c, h->typed.relations.crc32c);
  }
  if (status == MS_OK) {
    status = ms_check_count(c, MS_PART_GRAPH, path, "vertices", info.vertices, h->vertices);
  }
  if (status == MS_OK) {
    status = ms_check_count(c, MS_PART_GRAPH, path, "edges", info.edges, h->edges);
  }
  return status;
}

static ms_status open_graph(matches *m, const char *graph_path, const char *colors_path,
                            ms_error *err)
{
  ms_certificate *c = m->certificate;
  if (!c->result.header.typed.plain) {
    return read_typed_graph(m, graph_path, err);
  }
  ms_status status = ms_check_inputs(c, graph_path, colors_path, err);
  return status == MS_OK
             ? ms_typed_from_graph(c->graph, c->coloring, c->options->typed.threads, &m->graph, err)
             : status;
}

/* ---- the pattern ---------------------------------------------------------------------- */

/* A pattern itself, and no file: as typed-match tells. */
static bool is_text(const char *given)
{
  return given[strspn(given, " \t\n")] == '(' && access(given, F_OK) != 0;
}

/* A file may be a typed graph, which is read with the graph's relations. */
static ms_status read_pattern(matches *m, ms_error *err)
{
  const ms_certificate *c = m->certificate;
  const char *given = c->options->pattern;
  ms_typed_options options = {.directed = reading_options(c).directed,
                              .relations = c->options->typed.relations,
                              .threads = c->options->typed.threads};
  if (c->result.header.typed.plain) {
    options.directed = c->result.header.graph.directed;
  }
  return is_text(given) ? ms_typed_pattern_parse(given, &m->pattern, err)
                        : ms_typed_pattern_read(given, &options, &m->pattern, err);
}

static ms_status check_names(matches *m)
{
  ms_result *result = &m->certificate->result;
  for (uint32_t i = 0; i < m->pattern->n; i++) {
    const char *name = ms_typed_pattern_vertex_name(m->pattern, i);
    if (strcmp(name, result->header.pattern.names[i]) != 0) {
      return ms_result_refuse(result, result->header.line[MS_PART_COLUMNS],
                              "pattern vertex %u is called '%.100s', not '%.100s'", i, name,
                              result->header.pattern.names[i]);
    }
  }
  return MS_OK;
}

static ms_status open_pattern(matches *m, ms_error *err)
{
  ms_certificate *c = m->certificate;
  const ms_result_pattern *stated = &c->result.header.pattern;
  const char *given = c->options->pattern;
  ms_status status = read_pattern(m, err);
  if (status == MS_OK && m->pattern->crc32c != stated->file.crc32c) {
    status =
        ms_result_refuse(&c->result, c->result.header.line[MS_PART_PATTERN],
                         "'%.100s' is not the pattern that the result was made with, '%.100s': "
                         "its CRC-32C is %08x, the header says %08x",
                         given, stated->file.path, m->pattern->crc32c, stated->file.crc32c);
  }
  if (status == MS_OK) {
    status = ms_check_count(c, MS_PART_PATTERN, given, "vertices", m->pattern->n, stated->vertices);
  }
  if (status == MS_OK) {
    status = ms_check_count(c, MS_PART_PATTERN, given, "edges", m->pattern->edges, stated->edges);
  }
  return status == MS_OK ? check_names(m) : status;
}

static ms_status check_automorphisms(matches *m, ms_error *err)
{
  ms_certificate *c = m->certificate;
  char text[128]; /* 64! has 90 digits */
  ms_status status = ms_judge_automorphisms(m->judge, m->automorphisms, NULL, err);
  if (status != MS_OK) {
    return status;
  }
  mpz_get_str(text, 10, m->automorphisms);
  if (strcmp(text, c->result.header.pattern.automorphisms) == 0) {
    return MS_OK;
  }
  return ms_result_refuse(&c->result, c->result.header.line[MS_PART_AUTOMORPHISMS],
                          "the pattern has %s automorphisms, the header says %.100s", text,
                          c->result.header.pattern.automorphisms);
}

/* ---- the judge's side of ms_row_judge ----------------------------------------------- */

static uint32_t find_vertex(const void *inputs, const char *name)
{
  const matches *m = inputs;
  return ms_typed_find(m->graph, name);
}

static const char *name_vertex(const void *inputs, uint32_t v)
{
  const matches *m = inputs;
  return ms_typed_name(m->graph, v);
}

static const char *find_fault(const void *inputs, const uint32_t *row)
{
  const matches *m = inputs;
  ms_verdict verdict = ms_judge_row(m->judge, row);
  return verdict == MS_MATCH_OK ? NULL : ms_verdict_text(verdict);
}

static ms_status count_all(const void *inputs, mpz_t embeddings, ms_found_fn found, void *user,
                           const ms_stop *stop, ms_error *err)
{
  const matches *m = inputs;
  return ms_judge_recount(m->judge, embeddings, found, user, stop, err);
}

/* ---- all of it ----------------------------------------------------------------------- */

static ms_status check_matches(matches *m, ms_error *err)
{
  ms_certificate *c = m->certificate;
  ms_row_judge judge = {.inputs = m,
                        .vertices = m->graph->rows.n,
                        .find = find_vertex,
                        .name = name_vertex,
                        .fault = find_fault,
                        .recount = count_all};
  ms_status status = ms_judge_typed(m->query, !c->result.header.pattern.embeddings, &m->judge, err);
  m->rows = (ms_pattern_rows){.certificate = c, .file = m->file, .judge = &judge};
  if (status == MS_OK) {
    status = check_automorphisms(m, err);
  }
  if (status == MS_OK) {
    status = ms_pattern_rows_check(&m->rows, err);
  }
  c->certain = true;
  return status == MS_OK ? ms_pattern_rows_recount(&m->rows, m->automorphisms, err) : status;
}

static ms_status check_all(matches *m, const char *graph_path, const char *colors_path,
                           ms_error *err)
{
  ms_status status = m->file->format->header(m->file, err);
  if (status == MS_OK) {
    status = check_given(m->certificate, colors_path, err);
  }
  if (status == MS_OK) {
    status = open_graph(m, graph_path, colors_path, err);
  }
  if (status == MS_OK) {
    status = open_pattern(m, err);
  }
  if (status == MS_OK) {
    status = ms_typed_query_new(m->graph, m->pattern, &m->query, err);
  }
  return status == MS_OK ? check_matches(m, err) : status;
}

ms_status ms_check_typed(ms_certificate *c, const ms_pattern_format *format, const char *graph_path,
                         const char *colors_path, ms_error *err)
{
  ms_pattern_file file = {.tape = c->tape, .result = &c->result, .format = format};
  matches m = {.certificate = c, .file = &file};
  c->report->is_pattern = c->report->is_typed = true;
  mpz_init(m.automorphisms);
  ms_status status = check_all(&m, graph_path, colors_path, err);
  status = ms_pattern_file_damaged(&file, status, err);
  mpz_clear(m.automorphisms);
  ms_judge_free(m.judge);
  ms_row_set_free(m.rows.set);
  ms_typed_query_free(m.query);
  ms_typed_pattern_free(m.pattern);
  ms_typed_free(m.graph);
  format->release(&file);
  return status;
}
