/* Makes instances from parts of an instance, with all threads.
 * Vertices are divided into chunks.  The first pass marks each arc that stays
 * with a bit, and counts these arcs.  The sums over the chunks then give every
 * chunk its place in the result, and the second pass copies.
 * Most of the time is spent on reading the mask of the other end of each arc,
 * which is a random access, so it is done only once.  A byte for each vertex
 * (motif/codes.h) instead of its mask makes a table that a core's cache can
 * hold. */
#include "base/alloc.h"
#include "base/compiler.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/threads.h"
#include "base/threads/watch.h"
#include "motif/codes.h"
#include "motif/instance.h"

#include <string.h>

enum { CHUNK = 512 };
#define PHASE "a part of the graph is copied"
#define DROPPED UINT32_MAX

typedef struct extraction {
  const ms_instance *from;
  const uint8_t *keep; /* [n] 0: drop the vertex; NULL: vertices with a slot stay */
  int threads;
  uint32_t chunks;
  /* [chunks + 1] at first the number of vertices that stay in a chunk, then in
   * all chunks before it */
  uint32_t *first_vertex;
  uint64_t *first_arc; /* [chunks + 1] the same for arcs */
  uint64_t *stays;     /* bit i % 64 of word first_word(v) + i / 64: arc i of vertex v stays */
  uint32_t *new_id;    /* [n] number of the vertex in the result, or NULL: all vertices stay */
  uint32_t *near;      /* [n] as in ms_thin, or NULL */
  ms_codes codes;      /* codes of the masks; code is NULL if there are too many different masks */
  uint64_t arcs_one_slot;
  ms_watch watch;
} extraction;

static bool vertex_stays(const extraction *x, uint32_t v)
{
  return x->keep ? x->keep[v] != 0 : x->from->mask[v] != 0;
}

static uint32_t chunk_end(const extraction *x, uint32_t chunk)
{
  uint32_t n = x->from->n, begin = chunk * CHUNK;
  return n - begin < CHUNK ? n : begin + CHUNK;
}

/* Returns the first word of v's bits. d arcs need at most d / 64 + 1 words, so
 * rows do not overlap. */
static uint64_t first_word(const ms_instance *instance, uint32_t v)
{
  return v + (instance->offset[v] >> 6);
}

static ms_status open_extraction(extraction *x, ms_error *err)
{
  const ms_instance *from = x->from;
  ms_watch_begin(&x->watch);
  x->chunks = from->n / CHUNK + (from->n % CHUNK != 0);
  x->first_vertex = ms_calloc((size_t)x->chunks + 1, sizeof *x->first_vertex);
  x->first_arc = ms_calloc((size_t)x->chunks + 1, sizeof *x->first_arc);
  x->stays = ms_alloc_lines(from->n + (from->arcs >> 6) + 1, sizeof *x->stays);
  return x->first_vertex && x->first_arc && x->stays
             ? MS_OK
             : ms_fail_memory(err, "a part of the instance");
}

static void close_extraction(extraction *x)
{
  ms_free(x->first_vertex);
  ms_free(x->first_arc);
  ms_free(x->stays);
  ms_free(x->new_id);
  ms_free(x->near);
  ms_codes_clear(&x->codes);
}

/* ---- marking ------------------------------------------------------------- */

/* Marks the arcs of v whose other end is kept, and returns their number. */
static uint64_t mark_induced(extraction *x, uint32_t v)
{
  const ms_instance *from = x->from;
  uint64_t *stays = x->stays + first_word(from, v), arcs = 0;
  for (uint64_t a = from->offset[v], end = from->offset[v + 1]; a < end; a += 64) {
    uint64_t word = 0, count = end - a < 64 ? end - a : 64;
    for (uint64_t i = 0; i < count; i++) {
      uint64_t stay = x->keep[from->neighbor[a + i]] != 0;
      word |= stay << i;
      arcs += stay;
    }
    *stays++ = word;
  }
  return arcs;
}

/* Marks the arcs of v whose ends together fit more than one slot, and returns
 * their number. v has a slot. `code` holds the codes of the vertices' masks, or
 * is NULL. */
