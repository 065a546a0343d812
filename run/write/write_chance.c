/* ms_list_chance_write: lines of a key and a value, or a JSON object; of a part, a file for
 * ms_merge. */
#include "run/write/write_chance.h"

#include "base/options.h"
#include "base/status.h"
#include "base/text/format.h"
#include "base/text/utf8.h"
#include "parts/log.h"
#include "query/query.h"
#include "result/json.h"
#include "run/write/write.h"
#include "run/write/write_permutations.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define NUMBER_BYTES 32

/* Values of `formula` of the header. */
enum { NOT_ASKED, NO_FORMULA, EXACT, SAMPLED };

/* ---- lines ------------------------------------------------------------------------------- */

/* Where a value goes: to a line, or into the object. */
typedef struct sink {
  ms_outfile *out;
  json_t *object; /* NULL: lines are written, or memory ran out */
  bool json;
} sink;

static void put_text(sink *to, const char *key, const char *value)
{
  if (to->json)
    to->object = ms_json_add_text(to->object, key, value);
  else
    ms_outfile_printf(to->out, "%s\t%s\n", key, value);
}

static void put_count(sink *to, const char *key, uint64_t value)
{
  if (to->json)
    to->object = ms_json_add(to->object, key, json_integer((json_int_t)value));
  else
    ms_outfile_printf(to->out, "%s\t%" PRIu64 "\n", key, value);
}

/* Puts a number that write_number has written. */
static void put_written(sink *to, const char *key, const char *number)
{
  if (!to->json)
    ms_outfile_printf(to->out, "%s\t%s\n", key, number);
  else
    to->object = ms_json_add(
        to->object, key,
        strcmp(number, MS_NO_VALUE) == 0 ? json_null() : json_real(ms_read_real(number, NULL)));
}

/* Writes six digits, or NA; returns the text. */
static const char *write_number(double value, char text[NUMBER_BYTES])
{
  ms_format(text, NUMBER_BYTES, "%.6g", value);
  return isnan(value) ? MS_NO_VALUE : text;
}

static void put_number(sink *to, const char *key, double value)
{
  char text[NUMBER_BYTES];
  put_written(to, key, write_number(value, text));
}

static void put_moments(sink *to, const ms_result_header *h)
{
  put_text(to, "formula", ms_result_word(MS_WORDS_FORMULA, h->chance.formula));
  if (h->chance.formula == NO_FORMULA) {
    put_text(to, "formula_reason", h->chance.reason);
    return;
  }
  put_written(to, "expected", h->chance.expected);
  put_written(to, "sd", h->chance.sd);
  put_number(to, "fold", ms_fold(h->chance.observed, ms_read_real(h->chance.expected, NULL)));
  if (h->chance.formula == SAMPLED)
    put_written(to, "sd_error", h->chance.sd_error);
  put_written(to, "z", h->chance.z);
  put_written(to, "p", h->chance.p);
  put_written(to, "p_less", h->chance.p_less);
  if (!h->chance.p_by || strcmp(h->chance.p_by, MS_NO_VALUE) == 0)
    put_written(to, "p_by", MS_NO_VALUE);
  else
    put_text(to, "p_by", h->chance.p_by);
}

static void put_permutations(sink *to, const ms_result_header *h, const ms_permutation_result *r)
{
  put_text(to, "null", ms_result_word(MS_WORDS_NULL, h->permutations.null_kind));
  put_text(to, "null_meaning", ms_result_word(MS_WORDS_NULL_MEANING, h->permutations.null_kind));
  if (h->permutations.strata)
    put_text(to, "strata", h->permutations.strata);
  put_count(to, "seed", h->permutations.seed);
  put_count(to, "permutations", r->done);
  if (r->done < r->asked)
    put_count(to, "permutations_asked", r->asked);
  put_number(to, "perm_expected", r->expected[0]);
  put_number(to, "perm_sd", r->sd[0]);
  put_number(to, "perm_fold", ms_fold(h->chance.observed, r->expected[0]));
  put_number(to, "perm_z", r->z[0]);
  put_number(to, "perm_p", r->p[0]);
  put_number(to, "perm_p_less", r->p_less[0]);
  put_count(to, "perm_n_ge", r->n_ge[0]);
  put_count(to, "perm_n_le", r->n_le[0]);
  if (r->tried > 0) {
    put_count(to, "swaps_tried", r->tried);
    put_count(to, "swaps_accepted", r->accepted);
  }
  if (h->permutations.null_kind == MS_NULL_EDGES)
    put_number(to, "table_deviation", r->deviation);
}

ms_status ms_writing_chance(ms_writer *w, const ms_permutation_result *r, ms_error *err)
{
  const ms_result_header *h = &w->header;
  sink to = {.out = w->out, .json = w->encoding == &ms_encoding_json};
  to.object = to.json ? json_object() : NULL;
  put_text(&to, "motif", h->motif);
  put_text(&to, "statistic", ms_result_word(MS_WORDS_STATISTIC, h->chance.statistic));
  put_count(&to, "observed", h->chance.observed);
  if (h->chance.formula != NOT_ASKED)
    put_moments(&to, h);
  if (r)
    put_permutations(&to, h, r);
  return to.json ? ms_json_put(to.out, to.object, "\n", err) : MS_OK;
}

/* ---- the call ---------------------------------------------------------------------------- */

