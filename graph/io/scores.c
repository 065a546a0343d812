/* Scores of edges; see scores.h. */
#include "graph/io/scores.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

static int compare(ms_field a, ms_field b)
{
  int order = memcmp(a.text, b.text, a.length < b.length ? a.length : b.length);
  return order ? order : (a.length > b.length) - (a.length < b.length);
}

ms_status ms_scores_add(ms_scores *scores, const ms_text *text, ms_edges *edges, ms_field score,
                        ms_field first, ms_field second, bool *keep, ms_error *err)
{
  double value;
  if (!ms_field_decimal(score, scores->delimiter, &value))
    return ms_name_problem(score.text, score.length)
               ? ms_text_fail(text, err, "the score is not a number; correct the line")
               : ms_text_fail(text, err, "the score '%.*s' is not a number; correct the line",
                              ms_name_clip(score.text, score.length), score.text);
  if (scores->kept && !isfinite((float)value))
    return ms_text_fail(text, err,
                        "the score '%.*s' is too large to be kept; scores are single-precision "
                        "numbers",
                        ms_name_clip(score.text, score.length), score.text);
  if (scores->count == 0 || value < scores->lowest)
    scores->lowest = value;
  if (scores->count == 0 || value > scores->highest)
    scores->highest = value;
  scores->count++;
  if (scores->watched)
    MS_TRY(ms_repeats_note(&edges->repeats, first, second, edges->directed, edges->runs != NULL,
                           value, err));
  if (edges->combine != MS_COMBINE_MAX) {
    *keep = true;
    return ms_edges_score(edges, edges->combine == MS_COMBINE_COUNT ? 1 : value, err);
  }
  *keep = value >= scores->least;
  if (!*keep)
    scores->below[compare(first, second) > 0]++;
  return *keep && scores->kept ? ms_edges_score(edges, value, err) : MS_OK;
}

ms_status ms_scores_missing(ms_scores *scores, const ms_text *text, const char *what,
                            ms_field first, ms_field second, bool *keep, ms_error *err)
{
  *keep = !(scores->least > -INFINITY);
  if (!*keep)
    scores->below[compare(first, second) > 0]++;
  return *keep && scores->kept
             ? ms_text_fail(text, err,
                            "%s; leave out lines without one (`min_score`), or leave out "
                            "`keep_scores`",
                            what)
             : MS_OK;
}

void ms_scores_end(const ms_scores *scores, uint32_t column, ms_edges *edges)
{
  if (edges->repeats)
    edges->layout.scores_differ = ms_repeats_differ(edges->repeats);
  ms_repeats_free(edges->repeats);
  edges->repeats = NULL;
  edges->below_score = scores->below[0] > scores->below[1] ? scores->below[0] : scores->below[1];
  if (scores->count == 0)
    return;
  edges->layout.score_column = column + 1;
  edges->layout.lowest_score = scores->lowest;
  edges->layout.highest_score = scores->highest;
}
