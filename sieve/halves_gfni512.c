/* The sibling-indexed recurrence on lines of 64 points of which two vertices may share one
 * (sieve/halves.h), for instances whose lines do not fit a cache.
 *
 * Steps 1 and 2 write no G: the factors of step 2 are kept, and step 3 computes G from the linear
 * forms and both steps' factors.  For a match of 10 vertices that saves a quarter of the early
 * steps' bytes. */
#include "gf2/line_gfni512.h"
#define GATHER_TILE 15
#include "sieve/halves_gfni512.h"
#include "sieve/kernel_parts_template.h"
#include "sieve/live_heads_avx512.h"

#include <string.h>

/* What the steps of a block read and write. */
typedef struct block {
  const ms_sieve_shape *shape;
  const ms_sieve_pass *pass;
  const ms_sieve_halves *halves;
  ms_sieve_scratch *s;
  uint32_t live; /* slots: all pairs, then the live ones of the others */
} block;

/* A slot of a block. */
typedef struct slot {
  uint32_t bit;              /* of a pair; MS_HALVES_BITS: there is one vertex */
  uint32_t place;            /* of the first vertex */
  uint32_t vertex[2];        /* the second one is the first again if there is no other */
  const ms_sieve_live *live; /* [1 or 2] their live heads that are not halves */
  uint32_t line;             /* number of the line that it publishes */
} slot;

/* Entries of a list between the one that is read and the one that is asked for. */
enum { LIST_AHEAD = 256 };

/* The lower and the upper half of a line. */
#define UPPER_BYTES UINT64_C(0xFFFFFFFF00000000)
#define UPPER_MATRICES 0xF0u

MS_ALWAYS_INLINE slot slot_at(const block *b, uint32_t x)
{
  const ms_sieve_halves *h = b->halves;
  if (x >= h->pairs) {
    const ms_sieve_live *live = &b->s->live[x - h->pairs];
    uint32_t v = h->vertex[live->vertex];
    return (slot){.bit = MS_HALVES_BITS,
                  .place = live->vertex,
                  .vertex = {v, v},
                  .live = live,
                  .line = ms_sieve_whole_line(h, live->vertex)};
  }
  uint32_t bit = 0;
  while (x >= h->pair_end[bit])
    bit++;
  return (slot){.bit = bit,
                .place = 2 * x,
                .vertex = {h->vertex[2 * x], h->vertex[2 * x + 1]},
                .live = &b->s->found[2 * x],
                .line = x};
}

/* ---- live heads ---------------------------------------------------------------------------- */

/* Finds the live vertices that have slots of their own, and the live ones among those heads of all
 * live vertices that are not halves. */
static void find_live(block *b, uint64_t outer)
{
  const ms_sieve_halves *h = b->halves;
  const uint32_t *active = b->shape->problem->active;
  uint32_t points = (uint32_t)(outer << MS_HALVES_BITS | ((1u << MS_HALVES_BITS) - 1)), count = 0;
  uint64_t at = 0;
  for (uint32_t p = 0; p < ms_sieve_places(h); p++) {
    if (p >= 2 * h->pairs && !(active[h->vertex[p]] & points))
      continue;
    uint64_t heads = copy_live_heads(h->whole_head, h->whole_active, h->whole[p], h->whole[p + 1],
                                     points, b->s->head + at, NULL);
    ms_sieve_live *live = p < 2 * h->pairs ? &b->s->found[p] : &b->s->live[count++];
    *live = (ms_sieve_live){.first = at, .vertex = p, .heads = (uint32_t)heads};
    at += heads;
  }
  memset(b->s->head + at, 0, MS_SIEVE_SLACK * sizeof *b->s->head); /* prefetched, not used */
  b->live = h->pairs + count;
}

/* ---- lines of a slot ----------------------------------------------------------------------- */

/* Returns linear form f of the slot's vertices. */
MS_ALWAYS_INLINE line form(const block *b, const slot *o, uint32_t f)
{
  uint32_t forms = b->shape->forms, row = b->shape->row;
  const uint64_t *matrix = b->pass->inner + f;
  const uint8_t *constant = b->s->constant + f;
  uint64_t first = matrix[(size_t)o->place * forms];
  uint8_t c = constant[(size_t)o->place * row];
  if (o->bit == MS_HALVES_BITS)
    return line_affine(first, c);
  uint64_t second = matrix[(size_t)(o->place + 1) * forms];
  uint8_t d = constant[(size_t)(o->place + 1) * row];
  line matrices = _mm512_mask_set1_epi64(_mm512_set1_epi64((long long)first), UPPER_MATRICES,
                                         (long long)second);
  line linear =
      _mm512_gf2p8affine_epi64_epi8(line_from_bytes(b->halves->lane[o->bit]), matrices, 0);
  return line_xor(linear, _mm512_mask_set1_epi8(_mm512_set1_epi8((char)c), UPPER_BYTES, (char)d));
}

