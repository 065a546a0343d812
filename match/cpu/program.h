/* A plan compiled for the CPU. It says which candidate set is computed when and
 * from which rows, and which vertices are counted without being visited.
 *
 * *Sets.*  The candidates of a level are a chain of intersections, one row
 * after the other in the matching order.  Each link is computed once, as soon
 * as its last row is known, and all levels and later links that need the same
 * set share it (code motion, STMatch, SC'22; of the reuse in RPS, the part
 * whose sets belong to the current partial match).
 *
 * *Tail.*  When matches are only counted, the last vertices are not visited,
 * provided that no two of them are adjacent.  With S_i the candidates of tail
 * vertex i, the number of ways to place them is a sum over the partitions of
 * the tail,
 *     sum_pi prod_{B in pi} (-1)^(|B|-1) (|B|-1)! |intersection of S_i, i in B|
 * (Moebius inversion in the lattice of partitions; GraphPi, SC'20, counts with
 * it as well).  Vertices with the same candidate set form a tail group.
 *
 * *Table.*  Where a tail set is the common neighbours of the root and of one
 * other matched vertex x, its size is looked up in a table of the numbers of
 * paths of length two from the root to every x, which is filled once for each
 * root. */
#ifndef MS_MATCH_CPU_PROGRAM_H
#define MS_MATCH_CPU_PROGRAM_H

#include "match/domains.h"
#include "plan/plan.h"

#define MS_MAX_TAIL 6u
#define MS_MAX_TAIL_TERMS 64u
#define MS_MOST_SUBTRACTED 64u
#define MS_TABLE_MARK (UINT32_C(1) << 31)

/* The row of the match of `level` that must, or must not, contain a candidate. */
typedef struct ms_row_test {
  uint8_t level;
  bool absent;   /* the row must not contain the candidate */
  uint16_t kind; /* of the row (index.h) */
} ms_row_test;

/* Tests of a program: test[first] up to, not including, test[first + count]. */
typedef struct ms_row_tests {
  uint32_t first, count;
} ms_row_tests;

/* Levels, ascending: what loops over candidates read in place of a set of levels. */
typedef struct ms_level_list {
  const uint8_t *level; /* [count] */
  uint32_t count;
} ms_level_list;

/* Levels whose matches are below, or above, all of some candidates. */
typedef struct ms_bounds {
  ms_level_list above, below;
} ms_bounds;

/* One link of a chain. */
typedef struct ms_set {
  int parent;    /* the set that this one is made from; -1: it is a row, cut to [lo, hi) */
  uint8_t level; /* the level whose match's row is used */
  bool subtract; /* keep the elements that are not in the row */
  uint16_t kind; /* the kind of that row (index.h) */
  /* the level whose match completes the inputs of the set; UINT8_MAX: never
   * computed */
  uint8_t at;
  bool count_only; /* only its size is needed */
  /* number of different vertices of the shape that have to be found in the
   * set */
  uint32_t need;
  uint32_t uses; /* number of steps, tail groups and later links that use the set */
  /* levels (<= at) whose match is below, or above, all elements of the set */
  ms_bitset above, below;
  ms_bounds bounds; /* the same levels */
  uint32_t lo, hi;
  /* filter that is applied when the set is computed; a row is not filtered */
  const uint64_t *bits;
  /* while the program is compiled: the last set made from this one, and the set that was made from
   * the same parent before this one; -1: none */
  int last_child, sibling;
} ms_set;

typedef enum ms_candidate_source {
  MS_FROM_DOMAIN,
  MS_FROM_SET,
  MS_FROM_TOUCHED
} ms_candidate_source;

typedef struct ms_step {
  uint8_t vertex; /* vertex of the shape */
  ms_candidate_source source;
  int set;
  ms_domain domain;
  bool test_bits; /* the set was not filtered by the domain */
  ms_bitset above, below, distinct;
  ms_bounds bounds;            /* the levels of `above` and `below` */
  ms_level_list distinct_list; /* the levels of `distinct` */
  /* rows that must not contain the match: of a step without a set, and of patterns beyond
   * MS_MOST_SUBTRACTED vertices, in which sets without those rows would be thousands */
  ms_row_tests tests;
  uint32_t later; /* steps after it that need different, larger elements of the same set */
  uint32_t paths; /* of a step from the table: the fewest paths to its match */
} ms_step;

