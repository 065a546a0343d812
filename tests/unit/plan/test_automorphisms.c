/* Kinds and automorphism groups of shapes (plan/), against all permutations of small shapes and
 * against known groups of large ones. */
#include "plan/automorphisms.h"
#include "tests/support/allocations.h"
#include "tests/support/graphs/shapes.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

static ms_error err;

static ms_group *group_of_labels(const ms_shape *shape, ms_arc_labels label, const uint8_t *base,
                                 ms_bitset keep)
{
  ms_group *group = NULL;
  ms_shape labelled = *shape;
  labelled.label = label;
  ms_status status = ms_group_new(&labelled, base, keep, &group, &err);
  ck_assert_msg(status == MS_OK, "%s", err.message);
  return group;
}

/* All vertices, or some of the first n at random. */
static ms_bitset random_keep(uint64_t *state, uint32_t n)
{
  return random_below(state, 3) ? ms_bitset_all() : ms_bitset_of_word(random_below(state, 1u << n));
}

static ms_group *group_of(const ms_shape *shape, const uint8_t *base, ms_bitset keep)
{
  ms_group *group = NULL;
  ms_status status = ms_group_new(shape, base, keep, &group, &err);
  ck_assert_msg(status == MS_OK, "%s", err.message);
  return group;
}

/* Labels may be NULL. */
static bool is_automorphism(const ms_shape *shape, ms_arc_labels label, ms_bitset keep,
                            const uint8_t *map)
{
  for (uint32_t a = 0; a < shape->n && label; a++)
    for (uint32_t b = 0; b < shape->n; b++)
      if (label[a][b] != label[map[a]][map[b]])
        return false;
  return shapes_is_automorphism(shape, keep, map);
}

/* ---- small shapes, by all permutations --------------------------------------- */

/* The orbit of base[i] under what fixes base[0..i-1], and how many permutations keep the shape. */
static uint64_t orbits_by_force(const ms_shape *shape, ms_arc_labels label, const uint8_t *base,
                                ms_bitset keep, ms_bitset *orbit)
{
  uint8_t perm[MS_MAX_PATTERN];
  uint64_t order = 0;
  for (uint32_t i = 0; i < shape->n; i++) {
    perm[i] = (uint8_t)i;
    orbit[i] = (ms_bitset){{0}};
  }
  do {
    if (!is_automorphism(shape, label, keep, perm))
      continue;
    order++;
    for (uint32_t i = 0; i < shape->n; i++) {
      ms_bitset_add(&orbit[i], perm[base[i]]);
      if (perm[base[i]] != base[i])
        break;
    }
  } while (shapes_next_permutation(shape->n, perm));
  return order;
}

/* Each move is an automorphism, fixes the base so far, and goes where it says. */
static void check_moves_of_labels(const ms_group *group, const ms_shape *shape, ms_arc_labels label,
                                  ms_bitset keep)
{
  for (uint32_t i = 0; i < group->n; i++) {
    if (ms_bitset_equal(group->orbit[i], ms_bitset_of(group->base[i]))) {
      ck_assert_ptr_null(group->move[i]);
      continue;
    }
    for (uint32_t x = 0; x < group->n; x++) {
      if (!ms_bitset_has(&group->orbit[i], x))
        continue;
      const uint8_t *move = group->move[i][x];
      ck_assert(is_automorphism(shape, label, keep, move));
      ck_assert_uint_eq(move[group->base[i]], x);
      for (uint32_t j = 0; j < i; j++)
        ck_assert_uint_eq(move[group->base[j]], group->base[j]);
    }
  }
}

static void check_moves(const ms_group *group, const ms_shape *shape, ms_bitset keep)
{
  check_moves_of_labels(group, shape, NULL, keep);
}

static bool meets_constraints(const ms_group *group, const uint8_t *row)
{
  for (uint32_t i = 0; i < group->n; i++)
    for (uint32_t x = 0; x < group->n; x++)
      if (ms_bitset_has(&group->orbit[i], x) && row[x] < row[group->base[i]])
        return false;
  return true;
}

/* Among the n! rows one of each class meets the constraints: no two of a class do, and their
 * number times the order is n!. */
