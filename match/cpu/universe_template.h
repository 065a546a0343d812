/* Defines a path of universe.h.
 *
 * Define before including:
 *   UNIVERSE, UNIVERSE_NAME   the path and its name
 * and these static functions:
 *   and_words(a, b, n, out)   writes the n >= 1 words of a AND b, and returns the number of ones
 *   and_not_words             the same of a AND NOT b
 *   count_words_of(a, b, n)   returns the number of ones of a AND b */
#include "base/compiler.h"
#include "match/cpu/tail_value.h"
#include "match/cpu/universe.h"

static inline uint64_t ones_from(uint32_t place)
{
  return ~UINT64_C(0) << place % 64;
}

static inline uint64_t ones_below(uint32_t place)
{
  return place % 64 ? ~ones_from(place) : ~UINT64_C(0);
}

static inline bool has_bit(const uint64_t *bits, uint32_t place)
{
  return bits[place / 64] >> place % 64 & 1;
}

static inline const uint64_t *row_at(ms_universe *u, uint32_t v)
{
  if (!u->made[v])
    ms_universe_make_row(u, v);
  return u->row + v * u->words;
}

/* Returns the places that the matches of the levels leave. */
static inline ms_places narrow_places(const ms_universe *u, const ms_universe_bounds *by)
{
  ms_places p = by->range;
  for (uint32_t i = 0; i < by->n_above; i++)
    if (u->match[by->above[i]] >= p.lo)
      p.lo = u->match[by->above[i]] + 1;
  for (uint32_t i = 0; i < by->n_below; i++)
    if (u->match[by->below[i]] < p.hi)
      p.hi = u->match[by->below[i]];
  return p;
}

/* Sets *first and *last to the words of a set that hold the places; false if there are none. */
static inline bool find_words(const ms_universe_set *s, ms_places p, uint32_t *first,
                              uint32_t *last)
{
  uint32_t from = p.lo / 64, to = (p.hi + 63) / 64;
  *first = from > s->first ? from : s->first;
  *last = to < s->last ? to : s->last;
  return p.lo < p.hi && *first < *last;
}

/* Cuts the words [first, last) of a set with this many ones, and returns how many it has then. */
static inline uint64_t cut_words(uint64_t *bits, uint32_t first, uint32_t last, ms_places p,
                                 uint64_t count)
{
  if (first == p.lo / 64) {
    count -= (uint64_t)__builtin_popcountll(bits[first] & ~ones_from(p.lo));
    bits[first] &= ones_from(p.lo);
  }
  if (last == (p.hi + 63) / 64) {
    count -= (uint64_t)__builtin_popcountll(bits[last - 1] & ~ones_below(p.hi));
    bits[last - 1] &= ones_below(p.hi);
  }
  return count;
}

/* Computes a set, and returns its size. */
static inline uint64_t compute(ms_universe *u, uint32_t i)
{
  const ms_set *s = &u->runner->program->set[i];
  ms_universe_set *to = &u->set[i];
  const ms_universe_set *from = &u->set[s->parent];
  uint32_t v = u->match[s->level];
  ms_places p = narrow_places(u, &to->bounds), window = p;
  if (u->upper && v >= window.lo)
    window.lo = v + 1;
  if (!find_words(from, window, &to->first, &to->last)) {
    to->last = to->first;
    return 0;
  }
  uint32_t first = to->first, words = to->last - first;
  const uint64_t *row = row_at(u, v) + first, *a = from->bits + first;
  uint64_t count = s->subtract ? and_not_words(a, row, words, to->bits + first)
                               : and_words(a, row, words, to->bits + first);
  return to->bounds.cuts ? cut_words(to->bits, first, to->last, p, count) : count;
}

/* Computes the sets of a level.  Returns false if one is too small. */
static inline bool compute_all(ms_universe *u, uint32_t level)
{
  const ms_program *p = u->runner->program;
  for (uint32_t i = p->level_sets[level]; i < p->level_sets[level + 1]; i++)
    if (compute(u, p->by_level[i]) < p->set[p->by_level[i]].need)
      return false;
  u->runner->intersections += p->level_sets[level + 1] - p->level_sets[level];
  return true;
}

/* ---- tails ------------------------------------------------------------------------------ */

/* Returns the number of the set's elements among the places. */
static inline uint64_t count_places(const ms_universe_set *s, ms_places p)
{
  uint32_t first, last;
  if (!find_words(s, p, &first, &last))
    return 0;
  uint64_t count = count_words_of(s->bits + first, s->bits + first, last - first);
  if (first == p.lo / 64)
    count -= (uint64_t)__builtin_popcountll(s->bits[first] & ~ones_from(p.lo));
  if (last == (p.hi + 63) / 64)
    count -= (uint64_t)__builtin_popcountll(s->bits[last - 1] & ~ones_below(p.hi));
  return count;
}

