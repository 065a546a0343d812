/* A result of pattern matches against its inputs: the header, each row as it
 * comes, then the number of rows by the recount. */
#include "verify/bound.h"
#include "verify/pattern_rows.h"
#include "verify/verify.h"

#include "base/status.h"
#include "query/pattern.h"

#include <string.h>
#include <unistd.h>

typedef struct matches {
  ms_certificate *certificate;
  ms_pattern_file *file;
  ms_pattern *pattern;
  ms_judge *judge;
  ms_pattern_rows rows;
  mpz_t automorphisms;
} matches;

/* ---- the pattern ---------------------------------------------------------------- */

static ms_status check_pattern_given(const ms_certificate *c, ms_error *err)
{
  const ms_result_pattern *stated = &c->result.header.pattern;
  if (!c->options->pattern) {
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: the result lists the matches of a pattern graph; give it with --pattern "
                   "%.200s",
                   c->result.path, stated->name ? stated->name : stated->file.path);
  }
  return ms_check_given(c, "--pattern-colors", c->options->pattern_colors != NULL,
                        stated->colors.path, err);
}

/* A word is a built-in's name when no file is called so. */
static bool is_builtin(const char *word)
{
  return access(word, F_OK) != 0 && ms_pattern_is_name(word);
}

/* Is the pattern given of the kind that the header states? */
static ms_status check_kind(ms_certificate *c)
{
  const ms_result_pattern *stated = &c->result.header.pattern;
  const char *given = c->options->pattern;
  uint64_t line = c->result.header.line[MS_PART_PATTERN];
  if (!stated->name) {
    return is_builtin(given) ? ms_result_refuse(&c->result, line,
                                                "the pattern is that of the file %.200s, not the "
                                                "built-in '%.100s'",
                                                stated->file.path, given)
                             : MS_OK;
  }
  if (!is_builtin(given) || strcmp(given, stated->name) != 0) {
    return ms_result_refuse(&c->result, line, "the pattern is the built-in '%.100s', not %.200s",
                            stated->name, given);
  }
  return MS_OK;
}

static ms_status read_pattern(matches *m, ms_error *err)
{
  ms_certificate *c = m->certificate;
  const ms_result_header *h = &c->result.header;
  ms_error reason;
  if (h->pattern.name) {
    ms_status status = ms_pattern_named(h->pattern.name, &m->pattern, &reason);
    if (status != MS_OK) {
      return ms_refuse_words(c, MS_PART_PATTERN, status, &reason, err);
    }
    return h->pattern.colors.path
               ? ms_pattern_read_colors(m->pattern, c->options->pattern_colors, err)
               : MS_OK;
  }
  ms_graph_options options = {.format = h->pattern.format,
                              .directed = h->graph.directed,
                              .threads = c->options->graph.threads,
                              .memory = c->options->graph.memory};
  return ms_pattern_read(c->options->pattern, &options, c->options->pattern_colors, &m->pattern,
                         err);
}

static uint64_t count_edges(const ms_pattern *pattern)
{
  uint64_t arcs = 0;
  for (uint32_t i = 0; i < pattern->n; i++) {
    arcs += (uint64_t)__builtin_popcountll(pattern->out[i]);
  }
  return pattern->directed ? arcs : arcs / 2;
}

