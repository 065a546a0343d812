#include "motif/best/families.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/hooks.h"
#include "base/status.h"

#include <math.h>
#include <string.h>

#define FIRST_BITS 10u /* the table begins with 2^10 places */
#define FIRST_LIST 4u

/* The representatives that hold a vertex, ascending. */
typedef struct list {
  uint32_t *of; /* [room] */
  uint32_t count, room;
} list;

struct ms_families {
  uint32_t n, k, shared, count;
  uint32_t subsets; /* of `shared` vertices of a match; 0: lists are used */
  ms_budget *budget;
  uint64_t reserved;
  const ms_hash_key *key;
  /* [1 << bits] a part of the subset's hash << 32 | the representative's number + 1; 0: free */
  uint64_t *place;
  uint32_t bits;
  uint64_t used;
  list *holding; /* [n] */
};

uint32_t ms_families_least(double share, uint32_t k)
{
  double least = ceil(share * k - 1e-9); /* 0.1 * 30 is more than 3 */
  return least < 1 ? 1 : (uint32_t)least;
}

/* Returns C(k, shared), or 0 if it is greater than `most`. */
static uint32_t count_subsets(uint32_t k, uint32_t shared, uint32_t most)
{
  uint64_t subsets = 1;
  for (uint32_t i = 1; i <= shared; i++) {
    subsets = subsets * (k - shared + i) / i;
    if (subsets > most)
      return 0;
  }
  return (uint32_t)subsets;
}

static bool reserve(ms_families *f, uint64_t bytes)
{
  if (!ms_budget_reserve(f->budget, bytes))
    return false;
  f->reserved += bytes;
  return true;
}

ms_status ms_families_new(uint32_t n, uint32_t k, uint32_t shared, ms_budget *budget,
                          ms_families **out, ms_error *err)
{
  ms_families *f = *out = ms_calloc(1, sizeof *f);
  if (!f)
    return ms_fail_memory(err, "families of matches");
  *f = (ms_families){.n = n, .k = k, .shared = shared, .budget = budget};
  f->subsets = count_subsets(k, shared, ms_hooks.family_subsets);
  f->key = ms_hash_key_get();
  f->bits = FIRST_BITS;
  bool table = f->subsets > 0;
  uint64_t bytes = table ? sizeof *f->place << f->bits : n * sizeof *f->holding;
  if (!reserve(f, bytes) || (table && !(f->place = ms_calloc((size_t)1 << f->bits, 8))) ||
      (!table && !(f->holding = ms_calloc(n, sizeof *f->holding)))) {
    ms_families_free(f);
    *out = NULL;
    return ms_fail_memory(err, "families of matches");
  }
  return MS_OK;
}

void ms_families_free(ms_families *f)
{
  if (!f)
    return;
  for (uint32_t v = 0; f->holding && v < f->n; v++)
    ms_free(f->holding[v].of);
  ms_free(f->holding);
  ms_free(f->place);
  ms_budget_release(f->budget, f->reserved);
  ms_free(f);
}

/* Do two rows, which ascend, share enough vertices? */
static bool overlap(const ms_families *f, const uint32_t *a, const uint32_t *b)
{
  uint32_t i = 0, j = 0, shared = 0, left = f->k - f->shared; /* vertices that each may lack */
  while (shared < f->shared && i - shared <= left && j - shared <= left) {
    shared += a[i] == b[j];
    uint32_t x = a[i], y = b[j];
    i += x <= y;
    j += y <= x;
  }
  return shared == f->shared;
}

/* ---- the table of subsets ---------------------------------------------------------- */

/* The subsets of a row, one after the other: the sum of the hashes of their vertices is their
 * hash. */
typedef struct subsets {
  uint64_t hash[MS_MAX_K]; /* [k] of the row's vertices */
  uint64_t sum[MS_MAX_K + 1];
  uint32_t at[MS_MAX_K]; /* [shared] places of the subset's vertices, ascending */
} subsets;

static void begin_subsets(const ms_families *f, const uint32_t *row, subsets *s)
{
  for (uint32_t i = 0; i < f->k; i++)
    s->hash[i] = ms_hash_bytes(f->key, &row[i], sizeof row[i]);
  s->sum[0] = 0;
  for (uint32_t i = 0; i < f->shared; i++) {
    s->at[i] = i;
    s->sum[i + 1] = s->sum[i] + s->hash[i];
  }
}

