/* Lists of vertices that are zero at half of the points (sieve/halves.h). */
#include "sieve/halves.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/parallel.h"

#include <string.h>

enum {
  MOST_BITS = MS_HALVES_MOST_BITS,
  WINDOW = 1024, /* places that are sorted; near vertices stay near */
  MOST_COUNTED = 64
};

/* Counts the vertices of each point bit; count[bits] are the others. */
static void count_bits(const ms_sieve_problem *problem, uint32_t bits,
                       uint32_t count[MOST_BITS + 1])
{
  memset(count, 0, (MOST_BITS + 1) * sizeof *count);
  for (uint32_t v = 0; v < problem->instance->n; v++)
    count[ms_sieve_half_bit(problem, bits, v)]++;
}

void ms_sieve_halves_count(const ms_sieve_problem *problem, uint32_t bits, uint32_t *slots,
                           uint32_t *places)
{
  uint32_t count[MOST_BITS + 1], pairs = 0;
  count_bits(problem, bits, count);
  for (uint32_t b = 0; b < bits; b++)
    pairs += (count[b] + 1) / 2;
  *slots = pairs + count[bits];
  *places = 2 * pairs + count[bits];
}

uint64_t ms_sieve_halves_bytes(const ms_sieve_problem *problem)
{
  uint64_t n = problem->instance->n, places = n + MOST_BITS;
  return sizeof(ms_sieve_halves) +
         places * (sizeof(uint32_t) + sizeof(ms_half_list) + sizeof(uint64_t)) +
         (n + MS_HALVES_AHEAD) * sizeof(uint32_t) + 2 * problem->instance->arcs * sizeof(uint32_t);
}

/* ---- lanes --------------------------------------------------------------------------------- */

uint64_t ms_sieve_half_matrix(uint64_t matrix, uint32_t bits, uint32_t bit)
{
  const uint64_t each = UINT64_C(0x0101010101010101);
  uint64_t all = 0, lanes = matrix >> 1 & each * ((1u << (bits - 1)) - 1);
  for (uint32_t b = 0; b < bits; b++)
    all ^= matrix >> b & each;
  /* all columns are added where m is 1: in the upper half, or where that gives the lane the bit */
  if (bit == bits)
    return lanes | all << bits;
  return (bit > 0 ? lanes ^ all << (bit - 1) : lanes) | all << (bits - 1) | all << bits;
}

/* Returns a column of a bit matrix. */
static uint8_t column(uint64_t matrix, uint32_t number)
{
  uint8_t c = 0;
  for (uint32_t b = 0; b < 8; b++)
    c |= (uint8_t)((matrix >> (8 * (7 - b) + number) & 1) << b);
  return c;
}

uint8_t ms_sieve_half_coefficient(uint64_t lanes, uint32_t bits, uint32_t bit, uint32_t at)
{
  uint8_t all = column(lanes, bits); /* the sum of the coefficients */
  if (bit == bits && at > 0)
    return column(lanes, at - 1);
  for (uint32_t b = 1; b < bits && bit == bits; b++)
    all ^= column(lanes, b - 1);
  return all;
}

/* ---- loops --------------------------------------------------------------------------------- */

/* Vertices or places that a thread takes at a time. */
enum { A_RANGE = 4096 };

typedef struct lists_job {
  const ms_sieve_problem *problem;
  ms_sieve_halves *h;
  uint32_t *vertex; /* of the windows that are sorted */
  uint32_t count;
} lists_job;

/* Counts the heads of each vertex that are halves, in h->place. */
static void count_halves(void *user, ms_range r)
{
  const lists_job *job = user;
  const ms_instance *in = job->problem->instance;
  for (uint64_t v = r.begin; v < r.end; v++) {
    uint32_t count = 0;
    for (uint64_t e = in->offset[v]; e < in->offset[v + 1]; e++)
      count += ms_sieve_half_bit(job->problem, job->h->bits, in->neighbor[e]) < job->h->bits;
    job->h->place[v] = count;
  }
}

/* Sorts the vertices of windows by these numbers, so that loops over them end where the processor
 * expects it. */
static void sort_windows(void *user, ms_range r)
{
  const lists_job *job = user;
  uint32_t halves[WINDOW], sorted[WINDOW];
  for (uint64_t w = r.begin; w < r.end; w++) {
    uint32_t *vertex = job->vertex + w * WINDOW, start[MOST_COUNTED + 2] = {0};
    uint32_t count = job->count - (uint32_t)w * WINDOW;
    count = count < WINDOW ? count : WINDOW;
    for (uint32_t i = 0; i < count; i++) {
      uint32_t all = job->h->place[vertex[i]];
      halves[i] = all < MOST_COUNTED ? all : MOST_COUNTED;
      start[halves[i] + 1]++;
    }
    for (uint32_t h = 0; h <= MOST_COUNTED; h++)
      start[h + 1] += start[h];
    for (uint32_t i = 0; i < count; i++)
      sorted[start[halves[i]]++] = vertex[i];
    memcpy(vertex, sorted, count * sizeof *vertex);
  }
}

