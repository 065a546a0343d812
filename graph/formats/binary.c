/* The binary format of motifsieve: the graph's arrays as they are in memory, so that a plain
 * file is mapped and used in place; docs/FORMATS.md, "binary".  Loading reads each byte twice, in
 * order: once for the checksums, once for the checks of binary_check.c.  Both share their work
 * among threads. */
#include "graph/formats/binary.h"
#include "base/alloc.h"
#include "base/crc32c.h"
#include "base/parallel.h"
#include "base/serial.h"
#include "base/status.h"
#include "base/threads.h"
#include "graph/formats/format.h"

#include <string.h>

/* Files are little-endian, and their arrays are used as they are. */
static bool little_endian(void)
{
  const uint16_t one = 1;
  return *(const unsigned char *)&one == 1;
}

static ms_status fail_endianness(ms_error *err)
{
  return ms_fail(err, MS_ERR_USAGE,
                 "the binary format needs a little-endian processor; choose another format");
}

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
  uint64_t at = sizeof *h;
  for (int s = 0; s < MS_BINARY_SECTIONS; s++) {
    uint64_t bytes;
    layout->at[s] = at;
    if (__builtin_mul_overflow(counts[s], sizes[s], &bytes) ||
        __builtin_add_overflow(at, bytes, &at) ||
        __builtin_add_overflow(at, MS_BINARY_ALIGN - 1, &at))
      return false;
    layout->bytes[s] = bytes;
    at = at / MS_BINARY_ALIGN * MS_BINARY_ALIGN;
  }
  layout->body = at;
  layout->chunks = (at - 1) / MS_BINARY_CHUNK + 1;
  return !__builtin_add_overflow(at, 4 * (layout->chunks + 1), &layout->file_bytes);
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

static ms_status damaged(const char *label, const char *where, ms_error *err)
{
  return ms_fail(err, MS_ERR_INPUT, "%s: is damaged %s; copy or download the file again", label,
                 where);
}

/* Checks the part that is the same in every version. */
static ms_status check_frame(const char *label, const ms_binary_header *h, ms_error *err)
{
  if (memcmp(h->magic, MS_BINARY_MAGIC, 4) != 0)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: is not a binary graph file of motifsieve; leave out `format`, or make one "
                   "with ms_graph_write or 'motifsieve convert'",
                   label);
  if (memcmp(h->magic, MS_BINARY_MAGIC, MS_BINARY_MAGIC_BYTES) != 0)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: was damaged in transfer, probably by a conversion of line ends; transfer "
                   "it as binary data",
                   label);
  if (h->order == __builtin_bswap32(MS_BINARY_ORDER))
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: was written in the opposite (big-endian) byte order; create it again with "
                   "'motifsieve convert' on a little-endian machine",
                   label);
  if (h->order != MS_BINARY_ORDER ||
      ms_crc32c(0, h, offsetof(ms_binary_header, crc32c)) != h->crc32c)
    return damaged(label, "in its header", err);
  if (h->version > MS_BINARY_VERSION)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: was written by a newer version of motifsieve (format %u, this one reads up "
                   "to %u); update motifsieve, or convert the graph with this one",
                   label, h->version, MS_BINARY_VERSION);
  return MS_OK;
}

/* Can a table of names be probed?  It has a power of two of slots and is at most 3/4 full, unless
 * it was left out. */
static bool table_fits(uint32_t flags, uint32_t count, uint64_t slots)
{
  if (slots == 0 && (flags & MS_BINARY_NO_TABLE))
    return true;
  return slots > 0 && (slots & (slots - 1)) == 0 && count <= slots / 4 * 3;
}

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
  if (!table_fits(h->flags, h->vertices, h->name_slots))
    return "has a table of vertex names of an impossible size";
  if (colored && !table_fits(h->flags, h->colors, h->color_slots))
    return "has a table of colour names of an impossible size";
  if (!colored && (h->colors || h->color_bytes || h->color_slots || h->pairs))
    return "has colours, and says that it has none";
  return NULL;
}

static ms_status read_header(ms_text *text, ms_binary_header *header, ms_binary_layout *layout,
                             ms_error *err)
{
  const char *bytes;
  size_t length;
  MS_TRY(ms_text_head(text, sizeof *header, &bytes, &length, err));
  memset(header, 0, sizeof *header);
  memcpy(header, bytes, length < sizeof *header ? length : sizeof *header);
  if (length < sizeof *header && length >= 4 && memcmp(header->magic, MS_BINARY_MAGIC, 4) == 0)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: is cut off in its header; copy or download the file again", text->label);
  MS_TRY(check_frame(text->label, header, err));
  const char *problem = header_problem(header);
  if (!problem && !ms_binary_lay_out(header, layout))
    problem = "has sections that no memory can hold";
  if (!problem && layout->file_bytes != header->file_bytes)
    problem = "has sections that do not add up to its size";
  return problem ? ms_fail(err, MS_ERR_INPUT, "%s: %s; create the file again", text->label, problem)
                 : MS_OK;
}

