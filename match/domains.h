/* Domains: for each pattern vertex, the graph vertices that pass some cheap tests.  A domain holds
 * every vertex that a match can use.
 *
 * The tests of a vertex are:
 *  - its colour, its degree, out-degree and in-degree, and the highest degree among its neighbours
 *    (GRASS's four candidate conditions, ICPP 2019, section 3);
 *  - for each colour, it has at least as many neighbours as the pattern vertex;
 *  - arc consistency: it has a neighbour in the domain of each neighbour of the pattern vertex.
 * For a pattern without colours on a large graph, only degrees are tested: then the domains are
 * ranges of index ids. */
#ifndef MS_MATCH_DOMAINS_H
#define MS_MATCH_DOMAINS_H

#include "match/index.h"

struct ms_domain_task; /* domain_task.h */

typedef struct ms_domain {
  uint32_t lo, hi;      /* all ids are in [lo, hi) */
  const uint64_t *bits; /* [(n + 63) / 64] the ids in the domain; NULL: all of [lo, hi) */
  uint32_t count;
} ms_domain;

typedef struct ms_domains {
  const ms_pattern_index *index;
  uint32_t n; /* number of pattern vertices */
  ms_domain of[MS_MAX_PATTERN];
  bool empty;   /* some domain is empty, so there is no match */
  bool implied; /* the edges of the pattern alone exclude ids: there are no other conditions */
  const char *unknown; /* the name of a colour of the pattern that the graph lacks, or NULL; the
                          pattern owns it */
  uint64_t *store;     /* the memory of the bits */
} ms_domains;

/* Computes the domains.  `allowed` has the bits of the index ids that may be in a match; NULL: all.
 * `threads`: at most this many; 0: as ms_threads.  The domains do not depend on it.  The result
 * points to the index and, for `unknown`, to the pattern.  on_gpu: filter_domains of an engine
 * (engine.h), which is called where a GPU has started and is expected to be faster, or NULL. */
ms_status ms_domains_on(ms_status (*on_gpu)(const struct ms_domain_task *task, ms_error *err),
                        const ms_pattern_index *index, const ms_pattern *pattern,
                        const ms_shape *shape, const uint64_t *allowed, int threads,
                        ms_domains *out, ms_error *err);
/* Computes the domains in a cut index, which are subsets of those in the whole index, given all
 * vertices of which it has kept.  `id` is what ms_pattern_index_cut returned.  The result points to
 * `cut` and to the pattern. */
ms_status ms_domains_cut(const ms_domains *whole, const ms_pattern_index *cut, const uint32_t *id,
                         const ms_pattern *pattern, const ms_shape *shape, int threads,
                         ms_domains *out, ms_error *err);
/* Gives the same domains as ids of a cut index, without further tests. */
ms_status ms_domains_renumber(const ms_domains *whole, const ms_pattern_index *cut,
                              const uint32_t *id, ms_domains *out, ms_error *err);
/* Makes the domains of a pattern without conditions: all ids, in each. */
void ms_domains_of_all(const ms_pattern_index *index, uint32_t vertices, ms_domains *out);
void ms_domains_free(ms_domains *domains);

static inline bool ms_domain_has(const ms_domain *domain, uint32_t id)
{
  return id >= domain->lo && id < domain->hi &&
         (!domain->bits || (domain->bits[id / 64] >> id % 64 & 1));
}

/* Keeps the ids of the domain whose bits are set in set[words].  bits[words] receives its bits, and
 * must live as long as it; it may hold those of the domain before. */
void ms_domain_meet(ms_domain *domain, const uint64_t *set, uint64_t *bits, size_t words);
/* True if both are the same set of vertices. */
bool ms_domain_equal(const ms_domain *a, const ms_domain *b);
/* True if they have a vertex in common. */
bool ms_domain_meets(const ms_domain *a, const ms_domain *b);

#endif