static void check_constraints(const ms_group *group, uint64_t order)
{
  uint8_t row[MS_MAX_PATTERN];
  uint64_t rows = 0, met = 0;
  for (uint32_t i = 0; i < group->n; i++)
    row[i] = (uint8_t)i;
  do {
    rows++;
    met += meets_constraints(group, row);
  } while (shapes_next_permutation(group->n, row));
  ck_assert_uint_eq(met * order, rows);
}

/* Fills in least[n], the smallest image of a row under the automorphisms; returns how many images
 * meet the constraints of `group`. */
static uint32_t least_image(const ms_group *group, const ms_shape *shape, ms_arc_labels label,
                            ms_bitset keep, const uint8_t *row, uint8_t *least)
{
  uint8_t other[MS_MAX_PATTERN], map[MS_MAX_PATTERN];
  uint32_t met = 0;
  for (uint32_t i = 0; i < shape->n; i++)
    map[i] = (uint8_t)i;
  memcpy(least, row, shape->n);
  do {
    if (!is_automorphism(shape, label, keep, map))
      continue;
    for (uint32_t i = 0; i < shape->n; i++)
      other[i] = row[map[i]];
    met += meets_constraints(group, other);
    if (memcmp(other, least, shape->n) < 0)
      memcpy(least, other, shape->n);
  } while (shapes_next_permutation(shape->n, map));
  return met;
}

/* Checks that two rows are made the smallest of their classes together as each by itself. */
static void check_rows(const ms_group *by_number, const uint8_t *row, uint64_t *state)
{
  uint32_t n = by_number->n, rows[2 * MS_MAX_PATTERN], alone[2 * MS_MAX_PATTERN];
  uint8_t order[MS_MAX_PATTERN];
  shapes_shuffle(state, n, order);
  for (uint32_t i = 0; i < n; i++) {
    rows[i] = alone[i] = row[i];
    rows[n + i] = alone[n + i] = order[i] * 5u;
  }
  ms_group_smallest(by_number, alone);
  ms_group_smallest(by_number, alone + n);
  ms_group_smallest_rows(by_number, rows, 2);
  ck_assert_mem_eq(rows, alone, 2 * n * sizeof *rows);
}

/* Checks that one row of a class meets the constraints, and that ms_group_smallest finds the
 * smallest. */
static void check_class(const ms_group *group, const ms_group *by_number, const ms_shape *shape,
                        ms_arc_labels label, ms_bitset keep, uint64_t *state)
{
  uint8_t row[MS_MAX_PATTERN], least[MS_MAX_PATTERN];
  uint32_t found[MS_MAX_PATTERN];
  shapes_shuffle(state, shape->n, row);
  for (uint32_t i = 0; i < shape->n; i++)
    found[i] = row[i];
  ck_assert_uint_eq(least_image(group, shape, label, keep, row, least), 1);
  ms_group_smallest(by_number, found);
  for (uint32_t i = 0; i < shape->n; i++)
    ck_assert_uint_eq(found[i], least[i]);
  check_rows(by_number, row, state);
}

/* Checks a row with repeats, of whose class several rows may meet the constraints, or none. */
static void check_repeats(const ms_group *by_number, const ms_shape *shape, ms_arc_labels label,
                          ms_bitset keep, uint64_t *state)
{
  uint8_t row[MS_MAX_PATTERN], least[MS_MAX_PATTERN];
  uint32_t found[MS_MAX_PATTERN];
  shapes_shuffle(state, shape->n, row);
  for (uint32_t i = 0; i < shape->n; i++)
    found[i] = row[i] = row[i] / 2;
  least_image(by_number, shape, label, keep, row, least);
  ck_assert(ms_group_smallest_of_any(by_number, found));
  for (uint32_t i = 0; i < shape->n; i++)
    ck_assert_uint_eq(found[i], least[i]);
}

