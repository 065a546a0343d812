#include "gpu/match/reuse/reuse_program.h"

#include <string.h>

#define BIT(i) (UINT64_C(1) << (i))

enum { MOST_LINKS = 4 * MS_MAX_PATTERN, MOST_STEPS = 4096 };

/* One row of a set's definition: the row of the match of a level. */
typedef struct link {
  uint8_t level;
  uint16_t kind;
  bool subtract;
} link;

typedef struct chain {
  link link[MOST_LINKS]; /* the last one first */
  uint32_t count;
} chain;

typedef struct search {
  const ms_program *program;
  int covered, cached;
  chain to, from; /* the rows of these two sets */
  uint32_t steps;
  ms_reuse_cover best;
  uint32_t best_score;
} search;

/* ---- chains --------------------------------------------------------------------- */

static void chain_of(const ms_program *p, int set, chain *c)
{
  c->count = 0;
  for (; set >= 0 && c->count < MOST_LINKS; set = p->set[set].parent)
    c->link[c->count++] = (link){p->set[set].level, p->set[set].kind, p->set[set].subtract};
}

/* Returns the number of the row in the chain, or the chain's length if it is not there. */
static uint32_t find_link(const chain *c, uint32_t level, uint32_t kind, bool subtract)
{
  uint32_t i = 0;
  while (i < c->count &&
         !(c->link[i].level == level && c->link[i].kind == kind && c->link[i].subtract == subtract))
    i++;
  return i;
}

/* ---- maps ------------------------------------------------------------------------ */

/* True if level b's vertex can take the place of level t's while level a's takes that of level
 * s.  False if it needs an edge that the pattern does not have there, or an order that is the
 * reverse of the one there. */
static bool may_replace(const ms_program *p, uint32_t a, uint32_t s, uint32_t b, uint32_t t)
{
  const ms_shape *shape = &p->shape;
  uint32_t va = p->step[a].vertex, vb = p->step[b].vertex, vs = p->step[s].vertex,
           vt = p->step[t].vertex;
  bool out = ms_bitset_has(&shape->out[va], vb), in = ms_bitset_has(&shape->in[va], vb);
  bool out_there = ms_bitset_has(&shape->out[vs], vt), in_there = ms_bitset_has(&shape->in[vs], vt);
  bool above_there =
      s < t ? ms_bitset_has(&p->step[t].above, s) : ms_bitset_has(&p->step[s].below, t);
  bool below_there =
      s < t ? ms_bitset_has(&p->step[t].below, s) : ms_bitset_has(&p->step[s].above, t);
  if ((out && !out_there) || (in && !in_there))
    return false;
  if (shape->induced && (out != out_there || in != in_there))
    return false;
  return !(ms_bitset_has(&p->step[b].above, a) && below_there) &&
         !(ms_bitset_has(&p->step[b].below, a) && above_there);
}

/* True if all rows of level b are rows of level t, and bounds by b are bounds by t. */
static bool rows_are_covered(const search *s, uint32_t b, uint32_t t)
{
  const ms_set *cached = &s->program->set[s->cached], *covered = &s->program->set[s->covered];
  if ((ms_bitset_has(&cached->above, b) && !ms_bitset_has(&covered->above, t)) ||
      (ms_bitset_has(&cached->below, b) && !ms_bitset_has(&covered->below, t)))
    return false;
  for (uint32_t i = 0; i < s->from.count; i++) {
    const link *l = &s->from.link[i];
    if (l->level == b && find_link(&s->to, t, l->kind, l->subtract) == s->to.count)
      return false;
  }
  return true;
}

/* Notes a cover if it is the best so far.  Whole sets come before parts, then more rows that are
 * covered, then a later common ancestor, which leaves fewer levels to search. */
static void note_cover(search *s, const ms_reuse_cover *map)
{
  ms_reuse_cover c = *map;
  const link *last = &s->to.link[0];
  bool has_last = false;
  c.whole = s->from.count == s->to.count;
  for (uint32_t i = 0; i < s->from.count; i++) {
    const link *l = &s->from.link[i];
    has_last = has_last || (c.from[l->level] == last->level && l->kind == last->kind &&
                            l->subtract == last->subtract);
  }
  while (c.first <= c.at && c.from[c.first] == c.first)
    c.first++;
  uint32_t score = 1 + c.first + 64 * s->from.count + (c.whole ? 64 * MOST_LINKS : 0);
  if (!has_last || score <= s->best_score)
    return;
  s->best = c;
  s->best_score = score;
}

/* Lists the maps of levels b, b + 1, .. of the cached set's partial match; each level is mapped
 * to itself first, if that is allowed. */
