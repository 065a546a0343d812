/* What the files of the test of all CUDA engines share. */
#ifndef MS_TESTS_GPU_EMULATED_ENGINES_H
#define MS_TESTS_GPU_EMULATED_ENGINES_H

#include "match/count.h"
#include "tests/support/test_main.h"

enum { MOST_TIMES = 100, PATTERNS = 13 };

extern const ms_pattern_engine *engine; /* under test */
extern uint32_t gpus;                   /* to be used at most */

/* A test's number says the engine, too.  Returns what is left. */
uint64_t enter(int number);
/* What the seed says of devices, memory, time and the engine's own. */
void vary(uint64_t seed);

typedef struct subject {
  uint64_t seed;
  const ms_pattern *pattern;
  ms_pattern_index *index;
  ms_shape shape;
  ms_domains domains;
  ms_order order;
} subject;

#define must(s, condition)                                                                         \
  ((condition) ? (void)0                                                                           \
               : ck_abort_msg("%s, seed %llu: not so: %s", engine->name,                           \
                              (unsigned long long)(s)->seed, #condition))

void subject_make(subject *s, const ms_graph *graph, const ms_coloring *coloring,
                  const ms_pattern *pattern, bool induced);
void subject_free(subject *s);
/* A program that visits all vertices. */
ms_program *visit_all(const subject *s, bool constrain, ms_plan **plan);

typedef struct named {
  const char *what;
  uint32_t n, m, edges[12][2];
} named;

extern const named patterns[PATTERNS];

/* Some vertices, `hubs`, are next to three in four. */
ms_graph *random_graph(uint64_t *state, uint32_t n, uint32_t edges, uint32_t hubs);
/* An ms_row_fn; user: the length. */
bool as_it_is(void *user, const uint32_t *ids, uint32_t *row);

/* Put a test on the list: it runs `times` times for the engine of that number. */
void add_test(int number, const TTest *test, int times);
/* Put the tests of engines_ends.c on the list. */
void add_end_tests(int number);

#endif
