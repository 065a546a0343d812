/* The measures of a match, computed again: each row of neighbours is merged with the match. */
#include "verify/certificate.h"

#include "base/status.h"
#include "base/text/float_text.h"
#include "base/text/format.h"

#include <string.h>

/* Copies ids, of which there are at most MS_MAX_PATTERN, so that they ascend. */
static void sort_ids(const uint32_t *from, uint32_t k, uint32_t *ids)
{
  for (uint32_t i = 0, at; i < k; i++) {
    for (at = i; at > 0 && ids[at - 1] > from[i]; at--)
      ids[at] = ids[at - 1];
    ids[at] = from[i];
  }
}

void ms_verify_measures(const ms_graph *graph, const uint32_t *row, uint32_t k, ms_measures *out)
{
  uint32_t ids[MS_MAX_PATTERN];
  double sum = 0;
  *out = (ms_measures){.edges = 0};
  sort_ids(row, k, ids);
  for (uint32_t i = 0; i < k; i++) {
    uint32_t degree, next = i + 1;
    const uint32_t *near = ms_graph_neighbors(graph, ids[i], &degree);
    const float *score = ms_graph_scores(graph, ids[i]);
    for (uint32_t a = 0; a < degree && next < k; a++) {
      while (next < k && ids[next] < near[a])
        next++;
      if (next == k || ids[next] != near[a])
        continue;
      double value = score ? (double)score[a] : 0;
      out->least_score = out->edges == 0 || value < out->least_score ? value : out->least_score;
      out->edges++;
      sum += value;
    }
  }
  uint32_t pairs = k * (k - 1) / 2;
  out->density = pairs ? (float)((double)out->edges / pairs) : 0;
  out->mean_score = out->edges ? (float)(sum / out->edges) : 0;
}

/* Returns the sum of the scores of the vertices. */
static uint64_t sum_of(const ms_certificate *c, const uint32_t *ids)
{
  uint64_t sum = 0;
  for (uint32_t i = 0; c->vertex_scores && i < c->result.header.k; i++)
    sum += ms_vertex_scores_of(c->vertex_scores, ids[i]);
  return sum;
}

/* Returns the number by which the file is sorted; those of edges are of single precision. */
static double value_of(const ms_certificate *c, const uint32_t *ids, const ms_measures *m)
{
  const double values[] = {0, m->edges, m->density, m->mean_score, m->least_score};
  ms_measure sort = c->result.header.sort;
  return sort == MS_MEASURE_VERTEX_SCORE ? (double)sum_of(c, ids) : (double)(float)values[sort];
}

bool ms_is_wanted(const ms_certificate *c, const ms_measures *m)
{
  const ms_result_header *h = &c->result.header;
  return (h->min_density == 0 || m->density >= (double)(float)h->min_density) &&
         (h->min_mean_score == 0 || m->mean_score >= (double)(float)h->min_mean_score);
}

/* Does a match come behind the last row of the file in its order? */
static bool comes_behind(const ms_certificate *c, const uint32_t *ids, const ms_measures *m)
{
  double value = value_of(c, ids, m);
  if (value != c->last_value)
    return value < c->last_value;
  for (uint32_t i = 0; i < c->result.header.k; i++)
    if (ids[i] != c->last_ids[i])
      return ids[i] > c->last_ids[i];
  return true;
}

bool ms_comes_behind(const ms_certificate *c, const uint32_t *a, const uint32_t *b)
{
  uint32_t k = c->result.header.k;
  ms_measures m;
  double values[2] = {0, 0};
  for (int i = 0; c->result.header.sort && i < 2; i++) {
    ms_verify_measures(c->graph, i ? b : a, k, &m);
    values[i] = value_of(c, i ? b : a, &m);
  }
  if (values[0] != values[1])
    return values[0] < values[1];
  for (uint32_t i = 0; i < k; i++)
    if (a[i] != b[i])
      return a[i] > b[i];
  return false;
}