static inline bool has_place(const ms_universe_set *s, ms_places p, uint32_t v)
{
  return v >= p.lo && v < p.hi && v / 64 >= s->first && v / 64 < s->last && has_bit(s->bits, v);
}

/* Returns the size of the group without the matches of earlier levels. */
static uint64_t size_of(const ms_universe *u, uint32_t number)
{
  const ms_tail_group *g = &u->runner->program->group[number];
  const ms_universe_set *s = &u->set[g->set];
  ms_places p = narrow_places(u, &u->group[number]);
  uint64_t size = count_places(s, p);
  MS_EACH_MEMBER (j, g->distinct)
    size -= j > 0 && has_place(s, p, u->match[j]);
  return size;
}

/* Copies the group's set without the matches of earlier levels; words outside of it are zero. */
static uint64_t copy_group(ms_universe *u, uint32_t number)
{
  const ms_program *program = u->runner->program;
  const ms_tail_group *g = &program->group[number];
  const ms_universe_set *s = &u->set[g->set];
  ms_universe_set *to = &u->set[program->n_sets + number];
  ms_places p = narrow_places(u, &u->group[number]);
  if (!find_words(s, p, &to->first, &to->last)) {
    to->last = to->first;
    return 0;
  }
  uint32_t first = to->first;
  uint64_t count = and_words(s->bits + first, s->bits + first, to->last - first, to->bits + first);
  count = cut_words(to->bits, first, to->last, p, count);
  MS_EACH_MEMBER (j, g->distinct)
    if (j > 0 && has_place(to, p, u->match[j])) {
      to->bits[u->match[j] / 64] &= ~(UINT64_C(1) << u->match[j] % 64);
      count--;
    }
  return count;
}

/* Returns the number of vertices that all groups of the mask have, which are copied. */
static uint64_t count_common(const ms_universe *u, uint32_t mask)
{
  const ms_universe_set *copy = u->set + u->runner->program->n_sets;
  uint32_t first = 0, last = UINT32_MAX;
  uint64_t count = 0;
  for (uint32_t left = mask; left; left &= left - 1) {
    const ms_universe_set *s = &copy[__builtin_ctz(left)];
    first = s->first > first ? s->first : first;
    last = s->last < last ? s->last : last;
  }
  for (uint32_t w = first; w < last; w++) {
    uint64_t both = ~UINT64_C(0);
    for (uint32_t left = mask; left; left &= left - 1)
      both &= copy[__builtin_ctz(left)].bits[w];
    count += (uint64_t)__builtin_popcountll(both);
  }
  return count;
}

/* Adds the value of the tail under a match of all levels. */
static void add_tail(ms_universe *u)
{
  ms_runner *r = u->runner;
  const ms_program *p = r->program;
  uint64_t size[1u << MS_MAX_TAIL];
  for (uint32_t g = 0; g < p->n_groups; g++) {
    uint64_t s = p->group[g].size_only ? size_of(u, g) : copy_group(u, g);
    size[1u << g] = s;
    if (s < (p->product ? 1 : p->group[g].size))
      return;
  }
  for (uint32_t i = 0; i < p->n_terms; i++)
    for (uint32_t b = 0; b < p->term[i].count; b++) {
      uint32_t mask = p->term[i].mask[b];
      if (mask & (mask - 1)) {
        size[mask] = count_common(u, mask);
        r->intersections += (uint64_t)__builtin_popcount(mask) - 1;
      }
    }
  ms_tail_add_sizes(r, size);
}

/* Returns c (c-1) .. (c-size+1); universe.h bounds both numbers. */
static inline uint64_t falling_of(uint64_t c, uint32_t size)
{
  uint64_t product = c;
  for (uint32_t i = 1; i < size; i++)
    product *= c > i ? c - i : 0;
  return product;
}

/* ---- levels ----------------------------------------------------------------------------- */

static inline bool is_match(const ms_universe *u, const ms_step *step, uint32_t v)
{
  for (uint32_t i = 0; i < step->distinct_list.count; i++)
    if (step->distinct_list.level[i] > 0 && u->match[step->distinct_list.level[i]] == v)
      return true;
  return false;
}

/* The candidates of a level: the ones of the words [first, last) of a set, and the masks of the
 * first and the last word. */
typedef struct candidates {
  const uint64_t *bits;
  uint32_t first, last;
  ms_places range;
} candidates;

static inline candidates candidates_of(const ms_universe *u, uint32_t level)
{
  const ms_step *step = &u->runner->program->step[level];
  const ms_universe_set *s = &u->set[step->set];
  candidates c = {.bits = s->bits, .range = narrow_places(u, &u->step[level])};
  if (!find_words(s, c.range, &c.first, &c.last))
    c.last = c.first;
  return c;
}

