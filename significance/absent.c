#include "significance/absent.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "motif/sort_rows.h"

#include <stdlib.h>

/* The coefficient of t^k in the product over the colours of 1 + t + .. + t^(n_c). */
uint64_t ms_count_motifs(const uint64_t *holders, uint32_t colors, uint32_t k)
{
  long double number[MS_MAX_CENSUS + 1] = {1};
  for (uint32_t c = 0; c < colors; c++)
    for (uint32_t size = k; size > 0; size--)
      for (uint32_t slots = 1; slots <= size && slots <= holders[c]; slots++)
        number[size] += number[size - slots];
  return number[k] < (long double)INT64_MAX ? (uint64_t)number[k] : INT64_MAX;
}

/* A search for the motifs of large means: colours come in the order of falling numbers of their
 * vertices, and a motif takes them in this order.  With m_c slots of colour c, the mean is
 *
 *     N k! / (n)_k * prod (n_c)_(m_c) / m_c!.
 *
 * The sum of the last factor over all ways to fill r more slots by colours of a list is at most
 * (sum of their n_c)^r / r!, so that no further colour is tried where this is too small. */
typedef struct lister {
  const ms_overlaps *overlaps;
  const uint64_t *holders; /* [colors] */
  uint32_t *order;         /* [colors] falling numbers of vertices */
  double *rest;            /* [colors] vertices of this colour of the order and those behind */
  uint32_t colors;
  double least;
  uint64_t most;
  ms_budget *budget;
  ms_motif_list *out;
  uint32_t chosen[MS_MAX_CENSUS]; /* places in the order */
  ms_error *err;
} lister;

static ms_status add(lister *l)
{
  uint32_t k = l->overlaps->k;
  ms_color_class class_[MS_MAX_CENSUS];
  uint32_t classes = 0;
  for (uint32_t i = 0; i < k; i++) {
    if (i > 0 && l->chosen[i] == l->chosen[i - 1])
      class_[classes - 1].slots++;
    else
      class_[classes++] = (ms_color_class){1, l->holders[l->order[l->chosen[i]]]};
  }
  if (ms_moments_mean(l->overlaps, class_, classes) < l->least)
    return MS_OK;
  ms_motif_list *out = l->out;
  out->full = out->count == l->most;
  if (out->full)
    return MS_OK;
  if (out->count % 4096 == 0)
    MS_TRY(ms_stop_poll("motifs without sets are listed", l->err));
  if (out->count == out->room) {
    uint64_t room = 2 * out->room + 256, bytes = (room - out->room) * k * sizeof *out->color;
    if (!ms_budget_reserve(l->budget, bytes))
      return ms_fail(l->err, MS_ERR_MEMORY,
                     "too many motifs are expected at least %g times to be listed; raise `memory`",
                     l->least);
    uint32_t *larger = ms_resize(out->color, out->room * k, room * k, sizeof *larger);
    if (!larger)
      return ms_fail_memory(l->err, "the motifs without sets");
    out->color = larger;
    out->room = room;
  }
  uint32_t *row = out->color + out->count++ * k;
  for (uint32_t i = 0; i < k; i++) {
    uint32_t color = l->order[l->chosen[i]], at = i;
    for (; at > 0 && row[at - 1] > color; at--)
      row[at] = row[at - 1];
    row[at] = color;
  }
  return MS_OK;
}

/* Fills the slots from `slot` on by colours from place `from` of the order on.  `mean`: that of the
 * motif so far, without the factor of the empty slots. */
static ms_status choose(lister *l, uint32_t slot, uint32_t from, double mean)
{
  uint32_t k = l->overlaps->k;
  if (slot == k)
    return add(l);
  for (uint32_t i = from; i < l->colors && !l->out->full; i++) {
    uint32_t alike = 0;
    while (alike < slot && l->chosen[slot - 1 - alike] == i)
      alike++;
    double holders = (double)l->holders[l->order[i]];
    if (holders <= alike)
      continue;
    double next = mean * (holders - alike) / (alike + 1), most = next;
    /* without the slots that are alike, which would make a smaller bound */
    double bound = mean * holders;
    for (uint32_t r = 1; r < k - slot; r++) {
      most *= l->rest[i] / r;
      bound *= l->rest[i] / r;
    }
    /* a part in 10^9 for rounding */
    if (bound < l->least * (1 - 1e-9))
      break;
    if (most < l->least * (1 - 1e-9))
      continue;
    l->chosen[slot] = i;
    MS_TRY(choose(l, slot + 1, i, next));
  }
  return MS_OK;
}

typedef struct held_color {
  uint64_t holders;
  uint32_t color;
} held_color;

static int by_holders(const void *a, const void *b)
{
  const held_color *x = a, *y = b;
  if (x->holders != y->holders)
    return x->holders > y->holders ? -1 : 1;
  return x->color < y->color ? -1 : 1;
}

static ms_status fill_order(lister *l, ms_error *err)
{
  held_color *held = ms_alloc(l->colors, sizeof *held);
  if (!held)
    return ms_fail_memory(err, "the colours");
  for (uint32_t c = 0; c < l->colors; c++)
    held[c] = (held_color){l->holders[c], c};
  qsort(held, l->colors, sizeof *held, by_holders);
  double rest = 0;
  for (uint32_t i = l->colors; i-- > 0;) {
    l->order[i] = held[i].color;
    l->rest[i] = rest += (double)held[i].holders;
  }
  ms_free(held);
  return MS_OK;
}

ms_status ms_list_expected(const ms_overlaps *overlaps, const uint64_t *holders, uint32_t colors,
                           double least, uint64_t most, ms_budget *budget, ms_motif_list *out,
                           ms_error *err)
{
  lister l = {.overlaps = overlaps,
              .holders = holders,
              .colors = colors,
              .least = least,
              .most = most,
              .budget = budget,
              .out = out,
              .err = err};
  uint32_t k = overlaps->k;
  *out = (ms_motif_list){0};
  if (overlaps->n < k || overlaps->sets == 0)
    return MS_OK;
  l.order = ms_alloc(colors, sizeof *l.order);
  l.rest = ms_alloc(colors, sizeof *l.rest);
  ms_status status = l.order && l.rest ? MS_OK : ms_fail_memory(err, "the colours");
  if (status == MS_OK)
    status = fill_order(&l, err);
  double mean = (double)overlaps->sets; /* N k! / (n)_k */
  for (uint32_t i = 0; i < k; i++)
    mean *= (double)(i + 1) / (overlaps->n - i);
  if (status == MS_OK)
    status = choose(&l, 0, 0, mean);
  if (status == MS_OK)
    ms_sort_rows(out->color, out->count, k, NULL);
  ms_free(l.order);
  ms_free(l.rest);
  return status;
}
