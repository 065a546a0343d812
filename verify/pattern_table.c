/* Checks a table of patterns: each row says its pattern as a text, which is parsed, counted by the
 * plain search of the judge, and compared; and so in permutations, which are made again. */
#include "verify/certificate.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "query/pattern.h"
#include "verify/statistics/permuted_compare.h"

#include <stdlib.h>
#include <string.h>

#define MOST_NUMBERS (1u << 24) /* of permutations and rows, that are held */
#define MOST_COUNTS 1e9         /* maps that are counted in permutations .. */
#define SOME_COUNTS 2e6         /* .. and where time is limited */

typedef struct stated_pattern {
  uint64_t line;
  ms_pattern *pattern;
  char *matches, *automorphisms; /* decimal */
  bool complete;
  double maps; /* that the recount has found */
} stated_pattern;

struct ms_verify_patterns {
  ms_names *names;
  stated_pattern *row; /* [rows] */
  ms_census_number *number;
  double (*statistic)[MS_STATISTICS];
  uint64_t *line;
  uint64_t rows, room;
  uint32_t crc32c; /* of the names and texts so far */
};

void ms_verify_patterns_free(ms_verify_patterns *w)
{
  if (!w)
    return;
  for (uint64_t i = 0; i < w->rows; i++) {
    ms_pattern_free(w->row[i].pattern);
    ms_free(w->row[i].matches);
    ms_free(w->row[i].automorphisms);
  }
  ms_names_free(w->names);
  ms_free(w->row);
  ms_free(w->number);
  ms_free(w->statistic);
  ms_free(w->line);
  ms_free(w);
}

ms_status ms_open_pattern_table(ms_certificate *c, ms_error *err)
{
  c->patterns = ms_calloc(1, sizeof *c->patterns);
  if (!c->patterns)
    return ms_fail_memory(err, "the rows of the result file");
  MS_TRY(ms_names_new(&c->patterns->names, err));
  return c->result.header.has & MS_HAS_PERMUTATIONS
             ? ms_check_permuted_head(&c->result, c->coloring)
             : MS_OK;
}

/* ---- rows ------------------------------------------------------------------------------ */

static bool make_pattern_room(ms_verify_patterns *w)
{
  uint64_t room = 2 * w->room + 64;
  if (w->rows < w->room)
    return true;
  bool ok = ms_enlarge(&w->row, w->room, room, sizeof *w->row) &&
            ms_enlarge(&w->number, w->room, room, sizeof *w->number) &&
            ms_enlarge(&w->statistic, w->room, room, sizeof *w->statistic) &&
            ms_enlarge(&w->line, w->room, room, sizeof *w->line);
  w->room = ok ? room : w->room;
  return ok;
}

/* Refuses a row whose name is there already, or whose text is no pattern or another one. */
static ms_status read_pattern(ms_certificate *c, ms_pattern **out, ms_error *err)
{
  ms_verify_patterns *w = c->patterns;
  const ms_pattern_row *row = &c->result.row.pattern;
  uint64_t line = c->result.row.line;
  uint32_t id, before = ms_names_count(w->names);
  ms_error reason;
  MS_TRY(ms_names_add(w->names, row->name, strlen(row->name), &id, err));
  if (id < before)
    return ms_result_refuse(&c->result, line, "the name '%.100s' has two rows", row->name);
  ms_status status = ms_pattern_of_text(row->pattern, ms_graph_directed(c->graph), out, &reason);
  if (status == MS_ERR_MEMORY) {
    if (err)
      *err = reason;
    return status;
  }
  if (status != MS_OK)
    return ms_result_refuse(&c->result, line, "'%.100s' is no pattern: %.200s", row->pattern,
                            reason.message);
  w->crc32c = ms_pattern_set_crc32c(w->crc32c, row->name, row->pattern);
  if (row->vertices != (*out)->n || row->edges != ms_pattern_edge_count(*out)) {
    status = ms_result_refuse(&c->result, line, "the pattern has %u vertices and %llu edges",
                              (*out)->n, (unsigned long long)ms_pattern_edge_count(*out));
    ms_pattern_free(*out);
    *out = NULL;
  }
  return status;
}

static bool is_number(const char *text)
{
  return (*text != '0' || !text[1]) && *text;
}

