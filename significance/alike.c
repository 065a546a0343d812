#include "significance/alike.h"

#include "base/alloc.h"
#include "base/philox.h"
#include "base/status.h"
#include "graph/graph.h"

#include <string.h>

#define NO_LIST UINT32_MAX
#define SHORT 2u  /* vertices that a list holds without a block of its own */
#define SIZES 17u /* of blocks: SHORT 4^i vertices */

typedef struct list {
  uint64_t key;
  uint32_t count, room;
  union {
    uint32_t few[SHORT];
    uint32_t *many; /* where room > SHORT */
    uint32_t next;  /* of the free lists; NO_LIST: none */
  } at;
} list;

struct ms_alike {
  const ms_null *null;
  uint64_t *number; /* [labels] whose sum is the key of a multiset */
  list *list;       /* [moved + 1]: a vertex comes to a new list before it leaves its old one */
  uint32_t free_list;
  uint64_t *key;        /* [n] of the list of a vertex */
  uint32_t *of, *place; /* [n] the list of a vertex, and its place there */
  uint32_t *slot;       /* [slots] hash table with linear probing: list; NO_LIST: free */
  uint64_t slots;
  const uint16_t *label;  /* [n] at this moment */
  uint64_t *around;       /* [n] bit l mod 64 is set if a neighbour has the label l, and may be if
                             none has it any more */
  uint32_t *spare[SIZES]; /* blocks of each size that no list has; each holds the pointer to the
                             next one */
  int shift;              /* the highest bits of a key are its home in the table */
};

static uint64_t bit_of(uint16_t label)
{
  return (uint64_t)1 << label % 64;
}

/* ---- the hash table ------------------------------------------------------------------------- */

static uint64_t home_of(const ms_alike *a, uint64_t key)
{
  return key >> a->shift;
}

/* Returns the slot of a key, or the free one where it belongs. */
static uint64_t find_slot(const ms_alike *a, uint64_t key)
{
  uint64_t at = home_of(a, key);
  while (a->slot[at] != NO_LIST && a->list[a->slot[at]].key != key)
    at = (at + 1) & (a->slots - 1);
  return at;
}

/* Frees a slot, and closes the gap (D. E. Knuth: The Art of Computer Programming 3, 6.4,
 * algorithm R). */
static void free_slot(ms_alike *a, uint64_t gap)
{
  uint64_t mask = a->slots - 1;
  for (uint64_t at = (gap + 1) & mask; a->slot[at] != NO_LIST; at = (at + 1) & mask) {
    uint64_t home = home_of(a, a->list[a->slot[at]].key);
    if (((at - home) & mask) >= ((at - gap) & mask)) {
      a->slot[gap] = a->slot[at];
      gap = at;
    }
  }
  a->slot[gap] = NO_LIST;
}

/* ---- the lists ------------------------------------------------------------------------------ */

static uint32_t *items(list *l)
{
  return l->room > SHORT ? l->at.many : l->at.few;
}

/* Returns i, where SHORT 4^i is the room of a list. */
static uint32_t size_of(uint32_t room)
{
  uint32_t size = 0;
  for (; room > SHORT; room /= 4)
    size++;
  return size;
}

/* Keeps the block of a list for another one. */
static void spare_block(ms_alike *a, list *l)
{
  if (l->room > SHORT) {
    uint32_t size = size_of(l->room), *block = l->at.many;
    memcpy(block, &a->spare[size], sizeof(uint32_t *));
    a->spare[size] = block;
  }
}

static ms_status grow(ms_alike *a, list *l, ms_error *err)
{
  uint32_t room = 4 * l->room, size = size_of(room), *many = a->spare[size];
  if (many)
    memcpy(&a->spare[size], many, sizeof(uint32_t *));
  else
    many = ms_alloc(room, sizeof *many);
  if (!many)
    return ms_fail_memory(err, "the lists of a permutation");
  memcpy(many, items(l), l->count * sizeof *many);
  spare_block(a, l);
  l->at.many = many;
  l->room = room;
  return MS_OK;
}

