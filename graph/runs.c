#include "graph/runs.h"

#include "base/alloc.h"
#include "base/crc32c.h"
#include "base/meter.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "base/threads/threads.h"

#include <string.h>

/* ---- files of runs --------------------------------------------------------------------------- */

#define MOST_BYTES ((size_t)5)  /* of an integer of 32 bits */
#define PIECE ((size_t)1 << 12) /* integers that are encoded together */

/* ---- writing --------------------------------------------------------------- */

static unsigned char *encode(unsigned char *to, uint32_t value)
{
  for (; value >= 0x80; value >>= 7)
    *to++ = (unsigned char)(value | 0x80);
  *to++ = (unsigned char)value;
  return to;
}

static void put(ms_run_writer *w, const unsigned char *bytes, size_t count)
{
  w->run.crc32c = ms_crc32c(w->run.crc32c, bytes, count);
  w->run.bytes += count;
  ms_temporary_write(w->file, bytes, count);
}

void ms_run_begin(ms_temporary *file, ms_run_writer *writer)
{
  *writer = (ms_run_writer){.file = file, .run = {.at = ms_temporary_bytes(file)}};
}

void ms_run_put(ms_run_writer *w, uint32_t vertex, const uint32_t *neighbor, uint64_t count)
{
  unsigned char bytes[(PIECE + 2) * MOST_BYTES], *to = bytes;
  if (count == 0)
    return;
  to = encode(to, vertex - w->vertex);
  to = encode(to, (uint32_t)count);
  uint32_t next = 0; /* the least neighbour that can follow */
  for (uint64_t i = 0; i < count; i++) {
    if ((size_t)(to - bytes) > sizeof bytes - MOST_BYTES) {
      put(w, bytes, (size_t)(to - bytes));
      to = bytes;
    }
    to = encode(to, neighbor[i] - next);
    next = neighbor[i] + 1;
  }
  put(w, bytes, (size_t)(to - bytes));
  w->run.arcs += count;
  w->vertex = vertex + 1;
}

/* ---- reading --------------------------------------------------------------- */

static ms_status damaged(ms_error *err)
{
  return ms_fail(err, MS_ERR_OUTPUT,
                 "a temporary file does not hold what was written to it; look for messages of the "
                 "system about the disk, or choose another folder (`scratch`)");
}

/* Moves the unused bytes to the front, and reads as many as there is room for. */
static ms_status fill(ms_run_reader *r, ms_error *err)
{
  size_t unused = r->used - r->begin, more = r->room - unused;
  memmove(r->buffer, r->buffer + r->begin, unused);
  r->begin = 0;
  more = r->end - r->at < more ? (size_t)(r->end - r->at) : more;
  MS_TRY(ms_temporary_read(r->file, r->at, r->buffer + unused, more, err));
  r->crc32c = ms_crc32c(r->crc32c, r->buffer + unused, more);
  r->at += more;
  r->used = unused + more;
  memset(r->buffer + r->used, 0, MOST_BYTES); /* an integer that is cut off ends here */
  return MS_OK;
}

/* At least MOST_BYTES bytes follow, or the zeros behind the last ones. */
static uint32_t decode(ms_run_reader *r)
{
  const unsigned char *from = r->buffer + r->begin;
  uint32_t value = *from & 0x7F;
  for (unsigned shift = 7; *from & 0x80 && shift < 35; shift += 7) {
    from++;
    value |= (uint32_t)(*from & 0x7F) << shift;
  }
  r->begin = (size_t)(from + 1 - r->buffer);
  return value;
}

/* Reads the head of the next row. */
static ms_status read_head(ms_run_reader *r, ms_error *err)
{
  if (r->used - r->begin < 2 * MOST_BYTES && r->at < r->end)
    MS_TRY(fill(r, err));
  r->vertex = MS_NO_VERTEX;
  r->count = 0;
  if (r->begin >= r->used)
    return r->begin == r->used && r->crc32c == r->stated ? MS_OK : damaged(err);
  uint64_t vertex = (uint64_t)r->next + decode(r);
  uint32_t count = decode(r);
  if (vertex >= r->n || count == 0 || count >= r->n || r->begin > r->used)
    return damaged(err);
  r->vertex = (uint32_t)vertex;
  r->count = count;
  r->next = (uint32_t)vertex + 1;
  return MS_OK;
}

