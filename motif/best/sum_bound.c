#include "motif/best/sum_bound.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/parallel.h"

#include <stdlib.h>
#include <string.h>

/* Least number of vertices of a thread that fills tables. */
#define VERTICES_A_THREAD 4096u

typedef struct root_bound {
  uint64_t sum;
  uint32_t root;
} root_bound;

struct ms_sum_bound {
  const ms_ranked *ranked;
  ms_sums *sums;
  uint32_t classes;
  uint32_t slots[MS_MAX_K]; /* [classes] slots that the same vertices fit */
  uint32_t *score;          /* [n] of each rank */
  /* [hops - 1][n][classes] the greatest score of a vertex of the class within so many hops, plus 1;
   * 0: there is no vertex.  NULL: there was no memory */
  uint32_t *best;
  uint64_t reserved;
  uint32_t best_of_all[MS_MAX_K];    /* [classes] the same of all vertices */
  uint32_t hops;                     /* that are being filled */
  const atomic_uint_least32_t *most; /* [n] as in ms_sum_bound_new */
  uint32_t roots;
  root_bound *root; /* [roots] in descending order */
};

/* Divides the slots into classes. */
static void find_classes(ms_sum_bound *b)
{
  const ms_ranked *ranked = b->ranked;
  b->slots[0] = UINT32_MAX >> (32 - ranked->k);
  b->classes = 1;
  for (uint32_t v = 0; v < ranked->n; v++) {
    if (v > 0 && ranked->mask[v] == ranked->mask[v - 1])
      continue;
    for (uint32_t c = 0, classes = b->classes; c < classes; c++) {
      uint32_t inside = b->slots[c] & ranked->mask[v];
      if (inside == 0 || inside == b->slots[c])
        continue;
      b->slots[b->classes++] = b->slots[c] & ~inside;
      b->slots[c] = inside;
    }
  }
}

/* Returns the entry of vertex v itself. */
static uint32_t own(const ms_sum_bound *b, uint32_t v, uint32_t class)
{
  return b->ranked->mask[v] & b->slots[class] ? b->score[v] + 1 : 0;
}

static uint32_t *entry_of(const ms_sum_bound *b, uint32_t hops, uint32_t v)
{
  return b->best + (((size_t)hops - 1) * b->ranked->n + v) * b->classes;
}

static void raise(uint32_t *entry, uint32_t value)
{
  *entry = value > *entry ? value : *entry;
}

/* Fills the table of b->hops from that of one hop less. */
static void fill(void *user, ms_range range)
{
  const ms_sum_bound *b = user;
  const ms_ranked *ranked = b->ranked;
  for (uint32_t v = (uint32_t)range.begin; v < range.end; v++) {
    uint32_t *entry = entry_of(b, b->hops, v);
    for (uint32_t c = 0; c < b->classes; c++)
      entry[c] = b->hops > 1 ? entry_of(b, b->hops - 1, v)[c] : own(b, v, c);
    for (uint64_t a = ranked->offset[v]; a < ranked->offset[v + 1]; a++) {
      uint32_t u = ranked->neighbor[a];
      for (uint32_t c = 0; c < b->classes; c++)
        raise(&entry[c], b->hops > 1 ? entry_of(b, b->hops - 1, u)[c] : own(b, u, c));
    }
  }
}

static void fill_tables(ms_sum_bound *b, int threads)
{
  const ms_ranked *ranked = b->ranked;
  uint64_t entries = (uint64_t)ranked->n * b->classes * (ranked->size - 1);
  uint64_t share = ranked->n / VERTICES_A_THREAD + 1, bytes = entries * sizeof *b->best;
  if (entries == 0 || bytes > ms_budget_left(b->sums->budget) / 2 || /* rows need memory, too */
      !ms_budget_reserve(b->sums->budget, bytes))
    return;
  b->reserved = bytes;
  b->best = ms_alloc(entries, sizeof *b->best);
  for (b->hops = 1; b->best && b->hops < ranked->size; b->hops++)
    ms_parallel((uint64_t)threads < share ? threads : (int)share, ranked->n, 0, fill, b);
}

/* Adds the `left` greatest scores of the slots; best[classes] has the greatest of each class.
 * Returns UINT64_MAX if fewer slots have a vertex. */
