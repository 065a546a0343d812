/* The steps of ms_verify_file, some of which depend on the kind of result. */
#include "verify/certificate.h"

#include "base/alloc.h"
#include "base/meter.h"
#include "base/numbers.h"
#include "base/options.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "verify/bound.h"
#include "verify/recount.h"

#include <stdio.h>
#include <string.h>

/* ---- vertices of motifs ---------------------------------------------------------------------- */

/* Checks the numbers of a result that says in how many matches of a motif each vertex is.  A number
 * shows nothing by itself, so that all of them are counted again, match by match. */

/* Number of matches between two reports of progress. */
#define REPORT_MATCHES 65536u

typedef struct taking {
  ms_certificate *c;
  uint64_t *counted; /* [n] */
} taking;

/* Counts the vertices of a match; an ms_found_fn. */
static bool note_match(void *user, const uint32_t *row)
{
  taking *t = user;
  ms_certificate *c = t->c;
  for (uint32_t i = 0; i < c->result.header.k; i++)
    t->counted[row[i]]++;
  if (++c->found % REPORT_MATCHES == 0)
    ms_limits_report(&c->options->run, "matches recounted", c->found, 0);
  return true;
}

/* Refuses the file because a number is too large, or too small although nothing can be missing. */
static ms_status refuse_number(ms_certificate *c, uint32_t v, uint64_t counted, uint64_t stated)
{
  const char *name = ms_name_of(c, v), *many = counted == 1 ? "" : "es";
  unsigned long long right = counted, wrong = stated;
  if (counted < stated || c->certain)
    return ms_result_refuse(&c->result, 0,
                            "'%.100s' is in %llu match%s, and not in %llu as the file says", name,
                            right, many, wrong);
  c->report->missing = counted - stated;
  return ms_result_refuse(&c->result, 0, "'%.100s' is in %llu match%s, and the file has %llu; %s",
                          name, right, many, wrong, ms_missing_explanation(c));
}

static ms_status compare(ms_certificate *c, const uint64_t *counted, const mpz_t count)
{
  const ms_result_header *h = &c->result.header;
  bool complete = h->status == MS_RESULT_COMPLETE && !(h->has & MS_HAS_PART);
  mpz_t stated, taken;
  for (uint32_t v = 0; v < h->vertices; v++)
    if (counted[v] < c->matches_of[v] || (complete && counted[v] != c->matches_of[v]))
      return refuse_number(c, v, counted[v], c->matches_of[v]);
  mpz_init(stated);
  int order = ms_take_matches(c, stated) ? mpz_cmp(count, stated) : -1;
  mpz_init(taken); /* a match takes part in the numbers of k vertices, also if others are missing */
  for (uint32_t v = 0; v < h->vertices; v++)
    mpz_add_ui(taken, taken, c->matches_of[v]);
  mpz_submul_ui(taken, stated, h->k);
  int surplus = mpz_sgn(taken);
  mpz_clears(stated, taken, NULL);
  if (order < 0 || (complete && order > 0))
    return ms_result_refuse(&c->result, h->line[MS_PART_FOUND],
                            "the header's number of matches, %.100s, is wrong", h->count);
  if (surplus != 0)
    return ms_result_refuse(&c->result, h->line[MS_PART_FOUND],
                            "each of the header's %.100s matches holds %u vertices, so that the "
                            "numbers of the rows have another sum",
                            h->count, h->k);
  return MS_OK;
}

static ms_status participation_recount(taking *t, mpz_t count, ms_error *err)
{
  ms_certificate *c = t->c;
  ms_backtracker *backtracker;
  MS_TRY(ms_backtracker_new(c->query, true, c->recount_stop, &backtracker, err));
  ms_status status = ms_note_stop(c, ms_backtracker_list(backtracker, count, note_match, t, err));
  ms_backtracker_free(backtracker);
  return status;
}

