#include "match/count/count_choices.h"

#include "base/alloc.h"
#include "base/crc32c.h"

#include <string.h>

/* What a choice depends on within one count.  Without padding, so that it can be compared. */
typedef struct choice_key {
  uint64_t n, directed, estimate;
  double least, most, most_probes; /* what probes may take: a hinge is compared by small ones */
  uint64_t out[MS_COUNT_SMALL], in[MS_COUNT_SMALL];
  uint64_t kind[MS_COUNT_SMALL], lo[MS_COUNT_SMALL], hi[MS_COUNT_SMALL], count[MS_COUNT_SMALL],
      bits[MS_COUNT_SMALL]; /* of the domains; bits: their CRC-32C */
} choice_key;

typedef struct ms_kept_choice {
  choice_key key;
  ms_count_chosen chosen;
} ms_kept_choice;

static void fill_key(const ms_count_choices *c, const ms_count_query *query, const ms_shape *shape,
                     const ms_domain *domain, choice_key *key)
{
  memset(key, 0, sizeof *key);
  key->n = shape->n;
  key->directed = shape->directed;
  if (!c->by_shape) {
    key->estimate = query->estimate;
    key->least = query->effort.least;
    key->most = query->effort.most;
    key->most_probes = query->most_probes;
  }
  for (uint32_t i = 0; i < shape->n; i++) {
    const ms_domain *d = &domain[i];
    key->out[i] = ms_bitset_word(shape->out[i]);
    key->in[i] = ms_bitset_word(shape->in[i]);
    key->kind[i] = shape->kind[i];
    key->lo[i] = d->lo;
    key->hi[i] = d->hi;
    key->count[i] = d->count;
    key->bits[i] =
        d->bits ? 1 + (uint64_t)ms_crc32c(0, d->bits, query->index->words * sizeof *d->bits) : 0;
  }
}

bool ms_count_choices_find(ms_count_choices *c, const ms_count_query *query, const ms_shape *shape,
                           const ms_domain *domain, ms_count_chosen *out)
{
  choice_key key;
  if (!c || c->count == 0)
    return false;
  fill_key(c, query, shape, domain, &key);
  for (uint32_t i = 0; i < c->count; i++)
    if (memcmp(&c->kept[i].key, &key, sizeof key) == 0) {
      *out = c->kept[i].chosen;
      c->found++;
      return true;
    }
  return false;
}

void ms_count_choices_keep(ms_count_choices *c, const ms_count_query *query, const ms_shape *shape,
                           const ms_domain *domain, const ms_count_chosen *chosen)
{
  if (!c)
    return;
  if (!MS_GROW(c->kept, c->room, c->count, 1))
    return;
  fill_key(c, query, shape, domain, &c->kept[c->count].key);
  c->kept[c->count++].chosen = *chosen;
}

void ms_count_choices_free(ms_count_choices *c)
{
  ms_free(c->kept);
  *c = (ms_count_choices){0};
}
