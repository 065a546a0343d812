/* Defines count_words, which ms_sorted describes, for the path that includes this file. */
#include "match/cpu/inner_words.h"

typedef struct word_walk {
  const ms_word_program *program;
  const uint64_t *row; /* [n] the neighbours of each vertex */
  uint64_t all;        /* the vertices */
  uint32_t match[MS_WORD_LEVELS];
} word_walk;

static inline uint64_t word_above(uint32_t v)
{
  return ~UINT64_C(1) << v;
}

static inline uint64_t word_below(uint32_t v)
{
  return (UINT64_C(1) << v) - 1;
}

/* Returns what the matches of the levels below `levels` leave of the candidates. */
static inline uint64_t word_candidates(const word_walk *w, const ms_word_step *at, uint32_t levels)
{
  uint64_t set = w->all;
  for (uint32_t i = 0; i < at->near.count && at->near.level[i] < levels; i++)
    set &= w->row[w->match[at->near.level[i]]];
  for (uint32_t i = 0; i < at->above.count && at->above.level[i] < levels; i++)
    set &= word_above(w->match[at->above.level[i]]);
  for (uint32_t i = 0; i < at->below.count && at->below.level[i] < levels; i++)
    set &= word_below(w->match[at->below.level[i]]);
  return set;
}

static inline bool word_ends_with(const ms_word_list *list, uint32_t level)
{
  return list->count > 0 && list->level[list->count - 1] == level;
}

/* Returns the sum of the terms, which are products of sizes of intersections of the groups. */
static int64_t word_terms(const ms_word_program *p, const uint64_t *set)
{
  int64_t sum = 0;
  for (uint32_t i = 0; i < p->n_terms; i++) {
    const ms_tail_term *t = &p->term[i];
    int64_t product = t->factor;
    for (uint32_t b = 0; b < t->count; b++) {
      uint64_t meet = ~UINT64_C(0);
      for (uint32_t mask = t->mask[b]; mask; mask &= mask - 1)
        meet &= set[__builtin_ctz(mask)];
      product *= __builtin_popcountll(meet);
    }
    sum += product;
  }
  return sum;
}

/* Counts a tail of one group for all candidates of the last level. */
static int64_t word_single(const word_walk *w, uint64_t candidates, uint64_t used)
{
  const ms_word_program *p = w->program;
  const ms_word_step *g = &p->group[0];
  uint32_t last = p->prefix - 1;
  uint64_t base = word_candidates(w, g, last) & ~used;
  bool near = word_ends_with(&g->near, last), above = word_ends_with(&g->above, last),
       below = word_ends_with(&g->below, last);
  int64_t sum = 0;
  for (; candidates; candidates &= candidates - 1) {
    uint32_t v = (uint32_t)__builtin_ctzll(candidates);
    uint64_t set = base & (near ? w->row[v] : ~(candidates & -candidates));
    set &= above ? word_above(v) : ~UINT64_C(0);
    set &= below ? word_below(v) : ~UINT64_C(0);
    sum += p->ways[__builtin_popcountll(set)];
  }
  return sum;
}

/* Counts a tail of several groups for all candidates of the last level. */
static int64_t word_several(word_walk *w, uint64_t candidates, uint64_t used)
{
  const ms_word_program *p = w->program;
  uint32_t last = p->prefix - 1;
  int64_t sum = 0;
  for (; candidates; candidates &= candidates - 1) {
    uint64_t set[MS_MAX_TAIL];
    w->match[last] = (uint32_t)__builtin_ctzll(candidates);
    uint64_t free_ones = ~(used | (candidates & -candidates));
    for (uint32_t g = 0; g < p->n_groups; g++)
      set[g] = word_candidates(w, &p->group[g], last + 1) & free_ones;
    sum += word_terms(p, set);
  }
  return sum;
}

static int64_t word_level(word_walk *w, uint32_t level, uint64_t candidates, uint64_t used)
{
  const ms_word_program *p = w->program;
  int64_t sum = 0;
  if (level + 1 == p->prefix)
    return p->n_groups == 1 ? word_single(w, candidates, used) : word_several(w, candidates, used);
  for (; candidates; candidates &= candidates - 1) {
    uint64_t next = used | (candidates & -candidates);
    w->match[level] = (uint32_t)__builtin_ctzll(candidates);
    sum +=
        word_level(w, level + 1, word_candidates(w, &p->step[level + 1], level + 1) & ~next, next);
  }
  return sum;
}

static int64_t count_words(const ms_word_program *program, const uint64_t *row, uint32_t n,
                           uint32_t first, uint32_t last)
{
  word_walk w = {.program = program, .row = row};
  w.all = n == MS_WORD ? ~UINT64_C(0) : word_below(n);
  uint64_t roots = (last == MS_WORD ? ~UINT64_C(0) : word_below(last)) & ~word_below(first);
  return first < last ? word_level(&w, 0, roots, 0) : 0;
}
