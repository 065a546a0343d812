#include "match/domain_filter.h"

#include "base/threads/threads.h"
#include "match/cpu/sorted.h"

#include <string.h>

#define WORDS 64u   /* that a thread takes at a time */
#define SAMPLES 32u /* vertices of a domain */
/* Steps of a few nanoseconds for a condition on a vertex, about. */
#define CONDITION_STEPS 3u

void ms_bits_set_range(uint64_t *bits, uint32_t lo, uint32_t hi)
{
  for (uint32_t i = lo; i < hi; i = (i / 64 + 1) * 64) {
    uint64_t from = ~UINT64_C(0) << i % 64;
    bits[i / 64] |= hi - i / 64 * 64 < 64 ? from & ~(~UINT64_C(0) << hi % 64) : from;
  }
}

/* No vertex outside of the range has a bit, so that no other words are read. */
void ms_domain_close(ms_domain *domain)
{
  uint32_t count = 0;
  size_t from = domain->lo / 64, to = ((size_t)domain->hi + 63) / 64, first = to, last = 0;
  for (size_t w = from; w < to; w++)
    if (domain->bits[w]) {
      count += (uint32_t)__builtin_popcountll(domain->bits[w]);
      first = first == to ? w : first;
      last = w;
    }
  domain->count = count;
  domain->lo = count ? (uint32_t)(first * 64) + (uint32_t)__builtin_ctzll(domain->bits[first]) : 0;
  domain->hi =
      count ? (uint32_t)(last * 64) + 64 - (uint32_t)__builtin_clzll(domain->bits[last]) : 0;
}

/* ---- places in rows --------------------------------------------------------------------- */

/* Returns the number of bits, without an instruction that not every processor has. */
static uint32_t count_bits(uint64_t x)
{
  x -= x >> 1 & UINT64_C(0x5555555555555555);
  x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
  x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
  return (uint32_t)(x * UINT64_C(0x0101010101010101) >> 56);
}

/* Returns a place in v's row such that all entries of [lo, hi) are before it.  The entries from
 * `hi` on that are before it, too, if any, have the domain's colour. */
static uint32_t end_of(const ms_pattern_index *index, const ms_neighbor_rows *rows, uint32_t v,
                       const uint32_t *row, uint32_t length, uint32_t hi, uint32_t color)
{
  if (hi >= index->n)
    return length;
  if (length <= MS_SHORT_ROW) {
    uint32_t smaller = 0;
    for (uint32_t i = 0; i < length; i++)
      smaller += row[i] < hi;
    return smaller;
  }
  if (color >= 64 || !index->part || rows != &index->rows[MS_ROWS_ANY])
    return (uint32_t)ms_lower_bound(row, length, hi);
  uint64_t bit = UINT64_C(1) << color, near = index->near[v][0];
  return near & bit ? index->part[index->part_offset[v] + count_bits(near & (bit - 1))] : 0;
}

/* True if v has enough neighbours in the domain.  Neighbours of one colour ascend by degree, and
 * those of high degree are in most domains, so that the search begins with them. */
static bool meets(const ms_pattern_index *index, uint32_t v, const ms_domain_condition *c)
{
  const ms_neighbor_rows *rows = &index->rows[c->rows];
  const ms_domain *domain = c->domain;
  uint32_t length, found = 0;
  const uint32_t *row = ms_row(rows, v, &length);
  uint32_t at = end_of(index, rows, v, row, length, domain->hi, c->color);
  if (!domain->bits) {
    while (at > 0 && row[at - 1] >= domain->hi)
      at--;
    return at >= c->need && row[at - c->need] >= domain->lo;
  }
  while (found < c->need) {
    if (at == 0 || row[at - 1] < domain->lo)
      return false;
    at--;
    found += domain->bits[row[at] / 64] >> row[at] % 64 & 1;
  }
  return true;
}

static bool passes(const ms_pattern_index *index, uint32_t v, const ms_quick_test *g)
{
  return index->best[v] >= g->best &&
         (!index->near || !((g->near[0] & ~index->near[v][0]) | (g->near[1] & ~index->near[v][1])));
}

/* ---- one domain --------------------------------------------------------------------------- */

typedef struct keep_loop {
  ms_domain_filter *filter;
  uint64_t *bits;
  const ms_domain_condition *condition;
  uint32_t count;
  const ms_quick_test *test;
  const uint64_t *only;
  uint64_t *dropped;
  size_t first;    /* the word of the domain's first vertex */
  bool only_finds; /* the bits stay */
} keep_loop;

