#include "graph/io/edges/edge_lines.h"

#include "base/alloc.h"
#include "base/meter.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/stop.h"

#include <string.h>

#define LEAST_BLOCK ((size_t)64 << 10) /* bytes; one thread's */
#define PART_BYTES ((size_t)1 << 20)   /* a thread's share of a full block */
/* What a thread may hold: its share of the text, and edges and names of about three times its size,
 * in arrays that grow by doubling. */
#define BYTES_A_THREAD (8 * PART_BYTES)

typedef enum byte_class {
  NAME = 0, /* of a name; all others end the run */
  WIDE,     /* of a name, beyond ASCII: to be checked as UTF-8 */
  BLANK,
  BETWEEN, /* the delimiter */
  LINE_END,
  RETURN,
  OTHER /* a line with such a byte is not plain */
} byte_class;

/* A name that the table did not have. */
typedef struct missing {
  uint64_t place; /* 2 * edge + end, among the edges of the part */
  const char *text;
  size_t length;
} missing;

typedef struct part {
  const char *from, *to; /* whole lines */
  const char *stopped;   /* `to`, or the first line that is not plain */
  uint64_t lines;        /* in front of it */
  uint32_t (*pair)[2];   /* [room] */
  uint64_t count, room;
  missing *missed; /* [missed_room] */
  uint64_t missed_count, missed_room;
  bool no_memory;
} part;

/* How a line is split into names. */
typedef struct splitter {
  uint8_t class[256];
  bool runs;   /* any number of delimiters, also in front of the first name */
  bool quotes; /* CSV: a field in quotes may hold line ends */
} splitter;

struct ms_edge_lines {
  int threads;
  size_t block; /* bytes to ask for next */
  splitter split;
  part *parts; /* [threads] */
};

/* Names that wait for their look-up, two for each edge. */
typedef struct batch {
  uint32_t count;
  const char *text[MS_NAME_BATCH];
  size_t length[MS_NAME_BATCH];
} batch;

static void set_splitter(splitter *split, ms_delimiter delimiter)
{
  uint8_t *class = split->class;
  split->runs = delimiter == MS_BLANKS;
  for (int c = 0; c < 256; c++)
    class[c] = c < 0x20 || c == 0x7F ? OTHER : c < 0x80 ? NAME : WIDE;
  class[' '] = BLANK;
  class['\n'] = LINE_END;
  class['\r'] = RETURN;
  split->quotes = delimiter == MS_COMMA || delimiter == MS_SEMICOLON;
  if (split->quotes)
    class['"'] = OTHER;
  class[(uint8_t)ms_delimiter_mark(delimiter)] = BETWEEN;
  if (delimiter == MS_BLANKS)
    class['\t'] = BETWEEN;
}

/* Returns the number of threads, or fewer where the memory for reading has no room for all. */
static int usable_threads(int threads)
{
  uint64_t most = ms_meter_bound(ms_meter_current()) / BYTES_A_THREAD;
  return most < 1 ? 1 : most < (uint64_t)threads ? (int)most : threads;
}

ms_status ms_edge_lines_new(ms_delimiter delimiter, int threads, ms_edge_lines **out, ms_error *err)
{
  *out = NULL;
  threads = usable_threads(threads);
  ms_edge_lines *lines = ms_calloc(1, sizeof *lines);
  if (!lines)
    return ms_fail_memory(err, "an edge reader");
  lines->threads = threads;
  lines->block = LEAST_BLOCK;
  lines->parts = ms_calloc((size_t)threads, sizeof *lines->parts);
  set_splitter(&lines->split, delimiter);
  if (!lines->parts) {
    ms_edge_lines_free(lines);
    return ms_fail_memory(err, "an edge reader");
  }
  *out = lines;
  return MS_OK;
}

void ms_edge_lines_free(ms_edge_lines *lines)
{
  if (!lines)
    return;
  for (int t = 0; t < lines->threads && lines->parts; t++) {
    ms_free(lines->parts[t].pair);
    ms_free(lines->parts[t].missed);
  }
  ms_free(lines->parts);
  ms_free(lines);
}

/* ---- one part ------------------------------------------------------------ */

static bool note_missing(part *p, uint64_t place, const char *text, size_t length)
{
  if (!MS_GROW(p->missed, p->missed_room, p->missed_count, 1))
    return false;
  p->missed[p->missed_count++] = (missing){place, text, length};
  return true;
}

