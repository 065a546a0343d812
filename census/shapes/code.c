#include "census/shapes/code.h"

#include "base/alloc.h"
#include "base/status.h"
#include "graph/graph.h"

#include <string.h>

static uint32_t place_of(ms_graphlet_form form, uint32_t i, uint32_t j)
{
  return form.width * (j * (j - 1) / 2 + i);
}

static uint32_t all_of(ms_graphlet_form form)
{
  return (1u << form.width) - 1;
}

/* The same arcs seen from the other end. */
static uint32_t turned(uint32_t bits, uint32_t width)
{
  return width == 1 ? bits : (bits & MS_ARC_TO) << 1 | (bits & MS_ARC_FROM) >> 1;
}

uint32_t ms_graphlet_pair(ms_graphlet_form form, uint32_t code, uint32_t i, uint32_t j)
{
  if (i < j)
    return code >> place_of(form, i, j) & all_of(form);
  return turned(code >> place_of(form, j, i) & all_of(form), form.width);
}

bool ms_graphlet_is_connected(ms_graphlet_form form, uint32_t code)
{
  uint32_t reached = 1, before = 0;
  while (reached != before) {
    before = reached;
    for (uint32_t j = 1; j < form.k; j++)
      for (uint32_t i = 0; i < j; i++)
        if (ms_graphlet_pair(form, code, i, j) && (reached >> i & 1) != (reached >> j & 1))
          reached |= 1u << i | 1u << j;
  }
  return reached == (1u << form.k) - 1;
}

uint32_t ms_graphlet_edges(uint32_t code)
{
  return (uint32_t)__builtin_popcount(code);
}

/* ---- orders -------------------------------------------------------------------------- */

/* The code of the graph whose vertex i is order[i] of this one. */
static uint32_t reorder(ms_graphlet_form form, uint32_t code, const uint8_t *order)
{
  uint32_t to = 0;
  for (uint32_t j = 1; j < form.k; j++)
    for (uint32_t i = 0; i < j; i++)
      to |= ms_graphlet_pair(form, code, order[i], order[j]) << place_of(form, i, j);
  return to;
}

/* Moves order[k] to the next one that keeps the kinds at their places, as lexicographic orders
 * follow each other; false after the last one. */
static bool next_order(uint32_t k, const ms_kind_id *kind, uint8_t *order)
{
  uint32_t i = k - 1;
  for (; i > 0; i--) {
    bool same = !kind || kind[i - 1] == kind[i];
    if (same && order[i - 1] < order[i])
      break;
    if (!same) { /* the group that begins at i is in its last order: back to the first one */
      uint32_t last = i;
      while (last + 1 < k && kind[last + 1] == kind[i])
        last++;
      for (uint32_t a = i, b = last; a < b; a++, b--) {
        uint8_t other = order[a];
        order[a] = order[b];
        order[b] = other;
      }
    }
  }
  if (i == 0)
    return false;
  uint32_t end = i, with;
  while (end < k && (!kind || kind[end] == kind[i]))
    end++;
  for (with = end - 1; order[with] < order[i - 1]; with--)
    ;
  uint8_t other = order[with];
  order[with] = order[i - 1];
  order[i - 1] = other;
  for (uint32_t a = i, b = end - 1; a < b; a++, b--) {
    other = order[a];
    order[a] = order[b];
    order[b] = other;
  }
  return true;
}

void ms_graphlet_orders_begin(ms_graphlet_orders *orders, ms_graphlet_form form, uint32_t code,
                              const ms_kind_id *kind)
{
  *orders = (ms_graphlet_orders){.form = form, .code = code, .kind = kind};
  for (uint32_t i = 0; i < form.k; i++)
    orders->order[i] = (uint8_t)i;
}

bool ms_graphlet_orders_next(ms_graphlet_orders *orders, uint32_t *code)
{
  if (orders->begun && !next_order(orders->form.k, orders->kind, orders->order))
    return false;
  orders->begun = true;
  *code = reorder(orders->form, orders->code, orders->order);
  return true;
}

/* Sorts kind[k] (NULL: all are the same), and begins the orders in which they ascend. */
static void begin_ascending(ms_graphlet_orders *orders, ms_graphlet_form form, uint32_t code,
                            ms_kind_id *kind)
{
  ms_graphlet_orders_begin(orders, form, code, kind);
  for (uint32_t i = 1; kind && i < form.k; i++) {
    ms_kind_id own = kind[i];
    uint32_t at = i;
    for (; at > 0 && kind[at - 1] > own; at--) {
      kind[at] = kind[at - 1];
      orders->order[at] = orders->order[at - 1];
    }
    kind[at] = own;
    orders->order[at] = (uint8_t)i;
  }
}

uint32_t ms_graphlet_classify(ms_graphlet_form form, uint32_t code, ms_kind_id *kind,
                              uint32_t *automorphisms)
{
  ms_graphlet_orders orders;
  uint32_t least = UINT32_MAX, other;
  begin_ascending(&orders, form, code, kind);
  *automorphisms = 0;
  while (ms_graphlet_orders_next(&orders, &other)) {
    *automorphisms = other < least ? 1 : *automorphisms + (other == least);
    least = other < least ? other : least;
  }
  return least;
}

uint32_t ms_graphlet_locate(ms_graphlet_form form, uint32_t code, ms_kind_id *kind,
                            uint32_t *position)
{
  ms_graphlet_orders orders;
  uint32_t least = UINT32_MAX, other;
  begin_ascending(&orders, form, code, kind);
  while (ms_graphlet_orders_next(&orders, &other)) {
    uint32_t place = 0;
    while (orders.order[place] != 0)
      place++;
    if (other < least || (other == least && place < *position))
      *position = place;
    least = other < least ? other : least;
  }
  return least;
}