static uint64_t test_word(const keep_loop *l, size_t w, uint64_t word)
{
  const ms_pattern_index *index = l->filter->index;
  uint64_t stay = word;
  for (uint64_t left = l->only ? word & l->only[w] : word; left; left &= left - 1) {
    uint32_t v = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(left);
    bool good = !l->test || passes(index, v, l->test);
    for (uint32_t i = 0; good && i < l->count; i++)
      good = meets(index, v, &l->condition[i]);
    stay &= good ? ~UINT64_C(0) : ~(left & -left);
  }
  return stay;
}

static void test_words(void *user, ms_range range)
{
  const keep_loop *l = user;
  for (size_t w = l->first + range.begin; w < l->first + range.end; w++) {
    uint64_t before = l->bits[w], word = before;
    if (l->filter->allowed)
      word &= l->filter->allowed[w];
    if (word && !ms_watch_check(&l->filter->watch))
      word = test_word(l, w, word);
    if (!l->only_finds)
      l->bits[w] = word;
    if (l->dropped)
      l->dropped[w] = before & ~word;
  }
}

/* Tests a domain that is not empty, whose bits `l->bits` receives. */
static void run_loop(keep_loop *l, ms_domain *domain)
{
  uint64_t *bits = l->bits;
  size_t first = domain->lo / 64, words = (domain->hi - 1) / 64 + 1 - first;
  if (!domain->bits)
    ms_bits_set_range(bits, domain->lo, domain->hi);
  else if (domain->bits != bits)
    memcpy(bits + first, domain->bits + first, words * sizeof *bits);
  domain->bits = bits;
  l->first = first;
  uint64_t steps = (uint64_t)domain->count * (1 + CONDITION_STEPS * l->count);
  ms_parallel(ms_threads_for(l->filter->threads, steps), words, WORDS, test_words, l);
}

uint32_t ms_domain_filter_keep(ms_domain_filter *filter, ms_domain *domain, uint64_t *bits,
                               const ms_domain_condition *conditions, uint32_t count,
                               const ms_quick_test *test, const uint64_t *only, uint64_t *dropped)
{
  uint32_t before = domain->count;
  if (before == 0) {
    domain->bits = NULL;
    return 0;
  }
  keep_loop loop = {.filter = filter,
                    .bits = bits,
                    .condition = conditions,
                    .count = count,
                    .test = test,
                    .only = only,
                    .dropped = dropped};
  run_loop(&loop, domain);
  ms_domain_close(domain);
  return before - domain->count;
}

bool ms_domain_filter_find(ms_domain_filter *filter, ms_domain *domain, uint64_t *bits,
                           const ms_domain_condition *conditions, uint32_t count,
                           const uint64_t *only, uint64_t *dropped)
{
  if (domain->count == 0)
    return false;
  keep_loop loop = {.filter = filter,
                    .bits = bits,
                    .condition = conditions,
                    .count = count,
                    .only = only,
                    .dropped = dropped,
                    .only_finds = true};
  run_loop(&loop, domain);
  for (size_t w = domain->lo / 64; w <= (domain->hi - 1) / 64; w++)
    if (dropped[w])
      return true;
  return false;
}

void ms_domain_filter_drop(ms_domain *domain, uint64_t *bits, const uint64_t *dropped)
{
  for (size_t w = domain->lo / 64; w <= (domain->hi - 1) / 64; w++)
    bits[w] &= ~dropped[w];
  ms_domain_close(domain);
}

double ms_domain_filter_share(const ms_domain_filter *filter, const ms_domain *domain,
                              const ms_quick_test *test)
{
  uint32_t length = domain->hi - domain->lo, looked = 0, passed = 0;
  for (uint32_t i = 0; i < SAMPLES; i++) {
    uint32_t v = domain->lo + (uint32_t)((uint64_t)length * (2 * i + 1) / (2 * SAMPLES));
    if (!ms_domain_has(domain, v))
      continue;
    looked++;
    passed += passes(filter->index, v, test);
  }
  return looked > 0 ? (double)passed / looked : 1;
}

bool ms_domain_filter_mark(const ms_domain_filter *filter, const ms_domain *domain, uint32_t color,
                           const uint64_t *from, size_t first, size_t end, uint64_t *entries,
                           uint64_t *marks)
{
  const ms_pattern_index *index = filter->index;
  const ms_neighbor_rows *rows = &index->rows[MS_ROWS_ANY];
  for (size_t w = first; w < end; w++)
    for (uint64_t left = from[w]; left; left &= left - 1) {
      uint32_t v = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(left), length;
      const uint32_t *row = ms_row(rows, v, &length);
      uint32_t at = end_of(index, rows, v, row, length, domain->hi, color), stop = at;
      while (at > 0 && row[at - 1] >= domain->hi)
        at--;
      for (; at > 0 && row[at - 1] >= domain->lo; at--)
        marks[row[at - 1] / 64] |= UINT64_C(1) << row[at - 1] % 64;
      if (*entries < stop - at + 1)
        return false;
      *entries -= stop - at + 1;
    }
  return true;
}
