/* Writes the counts of many patterns, and whether they are more than by chance. */
#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "base/text/float_text.h"
#include "graph/graph.h"
#include "match/index.h"
#include "parts/log.h"
#include "query/pattern.h"
#include "run/write/write.h"
#include "run/write/write_permutations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void ms_writing_pattern_statistics(const ms_permutation_result *r, uint64_t i, ms_pattern_row *row)
{
  uint64_t matches = strtoull(row->matches, NULL, 10); /* permutations are for fewer than 2^63 */
  ms_writing_statistics(r, i, matches, row->statistic);
}

static ms_status put_pattern(ms_writing *w, const ms_pattern_set *set, const ms_pattern_counts *c,
                             const ms_permutation_result *r, uint32_t i, ms_error *err)
{
  ms_sums_text sums;
  ms_pattern_row row = {.name = ms_pattern_set_name(set, i),
                        .pattern = set->text[i],
                        .vertices = set->pattern[i]->n,
                        .edges = ms_pattern_edge_count(set->pattern[i]),
                        .automorphisms = c->automorphisms_text[i],
                        .matches = c->count_text[i],
                        .status =
                            ms_result_word(MS_WORDS_STATUS, ms_status_of(c->stopped[i], false))};
  if (r && r->sum) {
    ms_sums_write(&r->sum[i], r->n_ge[i], r->n_le[i], &sums);
    memcpy(row.sum, sums.text, sizeof row.sum);
  } else if (r) {
    ms_writing_pattern_statistics(r, i, &row);
  }
  return ms_writer_row(&w->writer, &row, err);
}

/* Refuses what was not made from this set with these options. */
static ms_status check(const ms_pattern_set *set, const ms_pattern_options *o,
                       const ms_pattern_counts *c, const ms_census_statistics *s, ms_error *err)
{
  const ms_permutation_result *r = s->permutations;
  bool is_part = o->screen.run.division && o->screen.run.division->parts > 0;
  if (c->count != set->count || c->embeddings != o->embeddings)
    return ms_fail(err, MS_ERR_USAGE,
                   "the counts are of %u patterns, of %s, and the set has %u, of %s; pass the set "
                   "and the options that made the counts",
                   c->count, c->embeddings ? "embeddings" : "subgraphs", set->count,
                   o->embeddings ? "embeddings" : "subgraphs");
  if (s->significance || s->sort != MS_CENSUS_BY_SETS)
    return ms_fail(err, MS_ERR_USAGE,
                   "patterns have statistics by permutations alone, and the order of their set; "
                   "leave out `%s`",
                   s->significance ? "significance" : "sort");
  if (r && !s->permutation_options)
    return ms_fail(err, MS_ERR_USAGE, "statistics have permutations without their options");
  if (r && r->count != set->count)
    return ms_fail(err, MS_ERR_USAGE, "the permutations are of %llu patterns, and the set has %u",
                   (unsigned long long)r->count, set->count);
  if (is_part != (r && r->sum))
    return ms_fail(err, MS_ERR_USAGE,
                   "the permutations and the options differ in whether there are parts; pass the "
                   "options that made the permutations");
  return MS_OK;
}

ms_status ms_pattern_counts_write(const ms_pattern_index *index, const ms_pattern_set *set,
                                  const ms_pattern_options *run, const ms_pattern_counts *counts,
                                  const ms_census_statistics *statistics,
                                  const ms_write_options *options, const char *path, ms_error *err)
{
  ms_pattern_options o;
  ms_census_statistics s;
  ms_division division;
  ms_writing w;
  MS_REQUIRE(index, err);
  MS_REQUIRE(set, err);
  MS_REQUIRE(counts, err);
  MS_REQUIRE(path, err);
  MS_TRY(ms_options_take(&ms_pattern_options_kind, run, &o, err));
  MS_TRY(ms_options_take(&ms_census_statistics_kind, statistics, &s, err));
  MS_TRY(ms_division_take(&o.screen.run.division, &division, err));
  MS_TRY(check(set, &o, counts, &s, err));
  const ms_permutation_result *r = s.permutations;
  MS_TRY(ms_writing_open(&w, MS_KIND_PATTERNS, index->graph->n, options, path, err));
  ms_result_header *h = &w.writer.header;
  ms_describe_graph(h, index->graph, &w.graph);
  ms_describe_coloring(h, index->coloring, &w.colors);
  h->patterns = (ms_result_file){set->path ? set->path : "(in memory)", set->crc32c};
  h->pattern.embeddings = o.embeddings;
  h->pattern.induced = o.induced;
  h->status = ms_status_of(counts->run.stopped, false);
  if (r && r->sum)
    ms_writing_divide(&w, &division, r->asked);
  if (r)
    ms_writing_permutations(h, r, s.permutation_options, s.strata);
  w.names = index->graph->names;
  ms_status status = ms_writer_begin(&w.writer, w.names, err);
  for (uint32_t i = 0; status == MS_OK && i < set->count; i++)
    status = put_pattern(&w, set, counts, r, i, err);
  if (status == MS_OK)
    status = ms_writer_end(&w.writer, err);
  return ms_writing_close(&w, status, err);
}
