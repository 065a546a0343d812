/* Writes the connected components of a graph, the largest first. */
#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "graph/graph.h"
#include "result/json.h"
#include "run/write/write.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct components_file {
  ms_writing writing;
  ms_component_options which;
  const ms_graph *graph;
  uint32_t count;   /* number of all components */
  uint32_t shown;   /* number of components that get rows: the first ones */
  uint32_t *begin;  /* [count + 1] begin of each component in `vertex`, the largest first */
  uint32_t *vertex; /* [n] ascending within a component */
} components_file;

/* Returns the number of vertices of component c. */
static uint32_t size_of(const components_file *f, uint32_t c)
{
  return f->begin[c + 1] - f->begin[c];
}

/* ---- sorting ------------------------------------------------------------------- */

static int by_key(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* Ranks the components of component[n], which are numbered by smallest vertex, by falling size, and
 * puts the vertices of each together. */
static ms_status sort_components(components_file *f, const uint32_t *component, ms_error *err)
{
  uint32_t n = ms_graph_vertex_count(f->graph), *rank = ms_alloc(f->count, sizeof *rank);
  uint64_t *key = ms_alloc(f->count, sizeof *key);
  ms_status status = MS_OK;
  f->begin = ms_calloc((size_t)f->count + 1, sizeof *f->begin);
  f->vertex = ms_alloc(n, sizeof *f->vertex);
  if (!rank || !key || !f->begin || !f->vertex) {
    status = ms_fail_memory(err, "components");
    goto done;
  }
  for (uint32_t c = 0; c < f->count; c++)
    key[c] = (uint64_t)UINT32_MAX << 32 | c; /* the complement of its size comes first */
  for (uint32_t v = 0; v < n; v++)
    key[component[v]] -= UINT64_C(1) << 32;
  qsort(key, f->count, sizeof *key, by_key);
  for (uint32_t i = 0, before = 0; i < f->count; i++) {
    f->begin[i + 1] = before; /* advances to where the next one begins */
    before += UINT32_MAX - (uint32_t)(key[i] >> 32);
    rank[(uint32_t)key[i]] = i;
  }
  for (uint32_t v = 0; v < n; v++)
    f->vertex[f->begin[rank[component[v]] + 1]++] = v;
done:
  ms_free(rank);
  ms_free(key);
  return status;
}

static uint32_t count_shown(const components_file *f)
{
  uint32_t shown = 0;
  while (shown < f->count && size_of(f, shown) >= f->which.min_size)
    shown++;
  return f->which.largest && shown > 1 ? 1 : shown;
}

/* ---- rows ---------------------------------------------------------------------- */

/* Writes the rows of component c: one for each vertex, or with `sizes` a single one. */
static ms_status put_component(components_file *f, uint32_t c, ms_error *err)
{
  uint32_t end = f->which.sizes ? f->begin[c] + 1 : f->begin[c + 1];
  for (uint32_t i = f->begin[c]; i < end; i++) {
    const ms_component_row row = {
        .vertex = ms_graph_name(f->graph, f->vertex[i]), .component = c + 1, .size = size_of(f, c)};
    MS_TRY(ms_writer_row(&f->writing.writer, &row, err));
  }
  return MS_OK;
}

static void describe(components_file *f)
{
  ms_result_header *h = &f->writing.writer.header;
  ms_describe_graph(h, f->graph, &f->writing.graph);
  h->has |= f->which.min_size || f->which.largest ? MS_HAS_SHOWN : 0;
  h->components.count = f->count;
  h->components.shown = f->shown;
  h->components.min_size = f->which.min_size;
  h->layout = f->which.sizes ? MS_WITH_SIZES : 0;
  f->writing.names = f->graph->names;
}

static ms_status put_table(components_file *f, ms_error *err)
{
  ms_writer *writer = &f->writing.writer;
  ms_status status = ms_writer_begin(writer, f->writing.names, err);
  for (uint32_t c = 0; c < f->shown && status == MS_OK; c++)
    status = put_component(f, c, err);
  return status == MS_OK ? ms_writer_end(writer, err) : status;
}

static ms_status write_all(components_file *f, const uint32_t *component, ms_error *err)
{
  char count[16];
  MS_TRY(sort_components(f, component, err));
  f->shown = count_shown(f);
  describe(f);
  if (!f->which.count_only)
    return put_table(f, err);
  snprintf(count, sizeof count, "%" PRIu32, f->shown);
  f->writing.writer.header.count = count;
  return ms_writing_number(&f->writing, count, err);
}

/* Refuses numbers that are not those of ms_graph_components. */
static ms_status check_components(const ms_graph *graph, const uint32_t *component, uint32_t count,
                                  ms_error *err)
{
  uint32_t n = ms_graph_vertex_count(graph), next = 0;
  bool right = true;
  for (uint32_t v = 0; v < n; v++) {
    right = right && component[v] <= next && component[v] < count;
    next += component[v] == next;
  }
  if (right && next == count)
    return MS_OK;
  return ms_fail(err, MS_ERR_USAGE,
                 "these are not the %" PRIu32
                 " components of the graph in the order of their smallest vertices; take the "
                 "numbers from ms_graph_components",
                 count);
}

ms_status ms_components_write(const ms_graph *graph, const uint32_t *component, uint32_t count,
                              const ms_component_options *which, const ms_write_options *options,
                              const char *path, ms_error *err)
{
  MS_REQUIRE(graph, err);
  MS_REQUIRE_ARRAY(component, ms_graph_vertex_count(graph), err);
  MS_REQUIRE(path, err);
  components_file f = {.graph = graph, .count = count};
  MS_TRY(ms_options_take(&ms_component_options_kind, which, &f.which, err));
  MS_TRY(check_components(graph, component, count, err));
  MS_TRY(ms_writing_open(&f.writing, MS_KIND_COMPONENTS, graph->n, options, path, err));
  ms_status status = write_all(&f, component, err);
  ms_free(f.begin);
  ms_free(f.vertex);
  return ms_writing_close(&f.writing, status, err);
}