/* Counts again in how many matches each vertex is; the rows are not checked before it ends. */
static ms_status recount_participation(ms_certificate *c, ms_error *err)
{
  if (c->options->no_recount)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: the number of matches of each vertex can only be checked by a recount; "
                   "leave out `no_recount`",
                   c->result.path);
  taking t = {.c = c, .counted = ms_calloc(c->result.header.vertices, sizeof *t.counted)};
  mpz_t count;
  if (!t.counted)
    return ms_fail_memory(err, "the recount");
  mpz_init(count);
  c->rows_checked = false;
  c->report->rows = 0;
  ms_status status =
      ms_stop_child(c->options->run.stop, c->options->recount_seconds, &c->recount_stop, err);
  if (status == MS_OK)
    status = participation_recount(&t, count, err);
  if (status == MS_OK && c->report->run.stopped == MS_OK) {
    c->report->recounted = c->rows_checked = true;
    c->report->rows = c->rows;
    status = compare(c, t.counted, count);
  }
  mpz_clear(count);
  ms_free(t.counted);
  return status;
}

/* ---- certificate ----------------------------------------------------------------------------- */

typedef struct kind_steps {
  unsigned kinds;
  ms_status (*open_query)(ms_certificate *c, ms_error *err);
  ms_status (*check_rows)(ms_certificate *c, ms_error *err);
  ms_status (*recount)(ms_certificate *c, ms_error *err);
} kind_steps;

static ms_status skip_step(ms_certificate *c, ms_error *err)
{
  (void)c;
  (void)err;
  return MS_OK;
}

static const kind_steps all_steps[] = {
    {MS_KIND_SCREEN, ms_open_motif, ms_check_vertices, ms_recount_vertices},
    {MS_KIND_FLAGS, ms_open_pattern, ms_check_vertices, ms_recount_vertices},
    {MS_KIND_TYPED_FLAGS, ms_open_typed, ms_check_vertices, ms_recount_vertices},
    {MS_KIND_LIST, ms_open_motif, ms_check_matches, ms_recount_matches},
    {MS_KIND_PARTICIPATION, ms_open_motif, ms_check_vertices, recount_participation},
    {MS_KIND_PATTERN_PARTICIPATION, ms_open_pattern, ms_check_vertices, ms_recount_positions},
    {MS_KIND_TYPED_PARTICIPATION, ms_open_typed, ms_check_vertices, ms_recount_positions},
    {MS_KIND_NEAREST, ms_open_motif, ms_check_vertices, ms_recount_nearest},
    {MS_KIND_NEAREST_LIST, ms_open_motif, ms_check_nearest_list, ms_recount_nearest_list},
    {MS_KIND_PATTERN, ms_open_pattern, ms_check_matches, ms_recount_matches},
    {MS_KIND_PATTERNS, ms_open_pattern_table, ms_check_pattern_table, ms_recount_pattern_table},
    {MS_KINDS_OF_CENSUSES, ms_open_census, ms_check_census, ms_recount_census},
    {MS_KINDS_OF_SAMPLES, ms_open_comparison, ms_check_comparison, ms_recount_comparison},
    {MS_KIND_COMPONENTS, skip_step, ms_check_component_table, skip_step},
    {MS_KIND_PATH, skip_step, ms_check_path_table, skip_step},
    {MS_KIND_MINED, skip_step, ms_check_mined_table, skip_step},
    {MS_KIND_TYPED, ms_open_typed, ms_check_matches, ms_recount_matches},
};