static void check_small(const ms_shape *shape, ms_arc_labels label, const uint8_t *base,
                        ms_bitset keep, uint64_t *state)
{
  ms_bitset orbit[MS_MAX_PATTERN];
  uint64_t order = orbits_by_force(shape, label, base, keep, orbit);
  ms_group *group = group_of_labels(shape, label, base, keep);
  ms_group *by_number = group_of_labels(shape, label, NULL, keep);
  mpz_t found;
  mpz_init(found);
  ms_group_order(group, found);
  ck_assert(mpz_cmp_ui(found, order) == 0);
  ms_group_order(by_number, found);
  ck_assert(mpz_cmp_ui(found, order) == 0);
  mpz_clear(found);
  for (uint32_t i = 0; i < shape->n; i++) {
    ck_assert_uint_eq(group->base[i], base[i]);
    ck_assert(ms_bitset_equal(group->orbit[i], orbit[i]));
  }
  check_moves_of_labels(group, shape, label, keep);
  check_constraints(group, order);
  check_class(group, by_number, shape, label, keep, state);
  check_repeats(by_number, shape, label, keep, state);
  ms_group_free(group);
  ms_group_free(by_number);
}

/* Order, orbits, moves, constraints and smallest rows of a group are those found by trying all
 * permutations: 1,500 random shapes of 1 to 7 vertices, directed or not, some with a set that must
 * be kept. */
START_TEST(random_shapes)
{
  uint64_t state = 1;
  uint32_t symmetric = 0;
  for (int i = 0; i < 1500; i++) {
    uint32_t n = 1 + random_below(&state, i < 1300 ? 6 : 7);
    bool directed = random_below(&state, 2);
    ms_shape shape = shapes_random(&state, n, directed, random_below(&state, 257),
                                   1 + random_below(&state, 3) / 2);
    ms_bitset keep = random_keep(&state, n);
    uint8_t base[MS_MAX_PATTERN];
    shapes_shuffle(&state, n, base);
    check_small(&shape, NULL, base, keep, &state);
    ms_group *group = group_of(&shape, NULL, keep);
    for (uint32_t v = 0; v < n; v++)
      symmetric += group->move[v] != NULL;
    ms_group_free(group);
  }
  ck_assert_uint_gt(symmetric, 1000);
}
END_TEST

/* A directed triangle has the three rotations only, against all permutations. */
START_TEST(arcs_have_a_direction)
{
  ms_shape shape = shapes_empty(3);
  uint8_t base[] = {0, 1, 2};
  uint64_t state = 2;
  shape.directed = true;
  for (uint32_t v = 0; v < 3; v++)
    shapes_join(&shape, v, (v + 1) % 3);
  ms_group *group = group_of(&shape, NULL, ms_bitset_all());
  ck_assert(ms_bitset_equal(group->orbit[0], ms_bitset_below(3)));
  ck_assert(ms_bitset_equal(group->orbit[1], ms_bitset_of(1)));
  ms_group_free(group);
  check_small(&shape, NULL, base, ms_bitset_all(), &state);
}
END_TEST

/* ---- known groups --------------------------------------------------------------- */

static ms_shape paley(uint32_t p)
{
  ms_shape shape = shapes_empty(p);
  for (uint32_t a = 0; a < p; a++)
    for (uint32_t r = 1; r <= p / 2; r++) {
      uint32_t b = (a + r * r) % p;
      if (!ms_bitset_has(&shape.out[a], b))
        shapes_join(&shape, a, b);
    }
  return shape;
}

/* Cells of a torus: adjacent in a row or column (the rook's graph), or to the next ones in a row,
 * a column and along one diagonal (of side 4: Shrikhande's, with the rook's parameters). */
static ms_shape torus(uint32_t side, bool rook)
{
  ms_shape shape = shapes_empty(side * side);
  for (uint32_t a = 0; a < shape.n; a++)
    for (uint32_t b = 0; b < a; b++) {
      uint32_t dx = (a % side + side - b % side) % side, dy = (a / side + side - b / side) % side;
      bool next_x = dx == 1 || dx == side - 1, next_y = dy == 1 || dy == side - 1;
      bool joined = rook ? dx == 0 || dy == 0
                         : (dx == 0 && next_y) || (dy == 0 && next_x) || (dx == dy && next_x);
      if (joined)
        shapes_join(&shape, a, b);
    }
  return shape;
}

static ms_shape times(const ms_shape *shape, uint32_t copies)
{
  ms_shape all = *shape;
  for (uint32_t i = 1; i < copies; i++)
    all = shapes_union(&all, shape);
  return all;
}

static ms_shape rook_4(void)
{
  return torus(4, true);
}

