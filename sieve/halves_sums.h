/* The part of sieve/halves_template.h that sums over heads what they have published. */

/* What heads have published for a step. */
typedef struct published {
  const half *halves; /* [places][apart] */
  const half *whole;  /* [places][2][apart], beginning with a place that is not there */
  uint32_t apart;
  const uint8_t *gamma; /* [places][apart of them], if readers multiply */
} published;

/* Asks for a row that will be read soon. */
MS_ALWAYS_INLINE void prefetch_row(const int width, const half *row)
{
  for (int q = 0; q < width; q += 64 / (int)sizeof *row)
    prefetch(row + q);
}

#if SCALE_AT_HEAD < 99
/* True if readers multiply a row by its weights. */
#define SCALED(width) ((width) > 1)
#else
#define SCALED(width) false
#define half_scale(c, x) (x)
#define both_scale(c, x) (x)
#endif

/* Adds what the head with this entry has published to the sums of a half; keep: [bit] the lanes of
 * the half that have a bit. */
MS_ALWAYS_INLINE void add_half(const int width, half *sum, const half *keep, published p,
                               const uint32_t *entry)
{
  size_t place = *entry >> 3;
  const half *row = p.halves + place * p.apart;
  half mask = keep[*entry & 7];
  prefetch_row(SCALED(width) ? 1 : width, p.halves + (size_t)(entry[ROWS_AHEAD] >> 3) * p.apart);
  half x = SCALED(width) ? half_and(*row, mask) : mask;
  MS_UNROLL(16)
  for (int q = 0; q < width; q++)
    sum[q] = SCALED(width) ? half_xor(sum[q], half_scale(p.gamma[place * (size_t)width + q], x))
                           : half_add_masked(sum[q], row[q], mask);
}

/* Computes r[q] = R(i, t, q), q < width, of a vertex that is a half. */
MS_ALWAYS_INLINE void sum_half(const int width, half *r, const block *b, uint32_t bit, uint32_t at,
                               const ms_sieve_live *live, published p)
{
  const ms_half_list *list = &b->halves->half[at];
  const uint32_t *entry = b->halves->half_head + list->first, *end = entry + list->count;
  half sum[GATHER_TILE], lower = b->lower[bit];
  MS_UNROLL(16)
  for (int q = 0; q < width; q++)
    sum[q] = half_zero();
  for (const uint32_t *ahead = entry; ahead < end + 16; ahead += 16)
    __builtin_prefetch(ahead + LIST_AHEAD);
  for (; entry < end; entry++)
    add_half(width, sum, b->keep[bit], p, entry);
  const uint32_t *head = b->s->head + live->first, *last = head + live->heads;
  for (; head < last; head++) {
    const half *row = p.whole + 2 * (size_t)*head * p.apart;
    prefetch_row(SCALED(width) ? 2 : 2 * width, p.whole + 2 * (size_t)head[ROWS_AHEAD] * p.apart);
    half x = half_blend(lower, row[0], row[p.apart]);
    MS_UNROLL(16)
    for (int q = 0; q < width; q++)
      sum[q] = half_xor(sum[q], SCALED(width) ? half_scale(p.gamma[*head * (size_t)width + q], x)
                                              : half_blend(lower, row[q], row[p.apart + q]));
  }
  MS_UNROLL(16)
  for (int q = 0; q < width; q++)
    r[q] = sum[q];
}