static bool look_up(part *p, batch *waiting, const ms_names *names)
{
  uint32_t ids[MS_NAME_BATCH], count = waiting->count;
  waiting->count = 0;
  if (count == 0)
    return true;
  if (!MS_GROW(p->pair, p->room, p->count, MS_NAME_BATCH / 2))
    return false;
  ms_names_find_batch(names, count, waiting->text, waiting->length, ids);
  memcpy(p->pair + p->count, ids, count * sizeof *ids);
  for (uint32_t i = 0; i < count; i++)
    if (ids[i] == MS_NO_ID &&
        !note_missing(p, 2 * p->count + i, waiting->text[i], waiting->length[i]))
      return false;
  p->count += count / 2;
  return true;
}

/* Finds the end of the name that begins at `from`.  False where this is not a valid name that
 * can be copied as it is. */
static bool scan_name(const uint8_t *class, const char *from, const char **end)
{
  const char *at = from;
  bool wide = false;
  for (;;) {
    while (class[(uint8_t)*at] == NAME)
      at++;
    uint8_t c = class[(uint8_t)*at];
    if (c != WIDE && c != BLANK)
      break;
    wide |= c == WIDE;
    at++;
  }
  *end = at;
  return at > from && *from != ' ' && at[-1] != ' ' &&
         (!wide || !ms_name_problem(from, (size_t)(at - from)));
}

/* Returns the end of the line that `at` is in, which has an LF; NULL where a NUL byte precedes it,
 * or a quote in CSV. */
static const char *rest_of_line(const splitter *split, const char *at, const char *to)
{
  const char *lf = memchr(at, '\n', (size_t)(to - at));
  if (lf == at)
    return lf;
  bool odd =
      memchr(at, '\0', (size_t)(lf - at)) || (split->quotes && memchr(at, '"', (size_t)(lf - at)));
  return odd ? NULL : lf;
}

/* Is `at` the end of a line?  *lf becomes its LF. */
static bool ends_line(const uint8_t *class, const char *at, const char **lf)
{
  *lf = at + (*at == '\r');
  return class[(uint8_t) * *lf] == LINE_END;
}

static const char *skip_run(const splitter *split, const char *at)
{
  while (split->runs && split->class[(uint8_t)*at] == BETWEEN)
    at++;
  return at;
}

/* Scans the line at `from` and returns its LF; NULL where it is not plain.  Adds its two names
 * to the batch unless it holds no data. */
static const char *scan_line(const splitter *split, const char *from, const char *to,
                             batch *waiting)
{
  const uint8_t *class = split->class;
  const char *end, *lf;
  if (*from == '#' || *from == '!' || *from == '%') {
    lf = rest_of_line(split, from, to);
    return lf && ms_line_begins_section(from, (size_t)(lf - from)) ? NULL : lf;
  }
  if (*from == '\xEF' && strncmp(from, MS_BYTE_ORDER_MARK, 3) == 0)
    return NULL;
  const char *first = skip_run(split, from);
  if (ends_line(class, first, &lf))
    return NULL; /* what follows a blank line may be another table */
  if (!scan_name(class, first, &end) || class[(uint8_t)*end] != BETWEEN)
    return NULL;
  waiting->text[waiting->count] = first;
  waiting->length[waiting->count] = (size_t)(end - first);
  const char *second = skip_run(split, end + 1);
  if (!scan_name(class, second, &end))
    return NULL;
  waiting->text[waiting->count + 1] = second;
  waiting->length[waiting->count + 1] = (size_t)(end - second);
  if (class[(uint8_t)*end] == BETWEEN)
    lf = rest_of_line(split, end, to);
  else if (!ends_line(class, end, &lf))
    return NULL;
  waiting->count += lf ? 2 : 0;
  return lf;
}

static void scan_part(const splitter *split, const ms_names *names, part *p)
{
  batch waiting = {.count = 0};
  const char *at = p->from;
  p->count = 0;
  p->missed_count = 0;
  p->lines = 0;
  p->no_memory = false;
  while (at < p->to && !p->no_memory) {
    const char *lf = scan_line(split, at, p->to, &waiting);
    if (!lf)
      break;
    at = lf + 1;
    p->lines++;
    if (waiting.count == MS_NAME_BATCH)
      p->no_memory = !look_up(p, &waiting, names);
  }
  if (!p->no_memory)
    p->no_memory = !look_up(p, &waiting, names);
  p->stopped = at;
}

