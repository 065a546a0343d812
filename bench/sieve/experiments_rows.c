/* Prints the results of the experiments on a terminal: one instance at length, or a row for each
 * of a list. */
#include "bench/sieve/experiments.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- what a row says --------------------------------------------------------------- */

bool bench_has_ratio(const bench_row *row)
{
  return ms_sieve_floor_seconds(&row->floor) > 0 && !row->cell->instance.planted;
}

const char *bench_backend_of(const ms_screen_result *r)
{
  return r->devices == 0 ? "cpu" : r->backend == MS_BACKEND_BOTH ? "both" : "cuda";
}

static const char *recurrence_of(const bench_plan *plan)
{
  return plan->screen.recurrence == MS_SIBLING ? "sibling" : "classic";
}

void bench_family_text(const bench_instance *i, char *text, size_t room)
{
  const char *name = ms_family_describe(i->family).name;
  if (i->family == MS_FAMILY_POWER_LAW || i->family == MS_FAMILY_HUBS)
    snprintf(text, room, "%s %.3g", name, i->exponent);
  else
    snprintf(text, room, "%s", name);
}

/* ---- a table --------------------------------------------------------------------------- */

void bench_print_head(const bench_plan *plan)
{
  printf("%s recurrence, seed %" PRIu64
         "; times in seconds, whole calls, medians of %u; kept: part "
         "of the vertices that pruning leaves; ratio: time over the floor\n",
         recurrence_of(plan), plan->screen.run.seed, plan->runs);
  printf("%-15s %9s %10s %5s  %-17s %7s %4s %10s %10s %5s %5s %10s %10s %10s %7s\n", "family",
         "vertices", "edges", "slots", "line type", "threads", "gpus", "time", "sieve", "reps",
         "kept", "products/s", "bytes/s", "floor", "ratio");
}

void bench_print_row(const bench_row *row)
{
  const ms_screen_result *r = row->result;
  const bench_instance *i = &row->cell->instance;
  double floor = ms_sieve_floor_seconds(&row->floor);
  char family[32], ratio[16] = "-";
  bench_family_text(i, family, sizeof family);
  if (bench_has_ratio(row))
    snprintf(ratio, sizeof ratio, "%.2f", row->whole / floor);
  printf("%-15s %9u %10" PRIu64 " %5u  %-17s %7d %4u %10.6f %10.6f %5u %5.3f", family, i->n,
         row->edges, i->k, r->kernel ? r->kernel : "none", r->threads, r->devices, row->whole,
         row->sieve, r->repetitions, (double)r->vertices_kept / r->n);
  printf(" %10.3g %10.3g %10.6f %7s\n", row->floor.products / row->whole,
         ms_sieve_floor_bytes(&row->floor) / row->whole, floor, ratio);
}

/* ---- one instance at length --------------------------------------------------------------- */

static void print_floor(const bench_row *row)
{
  const ms_sieve_floor *f = &row->floor;
  printf(
      "  products  %12.6f s   floor: %.4g products of field elements at the measured rate; achieved %.3g/s\n",
      f->products_seconds, f->products, f->products / row->whole);
  printf(
      "  bytes     %12.6f s   floor: %.4g bytes over edges, %.4g of private state; achieved %.3g/s\n",
      f->bytes_seconds, f->row_bytes, f->state_bytes,
      ms_sieve_floor_bytes(&row->floor) / row->whole);
  if (bench_has_ratio(row))
    printf("  ratio     %12.2f     time over the larger floor\n",
           row->whole / ms_sieve_floor_seconds(&row->floor));
}

void bench_print_at_length(const bench_plan *plan, const bench_row *row)
{
  const ms_screen_result *r = row->result;
  char family[32];
  bench_family_text(&row->cell->instance, family, sizeof family);
  printf("%s%s, n = %u, m = %" PRIu64 ", k = %u, %u repetition(s), %s, ", family,
         row->cell->instance.planted ? " with a planted match" : "", row->cell->instance.n,
         row->edges, row->cell->instance.k, r->repetitions, recurrence_of(plan));
  if (r->kernel)
    printf("%s in blocks of %u points, ", r->kernel, r->block_points);
  printf("%d thread(s), %u GPU(s)\n", r->threads, r->devices);
  if (r->backend_reason)
    printf("  %s\n", r->backend_reason);
  printf("  first     %12.6f s   first call%s\n", row->first,
         r->devices ? ", which makes the GPU's context" : "");
  printf("  time      %12.6f s   whole call, median of %u (pruning %.6f s, sieve %.6f s)\n",
         row->whole, plan->runs, row->prune, row->sieve);
  printf("  opening   %12.6f s   of the sieve: contexts of GPUs, memory, copies of the graph\n",
         row->open);
  if (ms_sieve_floor_seconds(&row->floor) > 0)
    print_floor(row);
  printf("  %.4g points/s, %u of %u vertices kept by pruning, %u flagged, %.1f MiB\n",
         (double)r->points / row->whole, r->vertices_kept, r->n, r->flagged,
         (double)r->memory_estimate / 1048576);
  if (r->devices_lost)
    printf("  %u GPU(s) FAILED on the way\n", r->devices_lost);
}