typedef struct chance_file {
  ms_writing writing;
  ms_list_significance result; /* a copy, because the statistics below point into it */
  ms_permutation_result permutations;
  char number[6][NUMBER_BYTES];
} chance_file;

static void describe_moments(chance_file *f)
{
  ms_result_header *h = &f->writing.writer.header;
  const ms_list_significance *s = &f->result;
  h->chance.formula = !s->by_formula ? NOT_ASKED : !s->has_moments ? NO_FORMULA : SAMPLED;
  if (h->chance.formula == NO_FORMULA)
    h->chance.reason = s->moments_reason;
  if (h->chance.formula != SAMPLED)
    return;
  h->chance.expected = write_number(s->expected, f->number[0]);
  h->chance.sd = write_number(s->sd, f->number[1]);
  h->chance.z = write_number(s->z, f->number[2]);
  h->chance.p = write_number(s->p, f->number[3]);
  h->chance.p_less = write_number(s->p_less, f->number[4]);
  h->chance.p_by = s->p_by == MS_P_BY_NONE ? MS_NO_VALUE : ms_result_word(MS_WORDS_P_BY, s->p_by);
  if (s->exact)
    h->chance.formula = EXACT;
  else
    h->chance.sd_error = write_number(s->error, f->number[5]);
}

/* Describes the result but for the strata. */
static void describe(chance_file *f, const ms_query *query, const ms_list_options *run)
{
  ms_writing *w = &f->writing;
  ms_list_significance *s = &f->result;
  ms_describe_graph(&w->writer.header, query->graph, &w->graph);
  ms_describe_coloring(&w->writer.header, query->coloring, &w->colors);
  ms_describe_query(&w->writer.header, query);
  w->writer.header.chance.statistic = run->participation;
  w->writer.header.chance.observed = s->observed;
  describe_moments(f);
  w->writer.header.status = ms_status_of(s->run.stopped, false);
  f->permutations = (ms_permutation_result){.count = 1,
                                            .done = s->done,
                                            .asked = s->asked,
                                            .expected = &s->permuted_expected,
                                            .sd = &s->permuted_sd,
                                            .z = &s->permuted_z,
                                            .p = &s->permuted_p,
                                            .p_less = &s->permuted_p_less,
                                            .n_ge = &s->n_ge,
                                            .n_le = &s->n_le,
                                            .tried = s->tried,
                                            .accepted = s->accepted,
                                            .deviation = s->deviation,
                                            .run.stopped = s->run.stopped};
}

/* Writes a part: a header without rows. */
static ms_status write_part(chance_file *f, const ms_division *division, const ms_names *names,
                            ms_error *err)
{
  ms_writer *w = &f->writing.writer;
  ms_result_header *h = &w->header;
  char n_ge[24], n_le[24];
  ms_writing_divide(&f->writing, division, f->result.asked);
  snprintf(n_ge, sizeof n_ge, "%" PRIu64, f->result.n_ge);
  snprintf(n_le, sizeof n_le, "%" PRIu64, f->result.n_le);
  h->chance.sum[0] = f->result.part_sum;
  h->chance.sum[1] = f->result.part_squares;
  h->chance.sum[2] = n_ge;
  h->chance.sum[3] = n_le;
  MS_TRY(ms_writer_begin(w, names, err));
  return ms_writer_end(w, err);
}

static ms_status check(const ms_list_significance *s, const ms_permutation_options *permutations,
                       const ms_division *division, ms_error *err)
{
  bool is_part = division && division->parts > 0;
  if ((s->asked > 0) != (permutations != NULL) || (s->part_sum[0] != '\0') != is_part)
    return ms_fail(err, MS_ERR_USAGE,
                   "the result and the options of its run differ in whether there are permutations "
                   "or parts; pass the options that made the result");
  return MS_OK;
}

ms_status ms_list_chance_write(const ms_query *query, const ms_list_options *run,
                               const ms_permutation_options *permutations, const char *strata,
                               const ms_list_significance *result, const ms_write_options *options,
                               const char *path, ms_error *err)
{
  ms_list_options o;
  ms_permutation_options q;
  ms_division division;
  chance_file f = {0};
  MS_REQUIRE(query, err);
  MS_REQUIRE(result, err);
  MS_REQUIRE(path, err);
  MS_TRY(ms_options_take(&ms_list_options_kind, run, &o, err));
  MS_TRY(ms_options_take(&ms_permutation_options_kind, permutations, &q, err));
  MS_TRY(ms_division_take(&o.screen.run.division, &division, err));
  MS_TRY(check(result, permutations, o.screen.run.division, err));
  f.result = *result;
  MS_TRY(ms_writing_open(&f.writing, MS_KIND_CHANCE, query->graph->n, options, path, err));
  describe(&f, query, &o);
  if (permutations)
    ms_writing_permutations(&f.writing.writer.header, &f.permutations, &q, strata);
  ms_status status = MS_OK;
  if (strata && f.writing.options.form == MS_FORM_JSON && !ms_is_utf8(strata))
    status = ms_fail(err, MS_ERR_USAGE, "the column of strata is not UTF-8, which JSON needs");
  else if (o.screen.run.division && o.screen.run.division->parts > 0)
    status = write_part(&f, o.screen.run.division, query->graph->names, err);
  else
    status = ms_writing_chance(&f.writing.writer, permutations ? &f.permutations : NULL, err);
  return ms_writing_close(&f.writing, status, err);
}
