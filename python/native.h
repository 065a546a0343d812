/* What the Python package needs beside the public header, in C because it runs in a signal handler
 * or once for each vertex or match.  build_native.py reads the declarations marked PY. */
#ifndef MOTIFSIEVE_PYTHON_NATIVE_H
#define MOTIFSIEVE_PYTHON_NATIVE_H

#include "motifsieve.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define PY static

#include "arrow.h"

/* ---- interruptions ------------------------------------------------------------------- */

/* Python's own handler of SIGINT only notes the signal: the function that raises KeyboardInterrupt
 * runs when the main thread executes bytecode again, so not before a call into the library has
 * returned.  While such a call runs in the main thread, this handler stands before Python's, stops
 * the call by its token, and passes the signal on. */
static _Atomic(ms_stop *) py_watched;
static atomic_int py_handlers, py_signals;
static struct sigaction py_before;

static void py_handle(int number, siginfo_t *info, void *context)
{
  atomic_fetch_add(&py_handlers, 1);
  ms_stop *stop = atomic_load(&py_watched);
  if (stop) {
    ms_stop_request(stop);
    atomic_fetch_add(&py_signals, 1);
  }
  atomic_fetch_sub(&py_handlers, 1);
  if (py_before.sa_flags & SA_SIGINFO)
    py_before.sa_sigaction(number, info, context);
  else if (py_before.sa_handler != SIG_DFL && py_before.sa_handler != SIG_IGN)
    py_before.sa_handler(number);
}

static int py_is_ours(const struct sigaction *action)
{
  return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == py_handle;
}

/* Stops `stop` at SIGINT, and returns the token of the call around this one, or NULL.  Only the
 * main thread calls it.  A SIGINT that is ignored, or that ends the process, stays as it is. */
static ms_stop *py_watch(ms_stop *stop)
{
  struct sigaction now;
  ms_stop *outer = atomic_exchange(&py_watched, stop);
  atomic_store(&py_signals, 0);
  if (sigaction(SIGINT, NULL, &now) != 0 || py_is_ours(&now))
    return outer;
  if (!(now.sa_flags & SA_SIGINFO) && (now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN))
    return outer;
  py_before = now;
  now.sa_sigaction = py_handle;
  now.sa_flags = SA_SIGINFO | (now.sa_flags & (SA_RESTART | SA_ONSTACK));
  sigaction(SIGINT, &now, NULL);
  return outer;
}

/* Ends what py_watch began, and returns how many signals came.  When it returns, no handler holds
 * the token, not even one that runs in another thread. */
static int py_unwatch(ms_stop *outer)
{
  struct sigaction now;
  if (!outer && sigaction(SIGINT, NULL, &now) == 0 && py_is_ours(&now))
    sigaction(SIGINT, &py_before, NULL);
  atomic_store(&py_watched, outer);
  while (atomic_load(&py_handlers) > 0)
    ;
  return atomic_load(&py_signals);
}

/* What a call changes, and py_call_end puts back. */
typedef struct py_call {
  bool watches, attaches, begun;
  uint64_t memory; /* bytes that the call may take; 0: the library's default */
  ms_stop *outer, *attached;
} py_call;

/* Begins a call that polls `stop`: SIGINT stops it, if `watches` is set, and it is the token of the
 * thread, if `attaches` is. */
PY void py_call_begin(py_call *call, ms_stop *stop)
{
  if (call->watches)
    call->outer = py_watch(stop);
  if (call->attaches)
    call->attached = ms_stop_attach(stop);
  if (call->memory > 0)
    ms_limit_memory(call->memory);
  call->begun = true;
}

/* Ends it; an exception may have come before or after py_call_begin.  Returns how many signals
 * came. This is one function of C, so that no KeyboardInterrupt comes between its steps. */
PY int py_call_end(py_call *call)
{
  int signals = 0;
  if (!call->begun)
    return 0;
  call->begun = false;
  if (call->memory > 0)
    ms_limit_memory(0);
  if (call->attaches)
    ms_stop_attach(call->attached);
  if (call->watches)
    signals = py_unwatch(call->outer);
  return signals;
}

/* ---- names and rows ------------------------------------------------------------------ */

/* Sets text[count] to the strings that lie one after another in `bytes`, each with its 0. */
PY void py_split(const char *bytes, size_t count, const char **text)
{
  for (size_t i = 0; i < count; i++) {
    text[i] = bytes;
    bytes += strlen(bytes) + 1;
  }
}

