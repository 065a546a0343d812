/* The tests of domains.h, one vertex after the other: which vertices of a domain stay. */
#ifndef MS_MATCH_DOMAIN_FILTER_H
#define MS_MATCH_DOMAIN_FILTER_H

#include "base/threads/watch.h"
#include "match/domains.h"

/* A condition on a vertex: it needs `need` neighbours in a domain. */
typedef struct ms_domain_condition {
  int rows; /* the rows that contain them: MS_ROWS_ANY, _OUT or _IN */
  const ms_domain *domain;
  uint32_t need;
  uint32_t color; /* of all vertices of the domain; UINT32_MAX: not known */
} ms_domain_condition;

/* The conditions on a vertex that can be tested without reading its row. */
typedef struct ms_quick_test {
  uint32_t best;    /* required degree of some neighbour */
  uint64_t near[2]; /* as in the index: colours of one neighbour, and of two */
} ms_quick_test;

/* What the tests of all pattern vertices have in common. */
typedef struct ms_domain_filter {
  const ms_pattern_index *index;
  const uint64_t *allowed; /* [words] ids that may be in a match; NULL: all */
  int threads;             /* at most this many */
  ms_watch watch;          /* once it has ended, vertices stay without a test: no match is lost */
} ms_domain_filter;

/* Keeps the vertices of a domain that pass the conditions and, unless NULL, the quick test, and
 * returns how many were dropped.  A vertex that is not in only[words] is not tested, and stays;
 * NULL: all are tested.  bits[words of the index] receives the domain's bits, and may hold them
 * before.  dropped[words], unless NULL, receives those of the vertices that were dropped, in the
 * words of the domain before; other words are not written. */
uint32_t ms_domain_filter_keep(ms_domain_filter *filter, ms_domain *domain, uint64_t *bits,
                               const ms_domain_condition *conditions, uint32_t count,
                               const ms_quick_test *test, const uint64_t *only, uint64_t *dropped);

/* Finds the vertices of a domain that do not pass the conditions, and leaves the domain as it is,
 * but for its bits if it has none: bits[words of the index] is as for ms_domain_filter_keep, and so
 * are `only` and `dropped`, which is not NULL.  Returns whether there are any. */
bool ms_domain_filter_find(ms_domain_filter *filter, ms_domain *domain, uint64_t *bits,
                           const ms_domain_condition *conditions, uint32_t count,
                           const uint64_t *only, uint64_t *dropped);
/* Drops the vertices that it found. */
void ms_domain_filter_drop(ms_domain *domain, uint64_t *bits, const uint64_t *dropped);

/* Returns the share of a domain's vertices that pass a quick test, from a few at equal distances.
 */
double ms_domain_filter_share(const ms_domain_filter *filter, const ms_domain *domain,
                              const ms_quick_test *test);

/* Sets the bits of all vertices of `domain` that have a neighbour (MS_ROWS_ANY) among the vertices
 * whose bits are set in from[words], words [first, end).  Looks at no more than *entries entries of
 * rows, and takes off those that it looked at; returns false if there are more. */
bool ms_domain_filter_mark(const ms_domain_filter *filter, const ms_domain *domain, uint32_t color,
                           const uint64_t *from, size_t first, size_t end, uint64_t *entries,
                           uint64_t *marks);

/* Counts the domain's bits again, and shrinks its range to fit. */
void ms_domain_close(ms_domain *domain);
/* Sets the bits lo..hi-1. */
void ms_bits_set_range(uint64_t *bits, uint32_t lo, uint32_t hi);

#endif
