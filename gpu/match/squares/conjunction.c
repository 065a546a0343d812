#include "gpu/match/squares/conjunction.h"

#include "base/alloc.h"
#include "base/status.h"

#include <string.h>

enum {
  MOST_SET_LINKS = MS_ROW_KINDS * 2 * MS_MAX_PATTERN * MS_MAX_TAIL,
  MOST_SET_BITS = MS_MAX_TAIL
};

/* A set under construction. */
typedef struct draft {
  bool siblings;
  ms_conjunction_set set; /* without its levels, which are here: */
  ms_conjunction_levels levels;
  ms_conjunction_link link[MOST_SET_LINKS];
  const uint64_t *bits[MOST_SET_BITS];
} draft;

/* ---- links ------------------------------------------------------------------- */

static void add_link(draft *d, uint32_t level, uint32_t kind, bool subtract)
{
  ms_conjunction_link link = {
      .kind = (uint16_t)kind, .level = (uint8_t)level, .subtract = subtract};
  uint32_t at = subtract ? d->set.n_links : d->set.n_needed;
  for (uint32_t i = 0; i < d->set.n_links; i++)
    if (memcmp(&d->link[i], &link, sizeof link) == 0)
      return;
  memmove(d->link + at + 1, d->link + at, (d->set.n_links - at) * sizeof *d->link);
  d->link[at] = link;
  d->set.n_links++;
  d->set.n_needed += !subtract;
}

/* Adds the rows that must not contain a candidate. */
static void add_absences(draft *d, const ms_program *p, ms_row_tests tests)
{
  for (uint32_t i = tests.first; i < tests.first + tests.count; i++)
    if (p->test[i].absent)
      add_link(d, p->test[i].level, p->test[i].kind, true);
}

static void add_chain(draft *d, const ms_program *p, int set)
{
  for (; set >= 0; set = p->set[set].parent)
    add_link(d, p->set[set].level, p->set[set].kind, p->set[set].subtract);
}

static void add_domain(draft *d, const ms_domain *domain)
{
  d->set.lo = domain->lo > d->set.lo ? domain->lo : d->set.lo;
  d->set.hi = domain->hi < d->set.hi ? domain->hi : d->set.hi;
  bool known = !domain->bits;
  for (uint32_t i = 0; i < d->set.n_bits; i++)
    known = known || d->bits[i] == domain->bits;
  if (!known)
    d->bits[d->set.n_bits++] = domain->bits;
}

/* ---- sets --------------------------------------------------------------------- */

static void begin_draft(draft *d)
{
  d->set = (ms_conjunction_set){.hi = UINT32_MAX};
  d->levels = (ms_conjunction_levels){0};
}

/* Drops the levels whose matches cannot be in the set: a vertex in a match's row, or above or
 * below the match, is another vertex. */
static void drop_distinct(draft *d)
{
  ms_bitset *distinct = &d->levels.distinct;
  *distinct = ms_bitset_minus(*distinct, ms_bitset_or(d->levels.above, d->levels.below));
  for (uint32_t i = 0; i < d->set.n_needed; i++)
    ms_bitset_remove(distinct, d->link[i].level);
}

/* Returns how many of the pattern's vertices the step's candidates have to provide: the set's
 * number, if the other users of the set have the same bounds. */
static uint32_t need_of(const ms_program *p, const ms_step *step)
{
  const ms_set *s = step->set >= 0 ? &p->set[step->set] : NULL;
  return s && ms_bitset_equal(s->above, step->above) && ms_bitset_equal(s->below, step->below)
             ? s->need
             : 1;
}

static void draft_step(draft *d, const ms_program *p, uint32_t level)
{
  const ms_step *step = &p->step[level];
  begin_draft(d);
  d->set.least = need_of(p, step);
  add_chain(d, p, step->set);
  add_absences(d, p, step->tests);
  add_domain(d, &step->domain);
  d->levels.above = step->above;
  d->levels.below = step->below;
  d->levels.distinct = step->distinct;
  if (p->list[level]) { /* it holds only vertices that the bits admit */
    d->set.list = p->list[level];
    d->set.list_count = step->domain.count;
    d->set.n_bits = 0;
  }
  drop_distinct(d);
}

/* Marks a set that does not depend on the last level's match: it is the same for all matches
 * with the same parent.  This pays where the set is more than a row. */
static void share_with_siblings(draft *d, uint32_t last)
{
  ms_bitset used = ms_bitset_or(d->levels.above, d->levels.below);
  for (uint32_t i = 0; i < d->set.n_links; i++)
    ms_bitset_add(&used, d->link[i].level);
  d->set.of_parent = last > 0 && !ms_bitset_has(&used, last) && d->set.n_links > 1;
  d->set.but_last = d->set.of_parent && ms_bitset_has(&d->levels.distinct, last);
  if (d->set.of_parent)
    ms_bitset_remove(&d->levels.distinct, last);
}