/* Writes the names of all vertices, each with its 0, to `out` (NULL: nowhere), and returns the
 * bytes that they take. */
PY size_t py_graph_names(const ms_graph *graph, char *out)
{
  size_t used = 0;
  uint32_t n = ms_graph_vertex_count(graph);
  for (uint32_t v = 0; v < n; v++) {
    const char *name = ms_graph_name(graph, v);
    size_t bytes = strlen(name) + 1;
    if (out)
      memcpy(out + used, name, bytes);
    used += bytes;
  }
  return used;
}

/* Fills slot[count][k] with the slots that the vertices of rows[count][k] fill.  Returns the number
 * of the first row that is no match, or `count`. */
PY uint64_t py_slots(const ms_query *query, uint32_t k, uint64_t count, const uint32_t *rows,
                     uint8_t *slot)
{
  uint32_t one[MS_MAX_K];
  for (uint64_t i = 0; i < count; i++) {
    if (!ms_query_slots(query, rows + i * k, one))
      return i;
    for (uint32_t j = 0; j < k; j++)
      slot[i * k + j] = (uint8_t)one[j];
  }
  return count;
}

/* Fills slot[begin[matches]] with the slots that the vertices of all rows fill; MS_EXTRA_VERTEX: of
 * an extra vertex the number of slots.  Returns the number of the first row that exceeds the limits
 * of the options, or the number of rows. */
PY uint64_t py_near_slots(const ms_query *query, const ms_nearest_options *options,
                          const ms_nearest_result *result, uint8_t *slot)
{
  uint32_t one[MS_MAX_K];
  for (uint64_t i = 0; i < result->matches; i++) {
    uint64_t begin = result->begin[i];
    uint32_t size = (uint32_t)(result->begin[i + 1] - begin);
    if (!ms_nearest_slots(query, options, result->vertex + begin, size, one))
      return i;
    for (uint32_t j = 0; j < size; j++)
      slot[begin + j] = (uint8_t)(one[j] == MS_EXTRA_VERTEX ? result->k : one[j]);
  }
  return result->matches;
}

/* ---- typed graphs ------------------------------------------------------------------------ */

/* Makes a typed graph as ms_typed_from_edges does.  An inverse that is empty is none: its relation
 * is symmetric.  (cffi cannot declare the struct that ms_typed_from_edges takes.) */
PY ms_status py_typed_from_edges(uint32_t n, const char *const *names,
                                 const char *const *vertex_type, uint64_t m,
                                 const uint32_t (*edges)[2], const uint32_t *edge_type,
                                 uint32_t n_relations, const char *const *relation,
                                 const char **inverse, int threads, ms_typed **out, ms_error *err)
{
  for (uint32_t r = 0; r < n_relations; r++)
    if (!*inverse[r])
      inverse[r] = NULL;
  ms_typed_source source = {.n = n,
                            .names = names,
                            .vertex_type = vertex_type,
                            .m = m,
                            .edges = edges,
                            .edge_type = edge_type,
                            .n_relations = n_relations,
                            .relation = relation,
                            .inverse = inverse};
  return ms_typed_from_edges(&source, threads, out, err);
}

/* ---- paths ------------------------------------------------------------------------------- */

typedef struct py_path_rows {
  uint32_t *length;   /* [pairs] */
  uint64_t *offset;   /* [pairs + 1] */
  uint32_t *vertices; /* [offset[last]] with `room` */
  uint64_t room;
} py_path_rows;

/* Keeps a path; an ms_typed_path_fn. */
static bool py_keep_path(void *user, uint64_t pair, const ms_typed_path *path)
{
  py_path_rows *r = user;
  uint64_t used = r->offset[pair], size = path->vertices ? (uint64_t)path->length + 1 : 0;
  if (used + size > r->room) {
    uint64_t room = 2 * (used + size) + 64;
    uint32_t *larger = realloc(r->vertices, room * sizeof *larger);
    if (!larger)
      return false;
    r->vertices = larger;
    r->room = room;
  }
  if (size > 0)
    memcpy(r->vertices + used, path->vertices, size * sizeof *path->vertices);
  r->length[pair] = path->length;
  r->offset[pair + 1] = used + size;
  return true;
}