/* Checks the status of a row, and its numbers as far as they show something by themselves. */
static ms_status check_numbers(ms_certificate *c, stated_pattern *next)
{
  const ms_result_header *h = &c->result.header;
  const ms_pattern_row *row = &c->result.row.pattern;
  uint64_t line = c->result.row.line;
  uint32_t status;
  if (!is_number(row->matches) || !is_number(row->automorphisms))
    return ms_result_refuse(&c->result, line, "a number begins with 0");
  if (!ms_result_find_word(MS_WORDS_STATUS, row->status, &status) ||
      (status != MS_RESULT_COMPLETE && status != h->status) ||
      (status != MS_RESULT_COMPLETE && h->permutations.done > 0))
    return ms_result_refuse(&c->result, line, "the status '%.60s' does not fit the header",
                            row->status);
  next->complete = status == MS_RESULT_COMPLETE;
  if (!(h->has & MS_HAS_PERMUTATIONS))
    return MS_OK;
  size_t digits = strlen(row->matches);
  if (digits > 19 || strtoull(row->matches, NULL, 10) > INT64_MAX)
    return ms_result_refuse(&c->result, line, "permutations are for fewer than 2^63 matches");
  return ms_check_permuted_row(&c->result, row->statistic, strtoull(row->matches, NULL, 10));
}

static ms_status take_pattern_row(ms_certificate *c, ms_error *err)
{
  ms_verify_patterns *w = c->patterns;
  const ms_pattern_row *row = &c->result.row.pattern;
  if (!make_pattern_room(w))
    return ms_fail_memory(err, "the rows of the result file");
  stated_pattern next = {.line = c->result.row.line};
  MS_TRY(read_pattern(c, &next.pattern, err));
  ms_status status = check_numbers(c, &next);
  next.matches = ms_strdup(row->matches);
  next.automorphisms = ms_strdup(row->automorphisms);
  if (status == MS_OK && (!next.matches || !next.automorphisms))
    status = ms_fail_memory(err, "the rows of the result file");
  w->number[w->rows] = (ms_census_number){.sets = strtoull(row->matches, NULL, 10)};
  w->line[w->rows] = next.line;
  memcpy(w->statistic[w->rows], row->statistic, sizeof *w->statistic);
  w->row[w->rows++] = next; /* which owns its texts, also after a refusal */
  c->report->rows = ++c->rows;
  return status;
}

static ms_status check_pattern_totals(ms_certificate *c)
{
  const ms_result_header *h = &c->result.header;
  const ms_verify_patterns *w = c->patterns;
  bool whole = true, permuted = h->has & MS_HAS_PERMUTATIONS;
  for (uint64_t i = 0; i < w->rows; i++)
    whole = whole && w->row[i].complete;
  if (w->crc32c != h->patterns.crc32c)
    return ms_result_refuse(&c->result, h->line[MS_PART_PATTERNS],
                            "the names and patterns of the rows have the CRC-32C %08x, and not "
                            "the header's %08x",
                            w->crc32c, h->patterns.crc32c);
  if (permuted && h->permutations.tests != w->rows)
    return ms_result_refuse(&c->result, h->line[MS_PART_PERMUTATION_TESTS],
                            "%llu patterns have rows, so that there cannot be %llu permutation "
                            "tests",
                            (unsigned long long)w->rows, (unsigned long long)h->permutations.tests);
  bool ended = whole && (!permuted || h->permutations.done == h->permutations.asked);
  if (ended != (h->status == MS_RESULT_COMPLETE))
    return ms_result_refuse(&c->result, 0,
                            "the status '%s' does not fit the rows or the permutations",
                            ms_result_word(MS_WORDS_STATUS, h->status));
  return MS_OK;
}

ms_status ms_check_pattern_table(ms_certificate *c, ms_error *err)
{
  bool more;
  MS_TRY(ms_result_next_row(&c->result, &more, err));
  while (more && !ms_is_stopped(c)) {
    MS_TRY(take_pattern_row(c, err));
    MS_TRY(ms_result_next_row(&c->result, &more, err));
  }
  return more || c->result.refused ? MS_OK : check_pattern_totals(c);
}

/* ---- the recount ----------------------------------------------------------------------- */

/* Counts the maps of a pattern and, unless embeddings are counted, divides by those of it to
 * itself. */
