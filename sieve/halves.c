/* Lists of vertices that are zero at half of the points (sieve/halves.h). */
#include "sieve/halves.h"

#include "base/alloc.h"
#include "base/status.h"

#include <string.h>

enum {
  BITS = MS_HALVES_BITS,
  WINDOW = 1024, /* places that are sorted; near vertices stay near */
  MOST_COUNTED = 64
};

/* Counts the vertices of each point bit; count[BITS] are the others. */
static void count_bits(const ms_sieve_problem *problem, uint32_t count[BITS + 1])
{
  memset(count, 0, (BITS + 1) * sizeof *count);
  for (uint32_t v = 0; v < problem->instance->n; v++)
    count[ms_sieve_half_bit(problem, v)]++;
}

void ms_sieve_halves_count(const ms_sieve_problem *problem, uint32_t *slots, uint32_t *places)
{
  uint32_t count[BITS + 1], pairs = 0;
  count_bits(problem, count);
  for (uint32_t b = 0; b < BITS; b++)
    pairs += (count[b] + 1) / 2;
  *slots = pairs + count[BITS];
  *places = 2 * pairs + count[BITS];
}

uint64_t ms_sieve_halves_bytes(const ms_sieve_problem *problem)
{
  uint64_t n = problem->instance->n, places = n + BITS;
  return sizeof(ms_sieve_halves) +
         places * (sizeof(uint32_t) + sizeof(ms_half_list) + sizeof(uint64_t)) +
         (n + MS_HALVES_AHEAD) * sizeof(uint32_t) + 2 * problem->instance->arcs * sizeof(uint32_t);
}

/* ---- lanes --------------------------------------------------------------------------------- */

uint64_t ms_sieve_half_matrix(uint64_t matrix, uint32_t bit)
{
  const uint64_t each = UINT64_C(0x0101010101010101);
  uint64_t all = 0, lanes = matrix >> 1 & each * 0x1F;
  for (uint32_t b = 0; b < BITS; b++)
    all ^= matrix >> b & each;
  /* all columns are added where l5 is 1: in the upper half, or where that gives the lane the bit */
  if (bit == BITS)
    return lanes | all << 6;
  return (bit > 0 ? lanes ^ all << (bit - 1) : lanes) | all << 5 | all << 6;
}

/* ---- places -------------------------------------------------------------------------------- */

/* Returns the number of a vertex's heads that are halves, or MOST_COUNTED. */
static uint32_t count_halves(const ms_sieve_problem *problem, uint32_t v)
{
  const ms_instance *in = problem->instance;
  uint32_t count = 0;
  for (uint64_t e = in->offset[v]; e < in->offset[v + 1] && count < MOST_COUNTED; e++)
    count += ms_sieve_half_bit(problem, in->neighbor[e]) < BITS;
  return count;
}

/* Sorts the vertices of `count` places by their numbers of such heads, so that loops over them end
 * where the processor expects it. */
static void sort_window(const ms_sieve_problem *problem, uint32_t *vertex, uint32_t count)
{
  uint32_t halves[WINDOW], sorted[WINDOW], start[MOST_COUNTED + 2] = {0};
  for (uint32_t i = 0; i < count; i++) {
    halves[i] = count_halves(problem, vertex[i]);
    start[halves[i] + 1]++;
  }
  for (uint32_t h = 0; h <= MOST_COUNTED; h++)
    start[h + 1] += start[h];
  for (uint32_t i = 0; i < count; i++)
    sorted[start[halves[i]]++] = vertex[i];
  memcpy(vertex, sorted, count * sizeof *vertex);
}

