/* What the files that compile a program share (program.h). */
#ifndef MS_MATCH_CPU_COMPILER_H
#define MS_MATCH_CPU_COMPILER_H

#include "match/cpu/program.h"

/* A vertex has fewer tests: from and to each other vertex, with an arc and without. */
#define MS_MOST_TESTS (4 * MS_MAX_PATTERN)

typedef struct ms_compiler {
  ms_program *program;
  const ms_plan *plan;
  const ms_domain *domain; /* [shape.n] */
  const ms_program_options *options;
  int last_row; /* the row that was added last; -1: none */
} ms_compiler;

/* Lists the rows that must contain the match of this level, by kind, and then those that must
 * not. Returns the number of tests. */
uint32_t ms_compile_tests(const ms_compiler *compiler, const ms_plan_level *level,
                          ms_row_test tests[MS_MOST_TESTS]);
/* Keeps tests in the program, for a step or a group. */
ms_status ms_compile_keep(ms_compiler *compiler, const ms_row_test *tests, uint32_t count,
                          ms_row_tests *out, ms_error *err);
/* Makes the chain of sets; *set is its last set, or -1 if no row has to contain the vertex
 * and the candidates are the whole domain. */
ms_status ms_compile_chain(ms_compiler *compiler, ms_row_test *tests, uint32_t count,
                           const ms_domain *domain, int *set, ms_error *err);

/* Cuts each set by the bounds that all of its users share, and counts its users. */
void ms_compile_bounds(ms_program *program);
/* Lists the sets by the level at which they are computed. */
ms_status ms_compile_order(ms_program *program, ms_error *err);
/* Lists the vertices of the domains that are iterated and are not ranges. */
ms_status ms_compile_domains(ms_program *program, ms_error *err);

#endif
