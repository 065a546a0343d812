/* ms_verify_file: the header against the inputs, then the rows, then the
 * recount. */
#include "verify/certificate.h"

#include "base/alloc.h"
#include "base/status.h"
#include "verify/bound.h"

#include <string.h>

/* The caller's options where any is set, else the header's. */
static ms_graph_options graph_options(const ms_certificate *c)
{
  const ms_graph_options *own = &c->options->graph;
  bool set = own->format || own->min_score > 0 || own->keep_taxon || own->header;
  return set ? *own : c->result.header.graph;
}

static ms_color_options color_options(const ms_certificate *c)
{
  const ms_color_options *own = &c->options->colors;
  bool set = own->format || own->aspects || own->header;
  return set ? *own : c->result.header.coloring;
}

/* Two numbers of an input that the header states, too. */
static ms_status check_count(ms_certificate *c, ms_part part, const char *path, const char *what,
                             uint64_t actual, uint64_t stated)
{
  if (actual == stated) {
    return MS_OK;
  }
  return ms_result_refuse(&c->result, c->result.header.line[part],
                          "%.200s has %llu %s, the header says %llu", path,
                          (unsigned long long)actual, what, (unsigned long long)stated);
}

static ms_status check_crc32c(ms_certificate *c, ms_part part, const char *kind, const char *path,
                              uint32_t actual, uint32_t stated)
{
  if (actual == stated) {
    return MS_OK;
  }
  return ms_result_refuse(&c->result, c->result.header.line[part],
                          "%.200s is not the %s file that the result was made from: its CRC-32C "
                          "is %08x, the header says %08x",
                          path, kind, actual, stated);
}

static ms_status open_graph(ms_certificate *c, const char *path, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  ms_graph_options options = graph_options(c);
  ms_status status = ms_graph_read(path, &options, &c->graph, err);
  if (status != MS_OK) {
    return status;
  }
  ms_graph_info info = ms_graph_describe(c->graph);
  status = check_crc32c(c, MS_PART_GRAPH, "graph", path, info.crc32c, h->graph_crc32c);
  if (status == MS_OK) {
    status = check_count(c, MS_PART_GRAPH, path, "vertices", info.vertices, h->vertices);
  }
  if (status == MS_OK) {
    status = check_count(c, MS_PART_GRAPH, path, "edges", info.edges, h->edges);
  }
  return status;
}

static ms_status open_colors(ms_certificate *c, const char *path, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  ms_color_options options = color_options(c);
  ms_status status = ms_coloring_read(path, c->graph, &options, &c->coloring, err);
  if (status != MS_OK) {
    return status;
  }
  ms_coloring_info info = ms_coloring_describe(c->coloring);
  status = check_crc32c(c, MS_PART_COLORS, "colour", path, info.crc32c, h->colors_crc32c);
  if (status == MS_OK) {
    status = check_count(c, MS_PART_COLORS, path, "colours", info.colors, h->colors);
  }
  if (status == MS_OK) {
    status = check_count(c, MS_PART_COLORS, path, "colour assignments", info.assignments,
                         h->assignments);
  }
  return status;
}

/* Refuse with the reason that a constructor gave for bad words in the header;
 * other failures are passed on. */
static ms_status refuse_words(ms_certificate *c, ms_part part, ms_status status,
                              const ms_error *reason, ms_error *err)
{
  if (status == MS_ERR_USAGE || status == MS_ERR_INPUT) {
    return ms_result_refuse(&c->result, c->result.header.line[part], "%s", reason->message);
  }
  return ms_fail(err, status, "%s", reason->message);
}

static ms_status make_query(ms_certificate *c, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  ms_error reason;
  ms_status status = ms_motif_parse(h->motif, c->coloring, &c->motif, &reason);
  if (status != MS_OK) {
    return refuse_words(c, MS_PART_MOTIF, status, &reason, err);
  }
  if (strcmp(ms_motif_text(c->motif), h->motif) != 0) {
    return ms_result_refuse(&c->result, h->line[MS_PART_MOTIF],
                            "the motif is not written in its canonical form '%.300s'",
                            ms_motif_text(c->motif));
  }
  if (ms_motif_size(c->motif) != h->k) {
    return ms_result_refuse(&c->result, h->line[MS_PART_K], "the motif has %u slots, not %u",
                            ms_motif_size(c->motif), h->k);
  }
  status =
      ms_query_new(c->graph, c->coloring, c->motif, h->n_required, h->required, &c->query, &reason);
  return status == MS_OK ? MS_OK : refuse_words(c, MS_PART_REQUIRED, status, &reason, err);
}

static ms_status check_all(ms_certificate *c, const char *result_path, const char *graph_path,
                           const char *colors_path, ms_error *err)
{
  ms_status status = ms_result_open(&c->result, result_path, err);
  if (status == MS_OK) {
    c->report->is_screen = c->result.header.is_screen;
    status = open_graph(c, graph_path, err);
  }
  if (status == MS_OK) {
    status = open_colors(c, colors_path, err);
  }
  if (status == MS_OK) {
    status = make_query(c, err);
  }
  if (status == MS_OK) {
    status = ms_check_bound(&c->result, &c->certain);
    c->report->probabilistic = !c->certain;
  }
  if (status == MS_OK) {
    status = ms_check_rows(c, err);
  }
  return status == MS_OK ? ms_check_by_recount(c, err) : status;
}

ms_status ms_verify_file(const char *result_path, const char *graph_path, const char *colors_path,
                         const ms_verify_options *options, ms_verify_report *report, ms_error *err)
{
  static const ms_verify_options defaults;
  ms_certificate c = {.options = options ? options : &defaults, .report = report};
  memset(report, 0, sizeof *report);
  ms_status status = check_all(&c, result_path, graph_path, colors_path, err);
  report->accepted = status == MS_OK;
  if (c.result.refused) {
    memcpy(report->problem, c.result.problem, sizeof report->problem);
    status = MS_OK;
  }
  ms_query_free(c.query);
  ms_motif_free(c.motif);
  ms_coloring_free(c.coloring);
  ms_graph_free(c.graph);
  ms_free(c.matches);
  ms_free(c.row_of);
  ms_free(c.flagged);
  ms_result_close(&c.result);
  return status;
}
