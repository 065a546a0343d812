/* The sibling-indexed recurrence on lines of points of which two vertices may share one
 * (sieve/halves.h), for instances whose lines do not fit a cache.
 *
 * What a vertex publishes, and what is summed over its neighbours, are *halves*, each a register,
 * or two of them if the vertex has a slot to itself.  A slot has two *units* of as many lanes, of
 * two vertices or of one.  The coefficients of SLOTS slots share a *line*.
 *
 * Include it after a header half_lines_*.h, and define before
 *   KERNEL         name of the kernel
 *   GATHER_TILE    halves that are summed over the neighbours in one pass: 15 or 4
 *   SCALE_AT_HEAD  as in kernel_template.h
 * The header defines SLOTS, LINE_AVAILABLE, HALF_BITS (a line of one slot has 2^HALF_BITS lanes,
 * and a half has half of them), and these types and functions:
 *   line           2 SLOTS units: line_xor, line_mul;
 *                  line_of_units(x, stride) and line_to_units(a, x), from halves and to them;
 *                  line_of_bytes(c), of which each unit has its byte everywhere;
 *                  line_form(matrices, constants), one of each for a unit;
 *                  line_fold_units(a, sum), the sum of the elements of each unit
 *   half           the elements of a unit: half_zero, half_xor, half_and; half_mask(lanes);
 *                  half_add_masked(sum, x, mask);
 *                  half_blend(mask, x, y) is x where the mask is set, else y
 *   half_lanes     half_lanes_of(lanes) from eight sets of lanes of a half;
 *                  half_moments(x, lanes), the sums of the elements in each of them
 *   both           two halves: both_zero, both_load(low, high), both_add; both_mask(lanes) has
 *                  these lanes in the first half and the others in the second;
 *                  both_add_masked(sum, x, mask) adds x to each half where its mask is set
 *   and, if it can do step 2 as quadratic forms (sieve/quadratic.h), the macro HALF_QUADRATIC and
 *   half_quadratic(form, linear, constant_bit), such a form on the lanes of a unit;
 *   and with SCALE_AT_HEAD < 99 half_scale(c, x), both_spread(x, mask) and both_scale(c, x);
 *   with SLOTS == 1 line_of_both(x), else both has an array v[2].
 *
 * Steps 1 and 2 write no G: the factors of step 2 are kept, and step 3 computes G from the linear
 * forms and both steps' factors.  For a match of 10 vertices that saves a quarter of the early
 * steps' bytes.  With quadratic forms steps 1 and 2 are one, which publishes for step 3 from forms
 * alone, and nothing is kept.  The last step publishes no rows but moments (sieve/moments.h), which
 * step size - 2 leaves in the scratch. */
#include "sieve/halves_kernels.h"
#include "sieve/kernels/kernel_parts_template.h"

#include <string.h>

#ifndef LIVE_HEADS
#include "sieve/kernels/live_heads.h"
#endif

enum {
  UNITS = 2 * SLOTS,
  GROUPS = SLOTS > 1 ? 1 : BATCH,  /* lines whose sums are made before their G are updated */
  SLOTS_A_PART = 256,              /* of a step that a team does, or more */
  ROWS_AHEAD = 48,                 /* entries of a list up to the one whose row is asked for */
  FORMS_AHEAD = 4 * UNITS,         /* units up to the one whose quadratic forms are asked for */
  LIST_AHEAD = 256,                /* entries of a list up to the one that is asked for */
  STATES_AHEAD = SLOTS > 1 ? 2 : 6 /* lines up to the one whose late step is asked for */
};

/* What the steps of a block read and write. */
typedef struct block {
  const ms_sieve_shape *shape;
  const ms_sieve_pass *pass;
  const ms_sieve_halves *halves;
  ms_sieve_scratch *s;
  uint32_t live;                   /* slots: all pairs, then the live ones of the others */
  half lower[HALF_BITS];           /* lanes of the lower half with a bit */
  half keep[HALF_BITS][HALF_BITS]; /* [a][b] lanes of halves of a whose points have b */
  both spread[HALF_BITS];          /* lanes of a line with a bit */
  half_lanes half_sums[HALF_BITS]; /* of halves of a bit, the lanes of each moment */
  half_lanes whole_sums[2];        /* and of the two halves of a line */
  uint64_t outer_bytes[4];         /* a byte of ones for each outer label in the block's points */
} block;