static ms_shape shrikhande(void)
{
  return torus(4, false);
}

/* Factors with blanks between them: 7, 7! or either with ^ and an exponent. */
static void evaluate(const char *product, mpz_t value)
{
  char *at;
  mpz_t factor;
  mpz_init(factor);
  mpz_set_ui(value, 1);
  for (const char *p = product; *p; p = at) {
    unsigned long number = strtoul(p, &at, 10);
    ck_assert(at != p);
    if (*at == '!')
      mpz_fac_ui(factor, number);
    else
      mpz_set_ui(factor, number);
    at += *at == '!';
    if (*at == '^')
      mpz_pow_ui(factor, factor, strtoul(at + 1, &at, 10));
    mpz_mul(value, value, factor);
  }
  mpz_clear(factor);
}

static void check_order(const char *what, const ms_shape *shape, const char *product)
{
  mpz_t expected, found;
  mpz_init(expected);
  mpz_init(found);
  evaluate(product, expected);
  clock_t begin = clock();
  ms_group *group = group_of(shape, NULL, ms_bitset_all());
  double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
  ms_group_order(group, found);
  ck_assert_msg(mpz_cmp(expected, found) == 0, "%s: %s", what, product);
  /* some ms; far more is a search without end */
  ck_assert_msg(seconds < 2, "%s: %g s", what, seconds);
  check_moves(group, shape, ms_bitset_all());
  ms_group_free(group);
  mpz_clear(expected);
  mpz_clear(found);
}

/* As it is, and numbered at random. */
static void check_known(const char *what, ms_shape shape, const char *product)
{
  uint64_t state = 3;
  check_order(what, &shape, product);
  for (int i = 0; i < 3; i++) {
    uint8_t to[MS_MAX_PATTERN];
    shapes_shuffle(&state, shape.n, to);
    ms_shape other = shapes_relabel(&shape, to);
    check_order(what, &other, product);
  }
}

/* Cliques, empty shapes, paths, cycles, stars, bipartite and other named shapes of up to 64
 * vertices have the group orders of textbooks, in the usual and three random numberings. */
START_TEST(known_groups)
{
  for (uint32_t n = 1; n <= 64; n += n < 10 ? 1 : 9) {
    char product[8];
    snprintf(product, sizeof product, "%u!", n);
    ms_shape clique = shapes_clique(n), empty = shapes_empty(n);
    check_order("clique", &clique, product);
    check_order("empty", &empty, product);
  }
  check_known("path", shapes_path(2), "2");
  check_known("path", shapes_path(64), "2");
  check_known("cycle", shapes_cycle(5), "10");
  check_known("cycle", shapes_cycle(64), "128");
  check_known("star", shapes_star(63), "63!");
  check_known("octahedron", shapes_octahedron(), "48");
  check_known("Petersen", shapes_petersen(), "120");
  check_known("cube", shapes_cube(3), "48");
  check_known("K(3, 3)", shapes_bipartite(3, 3), "72");
  check_known("K(32, 32)", shapes_bipartite(32, 32), "32!^2 2");
  check_known("K(31, 33)", shapes_bipartite(31, 33), "31! 33!");
}
END_TEST

/* Seven strongly regular or vertex-transitive shapes, which degrees cannot break up, have the group
 * orders of the literature, each within 2 seconds in four numberings. */
START_TEST(known_groups_of_regular_shapes)
{
  check_known("cube of dimension 6", shapes_cube(6), "2^6 6!");
  check_known("Paley 13", paley(13), "13 6");
  check_known("Paley 61", paley(61), "61 30");
  check_known("rook 4", rook_4(), "4!^2 2");
  check_known("rook 8", torus(8, true), "8!^2 2");
  check_known("Shrikhande", shrikhande(), "192");
  check_known("triangles of a torus", torus(8, false), "64 12");
}
END_TEST

/* Five unions of components that refinement cannot tell apart have the product and permutation
 * orders that theory gives. */
