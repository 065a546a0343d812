/* Sums of the shares of a census, by ms_census_job. */
#ifndef TESTS_SUPPORT_CENSUS_SHARES_H
#define TESTS_SUPPORT_CENSUS_SHARES_H

#include "base/alloc.h"
#include "census/census.h"
#include "tests/support/search/shares.h"
#include "tests/support/test_main.h"

#include <stdlib.h>
#include <string.h>

/* Adds rows to a sum, both in the order of motifs. */
static inline void add_rows(ms_census_rows *sum, const ms_census_rows *rows)
{
  ms_census_rows both = {.row = ms_alloc(sum->count + rows->count + 1, sizeof *both.row)};
  uint64_t i = 0, j = 0;
  while (i < sum->count || j < rows->count) {
    int order = i == sum->count    ? 1
                : j == rows->count ? -1
                                   : ms_multiset_compare(&sum->row[i].key, &rows->row[j].key);
    both.row[both.count] = order <= 0 ? sum->row[i] : rows->row[j];
    if (order == 0)
      both.row[both.count].sets += rows->row[j].sets;
    i += order <= 0;
    j += order >= 0;
    both.count++;
  }
  ms_free(sum->row);
  *sum = both;
}

/* Counts random shares, in a random order of two jobs, and makes the result of their sum. */
static inline ms_census_result *sum_shares(const ms_census_accelerator *gpus, const ms_graph *graph,
                                           const ms_coloring *coloring,
                                           const ms_census_options *options, uint64_t seed)
{
  ms_census_job *job[2];
  ms_census_result *result;
  ms_census_rows sum = {0}, rows;
  ms_share share[MOST_SHARES];
  ms_error err;
  uint64_t sets = 0, more;
  ck_ok(ms_census_job_open(gpus, graph, coloring, options, &job[0], &err));
  ck_ok(ms_census_job_open(gpus, graph, coloring, options, &job[1], &err));
  uint64_t units = ms_census_job_units(job[0]);
  ck_assert(units == ms_census_job_units(job[1]));
  uint32_t shares = random_shares(&seed, units, share);
  while (shares > 0) {
    uint32_t at = random_below(&seed, shares);
    ck_ok(ms_census_job_run(job[random_below(&seed, 2)], &share[at], &rows, &more, &err));
    share[at] = share[--shares];
    add_rows(&sum, &rows);
    sets += more;
    ms_free(rows.row);
  }
  ck_ok(ms_census_job_finish(job[0], &sum, sets, &result, &err));
  ms_free(sum.row);
  ms_census_job_close(job[0]);
  ms_census_job_close(job[1]);
  return result;
}

/* Numbers of each vertex, as rows of a vertex and colours. */
typedef struct vertex_rows {
  uint32_t k;
  uint64_t count, room;
  struct vertex_row {
    uint32_t vertex, color[MS_MAX_CENSUS];
    uint64_t sets;
  } * row;
  uint64_t last_unit, cut; /* entries */
  uint32_t next, stop_at;  /* the entry that comes next; the receiver ends the run at the other */
  uint64_t seed;
} vertex_rows;

static inline void add_vertex(vertex_rows *rows, const ms_census_vertex *vertex)
{
  for (uint64_t i = 0; i < vertex->count; i++) {
    if (rows->count == rows->room) {
      rows->room = 2 * rows->room + 64;
      rows->row = realloc(rows->row, rows->room * sizeof *rows->row);
    }
    struct vertex_row row = {.vertex = vertex->vertex, .sets = vertex->n_sets[i]};
    memcpy(row.color, vertex->color + i * rows->k, rows->k * sizeof *row.color);
    rows->row[rows->count++] = row;
  }
}

static inline bool receive_whole(void *user, const ms_census_vertex *vertex)
{
  add_vertex(user, vertex);
  return true;
}

static inline bool receive_part(void *user, const ms_census_part *part)
{
  vertex_rows *rows = user;
  ck_assert(part->unit >= rows->last_unit);
  ck_assert_uint_eq(part->entry, rows->next);
  rows->next++;
  rows->last_unit = part->unit;
  rows->cut += part->is_cut;
  add_vertex(rows, part->vertex);
  return rows->next != rows->stop_at;
}