static ms_status read_header(ms_certificate *c, bool refuses_counts, const kind_steps **out,
                             ms_error *err)
{
  MS_TRY(ms_result_open(&c->result, c->tape, err));
  ms_result_kind kind = c->result.header.kind;
  const ms_result_header *h = &c->result.header;
  const char *lack = h->has & MS_HAS_COUNTED      ? "of a count, which holds no rows to verify"
                     : ms_header_is_sieve_part(h) ? "of a sieve, which flags no vertex yet"
                     : !(h->has & MS_HAS_PART)    ? NULL
                     : h->has & MS_HAS_PERMUTATIONS
                         ? "of permutations, which has sums in place of statistics"
                     : kind == MS_KIND_VERTEX_CENSUS
                         ? "of a census of each vertex, and may have some of the sets of a vertex"
                         : NULL;
  if (lack && refuses_counts)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: is a part %s; merge the parts of the run, and verify the result",
                   c->result.path, lack);
  c->report->command = ms_result_command(kind);
  c->report->is_screen = kind & MS_KINDS_OF_VERTICES;
  c->report->is_census = kind & MS_KINDS_OF_CENSUSES;
  c->report->is_permuted = c->result.header.has & MS_HAS_PERMUTATIONS;
  c->report->is_comparison = kind & MS_KINDS_OF_SAMPLES;
  c->report->part = c->result.header.division.part;
  c->report->parts = c->result.header.division.parts;
  c->report->is_typed = kind & MS_KINDS_TYPED;
  c->report->is_pattern = kind & (MS_KINDS_TYPED | MS_KINDS_PLAIN_PATTERN);
  for (size_t i = 0; i < sizeof all_steps / sizeof *all_steps; i++)
    if (all_steps[i].kinds & kind)
      *out = &all_steps[i];
  return *out || !refuses_counts
             ? MS_OK
             : ms_result_refuse(&c->result, 0, "nothing checks results of this kind");
}

/* A sieve ends before its last repetition once every vertex is flagged.  The last repetition was
 * then the first to flag some vertex. */
static ms_status check_early_end(ms_certificate *c)
{
  const ms_result_header *h = &c->result.header;
  bool is_early = c->certain && h->repetitions < h->repetitions_planned;
  if (!is_early || c->least_repetitions == 1)
    return MS_OK;
  return ms_result_refuse(&c->result, h->line[MS_PART_REPETITIONS],
                          "the sieve is said to have ended early, after %u of %u repetitions, but "
                          "the last of them flagged no vertex for the first time",
                          h->repetitions, h->repetitions_planned);
}

static ms_status check_bound(ms_certificate *c, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  if (h->mode != MS_MODE_EXACT && h->k > MS_MAX_K)
    return ms_result_refuse(&c->result, h->line[MS_PART_PATTERN],
                            "the sieve is for at most %u vertices, but the pattern has %u",
                            MS_MAX_K, h->k);
  MS_TRY(ms_check_bound(&c->result, &c->certain, err));
  c->report->probabilistic = !c->certain;
  return h->kind == MS_KIND_SCREEN ? check_early_end(c) : MS_OK;
}

/* Refuses a status that no result of this kind has: rows of vertices have no limit, and of a file
 * of sections a full disk leaves nothing. */
static ms_status check_status(ms_certificate *c)
{
  const ms_result_header *h = &c->result.header;
  bool of_vertices = h->kind & (MS_KIND_SCREEN | MS_KIND_NEAREST | MS_KINDS_OF_PARTICIPATIONS |
                                MS_KINDS_OF_CENSUSES | MS_KINDS_OF_SAMPLES | MS_KIND_COMPONENTS |
                                MS_KIND_PATH | MS_KIND_MINED | MS_KIND_PATTERNS);
  bool possible = h->status == MS_RESULT_COMPLETE || h->status == MS_RESULT_TIME ||
                  h->status == MS_RESULT_INTERRUPTED ||
                  (h->status == MS_RESULT_SPACE ? !(h->has & MS_HAS_SECTIONS) && !of_vertices &&
                                                      h->kind != MS_KIND_NEAREST_LIST
                                                : !of_vertices);
  return possible
             ? MS_OK
             : ms_result_refuse(&c->result, 0, "the status '%s' does not occur in such a result",
                                ms_result_word(MS_WORDS_STATUS, h->status));
}

