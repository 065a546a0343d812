/* The counting of count_sets.h with vectors of LANES words, a divisor of MS_FIT_VECTOR.  The file
 * that includes this one defines vec, tally(sum, x), which adds the ones of x to tallies,
 * settle(tallies), which makes sums of words of them, BLOCK_WORDS, after which they have to be
 * settled, ones_of(word), and SET_COUNTING, the name of its ms_set_counting. */
#include <string.h>

#define POLL_WORDS ((uint64_t)1 << 16) /* some tens of microseconds */

MS_ALWAYS_INLINE vec load(const uint64_t *at)
{
  return *(const vec *)(const void *)at;
}

MS_ALWAYS_INLINE void store(uint64_t *at, vec x)
{
  *(vec *)(void *)at = x;
}

MS_ALWAYS_INLINE uint64_t sum_of(vec x)
{
  uint64_t sum = 0;
  for (uint32_t i = 0; i < LANES; i++)
    sum += x[i];
  return sum;
}

/* The first word that matters: those before it hold only ranks up to the root. */
MS_ALWAYS_INLINE uint32_t first_of(const ms_set_counter *c, const ms_fit *fit)
{
  return fit->first > c->from ? fit->first : c->from;
}

/* A number of ones that is being counted.  Tallies are settled as seldom as possible. */
typedef struct tallies {
  vec open, settled;
  uint32_t words; /* that `open` has taken */
} tallies;

MS_ALWAYS_INLINE void add_vec(tallies *t, vec x)
{
  t->open = tally(t->open, x);
}

/* Makes room for so many words, at most BLOCK_WORDS. */
MS_ALWAYS_INLINE void take_words(tallies *t, uint32_t words)
{
  if (t->words + words > BLOCK_WORDS) {
    t->settled += settle(t->open);
    t->open = (vec){0};
    t->words = 0;
  }
  t->words += words;
}

MS_ALWAYS_INLINE uint64_t total_of(const tallies *t)
{
  return sum_of(t->settled + settle(t->open));
}

MS_ALWAYS_INLINE uint32_t end_of_block(uint32_t w, uint32_t last)
{
  return last - w < BLOCK_WORDS ? last : w + BLOCK_WORDS;
}

/* Adds the ones of a & b. */
MS_ALWAYS_INLINE void add_and(tallies *t, const uint64_t *a, const uint64_t *b, uint32_t first,
                              uint32_t last)
{
  for (uint32_t w = first; w < last;) {
    uint32_t end = end_of_block(w, last);
    take_words(t, end - w);
    for (; w < end; w += LANES)
      add_vec(t, load(a + w) & load(b + w));
  }
}

static uint64_t count_and(const uint64_t *a, const uint64_t *b, uint32_t first, uint32_t last)
{
  tallies t = {0};
  add_and(&t, a, b, first, last);
  return total_of(&t);
}

/* Fills c->new with fits & ~near; returns the number of ones. */
static uint64_t take_new(ms_set_counter *c, const ms_fit *fit, const uint64_t *near)
{
  tallies t = {0};
  uint64_t *to = c->new;
  for (uint32_t w = first_of(c, fit); w < fit->last;) {
    uint32_t end = end_of_block(w, fit->last);
    take_words(&t, end - w);
    for (; w < end; w += LANES) {
      vec x = load(fit->fits + w) & ~load(near + w);
      store(to + w, x);
      add_vec(&t, x);
    }
  }
  return total_of(&t);
}

/* Makes X and N of a set with one more vertex, whose row is given.  False if X is empty. */
static bool extend(const ms_set_counter *c, const ms_fit *fit, const uint64_t *row,
                   const uint64_t *x, const uint64_t *near, uint64_t *next_x, uint64_t *next_near)
{
  vec any = {0};
  uint64_t all = 0;
  for (uint32_t w = first_of(c, fit); w < fit->last; w += LANES) {
    vec r = load(row + w), n = load(near + w);
    vec y = (load(x + w) | (r & ~n)) & load(fit->fits + w);
    store(next_x + w, y);
    store(next_near + w, n | r);
    any |= y;
  }
  for (uint32_t i = 0; i < LANES; i++)
    all |= any[i];
  return all != 0;
}

/* The first word of a run that matters. */
MS_ALWAYS_INLINE uint32_t first_in(const ms_set_counter *c, const ms_span *s)
{
  return s->first > c->from ? s->first : c->from;
}

/* The bits of a run in word w. */
MS_ALWAYS_INLINE uint64_t word_of(const uint64_t *bits, const ms_span *s, uint32_t w)
{
  return bits[w] & (w == s->first ? s->head : UINT64_MAX) & (w == s->last ? s->tail : UINT64_MAX);
}

