/* Random graphs and patterns for tests of domains (match/domains.h), and the domains by their
 * definition: every test of every vertex, in every round, from a matrix of arcs. */
#ifndef MS_TESTS_SUPPORT_DOMAIN_CASES_H
#define MS_TESTS_SUPPORT_DOMAIN_CASES_H

#include "match/domains.h"

enum {
  DOMAIN_CASE_MAX_N = 400,  /* vertices of the graph */
  DOMAIN_CASE_MAX_P = 9,    /* vertices of the pattern */
  DOMAIN_CASE_COLORS = 100, /* most colours */
  DOMAIN_CASE_WORDS = (DOMAIN_CASE_MAX_N + 63) / 64
};

typedef struct domain_case {
  ms_graph *graph;
  ms_coloring *coloring; /* NULL: none */
  ms_pattern *pattern;
  ms_pattern_index *index;
  ms_shape shape;
  uint64_t allowed_bits[DOMAIN_CASE_WORDS];
  const uint64_t *allowed; /* as for ms_domains_on */
} domain_case;

/* Makes the case of a seed: with hubs or without, directed or not, with no colour, one for each
 * vertex (at most 64, or more), or several for some.  Seed 0 is a case by hand.  Aborts the test on
 * a library error. */
void domain_case_make(uint64_t seed, domain_case *out);
void domain_case_free(domain_case *c);
/* Sets bits[pattern vertices][words of the index] by the definition; returns the number of all
 * bits. */
uint64_t domain_case_expect(const domain_case *c, uint64_t (*bits)[DOMAIN_CASE_WORDS]);
/* True if the domains are these sets, with ranges that fit. */
bool domain_case_is(const domain_case *c, const ms_domains *domains,
                    const uint64_t (*bits)[DOMAIN_CASE_WORDS]);

#endif
