/* What the kernels of gpu/census do, counted set by set on the host.
 *
 * A kernel does at least, in 32-bit operations for balls of one word of 64 bits:
 *
 * - for a set that is visited: 2 words of X and 2 of N by one three-input operation (LOP3) each,
 * and about 6 operations to take a candidate out of X; the same for a set of k - 1 vertices,
 * without N.
 * - for an addition: 2 LOP3 to pick the completions of a kind, 2 to take them out, about 4 to find
 *   the kind, and 2 counts of bits (POPC), which run at a quarter of the rate of LOP3.  Then a
 * sector of 32 bytes of the L2 cache changes, or a word of shared memory.
 *
 * Reading rows, kinds and lists from shared memory, numbers of rows (one read of L2 for each set
 * that grows, which the floor by additions includes), balls and their hash tables is not counted.
 * So the floor is below what any code of this method takes. */
#include "bench/motif/census_floor.h"

#include "census/search.h"

#include "base/alloc.h"
#include "base/status.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ceilings of one H200 as measured (an H100 has the same multiprocessors) */
#define LOP3_A_SECOND 16.5e12
#define POPC_A_SECOND (LOP3_A_SECOND / 4)
#define L2_BYTES_A_SECOND 9e12
#define SHARED_BYTES_A_SECOND 33e12
#define MEMORY_BYTES_A_SECOND 4.2e12
#define LINK_BYTES_A_SECOND 54e9

/* Work of a search; the search must be the first member of what `s` points to. */
typedef struct counting {
  ms_census_search search;
  census_work work;
  uint64_t *seen; /* [kinds] the last set of k - 1 vertices with a completion of each kind */
  uint64_t set;   /* the number of the set of k - 1 vertices */
  bool any;       /* it has a completion */
} counting;

typedef struct no_state {
  char none;
} no_state;

#define STATE no_state
#define ROW counting *
#define ROOT census_count_root
void ROOT(ms_census_search *s, uint32_t root, uint32_t begin, uint32_t end);

static no_state begin_state(const ms_census_search *s, ms_kind_id kind)
{
  (void)s;
  (void)kind;
  return (no_state){0};
}

static no_state next_state(const ms_census_search *s, const no_state *state, uint32_t size,
                           ms_kind_id kind)
{
  (void)s;
  (void)size;
  (void)kind;
  return *state;
}

static counting *row_of(ms_census_search *s, const no_state *state)
{
  counting *c = (counting *)s;
  (void)state;
  c->set++;
  c->any = false;
  return c;
}

static void add_many(ms_census_search *s, counting *c, ms_kind_id kind, uint64_t sets)
{
  (void)s;
  c->work.sets += sets;
  c->work.inner += !c->any;
  c->any = true;
  c->work.additions += c->seen[kind] != c->set;
  c->seen[kind] = c->set;
}

static void add_one(ms_census_search *s, counting *c, ms_kind_id kind)
{
  if (kind != s->graph->kinds)
    add_many(s, c, kind, 1);
}

static void reserve(const ms_census_search *s, uint64_t sets)
{
  (void)s;
  (void)sets;
}

#include "census/search_template.h"

static ms_status count_roots(counting *c, const ms_census_graph *g, ms_budget *budget,
                             ms_watch *watch, uint32_t k, ms_error *err)
{
  MS_TRY(ms_census_search_open(&c->search, g, k, watch, budget, err));
  for (uint32_t root = 0; root < g->n; root++) {
    c->search.floor = root + 1;
    census_count_root(&c->search, root, 0, UINT32_MAX);
  }
  c->work.visits = c->search.visits;
  ms_census_search_close(&c->search, budget);
  return MS_OK;
}

ms_status census_count_work(const ms_graph *graph, const ms_coloring *coloring,
                            const ms_census_options *options, census_work *work, ms_error *err)
{
  counting c = {.set = 0};
  ms_census_graph *g;
  ms_budget budget;
  ms_watch watch = {0};
  ms_budget_open(&budget, 0);
  ms_watch_begin(&watch);
  MS_TRY(ms_census_graph_new(graph, coloring, options, &g, err));
  c.seen = ms_calloc((size_t)g->kinds + 1, sizeof *c.seen);
  ms_status status = c.seen ? count_roots(&c, g, &budget, &watch, options->k, err)
                            : ms_fail_memory(err, "the kinds of vertices");
  ms_free(c.seen);
  ms_census_graph_free(g);
  *work = c.work;
  return status;
}

static double larger(double a, double b)
{
  return a > b ? a : b;
}

void census_print_floor(uint32_t k, uint32_t kinds, const census_work *w, double seconds)
{
  bool shared = (double)ms_multisets_count(kinds, k - 1) * kinds <= 4096;
  double visits = (double)w->visits, inner = (double)w->inner, additions = (double)w->additions;
  double logic = (10 * visits + 8 * inner + 8 * additions) / LOP3_A_SECOND;
  double bits = 2 * additions / POPC_A_SECOND;
  double cache =
      shared ? 4 * additions / SHARED_BYTES_A_SECOND : 32 * (additions + inner) / L2_BYTES_A_SECOND;
  double floor = larger(logic + bits, cache);
  printf("k %" PRIu32 "\tfloor\t%" PRIu64 " sets\t%" PRIu64 " additions\t%" PRIu64
         " sets of k - 1\t%" PRIu64 " visits\tlogic %.3f ms\tcounts of bits %.3f ms\t%s %.3f "
         "ms\ttime %.3f ms\t%.1f times the floor\n",
         k, w->sets, w->additions, w->inner, w->visits, 1e3 * logic, 1e3 * bits,
         shared ? "shared memory" : "L2 cache", 1e3 * cache, 1e3 * seconds, seconds / floor);
}

void census_print_vertex_floor(uint32_t k, const census_work *w, double seconds)
{
  /* sets are reached from each of their vertices; a completion of a kind takes a read and an
   * addition in the table, and the look-up of its motif */
  double additions = (double)k * (double)w->additions, inner = (double)k * (double)w->inner;
  double logic = (10.0 * k * (double)w->visits + 8 * inner + 16 * additions) / LOP3_A_SECOND;
  double bits = 2 * additions / POPC_A_SECOND;
  double cache = 32 * (additions + inner) / L2_BYTES_A_SECOND;
  double bytes = 8 * (double)w->vertex_row;
  double link = bytes / LINK_BYTES_A_SECOND;
  double floor = larger(larger(logic + bits, cache), link);
  printf("k %" PRIu32 "\tvertices\t%" PRIu64
         " rows\tlogic and counts of bits %.3f ms\tL2 cache %.3f "
         "ms\tmemory %.3f ms\tlink %.3f ms\ttime %.3f ms\t%.1f times the floor\n",
         k, w->vertex_row, 1e3 * (logic + bits), 1e3 * cache, 1e3 * bytes / MEMORY_BYTES_A_SECOND,
         1e3 * link, 1e3 * seconds, seconds / floor);
}
