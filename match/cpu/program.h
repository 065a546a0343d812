/* A plan made ready to run on a CPU: which candidate set is computed when,
 * from what, and what is counted without being visited.
 *
 * *Sets.*  The candidates of a level are a chain of intersections, one row
 * after the other in the order in which the vertices are matched; each link is
 * computed once, as soon as its last row is known, and serves all levels and
 * later links that need the same (code motion, STMatch, SC'22; the part of
 * RPS's reuse whose sets are those of the partial match in hand).
 *
 * *Tail.*  When matches are only counted, the last vertices, no two of them
 * adjacent, are not visited: with S_i the candidates of tail vertex i, the
 * number of ways to place them is a sum over the partitions of the tail,
 *     sum_pi prod_{B in pi} (-1)^(|B|-1) (|B|-1)! |intersection of S_i, i in B|
 * (Moebius inversion in the lattice of partitions; GraphPi, SC'20, counts with
 * it, too).  Vertices with the same candidate set form a tail group.
 *
 * *Table.*  Where a tail set is the common neighbours of the root and of one
 * other matched vertex x, its size is looked up in a table of the numbers of
 * paths of length two from the root to every x, filled once a root. */
#ifndef MS_MATCH_CPU_PROGRAM_H
#define MS_MATCH_CPU_PROGRAM_H

#include "match/domains.h"
#include "plan/plan.h"

#define MS_MAX_TAIL 6u
#define MS_MAX_TAIL_TERMS 64u
#define MS_TABLE_MARK (UINT32_C(1) << 31)

/* One link of a chain. */
typedef struct ms_set {
  int parent;            /* the set that it is made from; -1: it is a row, cut to [lo, hi) */
  uint8_t level;         /* the row of this level's match .. */
  uint8_t kind;          /* .. of these neighbours, MS_ROWS_ANY, _OUT, _IN */
  bool subtract;         /* those not in the row */
  uint8_t at;            /* computed once this level is matched; UINT8_MAX: never */
  bool count_only;       /* only its size is needed */
  uint32_t need;         /* vertices of the shape, all different, that have to be found in it */
  uint32_t uses;         /* steps, tail groups and later links that need it */
  uint64_t above, below; /* levels (<= at) whose match all of its elements are above, or below */
  uint32_t lo, hi;
  const uint64_t *bits; /* applied when the set is computed; a row is not filtered */
} ms_set;

typedef enum ms_candidate_source {
  MS_FROM_DOMAIN,
  MS_FROM_SET,
  MS_FROM_TOUCHED
} ms_candidate_source;

typedef struct ms_step {
  uint8_t vertex; /* of the shape */
  ms_candidate_source source;
  int set;
  ms_domain domain;
  bool test_bits;                  /* the set was not filtered by the domain */
  uint64_t above, below, distinct; /* levels */
  uint64_t not [MS_ROW_KINDS]; /* of a step without a set: levels whose rows it must not be in */
} ms_step;

/* Tail vertices with the same candidates. */
typedef struct ms_tail_group {
  uint32_t size;
  int set;        /* -1: the whole domain */
  bool size_only; /* the elements are not needed: the last link is only counted */
  bool table;     /* look the size up: the table's entry of level `with` */
  uint8_t with;
  ms_domain domain;
  bool test_bits;
  uint64_t above, below; /* levels, of a bounded tail */
  uint64_t distinct;     /* prefix levels whose match may be among the candidates .. */
  uint64_t inside;       /* .. and those that are, in any case, if in the domain */
  uint64_t back[MS_ROW_KINDS], not [MS_ROW_KINDS]; /* levels, for the test of that */
} ms_tail_group;

typedef struct ms_tail_term {
  int64_t factor;
  uint8_t count;
  uint8_t mask[MS_MAX_TAIL]; /* [count] groups whose sets meet in this block */
} ms_tail_term;

typedef struct ms_program {
  const ms_pattern_index *index;
  ms_shape shape;
  uint32_t prefix;              /* levels that are visited */
  ms_step step[MS_MAX_PATTERN]; /* [prefix] */
  uint32_t n_sets, sets_room;   /* induced, a link for each pair of vertices: thousands */
  ms_set *set;                  /* [n_sets] */
  uint16_t *by_level;           /* [n_sets] in the order of `at`, parents first .. */
  uint16_t
      level_sets[MS_MAX_PATTERN + 1]; /* .. those of level i: by_level[level_sets[i] .. [i + 1]) */
  uint32_t n_groups;                  /* 0: no tail, every match is visited */
  ms_tail_group group[MS_MAX_TAIL];
  bool product; /* prod |S_i|: the sets as if they could share vertices */
  bool falling; /* one group: c (c-1) .. (c-size+1) for its c candidates, and no terms */
  uint32_t n_terms;
  ms_tail_term term[MS_MAX_TAIL_TERMS];
  bool quick; /* the last level of the prefix is gone through in one loop: no sets are
                 computed for it */
  bool pairs; /* quick, and terms are products of at most two sizes below 2^29 */
  bool table;
  bool table_marks;                  /* the root's neighbours are marked in the table */
  uint8_t table_first, table_second; /* kinds: root to the middle, middle to x */
  bool table_above, table_below;     /* only x above, below the root are asked for .. */
  bool middle_below;                 /* .. and paths by what is below it */
  ms_domain table_middle;
  uint32_t *list[MS_MAX_PATTERN]; /* [level] a domain that is iterated and no range; NULL else */
} ms_program;

typedef struct ms_program_options {
  uint32_t levels; /* of the plan that are compiled, without tail; 0: all */
  uint64_t tail;   /* vertices of the shape: the last of the plan's order */
  bool product;    /* the tail's sets as if they could share vertices: prod |S_i| */
  bool bounded;    /* the tail is one vertex and keeps its place in the order of matches */
  bool table;      /* a table may be used */
  bool priority;   /* the tail keeps its order with the root, which is the largest of all: then
                      each of a table's paths ends and turns below the root (vertex priority,
                      Wang et al., PVLDB 2019, for butterflies).  Only where the pattern's
                      symmetry moves the root to all others, as in a 4-cycle */
} ms_program_options;

/* `domain`[shape.n] of the plan's shape.  With `priority`, MS_ERR_LIMIT: the
 * program has no such table. */
ms_status ms_program_new(const ms_pattern_index *index, const ms_plan *plan,
                         const ms_domain *domain, const ms_program_options *options,
                         ms_program **out, ms_error *err);
void ms_program_free(ms_program *program);

#endif