/* Finds paths as ms_typed_path_pairs does, fills length[count] and offset[count + 1], whose first
 * item is 0, and sets *vertices to the vertices of all paths, to be freed by py_free. */
PY ms_status py_paths(const ms_typed *graph, const ms_path_options *options, uint64_t count,
                      const uint32_t (*pairs)[2], uint32_t *length, uint64_t *offset,
                      uint32_t **vertices, ms_path_summary *summary, ms_error *err)
{
  py_path_rows rows = {.length = length, .offset = offset};
  ms_status status =
      ms_typed_path_pairs(graph, options, count, pairs, py_keep_path, &rows, summary, err);
  *vertices = rows.vertices;
  return status;
}

PY void py_free(void *block)
{
  free(block);
}

/* ---- censuses of vertices ---------------------------------------------------------------- */

/* The motifs of the vertices, one vertex after another.  py_vertex_rows_free frees the arrays. */
typedef struct py_vertex_rows {
  uint32_t *vertex;        /* [vertices] */
  uint64_t *sets;          /* [vertices] connected sets that hold the vertex */
  uint64_t *offset;        /* [vertices + 1] where the rows of the vertex begin */
  uint32_t *color;         /* [rows][k] */
  uint64_t *n_sets;        /* [rows] */
  uint64_t vertices, rows; /* that are there */
  uint64_t room, row_room; /* that fit into the arrays */
  uint32_t k;
  bool failed; /* there was no memory */
} py_vertex_rows;

/* Makes an array of `room` items of `size` bytes larger; returns false, and leaves it, if there is
 * no memory. */
static bool py_enlarge(void *array, uint64_t room, size_t size)
{
  void **block = (void **)array;
  void *larger = realloc(*block, room * size);
  if (larger)
    *block = larger;
  return larger != NULL;
}

static bool py_reserve(py_vertex_rows *r, uint64_t rows)
{
  if (r->vertices + 2 > r->room) {
    uint64_t room = 2 * r->room + 64;
    if (!py_enlarge(&r->vertex, room, sizeof *r->vertex) ||
        !py_enlarge(&r->sets, room, sizeof *r->sets) ||
        !py_enlarge(&r->offset, room, sizeof *r->offset))
      return false;
    r->room = room;
  }
  if (r->rows + rows > r->row_room) {
    uint64_t room = 2 * (r->rows + rows) + 64;
    if (!py_enlarge(&r->color, room * r->k, sizeof *r->color) ||
        !py_enlarge(&r->n_sets, room, sizeof *r->n_sets))
      return false;
    r->row_room = room;
  }
  return true;
}

/* Keeps the motifs of a vertex; an ms_census_fn. */
static bool py_keep_vertex(void *user, const ms_census_vertex *vertex)
{
  py_vertex_rows *r = (py_vertex_rows *)user;
  if (!py_reserve(r, vertex->count)) {
    r->failed = true;
    return false;
  }
  r->vertex[r->vertices] = vertex->vertex;
  r->sets[r->vertices] = vertex->sets;
  if (vertex->count > 0) {
    memcpy(r->color + r->rows * r->k, vertex->color, vertex->count * r->k * sizeof *r->color);
    memcpy(r->n_sets + r->rows, vertex->n_sets, vertex->count * sizeof *r->n_sets);
  }
  r->rows += vertex->count;
  r->offset[++r->vertices] = r->rows;
  return true;
}

PY void py_vertex_rows_free(py_vertex_rows *rows)
{
  if (rows) {
    free(rows->vertex);
    free(rows->sets);
    free(rows->offset);
    free(rows->color);
    free(rows->n_sets);
    free(rows);
  }
}

/* Counts as ms_census_vertices does, and keeps what it finds in *out. */
PY ms_status py_census_vertices(const ms_graph *graph, const ms_coloring *coloring,
                                const ms_census_options *options, uint32_t k, py_vertex_rows **out,
                                ms_census_summary *summary, ms_error *err)
{
  py_vertex_rows *rows = (py_vertex_rows *)calloc(1, sizeof *rows);
  *out = rows;
  if (!rows || (rows->k = k, !py_reserve(rows, 0)))
    return MS_ERR_MEMORY;
  rows->offset[0] = 0;
  ms_status status =
      ms_census_vertices(graph, coloring, options, py_keep_vertex, rows, summary, err);
  return status == MS_OK && rows->failed ? MS_ERR_MEMORY : status;
}

#endif
