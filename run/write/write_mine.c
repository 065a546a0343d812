/* Writes the motifs that mining has found: the largest support first. */
#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "graph/graph.h"
#include "result/json.h"
#include "run/session.h"
#include "run/write/write.h"

#include <inttypes.h>
#include <stdlib.h>

/* A motif that was found. */
typedef struct mined {
  uint32_t k, flagged;
  uint64_t number; /* in the order in which motifs came */
  char *text;
} mined;

typedef struct mine_file {
  ms_writing writing;
  const ms_session *session;
  mined *found; /* [count] */
  uint64_t count, room;
  bool full; /* there was no memory for a motif */
} mine_file;

/* Keeps a motif; an ms_mined_fn. */
static bool keep(void *user, const ms_motif *motif, uint32_t count, const uint32_t *vertex)
{
  mine_file *f = user;
  (void)vertex;
  f->full = !MS_GROW(f->found, f->room, f->count, 1);
  if (f->full)
    return false;
  mined *next = &f->found[f->count];
  *next = (mined){.k = ms_motif_size(motif),
                  .flagged = count,
                  .number = f->count,
                  .text = ms_strdup(ms_motif_text(motif))};
  f->full = next->text == NULL;
  f->count += !f->full;
  return !f->full;
}

/* Compares by falling size, then by falling support, then by the order in which they came. */
static int by_support(const void *a, const void *b)
{
  const mined *x = a, *y = b;
  if (x->k != y->k)
    return x->k < y->k ? 1 : -1;
  if (x->flagged != y->flagged)
    return x->flagged < y->flagged ? 1 : -1;
  return (x->number > y->number) - (x->number < y->number);
}

static ms_status put_row(mine_file *f, const mined *m, uint64_t number, ms_error *err)
{
  char name[24];
  snprintf(name, sizeof name, "M%" PRIu64, number);
  const ms_motif_row row = {.name = name, .k = m->k, .flagged = m->flagged, .motif = m->text};
  return ms_writer_row(&f->writing.writer, &row, err);
}

static ms_status write_table(mine_file *f, const ms_mine_options *run, ms_status stopped,
                             ms_error *err)
{
  ms_writing *w = &f->writing;
  ms_result_header *h = &w->writer.header;
  ms_describe_graph(h, f->session->graph, &w->graph);
  ms_describe_coloring(h, f->session->coloring, &w->colors);
  h->mined.slots = run->slots;
  h->mined.least = run->least;
  h->mined.support = run->support;
  h->status = ms_status_of(stopped, false);
  h->motifs_found = f->count;
  w->names = f->session->graph->names;
  MS_TRY(ms_writer_begin(&w->writer, w->names, err));
  for (uint64_t i = 0; i < f->count; i++)
    MS_TRY(put_row(f, &f->found[i], i + 1, err));
  return ms_writer_end(&w->writer, err);
}

static ms_status mine_then_write(mine_file *f, const ms_mine_options *run, ms_mine_summary *summary,
                                 ms_error *err)
{
  MS_TRY(ms_session_mine(f->session, run, keep, f, summary, err));
  if (f->full)
    return ms_fail_memory(err, "the motifs that were found");
  if (f->count > 0)
    qsort(f->found, f->count, sizeof *f->found, by_support);
  double begin = ms_seconds();
  ms_status status = write_table(f, run, summary->run.stopped, err);
  summary->run.time_write = ms_seconds() - begin;
  return status;
}

ms_status ms_session_mine_to_file(const ms_session *session, const ms_mine_options *run,
                                  const ms_write_options *options, const char *path,
                                  ms_mine_summary *summary, ms_error *err)
{
  MS_REQUIRE(session, err);
  MS_REQUIRE(path, err);
  ms_mine_options o;
  ms_mine_summary own = {0};
  MS_TRY(ms_options_take(&ms_mine_options_kind, run, &o, err));
  ms_mine_complete(&o);
  mine_file f = {.session = session};
  MS_TRY(ms_writing_open(&f.writing, MS_KIND_MINED, session->graph->n, options, path, err));
  ms_status status = mine_then_write(&f, &o, &own, err);
  for (uint64_t i = 0; i < f.count; i++)
    ms_free(f.found[i].text);
  ms_free(f.found);
  status = ms_writing_close(&f.writing, status, err);
  if (status == MS_OK && summary)
    *summary = own;
  return status;
}
