/* Runs a program in a graph of at most 64 vertices, whose rows are words. */
#ifndef MS_MATCH_CPU_INNER_WORDS_H
#define MS_MATCH_CPU_INNER_WORDS_H

#include "match/cpu/program.h"
#include "match/cpu/sorted.h"

#define MS_WORD 64u       /* the most vertices */
#define MS_WORD_LEVELS 6u /* the most levels of a program */
#define MS_WORD_TESTS 8u  /* the most levels in each list */

typedef struct ms_word_list {
  uint32_t count;
  uint8_t level[MS_WORD_TESTS]; /* [count] ascending */
} ms_word_list;

/* A level, or a group of a tail: its match is adjacent to the matches of `near`, and lies above and
 * below the matches of the other lists. */
typedef struct ms_word_step {
  ms_word_list near, above, below;
} ms_word_step;

/* What a program does with words. */
struct ms_word_program {
  uint32_t prefix, n_groups, n_terms;
  ms_word_step step[MS_WORD_LEVELS]; /* [prefix] */
  ms_word_step group[MS_MAX_TAIL];   /* [n_groups] */
  const ms_tail_term *term;          /* [n_terms] borrowed from the program */
  int64_t ways[MS_WORD + 1];         /* one group: the tail's value with as many candidates */
};

/* Returns false if the program cannot run on words. */
bool ms_word_program_of(const ms_program *program, ms_word_program *out);

#endif
