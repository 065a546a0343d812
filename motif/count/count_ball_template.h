/* The counting of count_sets.h in a ball, whose sets are WORDS words; BALL(name) makes the names of
 * its functions. */

typedef struct BALL(bits) {
  uint64_t word[WORDS];
} BALL(bits);

MS_ALWAYS_INLINE uint64_t BALL(ones)(const BALL(bits) * a)
{
  uint64_t sum = 0;
  for (uint32_t i = 0; i < WORDS; i++)
    sum += ones_of(a->word[i]);
  return sum;
}

MS_ALWAYS_INLINE BALL(bits) BALL(load)(const uint64_t *from)
{
  BALL(bits) a;
  memcpy(a.word, from, sizeof a.word);
  return a;
}

MS_ALWAYS_INLINE BALL(bits) BALL(common)(BALL(bits) a, const BALL(bits) * b)
{
  for (uint32_t i = 0; i < WORDS; i++)
    a.word[i] &= b->word[i];
  return a;
}

MS_ALWAYS_INLINE BALL(bits) BALL(without)(BALL(bits) a, const BALL(bits) * b)
{
  for (uint32_t i = 0; i < WORDS; i++)
    a.word[i] &= ~b->word[i];
  return a;
}

MS_ALWAYS_INLINE BALL(bits) BALL(joined)(BALL(bits) a, const BALL(bits) * b)
{
  for (uint32_t i = 0; i < WORDS; i++)
    a.word[i] |= b->word[i];
  return a;
}

/* The members that may join.  The state keeps them as long as the ball is this one. */
MS_ALWAYS_INLINE BALL(bits) BALL(fits)(const ms_set_counter *c, ms_fit *fit)
{
  const ms_ball *ball = c->ball;
  if (fit->of != ball->number) {
    BALL(bits) all = {{0}};
    fit->takes = 0;
    for (uint32_t i = 0; i < ball->kinds; i++)
      if (ms_fit_takes(fit, c->kinds->kind[ball->kind[i]])) {
        BALL(bits) members = BALL(load)(ball->bits[i]);
        all = BALL(joined)(all, &members);
        fit->takes |= i < 64 ? UINT64_C(1) << i : 0;
      }
    memcpy(fit->fits, all.word, sizeof all.word);
    fit->of = ball->number;
  }
  return BALL(load)(fit->fits);
}

/* Notes the matches of a member that is in `pairs` of them, and in one with each of `others`, and
 * those of the others. */
static void BALL(note_ends)(ms_set_counter *c, uint32_t member, uint64_t pairs,
                            const BALL(bits) * others)
{
  const ms_ball *ball = c->ball;
  c->taking[ball->rank[member]] += pairs + BALL(ones)(others);
  for (uint32_t w = 0; w < WORDS; w++)
    for (uint64_t left = others->word[w]; left; left &= left - 1)
      c->taking[ball->rank[64 * w + (uint32_t)__builtin_ctzll(left)]]++;
}

/* Returns the i-th member of a, from 0; there is one. */
MS_ALWAYS_INLINE uint32_t BALL(nth)(BALL(bits) a, uint64_t i)
{
  for (uint32_t w = 0;; w++)
    for (uint64_t left = a.word[w]; left; left &= left - 1)
      if (i-- == 0)
        return 64 * w + (uint32_t)__builtin_ctzll(left);
}

/* The wanted match consists of the members and two more. */
static void BALL(pick)(ms_set_counter *c, uint32_t size, uint32_t u, uint32_t v)
{
  const ms_ball *ball = c->ball;
  const uint32_t *vertex = c->kinds->ranked->vertex;
  c->wanted.set[0] = vertex[c->member[0]];
  for (uint32_t i = 1; i < size; i++)
    c->wanted.set[i] = vertex[ball->rank[c->member[i]]];
  c->wanted.set[size] = vertex[ball->rank[u]];
  c->wanted.set[size + 1] = vertex[ball->rank[v]];
  ms_wanted_advance(&c->wanted);
}