/* The slots of a line. */
typedef struct group {
  uint32_t slots;                   /* the others repeat the last one */
  uint32_t bit[SLOTS];              /* of a pair; HALF_BITS: there is one vertex */
  uint32_t slot[SLOTS];             /* its number; its units are 2 slot and 2 slot + 1 */
  const ms_sieve_live *live[SLOTS]; /* [1 or 2] their live heads that are not halves */
  uint32_t place[UNITS];            /* whose tables the units have */
} group;

static void set_masks(block *b)
{
  for (uint32_t i = 0; i < HALF_BITS; i++) {
    b->lower[i] = half_mask(ms_sieve_half_lanes(i));
    b->spread[i] = both_mask(ms_sieve_half_lanes(i));
    for (uint32_t j = 0; j < HALF_BITS; j++)
      b->keep[i][j] = half_mask(~(ms_sieve_half_lanes(i) ^ ms_sieve_half_lanes(j)));
  }
}

/* Sets the lanes of the moments: byte i of eight is for those with inner bit i, the last one for
 * all lanes. */
static void set_moments(block *b, uint64_t outer)
{
  uint8_t *bytes = (uint8_t *)b->outer_bytes;
  for (uint32_t i = 0; i < HALF_BITS; i++) {
    uint64_t lanes[8] = {[7] = UINT64_MAX};
    for (uint32_t j = 0; j < HALF_BITS; j++)
      lanes[j] = ~(ms_sieve_half_lanes(i) ^ ms_sieve_half_lanes(j));
    b->half_sums[i] = half_lanes_of(lanes);
  }
  for (uint32_t upper = 0; upper < 2; upper++) {
    uint64_t lanes[8] = {[7] = UINT64_MAX};
    for (uint32_t j = 0; j < HALF_BITS; j++)
      lanes[j] = upper ? ~ms_sieve_half_lanes(j) : ms_sieve_half_lanes(j);
    b->whole_sums[upper] = half_lanes_of(lanes);
  }
  memset(bytes, 0, sizeof b->outer_bytes);
  for (; outer; outer &= outer - 1)
    bytes[HALF_BITS + (uint32_t)__builtin_ctzll(outer)] = 0xFF;
}

MS_ALWAYS_INLINE void set_slot(const block *b, uint32_t x, uint32_t s, group *o)
{
  const ms_sieve_halves *h = b->halves;
  if (x >= h->pairs) {
    const ms_sieve_live *live = &b->s->live[x - h->pairs];
    o->bit[s] = HALF_BITS;
    o->slot[s] = ms_sieve_whole_line(h, live->vertex);
    o->live[s] = live;
    o->place[2 * s] = o->place[2 * s + 1] = live->vertex;
    return;
  }
  uint32_t bit = 0;
  while (x >= h->pair_end[bit])
    bit++;
  o->bit[s] = bit;
  o->slot[s] = x;
  o->live[s] = &b->s->found[2 * x];
  o->place[2 * s] = 2 * x;
  /* a vertex that is repeated has tables at its first place alone */
  o->place[2 * s + 1] = 2 * x + (h->vertex[2 * x] != h->vertex[2 * x + 1]);
}

/* Sets o to the slots from x on that share a line. */
MS_ALWAYS_INLINE void set_group(const block *b, uint32_t x, uint32_t end, group *o)
{
  o->slots = end - x < SLOTS ? end - x : SLOTS;
  for (uint32_t s = 0; s < SLOTS; s++)
    set_slot(b, x + (s < o->slots ? s : o->slots - 1), s, o);
}

/* ---- halves live ----------------------------------------------------------------------------- */

/* The part of sieve/halves_template.h that finds the live vertices and heads of a block, and
 * cuts their slots into parts. */

/* Finds the live vertices among places [from, to) that have slots of their own, and the live ones
 * among those heads of all live vertices that are not halves, which go to head[at] and on.  Sets
 * whole[] to the former; returns their number. */
static uint32_t find_live_of(const block *b, uint64_t outer, uint32_t from, uint32_t to,
                             uint64_t at, ms_sieve_live *whole)
{
  const ms_sieve_halves *h = b->halves;
  const uint32_t *active = b->shape->problem->active;
  uint32_t points = (uint32_t)(outer << HALF_BITS | ((1u << HALF_BITS) - 1)), count = 0;
  for (uint32_t p = from; p < to; p++) {
    if (p >= 2 * h->pairs && !(active[h->vertex[p]] & points))
      continue;
    uint64_t heads = copy_live_heads(h->whole_head, h->whole_active, h->whole[p], h->whole[p + 1],
                                     points, b->s->head + at, NULL);
    ms_sieve_live *live = p < 2 * h->pairs ? &b->s->found[p] : &whole[count++];
    *live = (ms_sieve_live){.first = at, .vertex = p, .heads = (uint32_t)heads};
    at += heads;
  }
  memset(b->s->head + at, 0, MS_SIEVE_SLACK * sizeof *b->s->head); /* prefetched, not used */
  return count;
}

