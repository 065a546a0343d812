/* The judge's orders of automorphism groups of patterns, against known groups. */
#include "tests/support/random.h"
#include "tests/support/search/hand_pattern.h"
#include "tests/support/search/recounts.h"
#include "tests/support/test_main.h"
#include "verify/verify.h"

#include <stdlib.h>

/* The pattern's vertices numbered anew, at random. */
static void shuffle(const hand_pattern *from, hand_pattern *to, uint64_t seed)
{
  uint32_t n = from->pattern.n, name[MS_MAX_PATTERN];
  for (uint32_t i = 0; i < n; i++) {
    uint32_t j = random_below(&seed, i + 1);
    name[i] = name[j];
    name[j] = i;
  }
  hand_make(to, n, from->pattern.directed);
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t c = 0; c < from->pattern.colors[i]; c++)
      hand_accept(to, name[i], 1u << from->ids[i][c]);
    for (uint32_t j = 0; j < n; j++)
      if (ms_bitset_has(&from->pattern.out[i], j))
        hand_join(to, name[i], name[j]);
  }
}

/* |Aut| of the pattern as it is and in two other orders.  Frees it. */
static void check_order(const char *what, hand_pattern *hand, const char *expected)
{
  mpz_t order, wanted;
  mpz_init(order);
  mpz_init_set_str(wanted, expected, 10);
  for (uint64_t seed = 0; seed < 3; seed++) {
    hand_pattern other;
    shuffle(hand, &other, 77 + seed);
    const ms_pattern *pattern = seed == 2 ? &hand->pattern : &other.pattern;
    ck_assert_int_eq(count_pattern_automorphisms(pattern, order, NULL, NULL), MS_OK);
    char *text = mpz_get_str(NULL, 10, order);
    ck_assert_msg(mpz_cmp(order, wanted) == 0, "%s: %s, not %s", what, text, expected);
    free(text);
    hand_free(&other);
  }
  mpz_clears(order, wanted, NULL);
  hand_free(hand);
}

/* `copies` cycles of `length` vertices from vertex `from` on. */
static void join_cycles(hand_pattern *hand, uint32_t from, uint32_t length, uint32_t copies)
{
  for (uint32_t c = 0; c < copies; c++, from += length)
    for (uint32_t i = 0; i < length; i++)
      hand_join(hand, from + i, from + (i + 1) % length);
}

/* The graphs on Z4 x Z4 of the 16 vertices from `from` on: two vertices are
 * joined whose difference is listed.  Both are strongly regular (16, 6, 2, 2). */
static void join_torus(hand_pattern *hand, uint32_t from, const uint32_t (*difference)[2])
{
  for (uint32_t v = 0; v < 16; v++)
    for (uint32_t d = 0; d < 6; d++)
      hand_join(hand, from + v,
                from + (v / 4 + difference[d][0]) % 4 * 4 + (v + difference[d][1]) % 4);
}

static const uint32_t shrikhande[6][2] = {{0, 1}, {0, 3}, {1, 0}, {3, 0}, {1, 1}, {3, 3}};
static const uint32_t rook[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 0}, {2, 0}, {3, 0}};

/* A vertex, a path, a cycle with and without directions, Petersen's graph, a cube of dimension 6
 * and a union of cycles have the orders of textbooks, in three numberings. */
START_TEST(knows_orders_of_small_groups)
{
  hand_pattern hand;
  hand_make(&hand, 1, false);
  check_order("a vertex", &hand, "1");
  hand_make(&hand, 64, false);
  for (uint32_t i = 0; i < 63; i++)
    hand_join(&hand, i, i + 1);
  check_order("a path", &hand, "2");
  hand_make(&hand, 64, false);
  join_cycles(&hand, 0, 64, 1);
  check_order("a cycle", &hand, "128");
  hand_make(&hand, 64, true);
  join_cycles(&hand, 0, 64, 1);
  check_order("a directed cycle", &hand, "64");
  hand_make(&hand, 10, false);
  for (uint32_t i = 0; i < 5; i++) {
    hand_join(&hand, i, (i + 1) % 5);
    hand_join(&hand, 5 + i, 5 + (i + 2) % 5);
    hand_join(&hand, i, 5 + i);
  }
  check_order("Petersen's graph", &hand, "120");
  hand_make(&hand, 64, false);
  for (uint32_t i = 0; i < 64; i++)
    for (uint32_t b = 1; b < 64; b *= 2)
      hand_join(&hand, i, i ^ b);
  check_order("the cube of dimension 6", &hand, "46080");
  hand_make(&hand, 12, false);
  join_cycles(&hand, 0, 3, 2);
  join_cycles(&hand, 6, 6, 1);
  check_order("two triangles and a hexagon", &hand, "864");
}
END_TEST

