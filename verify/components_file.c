/* Checks a table of components: all of them are searched for again, and each row is compared with
 * the one that should come there. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "graph/graph.h"
#include "motifsieve.h"
#include "verify/certificate.h"
#include "verify/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- components ------------------------------------------------------------------------------ */

/* Inside verify/: the connected components of a graph, by a search from the lowest vertex of each
 * one. */

typedef struct ms_searched_components {
  uint32_t count;
  uint32_t *number; /* [n] the component of each vertex; they are numbered by their lowest vertex */
  uint32_t *first;  /* [count] the lowest vertex of each */
  uint32_t *size;   /* [count] its number of vertices */
} ms_searched_components;

enum { LOOK = 4096 }; /* vertices between two looks at the stop token */

/* Gives all vertices that can be reached from `start` the next number. */
static ms_status search_from(const ms_graph *graph, uint32_t start, uint32_t *queue,
                             const ms_stop *stop, ms_searched_components *out)
{
  uint32_t first = 0, count = 1, number = out->count++;
  queue[0] = start;
  out->number[start] = number;
  while (first < count) {
    uint32_t v = queue[first++];
    for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++) {
      uint32_t w = graph->neighbor[a];
      if (out->number[w] == MS_NO_ID) {
        out->number[w] = number;
        queue[count++] = w;
      }
    }
    if (first % LOOK == 0)
      MS_TRY(ms_stop_check(stop));
  }
  out->first[number] = start;
  out->size[number] = count;
  return MS_OK;
}

static ms_status search_all(const ms_graph *graph, uint32_t *queue, const ms_stop *stop,
                            ms_searched_components *out)
{
  memset(out->number, 0xff, graph->n * sizeof *out->number);
  for (uint32_t v = 0; v < graph->n; v++) {
    if (v % LOOK == 0)
      MS_TRY(ms_stop_check(stop));
    if (out->number[v] == MS_NO_ID)
      MS_TRY(search_from(graph, v, queue, stop, out));
  }
  return MS_OK;
}

/* Searches all components; O(n + m).  `out` must be released in any case.  MS_ERR_LIMIT and
 * MS_ERR_INTERRUPTED of the stop token have no message. */
static ms_status search_components_again(const ms_graph *graph, const ms_stop *stop,
                                         ms_searched_components *out, ms_error *err)
{
  uint32_t *queue = ms_alloc(graph->n, sizeof *queue);
  *out = (ms_searched_components){.number = ms_alloc(graph->n, sizeof *out->number),
                                  .first = ms_alloc(graph->n, sizeof *out->first),
                                  .size = ms_alloc(graph->n, sizeof *out->size)};
  ms_status status = queue && out->number && out->first && out->size
                         ? search_all(graph, queue, stop, out)
                         : ms_fail_memory(err, "the check of components");
  ms_free(queue);
  return status;
}

static void searched_components_release(ms_searched_components *components)
{
  ms_free(components->number);
  ms_free(components->first);
  ms_free(components->size);
  *components = (ms_searched_components){0};
}

static ms_status compare(const ms_searched_components *found, const ms_graph *graph,
                         const uint32_t *component, uint32_t components, const ms_stop *stop,
                         ms_verify_report *report)
{
  for (uint32_t v = 0; v < graph->n; v++) {
    uint32_t wanted = found->number[v];
    if (v % LOOK == 0)
      MS_TRY(ms_stop_check(stop));
    if (component[v] != wanted)
      ms_memory_refuse(
          report,
          "vertex %u is said to be in component %u, and a search from vertex %u, which "
          "is the first one of component %u, reaches it",
          v, component[v], found->first[wanted], wanted);
    report->rows++;
  }
  if (found->count != components)
    ms_memory_refuse(report, "the number of components is said to be %u, and it is %u", components,
                     found->count);
  return MS_OK;
}

ms_status ms_verify_components(const ms_graph *graph, const uint32_t *component,
                               uint32_t components, ms_stop *stop, ms_verify_report *report,
                               ms_error *err)
{
  MS_REQUIRE(graph, err);
  MS_REQUIRE_ARRAY(component, graph->n, err);
  MS_REQUIRE(report, err);
  ms_memory_begin(report);
  ms_searched_components found;
  ms_status status = search_components_again(graph, stop, &found, err);
  if (status == MS_OK)
    status = compare(&found, graph, component, components, stop, report);
  searched_components_release(&found);
  return ms_memory_end(report, status, true);
}

/* ---- the result file ------------------------------------------------------------------------- */

typedef struct components_check {
  ms_certificate *c;
  ms_searched_components found;
  uint32_t *place;  /* [count] of each component in the file, from 0: the largest first */
  uint32_t *order;  /* [count] the component at each place */
  uint32_t *vertex; /* [n] the vertices in the order of the file */
  uint32_t shown;   /* components that have rows: the first ones of the file */
  uint64_t wanted;  /* rows that the file should have */
  bool sizes;       /* a component has one row, else each of its vertices has one */
} components_check;

static _Thread_local const uint32_t *sorted_sizes; /* of by_size, which has no other argument */

