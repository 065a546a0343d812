/* What the files of the test of all CUDA engines share.  Functions above `named` are in subject.c,
 * which random_cases.c uses, too. */
#ifndef MS_TESTS_GPU_EMULATED_ENGINES_H
#define MS_TESTS_GPU_EMULATED_ENGINES_H

#include "match/count/count.h"
#include "tests/support/test_main.h"

enum { MOST_TIMES = 100, PATTERNS = 14, ENGINES = 5 };

extern const ms_pattern_engine *engine; /* the engine under test */
extern uint32_t gpus;                   /* most GPUs to use */

/* Returns the engine of that number, below ENGINES. */
const ms_pattern_engine *tested_engine(int number);
/* Sets the engine from a test's number, and returns the rest of the number. */
uint64_t enter(int number);
/* Varies devices, memory, time and the engine's own settings by the seed. */
void vary(uint64_t seed);

typedef struct subject {
  uint64_t seed;
  const ms_pattern *pattern;
  ms_pattern_index *index;
  ms_shape shape;
  ms_domains domains;
  ms_order order;
  const ms_stop *stop; /* of counts; may be NULL */
} subject;

#define must(s, condition)                                                                         \
  ((condition) ? (void)0                                                                           \
               : ck_abort_msg("%s, seed %llu: not so: %s", engine->name,                           \
                              (unsigned long long)(s)->seed, #condition))

void subject_make(subject *s, const ms_graph *graph, const ms_coloring *coloring,
                  const ms_pattern *pattern, bool induced);
void subject_free(subject *s);
/* Counts the maps of the subject by an engine with at most `bytes` of GPU memory (0: all). */
ms_status count_within(const subject *s, const ms_pattern_engine *by, uint64_t bytes, mpz_t maps,
                       ms_error *err);
/* Returns a program that visits all vertices. */
ms_program *visit_all(const subject *s, bool constrain, ms_plan **plan);

typedef struct named {
  const char *what;
  uint32_t n, m, edges[12][2];
} named;

extern const named patterns[PATTERNS];

/* Returns a graph in which some vertices, `hubs`, are next to three vertices in four. */
ms_graph *random_graph(uint64_t *state, uint32_t n, uint32_t edges, uint32_t hubs);
/* Copies the ids to the rows (an ms_rows_fn); user: the length. */
uint64_t as_it_is(void *user, const uint32_t *ids, uint64_t count, uint32_t *rows);

/* Puts a test on the list: it runs `times` times for the engine of that number. */
void add_test(int number, const TTest *test, int times);
/* Puts tests on the list: of engines_ends.c, for engines that search depth first .. */
void add_depth_first_tests(int number);
/* .. and for all engines; and of other files. */
void add_typed_tests(int number);    /* engines_typed.c */
void add_large_tests(int number);    /* engines_large.c */
void add_share_tests(int number);    /* engines_shares.c */
void add_wide_tests(int number);     /* engines_wide.c */
void add_complete_tests(int number); /* the same, of the engine dfs */
void add_codegree_tests(int number); /* engines_codegrees.c, of the engine dfs */
void add_square_tests(int number);   /* engines_squares.c, of the engine dfs */
void add_hub_tests(int number);      /* engines_hubs.c, of the engine dfs */
void add_joined_tests(int number);   /* engines_joined.c, of the engine dfs */
void add_end_tests(int number);

#endif
