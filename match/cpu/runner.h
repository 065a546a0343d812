/* One thread's walk through a program. */
#ifndef MS_MATCH_CPU_RUNNER_H
#define MS_MATCH_CPU_RUNNER_H

#include "match/cpu/program.h"
#include "match/cpu/sorted.h"

#include "base/stop.h"

#include <gmp.h>
#include <stdatomic.h>

__extension__ typedef __int128 ms_wide;
__extension__ typedef unsigned __int128 ms_wide_size;

/* Receives a match: ids[prefix] by level.  False: stop. */
typedef bool (*ms_level_match_fn)(void *user, const uint32_t *ids);

typedef struct ms_span {
  const uint32_t *ids; /* NULL: lo, lo + 1, .. */
  size_t length;
  uint32_t lo;
} ms_span;

typedef struct ms_space {
  uint32_t *ids;
  size_t room;
} ms_space;

typedef struct ms_runner {
  const ms_program *program;
  const ms_sorted *sorted;
  ms_level_match_fn found; /* of a program without a tail that lists; NULL: count */
  void *user;
  const atomic_bool *halt;        /* another thread's wish that all stop */
  const ms_stop *stop;            /* may be NULL */
  uint64_t steps;                 /* candidates, and parts of sets, since the token was looked at */
  uint32_t match[MS_MAX_PATTERN]; /* [level] ids */
  ms_span *set;                   /* [program->n_sets] */
  ms_space *own;                  /* [program->n_sets] */
  ms_space free_of[MS_MAX_TAIL], meet; /* tail sets without matched vertices; their intersections */
  uint32_t *table;                     /* [n] all zero between roots */
  uint32_t *touched;                   /* [n] where it is not */
  uint32_t n_touched;
  ms_wide total;    /* of the tail's values */
  mpz_t large;      /* what went beyond 128 bits */
  ms_status status; /* MS_OK, or why a visit was given up: MS_ERR_MEMORY, MS_ERR_LIMIT or
                       MS_ERR_INTERRUPTED of the token */
} ms_runner;

ms_status ms_runner_init(ms_runner *runner, const ms_program *program, ms_error *err);
void ms_runner_free(ms_runner *runner);

/* Candidates of the root. */
uint64_t ms_program_roots(const ms_program *program);
/* Match the root with its i-th candidate, make what depends on it; false: it
 * leads nowhere. */
bool ms_runner_root(ms_runner *runner, uint64_t i);
/* Undo ms_runner_root, also after it was false. */
void ms_runner_leave(ms_runner *runner);
/* The i-th of them. */
uint32_t ms_program_root(const ms_program *program, uint64_t i);

/* For other walks over a program's levels: the sets that depend on the match of
 * this level (false: one is empty, or `status` says what failed or that it is
 * time to stop), and the candidates of a level under the matches in hand.  Who
 * goes through candidates adds them to `steps`. */
bool ms_runner_compute(ms_runner *runner, uint32_t level);
ms_span ms_runner_candidates(const ms_runner *runner, uint32_t level);
/* What the table's paths from the root in hand go through, the domain's bits aside. */
ms_span ms_runner_middles(const ms_runner *runner);

/* Candidates of level 1 under the root, 1 if there is no such level; and
 * everything under some of them.  False: `found` or `halt` stopped it, or
 * there is no memory. */
uint64_t ms_runner_children(ms_runner *runner);
bool ms_runner_visit(ms_runner *runner, uint64_t first, uint64_t last);
/* Add the total to `sum`. */
void ms_runner_total(ms_runner *runner, mpz_t sum);

#endif
