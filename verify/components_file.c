/* Checks a table of components: all of them are searched for again, and each row is compared with
 * the one that should come there. */
#include "verify/certificate.h"
#include "verify/components.h"

#include "base/alloc.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

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
  MS_TRY(ms_check_row_count(c));
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
  ms_status status = ms_search_components_again(c->graph, c->options->stop, &k.found, err);
  if (status == MS_OK)
    status = check_rows(&k, err);
  ms_searched_components_release(&k.found);
  ms_free(k.place);
  ms_free(k.order);
  ms_free(k.vertex);
  return ms_note_stop(c, status);
}