/* Begins with the next entry, and ends at a random one or at the end. */
static inline ms_status begin_part(void *user, uint32_t entries, uint32_t *first, ms_error *err)
{
  vertex_rows *rows = user;
  (void)err;
  *first = rows->next;
  rows->stop_at =
      rows->stop_at || entries == 0 ? UINT32_MAX : 1 + random_below(&rows->seed, entries);
  return MS_OK;
}

static inline int compare_vertex_rows(const void *a, const void *b)
{
  const struct vertex_row *x = a, *y = b;
  if (x->vertex != y->vertex)
    return x->vertex < y->vertex ? -1 : 1;
  return memcmp(x->color, y->color, sizeof x->color);
}

/* Sorts rows, and adds those of the same vertex and colours. */
static inline void add_up_rows(vertex_rows *rows)
{
  uint64_t kept = 0;
  if (rows->count > 0)
    qsort(rows->row, rows->count, sizeof *rows->row, compare_vertex_rows);
  for (uint64_t i = 0; i < rows->count; i++)
    if (kept > 0 && compare_vertex_rows(&rows->row[kept - 1], &rows->row[i]) == 0)
      rows->row[kept - 1].sets += rows->row[i].sets;
    else
      rows->row[kept++] = rows->row[i];
  rows->count = kept;
}

/* Compares the census of each vertex with the sum of random shares, each of which is counted in two
 * runs, and with all entries, of which none is cut, in two runs; returns the parts of cut vertices.
 *  The options leave no rows out. */
static inline uint64_t compare_vertex_shares(const ms_census_accelerator *gpus,
                                             const ms_graph *graph, const ms_coloring *coloring,
                                             const ms_census_options *options, uint64_t seed)
{
  vertex_rows whole = {.k = options->k}, sum = {.k = options->k, .seed = seed};
  vertex_rows uncut = {.k = options->k, .seed = seed};
  ms_share share[MOST_SHARES];
  ms_error err;
  uint64_t units;
  ck_ok(ms_census_vertices_by(gpus, graph, coloring, options, receive_whole, &whole, NULL, &err));
  ck_ok(ms_census_vertices_units(graph, coloring, options, &units, &err));
  for (uint32_t shares = random_shares(&seed, units, share); shares > 0; shares--) {
    sum.last_unit = sum.next = sum.stop_at = 0;
    const ms_census_receiver receiver = {.receive = receive_part,
                                         .user = &sum,
                                         .begin = begin_part,
                                         .seconds = shares % 2 ? 1e-9 : 0};
    for (int run = 0; run < 2; run++)
      ck_ok(ms_census_vertices_share(gpus, graph, coloring, options, &share[shares - 1], &receiver,
                                     NULL, &err));
  }
  const ms_census_receiver all = {
      .receive = receive_part, .user = &uncut, .begin = begin_part, .seconds = 1e-4};
  for (int run = 0; run < 2; run++)
    ck_ok(ms_census_vertices_share(gpus, graph, coloring, options, NULL, &all, NULL, &err));
  ck_assert_uint_eq(uncut.cut, 0);
  ck_assert_uint_eq(uncut.count, whole.count);
  if (whole.count > 0)
    ck_assert_mem_eq(whole.row, uncut.row, whole.count * sizeof *whole.row);
  add_up_rows(&whole);
  add_up_rows(&sum);
  ck_assert_msg(whole.count == sum.count, "seed %llu: %llu rows, not %llu",
                (unsigned long long)seed, (unsigned long long)sum.count,
                (unsigned long long)whole.count);
  ck_assert_mem_eq(whole.row, sum.row, sum.count * sizeof *sum.row);
  free(whole.row);
  free(uncut.row);
  free(sum.row);
  return sum.cut;
}

static inline void compare_results(const ms_census_result *a, const ms_census_result *b,
                                   uint64_t seed)
{
  ck_assert_msg(a->sets == b->sets && a->count == b->count && a->motifs == b->motifs,
                "seed %llu: %llu sets of %llu motifs, not %llu of %llu", (unsigned long long)seed,
                (unsigned long long)b->sets, (unsigned long long)b->count,
                (unsigned long long)a->sets, (unsigned long long)a->count);
  ck_assert_mem_eq(a->n_sets, b->n_sets, a->count * sizeof *a->n_sets);
  ck_assert_mem_eq(a->color, b->color, a->count * a->k * sizeof *a->color);
}

#endif