/* Returns gamma(t, q) of all places: [places][siblings of t]. */
static inline const uint8_t *gamma_bytes(const block *b, uint32_t t)
{
  return b->pass->gamma_byte + (size_t)b->shape->places * b->shape->gamma_offset[t];
}

/* Publishes step t of the slot: P = zeta * coefficient, with the coefficient [x^(t-1)] G. */
MS_ALWAYS_INLINE void publish(const block *b, const slot *o, line zeta, line coefficient,
                              uint32_t t, line *next)
{
  line p = line_mul(zeta, coefficient);
  if (ms_sieve_siblings(b->shape->problem->size, t) < 2) {
    const uint8_t *gamma = gamma_bytes(b, t) + o->place;
    line weight = _mm512_set1_epi8((char)gamma[0]);
    if (o->bit < MS_HALVES_BITS)
      weight = _mm512_mask_set1_epi8(weight, UPPER_BYTES, (char)gamma[1]);
    p = line_mul(p, weight);
  }
  next[o->line] = p;
}

/* ---- sums over heads ----------------------------------------------------------------------- */

/* Adds a line to the sums, by each weight of its vertex unless there is one sibling. */
MS_ALWAYS_INLINE void add(const int width, line *sum, line x, const uint8_t *gamma)
{
  if (width == 1)
    sum[0] = line_xor(sum[0], x);
  else
    MS_UNROLL(16)
  for (int q = 0; q < width; q++)
    sum[q] = line_xor(sum[q], line_scale(gamma[q], x));
}

/* What heads have published for a step. */
typedef struct published {
  const uint8_t *halves; /* by half lines, which are places */
  const line *whole;     /* by places */
  const uint8_t *gamma;  /* [places][width] */
} published;

/* Adds what an entry of half_head has published, spread over all lanes. */
MS_ALWAYS_INLINE void add_half(const int width, line *sum, const ms_sieve_halves *h, published p,
                               const uint32_t *head)
{
  uint32_t place = *head >> 3, bit = *head & 7, ahead = head[MS_SIEVE_AHEAD] >> 3;
  __builtin_prefetch(p.halves + (size_t)ahead * sizeof(line) / 2);
  __m256i half = _mm256_load_si256((const __m256i *)(p.halves + (size_t)place * sizeof(line) / 2));
  line x = _mm512_maskz_permutexvar_epi8(h->has[bit], line_from_bytes(h->spread[bit]),
                                         _mm512_castsi256_si512(half));
  add(width, sum, x, p.gamma + (size_t)place * (uint32_t)width);
}

/* Adds what the other live heads have published. */
MS_ALWAYS_INLINE void add_whole(const int width, line *sum, const block *b, published p,
                                const ms_sieve_live *live)
{
  const uint32_t *head = b->s->head + live->first, *end = head + live->heads;
  for (; head < end; head++) {
    __builtin_prefetch(p.whole + head[MS_SIEVE_AHEAD]);
    add(width, sum, p.whole[*head], p.gamma + (size_t)*head * (uint32_t)width);
  }
}

/* Asks for entries of a list that will be read soon. */
MS_ALWAYS_INLINE void prefetch_list(const uint32_t *head, uint32_t count)
{
  for (uint32_t i = 0; i < count + 16; i += 16)
    __builtin_prefetch(head + i + LIST_AHEAD);
}

/* Computes r[q] = R(i, t, q) of the vertex of a slot. */
MS_ALWAYS_INLINE void gather_one(const int width, line *r, const block *b, const slot *o,
                                 published p)
{
  const ms_sieve_halves *h = b->halves;
  const uint32_t *head = h->half_head + h->half[o->place].first;
  uint32_t count = h->half[o->place].count;
  prefetch_list(head, count);
  MS_UNROLL(16)
  for (int q = 0; q < width; q++)
    r[q] = line_zero();
  for (uint32_t i = 0; i < count; i++)
    add_half(width, r, h, p, head + i);
  add_whole(width, r, b, p, o->live);
}

/* Computes r[q] = R(i, t, q) of the two vertices of a slot.  Their numbers of heads hardly differ.
 */
