/* ms_verify_file on results of pattern matches: files of many rows, and little memory. */
#include "tests/support/allocations.h"
#include "tests/support/files.h"
#include "tests/support/random.h"
#include "tests/support/search/matches_cases.h"
#include "tests/support/test_main.h"
#include "verify/row_set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- many rows, little memory ---------------------------------------------------------- */

/* A result of 59,280 rows is accepted in each encoding, and refused where the last row repeats the
 * first. */
START_TEST(many_rows)
{
  matches_inputs in = clique_inputs();
  for (int form = 0; form < MATCHES_FORMS; form++) {
    matches_file file =
        matches_compose(&in, &(matches_layout){.form = form, .embeddings = true, .drop = -1});
    ck_assert_uint_eq(file.rows, 40 * 39 * 38);
    accept(&in, file);
    if (form == MATCHES_BINARY) { /* the last row is the first */
      memcpy(file.bytes + file.size - 24 - 12, file.bytes + file.size - 24 - 12 * file.rows, 12);
      refuse(&in, matches_seal(file, form), "match 59280 repeats an earlier one");
    }
    free(file.bytes);
  }
  matches_free(&in);
}
END_TEST

/* A recount that meets its deadline leaves the result accepted and not recounted, and an interrupt
 * ends the judge. */
START_TEST(recount_that_is_stopped)
{
  matches_inputs in = clique_inputs();
  ms_stop *stop;
  ms_error err;
  ms_verify_report report;
  matches_file file = matches_compose(&in, &(matches_layout){.embeddings = true, .drop = 7});
  ck_assert_int_eq(ms_stop_new(&stop, NULL), MS_OK);
  report = check(&in, file,
                 &(ms_verify_options){.size = sizeof(ms_verify_options),
                                      .graph.size = sizeof(ms_graph_options),
                                      .colors.size = sizeof(ms_color_options),
                                      .typed.size = sizeof(ms_typed_options),
                                      .run.stop = stop,
                                      .recount_seconds = 1e-9});
  ck_assert(report.accepted && !report.recounted);
  ck_assert_int_eq(report.run.stopped, MS_ERR_LIMIT);
  ms_stop_request(stop);
  ck_assert_int_eq(verify_bytes(&in, file,
                                &(ms_verify_options){.size = sizeof(ms_verify_options),
                                                     .graph.size = sizeof(ms_graph_options),
                                                     .colors.size = sizeof(ms_color_options),
                                                     .typed.size = sizeof(ms_typed_options),
                                                     .run.stop = stop},
                                &report, &err),
                   MS_OK);
  ck_assert(report.outcome == MS_VERIFY_UNFINISHED && report.run.stopped == MS_ERR_INTERRUPTED);
  ck_assert(!report.accepted);
  ms_stop_free(stop);
  free(file.bytes);
  matches_free(&in);
}
END_TEST

/* Rows that differ in any bit of any vertex are different in the set of rows, and each is found
 * again: seven sizes of rows and graphs. */
START_TEST(rows_are_told_apart)
{
  static const uint32_t sizes[][2] = {
      {1, 1},   {2, 3},      {5, 4000000000u}, {3, 1u << 21}, {64, UINT32_MAX - 1},
      {64, 64}, {7, 1000000}};
  for (size_t s = 0; s < COUNT(sizes); s++) {
    uint32_t p = sizes[s][0], n = sizes[s][1], row[64];
    uint64_t state = s;
    ms_row_set *set;
    bool fresh;
    ck_assert_int_eq(ms_row_set_new(p, n, &set, NULL), MS_OK);
    for (uint32_t i = 0; i < p; i++)
      row[i] = (uint32_t)(random_next(&state) >> 32) % n;
    ck_assert(!ms_row_set_has(set, row));
    ck_assert_int_eq(ms_row_set_add(set, row, &fresh, NULL), MS_OK);
    ck_assert(fresh && ms_row_set_has(set, row));
    /* each bit of each vertex makes another row */
    for (uint32_t bit = 0; bit < 32; bit++) {
      for (uint32_t i = 0; i < p; i++) {
        row[i] ^= 1u << bit;
        if (row[i] < n) {
          ck_assert(!ms_row_set_has(set, row));
          ck_assert_int_eq(ms_row_set_add(set, row, &fresh, NULL), MS_OK);
          ck_assert(fresh);
          ck_assert_int_eq(ms_row_set_add(set, row, &fresh, NULL), MS_OK);
          ck_assert(!fresh);
        }
        row[i] ^= 1u << bit;
      }
    }
    ck_assert(ms_row_set_has(set, row));
    ms_row_set_free(set);
  }
}
END_TEST