/* A clique of 64, a star, sixteen squares, K(10, 10) and a cocktail party graph have orders beyond
 * 64 bits that theory gives, in three numberings. */
START_TEST(knows_orders_of_large_groups)
{
  hand_pattern hand;
  hand_make(&hand, 64, false);
  for (uint32_t i = 0; i < 64; i++)
    for (uint32_t j = 0; j < i; j++)
      hand_join(&hand, i, j);
  check_order("a clique", &hand,
              "12688693218588416410343338933516148080286551617454519219880189437521470423040000"
              "0000000000");
  hand_make(&hand, 21, false);
  for (uint32_t i = 1; i < 21; i++)
    hand_join(&hand, 0, i);
  check_order("a star", &hand, "2432902008176640000");
  hand_make(&hand, 64, false);
  join_cycles(&hand, 0, 4, 16);
  check_order("sixteen squares", &hand, "5889241796446748858646528000");
  hand_make(&hand, 20, false);
  for (uint32_t i = 0; i < 100; i++)
    hand_join(&hand, i / 10, 10 + i % 10);
  check_order("the utility graph of ten houses", &hand, "26336378880000");
  hand_make(&hand, 64, false);
  for (uint32_t i = 0; i < 64; i++)
    for (uint32_t j = 0; j < i; j++)
      if (i / 2 != j / 2)
        hand_join(&hand, i, j);
  check_order("a clique without a perfect matching", &hand,
              "1130138339199322632554990773529330319360000000"); /* 2^32 32! */
}
END_TEST

/* Shrikhande's graph, the rook's graph and two of each, which labels cannot tell apart, have their
 * known orders, in three numberings. */
START_TEST(knows_orders_of_strongly_regular_graphs)
{
  hand_pattern hand;
  hand_make(&hand, 16, false);
  join_torus(&hand, 0, shrikhande);
  check_order("Shrikhande's graph", &hand, "192");
  hand_make(&hand, 16, false);
  join_torus(&hand, 0, rook);
  check_order("the rook's graph", &hand, "1152");
  hand_make(&hand, 64, false);
  join_torus(&hand, 0, shrikhande);
  join_torus(&hand, 16, rook);
  join_torus(&hand, 32, shrikhande);
  join_torus(&hand, 48, rook);
  check_order("two of each", &hand, "195689447424"); /* (192^2 2) (1152^2 2) */
}
END_TEST

/* A clique with vertices of three kinds has 12 automorphisms, and a hexagon of two colours 6. */
START_TEST(knows_orders_of_colored_patterns)
{
  hand_pattern hand;
  hand_make(&hand, 6, false);
  for (uint32_t i = 0; i < 6; i++)
    for (uint32_t j = 0; j < i; j++)
      hand_join(&hand, i, j);
  hand_accept(&hand, 0, 1);
  hand_accept(&hand, 1, 1);
  hand_accept(&hand, 2, 3);
  check_order("a clique with 2 + 1 + 3 vertices of a kind", &hand, "12");
  hand_make(&hand, 6, false);
  join_cycles(&hand, 0, 6, 1);
  for (uint32_t i = 0; i < 6; i++)
    hand_accept(&hand, i, i % 2 ? 5 : 2);
  check_order("a hexagon of two colours", &hand, "6");
}
END_TEST

TEST_MAIN("pattern: orders of symmetry groups", TEST(knows_orders_of_small_groups),
          TEST(knows_orders_of_large_groups), TEST(knows_orders_of_strongly_regular_graphs),
          TEST(knows_orders_of_colored_patterns))
