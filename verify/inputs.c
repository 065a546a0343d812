/* The inputs of a result, read as its header says, against what it says. */
#include "base/status.h"
#include "verify/certificate.h"

/* Each setting is the caller's where he gave it, else the header's. */
static ms_graph_options graph_options(const ms_certificate *c)
{
  const ms_graph_options *stated = &c->result.header.graph;
  ms_graph_options o = c->options->graph;
  o.format = o.format ? o.format : stated->format;
  o.min_score = o.min_score != 0 ? o.min_score : stated->min_score;
  o.keep_taxon = o.keep_taxon || stated->keep_taxon;
  o.header = o.header || stated->header;
  o.taxon = o.taxon ? o.taxon : stated->taxon;
  o.system = o.system ? o.system : stated->system;
  o.names = o.names ? o.names : stated->names;
  o.directed = o.directed || stated->directed;
  return o;
}

static ms_color_options color_options(const ms_certificate *c)
{
  const ms_color_options *stated = &c->result.header.coloring;
  ms_color_options o = c->options->colors;
  o.format = o.format ? o.format : stated->format;
  o.aspects = o.aspects ? o.aspects : stated->aspects;
  o.header = o.header || stated->header;
  o.name_column = o.name_column ? o.name_column : stated->name_column;
  o.color_column = o.color_column ? o.color_column : stated->color_column;
  o.slim = o.slim ? o.slim : stated->slim;
  return o;
}

ms_status ms_check_given(const ms_certificate *c, const char *option, bool given, const char *path,
                         ms_error *err)
{
  if (path && !given) {
    return ms_fail(err, MS_ERR_USAGE, "%s: the result was made with %s %.200s; give it",
                   c->result.path, option, path);
  }
  if (given && !path) {
    return ms_fail(err, MS_ERR_USAGE, "%s: the result was made without %s; leave it out",
                   c->result.path, option);
  }
  return MS_OK;
}

static ms_status check_all_given(const ms_certificate *c, const char *colors_path, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  bool from_graph = h->colors_path && h->coloring.format == MS_COLORS_GRAPH;
  if (from_graph && colors_path) {
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: the result took its colours from the graph file; leave out --colors",
                   c->result.path);
  }
  ms_status status =
      ms_check_given(c, "--colors", colors_path != NULL, from_graph ? NULL : h->colors_path, err);
  if (status == MS_OK) {
    status = ms_check_given(c, "--alias", c->options->aliases != NULL, h->alias.path, err);
  }
  if (status == MS_OK) {
    status = ms_check_given(c, "--obo", c->options->colors.obo != NULL, h->obo.path, err);
  }
  if (status == MS_OK && !h->coloring.slim) {
    status = ms_check_given(c, "--slim", c->options->colors.slim != NULL, h->slim.path, err);
  }
  return status;
}

ms_status ms_check_count(ms_certificate *c, ms_part part, const char *path, const char *what,
                         uint64_t actual, uint64_t stated)
{
  if (actual == stated) {
    return MS_OK;
  }
  return ms_result_refuse(&c->result, c->result.header.line[part],
                          "%.200s has %llu %s, the header says %llu", path,
                          (unsigned long long)actual, what, (unsigned long long)stated);
}

