/* The tests of domains (domains.h) as plain data, for engines on GPUs. */
#ifndef MS_MATCH_DOMAIN_TASK_H
#define MS_MATCH_DOMAIN_TASK_H

#include "match/domain_filter.h"

enum {
  MS_DOMAIN_TASK_VERTICES = 16, /* of the pattern, at most */
  MS_DOMAIN_ROUNDS = 3,         /* of arc consistency, at most */
  MS_DOMAIN_ENOUGH = 8,         /* a round is the last one if it drops less than this part of all */
  MS_DOMAIN_TASK_CONDITIONS = 2 * MS_DOMAIN_TASK_VERTICES * (MS_DOMAIN_TASK_VERTICES - 1)
};

/* A condition of the first test: `need` neighbours that are in the first domain of pattern vertex
 * `of`. */
typedef struct ms_task_condition {
  uint16_t rows, of, need;
} ms_task_condition;

typedef struct ms_domain_task_vertex {
  ms_domain start; /* the domain before all tests, by colour and degree */
  uint32_t color;  /* of all its vertices; UINT32_MAX: not known */
  ms_quick_test quick;
  uint32_t first, end; /* its conditions */
  /* In the i-th kind of rows, the pattern neighbours, as bits: in each round of arc consistency a
   * vertex needs a neighbour in the domain of each. */
  uint16_t near[2];
  /* Of near[0], those in whose first domain all vertices have a neighbour after the first test. */
  uint16_t found;
} ms_domain_task_vertex;

/* In the first test, a vertex is tested against the domains before all tests, and in each round
 * after it against the domains before that round. */
typedef struct ms_domain_task {
  const ms_pattern_index *index;
  const uint64_t *allowed; /* as for ms_domains_on */
  uint32_t n;              /* pattern vertices */
  uint32_t kinds;          /* of rows: 1 or 2 */
  uint16_t kind[2];        /* MS_ROWS_.. */
  ms_domain_task_vertex vertex[MS_DOMAIN_TASK_VERTICES];
  ms_task_condition condition[MS_DOMAIN_TASK_CONDITIONS];
  double seconds; /* that this thread and others take for it, about */
  int threads;
  double gpu_weight; /* ms_hooks.domain_gpu_weight */
  /* bits[n][words of the index] receives the domains; it is zero outside of `start`. */
  uint64_t *bits;
} ms_domain_task;

/* Makes all tests.  It refuses, with a status that is not MS_OK, where the host is expected to be
 * as fast, and where a GPU fails; the bits are of no use then. */
typedef ms_status ms_domain_task_fn(const ms_domain_task *task, ms_error *err);

#endif