static void list_maps(search *s, ms_reuse_cover *map, uint32_t b, uint64_t used)
{
  const ms_program *p = s->program;
  uint32_t end = p->set[s->covered].at;
  if (b > map->at) {
    note_cover(s, map);
    return;
  }
  for (uint32_t i = 0; i <= end + 1 && s->steps > 0; i++) {
    uint32_t t = i == 0 ? b : i - 1;
    if ((i > 0 && t == b) || used >> t & 1 || !rows_are_covered(s, b, t))
      continue;
    s->steps--;
    bool fits = true;
    for (uint32_t a = 0; a < b && fits; a++)
      fits = may_replace(p, a, map->from[a], b, t);
    map->from[b] = (uint8_t)t;
    if (fits)
      list_maps(s, map, b + 1, used | BIT(t));
  }
}

static bool may_cover(const search *s, const ms_reuse_program *out)
{
  const ms_set *cached = &s->program->set[s->cached], *covered = &s->program->set[s->covered];
  return out->set[s->cached].store != MS_REUSE_NONE && !cached->count_only &&
         cached->at < covered->at && cached->bits == covered->bits && cached->lo <= covered->lo &&
         cached->hi >= covered->hi;
}

/* Finds the best cached set for set i. */
static void find_cover(const ms_program *p, uint32_t i, ms_reuse_program *out)
{
  search s = {.program = p, .covered = (int)i, .best = {.set = -1}};
  chain_of(p, (int)i, &s.to);
  for (s.cached = 0; s.cached < (int)p->n_sets; s.cached++) {
    const ms_set *cached = &p->set[s.cached];
    ms_reuse_cover map = {.set = (int16_t)s.cached, .at = cached->at};
    if (!may_cover(&s, out))
      continue;
    chain_of(p, s.cached, &s.from);
    s.steps = MOST_STEPS;
    if (s.from.count <= s.to.count)
      list_maps(&s, &map, 0, 0);
  }
  out->set[i].cover = s.best;
}

/* ---- levels -------------------------------------------------------------------------- */

/* Returns the deepest level that has entries.  The last level has none where lanes go through
 * the last levels, or where nothing is computed for it. */
static uint32_t deepest_level(const ms_program *p, const ms_device_program *packed, bool listing)
{
  bool by_lanes = p->n_groups == 0 || packed->quick || (packed->flat && p->prefix > 2);
  return !listing && by_lanes && p->prefix > 1 ? p->prefix - 2 : p->prefix - 1;
}

static void add_wanted(const ms_program *p, int set, uint32_t level, ms_reuse_program *out)
{
  if (set >= 0 && p->set[set].at < level)
    out->wanted[level] |= BIT(set);
}

/* Notes that the sets computed at level `of` need their parents at `level`. */
static void add_wanted_parents(const ms_program *p, uint32_t of, uint32_t level,
                               ms_reuse_program *out)
{
  for (uint32_t i = 0; i < p->n_sets; i++)
    if (p->set[i].at == of)
      add_wanted(p, p->set[i].parent, level, out);
}

static void find_wanted(const ms_program *p, ms_reuse_program *out)
{
  for (uint32_t level = 0; level <= out->deepest; level++) {
    add_wanted_parents(p, level, level, out);
    if (level + 1 < p->prefix)
      add_wanted(p, p->step[level + 1].set, level, out);
  }
  add_wanted_parents(p, p->prefix - 1, out->deepest, out);
  for (uint32_t g = 0; g < p->n_groups; g++)
    add_wanted(p, p->group[g].set, out->deepest, out);
}

/* Numbers the sets that are kept.  For a set that is only counted, its size is kept. */
static void find_stores(const ms_program *p, ms_reuse_program *out)
{
  for (uint32_t i = 0; i < p->n_sets; i++) {
    bool kept = p->set[i].parent >= 0 && p->set[i].at < out->deepest;
    out->set[i].at = p->set[i].at;
    out->set[i].cover.set = -1;
    out->set[i].store = kept ? out->stores[p->set[i].at]++ : MS_REUSE_NONE;
  }
  for (uint32_t level = out->deepest; level-- > 0;)
    out->stores_left[level] = (uint8_t)(out->stores_left[level + 1] + (out->stores[level] > 0));
}

void ms_reuse_program_make(const ms_program *program, const ms_device_program *packed, bool listing,
                           ms_reuse_program *out)
{
  memset(out, 0, sizeof *out);
  out->deepest = deepest_level(program, packed, listing);
  find_stores(program, out);
  find_wanted(program, out);
  for (uint32_t i = 0; i < program->n_sets; i++)
    if (program->set[i].parent >= 0 && program->set[i].at <= out->deepest)
      find_cover(program, i, out);
}
