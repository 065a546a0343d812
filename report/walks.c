#include "report/walks.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "graph/graph.h"
#include "graph/typed.h"

#include <math.h>
#include <string.h>

/* Vertices that a report names of a component. */
#define MOST_NAMED 1000u

/* More vertices on paths than this many times the rows are asked for end the rows of a report: 8
 * bytes each. */
#define LONGEST_MEAN 10u

/* ---- components ----------------------------------------------------------------------- */

typedef struct component_reader {
  ms_table *table;
  ms_certificate *c;
  ms_sizes *sizes;
  uint64_t most;
  bool only_sizes; /* a component has one row in the file, else each of its vertices has one */
  uint64_t number, size; /* of the component read last, from 1; 0: none yet */
  uint64_t members;      /* its rows so far */
} component_reader;

enum { COMPONENT, SIZE, NAMES };

static ms_status count_size(ms_sizes *sizes, uint64_t size, ms_error *err)
{
  if (sizes->size.count > 0 && sizes->size.at[sizes->size.count - 1] == size) {
    sizes->count.at[sizes->count.count - 1]++;
    return MS_OK;
  }
  MS_TRY(ms_values_add(&sizes->size, size, err));
  return ms_values_add(&sizes->count, 1, err);
}

/* Ends the component read last. */
static ms_status end_component(component_reader *r, ms_error *err)
{
  ms_table *t = r->table;
  if (r->number == 0)
    return MS_OK;
  if (!r->only_sizes && r->members != r->size)
    return ms_result_refuse(&r->c->result, 0, "component %llu has %llu vertices, but %llu rows",
                            (unsigned long long)r->number, (unsigned long long)r->size,
                            (unsigned long long)r->members);
  if (!r->only_sizes && t->shown == t->rows)
    MS_TRY(ms_values_add(&t->column[NAMES].ends, t->column[NAMES].values.count, err));
  return MS_OK;
}

static ms_status begin_component(component_reader *r, uint64_t number, uint64_t size, ms_error *err)
{
  ms_table *t = r->table;
  MS_TRY(end_component(r, err));
  if (number != r->number + 1)
    return ms_result_refuse(&r->c->result, r->c->result.row.line,
                            "component %llu should come here, not %llu",
                            (unsigned long long)r->number + 1, (unsigned long long)number);
  r->number = number;
  r->size = size;
  r->members = 0;
  t->rows++;
  MS_TRY(count_size(r->sizes, size, err));
  if (t->rows > r->most)
    return MS_OK;
  t->shown++;
  MS_TRY(ms_values_add(&t->column[COMPONENT].values, number, err));
  return ms_values_add(&t->column[SIZE].values, size, err);
}

/* Adds the vertex of the row, if the component still has room for it: it always has for the first
 * one. */
static ms_status add_member(component_reader *r, const char *name, ms_error *err)
{
  ms_column *names = &r->table->column[NAMES];
  bool fits = r->members < MOST_NAMED && names->values.count < r->most;
  bool first = r->members++ == 0;
  return r->table->shown == r->table->rows && (first || fits)
             ? ms_table_add_text(r->table, names, name, err)
             : MS_OK;
}

static ms_status take_component_row(component_reader *r, ms_error *err)
{
  const ms_result_row *row = &r->c->result.row;
  uint64_t number = row->component.component, size = row->component.size;
  if (r->only_sizes || number != r->number)
    MS_TRY(begin_component(r, number, size, err));
  if (size != r->size)
    return ms_result_refuse(&r->c->result, row->line, "component %llu has %llu vertices, not %llu",
                            (unsigned long long)number, (unsigned long long)r->size,
                            (unsigned long long)size);
  return add_member(r, row->component.vertex, err);
}

static ms_status read_components(component_reader *r, ms_error *err)
{
  MS_TRY(ms_table_add_column(r->table, "component", MS_COLUMN_COUNT, err));
  MS_TRY(ms_table_add_column(r->table, "size", MS_COLUMN_COUNT, err));
  MS_TRY(r->only_sizes ? ms_table_add_column(r->table, "example", MS_COLUMN_VERTEX, err)
                       : ms_table_add_column(r->table, "vertices", MS_COLUMN_VERTICES, err));
  bool more;
  for (uint64_t i = 0;; i++) {
    if ((i & 1023) == 0)
      MS_TRY(ms_stop_poll("the rows of the result are read", err));
    MS_TRY(ms_result_next_row(&r->c->result, &more, err));
    if (!more)
      return end_component(r, err);
    MS_TRY(take_component_row(r, err));
  }
}