static void find_live(block *b, uint64_t outer)
{
  b->live = b->halves->pairs + find_live_of(b, outer, 0, ms_sieve_places(b->halves), 0, b->s->live);
}

/* Does so with a team, in two phases.  Each part has its own room in head[], and keeps the vertices
 * that have slots of their own at their places in found[] until their numbers are known. */
static void find_live_together(block *b, uint64_t outer)
{
  const ms_sieve_halves *h = b->halves;
  ms_sieve_member *m = b->s->member;
  const uint32_t parts = MS_TEAM_PARTS, places = ms_sieve_places(h), pairs = 2 * h->pairs;
  uint32_t part, number[MS_TEAM_PARTS + 1] = {0};
  while (ms_team_take(m, parts, &part)) {
    uint32_t from = (uint32_t)ms_team_begin(places, parts, part),
             to = (uint32_t)ms_team_begin(places, parts, part + 1);
    uint64_t at = h->whole[from] + (uint64_t)part * MS_SIEVE_SLACK;
    uint32_t found =
        find_live_of(b, outer, from, to, at, &b->s->found[from > pairs ? from : pairs]);
    atomic_store_explicit(&m->team->found[part], found, memory_order_relaxed);
    ms_team_done(m, parts);
  }
  for (uint32_t i = 0; i < parts; i++)
    number[i + 1] = number[i] + atomic_load_explicit(&m->team->found[i], memory_order_relaxed);
  b->live = h->pairs + number[parts];
  while (ms_team_take(m, parts, &part)) {
    uint32_t from = (uint32_t)ms_team_begin(places, parts, part);
    memcpy(&b->s->live[number[part]], &b->s->found[from > pairs ? from : pairs],
           (number[part + 1] - number[part]) * sizeof *b->s->live);
    ms_team_done(m, parts);
  }
}

/* Returns the first slot of a part of a step, where a line begins; that of part `parts` is the end.
 */
static uint32_t first_slot(uint32_t live, uint32_t parts, uint32_t part)
{
  return part == parts ? live : (uint32_t)((uint64_t)live * part / parts) / SLOTS * SLOTS;
}

/* ---- lines --------------------------------------------------------------------------------- */

/* Returns linear form f of the group's units. */
MS_ALWAYS_INLINE line form(const block *b, const group *o, uint32_t f)
{
  uint64_t matrix[UNITS];
  uint8_t constant[UNITS];
  for (uint32_t u = 0; u < UNITS; u++) {
    matrix[u] = b->pass->inner[(size_t)o->place[u] * b->shape->forms + f];
    constant[u] = b->s->constant[(size_t)o->place[u] * b->shape->row + f];
  }
  return line_form(matrix, constant);
}

/* Returns gamma(t, q) of all places: [places][siblings of t]. */
static inline const uint8_t *gamma_bytes(const block *b, uint32_t t)
{
  return b->pass->gamma_byte + (size_t)b->shape->places * b->shape->gamma_offset[t];
}

/* Publishes the units of a group: rows of `apart` halves, of which number q is set. */
MS_ALWAYS_INLINE void store(const group *o, line p, half *rows, uint32_t q, uint32_t apart)
{
  half unit[UNITS];
  line_to_units(p, unit);
  for (uint32_t u = 0; u < UNITS; u++)
    rows[(2 * (size_t)o->slot[u / 2] + u % 2) * apart + q] = unit[u];
}

/* Publishes step t of the group: P = zeta * coefficient, with the coefficient [x^(t-1)] G, or its
 * products by the weights. */
MS_ALWAYS_INLINE void publish(const block *b, const group *o, line zeta, line coefficient,
                              uint32_t t, half *next)
{
  line p = line_mul(zeta, coefficient);
  uint32_t siblings = ms_sieve_siblings(b->shape->problem->size, t);
  if (siblings >= SCALE_AT_HEAD) {
    store(o, p, next, 0, 1);
    return;
  }
  const uint8_t *gamma = gamma_bytes(b, t);
  for (uint32_t q = 0; q < siblings; q++) {
    uint8_t weight[UNITS];
    for (uint32_t u = 0; u < UNITS; u++)
      weight[u] = gamma[(size_t)o->place[u] * siblings + q];
    store(o, line_mul(p, line_of_bytes(weight)), next, q, siblings);
  }
}