/* Adds the ones of a & b in a run; b may be a itself. */
MS_ALWAYS_INLINE void add_in_run(const ms_set_counter *c, tallies *t, const uint64_t *a,
                                 const uint64_t *b, const ms_span *s)
{
  uint32_t first = s->first / LANES * LANES, last = s->last / LANES * LANES;
  vec tail = load(s->tails + last % MS_FIT_VECTOR), end = load(a + last) & load(b + last) & tail;
  take_words(t, 2 * LANES);
  if (first < c->from) { /* from is a multiple of LANES */
    first = c->from;
  } else {
    vec head = load(s->heads + first % MS_FIT_VECTOR);
    if (first == last)
      end &= head;
    else
      add_vec(t, load(a + first) & load(b + first) & head);
    first += LANES;
  }
  add_vec(t, end);
  if (first < last)
    add_and(t, a, b, first, last);
}

static uint64_t count_run(const ms_set_counter *c, const uint64_t *a, const ms_span *s)
{
  tallies t = {0};
  add_in_run(c, &t, a, a, s);
  return total_of(&t);
}

/* Notes words that were read; polls now and then. */
static void note(ms_set_counter *c, uint64_t words)
{
  c->unchecked += words;
  if (c->unchecked < POLL_WORDS)
    return;
  c->words += c->unchecked;
  c->unchecked = 0;
  c->ended = c->ended || (c->most > 0 && c->words >= c->most) || !c->poll(c->user);
}

static void add(ms_set_counter *c, uint64_t matches)
{
  c->low += matches;
  c->high += c->low < matches;
}

/* Counts the edges between two sets: the ranks of x in a run, of which there are `here`, and the
 * ranks of fits & ~near. */
static uint64_t count_edges(ms_set_counter *c, const uint64_t *x, const ms_span *s, uint64_t here,
                            const ms_fit *fit, const uint64_t *near)
{
  const ms_bit_rows *rows = c->rows;
  const uint64_t *new = c->new;
  uint32_t first = first_of(c, fit);
  uint64_t there = take_new(c, fit, near);
  uint64_t across = here * (fit->last - first), back = there * s->words;
  tallies t = {0};
  if (there == 0)
    return 0;
  if (across <= back) {
    for (uint32_t w = first_in(c, s); w <= s->last; w++)
      for (uint64_t left = word_of(x, s, w); left; left &= left - 1) {
        size_t u = (size_t)64 * w + (size_t)__builtin_ctzll(left);
        add_and(&t, rows->row + u * rows->words, new, first, fit->last);
      }
    note(c, across);
    return total_of(&t);
  }
  for (uint32_t w = first; w < fit->last; w++)
    for (uint64_t left = new[w]; left; left &= left - 1) {
      size_t u = (size_t)64 * w + (size_t)__builtin_ctzll(left);
      add_in_run(c, &t, x, rows->row + u * rows->words, s);
    }
  note(c, back);
  return total_of(&t);
}

#include "motif/count/stack_rows_template.h"

/* ---- picking rows ---------------------------------------------------------------------------- */

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

/* ---- counting --------------------------------------------------------------------- */

/* Counts the matches that hold a set of k - 2 vertices. */
static void count_two(ms_set_counter *c, const ms_fit *fit, const uint64_t *x, const uint64_t *near)
{
  const ms_kinds *kinds = c->kinds;
  uint64_t twice = 0, edges = 0;
  for (uint32_t i = 0; i < kinds->runs && !c->ended; i++) {
    ms_kind_run run = kinds->run[i];
    const ms_span *s = &c->rows->span[i];
    if (s->last < c->from || !ms_fit_takes(fit, kinds->kind[run.kind]))
      continue;
    uint64_t here = count_run(c, x, s);
    const ms_fit *next = here ? ms_fits_next(c->fits, fit, run.kind) : NULL;
    if (!next || next->last <= c->from)
      continue;
    uint64_t both = count_and(x, next->fits, first_of(c, next), next->last);
    uint64_t pairs = both - ms_fit_takes(next, kinds->kind[run.kind]);
    twice += here * pairs;
    edges += c->taking ? count_ends(c, x, s, here, pairs, next, near)
                       : count_edges(c, x, s, here, next, near);
  }
  c->steps++;
  note(c, fit->last - fit->first);
  add(c, twice / 2);
  add(c, edges);
  if (c->low > c->wanted.next)
    pick_two(c, fit, x, near, c->low - twice / 2 - edges);
}