static ms_status count_again(ms_certificate *c, const ms_graph *graph, const ms_coloring *coloring,
                             const ms_pattern *pattern, const ms_stop *stop, mpz_t count,
                             mpz_t automorphisms, double *maps, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  ms_judge *judge;
  MS_TRY(ms_judge_pattern(graph, coloring, pattern, h->pattern.induced, false, &judge, err));
  ms_status status = ms_judge_automorphisms(judge, automorphisms, stop, err);
  if (status == MS_OK)
    status = ms_judge_recount(judge, count, NULL, NULL, stop, err);
  *maps = mpz_get_d(count);
  if (status == MS_OK && !h->pattern.embeddings)
    mpz_divexact(count, count, automorphisms);
  ms_judge_free(judge);
  return status;
}

static ms_status compare_pattern(ms_certificate *c, const stated_pattern *row, const mpz_t count,
                                 const mpz_t automorphisms)
{
  char text[120];
  mpz_t stated;
  mpz_init_set_str(stated, row->automorphisms, 10);
  int order = mpz_cmp(automorphisms, stated);
  mpz_set_str(stated, row->matches, 10);
  int matches = mpz_cmp(count, stated);
  mpz_clear(stated);
  if (order != 0) {
    gmp_snprintf(text, sizeof text, "%Zd", automorphisms);
    return ms_result_refuse(&c->result, row->line, "the pattern has %s automorphisms, not %.100s",
                            text, row->automorphisms);
  }
  if (matches < 0 || (matches > 0 && row->complete)) {
    gmp_snprintf(text, sizeof text, "%Zd", count);
    return ms_result_refuse(&c->result, row->line, "the pattern has %s matches, not %.100s", text,
                            row->matches);
  }
  return MS_OK;
}

/* Recounts the patterns in their order, until time is over. */
static ms_status recount_patterns(ms_certificate *c, ms_error *err)
{
  ms_verify_patterns *w = c->patterns;
  mpz_t count, automorphisms;
  ms_status status = MS_OK;
  mpz_init(count);
  mpz_init(automorphisms);
  c->report->rows = 0;
  for (uint64_t i = 0; i < w->rows && status == MS_OK; i++) {
    stated_pattern *row = &w->row[i];
    status = count_again(c, c->graph, c->coloring, row->pattern, c->recount_stop, count,
                         automorphisms, &row->maps, err);
    if (status == MS_OK)
      status = compare_pattern(c, row, count, automorphisms);
    c->report->rows += status == MS_OK;
    ms_limits_report(&c->options->run, "patterns recounted", i + 1, w->rows);
  }
  mpz_clear(count);
  mpz_clear(automorphisms);
  return ms_note_stop(c, status);
}

/* ---- permutations ------------------------------------------------------------------------- */

/* Makes the colouring of a graph in which vertex v has the colours of from[v]; NULL: its own. */
static ms_status color_permuted(ms_certificate *c, const ms_graph *graph, const uint32_t *from,
                                ms_coloring **out, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  uint64_t pairs = 0, room = h->assignments;
  *out = NULL;
  if (!c->coloring)
    return MS_OK;
  uint32_t(*pair)[2] = ms_alloc(room + 1, sizeof *pair);
  const char **name = ms_alloc(h->colors + (size_t)1, sizeof *name);
  ms_status status = pair && name ? MS_OK : ms_fail_memory(err, "permuted colours");
  for (uint32_t i = 0; status == MS_OK && i < h->colors; i++)
    name[i] = ms_coloring_name(c->coloring, i);
  for (uint32_t v = 0; status == MS_OK && v < h->vertices; v++) {
    uint32_t own;
    const uint32_t *color = ms_coloring_of(c->coloring, from ? from[v] : v, &own);
    for (uint32_t i = 0; i < own && pairs < room; i++) {
      pair[pairs][0] = v;
      pair[pairs++][1] = color[i];
    }
  }
  if (status == MS_OK)
    status =
        ms_coloring_from_pairs(graph, pairs, (const uint32_t(*)[2])pair, h->colors, name, out, err);
  ms_free(pair);
  ms_free(name);
  return status;
}

/* Counts all patterns in a permuted graph. */
static ms_status count_permuted(ms_certificate *c, const ms_graph *graph,
                                const ms_coloring *coloring, const ms_stop *stop, uint64_t *number,
                                ms_error *err)
{
  const ms_verify_patterns *w = c->patterns;
  double maps;
  mpz_t count, automorphisms;
  ms_status status = MS_OK;
  mpz_init(count);
  mpz_init(automorphisms);
  for (uint64_t i = 0; i < w->rows && status == MS_OK; i++) {
    status =
        count_again(c, graph, coloring, w->row[i].pattern, stop, count, automorphisms, &maps, err);
    if (status == MS_OK && mpz_sizeinbase(count, 2) > 63)
      status =
          ms_result_refuse(&c->result, w->line[i],
                           "a permutation has 2^63 matches or more, which the file cannot say");
    number[i] = mpz_get_ui(count);
  }
  mpz_clear(count);
  mpz_clear(automorphisms);
  return status;
}