MS_ALWAYS_INLINE uint64_t mark_thin(extraction *x, uint32_t v, const uint8_t *code,
                                    uint64_t *one_slot)
{
  const ms_instance *from = x->from;
  const uint32_t *mask = from->mask;
  const uint32_t own = mask[v], alike = (own & (own - 1)) == 0 ? own : 0;
  uint64_t *stays = x->stays + first_word(from, v), arcs = 0, left = 0;
  uint32_t near = own;
  for (uint64_t a = from->offset[v], end = from->offset[v + 1]; a < end; a += 64) {
    uint64_t word = 0, count = end - a < 64 ? end - a : 64;
    for (uint64_t i = 0; i < count; i++) {
      uint32_t u = from->neighbor[a + i], other = code ? x->codes.mask[code[u]] : mask[u];
      uint64_t stay = (other != 0) & (other != alike);
      word |= stay << i;
      arcs += stay;
      left += other != 0;
      near |= other;
    }
    *stays++ = word;
  }
  *one_slot += left - arcs;
  x->near[v] = near;
  return arcs;
}

static void mark_chunks(void *user, ms_range r)
{
  extraction *x = user;
  uint64_t one_slot = 0;
  for (uint32_t chunk = (uint32_t)r.begin; chunk < r.end; chunk++) {
    uint32_t vertices = 0;
    uint64_t arcs = 0;
    if (ms_watch_check(&x->watch))
      continue;
    for (uint32_t v = chunk * CHUNK; v < chunk_end(x, chunk); v++)
      if (vertex_stays(x, v)) {
        vertices++;
        arcs += x->keep         ? mark_induced(x, v)
                : x->codes.code ? mark_thin(x, v, x->codes.code, &one_slot)
                                : mark_thin(x, v, NULL, &one_slot);
      }
    x->first_vertex[chunk] = vertices;
    x->first_arc[chunk] = arcs;
  }
  __atomic_fetch_add(&x->arcs_one_slot, one_slot, __ATOMIC_RELAXED);
}

static ms_status mark(extraction *x, ms_error *err)
{
  x->arcs_one_slot = 0;
  ms_parallel(x->threads, x->chunks, 1, mark_chunks, x);
  MS_TRY(ms_watch_report(&x->watch, PHASE, err));
  uint32_t vertices = 0;
  uint64_t arcs = 0;
  for (uint32_t chunk = 0; chunk <= x->chunks; chunk++) {
    uint32_t more_vertices = x->first_vertex[chunk];
    uint64_t more_arcs = x->first_arc[chunk];
    x->first_vertex[chunk] = vertices;
    x->first_arc[chunk] = arcs;
    vertices += more_vertices;
    arcs += more_arcs;
  }
  return MS_OK;
}

/* ---- copying ------------------------------------------------------------- */

static void renumber_chunks(void *user, ms_range r)
{
  const extraction *x = user;
  for (uint32_t chunk = (uint32_t)r.begin; chunk < r.end; chunk++) {
    uint32_t next = x->first_vertex[chunk];
    for (uint32_t v = chunk * CHUNK; v < chunk_end(x, chunk); v++)
      x->new_id[v] = vertex_stays(x, v) ? next++ : DROPPED;
  }
}

static ms_status renumber(extraction *x, ms_error *err)
{
  x->new_id = ms_alloc_lines(x->from->n, sizeof *x->new_id);
  if (!x->new_id)
    return ms_fail_memory(err, "a part of the instance");
  ms_parallel(x->threads, x->chunks, 0, renumber_chunks, x);
  return MS_OK;
}

/* Copies the arcs of v that stay to to->neighbor[at] and the following places.
 * Returns the end. */
static uint64_t copy_row(const extraction *x, uint32_t v, ms_instance *to, uint64_t at)
{
  const ms_instance *from = x->from;
  const uint64_t *stays = x->stays + first_word(from, v);
  for (uint64_t a = from->offset[v], end = from->offset[v + 1]; a < end; a += 64)
    for (uint64_t word = *stays++; word; word &= word - 1) {
      uint32_t u = from->neighbor[a + (uint64_t)__builtin_ctzll(word)];
      to->neighbor[at++] = x->new_id ? x->new_id[u] : u;
    }
  return at;
}

typedef struct copying {
  extraction *x;
  ms_instance *to;
  uint32_t *near;
} copying;

