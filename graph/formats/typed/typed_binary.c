/* The binary format of typed graphs: the graph's arrays as they are in memory, so that a plain file
 * is mapped and used in place; docs/FORMATS.md, "typed-binary".  Loading reads each byte twice, in
 * order: once for the checksums, once for the checks.  Both share their
 * work among threads. */
#include "graph/formats/typed/typed_binary.h"

#include "base/alloc.h"
#include "base/ascending.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/threads.h"
#include "graph/formats/findings.h"
#include "graph/formats/format.h"
#include "graph/formats/row_scan.h"
#include "graph/formats/typed/typed_plain.h"

#include <string.h>

/* ---- checks ---------------------------------------------------------------------------------- */

/* Does a binary file hold a typed graph?  Checksums detect damage; here a file may hold anything,
 * and must cause no more than an error message.  The method is that of binary_check.c.
 *
 * Whether each arc has its inverse is decided by a fingerprint, as in row_scan.h: vertices v have
 * random numbers g(v), and types t have random numbers h(t).  An arc of type t from u to w adds
 * g(u) * g(w) * h(t) if u < w, and subtracts g(u) * g(w) * h(inverse of t) if u > w.  The two arcs
 * of an edge cancel.  If some arcs do not, the rest is a nonzero polynomial in the numbers. */

#define ALL_TYPES ((size_t)1 << 16)   /* values of an ms_type */
#define PART_ARCS ((uint64_t)1 << 18) /* for one thread at a time */

/* ---- types --------------------------------------------------------------- */

static ms_status fail_type(const ms_typed_binary *file, uint32_t type, const char *what,
                           ms_error *err)
{
  return ms_fail(err, MS_ERR_INPUT,
                 "%s: is not a valid graph: type %u of edges %s; create the file again",
                 file->label, type, what);
}

static ms_status check_inverses(const ms_typed_binary *file, ms_error *err)
{
  for (uint32_t t = 0; t < file->types; t++) {
    ms_type back = file->inverse[t];
    if (back >= file->types || file->inverse[back] != t)
      return fail_type(file, t, "is not the inverse of its inverse", err);
    if (file->is_inverse[t] > 1 || (file->is_inverse[t] && file->is_inverse[back]))
      return fail_type(file, t, "and its inverse are both marked as inverses", err);
  }
  return MS_OK;
}

/* Returns the number of a type that is called "untyped", or MS_NO_ID. */
static uint32_t find_untyped(const ms_name_blocks *types)
{
  for (uint32_t t = 0; t < types->count; t++)
    if (strcmp(types->pool + types->start[t], "untyped") == 0)
      return t;
  return MS_NO_ID;
}

typedef struct vertex_check {
  const ms_type *type;
  uint32_t types, untyped;
} vertex_check;

static void scan_vertices(void *user, ms_range r)
{
  ms_findings *f = user;
  const vertex_check *c = f->section;
  uint64_t bad = MS_NONE_BAD, untyped = 0;
  for (uint64_t v = r.begin; v < r.end; v++) {
    if (c->type[v] >= c->types)
      bad = ms_lesser(bad, v);
    untyped += c->type[v] == c->untyped;
  }
  ms_note_bad(f, bad);
  ms_add_sum(&f->sum, untyped);
}

static ms_status check_vertices(const ms_typed_binary *file, int threads, uint32_t *untyped,
                                ms_error *err)
{
  const ms_name_blocks *types = &file->names[MS_TYPED_VERTEX_TYPES];
  const vertex_check c = {file->vertex_type, types->count, find_untyped(types)};
  ms_findings f = {.section = &c, .bad = MS_NONE_BAD};
  ms_parallel(threads, file->n, 0, scan_vertices, &f);
  if (f.bad != MS_NONE_BAD)
    return ms_binary_fail_row(file->label, f.bad, "a type of vertices that does not exist", err);
  *untyped = (uint32_t)f.sum;
  return MS_OK;
}

/* ---- rows ---------------------------------------------------------------- */

typedef struct arc_check {
  const ms_typed_binary *file;
  ms_row_key key;
  uint64_t *number; /* [2][ALL_TYPES] what an arc of a type adds, to a lower and to a higher
                       neighbour, without the numbers of its ends; 0 for types that there are not */
  uint64_t self_loops, repeats;
} arc_check;

