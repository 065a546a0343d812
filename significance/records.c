#include "significance/records.h"

#include "base/alloc.h"
#include "base/status.h"

#include <string.h>

/* ---- segments --------------------------------------------------------------------------- */

void ms_segment_clear(ms_segment *s)
{
  s->locals = 0;
  s->sets = 0;
  for (uint32_t i = 0; i < MS_MAX_CENSUS; i++)
    s->level[i].count = 0;
  for (uint32_t i = 0; i <= MS_MOST_COMPLETIONS; i++)
    s->bucket[i].words = 0;
}

void ms_segment_close(ms_segment *s, ms_budget *budget)
{
  ms_free(s->vertex);
  for (uint32_t i = 0; i < MS_MAX_CENSUS; i++) {
    ms_free(s->level[i].parent);
    ms_free(s->level[i].last);
  }
  for (uint32_t i = 0; i <= MS_MOST_COMPLETIONS; i++)
    ms_free(s->bucket[i].word);
  ms_budget_release(budget, s->bytes);
  memset(s, 0, sizeof *s);
}

/* Makes room for at least `needed` items; returns the block, or NULL, and notes that. */
static void *grow(ms_recorder *r, void *block, uint64_t *room, uint64_t needed, size_t size)
{
  uint64_t larger = 2 * *room > needed ? 2 * *room : needed + 256;
  uint64_t bytes = (larger - *room) * size;
  void *grown = NULL;
  if (ms_budget_reserve(r->budget, bytes)) {
    grown = ms_resize(block, *room, larger, size);
    if (grown)
      r->segment->bytes += bytes;
    else
      ms_budget_release(r->budget, bytes);
  }
  if (grown)
    *room = larger;
  else
    r->full = true;
  return grown;
}

/* ---- the search -------------------------------------------------------------------------- */

uint64_t ms_recorder_bytes(const ms_census_graph *g)
{
  return (uint64_t)g->n * (sizeof(bool) + 2 * sizeof(uint32_t));
}

ms_status ms_recorder_open(ms_recorder *r, const ms_census_graph *g, uint32_t k, ms_watch *watch,
                           ms_budget *budget, ms_error *err)
{
  *r = (ms_recorder){.k = k, .watch = watch, .budget = budget};
  if (!ms_budget_reserve(budget, ms_recorder_bytes(g)))
    return ms_fail_memory(err, "the threads of permutations");
  r->graph = g;
  r->met = ms_calloc(g->n, sizeof *r->met);
  r->x = ms_alloc(g->n, sizeof *r->x);
  r->local = ms_calloc(g->n, sizeof *r->local);
  if (r->met && r->x && r->local)
    return MS_OK;
  ms_recorder_close(r);
  return ms_fail_memory(err, "the threads of permutations");
}

void ms_recorder_close(ms_recorder *r)
{
  if (r->graph)
    ms_budget_release(r->budget, ms_recorder_bytes(r->graph));
  ms_free(r->met);
  ms_free(r->x);
  ms_free(r->local);
  *r = (ms_recorder){0};
}

/* Returns the local number of a rank. */
static uint16_t local_of(ms_recorder *r, uint32_t v)
{
  ms_segment *s = r->segment;
  uint32_t at = r->local[v];
  if (at < s->locals && s->vertex[at] == v)
    return (uint16_t)at;
  if (s->locals == MS_MOST_LOCALS) {
    r->too_many = true;
    return 0;
  }
  if (s->locals == s->vertex_room) {
    uint64_t room = s->vertex_room;
    uint32_t *larger = grow(r, s->vertex, &room, room + 1, sizeof *larger);
    if (!larger)
      return 0;
    s->vertex = larger;
    s->vertex_room = (uint32_t)room;
  }
  r->local[v] = s->locals;
  s->vertex[s->locals] = v;
  return (uint16_t)s->locals++;
}

