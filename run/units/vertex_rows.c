#include "run/units/vertex_rows.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "base/units.h"
#include "graph/colors.h"
#include "graph/graph.h"
#include "parts/spool.h"
#include "parts/sum.h"
#include "run/units/census_units.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define BATCH_SECONDS 0.5 /* about, after which vertices that are counted are kept */
/* The time in which a run that was stopped passes on what it has; the rest can be had when it goes
 * on. */
#define SECONDS_AFTER_STOP 0.5

/* A vertex, or a part of one, in the spool.  The numbers of its sets follow, [count], and then the
 * colours of its motifs, [count][k]. */
typedef struct kept_vertex {
  uint64_t unit, sets, count;
  uint32_t vertex, entry;
  uint32_t is_cut, is_first;
} kept_vertex;

typedef struct saved_run {
  const ms_graph *graph;
  const ms_coloring *coloring;
  const ms_census_options *options;
  ms_run_outcome outcome;
  ms_sum_run sum; /* of the vertices that are counted, by their places */
  ms_spool *spool;
  bool direct;        /* the spool could not grow: vertices go to the receiver */
  bool wants_no_more; /* the receiver has ended the run */
  ms_spool_mark mark; /* of the vertices that are done */
  ms_bytes bytes;     /* of a vertex */
  ms_census_part_fn receive;
  void *user;
  uint64_t vertices, rows; /* that the receiver has */
  ms_status stopped;       /* why not all of the spool was passed on */
  ms_error failure;        /* of reading the spool */
} saved_run;

/* ---- the spool ------------------------------------------------------------------------------ */

static bool pass(saved_run *s, const ms_census_part *part)
{
  s->vertices++;
  s->rows += part->vertex->count;
  s->wants_no_more = !s->receive(s->user, part);
  return !s->wants_no_more;
}

static ms_status fail_damaged(const saved_run *s, ms_error *err)
{
  return ms_fail(err, MS_ERR_INPUT,
                 "%s.rows: the rows of the checkpoint are damaged; remove the checkpoint to begin "
                 "the run again",
                 s->options->run.division->checkpoint);
}

/* Reads bytes at *at, and moves *at behind them. */
static ms_status read_on(const saved_run *s, uint64_t *at, void *data, uint64_t bytes,
                         ms_error *err)
{
  if (bytes > ms_spool_bytes(s->spool) - *at)
    return fail_damaged(s, err);
  MS_TRY(ms_spool_read(s->spool, *at, data, (size_t)bytes, err));
  *at += bytes;
  return MS_OK;
}

/* Reads the arrays of a vertex into s->bytes, the numbers of sets first. */
static ms_status read_arrays(saved_run *s, const kept_vertex *kept, uint64_t *at, ms_error *err)
{
  uint64_t each = sizeof(uint64_t) + s->options->k * sizeof(uint32_t);
  uint32_t colors = ms_names_count(s->coloring->names);
  if (kept->vertex >= s->graph->n || kept->count > (ms_spool_bytes(s->spool) - *at) / each)
    return fail_damaged(s, err);
  size_t length = (size_t)(kept->count * each);
  if (length > s->bytes.room) {
    unsigned char *larger = ms_resize(s->bytes.data, s->bytes.room, 2 * length, 1);
    if (!larger)
      return ms_fail_memory(err, "the motifs of a vertex");
    s->bytes.data = larger;
    s->bytes.room = 2 * length;
  }
  MS_TRY(read_on(s, at, s->bytes.data, length, err));
  const uint32_t *color =
      (const uint32_t *)(void *)(s->bytes.data + kept->count * sizeof(uint64_t));
  for (uint64_t i = 0; i < kept->count * s->options->k; i++)
    if (color[i] >= colors)
      return fail_damaged(s, err);
  return MS_OK;
}

/* Reads the next vertex, and passes it on. */
static ms_status pass_next(saved_run *s, uint64_t *at, ms_error *err)
{
  kept_vertex kept;
  MS_TRY(read_on(s, at, &kept, sizeof kept, err));
  MS_TRY(read_arrays(s, &kept, at, err));
  const ms_census_vertex vertex = {
      .vertex = kept.vertex,
      .sets = kept.sets,
      .count = kept.count,
      .n_sets = (const uint64_t *)(void *)s->bytes.data,
      .color = (const uint32_t *)(void *)(s->bytes.data + kept.count * sizeof(uint64_t))};
  const ms_census_part part = {.unit = kept.unit,
                               .entry = kept.entry,
                               .is_cut = kept.is_cut,
                               .is_first = kept.is_first,
                               .vertex = &vertex};
  pass(s, &part);
  return MS_OK;
}

/* Passes on what the spool has, or a part of it after a stop. */
static ms_status deliver(saved_run *s, bool was_stopped, ms_error *err)
{
  double begin = ms_seconds();
  for (uint64_t at = 0; at < ms_spool_bytes(s->spool) && !s->wants_no_more;) {
    MS_TRY(pass_next(s, &at, err));
    if (was_stopped && ms_seconds() - begin > SECONDS_AFTER_STOP)
      break;
    if (!was_stopped && at < ms_spool_bytes(s->spool))
      s->stopped = ms_stop_check(s->options->run.stop);
    if (s->stopped != MS_OK)
      break;
  }
  return MS_OK;
}

/* ---- the state ------------------------------------------------------------------------------ */

static ms_status identify(void *run, ms_identity *id, ms_error *err)
{
  const saved_run *s = run;
  const ms_census_options *o = s->options;
  MS_TRY(ms_census_identify(id, s->graph, s->coloring, o, err));
  MS_TRY(ms_identity_number(id, "least number of sets of a motif", o->min_count, err));
  return ms_identity_number(id, "most motifs of a vertex", o->top, err);
}

