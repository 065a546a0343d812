#include "gpu/match/dfs_local.h"

#include "gpu/match/dfs_device.h"

static bool is_base(const ms_set *s)
{
  return s->parent < 0;
}

/* A set that is part of the root's row, made of what was matched last. */
static bool is_local_set(const ms_program *p, const ms_set *s)
{
  if (s->kind != MS_ROWS_ANY)
    return false;
  if (is_base(s))
    return s->level == 0 && s->at == 0;
  const ms_set *parent = &p->set[s->parent];
  return s->level == s->at && s->level > 0 && parent->at < s->at;
}

static bool is_local(const ms_program *p)
{
  if (p->table || p->prefix < 2 || p->n_groups == 0 || p->n_groups > MS_LOCAL_GROUPS)
    return false;
  for (uint32_t i = 0; i < p->n_sets; i++)
    if (p->set[i].at == UINT8_MAX || !is_local_set(p, &p->set[i]))
      return false;
  for (uint32_t i = 1; i < p->prefix; i++)
    if (p->step[i].source != MS_FROM_SET || p->set[p->step[i].set].at >= i)
      return false;
  for (uint32_t g = 0; g < p->n_groups; g++)
    if (p->group[g].set < 0 || p->group[g].table)
      return false;
  return true;
}

/* ---- domains as masks of a universe ------------------------------------------------ */

/* False: there are too many. */
static bool add_filter(ms_pattern_pack *pack, uint32_t lo, uint32_t hi, const uint64_t *bits,
                       uint8_t *number)
{
  ms_device_program *to = &pack->program;
  *number = MS_NO_FILTER;
  if (!bits && lo <= to->local_lo && hi >= to->local_hi) /* as the universe */
    return true;
  for (uint8_t i = 0; i < to->n_filters; i++)
    if (to->filter[i].lo == lo && to->filter[i].hi == hi && pack->filter_bits[i] == bits) {
      *number = i;
      return true;
    }
  if (to->n_filters == MS_DEVICE_FILTERS)
    return false;
  *number = to->n_filters;
  pack->filter_bits[to->n_filters] = bits;
  to->filter[to->n_filters++] = (ms_device_domain){.lo = lo, .hi = hi};
  return true;
}

static bool add_filters(const ms_program *p, ms_pattern_pack *pack)
{
  ms_device_program *to = &pack->program;
  bool ok = true;
  for (uint32_t i = 0; i < p->n_sets && ok; i++) {
    const ms_set *s = &p->set[i];
    bool filtered = s->parent >= 0 && p->set[s->parent].parent < 0; /* rows are not filtered */
    ok = add_filter(pack, s->lo, s->hi, filtered ? s->bits : NULL, &to->set[i].filter);
  }
  for (uint32_t i = 1; i < p->prefix && ok; i++) {
    const ms_domain *d = &p->step[i].domain;
    ok = add_filter(pack, d->lo, d->hi, p->step[i].test_bits ? d->bits : NULL, &to->step[i].filter);
  }
  for (uint32_t g = 0; g < p->n_groups && ok; g++) {
    const ms_domain *d = &p->group[g].domain;
    ok = add_filter(pack, d->lo, d->hi, p->group[g].test_bits ? d->bits : NULL,
                    &to->group[g].filter);
  }
  return ok;
}

/* ---- ends ---------------------------------------------------------------------------- */

/* Which neighbours, in the universe, of the match of level 1 are the tail's
 * candidates; 0: not so simple. */
static uint8_t ends_of(const ms_program *p, const ms_device_program *to)
{
  const ms_tail_group *g = &p->group[0];
  const ms_set *s = &p->set[g->set];
  uint64_t above = g->above | s->above, below = g->below | s->below;
  if (p->prefix != 2 || p->n_groups != 1 || s->at != 1 || s->subtract ||
      to->set[g->set].filter != MS_NO_FILTER || to->group[0].filter != MS_NO_FILTER)
    return 0;
  if (((above & 1) && !to->local_above) || ((below & 1) && !to->local_below) || (above & below & 2))
    return 0;
  return above & 2   ? MS_ENDS_SMALLER
         : below & 2 ? MS_ENDS_LARGER
                     : MS_ENDS_SMALLER | MS_ENDS_LARGER;
}

/* ---- chains -------------------------------------------------------------------------- */