/* Moves on to the next subset in lexicographic order; returns false behind the last one. */
static bool next_subset(const ms_families *f, subsets *s)
{
  uint32_t i = f->shared;
  while (i > 0 && s->at[i - 1] == f->k - f->shared + i - 1)
    i--;
  if (i == 0)
    return false;
  uint32_t at = s->at[i - 1] + 1;
  for (i--; i < f->shared; i++, at++) {
    s->at[i] = at;
    s->sum[i + 1] = s->sum[i] + s->hash[at];
  }
  return true;
}

static uint32_t find_in_table(const ms_families *f, const uint32_t *representative,
                              const uint32_t *row)
{
  uint32_t best = MS_NO_ID;
  uint64_t last = (UINT64_C(1) << f->bits) - 1;
  subsets s;
  begin_subsets(f, row, &s);
  do {
    uint64_t hash = s.sum[f->shared], at = hash >> (64 - f->bits);
    for (uint64_t entry; (entry = f->place[at]) != 0; at = (at + 1) & last) {
      uint32_t found = (uint32_t)entry - 1;
      /* other subsets may have the same hash */
      if (entry >> 32 == (uint32_t)hash && found < best &&
          overlap(f, representative + (size_t)found * f->k, row))
        best = found;
    }
  } while (best > 0 && next_subset(f, &s));
  return best;
}

static void put_in_table(ms_families *f, const uint32_t *row, uint32_t number)
{
  uint64_t last = (UINT64_C(1) << f->bits) - 1;
  subsets s;
  begin_subsets(f, row, &s);
  do {
    uint64_t hash = s.sum[f->shared], at = hash >> (64 - f->bits);
    while (f->place[at] != 0)
      at = (at + 1) & last;
    f->place[at] = hash << 32 | (number + 1);
    f->used++;
  } while (next_subset(f, &s));
}

/* Doubles the table until it has room for another row. */
static bool grow_table(ms_families *f, const uint32_t *representative)
{
  uint32_t bits = f->bits;
  while ((f->used + f->subsets) * 2 > UINT64_C(1) << bits)
    bits++;
  if (bits == f->bits)
    return true;
  size_t before = (size_t)1 << f->bits, after = (size_t)1 << bits;
  if (!reserve(f, after * sizeof *f->place))
    return false;
  uint64_t *larger = ms_calloc(after, sizeof *larger);
  if (!larger)
    return false;
  ms_free(f->place);
  ms_budget_release(f->budget, before * sizeof *f->place);
  f->reserved -= before * sizeof *f->place;
  f->place = larger;
  f->bits = bits;
  f->used = 0;
  for (uint32_t i = 0; i < f->count; i++)
    put_in_table(f, representative + (size_t)i * f->k, i);
  return true;
}

/* ---- lists of vertices ------------------------------------------------------------- */

static uint32_t find_in_lists(const ms_families *f, const uint32_t *representative,
                              const uint32_t *row)
{
  const list *shortest[MS_MAX_K];
  uint32_t best = MS_NO_ID;
  for (uint32_t i = 0, at; i < f->k; i++) {
    const list *l = &f->holding[row[i]];
    for (at = i; at > 0 && shortest[at - 1]->count > l->count; at--)
      shortest[at] = shortest[at - 1];
    shortest[at] = l;
  }
  for (uint32_t i = 0; i <= f->k - f->shared; i++)
    for (uint32_t j = 0; j < shortest[i]->count && shortest[i]->of[j] < best; j++)
      if (overlap(f, representative + (size_t)shortest[i]->of[j] * f->k, row))
        best = shortest[i]->of[j];
  return best;
}

static bool put_in_list(ms_families *f, list *l, uint32_t number)
{
  if (l->count == l->room) {
    uint32_t room = l->room ? 2 * l->room : FIRST_LIST;
    if (!reserve(f, (room - l->room) * sizeof *l->of) ||
        !ms_enlarge(&l->of, l->room, room, sizeof *l->of))
      return false;
    l->room = room;
  }
  l->of[l->count++] = number;
  return true;
}

/* ---- both -------------------------------------------------------------------------- */

uint32_t ms_families_find(const ms_families *f, const uint32_t *representative, const uint32_t *row)
{
  return f->subsets > 0 ? find_in_table(f, representative, row)
                        : find_in_lists(f, representative, row);
}

bool ms_families_add(ms_families *f, const uint32_t *representative)
{
  const uint32_t *row = representative + (size_t)f->count * f->k;
  if (f->count == MS_NO_ID - 1)
    return false;
  if (f->subsets > 0) {
    if (!grow_table(f, representative))
      return false;
    put_in_table(f, row, f->count);
  } else {
    for (uint32_t i = 0; i < f->k; i++)
      if (!put_in_list(f, &f->holding[row[i]], f->count))
        return false;
  }
  f->count++;
  return true;
}