START_TEST(known_groups_of_unions)
{
  ms_shape rook = rook_4(), other = shrikhande(), petersen = shapes_petersen();
  ms_shape rooks = times(&rook, 2), others = times(&other, 2);
  ms_shape edge = shapes_path(2), triangle = shapes_clique(3), hexagon = shapes_cycle(6);
  ms_shape triangles = times(&triangle, 10), hexagons = times(&hexagon, 5);
  check_known("two parts", shapes_union(&rook, &other), "1152 192");
  check_known("four parts", shapes_union(&rooks, &others), "1152^2 2 192^2 2");
  check_known("Petersen's", times(&petersen, 6), "120^6 6!");
  check_known("edges", times(&edge, 32), "2^32 32!");
  check_known("triangles and hexagons", shapes_union(&triangles, &hexagons), "6^10 10! 12^5 5!");
}
END_TEST

/* 50 random shapes of 64 vertices and a clique whose kinds all differ have the trivial group, and a
 * clique of two kinds has 16! 48!. */
START_TEST(little_symmetry)
{
  uint64_t state = 5;
  for (int i = 0; i < 50; i++)
    check_known("random", shapes_random(&state, 64, i % 2, 128, 1 + (uint32_t)i % 3), "1");
  ms_shape clique = shapes_clique(64);
  for (uint32_t v = 0; v < 64; v++)
    clique.kind[v] = v;
  check_known("all kinds differ", clique, "1");
  for (uint32_t v = 0; v < 64; v++)
    clique.kind[v] = v % 4 ? 1 : 2;
  check_known("two kinds", clique, "16! 48!");
}
END_TEST

/* The order of the group does not depend on the base, and the order of the subgroup that keeps a
 * set divides it: 150 random sparse shapes of 9 to 64 vertices. */
START_TEST(sparse_shapes)
{
  uint64_t state = 6;
  mpz_t order, other;
  mpz_init(order);
  mpz_init(other);
  for (int i = 0; i < 150; i++) {
    uint32_t n = 9 + random_below(&state, 56);
    ms_shape shape = shapes_random(&state, n, i % 2, 1u << i % 5, 1 + (uint32_t)i % 3);
    ms_bitset keep = ms_bitset_of_word(random_next(&state) & random_next(&state));
    uint8_t base[MS_MAX_PATTERN];
    shapes_shuffle(&state, n, base);
    ms_group *groups[] = {group_of(&shape, NULL, ms_bitset_all()),
                          group_of(&shape, base, ms_bitset_all()), group_of(&shape, base, keep)};
    ms_group_order(groups[0], order);
    ms_group_order(groups[1], other);
    ck_assert(mpz_cmp(order, other) == 0);
    ms_group_order(groups[2], other);
    ck_assert(mpz_divisible_p(order, other));
    for (size_t g = 0; g < COUNT(groups); g++) {
      check_moves(groups[g], &shape, g == 2 ? keep : ms_bitset_all());
      ms_group_free(groups[g]);
    }
  }
  mpz_clear(order);
  mpz_clear(other);
}
END_TEST

/* A row and a random image of it under the group have the same smallest row: 20 rows of each of
 * four shapes of 50 or 64 vertices. */
START_TEST(smallest_of_large_classes)
{
  uint64_t state = 7;
  const ms_shape shapes[] = {shapes_clique(64), shapes_cube(6), torus(8, true),
                             shapes_bipartite(20, 30)};
  for (size_t s = 0; s < COUNT(shapes); s++) {
    uint32_t n = shapes[s].n;
    ms_group *group = group_of(&shapes[s], NULL, ms_bitset_all());
    for (int i = 0; i < 20; i++) {
      uint8_t order[MS_MAX_PATTERN];
      uint32_t row[MS_MAX_PATTERN], other[MS_MAX_PATTERN], moved[MS_MAX_PATTERN];
      shapes_shuffle(&state, n, order);
      for (uint32_t v = 0; v < n; v++)
        row[v] = other[v] = order[v] * 3u;
      for (uint32_t level = 0; level < n; level++) {
        uint32_t x = random_below(&state, n);
        if (!ms_bitset_has(&group->orbit[level], x) || !group->move[level])
          continue;
        for (uint32_t v = 0; v < n; v++)
          moved[v] = other[group->move[level][x][v]];
        memcpy(other, moved, sizeof moved);
      }
      ms_group_smallest(group, row);
      ms_group_smallest(group, other);
      ck_assert_mem_eq(row, other, n * sizeof *row);
    }
    ms_group_free(group);
  }
}
END_TEST

