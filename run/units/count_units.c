#include "run/units/count_units.h"

#include "base/alloc.h"
#include "base/crc32c.h"
#include "base/numbers.h"
#include "base/options.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "base/units.h"
#include "graph/content.h"
#include "graph/names.h"
#include "match/count/count_choice.h"
#include "match/cpu/sorted.h"
#include "parts/sum.h"
#include "query/pattern.h"
#include "query/typed_query.h"
#include "run/units/unit_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANGE_SECONDS 2.0 /* of a range, at least about: each of them plans the count again */
/* On GPUs, whose search is shortest where it is not cut: seconds of a range, of which each member
 * has an equal one first, as devices of one process have; the least seconds; and the members up to
 * which nothing is left for further ranges.  With a checkpoint, the first one is this part of that.
 */
#define GPU_SECONDS 20.0
#define GPU_LEAST 0.25
#define GPU_FEW_MEMBERS 8u
#define GPU_FIRST_SAVED 64u

typedef struct counted {
  ms_match_run *m;
  const ms_division *division;
  ms_count_leaves sum;
  ms_count_report *report;
  ms_count_choices choices;        /* of the plans of all ranges */
  ms_integrity integrity, *checks; /* NULL: nothing is checked */
} counted;

/* ---- texts ---------------------------------------------------------------------------------- */

ms_status ms_leaves_text(const ms_count_leaves *l, char **out, ms_error *err)
{
  size_t room = 8, used = 0;
  for (uint64_t i = 0; i < l->count; i++)
    room += mpz_sizeinbase(l->leaf[i].value, 10) + 16;
  char *text = ms_alloc(room, 1);
  *out = text;
  if (!text)
    return ms_fail_memory(err, "the numbers of a part");
  strcpy(text, "none");
  for (uint64_t i = 0; i < l->count; i++) {
    used += (size_t)snprintf(text + used, room - used, "%s%08" PRIx32 ":", i ? " " : "",
                             l->leaf[i].sum);
    mpz_get_str(text + used, 10, l->leaf[i].value);
    used += strlen(text + used);
  }
  return MS_OK;
}

static ms_status fail_text(ms_error *err)
{
  return ms_fail(err, MS_ERR_INPUT, "the numbers of a part cannot be read");
}

/* Appends the leaf "SUM:VALUE", which ends at its NUL. */
static ms_status parse_leaf(char *text, ms_count_leaves *l, ms_error *err)
{
  char *end;
  unsigned long sum = strtoul(text, &end, 16);
  if (end != text + 8 || *end != ':')
    return fail_text(err);
  mpz_t value;
  mpz_init(value);
  ms_status status = mpz_set_str(value, end + 1, 10) == 0 ? MS_OK : fail_text(err);
  if (status == MS_OK)
    status = ms_count_leaves_append(l, value, (uint32_t)sum, err);
  mpz_clear(value);
  return status;
}

ms_status ms_leaves_parse(const char *text, ms_count_leaves *l, ms_error *err)
{
  ms_status status = MS_OK;
  if (strcmp(text, "none") == 0)
    return MS_OK;
  char *copy = ms_strdup(text);
  if (!copy)
    return ms_fail_memory(err, "the numbers of a part");
  for (char *at = copy, *next; at && status == MS_OK; at = next) {
    next = strchr(at, ' ');
    if (next)
      *next++ = '\0';
    status = parse_leaf(at, l, err);
  }
  ms_free(copy);
  return status;
}

/* ---- the identity -------------------------------------------------------------------------- */

/* CRC-32C of the rows of an index of relations, which has no graph, and of its vertices. */
static uint32_t relations_content(const ms_pattern_index *index)
{
  uint32_t crc = ms_crc32c(0, index->vertex, index->n * sizeof *index->vertex);
  for (uint32_t k = 0; k < index->kinds; k++) {
    const ms_neighbor_rows *rows = &index->rows[k];
    if (!rows->offset)
      continue;
    crc = ms_crc32c(crc, &k, sizeof k);
    crc = ms_crc32c(crc, rows->offset, ((size_t)index->n + 1) * sizeof *rows->offset);
    crc = ms_crc32c(crc, rows->neighbor, rows->offset[index->n] * sizeof *rows->neighbor);
  }
  return crc;
}

