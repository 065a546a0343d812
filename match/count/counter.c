#include "match/count/counter.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "match/count/count_methods.h"

#include <math.h>
#include <string.h>

/* ---- estimates ------------------------------------------------------------------------------- */

void ms_estimates_free(ms_estimates *e)
{
  for (uint32_t i = 0; i < e->count; i++)
    ms_free(e->of[i].need);
  ms_free(e->of);
  ms_count_choices_free(&e->choices);
  *e = (ms_estimates){0};
}

uint32_t ms_estimates_find(const ms_estimates *e, const ms_shape_key *key)
{
  for (uint32_t i = 0; i < e->count; i++)
    if (memcmp(&e->of[i].key, key, sizeof *key) == 0)
      return i;
  return MS_NO_ESTIMATE;
}

ms_status ms_estimates_add(ms_estimates *e, const ms_shape_key *key, ms_error *err)
{
  if (!MS_GROW(e->of, e->room, e->count, 1))
    return ms_fail_memory(err, "estimates of a count");
  e->of[e->count++] = (ms_estimate){.key = *key, .hinge = MS_NO_ESTIMATE};
  return MS_OK;
}

ms_status ms_estimates_need(ms_estimates *e, uint32_t number, uint32_t needed, ms_error *err)
{
  ms_estimate *of = &e->of[number];
  for (uint32_t i = 0; i < of->needs; i++)
    if (of->need[i] == needed)
      return MS_OK;
  if (!MS_GROW(of->need, of->room, of->needs, 1))
    return ms_fail_memory(err, "estimates of a count");
  of->need[of->needs++] = needed;
  return MS_OK;
}

/* ---- the counter ----------------------------------------------------------------------------- */

/* Planning may take this share of the time of another way. */
#define PLANNING_SHARE 0.125
/* Steps that the probes of one plan may take in any case: fewer would make its choice a bad one. */
#define LEAST_PROBES 1e6

#define BIT(i) (UINT64_C(1) << (i))

void ms_counter_init(ms_counter *c, const ms_count_query *query, ms_counter_fn *count,
                     ms_error *err)
{
  const ms_domains *domains = query->domains;
  ms_shape kinds = {.n = domains->n};
  *c = (ms_counter){.query = query,
                    .err = err,
                    .count = count,
                    .names_shapes = domains->n <= 64,
                    .current = MS_NO_ESTIMATE};
  c->shares = query->shared && !query->leaves && c->names_shapes &&
              ms_shared_maps_name(query->shared, domains, c->kind);
  if (c->shares)
    return;
  ms_shape_name_kinds(&kinds, domains->of);
  for (uint32_t i = 0; c->names_shapes && i < domains->n; i++)
    c->kind[i] = BIT(kinds.kind[i] - 1);
}

ms_shape_memo *ms_counter_memo(ms_counter *c, const ms_shape *shape)
{
  return c->shares && !c->query->estimate ? &c->query->shared->memo[shape->directed] : &c->memo;
}

void ms_terms_init(ms_term_counter *t, const ms_counter *of, const ms_shape *shape)
{
  t->query = *of->query;
  t->domains = *of->query->domains;
  t->query.domains = &t->domains;
  t->own = (ms_estimates){.most = INFINITY, .choices.by_shape = true};
  if (!of->is_wide)
    ms_domains_widen(&t->domains, shape);
  ms_counter_init(&t->c, &t->query, of->count, of->err);
  ms_counter_take_estimates(&t->c, of->is_wide ? of->estimates : &t->own);
  t->planning = of->query->planning;
  t->query.planning = &t->c.estimates->spent;
  t->query.choices = &t->c.estimates->choices;
}

void ms_terms_bound_planning(ms_term_counter *t, double steps)
{
  ms_estimates *e = t->c.estimates;
  double most = PLANNING_SHARE * steps;
  e->most = ms_hooks.probe_steps > 0 ? e->spent + most : INFINITY; /* tests compare every way */
  t->query.most_probes = fmax(most, LEAST_PROBES);
}

bool ms_counter_may_plan(const ms_counter *c)
{
  const ms_estimates *e = c->estimates;
  return !e || (e->count < MS_ESTIMATES && e->spent < e->most);
}

void ms_terms_free(ms_term_counter *t)
{
  if (t->planning)
    *t->planning += t->own.spent; /* 0 where that counter has made the estimates */
  ms_shape_memo_free(&t->c.memo);
  ms_estimates_free(&t->own);
}

void ms_counter_take_estimates(ms_counter *c, ms_estimates *estimates)
{
  c->estimates = estimates;
  c->is_wide = estimates != NULL;
  c->n_seen = 0;
  memset(c->seen, 0, sizeof c->seen);
}

void ms_counter_label(const ms_counter *c, const ms_shape *shape, uint64_t *label)
{
  memset(label, 0, MS_MEMO_VERTICES * sizeof *label);
  for (uint32_t i = 0; i < shape->n; i++)
    MS_EACH_MEMBER (v, shape->member[i])
      label[i] |= c->kind[v];
}

/* The domain of a merged vertex is the intersection of its members' domains, so the kinds of the
 * members determine it. */
bool ms_counter_key(const ms_counter *c, const ms_shape *shape, ms_shape_key *key)
{
  uint64_t label[MS_MEMO_VERTICES];
  if (!c->names_shapes || shape->induced || shape->label || shape->n > MS_MEMO_VERTICES)
    return false;
  ms_counter_label(c, shape, label);
  return ms_shape_key_of(shape, label, key);
}

void ms_counter_see(ms_counter *c, uint32_t number)
{
  const ms_estimate *of = &c->estimates->of[number];
  if (c->seen[number / 64] & BIT(number % 64))
    return;
  c->seen[number / 64] |= BIT(number % 64);
  c->n_seen++;
  c->report.work += of->steps;
  for (uint32_t i = 0; i < of->needs; i++) /* which have fewer vertices */
    ms_counter_see(c, of->need[i]);
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

void ms_count_put_names(const ms_count_text *t, const uint8_t *vertex, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    ms_growing_put(t->out, "%s", i == 0 ? "" : t->json ? "," : ", ");
    if (t->json)
      ms_growing_put_json(t->out, t->name[vertex[i]]);
    else
      ms_growing_put(t->out, "%s", t->name[vertex[i]]);
  }
}
