/* Any bytes as a file of colours or names of a fixed small graph are read or refused.  FUZZ_WHAT:
 * one of the files below. */
#include "tests/fuzz/fuzz.h"

enum { FUZZ_TSV, FUZZ_GO_SLIM, FUZZ_GAF, FUZZ_OBO, FUZZ_ALIASES };

static const uint32_t edges[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}};
static const char *const names[] = {"YAL001C", "YBR123C", "a", "b", "x,1", "P12345"};
#define VERTICES 6u

/* The annotations that an ontology is read together with. */
static const char annotations[] = "!gaf-version: 2.2\n"
                                  "SGD\tS1\tYAL001C\tenables\tGO:0000001\tPMID:"
                                  "1\tIDA\t\tF\t\t\tprotein\ttaxon:4932\t20200101\tSGD\n"
                                  "SGD\tS2\tYBR123C\tenables\tGO:0000003\tPMID:"
                                  "1\tIDA\t\tF\t\t\tprotein\ttaxon:4932\t20200101\tSGD\n";

static ms_graph *graph;
static fuzz_file input, fixed;

static ms_graph *new_graph(void)
{
  ms_graph *made = NULL;
  ms_error err = {0};
  fuzz_ok(ms_graph_from_edges(VERTICES, VERTICES - 1, edges, names, &made, &err), 0, &err);
  return made;
}

void fuzz_setup(void)
{
  if (FUZZ_WHAT != FUZZ_ALIASES) /* which changes its graph, and makes its own */
    graph = new_graph();
  fuzz_file_open(&input);
  fuzz_file_open(&fixed);
  fuzz_file_set(&fixed, annotations, sizeof annotations - 1);
}

static void check_coloring(const ms_coloring *coloring)
{
  ms_coloring_info info = ms_coloring_describe(coloring);
  uint64_t assignments = 0;
  for (uint32_t v = 0; v < VERTICES; v++) {
    uint32_t count;
    const uint32_t *color = ms_coloring_of(coloring, v, &count);
    assignments += count;
    for (uint32_t i = 0; i < count; i++)
      fuzz_require(color[i] < info.colors && (i == 0 || color[i] > color[i - 1]),
                   "a list of colours is out of order");
  }
  fuzz_require(assignments == info.assignments && assignments > 0, "assignments do not add up");
  for (uint32_t c = 0; c < info.colors; c++)
    fuzz_require(ms_coloring_find(coloring, ms_coloring_name(coloring, c)) == c,
                 "a colour is not found by its name");
}

static bool read_colors(const char *path, ms_color_options options)
{
  ms_coloring *coloring = NULL;
  ms_error err = {0};
  ms_status status = ms_coloring_read(path, graph, &options, &coloring, &err);
  fuzz_require((status == MS_OK) == (coloring != NULL), "status and colouring disagree");
  /* usage: the slim that is asked for is not in the ontology */
  bool ok = fuzz_ok(status, FUZZ_INPUT | (options.slim ? FUZZ_USAGE : 0), &err);
  if (ok)
    check_coloring(coloring);
  ms_coloring_free(coloring);
  return ok;
}

static bool read_aliases(void)
{
  ms_graph *own = new_graph();
  ms_alias_info info = {0};
  ms_error err = {0};
  bool ok = fuzz_ok(ms_graph_read_aliases(own, input.path, &info, &err), FUZZ_INPUT, &err);
  for (uint32_t v = 0; v < VERTICES; v++)
    fuzz_require(ms_graph_find(own, names[v]) == v, "a vertex lost its own name");
  ms_graph_free(own);
  return ok;
}

bool fuzz_input(const uint8_t *data, size_t size)
{
  fuzz_file_set(&input, data, size);
  if (FUZZ_WHAT == FUZZ_ALIASES)
    return read_aliases();
  if (FUZZ_WHAT == FUZZ_OBO) {
    read_colors(fixed.path, (ms_color_options){.size = sizeof(ms_color_options),
                                               .format = MS_COLORS_GAF,
                                               .obo = input.path});
    return read_colors(fixed.path, (ms_color_options){.size = sizeof(ms_color_options),
                                                      .format = MS_COLORS_GAF,
                                                      .obo = input.path,
                                                      .slim = "goslim_yeast"});
  }
  read_colors(input.path,
              (ms_color_options){.size = sizeof(ms_color_options), .format = MS_COLORS_AUTO});
  return read_colors(input.path,
                     (ms_color_options){.size = sizeof(ms_color_options),
                                        .format = FUZZ_WHAT == FUZZ_TSV   ? MS_COLORS_AUTO
                                                  : FUZZ_WHAT == FUZZ_GAF ? MS_COLORS_GAF
                                                                          : MS_COLORS_GO_SLIM});
}