/* Tail vertices that have the same candidates. */
typedef struct ms_tail_group {
  uint32_t size;
  int set;        /* -1: the whole domain */
  bool size_only; /* the elements are not needed: the last link is only counted */
  bool table;     /* the size is looked up: the table's entry of level `with` */
  uint8_t with;
  ms_domain domain;
  bool test_bits;
  ms_bitset above, below; /* of a bounded tail */
  ms_bitset distinct;     /* prefix levels whose match may be among the candidates */
  ms_bounds bounds;       /* the levels of `above` and `below` */
  /* levels of `distinct` whose match is always a candidate if it is in the
   * domain */
  ms_bitset inside;
  ms_level_list inside_list, other_list; /* the levels of `inside`, and the others of `distinct` */
  /* quick programs, a size looked up for the last level: which of the matches of the levels before
   * it are candidates is known from `inside` and from marks in the table */
  bool marked;
  ms_row_tests tests; /* for testing whether a match is a candidate */
} ms_tail_group;

typedef struct ms_tail_term {
  int64_t factor;
  uint8_t count;
  uint8_t mask[MS_MAX_TAIL]; /* [count] groups whose sets are intersected in this block */
} ms_tail_term;

typedef struct ms_inner_plan ms_inner_plan; /* inner_plan.h */

typedef struct ms_program {
  const ms_pattern_index *index;
  ms_shape shape;
  uint32_t prefix; /* levels that are visited */
  ms_step *step;   /* [prefix] */
  /* an induced pattern has a link for each pair of vertices: thousands */
  uint32_t n_sets, sets_room;
  ms_set *set;        /* [n_sets] */
  uint32_t *by_level; /* [n_sets] sets in the order of `at`, parents first */
  /* level i's sets are by_level[level_sets[i]] up to, not including,
   * by_level[level_sets[i + 1]] */
  uint32_t level_sets[MS_MAX_PATTERN + 1];
  uint32_t n_tests, tests_room;
  ms_row_test *test; /* [n_tests] of steps and groups */
  /* the tail is one group, whose vertices are counted in the graph that their candidates induce;
   * NULL: they are not adjacent to each other.  Borrowed */
  const ms_inner_plan *inner;
  uint32_t n_groups; /* 0: there is no tail, and every match is visited */
  ms_tail_group group[MS_MAX_TAIL];
  bool few_cuts; /* few roots are cut where it is counted in shares (match/units.h) */
  bool product;  /* the sum is prod |S_i|, as if the sets could share vertices */
  bool falling;  /* one group of c candidates: c (c-1) ... (c-size+1) ways, and no terms */
  uint32_t n_terms;
  ms_tail_term term[MS_MAX_TAIL_TERMS];
  /* the last level of the prefix is iterated in one loop, and no sets are
   * computed for it */
  bool quick;
  bool pairs; /* quick, and each term is a product of at most two sizes below 2^29 */
  bool table;
  bool table_marks; /* the root's neighbours are marked in the table */
  /* kinds of rows: from the root to the middle, from the middle to x */
  uint16_t table_first, table_second;
  bool table_above, table_below; /* only vertices x above, or below, the root are looked up */
  bool middle_below;             /* paths only count if their middle is below the root */
  ms_domain table_middle;
  /* [level] vertices of a domain that is iterated and is not a range; else
   * NULL */
  uint32_t *list[MS_MAX_PATTERN];
  uint8_t *levels; /* the memory of all lists of levels */
} ms_program;

typedef struct ms_program_options {
  uint32_t levels; /* number of the plan's levels that are compiled, without a tail; 0: all */
  ms_bitset tail;  /* vertices of the shape: the last ones of the plan's order */
  bool product;    /* count prod |S_i|, as if the tail's sets could share vertices */
  bool bounded;    /* the tail is one vertex that keeps its order constraints */
  bool table;      /* a table may be used */
  bool single;     /* also for a `bounded` tail that has no constraints */
  /* the tail keeps its order with the root, which is the largest vertex of all.
   * Then each of a table's paths ends and turns below the root (vertex
   * priority, Wang et al., PVLDB 2019, for butterflies). Allowed only where the
   * pattern's symmetry moves the root to all other vertices, as in a 4-cycle */
  bool priority;
  /* the tail's vertices have the same neighbours before it, and are counted by this plan (on
   * processors).  It must outlive the program.  NULL: no two of them are adjacent */
  const ms_inner_plan *inner;
} ms_program_options;

/* Compiles a plan. `domain`[shape.n] are the domains of the vertices of the
 * plan's shape. Returns MS_ERR_LIMIT with `priority` if the program has no such
 * table. */
ms_status ms_program_new(const ms_pattern_index *index, const ms_plan *plan,
                         const ms_domain *domain, const ms_program_options *options,
                         ms_program **out, ms_error *err);
void ms_program_free(ms_program *program);
/* Makes all lists of levels from the sets that they list, once more if a caller has changed a set.
 */
ms_status ms_program_list_levels(ms_program *program, ms_error *err);

#endif