/* Computes r[q] = R(i, t, q), q < width, of a vertex that has a slot to itself. */
MS_ALWAYS_INLINE void sum_both(const int width, both *r, const block *b, const ms_sieve_live *live,
                               published p)
{
  const ms_half_list *list = &b->halves->half[live->vertex];
  const uint32_t *entry = b->halves->half_head + list->first, *end = entry + list->count;
  MS_UNROLL(16)
  for (int q = 0; q < width; q++)
    r[q] = both_zero();
  for (const uint32_t *ahead = entry; ahead < end + 16; ahead += 16)
    __builtin_prefetch(ahead + LIST_AHEAD);
  for (; entry < end; entry++) {
    size_t place = *entry >> 3;
    const half *row = p.halves + place * p.apart;
    both mask = b->spread[*entry & 7];
    prefetch_row(SCALED(width) ? 1 : width, p.halves + (size_t)(entry[ROWS_AHEAD] >> 3) * p.apart);
    both x = both_spread(*row, mask);
    MS_UNROLL(16)
    for (int q = 0; q < width; q++)
      r[q] = SCALED(width) ? both_add(r[q], both_scale(p.gamma[place * (size_t)width + q], x))
                           : both_add_masked(r[q], row[q], mask);
  }
  const uint32_t *head = b->s->head + live->first, *last = head + live->heads;
  for (; head < last; head++) {
    const half *row = p.whole + 2 * (size_t)*head * p.apart;
    prefetch_row(SCALED(width) ? 2 : 2 * width, p.whole + 2 * (size_t)head[ROWS_AHEAD] * p.apart);
    both x = both_load(row, row + p.apart);
    MS_UNROLL(16)
    for (int q = 0; q < width; q++)
      r[q] = both_add(r[q], SCALED(width) ? both_scale(p.gamma[*head * (size_t)width + q], x)
                                          : both_load(row + q, row + p.apart + q));
  }
}

/* Computes r[q] = R(i, t, q), q < width, of the units of a group. */
MS_ALWAYS_INLINE void gather(const int width, line *r, const block *b, const group *o, published p)
{
  half unit[UNITS][GATHER_TILE];
  for (uint32_t s = 0; s < SLOTS; s++) {
    uint32_t at = 2 * o->slot[s];
    if (o->bit[s] < HALF_BITS) {
      sum_half(width, unit[2 * s], b, o->bit[s], at, o->live[s], p);
      sum_half(width, unit[2 * s + 1], b, o->bit[s], at + 1, o->live[s] + 1, p);
      continue;
    }
    both sum[GATHER_TILE];
    sum_both(width, sum, b, o->live[s], p);
    MS_UNROLL(16)
    for (int q = 0; q < width; q++) {
#if SLOTS == 1
      r[q] = line_of_both(sum[q]);
#else
      unit[2 * s][q] = sum[q].v[0];
      unit[2 * s + 1][q] = sum[q].v[1];
#endif
    }
#if SLOTS == 1
    return;
#endif
  }
  MS_UNROLL(16)
  for (int q = 0; q < width; q++)
    r[q] = line_of_units(&unit[0][q], GATHER_TILE);
}

/* Computes w[x][q - 1] = W(i, t, q) for `count` groups. */
MS_ALWAYS_INLINE void factors_of(const int siblings, line w[BATCH][MOST_SIBLINGS], const block *b,
                                 const group *groups, uint32_t count, const half *rows,
                                 const uint8_t *gamma)
{
  published p = {.apart = SCALED(siblings) ? 1 : (uint32_t)siblings, .gamma = gamma};
  p.halves = rows;
  p.whole = rows - 2 * (size_t)b->halves->pairs * p.apart;
  for (uint32_t x = 0; x < count; x++) {
#if STRAIGHT
    gather(siblings, w[x], b, &groups[x], p);
#else
    for (int q = 0; q < siblings; q += GATHER_TILE) {
      published tile = p;
      tile.halves += q;
      tile.whole += q;
      switch (siblings - q) {
      case 1:
        gather(1, w[x] + q, b, &groups[x], tile);
        break;
      case 2:
        gather(2, w[x] + q, b, &groups[x], tile);
        break;
      case 3:
        gather(3, w[x] + q, b, &groups[x], tile);
        break;
      default:
        gather(GATHER_TILE, w[x] + q, b, &groups[x], tile);
      }
    }
#endif
    UNROLL
    for (int q = 1; q < siblings; q++)
      w[x][q] = line_mul(w[x][q - 1], w[x][q]);
  }
}

static void factors(uint32_t siblings, line w[BATCH][MOST_SIBLINGS], const block *b,
                    const group *groups, uint32_t count, const half *rows, uint32_t t)
{
  const uint8_t *gamma = gamma_bytes(b, t);
#define CALL_FACTORS(c) factors_of(c, w, b, groups, count, rows, gamma)
  SPECIALIZE(siblings, CALL_FACTORS);
#undef CALL_FACTORS
}
