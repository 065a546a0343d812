#include "tests/support/graphs/network.h"

#include "tests/support/random.h"

#include <check.h>
#include <stdlib.h>

network *network_new(uint32_t n, uint32_t percent, uint32_t hubs, uint64_t seed)
{
  static uint32_t edge[NETWORK_MOST * NETWORK_MOST / 2][2];
  uint32_t m = 0;
  ck_assert_uint_le(n, NETWORK_MOST);
  network *w = calloc(1, sizeof *w);
  ck_assert_ptr_nonnull(w);
  w->n = n;
  for (uint32_t u = 0; u < n; u++)
    for (uint32_t v = u + 1; v < n; v++)
      if (random_below(&seed, 100) < (u < hubs ? 90 : percent)) {
        w->near[u][v] = w->near[v][u] = true;
        edge[m][0] = u;
        edge[m++][1] = v;
      }
  ck_assert_int_eq(ms_graph_from_edges(n, m, (const uint32_t(*)[2])edge, NULL, &w->graph, NULL),
                   MS_OK);
  ck_assert_int_eq(ms_pattern_index_new(w->graph, NULL, 1, &w->index, NULL), MS_OK);
  return w;
}

void network_free(network *w)
{
  ms_pattern_index_free(w->index);
  ms_graph_free(w->graph);
  free(w);
}

void network_domains(const network *w, const ms_shape *s, ms_domains *domains)
{
  *domains = (ms_domains){.index = w->index, .n = s->n};
  for (uint32_t i = 0; i < s->n; i++) {
    uint32_t lo = 0, degree = ms_bitset_count(s->out[i]);
    while (lo < w->n && ms_row_length(&w->index->rows[MS_ROWS_ANY], lo) < degree)
      lo++;
    domains->of[i] = (ms_domain){.lo = lo, .hi = w->n, .count = w->n - lo};
  }
}

/* Returns the maps that agree with match[level]. */
static uint64_t maps_from(const network *w, const ms_shape *s, uint32_t level, uint32_t *match)
{
  uint64_t sum = 0;
  if (level == s->n)
    return 1;
  for (uint32_t v = 0; v < w->n; v++) {
    bool ok = true;
    for (uint32_t i = 0; ok && i < level; i++) {
      bool near = w->near[match[i]][v], joined = ms_bitset_has(&s->out[i], level);
      ok = match[i] != v && (joined ? near : !s->induced || !near);
    }
    match[level] = v;
    sum += ok ? maps_from(w, s, level + 1, match) : 0;
  }
  return sum;
}

uint64_t network_maps(const network *w, const ms_shape *s)
{
  uint32_t match[MS_MAX_PATTERN];
  return maps_from(w, s, 0, match);
}
