/* motifsieve list --significance: inputs -> ms_list_chance -> KEY<TAB>VALUE lines. */
#include "cli/list_significance.h"
#include "base/alloc.h"
#include "base/format.h"
#include "base/outfile.h"
#include "base/status.h"
#include "cli/cli.h"
#include "cli/option_table.h"
#include "cli/options.h"

#include <inttypes.h>
#include <math.h>

bool ms_list_significance_is_wanted(const ms_cli_options *o)
{
  return o->command->bit == MS_COMMAND_LIST &&
         (o->significance || ms_option_given(o, "permutations"));
}

ms_status ms_list_significance_check(const ms_cli_options *o, ms_error *err)
{
  static const char *const others[] = {
      "motifs",         "nearest",       "max-missing", "max-extra",
      "substitute",     "sample",        "diverse",     "families",
      "limit",          "sort",          "top",         "min-density",
      "min-mean-score", "participation", "all",         "count",
      "json",           "cx2",           "dot",         "svg",
      "density",        "scores",        "roles",       "long",
      "labels",         "all-colors",    "error",       "repetitions",
      "recurrence",     "backend",       "devices",     "engine",
      "screen",         "vertex-scores", "no-prune",    "stats"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (ms_option_given(o, others[i]))
      return ms_fail(err, MS_ERR_USAGE,
                     "--%s has no effect on the statistics that --significance and --permutations "
                     "write; leave it out",
                     others[i]);
  return MS_OK;
}

static void put_number(ms_outfile *out, const char *key, double value)
{
  char number[32];
  ms_format(number, sizeof number, "%.6g", value);
  ms_outfile_printf(out, "%s\t%s\n", key, isnan(value) ? "NA" : number);
}

static void put_moments(ms_outfile *out, const ms_list_significance *s)
{
  if (!s->has_moments) {
    ms_outfile_printf(out, "formula\tnone: %s\n", s->moments_reason);
    return;
  }
  ms_outfile_printf(out, "formula\t%s\n", s->exact ? "exact" : "sampled");
  put_number(out, "expected", s->expected);
  put_number(out, "sd", s->sd);
  if (!s->exact)
    put_number(out, "relative error of sd", s->error);
  put_number(out, "z", s->z);
  put_number(out, "p", s->p);
  put_number(out, "p_less", s->p_less);
}

static void put_permutations(ms_outfile *out, const ms_cli_options *o,
                             const ms_list_significance *s)
{
  ms_outfile_printf(out, "null\t%s\n", ms_null_word((uint32_t)o->census.null_kind));
  if (o->census.strata)
    ms_outfile_printf(out, "strata\t%s\n", o->census.strata);
  ms_outfile_printf(out, "seed\t%" PRIu64 "\npermutations\t%" PRIu64 "\n", o->list.screen.seed,
                    s->done);
  if (s->done < s->asked)
    ms_outfile_printf(out, "permutations asked for\t%" PRIu64 "\n", s->asked);
  put_number(out, "perm_expected", s->permuted_expected);
  put_number(out, "perm_sd", s->permuted_sd);
  put_number(out, "perm_z", s->permuted_z);
  put_number(out, "perm_p", s->permuted_p);
  put_number(out, "perm_p_less", s->permuted_p_less);
  ms_outfile_printf(out, "perm_n_ge\t%" PRIu64 "\nperm_n_le\t%" PRIu64 "\n", s->n_ge, s->n_le);
  if (s->tried > 0)
    ms_outfile_printf(out, "swaps\t%" PRIu64 " of %" PRIu64 "\n", s->accepted, s->tried);
  if (o->census.null_kind == MS_NULL_EDGES)
    put_number(out, "deviation", s->deviation);
}

static ms_status write_all(const ms_job *job, const ms_list_significance *s, ms_error *err)
{
  const ms_cli_options *o = job->options;
  ms_outfile *out;
  MS_TRY(ms_outfile_open(o->output ? o->output : "-", &out, err));
  ms_outfile_printf(out, "motif\t%s\nstatistic\t%s\nobserved\t%" PRIu64 "\n",
                    ms_motif_text(job->motif), ms_statistic_word(o->statistic), s->observed);
  if (o->significance)
    put_moments(out, s);
  if (s->asked > 0)
    put_permutations(out, o, s);
  return ms_outfile_commit(out, err);
}

static ms_status run(ms_job *job, ms_list_significance *s, uint32_t **stratum, ms_error *err)
{
  const ms_cli_options *o = job->options;
  ms_list_options list = MS_LIST_OPTIONS_DEFAULT;
  ms_permutation_options null = MS_PERMUTATION_OPTIONS_DEFAULT;
  bool permutes = ms_option_given(o, "permutations");
  list.screen = o->list.screen;
  list.participation = list.count_only = o->statistic == MS_OF_VERTICES;
  ms_job_attach(job, &list.screen);
  null.null_kind = o->census.null_kind;
  null.permutations = o->census.permutations;
  null.seed = o->list.screen.seed;
  if (o->census.strata) {
    null.n_strata = ms_graph_vertex_count(job->graph);
    null.stratum = *stratum = ms_alloc(null.n_strata, sizeof **stratum);
    if (!*stratum)
      return ms_fail_memory(err, "the strata of vertices");
    MS_TRY(
        ms_read_strata(job->graph, job->coloring, &o->coloring, o->census.strata, *stratum, err));
  }
  MS_TRY(ms_list_chance(job->query, &list, permutes ? &null : NULL, s, err));
  ms_progress_end(&job->progress);
  return write_all(job, s, err);
}

int ms_run_list_significance(ms_job *job, ms_error *err)
{
  ms_list_significance s = {0};
  uint32_t *stratum = NULL;
  char text[32];
  ms_status status = run(job, &s, &stratum, err);
  ms_free(stratum);
  ms_progress_end(&job->progress);
  if (status != MS_OK)
    return ms_cli_error(err);
  ms_format(text, sizeof text, "%" PRIu64, s.observed);
  return ms_job_outcome(job, s.stopped, s.observed, text, "");
}
