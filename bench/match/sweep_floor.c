/* The floor of a pattern count: what it must do at least, divided by the rates that this machine
 * was just measured at, after the time that the host took for domains and plan.
 *
 * - Sets: each id of the shorter list of each set operation, at the rate of the fastest operation
 *   on lists in the first-level cache, on all threads.
 * - Table: each path of length two that the table of codegrees counts, at the rate at which
 *   counters in the first-level cache are raised.
 * - Bytes: the rows of the roots, which also list the middles of the table's paths, at the rate of
 *   reading a buffer as large as the graph.  The roots differ from each other, so each of these
 *   rows is read once at least.  To this is added the time for the ids of the partial matches, at
 *   the rate of the first-level cache.
 *
 * An edge product (match/count/edge_product.h) looks up ids for the triangles at each edge, and
 * enters each path of length two below its largest vertex in a table, twice.  These numbers are
 * exact.
 *
 * A count at a hinge (match/count/hinge.h) runs a program for each side, or one for both if they
 * are alike; the patterns that it subtracts are not counted.
 *
 * An inner pattern (match/count/count_inner.c) is searched in many small graphs, whose figures are
 * not known one by one.  Each of the steps that are estimated in them counts as one id.
 *
 * Of a count that is a sum of others (of components, or of an induced pattern), nothing is known
 * but that it reads the graph once.
 *
 * A count by factors (match/count/factor.h) stores numbers of ways.  Of its tree, only the levels
 * count that no stored number replaces.
 *
 * The largest of the three is added to the time of the host, because they may overlap perfectly.
 * The probe gives these numbers: exact ones for a short search, and estimates for a long one.
 * Quotients, intersections within the tail, and the tail's sums are not counted.
 *
 * A GPU's engines may keep rows as bits, and so compare 32 ids by one operation of a word.
 * Therefore an id takes a 32nd of an operation of its measured logic there.  On processors, probes
 * count a 64th of the ids of local programs (match/cpu/universe.h). */
#include "base/alloc.h"
#include "base/file/read_rate.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/stop.h"
#include "base/threads/threads.h"
#include "bench/match/sweep_outcome.h"
#include "gpu/gpu.h"
#include "match/cpu/sorted.h"

#include <math.h>

#define SECONDS 0.05 /* for each rate */
#define NEAR_BYTES (16u << 10)
enum { IDS = 1024, SLICES = 5, WORD = 32 };

/* ---- rates of processors ------------------------------------------------------------- */

typedef size_t rate_fn(void *memory, uint64_t rounds);

/* Lists, bits and counters of one thread: 16 KB together. */
typedef struct lists {
  uint32_t a[IDS], b[IDS], counter[IDS];
  uint64_t bits[2 * IDS / 64];
} lists;

static size_t merge_lists(void *memory, uint64_t rounds)
{
  const lists *l = memory;
  const ms_sorted *sorted = ms_sorted_best();
  size_t sum = 0;
  for (uint64_t i = 0; i < rounds; i++)
    sum += sorted->count(l->a, IDS, l->b, IDS);
  return sum;
}

static size_t test_bits(void *memory, uint64_t rounds)
{
  const lists *l = memory;
  const ms_sorted *sorted = ms_sorted_best();
  size_t sum = 0;
  for (uint64_t i = 0; i < rounds; i++)
    sum += sorted->filter_count(l->a, IDS, l->bits, true);
  return sum;
}

static size_t raise_counters(void *memory, uint64_t rounds)
{
  lists *l = memory;
  for (uint64_t i = 0; i < rounds; i++)
    for (uint32_t j = 0; j < IDS; j++)
      l->counter[l->a[j] / 2]++;
  return l->counter[0];
}

typedef struct measurement {
  lists *of; /* [threads] */
  rate_fn *fn;
  uint64_t rounds;
  size_t digest;
} measurement;

static void measure_part(void *user, ms_range r)
{
  measurement *m = user;
  for (uint64_t i = r.begin; i < r.end; i++)
    __atomic_fetch_add(&m->digest, m->fn(&m->of[i], m->rounds), __ATOMIC_RELAXED);
}

