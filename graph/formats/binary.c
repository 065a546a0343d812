/* The binary format of motifsieve: the graph's arrays as they are in memory, so that a plain
 * file is mapped and used in place; docs/FORMATS.md, "binary".  Loading reads the neighbours once,
 * and other bytes twice: for the checksums, and for the checks of binary_check.c.  Threads share
 * the work. */
#include "graph/formats/binary.h"
#include "base/alloc.h"
#include "base/serial.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "graph/formats/format.h"

#include <string.h>

/* ---- layout -------------------------------------------------------------- */

bool ms_binary_lay_out(const ms_binary_header *h, ms_binary_layout *layout)
{
  const uint64_t counts[MS_BINARY_SECTIONS] = {(uint64_t)h->vertices + 1,
                                               h->arcs,
                                               h->vertices,
                                               h->name_bytes,
                                               h->name_slots,
                                               h->colors,
                                               h->color_bytes,
                                               h->color_slots,
                                               h->pairs,
                                               h->flags & MS_BINARY_SCORED ? h->arcs : 0};
  static const uint64_t sizes[MS_BINARY_SECTIONS] = {8, 4, 8, 1, 16, 8, 1, 16, 8, 4};
  return ms_binary_lay_out_sections(MS_BINARY_SECTIONS, counts, sizes, layout);
}

static ms_binary view(const ms_binary_header *h, const ms_binary_layout *layout,
                      const ms_image *image, const char *label)
{
  const char *bytes = image->bytes;
  const uint64_t *at = layout->at;
  return (ms_binary){
      .label = label,
      .offset = (const uint64_t *)(bytes + at[MS_BINARY_OFFSETS]),
      .neighbor = (const uint32_t *)(bytes + at[MS_BINARY_NEIGHBORS]),
      .n = h->vertices,
      .arcs = h->arcs,
      .names = {h->vertices, (const uint64_t *)(bytes + at[MS_BINARY_NAME_STARTS]),
                bytes + at[MS_BINARY_NAME_POOL], h->name_bytes,
                (const ms_name_slot *)(bytes + at[MS_BINARY_NAME_TABLE]), h->name_slots},
      .colors = {h->colors, (const uint64_t *)(bytes + at[MS_BINARY_COLOR_STARTS]),
                 bytes + at[MS_BINARY_COLOR_POOL], h->color_bytes,
                 (const ms_name_slot *)(bytes + at[MS_BINARY_COLOR_TABLE]), h->color_slots},
      .pair = (const uint32_t(*)[2])(bytes + at[MS_BINARY_PAIRS]),
      .pairs = h->pairs,
      .score = h->flags & MS_BINARY_SCORED ? (const float *)(bytes + at[MS_BINARY_SCORES]) : NULL};
}

/* ---- reading ------------------------------------------------------------- */

/* Returns what is wrong with the numbers and flags, or NULL. */
static const char *header_problem(const ms_binary_header *h)
{
  bool colored = h->flags & MS_BINARY_COLORED;
  bool scored = h->flags & MS_BINARY_SCORED;
  const uint32_t known = MS_BINARY_COLORED | MS_BINARY_NO_TABLE | MS_BINARY_SCORED;
  uint32_t unused = h->version != (scored ? 2 : 1) || (h->flags & ~known);
  for (size_t i = 0; i < sizeof h->zero / sizeof *h->zero; i++)
    unused |= h->zero[i];
  if (unused)
    return "uses features that this version does not know";
  if (h->vertices > MS_MAX_NAMES || h->colors > MS_MAX_NAMES)
    return "has more names than there are ids";
  if (!ms_binary_table_fits(h->flags & MS_BINARY_NO_TABLE, h->vertices, h->name_slots))
    return "has a table of vertex names of an impossible size";
  if (colored && !ms_binary_table_fits(h->flags & MS_BINARY_NO_TABLE, h->colors, h->color_slots))
    return "has a table of colour names of an impossible size";
  if (!colored && (h->colors || h->color_bytes || h->color_slots || h->pairs))
    return "has colours, and says that it has none";
  return NULL;
}

