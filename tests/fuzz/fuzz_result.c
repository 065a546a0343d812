/* Any bytes as a result file are accepted or refused by ms_verify_file, for the fixed graph and
 * colours below, from which the seeds were made, and read or refused by ms_report_write, which also
 * reads tables of motifs and results of inexact searches.  FUZZ_WHAT: results of motifs, of
 * patterns, or of typed patterns.  Each input is tried as it is, and once more with a right
 * checksum in its last line, without which the judge reads little of it. */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/reseal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FUZZ_RESULT, FUZZ_MATCHES, FUZZ_TYPED };

static const char graph[] = "a\tb\nb\tc\nc\td\nb\td\nd\te\ne\tf\nx,1\ta\n";
static const char colors[] = "a\tred\nb\tblue\nc\tred\nd\tgreen\nd\tblue\ne\tred\nx,1\tred:ish\n";

static const char pattern[] = "t 0 3\nv 0 red\nv 1 *\nv 2 *\ne 0 1\ne 1 2\n";

/* Of typed matches: edges with types, in a table with some of the usual names. */
static const char table[] = "source\ttype\tto\na\tr\tb\na\tr\tb\nb\tr\tc\nc\ts\tb\nc\tr\tc\n";
static const char nodes[] = "id\tkind\na\tA\nb\tB\nc\tA\n";
static const char relations[] = "r\tinverse\ns\ts\n";
static const char typed_pattern[] = "(x:A)-[r]->(y:B), (x)-[r]->(y)--(z)";

static fuzz_file input, graph_file, colors_file, pattern_file, nodes_file, relations_file;

void fuzz_setup(void)
{
  fuzz_seal = fuzz_reseal_result;
  fuzz_file_open(&input);
  fuzz_file_open(&graph_file);
  fuzz_file_open(&colors_file);
  if (FUZZ_WHAT == FUZZ_TYPED)
    fuzz_file_set(&graph_file, table, sizeof table - 1);
  else
    fuzz_file_set(&graph_file, graph, sizeof graph - 1);
  fuzz_file_open(&pattern_file);
  fuzz_file_set(&colors_file, colors, sizeof colors - 1);
  fuzz_file_set(&pattern_file, pattern, sizeof pattern - 1);
  fuzz_file_open(&nodes_file);
  fuzz_file_set(&nodes_file, nodes, sizeof nodes - 1);
  fuzz_file_open(&relations_file);
  fuzz_file_set(&relations_file, relations, sizeof relations - 1);
}

/* Reads the input without the graph, and throws the report away. */
static void report(void)
{
  ms_error err = {0};
  ms_status status = ms_report_write(input.path, NULL, NULL, NULL, "/dev/null", NULL, &err);
  fuzz_ok(status, FUZZ_INPUT | FUZZ_USAGE, &err);
}

static bool verify(const uint8_t *data, size_t size)
{
  ms_verify_report report = {0};
  ms_error err = {0};
  ms_verify_options options = {.size = sizeof(ms_verify_options),
                               .graph.size = sizeof(ms_graph_options),
                               .colors.size = sizeof(ms_color_options),
                               .typed.size = sizeof(ms_typed_options),
                               .pattern = FUZZ_WHAT == FUZZ_MATCHES ? pattern_file.path : NULL};
  bool typed = FUZZ_WHAT == FUZZ_TYPED;
  if (typed) {
    options.pattern = typed_pattern;
    options.typed = (ms_typed_options){.size = sizeof(ms_typed_options),
                                       .nodes = nodes_file.path,
                                       .relations = relations_file.path};
  }
  fuzz_file_set(&input, data, size);
  ms_status status = ms_verify_file(input.path, graph_file.path, typed ? NULL : colors_file.path,
                                    &options, &report, &err);
  /* usage: the header's options do not fit the inputs */
  bool ok = fuzz_ok(status, FUZZ_INPUT | FUZZ_USAGE, &err);
  fuzz_require(ok || !report.accepted, "accepted, and yet an error");
  fuzz_require(!ok || report.accepted || report.problem[0], "refused without a reason");
  return report.accepted;
}

bool fuzz_input(const uint8_t *data, size_t size)
{
  uint8_t *sealed = malloc(size + 1);
  fuzz_require(sealed, "no memory");
  memcpy(sealed, data, size);
  fuzz_reseal_result(sealed, size, size);
  bool accepted = verify(data, size);
  verify(sealed, size);
  report();
  free(sealed);
  return accepted;
}