/* The largest component comes first, and of equal ones that with the lowest vertex. */
static int by_size(const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  if (sorted_sizes[x] != sorted_sizes[y])
    return sorted_sizes[x] < sorted_sizes[y] ? 1 : -1;
  return x < y ? -1 : x > y;
}

static ms_status sort(components_check *k, ms_error *err)
{
  uint32_t n = k->c->graph->n, count = k->found.count;
  uint32_t *next = ms_alloc(count, sizeof *next); /* [count] where its next vertex goes */
  k->place = ms_alloc(count, sizeof *k->place);
  k->order = ms_alloc(count, sizeof *k->order);
  k->vertex = ms_alloc(n, sizeof *k->vertex);
  bool ok = next && k->place && k->order && k->vertex;
  for (uint32_t i = 0; ok && i < count; i++)
    k->order[i] = i;
  sorted_sizes = k->found.size;
  if (ok && count > 0)
    qsort(k->order, count, sizeof *k->order, by_size);
  for (uint32_t i = 0, begin = 0; ok && i < count; i++) {
    k->place[k->order[i]] = i;
    next[k->order[i]] = begin;
    begin += k->found.size[k->order[i]];
  }
  for (uint32_t v = 0; ok && v < n; v++)
    k->vertex[next[k->found.number[v]]++] = v;
  ms_free(next);
  return ok ? MS_OK : ms_fail_memory(err, "the check of components");
}

/* Checks the numbers of the header, and finds out which rows the file should have.  The header does
 * not state `largest`: then one component is shown, although others are large enough. */
static ms_status check_header(components_check *k)
{
  const ms_result_header *h = &k->c->result.header;
  uint32_t large = 0;
  if (h->components.count != k->found.count)
    return ms_result_refuse(&k->c->result, h->line[MS_PART_COMPONENTS],
                            "the graph has %u components, but the header says %u", k->found.count,
                            h->components.count);
  while (large < k->found.count && k->found.size[k->order[large]] >= h->components.min_size)
    large++;
  k->shown = h->has & MS_HAS_SHOWN ? h->components.shown : k->found.count;
  if (k->shown != large && (k->shown != 1 || large == 0))
    return ms_result_refuse(
        &k->c->result, h->line[MS_PART_SHOWN],
        "%u components are large enough to be shown, but the header says that %u are", large,
        k->shown);
  k->sizes = h->layout & MS_WITH_SIZES;
  k->wanted = k->sizes ? k->shown : 0;
  for (uint32_t i = 0; !k->sizes && i < k->shown; i++)
    k->wanted += k->found.size[k->order[i]];
  return MS_OK;
}

/* Checks the row of a vertex or a component. */
static ms_status check_row(components_check *k)
{
  ms_certificate *c = k->c;
  const ms_result_row *row = &c->result.row;
  const char *name = row->component.vertex;
  uint64_t number = row->component.component, size = row->component.size;
  uint32_t v;
  MS_TRY(ms_find_named(c, row->line, name, &v));
  uint32_t component = k->found.number[v], place = k->place[component];
  if (number != (uint64_t)place + 1)
    return ms_result_refuse(&c->result, row->line, "'%.100s' is in component %u, not %llu", name,
                            place + 1, (unsigned long long)number);
  if (size != k->found.size[component])
    return ms_result_refuse(&c->result, row->line, "component %u has %u vertices, not %llu",
                            place + 1, k->found.size[component], (unsigned long long)size);
  if (c->rows >= k->wanted)
    return ms_result_refuse(&c->result, row->line, "the row of '%.100s' is one too many", name);
  uint32_t due = k->sizes ? k->found.first[k->order[c->rows]] : k->vertex[c->rows];
  if (v != due)
    return ms_result_refuse(&c->result, row->line,
                            "the row of '%.100s' should come here, not that of '%.100s'",
                            ms_name_of(c, due), name);
  return MS_OK;
}

static ms_status check_rows(components_check *k, ms_error *err)
{
  ms_certificate *c = k->c;
  bool more;
  MS_TRY(sort(k, err));
  MS_TRY(check_header(k));
  MS_TRY(ms_result_next_row(&c->result, &more, err));
  while (more) {
    if (ms_is_stopped(c))
      return MS_OK;
    MS_TRY(check_row(k));
    c->rows++;
    c->report->rows++;
    MS_TRY(ms_result_next_row(&c->result, &more, err));
  }
  if (c->rows < k->wanted) {
    c->report->missing = k->wanted - c->rows;
    return ms_result_refuse(&c->result, 0, "%llu of %llu rows are missing at the end",
                            (unsigned long long)c->report->missing, (unsigned long long)k->wanted);
  }
  c->rows_checked = true;
  c->report->recounted = !c->options->no_recount;
  return MS_OK;
}

ms_status ms_check_component_table(ms_certificate *c, ms_error *err)
{
  components_check k = {.c = c};
  ms_status status = search_components_again(c->graph, c->options->run.stop, &k.found, err);
  if (status == MS_OK)
    status = check_rows(&k, err);
  searched_components_release(&k.found);
  ms_free(k.place);
  ms_free(k.order);
  ms_free(k.vertex);
  return ms_note_stop(c, status);
}