static ms_status add(ms_alike *a, uint32_t v, uint64_t key, ms_error *err)
{
  uint64_t slot = find_slot(a, key);
  if (a->slot[slot] == NO_LIST) {
    uint32_t fresh = a->free_list;
    a->free_list = a->list[fresh].at.next;
    a->list[fresh] = (list){.key = key, .room = SHORT};
    a->slot[slot] = fresh;
  }
  list *l = &a->list[a->slot[slot]];
  if (l->count == l->room)
    MS_TRY(grow(a, l, err));
  a->key[v] = key;
  a->of[v] = a->slot[slot];
  a->place[v] = l->count;
  items(l)[l->count++] = v;
  return MS_OK;
}

static void leave(ms_alike *a, uint32_t from, uint32_t place)
{
  list *l = &a->list[from];
  uint32_t last = items(l)[--l->count];
  items(l)[place] = last;
  if (place < l->count)
    a->place[last] = place;
  if (l->count > 0)
    return;
  free_slot(a, find_slot(a, l->key));
  spare_block(a, l);
  l->room = 0;
  l->at.next = a->free_list;
  a->free_list = from;
}

static ms_status move(ms_alike *a, uint32_t v, uint64_t by, ms_error *err)
{
  uint32_t from = a->of[v], place = a->place[v];
  MS_TRY(add(a, v, a->key[v] + by, err));
  leave(a, from, place);
  return MS_OK;
}

/* ---- entry points --------------------------------------------------------------------------- */

/* Returns number i of the numbers of a purpose: of labels, or of classes. */
static uint64_t number_of(uint32_t i, uint32_t purpose)
{
  static const uint32_t key[2] = {0x616c696b, 0x65766572};
  const uint32_t counter[4] = {i, purpose, 0, 0};
  uint32_t out[4];
  ms_philox4x32(counter, key, out);
  return out[0] | (uint64_t)out[1] << 32;
}

static ms_status fill(ms_alike *a, ms_error *err)
{
  const ms_null *null = a->null;
  const ms_graph *g = null->graph;
  for (uint32_t l = 0; l < null->labels; l++)
    a->number[l] = number_of(l, 0);
  memset(a->slot, 0xff, a->slots * sizeof *a->slot);
  for (uint32_t i = 0; i <= null->moved; i++)
    a->list[i] = (list){.at.next = i < null->moved ? i + 1 : NO_LIST};
  for (uint32_t i = 0; i < null->moved; i++) {
    uint32_t v = null->member[i];
    uint64_t key = number_of(null->class_begin[i], 1);
    for (uint64_t e = g->offset[v]; e < g->offset[v + 1]; e++) {
      uint16_t l = a->label[g->neighbor[e]];
      if (l != MS_NO_LABEL) {
        key += a->number[l];
        a->around[v] |= bit_of(l);
      }
    }
    MS_TRY(add(a, v, key, err));
  }
  return MS_OK;
}

static uint64_t count_slots(const ms_null *null, int *bits)
{
  *bits = 4;
  while ((uint64_t)1 << *bits < 2 * (uint64_t)null->moved)
    ++*bits;
  return (uint64_t)1 << *bits;
}

uint64_t ms_alike_bytes(const ms_null *null)
{
  int bits;
  uint64_t lists = (uint64_t)null->moved * (sizeof(list) + 4 * sizeof(uint32_t));
  return count_slots(null, &bits) * sizeof(uint32_t) + lists +
         (uint64_t)null->graph->n * (2 * sizeof(uint32_t) + 2 * sizeof(uint64_t)) +
         null->labels * sizeof(uint64_t);
}

ms_status ms_alike_open(const ms_null *null, const uint16_t *label, ms_alike **out, ms_error *err)
{
  ms_alike *a = ms_calloc(1, sizeof *a);
  int bits;
  *out = NULL;
  if (!a)
    return ms_fail_memory(err, "the lists of a permutation");
  *a = (ms_alike){.null = null, .label = label, .slots = count_slots(null, &bits)};
  a->shift = 64 - bits;
  a->number = ms_alloc(null->labels, sizeof *a->number);
  a->key = ms_alloc(null->graph->n, sizeof *a->key);
  a->of = ms_alloc(null->graph->n, sizeof *a->of);
  a->place = ms_alloc(null->graph->n, sizeof *a->place);
  a->slot = ms_alloc(a->slots, sizeof *a->slot);
  a->list = ms_calloc((size_t)null->moved + 1, sizeof *a->list);
  a->around = ms_calloc(null->graph->n, sizeof *a->around);
  bool ok = a->around && a->key && a->number && a->of && a->place && a->slot && a->list;
  ms_status status = ok ? fill(a, err) : ms_fail_memory(err, "the lists of a permutation");
  if (status == MS_OK)
    *out = a;
  else
    ms_alike_close(a);
  return status;
}

