/* Which programs are local, and of which form: with filters of a universe, ends, codegrees or a
 * chain. */
#include "gpu/match/dfs/local_program.h"

#include "gpu/match/dfs/dfs_device.h"
#include "match/cpu/sorted.h"

/* Most levels of a chain, and of other local programs. */
#define MS_CHAIN_LEVELS 7u
#define MS_LOCAL_LEVELS 3u

static bool is_base(const ms_set *s)
{
  return s->parent < 0;
}

/* True if the set is a part of the root's row that depends on the match made last. */
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

/* False if there are too many filters. */
static bool add_filter(ms_packed_program *packed, uint32_t lo, uint32_t hi, const uint64_t *bits,
                       uint8_t *number)
{
  ms_device_program *to = &packed->program;
  *number = MS_NO_FILTER;
  if (!bits && lo <= to->local_lo && hi >= to->local_hi) /* as for the universe */
    return true;
  for (uint8_t i = 0; i < to->n_filters; i++)
    if (to->filter[i].lo == lo && to->filter[i].hi == hi && packed->filter_bits[i] == bits) {
      *number = i;
      return true;
    }
  if (to->n_filters == MS_DEVICE_FILTERS)
    return false;
  *number = to->n_filters;
  packed->filter_bits[to->n_filters] = bits;
  to->filter[to->n_filters++] = (ms_device_domain){.lo = lo, .hi = hi};
  return true;
}

static bool add_filters(const ms_program *p, ms_packed_program *packed)
{
  ms_device_program *to = &packed->program;
  bool ok = true;
  for (uint32_t i = 0; i < p->n_sets && ok; i++) {
    const ms_set *s = &p->set[i];
    bool filtered = s->parent >= 0 && p->set[s->parent].parent < 0; /* rows are not filtered */
    ok = add_filter(packed, s->lo, s->hi, filtered ? s->bits : NULL, &to->set[i].filter);
  }
  for (uint32_t i = 1; i < p->prefix && ok; i++) {
    const ms_domain *d = &p->step[i].domain;
    ok = add_filter(packed, d->lo, d->hi, p->step[i].test_bits ? d->bits : NULL,
                    &to->step[i].filter);
  }
  for (uint32_t g = 0; g < p->n_groups && ok; g++) {
    const ms_domain *d = &p->group[g].domain;
    ok = add_filter(packed, d->lo, d->hi, p->group[g].test_bits ? d->bits : NULL,
                    &to->group[g].filter);
  }
  return ok;
}

/* ---- ends ---------------------------------------------------------------------------- */

/* Returns which neighbours of level 1's match, within the universe, are the tail's candidates; 0
 * if they cannot be described like this. */
static uint8_t ends_of(const ms_program *p, const ms_device_program *to)
{
  const ms_tail_group *g = &p->group[0];
  const ms_set *s = &p->set[g->set];
  uint64_t above = ms_bitset_word(ms_bitset_or(g->above, s->above));
  uint64_t below = ms_bitset_word(ms_bitset_or(g->below, s->below));
  if (p->prefix != 2 || p->n_groups != 1 || s->at != 1 || s->subtract ||
      to->set[g->set].filter != MS_NO_FILTER || to->group[0].filter != MS_NO_FILTER)
    return 0;
  if (((above & 1) && !to->local_above) || ((below & 1) && !to->local_below) || (above & below & 2))
    return 0;
  return above & 2   ? MS_ENDS_SMALLER
         : below & 2 ? MS_ENDS_LARGER
                     : MS_ENDS_SMALLER | MS_ENDS_LARGER;
}

/* True if the tail's candidates are all common neighbours, within bounds, of the matches of levels
 * 0 and 1. */
static bool is_of_codegrees(const ms_program *p, const ms_device_program *to)
{
  return to->ends == (MS_ENDS_SMALLER | MS_ENDS_LARGER) && !to->local_above && !to->local_below &&
         (!p->list[0] || p->step[0].domain.bits);
}

/* ---- chains -------------------------------------------------------------------------- */

/* True if all levels and the tail have the same domain. */
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

/* True if the program is an ascending chain that is counted by the sizes of its last sets. */
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
    ms_bitset above = i <= last ? p->step[i].above : ms_bitset_or(g->above, p->set[g->set].above);
    ms_bitset below = i <= last ? p->step[i].below : ms_bitset_or(g->below, p->set[g->set].below);
    bool follows = p->set[set].parent == before && p->set[set].at == i - 1 && !p->set[set].subtract;
    if (!follows || !ms_bitset_is_empty(below) || !ms_bitset_has(&above, i - 1))
      return false;
    before = set;
  }
  return true;
}

