#include "match/count/leaves.h"

#include "base/alloc.h"
#include "base/crc32c.h"
#include "base/status.h"

#include <string.h>

void ms_count_leaves_clear(ms_count_leaves *l)
{
  for (uint64_t i = 0; i < l->count; i++)
    mpz_clear(l->leaf[i].value);
  l->count = l->next = 0;
}

void ms_count_leaves_free(ms_count_leaves *l)
{
  ms_count_leaves_clear(l);
  ms_free(l->leaf);
  l->leaf = NULL;
  l->room = 0;
}

ms_status ms_count_leaves_append(ms_count_leaves *l, const mpz_t value, uint32_t sum, ms_error *err)
{
  if (!MS_GROW(l->leaf, l->room, l->count, 1))
    return ms_fail_memory(err, "the numbers of a count");
  mpz_init_set(l->leaf[l->count].value, value);
  l->leaf[l->count++].sum = sum;
  return MS_OK;
}

static ms_status fail_other(uint64_t number, ms_error *err)
{
  return ms_fail(err, MS_ERR_USAGE,
                 "number %llu of the count is one of another count: the graph, the pattern, the "
                 "options or the version of motifsieve differ",
                 (unsigned long long)number + 1);
}

ms_status ms_count_leaves_add(ms_count_leaves *sum, const ms_count_leaves *share, ms_error *err)
{
  bool copies = sum->count == 0;
  if (!copies && sum->count != share->count)
    return fail_other(sum->count < share->count ? sum->count : share->count, err);
  for (uint64_t i = 0; !copies && i < share->count; i++)
    if (sum->leaf[i].sum != share->leaf[i].sum)
      return fail_other(i, err);
  for (uint64_t i = 0; i < share->count; i++)
    if (copies)
      MS_TRY(ms_count_leaves_append(sum, share->leaf[i].value, share->leaf[i].sum, err));
    else
      mpz_add(sum->leaf[i].value, sum->leaf[i].value, share->leaf[i].value);
  return MS_OK;
}

void ms_count_leaves_rewind(ms_count_leaves *l)
{
  l->replays = true;
  l->next = 0;
}

ms_status ms_count_leaves_replay(ms_count_leaves *l, uint32_t sum, mpz_t value, ms_error *err)
{
  if (l->next >= l->count || l->leaf[l->next].sum != sum)
    return fail_other(l->next, err);
  mpz_set(value, l->leaf[l->next++].value);
  return MS_OK;
}

/* ---- checksums ------------------------------------------------------------------------------ */

static uint32_t add_numbers(uint32_t crc, const uint64_t *number, size_t count)
{
  return ms_crc32c(crc, number, count * sizeof *number);
}

static uint32_t add_domain(uint32_t crc, const ms_domain *domain)
{
  const uint64_t facts[] = {domain->lo, domain->hi, domain->count};
  return add_numbers(crc, facts, sizeof facts / sizeof *facts);
}

static uint32_t add_shape(uint32_t crc, const ms_shape *shape)
{
  for (uint32_t i = 0; i < shape->n; i++) {
    uint64_t near[2] = {0, 0};
    MS_EACH_MEMBER (j, shape->out[i])
      near[0] = near[0] * 131 + j + 1;
    MS_EACH_MEMBER (j, shape->in[i])
      near[1] = near[1] * 131 + j + 1;
    crc = add_numbers(crc, near, 2);
  }
  return crc;
}

uint32_t ms_count_leaf_sum(const ms_program *p, const char *what)
{
  const uint64_t facts[] = {p->index->n,    p->index->arcs, p->shape.n,      p->prefix,  p->n_sets,
                            p->n_groups,    p->n_terms,     p->product,      p->falling, p->table,
                            p->table_below, p->table_above, p->inner != NULL};
  uint32_t crc = ms_crc32c(0, what, strlen(what));
  crc = add_numbers(crc, facts, sizeof facts / sizeof *facts);
  crc = add_shape(crc, &p->shape);
  for (uint32_t i = 0; i < p->prefix; i++) {
    const ms_step *step = &p->step[i];
    const uint64_t level[] = {step->vertex, step->source, (uint64_t)(int64_t)step->set};
    crc = add_numbers(crc, level, 3);
    crc = add_domain(crc, &step->domain);
  }
  for (uint32_t g = 0; g < p->n_groups; g++) {
    const uint64_t group[] = {p->group[g].size, (uint64_t)(int64_t)p->group[g].set};
    crc = add_numbers(crc, group, 2);
    crc = add_domain(crc, &p->group[g].domain);
  }
  return crc;
}