/* ---- paths ------------------------------------------------------------------------------ */

enum { PAIR, SOURCE, TARGET, LENGTH, VERTICES, TYPES };

static ms_status add_path(ms_table *t, const ms_result_row *row, ms_error *err)
{
  const ms_result_path *path = &row->path;
  double length = path->found ? path->length : (double)NAN;
  uint64_t bits;
  memcpy(&bits, &length, sizeof bits);
  MS_TRY(ms_values_add(&t->column[PAIR].values, path->pair ? path->pair : t->rows + 1, err));
  MS_TRY(ms_table_add_text(t, &t->column[SOURCE], path->source, err));
  MS_TRY(ms_table_add_text(t, &t->column[TARGET], path->target, err));
  MS_TRY(ms_values_add(&t->column[LENGTH].values, bits, err));
  uint32_t steps = path->has_steps ? path->length : 0;
  MS_TRY(ms_table_add_texts(t, &t->column[VERTICES], path->has_steps ? steps + 1 : 0,
                            path->vertices, err));
  return ms_table_add_texts(t, &t->column[TYPES], steps, path->types, err);
}

static ms_status read_paths(ms_table *t, ms_certificate *c, uint64_t most, ms_error *err)
{
  static const struct {
    const char *name;
    ms_column_kind kind;
  } columns[] = {{"pair", MS_COLUMN_COUNT},        {"source", MS_COLUMN_VERTEX},
                 {"target", MS_COLUMN_VERTEX},     {"length", MS_COLUMN_REAL},
                 {"vertices", MS_COLUMN_VERTICES}, {"types", MS_COLUMN_TEXTS}};
  uint64_t room = most < UINT64_MAX / LONGEST_MEAN ? most * LONGEST_MEAN : UINT64_MAX;
  bool more;
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
    MS_TRY(ms_table_add_column(t, columns[i].name, columns[i].kind, err));
  for (;; t->rows++) {
    if ((t->rows & 1023) == 0)
      MS_TRY(ms_stop_poll("the rows of the result are read", err));
    MS_TRY(ms_result_next_row(&c->result, &more, err));
    if (!more)
      return MS_OK;
    if (t->shown < t->rows || t->shown == most || t->column[VERTICES].values.count > room)
      continue;
    MS_TRY(add_path(t, &c->result.row, err));
    t->shown++;
  }
}

ms_status ms_walks_read(ms_table *table, ms_certificate *c, uint64_t most, ms_sizes *sizes,
                        ms_error *err)
{
  component_reader r = {.table = table,
                        .c = c,
                        .sizes = sizes,
                        .most = most,
                        .only_sizes = c->result.header.layout & MS_WITH_SIZES};
  MS_TRY(ms_table_begin(table, err));
  return c->result.header.kind == MS_KIND_PATH ? read_paths(table, c, most, err)
                                               : read_components(&r, err);
}

void ms_sizes_free(ms_sizes *sizes)
{
  ms_free(sizes->size.at);
  ms_free(sizes->count.at);
}

/* ---- what is drawn ------------------------------------------------------------------------ */

/* A drawing of more vertices is a tangle; the page draws no more of a component, either. */
#define MOST_DRAWN 80u

/* Neighbours of a path that are drawn around it, and rows that have some. */
#define MOST_AROUND 30u
#define ROWS_WITH_AROUND 200u

typedef struct chooser {
  ms_table *table;
  ms_certificate *c;
  const uint64_t *offset;   /* [n + 1] rows of the graph */
  const uint32_t *neighbor; /* of all types, in both directions */
  uint64_t *chosen_for;     /* [n] the row, from 1, for which the vertex was chosen last */
  uint32_t *vertex;         /* [room] vertices of the row */
  uint64_t count, room;
  uint64_t row; /* from 1 */
  ms_error *err;
} chooser;