static bool meets(const uint64_t *a, const uint64_t *b, uint32_t first, uint32_t last)
{
  vec any = {0};
  uint64_t all = 0;
  for (uint32_t w = first; w < last; w += LANES)
    any |= load(a + w) & load(b + w);
  for (uint32_t i = 0; i < LANES; i++)
    all |= any[i];
  return all != 0;
}

/* Returns the first rank of a & b other than u; there is one. */
static uint32_t first_common(const uint64_t *a, const uint64_t *b, uint32_t u)
{
  for (uint32_t w = 0;; w++) {
    uint64_t both = a[w] & b[w];
    if (w == u / 64)
      both &= ~(UINT64_C(1) << u % 64);
    if (both)
      return 64 * w + (uint32_t)__builtin_ctzll(both);
  }
}

/* Searches for two more vertices among the candidates of a run and what they lead to. */
static void find_two_in(ms_set_counter *c, const uint64_t *x, const ms_span *s, uint64_t both,
                        bool itself, const ms_fit *fit, uint64_t there)
{
  const ms_bit_rows *rows = c->rows;
  for (uint32_t w = s->first; w <= s->last; w++)
    for (uint64_t left = word_of(x, s, w); left; left &= left - 1) {
      uint32_t u = 64 * w + (uint32_t)__builtin_ctzll(left);
      const uint64_t *row = rows->row + (size_t)u * rows->words;
      bool pair = both > itself, edge = !pair && there && meets(row, c->new, fit->first, fit->last);
      note(c, fit->last - fit->first);
      if (!pair && !edge)
        continue;
      const uint64_t *other = pair ? x : row, *among = pair ? fit->fits : c->new;
      /* words outside of the state's range hold anything */
      uint32_t skip = fit->first;
      c->member[fit->size - 1] = u;
      c->member[fit->size] = 64 * skip + first_common(other + skip, among + skip, u - 64 * skip);
      c->found = c->ended = true;
      return;
    }
}

static void find_two(ms_set_counter *c, const ms_fit *fit, const uint64_t *x, const uint64_t *near)
{
  const ms_kinds *kinds = c->kinds;
  for (uint32_t i = 0; i < kinds->runs && !c->ended; i++) {
    ms_kind_run run = kinds->run[i];
    const ms_span *s = &c->rows->span[i];
    if (!ms_fit_takes(fit, kinds->kind[run.kind]) || count_run(c, x, s) == 0)
      continue;
    const ms_fit *next = ms_fits_next(c->fits, fit, run.kind);
    c->unchecked += s->words;
    if (!next || next->first == next->last)
      continue;
    c->unchecked += 2 * (uint64_t)(next->last - next->first);
    uint64_t both = count_and(x, next->fits, next->first, next->last);
    find_two_in(c, x, s, both, ms_fit_takes(next, kinds->kind[run.kind]), next,
                take_new(c, next, near));
  }
  c->steps++;
  note(c, fit->last - fit->first + kinds->runs);
}

/* Grows a set with all its candidates.  x is used up. */
static void grow(ms_set_counter *c, const ms_fit *fit, uint64_t *x, const uint64_t *near,
                 uint32_t part, uint32_t parts)
{
  const ms_kinds *kinds = c->kinds;
  uint32_t words = c->rows->words, number = 0;
  uint64_t *next_x = c->space + (size_t)2 * words * fit->size, *next_near = next_x + words;
  if (fit->size + 2 == kinds->ranked->size) {
    if (c->finds)
      find_two(c, fit, x, near);
    else
      count_two(c, fit, x, near);
    return;
  }
  for (uint32_t i = 0; i < kinds->runs && !c->ended; i++) {
    ms_kind_run run = kinds->run[i];
    const ms_span *s = &c->rows->span[i];
    const ms_fit *next = NULL;
    if (s->last < c->from || !ms_fit_takes(fit, kinds->kind[run.kind]))
      continue;
    for (uint32_t w = first_in(c, s); w <= s->last; w++)
      for (uint64_t left = word_of(x, s, w); left && !c->ended; left &= left - 1) {
        size_t u = (size_t)64 * w + (size_t)__builtin_ctzll(left);
        x[w] &= ~(left & -left);
        if (!next)
          next = ms_fits_next(c->fits, fit, run.kind);
        if (!next || number++ % parts != part)
          continue;
        if (c->second.of && fit->size == 1 && !ms_second_share_has(&c->second, (uint32_t)u))
          continue;
        c->steps++;
        c->member[fit->size] = (uint32_t)u;
        note(c, next->last - next->first);
        uint64_t before = c->low;
        if (extend(c, next, c->rows->row + u * words, x, near, next_x, next_near))
          grow(c, next, next_x, next_near, 0, 1);
        if (c->taking)
          c->taking[u] += c->low - before;
      }
  }
}