static uint64_t sum_of_best(const ms_sum_bound *b, const uint32_t *best, uint32_t usable,
                            uint32_t left)
{
  uint32_t value[MS_MAX_K], number[MS_MAX_K], n = 0;
  uint64_t sum = 0;
  for (uint32_t c = 0, at; c < b->classes; c++) {
    uint32_t slots = (uint32_t)__builtin_popcount(usable & b->slots[c]);
    if (slots == 0 || best[c] == 0)
      continue;
    for (at = n++; at > 0 && value[at - 1] < best[c]; at--) {
      value[at] = value[at - 1];
      number[at] = number[at - 1];
    }
    value[at] = best[c];
    number[at] = slots;
  }
  for (uint32_t i = 0; i < n && left > 0; i++) {
    uint32_t slots = number[i] < left ? number[i] : left;
    sum += (uint64_t)slots * (value[i] - 1);
    left -= slots;
  }
  return left > 0 ? UINT64_MAX : sum;
}

static int compare_roots(const void *x, const void *y)
{
  const root_bound *a = x, *b = y;
  return a->sum != b->sum ? (a->sum < b->sum) - (a->sum > b->sum)
                          : (a->root > b->root) - (a->root < b->root);
}

static void order_roots(ms_sum_bound *b)
{
  const ms_ranked *ranked = b->ranked;
  uint32_t left = ranked->size - 1;
  for (uint32_t v = 0; v < b->roots; v++) {
    const uint32_t *best = b->best && left > 0 ? entry_of(b, left, v) : b->best_of_all;
    uint64_t others = sum_of_best(b, best, UINT32_MAX, left);
    b->root[v] = (root_bound){others == UINT64_MAX ? 0 : b->score[v] + others, v};
  }
  qsort(b->root, b->roots, sizeof *b->root, compare_roots);
}

ms_status ms_sum_bound_new(const ms_ranked *ranked, ms_sums *sums,
                           const atomic_uint_least32_t *most, int threads, ms_sum_bound **out,
                           ms_error *err)
{
  ms_sum_bound *b = *out = ms_calloc(1, sizeof *b);
  if (!b)
    return ms_fail_memory(err, "the bounds of sums");
  b->ranked = ranked;
  b->sums = sums;
  b->most = most;
  b->roots = most ? ranked->n : ranked->roots;
  b->score = ms_alloc(ranked->n, sizeof *b->score);
  b->root = ms_alloc(b->roots, sizeof *b->root);
  if (!b->score || !b->root) {
    ms_sum_bound_free(b);
    *out = NULL;
    return ms_fail_memory(err, "the bounds of sums");
  }
  find_classes(b);
  for (uint32_t v = 0; v < ranked->n; v++) {
    b->score[v] = sums->score[ranked->vertex[v]];
    for (uint32_t c = 0; c < b->classes; c++)
      raise(&b->best_of_all[c], own(b, v, c));
  }
  fill_tables(b, threads);
  order_roots(b);
  return MS_OK;
}

void ms_sum_bound_free(ms_sum_bound *b)
{
  if (!b)
    return;
  ms_budget_release(b->sums->budget, b->reserved);
  ms_free(b->score);
  ms_free(b->best);
  ms_free(b->root);
  ms_free(b);
}

uint32_t ms_sum_bound_root(const ms_sum_bound *b, uint64_t i)
{
  return b->root[i].root;
}

bool ms_sum_bound_allows(const ms_sum_bound *b, uint32_t least, const ms_frame *frame,
                         uint32_t depth)
{
  uint64_t sum = 0;
  uint32_t left = b->ranked->size - depth, best[MS_MAX_K];
  const uint32_t *near = b->best_of_all;
  if (least == 0)
    return true;
  for (uint32_t d = 0; d < depth; d++) {
    uint32_t v = frame[d].vertex;
    if (b->most && atomic_load_explicit(&b->most[v], memory_order_relaxed) < least)
      return false;
    sum += b->score[v];
  }
  if (b->best && left > 0) {
    near = best;
    memset(best, 0, b->classes * sizeof *best);
    for (uint32_t d = 0; d < depth; d++) {
      const uint32_t *entry = entry_of(b, left, frame[d].vertex);
      for (uint32_t c = 0; c < b->classes; c++)
        raise(&best[c], entry[c]);
    }
  }
  uint64_t others = sum_of_best(b, near, frame[depth - 1].slots.usable, left);
  return others != UINT64_MAX && sum + others >= least;
}
