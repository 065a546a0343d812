/* Prints the results of the experiments: one instance at length, or a row for each of a list.  The
 * lists repeat the scaling experiments of Kaski, Lauri and Thejaswi, "Engineering Motif
 * Search for Large Motifs", SEA 2018. */
#include "base/status.h"
#include "bench/experiments.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* ---- lists --------------------------------------------------------------------- */

/* Returns the size n of the clique whose number of edges is nearest to m: n (n - 1) / 2 = m. */
static uint32_t clique_of(uint64_t m)
{
  return (uint32_t)lround((1 + sqrt(1 + 8 * (double)m)) / 2);
}

static bool topology_at(const bench_plan *plan, uint32_t i, bench_instance *out)
{
  static const struct {
    ms_family family;
    double exponent;
  } rows[] = {{MS_FAMILY_REGULAR, 0},
              {MS_FAMILY_CLIQUE, 0},
              {MS_FAMILY_POWER_LAW, -0.5},
              {MS_FAMILY_POWER_LAW, -1}};
  if (i >= sizeof rows / sizeof *rows)
    return false;
  out->family = rows[i].family;
  out->exponent = rows[i].exponent;
  out->edges = (uint64_t)plan->base.n * plan->base.d / 2;
  if (out->family == MS_FAMILY_CLIQUE)
    out->n = clique_of(out->edges);
  return true;
}

/* Sets *out to the i-th instance of the plan, from 0; false after the last. */
static bool instance_at(const bench_plan *plan, uint32_t i, bench_instance *out)
{
  *out = plan->base;
  switch (plan->experiment) {
  case BENCH_ONE:
    return i == 0;
  case BENCH_SLOTS:
    out->k = i < plan->n_slots ? plan->slots[i] : 0;
    return i < plan->n_slots;
  case BENCH_VERTICES:
    out->n = i < plan->n_vertices ? plan->vertices[i] : 0;
    return i < plan->n_vertices;
  case BENCH_TOPOLOGY:
    return topology_at(plan, i, out);
  }
  return false;
}

/* ---- what a row says --------------------------------------------------------------- */

static double larger_floor(const bench_row *row)
{
  return fmax(row->floor.products_seconds, row->floor.bytes_seconds);
}

/* True if the ratio to the floor says something.  If pruning alone answers, the floor of what is
 * left says nothing. */
static bool has_ratio(const bench_row *row)
{
  return larger_floor(row) > 0 && !row->instance.planted;
}

static double bytes_of(const bench_row *row)
{
  return row->floor.row_bytes + row->floor.state_bytes;
}

static const char *backend_of(const ms_screen_result *r)
{
  return r->devices == 0 ? "cpu" : r->backend == MS_BACKEND_BOTH ? "both" : "cuda";
}

static const char *kernel_of(const ms_screen_result *r)
{
  return r->kernel ? r->kernel : "none";
}

static const char *recurrence_of(const bench_plan *plan)
{
  return plan->screen.recurrence == MS_SIBLING ? "sibling" : "classic";
}

/* Formats a family as in "power-law -0.5". */
static void family_text(const bench_instance *i, char *text, size_t room)
{
  const char *name = ms_family_describe(i->family).name;
  if (i->family == MS_FAMILY_POWER_LAW)
    snprintf(text, room, "%s %.3g", name, i->exponent);
  else
    snprintf(text, room, "%s", name);
}

/* ---- CSV --------------------------------------------------------------------------- */

static void print_csv_header(void)
{
  printf(
      "family,exponent,planted,vertices,edges,slots,recurrence,backend,gpus,arithmetic,block_points,threads,"
      "repetitions,runs,first_seconds,seconds,sieve_seconds,prune_seconds,points,points_per_second,products,"
      "products_per_second,bytes,bytes_per_second,floor_products_seconds,floor_bytes_seconds,ratio,"
      "vertices_kept,flagged,memory_bytes\n");
}

static void print_csv(const bench_plan *plan, const bench_row *row)
{
  const ms_screen_result *r = row->result;
  const bench_instance *i = &row->instance;
  const bench_floor *f = &row->floor;
  printf("%s,", ms_family_describe(i->family).name);
  if (i->family == MS_FAMILY_POWER_LAW)
    printf("%g", i->exponent);
  printf(",%d,%u,%" PRIu64 ",%u,%s,%s,%u,%s,%u,%d,%u,%u,%.6g,%.6g,%.6g,%.6g,%" PRIu64 ",%.6g,",
         i->planted, i->n, row->edges, i->k, recurrence_of(plan), backend_of(r), r->devices,
         kernel_of(r), r->block_points, r->threads, r->repetitions, plan->runs, row->first,
         row->whole, row->sieve, row->prune, r->points, (double)r->points / row->whole);
  printf("%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,", f->products, f->products / row->whole, bytes_of(row),
         bytes_of(row) / row->whole, f->products_seconds, f->bytes_seconds);
  if (has_ratio(row))
    printf("%.4g", row->whole / larger_floor(row));
  printf(",%u,%u,%" PRIu64 "\n", r->vertices_kept, r->flagged, r->memory_estimate);
}