/* Checks that no field stands without the one that gives it a meaning. */
static ms_status check_partners(ms_certificate *c)
{
  const ms_result_header *h = &c->result.header;
  bool is_list = h->kind & (MS_KIND_LIST | MS_KIND_PATTERN);
  const struct {
    bool is_alone;
    const char *field, *partner;
  } fields[] = {
      {h->sort == MS_MEASURE_VERTEX_SCORE && !h->vertex_scores.path, "sort: vertex_score",
       "vertex_scores"},
      {is_list && h->top > 0 && !h->sort, "top", "sort"},
      {h->all_sums && !h->vertex_scores.path, "all_sums", "vertex_scores"},
      {h->family.matches > 0 && h->family.share == 0, "family_matches", "family_share"},
      {h->max_cost > 0 && !h->substitutes.path, "max_cost", "substitutes"},
  };
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
    if (fields[i].is_alone)
      return ms_result_refuse(&c->result, 0, "the header has '%s', and no '%s'", fields[i].field,
                              fields[i].partner);
  return MS_OK;
}

/* Checks what follows the inputs, in a file or in one of its sections. */
static ms_status check_section(ms_certificate *c, const kind_steps *steps, ms_error *err)
{
  const ms_verify_options *o = c->options;
  MS_TRY(check_partners(c));
  MS_TRY(steps->open_query(c, err));
  ms_limits_report(&o->run, "rows are checked", 0, 0);
  MS_TRY(steps->check_rows(c, err));
  MS_TRY(check_status(c));
  const unsigned counted = MS_KINDS_OF_CENSUSES | MS_KINDS_OF_SAMPLES | MS_KIND_MINED |
                           MS_KINDS_OF_PARTICIPATIONS | MS_KIND_PATTERNS;
  if (c->report->run.stopped != MS_OK && c->result.header.kind & counted)
    c->report->rows = c->rows = 0; /* they were read, but only the recount checks numbers */
  if (c->report->run.stopped != MS_OK)
    return MS_OK;
  MS_TRY(check_bound(c, err));
  ms_limits_report(&o->run, "the recount runs", 0, 0);
  return steps->recount(c, err);
}

/* Says how far the check came that the stop token ended. */
static void describe_progress(const ms_certificate *c)
{
  ms_verify_report *r = c->report;
  const char *reason = r->run.stopped == MS_ERR_INTERRUPTED ? "it was interrupted" : "time ran out";
  if (r->flags > 0)
    snprintf(r->problem, sizeof r->problem,
             "a match was found for %llu of %llu flags before %s; nothing was refuted",
             (unsigned long long)r->supported, (unsigned long long)r->flags, reason);
  else if (r->rows < c->rows)
    snprintf(r->problem, sizeof r->problem,
             "%llu of %llu rows were checked before %s; nothing was refuted",
             (unsigned long long)r->rows, (unsigned long long)c->rows, reason);
  else
    snprintf(r->problem, sizeof r->problem, "%llu rows were checked before %s; nothing was refuted",
             (unsigned long long)r->rows, reason);
}

static ms_verify_completeness completeness_of(const ms_certificate *c,
                                              const ms_verify_report *report)
{
  const ms_result_header *h = &c->result.header;
  if (h->status != MS_RESULT_COMPLETE || h->has & MS_HAS_PART ||
      ((h->has & MS_HAS_SAMPLE) && h->found < h->sample.from))
    return MS_COMPLETENESS_NOT_STATED;
  if (h->kind == MS_KIND_CENSUS && h->census.sort != MS_CENSUS_BY_SETS && h->top == c->rows)
    return MS_COMPLETENESS_NOT_STATED; /* the statistics of motifs without a row are not known */
  return report->recounted && !c->numbers_believed ? MS_COMPLETENESS_PROVED
         : c->certain                              ? MS_COMPLETENESS_BELIEVED
                                                   : MS_COMPLETENESS_BOUNDED;
}

/* Fills in the outcome of a check that no failure has ended.  With sections, the completeness is
 * known already. */
static void settle_report(ms_certificate *c)
{
  ms_verify_report *r = c->report;
  r->outcome = c->rows_checked ? MS_VERIFY_ACCEPTED : MS_VERIFY_UNFINISHED;
  r->accepted = c->rows_checked;
  if (!c->rows_checked)
    describe_progress(c);
  else if (!(c->result.header.has & MS_HAS_SECTIONS))
    r->completeness = completeness_of(c, r);
}