static void copy_chunks(void *user, ms_range r)
{
  extraction *x = ((copying *)user)->x;
  ms_instance *to = ((copying *)user)->to;
  uint32_t *near = ((copying *)user)->near;
  for (uint32_t chunk = (uint32_t)r.begin; chunk < r.end; chunk++) {
    uint32_t i = x->first_vertex[chunk];
    uint64_t at = x->first_arc[chunk];
    if (ms_watch_check(&x->watch))
      continue;
    for (uint32_t v = chunk * CHUNK; v < chunk_end(x, chunk); v++) {
      if (x->new_id && x->new_id[v] == DROPPED)
        continue;
      to->vertex[i] = x->from->vertex[v];
      to->mask[i] = x->from->mask[v];
      to->offset[i] = at;
      if (near)
        near[i] = x->near[v];
      at = copy_row(x, v, to, at);
      i++;
    }
  }
}

static void copy_loose(const extraction *x, ms_instance *to)
{
  for (uint32_t i = 0; i < x->from->n_loose; i++) {
    uint32_t v = x->from->loose[i];
    if (!vertex_stays(x, v)) {
      ms_instance_make_impossible(to);
      return;
    }
    to->loose[to->n_loose++] = x->new_id ? x->new_id[v] : v;
  }
  if (to->n == 0)
    ms_instance_make_impossible(to);
}

/* Makes the result. *near receives the slots near each kept vertex, unless
 * `near` is NULL. */
static ms_status make_result(extraction *x, ms_instance **out, uint32_t **near, ms_error *err)
{
  uint32_t kept = x->first_vertex[x->chunks], *kept_near = NULL;
  ms_status status = kept < x->from->n ? renumber(x, err) : MS_OK;
  if (status == MS_OK && near) {
    kept_near = ms_alloc_lines(kept, sizeof *kept_near);
    status = kept_near ? MS_OK : ms_fail_memory(err, "a part of the instance");
  }
  if (status == MS_OK)
    status = ms_instance_alloc(kept, x->first_arc[x->chunks], x->from->k, out, err);
  if (status != MS_OK) {
    ms_free(kept_near);
    return status;
  }
  (*out)->size = x->from->size;
  ms_parallel(x->threads, x->chunks, 1, copy_chunks, &(copying){x, *out, kept_near});
  (*out)->offset[(*out)->n] = (*out)->arcs;
  status = ms_watch_report(&x->watch, PHASE, err);
  if (status != MS_OK) {
    ms_instance_free(*out);
    *out = NULL;
    ms_free(kept_near);
    return status;
  }
  copy_loose(x, *out);
  if (near)
    *near = kept_near;
  return MS_OK;
}

/* ---- entry points ---------------------------------------------------------- */

ms_status ms_instance_induced(const ms_instance *instance, const uint8_t *keep, int threads,
                              ms_instance **out, ms_error *err)
{
  extraction x = {.from = instance,
                  .keep = keep,
                  .threads = ms_threads_for(threads, instance->n + instance->arcs)};
  *out = NULL;
  ms_status status = open_extraction(&x, err);
  if (status == MS_OK)
    status = mark(&x, err);
  if (status == MS_OK)
    status = make_result(&x, out, NULL, err);
  close_extraction(&x);
  return status;
}

ms_status ms_instance_thin(const ms_instance *instance, int threads, ms_thin *out, ms_error *err)
{
  extraction x = {.from = instance,
                  .threads = ms_threads_for(threads, instance->n + instance->arcs)};
  *out = (ms_thin){0};
  ms_status status = open_extraction(&x, err);
  if (status != MS_OK)
    goto done;
  status = ms_codes_make(instance->n, instance->mask, x.threads, &x.codes, err);
  if (status != MS_OK)
    goto done;
  x.near = ms_alloc_lines(instance->n, sizeof *x.near);
  if (!x.near) {
    status = ms_fail_memory(err, "a part of the instance");
    goto done;
  }
  status = mark(&x, err);
  if (status != MS_OK)
    goto done;
  out->dropped = instance->n - x.first_vertex[x.chunks];
  out->edges_one_slot = x.arcs_one_slot / 2;
  if (out->dropped == 0) { /* all vertices keep their numbers */
    out->near = x.near;
    x.near = NULL;
  }
  if (x.first_arc[x.chunks] < instance->arcs || out->dropped > 0)
    status = make_result(&x, &out->left, out->dropped ? &out->near : NULL, err);
  if (status != MS_OK) {
    ms_free(out->near);
    out->near = NULL;
  }
done:
  close_extraction(&x);
  return status;
}
