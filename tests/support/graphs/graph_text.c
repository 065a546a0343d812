#include "tests/support/graphs/graph_text.h"

#include "tests/support/files.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static char line[4096];

static void put(const char *a, const char *b)
{
  size_t used = strlen(line);
  int length = snprintf(line + used, sizeof line - used, "%s%s%s%s", used ? ", " : "", a,
                        b ? "-" : "", b ? b : "");
  ck_assert_msg(used + (size_t)length < sizeof line, "the graph is too large to be shown");
}

const char *graph_text_of(const char *path, const ms_graph_options *options, ms_graph_info *info)
{
  ms_error err;
  ms_graph *graph = NULL;
  ck_assert_msg(ms_graph_read(path, options, &graph, &err) == MS_OK, "%s", err.message);
  line[0] = '\0';
  for (uint32_t v = 0; v < ms_graph_vertex_count(graph); v++) {
    uint32_t degree;
    const uint32_t *neighbor = ms_graph_neighbors(graph, v, &degree);
    if (degree == 0)
      put(ms_graph_name(graph, v), NULL);
    for (uint32_t i = 0; i < degree; i++)
      if (neighbor[i] > v)
        put(ms_graph_name(graph, v), ms_graph_name(graph, neighbor[i]));
  }
  if (info) {
    *info = ms_graph_describe(graph);
    info->path = NULL; /* goes with the graph */
  }
  ms_graph_free(graph);
  return line;
}

const char *graph_text(const char *name, const char *text, const ms_graph_options *options,
                       ms_graph_info *info)
{
  return graph_text_of(files_write_text(name, text), options, info);
}

ms_graph *graph_text_read(const char *name, const char *text, ms_graph_format format)
{
  ms_graph_options options = {.size = sizeof(ms_graph_options), .format = format};
  ms_graph *graph = NULL;
  ms_error err;
  ms_status status = ms_graph_read(files_write_text(name, text), &options, &graph, &err);
  ck_assert_msg(status == MS_OK, "%s", err.message);
  return graph;
}

const char *graph_text_format_of(const ms_graph *graph)
{
  return ms_graph_format_describe(ms_graph_describe(graph).format).name;
}

const char *graph_text_format(const char *name, const char *text)
{
  ms_graph_info info;
  graph_text(name, text, NULL, &info);
  return ms_graph_format_describe(info.format).name;
}

void graph_text_refuses_names(const char *name, const char *text, const char *kind,
                              const char *kinds)
{
  ms_error err;
  ms_graph *graph = NULL;
  ms_graph_options options = {.size = sizeof(ms_graph_options), .names = kind};
  char expected[200];
  snprintf(expected, sizeof expected, "unknown kind of names '%s'; give one of %s", kind, kinds);
  ck_assert_int_eq(ms_graph_read(files_write_text(name, text), &options, &graph, &err),
                   MS_ERR_USAGE);
  ck_assert_ptr_null(graph);
  ck_assert_msg(strstr(err.message, expected), "%s", err.message);
}