/* CRC-32C of what each vertex of the pattern may be, and of its edges with their relations. */
static uint32_t pattern_content(const ms_match_run *m)
{
  uint32_t crc = 0;
  for (uint32_t i = 0; i < m->shape.n; i++) {
    const ms_domain *d = &m->domains.of[i];
    crc = ms_crc32c(crc, &d->lo, sizeof d->lo);
    crc = ms_crc32c(crc, &d->hi, sizeof d->hi);
    if (d->bits)
      crc = ms_crc32c(crc, d->bits, m->index->words * sizeof *d->bits);
    MS_EACH_MEMBER (j, m->shape.out[i]) {
      crc = ms_crc32c(crc, &j, sizeof j);
      if (m->shape.label)
        crc = ms_crc32c(crc, &m->shape.label[i][j], sizeof m->shape.label[i][j]);
    }
  }
  return crc;
}

/* Appends what the user wrote of a typed pattern: it comes first, because the edges of its types
 * follow from it. */
static ms_status identify_typed(const ms_match_run *m, ms_identity *id, ms_error *err)
{
  const ms_typed_pattern *p = m->typed_pattern;
  ms_bytes names = {0};
  uint32_t crc = 0;
  for (uint32_t i = 0; i < ms_names_count(p->type_names); i++) {
    const char *name = ms_names_get(p->type_names, i);
    ms_bytes_put(&names, ", ", i > 0 ? 2 : 0);
    ms_bytes_put(&names, name, strlen(name));
  }
  ms_bytes_put(&names, "", 1);
  ms_status status = names.failed ? ms_fail_memory(err, "the identity of a run")
                                  : ms_identity_text(id, "types that the pattern names",
                                                     (const char *)names.data, err);
  ms_bytes_free(&names);
  for (uint32_t i = 0; i < p->n; i++) {
    crc = ms_crc32c(crc, &p->types[i], sizeof p->types[i]);
    crc = ms_crc32c(crc, p->type[i], p->types[i] * sizeof *p->type[i]);
  }
  for (uint32_t i = 0; i < p->edges; i++) {
    const ms_typed_pattern_edge *e = &p->edge[i];
    const uint32_t facts[] = {e->from, e->to, (uint32_t)e->way, e->types};
    crc = ms_crc32c(crc, facts, sizeof facts);
    crc = ms_crc32c(crc, e->type, e->types * sizeof *e->type);
  }
  return status == MS_OK ? ms_identity_crc32c(id, "checksum of the pattern's edges", crc, err)
                         : status;
}

ms_status ms_match_identify(const ms_match_run *m, ms_identity *id, ms_error *err)
{
  const ms_graph *graph = m->index->graph;
  MS_TRY(ms_identity_text(id, "induced", m->shape.induced ? "yes" : "no", err));
  if (m->typed_pattern)
    MS_TRY(identify_typed(m, id, err));
  if (graph)
    MS_TRY(ms_identity_crc32c(id, "checksum of the graph", ms_graph_content(graph), err));
  else
    MS_TRY(ms_identity_crc32c(id, "checksum of the edges of the pattern's types",
                              relations_content(m->index), err));
  MS_TRY(ms_identity_number(id, "vertices of the pattern", m->shape.n, err));
  return ms_identity_crc32c(id, "checksum of the pattern and of its colours in the graph",
                            pattern_content(m), err);
}

static bool on_gpus(const counted *c)
{
  return c->m->asked && c->m->asked != &ms_pattern_engine_cpu;
}

const char *ms_count_planned_for(const char *engine)
{
  return engine && strcmp(engine, "auto") != 0 ? engine : ms_pattern_engine_cpu.name;
}

