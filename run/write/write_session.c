/* Writes what is found for many motifs: a table, and a file of rows with a section for each. */
#include "base/options.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "graph/graph.h"
#include "query/motif_set.h"
#include "result/json.h"
#include "run/session.h"
#include "run/write/write.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct session_files {
  ms_writing table, rows;
  bool has_rows;
  const ms_session *session;
  const ms_motif_set *motifs;
  const ms_screen_options *screen; /* of the run */
  uint64_t limit;                  /* of the matches of a motif; 0: any */
  ms_motifs_summary summary;
  ms_status status; /* of the first failure to write */
  ms_error *err;
} session_files;

/* ---- the table -------------------------------------------------------------------- */

static ms_status begin_table(session_files *f)
{
  ms_writing *w = &f->table;
  ms_result_header *h = &w->writer.header;
  ms_describe_graph(h, f->session->graph, &w->graph);
  ms_describe_coloring(h, f->session->coloring, &w->colors);
  h->motifs = (ms_result_file){f->motifs->path, f->motifs->crc32c};
  h->layout = w->options.times ? MS_WITH_SECONDS : 0;
  w->names = f->session->graph->names;
  return ms_writer_begin(&w->writer, w->names, f->err);
}

static ms_status end_table(session_files *f)
{
  f->table.writer.header.status = ms_status_of(f->summary.run.stopped, false);
  f->table.writer.header.motifs_found = f->summary.found;
  return ms_writer_end(&f->table.writer, f->err);
}

/* ---- the rows --------------------------------------------------------------------- */

/* Begins the description of section i, which the writers complete. */
static void open_section(session_files *f, uint32_t i)
{
  ms_result_header *h = &f->rows.writer.header;
  ms_result_kind kind = h->kind;
  memset(h, 0, sizeof *h);
  h->kind = kind;
  h->has = MS_HAS_SECTIONS;
  h->section = i + 1;
  h->sections = ms_motif_set_size(f->motifs);
  h->name = ms_motif_set_name(f->motifs, i);
}

static ms_status put_screen(session_files *f, uint32_t i, const ms_query *query,
                            const ms_screen_result *screen)
{
  open_section(f, i);
  MS_TRY(ms_writing_flags(&f->rows, query, screen, f->screen, f->err));
  return ms_writer_end_section(&f->rows.writer, f->err);
}

static ms_status put_list(session_files *f, uint32_t i, const ms_query *query,
                          const ms_list_result *list)
{
  ms_writing *w = &f->rows;
  open_section(f, i);
  ms_writing_describe(w, query, list->screen, f->screen);
  ms_writing_settle(w, list->run.stopped, f->limit, list->matches);
  w->writer.header.found = list->matches;
  w->writer.header.count = list->count_text;
  MS_TRY(ms_writer_begin(&w->writer, w->names, f->err));
  ms_writer_matches(&w->writer, list->vertices, NULL, list->matches);
  return ms_writer_end_section(&w->writer, f->err);
}

/* ---- results ---------------------------------------------------------------------- */

/* Counts a result, and describes it for the table. */
static ms_motif_row note(session_files *f, uint32_t i, const ms_screen_result *screen,
                         ms_status stopped, const char *found, bool at_limit, double seconds)
{
  bool sieved = screen && !screen->exact;
  ms_motifs_summary *s = &f->summary;
  s->done++;
  s->found += strcmp(found, "0") != 0;
  s->incomplete += stopped != MS_OK && !at_limit;
  bool cut = stopped == MS_ERR_INTERRUPTED || (stopped == MS_ERR_LIMIT && !at_limit);
  if (cut && ms_stop_check(f->screen->run.stop) != MS_OK)
    s->run.stopped = stopped;
  const ms_motif *motif = ms_motif_set_motif(f->motifs, i);
  return (ms_motif_row){
      .name = ms_motif_set_name(f->motifs, i),
      .k = ms_motif_size(motif),
      .matches = found,
      .mode = ms_result_word(MS_WORDS_MODE, sieved ? MS_MODE_SCREENED : MS_MODE_EXACT),
      .miss_bound = sieved ? screen->miss_bound : 0,
      .status = ms_result_word(MS_WORDS_STATUS, ms_status_of(stopped, at_limit)),
      .seconds = seconds,
      .motif = ms_motif_text(motif)};
}

/* Notes how writing went; true: the run may go on. */
static bool goes_on(session_files *f, ms_status status, double begin)
{
  f->summary.run.time_write += ms_seconds() - begin;
  f->status = status;
  return status == MS_OK && !ms_outfile_failed(f->table.writer.out) &&
         !(f->has_rows && ms_outfile_failed(f->rows.writer.out));
}

static bool on_screen(void *user, uint32_t i, const ms_query *query, const ms_screen_result *screen,
                      double seconds)
{
  session_files *f = user;
  char found[16];
  double begin = ms_seconds();
  snprintf(found, sizeof found, "%" PRIu32, screen->flagged);
  ms_motif_row row = note(f, i, screen, screen->run.stopped, found, false, seconds);
  row.flagged = screen->flagged;
  ms_status status = ms_writer_row(&f->table.writer, &row, f->err);
  if (status == MS_OK && f->has_rows)
    status = put_screen(f, i, query, screen);
  return goes_on(f, status, begin);
}

