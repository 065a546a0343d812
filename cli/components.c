/* motifsieve components: finds connected components. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/stop.h"
#include "cli/cli.h"
#include "cli/report.h"
#include "graph/graph.h"
#include "result/json.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct components_work {
  ms_job job;       /* of the job, only options and graph are used */
  uint32_t count;   /* number of all components */
  uint32_t shown;   /* number of components that get rows: the first ones */
  uint32_t *begin;  /* [count + 1] begin of each component in `vertex`, the largest first */
  uint32_t *vertex; /* [n] ascending within a component */
  double time_read, time_find; /* seconds */
} components_work;

/* Returns the number of vertices of component c. */
static uint32_t size_of(const components_work *w, uint32_t c)
{
  return w->begin[c + 1] - w->begin[c];
}

/* ---- writing ---------------------------------------------------------------- */

/* Writes the rows of component c: one for each vertex, or with --sizes a single one. */
static void put_tsv(ms_outfile *out, const components_work *w, uint32_t c)
{
  uint32_t size = size_of(w, c), begin = w->begin[c];
  if (w->job.options->components.sizes) {
    ms_outfile_printf(out, "%" PRIu32 "\t%" PRIu32 "\t%s\n", c + 1, size,
                      ms_graph_name(w->job.graph, w->vertex[begin]));
    return;
  }
  for (uint32_t i = begin; i < begin + size; i++)
    ms_outfile_printf(out, "%s\t%" PRIu32 "\t%" PRIu32 "\n",
                      ms_graph_name(w->job.graph, w->vertex[i]), c + 1, size);
}

/* Writes the same rows as JSON lines. */
static ms_status put_json(ms_outfile *out, const components_work *w, uint32_t c, ms_error *err)
{
  json_int_t number = (json_int_t)c + 1, size = (json_int_t)size_of(w, c);
  const ms_graph *graph = w->job.graph;
  ms_status status = MS_OK;
  if (w->job.options->components.sizes)
    return ms_json_put(out,
                       json_pack("{s:s, s:I, s:I, s:s}", "type", "component", "component", number,
                                 "size", size, "example",
                                 ms_graph_name(graph, w->vertex[w->begin[c]])),
                       "\n", err);
  for (uint32_t i = w->begin[c]; i < w->begin[c + 1] && status == MS_OK; i++)
    status = ms_json_put(out,
                         json_pack("{s:s, s:s, s:I, s:I}", "type", "vertex", "vertex",
                                   ms_graph_name(graph, w->vertex[i]), "component", number, "size",
                                   size),
                         "\n", err);
  return status;
}

static void describe(ms_result_header *h, const components_work *w)
{
  const ms_components_choice *c = &w->job.options->components;
  h->kind = MS_KIND_COMPONENTS;
  ms_report_describe(h, &w->job);
  h->has |= c->min_size || c->largest ? MS_HAS_SHOWN : 0;
  h->components.count = w->count;
  h->components.shown = w->shown;
  h->components.min_size = c->min_size;
  h->columns = c->sizes ? "component\tsize\texample" : "vertex\tcomponent\tsize";
}

static ms_status put_count(ms_writer *writer, const components_work *w, ms_error *err)
{
  char count[16];
  snprintf(count, sizeof count, "%" PRIu32, w->shown);
  if (!w->job.options->json) {
    ms_outfile_printf(writer->out, "%s\n", count);
    return MS_OK;
  }
  describe(&writer->header, w);
  writer->header.count = count;
  return ms_writer_count(writer, err);
}

static ms_status put_table(ms_writer *writer, const components_work *w, ms_error *err)
{
  const ms_cli_options *o = w->job.options;
  ms_status status = MS_OK;
  describe(&writer->header, w);
  MS_TRY(ms_writer_begin(writer, w->job.graph->names, err));
  for (uint32_t c = 0; c < w->shown && status == MS_OK; c++)
    if (o->json)
      status = put_json(writer->out, w, c, err);
    else
      put_tsv(writer->out, w, c);
  writer->rows = o->components.sizes ? w->shown : w->begin[w->shown];
  return status == MS_OK ? ms_writer_end(writer, err) : status;
}