/* ---- halves quadratic ------------------------------------------------------------------------ */

/* The part of sieve/halves_template.h that takes step 2 from quadratic forms (sieve/quadratic.h).
 */

#ifdef HALF_QUADRATIC
/* Returns R(i, 2, q + 1) of the group's units. */
MS_ALWAYS_INLINE line quadratic(const block *b, const group *o, uint32_t q)
{
  const ms_sieve_shape *shape = b->shape;
  const ms_sieve_inner_form *inner = b->pass->quadratic.inner + (size_t)q * 2 * shape->slots;
  const uint64_t *linear = b->s->quadratic + (size_t)q * shape->places;
  half unit[UNITS];
  const ms_sieve_inner_form *ahead = inner + 2 * (size_t)o->slot[0] + FORMS_AHEAD;
  for (uint32_t u = 0; u < UNITS; u += 64 / sizeof *ahead)
    prefetch(ahead + u);
  prefetch(linear + o->place[0] + FORMS_AHEAD);
  for (uint32_t u = 0; u < UNITS; u++) {
    uint32_t place = o->place[u];
    bool is_whole = o->bit[u / 2] == HALF_BITS;
    unit[u] = half_quadratic(inner + (is_whole ? 2 * o->slot[u / 2] + u % 2 : place),
                             linear + place, HALF_BITS - 1 + u % 2);
  }
  return line_of_units(unit, 1);
}

/* Steps 1 and 2 in one. */
static void quadratic_step(const block *b, uint32_t begin, uint32_t end, half *next)
{
  for (uint32_t x = begin; x < end; x += SLOTS) {
    group o;
    set_group(b, x, end, &o);
    line square = line_mul(form(b, &o, 1), form(b, &o, 2));
    publish(b, &o, form(b, &o, 0), line_xor(square, quadratic(b, &o, 0)), 3, next);
  }
}

/* Computes zeta and the factors of step 2, which second_step would have kept. */
static void fill_second(const block *b, const group *o, line *g)
{
  uint32_t siblings = ms_sieve_siblings(b->shape->problem->size, 2);
  g[0] = form(b, o, 0);
  for (uint32_t q = 0; q < siblings; q++) {
    line factor = quadratic(b, o, q);
    g[q + 1] = q > 0 ? line_mul(g[q], factor) : factor;
  }
}
#else
static void quadratic_step(const block *b, uint32_t begin, uint32_t end, half *next)
{
  (void)b, (void)begin, (void)end, (void)next;
}

static void fill_second(const block *b, const group *o, line *g)
{
  (void)b, (void)o, (void)g;
}
#endif

#include "sieve/halves_sums.h"

/* Asks for lines [first, last) of a state that will be read soon.  A step reads some lines of each
 * group, in which the processor sees no pattern. */
MS_ALWAYS_INLINE void prefetch_lines(const line *g, uint32_t first, uint32_t last)
{
  for (const char *at = (const char *)(g + first); at < (const char *)(g + last); at += 64)
    prefetch(at);
}

/* Does so for the lines that late step t of the group at g reads. */
MS_ALWAYS_INLINE void prefetch_late(const line *g, uint32_t half_size, uint32_t t)
{
  prefetch_lines(g, 0, t - half_size);
  prefetch_lines(g, half_size + 1, t + 1);
}

/* ---- steps --------------------------------------------------------------------------------- */

static void first_step(const block *b, uint32_t begin, uint32_t end, half *next)
{
  for (uint32_t x = begin; x < end; x += SLOTS) {
    group o;
    set_group(b, x, end, &o);
    publish(b, &o, form(b, &o, 0), form(b, &o, 1), 2, next);
  }
}

/* Keeps zeta and the factors of step 2 in g[0] and g[1 ..]. */
static void second_step(const block *b, const group *groups, uint32_t count, line *g,
                        line w[BATCH][MOST_SIBLINGS], half *next)
{
  uint32_t size = b->shape->problem->size, siblings = ms_sieve_siblings(size, 2);
  for (uint32_t x = 0; x < count; x++, g += size) {
    g[0] = form(b, &groups[x], 0);
    memcpy(g + 1, w[x], siblings * sizeof(line));
    line square = line_mul(form(b, &groups[x], 1), form(b, &groups[x], 2));
    publish(b, &groups[x], g[0], line_xor(square, w[x][0]), 3, next);
  }
}

