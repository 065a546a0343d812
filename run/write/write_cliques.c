/* Writes the numbers of cliques of several sizes. */
#include "base/alloc.h"
#include "base/file/outfile.h"
#include "base/numbers.h"
#include "base/options.h"
#include "base/status.h"
#include "graph/graph.h"
#include "match/index.h"
#include "run/run.h"
#include "run/write/write.h"

#include <gmp.h>
#include <stdio.h>

/* Writes the number of cliques of one size. */
static ms_status put_size(ms_writing *w, uint32_t size, const char *number, ms_error *err)
{
  ms_result_header *h = &w->writer.header;
  char *automorphisms = NULL, *embeddings = NULL;
  mpz_t maps, order;
  if (w->options.form == MS_FORM_TSV) {
    ms_outfile_printf(w->writer.out, "%u\t", size);
    return ms_writing_number(w, number, err);
  }
  mpz_init_set_str(maps, number, 10);
  mpz_init(order);
  mpz_fac_ui(order, size);
  mpz_mul(maps, maps, order);
  ms_status status = ms_number_text(order, &automorphisms, err);
  if (status == MS_OK)
    status = ms_number_text(maps, &embeddings, err);
  h->clique_size = size;
  h->subgraphs = number;
  h->embeddings = embeddings;
  h->pattern.automorphisms = automorphisms;
  if (status == MS_OK)
    status = ms_writing_number(w, number, err);
  ms_free(automorphisms);
  ms_free(embeddings);
  mpz_clear(maps);
  mpz_clear(order);
  return status;
}

/* A line with the sizes, then a line for each vertex. */
static void put_vertices(ms_outfile *out, const ms_graph *graph, const ms_clique_counts *r)
{
  uint32_t sizes = r->most - r->least + 1;
  ms_outfile_puts(out, "vertex");
  for (uint32_t i = r->least; i <= r->most; i++)
    ms_outfile_printf(out, "\t%u", i);
  ms_outfile_puts(out, "\n");
  for (uint32_t v = 0; v < r->vertices && !ms_outfile_failed(out); v++) {
    ms_outfile_puts(out, ms_graph_name(graph, v));
    for (uint32_t i = 0; i < sizes; i++)
      ms_outfile_printf(out, "\t%llu", (unsigned long long)r->of_vertex[(size_t)v * sizes + i]);
    ms_outfile_puts(out, "\n");
  }
}

static ms_status write_vertices(const ms_graph *graph, const ms_clique_counts *r,
                                const ms_write_options *options, const char *path, ms_error *err)
{
  ms_write_options o;
  ms_outfile *out;
  MS_TRY(ms_options_take(&ms_write_options_kind, options, &o, err));
  MS_TRY(ms_writing_check_result("vertices", r->vertices, graph->n, err));
  if (o.form != MS_FORM_TSV)
    return ms_fail(err, MS_ERR_USAGE,
                   "the cliques of each vertex are a plain table, which is TSV; write TSV");
  if (r->run.stopped != MS_OK)
    return ms_fail(err, r->run.stopped,
                   "the cliques were not counted to the end, and a table of vertices has no place "
                   "to say so; nothing is written");
  MS_TRY(ms_outfile_open(path, &out, err));
  put_vertices(out, graph, r);
  return ms_outfile_commit(out, err);
}

ms_status ms_clique_counts_write(const ms_pattern_index *index, const ms_clique_counts *counts,
                                 const ms_write_options *options, const char *path, ms_error *err)
{
  ms_writing w;
  MS_REQUIRE(index, err);
  MS_REQUIRE(counts, err);
  MS_REQUIRE(path, err);
  if (!counts->count_text || counts->least < 1 || counts->most > MS_MAX_PATTERN)
    return ms_fail(err, MS_ERR_USAGE,
                   "these are no numbers of cliques; take them from ms_clique_counts_new");
  if (counts->of_vertex)
    return write_vertices(index->graph, counts, options, path, err);
  MS_TRY(ms_writing_open(&w, MS_KIND_PATTERN, index->graph->n, options, path, err));
  ms_describe_graph(&w.writer.header, index->graph, &w.graph);
  w.writer.header.pattern.engine = counts->run.engine;
  ms_writing_settle(&w, counts->run.stopped, 0, 0);
  ms_numbers_begin();
  ms_status status = MS_OK;
  for (uint32_t i = counts->least; status == MS_OK && i <= counts->most; i++)
    status = put_size(&w, i, counts->count_text[i - counts->least], err);
  ms_numbers_end();
  return ms_writing_close(&w, status, err);
}