typedef struct sum_check {
  const unsigned char *bytes;
  const uint32_t *stated; /* [chunks] */
  uint64_t body;          /* bytes */
  uint64_t bad;           /* the first chunk that is damaged, or UINT64_MAX */
} sum_check;

static void check_chunks(void *user, ms_range r)
{
  sum_check *s = user;
  for (uint64_t c = r.begin; c < r.end; c++) {
    uint64_t at = c * MS_BINARY_CHUNK, left = s->body - at;
    uint64_t before = __atomic_load_n(&s->bad, __ATOMIC_RELAXED);
    if (ms_crc32c(0, s->bytes + at, left < MS_BINARY_CHUNK ? left : MS_BINARY_CHUNK) ==
        s->stated[c])
      continue;
    while (c < before && !__atomic_compare_exchange_n(&s->bad, &before, c, true, __ATOMIC_RELAXED,
                                                      __ATOMIC_RELAXED))
      ;
  }
}

/* Compares the checksums of all chunks; *crc becomes the checksum of the whole file. */
static ms_status check_sums(const char *label, const ms_image *image,
                            const ms_binary_layout *layout, int threads, uint32_t *crc,
                            ms_error *err)
{
  const unsigned char *bytes = image->bytes;
  const uint32_t *stated = (const uint32_t *)(bytes + layout->body);
  sum_check s = {.bytes = bytes, .stated = stated, .body = layout->body, .bad = UINT64_MAX};
  if (ms_crc32c(0, stated, 4 * layout->chunks) != stated[layout->chunks])
    return damaged(label, "in its checksums", err);
  ms_parallel(threads, layout->chunks, 1, check_chunks, &s);
  if (s.bad != UINT64_MAX)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: is damaged somewhere in bytes %llu to %llu (wrong checksum); copy or "
                   "download the file again",
                   label, (unsigned long long)(s.bad * MS_BINARY_CHUNK),
                   (unsigned long long)((s.bad + 1) * MS_BINARY_CHUNK - 1));
  *crc = 0;
  for (uint64_t c = 0; c + 1 < layout->chunks; c++)
    *crc = ms_crc32c_combine(*crc, stated[c], MS_BINARY_CHUNK);
  *crc = ms_crc32c_combine(*crc, stated[layout->chunks - 1],
                           layout->body - (layout->chunks - 1) * MS_BINARY_CHUNK);
  *crc = ms_crc32c(*crc, stated, 4 * (layout->chunks + 1));
  return MS_OK;
}