static ms_status identify(void *run, ms_identity *id, ms_error *err)
{
  const counted *c = run;
  MS_TRY(ms_match_identify(c->m, id, err));
  return ms_identity_text(id, "`engine` that the count is planned for",
                          ms_count_planned_for(c->m->options->screen.run.engine), err);
}

/* ---- counting -------------------------------------------------------------------------------- */

/* Counts the units of the share of the leaves by an opinion (parts/paranoid.h). */
static ms_status count_share(counted *c, uint32_t opinion, ms_count_leaves *part, ms_error *err)
{
  ms_match_run *m = c->m;
  ms_count_query query;
  mpz_t none;
  ms_match_count_query(m, &query);
  query.leaves = part;
  part->planner = on_gpus(c) ? m->asked : NULL;
  part->choices = &c->choices;
  if (opinion == 0) {
    part->engine = on_gpus(c) ? m->asked : NULL;
    part->integrity = c->checks;
    query.report = c->report;
    query.work = &m->result->run.work;
  }
  mpz_init(none);
  ms_status status = ms_count_maps(&query, &m->shape, none, err);
  mpz_clear(none);
  return status;
}

/* ---- the sum: the text of its leaves, and a NUL ------------------------------------------------
 */

static void put_leaves(const ms_count_leaves *leaves, ms_bytes *out)
{
  char *text = NULL;
  ms_error unused;
  if (ms_leaves_text(leaves, &text, &unused) == MS_OK)
    ms_bytes_put(out, text, strlen(text) + 1);
  else
    out->failed = true;
  ms_free(text);
}

/* Other opinions are those of the CPU, with the next implementations of sorted sets. */
static unsigned other_kernel(const counted *c, uint32_t opinion)
{
  return opinion > 0 && on_gpus(c) ? opinion - 1 : opinion;
}

static ms_status put(void *run, uint32_t opinion, const ms_share *share, ms_bytes *out,
                     ms_error *err)
{
  counted *c = run;
  ms_count_leaves part = {.share = share};
  ms_other_kernel_set(other_kernel(c, opinion));
  ms_status status = count_share(c, opinion, &part, err);
  ms_other_kernel_set(0);
  if (status == MS_OK)
    put_leaves(&part, out);
  ms_count_leaves_free(&part);
  return status;
}

static ms_status add(void *run, uint64_t first, uint64_t last, const ms_bytes *bytes, bool *enough,
                     ms_error *err)
{
  counted *c = run;
  ms_count_leaves part = {0};
  (void)first;
  (void)last;
  (void)enough;
  if (bytes->length == 0 || bytes->data[bytes->length - 1] != '\0')
    return ms_sum_fail(err);
  ms_status status = ms_leaves_parse((const char *)bytes->data, &part, err);
  if (status == MS_OK)
    status = ms_count_leaves_add(&c->sum, &part, err);
  ms_count_leaves_free(&part);
  return status;
}

static void save(void *run, ms_bytes *out)
{
  const counted *c = run;
  put_leaves(&c->sum, out);
}

static const char *name_opinion(void *run, uint32_t opinion)
{
  const counted *c = run;
  if (on_gpus(c) && opinion == 0)
    return c->m->asked->name;
  ms_other_kernel_set(other_kernel(c, opinion));
  const char *name = ms_sorted_best()->name;
  ms_other_kernel_set(0);
  return name;
}

static void show(void *run, ms_see_fn see, void *see_user)
{
  counted *c = run;
  for (uint64_t i = 0; i < c->sum.count; i++) {
    ms_count_leaf *leaf = &c->sum.leaf[i];
    see(see_user, &leaf->sum, sizeof leaf->sum);
    see(see_user, leaf->value->_mp_d, mpz_size(leaf->value) * sizeof(mp_limb_t));
  }
}

static const ms_sum_kind count_of_pattern = {.name = "count of a pattern",
                                             .units = "units",
                                             .prepares = true,
                                             .identify = identify,
                                             .put = put,
                                             .add = add,
                                             .save = save,
                                             .opinion = name_opinion,
                                             .show = show};