/* Drafts the candidates that the groups of a mask have in common. */
static void draft_mask(draft *d, const ms_program *p, uint32_t mask)
{
  bool bounded = false;
  begin_draft(d);
  for (uint32_t g = 0; g < p->n_groups; g++) {
    const ms_tail_group *group = &p->group[g];
    if (!(mask >> g & 1))
      continue;
    add_chain(d, p, group->set);
    if (group->set < 0)
      add_absences(d, p, group->tests);
    add_domain(d, &group->domain);
    d->levels.distinct = ms_bitset_or(d->levels.distinct, group->distinct);
    d->levels.above = ms_bitset_or(d->levels.above, group->above);
    d->levels.below = ms_bitset_or(d->levels.below, group->below);
    bounded = bounded || !ms_bitset_is_empty(ms_bitset_or(group->above, group->below));
    d->set.whole = group->domain.count;
    d->set.least = p->product ? 1 : group->size;
  }
  bool one = (mask & (mask - 1)) == 0;
  d->set.least = one ? d->set.least : 0;
  d->set.hi = d->set.hi > d->set.lo ? d->set.hi : d->set.lo;
  d->set.is_whole = one && !bounded && d->set.n_links == 0;
  d->set.whole = d->set.is_whole ? d->set.whole : 0;
  drop_distinct(d);
  if (d->siblings)
    share_with_siblings(d, p->prefix - 1);
}

/* Keeps a set; its levels are entered at the end (enter_levels). */
static bool keep_set(ms_conjunction_tables *t, const draft *d)
{
  uint32_t links = t->n_links + d->set.n_links, bits = t->n_bits + d->set.n_bits;
  ms_conjunction_set *sets = ms_resize(t->set, t->n_sets, t->n_sets + 1, sizeof *sets);
  t->set = sets ? sets : t->set;
  ms_conjunction_levels *levels = ms_resize(t->levels, t->n_sets, t->n_sets + 1, sizeof *levels);
  t->levels = levels ? levels : t->levels;
  ms_conjunction_link *link = ms_resize(t->link, t->n_links, links + 1, sizeof *link);
  t->link = link ? link : t->link;
  const uint64_t **bit = ms_resize(t->bits, t->n_bits, bits + 1, sizeof *bit);
  t->bits = bit ? bit : t->bits;
  if (!sets || !levels || !link || !bit)
    return false;
  memcpy(link + t->n_links, d->link, d->set.n_links * sizeof *link);
  memcpy(bit + t->n_bits, d->bits, d->set.n_bits * sizeof *bit);
  levels[t->n_sets] = d->levels;
  sets[t->n_sets] = d->set;
  sets[t->n_sets].first_link = t->n_links;
  sets[t->n_sets++].first_bits = t->n_bits;
  t->n_links = links;
  t->n_bits = bits;
  return true;
}

/* ---- the tail ------------------------------------------------------------------- */

static bool same_set(const ms_conjunction_tables *t, uint32_t number, const draft *d)
{
  const ms_conjunction_set *a = &t->set[number], *b = &d->set;
  const ms_conjunction_levels *of = &t->levels[number];
  return ms_bitset_equal(of->above, d->levels.above) &&
         ms_bitset_equal(of->below, d->levels.below) &&
         ms_bitset_equal(of->distinct, d->levels.distinct) && a->lo == b->lo && a->hi == b->hi &&
         a->n_links == b->n_links && a->n_needed == b->n_needed && a->n_bits == b->n_bits &&
         a->is_whole == b->is_whole && a->whole == b->whole && a->but_last == b->but_last &&
         memcmp(t->link + a->first_link, d->link, b->n_links * sizeof *d->link) == 0 &&
         memcmp(t->bits + a->first_bits, d->bits, b->n_bits * sizeof *d->bits) == 0;
}

/* Finds the number of these groups' set among the sets of the tail, and keeps the set if it is
 * new; different groups may have the same set. */
static bool keep_mask(ms_conjunction_tables *t, const ms_program *p, draft *d, uint32_t groups,
                      uint8_t *number)
{
  draft_mask(d, p, groups);
  for (uint32_t i = 0; i < t->n_masks; i++) {
    ms_conjunction_set *known = &t->set[p->prefix + i];
    if (same_set(t, p->prefix + i, d)) {
      known->least = known->least > d->set.least ? known->least : d->set.least;
      *number = (uint8_t)i;
      return true;
    }
  }
  *number = (uint8_t)t->n_masks++;
  return keep_set(t, d);
}