static ms_status write_components(const components_work *w, ms_error *err)
{
  ms_writer writer;
  ms_status status = ms_report_open(&writer, w->job.options, err);
  if (status == MS_OK)
    status =
        w->job.options->list.count_only ? put_count(&writer, w, err) : put_table(&writer, w, err);
  return ms_writer_close(&writer, status, err);
}

/* ---- finding ---------------------------------------------------------------- */

static int by_key(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* Ranks the components of component[n], which are numbered by smallest vertex, by falling size, and
 * puts the vertices of each together. */
static ms_status sort_components(components_work *w, uint32_t *component, ms_error *err)
{
  uint32_t n = ms_graph_vertex_count(w->job.graph), *rank = ms_alloc(w->count, sizeof *rank);
  uint64_t *key = ms_alloc(w->count, sizeof *key);
  ms_status status = MS_OK;
  w->begin = ms_calloc((size_t)w->count + 1, sizeof *w->begin);
  w->vertex = ms_alloc(n, sizeof *w->vertex);
  if (!rank || !key || !w->begin || !w->vertex) {
    status = ms_fail_memory(err, "components");
    goto done;
  }
  for (uint32_t c = 0; c < w->count; c++)
    key[c] = (uint64_t)UINT32_MAX << 32 | c; /* the complement of its size comes first */
  for (uint32_t v = 0; v < n; v++)
    key[component[v]] -= UINT64_C(1) << 32;
  qsort(key, w->count, sizeof *key, by_key);
  for (uint32_t i = 0, before = 0; i < w->count; i++) {
    w->begin[i + 1] = before; /* advances to where the next one begins */
    before += UINT32_MAX - (uint32_t)(key[i] >> 32);
    rank[(uint32_t)key[i]] = i;
  }
  for (uint32_t v = 0; v < n; v++)
    w->vertex[w->begin[rank[component[v]] + 1]++] = v;
done:
  ms_free(rank);
  ms_free(key);
  return status;
}

static uint32_t count_shown(const components_work *w)
{
  const ms_components_choice *choice = &w->job.options->components;
  uint32_t shown = 0;
  while (shown < w->count && size_of(w, shown) >= choice->min_size)
    shown++;
  return choice->largest && shown > 1 ? 1 : shown;
}

static ms_status find_components(components_work *w, ms_error *err)
{
  const ms_cli_options *o = w->job.options;
  uint32_t *component = ms_alloc(ms_graph_vertex_count(w->job.graph), sizeof *component);
  double begin = ms_seconds();
  ms_status status = component
                         ? ms_graph_components(w->job.graph, o->components.algorithm,
                                               o->list.screen.threads, component, &w->count, err)
                         : ms_fail_memory(err, "components");
  w->time_find = ms_seconds() - begin;
  if (status == MS_OK)
    status = sort_components(w, component, err);
  ms_free(component);
  if (status == MS_OK)
    w->shown = count_shown(w);
  return status;
}

static void print_summary(const components_work *w, double written)
{
  ms_cli_note("%" PRIu32 " components; the largest has %" PRIu32 " of %" PRIu32 " vertices",
              w->count, w->count ? size_of(w, 0) : 0, ms_graph_vertex_count(w->job.graph));
  ms_cli_note("seconds: read %.3f, find components %.3f, write %.3f", w->time_read, w->time_find,
              written);
}

int ms_run_components(const ms_cli_options *o)
{
  ms_error err;
  components_work work = {.job = {.options = o}};
  double begin = ms_seconds();
  ms_status status = ms_read_graph(o, &work.job.graph, &err);
  work.time_read = ms_seconds() - begin;
  if (status == MS_OK && o->verbose)
    ms_print_inputs(work.job.graph, NULL);
  if (status == MS_OK)
    status = find_components(&work, &err);
  begin = ms_seconds();
  if (status == MS_OK)
    status = write_components(&work, &err);
  if (status == MS_OK && o->verbose)
    print_summary(&work, ms_seconds() - begin);
  ms_free(work.begin);
  ms_free(work.vertex);
  ms_graph_free(work.job.graph);
  return status == MS_OK ? MS_EXIT_OK : ms_cli_error(&err);
}
