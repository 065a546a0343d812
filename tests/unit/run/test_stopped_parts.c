/* Parts of a run that were stopped at any time: what their files say, and that merging them is
 * refused because they are incomplete, which the user has to know first. */
#include "base/threads/stop.h"
#include "tests/support/files.h"
#include "tests/support/test_main.h"

#include "motifsieve.h"

#include <stdio.h>
#include <string.h>

enum { EDGES = 300, POINTS = 40 };

static ms_error err;
static ms_graph *graph;
static ms_coloring *coloring;
static ms_motif *motif;
static ms_query *query;

/* A long path whose vertices have two colours in turn; its end has a third one, and is in no match,
 * so that the sieve does not end early. */
static void open_inputs(void)
{
  static char edges[20 * EDGES], colors[20 * EDGES];
  char *e = edges, *c = colors;
  for (int i = 0; i < EDGES; i++) {
    e += sprintf(e, "%d\t%d\n", i, i + 1);
    c += sprintf(c, "%d\t%s\n", i, i % 2 ? "a" : "b");
  }
  sprintf(c, "%d\tc\n", EDGES);
  const char *graph_path = files_write_text("g.tsv", edges);
  const char *colors_path = files_write_text("c.tsv", colors);
  ck_ok(ms_graph_read(graph_path, NULL, &graph, &err));
  ck_ok(ms_coloring_read(colors_path, graph, NULL, &coloring, &err));
  ck_ok(ms_motif_parse("a:3,b:3", coloring, &motif, &err));
  ck_ok(ms_query_new(graph, coloring, motif, 0, NULL, &query, &err));
}

static void close_inputs(void)
{
  ms_query_free(query);
  ms_motif_free(motif);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}

/* Does a part of a run and writes it to a path.  Returns why it is incomplete, or the status of a
 * run without a result. */
typedef ms_status part_fn(const ms_division *division, ms_stop *stop, const char *path);

static ms_status screen_part(const ms_division *division, ms_stop *stop, const char *path)
{
  ms_screen_result *result;
  ms_screen_options o = MS_SCREEN_OPTIONS_DEFAULT;
  o.method = MS_METHOD_SIEVE;
  o.backend = MS_BACKEND_CPU;
  o.run.threads = 1;
  o.run.division = division;
  o.run.stop = stop;
  ms_status status = ms_screen(query, &o, &result, &err);
  if (status != MS_OK)
    return status;
  status = result->run.stopped;
  if (result->repetitions == 0) /* nothing was searched: each match may be missed */
    ck_assert_msg(result->miss_bound == 1 && result->miss_bound_text[0], "the bound is %g: '%s'",
                  result->miss_bound, result->miss_bound_text);
  ck_ok(ms_screen_write(query, &o, result, NULL, path, &err));
  ms_screen_result_free(result);
  return status;
}

static ms_status list_part(const ms_division *division, ms_stop *stop, const char *path)
{
  ms_list_result *result;
  ms_list_options o = MS_LIST_OPTIONS_DEFAULT;
  o.exact = true;
  o.screen.run.engine = "cpu";
  o.screen.run.threads = 1;
  o.screen.run.division = division;
  o.screen.run.stop = stop;
  ms_status status = ms_list_to_file(query, &o, NULL, path, &result, &err);
  if (status != MS_OK)
    return status;
  status = result->run.stopped;
  ms_list_result_free(result);
  return status;
}

/* Stops part 1 after each of POINTS numbers of looks, and merges what it has written. */
static void stop_and_merge(part_fn *part)
{
  ms_division first = MS_DIVISION_DEFAULT, second = MS_DIVISION_DEFAULT;
  first.part = 1;
  second.part = 2;
  first.parts = second.parts = 2;
  char one[300], two[300], merged[300];
  snprintf(one, sizeof one, "%s", files_path("1.tsv"));
  snprintf(two, sizeof two, "%s", files_path("2.tsv"));
  snprintf(merged, sizeof merged, "%s", files_path("merged.tsv"));
  ck_ok(part(&second, NULL, two));
  const char *orders[2][2] = {{one, two}, {two, one}};
  uint64_t all = 0, files = 0;
  for (uint64_t n = 0; n <= POINTS; n++) {
    ms_stop *stop;
    ck_ok(ms_stop_new(&stop, &err));
    ms_stop_after_looks(stop, n == 0 ? UINT64_MAX : all < POINTS ? n - 1 : all * (n - 1) / POINTS);
    ms_status status = part(&first, stop, one);
    all = n == 0 ? ms_stop_looks(stop) : all;
    ms_stop_free(stop);
    FILE *written = fopen(one, "r");
    if (written)
      fclose(written);
    for (int i = 0; i < 2 && written; i++) {
      ms_status joined = ms_merge(orders[i], 2, NULL, merged, NULL, &err);
      ck_assert_int_eq(joined == MS_OK, status == MS_OK);
      if (joined != MS_OK)
        ck_assert_msg(strstr(err.message, "1.tsv: part 1 of 2 is incomplete, because"), "%s",
                      err.message);
    }
    files += written && n > 0;
    remove(one);
    remove(merged);
  }
  ck_assert_uint_gt(files, 0);
}

START_TEST(stopped)
{
  static part_fn *const parts[] = {screen_part, list_part};
  open_inputs();
  stop_and_merge(parts[_i]);
  close_inputs();
}
END_TEST

TEST_MAIN("stopped_parts", TEST_TIMES(stopped, 2))
