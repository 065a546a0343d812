/* Picks matches out by their numbers while sets are counted in rows of bits (wanted.h).  It is a
 * part of count_sets_template.h. */

/* Returns the number of ranks above u in a & b. */
static uint64_t count_above(const uint64_t *a, const uint64_t *b, uint32_t u, uint32_t first,
                            uint32_t last)
{
  uint32_t w = u / 64, end = (w / LANES + 1) * LANES;
  uint64_t sum = 0;
  if (first > w)
    return count_and(a, b, first, last);
  if (w >= last)
    return 0;
  sum += ones_of(a[w] & b[w] & ~(UINT64_MAX >> (63 - u % 64)));
  for (uint32_t i = w + 1; i < end; i++)
    sum += ones_of(a[i] & b[i]);
  return end < last ? sum + count_and(a, b, end, last) : sum;
}

/* Returns the rank of the i-th one of a & b, from 0, that is above u; there is one.  MS_NO_ID as u
 * stands for no bound. */
static uint32_t nth_common(const uint64_t *a, const uint64_t *b, uint32_t u, uint32_t first,
                           uint64_t i)
{
  for (uint32_t w = first;; w++) {
    uint64_t both = a[w] & b[w], ones;
    if (u != MS_NO_ID && w <= u / 64)
      both &= w < u / 64 ? 0 : ~(UINT64_MAX >> (63 - u % 64));
    ones = ones_of(both);
    for (; ones > i && i > 0; i--)
      both &= both - 1;
    if (ones > i)
      return 64 * w + (uint32_t)__builtin_ctzll(both);
    i -= ones;
  }
}

/* The wanted match consists of the members and two more ranks. */
static void pick(ms_set_counter *c, uint32_t size, uint32_t u, uint32_t v)
{
  const uint32_t *vertex = c->kinds->ranked->vertex;
  for (uint32_t i = 0; i < size; i++)
    c->wanted.set[i] = vertex[c->member[i]];
  c->wanted.set[size] = vertex[u];
  c->wanted.set[size + 1] = vertex[v];
  ms_wanted_advance(&c->wanted);
}

/* Picks the wanted ones of the matches that hold the members and a rank u, of which `before` are
 * before them.  Returns how many there are. */
static uint64_t pick_with(ms_set_counter *c, const ms_fit *fit, const uint64_t *x, uint32_t u,
                          uint64_t before)
{
  const uint64_t *row = c->rows->row + (size_t)u * c->rows->words;
  uint32_t first = first_of(c, fit), size = fit->size - 1;
  uint64_t pairs = count_above(x, fit->fits, u, first, fit->last);
  uint64_t all = pairs + count_and(row, c->new, first, fit->last);
  while (c->wanted.next - before < all) {
    uint64_t i = c->wanted.next - before;
    pick(c, size, u,
         i < pairs ? nth_common(x, fit->fits, u, first, i)
                   : nth_common(row, c->new, MS_NO_ID, first, i - pairs));
  }
  return all;
}

/* Picks the wanted ones of the matches that hold a set of k - 2 vertices, of which `before` are
 * before them.  Each pair of candidates is counted at its lower rank. */
MS_SELDOM void pick_two(ms_set_counter *c, const ms_fit *fit, const uint64_t *x,
                        const uint64_t *near, uint64_t before)
{
  const ms_kinds *kinds = c->kinds;
  for (uint32_t i = 0; i < kinds->runs && c->wanted.next < c->low; i++) {
    ms_kind_run run = kinds->run[i];
    const ms_span *s = &c->rows->span[i];
    if (s->last < c->from || !ms_fit_takes(fit, kinds->kind[run.kind]))
      continue;
    const ms_fit *next = ms_fits_next(c->fits, fit, run.kind);
    if (!next || next->last <= c->from)
      continue;
    take_new(c, next, near);
    for (uint32_t w = first_in(c, s); w <= s->last; w++)
      for (uint64_t left = word_of(x, s, w); left; left &= left - 1)
        before += pick_with(c, next, x, 64 * w + (uint32_t)__builtin_ctzll(left), before);
  }
  c->ended = c->ended || c->wanted.left == 0;
}
