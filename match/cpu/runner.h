/* The state of one thread that runs a program. */
#ifndef MS_MATCH_CPU_RUNNER_H
#define MS_MATCH_CPU_RUNNER_H

#include "match/cpu/program.h"
#include "match/cpu/sorted.h"

#include "base/threads/stop.h"

#include <gmp.h>
#include <stdatomic.h>

__extension__ typedef __int128 ms_wide;

/* Receives a match: ids[prefix] by level. Returns false to stop the run. */
typedef bool (*ms_level_match_fn)(void *user, const uint32_t *ids);

typedef struct ms_span {
  const uint32_t *ids; /* NULL: the ids are lo, lo + 1, ... */
  size_t length;
  uint32_t lo;
} ms_span;

typedef struct ms_runner {
  const ms_program *program;
  const ms_sorted *sorted;
  /* receives the matches of a program without a tail, or those of the prefix of a program with an
   * inner pattern; NULL: matches are counted */
  ms_level_match_fn found;
  void *user;
  const atomic_bool *halt; /* set by another thread to make all threads stop */
  const ms_stop *stop;     /* may be NULL */
  uint64_t steps;   /* candidates and parts of sets processed since the last check of the token */
  uint64_t checked; /* the same before that check */
  uint64_t visits, intersections; /* as in ms_work */
  uint32_t match[MS_MAX_PATTERN]; /* [level] id of the level's match */
  ms_span *set;                   /* [program->n_sets] */
  ms_space *own;                  /* [program->n_sets] */
  /* candidates of tail groups without matched vertices, and their
   * intersection */
  ms_space free_of[MS_MAX_TAIL], meet;
  uint32_t *table;   /* [n] all zero between two roots */
  uint32_t *touched; /* [n] vertices at which the table is not zero */
  uint32_t n_touched;
  ms_wide total; /* sum of the tail's values */
  mpz_t large;   /* the part of the sum that went beyond 128 bits */
  /* MS_OK, or the reason why a visit was given up: MS_ERR_MEMORY, or
   * MS_ERR_LIMIT or MS_ERR_INTERRUPTED from the token */
  ms_status status;
} ms_runner;

ms_status ms_runner_init(ms_runner *runner, const ms_program *program, ms_error *err);
void ms_runner_free(ms_runner *runner);

/* Returns the number of candidates of the root. */
uint64_t ms_program_roots(const ms_program *program);
/* Matches the root with its i-th candidate and computes the sets and the table
 * that depend on it. Returns false if no match has this root, or after a
 * failure. */
bool ms_runner_root(ms_runner *runner, uint64_t i);
/* Undoes ms_runner_root. It must be called even if ms_runner_root returned
 * false. */
void ms_runner_leave(ms_runner *runner);
/* Returns the i-th candidate of the root. */
uint32_t ms_program_root(const ms_program *program, uint64_t i);

/* Other walks over a program's levels use these two. ms_runner_compute computes the sets
 * that depend on the match of this level; it returns false if one is empty, or
 * if `status` says what failed or that the run has to stop.
 * ms_runner_candidates returns the candidates of a level under the current
 * partial match. A caller that iterates over candidates adds their number to
 * `steps` and `visits`. */
bool ms_runner_compute(ms_runner *runner, uint32_t level);
ms_span ms_runner_candidates(const ms_runner *runner, uint32_t level);
/* Returns the middle vertices of the table's paths from the current root. The
 * domain's bits are not applied. */
ms_span ms_runner_middles(const ms_runner *runner);

/* ms_runner_children returns the number of candidates of level 1 under the
 * root, or 1 if there is no such level. ms_runner_visit visits everything under
 * a range of them; it returns false if `found` or `halt` stopped it, or if
 * there is no memory. */
uint64_t ms_runner_children(ms_runner *runner);
bool ms_runner_visit(ms_runner *runner, uint64_t first, uint64_t last);
/* Looks at the stop token once enough steps were made since the last look.  It returns false if the
 * run has to stop, also because of a failure or because another thread halts it. */
bool ms_runner_goes_on(ms_runner *runner);
/* Adds what the runner did to the work, which may be NULL. */
void ms_runner_add_work(const ms_runner *runner, ms_work *work);
/* Adds the runner's total to `sum`. */
void ms_runner_total(ms_runner *runner, mpz_t sum);

#endif
