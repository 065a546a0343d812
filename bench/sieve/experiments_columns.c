/* The rows of an experiment for programs: one list has names and values of the columns. */
#include "bench/sieve/experiments.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

typedef struct line {
  char *text;
  size_t used;
  bool head; /* names in place of values */
  char separator;
} line;

/* Adds a column; the value is read only in a row. */
MS_PRINTF(3, 4) static void column(line *l, const char *name, const char *format, ...)
{
  char value[64];
  va_list list;
  va_start(list, format);
  vsnprintf(value, sizeof value, format, list);
  va_end(list);
  int wrote = snprintf(l->text + l->used, BENCH_LINE - l->used, "%s%s",
                       l->used ? (char[2]){l->separator} : "", l->head ? name : value);
  l->used += (size_t)wrote;
}

static void add_instance(line *l, const bench_row *row)
{
  const bench_instance *i = &row->cell->instance;
  char exponent[16] = "";
  if (i->family == MS_FAMILY_POWER_LAW || i->family == MS_FAMILY_HUBS)
    snprintf(exponent, sizeof exponent, "%g", i->exponent);
  column(l, "family", "%s", ms_family_describe(i->family).name);
  column(l, "exponent", "%s", exponent);
  column(l, "planted", "%d", i->planted);
  column(l, "vertices", "%u", i->n);
  column(l, "edges", "%" PRIu64, row->edges);
  column(l, "highest_degree", "%u", row->highest_degree);
  column(l, "slots", "%u", i->k);
}

static void add_device(line *l, const bench_plan *plan, const bench_row *row)
{
  const ms_screen_result *r = row->result;
  column(l, "recurrence", "%s", row->cell->screen.recurrence == MS_SIBLING ? "sibling" : "classic");
  column(l, "backend", "%s", bench_backend_of(r));
  column(l, "gpus", "%u", r->devices);
  column(l, "arithmetic", "%s", r->kernel ? r->kernel : "none");
  column(l, "block_points", "%u", r->block_points);
  column(l, "threads", "%d", r->threads);
  column(l, "repetitions", "%u", r->repetitions);
  column(l, "seed", "%" PRIu64, row->cell->screen.run.seed);
  column(l, "runs", "%u", plan->runs);
}

static void add_times(line *l, const bench_row *row)
{
  const ms_screen_result *r = row->result;
  column(l, "first_seconds", "%.6g", row->first);
  column(l, "seconds", "%.6g", row->whole);
  column(l, "least_seconds", "%.6g", row->least);
  column(l, "most_seconds", "%.6g", row->most);
  column(l, "sieve_seconds", "%.6g", row->sieve);
  column(l, "prune_seconds", "%.6g", row->prune);
  column(l, "points", "%" PRIu64, r->points);
  column(l, "points_per_second", "%.6g", (double)r->points / row->whole);
}

static void add_floor(line *l, const bench_row *row)
{
  const ms_sieve_floor *f = &row->floor;
  double bytes = ms_sieve_floor_bytes(f), floor = ms_sieve_floor_seconds(f);
  char ratio[16] = "";
  if (!l->head && bench_has_ratio(row))
    snprintf(ratio, sizeof ratio, "%.4g", row->whole / floor);
  column(l, "products", "%.6g", f->products);
  column(l, "products_per_second", "%.6g", f->products / row->whole);
  column(l, "bytes", "%.6g", bytes);
  column(l, "bytes_per_second", "%.6g", bytes / row->whole);
  column(l, "floor_products_seconds", "%.6g", f->products_seconds);
  column(l, "floor_bytes_seconds", "%.6g", f->bytes_seconds);
  column(l, "floor_seconds", "%.6g", floor);
  column(l, "ratio", "%s", ratio);
}

void bench_columns(const bench_plan *plan, const bench_row *row, char separator,
                   char text[BENCH_LINE])
{
  /* any row has the names */
  static const bench_cell no_cell;
  static ms_screen_result no_result;
  const bench_row names = {.cell = &no_cell, .whole = 1, .result = &no_result};
  line l = {.text = text, .head = !row, .separator = separator};
  row = row ? row : &names;
  add_instance(&l, row);
  add_device(&l, plan, row);
  add_times(&l, row);
  add_floor(&l, row);
  column(&l, "vertices_kept", "%u", row->result->vertices_kept);
  column(&l, "edges_kept", "%" PRIu64, row->result->edges_kept);
  column(&l, "flagged", "%u", row->result->flagged);
  column(&l, "memory_bytes", "%" PRIu64, row->result->memory_estimate);
  snprintf(text + l.used, BENCH_LINE - l.used, "\n");
}