/* Fills in the heads of places. */
static void fill_heads(void *user, ms_range r)
{
  const lists_job *job = user;
  const ms_sieve_problem *problem = job->problem;
  const ms_instance *in = problem->instance;
  ms_sieve_halves *h = job->h;
  for (uint64_t p = r.begin; p < r.end; p++) {
    uint32_t v = h->vertex[p];
    uint64_t half = h->half[p].first, whole = h->whole[p];
    /* none of a place that repeats a vertex */
    uint64_t end = in->offset[v] + h->half[p].count + h->whole[p + 1] - whole;
    for (uint64_t e = in->offset[v]; e < end; e++) {
      uint32_t u = in->neighbor[e], bit = ms_sieve_half_bit(problem, h->bits, u);
      if (bit < h->bits) {
        h->half_head[half++] = h->place[u] << 3 | bit;
      } else {
        h->whole_active[whole] = problem->active[u];
        h->whole_head[whole++] = h->place[u];
      }
    }
  }
}

/* ---- places -------------------------------------------------------------------------------- */

/* Sets the vertex of each place. */
static void fill_vertices(lists_job *job, int threads)
{
  const ms_sieve_problem *problem = job->problem;
  ms_sieve_halves *h = job->h;
  uint32_t count[MOST_BITS + 1], next[MOST_BITS + 1], bits = h->bits;
  count_bits(problem, bits, count);
  h->pairs = 0;
  for (uint32_t b = 0; b < bits; b++) {
    next[b] = 2 * h->pairs;
    h->pairs += (count[b] + 1) / 2;
    h->pair_end[b] = h->pairs;
  }
  next[bits] = 2 * h->pairs;
  h->full = count[bits];
  for (uint32_t v = 0; v < problem->instance->n; v++)
    h->vertex[next[ms_sieve_half_bit(problem, bits, v)]++] = v;
  for (uint32_t b = 0; b <= bits; b++) {
    job->vertex = h->vertex + next[b] - count[b];
    job->count = count[b];
    ms_parallel(threads, (count[b] + WINDOW - 1) / WINDOW, 1, sort_windows, job);
  }
  for (uint32_t b = 0; b < bits; b++)
    if (count[b] % 2 == 1)
      h->vertex[next[b]] = h->vertex[next[b] - 1];
}

static bool is_repeated(const ms_sieve_halves *h, uint32_t place)
{
  return place < 2 * h->pairs && place % 2 == 1 && h->vertex[place] == h->vertex[place - 1];
}

/* Sets how many heads each place has, and then the place of each vertex: these are in the same
 * memory as the counts. */
static void fill_places(const ms_instance *in, ms_sieve_halves *h)
{
  uint32_t places = ms_sieve_places(h);
  uint64_t halves = 0, whole = 0;
  for (uint32_t p = 0; p < places; p++) {
    uint32_t v = h->vertex[p];
    bool repeated = is_repeated(h, p);
    uint64_t all = repeated ? 0 : in->offset[v + 1] - in->offset[v];
    h->half[p] = (ms_half_list){.first = halves, .count = repeated ? 0 : h->place[v]};
    h->whole[p] = whole;
    halves += h->half[p].count;
    whole += all - h->half[p].count;
  }
  h->whole[places] = whole;
  memset(h->half_head + halves, 0,
         MS_HALVES_AHEAD * sizeof *h->half_head); /* prefetched, not used */
  for (uint32_t p = places; p-- > 0;)
    h->place[h->vertex[p]] = p; /* the first place of two */
}

/* ---- opening and closing ------------------------------------------------------------------- */

static bool allocate(lists_job *job, int threads)
{
  const ms_instance *in = job->problem->instance;
  ms_sieve_halves *h = job->h;
  uint64_t places = (uint64_t)in->n + MOST_BITS, half = 0;
  h->place = ms_alloc_lines(in->n, sizeof *h->place);
  if (!h->place)
    return false;
  ms_parallel(threads, in->n, A_RANGE, count_halves, job);
  for (uint32_t v = 0; v < in->n; v++)
    half += h->place[v];
  h->vertex = ms_alloc_lines(places, sizeof *h->vertex);
  h->half = ms_alloc_lines(places, sizeof *h->half);
  h->whole = ms_alloc_lines(places + 1, sizeof *h->whole);
  h->half_head = ms_alloc_lines(half + MS_HALVES_AHEAD, sizeof *h->half_head);
  h->whole_head = ms_alloc_lines(in->arcs - half, sizeof *h->whole_head);
  h->whole_active = ms_alloc_lines(in->arcs - half, sizeof *h->whole_active);
  return h->vertex && h->half && h->whole && h->half_head && h->whole_head && h->whole_active;
}

ms_status ms_sieve_halves_new(const ms_sieve_problem *problem, uint32_t bits, int threads,
                              ms_sieve_halves **halves, ms_error *err)
{
  ms_sieve_halves *h = ms_calloc(1, sizeof *h);
  lists_job job = {.problem = problem, .h = h};
  *halves = h;
  if (h)
    h->bits = bits;
  if (!h || !allocate(&job, threads)) {
    ms_sieve_halves_free(h);
    *halves = NULL;
    return ms_fail_memory(err, "the sieve's lists of vertices");
  }
  fill_vertices(&job, threads);
  fill_places(problem->instance, h);
  ms_parallel(threads, ms_sieve_places(h), A_RANGE, fill_heads, &job);
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