void ms_alike_close(ms_alike *a)
{
  if (!a)
    return;
  for (uint32_t i = 0; a->list && i <= a->null->moved; i++)
    if (a->list[i].room > SHORT)
      ms_free(a->list[i].at.many);
  for (uint32_t i = 0; i < SIZES; i++)
    while (a->spare[i]) {
      uint32_t *block = a->spare[i];
      memcpy(&a->spare[i], block, sizeof(uint32_t *));
      ms_free(block);
    }
  ms_free(a->list);
  ms_free(a->number);
  ms_free(a->around);
  ms_free(a->key);
  ms_free(a->of);
  ms_free(a->place);
  ms_free(a->slot);
  ms_free(a);
}

uint32_t ms_alike_count(const ms_alike *a, uint32_t v)
{
  return a->list[a->of[v]].count;
}

uint32_t ms_alike_get(const ms_alike *a, uint32_t v, uint32_t i)
{
  return items(&a->list[a->of[v]])[i];
}

uint32_t ms_alike_find(const ms_alike *a, uint32_t v, uint16_t c, uint16_t d, uint32_t *first)
{
  /* without a neighbour c, the key is that of no multiset */
  if (!(a->around[v] & bit_of(c)))
    return 0;
  uint64_t key = a->key[v] - a->number[c] + (d == MS_NO_LABEL ? 0 : a->number[d]);
  *first = a->slot[find_slot(a, key)];
  return *first == NO_LIST ? 0 : a->list[*first].count;
}

uint32_t ms_alike_item(const ms_alike *a, uint32_t first, uint32_t i)
{
  return items(&a->list[first])[i];
}

/* The vertices that are neighbours of exactly one of two vertices, in ascending order. */
typedef struct ends {
  const uint32_t *row[2], *end[2];
} ends;

static ends begin_ends(const ms_alike *a, uint32_t u, uint32_t v)
{
  const ms_graph *g = a->null->graph;
  return (ends){{g->neighbor + g->offset[u], g->neighbor + g->offset[v]},
                {g->neighbor + g->offset[u + 1], g->neighbor + g->offset[v + 1]}};
}

/* Sets *w to the next one, and *of to 0 for a neighbour of the first vertex, 1 for one of the
 * second.  Returns false at the end. */
static bool next_end(ends *e, uint32_t *w, int *of)
{
  while (e->row[0] < e->end[0] && e->row[1] < e->end[1] && *e->row[0] == *e->row[1]) {
    e->row[0]++;
    e->row[1]++;
  }
  if (e->row[0] == e->end[0] && e->row[1] == e->end[1])
    return false;
  *of = e->row[0] == e->end[0] || (e->row[1] < e->end[1] && *e->row[1] < *e->row[0]);
  *w = *e->row[*of]++;
  return true;
}

bool ms_alike_but_edge(const ms_alike *a, uint32_t u, uint32_t v)
{
  return a->key[u] - a->number[a->label[v]] == a->key[v] - a->number[a->label[u]];
}

uint32_t ms_alike_count_after(const ms_alike *a, uint32_t u, uint32_t v, uint16_t x, uint16_t y)
{
  uint64_t key = a->key[u], by = a->number[y] - a->number[x];
  uint32_t count = ms_alike_count(a, u), w;
  ends e = begin_ends(a, u, v);
  for (int of; next_end(&e, &w, &of);)
    if (a->null->label[w] != MS_NO_LABEL) {
      uint64_t before = a->key[w];
      count += before + (of ? -by : by) == key;
      count -= before == key;
    }
  return count;
}

ms_status ms_alike_swap(ms_alike *a, uint32_t u, uint32_t v, uint16_t x, uint16_t y, ms_error *err)
{
  uint64_t by = a->number[y] - a->number[x];
  uint32_t w;
  ends e = begin_ends(a, u, v);
  for (int of; next_end(&e, &w, &of);)
    if (a->null->label[w] != MS_NO_LABEL) {
      a->around[w] |= bit_of(of ? x : y);
      MS_TRY(move(a, w, of ? -by : by, err));
    }
  return MS_OK;
}