static ms_status check_names(matches *m)
{
  ms_result *result = &m->certificate->result;
  for (uint32_t i = 0; i < m->pattern->n; i++) {
    const char *name = ms_pattern_vertex_name(m->pattern, i);
    if (strcmp(name, result->header.pattern.names[i]) != 0) {
      return ms_result_refuse(result, result->header.line[MS_PART_COLUMNS],
                              "pattern vertex %u is called '%.100s', not '%.100s'", i, name,
                              result->header.pattern.names[i]);
    }
  }
  return MS_OK;
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

static ms_status open_pattern(matches *m, ms_error *err)
{
  ms_certificate *c = m->certificate;
  const ms_result_pattern *stated = &c->result.header.pattern;
  const char *path = c->options->pattern;
  ms_status status = check_kind(c);
  if (status == MS_OK) {
    status = read_pattern(m, err);
  }
  if (status == MS_OK && !stated->name) {
    status = ms_check_crc32c(c, MS_PART_PATTERN, "pattern", path, m->pattern->crc32c,
                             stated->file.crc32c);
  }
  if (status == MS_OK && stated->colors.path) {
    status =
        ms_check_crc32c(c, MS_PART_PATTERN_COLORS, "pattern's colour", c->options->pattern_colors,
                        m->pattern->colors_crc32c, stated->colors.crc32c);
  }
  if (status == MS_OK) {
    status = ms_check_count(c, MS_PART_PATTERN, path, "vertices", m->pattern->n, stated->vertices);
  }
  if (status == MS_OK) {
    status = ms_check_count(c, MS_PART_PATTERN, path, m->pattern->directed ? "arcs" : "edges",
                            count_edges(m->pattern), stated->edges);
  }
  return status == MS_OK ? check_names(m) : status;
}

/* ---- the judge's side of ms_row_judge ---------------------------------------------- */

/* Vertices by their own names: others (ms_graph_read_aliases) do not stand in a
 * result. */
static uint32_t find_vertex(const void *inputs, const char *name)
{
  const matches *m = inputs;
  const ms_graph *graph = m->certificate->graph;
  uint32_t v = ms_graph_find(graph, name);
  return v != MS_NO_ID && strcmp(ms_graph_name(graph, v), name) == 0 ? v : MS_NO_ID;
}

static const char *name_vertex(const void *inputs, uint32_t v)
{
  const matches *m = inputs;
  return ms_graph_name(m->certificate->graph, v);
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

static ms_status check_bound(ms_certificate *c)
{
  const ms_result_header *h = &c->result.header;
  if (!h->exact && h->k > MS_MAX_K) {
    return ms_result_refuse(&c->result, h->line[MS_PART_PATTERN],
                            "the sieve is for at most %u vertices, the pattern has %u", MS_MAX_K,
                            h->k);
  }
  ms_status status = ms_check_bound(&c->result, &c->certain);
  c->report->probabilistic = !c->certain;
  return status;
}

static ms_status check_matches(matches *m, ms_error *err)
{
  ms_certificate *c = m->certificate;
  const ms_result_pattern *stated = &c->result.header.pattern;
  ms_row_judge judge = {.inputs = m,
                        .vertices = ms_graph_vertex_count(c->graph),
                        .find = find_vertex,
                        .name = name_vertex,
                        .fault = find_fault,
                        .recount = count_all};
  ms_status status = ms_judge_pattern(c->graph, c->coloring, m->pattern, stated->induced,
                                      !stated->embeddings, &m->judge, err);
  m->rows = (ms_pattern_rows){.certificate = c, .file = m->file, .judge = &judge};
  if (status == MS_OK) {
    status = check_automorphisms(m, err);
  }
  if (status == MS_OK) {
    status = ms_pattern_rows_check(&m->rows, err);
  }
  if (status == MS_OK) {
    status = check_bound(c);
  }
  return status == MS_OK ? ms_pattern_rows_recount(&m->rows, m->automorphisms, err) : status;
}

static ms_status check_all(matches *m, const char *graph_path, const char *colors_path,
                           ms_error *err)
{
  ms_certificate *c = m->certificate;
  ms_status status = m->file->format->header(m->file, err);
  if (status == MS_OK) {
    status = check_pattern_given(c, err);
  }
  if (status == MS_OK) {
    status = ms_check_inputs(c, graph_path, colors_path, err);
  }
  if (status == MS_OK) {
    status = open_pattern(m, err);
  }
  return status == MS_OK ? check_matches(m, err) : status;
}

ms_status ms_check_pattern(ms_certificate *c, const ms_pattern_format *format,
                           const char *graph_path, const char *colors_path, ms_error *err)
{
  ms_pattern_file file = {.tape = c->tape, .result = &c->result, .format = format};
  matches m = {.certificate = c, .file = &file};
  c->report->is_pattern = true;
  mpz_init(m.automorphisms);
  ms_status status = check_all(&m, graph_path, colors_path, err);
  status = ms_pattern_file_damaged(&file, status, err);
  mpz_clear(m.automorphisms);
  ms_judge_free(m.judge);
  ms_row_set_free(m.rows.set);
  ms_pattern_free(m.pattern);
  format->release(&file);
  return status;
}
