/* Domains: for each pattern vertex, the graph vertices that it may be by cheap tests.  A
 * domain never lacks a vertex of a match.
 *
 * Tests: colour; degree, out- and in-degree, best neighbour's degree (with the
 * colour GRASS's four candidate conditions, ICPP 2019, section 3); neighbours
 * of each colour at least as many as the pattern vertex has; arc consistency:
 * next to each pattern neighbour's domain.  A pattern without colours on a
 * large graph has domains by degree alone, which are ranges of index ids. */
#ifndef MS_MATCH_DOMAINS_H
#define MS_MATCH_DOMAINS_H

#include "match/index.h"

typedef struct ms_domain {
  uint32_t lo, hi;      /* all ids are in [lo, hi) */
  const uint64_t *bits; /* [(n + 63) / 64] the ids in the domain; NULL: all of [lo, hi) */
  uint32_t count;
} ms_domain;

typedef struct ms_domains {
  const ms_pattern_index *index;
  uint32_t n; /* pattern vertices */
  ms_domain of[MS_MAX_PATTERN];
  bool empty;          /* some domain is empty, so there is no match */
  const char *unknown; /* the name of a colour of the pattern that the graph does not
                          have, or NULL; the pattern owns it */
  uint64_t *store;     /* the bits */
} ms_domains;

/* `allowed`: bits of the index ids that may be in a match; NULL: all.  The result points
 * to the index and, for `unknown`, to the pattern. */
ms_status ms_domains_new(const ms_pattern_index *index, const ms_pattern *pattern,
                         const ms_shape *shape, const uint64_t *allowed, ms_domains *out,
                         ms_error *err);
void ms_domains_free(ms_domains *domains);

static inline bool ms_domain_has(const ms_domain *domain, uint32_t id)
{
  return id >= domain->lo && id < domain->hi &&
         (!domain->bits || (domain->bits[id / 64] >> id % 64 & 1));
}

/* True if both are the same set of vertices. */
bool ms_domain_equal(const ms_domain *a, const ms_domain *b);
/* True if they have a vertex in common. */
bool ms_domain_meets(const ms_domain *a, const ms_domain *b);

#endif
