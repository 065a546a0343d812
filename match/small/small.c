#include "match/small/passes.h"

#include "base/alloc.h"
#include "base/integrity.h"
#include "base/status.h"
#include "base/threads/threads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the table ------------------------------------------------------------------------------- */

typedef enum pass_bit {
  CORE = 1,
  TRIANGLES = 2,
  PAIRS = 4,
  HOUSES = 8,
  NEIGHBORHOODS = 16,
  DIAMONDS = 32,
  FIVES = 64,
  CYCLES = 128
} pass_bit;

/* In the order in which passes run. */
static const struct pass {
  pass_bit bit;
  uint32_t after; /* the passes that it needs */
  ms_status (*run)(ms_small *small, ms_error *err);
} passes[] = {
    {CORE, 0, ms_small_core},
    {TRIANGLES, CORE, ms_small_triangles},
    {PAIRS, CORE | TRIANGLES, ms_small_pairs},
    {HOUSES, CORE | TRIANGLES | PAIRS, ms_small_houses},
    {NEIGHBORHOODS, CORE, ms_small_neighborhoods},
    {DIAMONDS, CORE | TRIANGLES | NEIGHBORHOODS, ms_small_diamonds},
    {FIVES, CORE, ms_small_fives},
    {CYCLES, CORE, ms_small_cycles},
};

/* The edges of each shape, whose root is 0, and the pass that counts it. */
static const struct row {
  const char *edges;
  pass_bit pass;
} rows[MS_SMALL_SHAPES] = {
    [MS_SMALL_EDGE] = {"01", CORE},
    [MS_SMALL_TRIANGLE] = {"01 02 12", TRIANGLES},
    [MS_SMALL_TAILED] = {"01 02 12 13", TRIANGLES},
    [MS_SMALL_CYCLE4] = {"01 12 23 30", PAIRS},
    [MS_SMALL_DIAMOND_END] = {"01 02 12 13 23", TRIANGLES},
    [MS_SMALL_DIAMOND_POLE] = {"01 02 03 12 13", TRIANGLES},
    [MS_SMALL_CLIQUE4] = {"01 02 03 12 13 23", NEIGHBORHOODS},
    [MS_SMALL_LOLLIPOP] = {"01 02 12 13 34", TRIANGLES},
    [MS_SMALL_CRICKET] = {"01 02 12 13 14", TRIANGLES},
    [MS_SMALL_BULL] = {"01 02 12 13 24", TRIANGLES},
    [MS_SMALL_BANNER_NEXT] = {"01 12 23 30 14", PAIRS},
    [MS_SMALL_BANNER_OPPOSITE] = {"01 12 23 30 24", PAIRS},
    [MS_SMALL_CYCLE5] = {"01 12 23 34 40", CYCLES},
    [MS_SMALL_BOWTIE] = {"01 02 12 13 14 34", TRIANGLES},
    [MS_SMALL_DART_END] = {"01 02 12 13 23 14", TRIANGLES},
    [MS_SMALL_DART_POLE] = {"01 02 03 12 13 14", TRIANGLES},
    [MS_SMALL_KITE_END] = {"01 02 12 13 23 34", DIAMONDS},
    [MS_SMALL_KITE_POLE] = {"01 02 03 12 13 24", DIAMONDS},
    [MS_SMALL_CLIQUE4_TAIL] = {"01 02 03 12 13 23 14", NEIGHBORHOODS},
    [MS_SMALL_HOUSE_ROOF] = {"01 02 12 23 34 41", HOUSES},
    [MS_SMALL_HOUSE_WALL] = {"01 12 23 30 04 14", HOUSES},
    [MS_SMALL_HOUSE_FLOOR] = {"01 12 23 30 14 24", PAIRS},
    [MS_SMALL_BIPARTITE_TWO] = {"02 03 04 12 13 14", PAIRS},
    [MS_SMALL_BIPARTITE_THREE] = {"01 02 13 23 14 24", PAIRS},
    [MS_SMALL_BOOK_SPINE] = {"01 02 12 03 13 04 14", TRIANGLES},
    [MS_SMALL_BOOK_PAGE] = {"12 01 02 13 23 14 24", TRIANGLES},
    [MS_SMALL_GEM_CENTER] = {"01 02 03 04 12 23 34", DIAMONDS},
    [MS_SMALL_GEM_MIDDLE] = {"10 12 13 14 20 03 34", DIAMONDS},
    [MS_SMALL_GEM_END] = {"10 12 13 14 02 23 34", DIAMONDS},
    [MS_SMALL_CUT_WHEEL_RIM] = {"01 02 13 14 23 24 34", DIAMONDS},
    [MS_SMALL_CUT_WHEEL_SIDE] = {"02 03 04 12 13 14 23", DIAMONDS},
    [MS_SMALL_CUT_WHEEL_AXIS] = {"02 03 01 12 13 42 43", DIAMONDS},
    [MS_SMALL_WHEEL_HUB] = {"01 02 03 04 12 23 34 41", NEIGHBORHOODS},
    [MS_SMALL_WHEEL_RIM] = {"10 12 13 14 02 23 34 40", NEIGHBORHOODS},
    [MS_SMALL_EAR] = {"01 02 12 13 14 23 24 34", DIAMONDS},
    [MS_SMALL_EAR_NEAR] = {"01 02 03 12 13 23 04 14", NEIGHBORHOODS},
    [MS_SMALL_EAR_FAR] = {"01 02 03 12 13 23 24 34", NEIGHBORHOODS},
    [MS_SMALL_CUT_CLIQUE_END] = {"02 03 04 12 13 14 23 24 34", NEIGHBORHOODS},
    [MS_SMALL_CUT_CLIQUE_REST] = {"01 02 12 03 13 23 04 14 24", NEIGHBORHOODS},
    [MS_SMALL_CLIQUE5] = {"01 02 03 04 12 13 14 23 24 34", FIVES},
};