static uint64_t arc_key(const ms_typed_binary *file, uint64_t a)
{
  return (uint64_t)file->neighbor[a] << 16 | file->type[a];
}

/* What a thread finds in its part of the arcs. */
typedef struct part_sums {
  uint64_t sum, self_loops, repeats;
} part_sums;

/* Arcs of one row, and what was found so far: */
typedef struct row_scan {
  uint64_t at, end;
  uint64_t before; /* the key of the arc in front of `at`; 0: there is none */
  uint64_t sum, same;
  uint32_t most; /* type */
  bool wrong;    /* keys do not ascend */
} row_scan;

/* Adds the arcs to neighbours below `limit`, the next ones of the row. */
static inline __attribute__((always_inline)) void add_arcs(const arc_check *c, row_scan *row,
                                                           uint64_t limit, const uint64_t *number)
{
  const uint32_t *neighbor = c->file->neighbor;
  const ms_type *type = c->file->type;
  uint64_t a = row->at, sum = 0, same = 0, before = row->before;
  uint32_t most = row->most;
  bool wrong = false;
  for (; a < row->end && neighbor[a] < limit; a++) {
    uint32_t w = neighbor[a], t = type[a];
    uint64_t key = (uint64_t)w << 16 | t;
    wrong |= key < before;
    same += key == before;
    most = t > most ? t : most;
    before = key;
    sum += number ? ms_row_number(c->key, w) * number[t] : 0;
  }
  *row = (row_scan){a, row->end, before, row->sum + sum, same, most, row->wrong | wrong};
}

/* Adds arcs [begin, end) of row u; returns false if they are wrong (then the sum has no meaning):
 * not ascending, the first one also after the arc in front of it, to a vertex or of a type that
 * does not exist, or a self-loop of the larger of its two types. */
static bool add_row(const arc_check *c, uint32_t u, uint64_t begin, uint64_t end, part_sums *sums)
{
  const ms_typed_binary *file = c->file;
  bool first = begin == file->offset[u];
  row_scan row = {.at = begin, .end = end, .before = first ? 0 : arc_key(file, begin - 1)};
  add_arcs(c, &row, u, c->number);
  uint64_t loops = row.at;
  add_arcs(c, &row, (uint64_t)u + 1, NULL);
  sums->repeats += row.same;
  for (uint64_t a = loops; a < row.at; a++)
    row.wrong |= file->type[a] < file->types && file->type[a] > file->inverse[file->type[a]];
  sums->self_loops += row.at - loops;
  add_arcs(c, &row, UINT64_MAX, c->number + ALL_TYPES);
  sums->repeats += row.same;
  /* no arc is in front of the first one, which may have the key 0 */
  sums->repeats -= first && arc_key(file, begin) == 0 && file->neighbor[begin] >= u;
  sums->sum += ms_row_number(c->key, u) * row.sum;
  return !row.wrong && row.most < file->types &&
         file->neighbor[end - 1] < file->n; /* the largest */
}

static void scan_arcs(void *user, ms_range r)
{
  ms_findings *f = user;
  arc_check *c = (arc_check *)f->section;
  const uint64_t *offset = c->file->offset;
  part_sums sums = {0};
  uint64_t bad = MS_NONE_BAD, begin = r.begin;
  for (uint32_t u = (uint32_t)ms_last_at_most(offset, c->file->n, begin); begin < r.end; u++) {
    uint64_t stop = ms_lesser(offset[u + 1], r.end);
    if (stop == begin)
      continue; /* no neighbours */
    if (!add_row(c, u, begin, stop, &sums))
      bad = ms_lesser(bad, u);
    begin = stop;
  }
  ms_note_bad(f, bad);
  ms_add_sum(&f->sum, sums.sum);
  ms_add_sum(&c->self_loops, sums.self_loops);
  ms_add_sum(&c->repeats, sums.repeats);
}