MS_ALWAYS_INLINE void gather_two(const int width, line *r, const block *b, const slot *o,
                                 published p)
{
  const ms_sieve_halves *h = b->halves;
  const ms_half_list *list = h->half + o->place;
  const uint32_t *head = h->half_head + list[0].first, *other = h->half_head + list[1].first;
  uint32_t least = list[0].count < list[1].count ? list[0].count : list[1].count, i = 0;
  line first[GATHER_TILE], second[GATHER_TILE], pick = line_from_bytes(h->gather[o->bit]);
  prefetch_list(head, list[0].count + list[1].count);
  MS_UNROLL(16)
  for (int q = 0; q < width; q++)
    first[q] = second[q] = line_zero();
  for (; i < least; i++) {
    add_half(width, first, h, p, head + i);
    add_half(width, second, h, p, other + i);
  }
  for (uint32_t rest = i; rest < list[0].count; rest++)
    add_half(width, first, h, p, head + rest);
  for (uint32_t rest = i; rest < list[1].count; rest++)
    add_half(width, second, h, p, other + rest);
  add_whole(width, first, b, p, o->live);
  add_whole(width, second, b, p, o->live + 1);
  MS_UNROLL(16)
  for (int q = 0; q < width; q++)
    r[q] = _mm512_permutex2var_epi8(first[q], pick, second[q]);
}

MS_ALWAYS_INLINE void gather(const int width, line *r, const block *b, const slot *o,
                             const line *rows, const uint8_t *gamma)
{
  published p = {.halves = (const uint8_t *)rows, .whole = rows - b->halves->pairs, .gamma = gamma};
  if (o->bit == MS_HALVES_BITS)
    gather_one(width, r, b, o, p);
  else
    gather_two(width, r, b, o, p);
}

/* Computes w[x][q - 1] = W(i, t, q) for `count` slots. */
MS_ALWAYS_INLINE void factors_of(const int siblings, line w[BATCH][MOST_SIBLINGS], const block *b,
                                 const slot *slots, uint32_t count, const line *rows,
                                 const uint8_t *gamma)
{
  for (uint32_t x = 0; x < count; x++) {
    gather(siblings, w[x], b, &slots[x], rows, gamma);
    MS_UNROLL(16)
    for (int q = 1; q < siblings; q++)
      w[x][q] = line_mul(w[x][q - 1], w[x][q]);
  }
}

static void factors(uint32_t siblings, line w[BATCH][MOST_SIBLINGS], const block *b,
                    const slot *slots, uint32_t count, const line *rows, uint32_t t)
{
  const uint8_t *gamma = gamma_bytes(b, t);
#define CALL_FACTORS(c) factors_of(c, w, b, slots, count, rows, gamma)
  SPECIALIZE(siblings, CALL_FACTORS);
#undef CALL_FACTORS
}

/* Vertices between the one whose late step is made and the one whose lines are asked for. */
enum { STATES_AHEAD = 6 };

/* Asks for lines [first, last) of a state that will be read soon.  A step reads some lines of each
 * slot, in which the processor sees no pattern. */
MS_ALWAYS_INLINE void prefetch_lines(const line *g, uint32_t first, uint32_t last)
{
  for (uint32_t u = first; u < last; u++)
    __builtin_prefetch(g + u);
}

/* Does so for the lines that late step t of the vertex at g reads. */
MS_ALWAYS_INLINE void prefetch_late(const line *g, uint32_t half, uint32_t t)
{
  prefetch_lines(g, 0, t - half);
  prefetch_lines(g, half + 1, t + 1);
}

/* ---- steps --------------------------------------------------------------------------------- */

static void first_step(const block *b, uint32_t begin, uint32_t end, line *next)
{
  for (uint32_t x = begin; x < end; x++) {
    slot o = slot_at(b, x);
    publish(b, &o, form(b, &o, 0), form(b, &o, 1), 2, next);
  }
}

/* Keeps zeta and the factors of step 2 in g[0] and g[1 ..]. */
static void second_step(const block *b, const slot *slots, uint32_t count, line *g,
                        line w[BATCH][MOST_SIBLINGS], line *next)
{
  uint32_t size = b->shape->problem->size, siblings = ms_sieve_siblings(size, 2);
  for (uint32_t x = 0; x < count; x++, g += size) {
    g[0] = form(b, &slots[x], 0);
    memcpy(g + 1, w[x], siblings * sizeof(line));
    line square = line_mul(form(b, &slots[x], 1), form(b, &slots[x], 2));
    publish(b, &slots[x], g[0], line_xor(square, w[x][0]), 3, next);
  }
}