/* Returns a bit for each pair of vertices, in this order of the vertices: 1 if they are adjacent.
 */
static uint32_t code_in_order(const uint32_t near[MS_SMALL_VERTICES], const uint32_t *order,
                              uint32_t n)
{
  uint32_t code = 0;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = i + 1; j < n; j++)
      code = code << 1 | (near[order[i]] >> order[j] & 1);
  return code;
}

/* Returns the least code of all orders that begin with the root, with the number of vertices. */
static uint32_t code_of(const uint32_t near[MS_SMALL_VERTICES], uint32_t root, uint32_t n)
{
  uint32_t order[MS_SMALL_VERTICES] = {root}, least = UINT32_MAX;
  for (uint32_t i = 1; i < n; i++)
    order[i] = i - (i <= root);
  do {
    uint32_t code = code_in_order(near, order, n);
    least = code < least ? code : least;
    /* the next order of all places but the first */
    uint32_t i = n - 1, j = n - 1;
    while (i > 1 && order[i - 1] > order[i])
      i--;
    if (i <= 1)
      break;
    while (order[j] < order[i - 1])
      j--;
    uint32_t moved = order[i - 1];
    order[i - 1] = order[j];
    order[j] = moved;
    for (uint32_t k = n - 1; i < k; i++, k--) {
      moved = order[i];
      order[i] = order[k];
      order[k] = moved;
    }
  } while (true);
  return n << 10 | least;
}

static uint32_t code_of_row(const struct row *row)
{
  uint32_t near[MS_SMALL_VERTICES] = {0}, n = 0;
  for (const char *edge = row->edges;; edge += 3) {
    uint32_t a = (uint32_t)(edge[0] - '0'), b = (uint32_t)(edge[1] - '0');
    near[a] |= 1u << b;
    near[b] |= 1u << a;
    n = a >= n ? a + 1 : n;
    n = b >= n ? b + 1 : n;
    if (edge[2] == '\0')
      return code_of(near, 0, n);
  }
}

uint32_t ms_small_find(const ms_shape *shape, uint32_t root)
{
  uint32_t near[MS_SMALL_VERTICES] = {0}, number = 0;
  if (shape->directed || shape->induced || shape->label || shape->n < 2 ||
      shape->n > MS_SMALL_VERTICES)
    return MS_NO_SMALL;
  for (uint32_t i = 0; i < shape->n; i++)
    near[i] = (uint32_t)ms_bitset_word(shape->out[i]);
  uint32_t code = code_of(near, root, shape->n), edges = 0;
  for (uint32_t i = 0; i < shape->n; i++)
    edges += (uint32_t)__builtin_popcount(near[i]);
  /* a row of m edges has 3 m - 1 characters */
  while (number < MS_SMALL_SHAPES && (2 * strlen(rows[number].edges) + 2 != 3 * (size_t)edges ||
                                      code_of_row(&rows[number]) != code))
    number++;
  return number < MS_SMALL_SHAPES ? number : MS_NO_SMALL;
}

/* ---- the numbers of a graph -------------------------------------------------------------------
 */

