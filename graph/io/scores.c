/* Scores of edges; see scores.h. */
#include "graph/io/scores.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/status.h"

#include <math.h>
#include <string.h>

static int compare(ms_field a, ms_field b)
{
  int order = memcmp(a.text, b.text, a.length < b.length ? a.length : b.length);
  return order ? order : (a.length > b.length) - (a.length < b.length);
}

/* A table with repeats has some among its first lines. */
#define MOST_WATCHED ((uint64_t)1 << 16)

/* Pairs that were met lately, and their scores: a table that is emptied when it is half full. */
struct ms_repeats {
  struct {
    uint64_t key; /* 0: no pair */
    double score;
  } slot[8192];
  uint32_t used;
};

/* Notes whether the pair had another score before. */
static ms_status note_repeat(ms_edges *edges, ms_field first, ms_field second, double score,
                             ms_error *err)
{
  enum { SLOTS = sizeof edges->repeats->slot / sizeof *edges->repeats->slot };
  const ms_hash_key *key = ms_hash_key_get();
  if (edges->layout.scores_differ)
    return MS_OK;
  if (!edges->repeats && !(edges->repeats = ms_calloc(1, sizeof *edges->repeats)))
    return ms_fail_memory(err, "pairs of vertices");
  ms_repeats *r = edges->repeats;
  uint64_t a = ms_hash_bytes(key, first.text, first.length);
  uint64_t b = ms_hash_bytes(key, second.text, second.length);
  uint64_t pair = (edges->directed ? 3 * a + b : a + b) | 1;
  uint64_t i = pair >> 32 & (SLOTS - 1);
  for (; r->slot[i].key; i = (i + 1) & (SLOTS - 1))
    if (r->slot[i].key == pair) {
      edges->layout.scores_differ = r->slot[i].score != score;
      return MS_OK;
    }
  r->slot[i].key = pair;
  r->slot[i].score = score;
  if (++r->used > SLOTS / 2)
    memset(r, 0, sizeof *r);
  return MS_OK;
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
  if (scores->watched && scores->count <= MOST_WATCHED)
    MS_TRY(note_repeat(edges, first, second, value, err));
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
  edges->below_score = scores->below[0] > scores->below[1] ? scores->below[0] : scores->below[1];
  if (scores->count == 0)
    return;
  edges->layout.score_column = column + 1;
  edges->layout.lowest_score = scores->lowest;
  edges->layout.highest_score = scores->highest;
}
