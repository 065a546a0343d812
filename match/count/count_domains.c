#include "match/count/count_domains.h"

#include "base/alloc.h"
#include "base/status.h"

#include <string.h>

#define BIT(i) (UINT64_C(1) << (i))

static void set_range(uint64_t *bits, size_t words, uint32_t lo, uint32_t hi)
{
  memset(bits, 0, words * sizeof *bits);
  for (uint32_t i = lo; i < hi;) {
    uint32_t in_word = 64 - i % 64, left = hi - i, some = in_word < left ? in_word : left;
    bits[i / 64] |= (some == 64 ? ~UINT64_C(0) : BIT(some) - 1) << i % 64;
    i += some;
  }
}

static void intersect_domains(const ms_domains *domains, ms_bitset member, size_t words,
                              uint64_t *bits, ms_domain *out)
{
  uint32_t lo = 0, hi = domains->index->n;
  bool range = true;
  MS_EACH_MEMBER (i, member) {
    const ms_domain *d = &domains->of[i];
    lo = d->lo > lo ? d->lo : lo;
    hi = d->hi < hi ? d->hi : hi;
    range = range && !d->bits;
  }
  *out = (ms_domain){.lo = lo, .hi = hi > lo ? hi : lo, .count = hi > lo ? hi - lo : 0};
  if (range || out->count == 0)
    return;
  set_range(bits, words, lo, hi);
  MS_EACH_MEMBER (i, member) {
    const ms_domain *d = &domains->of[i];
    for (size_t w = 0; d->bits && w < words; w++)
      bits[w] &= d->bits[w];
  }
  out->bits = bits;
  out->count = 0;
  for (size_t w = 0; w < words; w++)
    out->count += (uint32_t)__builtin_popcountll(bits[w]);
}

/* Lets equal domains have the same bits.  A program tells sets apart by their addresses
 * (cpu/program_chains.c), so that it would be another one for an equal shape whose vertices are
 * merged in another way, and parts of a count could not be merged. */
static void share_bits(uint32_t n, ms_domain *domain)
{
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < i; j++)
      if (domain[i].bits && domain[i].bits != domain[j].bits &&
          ms_domain_equal(&domain[i], &domain[j])) {
        domain[i].bits = domain[j].bits;
        break;
      }
}

ms_status ms_shape_domains_new(const ms_domains *domains, const ms_shape *shape,
                               ms_shape_domains *m, ms_error *err)
{
  size_t words = ((size_t)domains->index->n + 63) / 64;
  uint32_t merged = 0;
  *m = (ms_shape_domains){0};
  for (uint32_t i = 0; i < shape->n; i++)
    merged += ms_bitset_count(shape->member[i]) > 1;
  if (merged > 0 && domains->store) {
    m->store = ms_alloc(words * merged, sizeof *m->store);
    if (!m->store)
      return ms_fail_memory(err, "domains of merged vertices");
  }
  merged = 0;
  for (uint32_t i = 0; i < shape->n; i++) {
    if (ms_bitset_count(shape->member[i]) == 1)
      m->domain[i] = domains->of[ms_bitset_first(shape->member[i])];
    else
      intersect_domains(domains, shape->member[i], words,
                        m->store ? m->store + words * merged++ : NULL, &m->domain[i]);
  }
  share_bits(shape->n, m->domain);
  return MS_OK;
}

void ms_shape_name_kinds(ms_shape *shape, const ms_domain *domain)
{
  for (uint32_t i = 0; i < shape->n; i++) {
    shape->kind[i] = i + 1; /* not MS_KIND_ANY */
    for (uint32_t j = 0; j < i; j++)
      if (shape->kind[j] == j + 1 && ms_domain_equal(&domain[i], &domain[j])) {
        shape->kind[i] = j + 1;
        break;
      }
  }
}

bool ms_domain_is_by_degree(const ms_domain *domain, const ms_pattern_index *index, uint32_t degree)
{
  return index->by_degree && index->colors == 0 && !domain->bits && domain->hi == index->n &&
         (domain->lo == 0 || ms_row_length(&index->rows[MS_ROWS_ANY], domain->lo - 1) < degree);
}

bool ms_domains_follow(const ms_domains *domains, const ms_shape *shape)
{
  return domains->implied && domains->index->colors == 0 && shape->n == domains->n &&
         !shape->directed;
}

void ms_domains_widen(ms_domains *domains, const ms_shape *shape)
{
  const ms_pattern_index *index = domains->index;
  bool wide[MS_MAX_PATTERN];
  uint32_t lo = index->n;
  for (uint32_t v = 0; ms_domains_follow(domains, shape) && v < domains->n; v++)
    domains->of[v] = (ms_domain){.hi = index->n, .count = index->n};
  for (uint32_t i = 0; i < shape->n; i++)
    MS_EACH_MEMBER (v, shape->member[i]) { /* of the pattern */
      const ms_domain *d = &domains->of[v];
      wide[v] = ms_domain_is_by_degree(d, index, ms_bitset_count(shape->out[i]));
      lo = wide[v] && d->lo < lo ? d->lo : lo;
    }
  for (uint32_t i = 0; i < shape->n; i++)
    MS_EACH_MEMBER (v, shape->member[i])
      if (wide[v])
        domains->of[v] = (ms_domain){.lo = lo, .hi = index->n, .count = index->n - lo};
}
