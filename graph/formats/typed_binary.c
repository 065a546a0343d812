/* The binary format of typed graphs: the graph's arrays as they are in memory, so that a plain file
 * is mapped and used in place; docs/FORMATS.md, "typed-binary".  Loading reads each byte twice, in
 * order: once for the checksums, once for the checks of typed_binary_check.c.  Both share their
 * work among threads. */
#include "graph/formats/typed_binary.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads.h"
#include "graph/formats/format.h"
#include "graph/formats/typed_plain.h"

#include <string.h>

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
  int threads = ms_threads(options->threads);
  MS_TRY(ms_binary_check_processor(err));
  MS_TRY(read_header(text, &header, &layout, err));
  MS_TRY(ms_image_read(text, layout.file_bytes, &image, err));
  ms_typed_binary file = view(&header, &layout, &image, text->label);
  ms_status status =
      ms_binary_check_sums(text->label, &image, &layout, threads, &text->crc32c, err);
  if (status == MS_OK)
    status = ms_typed_binary_check(&file, threads, &counts, err);
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
  const ms_typed_options typed = {.size = sizeof typed, .threads = options->threads};
  ms_typed *graph = NULL;
  ms_status status = ms_typed_binary_load(path, text, &typed, &graph, err);
  if (status == MS_OK)
    status = ms_typed_as_plain_graph(graph, options->directed, options->threads, out, err);
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