/* ---- blocks -------------------------------------------------------------- */

/* Cuts the block into parts at line ends; later parts may be empty. */
static void share_out(ms_edge_lines *lines, const char *bytes, size_t length)
{
  const char *end = bytes + length, *from = bytes;
  int threads = length < 2 * LEAST_BLOCK ? 1 : lines->threads;
  for (int t = 0; t < lines->threads; t++) {
    const char *to = end;
    if (t + 1 < threads) {
      const char *near = bytes + length / (size_t)threads * (size_t)(t + 1);
      near = near > from ? near : from;
      to = near < end ? (const char *)memchr(near, '\n', (size_t)(end - near)) + 1 : end;
    }
    lines->parts[t].from = from;
    lines->parts[t].to = to;
    from = to;
  }
}

static ms_status make_room(const part *p, ms_edges *edges, ms_error *err)
{
  uint64_t bytes = 0;
  for (uint64_t i = 0; i < p->missed_count && edges->runs; i++)
    bytes += p->missed[i].length;
  return ms_edges_make_room(edges, p->count, p->missed_count, bytes, err);
}

/* Gives ids to the new names, and appends the edges of the part. */
static ms_status join_part(part *p, ms_edges *edges, ms_error *err)
{
  if (p->no_memory)
    return ms_fail_memory(err, "edges being read");
  uint32_t *ends = (uint32_t *)p->pair;
  ms_status status = make_room(p, edges, err);
  for (uint64_t i = 0; i < p->missed_count && status == MS_OK; i++)
    status = ms_names_add(edges->names, p->missed[i].text, p->missed[i].length,
                          &ends[p->missed[i].place], err);
  if (status == MS_OK)
    status = ms_pairs_reserve(&edges->pairs, p->count, err);
  if (status != MS_OK || p->count == 0)
    return status;
  memcpy(edges->pairs.pair + edges->pairs.count, p->pair, p->count * sizeof *p->pair);
  edges->pairs.count += p->count;
  return MS_OK;
}

typedef struct scan {
  ms_edge_lines *lines;
  const ms_names *names;
} scan;

static void scan_parts(void *user, ms_range r)
{
  const scan *s = user;
  for (uint64_t t = r.begin; t < r.end; t++)
    scan_part(&s->lines->split, s->names, &s->lines->parts[t]);
}

static void report(ms_edges *edges, uint64_t lines)
{
  double now = edges->progress ? ms_seconds() : 0;
  if (!edges->progress || now - edges->reported < MS_REPORT_SECONDS)
    return;
  edges->reported = now;
  edges->progress(edges->progress_user, "lines read", lines, 0);
}

/* Reads a block.  *plain: every line of the block was plain. */
static ms_status take_block(ms_edge_lines *lines, ms_text *text, const char *bytes, size_t length,
                            ms_edges *edges, bool *plain, ms_error *err)
{
  share_out(lines, bytes, length);
  int threads = lines->parts[0].to == bytes + length ? 1 : lines->threads;
  ms_parallel(threads, (uint64_t)threads, 1, scan_parts, &(scan){lines, edges->names});
  ms_status status = MS_OK;
  size_t taken = 0;
  uint64_t count = 0;
  *plain = true;
  for (int t = 0; t < threads && *plain && status == MS_OK; t++) {
    part *p = &lines->parts[t];
    status = join_part(p, edges, err);
    taken += (size_t)(p->stopped - p->from);
    count += p->lines;
    *plain = p->stopped == p->to;
  }
  if (status == MS_OK)
    ms_text_skip(text, taken, count);
  report(edges, text->number);
  return status;
}

/* Blocks grow while all lines are plain, so that a file of other lines costs little. */
ms_status ms_edge_lines_read(ms_edge_lines *lines, ms_text *text, ms_edges *edges, ms_error *err)
{
  ms_status status = ms_edges_flush(edges, err);
  bool plain = true;
  while (status == MS_OK && plain) {
    char *bytes;
    size_t length, most = PART_BYTES * (size_t)lines->threads;
    status = ms_text_lines(text, lines->block, &bytes, &length, err);
    if (status != MS_OK || length == 0)
      return status;
    status = take_block(lines, text, bytes, length, edges, &plain, err);
    lines->block = !plain ? LEAST_BLOCK : lines->block * 2 < most ? lines->block * 2 : most;
  }
  return status;
}