/* A group whose members are all permutations that keep its orbits sorts rows, and no other one
 * does: 13 shapes, among them paths and cycles, whose ends or vertices only move together. */
START_TEST(groups_that_sort)
{
  const struct {
    ms_shape shape;
    bool sorts;
  } known[] = {
      {shapes_clique(2), true},       {shapes_clique(3), true},
      {shapes_clique(8), true},       {shapes_clique(9), false}, /* too many exchanges */
      {shapes_bipartite(1, 3), true}, {shapes_bipartite(1, 8), true},
      {shapes_bipartite(2, 3), true}, {shapes_bipartite(3, 3), false},
      {shapes_path(3), true},         {shapes_path(4), false},
      {shapes_path(5), false},        {shapes_cube(2), false},
      {shapes_cube(3), false},
  };
  uint64_t state = 3;
  for (size_t s = 0; s < COUNT(known); s++) {
    ms_group *group = group_of(&known[s].shape, NULL, ms_bitset_all());
    uint8_t row[MS_MAX_PATTERN];
    ck_assert_msg(group->sorts == known[s].sorts, "shape %zu", s);
    for (int i = 0; i < 50; i++) {
      shapes_shuffle(&state, known[s].shape.n, row);
      check_rows(group, row, &state);
    }
    ms_group_free(group);
  }
}
END_TEST

/* ---- labels ----------------------------------------------------------------------- */

/* One of `kinds` labels for each joined pair, seen from either end: the same from both, or label 2i
 * from one and 2i + 1 from the other. */
static void random_labels(uint64_t *state, const ms_shape *shape, uint32_t kinds,
                          uint16_t label[MS_MAX_PATTERN][MS_MAX_PATTERN])
{
  memset(label, 0, MS_MAX_PATTERN * sizeof *label);
  for (uint32_t a = 0; a < shape->n; a++)
    for (uint32_t b = 0; b < a; b++) {
      uint32_t kind = random_below(state, kinds), turned = random_below(state, 2);
      if (!ms_bitset_has(&shape->out[a], b) && !ms_bitset_has(&shape->in[a], b))
        continue;
      bool symmetric = kind % 3 == 0;
      label[a][b] = (uint16_t)(2 * kind + 2 + (symmetric ? 0 : turned));
      label[b][a] = (uint16_t)(2 * kind + 2 + (symmetric ? 0 : !turned));
    }
}

/* With labels on the edges, too, groups are those found by trying all permutations: 2,000 random
 * shapes of 2 to 6 vertices. */
START_TEST(random_labelled_shapes)
{
  static uint16_t label[MS_MAX_PATTERN][MS_MAX_PATTERN];
  uint64_t state = 8;
  uint32_t symmetric = 0, reduced = 0;
  for (int i = 0; i < 2000; i++) {
    uint32_t n = 2 + random_below(&state, 5);
    uint32_t chance = 64 + random_below(&state, 193), kinds = 1 + random_below(&state, 3) / 2;
    ms_shape shape = shapes_random(&state, n, i % 4 == 3, chance, kinds);
    ms_bitset keep = random_keep(&state, n);
    uint8_t base[MS_MAX_PATTERN];
    shapes_shuffle(&state, n, base);
    random_labels(&state, &shape, 1 + random_below(&state, 3), label);
    const ms_arc_labels labels = (ms_arc_labels)label;
    check_small(&shape, labels, base, keep, &state);
    ms_bitset orbit[MS_MAX_PATTERN];
    uint64_t order = orbits_by_force(&shape, labels, base, keep, orbit);
    symmetric += order > 1;
    reduced += order > 1 && order < orbits_by_force(&shape, NULL, base, keep, orbit);
  }
  ck_assert_uint_gt(symmetric, 300);
  ck_assert_uint_gt(reduced, 30);
}
END_TEST

/* Rings with labels that are all alike, that point round, or that alternate have 2n, n and n
 * automorphisms: five sizes from 4 to 64 vertices. */
