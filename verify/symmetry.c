/* Finds automorphisms by backtracking: it maps one vertex after the other, and the kinds of all
 * mapped vertices must agree.  After each vertex it tries to keep all others in place, as far as
 * labels allow, since most automorphisms that are sought move few vertices.  Labels cut hopeless
 * branches early.  Two vertices that an
 * automorphism exchanges have equal labels, since a label is made from the vertex's kind and from
 * its neighbours' labels regardless of their order.  (The converse need not hold, and nothing
 * relies on it.)
 *
 * The levels go from the last vertex to the first.  All automorphisms found so far keep 0..i-1 in
 * place and are kept as generators; a vertex that they already find_reachable from i needs no
 * search. */
#include "verify/symmetry.h"

#include "base/alloc.h"
#include "base/status.h"

#include <string.h>

typedef struct labels {
  uint64_t from[MS_MAX_PATTERN],
      to[MS_MAX_PATTERN]; /* [n] labels of the vertices, and of their images */
} labels;

typedef struct symmetry {
  const ms_kinds *kinds;
  ms_bitset near[MS_MAX_PATTERN]; /* [n] the vertices that are joined to it */
  labels *depth;                  /* [n] labels during the search, by number of steps */
  const ms_stop *stop;
  ms_status status;            /* MS_OK, or why the search was stopped */
  uint8_t map[MS_MAX_PATTERN]; /* [n] the automorphism being built */
  uint32_t generators;
  /* [generators][n]; fewer than n, because each one kept unites two orbits of those before it */
  uint8_t generator[MS_MAX_PATTERN][MS_MAX_PATTERN];
} symmetry;

/* Maps 64-bit numbers to 64-bit numbers by a bijection that looks random: the one of splitmix64. */
static uint64_t mix(uint64_t x)
{
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}

static uint32_t count_distinct(const uint64_t *label, uint32_t n)
{
  uint32_t distinct = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t j = 0;
    while (label[j] != label[i])
      j++;
    distinct += j == i;
  }
  return distinct;
}

/* Returns the sum, over i's neighbours, of what each contributes to i's label. */
static uint64_t sum_labels(const symmetry *s, uint32_t i, const uint64_t *label)
{
  uint64_t sum = 0;
  MS_EACH_MEMBER (j, s->near[i])
    sum += mix(label[j] + 3 * mix(s->kinds->pair[i][j]));
  return sum;
}

/* Mixes the neighbours' labels into the labels until a round distinguishes no further vertices. */
static void refine(const symmetry *s, uint64_t *label)
{
  uint32_t n = s->kinds->n, distinct = count_distinct(label, n), before;
  do {
    uint64_t next[MS_MAX_PATTERN];
    before = distinct;
    for (uint32_t i = 0; i < n; i++)
      next[i] = mix(label[i]) + 3 * sum_labels(s, i, label);
    memcpy(label, next, n * sizeof *label);
    distinct = count_distinct(label, n);
  } while (distinct > before && distinct < n);
}

/* True if both sides have the same labels, each the same number of times. */
static bool sides_agree(const symmetry *s, const labels *sides)
{
  uint64_t difference = 0;
  for (uint32_t i = 0; i < s->kinds->n; i++)
    difference += mix(sides->from[i]) - mix(sides->to[i]);
  return difference == 0;
}

/* True if i can be mapped to j while the vertices in `mapped` keep their images. */
static bool can_map(const symmetry *s, ms_bitset mapped, uint32_t i, uint32_t j)
{
  MS_EACH_MEMBER (h, mapped)
    if (s->map[h] == j || s->kinds->pair[h][i] != s->kinds->pair[s->map[h]][j] ||
        s->kinds->pair[i][h] != s->kinds->pair[j][s->map[h]])
      return false;
  return s->kinds->vertex[i] == s->kinds->vertex[j];
}

/* Returns the vertex outside `mapped` with the fewest possible images.  With any other choice the
 * search would begin one component after another before a contradiction in the first can show. */
static uint32_t choose_narrowest(const symmetry *s, ms_bitset mapped, const uint64_t *label)
{
  uint32_t n = s->kinds->n, best = n, fewest = n + 1;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t equal = 0;
    if (ms_bitset_has(&mapped, i))
      continue;
    for (uint32_t j = 0; j < n; j++)
      equal += label[j] == label[i];
    if (equal < fewest) {
      best = i;
      fewest = equal;
    }
  }
  return best;
}

/* Maps each vertex outside `mapped` to itself or else to the first free vertex of its label; true
 * if that gives an automorphism.  O(n^2). */
static bool map_by_labels(symmetry *s, ms_bitset mapped, const labels *sides)
{
  uint32_t n = s->kinds->n;
  ms_bitset taken = {{0}};
  for (uint32_t v = 0; v < n; v++) {
    bool is_mapped = ms_bitset_has(&mapped, v), stays = sides->from[v] == sides->to[v];
    if (!is_mapped && stays)
      s->map[v] = (uint8_t)v;
    if (is_mapped || stays)
      ms_bitset_add(&taken, s->map[v]);
  }
  for (uint32_t v = 0, j; v < n; v++) {
    if (ms_bitset_has(&mapped, v) || sides->from[v] == sides->to[v])
      continue;
    for (j = 0; j < n && (sides->to[j] != sides->from[v] || ms_bitset_has(&taken, j));)
      j++;
    if (j == n)
      return false;
    s->map[v] = (uint8_t)j;
    ms_bitset_add(&taken, j);
  }
  if (ms_bitset_count(taken) < n)
    return false;
  for (uint32_t v = 0; v < n; v++) {
    if (s->kinds->vertex[v] != s->kinds->vertex[s->map[v]])
      return false;
    for (uint32_t w = 0; w < n; w++)
      if (s->kinds->pair[v][w] != s->kinds->pair[s->map[v]][s->map[w]])
        return false;
  }
  return true;
}

