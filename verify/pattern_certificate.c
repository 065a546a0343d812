/* A result of pattern matches against its inputs: the header, each row as it
 * comes, then the number of rows by the recount. */
#include "verify/bound.h"
#include "verify/pattern.h"
#include "verify/pattern_file.h"
#include "verify/row_set.h"

#include "base/status.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Rows between two looks at the stop token. */
#define POLL_ROWS 4096u

typedef struct matches {
  ms_certificate *certificate;
  ms_pattern_file *file;
  ms_pattern *pattern;
  ms_pattern_judge *judge;
  ms_row_set *rows;
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
  ms_status status = ms_pattern_automorphisms(m->pattern, m->automorphisms, NULL, err);
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
  if (status == MS_OK) {
    status = check_names(m);
  }
  return status == MS_OK ? check_automorphisms(m, err) : status;
}

/* ---- rows ------------------------------------------------------------------------- */

/* Vertices by their own names: others (ms_graph_read_aliases) do not stand in a
 * result. */
static ms_status find_vertices(matches *m)
{
  const ms_graph *graph = m->certificate->graph;
  ms_pattern_file *file = m->file;
  for (uint32_t i = 0; i < file->p; i++) {
    uint32_t v = ms_graph_find(graph, file->names[i]);
    if (v == MS_NO_ID || strcmp(ms_graph_name(graph, v), file->names[i]) != 0) {
      return ms_result_refuse(file->result, file->line, "'%.100s' is no vertex of the graph",
                              file->names[i]);
    }
    file->ids[i] = v;
  }
  return MS_OK;
}

static ms_status check_row(matches *m, ms_error *err)
{
  ms_pattern_file *file = m->file;
  unsigned long long number = file->rows + 1;
  bool fresh;
  if (file->number != number) {
    return ms_result_refuse(file->result, file->line, "match %llu is numbered %llu", number,
                            (unsigned long long)file->number);
  }
  ms_status status = file->format->has_ids ? MS_OK : find_vertices(m);
  if (status != MS_OK) {
    return status;
  }
  ms_pattern_verdict verdict = ms_pattern_judge_row(m->judge, file->ids);
  if (verdict != MS_PATTERN_OK) {
    return ms_result_refuse(file->result, file->line, "match %llu %s", number,
                            ms_pattern_verdict_text(verdict));
  }
  status = ms_row_set_add(m->rows, file->ids, &fresh, err);
  if (status == MS_OK && !fresh) {
    return ms_result_refuse(file->result, file->line, "match %llu repeats an earlier one", number);
  }
  m->certificate->report->rows = ++file->rows;
  return status;
}

/* An interrupt ends the checking; a time limit is the recount's. */
static ms_status look_up_stop(const matches *m, ms_error *err)
{
  if (m->file->rows % POLL_ROWS == 0 &&
      ms_stop_check(m->certificate->options->stop) == MS_ERR_INTERRUPTED) {
    return ms_fail(err, MS_ERR_INTERRUPTED, "%s: interrupted after %llu rows, all of them right",
                   m->certificate->result.path, (unsigned long long)m->file->rows);
  }
  return MS_OK;
}

static ms_status check_totals(matches *m)
{
  ms_pattern_file *file = m->file;
  if (file->stated_rows != file->rows) {
    return ms_result_refuse(file->result, 0, "the end says %llu rows, there are %llu",
                            (unsigned long long)file->stated_rows, (unsigned long long)file->rows);
  }
  if (file->stated_matches != file->rows) {
    return ms_result_refuse(file->result, file->result->header.line[MS_PART_FOUND],
                            "the end says %llu matches, there are %llu",
                            (unsigned long long)file->stated_matches,
                            (unsigned long long)file->rows);
  }
  file->result->header.found = file->rows;
  return MS_OK;
}