static void save(void *run, ms_bytes *out)
{
  const saved_run *s = run;
  ms_sum_mark_put(&s->sum, s->spool, &s->mark, out);
}

static ms_status load(void *run, uint64_t done, const ms_bytes *bytes, ms_error *err)
{
  saved_run *s = run;
  ms_byte_reader r = ms_bytes_read(bytes);
  (void)done;
  MS_TRY(ms_sum_mark_take(&r, &s->mark, err));
  if (r.left > 0)
    return ms_sum_fail(err);
  return ms_spool_open(s->options->run.division->checkpoint, s->mark.bytes, s->mark.crc, &s->spool,
                       err);
}

static const ms_sum_kind vertex_census = {
    .name = "census of each vertex", .identify = identify, .save = save, .load = load};

/* Goes on from the checkpoint, or begins; a ms_census_receiver.begin. */
static ms_status begin(void *user, uint32_t entries, uint32_t *first, ms_error *err)
{
  saved_run *s = user;
  s->sum = (ms_sum_run){.kind = &vertex_census,
                        .run = s,
                        .units = entries,
                        .limits = s->options->run,
                        .outcome = &s->outcome};
  MS_TRY(ms_sum_open(&s->sum, err));
  *first = (uint32_t)s->sum.done;
  return MS_OK;
}

/* Puts a vertex into the spool, whole or not at all. */
static bool put(saved_run *s, const ms_census_part *part)
{
  const ms_census_vertex *v = part->vertex;
  const kept_vertex kept = {.unit = part->unit,
                            .sets = v->sets,
                            .count = v->count,
                            .vertex = v->vertex,
                            .entry = part->entry,
                            .is_cut = part->is_cut,
                            .is_first = part->is_first};
  s->bytes.length = 0;
  ms_bytes_put(&s->bytes, &kept, sizeof kept);
  ms_bytes_put(&s->bytes, v->n_sets, v->count * sizeof *v->n_sets);
  ms_bytes_put(&s->bytes, v->color, v->count * s->options->k * sizeof *v->color);
  if (s->bytes.failed) {
    ms_fail_memory(&s->failure, "the motifs of a vertex");
    return false;
  }
  return ms_spool_put(s->spool, s->bytes.data, s->bytes.length);
}

/* Keeps a vertex in the spool; an ms_census_part_fn.  If the spool cannot grow, the receiver gets
 * all of it, and the state cannot be saved any more. */
static bool keep(void *user, const ms_census_part *part)
{
  saved_run *s = user;
  if (s->direct)
    return pass(s, part);
  if (part->entry != s->sum.done)
    return true; /* after a stop, an earlier one is lacking: both are counted again */
  if (put(s, part)) {
    s->mark = ms_spool_end(s->spool);
    ms_sum_note(&s->sum, s->sum.done + 1);
    return true;
  }
  if (s->failure.status != MS_OK)
    return false;
  s->direct = true;
  ms_unit_log_warn(s->sum.log, ms_spool_problem(s->spool));
  if (deliver(s, false, &s->failure) != MS_OK || s->stopped != MS_OK)
    return false;
  return !s->wants_no_more && pass(s, part);
}

/* ---- all ------------------------------------------------------------------------------------ */

/* Saves the state for the last time, and passes on what the spool has. */
static ms_status finish(saved_run *s, ms_census_summary *summary, ms_error *err)
{
  if (s->failure.status != MS_OK)
    return ms_fail(err, s->failure.status, "%s", s->failure.message);
  if (!s->direct) {
    ms_sum_save(&s->sum);
    MS_TRY(deliver(s, summary->run.stopped != MS_OK, err));
  }
  if (summary->run.stopped == MS_OK)
    summary->run.stopped = s->stopped;
  summary->vertices = s->vertices;
  summary->rows = s->rows;
  summary->run.resumed = s->outcome.resumed;
  summary->run.time_checkpoint = s->outcome.time_checkpoint;
  return MS_OK;
}

static ms_status run_saved(saved_run *s, const ms_census_accelerator *gpus, const ms_share *share,
                           ms_census_summary *summary, ms_error *err)
{
  const ms_census_receiver receiver = {
      .receive = keep, .user = s, .begin = begin, .seconds = BATCH_SECONDS};
  ms_status status = ms_census_vertices_share(gpus, s->graph, s->coloring, s->options, share,
                                              &receiver, summary, err);
  if (status == MS_OK && s->spool)
    status = finish(s, summary, err);
  ms_spool_close(s->spool);
  ms_sum_close(&s->sum);
  ms_bytes_free(&s->bytes);
  return status;
}

ms_status ms_census_vertices_divided(const ms_census_accelerator *gpus, const ms_graph *graph,
                                     const ms_coloring *coloring, const ms_census_options *options,
                                     ms_census_part_fn receive, void *user,
                                     ms_census_summary *summary, ms_error *err)
{
  const ms_division *d = options->run.division;
  const ms_census_receiver direct = {.receive = receive, .user = user};
  ms_census_summary own = {0};
  ms_share part, *share = NULL;
  if (d->parts > 0) {
    part = ms_share_of_part(d->part, d->parts);
    share = &part;
  }
  saved_run s = {
      .graph = graph, .coloring = coloring, .options = options, .receive = receive, .user = user};
  ms_status status = d->checkpoint ? run_saved(&s, gpus, share, &own, err)
                                   : ms_census_vertices_share(gpus, graph, coloring, options, share,
                                                              &direct, &own, err);
  if (status == MS_OK && summary)
    *summary = own;
  return status;
}
