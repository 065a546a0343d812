/* Sorted sets: each implementation of this processor against a plain reference, at all small
 * lengths, at skewed lengths and in place; inputs and outputs end where their pages end. */
#include "match/cpu/sorted.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SMALL = 40, LONGEST = 6000, BITS = 8192, PATHS = 3 };

/* Memory that ends at a page nobody may touch. */
typedef struct guarded {
  char *base;
  size_t bytes; /* in front of that page */
} guarded;

static guarded guarded_new(size_t bytes)
{
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  guarded g = {.bytes = (bytes + page - 1) / page * page};
  void *map =
      mmap(NULL, g.bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ck_assert(map != MAP_FAILED);
  g.base = map;
  ck_assert_int_eq(mprotect(g.base + g.bytes, page, PROT_NONE), 0);
  return g;
}

static void guarded_free(guarded *g)
{
  munmap(g->base, g->bytes + (size_t)sysconf(_SC_PAGESIZE));
}

static void *last_bytes(const guarded *g, size_t bytes)
{
  return g->base + g->bytes - bytes;
}

static uint32_t *last_ids(const guarded *g, size_t count)
{
  return last_bytes(g, count * sizeof(uint32_t));
}

/* The paths of this processor, the portable one at least. */
static unsigned paths(const ms_sorted *list[PATHS])
{
  unsigned count = 0;
  for (const ms_sorted *path; (path = ms_sorted_at(count)); count++) {
    ck_assert_uint_lt(count, PATHS);
    list[count] = path;
  }
  ck_assert_uint_ge(count, 1);
  ck_assert_ptr_null(ms_sorted_at(count + 1));
  return count;
}

/* ---- random sets ----------------------------------------------------------- */

typedef struct pair {
  guarded room_a, room_b, room_out;
  uint32_t *a, *b; /* [na], [nb]: at the ends of their pages */
  size_t na, nb;
  uint32_t *both, *lone; /* reference: a and b, a without b */
  size_t n_both, n_lone;
} pair;

static void pair_new(pair *p)
{
  *p = (pair){.room_a = guarded_new(LONGEST * sizeof(uint32_t)),
              .room_b = guarded_new(LONGEST * sizeof(uint32_t)),
              .room_out = guarded_new((LONGEST + MS_SORTED_SLACK) * sizeof(uint32_t)),
              .both = malloc(LONGEST * sizeof(uint32_t)),
              .lone = malloc(LONGEST * sizeof(uint32_t))};
  ck_assert(p->both && p->lone);
}

static void pair_free(pair *p)
{
  guarded_free(&p->room_a);
  guarded_free(&p->room_b);
  guarded_free(&p->room_out);
  free(p->both);
  free(p->lone);
}

static int by_value(const void *x, const void *y)
{
  uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
  return (a > b) - (a < b);
}

/* n different numbers of base .. base + span - 1, ascending */
static void draw(uint32_t *set, size_t n, uint32_t base, uint32_t span, uint64_t *state)
{
  size_t have = 0;
  while (have < n) {
    for (; have < n; have++)
      set[have] = base + (uint32_t)(random_next(state) % span);
    qsort(set, n, sizeof *set, by_value);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
      if (kept == 0 || set[kept - 1] != set[i])
        set[kept++] = set[i];
    have = kept;
  }
}

static void refer(pair *p)
{
  p->n_both = p->n_lone = 0;
  for (size_t i = 0, j = 0; i < p->na; i++) {
    while (j < p->nb && p->b[j] < p->a[i])
      j++;
    if (j < p->nb && p->b[j] == p->a[i])
      p->both[p->n_both++] = p->a[i];
    else
      p->lone[p->n_lone++] = p->a[i];
  }
}

/* Of three kinds: numbers close to each other, at the upper end of 32 bits, and
 * anywhere. */
static void pair_draw(pair *p, size_t na, size_t nb, unsigned kind, uint64_t *state)
{
  size_t longer = na > nb ? na : nb;
  uint32_t span = (uint32_t)(longer + 1 + random_next(state) % (2 * longer + 2));
  p->na = na;
  p->nb = nb;
  p->a = last_ids(&p->room_a, na);
  p->b = last_ids(&p->room_b, nb);
  if (kind == 2)
    span = UINT32_MAX;
  uint32_t base = kind == 1 ? UINT32_MAX - span + 1 : 0;
  draw(p->a, na, base, span, state);
  draw(p->b, nb, base, span, state);
  /* anywhere, they would not meet */
  for (size_t j = 0; kind == 2 && na > 0 && j < nb; j += 1 + random_next(state) % 3)
    p->b[j] = p->a[random_next(state) % na];
  if (kind == 2) {
    qsort(p->b, nb, sizeof *p->b, by_value);
    size_t kept = 0;
    for (size_t j = 0; j < nb; j++)
      if (kept == 0 || p->b[kept - 1] != p->b[j])
        p->b[kept++] = p->b[j];
    memmove(last_ids(&p->room_b, kept), p->b, kept * sizeof *p->b);
    p->b = last_ids(&p->room_b, kept);
    p->nb = kept;
  }
  refer(p);
}

/* ---- comparisons ------------------------------------------------------------- */

static void same(const char *what, const ms_sorted *path, const pair *p, const uint32_t *got,
                 size_t n_got, const uint32_t *want, size_t n_want)
{
  ck_assert_msg(n_got == n_want, "%s %s of %zu and %zu: %zu elements, not %zu", path->name, what,
                p->na, p->nb, n_got, n_want);
  ck_assert_msg(n_want == 0 || memcmp(got, want, n_want * sizeof *want) == 0,
                "%s %s of %zu and %zu: other elements", path->name, what, p->na, p->nb);
}

/* A copy of a that may be overwritten, its slack up to the end of the page. */
static uint32_t *copy_of_a(const pair *p)
{
  uint32_t *copy = last_ids(&p->room_out, p->na + MS_SORTED_SLACK);
  memset(p->room_out.base, 0xA5, p->room_out.bytes);
  memcpy(copy, p->a, p->na * sizeof *copy);
  return copy;
}

static void check_pair(const ms_sorted *path, const pair *p)
{
  uint32_t *out = last_ids(&p->room_out, p->na + MS_SORTED_SLACK);
  size_t n = path->intersect(p->a, p->na, p->b, p->nb, out);
  same("intersect", path, p, out, n, p->both, p->n_both);
  n = path->subtract(p->a, p->na, p->b, p->nb, out);
  same("subtract", path, p, out, n, p->lone, p->n_lone);
  n = path->count(p->a, p->na, p->b, p->nb);
  ck_assert_msg(n == p->n_both, "%s counts %zu of %zu and %zu, not %zu", path->name, n, p->na,
                p->nb, p->n_both);

  uint32_t *in_place = copy_of_a(p);
  n = path->intersect(in_place, p->na, p->b, p->nb, in_place);
  same("intersect in place", path, p, in_place, n, p->both, p->n_both);
  in_place = copy_of_a(p);
  n = path->subtract(in_place, p->na, p->b, p->nb, in_place);
  same("subtract in place", path, p, in_place, n, p->lone, p->n_lone);
}

static void check_all(const pair *p)
{
  const ms_sorted *list[PATHS];
  for (unsigned i = paths(list); i-- > 0;)
    check_pair(list[i], p);
}

/* Intersections and differences, their counts, and both in place are those of the reference: all
 * pairs of lengths up to 40, six pairs of sets each, of three kinds. */
START_TEST(small_lengths)
{
  uint64_t state = 1;
  pair p;
  pair_new(&p);
  for (size_t na = 0; na <= SMALL; na++)
    for (size_t nb = 0; nb <= SMALL; nb++)
      for (unsigned kind = 0; kind < 6; kind++) {
        pair_draw(&p, na, nb, kind % 3, &state);
        check_all(&p);
      }
  pair_free(&p);
}
END_TEST

/* The same for all pairs of 26 lengths up to 6,000 and three kinds of sets. */
START_TEST(long_and_skewed)
{
  static const size_t lengths[] = {1,   2,   3,   4,    5,    7,    8,    15,     16,
                                   17,  31,  33,  60,   64,   100,  129,  255,    256,
                                   300, 500, 999, 1000, 1023, 2048, 3001, LONGEST};
  enum { LENGTHS = sizeof lengths / sizeof *lengths };
  uint64_t state = 2;
  pair p;
  pair_new(&p);
  for (size_t i = 0; i < LENGTHS; i++)
    for (size_t j = 0; j < LENGTHS; j++)
      for (unsigned kind = 0; kind < 3; kind++) {
        pair_draw(&p, lengths[i], lengths[j], kind, &state);
        check_all(&p);
      }
  pair_free(&p);
}
END_TEST

/* The same for a few numbers that lie close to each other in a long list, so that what is written
 * in place is near to what is still looked for: 4,000 random pairs. */
START_TEST(few_and_close)
{
  uint64_t state = 5;
  pair p;
  pair_new(&p);
  for (unsigned round = 0; round < 4000; round++) {
    p.na = 16 + random_next(&state) % 600;
    p.nb = 1 + random_next(&state) % (1 + p.na / 8);
    p.a = last_ids(&p.room_a, p.na);
    p.b = last_ids(&p.room_b, p.nb);
    uint32_t spread = 1 + round % 4;
    draw(p.a, p.na, 0, (uint32_t)p.na * spread, &state);
    draw(p.b, p.nb, 0, (uint32_t)p.nb * (1 + (uint32_t)(random_next(&state) % 8)), &state);
    refer(&p);
    check_all(&p);
  }
  pair_free(&p);
}
END_TEST

/* The same where all numbers match, where none does, and where one list lies in front of the other:
 * all lengths up to 200. */
START_TEST(extremes)
{
  pair p;
  pair_new(&p);
  for (size_t n = 1; n <= 200; n++)
    for (uint32_t shift = 0; shift < 4; shift++) {
      p.na = p.nb = n;
      p.a = last_ids(&p.room_a, n);
      p.b = last_ids(&p.room_b, n);
      static const uint32_t by[] = {0, 1, 1000, 5};
      for (uint32_t i = 0; i < n; i++) {
        p.a[i] = 2 * i + (shift == 3 ? 1000 : 0);
        p.b[i] = 2 * i + by[shift];
      }
      refer(&p);
      check_all(&p);
    }
  pair_free(&p);
}
END_TEST

/* ---- bits -------------------------------------------------------------------- */

static bool has(const uint64_t *bits, uint32_t x)
{
  return bits[x / 64] >> x % 64 & 1;
}

static void check_filter(const ms_sorted *path, const pair *p, const uint64_t *bits, bool want)
{
  static uint32_t expected[LONGEST];
  size_t n_expected = 0;
  for (size_t i = 0; i < p->na; i++)
    if (has(bits, p->a[i]) == want)
      expected[n_expected++] = p->a[i];
  uint32_t *out = last_ids(&p->room_out, p->na + MS_SORTED_SLACK);
  size_t n = path->filter(p->a, p->na, bits, want, out);
  same("filter", path, p, out, n, expected, n_expected);
  uint32_t *in_place = copy_of_a(p);
  n = path->filter(in_place, p->na, bits, want, in_place);
  same("filter in place", path, p, in_place, n, expected, n_expected);
  ck_assert_uint_eq(path->filter_count(p->a, p->na, bits, want), n_expected);
}

/* Filtering a list by bits that are set or not set gives what bit by bit tests give: all lengths up
 * to 300 at five densities. */
START_TEST(filters)
{
  const ms_sorted *list[PATHS];
  guarded room = guarded_new(BITS / 8);
  uint64_t *bits = last_bytes(&room, BITS / 8), state = 3;
  pair p;
  pair_new(&p);
  for (unsigned density = 0; density <= 4; density++) {
    for (size_t w = 0; w < BITS / 64; w++) {
      uint64_t x = random_next(&state), y = random_next(&state);
      const uint64_t words[] = {0, x & y, x, x | y, ~0ull};
      bits[w] = words[density];
    }
    for (size_t na = 0; na <= 300; na++) {
      p.na = na;
      p.a = last_ids(&p.room_a, na);
      /* the last bits of the last page, or any */
      draw(p.a, na, na % 2 ? BITS - 600 : 0, na % 2 ? 600 : BITS, &state);
      for (unsigned i = paths(list); i-- > 0;) {
        check_filter(list[i], &p, bits, true);
        check_filter(list[i], &p, bits, false);
      }
    }
  }
  pair_free(&p);
  guarded_free(&room);
}
END_TEST

/* And-ing words, in place or not, gives the words and the number of ones that a loop gives: all
 * lengths up to 150. */
START_TEST(words)
{
  enum { WORDS = 150 };
  const ms_sorted *list[PATHS];
  guarded room_a = guarded_new(WORDS * 8), room_b = guarded_new(WORDS * 8);
  guarded room = guarded_new(WORDS * 8);
  uint64_t state = 4;
  for (size_t n = 0; n <= WORDS; n++) {
    uint64_t *a = last_bytes(&room_a, n * 8), *b = last_bytes(&room_b, n * 8);
    uint64_t *out = last_bytes(&room, n * 8), expected[WORDS];
    size_t ones = 0;
    for (size_t w = 0; w < n; w++) {
      a[w] = n % 3 ? random_next(&state) : ~0ull;
      b[w] = n % 3 == 2 ? random_next(&state) & random_next(&state) : ~0ull;
      expected[w] = a[w] & b[w];
      for (unsigned bit = 0; bit < 64; bit++)
        ones += expected[w] >> bit & 1;
    }
    for (unsigned i = paths(list); i-- > 0;) {
      ck_assert_uint_eq(list[i]->and_count(a, b, n), ones);
      memset(out, 0xA5, n * 8);
      ck_assert_uint_eq(list[i]->and_bits(a, b, n, out), ones);
      ck_assert(n == 0 || memcmp(out, expected, n * 8) == 0);
      memcpy(out, a, n * 8);
      ck_assert_uint_eq(list[i]->and_bits(out, b, n, out), ones);
      ck_assert(n == 0 || memcmp(out, expected, n * 8) == 0);
    }
  }
  guarded_free(&room_a);
  guarded_free(&room_b);
  guarded_free(&room);
}
END_TEST

/* ms_lower_bound is the place that a linear search finds: all lists up to 300 numbers, every number
 * in and between. */
START_TEST(lower_bound)
{
  guarded room = guarded_new(300 * sizeof(uint32_t));
  for (size_t n = 0; n <= 300; n++) {
    uint32_t *a = last_ids(&room, n);
    for (uint32_t i = 0; i < n; i++)
      a[i] = 3 * i + 1;
    for (uint32_t x = 0; x <= 3 * n + 3; x++) {
      size_t expected = 0;
      while (expected < n && a[expected] < x)
        expected++;
      ck_assert_uint_eq(ms_lower_bound(a, n, x), expected);
    }
    ck_assert_uint_eq(ms_lower_bound(a, n, UINT32_MAX), n);
  }
  guarded_free(&room);
}
END_TEST

/* MOTIFSIEVE_SETS selects each implementation by name, and the best one is used where the name is
 * unknown or missing. */
START_TEST(selection)
{
  const ms_sorted *list[PATHS];
  unsigned count = paths(list);
  ck_assert_str_eq(list[0]->name, "portable");
  unsetenv("MOTIFSIEVE_SETS");
  ck_assert_ptr_eq(ms_sorted_best(), list[count - 1]);
  for (unsigned i = 0; i < count; i++) {
    setenv("MOTIFSIEVE_SETS", list[i]->name, 1);
    ck_assert_ptr_eq(ms_sorted_best(), list[i]);
  }
  setenv("MOTIFSIEVE_SETS", "abacus", 1);
  ck_assert_ptr_eq(ms_sorted_best(), list[count - 1]);
  unsetenv("MOTIFSIEVE_SETS");
}
END_TEST

TEST_MAIN("sorted", TEST(small_lengths), TEST(long_and_skewed), TEST(few_and_close), TEST(extremes),
          TEST(filters), TEST(words), TEST(lower_bound), TEST(selection))