/* ---- a table --------------------------------------------------------------------------- */

static void print_table_header(const bench_plan *plan)
{
  printf(
      "%s recurrence; times in seconds, whole calls, medians of %u; ratio: time over the floor\n",
      recurrence_of(plan), plan->runs);
  printf("%-15s %9s %10s %5s  %-5s %4s %10s %10s %10s %5s %10s %10s %10s %7s\n", "family",
         "vertices", "edges", "slots", "where", "gpus", "first", "time", "sieve", "reps",
         "points/s", "products/s", "bytes/s", "ratio");
}

static void print_table_row(const bench_row *row)
{
  const ms_screen_result *r = row->result;
  char family[32], ratio[16] = "-";
  family_text(&row->instance, family, sizeof family);
  if (has_ratio(row))
    snprintf(ratio, sizeof ratio, "%.2f", row->whole / larger_floor(row));
  printf("%-15s %9u %10" PRIu64
         " %5u  %-5s %4u %10.6f %10.6f %10.6f %5u %10.3g %10.3g %10.3g %7s\n",
         family, row->instance.n, row->edges, row->instance.k, backend_of(r), r->devices,
         row->first, row->whole, row->sieve, r->repetitions, (double)r->points / row->whole,
         row->floor.products / row->whole, bytes_of(row) / row->whole, ratio);
}

/* ---- one instance at length --------------------------------------------------------------- */

static void print_floor(const bench_row *row)
{
  const bench_floor *f = &row->floor;
  printf(
      "  products  %12.6f s   floor: %.4g products of field elements at the measured rate; achieved %.3g/s\n",
      f->products_seconds, f->products, f->products / row->whole);
  printf(
      "  bytes     %12.6f s   floor: %.4g bytes over edges, %.4g of private state; achieved %.3g/s\n",
      f->bytes_seconds, f->row_bytes, f->state_bytes, bytes_of(row) / row->whole);
  if (has_ratio(row))
    printf("  ratio     %12.2f     time over the larger floor\n", row->whole / larger_floor(row));
}

static void print_at_length(const bench_plan *plan, const bench_row *row)
{
  const ms_screen_result *r = row->result;
  char family[32];
  family_text(&row->instance, family, sizeof family);
  printf("%s%s, n = %u, m = %" PRIu64 ", k = %u, %u repetition(s), %s, ", family,
         row->instance.planted ? " with a planted match" : "", row->instance.n, row->edges,
         row->instance.k, r->repetitions, recurrence_of(plan));
  if (r->kernel)
    printf("%s in blocks of %u points, ", r->kernel, r->block_points);
  printf("%d thread(s), %u GPU(s)\n", r->threads, r->devices);
  if (r->backend_reason)
    printf("  %s\n", r->backend_reason);
  printf("  first     %12.6f s   first call%s\n", row->first,
         r->devices ? ", which makes the GPU's context" : "");
  printf("  time      %12.6f s   whole call, median of %u (pruning %.6f s, sieve %.6f s)\n",
         row->whole, plan->runs, row->prune, row->sieve);
  if (larger_floor(row) > 0)
    print_floor(row);
  printf("  %.4g points/s, %u of %u vertices kept by pruning, %u flagged, %.1f MiB\n",
         (double)r->points / row->whole, r->vertices_kept, r->n, r->flagged,
         (double)r->memory_estimate / 1048576);
  if (r->devices_lost)
    printf("  %u GPU(s) FAILED on the way\n", r->devices_lost);
}

ms_status bench_run(const bench_plan *plan, ms_error *err)
{
  bench_instance instance;
  ms_status status = MS_OK;
  if (plan->csv)
    print_csv_header();
  else if (plan->experiment != BENCH_ONE)
    print_table_header(plan);
  for (uint32_t i = 0; status == MS_OK && instance_at(plan, i, &instance); i++) {
    bench_row row;
    status = bench_measure(plan, &instance, &row, err);
    if (status == MS_OK && plan->csv)
      print_csv(plan, &row);
    else if (status == MS_OK && plan->experiment != BENCH_ONE)
      print_table_row(&row);
    else if (status == MS_OK)
      print_at_length(plan, &row);
    ms_screen_result_free(row.result);
    fflush(stdout);
  }
  return status;
}
