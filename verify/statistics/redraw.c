/* The number d(T) of connected k-sets that contain a set T of vertices, for many T.
 *
 * Sets grow from the first vertex of T.  A set takes one candidate after the other, and those that
 * it passes are not taken later.  A vertex of T among the candidates is always taken, because every
 * set that counts contains it.  A set is given up when a vertex of T is further away than the
 * vertices that it may still take. */
#include "verify/statistics/redraw.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"

#include <string.h>

#define FAR UINT8_MAX

typedef struct growth {
  ms_ranks *r;
  uint8_t *wanted;              /* [n] 1: in T */
  uint8_t *hops[MS_MAX_CENSUS]; /* [n] from each vertex of T; FAR: k or more */
  const uint32_t *t;            /* [j] T */
  uint32_t j;
  bool measured; /* hops[] are those of this T */
  uint32_t member[MS_MAX_CENSUS];
  uint32_t *queue; /* [n] */
  uint64_t found;
} growth;

/* Sets the hops from T's vertex number i, or clears them. */
static void measure(growth *g, uint32_t i, bool clear)
{
  ms_ranks *r = g->r;
  uint8_t *hops = g->hops[i];
  uint32_t count = 1;
  g->queue[0] = g->t[i];
  hops[g->t[i]] = clear ? FAR : 0;
  if (clear) { /* what is not FAR is connected by vertices that are not */
    for (uint32_t head = 0; head < count; head++)
      for (uint64_t a = r->offset[g->queue[head]]; a < r->offset[g->queue[head] + 1]; a++)
        if (hops[r->neighbor[a]] != FAR) {
          hops[r->neighbor[a]] = FAR;
          g->queue[count++] = r->neighbor[a];
        }
    return;
  }
  for (uint32_t head = 0; head < count && hops[g->queue[head]] + 1u < r->k; head++)
    for (uint64_t a = r->offset[g->queue[head]]; a < r->offset[g->queue[head] + 1]; a++)
      if (hops[r->neighbor[a]] == FAR) {
        hops[r->neighbor[a]] = (uint8_t)(hops[g->queue[head]] + 1);
        g->queue[count++] = r->neighbor[a];
      }
}

/* True if each vertex of T that the set lacks is near enough. */
static bool can_grow(const growth *g, uint32_t size, uint32_t lacks)
{
  uint32_t left = g->r->k - size;
  if (lacks > left)
    return false;
  for (uint32_t i = 0; i < g->j && lacks > 0 && g->measured; i++) {
    uint8_t least = FAR;
    for (uint32_t m = 0; m < size; m++)
      least = g->hops[i][g->member[m]] < least ? g->hops[i][g->member[m]] : least;
    if (least > left) /* 0 for those in the set */
      return false;
  }
  return true;
}

static uint32_t append(growth *g, uint32_t v, uint32_t end)
{
  ms_ranks *r = g->r;
  for (uint64_t a = r->offset[v]; a < r->offset[v + 1]; a++)
    if (!r->seen[r->neighbor[a]]) {
      r->seen[r->neighbor[a]] = 1;
      r->list[end++] = r->neighbor[a];
    }
  return end;
}

static void forget(growth *g, uint32_t end, uint32_t to)
{
  while (end > to)
    g->r->seen[g->r->list[--end]] = 0;
}

static void swap(uint32_t *list, uint32_t a, uint32_t b)
{
  uint32_t moved = list[a];
  list[a] = list[b];
  list[b] = moved;
}

static void grow(growth *g, uint32_t size, uint32_t begin, uint32_t end, uint32_t lacks);

static void take(growth *g, uint32_t size, uint32_t at, uint32_t end, uint32_t lacks)
{
  uint32_t v = g->r->list[at], more = append(g, v, end);
  g->member[size] = v;
  grow(g, size + 1, at + 1, more, lacks - g->wanted[v]);
  forget(g, more, end);
}

/* Counts the sets with the members, list[begin .. end - 1] as candidates, and all of T, of which
 * they lack some. */
static void grow(growth *g, uint32_t size, uint32_t begin, uint32_t end, uint32_t lacks)
{
  ms_ranks *r = g->r;
  if (ms_ranks_stopped(r) || !can_grow(g, size, lacks))
    return;
  if (lacks == 0 && size + 1 >= r->k) {
    g->found += size == r->k ? 1 : end - begin;
    return;
  }
  for (uint32_t i = begin; i < end && lacks > 0; i++)
    if (g->wanted[r->list[i]]) {
      swap(r->list, begin, i);
      take(g, size, begin, end, lacks);
      swap(r->list, begin, i);
      return;
    }
  for (uint32_t i = begin; i < end && r->stopped == MS_OK; i++)
    take(g, size, i, end, lacks);
}