/* Returns the ids a second that all threads take together, in the best of a few slices. */
static double measure(lists *of, int threads, rate_fn *fn)
{
  measurement m = {of, fn, 64, 0};
  double best = 0;
  for (double spent = 0; spent < SECONDS || best == 0;) {
    double begin = ms_seconds();
    ms_parallel(threads, (uint64_t)threads, 1, measure_part, &m);
    double took = ms_seconds() - begin;
    spent += took;
    if (took < SECONDS / SLICES / 2)
      m.rounds *= 2;
    else
      best = fmax(best, (double)m.rounds * IDS * threads / took);
  }
  return best;
}

/* Fills lists of even and of every third number, and bits of every third. */
static void fill_lists(lists *l)
{
  for (uint32_t i = 0; i < IDS; i++) {
    l->a[i] = 2 * i;
    l->b[i] = 3 * i;
    if (3 * i < 2 * IDS)
      l->bits[3 * i / 64] |= UINT64_C(1) << 3 * i % 64;
  }
}

static ms_status measure_processors(uint64_t bytes, int threads, sweep_rates *out, ms_error *err)
{
  lists *of = ms_calloc((size_t)threads, sizeof *of);
  if (!of)
    return ms_fail_memory(err, "the lists of a benchmark");
  for (int i = 0; i < threads; i++)
    fill_lists(&of[i]);
  out->ids = fmax(measure(of, threads, merge_lists), measure(of, threads, test_bits));
  out->counters = measure(of, threads, raise_counters);
  ms_free(of);
  MS_TRY(ms_read_rate(NEAR_BYTES, false, threads, SECONDS, &out->near_bytes, err));
  return ms_read_rate(bytes > NEAR_BYTES ? bytes : NEAR_BYTES, false, threads, SECONDS, &out->bytes,
                      err);
}

/* ---- rates of GPUs ------------------------------------------------------------------- */

static ms_status measure_gpus(uint64_t bytes, uint32_t devices, sweep_rates *out, ms_error *err)
{
  ms_gpu_ceilings c;
  MS_TRY(ms_gpu_measure(0, bytes > NEAR_BYTES ? bytes : NEAR_BYTES, SECONDS, &c, err));
  double count = devices > 0 ? devices : 1;
  out->ids = WORD * c.logic * count;
  out->counters = c.logic * count;
  out->near_bytes = c.shared_read * count;
  out->bytes = fmax(c.stream, c.row_read) * count;
  return MS_OK;
}

ms_status sweep_rates_of(const sweep_settings *s, const sweep_graph_figures *graph,
                         sweep_rates *cpu, sweep_rates *gpu, ms_error *err)
{
  uint64_t bytes = 8 * (uint64_t)graph->n + 8 * graph->m; /* offsets, and each edge twice */
  bool on_gpu = false;
  *cpu = *gpu = (sweep_rates){0};
  for (uint32_t e = 0; e < s->engines; e++)
    on_gpu = on_gpu || s->engine[e].on_gpu ||
             (s->engine[e].chosen && ms_pattern_engine_gpu.devices() > 0);
  MS_TRY(measure_processors(bytes, ms_threads(s->threads), cpu, err));
  return on_gpu ? measure_gpus(bytes, s->devices, gpu, err) : MS_OK;
}

/* ---- floors ---------------------------------------------------------------------------- */

void sweep_floor_of(const sweep_rates *rates, const sweep_figures *f, sweep_floor *out)
{
  const ms_probe *p = &f->probe;
  *out = (sweep_floor){0};
  if (rates->ids == 0)
    return;
  double rows = f->rows_of_roots ? fmax(f->second, p->middles) : p->middles;
  out->host_ms = f->domains_ms + f->plan_ms;
  out->ids = f->ids + f->inner;
  out->paths = p->paths;
  out->bytes = f->graph_bytes + sizeof(uint64_t) * f->roots + sizeof(uint32_t) * rows;
  out->near_bytes = sizeof(uint32_t) * f->visited;
  double sets = out->ids / rates->ids, table = out->paths / rates->counters;
  double bytes = out->bytes / rates->bytes + out->near_bytes / rates->near_bytes;
  double most = fmax(bytes, fmax(sets, table));
  out->ms = out->host_ms + 1e3 * most;
  out->bound = out->host_ms > 1e3 * most ? "host"
               : most == bytes           ? "bytes"
               : most == sets            ? "sets"
                                         : "table";
}
