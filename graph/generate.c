#include "graph/generate.h"

#include "base/alloc.h"
#include "base/philox.h"
#include "base/status.h"

#include <stdio.h>

typedef struct random_source {
  uint32_t key[2];
  uint64_t counter;
} random_source;

static random_source random_start(uint64_t seed)
{
  return (random_source){.key = {(uint32_t)seed, (uint32_t)(seed >> 32)}};
}

/* Uniform below `bound` but for a bias of bound / 2^64. */
static uint64_t random_below(random_source *r, uint64_t bound)
{
  const uint32_t counter[4] = {(uint32_t)r->counter, (uint32_t)(r->counter >> 32), 0x67656E, 0};
  uint32_t word[4];
  r->counter++;
  ms_philox4x32(counter, r->key, word);
  uint64_t x = (uint64_t)word[1] << 32 | word[0];
  return x % bound;
}

/* ---- a set of edges: open addressing, linear probing ----------------------- */

enum { EMPTY = 0, REMOVED = 1 };

typedef struct edge_set {
  uint64_t *slot; /* EMPTY, REMOVED or key */
  uint64_t mask;
} edge_set;

/* Never EMPTY or REMOVED: a simple edge's larger end is at least 1. */
static uint64_t edge_key(uint32_t a, uint32_t b)
{
  return a < b ? (uint64_t)(b + 1) << 32 | a : (uint64_t)(a + 1) << 32 | b;
}

static uint64_t edge_home(const edge_set *set, uint64_t key)
{
  return (key * UINT64_C(0x9E3779B97F4A7C15)) >> 20 & set->mask;
}

static bool edge_has(const edge_set *set, uint64_t key)
{
  for (uint64_t i = edge_home(set, key); set->slot[i] != EMPTY; i = (i + 1) & set->mask)
    if (set->slot[i] == key)
      return true;
  return false;
}

static void edge_insert(edge_set *set, uint64_t key)
{
  uint64_t i = edge_home(set, key);
  while (set->slot[i] != EMPTY)
    i = (i + 1) & set->mask;
  set->slot[i] = key;
}

static void edge_remove(edge_set *set, uint64_t key)
{
  uint64_t i = edge_home(set, key);
  while (set->slot[i] != key)
    i = (i + 1) & set->mask;
  set->slot[i] = REMOVED;
}

/* ---- regular graphs ---------------------------------------------------------- */

/* Bad pairs (loops, repeats) swap an end with a random good pair until none is
 * left; each try succeeds with high probability, as d is small beside n. */
static ms_status switch_bad_pairs(uint32_t (*pair)[2], uint64_t m, random_source *r, edge_set *set,
                                  uint64_t *bad, uint64_t n_bad, ms_error *err)
{
  uint64_t tries = 0;
  while (n_bad > 0) {
    if (++tries > 1000 * (m + 1000))
      return ms_fail(
          err, MS_ERR_USAGE,
          "no regular graph found near this random pairing; use a smaller degree or another seed");
    uint32_t *x = pair[bad[n_bad - 1]];
    uint64_t other = random_below(r, m);
    uint32_t *y = pair[other];
    uint32_t a = x[0], b = x[1], c = y[0], d = y[1];
    bool y_is_bad = false;
    for (uint64_t i = 0; i < n_bad && !y_is_bad; i++)
      y_is_bad = bad[i] == other;
    if (y_is_bad || a == d || c == b || edge_has(set, edge_key(a, d)) ||
        edge_has(set, edge_key(c, b)) || edge_key(a, d) == edge_key(c, b))
      continue;
    edge_remove(set, edge_key(c, d));
    edge_insert(set, edge_key(a, d));
    edge_insert(set, edge_key(c, b));
    x[1] = d;
    y[1] = b;
    n_bad--;
  }
  return MS_OK;
}

static ms_status pair_up(uint32_t (*pair)[2], uint64_t m, uint32_t d, random_source *r,
                         ms_error *err)
{
  uint32_t *stub = &pair[0][0];
  uint64_t room = 16, n_bad = 0;
  ms_status status;
  while (room < 4 * m)
    room *= 2;
  edge_set set = {.slot = ms_calloc(room, sizeof(uint64_t)), .mask = room - 1};
  uint64_t *bad = ms_alloc(m, sizeof *bad);
  if (!set.slot || !bad) {
    status = ms_fail_memory(err, "a random graph");
    goto done;
  }
  for (uint64_t i = 0; i < 2 * m; i++)
    stub[i] = (uint32_t)(i / d);
  for (uint64_t i = 2 * m; i > 1; i--) {
    uint64_t j = random_below(r, i);
    uint32_t other = stub[j];
    stub[j] = stub[i - 1];
    stub[i - 1] = other;
  }
  for (uint64_t i = 0; i < m; i++) {
    if (pair[i][0] == pair[i][1] || edge_has(&set, edge_key(pair[i][0], pair[i][1])))
      bad[n_bad++] = i;
    else
      edge_insert(&set, edge_key(pair[i][0], pair[i][1]));
  }
  status = switch_bad_pairs(pair, m, r, &set, bad, n_bad, err);
done:
  ms_free(set.slot);
  ms_free(bad);
  return status;
}

ms_status ms_generate_regular(uint32_t n, uint32_t d, uint64_t seed, ms_graph **out, ms_error *err)
{
  *out = NULL;
  if (d >= n || (uint64_t)n * d % 2 != 0)
    return ms_fail(err, MS_ERR_USAGE,
                   "there is no %u-regular graph on %u vertices; the degree must be below the "
                   "number of vertices and their product even",
                   d, n);
  uint64_t m = (uint64_t)n * d / 2;
  random_source r = random_start(seed);
  uint32_t(*pair)[2] = ms_alloc(m, sizeof *pair);
  if (!pair)
    return ms_fail_memory(err, "a random graph");
  ms_status status = m ? pair_up(pair, m, d, &r, err) : MS_OK;
  if (status == MS_OK)
    status = ms_graph_from_edges(n, m, (const uint32_t(*)[2])pair, NULL, out, err);
  ms_free(pair);
  return status;
}

ms_status ms_generate_colors(const ms_graph *graph, uint32_t colors, uint64_t seed,
                             ms_coloring **out, ms_error *err)
{
  enum { NAME = 16 };
  uint32_t n = ms_graph_vertex_count(graph);
  ms_status status;
  random_source r = random_start(seed ^ UINT64_C(0xC0105));
  *out = NULL;
  uint32_t(*pair)[2] = ms_alloc(n, sizeof *pair);
  char(*text)[NAME] = ms_alloc(colors, sizeof *text);
  const char **name = ms_alloc(colors, sizeof *name);
  if (!pair || !text || !name) {
    status = ms_fail_memory(err, "random colours");
    goto done;
  }
  for (uint32_t c = 0; c < colors; c++) {
    snprintf(text[c], NAME, "c%u", c);
    name[c] = text[c];
  }
  for (uint32_t v = 0; v < n; v++) {
    pair[v][0] = v;
    pair[v][1] = (uint32_t)random_below(&r, colors);
  }
  status = ms_coloring_from_pairs(graph, n, (const uint32_t(*)[2])pair, colors, name, out, err);
done:
  ms_free(pair);
  ms_free(text);
  ms_free(name);
  return status;
}
