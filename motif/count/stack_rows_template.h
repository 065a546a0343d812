/* Counts the matches of each vertex while sets are counted in rows of bits: rows are stacked, and
 * the heights of the stacks are numbers of matches.  It is a part of count_sets_template.h. */

/* A full adder of each bit: *sum and *carry of three bits. */
MS_ALWAYS_INLINE void add_bits(vec a, vec b, vec c, vec *sum, vec *carry)
{
  vec half = a ^ b;
  *sum = half ^ c;
  *carry = (a & b) | (half & c);
}

/* Adds the ones of y & row[i], for each of the rows, to the stacks of their places.  A stack is a
 * binary number with a bit in each plane.  The rows of a word are added up to three planes first,
 * so that the planes in memory are touched once for all of them (Harley and Seal's carry-save
 * adders, in Warren, "Hacker's Delight", section 5-1). */
static void stack_rows(ms_set_counter *c, const uint64_t *const row[MS_STACKED], const uint64_t *y,
                       uint32_t first, uint32_t last, uint32_t planes)
{
  uint32_t words = c->rows->words;
  for (uint32_t w = first; w < last; w += LANES) {
    vec m = load(y + w), r[MS_STACKED], one[2], two[3], digit[3], carry;
    for (uint32_t i = 0; i < MS_STACKED; i++)
      r[i] = load(row[i] + w) & m;
    add_bits(r[0], r[1], r[2], &one[0], &two[0]);
    add_bits(r[3], r[4], r[5], &one[1], &two[1]);
    add_bits(one[0], one[1], r[6], &digit[0], &two[2]);
    add_bits(two[0], two[1], two[2], &digit[1], &digit[2]);
    carry = (vec){0};
    uint64_t *plane = c->plane + w;
    for (uint32_t p = 0; p < 3; p++, plane += words) {
      vec sum;
      add_bits(load(plane), digit[p], carry, &sum, &carry);
      store(plane, sum);
    }
    for (uint32_t p = 3; p < planes; p++, plane += words) {
      vec old = load(plane);
      store(plane, old ^ carry);
      carry &= old;
    }
  }
}

/* Adds the stacks to the matches of their ranks, and clears them. */
static void take_stacks(ms_set_counter *c, uint32_t first, uint32_t last, uint32_t planes)
{
  uint32_t words = c->rows->words;
  for (uint32_t w = first; w < last; w++) {
    uint64_t any = 0;
    for (uint32_t p = 0; p < planes; p++)
      any |= c->plane[(size_t)p * words + w];
    for (uint64_t left = any; left; left &= left - 1) {
      uint32_t bit = (uint32_t)__builtin_ctzll(left);
      uint64_t height = 0;
      for (uint32_t p = 0; p < planes; p++)
        height |= (c->plane[(size_t)p * words + w] >> bit & 1) << p;
      c->taking[(size_t)64 * w + bit] += height;
    }
    for (uint32_t p = 0; any && p < planes; p++)
      c->plane[(size_t)p * words + w] = 0;
  }
}

/* Rows that wait to be stacked. */
typedef struct row_stack {
  const uint64_t *row[MS_STACKED];
  uint32_t waiting, stacked; /* rows; `stacked` are in the planes */
} row_stack;

/* Returns how many planes the number takes. */
MS_ALWAYS_INLINE uint32_t planes_of(uint32_t number)
{
  return number < 8 ? 3 : 32 - (uint32_t)__builtin_clz(number);
}

/* Stacks the rows that wait, filled up with rows of zeros. */
static void stack_waiting(ms_set_counter *c, row_stack *s, const uint64_t *y, uint32_t first,
                          uint32_t last)
{
  if (s->waiting == 0)
    return;
  for (; s->waiting < MS_STACKED; s->waiting++)
    s->row[s->waiting] = c->plane + (size_t)MS_PLANES * c->rows->words;
  s->stacked += MS_STACKED;
  stack_rows(c, s->row, y, first, last, planes_of(s->stacked));
  s->waiting = 0;
  if (s->stacked + MS_STACKED > MS_MOST_STACKED) {
    take_stacks(c, first, last, MS_PLANES);
    s->stacked = 0;
  }
}

/* Counts the edges between ranks of x in words i..j and ranks of y in words first..last, which are
 * vectors, and how many of them each rank has. */
static uint64_t count_between(ms_set_counter *c, const uint64_t *x, uint32_t i, uint32_t j,
                              const uint64_t *y, uint32_t first, uint32_t last)
{
  const ms_bit_rows *rows = c->rows;
  row_stack s = {.waiting = 0};
  uint64_t edges = 0;
  for (uint32_t w = i; w < j; w++)
    for (uint64_t left = x[w]; left; left &= left - 1) {
      size_t u = (size_t)64 * w + (size_t)__builtin_ctzll(left);
      const uint64_t *row = rows->row + u * rows->words;
      uint64_t at = count_and(row, y, first, last);
      note(c, last - first);
      if (at == 0)
        continue;
      c->taking[u] += at;
      edges += at;
      s.row[s.waiting++] = row;
      if (s.waiting == MS_STACKED)
        stack_waiting(c, &s, y, first, last);
    }
  stack_waiting(c, &s, y, first, last);
  if (s.stacked > 0)
    take_stacks(c, first, last, planes_of(s.stacked));
  return edges;
}

/* Counts the same edges as count_edges, and those at each of their ends; each rank of the run is in
 * `pairs` further matches. */
static uint64_t count_ends(ms_set_counter *c, const uint64_t *x, const ms_span *s, uint64_t here,
                           uint64_t pairs, const ms_fit *fit, const uint64_t *near)
{
  uint32_t first = first_of(c, fit), begin = first_in(c, s) / LANES * LANES,
           end = (s->last / LANES + 1) * LANES;
  uint64_t there = take_new(c, fit, near);
  for (uint32_t w = begin; w < end; w++)
    c->here[w] = w < s->first || w < c->from || w > s->last ? 0 : word_of(x, s, w);
  for (uint32_t w = begin; pairs > 0 && w < end; w++)
    for (uint64_t left = c->here[w]; left; left &= left - 1)
      c->taking[(size_t)64 * w + (size_t)__builtin_ctzll(left)] += pairs;
  if (there == 0)
    return 0;
  return here * (fit->last - first) <= there * (end - begin)
             ? count_between(c, c->here, begin, end, c->new, first, fit->last)
             : count_between(c, c->new, first, fit->last, c->here, begin, end);
}