/* Keeps the set of each group, and the sets that the terms need. */
static bool keep_tail(ms_conjunction_tables *t, const ms_program *p, draft *d)
{
  uint8_t number[1u << MS_MAX_TAIL];
  memset(number, 255, sizeof number);
  bool ok = true;
  t->falling = p->falling ? p->group[0].size : 0;
  for (uint32_t g = 0; g < p->n_groups && ok; g++)
    ok = keep_mask(t, p, d, 1u << g, &number[1u << g]);
  for (uint32_t i = 0; i < p->n_terms && ok; i++) {
    ms_conjunction_term *term = &t->term[t->n_terms++];
    *term = (ms_conjunction_term){.factor = p->term[i].factor, .count = p->term[i].count};
    for (uint32_t b = 0; b < term->count && ok; b++) {
      uint32_t mask = p->term[i].mask[b];
      if (number[mask] == 255)
        ok = keep_mask(t, p, d, mask, &number[mask]);
      term->mask[b] = number[mask];
    }
  }
  return ok;
}

/* ---- what siblings share --------------------------------------------------------- */

/* Drafts the part of a set that is known before the level `last`, or the rest, which that level
 * adds. */
static void draft_part(draft *d, const ms_conjunction_tables *t, uint32_t number, uint32_t last,
                       bool rest)
{
  const ms_conjunction_set *set = &t->set[number];
  const ms_conjunction_levels *of = &t->levels[number];
  ms_bitset bit = ms_bitset_of(last), levels = rest ? bit : ms_bitset_minus(ms_bitset_all(), bit);
  begin_draft(d);
  d->set.is_rest = rest;
  d->levels.above = ms_bitset_and(of->above, levels);
  d->levels.below = ms_bitset_and(of->below, levels);
  d->levels.distinct = ms_bitset_and(of->distinct, levels);
  for (uint32_t i = 0; i < set->n_links; i++) {
    const ms_conjunction_link *link = &t->link[set->first_link + i];
    if (ms_bitset_has(&levels, link->level))
      add_link(d, link->level, link->kind, link->subtract);
  }
  if (rest)
    return;
  d->set.lo = set->lo;
  d->set.hi = set->hi;
  d->set.n_bits = set->n_bits;
  memcpy(d->bits, t->bits + set->first_bits, set->n_bits * sizeof *d->bits);
}

/* Keeps both parts of a set, if the common part is more than a row: only then does it pay. */
static bool keep_parts(ms_conjunction_tables *t, draft *d, uint32_t number, uint32_t last)
{
  if (t->set[number].of_parent)
    return true;
  draft_part(d, t, number, last, false);
  if (d->set.n_needed < 1 || d->set.n_links < 2)
    return true;
  t->set[number].base = t->n_sets;
  t->keeps = true;
  /* a step's number counts earlier matches, too, which are not in the common part */
  d->set.least = number < t->prefix ? 1 : t->set[number].least;
  if (!keep_set(t, d))
    return false;
  draft_part(d, t, number, last, true);
  return keep_set(t, d);
}

/* Keeps the parts of all sets that are only counted. */
static bool keep_shared(ms_conjunction_tables *t, const ms_program *p, draft *d)
{
  bool ok = true;
  for (uint32_t i = 0; i < t->n_masks && ok; i++)
    ok = p->prefix < 2 || keep_parts(t, d, p->prefix + i, p->prefix - 1);
  if (ok && p->n_groups == 0 && p->prefix > 2)
    ok = keep_parts(t, d, p->prefix - 1, p->prefix - 2);
  return ok;
}

/* ---- levels ------------------------------------------------------------------------ */

/* Appends one link for each level, whose other members mean nothing, and sets *range to them. */
static bool list_levels(ms_conjunction_tables *t, ms_bitset levels, uint64_t *range)
{
  uint32_t count = ms_bitset_count(levels);
  ms_conjunction_link *link =
      ms_resize(t->link, t->n_links, (uint64_t)t->n_links + count + 1, sizeof *link);
  if (!link)
    return false;
  t->link = link;
  *range = (uint64_t)t->n_links << 32 | count;
  MS_EACH_MEMBER (level, levels)
    link[t->n_links++] = (ms_conjunction_link){.level = (uint8_t)level};
  return true;
}

/* Enters the levels into the sets: as bits or, for kernels of many levels, as lists. */
static bool enter_levels(ms_conjunction_tables *t, bool many)
{
  bool ok = true;
  for (uint32_t i = 0; i < t->n_sets && ok; i++) {
    const ms_conjunction_levels *of = &t->levels[i];
    ms_conjunction_set *set = &t->set[i];
    set->above = ms_bitset_word(of->above);
    set->below = ms_bitset_word(of->below);
    set->distinct = ms_bitset_word(of->distinct);
    if (many)
      ok = list_levels(t, of->above, &set->above) && list_levels(t, of->below, &set->below) &&
           list_levels(t, of->distinct, &set->distinct);
  }
  return ok;
}

