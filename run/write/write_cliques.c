/* Writes the numbers of cliques of several sizes. */
#include "base/alloc.h"
#include "base/numbers.h"
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