ms_status ms_check_crc32c(ms_certificate *c, ms_part part, const char *kind, const char *path,
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

ms_status ms_refuse_words(ms_certificate *c, ms_part part, ms_status status, const ms_error *reason,
                          ms_error *err)
{
  if (status == MS_ERR_USAGE || status == MS_ERR_INPUT) {
    return ms_result_refuse(&c->result, c->result.header.line[part], "%s", reason->message);
  }
  return ms_fail(err, status, "%s", reason->message);
}

static ms_status open_aliases(ms_certificate *c, ms_error *err)
{
  ms_alias_info info;
  if (!c->options->aliases) {
    return MS_OK;
  }
  ms_status status = ms_graph_read_aliases(c->graph, c->options->aliases, &info, err);
  if (status != MS_OK) {
    return status;
  }
  return ms_check_crc32c(c, MS_PART_ALIAS, "alias", c->options->aliases, info.crc32c,
                         c->result.header.alias.crc32c);
}

/* A reader's MS_ERR_USAGE, where all settings are the header's, is one about
 * the header. */
static ms_status pass_reading(ms_certificate *c, ms_part part, bool all_stated, ms_status status,
                              const ms_error *reason, ms_error *err)
{
  return status == MS_ERR_USAGE && all_stated ? ms_refuse_words(c, part, status, reason, err)
                                              : ms_fail(err, status, "%s", reason->message);
}

static ms_status open_graph(ms_certificate *c, const char *path, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  const ms_graph_options *own = &c->options->graph;
  ms_graph_options options = graph_options(c);
  ms_error reason;
  ms_status status = ms_graph_read(path, &options, &c->graph, &reason);
  if (status != MS_OK) {
    bool all_stated = !own->format && own->min_score == 0 && !own->keep_taxon && !own->header &&
                      !own->taxon && !own->system && !own->names && !own->directed;
    return pass_reading(c, MS_PART_GRAPH, all_stated, status, &reason, err);
  }
  ms_graph_info info = ms_graph_describe(c->graph);
  status = ms_check_crc32c(c, MS_PART_GRAPH, "graph", path, info.crc32c, h->graph_crc32c);
  if (status == MS_OK) {
    status = ms_check_count(c, MS_PART_GRAPH, path, "vertices", info.vertices, h->vertices);
  }
  if (status == MS_OK) {
    status = ms_check_count(c, MS_PART_GRAPH, path, "edges", info.edges, h->edges);
  }
  return status == MS_OK ? open_aliases(c, err) : status;
}

/* The ontology and the slim that the colours were read with. */
static ms_status check_color_files(ms_certificate *c, const ms_coloring_info *info)
{
  const ms_result_header *h = &c->result.header;
  const ms_color_options *own = &c->options->colors;
  if (info->slim_is_file != (h->slim.path != NULL)) {
    return ms_result_refuse(&c->result, h->line[MS_PART_COLORS],
                            "the slim '%.200s' is %s, the header's is %s",
                            own->slim ? own->slim : h->coloring.slim,
                            info->slim_is_file ? "a file" : "a subset of the ontology",
                            info->slim_is_file ? "none" : "a file");
  }
  ms_status status = MS_OK;
  if (h->obo.path) {
    status = ms_check_crc32c(c, MS_PART_OBO, "ontology", own->obo, info->obo_crc32c, h->obo.crc32c);
  }
  if (status == MS_OK && h->slim.path) {
    status = ms_check_crc32c(c, MS_PART_SLIM, "slim", own->slim, info->slim_crc32c, h->slim.crc32c);
  }
  return status;
}

static ms_status open_colors(ms_certificate *c, const char *path, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  const ms_color_options *own = &c->options->colors;
  ms_color_options options = color_options(c);
  ms_error reason;
  ms_status status = path ? ms_coloring_read(path, c->graph, &options, &c->coloring, &reason)
                          : ms_coloring_from_graph(c->graph, &c->coloring, &reason);
  if (status != MS_OK) {
    bool all_stated = !own->format && !own->aspects && !own->header && !own->name_column &&
                      !own->color_column && !own->slim;
    return pass_reading(c, MS_PART_COLORS, all_stated, status, &reason, err);
  }
  ms_coloring_info info = ms_coloring_describe(c->coloring);
  path = info.path; /* the graph's, where the colours are its own */
  status = ms_check_crc32c(c, MS_PART_COLORS, "colour", path, info.crc32c, h->colors_crc32c);
  if (status == MS_OK) {
    status = check_color_files(c, &info);
  }
  if (status == MS_OK) {
    status = ms_check_count(c, MS_PART_COLORS, path, "colours", info.colors, h->colors);
  }
  if (status == MS_OK) {
    status = ms_check_count(c, MS_PART_COLORS, path, "colour assignments", info.assignments,
                            h->assignments);
  }
  return status;
}

ms_status ms_check_inputs(ms_certificate *c, const char *graph_path, const char *colors_path,
                          ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  ms_status status = check_all_given(c, colors_path, err);
  if (status == MS_OK) {
    status = open_graph(c, graph_path, err);
  }
  /* pattern matches may be without colours */
  if (status == MS_OK && (!h->is_pattern || h->colors_path)) {
    status = open_colors(c, colors_path, err);
  }
  return status;
}