/* Computes G after steps 1 and 2 from what second_step has kept, or from forms alone. */
static void expand(const block *b, const group *groups, uint32_t count, line *g)
{
  uint32_t size = b->shape->problem->size, siblings = ms_sieve_siblings(size, 2);
  line second[BATCH][MOST_SIBLINGS];
  for (uint32_t x = 0; x < count; x++) {
    line *own = g + (size_t)x * size, product = form(b, &groups[x], 1);
    if (b->shape->is_quadratic)
      fill_second(b, &groups[x], own);
    memcpy(second[x], own + 1, siblings * sizeof(line));
    own[1] = product;
    for (uint32_t u = 2; u < size; u++)
      own[u] = product = line_mul(product, form(b, &groups[x], u));
  }
  multiply_all(2, g, second, count, size);
}

static void early_step(const block *b, uint32_t begin, uint32_t end, uint32_t t, const half *rows,
                       half *next)
{
  uint32_t size = b->shape->problem->size, siblings = ms_sieve_siblings(size, t);
  line *g = (line *)b->s->state + (size_t)begin / SLOTS * size, w[BATCH][MOST_SIBLINGS];
  group groups[GROUPS];
  memset(w, 0, sizeof w);
  for (uint32_t from = begin; from < end; from += GROUPS * SLOTS, g += (size_t)GROUPS * size) {
    uint32_t count = 0;
    for (uint32_t x = from; x < end && count < GROUPS; x += SLOTS)
      set_group(b, x, end, &groups[count++]);
    if (t > 2)
      prefetch_lines(g, 0, count * size);
    factors(siblings, w, b, groups, count, rows, t);
    if (t == 2) {
      second_step(b, groups, count, g, w, next);
      continue;
    }
    if (t == 3)
      expand(b, groups, count, g);
    multiply_all(t, g, w, count, size);
    for (uint32_t x = 0; x < count; x++)
      publish(b, &groups[x], g[(size_t)x * size], g[(size_t)x * size + t], t + 1, next);
  }
}

/* Adds the sums of the units of a group to q. */
static void add_to_q(const block *b, const group *o, line last, uint8_t *q)
{
  const uint32_t *vertex = b->halves->vertex;
  uint8_t sum[UNITS];
  line_fold_units(last, sum);
  for (uint32_t s = 0; s < o->slots; s++) {
    uint32_t first = o->place[2 * s], second = o->place[2 * s + 1];
    q[vertex[first]] ^= sum[2 * s];
    if (second != first || o->bit[s] == HALF_BITS)
      q[vertex[second]] ^= sum[2 * s + 1];
  }
}

/* Adds sums of half_moments to the moments of a place. */
MS_ALWAYS_INLINE void add_to_moments(const block *b, uint32_t place, uint64_t sums)
{
  const uint64_t each = UINT64_C(0x0101010101010101), inner = (UINT64_C(1) << 8 * HALF_BITS) - 1;
  uint8_t *row = b->s->moment + (size_t)place * b->shape->row;
  uint64_t all = each * (sums >> 56);
  for (uint32_t i = 0; i < b->shape->row / 8; i++) {
    uint64_t word;
    memcpy(&word, row + 8 * (size_t)i, sizeof word);
    word ^= (all & b->outer_bytes[i]) ^ (i == 0 ? sums & inner : 0);
    memcpy(row + 8 * (size_t)i, &word, sizeof word);
  }
}

/* Adds A(t = size - 1) of the group to the moments of the block's labels (sieve/moments.h). */
static void add_moments(const block *b, const group *o, line a)
{
  half unit[UNITS];
  line_to_units(a, unit);
  for (uint32_t s = 0; s < o->slots; s++) {
    uint32_t first = o->place[2 * s], second = o->place[2 * s + 1], bit = o->bit[s];
    bool is_whole = bit == HALF_BITS;
    add_to_moments(b, first,
                   half_moments(unit[2 * s], is_whole ? &b->whole_sums[0] : &b->half_sums[bit]));
    if (second != first || is_whole)
      add_to_moments(
          b, second,
          half_moments(unit[2 * s + 1], is_whole ? &b->whole_sums[1] : &b->half_sums[bit]));
  }
}

/* The end of step size - 2: P(size - 1) goes into the moments, and what the last step does without
 * neighbours into q.  w is W(size - 2, 1). */