/* Adds a set of `size` vertices and returns its number. */
static uint32_t add_set(ms_recorder *r, uint32_t size, uint32_t parent, uint32_t last)
{
  ms_record_level *level = &r->segment->level[size];
  uint16_t local = local_of(r, last);
  if (level->count == level->room) {
    uint64_t room = level->room, again = room;
    uint32_t *parents = grow(r, level->parent, &room, room + 1, sizeof *parents);
    if (!parents)
      return 0;
    level->parent = parents;
    uint16_t *lasts = grow(r, level->last, &again, again + 1, sizeof *lasts);
    if (!lasts) /* the parents keep their larger block, whose size nobody needs to know */
      return 0;
    level->last = lasts;
    level->room = again;
  }
  level->parent[level->count] = parent;
  level->last[level->count] = local;
  return (uint32_t)level->count++;
}

/* Adds a record of u with `count` completions. */
static void add_record(ms_recorder *r, uint32_t parent, uint16_t u, const uint16_t *completion,
                       uint32_t count)
{
  ms_record_bucket *b = &r->segment->bucket[count];
  uint64_t words = MS_RECORD_HEAD + count;
  if (b->words + words > b->room) {
    uint16_t *larger = grow(r, b->word, &b->room, b->words + words, sizeof *larger);
    if (!larger)
      return;
    b->word = larger;
  }
  uint16_t *to = b->word + b->words;
  to[0] = (uint16_t)parent;
  to[1] = (uint16_t)(parent >> 16);
  to[2] = u;
  memcpy(to + MS_RECORD_HEAD, completion, count * sizeof *completion);
  b->words += words;
  r->segment->sets += count;
  r->too_many |= r->segment->sets > r->most_sets;
}

/* Makes the neighbours of u that are neither in the set nor next to it candidates, from place `end`
 * on. */
static uint32_t append_neighbors(ms_recorder *r, uint32_t u, uint32_t end)
{
  const ms_census_graph *g = r->graph;
  for (uint64_t a = g->offset[u]; a < g->offset[u + 1] && g->neighbor[a] > r->root; a++) {
    uint32_t w = g->neighbor[a];
    if (!r->met[w]) {
      r->met[w] = true;
      r->x[end++] = w;
    }
  }
  return end;
}

static void remove_candidates(ms_recorder *r, uint32_t begin, uint32_t end)
{
  for (uint32_t i = begin; i < end; i++)
    r->met[r->x[i]] = false;
}

/* Adds the records of a set of k - 2 vertices and u, which is completed by candidates begin .. end
 * - 1 and its new neighbours. */
static void complete(ms_recorder *r, uint32_t parent, uint32_t u, uint32_t begin, uint32_t end)
{
  const ms_census_graph *g = r->graph;
  uint16_t completion[MS_MOST_COMPLETIONS], local = local_of(r, u);
  uint32_t count = 0;
  for (uint32_t i = begin; i < end; i++) {
    completion[count++] = local_of(r, r->x[i]);
    if (count == MS_MOST_COMPLETIONS) {
      add_record(r, parent, local, completion, count);
      count = 0;
    }
  }
  for (uint64_t a = g->offset[u]; a < g->offset[u + 1] && g->neighbor[a] > r->root; a++) {
    if (r->met[g->neighbor[a]])
      continue;
    completion[count++] = local_of(r, g->neighbor[a]);
    if (count == MS_MOST_COMPLETIONS) {
      add_record(r, parent, local, completion, count);
      count = 0;
    }
  }
  if (count > 0)
    add_record(r, parent, local, completion, count);
}

/* Searches from the set `number` of `size` vertices by candidates begin .. end - 1. */
static void extend(ms_recorder *r, uint32_t number, uint32_t size, uint32_t begin, uint32_t end)
{
  if (ms_watch_ended(r->watch, r->visits++))
    return;
  for (uint32_t i = begin; i < end && !r->too_many && !r->full; i++) {
    uint32_t u = r->x[i];
    if (size + 2 == r->k) {
      complete(r, number, u, i + 1, end);
      continue;
    }
    uint32_t more = append_neighbors(r, u, end);
    extend(r, add_set(r, size + 1, number, u), size + 1, i + 1, more);
    remove_candidates(r, end, more);
  }
}

void ms_record_root(ms_recorder *r, uint32_t root)
{
  r->root = root;
  r->met[root] = true;
  if (r->k == 2) {
    complete(r, 0, root, 0, 0);
  } else {
    uint32_t end = append_neighbors(r, root, 0);
    if (end > 0)
      extend(r, add_set(r, 1, 0, root), 1, 0, end);
    remove_candidates(r, 0, end);
  }
  r->met[root] = false;
}
