#include "report/network.h"

#include "base/alloc.h"
#include "base/status.h"
#include "graph/graph.h"
#include "graph/typed.h"

#include <string.h>

/* The search for edges. */
typedef struct finder {
  ms_network *network;
  ms_table *table;
  uint32_t *name_of; /* [n] number of a drawn vertex's name in table->strings */
  uint64_t most;
  bool is_typed, too_many;
  ms_status status;
  ms_error *err;
} finder;

static bool keep_edge(void *user, uint32_t from, uint32_t to, const char *type, bool directed)
{
  finder *f = user;
  ms_network *n = f->network;
  uint32_t id = 0;
  f->too_many = n->from.count == f->most;
  if (f->too_many)
    return false;
  ms_status status = ms_values_add(&n->from, f->name_of[from], f->err);
  if (status == MS_OK)
    status = ms_values_add(&n->to, f->name_of[to], f->err);
  if (status == MS_OK)
    status = ms_values_add(&n->directed, directed, f->err);
  if (status == MS_OK && f->is_typed)
    status =
        ms_names_add(f->table->strings, type ? type : "", type ? strlen(type) : 0, &id, f->err);
  if (status == MS_OK && f->is_typed)
    status = ms_values_add(&n->type, id, f->err);
  f->status = status;
  return status == MS_OK;
}

void ms_mark_vertices(const ms_table *table, const ms_certificate *c, uint64_t rows,
                      uint8_t *marked, uint32_t *name_of)
{
  const ms_column *column = ms_table_vertices(table), *flagged = ms_table_find(table, "flagged");
  bool is_list = ms_column_is_list(column);
  for (uint64_t row = 0; row < rows; row++) {
    uint64_t at = is_list ? (row ? column->ends.at[row - 1] : 0) : row;
    uint64_t end = is_list ? column->ends.at[row] : row + 1;
    for (; at < end && (!flagged || flagged->values.at[row]); at++) {
      uint32_t id = (uint32_t)column->values.at[at];
      const char *name = ms_names_get(table->strings, id);
      uint32_t v = c->typed ? ms_typed_find(c->typed, name) : ms_graph_find(c->graph, name);
      if (v == MS_NO_ID || strcmp(ms_name_of(c, v), name) != 0)
        continue;
      marked[v] = 1;
      name_of[v] = id;
    }
  }
}

static ms_status find_edges(finder *f, ms_drawing *drawing, ms_error *err)
{
  ms_network *n = f->network;
  n->from.count = n->to.count = n->type.count = n->directed.count = 0;
  f->too_many = false;
  f->status = MS_OK;
  f->err = err;
  MS_TRY(ms_drawing_edges(drawing, keep_edge, f, err));
  return f->status;
}

static ms_status find_all(finder *f, const ms_certificate *c, ms_drawing *drawing, ms_error *err)
{
  drawing->watch = &drawing->own_watch;
  ms_watch_begin(drawing->watch);
  drawing->drawn = ms_alloc(drawing->n, sizeof *drawing->drawn);
  f->name_of = ms_alloc(drawing->n, sizeof *f->name_of);
  if (!drawing->drawn || !f->name_of)
    return ms_fail_memory(err, "the network of a report");
  for (uint64_t rows = f->table->shown;; rows /= 2) {
    memset(drawing->drawn, 0, drawing->n * sizeof *drawing->drawn);
    ms_mark_vertices(f->table, c, rows, drawing->drawn, f->name_of);
    MS_TRY(find_edges(f, drawing, err));
    f->network->rows = rows;
    if (!f->too_many)
      return MS_OK;
  }
}

ms_drawing ms_drawing_of(const ms_certificate *c)
{
  return (ms_drawing){.header = &c->result.header,
                      .graph = c->typed ? NULL : c->graph,
                      .typed = c->typed,
                      .query = c->query,
                      .n = c->typed ? c->typed->rows.n : ms_graph_vertex_count(c->graph)};
}

ms_status ms_network_find(ms_network *network, ms_table *table, const ms_certificate *c,
                          uint64_t most, ms_error *err)
{
  finder f = {.network = network, .table = table, .most = most, .is_typed = c->typed != NULL};
  ms_drawing drawing = ms_drawing_of(c);
  ms_status status = find_all(&f, c, &drawing, err);
  ms_free(f.name_of);
  ms_free(drawing.drawn);
  return status;
}

void ms_network_free(ms_network *network)
{
  ms_free(network->from.at);
  ms_free(network->to.at);
  ms_free(network->type.at);
  ms_free(network->directed.at);
}

void ms_put_network(ms_outfile *out, const ms_network *n)
{
  ms_outfile_printf(out, "{\"rows\":%llu,\"from\":", (unsigned long long)n->rows);
  ms_put_numbers(out, n->from.at, n->from.count);
  ms_outfile_puts(out, ",\"to\":");
  ms_put_numbers(out, n->to.at, n->to.count);
  ms_outfile_puts(out, ",\"directed\":");
  ms_put_numbers(out, n->directed.at, n->directed.count);
  if (n->type.count > 0) {
    ms_outfile_puts(out, ",\"type\":");
    ms_put_numbers(out, n->type.at, n->type.count);
  }
  ms_outfile_puts(out, "}");
}