/* Finds the bounds that all sets from the root's row have in common. */
static void bound_universe(const ms_program *p, ms_device_program *to)
{
  to->local_above = to->local_below = 1;
  to->local_lo = UINT32_MAX;
  for (uint32_t i = 0; i < p->n_sets; i++) {
    const ms_set *s = &p->set[i];
    if (!is_base(s))
      continue;
    to->local_above = to->local_above && ms_bitset_has(&s->above, 0);
    to->local_below = to->local_below && ms_bitset_has(&s->below, 0);
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

uint64_t ms_local_matrix_words(const ms_program *p, const ms_device_program *to)
{
  const ms_pattern_index *index = p->index;
  const ms_neighbor_rows *rows = &index->rows[MS_ROWS_ANY];
  uint32_t universe = ms_local_universe(p, to);
  uint64_t most = 0;
  if (to->ends || !to->local_upper)
    return (to->ends ? 1 : (uint64_t)ms_matrix_stride(to, universe)) * universe;
  if (!index->by_degree || index->ranges ||
      universe <= MS_LOCAL_FEW) /* then there is no end below */
    return (uint64_t)ms_matrix_stride(to, universe) * index->longest_above;
  for (uint32_t v = index->n; v-- > 0;) {
    uint32_t length;
    const uint32_t *row = ms_row(rows, v, &length);
    uint64_t stride = ms_matrix_stride(to, length);
    if (stride * index->longest_above <=
        most) /* as for all smaller ids, whose rows are no longer */
      break;
    uint64_t words = stride * (length - (uint32_t)ms_lower_bound(row, length, v));
    most = words > most ? words : most;
  }
  return most;
}

/* True if the matches of levels 1 and up are above the root. */
static bool is_upper(const ms_program *p)
{
  for (uint32_t i = 1; i < p->prefix; i++)
    if (!ms_bitset_has(&p->step[i].above, 0))
      return false;
  return true;
}

/* True if matrices pay in large universes, too: level 2 is next to level 1, as a universe has far
 * fewer such pairs than pairs, and the tail's candidates are in the row of the last level's match.
 */
static bool is_dense(const ms_program *p)
{
  const ms_set *s = p->prefix > 2 ? &p->set[p->step[2].set] : NULL;
  for (uint32_t g = 0; g < p->n_groups; g++)
    if (p->set[p->group[g].set].at + 1u != p->prefix)
      return false;
  return !s || (s->at == 1 && !s->subtract);
}

static bool fill_local(const ms_program *p, ms_packed_program *packed)
{
  ms_device_program *to = &packed->program;
  uint32_t last = p->prefix - 1;
  bound_universe(p, to);
  if (!add_filters(p, packed))
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
  to->codegrees = is_of_codegrees(p, to);
  if (to->codegrees)
    return true;
  bool chain = is_chain(p, to) && add_filter(packed, d->lo, d->hi, d->bits, &to->chain_filter);
  bool few = !chain && (to->ends || !is_dense(p));
  to->chain = chain;
  to->local_upper = !chain && !to->ends && is_upper(p);
  if (few || !to->local_upper ? ms_local_universe(p, to) > (few ? MS_LOCAL_FEW : MS_LOCAL_MOST)
                              : ms_local_matrix_words(p, to) > MS_LOCAL_WORDS)
    return false;
  return p->prefix <= MS_LOCAL_LEVELS || chain;
}

/* True if the universes of hubs are whole rows of which most vertices are in no domain: rows are
 * read faster than matrices of them are made.  Triangles and K4 with 4 to 16 colours take 4.2 to 55
 * ms on an H100 in R-MAT 17, whose hubs have 17,000 neighbours, and without matrices 0.5 to 20 ms
 * in R-MAT 18. */
static bool reads_large_rows(const ms_program *p, const ms_device_program *to)
{
  const ms_domain *d = &p->step[1].domain;
  return !to->local_above && !to->local_below && d->bits && d->count < (d->hi - d->lo) / 2 &&
         ms_local_universe(p, to) > MS_LOCAL_ROWS;
}

void ms_find_local_program(ms_packed_program *packed)
{
  const ms_program *p = packed->source;
  ms_device_program *to = &packed->program;
  to->local = is_local(p) && fill_local(p, packed) && !reads_large_rows(p, to);
  to->codegrees = to->codegrees && to->local;
  if (to->local && !to->codegrees)
    return;
  to->n_filters = 0; /* nothing else about local programs is read */
  to->chain = to->local_upper = 0;
}
