#include "motif/states.h"

#include "base/alloc.h"
#include "base/status.h"
#include "graph/sort_ids.h"

#include <string.h>

/* More than these would take longer to make than most counts take. */
#define MOST_STATES 65536u
#define MOST_ENTRIES ((uint64_t)1 << 24) /* of `next` */
#define MOST_SETS 4096u
#define SHORT 48u                     /* insertion is faster up to this length */
#define MOST_WORK ((uint64_t)1 << 28) /* slot sets that are extended */

/* The slot sets that a state's members can occupy: family[begin .. begin + length), ascending.  In
 * each class of slots the lowest ones are occupied. */
typedef struct family {
  uint64_t begin;
  uint32_t length, size, missing;
} family;

typedef struct making {
  const ms_kinds *kinds;
  ms_states *states;
  uint32_t class_of[MS_MAX_K]; /* [slot] mask of the slots that all kinds fit alike */
  family *of;                  /* [room] by state */
  uint32_t room;
  uint32_t *slots; /* [slots_room] the families */
  uint64_t slots_used, slots_room;
  uint32_t *table; /* [table_size] states plus 1, by hash value */
  uint32_t table_size;
  uint32_t sets_room, groups, groups_room;
  uint32_t *scratch; /* [scratch_room] a family that is made */
  uint64_t scratch_room;
  uint64_t work;
} making;

static ms_status too_many(ms_error *err)
{
  return ms_fail(err, MS_ERR_USAGE,
                 "the motif and the colours leave too many cases for a GPU to look up; use the "
                 "CPU");
}

static void find_classes(making *m)
{
  uint32_t k = m->kinds->ranked->k;
  for (uint32_t d = 0; d < k; d++) {
    m->class_of[d] = 0;
    for (uint32_t e = 0; e < k; e++) {
      bool same = true;
      for (uint32_t c = 0; c < m->kinds->count && same; c++) {
        uint32_t mask = m->kinds->kind[c].mask;
        same = (mask >> d & 1) == (mask >> e & 1);
      }
      m->class_of[d] |= (uint32_t)same << e;
    }
  }
}

/* ---- families ------------------------------------------------------------------ */

/* Fills scratch with the slot sets that one more vertex of this mask leads to, ascending and each
 * once.  Returns false without memory. */
static bool extend(making *m, family from, uint32_t mask, uint32_t *length)
{
  *length = 0;
  if (!MS_GROW(m->scratch, m->scratch_room, 0, (uint64_t)from.length * 2 * MS_MAX_K))
    return false;
  for (uint32_t i = 0; i < from.length; i++) {
    uint32_t taken = m->slots[from.begin + i];
    for (uint32_t left = mask & ~taken; left;) {
      uint32_t slot = left & -left;
      left &= ~m->class_of[__builtin_ctz(slot)];
      m->scratch[(*length)++] = taken | slot;
    }
  }
  m->work += (uint64_t)*length + from.length;
  if (*length <= SHORT)
    ms_sort_ids_short(m->scratch, *length);
  else
    ms_sort_ids_long(m->scratch, *length, m->scratch + *length);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < *length; i++)
    if (kept == 0 || m->scratch[kept - 1] != m->scratch[i])
      m->scratch[kept++] = m->scratch[i];
  *length = kept;
  return true;
}

