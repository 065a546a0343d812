/* Times how rows of a pattern become a file, without the search that finds them.
 *
 *   row_writing THREADS GRAPH PATTERN LIMIT REPEATS FILE...
 *
 * The first LIMIT matches of PATTERN, a built-in name or edges (0-1,1-2,2-0), are found once and
 * then written to each FILE, REPEATS times in turn: as a binary result if the name has `.bin`, else
 * as a table; compressed if it ends in .gz or .zst.  Rows come in portions of 4,096, as from a
 * search.  One line a file:
 * FILE<TAB>ROWS<TAB>IDS<TAB>TEXT<TAB>FILE BYTES<TAB>SECONDS<TAB>PROCESSOR<TAB>NS<TAB>GB OF
 * IDS<TAB>GB OF TEXT. IDS: the bytes of the rows as 4-byte vertices; TEXT: the bytes before
 * compression; PROCESSOR: seconds of all threads; NS: processor time of a row; GB OF: billions of
 * bytes a second of SECONDS, from the first row to the finished file. */
#include <stdio.h> /* before gmp.h, which declares mpz_out_str only then */

#include "base/status.h"
#include "bench/harness.h"
#include "bench/match/pattern_runs.h"
#include "graph/graph.h"
#include "match/index.h"
#include "result/writer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

enum { PORTION = 4096 };

typedef struct rows {
  const ms_pattern_index *index;
  const ms_pattern *pattern;
  const ms_pattern_result *result;
  int threads;
} rows;

static double processor_seconds(void)
{
  struct rusage r;
  getrusage(RUSAGE_SELF, &r);
  return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
         1e-6 * (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
}

static void describe(const rows *r, ms_result_header *h)
{
  static const ms_graph_options reading = MS_GRAPH_OPTIONS_DEFAULT;
  h->kind = MS_KIND_PATTERN;
  h->status = MS_RESULT_COMPLETE;
  ms_describe_graph(h, r->index->graph, &reading);
  ms_describe_pattern(h, r->pattern);
  h->pattern.automorphisms = r->result->automorphisms_text;
  h->pattern.engine = r->result->run.engine;
}

/* Writes all rows; *text: the bytes before compression. */
static ms_status write_rows(const rows *r, ms_writer *w, uint64_t *text, ms_error *err)
{
  const ms_pattern_result *all = r->result;
  ms_outfile_set_threads(w->out, r->threads);
  describe(r, &w->header);
  MS_TRY(ms_writer_begin(w, r->index->graph->names, err));
  for (uint64_t at = 0; at < all->matches; at += PORTION)
    ms_writer_matches(w, all->vertices + at * all->p, NULL,
                      all->matches - at < PORTION ? all->matches - at : PORTION);
  ms_status status = ms_writer_end(w, err);
  *text = ms_outfile_bytes(w->out);
  return status;
}

static ms_status measure(const rows *r, const char *path, ms_error *err)
{
  const ms_pattern_result *all = r->result;
  ms_writer w;
  struct stat file = {0};
  uint64_t text = 0;
  double begin = ms_seconds(), cpu = processor_seconds();
  ms_status status =
      ms_writer_open(&w, path, strstr(path, ".bin") ? &ms_encoding_binary : &ms_encoding_tsv, err);
  if (status == MS_OK)
    status = write_rows(r, &w, &text, err);
  MS_TRY(ms_writer_close(&w, status, err));
  double seconds = ms_seconds() - begin, ids = (double)(all->matches * all->p * sizeof(uint32_t));
  cpu = processor_seconds() - cpu;
  (void)stat(path, &file); /* of size 0 if it is not there */
  printf("%s\t%" PRIu64 "\t%.0f\t%" PRIu64 "\t%lld\t%.4f\t%.4f\t%.1f\t%.3f\t%.3f\n", path,
         all->matches, ids, text, (long long)file.st_size, seconds, cpu,
         1e9 * cpu / (double)all->matches, 1e-9 * ids / seconds, 1e-9 * (double)text / seconds);
  fflush(stdout);
  return MS_OK;
}

/* Finds the rows, and measures each file in turn. */
static ms_status run(char **argv, int files, ms_graph *graph, rows *r, ms_error *err)
{
  ms_pattern_options o = MS_PATTERN_OPTIONS_DEFAULT;
  ms_pattern_index *index = NULL;
  ms_pattern *pattern = NULL;
  ms_pattern_result *result = NULL;
  o.screen.run.threads = r->threads;
  o.limit = strtoull(argv[4], NULL, 10);
  ms_status status = ms_pattern_index_new(graph, NULL, r->threads, &index, err);
  if (status == MS_OK)
    status = bench_pattern_of(argv[3], &pattern, err);
  if (status == MS_OK)
    status = ms_pattern_list(index, pattern, &o, &result, err);
  r->index = index;
  r->pattern = pattern;
  r->result = result;
  for (int i = 0, repeats = atoi(argv[5]); status == MS_OK && i < repeats * files; i++)
    status = measure(r, argv[6 + i % files], err);
  ms_pattern_result_free(result);
  ms_pattern_free(pattern);
  ms_pattern_index_free(index);
  return status;
}

int main(int argc, char **argv)
{
  ms_graph *graph = NULL;
  ms_error err;
  if (argc < 7) {
    fprintf(stderr, "usage: row_writing THREADS GRAPH PATTERN LIMIT REPEATS FILE...\n");
    return 2;
  }
  rows r = {.threads = atoi(argv[1])};
  ms_status status = ms_graph_read(argv[2], NULL, &graph, &err);
  if (status == MS_OK)
    status = run(argv, argc - 6, graph, &r, &err);
  ms_graph_free(graph);
  return status == MS_OK ? 0 : bench_fail("row_writing", &err);
}