static ms_status read_header(ms_text *text, ms_binary_header *header, ms_binary_layout *layout,
                             ms_error *err)
{
  static const ms_binary_kind kind = {.magic = MS_BINARY_MAGIC,
                                      .version = MS_BINARY_VERSION,
                                      .what = "a binary graph file of motifsieve",
                                      .how = "with ms_graph_write or 'motifsieve convert'"};
  MS_TRY(ms_binary_read_frame(text, &kind, header, err));
  const char *problem = header_problem(header);
  if (!problem && !ms_binary_lay_out(header, layout))
    problem = "has sections that no memory can hold";
  if (!problem && layout->file_bytes != header->file_bytes)
    problem = "has sections that do not add up to its size";
  return problem ? ms_fail(err, MS_ERR_INPUT, "%s: %s; create the file again", text->label, problem)
                 : MS_OK;
}

/* Makes a graph on the arrays of the file; it takes ownership of the image. */
static ms_status make_graph(const ms_binary *file, uint32_t max_degree, bool colored,
                            ms_image *image, ms_graph **out, ms_error *err)
{
  ms_graph *graph = ms_calloc(1, sizeof *graph);
  if (!graph)
    return ms_fail_memory(err, "a graph");
  graph->serial = ms_serial_next();
  graph->image = *image;
  *image = (ms_image){0};
  graph->n = file->n;
  graph->arcs = file->arcs;
  graph->offset = (uint64_t *)file->offset;
  graph->neighbor = (uint32_t *)file->neighbor;
  graph->info.vertices = file->n;
  graph->info.edges = file->arcs / 2;
  graph->info.max_degree = max_degree;
  graph->info.colored = colored;
  graph->score = (float *)file->score;
  graph->info.scored = file->score != NULL;
  ms_status status = ms_binary_make_names(file->label, &file->names, "vertex", &graph->names, err);
  if (status == MS_OK && colored) {
    graph->colors = (ms_pairs){(uint32_t(*)[2])file->pair, file->pairs, file->pairs};
    status = ms_binary_make_names(file->label, &file->colors, "colour", &graph->color_names, err);
  }
  if (status != MS_OK) {
    ms_graph_free(graph);
    return status;
  }
  *out = graph;
  return MS_OK;
}

static ms_status load_binary(const char *path, ms_text *text, const ms_graph_options *options,
                             ms_graph **out, ms_error *err)
{
  (void)path; /* text has it open */
  ms_binary_header header;
  ms_binary_layout layout;
  ms_image image = {0};
  uint32_t max_degree = 0;
  int threads = ms_threads(options->run.threads);
  MS_TRY(ms_binary_check_processor(err));
  ms_status status = read_header(text, &header, &layout, err);
  if (status == MS_OK && options->keep_scores && !(header.flags & MS_BINARY_SCORED))
    status = ms_fail(err, MS_ERR_INPUT,
                     "%s: scores are wanted, but the file has none; convert the graph again, with "
                     "`keep_scores`",
                     text->label);
  if (status == MS_OK)
    status = ms_image_read(text, layout.file_bytes, &image, err);
  if (status != MS_OK)
    return status;
  ms_binary file = view(&header, &layout, &image, text->label);
  status = ms_binary_check(&file, &image, &layout, threads, &max_degree, &text->crc32c, err);
  if (status == MS_OK)
    status = make_graph(&file, max_degree, header.flags & MS_BINARY_COLORED, &image, out, err);
  ms_image_free(&image);
  return status;
}

/* ---- writing ------------------------------------------------------------- */

static void put_pairs(ms_binary_writer *w, const ms_coloring *coloring)
{
  for (uint32_t v = 0; v < coloring->n; v++)
    for (uint64_t i = coloring->offset[v]; i < coloring->offset[v + 1]; i++) {
      uint32_t pair[2] = {v, coloring->color[i]};
      ms_binary_put(w, pair, sizeof pair);
    }
  ms_binary_end_section(w);
}

