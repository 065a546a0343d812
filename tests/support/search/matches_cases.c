#include "tests/support/search/matches_cases.h"

#include "tests/support/files.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char graph_text[] = "a\tb\nb\tc\nc\td\nd\ta\na\tc\nb\td\nd\te\ne\tf\nf\td\nx y\ta\n"
                                 "e\td\n";
static const char colors_text[] = "a\tred\nb\tblue\nc\tred\nc\tblue\nd\tgreen\ne\tred\nf\tblue\n";
static const char pattern_text[] = "t 3 3\nv 0 red\nv 1 blue\nv 2 *\ne 0 1\ne 1 2\ne 2 0\n";
static const char plain_text[] = "p\tq\nq\tr\nr\ts\n";
static const char accepts_text[] = "p\tred\np\tgreen\nq\t*\nr\tblue\n";

char paths[PATHS][4096];

void set_up(void)
{
  static const char *const names[] = {"graph.tsv", "colors.tsv", "labelled.tve", "plain.tsv",
                                      "accepts.tsv"};
  static const char *const texts[] = {graph_text, colors_text, pattern_text, plain_text,
                                      accepts_text};
  for (int i = 0; i < 5; i++)
    snprintf(paths[i], sizeof paths[i], "%s", files_write_text(names[i], texts[i]));
  snprintf(paths[RESULT], sizeof paths[RESULT], "%s", files_path("result"));
}

matches_inputs inputs_of(int number)
{
  matches_inputs in = {.graph_path = paths[GRAPH], .pattern_path = paths[PLAIN]};
  switch (number) {
  case 0:
    in.builtin = true;
    in.pattern_path = "triangle";
    break;
  case 1:
    in.colors_path = paths[COLORS];
    in.pattern_path = paths[LABELLED];
    break;
  case 2:
    in.colors_path = paths[COLORS];
    in.pattern_colors_path = paths[ACCEPTS];
    break;
  case 3:
    in.directed = true;
    break;
  case 4:
    in.directed = in.builtin = true;
    in.pattern_path = "cycle:4";
    break;
  case 5:
    in.builtin = true;
    in.pattern_path = "clique:5"; /* there is none */
    break;
  default:
    in.builtin = true;
    in.pattern_path = "clique:1";
    break;
  }
  matches_read(&in);
  return in;
}

ms_status verify_bytes(const matches_inputs *in, matches_file file, const ms_verify_options *given,
                       ms_verify_report *report, ms_error *err)
{
  ms_verify_options options = given ? *given
                                    : (ms_verify_options){.size = sizeof(ms_verify_options),
                                                          .graph.size = sizeof(ms_graph_options),
                                                          .colors.size = sizeof(ms_color_options),
                                                          .typed.size = sizeof(ms_typed_options)};
  options.pattern = in->pattern_path;
  options.pattern_colors = in->pattern_colors_path;
  const char *path = files_write("result", file.bytes, file.size);
  return ms_verify_file(path, in->graph_path, in->colors_path, &options, report, err);
}

ms_verify_report check(const matches_inputs *in, matches_file file,
                       const ms_verify_options *options)
{
  ms_verify_report report;
  ms_error err = {0};
  ms_status status = verify_bytes(in, file, options, &report, &err);
  ck_assert_msg(status == MS_OK, "%s", err.message);
  return report;
}

void accept(const matches_inputs *in, matches_file file)
{
  ms_verify_report report = check(in, file, NULL);
  ck_assert_msg(report.accepted, "%s", report.problem);
  ck_assert(report.recounted && report.is_pattern && !report.is_screen);
  ck_assert(!report.probabilistic && report.missing == 0);
  ck_assert_uint_eq(report.rows, file.rows);
}

void refuse(const matches_inputs *in, matches_file file, const char *problem)
{
  ms_verify_report report = check(in, file, NULL);
  ck_assert_msg(!report.accepted, "accepted, should be refused for '%s':\n%.*s", problem,
                (int)file.size, file.bytes);
  ck_assert_msg(strstr(report.problem, problem) != NULL, "refused for '%s', not '%s'",
                report.problem, problem);
}

matches_inputs clique_inputs(void)
{
  static char path[4096];
  char *text = NULL;
  size_t size;
  FILE *memory = open_memstream(&text, &size);
  for (int u = 0; u < 40; u++)
    for (int v = 0; v < u; v++)
      fprintf(memory, "v%d\tv%d\n", u, v);
  fclose(memory);
  snprintf(path, sizeof path, "%s", files_write("clique.tsv", text, size));
  free(text);
  matches_inputs in = {.graph_path = path, .pattern_path = "path:3", .builtin = true};
  matches_read(&in);
  return in;
}
