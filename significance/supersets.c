#include "significance/supersets.h"

#include "base/alloc.h"
#include "base/status.h"

#include <string.h>

enum { WANTED = 1, REACHED = 2 }; /* bits of a tag: in T; in the set or next to it */
#define FAR UINT8_MAX

/* A set that is extended. */
typedef struct state {
  uint32_t size;
  uint32_t missing;                /* bit i: wanted[i] is not in the set */
  uint8_t distance[MS_MAX_CENSUS]; /* [wants] least distance of a vertex of the set */
} state;

uint64_t ms_supersets_bytes(const ms_census_graph *g, uint32_t k)
{
  return (uint64_t)g->n * (sizeof(uint8_t) * k + 2 * sizeof(uint32_t));
}

ms_status ms_supersets_open(ms_supersets *s, const ms_census_graph *g, uint32_t k, ms_watch *watch,
                            ms_error *err)
{
  *s = (ms_supersets){.graph = g, .k = k, .watch = watch};
  s->tag = ms_calloc(g->n, sizeof *s->tag);
  s->x = ms_alloc(g->n, sizeof *s->x);
  s->near = ms_alloc(g->n, sizeof *s->near);
  bool made = s->tag && s->x && s->near;
  for (uint32_t i = 0; i + 1 < k && made; i++) {
    s->distance[i] = ms_alloc(g->n, sizeof *s->distance[i]);
    made = s->distance[i];
    if (made)
      memset(s->distance[i], FAR, g->n);
  }
  if (made)
    return MS_OK;
  ms_supersets_close(s);
  return ms_fail_memory(err, "the search for sets");
}

void ms_supersets_close(ms_supersets *s)
{
  ms_free(s->tag);
  ms_free(s->x);
  ms_free(s->near);
  for (uint32_t i = 0; i < MS_MAX_CENSUS; i++)
    ms_free(s->distance[i]);
  *s = (ms_supersets){0};
}

/* ---- distances ------------------------------------------------------------------------ */

/* Fills distance[i], up to k - 1 from wanted[i]; or puts it back. */
static void fill_distances(ms_supersets *s, uint32_t i, bool undo)
{
  const ms_census_graph *g = s->graph;
  uint8_t *distance = s->distance[i];
  uint32_t count = 1, begin = 0;
  s->near[0] = s->wanted[i];
  distance[s->wanted[i]] = undo ? FAR : 0;
  for (uint32_t depth = 1; depth < s->k && begin < count; depth++) {
    uint32_t end = count;
    for (; begin < end; begin++) {
      uint32_t u = s->near[begin];
      for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++) {
        uint32_t w = g->neighbor[a];
        if ((distance[w] == FAR) != undo) {
          distance[w] = undo ? FAR : (uint8_t)depth;
          s->near[count++] = w;
        }
      }
    }
  }
}

/* ---- search --------------------------------------------------------------------------- */

static uint32_t place_of(const ms_supersets *s, uint32_t v)
{
  uint32_t i = 0;
  while (s->wanted[i] != v)
    i++;
  return i;
}

/* Takes u into the set, and all vertices of T that come next to it.  New candidates are put behind
 * `end`, and the vertices of T among them are moved to the front: taken[] receives these. Returns
 * the new end. */
static uint32_t join(ms_supersets *s, state *now, uint32_t u, uint32_t end, uint32_t *taken,
                     uint32_t *takes)
{
  const ms_census_graph *g = s->graph;
  uint32_t first = *takes, next = u;
  for (;;) {
    now->size++;
    for (uint32_t i = 0; i < s->wants; i++) {
      uint8_t distance = now->missing >> i & 1 ? s->distance[i][next] : FAR;
      now->distance[i] = distance < now->distance[i] ? distance : now->distance[i];
    }
    for (uint64_t a = g->offset[next]; a < g->offset[next + 1]; a++) {
      uint32_t w = g->neighbor[a];
      if (s->tag[w] & REACHED)
        continue;
      s->tag[w] |= REACHED;
      if (s->tag[w] & WANTED) {
        taken[(*takes)++] = w;
        now->missing &= ~(1u << place_of(s, w));
      } else {
        s->x[end++] = w;
      }
    }
    if (first == *takes)
      return end;
    next = taken[first++];
  }
}