/* Rows in ascending order, some of them repeated, and then others: 3000 rows of {0..79}^2, against
 * a table of what was put in. */
START_TEST(rows_may_ascend_for_a_while)
{
  enum { N = 80 };
  for (uint32_t ascending = 0; ascending <= 3000; ascending += 750) {
    bool in[N][N] = {{false}}, fresh;
    uint64_t state = ascending + 1;
    ms_row_set *set;
    ck_assert_int_eq(ms_row_set_new(2, N, &set, NULL), MS_OK);
    for (uint32_t i = 0, at = 0; i < 3000; i++) {
      at += random_below(&state, 4);
      uint32_t cell = i < ascending ? at : random_below(&state, N * N);
      uint32_t row[2] = {cell / N % N, cell % N};
      if (i < ascending && at >= N * N)
        break;
      ck_assert(ms_row_set_has(set, row) == in[row[0]][row[1]]);
      ck_assert_int_eq(ms_row_set_add(set, row, &fresh, NULL), MS_OK);
      ck_assert(fresh == !in[row[0]][row[1]]);
      in[row[0]][row[1]] = true;
    }
    for (uint32_t a = 0; a < N; a++)
      for (uint32_t b = 0; b < N; b++)
        ck_assert(ms_row_set_has(set, (uint32_t[]){a, b}) == in[a][b]);
    ms_row_set_free(set);
  }
}
END_TEST

typedef struct starving {
  const matches_inputs *in;
  const char *path;
} starving;

static ms_status verify_starving(void *user, ms_error *err)
{
  const starving *s = user;
  ms_verify_report report;
  ms_verify_options options = {.size = sizeof(ms_verify_options),
                               .colors.size = sizeof(ms_color_options),
                               .typed.size = sizeof(ms_typed_options),
                               .graph = {.size = sizeof(ms_graph_options), .run.threads = 1},
                               .pattern = s->in->pattern_path,
                               .pattern_colors = s->in->pattern_colors_path};
  ms_status status =
      ms_verify_file(s->path, s->in->graph_path, s->in->colors_path, &options, &report, err);
  ck_assert_msg(status != MS_OK || report.accepted, "%s", report.problem);
  return status;
}

/* Whichever allocation fails in the judge, it reports that or does without: a small result in
 * each encoding, and one of many rows. */
START_TEST(survives_failing_memory)
{
  matches_inputs in = inputs_of(2), many = clique_inputs();
  char path[4096];
  for (int form = 0; form < MATCHES_FORMS; form++) {
    matches_file file = matches_compose(&in, &(matches_layout){.form = form, .drop = -1});
    snprintf(path, sizeof path, "%s", files_write("result", file.bytes, file.size));
    ck_assert_int_gt(failing_runs_survived(verify_starving, &(starving){&in, path}), 20);
    free(file.bytes);
  }
  /* tables and buffers that grow */
  matches_file file = matches_compose(&many, &(matches_layout){.form = MATCHES_BINARY, .drop = -1});
  snprintf(path, sizeof path, "%s", files_write("result", file.bytes, file.size));
  ck_assert_int_gt(failing_runs_survived(verify_starving, &(starving){&many, path}), 20);
  free(file.bytes);
  matches_free(&many);
  matches_free(&in);
}
END_TEST

TEST_MAIN("pattern: result files with many rows", BEFORE_ALL(set_up), TEST(many_rows),
          TEST(recount_that_is_stopped), TEST(rows_are_told_apart),
          TEST(rows_may_ascend_for_a_while), TEST(survives_failing_memory))
