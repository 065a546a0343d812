#include "match/count/shape_memo.h"

#include "base/alloc.h"
#include "base/numbers.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

#define BIT(i) (UINT64_C(1) << (i))
#define MAX_NUMBERINGS 5040u
#define ROUNDS 3

/* One component, with vertices numbered from 0. */
typedef struct part {
  uint32_t n;
  uint8_t vertex[MS_MEMO_VERTICES]; /* [n] vertices of the shape */
  /* [n] refined colour of each vertex, in the order of `vertex` */
  uint64_t color[MS_MEMO_VERTICES];
  /* the numbering that is being tried, as places in `vertex` */
  uint8_t order[MS_MEMO_VERTICES];
  ms_shape_key best; /* the best key of this part alone */
  uint32_t tried;
} part;

typedef struct namer {
  const ms_shape *shape;
  const uint64_t *label;
  part part;
} namer;

static uint64_t mix(uint64_t a, uint64_t b)
{
  uint64_t x = (a ^ b) + UINT64_C(0x9E3779B97F4A7C15) + (a << 6) + (a >> 2);
  x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
  return x ^ x >> 31;
}

/* ---- refinement ------------------------------------------------------------------ */

static void refine(namer *w, uint64_t *color)
{
  const ms_shape *s = w->shape;
  uint64_t next[MS_MEMO_VERTICES];
  for (uint32_t i = 0; i < s->n; i++)
    color[i] = mix(w->label[i], ms_bitset_count(s->out[i]) << 8 | ms_bitset_count(s->in[i]));
  for (int round = 0; round < ROUNDS; round++) {
    for (uint32_t i = 0; i < s->n; i++) {
      next[i] = mix(color[i], 1);
      MS_EACH_MEMBER (j, s->out[i])
        next[i] += mix(color[j], 2);
      MS_EACH_MEMBER (j, s->in[i])
        next[i] += mix(color[j], 3);
    }
    memcpy(color, next, s->n * sizeof *color);
  }
}

/* Sorts the vertices by color; equal colors stay in any order. */
static void sort_part(part *p)
{
  for (uint32_t i = 1; i < p->n; i++)
    for (uint32_t j = i; j > 0 && p->color[j - 1] > p->color[j]; j--) {
      uint64_t color = p->color[j];
      uint8_t vertex = p->vertex[j];
      p->color[j] = p->color[j - 1];
      p->vertex[j] = p->vertex[j - 1];
      p->color[j - 1] = color;
      p->vertex[j - 1] = vertex;
    }
}

/* ---- numberings ------------------------------------------------------------------- */

static void keep_if_smallest(namer *w)
{
  part *p = &w->part;
  ms_shape_key key;
  uint8_t place[MS_MEMO_VERTICES];
  memset(&key, 0, sizeof key);
  key.n = p->n;
  for (uint32_t i = 0; i < p->n; i++)
    place[p->vertex[p->order[i]]] = (uint8_t)i;
  for (uint32_t i = 0; i < p->n; i++) {
    uint32_t v = p->vertex[p->order[i]];
    key.label[i] = w->label[v];
    MS_EACH_MEMBER (u, w->shape->out[v])
      key.out[i] |= BIT(place[u]);
  }
  if (p->tried++ == 0 || memcmp(&key, &p->best, sizeof key) < 0)
    p->best = key;
}

/* True if every numbering may exchange the two vertices, because their other neighbours are the
 * same and an arc between them has one in return. */
static bool are_twins(const namer *w, uint32_t i, uint32_t j)
{
  uint32_t a = w->part.vertex[i], b = w->part.vertex[j];
  const ms_shape *s = w->shape;
  return w->label[a] == w->label[b] &&
         ms_bitset_has(&s->out[a], b) == ms_bitset_has(&s->out[b], a) &&
         ms_bitset_equal(ms_bitset_without(s->out[a], b), ms_bitset_without(s->out[b], a)) &&
         ms_bitset_equal(ms_bitset_without(s->in[a], b), ms_bitset_without(s->in[b], a));
}

/* Tries every order of the vertices of equal color. Of twins, only the first
 * remaining one comes next. */
static void try_numberings(namer *w, uint32_t i, uint32_t taken)
{
  part *p = &w->part;
  if (i == p->n) {
    keep_if_smallest(w);
    return;
  }
  for (uint32_t j = 0; j < p->n && p->tried <= MAX_NUMBERINGS; j++) {
    bool first = !(taken >> j & 1) && p->color[j] == p->color[i];
    for (uint32_t k = 0; first && k < j; k++)
      first = (taken >> k & 1) || p->color[k] != p->color[j] || !are_twins(w, j, k);
    if (!first)
      continue;
    p->order[i] = (uint8_t)j;
    try_numberings(w, i + 1, taken | UINT32_C(1) << j);
  }
}

