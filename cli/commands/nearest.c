#include "cli/commands/nearest.h"

#include "base/status.h"
#include "base/threads/stop.h"
#include "cli/options/option_table.h"

#include <inttypes.h>
#include <string.h>

/* Further vertices that --nearest allows where --max-extra does not say it.  Each of them may be
 * any vertex, so that with many of them nearly every set is a match. */
#define USUAL_EXTRA 2u
/* Cost of substitutions that --substitute allows: an empty slot and a further vertex cost as much.
 */
#define USUAL_COST 2u
/* A message is worth this time. */
#define LOOK_SECONDS 0.5

bool ms_nearest_is_wanted(const ms_cli_options *o)
{
  return o->list.screen.nearest_only || ms_option_given(o, "max-missing") ||
         ms_option_given(o, "max-extra") || o->substitutes;
}

static uint32_t usual_extra(uint32_t k)
{
  return k + USUAL_EXTRA <= MS_MAX_K ? USUAL_EXTRA : MS_MAX_K - k;
}

const char *ms_nearest_substitutes_path(const ms_cli_options *o)
{
  return o->substitutes && strcmp(o->substitutes, "ontology") == 0 ? o->coloring.obo
                                                                   : o->substitutes;
}

static ms_status read_substitutes(ms_job *job, ms_screen_options *options, ms_error *err)
{
  const ms_cli_options *o = job->options;
  uint32_t skipped;
  if (!o->substitutes)
    return MS_OK;
  if (!ms_option_given(o, "max-cost"))
    options->max_cost = USUAL_COST;
  MS_TRY(ms_substitutes_read(ms_nearest_substitutes_path(o), job->coloring, job->motif,
                             options->max_cost, &job->substitutes, err));
  ms_substitutes_count(job->substitutes, &skipped);
  if (skipped > 0 && !o->quiet)
    ms_cli_warn("%s: %" PRIu32 " of the substitutions name a colour that no vertex has; they are "
                "skipped",
                o->substitutes, skipped);
  options->substitutes = job->substitutes;
  return MS_OK;
}

ms_status ms_nearest_settle(ms_job *job, ms_screen_options *options, ms_error *err)
{
  const ms_cli_options *o = job->options;
  uint32_t k = ms_motif_size(job->motif);
  options->costs = ms_nearest_is_wanted(o);
  if (options->nearest_only && !ms_option_given(o, "max-missing"))
    options->max_missing = k - 1;
  if (options->nearest_only && !ms_option_given(o, "max-extra"))
    options->max_extra = usual_extra(k);
  return read_substitutes(job, options, err);
}

/* Returns the cost of the nearest matches. */
static uint32_t cost_of(const ms_screen_result *screen)
{
  for (uint32_t v = 0; v < screen->n; v++)
    if (screen->hits[v])
      return (uint32_t)screen->missing[v] + screen->extra[v];
  return 0;
}

/* Says what a search for the nearest matches found, if it came to an end. */
static void describe(const char *command, const ms_screen_result *screen, bool is_exact)
{
  const char *none = is_exact ? "there is no match" : "no match was found";
  if (screen->flagged == 0)
    ms_cli_note("%s; 'motifsieve %s --nearest' finds the nearest ones", none, command);
  else if (cost_of(screen) > 0)
    ms_cli_note("%s; the nearest ones cost %" PRIu32 " (the number of empty slots and further "
                "vertices), and 'motifsieve %s --nearest' finds them",
                none, cost_of(screen), command);
  else
    ms_cli_note(
        "no match was found, but there is one, which the sieve has missed; --exact finds it");
}

void ms_nearest_announce(const ms_job *job, bool is_exact)
{
  const ms_cli_options *o = job->options;
  uint32_t k = ms_motif_size(job->motif);
  ms_screen_options options = MS_SCREEN_OPTIONS_DEFAULT;
  ms_screen_result *screen;
  options.method = MS_METHOD_EXACT;
  options.run.threads = o->list.screen.run.threads;
  options.run.memory = o->list.screen.run.memory;
  options.nearest_only = true;
  options.max_missing = k - 1;
  options.max_extra = usual_extra(k);
  if (ms_stop_child(o->stop, LOOK_SECONDS, &options.run.stop, NULL) != MS_OK)
    return;
  if (ms_screen(job->query, &options, &screen, NULL) == MS_OK) {
    describe(o->command->name, screen, is_exact);
    ms_screen_result_free(screen);
  }
  ms_stop_free(options.run.stop);
}