static ms_status choose_vertex(chooser *h, uint32_t v)
{
  if (h->chosen_for[v] == h->row)
    return MS_OK;
  if (!MS_GROW(h->vertex, h->room, h->count, 1))
    return ms_fail_memory(h->err, "the network of a report");
  h->chosen_for[v] = h->row;
  h->vertex[h->count++] = v;
  return MS_OK;
}

/* Chooses up to `most` neighbours of v that are not chosen yet. */
static ms_status choose_around(chooser *h, uint32_t v, uint64_t most)
{
  uint64_t end = h->count + most;
  for (uint64_t at = h->offset[v]; at < h->offset[v + 1] && h->count < end; at++)
    MS_TRY(choose_vertex(h, h->neighbor[at]));
  return MS_OK;
}

/* Finds the vertex of a name of the table.  Only a file that was not checked has one that is not
 * there. */
static ms_status find_vertex(const chooser *h, uint64_t id, uint32_t *v)
{
  return ms_find_named(h->c, 0, ms_names_get(h->table->strings, (uint32_t)id), v);
}

/* Chooses the first vertex of the component, and those nearest to it by a breadth-first search. */
static ms_status choose_component(chooser *h, const ms_column *names)
{
  uint64_t row = h->row - 1;
  uint64_t at = ms_column_is_list(names) ? (row ? names->ends.at[row - 1] : 0) : row;
  uint32_t v;
  MS_TRY(find_vertex(h, names->values.at[at], &v));
  MS_TRY(choose_vertex(h, v));
  for (uint64_t next = 0; next < h->count && h->count < MOST_DRAWN; next++)
    MS_TRY(choose_around(h, h->vertex[next], MOST_DRAWN - h->count));
  return MS_OK;
}

/* Chooses the vertices of the path, and some around each of them. */
static ms_status choose_path(chooser *h, const ms_column *names)
{
  uint64_t row = h->row - 1, at = row ? names->ends.at[row - 1] : 0, end = names->ends.at[row];
  for (uint32_t v; at < end; at++) {
    MS_TRY(find_vertex(h, names->values.at[at], &v));
    MS_TRY(choose_vertex(h, v));
  }
  uint64_t on_path = h->count, each = on_path ? (MOST_AROUND + on_path - 1) / on_path : 0;
  for (uint64_t i = 0; row < ROWS_WITH_AROUND && i < on_path; i++)
    if (h->count < on_path + MOST_AROUND)
      MS_TRY(choose_around(h, h->vertex[i], each));
  return MS_OK;
}

static ms_status choose_all(chooser *h, const ms_column *names, ms_column *drawn, ms_error *err)
{
  for (h->row = 1; h->row <= h->table->shown; h->row++) {
    if ((h->row & 255) == 0)
      MS_TRY(ms_stop_poll("the network of the report is chosen", err));
    h->count = 0;
    MS_TRY(h->c->result.header.kind == MS_KIND_PATH ? choose_path(h, names)
                                                    : choose_component(h, names));
    for (uint64_t i = 0; i < h->count; i++)
      MS_TRY(ms_table_add_text(h->table, drawn, ms_name_of(h->c, h->vertex[i]), err));
    MS_TRY(ms_values_add(&drawn->ends, drawn->values.count, err));
  }
  return MS_OK;
}

ms_status ms_walks_choose(ms_table *table, ms_certificate *c, bool *any, ms_error *err)
{
  const ms_column *names = ms_table_find(table, "vertices");
  uint32_t n = c->typed ? c->typed->rows.n : c->graph->n;
  names = names ? names : ms_table_find(table, "example");
  *any = names->values.count > 0;
  if (!*any)
    return MS_OK;
  MS_TRY(ms_table_add_column(table, "drawn", MS_COLUMN_VERTICES, err));
  chooser h = {.table = table,
               .c = c,
               .offset = c->typed ? c->typed->rows.offset : c->graph->offset,
               .neighbor = c->typed ? c->typed->rows.neighbor : c->graph->neighbor,
               .chosen_for = ms_calloc(n, sizeof *h.chosen_for),
               .err = err};
  ms_status status = h.chosen_for ? choose_all(&h, names, &table->column[table->columns - 1], err)
                                  : ms_fail_memory(err, "the network of a report");
  ms_free(h.chosen_for);
  ms_free(h.vertex);
  return status;
}
