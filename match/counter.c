#include "match/counter.h"

#include "match/count_domains.h"

#include <string.h>

#define BIT(i) (UINT64_C(1) << (i))

void ms_counter_init(ms_counter *c, const ms_count_query *query, ms_counter_fn *count,
                     ms_error *err)
{
  const ms_domains *domains = query->domains;
  ms_shape kinds = {.n = domains->n};
  *c = (ms_counter){.query = query, .err = err, .count = count, .names_shapes = domains->n <= 64};
  ms_shape_name_kinds(&kinds, domains->of);
  for (uint32_t i = 0; c->names_shapes && i < domains->n; i++)
    c->kind[i] = BIT(kinds.kind[i] - 1);
}

void ms_terms_init(ms_term_counter *t, const ms_counter *of, const ms_shape *shape)
{
  t->query = *of->query;
  t->domains = *of->query->domains;
  t->query.domains = &t->domains;
  ms_domains_widen(&t->domains, shape);
  ms_counter_init(&t->c, &t->query, of->count, of->err);
}

void ms_counter_label(const ms_counter *c, const ms_shape *shape, uint64_t *label)
{
  memset(label, 0, MS_MEMO_VERTICES * sizeof *label);
  for (uint32_t i = 0; i < shape->n; i++)
    MS_EACH_MEMBER (v, shape->member[i])
      label[i] |= c->kind[v];
}

ms_status ms_maps_add(void *user, const ms_shape *shape)
{
  ms_maps_sum *s = user;
  mpz_t maps;
  mpz_init(maps);
  ms_status status = s->c->count(s->c, shape, maps);
  mpz_add(s->sum, s->sum, maps);
  mpz_clear(maps);
  return status;
}
