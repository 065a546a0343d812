/* Any bytes as a file of a typed graph are refused or read as a valid graph, which is the same
 * graph when it is written and read again.  FUZZ_WHAT: an ms_typed_format, or one of the tables
 * below, which is read together with a small file of edges. */
#include "graph/typed.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/reseal.h"
#include "tests/support/graphs/validate.h"

#include <string.h>

enum { FUZZ_NODES = MS_TYPED_FORMATS, FUZZ_RELATIONS };

static const char edges[] = "a\tr\tb\tc\nb\ts\tc\nx\t^r\ta\nalone\n";

static fuzz_file input, fixed;

void fuzz_setup(void)
{
  fuzz_file_open(&input);
  fuzz_file_open(&fixed);
  fuzz_file_set(&fixed, edges, sizeof edges - 1);
  if ((int)FUZZ_WHAT == (int)MS_TYPED_BINARY)
    fuzz_seal = fuzz_reseal_typed;
}

static ms_typed *read_typed(const char *path, const ms_typed_options *options)
{
  ms_typed *graph = NULL;
  ms_error err = {0};
  ms_status status = ms_typed_read(path, options, &graph, &err);
  fuzz_require((status == MS_OK) == (graph != NULL), "status and graph disagree");
  if (!fuzz_ok(status, FUZZ_INPUT, &err))
    return NULL;
  fuzz_ok(validate_typed(graph, &err), 0, &err);
  ms_typed_info info = ms_typed_describe(graph);
  fuzz_require(info.vertices > 0 || info.format == MS_TYPED_TABLE || info.format == MS_TYPED_BINARY,
               "a graph without vertices");
  return graph;
}

static bool same_type(const ms_typed *a, ms_type s, const ms_typed *b, ms_type t)
{
  return strcmp(ms_typed_arc_type_name(a, s), ms_typed_arc_type_name(b, t)) == 0;
}

/* Vertices keep their numbers, arcs their order where the types do. */
static void compare(const ms_typed *graph, const ms_typed *again)
{
  ms_typed_info a = graph->info, b = again->info;
  fuzz_require(a.vertices == b.vertices && a.edges == b.edges && a.self_loops == b.self_loops &&
                   a.repeats == b.repeats && a.untyped == b.untyped && a.arc_types == b.arc_types,
               "a count has changed");
  for (uint32_t v = 0; v < a.vertices; v++) {
    fuzz_require(strcmp(ms_typed_name(graph, v), ms_typed_name(again, v)) == 0, "a name is lost");
    fuzz_require(strcmp(ms_typed_vertex_type_name(graph, ms_typed_vertex_type(graph, v)),
                        ms_typed_vertex_type_name(again, ms_typed_vertex_type(again, v))) == 0,
                 "a type of a vertex has changed");
    fuzz_require(graph->rows.offset[v + 1] == again->rows.offset[v + 1], "a degree has changed");
  }
  for (uint64_t arc = 0; arc < graph->rows.arcs; arc++)
    fuzz_require(graph->rows.neighbor[arc] == again->rows.neighbor[arc] &&
                     same_type(graph, graph->rows.type[arc], again, again->rows.type[arc]),
                 "an arc has changed");
}

static void write_and_read(const ms_typed *graph, ms_typed_format format)
{
  const ms_typed_options options = {
      .size = sizeof(ms_typed_options), .format = format, .run.threads = fuzz_threads};
  ms_error err = {0};
  fuzz_output_clear();
  ms_status status = format == MS_TYPED_TABLE ? ms_typed_write(graph, "-", &err)
                                              : ms_typed_write_binary(graph, "-", &err);
  if (!fuzz_ok(status, format == MS_TYPED_TABLE ? FUZZ_USAGE : 0, &err))
    return; /* a name that no table can say */
  ms_typed *again = read_typed(fuzz_output.path, &options);
  fuzz_require(again, "what was written is refused");
  compare(graph, again);
  ms_typed_free(again);
}

bool fuzz_input(const uint8_t *data, size_t size)
{
  ms_typed_options options = {.size = sizeof(ms_typed_options),
                              .format = (ms_typed_format)FUZZ_WHAT,
                              .run.threads = fuzz_threads};
  const char *path = input.path;
  int what = FUZZ_WHAT;
  fuzz_file_set(&input, data, size);
  if (what >= MS_TYPED_FORMATS) {
    options.format = MS_TYPED_SIF;
    options.nodes = what == FUZZ_NODES ? input.path : NULL;
    options.relations = what == FUZZ_RELATIONS ? input.path : NULL;
    path = fixed.path;
  }
  ms_typed *graph = read_typed(path, &options);
  bool good = graph != NULL;
  if (good) {
    write_and_read(graph, MS_TYPED_TABLE);
    write_and_read(graph, MS_TYPED_BINARY);
  }
  ms_typed_free(graph);
  return good;
}
