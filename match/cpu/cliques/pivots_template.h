/* Defines a path of pivots.h.  Define PIVOTS and PIVOTS_NAME, the path and its name, before
 * including; the file's instruction set is that of the compiler's flags. */
#include "base/compiler.h"
#include "match/cpu/cliques/pivots.h"

#ifdef __BMI2__
#include <immintrin.h>
#endif

typedef bool walk_fn(ms_pivots *p, uint64_t *set, uint32_t n, uint32_t held, uint32_t spare);

static inline uint64_t bit_of(uint32_t v)
{
  return UINT64_C(1) << v % 64;
}

MS_ALWAYS_INLINE uint32_t count_common(const uint64_t *a, const uint64_t *b, size_t words)
{
  uint32_t count = 0;
  for (size_t w = 0; w < words; w++)
    count += (uint32_t)__builtin_popcountll(a[w] & b[w]);
  return count;
}

/* Returns the rows of sets of so many words. */
MS_ALWAYS_INLINE const uint64_t *rows_of(const ms_pivots *p, size_t words)
{
  return words == 1 ? p->narrow : p->row;
}

/* Notes the work of a look at n candidates. */
MS_ALWAYS_INLINE bool goes_on(ms_pivots *p, uint32_t n, size_t words)
{
  uint32_t work = 12 + (uint32_t)words * 4 + n * (uint32_t)(words + 1);
  p->nodes++;
  p->spent += work;
  p->allowance -= work;
  return p->allowance > 0 || p->look(p);
}

/* True if what no further vertex is held for is counted: below the root, by one part. */
static inline bool has_rest(const ms_pivots *p, uint32_t held)
{
  return held > 1 || p->has_rest;
}

static inline bool is_in_part(ms_pivots *p)
{
  uint32_t part = p->held_first++ % p->parts;
  return part >= p->first_part && part < p->last_part &&
         ms_share_has(p->share, ms_even_unit(p->unit_of_root + part));
}

/* Returns the number of edges among the candidates. */
MS_ALWAYS_INLINE uint64_t count_edges(const ms_pivots *p, const uint64_t *set, size_t words)
{
  const uint64_t *rows = rows_of(p, words);
  uint64_t edges = 0;
  for (size_t w = 0; w < words; w++)
    for (uint64_t left = set[w]; left;) {
      const uint64_t *row = rows + (w * 64 + (size_t)__builtin_ctzll(left)) * words;
      left &= left - 1; /* the candidates behind it */
      edges += (uint64_t)__builtin_popcountll(left & row[w]);
      edges += count_common(set + w + 1, row + w + 1, words - w - 1);
    }
  return edges;
}

/* Counts the cliques of which at most two more vertices are wanted. */
MS_ALWAYS_INLINE void end_with_edges(ms_pivots *p, const uint64_t *set, uint32_t n, uint32_t held,
                                     uint32_t spare, size_t words)
{
  p->exact[held]++;
  if (held < p->most)
    p->exact[held + 1] += spare + n;
  if (held + 1 < p->most)
    p->exact[held + 2] += count_edges(p, set, words) + (uint64_t)spare * n +
                          (uint64_t)spare * (spare - (spare > 0)) / 2;
}

/* Counts the cliques of which at most three more vertices are wanted, in a set of one word with so
 * many edges among its n candidates. */
static inline void end_with_triangles(ms_pivots *p, uint64_t set, uint32_t n, uint64_t edges,
                                      uint32_t held, uint32_t spare)
{
  uint64_t triangles = 0, s = spare, pairs = s * (s - (s > 0)) / 2;
  p->spent += 2 * edges + 4 * n;
  p->allowance -= (int64_t)(2 * edges + 4 * n);
  for (uint64_t left = set; left;) {
    uint64_t near = p->narrow[__builtin_ctzll(left)];
    left &= left - 1;
    near &= left;
    for (; near; near &= near - 1)
      triangles +=
          (uint64_t)__builtin_popcountll(near & (near - 1) & p->narrow[__builtin_ctzll(near)]);
  }
  p->exact[held]++;
  p->exact[held + 1] += s + n;
  p->exact[held + 2] += edges + s * n + pairs;
  p->exact[held + 3] += triangles + edges * s + n * pairs + (s > 1 ? pairs * (s - 2) / 3 : 0);
}