static void release_section(ms_certificate *c);

/* ---- sections ---------------------------------------------------------------------- */

/* Adds the report of a section. */
static void add_section(ms_verify_report *total, const ms_verify_report *part,
                        ms_verify_completeness completeness, bool is_first)
{
  total->recounted = part->recounted && (is_first || total->recounted);
  total->probabilistic |= part->probabilistic;
  total->rows += part->rows;
  total->missing += part->missing;
  total->flags += part->flags;
  total->supported += part->supported;
  total->run.stopped = total->run.stopped == MS_OK ? part->run.stopped : total->run.stopped;
  if (is_first || completeness < total->completeness)
    total->completeness = completeness;
}

/* Takes the time that a section took off that of all; what is used up stays just above 0, which
 * would mean that there is no limit. */
static void take_time(double *seconds, double used)
{
  if (*seconds > 0)
    *seconds = *seconds > used + 1e-3 ? *seconds - used : 1e-3;
}

/* Checks that a section has the labels of the first one, which were read. */
static ms_status check_same_labels(ms_certificate *c, const ms_result_file *labels)
{
  const ms_result_header *h = &c->result.header;
  if (!h->labels.path == !labels->path && h->labels.crc32c == labels->crc32c)
    return MS_OK;
  return ms_result_refuse(&c->result, h->line[MS_PART_LABELS],
                          "the labels of section %u are not those of the first section",
                          h->section);
}

/* Checks one section after the other.  A recount that runs out of time ends none but its own. */
static ms_status check_sections(ms_certificate *c, const kind_steps *steps, ms_error *err)
{
  const ms_verify_options *given = c->options;
  ms_verify_options o = *given;
  ms_verify_report *total = c->report;
  ms_status status = MS_OK;
  ms_result_file labels = c->result.header.labels; /* the path is looked at only for NULL */
  bool checked = true, more = true;
  c->options = &o;
  for (bool is_first = true; status == MS_OK && more; is_first = false) {
    ms_verify_report part = {.is_screen = total->is_screen};
    double begin = ms_seconds();
    c->report = &part;
    if (!is_first)
      status = ms_result_open_next(&c->result, err);
    if (status == MS_OK)
      status = check_same_labels(c, &labels);
    if (status == MS_OK)
      status = ms_note_stop(c, check_section(c, steps, err));
    c->report = total;
    add_section(total, &part, completeness_of(c, &part), is_first);
    checked = checked && c->rows_checked;
    take_time(&o.recount_seconds, ms_seconds() - begin);
    take_time(&o.flag_seconds, ms_seconds() - begin);
    more = !c->result.refused && c->rows_checked && !ms_result_is_last(&c->result) &&
           ms_stop_check(o.run.stop) == MS_OK;
    if (more)
      release_section(c);
  }
  c->rows_checked = checked && ms_result_is_last(&c->result);
  c->options = given;
  return status;
}

static ms_status check_all(ms_certificate *c, ms_error *err)
{
  const kind_steps *steps = NULL;
  MS_TRY(read_header(c, true, &steps, err));
  MS_TRY(ms_check_inputs(c, err));
  return c->result.header.has & MS_HAS_SECTIONS ? check_sections(c, steps, err)
                                                : check_section(c, steps, err);
}

/* ---- the end ----------------------------------------------------------------------- */

static void free_query(ms_certificate *c)
{
  if (c->result.header.kind & MS_KINDS_TYPED) {
    ms_typed_query_free(c->typed_query);
    ms_typed_pattern_free(c->typed_pattern);
  } else if (c->pattern) {
    ms_pattern_free(c->pattern);
  } else {
    ms_query_free(c->query);
    ms_substitutes_free(c->substitutes);
    c->substitutes = NULL;
    ms_motif_free(c->motif);
  }
}