/* Writes the neighbours, and returns the pages of a temporary file to the system as it goes. */
static void put_neighbors(ms_binary_writer *w, const ms_graph *graph)
{
  const uint64_t piece = (uint64_t)1 << 24;
  for (uint64_t a = 0; a < graph->arcs; a += piece) {
    uint64_t count = graph->arcs - a < piece ? graph->arcs - a : piece;
    ms_binary_put(w, graph->neighbor + a, count * sizeof *graph->neighbor);
    ms_image_forget(&graph->rows, a * sizeof *graph->neighbor, count * sizeof *graph->neighbor);
  }
  ms_binary_end_section(w);
}

static ms_binary_header make_header(const ms_graph *graph, const ms_name_blocks *names,
                                    const ms_coloring *coloring, const ms_name_blocks *colors)
{
  ms_binary_header h = {.version = graph->score ? MS_BINARY_VERSION : 1,
                        .arcs = graph->arcs,
                        .vertices = graph->n,
                        .colors = colors->count,
                        .pairs = coloring ? coloring->offset[coloring->n] : 0,
                        .name_bytes = names->pool_bytes,
                        .name_slots = names->slots,
                        .color_bytes = colors->pool_bytes,
                        .color_slots = colors->slots,
                        .flags = (coloring ? MS_BINARY_COLORED : 0) |
                                 (graph->score ? MS_BINARY_SCORED : 0)};
  if (!names->table || (coloring && !colors->table))
    h.flags |= MS_BINARY_NO_TABLE;
  memcpy(h.magic, MS_BINARY_MAGIC, MS_BINARY_MAGIC_BYTES);
  return h;
}

static ms_status write_sections(const ms_graph *graph, const ms_coloring *coloring,
                                const ms_name_blocks *names, const ms_name_blocks *colors,
                                ms_outfile *out, ms_error *err)
{
  ms_binary_layout layout;
  ms_binary_header header = make_header(graph, names, coloring, colors);
  if (!ms_binary_lay_out(&header, &layout))
    return ms_fail(err, MS_ERR_INTERNAL, "the graph is larger than memory; please report this bug");
  ms_binary_writer w;
  MS_TRY(ms_binary_writer_begin(&w, out, &header, &layout, err));
  ms_binary_put_section(&w, graph->offset, layout.bytes[MS_BINARY_OFFSETS]);
  put_neighbors(&w, graph);
  ms_binary_put_names(&w, names);
  if (coloring) {
    ms_binary_put_names(&w, colors);
    put_pairs(&w, coloring);
  }
  ms_binary_put_section(&w, graph->score, layout.bytes[MS_BINARY_SCORES]);
  ms_binary_writer_end(&w, &layout);
  return MS_OK;
}

static ms_status write_binary(const ms_graph *graph, const ms_coloring *coloring, ms_outfile *out,
                              ms_error *err)
{
  ms_binary_names names = {0}, colors = {0};
  MS_TRY(ms_binary_check_processor(err));
  ms_status status = ms_binary_lay_out_names(graph->names, &names, err);
  if (status == MS_OK && coloring)
    status = ms_binary_lay_out_names(coloring->names, &colors, err);
  if (status == MS_OK)
    status = write_sections(graph, coloring, &names.blocks, &colors.blocks, out, err);
  ms_free(names.own);
  ms_free(colors.own);
  return status;
}

const ms_format ms_format_binary = {
    .info = {.name = "binary",
             .about = "motifsieve's own format, mapped into memory instead of read, with checksums",
             .example = "",
             .suffix = ".msb",
             .writable = true,
             .holds_colors = true,
             .holds_scores = true},
    .options = MS_HAS_KEPT_SCORES,
    .load = load_binary,
    .write = write_binary};