/* Returns the state of a root alone, or NULL if it is in no match. */
static ms_fit *begin_root(ms_set_counter *c, uint32_t root)
{
  uint32_t kind = ms_kinds_at(c->kinds, root);
  const ms_fit *begin = ms_fits_begin(c->fits);
  c->found = false;
  c->member[0] = root;
  c->steps++;
  return ms_fit_takes(begin, c->kinds->kind[kind]) ? ms_fits_next(c->fits, begin, kind) : NULL;
}

/* Notes the matches of a root: those that were found since there were `before`. */
static void note_root(ms_set_counter *c, uint32_t root, uint64_t before)
{
  if (c->taking)
    c->taking[root] += c->low - before;
}

static void count_root(ms_set_counter *c, uint32_t root, uint32_t part, uint32_t parts)
{
  const ms_fit *fit = begin_root(c, root);
  uint32_t words = c->rows->words;
  uint64_t before = c->low;
  if (!fit)
    return;
  uint64_t *x = c->space, *near = x + words;
  const uint64_t *row = c->rows->row + (size_t)root * words;
  c->from = root / 64 / MS_FIT_VECTOR * MS_FIT_VECTOR;
  for (uint32_t w = first_of(c, fit); w < fit->last; w++) {
    /* ranks up to the root take no part: they count as seen */
    uint64_t dead = 64 * w + 63 <= root ? UINT64_MAX
                    : 64 * w > root     ? 0
                                        : UINT64_MAX >> (63 - root % 64);
    x[w] = row[w] & ~dead & fit->fits[w];
    near[w] = row[w] | dead;
  }
  note(c, words);
  uint64_t candidates = fit->last > c->from ? count_and(x, x, first_of(c, fit), fit->last) : 0;
  if (candidates > 0)
    grow(c, fit, x, near, part, parts);
  note_root(c, root, before);
}

static void find_root(ms_set_counter *c, uint32_t root)
{
  const ms_fit *fit = begin_root(c, root);
  uint32_t words = c->rows->words;
  uint64_t *x = c->space, *near = x + words, any = 0;
  const uint64_t *row = c->rows->row + (size_t)root * words;
  c->from = 0;
  for (uint32_t w = 0; fit && w < words; w++) {
    uint64_t seen = c->dead_bits[w] | (w == root / 64 ? UINT64_C(1) << root % 64 : 0);
    x[w] = row[w] & ~seen & fit->fits[w];
    near[w] = row[w] | seen;
    any |= x[w];
  }
  if (any)
    grow(c, fit, x, near, 0, 1);
}

/* ---- balls ------------------------------------------------------------------- */

#define WORDS 1u
#define BALL(name) name##_1
#include "motif/count/count_ball_template.h"

#define WORDS 2u
#define BALL(name) name##_2
#include "motif/count/count_ball_template.h"

#define WORDS 3u
#define BALL(name) name##_3
#include "motif/count/count_ball_template.h"

#define WORDS 4u
#define BALL(name) name##_4
#include "motif/count/count_ball_template.h"

#define WORDS 6u
#define BALL(name) name##_6
#include "motif/count/count_ball_template.h"

#define WORDS 8u
#define BALL(name) name##_8
#include "motif/count/count_ball_template.h"

static void count_members(ms_set_counter *c, ms_fit *fit)
{
  if (c->ball->size <= 64)
    count_1(c, fit);
  else if (c->ball->size <= 128)
    count_2(c, fit);
  else if (c->ball->size <= 192)
    count_3(c, fit);
  else if (c->ball->size <= 256)
    count_4(c, fit);
  else if (c->ball->size <= 384)
    count_6(c, fit);
  else
    count_8(c, fit);
}

static bool count_ball(ms_set_counter *c, uint32_t root)
{
  ms_fit *fit = begin_root(c, root);
  if (!fit)
    return true;
  bool made = ms_ball_make(c->ball, root, fit, NULL);
  note(c, c->ball->reads);
  if (!made)
    return false;
  uint64_t before = c->low;
  count_members(c, fit);
  note_root(c, root, before);
  return true;
}

static bool find_ball(ms_set_counter *c, uint32_t root)
{
  ms_fit *fit = begin_root(c, root);
  if (!fit)
    return true;
  bool made = ms_ball_make(c->ball, root, fit, c->dead);
  note(c, c->ball->reads);
  if (!made)
    return false;
  count_members(c, fit);
  for (uint32_t i = 1; c->found && i < c->kinds->ranked->size; i++)
    c->member[i] = c->ball->rank[c->member[i]];
  return true;
}

const ms_set_counting SET_COUNTING = {SET_COUNTING_NAME, count_root, count_ball, find_root,
                                      find_ball};