bool ms_may_lack(const ms_certificate *c, const uint32_t *row)
{
  const ms_result_header *h = &c->result.header;
  uint32_t ids[MS_MAX_PATTERN], k = h->k;
  ms_measures m;
  if (!h->sort && h->min_density == 0 && h->min_mean_score == 0)
    return false;
  if (c->query) /* a recount may find them in any order */
    sort_ids(row, k, ids);
  else
    memcpy(ids, row, k * sizeof *ids);
  ms_verify_measures(c->graph, ids, k, &m);
  return !ms_is_wanted(c, &m) || (h->top > 0 && c->rows == h->top && comes_behind(c, ids, &m));
}

/* Rounds to six significant digits, as results do. */
static double brief(double value)
{
  char text[MS_FLOAT_BYTES];
  return ms_read_real(ms_float_brief((float)value, text), NULL);
}

/* Compares what the row states with what is right. */
static ms_status compare(ms_certificate *c, const ms_measures *m)
{
  const ms_result_row *row = &c->result.row;
  const struct {
    const char *what;
    double right, stated;
  } numbers[] = {{"number of edges", m->edges, row->match.edges},
                 {"density", brief(m->density), row->match.density},
                 {"mean score", brief(m->mean_score), row->match.mean_score},
                 {"least score", brief(m->least_score), row->match.least_score}};
  size_t count = c->result.header.measures == MS_MEASURES_SCORES ? 4 : 2;
  for (size_t i = 0; c->result.header.measures && i < count; i++)
    if (numbers[i].right != numbers[i].stated)
      return ms_result_refuse(&c->result, row->line, "the %s of match %llu is %.6g, not %.9g",
                              numbers[i].what, (unsigned long long)row->match.number,
                              numbers[i].right, numbers[i].stated);
  return MS_OK;
}

ms_status ms_check_measures(ms_certificate *c, const uint32_t *ids)
{
  const ms_result_header *h = &c->result.header;
  const ms_result_row *row = &c->result.row;
  unsigned long long number = row->match.number;
  ms_measures m;
  if (h->vertex_scores.path && row->match.vertex_score != sum_of(c, ids))
    return ms_result_refuse(
        &c->result, row->line, "the sum of the scores of match %llu is %llu, not %llu", number,
        (unsigned long long)sum_of(c, ids), (unsigned long long)row->match.vertex_score);
  if (!h->measures && !h->sort && h->min_density == 0 && h->min_mean_score == 0)
    return MS_OK;
  ms_verify_measures(c->graph, ids, h->k, &m);
  MS_TRY(compare(c, &m));
  if (!ms_is_wanted(c, &m))
    return ms_result_refuse(&c->result, row->line,
                            "match %llu has a density of %.6g and a mean score of %.6g, and the "
                            "header says that such matches are left out",
                            number, m.density, m.mean_score);
  if (h->top > 0 && c->rows == h->top)
    return ms_result_refuse(&c->result, row->line,
                            "there are more than the %llu matches that the header states",
                            (unsigned long long)h->top);
  if (h->sort && c->rows > 0 && !comes_behind(c, ids, &m))
    return ms_result_refuse(&c->result, row->line, "match %llu does not follow the row before it",
                            number);
  c->last_value = value_of(c, ids, &m);
  memcpy(c->last_ids, ids, h->k * sizeof *ids);
  return MS_OK;
}

ms_status ms_check_measured(ms_certificate *c)
{
  const ms_result_header *h = &c->result.header;
  bool scores = h->measures == MS_MEASURES_SCORES || h->sort == MS_MEASURE_MEAN_SCORE ||
                h->sort == MS_MEASURE_LEAST_SCORE || h->min_mean_score != 0;
  if (scores && !ms_graph_scored(c->graph))
    return ms_result_refuse(&c->result, h->line[MS_PART_GRAPH],
                            "the result has scores, but it does not say that the graph has any");
  return MS_OK;
}