static bool map_rest(symmetry *s, ms_bitset mapped, const labels *sides);

/* Maps i to j, and then everything else outside `mapped`; true if that gives an automorphism. */
static bool try_image(symmetry *s, ms_bitset mapped, uint32_t i, uint32_t j, const labels *sides)
{
  if (sides->from[i] != sides->to[j] || !can_map(s, mapped, i, j))
    return false;
  s->status = ms_stop_check(s->stop);
  if (s->status != MS_OK)
    return false;
  labels *next = &s->depth[ms_bitset_count(mapped)];
  s->map[i] = (uint8_t)j;
  *next = *sides;
  next->from[i] = next->to[j] = mix(i + 1);
  refine(s, next->from);
  refine(s, next->to);
  ms_bitset_add(&mapped, i);
  return sides_agree(s, next) && (map_by_labels(s, mapped, next) || map_rest(s, mapped, next));
}

/* Maps everything outside `mapped`; true if that gives an automorphism.  The recursion is at most n
 * deep. */
static bool map_rest(symmetry *s, ms_bitset mapped, const labels *sides)
{
  uint32_t n = s->kinds->n, i = choose_narrowest(s, mapped, sides->from);
  if (i == n)
    return true;
  for (uint32_t j = 0; j < n && s->status == MS_OK; j++)
    if (try_image(s, mapped, i, j, sides))
      return true;
  return false;
}

/* Returns all vertices that the generators find_reachable from i. */
static ms_bitset find_reachable(const symmetry *s, uint32_t i)
{
  ms_bitset reached = ms_bitset_of(i), fresh = reached;
  while (!ms_bitset_is_empty(fresh)) {
    uint32_t v = ms_bitset_first(fresh);
    ms_bitset_remove(&fresh, v);
    for (uint32_t g = 0; g < s->generators; g++) {
      uint32_t image = s->generator[g][v];
      if (ms_bitset_has(&reached, image))
        continue;
      ms_bitset_add(&fresh, image);
      ms_bitset_add(&reached, image);
    }
  }
  return reached;
}

/* Returns the orbit of i while 0..i-1 stay in place; `sides`: labels that distinguish 0..i-1. */
static ms_bitset find_orbit(symmetry *s, uint32_t i, const labels *sides)
{
  ms_bitset orbit = find_reachable(s, i), kept = ms_bitset_below(i);
  for (uint32_t h = 0; h < i; h++)
    s->map[h] = (uint8_t)h;
  for (uint32_t j = i + 1; j < s->kinds->n && s->status == MS_OK; j++) {
    if (ms_bitset_has(&orbit, j) || !try_image(s, kept, i, j, sides))
      continue;
    memcpy(s->generator[s->generators++], s->map, sizeof s->map);
    orbit = find_reachable(s, i);
  }
  return orbit;
}

static void list_near(symmetry *s)
{
  for (uint32_t i = 0; i < s->kinds->n; i++)
    for (uint32_t j = 0; j < s->kinds->n; j++)
      if (s->kinds->pair[i][j] != 0)
        ms_bitset_add(&s->near[i], j);
}

/* Finds the lowest vertex of each orbit of the group that the generators make. */
static void find_lowest(const symmetry *s, uint8_t *lowest)
{
  uint32_t n = s->kinds->n;
  bool changes = true;
  for (uint32_t v = 0; v < n; v++)
    lowest[v] = (uint8_t)v;
  while (changes) {
    changes = false;
    for (uint32_t g = 0; g < s->generators; g++)
      for (uint32_t v = 0; v < n; v++) {
        uint8_t *a = &lowest[v], *b = &lowest[s->generator[g][v]];
        changes = changes || *a != *b;
        *a = *b = *a < *b ? *a : *b;
      }
  }
}

ms_status ms_kinds_orbits(const ms_kinds *kinds, ms_bitset *orbit, uint8_t *lowest,
                          const ms_stop *stop, ms_error *err)
{
  uint32_t n = kinds->n;
  ms_status status = MS_OK;
  symmetry *s = ms_calloc(1, sizeof *s);
  labels *sides =
      ms_calloc(n, sizeof *sides); /* [n] i-th: labels that distinguish 0..i-1 from all others */
  if (s)
    s->depth = ms_alloc(n, sizeof *s->depth);
  if (!s || !sides || !s->depth) {
    status = ms_fail_memory(err, "the symmetry of a pattern");
    goto cleanup;
  }
  s->kinds = kinds;
  s->stop = stop;
  list_near(s);
  for (uint32_t v = 0; v < n; v++)
    sides[0].from[v] = mix(kinds->vertex[v]);
  refine(s, sides[0].from);
  for (uint32_t i = 1; i < n; i++) {
    memcpy(sides[i].from, sides[i - 1].from, sizeof sides->from);
    sides[i].from[i - 1] = mix(i);
    refine(s, sides[i].from);
  }
  for (uint32_t i = n; i-- > 0 && s->status == MS_OK;) {
    memcpy(sides[i].to, sides[i].from, sizeof sides->to);
    orbit[i] = find_orbit(s, i, &sides[i]);
  }
  if (s->status == MS_OK && lowest)
    find_lowest(s, lowest);
  if (s->status != MS_OK) {
    status = ms_fail(err, s->status,
                     "the search for the pattern's symmetries was stopped: %s; "
                     "allow it more time",
                     ms_status_text(s->status));
  }
cleanup:
  ms_free(sides);
  if (s)
    ms_free(s->depth);
  ms_free(s);
  return status;
}