/* Picks the wanted ones of the matches that hold a set of k - 2 vertices, of which `before` are
 * before them.  Each pair of candidates is counted at the member with the lower number. */
MS_SELDOM void BALL(pick_two)(ms_set_counter *c, const ms_fit *fit, const BALL(bits) * x,
                              const BALL(bits) * near, uint64_t before)
{
  const ms_ball *ball = c->ball;
  for (uint32_t i = 0; i < ball->kinds; i++) {
    BALL(bits) here = BALL(load)(ball->bits[i]);
    here = BALL(common)(here, x);
    ms_fit *next = BALL(ones)(&here) ? ms_fits_next(c->fits, fit, ball->kind[i]) : NULL;
    if (!next)
      continue;
    BALL(bits) fits = BALL(fits)(c, next), both = BALL(common)(fits, x);
    fits = BALL(without)(fits, near);
    for (uint32_t w = 0; w < WORDS; w++)
      for (uint64_t left = here.word[w]; left; left &= left - 1) {
        uint32_t u = 64 * w + (uint32_t)__builtin_ctzll(left);
        BALL(bits) row = BALL(load)(ball->row[u]), above = both;
        for (uint32_t j = 0; j < w; j++)
          above.word[j] = 0;
        above.word[w] &= ~(UINT64_MAX >> (63 - u % 64));
        row = BALL(common)(row, &fits);
        uint64_t pairs = BALL(ones)(&above), all = pairs + BALL(ones)(&row);
        for (uint64_t j; (j = c->wanted.next - before) < all;)
          BALL(pick)(c, fit->size, u, j < pairs ? BALL(nth)(above, j) : BALL(nth)(row, j - pairs));
        before += all;
      }
  }
  c->ended = c->ended || c->wanted.left == 0;
}

/* Counts the matches that hold a set of k - 2 vertices. */
static void BALL(count_two)(ms_set_counter *c, const ms_fit *fit, const BALL(bits) * x,
                            const BALL(bits) * near)
{
  const ms_ball *ball = c->ball;
  uint64_t twice = 0, edges = 0;
  for (uint32_t i = 0; i < ball->kinds; i++) {
    ms_kind kind = c->kinds->kind[ball->kind[i]];
    BALL(bits) here = BALL(load)(ball->bits[i]);
    here = BALL(common)(here, x);
    uint64_t size = BALL(ones)(&here);
    ms_fit *next = size ? ms_fits_next(c->fits, fit, ball->kind[i]) : NULL;
    if (!next)
      continue;
    BALL(bits) fits = BALL(fits)(c, next), both = BALL(common)(fits, x);
    uint64_t pairs = BALL(ones)(&both) - ms_fit_takes(next, kind);
    twice += size * pairs;
    fits = BALL(without)(fits, near);
    for (uint32_t w = 0; w < WORDS; w++)
      for (uint64_t left = here.word[w]; left; left &= left - 1) {
        uint32_t u = 64 * w + (uint32_t)__builtin_ctzll(left);
        BALL(bits) row = BALL(load)(ball->row[u]);
        row = BALL(common)(row, &fits);
        edges += BALL(ones)(&row);
        if (c->taking)
          BALL(note_ends)(c, u, pairs, &row);
      }
    c->unchecked += size * WORDS;
  }
  c->steps++;
  note(c, WORDS);
  add(c, twice / 2 + edges);
  if (c->low > c->wanted.next)
    BALL(pick_two)(c, fit, x, near, c->low - twice / 2 - edges);
}

/* What completes a set of k - 3 vertices with two of given kinds. */
typedef struct BALL(third) {
  BALL(bits) inner, outer; /* candidates; members that are not in N */
  uint64_t twice;          /* what each v adds, whatever is next to u and v (count_three) */
} BALL(third);