static inline uint64_t word_of(const candidates *c, uint32_t w)
{
  uint64_t word = c->bits[w];
  word &= w == c->range.lo / 64 ? ones_from(c->range.lo) : ~UINT64_C(0);
  word &= w + 1 == (c->range.hi + 63) / 64 ? ones_below(c->range.hi) : ~UINT64_C(0);
  return word;
}

/* Returns the number of the set's and the row's common elements among the places. */
static inline uint64_t count_between(const ms_universe_set *s, const uint64_t *row, ms_places p,
                                     uint32_t first, uint32_t last)
{
  uint64_t count = 0;
  if (first == p.lo / 64)
    count -= (uint64_t)__builtin_popcountll(s->bits[first] & row[first] & ~ones_from(p.lo));
  if (last == (p.hi + 63) / 64)
    count -= (uint64_t)__builtin_popcountll(s->bits[last - 1] & row[last - 1] & ~ones_below(p.hi));
  return count + count_words_of(s->bits + first, row + first, last - first);
}

/* Returns the value of the tail with this candidate as the match of the last level, where the
 * earlier levels leave these places. */
static inline uint64_t value_of(ms_universe *u, const ms_universe_set *from, ms_places p,
                                uint32_t v)
{
  const ms_universe_last *l = &u->tail;
  uint32_t first, last;
  ms_places window = p;
  window.lo = l->above && v >= p.lo ? v + 1 : p.lo;
  p.hi = window.hi = l->below && v < p.hi ? v : p.hi;
  if (!find_words(from, window, &first, &last))
    return 0;
  const uint64_t *row = row_at(u, v);
  uint64_t count;
  if (u->upper && !l->bounds.cuts && !l->below)
    count = count_words_of(from->bits + first, row + first, last - first);
  else
    count = count_between(from, row, window, first, last);
  for (uint32_t i = 0; i < l->n_distinct; i++) {
    uint32_t w = u->match[l->distinct[i]];
    count -= has_place(from, window, w) && has_bit(row, w);
  }
  return falling_of(count, l->size);
}

/* Visits the last level where it completes the set of the tail alone. */
static void visit_simple(ms_universe *u, uint32_t level)
{
  ms_runner *r = u->runner;
  const ms_step *step = &r->program->step[level];
  const ms_universe_set *from = &u->set[u->tail.from];
  ms_places p = narrow_places(u, &u->tail.bounds);
  candidates c = candidates_of(u, level);
  ms_wide_size sum = 0;
  uint64_t visits = 0;
  for (uint32_t w = c.first; w < c.last; w++)
    for (uint64_t left = word_of(&c, w); left; left &= left - 1) {
      uint32_t v = w * 64 + (uint32_t)__builtin_ctzll(left);
      visits++;
      if (!is_match(u, step, v))
        sum += value_of(u, from, p, v);
    }
  r->intersections += visits;
  r->visits += visits;
  r->steps += visits;
  ms_tail_add_number(r, sum);
}

static bool visit_places(ms_universe *u, uint32_t level);

/* Continues below a match of the level. */
static inline bool continue_from(ms_universe *u, uint32_t level, uint32_t v)
{
  const ms_program *p = u->runner->program;
  u->match[level] = v;
  if (!compute_all(u, level))
    return true;
  if (level + 1 < p->prefix)
    return visit_places(u, level + 1);
  add_tail(u);
  return true;
}

static bool visit_places(ms_universe *u, uint32_t level)
{
  ms_runner *r = u->runner;
  const ms_program *p = r->program;
  const ms_step *step = &p->step[level];
  uint64_t visits = 0;
  if (level + 1 == p->prefix && u->is_simple) {
    visit_simple(u, level);
    return ms_runner_goes_on(r);
  }
  candidates c = candidates_of(u, level);
  for (uint32_t w = c.first; w < c.last; w++)
    for (uint64_t left = word_of(&c, w); left; left &= left - 1) {
      uint32_t v = w * 64 + (uint32_t)__builtin_ctzll(left);
      visits++;
      if (!is_match(u, step, v) && !continue_from(u, level, v))
        return false;
    }
  r->visits += visits;
  r->steps += visits + 1;
  return ms_runner_goes_on(r);
}

static bool visit_children(ms_universe *u, uint64_t first, uint64_t last)
{
  ms_runner *r = u->runner;
  ms_span span = ms_runner_candidates(r, 1);
  for (uint64_t i = first; i < last; i++)
    if (!continue_from(u, 1, u->place[span.ids[i]] - 1))
      return false;
  return r->status == MS_OK;
}

const ms_universe_path UNIVERSE = {.name = UNIVERSE_NAME, .visit = visit_children};