/* ---- the tables ------------------------------------------------------------------- */

ms_status ms_conjunction_tables_new(const ms_program *program, bool siblings, bool many,
                                    ms_conjunction_tables *out, ms_error *err)
{
  *out = (ms_conjunction_tables){.prefix = program->prefix};
  draft *d = ms_alloc(1, sizeof *d);
  bool ok = d != NULL;
  if (d)
    d->siblings = siblings;
  for (uint32_t i = 0; i < program->prefix && ok; i++) {
    draft_step(d, program, i);
    ok = keep_set(out, d);
  }
  ok = ok && keep_tail(out, program, d) && (!siblings || keep_shared(out, program, d));
  ok = ok && enter_levels(out, many);
  ms_free(d);
  if (!ok) {
    ms_conjunction_tables_free(out);
    return ms_fail_memory(err, "a plan");
  }
  const ms_domain *root = &program->step[0].domain;
  out->root_list = program->list[0];
  out->first_root = root->lo;
  out->n_roots = program->list[0] ? root->count : root->hi - root->lo;
  return MS_OK;
}

void ms_conjunction_tables_free(ms_conjunction_tables *tables)
{
  ms_free(tables->set);
  ms_free(tables->levels);
  ms_free(tables->link);
  ms_free(tables->bits);
  *tables = (ms_conjunction_tables){0};
}

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
  while (b > 0) {
    uint32_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* Returns a stride near the golden section, which spreads any stretch of roots evenly. */
uint64_t ms_conjunction_stride(uint32_t n)
{
  uint32_t stride = (uint32_t)((double)n * 0.6180339887498949);
  if (n < 4)
    return 1;
  while (common_divisor(stride, n) != 1)
    stride++; /* it ends at n - 1 at the latest */
  return stride;
}

/* ---- on a device -------------------------------------------------------------------- */

/* Returns the address on the device of one of the program's lists or bit sets. */
static const void *on_device(const ms_gpu_match *m, const void *from)
{
  return ms_staging_place(&m->packed.list, m->memory, from);
}

static void place_tables(const ms_gpu_match *m, const ms_conjunction_tables *t,
                         const ms_staging_list *list, const void *base, ms_conjunction_program *out)
{
  *out = (ms_conjunction_program){.set = ms_staging_place(list, base, t->set),
                                  .link = ms_staging_place(list, base, t->link),
                                  .bits = ms_staging_place(list, base, t->bits),
                                  .term = ms_staging_place(list, base, t->term),
                                  .prefix = t->prefix,
                                  .n_masks = t->n_masks,
                                  .n_terms = t->n_terms,
                                  .falling = t->falling,
                                  .first_root = t->first_root,
                                  .n_roots = t->n_roots,
                                  .root_list = on_device(m, t->root_list),
                                  .keeps = t->keeps,
                                  .stride = ms_conjunction_stride(t->n_roots)};
  out->more = m->index.more;
  for (int kind = 0; kind < MS_ROW_KINDS; kind++) {
    out->rows[kind].offset = m->index.rows[kind].offset;
    out->rows[kind].neighbor = m->index.rows[kind].neighbor;
  }
}

ms_status ms_conjunction_upload(ms_gpu_match *m, const ms_program *program, bool siblings,
                                bool many, ms_conjunction_tables *t, void **memory,
                                ms_conjunction_program *out, ms_error *err)
{
  MS_TRY(ms_conjunction_tables_new(program, siblings, many, t, err));
  for (uint32_t i = 0; i < t->n_sets; i++)
    t->set[i].list = on_device(m, t->set[i].list);
  for (uint32_t i = 0; i < t->n_bits; i++)
    t->bits[i] = on_device(m, t->bits[i]);
  ms_staging_list list = {0};
  ms_staging_add(&list, t->set, t->n_sets * sizeof *t->set);
  ms_staging_add(&list, t->link, t->n_links * sizeof *t->link);
  ms_staging_add(&list, t->bits, t->n_bits * sizeof *t->bits);
  ms_staging_add(&list, t->term, t->n_terms * sizeof *t->term);
  MS_TRY(ms_gpu_alloc(&m->gpu, list.bytes, memory, "copying the plan", err));
  t->bytes = list.bytes;
  place_tables(m, t, &list, *memory, out);
  return ms_staging_upload(&m->gpu.staging, &list, *memory, 1, err);
}