/* Cuts ranges for GPUs. */
static void cut_for_gpus(const counted *c, ms_sum_run *s)
{
  ms_crew_job *j = &s->job;
  uint64_t members = c->division->crew ? c->division->crew->members : 1;
  uint64_t share = (s->units - s->done + members - 1) / members;
  j->least = GPU_LEAST;
  j->first = s->log                       ? share / GPU_FIRST_SAVED + 1
             : members <= GPU_FEW_MEMBERS ? share
                                          : share / 2 + 1;
  j->seconds = s->log ? RANGE_SECONDS : GPU_SECONDS;
}

/* Puts the leaves of all units together. */
static ms_status replay(ms_match_run *m, ms_count_leaves *leaves, ms_count_choices *choices,
                        ms_count_report *report, ms_error *err)
{
  ms_count_query query;
  ms_count_leaves_rewind(leaves);
  ms_match_count_query(m, &query);
  leaves->choices = choices;
  query.leaves = leaves;
  query.report = report;
  return ms_count_maps(&query, &m->shape, m->run.count, err);
}

/* Adds the leaves of all units that are to be done. */
static ms_status add_all(counted *c, ms_error *err)
{
  ms_match_run *m = c->m;
  ms_sum_run sum = {.kind = &count_of_pattern,
                    .run = c,
                    .units = MS_EVEN_UNITS,
                    .checks = c->checks,
                    .limits = m->run.limits,
                    .outcome = &m->result->run,
                    .job.seconds = RANGE_SECONDS};
  m->result->run.units = sum.units;
  ms_status status = ms_sum_open(&sum, err);
  if (on_gpus(c) && (c->division->crew || c->checks))
    cut_for_gpus(c, &sum);
  if (status == MS_OK)
    status = ms_sum_all(&sum, err);
  ms_sum_close(&sum);
  return status;
}

static ms_status count(counted *c, ms_error *err)
{
  ms_match_run *m = c->m;
  c->checks = ms_integrity_open(c->division, &c->integrity);
  MS_TRY(add_all(c, err));
  c->sum.planner = on_gpus(c) ? m->asked : NULL;
  return c->division->parts > 0 ? ms_leaves_text(&c->sum, &m->result->part_text, err)
                                : replay(m, &c->sum, &c->choices, c->report, err);
}

ms_status ms_match_count_units(ms_match_run *m, ms_count_report *report, ms_error *err)
{
  counted c = {.m = m, .division = m->run.limits.division, .report = report};
  if (m->merged)
    return m->domains.empty ? MS_OK : replay(m, m->merged, NULL, report, err);
  if (m->domains.empty) {
    m->result->run.units = MS_EVEN_UNITS;
    return c.division->parts > 0 ? ms_leaves_text(&c.sum, &m->result->part_text, err) : MS_OK;
  }
  ms_status status = count(&c, err);
  ms_count_leaves_free(&c.sum);
  ms_count_choices_free(&c.choices);
  return status;
}

/* ---- options --------------------------------------------------------------------------------- */

ms_status ms_count_division_take(ms_pattern_options *o, ms_division *own, ms_error *err)
{
  MS_TRY(ms_division_take_checked(&o->screen.run.division, own, err));
  if (!o->screen.run.division)
    return MS_OK;
  const char *what = o->limit > 0        ? "a search for a limited number of matches"
                     : o->n_required > 0 ? "a search for matches with required vertices"
                     : o->screen_mode == MS_SCREEN_ALWAYS ? "a search after the sieve"
                                                          : NULL;
  MS_TRY(ms_unit_rows_check(&o->screen.run, o->count_only, what, err));
  /* each part has to search the same graph by the same plan */
  o->screen_mode = MS_SCREEN_NEVER;
  if (o->count_only)
    o->order = MS_ORDER_AUTO;
  else
    o->screen.run.engine = "cpu";
  return MS_OK;
}