/* ---- classes ------------------------------------------------------------------------- */

/* Gives all orders of a graph its class; returns its automorphisms. */
static uint32_t spread(ms_graphlet_classes *classes, ms_graphlet_form form, uint32_t code)
{
  ms_graphlet_orders orders;
  uint32_t same = 0, other;
  ms_graphlet_orders_begin(&orders, form, code, NULL);
  while (ms_graphlet_orders_next(&orders, &other)) {
    classes->class_of[other] = classes->count;
    same += other == code;
  }
  return same;
}

ms_status ms_graphlet_classes_open(ms_graphlet_classes *classes, ms_graphlet_form form,
                                   ms_error *err)
{
  uint32_t codes = 1u << ms_graphlet_bits(form, form.k);
  uint64_t rooms[2] = {0};
  *classes = (ms_graphlet_classes){.class_of = ms_alloc(codes, sizeof(uint32_t))};
  bool ok = classes->class_of;
  if (ok)
    memset(classes->class_of, 0xff, codes * sizeof(uint32_t));
  for (uint32_t code = 0; ok && code < codes; code++) {
    if (classes->class_of[code] != UINT32_MAX || !ms_graphlet_is_connected(form, code))
      continue;
    ok = MS_GROW(classes->code, rooms[0], classes->count, 1) &&
         MS_GROW(classes->automorphisms, rooms[1], classes->count, 1);
    if (!ok)
      break;
    classes->code[classes->count] = code;
    classes->automorphisms[classes->count] = spread(classes, form, code);
    classes->count++;
  }
  if (ok)
    return MS_OK;
  ms_graphlet_classes_close(classes);
  return ms_fail_memory(err, "the classes of shapes");
}

void ms_graphlet_classes_close(ms_graphlet_classes *classes)
{
  ms_free(classes->code);
  ms_free(classes->automorphisms);
  ms_free(classes->class_of);
  *classes = (ms_graphlet_classes){0};
}

/* ---- orbits -------------------------------------------------------------------------- */

/* Sets first[k] to the lowest vertex of the orbit of each vertex. */
static void find_orbits(ms_graphlet_form form, uint32_t code, uint32_t *first)
{
  ms_graphlet_orders orders;
  uint32_t other;
  for (uint32_t i = 0; i < form.k; i++)
    first[i] = i;
  ms_graphlet_orders_begin(&orders, form, code, NULL);
  while (ms_graphlet_orders_next(&orders, &other))
    for (uint32_t i = 0; other == code && i < form.k; i++)
      if (orders.order[i] < first[i])
        first[i] = orders.order[i];
}

/* Adds the orbits of a class, and gives them to all of its orders. */
static bool add_orbits(ms_graphlet_orbits *orbits, ms_graphlet_form form, uint32_t code,
                       uint64_t rooms[2])
{
  ms_graphlet_orders orders;
  uint32_t first[MS_MAX_CENSUS], number[MS_MAX_CENSUS] = {0}, other;
  find_orbits(form, code, first);
  for (uint32_t i = 0; i < form.k; i++) {
    if (first[i] != i)
      continue;
    if (!MS_GROW(orbits->code, rooms[0], orbits->count, 1) ||
        !MS_GROW(orbits->position, rooms[1], orbits->count, 1))
      return false;
    orbits->code[orbits->count] = code;
    orbits->position[orbits->count] = i;
    number[i] = orbits->count++;
  }
  ms_graphlet_orders_begin(&orders, form, code, NULL);
  while (ms_graphlet_orders_next(&orders, &other))
    orbits->orbit_of[other] = number[first[orders.order[0]]];
  return true;
}

ms_status ms_graphlet_orbits_open(ms_graphlet_orbits *orbits, ms_graphlet_form form, ms_error *err)
{
  ms_graphlet_classes classes;
  uint64_t rooms[2] = {0};
  size_t codes = (size_t)1 << ms_graphlet_bits(form, form.k);
  MS_TRY(ms_graphlet_classes_open(&classes, form, err));
  *orbits = (ms_graphlet_orbits){.orbit_of = ms_alloc(codes, sizeof(uint32_t))};
  bool ok = orbits->orbit_of;
  if (ok)
    memset(orbits->orbit_of, 0xff, codes * sizeof(uint32_t));
  for (uint32_t i = 0; ok && i < classes.count; i++)
    ok = add_orbits(orbits, form, classes.code[i], rooms);
  ms_graphlet_classes_close(&classes);
  if (ok)
    return MS_OK;
  ms_graphlet_orbits_close(orbits);
  return ms_fail_memory(err, "the orbits of shapes");
}

void ms_graphlet_orbits_close(ms_graphlet_orbits *orbits)
{
  ms_free(orbits->code);
  ms_free(orbits->position);
  ms_free(orbits->orbit_of);
  *orbits = (ms_graphlet_orbits){0};
}

bool ms_graphlet_key_is_right(ms_graphlet_form form, uint32_t kinds, const ms_multiset *key)
{
  ms_multiset copy = *key;
  uint32_t code = ms_graphlet_code_of(key), automorphisms;
  for (uint32_t i = 0; i < form.k; i++)
    if (key->kind[i] >= kinds || (i > 0 && key->kind[i - 1] > key->kind[i]))
      return false;
  for (uint32_t i = form.k; i < MS_GRAPHLET_HIGH; i++)
    if (key->kind[i] != MS_NO_KIND)
      return false;
  return (uint64_t)code >> ms_graphlet_bits(form, form.k) == 0 &&
         ms_graphlet_is_connected(form, code) &&
         ms_graphlet_classify(form, code, copy.kind, &automorphisms) == code;
}