ms_status ms_run_open(const ms_temporary *file, const ms_run *run, uint32_t n, size_t room,
                      ms_run_reader *reader, ms_error *err)
{
  *reader = (ms_run_reader){.file = file,
                            .at = run->at,
                            .end = run->at + run->bytes,
                            .room = room,
                            .n = n,
                            .stated = run->crc32c};
  reader->buffer = ms_alloc(room + MOST_BYTES, 1);
  if (!reader->buffer)
    return ms_fail_memory(err, "buffers for sorted runs");
  return read_head(reader, err);
}

void ms_run_close(ms_run_reader *reader)
{
  ms_free(reader->buffer);
  *reader = (ms_run_reader){0};
}

ms_status ms_run_take(ms_run_reader *r, uint32_t *neighbor, ms_error *err)
{
  uint32_t next = 0;
  for (uint32_t i = 0, end; i < r->count; i = end) {
    size_t wanted = (size_t)(r->count - i) * MOST_BYTES;
    if (r->used - r->begin < wanted && r->at < r->end)
      MS_TRY(fill(r, err));
    size_t whole = (r->used - r->begin) / MOST_BYTES;
    end = r->at == r->end || whole >= r->count - i ? r->count : i + (uint32_t)whole;
    uint32_t j = i;
    for (; j < end && r->begin < r->used; j++) {
      neighbor[j] = next + decode(r);
      next = neighbor[j] + 1;
      if (neighbor[j] >= r->n)
        return damaged(err);
    }
    if (j < end || r->begin > r->used)
      return damaged(err);
  }
  return read_head(r, err);
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* Runs that are read at the same time; more are joined to one first.  Memory of 8 GB makes that
 * many of a graph of 10^10 edges. */
#define MOST_RUNS 64u
#define MOST_BUFFER ((size_t)1 << 20)
#define LEAST_BUFFER ((size_t)1 << 14)
#define LEAST_PAIRS ((uint64_t)4096) /* a smaller portion is not halved */
#define TOGETHER                                                                                   \
  ((uint64_t)1 << 22) /* arcs of a vertex that are decoded before they are merged                  \
                       */
#define POLL_ARCS ((uint64_t)1 << 18)
#define PHASE "sorted edges are merged"

struct ms_runs {
  ms_runs_options options;
  ms_temporary *file; /* NULL: there is no run */
  ms_run run[MOST_RUNS];
  uint32_t count;             /* of them */
  uint64_t added, self_loops; /* since the beginning */
  uint64_t repeats;           /* edges that repeated another one, as far as is known */
  uint64_t bytes;             /* that portions took on the disk */
};

ms_status ms_runs_new(const ms_runs_options *options, ms_runs **out, ms_error *err)
{
  *out = ms_calloc(1, sizeof **out);
  if (!*out)
    return ms_fail_memory(err, "sorted runs");
  (*out)->options = *options;
  return MS_OK;
}

void ms_runs_free(ms_runs *runs)
{
  if (!runs)
    return;
  ms_temporary_close(runs->file);
  ms_free(runs);
}

uint64_t ms_runs_count(const ms_runs *runs, uint64_t *bytes)
{
  *bytes = runs->bytes;
  return runs->added;
}

/* ---- merging --------------------------------------------------------------- */

/* Where merged rows go: to a run, or to the neighbours of a graph. */
typedef struct sink {
  ms_run_writer *run; /* NULL: to `rows` */
  ms_temporary *file; /* of neighbours */
  uint64_t *offset;   /* [n + 1] */
  uint32_t next;      /* vertices before it have their offsets */
  uint64_t arcs;      /* written */
  uint64_t repeats;   /* arcs that several runs had */
  uint32_t most;      /* arcs of a row */
} sink;

typedef struct merge {
  ms_runs *runs;
  uint32_t n;
  ms_run_reader reader[MOST_RUNS];
  uint32_t open;    /* readers */
  uint32_t *ids[3]; /* [room] each */
  uint64_t room;
  uint64_t polled; /* arcs at the last look at the token */
  uint64_t total;  /* arcs of all runs */
  uint64_t done;
  double reported; /* time of the last report */
} merge;

static void put_row(sink *to, uint32_t vertex, const uint32_t *neighbor, uint64_t count)
{
  to->arcs += count;
  if (to->run) {
    ms_run_put(to->run, vertex, neighbor, count);
    return;
  }
  for (; to->next <= vertex; to->next++)
    to->offset[to->next] = to->arcs - count;
  to->most = count > to->most ? (uint32_t)count : to->most;
  ms_temporary_write(to->file, neighbor, count * sizeof *neighbor);
}

/* Merges two rows to `out`; returns the number of different ids. */
static uint64_t join(const uint32_t *a, uint64_t a_count, const uint32_t *b, uint64_t b_count,
                     uint32_t *out)
{
  uint64_t i = 0, j = 0, k = 0;
  while (i < a_count && j < b_count) {
    uint32_t x = a[i], y = b[j];
    out[k++] = x < y ? x : y;
    i += x <= y;
    j += y <= x;
  }
  memcpy(out + k, a + i, (a_count - i) * sizeof *a);
  k += a_count - i;
  memcpy(out + k, b + j, (b_count - j) * sizeof *b);
  return k + b_count - j;
}

static ms_status make_room(merge *m, uint64_t ids, ms_error *err)
{
  if (ids <= m->room)
    return MS_OK;
  for (int i = 0; i < 3; i++) {
    ms_free(m->ids[i]);
    m->ids[i] = NULL;
  }
  m->room = ids < m->room * 2 ? m->room * 2 : ids;
  for (int i = 0; i < 3; i++)
    if (!(m->ids[i] = ms_alloc(m->room, sizeof *m->ids[i]))) {
      m->room = 0;
      return ms_fail_memory(err, "a row of sorted edges");
    }
  return MS_OK;
}

/* Joins lists that lie one after another in ids[0], in pairs, until one is left.  Sets *list to
 * it; returns its length. */
static uint64_t join_all(merge *m, uint64_t *length, uint32_t lists, uint32_t **list)
{
  uint32_t *from = m->ids[0], *to = m->ids[1];
  while (lists > 1) {
    uint32_t joined = 0;
    uint64_t at = 0, put = 0;
    for (uint32_t i = 0; i < lists; i += 2) {
      uint64_t second = i + 1 < lists ? length[i + 1] : 0;
      uint64_t count = join(from + at, length[i], from + at + length[i], second, to + put);
      at += length[i] + second;
      put += count;
      length[joined++] = count;
    }
    lists = joined;
    uint32_t *swap = from;
    from = to;
    to = swap;
  }
  *list = from;
  return length[0];
}

/* Decodes the rows of a vertex and joins them together. */
static ms_status merge_short(merge *m, uint32_t vertex, uint64_t total, sink *to, ms_error *err)
{
  uint64_t length[MOST_RUNS], at = 0;
  uint32_t lists = 0, *list;
  MS_TRY(make_room(m, total, err));
  for (uint32_t r = 0; r < m->open; r++)
    if (m->reader[r].vertex == vertex) {
      length[lists] = m->reader[r].count;
      MS_TRY(ms_run_take(&m->reader[r], m->ids[0] + at, err));
      at += length[lists++];
    }
  uint64_t count = join_all(m, length, lists, &list);
  to->repeats += total - count;
  put_row(to, vertex, list, count);
  return MS_OK;
}

/* Joins the rows of a vertex one by one, so that memory is bounded by its neighbours, and not by
 * the runs. */
static ms_status merge_long(merge *m, uint32_t vertex, uint64_t total, sink *to, ms_error *err)
{
  uint64_t count = 0;
  MS_TRY(make_room(m, total < m->n ? total : m->n, err));
  for (uint32_t r = 0; r < m->open; r++)
    if (m->reader[r].vertex == vertex) {
      uint64_t length = m->reader[r].count;
      MS_TRY(ms_run_take(&m->reader[r], m->ids[1], err));
      count = join(m->ids[0], count, m->ids[1], length, m->ids[2]);
      uint32_t *swap = m->ids[0];
      m->ids[0] = m->ids[2];
      m->ids[2] = swap;
    }
  to->repeats += total - count;
  put_row(to, vertex, m->ids[0], count);
  return MS_OK;
}

static ms_status report(merge *m, uint64_t arcs, ms_error *err)
{
  const ms_runs_options *o = &m->runs->options;
  m->done += arcs;
  if (m->done - m->polled < POLL_ARCS)
    return MS_OK;
  m->polled = m->done;
  double now = o->run.progress ? ms_seconds() : 0;
  if (o->run.progress && now - m->reported >= MS_REPORT_SECONDS && m->done < m->total) {
    m->reported = now;
    ms_limits_report(&o->run, "sorted arcs merged", m->done, m->total);
  }
  return ms_stop_poll(PHASE, err);
}

static ms_status merge_vertices(merge *m, sink *to, ms_error *err)
{
  for (;;) {
    uint32_t vertex = MS_NO_VERTEX;
    uint64_t total = 0;
    for (uint32_t r = 0; r < m->open; r++)
      vertex = m->reader[r].vertex < vertex ? m->reader[r].vertex : vertex;
    if (vertex == MS_NO_VERTEX)
      return MS_OK;
    for (uint32_t r = 0; r < m->open; r++)
      total += m->reader[r].vertex == vertex ? m->reader[r].count : 0;
    MS_TRY(total <= TOGETHER ? merge_short(m, vertex, total, to, err)
                             : merge_long(m, vertex, total, to, err));
    MS_TRY(report(m, total, err));
  }
}

static size_t buffer_bytes(uint32_t runs)
{
  uint64_t share = ms_meter_left(ms_meter_current()) / 8 / (runs ? runs : 1);
  return share > MOST_BUFFER ? MOST_BUFFER : share < LEAST_BUFFER ? LEAST_BUFFER : (size_t)share;
}

static ms_status merge_all(ms_runs *runs, uint32_t n, sink *to, ms_error *err)
{
  ms_status status = ms_temporary_flush(runs->file, err);
  size_t buffer = buffer_bytes(runs->count);
  merge *m = ms_calloc(1, sizeof *m);
  if (!m)
    return ms_fail_memory(err, "sorted runs");
  m->runs = runs;
  m->n = n;
  for (; m->open < runs->count && status == MS_OK; m->open++) {
    m->total += runs->run[m->open].arcs;
    status = ms_run_open(runs->file, &runs->run[m->open], n, buffer, &m->reader[m->open], err);
  }
  if (status == MS_OK)
    status = merge_vertices(m, to, err);
  if (status == MS_OK)
    ms_limits_report(&runs->options.run, "sorted arcs merged", m->total, m->total);
  for (uint32_t r = 0; r < m->open; r++)
    ms_run_close(&m->reader[r]);
  for (int i = 0; i < 3; i++)
    ms_free(m->ids[i]);
  ms_free(m);
  return status;
}

/* Joins all runs to one, in a new file. */
static ms_status join_runs(ms_runs *runs, uint32_t n, ms_error *err)
{
  ms_temporary *file;
  ms_run_writer writer;
  sink to = {.run = &writer};
  MS_TRY(ms_temporary_open(runs->options.folder, &file, err));
  ms_run_begin(file, &writer);
  ms_status status = merge_all(runs, n, &to, err);
  if (status == MS_OK)
    status = ms_temporary_flush(file, err);
  if (status != MS_OK) {
    ms_temporary_close(file);
    return status;
  }
  ms_temporary_close(runs->file);
  runs->file = file;
  runs->run[0] = writer.run;
  runs->count = 1;
  runs->repeats += to.repeats / 2;
  return MS_OK;
}

/* ---- portions -------------------------------------------------------------- */

/* Returns the threads that sort: the cursors of each take 8 bytes a vertex. */
static int sorting_threads(const ms_runs *runs, uint32_t n, uint64_t m)
{
  int threads = ms_threads(runs->options.run.threads);
  uint64_t most = n ? m / 2 / n : 1;
  return most < 1 ? 1 : most < (uint64_t)threads ? (int)most : threads;
}

static ms_status write_run(ms_runs *runs, uint32_t n, const ms_rows *rows, ms_error *err)
{
  ms_run_writer writer;
  ms_run_begin(runs->file, &writer);
  for (uint32_t v = 0; v < n; v++) {
    ms_run_put(&writer, v, rows->neighbor + rows->offset[v], rows->offset[v + 1] - rows->offset[v]);
    if (v % 65536 == 0)
      MS_TRY(ms_stop_poll("sorted edges are written", err));
  }
  runs->run[runs->count++] = writer.run;
  runs->added++;
  runs->bytes += writer.run.bytes;
  runs->self_loops += rows->self_loops;
  runs->repeats += rows->repeats;
  return ms_temporary_flush(runs->file, err);
}

ms_status ms_runs_add(ms_runs *runs, uint32_t n, uint64_t m, const uint32_t (*edges)[2],
                      ms_error *err)
{
  ms_rows rows;
  if (!runs->file)
    MS_TRY(ms_temporary_open(runs->options.folder, &runs->file, err));
  if (runs->count == MOST_RUNS)
    MS_TRY(join_runs(runs, n, err));
  ms_status status = ms_rows_build(&(ms_row_edges){.n = n, .m = m, .edge = edges},
                                   sorting_threads(runs, n, m), &rows, err);
  if (status == MS_ERR_MEMORY && m >= 2 * LEAST_PAIRS) {
    MS_TRY(ms_runs_add(runs, n, m / 2, edges, err));
    return ms_runs_add(runs, n, m - m / 2, edges + m / 2, err);
  }
  if (status == MS_OK)
    status = write_run(runs, n, &rows, err);
  ms_rows_free(&rows);
  return status;
}

/* ---- the result ------------------------------------------------------------ */

/* Maps the neighbours. */
static ms_status finish_rows(sink *to, uint32_t n, ms_rows *rows, ms_image *file, ms_error *err)
{
  for (; to->next <= n; to->next++)
    to->offset[to->next] = to->arcs;
  MS_TRY(ms_temporary_flush(to->file, err));
  if (to->arcs > 0) {
    MS_TRY(ms_temporary_map(to->file, &file->bytes, err));
    file->size = to->arcs * sizeof *rows->neighbor;
    file->mapped = true;
    rows->neighbor = file->bytes;
    return MS_OK;
  }
  rows->neighbor = ms_alloc(0, sizeof *rows->neighbor);
  return rows->neighbor ? MS_OK : ms_fail_memory(err, "graph neighbours");
}

ms_status ms_runs_merge(ms_runs *runs, uint32_t n, ms_rows *rows, ms_image *file, ms_error *err)
{
  sink to = {.offset = ms_alloc((size_t)n + 1, sizeof *to.offset)};
  *rows = (ms_rows){0};
  *file = (ms_image){0};
  if (!to.offset)
    return ms_fail_memory(err, "graph offsets");
  ms_status status = ms_temporary_open(runs->options.folder, &to.file, err);
  if (status == MS_OK)
    status = merge_all(runs, n, &to, err);
  if (status == MS_OK)
    status = finish_rows(&to, n, rows, file, err);
  ms_temporary_close(to.file);
  if (status != MS_OK) {
    ms_free(to.offset);
    return status;
  }
  rows->offset = to.offset;
  rows->self_loops = runs->self_loops;
  rows->repeats = runs->repeats + to.repeats / 2;
  rows->max_degree = to.most;
  ms_temporary_close(runs->file); /* its room on the disk is free again */
  runs->file = NULL;
  runs->count = 0;
  return MS_OK;
}