/* Makes the names of a file: on its table, or with a table of our own where there is none. */
static ms_status make_names(const ms_binary *file, const ms_name_blocks *blocks, const char *what,
                            ms_names **out, ms_error *err)
{
  if (blocks->slots > 0)
    return ms_names_borrow(blocks, out, err);
  MS_TRY(ms_names_new(out, err));
  for (uint32_t id = 0; id < blocks->count; id++) {
    const char *name = blocks->pool + blocks->start[id];
    uint32_t given;
    MS_TRY(ms_names_add(*out, name, strlen(name), &given, err));
    if (given != id)
      return ms_fail(err, MS_ERR_INPUT,
                     "%s: the name of %s %u occurs a second time; create the file again with "
                     "names that differ",
                     file->label, what, id);
  }
  return MS_OK;
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
  ms_status status = make_names(file, &file->names, "vertex", &graph->names, err);
  if (status == MS_OK && colored) {
    graph->colors = (ms_pairs){(uint32_t(*)[2])file->pair, file->pairs, file->pairs};
    status = make_names(file, &file->colors, "colour", &graph->color_names, err);
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
  int threads = ms_threads(options->threads);
  if (!little_endian())
    return fail_endianness(err);
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
  status = check_sums(text->label, &image, &layout, threads, &text->crc32c, err);
  if (status == MS_OK)
    status = ms_binary_check(&file, threads, &max_degree, err);
  if (status == MS_OK)
    status = make_graph(&file, max_degree, header.flags & MS_BINARY_COLORED, &image, out, err);
  ms_image_free(&image);
  return status;
}

/* ---- writing ------------------------------------------------------------- */

typedef struct binary_writer {
  ms_outfile *out;
  uint64_t at;    /* bytes written */
  uint32_t sum;   /* of the chunk that has begun */
  uint32_t *sums; /* of the chunks in front of it */
} binary_writer;

static void put(binary_writer *w, const void *data, uint64_t bytes)
{
  const char *from = data;
  ms_outfile_write(w->out, from, bytes);
  if (ms_outfile_failed(w->out))
    return;
  while (bytes > 0) {
    uint64_t left = MS_BINARY_CHUNK - w->at % MS_BINARY_CHUNK, part = bytes < left ? bytes : left;
    w->sum = ms_crc32c(w->sum, from, part);
    w->at += part;
    from += part;
    bytes -= part;
    if (w->at % MS_BINARY_CHUNK == 0) {
      w->sums[w->at / MS_BINARY_CHUNK - 1] = w->sum;
      w->sum = 0;
    }
  }
}

/* Writes zeros up to the beginning of the next section. */
static void end_section(binary_writer *w)
{
  static const char zeros[MS_BINARY_ALIGN];
  put(w, zeros, (MS_BINARY_ALIGN - w->at % MS_BINARY_ALIGN) % MS_BINARY_ALIGN);
}

static void put_section(binary_writer *w, const void *data, uint64_t bytes)
{
  if (bytes > 0)
    put(w, data, bytes);
  end_section(w);
}

static void put_names(binary_writer *w, const ms_name_blocks *names)
{
  put_section(w, names->start, names->count * sizeof *names->start);
  put_section(w, names->pool, names->pool_bytes);
  put_section(w, names->table, names->slots * sizeof *names->table);
}

static void put_pairs(binary_writer *w, const ms_coloring *coloring)
{
  for (uint32_t v = 0; v < coloring->n; v++)
    for (uint64_t i = coloring->offset[v]; i < coloring->offset[v + 1]; i++) {
      uint32_t pair[2] = {v, coloring->color[i]};
      put(w, pair, sizeof pair);
    }
  end_section(w);
}

static void put_sums(binary_writer *w, const ms_binary_layout *layout)
{
  if (w->at % MS_BINARY_CHUNK != 0)
    w->sums[layout->chunks - 1] = w->sum;
  uint32_t last = ms_crc32c(0, w->sums, layout->chunks * sizeof *w->sums);
  ms_outfile_write(w->out, w->sums, layout->chunks * sizeof *w->sums);
  ms_outfile_write(w->out, &last, sizeof last);
}

/* A table of names as the file holds it. */
typedef struct file_names {
  ms_name_blocks blocks;
  ms_name_slot *own; /* the table, if it was made for the file */
} file_names;

static ms_status lay_out_names(const ms_names *names, file_names *out, ms_error *err)
{
  out->blocks = ms_names_blocks(names);
  if (out->blocks.table)
    return MS_OK;
  MS_TRY(ms_names_file_table(names, &out->own, &out->blocks.slots, err));
  out->blocks.table = out->own;
  return MS_OK;
}

static ms_binary_header make_header(const ms_graph *graph, const ms_name_blocks *names,
                                    const ms_coloring *coloring, const ms_name_blocks *colors)
{
  ms_binary_header h = {.order = MS_BINARY_ORDER,
                        .version = graph->score ? MS_BINARY_VERSION : 1,
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
  header.file_bytes = layout.file_bytes;
  header.crc32c = ms_crc32c(0, &header, offsetof(ms_binary_header, crc32c));
  binary_writer w = {.out = out, .sums = ms_alloc(layout.chunks, sizeof *w.sums)};
  if (!w.sums)
    return ms_fail_memory(err, "checksums");
  put(&w, &header, sizeof header);
  put_section(&w, graph->offset, layout.bytes[MS_BINARY_OFFSETS]);
  put_section(&w, graph->neighbor, layout.bytes[MS_BINARY_NEIGHBORS]);
  put_names(&w, names);
  if (coloring) {
    put_names(&w, colors);
    put_pairs(&w, coloring);
  }
  put_section(&w, graph->score, layout.bytes[MS_BINARY_SCORES]);
  put_sums(&w, &layout);
  ms_free(w.sums);
  return MS_OK;
}

static ms_status write_binary(const ms_graph *graph, const ms_coloring *coloring, ms_outfile *out,
                              ms_error *err)
{
  file_names names = {0}, colors = {0};
  if (!little_endian())
    return fail_endianness(err);
  ms_status status = lay_out_names(graph->names, &names, err);
  if (status == MS_OK && coloring)
    status = lay_out_names(coloring->names, &colors, err);
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
