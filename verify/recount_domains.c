/* Finds the graph vertices that each pattern vertex might be in a map, so that the search for one
 * map skips all others.
 *
 * Why it is exact.  In a map, the image of a pattern vertex has an edge to the image of each of its
 * neighbours.  So a graph vertex cannot be the image of i unless, for each neighbour j of i, one of
 * its own neighbours can be that of j.  Taking i away from a vertex may put it out of the reach of
 * others, so the filter repeats.  It may end early: domains that are too large cost time only. */
#include "base/alloc.h"
#include "base/status.h"
#include "verify/judge.h"
#include "verify/recount.h"

#include <string.h>

enum { MOST_ROUNDS = 64, POLL_VERTICES = 1024 };

/* Lists the pattern vertices that v may be by itself: by its mask, its degree and its self-loops.
 */
static void admit(const ms_judge *judge, const ms_bitset *next_to, uint32_t v, uint64_t *domain)
{
  uint64_t degree = judge->offset[v + 1] - judge->offset[v];
  for (uint32_t i = 0; i < judge->p; i++)
    if (ms_judge_vertex_fits(judge, i, v) && ms_bitset_count(next_to[i]) <= degree)
      domain[i / 64] |= UINT64_C(1) << i % 64;
  for (const ms_judge_pair *pair = judge->pair; pair < judge->pair + judge->pairs; pair++)
    if (pair->first == pair->second && ms_judge_pair_row(judge, pair, v, v) != MS_MATCH_OK)
      domain[pair->first / 64] &= ~(UINT64_C(1) << pair->first % 64);
}

/* Returns the pattern vertices that v may not be, because a neighbour has no place next to v. */
static ms_bitset find_isolated(const ms_judge *judge, const ms_bitset *next_to,
                               const uint64_t *domains, uint32_t v, uint32_t words)
{
  ms_bitset near = {{0}}, own = {{0}}, isolated = {{0}};
  memcpy(own.word, domains + (size_t)v * words, words * sizeof *domains);
  for (uint64_t a = judge->offset[v]; a < judge->offset[v + 1]; a++)
    for (uint32_t w = 0; w < words; w++)
      near.word[w] |= domains[(size_t)judge->neighbor[a] * words + w];
  MS_EACH_MEMBER (i, own)
    if (!ms_bitset_within(next_to[i], near))
      ms_bitset_add(&isolated, i);
  return isolated;
}

/* Runs one round over all vertices; sets *changed if a domain became smaller. */
static ms_status filter_round(const ms_judge *judge, const ms_bitset *next_to, uint64_t *domains,
                              uint32_t words, const ms_stop *stop, bool *changed)
{
  *changed = false;
  for (uint32_t v = 0; v < judge->n; v++) {
    uint64_t *own = domains + (size_t)v * words, any = 0;
    if (v % POLL_VERTICES == 0)
      MS_TRY(ms_stop_check(stop));
    for (uint32_t w = 0; w < words; w++)
      any |= own[w];
    if (!any)
      continue;
    ms_bitset isolated = find_isolated(judge, next_to, domains, v, words);
    for (uint32_t w = 0; w < words; w++)
      own[w] &= ~isolated.word[w];
    *changed = *changed || !ms_bitset_is_empty(isolated);
  }
  return MS_OK;
}

ms_status ms_recount_domains(const ms_judge *judge, const ms_bitset *next_to,
                             const uint8_t *allowed, uint64_t *domains, const ms_stop *stop,
                             ms_error *err)
{
  uint32_t words = MS_DOMAIN_WORDS(judge);
  ms_status status = MS_OK;
  bool changed = true;
  memset(domains, 0, (size_t)judge->n * words * sizeof *domains);
  for (uint32_t v = 0; v < judge->n && status == MS_OK; v++) {
    if (!allowed || allowed[v])
      admit(judge, next_to, v, domains + (size_t)v * words);
    status = v % POLL_VERTICES == 0 ? ms_stop_check(stop) : MS_OK;
  }
  for (uint32_t round = 0; round < MOST_ROUNDS && changed && status == MS_OK; round++)
    status = filter_round(judge, next_to, domains, words, stop, &changed);
  return status == MS_OK ? MS_OK : ms_fail(err, status, "the search for matches was stopped");
}