/* Do all levels and the tail have the same domain? */
static bool is_one_domain(const ms_program *p)
{
  const ms_domain *first = &p->step[1].domain;
  for (uint32_t i = 2; i <= p->prefix; i++) {
    const ms_domain *d = i < p->prefix ? &p->step[i].domain : &p->group[0].domain;
    if (d->lo != first->lo || d->hi != first->hi || d->bits != first->bits)
      return false;
  }
  return true;
}

/* Is it an ascending chain, counted by the sizes of its last sets? */
static bool is_chain(const ms_program *p, const ms_device_program *to)
{
  uint32_t last = p->prefix - 1;
  const ms_tail_group *g = &p->group[0];
  int before = -1;
  if (!is_one_domain(p) || p->prefix < 3 || p->prefix > MS_CHAIN_LEVELS || p->n_groups != 1 ||
      p->falling || p->n_terms != 1 || p->term[0].count != 1 || to->value != MS_VALUE_64 ||
      !to->local_above)
    return false;
  for (uint32_t i = 1; i <= p->prefix; i++) {
    int set = i <= last ? p->step[i].set : g->set;
    uint64_t above = i <= last ? p->step[i].above : g->above | p->set[g->set].above;
    uint64_t below = i <= last ? p->step[i].below : g->below | p->set[g->set].below;
    bool follows = p->set[set].parent == before && p->set[set].at == i - 1 && !p->set[set].subtract;
    if (!follows || below || !(above >> (i - 1) & 1))
      return false;
    before = set;
  }
  return true;
}

/* ---- all of it ----------------------------------------------------------------------- */

/* What all that is taken from the root's row keeps to. */
static void bound_universe(const ms_program *p, ms_device_program *to)
{
  to->local_above = to->local_below = 1;
  to->local_lo = UINT32_MAX;
  for (uint32_t i = 0; i < p->n_sets; i++) {
    const ms_set *s = &p->set[i];
    if (!is_base(s))
      continue;
    to->local_above = to->local_above && (s->above & 1);
    to->local_below = to->local_below && (s->below & 1);
    to->local_lo = s->lo < to->local_lo ? s->lo : to->local_lo;
    to->local_hi = s->hi > to->local_hi ? s->hi : to->local_hi;
    to->local_need = s->need > to->local_need ? s->need : to->local_need;
  }
}

uint32_t ms_local_universe(const ms_program *p, const ms_device_program *to)
{
  return to->local_above   ? p->index->longest_above
         : to->local_below ? p->index->longest_below
                           : p->index->longest;
}

/* Is it worth it?  Chains of many levels need universes that a warp takes whole. */
static bool is_worth_it(const ms_program *p, const ms_device_program *to)
{
  return p->prefix <= MS_LOCAL_LEVELS || (to->chain && ms_local_universe(p, to) <= MS_CHAIN_SMALL);
}

static bool fill_local(const ms_program *p, ms_pattern_pack *pack)
{
  ms_device_program *to = &pack->program;
  uint32_t last = p->prefix - 1;
  bound_universe(p, to);
  if (ms_local_universe(p, to) > MS_LOCAL_MOST || !add_filters(p, pack))
    return false;
  for (uint32_t i = 0; i < p->n_sets; i++) {
    to->set[i].at_last = p->set[i].at == last;
    to->set[i].local_slot = to->set[i].at_last ? UINT8_MAX : to->n_local_slots++;
  }
  for (uint32_t i = 0; i < p->n_terms; i++)
    for (uint32_t b = 0; b < p->term[i].count; b++)
      to->local_meets = to->local_meets || p->term[i].mask[b] == 3;
  const ms_domain *d = &p->step[1].domain;
  to->ends = ends_of(p, to);
  to->chain = is_chain(p, to) && add_filter(pack, d->lo, d->hi, d->bits, &to->chain_filter);
  return is_worth_it(p, to);
}

void ms_pattern_local(const ms_program *p, ms_pattern_pack *pack)
{
  ms_device_program *to = &pack->program;
  to->local = is_local(p) && fill_local(p, pack);
  if (!to->local) /* nobody looks at the rest */
    to->n_filters = 0;
}

ms_local_kind ms_local_kind_of(const ms_program *program)
{
  ms_pattern_pack pack;
  ms_local_kind kind = MS_LOCAL_NONE;
  if (ms_pattern_pack_new(program, &pack, NULL) != MS_OK)
    return kind;
  if (pack.program.local)
    kind = pack.program.chain  ? MS_LOCAL_CHAIN
           : pack.program.ends ? MS_LOCAL_ENDS
                               : MS_LOCAL_MATRIX;
  ms_pattern_pack_free(&pack);
  return kind;
}