static ms_status count_permutation(ms_certificate *c, ms_permuted *p, uint64_t s,
                                   const ms_stop *stop, uint64_t *number, ms_error *err)
{
  ms_graph *graph = NULL;
  ms_coloring *coloring = NULL;
  if (p->rewired)
    MS_TRY(ms_permuted_graph(p, s, stop, &graph, err));
  const ms_graph *permuted = graph ? graph : c->graph;
  ms_status status =
      color_permuted(c, permuted, p->from ? p->from + s * p->n : NULL, &coloring, err);
  if (status == MS_OK)
    status = count_permuted(c, permuted, coloring, stop, number, err);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
  return status;
}

/* Returns how many permutations may be counted again. */
static uint64_t most_permutations(const ms_certificate *c)
{
  const ms_verify_patterns *w = c->patterns;
  double maps = (double)c->result.header.vertices, most = MOST_NUMBERS / (double)w->rows;
  double counts = c->options->recount_seconds > 0 ? SOME_COUNTS : MOST_COUNTS;
  for (uint64_t i = 0; i < w->rows; i++)
    maps += w->row[i].maps;
  most = most < counts / maps ? most : counts / maps;
  return most < 1 ? 1 : (uint64_t)most;
}

/* Makes the permutations, or a sample of them, and compares the statistics. */
static ms_status compare_permutations(ms_certificate *c, const ms_stop *stop, ms_error *err)
{
  const ms_verify_patterns *w = c->patterns;
  const ms_permuted_rows rows = {.statistic = (const double(*)[MS_STATISTICS])w->statistic,
                                 .row = w->number,
                                 .line = w->line,
                                 .rows = w->rows,
                                 .motifs = w->rows};
  ms_permuted p;
  MS_TRY(ms_permuted_make(c, c->coloring, most_permutations(c), stop, &p, err));
  uint64_t *number = ms_alloc(p.permutations * w->rows, sizeof *number);
  ms_status status = number ? MS_OK : ms_fail_memory(err, "permutations");
  for (uint64_t s = 0; s < p.permutations && p.is_made && status == MS_OK; s++) {
    ms_limits_report(&c->options->run, "permutations recounted", s, p.permutations);
    status = count_permutation(c, &p, s, stop, number + s * w->rows, err);
  }
  if (status == MS_OK && p.is_made) {
    status = ms_permuted_compare(
        &(ms_permuted_counts){.c = c, .rows = &rows, .permuted = &p, .wide = number}, err);
    c->report->permutations = p.permutations;
    c->numbers_believed = p.permutations < p.of;
  }
  ms_free(number);
  ms_permuted_free(&p);
  return status;
}

/* Chains of directed graphs, which keep three numbers of each vertex, are not repeated. */
static ms_status recount_permutations(ms_certificate *c, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  if (!(h->has & MS_HAS_PERMUTATIONS) || h->permutations.done == 0)
    return MS_OK;
  c->numbers_believed = true;
  if (h->permutations.null_kind >= MS_NULL_REWIRE && ms_graph_directed(c->graph))
    return MS_OK;
  ms_stop *stop = NULL;
  MS_TRY(ms_stop_child(c->options->run.stop, c->options->recount_seconds, &stop, err));
  ms_status status = compare_permutations(c, stop, err);
  ms_stop_free(stop);
  if (status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED) {
    c->report->run.stopped = status; /* the counts of the graph stand */
    return MS_OK;
  }
  return status;
}

ms_status ms_recount_pattern_table(ms_certificate *c, ms_error *err)
{
  if (c->options->no_recount)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: numbers of matches can only be checked by a recount; leave out "
                   "`no_recount`",
                   c->result.path);
  c->rows_checked = false;
  MS_TRY(ms_stop_child(c->options->run.stop, c->options->recount_seconds, &c->recount_stop, err));
  MS_TRY(recount_patterns(c, err));
  if (c->report->run.stopped != MS_OK)
    return MS_OK;
  c->report->recounted = c->rows_checked = true;
  return recount_permutations(c, err);
}