/* Computes G after steps 1 and 2 from what second_step has kept. */
static void expand(const block *b, const slot *slots, uint32_t count, line *g)
{
  uint32_t size = b->shape->problem->size, siblings = ms_sieve_siblings(size, 2);
  line second[BATCH][MOST_SIBLINGS];
  for (uint32_t x = 0; x < count; x++) {
    line *own = g + (size_t)x * size, product = form(b, &slots[x], 1);
    memcpy(second[x], own + 1, siblings * sizeof(line));
    own[1] = product;
    for (uint32_t u = 2; u < size; u++)
      own[u] = product = line_mul(product, form(b, &slots[x], u));
  }
  multiply_all(2, g, second, count, size);
}

static void early_step(const block *b, uint32_t begin, uint32_t end, uint32_t t, const line *rows,
                       line *next)
{
  uint32_t size = b->shape->problem->size, siblings = ms_sieve_siblings(size, t);
  line *g = (line *)b->s->state + (size_t)begin * size, w[BATCH][MOST_SIBLINGS];
  slot slots[BATCH];
  memset(w, 0, sizeof w);
  for (uint32_t from = begin; from < end; from += BATCH, g += (size_t)BATCH * size) {
    uint32_t count = end - from < BATCH ? end - from : BATCH;
    for (uint32_t x = 0; x < count; x++)
      slots[x] = slot_at(b, from + x);
    if (t > 2)
      prefetch_lines(g, 0, count * size);
    factors(siblings, w, b, slots, count, rows, t);
    if (t == 2) {
      second_step(b, slots, count, g, w, next);
      continue;
    }
    if (t == 3)
      expand(b, slots, count, g);
    multiply_all(t, g, w, count, size);
    for (uint32_t x = 0; x < count; x++)
      publish(b, &slots[x], g[(size_t)x * size], g[(size_t)x * size + t], t + 1, next);
  }
}

/* Adds the sums of both halves of a line, or of the whole line, to q. */
static void add_to_q(const slot *o, line last, uint8_t *q)
{
  line upper = _mm512_maskz_mov_epi8(UPPER_BYTES, last);
  if (o->bit == MS_HALVES_BITS) {
    q[o->vertex[0]] ^= line_fold(last);
    return;
  }
  q[o->vertex[0]] ^= line_fold(line_xor(last, upper));
  if (o->vertex[1] != o->vertex[0])
    q[o->vertex[1]] ^= line_fold(upper);
}

/* As late_step of kernel_template.h. */
static void late_step(const block *b, uint32_t begin, uint32_t end, uint32_t t, const line *rows,
                      line *next, uint8_t *q)
{
  const uint32_t size = b->shape->problem->size, half = (size - 1) / 2;
  line *g = (line *)b->s->state + (size_t)begin * size;
  for (uint32_t x = begin; x < end; x++, g += size) {
    slot o = slot_at(b, x);
    line w;
    prefetch_late(g + (size_t)STATES_AHEAD * size, half, t);
    gather(1, &w, b, &o, rows, NULL);
    line sum = line_xor(g[t], w);
    for (uint32_t u = half + 1; u < t; u++)
      sum = line_xor(sum, line_mul(g[t - u], g[u]));
    g[t] = w;
    if (t + 1 < size)
      publish(b, &o, g[0], sum, t + 1, next);
    else
      add_to_q(&o, line_mul(g[0], sum), q);
  }
}

static bool halves_block(const ms_sieve_shape *shape, const ms_sieve_pass *pass,
                         ms_sieve_scratch *s, uint64_t outer, uint8_t *q)
{
  block b = {.shape = shape, .pass = pass, .halves = shape->halves, .s = s};
  uint32_t size = shape->problem->size;
  find_live(&b, outer);
  for (uint32_t t = 1; t < size; t++)
    for (uint32_t begin = 0, end; begin < b.live; begin = end) {
      if ((end = next_part(shape, begin, b.live)) == 0)
        return false;
      const line *rows = s->exchange[t & 1];
      line *next = s->exchange[~t & 1];
      if (t == 1)
        first_step(&b, begin, end, next);
      else if (t <= (size - 1) / 2)
        early_step(&b, begin, end, t, rows, next);
      else
        late_step(&b, begin, end, t, rows, next, q);
    }
  return true;
}

static bool halves_available(void)
{
  return LINE_AVAILABLE && __builtin_cpu_supports("avx512vbmi");
}

const ms_sieve_halves_kernel ms_sieve_halves_gfni512 = {.available = halves_available,
                                                        .sibling = halves_block};