MS_ALWAYS_INLINE void last_step(const block *b, const group *o, const line *g, line w,
                                line coefficient, uint8_t *q)
{
  const uint32_t size = b->shape->problem->size, half_size = (size - 1) / 2;
  const uint8_t *gamma = gamma_bytes(b, size - 1);
  uint8_t weight[UNITS];
  for (uint32_t u = 0; u < UNITS; u++)
    weight[u] = gamma[o->place[u]];
  add_moments(b, o, line_mul(line_mul(g[0], coefficient), line_of_bytes(weight)));
  line_sum sum = line_sum_of(g[size - 1]);
  for (uint32_t u = half_size + 1; u < size - 2; u++)
    sum = line_sum_add(sum, g[size - 1 - u], g[u]);
  add_to_q(b, o, line_mul(g[0], line_of_sum(line_sum_add(sum, g[1], w))), q);
}

/* As late_step of kernel_template.h, up to t = size - 2. */
static void late_step(const block *b, uint32_t begin, uint32_t end, uint32_t t, const half *rows,
                      half *next, uint8_t *q)
{
  const uint32_t size = b->shape->problem->size, half_size = (size - 1) / 2;
  line *g = (line *)b->s->state + (size_t)begin / SLOTS * size;
  published p = {.halves = rows, .whole = rows - 2 * (size_t)b->halves->pairs, .apart = 1};
  for (uint32_t x = begin; x < end; x += SLOTS, g += size) {
    group o;
    set_group(b, x, end, &o);
    line w;
    prefetch_late(g + (size_t)STATES_AHEAD * size, half_size, t + 2 < size ? t : t + 1);
    gather(1, &w, b, &o, p);
    line_sum sum = line_sum_of(line_xor(g[t], w));
    for (uint32_t u = half_size + 1; u < t; u++)
      sum = line_sum_add(sum, g[t - u], g[u]);
    line coefficient = line_of_sum(sum);
    if (t + 2 == size) {
      last_step(b, &o, g, w, coefficient, q);
      continue;
    }
    g[t] = w;
    publish(b, &o, g[0], coefficient, t + 1, next);
  }
}

/* Step t of slots [begin, end). */
static void run_step(const block *b, uint32_t begin, uint32_t end, uint32_t t, uint8_t *q)
{
  const half *rows = b->s->exchange[t & 1];
  half *next = b->s->exchange[~t & 1];
  if (b->shape->is_quadratic && t <= 2) {
    if (t == 2)
      quadratic_step(b, begin, end, next);
  } else if (t == 1)
    first_step(b, begin, end, next);
  else if (t <= (b->shape->problem->size - 1) / 2)
    early_step(b, begin, end, t, rows, next);
  else
    late_step(b, begin, end, t, rows, next, q);
}

/* The block, or this member's share of it; a step is a phase. */
static bool run_together(block *b, uint64_t outer, uint8_t *q)
{
  ms_sieve_member *m = b->s->member;
  find_live_together(b, outer);
  uint32_t parts = b->live / SLOTS_A_PART + 1, part;
  parts = parts < MS_TEAM_MOST_PARTS ? parts : MS_TEAM_MOST_PARTS;
  for (uint32_t t = 1; t + 1 < b->shape->problem->size; t++) {
    while (ms_team_take(m, parts, &part)) {
      uint32_t begin = first_slot(b->live, parts, part), end = first_slot(b->live, parts, part + 1);
      if (begin < end && !ms_team_stopped(m, b->shape->stop))
        run_step(b, begin, end, t, q);
      ms_team_done(m, parts);
    }
    if (ms_team_stopped(m, NULL))
      return false;
  }
  return true;
}

static bool halves_block(const ms_sieve_shape *shape, const ms_sieve_pass *pass,
                         ms_sieve_scratch *s, uint64_t outer, uint8_t *q)
{
  block b = {.shape = shape, .pass = pass, .halves = shape->halves, .s = s};
  set_masks(&b);
  set_moments(&b, outer);
  if (s->member)
    return run_together(&b, outer, q);
  find_live(&b, outer);
  for (uint32_t t = 1; t + 1 < shape->problem->size; t++)
    for (uint32_t begin = 0, end; begin < b.live; begin = end) {
      if ((end = next_part(shape, begin, b.live)) == 0)
        return false;
      run_step(&b, begin, end, t, q);
    }
  return true;
}

static bool halves_available(void)
{
  return LINE_AVAILABLE;
}

const ms_sieve_halves_kernel KERNEL = {.bits = HALF_BITS,
#ifdef HALF_QUADRATIC
                                       .is_quadratic = true,
#endif
                                       .available = halves_available,
                                       .sibling = halves_block};