/* The candidates of a set by the number of others that they are next to. */
typedef struct candidates {
  uint32_t least;       /* the lowest of these numbers */
  uint64_t ends;        /* the sum of these numbers */
  uint32_t all;         /* how many are next to all others */
  uint32_t few;         /* how many are next to too few */
  uint32_t pivot, best; /* the candidate of the most others, but for those next to all */
} candidates;

/* Compares the n candidates of a set, and writes those that are next to all others and those that
 * are next to fewer than `need`, which are in no clique that is large enough. */
MS_ALWAYS_INLINE candidates compare(const ms_pivots *p, const uint64_t *set, uint64_t *all_of,
                                    uint64_t *few_of, uint32_t n, uint32_t need, size_t words)
{
  const uint64_t *rows = rows_of(p, words);
  candidates c = {.least = n};
  for (size_t w = 0; w < words; w++) {
    uint64_t all = 0, few = 0;
    for (uint64_t left = set[w]; left; left &= left - 1) {
      uint32_t v = (uint32_t)w * 64 + (uint32_t)__builtin_ctzll(left);
      uint32_t near = count_common(rows + v * words, set, words);
      c.least = near < c.least ? near : c.least;
      c.ends += near;
      if (near + 1 == n) {
        all |= left & -left;
      } else if (near < need) {
        few |= left & -left;
      } else if (near >= c.best) {
        c.best = near;
        c.pivot = v;
      }
    }
    c.all += (uint32_t)__builtin_popcountll(all);
    c.few += (uint32_t)__builtin_popcountll(few);
    all_of[w] = all;
    few_of[w] = few;
  }
  return c;
}

/* Holds each candidate that is not next to the pivot, and leaves the pivot's neighbours. */
MS_ALWAYS_INLINE bool hold_others(ms_pivots *p, uint64_t *set, uint32_t pivot, uint32_t held,
                                  uint32_t spare, size_t words, walk_fn *next)
{
  const uint64_t *rows = rows_of(p, words), *near = rows + pivot * words;
  uint64_t *child = set + MS_PIVOT_SETS * words;
  for (size_t w = 0; w < words; w++) {
    uint64_t left = set[w] & ~near[w];
    left &= w == pivot / 64 ? ~bit_of(pivot) : ~UINT64_C(0);
    for (; left; left &= left - 1) {
      const uint64_t *row = rows + (w * 64 + (size_t)__builtin_ctzll(left)) * words;
      set[w] &= ~(left & -left);
      if (held == 1 && p->parts > 0 && !is_in_part(p))
        continue;
      uint32_t n = 0;
      for (size_t i = 0; i < words; i++) {
        child[i] = set[i] & row[i];
        n += (uint32_t)__builtin_popcountll(child[i]);
      }
      p->held++;
      if (held + 1 + spare + n >= p->least && !next(p, child, n, held + 1, spare))
        return false;
    }
  }
  for (size_t w = 0; w < words; w++)
    set[w] &= near[w];
  return true;
}

/* Returns the bits of a word at the places of the mask, as its lowest ones. */
static inline uint64_t extract(uint64_t word, uint64_t mask)
{
#ifdef __BMI2__
  return _pext_u64(word, mask);
#else
  uint64_t out = 0;
  for (uint32_t i = 0; mask; mask &= mask - 1, i++)
    out |= (word >> __builtin_ctzll(mask) & 1) << i;
  return out;
#endif
}