const ms_small_rows *ms_small_rows_at(unsigned i)
{
#ifdef MS_X86_64
  if (i == 1 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") &&
      __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2"))
    return &ms_small_rows_popcnt256;
#endif
  return i == 0 ? &ms_small_rows_portable : NULL;
}

/* Returns the best kernel, or the one that MOTIFSIEVE_SETS names, or another one in a run that
 * checks itself. */
static const ms_small_rows *choose_rows(void)
{
  const char *name = getenv("MOTIFSIEVE_SETS");
  unsigned count = 0, chosen;
  while (ms_small_rows_at(count))
    count++;
  chosen = count - 1;
  for (unsigned i = 0; name && i < count; i++)
    if (strcmp(name, ms_small_rows_at(i)->name) == 0)
      chosen = i;
  return ms_small_rows_at(ms_other_kernel_place(chosen, count));
}

bool ms_small_fits(const ms_pattern_index *index)
{
  return index->longest <= MS_SMALL_NEIGHBORS && index->arcs < MS_NO_ARC;
}

ms_status ms_small_new(const ms_pattern_index *index, uint32_t vertices, int threads,
                       ms_budget *budget, ms_small **out, ms_error *err)
{
  ms_small *s = *out = ms_calloc(1, sizeof *s);
  if (!s)
    return ms_fail_memory(err, "the numbers of small shapes");
  s->index = index;
  s->n = index->n;
  s->fives = vertices >= MS_SMALL_VERTICES;
  s->rows = choose_rows();
  s->threads = ms_threads_for(threads, index->arcs);
  s->budget = budget;
  return MS_OK;
}

void ms_small_free(ms_small *s)
{
  if (!s)
    return;
  for (uint32_t i = 0; i < MS_SMALL_SHAPES; i++)
    ms_free(s->number[i]);
  for (int i = 0; s->scratch && i < s->threads; i++) {
    ms_free(s->scratch[i].common);
    ms_free(s->scratch[i].met);
    ms_free(s->scratch[i].arc);
    ms_free(s->scratch[i].found);
    ms_free(s->scratch[i].times);
    ms_free(s->scratch[i].sum);
  }
  ms_free(s->scratch);
  ms_free(s->offset);
  ms_free(s->end);
  ms_free(s->reverse);
  ms_free(s->common);
  ms_free(s->first);
  ms_free(s->corner);
  ms_free(s->third);
  ms_free(s->cycles);
  ms_free(s->cliques);
  ms_budget_release(s->budget, s->reserved);
  ms_free(s);
}

/* ---- passes ---------------------------------------------------------------------------------- */

uint32_t ms_small_passes(uint32_t shape)
{
  uint32_t needed = rows[shape].pass;
  for (size_t i = 0; i < sizeof passes / sizeof *passes; i++)
    if (needed & passes[i].bit)
      needed |= passes[i].after;
  return needed;
}

ms_status ms_small_numbers(ms_small *s, uint32_t shape, ms_wide_size **number, ms_error *err)
{
  uint32_t needed = ms_small_passes(shape);
  for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
    if (!(needed & passes[i].bit & ~s->passes))
      continue;
    MS_TRY(passes[i].run(s, err));
    s->passes |= passes[i].bit;
  }
  *number = s->number[shape];
  return MS_OK;
}

/* Returns the steps to count 5-cycles below each vertex: of paths of two edges, and of the rows at
 * their ends, which hold at most all arcs below the vertex. */
static double cycle_steps(const ms_pattern_index *index)
{
  const ms_neighbor_rows *any = &index->rows[MS_ROWS_ANY];
  double steps = 0, arcs = 0, mean = (double)index->arcs / (index->n > 0 ? index->n : 1);
  uint32_t *smaller = ms_calloc(index->n, sizeof *smaller), length; /* neighbours below v so far */
  if (!smaller)
    return index->square_degrees * index->longest_below;
  for (uint32_t v = 0; v < index->n; v++) {
    const uint32_t *near = ms_row(any, v, &length);
    double paths = 0;
    for (uint32_t i = 0; i < length; i++) {
      paths += near[i] < v ? smaller[near[i]] : 0;
      arcs += near[i] < v ? 2 : 0;
      smaller[near[i]]++;
    }
    steps += 3 * paths + fmin(paths * mean, arcs);
  }
  ms_free(smaller);
  return steps;
}

double ms_small_steps(const ms_pattern_index *index, uint32_t needed)
{
  double paths = index->square_degrees, triangles = index->closure[0] * paths;
  double diamonds = index->arcs > 0 ? triangles * triangles / (double)index->arcs : 0;
  double steps = (double)index->arcs + triangles;
  if (needed & (PAIRS | DIAMONDS))
    steps += 3 * paths;
  if (needed & (NEIGHBORHOODS | DIAMONDS | FIVES))
    steps += diamonds;
  if (needed & CYCLES)
    steps += cycle_steps(index);
  return steps;
}
