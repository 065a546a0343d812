/* Reads scores of vertices.
 *
 *   TP53<TAB>12       tab, comma (CSV), semicolon or blanks, as in edge lists
 *
 * A vertex without a line has the score 0.  Lines about other names are counted and skipped. */
#include "graph/vertex_scores.h"

#include "base/alloc.h"
#include "base/status.h"
#include "graph/graph.h"
#include "graph/io/own_names.h"

#include <inttypes.h>
#include <string.h>

typedef struct score_rows {
  const ms_graph *graph;
  ms_vertex_scores *scores;
  ms_own_names own;
  uint8_t *given; /* [n] 1: the vertex had a line */
} score_rows;

/* Reads a decimal integer without a sign; false: the field is none, or it is too large. */
static bool read_score(ms_field field, uint32_t *score)
{
  uint64_t value = 0;
  for (size_t i = 0; i < field.length; i++) {
    if (field.text[i] < '0' || field.text[i] > '9')
      return false;
    value = 10 * value + (uint64_t)(field.text[i] - '0');
    if (value > MS_MAX_VERTEX_SCORE)
      return false;
  }
  *score = (uint32_t)value;
  return field.length > 0;
}

static uint32_t find_vertex(const score_rows *rows, ms_field name)
{
  uint32_t v = ms_own_names_find(&rows->own, name);
  return v == MS_NO_ID ? ms_graph_find_text(rows->graph, name.text, name.length) : v;
}

static ms_status add_line(ms_text *text, ms_delimiter delimiter, score_rows *rows, ms_error *err)
{
  ms_field fields[2] = {{"", 0}, {"", 0}};
  ms_vertex_scores *scores = rows->scores;
  uint32_t count, score;
  MS_TRY(ms_text_split(text, delimiter, 2, fields, &count, err));
  if (count < 2)
    return ms_text_fail(text, err,
                        "expected the name of a vertex and its score separated by %s, found one "
                        "word; add the score or remove the line",
                        ms_delimiter_name(delimiter));
  if (!read_score(fields[1], &score))
    return ms_text_fail(text, err,
                        "'%.*s' is no score; a score is an integer from 0 to %u, so scale and "
                        "round other numbers, and write # in front of a line of column names",
                        ms_name_clip(fields[1].text, fields[1].length), fields[1].text,
                        MS_MAX_VERTEX_SCORE);
  uint32_t v = find_vertex(rows, fields[0]);
  scores->info.lines++;
  scores->info.unknown += v == MS_NO_ID;
  if (v == MS_NO_ID)
    return ms_own_names_check_spelling(&rows->own, text, fields[0], err);
  if (rows->given[v] && scores->of[v] != score)
    return ms_text_fail(text, err,
                        "the vertex '%.*s' has the score %" PRIu32 " here, and %" PRIu32
                        " in a line before; remove one of the lines",
                        ms_name_clip(fields[0].text, fields[0].length), fields[0].text, score,
                        scores->of[v]);
  scores->info.scored += !rows->given[v];
  scores->info.greatest = score > scores->info.greatest ? score : scores->info.greatest;
  rows->given[v] = 1;
  scores->of[v] = score;
  return MS_OK;
}

static ms_status read_rows(ms_text *text, score_rows *rows, ms_error *err)
{
  const ms_graph *graph = rows->graph;
  MS_TRY(ms_own_names_open(&rows->own, graph->names, graph->taxon_prefix, text, err));
  ms_delimiter delimiter = text->line ? ms_text_delimiter(text) : MS_TAB;
  ms_text_set_delimiter(text, delimiter);
  while (text->line) {
    MS_TRY(add_line(text, delimiter, rows, err));
    MS_TRY(ms_text_next_data(text, err));
  }
  if (rows->scores->info.scored > 0 || graph->n == 0)
    return MS_OK;
  const char *ours = ms_names_get(graph->names, 0);
  return ms_fail(err, MS_ERR_INPUT,
                 "%s: no line gives a score to a vertex of the graph, which has names like '%.*s'; "
                 "give a file of lines NAME<TAB>SCORE with those names",
                 text->label, ms_name_clip(ours, strlen(ours)), ours);
}

/* Makes scores of 0; *out is to be freed if that fails, too. */
static ms_status make_scores(uint32_t n, const char *path, ms_vertex_scores **out, ms_error *err)
{
  ms_vertex_scores *scores = *out = ms_calloc(1, sizeof *scores);
  if (!scores)
    return ms_fail_memory(err, "the scores of vertices");
  scores->n = n;
  scores->of = ms_calloc(n, sizeof *scores->of);
  scores->path = ms_strdup(path);
  scores->info.path = scores->path;
  return scores->of && scores->path ? MS_OK : ms_fail_memory(err, "the scores of vertices");
}

ms_status ms_vertex_scores_read(const char *path, const ms_graph *graph, ms_vertex_scores **out,
                                ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(path, err);
  MS_REQUIRE(graph, err);
  score_rows rows = {.graph = graph};
  ms_text *text = NULL;
  ms_status status = make_scores(graph->n, path, &rows.scores, err);
  rows.given = ms_calloc(graph->n, 1);
  if (status == MS_OK && !rows.given)
    status = ms_fail_memory(err, "the scores of vertices");
  if (status == MS_OK)
    status = ms_text_open(path, &text, err);
  if (status == MS_OK)
    status = read_rows(text, &rows, err);
  if (status == MS_OK) {
    rows.scores->info.crc32c = text->crc32c;
    *out = rows.scores;
  } else {
    ms_vertex_scores_free(rows.scores);
  }
  ms_own_names_close(&rows.own);
  ms_text_close(text);
  ms_free(rows.given);
  return status;
}

ms_status ms_vertex_scores_new(const ms_graph *graph, const uint32_t *score, ms_vertex_scores **out,
                               ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(graph, err);
  MS_REQUIRE_ARRAY(score, graph->n, err);
  ms_vertex_scores *scores;
  ms_status status = make_scores(graph->n, "(in memory)", &scores, err);
  for (uint32_t v = 0; v < graph->n && status == MS_OK; v++) {
    if (score[v] > MS_MAX_VERTEX_SCORE)
      status = ms_fail(err, MS_ERR_USAGE,
                       "the score of vertex %u is %u; a score is an integer from 0 to %u, so scale "
                       "and round other numbers",
                       v, score[v], MS_MAX_VERTEX_SCORE);
    scores->of[v] = score[v];
    scores->info.scored += score[v] > 0;
    scores->info.greatest = score[v] > scores->info.greatest ? score[v] : scores->info.greatest;
  }
  if (status == MS_OK)
    *out = scores;
  else
    ms_vertex_scores_free(scores);
  return status;
}

void ms_vertex_scores_free(ms_vertex_scores *scores)
{
  if (!scores)
    return;
  ms_free(scores->of);
  ms_free(scores->path);
  ms_free(scores);
}

ms_vertex_scores_info ms_vertex_scores_describe(const ms_vertex_scores *scores)
{
  return scores ? scores->info : (ms_vertex_scores_info){0};
}

uint32_t ms_vertex_scores_of(const ms_vertex_scores *scores, uint32_t v)
{
  return scores && v < scores->n ? scores->of[v] : 0;
}