static ms_status check_rows(matches *m, ms_error *err)
{
  ms_certificate *c = m->certificate;
  const ms_result_pattern *stated = &c->result.header.pattern;
  bool more;
  ms_status status = ms_pattern_judge_new(c->graph, c->coloring, m->pattern, stated->induced,
                                          !stated->embeddings, &m->judge, err);
  if (status == MS_OK) {
    status = ms_row_set_new(m->file->p, ms_graph_vertex_count(c->graph), &m->rows, err);
  }
  if (status == MS_OK) {
    status = m->file->format->row(m->file, &more, err);
  }
  while (status == MS_OK && more) {
    status = check_row(m, err);
    if (status == MS_OK) {
      status = look_up_stop(m, err);
    }
    if (status == MS_OK) {
      status = m->file->format->row(m->file, &more, err);
    }
  }
  return status == MS_OK ? check_totals(m) : status;
}

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

/* ---- the recount --------------------------------------------------------------------- */

typedef struct row_search {
  const matches *m;
  bool found;
  uint32_t row[MS_MAX_PATTERN];
} row_search;

/* An ms_pattern_found_fn: stop at a match that should have a row and has none. */
static bool look_up(void *user, const uint32_t *row)
{
  row_search *search = user;
  const matches *m = search->m;
  if (ms_pattern_judge_row(m->judge, row) != MS_PATTERN_OK || ms_row_set_has(m->rows, row)) {
    return true;
  }
  search->found = true;
  memcpy(search->row, row, m->pattern->n * sizeof *row);
  return false;
}

/* ", for example a,b,c", or nothing where the time is over. */
static void give_example(const matches *m, char *text, size_t room)
{
  const ms_certificate *c = m->certificate;
  row_search search = {.m = m};
  mpz_t count;
  size_t used = 0;
  *text = '\0';
  mpz_init(count);
  ms_pattern_recount(c->graph, c->coloring, m->pattern, c->result.header.pattern.induced, count,
                     look_up, &search, c->options->stop, NULL);
  mpz_clear(count);
  for (uint32_t i = 0; search.found && i < m->pattern->n && used < room - 1; i++) {
    int length = snprintf(text + used, room - used, "%s%s", i ? "," : ", for example ",
                          ms_graph_name(c->graph, search.row[i]));
    used += length > 0 ? (size_t)length : 0;
  }
}

/* Is the number of rows that of all matches? */
static ms_status compare_count(matches *m, mpz_t count)
{
  ms_certificate *c = m->certificate;
  char example[200], text[32];
  if (!c->result.header.pattern.embeddings) {
    mpz_divexact(count, count, m->automorphisms);
  }
  mpz_sub_ui(count, count, (unsigned long)m->file->rows);
  if (mpz_sgn(count) < 0) {
    return ms_result_refuse(&c->result, 0, "there are more rows than the recount finds matches");
  }
  c->report->missing = mpz_fits_ulong_p(count) ? mpz_get_ui(count) : UINT64_MAX;
  if (c->report->missing == 0) {
    return MS_OK;
  }
  give_example(m, example, sizeof example);
  snprintf(text, sizeof text, "%llu", (unsigned long long)c->report->missing);
  return ms_result_refuse(&c->result, 0, "%s match%s missing%s; %s", text,
                          c->report->missing == 1 ? " is" : "es are", example,
                          ms_missing_explanation(c));
}

static ms_status recount(matches *m, ms_error *err)
{
  ms_certificate *c = m->certificate;
  mpz_t count;
  if (!m->file->complete || c->options->no_recount) {
    return MS_OK;
  }
  mpz_init(count);
  ms_status status =
      ms_pattern_recount(c->graph, c->coloring, m->pattern, c->result.header.pattern.induced, count,
                         NULL, NULL, c->options->stop, err);
  c->report->recounted = status == MS_OK;
  if (status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED) {
    c->report->stopped = status; /* no failure: what was checked stands */
    status = MS_OK;
  }
  if (status == MS_OK && c->report->recounted) {
    status = compare_count(m, count);
  }
  mpz_clear(count);
  return status;
}

/* ---- all of it ------------------------------------------------------------------------- */

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
  if (status == MS_OK) {
    status = check_rows(m, err);
  }
  if (status == MS_OK) {
    status = check_bound(c);
  }
  return status == MS_OK ? recount(m, err) : status;
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
  ms_pattern_judge_free(m.judge);
  ms_row_set_free(m.rows);
  ms_pattern_free(m.pattern);
  format->release(&file);
  return status;
}