/* Gives each vertex its place. */
static void fill_places(const ms_sieve_problem *problem, ms_sieve_halves *h)
{
  uint32_t count[BITS + 1], next[BITS + 1];
  count_bits(problem, count);
  h->pairs = 0;
  for (uint32_t b = 0; b < BITS; b++) {
    next[b] = 2 * h->pairs;
    h->pairs += (count[b] + 1) / 2;
    h->pair_end[b] = h->pairs;
  }
  next[BITS] = 2 * h->pairs;
  h->full = count[BITS];
  for (uint32_t v = 0; v < problem->instance->n; v++)
    h->vertex[next[ms_sieve_half_bit(problem, v)]++] = v;
  for (uint32_t b = 0, first; b <= BITS; b++)
    for (first = next[b] - count[b]; first < next[b]; first += WINDOW)
      sort_window(problem, h->vertex + first, next[b] - first < WINDOW ? next[b] - first : WINDOW);
  for (uint32_t b = 0; b < BITS; b++)
    if (count[b] % 2 == 1)
      h->vertex[next[b]] = h->vertex[next[b] - 1];
  for (uint32_t p = ms_sieve_places(h); p-- > 0;)
    h->place[h->vertex[p]] = p; /* the first place of two */
}

/* ---- heads --------------------------------------------------------------------------------- */

static bool is_repeated(const ms_sieve_halves *h, uint32_t place)
{
  return place < 2 * h->pairs && place % 2 == 1 && h->vertex[place] == h->vertex[place - 1];
}

static void fill_heads(const ms_sieve_problem *problem, ms_sieve_halves *h)
{
  const ms_instance *in = problem->instance;
  uint32_t places = ms_sieve_places(h);
  uint64_t halves = 0, whole = 0;
  for (uint32_t p = 0; p < places; p++) {
    uint32_t v = h->vertex[p];
    uint64_t end = is_repeated(h, p) ? in->offset[v] : in->offset[v + 1];
    h->half[p].first = halves;
    h->whole[p] = whole;
    for (uint64_t e = in->offset[v]; e < end; e++) {
      uint32_t u = in->neighbor[e], bit = ms_sieve_half_bit(problem, u);
      if (bit < BITS) {
        h->half_head[halves++] = h->place[u] << 3 | bit;
      } else {
        h->whole_active[whole] = problem->active[u];
        h->whole_head[whole++] = h->place[u];
      }
    }
    h->half[p].count = (uint32_t)(halves - h->half[p].first);
  }
  h->whole[places] = whole;
  memset(h->half_head + halves, 0,
         MS_HALVES_AHEAD * sizeof *h->half_head); /* prefetched, not used */
}

/* ---- opening and closing ------------------------------------------------------------------- */

static bool allocate(const ms_sieve_problem *problem, ms_sieve_halves *h)
{
  uint64_t arcs = problem->instance->arcs, places = (uint64_t)problem->instance->n + BITS, half = 0;
  for (uint64_t e = 0; e < arcs; e++)
    half += ms_sieve_half_bit(problem, problem->instance->neighbor[e]) < BITS;
  h->vertex = ms_alloc_lines(places, sizeof *h->vertex);
  h->place = ms_alloc_lines(problem->instance->n, sizeof *h->place);
  h->half = ms_alloc_lines(places, sizeof *h->half);
  h->whole = ms_alloc_lines(places + 1, sizeof *h->whole);
  h->half_head = ms_alloc_lines(half + MS_HALVES_AHEAD, sizeof *h->half_head);
  h->whole_head = ms_alloc_lines(arcs - half, sizeof *h->whole_head);
  h->whole_active = ms_alloc_lines(arcs - half, sizeof *h->whole_active);
  return h->vertex && h->place && h->half && h->whole && h->half_head && h->whole_head &&
         h->whole_active;
}

ms_status ms_sieve_halves_new(const ms_sieve_problem *problem, ms_sieve_halves **halves,
                              ms_error *err)
{
  ms_sieve_halves *h = ms_calloc(1, sizeof *h);
  *halves = h;
  if (!h || !allocate(problem, h)) {
    ms_sieve_halves_free(h);
    *halves = NULL;
    return ms_fail_memory(err, "the sieve's lists of vertices");
  }
  fill_places(problem, h);
  fill_heads(problem, h);
  return MS_OK;
}

void ms_sieve_halves_free(ms_sieve_halves *h)
{
  if (!h)
    return;
  ms_free(h->vertex);
  ms_free(h->place);
  ms_free(h->half);
  ms_free(h->whole);
  ms_free(h->half_head);
  ms_free(h->whole_head);
  ms_free(h->whole_active);
  ms_free(h);
}
