/* The search with hash tables of the multisets that occur. */
#include "census/search.h"

#include "base/compiler.h"

#include <string.h>

#define STATE ms_multiset
#define ROW const ms_multiset *
#define ROOT ms_census_root_sparse

MS_ALWAYS_INLINE ms_multiset begin_state(const ms_census_search *s, ms_kind_id kind)
{
  ms_multiset state;
  (void)s;
  memset(&state, 0xff, sizeof state);
  state.kind[0] = kind;
  return state;
}

MS_ALWAYS_INLINE ms_multiset next_state(const ms_census_search *s, const ms_multiset *state,
                                        uint32_t size, ms_kind_id kind)
{
  ms_multiset next;
  (void)s;
  ms_multiset_insert(state, size, kind, &next);
  return next;
}

MS_ALWAYS_INLINE const ms_multiset *row_of(const ms_census_search *s, const ms_multiset *state)
{
  (void)s;
  return state;
}

static void add_many(ms_census_search *s, const ms_multiset *row, ms_kind_id kind, uint64_t sets)
{
  ms_multiset key;
  if (s->full)
    return;
  ms_multiset_insert(row, s->k - 1, kind, &key);
  if (s->shared && s->local.used >= (uint64_t)1 << (s->local.bits - 1))
    s->full = !ms_shared_tally_take(s->shared, &s->local);
  if (!s->full)
    s->full = !ms_tally_add(&s->local, &key, ms_multiset_hash(&key), sets);
  s->ended |= s->full;
}

MS_ALWAYS_INLINE void add_one(ms_census_search *s, const ms_multiset *row, ms_kind_id kind)
{
  if (kind != s->graph->kinds)
    add_many(s, row, kind, 1);
}

MS_ALWAYS_INLINE void reserve(const ms_census_search *s, uint64_t sets)
{
  (void)s;
  (void)sets;
}

#include "census/search_template.h"