static uint32_t hash_of(const uint32_t *slots, uint32_t length, uint32_t size, uint32_t missing)
{
  uint64_t h = (uint64_t)size << 32 | missing;
  for (uint32_t i = 0; i < length; i++)
    h = (h ^ slots[i]) * UINT64_C(0x9e3779b97f4a7c15);
  return (uint32_t)(h * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

static uint32_t hash_of_state(const making *m, uint32_t s)
{
  family f = m->of[s];
  return hash_of(m->slots + f.begin, f.length, f.size, f.missing);
}

static bool grow_table(making *m)
{
  uint32_t size = m->table_size ? 2 * m->table_size : 1024;
  uint32_t *table = ms_calloc(size, sizeof *table);
  if (!table)
    return false;
  ms_free(m->table);
  m->table = table;
  m->table_size = size;
  for (uint32_t s = 0; s < m->states->count; s++) {
    uint32_t at = hash_of_state(m, s) & (size - 1);
    while (table[at])
      at = (at + 1) & (size - 1);
    table[at] = s + 1;
  }
  return true;
}

/* ---- sets of kinds ----------------------------------------------------------------- */

/* Sets *number to that of the set of kinds, which is added if it is new. */
static ms_status number_of_set(making *m, const uint32_t *bits, uint32_t *number, ms_error *err)
{
  ms_states *s = m->states;
  size_t bytes = s->kind_words * sizeof *bits;
  for (*number = s->sets; *number > 0; (*number)--)
    if (memcmp(s->set + (size_t)(*number - 1) * s->kind_words, bits, bytes) == 0) {
      --*number;
      return MS_OK;
    }
  if (s->sets == MOST_SETS)
    return too_many(err);
  if (!MS_GROW_ROWS(s->set, bytes, m->sets_room, s->sets, 1))
    return ms_fail_memory(err, "the states of growing sets");
  memcpy(s->set + (size_t)s->sets * s->kind_words, bits, bytes);
  *number = s->sets++;
  return MS_OK;
}

/* Finds what may join a state; bits[kind_words]. */
static ms_status fill_joins(making *m, uint32_t state, uint32_t *bits, ms_error *err)
{
  const ms_ranked *ranked = m->kinds->ranked;
  family f = m->of[state];
  uint32_t usable = 0, free_slots = 0;
  for (uint32_t i = 0; i < f.length; i++)
    free_slots |= ~m->slots[f.begin + i];
  for (uint32_t d = 0; d < ranked->k; d++)
    if (free_slots & m->class_of[d])
      usable |= 1u << d;
  bool only_mandatory = f.missing > 0 && f.missing == ranked->size - f.size;
  memset(bits, 0, m->states->kind_words * sizeof *bits);
  for (uint32_t c = 0; c < m->kinds->count; c++) {
    ms_kind kind = m->kinds->kind[c];
    if ((kind.mask & usable) && (!only_mandatory || kind.mandatory))
      bits[c / 32] |= 1u << c % 32;
  }
  return number_of_set(m, bits, &m->states->joins[state], err);
}

/* ---- states ---------------------------------------------------------------------- */

/* Adds the state whose family is in scratch.  bits[kind_words] */
static ms_status add_state(making *m, uint32_t length, uint32_t size, uint32_t missing,
                           uint32_t *bits, ms_error *err)
{
  ms_states *s = m->states;
  if (s->count == MOST_STATES || (uint64_t)(s->count + 1) * s->kinds > MOST_ENTRIES ||
      m->work > MOST_WORK)
    return too_many(err);
  if (s->count == m->room) {
    uint32_t room = m->room > 0 ? 2 * m->room : 1;
    if (!ms_enlarge(&s->next, m->room, room, s->kinds * sizeof *s->next) ||
        !ms_enlarge(&s->joins, m->room, room, sizeof *s->joins) ||
        !ms_enlarge(&m->of, m->room, room, sizeof *m->of))
      return ms_fail_memory(err, "the states of growing sets");
    m->room = room;
  }
  if (!MS_GROW(m->slots, m->slots_room, m->slots_used, length))
    return ms_fail_memory(err, "the states of growing sets");
  memcpy(m->slots + m->slots_used, m->scratch, length * sizeof *m->slots);
  m->of[s->count] = (family){m->slots_used, length, size, missing};
  m->slots_used += length;
  uint32_t *next = s->next + (size_t)s->count * s->kinds;
  for (uint32_t c = 0; c < s->kinds; c++)
    next[c] = MS_NO_STATE;
  s->count++;
  if (2 * s->count > m->table_size && !grow_table(m))
    return ms_fail_memory(err, "the states of growing sets");
  uint32_t at = hash_of_state(m, s->count - 1) & (m->table_size - 1);
  while (m->table[at] && m->table[at] != s->count)
    at = (at + 1) & (m->table_size - 1);
  m->table[at] = s->count;
  return fill_joins(m, s->count - 1, bits, err);
}

/* Sets *number to the state whose family is in scratch, which is added if it is new. */
static ms_status number_of_state(making *m, uint32_t length, uint32_t size, uint32_t missing,
                                 uint32_t *bits, uint32_t *number, ms_error *err)
{
  uint32_t at = hash_of(m->scratch, length, size, missing) & (m->table_size - 1);
  for (; m->table[at]; at = (at + 1) & (m->table_size - 1)) {
    family f = m->of[m->table[at] - 1];
    if (f.length == length && f.size == size && f.missing == missing &&
        memcmp(m->slots + f.begin, m->scratch, length * sizeof *m->scratch) == 0) {
      *number = m->table[at] - 1;
      return MS_OK;
    }
  }
  MS_TRY(add_state(m, length, size, missing, bits, err));
  *number = m->states->count - 1;
  return MS_OK;
}

/* Makes the states to which one more vertex leads. */
static ms_status follow(making *m, uint32_t state, uint32_t *bits, ms_error *err)
{
  ms_states *s = m->states;
  family from = m->of[state];
  uint32_t size = from.size + 1, left = m->kinds->ranked->size - size;
  for (uint32_t c = 0; c < s->kinds; c++) {
    const uint32_t *joins = s->set + (size_t)s->joins[state] * s->kind_words;
    ms_kind kind = m->kinds->kind[c];
    uint32_t length, number;
    if (!(joins[c / 32] >> c % 32 & 1) || from.missing - kind.mandatory > left)
      continue;
    if (!extend(m, from, kind.mask, &length))
      return ms_fail_memory(err, "the states of growing sets");
    MS_TRY(number_of_state(m, length, size, from.missing - kind.mandatory, bits, &number, err));
    s->next[(size_t)state * s->kinds + c] = number;
  }
  return MS_OK;
}

/* ---- groups ------------------------------------------------------------------------ */

/* Adds the groups of a state; bits[kind_words]. */
static ms_status add_groups(making *m, uint32_t state, uint32_t *bits, ms_error *err)
{
  ms_states *s = m->states;
  const uint32_t *next = s->next + (size_t)state * s->kinds;
  for (uint32_t c = 0; c < s->kinds; c++) {
    bool is_first = next[c] != MS_NO_STATE;
    for (uint32_t b = 0; b < c && is_first; b++)
      is_first = next[b] == MS_NO_STATE || s->joins[next[b]] != s->joins[next[c]];
    if (!is_first)
      continue;
    memset(bits, 0, s->kind_words * sizeof *bits);
    for (uint32_t b = c; b < s->kinds; b++)
      if (next[b] != MS_NO_STATE && s->joins[next[b]] == s->joins[next[c]])
        bits[b / 32] |= 1u << b % 32;
    uint32_t members;
    MS_TRY(number_of_set(m, bits, &members, err));
    if (!MS_GROW(s->group, m->groups_room, m->groups, 1))
      return ms_fail_memory(err, "the states of growing sets");
    s->group[m->groups++] = (ms_state_group){members, s->joins[next[c]]};
  }
  m->work += (uint64_t)s->kinds * s->kinds / 8;
  return m->work > MOST_WORK ? too_many(err) : MS_OK;
}

static ms_status make_groups(making *m, uint32_t *bits, ms_error *err)
{
  ms_states *s = m->states;
  uint32_t size = m->kinds->ranked->size;
  s->group_begin = ms_alloc((size_t)s->count + 1, sizeof *s->group_begin);
  if (!s->group_begin)
    return ms_fail_memory(err, "the states of growing sets");
  for (uint32_t state = 0; state < s->count; state++) {
    s->group_begin[state] = m->groups;
    if (m->of[state].size + 2 == size)
      MS_TRY(add_groups(m, state, bits, err));
  }
  s->group_begin[s->count] = m->groups;
  return MS_OK;
}

static ms_status make_states(making *m, uint32_t *bits, ms_error *err)
{
  ms_states *s = m->states;
  find_classes(m);
  if (!MS_GROW(m->scratch, m->scratch_room, 0, 1))
    return ms_fail_memory(err, "the states of growing sets");
  m->scratch[0] = 0;
  MS_TRY(add_state(m, 1, 0, m->kinds->ranked->n_mandatory, bits, err));
  for (uint32_t state = 0; state < s->count; state++)
    if (m->of[state].size + 1 < m->kinds->ranked->size)
      MS_TRY(follow(m, state, bits, err));
  return make_groups(m, bits, err);
}

ms_status ms_states_new(const ms_kinds *kinds, ms_states **out, ms_error *err)
{
  making m = {.kinds = kinds};
  ms_states *s = *out = m.states = ms_calloc(1, sizeof *s);
  if (!s)
    return ms_fail_memory(err, "the states of growing sets");
  s->kinds = kinds->count;
  s->kind_words = (kinds->count + 31) / 32;
  uint32_t *bits = ms_alloc(s->kind_words, sizeof *bits);
  ms_status status =
      bits ? make_states(&m, bits, err) : ms_fail_memory(err, "the states of growing sets");
  ms_free(bits);
  ms_free(m.of);
  ms_free(m.slots);
  ms_free(m.table);
  ms_free(m.scratch);
  if (status != MS_OK) {
    ms_states_free(s);
    *out = NULL;
  }
  return status;
}

void ms_states_free(ms_states *states)
{
  if (!states)
    return;
  ms_free(states->next);
  ms_free(states->joins);
  ms_free(states->set);
  ms_free(states->group_begin);
  ms_free(states->group);
  ms_free(states);
}