static ms_status explain_row(const ms_typed_binary *file, uint64_t u, ms_error *err)
{
  for (uint64_t a = file->offset[u]; a < file->offset[u + 1]; a++) {
    ms_type t = file->type[a];
    const char *what = file->neighbor[a] >= file->n ? "a neighbour that is not a vertex"
                       : t >= file->types           ? "a type of edges that does not exist"
                       : file->neighbor[a] == u && t > file->inverse[t]
                           ? "a self-loop of the larger of its two types"
                       : a > file->offset[u] && arc_key(file, a) < arc_key(file, a - 1)
                           ? "neighbours that are not in ascending order"
                           : NULL;
    if (what)
      return ms_binary_fail_row(file->label, u, what, err);
  }
  return ms_binary_fail_row(file->label, u, "a wrong row", err);
}

/* Returns the first arc of row u whose key is `key` or larger. */
static uint64_t find_arc(const ms_typed_binary *file, uint32_t u, uint64_t key)
{
  uint64_t low = file->offset[u], high = file->offset[u + 1];
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    if (arc_key(file, middle) < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static uint64_t count_arcs(const ms_typed_binary *file, uint32_t u, uint32_t w, ms_type t)
{
  uint64_t key = (uint64_t)w << 16 | t;
  return find_arc(file, u, key + 1) - find_arc(file, u, key);
}

/* Finds the first arc without its inverse, in rows that are right, by searches for each. */
static ms_status explain_asymmetry(const ms_typed_binary *file, ms_error *err)
{
  for (uint32_t u = 0; u < file->n; u++)
    for (uint64_t a = file->offset[u]; a < file->offset[u + 1]; a++) {
      uint32_t w = file->neighbor[a];
      ms_type t = file->type[a];
      if (w != u && count_arcs(file, u, w, t) != count_arcs(file, w, u, file->inverse[t]))
        return ms_binary_fail_row(file->label, u, "an edge without its inverse", err);
    }
  return MS_OK;
}

/* Gives each type its number, which depends on the key and not on the file. */
static ms_status draw_numbers(arc_check *c, ms_error *err)
{
  const ms_typed_binary *file = c->file;
  c->number = ms_calloc(2 * ALL_TYPES, sizeof *c->number);
  if (!c->number)
    return ms_fail_memory(err, "types of edges");
  ms_row_key other = ms_row_key_new();
  for (uint32_t t = 0; t < file->types; t++) {
    uint64_t number = ms_row_number(other, t) | 1; /* odd, so that no factor is lost */
    c->number[ALL_TYPES + t] = number;
    c->number[file->inverse[t]] = 0 - number;
  }
  return MS_OK;
}

static ms_status check_rows(const ms_typed_binary *file, int threads, ms_typed_counts *counts,
                            ms_error *err)
{
  arc_check c = {.file = file, .key = ms_row_key_new()};
  ms_findings f = {.section = &c, .bad = MS_NONE_BAD};
  MS_TRY(draw_numbers(&c, err));
  ms_parallel(threads, file->arcs, PART_ARCS, scan_arcs, &f);
  ms_free(c.number);
  if (f.bad != MS_NONE_BAD)
    return explain_row(file, f.bad, err);
  if (f.sum != 0)
    MS_TRY(explain_asymmetry(file, err));
  counts->self_loops = c.self_loops;
  counts->repeats = c.repeats;
  return MS_OK;
}

/* Checks all that a typed graph promises (typed.h, names.h), whatever the bytes are; one pass over
 * each section.  A table of names in which names collide far more than by chance is not checked but
 * left out: its `slots` become 0. */
static ms_status typed_binary_check(ms_typed_binary *file, int threads, ms_typed_counts *counts,
                                    ms_error *err)
{
  static const char *const what[MS_TYPED_TABLES] = {"vertex", "vertex type", "edge type"};
  uint64_t most = 0;
  *counts = (ms_typed_counts){0};
  MS_TRY(
      ms_binary_check_offsets(file->label, file->offset, file->n, file->arcs, threads, &most, err));
  if (most > UINT32_MAX)
    return ms_binary_fail_row(file->label, 0, "more edges at a vertex than are possible", err);
  counts->max_degree = (uint32_t)most;
  for (int t = 0; t < MS_TYPED_TABLES; t++)
    MS_TRY(ms_binary_check_names(file->label, &file->names[t], what[t], threads, err));
  MS_TRY(check_inverses(file, err));
  MS_TRY(check_vertices(file, threads, &counts->untyped, err));
  return check_rows(file, threads, counts, err);
}

/* ---- layout -------------------------------------------------------------- */

bool ms_typed_binary_lay_out(const ms_typed_header *h, ms_binary_layout *layout)
{
  uint64_t n = h->count[MS_TYPED_VERTEX_NAMES], types = h->count[MS_TYPED_ARC_TYPES];
  uint64_t counts[MS_TYPED_SECTIONS] = {n + 1, h->arcs, h->arcs, n, types, types};
  uint64_t sizes[MS_TYPED_SECTIONS] = {8, 4, 2, 2, 2, 1};
  for (int t = 0; t < MS_TYPED_TABLES; t++) {
    uint64_t *count = counts + MS_TYPED_NAMES + 3 * t, *size = sizes + MS_TYPED_NAMES + 3 * t;
    count[0] = h->count[t];
    count[1] = h->names[t].bytes;
    count[2] = h->names[t].slots;
    size[0] = 8;
    size[1] = 1;
    size[2] = 16;
  }
  return ms_binary_lay_out_sections(MS_TYPED_SECTIONS, counts, sizes, layout);
}

static ms_typed_binary view(const ms_typed_header *h, const ms_binary_layout *layout,
                            const ms_image *image, const char *label)
{
  const char *bytes = image->bytes;
  const uint64_t *at = layout->at;
  ms_typed_binary file = {
      .label = label,
      .offset = (const uint64_t *)(bytes + at[MS_TYPED_OFFSETS]),
      .neighbor = (const uint32_t *)(bytes + at[MS_TYPED_NEIGHBORS]),
      .type = (const ms_type *)(bytes + at[MS_TYPED_TYPES]),
      .vertex_type = (const ms_type *)(bytes + at[MS_TYPED_TYPES_OF_VERTEX]),
      .inverse = (const ms_type *)(bytes + at[MS_TYPED_INVERSES]),
      .is_inverse = (const uint8_t *)(bytes + at[MS_TYPED_IS_INVERSE]),
      .n = h->count[MS_TYPED_VERTEX_NAMES],
      .types = h->count[MS_TYPED_ARC_TYPES],
      .arcs = h->arcs,
  };
  for (int t = 0; t < MS_TYPED_TABLES; t++) {
    const uint64_t *place = at + MS_TYPED_NAMES + 3 * t;
    file.names[t] = (ms_name_blocks){.count = h->count[t],
                                     .start = (const uint64_t *)(bytes + place[0]),
                                     .pool = bytes + place[1],
                                     .pool_bytes = h->names[t].bytes,
                                     .table = (const ms_name_slot *)(bytes + place[2]),
                                     .slots = h->names[t].slots};
  }
  return file;
}

/* ---- reading ------------------------------------------------------------- */

/* Returns what is wrong with the numbers and flags, or NULL. */
static const char *header_problem(const ms_typed_header *h)
{
  const uint32_t known = MS_TYPED_BINARY_NO_TABLE | MS_TYPED_BINARY_JOINED;
  uint32_t unused = h->version != MS_TYPED_BINARY_VERSION || (h->flags & ~known);
  for (size_t i = 0; i < sizeof h->zero / sizeof *h->zero; i++)
    unused |= h->zero[i];
  if (unused)
    return "uses features that this version does not know";
  if (h->count[MS_TYPED_VERTEX_NAMES] > MS_MAX_NAMES)
    return "has more names than there are ids";
  if (h->count[MS_TYPED_VERTEX_TYPES] > MS_MAX_TYPES || h->count[MS_TYPED_ARC_TYPES] > MS_MAX_TYPES)
    return "has more types than a typed graph can have";
  for (int t = 0; t < MS_TYPED_TABLES; t++)
    if (!ms_binary_table_fits(h->flags & MS_TYPED_BINARY_NO_TABLE, h->count[t], h->names[t].slots))
      return "has a table of names of an impossible size";
  return NULL;
}

static ms_status read_header(ms_text *text, ms_typed_header *header, ms_binary_layout *layout,
                             ms_error *err)
{
  static const ms_binary_kind kind = {.magic = MS_TYPED_BINARY_MAGIC,
                                      .version = MS_TYPED_BINARY_VERSION,
                                      .what = "a binary file of a typed graph",
                                      .how = "with ms_typed_write_binary or 'motifsieve convert'"};
  MS_TRY(ms_binary_read_frame(text, &kind, header, err));
  const char *problem = header_problem(header);
  if (!problem && !ms_typed_binary_lay_out(header, layout))
    problem = "has sections that no memory can hold";
  if (!problem && layout->file_bytes != header->file_bytes)
    problem = "has sections that do not add up to its size";
  return problem ? ms_fail(err, MS_ERR_INPUT, "%s: %s; create the file again", text->label, problem)
                 : MS_OK;
}

static void note_counts(ms_typed *graph, const ms_typed_counts *counts)
{
  ms_typed_info *info = &graph->info;
  info->vertices = graph->rows.n;
  info->edges = (graph->rows.arcs + counts->self_loops) / 2;
  info->self_loops = counts->self_loops;
  info->repeats = counts->repeats;
  info->max_degree = counts->max_degree;
  info->untyped = counts->untyped;
  info->vertex_types = ms_names_count(graph->vertex_types);
  info->arc_types = ms_names_count(graph->arc_types);
  info->format = MS_TYPED_BINARY;
}

/* Makes a graph on the arrays of the file; it takes ownership of the image. */
static ms_status make_graph(const char *path, const ms_typed_binary *file,
                            const ms_typed_counts *counts, ms_image *image, ms_typed **out,
                            ms_error *err)
{
  static const char *const what[MS_TYPED_TABLES] = {"vertex", "vertex type", "edge type"};
  ms_typed *graph = ms_calloc(1, sizeof *graph);
  if (!graph)
    return ms_fail_memory(err, "a typed graph");
  ms_names **const names[MS_TYPED_TABLES] = {&graph->names, &graph->vertex_types,
                                             &graph->arc_types};
  graph->image = *image;
  *image = (ms_image){0};
  graph->rows = (ms_typed_rows){.n = file->n,
                                .arcs = file->arcs,
                                .offset = (uint64_t *)file->offset,
                                .neighbor = (uint32_t *)file->neighbor,
                                .type = (ms_type *)file->type,
                                .vertex_type = (ms_type *)file->vertex_type};
  graph->inverse = (ms_type *)file->inverse;
  graph->is_inverse = (uint8_t *)file->is_inverse;
  graph->info.path = graph->path = ms_strdup(path);
  ms_status status = graph->path ? MS_OK : ms_fail_memory(err, "a path");
  for (int t = 0; t < MS_TYPED_TABLES && status == MS_OK; t++)
    status = ms_binary_make_names(file->label, &file->names[t], what[t], names[t], err);
  if (status != MS_OK) {
    ms_typed_free(graph);
    return status;
  }
  note_counts(graph, counts);
  *out = graph;
  return MS_OK;
}

ms_status ms_typed_binary_load(const char *path, ms_text *text, const ms_typed_options *options,
                               ms_typed **out, ms_error *err)
{
  ms_typed_header header;
  ms_binary_layout layout;
  ms_typed_counts counts;
  ms_image image = {0};
  int threads = ms_threads(options->run.threads);
  MS_TRY(ms_binary_check_processor(err));
  MS_TRY(read_header(text, &header, &layout, err));
  MS_TRY(ms_image_read(text, layout.file_bytes, &image, err));
  ms_typed_binary file = view(&header, &layout, &image, text->label);
  ms_status status =
      ms_binary_check_sums(text->label, &image, &layout, threads, &text->crc32c, err);
  if (status == MS_OK)
    status = typed_binary_check(&file, threads, &counts, err);
  if (status == MS_OK)
    status = make_graph(path, &file, &counts, &image, out, err);
  ms_image_free(&image);
  if (status == MS_OK) {
    (*out)->joins_colors = header.flags & MS_TYPED_BINARY_JOINED;
    (*out)->info.crc32c = text->crc32c;
  }
  return status;
}

/* As a plain graph, without the types of edges. */
static ms_status load_plain(const char *path, ms_text *text, const ms_graph_options *options,
                            ms_graph **out, ms_error *err)
{
  const ms_typed_options typed = {.size = sizeof typed, .run.threads = options->run.threads};
  ms_typed *graph = NULL;
  ms_status status = ms_typed_binary_load(path, text, &typed, &graph, err);
  if (status == MS_OK)
    status = ms_typed_as_plain_graph(graph, options->directed, options->run.threads, out, err);
  ms_typed_free(graph);
  return status;
}

/* ---- writing ------------------------------------------------------------- */

static ms_typed_header make_header(const ms_typed *graph, const ms_binary_names *names)
{
  ms_typed_header h = {.version = MS_TYPED_BINARY_VERSION,
                       .arcs = graph->rows.arcs,
                       .flags = graph->joins_colors ? MS_TYPED_BINARY_JOINED : 0};
  memcpy(h.magic, MS_TYPED_BINARY_MAGIC, MS_BINARY_MAGIC_BYTES);
  for (int t = 0; t < MS_TYPED_TABLES; t++) {
    h.count[t] = names[t].blocks.count;
    h.names[t].bytes = names[t].blocks.pool_bytes;
    h.names[t].slots = names[t].blocks.slots;
    if (!names[t].blocks.table)
      h.flags |= MS_TYPED_BINARY_NO_TABLE;
  }
  return h;
}

static ms_status write_sections(const ms_typed *graph, const ms_binary_names *names,
                                ms_outfile *out, ms_error *err)
{
  ms_binary_layout layout;
  ms_binary_writer w;
  ms_typed_header header = make_header(graph, names);
  const void *const sections[MS_TYPED_NAMES] = {graph->rows.offset, graph->rows.neighbor,
                                                graph->rows.type,   graph->rows.vertex_type,
                                                graph->inverse,     graph->is_inverse};
  if (!ms_typed_binary_lay_out(&header, &layout))
    return ms_fail(err, MS_ERR_INTERNAL, "the graph is larger than memory; please report this bug");
  MS_TRY(ms_binary_writer_begin(&w, out, &header, &layout, err));
  for (int s = 0; s < MS_TYPED_NAMES; s++)
    ms_binary_put_section(&w, sections[s], layout.bytes[s]);
  for (int t = 0; t < MS_TYPED_TABLES; t++)
    ms_binary_put_names(&w, &names[t].blocks);
  ms_binary_writer_end(&w, &layout);
  return MS_OK;
}

static ms_status write_typed(const ms_typed *graph, ms_outfile *out, ms_error *err)
{
  const ms_names *const tables[MS_TYPED_TABLES] = {graph->names, graph->vertex_types,
                                                   graph->arc_types};
  ms_binary_names names[MS_TYPED_TABLES] = {0};
  ms_status status = ms_binary_check_processor(err);
  for (int t = 0; t < MS_TYPED_TABLES && status == MS_OK; t++)
    status = ms_binary_lay_out_names(tables[t], &names[t], err);
  if (status == MS_OK)
    status = write_sections(graph, names, out, err);
  for (int t = 0; t < MS_TYPED_TABLES; t++)
    ms_free(names[t].own);
  return status;
}

ms_status ms_typed_write_binary(const ms_typed *graph, const char *path, ms_error *err)
{
  MS_REQUIRE(graph, err);
  MS_REQUIRE(path, err);
  ms_outfile *out;
  MS_TRY(ms_outfile_open(path, &out, err));
  ms_outfile_watch(out);
  ms_status status = write_typed(graph, out, err);
  if (status == MS_OK)
    return ms_outfile_commit(out, err);
  ms_outfile_abort(out);
  return status;
}

/* Writes a plain graph as ms_typed_from_graph types it. */
static ms_status write_plain(const ms_graph *graph, const ms_coloring *coloring, ms_outfile *out,
                             ms_error *err)
{
  ms_typed *typed = NULL;
  ms_status status = ms_typed_from_graph(graph, coloring, 0, &typed, err);
  if (status == MS_OK)
    status = write_typed(typed, out, err);
  ms_typed_free(typed);
  return status;
}

const ms_format ms_format_typed_binary = {
    .info = {.name = "typed-binary",
             .about = "motifsieve's own format for typed graphs, mapped into memory instead of "
                      "read, with checksums; types of vertices become colours, and types of edges "
                      "are dropped",
             .example = "",
             .suffix = ".mst",
             .writable = true,
             .holds_colors = true},
    .typed = {.name = "typed-binary",
              .about = "motifsieve's own format for typed graphs, mapped into memory instead of "
                       "read, with checksums",
              .example = ""},
    .options = MS_HAS_DIRECTION,
    .load = load_plain,
    .write = write_plain};