/* Returns whether the set can still reach each vertex of T that it lacks. */
static bool can_reach(const ms_supersets *s, const state *now)
{
  uint32_t left = s->k - now->size;
  if (now->size > s->k)
    return false;
  for (uint32_t i = 0; i < s->wants; i++)
    if (now->missing >> i & 1 && now->distance[i] > left)
      return false;
  return (uint32_t)__builtin_popcount(now->missing) <= left;
}

/* Counts the sets of two more vertices: candidates, or the second one a new neighbour of the
 * first. */
static void count_last_two(ms_supersets *s, uint32_t begin, uint32_t end)
{
  const ms_census_graph *g = s->graph;
  for (uint32_t i = begin; i < end; i++) {
    uint32_t u = s->x[i];
    uint64_t count = end - i - 1;
    /* many candidates have many neighbours: the token is checked at each 16th */
    if (end - begin > 64 && ms_watch_ended(s->watch, i % 16 ? 1 : 0)) {
      s->ended = true;
      return;
    }
    for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++)
      count += !(s->tag[g->neighbor[a]] & REACHED);
    s->found += count;
  }
}

static void extend(ms_supersets *s, const state *now, uint32_t begin, uint32_t end)
{
  uint32_t taken[MS_MAX_CENSUS];
  if (ms_watch_ended(s->watch, s->visits++)) {
    s->ended = true;
    return;
  }
  if (now->missing == 0 && now->size == s->k) {
    s->found++;
    return;
  }
  if (now->missing == 0 && now->size + 1 == s->k) {
    s->found += end - begin;
    return;
  }
  if (now->missing == 0 && now->size + 2 == s->k) {
    count_last_two(s, begin, end);
    return;
  }
  for (uint32_t i = begin; i < end && !s->ended; i++) {
    state next = *now;
    uint32_t takes = 0, more = join(s, &next, s->x[i], end, taken, &takes);
    if (can_reach(s, &next))
      extend(s, &next, i + 1, more);
    while (more > end)
      s->tag[s->x[--more]] &= (uint8_t)~REACHED;
    while (takes > 0)
      s->tag[taken[--takes]] &= (uint8_t)~REACHED;
  }
}

/* Begins with the first vertex of T.  Returns the end of the candidates. */
static uint32_t begin_set(ms_supersets *s, state *now)
{
  uint32_t taken[MS_MAX_CENSUS], takes = 0;
  *now = (state){.missing = (1u << s->wants) - 2};
  memset(now->distance, FAR, sizeof now->distance);
  s->tag[s->wanted[0]] |= REACHED;
  return join(s, now, s->wanted[0], 0, taken, &takes);
}

static void end_set(ms_supersets *s, uint32_t end)
{
  while (end > 0)
    s->tag[s->x[--end]] = 0;
  for (uint32_t i = 0; i < s->wants; i++)
    s->tag[s->wanted[i]] &= (uint8_t)~REACHED;
}

uint64_t ms_supersets_count(ms_supersets *s, const uint32_t *set, uint32_t size)
{
  state now;
  s->found = 0;
  s->wants = size;
  memcpy(s->wanted, set, size * sizeof *set);
  for (uint32_t i = 0; i < size; i++)
    s->tag[set[i]] = WANTED;
  uint32_t end = begin_set(s, &now), far = now.missing;
  if (far) { /* T is not connected: what it lacks needs distances */
    end_set(s, end);
    for (uint32_t i = 1; i < size; i++)
      if (far >> i & 1)
        fill_distances(s, i, false);
    end = begin_set(s, &now);
  }
  if (can_reach(s, &now))
    extend(s, &now, 0, end);
  end_set(s, end);
  for (uint32_t i = 1; i < size; i++)
    if (far >> i & 1)
      fill_distances(s, i, true);
  for (uint32_t i = 0; i < size; i++)
    s->tag[set[i]] = 0;
  return s->found;
}
