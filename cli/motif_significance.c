/* motifsieve list and screen --significance: inputs -> ms_list_chance -> KEY<TAB>VALUE lines, or a
 * JSON object. */
#include "cli/motif_significance.h"
#include "base/alloc.h"
#include "base/format.h"
#include "base/outfile.h"
#include "base/status.h"
#include "base/utf8.h"
#include "cli/cli.h"
#include "cli/option_table.h"
#include "cli/options.h"
#include "result/json.h"

#include <inttypes.h>
#include <math.h>

bool ms_motif_significance_is_wanted(const ms_cli_options *o)
{
  return (o->command->bit & (MS_COMMAND_LIST | MS_COMMAND_SCREEN)) &&
         (o->significance || ms_option_given(o, "permutations"));
}

/* Returns whether vertices in matches are counted, which a screen finds; else matches are. */
static bool of_vertices(const ms_cli_options *o)
{
  return o->command->bit == MS_COMMAND_SCREEN || o->statistic == MS_OF_VERTICES;
}

ms_status ms_motif_significance_check(const ms_cli_options *o, ms_error *err)
{
  static const char *const others[] = {
      "motifs",        "nearest",     "max-missing", "max-extra",   "substitute",
      "sample",        "diverse",     "families",    "limit",       "sort",
      "top",           "min-density", "profile",     "all-sums",    "min-mean-score",
      "participation", "all",         "count",       "cx2",         "dot",
      "svg",           "density",     "scores",      "roles",       "long",
      "labels",        "all-colors",  "error",       "repetitions", "recurrence",
      "backend",       "devices",     "engine",      "screen",      "vertex-scores",
      "no-prune",      "stats"};
  if (o->pattern.path)
    return ms_fail(err, MS_ERR_USAGE,
                   "--significance and --permutations are for motifs, and '%s' is a pattern; give "
                   "a motif with --motif",
                   o->pattern.path);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (ms_option_given(o, others[i]))
      return ms_fail(err, MS_ERR_USAGE,
                     "--%s has no effect on the statistics that --significance and --permutations "
                     "write, which come from exact counts; leave it out",
                     others[i]);
  if (o->json && o->census.strata && !ms_is_utf8(o->census.strata))
    return ms_fail(err, MS_ERR_USAGE, "--strata is not UTF-8, which JSON needs; leave out --json");
  return MS_OK;
}

/* ---- output ---------------------------------------------------------------------------- */

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

static void put_number(sink *to, const char *key, double value)
{
  char number[32];
  ms_format(number, sizeof number, "%.6g", value);
  if (!to->json)
    ms_outfile_printf(to->out, "%s\t%s\n", key, isnan(value) ? "NA" : number);
  else
    to->object = ms_json_add(to->object, key,
                             isnan(value) ? json_null() : json_real(ms_read_real(number, NULL)));
}

static void put_moments(sink *to, const ms_list_significance *s)
{
  put_text(to, "formula", !s->has_moments ? "none" : s->exact ? "exact" : "sampled");
  if (!s->has_moments) {
    put_text(to, "formula_reason", s->moments_reason);
    return;
  }
  put_number(to, "expected", s->expected);
  put_number(to, "sd", s->sd);
  if (!s->exact)
    put_number(to, "sd_error", s->error);
  put_number(to, "z", s->z);
  put_number(to, "p", s->p);
  put_number(to, "p_less", s->p_less);
}

static void put_permutations(sink *to, const ms_cli_options *o, const ms_list_significance *s)
{
  put_text(to, "null", ms_null_word((uint32_t)o->census.null_kind));
  if (o->census.strata)
    put_text(to, "strata", o->census.strata);
  put_count(to, "seed", o->list.screen.seed);
  put_count(to, "permutations", s->done);
  if (s->done < s->asked)
    put_count(to, "permutations_asked", s->asked);
  put_number(to, "perm_expected", s->permuted_expected);
  put_number(to, "perm_sd", s->permuted_sd);
  put_number(to, "perm_z", s->permuted_z);
  put_number(to, "perm_p", s->permuted_p);
  put_number(to, "perm_p_less", s->permuted_p_less);
  put_count(to, "perm_n_ge", s->n_ge);
  put_count(to, "perm_n_le", s->n_le);
  if (s->tried > 0) {
    put_count(to, "swaps_tried", s->tried);
    put_count(to, "swaps_accepted", s->accepted);
  }
  if (o->census.null_kind == MS_NULL_EDGES)
    put_number(to, "table_deviation", s->deviation);
}

static ms_status write_all(const ms_job *job, const ms_list_significance *s, ms_error *err)
{
  const ms_cli_options *o = job->options;
  sink to = {.json = o->json};
  ms_status status = MS_OK;
  MS_TRY(ms_outfile_open(o->output ? o->output : "-", &to.out, err));
  to.object = to.json ? json_object() : NULL;
  put_text(&to, "motif", ms_motif_text(job->motif));
  put_text(&to, "statistic", ms_statistic_word(of_vertices(o) ? MS_OF_VERTICES : MS_OF_MATCHES));
  put_count(&to, "observed", s->observed);
  if (o->significance && o->command->bit == MS_COMMAND_LIST) /* of a screen there are none */
    put_moments(&to, s);
  if (s->asked > 0)
    put_permutations(&to, o, s);
  if (to.json)
    status = ms_json_put(to.out, to.object, "\n", err);
  if (status == MS_OK)
    return ms_outfile_commit(to.out, err);
  ms_outfile_abort(to.out);
  return status;
}

/* ---- the command ----------------------------------------------------------------------- */

static ms_status run(ms_job *job, ms_list_significance *s, uint32_t **stratum, ms_error *err)
{
  const ms_cli_options *o = job->options;
  ms_list_options list = MS_LIST_OPTIONS_DEFAULT;
  ms_permutation_options null = MS_PERMUTATION_OPTIONS_DEFAULT;
  bool permutes = o->command->bit == MS_COMMAND_SCREEN || ms_option_given(o, "permutations");
  list.screen = o->list.screen;
  list.participation = list.count_only = of_vertices(o);
  ms_job_attach(job, &list.screen);
  null.null_kind = o->census.null_kind;
  null.permutations = o->census.permutations;
  null.seed = o->list.screen.seed;
  if (o->census.strata) {
    null.n_strata = ms_graph_vertex_count(job->graph);
    null.stratum = *stratum = ms_alloc(null.n_strata, sizeof **stratum);
    if (!*stratum)
      return ms_fail_memory(err, "the strata of vertices");
    MS_TRY(ms_read_strata(job->graph, job->coloring, &o->coloring, NULL, o->census.strata, *stratum,
                          err));
  }
  bool by_formula = o->significance && o->command->bit == MS_COMMAND_LIST;
  MS_TRY(ms_list_chance(job->query, &list, by_formula, permutes ? &null : NULL, s, err));
  ms_progress_end(&job->progress);
  return write_all(job, s, err);
}

int ms_run_motif_significance(ms_job *job, ms_error *err)
{
  ms_list_significance s = {0};
  uint32_t *stratum = NULL;
  ms_status status = run(job, &s, &stratum, err);
  ms_free(stratum);
  ms_progress_end(&job->progress);
  if (status != MS_OK)
    return ms_cli_error(err);
  if (s.stopped == MS_OK)
    return ms_job_outcome(job, MS_OK, s.observed, "", "");
  if (!job->options->quiet)
    ms_cli_warn("%s after %" PRIu64 " of %" PRIu64
                " permutations; the result is that of these permutations",
                ms_job_reason(s.stopped), s.done, s.asked);
  return MS_EXIT_LIMIT;
}