static bool on_list(void *user, uint32_t i, const ms_query *query, const ms_list_result *list,
                    double seconds)
{
  session_files *f = user;
  double begin = ms_seconds();
  bool at_limit = f->limit > 0 && list->matches >= f->limit;
  ms_motif_row row =
      note(f, i, list->screen, list->run.stopped, list->count_text, at_limit, seconds);
  ms_status status = ms_writer_row(&f->table.writer, &row, f->err);
  if (status == MS_OK && f->has_rows)
    status = put_list(f, i, query, list);
  return goes_on(f, status, begin);
}

/* ---- files ------------------------------------------------------------------------ */

static ms_status open_files(session_files *f, bool screens, const ms_write_options *options,
                            const char *table_path, const char *rows_path)
{
  ms_write_options o, of_table;
  uint32_t n = f->session->graph->n;
  MS_TRY(ms_options_take(&ms_write_options_kind, options, &o, f->err));
  of_table = o; /* the other options are those of rows */
  of_table.labels = NULL;
  of_table.roles = of_table.long_rows = of_table.wide_rows = false;
  of_table.measures = MS_MEASURES_NONE;
  MS_TRY(ms_writing_open(&f->table, screens ? MS_KIND_SCREENS : MS_KIND_LISTS, n, &of_table,
                         table_path, f->err));
  if (!rows_path)
    return MS_OK;
  ms_status status =
      ms_writing_open(&f->rows, screens ? MS_KIND_SCREEN : MS_KIND_LIST, n, &o, rows_path, f->err);
  f->has_rows = status == MS_OK;
  f->rows.names = f->session->graph->names;
  if (status == MS_OK && ms_writing_check_measures(&f->rows, f->session->graph, f->err) != MS_OK) {
    f->has_rows = false;
    status = ms_writing_close(&f->rows, MS_ERR_USAGE, f->err);
  }
  return status == MS_OK ? MS_OK : ms_writing_close(&f->table, status, f->err);
}

/* Puts both files in their places if all went well, else removes them. */
static ms_status close_files(session_files *f, ms_status status)
{
  if (status == MS_OK)
    status = f->status;
  if (status == MS_OK)
    status = end_table(f);
  if (!f->has_rows)
    return ms_writing_close(&f->table, status, f->err);
  /* the first file is put in its place only once the bytes of both are on the disk */
  if (status == MS_OK && !ms_outfile_finish(f->rows.writer.out)) {
    status = ms_writing_close(&f->rows, status, f->err);
    return ms_writing_close(&f->table, status, f->err);
  }
  status = ms_writing_close(&f->table, status, f->err);
  return ms_writing_close(&f->rows, status, f->err);
}

ms_status ms_session_screen_to_files(const ms_session *session, const ms_motif_set *motifs,
                                     const ms_screen_options *run, double seconds,
                                     const ms_write_options *options, const char *table_path,
                                     const char *rows_path, ms_motifs_summary *summary,
                                     ms_error *err)
{
  MS_REQUIRE(session, err);
  MS_REQUIRE(motifs, err);
  MS_REQUIRE(table_path, err);
  ms_screen_options o;
  MS_TRY(ms_options_take(&ms_screen_options_kind, run, &o, err));
  session_files f = {.session = session, .motifs = motifs, .screen = &o, .err = err};
  MS_TRY(open_files(&f, true, options, table_path, rows_path));
  ms_status status = begin_table(&f);
  if (status == MS_OK)
    status = ms_session_screen(session, motifs, &o, seconds, on_screen, &f, err);
  status = close_files(&f, status);
  if (status == MS_OK && summary)
    *summary = f.summary;
  return status;
}

ms_status ms_session_list_to_files(const ms_session *session, const ms_motif_set *motifs,
                                   const ms_list_options *run, double seconds,
                                   const ms_write_options *options, const char *table_path,
                                   const char *rows_path, ms_motifs_summary *summary, ms_error *err)
{
  MS_REQUIRE(session, err);
  MS_REQUIRE(motifs, err);
  MS_REQUIRE(table_path, err);
  ms_list_options o;
  MS_TRY(ms_options_take(&ms_list_options_kind, run, &o, err));
  if (o.count_only && rows_path)
    return ms_fail(err, MS_ERR_USAGE,
                   "`rows_path` asks for matches, and count_only for their numbers; leave one out");
  o.count_only = !rows_path;
  session_files f = {
      .session = session, .motifs = motifs, .screen = &o.screen, .limit = o.limit, .err = err};
  MS_TRY(open_files(&f, false, options, table_path, rows_path));
  ms_status status = begin_table(&f);
  if (status == MS_OK)
    status = ms_session_list(session, motifs, &o, seconds, on_list, &f, err);
  status = close_files(&f, status);
  if (status == MS_OK && summary)
    *summary = f.summary;
  return status;
}
