#include "cli/nearest.h"

#include "base/stop.h"
#include "cli/option_table.h"

#include <inttypes.h>

/* Further vertices that --nearest allows where --max-extra does not say it.  Each of them may be
 * any vertex, so that with many of them nearly every set is a match. */
#define USUAL_EXTRA 2u
/* A message is worth this time. */
#define LOOK_SECONDS 0.5

void ms_nearest_settle(const ms_job *job, ms_screen_options *options)
{
  uint32_t k = ms_motif_size(job->motif), room = MS_MAX_K - k;
  if (!options->nearest_only)
    return;
  if (!ms_option_given(job->options, "max-missing"))
    options->max_missing = job->options->n_required > 0 ? 0 : k - 1;
  if (!ms_option_given(job->options, "max-extra"))
    options->max_extra = room < USUAL_EXTRA ? room : USUAL_EXTRA;
}

/* Returns the cost of the nearest matches. */
static uint32_t cost_of(const ms_screen_result *screen)
{
  for (uint32_t v = 0; v < screen->n; v++)
    if (screen->hits[v])
      return (uint32_t)screen->missing[v] + screen->extra[v];
  return 0;
}

void ms_nearest_announce(const ms_job *job)
{
  const ms_cli_options *o = job->options;
  ms_screen_options options = MS_SCREEN_OPTIONS_DEFAULT;
  ms_screen_result *screen;
  options.method = MS_METHOD_EXACT;
  options.threads = o->list.screen.threads;
  options.memory = o->list.screen.memory;
  options.nearest_only = true;
  ms_nearest_settle(job, &options);
  if (options.max_missing == 0 && options.max_extra == 0)
    return;
  if (ms_stop_child(o->stop, LOOK_SECONDS, &options.stop, NULL) != MS_OK)
    return;
  if (ms_screen(job->query, &options, &screen, NULL) == MS_OK) {
    if (screen->flagged > 0)
      ms_cli_note("there is no match; the nearest ones cost %" PRIu32
                  " (the number of empty slots and "
                  "further vertices), and 'motifsieve screen --nearest' finds their vertices",
                  cost_of(screen));
    ms_screen_result_free(screen);
  }
  ms_stop_free(options.stop);
}