START_TEST(labelled_rings)
{
  static uint16_t label[MS_MAX_PATTERN][MS_MAX_PATTERN];
  static const uint16_t on[][2] = {{1, 1}, {1, 1}, {1, 2}}, back[][2] = {{1, 1}, {2, 2}, {1, 2}};
  for (uint32_t n = 4; n <= 64; n += n < 8 ? 2 : 28) {
    const unsigned long order[] = {2 * n, n, n};
    ms_shape ring = shapes_cycle(n);
    mpz_t found;
    mpz_init(found);
    for (int kind = 0; kind < 3; kind++) {
      memset(label, 0, sizeof label);
      for (uint32_t v = 0; v < n; v++) {
        label[v][(v + 1) % n] = on[kind][v % 2];
        label[(v + 1) % n][v] = back[kind][v % 2];
      }
      ms_group *group = group_of_labels(&ring, (ms_arc_labels)label, NULL, ms_bitset_all());
      ms_group_order(group, found);
      ck_assert_msg(mpz_cmp_ui(found, order[kind]) == 0, "%u vertices, labels %d", n, kind);
      check_moves_of_labels(group, &ring, (ms_arc_labels)label, ms_bitset_all());
      ms_group_free(group);
    }
    mpz_clear(found);
  }
}
END_TEST

/* ---- kinds ------------------------------------------------------------------------ */

/* Two vertices of a pattern have the same kind exactly if they accept the same set of colours: all
 * pairs of eight vertices. */
START_TEST(kinds_are_sets_of_colors)
{
  uint32_t one[] = {1}, two[] = {1, 4}, same[] = {1, 4}, other[] = {1, 5};
  ms_pattern pattern = {.n = 8, .directed = true};
  uint32_t *color[] = {two, NULL, one, same, NULL, other, one, NULL};
  uint32_t colors[] = {2, 0, 1, 2, 0, 2, 1, 0};
  ms_shape shape;
  memcpy(pattern.color, color, sizeof color);
  memcpy(pattern.colors, colors, sizeof colors);
  pattern.out[3] = ms_bitset_of(5);
  pattern.in[5] = ms_bitset_of(3);
  ms_shape_of(&pattern, true, &shape);
  ck_assert(shape.directed && shape.induced);
  ck_assert_uint_eq(shape.n, 8);
  ck_assert(ms_bitset_equal(shape.out[3], ms_bitset_of(5)));
  ck_assert(ms_bitset_equal(shape.in[5], ms_bitset_of(3)));
  ck_assert(ms_bitset_is_empty(shape.in[3]));
  for (uint32_t a = 0; a < 8; a++) {
    ck_assert(ms_bitset_equal(shape.member[a], ms_bitset_of(a)));
    ck_assert_int_eq(shape.kind[a] == MS_KIND_ANY, colors[a] == 0);
    for (uint32_t b = 0; b < 8; b++) {
      bool equal = colors[a] == colors[b] &&
                   (!colors[a] || memcmp(color[a], color[b], colors[a] * sizeof **color) == 0);
      ck_assert_int_eq(shape.kind[a] == shape.kind[b], equal);
    }
  }
}
END_TEST

/* ---- memory ------------------------------------------------------------------------ */

static ms_status make_and_free(void *user, ms_error *error)
{
  ms_group *group;
  ms_status status = ms_group_new(user, NULL, ms_bitset_all(), &group, error);
  ms_group_free(group);
  return status;
}

/* Whichever allocation fails while a group is made, the call reports it and leaks no block: a cube
 * and a path. */
START_TEST(survives_lack_of_memory)
{
  ms_shape cube = shapes_cube(3), chain = shapes_path(3);
  chain.kind[0] = 1;
  ck_assert_int_eq(failing_runs(make_and_free, &cube), 7); /* four, and orbits of 8, 3 and 2 */
  ck_assert_int_eq(failing_runs(make_and_free, &chain), 4);
}
END_TEST

TEST_MAIN("plans: automorphisms", TEST(random_shapes), TEST(arcs_have_a_direction),
          TEST(known_groups), TEST(known_groups_of_regular_shapes), TEST(known_groups_of_unions),
          TEST(little_symmetry), TEST(sparse_shapes), TEST(smallest_of_large_classes),
          TEST(groups_that_sort), TEST(random_labelled_shapes), TEST(labelled_rings),
          TEST(kinds_are_sets_of_colors), TEST(survives_lack_of_memory))