static int compare_keys(const void *a, const void *b)
{
  return memcmp(a, b, sizeof(ms_shape_key));
}

bool ms_shape_key_of(const ms_shape *shape, const uint64_t *label, ms_shape_key *key)
{
  namer w = {.shape = shape, .label = label};
  ms_shape_key parts[MS_MEMO_VERTICES];
  uint64_t color[MS_MEMO_VERTICES];
  uint32_t count = 0;
  if (shape->n > MS_MEMO_VERTICES)
    return false;
  refine(&w, color);
  ms_bitset left = ms_bitset_below(shape->n);
  MS_EACH_MEMBER (i, left) {
    ms_bitset component = ms_shape_component(shape, i);
    left = ms_bitset_minus(left, component);
    w.part = (part){0};
    MS_EACH_MEMBER (v, component) {
      w.part.color[w.part.n] = color[v];
      w.part.vertex[w.part.n++] = (uint8_t)v;
    }
    sort_part(&w.part);
    try_numberings(&w, 0, 0);
    if (w.part.tried > MAX_NUMBERINGS)
      return false;
    parts[count++] = w.part.best;
  }
  qsort(parts, count, sizeof *parts, compare_keys);
  memset(key, 0, sizeof *key);
  for (uint32_t c = 0; c < count; c++)
    for (uint64_t i = 0, base = key->n; i < parts[c].n; i++) {
      key->label[base + i] = parts[c].label[i];
      key->out[base + i] = parts[c].out[i] << base;
      key->n++;
    }
  return true;
}

/* ---- the memo ---------------------------------------------------------------- */

bool ms_shape_memo_get(const ms_shape_memo *memo, const ms_shape_key *key, mpz_t maps)
{
  for (size_t i = 0; i < memo->count; i++)
    if (memcmp(&memo->entry[i].key, key, sizeof *key) == 0) {
      mpz_set(maps, memo->entry[i].maps);
      return true;
    }
  return false;
}

ms_status ms_shape_memo_put(ms_shape_memo *memo, const ms_shape_key *key, const mpz_t maps,
                            ms_error *err)
{
  if (ms_numbers_low())
    return ms_fail_memory(err, "numbers of maps");
  if (!MS_GROW(memo->entry, memo->room, memo->count, 1))
    return ms_fail_memory(err, "numbers of maps");
  struct ms_shape_maps *entry = &memo->entry[memo->count++];
  entry->key = *key;
  mpz_init_set(entry->maps, maps);
  return MS_OK;
}

void ms_shape_memo_free(ms_shape_memo *memo)
{
  for (size_t i = 0; i < memo->count; i++)
    mpz_clear(memo->entry[i].maps);
  ms_free(memo->entry);
}

/* ---- numbers that several counts share ------------------------------------------------------ */

/* Returns the number of a domain, which is added if it is new; MS_SHARED_DOMAINS: there is no room.
 */
static uint32_t find_shared_domain(ms_shared_maps *s, const ms_domain *domain)
{
  uint32_t i = 0;
  while (i < s->domains && !ms_domain_equal(&s->domain[i], domain))
    i++;
  if (i < s->domains || i == MS_SHARED_DOMAINS)
    return i;
  ms_domain copy = *domain;
  if (domain->bits && domain->count > 0) {
    size_t words = s->index->words;
    uint64_t *bits = ms_alloc(words, sizeof *bits);
    if (!bits)
      return MS_SHARED_DOMAINS;
    memcpy(bits, domain->bits, words * sizeof *bits);
    copy.bits = bits;
  } else if (domain->bits) {
    copy.bits = NULL; /* all empty domains are equal */
  }
  s->domain[s->domains++] = copy;
  return i;
}

bool ms_shared_maps_name(ms_shared_maps *s, const ms_domains *domains, uint64_t *kind)
{
  if (!s->index)
    s->index = domains->index;
  if (s->index != domains->index)
    return false;
  for (uint32_t i = 0; i < domains->n; i++) {
    uint32_t number = find_shared_domain(s, &domains->of[i]);
    if (number == MS_SHARED_DOMAINS)
      return false;
    kind[i] = UINT64_C(1) << number;
  }
  return true;
}

void ms_shared_maps_free(ms_shared_maps *s)
{
  for (uint32_t i = 0; i < s->domains; i++)
    ms_free((void *)(uintptr_t)s->domain[i].bits);
  ms_shape_memo_free(&s->memo[0]);
  ms_shape_memo_free(&s->memo[1]);
  *s = (ms_shared_maps){0};
}