/* Returns d(T) for t[j]. */
static uint64_t count_containing(growth *g, const uint32_t *t, uint32_t j)
{
  ms_ranks *r = g->r;
  bool connected = true;
  g->t = t;
  g->j = j;
  g->found = 0;
  for (uint32_t i = 0; i < j; i++)
    g->wanted[t[i]] = 1;
  /* T is connected if what is next to a part of it always leads to more of it */
  uint32_t reached = 1;
  g->queue[0] = t[0];
  r->seen[t[0]] = 1;
  for (uint32_t head = 0; head < reached; head++)
    for (uint64_t a = r->offset[g->queue[head]]; a < r->offset[g->queue[head] + 1]; a++) {
      uint32_t u = r->neighbor[a];
      if (g->wanted[u] && !r->seen[u]) {
        r->seen[u] = 1;
        g->queue[reached++] = u;
      }
    }
  for (uint32_t i = 0; i < reached; i++)
    r->seen[g->queue[i]] = 0;
  connected = reached == j;
  g->measured = !connected;
  for (uint32_t i = 0; i < j && g->measured; i++)
    measure(g, i, false);
  g->member[0] = t[0];
  r->seen[t[0]] = 1;
  uint32_t end = append(g, t[0], 0);
  grow(g, 1, 0, end, j - 1);
  forget(g, end, 0);
  r->seen[t[0]] = 0;
  for (uint32_t i = 0; i < j && g->measured; i++)
    measure(g, i, true);
  for (uint32_t i = 0; i < j; i++)
    g->wanted[t[i]] = 0;
  return g->found;
}

static ms_status open_growth(growth *g, ms_ranks *r, uint32_t j, ms_error *err)
{
  *g = (growth){.r = r,
                .wanted = ms_calloc(r->n, sizeof *g->wanted),
                .queue = ms_alloc(r->n, sizeof *g->queue)};
  bool made = g->wanted && g->queue;
  for (uint32_t i = 0; i < j && made; i++) {
    g->hops[i] = ms_alloc(r->n, sizeof *g->hops[i]);
    made = g->hops[i];
    if (made)
      memset(g->hops[i], FAR, r->n);
  }
  return made ? MS_OK : ms_fail_memory(err, "the recount");
}

static ms_status count_draws(growth *g, uint64_t draws, uint64_t seed, uint32_t j, uint32_t *set,
                             ms_redrawn *out, ms_error *err)
{
  ms_ranks *r = g->r;
  mpz_t number;
  MS_TRY(ms_redraw_sets(r, draws, seed, j, set, err));
  mpz_init(number);
  for (uint64_t i = 0; i < draws && r->stopped == MS_OK; i++) {
    ms_redraw_subset(set + i * r->k, r->k, i, seed, j);
    mpz_set_ui(number, count_containing(g, set + i * r->k, j));
    if (r->stopped == MS_OK)
      r->stopped = ms_stop_check(r->stop);
    if (r->stopped != MS_OK)
      break;
    mpz_add(out->sum, out->sum, number);
    mpz_addmul(out->squares, number, number);
    out->draws++;
  }
  mpz_clear(number);
  return MS_OK;
}

ms_status ms_redraw(ms_ranks *r, uint64_t draws, uint64_t seed, uint32_t j, ms_redrawn *out,
                    ms_error *err)
{
  growth g;
  mpz_set_ui(out->sum, 0);
  mpz_set_ui(out->squares, 0);
  out->draws = 0;
  ms_status status = open_growth(&g, r, j, err);
  uint32_t *set = ms_alloc(draws, r->k * sizeof *set);
  if (status == MS_OK && !set)
    status = ms_fail_memory(err, "the recount");
  if (status == MS_OK)
    status = count_draws(&g, draws, seed, j, set, out, err);
  ms_free(set);
  ms_free(g.wanted);
  ms_free(g.queue);
  for (uint32_t i = 0; i < MS_MAX_CENSUS; i++)
    ms_free(g.hops[i]);
  return r->stopped != MS_OK && status == r->stopped ? MS_OK : status;
}