/* Counts the matches that hold a set of k - 3 vertices, as count_three.h explains, by the kinds a
 * and b of two more vertices.  F completes the set with them.  Each v of b outside of N that is
 * next to a candidate u of a makes matches with
 *
 *   a candidate of F: each of them twice, less one for each that v is next to;
 *   another neighbour of u outside of N, in F: once, since it is met from both;
 *   a neighbour of v outside of N, in F, that is not next to u: twice.
 *
 * So half of the sum is the number of the matches with one or two candidates. */
static void BALL(count_three)(ms_set_counter *c, const ms_fit *fit, const BALL(bits) * x,
                              const BALL(bits) * near)
{
  const ms_ball *ball = c->ball;
  const ms_kind *kinds = c->kinds->kind;
  BALL(third) with[MS_BALL_FOLDED_KINDS];
  uint64_t beside[MS_BALL_FOLDED_KINDS];     /* what a v of each kind adds before its row is read */
  uint64_t triples = 0, twice = 0, read = 1; /* triples: of candidates, each six times */
  for (uint64_t as = fit->takes; as; as &= as - 1) {
    uint32_t a = (uint32_t)__builtin_ctzll(as);
    BALL(bits) here = BALL(load)(ball->bits[a]), ends = {{0}};
    here = BALL(common)(here, x);
    uint64_t size = BALL(ones)(&here);
    ms_fit *one = size ? ms_fits_next(c->fits, fit, ball->kind[a]) : NULL;
    if (!one)
      continue;
    (void)BALL(fits)(c, one);
    uint64_t seconds = 0;
    for (uint64_t bs = one->takes; bs; bs &= bs - 1) {
      uint32_t b = (uint32_t)__builtin_ctzll(bs);
      ms_fit *two = ms_fits_next(c->fits, one, ball->kind[b]);
      if (!two)
        continue;
      seconds |= bs & -bs;
      BALL(bits) members = BALL(load)(ball->bits[b]), third = BALL(fits)(c, two);
      ends = BALL(joined)(ends, &members);
      members = BALL(common)(members, x);
      with[b].inner = BALL(common)(third, x);
      with[b].outer = BALL(without)(third, near);
      uint64_t thirds = BALL(ones)(&with[b].inner);
      uint64_t both =
          ms_fit_takes(two, kinds[ball->kind[a]]) + ms_fit_takes(two, kinds[ball->kind[b]]);
      with[b].twice = 2 * thirds - both;
      triples += size * (BALL(ones)(&members) - (a == b)) * (thirds - both);
    }
    ends = BALL(without)(ends, near);
    read += size;
    for (uint32_t w = 0; w < WORDS; w++)
      for (uint64_t left = here.word[w]; left; left &= left - 1) {
        BALL(bits) row = BALL(load)(ball->row[64 * w + (uint32_t)__builtin_ctzll(left)]);
        BALL(bits) new = BALL(common)(row, &ends);
        for (uint64_t bs = seconds; bs; bs &= bs - 1) {
          uint32_t b = (uint32_t)__builtin_ctzll(bs);
          BALL(bits) thirds = BALL(common)(row, &with[b].outer);
          beside[b] = with[b].twice + BALL(ones)(&thirds);
        }
        for (uint32_t i = 0; i < WORDS; i++)
          for (uint64_t bits = new.word[i]; bits; bits &= bits - 1) {
            uint32_t v = 64 * i + (uint32_t)__builtin_ctzll(bits);
            const BALL(third) *t = &with[ball->kind_of[v]];
            BALL(bits) end = BALL(load)(ball->row[v]), back = BALL(common)(end, &t->inner);
            BALL(bits) beyond = BALL(without)(end, &row);
            beyond = BALL(common)(beyond, &t->outer);
            twice += beside[ball->kind_of[v]] + 2 * BALL(ones)(&beyond) - BALL(ones)(&back);
          }
      }
  }
  c->steps++;
  note(c, read * WORDS);
  add(c, triples / 6 + twice / 2);
}