/* Numbers the n <= 64 candidates of a wide set anew, so that sets of them have one word. */
MS_ALWAYS_INLINE void make_narrow(ms_pivots *p, const uint64_t *set, uint32_t n, size_t words)
{
  uint64_t *to = p->narrow_row;
  for (size_t w = 0; w < words; w++)
    for (uint64_t left = set[w]; left; left &= left - 1) {
      const uint64_t *row = p->row + (w * 64 + (size_t)__builtin_ctzll(left)) * words;
      uint32_t before = 0;
      *to = 0;
      for (size_t i = 0; i < words; i++) {
        *to |= set[i] ? extract(row[i], set[i]) << before : 0;
        before += (uint32_t)__builtin_popcountll(set[i]);
      }
      to++;
    }
  p->narrow = p->narrow_row;
  p->narrow_set[0] = n < 64 ? (UINT64_C(1) << n) - 1 : ~UINT64_C(0);
}

static walk_fn walk_1;

/* Counts the cliques of `held` vertices, any of `spare` free ones, and n candidates, which are the
 * set; it changes the set. */
MS_ALWAYS_INLINE bool walk(ms_pivots *p, uint64_t *set, uint32_t n, uint32_t held, uint32_t spare,
                           size_t words, walk_fn *next)
{
  uint64_t *all_of = set + words, *few_of = set + 2 * words;
  for (;; n = count_common(set, set, words)) {
    if (held + spare + n < p->least)
      return true;
    if (!goes_on(p, n, words))
      return false;
    if (held + 2 >= p->most) {
      if (has_rest(p, held))
        end_with_edges(p, set, n, held, spare, words);
      return true;
    }
    if (words > 1 && n <= 64) {
      make_narrow(p, set, n, words);
      return walk_1(p, p->narrow_set, n, held, spare);
    }
    uint32_t need = held + spare + 1 < p->least ? p->least - held - spare - 1 : 0;
    candidates c = compare(p, set, all_of, few_of, n, need, words);
    if (c.few > 0) {
      for (size_t w = 0; w < words; w++)
        set[w] &= ~few_of[w];
      continue;
    }
    if (c.least + 2 >= n)
      return !has_rest(p, held) || ms_pivots_add_leaf(p, held, spare + c.all, (n - c.all) / 2, 1);
    if (words == 1 && held + 3 == p->most) {
      if (has_rest(p, held))
        end_with_triangles(p, *set, n, c.ends / 2, held, spare);
      return true;
    }
    spare += c.all;
    for (size_t w = 0; w < words && c.all > 0; w++)
      set[w] &= ~all_of[w];
    if (!hold_others(p, set, c.pivot, held, spare, words, next))
      return false;
    spare++;
  }
}

/* Sets of few words have loops of a known length; those of one word may be numbered anew. */
#define WALK(name, words)                                                                          \
  static bool name(ms_pivots *p, uint64_t *set, uint32_t n, uint32_t held, uint32_t spare)         \
  {                                                                                                \
    return walk(p, set, n, held, spare, words, name);                                              \
  }
WALK(walk_1, 1)
WALK(walk_2, 2)
WALK(walk_3, 3)
WALK(walk_4, 4)
WALK(walk_any, p->words)

static bool visit(ms_pivots *p)
{
  static walk_fn *const walk_of[] = {walk_any, walk_1, walk_2, walk_3, walk_4};
  size_t known = sizeof walk_of / sizeof *walk_of;
  for (size_t w = 0; w < p->words; w++)
    p->set[w] = ~UINT64_C(0);
  if (p->n % 64 || p->n == 0)
    p->set[p->words - 1] = bit_of(p->n) - 1;
  p->held_first = 0;
  p->narrow = p->row;
  return walk_of[p->words < known ? p->words : 0](p, p->set, p->n, 1, 0);
}

const ms_pivots_path PIVOTS = {.name = PIVOTS_NAME, .visit = visit};