/* Frees what belongs to the query and its rows, and forgets them. */
static void release_section(ms_certificate *c)
{
  ms_judge_free(c->judge);
  ms_stop_free(c->recount_stop);
  ms_row_set_free(c->set);
  for (uint32_t size = 0; size <= MS_MAX_K; size++)
    ms_row_set_free(c->sets[size]);
  memset(c->sets, 0, sizeof c->sets);
  ms_free(c->row_of);
  ms_free(c->flagged);
  ms_free(c->matches_of);
  ms_verify_positions_free(c->positions);
  ms_free(c->missing);
  ms_free(c->extra);
  ms_free(c->cost);
  ms_free(c->score);
  ms_free(c->best_sum);
  ms_free(c->sums);
  ms_free(c->sums_from);
  ms_free(c->n_sums);
  ms_verify_families_free(c->families);
  free_query(c);
  ms_verify_census_free(c->census); /* the query has its colours */
  ms_verify_patterns_free(c->patterns);
  c->judge = NULL;
  c->recount_stop = NULL;
  c->set = NULL;
  c->row_of = NULL;
  c->flagged = NULL;
  c->matches_of = NULL;
  c->positions = NULL;
  c->missing = c->extra = NULL;
  c->cost = NULL;
  c->score = NULL;
  c->best_sum = NULL;
  c->sums = c->n_sums = NULL;
  c->sums_from = NULL;
  c->sums_count = c->sums_room = 0;
  c->families = NULL;
  c->census = NULL;
  c->patterns = NULL;
  c->query = NULL;
  c->motif = NULL;
  c->certain = c->rows_checked = false;
  c->rows = c->found = c->least_repetitions = 0;
}

void ms_certificate_init(ms_certificate *c, const char *result_path)
{
  memset(c->report, 0, sizeof *c->report);
  ms_result_init(&c->result, result_path);
  mpz_init(c->automorphisms);
}

void ms_certificate_close(ms_certificate *c)
{
  mpz_clear(c->automorphisms);
  release_section(c);
  ms_verify_comparison_free(c->comparison);
  ms_typed_free(c->typed);
  ms_labels_free(c->labels);
  ms_vertex_scores_free(c->vertex_scores);
  ms_coloring_free(c->coloring);
  ms_graph_free(c->graph);
  ms_result_close(&c->result);
}

ms_status ms_certificate_open(ms_certificate *c, ms_error *err)
{
  const kind_steps *steps = NULL;
  return read_header(c, false, &steps, err);
}

ms_status ms_verify_file(const char *result_path, const char *graph_path, const char *colors_path,
                         const ms_verify_options *options, ms_verify_report *report, ms_error *err)
{
  MS_REQUIRE(report, err);
  MS_REQUIRE(result_path, err);
  MS_REQUIRE(graph_path, err);
  ms_verify_options o;
  MS_TRY(ms_options_take(&ms_verify_options_kind, options, &o, err));
  ms_tape tape;
  ms_certificate c = {.options = &o,
                      .graph_path = graph_path,
                      .colors_path = colors_path,
                      .report = report,
                      .tape = &tape};
  ms_numbers_begin();
  ms_certificate_init(&c, result_path);
  ms_meter meter;
  ms_meter_open(&meter, MS_BOUND_OF_WORK, result_path, &tape.line);
  ms_stop *before = ms_stop_enter(o.run.stop); /* ends reading, too */
  ms_status status = ms_tape_open(&tape, result_path, err);
  if (status == MS_OK)
    status = ms_note_stop(&c, check_all(&c, err));
  status = ms_result_find_damage(&c.result, status, err);
  if (status == MS_OK)
    settle_report(&c);
  if (c.result.refused) {
    memcpy(report->problem, c.result.problem, sizeof report->problem);
    status = MS_OK;
  }
  ms_certificate_close(&c);
  ms_numbers_end();
  ms_tape_close(&tape);
  ms_stop_leave(before);
  ms_meter_close(&meter);
  return status;
}