/* Sets *out to the first member of a, unless it is empty. */
MS_ALWAYS_INLINE bool BALL(first)(const BALL(bits) * a, uint32_t *out)
{
  for (uint32_t w = 0; w < WORDS; w++)
    if (a->word[w]) {
      *out = 64 * w + (uint32_t)__builtin_ctzll(a->word[w]);
      return true;
    }
  return false;
}

/* Searches for two more vertices. */
static void BALL(find_two)(ms_set_counter *c, const ms_fit *fit, const BALL(bits) * x,
                           const BALL(bits) * near)
{
  const ms_ball *ball = c->ball;
  c->steps++;
  for (uint32_t i = 0; i < ball->kinds; i++) {
    BALL(bits) here = BALL(load)(ball->bits[i]);
    here = BALL(common)(here, x);
    ms_fit *next = BALL(ones)(&here) ? ms_fits_next(c->fits, fit, ball->kind[i]) : NULL;
    if (!next)
      continue;
    BALL(bits) fits = BALL(fits)(c, next), both = BALL(common)(fits, x);
    fits = BALL(without)(fits, near);
    for (uint32_t w = 0; w < WORDS; w++)
      for (uint64_t left = here.word[w]; left; left &= left - 1) {
        uint32_t u = 64 * w + (uint32_t)__builtin_ctzll(left);
        BALL(bits) row = BALL(load)(ball->row[u]), others = both;
        others.word[w] &= ~(left & -left);
        row = BALL(common)(row, &fits);
        note(c, WORDS);
        if (BALL(first)(&others, &c->member[fit->size + 1]) ||
            BALL(first)(&row, &c->member[fit->size + 1])) {
          c->member[fit->size] = u;
          c->found = c->ended = true;
          return;
        }
      }
  }
  note(c, WORDS);
}

/* Grows a set with all its candidates. */
static void BALL(grow)(ms_set_counter *c, const ms_fit *fit, BALL(bits) x, const BALL(bits) * near)
{
  const ms_ball *ball = c->ball;
  if (fit->size + 3 == c->kinds->ranked->size && c->folds_three) {
    BALL(count_three)(c, fit, &x, near);
    return;
  }
  if (fit->size + 2 == c->kinds->ranked->size) {
    if (c->finds)
      BALL(find_two)(c, fit, &x, near);
    else
      BALL(count_two)(c, fit, &x, near);
    return;
  }
  for (uint32_t i = 0; i < ball->kinds && !c->ended; i++) {
    BALL(bits) here = BALL(load)(ball->bits[i]);
    here = BALL(common)(here, &x);
    ms_fit *next = NULL;
    for (uint32_t w = 0; w < WORDS; w++)
      for (uint64_t left = here.word[w]; left && !c->ended; left &= left - 1) {
        x.word[w] &= ~(left & -left);
        if (!next && !(next = ms_fits_next(c->fits, fit, ball->kind[i])))
          continue;
        uint32_t u = 64 * w + (uint32_t)__builtin_ctzll(left);
        BALL(bits) row = BALL(load)(ball->row[u]);
        BALL(bits) fits = BALL(fits)(c, next), new = BALL(without)(row, near);
        BALL(bits) next_x = BALL(joined)(x, &new), next_near = BALL(joined)(row, near);
        c->steps++;
        c->member[fit->size] = u;
        uint64_t before = c->low;
        BALL(grow)(c, next, BALL(common)(next_x, &fits), &next_near);
        if (c->taking)
          c->taking[ball->rank[u]] += c->low - before;
      }
  }
}

static void BALL(count)(ms_set_counter *c, ms_fit *fit)
{
  BALL(bits) x = {{0}};
  for (uint32_t i = 0; i < c->ball->neighbors; i++)
    x.word[i / 64] |= UINT64_C(1) << i % 64;
  BALL(bits) fits = BALL(fits)(c, fit);
  BALL(grow)(c, fit, BALL(common)(fits, &x), &x);
}

#undef BALL
#undef WORDS
